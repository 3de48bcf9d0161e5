//! Looking at the disk: the scan, the bytes that are kept of what it saw, and the dates that only commits know.

use crate::view::{Indexed, Problem, Progress};
use crate::{Desk, Error};
use repo::Question;
use std::cell::OnceCell;
use std::collections::{HashMap, HashSet};
use std::path::{Path, PathBuf};
use std::thread;
use std::time::{Duration, Instant};
use store::index::Undated;
use store::{Scan, keep};

/// How often a wait asks whether to end.
const STEP: Duration = Duration::from_millis(20);
/// How long one scan asks for dates, and how long it asks one repository.
const ASKING: Duration = Duration::from_secs(5);
const ONE_REPOSITORY: Duration = Duration::from_secs(2);

impl Desk {
    /// Scans every profile now, and keeps the bytes of every revision that it saw.
    ///
    /// # Errors
    /// The index's own; what cannot be read on disk is a problem in the answer.
    pub fn index_now(&self, progress: &dyn Fn(Progress), cancel: &dyn Fn() -> bool) -> Result<Indexed, Error> {
        self.index_after(&[], progress, cancel)
    }

    /// Scans when no scan has ever ended: the index is new, or somebody deleted it. Tells whether it did.
    ///
    /// # Errors
    /// As [`Desk::index_now`].
    pub fn index_first(&self) -> Result<bool, Error> {
        let nothing_to_find = || {
            let published = std::fs::read_dir(self.home.handoffs()).is_ok_and(|mut folders| folders.next().is_some());
            Ok::<_, Error>(self.config()?.profiles.is_empty() && !published)
        };
        if self.index.scanned()? || nothing_to_find()? {
            return Ok(false);
        }
        self.index_now(&|_| {}, &|| false)?;
        Ok(true)
    }

    /// A scan after a watch saw the writers of these files close them.
    ///
    /// # Errors
    /// As [`Desk::index_now`].
    pub fn index_after(
        &self,
        whole: &[PathBuf],
        progress: &dyn Fn(Progress),
        cancel: &dyn Fn() -> bool,
    ) -> Result<Indexed, Error> {
        let config = self.config()?;
        progress(Progress::Started { what: "Looking for handoffs".to_owned() });
        let mut step = |done: u32, total: Option<u32>, at: &Path| {
            progress(Progress::Step { done, total, at: Some(at.display().to_string()) })
        };
        let whole: HashSet<PathBuf> = whole.iter().cloned().collect();
        let wait = |time: Duration| {
            let until = Instant::now() + time;
            while !cancel() && Instant::now() < until {
                thread::sleep(STEP.min(until.saturating_duration_since(Instant::now())));
            }
        };
        // Its time begins with the first question.
        let asked = OnceCell::new();
        let report = self.index.scan_with(Scan {
            config: &config,
            home: &self.person,
            now_ms: (self.now)(),
            whole: &whole,
            progress: &mut step,
            cancel,
            commit_dates: &|undated| {
                let until = asked.get_or_init(|| Instant::now() + ASKING);
                self.commit_dates(undated, *until)
            },
            wait: &wait,
        })?;
        self.take_in_markers(&report.markers)?;
        let mut problems = report.problems;
        // What was found is found, also when its bytes cannot be kept.
        let limits = &config.settings.limits;
        if let Err(error) =
            keep::keep_seen(&self.index, &self.ledger, limits.file_bytes as u64, config.settings.blob_bytes)
        {
            problems.push((self.home.blobs(), error.to_string()));
        }
        progress(if report.cancelled {
            Progress::Cancelled
        } else {
            Progress::Finished { message: format!("{} handoffs in {} files.", report.handoffs, report.files) }
        });
        Ok(Indexed {
            files: report.files,
            handoffs: report.handoffs,
            refused: report.refused,
            incomplete: report.incomplete,
            not_handoffs: report.not_handoffs,
            problems: problems
                .into_iter()
                .map(|(path, message)| Problem { path: path.display().to_string(), message })
                .collect(),
            took_ms: report.took_ms,
        })
    }

    /// When files of a repository were committed. None once the time for asking is over: the next scan goes on.
    fn commit_dates(&self, undated: &Undated, until: Instant) -> Option<HashMap<PathBuf, i64>> {
        let left = until.saturating_duration_since(Instant::now());
        if left.is_zero() {
            return None;
        }
        let question = Question {
            repo: Some(undated.repository.clone()),
            handoff_paths: undated.paths.clone(),
            home: Some(self.person.clone()),
            ..Question::default()
        };
        // One that does not answer is not asked again as long as its files stay as they are.
        let dates = self.worker.commit_dates(&question, left.min(ONE_REPOSITORY)).unwrap_or_default();
        let dated = undated.paths.iter().zip(dates).filter_map(|(path, date)| Some((path.clone(), date?)));
        Some(dated.collect())
    }
}
