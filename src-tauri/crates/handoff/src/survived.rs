//! Which fields survive from one document to another, and what was lost on the way.

use crate::Handoff;
use serde::{Deserialize, Serialize};

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
}

/// Compares two documents field by field.
pub fn survived(before: &Handoff, after: &Handoff) -> Vec<FieldReport> {
    fields(before)
        .into_iter()
        .zip(fields(after))
        .map(|((field, old), (_, new))| FieldReport {
            field: field.to_owned(),
            before: old.len(),
            after: new.len(),
            lost: old.iter().filter(|text| !new.iter().any(|other| same(text, other))).cloned().collect(),
        })
        .collect()
}

fn same(one: &str, other: &str) -> bool {
    one.split_whitespace().eq(other.split_whitespace())
}

fn fields(handoff: &Handoff) -> Vec<(&'static str, Vec<String>)> {
    let items = |list: &[crate::Item]| list.iter().map(|item| item.text.clone()).collect::<Vec<_>>();
    vec![
        ("objective", handoff.objective.iter().map(|text| text.text.clone()).collect()),
        ("constraints", items(&handoff.constraints)),
        ("facts", items(&handoff.facts)),
        ("unverified", items(&handoff.unverified)),
        ("hazards", items(&handoff.hazards)),
        ("decisions", handoff.decisions.iter().map(|decision| decision.what.clone()).collect()),
        ("decisions.why", handoff.decisions.iter().filter_map(|decision| decision.why.clone()).collect()),
        ("rejected", handoff.rejected.iter().map(|rejected| rejected.what.clone()).collect()),
        ("done", items(&handoff.done)),
        ("next", items(&handoff.next)),
        ("open", items(&handoff.open)),
        ("artifacts", handoff.artifacts.iter().map(|artifact| artifact.reference.clone()).collect()),
        ("safety.may", items(&handoff.safety.may)),
        ("safety.ask", items(&handoff.safety.ask)),
        ("safety.never", items(&handoff.safety.never)),
        ("extra", handoff.extra.iter().map(|section| section.text.clone()).collect()),
    ]
}
