//! A pointer: a document that sends its reader to another one. Followed inside the repository only, elsewhere.

use crate::formats::front_matter::line_end;
use crate::source::Source;
use crate::{Finding, Handoff, Severity, Text};
use regex::Regex;
use std::ops::Range;
use std::sync::LazyLock;

// OK because the pattern is a constant that the tests compile.
static POINTER: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"(?i)^(?:[-*>\d.\s]*)(?:first[, ]+)?(?:read|open|see|start (?:with|by reading)|continue (?:from|in)|まず|先に|请先(?:阅读|读)?|먼저)\s*`?([^\s`，、]+\.(?:md|markdown|json|ya?ml|txt))`?")
        .unwrap_or_else(|error| panic!("{error}"))
});

/// Whether a line sends the reader elsewhere before anything else.
pub(crate) fn is_pointer_line(line: &str) -> bool {
    POINTER.is_match(line.trim()) && emphatic(line)
}

fn emphatic(line: &str) -> bool {
    let lower = line.to_lowercase();
    ["first", "all of it", "completely", "before", "only then", "in full", "まず", "先", "먼저", "other file"].iter().any(|word| lower.contains(word))
}

/// Notes where the entry points, and says so.
pub(crate) fn collect(source: &Source<'_>, range: Range<usize>, handoff: &mut Handoff, findings: &mut Vec<Finding>) {
    let text = source.text.as_str();
    let mut at = range.start;
    while at < range.end {
        let end = line_end(text, at).min(range.end);
        let line = text[at..end].trim_end();
        if is_pointer_line(line) {
            if let Some(target) = POINTER.captures(line).and_then(|found| found.get(1)) {
                let span = source.span(at + target.start(), at + target.end());
                handoff.points_to.push(Text { text: target.as_str().to_owned(), span: Some(span) });
            }
        }
        at = end;
    }
    if let Some(target) = handoff.points_to.first() {
        let mut finding =
            Finding::new(Severity::Info, "points-to-another-file", format!("This document sends its reader to {}. Read that one too.", target.text));
        finding.span = target.span;
        findings.push(finding);
    }
}
