//! What one handoff is to the others: which place is shown, superseded, in conflict, archived when first seen.

use super::Index;
use super::listing::next_generation;
use crate::Error;
use crate::row::long_handle;
use rusqlite::{Transaction, params};
use std::collections::{HashMap, HashSet};

const DAY_MS: i64 = 86_400_000;

/// A place as far as relations need it.
struct Slim {
    id: i64,
    identity: String,
    declared: Option<String>,
    rev: String,
    sort: i64,
    parent: Option<String>,
    line: Option<String>,
    fresh: bool,
    relations: Relations,
}

/// What is written when it changed.
#[derive(Clone, PartialEq)]
struct Relations {
    handle: String,
    shown: bool,
    archived: bool,
    conflict: bool,
    superseded_by: Option<String>,
}

impl Index {
    /// Works out every relation again and writes those that changed.
    pub(crate) fn relate(&self, archive_after_days: u32, now_ms: i64) -> Result<(), Error> {
        let old_before = now_ms - i64::from(archive_after_days) * DAY_MS;
        self.write(|transaction| {
            let generation = next_generation(transaction)?;
            let places = places(transaction)?;
            let handles = handles(&places);
            let children = children(&places, &handles);
            let mut newest: HashMap<&str, &Slim> = HashMap::new();
            let mut revisions: HashMap<&str, HashSet<&str>> = HashMap::new();
            for place in &places {
                revisions.entry(&place.identity).or_default().insert(&place.rev);
                if let Some(line) = &place.line {
                    newest.entry(line).or_insert(place);
                }
            }
            let mut shown = HashSet::new();
            let mut update = transaction.prepare_cached(
                "UPDATE places SET handle = ?2, shown = ?3, archived = ?4, conflict = ?5, superseded_by = ?6, touched = ?7, fresh = 0 WHERE id = ?1",
            )?;
            for place in &places {
                // Work that was split over several receivers has one parent and is several handoffs.
                let beside = |newest: &Slim| place.parent.is_some() && newest.parent == place.parent;
                let by_line = place.line.as_deref().and_then(|line| newest.get(line));
                let by_line = by_line.filter(|newest| newest.identity != place.identity && !beside(newest));
                let successor = children.get(place.identity.as_str()).copied().or(by_line.map(|newest| newest.identity.as_str()));
                let superseded_by = successor.and_then(|identity| handles.get(identity)).cloned();
                let next = Relations {
                    handle: handles.get(place.identity.as_str()).cloned().unwrap_or_else(|| place.relations.handle.clone()),
                    shown: shown.insert(place.identity.as_str()),
                    archived: place.relations.archived || (place.fresh && (superseded_by.is_some() || place.sort < old_before)),
                    conflict: place.declared.is_some() && revisions.get(place.identity.as_str()).is_some_and(|revisions| revisions.len() > 1),
                    superseded_by,
                };
                if next != place.relations || place.fresh {
                    update.execute(params![place.id, next.handle, next.shown, next.archived, next.conflict, next.superseded_by, generation])?;
                }
            }
            Ok(())
        })
    }
}

/// Every place, newest first.
fn places(transaction: &Transaction<'_>) -> rusqlite::Result<Vec<Slim>> {
    let mut statement = transaction.prepare_cached(
        "SELECT id, identity, declared, rev, sort, parent, line, fresh, handle, shown, archived, conflict, superseded_by
         FROM places ORDER BY sort DESC, mtime_ms DESC, path DESC",
    )?;
    let rows = statement.query_map([], |row| {
        Ok(Slim {
            id: row.get(0)?,
            identity: row.get(1)?,
            declared: row.get(2)?,
            rev: row.get(3)?,
            sort: row.get(4)?,
            parent: row.get(5)?,
            line: row.get(6)?,
            fresh: row.get(7)?,
            relations: Relations {
                handle: row.get(8)?,
                shown: row.get(9)?,
                archived: row.get(10)?,
                conflict: row.get(11)?,
                superseded_by: row.get(12)?,
            },
        })
    })?;
    rows.collect()
}

/// One handle an identity; those that would share a short one have long ones.
fn handles(places: &[Slim]) -> HashMap<&str, String> {
    let mut owners: HashMap<String, HashSet<&str>> = HashMap::new();
    for place in places {
        owners.entry(crate::row::handle(&place.identity)).or_default().insert(&place.identity);
    }
    let mut handles = HashMap::new();
    for (handle, identities) in owners {
        let shared = identities.len() > 1;
        handles.extend(
            identities
                .into_iter()
                .map(|identity| (identity, if shared { long_handle(identity) } else { handle.clone() })),
        );
    }
    handles
}

/// By identity, the newest handoff that names it as its parent and is not older.
fn children<'a>(places: &'a [Slim], handles: &HashMap<&str, String>) -> HashMap<&'a str, &'a str> {
    let mut named: HashMap<&str, &Slim> = HashMap::new();
    for place in places {
        if let Some(parent) = &place.parent {
            named.entry(parent).or_insert(place);
        }
    }
    let mut children = HashMap::new();
    for place in places {
        let handle = handles.get(place.identity.as_str()).map(String::as_str);
        let child = named.get(place.identity.as_str()).or_else(|| handle.and_then(|handle| named.get(handle)));
        if let Some(child) = child.filter(|child| child.identity != place.identity && child.sort >= place.sort) {
            children.insert(place.identity.as_str(), child.identity.as_str());
        }
    }
    children
}
