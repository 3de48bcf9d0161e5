//! Paths changed since the recorded commit: tree(recorded) → tree(HEAD), united with the status. Line counts come
//! last, one file at a time, so that they can be left off.

use crate::handoff_path::HandoffPaths;
use crate::model::{ChangeKind, Changed, DiffStat};
use crate::plain;
use crate::stat::GITLINK;
use crate::status::{self, Entry, Filters, Side, Status};
use crate::taken::Opened;
use crate::text::{path_of, shown};
use crate::trees::Trees;
use git2::{Delta, DiffFindOptions, DiffOptions, ObjectType, Oid, Patch, Repository, Tree};
use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::path::Path;

/// Largest file whose lines are counted.
const COUNTED_BYTES: u64 = 4 << 20;
/// Most paths whose content is compared for renames; above it only equal content is paired.
const RENAMES: usize = 200;

/// A changed path.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Change {
    pub(crate) kind: ChangeKind,
    /// The earlier path of a renamed one.
    pub(crate) from: Option<Vec<u8>>,
    pub(crate) committed: bool,
    pub(crate) uncommitted: bool,
    /// Whether a commit changed it and the working file is as it was recorded.
    pub(crate) restored: bool,
    /// Whether the index does not hold it.
    pub(crate) untracked: bool,
    /// Whether it is known that no configured filter stands before its working file.
    pub(crate) unfiltered: bool,
    /// Lines added and removed.
    pub(crate) lines: Option<(u32, u32)>,
}

impl Change {
    fn of(kind: ChangeKind) -> Self {
        Self {
            kind,
            from: None,
            committed: false,
            uncommitted: false,
            restored: false,
            untracked: false,
            unfiltered: false,
            lines: None,
        }
    }
}

/// Changed paths in their order.
pub(crate) type Changes = BTreeMap<Vec<u8>, Change>;

/// The tree of a commit.
pub(crate) fn tree_of(repo: &Repository, commit: Option<Oid>) -> Result<Option<Tree<'_>>, git2::Error> {
    commit.map(|id| repo.find_commit(id).and_then(|commit| commit.tree())).transpose()
}

/// Unites what was committed since `base` with the status. Without a base only uncommitted work is known. A path
/// that a commit changed and that was changed back is listed, and marked as restored.
pub(crate) fn changes(opened: &Opened, base: Option<Oid>, status: &Status) -> Result<Changes, git2::Error> {
    let (repo, head) = (&opened.repo, opened.head.commit);
    let mut changes = Changes::new();
    let mut renamed = BTreeMap::new();
    let before = tree_of(repo, base.or(head))?;
    if let Some(before) = &before
        && base.is_some()
        && base != head
    {
        let after = tree_of(repo, head)?;
        renamed = committed(repo, before, after.as_ref(), &mut changes)?;
    }
    for (path, entry) in &status.entries {
        unite(&mut changes, path, own_kind(entry), entry);
        if let Some(from) = &entry.from {
            unite(&mut changes, from, ChangeKind::Deleted, &Entry::default());
            renamed.insert(path.clone(), from.clone());
        }
    }
    let was_there = |path: &[u8]| before.as_ref().and_then(|tree| tree.get_path(&path_of(path)).ok());
    pair(&mut changes, &renamed, &|path| was_there(path).is_some());
    for (path, change) in changes.iter_mut().filter(|(_, change)| change.committed && change.uncommitted) {
        let now = working(&opened.located.toplevel.join(path_of(path)));
        let id = now.bytes().and_then(|bytes| Oid::hash_object(ObjectType::Blob, bytes).ok());
        change.restored = id.is_some() && id == was_there(path).map(|entry| entry.id());
    }
    Ok(changes)
}

/// What was committed: names from the raw trees; renames, new path to old, from libgit2 when there may be some.
fn committed(
    repo: &Repository,
    before: &Tree,
    after: Option<&Tree>,
    changes: &mut Changes,
) -> Result<BTreeMap<Vec<u8>, Vec<u8>>, git2::Error> {
    let (mut added, mut deleted) = (0_usize, 0_usize);
    let _ = Trees::new(repo)?.differences(Some(before.id()), after.map(Tree::id), &mut |difference| {
        let submodule = [difference.before, difference.after].into_iter().flatten().any(|node| node.mode == GITLINK);
        let kind = match (difference.before, difference.after) {
            (None, _) => ChangeKind::Added,
            (_, None) => ChangeKind::Deleted,
            _ if submodule => ChangeKind::Submodule,
            _ => ChangeKind::Modified,
        };
        added += usize::from(kind == ChangeKind::Added);
        deleted += usize::from(kind == ChangeKind::Deleted);
        // A file that became a folder, or the other way round, is one path deleted and others added.
        changes.insert(difference.path.to_vec(), Change { committed: true, ..Change::of(kind) });
        ControlFlow::Continue(())
    })?;
    if added == 0 || deleted == 0 {
        return Ok(BTreeMap::new());
    }
    let mut options = DiffOptions::new();
    options.include_typechange(true).skip_binary_check(true).disable_pathspec_match(true);
    for (path, _) in changes.iter().filter(|(_, change)| matches!(change.kind, ChangeKind::Added | ChangeKind::Deleted))
    {
        options.pathspec(path.as_slice());
    }
    let mut diff = repo.diff_tree_to_tree(Some(before), after, Some(&mut options))?;
    let mut find = DiffFindOptions::new();
    find.renames(true).rename_limit(RENAMES).exact_match_only(added.max(deleted) > RENAMES);
    diff.find_similar(Some(&mut find))?;
    let renames = diff.deltas().filter(|delta| delta.status() == Delta::Renamed);
    let paths = renames.filter_map(|delta| Some((delta.new_file().path_bytes()?, delta.old_file().path_bytes()?)));
    Ok(paths.map(|(new, old)| (new.to_vec(), old.to_vec())).collect())
}

