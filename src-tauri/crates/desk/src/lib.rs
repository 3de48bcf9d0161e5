//! The use cases of Fuda in the words of its design: inbox, inspect, edit, decide, audit. Stands on `store`
//! (what is kept), `repo` (git then and now) and `handoff` (the document); knows no window and no terminal.
#![deny(missing_docs)]

mod approve;
pub mod arrivals;
mod check;
mod claim;
mod decide;
mod desk;
mod diff;
mod doctor;
mod draft;
mod edit;
mod error;
mod groups;
mod holder;
mod inbox;
mod index;
mod inspect;
mod journal;
pub mod launch;
mod lists;
mod marker;
mod outcome;
mod pointer;
mod profiles;
mod publish;
mod query;
mod resume;
mod run;
mod settings;
mod start;
pub mod state;
mod triage;
pub mod view;

pub use approve::Approve;
pub use claim::ClaimRequest;
pub use decide::{Decision, Mark};
pub use desk::{Caller, Desk, Options};
pub use doctor::{Check, Doctor};
pub use edit::EditRequest;
pub use error::Error;
pub use holder::Holder;
pub use inbox::Filter;
pub use inspect::Depth;
pub use journal::RunStep;
pub use outcome::Finish;
pub use publish::PublishRequest;
pub use resume::{HANDOFF, ResumeRequest, RunEvent, TOKEN_FILE, is_success};
pub use run::RunView;
pub use start::{StartOrder, Told, WaitingStart};
pub use triage::Triage;
