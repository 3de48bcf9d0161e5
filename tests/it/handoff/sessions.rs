//! Handoffs inside sessions of the pi family: found where they stand, read as the document they are.

use handoff::{Format, Limits, Readable, Reading, document, is_session, read, revision};
use serde_json::{Value, json};

const NAME: &str =
    "/home/ada/.omp/agent/sessions/-kiln/2026-05-02T10-00-00-000Z_019e0000-1111-7222-8333-444455556666.jsonl";
const DOCUMENT: &str = "## Goal\nFire the \"blue\" kiln at 1,060 °C.\n\n## Constraints & Preferences\n- Never push to main.\n\n## Progress\n### Done\n- [x] Ramp table\n### In Progress\n- [ ] Soak timer\n### Pending\n- [ ] Cooling curve\n\n## Key Decisions\n- **Integer degrees**: the controller has no floats.\n\n## Critical Context\n- Branch `feat/ramp`; 1 test fails.\n\n## Next Steps\n1. Finish `src/soak.rs`.";

/// Records as these programs write them: the type first.
fn lines(records: &[Value]) -> Vec<u8> {
    let line = |record: &Value| {
        let mut rest = record.as_object().expect("a record").clone();
        let kind = rest.remove("type").map(|kind| format!("\"type\":{kind},")).unwrap_or_default();
        format!("{{{kind}{}\n", &Value::from(rest).to_string()[1..])
    };
    records.iter().flat_map(|record| line(record).into_bytes()).collect()
}

fn header() -> Value {
    json!({"type":"session","version":3,"id":"019e0000-1111-7222-8333-444455556666","timestamp":"2026-05-02T10:00:00.000Z","cwd":"/home/ada/kiln"})
}

fn child() -> Value {
    json!({"type":"session","version":3,"id":"019e0000-aaaa-7222-8333-444455556666","timestamp":"2026-05-02T10:00:00.000Z","cwd":"/home/ada/kiln",
        "parentSession":"/home/ada/.pi/agent/sessions/--home-ada-kiln--/2026-05-01T08-00-00-000Z_0c11aaaa-0000-4000-8000-00000000beef.jsonl"})
}

fn message(role: &str, text: &str) -> Value {
    json!({"type":"message","id":"b1","parentId":null,"timestamp":"2026-05-02T10:01:00.000Z","message":{"role":role,"content":[{"type":"text","text":text}]}})
}

fn reading(bytes: &[u8], name: &str) -> Reading {
    read(bytes, name, &Limits::default())
}

fn finding(reading: &Reading, code: &str) -> bool {
    reading.findings.iter().any(|finding| finding.code == code)
}

fn in_place() -> Vec<u8> {
    let summary =
        format!("{DOCUMENT}\n\n<files>\n# src/\nramp.rs (Write)\nsoak.rs (RW)\n# docs/\nkiln.md (Read)\n</files>");
    lines(&[
        json!({"type":"title","v":1,"title":"Kiln","updatedAt":"2026-05-02T10:00:00.000Z","pad":"   "}),
        header(),
        json!({"type":"model_change","id":"1","parentId":null,"timestamp":"2026-05-02T10:00:00.010Z","model":"anthropic/claude-x","role":"default"}),
        message("user", "Fire it."),
        json!({"type":"compaction","id":"2","parentId":"1","timestamp":"2026-05-02T11:00:00.000Z","summary":"Only a soft summary.","method":"soft"}),
        json!({"type":"compaction","id":"3","parentId":"1","timestamp":"2026-05-02T12:00:00.000Z","summary":summary,"firstKeptEntryId":"1","method":"handoff","details":{"readFiles":[],"modifiedFiles":["src/ramp.rs","src/cool.rs"]}}),
        message("user", "Go on."),
    ])
}