fn unite(changes: &mut Changes, path: &[u8], own: ChangeKind, entry: &Entry) {
    let known = changes.entry(path.to_vec()).or_insert(Change::of(own));
    if known.committed {
        known.kind = match (known.kind, own) {
            (_, ChangeKind::Deleted | ChangeKind::Conflicted | ChangeKind::Submodule | ChangeKind::Unknown) => own,
            (ChangeKind::Deleted, _) => own,
            (kind, _) => kind,
        };
    }
    (known.uncommitted, known.untracked, known.unfiltered) = (true, entry.untracked, entry.unfiltered);
}

fn own_kind(entry: &Entry) -> ChangeKind {
    match (entry.staged, entry.unstaged) {
        _ if entry.conflicted => ChangeKind::Conflicted,
        _ if entry.unknown.is_some() => ChangeKind::Unknown,
        _ if entry.untracked && entry.staged == Some(Side::Deleted) => ChangeKind::Modified,
        _ if entry.untracked => ChangeKind::Untracked,
        (Some(Side::Deleted), _) | (_, Some(Side::Deleted)) => ChangeKind::Deleted,
        _ if entry.submodule => ChangeKind::Submodule,
        (Some(Side::Added | Side::Renamed), _) | (_, Some(Side::Added)) => ChangeKind::Added,
        _ => ChangeKind::Modified,
    }
}

/// Makes one change of a path that is gone and the path it was renamed to. A path that was renamed twice is
/// followed to the one that was there then.
fn pair(changes: &mut Changes, renamed: &BTreeMap<Vec<u8>, Vec<u8>>, was_there: &dyn Fn(&[u8]) -> bool) {
    for new in renamed.keys() {
        let chain = std::iter::successors(renamed.get(new), |old| renamed.get(*old)).take(renamed.len());
        let Some(old) = chain.into_iter().find(|old| was_there(old)) else { continue };
        let gone = changes.get(old).is_some_and(|change| change.kind == ChangeKind::Deleted);
        if let Some(change) = changes.get_mut(new).filter(|change| gone && change.kind == ChangeKind::Added) {
            (change.kind, change.from) = (ChangeKind::Renamed, Some(old.clone()));
            changes.remove(old);
        }
    }
}

/// Counts lines changed since `base`, uncommitted work included, file by file. `None`: there are more than `most`
/// files, or `stop`, which is asked before every file, said so.
pub(crate) fn count_lines(
    opened: &Opened,
    base: Option<Oid>,
    changes: &mut Changes,
    most: usize,
    stop: &dyn Fn() -> bool,
) -> Result<Option<DiffStat>, git2::Error> {
    let repo = &opened.repo;
    let (before, after) = (tree_of(repo, base)?, tree_of(repo, opened.head.commit)?);
    let mut stat = DiffStat {
        files: changes.values().filter(|change| counts_as_changed(change)).count() as u32,
        ..DiffStat::default()
    };
    if stat.files as usize > most {
        return Ok(None);
    }
    let filters = Filters::unknown(repo);
    let mut left_to_libgit2 = Vec::new();
    for (path, change) in changes.iter_mut() {
        if !matches!(change.kind, ChangeKind::Added | ChangeKind::Modified | ChangeKind::Deleted | ChangeKind::Renamed)
        {
            continue;
        }
        if stop() {
            return Ok(None);
        }
        let old = stored(repo, before.as_ref(), change.from.as_deref().unwrap_or(path));
        let new = match change {
            Change { untracked: true, .. } => Content::Nothing,
            Change { uncommitted: false, .. } => stored(repo, after.as_ref(), path),
            _ => working(&opened.located.toplevel.join(path_of(path))),
        };
        match (old.bytes(), new.bytes()) {
            (Some(_), Some(new)) if change.uncommitted && status::may_be_converted(new) => {
                left_to_libgit2.push(path.clone())
            }
            // A working file behind a filter cannot be compared line by line with what is stored.
            (Some(_), Some(_)) if change.uncommitted && !change.unfiltered && filters.apply_to(path) => {}
            (Some(old), Some(new)) => change.lines = Some(lines_between(old, new)?),
            _ => {} // too large, or not to be read
        }
    }
    convert_and_count(repo, before.as_ref(), &filters, &left_to_libgit2, changes)?;
    for (insertions, deletions) in changes.values().filter_map(|change| change.lines) {
        stat.insertions += insertions;
        stat.deletions += deletions;
    }
    Ok(Some(stat))
}

