//! JSON of other tools, read by its keys.

use super::json_spans::{Kind, Node, line_and_column, parse};
use super::{Reader, extension, keyed};
use crate::source::Source;
use crate::{Entry, Finding, Format, Handoff, Limits, Readable, Reading, Section, Severity};

/// The reader of JSON by keys.
pub(crate) struct ForeignJson;

impl Reader for ForeignJson {
    fn format(&self) -> Format {
        Format::ForeignJson
    }

    fn recognises(&self, source: &Source<'_>) -> bool {
        let starts = source.text.trim_start().starts_with(['{', '[']);
        starts && (extension(source.name) == "json" || parse(&source.text).is_ok())
    }

    fn read(&self, source: &Source<'_>, limits: &Limits) -> Reading {
        match parse(&source.text) {
            Ok(node) => {
                let findings = doubled(source, &node);
                keyed::read(source, &node, Format::ForeignJson, findings, limits)
            }
            Err(error) => {
                let (line, column) = line_and_column(&source.text, error.at);
                let reason = if error.at_end {
                    "The JSON ends before it is complete. It may still be written.".to_owned()
                } else {
                    format!("Line {line}, column {column}: {}", error.message)
                };
                let code = if error.at_end { "possibly-truncated" } else { "json-unreadable" };
                let at = error.at.min(source.text.len());
                let span = source.span(0, source.text.len());
                let extra = Section { heading: String::new(), text: source.text.clone(), span: Some(span) };
                Reading {
                    format: Format::ForeignJson,
                    readable: if error.at_end { Readable::Incomplete } else { Readable::Partial },
                    reason: Some(reason.clone()),
                    entries: vec![Entry {
                        heading: String::new(),
                        span,
                        at: None,
                        handoff: Handoff { extra: vec![extra], ..Handoff::default() },
                    }],
                    shown: 0,
                    findings: vec![Finding::new(Severity::Warning, code, reason).at(source.span(at, at))],
                }
            }
        }
    }
}

fn doubled(source: &Source<'_>, node: &Node) -> Vec<Finding> {
    if !matches!(node.kind, Kind::Object(_)) {
        return Vec::new();
    }
    let finding = node.duplicate().map(|key| {
        Finding::new(
            Severity::Warning,
            "duplicate-key",
            format!("The key “{}” stands twice. The first value is shown.", key.name),
        )
        .at(source.span(key.span.start, key.span.end))
    });
    finding.into_iter().collect()
}
