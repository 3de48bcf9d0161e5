//! Every heading, label, tag and key of the synonym list maps to its field, however it is dressed.

use handoff::headings::{Field, classify};
use serde_json::Value;
use std::fs;
use std::path::PathBuf;

fn synonyms() -> Vec<(Field, String, String)> {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../../tests/cases/synonyms.json");
    let all: Value = serde_json::from_slice(&fs::read(path).expect("the list")).expect("JSON");
    let mut found = Vec::new();
    for (name, entries) in all.as_object().expect("fields") {
        let field = match name.as_str() {
            "objective" => Field::Objective,
            "constraints" => Field::Constraints,
            "verified facts" => Field::Facts,
            "hazards" => Field::Hazards,
            "decisions" => Field::Decisions,
            "rejected" => Field::Rejected,
            "done" => Field::Done,
            "next" => Field::Next,
            "open questions" => Field::Open,
            "artifacts" => Field::Artifacts,
            "working tree" => Field::Tree,
            "safety boundary" => Field::Safety,
            "provenance" => Field::Provenance,
            other => panic!("a field that is not known: {other}"),
        };
        for entry in entries.as_array().expect("a list") {
            let text = |key: &str| entry[key].as_str().unwrap_or_default().to_owned();
            found.push((field, text("heading"), text("kind")));
        }
    }
    found
}

fn wrong(dress: impl Fn(&str) -> String) -> Vec<String> {
    synonyms()
        .into_iter()
        .filter(|(_, _, kind)| kind == "heading" || kind == "label")
        .filter_map(|(field, heading, _)| {
            let dressed = dress(&heading);
            let fields = classify(&dressed);
            (!fields.contains(&field)).then(|| format!("{dressed:?} gives {fields:?}, not {field:?}"))
        })
        .collect()
}

fn capitals(heading: &str) -> String {
    let mut characters = heading.chars();
    characters.next().map(|first| first.to_uppercase().chain(characters).collect()).unwrap_or_default()
}

#[test]
fn every_synonym_maps_to_its_field_as_it_stands() {
    let wrong: Vec<String> = synonyms()
        .into_iter()
        .filter_map(|(field, heading, _)| {
            let fields = classify(&heading);
            (!fields.contains(&field)).then(|| format!("{heading:?} gives {fields:?}, not {field:?}"))
        })
        .collect();
    assert!(wrong.is_empty(), "{} wrong: {wrong:#?}", wrong.len());
}

#[test]
fn numbering_does_not_matter() {
    for number in ["4. ", "4) ", "4.2 ", "§4 ", "一、", "① ", "(A) ", "6-6. ", "Phase 4 — ", "IV. "] {
        let wrong = wrong(|heading| format!("{number}{}", capitals(heading)));
        assert!(wrong.is_empty(), "{} wrong: {wrong:#?}", wrong.len());
    }
}

#[test]
fn emoji_on_both_sides_do_not_matter() {
    for (before, after) in [("✅ ", ""), ("🚧 ", " 🚧"), ("", " ⚠️"), ("▶ ", "")] {
        let wrong = wrong(|heading| format!("{before}{}{after}", capitals(heading)));
        assert!(wrong.is_empty(), "{} wrong: {wrong:#?}", wrong.len());
    }
}

#[test]
fn a_bracketed_remark_does_not_matter() {
    for remark in [" (for tomorrow)", "（再発させないこと）", " (2026-05-12)"] {
        let wrong = wrong(|heading| format!("{}{remark}", capitals(heading)));
        assert!(wrong.is_empty(), "{} wrong: {wrong:#?}", wrong.len());
    }
}

#[test]
fn emphasis_colon_and_capitals_do_not_matter() {
    for dress in [
        |heading: &str| format!("**{}:**", capitals(heading)),
        |heading: &str| heading.to_uppercase(),
        |heading: &str| format!("{heading}："),
    ] {
        let wrong = wrong(dress);
        assert!(wrong.is_empty(), "{} wrong: {wrong:#?}", wrong.len());
    }
}

#[test]
fn latin_accents_do_not_matter_and_kana_are_kept() {
    let accent = |heading: &str| heading.replace('o', "ó").replace('c', "ç").replace('e', "ê");
    let wrong = wrong(accent);
    assert!(wrong.is_empty(), "{} wrong: {wrong:#?}", wrong.len());
    assert_ne!(classify("触らないごと"), classify("次にやること"));
}

#[test]
fn negated_headings_are_not_taken_for_the_plain_ones() {
    for (heading, field) in [
        ("Not done", Field::Next),
        ("Not started yet", Field::Next),
        ("What did not change", Field::Safety),
        ("未完成", Field::Next),
        ("미완료", Field::Next),
        ("не сделано", Field::Next),
        ("Not verified", Field::Unverified),
        ("What didn't work", Field::Rejected),
    ] {
        assert!(classify(heading).contains(&field), "{heading}: {:?}", classify(heading));
        assert!(!classify(heading).contains(&Field::Done), "{heading}");
    }
}

#[test]
fn one_heading_may_name_two_fields() {
    for (heading, fields) in [
        ("Open Questions / Blockers", [Field::Open, Field::Open]),
        ("What Didn't Work / Known Issues", [Field::Rejected, Field::Hazards]),
        ("Decisions and next steps", [Field::Decisions, Field::Next]),
        ("完了と未完了", [Field::Done, Field::Next]),
    ] {
        for field in fields {
            assert!(classify(heading).contains(&field), "{heading}: {:?}", classify(heading));
        }
    }
}
