//! `ledger.jsonl`: every event once more, outside the database, one line each. Its last line is the anchor.

use super::Event;
use crate::Error;
use std::fs::{File, OpenOptions};
use std::io::{BufRead, BufReader, Read, Seek, SeekFrom, Write};
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};

/// The longest tail that is searched for the last line; an event's body is capped far below it.
const TAIL_BYTES: u64 = 8 * 1024 * 1024;

pub(super) struct Mirror {
    path: PathBuf,
    lock: PathBuf,
}

impl Mirror {
    pub(super) fn new(path: &Path, lock: &Path) -> Self {
        Self { path: path.to_owned(), lock: lock.to_owned() }
    }

    /// Held by one writer of all processes until dropped.
    pub(super) fn lock(&self) -> Result<File, Error> {
        let failed = |source| Error::io("lock the ledger", &self.lock, source);
        let file =
            OpenOptions::new().create(true).truncate(false).write(true).mode(0o600).open(&self.lock).map_err(failed)?;
        file.lock().map_err(failed)?;
        Ok(file)
    }

    /// The number of the last event mirrored; 0 without a mirror. A torn last line counts as not there.
    pub(super) fn last_seq(&self) -> Result<i64, Error> {
        let failed = |source| Error::io("read the ledger's mirror", &self.path, source);
        let mut file = match File::open(&self.path) {
            Ok(file) => file,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(0),
            Err(error) => return Err(failed(error)),
        };
        let length = file.metadata().map_err(failed)?.len();
        file.seek(SeekFrom::Start(length.saturating_sub(TAIL_BYTES))).map_err(failed)?;
        let mut tail = Vec::new();
        file.read_to_end(&mut tail).map_err(failed)?;
        let last = tail
            .split(|byte| *byte == b'\n')
            .rev()
            .filter(|line| !line.is_empty())
            .find_map(|line| serde_json::from_slice::<Event>(line).ok());
        Ok(last.map_or(0, |event| event.seq))
    }

    /// A mirror that knows more than the database means that the database lost commits or is an old copy.
    pub(super) fn refuse_if_ahead(&self, database: i64) -> Result<(), Error> {
        let mirror = self.last_seq()?;
        if mirror > database {
            return Err(Error::LedgerBehind { path: self.path.clone(), mirror, database });
        }
        Ok(())
    }

    pub(super) fn append(&self, events: &[Event]) -> Result<(), Error> {
        let failed = |source| Error::io("write the ledger's mirror", &self.path, source);
        let mut file =
            OpenOptions::new().create(true).append(true).read(true).mode(0o600).open(&self.path).map_err(failed)?;
        let mut lines = Vec::new();
        if !ends_with_newline(&mut file).map_err(failed)? {
            lines.push(b'\n');
        }
        for event in events {
            serde_json::to_writer(&mut lines, event).map_err(|source| failed(source.into()))?;
            lines.push(b'\n');
        }
        file.write_all(&lines).map_err(failed)?;
        file.sync_all().map_err(failed)
    }

    /// Every line: the event, or the number of a line that is none.
    pub(super) fn lines(&self) -> Result<Vec<Result<Event, usize>>, Error> {
        let failed = |source| Error::io("read the ledger's mirror", &self.path, source);
        let file = match File::open(&self.path) {
            Ok(file) => file,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(Vec::new()),
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

fn ends_with_newline(file: &mut File) -> std::io::Result<bool> {
    if file.seek(SeekFrom::End(0))? == 0 {
        return Ok(true);
    }
    file.seek(SeekFrom::End(-1))?;
    let mut last = [0];
    file.read_exact(&mut last)?;
    Ok(last[0] == b'\n')
}
