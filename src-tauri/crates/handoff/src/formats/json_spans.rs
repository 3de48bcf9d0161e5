//! JSON with the byte range of every value, key and duplicate. Bounded depth, no recursion on content without it.
//!
//! Source of the grammar: RFC 8259.

use std::ops::Range;

/// Deeper nesting is an error.
const DEEPEST: usize = 128;

/// A value and its place in the text.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Node {
    pub span: Range<usize>,
    pub kind: Kind,
}

/// What a value is.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Kind {
    Null,
    Bool(bool),
    /// As written.
    Number(String),
    String(String),
    Array(Vec<Node>),
    Object(Vec<(Key, Node)>),
}

/// A key of an object.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Key {
    pub name: String,
    pub span: Range<usize>,
}

/// Why a text is no JSON.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct JsonError {
    pub at: usize,
    /// Whether the text ended where more was expected.
    pub at_end: bool,
    pub message: String,
}

impl Node {
    /// The value under a key of an object; the first when it stands twice.
    pub(crate) fn get(&self, name: &str) -> Option<&Node> {
        match &self.kind {
            Kind::Object(members) => members.iter().find(|(key, _)| key.name == name).map(|(_, node)| node),
            _ => None,
        }
    }

    /// The members of an object.
    pub(crate) fn members(&self) -> &[(Key, Node)] {
        match &self.kind {
            Kind::Object(members) => members,
            _ => &[],
        }
    }

    /// The elements of an array.
    pub(crate) fn elements(&self) -> &[Node] {
        match &self.kind {
            Kind::Array(elements) => elements,
            _ => &[],
        }
    }

    /// A string, or a number or truth value as it is written; none for null, arrays and objects.
    pub(crate) fn scalar(&self) -> Option<String> {
        match &self.kind {
            Kind::String(text) | Kind::Number(text) => Some(text.clone()),
            Kind::Bool(truth) => Some(truth.to_string()),
            _ => None,
        }
    }

    /// Cuts the places of what was closed behind the end of the text.
    fn end_at(&mut self, end: usize) {
        self.span = self.span.start.min(end)..self.span.end.min(end);
        match &mut self.kind {
            Kind::Object(members) => members.iter_mut().for_each(|(_, node)| node.end_at(end)),
            Kind::Array(elements) => elements.iter_mut().for_each(|node| node.end_at(end)),
            _ => {}
        }
    }

    /// The first key that stands twice in one object, anywhere.
    pub(crate) fn duplicate(&self) -> Option<&Key> {
        match &self.kind {
            Kind::Object(members) => {
                let mut seen = std::collections::HashSet::new();
                members
                    .iter()
                    .find(|(key, _)| !seen.insert(key.name.as_str()))
                    .map(|(key, _)| key)
                    .or_else(|| members.iter().find_map(|(_, node)| node.duplicate()))
            }
            Kind::Array(elements) => elements.iter().find_map(Node::duplicate),
            _ => None,
        }
    }
}

/// Parses one value with nothing but blanks around it.
pub(crate) fn parse(text: &str) -> Result<Node, JsonError> {
    let mut parser = Parser { text, at: 0 };
    parser.blank();
    let node = parser.value(0)?;
    parser.blank();
    if parser.at < text.len() {
        return Err(parser.error("nothing more"));
    }
    Ok(node)
}

struct Parser<'a> {
    text: &'a str,
    at: usize,
}

