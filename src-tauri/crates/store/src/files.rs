//! Reading and writing handoff files of other programs: whole or not at all, and never over somebody's newer bytes.

mod recover;
mod swap;

use crate::home::{owner_only, private_folder};
use crate::{Error, Home};
use rustix::fs::{AtFlags, CWD, Mode, OFlags};
use rustix::io::Errno;
use std::fs::{self, File};
use std::io::{Read, Write};
use std::os::fd::AsRawFd;
use std::os::unix::fs::{MetadataExt, OpenOptionsExt};
use std::path::{Path, PathBuf};

pub use recover::{Recovered, recover};
pub use swap::{Swapped, swap};
pub(crate) use swap::{is_temporary, put_away};

/// What tells a file from a changed one without reading it. A hint only: decisions read the bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stamp {
    /// Device.
    pub dev: u64,
    /// Inode.
    pub ino: u64,
    /// Bytes.
    pub size: u64,
    /// Modification time in nanoseconds.
    pub mtime_ns: i64,
    /// Change time in nanoseconds.
    pub ctime_ns: i64,
}

impl Stamp {
    /// The stamp of a file's metadata.
    pub fn of(metadata: &fs::Metadata) -> Self {
        Self {
            dev: metadata.dev(),
            ino: metadata.ino(),
            size: metadata.size(),
            mtime_ns: metadata.mtime() * 1_000_000_000 + metadata.mtime_nsec(),
            ctime_ns: metadata.ctime() * 1_000_000_000 + metadata.ctime_nsec(),
        }
    }
}

/// File systems whose regular files are none: they say size 0 and hold what the kernel makes up.
const MADE_UP: [u64; 2] = [0x9fa0, 0x6265_6572];

/// Memory that is taken for a file before its bytes are seen.
const MOST_AT_ONCE: u64 = 16 * 1024 * 1024;

/// Reads at most `cap + 1` bytes of a regular file that does not change meanwhile. Pipes and devices are not opened
/// for waiting: the call never blocks on them.
///
/// # Errors
/// [`Error::NotRegular`], [`Error::Busy`], or the disk's.
pub fn read(path: &Path, cap: u64) -> Result<(Vec<u8>, Stamp), Error> {
    let failed = |source| Error::io("read", path, source);
    for _ in 0..3 {
        let flags = (OFlags::NONBLOCK | OFlags::NOCTTY | OFlags::CLOEXEC).bits() as i32;
        let mut file = fs::OpenOptions::new().read(true).custom_flags(flags).open(path).map_err(failed)?;
        let metadata = file.metadata().map_err(failed)?;
        if !metadata.is_file() {
            let found = if metadata.is_dir() { "a folder" } else { "a pipe, socket or device" };
            return Err(Error::NotRegular { path: path.to_owned(), found });
        }
        let system = rustix::fs::fstatfs(&file).map_err(|errno| failed(errno.into()))?;
        if MADE_UP.contains(&(system.f_type as u64)) {
            return Err(Error::NotRegular { path: path.to_owned(), found: "a file of the kernel" });
        }
        let before = Stamp::of(&metadata);
        // A size is a promise of the file system; a sparse file may promise more than there is memory.
        let mut bytes = Vec::with_capacity(before.size.min(cap + 1).min(MOST_AT_ONCE) as usize);
        (&mut file).take(cap + 1).read_to_end(&mut bytes).map_err(failed)?;
        if Stamp::of(&file.metadata().map_err(failed)?) == before {
            return Ok((bytes, before));
        }
    }
    Err(Error::Busy { path: path.to_owned() })
}

/// Writes a new file durably under a name that must be free.
///
/// # Errors
/// [`Error::Exists`] when the name is taken; nothing half-written is ever visible.
pub fn publish(folder: &Path, name: &str, bytes: &[u8]) -> Result<PathBuf, Error> {
    let path = folder.join(name);
    let failed = |source: std::io::Error| Error::io("write", &path, source);
    make_folder(folder)?;
    let flags = OFlags::TMPFILE | OFlags::WRONLY | OFlags::CLOEXEC;
    match rustix::fs::open(folder, flags, Mode::RUSR | Mode::WUSR) {
        Ok(descriptor) => {
            let mut file = File::from(descriptor);
            file.write_all(bytes).map_err(failed)?;
            file.sync_all().map_err(failed)?;
            let link = format!("/proc/self/fd/{}", file.as_raw_fd());
            match rustix::fs::linkat(CWD, link.as_str(), CWD, &path, AtFlags::SYMLINK_FOLLOW) {
                Ok(()) => {}
                Err(Errno::EXIST) => return Err(Error::Exists { path }),
                Err(errno) => return Err(failed(errno.into())),
            }
        }
        // No unnamed files on this file system: a named one, linked without clobbering.
        Err(_) => {
            let mut file = tempfile::NamedTempFile::new_in(folder).map_err(failed)?;
            file.write_all(bytes).map_err(failed)?;
            file.as_file().sync_all().map_err(failed)?;
            file.persist_noclobber(&path).map_err(|error| match error.error.kind() {
                std::io::ErrorKind::AlreadyExists => Error::Exists { path: path.clone() },
                _ => failed(error.error),
            })?;
        }
    }
    sync_folder(folder)?;
    Ok(path)
}

/// All bytes of a regular file.
fn whole(path: &Path) -> Result<Vec<u8>, Error> {
    read(path, u64::MAX - 1).map(|(bytes, _)| bytes)
}

/// Keeps bytes under `conflicts/`, durably, named by their hash.
fn keep(home: &Home, bytes: &[u8]) -> Result<PathBuf, Error> {
    let name = format!("{}.md", handoff::revision(bytes));
    match publish(&home.conflicts(), &name, bytes) {
        Ok(path) => {
            owner_only(&path)?;
            Ok(path)
        }
        Err(Error::Exists { path }) => Ok(path),
        Err(error) => Err(error),
    }
}

/// Makes a folder that is missing, for its owner only, and makes its name durable.
fn make_folder(folder: &Path) -> Result<(), Error> {
    if folder.is_dir() {
        return Ok(());
    }
    private_folder(folder)?;
    folder.parent().map_or(Ok(()), sync_folder)
}

fn sync_folder(folder: &Path) -> Result<(), Error> {
    File::open(folder).and_then(|folder| folder.sync_all()).map_err(|source| Error::io("flush", folder, source))
}
