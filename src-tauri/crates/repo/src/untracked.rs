//! Which of the names that the index does not know are untracked: no ignore rule names them. A folder that is a
//! repository of its own is one path, as git has it.

use crate::ignored::Ignored;
use crate::plain;
use crate::scan::Stranger;
use crate::stat::{Folder, Kind};
use crate::text::path_of;
use std::path::Path;

/// What the walk found.
#[derive(Debug, Default)]
pub(crate) struct Walked {
    pub(crate) paths: Vec<Vec<u8>>,
    pub(crate) incomplete: Option<String>,
}

/// Sifts strangers, and walks the folders among them, up to `limit` untracked paths.
pub(crate) fn untracked(
    ignored: Ignored,
    toplevel: &Path,
    strangers: Vec<Stranger>,
    limit: usize,
    stop: &dyn Fn() -> bool,
) -> Walked {
    let mut walk = Walk { ignored, toplevel, limit, stop, found: Walked::default() };
    for stranger in strangers {
        walk.visit(stranger.path, stranger.is_folder);
        if walk.found.incomplete.is_some() {
            break;
        }
    }
    walk.found
}

struct Walk<'a> {
    ignored: Ignored<'a>,
    toplevel: &'a Path,
    limit: usize,
    stop: &'a dyn Fn() -> bool,
    found: Walked,
}

impl Walk<'_> {
    fn visit(&mut self, mut path: Vec<u8>, is_folder: bool) {
        if is_folder {
            path.push(b'/');
        }
        if self.ignored.contains(&path) {
            return; // and with it whatever lies below
        }
        let is_repository = || plain::holds_repository(&self.toplevel.join(path_of(&path)));
        if !is_folder || is_repository() {
            self.push(path);
        } else {
            self.below(path);
        }
    }

    fn below(&mut self, prefix: Vec<u8>) {
        if (self.stop)() {
            self.found.incomplete = Some("the time for a look was over before all folders were walked".into());
            return;
        }
        let Some(folder) = Folder::open(&self.toplevel.join(path_of(&prefix))) else { return };
        for (name, kind) in folder.names() {
            if self.found.incomplete.is_some() {
                return;
            }
            if kind != Kind::Other && name != b".git" {
                self.visit([prefix.as_slice(), &name].concat(), kind == Kind::Folder);
            }
        }
    }

    fn push(&mut self, path: Vec<u8>) {
        if self.found.paths.len() >= self.limit {
            self.found.incomplete = Some(format!("there are more than {} untracked paths", self.limit));
            return;
        }
        self.found.paths.push(path);
    }
}
