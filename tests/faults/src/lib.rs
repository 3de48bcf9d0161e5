//! Faults, done to the real program: kills before system calls, errors in their place, power cuts, races, drift, and
//! safeguards taken away. Each part says what it counted and what did not hold.
//!
//! The short form is a test of this package; the long form is the program `faults`, which writes `RESULTS.md`.

pub mod appends;
pub mod bench;
pub mod child;
pub mod claims;
pub mod drift;
pub mod edits;
pub mod errors;
pub mod limit;
pub mod power;
pub mod report;
pub mod results;
pub mod rpc;
pub mod sabotage;
pub mod strace;

mod kept;
pub mod kills;
pub mod model;

use std::path::{Path, PathBuf};

/// The programs that are under test or take part in it.
#[derive(Clone, Debug)]
pub struct Programs {
    /// `fuda`.
    pub fuda: PathBuf,
    /// This package's own program, for children that write while something happens to them.
    pub faults: PathBuf,
}

/// How much is done.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// A minute or two, with every build.
    Short,
    /// The figures of `RESULTS.md`.
    Long,
}

impl Form {
    /// One of two numbers.
    pub fn of<T>(self, short: T, long: T) -> T {
        match self {
            Self::Short => short,
            Self::Long => long,
        }
    }
}

impl Programs {
    /// `fuda` is what `FUDA_BIN` names, else the one that was built beside `faults`.
    ///
    /// # Errors
    /// When it is not there.
    pub fn beside(faults: &Path) -> anyhow::Result<Self> {
        let fuda = std::env::var_os("FUDA_BIN").map_or_else(|| faults.with_file_name("fuda"), PathBuf::from);
        anyhow::ensure!(fuda.is_file(), "{} is not there. Build it first: cargo build -p cli", fuda.display());
        Ok(Self { fuda, faults: faults.to_owned() })
    }
}

/// What of a part is done, when it is not all of it; the sabotage run aims so at what notices a safeguard.
pub(crate) fn only() -> Option<String> {
    std::env::var("FUDA_FAULTS_ONLY").ok().filter(|only| !only.is_empty())
}

/// Whether a safeguard is taken away: then the first break is enough.
pub(crate) fn is_sabotaged() -> bool {
    std::env::var_os("FUDA_SABOTAGE").is_some_and(|safeguard| !safeguard.is_empty())
}

/// A part.
#[derive(Clone, Copy)]
pub struct Part {
    /// Its name.
    pub name: &'static str,
    /// Does it.
    pub run: fn(&Programs, Form) -> report::Report,
}

/// Every part, in the order in which they are done.
pub const PARTS: &[Part] = &[
    Part { name: "kills", run: kills::run },
    Part { name: "claims", run: claims::run },
    Part { name: "appends", run: appends::run },
    Part { name: "model", run: model::run },
    Part { name: "errors", run: errors::run },
    Part { name: "drift", run: drift::run },
    Part { name: "edits", run: edits::run },
    Part { name: "power", run: power::run },
    Part { name: "sabotage", run: sabotage::run },
];

/// The parts of these names; all of them when none is named.
///
/// # Errors
/// When there is none of a name.
pub fn parts(named: &[&str]) -> anyhow::Result<Vec<Part>> {
    if named.is_empty() {
        return Ok(PARTS.to_vec());
    }
    let known = || PARTS.iter().map(|part| part.name).collect::<Vec<_>>().join(", ");
    named
        .iter()
        .map(|name| {
            let part = PARTS.iter().find(|part| part.name == *name).copied();
            part.ok_or_else(|| anyhow::anyhow!("there is no part {name:?}; the parts are {}", known()))
        })
        .collect()
}
