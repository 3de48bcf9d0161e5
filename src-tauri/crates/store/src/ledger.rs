//! The ledger: what was decided, by whom, about which bytes. Precious, append-only, hash-chained.
//!
//! Three files hold it. `ledger.db` is SQLite (WAL, `synchronous=FULL`); its transaction is the only point at
//! which a decision becomes true. `ledger.jsonl` mirrors every event outside the database; its last line is the
//! anchor that shows a cut-off tail or a restored backup. `blobs/` keeps, by hash, the bytes that a decision was
//! about. What an event means is left to the use cases; here it is only kept and proved.
//!
//! The chain is evidence against accident and against anyone without write access to all three. It is no
//! evidence against the user who owns them.

mod blobs;
mod event;
mod mirror;
mod verify;

use crate::Error;
use rusqlite::{Connection, OptionalExtension, TransactionBehavior, params};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

pub use blobs::Blobs;
pub use event::{Event, NewEvent};
pub use verify::Verification;

/// The schema this program writes. A ledger with a higher one is opened for reading only.
const SCHEMA: i64 = 1;

const CREATE: &str = "
CREATE TABLE events (
    seq     INTEGER PRIMARY KEY,
    id      TEXT NOT NULL UNIQUE,
    at_ms   INTEGER NOT NULL,
    kind    TEXT NOT NULL,
    handoff TEXT,
    rev     TEXT,
    actor   TEXT NOT NULL,
    body    TEXT NOT NULL,
    prev    TEXT NOT NULL,
    hash    TEXT NOT NULL
) STRICT;
CREATE INDEX events_handoff ON events(handoff, seq);
CREATE TRIGGER events_no_update BEFORE UPDATE ON events BEGIN SELECT RAISE(ABORT, 'the ledger is append-only'); END;
CREATE TRIGGER events_no_delete BEFORE DELETE ON events BEGIN SELECT RAISE(ABORT, 'the ledger is append-only'); END;
CREATE TRIGGER events_chain BEFORE INSERT ON events
    WHEN NEW.seq <> (SELECT coalesce(max(seq), 0) + 1 FROM events)
      OR NEW.prev <> coalesce((SELECT hash FROM events ORDER BY seq DESC LIMIT 1), '')
    BEGIN SELECT RAISE(ABORT, 'the event does not continue the chain'); END;
PRAGMA user_version = 1;
";

const COLUMNS: &str = "seq, id, at_ms, kind, handoff, rev, actor, body, prev, hash";

/// The open ledger. Safe to share between threads; safe beside other processes.
pub struct Ledger {
    connection: Mutex<Connection>,
    path: PathBuf,
    mirror: mirror::Mirror,
    blobs: Blobs,
    read_only: bool,
}

impl Ledger {
    /// Opens or creates the ledger. `lock` is a file that serialises writers of all processes; it is never removed.
    ///
    /// # Errors
    /// When a file cannot be opened or created. A ledger of a newer program opens for reading only.
    pub fn open(path: &Path, mirror: &Path, lock: &Path, blobs: &Path) -> Result<Self, Error> {
        let failed = |source| Error::database("open the ledger", path, source);
        let mirror = mirror::Mirror::new(mirror, lock);
        let held = mirror.lock()?;
        let connection = Connection::open(path).map_err(failed)?;
        connection.busy_timeout(Duration::from_secs(5)).map_err(failed)?;
        connection.pragma_update(None, "journal_mode", "WAL").map_err(failed)?;
        connection.pragma_update(None, "synchronous", "FULL").map_err(failed)?;
        let version: i64 = connection.pragma_query_value(None, "user_version", |row| row.get(0)).map_err(failed)?;
        if version == 0 {
            connection.execute_batch(&format!("BEGIN IMMEDIATE; {CREATE} COMMIT;")).map_err(failed)?;
        }
        drop(held);
        let ledger = Self {
            connection: Mutex::new(connection),
            path: path.to_owned(),
            mirror,
            blobs: Blobs::new(blobs),
            read_only: version > SCHEMA,
        };
        Ok(ledger)
    }

    /// The bytes that decisions were about.
    pub fn blobs(&self) -> &Blobs {
        &self.blobs
    }

