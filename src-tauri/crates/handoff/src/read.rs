//! The way in: bytes become a reading, whatever they are.

use crate::formats::{readers, session};
use crate::source::Source;
use crate::{Format, Limits, Readable, Reading, outside, over_limits};
use sha2::{Digest, Sha256};

/// Reads a document. `name` is its path relative to the root it was found under; the format is told from the
/// content first and from the name second. Never panics and never fails: what cannot be read is a finding.
pub fn read(bytes: &[u8], name: &str, limits: &Limits) -> Reading {
    let cut = bytes.len() > limits.file_bytes;
    let bytes = if cut { &bytes[..boundary(bytes, limits.file_bytes)] } else { bytes };
    let source = Source::new(bytes, name);
    if source.text.trim().is_empty() {
        return Reading {
            format: Format::Unknown,
            readable: Readable::Incomplete,
            reason: Some("The file is empty. It is read again when it changes.".to_owned()),
            entries: Vec::new(),
            shown: 0,
            findings: source.findings(),
        };
    }
    let mut reading = readers()
        .into_iter()
        .find(|reader| reader.recognises(&source))
        .map(|reader| Reading { format: reader.format(), ..reader.read(&source, limits) })
        .unwrap_or_else(|| Reading {
            format: Format::Unknown,
            readable: Readable::NotAHandoff,
            reason: Some("No reader knows this format.".to_owned()),
            entries: Vec::new(),
            shown: 0,
            findings: Vec::new(),
        });
    // The places of a session's reading are those of the document in it.
    let mut findings = if reading.format == Format::Session { Vec::new() } else { source.findings() };
    findings.append(&mut reading.findings);
    if let Some(handoff) = reading.current() {
        findings.extend(outside::findings(handoff));
        findings.extend(over_limits(handoff, limits));
    }
    if cut {
        findings.push(crate::Finding::new(
            crate::Severity::Warning,
            "too-large",
            format!("The file is larger than {} bytes. Only its beginning was read.", limits.file_bytes),
        ));
        reading.entries.truncate(1);
        reading.shown = 0;
        if reading.readable == Readable::Full || reading.readable == Readable::Incomplete {
            reading.readable = Readable::Partial;
        }
    }
    findings.sort_by_key(|finding| finding.span.map_or(0, |span| span.from));
    reading.findings = findings;
    reading
}

/// The end of the last whole UTF-8 character at or before a byte.
fn boundary(bytes: &[u8], at: usize) -> usize {
    (at.saturating_sub(3)..=at).rev().find(|end| bytes.get(*end).is_none_or(|byte| byte & 0xc0 != 0x80)).unwrap_or(at)
}

/// The bytes of the document in a file, which ranges and revision count: the file's own, but for a session of the pi
/// family, where they are the text of its newest handoff. A session without one stays as it is.
pub fn document(bytes: Vec<u8>, name: &str) -> Vec<u8> {
    session::document(&bytes, name).map_or(bytes, String::into_bytes)
}

/// Whether bytes are a session of the pi family, which is never written to.
pub fn is_session(bytes: &[u8]) -> bool {
    session::is_session(bytes)
}

/// Whether a line of a session can matter to the handoff in it; the others need not be kept in memory.
pub fn matters_in_session(line: &[u8]) -> bool {
    session::matters(line)
}

/// The revision of a document: SHA-256 of its raw bytes, lowercase hex.
pub fn revision(bytes: &[u8]) -> String {
    let digit = |half: u8| char::from_digit(u32::from(half), 16).unwrap_or_default(); // OK because half a byte is below 16
    Sha256::digest(bytes).iter().flat_map(|byte| [digit(byte >> 4), digit(byte & 15)]).collect()
}
