//! What a person would not see: hidden and confusing characters, comments, forged frames. A warning for the person,
//! no filter: the control is what the executor may do. Characters are here; marks and words are in `markup`.

mod markup;

use crate::source::Source;
use crate::{Finding, Severity, Span};
use std::collections::BTreeMap;

/// Places of one kind that are listed one by one; the rest is counted.
const LISTED: usize = 100;
/// Hidden characters of a run that a message spells out.
const SPELLED: usize = 120;

/// A piece of text as it can be drawn.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Segment {
    /// The text, or the name of what cannot be drawn, such as `U+202E`.
    pub text: String,
    /// Whether this names something that cannot be drawn.
    pub hidden: bool,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Control,
    Invisible,
    Bidi,
    Tag,
}

/// Characters behind a mark of direction in which the letter that it is for may stand.
const NEAR: usize = 16;

/// Flags that are written with tag characters and belong to ordinary text: England, Scotland, Wales.
const TAGGED_FLAGS: [&str; 3] = [
    "\u{1f3f4}\u{e0067}\u{e0062}\u{e0065}\u{e006e}\u{e0067}\u{e007f}",
    "\u{1f3f4}\u{e0067}\u{e0062}\u{e0073}\u{e0063}\u{e0074}\u{e007f}",
    "\u{1f3f4}\u{e0067}\u{e0062}\u{e0077}\u{e006c}\u{e0073}\u{e007f}",
];

/// Every character with its byte and what makes it invisible, if something does.
fn characters(text: &str) -> impl Iterator<Item = (usize, char, Option<Kind>)> + '_ {
    let mut before = None;
    // Whether the last letter runs leftwards: a mark of direction behind a sign or a blank belongs to it.
    let mut leftwards = false;
    let mut flag_end = 0;
    let mut rest = text.char_indices().peekable();
    std::iter::from_fn(move || {
        let (at, character) = rest.next()?;
        if character == '\u{1f3f4}'
            && let Some(flag) = TAGGED_FLAGS.iter().find(|flag| text[at..].starts_with(**flag))
        {
            flag_end = at + flag.len();
        }
        let found = if at < flag_end { None } else { kind(before, character, rest.peek().map(|(_, next)| *next)) };
        let mark = matches!(character, '\u{61c}' | '\u{200e}' | '\u{200f}');
        let among_leftward =
            || leftwards || text[at..].chars().take(NEAR).find(|c| c.is_alphabetic()).is_some_and(runs_leftwards);
        let found = found.filter(|_| !(mark && among_leftward()));
        if character.is_alphabetic() || character == '\n' {
            leftwards = runs_leftwards(character);
        }
        before = Some(character);
        Some((at, character, found))
    })
}

/// What kind of invisible a character is, given its neighbours.
fn kind(before: Option<char>, character: char, after: Option<char>) -> Option<Kind> {
    let between = |test: fn(char) -> bool| before.is_some_and(test) && after.is_some_and(test);
    let beside = |test: fn(char) -> bool| before.is_some_and(test) || after.is_some_and(test);
    let (kind, ordinary) = match character {
        '\n' | '\t' => return None,
        // A carriage return before a line feed is a line end.
        '\r' => (Kind::Control, after == Some('\n')),
        '\0'..='\u{1f}' | '\u{7f}'..='\u{9f}' => (Kind::Control, false),
        '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' => (Kind::Bidi, false),
        '\u{61c}' | '\u{200e}' | '\u{200f}' => (Kind::Bidi, beside(runs_leftwards)),
        '\u{e0000}'..='\u{e007f}' => (Kind::Tag, false),
        // Joiners are ordinary inside emoji and inside words of scripts that join.
        '\u{200d}' => {
            (Kind::Invisible, before.is_some_and(|before| is_emoji(before) || is_virama(before)) || between(joins))
        }
        '\u{200c}' => (Kind::Invisible, before.is_some_and(is_virama) || between(joins)),
        '\u{200b}' | '\u{2060}' => (Kind::Invisible, between(has_no_blanks)),
        '\u{2800}' => (Kind::Invisible, beside(is_braille)),
        // One selector chooses a form; a second one behind it carries something else.
        '\u{fe00}'..='\u{fe0f}' => {
            let takes_form = |before| before != '\u{fe0f}' && (is_emoji(before) || is_east_asian(before));
            (Kind::Invisible, before.is_some_and(takes_form))
        }
        '\u{e0100}'..='\u{e01ef}' => (Kind::Invisible, before.is_some_and(is_ideograph)),
        '\u{180b}'..='\u{180f}' => {
            (Kind::Invisible, before.is_some_and(|before| matches!(before, '\u{1800}'..='\u{18af}')))
        }
        '\u{ad}'
        | '\u{34f}'
        | '\u{115f}'
        | '\u{1160}'
        | '\u{17b4}'
        | '\u{17b5}'
        | '\u{2028}'
        | '\u{2029}'
        | '\u{2061}'..='\u{2065}'
        | '\u{206a}'..='\u{206f}'
        | '\u{3164}'
        | '\u{ffa0}'
        | '\u{feff}'
        | '\u{fff0}'..='\u{fffb}'
        | '\u{1d173}'..='\u{1d17a}'
        | '\u{e0080}'..='\u{e00ff}'
        | '\u{e01f0}'..='\u{e0fff}' => (Kind::Invisible, false),
        _ => return None,
    };
    (!ordinary).then_some(kind)
}

