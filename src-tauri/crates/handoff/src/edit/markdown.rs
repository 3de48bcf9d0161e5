//! Edits of Markdown and the canonical file: lines in, lines out, with the file's own markers and line ends.

use super::verify::said;
use super::{Change, Edit, Patch, changes, spans, texts};
use crate::write::{box_mark, escape};
use crate::{Error, Format, Handoff, ItemState, Reading, Span};

pub(super) fn patches(bytes: &[u8], reading: &Reading, handoff: &Handoff, edits: &[Edit]) -> Result<Vec<Patch>, Error> {
    let entry = reading.entries.get(reading.shown).map_or(Span::new(0, bytes.len()), |entry| entry.span);
    let end = entry.to.min(bytes.len());
    let file = File {
        bytes,
        start: entry.from.min(end),
        end,
        line_end: line_end_of(bytes),
        canonical: reading.format == Format::Canonical,
    };
    let mut patches = Vec::new();
    let mut appended: Vec<(String, Vec<String>)> = Vec::new();
    for edit in edits {
        match edit {
            Edit::Set { field, text } => patches.push(file.set(handoff, field, text)?),
            // Replacements are gathered below; moves became replacements before.
            Edit::Replace { .. } | Edit::Move { .. } => {}
            Edit::Remove { field, index } => patches.push(file.remove(handoff, field, *index, edit)?),
            Edit::Append { field, text } => match appended.iter_mut().find(|(other, _)| other == field) {
                Some((_, list)) => list.push(text.clone()),
                None => appended.push((field.clone(), vec![text.clone()])),
            },
        }
    }
    for (field, index, change) in changes(edits) {
        patches.extend(file.replace(handoff, field, index, change)?);
    }
    let mut sections: Vec<(String, Vec<String>)> = Vec::new();
    let mut sublists = Vec::new();
    for (field, list) in appended {
        match file.append(handoff, &field, &list) {
            Some(patch) => patches.push(patch),
            None => match file.sublist(handoff, &field, &list) {
                Some(patch) => sublists.push(patch),
                None => sections.push((field, list)),
            },
        }
    }
    // Behind the items that join the last list there is.
    patches.append(&mut sublists);
    if !sections.is_empty() {
        // The lists of the boundary stand in one section.
        sections.sort_by_key(|(field, _)| field.starts_with("safety."));
        patches.push(file.new_sections(&sections));
    }
    Ok(patches)
}

fn front_scalar(text: &str) -> String {
    crate::write::scalar(&text.split_whitespace().collect::<Vec<_>>().join(" "))
}

fn line_end_of(bytes: &[u8]) -> &'static str {
    if bytes.windows(2).any(|pair| pair == b"\r\n") { "\r\n" } else { "\n" }
}

