//! Writing a document whole: the canonical file, Handoff JSON 2, and JSON 1 where it can say it all.

use crate::{Artifact, Decision, Error, Handoff, Item, ItemState, Rejected, Tree};
use serde_json::{Map, Value, json};

/// Writes the canonical Markdown file. Reading it gives the same document, places aside.
pub fn write_canonical(handoff: &Handoff) -> String {
    let mut out = String::from("---\nfuda: 2\n");
    let provenance = &handoff.provenance;
    let turns = provenance.turns.map(|turns| turns.to_string());
    for (key, value) in [
        ("id", handoff.id.as_deref()),
        ("title", handoff.title.as_ref().map(|title| title.text.as_str())),
        ("status", handoff.status.as_ref().map(|status| status.text.as_str())),
        ("agent", provenance.agent.as_deref()),
        ("profile", provenance.profile.as_deref()),
        ("model", provenance.model.as_deref()),
        ("session", provenance.session.as_deref()),
        ("turns", turns.as_deref()),
        ("cwd", provenance.cwd.as_deref()),
        ("written_at", provenance.written_at.as_deref()),
        ("created_at", provenance.created_at.as_deref()),
        ("reason", provenance.reason.as_deref()),
        ("resets_at", provenance.resets_at.as_deref()),
        ("from", provenance.from.as_deref()),
        ("to", provenance.to.as_deref()),
        ("parent", provenance.parent.as_deref()),
    ] {
        if let Some(value) = value {
            out.push_str(&format!("{key}: {}\n", scalar(value)));
        }
    }
    out.push_str("---\n# Handoff\n");
    if let Some(objective) = &handoff.objective {
        out.push_str("## Objective\n");
        for line in objective.text.lines() {
            out.push_str(&escape_line(line));
            out.push('\n');
        }
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
        for (heading, list) in [("May do alone", &safety.may), ("Needs a person", &safety.ask), ("Never", &safety.never)] {
            if !list.is_empty() {
                out.push_str(&format!("### {heading}\n"));
                list.iter().for_each(|item| out.push_str(&bullet(&plain_item(item))));
            }
        }
    }
    items(&mut out, "Omitted", &handoff.omitted, plain_item);
    for section in &handoff.extra {
        // A section of ours by name would be read as that field; the mark keeps it apart.
        out.push_str(&format!("## Extra: {}\n", one_line(&section.heading)));
        for line in section.text.split('\n') {
            out.push_str(&format!("    {line}\n"));
        }
    }
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
        out.push_str(if number == 0 { "- " } else { "  " });
        out.push_str(line);
        out.push('\n');
    }
    out
}

fn plain_item(item: &Item) -> String {
    let mark = item.mark.as_ref().map(|mark| format!("{mark}: ")).filter(|mark| !item.text.starts_with(mark.trim_end()));
    escape(&format!("{}{}", mark.unwrap_or_default(), item.text))
}

fn fact(item: &Item) -> String {
    match &item.evidence {
        Some(evidence) => format!("{} ({})", plain_item(item), one_line(evidence)),
        // A text that ends in brackets of its own would be read as evidence.
        None if item.text.trim_end().ends_with(')') => format!("{} ()", plain_item(item)),
        None => plain_item(item),
    }
}

fn done_item(item: &Item) -> String {
    match item.state {
        None | Some(ItemState::Done) => plain_item(item),
        Some(state) => format!("[{}] {}", box_mark(state), plain_item(item)),
    }
}

fn next_item(item: &Item) -> String {
    format!("[{}] {}", box_mark(item.state.unwrap_or(ItemState::Open)), plain_item(item))
}

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

fn decision(decision: &Decision) -> String {
    let mut line = one_line(&decision.what);
    if let Some(why) = &decision.why {
        line.push_str(&format!(": because {}", one_line(why)));
    }
    if let Some(at) = &decision.at {
        line.push_str(&format!(" [{at}]"));
    }
    let mut out = escape(&line);
    for alternative in &decision.alternatives {
        out.push_str(&format!("\n- {}", one_line(alternative)));
    }
    out
}

fn rejected(rejected: &Rejected) -> String {
    let why = rejected.why.as_ref().map(|why| format!(": because {}", one_line(why))).unwrap_or_default();
    escape(&format!("{}{why}", one_line(&rejected.what)))
}

