//! Several handoffs in one file: a log, newest or oldest first, or the same document twice.

use super::blocks::{Block, blocks};
use crate::headings::{Field, classify, normalise};
use crate::source::Source;
use crate::{Entry, Finding, Severity, dates};
use std::ops::Range;

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
}

/// Cuts the body into entries; one entry when it is one handoff.
pub(crate) fn split(text: &str, body: Range<usize>) -> Split {
    let headings: Vec<(u8, String, Range<usize>)> = blocks(text, body.clone())
        .into_iter()
        .filter_map(|block| match block {
            Block::Heading { level, text, range } => Some((level, text, range)),
            _ => None,
        })
        .collect();
    let firsts: Vec<&(u8, String, Range<usize>)> = headings.iter().filter(|(level, ..)| *level == 1).collect();
    let same_title = firsts.first().is_some_and(|(_, title, _)| {
        let title = normalise(title);
        firsts.iter().filter(|(_, other, _)| normalise(other) == title).count() >= 2
    });
    let mut starts: Vec<(usize, String)> = Vec::new();
    if same_title {
        starts = firsts.iter().map(|(_, heading, range)| (range.start, heading.clone())).collect();
    } else {
        for (index, (level, heading, range)) in headings.iter().enumerate() {
            if *level <= 3 && is_entry_heading(heading) {
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
        return Split { entries: vec![Part { at, heading, range: body }], shown: 0, twice: false };
    }
    let mut entries = Vec::new();
    for (index, (start, heading)) in starts.iter().enumerate() {
        let from = if index == 0 { body.start } else { *start };
        let to = starts.get(index + 1).map_or(body.end, |(next, _)| *next);
        let at = dates::find(heading).or_else(|| text[from..to].lines().take(6).find_map(dates::find));
        entries.push(Part { heading: heading.clone(), range: from..to, at });
    }
    let mut shown = 0;
    for (index, entry) in entries.iter().enumerate() {
        if entry.at > entries[shown].at {
            shown = index;
        }
    }
    Split { entries, shown, twice: same_title }
}

/// A dated heading that names no field: `## Latest: 2026-09-03 18:10`, `## Session 12 (2026-03-01)`.
fn is_entry_heading(heading: &str) -> bool {
    if dates::find(heading).is_none() {
        return false;
    }
    classify(heading).iter().all(|field| matches!(field, Field::Provenance))
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
