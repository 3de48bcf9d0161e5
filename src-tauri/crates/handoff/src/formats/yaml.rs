//! YAML, read with tight budgets: depth, nodes and bytes are bounded, aliases are refused. The only module that
//! knows the YAML parser. A text that does not parse is read key by key, so that one broken line loses one key.

use super::front_matter::line_end;
use super::json_spans::{Key, Kind, Node};
use super::{Reader, extension, keyed};
use crate::source::Source;
use crate::{Finding, Format, Limits, Readable, Reading, Severity};
use serde_saphyr::granit_parser::{Event, Options, Parser, ScalarStyle};
use std::ops::Range;

/// What a YAML text may cost.
#[derive(Clone, Copy)]
struct Budget {
    depth: usize,
    nodes: usize,
    bytes: usize,
}

const FRONT_MATTER: Budget = Budget { depth: 8, nodes: 2_000, bytes: 64 * 1024 };
const DOCUMENT: Budget = Budget { depth: 24, nodes: 50_000, bytes: 4 * 1024 * 1024 };

/// The reader of YAML by keys.
pub(crate) struct Yaml;

impl Reader for Yaml {
    fn format(&self) -> Format {
        Format::Yaml
    }

    fn recognises(&self, source: &Source<'_>) -> bool {
        match extension(source.name).as_str() {
            "yaml" | "yml" => true,
            "md" | "markdown" | "mdx" | "txt" | "json" | "jsonl" => false,
            _ => parse(&source.text, DOCUMENT).is_ok_and(|node| keyed::known_keys(&node) >= 2),
        }
    }

    fn read(&self, source: &Source<'_>, limits: &Limits) -> Reading {
        match parse(&source.text, DOCUMENT) {
            Ok(node) => keyed::read(source, &node, Format::Yaml, Vec::new(), limits),
            Err(reason) => {
                let finding = Finding::new(
                    Severity::Warning,
                    "yaml-unreadable",
                    format!(
                        "This is not valid YAML ({reason}). It was read key by key; what could not be read is kept as it stands."
                    ),
                );
                let mut reading = keyed::read(source, &recovered(&source.text), Format::Yaml, vec![finding], limits);
                if reading.readable != Readable::NotAHandoff && !source.text.ends_with(['\n', '\r']) {
                    reading.readable = Readable::Incomplete;
                    let words = "The YAML ends before it is complete. It may still be written.";
                    reading.reason = Some(words.to_owned());
                    reading.findings.push(Finding::new(Severity::Warning, "possibly-truncated", words));
                }
                reading
            }
        }
    }
}

/// A whole document as nodes with their places; none when it is no YAML or over its budget.
pub(crate) fn document(text: &str) -> Option<Node> {
    parse(text, DOCUMENT).ok()
}

/// Whether a front matter is YAML within its budget; the reason when not.
pub(crate) fn check(text: &str) -> Result<(), String> {
    parse(text, FRONT_MATTER).map(|_| ())
}

/// The first member of a part of a front matter that is YAML by itself, in bytes of the whole text.
pub(crate) fn member(text: &str, range: Range<usize>) -> Option<(Key, Node)> {
    let node = parse(&text[range.clone()], FRONT_MATTER).ok()?;
    let Kind::Object(members) = node.kind else { return None };
    let (mut key, mut node) = members.into_iter().next()?;
    key.span = key.span.start + range.start..key.span.end + range.start;
    shift(&mut node, range.start);
    Some((key, node))
}

/// A collection that is not closed yet.
enum Frame {
    Sequence { from: usize, items: Vec<Node> },
    Mapping { from: usize, members: Vec<(Key, Node)>, key: Option<Key> },
}

