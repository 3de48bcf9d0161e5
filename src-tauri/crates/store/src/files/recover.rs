//! Finishing swaps that ended half-way. A note names the temporary file before the exchange; whoever finds the note
//! later and nobody holding it looks at that file, and keeps what it does not know.

use super::swap::is_unfinished;
use super::{keep, whole};
use crate::ledger::Blobs;
use crate::{Error, Home, stands};
use std::ffi::OsString;
use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{ErrorKind, Read, Write};
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};
use uuid::Uuid;

/// A note about a swap under way, locked for as long as its writer lives.
pub(super) struct Note {
    path: PathBuf,
    _held: File,
}

impl Note {
    pub(super) fn write(home: &Home, temporary: &Path) -> Result<Self, Error> {
        let path = home.swaps().join(Uuid::now_v7().to_string());
        let failed = |source| Error::io("note a swap in", &path, source);
        let mut file = OpenOptions::new().write(true).create_new(true).mode(0o600).open(&path).map_err(failed)?;
        file.lock().map_err(failed)?;
        if stands!(EditNote) {
            file.write_all(temporary.as_os_str().as_bytes()).map_err(failed)?;
        }
        file.sync_all().map_err(failed)?;
        super::sync_folder(&home.swaps())?;
        Ok(Self { path, _held: file })
    }

    /// Nothing is left to look at. A note that stays is found empty-handed by the next start.
    pub(super) fn done(self) {
        fs::remove_file(&self.path).ok();
    }
}

/// A swap that ended half-way and was looked at.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Recovered {
    /// The temporary file it left.
    pub temporary: PathBuf,
    /// Where its bytes are kept now; absent when they were known, or were never whole.
    pub kept_at: Option<PathBuf>,
}

/// Looks at every swap that ended half-way: bytes that `blobs` knows and what was never written whole
/// go, unknown bytes are kept under `conflicts/`.
/// Swaps that are under way in another process are left alone. Harmless to repeat.
///
/// # Errors
/// When a file cannot be read, kept or removed; the note stays for the next time.
pub fn recover(home: &Home, blobs: &Blobs) -> Result<Vec<Recovered>, Error> {
    let folder = home.swaps();
    let mut recovered = Vec::new();
    if !stands!(EditRecover) {
        return Ok(recovered);
    }
    let entries = fs::read_dir(&folder).map_err(|source| Error::io("list", &folder, source))?;
    for entry in entries.flatten() {
        let note = entry.path();
        let failed = |source| Error::io("read", &note, source);
        let Some(mut file) = there(File::open(&note)).map_err(failed)? else { continue };
        match file.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => continue,
            Err(TryLockError::Error(error)) => return Err(failed(error)),
        }
        let mut path = Vec::new();
        file.read_to_end(&mut path).map_err(failed)?;
        if path.is_empty() {
            // Made and not yet locked: its writer is between two calls, or ended there and left nothing.
            continue;
        }
        // A power cut can leave zeros in a note. Its writer flushes it before it makes the file, so there is none.
        if path.first() == Some(&b'/') && !path.contains(&0) {
            recovered.extend(look(home, blobs, PathBuf::from(OsString::from_vec(path)))?);
        }
        there(fs::remove_file(&note)).map_err(|source| Error::io("remove", &note, source))?;
    }
    Ok(recovered)
}

fn look(home: &Home, blobs: &Blobs, temporary: PathBuf) -> Result<Vec<Recovered>, Error> {
    let mut recovered = Vec::new();
    // The second is the other name that a file system without exchange needs.
    for temporary in [temporary.clone(), temporary.with_extension("old")] {
        let removed = |source| Error::io("remove", &temporary, source);
        let Some(found) = there(fs::symlink_metadata(&temporary)).map_err(removed)? else { continue };
        let kept_at = if is_unfinished(&found) {
            None
        } else {
            let bytes = whole(&temporary)?;
            let known = blobs.get(&handoff::revision(&bytes)).is_ok_and(|kept| kept.is_some());
            if known { None } else { Some(keep(home, &bytes)?) }
        };
        fs::remove_file(&temporary).map_err(removed)?;
        recovered.push(Recovered { temporary, kept_at });
    }
    Ok(recovered)
}

/// None for what is not there.
fn there<T>(result: std::io::Result<T>) -> std::io::Result<Option<T>> {
    match result {
        Ok(found) => Ok(Some(found)),
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
        Err(error) => Err(error),
    }
}
