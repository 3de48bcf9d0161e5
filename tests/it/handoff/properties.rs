//! What must hold for every file: nothing panics, ranges lie inside and on character boundaries, the time grows
//! with the size, and no line is lost.

mod support;

use handoff::{Handoff, Limits, Span, mentions, read};
use proptest::prelude::*;
use std::time::{Duration, Instant};
use support::{assert_grows_with_size, cases, check, spans};

const NAMES: &[&str] = &["HANDOFF.md", "handoff.json", "handoff.yaml", "notes"];

proptest! {
    #![proptest_config(ProptestConfig { cases: 160, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_bytes_are_read(bytes in proptest::collection::vec(any::<u8>(), 0..400), name in 0..NAMES.len()) {
        check(&bytes, NAMES[name]);
    }

    #[test]
    fn any_text_of_marks_is_read(text in "([#*`~|:<>\\-\\[\\]() \n\tx✅次0-9a-f.]|Next|Done:|Branch: |---\n|```\n|- \\[ \\] |<b>|\"|\\{|\\}|，){0,120}", name in 0..NAMES.len()) {
        check(text.as_bytes(), NAMES[name]);
        let _ = mentions(&text);
    }

    #[test]
    fn mutated_cases_are_read(case in 0..18_usize, at in any::<prop::sample::Index>(), bytes in proptest::collection::vec(any::<u8>(), 0..6), cut in any::<bool>(), other in any::<prop::sample::Index>()) {
        let all = cases();
        let (name, mut content) = all[case % all.len()].clone();
        let at = at.index(content.len());
        if cut {
            content.truncate(at);
        } else {
            let end = (at + bytes.len()).min(content.len());
            content.splice(at..end, bytes);
            let from = other.index(content.len().max(1)).min(content.len());
            let copy: Vec<u8> = content[from..].iter().take(40).copied().collect();
            let at = at.min(content.len());
            content.splice(at..at, copy);
        }
        check(&content, &name);
    }
}

#[test]
fn ranges_of_the_cases_lie_inside_and_on_boundaries() {
    for (name, bytes) in cases() {
        check(&bytes, &name);
        let windows = String::from_utf8_lossy(&bytes).replace('\n', "\r\n");
        check(windows.as_bytes(), &name);
        let mut marked = b"\xef\xbb\xbf".to_vec();
        marked.extend_from_slice(&bytes);
        check(&marked, &name);
    }
}

#[test]
fn an_item_stands_where_its_range_says() {
    for (name, bytes) in cases() {
        if !name.ends_with(".md") {
            continue;
        }
        let reading = read(&bytes, &name, &Limits::default());
        let text = String::from_utf8_lossy(&bytes).into_owned();
        for handoff in reading.entries.iter().map(|entry| &entry.handoff) {
            for item in handoff
                .next
                .iter()
                .chain(&handoff.hazards)
                .chain(&handoff.open)
                .filter(|item| !item.text.contains(": "))
            {
                let first = item.text.lines().next().unwrap_or_default();
                let place = item.span.map(|span| &text[span.range()]).unwrap_or_default();
                assert!(place.contains(first.trim()), "{name}: {first:?} is not in {place:?}");
            }
        }
    }
}

/// Lines of a Markdown document that no range and no provenance value covers.
fn lost(name: &str, bytes: &[u8]) -> Vec<String> {
    let reading = read(bytes, name, &Limits::default());
    let text = String::from_utf8_lossy(bytes).into_owned();
    let mut covered: Vec<Span> = Vec::new();
    for entry in &reading.entries {
        let mut alone = reading.clone();
        alone.findings.clear();
        alone.entries = vec![entry.clone()];
        let whole = entry.span;
        covered.extend(spans(&alone).into_iter().filter(|span| *span != whole));
    }
    let said: String = reading.entries.iter().map(|entry| words(&entry.handoff)).collect();
    let mut lost = Vec::new();
    let mut at = 0;
    for line in text.split_inclusive('\n') {
        let (from, to) = (at, at + line.len());
        at = to;
        let plain = line.trim();
        let furniture = plain.is_empty()
            || plain.starts_with('#')
            || plain.starts_with("</")
            || plain.starts_with('<') && plain.ends_with('>')
            || plain.chars().all(|mark| matches!(mark, '-' | '|' | ':' | ' ' | '*' | '=' | '`'))
            || plain.starts_with('|') && plain.ends_with('|')
            || plain.ends_with([':', '：']);
        let touched = covered.iter().any(|span| span.from < to && span.to > from);
        let value = plain.rsplit([':', '：']).next().unwrap_or(plain).trim().trim_matches(['*', '"', ' ']);
        let kept_as_provenance = plain.contains([':', '：'])
            && (said.contains(value) || handoff_date(value).is_some_and(|date| said.contains(&date)));
        if !furniture && !touched && !kept_as_provenance && !none(value) && !plain.ends_with(':') {
            lost.push(plain.to_owned());
        }
    }
    lost
}

fn words(handoff: &Handoff) -> String {
    format!("{:?}{:?}", handoff.provenance, handoff.id)
}

fn handoff_date(value: &str) -> Option<String> {
    let digits: String = value.chars().filter(|c| c.is_ascii_digit() || *c == '-').take(10).collect();
    (digits.len() == 10).then_some(digits)
}

fn none(value: &str) -> bool {
    matches!(value.to_lowercase().trim_end_matches('.'), "none" | "n/a" | "-" | "")
}