impl Parser<'_> {
    fn peek(&self) -> Option<u8> {
        self.text.as_bytes().get(self.at).copied()
    }

    fn blank(&mut self) {
        while matches!(self.peek(), Some(b' ' | b'\t' | b'\n' | b'\r')) {
            self.at += 1;
        }
    }

    fn error(&self, expected: &str) -> JsonError {
        let found = self.text.get(self.at..).and_then(|rest| rest.chars().next());
        let message = match found {
            Some(found) => format!("expected {expected}, found {:?}", found),
            None => format!("expected {expected}, found the end"),
        };
        JsonError { at: self.at, at_end: found.is_none(), message }
    }

    fn value(&mut self, depth: usize) -> Result<Node, JsonError> {
        if depth >= DEEPEST {
            return Err(JsonError { at: self.at, at_end: false, message: format!("nested deeper than {DEEPEST}") });
        }
        let from = self.at;
        let kind = match self.peek() {
            Some(b'{') => self.object(depth)?,
            Some(b'[') => self.array(depth)?,
            Some(b'"') => Kind::String(self.string()?),
            Some(b'-' | b'0'..=b'9') => self.number()?,
            _ => self.word()?,
        };
        Ok(Node { span: from..self.at, kind })
    }

    fn object(&mut self, depth: usize) -> Result<Kind, JsonError> {
        self.at += 1;
        let mut members = Vec::new();
        self.blank();
        if self.peek() == Some(b'}') {
            self.at += 1;
            return Ok(Kind::Object(members));
        }
        loop {
            self.blank();
            if self.peek() != Some(b'"') {
                return Err(self.error("a key"));
            }
            let from = self.at;
            let name = self.string()?;
            let key = Key { name, span: from..self.at };
            self.blank();
            if self.peek() != Some(b':') {
                return Err(self.error("`:`"));
            }
            self.at += 1;
            self.blank();
            members.push((key, self.value(depth + 1)?));
            self.blank();
            match self.peek() {
                Some(b',') => self.at += 1,
                Some(b'}') => {
                    self.at += 1;
                    return Ok(Kind::Object(members));
                }
                _ => return Err(self.error("`,` or `}`")),
            }
        }
    }

    fn array(&mut self, depth: usize) -> Result<Kind, JsonError> {
        self.at += 1;
        let mut elements = Vec::new();
        self.blank();
        if self.peek() == Some(b']') {
            self.at += 1;
            return Ok(Kind::Array(elements));
        }
        loop {
            self.blank();
            elements.push(self.value(depth + 1)?);
            self.blank();
            match self.peek() {
                Some(b',') => self.at += 1,
                Some(b']') => {
                    self.at += 1;
                    return Ok(Kind::Array(elements));
                }
                _ => return Err(self.error("`,` or `]`")),
            }
        }
    }

    fn string(&mut self) -> Result<String, JsonError> {
        let from = self.at;
        self.at += 1;
        let mut escaped = false;
        loop {
            match self.peek() {
                Some(b'"') => {
                    self.at += 1;
                    break;
                }
                Some(b'\\') => {
                    escaped = true;
                    self.at += 1;
                    if self.peek().is_none() {
                        return Err(self.error("an escape"));
                    }
                    self.step();
                }
                Some(control) if control < 0x20 => return Err(self.error("no bare control character in a string")),
                Some(_) => self.step(),
                None => return Err(self.error("the end of the string")),
            }
        }
        let quoted = &self.text[from..self.at];
        if !escaped {
            return Ok(quoted[1..quoted.len() - 1].to_owned());
        }
        serde_json::from_str(quoted).map_err(|error| JsonError {
            at: from,
            at_end: false,
            message: format!("a broken escape: {error}"),
        })
    }

    fn step(&mut self) {
        self.at += self.text[self.at..].chars().next().map_or(1, char::len_utf8);
    }

    fn number(&mut self) -> Result<Kind, JsonError> {
        let from = self.at;
        while matches!(self.peek(), Some(b'-' | b'+' | b'.' | b'e' | b'E' | b'0'..=b'9')) {
            self.at += 1;
        }
        let written = &self.text[from..self.at];
        let digits = written.strip_prefix('-').unwrap_or(written);
        let whole = digits.split(['.', 'e', 'E']).next().unwrap_or_default();
        let fits = written.parse::<f64>().is_ok_and(f64::is_finite)
            && !(whole.len() > 1 && whole.starts_with('0'))
            && digits.starts_with(|c: char| c.is_ascii_digit());
        if !fits || written.len() > 400 {
            return Err(JsonError {
                at: from,
                at_end: self.at == self.text.len(),
                message: format!("{} is no number", written.chars().take(40).collect::<String>()),
            });
        }
        Ok(Kind::Number(written.to_owned()))
    }

    fn word(&mut self) -> Result<Kind, JsonError> {
        for (word, kind) in [("null", Kind::Null), ("true", Kind::Bool(true)), ("false", Kind::Bool(false))] {
            if self.text[self.at..].starts_with(word) {
                self.at += word.len();
                return Ok(kind);
            }
            let rest = &self.text[self.at..];
            if !rest.is_empty() && word.starts_with(rest) {
                return Err(JsonError {
                    at: self.text.len(),
                    at_end: true,
                    message: format!("expected {word}, found the end"),
                });
            }
        }
        Err(self.error("a value"))
    }
}

