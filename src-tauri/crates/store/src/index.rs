//! `index.db`: what was found where. Derived: deleting it loses nothing, the next scan makes it again.

use crate::{Error, Home, home::owner_only, search};
use handoff::{Format, Readable};
use rusqlite::{Connection, OptionalExtension, params, params_from_iter, types::Value};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, HashMap};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// Goes up whenever rows would be read differently; an older index is thrown away and made again.
const SCHEMA: i64 = 2;

const CREATE: &str = "
CREATE TABLE files (
    path TEXT PRIMARY KEY, profiles TEXT NOT NULL, dev INTEGER, ino INTEGER, size INTEGER, mtime_ns INTEGER, ctime_ns INTEGER,
    rev TEXT NOT NULL, outcome TEXT NOT NULL
) STRICT, WITHOUT ROWID;
CREATE TABLE places (
    path TEXT PRIMARY KEY, identity TEXT NOT NULL, rev TEXT NOT NULL, sort TEXT NOT NULL, repo TEXT, row TEXT NOT NULL
) STRICT;
CREATE INDEX places_identity ON places(identity);
CREATE INDEX places_sort ON places(sort DESC);
CREATE TABLE bodies (identity TEXT PRIMARY KEY, body TEXT NOT NULL) STRICT;
CREATE VIRTUAL TABLE words USING fts5(identity UNINDEXED, tokens, tokenize = 'unicode61 remove_diacritics 0');
CREATE TABLE revisions (identity TEXT NOT NULL, rev TEXT NOT NULL, seen_ms INTEGER NOT NULL, by TEXT NOT NULL, bytes INTEGER NOT NULL) STRICT;
CREATE INDEX revisions_identity ON revisions(identity, seen_ms);
CREATE TABLE state (key TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT;
";

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
    /// `document`, `name` or `file`.
    pub written_at_by: String,
    /// The file's time, UTC milliseconds.
    pub mtime_ms: i64,
    /// Entries in the file.
    pub entries: usize,
    /// `pointer`, `draft`, `empty`, `finished?`, `volatile place`.
    pub badges: Vec<String>,
    /// Handle of a newer handoff of the same work.
    pub superseded_by: Option<String>,
    /// The same id stands for other bytes elsewhere.
    pub conflict: bool,
    /// Too old or superseded when first seen.
    pub archived: bool,
}

/// A handoff and the text around a match, in pieces; `true` marks the match.
pub type SearchHit = (ListRow, Vec<(bool, String)>);

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

/// A file as the index knows it.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct FileRecord {
    pub stamp: crate::files::Stamp,
    pub profiles: Vec<String>,
    pub outcome: String,
}

/// The open index. Safe beside other processes.
pub struct Index {
    connection: Mutex<Connection>,
    path: PathBuf,
}

impl Index {
    /// Opens the index, making it anew when it is missing, older or damaged.
    ///
    /// # Errors
    /// When the disk refuses.
    pub fn open(home: &Home) -> Result<Self, Error> {
        let path = home.index();
        match Self::try_open(&path) {
            Ok(index) => Ok(index),
            Err(_) => {
                for end in ["", "-wal", "-shm"] {
                    let file = PathBuf::from(format!("{}{end}", path.display()));
                    let _ = std::fs::remove_file(&file);
                }
                Self::try_open(&path).map_err(|source| Error::database("open the index", &path, source))
            }
        }
    }

    fn try_open(path: &Path) -> rusqlite::Result<Self> {
        let connection = Connection::open(path)?;
        connection.busy_timeout(Duration::from_secs(5))?;
        connection.pragma_update(None, "journal_mode", "WAL")?;
        connection.pragma_update(None, "synchronous", "NORMAL")?;
        let version: i64 = connection.pragma_query_value(None, "user_version", |row| row.get(0))?;
        if version == 0 {
            // Another process may have made it in between; then its tables are these.
            connection
                .execute_batch(&format!("BEGIN IMMEDIATE; {CREATE} PRAGMA user_version = {SCHEMA}; COMMIT;"))
                .or_else(|error| {
                    let _ = connection.execute_batch("ROLLBACK");
                    let now: i64 = connection.pragma_query_value(None, "user_version", |row| row.get(0))?;
                    if now == SCHEMA { Ok(()) } else { Err(error) }
                })?;
        } else if version != SCHEMA {
            return Err(rusqlite::Error::InvalidQuery);
        }
        let _ = owner_only(path);
        Ok(Self { connection: Mutex::new(connection), path: path.to_owned() })
    }

