//! What the use cases answer with. These types cross to the window, the command line and JSON hosts as they
//! are (`api` re-exports them), so they are written once. Times are RFC 3339; ranges are bytes of the raw file.

mod gate;
mod lists;

pub use gate::{Answered, Checked, ClaimView, Claimed, Draft, Outcome, Published, QuestionView, ResumePreview};

use handoff::{Artifact, Decision, Finding, Format, Item, Provenance, Readable, Rejected, Safety, Section, Span, Tree};
use repo::Verdict;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use ts_rs::TS;

pub use lists::{Group, GroupKind, Hit, ListName, NotTriaged, Overview, Page, RepositoryView, SavedSearch, Triaged};

/// Where a handoff is in its life. Comes from the ledger alone.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
pub enum State {
    /// Waits for a person.
    Pending,
    /// A person approved it; good for a time and one resume.
    Approved,
    /// One executor holds it.
    Claimed,
    /// Its executor showed a sign of life.
    Running,
    /// Done, and checked.
    Verified,
    /// Done, as its executor says.
    Done,
    /// The executor failed.
    Failed,
    /// Sent back with a note.
    Returned,
    /// A person stopped it.
    Stopped,
    /// Its holder died or lapsed; a person looks.
    Interrupted,
    /// A person passed over it.
    Skipped,
    /// Too old to act on.
    Expired,
    /// A newer handoff of the same work replaces it.
    Superseded,
    /// The document is refused; never offered.
    Refused,
    /// The document is incomplete; never offered.
    Incomplete,
}

/// One row of a list.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
pub struct Row {
    /// The declared id or null.
    pub id: Option<String>,
    /// Short and stable; what a person types.
    pub handle: String,
    /// SHA-256 of the raw bytes, lowercase hex.
    pub rev: String,
    /// The file.
    pub path: String,
    /// Which reader read it.
    pub format: Format,
    /// How much was understood.
    pub readable: Readable,
    /// What a person recognises it by, one line: its title, or its objective where the title says no more than that it
    /// is a handoff, or its file's name.
    pub name: String,
    /// The title, when there is one.
    pub title: Option<String>,
    /// The objective.
    pub objective: Option<String>,
    /// Where it is in its life.
    pub state: State,
    /// Why it is there: `lapsed: HEAD moved`, `conflict`, the note of a return.
    pub state_reason: Option<String>,
    /// The repository's root folder.
    pub repo: Option<String>,
    /// The repository's short name for people.
    pub repo_name: Option<String>,
    /// The recorded branch.
    pub branch: Option<String>,
    /// The profile that found it (the first, when several did).
    pub profile: Option<String>,
    /// Who hands over.
    pub from: Option<String>,
    /// The agent program that wrote it: as the document says, else its profile's.
    pub agent: Option<String>,
    /// Who should take over.
    pub to: Option<String>,
    /// Why it changed hands.
    pub reason: Option<String>,
    /// When the limit resets.
    pub resets_at: Option<String>,
    /// When it was written.
    pub written_at: Option<String>,
    /// How that is known: `document`, `name`, `commit`, `file`.
    pub written_at_by: Option<String>,
    /// The verdict of the last look, when one was taken.
    pub verdict: Option<Verdict>,
    /// Commits ahead at the last look.
    pub ahead: Option<u32>,
    /// Plain words about it: `pointer`, `draft`, `empty`, `finished?`, `volatile place`, `conflict`.
    pub badges: Vec<String>,
    /// Whether it lies in the archive.
    pub archived: bool,
    /// Name of who holds it, while somebody does.
    pub held_by: Option<String>,
    /// Whether a supervisor of Fuda's holds it, so that it can be watched and stopped.
    pub supervised: bool,
    /// The start that waits for its time.
    pub start: Option<crate::start::WaitingStart>,
}

/// A file entry, folded or shown.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
pub struct EntryView {
    /// Its heading.
    pub heading: String,
    /// Its bytes.
    pub span: Span,
    /// Its date.
    pub at: Option<String>,
    /// Whether this one is shown.
    pub shown: bool,
    /// Its handle.
    pub handle: String,
}

