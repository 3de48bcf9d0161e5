//! Reading and writing handoff files of other programs: whole or not at all, and never over somebody's newer bytes.

mod recover;
mod swap;
mod writers;

use crate::home::{owner_only, private_folder};
use crate::{Error, Home, stands};
use rustix::fs::{AtFlags, CWD, Mode, OFlags};
use rustix::io::Errno;
use std::collections::VecDeque;
use std::fs::{self, File};
use std::io::{BufRead, BufReader, Read, Write};
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

    /// The same with the size of the document: of a session that counts, not the log around it.
    pub(crate) fn of_document(self, reading: &handoff::Reading, document: &[u8]) -> Self {
        let size = if reading.format == handoff::Format::Session { document.len() as u64 } else { self.size };
        Self { size, ..self }
    }
}

/// File systems whose regular files are none: they say size 0 and hold what the kernel makes up.
const MADE_UP: [u64; 2] = [0x9fa0, 0x6265_6572];

/// Memory that is taken for a file before its bytes are seen.
const MOST_AT_ONCE: u64 = 16 * 1024 * 1024;

/// Bytes of one line of a session that are held at a time.
const LONGEST_LINE: u64 = 4 * 1024 * 1024;

/// Reads at most `cap + 1` bytes of a regular file that does not change meanwhile. Pipes and devices are not opened
/// for waiting: the call never blocks on them. Of a session, which may be larger than memory, the lines are read that
/// can matter to a handoff, the newest when there are more.
///
/// # Errors
/// [`Error::NotRegular`], [`Error::Busy`], or the disk's.
pub fn read(path: &Path, cap: u64) -> Result<(Vec<u8>, Stamp), Error> {
    if path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("jsonl")) {
        let (file, stamp) = open(path)?;
        // Its program appends to it all the time: what stood there before is whole.
        return session(file, stamp, cap).map_err(|source| Error::io("read", path, source));
    }
    read_as_it_is(path, cap)
}

fn read_as_it_is(path: &Path, cap: u64) -> Result<(Vec<u8>, Stamp), Error> {
    let failed = |source| Error::io("read", path, source);
    for _ in 0..3 {
        let (mut file, before) = open(path)?;
        // A size is a promise of the file system; a sparse file may promise more than there is memory.
        let mut bytes = Vec::with_capacity(before.size.min(cap + 1).min(MOST_AT_ONCE) as usize);
        (&mut file).take(cap + 1).read_to_end(&mut bytes).map_err(failed)?;
        if Stamp::of(&file.metadata().map_err(failed)?) == before {
            return Ok((bytes, before));
        }
    }
    Err(Error::Busy { path: path.to_owned() })
}

/// Opens a regular file without waiting for anybody.
fn open(path: &Path) -> Result<(File, Stamp), Error> {
    let failed = |source| Error::io("read", path, source);
    let flags = (OFlags::NONBLOCK | OFlags::NOCTTY | OFlags::CLOEXEC).bits() as i32;
    let file = fs::OpenOptions::new().read(true).custom_flags(flags).open(path).map_err(failed)?;
    let metadata = file.metadata().map_err(failed)?;
    if !metadata.is_file() {
        let found = if metadata.is_dir() { "a folder" } else { "a pipe, socket or device" };
        return Err(Error::NotRegular { path: path.to_owned(), found });
    }
    let system = rustix::fs::fstatfs(&file).map_err(|errno| failed(errno.into()))?;
    if MADE_UP.contains(&(system.f_type as u64)) {
        return Err(Error::NotRegular { path: path.to_owned(), found: "a file of the kernel" });
    }
    Ok((file, Stamp::of(&metadata)))
}

/// The lines of a session that can matter to a handoff, about `cap` bytes of them.
fn session(file: File, stamp: Stamp, cap: u64) -> std::io::Result<(Vec<u8>, Stamp)> {
    let mut lines = BufReader::with_capacity(1 << 16, file.take(stamp.size));
    let (mut head, mut kept) = (Vec::new(), VecDeque::new());
    let mut held = 0;
    let mut line = Vec::new();
    while next_line(&mut lines, &mut line)? {
        if !handoff::matters_in_session(&line) {
            continue;
        }
        // The header stays, whatever is dropped for newer lines.
        if head.len() < 8 * 1024 && kept.is_empty() {
            head.extend_from_slice(&line);
            continue;
        }
        held += line.len() as u64;
        kept.push_back(std::mem::take(&mut line));
        while held > cap && kept.len() > 1 {
            held -= kept.pop_front().map_or(0, |line| line.len() as u64);
        }
    }
    kept.into_iter().for_each(|line| head.extend_from_slice(&line));
    Ok((head, stamp))
}

/// Reads a line; one that is longer than any handoff is cut, so that no line fills the memory.
fn next_line(lines: &mut impl BufRead, line: &mut Vec<u8>) -> std::io::Result<bool> {
    line.clear();
    let mut read = lines.take(LONGEST_LINE).read_until(b'\n', line)?;
    while read > 0 && !line.ends_with(b"\n") && line.len() as u64 >= LONGEST_LINE {
        // Cut: the rest of it is read over.
        let mut rest = Vec::new();
        read = lines.take(LONGEST_LINE).read_until(b'\n', &mut rest)?;
        if rest.ends_with(b"\n") {
            line.push(b'\n');
        }
    }
    Ok(!line.is_empty())
}

/// Writes a new file durably under a name that must be free.
///
/// # Errors
/// [`Error::Exists`] when the name is taken; nothing half-written is ever visible.
pub fn publish(folder: &Path, name: &str, bytes: &[u8]) -> Result<PathBuf, Error> {
    let path = folder.join(name);
    let failed = |source: std::io::Error| Error::io("write", &path, source);
    make_folder(folder)?;
    if !stands!(PublishUnnamed) {
        fs::write(&path, bytes).map_err(failed)?;
        return Ok(path);
    }
    let flags = OFlags::TMPFILE | OFlags::WRONLY | OFlags::CLOEXEC;
    match rustix::fs::open(folder, flags, Mode::RUSR | Mode::WUSR) {
        Ok(descriptor) => {
            let mut file = File::from(descriptor);
            file.write_all(bytes).map_err(failed)?;
            if stands!(PublishFlush) {
                file.sync_all().map_err(failed)?;
            }
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
    if stands!(PublishFolderFlush) {
        sync_folder(folder)?;
    }
    Ok(path)
}

/// Writes a private copy that nobody writes to again: a new file in a folder for its owner only, readable and nothing
/// else, durable before its path comes back.
///
/// # Errors
/// [`Error::Exists`] when the name is taken, or the disk's.
pub fn seal(folder: &Path, name: &Path, bytes: &[u8]) -> Result<PathBuf, Error> {
    make_folder(folder)?;
    let path = folder.join(name);
    let failed = |source: std::io::Error| match source.kind() {
        std::io::ErrorKind::AlreadyExists => Error::Exists { path: path.clone() },
        _ => Error::io("write", &path, source),
    };
    let mut file = fs::OpenOptions::new().write(true).create_new(true).mode(0o400).open(&path).map_err(failed)?;
    file.write_all(bytes).and_then(|()| file.sync_all()).map_err(failed)?;
    sync_folder(folder)?;
    Ok(path)
}

/// All bytes of a regular file.
fn whole(path: &Path) -> Result<Vec<u8>, Error> {
    read_as_it_is(path, u64::MAX - 1).map(|(bytes, _)| bytes)
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
