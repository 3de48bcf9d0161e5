//! Real agents, long form: the agents' own programs from npm, started by `fuda resume` on a model server of this
//! machine. Run by `cargo xtask agents`, which writes what was seen; ignored in the ordinary run.

#![allow(dead_code, reason = "the model knows more than every test asks of it")]

mod bench;
mod hooks;
mod installed;
mod mcp;
mod model;
mod opencode;
mod outcomes;
mod questions;
mod refusals;
#[path = "../it/cli/support.rs"]
mod support;
