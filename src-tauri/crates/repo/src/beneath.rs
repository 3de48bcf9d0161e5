//! Opening what lies beneath a folder and nowhere else: a link may lead on inside it, never out of it, never through
//! `/proc`, never onto another file system. Pipes, sockets and devices are not opened for reading, and keep nobody
//! waiting.

use std::ffi::OsString;
use std::fs::File;
use std::path::{Path, PathBuf};

/// Which file a handle is open on.
pub(crate) type FileId = (u64, u64);

/// Opens a regular file by its path below a folder, or says in a few words why not.
pub(crate) fn open(root: &Path, path: &Path) -> Result<(File, Option<FileId>), String> {
    let file = imp::open(root, path, false).map_err(|error| match error.raw_os_error() {
        Some(code) if imp::leads_away(code) => "it leads out of the repository; it is not followed there".to_owned(),
        _ => format!("it cannot be opened: {error}"),
    })?;
    let meta = file.metadata().map_err(|error| format!("it cannot be opened: {error}"))?;
    if !meta.is_file() {
        return Err("it is not a regular file".into());
    }
    Ok((file, imp::id(&meta)))
}

/// Names in a folder below a folder, in no order. None when it is not there or leads away.
pub(crate) fn names(root: &Path, path: &Path) -> Vec<PathBuf> {
    imp::names(root, path).into_iter().map(PathBuf::from).collect()
}

#[cfg(target_os = "linux")]
mod imp {
    use super::*;
    use rustix::fs::{CWD, Dir, Mode, OFlags, ResolveFlags, openat, openat2};
    use rustix::io::Errno;
    use std::fs::Metadata;
    use std::io;
    use std::os::unix::ffi::OsStringExt;
    use std::os::unix::fs::MetadataExt;

    pub(super) fn open(root: &Path, path: &Path, is_folder: bool) -> io::Result<File> {
        let folder = openat(CWD, root, OFlags::PATH | OFlags::DIRECTORY | OFlags::CLOEXEC, Mode::empty())?;
        let kind = if is_folder { OFlags::DIRECTORY } else { OFlags::NONBLOCK | OFlags::NOCTTY };
        let flags = OFlags::RDONLY | OFlags::CLOEXEC | kind;
        let resolve = ResolveFlags::BENEATH | ResolveFlags::NO_MAGICLINKS | ResolveFlags::NO_XDEV;
        match openat2(&folder, path, flags, Mode::empty(), resolve) {
            // A kernel or a sandbox without that call: then no link at all, part by part.
            Err(Errno::NOSYS | Errno::PERM) => {
                let mut at = folder;
                let mut parts = path.components().peekable();
                while let Some(part) = parts.next() {
                    let flags = match parts.peek() {
                        Some(_) => OFlags::PATH | OFlags::DIRECTORY | OFlags::CLOEXEC,
                        None => flags,
                    };
                    at = openat(&at, part.as_os_str(), flags | OFlags::NOFOLLOW, Mode::empty())?;
                }
                Ok(File::from(at))
            }
            opened => Ok(File::from(opened?)),
        }
    }

    pub(super) fn leads_away(code: i32) -> bool {
        [Errno::XDEV, Errno::LOOP].iter().any(|errno| errno.raw_os_error() == code)
    }

    pub(super) fn names(root: &Path, path: &Path) -> Vec<OsString> {
        let Ok(folder) = open(root, path, true) else { return Vec::new() };
        let Ok(names) = Dir::read_from(&folder) else { return Vec::new() };
        let names = names.flatten().map(|entry| entry.file_name().to_bytes().to_vec());
        names.filter(|name| !matches!(name.as_slice(), b"." | b"..")).map(OsString::from_vec).collect()
    }

    pub(super) fn id(meta: &Metadata) -> Option<FileId> {
        Some((meta.dev(), meta.ino()))
    }
}

#[cfg(not(target_os = "linux"))]
mod imp {
    use super::*;
    use std::fs::{self, Metadata};
    use std::io;

    /// What stands for "it leads away" here, where no system call says so.
    const AWAY: i32 = i32::MAX;

    fn real(root: &Path, path: &Path) -> io::Result<PathBuf> {
        let real = fs::canonicalize(root.join(path))?;
        if real.starts_with(fs::canonicalize(root)?) { Ok(real) } else { Err(io::Error::from_raw_os_error(AWAY)) }
    }

    pub(super) fn open(root: &Path, path: &Path, _is_folder: bool) -> io::Result<File> {
        crate::plain::open_regular(&real(root, path)?)
    }

    pub(super) fn leads_away(code: i32) -> bool {
        code == AWAY
    }

    pub(super) fn names(root: &Path, path: &Path) -> Vec<OsString> {
        let Ok(names) = real(root, path).and_then(fs::read_dir) else { return Vec::new() };
        names.flatten().map(|entry| entry.file_name()).collect()
    }

    pub(super) fn id(_meta: &Metadata) -> Option<FileId> {
        None
    }
}
