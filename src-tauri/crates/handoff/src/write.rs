//! Writing a document whole: the canonical file, Handoff JSON 2, and JSON 1 where it can say it all.

mod canonical;
pub(crate) mod escape;
mod json;

pub(crate) use canonical::scalar;
pub use canonical::write_canonical;
pub(crate) use escape::escape;
pub use json::{write_json1, write_json2};

use crate::ItemState;

/// The character of a check box.
pub(crate) fn box_mark(state: ItemState) -> char {
    match state {
        ItemState::Open => ' ',
        ItemState::Done => 'x',
        ItemState::InProgress => '~',
        ItemState::Blocked => '!',
        ItemState::Dropped => '-',
    }
}

/// The name of a state in JSON and in the edit grammar.
pub(crate) fn state_name(state: ItemState) -> &'static str {
    match state {
        ItemState::Open => "open",
        ItemState::Done => "done",
        ItemState::InProgress => "in_progress",
        ItemState::Blocked => "blocked",
        ItemState::Dropped => "dropped",
    }
}

/// The state of that name.
pub(crate) fn state_named(name: &str) -> Option<ItemState> {
    Some(match name {
        "open" => ItemState::Open,
        "in_progress" => ItemState::InProgress,
        "blocked" => ItemState::Blocked,
        "done" => ItemState::Done,
        "dropped" => ItemState::Dropped,
        _ => return None,
    })
}
