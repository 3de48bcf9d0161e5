//! What is larger than it should be. Nothing is dropped for it: a finding names the place and the limit.

use crate::{Decision, Finding, Handoff, Item, Limits, Rejected, Severity, Span};

/// A list as limits see it: its name, whether rendering may cut it, and the size and place of each item.
struct List {
    name: &'static str,
    whole: bool,
    items: Vec<(usize, Option<Span>)>,
}

/// Findings of the code `over-limit`: an objective, an item or a list that is larger than its limit. A list that is
/// never cut gives a warning, since no block can be made of it; the rest is information.
pub fn over_limits(handoff: &Handoff, limits: &Limits) -> Vec<Finding> {
    let mut findings = Vec::new();
    if let Some(objective) = &handoff.objective {
        let found = objective.text.chars().count();
        if found > limits.objective_chars {
            let message = format!(
                "The objective has {found} characters; the limit is {} (objective_chars). It stays whole here, and a model is given its beginning.",
                limits.objective_chars
            );
            findings.push(Finding { span: objective.span, ..Finding::new(Severity::Info, "over-limit", message) });
        }
    }
    for list in lists(handoff) {
        let severity = if list.whole { Severity::Warning } else { Severity::Info };
        let name = list.name;
        if list.items.len() > limits.list_items {
            let found = list.items.len();
            let then = if list.whole { WHOLE } else { "They stay whole here, and a model is given the first of them." };
            let message =
                format!("There are {found} items in {name}; the limit is {} (list_items). {then}", limits.list_items);
            let span = list.items.get(limits.list_items).and_then(|(_, span)| *span);
            findings.push(Finding { span, ..Finding::new(Severity::Warning, "over-limit", message) });
        }
        for (number, (found, span)) in
            list.items.iter().enumerate().filter(|(_, (found, _))| *found > limits.item_chars)
        {
            let then = if list.whole { WHOLE } else { "It stays whole here, and a model is given its beginning." };
            let message = format!(
                "Item {} in {name} has {found} characters; the limit is {} (item_chars). {then}",
                number + 1,
                limits.item_chars
            );
            findings.push(Finding { span: *span, ..Finding::new(severity, "over-limit", message) });
        }
    }
    findings
}

const WHOLE: &str = "This is never cut, so it cannot be rendered: shorten it or raise the limit.";

/// Every list with the sizes of its items.
fn lists(handoff: &Handoff) -> [List; 14] {
    let safety = &handoff.safety;
    let artifacts = handoff.artifacts.iter();
    let artifacts =
        artifacts.map(|artifact| (chars(&artifact.reference) + of(&artifact.note), artifact.span)).collect();
    [
        List { name: "constraints", whole: true, items: items(&handoff.constraints) },
        List { name: "facts", whole: false, items: items(&handoff.facts) },
        List { name: "unverified", whole: false, items: items(&handoff.unverified) },
        List { name: "hazards", whole: false, items: items(&handoff.hazards) },
        List { name: "decisions", whole: false, items: handoff.decisions.iter().map(decision).collect() },
        List { name: "rejected", whole: true, items: handoff.rejected.iter().map(rejected).collect() },
        List { name: "done", whole: false, items: items(&handoff.done) },
        List { name: "next", whole: false, items: items(&handoff.next) },
        List { name: "open", whole: false, items: items(&handoff.open) },
        List { name: "artifacts", whole: false, items: artifacts },
        List { name: "safety.may", whole: true, items: items(&safety.may) },
        List { name: "safety.ask", whole: true, items: items(&safety.ask) },
        List { name: "safety.never", whole: true, items: items(&safety.never) },
        List { name: "omitted", whole: false, items: items(&handoff.omitted) },
    ]
}

fn chars(text: &str) -> usize {
    text.chars().count()
}

fn of(text: &Option<String>) -> usize {
    text.as_deref().map_or(0, chars)
}

fn items(list: &[Item]) -> Vec<(usize, Option<Span>)> {
    list.iter().map(|item| (chars(&item.text), item.span)).collect()
}

fn decision(decision: &Decision) -> (usize, Option<Span>) {
    (chars(&decision.what) + of(&decision.why), decision.span)
}

fn rejected(rejected: &Rejected) -> (usize, Option<Span>) {
    (chars(&rejected.what) + of(&rejected.why), rejected.span)
}

/// The first list that is over a limit and is never cut: its name, what it has and what it may have, in words.
pub(crate) fn never_cut(handoff: &Handoff, limits: &Limits) -> Option<(&'static str, String, String)> {
    lists(handoff).into_iter().filter(|list| list.whole).find_map(|list| {
        if list.items.len() > limits.list_items {
            let (found, most) = (list.items.len(), limits.list_items);
            return Some((list.name, format!("{found} items"), format!("{most} items")));
        }
        let (found, _) = list.items.iter().find(|(found, _)| *found > limits.item_chars)?;
        Some((list.name, format!("an item of {found} characters"), format!("{} characters", limits.item_chars)))
    })
}
