//! The status: which paths differ between HEAD, index and working tree. Never writes the index.
//!
//! Every tracked path is compared by its stat data with what the index holds. Only paths that differ there are
//! read, and only as far as the budget goes: a huge file that was touched is *unknown*, and so is a path whose
//! content only a configured filter could tell.

use crate::handoff_path::HandoffPaths;
use crate::ignored::Ignored;
use crate::index::{Index, Tracked};
use crate::model::StatusCounts;
use crate::plain;
use crate::question::Budget;
use crate::scan::{self, Stranger, Suspicion, is_regular};
use crate::staged;
use crate::stat::{EXECUTABLE, REGULAR, TYPE_MASK};
use crate::submodule::Submodule;
use crate::text::path_of;
use crate::untracked;
use git2::{AttrCheckFlags, AttrValue, Delta, DiffOptions, ObjectType, Oid, Repository};
use std::collections::BTreeMap;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

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
    /// Whether it is known that no configured filter stands between working file and repository.
    pub(crate) unfiltered: bool,
    /// A submodule at the commit that the index holds, with uncommitted work of its own.
    pub(crate) work_inside: bool,
}

/// The status of a worktree.
#[derive(Default)]
pub(crate) struct Status {
    pub(crate) entries: BTreeMap<Vec<u8>, Entry>,
    /// Why it is not complete, in one sentence.
    pub(crate) incomplete: Option<String>,
    /// The index it was taken from.
    pub(crate) index: Index,
    /// Submodules that are checked out, each with a status of its own.
    pub(crate) submodules: Vec<Submodule>,
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
    nested(repo, toplevel, head, budget, stop, 0)
}

/// The same for a submodule, which lies so many levels deep.
pub(crate) fn nested(
    repo: &Repository,
    toplevel: &Path,
    head: Option<Oid>,
    budget: &Budget,
    stop: &dyn Fn() -> bool,
    depth: u32,
) -> Result<Status, git2::Error> {
    let index = Index::read(repo, repo.path())?;
    let mut status = Status::default();

    let began = Instant::now();
    let stopped = AtomicBool::new(stop());
    let late = || stopped.load(Ordering::Relaxed) || began.elapsed().as_millis() > u128::from(budget.look_ms);
    let (scan, ended_early) = scan::scan(toplevel, &index, &late);
    if ended_early {
        status.incomplete = Some("the time for a look was over before all tracked files were seen".into());
    }
    let filters = Filters::of(repo, &index, &scan.strangers);
    let walked =
        untracked::untracked(Ignored::of(repo, toplevel, &index), toplevel, scan.strangers, budget.untracked, stop);
    for path in walked.paths {
        status.entries.entry(path).or_default().untracked = true;
    }
    status.incomplete = status.incomplete.or(walked.incomplete);

    let tree = head.map(|id| repo.find_commit(id).map(|commit| commit.tree_id())).transpose()?;
    for staged in staged::staged(repo, tree, &index)? {
        let entry = status.entries.entry(staged.path).or_default();
        (entry.staged, entry.staged_id) = (Some(staged.side), staged.id);
        (entry.submodule, entry.from) = (staged.submodule, staged.from);
    }
    if stop() {
        status.incomplete = Some("the time for a look was over before changed files were read".into());
    } else {
        let left = budget.total_bytes;
        Unstaged { repo, toplevel, index: &index, filters, budget, left, stop, depth, status: &mut status }
            .decide(scan.suspects)?;
    }
    for entry in index.entries.iter().filter(|entry| entry.is_conflicted()) {
        status.entries.insert(index.path(entry).to_vec(), Entry { conflicted: true, ..Entry::default() });
    }
    status.index = index;
    Ok(status)
}

/// Decides the suspects: by their absence, by a filter's attribute, by the budget, by their content.
struct Unstaged<'a> {
    repo: &'a Repository,
    toplevel: &'a Path,
    index: &'a Index,
    filters: Filters<'a>,
    budget: &'a Budget,
    left: u64,
    stop: &'a dyn Fn() -> bool,
    depth: u32,
    status: &'a mut Status,
}

