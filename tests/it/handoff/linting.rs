//! What a reader who knows nothing but the document would stumble over, what it contradicts by itself, and what is
//! lost from one document to the next.

use handoff::{
    Decision, Handoff, Item, ItemState, Limits, Rejected, Safety, Severity, Text, block_hash, contradictions, lint,
    over_limits, read, survived,
};

mod support;

fn codes(text: &str) -> Vec<String> {
    lint(&read(text.as_bytes(), "HANDOFF.md", &Limits::default())).into_iter().map(|finding| finding.code).collect()
}

/// A document that the cold-start test has nothing to say about.
const GOOD: &str = "# Lamp feed\n\n## Objective\n\nThe lamp follows the tide table.\n\n## Verified facts\n\n- The parser reads 14 ports (`cargo test -p feed`: 31 passed)\n\n## Next steps\n\n- [ ] Round heights to metres in `src/height.rs`; done when `cargo test heights` passes\n\n## Safety boundary\n\n### Never\n\n- Push to main\n\n## Git state\n\n- Branch: feat/lamp\n- HEAD: 4c1f0aa\n";

fn with(step: &str) -> String {
    GOOD.replace("- [ ] Round", &format!("- [ ] {step}\n- [ ] Round"))
}

#[test]
fn a_good_document_has_no_findings() {
    assert_eq!(codes(GOOD), Vec::<String>::new());
}

#[test]
fn each_stumbling_block_is_named() {
    for (text, code) in [
        (GOOD.replace("## Objective\n\nThe lamp follows the tide table.\n\n", ""), "no-objective"),
        (
            GOOD.replace(
                "- [ ] Round heights to metres in `src/height.rs`; done when `cargo test heights` passes",
                "None",
            ),
            "no-next",
        ),
        (GOOD.replace("### Never\n\n- Push to main\n", "None\n"), "no-safety"),
        (GOOD.replace("- Branch: feat/lamp\n- HEAD: 4c1f0aa\n", "None\n"), "no-tree"),
        (GOOD.replace("- [ ]", "- [x]"), "finished"),
        (GOOD.replace(" (`cargo test -p feed`: 31 passed)", ""), "claim"),
        (with("Continue with the rest"), "assumes-context"),
        (with("Do it as discussed"), "assumes-context"),
        (with("Fix the issues mentioned above"), "assumes-context"),
        (with("上記の続きを直す"), "assumes-context"),
        (GOOD.replace("# Lamp feed\n", "# Lamp feed\n\n**Status:** Complete\n"), "done-with-open-work"),
        (with("Continue"), "vague"),
        (with("finish up."), "vague"),
        (with("续"), "none of these"),
        (with("Delete the `old_ports` table"), "destructive-without-reason"),
        (with("[fill in the next step]"), "draft"),
        (format!("{GOOD}\n## Rejected\n\n- Redis\n"), "rejected-without-reason"),
        (format!("{GOOD}\n## Decisions\n\n- Heights are text\n"), "decision-without-reason"),
        (with(&"long ".repeat(300)), "over-limit"),
        (with(&(0..70).map(|step| format!("Step {step} in src/a.rs\n- [ ] ")).collect::<String>()), "over-limit"),
    ] {
        let found = codes(&text);
        if code == "none of these" {
            assert!(!found.contains(&"vague".to_owned()), "{found:?}");
        } else {
            assert!(found.contains(&code.to_owned()), "{code} is not in {found:?} for\n{text}");
        }
    }
}

#[test]
fn steps_that_say_what_they_mean_are_left_alone() {
    for step in [
        "Delete `old_ports` because nothing reads it since 4c1f0aa",
        "Move the rest endpoints to src/api.rs",
        "Move the other fixtures to tests/fixtures",
        "Finish the parser in src/parse.rs: negative heights",
        "Reset the counter in src/count.rs after midnight",
        "残りの港を `ports.toml` に追加する",
    ] {
        assert_eq!(codes(&with(step)), Vec::<String>::new(), "{step}");
    }
}

