//! The bytes that decisions were about, kept by their hash.

use crate::Error;
use sha2::{Digest, Sha256};
use std::fs;
use std::io::Write;
use std::os::unix::fs::DirBuilderExt;
use std::path::{Path, PathBuf};

/// A folder of files named by the SHA-256 of their bytes.
pub struct Blobs {
    folder: PathBuf,
}

impl Blobs {
    pub(super) fn new(folder: &Path) -> Self {
        Self { folder: folder.to_owned() }
    }

    /// Keeps the bytes and returns their hash. They are durable when this returns.
    ///
    /// # Errors
    /// When the disk refuses; nothing half-written stays under the hash.
    pub fn put(&self, bytes: &[u8]) -> Result<String, Error> {
        let hash = crate::hex(&Sha256::digest(bytes));
        let path = self.path(&hash);
        if path.exists() {
            return Ok(hash);
        }
        let folder = path.parent().unwrap_or(&self.folder);
        let failed = |source| Error::io("keep a revision in", folder, source);
        fs::DirBuilder::new().recursive(true).mode(0o700).create(folder).map_err(failed)?;
        let mut file = tempfile::NamedTempFile::new_in(folder).map_err(failed)?;
        file.write_all(bytes).map_err(failed)?;
        file.as_file().sync_all().map_err(failed)?;
        file.persist(&path).map_err(|error| failed(error.error))?;
        fs::File::open(folder).and_then(|folder| folder.sync_all()).map_err(failed)?;
        Ok(hash)
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
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(None),
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
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(false),
            Err(error) => Err(Error::io("remove a kept revision", &path, error)),
        }
    }

    fn path(&self, hash: &str) -> PathBuf {
        // A hash that is too short to have a prefix names a file that is never there.
        self.folder.join(hash.get(..2).unwrap_or("00")).join(hash)
    }
}
