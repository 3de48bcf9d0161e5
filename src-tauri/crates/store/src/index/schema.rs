//! The tables of `index.db`, and how the file is opened, made and replaced.

use crate::{Error, Home, lock};
use rusqlite::config::DbConfig;
use rusqlite::{Connection, ErrorCode};
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// Goes up whenever rows would be read differently; an index of another number is thrown away and made again.
const SCHEMA: i64 = 5;

/// Negative: KiB, not pages.
const CACHE_KIB: i64 = -32 * 1024;
/// Pages in the write-ahead log before they are moved into the file.
const CHECKPOINT_PAGES: i64 = 8_000;

/// `places` is slim, so that ordering and relating touch no document; `touched` is the generation that wrote it last.
/// `words` keeps tokens only, by the place's number.
const CREATE: &str = "
CREATE TABLE files (
    path TEXT PRIMARY KEY, profiles TEXT NOT NULL, dev INTEGER NOT NULL, ino INTEGER NOT NULL, size INTEGER NOT NULL,
    mtime_ns INTEGER NOT NULL, ctime_ns INTEGER NOT NULL, rev TEXT NOT NULL, outcome TEXT NOT NULL
) STRICT, WITHOUT ROWID;
CREATE TABLE places (
    id INTEGER PRIMARY KEY, path TEXT NOT NULL UNIQUE, identity TEXT NOT NULL, declared TEXT, handle TEXT NOT NULL,
    rev TEXT NOT NULL, sort INTEGER NOT NULL, mtime_ms INTEGER NOT NULL, parent TEXT, line TEXT,
    shown INTEGER NOT NULL, fresh INTEGER NOT NULL, archived INTEGER NOT NULL, conflict INTEGER NOT NULL,
    superseded_by TEXT, touched INTEGER NOT NULL, undated INTEGER NOT NULL
) STRICT;
CREATE INDEX places_identity ON places(identity);
CREATE INDEX places_touched ON places(touched);
CREATE INDEX places_order ON places(shown, sort DESC, mtime_ms DESC, path DESC);
CREATE TABLE documents (id INTEGER PRIMARY KEY, row TEXT NOT NULL, body TEXT NOT NULL) STRICT;
CREATE VIRTUAL TABLE words USING fts5(tokens, content = '', contentless_delete = 1, tokenize = 'ascii');
INSERT INTO words (words, rank) VALUES ('hashsize', 16777216);
CREATE TABLE revisions (
    identity TEXT NOT NULL, rev TEXT NOT NULL, seen_ms INTEGER NOT NULL, by TEXT NOT NULL, bytes INTEGER NOT NULL
) STRICT;
CREATE INDEX revisions_identity ON revisions(identity, seen_ms);
CREATE INDEX revisions_rev ON revisions(rev);
CREATE TABLE state (key TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT;
";

/// Opens the index; one that is missing, of another schema or damaged is made anew. One process at a time does this.
pub(super) fn open(home: &Home) -> Result<Connection, Error> {
    let path = home.index();
    let held = lock::hold(&home.locks().join("index.lock"))?;
    let failed = |source| Error::database("open the index", &path, source);
    let damaged = fs::remove_file(note_of(&path)).is_ok();
    let opened = match if damaged { Ok(None) } else { try_open(&path) } {
        Ok(Some(connection)) => Ok(connection),
        Ok(None) => anew(&path),
        Err(error) if is_damage(&error) => anew(&path),
        Err(error) => Err(failed(error)),
    };
    drop(held);
    opened
}

/// None: the file is of another schema.
fn try_open(path: &Path) -> rusqlite::Result<Option<Connection>> {
    let connection = Connection::open(path)?;
    connection.busy_timeout(Duration::from_secs(10))?;
    connection.pragma_update(None, "journal_mode", "WAL")?;
    connection.pragma_update(None, "synchronous", "NORMAL")?;
    // A batch of a scan fits: pages that spill are written twice and read again. Memory is taken as it is needed.
    connection.pragma_update(None, "cache_size", CACHE_KIB)?;
    connection.pragma_update(None, "wal_autocheckpoint", CHECKPOINT_PAGES)?;
    // A plan does not depend on what is bound, so that a statement is not prepared again for every value.
    connection.set_db_config(DbConfig::SQLITE_DBCONFIG_ENABLE_QPSG, true)?;
    let version: i64 = connection.pragma_query_value(None, "user_version", |row| row.get(0))?;
    match version {
        // Something else than a program of ours took a table away.
        SCHEMA if !has_tables(&connection)? => return Ok(None),
        SCHEMA => {}
        0 => connection.execute_batch(&format!("BEGIN IMMEDIATE; {CREATE} PRAGMA user_version = {SCHEMA}; COMMIT;"))?,
        _ => return Ok(None),
    }
    Ok(Some(connection))
}

/// Notes that the file was found damaged while it was read: whoever opens it next makes it anew.
pub(super) fn note_damage(path: &Path, error: &rusqlite::Error) {
    if is_damage(error) {
        // Where even this cannot be written, the disk has worse to say.
        let _ = crate::home::private_file(&note_of(path));
    }
}

fn note_of(path: &Path) -> PathBuf {
    path.with_extension("damaged")
}

fn has_tables(connection: &Connection) -> rusqlite::Result<bool> {
    let names = "'files', 'places', 'documents', 'words', 'revisions', 'state'";
    let sql = format!("SELECT count(*) = 6 FROM sqlite_schema WHERE type = 'table' AND name IN ({names})");
    connection.query_row(&sql, [], |row| row.get(0))
}

fn anew(path: &Path) -> Result<Connection, Error> {
    for end in ["", "-wal", "-shm"] {
        let file = PathBuf::from(format!("{}{end}", path.display()));
        match fs::remove_file(&file) {
            Err(error) if error.kind() != std::io::ErrorKind::NotFound => {
                return Err(Error::io("remove the old index", &file, error));
            }
            _ => {}
        }
    }
    crate::home::private_file(path)?;
    let failed = |source| Error::database("make the index", path, source);
    // OK because a file that was just made has no schema: None cannot come back.
    try_open(path).map_err(failed)?.ok_or_else(|| failed(rusqlite::Error::InvalidQuery))
}

fn is_damage(error: &rusqlite::Error) -> bool {
    matches!(error.sqlite_error_code(), Some(ErrorCode::DatabaseCorrupt | ErrorCode::NotADatabase))
        // Tables without a schema number: half made by something else.
        || error.to_string().contains("already exists")
}
