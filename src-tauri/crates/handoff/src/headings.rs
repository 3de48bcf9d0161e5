//! Which field a heading, label, tag or key stands for, in nine languages.
//!
//! Headings are normalised (numbering, emoji, emphasis, brackets, Latin accents; never kana), negations are
//! tested before the plain forms, and one heading may name two fields.

mod boundary;
mod hints;
mod normal;
mod remembered;

use hints::hint;
pub(crate) use normal::fold;
use normal::{strip_bracket, strip_numbering, trim, words};
use remembered::Remembered;
use std::collections::HashMap;
use std::sync::LazyLock;

pub(crate) use boundary::{Below, boundary_below, is_lifted_by_a_person};
pub use boundary::{Boundary, boundary, boundary_named, boundary_of_rule};
pub use normal::normalise;

/// A field that a section can belong to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Field {
    /// The end state.
    Objective,
    /// What must stay true.
    Constraints,
    /// What was checked.
    Facts,
    /// What was not.
    Unverified,
    /// Traps.
    Hazards,
    /// Decisions.
    Decisions,
    /// What not to propose again.
    Rejected,
    /// Settled work.
    Done,
    /// The queue.
    Next,
    /// Questions.
    Open,
    /// References.
    Artifacts,
    /// The recorded repository.
    Tree,
    /// The safety boundary.
    Safety,
    /// Status, context, who and when: a container whose lines are read one by one.
    Provenance,
}

static TABLE: LazyLock<HashMap<String, Vec<Field>>> = LazyLock::new(|| {
    let rows: Vec<(Field, &str)> = include_str!("headings.tsv")
        .lines()
        .filter_map(|line| line.split_once('\t'))
        .filter_map(|(field, heading)| Some((field_named(field)?, heading)))
        .collect();
    let mut table: HashMap<String, Vec<Field>> = HashMap::new();
    let add = |table: &mut HashMap<String, Vec<Field>>, key: String, field: Field| {
        let fields = table.entry(key).or_default();
        if !fields.contains(&field) {
            fields.push(field);
        }
    };
    for (field, heading) in &rows {
        add(&mut table, fold(heading), *field);
    }
    // A heading without its bracket is a name of its own: "git state (verified)" must not make "git state" a fact.
    let mut shorter: HashMap<String, Vec<Field>> = HashMap::new();
    for (field, heading) in &rows {
        for key in [normalise(heading), normalise(&words(heading))] {
            if !table.contains_key(&key) {
                add(&mut shorter, key, *field);
            }
        }
    }
    table.extend(shorter);
    table
});

/// Bytes of a heading in which its name stands; what is longer is a text that somebody made a heading of.
const LONGEST_NAME: usize = 400;

/// The beginning of a heading that holds its name.
fn name_of(heading: &str) -> &str {
    let end = (0..=LONGEST_NAME.min(heading.len())).rev().find(|end| heading.is_char_boundary(*end));
    &heading[..end.unwrap_or(0)]
}

/// A word as it stands in a folded heading, its blanks kept.
fn fold_word(word: &str) -> String {
    let folded = fold(word);
    if word.ends_with(' ') { format!("{folded} ") } else { folded }
}

thread_local! {
    static KNOWN: Remembered<Vec<Field>> = Remembered::new();
    static CLASSIFIED: Remembered<Vec<Field>> = Remembered::new();
}

/// The fields that the table gives for a name, nothing guessed.
pub fn known(heading: &str) -> Vec<Field> {
    KNOWN.with(|known| known.get(name_of(heading), looked_up))
}

fn looked_up(heading: &str) -> Vec<Field> {
    let mut fields: Vec<Field> = Vec::new();
    let mut add = |found: Option<&Vec<Field>>| {
        for field in found.into_iter().flatten() {
            if !fields.contains(field) {
                fields.push(*field);
            }
        }
        found.is_some()
    };
    let forms = forms(heading);
    // `Goal (incl. success criteria)` is a goal first, then what the whole name says.
    let shortest = forms.len().saturating_sub(1);
    for (index, form) in forms.iter().enumerate().rev() {
        let found = TABLE.get(form);
        let container = found.is_some_and(|found| found.iter().all(|field| matches!(field, Field::Provenance)));
        if !(container && index == shortest && index > 0) {
            add(found);
        }
    }
    for part in forms.iter().flat_map(|form| form.split(" / ")).filter(|part| !forms.iter().any(|form| form == part)) {
        add(TABLE.get(part.trim()));
    }
    if fields.is_empty() {
        fields = TABLE
            .get(&normalise(&words(heading)))
            .or_else(|| TABLE.get(&normalise(heading)))
            .cloned()
            .unwrap_or_default();
    }
    fields
}

