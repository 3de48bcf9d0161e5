//! Handoffs inside sessions of the pi family: pi, oh-my-pi and MusePi.
//!
//! A session is a log of JSON lines that its program still writes to. The handoff in it is a document of its own: the
//! reading is of that document, places count its bytes, and so does its revision, so that a session that grows is not
//! news and the copy that oh-my-pi may leave beside it is the same handoff. A session is never written to.
// Source: can1357/oh-my-pi: docs/handoff-generation-pipeline.md, docs/session.md;
// badlogic/pi-mono: packages/coding-agent/examples/extensions/handoff.ts, seen 2026-12

mod carried;
mod records;

use super::markdown::Markdown;
use super::{Reader, extension};
use crate::source::Source;
use crate::{Finding, Format, Handoff, Limits, Readable, Reading, Severity};
use carried::{Carried, carried};
use records::Session;

/// The reader of sessions.
pub(crate) struct PiSession;

impl Reader for PiSession {
    fn format(&self) -> Format {
        Format::Session
    }

    fn recognises(&self, source: &Source<'_>) -> bool {
        // A log of another program is none of the formats below either.
        is_session(source.text.as_bytes()) || extension(source.name) == "jsonl"
    }

    fn read(&self, source: &Source<'_>, limits: &Limits) -> Reading {
        let session = Session::read(&source.text);
        // What is no session has no document of its own: its places would count the bytes of another text.
        let own = is_session(source.text.as_bytes());
        let mut found = if own { carried(&session, source.name) } else { Vec::new() };
        let mut findings = skipped(&session);
        let Some(last) = found.pop() else {
            let reason = match own {
                false => "This log is no session of pi, oh-my-pi or MusePi.",
                true => "This session carries no handoff.",
            };
            return Reading {
                format: Format::Session,
                readable: Readable::NotAHandoff,
                reason: Some(reason.to_owned()),
                entries: Vec::new(),
                shown: 0,
                findings,
            };
        };
        findings.extend(about(&last, found.len()));
        let document = last.document();
        let inner = Source::new(document.as_bytes(), "handoff.md");
        let mut reading = Markdown.read(&inner, limits);
        reading.format = Format::Session;
        findings.extend(inner.findings());
        if reading.readable == Readable::NotAHandoff {
            // It says of itself that it is one: what it holds is shown, whatever it is.
            reading.readable = Readable::Partial;
            reading.reason = None;
            let kept = crate::Section {
                heading: String::new(),
                text: document.trim_end().to_owned(),
                span: Some(crate::Span::new(0, document.len())),
            };
            reading.entries = vec![crate::Entry {
                heading: String::new(),
                span: crate::Span::new(0, document.len()),
                at: None,
                handoff: Handoff { extra: vec![kept], ..Handoff::default() },
            }];
            reading.shown = 0;
        }
        if let Some(entry) = reading.entries.get_mut(reading.shown) {
            last.tell(&session, &mut entry.handoff);
            entry.at = entry.at.take().or_else(|| entry.handoff.provenance.written_at.clone());
        }
        findings.append(&mut reading.findings);
        Reading { findings, ..reading }
    }
}

/// Whether bytes begin as a session of the pi family does.
pub(crate) fn is_session(bytes: &[u8]) -> bool {
    if !bytes.trim_ascii_start().starts_with(b"{\"") {
        return false;
    }
    bytes.split(|byte| *byte == b'\n').take(5).any(|line| {
        let line = line.trim_ascii();
        line.starts_with(b"{")
            && line.len() < 64 * 1024
            && serde_json::from_str::<serde_json::Value>(&String::from_utf8_lossy(line))
                .is_ok_and(|record| records::is_header(&record))
    })
}

/// The document of the newest handoff in a session; none when the bytes are no session or it carries none.
pub(crate) fn document(bytes: &[u8], name: &str) -> Option<String> {
    // Text in two bytes a character, with or without its mark, is told only after decoding.
    let marked = bytes.starts_with(b"\xef\xbb\xbf") || bytes.starts_with(b"\xff\xfe") || bytes.starts_with(b"\xfe\xff");
    let marked = marked || bytes.iter().take(4).any(|byte| *byte == 0);
    if !marked && !is_session(bytes) {
        return None;
    }
    let source = Source::new(bytes, name);
    if !is_session(source.text.as_bytes()) {
        return None;
    }
    carried(&Session::read(&source.text), name).pop().map(|last| last.document())
}

/// Whether a line of a session can matter to its handoff; the others need not be kept in memory.
pub(crate) fn matters(line: &[u8]) -> bool {
    records::matters(line)
}

fn skipped(session: &Session) -> Vec<Finding> {
    if session.skipped == 0 {
        return Vec::new();
    }
    let message = match session.skipped {
        1 => "One line of the session could not be read. It was skipped.".to_owned(),
        many => format!("{many} lines of the session could not be read. They were skipped."),
    };
    vec![Finding::new(Severity::Warning, "session-lines-skipped", message)]
}

fn about(last: &Carried, older: usize) -> Vec<Finding> {
    let mut findings = vec![Finding::new(Severity::Info, "handoff-in-session", last.place())];
    if older > 0 {
        let message = format!("This session holds {} handoffs. The newest is shown.", older + 1);
        findings.push(Finding::new(Severity::Info, "several-handoffs-in-one-file", message));
    }
    findings.extend(last.doubt().map(|doubt| Finding::new(Severity::Warning, "not-written-as-handoff", doubt)));
    findings
}
