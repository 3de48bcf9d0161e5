//! What a list knows of one document: its identity and handle, when it was written, what it is about. Masked, so that
//! no secret of a document leaves its file.

use crate::Error;
use crate::files::{self, Stamp};
use crate::index::ListRow;
use handoff::{DateBy, Handoff, Item, ItemState, Limits, Readable, Reading};
use jiff::{Timestamp, civil, tz::TimeZone};
use sha2::{Digest, Sha256};
use std::path::{Path, PathBuf};

/// Stands between the parts of an identity that is made of repository, path and entry.
const PART: char = '\u{1}';
/// Folders that a restart or a tidy-up empties.
const VOLATILE: [&str; 3] = ["/tmp", "/var/tmp", "/dev/shm"];
/// Characters of a handle; no two of them look alike.
const ALPHABET: &[u8; 32] = b"0123456789abcdefghjkmnpqrstvwxyz";
/// Characters of a handle, and of one whose short form is another's too.
const HANDLE: usize = 7;
const LONG_HANDLE: usize = 12;

/// The worktree that holds a file: the nearest folder above with a `.git`. Plain path checks; nothing is opened.
pub fn repository_of(path: &Path) -> Option<PathBuf> {
    path.ancestors().skip(1).find(|folder| folder.join(".git").symlink_metadata().is_ok()).map(Path::to_owned)
}

/// A row for a file that no profile found.
///
/// # Errors
/// When the file is not there, is no regular file, keeps changing or cannot be read.
pub fn row_of_file(path: &Path, limits: &Limits) -> Result<ListRow, Error> {
    let path = std::fs::canonicalize(path).map_err(|source| Error::io("read", path, source))?;
    let (bytes, stamp) = files::read(&path, limits.file_bytes as u64)?;
    let place = Place::of(&path, repository_of(&path));
    let reading = handoff::read(&bytes, &place.relative, limits);
    let document = handoff::document(bytes, &place.relative);
    let stamp = stamp.of_document(&reading, &document);
    Ok(row(&place, &reading, &handoff::revision(&document), stamp, &[]))
}

/// Where a file stands.
pub(crate) struct Place {
    pub path: PathBuf,
    /// The worktree that holds it.
    pub repository: Option<PathBuf>,
    /// The path inside the worktree; the whole path when there is none.
    pub relative: String,
}

impl Place {
    pub(crate) fn of(path: &Path, repository: Option<PathBuf>) -> Self {
        let inside = repository.as_ref().and_then(|root| path.strip_prefix(root).ok()).unwrap_or(path);
        let relative = inside.to_string_lossy().into_owned();
        Self { path: path.to_owned(), repository, relative }
    }
}

/// The file that an identity without a declared id was made from.
pub(crate) fn origin_of(identity: &str) -> Option<PathBuf> {
    let mut parts = identity.split(PART);
    let (root, relative) = (parts.next()?, parts.next()?);
    Some(Path::new(root).join(relative))
}

/// Whether two rows of one file are about the same handoff: the same declared id, or without one the same entry.
pub fn is_same_handoff(before: &ListRow, now: &ListRow) -> bool {
    before.id == now.id && (now.id.is_some() || entry_of(&before.identity) == entry_of(&now.identity))
}

/// The entry that an identity without a declared id was made from; empty for the only one of its file.
pub(crate) fn entry_of(identity: &str) -> &str {
    identity.splitn(3, PART).nth(2).unwrap_or_default()
}

