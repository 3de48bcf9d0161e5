//! What a use case can answer instead of doing something. A code exists where a caller branches on it.

use crate::view::{Acknowledgement, Conflict};

/// An error of this crate.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// Files, index, ledger.
    #[error(transparent)]
    Store(#[from] store::Error),
    /// A document that cannot be edited, written or rendered so.
    #[error(transparent)]
    Document(#[from] handoff::Error),
    /// A repository that cannot be bound.
    #[error(transparent)]
    Repository(#[from] repo::Error),
    /// A parameter that makes no sense.
    #[error("{0}")]
    Usage(String),
    /// Nothing by that name.
    #[error("there is no handoff {id:?}{}", or_else(.candidates))]
    NotFound {
        /// As given.
        id: String,
        /// What it could have meant.
        candidates: Vec<String>,
    },
    /// No search is saved under that name.
    #[error("no search is saved as {name:?}{}", or_else(.known))]
    NoSearch {
        /// As given.
        name: String,
        /// Those that there are.
        known: Vec<String>,
    },
    /// The document is refused.
    #[error("{handle} is refused: {reason}")]
    Refused {
        /// Which.
        handle: String,
        /// Why.
        reason: String,
    },
    /// The document is incomplete.
    #[error("{handle} is incomplete: {reason}")]
    Incomplete {
        /// Which.
        handle: String,
        /// Why.
        reason: String,
    },
    /// The state does not allow it.
    #[error("{handle} is {state}; {needed}")]
    State {
        /// Which.
        handle: String,
        /// The state it is in.
        state: String,
        /// What would have to be so.
        needed: String,
    },
    /// Somebody else holds it.
    #[error("{handle} is held by {holder} (claim {claim}, since {since})")]
    Held {
        /// Which.
        handle: String,
        /// Who.
        holder: String,
        /// The number of the claim.
        claim: i64,
        /// Since when, RFC 3339.
        since: String,
    },
    /// A question that waits for no answer.
    #[error(
        "there is no question {question} that waits for an answer; it was answered, its time is over, or its run has ended"
    )]
    NoQuestion {
        /// As given.
        question: u64,
    },
    /// A token that is not the holder's, or not any more.
    #[error("{handle}: the token is out of date: {why}")]
    Token {
        /// Which.
        handle: String,
        /// Why.
        why: String,
    },
    /// No profile of that name.
    #[error("there is no profile {name:?}; the profiles are: {}", .profiles.join(", "))]
    NoProfile {
        /// As given.
        name: String,
        /// Those that there are.
        profiles: Vec<String>,
    },
    /// A document that is not published.
    #[error("the document is not published: {reason}")]
    NotPublished {
        /// Why, with the limit or the key.
        reason: String,
    },
    /// A person has to acknowledge more.
    #[error("{handle} needs {} acknowledged: {}", .missing.len(), codes(.missing))]
    Acknowledge {
        /// Which.
        handle: String,
        /// What is missing.
        missing: Vec<Acknowledgement>,
    },
    /// Something changed since it was looked at.
    #[error("{handle} changed: {}", .differences.join("; "))]
    Changed {
        /// Which.
        handle: String,
        /// What differs.
        differences: Vec<String>,
        /// For an edit: both versions.
        conflict: Option<Box<Conflict>>,
    },
    /// A launch command that gives the agent more than it would have by itself.
    #[error("the launch command of {agent} is refused for `{found}`: {why}")]
    Widening {
        /// The agent.
        agent: &'static str,
        /// The flag, setting or variable.
        found: String,
        /// What it would do.
        why: String,
    },
    /// An agent that could climb out of any boundary as it is configured here.
    #[error("{agent} is not started: {why}")]
    CannotNarrow {
        /// The agent.
        agent: &'static str,
        /// Why.
        why: String,
    },
    /// The agent, or what watches it, could not be started.
    #[error("{what}: {source}")]
    Launch {
        /// What was tried, with the program or path.
        what: String,
        /// Why it failed.
        source: std::io::Error,
    },
    /// An agent tried to approve.
    #[error(
        "approving is for a person. This runs inside {agent} ({variable} is set); approve in the window or in a terminal of your own"
    )]
    InsideAgent {
        /// The agent.
        agent: &'static str,
        /// The variable that tells.
        variable: &'static str,
    },
}

