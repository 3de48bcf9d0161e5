//! The parts of a decision or a rejected option: its date, its reason, what else was considered.

use super::items::is_none;
use crate::headings::normalise;
use crate::{Decision, dates};

/// What a nested line of a decision gives.
pub(super) enum Part {
    Why,
    Alternatives,
}

/// A nested `Reason: …` or `Alternatives: …`.
pub(super) fn labelled(text: &str) -> Option<(Part, &str)> {
    let colon = text.find([':', '：'])?;
    let name = normalise(&text[..colon]);
    let value = text[colon..].trim_start_matches([':', '：', '*', ' ']).trim();
    if [
        "reason",
        "rationale",
        "why",
        "because",
        "理由",
        "原因",
        "根拠",
        "이유",
        "grund",
        "motivo",
        "raison",
        "failed because",
    ]
    .contains(&name.as_str())
    {
        return Some((Part::Why, value));
    }
    let others = name.contains("alternative")
        || name.contains("considered")
        || ["代替案", "备选", "替代方案", "대안"].contains(&name.as_str());
    others.then_some((Part::Alternatives, value))
}

/// A sentence below a decision that begins with its reason.
pub(super) fn because(text: &str) -> Option<(Part, &str)> {
    let rest =
        ["Because ", "because ", "Since ", "since ", "Reason: "].iter().find_map(|word| text.strip_prefix(word))?;
    Some((Part::Why, rest))
}

/// The text without emphasis or strike-through around all of it.
pub(super) fn bare(text: &str) -> String {
    let mut inner = text.trim();
    for mark in ["~~", "**", "__", "*"] {
        if let Some(plain) =
            inner.strip_prefix(mark).and_then(|rest| rest.strip_suffix(mark)).filter(|plain| !plain.contains(mark))
        {
            inner = plain.trim();
        }
    }
    inner.to_owned()
}

pub(super) fn decision_cells(cells: &[(String, String)], decision: &mut Decision) {
    let named = |words: &[&str]| {
        cells
            .iter()
            .find(|(name, _)| words.iter().any(|word| name.contains(word)))
            .map(|(_, cell)| cell.trim().to_owned())
    };
    let why = named(&["reason", "why", "rationale", "because", "理由", "原因", "이유", "grund"]);
    let what = named(&["decision", "what", "choice", "決定", "决策", "决定", "결정"]);
    decision.alternatives = named(&["alternative", "considered"]).map(|cell| split_list(&cell)).unwrap_or_default();
    if let Some(what) = what {
        decision.what = what;
    }
    if why.is_some() {
        decision.why = why.filter(|why| !is_none(why));
    }
}

pub(super) fn split_list(text: &str) -> Vec<String> {
    let parts: Vec<&str> = if text.contains([';', '；']) {
        text.split([';', '；']).collect()
    } else {
        text.split([',', '、']).collect()
    };
    parts.into_iter().map(str::trim).filter(|part| !is_none(part)).map(str::to_owned).collect()
}

pub(super) fn join(before: Option<String>, more: &str) -> String {
    match before {
        Some(before) => format!("{before}; {more}"),
        None => more.to_owned(),
    }
}

/// The date in front of a decision.
pub(super) fn dated(text: &str) -> (Option<String>, String) {
    let bare = text.trim_start_matches(['*', '[', '(']);
    let Some(day) = day_at(bare) else { return dated_behind(text) };
    let rest = bare[10..].trim_start_matches(['*', ']', ')', ':', '：', ' ', '-', '—', '–']);
    if rest.is_empty() {
        return (None, text.to_owned());
    }
    // The emphasis may reach further than the date.
    let open = text.starts_with("**") && !bare[10..].starts_with("**") && rest.contains("**");
    (Some(day.to_owned()), if open { format!("**{rest}") } else { rest.to_owned() })
}

fn day_at(text: &str) -> Option<&str> {
    text.get(..10).filter(|day| day.starts_with("20") && dates::find(day).as_deref() == Some(*day))
}

/// `Sync once a day (2026-07-10): …`: the bracket behind what was decided says when.
fn dated_behind(text: &str) -> (Option<String>, String) {
    let found = text.match_indices(['(', '（', '[']).find_map(|(at, mark)| {
        let inner = &text[at + mark.len()..];
        let day = day_at(inner)?;
        let rest = inner[10..].strip_prefix([')', '）', ']'])?;
        (at > 0).then(|| (day.to_owned(), format!("{}{rest}", text[..at].trim_end())))
    });
    found.map_or_else(|| (None, text.to_owned()), |(day, rest)| (Some(day), rest))
}

/// `… Alternatives: a, b.` at the end of a decision.
pub(super) fn alternatives_behind(text: &str) -> (&str, Vec<String>) {
    for name in ["Alternatives considered:", "Alternatives:", "Alternative:", "代替案：", "代替案:", "备选：", "备选:"]
    {
        if let Some((before, list)) = text.split_once(name) {
            let before = before.trim_end().trim_end_matches(['(', '（', ';', '；']).trim_end();
            if !before.is_empty() {
                return (before, split_list(list.trim().trim_end_matches(['.', ')', '）', '。'])));
            }
        }
    }
    (text, Vec::new())
}

/// `**Redis over Postgres**: we need TTL` and `Use UUIDv7 — sortable`: what stands behind is the reason.
pub(super) fn split_emphasis(text: &str) -> (String, Option<String>) {
    let bold = text.strip_prefix("**").and_then(|rest| rest.split_once("**"));
    let marks = [':', '：', '-', '—', '–', '.', ' '];
    let split = match bold {
        Some((what, rest)) => Some((what.trim_end_matches(marks), rest.trim_start_matches(marks))),
        None => text.split_once(" — ").or_else(|| text.split_once(" – ")),
    };
    match split {
        Some((what, why)) if what.trim().contains(' ') && !why.trim().is_empty() => {
            (what.trim().to_owned(), Some(why.trim().to_owned()))
        }
        _ => (text.to_owned(), None),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates_alternatives_and_reasons_are_told_apart() {
        let day = |day: &str| Some(day.to_owned());
        assert_eq!(dated("2026-05-01: Use UUIDs"), (day("2026-05-01"), "Use UUIDs".to_owned()));
        assert_eq!(dated("**2026-05-01 — A.** B"), (day("2026-05-01"), "**A.** B".to_owned()));
        assert_eq!(dated("Sync daily (2026-05-01): x"), (day("2026-05-01"), "Sync daily: x".to_owned()));
        assert_eq!(alternatives_behind("Redis. Alternatives: a, b."), ("Redis.", vec!["a".to_owned(), "b".to_owned()]));
        let (what, why) = split_emphasis("**Redis over Postgres**: we need TTL");
        assert_eq!((what.as_str(), why.as_deref()), ("Redis over Postgres", Some("we need TTL")));
        assert_eq!(split_emphasis("**Storage**: SQLite").1, None);
    }
}
