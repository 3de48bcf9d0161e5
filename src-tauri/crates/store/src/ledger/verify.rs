//! Recomputing the chain: what a careful reader would check by hand.

use super::Event;
use std::collections::BTreeMap;

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
    problems.extend(chain(events));
    problems.extend(compare(events, mirror));
    let head = events.last().map(|event| event.hash.clone()).unwrap_or_default();
    Verification { ok: problems.is_empty(), problems, events: events.len(), head }
}

/// What breaks the chain of these events, one sentence each.
pub(super) fn chain(events: &[Event]) -> Vec<String> {
    let mut problems = Vec::new();
    let mut prev = "";
    for (expected, event) in (1..).zip(events) {
        if event.seq != expected {
            problems.push(format!("Event {expected} is missing; event {} stands in its place.", event.seq));
        }
        if event.prev != prev {
            problems.push(format!("Event {} does not continue the event before it.", event.seq));
        }
        if event.computed_hash() != event.hash {
            problems.push(format!("Event {} was changed after it was written.", event.seq));
        }
        prev = &event.hash;
    }
    problems
}

fn compare(events: &[Event], mirror: &[Result<Event, usize>]) -> Vec<String> {
    let mut problems = Vec::new();
    let mut copies: BTreeMap<i64, &Event> = BTreeMap::new();
    let mut before = 0;
    for line in mirror {
        match line {
            Err(number) => problems.push(format!("Line {number} of the mirror is no event.")),
            Ok(copy) => {
                if copy.seq <= before {
                    problems.push(format!("Event {} of the mirror stands after event {before}.", copy.seq));
                }
                before = copy.seq;
                copies.insert(copy.seq, copy);
            }
        }
    }
    let last = events.last().map_or(0, |event| event.seq);
    let mirrored = copies.keys().next_back().copied().unwrap_or(0);
    for event in events {
        match copies.get(&event.seq) {
            Some(copy) if *copy != event => problems.push(format!("Event {} differs from its mirror.", event.seq)),
            None if event.seq < mirrored => problems.push(format!("Event {} is missing in the mirror.", event.seq)),
            _ => {}
        }
    }
    if mirrored > last {
        problems.push(format!(
            "The mirror goes to event {mirrored} and the database to {last}: the database lost its last events or is an older copy."
        ));
    }
    if mirrored < last {
        problems
            .push(format!("The mirror goes to event {mirrored} and the database to {last}: the mirror was cut off."));
    }
    problems
}
