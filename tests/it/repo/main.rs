//! Real repositories, made by the scripts of `tests/repos` with the real git program, which is also the oracle.

mod approval;
mod claims;
mod commit_dates;
mod documents;
mod formats;
mod graph;
mod history;
mod hostile;
mod places;
mod random;
mod reports;
mod rules;
mod silent;
mod support;
mod table;
mod touched;
mod uncommitted;
mod working;
