//! The kernel lock of a supervised run. Whoever holds it is alive: the kernel gives it back when the holder ends,
//! however it ends, so no clock and no process number is asked.

use crate::{Error, Home};
use sha2::{Digest, Sha256};
use std::fs::{File, OpenOptions, TryLockError};
use std::os::unix::fs::{MetadataExt, OpenOptionsExt};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// A held lock. Given back when dropped; the file stays, because a lock file that is removed has two holders.
#[derive(Debug)]
pub struct RunLock {
    _file: File,
}

/// A look at the lock takes it for an instant; a holder that begins then tries again for this long.
const PATIENCE: Duration = Duration::from_secs(1);
const PAUSE: Duration = Duration::from_millis(20);

impl RunLock {
    /// Takes the lock of a handoff; `None` when somebody else holds it.
    ///
    /// # Errors
    /// When the lock file cannot be opened.
    pub fn take(home: &Home, identity: &str) -> Result<Option<Self>, Error> {
        Self::take_at(&path(home, identity, "run"))
    }

    /// Takes the lock of a start that waits for its time; `None` when another one waits.
    ///
    /// # Errors
    /// When the lock file cannot be opened.
    pub fn take_start(home: &Home, identity: &str) -> Result<Option<Self>, Error> {
        Self::take_at(&path(home, identity, "start"))
    }

    /// Whether somebody waits to start a handoff now.
    ///
    /// # Errors
    /// When the lock file cannot be opened.
    pub fn is_start_held(home: &Home, identity: &str) -> Result<bool, Error> {
        Ok(try_take(&path(home, identity, "start"))?.is_none())
    }

    fn take_at(path: &Path) -> Result<Option<Self>, Error> {
        let until = Instant::now() + PATIENCE;
        loop {
            match try_take(path)? {
                Some(file) => return Ok(Some(Self { _file: file })),
                None if Instant::now() >= until => return Ok(None),
                None => std::thread::sleep(PAUSE),
            }
        }
    }

    /// Whether somebody holds the lock of a handoff now.
    ///
    /// # Errors
    /// When the lock file cannot be opened.
    pub fn is_held(home: &Home, identity: &str) -> Result<bool, Error> {
        Ok(try_take(&path(home, identity, "run"))?.is_none())
    }
}

fn path(home: &Home, identity: &str, kind: &str) -> PathBuf {
    home.locks().join(format!("{}.{kind}", name_of(identity)))
}

/// A file name that stands for a handoff and tells nothing of it.
pub fn name_of(identity: &str) -> String {
    let mut name = crate::hex(&Sha256::digest(identity.as_bytes()));
    name.truncate(32);
    name
}

fn try_take(path: &Path) -> Result<Option<File>, Error> {
    let failed = |source| Error::io("lock", path, source);
    loop {
        let file =
            OpenOptions::new().create(true).truncate(false).write(true).mode(0o600).open(path).map_err(failed)?;
        match file.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => return Ok(None),
            Err(TryLockError::Error(source)) => return Err(failed(source)),
        }
        // A cleaner may have removed the file between the two calls; then this lock guards nothing.
        let there = std::fs::metadata(path).ok().map(|found| (found.dev(), found.ino()));
        let held = file.metadata().map_err(failed)?;
        if there == Some((held.dev(), held.ino())) {
            return Ok(Some(file));
        }
    }
}