#[test]
fn a_compaction_by_handoff_is_a_handoff_and_other_compactions_are_none() {
    let reading = reading(&in_place(), NAME);
    assert_eq!((reading.format, reading.readable), (Format::Session, Readable::Full), "{:?}", reading.findings);
    let handoff = reading.current().expect("a handoff");
    assert_eq!(handoff.objective.as_ref().map(|goal| goal.text.as_str()), Some("Fire the \"blue\" kiln at 1,060 °C."));
    assert_eq!((handoff.done.len(), handoff.next.len(), handoff.decisions.len()), (1, 3, 1));
    let references: Vec<_> = handoff.artifacts.iter().map(|artifact| artifact.reference.as_str()).collect();
    assert_eq!(references, ["src/ramp.rs", "src/soak.rs", "docs/kiln.md", "src/cool.rs"]);
    let provenance = &handoff.provenance;
    assert_eq!(provenance.agent.as_deref(), Some("omp"));
    assert_eq!(provenance.model.as_deref(), Some("anthropic/claude-x"));
    assert_eq!(provenance.session.as_deref(), Some("019e0000-1111-7222-8333-444455556666"));
    assert_eq!(provenance.cwd.as_deref(), Some("/home/ada/kiln"));
    assert_eq!(provenance.written_at.as_deref(), Some("2026-05-02T12:00:00.000Z"));
}

#[test]
fn places_count_the_bytes_of_the_document_in_the_session() {
    let bytes = in_place();
    let reading = reading(&bytes, NAME);
    let text = String::from_utf8(document(bytes, NAME)).expect("UTF-8");
    let handoff = reading.current().expect("a handoff");
    let goal = handoff.objective.as_ref().and_then(|goal| goal.span).expect("a place");
    assert_eq!(&text[goal.range()], "Fire the \"blue\" kiln at 1,060 °C.");
    let done = handoff.done[0].span.expect("a place");
    assert_eq!(&text[done.range()], "Ramp table");
}

#[test]
fn the_same_text_in_a_session_and_in_its_copy_is_one_revision_and_growing_makes_no_other() {
    let bytes = in_place();
    let rev = revision(&document(bytes.clone(), NAME));
    let copy = format!("{DOCUMENT}\n").into_bytes();
    assert_eq!(rev, revision(&document(copy, "handoff-2026-05-02T12-00-00-000Z.md")));
    let grown = [bytes, lines(&[message("user", "And then?")])].concat();
    assert_eq!(rev, revision(&document(grown, NAME)));
}

#[test]
fn a_message_of_type_handoff_is_one_with_and_without_tags_as_text_and_as_blocks() {
    let wrapped =
        format!("<handoff-context>\n{DOCUMENT}\n</handoff-context>\n\nThe text above came from an earlier session.");
    for content in [json!(wrapped), json!(DOCUMENT), json!([{"type":"text","text":wrapped}])] {
        let record = json!({"type":"custom_message","id":"1","parentId":null,"timestamp":"2026-05-02T10:00:01.000Z","customType":"handoff","content":content,"display":true});
        let bytes = lines(&[child(), record, message("assistant", "Yes.")]);
        let reading = reading(&bytes, "sessions/x/y.jsonl");
        let handoff = reading.current().unwrap_or_else(|| panic!("{:?}", reading.reason));
        assert_eq!((handoff.next.len(), handoff.extra.len()), (3, 0), "{:#?}", handoff.extra);
        assert_eq!(document(bytes, "sessions/x/y.jsonl"), format!("{DOCUMENT}\n").into_bytes());
        assert_eq!(handoff.provenance.session.as_deref(), Some("0c11aaaa-0000-4000-8000-00000000beef"));
        assert_eq!(handoff.provenance.agent.as_deref(), Some("pi"));
    }
}

#[test]
fn the_prompt_that_begins_a_child_session_is_one_and_says_that_a_person_may_have_changed_it() {
    let prompt = "## Context\nThe timer drifts.\n\n**Key decisions**\n- integer degrees\n\n**Files involved**\n- src/soak.rs\n\n## Task\nFinish the soak timer.";
    let bytes = lines(&[
        child(),
        message("user", prompt),
        message("assistant", "Ok."),
        message("user", "## Goal\nx\n## Next\n- y"),
    ]);
    let reading = reading(&bytes, "x.jsonl");
    let handoff = reading.current().expect("a handoff");
    assert_eq!(handoff.objective.as_ref().map(|goal| goal.text.as_str()), Some("Finish the soak timer."));
    assert!(finding(&reading, "not-written-as-handoff"));
    let root = lines(&[header(), message("user", prompt)]);
    assert_eq!(read(&root, "x.jsonl", &Limits::default()).readable, Readable::NotAHandoff);
}

