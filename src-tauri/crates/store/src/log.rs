//! A log to attach to a report: what was asked of the desk, how long it took, how it failed. It never holds a path, an
//! id, a name or a word of a document, so that it can be given away unread.

use crate::Home;
use serde::Serialize;
use std::fs::{self, OpenOptions};
use std::io::Write;
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};

/// Above this size the log begins anew; the one before is kept beside it.
const LONGEST: u64 = 1 << 20;

/// One line. Every text in it is a word of this program, none comes from a person's files.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Line<'a> {
    /// RFC 3339, UTC.
    pub at: &'a str,
    /// `command line`, `window`, `rpc`, `mcp`.
    pub host: &'a str,
    /// The program's version.
    pub version: &'a str,
    /// The system, `linux x86_64`.
    pub system: &'a str,
    /// The operation.
    pub operation: &'a str,
    /// Milliseconds taken.
    pub took_ms: u64,
    /// The code of the error, or `ok`.
    pub code: &'a str,
    /// What the system or the database said: an error number, a result code, a place in this program's source.
    pub cause: Option<&'a str>,
}

/// The log of a home.
#[derive(Clone, Debug)]
pub struct Log {
    path: PathBuf,
}

impl Log {
    /// The log of a home. Nothing is created before the first line.
    pub fn of(home: &Home) -> Self {
        Self { path: home.root().join("logs/fuda.jsonl") }
    }

    /// Where it is.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Appends a line. A log that cannot be written is no reason to fail at anything else, so nothing is reported.
    pub fn write(&self, line: &Line<'_>) {
        let Ok(mut text) = serde_json::to_vec(line) else { return };
        text.push(b'\n');
        if fs::metadata(&self.path).is_ok_and(|found| found.len() > LONGEST) {
            let _ = fs::rename(&self.path, self.path.with_extension("1.jsonl"));
        }
        let file = OpenOptions::new().append(true).create(true).mode(0o600).open(&self.path);
        // One write a line, so that lines of two programs do not mix.
        let _ = file.and_then(|mut file| file.write_all(&text));
    }
}
