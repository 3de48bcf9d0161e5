//! What a run began from, and what it changed. These types go into the ledger and to the window as they are.

use crate::{ChangeKind, Fingerprint};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use ts_rs::TS;

/// The state of every tree before a run: what an approval binds, and with it everything that a run may move in `.git`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Beginning {
    /// The trees as an approval binds them.
    pub fingerprint: Fingerprint,
    /// For each tree its references, absent where there is no repository.
    pub references: Vec<Option<References>>,
}

/// Where HEAD and every reference stand, and what the repository's own settings are.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct References {
    /// The commit of HEAD, handoff-only ones not passed over.
    pub head: Option<String>,
    /// Every reference by its full name, with the object that it names.
    pub refs: BTreeMap<String, String>,
    /// Files in the git folder that decide what git runs and ignores, with the SHA-256 of their content.
    pub settings: BTreeMap<String, String>,
    /// Why the list is not complete.
    pub incomplete: Option<String>,
}

/// What a run changed, tree by tree.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct Touched {
    /// One for each recorded repository, in the order of the document.
    pub trees: Vec<TreeTouched>,
}

/// What changed in one tree. Whoever did it: a person or another agent at work there at the same time is not told apart.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct TreeTouched {
    /// The worktree, or without a repository the folder.
    pub folder: String,
    /// The branch before and now, when HEAD is on another one. `null` inside: detached.
    pub branch: Option<(Option<String>, Option<String>)>,
    /// Commits that are new on HEAD and on local branches, newest first. What was only fetched is left out.
    pub commits: Vec<RunCommit>,
    /// Paths whose content is not what it was, committed or not.
    pub paths: Vec<TouchedPath>,
    /// HEAD and references that moved, came or went.
    pub moved: Vec<RefMove>,
    /// Files in the git folder that were changed: configuration, hooks, ignore rules.
    pub settings: Vec<String>,
    /// What is not known, one sentence each. Never empty: nobody looked outside the worktree.
    pub unknown: Vec<String>,
}

impl TreeTouched {
    /// Paths that were there and are gone.
    pub fn deleted(&self) -> impl Iterator<Item = &TouchedPath> {
        self.paths.iter().filter(|path| path.kind == ChangeKind::Deleted)
    }

    /// Remote branches that something was pushed to, as far as the repository knows.
    pub fn pushed(&self) -> impl Iterator<Item = &RefMove> {
        self.moved.iter().filter(|moved| moved.by == MovedBy::Push)
    }

    /// Whether nothing is known to have changed.
    pub fn is_empty(&self) -> bool {
        self.branch.is_none()
            && self.commits.is_empty()
            && self.paths.is_empty()
            && self.moved.is_empty()
            && self.settings.is_empty()
    }
}

/// A commit that was made.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct RunCommit {
    /// The commit, full.
    pub id: String,
    /// First line of its message.
    pub subject: String,
    /// The author's name.
    pub author: String,
    /// Commit time, RFC 3339.
    pub at: String,
    /// Paths that it changes against its first parent, up to a number.
    pub paths: Vec<String>,
    /// How many paths it changes in all.
    pub path_count: u32,
    /// Whether it touches handoff files only.
    pub handoff_only: bool,
}

/// A path that is not as it was.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct TouchedPath {
    /// The path below the worktree, lossily escaped.
    pub path: String,
    /// Added, modified, deleted, a submodule, or unknown when it could not be compared.
    pub kind: ChangeKind,
    /// Whether what is there now is committed.
    pub committed: bool,
    /// Whether it is a handoff, marker or pointer.
    pub handoff: bool,
}

/// What a reference is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
pub enum RefKind {
    /// HEAD itself, when it is detached.
    Head,
    /// A local branch.
    Branch,
    /// Where a remote's branch was when it was last heard of.
    Remote,
    /// A tag.
    Tag,
    /// The stash.
    Stash,
    /// Anything else below `refs/`.
    Other,
}

/// Who moved a reference, as far as git wrote it down.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
pub enum MovedBy {
    /// Work in this repository. All local references.
    Here,
    /// A push to the remote.
    Push,
    /// A fetch or pull from it.
    Fetch,
    /// The repository keeps no record of it.
    Unknown,
}

/// A reference that names another object, is new, or is gone.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct RefMove {
    /// Its full name, or `HEAD`.
    pub name: String,
    /// What it is.
    pub kind: RefKind,
    /// Where it stood; absent when it is new.
    pub before: Option<String>,
    /// Where it stands; absent when it is gone.
    pub after: Option<String>,
    /// Whether everything that it had is still part of it. Absent when it is new or gone, or when nobody can tell.
    pub forward: Option<bool>,
    /// Who moved it.
    pub by: MovedBy,
}
