//! Keeping the index true to what is on disk: walk, read what changed, write it in batches, relate.

use crate::config::Config;
use crate::files;
use crate::index::{Circumstances, CommitDates, Document, Found, Index};
use crate::marker::Marker;
use crate::row::{Place, moment, repository_of, row};
use crate::settle::{self, Settled};
use crate::walk::{Candidate, Walked};
use crate::{Error, search};
use handoff::{Limits, Readable};
use jiff::tz::TimeZone;
use std::borrow::Cow;
use std::collections::{BTreeMap, HashMap, HashSet};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc::sync_channel;
use std::thread;
use std::time::{Duration, Instant};

/// Files in one transaction at most, give or take a chunk.
const BATCH: usize = 500;
/// Files that a thread reads at a time.
const CHUNK: usize = 50;
/// Chunks that wait for the writer.
const WAITING: usize = 8;
/// More readers than this gain nothing: one thread writes.
const MOST_READERS: usize = 4;

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
    /// Files that were read because they were new or changed.
    pub read: u32,
    /// Whether anything changed in the index.
    pub changed: bool,
    /// Markers beside handoffs, as they are now.
    pub markers: Vec<Marker>,
    /// Whether it was cancelled; what was done so far is kept.
    pub cancelled: bool,
}

/// What a scan is handed.
pub struct Scan<'a> {
    /// Profiles and settings.
    pub config: &'a Config,
    /// The person's home folder, for `~`.
    pub home: &'a Path,
    /// UTC milliseconds.
    pub now_ms: i64,
    /// Files of which somebody saw that their writer closed or renamed them: they are whole.
    pub whole: &'a HashSet<PathBuf>,
    /// Told files done, files to do when that is known, and where it is.
    pub progress: &'a mut dyn FnMut(u32, Option<u32>, &Path),
    /// Asked often whether to end.
    pub cancel: &'a dyn Fn() -> bool,
    /// Asked for the dates of documents that bear none.
    pub commit_dates: &'a CommitDates<'a>,
    /// Lets time pass, for files that were written a moment ago.
    pub wait: &'a dyn Fn(Duration),
}

impl Index {
    /// Scans every profile, as [`Index::scan_with`] does, without commits and without waiting.
    ///
    /// # Errors
    /// As there.
    pub fn scan(
        &self,
        config: &Config,
        home: &Path,
        now_ms: i64,
        progress: &mut dyn FnMut(u32, Option<u32>, &Path),
        cancel: &dyn Fn() -> bool,
    ) -> Result<ScanReport, Error> {
        let whole = HashSet::new();
        self.scan_with(Scan {
            config,
            home,
            now_ms,
            whole: &whole,
            progress,
            cancel,
            commit_dates: &|_| None,
            wait: &|_| {},
        })
    }

