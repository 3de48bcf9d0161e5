//! What an opened repository is at this moment, from HEAD and refs alone: no working file is looked at.

use crate::history;
use crate::model::{Now, Operation, Upstream};
use crate::taken::Opened;
use crate::text::{shown, shown_path};
use git2::{BranchType, ErrorCode, Oid, ReferenceType, Repository, RepositoryState};

/// HEAD as it stands.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Head {
    /// The branch's short name as bytes; absent when detached.
    pub(crate) branch: Option<Vec<u8>>,
    /// The commit; absent when unborn.
    pub(crate) commit: Option<Oid>,
}

/// Reads HEAD.
pub(crate) fn head(repo: &Repository) -> Result<Head, git2::Error> {
    let reference = repo.find_reference("HEAD")?;
    if reference.kind() == Some(ReferenceType::Direct) {
        return Ok(Head { branch: None, commit: reference.target() });
    }
    let target = reference.symbolic_target_bytes().unwrap_or_default();
    if !target.starts_with(b"refs/") {
        return Err(git2::Error::from_str("HEAD names something that is no reference"));
    }
    let branch = target.strip_prefix(b"refs/heads/").unwrap_or(target).to_vec();
    match repo.refname_to_id("HEAD") {
        Ok(commit) => Ok(Head { branch: Some(branch), commit: Some(commit) }),
        Err(error) if matches!(error.code(), ErrorCode::UnbornBranch | ErrorCode::NotFound) => {
            Ok(Head { branch: Some(branch), commit: None })
        }
        Err(error) => Err(error),
    }
}

/// What git has begun and not ended.
pub(crate) fn operation(repo: &Repository) -> Option<Operation> {
    match repo.state() {
        RepositoryState::Merge => Some(Operation::Merge),
        RepositoryState::Rebase | RepositoryState::RebaseInteractive | RepositoryState::RebaseMerge => {
            Some(Operation::Rebase)
        }
        RepositoryState::CherryPick | RepositoryState::CherryPickSequence => Some(Operation::CherryPick),
        RepositoryState::Revert | RepositoryState::RevertSequence => Some(Operation::Revert),
        RepositoryState::Bisect => Some(Operation::Bisect),
        RepositoryState::ApplyMailbox | RepositoryState::ApplyMailboxOrRebase => Some(Operation::ApplyMailbox),
        _ => None,
    }
}

/// Everything that a glance says about now.
pub(crate) fn now(opened: &Opened, recorded_branch: Option<&str>) -> Now {
    let (repo, located, head) = (&opened.repo, &opened.located, &opened.head);
    let is_current = |branch: &str| head.commit.is_some() && head.branch.as_deref() == Some(branch.as_bytes());
    Now {
        worktree: Some(shown_path(&located.toplevel)),
        main_worktree: located.main_worktree().map(shown_path),
        branch: head.branch.as_deref().map(shown),
        detached: head.branch.is_none(),
        unborn: head.commit.is_none(),
        head: head.commit.map(|id| id.to_string()),
        subject: head.commit.and_then(|id| repo.find_commit(id).ok()).map(|commit| subject(&commit)),
        operation: operation(repo),
        upstream: upstream(opened),
        shallow: repo.is_shallow(),
        recorded_branch_exists: recorded_branch.map(|branch| is_current(branch) || branch_exists(repo, branch)),
        ..Now::default()
    }
}

/// The first line of a commit's message.
pub(crate) fn subject(commit: &git2::Commit) -> String {
    shown(commit.summary_bytes().unwrap_or_default())
}

/// Whether a branch is there: a local one, or a remote-tracking one named with its remote.
pub(crate) fn branch_exists(repo: &Repository, name: &str) -> bool {
    let name = name.trim_start_matches("refs/heads/").trim_start_matches("refs/remotes/");
    repo.find_branch(name, BranchType::Local).is_ok() || repo.find_branch(name, BranchType::Remote).is_ok()
}

fn upstream(opened: &Opened) -> Option<Upstream> {
    let (repo, head) = (&opened.repo, &opened.head);
    let name = std::str::from_utf8(head.branch.as_deref()?).ok()?;
    let upstream = repo.find_branch(name, BranchType::Local).ok()?.upstream().ok()?;
    let target = upstream.get().peel_to_commit().ok()?.id();
    let own = head.commit?;
    let (ahead, behind) = if own == target {
        (0, 0)
    } else if let Some((ahead, behind)) = history::sides(repo, opened.graph(), own, target, 0) {
        (ahead.total, behind.total)
    } else {
        repo.graph_ahead_behind(own, target).ok()?
    };
    Some(Upstream { name: shown(upstream.name_bytes().ok()?), ahead: ahead as u32, behind: behind as u32 })
}
