//! What changed in the tree since a person looked at a handoff last. The mark is kept beside the index and not in the
//! ledger: it decides nothing.

use crate::desk::LOOK;
use crate::{Desk, Error};
use repo::{Fingerprint, differences};
use serde::{Deserialize, Serialize};
use ts_rs::TS;

/// What a person saw, as it is kept.
#[derive(Serialize, Deserialize)]
struct Seen {
    at_ms: i64,
    rev: String,
    tree: Fingerprint,
}

/// What changed since.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct SinceLook {
    /// When a person looked at it before; none when nobody did.
    pub at: Option<String>,
    /// What differs now, one sentence each.
    pub changes: Vec<String>,
}

impl Desk {
    /// What changed since a person looked at this handoff last; that they look now is noted.
    ///
    /// # Errors
    /// When it is not there or the mark cannot be written. A tree that cannot be bound leaves the mark as it was.
    pub fn looked(&self, id: &str) -> Result<SinceLook, Error> {
        let opened = self.opened(id)?;
        let identity = &opened.row.identity;
        let Ok(tree) = self.worker.fingerprint(&self.question(&opened, None), LOOK) else {
            return Ok(SinceLook::default());
        };
        let now = Seen { at_ms: (self.now)(), rev: opened.row.rev.clone(), tree };
        // A mark of another version of the program tells nothing.
        let before: Option<Seen> = self.index.look(identity)?.and_then(|seen| serde_json::from_str(&seen).ok());
        if let Ok(seen) = serde_json::to_string(&now) {
            self.index.note_look(identity, &seen)?;
        }
        let Some(before) = before else { return Ok(SinceLook::default()) };
        let mut changes = differences(&before.tree, &now.tree);
        if before.rev != now.rev {
            let short = |rev: &str| rev.get(..8).unwrap_or(rev).to_owned();
            changes.insert(0, format!("the file: {} → {}", short(&before.rev), short(&now.rev)));
        }
        Ok(SinceLook { at: Some(crate::decide::rfc3339(before.at_ms)), changes })
    }
}
