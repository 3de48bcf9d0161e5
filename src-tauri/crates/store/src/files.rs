//! Reading and writing handoff files of other programs: whole or not at all, and never over somebody's newer bytes.

use crate::{Error, Home, home::owner_only};
use rustix::fs::{AtFlags, CWD, Mode, OFlags, RenameFlags};
use std::fs::{self, File};
use std::io::{Read, Write};
use std::os::fd::AsRawFd;
use std::os::unix::fs::{MetadataExt, OpenOptionsExt, PermissionsExt};
use std::path::{Path, PathBuf};

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
        let before = Stamp::of(&metadata);
        let mut bytes = Vec::with_capacity(before.size.min(cap + 1) as usize);
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
    fs::create_dir_all(folder).map_err(failed)?;
    let flags = OFlags::TMPFILE | OFlags::WRONLY | OFlags::CLOEXEC;
    match rustix::fs::open(folder, flags, Mode::RUSR | Mode::WUSR) {
        Ok(descriptor) => {
            let mut file = File::from(descriptor);
            file.write_all(bytes).map_err(failed)?;
            file.sync_all().map_err(failed)?;
            let link = format!("/proc/self/fd/{}", file.as_raw_fd());
            match rustix::fs::linkat(CWD, link.as_str(), CWD, &path, AtFlags::SYMLINK_FOLLOW) {
                Ok(()) => {}
                Err(rustix::io::Errno::EXIST) => return Err(Error::Exists { path }),
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

/// What a swap met.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Swapped {
    /// The file now holds the new bytes; what was there were the base's.
    Done,
    /// Somebody else's bytes were there. Both versions are kept and the file holds theirs.
    Conflict {
        /// Where the new bytes are kept.
        kept_at: PathBuf,
        /// The revision that is on disk.
        theirs: String,
    },
}

/// Replaces a file's bytes when it still holds those of `base` (a revision). The exchange is atomic and what it
/// displaced is looked at, so that a foreign save in between loses nothing. Symbolic links are followed, modes kept.
///
/// # Errors
/// The disk's; the file then holds its old bytes.
pub fn swap(path: &Path, base: &str, bytes: &[u8], home: &Home) -> Result<Swapped, Error> {
    let failed = |source: std::io::Error| Error::io("write", path, source);
    let target = fs::canonicalize(path).map_err(failed)?;
    let folder = target.parent().unwrap_or(Path::new("/")).to_owned();
    let current = fs::read(&target).map_err(failed)?;
    if handoff::revision(&current) != base {
        return Ok(Swapped::Conflict { kept_at: keep(home, bytes)?, theirs: handoff::revision(&current) });
    }
    let mode = fs::metadata(&target).map_err(failed)?.permissions().mode();
    let mut file = tempfile::Builder::new().prefix(".fuda-").suffix(".tmp").tempfile_in(&folder).map_err(failed)?;
    file.write_all(bytes).map_err(failed)?;
    file.as_file().set_permissions(fs::Permissions::from_mode(mode & 0o7777)).map_err(failed)?;
    file.as_file().sync_all().map_err(failed)?;
    let displaced = file.path().to_owned();
    match rustix::fs::renameat_with(CWD, &displaced, CWD, &target, RenameFlags::EXCHANGE) {
        Ok(()) => {
            let theirs = fs::read(&displaced).map_err(failed)?;
            let revision = handoff::revision(&theirs);
            if revision != base {
                // Somebody saved between the look and the exchange: their bytes go back, ours are kept aside.
                rustix::fs::renameat_with(CWD, &displaced, CWD, &target, RenameFlags::EXCHANGE)
                    .map_err(|errno| failed(errno.into()))?;
                let kept_at = keep(home, bytes)?;
                sync_folder(&folder)?;
                return Ok(Swapped::Conflict { kept_at, theirs: revision });
            }
        }
        // A file system without exchange: the old bytes are linked aside first, then replaced.
        Err(_) => {
            keep(home, &current)?;
            file.persist(&target).map_err(|error| failed(error.error))?;
        }
    }
    sync_folder(&folder)?;
    Ok(Swapped::Done)
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

fn sync_folder(folder: &Path) -> Result<(), Error> {
    File::open(folder).and_then(|folder| folder.sync_all()).map_err(|source| Error::io("flush", folder, source))
}
