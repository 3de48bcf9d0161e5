//! What came before a handoff on its line of work, and when a person looked at it last.

use super::Index;
use crate::Error;
use crate::index::ListRow;
use rusqlite::{OptionalExtension, params};

/// Stands before an identity in the name of a look.
const LOOK: &str = "look:";
/// Looks that are kept; the oldest go.
const MOST: u32 = 1_000;

impl Index {
    /// The older handoffs of the same line of work, newest first.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub fn earlier(&self, identity: &str, count: u32) -> Result<Vec<ListRow>, Error> {
        self.select(
            "JOIN places own ON own.identity = ?1 AND own.shown AND p.line = own.line
             WHERE p.shown AND p.identity <> ?1
               AND (p.sort, p.mtime_ms, p.path) < (own.sort, own.mtime_ms, own.path)
             ORDER BY p.sort DESC, p.mtime_ms DESC, p.path DESC LIMIT ?2",
            params![identity, count],
        )
    }

    /// What was noted when a person looked at a handoff last.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub fn look(&self, identity: &str) -> Result<Option<String>, Error> {
        self.connection()
            .prepare_cached("SELECT value FROM state WHERE key = ?1")
            .and_then(|mut statement| statement.query_row([look(identity)], |row| row.get(0)).optional())
            .map_err(self.failed("read"))
    }

    /// Notes what a person saw. It replaces what was noted before.
    ///
    /// # Errors
    /// When the database cannot be written.
    pub fn note_look(&self, identity: &str, seen: &str) -> Result<(), Error> {
        self.write(|transaction| {
            let values = params![look(identity), seen];
            transaction.execute("INSERT OR REPLACE INTO state (key, value) VALUES (?1, ?2)", values)?;
            // A row that is replaced comes last.
            transaction
                .execute(
                    "DELETE FROM state WHERE key GLOB 'look:*' AND rowid NOT IN
                     (SELECT rowid FROM state WHERE key GLOB 'look:*' ORDER BY rowid DESC LIMIT ?1)",
                    [MOST],
                )
                .map(drop)
        })
    }
}

fn look(identity: &str) -> String {
    format!("{LOOK}{identity}")
}
