//! Marks and words that mislead: comments, forged frames and instructions, raw HTML, links that go elsewhere, letters
//! that look alike, text far below or far to the right. Every pass is linear: no look-ahead without a bound.

use super::{Report, short};
use crate::constant::pattern;
use regex::Regex;
use std::sync::LazyLock;

/// Blank lines after which text would be overlooked.
const BLANK_LINES: usize = 30;
/// Blanks in a line after which text would be overlooked.
const BLANKS: usize = 200;
/// Bytes of a link's label and of its target that are looked at.
const LABEL: usize = 300;
const TARGET: usize = 600;

/// Tags and lines by which prompts are put together.
static FRAME: LazyLock<Regex> = LazyLock::new(|| {
    pattern(concat!(
        r"(?i)[<＜]\s*/?\s*(?:system|assistant|human|developer|tool[-_ ]?(?:result|use|call)s?|function[-_ ]?(?:calls?|results?)|invoke|system[-_ ]reminder",
        r"|instructions?|user[-_ ](?:message|prompt)|handoff(?:[-_ ]?(?:context|document|block|data))?)\b[^<>＞\n]{0,80}[>＞]",
        r"|<\|[a-z_]{3,20}\|>|\[/?INST\]|<</?SYS>>",
        r"|(?m:^[ \t]*={2,}[ \t]*(?:end|handoff)\b[^\n]{0,60})",
        r"|(?m:^(?:Human|Assistant)[ \t]*:)"
    ))
});
/// Sentences that speak to the model about its own instructions.
static ORDER: LazyLock<Regex> = LazyLock::new(|| {
    pattern(concat!(
        r"(?i)\b(?:ignore|disregard|forget|override|bypass)\s+(?:all\s+|any\s+)?(?:of\s+)?(?:the\s+|your\s+|these\s+|those\s+|my\s+)?(?:previous|prior|above|earlier|preceding|existing|other|system)\s+(?:instructions?|rules?|prompts?|messages?|guidelines?|constraints?)",
        r"|\byou\s+are\s+now\s+(?:a|an|in|the)\b|\b(?:new|updated)\s+(?:system\s+)?instructions?\s*:|\bsystem\s+prompt\s+(?:is|says|was|override)\b",
        r"|\b(?:do\s+not|don['’]t|never|without)\s+(?:tell(?:ing)?|inform(?:ing)?|mention(?:ing)?\s+(?:this|it)\s+to|notify(?:ing)?|alert(?:ing)?)\s+(?:the\s+)?(?:user|human|operator|person)\b",
        r"|\b(?:reveal|print|repeat|output)\s+(?:your|the)\s+system\s+prompt\b",
        r"|(?:以前|これまで|上記|前)の(?:すべての|全ての)?(?:指示|命令|プロンプト)を(?:すべて)?(?:無視|忘れ)|忽略(?:所有|全部)?(?:之前|以上|先前|前面|上述)的?(?:所有)?(?:指令|指示|说明|提示)|이전(?:의)? ?(?:모든 )?(?:지시|명령)[^\n]{0,6}무시",
        r"|\bignorier\w*\s+(?:alle\s+)?(?:vorherigen|bisherigen|obigen)\s+\w+|\bignor\w+\s+(?:toutes\s+)?les\s+instructions\s+pr[ée]c[ée]dentes|\bignor\w+\s+(?:todas\s+)?(?:las\s+instrucciones\s+anteriores|as\s+instru[çc][õo]es\s+anteriores)|игнорируй\w*\s+(?:все\s+)?(?:предыдущие|прежние)\s+\w+"
    ))
});
/// HTML that loads, runs or sends.
static HTML: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"(?i)<\s*(?:script|iframe|img|svg|math|object|embed|link|meta|base|form|video|audio|style)\b|<[a-z][^<>\n]{0,200}\son[a-z]{3,20}\s*=",
    )
});
/// A reference definition that is used as a comment: no renderer shows it.
static DEFINITION: LazyLock<Regex> =
    LazyLock::new(|| pattern(r#"(?m)^ {0,3}\[(?://|comment|_)\]:[ \t]*(?:#|<>)[ \t]*([^\n]{1,600})"#));
static WEB: LazyLock<Regex> = LazyLock::new(|| {
    pattern(r"(?i)(?:https?://|\bwww\.)[^\s]+|\w[\w-]*(?:\.[\w-]+)*\.(?:com|org|net|io|dev|app)\b{end-half}[^\s]*")
});

const ACTIVE: [&str; 9] = ["javascript:", "data:", "file:", "vbscript:", "smb:", "vscode:", "blob:", "//", "\\\\"];

pub(super) fn scan(text: &str, report: &mut Report<'_, '_>) {
    comments(text, report);
    for found in FRAME.find_iter(text) {
        report.add("instruction-like-text", found.start(), found.end(), || {
            format!("Text that looks like a frame of a prompt: {}", short(found.as_str()))
        });
    }
    for found in ORDER.find_iter(text) {
        report.add("instruction-like-text", found.start(), found.end(), || {
            format!("Text that looks like an instruction to a model: {}", short(found.as_str()))
        });
    }
    let mut fences: Option<Vec<(usize, usize)>> = None;
    for found in HTML.find_iter(text).filter(|found| !is_type(text, found.start(), found.end())) {
        let fences = fences.get_or_insert_with(|| self::fences(text));
        if is_code(text, fences, found.start(), found.end()) {
            continue;
        }
        let to = window(text, found.start(), LABEL);
        let to = text[found.start()..to].find('>').map_or(found.end(), |end| found.start() + end + 1);
        report.add("raw-html", found.start(), to.max(found.end()), || {
            format!("Raw HTML, shown as text: {}", short(&text[found.start()..to.max(found.end())]))
        });
    }
    links(text, report);
    words(text, report);
    gaps(text, report);
}

/// The code blocks between fences, in order. One that is never closed shows nothing as code for sure.
fn fences(text: &str) -> Vec<(usize, usize)> {
    let mut found = Vec::new();
    let mut open: Option<(usize, &str)> = None;
    let mut at = 0;
    for line in text.split_inclusive('\n') {
        let mark = line.trim_start();
        let same = mark.len() - mark.trim_start_matches(['`', '~']).len();
        match open {
            None if same >= 3 => open = Some((at, &mark[..same])),
            Some((from, opened)) if mark.starts_with(opened) && mark[same..].trim().is_empty() => {
                found.push((from, at));
                open = None;
            }
            _ => {}
        }
        at += line.len();
    }
    found
}

/// Whether a place is shown as code: between fences, or between two backticks of its line.
fn is_code(text: &str, fences: &[(usize, usize)], from: usize, to: usize) -> bool {
    let index = fences.partition_point(|(begin, _)| *begin <= from);
    if index.checked_sub(1).and_then(|index| fences.get(index)).is_some_and(|(_, end)| to <= *end) {
        return true;
    }
    const REACH: usize = 400;
    let mut begin = from.saturating_sub(REACH);
    while !text.is_char_boundary(begin) {
        begin += 1;
    }
    let before = &text[begin..from];
    let line = &before[before.rfind('\n').map_or(0, |at| at + 1)..];
    let after = &text[to..window(text, to, REACH)];
    let after = after.split('\n').next().unwrap_or_default();
    line.matches('`').count() % 2 == 1 && after.contains('`')
}

/// `Vec<Link>` in code: the name of a type behind another name, and nothing but it in the brackets.
fn is_type(text: &str, from: usize, to: usize) -> bool {
    let named = text[..from].ends_with(|before: char| before.is_ascii_alphanumeric() || before == ':' || before == '_');
    let inside = text[from..to].trim_start_matches('<');
    let type_name =
        matches!(inside, "Base" | "Form" | "Link" | "Math" | "Meta" | "Object" | "Style" | "Video" | "Audio");
    named && type_name && text[to..].starts_with(['>', ',', '<'])
}

/// The end of at most `length` bytes from a place, on a character boundary.
fn window(text: &str, from: usize, length: usize) -> usize {
    let mut to = (from + length).min(text.len());
    while !text.is_char_boundary(to) {
        to -= 1;
    }
    to
}

fn comments(text: &str, report: &mut Report<'_, '_>) {
    let mut at = 0;
    while let Some(from) = text[at..].find("<!--").map(|offset| at + offset) {
        // One that is never closed hides everything below it.
        let (inner_to, to) =
            text[from + 4..].find("-->").map_or((text.len(), text.len()), |end| (from + 4 + end, from + 4 + end + 3));
        let inner = text[from + 4..inner_to].trim();
        if !inner.is_empty() {
            report.add("html-comment", from, to, || {
                format!("A comment that a rendered page would hide: {}", short(inner))
            });
        }
        at = to;
    }
    for found in DEFINITION.captures_iter(text) {
        if let (Some(whole), Some(inner)) = (found.get(0), found.get(1)) {
            report.add("html-comment", whole.start(), whole.end(), || {
                format!("A comment that a rendered page would hide: {}", short(inner.as_str()))
            });
        }
    }
}

fn links(text: &str, report: &mut Report<'_, '_>) {
    for (middle, _) in text.match_indices("](") {
        let mut floor = middle.saturating_sub(LABEL);
        while !text.is_char_boundary(floor) {
            floor += 1;
        }
        let Some(open) = text[floor..middle]
            .rfind(['[', '\n'])
            .map(|offset| floor + offset)
            .filter(|open| text[*open..].starts_with('['))
        else {
            continue;
        };
        // A link around a picture shows the picture: what a reader sees of it in words is its description.
        let label = &text[open + 1..middle];
        let label = label.split("](").next().unwrap_or(label);
        let rest = &text[middle + 2..window(text, middle + 2, TARGET)];
        let lead = rest.len() - rest.trim_start_matches([' ', '<']).len();
        let length = rest[lead..].find([')', '>', ' ', '\n', '\t']).unwrap_or(rest.len() - lead);
        let target = &rest[lead..lead + length];
        if target.is_empty() {
            continue;
        }
        let image = text[..open].ends_with('!') && label.len() == middle - open - 1;
        let from = match (image, text[..open].ends_with("[!")) {
            (true, _) => open - 1,
            (false, true) => open - 2,
            (false, false) => open,
        };
        let to = (middle + 2 + lead + length + 1).min(text.len());
        let to = if text.is_char_boundary(to) { to } else { middle + 2 + lead + length };
        link(label, target, image, (from, to), report);
    }
}

fn link(label: &str, target: &str, image: bool, (from, to): (usize, usize), report: &mut Report<'_, '_>) {
    let folded: String =
        target.chars().filter(|character| !character.is_control()).collect::<String>().to_ascii_lowercase();
    if ACTIVE.iter().any(|scheme| folded.starts_with(scheme)) {
        report.add("link-target", from, to, || format!("A link that does more than open a page: {}", short(target)));
    } else if image && folded.contains("://") {
        report.add("image", from, to, || format!("A picture from elsewhere, never loaded: {}", short(target)));
    } else if image && label.chars().count() > 120 {
        report.add("image", from, to, || format!("A picture whose description is a text of its own: {}", short(label)));
    } else if differs(label, target) {
        report.add("link-target-differs", from, to, || {
            format!("A link shows {} and goes to {}", short(label), short(target))
        });
    }
}

/// Whether a label that is an address or a path itself names another place than the target.
fn differs(label: &str, target: &str) -> bool {
    let label = label.trim_matches(['`', '*', '_', ' ', '<', '>']);
    if let Some(shown) = WEB.find(label) {
        return host(shown.as_str()) != host(target);
    }
    let path = |text: &str| {
        let text = text.split(['#', '?']).next().unwrap_or_default();
        let text =
            text.trim_end_matches(|character: char| character.is_ascii_digit() || character == ':' || character == '-');
        text.trim_start_matches("./").trim_end_matches('/').to_lowercase()
    };
    let (shown, goes) = (path(label), path(target));
    shown.contains('/')
        && !shown.contains(char::is_whitespace)
        && !shown.starts_with('@')
        && !goes.is_empty()
        && !goes.ends_with(&shown)
        && !shown.ends_with(&goes)
        && !goes.contains(&shown)
}

fn host(url: &str) -> String {
    let rest = url.split_once("://").map_or(url, |(_, rest)| rest);
    let authority = rest.split(['/', '?', '#']).next().unwrap_or_default();
    let host = authority.rsplit('@').next().unwrap_or_default();
    host.split(':').next().unwrap_or_default().trim_start_matches("www.").trim_end_matches('.').to_ascii_lowercase()
}

/// Letters of other scripts that pass for Latin ones, in paths and links. μ, Δ and σ stand beside units and pass for none.
fn looks_latin(character: char) -> bool {
    const GREEK: &str = "ΑΒΕΖΗΙΚΜΝΟΡΤΥΧαγικνορτυχϲϳϜϝ";
    matches!(character, '\u{370}'..='\u{3ff}' if GREEK.contains(character))
        || matches!(character, '\u{400}'..='\u{52f}' | '\u{13a0}'..='\u{13ff}' | '\u{ff21}'..='\u{ff3a}' | '\u{ff41}'..='\u{ff5a}' | '\u{1d400}'..='\u{1d7ff}')
}

fn words(text: &str, report: &mut Report<'_, '_>) {
    let part_of_path =
        |character: char| character.is_alphanumeric() || matches!(character, '.' | '/' | ':' | '_' | '-' | '@');
    let mut at = 0;
    for word in text.split(|character| !part_of_path(character)) {
        let from = at;
        at += word.len();
        at += text[at..].chars().next().map_or(0, char::len_utf8);
        if word.is_ascii() || !word.contains(['/', '.']) || word.len() > TARGET {
            continue;
        }
        let mixed = word
            .split(['/', '.', '-', '_', ':', '@'])
            .any(|part| part.contains(|c: char| c.is_ascii_alphabetic()) && part.contains(looks_latin));
        let alien_host = word.split_once("://").is_some_and(|(_, rest)| host(rest).contains(looks_latin));
        if mixed || alien_host {
            report.add("mixed-script", from, from + word.len(), || {
                format!("A path or link mixes letters that look alike: {}", short(word))
            });
        }
    }
}

fn gaps(text: &str, report: &mut Report<'_, '_>) {
    let (mut start, mut blank, mut at) = (0, 0_usize, 0);
    for line in text.split_inclusive('\n') {
        if line.trim().is_empty() {
            if blank == 0 {
                start = at;
            }
            blank += 1;
        } else {
            if blank >= BLANK_LINES {
                report.add("long-gap", start, at, || format!("{blank} blank lines with more text below them."));
            }
            blank = 0;
            if let Some((from, to)) = wide(line) {
                report.add("long-gap", at + from, at + to, || {
                    "Text far to the right of a long run of blanks.".to_owned()
                });
            }
        }
        at += line.len();
    }
}

/// The first run of blanks inside a line that pushes its text out of sight.
fn wide(line: &str) -> Option<(usize, usize)> {
    let (mut start, mut count) = (0, 0);
    for (at, character) in line.trim_end().char_indices() {
        if character.is_whitespace() {
            if count == 0 {
                start = at;
            }
            count += 1;
        } else {
            if count >= BLANKS {
                return Some((start, at));
            }
            count = 0;
        }
    }
    None
}
