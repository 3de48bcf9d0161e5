//! Reading and writing handoff files of other programs: whole or not at all, and never over somebody's newer bytes.

mod recover;

use crate::home::{owner_only, private_folder};
use crate::{Error, Home};
use recover::Note;
use rustix::fs::{AtFlags, CWD, Mode, OFlags, RenameFlags};
use rustix::io::Errno;
use std::fs::{self, File};
use std::io::{Read, Write};
use std::os::fd::AsRawFd;
use std::os::unix::fs::{MetadataExt, OpenOptionsExt, PermissionsExt};
use std::path::{Path, PathBuf};

pub use recover::{Recovered, recover};

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

/// How the temporary files of an edit begin.
const PREFIX: &str = ".fuda-";
/// A temporary file that is younger may belong to an edit under way.
const LEFTOVER_MS: i64 = 24 * 3_600_000;

/// Whether a name is that of an edit's temporary file.
pub(crate) fn is_temporary(name: &str) -> bool {
    name.starts_with(PREFIX) && (name.ends_with(".tmp") || name.ends_with(".old"))
}

/// Moves a temporary file that an edit left behind to `conflicts/`: after a crash it may hold somebody's only copy.
/// One that may still be in use stays. Tells where the bytes are now.
pub(crate) fn put_away(leftover: &Path, home: &Home, now_ms: i64) -> Result<Option<PathBuf>, Error> {
    let (bytes, stamp) = read(leftover, u64::MAX - 1)?;
    if now_ms - stamp.ctime_ns.div_euclid(1_000_000) < LEFTOVER_MS {
        return Ok(None);
    }
    let kept_at = keep(home, &bytes)?;
    fs::remove_file(leftover).map_err(|source| Error::io("remove", leftover, source))?;
    Ok(Some(kept_at))
}

/// Replaces a file's bytes when it still holds those of `base` (a revision). The exchange is atomic and what it
/// displaced is looked at, so that a foreign save in between loses nothing: the file then holds the foreign bytes
/// again. Symbolic links are followed, modes kept.
///
/// # Errors
/// The disk's; the file then holds its old bytes.
pub fn swap(path: &Path, base: &str, bytes: &[u8], home: &Home) -> Result<Swapped, Error> {
    swap_when(path, base, bytes, home, &|| {})
}

/// [`swap`], with something that happens between the look and the exchange.
fn swap_when(path: &Path, base: &str, bytes: &[u8], home: &Home, between: &dyn Fn()) -> Result<Swapped, Error> {
    let failed = |source: std::io::Error| Error::io("write", path, source);
    let target = fs::canonicalize(path).map_err(failed)?;
    let folder = target.parent().unwrap_or(Path::new("/")).to_owned();
    let current = whole(&target)?;
    if handoff::revision(&current) != base {
        return Ok(Swapped::Conflict { kept_at: keep(home, bytes)?, theirs: handoff::revision(&current) });
    }
    let mode = fs::metadata(&target).map_err(failed)?.permissions().mode();
    let mut file = tempfile::Builder::new().prefix(PREFIX).suffix(".tmp").tempfile_in(&folder).map_err(failed)?;
    file.write_all(bytes).map_err(failed)?;
    file.as_file().set_permissions(fs::Permissions::from_mode(mode & 0o7777)).map_err(failed)?;
    file.as_file().sync_all().map_err(failed)?;
    let note = Note::write(home, file.path())?;
    between();
    let outcome = match exchange(file.path(), &target) {
        Ok(()) => {
            // From here on the temporary name holds somebody's bytes: nothing removes it on its own.
            let (_, aside) = file.keep().map_err(|error| failed(error.error))?;
            settle(&target, &aside, base, bytes, home)?
        }
        Err(Errno::INVAL | Errno::NOSYS | Errno::OPNOTSUPP) => replace_linked(&target, base, bytes, home, file)?,
        Err(errno) => return Err(failed(errno.into())),
    };
    sync_folder(&folder)?;
    note.done();
    Ok(outcome)
}

