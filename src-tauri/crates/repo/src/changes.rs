//! Paths changed since the recorded commit: tree(recorded) → tree(HEAD), united with the status. Line counts come
//! last, one file at a time, so that they can be left off.

use crate::handoff_path::HandoffPaths;
use crate::model::{ChangeKind, Changed, DiffStat};
use crate::status::{self, Entry, Side, Status};
use crate::text::shown;
use git2::{Delta, Diff, DiffFindOptions, DiffOptions, FileMode, Oid, Patch, Repository, Tree};
use std::collections::BTreeMap;

/// Largest file whose lines are counted.
const COUNTED_BYTES: i64 = 4 << 20;
/// Most files whose lines are counted.
const COUNTED_FILES: usize = 2_000;

/// A changed path with its bytes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Change {
    pub(crate) kind: ChangeKind,
    pub(crate) from: Option<Vec<u8>>,
    pub(crate) committed: bool,
    pub(crate) uncommitted: bool,
    pub(crate) lines: Option<(u32, u32)>,
}

/// Changed paths in their order.
pub(crate) type Changes = BTreeMap<Vec<u8>, Change>;

/// The tree of a commit.
pub(crate) fn tree_of(repo: &Repository, commit: Option<Oid>) -> Result<Option<Tree<'_>>, git2::Error> {
    commit.map(|id| repo.find_commit(id).and_then(|commit| commit.tree())).transpose()
}

/// Unites what was committed since `base` with the status. Without a base only uncommitted work is known.
pub(crate) fn changes(
    repo: &Repository,
    base: Option<Oid>,
    head: Option<Oid>,
    status: &Status,
) -> Result<Changes, git2::Error> {
    let mut changes = Changes::new();
    let before = tree_of(repo, base)?;
    if let Some(before) = &before
        && base != head
    {
        let after = tree_of(repo, head)?;
        let mut options = DiffOptions::new();
        options.include_typechange(true).skip_binary_check(true);
        let mut diff = repo.diff_tree_to_tree(Some(before), after.as_ref(), Some(&mut options))?;
        find_renames(&mut diff)?;
        for delta in diff.deltas() {
            let (old, new) = (delta.old_file(), delta.new_file());
            let submodule = [old.mode(), new.mode()].contains(&FileMode::Commit);
            let kind = match delta.status() {
                Delta::Added => ChangeKind::Added,
                Delta::Deleted => ChangeKind::Deleted,
                Delta::Renamed => ChangeKind::Renamed,
                _ if submodule => ChangeKind::Submodule,
                _ => ChangeKind::Modified,
            };
            let path = if kind == ChangeKind::Deleted { old.path_bytes() } else { new.path_bytes() };
            let from = (kind == ChangeKind::Renamed).then(|| old.path_bytes().map(<[u8]>::to_vec)).flatten();
            if let Some(path) = path {
                changes.insert(path.to_vec(), Change { kind, from, committed: true, uncommitted: false, lines: None });
            }
        }
    }
    for (path, entry) in &status.entries {
        unite(&mut changes, path, entry);
    }
    if let Some(before) = &before {
        drop_restored(before, status, &mut changes);
    }
    Ok(changes)
}

fn find_renames(diff: &mut Diff) -> Result<(), git2::Error> {
    let (mut added, mut deleted) = (0_usize, 0_usize);
    for delta in diff.deltas() {
        added += usize::from(delta.status() == Delta::Added);
        deleted += usize::from(delta.status() == Delta::Deleted);
    }
    if added > 0 && deleted > 0 {
        let mut options = DiffFindOptions::new();
        options.renames(true).rename_limit(200).exact_match_only(added.max(deleted) > 200);
        diff.find_similar(Some(&mut options))?;
    }
    Ok(())
}

