//! What is written reads back the same, whatever it says.

mod support;

use handoff::{
    Artifact, Decision, Error, Format, Handoff, Item, ItemState, Limits, Provenance, Readable, Rejected, Safety,
    Section, Text, Tree, read, write_canonical, write_json1, write_json2,
};
use proptest::collection::vec;
use proptest::option;
use proptest::prelude::*;
use support::{cases, without_places};

/// A line that says something and looks like as many other things as possible.
fn line() -> impl Strategy<Value = String> {
    let start = prop_oneof![
        3 => Just(""), 1 => Just("# "), 1 => Just("## Done "), 1 => Just("- "), 1 => Just("* "), 1 => Just("1. "),
        1 => Just("[x] "), 1 => Just("[ ] "), 1 => Just("> "), 1 => Just("```"), 1 => Just("~~~"), 1 => Just("<!-- "),
        1 => Just("| a | "), 1 => Just("\\"), 1 => Just("\\# "), 1 => Just("UNCONFIRMED: "), 1 => Just("---"),
        1 => Just("=== "), 1 => Just("[a]: "), 1 => Just("+++"),
    ];
    let end = prop_oneof![
        5 => Just(""), 1 => Just(" (src/a.rs)"), 1 => Just(" ()"), 1 => Just(": because"), 1 => Just(": because so"),
        1 => Just(" [2026-08-01]"), 1 => Just(" []"), 1 => Just(" {mark: x}"), 1 => Just(" {state: open}"),
        1 => Just(" because it failed"), 1 => Just(" — note"), 1 => Just(" ##"), 1 => Just("\\"), 1 => Just(": "),
        1 => Just(" <details>"), 1 => Just(" | b |"),
    ];
    (start, "[a-zé語😀`*_:#(){}|<>&'\"\\\\ -]{0,12}", "[a-z語]{2,6}", end)
        .prop_map(|(start, middle, word, end)| format!("{start}{middle}{word}{end}").trim().to_owned())
        .prop_filter("says something", |line| line.chars().any(char::is_alphanumeric))
}

fn text() -> impl Strategy<Value = String> {
    prop_oneof![
        3 => line(),
        1 => (line(), line()).prop_map(|(one, two)| format!("{one}\n{two}")),
        1 => (line(), line()).prop_map(|(one, two)| format!("{one}\n\n{two}")),
        1 => (line(), line(), 1..7_usize).prop_map(|(one, two, deep)| format!("{one}\n{}{two}", " ".repeat(deep))),
    ]
}

/// One line without braces: what stands in a remark.
fn word() -> impl Strategy<Value = String> {
    "[a-z語/.:#-][a-z0-9語/.:#' -]{0,10}[a-z0-9]".prop_map(|word| word.split_whitespace().collect::<Vec<_>>().join(" "))
}

fn state() -> impl Strategy<Value = ItemState> {
    prop_oneof![
        Just(ItemState::Open),
        Just(ItemState::InProgress),
        Just(ItemState::Blocked),
        Just(ItemState::Done),
        Just(ItemState::Dropped)
    ]
}

fn mark() -> impl Strategy<Value = Option<String>> {
    option::weighted(0.2, word())
}

/// An item; its state is given where the list needs one.
fn item(with_state: bool) -> impl Strategy<Value = Item> {
    (text(), state(), any::<bool>(), option::weighted(0.3, word()), mark()).prop_map(
        move |(text, state, stated, evidence, mark)| {
            let state = Some(state).filter(|_| with_state || stated);
            Item { text, state, evidence, mark, ..Item::default() }
        },
    )
}

fn items(with_state: bool) -> impl Strategy<Value = Vec<Item>> {
    vec(item(with_state), 0..4)
}

fn decision() -> impl Strategy<Value = Decision> {
    let at = option::weighted(0.3, prop_oneof![word(), Just("2026-08-01T14:12:00Z".to_owned())]);
    (text(), option::of(text()), vec(text(), 0..3), at, mark()).prop_map(|(what, why, alternatives, at, mark)| {
        Decision { what, why, alternatives, at, mark, ..Decision::default() }
    })
}

fn rejected() -> impl Strategy<Value = Rejected> {
    (text(), option::of(text())).prop_map(|(what, why)| Rejected { what, why, ..Rejected::default() })
}