    /// Scans every profile. Files that did not change are not read again; those that somebody still writes are left as
    /// they were known and named as problems.
    ///
    /// # Errors
    /// The index's own; what cannot be read on disk is a problem in the report.
    pub fn scan_with(&self, scan: Scan<'_>) -> Result<ScanReport, Error> {
        let Scan { config, home, now_ms, whole, progress, cancel, commit_dates, wait } = scan;
        let started = Instant::now();
        let (mut walked, mut known) = thread::scope(|scope| {
            let known = scope.spawn(|| self.file_records());
            let mut walked = Walked::default();
            for profile in &config.profiles {
                walked.walk(profile, home, progress, cancel)?;
            }
            walked.walk_published(&self.home.handoffs(), progress, cancel);
            let known = known.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))?;
            Ok::<_, Error>((walked, known))
        })?;
        for leftover in &walked.leftovers {
            match files::put_away(leftover, &self.home, now_ms) {
                Ok(None) => {}
                Ok(Some(kept_at)) => {
                    let message =
                        format!("An edit did not come to its end. What it left is kept in {}.", kept_at.display());
                    walked.problems.push((leftover.clone(), message));
                }
                Err(error) => walked.problems.push((leftover.clone(), error.to_string())),
            }
        }
        let mut report = ScanReport {
            problems: walked.problems,
            markers: walked.markers,
            cancelled: walked.cancelled,
            ..ScanReport::default()
        };
        let mut changed = Vec::new();
        for (path, candidate) in &walked.found {
            let record = known.remove(path);
            let same =
                record.is_some_and(|record| record.stamp == candidate.stamp && record.profiles == candidate.profiles());
            if !same {
                changed.push((path.as_str(), candidate));
            }
        }
        let Settled { quiet: mut changed, young } = settle::part(changed, now_ms, whole);
        let closed = |path: &str| walked.closed.iter().any(|folder| Path::new(path).starts_with(folder));
        let gone: HashSet<String> =
            if walked.cancelled { HashSet::new() } else { known.into_keys().filter(|path| !closed(path)).collect() };
        let scanned = self.scanned_profiles()?;
        let names: Vec<&str> = config.profiles.iter().map(|profile| profile.name.as_str()).collect();
        let new_profiles: HashSet<String> =
            names.iter().filter(|name| !scanned.contains(**name)).map(|name| (*name).to_owned()).collect();
        let circumstances = Circumstances { now_ms, gone: &gone, new_profiles: &new_profiles };
        let limits = &config.settings.limits;
        let young = settle::first_look(young, limits.file_bytes as u64);
        let mut wrote = self.read_and_write(&changed, limits, &circumstances, &mut report, progress, cancel)?;
        if !young.is_empty() && !report.cancelled {
            let (settled, still) = settle::wait_for(young, now_ms, limits.file_bytes as u64, wait, cancel);
            changed = settled;
            report.problems.extend(still);
            wrote |= self.read_and_write(&changed, limits, &circumstances, &mut report, progress, cancel)?;
        }
        if !gone.is_empty() && !report.cancelled {
            self.forget(&gone)?;
        }
        report.changed = wrote || !gone.is_empty();
        if report.changed || !report.cancelled {
            report.changed |= self.date_by_commit(commit_dates)?;
        }
        if report.changed {
            self.relate(config.settings.archive_after_days, now_ms)?;
        }
        let same_profiles = new_profiles.is_empty() && scanned.len() == names.len() + 1;
        if !report.cancelled && !same_profiles {
            self.note_scanned(&names, now_ms)?;
        }
        report.files = u32::try_from(walked.found.len()).unwrap_or(u32::MAX);
        for (outcome, count) in self.outcomes()? {
            match outcome.as_str() {
                "handoff" => report.handoffs = count,
                "refused" => report.refused = count,
                "incomplete" => report.incomplete = count,
                _ => report.not_handoffs = count,
            }
        }
        report.took_ms = u64::try_from(started.elapsed().as_millis()).unwrap_or(u64::MAX);
        Ok(report)
    }

    /// Takes in what was published since the last scan, and nothing else: who publishes does not wait for every profile.
    ///
    /// # Errors
    /// The index's own.
    pub fn take_in_published(&self, config: &Config, now_ms: i64) -> Result<(), Error> {
        let mut walked = Walked::default();
        walked.walk_published(&self.home.handoffs(), &mut |_, _, _| {}, &|| false);
        let known = self.file_records()?;
        let changed: Vec<_> = walked
            .found
            .iter()
            .filter(|(path, candidate)| known.get(*path).is_none_or(|record| record.stamp != candidate.stamp))
            .map(|(path, candidate)| (path.as_str(), candidate))
            .collect();
        let none = HashSet::new();
        let circumstances = Circumstances { now_ms, gone: &none, new_profiles: &none };
        let mut report = ScanReport::default();
        let limits = &config.settings.limits;
        if self.read_and_write(&changed, limits, &circumstances, &mut report, &mut |_, _, _| {}, &|| false)? {
            self.relate(config.settings.archive_after_days, now_ms)?;
        }
        Ok(())
    }

    /// Reads the changed files on several threads and writes them on this one, in their order. Tells whether anything
    /// was written.
    fn read_and_write(
        &self,
        changed: &[(&str, &Candidate)],
        limits: &Limits,
        circumstances: &Circumstances<'_>,
        report: &mut ScanReport,
        progress: &mut dyn FnMut(u32, Option<u32>, &Path),
        cancel: &dyn Fn() -> bool,
    ) -> Result<bool, Error> {
        let chunks: Vec<_> = changed.chunks(CHUNK).collect();
        let (next, stop) = (AtomicUsize::new(0), AtomicBool::new(false));
        let readers = thread::available_parallelism().map_or(1, usize::from).min(MOST_READERS).min(chunks.len());
        let zone = TimeZone::system();
        let total = u32::try_from(changed.len()).ok();
        let mut wrote = false;
        thread::scope(|scope| {
            let (sender, receiver) = sync_channel(WAITING);
            for _ in 0..readers {
                let (sender, zone) = (sender.clone(), zone.clone());
                let (next, stop, chunks) = (&next, &stop, &chunks);
                scope.spawn(move || {
                    let mut repositories = HashMap::new();
                    loop {
                        let number = next.fetch_add(1, Ordering::Relaxed);
                        let Some(chunk) = chunks.get(number).filter(|_| !stop.load(Ordering::Relaxed)) else { return };
                        let read: Vec<_> = chunk
                            .iter()
                            .map(|(path, candidate)| read(path, candidate, limits, &zone, &mut repositories))
                            .collect();
                        if sender.send((number, read)).is_err() {
                            return;
                        }
                    }
                });
            }
            drop(sender);
            let mut waiting = BTreeMap::new();
            let mut batch = Vec::with_capacity(BATCH);
            let (mut expected, mut done) = (0, 0);
            while let Ok(first) = receiver.recv() {
                // All that is there: a writer that is behind writes large batches, one that waits writes at once.
                waiting.extend(std::iter::once(first).chain(receiver.try_iter()));
                while waiting.contains_key(&expected) {
                    while batch.len() < BATCH
                        && let Some(chunk) = waiting.remove(&expected)
                    {
                        expected += 1;
                        done += u32::try_from(chunk.len()).unwrap_or(0);
                        for one in chunk {
                            match one {
                                Ok(found) => batch.push(found),
                                Err(problem) => report.problems.extend(problem),
                            }
                        }
                    }
                    report.read += u32::try_from(batch.len()).unwrap_or(0);
                    wrote |= !batch.is_empty();
                    let written = self.take_in(&batch, circumstances);
                    batch.clear();
                    if written.is_err() {
                        stop.store(true, Ordering::Relaxed);
                        return written;
                    }
                }
                if let Some((path, _)) = changed.get((done as usize).saturating_sub(1)) {
                    progress(done, total, Path::new(path));
                }
                if cancel() {
                    report.cancelled = true;
                    stop.store(true, Ordering::Relaxed);
                    return Ok(());
                }
            }
            Ok(())
        })?;
        Ok(wrote)
    }
}

