//! The bytes that decisions were about and that were seen, kept by their hash.

use crate::home::{owner_only, private_folder};
use crate::{Error, stands};
use sha2::{Digest, Sha256};
use std::collections::HashSet;
use std::fs::{self, File};
use std::io::{ErrorKind, Write};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, SystemTime};

/// How the name of a file begins whose bytes are still being written.
const UNFINISHED: &str = ".tmp";
/// One that is older belongs to nobody any more.
const LEFTOVER: Duration = Duration::from_secs(24 * 3_600);

/// Above this many at once, one flush of the file system is cheaper than one a file.
const MANY: usize = 16;

/// A folder of files named by the SHA-256 of their bytes.
pub struct Blobs {
    folder: PathBuf,
    /// Bytes of all files, counted once and carried on; none before that. Another process may have added some: the
    /// quota is a measure, not a promise.
    total: Mutex<Option<u64>>,
}

/// A file in the folder.
struct Kept {
    path: PathBuf,
    /// Its name.
    hash: String,
    bytes: u64,
    since: SystemTime,
}

impl Blobs {
    pub(crate) fn new(folder: &Path) -> Self {
        Self { folder: folder.to_owned(), total: Mutex::default() }
    }

    /// Keeps the bytes and returns their hash. They are durable when this returns.
    ///
    /// # Errors
    /// When the disk refuses; nothing half-written stays under the hash.
    pub fn put(&self, bytes: &[u8]) -> Result<String, Error> {
        self.put_one(bytes, true)
    }

    /// Keeps several and returns how many bytes are new. They are durable when this returns.
    ///
    /// # Errors
    /// When the disk refuses; what was kept before it did may stay.
    pub fn put_all(&self, all: &[Vec<u8>]) -> Result<u64, Error> {
        let mut added = 0;
        for bytes in all {
            if !self.holds(&crate::hex(&Sha256::digest(bytes)), bytes) {
                added += bytes.len() as u64;
                self.put_one(bytes, all.len() <= MANY)?;
            }
        }
        if all.len() > MANY {
            let failed = |source| Error::io("flush", &self.folder, source);
            let folder = File::open(&self.folder).map_err(failed)?;
            rustix::fs::syncfs(&folder).map_err(|errno| failed(errno.into()))?;
        }
        Ok(added)
    }

    fn put_one(&self, bytes: &[u8], flush: bool) -> Result<String, Error> {
        let hash = crate::hex(&Sha256::digest(bytes));
        let path = self.path(&hash);
        let folder = path.parent().unwrap_or(&self.folder);
        if !self.holds(&hash, bytes) {
            let failed = |source| Error::io("keep a revision in", folder, source);
            if !folder.is_dir() {
                private_folder(folder)?;
                sync(&self.folder, flush)?;
            }
            let mut file = tempfile::Builder::new().prefix(UNFINISHED).tempfile_in(folder).map_err(failed)?;
            file.write_all(bytes).map_err(failed)?;
            if flush && stands!(BlobFlush) {
                file.as_file().sync_all().map_err(failed)?;
            }
            file.persist(&path).map_err(|error| failed(error.error))?;
            owner_only(&path)?;
        }
        // Also for one that is there: its name may be another process's and not durable yet.
        sync(folder, flush)?;
        Ok(hash)
    }

    /// Whether exactly these bytes are kept. A file that a power cut left empty is none.
    fn holds(&self, hash: &str, bytes: &[u8]) -> bool {
        fs::read(self.path(hash)).is_ok_and(|kept| kept == bytes)
    }

    /// Whether anything is kept under a hash.
    pub fn has(&self, hash: &str) -> bool {
        self.path(hash).exists()
    }

    /// How many bytes are kept under a hash.
    pub(crate) fn size(&self, hash: &str) -> Option<u64> {
        fs::metadata(self.path(hash)).ok().map(|found| found.len())
    }

