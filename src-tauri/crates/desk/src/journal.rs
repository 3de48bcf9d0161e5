//! The journal of a supervised run: what happened and when, line by line in the run's private folder, so that every
//! window and terminal sees the same of a run, whoever supervises it and however often a window is closed.

use crate::decide::rfc3339;
use crate::launch::Signal;
use crate::resume::RunEvent;
use serde::{Deserialize, Serialize};
use std::fs::File;
use std::io::Write;
use std::os::unix::fs::OpenOptionsExt;
use std::path::Path;
use ts_rs::TS;

/// Its name in the run's folder.
const NAME: &str = "journal";
/// The most that is written; an agent that calls tools for days ends no disk.
const MOST_BYTES: u64 = 8 << 20;

/// One thing that happened in a run.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct RunStep {
    /// When, RFC 3339.
    pub at: String,
    /// Milliseconds since the claim.
    #[ts(type = "number")]
    pub after_ms: i64,
    /// `claimed`, `matches`, `started`, `session`, `life`, `tool`, `question`, `denied`, `limit`, `retry`, `failed`,
    /// `ended`, `checking`.
    pub kind: String,
    /// What exactly: a tool's name, the agent's words. Empty where the kind says it all.
    pub text: String,
}

/// Writes as a run goes. A line that cannot be written ends no run: the outcome is in the ledger.
pub(crate) struct Journal {
    file: Option<File>,
    began_ms: i64,
    written: u64,
    now: fn() -> i64,
}

impl Journal {
    pub fn begin(run: &Path, now: fn() -> i64) -> Self {
        let file = File::options().append(true).create_new(true).mode(0o600).open(run.join(NAME)).ok();
        Self { file, began_ms: now(), written: 0, now }
    }

    pub fn note(&mut self, kind: &str, text: &str) {
        let now = (self.now)();
        let step =
            RunStep { at: rfc3339(now), after_ms: now - self.began_ms, kind: kind.to_owned(), text: text.to_owned() };
        let Ok(mut line) = serde_json::to_vec(&step) else { return };
        line.push(b'\n');
        self.written += line.len() as u64;
        if let Some(file) = self.file.as_mut().filter(|_| self.written <= MOST_BYTES) {
            let _ = file.write_all(&line);
        }
    }

    pub fn happened(&mut self, event: &RunEvent) {
        match event {
            RunEvent::Claimed(claimed) => self.note("claimed", &claimed.by),
            RunEvent::Matches => self.note("matches", ""),
            RunEvent::Started { pid, .. } => self.note("started", &pid.to_string()),
            RunEvent::Asked { question, what } => self.note("asked", &format!("{question} {what}")),
            RunEvent::Checking { command } => self.note("checking", &command.join(" ")),
            RunEvent::Signal(signal) => match signal {
                Signal::Session { session } => self.note("session", session.id.as_deref().unwrap_or_default()),
                Signal::Life => self.note("life", ""),
                Signal::Tool { name } => self.note("tool", name),
                Signal::Question { text } => self.note("question", text),
                Signal::Denied { what } => self.note("denied", what),
                Signal::Limit { message, .. } => self.note("limit", message),
                Signal::Retry { message } => self.note("retry", message),
                Signal::Failed { message } => self.note("failed", message),
                Signal::Ended { ok: true, message } => self.note("ended", message),
                Signal::Ended { ok: false, message } => self.note("failed", message),
            },
        }
    }
}

/// What was written so far. A last line that is still being written is not there yet.
pub(crate) fn read(run: &Path) -> Vec<RunStep> {
    let Ok(bytes) = std::fs::read(run.join(NAME)) else { return Vec::new() };
    bytes.split_inclusive(|byte| *byte == b'\n').filter_map(|line| serde_json::from_slice(line).ok()).collect()
}
