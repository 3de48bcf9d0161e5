//! Who handed what to whom, why, and how that went: the switches between profiles, told from the ledger and from the
//! bytes that were approved. A switch that left no handoff is not seen here.

use crate::decide::{rfc3339, word};
use crate::state::{Claim, Current, standing};
use crate::view::State;
use crate::{Desk, Error};
use handoff::{Provenance, Readable};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::collections::HashMap;
use store::config::Profile;
use store::ledger::Event;

/// One end of a switch. What is not known is absent.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Party {
    /// The profile, or the name under which an executor claimed.
    pub profile: Option<String>,
    /// The agent program.
    pub agent: Option<String>,
    /// The model.
    pub model: Option<String>,
    /// The agent's own session.
    pub session: Option<String>,
}

/// A handoff that changed hands.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Switch {
    /// The event by which it did.
    pub seq: u64,
    /// `switch`.
    pub kind: String,
    /// When.
    pub at: String,
    /// Who handed over, as the document says.
    pub from: Party,
    /// Who took over.
    pub to: Party,
    /// Why, as the document says.
    pub reason: Option<String>,
    /// When the limit of who handed over resets.
    pub resets_at: Option<String>,
    /// The handle of what was handed over.
    pub handoff: String,
    /// How that went; absent while nobody knows.
    pub outcome: Option<String>,
    /// How both ends are known to belong together: a `claim`, handed over by `hand`, or a `mark`.
    pub joined_by: String,
}

/// The first moment that a person means by a day or a time, as events are stamped: a day begins where the person is.
///
/// # Errors
/// [`Error::Usage`] when it is neither.
pub fn beginning(text: &str) -> Result<String, Error> {
    let day = text.parse::<jiff::civil::Date>().ok().filter(|_| !text.contains(['T', 't', ' ']));
    let begins = day.and_then(|day| jiff::tz::TimeZone::system().to_timestamp(day.at(0, 0, 0, 0)).ok());
    let moment = begins.or_else(|| text.parse::<jiff::Timestamp>().ok());
    moment.map(|moment| rfc3339(moment.as_millisecond())).ok_or_else(|| {
        Error::Usage(format!("{text:?} is no day; one is written 2026-08-01, a time 2026-08-01T14:12:00Z"))
    })
}

impl Desk {
    /// Every switch, oldest first.
    ///
    /// # Errors
    /// When index or ledger cannot be read.
    pub fn switches(&self) -> Result<Vec<Switch>, Error> {
        let profiles = self.config()?.profiles;
        let events = self.ledger.events()?;
        let mut own: HashMap<&str, Vec<&Event>> = HashMap::new();
        for event in &events {
            if let Some(handoff) = event.handoff.as_deref() {
                own.entry(handoff).or_default().push(event);
            }
        }
        let mut switches = Vec::new();
        for event in &events {
            let Some(handoff) = event.handoff.as_deref() else { continue };
            let joined_by = match event.kind.as_str() {
                "claimed" => "claim",
                "handed_over" => "hand",
                "marked" if event.body["as"] == "resumed" => "mark",
                _ => continue,
            };
            let (from, handle) = self.written_by(handoff, event)?;
            let about = own.get(handoff).map_or(&[][..], Vec::as_slice);
            let (to, outcome) = match joined_by {
                "claim" => self.taken_by(event, about, &profiles),
                _ => (Party::default(), None),
            };
            switches.push(Switch {
                seq: event.seq.unsigned_abs(),
                kind: "switch".to_owned(),
                at: rfc3339(event.at_ms),
                reason: from.reason.clone(),
                resets_at: from.resets_at.clone(),
                from: Party {
                    profile: from.profile.or(from.from),
                    agent: from.agent,
                    model: from.model,
                    session: from.session,
                },
                to,
                handoff: handle,
                outcome,
                joined_by: joined_by.to_owned(),
            });
        }
        Ok(switches)
    }

    /// Who wrote the bytes that an event is about, as they say, and the handle of the handoff.
    fn written_by(&self, handoff: &str, event: &Event) -> Result<(Provenance, String), Error> {
        let row = self.index.get(handoff)?;
        let handle = row.as_ref().map_or_else(|| store::handle(handoff), |row| row.handle.clone());
        // Bytes that were purged or damaged tell nothing any more; that they changed hands is told all the same.
        let bytes = event.rev.as_deref().and_then(|rev| self.ledger.blobs().get(rev).ok().flatten());
        let name = row.map_or_else(|| "handoff".to_owned(), |row| self.relative(&row.path));
        let limits = self.config()?.settings.limits;
        let reading = bytes.map(|bytes| handoff::read(&bytes, &name, &limits));
        let provenance = reading.as_ref().and_then(|reading| reading.current()).map(|read| read.provenance.clone());
        Ok((provenance.unwrap_or_default(), handle))
    }

    /// Who claimed, and what came of it.
    fn taken_by(&self, claimed: &Event, about: &[&Event], profiles: &[Profile]) -> (Party, Option<String>) {
        let claim: Claim = serde_json::from_value(claimed.body.clone()).unwrap_or_default();
        let of_this_claim = |event: &&&Event| {
            event.seq == claimed.seq || event.body.get("claim").and_then(Value::as_i64) == Some(claimed.seq)
        };
        let run: Vec<Event> = about.iter().filter(of_this_claim).map(|event| (*event).clone()).collect();
        let now = standing(
            &run,
            &Current {
                rev: run.last().and_then(|event| event.rev.as_deref()).unwrap_or_default(),
                readable: Readable::Full,
                readable_reason: None,
                superseded_by: None,
                conflict: false,
                now_ms: (self.now)(),
            },
        );
        let ended = run.last().map(|event| event.kind.as_str()).filter(|kind| matches!(*kind, "released" | "aborted"));
        let outcome = match (ended, now.state) {
            (Some(kind), _) => Some(kind.to_owned()),
            (None, State::Claimed | State::Running) => None,
            (None, state) => Some(word(state)),
        };
        let profile = claim.profile.unwrap_or(claim.by);
        let agent = profiles.iter().find(|known| known.name == profile).map(|known| known.agent.clone());
        let session = now.outcome.and_then(|outcome| outcome.session);
        (Party { profile: Some(profile), agent, model: None, session }, outcome)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_day_and_a_time_are_understood_and_nothing_else() {
        assert_eq!(beginning("2026-08-01T14:12:00+02:00").ok().as_deref(), Some("2026-08-01T12:12:00Z"));
        assert!(beginning("2026-08-01").is_ok_and(|at| at.starts_with("2026-0")));
        for wrong in ["", "yesterday", "2026-13-40", "2026-08-01T25:00:00Z", "2026-08-01T14:12:00"] {
            assert!(beginning(wrong).is_err(), "{wrong}");
        }
    }
}
