//! Whether a repository can be pushed from without a network: a remote may be a folder of this machine.

use super::super::own::{self, Own};
use std::path::{Path, PathBuf};

/// Whether a remote of the folder's repository is, or may be, a folder of this machine. What cannot be read may be one.
pub(super) fn on_this_machine(folder: &Path) -> bool {
    let Some(git) = folder.ancestors().map(|folder| folder.join(".git")).find(|git| git.exists()) else { return false };
    match common(&git).map(|common| own::read(&common.join("config"))) {
        Some(Own::Text(text)) => text.lines().any(names_a_folder),
        Some(Own::Absent) => false,
        Some(Own::Unknown(_)) | None => true,
    }
}

/// The folder that holds the configuration, for a worktree too.
fn common(git: &Path) -> Option<PathBuf> {
    if git.is_dir() {
        return Some(git.to_owned());
    }
    let link = std::fs::read_to_string(git).ok()?;
    let own = git.parent()?.join(link.strip_prefix("gitdir:")?.trim());
    match std::fs::read_to_string(own.join("commondir")) {
        Ok(common) => Some(own.join(common.trim())),
        Err(_) => Some(own),
    }
}

fn names_a_folder(line: &str) -> bool {
    let line = line.trim();
    let lower = line.to_lowercase();
    // A section that rewrites addresses, and one that brings in another file.
    if lower.starts_with("[include") {
        return true;
    }
    if lower.starts_with("[url") {
        return line.split('"').nth(1).is_none_or(is_folder);
    }
    let Some((key, value)) = line.split_once('=') else { return false };
    matches!(key.trim().to_lowercase().as_str(), "url" | "pushurl") && is_folder(value.trim().trim_matches('"'))
}

/// An address with a scheme, or of the form `host:path`, is none.
fn is_folder(address: &str) -> bool {
    match address.split_once("://") {
        Some((scheme, _)) => scheme.eq_ignore_ascii_case("file"),
        None => !address.split('/').next().unwrap_or_default().contains(':'),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_of_hosts_are_told_from_folders() {
        for host in
            ["https://example.test/a.git", "ssh://git@example.test/a", "git@example.test:a/b.git", "host:/srv/a"]
        {
            assert!(!is_folder(host), "{host}");
        }
        for folder in ["/srv/a.git", "../a.git", "a.git", "file:///srv/a.git", "FILE:///srv/a", "./a:b"] {
            assert!(is_folder(folder), "{folder}");
        }
    }

    #[test]
    fn a_remote_of_a_worktree_and_one_that_is_rewritten_are_found() {
        let folder = tempfile::TempDir::new().expect("a folder");
        let main = folder.path().join("main");
        let tree = folder.path().join("tree");
        std::fs::create_dir_all(main.join(".git/worktrees/tree")).expect("made");
        std::fs::create_dir_all(tree.join("src")).expect("made");
        std::fs::write(tree.join(".git"), "gitdir: ../main/.git/worktrees/tree\n").expect("written");
        std::fs::write(main.join(".git/worktrees/tree/commondir"), "../..\n").expect("written");
        assert!(!on_this_machine(&tree.join("src")), "there is no configuration");
        let remote = "[remote \"origin\"]\n\turl = https://example.test/a.git\n";
        for (more, found) in
            [("", false), ("\tpushurl = /srv/a.git\n", true), ("[url \"/srv/\"]\n\tinsteadOf = x:\n", true)]
        {
            std::fs::write(main.join(".git/config"), format!("{remote}{more}")).expect("written");
            assert_eq!(on_this_machine(&tree.join("src")), found, "{more:?}");
        }
    }
}
