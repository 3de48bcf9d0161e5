//! What a run changed in the trees that it was given: commits, contents, references, settings. A [`Beginning`] is taken
//! before it starts; [`touched_since`] is asked when it has ended. Nothing here says who did it, only that it is so.

mod model;
mod paths;
mod references;

pub use model::{Beginning, MovedBy, RefKind, RefMove, References, RunCommit, Touched, TouchedPath, TreeTouched};

use crate::fingerprint::{self, Fingerprint, TreePrint};
use crate::place::{self, Place};
use crate::relation::handoff_only;
use crate::taken::{Found, Opened, find};
use crate::text::{quoted, shown, shown_path};
use crate::trees::Trees;
use crate::{Error, Question, snapshot};
use git2::{Oid, Sort};
use std::collections::BTreeSet;
use std::ops::ControlFlow;

/// Paths that are named of one commit.
const PATHS: usize = 200;

/// What no look at a worktree can tell.
const OUTSIDE: &str = "ignored files and whatever lies outside the worktree were not looked at";

/// Takes down what a run begins from.
///
/// # Errors
/// As [`crate::fingerprint`].
pub fn beginning(question: &Question) -> Result<Beginning, Error> {
    let mut trees = Vec::new();
    let mut all = Vec::new();
    for place in place::places(question) {
        trees.push(fingerprint::print(&place, question)?);
        all.push(match find(&place, question) {
            Found::Opened(opened) => Some(references::references(&opened).map_err(|source| Error::Git {
                operation: "references",
                path: opened.located.toplevel.clone(),
                source,
            })?),
            _ => None,
        });
    }
    Ok(Beginning { fingerprint: Fingerprint { trees }, references: all })
}

/// Says what is not as it was. Always answers: what cannot be looked at any more is in `unknown`.
pub fn touched_since(question: &Question, before: &Beginning) -> Touched {
    let places = place::places(question);
    let trees = before.fingerprint.trees.iter().enumerate().map(|(at, then)| {
        let references = before.references.get(at).and_then(Option::as_ref);
        let mut tree = TreeTouched { folder: then.folder.clone(), ..TreeTouched::default() };
        match places.get(at) {
            Some(place) => compare(&mut tree, place, question, then, references),
            None => tree.unknown.push("the handoff does not record this repository any more".into()),
        }
        tree.unknown.push(OUTSIDE.into());
        tree
    });
    Touched { trees: trees.collect() }
}

fn compare(
    tree: &mut TreeTouched,
    place: &Place,
    question: &Question,
    then: &TreePrint,
    references: Option<&References>,
) {
    let opened = match find(place, question) {
        Found::Opened(opened) => opened,
        Found::Gone { why, .. } => return tree.unknown.push(format!("it is gone: {}", quoted(&why))),
        Found::Refused(refusal) => {
            return tree.unknown.push(format!("it cannot be looked at: {}", quoted(&refusal.reason)));
        }
        Found::NoRepository(_) | Found::Nothing => {
            let what =
                if then.repository.is_some() { "there is no repository any more" } else { "there is no repository" };
            return tree.unknown.push(format!("{what}, so what was changed in the folder is not known"));
        }
    };
    let (Some(was), Some(references)) = (&then.repository, references) else {
        return tree.unknown.push("there was no repository before, so nothing can be compared".into());
    };
    if shown_path(&opened.located.toplevel) != then.folder {
        let now = shown_path(&opened.located.toplevel);
        return tree.unknown.push(format!("the worktree is now {}, so nothing can be compared", quoted(&now)));
    }
    if let Err(error) = compare_repository(tree, &opened, question, then, was, references) {
        tree.unknown.push(format!("it could not be compared to the end: {}", quoted(error.message())));
    }
}

fn compare_repository(
    tree: &mut TreeTouched,
    opened: &Opened,
    question: &Question,
    then: &TreePrint,
    was: &fingerprint::RepositoryPrint,
    before: &References,
) -> Result<(), git2::Error> {
    let now = references::references(opened)?;
    for incomplete in [&before.incomplete, &now.incomplete].into_iter().flatten() {
        tree.unknown.push(format!("references that moved may be missing: {incomplete}"));
    }
    tree.settings = references::changed_settings(before, &now);
    tree.moved = references::moved(opened, before, &now, was.branch.is_none());
    let branch = opened.head.branch.as_deref().map(shown);
    if branch != was.branch {
        tree.branch = Some((was.branch.clone(), branch));
    }
    let print = fingerprint::repository(opened, question)?;
    if fingerprint::identity(&opened.located.toplevel) != then.identity || print.identity != was.identity {
        tree.unknown.push("the folder or its repository was replaced by another one of the same name".into());
    }
    tree.unknown.extend(was.weak.iter().chain(&print.weak).collect::<BTreeSet<_>>().into_iter().cloned());
    let base = before.head.as_deref().and_then(|head| Oid::from_str(head).ok());
    match base.filter(|base| opened.repo.find_commit(*base).is_err()) {
        Some(gone) => tree.unknown.push(format!(
            "the commit that it began from, {gone}, is not in the repository any more, so paths cannot be compared"
        )),
        None => {
            let (paths, beyond) = paths::paths(opened, base, was, &print, question.budget.changed)?;
            tree.paths = paths;
            if beyond > 0 {
                tree.unknown.push(format!("{beyond} more changed paths are not listed"));
            }
        }
    }
    commits(tree, opened, before, question.budget.commits)
}

/// Commits that HEAD and local branches have now and nothing had before.
fn commits(tree: &mut TreeTouched, opened: &Opened, before: &References, limit: usize) -> Result<(), git2::Error> {
    let repo = &opened.repo;
    let mut walk = repo.revwalk()?;
    walk.set_sorting(Sort::TOPOLOGICAL | Sort::TIME)?;
    let id = |text: &String| Oid::from_str(text).ok();
    let branches = tree.moved.iter().filter(|moved| moved.kind == RefKind::Branch);
    for tip in branches.filter_map(|moved| id(moved.after.as_ref()?)).chain(opened.head.commit) {
        walk.push(tip)?;
    }
    let fetched = tree.moved.iter().filter(|moved| moved.by == MovedBy::Fetch).filter_map(|moved| moved.after.as_ref());
    for known in before.refs.values().chain(&before.head).chain(fetched).filter_map(id) {
        // Not every reference names a commit, and what is gone hides nothing.
        let _ = repo.find_object(known, None).and_then(|object| walk.hide(object.peel_to_commit()?.id()));
    }
    for id in walk {
        if tree.commits.len() >= limit {
            tree.unknown.push(format!("more than {limit} commits were made, the newest of them are listed"));
            break;
        }
        let commit = repo.find_commit(id?)?;
        let (mut named, mut count) = (Vec::new(), 0);
        let parent = commit.parent(0).ok().map(|parent| parent.tree_id());
        let _ = Trees::new(repo)?.differences(parent, Some(commit.tree_id()), &mut |difference| {
            count += 1;
            if named.len() < PATHS {
                named.push(shown(difference.path));
            }
            ControlFlow::Continue(())
        })?;
        tree.commits.push(RunCommit {
            id: commit.id().to_string(),
            subject: snapshot::subject(&commit),
            author: shown(commit.author().name_bytes()),
            at: jiff::Timestamp::from_second(commit.time().seconds()).map(|time| time.to_string()).unwrap_or_default(),
            paths: named,
            path_count: count,
            handoff_only: handoff_only(repo, &commit, &opened.paths),
        });
    }
    Ok(())
}