fn unite(changes: &mut Changes, path: &[u8], entry: &Entry) {
    let own = own_kind(entry);
    let from = entry.from.clone();
    let known = changes.entry(path.to_vec()).or_insert(Change {
        kind: own,
        from,
        committed: false,
        uncommitted: true,
        lines: None,
    });
    if known.committed {
        known.kind = match (known.kind, own) {
            (_, ChangeKind::Deleted | ChangeKind::Conflicted | ChangeKind::Submodule | ChangeKind::Unknown) => own,
            (ChangeKind::Deleted, _) => own,
            (kind, _) => kind,
        };
        known.uncommitted = true;
    }
}

fn own_kind(entry: &Entry) -> ChangeKind {
    match (entry.staged, entry.unstaged) {
        _ if entry.conflicted => ChangeKind::Conflicted,
        _ if entry.unknown.is_some() => ChangeKind::Unknown,
        _ if entry.untracked && entry.staged == Some(Side::Deleted) => ChangeKind::Modified,
        _ if entry.untracked => ChangeKind::Untracked,
        (Some(Side::Deleted), _) | (_, Some(Side::Deleted)) => ChangeKind::Deleted,
        _ if entry.submodule => ChangeKind::Submodule,
        (Some(Side::Renamed), _) => ChangeKind::Renamed,
        (Some(Side::Added), _) | (_, Some(Side::Added)) => ChangeKind::Added,
        _ => ChangeKind::Modified,
    }
}

/// A path that was changed by a commit and is staged back as it was then has not changed since.
fn drop_restored(before: &Tree, status: &Status, changes: &mut Changes) {
    changes.retain(|path, change| {
        let staged_back =
            status.entries.get(path).filter(|entry| entry.unstaged.is_none()).and_then(|entry| entry.staged_id);
        let then = || before.get_path(&crate::text::path_of(path)).ok().map(|entry| entry.id());
        !(change.committed && staged_back.is_some() && staged_back == then())
    });
}

/// Counts lines changed since `base`, uncommitted work included. `stop` is asked before every file.
pub(crate) fn count_lines(
    repo: &Repository,
    base: Option<Oid>,
    changes: &mut Changes,
    stop: &dyn Fn() -> bool,
) -> Result<Option<DiffStat>, git2::Error> {
    let before = tree_of(repo, base)?;
    let countable =
        |kind| matches!(kind, ChangeKind::Added | ChangeKind::Modified | ChangeKind::Deleted | ChangeKind::Renamed);
    let mut stat = DiffStat {
        files: changes.values().filter(|change| counts_as_changed(change)).count() as u32,
        ..DiffStat::default()
    };
    let mut options = DiffOptions::new();
    options.include_typechange(true).ignore_submodules(true).disable_pathspec_match(true).update_index(false);
    options.context_lines(0).max_size(COUNTED_BYTES);
    let mut any = 0;
    for (path, change) in changes.iter().filter(|(_, change)| countable(change.kind)) {
        // A working file behind a filter cannot be compared line by line with what is stored.
        if status::configured_filter(repo, path).is_some() {
            continue;
        }
        options.pathspec(path.as_slice());
        if let Some(from) = &change.from {
            options.pathspec(from.as_slice());
        }
        any += 1;
    }
    if any > COUNTED_FILES || stop() {
        return Ok(None);
    }
    if any == 0 {
        return Ok(Some(stat));
    }
    let mut diff = repo.diff_tree_to_workdir_with_index(before.as_ref(), Some(&mut options))?;
    find_renames(&mut diff)?;
    for at in 0..diff.deltas().len() {
        if stop() {
            return Ok(None);
        }
        let Some(patch) = Patch::from_diff(&diff, at)? else { continue };
        let delta = patch.delta();
        let (_, insertions, deletions) = patch.line_stats()?;
        let lines = (insertions as u32, deletions as u32);
        let path = delta.new_file().path_bytes().or(delta.old_file().path_bytes());
        if let Some(change) = path.and_then(|path| changes.get_mut(path)) {
            change.lines = Some(lines);
        }
        stat.insertions += lines.0;
        stat.deletions += lines.1;
    }
    Ok(Some(stat))
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
