//! Words inside a heading that the table does not hold, and the field that the first of them names.

use super::normal::fold;
use super::{Field, field_named};
use crate::constant::pattern;
use aho_corasick::{AhoCorasick, Match};
use regex::Regex;
use std::ops::Range;
use std::sync::LazyLock;

/// The field that a word in a heading names.
pub(super) fn hint(plain: &str) -> Vec<Field> {
    if is_a_sentence(plain) {
        return Vec::new();
    }
    // Whom a heading is for says nothing about what stands below it: `Findings for the next agent`.
    let purpose = AUDIENCE.replace(plain, "");
    if purpose.len() < plain.len()
        && let Some(field) = hinted(&purpose)
    {
        return vec![field];
    }
    hinted(plain).into_iter().collect()
}

static AUDIENCE: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"\s+for (?:the |a |your )?(?:next|new|future|incoming|following) (?:agents?|sessions?|person|people|developers?|engineers?|chats?|owners?|teams?|claude)$",
    )
});

/// Whether a heading says something instead of naming what stands below it: no word in it names a field then.
fn is_a_sentence(heading: &str) -> bool {
    // A sign of these scripts holds about as much as two letters.
    let length: usize = heading.chars().map(|letter| if letter >= '\u{1100}' { 2 } else { 1 }).sum();
    length > 60 || heading.contains('。')
}

/// The hints as headings are compared, without Latin accents, and all of them in one automaton: an unknown heading is
/// looked through once and not once for every hint.
static FOLDED: LazyLock<(Vec<(String, Field)>, AhoCorasick)> = LazyLock::new(|| {
    let hints: Vec<(String, Field)> = include_str!("hints.tsv")
        .lines()
        .filter_map(|line| line.split_once('\t'))
        .filter_map(|(field, hint)| Some((fold(hint), field_named(field)?)))
        .collect();
    // OK because the hints are constants, few and short.
    let words = AhoCorasick::new(hints.iter().map(|(hint, _)| hint)).unwrap_or_else(|error| panic!("hints: {error}"));
    (hints, words)
});

/// The field of the first hint of the list that stands in a name.
fn hinted(plain: &str) -> Option<Field> {
    let (hints, words) = &*FOLDED;
    let stands = |hit: &Match| is_a_word(plain, hit.range(), &hints[hit.pattern().as_usize()].0);
    let first = words.find_overlapping_iter(plain).filter(stands).min_by_key(|hit| hit.pattern().as_usize())?;
    let (before, behind) = (&plain[..first.start()], &plain[first.end()..]);
    Some(denied(hints[first.pattern().as_usize()].1, &format!("{before} {behind}")))
}

/// What a name says that denies, beside the word itself, what it names: `What I have not measured`, `確認できていないこと`.
fn denied(field: Field, plain: &str) -> Field {
    static DENIES: LazyLock<Regex> = LazyLock::new(|| {
        pattern(
            r"\b(?:not|never|cannot|hardly|nicht|kein\w*|noch zu|pas|non|sin|nao|nunca|sem|senza)\b|n['’]t\b|(?:^|\s)(?:не|ни|ещё не)\s|ない|ません|ずに|未|没|尚|않|못|안 된|아직",
        )
    });
    match field {
        Field::Facts if DENIES.is_match(plain) => Field::Unverified,
        Field::Done if DENIES.is_match(plain) => Field::Next,
        Field::Decisions if DENIES.is_match(plain) => Field::Open,
        field => field,
    }
}

/// Hints that are the beginning of a word, as folded.
const STEMS: &[&str] = &[
    "entschied",
    "infructueu",
    "echec",
    "piege",
    "fallid",
    "prohibid",
    "proibid",
    "vietat",
    "proxim",
    "prossim",
    "nachste",
    "decision",
    "pendiente",
    "pendente",
    "entscheidung",
    "siguiente",
    "uncertaint",
    "invariant",
    "hypothes",
    "hunch",
    "guess",
    "vermut",
    "annahme",
    "suppos",
    "suposic",
    "descartad",
    "scartat",
    "permitid",
    "completat",
    "domand",
    "trappol",
];

/// Whether a word that was found in a text stands there for itself. Scripts without blanks have no such edges.
fn is_a_word(text: &str, found: Range<usize>, word: &str) -> bool {
    if !word.is_ascii() {
        return true;
    }
    let boundary = |character: Option<char>| character.is_none_or(|character| !character.is_alphanumeric());
    let rest = &text[found.end..];
    boundary(text[..found.start].chars().next_back())
        && (STEMS.contains(&word) || boundary(rest.chars().next()) || rest.starts_with('s'))
}
