//! The status: which paths differ between HEAD, index and working tree. Never writes the index.
//!
//! Every tracked path is compared by its stat data with what the index holds, beside a walk for untracked ones.
//! Only paths that differ there are given to libgit2, which reads them, and only as far as the budget goes: a
//! huge file that was touched is *unknown*, and so is a path whose content only a configured filter could tell.

use crate::handoff_path::HandoffPaths;
use crate::model::StatusCounts;
use crate::plain;
use crate::question::Budget;
use crate::stat::{Folder, REGULAR, Stat, TYPE_MASK};
use crate::text::path_of;
use crate::untracked;
use git2::{AttrCheckFlags, AttrValue, Delta, DiffFindOptions, DiffOptions, Index, IndexEntry, Oid, Repository};
use std::collections::BTreeMap;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};

const GITLINK: u32 = 0o160_000;
const ASSUME_UNCHANGED: u16 = 0x8000;
const STAGE_MASK: u16 = 0x3000;
pub(crate) const INTENT_TO_ADD: u16 = 0x2000;
const SKIP_WORKTREE: u16 = 0x4000;
/// The beginning of a Git LFS pointer, the one filter whose answer can be told without running it.
const LFS_POINTER: &[u8] = b"version https://git-lfs.github.com/spec/";

/// How a path stands on one side.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Side {
    Added,
    Modified,
    Deleted,
    Renamed,
}

/// One path that is not as HEAD has it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Entry {
    /// HEAD to index.
    pub(crate) staged: Option<Side>,
    /// Index to working tree.
    pub(crate) unstaged: Option<Side>,
    /// The blob in the index, when staged.
    pub(crate) staged_id: Option<Oid>,
    /// The earlier path of a staged rename.
    pub(crate) from: Option<Vec<u8>>,
    pub(crate) untracked: bool,
    pub(crate) conflicted: bool,
    pub(crate) submodule: bool,
    /// Why nothing can be said about the working file.
    pub(crate) unknown: Option<&'static str>,
}

/// The status of a worktree.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Status {
    pub(crate) entries: BTreeMap<Vec<u8>, Entry>,
    /// Why it is not complete, in one sentence.
    pub(crate) incomplete: Option<String>,
}

impl Status {
    /// Counts as `git status` would give them, and what it would have had to run something for.
    pub(crate) fn counts(&self) -> StatusCounts {
        let mut counts = StatusCounts::default();
        for entry in self.entries.values() {
            if entry.conflicted {
                counts.conflicted += 1;
                continue;
            }
            counts.staged += u32::from(entry.staged.is_some());
            counts.modified += u32::from(entry.unstaged.is_some());
            counts.untracked += u32::from(entry.untracked);
            counts.unknown += u32::from(entry.unknown.is_some());
        }
        counts
    }

    /// Paths with uncommitted work that is no handoff.
    pub(crate) fn work<'a>(&'a self, paths: &'a HandoffPaths) -> impl Iterator<Item = (&'a Vec<u8>, &'a Entry)> {
        self.entries.iter().filter(|(path, entry)| entry.unknown.is_none() && !paths.contains(path))
    }
}

/// Takes the status. `stop` is asked now and then; when it says so, what was found so far is the answer.
pub(crate) fn status(
    repo: &Repository,
    toplevel: &Path,
    head: Option<Oid>,
    budget: &Budget,
    stop: &dyn Fn() -> bool,
) -> Result<Status, git2::Error> {
    let index = repo.index()?;
    let mut entries: Vec<IndexEntry> = index.iter().collect();
    if !entries.is_sorted_by(|a, b| a.path <= b.path) {
        entries.sort_by(|a, b| a.path.cmp(&b.path)); // with core.ignoreCase, libgit2 orders without case
    }
    let index_time = index.path().and_then(modified_at);
    let mut status = Status::default();

    let cancelled = AtomicBool::new(false);
    let (suspects, walked) = std::thread::scope(|scope| {
        let scan = scope.spawn(|| suspects(toplevel, &entries, index_time, &cancelled));
        let walked = untracked::untracked(repo, toplevel, &entries, budget.untracked, stop);
        if walked.stopped {
            cancelled.store(true, Ordering::Relaxed);
        }
        let suspects = scan.join().unwrap_or_default(); // a panic there is a bug of ours; the walk is still right
        (suspects, walked)
    });
    for path in walked.paths {
        status.entries.entry(path).or_default().untracked = true;
    }
    status.incomplete = walked.incomplete;

    staged(repo, head, &index, &mut status)?;
    if stop() {
        status.incomplete = Some("the time for a look was over before changed files were read".into());
        return Ok(status);
    }
    unstaged(repo, toplevel, &index, &entries, suspects, budget, &mut status)?;
    for entry in entries.iter().filter(|entry| entry.flags & STAGE_MASK != 0) {
        let known = status.entries.entry(entry.path.clone()).or_default();
        *known = Entry { conflicted: true, ..Entry::default() };
    }
    Ok(status)
}

