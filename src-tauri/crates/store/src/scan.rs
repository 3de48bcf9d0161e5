//! Walking the profiles' roots and keeping the index true to what is on disk.

use crate::config::{Config, Profile};
use crate::files::{self, Stamp};
use crate::index::{Index, ListRow, Revision, note_revision};
use crate::names::{is_known_name, never_walked};
use crate::{Error, search};
use globset::{Glob, GlobSet, GlobSetBuilder};
use handoff::{DateBy, Handoff, ItemState, Readable, Reading};
use rusqlite::{Transaction, params};
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::path::{Path, PathBuf};
use std::time::Instant;

const BATCH: usize = 500;

/// What a scan found.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ScanReport {
    /// Files looked at.
    pub files: u32,
    /// Handoffs among them.
    pub handoffs: u32,
    /// Refused documents.
    pub refused: u32,
    /// Incomplete documents.
    pub incomplete: u32,
    /// Files with a handoff's name and another meaning.
    pub not_handoffs: u32,
    /// What could not be read, and why.
    pub problems: Vec<(PathBuf, String)>,
    /// Milliseconds taken.
    pub took_ms: u64,
    /// Whether anything changed in the index.
    pub changed: bool,
    /// Whether it was cancelled; what was done so far is kept.
    pub cancelled: bool,
}

/// The worktree that holds a file: the nearest folder above with a `.git`. Plain path checks; nothing is opened.
pub fn repository_of(path: &Path) -> Option<PathBuf> {
    path.ancestors().skip(1).find(|folder| folder.join(".git").symlink_metadata().is_ok()).map(Path::to_owned)
}

impl Index {
    /// Scans every profile. Files that did not change are not read again.
    ///
    /// # Errors
    /// The index's own; what cannot be read on disk is a problem in the report.
    pub fn scan(
        &self,
        config: &Config,
        home: &Path,
        now_ms: i64,
        progress: &mut dyn FnMut(u32, Option<u32>, &Path),
        cancel: &dyn Fn() -> bool,
    ) -> Result<ScanReport, Error> {
        let started = Instant::now();
        let mut report = ScanReport::default();
        let mut found: BTreeMap<PathBuf, (Stamp, BTreeSet<String>)> = BTreeMap::new();
        for profile in &config.profiles {
            walk(profile, home, &mut found, &mut report.problems, cancel);
        }
        let first = !self.scanned()?;
        let known = self.file_records()?;
        let mut changed: Vec<(&PathBuf, &(Stamp, BTreeSet<String>))> = Vec::new();
        for (path, entry) in &found {
            let record = known.get(path.to_string_lossy().as_ref());
            let profiles: Vec<String> = entry.1.iter().cloned().collect();
            if record.is_none_or(|record| {
                record.stamp != entry.0 || record.profiles != profiles || record.outcome == "incomplete"
            }) {
                changed.push((path, entry));
            }
        }
        let gone: Vec<String> = known.keys().filter(|path| !found.contains_key(Path::new(path))).cloned().collect();
        let total = changed.len() as u32;
        let mut done = 0;
        for batch in changed.chunks(BATCH) {
            if cancel() {
                report.cancelled = true;
                break;
            }
            let mut read = Vec::with_capacity(batch.len());
            for (path, (_, profiles)) in batch {
                match files::read(path, config.settings.limits.file_bytes as u64) {
                    Ok((bytes, stamp)) => read.push(Found::new(path, bytes, stamp, profiles, config)),
                    Err(error) => report.problems.push(((*path).clone(), error.to_string())),
                }
                done += 1;
                if done % 50 == 0 {
                    progress(done, Some(total), path);
                }
            }
            let mut connection = self.connection();
            let transaction = connection.transaction().map_err(self.failed("write"))?;
            for one in &read {
                one.write(&transaction, now_ms).map_err(self.failed("write"))?;
            }
            transaction.commit().map_err(self.failed("write"))?;
        }
        if !gone.is_empty() && !report.cancelled {
            self.forget(&gone)?;
        }
        report.changed = !changed.is_empty() || !gone.is_empty();
        if report.changed || first {
            self.relate(config, now_ms, first)?;
        }
        if !report.cancelled {
            self.connection()
                .execute("INSERT OR REPLACE INTO state (key, value) VALUES ('scanned', ?1)", [now_ms.to_string()])
                .map_err(self.failed("write"))?;
        }
        report.files = found.len() as u32;
        for (outcome, count) in self.outcomes()? {
            match outcome.as_str() {
                "handoff" => report.handoffs = count,
                "refused" => report.refused = count,
                "incomplete" => report.incomplete = count,
                _ => report.not_handoffs = count,
            }
        }
        report.took_ms = started.elapsed().as_millis() as u64;
        Ok(report)
    }

