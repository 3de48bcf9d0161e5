//! Handoff JSON 1 and 2: what is required, what refuses a document, and where everything stands.

use handoff::{Finding, Format, Limits, Readable, Reading, Span, read};

fn reading(text: &str) -> Reading {
    read(text.as_bytes(), "handoff.json", &Limits::default())
}

/// A document that is refused and why, with the place that the finding points at.
fn refused<'a>(text: &'a str, code: &str) -> (String, &'a str) {
    let reading = reading(text);
    assert_eq!((reading.format, reading.readable), (Format::HandoffJson, Readable::Refused), "{text}\n{reading:?}");
    let finding: Option<&Finding> = reading.findings.iter().find(|finding| finding.code == code);
    let span = finding.and_then(|finding| finding.span).unwrap_or(Span::new(0, 0));
    (reading.reason.unwrap_or_default(), &text[span.range()])
}

const ONE: &str = r#"{
  "version": 1, "objective": "Ship", "status": "in progress", "constraints": ["No \"new\" crates"],
  "decisions": [{"what": "A", "why": "B", "alternatives": ["C"], "at": "2026-08-01T10:00:00Z"}, "D"],
  "rejected": [{"what": "E", "why": "F"}], "done": ["G"], "next": ["H", {"text": "I", "state": "blocked"}],
  "open": ["J?"], "artifacts": [{"name": "K", "kind": "file", "ref": "src/k.rs"}],
  "provenance": {"agent": "codex", "turns": 12, "written_at": "2026-08-01T10:00:00Z"}
}"#;

#[test]
fn version_1_gives_every_field_with_its_place() {
    let reading = reading(ONE);
    assert_eq!(reading.readable, Readable::Full, "{:?}", reading.findings);
    let handoff = reading.current().expect("a handoff");
    let at = |span: Option<Span>| &ONE[span.expect("a place").range()];
    assert_eq!(at(handoff.objective.as_ref().and_then(|text| text.span)), "\"Ship\"");
    assert_eq!(handoff.constraints[0].text, "No \"new\" crates");
    assert_eq!(at(handoff.constraints[0].span), "\"No \\\"new\\\" crates\"");
    assert_eq!((handoff.decisions[1].what.as_str(), at(handoff.decisions[1].span)), ("D", "\"D\""));
    assert_eq!(at(handoff.next[1].span), r#"{"text": "I", "state": "blocked"}"#);
    assert_eq!((handoff.artifacts[0].reference.as_str(), handoff.provenance.turns), ("src/k.rs", Some(12)));
}

#[test]
fn only_version_and_objective_are_required() {
    assert_eq!(reading(r#"{"version": 1, "objective": "x"}"#).readable, Readable::Full);
    assert_eq!(reading(r#"{"version": 2, "objective": "x"}"#).readable, Readable::Full);
    assert!(refused(r#"{"objective": "x", "next": ["y"]}"#, "missing-key").0.contains("version"));
    assert!(refused(r#"{"version": 2, "next": ["y"]}"#, "missing-key").0.contains("objective"));
    assert!(refused(r#"{"version": 2, "objective": ["y"]}"#, "missing-key").0.contains("objective"));
}

#[test]
fn an_unknown_version_is_named() {
    for (text, named) in [
        (r#"{"version": 3, "objective": "x"}"#, "3"),
        (r#"{"version": 2.5, "objective": "x"}"#, "2.5"),
        (r#"{"version": "2", "objective": "x"}"#, "\"2\""),
    ] {
        let (reason, place) = refused(text, "unknown-version");
        assert!(reason.contains(named) && place == named, "{reason} at {place}");
    }
}

#[test]
fn an_unknown_key_is_named_and_kept() {
    let text = r#"{"version": 2, "objective": "x", "approvals": ["all"]}"#;
    let (reason, place) = refused(text, "unknown-key");
    assert!(reason.contains("approvals") && place == "\"approvals\"", "{reason} at {place}");
    let extra = &reading(text).entries[0].handoff.extra;
    assert_eq!((extra[0].heading.as_str(), extra[0].text.as_str()), ("approvals", "[\"all\"]"));
    for key in ["title", "facts", "unverified", "hazards", "trees", "safety", "omitted", "extra", "id"] {
        let (reason, _) = refused(&format!(r#"{{"version": 1, "objective": "x", "{key}": null}}"#), "unknown-key");
        assert!(reason.contains(key), "{reason}");
    }
}

#[test]
fn a_boundary_that_is_not_understood_refuses_the_document() {
    let (reason, _) = refused(r#"{"version": 2, "objective": "x", "safety": {"unless": ["y"]}}"#, "unknown-key");
    assert!(reason.contains("safety.unless"), "{reason}");
    let (reason, _) = refused(r#"{"version": 2, "objective": "x", "safety": "never push"}"#, "wrong-type");
    assert!(reason.contains("safety"), "{reason}");
}

#[test]
fn a_key_given_twice_is_named() {
    let (reason, place) = refused(r#"{"version": 2, "objective": "x", "objective": "y"}"#, "duplicate-key");
    assert!(reason.contains("objective") && place == "\"objective\"");
    let (reason, _) = refused(r#"{"version": 2, "objective": "x", "safety": {"ask": [], "ask": []}}"#, "duplicate-key");
    assert!(reason.contains("ask"));
}

#[test]
fn what_is_cut_off_is_incomplete_and_shows_what_is_there() {
    for at in 40..ONE.len() {
        let reading = reading(&ONE[..at]);
        assert_eq!((reading.format, reading.readable), (Format::HandoffJson, Readable::Incomplete), "{}", &ONE[..at]);
        if at > 80 {
            let handoff = reading.current().expect("a handoff");
            assert_eq!(handoff.objective.as_ref().map(|text| text.text.as_str()), Some("Ship"), "{}", &ONE[..at]);
        }
    }
}

#[test]
fn a_syntax_error_has_line_and_column() {
    let (reason, _) = refused("{\n  \"version\": 2,\n  \"objective\": \"x\",\n  \"next\": [1 2]\n}", "not-json");
    assert!(reason.contains("Line 4, column 14"), "{reason}");
}

#[test]
fn a_key_inside_an_item_that_is_not_known_is_kept() {
    let reading =
        reading(r#"{"version": 2, "objective": "x", "facts": [{"text": "a", "seen": {"by": "b"}}], "next": "c"}"#);
    let handoff = reading.current().expect("a handoff");
    assert_eq!((handoff.extra[0].heading.as_str(), handoff.extra[0].text.as_str()), ("facts/0.seen", r#"{"by": "b"}"#));
    assert_eq!((handoff.next[0].text.as_str(), reading.readable), ("c", Readable::Partial));
    assert!(reading.findings.iter().any(|finding| finding.code == "wrong-type"));
}

#[test]
fn a_state_that_is_not_known_is_said() {
    let reading = reading(r#"{"version": 2, "objective": "x", "next": [{"text": "a", "state": "soon"}]}"#);
    assert_eq!(reading.findings.first().map(|finding| finding.code.as_str()), Some("unknown-state"));
}

#[test]
fn nesting_beyond_the_limit_is_an_error_and_no_crash() {
    let text =
        format!("{{\"version\": 2, \"objective\": \"x\", \"extra\": {}{}}}", "[".repeat(5_000), "]".repeat(5_000));
    assert!(refused(&text, "not-json").0.contains("nested deeper"));
}
