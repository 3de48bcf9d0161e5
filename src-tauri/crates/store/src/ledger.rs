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
mod rebuild;
mod schema;
mod seen;
mod verify;

use crate::{Error, stands};
use rusqlite::{Connection, OptionalExtension, TransactionBehavior, params};
use schema::{COLUMNS, SCHEMA};
use std::fs;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

pub use blobs::Blobs;
pub use event::{Event, NewEvent};
pub use rebuild::{Rebuilt, rebuild};
pub use verify::Verification;

/// Whether events can be added.
#[derive(Clone, Copy)]
enum Standing {
    Writable,
    /// A newer program wrote it.
    Newer,
    /// The file is damaged; what is read comes from the mirror.
    Damaged,
}

/// The open ledger. Safe to share between threads; safe beside other processes.
pub struct Ledger {
    connection: Mutex<Connection>,
    path: PathBuf,
    /// Device and inode that the path had when it was opened.
    file: Option<(u64, u64)>,
    mirror: mirror::Mirror,
    blobs: Blobs,
    standing: Standing,
}

impl Ledger {
    /// Opens or creates the ledger. `lock` is a file that serialises writers of all processes; it is never removed.
    /// A ledger of a newer program is opened for reading only; in place of a damaged one its mirror is read.
    ///
    /// # Errors
    /// When a file cannot be opened or created, or a ledger is damaged and its mirror cannot be read either.
    pub fn open(path: &Path, mirror: &Path, lock: &Path, blobs: &Path) -> Result<Self, Error> {
        let failed = |source| Error::database("open the ledger", path, source);
        let mirror = mirror::Mirror::new(mirror, lock);
        let held = mirror.lock()?;
        let (connection, standing) = match schema::open(path) {
            Ok((connection, version)) if version > SCHEMA => (connection, Standing::Newer),
            Ok((connection, _)) => (connection, Standing::Writable),
            Err(error) if schema::is_damage(&error) => {
                let events: Vec<Event> = mirror.lines()?.into_iter().flatten().collect();
                (schema::in_memory(&events).map_err(failed)?, Standing::Damaged)
            }
            Err(error) => return Err(failed(error)),
        };
        let ledger = Self {
            connection: Mutex::new(connection),
            file: file_of(path),
            path: path.to_owned(),
            mirror,
            blobs: Blobs::new(blobs),
            standing,
        };
        if let (Standing::Writable, true) = (standing, stands!(LedgerTopUp)) {
            // A process that ended between its commit and its line left the mirror one event short. One that cannot be
            // written now is told by verify.
            ledger.top_up_mirror(&ledger.connection()).ok();
        }
        drop(held);
        Ok(ledger)
    }

    /// The bytes that decisions were about.
    pub fn blobs(&self) -> &Blobs {
        &self.blobs
    }

    /// Whether events can be added: not to a newer program's ledger and not to a damaged one.
    pub fn is_writable(&self) -> bool {
        matches!(self.standing, Standing::Writable)
    }

    /// Appends an event when `guard`, shown the events of the same handoff inside the transaction, agrees.
    /// An event whose id is already there is returned as it stands and nothing is written, so that a caller may
    /// try again after an answer that never came. Once the transaction is committed the event is true; a mirror that
    /// cannot take it then is told by [`Ledger::verify`] and made up by the next event.
    ///
    /// # Errors
    /// Whatever the guard says; or the ledger's own: read-only, behind its mirror, the disk.
    pub fn append<E: From<Error>>(
        &self,
        new: NewEvent,
        guard: impl FnOnce(&[Event]) -> Result<(), E>,
    ) -> Result<Event, E> {
        self.append_seeing(new, &[], |own, _| guard(own))
    }

