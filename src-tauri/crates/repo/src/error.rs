//! What can go wrong where an answer cannot carry it. Looks never fail; they answer `not_inspectable`.

use std::path::PathBuf;
use thiserror::Error;

/// A failure of this crate.
#[derive(Debug, Error)]
pub enum Error {
    /// A fingerprint was asked for and the handoff names no folder at all.
    #[error("fingerprint: the handoff names no folder and no file; choose a repository or folder for it")]
    NoFolder,
    /// The folder that a fingerprint should bind is not there.
    #[error("fingerprint of {path}: {why}; choose a repository for this handoff")]
    FolderGone {
        /// The folder as named.
        path: PathBuf,
        /// What was found instead.
        why: String,
    },
    /// The repository cannot be read safely.
    #[error("fingerprint of {path}: {why}")]
    NotInspectable {
        /// The folder.
        path: PathBuf,
        /// The reason, and what to do.
        why: String,
    },
    /// Git data could not be read.
    #[error("{operation} in {path}: {source}")]
    Git {
        /// What was being read.
        operation: &'static str,
        /// The repository.
        path: PathBuf,
        /// What libgit2 says.
        source: git2::Error,
    },
    /// The worker gave no answer in time, or none that can be used.
    #[error("worker for {operation}: {why}")]
    Worker {
        /// What was asked.
        operation: &'static str,
        /// What happened, and what follows.
        why: String,
    },
}
