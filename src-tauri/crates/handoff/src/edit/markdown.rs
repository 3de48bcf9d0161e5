//! Edits of Markdown and the canonical file: lines in, lines out, with the file's own markers and line ends.

use super::{Edit, Patch, texts};
use crate::write::{box_mark, escape};
use crate::{Error, Format, Found, Handoff, ItemState, Reading, Span};

pub(super) fn patches(bytes: &[u8], reading: &Reading, handoff: &Handoff, edits: &[Edit]) -> Result<Vec<Patch>, Error> {
    let file = File {
        bytes,
        end: entry_end(bytes, reading),
        line_end: line_end_of(bytes),
        canonical: reading.format == Format::Canonical,
    };
    let mut patches = Vec::new();
    let mut appended: Vec<(String, Vec<String>)> = Vec::new();
    for edit in edits {
        match edit {
            Edit::Set { field, text } => patches.push(file.set(handoff, field, text)?),
            Edit::Replace { field, index, part, text } => {
                patches.push(file.replace(handoff, field, *index, part.as_deref(), text)?)
            }
            Edit::Remove { field, index } => patches.push(file.remove(handoff, field, *index, edit)?),
            Edit::Append { field, text } => match appended.iter_mut().find(|(other, _)| other == field) {
                Some((_, list)) => list.push(text.clone()),
                None => appended.push((field.clone(), vec![text.clone()])),
            },
        }
    }
    let mut sections: Vec<(String, Vec<String>)> = Vec::new();
    for (field, list) in appended {
        match file.append(handoff, &field, &list) {
            Some(patch) => patches.push(patch),
            None => sections.push((field, list)),
        }
    }
    if !sections.is_empty() {
        patches.push(file.new_sections(&sections));
    }
    Ok(patches)
}

fn entry_end(bytes: &[u8], reading: &Reading) -> usize {
    reading.entries.get(reading.shown).map_or(bytes.len(), |entry| entry.span.to.min(bytes.len()))
}

fn line_end_of(bytes: &[u8]) -> &'static str {
    if bytes.windows(2).any(|pair| pair == b"\r\n") { "\r\n" } else { "\n" }
}

struct File<'a> {
    bytes: &'a [u8],
    end: usize,
    line_end: &'static str,
    canonical: bool,
}