/// The document as understood (`fuda show`).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
pub struct Detail {
    /// The declared id or null.
    pub id: Option<String>,
    /// Short and stable.
    pub handle: String,
    /// SHA-256 of the raw bytes.
    pub rev: String,
    /// Which revision this is under this identity, from 1.
    pub rev_number: u32,
    /// The file.
    pub path: String,
    /// Every place that holds the same bytes under this identity.
    pub places: Vec<String>,
    /// Bytes of the file.
    #[ts(type = "number")]
    pub bytes: u64,
    /// How much was understood.
    pub readable: Readable,
    /// For refused, incomplete and not a handoff: why.
    pub readable_reason: Option<String>,
    /// Where it is in its life.
    pub state: State,
    /// Why it is there.
    pub state_reason: Option<String>,
    /// The note of the person who approved or returned it last.
    pub note: Option<String>,
    /// Until when an approval is good.
    pub approved_until: Option<String>,
    /// Who holds it now.
    pub claim: Option<ClaimView>,
    /// How the last run ended.
    pub outcome: Option<Outcome>,
    /// The entries of the file.
    pub entries: Vec<EntryView>,
    /// What reader, linter and scan noticed.
    pub findings: Vec<Finding>,
    /// Which reader.
    pub format: Format,
    /// The format's version.
    pub version: Option<u32>,
    /// The title.
    pub title: Option<String>,
    /// The objective.
    pub objective: Option<String>,
    /// The status as written.
    pub status: Option<String>,
    /// Where the single fields stand: `title`, `objective`, `status`.
    pub spans: BTreeMap<String, Span>,
    /// What must stay true.
    pub constraints: Vec<Item>,
    /// What was checked.
    pub facts: Vec<Item>,
    /// What was not.
    pub unverified: Vec<Item>,
    /// Traps.
    pub hazards: Vec<Item>,
    /// What was decided.
    pub decisions: Vec<Decision>,
    /// What not to propose again.
    pub rejected: Vec<Rejected>,
    /// Settled work.
    pub done: Vec<Item>,
    /// The queue.
    pub next: Vec<Item>,
    /// Questions.
    pub open: Vec<Item>,
    /// References.
    pub artifacts: Vec<Artifact>,
    /// Repositories as recorded.
    pub trees: Vec<Tree>,
    /// The boundary.
    pub safety: Safety,
    /// Who and when, as claimed.
    pub provenance: Provenance,
    /// What the writer left out.
    pub omitted: Vec<Item>,
    /// Everything else, verbatim.
    pub extra: Vec<Section>,
    /// Where a pointer points.
    pub points_to: Vec<String>,
    /// The list's view of it.
    pub row: Row,
    /// The folder that a person bound it to.
    pub binding: Option<String>,
    /// Items that a person re-checked at this revision and tree, such as `facts/0`.
    pub rechecked: Vec<String>,
    /// Whether the file can be edited in place; when not, why.
    pub read_only: Option<String>,
    /// Whether the file changed within the last moments and may still be written.
    pub settling: bool,
}

/// One revision seen under an identity.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
pub struct RevisionView {
    /// SHA-256 of the raw bytes.
    pub rev: String,
    /// When it was first seen.
    pub seen_at: String,
    /// `agent`, `person` or `unknown`.
    pub by: String,
    /// Its size.
    #[ts(type = "number")]
    pub bytes: u64,
    /// Whether its bytes are kept.
    pub kept: bool,
}

/// A line of a difference.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
pub struct DiffLine {
    /// `same`, `added` or `removed`.
    pub kind: String,
    /// Line number before, from 1.
    pub old: Option<u32>,
    /// Line number after, from 1.
    pub new: Option<u32>,
    /// The line in pieces; `true` marks what changed within it.
    pub pieces: Vec<(bool, String)>,
}

/// A difference, in runs of lines with their surroundings.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, TS)]
pub struct Diff {
    /// Runs, each with up to three lines around it.
    pub hunks: Vec<Vec<DiffLine>>,
    /// Lines added.
    pub added: u32,
    /// Lines removed.
    pub removed: u32,
}

