//! Handoff JSON, versions 1 and 2. An unknown version or an unknown key in a known version refuses the document:
//! a reader that drops a rule it does not know is worse than one that stops.

mod fields;

use super::json_spans::{JsonError, Kind, Node, completed, line_and_column, parse};
use super::{Reader, extension};
use crate::source::Source;
use crate::{Finding, Format, Handoff, Limits, Readable, Reading, Severity};
use fields::fields;
use std::ops::Range;

const VERSION_1: &[&str] = &[
    "version",
    "objective",
    "status",
    "constraints",
    "decisions",
    "rejected",
    "done",
    "next",
    "open",
    "artifacts",
    "provenance",
];
const VERSION_2: &[&str] = &["id", "title", "facts", "unverified", "hazards", "trees", "safety", "omitted", "extra"];

/// The reader of Handoff JSON.
pub(crate) struct HandoffJson;

impl Reader for HandoffJson {
    fn format(&self) -> Format {
        Format::HandoffJson
    }

    fn recognises(&self, source: &Source<'_>) -> bool {
        if !source.text.trim_start().starts_with('{') {
            return false;
        }
        match parse(&source.text) {
            Ok(node) => is_ours(&node),
            // A cut-off or broken document of ours still begins like one.
            Err(error) => {
                let head: String = source.text.chars().take(2_000).collect();
                let versioned = head.split("\"version\"").nth(1).is_some_and(|rest| {
                    rest.trim_start_matches([' ', ':', '\n', '\r', '\t']).starts_with(|c: char| c.is_ascii_digit())
                });
                versioned && (head.contains("\"objective\"") || (error.at_end && extension(source.name) == "json"))
            }
        }
    }

    fn read(&self, source: &Source<'_>, _limits: &Limits) -> Reading {
        match parse(&source.text) {
            Ok(node) => read_node(source, &node),
            Err(error) => broken(source, &error),
        }
    }
}

fn is_known(name: &str) -> bool {
    VERSION_1.contains(&name) || VERSION_2.contains(&name)
}

/// Whether it is meant to be ours: numbered and with our keys, or with no keys but ours. Other tools number their
/// documents too.
fn is_ours(node: &Node) -> bool {
    let numbered = matches!(node.get("version").map(|version| &version.kind), Some(Kind::Number(_)));
    let known = node.members().iter().filter(|(key, _)| is_known(&key.name)).count();
    let only_known = known >= 2 && known == node.members().len();
    let objective = node.get("objective").is_some();
    numbered && (objective || known >= 4 || only_known) || objective && only_known
}

/// What can be shown of a text that is no JSON: when it only ends early, everything before that.
fn broken(source: &Source<'_>, error: &JsonError) -> Reading {
    let (line, column) = line_and_column(&source.text, error.at);
    let message = format!("Line {line}, column {column}: {}.", error.message);
    let at = error.at.min(source.text.len());
    let (readable, code, reason) = if error.at_end {
        (Readable::Incomplete, "truncated", format!("The JSON ends early. {message}"))
    } else {
        (Readable::Refused, "not-json", format!("The file is no valid JSON. {message}"))
    };
    let finding = Finding::new(Severity::Error, code, reason.clone()).at(source.span(at, at));
    let rest = if error.at_end { completed(&source.text) } else { None };
    let mut handoff = Handoff::default();
    if let Some(node) = rest {
        handoff.version = node.get("version").and_then(Node::scalar).and_then(|version| version.parse().ok());
        fields(source, &node, &mut handoff, &mut Vec::new());
    }
    Reading::of_one(
        Format::HandoffJson,
        source.span(0, source.text.len()),
        handoff,
        readable,
        Some(reason),
        vec![finding],
    )
}

fn read_node(source: &Source<'_>, node: &Node) -> Reading {
    let mut findings = Vec::new();
    let mut refuse = |code: &str, message: String, at: &Range<usize>| {
        findings.push(Finding::new(Severity::Error, code, message).at(source.span(at.start, at.end)));
    };
    let start = node.span.start..node.span.start + 1;
    let number = node.get("version").filter(|version| matches!(version.kind, Kind::Number(_)));
    let version = number.and_then(Node::scalar).and_then(|version| version.parse::<u32>().ok());
    match node.get("version") {
        None => refuse("missing-key", "The key \"version\" is required. It is 1 or 2.".to_owned(), &start),
        Some(found) if !matches!(version, Some(1 | 2)) => {
            let written: String = source.text[found.span.clone()].chars().take(40).collect();
            let message = format!("Version {written} is not known. This program reads versions 1 and 2.");
            refuse("unknown-version", message, &found.span);
        }
        Some(_) => {}
    }
    if let Some(key) = node.duplicate() {
        refuse("duplicate-key", format!("The key \"{}\" is given twice.", key.name), &key.span);
    }
    if let Some(version @ (1 | 2)) = version {
        for (key, _) in node.members() {
            let name = key.name.as_str();
            if !(VERSION_1.contains(&name) || (version == 2 && VERSION_2.contains(&name))) {
                refuse("unknown-key", format!("The key \"{name}\" is not known in version {version}."), &key.span);
            }
        }
    }
    let objective = node.get("objective");
    if !matches!(objective.map(|objective| &objective.kind), Some(Kind::String(_))) {
        let at = objective.map_or(start, |objective| objective.span.clone());
        refuse("missing-key", "The key \"objective\" is required and must be a string.".to_owned(), &at);
    }
    let mut handoff = Handoff { version, ..Handoff::default() };
    fields(source, node, &mut handoff, &mut findings);
    let reason =
        findings.iter().find(|finding| finding.severity == Severity::Error).map(|finding| finding.message.clone());
    let readable = match (&reason, findings.is_empty()) {
        (Some(_), _) => Readable::Refused,
        (None, false) => Readable::Partial,
        (None, true) => Readable::Full,
    };
    Reading::of_one(Format::HandoffJson, source.span(0, source.text.len()), handoff, readable, reason, findings)
}