impl File<'_> {
    fn line_start(&self, at: usize) -> usize {
        self.bytes[..at.min(self.bytes.len())]
            .iter()
            .rposition(|byte| *byte == b'\n')
            .map_or(self.bom(), |newline| newline + 1)
    }

    fn bom(&self) -> usize {
        if self.bytes.starts_with(b"\xef\xbb\xbf") { 3 } else { 0 }
    }

    /// The byte after the line end of the line that holds `at`.
    fn after_line(&self, at: usize) -> usize {
        self.bytes[at.min(self.bytes.len())..]
            .iter()
            .position(|byte| *byte == b'\n')
            .map_or(self.bytes.len(), |newline| at + newline + 1)
    }

    fn slice(&self, span: Span) -> String {
        String::from_utf8_lossy(&self.bytes[span.from.min(self.bytes.len())..span.to.min(self.bytes.len())])
            .into_owned()
    }

    /// A text of several lines, continued under its first character.
    fn lines(&self, text: &str, indent: usize, escape_first: bool) -> Vec<u8> {
        let pad = " ".repeat(indent);
        let escaped = escape(text.trim_end());
        let mut out = String::new();
        for (number, (line, plain)) in escaped.lines().zip(text.trim_end().lines()).enumerate() {
            if number > 0 {
                out.push_str(self.line_end);
                out.push_str(&pad);
            }
            out.push_str(if number == 0 && !escape_first { plain } else { line });
        }
        out.into_bytes()
    }

    fn indent_of(&self, span: Span) -> usize {
        let start = self.line_start(span.from);
        let lead = String::from_utf8_lossy(&self.bytes[start..span.from]).into_owned();
        // A check box is part of the item's line and not of its indentation.
        let lead =
            lead.rfind('[').filter(|_| lead.trim_end().ends_with(']')).map_or(lead.as_str(), |open| &lead[..open]);
        lead.chars().count()
    }

    fn set(&self, handoff: &Handoff, field: &str, text: &str) -> Result<Patch, Error> {
        let slot = match field {
            "objective" => &handoff.objective,
            "title" => &handoff.title,
            _ => &handoff.status,
        };
        let Some(span) = slot.as_ref().and_then(|slot| slot.span) else {
            return Ok(self.new_single(field, text));
        };
        let line = self.line_start(span.from);
        let in_front =
            self.bytes.get(self.bom()..).is_some_and(|body| body.starts_with(b"---")) && self.front_end() > span.from;
        if in_front {
            let value = crate::write::scalar(&text.replace('\n', " "));
            // The quotes around the old value go with it.
            let quoted = span.from > line && matches!(self.bytes[span.from - 1], b'"' | b'\'');
            let span = if quoted { Span::new(span.from - 1, (span.to + 1).min(self.bytes.len())) } else { span };
            return Ok(Patch { span, bytes: value.into_bytes() });
        }
        let indent = self.indent_of(span);
        let indent = if self.slice(Span::new(line, span.from)).contains(['-', '*']) { indent } else { 0 };
        Ok(Patch { span, bytes: self.lines(text, indent, self.canonical && field == "objective") })
    }

    fn front_end(&self) -> usize {
        let body = &self.bytes[self.bom()..];
        let mut at = self.after_line(self.bom());
        while at < self.bytes.len() {
            let next = self.after_line(at);
            let line = &self.bytes[at..next];
            if line.trim_ascii_end() == b"---" || line.trim_ascii_end() == b"..." {
                return next;
            }
            at = next;
        }
        body.len()
    }

    fn new_single(&self, field: &str, text: &str) -> Patch {
        if self.canonical && field != "objective" {
            let at = self.front_end();
            let at = self.line_start(at.saturating_sub(1));
            let line = format!("{field}: {}{}", crate::write::scalar(&text.replace('\n', " ")), self.line_end);
            return Patch { span: Span::new(at, at), bytes: line.into_bytes() };
        }
        let heading = match field {
            "objective" => "Objective",
            "title" => "Title",
            _ => "Status",
        };
        let body = format!(
            "## {heading}{nl}{nl}{}{nl}",
            String::from_utf8_lossy(&self.lines(text, 0, true)),
            nl = self.line_end
        );
        self.at_end(&body)
    }

    fn place(&self, handoff: &Handoff, field: &str, index: usize) -> Option<Span> {
        spans(handoff, field).get(index).copied().flatten()
    }

    fn replace(
        &self,
        handoff: &Handoff,
        field: &str,
        index: usize,
        part: Option<&str>,
        text: &str,
    ) -> Result<Patch, Error> {
        let item = format!("{field}/{index}");
        let span = self.place(handoff, field, index).ok_or_else(|| Error::NotAsAsked {
            item: item.clone(),
            found: "the item has no place in the file".to_owned(),
        })?;
        if part == Some("state") {
            return Ok(self.state(span, text));
        }
        let old = self.slice(span);
        let whole = composed(handoff, field, index, part, text);
        if old.trim_start().starts_with('|') {
            let before = texts(handoff, field).get(index).cloned().unwrap_or_default();
            let cell = before.split(" · ").next().unwrap_or_default().to_owned();
            if cell.is_empty() || old.matches(cell.as_str()).count() != 1 || before.contains(" · ") {
                return Err(Error::NotAsAsked {
                    item,
                    found: "a table row of several cells; edit the file itself".to_owned(),
                });
            }
            let new = old.replacen(cell.as_str(), &text.replace('|', "\\|").replace('\n', " "), 1);
            return Ok(Patch { span, bytes: new.into_bytes() });
        }
        Ok(Patch { span, bytes: self.lines(&whole, self.indent_of(span), true) })
    }

    fn state(&self, span: Span, state: &str) -> Patch {
        let mark = box_mark(match state {
            "in_progress" => ItemState::InProgress,
            "blocked" => ItemState::Blocked,
            "done" => ItemState::Done,
            "dropped" => ItemState::Dropped,
            _ => ItemState::Open,
        });
        let line = self.line_start(span.from);
        let lead = self.slice(Span::new(line, span.from));
        if let (Some(open), true) = (lead.rfind('['), lead.trim_end().ends_with(']')) {
            let close = lead.rfind(']').unwrap_or(open + 1);
            return Patch { span: Span::new(line + open + 1, line + close), bytes: mark.to_string().into_bytes() };
        }
        Patch { span: Span::new(span.from, span.from), bytes: format!("[{mark}] ").into_bytes() }
    }

    fn remove(&self, handoff: &Handoff, field: &str, index: usize, edit: &Edit) -> Result<Patch, Error> {
        let span = self.place(handoff, field, index).ok_or_else(|| Error::NotAsAsked {
            item: edit.place(),
            found: "the item has no place in the file".to_owned(),
        })?;
        let start = self.line_start(span.from);
        let lead = self.slice(Span::new(start, span.from));
        let only_marker = lead.chars().all(|character| {
            character.is_whitespace() || character.is_ascii_digit() || "-*+.)[]xX~!/>#".contains(character)
        });
        let from = if only_marker { start } else { span.from };
        let to = if only_marker { self.after_line(span.to) } else { span.to };
        Ok(Patch { span: Span::new(from, to), bytes: Vec::new() })
    }

    /// New items behind the last one of the list, with its marker. None when the list has no last item to follow.
    fn append(&self, handoff: &Handoff, field: &str, list: &[String]) -> Option<Patch> {
        let last = last_listed(handoff, field)?;
        let start = self.line_start(last.from);
        let lead = self.slice(Span::new(start, last.from));
        let marker = lead.trim_end().trim_end_matches(']').trim_end();
        let is_list = lead.contains("- ")
            || lead.contains("* ")
            || lead.contains("+ ")
            || lead.trim_start().starts_with(|c: char| c.is_ascii_digit()) && !marker.is_empty();
        if !is_list || lead.contains('|') || lead.contains('#') {
            return None;
        }
        let at = self.after_line(last.to);
        let mut out = String::new();
        if at == self.bytes.len() && !self.bytes.ends_with(b"\n") {
            out.push_str(self.line_end);
        }
        for (number, text) in list.iter().enumerate() {
            let prefix = next_marker(&lead, number + 1, field, self.canonical);
            let indent = prefix.find('[').unwrap_or(prefix.chars().count());
            out.push_str(&prefix);
            out.push_str(&String::from_utf8_lossy(&self.lines(text, indent, true)));
            out.push_str(self.line_end);
        }
        if at == self.bytes.len() && !self.bytes.ends_with(b"\n") {
            out.truncate(out.len() - self.line_end.len());
        }
        Some(Patch { span: Span::new(at, at), bytes: out.into_bytes() })
    }

    fn new_sections(&self, sections: &[(String, Vec<String>)]) -> Patch {
        let nl = self.line_end;
        let mut body = String::new();
        let mut boundary = false;
        for (field, list) in sections {
            let (heading, sub) = headings(field);
            if let Some(sub) = sub {
                if !boundary {
                    body.push_str(&format!("## {heading}{nl}{nl}"));
                    boundary = true;
                }
                body.push_str(&format!("### {sub}{nl}{nl}"));
            } else {
                body.push_str(&format!("## {heading}{nl}{nl}"));
                boundary = false;
            }
            for text in list {
                let mark = if field == "next" { "- [ ] " } else { "- " };
                body.push_str(mark);
                body.push_str(&String::from_utf8_lossy(&self.lines(text, 2, true)));
                body.push_str(nl);
            }
            body.push_str(nl);
        }
        let trimmed = body.trim_end().len();
        body.truncate(trimmed);
        body.push_str(nl);
        self.at_end(&body)
    }

    /// At the end of the shown entry, a blank line before and, where more follows, one behind.
    fn at_end(&self, body: &str) -> Patch {
        let nl = self.line_end;
        let before = &self.bytes[..self.end];
        let lead = if before.is_empty() || before.ends_with(b"\n\n") || before.ends_with(b"\n\r\n") {
            String::new()
        } else if before.ends_with(b"\n") {
            nl.to_owned()
        } else {
            format!("{nl}{nl}")
        };
        let tail = if self.end < self.bytes.len() { nl } else { "" };
        let body = if self.end == self.bytes.len() && !self.bytes.is_empty() && !self.bytes.ends_with(b"\n") {
            body.trim_end()
        } else {
            body
        };
        Patch { span: Span::new(self.end, self.end), bytes: format!("{lead}{body}{tail}").into_bytes() }
    }
}