    /// Appends an event when `guard`, shown the events of the same handoff inside the transaction, agrees.
    /// An event whose id is already there is returned as it stands and nothing is written, so that a caller may
    /// try again after an answer that never came.
    ///
    /// # Errors
    /// Whatever the guard says; or the ledger's own: read-only, behind its mirror, the disk.
    pub fn append<E: From<Error>>(
        &self,
        new: NewEvent,
        guard: impl FnOnce(&[Event]) -> Result<(), E>,
    ) -> Result<Event, E> {
        if self.read_only {
            return Err(E::from(Error::NewerLedger { path: self.path.clone() }));
        }
        let held = self.mirror.lock().map_err(E::from)?;
        let mut connection = self.connection();
        let failed = |source| Error::database("append to the ledger", &self.path, source);
        let transaction =
            connection.transaction_with_behavior(TransactionBehavior::Immediate).map_err(failed).map_err(E::from)?;
        if let Some(there) =
            Self::select(&transaction, "WHERE id = ?1", params![new.id]).map_err(failed).map_err(E::from)?.pop()
        {
            return Ok(there);
        }
        let before = match &new.handoff {
            Some(handoff) => Self::select(&transaction, "WHERE handoff = ?1 ORDER BY seq", params![handoff])
                .map_err(failed)
                .map_err(E::from)?,
            None => Vec::new(),
        };
        guard(&before)?;
        let head: Option<(i64, String)> = transaction
            .query_row("SELECT seq, hash FROM events ORDER BY seq DESC LIMIT 1", [], |row| {
                Ok((row.get(0)?, row.get(1)?))
            })
            .optional()
            .map_err(failed)
            .map_err(E::from)?;
        let (last, prev) = head.unwrap_or((0, String::new()));
        self.mirror.refuse_if_ahead(last).map_err(E::from)?;
        let event = new.after(last, prev);
        transaction
            .execute(
                &format!("INSERT INTO events ({COLUMNS}) VALUES (?1,?2,?3,?4,?5,?6,?7,?8,?9,?10)"),
                params![
                    event.seq,
                    event.id,
                    event.at_ms,
                    event.kind,
                    event.handoff,
                    event.rev,
                    event.actor,
                    event.body.to_string(),
                    event.prev,
                    event.hash
                ],
            )
            .map_err(failed)
            .map_err(E::from)?;
        transaction.commit().map_err(failed).map_err(E::from)?;
        self.top_up_mirror(&connection).map_err(E::from)?;
        drop(held);
        Ok(event)
    }

    /// Every event, oldest first.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub fn events(&self) -> Result<Vec<Event>, Error> {
        self.events_since(0)
    }

    /// Events after `seq`, oldest first.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub fn events_since(&self, seq: i64) -> Result<Vec<Event>, Error> {
        self.read("WHERE seq > ?1 ORDER BY seq", params![seq])
    }

    /// Events about one handoff, oldest first.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub fn events_of(&self, handoff: &str) -> Result<Vec<Event>, Error> {
        self.read("WHERE handoff = ?1 ORDER BY seq", params![handoff])
    }

    /// Recomputes the chain and compares it with the mirror and its anchor.
    ///
    /// # Errors
    /// When the database or the mirror cannot be read at all; what does not add up is in the answer.
    pub fn verify(&self) -> Result<Verification, Error> {
        let integrity: String = self
            .connection()
            .query_row("PRAGMA integrity_check", [], |row| row.get(0))
            .map_err(|source| Error::database("check the ledger", &self.path, source))?;
        let events = self.events()?;
        Ok(verify::verify(&integrity, &events, &self.mirror.lines()?))
    }

    fn read(&self, clause: &str, parameters: impl rusqlite::Params) -> Result<Vec<Event>, Error> {
        Self::select(&self.connection(), clause, parameters)
            .map_err(|source| Error::database("read the ledger", &self.path, source))
    }

    fn select(
        connection: &Connection,
        clause: &str,
        parameters: impl rusqlite::Params,
    ) -> rusqlite::Result<Vec<Event>> {
        let mut statement = connection.prepare_cached(&format!("SELECT {COLUMNS} FROM events {clause}"))?;
        statement.query_map(parameters, Event::from_row)?.collect()
    }

    fn top_up_mirror(&self, connection: &Connection) -> Result<(), Error> {
        let seen = self.mirror.last_seq()?;
        let missing = Self::select(connection, "WHERE seq > ?1 ORDER BY seq", params![seen])
            .map_err(|source| Error::database("read the ledger", &self.path, source))?;
        self.mirror.append(&missing)
    }

    fn connection(&self) -> MutexGuard<'_, Connection> {
        // A panic while holding it leaves at most an open transaction, which SQLite has rolled back.
        self.connection.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
