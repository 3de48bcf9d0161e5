//! Several handoffs in one file: a log, newest or oldest first, or the same document twice.

use super::blocks::{Block, blocks};
use crate::constant::pattern;
use crate::headings::{Field, classify, normalise};
use crate::source::Source;
use crate::{Entry, Finding, Severity, dates};
use regex::Regex;
use std::ops::Range;
use std::sync::LazyLock;

/// A part of the file that is a handoff of its own.
pub(crate) struct Part {
    pub heading: String,
    pub range: Range<usize>,
    pub at: Option<String>,
}

/// The parts, and which one is shown.
pub(crate) struct Split {
    pub entries: Vec<Part>,
    pub shown: usize,
    twice: bool,
    /// Whether the days of the entries can be read in two ways that name different entries as the newest.
    either_order: bool,
    /// The blocks of the body, when it is one entry.
    pub blocks: Option<Vec<Block>>,
}

/// Cuts the body into entries; one entry when it is one handoff.
pub(crate) fn split(text: &str, body: Range<usize>) -> Split {
    let blocks = blocks(text, body.clone());
    let headings: Vec<(u8, String, Range<usize>)> = blocks
        .iter()
        .filter_map(|block| match block {
            Block::Heading { level, text, range } => Some((*level, text.clone(), range.clone())),
            _ => None,
        })
        .collect();
    let firsts: Vec<&(u8, String, Range<usize>)> = headings.iter().filter(|(level, ..)| *level == 1).collect();
    let same_title = firsts.first().is_some_and(|(_, title, _)| {
        let key = |title: &str| (normalise(title), dates::find(title), number(title));
        firsts.iter().filter(|(_, other, _)| key(other) == key(title)).count() >= 2
    });
    let mut starts: Vec<(usize, String)> = Vec::new();
    if same_title {
        starts = firsts.iter().map(|(_, heading, range)| (range.start, heading.clone())).collect();
    } else {
        let level = entry_level(&headings);
        for (index, (_, heading, range)) in headings.iter().enumerate() {
            if level.is_some_and(|level| is_entry(&headings, index, level)) {
                let start = match index.checked_sub(1).and_then(|before| headings.get(before)) {
                    Some((1, _, above)) if text[above.end..range.start].trim().is_empty() => above.start,
                    _ => range.start,
                };
                starts.push((start, heading.clone()));
            }
        }
    }
    if starts.len() < 2 {
        let heading = headings.first().map(|(_, heading, _)| heading.clone()).unwrap_or_default();
        let at = dates::find(&heading);
        return Split {
            entries: vec![Part { at, heading, range: body }],
            shown: 0,
            twice: false,
            either_order: false,
            blocks: Some(blocks),
        };
    }
    let mut entries = Vec::new();
    for (index, (start, heading)) in starts.iter().enumerate() {
        let from = if index == 0 { body.start } else { *start };
        let to = starts.get(index + 1).map_or(body.end, |(next, _)| *next);
        let at = dates::find(heading).or_else(|| {
            text[from..to].lines().take(6).filter(|_| dates::either_day(heading).is_none()).find_map(dates::find)
        });
        entries.push(Part { heading: heading.clone(), range: from..to, at });
    }
    let (order, either_order) = settle_days(&mut entries);
    // Of two entries of one day, the one further down is newer when the file grows downwards.
    let ascending = order.first() < order.last();
    let mut shown = 0;
    for (index, entry) in entries.iter().enumerate() {
        let best: &Part = &entries[shown];
        let later = match order[index].cmp(&order[shown]) {
            std::cmp::Ordering::Equal => match (number(&entry.heading), number(&best.heading)) {
                (Some(one), Some(other)) => one > other,
                _ if turn(&best.heading) == Some(Turn::Before) => turn(&entry.heading) == Some(Turn::Latest),
                _ => ascending && order[index].is_some(),
            },
            order => order.is_gt(),
        };
        if later {
            shown = index;
        }
    }
    Split { entries, shown, twice: same_title, either_order, blocks: None }
}

/// Gives `9/1/2026` its day where the other headings of the log tell whether the day or the month stands first: one
/// of them has a number above twelve, or only one way puts the entries in order. Returns the days to order them by, and
/// whether nothing tells and the other way has another newest entry.
fn settle_days(entries: &mut [Part]) -> (Vec<Option<String>>, bool) {
    let days: Vec<Option<dates::EitherDay>> = entries.iter().map(|entry| dates::either_day(&entry.heading)).collect();
    if !entries.iter().zip(&days).any(|(entry, day)| entry.at.is_none() && day.is_some()) {
        return (entries.iter().map(|entry| entry.at.clone()).collect(), false);
    }
    let read = |day_first: bool| -> Vec<Option<&String>> {
        days.iter()
            .map(|day| {
                day.as_ref().and_then(|day| if day_first { day.day_first.as_ref() } else { day.month_first.as_ref() })
            })
            .collect()
    };
    let whole = |order: &[Option<&String>]| order.iter().zip(&days).all(|(at, day)| at.is_some() || day.is_none());
    let sorted = |order: &[Option<&String>]| {
        let known: Vec<&&String> = order.iter().flatten().collect();
        known.windows(2).all(|pair| pair[0] <= pair[1]) || known.windows(2).all(|pair| pair[0] >= pair[1])
    };
    let newest =
        |order: &[Option<&String>]| (0..order.len()).rev().max_by(|one, other| order[*one].cmp(&order[*other]));
    let (by_day, by_month) = (read(true), read(false));
    let day_first = match (whole(&by_day), whole(&by_month), sorted(&by_day), sorted(&by_month)) {
        (true, false, ..) | (true, true, true, false) => Some(true),
        (false, true, ..) | (true, true, false, true) => Some(false),
        _ => None,
    };
    let uncertain = day_first.is_none() && newest(&by_day) != newest(&by_month);
    let read = if day_first == Some(false) { by_month } else { by_day };
    let order: Vec<Option<String>> =
        entries.iter().zip(read).map(|(entry, at)| entry.at.clone().or_else(|| at.cloned())).collect();
    if day_first.is_some() {
        for (entry, at) in entries.iter_mut().zip(&order) {
            entry.at.clone_from(at);
        }
    }
    (order, uncertain)
}

