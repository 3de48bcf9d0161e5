//! The case files: what each of them must give, and a score over all of them.
//!
//! `cargo test -p handoff --test cases score -- --nocapture` prints one line a value and the total.

#[path = "support/entries.rs"]
mod entries;

use handoff::{Handoff, ItemState, Limits, Readable, Reading, Tree, read};
use serde_json::Value;
use std::fs;
use std::path::PathBuf;

fn folder() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../../tests/cases/handoffs")
}

fn reading(name: &str) -> Reading {
    let bytes = fs::read(folder().join(name)).expect("a case file");
    read(&bytes, name, &Limits::default())
}

fn manifest() -> serde_json::Map<String, Value> {
    let bytes = fs::read(folder().join("manifest.json")).expect("the manifest");
    let all: Value = serde_json::from_slice(&bytes).expect("JSON");
    all["files"].as_object().expect("files").clone()
}

/// Values that other rooms give: the linter, the look at the repository.
const ELSEWHERE: &[&str] = &["target-missing", "commit-not-in-repository"];

fn count(number: usize) -> Value {
    Value::from(number)
}

fn text(value: Option<&str>) -> Value {
    value.map_or(Value::Null, Value::from)
}

fn tree_text<'a>(handoff: &'a Handoff, of: impl Fn(&'a Tree) -> Option<&'a handoff::Text>) -> Value {
    text(handoff.trees.first().and_then(of).map(|found| found.text.as_str()))
}

