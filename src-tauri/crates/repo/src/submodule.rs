//! Submodules that are checked out, each looked at as what it is: a repository of its own. Opened as carefully as the
//! one that holds them, never initialised, never fetched.

use crate::open;
use crate::plain;
use crate::question::Budget;
use crate::snapshot;
use crate::status::{self, Status};
use crate::text::{path_of, quoted, shown};
use std::path::{Path, PathBuf};

/// How deep submodules of submodules are followed.
const DEPTH: u32 = 5;

/// A submodule's folder that holds something.
pub(crate) struct Submodule {
    /// Its path below the worktree that holds it.
    pub(crate) path: Vec<u8>,
    /// What lies there, or why nobody can tell.
    pub(crate) found: Result<Box<CheckedOut>, String>,
}

/// A submodule that was opened.
pub(crate) struct CheckedOut {
    pub(crate) toplevel: PathBuf,
    pub(crate) status: Status,
}

impl Submodule {
    /// Looks at a submodule. `None`: its folder is empty or not there, as before the first checkout.
    pub(crate) fn look(
        above: &Path,
        path: &[u8],
        budget: &Budget,
        stop: &dyn Fn() -> bool,
        depth: u32,
    ) -> Option<Self> {
        let toplevel = above.join(path_of(path));
        let is_folder = std::fs::symlink_metadata(&toplevel).is_ok_and(|meta| meta.is_dir());
        let holds_something = is_folder && std::fs::read_dir(&toplevel).is_ok_and(|mut names| names.next().is_some());
        holds_something.then(|| Self { path: path.to_vec(), found: checked_out(toplevel, budget, stop, depth) })
    }

    /// Whether it has uncommitted work, as far as that can be told.
    pub(crate) fn has_work(&self) -> bool {
        self.found.as_ref().is_ok_and(|inside| !inside.status.entries.is_empty())
    }

    /// Why it could not be looked at, in one sentence.
    pub(crate) fn unseen(&self) -> Option<String> {
        let why = self.found.as_ref().err()?;
        Some(format!("the submodule {} was not looked into: {why}", quoted(&shown(&self.path))))
    }
}

fn checked_out(
    toplevel: PathBuf,
    budget: &Budget,
    stop: &dyn Fn() -> bool,
    depth: u32,
) -> Result<Box<CheckedOut>, String> {
    if depth > DEPTH {
        return Err(format!("it lies more than {DEPTH} levels deep"));
    }
    if stop() {
        return Err("the time for a look was over".into());
    }
    if !plain::holds_repository(&toplevel) {
        return Err("it holds files and no repository".into());
    }
    let located = match open::locate(&toplevel) {
        Ok(Some(located)) if located.toplevel == toplevel => located,
        Ok(_) => return Err("it is no repository of its own".into()),
        Err(refusal) => return Err(refusal.reason),
    };
    let repo = open::open(&located).map_err(|refusal| refusal.reason)?;
    let failed = |error: git2::Error| quoted(error.message());
    let head = snapshot::head(&repo).map_err(failed)?;
    let status = status::nested(&repo, &toplevel, head.commit, budget, stop, depth).map_err(failed)?;
    Ok(Box::new(CheckedOut { toplevel, status }))
}
