//! The use cases against real files, real git and real databases, with a clock that the test moves.

mod archive;
mod decide;
mod lists;
mod revisions;
mod support;
mod triage;
