//! Edits by byte range: the wanted change comes out, and every other byte stays.

mod support;

use handoff::{Edit, Edited, Error, Format, Handoff, Item, Limits, Readable, Reading, Safety, apply, read, widens};
use proptest::prelude::*;
use support::cases;

const LISTS: &[&str] = &[
    "constraints",
    "facts",
    "unverified",
    "hazards",
    "decisions",
    "rejected",
    "done",
    "next",
    "open",
    "artifacts",
    "safety.may",
    "safety.ask",
    "safety.never",
];

fn edited(name: &str, bytes: &[u8], edits: &[&str]) -> Result<Edited, Error> {
    let limits = Limits::default();
    let reading = read(bytes, name, &limits);
    let edits: Vec<Edit> = edits.iter().map(|edit| Edit::parse(edit).expect("an edit")).collect();
    apply(bytes, name, &reading, &edits, &limits)
}

fn text(name: &str, document: &str, edits: &[&str]) -> String {
    match edited(name, document.as_bytes(), edits) {
        Ok(edited) => String::from_utf8(edited.bytes).expect("UTF-8"),
        Err(error) => panic!("{edits:?}: {error}"),
    }
}

/// What the touched ranges leave of the old file must stand in the new one, in order, around the new bytes.
fn rest_stays(old: &[u8], edited: &Edited) {
    let mut pieces = Vec::new();
    let mut at = 0;
    for span in &edited.touched {
        pieces.push(&old[at..span.from]);
        at = span.to;
    }
    pieces.push(&old[at..]);
    let new = &edited.bytes;
    assert!(new.starts_with(pieces[0]) && new.ends_with(pieces[pieces.len() - 1]));
    let mut from = 0;
    for piece in pieces {
        let found = new[from..].windows(piece.len().max(1)).position(|window| window.starts_with(piece));
        from += found.or(piece.is_empty().then_some(0)).expect("a piece of the old file is gone") + piece.len();
    }
}

fn lengths(handoff: &Handoff) -> Vec<(&'static str, usize)> {
    let safety = &handoff.safety;
    LISTS
        .iter()
        .map(|field| {
            let length = match *field {
                "constraints" => handoff.constraints.len(),
                "facts" => handoff.facts.len(),
                "unverified" => handoff.unverified.len(),
                "hazards" => handoff.hazards.len(),
                "decisions" => handoff.decisions.len(),
                "rejected" => handoff.rejected.len(),
                "done" => handoff.done.len(),
                "next" => handoff.next.len(),
                "open" => handoff.open.len(),
                "artifacts" => handoff.artifacts.len(),
                "safety.may" => safety.may.len(),
                "safety.ask" => safety.ask.len(),
                _ => safety.never.len(),
            };
            (*field, length)
        })
        .collect()
}

/// Every edit that could be asked for of a document.
fn every_edit(reading: &Reading) -> Vec<String> {
    let Some(handoff) = reading.current() else { return Vec::new() };
    let mut edits =
        vec!["objective=Another end state".to_owned(), "title=Another title".to_owned(), "status=halted".to_owned()];
    for (field, length) in lengths(handoff) {
        edits.push(format!("{field}+=Keep the blue lamp lit"));
        for index in 0..length {
            edits.push(format!("{field}/{index}=Keep the blue lamp lit"));
            edits.push(format!("{field}/{index}-="));
            match field {
                "next" => edits.push(format!("next/{index}.state=done")),
                "decisions" | "rejected" => edits.push(format!("{field}/{index}.why=The old one hums")),
                "facts" => edits.push(format!("facts/{index}.evidence=src/lamp.rs:7")),
                _ => {}
            }
        }
    }
    edits
}

fn variants(bytes: &[u8]) -> Vec<(&'static str, Vec<u8>)> {
    let unix = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes).to_vec();
    let unix = String::from_utf8_lossy(&unix).replace("\r\n", "\n");
    let windows = unix.replace('\n', "\r\n");
    let mut marked = b"\xef\xbb\xbf".to_vec();
    marked.extend_from_slice(windows.as_bytes());
    vec![
        ("as it is", bytes.to_vec()),
        ("with CRLF", windows.into_bytes()),
        ("with a mark and CRLF", marked),
        ("without a last line end", unix.trim_end().as_bytes().to_vec()),
    ]
}

