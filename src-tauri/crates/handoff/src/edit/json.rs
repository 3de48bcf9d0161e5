//! Edits of Handoff JSON by byte range: a value, an element, a new key; indentation as the file has it.

use super::{Change, Edit, Patch, changes};
use crate::formats::json_spans::{Kind, Node, parse};
use crate::source::Source;
use crate::{Error, Handoff, Span};
use serde_json::{Value, json};

pub(super) fn patches(bytes: &[u8], handoff: &Handoff, edits: &[Edit]) -> Result<Vec<Patch>, Error> {
    let source = Source::new(bytes, "");
    let root = parse(&source.text)
        .map_err(|error| Error::NotAsAsked { item: "the document".to_owned(), found: error.message })?;
    let file = File { source: &source, root: &root, version: handoff.version.unwrap_or(2) };
    let mut patches = Vec::new();
    let mut appended: Vec<(&str, Vec<&str>)> = Vec::new();
    let mut removed: Vec<(&str, Vec<usize>)> = Vec::new();
    for (field, index, change) in changes(edits) {
        patches.extend(file.replace(field, index, change)?);
    }
    for edit in edits {
        match edit {
            Edit::Set { field, text } => patches.push(file.set(field, text)?),
            Edit::Append { field, text } => match appended.iter_mut().find(|(other, _)| other == field) {
                Some((_, list)) => list.push(text),
                None => appended.push((field, vec![text])),
            },
            Edit::Remove { field, index } => match removed.iter_mut().find(|(other, _)| other == field) {
                Some((_, list)) => list.push(*index),
                None => removed.push((field, vec![*index])),
            },
            Edit::Replace { .. } | Edit::Move { .. } => {}
        }
    }
    for (field, indices) in removed {
        let all = file.value(field).filter(|list| (0..list.elements().len()).all(|index| indices.contains(&index)));
        match all {
            Some(list) => {
                let at = appended.iter().position(|(other, _)| *other == field);
                let texts = at.map(|at| appended.remove(at).1).unwrap_or_default();
                let values: Vec<String> = texts.iter().map(|text| element(field, text)).collect();
                patches.push(Patch { span: file.span(list), bytes: format!("[{}]", values.join(", ")).into_bytes() });
            }
            None => {
                for index in indices {
                    patches.push(file.remove(field, index)?);
                }
            }
        }
    }
    for (field, list) in &appended {
        patches.push(file.append(field, list)?);
    }
    Ok(patches)
}

struct File<'a, 'b> {
    source: &'a Source<'b>,
    root: &'a Node,
    version: u32,
}

impl File<'_, '_> {
    /// The value of a field, which may stand one level down.
    fn value(&self, field: &str) -> Option<&Node> {
        match field.split_once('.') {
            Some((outer, inner)) => self.root.get(outer).and_then(|outer| outer.get(inner)),
            None => self.root.get(field),
        }
    }

    fn element(&self, field: &str, index: usize) -> Result<&Node, Error> {
        let missing = || Error::NoSuchItem { item: format!("{field}/{index}"), length: 0 };
        let list = self.value(field).ok_or_else(missing)?;
        if list.elements().is_empty() && index == 0 {
            return Ok(list);
        }
        list.elements().get(index).ok_or_else(missing)
    }

    fn span(&self, node: &Node) -> Span {
        self.source.span(node.span.start, node.span.end)
    }

    fn refuse_version_1(&self, field: &str) -> Result<(), Error> {
        let name = field.split('.').next().unwrap_or(field);
        let new = ["facts", "unverified", "hazards", "safety", "title", "omitted"];
        if self.version == 1 && new.contains(&name) {
            Err(Error::NeedsJson2 { field: field.to_owned() })
        } else {
            Ok(())
        }
    }

    fn set(&self, field: &str, text: &str) -> Result<Patch, Error> {
        self.refuse_version_1(field)?;
        let empty = text.trim().is_empty() && field.starts_with("provenance.");
        let value = if empty { "null".to_owned() } else { String::from_utf8_lossy(&quoted(text)).into_owned() };
        match self.value(field) {
            Some(node) => Ok(Patch { span: self.span(node), bytes: value.into_bytes() }),
            None => Ok(self.insert_value(field, &value)),
        }
    }

    /// A value whose key is not there yet.
    fn insert_value(&self, field: &str, value: &str) -> Patch {
        match field.split_once('.') {
            Some((outer, inner)) => match self.root.get(outer) {
                Some(outer) => self.insert_member(outer, inner, value),
                None => self.insert_member(self.root, outer, &format!("{{\"{inner}\": {value}}}")),
            },
            None => self.insert_member(self.root, field, value),
        }
    }