fn parse(text: &str, budget: Budget) -> Result<Node, String> {
    if text.len() > budget.bytes {
        return Err(format!("larger than {} bytes", budget.bytes));
    }
    let mut options = Options::default();
    options.set_emit_comments(false);
    options.flow_nesting_limit = budget.depth;
    options.block_nesting_limit = budget.depth + 1;
    let mut stack: Vec<Frame> = Vec::new();
    let mut roots: Vec<Node> = Vec::new();
    let mut nodes = 0;
    for event in Parser::new_from_str_with_options(text, options) {
        let (event, place) = event.map_err(|error| shorten(&error.to_string()))?;
        let place = place.byte_range().unwrap_or(0..0);
        let node = match event {
            Event::Alias(_) | Event::UnresolvedAlias(_) => return Err("it uses aliases".to_owned()),
            Event::SequenceStart(..) => {
                stack.push(Frame::Sequence { from: place.start, items: Vec::new() });
                None
            }
            Event::MappingStart(..) => {
                stack.push(Frame::Mapping { from: place.start, members: Vec::new(), key: None });
                None
            }
            Event::SequenceEnd => match stack.pop() {
                Some(Frame::Sequence { from, items }) => {
                    let end = items.last().map_or(place.end, |last| last.span.end.max(place.end.min(text.len())));
                    Some(Node { span: tidy(text, from..end), kind: Kind::Array(items) })
                }
                _ => return Err("a list ends where none began".to_owned()),
            },
            Event::MappingEnd => match stack.pop() {
                Some(Frame::Mapping { from, members, .. }) => {
                    let end =
                        members.last().map_or(place.end, |(_, last)| last.span.end.max(place.end.min(text.len())));
                    Some(Node { span: tidy(text, from..end), kind: Kind::Object(members) })
                }
                _ => return Err("a mapping ends where none began".to_owned()),
            },
            Event::Scalar(value, style, ..) => Some(Node { span: tidy(text, place), kind: scalar(&value, style) }),
            _ => None,
        };
        nodes += 1;
        if nodes > budget.nodes || stack.len() > budget.depth {
            return Err("it is nested or filled beyond the limit".to_owned());
        }
        let Some(node) = node else { continue };
        match stack.last_mut() {
            Some(Frame::Sequence { items, .. }) => items.push(node),
            Some(Frame::Mapping { members, key, .. }) => match key.take() {
                None => *key = Some(Key { name: node.scalar().unwrap_or_default(), span: node.span }),
                Some(key) => members.push((key, node)),
            },
            None => roots.push(node),
        }
    }
    one(roots).ok_or_else(|| "it is empty".to_owned())
}

/// Several documents in one stream: a list when each is a handoff, else one, such as a header before a body.
fn one(mut roots: Vec<Node>) -> Option<Node> {
    if roots.len() < 2 {
        return roots.pop();
    }
    let from = roots.first().map_or(0, |first| first.span.start);
    let to = roots.last().map_or(from, |last| last.span.end);
    if roots.iter().all(|root| keyed::known_keys(root) >= 2) {
        return Some(Node { span: from..to, kind: Kind::Array(roots) });
    }
    let mut all = Vec::new();
    for root in roots {
        if let Kind::Object(members) = root.kind {
            all.extend(members);
        }
    }
    Some(Node { span: from..to, kind: Kind::Object(all) })
}

/// A range inside the text without blanks at its end.
fn tidy(text: &str, range: Range<usize>) -> Range<usize> {
    let end = range.end.min(text.len());
    let start = range.start.min(end);
    match text.get(start..end) {
        Some(slice) => start..start + slice.trim_end().len(),
        None => 0..0,
    }
}

fn scalar(value: &str, style: ScalarStyle) -> Kind {
    if !matches!(style, ScalarStyle::Plain) {
        return Kind::String(value.trim_end_matches('\n').to_owned());
    }
    match value {
        "" | "~" | "null" | "Null" | "NULL" => Kind::Null,
        "true" | "True" => Kind::Bool(true),
        "false" | "False" => Kind::Bool(false),
        number if number.parse::<f64>().is_ok() && number.starts_with(|c: char| c.is_ascii_digit() || c == '-') => {
            Kind::Number(number.to_owned())
        }
        text => Kind::String(text.to_owned()),
    }
}

fn shorten(message: &str) -> String {
    message.lines().next().unwrap_or_default().chars().take(120).collect()
}

/// Key by key: each top-level key with its lines is parsed alone; what does not parse stays a string.
fn recovered(text: &str) -> Node {
    let mut starts: Vec<(usize, usize)> = Vec::new();
    let mut at = 0;
    while at < text.len() {
        let end = line_end(text, at);
        let line = &text[at..end];
        let top = line.starts_with(|first: char| first.is_alphanumeric() || matches!(first, '"' | '\'' | '_'));
        if let Some(colon) = line.find(':').filter(|_| top) {
            starts.push((at, at + colon));
        }
        at = end;
    }
    let mut members = Vec::new();
    for (index, (from, colon)) in starts.iter().enumerate() {
        let to = starts.get(index + 1).map_or(text.len(), |(next, _)| *next);
        let key = Key { name: text[*from..*colon].trim().trim_matches(['"', '\'']).to_owned(), span: *from..*colon };
        let parsed = parse(&text[*from..to], DOCUMENT).ok().and_then(|node| match node.kind {
            Kind::Object(members) => members.into_iter().next().map(|(_, node)| node),
            _ => None,
        });
        let node = match parsed {
            Some(mut node) => {
                shift(&mut node, *from);
                node
            }
            None => {
                let start = colon + 1;
                let blank = text[start..to].len() - text[start..to].trim_start().len();
                let range = tidy(text, (start + blank).min(to)..to);
                lines_of(text, range)
            }
        };
        members.push((key, node));
    }
    Node { span: 0..text.len(), kind: Kind::Object(members) }
}

