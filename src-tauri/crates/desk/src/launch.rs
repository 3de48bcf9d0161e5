//! Starting an agent from an approved handoff: what will be started and how it is narrowed ([`plan`]), what it reports
//! ([`stream`]), and the process itself ([`run`]).
//!
//! The way of one start:
//! 1. [`plan::plan`] reads the launch command, the safety boundary and the person's own configuration of the agent. A
//!    command that widens is refused with the flag named; each rule of the boundary comes out with its grade. Nothing
//!    is started or written; what it returns is what a person is shown.
//! 2. [`run::start`] writes the plan's private files, hands the block to a keeper process, and returns a
//!    [`run::Running`]. The keeper seals the block in memory, starts the agent in a process group of its own and
//!    ends the whole group when its supervisor is gone.
//! 3. [`run::Running::watch`] tells what the agent reports, compares its start with the plan, and returns how it ended.
//!
//! **Architecture Invariant:** nothing of a document reaches an argument, an environment variable or the name of a
//! file. Arguments hold words of ours, paths of the run folder, and names that exist in the working tree; everything
//! else that a rule says goes into private files.

pub mod agent;
mod boundary;
mod command;
mod jsonc;
mod keep;
mod narrowing;
pub(crate) mod outside;
mod own;
pub mod plan;
mod probe;
pub mod run;
mod seal;
mod session_file;
pub mod stream;
mod vocabulary;
mod widening;

pub use agent::Agent;
pub use keep::{keep, replace_with};
pub use plan::{Asking, Deliver, EnvChange, Expected, Field, Grade, Plan, PrivateFile, Request, Rule, plan};
pub use probe::help_of;
pub use run::{Ended, Keeper, Output, Process, Reported, Running, Stopper, start};
pub use session_file::session_file;
pub use stream::{Session, Signal, Stream, StreamKind, verify_started};
pub(crate) use stream::{resets_at, resets_from_seconds, speaks_of_a_limit};