#[test]
fn a_compaction_of_musepi_is_shown_and_said_to_be_the_agents_own() {
    let name = "/home/ada/.musepi/agent/sessions/--home-ada-kiln--/2026-05-02T10-00-00-000Z_019e0000-1111-7222.jsonl";
    let record = json!({"type":"compaction","id":"3","parentId":"1","timestamp":"2026-05-02T12:00:00.000Z","summary":DOCUMENT,"firstKeptEntryId":"1","tokensBefore":9});
    let bytes = lines(&[header(), record]);
    let musepi = reading(&bytes, name);
    assert_eq!(musepi.current().map(|handoff| handoff.next.len()), Some(3));
    assert!(finding(&musepi, "not-written-as-handoff"));
    assert_eq!(reading(&bytes, "/home/ada/.pi/agent/sessions/x/y.jsonl").readable, Readable::NotAHandoff);
}

#[test]
fn damaged_lines_are_skipped_and_counted_and_a_half_written_last_line_is_no_fault() {
    let good = String::from_utf8(in_place()).expect("UTF-8");
    let whole = reading(format!("{good}{{\"type\":\"mess").as_bytes(), NAME);
    assert!(!finding(&whole, "session-lines-skipped"), "{:?}", whole.findings);
    let damaged = good.replacen("{\"type\":\"model_change\"", "{\"typ\n\0\0\0\0\n{\"type\":\"model_change\"", 1);
    let reading = reading(damaged.as_bytes(), NAME);
    assert!(reading.findings.iter().any(|finding| finding.message.starts_with("One line")), "{:?}", reading.findings);
    assert_eq!(reading.current().map(|handoff| handoff.next.len()), Some(3));
    let joined = good.replacen("}\n{\"type\":\"compaction\"", "}{\"type\":\"compaction\"", 1).replacen(
        "\n{\"type\":\"compaction\"",
        "{\"a\":\"x{\"type\":\"compaction\"",
        1,
    );
    let found = read(joined.as_bytes(), NAME, &Limits::default());
    assert_eq!(found.current().map(|handoff| handoff.next.len()), Some(3), "{joined}");
}

#[test]
fn of_several_handoffs_the_newest_is_shown_and_a_lost_text_is_none() {
    let one = |at: &str, text: &str| json!({"type":"compaction","id":at,"parentId":null,"timestamp":at,"summary":text,"method":"handoff"});
    let bytes = lines(&[
        header(),
        one("2026-05-02T11:00:00.000Z", "## Goal\nFirst\n\n## Next Steps\n1. a"),
        one("2026-05-02T12:00:00.000Z", "## Goal\nSecond\n\n## Next Steps\n1. b"),
        one("2026-05-02T13:00:00.000Z", "[Superseded compaction summary elided: 900 tokens]"),
    ]);
    let reading = reading(&bytes, NAME);
    assert_eq!(
        reading.current().and_then(|handoff| handoff.objective.as_ref()).map(|goal| goal.text.as_str()),
        Some("Second")
    );
    assert!(finding(&reading, "several-handoffs-in-one-file"));
}

#[test]
fn logs_of_other_programs_are_no_sessions_of_the_family() {
    for line in [
        json!({"type":"session_meta","payload":{"id":"x","cwd":"/x"}}),
        json!({"type":"user","uuid":"x","sessionId":"y","cwd":"/x","message":{"role":"user","content":"## Goal\nx"}}),
        json!({"sessionId":"x","projectHash":"y","startTime":"2026-01-01T00:00:00Z","kind":"main"}),
    ] {
        let bytes = lines(&[line.clone(), line]);
        assert!(!is_session(&bytes));
        assert_eq!(read(&bytes, "x.jsonl", &Limits::default()).readable, Readable::NotAHandoff);
    }
}
