//! Git now against git then: what a repository is at this moment beside what a handoff recorded, how the two
//! relate, and how fresh each claim still is. Reads only: after any number of looks `.git` is byte-identical,
//! and nothing that a repository configures is ever run.
//!
//! [`glance`] and [`look`] answer in this process. Hosts ask through [`Worker`], which runs them in a process of
//! its own with a budget, so that a repository that makes libgit2 wait for ever costs a sentence and not a window.
#![deny(missing_docs)]

mod beneath;
mod changes;
mod commit_dates;
mod commit_graph;
mod content;
mod contradictions;
mod differences;
mod drift;
mod error;
mod fingerprint;
mod freshness;
mod glance;
mod handoff_path;
mod history;
mod ignored;
mod index;
mod look;
mod model;
mod open;
mod pattern;
mod place;
mod plain;
mod question;
mod recorded;
mod relation;
mod rules;
mod scan;
mod snapshot;
mod staged;
mod stat;
mod status;
mod submodule;
mod successors;
mod taken;
mod text;
mod touched;
mod trees;
mod untracked;
mod verdict;
mod watching;
mod worker;

pub use commit_dates::commit_dates;
pub use differences::differences;
pub use error::Error;
pub use fingerprint::{Fingerprint, PathPrint, RepositoryPrint, TreePrint, fingerprint};
pub use glance::glance;
pub use handoff_path::is_handoff_path;
pub use look::look;
pub use model::*;
pub use open::use_home;
pub use question::{Budget, Question};
pub use rules::{Rules, RulesFile, rules};
pub use touched::{
    Beginning, MovedBy, RefKind, RefMove, References, RunCommit, Touched, TouchedPath, TreeTouched, beginning,
    touched_since,
};
pub use watching::watch_paths;
pub use worker::{DEFAULT_BUDGET, Worker, run as run_worker, serve};