impl Unstaged<'_> {
    fn decide(mut self, suspects: Vec<(usize, Suspicion)>) -> Result<(), git2::Error> {
        let repo = self.repo;
        let file_mode = repo.config().and_then(|config| config.get_bool("core.filemode")).unwrap_or(true);
        let mut options = DiffOptions::new();
        options.include_typechange(true).ignore_submodules(true).disable_pathspec_match(true).update_index(false);
        let mut asked = false;
        for (at, suspicion) in suspects {
            let entry = self.index.entries[at];
            let path = self.index.path(&entry).to_vec();
            match suspicion {
                Suspicion::Gone => self.set(path, Some(Side::Deleted), None),
                Suspicion::Submodule => {
                    let now = plain::submodule_head(&self.toplevel.join(path_of(&path)));
                    // Not checked out is not changed, as git has it.
                    let moved = now.is_some_and(|now| now != entry.id.to_string());
                    let submodule = Submodule::look(self.toplevel, &path, self.budget, self.stop, self.depth + 1);
                    let work_inside = submodule.as_ref().is_some_and(Submodule::has_work);
                    if moved || work_inside {
                        let known = self.status.entries.entry(path.clone()).or_default();
                        (known.submodule, known.work_inside) = (true, !moved);
                        self.set(path, Some(Side::Modified), None);
                    }
                    self.status.submodules.extend(submodule);
                }
                Suspicion::Differs { .. } if entry.is_intended() => self.set(path, Some(Side::Added), None),
                Suspicion::Differs { length, mode } if is_regular(mode) && entry.mode & TYPE_MASK == REGULAR => {
                    match self.regular(&entry, &path, length) {
                        Told::Same if file_mode && (mode ^ entry.mode) & EXECUTABLE != 0 => {
                            self.set(path, Some(Side::Modified), None)
                        }
                        Told::Same => {}
                        Told::Modified => {
                            self.status.entries.entry(path.clone()).or_default().unfiltered = true;
                            self.set(path, Some(Side::Modified), None);
                        }
                        Told::Unknown(why) => self.set(path, None, Some(why)),
                        Told::AskLibgit2 => {
                            options.pathspec(path.as_slice());
                            asked = true;
                        }
                    }
                }
                Suspicion::Differs { .. } => {
                    options.pathspec(path.as_slice());
                    asked = true;
                }
            }
        }
        if asked {
            let diff = repo.diff_index_to_workdir(None, Some(&mut options))?;
            for delta in diff.deltas() {
                let side = match delta.status() {
                    Delta::Deleted => Side::Deleted,
                    Delta::Modified | Delta::Typechange => Side::Modified,
                    _ => continue,
                };
                if let Some(path) = delta.old_file().path_bytes().or(delta.new_file().path_bytes()) {
                    self.set(path.to_vec(), Some(side), None);
                }
            }
        }
        Ok(())
    }

    fn set(&mut self, path: Vec<u8>, unstaged: Option<Side>, unknown: Option<&'static str>) {
        let known = self.status.entries.entry(path).or_default();
        (known.unstaged, known.unknown) = (unstaged, unknown);
    }

    /// Holds a regular file's content against the index.
    fn regular(&mut self, entry: &Tracked, path: &[u8], length: u64) -> Told {
        if let Some(filter) = self.filters.named(path, "filter") {
            let same = if filter == b"lfs" { self.lfs_same(entry, path, length) } else { None };
            return match same {
                Some(true) => Told::Same,
                Some(false) => Told::Modified,
                None => Told::Unknown("only its configured filter could tell whether it changed"),
            };
        }
        if length > self.budget.file_bytes || length > self.left {
            return Told::Unknown("it is too large to be read within the budget");
        }
        self.left -= length;
        let Ok(content) = plain::read_bounded(&self.toplevel.join(path_of(path)), self.budget.file_bytes) else {
            return Told::Unknown("it cannot be read");
        };
        if may_be_encoded(&content) && self.filters.named(path, "working-tree-encoding").is_some() {
            return Told::Unknown("only its configured encoding could tell whether it changed");
        }
        if may_be_converted(&content) {
            return Told::AskLibgit2;
        }
        match Oid::hash_object(ObjectType::Blob, &content) {
            Ok(id) if id == entry.id => Told::Same,
            Ok(_) => Told::Modified,
            Err(_) => Told::AskLibgit2,
        }
    }

    /// An LFS pointer names its content's SHA-256 and length, so the file can be held against it without the filter.
    fn lfs_same(&mut self, entry: &Tracked, path: &[u8], length: u64) -> Option<bool> {
        let blob = self.repo.find_blob(entry.id).ok()?;
        let pointer = blob.content();
        if !pointer.starts_with(LFS_POINTER) || pointer.len() > 1024 {
            return None;
        }
        let text = std::str::from_utf8(pointer).ok()?;
        let field = |name: &str| text.lines().find_map(|line| line.strip_prefix(name));
        let (hash, size) = (field("oid sha256:")?.trim(), field("size ")?.trim().parse::<u64>().ok()?);
        let path = self.toplevel.join(path_of(path));
        if length == pointer.len() as u64 && plain::read_bounded(&path, 1024).ok()? == pointer {
            return Some(true); // never fetched: the pointer itself lies there
        }
        if size != length {
            return Some(false);
        }
        if length > self.budget.file_bytes || length > self.left {
            return None;
        }
        self.left -= length;
        crate::content::sha256_of(&path).ok().map(|now| now == hash)
    }
}

