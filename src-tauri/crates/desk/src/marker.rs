//! Markers of older tools beside a handoff's file: read as *marked by hand, outcome unknown*, and written where a
//! profile asks for them.
//!
//! What a marker says becomes an event, so that a state still comes from the ledger alone. The newest statement holds: a
//! marker older than the last decision, or than the bytes that it stands beside, says nothing. Where the times are too
//! close to tell, the marker holds: it can only keep a second executor away. Each writing of it speaks once. One is
//! written only once an outcome is recorded, since a mark that came first would be a claim that nothing backs.

use crate::state::is_decision;
use crate::view::State;
use crate::{Desk, Error};
use serde_json::json;
use std::path::Path;
use store::index::{ListRow, Resolved};
use store::ledger::{Event, NewEvent};
use store::marker::{Mark, Marker};

/// Two times closer than this are in no order: a checkout writes both files at once, file systems stamp a file with a
/// clock that lags behind the one that decisions are stamped with, and some of them count in steps of two seconds.
const TOGETHER_MS: i64 = 2_000;

impl Desk {
    /// Takes in the markers that a scan saw.
    ///
    /// # Errors
    /// When index or ledger cannot be read or written.
    pub(crate) fn take_in_markers(&self, markers: &[Marker]) -> Result<(), Error> {
        if !self.ledger.is_writable() {
            return Ok(());
        }
        for marker in markers {
            let Resolved::One(row) = self.index.resolve(&marker.of.display().to_string())? else { continue };
            if row.path != marker.of || marker.at_ms + TOGETHER_MS < row.mtime_ms {
                continue;
            }
            let speaks = |own: &[Event]| {
                let standing = self.standing_of(&row, own);
                let decided = own.iter().rev().find(|event| is_decision(&event.kind)).map(|event| event.at_ms);
                matches!(standing.state, State::Pending | State::Approved | State::Superseded)
                    && decided.is_none_or(|at_ms| at_ms < marker.at_ms + TOGETHER_MS)
                    && !own.iter().any(|event| is_of(event, marker))
            };
            if !speaks(&self.ledger.events_of(&row.identity)?) {
                continue;
            }
            let name = marker.path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
            let (what, note) = match marker.mark {
                Mark::Resumed => ("resumed", format!("marked by hand ({name}), outcome unknown")),
                Mark::Skip => ("skipped", format!("marked by hand ({name})")),
            };
            let event = NewEvent::new("marked", (self.now)())
                .about(&row.identity, &row.rev)
                .by("fuda")
                .with(json!({ "as": what, "note": note, "marker": marker.path.display().to_string() }));
            let appended = self.ledger.append::<Error>(event, |own| {
                if speaks(own) { Ok(()) } else { Err(Error::Usage("it was decided meanwhile".to_owned())) }
            });
            match appended {
                Ok(_) | Err(Error::Usage(_)) => {}
                Err(error) => return Err(error),
            }
        }
        Ok(())
    }

    /// Marks the file of a handoff whose outcome or skip is recorded, where a profile that found it asks for that. What
    /// could not be written ends nothing: the outcome stands, and that there is no marker is recorded beside it.
    pub(crate) fn leave_marker(&self, row: &ListRow, state: State) {
        let _ = self.try_leave_marker(row, state);
    }

    fn try_leave_marker(&self, row: &ListRow, state: State) -> Result<(), Error> {
        let mark = match state {
            State::Done | State::Verified | State::Failed | State::Returned | State::Stopped => Mark::Resumed,
            State::Skipped => Mark::Skip,
            _ => return Ok(()),
        };
        let profiles = self.config()?.profiles;
        let asks = |name: &String| profiles.iter().any(|profile| profile.name == *name && profile.markers);
        // In the shared store no other tool looks for one.
        let shared = row.path.starts_with(self.home.handoffs());
        if shared || !row.profiles.iter().any(asks) || !is_plain(&row.path) {
            return Ok(());
        }
        let at = crate::decide::rfc3339((self.now)());
        let text = format!("fuda: {} {} {at}\n", row.handle, crate::decide::word(state));
        let body = match store::marker::write(&row.path, mark, &text) {
            Ok(path) => json!({ "path": path.display().to_string() }),
            Err(store::Error::Exists { .. }) => return Ok(()),
            Err(error) => json!({ "path": row.path.display().to_string(), "because": error.to_string() }),
        };
        let kind = if body.get("because").is_some() { "not_marked" } else { "marker_written" };
        let event = NewEvent::new(kind, (self.now)()).about(&row.identity, &row.rev).by("fuda").with(body);
        self.ledger.append::<Error>(event, |_| Ok(()))?;
        Ok(())
    }
}

/// Whether an event took in, or recorded, this very writing of a marker.
fn is_of(event: &Event, marker: &Marker) -> bool {
    let place = match event.kind.as_str() {
        "marked" => &event.body["marker"],
        "marker_written" => &event.body["path"],
        _ => return false,
    };
    event.at_ms >= marker.at_ms && place.as_str().is_some_and(|place| Path::new(place) == marker.path)
}

/// A file of its own, not an agent's session: beside those nothing is written.
fn is_plain(path: &Path) -> bool {
    path.extension().is_none_or(|extension| extension != "jsonl")
}