#[test]
fn every_edit_of_a_case_does_what_was_asked_or_nothing() {
    let limits = Limits::default();
    let (mut asked, mut refused) = (0, Vec::new());
    for (name, bytes) in cases() {
        for (number, (kind, bytes)) in variants(&bytes).into_iter().enumerate() {
            let reading = read(&bytes, &name, &limits);
            let mark = bytes.starts_with(b"\xef\xbb\xbf");
            let bare = |bytes: &[u8]| {
                bytes.iter().filter(|byte| **byte == b'\n').count()
                    - bytes.windows(2).filter(|pair| pair == b"\r\n").count()
            };
            // Each way to end lines meets a third of the edits, the file as it is all of them.
            let edits =
                every_edit(&reading).into_iter().enumerate().filter(|(at, _)| number == 0 || at % 3 == number - 1);
            for (_, edit) in edits {
                asked += 1;
                match edited(&name, &bytes, &[&edit]) {
                    Ok(edited) => {
                        rest_stays(&bytes, &edited);
                        assert_eq!(edited.bytes.starts_with(b"\xef\xbb\xbf"), mark, "{name} {kind} {edit}");
                        if kind.ends_with("CRLF") {
                            assert_eq!(bare(&edited.bytes), bare(&bytes), "{name} {kind} {edit}: a bare line feed");
                        }
                        if kind == "without a last line end" && !edit.ends_with("-=") {
                            assert!(!edited.bytes.ends_with(b"\n"), "{name} {kind} {edit}: a line end came");
                        }
                    }
                    Err(Error::NeedsCanonicalCopy { .. })
                        if !matches!(reading.format, Format::Markdown | Format::Canonical | Format::HandoffJson) =>
                    {
                        asked -= 1
                    }
                    Err(error) => refused.push(format!("{name} {kind} {edit}: {error}")),
                }
            }
        }
    }
    // Rows of tables, sentences and items that are read twice are edited in the file itself.
    assert!(refused.len() * 30 < asked, "{} of {asked} refused:\n{}", refused.len(), refused.join("\n"));
}

const CANONICAL: &str = "---\nfuda: 2\ntitle: Old  # a remark\nmood: calm\n---\n# Handoff\n## Objective\nShip it.\n## Verified facts\n- The lamp is blue (src/lamp.rs)\n- It hums\n## Decisions\n- Use one lamp: because two flicker\n## Remaining work\n- [ ] Paint it\n- [~] Test it\n## Safety boundary\n### Never\n- Push to main\n";

#[test]
fn a_field_with_items_gets_one_behind_the_last() {
    let after = text("handoff.md", CANONICAL, &["safety.never+=Delete the lamp", "next+=Sweep"]);
    assert!(after.ends_with("### Never\n- Push to main\n- Delete the lamp\n"), "{after}");
    assert!(after.contains("- [~] Test it\n- [ ] Sweep\n## Safety"), "{after}");
}

#[test]
fn a_field_without_a_section_gets_one() {
    let after =
        text("HANDOFF.md", "# Lamp\n\n## Next steps\n\n1. Paint\n2. Test\n", &["safety.ask+=Deploy", "next+=Sweep"]);
    assert_eq!(
        after,
        "# Lamp\n\n## Next steps\n\n1. Paint\n2. Test\n3. Sweep\n\n## Safety boundary\n\n### Needs a person\n\n- Deploy\n"
    );
}

#[test]
fn an_objective_of_several_lines_stays_markdown() {
    let document = "# Lamp\r\n\r\n## Objective\r\n\r\nShip it.\r\n\r\n## Next steps\r\n\r\n- Paint\r\n";
    let after = text("HANDOFF.md", document, &["objective=Ship both:\n\n- red\n- blue"]);
    assert_eq!(after, document.replace("Ship it.", "Ship both:\r\n\r\n- red\r\n- blue"));
}

