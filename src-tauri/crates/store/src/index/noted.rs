//! What the index noted since the ledger was last told: a mark goes along the revisions in the order they were seen.

use super::{Index, Revision};
use crate::Error;
use rusqlite::{OptionalExtension, params};
use std::collections::HashSet;
use std::path::PathBuf;

const MARK: &str = "told_ledger";

/// A revision that the ledger may not know yet.
pub(crate) struct Noted {
    /// Its place in the order; the next question goes on from here.
    pub mark: i64,
    pub identity: String,
    pub revision: Revision,
    /// A file that held these bytes when it was last read.
    pub path: Option<PathBuf>,
}

impl Index {
    /// At most `count` revisions after the mark, in order.
    pub(crate) fn noted_after(&self, mark: i64, count: u32) -> Result<Vec<Noted>, Error> {
        let connection = self.connection();
        let mut statement = connection
            .prepare_cached(
                "SELECT r.rowid, r.identity, r.rev, r.seen_ms, r.by, r.bytes,
                        (SELECT p.path FROM places p WHERE p.identity = r.identity AND p.rev = r.rev LIMIT 1)
                 FROM revisions r WHERE r.rowid > ?1 ORDER BY r.rowid LIMIT ?2",
            )
            .map_err(self.failed("read"))?;
        let rows = statement
            .query_map(params![mark, count], |row| {
                let bytes = row.get::<_, i64>(5)?.cast_unsigned();
                Ok(Noted {
                    mark: row.get(0)?,
                    identity: row.get(1)?,
                    revision: Revision { rev: row.get(2)?, seen_ms: row.get(3)?, by: row.get(4)?, bytes },
                    path: row.get::<_, Option<String>>(6)?.map(PathBuf::from),
                })
            })
            .map_err(self.failed("read"))?;
        rows.collect::<rusqlite::Result<_>>().map_err(self.failed("read"))
    }

    /// How far the ledger was told; 0 for an index that was made anew.
    pub(crate) fn told(&self) -> Result<i64, Error> {
        let mark: Option<String> = self
            .connection()
            .prepare_cached("SELECT value FROM state WHERE key = ?1")
            .and_then(|mut statement| statement.query_row([MARK], |row| row.get(0)).optional())
            .map_err(self.failed("read"))?;
        Ok(mark.and_then(|mark| mark.parse().ok()).unwrap_or(0))
    }

    pub(crate) fn note_told(&self, mark: i64) -> Result<(), Error> {
        self.write(|transaction| {
            let values = params![MARK, mark.to_string()];
            transaction.execute("INSERT OR REPLACE INTO state (key, value) VALUES (?1, ?2)", values).map(drop)
        })
    }

    /// The revisions that files hold now.
    pub(crate) fn current_revisions(&self) -> Result<HashSet<String>, Error> {
        let connection = self.connection();
        let mut statement =
            connection.prepare_cached("SELECT DISTINCT rev FROM places").map_err(self.failed("read"))?;
        let revisions = statement.query_map([], |row| row.get(0)).map_err(self.failed("read"))?;
        revisions.collect::<rusqlite::Result<_>>().map_err(self.failed("read"))
    }
}