fn artifact(artifact: &Artifact) -> String {
    let kind = artifact.kind.as_ref().map(|kind| format!(" ({kind})")).unwrap_or_default();
    let note = artifact.note.as_ref().map(|note| format!(" — {}", one_line(note))).unwrap_or_default();
    format!("{}{kind}: {}{note}", one_line(&artifact.name), one_line(&artifact.reference))
}

fn trees(out: &mut String, trees: &[Tree]) {
    if trees.is_empty() {
        return;
    }
    out.push_str("## Working tree\n");
    for (number, tree) in trees.iter().enumerate() {
        if trees.len() > 1 || tree.name.is_some() {
            out.push_str(&format!("### {}\n", tree.name.clone().unwrap_or_else(|| (number + 1).to_string())));
        }
        if tree.detached {
            out.push_str("- branch: (detached)\n");
        }
        let changed = tree.changed.iter().map(|path| path.text.as_str()).collect::<Vec<_>>().join("\n");
        for (key, value) in [
            ("branch", tree.branch.as_ref().map(|text| text.text.as_str())),
            ("HEAD", tree.head.as_ref().map(|text| text.text.as_str())),
            ("subject", tree.subject.as_ref().map(|text| text.text.as_str())),
            ("status", tree.status.as_ref().map(|text| text.text.as_str())),
            ("diff", tree.diff.as_ref().map(|text| text.text.as_str())),
            ("root", tree.root.as_ref().map(|text| text.text.as_str())),
            ("worktree", tree.worktree.as_ref().map(|text| text.text.as_str())),
            ("changed", (!changed.is_empty()).then_some(changed.as_str())),
        ] {
            if let Some(value) = value {
                out.push_str(&bullet(&format!("{key}: {}", value.trim_end())));
            }
        }
    }
}

/// Puts a backslash before what would read as structure at the start of a line.
pub(crate) fn escape(text: &str) -> String {
    text.lines().map(escape_line).collect::<Vec<_>>().join("\n")
}

fn escape_line(line: &str) -> String {
    let trimmed = line.trim_start();
    let digits = trimmed.trim_start_matches(|character: char| character.is_ascii_digit());
    let numbered = digits.len() < trimmed.len() && (digits.starts_with(". ") || digits.starts_with(") "));
    let structure = trimmed.starts_with(['#', '\\', '>', '|', '[', '<', '='])
        || ["- ", "* ", "+ ", "```", "~~~", "---", "***", "___"].iter().any(|start| trimmed.starts_with(start))
        || matches!(trimmed, "-" | "*" | "+")
        || numbered;
    let lead = &line[..line.len() - trimmed.len()];
    if structure { format!("{lead}\\{trimmed}") } else { line.to_owned() }
}

/// Takes the backslash away again.
pub(crate) fn unescape(text: &str) -> String {
    text.lines().map(|line| line.trim_start().strip_prefix('\\').map_or_else(|| line.to_owned(), str::to_owned)).collect::<Vec<_>>().join("\n")
}

fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// A front matter value, quoted where YAML would read it as something else.
pub(crate) fn scalar(value: &str) -> String {
    let plain = value.chars().next().is_some_and(|first| first.is_alphanumeric() || matches!(first, '/' | '~' | '.' | '(' | '_'))
        && !value.contains(": ") && !value.contains(" #") && !value.ends_with([':', ' ']) && !value.contains(['\n', '\r', '"', '\t', '\\'])
        && value.chars().all(|character| !character.is_control())
        && !matches!(value.to_ascii_lowercase().as_str(), "true" | "false" | "null" | "yes" | "no" | "on" | "off" | "~");
    if plain { value.to_owned() } else { Value::String(value.to_owned()).to_string() }
}

