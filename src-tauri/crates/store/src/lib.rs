//! What Fuda keeps: the person's configuration, handoff files on disk, `index.db` (derived, may be deleted),
//! `ledger.db` (precious, append-only), and watching. Knows documents through `handoff`; knows no git.
#![deny(missing_docs)]

pub mod config;
pub mod detect;
mod error;
pub mod files;
mod home;
pub mod index;
pub mod keep;
pub mod ledger;
mod lock;
pub mod log;
pub mod marker;
pub mod names;
mod row;
mod run_lock;
#[cfg(feature = "sabotage")]
pub mod sabotage;
mod scan;
mod search;
mod settle;
mod walk;
pub mod watch;

/// Whether a safeguard stands. It always does: in an ordinary build this is the word `true` and nothing else.
#[cfg(not(feature = "sabotage"))]
#[macro_export]
macro_rules! stands {
    ($safeguard:ident) => {
        true
    };
}

/// Whether a safeguard stands, in a build whose safeguards can be taken away.
#[cfg(feature = "sabotage")]
#[macro_export]
macro_rules! stands {
    ($safeguard:ident) => {
        $crate::sabotage::stands($crate::sabotage::Safeguard::$safeguard)
    };
}

pub use error::Error;
pub use home::Home;
pub use row::{handle, is_same_handoff, repository_of, row_of_file};
pub use run_lock::{RunLock, name_of};
pub use scan::{Scan, ScanReport};

/// Lowercase hexadecimal.
pub(crate) fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}