    /// What one handoff is to the others: superseded, in conflict, archived at the first scan.
    fn relate(&self, config: &Config, now_ms: i64, first: bool) -> Result<(), Error> {
        let mut connection = self.connection();
        let transaction = connection.transaction().map_err(self.failed("write"))?;
        let mut rows: Vec<(String, ListRow)> = Vec::new();
        {
            let mut statement = transaction
                .prepare("SELECT path, row FROM places ORDER BY sort DESC, path")
                .map_err(self.failed("read"))?;
            let found = statement
                .query_map([], |row| Ok((row.get::<_, String>(0)?, row.get::<_, String>(1)?)))
                .map_err(self.failed("read"))?;
            for row in found {
                let (path, row) = row.map_err(self.failed("read"))?;
                rows.extend(serde_json::from_str(&row).ok().map(|row| (path, row)));
            }
        }
        let mut revisions: HashMap<&str, BTreeSet<&str>> = HashMap::new();
        let mut newest: HashMap<(PathBuf, String, String), (String, String)> = HashMap::new();
        let mut parents: HashMap<String, String> = HashMap::new();
        for (_, row) in &rows {
            revisions.entry(&row.identity).or_default().insert(&row.rev);
            if let Some(parent) = &row.parent {
                parents.entry(parent.clone()).or_insert_with(|| row.handle.clone());
            }
            if let Some(line) = line_of(row) {
                newest.entry(line).or_insert_with(|| (row.identity.clone(), row.handle.clone()));
            }
        }
        let old_before = now_ms - i64::from(config.settings.archive_after_days) * 86_400_000;
        let mut updates = Vec::new();
        for (path, row) in &rows {
            let mut next = row.clone();
            next.conflict =
                row.id.is_some() && revisions.get(row.identity.as_str()).is_some_and(|revisions| revisions.len() > 1);
            let by_parent = row.id.as_ref().or(Some(&row.handle)).and_then(|own| parents.get(own)).cloned();
            let by_line = line_of(row)
                .and_then(|line| newest.get(&line))
                .filter(|(identity, _)| *identity != row.identity)
                .map(|(_, handle)| handle.clone());
            next.superseded_by = by_parent.or(by_line);
            if first {
                next.archived = next.superseded_by.is_some() || written_ms(row) < old_before;
            }
            if next != *row {
                updates.push((path.clone(), serde_json::to_string(&next).unwrap_or_default()));
            }
        }
        for (path, row) in updates {
            transaction
                .execute("UPDATE places SET row = ?2 WHERE path = ?1", params![path, row])
                .map_err(self.failed("write"))?;
        }
        transaction.commit().map_err(self.failed("write"))
    }
}

/// Handoffs with the same repository, branch and profile are one line of work.
fn line_of(row: &ListRow) -> Option<(PathBuf, String, String)> {
    let (Some(repo), Some(branch), Some(profile)) = (&row.repo, &row.branch, row.profiles.first()) else { return None };
    matches!(row.readable, Readable::Full | Readable::Partial).then(|| (repo.clone(), branch.clone(), profile.clone()))
}

fn written_ms(row: &ListRow) -> i64 {
    // The day is enough here; a document without a date has its file's time.
    match row.written_at.as_deref().and_then(days) {
        Some(days) if row.written_at_by != "file" => days * 86_400_000,
        _ => row.mtime_ms,
    }
}

/// Days since 1970 of a date `YYYY-MM-DD…`. Source of the formula: the proleptic Gregorian calendar.
fn days(date: &str) -> Option<i64> {
    let number = |range: std::ops::Range<usize>| date.get(range).and_then(|part| part.parse::<i64>().ok());
    let (year, month, day) = (number(0..4)?, number(5..7)?, number(8..10)?);
    let (year, month) = if month <= 2 { (year - 1, month + 9) } else { (year, month - 3) };
    Some(year * 365 + year / 4 - year / 100 + year / 400 + (month * 153 + 2) / 5 + day - 1 - 719_468)
}

