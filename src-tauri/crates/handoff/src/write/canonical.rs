//! Fuda's own Markdown file. Everything that the model holds is written so that it reads back the same: what the
//! plain grammar has no place for stands in braces at the end of its item.

use super::escape::{escape, guard};
use super::{box_mark, state_name};
use crate::formats::canonical::{because, reads_back};
use crate::formats::markdown::{leading_mark, split_evidence, split_reason, split_reason_or_colon};
use crate::{Artifact, Decision, Handoff, Item, ItemState, Rejected, Section, Text, Tree};
use serde_json::Value;

/// Writes the canonical Markdown file. Reading it gives the same document, places aside.
pub fn write_canonical(handoff: &Handoff) -> String {
    let mut out = front_matter(handoff);
    out.push_str("# Handoff\n");
    if let Some(objective) = &handoff.objective {
        out.push_str(&format!("## Objective\n{}\n", escape(objective.text.trim())));
    }
    items(&mut out, "Constraints", &handoff.constraints, plain_item);
    items(&mut out, "Verified facts", &handoff.facts, fact);
    items(&mut out, "Unverified", &handoff.unverified, plain_item);
    items(&mut out, "Hazards", &handoff.hazards, plain_item);
    list(&mut out, "Decisions", handoff.decisions.iter().map(decision));
    list(&mut out, "Rejected", handoff.rejected.iter().map(rejected));
    items(&mut out, "Done", &handoff.done, done_item);
    items(&mut out, "Remaining work", &handoff.next, next_item);
    items(&mut out, "Open questions", &handoff.open, plain_item);
    list(&mut out, "Artifacts", handoff.artifacts.iter().map(artifact));
    trees(&mut out, &handoff.trees);
    let safety = &handoff.safety;
    if !(safety.may.is_empty() && safety.ask.is_empty() && safety.never.is_empty()) {
        out.push_str("## Safety boundary\n");
        for (heading, list) in
            [("May do alone", &safety.may), ("Needs a person", &safety.ask), ("Never", &safety.never)]
        {
            if !list.is_empty() {
                out.push_str(&format!("### {heading}\n"));
                list.iter().for_each(|item| out.push_str(&bullet(&plain_item(item))));
            }
        }
    }
    items(&mut out, "Omitted", &handoff.omitted, plain_item);
    handoff.extra.iter().for_each(|section| out.push_str(&extra(section)));
    out
}

fn front_matter(handoff: &Handoff) -> String {
    let mut out = String::from("---\nfuda: 2\n");
    let provenance = &handoff.provenance;
    let turns = provenance.turns.map(|turns| turns.to_string());
    let text = |part: &Option<Text>| part.as_ref().map(|part| part.text.clone());
    let title = text(&handoff.title);
    let status = text(&handoff.status);
    // The reader takes the time of creation for the time of writing when no other is given.
    let written = provenance.written_at.as_ref().filter(|at| Some(*at) != provenance.created_at.as_ref());
    for (key, value) in [
        ("id", handoff.id.as_ref()),
        ("title", title.as_ref()),
        ("status", status.as_ref()),
        ("agent", provenance.agent.as_ref()),
        ("profile", provenance.profile.as_ref()),
        ("model", provenance.model.as_ref()),
        ("session", provenance.session.as_ref()),
        ("turns", turns.as_ref()),
        ("cwd", provenance.cwd.as_ref()),
        ("written_at", written),
        ("created_at", provenance.created_at.as_ref()),
        ("reason", provenance.reason.as_ref()),
        ("resets_at", provenance.resets_at.as_ref()),
        ("from", provenance.from.as_ref()),
        ("to", provenance.to.as_ref()),
        ("parent", provenance.parent.as_ref()),
    ] {
        if let Some(value) = value {
            out.push_str(&format!("{key}: {}\n", scalar(value)));
        }
    }
    out.push_str("---\n");
    out
}

fn list(out: &mut String, heading: &str, entries: impl Iterator<Item = String>) {
    let entries: Vec<String> = entries.collect();
    if !entries.is_empty() {
        out.push_str(&format!("## {heading}\n"));
        entries.iter().for_each(|entry| out.push_str(&bullet(entry)));
    }
}

fn items(out: &mut String, heading: &str, list_: &[Item], write: fn(&Item) -> String) {
    list(out, heading, list_.iter().map(write));
}

/// A bullet whose continuation lines are indented.
pub(crate) fn bullet(text: &str) -> String {
    let mut out = String::new();
    for (number, line) in text.lines().enumerate() {
        out.push_str(match (number, line.is_empty()) {
            (0, _) => "- ",
            (_, true) => "",
            (_, false) => "  ",
        });
        out.push_str(line);
        out.push('\n');
    }
    out
}

/// An item whose state and evidence have no place of their own in its section.
fn plain_item(item: &Item) -> String {
    let state = item.state.map(state_name);
    with_braces(escape(item.text.trim()), item, item.evidence.as_deref(), state)
}

fn fact(item: &Item) -> String {
    let mut out = escape(item.text.trim());
    let mut apart = None;
    match &item.evidence {
        Some(evidence) if split_evidence(&format!("x ({evidence})")).1.as_ref() == Some(evidence) => {
            out.push_str(&format!(" ({evidence})"));
        }
        Some(evidence) => {
            out.push_str(" ()");
            apart = Some(evidence.as_str());
        }
        // A text that ends in brackets of its own would be read as evidence.
        None if item.text.trim_end().ends_with(')') => out.push_str(" ()"),
        None => {}
    }
    with_braces(out, item, apart, item.state.map(state_name))
}

fn done_item(item: &Item) -> String {
    boxed(item, item.state.filter(|state| *state != ItemState::Done))
}