/// What the stat data of a tracked path says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Suspicion {
    Gone,
    /// Stat data differ; the length is the one on disk.
    Differs {
        length: u64,
        regular: bool,
    },
    Submodule,
}

fn modified_at(path: &Path) -> Option<(i64, i64)> {
    Stat::of(path).map(|stat| stat.mtime)
}

/// Paths whose stat data do not prove that they are as the index has them, by position in the index.
fn suspects(
    toplevel: &Path,
    entries: &[IndexEntry],
    index_time: Option<(i64, i64)>,
    cancelled: &AtomicBool,
) -> Vec<(usize, Suspicion)> {
    let folder = Folder::open(toplevel);
    let mut found = Vec::new();
    for (at, entry) in entries.iter().enumerate() {
        if at % 1024 == 0 && cancelled.load(Ordering::Relaxed) {
            break;
        }
        let skipped = entry.flags & (ASSUME_UNCHANGED | STAGE_MASK) != 0 || entry.flags_extended & SKIP_WORKTREE != 0;
        if skipped {
            continue;
        }
        if entry.mode & TYPE_MASK == GITLINK {
            found.push((at, Suspicion::Submodule));
            continue;
        }
        match folder.stat(&entry.path) {
            None => found.push((at, Suspicion::Gone)),
            Some(stat) if !stat.proves(entry, index_time) => {
                found.push((at, Suspicion::Differs { length: stat.length, regular: stat.mode & TYPE_MASK == REGULAR }));
            }
            Some(_) => {}
        }
    }
    found
}

fn staged(repo: &Repository, head: Option<Oid>, index: &Index, status: &mut Status) -> Result<(), git2::Error> {
    let tree = head.map(|id| repo.find_commit(id).and_then(|commit| commit.tree())).transpose()?;
    let mut options = DiffOptions::new();
    options.include_typechange(true);
    let mut diff = repo.diff_tree_to_index(tree.as_ref(), Some(index), Some(&mut options))?;
    let (mut added, mut deleted) = (false, false);
    for delta in diff.deltas() {
        added |= delta.status() == Delta::Added;
        deleted |= delta.status() == Delta::Deleted;
    }
    if added && deleted {
        diff.find_similar(Some(DiffFindOptions::new().renames(true).rename_limit(200)))?;
    }
    for delta in diff.deltas() {
        let (old, new) = (delta.old_file(), delta.new_file());
        let side = match delta.status() {
            Delta::Added => Side::Added,
            Delta::Deleted => Side::Deleted,
            Delta::Renamed => Side::Renamed,
            Delta::Modified | Delta::Typechange => Side::Modified,
            _ => continue,
        };
        let Some(path) = (if side == Side::Deleted { old.path_bytes() } else { new.path_bytes() }) else { continue };
        let entry = status.entries.entry(path.to_vec()).or_default();
        entry.staged = Some(side);
        entry.staged_id = (side != Side::Deleted).then(|| new.id());
        entry.submodule = [old.mode(), new.mode()].contains(&git2::FileMode::Commit);
        if side == Side::Renamed {
            entry.from = old.path_bytes().map(<[u8]>::to_vec);
        }
    }
    Ok(())
}

