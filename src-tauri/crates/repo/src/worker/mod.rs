//! The worker: a process of its own that looks, and the client that asks it. libgit2 waits for ever on a mount
//! that never answers, and a thread cannot be stopped; a process can, or is abandoned.
//!
//! Protocol: one JSON value a line, a [`protocol::Request`] in, a [`protocol::Response`] out, in order. Before its
//! answer a look says what a glance gave, so that this much is known when the rest takes too long.

mod client;
mod protocol;
mod serve;

pub use client::{DEFAULT_BUDGET, Worker};
pub use serve::{run, serve};
