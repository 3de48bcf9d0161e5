//! The one model of a handoff, whatever format it came from.
//!
//! Every item keeps the byte range it was read from, so that the window can point at it and an edit can
//! touch it and nothing else. Ranges are half-open, count bytes of the raw file (a byte-order mark
//! included) and lie on character boundaries. Reading never fails on content: readers return the best
//! document they can and a list of findings.

use serde::{Deserialize, Serialize};
use ts_rs::TS;

/// A half-open byte range in the raw file. Serialised as `[from, to]`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize, TS)]
#[serde(from = "(usize, usize)", into = "(usize, usize)")]
#[ts(type = "[number, number]")]
pub struct Span {
    /// First byte.
    pub from: usize,
    /// One past the last byte.
    pub to: usize,
}

impl Span {
    /// The range `from..to`.
    pub fn new(from: usize, to: usize) -> Self {
        Self { from, to }
    }
    /// The length in bytes.
    pub fn len(self) -> usize {
        self.to.saturating_sub(self.from)
    }
    /// Whether the range covers no byte.
    pub fn is_empty(self) -> bool {
        self.len() == 0
    }
    /// The same range as the standard library writes it.
    pub fn range(self) -> std::ops::Range<usize> {
        self.from..self.to
    }
}

impl From<(usize, usize)> for Span {
    fn from((from, to): (usize, usize)) -> Self {
        Self { from, to }
    }
}

impl From<Span> for (usize, usize) {
    fn from(span: Span) -> Self {
        (span.from, span.to)
    }
}

/// The format that a document was read as.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
pub enum Format {
    /// Handoff JSON, version 1 or 2.
    HandoffJson,
    /// Fuda's own canonical Markdown file.
    Canonical,
    /// Markdown as people and agents write it.
    Markdown,
    /// JSON of another tool, read by its keys.
    ForeignJson,
    /// YAML of another tool, read by its keys.
    Yaml,
    /// A session of the pi family that carries a handoff.
    Session,
    /// None of these.
    Unknown,
}

/// How much of a document could be understood.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
pub enum Readable {
    /// Everything was understood or is kept verbatim in `extra`.
    Full,
    /// Something could not be read; a finding says what. Shown and offered with care.
    Partial,
    /// An unknown version or an unknown key in a known version: shown, never resumable.
    Refused,
    /// Still being written or truncated: shown, never offered, read again when it changes.
    Incomplete,
    /// The name is a handoff's, the content is not.
    NotAHandoff,
}

/// A piece of text with its place.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct Text {
    /// The text, Markdown markers of the container removed, line ends as `\n`.
    pub text: String,
    /// Where it stands in the raw file; absent for text that was made, not read.
    #[serde(default)]
    pub span: Option<Span>,
}

impl Text {
    /// Text that was made here and stands in no file.
    pub fn made(text: impl Into<String>) -> Self {
        Self { text: text.into(), span: None }
    }
}

/// How an item got into its field.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
pub enum Found {
    /// It stands under a heading, label, tag or key of that field.
    #[default]
    Heading,
    /// A sentence elsewhere says so. Shown apart from those under a heading.
    Prose,
}

/// The state of a piece of work.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
pub enum ItemState {
    /// Not begun.
    Open,
    /// Begun.
    InProgress,
    /// Waits for something.
    Blocked,
    /// Settled.
    Done,
    /// Given up or struck through.
    Dropped,
}

/// One entry of a list field.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct Item {
    /// What it says, without list marker, check box and evidence.
    pub text: String,
    /// The whole item in the raw file, from the first byte after the list marker and check box to the end of
    /// its last line (without the line end); what an edit replaces.
    #[serde(default)]
    pub span: Option<Span>,
    /// Heading or prose.
    #[serde(default)]
    pub found: Found,
    /// State of work: set for `done` and `next`, where a mark says so elsewhere.
    #[serde(default)]
    pub state: Option<ItemState>,
    /// What a fact rests on: a file, a commit, a command and its result. Absent: the fact is a claim.
    #[serde(default)]
    pub evidence: Option<String>,
    /// A certainty or other mark as written (`UNCONFIRMED`, `ASSUMPTION`, `proposed`, a date).
    #[serde(default)]
    pub mark: Option<String>,
    /// The heading, label or key under which it stood, as written.
    #[serde(default)]
    pub under: Option<String>,
}

impl Item {
    /// An item that was made here and stands in no file.
    pub fn made(text: impl Into<String>) -> Self {
        Self { text: text.into(), ..Self::default() }
    }
}

