//! What a look at a repository gives. These types cross into the window and the command line as they are;
//! paths and refs are bytes inside this crate and become text, lossily escaped, only here.

use serde::{Deserialize, Serialize};
use ts_rs::TS;

/// How the folder to look at was chosen.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
pub enum ChosenBy {
    /// The caller named it (`--repo`).
    Given,
    /// A person bound this handoff to it.
    Binding,
    /// The handoff recorded it as its worktree or root.
    Worktree,
    /// The handoff recorded it as its working directory.
    Cwd,
    /// It is the repository that holds the handoff file. Weak.
    File,
    /// Nothing names a folder.
    Nothing,
}

/// What a handoff recorded about one repository. Everything here is a claim.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct Then {
    /// The name it is given when several are recorded.
    pub name: Option<String>,
    /// The root as written.
    pub root: Option<String>,
    /// The worktree as written.
    pub worktree: Option<String>,
    /// The branch, absent when detached or not recorded.
    pub branch: Option<String>,
    /// Whether it says HEAD was detached.
    pub detached: bool,
    /// The commit as written.
    pub head: Option<String>,
    /// The subject that stands beside it.
    pub subject: Option<String>,
    /// The status in the document's words.
    pub status: Option<String>,
    /// The diff stat in the document's words.
    pub diff: Option<String>,
    /// When it was written, as written.
    pub at: Option<String>,
}

/// An operation that git has begun and not ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
pub enum Operation {
    /// A merge.
    Merge,
    /// A rebase of any kind.
    Rebase,
    /// A cherry-pick or a sequence of them.
    CherryPick,
    /// A revert or a sequence of them.
    Revert,
    /// A bisect.
    Bisect,
    /// `git am`.
    ApplyMailbox,
}

/// The branch that HEAD's branch follows, from what was fetched last. Never fetched by us.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct Upstream {
    /// Its short name, such as `origin/main`.
    pub name: String,
    /// Commits that only HEAD has.
    pub ahead: u32,
    /// Commits that only the upstream has.
    pub behind: u32,
}

/// Counts of the status.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct StatusCounts {
    /// Paths staged.
    pub staged: u32,
    /// Tracked paths changed and not staged (deleted ones included).
    pub modified: u32,
    /// Untracked paths that are not ignored.
    pub untracked: u32,
    /// Paths in conflict.
    pub conflicted: u32,
    /// Paths whose content only a configured filter could tell.
    pub unknown: u32,
}

/// Lines and files changed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct DiffStat {
    /// Files.
    pub files: u32,
    /// Lines added.
    pub insertions: u32,
    /// Lines removed.
    pub deletions: u32,
}

/// What the repository is now. Unknown is absent.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct Now {
    /// The folder that was looked at.
    pub folder: Option<String>,
    /// The worktree that holds it.
    pub worktree: Option<String>,
    /// The main repository's folder, when the worktree is a linked one.
    pub main_worktree: Option<String>,
    /// The branch, absent when detached.
    pub branch: Option<String>,
    /// Whether HEAD names a commit and no branch.
    pub detached: bool,
    /// Whether the branch has no commit yet.
    pub unborn: bool,
    /// The commit, full.
    pub head: Option<String>,
    /// Its subject.
    pub subject: Option<String>,
    /// What git is in the middle of.
    pub operation: Option<Operation>,
    /// The branch that it follows.
    pub upstream: Option<Upstream>,
    /// Counts; absent until looked.
    pub status: Option<StatusCounts>,
    /// Lines changed since the recorded commit, uncommitted work included; absent until looked.
    pub diff: Option<DiffStat>,
    /// Whether the history was cut off by a shallow clone.
    pub shallow: bool,
    /// Whether the recorded branch still exists; absent when none was recorded.
    pub recorded_branch_exists: Option<bool>,
    /// Why something could not be read, in one sentence.
    pub reason: Option<String>,
}

/// Where now stands against the recorded commit.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
pub enum Relation {
    /// The recorded commit is HEAD, through handoff-only commits.
    Same,
    /// HEAD has commits that the recorded one has not.
    Ahead,
    /// The recorded commit is a descendant of HEAD.
    Behind,
    /// Both have commits that the other has not.
    Diverged,
    /// The recorded commit is not in this repository.
    Missing,
    /// The recorded commit may lie below the cut of a shallow clone.
    Shallow,
    /// No commit was recorded, or there is nothing to compare it with.
    #[default]
    NotRecorded,
}

/// The first of these that holds, in this order, is the verdict.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
pub enum Verdict {
    /// No repository where the handoff says, or none named.
    NoRepository,
    /// The recorded worktree is gone.
    WorktreeGone,
    /// A repository is there and cannot be read safely; the reason says why.
    NotInspectable,
    /// A merge, rebase or the like is under way.
    InTheMiddle,
    /// The recorded commit is not there.
    CommitMissing,
    /// A shallow clone hides whether it is.
    HistoryTooShort,
    /// No commit was recorded.
    NotRecorded,
    /// Another branch, or detached where a branch was recorded.
    BranchDiffers,
    /// Both sides have commits of their own.
    Diverged,
    /// HEAD is older than the recorded commit.
    Behind,
    /// HEAD has newer commits.
    MovedOn,
    /// The same commit, with other uncommitted work than recorded.
    DirtyDiffers,
    /// As recorded.
    Same,
}

/// A commit that probably carries what a missing one carried.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct Successor {
    /// The commit, full.
    pub commit: String,
    /// `subject` or `patch`.
    pub by: String,
    /// Its subject.
    pub subject: String,
}

