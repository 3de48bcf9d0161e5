//! Which process holds a claim: enough to show it, and to tell whether it can still be alive.

use serde::{Deserialize, Serialize};

/// A process of this or another machine.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Holder {
    /// The machine's id; its name where it has none.
    pub host: String,
    /// This start of the machine.
    pub boot: String,
    /// The process.
    pub pid: u32,
    /// When it started, in clock ticks since the machine did: a process number alone is used again.
    pub started: u64,
    /// The program.
    pub program: String,
}

impl Holder {
    /// Whether this process could hold a kernel lock that can be asked about here. `None`: it cannot be known.
    pub fn on(&self, here: &Self) -> Option<bool> {
        if self.host.is_empty() || self.host != here.host {
            return None;
        }
        Some(self.boot == here.boot)
    }
}
