//! The handoff document: one model however it was written down, a reader for each format, edits by byte
//! range, writing, rendering for a model, linting. Pure: no files, no clock, no git.
#![deny(missing_docs)]

mod dates;
mod formats;
pub mod headings;
mod mention;
mod model;
mod pointer;
mod prose;
mod read;
mod source;
mod trees;

pub use dates::{DateBy, ordering_date};
pub use mention::{Mention, MentionKind, mentions};
pub use model::*;
pub use read::{read, revision};
