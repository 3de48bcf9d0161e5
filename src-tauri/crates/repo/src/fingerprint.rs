//! What an approval binds of a tree: worktree, branch, HEAD through handoff-only commits, operation, and the
//! content of every changed path but handoffs, markers and pointers, those of submodules included. Nothing volatile: a `git gc`, `git status`,
//! fetch, touch or the commit of the handoff itself leaves it equal.

use crate::handoff_path::HandoffPaths;
use crate::index::Tracked;
use crate::model::Operation;
use crate::place::{self, Place};
use crate::plain;
use crate::question::Budget;
use crate::relation::handoff_only;
use crate::stat::{EXECUTABLE, Stat};
use crate::status::{self, Entry, Side, Status};
use crate::taken::{Found, Opened, find};
use crate::text::{path_of, quoted, shown, shown_path};
use crate::{Error, Question, content, snapshot};
use git2::{ObjectType, Oid, Repository};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::path::Path;
use std::time::{Duration, Instant, UNIX_EPOCH};

/// Handoff-only commits that are passed over.
const PASSED_OVER: usize = 500;

/// The state of every tree that a handoff records, one at least.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Fingerprint {
    /// One for each recorded repository, in the order of the document.
    pub trees: Vec<TreePrint>,
}

/// One folder or worktree.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TreePrint {
    /// The worktree, or without a repository the folder, without symbolic links.
    pub folder: String,
    /// Which folder that is on this disk: inode and when it was made. Absent where the system has none.
    pub identity: Option<String>,
    /// Absent where there is no repository: then the folder alone is bound.
    pub repository: Option<RepositoryPrint>,
}

/// One repository.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct RepositoryPrint {
    /// Which repository that is: the same of its git folder.
    pub identity: Option<String>,
    /// The branch, absent when detached.
    pub branch: Option<String>,
    /// HEAD, handoff-only commits passed over. Absent when unborn.
    pub head: Option<String>,
    /// What git is in the middle of.
    pub operation: Option<Operation>,
    /// Changed paths and their content.
    pub paths: BTreeMap<String, PathPrint>,
    /// Why it is weak: what was bound by size and time only, or not looked at. Empty when it is not.
    pub weak: Vec<String>,
}

/// One changed path.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PathPrint {
    /// The content in the working tree: `sha256:…`, `link:…`, `commit:…`, `size:…`, or `deleted`.
    pub working: String,
    /// Whether the file is executable.
    pub executable: bool,
    /// What is staged, where that differs from the working tree: a blob, or `deleted`.
    pub staged: Option<String>,
    /// Whether it is in conflict.
    pub conflicted: bool,
}

impl Fingerprint {
    /// SHA-256 over everything bound, in lower-case hexadecimal.
    pub fn digest(&self) -> String {
        // OK because maps with string keys and plain values always serialise.
        content::sha256(&serde_json::to_vec(self).unwrap_or_default())
    }

    /// Whether something is bound by less than its content.
    pub fn is_weak(&self) -> bool {
        self.reasons_weak().next().is_some()
    }

    /// What is bound by less than its content, one sentence each.
    pub fn reasons_weak(&self) -> impl Iterator<Item = &str> {
        self.trees
            .iter()
            .filter_map(|tree| tree.repository.as_ref())
            .flat_map(|print| print.weak.iter().map(String::as_str))
    }
}

/// Takes the fingerprint of every tree that a handoff records.
///
/// # Errors
/// When no folder is named, a named one is gone, or a repository cannot be read safely. A folder without a
/// repository is no error: it is bound as a folder.
pub fn fingerprint(question: &Question) -> Result<Fingerprint, Error> {
    let trees = place::places(question).iter().map(|place| print(place, question)).collect::<Result<_, _>>()?;
    Ok(Fingerprint { trees })
}