fn exchange(one: &Path, other: &Path) -> rustix::io::Result<()> {
    rustix::fs::renameat_with(CWD, one, CWD, other, RenameFlags::EXCHANGE)
}

/// Looks at what the exchange displaced. A foreign save goes back to its place, and every version is kept before its
/// name is removed.
fn settle(target: &Path, aside: &Path, base: &str, bytes: &[u8], home: &Home) -> Result<Swapped, Error> {
    let failed = |source: std::io::Error| Error::io("write", target, source);
    let displaced = whole(aside)?;
    let theirs = handoff::revision(&displaced);
    if theirs == base {
        fs::remove_file(aside).map_err(failed)?;
        return Ok(Swapped::Done);
    }
    keep(home, &displaced)?;
    exchange(aside, target).map_err(|errno| failed(errno.into()))?;
    // What comes back is ours, or a third save.
    keep(home, &whole(aside)?)?;
    let kept_at = keep(home, bytes)?;
    fs::remove_file(aside).map_err(failed)?;
    Ok(Swapped::Conflict { kept_at, theirs })
}

/// For a file system without exchange: the old file keeps a second name until it is known to be the base's.
fn replace_linked(
    target: &Path,
    base: &str,
    bytes: &[u8],
    home: &Home,
    file: tempfile::NamedTempFile,
) -> Result<Swapped, Error> {
    let failed = |source: std::io::Error| Error::io("write", target, source);
    let aside = file.path().with_extension("old");
    fs::hard_link(target, &aside).map_err(failed)?;
    file.persist(target).map_err(|error| failed(error.error))?;
    let displaced = whole(&aside)?;
    let theirs = handoff::revision(&displaced);
    if theirs == base {
        fs::remove_file(&aside).map_err(failed)?;
        return Ok(Swapped::Done);
    }
    let kept_at = keep(home, bytes)?;
    fs::rename(&aside, target).map_err(failed)?;
    Ok(Swapped::Conflict { kept_at, theirs })
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

#[cfg(test)]
mod tests {
    use super::*;
    use std::cell::Cell;

    /// A home and a file that holds `base`.
    fn desk() -> (tempfile::TempDir, Home, PathBuf) {
        let folder = tempfile::tempdir().expect("a folder");
        let home = Home::open(&folder.path().join("home")).expect("a home");
        let file = folder.path().join("HANDOFF.md");
        fs::write(&file, "base").expect("written");
        (folder, home, file)
    }

    fn kept(home: &Home) -> Vec<Vec<u8>> {
        let entries = fs::read_dir(home.conflicts()).expect("listed").flatten();
        entries.map(|entry| fs::read(entry.path()).expect("read")).collect()
    }

    #[test]
    fn a_save_between_the_look_and_the_exchange_wins_and_ours_is_kept() {
        let (folder, home, file) = desk();
        let save = || fs::write(&file, "theirs").expect("saved");
        let outcome = swap_when(&file, &handoff::revision(b"base"), b"ours", &home, &save).expect("swapped");
        assert!(matches!(outcome, Swapped::Conflict { ref theirs, .. } if *theirs == handoff::revision(b"theirs")));
        assert_eq!(fs::read(&file).expect("read"), b"theirs");
        assert!(kept(&home).contains(&b"ours".to_vec()));
        let names: Vec<_> =
            fs::read_dir(folder.path()).expect("listed").flatten().map(|entry| entry.file_name()).collect();
        assert_eq!(names.len(), 2, "no temporary file is left: {names:?}");
    }

    #[test]
    fn a_file_renamed_over_the_target_in_between_is_not_lost() {
        let (folder, home, file) = desk();
        let other = folder.path().join("other");
        let once = Cell::new(true);
        let save = || {
            if once.replace(false) {
                fs::write(&other, "atomic").expect("written");
                fs::rename(&other, &file).expect("renamed");
            }
        };
        swap_when(&file, &handoff::revision(b"base"), b"ours", &home, &save).expect("swapped");
        assert_eq!(fs::read(&file).expect("read"), b"atomic");
        assert!(kept(&home).contains(&b"ours".to_vec()));
    }

    #[test]
    fn without_exchange_a_foreign_save_is_kept_too() {
        let (folder, home, file) = desk();
        let mut temporary = tempfile::NamedTempFile::new_in(folder.path()).expect("a file");
        temporary.write_all(b"ours").expect("written");
        fs::write(&file, "theirs").expect("saved");
        let outcome = replace_linked(&file, &handoff::revision(b"base"), b"ours", &home, temporary).expect("replaced");
        assert!(matches!(outcome, Swapped::Conflict { .. }));
        assert_eq!(fs::read(&file).expect("read"), b"theirs");
        assert!(kept(&home).contains(&b"ours".to_vec()));
    }
    #[test]
    fn what_a_crash_left_behind_is_put_away_once_it_is_old() {
        let (folder, home, _) = desk();
        let leftover = folder.path().join(".fuda-aB3.tmp");
        fs::write(&leftover, "the only copy").expect("written");
        let now = Stamp::of(&fs::metadata(&leftover).expect("there")).ctime_ns / 1_000_000;
        assert_eq!(put_away(&leftover, &home, now + LEFTOVER_MS - 1).expect("looked"), None);
        let kept_at = put_away(&leftover, &home, now + LEFTOVER_MS).expect("looked").expect("put away");
        assert_eq!(fs::read(kept_at).expect("read"), b"the only copy");
        assert!(!leftover.exists() && is_temporary(".fuda-aB3.tmp") && !is_temporary("fuda.tmp"));
    }

    /// A swap that ended right after its exchange, as a killed process leaves it.
    fn half_done(home: &Home, file: &std::path::Path, ours: &[u8]) -> PathBuf {
        let aside = file.with_file_name(".fuda-x.tmp");
        fs::write(&aside, ours).expect("written");
        drop(Note::write(home, &aside).expect("noted"));
        exchange(&aside, file).expect("exchanged");
        aside
    }

    #[test]
    fn a_swap_that_ended_half_way_keeps_the_bytes_that_nobody_knows() {
        let (_folder, home, file) = desk();
        fs::write(&file, "foreign").expect("saved");
        let aside = half_done(&home, &file, b"ours");
        let blobs = crate::ledger::Blobs::new(&home.blobs());
        let recovered = recover(&home, &blobs).expect("recovered");
        let kept_at = recovered[0].kept_at.clone().expect("kept");
        assert_eq!(fs::read(kept_at).expect("read"), b"foreign");
        assert!(!aside.exists());
        assert!(recover(&home, &blobs).expect("nothing left").is_empty());
    }

    #[test]
    fn a_swap_that_ended_half_way_drops_what_the_ledger_keeps() {
        let (_folder, home, file) = desk();
        let blobs = crate::ledger::Blobs::new(&home.blobs());
        blobs.put(b"base").expect("kept");
        let aside = half_done(&home, &file, b"ours");
        assert_eq!(recover(&home, &blobs).expect("recovered"), [Recovered { temporary: aside.clone(), kept_at: None }]);
        assert!(!aside.exists());
        assert_eq!(fs::read(&file).expect("read"), b"ours");
    }

    #[test]
    fn a_swap_under_way_is_left_alone() {
        let (folder, home, file) = desk();
        let aside = folder.path().join(".fuda-x.tmp");
        fs::write(&aside, "ours").expect("written");
        let note = Note::write(&home, &aside).expect("noted");
        let blobs = crate::ledger::Blobs::new(&home.blobs());
        assert!(recover(&home, &blobs).expect("looked").is_empty());
        assert!(aside.exists());
        note.done();
        assert_eq!(swap(&file, &handoff::revision(b"base"), b"ours", &home).expect("swapped"), Swapped::Done);
        assert_eq!(fs::read_dir(home.swaps()).expect("listed").count(), 0, "no note is left");
    }
}
