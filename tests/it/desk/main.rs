//! The use cases against real files, real git and real databases, with a clock that the test moves.

mod again;
mod archive;
mod arrivals;
mod badges;
mod decide;
mod editing;
mod entries;
mod groups;
mod holders;
mod lists;
mod looked;
mod order;
mod references;
mod revisions;
mod rules;
mod run_news;
mod settle;
mod since;
mod support;
mod triage;