/// Writes Handoff JSON 2.
pub fn write_json2(handoff: &Handoff) -> String {
    let mut object = Map::new();
    object.insert("version".into(), json!(2));
    put(&mut object, "id", handoff.id.clone());
    put(&mut object, "title", handoff.title.as_ref().map(|title| title.text.clone()));
    object.insert("objective".into(), json!(handoff.objective.as_ref().map_or("", |objective| objective.text.as_str())));
    put(&mut object, "status", handoff.status.as_ref().map(|status| status.text.clone()));
    for (key, list) in [
        ("constraints", &handoff.constraints),
        ("facts", &handoff.facts),
        ("unverified", &handoff.unverified),
        ("hazards", &handoff.hazards),
        ("done", &handoff.done),
        ("next", &handoff.next),
        ("open", &handoff.open),
        ("omitted", &handoff.omitted),
    ] {
        put_list(&mut object, key, list.iter().map(json_item).collect());
    }
    put_list(&mut object, "decisions", handoff.decisions.iter().map(json_decision).collect());
    put_list(&mut object, "rejected", handoff.rejected.iter().map(|item| without_nulls(json!({ "what": item.what, "why": item.why }))).collect());
    put_list(&mut object, "artifacts", handoff.artifacts.iter().map(json_artifact).collect());
    put_list(&mut object, "trees", handoff.trees.iter().map(json_tree).collect());
    let safety = &handoff.safety;
    if !(safety.may.is_empty() && safety.ask.is_empty() && safety.never.is_empty()) {
        let list = |items: &[Item]| items.iter().map(json_item).collect::<Vec<_>>();
        object.insert("safety".into(), json!({ "may": list(&safety.may), "ask": list(&safety.ask), "never": list(&safety.never) }));
    }
    let provenance = without_nulls(serde_json::to_value(&handoff.provenance).unwrap_or_default());
    if provenance.as_object().is_some_and(|object| !object.is_empty()) {
        object.insert("provenance".into(), provenance);
    }
    put_list(&mut object, "extra", handoff.extra.iter().map(|section| json!({ "heading": section.heading, "text": section.text })).collect());
    pretty(Value::Object(object))
}

/// Writes Handoff JSON 1, which has no place for facts, hazards, the tree or the boundary.
///
/// # Errors
/// [`Error::Loses`] with what it could not say.
pub fn write_json1(handoff: &Handoff) -> Result<String, Error> {
    let safety = &handoff.safety;
    let lost: Vec<String> = [
        ("id", handoff.id.is_some()),
        ("title", handoff.title.is_some()),
        ("facts", !handoff.facts.is_empty()),
        ("unverified", !handoff.unverified.is_empty()),
        ("hazards", !handoff.hazards.is_empty()),
        ("trees", !handoff.trees.is_empty()),
        ("safety", !(safety.may.is_empty() && safety.ask.is_empty() && safety.never.is_empty())),
        ("omitted", !handoff.omitted.is_empty()),
        ("extra", !handoff.extra.is_empty()),
    ]
    .into_iter()
    .filter_map(|(field, there)| there.then(|| field.to_owned()))
    .collect();
    if !lost.is_empty() {
        return Err(Error::Loses { fields: lost });
    }
    let two = write_json2(handoff);
    let mut value: Value = serde_json::from_str(&two).unwrap_or_default();
    if let Some(object) = value.as_object_mut() {
        object.insert("version".into(), json!(1));
    }
    Ok(pretty(value))
}

fn pretty(value: Value) -> String {
    format!("{value:#}\n")
}

fn put(object: &mut Map<String, Value>, key: &str, value: Option<String>) {
    if let Some(value) = value {
        object.insert(key.to_owned(), Value::String(value));
    }
}

fn put_list(object: &mut Map<String, Value>, key: &str, list: Vec<Value>) {
    if !list.is_empty() {
        object.insert(key.to_owned(), Value::Array(list));
    }
}

fn without_nulls(value: Value) -> Value {
    match value {
        Value::Object(object) => Value::Object(object.into_iter().filter(|(_, value)| !value.is_null() && *value != json!([]) && *value != json!(false)).collect()),
        other => other,
    }
}

fn json_item(item: &Item) -> Value {
    if item.state.is_none() && item.evidence.is_none() && item.mark.is_none() {
        return Value::String(item.text.clone());
    }
    without_nulls(json!({ "text": item.text, "state": item.state, "evidence": item.evidence, "mark": item.mark }))
}

fn json_decision(decision: &Decision) -> Value {
    without_nulls(json!({ "what": decision.what, "why": decision.why, "alternatives": decision.alternatives, "at": decision.at, "mark": decision.mark }))
}

fn json_artifact(artifact: &Artifact) -> Value {
    without_nulls(json!({ "name": artifact.name, "kind": artifact.kind, "ref": artifact.reference, "note": artifact.note }))
}

fn json_tree(tree: &Tree) -> Value {
    let text = |part: &Option<crate::Text>| part.as_ref().map(|part| part.text.clone());
    without_nulls(json!({
        "name": tree.name, "root": text(&tree.root), "worktree": text(&tree.worktree), "branch": text(&tree.branch), "detached": tree.detached,
        "head": text(&tree.head), "subject": text(&tree.subject), "status": text(&tree.status),
        "changed": tree.changed.iter().map(|path| path.text.clone()).collect::<Vec<_>>(), "diff": text(&tree.diff),
    }))
}
