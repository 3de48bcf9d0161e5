//! What can go wrong with what is kept. Every error names the file, what was found, and what to do.

use std::io;
use std::path::{Path, PathBuf};

/// An error of this crate.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// A setting that cannot have this value.
    #[error("{key} cannot be {found}; it is {expected}")]
    Setting {
        /// Which.
        key: String,
        /// As given.
        found: String,
        /// What it may be.
        expected: String,
    },
    /// SQLite refused.
    #[error("could not {operation} {}: {source}{}", path.display(), hint_of(source, path))]
    Database {
        /// What was tried.
        operation: &'static str,
        /// Which database.
        path: PathBuf,
        /// Why.
        source: rusqlite::Error,
    },
    /// The disk refused.
    #[error("could not {operation} {}: {source}{}", path.display(), hint(source))]
    Io {
        /// What was tried.
        operation: &'static str,
        /// Which file or folder.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// Another process did not give a lock back.
    #[error("{} was held{} for {waited_s} s. Nothing was written; wait for that program or end it, then try again", path.display(), by(holder))]
    Locked {
        /// The lock file.
        path: PathBuf,
        /// Who holds it, where the system tells.
        holder: Option<String>,
        /// For how long it was waited for.
        waited_s: u64,
    },
    /// The ledger belongs to a newer program.
    #[error("{} was written by a newer Fuda. It is read, not written; update this program", path.display())]
    NewerLedger {
        /// The ledger.
        path: PathBuf,
    },
    /// The mirror knows more than the database.
    #[error("{} holds {mirror} events and the ledger only {database}. The ledger lost events or is an old copy; run fuda audit --verify", path.display())]
    LedgerBehind {
        /// The mirror.
        path: PathBuf,
        /// Its last event.
        mirror: i64,
        /// The database's last event.
        database: i64,
    },
    /// The ledger's file is damaged.
    #[error("{} is damaged. What is shown comes from its mirror and nothing is written; run fuda doctor", path.display())]
    DamagedLedger {
        /// The ledger.
        path: PathBuf,
    },
    /// Another file stands where the ledger was opened.
    #[error("{} was replaced while it was open. Nothing was written; start this program again", path.display())]
    ReplacedLedger {
        /// The ledger.
        path: PathBuf,
    },
    /// A ledger that needs no mirror was to be made again from it.
    #[error("{} is sound and has {events} events; it was not made again", path.display())]
    SoundLedger {
        /// The ledger.
        path: PathBuf,
        /// Its events.
        events: usize,
    },
    /// A mirror from which no ledger can be made.
    #[error("{} has no event that begins the chain, so the ledger cannot be made from it. Restore both from a backup", path.display())]
    NoMirror {
        /// The mirror.
        path: PathBuf,
    },
    /// A kept revision no longer has its hash.
    #[error("{} no longer has the bytes that its name says. Restore it from a backup or purge it", path.display())]
    DamagedRevision {
        /// The file.
        path: PathBuf,
    },
    /// `config.toml` cannot be read.
    #[error("{}: {message}. Correct the file; nothing was changed", path.display())]
    Config {
        /// The file.
        path: PathBuf,
        /// Line, column and what is wrong.
        message: String,
    },
    /// A profile that cannot be added or removed.
    #[error("{message}")]
    Profile {
        /// What is wrong and what to do.
        message: String,
    },
    /// Something is there already.
    #[error("{} is there already; nothing was overwritten", path.display())]
    Exists {
        /// The file.
        path: PathBuf,
    },
    /// Not a regular file.
    #[error("{} is {found}, not a regular file; it is not opened", path.display())]
    NotRegular {
        /// The path.
        path: PathBuf,
        /// What it is.
        found: &'static str,
    },
    /// The file kept changing while it was read.
    #[error("{} keeps changing while it is read. It is read again when it is quiet", path.display())]
    Busy {
        /// The file.
        path: PathBuf,
    },
    /// Watching could not begin.
    #[error("could not watch {}: {message}", path.display())]
    Watch {
        /// The folder.
        path: PathBuf,
        /// Why.
        message: String,
    },
}

impl Error {
    /// What the system or the database said, without a path and without a word of anybody's.
    pub fn cause(&self) -> Option<String> {
        match self {
            Self::Io { operation, source, .. } => Some(match source.raw_os_error() {
                Some(number) => format!("{operation}: errno {number}"),
                None => format!("{operation}: {}", source.kind()),
            }),
            Self::Database { operation, source, .. } => {
                Some(format!("{operation}: sqlite {:?}", source.sqlite_error().map(|error| error.extended_code)))
            }
            _ => None,
        }
    }

    pub(crate) fn io(operation: &'static str, path: &Path, source: io::Error) -> Self {
        Self::Io { operation, path: path.to_owned(), source }
    }

    pub(crate) fn database(operation: &'static str, path: &Path, source: rusqlite::Error) -> Self {
        Self::Database { operation, path: path.to_owned(), source }
    }
}

fn by(holder: &Option<String>) -> String {
    holder.as_deref().map_or_else(String::new, |holder| format!(" by {holder}"))
}

fn hint(source: &io::Error) -> &'static str {
    match source.kind() {
        io::ErrorKind::StorageFull => ". The disk is full: free some space and try again",
        io::ErrorKind::PermissionDenied => ". Check who may read and write it",
        io::ErrorKind::ReadOnlyFilesystem => ". The file system is read-only",
        _ => "",
    }
}

fn hint_of(source: &rusqlite::Error, path: &Path) -> &'static str {
    const FULL: &str = ". The disk is full: free some space and try again";
    let derived = path.file_name().is_some_and(|name| name == "index.db");
    match source.sqlite_error_code() {
        Some(rusqlite::ErrorCode::DiskFull) => FULL,
        // SQLite's shared memory cannot grow either, and that is all it says.
        Some(rusqlite::ErrorCode::SystemIoFailure | rusqlite::ErrorCode::CannotOpen) if is_full(path) => FULL,
        Some(rusqlite::ErrorCode::SystemIoFailure) => ". Check the disk",
        Some(rusqlite::ErrorCode::DatabaseBusy) => ". Another program holds it: try again",
        Some(rusqlite::ErrorCode::DatabaseCorrupt | rusqlite::ErrorCode::NotADatabase) if derived => {
            ". It is damaged and is made anew from the files: try again"
        }
        Some(rusqlite::ErrorCode::DatabaseCorrupt | rusqlite::ErrorCode::NotADatabase) => {
            ". The file is damaged: run fuda doctor"
        }
        _ => "",
    }
}

/// Whether the disk has no room for a page of shared memory.
fn is_full(path: &Path) -> bool {
    const ROOM: u64 = 64 * 1024;
    rustix::fs::statvfs(path.parent().unwrap_or(path))
        .is_ok_and(|disk| disk.f_bavail.saturating_mul(disk.f_frsize) < ROOM)
}