#[test]
fn a_finding_about_an_item_has_its_place() {
    let text = with("Continue with the rest");
    let found = lint(&read(text.as_bytes(), "HANDOFF.md", &Limits::default()));
    let place = found
        .iter()
        .find(|finding| finding.code == "assumes-context")
        .and_then(|finding| finding.span)
        .expect("a place");
    assert_eq!(&text[place.range()], "Continue with the rest");
}

fn items(texts: &[&str]) -> Vec<Item> {
    texts.iter().map(|text| Item::made(*text)).collect()
}

fn kinds(handoff: &Handoff) -> Vec<(&'static str, Vec<String>)> {
    contradictions(handoff).into_iter().map(|found| (found.kind, found.items)).collect()
}

fn named(names: &[&str]) -> Vec<String> {
    names.iter().map(|name| (*name).to_owned()).collect()
}

#[test]
fn what_a_document_denies_itself_is_found() {
    let done_and_next = Handoff {
        done: items(&["Wire the parser."]),
        next: items(&["Other", "wire the **parser**"]),
        ..Handoff::default()
    };
    assert_eq!(kinds(&done_and_next), [("done_and_next", named(&["done/0", "next/1"]))]);
    let decided_and_rejected = Handoff {
        decisions: vec![Decision { what: "Use Redis".to_owned(), ..Decision::default() }],
        rejected: vec![Rejected { what: "use redis".to_owned(), ..Rejected::default() }],
        ..Handoff::default()
    };
    assert_eq!(kinds(&decided_and_rejected), [("decided_and_rejected", named(&["decisions/0", "rejected/0"]))]);
    let allowed_and_forbidden = Handoff {
        safety: Safety { may: items(&["push to main"]), ask: items(&["deploy"]), never: items(&["Push to main"]) },
        ..Handoff::default()
    };
    assert_eq!(kinds(&allowed_and_forbidden), [("allowed_and_forbidden", named(&["safety.may/0", "safety.never/0"]))]);
    let pending = Handoff {
        done: items(&["Merged PR 18 into main"]),
        safety: Safety { ask: items(&["merged PR 18"]), ..Safety::default() },
        ..Handoff::default()
    };
    assert_eq!(kinds(&pending), [("pending_action_already_done", named(&["safety.ask/0", "done/0"]))]);
    let unsure =
        Handoff { facts: items(&["The port is 8080"]), unverified: items(&["the port is 8080"]), ..Handoff::default() };
    assert_eq!(kinds(&unsure), [("verified_and_unverified", named(&["facts/0", "unverified/0"]))]);
    let counted = Handoff {
        status: Some(Text::made("3 of 4 tasks done")),
        done: items(&["one step", "two steps"]),
        next: items(&["three steps", "four steps"]),
        ..Handoff::default()
    };
    assert_eq!(kinds(&counted), [("task_counts", Vec::new())]);
}

#[test]
fn a_document_that_agrees_with_itself_contradicts_nothing() {
    let next = vec![
        Item { state: Some(ItemState::Dropped), ..Item::made("Wire the parser") },
        Item { state: Some(ItemState::Open), ..Item::made("Write the docs") },
    ];
    let handoff = Handoff {
        status: Some(Text::made("task 2 of 3")),
        done: vec![
            Item::made("Wire the parser"),
            Item { state: Some(ItemState::Open), ..Item::made("Write the docs") },
        ],
        next,
        safety: Safety { ask: items(&["PR"]), ..Safety::default() },
        ..Handoff::default()
    };
    assert_eq!(kinds(&handoff), []);
    for (name, bytes) in support::cases() {
        let reading = read(&bytes, &name, &Limits::default());
        let found = reading.current().map(contradictions).unwrap_or_default();
        assert!(found.is_empty() || name.starts_with("06") || name.starts_with("08"), "{name}: {found:?}");
    }
}

