//! Every row for somebody who keeps rows in memory: the order, and what was written since the last time. A generation
//! counts writes that change a row, so that asking whether anything changed reads one number.

use super::{Index, ListRow, NEWEST, ROW, list_row};
use crate::Error;
use rusqlite::{Connection, OptionalExtension, Transaction, params};

const GENERATION: &str = "generation";

/// What changed, and the order of all.
#[derive(Clone, Debug, PartialEq)]
pub struct Listing {
    /// The generation that this is; the next question goes on from here.
    pub generation: i64,
    /// Numbers of all rows, newest first; one row an identity. Those that are missing are gone.
    pub order: Vec<i64>,
    /// Rows that were written since, by number.
    pub changed: Vec<(i64, ListRow)>,
}

impl Index {
    /// Counts writes that change a row.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub fn generation(&self) -> Result<i64, Error> {
        generation(&self.connection()).map_err(self.failed("read"))
    }

    /// The order of all rows, and those that were written after a generation. 0 asks for every row.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub fn listing_since(&self, since: i64) -> Result<Listing, Error> {
        let failed = self.failed("read");
        let mut connection = self.connection();
        // One transaction, so that order and rows are of one moment.
        let transaction = connection.transaction().map_err(&failed)?;
        let now = generation(&transaction).map_err(&failed)?;
        // An index that was made anew counts from the beginning again.
        let since = if now < since { 0 } else { since };
        let listing = listing(&transaction, now, since).map_err(&failed)?;
        transaction.commit().map_err(failed)?;
        Ok(listing)
    }
}

fn listing(transaction: &Transaction<'_>, now: i64, since: i64) -> rusqlite::Result<Listing> {
    let mut statement = transaction.prepare_cached(&format!("SELECT p.id FROM places p WHERE p.shown {NEWEST}"))?;
    let order = statement.query_map([], |row| row.get(0))?.collect::<rusqlite::Result<_>>()?;
    let sql = ROW.replacen("SELECT ", "SELECT p.id, ", 1);
    let mut statement = transaction.prepare_cached(&format!("{sql} WHERE p.touched > ?1 AND p.shown"))?;
    let rows = statement.query_map([since], |row| Ok((row.get(0)?, list_row(row, 1)?)))?;
    // A row that no longer reads is made again by the next scan.
    let changed = rows
        .filter_map(|row| row.map(|(number, row)| row.map(|row| (number, row))).transpose())
        .collect::<rusqlite::Result<_>>()?;
    Ok(Listing { generation: now, order, changed })
}

fn generation(connection: &Connection) -> rusqlite::Result<i64> {
    let text: Option<String> = connection
        .prepare_cached("SELECT value FROM state WHERE key = ?1")?
        .query_row([GENERATION], |row| row.get(0))
        .optional()?;
    Ok(text.and_then(|text| text.parse().ok()).unwrap_or(0))
}

/// Begins a generation: what the transaction writes into `places` from now on carries this number.
pub(super) fn next_generation(transaction: &Transaction<'_>) -> rusqlite::Result<i64> {
    let next = generation(transaction)? + 1;
    transaction
        .prepare_cached("INSERT OR REPLACE INTO state (key, value) VALUES (?1, ?2)")?
        .execute(params![GENERATION, next.to_string()])?;
    Ok(next)
}
