//! What a scan writes: one file at a time inside the scan's transaction.

use super::listing::next_generation;
use super::twins::{self, twin};
use super::{FileRecord, Index, ListRow, Revision};
use crate::Error;
use crate::files::Stamp;
use crate::row::{self, entry_of, origin_of};
use handoff::Readable;
use rusqlite::{Connection, OptionalExtension, Transaction, TransactionBehavior, params};
use std::collections::{HashMap, HashSet};

/// A file that was read.
pub(crate) struct Found {
    pub path: String,
    pub stamp: Stamp,
    pub rev: String,
    pub profiles: Vec<String>,
    pub outcome: &'static str,
    /// Whether a worktree holds it.
    pub in_repository: bool,
    /// None: its content is no handoff.
    pub document: Option<Document>,
}

/// What a handoff's file gave.
pub(crate) struct Document {
    pub row: ListRow,
    /// UTC milliseconds by which it is ordered.
    pub sort: i64,
    /// Its text, masked.
    pub body: String,
    /// The search tokens of body and path.
    pub tokens: String,
}

/// What the whole scan knows and one file does not.
pub(crate) struct Circumstances<'a> {
    pub now_ms: i64,
    /// Paths that were known and are no longer there.
    pub gone: &'a HashSet<String>,
    /// Profiles that were never scanned to the end.
    pub new_profiles: &'a HashSet<String>,
}

/// What was known about a place before.
struct Before {
    id: i64,
    identity: String,
    declared: Option<String>,
    rev: String,
    archived: bool,
    fresh: bool,
}

impl Found {
    fn write(&self, transaction: &Transaction<'_>, scan: &Circumstances<'_>, generation: i64) -> rusqlite::Result<()> {
        record(transaction, self)?;
        let before = before(transaction, "path", &self.path)?;
        let Some(document) = &self.document else {
            return before.map_or(Ok(()), |before| remove(transaction, before.id));
        };
        let mut row = document.row.clone();
        let mut sort = document.sort;
        if row.id.is_none() {
            let mut known = twin(transaction, &row)?;
            if known.is_none()
                && let Some(twin) = twins::pause_twin(transaction, &row, sort)?
            {
                sort = twin.sort;
                known = Some(twin.identity);
            }
            let known = match known {
                Some(identity) => Some(identity),
                None => followed(transaction, &row, before.as_ref(), scan)?,
            };
            if let Some(identity) = known {
                row.handle = row::handle(&identity);
                row.identity = identity;
            }
        }
        let known = match &before {
            Some(_) => None,
            None => self::before(transaction, "identity", &row.identity)?,
        };
        let (archived, fresh) = match before.as_ref().or(known.as_ref()) {
            Some(before) if before.rev == row.rev => (before.archived, before.fresh),
            // Other bytes are news, also in the archive.
            Some(_) => (false, false),
            None => {
                (false, !self.profiles.is_empty() && self.profiles.iter().all(|name| scan.new_profiles.contains(name)))
            }
        };
        if let Some(before) = &before {
            remove(transaction, before.id)?;
        }
        transaction
            .prepare_cached(
                "INSERT INTO places (path, identity, declared, handle, rev, sort, mtime_ms, parent, line, shown, fresh, archived, conflict, touched, undated)
                 VALUES (?1,?2,?3,?4,?5,?6,?7,?8,?9,1,?10,?11,0,?12,?13)",
            )?
            .execute(params![
                self.path, row.identity, row.id, row.handle, row.rev, sort, row.mtime_ms, row.parent, line_of(&row), fresh, archived,
                generation, row.written_at_by == "file" && self.in_repository
            ])?;
        let id = transaction.last_insert_rowid();
        // OK because a row is plain data with text keys and UTF-8 paths: it always becomes JSON.
        let json = serde_json::to_string(&row).unwrap_or_default();
        transaction.prepare_cached("INSERT INTO documents (id, row, body) VALUES (?1,?2,?3)")?.execute(params![
            id,
            json,
            document.body
        ])?;
        let tokens = format!("{} {} {}", document.tokens, row.rev, row.handle);
        transaction.prepare_cached("INSERT INTO words (rowid, tokens) VALUES (?1,?2)")?.execute(params![id, tokens])?;
        let revision = Revision { rev: row.rev, seen_ms: scan.now_ms, by: "unknown".to_owned(), bytes: row.bytes };
        note_revision(transaction, &row.identity, &revision)
    }
}