fn artifact() -> impl Strategy<Value = Artifact> {
    (word(), option::of("[a-z_]{3,8}"), word(), option::weighted(0.3, word()))
        .prop_map(|(name, kind, reference, note)| Artifact { name, kind, reference, span: None, note })
}

fn tree() -> impl Strategy<Value = Tree> {
    let part = || option::of(word().prop_map(Text::made));
    let status = option::of(prop_oneof![word(), Just("M src/a.rs\n?? b c.md\n- x".to_owned())].prop_map(Text::made));
    (
        option::of("[a-z]{2,6}"),
        part(),
        part(),
        any::<bool>(),
        part(),
        part(),
        status,
        vec(word().prop_map(Text::made), 0..3),
    )
        .prop_map(|(name, root, branch, detached, head, subject, status, changed)| Tree {
            name,
            root: root.clone(),
            worktree: root,
            branch,
            detached,
            head,
            subject,
            status: status.clone(),
            changed,
            diff: status,
        })
}

fn section() -> impl Strategy<Value = Section> {
    let words = prop_oneof![
        text(),
        Just(String::new()),
        Just("### deeper\n\n- a\n  - b\n\n```sh\n# c\n```".to_owned()),
        Just("```\nnever closed".to_owned()),
        Just("\n  spaced  \n".to_owned()),
        Just("Do not push to main without approval.".to_owned()),
    ];
    (prop_oneof![word(), line().prop_map(|line| line.split_whitespace().collect::<Vec<_>>().join(" "))], words)
        .prop_map(|(heading, text)| Section { heading, text, span: None })
}

fn provenance() -> impl Strategy<Value = Provenance> {
    let part = || option::weighted(0.4, prop_oneof![word(), line()]);
    ((part(), part(), part(), part(), part()), option::of(any::<u32>()), part(), (part(), part(), part(), part()))
        .prop_map(|((agent, profile, model, session, reason), turns, created_at, (from, to, parent, cwd))| Provenance {
            agent,
            profile,
            model,
            session,
            turns: turns.map(u64::from),
            written_at: created_at.clone(),
            created_at,
            reason,
            resets_at: None,
            from,
            to,
            parent,
            cwd,
        })
}

