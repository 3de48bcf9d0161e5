//! What every host imports: one table of operations, its wire types, and errors as code and message.
#![deny(missing_docs)]

mod errors;
mod host;
mod operations;
mod supervise;
mod wire;

pub use desk::arrivals::{Arrivals, Notice};
pub use desk::launch::{Keeper, keep};
pub use desk::view;
pub use desk::{
    Approve, Caller, ClaimRequest, Decision, Depth, Desk, EditRequest, Filter, Finish, HANDOFF, HookInput, Hooked,
    Mark, Options, PublishRequest, RepositoryRules, ResumeRequest, RunEvent, RunNews, StartOrder, TOKEN_FILE,
    TrayWords, Triage, Waited, is_success,
};
pub use errors::{ApiError, exit_code};
pub use handoff::visible_text;
pub use host::{beginning, caller, default_root, now_ms, person_home};
pub use operations::{Call, OPERATIONS, Operation, call, noted};
pub use repo::run_worker;
pub use store::RunLock;
pub use store::config::AGENTS;
pub use store::watch::{Changed, Watch, Watching};
pub use supervise::{Attendant, supervise};
pub use wire::*;
