//! Which bytes were seen under which identity, and when. The index finds it out and may be deleted; this stays.

use super::{Event, Ledger};
use crate::Error;
use crate::index::Revision;
use rusqlite::{TransactionBehavior, params};
use std::collections::{HashMap, HashSet};

impl Ledger {
    /// Notes revisions by identity. One that was noted before stays as it is.
    ///
    /// # Errors
    /// When the ledger is not to be written or the disk refuses; then none of them is noted.
    pub fn note_seen(&self, seen: &[(String, Revision)]) -> Result<(), Error> {
        if seen.is_empty() {
            return Ok(());
        }
        self.refuse_unless_writable()?;
        let held = self.mirror.lock()?;
        self.refuse_if_replaced()?;
        let failed = self.failed("write to the ledger");
        let mut connection = self.connection();
        let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate).map_err(&failed)?;
        {
            let mut insert = transaction
                .prepare_cached(
                    "INSERT INTO seen (handoff, rev, seen_ms, by, bytes) VALUES (?1,?2,?3,?4,?5) ON CONFLICT DO NOTHING",
                )
                .map_err(&failed)?;
            for (handoff, revision) in seen {
                let bytes = revision.bytes.cast_signed();
                insert
                    .execute(params![handoff, revision.rev, revision.seen_ms, revision.by, bytes])
                    .map_err(&failed)?;
            }
        }
        transaction.commit().map_err(&failed)?;
        drop(held);
        Ok(())
    }

    /// Every revision that was noted, by identity, oldest first.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub fn seen(&self) -> Result<Vec<(String, Revision)>, Error> {
        let failed = self.failed("read the ledger");
        let connection = self.connection();
        let mut statement = connection
            .prepare_cached("SELECT handoff, rev, seen_ms, by, bytes FROM seen ORDER BY seen_ms, rowid")
            .map_err(&failed)?;
        let rows = statement
            .query_map([], |row| {
                let bytes = row.get::<_, i64>(4)?.cast_unsigned();
                Ok((row.get(0)?, Revision { rev: row.get(1)?, seen_ms: row.get(2)?, by: row.get(3)?, bytes }))
            })
            .map_err(&failed)?;
        rows.collect::<rusqlite::Result<_>>().map_err(failed)
    }

    /// Hashes that were overwritten before they had stood for so long, under every identity that had them.
    pub(crate) fn momentary(&self, stood_ms: i64) -> Result<HashSet<String>, Error> {
        let (mut momentary, mut stood) = (HashSet::new(), HashSet::new());
        let mut before: HashMap<String, Revision> = HashMap::new();
        for (handoff, revision) in self.seen()? {
            let seen_ms = revision.seen_ms;
            if let Some(overwritten) = before.insert(handoff, revision) {
                let soon = seen_ms - overwritten.seen_ms < stood_ms;
                if soon { &mut momentary } else { &mut stood }.insert(overwritten.rev);
            }
        }
        // The newest of each stands still.
        stood.extend(before.into_values().map(|revision| revision.rev));
        momentary.retain(|rev| !stood.contains(rev));
        Ok(momentary)
    }

    /// Hashes whose bytes were purged. They are not kept again on their own.
    pub(crate) fn purged(&self) -> Result<HashSet<String>, Error> {
        let notes = self.read("WHERE kind = 'purged' ORDER BY seq", [])?;
        let rev = |event: Event| event.body.get("rev").and_then(serde_json::Value::as_str).map(str::to_owned);
        Ok(notes.into_iter().filter_map(rev).collect())
    }

    /// Hashes that events speak of: what a decision or an edit was about.
    pub(crate) fn spoken_of(&self) -> Result<HashSet<String>, Error> {
        let mut hashes = HashSet::new();
        for event in self.events()? {
            hashes.extend(event.rev);
            let body = event.body.to_string();
            let words = body.split(|character: char| !character.is_ascii_hexdigit());
            hashes.extend(words.filter(|word| word.len() == 64).map(str::to_owned));
        }
        Ok(hashes)
    }
}