/// The row of a document, as far as the document alone can tell.
pub(crate) fn row(place: &Place, reading: &Reading, rev: &str, stamp: Stamp, profiles: &[String]) -> ListRow {
    let empty = Handoff::default();
    let handoff = reading.current().unwrap_or(&empty);
    let provenance = &handoff.provenance;
    let masked = |text: &Option<String>| text.as_deref().map(handoff::mask);
    let identity = identity(place, handoff, reading);
    let (written_at, by) = match handoff::ordering_date(reading, &place.relative) {
        Some((date, DateBy::Document)) => (date, "document"),
        Some((date, DateBy::Name)) => (date, "name"),
        None => (rfc3339(stamp.mtime_ns.div_euclid(1_000_000)), "file"),
    };
    let branch = handoff.trees.first().and_then(|tree| tree.branch.as_ref());
    ListRow {
        handle: handle(&identity),
        identity,
        id: masked(&handoff.id),
        rev: rev.to_owned(),
        path: place.path.clone(),
        bytes: stamp.size,
        format: reading.format,
        readable: reading.readable,
        readable_reason: masked(&reading.reason),
        title: handoff.title.as_ref().map(|title| handoff::mask(&title.text)),
        objective: handoff.objective.as_ref().map(|objective| handoff::mask(&objective.text)),
        repo: recorded(handoff).or_else(|| place.repository.clone()),
        branch: branch.map(|branch| handoff::mask(&branch.text)),
        profiles: profiles.to_vec(),
        from: masked(&provenance.from)
            .or_else(|| masked(&provenance.profile))
            .or_else(|| masked(&provenance.agent))
            .or_else(|| profiles.first().cloned()),
        agent: masked(&provenance.agent),
        to: masked(&provenance.to),
        reason: masked(&provenance.reason),
        resets_at: masked(&provenance.resets_at),
        parent: masked(&provenance.parent),
        written_at: Some(handoff::mask(&written_at)),
        written_at_by: by.to_owned(),
        mtime_ms: stamp.mtime_ns.div_euclid(1_000_000),
        entries: reading.entries.len(),
        badges: badges(&place.path, handoff, reading),
        superseded_by: None,
        conflict: false,
        archived: false,
    }
}

fn identity(place: &Place, handoff: &Handoff, reading: &Reading) -> String {
    if let Some(id) = &handoff.id {
        return handoff::mask(id);
    }
    let root = place.repository.as_ref().map(|root| root.to_string_lossy()).unwrap_or_default();
    let several = reading.entries.len() > 1;
    let entry = reading.entries.get(reading.shown).filter(|_| several).map(|entry| handoff::mask(&entry.heading));
    format!("{root}{PART}{}{PART}{}", place.relative, entry.unwrap_or_default())
}

/// The repository that a document names, when it is there.
fn recorded(handoff: &Handoff) -> Option<PathBuf> {
    let tree = handoff.trees.first();
    let texts = [tree.and_then(|tree| tree.worktree.as_ref()), tree.and_then(|tree| tree.root.as_ref())];
    let path = texts
        .into_iter()
        .flatten()
        .map(|text| PathBuf::from(&text.text))
        .chain(handoff.provenance.cwd.as_ref().map(PathBuf::from))
        .find(|path| path.is_absolute() && path.is_dir())?;
    Some(repository_of(&path.join("x")).unwrap_or(path))
}

fn badges(path: &Path, handoff: &Handoff, reading: &Reading) -> Vec<String> {
    let mut badges = Vec::new();
    let mut add = |badge: &str| badges.push(badge.to_owned());
    if !handoff.points_to.is_empty() {
        add("pointer");
    }
    if reading.findings.iter().any(|finding| finding.code == "draft") {
        add("draft");
    }
    // A pointer and a text whose meaning was not found say something all the same.
    let nothing = says_nothing(handoff) && handoff.extra.is_empty() && handoff.points_to.is_empty();
    if nothing && matches!(reading.readable, Readable::Full | Readable::Partial) {
        add("empty");
    }
    let settled = |item: &Item| matches!(item.state, Some(ItemState::Done | ItemState::Dropped));
    let worked = !handoff.done.is_empty() || handoff.next.iter().any(settled);
    if worked && handoff.next.iter().all(settled) && handoff.open.is_empty() {
        add("finished?");
    }
    if VOLATILE.iter().any(|place| path.starts_with(place)) {
        add("volatile place");
    }
    badges
}

