//! What a document alone contradicts. What the tree denies is found where the tree is known.

use crate::constant::pattern;
use crate::{Handoff, Item, ItemState};
use regex::Regex;
use std::collections::HashMap;
use std::sync::LazyLock;

/// Items of a list that are compared word by word; a longer list is a log.
const COMPARED: usize = 300;

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

static COUNT: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"(?i)\b(\d{1,4})\s*(?:/|of|out of)\s*(\d{1,4})\s*(?:tasks?|items?|steps?|todos?|件|个)?\s*(?:are |were |is )?(?:done|completed?|finished|完了|完成)|\b(?:completed?|finished|done)\s*:?\s*(\d{1,4})\s*(?:/|of|out of)\s*(\d{1,4})\b|\b(?:task|step)\s+(\d{1,4})\s+of\s+(\d{1,4})\b",
    )
});

/// Finds what is said twice and differently: items both done and next, decided and rejected, allowed and forbidden;
/// a count that the lists deny; a wait for what is done already.
pub fn contradictions(handoff: &Handoff) -> Vec<HandoffContradiction> {
    let mut found = Vec::new();
    let settled: Vec<(usize, String)> =
        keys(&handoff.done).into_iter().filter(|(index, _)| is_settled(&handoff.done[*index])).collect();
    let waiting: Vec<(usize, String)> =
        keys(&handoff.next).into_iter().filter(|(index, _)| is_open(&handoff.next[*index])).collect();
    both(&settled, &waiting, &mut found, |done, next| {
        (
            "done_and_next",
            format!("“{}” stands under done and under next.", first_line(&handoff.next[next].text)),
            vec![format!("done/{done}"), format!("next/{next}")],
        )
    });
    let decided = texts(handoff.decisions.iter().map(|decision| decision.what.as_str()));
    let rejected = texts(handoff.rejected.iter().map(|rejected| rejected.what.as_str()));
    both(&decided, &rejected, &mut found, |one, other| {
        (
            "decided_and_rejected",
            format!("“{}” is decided and rejected.", first_line(&handoff.rejected[other].what)),
            vec![format!("decisions/{one}"), format!("rejected/{other}")],
        )
    });
    both(&keys(&handoff.facts), &keys(&handoff.unverified), &mut found, |one, other| {
        (
            "verified_and_unverified",
            format!("“{}” is called checked and not checked.", first_line(&handoff.unverified[other].text)),
            vec![format!("facts/{one}"), format!("unverified/{other}")],
        )
    });
    boundary(handoff, &mut found);
    pending(handoff, &settled, &mut found);
    status(handoff, &waiting, &mut found);
    found
}

fn is_settled(item: &Item) -> bool {
    matches!(item.state, None | Some(ItemState::Done))
}

fn is_open(item: &Item) -> bool {
    !matches!(item.state, Some(ItemState::Done | ItemState::Dropped))
}

/// Pairs of items that say the same, each of the second list at most once.
fn both(
    one: &[(usize, String)],
    other: &[(usize, String)],
    found: &mut Vec<HandoffContradiction>,
    tell: impl Fn(usize, usize) -> (&'static str, String, Vec<String>),
) {
    let known: HashMap<&str, usize> = one.iter().rev().map(|(index, key)| (key.as_str(), *index)).collect();
    for (index, key) in other {
        if let Some(first) = known.get(key.as_str()) {
            let (kind, message, items) = tell(*first, *index);
            found.push(HandoffContradiction { kind, message, items });
        }
    }
}

fn boundary(handoff: &Handoff, found: &mut Vec<HandoffContradiction>) {
    let safety = &handoff.safety;
    let may = keys(&safety.may);
    for (name, list, how) in [("never", &safety.never, "forbidden"), ("ask", &safety.ask, "left to a person")] {
        both(&may, &keys(list), found, |one, other| {
            (
                "allowed_and_forbidden",
                format!("“{}” may be done alone and is {how}.", first_line(&list[other].text)),
                vec![format!("safety.may/{one}"), format!("safety.{name}/{other}")],
            )
        });
    }
}

fn pending(handoff: &Handoff, settled: &[(usize, String)], found: &mut Vec<HandoffContradiction>) {
    // A short phrase is part of too many sentences to say anything; with a number in it it names one thing.
    let said = |key: &str, done: &str| {
        let inside = key.chars().count() > 10 && done.contains(key) || done.chars().count() > 10 && key.contains(done);
        key == done || inside || (key.contains(|c: char| c.is_ascii_digit()) && same_thing(key, done))
    };
    for (index, key) in keys(&handoff.safety.ask).into_iter().take(COMPARED) {
        if let Some((done, _)) = settled.iter().take(COMPARED).find(|(_, done)| said(&key, done)) {
            found.push(HandoffContradiction {
                kind: "pending_action_already_done",
                message: format!(
                    "“{}” waits for a person and is already done.",
                    first_line(&handoff.safety.ask[index].text)
                ),
                items: vec![format!("safety.ask/{index}"), format!("done/{done}")],
            });
        }
    }
}

/// Whether every word of a phrase of three or more stands in the other one, endings of time aside.
fn same_thing(phrase: &str, other: &str) -> bool {
    let stem = |word: &str| word.trim_end_matches(['s', 'd', 'e']).to_owned();
    let words: Vec<String> = phrase.split(' ').map(stem).collect();
    let others: Vec<String> = other.split(' ').map(stem).collect();
    words.len() >= 3 && words.iter().all(|word| others.contains(word))
}

/// The count in the status against the lists. A status such as "complete" is often that of a session and not of the
/// work, so it denies nothing.
fn status(handoff: &Handoff, waiting: &[(usize, String)], found: &mut Vec<HandoffContradiction>) {
    let Some(status) = &handoff.status else { return };
    let settled = handoff.done.iter().filter(|item| is_settled(item)).count()
        + handoff.next.iter().filter(|item| item.state == Some(ItemState::Done)).count();
    if let Some((said, total, current)) = counted(&status.text) {
        // Only lists that hold as many items as the status counts speak of the same work.
        let same_work = total == settled + waiting.len() && settled > 0;
        let agrees = said == settled || (current && said == settled + 1);
        if same_work && !agrees {
            found.push(HandoffContradiction {
                kind: "task_counts",
                message: format!("The status says “{}” and {settled} of {total} are done.", first_line(&status.text)),
                items: Vec::new(),
            });
        }
    }
}

/// `3 of 5 done`: both numbers, and whether the first one is the task in hand.
fn counted(text: &str) -> Option<(usize, usize, bool)> {
    let found = COUNT.captures(text)?;
    let number = |index: usize| found.get(index).and_then(|part| part.as_str().parse().ok());
    [(1, 2, false), (3, 4, false), (5, 6, true)]
        .into_iter()
        .find_map(|(one, all, current)| Some((number(one)?, number(all)?, current)))
}

fn first_line(text: &str) -> &str {
    text.lines().next().unwrap_or_default()
}

fn keys(items: &[Item]) -> Vec<(usize, String)> {
    texts(items.iter().map(|item| item.text.as_str()))
}

fn texts<'a>(list: impl Iterator<Item = &'a str>) -> Vec<(usize, String)> {
    list.map(key).enumerate().filter(|(_, key)| key.chars().count() > 1).collect()
}

/// A text as it is compared: its first line in lowercase, letters and digits only, blanks collapsed.
fn key(text: &str) -> String {
    let plain: String = first_line(text)
        .to_lowercase()
        .chars()
        .map(|character| if character.is_alphanumeric() { character } else { ' ' })
        .collect();
    plain.split_whitespace().collect::<Vec<_>>().join(" ")
}
