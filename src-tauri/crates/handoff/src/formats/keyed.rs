//! Documents of keys and values by other tools: which key is which field, whatever they are written in.

mod gather;
mod values;

use super::json_spans::{Kind, Node};
use crate::headings::{Field, normalise};
use crate::source::Source;
use crate::{Entry, Finding, Format, Handoff, Limits, Readable, Reading, Severity};
use gather::Keys;

/// Keys whose members are read as if they stood at the top.
const CONTAINERS: &[&str] = &[
    "handoff",
    "meta",
    "metadata",
    "session",
    "session info",
    "state",
    "context",
    "data",
    "payload",
    "provenance",
    "git",
    "git state",
    "repo state",
    "working tree",
    "current state",
    "content",
    "body",
    "document",
    "repository",
    "repo",
    "saved by",
    "written by",
    "created by",
    "limits",
    "boundary",
    "boundaries",
    "summary",
];

/// Words that many other documents use too: one of them proves nothing.
const WEAK: &[&str] = &[
    "project",
    "topic",
    "issue",
    "scope",
    "configuration",
    "dependencies",
    "requirements",
    "stack",
    "documentation",
    "spec",
    "related",
    "plan",
    "tests",
    "testing",
    "validation",
    "verification",
    "progress",
    "implementation",
    "reason",
    "commits",
    "references",
    "context",
    "environment",
    "title",
    "task",
    "tasks",
    "commands",
    "result",
    "results",
    "evidence",
    "immediate",
    "overview",
    "purpose",
];

/// How many keys of a handoff a document has: two or more make it one.
pub(crate) fn known_keys(node: &Node) -> usize {
    let (strong, weak) = count(node, 0);
    if strong > 0 { strong + weak.min(1) } else { 0 }
}

fn count(node: &Node, depth: usize) -> (usize, usize) {
    let mut strong = 0;
    let mut weak = 0;
    for (key, value) in node.members() {
        let name = plain(&key.name);
        if depth < 2 && CONTAINERS.contains(&name.as_str()) && matches!(value.kind, Kind::Object(_)) {
            let (inner_strong, inner_weak) = count(value, depth + 1);
            strong += inner_strong + usize::from(name == "handoff" && inner_weak > 0);
            weak += inner_weak;
        } else if gather::field_of(&key.name).is_some_and(|field| !matches!(field, Field::Provenance | Field::Tree)) {
            match says_something(value) {
                // One word such as `next` or `pending` is a program's key as often; two words are not.
                Some(words) if !WEAK.contains(&name.as_str()) && (words || name.contains(' ')) => strong += 1,
                Some(_) => weak += 1,
                None => {}
            }
        } else if matches!(name.as_str(), "branch" | "git commit" | "last commit") {
            weak += 1;
        }
    }
    (strong, weak)
}

/// Whether a value is words for people; none when it is a number, a switch or a moment, as programs keep them.
fn says_something(value: &Node) -> Option<bool> {
    match &value.kind {
        Kind::Null | Kind::Number(_) | Kind::Bool(_) => None,
        Kind::Array(items) => Some(items.iter().any(|item| says_something(item) == Some(true))),
        Kind::Object(members) => Some(members.iter().any(|(_, inner)| says_something(inner) == Some(true))),
        _ => {
            let text = value.scalar().unwrap_or_default();
            let moment = text.len() <= 40 && crate::dates::find(&text).is_some();
            (!moment).then(|| text.trim().contains(' ') || !text.is_ascii() || text.contains(['/', '.']))
        }
    }
}

/// A key as words: `snake_case` and `camelCase` are opened.
pub(crate) fn plain(key: &str) -> String {
    split_camel(key).map_or_else(|| normalise(key), |words| normalise(&words))
}

fn split_camel(key: &str) -> Option<String> {
    let mut out = String::new();
    let mut before_lower = false;
    for character in key.chars() {
        if character.is_uppercase() && before_lower {
            out.push(' ');
        }
        before_lower = character.is_lowercase();
        out.push(if matches!(character, '_' | '-') { ' ' } else { character });
    }
    (out != key).then_some(out)
}

/// Reads one member of a front matter when its key is a field with more than a word in it. Returns whether it was.
pub(crate) fn front_matter_member(source: &Source<'_>, range: std::ops::Range<usize>, handoff: &mut Handoff) -> bool {
    let Some((key, value)) = super::yaml::member(&source.text, range) else { return false };
    let content = matches!(value.kind, Kind::Array(_) | Kind::Object(_)) && !value.span.is_empty();
    let field = gather::field_of(&key.name)
        .filter(|field| !matches!(field, Field::Provenance | Field::Tree | Field::Objective));
    if !content || field.is_none() {
        return false;
    }
    let mut keys = Keys::new(source);
    keys.handoff = std::mem::take(handoff);
    keys.member(&key, &value, "");
    *handoff = keys.finish().0;
    true
}

/// Reads a document by its keys; a list of documents gives one entry each.
pub(crate) fn read(
    source: &Source<'_>,
    node: &Node,
    format: Format,
    mut findings: Vec<Finding>,
    _limits: &Limits,
) -> Reading {
    let documents: Vec<&Node> = match &node.kind {
        Kind::Array(items) if items.iter().any(|item| known_keys(item) >= 2) => {
            items.iter().filter(|item| known_keys(item) >= 2).collect()
        }
        _ => vec![node],
    };
    if documents.iter().all(|document| known_keys(document) < 2) {
        let reason = match known_keys(node) {
            0 => "It has no handoff key, such as next steps, done or decisions.",
            _ => "It has one handoff key; at least two are needed.",
        };
        return Reading {
            format,
            readable: Readable::NotAHandoff,
            reason: Some(reason.to_owned()),
            entries: Vec::new(),
            shown: 0,
            findings,
        };
    }
    let mut entries = Vec::new();
    for document in documents {
        let mut keys = Keys::new(source);
        keys.document(document);
        let (handoff, more) = keys.finish();
        findings.extend(more);
        entries.push(Entry {
            heading: handoff.title.as_ref().map(|title| title.text.clone()).unwrap_or_default(),
            span: if entries.is_empty() && matches!(node.kind, Kind::Object(_)) {
                source.span(0, source.text.len())
            } else {
                source.span(document.span.start, document.span.end)
            },
            at: handoff.provenance.written_at.clone(),
            handoff,
        });
    }
    let shown = (0..entries.len()).rev().max_by(|a, b| entries[*a].at.cmp(&entries[*b].at)).unwrap_or(0);
    if entries.len() > 1 {
        let message =
            format!("This file holds {} handoffs. The newest is shown, the others are folded.", entries.len());
        findings.push(Finding::new(Severity::Info, "several-handoffs-in-one-file", message));
    }
    let readable = if findings.iter().any(|finding| finding.severity >= Severity::Warning) {
        Readable::Partial
    } else {
        Readable::Full
    };
    Reading { format, readable, reason: None, entries, shown, findings }
}
