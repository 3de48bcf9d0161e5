//! `index.db`: what was found where. Derived: deleting it loses nothing, the next scan makes it again. Walking and
//! reading the disk is the scan's; what a decision is about is the ledger's.

mod dates;
mod earlier;
mod listing;
mod noted;
mod relate;
mod schema;
mod twins;
mod write;

use crate::files::Stamp;
use crate::{Error, Home, search};
use handoff::{Format, Readable};
use rusqlite::{Connection, OptionalExtension, Row, params};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, HashSet};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

pub use dates::{CommitDates, Undated};
pub use listing::Listing;
pub(crate) use noted::Noted;
pub(crate) use write::{Circumstances, Document, Found};

/// The columns that make a [`ListRow`]; the last five are relations and win over the stored row.
const ROW: &str = "SELECT d.row, p.handle, p.identity, p.superseded_by, p.conflict, p.archived FROM places p JOIN documents d ON d.id = p.id";
/// Newest first; the order of every list.
const NEWEST: &str = "ORDER BY p.sort DESC, p.mtime_ms DESC, p.path DESC";

/// What a list needs to know about a handoff without opening its file.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ListRow {
    /// The declared id, else made of repository, path and entry.
    pub identity: String,
    /// The declared id.
    pub id: Option<String>,
    /// Short and stable.
    pub handle: String,
    /// SHA-256 of the bytes.
    pub rev: String,
    /// The file.
    pub path: PathBuf,
    /// Bytes of the file.
    pub bytes: u64,
    /// Which reader.
    pub format: Format,
    /// How much was understood.
    pub readable: Readable,
    /// Why not more.
    pub readable_reason: Option<String>,
    /// The title.
    pub title: Option<String>,
    /// The objective.
    pub objective: Option<String>,
    /// The repository that it is about: recorded and there, else the one that holds the file.
    pub repo: Option<PathBuf>,
    /// The recorded branch.
    pub branch: Option<String>,
    /// Profiles that found it.
    pub profiles: Vec<String>,
    /// Who hands over.
    pub from: Option<String>,
    /// The agent program that wrote it, as the document says.
    pub agent: Option<String>,
    /// Who takes over.
    pub to: Option<String>,
    /// Why.
    pub reason: Option<String>,
    /// When the limit resets.
    pub resets_at: Option<String>,
    /// The handoff before.
    pub parent: Option<String>,
    /// When it was written.
    pub written_at: Option<String>,
    /// `document`, `name`, `commit` or `file`.
    pub written_at_by: String,
    /// The file's time, UTC milliseconds.
    pub mtime_ms: i64,
    /// Entries in the file.
    pub entries: usize,
    /// `pointer`, `draft`, `empty`, `finished?`, `volatile place`, `being written`.
    pub badges: Vec<String>,
    /// Handle of a newer handoff of the same work.
    pub superseded_by: Option<String>,
    /// The same id stands for other bytes elsewhere.
    pub conflict: bool,
    /// Too old or superseded when first seen.
    pub archived: bool,
}

/// A revision seen under an identity.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Revision {
    /// SHA-256 of the bytes.
    pub rev: String,
    /// When it was first seen, UTC milliseconds.
    pub seen_ms: i64,
    /// `agent`, `person` or `unknown`.
    pub by: String,
    /// Its size.
    pub bytes: u64,
}

/// What an ID names.
#[derive(Clone, Debug, PartialEq)]
pub enum Resolved {
    /// One handoff.
    One(Box<ListRow>),
    /// Several; their handles.
    Several(Vec<String>),
    /// None.
    Nothing,
}

/// Text around a match in pieces; `true` marks the match.
pub type Snippet = Vec<(bool, String)>;

/// A file as the index knows it.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct FileRecord {
    pub stamp: Stamp,
    /// Names, one a line.
    pub profiles: String,
}

/// The open index. Safe beside other processes.
pub struct Index {
    connection: Mutex<Connection>,
    path: PathBuf,
    pub(crate) home: Home,
}

impl Index {
    /// Opens the index, making it anew when it is missing, of another version or damaged.
    ///
    /// # Errors
    /// When the disk refuses, or another process holds it for long.
    pub fn open(home: &Home) -> Result<Self, Error> {
        Ok(Self { connection: Mutex::new(schema::open(home)?), path: home.index(), home: home.clone() })
    }

    pub(crate) fn connection(&self) -> MutexGuard<'_, Connection> {
        // A panic while holding it leaves at most an open transaction, which SQLite has rolled back.
        self.connection.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(crate) fn failed(&self, operation: &'static str) -> impl Fn(rusqlite::Error) -> Error + use<> {
        let path = self.path.clone();
        move |source| {
            schema::note_damage(&path, &source);
            Error::database(operation, &path, source)
        }
    }

