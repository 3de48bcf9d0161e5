//! How the trees were when a run began, kept in its folder, and what it changed since then.

use crate::Desk;
use crate::desk::{LOOK, Opened};
use repo::{Beginning, Touched};
use std::path::Path;

/// Its name in the folder of the run.
const BEGUN: &str = "begun.json";

impl Desk {
    /// Looks at the trees before an executor touches them. Without it the run is the same; only what it changed is not
    /// told.
    pub(crate) fn keep_beginning(&self, opened: &Opened, run: &Path) {
        let Ok(begun) = self.worker.beginning(&self.question(opened, None), LOOK) else { return };
        let Ok(bytes) = serde_json::to_vec(&begun) else { return };
        let _ = store::files::seal(run, Path::new(BEGUN), &bytes);
    }

    /// What was touched since; none when it is not known how the trees were, or they cannot be looked at.
    pub(crate) fn touched_by(&self, opened: &Opened, run: &Path) -> Option<Touched> {
        let begun: Beginning = serde_json::from_slice(&std::fs::read(run.join(BEGUN)).ok()?).ok()?;
        self.worker.touched_since(&self.question(opened, None), &begun, LOOK).ok()
    }
}

/// Whether it is known how the trees were.
pub(crate) fn is_known(run: &Path) -> bool {
    run.join(BEGUN).is_file()
}
