//! Files that somebody may still be writing: one that changed a moment ago is whole when its writer was seen closing it,
//! or when it was quiet for a while and two looks gave the same bytes. A torn file is never indexed as a whole one.

use crate::files::{self, Stamp};
use crate::walk::Candidate;
use std::collections::HashSet;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// Quiet for so long is quiet.
pub(crate) const QUIET: Duration = Duration::from_millis(500);
/// Looks after which a file counts as still in writing.
const LOOKS: u32 = 4;

/// A changed file: its path and what the walk saw.
pub(crate) type Changed<'a> = (&'a str, &'a Candidate);

/// Changed files, by whether they have been quiet.
pub(crate) struct Settled<'a> {
    pub quiet: Vec<Changed<'a>>,
    /// Changed a moment ago, and nobody saw their writer close them.
    pub young: Vec<Changed<'a>>,
}

/// A file that is looked at again.
pub(crate) struct Young<'a> {
    changed: Changed<'a>,
    /// What the look before gave; none when it could not be read.
    seen: Option<(String, Stamp)>,
}

/// Parts what has been quiet from what has not. A file from the future says nothing about quiet and counts as quiet.
pub(crate) fn part<'a>(changed: Vec<Changed<'a>>, now_ms: i64, whole: &HashSet<PathBuf>) -> Settled<'a> {
    let (young, quiet) = changed.into_iter().partition(|(path, candidate)| {
        let age = age_ms(&candidate.stamp, now_ms);
        // A session is appended to all day; its whole lines are whole.
        let log = path.ends_with(".jsonl");
        (0..QUIET.as_millis() as i64).contains(&age) && !log && !whole.contains(Path::new(path))
    });
    Settled { quiet, young }
}

/// Looks at each for the first time.
pub(crate) fn first_look(young: Vec<Changed<'_>>, file_bytes: u64) -> Vec<Young<'_>> {
    young.into_iter().map(|changed| Young { seen: look(changed.0, file_bytes), changed }).collect()
}

/// Lets time pass until two looks at each gave the same bytes. Those that never do come back as problems.
pub(crate) fn wait_for<'a>(
    mut young: Vec<Young<'a>>,
    now_ms: i64,
    file_bytes: u64,
    wait: &dyn Fn(Duration),
    cancel: &dyn Fn() -> bool,
) -> (Vec<Changed<'a>>, Vec<(PathBuf, String)>) {
    let mut settled = Vec::new();
    let newest = young.iter().map(|one| age_ms(&one.changed.1.stamp, now_ms)).min().unwrap_or(0);
    let mut rest = QUIET.saturating_sub(Duration::from_millis(newest.unsigned_abs()));
    for _ in 0..LOOKS {
        if young.is_empty() || cancel() {
            break;
        }
        wait(rest);
        rest = QUIET;
        young.retain_mut(|one| {
            let before = std::mem::replace(&mut one.seen, look(one.changed.0, file_bytes));
            let same = before.is_some() && before == one.seen;
            if same {
                settled.push(one.changed);
            }
            !same
        });
    }
    let still = young.into_iter().filter(|one| one.seen.is_some()).map(|one| {
        let path = PathBuf::from(one.changed.0);
        let message = crate::Error::Busy { path: path.clone() }.to_string();
        (path, message)
    });
    (settled, still.collect())
}

/// Hash and stamp.
fn look(path: &str, file_bytes: u64) -> Option<(String, Stamp)> {
    files::read(Path::new(path), file_bytes).ok().map(|(bytes, stamp)| (handoff::revision(&bytes), stamp))
}

fn age_ms(stamp: &Stamp, now_ms: i64) -> i64 {
    now_ms - stamp.ctime_ns.div_euclid(1_000_000)
}