/// A commit that HEAD has and the recorded commit has not.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct Commit {
    /// The commit, full.
    pub id: String,
    /// First line of its message.
    pub subject: String,
    /// The author's name.
    pub author: String,
    /// Commit time, RFC 3339.
    pub at: String,
    /// Whether the author differs from the author of the recorded commit.
    pub by_other: bool,
    /// Whether it touches handoff files only.
    pub handoff_only: bool,
    /// Whether its subject marks it as work in progress.
    pub wip: bool,
}

/// How a path changed since the recorded commit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
pub enum ChangeKind {
    /// New and tracked.
    Added,
    /// Content or mode.
    Modified,
    /// Gone.
    Deleted,
    /// Moved; `from` says where it was.
    Renamed,
    /// In conflict.
    Conflicted,
    /// Not tracked, not ignored.
    Untracked,
    /// A submodule at another commit, or with uncommitted work of its own.
    Submodule,
    /// Only a configured filter could tell.
    Unknown,
}

/// A path that changed since the recorded commit, committed or not.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct Changed {
    /// The path below the worktree, lossily escaped.
    pub path: String,
    /// How.
    pub kind: ChangeKind,
    /// The earlier path of a renamed one.
    pub from: Option<String>,
    /// Whether part of the change is not committed.
    pub uncommitted: bool,
    /// Lines added; absent when not counted.
    pub insertions: Option<u32>,
    /// Lines removed; absent when not counted.
    pub deletions: Option<u32>,
    /// The items that rely on it, such as `facts/0`.
    pub relied_on_by: Vec<String>,
    /// Whether the handoff named it as changed or uncommitted.
    pub named: bool,
    /// Whether it is a handoff, marker or pointer. Those do not count as work.
    #[serde(default)]
    pub handoff: bool,
}

/// How fresh a claim is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
pub enum FreshnessState {
    /// What it names is as it was.
    Fresh,
    /// What it names changed since.
    Touched,
    /// What it names is not there any more.
    Gone,
    /// Nothing can be said.
    Unknown,
}

/// The freshness of one fact, artifact or remaining item.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct Freshness {
    /// Field and index, such as `facts/0`.
    pub item: String,
    /// How fresh.
    pub state: FreshnessState,
    /// Why, in a few words that name the path, commit or branch.
    pub because: String,
}

/// A statement that the tree denies, or two statements that deny each other.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct Contradiction {
    /// A stable snake_case kind.
    pub kind: String,
    /// What is said and what is so.
    pub message: String,
    /// The items concerned.
    pub items: Vec<String>,
}

/// One repository, then and now. With several recorded, the worst verdict is the document's.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct TreeDrift {
    /// As recorded.
    pub then: Then,
    /// As it is.
    pub now: Now,
    /// How the folder was chosen.
    pub chosen_by: ChosenBy,
    /// Where now stands against then.
    pub relation: Relation,
    /// Commits that HEAD has and the recorded one has not, handoff-only ones left out.
    pub ahead: u32,
    /// Commits that the recorded one has and HEAD has not.
    pub behind: u32,
    /// The first that holds.
    pub verdict: Verdict,
    /// The verdict in one sentence.
    pub message: String,
    /// What probably carries a missing commit's work.
    pub successors: Vec<Successor>,
    /// Why a commit is probably missing.
    pub likely_cause: Option<String>,
    /// Commits since, newest first.
    pub commits: Vec<Commit>,
    /// Paths changed since.
    pub changed: Vec<Changed>,
    /// Whether `commits` or `changed` were cut, with the full number.
    pub cut: Option<String>,
}

impl TreeDrift {
    /// What is known before anything was looked at.
    pub(crate) fn unlooked(then: Then, folder: Option<String>, chosen_by: ChosenBy) -> Self {
        Self {
            then,
            now: Now { folder, ..Now::default() },
            chosen_by,
            relation: Relation::NotRecorded,
            ahead: 0,
            behind: 0,
            verdict: Verdict::NoRepository,
            message: String::new(),
            successors: Vec::new(),
            likely_cause: None,
            commits: Vec::new(),
            changed: Vec::new(),
            cut: None,
        }
    }
}

/// The answer to "what does git say now": then, now, and what follows.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct Drift {
    /// As recorded (the tree with the worst verdict).
    pub then: Then,
    /// As it is.
    pub now: Now,
    /// How the folder was chosen.
    pub chosen_by: ChosenBy,
    /// Where now stands against then.
    pub relation: Relation,
    /// See [`TreeDrift::ahead`].
    pub ahead: u32,
    /// See [`TreeDrift::behind`].
    pub behind: u32,
    /// The worst verdict of all trees.
    pub verdict: Verdict,
    /// The verdict in one sentence.
    pub message: String,
    /// See [`TreeDrift::successors`].
    pub successors: Vec<Successor>,
    /// See [`TreeDrift::likely_cause`].
    pub likely_cause: Option<String>,
    /// See [`TreeDrift::commits`].
    pub commits: Vec<Commit>,
    /// See [`TreeDrift::changed`].
    pub changed: Vec<Changed>,
    /// See [`TreeDrift::cut`].
    pub cut: Option<String>,
    /// Facts, artifacts and remaining items that name something checkable, and those that do not (`unknown`).
    pub freshness: Vec<Freshness>,
    /// Paths that the handoff relies on and that changed since.
    pub contended: Vec<String>,
    /// Statements that the tree denies.
    pub contradictions: Vec<Contradiction>,
    /// Every tree, when the document records more than one.
    pub trees: Vec<TreeDrift>,
    /// Whether the second step was taken: false for a glance.
    pub looked: bool,
}
