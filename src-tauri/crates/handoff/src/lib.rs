//! The handoff document: one model however it was written down, a reader for each format, edits by byte
//! range, writing, rendering for a model, linting. Pure: no files, no clock, no git.
#![deny(missing_docs)]

mod model;

pub use model::*;
