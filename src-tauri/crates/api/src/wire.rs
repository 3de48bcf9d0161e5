//! Parameters of the operations. Answers are the use cases' own types.

use desk::view::{ListName, State};
use repo::Verdict;
use serde::{Deserialize, Serialize};
use store::config::Setting;
use ts_rs::TS;

/// No parameters.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, TS)]
#[serde(default)]
pub struct Nothing {}

/// One handoff.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
pub struct Id {
    /// Id, handle, a unique prefix, or a file.
    pub id: String,
}

/// A list.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, TS)]
#[serde(default)]
#[ts(optional_fields)]
pub struct ListParams {
    /// Which.
    pub list: ListName,
    /// Words to find and terms: `state:`, `repo:`, `branch:`, `profile:`, `agent:`, `is:`.
    pub query: Option<String>,
    /// A repository.
    pub repo: Option<String>,
    /// A profile.
    pub profile: Option<String>,
    /// A state.
    pub state: Option<State>,
    /// Rows passed over.
    pub offset: Option<u32>,
    /// Rows wanted.
    pub limit: Option<u32>,
    /// The inbox by repository, with its groups.
    pub grouped: Option<bool>,
}

/// A scan of every profile.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, TS)]
#[serde(default)]
#[ts(optional_fields)]
pub struct IndexParams {
    /// Files that a watch saw closed or renamed: they are whole and need no second look.
    pub whole: Option<Vec<String>>,
}

/// Words to find.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
#[ts(optional_fields)]
pub struct SearchParams {
    /// As typed.
    pub text: String,
    /// Hits wanted.
    pub limit: Option<u32>,
}

/// A look at a repository.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
#[ts(optional_fields)]
pub struct DriftParams {
    /// The handoff.
    pub id: String,
    /// Another folder than its own.
    pub repo: Option<String>,
    /// `glance` or `look`.
    pub depth: String,
}

/// Several handoffs.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
pub struct Handles {
    /// Their handles.
    pub handles: Vec<String>,
}

/// A glance at one of several.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
pub struct HandleVerdict {
    /// Which.
    pub handle: String,
    /// The verdict.
    pub verdict: Verdict,
    /// Commits ahead.
    pub ahead: u32,
}

/// Two revisions.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
pub struct DiffParams {
    /// The handoff.
    pub id: String,
    /// The earlier revision.
    pub from: String,
    /// The later one.
    pub to: String,
}

/// The block.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
pub struct Block {
    /// All of it.
    pub text: String,
    /// What was left out.
    pub cut: Vec<String>,
    /// The renderer's version.
    pub renderer: u32,
}

/// Edits on a revision.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
pub struct EditParams {
    /// The handoff.
    pub id: String,
    /// The revision they were made on.
    pub base: String,
    /// In the grammar of the command line.
    pub edits: Vec<String>,
}

/// A whole text on a revision.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
pub struct EditFileParams {
    /// The handoff.
    pub id: String,
    /// The revision it was made on.
    pub base: String,
    /// The text.
    pub text: String,
}

/// An approval.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
#[ts(optional_fields)]
pub struct ApproveParams {
    /// The handoff.
    pub id: String,
    /// The revision that was looked at.
    pub rev: String,
    /// Codes acknowledged.
    pub ack: Vec<String>,
    /// A note.
    pub note: Option<String>,
    /// The digest of the tree that was looked at.
    pub fingerprint: Option<String>,
}

/// A decision.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
#[ts(optional_fields)]
pub struct NoteParams {
    /// The handoff.
    pub id: String,
    /// A note.
    pub note: Option<String>,
}

/// A mark.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
pub struct MarkParams {
    /// The handoff.
    pub id: String,
    /// `done`, `failed`, `resumed`, `superseded`.
    #[serde(rename = "as")]
    pub mark: String,
}

/// An item.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
pub struct ItemParams {
    /// The handoff.
    pub id: String,
    /// Such as `facts/0`.
    pub item: String,
}

/// A binding.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
pub struct BindParams {
    /// The handoff.
    pub id: String,
    /// The folder; null takes the binding away.
    pub repo: Option<String>,
}

/// The archive.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
pub struct ArchiveParams {
    /// The handoff.
    pub id: String,
    /// In or out.
    pub archived: bool,
}

/// One act on many handoffs: those that are named, or without a name those that a query finds.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, TS)]
#[serde(default)]
#[ts(optional_fields)]
pub struct TriageParams {
    /// `skip`, `supersede`, `expire`, `archive`, `unarchive`.
    #[serde(rename = "as")]
    pub what: String,
    /// Ids, handles or files.
    pub ids: Vec<String>,
    /// In the language of lists; looked for in `list`.
    pub query: Option<String>,
    /// Which list the query narrows.
    pub list: Option<ListName>,
    /// A note.
    pub note: Option<String>,
}

/// An act to take back.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
pub struct UndoParams {
    /// The token that the act answered with.
    pub token: String,
}

/// A search to save.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
pub struct SearchSaveParams {
    /// Its name; one of that name is replaced.
    pub name: String,
    /// In the language of lists.
    pub query: String,
}

/// Handing over by hand.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
pub struct HandedOverParams {
    /// The handoff.
    pub id: String,
    /// `block` or `path`.
    pub how: String,
}

/// What was handed over.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
pub struct HandedOver {
    /// The block or the path.
    pub text: String,
}

/// A profile to add.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
#[ts(optional_fields)]
pub struct ProfileParams {
    /// Its name.
    pub name: String,
    /// Its agent.
    pub agent: String,
    /// Its folders.
    pub roots: Vec<String>,
    /// Globs on top of the known names.
    pub include: Option<Vec<String>>,
    /// Globs left out.
    pub exclude: Option<Vec<String>>,
}

