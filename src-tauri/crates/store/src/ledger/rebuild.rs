//! Making a damaged ledger again from its mirror. Only on a person's word, into a new file; the old one is kept.

use super::{Event, file_of, mirror::Mirror, schema, verify};
use crate::home::private_file;
use crate::{Error, Home};
use std::fs::{self, File};
use std::path::{Path, PathBuf};

/// What came of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rebuilt {
    /// Events that the new ledger has.
    pub events: usize,
    /// Lines of the mirror that do not continue the chain and were left out.
    pub left_out: usize,
    /// Where the old ledger is kept; absent when there was none.
    pub kept_at: Option<PathBuf>,
}

/// Makes `ledger.db` again from `ledger.jsonl`. Processes that have the old one open refuse to write from then on.
///
/// # Errors
/// [`Error::SoundLedger`] when the ledger is whole and knows at least what the mirror knows; [`Error::NoMirror`]; the
/// disk's. Whatever fails, the old files are still there under one name or the other.
pub fn rebuild(home: &Home, now_ms: i64) -> Result<Rebuilt, Error> {
    let path = home.ledger();
    let mirror = Mirror::new(&home.mirror(), &home.locks().join("ledger.lock"));
    let held = mirror.lock()?;
    let lines = mirror.lines()?;
    let events = unbroken(&lines);
    if let Some(sound) = sound_events(&path)
        && sound >= lines.iter().flatten().count()
    {
        return Err(Error::SoundLedger { path, events: sound });
    }
    if events.is_empty() {
        return Err(Error::NoMirror { path: mirror.path().to_owned() });
    }
    let made = home.root().join("ledger.db.new");
    make(&made, &events)?;
    let kept_at = set_aside(&path, now_ms)?;
    fs::rename(&made, &path).map_err(|source| Error::io("put the new ledger at", &path, source))?;
    sync(home.root())?;
    drop(held);
    Ok(Rebuilt { events: events.len(), left_out: lines.len() - events.len(), kept_at })
}

/// The events from the first line on that continue the chain.
fn unbroken(lines: &[Result<Event, usize>]) -> Vec<Event> {
    let mut events: Vec<Event> = Vec::new();
    for event in lines.iter().flatten() {
        let (last, prev) = events.last().map_or((0, ""), |event| (event.seq, event.hash.as_str()));
        if event.seq != last + 1 || event.prev != prev || event.computed_hash() != event.hash {
            break;
        }
        events.push(event.clone());
    }
    events
}

/// How many events a ledger has when nothing is wrong with it.
fn sound_events(path: &Path) -> Option<usize> {
    file_of(path)?;
    let (connection, _) = schema::open(path).ok()?;
    let integrity: String = connection.query_row("PRAGMA integrity_check", [], |row| row.get(0)).ok()?;
    let events = super::Ledger::select(&connection, "ORDER BY seq", []).ok()?;
    (integrity == "ok" && verify::chain(&events).is_empty()).then_some(events.len())
}

fn make(path: &Path, events: &[Event]) -> Result<(), Error> {
    for end in ["", "-wal", "-shm"] {
        // What an interrupted attempt left.
        fs::remove_file(with_end(path, end)).ok();
    }
    private_file(path)?;
    let failed = |source| Error::database("make the ledger again at", path, source);
    let (mut connection, _) = schema::open(path).map_err(failed)?;
    let transaction = connection.transaction().map_err(failed)?;
    events.iter().try_for_each(|event| schema::insert(&transaction, event, "INSERT")).map_err(failed)?;
    transaction.commit().map_err(failed)?;
    // The last connection moves the log into the file when it closes.
    connection.close().map_err(|(_, source)| failed(source))?;
    File::open(path).and_then(|file| file.sync_all()).map_err(|source| Error::io("flush", path, source))
}

/// Moves the old ledger away, its log first: a log never stands beside a database that is not its own.
fn set_aside(path: &Path, now_ms: i64) -> Result<Option<PathBuf>, Error> {
    let aside = with_end(path, &format!(".damaged-{now_ms}"));
    let mut moved = false;
    for end in ["-wal", "-shm", ""] {
        let from = with_end(path, end);
        match fs::rename(&from, with_end(&aside, end)) {
            Ok(()) => moved |= end.is_empty(),
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => {}
            Err(error) => return Err(Error::io("set aside", &from, error)),
        }
    }
    Ok(moved.then_some(aside))
}

fn with_end(path: &Path, end: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(end);
    PathBuf::from(name)
}

fn sync(folder: &Path) -> Result<(), Error> {
    File::open(folder).and_then(|folder| folder.sync_all()).map_err(|source| Error::io("flush", folder, source))
}