    /// The bytes under a hash; none when they were never kept or were purged.
    ///
    /// # Errors
    /// When they are there and cannot be read, or no longer have this hash.
    pub fn get(&self, hash: &str) -> Result<Option<Vec<u8>>, Error> {
        let path = self.path(hash);
        match fs::read(&path) {
            Ok(bytes) if crate::hex(&Sha256::digest(&bytes)) == hash => Ok(Some(bytes)),
            Ok(_) => Err(Error::DamagedRevision { path }),
            Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
            Err(error) => Err(Error::io("read a kept revision", &path, error)),
        }
    }

    /// Removes the bytes under a hash. Returns whether there were any.
    ///
    /// # Errors
    /// When they are there and cannot be removed.
    pub fn purge(&self, hash: &str) -> Result<bool, Error> {
        let path = self.path(hash);
        match fs::remove_file(&path) {
            Ok(()) => Ok(true),
            Err(error) if error.kind() == ErrorKind::NotFound => Ok(false),
            Err(error) => Err(Error::io("remove a kept revision", &path, error)),
        }
    }

    /// Bytes that are kept in all, after `added` more were.
    pub(crate) fn total_bytes(&self, added: u64) -> u64 {
        let mut total = self.total.lock().unwrap_or_else(PoisonError::into_inner);
        let now = match *total {
            Some(before) => before + added,
            None => self.files().map(|one| one.bytes).sum(),
        };
        *total = Some(now);
        now
    }

    /// Removes those that `first` names and then the oldest until at most `quota_bytes` are kept, and leaves those that
    /// `needed` names whatever they take. Returns how many were removed. What a killed process left half-written goes too, after a day.
    ///
    /// # Errors
    /// When one cannot be removed.
    pub fn trim(&self, quota_bytes: u64, needed: &HashSet<String>, first: &HashSet<String>) -> Result<u32, Error> {
        let (mut kept, unfinished): (Vec<Kept>, Vec<Kept>) =
            self.files().partition(|one| !one.hash.starts_with(UNFINISHED));
        for one in unfinished.iter().filter(|one| one.since.elapsed().is_ok_and(|age| age > LEFTOVER)) {
            fs::remove_file(&one.path).map_err(|source| Error::io("remove", &one.path, source))?;
        }
        let mut total: u64 = kept.iter().map(|one| one.bytes).sum();
        kept.sort_by_key(|one| (!first.contains(&one.hash), one.since));
        let mut removed = 0;
        for one in kept {
            if total <= quota_bytes {
                break;
            }
            if !needed.contains(&one.hash) {
                fs::remove_file(&one.path).map_err(|source| Error::io("remove a kept revision", &one.path, source))?;
                total -= one.bytes;
                removed += 1;
            }
        }
        *self.total.lock().unwrap_or_else(PoisonError::into_inner) = Some(total);
        Ok(removed)
    }

    fn files(&self) -> impl Iterator<Item = Kept> + use<> {
        let folders = fs::read_dir(&self.folder).into_iter().flatten().flatten();
        let files = folders.flat_map(|folder| fs::read_dir(folder.path()).into_iter().flatten().flatten());
        files.filter_map(|entry| {
            let metadata = entry.metadata().ok()?;
            let hash = entry.file_name().into_string().ok()?;
            let since = metadata.modified().ok()?;
            let ours = hash.len() == 64 || hash.starts_with(UNFINISHED);
            ours.then(|| Kept { path: entry.path(), hash, bytes: metadata.len(), since })
        })
    }

    /// Where the bytes under a hash are kept, when they are.
    pub fn path(&self, hash: &str) -> PathBuf {
        // A name that is no hash stands for a file that is never there; no separator gets into the path.
        let hash = if hash.bytes().all(|byte| byte.is_ascii_hexdigit()) { hash } else { "none" };
        self.folder.join(hash.get(..2).unwrap_or("00")).join(hash)
    }
}

fn sync(folder: &Path, flush: bool) -> Result<(), Error> {
    if !flush || !stands!(BlobFolderFlush) {
        return Ok(());
    }
    File::open(folder).and_then(|folder| folder.sync_all()).map_err(|source| Error::io("flush", folder, source))
}