fn record(transaction: &Transaction<'_>, found: &Found) -> rusqlite::Result<()> {
    let stamp = &found.stamp;
    transaction
        .prepare_cached(
            "INSERT OR REPLACE INTO files (path, profiles, dev, ino, size, mtime_ns, ctime_ns, rev, outcome)
             VALUES (?1,?2,?3,?4,?5,?6,?7,?8,?9)",
        )?
        .execute(params![
            found.path,
            found.profiles.join("\n"),
            stamp.dev.cast_signed(),
            stamp.ino.cast_signed(),
            stamp.size.cast_signed(),
            stamp.mtime_ns,
            stamp.ctime_ns,
            found.rev,
            found.outcome
        ])?;
    Ok(())
}

fn before(connection: &Connection, column: &str, value: &str) -> rusqlite::Result<Option<Before>> {
    connection
        .prepare_cached(&format!("SELECT id, identity, declared, rev, archived, fresh FROM places WHERE {column} = ?1 ORDER BY sort DESC LIMIT 1"))?
        .query_row([value], |row| {
            Ok(Before { id: row.get(0)?, identity: row.get(1)?, declared: row.get(2)?, rev: row.get(3)?, archived: row.get(4)?, fresh: row.get(5)? })
        })
        .optional()
}

/// The identity that a file without a declared id keeps: the one it had before it was moved here.
fn followed(
    connection: &Connection,
    row: &ListRow,
    before: Option<&Before>,
    scan: &Circumstances<'_>,
) -> rusqlite::Result<Option<String>> {
    if let Some(before) = before {
        let moved = before.declared.is_none()
            && origin_of(&before.identity) != origin_of(&row.identity)
            && entry_of(&before.identity) == entry_of(&row.identity);
        return Ok(moved.then(|| before.identity.clone()));
    }
    let own: bool = connection
        .prepare_cached("SELECT EXISTS (SELECT 1 FROM revisions WHERE identity = ?1)")?
        .query_row([&row.identity], |row| row.get(0))?;
    if own {
        return Ok(None);
    }
    let mut statement =
        connection.prepare_cached("SELECT identity FROM revisions WHERE rev = ?1 ORDER BY seen_ms DESC, rowid DESC")?;
    let candidates: Vec<String> =
        statement.query_map([&row.rev], |row| row.get(0))?.collect::<rusqlite::Result<_>>()?;
    for candidate in candidates {
        let Some(origin) = origin_of(&candidate) else { continue };
        let newest = newest_revision(connection, &candidate)?;
        let elsewhere = origin != row.path && origin.symlink_metadata().is_ok();
        if newest.as_deref() == Some(row.rev.as_str()) && !elsewhere && !lives(connection, &candidate, scan.gone)? {
            return Ok(Some(candidate));
        }
    }
    Ok(None)
}

/// Whether a place of this identity is still there.
fn lives(connection: &Connection, identity: &str, gone: &HashSet<String>) -> rusqlite::Result<bool> {
    let mut statement = connection.prepare_cached("SELECT path FROM places WHERE identity = ?1")?;
    let mut paths = statement.query_map([identity], |row| row.get::<_, String>(0))?;
    paths.try_fold(false, |lives, path| Ok(lives || !gone.contains(&path?)))
}

fn remove(connection: &Connection, id: i64) -> rusqlite::Result<()> {
    for sql in [
        "DELETE FROM words WHERE rowid = ?1",
        "DELETE FROM documents WHERE id = ?1",
        "DELETE FROM places WHERE id = ?1",
    ] {
        connection.prepare_cached(sql)?.execute([id])?;
    }
    Ok(())
}

/// Handoffs with the same repository, branch and profile are one line of work. A pointer or a draft is on none.
fn line_of(row: &ListRow) -> Option<String> {
    let (Some(repo), Some(branch), Some(profile)) = (&row.repo, &row.branch, row.profiles.first()) else { return None };
    let counts = matches!(row.readable, Readable::Full | Readable::Partial);
    let stands_alone = row.badges.iter().any(|badge| badge == "pointer" || badge == "draft" || badge == "empty");
    (counts && !stands_alone).then(|| format!("{}\n{branch}\n{profile}", repo.display()))
}