    pub(crate) fn connection(&self) -> MutexGuard<'_, Connection> {
        self.connection.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(crate) fn failed(&self, operation: &'static str) -> impl Fn(rusqlite::Error) -> Error + '_ {
        move |source| Error::database(operation, &self.path, source)
    }

    /// Whether a scan has ever ended.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub fn scanned(&self) -> Result<bool, Error> {
        let found: Option<String> = self
            .connection()
            .query_row("SELECT value FROM state WHERE key = 'scanned'", [], |row| row.get(0))
            .optional()
            .map_err(self.failed("read"))?;
        Ok(found.is_some())
    }

    /// Every handoff, newest first; one row an identity.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub fn rows(&self) -> Result<Vec<ListRow>, Error> {
        self.select("SELECT row FROM places GROUP BY identity HAVING sort = max(sort) ORDER BY sort DESC, path", [])
    }

    fn select(&self, sql: &str, parameters: impl rusqlite::Params) -> Result<Vec<ListRow>, Error> {
        let connection = self.connection();
        let mut statement = connection.prepare_cached(sql).map_err(self.failed("read"))?;
        let rows = statement.query_map(parameters, |row| row.get::<_, String>(0)).map_err(self.failed("read"))?;
        let mut found = Vec::new();
        for row in rows {
            // A row that no longer reads is made again by the next scan.
            found.extend(serde_json::from_str(&row.map_err(self.failed("read"))?).ok());
        }
        Ok(found)
    }

    /// The handoff under an identity.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub fn get(&self, identity: &str) -> Result<Option<ListRow>, Error> {
        Ok(self.select("SELECT row FROM places WHERE identity = ?1 ORDER BY sort DESC LIMIT 1", [identity])?.pop())
    }

    /// Every place that holds this identity.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub fn places(&self, identity: &str) -> Result<Vec<ListRow>, Error> {
        self.select("SELECT row FROM places WHERE identity = ?1 ORDER BY path", [identity])
    }

    /// The handoff at a path.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub fn at(&self, path: &Path) -> Result<Option<ListRow>, Error> {
        Ok(self.select("SELECT row FROM places WHERE path = ?1", [path.to_string_lossy()])?.pop())
    }

    /// What an ID names: id, handle, a unique prefix of either, or a file.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub fn resolve(&self, id: &str) -> Result<Resolved, Error> {
        if let Ok(path) = std::fs::canonicalize(id)
            && let Some(row) = self.at(&path)?
        {
            return Ok(Resolved::One(Box::new(row)));
        }
        let rows = self.rows()?;
        if let Some(row) =
            rows.iter().find(|row| row.id.as_deref() == Some(id) || row.handle == id || row.identity == id)
        {
            return Ok(Resolved::One(Box::new(row.clone())));
        }
        let matching: Vec<&ListRow> = if id.len() < 2 {
            Vec::new()
        } else {
            rows.iter()
                .filter(|row| row.handle.starts_with(id) || row.id.as_deref().is_some_and(|own| own.starts_with(id)))
                .collect()
        };
        Ok(match matching.as_slice() {
            [] => Resolved::Nothing,
            [row] => Resolved::One(Box::new((*row).clone())),
            several => Resolved::Several(several.iter().map(|row| row.handle.clone()).collect()),
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
                Ok(Revision {
                    rev: row.get(0)?,
                    seen_ms: row.get(1)?,
                    by: row.get(2)?,
                    bytes: row.get::<_, i64>(3)? as u64,
                })
            })
            .map_err(self.failed("read"))?;
        rows.collect::<rusqlite::Result<_>>().map_err(self.failed("read"))
    }

    /// Notes a revision when the newest one under the identity is another.
    ///
    /// # Errors
    /// When the database cannot be written.
    pub fn note_revision(&self, identity: &str, revision: &Revision) -> Result<(), Error> {
        note_revision(&self.connection(), identity, revision).map_err(self.failed("write"))
    }

    /// Handoffs that hold what a person typed, newest first, with the text around the match.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub fn search(&self, text: &str, limit: usize) -> Result<Vec<SearchHit>, Error> {
        let Some(query) = search::query(text) else { return Ok(Vec::new()) };
        let connection = self.connection();
        let mut statement = connection
            .prepare_cached(
                "SELECT p.row, b.body FROM words w JOIN bodies b ON b.identity = w.identity
                 JOIN places p ON p.identity = w.identity WHERE words MATCH ?1 GROUP BY p.identity ORDER BY max(p.sort) DESC LIMIT ?2",
            )
            .map_err(self.failed("search"))?;
        let rows = statement
            .query_map(params![query, limit as i64], |row| Ok((row.get::<_, String>(0)?, row.get::<_, String>(1)?)))
            .map_err(self.failed("search"))?;
        let mut hits = Vec::new();
        for row in rows {
            let (row, body) = row.map_err(self.failed("search"))?;
            if let Ok(row) = serde_json::from_str::<ListRow>(&row) {
                hits.push((row, search::snippet(&body, text)));
            }
        }
        Ok(hits)
    }

    pub(crate) fn file_records(&self) -> Result<HashMap<String, FileRecord>, Error> {
        let connection = self.connection();
        let mut statement = connection
            .prepare("SELECT path, profiles, dev, ino, size, mtime_ns, ctime_ns, outcome FROM files")
            .map_err(self.failed("read"))?;
        let rows = statement
            .query_map([], |row| {
                let stamp = crate::files::Stamp {
                    dev: row.get::<_, i64>(2)? as u64,
                    ino: row.get::<_, i64>(3)? as u64,
                    size: row.get::<_, i64>(4)? as u64,
                    mtime_ns: row.get(5)?,
                    ctime_ns: row.get(6)?,
                };
                let profiles: String = row.get(1)?;
                Ok((
                    row.get::<_, String>(0)?,
                    FileRecord {
                        stamp,
                        profiles: profiles.split('\n').map(str::to_owned).collect(),
                        outcome: row.get(7)?,
                    },
                ))
            })
            .map_err(self.failed("read"))?;
        rows.collect::<rusqlite::Result<_>>().map_err(self.failed("read"))
    }

    /// Counts files by outcome.
    pub(crate) fn outcomes(&self) -> Result<BTreeMap<String, u32>, Error> {
        let connection = self.connection();
        let mut statement =
            connection.prepare("SELECT outcome, count(*) FROM files GROUP BY outcome").map_err(self.failed("read"))?;
        let rows = statement
            .query_map([], |row| Ok((row.get::<_, String>(0)?, row.get::<_, u32>(1)?)))
            .map_err(self.failed("read"))?;
        rows.collect::<rusqlite::Result<_>>().map_err(self.failed("read"))
    }

    /// Removes what is known about paths that are gone.
    pub(crate) fn forget(&self, paths: &[String]) -> Result<(), Error> {
        let mut connection = self.connection();
        let transaction = connection.transaction().map_err(self.failed("write"))?;
        for chunk in paths.chunks(500) {
            let marks = vec!["?"; chunk.len()].join(",");
            let values: Vec<Value> = chunk.iter().map(|path| Value::Text(path.clone())).collect();
            transaction
                .execute(&format!("DELETE FROM files WHERE path IN ({marks})"), params_from_iter(values.iter()))
                .map_err(self.failed("write"))?;
            transaction
                .execute(&format!("DELETE FROM places WHERE path IN ({marks})"), params_from_iter(values.iter()))
                .map_err(self.failed("write"))?;
        }
        transaction
            .execute_batch(
                "DELETE FROM words WHERE identity NOT IN (SELECT identity FROM places);
                 DELETE FROM bodies WHERE identity NOT IN (SELECT identity FROM places);",
            )
            .map_err(self.failed("write"))?;
        transaction.commit().map_err(self.failed("write"))
    }
}

pub(crate) fn note_revision(connection: &Connection, identity: &str, revision: &Revision) -> rusqlite::Result<()> {
    let newest: Option<String> = connection
        .query_row(
            "SELECT rev FROM revisions WHERE identity = ?1 ORDER BY seen_ms DESC, rowid DESC LIMIT 1",
            [identity],
            |row| row.get(0),
        )
        .optional()?;
    if newest.as_deref() != Some(revision.rev.as_str()) {
        connection
            .prepare_cached("INSERT INTO revisions (identity, rev, seen_ms, by, bytes) VALUES (?1,?2,?3,?4,?5)")?
            .execute(params![identity, revision.rev, revision.seen_ms, revision.by, revision.bytes as i64])?;
    }
    Ok(())
}
