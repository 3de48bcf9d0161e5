//! Decisions of a person: return, skip, stop, expire, reopen, mark, re-check, bind, archive, hand over by hand.
//! Each is guarded inside the ledger's transaction.

use crate::state::{Rechecked, Standing, is_decision};
use crate::view::{Decided, State};
use crate::{Desk, Error};
use serde_json::{Value, json};
use std::path::Path;
use store::index::ListRow;
use store::ledger::{Event, NewEvent};

/// A decision with a note.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Decision {
    /// Back to whoever wrote it.
    Return,
    /// Passed over.
    Skip,
    /// Stopped by a person.
    Stop,
    /// Too old to act on.
    Expire,
    /// Back to review.
    Reopen,
}

/// What a person knows about a handoff that ran elsewhere.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mark {
    /// It is done.
    Done,
    /// It failed.
    Failed,
    /// Somebody resumed it elsewhere.
    Resumed,
    /// Another handoff replaces it.
    Superseded,
}

impl Decision {
    fn kind(self) -> &'static str {
        match self {
            Self::Return => "returned",
            Self::Skip => "skipped",
            Self::Stop => "stopped",
            Self::Expire => "expired",
            Self::Reopen => "reopened",
        }
    }

    /// Which states it may follow.
    pub(crate) fn follows(self, state: State) -> bool {
        match self {
            Self::Return => matches!(
                state,
                State::Pending | State::Approved | State::Superseded | State::Refused | State::Incomplete
            ),
            Self::Skip | Self::Expire => matches!(
                state,
                State::Pending
                    | State::Approved
                    | State::Superseded
                    | State::Returned
                    | State::Refused
                    | State::Incomplete
            ),
            Self::Stop => matches!(state, State::Approved | State::Claimed | State::Running),
            Self::Reopen => !matches!(state, State::Pending | State::Claimed | State::Refused | State::Incomplete),
        }
    }
}

impl Desk {
    /// Records a decision.
    ///
    /// # Errors
    /// [`Error::State`] when the state does not allow it.
    pub fn decide(&self, id: &str, decision: Decision, note: Option<&str>) -> Result<Decided, Error> {
        let opened = self.opened(id)?;
        if let (Decision::Stop, Some(open)) = (decision, &opened.standing.claim) {
            return self.stop_claim(&opened, open, note);
        }
        let allowed = move |standing: &Standing| standing.claim.is_none() && decision.follows(standing.state);
        let event = NewEvent::new(decision.kind(), (self.now)())
            .about(&opened.row.identity, &opened.row.rev)
            .with(json!({ "note": note }));
        let decided =
            self.append_when(&opened, event, allowed, "it cannot be decided so from there; reopen it first")?;
        if decision == Decision::Skip {
            self.leave_marker(&opened.row, decided.state);
        }
        Ok(decided)
    }

    /// Records what happened elsewhere.
    ///
    /// # Errors
    /// [`Error::State`] for refused and incomplete documents.
    pub fn mark(&self, id: &str, mark: Mark, note: Option<&str>) -> Result<Decided, Error> {
        let opened = self.opened(id)?;
        let name = match mark {
            Mark::Done => "done",
            Mark::Failed => "failed",
            Mark::Resumed => "resumed",
            Mark::Superseded => "superseded",
        };
        let event = NewEvent::new("marked", (self.now)())
            .about(&opened.row.identity, &opened.row.rev)
            .with(json!({ "as": name, "note": note }));
        let allowed = |standing: &Standing| {
            standing.claim.is_none() && !matches!(standing.state, State::Refused | State::Incomplete)
        };
        self.append_when(&opened, event, allowed, "a document that is not offered is not marked")
    }

    /// Records that a person looked at a fact again, at this revision and this tree.
    ///
    /// # Errors
    /// When there is no such item.
    pub fn recheck(&self, id: &str, item: &str) -> Result<Decided, Error> {
        let opened = self.opened(id)?;
        let handoff = opened.handoff();
        let (field, index) = item
            .split_once('/')
            .ok_or_else(|| Error::Usage(format!("{item:?} names no item; facts/0 is the first fact")))?;
        let length = match field {
            "facts" => handoff.facts.len(),
            "artifacts" => handoff.artifacts.len(),
            "next" => handoff.next.len(),
            "unverified" => handoff.unverified.len(),
            _ => {
                return Err(Error::Usage(format!(
                    "{field:?} is not re-checked; facts, unverified, artifacts and next are"
                )));
            }
        };
        if index.parse::<usize>().ok().is_none_or(|index| index >= length) {
            return Err(Error::Document(handoff::Error::NoSuchItem { item: item.to_owned(), length }));
        }
        let tree = self.tree_digest(&opened);
        let body = Rechecked { item: item.to_owned(), rev: opened.row.rev.clone(), tree };
        let event = NewEvent::new("rechecked", (self.now)())
            .about(&opened.row.identity, &opened.row.rev)
            .with(serde_json::to_value(body).unwrap_or_default());
        self.append_when(&opened, event, |_| true, "")
    }

