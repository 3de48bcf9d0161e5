//! The lines that cross between client and worker.

use crate::{Beginning, Drift, Fingerprint, Question, Rules, Touched, TreeDrift};
use serde::{Deserialize, Serialize};
use std::path::PathBuf;

/// What is asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Ask {
    Glance,
    Look,
    Fingerprint,
    WatchPaths,
    Beginning,
    TouchedSince,
    Rules,
    CommitDates,
}

impl Ask {
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Glance => "glance",
            Self::Look => "look",
            Self::Fingerprint => "fingerprint",
            Self::WatchPaths => "paths to watch",
            Self::Beginning => "what a run begins from",
            Self::TouchedSince => "what a run changed",
            Self::Rules => "rules files",
            Self::CommitDates => "dates of commits",
        }
    }
}

#[derive(Debug, Serialize, Deserialize)]
pub(super) struct Request {
    pub(super) id: u64,
    pub(super) ask: Ask,
    pub(super) question: Question,
    /// What a run began from, when it is asked what it changed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) since: Option<Box<Beginning>>,
}

#[derive(Debug, Serialize, Deserialize)]
pub(super) struct Response {
    pub(super) id: u64,
    pub(super) answer: Answer,
}

#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Answer {
    Drift(Box<Drift>),
    /// Not the answer yet: the next recorded repository as a glance has it, while a look goes on.
    Glanced(Box<TreeDrift>),
    Fingerprint(Fingerprint),
    Paths(Paths),
    Beginning(Box<Beginning>),
    Touched(Touched),
    Rules(Vec<Rules>),
    /// In the order of the question.
    Dates(Vec<Option<i64>>),
    /// An error of the other side, kept apart by what it means.
    Failed(Failure),
}

/// Paths, of which none is lost when it is no text.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct Paths(#[serde(with = "crate::question::wire_path::many")] pub(super) Vec<PathBuf>);

/// An [`crate::Error`] as it crosses.
#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", tag = "kind")]
pub(super) enum Failure {
    NoFolder,
    FolderGone { path: String, why: String },
    NotInspectable { path: String, why: String },
    Other { why: String },
}