    /// Looks through the whole file and gives how many handoffs it knows.
    ///
    /// # Errors
    /// When it is damaged; the next [`Index::open`] makes it anew.
    pub fn check(&self) -> Result<usize, Error> {
        let said: String =
            self.connection().query_row("PRAGMA quick_check(1)", [], |row| row.get(0)).map_err(self.failed("check"))?;
        if said != "ok" {
            let damaged = rusqlite::ffi::Error::new(rusqlite::ffi::SQLITE_CORRUPT);
            return Err(self.failed("check")(rusqlite::Error::SqliteFailure(damaged, Some(said))));
        }
        Ok(self.rows()?.len())
    }

    /// Whether a scan has ever ended. False for an index that was made anew.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub fn scanned(&self) -> Result<bool, Error> {
        Ok(!self.scanned_profiles()?.is_empty())
    }

    /// Profiles that were scanned to the end at least once; the empty name stands for the scan itself.
    pub(crate) fn scanned_profiles(&self) -> Result<HashSet<String>, Error> {
        let connection = self.connection();
        let mut statement = connection
            .prepare_cached("SELECT substr(key, 9) FROM state WHERE key LIKE 'scanned:%'")
            .map_err(self.failed("read"))?;
        let names = statement.query_map([], |row| row.get(0)).map_err(self.failed("read"))?;
        names.collect::<rusqlite::Result<_>>().map_err(self.failed("read"))
    }

    /// Replaces the list of profiles that were scanned to the end.
    pub(crate) fn note_scanned(&self, profiles: &[&str], now_ms: i64) -> Result<(), Error> {
        self.write(|transaction| {
            transaction.execute("DELETE FROM state WHERE key LIKE 'scanned:%'", [])?;
            for profile in profiles.iter().copied().chain([""]) {
                let values = params![format!("scanned:{profile}"), now_ms.to_string()];
                transaction.execute("INSERT OR REPLACE INTO state (key, value) VALUES (?1, ?2)", values)?;
            }
            Ok(())
        })
    }

    /// Every handoff, newest first; one row an identity.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub fn rows(&self) -> Result<Vec<ListRow>, Error> {
        self.select(&format!("WHERE p.shown {NEWEST}"), [])
    }

    fn select(&self, clause: &str, parameters: impl rusqlite::Params) -> Result<Vec<ListRow>, Error> {
        let connection = self.connection();
        let mut statement = connection.prepare_cached(&format!("{ROW} {clause}")).map_err(self.failed("read"))?;
        let rows = statement.query_map(parameters, |row| list_row(row, 0)).map_err(self.failed("read"))?;
        // A row that no longer reads is made again by the next scan.
        rows.filter_map(Result::transpose).collect::<rusqlite::Result<_>>().map_err(self.failed("read"))
    }

    /// The handoff under an identity.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub fn get(&self, identity: &str) -> Result<Option<ListRow>, Error> {
        Ok(self.select("WHERE p.identity = ?1 AND p.shown", [identity])?.pop())
    }

    /// Every place that holds this identity, by path.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub fn places(&self, identity: &str) -> Result<Vec<ListRow>, Error> {
        self.select("WHERE p.identity = ?1 ORDER BY p.path", [identity])
    }

    /// The handoff at a path.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub fn at(&self, path: &Path) -> Result<Option<ListRow>, Error> {
        Ok(self.select("WHERE p.path = ?1", [path.to_string_lossy()])?.pop())
    }

    /// What an ID names: id, handle, a unique prefix of either, or a file that a scan has found. Prefixes have at
    /// least two characters.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub fn resolve(&self, id: &str) -> Result<Resolved, Error> {
        if let Some(row) = std::fs::canonicalize(id).ok().and_then(|path| self.at(&path).transpose()) {
            return Ok(Resolved::One(Box::new(row?)));
        }
        if let Some(row) = self.select("WHERE p.shown AND (p.identity = ?1 OR p.handle = ?1) LIMIT 1", [id])?.pop() {
            return Ok(Resolved::One(Box::new(row)));
        }
        if id.chars().count() < 2 {
            return Ok(Resolved::Nothing);
        }
        let clause =
            format!("WHERE p.shown AND (substr(p.handle, 1, ?2) = ?1 OR substr(p.declared, 1, ?2) = ?1) {NEWEST}");
        let mut rows = self.select(&clause, params![id, id.chars().count() as i64])?;
        Ok(match (rows.len(), rows.pop()) {
            (1, Some(row)) => Resolved::One(Box::new(row)),
            (_, Some(last)) => Resolved::Several(rows.into_iter().chain([last]).map(|row| row.handle).collect()),
            (_, None) => Resolved::Nothing,
        })
    }

    /// What was seen under an identity, oldest first.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub fn revisions(&self, identity: &str) -> Result<Vec<Revision>, Error> {
        let connection = self.connection();
        let mut statement = connection
            .prepare_cached("SELECT rev, seen_ms, by, bytes FROM revisions WHERE identity = ?1 ORDER BY seen_ms, rowid")
            .map_err(self.failed("read"))?;
        let rows = statement
            .query_map([identity], |row| {
                let bytes = row.get::<_, i64>(3)?.cast_unsigned();
                Ok(Revision { rev: row.get(0)?, seen_ms: row.get(1)?, by: row.get(2)?, bytes })
            })
            .map_err(self.failed("read"))?;
        rows.collect::<rusqlite::Result<_>>().map_err(self.failed("read"))
    }

    /// Numbers of all places that hold what a person typed, in no order and without looking at their text. None when
    /// nothing that was typed can be looked for.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub fn matching(&self, text: &str) -> Result<Option<HashSet<i64>>, Error> {
        let Some(query) = search::query(text) else { return Ok(None) };
        let connection = self.connection();
        let mut statement =
            connection.prepare_cached("SELECT rowid FROM words WHERE words MATCH ?1").map_err(self.failed("search"))?;
        let found = statement.query_map([query], |row| row.get(0)).map_err(self.failed("search"))?;
        found.collect::<rusqlite::Result<_>>().map(Some).map_err(self.failed("search"))
    }

    /// The text around the first match in the place of this number.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub fn snippet(&self, number: i64, text: &str) -> Result<Snippet, Error> {
        let body: Option<String> = self
            .connection()
            .prepare_cached("SELECT body FROM documents WHERE id = ?1")
            .and_then(|mut statement| statement.query_row([number], |row| row.get(0)).optional())
            .map_err(self.failed("search"))?;
        Ok(search::snippet(&body.unwrap_or_default(), text))
    }

    /// Handoffs that hold what a person typed, newest first, with the text around the match.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub fn search(&self, text: &str, limit: usize) -> Result<Vec<(ListRow, Snippet)>, Error> {
        let Some(query) = search::query(text) else { return Ok(Vec::new()) };
        let limit = i64::try_from(limit).unwrap_or(i64::MAX);
        let found: Vec<i64> = {
            let connection = self.connection();
            let sql = format!(
                "SELECT p.id FROM words JOIN places p ON p.id = words.rowid WHERE words MATCH ?1 AND p.shown {NEWEST} LIMIT ?2"
            );
            let mut statement = connection.prepare_cached(&sql).map_err(self.failed("search"))?;
            let found = statement.query_map(params![query, limit], |row| row.get(0)).map_err(self.failed("search"))?;
            found.collect::<rusqlite::Result<_>>().map_err(self.failed("search"))?
        };
        let mut hits = Vec::with_capacity(found.len());
        for number in found {
            if let Some(row) = self.select("WHERE p.id = ?1", [number])?.pop() {
                hits.push((row, self.snippet(number, text)?));
            }
        }
        Ok(hits)
    }

    /// Counts files by outcome.
    pub(crate) fn outcomes(&self) -> Result<BTreeMap<String, u32>, Error> {
        let connection = self.connection();
        let mut statement =
            connection.prepare("SELECT outcome, count(*) FROM files GROUP BY outcome").map_err(self.failed("read"))?;
        let rows = statement.query_map([], |row| Ok((row.get(0)?, row.get(1)?))).map_err(self.failed("read"))?;
        rows.collect::<rusqlite::Result<_>>().map_err(self.failed("read"))
    }
}

/// The columns of [`ROW`] from `first` on. None: the stored row is of another program's making.
fn list_row(row: &Row<'_>, first: usize) -> rusqlite::Result<Option<ListRow>> {
    let json: String = row.get(first)?;
    let Ok(stored) = serde_json::from_str::<ListRow>(&json) else { return Ok(None) };
    Ok(Some(ListRow {
        handle: row.get(first + 1)?,
        identity: row.get(first + 2)?,
        superseded_by: row.get(first + 3)?,
        conflict: row.get(first + 4)?,
        archived: row.get(first + 5)?,
        ..stored
    }))
}