    /// Binds a handoff to another repository, or takes the binding away.
    ///
    /// # Errors
    /// When the folder is not there.
    pub fn bind(&self, id: &str, repo: Option<&Path>) -> Result<Decided, Error> {
        let opened = self.opened(id)?;
        let repo = match repo {
            Some(path) => Some(
                std::fs::canonicalize(path)
                    .map_err(|_| Error::Usage(format!("{} is not there; choose a folder that is", path.display())))?,
            ),
            None => None,
        };
        let body = json!({ "repo": repo.map(|path| path.display().to_string()).unwrap_or_default() });
        let event = NewEvent::new("bound", (self.now)()).about(&opened.row.identity, &opened.row.rev).with(body);
        self.append_when(&opened, event, |_| true, "")
    }

    /// Moves a handoff into the archive or out of it.
    ///
    /// # Errors
    /// When it is not there.
    pub fn archive(&self, id: &str, archived: bool) -> Result<Decided, Error> {
        let opened = self.opened(id)?;
        let event = NewEvent::new("archived", (self.now)())
            .about(&opened.row.identity, &opened.row.rev)
            .with(json!({ "archived": archived }));
        self.append_when(&opened, event, |_| true, "")
    }

    /// Gives the block or the path to a person who hands it over, and records that.
    ///
    /// # Errors
    /// For refused and incomplete documents.
    pub fn handed_over(&self, id: &str, block: bool) -> Result<String, Error> {
        let opened = self.opened(id)?;
        Self::offered(&opened)?;
        let text = if block { self.render(&opened)?.text } else { opened.row.path.display().to_string() };
        let body = json!({ "how": if block { "block" } else { "path" }, "approved": opened.standing.state == State::Approved });
        let event = NewEvent::new("handed_over", (self.now)()).about(&opened.row.identity, &opened.row.rev).with(body);
        self.append_when(&opened, event, |_| true, "")?;
        Ok(text)
    }

    /// Appends an event when the state inside the transaction allows it; keeps the bytes first when it decides.
    pub(crate) fn append_when(
        &self,
        opened: &crate::desk::Opened,
        event: NewEvent,
        allowed: impl Fn(&Standing) -> bool,
        needed: &str,
    ) -> Result<Decided, Error> {
        if is_decision(&event.kind) {
            self.ledger.blobs().put(&opened.bytes)?;
        }
        let row = &opened.row;
        let state_error =
            |state: State| Error::State { handle: row.handle.clone(), state: word(state), needed: needed.to_owned() };
        let appended = self.ledger.append::<Error>(event, |before: &[Event]| {
            let standing = self.standing_of(row, before);
            match &standing.claim {
                _ if allowed(&standing) => Ok(()),
                Some(open) => Err(crate::claim::held(&row.handle, open)),
                None => Err(state_error(standing.state)),
            }
        })?;
        self.decided(row, appended.seq)
    }

    /// Where a handoff stands after an event.
    pub(crate) fn decided(&self, row: &ListRow, seq: i64) -> Result<Decided, Error> {
        let standing = self.standing_of(row, &self.ledger.events_of(&row.identity)?);
        Ok(Decided {
            handle: row.handle.clone(),
            state: standing.state,
            state_reason: standing.reason,
            seq: seq.unsigned_abs(),
        })
    }
}

/// The state in words.
pub(crate) fn word(state: State) -> String {
    serde_json::to_value(state)
        .ok()
        .and_then(|value| match value {
            Value::String(word) => Some(word),
            _ => None,
        })
        .unwrap_or_default()
}

/// UTC milliseconds as RFC 3339.
pub(crate) fn rfc3339(ms: i64) -> String {
    jiff::Timestamp::from_millisecond(ms).map(|at| at.strftime("%Y-%m-%dT%H:%M:%SZ").to_string()).unwrap_or_default()
}