#[test]
fn a_document_survives_itself_and_what_is_lost_or_changed_is_named() {
    for (name, bytes) in support::cases() {
        if let Some(handoff) = read(&bytes, &name, &Limits::default()).current() {
            assert!(
                survived(handoff, handoff).iter().all(|field| field.lost.is_empty() && field.changed.is_empty()),
                "{name}"
            );
        }
    }
    let before = Handoff {
        next: items(&["Round the heights to metres", "Write the docs", "港の一覧を直す"]),
        rejected: vec![Rejected { what: "Redis".to_owned(), why: Some("too heavy".to_owned()), ..Rejected::default() }],
        ..Handoff::default()
    };
    let after = Handoff {
        next: items(&["港の一覧を読む", "Round the heights to whole metres"]),
        rejected: vec![Rejected { what: "Redis".to_owned(), ..Rejected::default() }],
        ..Handoff::default()
    };
    let reports = survived(&before, &after);
    let field = |name: &str| reports.iter().find(|report| report.field == name).expect("the field").clone();
    let next = field("next");
    assert_eq!((next.before, next.after), (3, 2));
    assert_eq!(next.lost, ["Write the docs"]);
    assert_eq!(
        next.changed,
        [
            ("Round the heights to metres".to_owned(), "Round the heights to whole metres".to_owned()),
            ("港の一覧を直す".to_owned(), "港の一覧を読む".to_owned()),
        ]
    );
    assert_eq!((field("rejected").lost.len(), field("rejected.why").lost), (0, vec!["too heavy".to_owned()]));
}

#[test]
fn what_is_over_a_set_limit_is_named_and_stays_whole() {
    let limits = Limits { objective_chars: 10, item_chars: 40, list_items: 2, ..Limits::default() };
    let long = "次のことを港の表で確かめて、結果を書く。".repeat(3);
    let text = format!(
        "# A\n\n## Objective\n\nThe lamp follows.\n\n## Next\n\n- {long}\n- b\n- c\n\n## Constraints\n\n- {long}\n"
    );
    let reading = read(text.as_bytes(), "HANDOFF.md", &limits);
    let handoff = reading.current().expect("a handoff");
    assert_eq!((handoff.next.len(), handoff.next[0].text.as_str()), (3, long.as_str()));
    let found: Vec<(Severity, String)> = over_limits(handoff, &limits)
        .into_iter()
        .map(|finding| (finding.severity, finding.message.split(" (").next().unwrap_or_default().to_owned()))
        .collect();
    let expected = [
        (Severity::Info, "The objective has 17 characters; the limit is 10"),
        (Severity::Warning, "Item 1 in constraints has 60 characters; the limit is 40"),
        (Severity::Warning, "There are 3 items in next; the limit is 2"),
        (Severity::Info, "Item 1 in next has 60 characters; the limit is 40"),
    ];
    assert_eq!(found, expected.map(|(severity, words)| (severity, words.to_owned())));
    let place = |code: &str, words: &str| {
        let finding = reading.findings.iter().find(|finding| finding.code == code && finding.message.contains(words));
        finding.and_then(|finding| finding.span).map(|span| text[span.range()].to_owned())
    };
    assert_eq!(place("over-limit", "Item 1 in next"), Some(long.clone()));
    assert_eq!(place("over-limit", "items in next"), Some("c".to_owned()), "the first item too many");
    assert!(lint(&reading).iter().any(|finding| finding.message.contains("limit is 10 ")), "the set limits, no others");
    assert_eq!(over_limits(handoff, &Limits::default()), []);
}

#[test]
fn what_is_never_cut_is_over_its_limit_exactly_when_it_cannot_be_rendered() {
    let limits = Limits { item_chars: 20, list_items: 2, ..Limits::default() };
    let item = |length: usize| Item::made("x".repeat(length));
    for (handoff, over) in [
        (Handoff { constraints: vec![item(21)], ..Handoff::default() }, true),
        (Handoff { constraints: vec![item(20), item(20)], ..Handoff::default() }, false),
        (Handoff { safety: Safety { never: vec![item(1); 3], ..Safety::default() }, ..Handoff::default() }, true),
        (
            Handoff {
                rejected: vec![Rejected { what: "y".repeat(15), why: Some("z".repeat(6)), ..Rejected::default() }],
                ..Handoff::default()
            },
            true,
        ),
        (Handoff { next: vec![item(21)], ..Handoff::default() }, false),
    ] {
        let warned = over_limits(&handoff, &limits).iter().any(|finding| finding.severity == Severity::Warning);
        assert_eq!((warned, block_hash(&handoff, None, &limits).is_err()), (over, over), "{handoff:?}");
    }
}