impl Error {
    /// What the system said, for the log: no path and no word of a document.
    pub fn cause(&self) -> Option<String> {
        match self {
            Self::Store(error) => error.cause(),
            _ => None,
        }
    }

    /// The stable code.
    pub fn code(&self) -> &'static str {
        match self {
            Self::Store(
                store::Error::Database { .. } | store::Error::NewerLedger { .. } | store::Error::LedgerBehind { .. },
            ) => "database",
            Self::Store(store::Error::SoundLedger { .. }) => "state",
            Self::Store(store::Error::Io { operation: "read", source, .. })
                if source.kind() == std::io::ErrorKind::NotFound =>
            {
                "not_found"
            }
            Self::Store(store::Error::NotRegular { .. }) => "not_a_handoff",
            Self::Store(store::Error::Profile { .. } | store::Error::Setting { .. }) | Self::Usage(_) => "usage",
            Self::Store(_) | Self::Repository(_) => "io",
            Self::Document(handoff::Error::EditGrammar { .. }) => "usage",
            Self::Document(handoff::Error::NoSuchItem { .. }) | Self::NotFound { .. } | Self::NoSearch { .. } => {
                "not_found"
            }
            Self::Document(_) => "state",
            Self::Refused { .. } => "refused",
            Self::Incomplete { .. } => "incomplete",
            Self::Widening { .. } | Self::CannotNarrow { .. } => "usage",
            Self::Launch { .. } => "launch",
            Self::State { .. } | Self::InsideAgent { .. } | Self::Token { .. } => "state",
            Self::Held { .. } => "held",
            Self::NoQuestion { .. } => "not_found",
            Self::NotPublished { .. } => "refused",
            Self::NoProfile { .. } => "not_found",
            Self::Acknowledge { .. } => "acknowledge",
            Self::Changed { .. } => "changed",
        }
    }

    /// What to do next, one sentence each.
    pub fn hints(&self) -> Vec<String> {
        match self {
            Self::NotFound { .. } => vec!["fuda list shows what there is; fuda index looks again.".to_owned()],
            Self::Acknowledge { missing, .. } => {
                let codes: Vec<&str> = missing.iter().map(|one| one.code.as_str()).collect();
                vec![format!("Look at each, then add --ack {}.", codes.join(" --ack "))]
            }
            Self::Held { handle, claim, .. } => vec![format!(
                "Wait for its outcome. If you know that it is gone: fuda release {handle} --claim {claim} --note WHY."
            )],
            Self::NoQuestion { .. } => vec!["fuda questions lists what waits.".to_owned()],
            Self::Token { .. } => vec!["Stop working on it: somebody else may hold it by now.".to_owned()],
            Self::Changed { .. } => vec!["Look at it again: fuda show, fuda drift.".to_owned()],
            Self::NoSearch { .. } => vec!["fuda searches lists those that are saved.".to_owned()],
            Self::Refused { .. } | Self::Incomplete { .. } => vec!["fuda show prints what could be read.".to_owned()],
            Self::Widening { .. } => {
                vec!["Take it out of the profile's launch, or of what stands behind --, and start again.".to_owned()]
            }
            _ => Vec::new(),
        }
    }
}

fn or_else(candidates: &[String]) -> String {
    if candidates.is_empty() { String::new() } else { format!("; it could be {}", candidates.join(", ")) }
}

fn codes(missing: &[Acknowledgement]) -> String {
    missing.iter().map(|one| one.code.as_str()).collect::<Vec<_>>().join(", ")
}