fn headings(field: &str) -> (&'static str, Option<&'static str>) {
    match field {
        "constraints" => ("Constraints", None),
        "facts" => ("Verified facts", None),
        "unverified" => ("Unverified", None),
        "hazards" => ("Hazards", None),
        "decisions" => ("Decisions", None),
        "rejected" => ("Rejected", None),
        "done" => ("Done", None),
        "next" => ("Remaining work", None),
        "open" => ("Open questions", None),
        "artifacts" => ("Artifacts", None),
        "safety.may" => ("Safety boundary", Some("May do alone")),
        "safety.never" => ("Safety boundary", Some("Never")),
        _ => ("Safety boundary", Some("Needs a person")),
    }
}

/// The marker of the item after `lead`, a number counted on, a check box open.
fn next_marker(lead: &str, step: usize, field: &str, canonical: bool) -> String {
    let mut out = String::new();
    let digits: String =
        lead.chars().skip_while(|character| character.is_whitespace()).take_while(char::is_ascii_digit).collect();
    if let Ok(number) = digits.parse::<usize>() {
        out.push_str(&lead.replacen(&digits, &(number + step).to_string(), 1));
    } else {
        out.push_str(lead);
    }
    match (out.find('['), out.rfind(']')) {
        (Some(open), Some(close)) if open < close => {
            let mark = if field == "done" { "x" } else { " " };
            out.replace_range(open + 1..close, mark);
        }
        _ if canonical && field == "next" => out.push_str("[ ] "),
        _ => {}
    }
    out
}