struct File<'a> {
    bytes: &'a [u8],
    start: usize,
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
        if let Some(key) = field.strip_prefix("provenance.") {
            return self.provenance(key, text);
        }
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
            return Ok(self.front_value(span, text));
        }
        let indent = self.indent_of(span);
        let indent = if self.slice(Span::new(line, span.from)).contains(['-', '*']) { indent } else { 0 };
        if !self.canonical && text.contains('\n') {
            // What people write as Markdown stays Markdown: a list in the objective is one.
            let pad = format!("{}{}", self.line_end, " ".repeat(indent));
            return Ok(Patch { span, bytes: text.lines().collect::<Vec<_>>().join(&pad).into_bytes() });
        }
        Ok(Patch { span, bytes: self.lines(text, indent, self.canonical && field == "objective") })
    }

    /// A value of the front matter; the quotes around the old one go with it.
    fn front_value(&self, span: Span, text: &str) -> Patch {
        let quoted = span.from > self.line_start(span.from) && matches!(self.bytes[span.from - 1], b'"' | b'\'');
        let span = if quoted { Span::new(span.from - 1, (span.to + 1).min(self.bytes.len())) } else { span };
        Patch { span, bytes: front_scalar(text).into_bytes() }
    }

    /// A new line at the end of the front matter.
    fn new_front_line(&self, key: &str, text: &str) -> Patch {
        let at = self.line_start(self.front_end().saturating_sub(1));
        let line = format!("{key}: {}{}", front_scalar(text), self.line_end);
        Patch { span: Span::new(at, at), bytes: line.into_bytes() }
    }

    /// Where a document came from and goes to has a place of its own in a front matter only.
    fn provenance(&self, key: &str, text: &str) -> Result<Patch, Error> {
        let source = crate::source::Source::new(self.bytes, "");
        let front = crate::formats::front_matter::read(&source).filter(|front| !front.open);
        let pair = front.as_ref().and_then(|front| front.pairs.iter().find(|pair| pair.key == key));
        match pair.and_then(|pair| pair.value.span) {
            Some(span) if span.is_empty() => Ok(Patch { span, bytes: format!(" {}", front_scalar(text)).into_bytes() }),
            Some(span) => Ok(self.front_value(span, text)),
            None if self.canonical && front.is_some() => Ok(self.new_front_line(key, text)),
            None => Err(Error::NeedsCanonicalCopy { format: "Markdown without that key".to_owned() }),
        }
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
            return self.new_front_line(field, text);
        }
        if field == "title" {
            return self.new_title(text);
        }
        let heading = if field == "objective" { "Objective" } else { "Status" };
        let body = format!(
            "## {heading}{nl}{nl}{}{nl}",
            String::from_utf8_lossy(&self.lines(text, 0, true)),
            nl = self.line_end
        );
        self.at_end(&body)
    }

    /// A first heading at the start of the entry, behind a front matter.
    fn new_title(&self, text: &str) -> Patch {
        let has_front = self.bytes[self.bom()..].starts_with(b"---");
        let at = if self.start <= self.bom() && has_front { self.front_end() } else { self.start.max(self.bom()) };
        let nl = self.line_end;
        let lead = if at > self.bom() && !self.bytes[..at].ends_with(b"\n") { nl } else { "" };
        let words = text.split_whitespace().collect::<Vec<_>>().join(" ");
        Patch { span: Span::new(at, at), bytes: format!("{lead}# {words}{nl}{nl}").into_bytes() }
    }

    fn place(&self, handoff: &Handoff, field: &str, index: usize) -> Option<Span> {
        spans(handoff, field).get(index).copied().flatten()
    }

    fn replace(&self, handoff: &Handoff, field: &str, index: usize, change: Change<'_>) -> Result<Vec<Patch>, Error> {
        let item = format!("{field}/{index}");
        let span = self.place(handoff, field, index).ok_or_else(|| Error::NotAsAsked {
            item: item.clone(),
            found: "the item has no place in the file".to_owned(),
        })?;
        let mut patches = Vec::new();
        let mut change = change;
        if let Some(("state", state)) = change.part {
            change.part = None;
            patches.push(self.state(span, state));
        }
        if change.text.is_none() && change.part.is_none() {
            return Ok(patches);
        }
        let old = self.slice(span);
        if old.trim_start().starts_with('|') {
            let before = texts(handoff, field).get(index).cloned().unwrap_or_default();
            patches.push(self.cell(&item, span, &before, change)?);
            return Ok(patches);
        }
        let whole = composed(handoff, field, index, change);
        patches.push(Patch { span, bytes: self.lines(&whole, self.indent_of(span), true) });
        Ok(patches)
    }

    /// A row of a table changes in the one cell in which the new text differs.
    fn cell(&self, item: &str, span: Span, before: &str, change: Change<'_>) -> Result<Patch, Error> {
        let row = self.slice(span);
        let cells = row.split('|').map(str::trim).filter(|cell| !cell.is_empty());
        let single = |text: &str, what: &str| text.matches(what).count() == 1;
        let changed = |cell: &str, text: &str| {
            let (lead, tail) = before.split_once(cell)?;
            let new = text.strip_prefix(lead)?.strip_suffix(tail)?.trim();
            (!new.is_empty()).then(|| row.replacen(cell, &new.replace('|', "\\|").replace('\n', " "), 1))
        };
        let new = change.text.filter(|_| change.part.is_none()).and_then(|text| {
            cells.filter(|cell| single(&row, cell) && single(before, cell)).find_map(|cell| changed(cell, text))
        });
        match new {
            Some(new) => Ok(Patch { span, bytes: new.into_bytes() }),
            None => Err(Error::NotAsAsked {
                item: item.to_owned(),
                found: "a table row of which more than one cell would change".to_owned(),
            }),
        }
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
        if lead.trim_end().ends_with(['-', '*', '+', '.', ')']) {
            return Patch { span: Span::new(span.from, span.from), bytes: format!("[{mark}] ").into_bytes() };
        }
        // A sentence or a heading has no box; a remark behind its first line says it.
        let first = self.slice(span).lines().next().map_or(0, |line| line.trim_end().len());
        let at = span.from + first;
        Patch { span: Span::new(at, at), bytes: format!(" ({})", state.replace('_', " ")).into_bytes() }
    }

    fn remove(&self, handoff: &Handoff, field: &str, index: usize, edit: &Edit) -> Result<Patch, Error> {
        let span = self.place(handoff, field, index).ok_or_else(|| Error::NotAsAsked {
            item: edit.place(),
            found: "the item has no place in the file".to_owned(),
        })?;
        let start = self.line_start(span.from);
        let lead = self.slice(Span::new(start, span.from));
        let marker = lead.chars().all(|character| {
            character.is_whitespace()
                || character.is_ascii_digit()
                || "-*+.)[]xX~!/>#".contains(character)
                || ('①'..='⑳').contains(&character)
        });
        // `LABEL: value` goes with its label when the value is all that stands there.
        let line_end = self.after_line(span.to);
        let label =
            lead.trim_end().ends_with([':', '：']) && self.slice(Span::new(span.to, line_end)).trim().is_empty();
        if !marker && !label {
            return Ok(Patch { span, bytes: Vec::new() });
        }
        // The last line of a file without a line end takes the one before it along.
        let last = line_end == self.bytes.len() && !self.bytes.ends_with(b"\n");
        let before = if self.bytes[..start].ends_with(b"\r\n") { 2 } else { usize::from(start > self.bom()) };
        Ok(Patch { span: Span::new(if last { start - before } else { start }, line_end), bytes: Vec::new() })
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

    /// A list of the boundary that a canonical file lacks, behind the last one that it has.
    fn sublist(&self, handoff: &Handoff, field: &str, list: &[String]) -> Option<Patch> {
        let (_, Some(heading)) = headings(field) else { return None };
        let last =
            ["safety.may", "safety.ask", "safety.never"].iter().filter_map(|list| last_listed(handoff, list)).max();
        let at = self.after_line(last.filter(|_| self.canonical)?.to);
        let nl = self.line_end;
        let mut body = format!("### {heading}{nl}");
        for text in list {
            body.push_str(&format!("- {}{nl}", String::from_utf8_lossy(&self.lines(text, 2, true))));
        }
        let open = at == self.bytes.len() && !self.bytes.ends_with(b"\n");
        let body = if open { format!("{nl}{}", body.trim_end()) } else { body };
        Some(Patch { span: Span::new(at, at), bytes: body.into_bytes() })
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
        "omitted" => ("Omitted", None),
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

/// The last item of a list that stands under its heading.
fn last_listed(handoff: &Handoff, field: &str) -> Option<Span> {
    said(handoff, field).into_iter().filter(|item| !item.prose).filter_map(|item| item.span).max()
}

/// The whole text of an item after the change.
fn composed(handoff: &Handoff, field: &str, index: usize, change: Change<'_>) -> String {
    let text = |old: &str| change.text.unwrap_or(old).to_owned();
    let part = |old: &Option<String>| {
        let part = change.part.map(|(_, part)| part.to_owned()).or_else(|| old.clone());
        part.filter(|part| !part.is_empty())
    };
    let because = |what: String, why: Option<String>| match why {
        Some(why) => format!("{what}: because {why}"),
        None => what,
    };
    match field {
        "facts" => {
            let fact = &handoff.facts[index];
            match part(&fact.evidence) {
                Some(evidence) => format!("{} ({evidence})", text(&fact.text)),
                None => text(&fact.text),
            }
        }
        "decisions" => {
            let decision = &handoff.decisions[index];
            let mut whole = because(text(&decision.what), part(&decision.why));
            for alternative in &decision.alternatives {
                whole.push_str(&format!("\n- Alternatives: {alternative}"));
            }
            whole
        }
        "rejected" => {
            let rejected = &handoff.rejected[index];
            because(text(&rejected.what), part(&rejected.why))
        }
        _ => text(""),
    }
}