fn next_item(item: &Item) -> String {
    boxed(item, Some(item.state.unwrap_or(ItemState::Open)))
}

fn boxed(item: &Item, state: Option<ItemState>) -> String {
    let words = with_braces(escape(item.text.trim()), item, item.evidence.as_deref(), None);
    match state {
        Some(state) => format!("[{}] {words}", box_mark(state)),
        None => words,
    }
}

/// Adds what the plain grammar has no place for. An item that ends in a brace of its own gets all of them, so that
/// its own is not taken for one.
fn with_braces(mut out: String, item: &Item, evidence: Option<&str>, state: Option<&str>) -> String {
    let all = item.text.trim_end().ends_with('}').then_some("");
    braces(&mut out, "evidence", evidence.or(all));
    braces(&mut out, "state", state.or(all));
    let found = leading_mark(&item.text);
    let mark = (found != item.mark || all.is_some()).then(|| item.mark.as_deref().unwrap_or_default());
    braces(&mut out, "mark", mark);
    out
}

fn braces(out: &mut String, key: &str, value: Option<&str>) {
    if let Some(value) = value {
        out.push_str(&format!(" {{{key}: {}}}", one_line(value).replace('{', "(").replace('}', ")")));
    }
}

const BECAUSE: &str = ": because ";

fn decision(decision: &Decision) -> String {
    let mut line = reasoned(&decision.what, decision.why.as_deref(), split_reason);
    let own = line.ends_with([']', '}']).then_some("");
    match &decision.at {
        Some(at) if crate::dates::find(at).is_some() => line.push_str(&format!(" [{at}]")),
        at => braces(&mut line, "at", at.as_deref().or(own)),
    }
    braces(&mut line, "mark", decision.mark.as_deref().or(own));
    for alternative in &decision.alternatives {
        line.push('\n');
        line.push_str(bullet(&escape(alternative.trim())).trim_end());
    }
    line
}

fn rejected(rejected: &Rejected) -> String {
    reasoned(&rejected.what, rejected.why.as_deref(), split_reason_or_colon)
}

/// `what: because why`. A bare `: because` says that no reason is given, where the words alone would read as one.
fn reasoned(what: &str, why: Option<&str>, other: fn(&str) -> (String, Option<String>)) -> String {
    let what = what.trim();
    let line = match why {
        Some(why) => format!("{}{BECAUSE}{}", guard(what, BECAUSE), why.trim()),
        None if because(what, other) == (what.to_owned(), None) => what.to_owned(),
        None => format!("{}{}", guard(what, BECAUSE), BECAUSE.trim_end()),
    };
    escape(&line)
}

fn artifact(artifact: &Artifact) -> String {
    let name = guard(&one_line(&artifact.name), ": ");
    let reference = guard(&one_line(&artifact.reference), " — ");
    let kind = match &artifact.kind {
        Some(kind) => format!(" ({kind})"),
        None if name.ends_with(')') => " ()".to_owned(),
        None => String::new(),
    };
    let note = artifact.note.as_ref().map(|note| format!(" — {}", one_line(note))).unwrap_or_default();
    escape(&format!("{name}{kind}: {reference}{note}"))
}

fn trees(out: &mut String, trees: &[Tree]) {
    if trees.is_empty() {
        return;
    }
    out.push_str("## Working tree\n");
    for (number, tree) in trees.iter().enumerate() {
        match &tree.name {
            Some(name) => out.push_str(&format!("### {}\n", one_line(name))),
            None if trees.len() > 1 => out.push_str(&format!("### ({})\n", number + 1)),
            None => {}
        }
        if tree.detached {
            out.push_str("- branch: (detached)\n");
        }
        let changed = tree.changed.iter().map(|path| path.text.as_str()).collect::<Vec<_>>().join("\n");
        let text = |part: &Option<Text>| part.as_ref().map(|part| part.text.clone());
        for (key, value) in [
            ("branch", text(&tree.branch)),
            ("HEAD", text(&tree.head)),
            ("subject", text(&tree.subject)),
            ("status", text(&tree.status)),
            ("diff", text(&tree.diff)),
            ("root", text(&tree.root)),
            ("worktree", text(&tree.worktree)),
            ("changed", (!changed.is_empty()).then_some(changed)),
        ] {
            if let Some(value) = value {
                out.push_str(&bullet(&escape(&format!("{key}: {}", value.trim()))));
            }
        }
    }
}

/// A section of the document's own. Where it would not read back as it is, its lines are indented and its heading
/// says so.
fn extra(section: &Section) -> String {
    let heading = one_line(&section.heading);
    let plain = format!("## {heading}\n{}\n", section.text);
    if reads_back(&plain, &heading, &section.text) {
        return plain;
    }
    let mut out = format!("## Extra: {heading}\n");
    for line in section.text.split('\n') {
        out.push_str(&format!("    {line}\n"));
    }
    out
}

fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// A front matter value, quoted where YAML would read it as something else.
pub(crate) fn scalar(value: &str) -> String {
    const WORDS: &[&str] = &["true", "false", "null", "yes", "no", "on", "off", "~"];
    let begins = value
        .chars()
        .next()
        .is_some_and(|first| first.is_alphanumeric() || matches!(first, '/' | '~' | '.' | '(' | '_'));
    let plain = begins
        && !value.contains(": ")
        && !value.contains(" #")
        && !value.ends_with([':', ' '])
        && !value.contains(['"', '\\'])
        && !value.chars().any(|character| character.is_control() || matches!(character, '\u{2028}' | '\u{2029}'))
        && !WORDS.contains(&value.to_ascii_lowercase().as_str());
    if plain { value.to_owned() } else { Value::String(value.to_owned()).to_string() }
}