prop_compose! {
    fn document()(
        (id, title, objective, status) in (option::of(word()), option::of(line()), text(), option::of(line())),
        (constraints, facts, unverified, hazards, done, next, open, omitted) in
            (items(false), items(false), items(false), items(false), items(true), items(true), items(false), items(false)),
        (may, ask, never) in (items(false), items(false), items(false)),
        decisions in vec(decision(), 0..3),
        rejected in vec(rejected(), 0..3),
        artifacts in vec(artifact(), 0..3),
        trees in prop_oneof![vec(tree(), 1..2), vec(tree(), 0..3)],
        provenance in provenance(),
        extra in vec(section(), 0..3),
    ) -> Handoff {
        Handoff {
            id, version: Some(2), title: title.map(Text::made), objective: Some(Text::made(objective)), status: status.map(Text::made),
            constraints, facts, unverified, hazards, decisions, rejected, done, next, open, artifacts,
            trees: trees.into_iter().filter(|tree| *tree != Tree::default()).collect(),
            safety: Safety { may, ask, never }, provenance, omitted, extra, points_to: Vec::new(),
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn the_canonical_file_reads_back_the_same(document in document()) {
        let written = write_canonical(&document);
        let reading = read(written.as_bytes(), "handoff.md", &Limits::default());
        prop_assert_eq!(reading.format, Format::Canonical);
        prop_assert_eq!(reading.readable, Readable::Full, "{:?}\n{}", reading.findings, written);
        let back = reading.current().cloned().unwrap_or_default();
        prop_assert_eq!(without_places(&back), without_places(&document), "\n{}", written);
        let windows = format!("\u{feff}{}", written.replace('\n', "\r\n"));
        let reading = read(windows.as_bytes(), "handoff.md", &Limits::default());
        let back = reading.current().cloned().unwrap_or_default();
        prop_assert_eq!(without_places(&back), without_places(&document), "with CRLF\n{}", written);
    }

    #[test]
    fn handoff_json_2_reads_back_the_same(document in document()) {
        let written = write_json2(&document);
        let reading = read(written.as_bytes(), "handoff.json", &Limits::default());
        prop_assert_eq!(reading.readable, Readable::Full, "{:?}\n{}", reading.findings, written);
        let back = reading.current().cloned().unwrap_or_default();
        prop_assert_eq!(without_places(&back), without_places(&document), "\n{}", written);
    }
}

#[test]
fn every_case_converts_and_converting_twice_changes_nothing() {
    for (name, bytes) in cases() {
        let reading = read(&bytes, &name, &Limits::default());
        let Some(handoff) = reading.current() else { continue };
        let once = write_canonical(handoff);
        let reading = read(once.as_bytes(), "handoff.md", &Limits::default());
        let back = reading.current().expect("a handoff");
        assert_eq!(write_canonical(back), once, "{name}");
        let json = write_json2(handoff);
        let reading = read(json.as_bytes(), "handoff.json", &Limits::default());
        assert_eq!(write_json2(reading.current().expect("a handoff")), json, "{name}");
    }
}

#[test]
fn converting_a_case_loses_no_field() {
    for (name, bytes) in cases() {
        let reading = read(&bytes, &name, &Limits::default());
        let Some(handoff) = reading.current() else { continue };
        for (written, as_name) in [(write_canonical(handoff), "handoff.md"), (write_json2(handoff), "handoff.json")] {
            let reading = read(written.as_bytes(), as_name, &Limits::default());
            let back = reading.current().expect("a handoff");
            let lost: Vec<_> =
                handoff::survived(handoff, back).into_iter().filter(|field| !field.lost.is_empty()).collect();
            assert!(lost.is_empty(), "{name} as {as_name}: {lost:#?}\n{written}");
        }
    }
}

#[test]
fn converting_invents_no_id() {
    let document = Handoff { objective: Some(Text::made("x")), ..Handoff::default() };
    assert!(!write_canonical(&document).contains("\nid:"));
    assert!(!write_json2(&document).contains("\"id\""));
}

#[test]
fn version_1_names_everything_that_it_would_lose() {
    let safety = Safety { never: vec![Item::made("push")], ..Safety::default() };
    let document = Handoff { title: Some(Text::made("t")), facts: vec![Item::made("f")], safety, ..Handoff::default() };
    match write_json1(&document) {
        Err(Error::Loses { fields }) => assert_eq!(fields, ["title", "facts", "safety"]),
        other => panic!("{other:?}"),
    }
    let plain = Handoff { objective: Some(Text::made("x")), next: vec![Item::made("y")], ..Handoff::default() };
    let written = write_json1(&plain).expect("it can say all of it");
    let reading = read(written.as_bytes(), "handoff.json", &Limits::default());
    assert_eq!((reading.readable, reading.current().and_then(|handoff| handoff.version)), (Readable::Full, Some(1)));
}

#[test]
fn an_unknown_version_of_the_canonical_file_is_refused_and_shown() {
    let text = "---\nfuda: 9\ntitle: t\n---\n# Handoff\n## Objective\nThe end.\n";
    let reading = read(text.as_bytes(), "handoff.md", &Limits::default());
    assert_eq!(reading.readable, Readable::Refused);
    assert!(reading.reason.as_deref().unwrap_or_default().contains('9'), "{:?}", reading.reason);
    let objective = reading.current().and_then(|handoff| handoff.objective.clone()).unwrap_or_default();
    assert_eq!(objective.text, "The end.");
}

#[test]
fn an_unknown_front_matter_key_is_kept() {
    let text = "---\nfuda: 2\nmood: calm  # today\n---\n# Handoff\n## Objective\nx\n";
    let reading = read(text.as_bytes(), "handoff.md", &Limits::default());
    let extra = &reading.current().expect("a handoff").extra;
    assert_eq!((extra.len(), extra[0].heading.as_str(), extra[0].text.as_str()), (1, "mood", "calm"));
}

#[test]
fn a_front_matter_without_its_end_is_incomplete() {
    let text = "---\nfuda: 2\ntitle: half";
    let reading = read(text.as_bytes(), "handoff.md", &Limits::default());
    assert_eq!(reading.readable, Readable::Incomplete);
}

#[test]
fn a_canonical_file_written_by_hand_is_understood() {
    let text = "---\nfuda: 2\ntitle: 'It''s a lamp' # ours\nto: codex-b\nomitted: old logs\n---\n\n# Handoff\n\n## Objective\n\nShip **it**.\n\nSoon.\n\n## Verified facts\n\n* The lamp is blue (src/lamp.rs:7)\n* It hums\n\n## Decisions\n\n1. Use one lamp: because two flicker [2026-08-01T14:12:00Z]\n   - two lamps\n2. Keep it\n\n## Rejected\n\n- Gas: too hot\n- Oil because it smells\n\n## Remaining work\n\n- [ ] Paint\n  - with a brush\n- [!] Test\n- Sweep\n\n## Constraints\n\nNone.\n\n## Working tree\n\n- branch: fix-detached-head\n- HEAD: 4c1f0aa\n- status: 1 modified\n\n## Safety boundary\n\nRead this first.\n\n### Never\n\n- Push\n\n## Notes of mine\n\n### deeper\n\n```sh\n## no heading\n```\n";
    let reading = read(text.as_bytes(), "handoff.md", &Limits::default());
    let handoff = reading.current().expect("a handoff");
    assert_eq!(reading.readable, Readable::Full, "{:?}", reading.findings);
    assert_eq!(handoff.title.as_ref().map(|title| title.text.as_str()), Some("It's a lamp"));
    assert_eq!(handoff.provenance.to.as_deref(), Some("codex-b"));
    assert_eq!(handoff.objective.as_ref().map(|text| text.text.as_str()), Some("Ship **it**.\n\nSoon."));
    assert_eq!(
        (handoff.facts[0].evidence.as_deref(), handoff.facts[1].evidence.as_deref()),
        (Some("src/lamp.rs:7"), None)
    );
    let decision = &handoff.decisions[0];
    assert_eq!((decision.what.as_str(), decision.why.as_deref()), ("Use one lamp", Some("two flicker")));
    assert_eq!(
        (decision.at.as_deref(), decision.alternatives.as_slice()),
        (Some("2026-08-01T14:12:00Z"), &["two lamps".to_owned()][..])
    );
    assert_eq!(
        (handoff.rejected[0].why.as_deref(), handoff.rejected[1].why.as_deref()),
        (Some("too hot"), Some("it smells"))
    );
    let states: Vec<_> = handoff.next.iter().map(|item| (item.text.as_str(), item.state)).collect();
    assert_eq!(
        states,
        [
            ("Paint\n- with a brush", Some(ItemState::Open)),
            ("Test", Some(ItemState::Blocked)),
            ("Sweep", Some(ItemState::Open))
        ]
    );
    assert!(handoff.constraints.is_empty() && !handoff.trees[0].detached);
    assert_eq!(handoff.trees[0].branch.as_ref().map(|branch| branch.text.as_str()), Some("fix-detached-head"));
    assert_eq!((handoff.safety.never[0].text.as_str(), handoff.omitted[0].text.as_str()), ("Push", "old logs"));
    let kept: Vec<_> = handoff.extra.iter().map(|section| (section.heading.as_str(), section.text.as_str())).collect();
    assert_eq!(
        kept,
        [("Safety boundary", "Read this first."), ("Notes of mine", "### deeper\n\n```sh\n## no heading\n```")]
    );
}

#[test]
fn the_example_of_the_first_start_is_what_is_written_and_holds_every_field() {
    let example = include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/../../../ui/src/text/example.md"));
    let reading = read(example.as_bytes(), "example.md", &Limits::default());
    let handoff = reading.current().expect("a handoff");
    assert_eq!((reading.readable, reading.findings.len()), (Readable::Full, 0), "{:?}", reading.findings);
    assert_eq!(write_canonical(handoff), example);
    let filled = [
        handoff.objective.is_some(),
        !handoff.constraints.is_empty(),
        handoff.facts.first().is_some_and(|fact| fact.evidence.is_some()),
        !handoff.unverified.is_empty(),
        handoff.decisions.first().is_some_and(|decision| decision.why.is_some()),
        handoff.rejected.first().is_some_and(|rejected| rejected.why.is_some()),
        !handoff.done.is_empty() && !handoff.next.is_empty() && !handoff.open.is_empty(),
        !handoff.artifacts.is_empty() && !handoff.trees.is_empty(),
        !handoff.safety.may.is_empty() && !handoff.safety.ask.is_empty() && !handoff.safety.never.is_empty(),
    ];
    assert_eq!(filled, [true; 9]);
}