fn extra(handoff: &Handoff, word: &str) -> Option<String> {
    let word = word.to_lowercase();
    handoff
        .extra
        .iter()
        .map(|section| format!("{}: {}", section.heading, section.text))
        .find(|text| text.to_lowercase().contains(&word))
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

fn findings(reading: &Reading, bytes: &[u8]) -> Vec<String> {
    let hidden = handoff::hidden(bytes);
    reading.findings.iter().chain(&hidden).map(|finding| finding.code.clone()).collect()
}

/// What the reading gives for a key of the manifest, in the manifest's shape.
fn given(key: &str, expected: &Value, handoff: &Handoff, reading: &Reading) -> Value {
    let now = handoff.next.iter().filter(|item| item.under.as_deref() == Some("Now")).count();
    match key {
        "title" => text(handoff.title.as_ref().map(|title| title.text.as_str())),
        "created" => {
            let at = handoff.provenance.created_at.as_deref().or(handoff.provenance.written_at.as_deref());
            text(at)
        }
        "updated" => text(handoff.provenance.written_at.as_deref()),
        "model" => text(handoff.provenance.model.as_deref()),
        "status" | "state" if expected.is_string() => text(handoff.status.as_ref().map(|status| status.text.as_str())),
        "branch" => tree_text(handoff, |tree| tree.branch.as_ref()),
        "head" => tree_text(handoff, |tree| tree.head.as_ref()),
        "worktree_path" => tree_text(handoff, |tree| tree.worktree.as_ref()),
        "path" => tree_text(handoff, |tree| tree.root.as_ref().or(tree.worktree.as_ref())),
        "status_text" => tree_text(handoff, |tree| tree.status.as_ref()),
        "detached" => Value::from(handoff.trees.first().is_some_and(|tree| tree.detached)),
        "dirty" => Value::from(handoff.trees.first().is_some_and(|tree| dirty_count(tree) > 0)),
        "dirty_count" => count(handoff.trees.first().map_or(0, dirty_count)),
        "modified" => count(
            handoff
                .trees
                .first()
                .map_or(0, |tree| tree.changed.iter().filter(|path| path.text.starts_with("lamp/")).count()),
        ),
        "dirty_files" => Value::from(
            handoff
                .trees
                .first()
                .map(|tree| tree.changed.iter().map(|path| path.text.clone()).collect::<Vec<_>>())
                .unwrap_or_default(),
        ),
        "untracked" => {
            let changed = handoff
                .trees
                .first()
                .map(|tree| tree.changed.iter().map(|path| path.text.clone()).collect::<Vec<_>>())
                .unwrap_or_default();
            let wanted: Vec<String> =
                expected.as_array().into_iter().flatten().filter_map(|name| name.as_str().map(str::to_owned)).collect();
            Value::from(changed.into_iter().filter(|path| wanted.contains(path)).collect::<Vec<_>>())
        }
        "decoded_path" => {
            let wanted = expected.as_str().unwrap_or_default();
            let found = handoff.trees.iter().flat_map(|tree| &tree.changed).any(|path| path.text == wanted);
            text(found.then_some(wanted))
        }
        "diffstat_files" => {
            let diff = handoff
                .trees
                .first()
                .and_then(|tree| tree.diff.as_ref())
                .map(|diff| diff.text.as_str())
                .unwrap_or_default();
            count(diff.lines().filter(|line| line.contains(" | ")).count())
        }
        "new_files" => count(
            handoff
                .trees
                .first()
                .map_or(0, |tree| tree.changed.iter().filter(|path| path.text.ends_with(".py")).count()),
        ),
        "objective" => {
            let goal = handoff.objective.as_ref().map(|goal| goal.text.as_str()).unwrap_or_default();
            match expected.as_str() {
                Some(wanted) => text(goal.contains(wanted).then_some(wanted)),
                None => count(goal.lines().count()),
            }
        }
        "done" => count(handoff.done.len()),
        "now" => count(now),
        "next" => count(handoff.next.len() - now),
        "decisions" => count(handoff.decisions.len()),
        "decisions_with_reason" => count(handoff.decisions.iter().filter(|decision| decision.why.is_some()).count()),
        "decisions_with_alternatives" => {
            count(handoff.decisions.iter().filter(|decision| !decision.alternatives.is_empty()).count())
        }
        "rejected" => count(handoff.rejected.len()),
        "rejected_with_reason" => count(handoff.rejected.iter().filter(|item| item.why.is_some()).count()),
        "verified_facts" => count(handoff.facts.len()),
        "proposed" => count(handoff.unverified.len()),
        "hazards" => count(handoff.hazards.len()),
        "constraints" => count(handoff.constraints.len()),
        "artifacts" => count(handoff.artifacts.len()),
        "open_questions" => count(handoff.open.len()),
        "safety_boundary" => count(handoff.safety.may.len() + handoff.safety.ask.len() + handoff.safety.never.len()),
        "pr" => Value::from(extra(handoff, "PR").and_then(|text| {
            text.split('#')
                .nth(1)
                .and_then(|rest| rest.split(|c: char| !c.is_ascii_digit()).next().and_then(|n| n.parse::<u64>().ok()))
        })),
        "resume_commands" => {
            let section =
                handoff.extra.iter().find(|section| section.heading.to_lowercase().contains("resume command"));
            count(section.map_or(0, |section| {
                section.text.lines().filter(|line| !line.trim().is_empty() && !line.starts_with("```")).count()
            }))
        }
        "section_titles_not_found" => {
            let wanted = expected.as_array().cloned().unwrap_or_default();
            let absent = wanted
                .into_iter()
                .filter(|title| !handoff.extra.iter().any(|section| Some(section.heading.as_str()) == title.as_str()));
            Value::from(absent.collect::<Vec<_>>())
        }
        "points_to" => Value::from(handoff.points_to.iter().map(|target| target.text.clone()).collect::<Vec<_>>()),
        "heads" => Value::from(
            reading
                .entries
                .iter()
                .filter_map(|entry| {
                    entry.handoff.trees.first().and_then(|tree| tree.head.as_ref()).map(|head| head.text.clone())
                })
                .collect::<Vec<_>>(),
        ),
        "task" | "total_tasks" | "base_branch" | "base_commit" | "ahead" | "behind" | "stash" | "resume_command" => {
            // Kept verbatim: the value stands in `extra`.
            let wanted = expected.as_str().map(str::to_owned).unwrap_or_else(|| expected.to_string());
            let kept =
                handoff.extra.iter().any(|section| format!("{}: {}", section.heading, section.text).contains(&wanted));
            if kept { expected.clone() } else { Value::Null }
        }
        "submodule" => {
            let kept = extra(handoff, "submodule").is_some();
            if kept { expected.clone() } else { Value::Null }
        }
        "status" => {
            let lines = handoff
                .trees
                .first()
                .and_then(|tree| tree.status.as_ref())
                .map(|status| status.text.lines().count())
                .unwrap_or(0);
            let wanted: usize = expected
                .as_object()
                .map(|kinds| kinds.values().filter_map(Value::as_u64).sum::<u64>() as usize)
                .unwrap_or(0);
            if lines == wanted { expected.clone() } else { count(lines) }
        }
        "reason" => text(
            reading
                .reason
                .as_deref()
                .filter(|reason| reason.to_lowercase().contains(expected.as_str().unwrap_or_default()))
                .and(expected.as_str()),
        ),
        _ => Value::Null,
    }
}

/// Every value of one file: key, expected, given.
fn values(name: &str, case: &Value) -> Vec<(String, Value, Value)> {
    let bytes = fs::read(folder().join(name)).expect("a case file");
    let reading = reading(name);
    let mut rows = Vec::new();
    let is_handoff = reading.readable != Readable::NotAHandoff;
    rows.push(("is_handoff".to_owned(), case["is_handoff"].clone(), Value::from(is_handoff)));
    if let Some(sessions) = case.get("sessions") {
        rows.push(("sessions".to_owned(), sessions.clone(), count(reading.entries.len())));
    }
    let empty = Handoff::default();
    let current = reading.current().unwrap_or(&empty);
    let expect = case["expect"].as_object().cloned().unwrap_or_default();
    for (key, expected) in &expect {
        match key.as_str() {
            "warnings" => {
                let codes = findings(&reading, &bytes);
                for code in expected.as_array().into_iter().flatten().filter_map(Value::as_str) {
                    if !ELSEWHERE.contains(&code) {
                        let found = codes.iter().any(|found| found == code);
                        rows.push((format!("warnings/{code}"), Value::from(true), Value::from(found)));
                    }
                }
            }
            "current" => {
                for (key, expected) in expected.as_object().into_iter().flatten() {
                    rows.push((format!("current/{key}"), expected.clone(), given(key, expected, current, &reading)));
                }
            }
            "previous" => {
                let others = entries::others(&reading);
                for (index, one) in expected.as_array().into_iter().flatten().enumerate() {
                    let handoff = others.get(index).copied().unwrap_or(&empty);
                    for (key, expected) in one.as_object().into_iter().flatten() {
                        rows.push((
                            format!("previous[{index}]/{key}"),
                            expected.clone(),
                            given(key, expected, handoff, &reading),
                        ));
                    }
                }
            }
            _ => rows.push((key.clone(), expected.clone(), given(key, expected, current, &reading))),
        }
    }
    rows
}

fn exact(name: &str) {
    let all = manifest();
    let wrong: Vec<_> = values(name, &all[name]).into_iter().filter(|(_, expected, given)| expected != given).collect();
    assert!(wrong.is_empty(), "{name}: {wrong:#?}\n{:#?}", reading(name).current());
}

#[test]
fn front_matter_with_a_post_mortem() {
    exact("01-frontmatter-postmortem.md");
    let reading = reading("01-frontmatter-postmortem.md");
    let handoff = reading.current().expect("a handoff");
    let states: Vec<_> = handoff.done.iter().take(3).map(|item| item.state).collect();
    assert_eq!(states, [Some(ItemState::Done), Some(ItemState::InProgress), Some(ItemState::Open)]);
}

#[test]
fn bold_metadata_of_a_worktree() {
    exact("02-bold-meta-worktree.md");
    let reading = reading("02-bold-meta-worktree.md");
    let subject = reading.current().and_then(|handoff| handoff.trees.first()).and_then(|tree| tree.subject.as_ref());
    assert_eq!(subject.map(|subject| subject.text.as_str()), Some("fix(berth): snap to metre grid"));
}

#[test]
fn a_pointer() {
    exact("12-pointer-only.md");
}

#[test]
fn a_japanese_handover() {
    exact("13-japanese.md");
}

#[test]
fn a_chinese_handover_with_windows_line_ends_behind_a_byte_order_mark() {
    exact("14-chinese-crlf-bom.md");
    let debug = format!("{:?}", reading("14-chinese-crlf-bom.md").current());
    assert!(!debug.contains("\\r"), "{debug}");
}

#[test]
fn a_broken_front_matter() {
    exact("20-broken-frontmatter.md");
}

#[test]
fn a_file_that_was_cut_off() {
    exact("23-cut-off-midwrite.md");
    assert_eq!(reading("23-cut-off-midwrite.md").readable, Readable::Incomplete);
}

#[test]
fn a_structured_file_that_is_no_handoff() {
    exact("25-not-a-handoff.yaml");
}

#[test]
fn score() {
    let mut right = 0;
    let mut all = 0;
    for (name, case) in &manifest() {
        let rows = values(name, case);
        let good = rows.iter().filter(|(_, expected, given)| expected == given).count();
        println!("{name}: {good} of {}", rows.len());
        for (key, expected, given) in &rows {
            let mark = if expected == given { "ok  " } else { "MISS" };
            println!("  {mark} {key}: expected {expected}, got {given}");
        }
        right += good;
        all += rows.len();
    }
    println!("score: {right} of {all}");
    assert_eq!(right, all, "the score fell");
}
