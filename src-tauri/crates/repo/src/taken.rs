//! One recorded repository while it is being looked at: the folder found and opened, HEAD read, the relation
//! told. Glance, look and fingerprint all begin here.

use crate::commit_graph::CommitGraph;
use crate::handoff_path::HandoffPaths;
use crate::model::{ChosenBy, Now, TreeDrift, Verdict};
use crate::open::{self, Located, Refusal};
use crate::place::{self, FolderState, Place};
use crate::relation::{self, Standing};
use crate::snapshot::{self, Head};
use crate::text::{git_bytes, quoted, shown_path};
use crate::{Question, verdict};
use git2::Repository;
use std::cell::OnceCell;
use std::path::{Path, PathBuf};

/// An opened repository.
pub(crate) struct Opened {
    pub(crate) repo: Repository,
    pub(crate) located: Located,
    pub(crate) head: Head,
    pub(crate) paths: HandoffPaths,
    graph: OnceCell<Option<CommitGraph>>,
}

impl Opened {
    /// The commit-graph, when there is one that may be used.
    pub(crate) fn graph(&self) -> Option<&CommitGraph> {
        self.graph.get_or_init(|| CommitGraph::of(&self.repo)).as_ref()
    }
}

/// What was found at a place.
pub(crate) enum Found {
    /// Nothing names a folder.
    Nothing,
    /// A named folder is gone. Says what is there instead.
    Gone { why: String, near: Option<PathBuf> },
    /// A folder in no repository.
    NoRepository(PathBuf),
    /// A repository, or a place, that is not opened.
    Refused(Refusal),
    /// An opened repository.
    Opened(Box<Opened>),
}

/// Finds and opens what a place names.
pub(crate) fn find(place: &Place, question: &Question) -> Found {
    let Some(folder) = &place.folder else { return Found::Nothing };
    let real = match &folder.state {
        FolderState::There(real) => real,
        FolderState::Gone(why) => return Found::Gone { why: why.clone(), near: place::nearest_folder(&folder.typed) },
        FolderState::Refused(why) => return Found::Refused(Refusal { reason: why.clone(), ..Refusal::default() }),
    };
    let located = match open::locate(real) {
        Ok(Some(located)) => located,
        Ok(None) => return Found::NoRepository(real.clone()),
        Err(Refusal { reason, pruned_from: Some(common), .. }) => {
            let common = std::fs::canonicalize(common).ok().filter(|common| common.join("HEAD").exists());
            let whose = match common {
                Some(_) => "its repository has no entry for it any more",
                None => "nor is its repository",
            };
            let near = common.and_then(|common| common.parent().map(Path::to_owned));
            return Found::Gone { why: format!("{reason}; {whose}"), near };
        }
        Err(refusal) => return Found::Refused(refusal),
    };
    let repo = match open::open(&located) {
        Ok(repo) => repo,
        Err(refusal) => return Found::Refused(refusal),
    };
    let head = match snapshot::head(&repo) {
        Ok(head) => head,
        Err(error) => {
            let reason = format!("HEAD cannot be read: {}", quoted(error.message()));
            return Found::Refused(Refusal { reason, toplevel: Some(located.toplevel), ..Refusal::default() });
        }
    };
    if let Some(plain) = not_a_worktree(place, folder.chosen_by, real, &located, &repo, &head) {
        let why = format!(
            "{} is a plain folder and no worktree; git here means {}",
            shown_path(&plain),
            shown_path(&located.toplevel)
        );
        return Found::Gone { why, near: Some(located.toplevel) };
    }
    let paths = handoff_paths(question, &located.toplevel);
    Found::Opened(Box::new(Opened { repo, located, head, paths, graph: OnceCell::new() }))
}

/// A folder that was recorded as a worktree and lies inside another one without being part of it.
fn not_a_worktree(
    place: &Place,
    chosen_by: ChosenBy,
    folder: &Path,
    located: &Located,
    repo: &Repository,
    head: &Head,
) -> Option<PathBuf> {
    if matches!(chosen_by, ChosenBy::Given | ChosenBy::Binding) {
        return None;
    }
    if let Some(plain) = place::plain_worktree_folder(folder, &located.toplevel) {
        return Some(plain);
    }
    let inside = folder.strip_prefix(&located.toplevel).ok().filter(|inside| inside.components().next().is_some())?;
    let tracked = head
        .commit
        .and_then(|id| repo.find_commit(id).ok())
        .and_then(|commit| commit.tree().ok())
        .is_some_and(|tree| tree.get_path(inside).is_ok());
    (place.named_as_worktree && !tracked).then(|| folder.to_owned())
}

/// The paths below a worktree that are handoffs because the caller says so.
fn handoff_paths(question: &Question, toplevel: &Path) -> HandoffPaths {
    let named = question.handoff_paths.iter().chain(&question.file);
    HandoffPaths::new(named.filter_map(|path| below(path, toplevel)).map(|path| git_bytes(&path)))
}

