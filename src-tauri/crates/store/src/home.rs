//! `FUDA_HOME`: one folder that holds everything, for its owner only.

use crate::Error;
use std::fs::{self, DirBuilder};
use std::os::unix::fs::{DirBuilderExt, OpenOptionsExt, PermissionsExt};
use std::path::{Path, PathBuf};

/// The folder that holds everything Fuda keeps.
#[derive(Clone, Debug)]
pub struct Home {
    root: PathBuf,
}

impl Home {
    /// Opens the folder and creates what is missing, 0700 whatever the umask.
    ///
    /// # Errors
    /// When a folder cannot be created or is not ours to write.
    pub fn open(root: &Path) -> Result<Self, Error> {
        let home = Self { root: root.to_owned() };
        let folders =
            [root.to_owned(), home.blobs(), home.conflicts(), home.locks(), home.handoffs(), home.swaps(), home.runs()];
        for folder in folders.into_iter().chain([home.root.join("logs")]) {
            let failed = |source| Error::io("create", &folder, source);
            DirBuilder::new().recursive(true).mode(0o700).create(&folder).map_err(failed)?;
            let mode = fs::metadata(&folder).map_err(failed)?.permissions().mode();
            if mode & 0o077 != 0 {
                fs::set_permissions(&folder, fs::Permissions::from_mode(0o700)).map_err(failed)?;
            }
        }
        // SQLite gives its side files the mode that the database has, so the databases are made here.
        for file in [home.index(), home.ledger(), home.mirror()] {
            private_file(&file)?;
        }
        Ok(home)
    }

    /// The folder itself.
    pub fn root(&self) -> &Path {
        &self.root
    }
    /// `config.toml`.
    pub fn config(&self) -> PathBuf {
        self.root.join("config.toml")
    }
    /// `index.db`, derived.
    pub fn index(&self) -> PathBuf {
        self.root.join("index.db")
    }
    /// `ledger.db`, precious.
    pub fn ledger(&self) -> PathBuf {
        self.root.join("ledger.db")
    }
    /// `ledger.jsonl`, the ledger's mirror.
    pub fn mirror(&self) -> PathBuf {
        self.root.join("ledger.jsonl")
    }
    /// Kept revisions.
    pub fn blobs(&self) -> PathBuf {
        self.root.join("blobs")
    }
    /// Versions that met a foreign save.
    pub fn conflicts(&self) -> PathBuf {
        self.root.join("conflicts")
    }
    /// Notes about swaps under way.
    pub fn swaps(&self) -> PathBuf {
        self.root.join("swaps")
    }
    /// Lock files, never removed.
    pub fn locks(&self) -> PathBuf {
        self.root.join("locks")
    }
    /// A private folder for each claim: the sealed block, the document as approved, the log.
    pub fn runs(&self) -> PathBuf {
        self.root.join("runs")
    }

    /// What was published through Fuda.
    pub fn handoffs(&self) -> PathBuf {
        self.root.join("handoffs")
    }
}

/// Creates an empty file for its owner only, whatever the umask. One that is there is not opened: closing a database
/// behind SQLite's back would drop its locks.
pub(crate) fn private_file(path: &Path) -> Result<(), Error> {
    match fs::OpenOptions::new().write(true).create_new(true).mode(0o600).open(path) {
        Ok(file) => {
            file.set_permissions(fs::Permissions::from_mode(0o600)).map_err(|source| Error::io("protect", path, source))
        }
        Err(error) if error.kind() == std::io::ErrorKind::AlreadyExists => owner_only(path),
        Err(error) => Err(Error::io("create", path, error)),
    }
}

/// Creates a folder and those above it for their owner only. Those that are there stay as they are.
pub(crate) fn private_folder(path: &Path) -> Result<(), Error> {
    DirBuilder::new().recursive(true).mode(0o700).create(path).map_err(|source| Error::io("create", path, source))
}

/// Makes a file readable and writable for its owner only, when it exists.
pub(crate) fn owner_only(path: &Path) -> Result<(), Error> {
    match fs::metadata(path) {
        Ok(found) if found.permissions().mode() & 0o077 != 0 => {
            fs::set_permissions(path, fs::Permissions::from_mode(0o600))
                .map_err(|source| Error::io("protect", path, source))
        }
        _ => Ok(()),
    }
}