/// The content of one side of a change.
enum Content<'r> {
    Nothing,
    Blob(git2::Blob<'r>),
    File(Vec<u8>),
    Unread,
}

impl Content<'_> {
    fn bytes(&self) -> Option<&[u8]> {
        match self {
            Self::Nothing => Some(&[]),
            Self::Blob(blob) => Some(blob.content()),
            Self::File(bytes) => Some(bytes),
            Self::Unread => None,
        }
    }
}

fn stored<'r>(repo: &'r Repository, tree: Option<&Tree>, path: &[u8]) -> Content<'r> {
    let Some(entry) = tree.and_then(|tree| tree.get_path(&path_of(path)).ok()) else { return Content::Nothing };
    let small =
        repo.odb().and_then(|odb| odb.read_header(entry.id())).is_ok_and(|(size, _)| size as u64 <= COUNTED_BYTES);
    match repo.find_blob(entry.id()) {
        Ok(blob) if small => Content::Blob(blob),
        _ => Content::Unread,
    }
}

fn working(path: &Path) -> Content<'static> {
    match std::fs::symlink_metadata(path) {
        Err(_) => Content::Nothing,
        Ok(meta) if meta.is_symlink() => std::fs::read_link(path)
            .map_or(Content::Unread, |target| Content::File(target.as_os_str().as_encoded_bytes().to_vec())),
        Ok(meta) if meta.is_file() && meta.len() <= COUNTED_BYTES => {
            plain::read_bounded(path, COUNTED_BYTES).map_or(Content::Unread, Content::File)
        }
        Ok(_) => Content::Unread,
    }
}

fn lines_between(old: &[u8], new: &[u8]) -> Result<(u32, u32), git2::Error> {
    let mut options = DiffOptions::new();
    options.context_lines(0);
    let patch = Patch::from_buffers(old, None, new, None, Some(&mut options))?;
    let (_, insertions, deletions) = patch.line_stats()?;
    Ok((insertions as u32, deletions as u32))
}

/// Files whose line ends git may convert: libgit2 knows how.
fn convert_and_count(
    repo: &Repository,
    before: Option<&Tree>,
    filters: &Filters,
    paths: &[Vec<u8>],
    changes: &mut Changes,
) -> Result<(), git2::Error> {
    let mut options = DiffOptions::new();
    options
        .include_typechange(true)
        .ignore_submodules(true)
        .disable_pathspec_match(true)
        .update_index(false)
        .context_lines(0);
    let mut any = false;
    for path in paths.iter().filter(|path| !filters.apply_to(path)) {
        options.pathspec(path.as_slice());
        any = true;
    }
    if !any {
        return Ok(());
    }
    let diff = repo.diff_tree_to_workdir_with_index(before, Some(&mut options))?;
    for at in 0..diff.deltas().len() {
        let Some(patch) = Patch::from_diff(&diff, at)? else { continue };
        let (_, insertions, deletions) = patch.line_stats()?;
        let delta = patch.delta();
        let path = delta.new_file().path_bytes().or(delta.old_file().path_bytes());
        if let Some(change) = path.and_then(|path| changes.get_mut(path)) {
            change.lines = Some((insertions as u32, deletions as u32));
        }
    }
    Ok(())
}

fn counts_as_changed(change: &Change) -> bool {
    !matches!(change.kind, ChangeKind::Untracked | ChangeKind::Unknown)
}

/// The changes as they cross, cut to a number; `named` tells whether the handoff named a path as changed.
pub(crate) fn shown_changes(
    changes: &Changes,
    limit: usize,
    paths: &HandoffPaths,
    named: &dyn Fn(&[u8]) -> bool,
) -> Vec<Changed> {
    changes
        .iter()
        .take(limit)
        .map(|(path, change)| Changed {
            path: shown(path),
            kind: change.kind,
            from: change.from.as_deref().map(shown),
            uncommitted: change.uncommitted,
            insertions: change.lines.map(|lines| lines.0),
            deletions: change.lines.map(|lines| lines.1),
            relied_on_by: Vec::new(),
            named: named(path),
            handoff: paths.contains(path),
        })
        .collect()
}