/// A profile's name.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
pub struct NameParams {
    /// The name.
    pub name: String,
}

/// The ledger's events.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, TS)]
#[serde(default)]
#[ts(optional_fields)]
pub struct HistoryParams {
    /// Of one handoff.
    pub id: Option<String>,
    /// Events wanted.
    pub limit: Option<u32>,
}

/// What verification found.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
pub struct Verified {
    /// Whether everything adds up.
    pub ok: bool,
    /// What does not.
    pub problems: Vec<String>,
    /// The last hash.
    pub head: String,
    /// How many events.
    pub events: u32,
}

/// Whether an approval still holds.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
pub struct Holds {
    /// What differs; empty when it holds or there is none.
    pub differences: Vec<String>,
}

/// Settings to change; what is left out stays.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, TS)]
#[serde(default)]
#[ts(optional_fields)]
pub struct SettingsParams {
    /// `system`, `light` or `dark`.
    pub theme: Option<String>,
    /// `auto`, `en` or `ja`.
    pub language: Option<String>,
    /// Whether single letters act in the window.
    pub single_keys: Option<bool>,
    /// Whether to notify of what arrives.
    pub notifications: Option<bool>,
    /// Whether to notify when a run ends or asks.
    pub run_notifications: Option<bool>,
    /// Whether the window keeps an icon in the tray.
    pub tray: Option<bool>,
    /// Days after which a handoff starts in the archive.
    pub archive_after_days: Option<u32>,
    /// Hours for which an approval is good.
    pub approval_hours: Option<u32>,
}

impl SettingsParams {
    pub(crate) fn changes(self) -> Vec<(&'static str, Setting)> {
        [
            ("theme", self.theme.map(Setting::Word)),
            ("language", self.language.map(Setting::Word)),
            ("single_keys", self.single_keys.map(Setting::Switch)),
            ("notifications", self.notifications.map(Setting::Switch)),
            ("run_notifications", self.run_notifications.map(Setting::Switch)),
            ("tray", self.tray.map(Setting::Switch)),
            ("archive_after_days", self.archive_after_days.map(Setting::Number)),
            ("approval_hours", self.approval_hours.map(Setting::Number)),
        ]
        .into_iter()
        .filter_map(|(key, setting)| Some((key, setting?)))
        .collect()
    }
}

/// Who claims what.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, TS)]
pub struct ClaimParams {
    /// The handoff.
    pub id: String,
    /// The executor's name.
    pub by: String,
    /// Seconds of the lease.
    #[serde(default)]
    #[ts(optional)]
    pub lease_seconds: Option<u32>,
    /// Codes acknowledged.
    #[serde(default)]
    pub ack: Vec<String>,
}

/// A holder's report.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
pub struct TokenParams {
    /// The handoff.
    pub id: String,
    /// What the claim gave.
    pub token: String,
}

/// A holder's last report.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
pub struct FinishParams {
    /// The handoff.
    pub id: String,
    /// What the claim gave.
    pub token: String,
    /// `verified`, `done`, `failed` or `returned`.
    pub outcome: String,
    /// What the next one should know.
    #[serde(default)]
    #[ts(optional)]
    pub note: Option<String>,
    /// A file whose bytes are kept as the log.
    #[serde(default)]
    #[ts(optional)]
    pub log: Option<String>,
}

/// The end of a claim whose holder is gone.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
pub struct ReleaseParams {
    /// The handoff.
    pub id: String,
    /// The number of the claim.
    #[ts(type = "number")]
    pub claim: i64,
    /// Why.
    pub note: String,
}

/// A document to publish.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
pub struct PublishParams {
    /// The canonical file or Handoff JSON.
    pub document: String,
    /// The folder whose repository it is about.
    pub folder: String,
}

/// A person's answer to a running agent.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
#[ts(optional_fields)]
pub struct AnswerParams {
    /// The number of the question.
    #[ts(type = "number")]
    pub question: u64,
    /// Whether it may.
    pub allow: bool,
    /// A word to the agent.
    pub note: Option<String>,
}

/// A start.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, TS)]
pub struct ResumeParams {
    /// The handoff.
    pub id: String,
    /// The profile under which the agent runs.
    pub profile: String,
    /// The command instead of the profile's.
    #[serde(default)]
    pub command: Vec<String>,
    /// Codes acknowledged.
    #[serde(default)]
    pub ack: Vec<String>,
    /// The check after the run instead of the profile's; empty: none.
    #[serde(default)]
    #[ts(optional)]
    pub verify: Option<Vec<String>>,
    /// The name of the run that a person was shown, from the preview: then what is started is that to the byte.
    #[serde(default)]
    #[ts(optional)]
    pub run: Option<String>,
}

/// A start by a supervisor that lives on without the window.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, TS)]
pub struct StartParams {
    /// The handoff.
    pub id: String,
    /// The profile under which the agent runs.
    pub profile: String,
    /// The command instead of the profile's.
    #[serde(default)]
    pub command: Vec<String>,
    /// Codes acknowledged.
    #[serde(default)]
    pub ack: Vec<String>,
    /// The check after the run instead of the profile's; empty: none.
    #[serde(default)]
    #[ts(optional)]
    pub verify: Option<Vec<String>>,
    /// The name of the run that a person was shown, from the preview: then what is started is that to the byte.
    #[serde(default)]
    #[ts(optional)]
    pub run: Option<String>,
    /// Whether it waits for the limit's reset.
    #[serde(default)]
    pub at_reset: bool,
}
