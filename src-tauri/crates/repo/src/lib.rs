//! Git now against git then: what a repository is at this moment beside what a handoff recorded, how the two
//! relate, and how fresh each claim still is. Reads only: after any number of looks `.git` is byte-identical,
//! and nothing that a repository configures is ever run.
#![deny(missing_docs)]

mod model;

pub use model::*;
