//! The cold-start test without a model: what would a reader who knows nothing stumble over?

use crate::formats::markdown::is_placeholder;
use crate::{Finding, Handoff, Item, ItemState, Reading, Severity, Span};
use regex::Regex;
use std::sync::LazyLock;

// OK because the patterns are constants that the tests compile.
fn regex(pattern: &str) -> Regex {
    Regex::new(pattern).unwrap_or_else(|error| panic!("{pattern}: {error}"))
}

static ASSUMES: LazyLock<Regex> = LazyLock::new(|| {
    regex(
        r"(?i)\b(?:as discussed|as mentioned|as agreed|see above|the above|the rest(?: of)?|the others?|same as before|like before|you know|the usual|continue with (?:it|this|that|the rest)|etc\.?$|and so on|the remaining (?:ones|stuff))\b|前述の|上記の|同上|如上|之前说的|위와 같이",
    )
});
static DESTRUCTIVE: LazyLock<Regex> = LazyLock::new(|| {
    regex(r"(?i)\b(?:delete|drop|reset|force[- ]push|rm -rf|truncate|wipe|purge|overwrite|rewrite history)\b|削除|删除")
});
static REASONED: LazyLock<Regex> =
    LazyLock::new(|| regex(r"(?i)\b(?:because|since|so that|after|once|reason)\b|ため|因为"));

/// Findings of the cold-start test; none of them blocks.
pub fn lint(reading: &Reading) -> Vec<Finding> {
    let Some(handoff) = reading.current() else { return Vec::new() };
    let mut findings = Vec::new();
    whole(handoff, &mut findings);
    let open: Vec<(usize, &Item)> = handoff
        .next
        .iter()
        .enumerate()
        .filter(|(_, item)| !matches!(item.state, Some(ItemState::Done | ItemState::Dropped)))
        .collect();
    for (index, item) in &open {
        if let Some(words) = ASSUMES.find(&item.text) {
            add(
                &mut findings,
                Severity::Warning,
                "assumes-context",
                format!("Item {} assumes context: “{}”.", index + 1, words.as_str()),
                item.span,
            );
        }
        if DESTRUCTIVE.is_match(&item.text) && !REASONED.is_match(&item.text) {
            add(
                &mut findings,
                Severity::Warning,
                "destructive-without-reason",
                format!("Item {} removes something and does not say why.", index + 1),
                item.span,
            );
        }
    }
    for (index, fact) in handoff
        .facts
        .iter()
        .enumerate()
        .filter(|(_, fact)| fact.evidence.is_none() && crate::mentions(&fact.text).is_empty())
    {
        add(
            &mut findings,
            Severity::Info,
            "claim",
            format!("Fact {} names no file, commit or command, so the next model can't check it.", index + 1),
            fact.span,
        );
    }
    for (name, items) in lists(handoff) {
        if let Some(item) = items.iter().find(|item| is_placeholder(&item.text)) {
            add(
                &mut findings,
                Severity::Warning,
                "draft",
                format!("A placeholder in {name} was never filled in: {}", item.text),
                item.span,
            );
        }
    }
    if open.is_empty() && !handoff.next.is_empty()
        || (handoff.next.is_empty() && !handoff.done.is_empty() && handoff.open.is_empty())
    {
        add(&mut findings, Severity::Info, "finished", "Nothing is open. This may be finished.".to_owned(), None);
    }
    findings
}

fn whole(handoff: &Handoff, findings: &mut Vec<Finding>) {
    if handoff.objective.is_none() && handoff.title.is_none() {
        add(
            findings,
            Severity::Warning,
            "no-objective",
            "No objective is recorded. The next model does not know what for.".to_owned(),
            None,
        );
    }
    if handoff.next.is_empty() && handoff.done.is_empty() {
        add(findings, Severity::Info, "no-next", "No next step is recorded.".to_owned(), None);
    }
    let safety = &handoff.safety;
    if safety.may.is_empty() && safety.ask.is_empty() && safety.never.is_empty() {
        add(findings, Severity::Info, "no-safety", "No safety boundary is recorded.".to_owned(), None);
    }
    let recorded = handoff.trees.iter().any(|tree| tree.head.is_some() || tree.branch.is_some());
    if !recorded {
        add(findings, Severity::Info, "no-tree", "No branch or commit is recorded.".to_owned(), None);
    }
}

fn lists(handoff: &Handoff) -> [(&'static str, &[Item]); 6] {
    [
        ("constraints", &handoff.constraints),
        ("facts", &handoff.facts),
        ("hazards", &handoff.hazards),
        ("done", &handoff.done),
        ("next", &handoff.next),
        ("open questions", &handoff.open),
    ]
}

fn add(findings: &mut Vec<Finding>, severity: Severity, code: &str, message: String, span: Option<Span>) {
    let mut finding = Finding::new(severity, code, message);
    finding.span = span;
    findings.push(finding);
}
