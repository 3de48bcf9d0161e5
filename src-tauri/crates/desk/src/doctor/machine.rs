//! What this machine is: file systems on which locks or news of changes cannot be relied on, folders that are not
//! ours, and how many folders there are to watch.

use super::{Check, check};
use crate::Desk;
use std::collections::BTreeSet;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

/// Repositories whose owner is looked at.
const MOST_REPOSITORIES: usize = 1_000;
/// Folders counted at most.
const MOST_FOLDERS: usize = 200_000;

impl Desk {
    pub(super) fn check_file_systems(&self) -> Vec<Check> {
        let mut checks = Vec::new();
        if let Some(kind) = far_away(self.home.root()) {
            checks.push(check(
                "file system",
                "error",
                format!("{} lies on {kind}. Locks and exchanges may not hold there.", self.home.root().display()),
                Some("Set FUDA_HOME to a folder on a disk of this machine."),
            ));
        }
        for root in self.roots().iter().filter(|root| !root.starts_with(self.home.root())) {
            if let Some(kind) = far_away(root) {
                checks.push(check(
                    "file system",
                    "warning",
                    format!("{} lies on {kind}. What other machines change there is not told.", root.display()),
                    Some("Scan by hand there: fuda index, or Scan again in the window."),
                ));
            }
        }
        if checks.is_empty() {
            checks.push(check("file system", "ok", "Everything lies on disks of this machine.".to_owned(), None));
        }
        checks
    }

    /// Repositories of another user are named and never opened.
    pub(super) fn check_owners(&self) -> Check {
        let own = rustix::process::geteuid().as_raw();
        let rows = self.listed().unwrap_or_default();
        let repositories: BTreeSet<PathBuf> =
            rows.iter().filter_map(|listed| listed.row.repo.clone()).map(PathBuf::from).collect();
        let of_others: Vec<&PathBuf> = repositories
            .iter()
            .take(MOST_REPOSITORIES)
            .filter(|path| std::fs::metadata(path).is_ok_and(|found| found.uid() != own))
            .collect();
        match of_others.first() {
            None => check("owners", "ok", format!("{} repositories, all yours", repositories.len()), None),
            Some(first) => check(
                "owners",
                "warning",
                format!(
                    "{} of {} repositories belong to another user, {} first. They are named and not opened.",
                    of_others.len(),
                    repositories.len(),
                    first.display()
                ),
                Some("Take the folder over (chown), or look at it as its owner."),
            ),
        }
    }

    /// The folders to watch beside what the system grants.
    pub(super) fn check_watches(&self) -> Check {
        let folders = store::watch::folders(&self.roots(), MOST_FOLDERS);
        let limit = std::fs::read_to_string("/proc/sys/fs/inotify/max_user_watches")
            .ok()
            .and_then(|text| text.trim().parse::<usize>().ok());
        watches(folders, limit)
    }
}

fn watches(folders: usize, limit: Option<usize>) -> Check {
    match limit {
        None => check("watching", "warning", "The limit of watches is not known.".to_owned(), None),
        // Other programs of the same user take from the same number.
        Some(limit) if folders > limit / 2 => check(
            "watching",
            "warning",
            format!("There are {folders} folders to watch and this system allows {limit} watches for all programs."),
            Some(
                "Raise fs.inotify.max_user_watches, or give the profiles narrower roots; until then folders are polled.",
            ),
        ),
        Some(limit) => check("watching", "ok", format!("{folders} folders, {limit} watches allowed"), None),
    }
}

/// The name of a file system that another machine or program serves.
fn far_away(path: &Path) -> Option<&'static str> {
    let found = rustix::fs::statfs(path).ok()?;
    name_of(u64::try_from(found.f_type).ok()? & 0xffff_ffff)
}

/// Numbers from statfs(2).
fn name_of(magic: u64) -> Option<&'static str> {
    Some(match magic {
        0x6969 => "NFS",
        0x517b | 0xff53_4d42 | 0xfe53_4d42 => "a Windows share",
        0x0102_1997 => "9P, a folder of the host system",
        0x6573_5546 => "FUSE, served by a program",
        0x5346_414f | 0x6b41_4653 => "AFS",
        0x00c3_6400 => "Ceph",
        0x0bd0_0bd0 => "Lustre",
        0x786f_4256 => "a shared folder of VirtualBox",
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn file_systems_of_other_machines_are_named() {
        assert_eq!(name_of(0x6969), Some("NFS"));
        assert_eq!(name_of(0xfe53_4d42), Some("a Windows share"));
        assert_eq!(name_of(0xef53), None, "ext4");
    }

    #[test]
    fn more_folders_than_watches_is_a_warning_with_both_numbers() {
        let warned = watches(9_000, Some(8_192));
        assert_eq!(warned.state, "warning");
        assert!(warned.message.contains("9000") && warned.message.contains("8192"), "{}", warned.message);
        assert_eq!(watches(100, Some(8_192)).state, "ok");
    }
}
