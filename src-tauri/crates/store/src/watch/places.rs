//! Which folders are watched and which changes tell something.

use crate::names::never_walked;
use std::path::Path;

/// Calls `visit` with a folder and then with those below it. A folder for which it says no is not gone into.
pub(super) fn folders_below(folder: &Path, visit: &mut dyn FnMut(&Path) -> bool) {
    if !visit(folder) {
        return;
    }
    let git = is_git_folder(folder);
    for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
        let name = entry.file_name();
        let wanted = if git { is_git_state(&name.to_string_lossy()) } else { !is_skipped(&name.to_string_lossy()) };
        if wanted && entry.file_type().is_ok_and(|kind| kind.is_dir()) {
            folders_below(&entry.path(), visit);
        }
    }
}

/// A repository's own folder, under any name.
pub(super) fn is_git_folder(folder: &Path) -> bool {
    let there = |name: &str| folder.join(name).symlink_metadata().is_ok();
    there("HEAD") && (there("objects") && there("refs") || there("commondir"))
}

/// Whether a change inside a working tree or profile tells something.
pub(super) fn tells(inside: &Path) -> bool {
    !inside.iter().any(|part| {
        let part = part.to_string_lossy();
        part.starts_with(".fuda-") || is_skipped(&part)
    })
}

/// Whether a change inside a repository's own folder tells something: branches, HEAD, an operation under way. Locks
/// and objects do not.
pub(super) fn tells_of_git(inside: &Path) -> bool {
    let locked = inside.extension().is_some_and(|extension| extension == "lock");
    let first = inside.iter().next().map(|part| part.to_string_lossy());
    !locked && first.is_none_or(|first| is_git_state(&first))
}

fn is_git_state(name: &str) -> bool {
    matches!(
        name,
        "HEAD"
            | "refs"
            | "index"
            | "packed-refs"
            | "worktrees"
            | "rebase-merge"
            | "rebase-apply"
            | "sequencer"
            | "BISECT_LOG"
    ) || name.ends_with("_HEAD")
}

/// Folders without handoffs; those whose files may be tracked all the same are watched.
fn is_skipped(name: &str) -> bool {
    never_walked(name) && !matches!(name, "build" | "dist" | "vendor")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn of_a_repository_only_its_state_tells() {
        for path in ["HEAD", "refs/heads/main", "index", "MERGE_HEAD", "worktrees/x/HEAD", "rebase-merge/done"] {
            assert!(tells_of_git(Path::new(path)), "{path}");
        }
        for path in ["index.lock", "objects/ab/cd", "refs/heads/main.lock", "COMMIT_EDITMSG", "config"] {
            assert!(!tells_of_git(Path::new(path)), "{path}");
        }
        assert!(tells(Path::new("docs/HANDOFF.md")));
        assert!(!tells(Path::new("a/node_modules/x/HANDOFF.md")) && !tells(Path::new(".git/HEAD")));
    }
}
