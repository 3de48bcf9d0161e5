//! Edits of JSON and YAML of other tools: a scalar that is there gets another value. Whatever would need a new key
//! or a new element goes into a canonical copy, because the other tool's schema is not ours to extend.

use super::verify::words;
use super::{Edit, Patch, spans, texts};
use crate::formats::json_spans::{Kind, Node, parse};
use crate::formats::yaml;
use crate::source::{Encoding, Source};
use crate::{Error, Format, Handoff, Span, Text};

pub(super) fn patches(bytes: &[u8], format: Format, handoff: &Handoff, edits: &[Edit]) -> Result<Vec<Patch>, Error> {
    let needs_copy =
        || Error::NeedsCanonicalCopy { format: if format == Format::Yaml { "YAML" } else { "JSON" }.to_owned() };
    let source = Source::new(bytes, "");
    if source.encoding == Encoding::Utf16 {
        return Err(needs_copy());
    }
    let root = match format {
        Format::Yaml => yaml::document(&source.text),
        _ => parse(&source.text).ok(),
    };
    let file = File { root: root.ok_or_else(needs_copy)?, source, yaml: format == Format::Yaml };
    edits.iter().map(|edit| file.patch(handoff, edit).ok_or_else(needs_copy)).collect()
}

struct File<'a> {
    source: Source<'a>,
    root: Node,
    yaml: bool,
}

impl File<'_> {
    fn patch(&self, handoff: &Handoff, edit: &Edit) -> Option<Patch> {
        let (span, old, text) = match edit {
            Edit::Set { field, text } => {
                let slot: &Option<Text> = match field.as_str() {
                    "objective" => &handoff.objective,
                    "title" => &handoff.title,
                    "status" => &handoff.status,
                    _ => return None,
                };
                let slot = slot.as_ref()?;
                (slot.span?, slot.text.clone(), text)
            }
            Edit::Replace { field, index, part, text } => {
                let old = match part.as_deref() {
                    None => texts(handoff, field).get(*index)?.clone(),
                    Some("why") if field == "decisions" => handoff.decisions.get(*index)?.why.clone()?,
                    Some("why") => handoff.rejected.get(*index)?.why.clone()?,
                    Some("evidence") => handoff.facts.get(*index)?.evidence.clone()?,
                    Some(_) => return None,
                };
                (spans(handoff, field).get(*index).copied().flatten()?, old, text)
            }
            Edit::Append { .. } | Edit::Move { .. } | Edit::Remove { .. } => return None,
        };
        let node = self.scalar_saying(self.at(&self.root, span)?, &words(&old))?;
        self.replaced(node, text)
    }

    /// The node at a place.
    fn at<'n>(&self, node: &'n Node, span: Span) -> Option<&'n Node> {
        let own = self.span(node);
        if own == span {
            return Some(node);
        }
        let children = node.elements().iter().chain(node.members().iter().map(|(_, value)| value));
        children.filter(|child| !child.span.is_empty()).find_map(|child| self.at(child, span))
    }

    fn span(&self, node: &Node) -> Span {
        self.source.span(node.span.start, node.span.end)
    }

    /// The one scalar in a node that says exactly these words.
    fn scalar_saying<'n>(&self, node: &'n Node, old: &str) -> Option<&'n Node> {
        if let Some(text) = node.scalar() {
            return (words(&text) == old).then_some(node);
        }
        let mut found = node.members().iter().filter_map(|(_, value)| self.scalar_saying(value, old));
        let first = found.next();
        if found.next().is_some() { None } else { first }
    }

    fn replaced(&self, node: &Node, text: &str) -> Option<Patch> {
        let written = self.source.text.get(node.span.clone())?;
        let quoted = serde_json::Value::String(text.to_owned()).to_string();
        let value = if !self.yaml {
            if !matches!(node.kind, Kind::String(_)) {
                return None;
            }
            quoted
        } else if written.starts_with(['|', '>', '&', '!']) {
            // A block of lines has an indentation of its own.
            return None;
        } else if written.starts_with(['"', '\''])
            || text.contains([',', '[', ']', '{', '}', '#', '&', '*', '!', '%', '@'])
        {
            quoted
        } else {
            crate::write::scalar(text)
        };
        Some(Patch { span: self.span(node), bytes: value.into_bytes() })
    }
}
