//! The lines of a session: one JSON record each, damaged ones skipped and counted.

use serde_json::Value;

/// A longer line is a tool's output, never a handoff.
const LONGEST: usize = 2 * 1024 * 1024;

/// What a session says.
#[derive(Default)]
pub(super) struct Session {
    /// The header: id, working folder, parent.
    pub header: Value,
    /// Whether oh-my-pi's title slot stands in it.
    pub slot: bool,
    /// Records with the number of their line, counted from 1.
    pub records: Vec<(usize, Value)>,
    /// Lines that could not be read; the last one may be half-written and does not count.
    pub skipped: usize,
}

impl Session {
    pub(super) fn read(text: &str) -> Self {
        let mut session = Self::default();
        let mut lines = text.split_inclusive('\n').enumerate().peekable();
        while let Some((index, line)) = lines.next() {
            let whole = line.ends_with('\n') || lines.peek().is_some();
            let line = line.trim_matches(|mark: char| mark == '\0' || mark.is_whitespace());
            if line.is_empty() || line.len() > LONGEST {
                continue;
            }
            match serde_json::from_str::<Value>(line) {
                Ok(record) => session.add(index + 1, record),
                Err(_) => {
                    let recovered = recovered(line);
                    session.skipped += usize::from(whole && recovered.is_empty());
                    recovered.into_iter().for_each(|record| session.add(index + 1, record));
                }
            }
        }
        session
    }

    fn add(&mut self, line: usize, record: Value) {
        match record.get("type").and_then(Value::as_str) {
            Some("title") => self.slot = true,
            Some("session") if self.header.is_null() => self.header = record,
            _ => self.records.push((line, record)),
        }
    }

    /// A text of the header.
    pub(super) fn named(&self, key: &str) -> Option<&str> {
        self.header.get(key).and_then(Value::as_str).filter(|value| !value.is_empty())
    }
}

/// Whole records on a line that is none: two on one line, or one behind the beginning of another.
fn recovered(line: &str) -> Vec<Value> {
    let mut found = Vec::new();
    let mut from = 0;
    for _ in 0..8 {
        let Some(at) = line.get(from..).and_then(|rest| rest.find("{\"type\":")).map(|at| from + at) else { break };
        let mut stream = serde_json::Deserializer::from_str(&line[at..]).into_iter::<Value>();
        match stream.next() {
            Some(Ok(record)) => {
                from = at + stream.byte_offset();
                found.push(record);
            }
            _ => from = at + 1,
        }
    }
    found
}

/// Whether a record begins a session of the family: its header, or the title slot before it.
pub(super) fn is_header(record: &Value) -> bool {
    let has = |key: &str| record.get(key).is_some_and(Value::is_string);
    match record.get("type").and_then(Value::as_str) {
        Some("session") => has("id") && (has("cwd") || has("timestamp")),
        Some("title") => has("pad") && record.get("v").is_some_and(Value::is_number),
        _ => false,
    }
}

/// Records that tell of a handoff or of who wrote it. What is no whole record is kept too, so that it is counted.
pub(super) fn matters(line: &[u8]) -> bool {
    let line = line.trim_ascii();
    if !(line.starts_with(b"{") && line.ends_with(b"}")) {
        return line.len() <= LONGEST;
    }
    if line.len() > LONGEST {
        return false;
    }
    let head = line.get(..400).unwrap_or(line);
    let has = |word: &[u8]| head.windows(word.len()).any(|part| part == word);
    has(b"\"session\"")
        || has(b"\"title\"")
        || has(b"\"model_change\"")
        || has(b"\"custom_message\"")
        || has(b"\"compaction\"")
        || has(b"\"role\":\"user\"")
        || has(b"\"role\":\"hookMessage\"")
        || has(b"\"role\":\"custom\"")
}
