//! Lists: pages, their groups, hits, the sidebar, saved searches, and what came of one act on many.

use super::{ProfileView, Row};
use serde::{Deserialize, Serialize};
use ts_rs::TS;

/// A page of a list.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
pub struct Page {
    /// The rows asked for.
    pub rows: Vec<Row>,
    /// How many there are in all.
    pub total: u32,
    /// The groups of all of them, in order, when they were asked for.
    pub groups: Vec<Group>,
}

/// What the rows of a group have in common.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
pub enum GroupKind {
    /// They wait for a person, in one repository.
    Repository,
    /// They wait for a person and name no repository.
    NoRepository,
    /// They are approved.
    Moving,
    /// Somebody holds them.
    Held,
}

/// A group of a list.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct Group {
    /// What its rows have in common.
    pub kind: GroupKind,
    /// The repository's root folder.
    pub repo: Option<String>,
    /// The repository's short name.
    pub name: Option<String>,
    /// The place of its first row in the list.
    pub start: u32,
    /// How many rows it has.
    pub count: u32,
}

/// Which list.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
pub enum ListName {
    /// What needs a person, then what is in motion.
    #[default]
    Inbox,
    /// Approved and not yet resumed.
    Approved,
    /// Claimed and running.
    Running,
    /// Returned, stopped, interrupted.
    Returned,
    /// Everything that is not archived.
    All,
    /// The archive.
    Archive,
}

/// A search that a person saved.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct SavedSearch {
    /// Its name.
    pub name: String,
    /// In the language of lists: words and terms such as `state:pending`.
    pub query: String,
}

/// What came of one act on many handoffs.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct Triaged {
    /// Takes all of it back (`undo`); none when nothing was done or this took something back.
    pub undo: Option<String>,
    /// Handles of those that it was done with.
    pub done: Vec<String>,
    /// Those that were left as they are.
    pub left_out: Vec<NotTriaged>,
}

/// A handoff that was left as it is.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct NotTriaged {
    /// Which.
    pub id: String,
    /// Why.
    pub message: String,
}

/// A repository with what waits in it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
pub struct RepositoryView {
    /// Its root folder.
    pub path: String,
    /// Its short name.
    pub name: String,
    /// Handoffs that wait for a person.
    pub waiting: u32,
    /// All of them.
    pub total: u32,
}

/// What the sidebar shows.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
pub struct Overview {
    /// Rows of each list.
    pub inbox: u32,
    /// See `inbox`.
    pub approved: u32,
    /// See `inbox`.
    pub running: u32,
    /// See `inbox`.
    pub returned: u32,
    /// See `inbox`.
    pub all: u32,
    /// See `inbox`.
    pub archive: u32,
    /// Repositories, most waiting first.
    pub repositories: Vec<RepositoryView>,
    /// Profiles as configured.
    pub profiles: Vec<ProfileView>,
    /// Saved searches.
    pub searches: Vec<SavedSearch>,
    /// Whether a first scan has been done.
    pub scanned: bool,
    /// `watching`, `polling: why`, `off`.
    pub watching: String,
    /// What is wrong with the installation, one sentence each.
    pub problems: Vec<String>,
    /// The program's version.
    pub version: String,
}

/// A hit of the palette.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
pub struct Hit {
    /// The row.
    pub row: Row,
    /// Text around the match; `true` marks the match.
    pub snippet: Vec<(bool, String)>,
    /// The field it was found in, when known.
    pub field: Option<String>,
}
