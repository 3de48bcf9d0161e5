//! What a manifest expects of a file beside what the reading gives, value by value. A count may be a range `[a, b]`: careful
//! readers may differ. A text must be part of what is shown.

#[path = "entries.rs"]
mod entries;

use handoff::{Found, Handoff, Item, ItemState, Limits, Readable, Reading, Tree, hidden, read};
use serde_json::{Map, Value};
use std::fs;
use std::path::Path;

/// One expected value.
pub struct Row {
    /// Its name in the manifest.
    pub key: String,
    /// What is expected, as written there.
    pub expected: String,
    /// What the reading gives.
    pub given: String,
    /// Whether that is right.
    pub right: bool,
}

/// The files of a manifest by name.
pub fn manifest(folder: &Path) -> Map<String, Value> {
    let bytes = fs::read(folder.join("manifest.json")).expect("the manifest");
    let mut all: Value = serde_json::from_slice(&bytes).expect("JSON");
    // Where counts are ranges, rejected options are counted wherever they stand.
    let anywhere = all["counting"] == "ranges";
    let mut files = all["files"].take().as_object().expect("files").clone();
    for case in files.values_mut().filter(|_| anywhere) {
        let Some(expect) = case["expect"].as_object_mut() else { continue };
        if let Some(rejected) = expect.remove("rejected") {
            expect.insert("rejected_anywhere".to_owned(), rejected);
        }
    }
    files
}

/// The reading of one file, under the name that it would have in a repository.
pub fn reading(folder: &Path, name: &str, case: &Value) -> Reading {
    let bytes = fs::read(folder.join(name)).expect("a case file");
    read(&bytes, case["wild_name"].as_str().unwrap_or(name), &Limits::default())
}

/// Every value that is expected of one file.
pub fn rows(folder: &Path, name: &str, case: &Value) -> Vec<Row> {
    let reading = reading(folder, name, case);
    let empty = Handoff::default();
    let current = reading.current().unwrap_or(&empty);
    let mut rows = Vec::new();
    let is_handoff = reading.readable != Readable::NotAHandoff;
    push(&mut rows, "is_handoff", &case["is_handoff"], &Value::from(is_handoff));
    if let Some(sessions) = case.get("sessions") {
        push(&mut rows, "sessions", sessions, &Value::from(reading.entries.len()));
    }
    for (key, expected) in case["expect"].as_object().into_iter().flatten() {
        match key.as_str() {
            "current" => members(&mut rows, "current/", expected, current),
            "previous" => {
                let others = entries::others(&reading);
                for (index, one) in expected.as_array().into_iter().flatten().enumerate() {
                    let handoff = others.get(index).copied().unwrap_or(&empty);
                    members(&mut rows, &format!("previous[{index}]/"), one, handoff);
                }
            }
            "warnings" => {
                let bytes = fs::read(folder.join(name)).expect("a case file");
                let codes: Vec<String> =
                    reading.findings.iter().chain(&hidden(&bytes)).map(|finding| finding.code.clone()).collect();
                // Other rooms give the rest: the linter, the look at the repository.
                let elsewhere = ["target-missing", "commit-not-in-repository"];
                let codes_of = expected.as_array().into_iter().flatten().filter_map(Value::as_str);
                for code in codes_of.filter(|code| !elsewhere.contains(code)) {
                    let found = codes.iter().any(|given| given == code);
                    push(&mut rows, &format!("warnings/{code}"), &Value::from(true), &Value::from(found));
                }
            }
            // Why a file is none is there for people.
            "reason" if case["is_handoff"] == false => {}
            _ => member(&mut rows, "", key, expected, current),
        }
    }
    rows
}

fn members(rows: &mut Vec<Row>, above: &str, expected: &Value, handoff: &Handoff) {
    for (key, expected) in expected.as_object().into_iter().flatten() {
        member(rows, above, key, expected, handoff);
    }
}

