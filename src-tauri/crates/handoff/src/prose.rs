//! Rules and rejected options that hide in sentences. Found ones are marked and shown apart from those that stand
//! under a heading. Negatives about data ("never null", "do not treat as zero") are no rules about what may be done.

use crate::source::Source;
use crate::{Found, Handoff, Item, Rejected, Span};
use regex::Regex;
use std::ops::Range;
use std::sync::LazyLock;

// OK because the patterns are constants that the tests compile.
fn regex(pattern: &str) -> Regex {
    Regex::new(pattern).unwrap_or_else(|error| panic!("{pattern}: {error}"))
}

const ACTS: &str = "touch|push|force|merge|deploy|delete|commit|edit|modify|rebase|release|publish|overwrite|restart|reset|revert|drop|remove|rename|migrate|install|upgrade|run|send|share|enable|disable|rotate|amend|squash|stash|checkout|open a (?:pr|pull)|change (?:the|any|anything)";

static NEVER: LazyLock<Regex> = LazyLock::new(|| {
    regex(&format!(
        r"(?i)(?:\b(?:do not|don't|never|must not|mustn't|should not|not allowed to)\s+(?:ever\s+)?(?:{ACTS})\b|触ら(?:ない|ず)|しないこと|禁止|变更禁止|不要(?:动|改|碰|提交|推送|删除|合并)|请勿|勿(?:动|改|删)|금지|하지 ?(?:말|마)|не трогать|не пушить|ne pas (?:toucher|modifier|pousser)|no tocar|nicht anfassen|non toccare|não (?:mexer|tocar))"
    ))
});
static ASK: LazyLock<Regex> = LazyLock::new(|| {
    regex(r"(?i)(?:\bask (?:me |the user |first |us )?before\b|\bwithout (?:explicit |prior |my |the user's |human |written )?(?:approval|permission|asking|review|confirmation|consent)\b|\b(?:needs|requires|require|need) (?:explicit |human |my |user |manual )?(?:approval|permission|sign-off)\b|要承認|承認(?:が必要|なしに)|确认后|需要?(?:人工)?(?:确认|批准)|승인 ?(?:없이|필요)|nur nach Rücksprache|sur approbation|без согласования)")
});
static REJECTED: LazyLock<Regex> = LazyLock::new(|| {
    regex(r"(?i)(?:\btried\b[^.\n]{3,120}\b(?:failed|did(?: not|n't) work|broke|reverted)\b|\b(?:was|were|got) (?:reverted|abandoned|rejected|rolled back)\b|\brejected (?:because|in favou?r)\b|却下した|見送った|否决了|已放弃|폐기했)")
});

/// Looks through the entry's lines and adds what is found to `safety` and `rejected`.
pub(crate) fn collect(source: &Source<'_>, range: Range<usize>, handoff: &mut Handoff) {
    let text = source.text.as_str();
    let mut fenced = false;
    let mut at = range.start;
    while at < range.end {
        let end = crate::formats::front_matter::line_end(text, at).min(range.end);
        let line = text[at..end].trim_end();
        let trimmed = line.trim_start();
        if trimmed.starts_with("```") || trimmed.starts_with("~~~") {
            fenced = !fenced;
        }
        if !fenced && !trimmed.starts_with('#') && !trimmed.starts_with('|') && line.len() < 4_000 {
            for (from, sentence) in sentences(line) {
                let span = source.span(at + from, at + from + sentence.len());
                one(sentence, span, handoff);
            }
        }
        at = end;
    }
}

/// Adds what one sentence says. Used for JSON and YAML values too.
pub(crate) fn one(sentence: &str, span: Span, handoff: &mut Handoff) {
    let in_safety = |handoff: &Handoff| {
        let lists = handoff.safety.may.iter().chain(&handoff.safety.ask).chain(&handoff.safety.never);
        lists.filter_map(|item| item.span).any(|place| overlaps(place, span))
    };
    let item = || Item { text: sentence.trim().to_owned(), span: Some(span), found: Found::Prose, ..Item::default() };
    if ASK.is_match(sentence) {
        if !in_safety(handoff) {
            handoff.safety.ask.push(item());
        }
    } else if NEVER.is_match(sentence) && !in_safety(handoff) {
        handoff.safety.never.push(item());
    }
    if REJECTED.is_match(sentence) && !handoff.rejected.iter().filter_map(|item| item.span).any(|place| overlaps(place, span)) {
        let (what, why) = crate::formats::markdown::split_reason(sentence.trim());
        handoff.rejected.push(Rejected { what, why, span: Some(span), found: Found::Prose });
    }
}

fn overlaps(one: Span, other: Span) -> bool {
    one.from < other.to && other.from < one.to
}

/// Sentences of a line with the byte at which each begins; list markers and check boxes are left out.
fn sentences(line: &str) -> Vec<(usize, &str)> {
    let bare = line.trim_start_matches(|character: char| character.is_whitespace() || matches!(character, '-' | '*' | '+' | '>'));
    let mut from = line.len() - bare.len();
    let mut found = Vec::new();
    let mut rest = bare;
    while !rest.is_empty() {
        let cut = rest
            .char_indices()
            .find(|(at, character)| {
                matches!(character, '。' | '！') || (matches!(character, '.' | ';') && rest[at + character.len_utf8()..].starts_with(' '))
            })
            .map_or(rest.len(), |(at, character)| at + character.len_utf8());
        let sentence = &rest[..cut];
        let lead = sentence.len() - sentence.trim_start().len();
        if !sentence.trim().is_empty() {
            found.push((from + lead, sentence.trim()));
        }
        from += cut;
        rest = &rest[cut..];
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rules_are_told_from_statements_about_data() {
        for rule in ["Do not push to main", "Never force-push.", "触らないこと", "不要提交", "Do not touch the fog horn"] {
            assert!(NEVER.is_match(rule), "{rule}");
        }
        for other in ["The column is never null", "Do not treat them as zero.", "It never returns early", "does not push back"] {
            assert!(!NEVER.is_match(other), "{other}");
        }
        for ask in ["Ask before touching the calibration table", "not without approval", "needs human approval"] {
            assert!(ASK.is_match(ask), "{ask}");
        }
    }
}
