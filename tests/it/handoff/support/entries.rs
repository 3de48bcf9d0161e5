//! The entries of a reading beside the one that is shown.

use handoff::{Handoff, Reading};

/// Their handoffs, in the file's order.
pub fn others(reading: &Reading) -> Vec<&Handoff> {
    let beside = reading.entries.iter().enumerate().filter(|(index, _)| *index != reading.shown);
    beside.map(|(_, entry)| &entry.handoff).collect()
}