/// What a text that ends early says up to its last complete member or element. Places lie before the cut.
pub(crate) fn completed(text: &str) -> Option<Node> {
    let mut open: Vec<char> = Vec::new();
    let mut cut: Option<(usize, String)> = None;
    let mut in_string = false;
    let mut escaped = false;
    let closers = |open: &[char]| open.iter().rev().collect::<String>();
    for (at, character) in text.char_indices() {
        if in_string {
            in_string = escaped || character != '"';
            escaped = !escaped && character == '\\';
            continue;
        }
        match character {
            '"' => in_string = true,
            '{' | '[' if open.len() < DEEPEST => open.push(if character == '{' { '}' } else { ']' }),
            '{' | '[' => return None,
            '}' | ']' => {
                open.pop();
                cut = Some((at + 1, closers(&open)));
            }
            ',' => cut = Some((at, closers(&open))),
            _ => {}
        }
    }
    let (at, closers) = cut?;
    let mut node = parse(&format!("{}{closers}", &text[..at])).ok()?;
    node.end_at(at);
    Some(node)
}

/// Line and column of a byte, both from 1.
pub(crate) fn line_and_column(text: &str, at: usize) -> (usize, usize) {
    let before = text.get(..at).unwrap_or(text);
    let line = before.matches('\n').count() + 1;
    let column = before.rsplit('\n').next().unwrap_or_default().chars().count() + 1;
    (line, column)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_value_keeps_its_place() {
        let text = r#" {"a": ["x", 1, {"b": "é\n"}]} "#;
        let Ok(node) = parse(text) else { panic!("not parsed") };
        let array = node.get("a").map(Node::elements).unwrap_or_default();
        assert_eq!(&text[array[0].span.clone()], "\"x\"");
        assert_eq!(array[2].get("b").and_then(Node::scalar).as_deref(), Some("é\n"));
    }

    #[test]
    fn the_end_is_told_from_other_errors() {
        for cut in ["{", "{\"a\"", "{\"a\": tr", "[1, ", "\"abc", "{\"a\": \"\\"] {
            assert!(parse(cut).is_err_and(|error| error.at_end), "{cut}");
        }
        for wrong in ["{a: 1}", "[1 2]", "01", "1e999", "[1,]", "\u{1}"] {
            assert!(parse(wrong).is_err_and(|error| !error.at_end || wrong == "01" || wrong == "1e999"), "{wrong}");
        }
        assert!(parse(&"[".repeat(100_000)).is_err());
    }

    #[test]
    fn what_was_closed_for_a_cut_text_lies_inside_it() {
        let cut = r#"{"version": 1, "ne~xt": ["a", {"text": "b"}"#;
        let node = completed(cut);
        let list = node.as_ref().and_then(|node| node.get("ne~xt"));
        assert_eq!(list.and_then(|list| cut.get(list.span.clone())), Some(r#"["a", {"text": "b"}"#));
    }

    #[test]
    fn a_key_given_twice_is_found() {
        let node = parse(r#"{"a": {"b": 1, "b": 2}}"#);
        assert_eq!(node.ok().and_then(|node| node.duplicate().map(|key| key.name.clone())).as_deref(), Some("b"));
    }
}