fn spans(handoff: &Handoff, field: &str) -> Vec<Option<Span>> {
    let items = |list: &[crate::Item]| list.iter().map(|item| item.span).collect();
    match field {
        "constraints" => items(&handoff.constraints),
        "facts" => items(&handoff.facts),
        "unverified" => items(&handoff.unverified),
        "hazards" => items(&handoff.hazards),
        "done" => items(&handoff.done),
        "next" => items(&handoff.next),
        "open" => items(&handoff.open),
        "safety.may" => items(&handoff.safety.may),
        "safety.ask" => items(&handoff.safety.ask),
        "safety.never" => items(&handoff.safety.never),
        "decisions" => handoff.decisions.iter().map(|decision| decision.span).collect(),
        "rejected" => handoff.rejected.iter().map(|rejected| rejected.span).collect(),
        "artifacts" => handoff.artifacts.iter().map(|artifact| artifact.span).collect(),
        _ => Vec::new(),
    }
}

/// The last item of a list that stands under its heading.
fn last_listed(handoff: &Handoff, field: &str) -> Option<Span> {
    let items = |list: &[crate::Item]| {
        list.iter().filter(|item| item.found == Found::Heading).filter_map(|item| item.span).next_back()
    };
    match field {
        "safety.may" => items(&handoff.safety.may),
        "safety.ask" => items(&handoff.safety.ask),
        "safety.never" => items(&handoff.safety.never),
        "rejected" => {
            handoff.rejected.iter().filter(|item| item.found == Found::Heading).filter_map(|item| item.span).next_back()
        }
        _ => spans(handoff, field).into_iter().flatten().next_back(),
    }
}

/// The whole text of an item after one part of it changed.
fn composed(handoff: &Handoff, field: &str, index: usize, part: Option<&str>, text: &str) -> String {
    let because = |what: &str, why: Option<&str>| {
        why.filter(|why| !why.is_empty()).map_or_else(|| what.to_owned(), |why| format!("{what}: because {why}"))
    };
    match (field, part) {
        ("facts", part) => {
            let fact = &handoff.facts[index];
            let (what, evidence) = if part == Some("evidence") {
                (fact.text.as_str(), Some(text))
            } else {
                (text, fact.evidence.as_deref())
            };
            evidence
                .filter(|evidence| !evidence.is_empty())
                .map_or_else(|| what.to_owned(), |evidence| format!("{what} ({evidence})"))
        }
        ("decisions", part) => {
            let decision = &handoff.decisions[index];
            let (what, why) = if part == Some("why") {
                (decision.what.as_str(), Some(text))
            } else {
                (text, decision.why.as_deref())
            };
            let mut whole = because(what, why);
            for alternative in &decision.alternatives {
                whole.push_str(&format!("\n- Alternatives: {alternative}"));
            }
            whole
        }
        ("rejected", part) => {
            let rejected = &handoff.rejected[index];
            let (what, why) = if part == Some("why") {
                (rejected.what.as_str(), Some(text))
            } else {
                (text, rejected.why.as_deref())
            };
            because(what, why)
        }
        _ => text.to_owned(),
    }
}
