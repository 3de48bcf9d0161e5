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
    /// A person asked for this outside the window.
    Show {
        /// Which handoff; none is the inbox.
        handle: Option<String>,
    },
    /// Long work goes on.
    Progress {
        /// Which.
        job: String,
        /// How far.
        progress: Progress,
    },
}