/// A decision and its reason.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct Decision {
    /// What was decided.
    pub what: String,
    /// Why, when it says so.
    #[serde(default)]
    pub why: Option<String>,
    /// What else was considered.
    #[serde(default)]
    pub alternatives: Vec<String>,
    /// When, as written or RFC 3339.
    #[serde(default)]
    pub at: Option<String>,
    /// The whole item; see [`Item::span`].
    #[serde(default)]
    pub span: Option<Span>,
    /// Heading or prose.
    #[serde(default)]
    pub found: Found,
    /// A certainty mark as written.
    #[serde(default)]
    pub mark: Option<String>,
}

/// Something that must not be proposed again.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct Rejected {
    /// What was rejected.
    pub what: String,
    /// Why, when it says so.
    #[serde(default)]
    pub why: Option<String>,
    /// The whole item; see [`Item::span`].
    #[serde(default)]
    pub span: Option<Span>,
    /// Heading or prose.
    #[serde(default)]
    pub found: Found,
}

/// A reference to something that exists outside the document. Never its contents.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct Artifact {
    /// A name for people.
    pub name: String,
    /// `file`, `directory`, `commit`, `branch`, `pull_request`, `url`, `session`, or as written.
    #[serde(default)]
    pub kind: Option<String>,
    /// The path, hash or address as written.
    #[serde(rename = "ref")]
    pub reference: String,
    /// The whole item; see [`Item::span`].
    #[serde(default)]
    pub span: Option<Span>,
    /// A remark beside it.
    #[serde(default)]
    pub note: Option<String>,
}

/// One repository as the document recorded it. Everything here is a claim.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct Tree {
    /// The name it is given when several are recorded.
    #[serde(default)]
    pub name: Option<String>,
    /// The repository's root folder or name, as written.
    #[serde(default)]
    pub root: Option<Text>,
    /// The worktree's path, as written.
    #[serde(default)]
    pub worktree: Option<Text>,
    /// The branch, absent when detached.
    #[serde(default)]
    pub branch: Option<Text>,
    /// Whether it says that HEAD was detached.
    #[serde(default)]
    pub detached: bool,
    /// The commit, 7 to 64 hexadecimal digits.
    #[serde(default)]
    pub head: Option<Text>,
    /// The subject that stands beside the commit.
    #[serde(default)]
    pub subject: Option<Text>,
    /// The status in the document's words ("clean", "2 modified, 1 untracked", porcelain lines).
    #[serde(default)]
    pub status: Option<Text>,
    /// Paths that the document lists as changed or untracked.
    #[serde(default)]
    pub changed: Vec<Text>,
    /// The diff stat in the document's words.
    #[serde(default)]
    pub diff: Option<Text>,
}

/// What may be done without a person, what needs one, what never.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct Safety {
    /// Without asking.
    #[serde(default)]
    pub may: Vec<Item>,
    /// Needs a person's word.
    #[serde(default)]
    pub ask: Vec<Item>,
    /// Not at all.
    #[serde(default)]
    pub never: Vec<Item>,
}

/// Who wrote it, when, and why they stopped. Everything here is a claim.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct Provenance {
    /// The agent program.
    #[serde(default)]
    pub agent: Option<String>,
    /// The profile it ran in.
    #[serde(default)]
    pub profile: Option<String>,
    /// The model.
    #[serde(default)]
    pub model: Option<String>,
    /// The session's id.
    #[serde(default)]
    pub session: Option<String>,
    /// Turns taken.
    #[serde(default)]
    #[ts(type = "number | null")]
    pub turns: Option<u64>,
    /// When it was written, as written: RFC 3339, a date, or a time without a zone.
    #[serde(default)]
    pub written_at: Option<String>,
    /// When the work or document was begun, when a second time says so.
    #[serde(default)]
    pub created_at: Option<String>,
    /// Why it changed hands.
    #[serde(default)]
    pub reason: Option<String>,
    /// When the limit resets.
    #[serde(default)]
    pub resets_at: Option<String>,
    /// The profile or agent that hands over.
    #[serde(default)]
    pub from: Option<String>,
    /// The profile or agent that should take over.
    #[serde(default)]
    pub to: Option<String>,
    /// The handoff before this one.
    #[serde(default)]
    pub parent: Option<String>,
    /// The working directory.
    #[serde(default)]
    pub cwd: Option<String>,
}

impl Provenance {
    /// The value under a key as the canonical file and Handoff JSON name it; none for other keys and for `turns`,
    /// which is a number.
    pub(crate) fn text_mut(&mut self, key: &str) -> Option<&mut Option<String>> {
        Some(match key {
            "agent" => &mut self.agent,
            "profile" => &mut self.profile,
            "model" => &mut self.model,
            "session" => &mut self.session,
            "cwd" => &mut self.cwd,
            "written_at" => &mut self.written_at,
            "created_at" => &mut self.created_at,
            "reason" => &mut self.reason,
            "resets_at" => &mut self.resets_at,
            "from" => &mut self.from,
            "to" => &mut self.to,
            "parent" => &mut self.parent,
            _ => return None,
        })
    }
}

