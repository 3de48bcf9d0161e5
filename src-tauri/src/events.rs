//! What the host tells the page.

use api::view::Progress;
use serde::Serialize;

/// An event for the page.
#[derive(Clone, Debug, Serialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum HostEvent {
    /// The lists may have changed.
    IndexChanged,
    /// The repository or the file of the open handoff changed.
    RepositoryChanged {
        /// Which handoff.
        handle: String,
    },
    /// A person asked for this handoff outside the window.
    Show {
        /// Which.
        handle: String,
    },
    /// Long work goes on.
    Progress {
        /// Which.
        job: String,
        /// How far.
        progress: Progress,
    },
}