/// The fingerprint of one recorded repository.
pub(crate) fn print(place: &Place, question: &Question) -> Result<TreePrint, Error> {
    let typed = || place.folder.as_ref().map(|folder| folder.typed.clone()).unwrap_or_default();
    match find(place, question) {
        Found::Nothing => Err(Error::NoFolder),
        Found::Gone { why, .. } => Err(Error::FolderGone { path: typed(), why }),
        Found::Refused(refusal) => {
            Err(Error::NotInspectable { path: refusal.toplevel.unwrap_or_else(typed), why: refusal.reason })
        }
        Found::NoRepository(folder) => {
            Ok(TreePrint { folder: shown_path(&folder), identity: identity(&folder), repository: None })
        }
        Found::Opened(opened) => {
            let toplevel = opened.located.toplevel.clone();
            let repository = repository(&opened, question).map_err(|source| Error::Git {
                operation: "fingerprint",
                path: toplevel.clone(),
                source,
            })?;
            Ok(TreePrint { folder: shown_path(&toplevel), identity: identity(&toplevel), repository: Some(repository) })
        }
    }
}

/// What is bound of an opened repository.
pub(crate) fn repository(opened: &Opened, question: &Question) -> Result<RepositoryPrint, git2::Error> {
    let (repo, toplevel) = (&opened.repo, &opened.located.toplevel);
    let began = Instant::now();
    let limit = Duration::from_millis(question.budget.look_ms);
    let stop = || began.elapsed() > limit;
    let status = status::status(repo, toplevel, opened.head.commit, &question.budget, &stop)?;
    let mut bound = Bound {
        budget: &question.budget,
        stop: &stop,
        left: question.budget.total_bytes,
        paths: BTreeMap::new(),
        weak: Vec::new(),
    };
    bound.bind(toplevel, &status, &opened.paths, b"");
    Ok(RepositoryPrint {
        identity: identity(&opened.located.git_dir),
        branch: opened.head.branch.as_deref().map(shown),
        head: opened.head.commit.map(|id| through_handoffs(repo, id, opened)).map(|id| id.to_string()),
        operation: snapshot::operation(repo),
        paths: bound.paths,
        weak: bound.weak,
    })
}

/// The changed paths of a worktree and of the submodules in it, as they are bound.
struct Bound<'a> {
    budget: &'a Budget,
    stop: &'a dyn Fn() -> bool,
    left: u64,
    paths: BTreeMap<String, PathPrint>,
    weak: Vec<String>,
}

impl Bound<'_> {
    /// Binds what lies below `toplevel`, whose own path is `prefix`.
    fn bind(&mut self, toplevel: &Path, status: &Status, handoffs: &HandoffPaths, prefix: &[u8]) {
        self.weak.extend(status.incomplete.clone());
        for (path, entry) in status.entries.iter().filter(|(path, _)| !handoffs.contains(path)) {
            if !entry.work_inside {
                self.path(toplevel, path, entry, prefix);
            }
        }
        for path in unseen(toplevel, handoffs, status, self.budget.file_bytes, self.stop) {
            self.path(toplevel, path, &Entry::default(), prefix);
        }
        for submodule in &status.submodules {
            self.weak.extend(submodule.unseen());
            if let Ok(inside) = &submodule.found {
                let prefix = [prefix, &submodule.path, b"/"].concat();
                self.bind(&inside.toplevel, &inside.status, &HandoffPaths::default(), &prefix);
            }
        }
    }

    fn path(&mut self, toplevel: &Path, path: &[u8], entry: &Entry, prefix: &[u8]) {
        let file = toplevel.join(path_of(path));
        let whole = [prefix, path].concat();
        let (working, strong) = working(&file, entry, &mut self.left, self.budget.file_bytes, self.stop);
        if !strong {
            self.weak.push(format!("{} is bound by size and time only", quoted(&shown(&whole))));
        }
        let staged = match (entry.staged, entry.unstaged.is_some() || entry.untracked) {
            (Some(Side::Deleted), true) => Some("deleted".to_owned()),
            (Some(_), true) => entry.staged_id.map(|id| id.to_string()),
            _ => None,
        };
        let print = PathPrint { working, executable: executable(&file), staged, conflicted: entry.conflicted };
        self.paths.insert(own_name(&self.paths, &whole), print);
    }
}

/// A path as text. Two paths that are no text may be written alike; each is bound under a name of its own.
fn own_name(taken: &BTreeMap<String, PathPrint>, path: &[u8]) -> String {
    let mut name = shown(path);
    while taken.contains_key(&name) {
        name.push('~');
    }
    name
}

