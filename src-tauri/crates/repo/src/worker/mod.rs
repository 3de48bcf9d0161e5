//! The worker: a process of its own that looks, and the client that asks it. libgit2 waits for ever on a mount
//! that never answers, and a thread cannot be stopped; a process can, or is abandoned.
//!
//! Protocol: one JSON value a line, a [`protocol::Request`] in, a [`protocol::Response`] out, in order.

mod client;
mod protocol;
mod serve;

pub use client::{DEFAULT_BUDGET, Worker};
pub use serve::{run, serve};