#[test]
fn a_list_that_the_boundary_lacks_joins_its_section() {
    let edits = ["safety.ask+=Deploy", "safety.never+=Delete the lamp", "safety.may+=Run the tests"];
    let after = text("handoff.md", CANONICAL, &edits);
    let wanted = "### Never\n- Push to main\n- Delete the lamp\n### Needs a person\n- Deploy\n### May do alone\n- Run the tests\n";
    assert!(after.ends_with(wanted), "{after}");
}

#[test]
fn several_lists_of_the_boundary_share_one_section() {
    let after = text(
        "HANDOFF.md",
        "# Lamp\n\n## Next steps\n\n- Paint\n",
        &["safety.ask+=Deploy", "hazards+=It is hot", "safety.never+=Push"],
    );
    let reading = read(after.as_bytes(), "HANDOFF.md", &Limits::default());
    let safety = &reading.current().expect("a handoff").safety;
    assert_eq!((safety.ask[0].text.as_str(), safety.never[0].text.as_str()), ("Deploy", "Push"), "{after}");
    assert_eq!(after.matches("## Safety boundary").count(), 1, "{after}");
}

#[test]
fn a_part_of_an_item_changes_alone() {
    for (edit, old, new) in [
        ("decisions/0.why=they hum", "because two flicker", "because they hum"),
        ("facts/0.evidence=cargo test lamp", "(src/lamp.rs)", "(cargo test lamp)"),
        ("facts/1.evidence=heard it", "- It hums", "- It hums (heard it)"),
        ("next/1.state=blocked", "[~]", "[!]"),
        ("next/0.state=done", "- [ ] Paint", "- [x] Paint"),
        ("title=New: one", "title: Old  # a remark", "title: \"New: one\"  # a remark"),
        ("objective=Ship both.\nSoon.", "Ship it.", "Ship both.\nSoon."),
    ] {
        assert_eq!(text("handoff.md", CANONICAL, &[edit]), CANONICAL.replacen(old, new, 1), "{edit}");
    }
}

#[test]
fn all_edits_of_one_call_count_the_same_reading() {
    let after = text("handoff.md", CANONICAL, &["facts/0-=", "facts/1=It is silent", "next/0-=", "next/1.state=done"]);
    assert!(after.contains("## Verified facts\n- It is silent\n## Decisions"), "{after}");
    assert!(after.contains("## Remaining work\n- [x] Test it\n## Safety"), "{after}");
}

#[test]
fn text_and_part_of_one_item_can_change_together() {
    let after = text("handoff.md", CANONICAL, &["decisions/0=Use no lamp", "decisions/0.why=the sun shines"]);
    assert!(after.contains("- Use no lamp: because the sun shines\n"), "{after}");
    let json = r#"{"version": 2, "objective": "x", "facts": ["a"], "decisions": [{"what": "b"}]}"#;
    let after = text("handoff.json", json, &["facts/0=c", "facts/0.evidence=d", "decisions/0=e", "decisions/0.why=f"]);
    let reading = read(after.as_bytes(), "handoff.json", &Limits::default());
    let handoff = reading.current().expect("a handoff");
    assert_eq!((handoff.facts[0].text.as_str(), handoff.facts[0].evidence.as_deref()), ("c", Some("d")), "{after}");
    assert_eq!((handoff.decisions[0].what.as_str(), handoff.decisions[0].why.as_deref()), ("e", Some("f")), "{after}");
}

#[test]
fn text_that_looks_like_structure_stays_text() {
    for words in ["# not a heading", "- not a bullet", "[x] not a box", "```sh", "a\n## b\n- c", "1. one"] {
        let edit = format!("next/0={words}");
        let after = text("handoff.md", CANONICAL, &[&edit]);
        let reading = read(after.as_bytes(), "handoff.md", &Limits::default());
        assert_eq!(reading.current().expect("a handoff").next[0].text, words, "{after}");
    }
}