/// A piece of raw text: drawn as it is, or as a named mark where it could not be seen.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
pub struct Piece {
    /// The text, or the mark such as `U+202E`.
    pub text: String,
    /// Whether this is a mark.
    pub hidden: bool,
}

/// A line of the raw file.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
pub struct RawLine {
    /// From 1.
    pub number: u32,
    /// Its bytes without the line end.
    pub span: Span,
    /// What is drawn.
    pub pieces: Vec<Piece>,
}

/// The raw file, line by line.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
pub struct Raw {
    /// Lines, cut after 20,000.
    pub lines: Vec<RawLine>,
    /// How many there are.
    pub total_lines: u32,
    /// `utf-8`, `utf-8 with byte-order mark`, `utf-16`, `utf-8 with invalid bytes`.
    pub encoding: String,
    /// `lf`, `crlf`, `mixed`.
    pub line_ends: String,
}

/// Something that a person must acknowledge before approving.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
pub struct Acknowledgement {
    /// The code that `--ack` takes.
    pub code: String,
    /// What it says, with the figures of now.
    pub message: String,
    /// Items or paths it is about.
    pub about: Vec<String>,
}

/// What an approval would bind, and what it asks for (the approve dialog).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
pub struct ApprovalPreview {
    /// The handle.
    pub handle: String,
    /// The revision that would be bound.
    pub rev: String,
    /// Its number.
    pub rev_number: u32,
    /// Its size.
    #[ts(type = "number")]
    pub bytes: u64,
    /// The branch that would be bound.
    pub branch: Option<String>,
    /// The commit that would be bound.
    pub head: Option<String>,
    /// Its subject.
    pub head_subject: Option<String>,
    /// The tree in words: `2 modified, 1 untracked`.
    pub tree: Option<String>,
    /// Digest of the tree's fingerprint; empty without a repository.
    pub fingerprint: String,
    /// The folder that is bound.
    pub folder: Option<String>,
    /// Hash of the block that would be handed over.
    pub block_hash: String,
    /// The block, with hidden characters made visible.
    pub block: Vec<RawLine>,
    /// What must be acknowledged.
    pub acknowledgements: Vec<Acknowledgement>,
    /// Checks that passed: `Same branch`, `No merge or rebase in progress`.
    pub passed: Vec<String>,
    /// The cold-start test.
    pub lint: Vec<Finding>,
    /// What could not be drawn as text, or is hidden.
    pub hidden: Vec<Finding>,
    /// What stops an approval altogether, in one sentence each.
    pub blocked: Vec<String>,
    /// After a lapse: what differs from the approval before, and nothing else.
    pub changed_since_approval: Vec<String>,
    /// After a lapse: codes that were acknowledged with the approval before and say the same now.
    pub acknowledged_before: Vec<String>,
    /// Until when it would be good.
    pub good_until: String,
    /// Whether the tree changed within the last moments.
    pub still_changing: bool,
}

/// What came of an edit.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
pub struct Edited {
    /// The handle (a new one when a canonical copy was published).
    pub handle: String,
    /// The revision before.
    pub base: String,
    /// The revision now.
    pub rev: String,
    /// The file that was written.
    pub path: String,
    /// What it changed.
    pub diff: Diff,
    /// Where the boundary allows the model more, one sentence each.
    pub widened: Vec<String>,
    /// Why the edit goes into a canonical copy that supersedes the file; none when the file itself is edited.
    pub copy_because: Option<String>,
    /// Set when somebody else saved in between: both versions are kept.
    pub conflict: Option<Conflict>,
}

/// A foreign save met by an edit.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
pub struct Conflict {
    /// The revision the edit was made on.
    pub base: String,
    /// The revision on disk.
    pub theirs: String,
    /// Who wrote it, as far as known.
    pub theirs_by: String,
    /// When it was written.
    pub theirs_at: Option<String>,
    /// Where your version is kept.
    pub kept_at: String,
    /// Theirs against the base.
    pub theirs_diff: Diff,
    /// Yours against the base.
    pub yours_diff: Diff,
    /// Fields that both changed.
    pub both_changed: Vec<String>,
}

