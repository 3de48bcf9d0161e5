//! What real files taught, rule by rule: small made-up files and what must come out of each.
//!
//! A case is a name, the file, and one line a field: `next: !first | ~second`. Each value must be part of the item at
//! its place, and there must be as many items as values. `~` is in progress, `!` blocked, `%` dropped; `=>` parts what
//! from why; `-` alone is an empty list. A field that is not named is not looked at. `findings` and `extra` must hold
//! what is named and may hold more.

mod boundary;
mod containers;
mod encodings;
mod entries;
mod families;
mod git;
mod items;
mod labels;
mod languages;
mod names;
mod pastes;
mod precision;
mod repositories;
mod shapes;
mod twins;
mod whole;

use handoff::{Handoff, Item, ItemState, Limits, Readable, Reading, Text, read};

/// A file and what must come out of it.
type Case = (&'static str, &'static str, &'static str);

/// Checks every case of a rule and names all that failed.
fn check(cases: &[Case]) {
    let wrong: Vec<String> =
        cases.iter().flat_map(|(name, text, want)| failures(name, text.as_bytes(), want)).collect();
    assert!(wrong.is_empty(), "\n{}", wrong.join("\n"));
}

/// What is wrong with one file; the name before the first space is the file's.
fn failures(name: &str, bytes: &[u8], want: &str) -> Vec<String> {
    let file = name.split(' ').next().filter(|file| file.contains('.')).unwrap_or("HANDOFF.md");
    let reading = read(bytes, file, &Limits::default());
    let empty = Handoff::default();
    let handoff = reading.current().unwrap_or(&empty);
    let mut wrong = Vec::new();
    for line in want.lines().map(str::trim).filter(|line| !line.is_empty()) {
        let (field, values) = line.split_once(':').unwrap_or_else(|| panic!("{name}: {line}"));
        let values = values.trim();
        let wanted: Vec<&str> = if values == "-" { Vec::new() } else { values.split(" | ").collect() };
        let given = given(field, &reading, handoff);
        let holds = matches!(field, "findings" | "extra" | "without");
        let same = if field == "without" {
            wanted.iter().all(|word| !given.iter().any(|text| text == word))
        } else if holds {
            wanted.iter().all(|word| given.iter().any(|text| text.contains(word)))
        } else {
            given.len() == wanted.len() && given.iter().zip(&wanted).all(|(text, word)| holds_word(text, word.trim()))
        };
        if !same {
            wrong.push(format!("[{name}] {field}: expected {wanted:?}, got {given:?}"));
        }
    }
    wrong
}

/// Whether a value holds what is wanted; both sides of an arrow hold theirs.
fn holds_word(text: &str, word: &str) -> bool {
    match (text.split_once(" => "), word.split_once(" => ")) {
        (Some((what, why)), Some((want, reason))) => what.contains(want) && why.contains(reason),
        _ => text.contains(word),
    }
}

fn state(item: &Item) -> String {
    let mark = match item.state {
        Some(ItemState::InProgress) => "~",
        Some(ItemState::Blocked) => "!",
        Some(ItemState::Dropped) => "%",
        _ => "",
    };
    format!("{mark}{}", item.text)
}

fn pair(what: &str, why: Option<&String>) -> String {
    why.map_or_else(|| what.to_owned(), |why| format!("{what} => {why}"))
}

fn given(field: &str, reading: &Reading, handoff: &Handoff) -> Vec<String> {
    let texts = |items: &[Item]| items.iter().map(|item| item.text.clone()).collect::<Vec<_>>();
    let one = |text: &Option<Text>| text.iter().map(|text| text.text.clone()).collect::<Vec<_>>();
    let said = |text: &Option<String>| text.iter().cloned().collect::<Vec<_>>();
    let tree = |of: fn(&handoff::Tree) -> &Option<Text>| {
        handoff.trees.iter().filter_map(|tree| of(tree).as_ref().map(|text| text.text.clone())).collect::<Vec<_>>()
    };
    match field {
        "readable" => vec![
            match reading.readable {
                Readable::Full => "full",
                Readable::Partial => "partial",
                Readable::Refused => "refused",
                Readable::Incomplete => "incomplete",
                Readable::NotAHandoff => "not_a_handoff",
            }
            .to_owned(),
        ],
        "title" => one(&handoff.title),
        "objective" => one(&handoff.objective),
        "status" => one(&handoff.status),
        "constraints" => texts(&handoff.constraints),
        "facts" => handoff.facts.iter().map(|fact| pair(&fact.text, fact.evidence.as_ref())).collect(),
        "unverified" => texts(&handoff.unverified),
        "hazards" => texts(&handoff.hazards),
        "decisions" => handoff.decisions.iter().map(|one| pair(&one.what, one.why.as_ref())).collect(),
        "alternatives" => handoff.decisions.iter().flat_map(|one| one.alternatives.clone()).collect(),
        "rejected" => handoff.rejected.iter().map(|one| pair(&one.what, one.why.as_ref())).collect(),
        "done" => handoff.done.iter().map(state).collect(),
        "next" => handoff.next.iter().map(state).collect(),
        "open" => texts(&handoff.open),
        "artifacts" => handoff.artifacts.iter().map(|one| one.reference.clone()).collect(),
        "may" => texts(&handoff.safety.may),
        "ask" => texts(&handoff.safety.ask),
        "never" => texts(&handoff.safety.never),
        "points_to" => handoff.points_to.iter().map(|text| text.text.clone()).collect(),
        "tree_name" => handoff.trees.iter().filter_map(|tree| tree.name.clone()).collect(),
        "branch" => tree(|tree| &tree.branch),
        "head" => tree(|tree| &tree.head),
        "subject" => tree(|tree| &tree.subject),
        "worktree" => tree(|tree| &tree.worktree),
        "root" => tree(|tree| &tree.root),
        "tree_status" => tree(|tree| &tree.status),
        "diff" => tree(|tree| &tree.diff),
        "changed" => handoff.trees.iter().flat_map(|tree| tree.changed.iter().map(|path| path.text.clone())).collect(),
        "detached" => vec![handoff.trees.iter().any(|tree| tree.detached).to_string()],
        "written_at" => said(&handoff.provenance.written_at),
        "created_at" => said(&handoff.provenance.created_at),
        "agent" => said(&handoff.provenance.agent),
        "model" => said(&handoff.provenance.model),
        "session" => said(&handoff.provenance.session),
        "from" => said(&handoff.provenance.from),
        "to" => said(&handoff.provenance.to),
        "reason" => said(&handoff.provenance.reason),
        "parent" => said(&handoff.provenance.parent),
        "cwd" => said(&handoff.provenance.cwd),
        "entries" => vec![reading.entries.len().to_string()],
        "shown" => reading.entries.get(reading.shown).map(|entry| entry.heading.clone()).into_iter().collect(),
        "extra" => handoff.extra.iter().map(|section| format!("{}: {}", section.heading, section.text)).collect(),
        "extra_count" => vec![handoff.extra.len().to_string()],
        "findings" | "without" => reading.findings.iter().map(|finding| finding.code.clone()).collect(),
        other => panic!("no such field: {other}"),
    }
}