/// The level of the headings that begin an entry: the highest one with two or more of them.
fn entry_level(headings: &[(u8, String, Range<usize>)]) -> Option<u8> {
    (1..=3).find(|level| (0..headings.len()).filter(|index| is_entry(headings, *index, *level)).count() >= 2)
}

/// A heading of a level that begins an entry and stands below no field: a day below "Decisions" is none.
fn is_entry(headings: &[(u8, String, Range<usize>)], index: usize, level: u8) -> bool {
    let Some((own, heading, _)) = headings.get(index) else { return false };
    let parted = headings.get(index + 1).is_some_and(|(below, ..)| below > own);
    if *own != level || !(is_entry_heading(heading) || parted && turn(heading).is_some()) {
        return false;
    }
    let above = headings[..index].iter().rev().find(|(above, ..)| *above < level);
    above.is_none_or(|(above, name, _)| *above == 1 || names_no_field(name))
}

/// A dated or counted heading that names no field: `## Latest: 2026-09-03 18:10`, `## Session 12`.
fn is_entry_heading(heading: &str) -> bool {
    let dated = dates::find(heading).is_some() || dates::either_day(heading).is_some();
    (dated || number(heading).is_some()) && names_no_field(heading) && !amends(heading)
}

/// Which of several an entry without a date says that it is.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Turn {
    Latest,
    Before,
}

/// `## Latest session (overrides everything below)`, `## Previous session`.
fn turn(heading: &str) -> Option<Turn> {
    let name = normalise(heading);
    let begins = |words: &[&str]| words.iter().any(|word| name.starts_with(word)) && names_no_field(heading);
    if begins(&["latest", "newest", "current session", "最新", "今回", "本次会话", "최신"]) {
        return Some(Turn::Latest);
    }
    begins(&[
        "previous session",
        "earlier session",
        "older session",
        "last session",
        "前回",
        "上一次",
        "上次",
        "이전 세션",
    ])
    .then_some(Turn::Before)
}

/// A heading that adds to the handoff above it: what that one says still holds.
fn amends(heading: &str) -> bool {
    let name = normalise(heading);
    ["update", "addendum", "session auto-summary", "nachtrag", "追記", "补充", "추가", "дополнение"]
        .iter()
        .any(|word| name.starts_with(word))
}

fn names_no_field(heading: &str) -> bool {
    classify(heading).iter().all(|field| matches!(field, Field::Provenance))
}

static COUNTED: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"(?i)^\W*(?:(?:session|handoff|hand-off|handover|entry|セッション|引き継ぎ|会话|세션)\s*#?\s*(\d{1,4})\b|第\s*(\d{1,4})\s*[回次])",
    )
});

/// The number of a session or handoff in its heading.
fn number(heading: &str) -> Option<u32> {
    let found = COUNTED.captures(heading)?;
    found.get(1).or(found.get(2))?.as_str().parse().ok()
}

impl Split {
    /// What there is to say about several entries.
    pub(crate) fn findings(&self, source: &Source<'_>, entries: &[Entry]) -> Vec<Finding> {
        let mut findings = Vec::new();
        if self.entries.len() < 2 {
            return findings;
        }
        let (code, message) = if self.twice {
            (
                "document-twice",
                format!(
                    "The same document stands here {} times. One is shown, the others are folded.",
                    self.entries.len()
                ),
            )
        } else {
            (
                "several-handoffs-in-one-file",
                format!("This file holds {} handoffs. The newest is shown, the others are folded.", self.entries.len()),
            )
        };
        let second = &self.entries[1].range;
        findings.push(Finding::new(Severity::Info, code, message).at(source.span(second.start, second.end)));
        if self.either_order {
            let message = "The days of these entries can be read with the day or with the month in front. They were read \
                           with the day in front; the other way another entry is the newest.";
            let first = &self.entries[0].range;
            findings.push(
                Finding::new(Severity::Warning, "days-read-either-way", message)
                    .at(source.span(first.start, second.start)),
            );
        }
        if self.twice {
            let head = |entry: &Entry| {
                entry.handoff.trees.first().and_then(|tree| tree.head.as_ref().map(|head| head.text.clone()))
            };
            let differ =
                entries.windows(2).any(|pair| head(&pair[0]) != head(&pair[1]) || texts(&pair[0]) != texts(&pair[1]));
            if differ {
                findings.push(
                    Finding::new(
                        Severity::Warning,
                        "contradiction",
                        "The two copies of this document say different things. Neither was chosen for you.",
                    )
                    .at(source.span(second.start, second.end)),
                );
            }
        }
        findings
    }
}

fn texts(entry: &Entry) -> Vec<String> {
    entry.handoff.next.iter().map(|item| item.text.clone()).collect()
}