/// A section or key that is no known field, verbatim.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct Section {
    /// Heading or key as written.
    pub heading: String,
    /// The content as written (for JSON and YAML: the value's source).
    pub text: String,
    /// Heading and content.
    #[serde(default)]
    pub span: Option<Span>,
}

/// How grave a finding is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
pub enum Severity {
    /// Worth knowing.
    Info,
    /// Look at it before approving.
    Warning,
    /// Stops a resume.
    Error,
}

/// Something that a reader, the linter or the scan noticed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct Finding {
    /// How grave.
    pub severity: Severity,
    /// A stable kebab-case code, such as `front-matter-unreadable`.
    pub code: String,
    /// What was expected, what was found, what to do.
    pub message: String,
    /// The place, when there is one.
    #[serde(default)]
    pub span: Option<Span>,
}

impl Finding {
    /// A finding without a place.
    pub fn new(severity: Severity, code: impl Into<String>, message: impl Into<String>) -> Self {
        Self { severity, code: code.into(), message: message.into(), span: None }
    }
    /// The same finding at a place.
    pub fn at(mut self, span: Span) -> Self {
        self.span = Some(span);
        self
    }
}

/// One handoff as understood.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct Handoff {
    /// The id it declares.
    pub id: Option<String>,
    /// The format's version, where it has one.
    pub version: Option<u32>,
    /// The title.
    pub title: Option<Text>,
    /// The end state that the user wants.
    pub objective: Option<Text>,
    /// The status as written.
    pub status: Option<Text>,
    /// What must stay true.
    pub constraints: Vec<Item>,
    /// What was checked. One without evidence is a claim.
    pub facts: Vec<Item>,
    /// Assumed, guessed, proposed, not looked at yet.
    pub unverified: Vec<Item>,
    /// Traps and known issues.
    pub hazards: Vec<Item>,
    /// What was decided and why.
    pub decisions: Vec<Decision>,
    /// What not to propose again.
    pub rejected: Vec<Rejected>,
    /// Settled work.
    pub done: Vec<Item>,
    /// The queue, in order.
    pub next: Vec<Item>,
    /// Questions nobody has answered.
    pub open: Vec<Item>,
    /// References.
    pub artifacts: Vec<Artifact>,
    /// Repositories as recorded.
    pub trees: Vec<Tree>,
    /// What may be done.
    pub safety: Safety,
    /// Who and when.
    pub provenance: Provenance,
    /// What the writer left out and said so.
    pub omitted: Vec<Item>,
    /// Everything else, verbatim.
    pub extra: Vec<Section>,
    /// For a pointer: the files it sends the reader to, as written.
    pub points_to: Vec<Text>,
}

/// One of several handoffs in one file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct Entry {
    /// Its heading as written, empty when it has none.
    pub heading: String,
    /// Its bytes.
    pub span: Span,
    /// The date that the heading or its first lines give.
    pub at: Option<String>,
    /// What it says.
    pub handoff: Handoff,
}

/// What one file gave.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct Reading {
    /// Which reader read it.
    pub format: Format,
    /// How much was understood.
    pub readable: Readable,
    /// For refused, incomplete and not a handoff: why, in one sentence.
    pub reason: Option<String>,
    /// The entries in file order; at least one unless it is not a handoff.
    pub entries: Vec<Entry>,
    /// Index of the entry that is shown.
    pub shown: usize,
    /// What the reader noticed, in file order.
    pub findings: Vec<Finding>,
}

impl Reading {
    /// What a file gave that is one handoff; `span` is all of it.
    pub(crate) fn of_one(
        format: Format,
        span: Span,
        handoff: Handoff,
        readable: Readable,
        reason: Option<String>,
        findings: Vec<Finding>,
    ) -> Self {
        let entry = Entry { heading: String::new(), span, at: handoff.provenance.written_at.clone(), handoff };
        Self { format, readable, reason, entries: vec![entry], shown: 0, findings }
    }

    /// The entry that is shown.
    pub fn current(&self) -> Option<&Handoff> {
        self.entries.get(self.shown).map(|entry| &entry.handoff)
    }
}

/// Sizes above which a document is cut or refused. All of them are settable.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Limits {
    /// Characters in the objective.
    pub objective_chars: usize,
    /// Characters in one item.
    pub item_chars: usize,
    /// Items in one list.
    pub list_items: usize,
    /// Bytes of the rendered block.
    pub block_bytes: usize,
    /// Bytes of a file; above it only the first entry is listed.
    pub file_bytes: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            objective_chars: 2_000,
            item_chars: 1_000,
            list_items: 60,
            block_bytes: 32 * 1024,
            file_bytes: 4 * 1024 * 1024,
        }
    }
}