fn is_emoji(character: char) -> bool {
    matches!(character, '\u{1f000}'..='\u{1faff}' | '\u{2190}'..='\u{2bff}' | '\u{fe0f}' | '#' | '*' | '0'..='9' | '©' | '®' | '‼' | '⁉' | '™' | 'ℹ' | '〰' | '〽' | '㊗' | '㊙')
}

fn is_east_asian(character: char) -> bool {
    matches!(character, '\u{2e80}'..='\u{9fff}' | '\u{f900}'..='\u{faff}' | '\u{ff00}'..='\u{ff60}' | '\u{20000}'..='\u{3ffff}')
}

fn is_ideograph(character: char) -> bool {
    matches!(character, '〆' | '々' | '〇' | '\u{3400}'..='\u{4dbf}' | '\u{4e00}'..='\u{9fff}' | '\u{f900}'..='\u{faff}' | '\u{20000}'..='\u{3ffff}')
}

fn is_braille(character: char) -> bool {
    matches!(character, '\u{2801}'..='\u{28ff}')
}

/// Arabic, Syriac, the scripts of India, Myanmar and Khmer.
fn joins(character: char) -> bool {
    matches!(character, '\u{600}'..='\u{8ff}' | '\u{900}'..='\u{dff}' | '\u{1000}'..='\u{109f}' | '\u{1780}'..='\u{17ff}' | '\u{fb50}'..='\u{fefc}')
}

/// The sign of India's scripts that takes a letter's vowel: a joiner behind it chooses the form, at the word's end too.
fn is_virama(character: char) -> bool {
    matches!(
        character,
        '\u{94d}'
            | '\u{9cd}'
            | '\u{a4d}'
            | '\u{acd}'
            | '\u{b4d}'
            | '\u{bcd}'
            | '\u{c4d}'
            | '\u{ccd}'
            | '\u{d4d}'
            | '\u{dca}'
    )
}

/// Thai, Lao, Tibetan, Myanmar and Khmer mark where a line may break.
fn has_no_blanks(character: char) -> bool {
    matches!(character, '\u{e00}'..='\u{fff}' | '\u{1000}'..='\u{109f}' | '\u{1780}'..='\u{17ff}')
}

fn runs_leftwards(character: char) -> bool {
    matches!(character, '\u{590}'..='\u{8ff}' | '\u{fb1d}'..='\u{fdff}' | '\u{fe70}'..='\u{fefc}')
}

/// Cuts a text into what can be drawn and named marks for the rest.
pub fn visible(text: &str) -> Vec<Segment> {
    let mut segments: Vec<Segment> = Vec::new();
    let mut plain = String::new();
    for (_, character, found) in characters(text) {
        if found.is_none() {
            plain.push(character);
            continue;
        }
        if !plain.is_empty() {
            segments.push(Segment { text: std::mem::take(&mut plain), hidden: false });
        }
        segments.push(Segment { text: name(character), hidden: true });
    }
    if !plain.is_empty() {
        segments.push(Segment { text: plain, hidden: false });
    }
    segments
}

fn name(character: char) -> String {
    format!("U+{:04X}", u32::from(character))
}

