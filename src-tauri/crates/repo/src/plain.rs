//! HEAD and branch from git's plain files, for repositories that libgit2 cannot or must not open, and for
//! submodules, of which only the commit matters.

use crate::text::{path_of, shown};
use std::fs::File;
use std::io::{self, Read};
use std::path::{Component, Path, PathBuf};

/// Longest packed-refs that is searched.
const PACKED_BYTES: u64 = 16 << 20;

/// What the files tell.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Plain {
    /// The branch, absent when detached.
    pub(crate) branch: Option<String>,
    /// Whether HEAD holds a commit itself.
    pub(crate) detached: bool,
    /// The commit in lower-case hexadecimal.
    pub(crate) head: Option<String>,
}

/// Up to `limit` bytes of a regular file. Opened without waiting, so that a pipe put there meanwhile cannot block.
pub(crate) fn read_bounded(path: &Path, limit: u64) -> io::Result<Vec<u8>> {
    let file = open_regular(path)?;
    let mut bytes = Vec::new();
    file.take(limit).read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// Opens a regular file for reading; anything else is an error and blocks nobody.
#[cfg(unix)]
pub(crate) fn open_regular(path: &Path) -> io::Result<File> {
    use rustix::fs::{Mode, OFlags};
    let flags = OFlags::RDONLY | OFlags::CLOEXEC | OFlags::NONBLOCK | OFlags::NOCTTY;
    let file = File::from(rustix::fs::open(path, flags, Mode::empty())?);
    if file.metadata()?.is_file() { Ok(file) } else { Err(io::Error::other("not a regular file")) }
}

/// Opens a regular file for reading; anything else is an error.
#[cfg(not(unix))]
pub(crate) fn open_regular(path: &Path) -> io::Result<File> {
    let file = File::open(path)?;
    if file.metadata()?.is_file() { Ok(file) } else { Err(io::Error::other("not a regular file")) }
}

/// Reads HEAD and what it names. `None` when HEAD cannot be read or makes no sense (reftable keeps a stand-in).
pub(crate) fn read(git_dir: &Path, common_dir: &Path) -> Option<Plain> {
    let head = read_bounded(&git_dir.join("HEAD"), 4096).ok()?;
    let head = head.trim_ascii();
    let Some(name) = head.strip_prefix(b"ref:") else {
        return Some(Plain { branch: None, detached: true, head: Some(hash(head)?) });
    };
    let name = name.trim_ascii();
    let branch = shown(name.strip_prefix(b"refs/heads/")?);
    if branch == ".invalid" {
        return None;
    }
    let relative = path_of(name);
    if !relative.components().all(|part| matches!(part, Component::Normal(_))) {
        return None;
    }
    let loose = read_bounded(&common_dir.join(&relative), 4096).ok().and_then(|bytes| hash(bytes.trim_ascii()));
    let head = loose.or_else(|| packed(common_dir, name));
    Some(Plain { branch: Some(branch), detached: false, head })
}

fn packed(common_dir: &Path, name: &[u8]) -> Option<String> {
    let bytes = read_bounded(&common_dir.join("packed-refs"), PACKED_BYTES).ok()?;
    bytes.split(|byte| *byte == b'\n').find_map(|line| {
        let (id, rest) = line.split_at_checked(line.iter().position(|byte| *byte == b' ')?)?;
        (rest.trim_ascii() == name).then(|| hash(id)).flatten()
    })
}

fn hash(bytes: &[u8]) -> Option<String> {
    let plausible = matches!(bytes.len(), 40 | 64) && bytes.iter().all(u8::is_ascii_hexdigit);
    plausible.then(|| String::from_utf8_lossy(bytes).to_lowercase())
}

/// Whether a folder is the worktree of a repository of its own, as git tells it: a `.git` that leads to HEAD, objects
/// and refs. A `.git` that leads nowhere hides nothing that lies beside it.
pub(crate) fn holds_repository(folder: &Path) -> bool {
    let dot_git = folder.join(".git");
    match std::fs::symlink_metadata(&dot_git) {
        Ok(meta) if meta.is_file() => {
            let bytes = read_bounded(&dot_git, 4096).unwrap_or_default();
            bytes
                .strip_prefix(b"gitdir:")
                .is_some_and(|target| is_git_folder(&folder.join(path_of(target.trim_ascii()))))
        }
        Ok(_) => is_git_folder(&dot_git),
        Err(_) => false,
    }
}

fn is_git_folder(folder: &Path) -> bool {
    let common = read_bounded(&folder.join("commondir"), 4096).ok();
    let common = common.map_or_else(|| folder.to_owned(), |named| folder.join(path_of(named.trim_ascii())));
    let head = read_bounded(&folder.join("HEAD"), 4096).unwrap_or_default();
    let head = head.trim_ascii();
    let is_head =
        head.strip_prefix(b"ref:").map_or_else(|| hash(head).is_some(), |name| name.trim_ascii().starts_with(b"refs/"));
    is_head && common.join("objects").is_dir() && common.join("refs").is_dir()
}

/// The commit that a submodule's worktree stands at, without opening it. `None` when it is not checked out.
pub(crate) fn submodule_head(worktree: &Path) -> Option<String> {
    let dot_git = worktree.join(".git");
    let meta = std::fs::symlink_metadata(&dot_git).ok()?;
    let git_dir: PathBuf = if meta.is_dir() {
        dot_git
    } else {
        let bytes = read_bounded(&dot_git, 4096).ok()?;
        worktree.join(path_of(bytes.strip_prefix(b"gitdir:")?.trim_ascii()))
    };
    read(&git_dir, &git_dir)?.head
}