/// Decides the suspects: by their absence, by a filter's attribute, by the budget, else by libgit2.
fn unstaged(
    repo: &Repository,
    toplevel: &Path,
    index: &Index,
    entries: &[IndexEntry],
    suspects: Vec<(usize, Suspicion)>,
    budget: &Budget,
    status: &mut Status,
) -> Result<(), git2::Error> {
    let mut left = budget.total_bytes;
    let mut options = DiffOptions::new();
    options.include_typechange(true).ignore_submodules(true).disable_pathspec_match(true).update_index(false);
    let mut any = false;
    for (at, suspicion) in suspects {
        let entry = &entries[at];
        let mut set = |unstaged, unknown| {
            let known = status.entries.entry(entry.path.clone()).or_default();
            (known.unstaged, known.unknown) = (unstaged, unknown);
        };
        match suspicion {
            Suspicion::Gone if entry.flags_extended & INTENT_TO_ADD != 0 => set(Some(Side::Deleted), None),
            Suspicion::Gone => set(Some(Side::Deleted), None),
            Suspicion::Submodule => {
                let now = plain::submodule_head(&toplevel.join(path_of(&entry.path)));
                // Not checked out is not changed, as git has it.
                if now.is_some_and(|now| now != entry.id.to_string()) {
                    let known = status.entries.entry(entry.path.clone()).or_default();
                    (known.unstaged, known.submodule) = (Some(Side::Modified), true);
                }
            }
            Suspicion::Differs { length, regular } => {
                if regular && let Some(filter) = configured_filter(repo, &entry.path) {
                    match (filter == b"lfs")
                        .then(|| lfs_same(repo, toplevel, entry, length, &mut left, budget))
                        .flatten()
                    {
                        Some(true) => {}
                        Some(false) => set(Some(Side::Modified), None),
                        None => set(None, Some("only its configured filter could tell whether it changed")),
                    }
                } else if regular && (length > budget.file_bytes || length > left) {
                    set(None, Some("it is too large to be read within the budget"));
                } else {
                    left = left.saturating_sub(if regular { length } else { 0 });
                    options.pathspec(entry.path.as_slice());
                    any = true;
                }
            }
        }
    }
    if !any {
        return Ok(());
    }
    let diff = repo.diff_index_to_workdir(Some(index), Some(&mut options))?;
    for delta in diff.deltas() {
        let side = match delta.status() {
            Delta::Deleted => Side::Deleted,
            Delta::Modified | Delta::Typechange => Side::Modified,
            Delta::Added => Side::Added,
            _ => continue,
        };
        let Some(path) = delta.old_file().path_bytes().or(delta.new_file().path_bytes()) else { continue };
        status.entries.entry(path.to_vec()).or_default().unstaged = Some(side);
    }
    for entry in entries.iter().filter(|entry| entry.flags_extended & INTENT_TO_ADD != 0) {
        let known = status.entries.entry(entry.path.clone()).or_default();
        known.staged = None;
        known.unstaged.get_or_insert(Side::Added);
    }
    Ok(())
}

/// The name of the filter that the attributes give a path, when it is one that a program would have to run.
pub(crate) fn configured_filter(repo: &Repository, path: &[u8]) -> Option<Vec<u8>> {
    let path = path_of(path);
    for name in ["filter", "working-tree-encoding"] {
        let value = repo.get_attr_bytes(&path, name, AttrCheckFlags::FILE_THEN_INDEX).ok().flatten();
        match AttrValue::always_bytes(value) {
            AttrValue::Bytes(bytes) => return Some(bytes.to_vec()),
            AttrValue::String(text) => return Some(text.as_bytes().to_vec()),
            AttrValue::True | AttrValue::False | AttrValue::Unspecified => {}
        }
    }
    None
}

/// An LFS pointer names its content's SHA-256 and length, so the file can be held against it without the filter.
fn lfs_same(
    repo: &Repository,
    toplevel: &Path,
    entry: &IndexEntry,
    length: u64,
    left: &mut u64,
    budget: &Budget,
) -> Option<bool> {
    let blob = repo.find_blob(entry.id).ok()?;
    let pointer = blob.content();
    if !pointer.starts_with(LFS_POINTER) || pointer.len() > 1024 {
        return None;
    }
    let text = std::str::from_utf8(pointer).ok()?;
    let field = |name: &str| text.lines().find_map(|line| line.strip_prefix(name));
    let (hash, size) = (field("oid sha256:")?.trim(), field("size ")?.trim().parse::<u64>().ok()?);
    let path = toplevel.join(path_of(&entry.path));
    if length == pointer.len() as u64 && plain::read_bounded(&path, 1024).ok()? == pointer {
        return Some(true); // never fetched: the pointer itself lies there
    }
    if size != length {
        return Some(false);
    }
    if length > budget.file_bytes || length > *left {
        return None;
    }
    *left -= length;
    crate::content::sha256_of(&path).ok().map(|now| now == hash)
}