#[test]
fn no_line_of_a_case_is_lost() {
    for (name, bytes) in cases() {
        if name.ends_with(".md") {
            let lost = lost(&name, &bytes);
            // Times of day and front-matter dates are kept without their own place.
            let lost: Vec<String> = lost
                .into_iter()
                .filter(|line| {
                    !line.starts_with("date:") && !line.contains("Date:") && !line.starts_with("last_updated")
                })
                .collect();
            assert!(lost.is_empty(), "{name}: {lost:#?}");
        }
    }
}

#[test]
fn a_document_that_fits_nothing_is_kept_verbatim() {
    let text = "# A title\n\nSome words.\n\n## Something of our own\n\nA paragraph.\n\n- a bullet\n  - nested\n\n```sh\n# not a heading\nls\n```\n\n<div>\n\nhidden\n\n</div>\n\n| a | b |\n|---|---|\n| c | d |\n\n## Next steps\n\nAn introduction.\n\n- do it\n";
    assert_eq!(lost("HANDOFF.md", text.as_bytes()), Vec::<String>::new());
    let reading = read(text.as_bytes(), "HANDOFF.md", &Limits::default());
    let handoff = reading.current().expect("a handoff");
    let kept: String = handoff.extra.iter().map(|section| section.text.as_str()).collect();
    for words in ["Some words.", "# not a heading", "- a bullet\n  - nested", "An introduction.", "| c | d |", "hidden"]
    {
        assert!(kept.contains(words), "{words:?} is not in {kept:?}");
    }
}

fn linear(what: &str, name: &str, make: impl Fn(usize) -> String, small: usize) {
    assert_grows_with_size(what, make, small / 4, |text| drop(read(text.as_bytes(), name, &Limits::default())));
}

#[test]
fn time_grows_with_size_and_not_with_its_square() {
    let deep =
        |n: usize| (0..n).map(|level| format!("{}- item {level}\n", "  ".repeat(level % 60))).collect::<String>();
    linear("nested lists", "a.md", |n| format!("# A\n\n## Next\n\n{}", deep(n)), 1_500);
    linear("headings", "a.md", |n| (0..n).map(|i| format!("## Heading {i}\n\ntext {i}\n\n")).collect(), 1_500);
    linear(
        "dated headings",
        "a.md",
        |n| (0..n).map(|i| format!("## Session 2026-01-{:02} n{i}\n\n- did\n\n", i % 28 + 1)).collect(),
        800,
    );
    linear(
        "a table",
        "a.md",
        |n| format!("## Done\n\n| a | b | status |\n|---|---|---|\n{}", "| x | src/y.rs | done |\n".repeat(n)),
        2_000,
    );
    linear("a long line", "a.md", |n| format!("## Next\n\n- {}\n", "word `src/a.rs` and, ".repeat(n)), 2_000);
    linear("open brackets", "a.md", |n| format!("## Next\n\n{}\n", "[".repeat(n)), 8_000);
    linear("quotes", "a.md", |n| format!("## Next\n\n{} x\n", "> ".repeat(n)), 500);
    linear("fences", "a.md", |n| "```\nM  src/a.rs\n```\n\n".repeat(n), 1_500);
    linear("tags", "a.md", |n| "<notes>\n".repeat(n), 1_500);
    linear("tags of many names", "a.md", |n| (0..n).map(|i| format!("<tag{i}>\n")).collect(), 1_500);
    linear(
        "words",
        "a.md",
        |n| format!("# A\n\n{}", "do not push to main without approval, tried and failed. ".repeat(n)),
        1_000,
    );
    linear("bold labels", "a.md", |n| format!("{}\n", "**A:** b ".repeat(n)), 1_000);
    linear("labels", "a.md", |n| "Branch: main\nDone: x\n".repeat(n), 2_000);
    linear(
        "JSON",
        "a.json",
        |n| format!("{{\"next_steps\": [{}\"x\"], \"done\": []}}", "\"a step\",".repeat(n)),
        4_000,
    );
    linear("YAML", "a.yaml", |n| format!("next_steps:\n{}done: []\n", "  - a step\n".repeat(n)), 2_000);
}

#[test]
fn bombs_are_refused_at_once() {
    let mut bomb = "a: &a [x, x, x, x, x, x, x, x, x]\n".to_owned();
    for (from, to) in ('a'..'j').zip('b'..'k') {
        let aliases = vec![format!("*{from}"); 9].join(", ");
        bomb.push_str(&format!("{to}: &{to} [{aliases}]\n"));
    }
    for (name, text) in [
        ("a.yaml", bomb.clone()),
        ("a.md", format!("---\n{bomb}---\n\n## Next\n\n- x\n")),
        ("a.json", "[".repeat(200_000)),
        ("a.json", "{\"a\":".repeat(100_000)),
        ("a.yaml", format!("a: {}", "[".repeat(100_000))),
        ("a.md", format!("---\na: {}\n---\n", "{".repeat(100_000))),
        ("a.md", "> ".repeat(50_000)),
        ("a.md", format!("{}x", "- ".repeat(20_000))),
    ] {
        let start = Instant::now();
        check(text.as_bytes(), name);
        assert!(start.elapsed() < Duration::from_secs(20), "{name}: {:?}", start.elapsed());
    }
}

#[test]
fn a_file_above_the_limit_is_listed_with_its_first_entry() {
    let limits = Limits { file_bytes: 2_000, ..Limits::default() };
    let text = format!("# Handoff\n\n## Next\n\n{}", "- 次のことをする\n".repeat(400));
    let reading = read(text.as_bytes(), "HANDOFF.md", &limits);
    assert_eq!(reading.entries.len(), 1);
    assert!(reading.findings.iter().any(|finding| finding.code == "too-large"), "{:?}", reading.findings);
    assert!(!reading.findings.iter().any(|finding| finding.code == "invalid-utf8"), "{:?}", reading.findings);
}