/// A heading as it may stand in the table: folded, without its number, without one bracket after the other.
fn forms(heading: &str) -> Vec<String> {
    let folded = fold(heading);
    let mut forms = vec![folded.clone()];
    let mut next = Some(trim(&strip_numbering(&folded)).to_owned());
    while let Some(form) = next {
        next = strip_bracket(&form).map(|shorter| trim(&shorter).to_owned());
        if !forms.contains(&form) {
            forms.push(form);
        }
    }
    forms
}

/// The fields that a heading, label, tag or key stands for; none when it is unknown.
pub fn classify(heading: &str) -> Vec<Field> {
    CLASSIFIED.with(|known| known.get(name_of(heading), told_from_words))
}

fn told_from_words(heading: &str) -> Vec<Field> {
    let exact = known(heading);
    if !exact.is_empty() {
        return exact;
    }
    let plain = normalise(heading);
    if plain.ends_with(" because") {
        // `Rejected because` says why about the item above it.
        return Vec::new();
    }
    let mut several = Vec::new();
    for part in plain.split(['/', '&', '・']).flat_map(|part| part.split(" and ")).flat_map(|part| part.split('と')) {
        for field in TABLE.get(part.trim()).into_iter().flatten() {
            if !several.contains(field) {
                several.push(*field);
            }
        }
    }
    if !several.is_empty() {
        return several;
    }
    // A heading may carry its content behind a dash or colon: `Next concrete step - K12`.
    if let Some((head, _)) = plain.split_once([':', '：', '—', '–']).or_else(|| plain.split_once(" - "))
        && let Some(fields) = TABLE.get(head.trim())
    {
        return fields.clone();
    }
    let hinted = hint(&plain);
    if !hinted.is_empty() {
        return hinted;
    }
    // `Tablet cannot connect (unresolved)`: a remark in brackets may say it, though never that something holds.
    let whole = fold(heading);
    if whole == plain {
        return Vec::new();
    }
    let remarked = hint(&whole);
    let said = |field: &Field| {
        matches!(field, Field::Open | Field::Next | Field::Done | Field::Hazards | Field::Rejected | Field::Unverified)
    };
    if !remarked.iter().all(said) {
        return Vec::new();
    }
    remarked
}

fn field_named(name: &str) -> Option<Field> {
    Some(match name {
        "objective" => Field::Objective,
        "constraints" => Field::Constraints,
        "facts" => Field::Facts,
        "unverified" => Field::Unverified,
        "hazards" => Field::Hazards,
        "decisions" => Field::Decisions,
        "rejected" => Field::Rejected,
        "done" => Field::Done,
        "next" => Field::Next,
        "open" => Field::Open,
        "artifacts" => Field::Artifacts,
        "tree" => Field::Tree,
        "safety" => Field::Safety,
        "provenance" => Field::Provenance,
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbering_emoji_brackets_and_accents_do_not_matter() {
        for heading in [
            "4. Next Steps",
            "## ✅ Next steps:",
            "§4 next steps",
            "(A) Next Steps",
            "**Next steps** (for tomorrow)",
            "6-6. next steps",
        ] {
            assert_eq!(classify(heading), [Field::Next], "{heading}");
        }
        assert!(
            classify("Décisions arquiteturais tomadas").contains(&Field::Decisions)
                || classify("Decisões arquiteturais tomadas").contains(&Field::Decisions)
        );
    }

    #[test]
    fn negations_come_first() {
        assert_eq!(classify("Not done yet"), [Field::Next]);
        assert_eq!(classify("What did not change"), [Field::Safety]);
    }

    #[test]
    fn a_denial_in_a_heading_is_heard_before_the_word_that_it_denies() {
        for (heading, field) in [
            ("Was NICHT machen", Field::Safety),
            ("Was nicht zu tun ist", Field::Rejected),
            ("Files not to modify", Field::Safety),
            ("Frozen files", Field::Safety),
            ("No modificar", Field::Safety),
            ("Não alterar", Field::Safety),
            ("不能做的事", Field::Safety),
            ("手を付けないもの", Field::Safety),
            ("Не готово", Field::Next),
            ("테스트하지 않음", Field::Unverified),
            ("Key files", Field::Artifacts),
            ("Готово", Field::Done),
        ] {
            assert_eq!(classify(heading), [field], "{heading}");
        }
    }
}