fn globs(patterns: &[String]) -> Option<GlobSet> {
    let mut builder = GlobSetBuilder::new();
    for pattern in patterns {
        builder.add(Glob::new(pattern).ok()?);
    }
    builder.build().ok().filter(|_| !patterns.is_empty())
}

fn walk(
    profile: &Profile,
    home: &Path,
    found: &mut BTreeMap<PathBuf, (Stamp, BTreeSet<String>)>,
    problems: &mut Vec<(PathBuf, String)>,
    cancel: &dyn Fn() -> bool,
) {
    let (include, exclude) = (globs(&profile.include), globs(&profile.exclude));
    for root in profile.root_paths(home) {
        let Ok(root) = std::fs::canonicalize(&root) else {
            problems.push((
                root.clone(),
                format!("The folder of profile {} is not there. Correct config.toml or create it.", profile.name),
            ));
            continue;
        };
        let walker = ignore::WalkBuilder::new(&root)
            .standard_filters(false)
            .follow_links(false)
            .max_depth(Some(24))
            .filter_entry(|entry| {
                entry.depth() == 0
                    || !(entry.file_type().is_some_and(|kind| kind.is_dir())
                        && never_walked(&entry.file_name().to_string_lossy()))
            })
            .build();
        for entry in walker {
            if cancel() {
                return;
            }
            let entry = match entry {
                Ok(entry) => entry,
                Err(error) => {
                    problems.push((root.clone(), error.to_string()));
                    continue;
                }
            };
            let kind = entry.file_type();
            if !kind.is_some_and(|kind| kind.is_file() || kind.is_symlink()) {
                continue;
            }
            let relative = entry.path().strip_prefix(&root).unwrap_or(entry.path());
            let in_root =
                root.file_name().map(|name| Path::new(name).join(relative)).unwrap_or_else(|| relative.to_owned());
            let wanted = is_known_name(&in_root) || include.as_ref().is_some_and(|globs| globs.is_match(relative));
            if !wanted || exclude.as_ref().is_some_and(|globs| globs.is_match(relative)) {
                continue;
            }
            match std::fs::metadata(entry.path()) {
                Ok(metadata) if metadata.is_file() => {
                    let entry =
                        found.entry(entry.path().to_owned()).or_insert_with(|| (Stamp::of(&metadata), BTreeSet::new()));
                    entry.1.insert(profile.name.clone());
                }
                Ok(_) => {}
                Err(error) => problems.push((entry.path().to_owned(), error.to_string())),
            }
        }
    }
}

/// A file that was read.
struct Found {
    path: PathBuf,
    stamp: Stamp,
    rev: String,
    profiles: Vec<String>,
    outcome: &'static str,
    row: Option<ListRow>,
    sort: String,
    body: String,
}

impl Found {
    fn new(path: &Path, bytes: Vec<u8>, stamp: Stamp, profiles: &BTreeSet<String>, config: &Config) -> Self {
        let repository = repository_of(path);
        let relative = repository
            .as_ref()
            .and_then(|root| path.strip_prefix(root).ok())
            .unwrap_or(path)
            .to_string_lossy()
            .into_owned();
        let reading = handoff::read(&bytes, &relative, &config.settings.limits);
        let rev = handoff::revision(&bytes);
        let outcome = match reading.readable {
            Readable::Full | Readable::Partial => "handoff",
            Readable::Refused => "refused",
            Readable::Incomplete => "incomplete",
            Readable::NotAHandoff => "not_a_handoff",
        };
        let profiles: Vec<String> = profiles.iter().cloned().collect();
        let row = (outcome != "not_a_handoff")
            .then(|| row(path, &relative, repository.as_deref(), &reading, &rev, stamp, &profiles));
        let sort = row.as_ref().map(sort_key).unwrap_or_default();
        let body = if row.is_some() { handoff::mask(&String::from_utf8_lossy(&bytes)) } else { String::new() };
        Self { path: path.to_owned(), stamp, rev, profiles, outcome, row, sort, body }
    }