fn member(rows: &mut Vec<Row>, above: &str, key: &str, expected: &Value, handoff: &Handoff) {
    let name = format!("{above}{key}");
    match key {
        "untracked" => {
            let changed = given_texts("changed", handoff);
            for path in expected.as_array().into_iter().flatten().filter_map(Value::as_str) {
                push(
                    rows,
                    &format!("{name}/{path}"),
                    &Value::from(true),
                    &Value::from(changed.iter().any(|one| one == path)),
                );
            }
        }
        "section_titles_not_found" => {
            for title in expected.as_array().into_iter().flatten().filter_map(Value::as_str) {
                let found = handoff.extra.iter().any(|section| section.heading == title);
                push(rows, &format!("{name}/{title}"), &Value::from(false), &Value::from(found));
            }
        }
        "safety" if !expected.is_object() => push(rows, &name, expected, &given("safety_anywhere", handoff)),
        "safety" | "next_states" => {
            for (inner, expected) in expected.as_object().into_iter().flatten() {
                push(rows, &format!("{name}/{inner}"), expected, &given(&format!("{key}/{inner}"), handoff));
            }
        }
        "trees" => {
            for (index, one) in expected.as_array().into_iter().flatten().enumerate() {
                let only =
                    Handoff { trees: handoff.trees.get(index).cloned().into_iter().collect(), ..Handoff::default() };
                members(rows, &format!("{name}[{index}]/"), one, &only);
            }
        }
        _ if key.starts_with("must_not_be_") => {
            let texts = given_texts(key, handoff);
            for text in expected.as_array().into_iter().flatten().filter_map(Value::as_str) {
                let inside: Vec<&String> =
                    texts.iter().filter(|given| squeezed(given).contains(&squeezed(text))).collect();
                rows.push(Row {
                    key: format!("{name}/{text}"),
                    expected: "absent".to_owned(),
                    given: format!("{inside:?}"),
                    right: inside.is_empty(),
                });
            }
        }
        "pr" | "base_branch" | "base_commit" | "ahead" | "behind" | "stash" | "task" | "total_tasks"
        | "resume_command" => {
            // Kept somewhere, in whatever field.
            let wanted = expected.as_str().map_or_else(|| expected.to_string(), str::to_owned);
            let kept = serde_json::to_string(handoff).expect("JSON").contains(&wanted);
            push(rows, &name, &Value::from(true), &Value::from(kept));
        }
        _ => push(rows, &name, expected, &given(key, handoff)),
    }
}

fn push(rows: &mut Vec<Row>, key: &str, expected: &Value, given: &Value) {
    let right = match (expected, given) {
        // Any one of several texts, or none where none is among them.
        (Value::Array(any), _) if any.iter().any(|one| one.is_string() || one.is_null()) && !given.is_array() => {
            any.iter().any(|one| same_text(one, given))
        }
        (Value::Array(range), Value::Number(given)) => {
            let bound = |index: usize| range.get(index).and_then(Value::as_u64).unwrap_or(u64::MAX);
            given.as_u64().is_some_and(|given| bound(0) <= given && given <= bound(1))
        }
        (expected, given) => same_text(expected, given),
    };
    rows.push(Row { key: key.to_owned(), expected: expected.to_string(), given: given.to_string(), right });
}

fn same_text(expected: &Value, given: &Value) -> bool {
    match (expected, given) {
        (Value::String(expected), Value::String(given)) => squeezed(given).contains(&squeezed(expected)),
        (expected, given) => expected == given,
    }
}

fn squeezed(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ").to_lowercase()
}

fn given_texts(key: &str, handoff: &Handoff) -> Vec<String> {
    let texts = |items: &[Item]| {
        items
            .iter()
            .map(|item| format!("{} {}", item.text, item.evidence.as_deref().unwrap_or_default()))
            .collect::<Vec<_>>()
    };
    let safety = &handoff.safety;
    match key {
        "changed" => handoff.trees.iter().flat_map(|tree| tree.changed.iter().map(|path| path.text.clone())).collect(),
        "must_not_be_fact" => texts(&handoff.facts),
        "must_not_be_rule" => {
            [&safety.may, &safety.ask, &safety.never].into_iter().flat_map(|list| texts(list)).collect()
        }
        "must_not_be_done" => texts(&handoff.done),
        "must_not_be_next" => texts(&handoff.next),
        "must_not_be_rejected" => handoff.rejected.iter().map(|one| one.what.clone()).collect(),
        "must_not_be_head" => {
            handoff.trees.iter().filter_map(|tree| tree.head.as_ref().map(|head| head.text.clone())).collect()
        }
        "must_not_be_decision" => handoff.decisions.iter().map(|one| one.what.clone()).collect(),
        other => panic!("no such list: {other}"),
    }
}

fn dirty_count(tree: &Tree) -> usize {
    let digits: String = tree
        .status
        .as_ref()
        .map(|status| {
            status.text.chars().skip_while(|c| !c.is_ascii_digit()).take_while(char::is_ascii_digit).collect()
        })
        .unwrap_or_default();
    digits.parse().unwrap_or(tree.changed.len())
}

