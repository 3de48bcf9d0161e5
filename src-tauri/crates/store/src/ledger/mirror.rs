//! `ledger.jsonl`: every event once more, outside the database, one line each. Its last line is the anchor.

use super::Event;
use crate::lock::{self, Held};
use crate::{Error, stands};
use std::fs::{File, OpenOptions};
use std::io::{BufRead, BufReader, ErrorKind, Read, Seek, SeekFrom, Write};
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};

/// The end that is looked at first for the last line; it is doubled until a whole line is in it.
const TAIL_BYTES: u64 = 16 * 1024;

pub(super) struct Mirror {
    path: PathBuf,
    lock: PathBuf,
}

impl Mirror {
    pub(super) fn new(path: &Path, lock: &Path) -> Self {
        Self { path: path.to_owned(), lock: lock.to_owned() }
    }

    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    /// Held by one writer of all processes until dropped.
    pub(super) fn lock(&self) -> Result<Held, Error> {
        if stands!(LedgerLock) { lock::hold(&self.lock) } else { lock::without(&self.lock) }
    }

    /// The number of the last event mirrored; 0 without a mirror. A torn last line counts as not there.
    pub(super) fn last_seq(&self) -> Result<i64, Error> {
        let failed = |source| Error::io("read the ledger's mirror", &self.path, source);
        let mut file = match File::open(&self.path) {
            Ok(file) => file,
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(0),
            Err(error) => return Err(failed(error)),
        };
        let length = file.metadata().map_err(failed)?.len();
        let mut wanted = TAIL_BYTES;
        loop {
            let from = length.saturating_sub(wanted);
            file.seek(SeekFrom::Start(from)).map_err(failed)?;
            let mut tail = Vec::new();
            (&mut file).take(wanted).read_to_end(&mut tail).map_err(failed)?;
            let mut lines: Vec<&[u8]> = tail.split(|byte| *byte == b'\n').collect();
            if from > 0 {
                // Its beginning is not in the tail.
                lines.remove(0);
            }
            let last = lines.iter().rev().find_map(|line| serde_json::from_slice::<Event>(line).ok());
            match last {
                Some(event) => return Ok(event.seq),
                None if from == 0 => return Ok(0),
                None => wanted *= 2,
            }
        }
    }

    /// A mirror that knows more than the database means that the database lost commits or is an old copy.
    pub(super) fn refuse_if_ahead(&self, database: i64) -> Result<(), Error> {
        let mirror = self.last_seq()?;
        if mirror > database {
            return Err(Error::LedgerBehind { path: self.path.clone(), mirror, database });
        }
        Ok(())
    }

    /// Adds events that the database has and the mirror has not.
    pub(super) fn append(&self, events: &[Event]) -> Result<(), Error> {
        let Some(first) = events.first().filter(|_| stands!(LedgerMirror)) else { return Ok(()) };
        let failed = |source| Error::io("write the ledger's mirror", &self.path, source);
        let mut file =
            OpenOptions::new().create(true).append(true).read(true).mode(0o600).open(&self.path).map_err(failed)?;
        let mut lines = Vec::new();
        match self.unfinished(&mut file).map_err(failed)? {
            Some((_, rest)) if serde_json::from_slice::<Event>(&rest).is_ok() => lines.push(b'\n'),
            Some((from, rest)) if is_torn(&rest, first) => file.set_len(from).map_err(failed)?,
            // Not ours: it stays, as evidence.
            Some(_) => lines.push(b'\n'),
            None => {}
        }
        for event in events {
            serde_json::to_writer(&mut lines, event).map_err(|source| failed(source.into()))?;
            lines.push(b'\n');
        }
        file.write_all(&lines).map_err(failed)?;
        file.sync_all().map_err(failed)
    }

    /// What stands after the last line end, and where.
    fn unfinished(&self, file: &mut File) -> std::io::Result<Option<(u64, Vec<u8>)>> {
        let length = file.seek(SeekFrom::End(0))?;
        let mut wanted = TAIL_BYTES;
        loop {
            let from = length.saturating_sub(wanted);
            file.seek(SeekFrom::Start(from))?;
            let mut tail = Vec::new();
            file.take(wanted).read_to_end(&mut tail)?;
            let end = tail.iter().rposition(|byte| *byte == b'\n').map(|at| at + 1);
            match end.or((from == 0).then_some(0)) {
                Some(end) => return Ok((end < tail.len()).then(|| (from + end as u64, tail.split_off(end)))),
                None => wanted *= 2,
            }
        }
    }

    /// Every line: the event, or the number of a line that is none.
    pub(super) fn lines(&self) -> Result<Vec<Result<Event, usize>>, Error> {
        let failed = |source| Error::io("read the ledger's mirror", &self.path, source);
        let file = match File::open(&self.path) {
            Ok(file) => file,
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(Vec::new()),
            Err(error) => return Err(failed(error)),
        };
        let mut lines = Vec::new();
        for (number, line) in BufReader::new(file).split(b'\n').enumerate() {
            let line = line.map_err(failed)?;
            if !line.is_empty() {
                lines.push(serde_json::from_slice(&line).map_err(|_| number + 1));
            }
        }
        Ok(lines)
    }
}

/// Whether the rest is this event's line, cut off by a crash: its beginning, or the zeros of a block that was never
/// written.
fn is_torn(rest: &[u8], event: &Event) -> bool {
    let written = rest.iter().rposition(|byte| *byte != 0).map_or(&rest[..0], |last| &rest[..=last]);
    serde_json::to_vec(event).is_ok_and(|line| line.starts_with(written))
}