/// Reads one file. A file that went away meanwhile is no problem: the next scan does not find it.
fn read(
    path: &str,
    candidate: &Candidate,
    limits: &Limits,
    zone: &TimeZone,
    repositories: &mut HashMap<PathBuf, Option<PathBuf>>,
) -> Result<Found, Option<(PathBuf, String)>> {
    let file = Path::new(path);
    let (bytes, stamp) = match files::read(file, limits.file_bytes as u64) {
        Ok(read) => read,
        Err(Error::Io { source, .. }) if source.kind() == std::io::ErrorKind::NotFound => return Err(None),
        Err(error) => return Err(Some((file.to_owned(), error.to_string()))),
    };
    let folder = file.parent().unwrap_or(Path::new("/")).to_owned();
    let repository = repositories.entry(folder).or_insert_with(|| repository_of(file)).clone();
    let in_repository = repository.is_some();
    let place = Place::of(file, repository);
    let reading = handoff::read(&bytes, &place.relative, limits);
    let bytes = handoff::document(bytes, &place.relative);
    let rev = handoff::revision(&bytes);
    let outcome = match reading.readable {
        Readable::Full | Readable::Partial => "handoff",
        Readable::Refused => "refused",
        Readable::Incomplete => "incomplete",
        Readable::NotAHandoff => "not_a_handoff",
    };
    let profiles: Vec<String> = candidate.profiles.iter().cloned().collect();
    let document = (reading.readable != Readable::NotAHandoff).then(|| {
        // What was published lies in no profile's folder: the profile that published it stands in it.
        let published = || reading.current().and_then(|read| read.provenance.profile.as_deref().map(handoff::mask));
        let own: Vec<String> = if profiles.is_empty() { published().into_iter().collect() } else { profiles.clone() };
        let row = row(&place, &reading, &rev, stamp.of_document(&reading, &bytes), &own);
        let text = std::str::from_utf8(&bytes).map_or_else(|_| String::from_utf8_lossy(&bytes), Cow::Borrowed);
        let body = handoff::mask(&text);
        let tokens = search::tokens(&[&body, path]);
        Document { sort: moment(&row, zone), row, body, tokens }
    });
    Ok(Found { path: path.to_owned(), stamp, rev, profiles, outcome, in_repository, document })
}
