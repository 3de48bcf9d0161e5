//! What crosses of the gate: claims, what a resume would start, outcomes, drafts, what was published.

use super::{Acknowledgement, RawLine};
use serde::{Deserialize, Serialize};
use ts_rs::TS;

/// The answer to a claim: what the one executor needs, and nobody else.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
pub struct Claimed {
    /// The handle.
    pub handle: String,
    /// The revision that was approved.
    pub rev: String,
    /// The number of the claim. A later one has a higher one.
    #[ts(type = "number")]
    pub claim: u64,
    /// What the executor shows with every report.
    pub token: String,
    /// Its name.
    pub by: String,
    /// The rendered block, in a private file that does not change.
    pub block_path: String,
    /// The document as approved, likewise.
    pub document_path: String,
    /// The worktree that the approval binds.
    pub folder: Option<String>,
    /// Until when a lease lasts without a heartbeat.
    pub lease_until: Option<String>,
}

/// A claim as others see it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
pub struct ClaimView {
    /// Its number, for `fuda release`.
    #[ts(type = "number")]
    pub claim: u64,
    /// Who holds it.
    pub by: String,
    /// The profile, when it is one of ours.
    pub profile: Option<String>,
    /// Whether a supervisor holds it.
    pub supervised: bool,
    /// Since when.
    pub since: String,
    /// Until when its lease lasts.
    pub lease_until: Option<String>,
    /// Whether it was asked to stop.
    pub stopping: bool,
    /// The process.
    pub pid: u32,
    /// The log so far.
    pub log: Option<String>,
}

/// How a run ended: what a `finished` event says.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, TS)]
#[serde(default)]
pub struct Outcome {
    /// The number of the claim.
    #[ts(type = "number")]
    pub claim: i64,
    /// `verified`, `done`, `failed`, `returned`, `stopped`, `interrupted`.
    pub outcome: String,
    /// Who said so: the executor, or Fuda when the process ended.
    pub by: String,
    /// A note.
    pub note: Option<String>,
    /// Why, in a sentence: `exit status 1`, `usage limit`.
    pub because: Option<String>,
    /// The exit status, or the signal as a negative number.
    pub exit: Option<i32>,
    /// The log.
    pub log: Option<String>,
    /// The agent's own session.
    pub session: Option<String>,
    /// The file that holds it.
    pub session_file: Option<String>,
    /// When the limit resets, if one was met.
    pub resets_at: Option<String>,
    /// The tree at the end, in words.
    pub tree: Option<String>,
    /// What was touched outside the boundary, one sentence each.
    pub outside: Vec<String>,
    /// What was changed, one sentence each.
    pub changed: Vec<String>,
    /// What the check after the run said, when there was one.
    pub check: Option<Checked>,
}

/// What a verification command said.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, TS)]
#[serde(default)]
pub struct Checked {
    /// Program and arguments. No shell.
    pub command: Vec<String>,
    /// Whether it ended with 0.
    pub passed: bool,
    /// Its exit status; none when it could not be started or was ended.
    pub exit: Option<i32>,
    /// Why there is no exit status.
    pub because: Option<String>,
    /// Its output.
    pub log: Option<String>,
    /// How long it took.
    #[ts(type = "number")]
    pub took_ms: u64,
}

/// A question of a running agent that waits for a person.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
pub struct QuestionView {
    /// Its number, for the answer.
    #[ts(type = "number")]
    pub question: u64,
    /// The handoff that is worked on.
    pub handle: String,
    /// Who asks.
    pub by: String,
    /// The tool that it wants to use.
    pub tool: String,
    /// What it would do with it, as text.
    pub what: String,
    /// Since when it waits, RFC 3339.
    pub asked_at: String,
    /// Until when; then it is refused.
    pub until: String,
}

/// The answer to an agent's question.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct Answered {
    /// Whether it may.
    pub allow: bool,
    /// In the person's words, or why there are none.
    pub because: String,
}

/// The next handoff, drafted from one that came back.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
pub struct Draft {
    /// The handoff that it goes on from.
    pub handle: String,
    /// Canonical Markdown, to be edited and published.
    pub document: String,
    /// The folder to publish it for.
    pub folder: Option<String>,
}

/// What a resume would start.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
pub struct ResumePreview {
    /// The handle.
    pub handle: String,
    /// The name of the run that this shows: given back with the order, what is started is this to the byte.
    pub run: String,
    /// The profile.
    pub profile: String,
    /// Its agent.
    pub agent: String,
    /// Program and arguments. No shell.
    pub argv: Vec<String>,
    /// Where it runs.
    pub folder: String,
    /// Variables that are set or taken away, by name and with the reason.
    pub environment: Vec<String>,
    /// How the block reaches it.
    pub deliver: crate::launch::Deliver,
    /// The boundary, rule by rule, each with its grade.
    pub rules: Vec<crate::launch::Rule>,
    /// What a person should know before the start.
    pub notes: Vec<String>,
    /// Private files that are written for it.
    pub files: Vec<crate::launch::PrivateFile>,
    /// What must be acknowledged first.
    pub acknowledgements: Vec<Acknowledgement>,
    /// The exact block, line by line.
    pub block: Vec<RawLine>,
    /// When the writer's limit resets.
    pub resets_at: Option<String>,
    /// The command that is run afterwards and says whether the work is right; empty: none.
    pub verify: Vec<String>,
}

/// The answer to publishing.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
pub struct Published {
    /// The new id.
    pub id: String,
    /// Short and stable.
    pub handle: String,
    /// The file.
    pub path: String,
    /// SHA-256 of its bytes.
    pub rev: String,
    /// Pointers that were written for profiles that ask for them.
    pub pointers: Vec<String>,
    /// What the writer claimed and Fuda saw otherwise, one sentence each.
    pub claims: Vec<String>,
}
