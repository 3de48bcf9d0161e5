//! Which paths have another content than before: the uncommitted work of then and now where there was some, else what
//! was committed. Work that was only committed since is no change of content.

use super::model::TouchedPath;
use crate::changes::tree_of;
use crate::content;
use crate::stat::{EXECUTABLE, GITLINK, SYMLINK, TYPE_MASK};
use crate::taken::Opened;
use crate::text::{path_of, shown};
use crate::trees::{FOLDER, Node, Trees};
use crate::{ChangeKind, PathPrint, RepositoryPrint};
use git2::{Oid, Tree};
use std::collections::BTreeMap;
use std::ops::ControlFlow;

/// What stood at a path.
#[derive(Clone, Copy)]
enum Content<'a> {
    Nothing,
    /// Uncommitted work.
    Working(&'a PathPrint),
    Committed(Node),
    /// Part of a submodule, as that has it committed.
    InSubmodule,
}

/// The paths that differ, up to a number, and how many there are beyond it.
pub(super) fn paths(
    opened: &Opened,
    base: Option<Oid>,
    before: &RepositoryPrint,
    now: &RepositoryPrint,
    limit: usize,
) -> Result<(Vec<TouchedPath>, usize), git2::Error> {
    let (old, new) = (tree_of(&opened.repo, base)?, tree_of(&opened.repo, opened.head.commit)?);
    let mut names: BTreeMap<String, Vec<u8>> = BTreeMap::new();
    let _ =
        Trees::new(&opened.repo)?.differences(old.as_ref().map(Tree::id), new.as_ref().map(Tree::id), &mut |at| {
            names.insert(shown(at.path), at.path.to_vec());
            ControlFlow::Continue(())
        })?;
    for name in before.paths.keys().chain(now.paths.keys()) {
        names.entry(name.clone()).or_insert_with(|| name.clone().into_bytes());
    }
    let mut touched = Vec::new();
    let mut beyond = 0;
    for (name, path) in names {
        let was = content_at(old.as_ref(), before, &name, &path);
        let is = content_at(new.as_ref(), now, &name, &path);
        let Some(kind) = difference(opened, was, is) else { continue };
        if touched.len() >= limit {
            beyond += 1;
            continue;
        }
        let committed = !now.paths.contains_key(&name);
        touched.push(TouchedPath { kind, committed, handoff: opened.paths.contains(&path), path: name });
    }
    Ok((touched, beyond))
}

fn content_at<'a>(tree: Option<&Tree>, print: &'a RepositoryPrint, name: &str, path: &[u8]) -> Content<'a> {
    if let Some(print) = print.paths.get(name) {
        return if print.working == "deleted" { Content::Nothing } else { Content::Working(print) };
    }
    let Some(tree) = tree else { return Content::Nothing };
    if let Ok(entry) = tree.get_path(&path_of(path)) {
        let mode = entry.filemode() as u32;
        return if mode == FOLDER { Content::Nothing } else { Content::Committed(Node { mode, id: entry.id() }) };
    }
    let mut above = path.iter().enumerate().filter(|(_, byte)| **byte == b'/').map(|(at, _)| &path[..at]);
    let is_submodule =
        |above: &[u8]| tree.get_path(&path_of(above)).is_ok_and(|entry| entry.filemode() as u32 == GITLINK);
    if above.any(is_submodule) { Content::InSubmodule } else { Content::Nothing }
}

/// How two contents differ; `None` when they do not.
fn difference(opened: &Opened, was: Content, is: Content) -> Option<ChangeKind> {
    use Content::{Committed, InSubmodule, Nothing, Working};
    let is_submodule = |content: Content| match content {
        Committed(node) => node.mode == GITLINK,
        Working(print) => print.working.starts_with("commit:"),
        Nothing | InSubmodule => false,
    };
    let same = match (was, is) {
        (Nothing, Nothing) | (InSubmodule, InSubmodule) => true,
        // Deleted in a submodule, or restored there.
        (InSubmodule, Nothing) => return Some(ChangeKind::Deleted),
        (Nothing, InSubmodule) | (InSubmodule, _) | (_, InSubmodule) => return Some(ChangeKind::Modified),
        (Nothing, _) if !is_submodule(is) => return Some(ChangeKind::Added),
        (_, Nothing) => return Some(ChangeKind::Deleted),
        (Working(was), Working(is)) => was.working == is.working && was.executable == is.executable,
        (Committed(was), Committed(is)) => was == is,
        (Working(print), Committed(node)) | (Committed(node), Working(print)) => match equals(opened, print, node) {
            Some(same) => same,
            None => return Some(ChangeKind::Unknown),
        },
        (Nothing, _) => false,
    };
    match same {
        true => None,
        false if is_submodule(was) || is_submodule(is) => Some(ChangeKind::Submodule),
        false => Some(ChangeKind::Modified),
    }
}

/// Whether uncommitted work is what was committed. `None`: it was not read then, so nobody can tell.
fn equals(opened: &Opened, print: &PathPrint, node: Node) -> Option<bool> {
    let (kind, value) = print.working.split_once(':')?;
    let blob = || opened.repo.find_blob(node.id).ok();
    match kind {
        "commit" => Some(node.mode == GITLINK && node.id.to_string() == value),
        "link" => Some(node.mode & TYPE_MASK == SYMLINK && shown(blob()?.content()) == value),
        "sha256" => {
            let same_mode = (node.mode & EXECUTABLE != 0) == print.executable;
            Some(same_mode && node.mode & TYPE_MASK != SYMLINK && content::sha256(blob()?.content()) == value)
        }
        _ => None,
    }
}