    fn write(&self, transaction: &Transaction<'_>, now_ms: i64) -> rusqlite::Result<()> {
        let path = self.path.to_string_lossy();
        transaction
            .prepare_cached("INSERT OR REPLACE INTO files (path, profiles, dev, ino, size, mtime_ns, ctime_ns, rev, outcome) VALUES (?1,?2,?3,?4,?5,?6,?7,?8,?9)")?
            .execute(params![
                path, self.profiles.join("\n"), self.stamp.dev as i64, self.stamp.ino as i64, self.stamp.size as i64, self.stamp.mtime_ns, self.stamp.ctime_ns, self.rev,
                self.outcome
            ])?;
        let Some(row) = &self.row else {
            transaction.prepare_cached("DELETE FROM places WHERE path = ?1")?.execute([path])?;
            return Ok(());
        };
        let mut row = row.clone();
        let before: Option<String> = transaction
            .prepare_cached("SELECT row FROM places WHERE path = ?1")?
            .query_map([&path], |row| row.get(0))?
            .next()
            .transpose()?;
        if let Some(before) = before.and_then(|before| serde_json::from_str::<ListRow>(&before).ok()) {
            // A changed file in the archive is news.
            row.archived = before.archived && before.rev == row.rev;
        }
        transaction
            .prepare_cached(
                "INSERT OR REPLACE INTO places (path, identity, rev, sort, repo, row) VALUES (?1,?2,?3,?4,?5,?6)",
            )?
            .execute(params![
                path,
                row.identity,
                row.rev,
                self.sort,
                row.repo.as_ref().map(|repo| repo.to_string_lossy().into_owned()),
                serde_json::to_string(&row).unwrap_or_default()
            ])?;
        let revision = Revision { rev: row.rev.clone(), seen_ms: now_ms, by: "unknown".to_owned(), bytes: row.bytes };
        note_revision(transaction, &row.identity, &revision)?;
        transaction
            .prepare_cached("INSERT OR REPLACE INTO bodies (identity, body) VALUES (?1,?2)")?
            .execute(params![row.identity, self.body])?;
        let words = transaction
            .prepare_cached("SELECT rowid FROM words WHERE identity = ?1")?
            .query_map([&row.identity], |row| row.get::<_, i64>(0))?
            .next()
            .transpose()?;
        if let Some(words) = words {
            transaction.prepare_cached("DELETE FROM words WHERE rowid = ?1")?.execute([words])?;
        }
        let text = format!("{} {} {} {}", search::tokens(&self.body), search::tokens(&path), row.rev, row.handle);
        transaction
            .prepare_cached("INSERT INTO words (identity, tokens) VALUES (?1,?2)")?
            .execute(params![row.identity, text])?;
        Ok(())
    }
}

fn sort_key(row: &ListRow) -> String {
    row.written_at.clone().unwrap_or_default()
}

/// The row of a document. Used for files outside every profile too.
pub(crate) fn row(
    path: &Path,
    relative: &str,
    repository: Option<&Path>,
    reading: &Reading,
    rev: &str,
    stamp: Stamp,
    profiles: &[String],
) -> ListRow {
    let empty = Handoff::default();
    let handoff = reading.current().unwrap_or(&empty);
    let provenance = &handoff.provenance;
    let tree = handoff.trees.first();
    let entry =
        reading.entries.get(reading.shown).filter(|_| reading.entries.len() > 1).map(|entry| entry.heading.as_str());
    let identity = match &handoff.id {
        Some(id) => id.clone(),
        None => format!(
            "{}\u{1}{relative}\u{1}{}",
            repository.map(|root| root.to_string_lossy().into_owned()).unwrap_or_default(),
            entry.unwrap_or_default()
        ),
    };
    let (written_at, by) = match handoff::ordering_date(reading, relative) {
        Some((date, DateBy::Document)) => (Some(date), "document"),
        Some((date, DateBy::Name)) => (Some(date), "name"),
        None => (Some(rfc3339(stamp.mtime_ns / 1_000_000)), "file"),
    };
    let recorded = [tree.and_then(|tree| tree.worktree.as_ref()), tree.and_then(|tree| tree.root.as_ref())]
        .into_iter()
        .flatten()
        .map(|text| PathBuf::from(&text.text))
        .chain(provenance.cwd.as_ref().map(PathBuf::from))
        .find(|path| path.is_absolute() && path.is_dir());
    let repo =
        recorded.map(|path| repository_of(&path.join("x")).unwrap_or(path)).or_else(|| repository.map(Path::to_owned));
    ListRow {
        handle: handle(&identity),
        identity,
        id: handoff.id.clone(),
        rev: rev.to_owned(),
        path: path.to_owned(),
        bytes: stamp.size,
        format: reading.format,
        readable: reading.readable,
        readable_reason: reading.reason.clone(),
        title: handoff.title.as_ref().map(|title| handoff::mask(&title.text)),
        objective: handoff.objective.as_ref().map(|objective| handoff::mask(&objective.text)),
        repo,
        branch: tree.and_then(|tree| tree.branch.as_ref()).map(|branch| branch.text.clone()),
        profiles: profiles.to_vec(),
        from: provenance
            .from
            .clone()
            .or_else(|| provenance.profile.clone())
            .or_else(|| provenance.agent.clone())
            .or_else(|| profiles.first().cloned()),
        to: provenance.to.clone(),
        reason: provenance.reason.clone(),
        resets_at: provenance.resets_at.clone(),
        parent: provenance.parent.clone(),
        written_at,
        written_at_by: by.to_owned(),
        mtime_ms: stamp.mtime_ns / 1_000_000,
        entries: reading.entries.len(),
        badges: badges(path, handoff, reading),
        superseded_by: None,
        conflict: false,
        archived: false,
    }
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
    let nothing = handoff.next.is_empty()
        && handoff.done.is_empty()
        && handoff.objective.is_none()
        && handoff.facts.is_empty()
        && handoff.decisions.is_empty()
        && handoff.open.is_empty();
    if nothing && handoff.extra.is_empty() {
        add("empty");
    }
    let open = handoff.next.iter().any(|item| !matches!(item.state, Some(ItemState::Done | ItemState::Dropped)));
    if !open && handoff.open.is_empty() && !handoff.done.is_empty() {
        add("finished?");
    }
    if path.starts_with("/tmp") || path.starts_with("/var/tmp") {
        add("volatile place");
    }
    badges
}

