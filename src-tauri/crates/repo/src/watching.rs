//! Where a change of a repository shows first. Names folders only; watching them is left to hosts.

use crate::Question;
use crate::place::{self, FolderState};
use std::path::PathBuf;

/// What a host should watch to see a commit, a checkout or an edit: the worktree and the folder of refs with all
/// that lies below, the git folders themselves without (HEAD and index are in them). Folders that are not there
/// are left out; when a worktree is gone, the folder above it is named, so that its return is seen.
pub fn watch_paths(question: &Question) -> Vec<PathBuf> {
    let mut paths = Vec::new();
    for place in place::places(question) {
        let Some(folder) = place.folder else { continue };
        let FolderState::There(real) = &folder.state else {
            paths.extend(place::nearest_folder(&folder.typed));
            continue;
        };
        match crate::open::locate(real) {
            Ok(Some(located)) => {
                paths.extend([located.toplevel.clone(), located.git_dir.clone()]);
                if located.is_linked() {
                    paths.push(located.common_dir.clone());
                }
                paths.push(located.common_dir.join("refs"));
            }
            _ => paths.push(real.clone()),
        }
    }
    paths.retain(|path| path.exists());
    let mut seen = std::collections::HashSet::new();
    paths.retain(|path| seen.insert(path.clone()));
    paths
}
