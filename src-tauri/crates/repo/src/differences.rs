//! How two fingerprints differ, in words that a person can act on. Decides nothing: equal is equal, and whatever is
//! named here has lapsed what was bound.

use crate::fingerprint::{Fingerprint, PathPrint, RepositoryPrint, TreePrint};
use crate::model::Operation;
use crate::text::quoted;
use crate::verdict::short;

/// Names every difference between two fingerprints, one sentence each. Empty when they are equal.
pub fn differences(before: &Fingerprint, after: &Fingerprint) -> Vec<String> {
    let mut told = Vec::new();
    if before.trees.len() != after.trees.len() {
        told.push(format!("the handoff records {} repositories, before {}", after.trees.len(), before.trees.len()));
    }
    for (then, now) in before.trees.iter().zip(&after.trees) {
        let from = told.len();
        tree_differences(then, now, &mut told);
        if before.trees.len() > 1 {
            for line in &mut told[from..] {
                *line = format!("{}: {line}", quoted(&now.folder));
            }
        }
    }
    told.iter().map(|line| quoted(line)).collect()
}

fn tree_differences(then: &TreePrint, now: &TreePrint, told: &mut Vec<String>) {
    if then.folder != now.folder {
        told.push(format!("the folder is {}, before {}", now.folder, then.folder));
    } else if then.identity != now.identity {
        told.push(format!("{} is another folder of the same name", now.folder));
    }
    match (&then.repository, &now.repository) {
        (Some(then), Some(now)) => repository_differences(then, now, told),
        (None, Some(_)) => told.push("there is a repository now".into()),
        (Some(_), None) => told.push("there is no repository any more".into()),
        (None, None) => {}
    }
}

fn repository_differences(then: &RepositoryPrint, now: &RepositoryPrint, told: &mut Vec<String>) {
    if then.identity != now.identity {
        told.push("its git folder is another one".into());
    }
    if then.branch != now.branch {
        let name = |branch: &Option<String>| branch.clone().unwrap_or_else(|| "a detached HEAD".into());
        told.push(format!("the branch is {}, before {}", name(&now.branch), name(&then.branch)));
    }
    if then.head != now.head {
        let name = |head: &Option<String>| head.as_deref().map_or("no commit", short).to_owned();
        told.push(format!("HEAD moved from {} to {}", name(&then.head), name(&now.head)));
    }
    if then.operation != now.operation {
        let name = |operation: Option<Operation>| operation.map_or("nothing", operation_name);
        told.push(format!("git is in the middle of {}, before {}", name(now.operation), name(then.operation)));
    }
    for (path, was) in &then.paths {
        match now.paths.get(path) {
            None => told.push(format!("{path} has no uncommitted change any more")),
            Some(is) if is != was => told.push(path_difference(path, was, is)),
            Some(_) => {}
        }
    }
    for (path, is) in now.paths.iter().filter(|(path, _)| !then.paths.contains_key(*path)) {
        let how = match is.working.as_str() {
            "deleted" => "was deleted",
            working if working.starts_with("commit:") => "stands at another commit",
            _ if is.conflicted => "is in conflict",
            _ => "was changed or added",
        };
        told.push(format!("{path} {how}"));
    }
    if then.weak != now.weak && told.is_empty() {
        told.push("another part of the tree could be bound by size and time only".into());
    }
}

fn path_difference(path: &str, was: &PathPrint, is: &PathPrint) -> String {
    let how = match () {
        () if was.conflicted != is.conflicted && is.conflicted => "is in conflict",
        () if was.conflicted != is.conflicted => "is no longer in conflict",
        () if was.working != is.working && is.working == "deleted" => "was deleted",
        () if was.working != is.working && is.working.starts_with("commit:") => "stands at another commit",
        () if was.working != is.working => "has other content",
        () if was.executable != is.executable => "has another mode",
        () => "has other content staged",
    };
    format!("{path} {how}")
}

fn operation_name(operation: Operation) -> &'static str {
    match operation {
        Operation::Merge => "a merge",
        Operation::Rebase => "a rebase",
        Operation::CherryPick => "a cherry-pick",
        Operation::Revert => "a revert",
        Operation::Bisect => "a bisect",
        Operation::ApplyMailbox => "applying patches",
    }
}