fn says_nothing(handoff: &Handoff) -> bool {
    let safety = &handoff.safety;
    let lists = [
        &handoff.next,
        &handoff.done,
        &handoff.facts,
        &handoff.unverified,
        &handoff.hazards,
        &handoff.open,
        &handoff.constraints,
        &safety.may,
        &safety.ask,
        &safety.never,
    ];
    handoff.objective.is_none()
        && lists.iter().all(|list| list.is_empty())
        && handoff.decisions.is_empty()
        && handoff.rejected.is_empty()
        && handoff.artifacts.is_empty()
}

/// Short and stable: the beginning of the identity's hash.
pub fn handle(identity: &str) -> String {
    characters(identity, HANDLE)
}

/// The handle of an identity whose short one is taken. It begins with the short one.
pub(crate) fn long_handle(identity: &str) -> String {
    characters(identity, LONG_HANDLE)
}

fn characters(identity: &str, count: usize) -> String {
    let hash = Sha256::digest(identity.as_bytes());
    hash.iter().take(count).map(|byte| char::from(ALPHABET[usize::from(byte % 32)])).collect()
}

/// The moment by which a row is ordered, in UTC milliseconds. A time without a zone is the machine's. A day without a
/// time is the file's time when that lies on the same day, else the day's beginning.
pub(crate) fn moment(row: &ListRow, zone: &TimeZone) -> i64 {
    let Some(written) = row.written_at.as_deref() else { return row.mtime_ms };
    if let Ok(at) = written.parse::<Timestamp>() {
        return if row.written_at_by == "file" { row.mtime_ms } else { at.as_millisecond() };
    }
    let Ok(local) = written.parse::<civil::DateTime>() else { return row.mtime_ms };
    let saved = Timestamp::from_millisecond(row.mtime_ms).map(|at| zone.to_datetime(at).date());
    if written.len() == "2026-08-01".len() && saved.is_ok_and(|day| day == local.date()) {
        return row.mtime_ms;
    }
    zone.to_timestamp(local).map_or(row.mtime_ms, |at| at.as_millisecond())
}

/// UTC milliseconds as RFC 3339, to the second.
pub(crate) fn rfc3339(ms: i64) -> String {
    Timestamp::from_second(ms.div_euclid(1_000)).unwrap_or(Timestamp::UNIX_EPOCH).to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(written: &str, mtime_ms: i64) -> i64 {
        let place = Place::of(Path::new("/x/HANDOFF.md"), None);
        let stamp = Stamp { dev: 0, ino: 0, size: 0, mtime_ns: mtime_ms * 1_000_000, ctime_ns: 0 };
        let reading = handoff::read(b"# Handoff\n\n## Next\n- x\n", "HANDOFF.md", &Limits::default());
        let mut row = row(&place, &reading, "", stamp, &[]);
        (row.written_at, row.written_at_by) = (Some(written.to_owned()), "document".to_owned());
        moment(&row, &TimeZone::fixed(jiff::tz::offset(2)))
    }

    #[test]
    fn times_with_another_zone_order_by_the_moment_they_name() {
        assert!(at("2026-08-01T10:00:00+09:00", 0) < at("2026-08-01T02:00:00Z", 0));
        assert_eq!(at("2026-08-01T04:00:00", 0), at("2026-08-01T02:00:00Z", 0), "no zone is the machine's");
    }

    #[test]
    fn a_day_takes_the_time_of_a_file_saved_on_it() {
        let noon = at("2026-08-01T10:00:00Z", 0);
        assert_eq!(at("2026-08-01", noon), noon);
        assert_eq!(at("2026-08-01", noon + 86_400_000), at("2026-07-31T22:00:00Z", 0));
    }

    #[test]
    fn an_identity_without_id_remembers_its_file() {
        assert_eq!(origin_of("/r\u{1}docs/a.md\u{1}"), Some(PathBuf::from("/r/docs/a.md")));
        assert_eq!(origin_of("\u{1}/home/a.md\u{1}x"), Some(PathBuf::from("/home/a.md")));
        assert_eq!(origin_of("01J0"), None);
        assert!(long_handle("01J0").starts_with(&handle("01J0")));
    }
}
