//! The use cases of Fuda in the words of its design: inbox, inspect, edit, decide, audit. Stands on `store`
//! (what is kept), `repo` (git then and now) and `handoff` (the document); knows no window and no terminal.
#![deny(missing_docs)]

pub mod view;
