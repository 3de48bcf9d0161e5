//! The walk for untracked paths: everything below the worktree that the index does not hold and no ignore rule
//! names. Reads folders only. A folder that is a repository of its own is one path, as git has it.

use crate::text::path_of;
use git2::{IndexEntry, Repository};
use std::fs;
use std::ops::Range;
use std::path::Path;

/// What the walk found.
#[derive(Debug, Default)]
pub(crate) struct Walked {
    pub(crate) paths: Vec<Vec<u8>>,
    pub(crate) incomplete: Option<String>,
    pub(crate) stopped: bool,
}

/// Lists untracked paths, up to `limit` of them. `entries` are the index's, in its order.
pub(crate) fn untracked(
    repo: &Repository,
    toplevel: &Path,
    entries: &[IndexEntry],
    limit: usize,
    stop: &dyn Fn() -> bool,
) -> Walked {
    let mut walk = Walk { repo, toplevel, entries, limit, stop, found: Walked::default() };
    walk.folder(&mut Vec::new(), 0..entries.len());
    walk.found
}

struct Walk<'a> {
    repo: &'a Repository,
    toplevel: &'a Path,
    entries: &'a [IndexEntry],
    limit: usize,
    stop: &'a dyn Fn() -> bool,
    found: Walked,
}

impl Walk<'_> {
    /// Walks one folder. `prefix` is its path with a final `/`; `tracked` are the entries below it.
    fn folder(&mut self, prefix: &mut Vec<u8>, tracked: Range<usize>) {
        if self.found.incomplete.is_some() {
            return;
        }
        if (self.stop)() {
            self.found.incomplete = Some("the time for a look was over before all folders were walked".into());
            self.found.stopped = true;
            return;
        }
        let Ok(folder) = fs::read_dir(self.toplevel.join(path_of(prefix))) else { return };
        for item in folder.flatten() {
            let name = item.file_name();
            if prefix.is_empty() && name == ".git" {
                continue;
            }
            let Ok(kind) = item.file_type() else { continue };
            let length = prefix.len();
            prefix.extend_from_slice(name.as_encoded_bytes());
            if self.is_tracked(&tracked, prefix) {
                // A tracked file, link or submodule. What became of it is told by its stat data.
            } else if kind.is_dir() {
                self.subfolder(prefix, &tracked);
            } else if (kind.is_file() || kind.is_symlink()) && !self.ignored(prefix) {
                self.push(prefix.clone());
            }
            prefix.truncate(length);
        }
    }

    fn subfolder(&mut self, prefix: &mut Vec<u8>, tracked: &Range<usize>) {
        prefix.push(b'/');
        let slice = &self.entries[tracked.clone()];
        let from = tracked.start + slice.partition_point(|entry| entry.path.as_slice() < prefix.as_slice());
        let below = self.entries[from..tracked.end].partition_point(|entry| entry.path.starts_with(prefix));
        if below > 0 {
            self.folder(prefix, from..from + below);
        } else if self.ignored(prefix) {
            // Whatever lies below is ignored with it.
        } else if fs::symlink_metadata(self.toplevel.join(path_of(prefix)).join(".git")).is_ok() {
            self.push(prefix.clone());
        } else {
            self.folder(prefix, from..from);
        }
    }

    /// Whether the index holds exactly this path, at any stage.
    fn is_tracked(&self, tracked: &Range<usize>, path: &[u8]) -> bool {
        let slice = &self.entries[tracked.clone()];
        let at = slice.partition_point(|entry| entry.path.as_slice() < path);
        slice.get(at).is_some_and(|entry| entry.path == path)
    }

    fn ignored(&self, path: &[u8]) -> bool {
        self.repo.is_path_ignored(path_of(path)).unwrap_or(false)
    }

    fn push(&mut self, path: Vec<u8>) {
        if self.found.paths.len() >= self.limit {
            self.found.incomplete = Some(format!("there are more than {} untracked paths", self.limit));
            return;
        }
        self.found.paths.push(path);
    }
}