    /// [`Ledger::append`] with a guard that is also shown the events of some kinds about every handoff, oldest first:
    /// what one executor may do can depend on what another holds.
    ///
    /// # Errors
    /// As [`Ledger::append`].
    pub fn append_seeing<E: From<Error>>(
        &self,
        new: NewEvent,
        kinds: &[&str],
        guard: impl FnOnce(&[Event], &[Event]) -> Result<(), E>,
    ) -> Result<Event, E> {
        let mut guard = Some(guard);
        let mut appended = self.append_under_lock(vec![new], kinds, |_, own, others| match guard.take() {
            Some(guard) => guard(own, others).map(|()| true),
            None => Ok(true),
        })?;
        // OK because one event went in and its guard let it pass: one comes back.
        appended.pop().flatten().ok_or_else(|| Error::NewerLedger { path: self.path.clone() }.into())
    }

    /// Appends several events at once: all become true together. `guard` is shown each with the events of the same
    /// handoff inside the transaction; one that it turns away is left out and comes back as none.
    ///
    /// # Errors
    /// As [`Ledger::append`]; then none of them is written.
    pub fn append_all<E: From<Error>>(
        &self,
        new: Vec<NewEvent>,
        mut guard: impl FnMut(&NewEvent, &[Event]) -> Result<bool, E>,
    ) -> Result<Vec<Option<Event>>, E> {
        self.append_under_lock(new, &[], |new, own, _| guard(new, own))
    }