#[test]
fn json_keeps_its_layout() {
    let json =
        "{\r\n  \"version\": 2,\r\n  \"objective\": \"x\",\r\n  \"next\": [\r\n    \"a\",\r\n    \"b\"\r\n  ]\r\n}";
    let after = text("handoff.json", json, &["next+=c", "safety.ask+=deploy", "next/0=A"]);
    let wanted = json
        .replace("\"a\"", "\"A\"")
        .replace("\"b\"\r\n  ]", "\"b\",\r\n    \"c\"\r\n  ],\r\n  \"safety\": {\"ask\": [\"deploy\"]}");
    assert_eq!(after, wanted);
    assert_eq!(text("handoff.json", json, &["next/0-=", "next/1-="]).matches("\"next\": []").count(), 1);
    assert!(text("handoff.json", json, &["next/0-=", "next/1-=", "next+=z"]).contains("\"z\""));
}

#[test]
fn version_1_has_no_place_for_the_boundary() {
    let json = r#"{"version": 1, "objective": "x"}"#;
    assert!(matches!(edited("handoff.json", json.as_bytes(), &["safety.ask+=deploy"]), Err(Error::NeedsJson2 { .. })));
    assert!(text("handoff.json", json, &["next+=a", "objective=y"]).contains("\"next\": [\"a\"]"));
}

