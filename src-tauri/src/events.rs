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
    /// The program was asked to end, and an edit is not saved: a person decides.
    Leaving,
    /// Long work goes on.
    Progress {
        /// Which.
        job: String,
        /// How far.
        progress: Progress,
    },
}