/// What the document gives for a key.
fn given(key: &str, handoff: &Handoff) -> Value {
    let text = |text: &Option<handoff::Text>| text.as_ref().map_or(Value::Null, |text| Value::from(text.text.clone()));
    let said = |text: &Option<String>| text.as_ref().map_or(Value::Null, |text| Value::from(text.clone()));
    let tree = handoff.trees.first();
    let of_tree = |of: fn(&Tree) -> &Option<handoff::Text>| tree.map_or(Value::Null, |tree| text(of(tree)));
    let safety = &handoff.safety;
    let rules = [&safety.may, &safety.ask, &safety.never];
    let found = |found: Found| {
        Value::from(rules.iter().flat_map(|list| list.iter()).filter(|item| item.found == found).count())
    };
    let rejected = |found: Found| handoff.rejected.iter().filter(move |one| one.found == found);
    let state = |state: ItemState| Value::from(handoff.next.iter().filter(|item| item.state == Some(state)).count());
    let provenance = &handoff.provenance;
    match key {
        "title" => text(&handoff.title),
        "objective" => text(&handoff.objective),
        "status" | "state" => text(&handoff.status),
        "created" => said(&provenance.created_at.clone().or(provenance.written_at.clone())),
        "updated" | "date" => said(&provenance.written_at),
        "agent" => said(&provenance.agent),
        "model" => said(&provenance.model),
        "session" => said(&provenance.session),
        "profile" => said(&provenance.profile),
        "reason" => said(&provenance.reason),
        "resets_at" => said(&provenance.resets_at),
        "from" => said(&provenance.from),
        "to" => said(&provenance.to),
        "parent" => said(&provenance.parent),
        "cwd" => said(&provenance.cwd),
        "name" => tree.map_or(Value::Null, |tree| said(&tree.name)),
        "branch" => of_tree(|tree| &tree.branch),
        "head" => of_tree(|tree| &tree.head),
        "subject" => of_tree(|tree| &tree.subject),
        "worktree_path" | "worktree" => of_tree(|tree| &tree.worktree),
        "root" | "path" => {
            tree.map_or(Value::Null, |tree| text(if tree.root.is_some() { &tree.root } else { &tree.worktree }))
        }
        "status_text" => of_tree(|tree| &tree.status),
        "detached" => Value::from(tree.is_some_and(|tree| tree.detached)),
        "dirty" => Value::from(tree.is_some_and(|tree| dirty_count(tree) > 0)),
        "dirty_count" => Value::from(tree.map_or(0, dirty_count)),
        "dirty_files" => Value::from(
            tree.map(|tree| tree.changed.iter().map(|path| path.text.clone()).collect::<Vec<_>>()).unwrap_or_default(),
        ),
        "constraints" => Value::from(handoff.constraints.len()),
        "verified_facts" | "facts" => Value::from(handoff.facts.len()),
        "unverified" | "proposed" => Value::from(handoff.unverified.len()),
        "hazards" => Value::from(handoff.hazards.len()),
        "decisions" => Value::from(handoff.decisions.len()),
        "decisions_with_reason" => Value::from(handoff.decisions.iter().filter(|one| one.why.is_some()).count()),
        "decisions_with_alternatives" => {
            Value::from(handoff.decisions.iter().filter(|one| !one.alternatives.is_empty()).count())
        }
        "rejected_anywhere" => Value::from(handoff.rejected.len()),
        "safety_anywhere" => Value::from(safety.may.len() + safety.ask.len() + safety.never.len()),
        "rejected" => Value::from(rejected(Found::Heading).count()),
        "rejected_with_reason" => Value::from(rejected(Found::Heading).filter(|one| one.why.is_some()).count()),
        "rejected_prose" => Value::from(rejected(Found::Prose).count()),
        "done" => Value::from(handoff.done.len()),
        // What was dropped is neither done nor to do.
        "next" => Value::from(handoff.next.iter().filter(|item| item.state != Some(ItemState::Dropped)).count()),
        "next_states/in_progress" => state(ItemState::InProgress),
        "next_states/blocked" => state(ItemState::Blocked),
        "next_states/open" => state(ItemState::Open),
        "next_states/dropped" => state(ItemState::Dropped),
        "open_questions" | "questions" => Value::from(handoff.open.len()),
        "artifacts" => Value::from(handoff.artifacts.len()),
        "safety_boundary" => found(Found::Heading),
        "safety_prose" => found(Found::Prose),
        "safety/never" => Value::from(safety.never.len()),
        "safety/ask" => Value::from(safety.ask.len()),
        "safety/may" => Value::from(safety.may.len()),
        "points_to" => Value::from(handoff.points_to.iter().map(|target| target.text.clone()).collect::<Vec<_>>()),
        other => Value::from(format!("this score does not know {other}")),
    }
}