    fn replace(&self, field: &str, index: usize, change: Change<'_>) -> Result<Vec<Patch>, Error> {
        let node = self.element(field, index)?;
        let main = match field {
            "decisions" | "rejected" => "what",
            "artifacts" => "ref",
            _ => "text",
        };
        if matches!(node.kind, Kind::Object(_)) {
            let text = change.text.map(|text| (main, text));
            // A value under another name of the same meaning is the one that was read.
            let other = |key: &str| match key {
                "text" => node.get("what"),
                "what" => node.get("text"),
                "ref" => node.get("path"),
                _ => None,
            };
            let mut missing = Vec::new();
            let mut patches = Vec::new();
            for (key, text) in text.into_iter().chain(change.part) {
                match node.get(key).or_else(|| other(key)) {
                    Some(value) => patches.push(Patch { span: self.span(value), bytes: quoted(text) }),
                    None => missing.push((key, text)),
                }
            }
            for (key, text) in missing {
                patches.push(self.insert_member(node, key, &String::from_utf8_lossy(&quoted(text))));
            }
            return Ok(patches);
        }
        let text = change.text.map_or_else(|| node.scalar().unwrap_or_default(), str::to_owned);
        let value = match change.part {
            None => Value::String(text),
            Some((part, value)) => json!({ main: text, part: value }),
        };
        Ok(vec![Patch { span: self.span(node), bytes: value.to_string().into_bytes() }])
    }

    fn remove(&self, field: &str, index: usize) -> Result<Patch, Error> {
        let list =
            self.value(field).ok_or_else(|| Error::NoSuchItem { item: format!("{field}/{index}"), length: 0 })?;
        let elements = list.elements();
        let node = self.element(field, index)?;
        let (from, to) = match (index.checked_sub(1).and_then(|before| elements.get(before)), elements.get(index + 1)) {
            (_, Some(after)) => (node.span.start, after.span.start),
            (Some(before), None) => (before.span.end, node.span.end),
            (None, None) => (list.span.start + 1, list.span.end - 1),
        };
        Ok(Patch { span: self.source.span(from, to), bytes: Vec::new() })
    }

    fn append(&self, field: &str, texts: &[&str]) -> Result<Patch, Error> {
        self.refuse_version_1(field)?;
        let values: Vec<String> = texts.iter().map(|text| element(field, text)).collect();
        if let Some(list) = self.value(field).filter(|list| matches!(list.kind, Kind::Array(_))) {
            if let Some(last) = list.elements().last() {
                let separator = self.separator(list, last);
                let body: String = values.iter().map(|value| format!(",{separator}{value}")).collect();
                let at = self.span(last).to;
                return Ok(Patch { span: Span::new(at, at), bytes: body.into_bytes() });
            }
            return Ok(Patch { span: self.span(list), bytes: format!("[{}]", values.join(", ")).into_bytes() });
        }
        let array = format!("[{}]", values.join(", "));
        Ok(self.insert_value(field, &array))
    }

    /// The blank between elements, copied from the file.
    fn separator(&self, list: &Node, last: &Node) -> String {
        let text = self.source.text.as_str();
        let before = match list.elements() {
            [.., before, _] => before.span.end,
            _ => list.span.start + 1,
        };
        let gap = &text[before..last.span.start];
        let gap = gap.trim_start_matches([',', ' ']).trim_end_matches(|character: char| !character.is_whitespace());
        if gap.contains('\n') { gap.to_owned() } else { " ".to_owned() }
    }

    fn insert_member(&self, object: &Node, key: &str, value: &str) -> Patch {
        let text = self.source.text.as_str();
        match object.members() {
            [] => Patch { span: self.span(object), bytes: format!("{{\"{key}\": {value}}}").into_bytes() },
            [.., (last_key, last)] => {
                let line = text[..last_key.span.start]
                    .rfind('\n')
                    .map(|newline| &text[newline..last_key.span.start])
                    .filter(|gap| gap.trim().is_empty());
                let gap = line.map_or(" ", |gap| if text[..last_key.span.start].ends_with(gap) { gap } else { " " });
                let crlf = if gap.starts_with('\n') && text.contains("\r\n") { "\r" } else { "" };
                let at = self.span(last).to;
                Patch { span: Span::new(at, at), bytes: format!(",{crlf}{gap}\"{key}\": {value}").into_bytes() }
            }
        }
    }
}

fn quoted(text: &str) -> Vec<u8> {
    Value::String(text.to_owned()).to_string().into_bytes()
}

fn element(field: &str, text: &str) -> String {
    match field {
        "decisions" | "rejected" => json!({ "what": text }).to_string(),
        "artifacts" => json!({ "name": text, "ref": text }).to_string(),
        _ => Value::String(text.to_owned()).to_string(),
    }
}