/// A path as one below the worktree: as written, or through its real folder. `None`: it lies elsewhere.
pub(crate) fn below(path: &Path, toplevel: &Path) -> Option<PathBuf> {
    if path.is_relative() {
        return Some(path.to_owned());
    }
    if let Ok(inside) = path.strip_prefix(toplevel) {
        return Some(inside.to_owned());
    }
    let folder = std::fs::canonicalize(path.parent()?).ok()?;
    Some(folder.strip_prefix(toplevel).ok()?.join(path.file_name()?))
}

/// A place glanced at: everything but what needs the working files.
pub(crate) struct Taken {
    pub(crate) place: Place,
    pub(crate) drift: TreeDrift,
    pub(crate) opened: Option<Box<Opened>>,
    pub(crate) standing: Standing,
}

/// Glances at a place. Up to `commits` of each side are examined one by one.
pub(crate) fn take(place: Place, question: &Question, commits: usize) -> Taken {
    let found = find(&place, question);
    let then = place.then.clone();
    let chosen_by = place.folder.as_ref().map_or(ChosenBy::Nothing, |folder| folder.chosen_by);
    let folder = place.folder.as_ref().map(|folder| shown_path(&folder.typed));
    let mut drift = TreeDrift::unlooked(then, folder.clone(), chosen_by);
    let mut standing = Standing::default();
    let mut kept = None;
    match found {
        Found::Nothing => {
            drift.now.reason = Some("the handoff names no folder, and it lies in none that is known".into())
        }
        Found::Gone { why, near } => {
            let given = matches!(chosen_by, ChosenBy::Given | ChosenBy::Binding | ChosenBy::File);
            drift.verdict = if given { Verdict::NoRepository } else { Verdict::WorktreeGone };
            gone(&mut drift, near, question);
            drift.now.reason = Some(why);
        }
        Found::NoRepository(real) => {
            drift.now.reason = Some(format!("{} lies in no git repository", shown_path(&real)))
        }
        Found::Refused(refusal) => {
            drift.verdict = Verdict::NotInspectable;
            refused(&mut drift, refusal);
        }
        Found::Opened(opened) => {
            let recorded_branch = drift.then.branch.as_deref();
            drift.now = Now { folder, ..snapshot::now(&opened, recorded_branch) };
            let recorded = drift.then.head.as_deref();
            match relation::standing(&opened, recorded, commits) {
                Ok(told) => {
                    (drift.relation, drift.ahead, drift.behind) = (told.relation, told.ahead, told.behind);
                    drift.now.reason = told.unclear.clone();
                    standing = told;
                    drift.verdict = verdict::of(&drift.then, &drift.now, standing.relation, false);
                }
                Err(error) => {
                    drift.verdict = Verdict::NotInspectable;
                    drift.now.reason = Some(format!("its history cannot be read: {}", quoted(error.message())));
                }
            }
            kept = Some(opened);
        }
    }
    drift.message = message(&drift, question);
    Taken { place, drift, opened: kept, standing }
}

/// The verdict in a sentence, and where the handoff was written when another folder was given or bound.
pub(crate) fn message(drift: &TreeDrift, question: &Question) -> String {
    let sentence = verdict::message(drift);
    match written_elsewhere(drift, question) {
        Some(elsewhere) => format!("{sentence} It was written in {}.", quoted(elsewhere)),
        None => sentence,
    }
}

/// The recorded worktree, when another folder was given or bound than that.
fn written_elsewhere<'d>(drift: &'d TreeDrift, question: &Question) -> Option<&'d str> {
    if !matches!(drift.chosen_by, ChosenBy::Given | ChosenBy::Binding) {
        return None;
    }
    let recorded = drift.then.worktree.as_deref()?;
    let path = place::expand(recorded, question)?;
    let real = std::fs::canonicalize(&path).unwrap_or(path);
    (drift.now.worktree.as_deref() != Some(&shown_path(&real))).then_some(recorded)
}

fn refused(drift: &mut TreeDrift, refusal: Refusal) {
    drift.now.reason = Some(refusal.reason);
    drift.now.worktree = refusal.toplevel.as_deref().map(shown_path);
    if let Some(plain) = refusal.plain.map(|plain| *plain) {
        drift.now.unborn = plain.head.is_none() && !plain.detached;
        drift.now.branch = plain.branch;
        drift.now.detached = plain.detached;
        drift.now.head = plain.head;
    }
}

/// For a worktree that is gone: whether the branch outlived it, as the repository nearby tells.
fn gone(drift: &mut TreeDrift, near: Option<PathBuf>, question: &Question) {
    let holder =
        || question.file.as_ref().and_then(|file| file.parent()).and_then(|folder| std::fs::canonicalize(folder).ok());
    for folder in [near, holder()].into_iter().flatten() {
        let Ok(Some(located)) = open::locate(&folder) else { continue };
        let Ok(repo) = open::open(&located) else { continue };
        drift.now.main_worktree = Some(shown_path(located.main_worktree().unwrap_or(&located.toplevel)));
        drift.now.recorded_branch_exists =
            drift.then.branch.as_deref().map(|branch| snapshot::branch_exists(&repo, branch));
        return;
    }
}
