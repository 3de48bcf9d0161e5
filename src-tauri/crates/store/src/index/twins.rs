//! One handoff in several files: a session and its copies, and the pair of files that a pause leaves.

use super::ListRow;
use crate::names::{is_session_file, is_session_folder};
use rusqlite::{Connection, OptionalExtension, params};
use std::path::Path;

/// Two files of one pause are written one after the other.
const ONE_PAUSE_MS: i64 = 15 * 60 * 1_000;
/// The folder in which a pause leaves its files, the structured one of them, and the one for people.
const PLANNING: &str = ".planning";
const STRUCTURED: &str = "handoff.json";
const FOR_PEOPLE: &str = ".continue-here.md";

/// The identity of the same document of a session in another place: the copy that oh-my-pi leaves in the session's
/// folder, the session itself, or one that was moved, imported or forked with the handoff in it.
pub(super) fn twin(connection: &Connection, row: &ListRow) -> rusqlite::Result<Option<String>> {
    if !of_session(&row.path) {
        return Ok(None);
    }
    let mut statement = connection.prepare_cached(
        "SELECT p.identity, p.path FROM revisions r JOIN places p ON p.identity = r.identity
             WHERE r.rev = ?1 AND p.rev = ?1 AND p.path <> ?2 ORDER BY p.path",
    )?;
    let places = statement
        .query_map(params![row.rev, row.path.to_string_lossy()], |row| Ok((row.get(0)?, row.get(1)?)))?
        .collect::<rusqlite::Result<Vec<(String, String)>>>()?;
    Ok(places.into_iter().find(|(_, path)| of_session(Path::new(path))).map(|(identity, _)| identity))
}

/// Whether a file is a session, or stands in the folder of one.
fn of_session(path: &Path) -> bool {
    is_session_file(path) || path.parent().and_then(Path::to_str).is_some_and(is_session_folder)
}

/// The other file of a pause.
pub(super) struct PauseTwin {
    pub identity: String,
    /// UTC milliseconds by which the row is ordered, so that the structured file stands before the one for people.
    pub sort: i64,
}

/// The other file of the same pause, when this one is of a pair.
pub(super) fn pause_twin(connection: &Connection, row: &ListRow, sort: i64) -> rusqlite::Result<Option<PauseTwin>> {
    let name = row.path.file_name().map(|name| name.to_string_lossy().to_lowercase()).unwrap_or_default();
    let structured = name == STRUCTURED;
    if !structured && name != FOR_PEOPLE {
        return Ok(None);
    }
    let is_planning = |folder: &&Path| folder.file_name().is_some_and(|name| name.eq_ignore_ascii_case(PLANNING));
    let Some(folder) = row.path.ancestors().skip(1).find(is_planning).and_then(Path::to_str) else { return Ok(None) };
    let other = if structured { FOR_PEOPLE } else { STRUCTURED };
    let found: Option<(String, i64)> = connection
        .prepare_cached(
            "SELECT identity, sort FROM places WHERE path >= ?1 AND path < ?2 AND lower(path) LIKE ?3 AND declared IS NULL
             ORDER BY abs(sort - ?4) LIMIT 1",
        )?
        .query_row(params![format!("{folder}/"), format!("{folder}0"), format!("%/{other}"), sort], |row| {
            Ok((row.get(0)?, row.get(1)?))
        })
        .optional()?;
    Ok(found.filter(|(_, at)| (at - sort).abs() <= ONE_PAUSE_MS).map(|(identity, at)| PauseTwin {
        identity,
        sort: if structured { sort.max(at + 1) } else { sort.min(at - 1) },
    }))
}
