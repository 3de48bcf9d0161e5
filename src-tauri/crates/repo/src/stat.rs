//! Folders and the stat data of what lies in them, and what these prove against the index.

use crate::index::Tracked;
use std::path::Path;

pub(crate) const TYPE_MASK: u32 = 0o170_000;
pub(crate) const REGULAR: u32 = 0o100_000;
pub(crate) const SYMLINK: u32 = 0o120_000;
pub(crate) const GITLINK: u32 = 0o160_000;
pub(crate) const EXECUTABLE: u32 = 0o100;

/// What a name in a folder is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    File,
    Folder,
    Link,
    /// A pipe, socket or device: git does not see it.
    Other,
}

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
        rustix::fs::lstat(path).ok().map(Self::from)
    }

    /// Whether these data prove that the file is what the index holds. Times must lie before the index was
    /// written: a file changed in the same moment could carry the same data.
    pub(crate) fn proves(&self, entry: &Tracked, index_written: Option<(i64, i64)>) -> bool {
        let same_time =
            |now: (i64, i64), then: (u32, u32)| now.0 as u32 == then.0 && (then.1 == 0 || now.1 as u32 == then.1);
        let same_mode = match entry.mode & TYPE_MASK {
            SYMLINK => self.mode & TYPE_MASK == SYMLINK,
            kind => self.mode & TYPE_MASK == kind && (self.mode & EXECUTABLE != 0) == (entry.mode & EXECUTABLE != 0),
        };
        same_mode
            && self.length as u32 == entry.size
            && same_time(self.mtime, entry.mtime)
            && same_time(self.ctime, entry.ctime)
            && (entry.ino == 0 || self.ino as u32 == entry.ino)
            && index_written.is_some_and(|written| self.mtime < written)
            && !entry.is_intended()
    }
}

#[cfg(unix)]
#[allow(clippy::unnecessary_cast)] // the fields' types differ between systems
impl From<rustix::fs::Stat> for Stat {
    fn from(stat: rustix::fs::Stat) -> Self {
        Self {
            mode: stat.st_mode as u32,
            length: stat.st_size as u64,
            mtime: (stat.st_mtime as i64, stat.st_mtime_nsec as i64),
            ctime: (stat.st_ctime as i64, stat.st_ctime_nsec as i64),
            ino: stat.st_ino as u64,
        }
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

    /// Whether these data prove that the file is what the index holds.
    pub(crate) fn proves(&self, entry: &Tracked, index_written: Option<(i64, i64)>) -> bool {
        self.length as u32 == entry.size
            && self.mtime.0 as u32 == entry.mtime.0
            && index_written.is_some_and(|written| self.mtime < written)
            && !entry.is_intended()
    }
}

/// A folder held open, so that what lies in it is looked up from there and not from the root of the disk.
pub(crate) struct Folder {
    #[cfg(unix)]
    handle: rustix::fd::OwnedFd,
    #[cfg(not(unix))]
    path: std::path::PathBuf,
}

#[cfg(unix)]
impl Folder {
    /// Opens a folder; a link to one is none.
    pub(crate) fn open(path: &Path) -> Option<Self> {
        use rustix::fs::{Mode, OFlags};
        let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::CLOEXEC | OFlags::NOFOLLOW;
        Some(Self { handle: rustix::fs::open(path, flags, Mode::empty()).ok()? })
    }

    /// The names in it, in no order.
    pub(crate) fn names(&self) -> Vec<(Vec<u8>, Kind)> {
        use rustix::fs::{Dir, FileType};
        let Ok(folder) = Dir::read_from(&self.handle) else { return Vec::new() };
        folder
            .flatten()
            .filter(|entry| !matches!(entry.file_name().to_bytes(), b"." | b".."))
            .map(|entry| {
                let name = entry.file_name().to_bytes().to_vec();
                let kind = match entry.file_type() {
                    FileType::Unknown => {
                        self.stat(&name).map_or(FileType::Unknown, |stat| FileType::from_raw_mode(stat.mode as _))
                    }
                    known => known,
                };
                let kind = match kind {
                    FileType::RegularFile => Kind::File,
                    FileType::Directory => Kind::Folder,
                    FileType::Symlink => Kind::Link,
                    _ => Kind::Other,
                };
                (name, kind)
            })
            .collect()
    }

    /// The stat data of a name in it; links are not followed.
    pub(crate) fn stat(&self, name: &[u8]) -> Option<Stat> {
        rustix::fs::statat(&self.handle, name, rustix::fs::AtFlags::SYMLINK_NOFOLLOW).ok().map(Stat::from)
    }
}

#[cfg(not(unix))]
impl Folder {
    /// Opens a folder.
    pub(crate) fn open(path: &Path) -> Option<Self> {
        path.is_dir().then(|| Self { path: path.to_owned() })
    }

    /// The names in it, in no order.
    pub(crate) fn names(&self) -> Vec<(Vec<u8>, Kind)> {
        let Ok(folder) = std::fs::read_dir(&self.path) else { return Vec::new() };
        folder
            .flatten()
            .filter_map(|entry| {
                let kind = entry.file_type().ok()?;
                let kind = if kind.is_dir() {
                    Kind::Folder
                } else if kind.is_symlink() {
                    Kind::Link
                } else {
                    Kind::File
                };
                Some((entry.file_name().as_encoded_bytes().to_vec(), kind))
            })
            .collect()
    }

    /// The stat data of a name in it; links are not followed.
    pub(crate) fn stat(&self, name: &[u8]) -> Option<Stat> {
        Stat::of(&self.path.join(crate::text::path_of(name)))
    }
}
