//! What a document alone contradicts. What the tree denies is found where the tree is known.

use crate::{Handoff, ItemState};

/// Two statements of one document that deny each other.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HandoffContradiction {
    /// A stable snake_case kind.
    pub kind: &'static str,
    /// What is said twice, differently.
    pub message: String,
    /// The items, such as `next/0`.
    pub items: Vec<String>,
}

/// Finds items that are both done and next, and pending actions that are already done.
pub fn contradictions(handoff: &Handoff) -> Vec<HandoffContradiction> {
    let mut found = Vec::new();
    let settled: Vec<(usize, String)> = handoff
        .done
        .iter()
        .enumerate()
        .filter(|(_, item)| matches!(item.state, None | Some(ItemState::Done)))
        .map(|(index, item)| (index, key(&item.text)))
        .collect();
    for (index, item) in handoff.next.iter().enumerate().filter(|(_, item)| item.state != Some(ItemState::Dropped)) {
        let own = key(&item.text);
        if let Some((done, _)) = settled.iter().find(|(_, done)| *done == own && own.chars().count() > 2) {
            found.push(HandoffContradiction {
                kind: "done_and_next",
                message: format!("“{}” stands under done and under next.", first_line(&item.text)),
                items: vec![format!("done/{done}"), format!("next/{index}")],
            });
        }
    }
    for (index, item) in handoff.safety.ask.iter().enumerate() {
        let own = key(&item.text);
        if let Some((done, _)) = settled.iter().find(|(_, done)| {
            own.chars().count() > 6 && (done.contains(&own) || own.contains(done.as_str()) && done.chars().count() > 6)
        }) {
            found.push(HandoffContradiction {
                kind: "pending_action_already_done",
                message: format!("“{}” waits for a person and is already done.", first_line(&item.text)),
                items: vec![format!("safety.ask/{index}"), format!("done/{done}")],
            });
        }
    }
    found
}

fn first_line(text: &str) -> &str {
    text.lines().next().unwrap_or_default()
}

fn key(text: &str) -> String {
    first_line(text)
        .to_lowercase()
        .chars()
        .filter(|character| character.is_alphanumeric() || *character == ' ')
        .collect::<String>()
        .split_whitespace()
        .collect::<Vec<_>>()
        .join(" ")
}
