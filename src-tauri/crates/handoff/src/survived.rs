//! Which fields survive from one document to another, what was lost on the way, and what came out differently.

use crate::{Handoff, Item, Text, Tree};
use serde::{Deserialize, Serialize};
use std::collections::{HashMap, HashSet};

/// Share of words that two texts have in common when one is the other, changed.
pub(crate) const ALIKE: f64 = 0.5;
/// Lost and new texts of a field that are compared with each other.
const COMPARED: usize = 200;

/// One field, before and after.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct FieldReport {
    /// Its name.
    pub field: String,
    /// Items before.
    pub before: usize,
    /// Items after.
    pub after: usize,
    /// Items that are not there any more.
    pub lost: Vec<String>,
    /// Items that are there in other words: before, after.
    #[serde(default)]
    pub changed: Vec<(String, String)>,
}

/// Compares two documents field by field, places aside; blanks and the order of items do not count.
pub fn survived(before: &Handoff, after: &Handoff) -> Vec<FieldReport> {
    fields(before).into_iter().zip(fields(after)).map(|((field, old), (_, new))| report(field, &old, &new)).collect()
}

fn report(field: &str, old: &[String], new: &[String]) -> FieldReport {
    let mut left: HashMap<String, usize> = HashMap::new();
    new.iter().for_each(|text| *left.entry(words(text)).or_default() += 1);
    let mut lost: Vec<String> = Vec::new();
    for text in old {
        match left.get_mut(&words(text)).filter(|count| **count > 0) {
            Some(count) => *count -= 1,
            None => lost.push(text.clone()),
        }
    }
    let mut fresh: Vec<&String> = Vec::new();
    for text in new {
        if let Some(count) = left.get_mut(&words(text)).filter(|count| **count > 0) {
            *count -= 1;
            fresh.push(text);
        }
    }
    let changed = matched(&mut lost, &mut fresh);
    FieldReport { field: field.to_owned(), before: old.len(), after: new.len(), lost, changed }
}

/// Takes out of both lists what is one text in other words.
fn matched(lost: &mut Vec<String>, fresh: &mut Vec<&String>) -> Vec<(String, String)> {
    let mut changed = Vec::new();
    let mut kept = Vec::new();
    for text in std::mem::take(lost) {
        let near = fresh.iter().take(COMPARED).enumerate().map(|(at, other)| (at, likeness(&text, other)));
        let best = near.max_by(|one, other| one.1.total_cmp(&other.1)).filter(|(_, likeness)| *likeness >= ALIKE);
        match best {
            Some((at, _)) if kept.len() < COMPARED => {
                let other = fresh.remove(at);
                changed.push((text, other.clone()));
            }
            _ => kept.push(text),
        }
    }
    *lost = kept;
    changed
}

/// Words in common, as a share of all; characters where a script has no blanks.
pub(crate) fn likeness(one: &str, other: &str) -> f64 {
    let parts = |text: &str| -> HashSet<String> {
        let blanks = text.split_whitespace().count();
        if blanks > 2 || text.is_ascii() {
            text.to_lowercase()
                .split(|character: char| !character.is_alphanumeric())
                .filter(|part| !part.is_empty())
                .map(str::to_owned)
                .collect()
        } else {
            text.chars().filter(|character| character.is_alphanumeric()).map(String::from).collect()
        }
    };
    let (one, other) = (parts(one), parts(other));
    let all = one.union(&other).count();
    if all == 0 { 0.0 } else { one.intersection(&other).count() as f64 / all as f64 }
}

pub(crate) fn words(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Every field that a format holds, by name, with the texts in it. What a pointer points to is read from text that
/// stands in another field.
pub fn fields(handoff: &Handoff) -> Vec<(&'static str, Vec<String>)> {
    let items = |list: &[Item]| list.iter().map(|item| item.text.clone()).collect::<Vec<_>>();
    let one = |text: &Option<Text>| text.iter().map(|text| text.text.clone()).collect::<Vec<_>>();
    let states = |list: &[Item]| {
        list.iter()
            .filter_map(|item| item.state.map(|state| format!("{}: {}", crate::write::state_name(state), item.text)))
            .collect::<Vec<_>>()
    };
    let safety = &handoff.safety;
    vec![
        ("id", handoff.id.iter().cloned().collect()),
        ("title", one(&handoff.title)),
        ("objective", one(&handoff.objective)),
        ("status", one(&handoff.status)),
        ("constraints", items(&handoff.constraints)),
        ("facts", items(&handoff.facts)),
        ("facts.evidence", handoff.facts.iter().filter_map(|fact| fact.evidence.clone()).collect()),
        ("unverified", items(&handoff.unverified)),
        ("hazards", items(&handoff.hazards)),
        ("decisions", handoff.decisions.iter().map(|decision| decision.what.clone()).collect()),
        ("decisions.why", handoff.decisions.iter().filter_map(|decision| decision.why.clone()).collect()),
        (
            "decisions.alternatives",
            handoff.decisions.iter().flat_map(|decision| decision.alternatives.clone()).collect(),
        ),
        ("rejected", handoff.rejected.iter().map(|rejected| rejected.what.clone()).collect()),
        ("rejected.why", handoff.rejected.iter().filter_map(|rejected| rejected.why.clone()).collect()),
        ("done", items(&handoff.done)),
        ("next", items(&handoff.next)),
        ("next.state", states(&handoff.next)),
        ("open", items(&handoff.open)),
        ("artifacts", handoff.artifacts.iter().map(|artifact| artifact.reference.clone()).collect()),
        ("trees", handoff.trees.iter().flat_map(tree).collect()),
        ("safety.may", items(&safety.may)),
        ("safety.ask", items(&safety.ask)),
        ("safety.never", items(&safety.never)),
        ("provenance", provenance(handoff)),
        ("omitted", items(&handoff.omitted)),
        ("extra", handoff.extra.iter().map(|section| format!("{}: {}", section.heading, section.text)).collect()),
    ]
}

fn tree(tree: &Tree) -> Vec<String> {
    let named = [
        ("root", &tree.root),
        ("worktree", &tree.worktree),
        ("branch", &tree.branch),
        ("HEAD", &tree.head),
        ("subject", &tree.subject),
        ("status", &tree.status),
        ("diff", &tree.diff),
    ];
    let mut said: Vec<String> = named
        .into_iter()
        .filter_map(|(name, value)| value.as_ref().map(|value| format!("{name}: {}", value.text)))
        .collect();
    said.extend(tree.changed.iter().map(|path| format!("changed: {}", path.text)));
    said.extend(tree.detached.then(|| "detached".to_owned()));
    said
}

fn provenance(handoff: &Handoff) -> Vec<String> {
    let provenance = &handoff.provenance;
    let turns = provenance.turns.map(|turns| turns.to_string());
    [
        ("agent", &provenance.agent),
        ("profile", &provenance.profile),
        ("model", &provenance.model),
        ("session", &provenance.session),
        ("turns", &turns),
        ("written_at", &provenance.written_at),
        ("created_at", &provenance.created_at),
        ("reason", &provenance.reason),
        ("resets_at", &provenance.resets_at),
        ("from", &provenance.from),
        ("to", &provenance.to),
        ("parent", &provenance.parent),
        ("cwd", &provenance.cwd),
    ]
    .into_iter()
    .filter_map(|(name, value)| value.as_ref().map(|value| format!("{name}: {value}")))
    .collect()
}