    fn append_under_lock<E: From<Error>>(
        &self,
        new: Vec<NewEvent>,
        kinds: &[&str],
        mut guard: impl FnMut(&NewEvent, &[Event], &[Event]) -> Result<bool, E>,
    ) -> Result<Vec<Option<Event>>, E> {
        self.refuse_unless_writable()?;
        let held = self.mirror.lock()?;
        self.refuse_if_replaced()?;
        let mut connection = self.connection();
        let failed = self.failed("append to the ledger");
        let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate).map_err(&failed)?;
        let others =
            if kinds.is_empty() { Vec::new() } else { Self::select_kinds(&transaction, kinds).map_err(&failed)? };
        let head: Option<(i64, String)> = transaction
            .query_row("SELECT seq, hash FROM events ORDER BY seq DESC LIMIT 1", [], |row| {
                Ok((row.get(0)?, row.get(1)?))
            })
            .optional()
            .map_err(&failed)?;
        let (mut last, mut prev) = head.unwrap_or((0, String::new()));
        let first = last;
        let mut appended = Vec::with_capacity(new.len());
        for new in new {
            if let Some(there) = Self::select(&transaction, "WHERE id = ?1", params![new.id]).map_err(&failed)?.pop() {
                appended.push(Some(there));
                continue;
            }
            let before = match &new.handoff {
                Some(handoff) => {
                    Self::select(&transaction, "WHERE handoff = ?1 ORDER BY seq", params![handoff]).map_err(&failed)?
                }
                None => Vec::new(),
            };
            if stands!(LedgerGuard) && !guard(&new, &before, &others)? {
                appended.push(None);
                continue;
            }
            if last == first {
                self.mirror.refuse_if_ahead(last)?;
            }
            let event = new.after(last, prev);
            schema::insert(&transaction, &event, "INSERT").map_err(&failed)?;
            (last, prev) = (event.seq, event.hash.clone());
            appended.push(Some(event));
        }
        if last == first {
            return Ok(appended);
        }
        transaction.commit().map_err(&failed)?;
        self.top_up_mirror(&connection).ok();
        drop(held);
        Ok(appended)
    }

    /// The number of the last event; 0 for an empty ledger.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub fn head(&self) -> Result<i64, Error> {
        self.connection()
            .prepare_cached("SELECT coalesce(max(seq), 0) FROM events")
            .and_then(|mut statement| statement.query_row([], |row| row.get(0)))
            .map_err(self.failed("read the ledger"))
    }

    /// Events that one act recorded together, oldest first: their body says `"together"` with this token.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub fn events_together(&self, token: &str) -> Result<Vec<Event>, Error> {
        let mut events = self.read("WHERE instr(body, ?1) > 0 ORDER BY seq", params![token])?;
        events.retain(|event| event.body.get("together").and_then(serde_json::Value::as_str) == Some(token));
        Ok(events)
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

    /// Events of some kinds about every handoff, oldest first.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub fn events_of_kinds(&self, kinds: &[&str]) -> Result<Vec<Event>, Error> {
        Self::select_kinds(&self.connection(), kinds).map_err(self.failed("read the ledger"))
    }

    /// Recomputes the chain and compares it with the mirror and its anchor, while nobody writes.
    ///
    /// # Errors
    /// When the database or the mirror cannot be read at all; what does not add up is in the answer.
    pub fn verify(&self) -> Result<Verification, Error> {
        let held = self.mirror.lock()?;
        let integrity = match self.standing {
            Standing::Damaged => Err(format!("{} is damaged", self.path.display())),
            _ => self
                .connection()
                .query_row("PRAGMA integrity_check", [], |row| row.get::<_, String>(0))
                .map_err(|error| error.to_string()),
        };
        let integrity = integrity.unwrap_or_else(|damage| damage);
        let events = match self.events() {
            Ok(events) => events,
            // A flipped bit can make a row that is none; the rest of the answer is still worth giving.
            Err(_) if integrity != "ok" => Vec::new(),
            Err(error) => return Err(error),
        };
        let verification = verify::verify(&integrity, &events, &self.mirror.lines()?);
        drop(held);
        Ok(verification)
    }

    /// Removes the bytes kept under a revision and leaves a note that they were there. The note comes first: bytes
    /// never go without one. Returns whether there were any.
    ///
    /// # Errors
    /// When the note cannot be written or the bytes cannot be removed; asking again goes on where it stopped.
    pub fn purge(&self, rev: &str, at_ms: i64) -> Result<bool, Error> {
        if !self.blobs.has(rev) {
            return Ok(false);
        }
        let note = NewEvent::new("purged", at_ms).with(serde_json::json!({ "rev": rev }));
        self.append::<Error>(note, |_| Ok(()))?;
        self.blobs.purge(rev)
    }

    fn read(&self, clause: &str, parameters: impl rusqlite::Params) -> Result<Vec<Event>, Error> {
        Self::select(&self.connection(), clause, parameters).map_err(self.failed("read the ledger"))
    }

    fn select_kinds(connection: &Connection, kinds: &[&str]) -> rusqlite::Result<Vec<Event>> {
        // A JSON array, so that the kinds stay one bound parameter.
        let kinds = serde_json::json!(kinds).to_string();
        Self::select(
            connection,
            "WHERE kind IN (SELECT value FROM json_each(?1)) AND handoff IS NOT NULL ORDER BY seq",
            params![kinds],
        )
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
            .map_err(self.failed("read the ledger"))?;
        self.mirror.append(&missing)
    }

    fn refuse_unless_writable(&self) -> Result<(), Error> {
        match self.standing {
            Standing::Writable => Ok(()),
            Standing::Newer => Err(Error::NewerLedger { path: self.path.clone() }),
            Standing::Damaged => Err(Error::DamagedLedger { path: self.path.clone() }),
        }
    }

    /// Another process may have put a rebuilt ledger in the place of the one that is open here.
    fn refuse_if_replaced(&self) -> Result<(), Error> {
        if file_of(&self.path) == self.file { Ok(()) } else { Err(Error::ReplacedLedger { path: self.path.clone() }) }
    }

    fn failed(&self, operation: &'static str) -> impl Fn(rusqlite::Error) -> Error + use<> {
        let path = self.path.clone();
        move |source| Error::database(operation, &path, source)
    }

    fn connection(&self) -> MutexGuard<'_, Connection> {
        // A panic while holding it leaves at most an open transaction, which SQLite has rolled back.
        self.connection.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn file_of(path: &Path) -> Option<(u64, u64)> {
    fs::metadata(path).ok().map(|found| (found.dev(), found.ino()))
}