/// The text with every invisible character named in square brackets: safe to print in a terminal.
pub fn visible_text(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for (_, character, found) in characters(text) {
        match (found, character) {
            (Some(_), _) => out.push_str(&format!("[{}]", name(character))),
            (None, '\r') => {}
            (None, _) => out.push(character),
        }
    }
    out
}

/// The start of a text on one line, safe to print.
fn short(text: &str) -> String {
    let start: String = text.chars().take(400).collect();
    let shown = visible_text(&start).split_whitespace().collect::<Vec<_>>().join(" ");
    if shown.chars().count() <= 120 { shown } else { shown.chars().take(120).chain(['…']).collect() }
}

/// Scans the raw bytes for what a person would not see or would misread. Ranges count raw bytes; a byte-order mark
/// at the start, joiners in emoji and in scripts that join, and line ends are ordinary.
pub fn hidden(bytes: &[u8]) -> Vec<Finding> {
    let source = Source::new(bytes, "");
    let mut report = Report { source: &source, findings: Vec::new(), counts: BTreeMap::new() };
    runs(&mut report);
    markup::scan(&source.text, &mut report);
    let mut findings = report.finish();
    findings.extend(source.findings().into_iter().filter(|finding| finding.code == "invalid-utf8"));
    findings.sort_by_key(|finding| finding.span.map_or(usize::MAX, |span: Span| span.from));
    findings
}

/// Collects findings and stops listing where a file holds too many of one kind.
struct Report<'a, 'b> {
    source: &'a Source<'b>,
    findings: Vec<Finding>,
    counts: BTreeMap<&'static str, usize>,
}

impl Report<'_, '_> {
    fn add(&mut self, code: &'static str, from: usize, to: usize, message: impl FnOnce() -> String) {
        let count = self.counts.entry(code).or_default();
        *count += 1;
        if *count <= LISTED {
            self.findings.push(Finding::new(Severity::Warning, code, message()).at(self.source.span(from, to)));
        }
    }

    fn finish(mut self) -> Vec<Finding> {
        for (code, count) in self.counts.into_iter().filter(|(_, count)| *count > LISTED) {
            let message = format!("{} more places like this are not listed.", count - LISTED);
            self.findings.push(Finding::new(Severity::Warning, code, message));
        }
        self.findings
    }
}

/// A run of invisible characters of one kind.
struct Run {
    kind: Kind,
    from: usize,
    to: usize,
    spelled: String,
    count: usize,
}

fn runs(report: &mut Report<'_, '_>) {
    let source = report.source;
    let mut open: Option<Run> = None;
    for (at, character, found) in characters(&source.text) {
        let Some(kind) = found else {
            close(&mut open, report);
            continue;
        };
        if open.as_ref().is_some_and(|run| run.kind != kind) {
            close(&mut open, report);
        }
        let run = open.get_or_insert(Run { kind, from: at, to: at, spelled: String::new(), count: 0 });
        run.to = at + character.len_utf8();
        run.count += 1;
        if run.count <= SPELLED {
            run.spelled.push_str(&spelled(kind, character));
        } else if run.count == SPELLED + 1 {
            run.spelled.push('…');
        }
    }
    close(&mut open, report);
}

fn spelled(kind: Kind, character: char) -> String {
    let tagged = || char::from_u32(u32::from(character).saturating_sub(0xe_0000)).filter(|plain| !plain.is_control());
    match kind {
        Kind::Tag => tagged().map(String::from).unwrap_or_default(),
        _ => format!("[{}]", name(character)),
    }
}

fn close(open: &mut Option<Run>, report: &mut Report<'_, '_>) {
    let Some(run) = open.take() else { return };
    let many =
        |one: &str, more: &str| if run.count == 1 { format!("One {one}") } else { format!("{} {more}", run.count) };
    let (code, what) = match run.kind {
        Kind::Control => ("control-characters", many("control character", "control characters")),
        Kind::Invisible => ("hidden-characters", many("invisible character", "invisible characters")),
        Kind::Bidi => (
            "bidi-override",
            many("character that turns the direction of text", "characters that turn the direction of text"),
        ),
        Kind::Tag => ("tag-characters", many("invisible tag character", "invisible tag characters")),
    };
    report.add(code, run.from, run.to, || match run.kind {
        Kind::Tag => format!("{what}, spelling: {}", run.spelled),
        _ => format!("{what}, shown as {}.", run.spelled),
    });
}