/// What does not parse: a list when its lines are bullets, else a string.
fn lines_of(text: &str, range: Range<usize>) -> Node {
    let slice = &text[range.clone()];
    if !slice.starts_with("- ") {
        return Node { kind: Kind::String(slice.to_owned()), span: range };
    }
    let indent = range.start - text[..range.start].rfind('\n').map_or(0, |at| at + 1);
    let mut starts: Vec<usize> = Vec::new();
    let mut at = range.start;
    for line in slice.split_inclusive('\n') {
        let lead = if at == range.start { indent } else { line.len() - line.trim_start_matches(' ').len() };
        if lead <= indent && line.trim_start().starts_with("- ") || starts.is_empty() {
            starts.push(at);
        }
        at += line.len();
    }
    let ends = starts.iter().skip(1).copied().chain([range.end]);
    let items = starts.iter().zip(ends).filter_map(|(from, to)| item_of(text, tidy(text, *from..to))).collect();
    Node { kind: Kind::Array(items), span: range }
}

/// One bullet: what parses by itself, else its `key: value` lines, else its words.
fn item_of(text: &str, range: Range<usize>) -> Option<Node> {
    let lead = text[range.clone()].len() - text[range.clone()].trim_start_matches([' ', '-']).len();
    let range = range.start + lead..range.end;
    let mut members: Vec<(Key, Node)> = Vec::new();
    let mut at = range.start;
    for line in text[range.clone()].split_inclusive('\n') {
        let body = line.trim_end();
        let from = at + body.len() - body.trim_start().len();
        let field = text[from..at + body.len()]
            .split_once(':')
            .filter(|(key, _)| key.bytes().all(|byte| byte.is_ascii_lowercase() || byte == b'_') && !key.is_empty());
        match (field, members.last_mut()) {
            (Some((key, value)), _) => {
                let start = from + key.len() + 1 + value.len() - value.trim_start().len();
                let span = start.min(at + body.len())..at + body.len();
                let key = Key { name: key.to_owned(), span: from..from + key.len() };
                members.push((key, Node { kind: Kind::Null, span }));
            }
            (None, Some((_, node))) => node.span.end = at + body.len(),
            (None, None) => {}
        }
        at += line.len();
    }
    if members.is_empty() {
        let words = text[range.clone()].trim_matches(['"', '\'']).to_owned();
        return (!words.is_empty()).then_some(Node { kind: Kind::String(words), span: range });
    }
    for (_, node) in &mut members {
        let place = node.span.clone();
        *node = parse(&text[place.clone()], DOCUMENT)
            .ok()
            .filter(|found| !matches!(found.kind, Kind::Object(_)))
            .map_or_else(
                || Node { kind: Kind::String(text[place.clone()].trim().to_owned()), span: place.clone() },
                |mut found| {
                    shift(&mut found, place.start);
                    found
                },
            );
    }
    Some(Node { span: range, kind: Kind::Object(members) })
}

fn shift(node: &mut Node, by: usize) {
    node.span = node.span.start + by..node.span.end + by;
    match &mut node.kind {
        Kind::Array(items) => items.iter_mut().for_each(|item| shift(item, by)),
        Kind::Object(members) => {
            for (key, node) in members {
                key.span = key.span.start + by..key.span.end + by;
                shift(node, by);
            }
        }
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_keep_their_place() {
        let text = "a: \"x\"\nb:\n  - one\n  - two\n";
        let node = parse(text, FRONT_MATTER).expect("YAML");
        let b = node.get("b").expect("b");
        assert_eq!(b.elements().iter().map(|item| &text[item.span.clone()]).collect::<Vec<_>>(), ["one", "two"]);
        assert_eq!(node.get("a").map(|a| &text[a.span.clone()]), Some("\"x\""));
    }

    #[test]
    fn aliases_depth_and_size_are_refused() {
        assert!(parse("a: &x [1]\nb: *x\n", FRONT_MATTER).is_err());
        assert!(check(&format!("a: {}1{}", "[".repeat(40), "]".repeat(40))).is_err());
        assert!(check(&"a: 1\n".repeat(20_000)).is_err());
    }

    #[test]
    fn a_broken_line_loses_one_key() {
        let node = recovered("goal: a: b\nnext:\n  - one\n");
        assert_eq!(node.get("goal").and_then(Node::scalar).as_deref(), Some("a: b"));
        assert_eq!(node.get("next").map(|next| next.elements().len()), Some(1));
    }
}
