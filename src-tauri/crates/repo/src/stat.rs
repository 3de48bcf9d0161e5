//! Stat data of working files, and what they prove against the index.

use crate::status::INTENT_TO_ADD;
use git2::IndexEntry;
use std::path::Path;

pub(crate) const TYPE_MASK: u32 = 0o170_000;
pub(crate) const REGULAR: u32 = 0o100_000;
const SYMLINK: u32 = 0o120_000;

/// The stat data that git keeps in the index.
pub(crate) struct Stat {
    pub(crate) mode: u32,
    pub(crate) length: u64,
    pub(crate) mtime: (i64, i64),
    #[cfg(unix)]
    ctime: (i64, i64),
    #[cfg(unix)]
    ino: u64,
}

#[cfg(unix)]
impl Stat {
    pub(crate) fn of(path: &Path) -> Option<Self> {
        use std::os::unix::fs::MetadataExt;
        let meta = std::fs::symlink_metadata(path).ok()?;
        Some(Self {
            mode: meta.mode(),
            length: meta.len(),
            mtime: (meta.mtime(), meta.mtime_nsec()),
            ctime: (meta.ctime(), meta.ctime_nsec()),
            ino: meta.ino(),
        })
    }

    /// Whether these data prove that the file is what the index holds. Times must lie before the index was
    /// written: a file changed in the same moment could carry the same data.
    pub(crate) fn proves(&self, entry: &IndexEntry, index_time: Option<(i64, i64)>) -> bool {
        let same_time = |now: (i64, i64), then: git2::IndexTime| {
            now.0 as i32 == then.seconds() && (then.nanoseconds() == 0 || now.1 as u32 == then.nanoseconds())
        };
        let same_mode = match entry.mode & TYPE_MASK {
            SYMLINK => self.mode & TYPE_MASK == SYMLINK,
            _ => {
                self.mode & TYPE_MASK == entry.mode & TYPE_MASK && (self.mode & 0o100 != 0) == (entry.mode & 0o100 != 0)
            }
        };
        same_mode
            && self.length as u32 == entry.file_size
            && same_time(self.mtime, entry.mtime)
            && same_time(self.ctime, entry.ctime)
            && (entry.ino == 0 || self.ino as u32 == entry.ino)
            && index_time.is_some_and(|index| self.mtime < index)
            && entry.flags_extended & INTENT_TO_ADD == 0
    }
}

#[cfg(not(unix))]
impl Stat {
    pub(crate) fn of(path: &Path) -> Option<Self> {
        let meta = std::fs::symlink_metadata(path).ok()?;
        let mode = if meta.file_type().is_symlink() { SYMLINK } else { REGULAR };
        let since = meta.modified().ok()?.duration_since(std::time::UNIX_EPOCH).ok()?;
        Some(Self { mode, length: meta.len(), mtime: (since.as_secs() as i64, i64::from(since.subsec_nanos())) })
    }

    pub(crate) fn proves(&self, entry: &IndexEntry, index_time: Option<(i64, i64)>) -> bool {
        self.length as u32 == entry.file_size
            && self.mtime.0 as i32 == entry.mtime.seconds()
            && index_time.is_some_and(|index| self.mtime < index)
            && entry.flags_extended & INTENT_TO_ADD == 0
    }
}

/// The worktree, held open so that each path is looked up from there and not from the root of the disk.
pub(crate) struct Folder {
    #[cfg(unix)]
    handle: Option<rustix::fd::OwnedFd>,
    #[cfg(not(unix))]
    path: std::path::PathBuf,
}

#[cfg(unix)]
impl Folder {
    pub(crate) fn open(path: &Path) -> Self {
        use rustix::fs::{Mode, OFlags};
        let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::CLOEXEC;
        Self { handle: rustix::fs::open(path, flags, Mode::empty()).ok() }
    }
    pub(crate) fn stat(&self, path: &[u8]) -> Option<Stat> {
        let stat = rustix::fs::statat(self.handle.as_ref()?, path, rustix::fs::AtFlags::SYMLINK_NOFOLLOW).ok()?;
        Some(Stat {
            mode: stat.st_mode,
            length: stat.st_size as u64,
            mtime: (stat.st_mtime as i64, stat.st_mtime_nsec as i64),
            ctime: (stat.st_ctime as i64, stat.st_ctime_nsec as i64),
            ino: stat.st_ino as u64,
        })
    }
}

#[cfg(not(unix))]
impl Folder {
    pub(crate) fn open(path: &Path) -> Self {
        Self { path: path.to_owned() }
    }
    pub(crate) fn stat(&self, path: &[u8]) -> Option<Stat> {
        Stat::of(&self.path.join(crate::text::path_of(path)))
    }
}