#[test]
fn json_and_yaml_of_other_tools_change_a_value_that_is_there() {
    let yaml = "goal: \"Tune it\"  # ours\nnow: Paint\nnext:\n  - Average three readings\n  - task: Spike   # later\n    why: none\ndone_this_session: []\ndecisions:\n  - one: two\n";
    let reading = read(yaml.as_bytes(), "handoff.yaml", &Limits::default());
    assert_eq!(reading.format, Format::Yaml, "{reading:?}");
    let next = &reading.current().expect("a handoff").next;
    let index = next.iter().position(|item| item.text.starts_with("Average")).expect("the item");
    let after = text("handoff.yaml", yaml, &[&format!("next/{index}=Average five: slowly")]);
    assert_eq!(after, yaml.replace("Average three readings", "\"Average five: slowly\""));
    assert!(matches!(edited("handoff.yaml", yaml.as_bytes(), &["next+=More"]), Err(Error::NeedsCanonicalCopy { .. })));
    let (name, bytes) = cases().into_iter().find(|(name, _)| name.starts_with("06")).expect("the case");
    let reading = read(&bytes, &name, &Limits::default());
    let next = &reading.current().expect("a handoff").next;
    let index = next.iter().position(|item| item.text == "Holiday rules").expect("the item");
    let after = edited(&name, &bytes, &[&format!("next/{index}=Rules \"for\" holidays")]).expect("an edit");
    let old = String::from_utf8(bytes).expect("UTF-8");
    assert_eq!(
        String::from_utf8(after.bytes).expect("UTF-8"),
        old.replace("\"Holiday rules\"", r#""Rules \"for\" holidays""#)
    );
}

#[test]
fn the_receiver_and_what_was_left_out_can_be_set() {
    let after = text("handoff.md", CANONICAL, &["provenance.to=codex-b", "omitted+=The old logs"]);
    assert!(after.contains("mood: calm\nto: codex-b\n---\n"), "{after}");
    assert!(after.ends_with("## Omitted\n\n- The old logs\n"), "{after}");
    assert_eq!(text("handoff.md", &after, &["provenance.to=pi: two"]), after.replace("codex-b", "\"pi: two\""));
    let json = r#"{"version": 2, "objective": "x", "provenance": {"agent": "pi"}}"#;
    let after = text("handoff.json", json, &["provenance.to=codex-b", "omitted+=y"]);
    assert!(after.contains(r#""provenance": {"agent": "pi", "to": "codex-b"}, "omitted": ["y"]"#), "{after}");
    let plain = b"# Lamp\n\n## Next steps\n\n- Paint\n";
    assert!(matches!(edited("HANDOFF.md", plain, &["provenance.to=x"]), Err(Error::NeedsCanonicalCopy { .. })));
    assert!(Edit::parse("provenance.model=x").is_err());
}

#[test]
fn a_file_that_was_not_read_to_its_end_is_not_edited() {
    let limits = Limits { file_bytes: 60, ..Limits::default() };
    let bytes = CANONICAL.as_bytes();
    let edits = [Edit::parse("safety.ask+=x").expect("an edit")];
    let reading = read(bytes, "handoff.md", &limits);
    let result = apply(bytes, "handoff.md", &reading, &edits, &limits);
    assert!(matches!(result, Err(Error::OverLimit { .. } | Error::NeedsCanonicalCopy { .. })), "{result:?}");
}

#[test]
fn an_index_beyond_the_list_is_named() {
    match edited("handoff.md", CANONICAL.as_bytes(), &["next/7=x"]) {
        Err(Error::NoSuchItem { item, length }) => assert_eq!((item.as_str(), length), ("next/7", 2)),
        other => panic!("{other:?}"),
    }
}

#[test]
fn the_grammar_says_what_was_expected() {
    for (edit, expected) in [
        ("nonsense", "FIELD=TEXT"),
        ("colour=red", "the fields are"),
        ("next=x", "a list takes"),
        ("objective+=x", "a single field takes"),
        ("next/a=x", "the index is a number"),
        ("next/0.why=x", "the parts are"),
        ("next/0.state=half", "the states are"),
        ("next+= ", "an item needs a text"),
        ("next/0+=x", "an item takes"),
    ] {
        match Edit::parse(edit) {
            Err(error) => assert!(error.to_string().contains(expected), "{edit}: {error}"),
            Ok(parsed) => panic!("{edit}: {parsed:?}"),
        }
    }
}

#[test]
fn a_wider_boundary_is_said_in_sentences() {
    let list = |texts: &[&str]| texts.iter().map(|text| Item::made(*text)).collect::<Vec<_>>();
    let safety =
        |may: &[&str], ask: &[&str], never: &[&str]| Safety { may: list(may), ask: list(ask), never: list(never) };
    let before = safety(&["run tests"], &["deploy", "merge"], &["push", "delete"]);
    assert!(widens(&before, &before).is_empty());
    assert!(widens(&before, &safety(&[], &["deploy", "merge", "run tests"], &["push", "delete"])).is_empty());
    let wider = widens(&before, &safety(&["run tests", "deploy"], &[], &["push", "merge"]));
    assert_eq!(wider, ["“deploy” no longer needs a person.", "“delete” is no longer forbidden."]);
    let wider = widens(&before, &safety(&["run tests"], &["deploy", "merge", "push"], &["delete"]));
    assert_eq!(wider, ["“push” is no longer forbidden; it needs a person."]);
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 2000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_text_can_be_added_to_any_list_of_our_own_formats(words in "[#*`~|:<>\\[\\]() \n\txé次0-9a-f.\\\\-]{1,40}", list in 0..LISTS.len(), json in any::<bool>()) {
        prop_assume!(words.chars().any(char::is_alphanumeric));
        let document = "{\"version\": 2, \"objective\": \"x\"}";
        let (name, document) = if json { ("handoff.json", document) } else { ("handoff.md", CANONICAL) };
        let edit = format!("{}+={words}", LISTS[list]);
        let edited = match edited(name, document.as_bytes(), &[&edit]) {
            Ok(edited) => edited,
            Err(error) => return Err(TestCaseError::fail(format!("{edit:?}: {error}"))),
        };
        rest_stays(document.as_bytes(), &edited);
        let reading = read(&edited.bytes, name, &Limits::default());
        prop_assert!(matches!(reading.readable, Readable::Full | Readable::Partial));
    }
}

#[test]
fn a_row_of_a_table_changes_in_the_cell_that_changed() {
    let table = "# Lamp\n\n## Verified facts\n\n| check | result | detail |\n|---|---|---|\n| unit tests | pass | 18 of 19 |\n| bundle | pass | remote |\n\n## Next steps\n\n- Paint\n";
    let reading = read(table.as_bytes(), "HANDOFF.md", &Limits::default());
    let old = reading.current().expect("a handoff").facts[0].text.clone();
    let edit = format!("facts/0={}", old.replace("18 of 19", "19 of 19"));
    assert_eq!(text("HANDOFF.md", table, &[&edit]), table.replace("18 of 19", "19 of 19"));
    assert!(matches!(edited("HANDOFF.md", table.as_bytes(), &["facts/0=All is new"]), Err(Error::NotAsAsked { .. })));
}

#[test]
fn a_file_in_another_encoding_is_not_edited_in_place() {
    let mut bytes = b"\xff\xfe".to_vec();
    bytes.extend("# Lamp\n\n## Next steps\n\n- Paint\n".encode_utf16().flat_map(u16::to_le_bytes));
    assert!(matches!(edited("HANDOFF.md", &bytes, &["next/0=Sweep"]), Err(Error::NeedsCanonicalCopy { .. })));
}

#[test]
fn bytes_that_are_no_utf_8_stay_where_they_are() {
    let bytes = b"# Lamp \xff\n\n## Notes\n\nlatin \xe9\n\n## Next steps\n\n- Paint\n- Test\n";
    let edited = edited("HANDOFF.md", bytes, &["next/0=Sweep", "safety.never+=Push"]).expect("an edit");
    rest_stays(bytes, &edited);
    let start = b"# Lamp \xff\n\n## Notes\n\nlatin \xe9\n\n## Next steps\n\n- Sweep\n- Test\n";
    assert!(edited.bytes.starts_with(start), "{}", String::from_utf8_lossy(&edited.bytes));
}

#[test]
fn a_moved_item_takes_its_state_along_and_the_bytes_around_stay() {
    let document = "# Handoff\n\n## Goal\n\nGo.\n\n## Next steps\n\n1. [~] first\n2. [ ] second\n3. [ ] third\n\n## Odd\n\nstays\n";
    let moved = text("HANDOFF.md", document, &["next/2>0"]);
    assert_eq!(
        moved,
        document.replace("1. [~] first\n2. [ ] second\n3. [ ] third", "1. [ ] third\n2. [~] first\n3. [ ] second")
    );
    // A text that is replaced at the same time goes along; a new item can go to the front.
    let both = text("HANDOFF.md", document, &["next/1=zweite", "next/1>0"]);
    assert!(both.contains("1. [ ] zweite\n2. [~] first\n3. [ ] third"), "{both}");
    let front = text("HANDOFF.md", "## Goal\n\nGo.\n\n## Gotchas\n\n- one\n- two\n", &["hazards+=new", "hazards/2>0"]);
    assert!(front.contains("- new\n- one\n- two\n"), "{front}");
}

#[test]
fn a_moved_fact_takes_its_evidence_along() {
    let document = "---\nfuda: 2\n---\n# Handoff\n## Objective\nGo.\n## Verified facts\n- a (a.rs)\n- b\n- c (c.rs)\n";
    let moved = text("HANDOFF.md", document, &["facts/0>2"]);
    assert!(moved.contains("- b\n- c (c.rs)\n- a (a.rs)\n"), "{moved}");
}

#[test]
fn a_move_that_would_leave_part_of_an_item_behind_is_refused() {
    let document =
        "---\nfuda: 2\n---\n# Handoff\n## Objective\nGo.\n## Artifacts\n- a (file): a.md\n- b (file): b.md\n";
    let refused = edited("HANDOFF.md", document.as_bytes(), &["artifacts/0>1"]);
    assert!(matches!(refused, Err(Error::NotAsAsked { .. })), "{refused:?}");
    let beyond = edited("HANDOFF.md", document.as_bytes(), &["next/0>1"]);
    assert!(matches!(beyond, Err(Error::NoSuchItem { .. })), "{beyond:?}");
    assert!(Edit::parse("next/0>x").is_err() && Edit::parse("objective/0>1").is_err());
}