/// Tracked paths that git was told not to look at (assume-unchanged, skip-worktree) and whose working files are
/// there and other than the index has them. No status shows them; what a person approved must hold for them too.
fn unseen<'a>(
    toplevel: &Path,
    handoffs: &HandoffPaths,
    status: &'a Status,
    most: u64,
    stop: &dyn Fn() -> bool,
) -> Vec<&'a [u8]> {
    let index = &status.index;
    let differs = |path: &[u8], entry: &Tracked| {
        let file = toplevel.join(path_of(path));
        let Some(stat) = Stat::of(&file) else { return false };
        if stat.proves(entry, index.written) {
            return false;
        }
        let small = !stop() && stat.length <= most;
        let content = small.then(|| plain::read_bounded(&file, most).ok()).flatten();
        let id = content.and_then(|bytes| Oid::hash_object(ObjectType::Blob, &bytes).ok());
        id != Some(entry.id) || (stat.mode ^ entry.mode) & EXECUTABLE != 0
    };
    index
        .entries
        .iter()
        .filter(|entry| entry.is_skipped() && !entry.is_conflicted())
        .map(|entry| (index.path(entry), entry))
        .filter(|(path, entry)| !handoffs.contains(path) && differs(path, entry))
        .map(|(path, _)| path)
        .collect()
}

/// The newest commit that is work: handoff-only ones above it are passed over.
fn through_handoffs(repo: &Repository, head: Oid, opened: &Opened) -> Oid {
    let mut at = head;
    for _ in 0..PASSED_OVER {
        let Ok(commit) = repo.find_commit(at) else { break };
        if commit.parent_count() != 1 || !handoff_only(repo, &commit, &opened.paths) {
            break;
        }
        let Ok(parent) = commit.parent_id(0) else { break };
        at = parent;
    }
    at
}

/// The content of a working path, and whether it was read in full.
fn working(file: &Path, entry: &Entry, left: &mut u64, file_bytes: u64, stop: &dyn Fn() -> bool) -> (String, bool) {
    let Ok(meta) = std::fs::symlink_metadata(file) else { return ("deleted".into(), true) };
    if meta.is_symlink() {
        let target = std::fs::read_link(file).map(|target| shown_path(&target));
        return (format!("link:{}", target.unwrap_or_default()), true);
    }
    if meta.is_dir() {
        let head = plain::submodule_head(file);
        let known = head.is_some() || entry.submodule;
        return (format!("commit:{}", head.unwrap_or_default()), known);
    }
    if meta.is_file() && meta.len() <= file_bytes && meta.len() <= *left && !stop() {
        *left -= meta.len();
        if let Ok(hash) = content::sha256_of(file) {
            return (format!("sha256:{hash}"), true);
        }
    }
    let modified = meta.modified().ok().and_then(|time| time.duration_since(UNIX_EPOCH).ok()).unwrap_or_default();
    (format!("size:{} modified:{}.{:09}", meta.len(), modified.as_secs(), modified.subsec_nanos()), false)
}

/// Which folder lies at a path. A device is only numbered until the next mount, so where the file system keeps when a
/// folder was made, that stands in its place: it tells a new folder that was given an old one's inode, too.
#[cfg(unix)]
pub(crate) fn identity(path: &Path) -> Option<String> {
    use std::os::unix::fs::MetadataExt;
    let meta = std::fs::metadata(path).ok()?;
    let made = meta.created().ok().and_then(|time| time.duration_since(UNIX_EPOCH).ok());
    Some(match made {
        Some(made) => format!("inode {} made {}.{:09}", meta.ino(), made.as_secs(), made.subsec_nanos()),
        None => format!("inode {} device {}", meta.ino(), meta.dev()),
    })
}

#[cfg(not(unix))]
pub(crate) fn identity(_path: &Path) -> Option<String> {
    None
}

#[cfg(unix)]
fn executable(path: &Path) -> bool {
    use std::os::unix::fs::MetadataExt;
    std::fs::symlink_metadata(path).is_ok_and(|meta| meta.is_file() && meta.mode() & 0o100 != 0)
}

#[cfg(not(unix))]
fn executable(_path: &Path) -> bool {
    false
}
