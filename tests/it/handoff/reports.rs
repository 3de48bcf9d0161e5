//! Public reports of other tools, each as what must hold here.

use handoff::{Handoff, ItemState, Limits, Readable, Reading, contradictions, document, read};

fn reading(bytes: &[u8], name: &str) -> Reading {
    read(bytes, name, &Limits::default())
}

fn current(reading: &Reading) -> &Handoff {
    reading.current().expect("a handoff")
}

/// anthropics/claude-code#27319: cancelled plans came back as things to approve.
#[test]
fn a_cancelled_plan_is_not_offered_as_work() {
    let text = "# Handoff\n\n## Next\n- ~~Plan B~~ (cancelled)\n- Plan C (shelved)\n- Plan D (superseded: by E)\n- Plan E\n\n| Task | Status |\n|---|---|\n| Plan F | ❌ cancelled |\n";
    let reading = reading(text.as_bytes(), "HANDOFF.md");
    let open: Vec<&str> = current(&reading)
        .next
        .iter()
        .filter(|item| item.state != Some(ItemState::Dropped))
        .map(|item| item.text.as_str())
        .collect();
    assert_eq!(open, ["Plan E"]);
}

/// openai/codex#38931: a stale checkpoint reopened a finished stage, whose name is as short as names of stages are.
#[test]
fn a_stage_that_is_done_and_next_contradicts_itself() {
    let reading = reading(b"# Handoff\n\n## Done\n- W4\n\n## Next\n- W4\n- W5\n", "HANDOFF.md");
    let found: Vec<_> = contradictions(current(&reading)).into_iter().map(|one| one.items).collect();
    assert_eq!(found, [["done/0", "next/0"]]);
}

/// Yeachan-Heo/oh-my-claudecode#458: a finished run was taken for a new request, because the old one stood first.
#[test]
fn the_words_of_an_old_request_are_neither_work_nor_rule() {
    let text = "# Auto handoff\n\n## Original Prompt\nWrite the plan. Never ask me before you delete the old export.\n\n## Completed\n- the plan\n\n## Next\n- review the plan\n";
    let reading = reading(text.as_bytes(), "HANDOFF.md");
    let handoff = current(&reading);
    let next: Vec<&str> = handoff.next.iter().map(|item| item.text.as_str()).collect();
    assert_eq!(next, ["review the plan"]);
    assert!(handoff.safety.never.is_empty() && handoff.safety.ask.is_empty(), "{:?}", handoff.safety);
}

fn session(between: &[u8]) -> Vec<u8> {
    let head = br#"{"type":"session","version":3,"id":"019e0000","timestamp":"2026-05-02T10:00:00.000Z","cwd":"/x"}"#;
    let tail = br###"{"type":"compaction","id":"3","timestamp":"2026-05-02T12:00:00.000Z","summary":"## Goal\nFire the kiln.\n\n## Next Steps\n1. Soak","method":"handoff"}"###;
    [head.as_slice(), b"\n", between, tail, b"\n"].concat()
}

/// anthropics/claude-code#49876: a block of NUL bytes in the middle, left by a crash, hid what came after it.
#[test]
fn a_block_of_nul_bytes_in_a_session_hides_nothing_behind_it() {
    let bytes = session(&[0; 500]);
    let reading = reading(&bytes, "sessions/x/2026-05-02T10-00-00-000Z_019e0000-1111.jsonl");
    assert_eq!(current(&reading).objective.as_ref().map(|goal| goal.text.as_str()), Some("Fire the kiln."));
    assert!(document(bytes, "s.jsonl").starts_with(b"## Goal"));
}

/// QwenLM/qwen-code#3656: two records on one line, or one behind the beginning of another, were both lost.
#[test]
fn records_that_share_a_line_are_both_read() {
    for between in [
        br#"{"type":"model_change","provider":"p","modelId":"m"}"#.as_slice(),
        br#"{"type":"message","message":{"role":"assistant","content":"cut o"#.as_slice(),
    ] {
        let reading = reading(&session(between), "s.jsonl");
        let goal = current(&reading).objective.as_ref().map(|goal| goal.text.as_str());
        assert_eq!(goal, Some("Fire the kiln."), "{}", String::from_utf8_lossy(between));
    }
}

/// Found by mangled files: a byte that is no UTF-8 in the header must not part the text from its places.
#[test]
fn a_header_with_a_byte_that_is_no_text_is_one_for_reader_and_revision_alike() {
    let mut bytes = session(b"");
    let at = bytes.windows(2).position(|pair| pair == b"/x").expect("a folder") + 1;
    bytes[at] = 0xff;
    let reading = reading(&bytes, "s.jsonl");
    assert_eq!(reading.format, handoff::Format::Session);
    let document = document(bytes, "s.jsonl");
    assert!(document.starts_with(b"## Goal"), "{}", String::from_utf8_lossy(&document));
    assert!(reading.entries.iter().all(|entry| entry.span.to <= document.len()));
}

/// Found by mangled files: a title of several lines, put together with a blank, was given half a character as its end.
#[test]
fn the_place_of_a_title_of_several_lines_lies_on_whole_characters() {
    let text = "# Übergabe (Öfen,\n# Kühlräume — älter)\n\n## Nächste Schritte\n- x\n";
    let underlined = "one |２２ß\n=====\n=====ß（ß\n=====\n\n## Next\n- x\n";
    for text in [text, underlined] {
        let reading = reading(text.as_bytes(), "HANDOFF.md");
        let place = current(&reading).title.as_ref().and_then(|title| title.span).expect("a place");
        assert!(text.is_char_boundary(place.from) && text.is_char_boundary(place.to), "{place:?} in {text:?}");
    }
}

/// stablyai/orca#20455: a hard cap silently hid valid files.
#[test]
fn a_file_of_one_byte_more_than_the_cap_is_shown_and_says_so() {
    let limits = Limits { file_bytes: 4_096, ..Limits::default() };
    let mut text = "# Handoff\n\n## Goal\nFire the kiln.\n\n## Next\n- soak\n\n## Notes\n".to_owned();
    text.push_str(&"x ".repeat(2_100));
    text.truncate(4_097);
    let over = read(text.as_bytes(), "HANDOFF.md", &limits);
    assert_eq!(over.readable, Readable::Partial);
    assert!(over.findings.iter().any(|finding| finding.code == "too-large"), "{:?}", over.findings);
    assert_eq!(current(&over).objective.as_ref().map(|goal| goal.text.as_str()), Some("Fire the kiln."));
    let at = read(&text.as_bytes()[..4_096], "HANDOFF.md", &limits);
    assert!(!at.findings.iter().any(|finding| finding.code == "too-large"));
}

/// JasonColapietro/suede-creator-skills#102: a day became another one through a zone that nobody wrote.
#[test]
fn a_day_without_a_zone_stays_the_day_that_was_written_also_in_the_future() {
    for day in ["2026-12-31", "2031-01-01"] {
        let text = format!("# Handoff\n\nDate: {day}\n\n## Next\n- soak\n");
        let reading = reading(text.as_bytes(), "HANDOFF.md");
        assert_eq!(current(&reading).provenance.written_at.as_deref(), Some(day));
        assert_eq!(reading.readable, Readable::Full);
    }
}