/// An edit that was tried out and not written.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, TS)]
pub struct EditPreview {
    /// What it would change.
    pub diff: Diff,
    /// Where the boundary would allow the model more.
    pub widened: Vec<String>,
    /// Why the edit goes into a canonical copy that supersedes the file; none when the file itself is edited.
    pub copy_because: Option<String>,
    /// Set when the file on disk is no longer the base.
    pub conflict: Option<Conflict>,
}

/// A profile with what was seen of it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
pub struct ProfileView {
    /// Its name.
    pub name: String,
    /// The agent program.
    pub agent: String,
    /// Folders, as written.
    pub roots: Vec<String>,
    /// Globs on top of the known names.
    pub include: Vec<String>,
    /// Globs left out.
    pub exclude: Vec<String>,
    /// Handoffs found in it.
    pub handoffs: u32,
    /// What is wrong with it: a missing folder, no permission.
    pub problems: Vec<String>,
    /// When its usage limit resets, as the newest handoff of it says.
    pub resets_at: Option<String>,
    /// Whether a program can be started under it: its agent's own, or the one that it names.
    pub starts: bool,
    /// For a proposal: how it was found.
    pub found_by: Option<String>,
}

/// Progress of long work.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Progress {
    /// It began.
    Started {
        /// What it does.
        what: String,
    },
    /// It goes on.
    Step {
        /// Units done.
        done: u32,
        /// Units in all, when known.
        total: Option<u32>,
        /// What it is at.
        at: Option<String>,
    },
    /// It ended well.
    Finished {
        /// In one sentence.
        message: String,
    },
    /// It was cancelled; what was done so far is kept.
    Cancelled,
    /// It failed.
    Failed {
        /// Why, and what to do.
        message: String,
    },
}

/// What a scan found (`fuda index`).
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, TS)]
pub struct Indexed {
    /// Files looked at.
    pub files: u32,
    /// Handoffs among them.
    pub handoffs: u32,
    /// Refused documents.
    pub refused: u32,
    /// Incomplete documents.
    pub incomplete: u32,
    /// Files with a handoff's name and another meaning.
    pub not_handoffs: u32,
    /// What could not be read.
    pub problems: Vec<Problem>,
    /// Milliseconds taken.
    #[ts(type = "number")]
    pub took_ms: u64,
}

/// A file or folder that could not be read.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
pub struct Problem {
    /// Which.
    pub path: String,
    /// Why, and what to do.
    pub message: String,
}

/// One event of the ledger for people.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
pub struct LedgerEvent {
    /// Its number.
    #[ts(type = "number")]
    pub seq: u64,
    /// When.
    pub at: String,
    /// What: `approved`, `returned`, `edited`, ….
    pub kind: String,
    /// The handle it is about.
    pub handle: Option<String>,
    /// The revision it is about.
    pub rev: Option<String>,
    /// Who: `person`, `agent`, a name.
    pub actor: String,
    /// Its note or reason.
    pub note: Option<String>,
}

/// The answer to a decision.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
pub struct Decided {
    /// The handle.
    pub handle: String,
    /// The state now.
    pub state: State,
    /// Why.
    pub state_reason: Option<String>,
    /// The ledger's event.
    #[ts(type = "number")]
    pub seq: u64,
}

/// What a person may choose.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
pub struct SettingsView {
    /// `system`, `light` or `dark`.
    pub theme: String,
    /// `auto`, `en` or `ja`.
    pub language: String,
    /// Whether single letters act in the window.
    pub single_keys: bool,
    /// Whether to notify of what arrives.
    pub notifications: bool,
    /// Whether to notify when a run ends or asks.
    pub run_notifications: bool,
    /// Whether the window keeps an icon in the tray.
    pub tray: bool,
    /// Days after which a handoff starts in the archive.
    pub archive_after_days: u32,
    /// Hours for which an approval is good.
    pub approval_hours: u32,
    /// The file that they are kept in.
    pub path: String,
}
