//! Recomputing the chain: what a careful reader would check by hand.

use super::Event;

/// What verification found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Verification {
    /// Whether everything adds up.
    pub ok: bool,
    /// What does not, one sentence each.
    pub problems: Vec<String>,
    /// Events in the database.
    pub events: usize,
    /// The hash of the last event; empty for an empty ledger.
    pub head: String,
}

pub(super) fn verify(integrity: &str, events: &[Event], mirror: &[Result<Event, usize>]) -> Verification {
    let mut problems = Vec::new();
    if integrity != "ok" {
        problems.push(format!("The database file is damaged: {integrity}."));
    }
    let mut prev = String::new();
    for (index, event) in events.iter().enumerate() {
        let expected = index as i64 + 1;
        if event.seq != expected {
            problems.push(format!("Event {expected} is missing; event {} stands in its place.", event.seq));
        }
        if event.prev != prev {
            problems.push(format!("Event {} does not continue the event before it.", event.seq));
        }
        if event.computed_hash() != event.hash {
            problems.push(format!("Event {} was changed after it was written.", event.seq));
        }
        prev.clone_from(&event.hash);
    }
    for line in mirror.iter().filter_map(|line| line.as_ref().err()) {
        problems.push(format!("Line {line} of the mirror is no event."));
    }
    let mirrored: Vec<&Event> = mirror.iter().flatten().collect();
    for (event, copy) in events.iter().zip(&mirrored) {
        if event != *copy {
            problems.push(format!("Event {} differs from its mirror.", event.seq));
        }
    }
    if mirrored.len() > events.len() {
        problems.push(format!(
            "The mirror has {} events and the database {}: the database lost its last events or is an older copy.",
            mirrored.len(),
            events.len()
        ));
    }
    if mirrored.len() < events.len() {
        problems.push(format!(
            "The mirror has {} events and the database {}: the mirror was cut off.",
            mirrored.len(),
            events.len()
        ));
    }
    Verification { ok: problems.is_empty(), problems, events: events.len(), head: prev }
}