/// Short, stable, without letters that look alike: seven characters of the identity's hash.
fn handle(identity: &str) -> String {
    const ALPHABET: &[u8; 32] = b"0123456789abcdefghjkmnpqrstvwxyz";
    use sha2::Digest;
    sha2::Sha256::digest(identity.as_bytes())
        .iter()
        .take(7)
        .map(|byte| char::from(ALPHABET[usize::from(byte % 32)]))
        .collect()
}

/// UTC milliseconds as RFC 3339.
pub(crate) fn rfc3339(ms: i64) -> String {
    let (day, rest) = (ms.div_euclid(86_400_000), ms.rem_euclid(86_400_000) / 1000);
    // Source of the formula: the proleptic Gregorian calendar, years from March.
    let z = day + 719_468;
    let era = z.div_euclid(146_097);
    let of_era = z.rem_euclid(146_097);
    let year = (of_era - of_era / 1460 + of_era / 36_524 - of_era / 146_096) / 365;
    let of_year = of_era - (365 * year + year / 4 - year / 100);
    let month = (5 * of_year + 2) / 153;
    let date = of_year - (153 * month + 2) / 5 + 1;
    let (month, year) = if month < 10 { (month + 3, year + era * 400) } else { (month - 9, year + era * 400 + 1) };
    format!("{year:04}-{month:02}-{date:02}T{:02}:{:02}:{:02}Z", rest / 3600, rest / 60 % 60, rest % 60)
}

/// A row for a file that no profile found.
///
/// # Errors
/// When the file cannot be read.
pub fn row_of_file(path: &Path, limits: &handoff::Limits) -> Result<ListRow, Error> {
    let path = std::fs::canonicalize(path).map_err(|source| Error::io("read", path, source))?;
    let (bytes, stamp) = files::read(&path, limits.file_bytes as u64)?;
    let repository = repository_of(&path);
    let relative = repository
        .as_ref()
        .and_then(|root| path.strip_prefix(root).ok())
        .unwrap_or(&path)
        .to_string_lossy()
        .into_owned();
    let reading = handoff::read(&bytes, &relative, limits);
    Ok(row(&path, &relative, repository.as_deref(), &reading, &handoff::revision(&bytes), stamp, &[]))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_written_as_rfc_3339() {
        assert_eq!(rfc3339(0), "1970-01-01T00:00:00Z");
        assert_eq!(rfc3339(1_785_542_399_000), "2026-07-31T23:59:59Z");
        assert_eq!(days("2026-07-31"), Some(1_785_542_399_000 / 86_400_000));
    }
}