fn newest_revision(connection: &Connection, identity: &str) -> rusqlite::Result<Option<String>> {
    connection
        .prepare_cached("SELECT rev FROM revisions WHERE identity = ?1 ORDER BY seen_ms DESC, rowid DESC LIMIT 1")?
        .query_row([identity], |row| row.get(0))
        .optional()
}

fn note_revision(connection: &Connection, identity: &str, revision: &Revision) -> rusqlite::Result<()> {
    if newest_revision(connection, identity)?.as_deref() != Some(revision.rev.as_str()) {
        connection
            .prepare_cached("INSERT INTO revisions (identity, rev, seen_ms, by, bytes) VALUES (?1,?2,?3,?4,?5)")?
            .execute(params![identity, revision.rev, revision.seen_ms, revision.by, revision.bytes.cast_signed()])?;
    }
    Ok(())
}

impl Index {
    /// Writes in one transaction that holds the write lock from its beginning: two processes wait, none fails.
    pub(crate) fn write<T>(&self, work: impl FnOnce(&Transaction<'_>) -> rusqlite::Result<T>) -> Result<T, Error> {
        let failed = self.failed("write to");
        let mut connection = self.connection();
        let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate).map_err(&failed)?;
        let done = work(&transaction).map_err(&failed)?;
        transaction.commit().map_err(failed)?;
        Ok(done)
    }

    /// Notes that these bytes were seen under an identity, unless they are the newest known.
    ///
    /// # Errors
    /// When the database cannot be written.
    pub fn note_revision(&self, identity: &str, revision: &Revision) -> Result<(), Error> {
        self.write(|transaction| note_revision(transaction, identity, revision))
    }

    /// Tells an index that was made anew which revisions were seen before, by identity. Those it knows stay as they
    /// are. Done before the first scan, a file that was moved meanwhile is followed as well.
    ///
    /// # Errors
    /// When the database cannot be written.
    pub fn seed_revisions(&self, revisions: impl IntoIterator<Item = (String, Revision)>) -> Result<(), Error> {
        self.write(|transaction| {
            let mut statement = transaction.prepare_cached(
                "INSERT INTO revisions (identity, rev, seen_ms, by, bytes) SELECT ?1,?2,?3,?4,?5
                 WHERE NOT EXISTS (SELECT 1 FROM revisions WHERE identity = ?1 AND rev = ?2)",
            )?;
            for (identity, revision) in revisions {
                statement.execute(params![
                    identity,
                    revision.rev,
                    revision.seen_ms,
                    revision.by,
                    revision.bytes.cast_signed()
                ])?;
            }
            Ok(())
        })
    }

    /// Writes what was read, in one transaction.
    pub(crate) fn take_in(&self, batch: &[Found], scan: &Circumstances<'_>) -> Result<(), Error> {
        self.write(|transaction| {
            let generation = next_generation(transaction)?;
            batch.iter().try_for_each(|found| found.write(transaction, scan, generation))
        })
    }

    /// Every file as it was when it was last read, by path.
    pub(crate) fn file_records(&self) -> Result<HashMap<String, FileRecord>, Error> {
        let connection = self.connection();
        let mut statement = connection
            .prepare("SELECT path, profiles, dev, ino, size, mtime_ns, ctime_ns FROM files")
            .map_err(self.failed("read"))?;
        let rows = statement
            .query_map([], |row| {
                let stamp = Stamp {
                    dev: row.get::<_, i64>(2)?.cast_unsigned(),
                    ino: row.get::<_, i64>(3)?.cast_unsigned(),
                    size: row.get::<_, i64>(4)?.cast_unsigned(),
                    mtime_ns: row.get(5)?,
                    ctime_ns: row.get(6)?,
                };
                Ok((row.get(0)?, FileRecord { stamp, profiles: row.get(1)? }))
            })
            .map_err(self.failed("read"))?;
        rows.collect::<rusqlite::Result<_>>().map_err(self.failed("read"))
    }

    /// Removes what is known about paths that are gone. Their revisions stay.
    pub(crate) fn forget(&self, paths: &HashSet<String>) -> Result<(), Error> {
        self.write(|transaction| {
            next_generation(transaction)?;
            for path in paths {
                transaction.prepare_cached("DELETE FROM files WHERE path = ?1")?.execute([path])?;
                if let Some(before) = before(transaction, "path", path)? {
                    remove(transaction, before.id)?;
                }
            }
            Ok(())
        })
    }
}
