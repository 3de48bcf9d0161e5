//! One pass over the folders that hold tracked files: the stat data of each tracked path against the index, and
//! the names that the index does not know. Shared between threads; touches no git object.

use crate::index::{Index, Tracked};
use crate::stat::{Folder, GITLINK, Kind, REGULAR, TYPE_MASK};
use crate::text::path_of;
use std::ops::Range;
use std::path::Path;
use std::sync::{Condvar, Mutex};

/// Fewer tracked paths than this are not worth a second thread.
const WORTH_A_THREAD: usize = 1_500;
/// Most threads.
const THREADS: usize = 4;

/// What the stat data of a tracked path says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Suspicion {
    Gone,
    /// Stat data differ.
    Differs {
        length: u64,
        mode: u32,
    },
    Submodule,
}

/// A name that the index does not know, below a folder that it does.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Stranger {
    pub(crate) path: Vec<u8>,
    pub(crate) is_folder: bool,
}

/// What a scan found.
#[derive(Debug, Default)]
pub(crate) struct Scan {
    /// Entries of the index that are not proved to be as it has them.
    pub(crate) suspects: Vec<(usize, Suspicion)>,
    pub(crate) strangers: Vec<Stranger>,
}

struct Job {
    /// The folder with a final `/`, empty for the worktree itself.
    prefix: Vec<u8>,
    tracked: Range<usize>,
}

#[derive(Default)]
struct Queue {
    jobs: Vec<Job>,
    /// Jobs begun and not ended.
    running: usize,
}

/// Scans a worktree. Stops early when `stop` says so, and then says that it did.
pub(crate) fn scan(toplevel: &Path, index: &Index, stop: &(dyn Fn() -> bool + Sync)) -> (Scan, bool) {
    let whole = Job { prefix: Vec::new(), tracked: 0..index.entries.len() };
    let queue = (Mutex::new(Queue { jobs: vec![whole], running: 0 }), Condvar::new());
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let threads = if index.entries.len() < WORTH_A_THREAD { 1 } else { cores.min(THREADS) };
    let mut found = Scan::default();
    std::thread::scope(|scope| {
        let others: Vec<_> = (1..threads).map(|_| scope.spawn(|| work(toplevel, index, &queue, stop))).collect();
        let mut parts = vec![work(toplevel, index, &queue, stop)];
        parts.extend(others.into_iter().filter_map(|thread| thread.join().ok()));
        for part in parts {
            found.suspects.extend(part.suspects);
            found.strangers.extend(part.strangers);
        }
    });
    found.suspects.sort_by_key(|(at, _)| *at);
    found.strangers.sort_by(|a, b| a.path.cmp(&b.path));
    let stopped = queue.0.lock().is_ok_and(|queue| !queue.jobs.is_empty());
    (found, stopped)
}

fn work(
    toplevel: &Path,
    index: &Index,
    (queue, changed): &(Mutex<Queue>, Condvar),
    stop: &(dyn Fn() -> bool + Sync),
) -> Scan {
    let mut found = Scan::default();
    loop {
        let job = {
            // OK because no holder of this lock panics: it only pushes and pops.
            let Ok(mut queue) = queue.lock() else { return found };
            loop {
                if stop() {
                    changed.notify_all();
                    return found;
                }
                if let Some(job) = queue.jobs.pop() {
                    queue.running += 1;
                    break job;
                }
                if queue.running == 0 {
                    changed.notify_all();
                    return found;
                }
                queue = match changed.wait(queue) {
                    Ok(queue) => queue,
                    Err(_) => return found,
                };
            }
        };
        let more = folder(toplevel, index, job, &mut found);
        if let Ok(mut queue) = queue.lock() {
            queue.jobs.extend(more);
            queue.running -= 1;
            changed.notify_all();
        }
    }
}

/// Scans one folder and returns those below it.
fn folder(toplevel: &Path, index: &Index, job: Job, found: &mut Scan) -> Vec<Job> {
    let Job { prefix, tracked } = job;
    let mut more = Vec::new();
    let Some(folder) = Folder::open(&toplevel.join(path_of(&prefix))) else {
        found.suspects.extend(gone(index, tracked));
        return more;
    };
    let mut names = folder.names();
    names.sort_unstable_by(|a, b| a.0.cmp(&b.0));
    let mut known = vec![false; names.len()];
    let mut at = tracked.start;
    while at < tracked.end {
        let path = index.path(&index.entries[at]);
        let rest = &path[prefix.len()..];
        let slash = rest.iter().position(|byte| *byte == b'/');
        let name = &rest[..slash.unwrap_or(rest.len())];
        let place = names.binary_search_by(|probe| probe.0.as_slice().cmp(name)).ok();
        if slash.is_none() {
            if let Some(place) = place {
                known[place] = true;
            }
            let entry = &index.entries[at];
            if !entry.is_skipped()
                && let Some(suspicion) = place.map_or(Some(Suspicion::Gone), |_| suspicion(&folder, name, entry, index))
            {
                found.suspects.push((at, suspicion));
            }
            at += 1;
            continue;
        }
        let mut below = path[..prefix.len() + name.len() + 1].to_vec();
        let range = index.below(&(at..tracked.end), &below);
        at = range.end;
        match place.filter(|place| names[*place].1 == Kind::Folder) {
            Some(place) => {
                known[place] = true;
                more.push(Job { prefix: std::mem::take(&mut below), tracked: range });
            }
            // A link or a file in place of a folder: what it held is gone, and the thing itself is a stranger.
            None => found.suspects.extend(gone(index, range)),
        }
    }
    for ((name, kind), known) in names.into_iter().zip(known) {
        if known || name == b".git" || kind == Kind::Other {
            continue;
        }
        found.strangers.push(Stranger { path: [prefix.as_slice(), &name].concat(), is_folder: kind == Kind::Folder });
    }
    more
}

fn gone(index: &Index, range: Range<usize>) -> impl Iterator<Item = (usize, Suspicion)> {
    range.filter(|at| !index.entries[*at].is_skipped()).map(|at| (at, Suspicion::Gone))
}

fn suspicion(folder: &Folder, name: &[u8], entry: &Tracked, index: &Index) -> Option<Suspicion> {
    if entry.mode & TYPE_MASK == GITLINK {
        return Some(Suspicion::Submodule);
    }
    match folder.stat(name) {
        None => Some(Suspicion::Gone),
        Some(stat) if stat.proves(entry, index.written) => None,
        Some(stat) => Some(Suspicion::Differs { length: stat.length, mode: stat.mode }),
    }
}

/// Whether a file on disk is a regular one.
pub(crate) fn is_regular(mode: u32) -> bool {
    mode & TYPE_MASK == REGULAR
}