enum Told {
    Same,
    Modified,
    Unknown(&'static str),
    AskLibgit2,
}

/// Whether git's own conversions (line ends, `$Id$`) could change this content on its way into the repository.
/// Without a carriage return and without a keyword all of them leave it as it is.
pub(crate) fn may_be_converted(content: &[u8]) -> bool {
    content.contains(&b'\r') || content.windows(3).any(|window| window == b"$Id")
}

/// Whether content could be in another encoding than the repository's. UTF-8 without controls is not.
fn may_be_encoded(content: &[u8]) -> bool {
    content.iter().any(|byte| matches!(byte, 0 | 0x1b)) || std::str::from_utf8(content).is_err()
}

/// What the attributes say of paths. Asking libgit2 makes it read the whole index, so it is only asked where there
/// are attributes at all.
pub(crate) struct Filters<'r> {
    repo: &'r Repository,
    any: bool,
}

impl<'r> Filters<'r> {
    /// Looks whether there are attributes anywhere: tracked, new, of the repository, of the person or the machine.
    pub(crate) fn of(repo: &'r Repository, index: &Index, strangers: &[Stranger]) -> Self {
        let names_some = |path: &[u8]| path.ends_with(b".gitattributes");
        let any = index.entries.iter().any(|entry| names_some(index.path(entry)))
            || strangers.iter().any(|stranger| names_some(&stranger.path))
            || repo.commondir().join("info/attributes").exists()
            || repo.config().is_ok_and(|config| config.get_path("core.attributesfile").is_ok())
            || crate::open::has_common_attributes();
        Self { repo, any }
    }

    /// The same without knowing what there is.
    pub(crate) fn unknown(repo: &'r Repository) -> Self {
        Self { repo, any: true }
    }

    /// The value of an attribute that names a filter or an encoding.
    pub(crate) fn named(&self, path: &[u8], attribute: &str) -> Option<Vec<u8>> {
        if !self.any {
            return None;
        }
        let value = self.repo.get_attr_bytes(&path_of(path), attribute, AttrCheckFlags::FILE_THEN_INDEX).ok().flatten();
        match AttrValue::always_bytes(value) {
            AttrValue::Bytes(bytes) => Some(bytes.to_vec()),
            AttrValue::String(text) => Some(text.as_bytes().to_vec()),
            AttrValue::True | AttrValue::False | AttrValue::Unspecified => None,
        }
    }

    /// Whether a program or an encoder would have to stand between working file and repository.
    pub(crate) fn apply_to(&self, path: &[u8]) -> bool {
        ["filter", "working-tree-encoding"].into_iter().any(|attribute| self.named(path, attribute).is_some())
    }
}
