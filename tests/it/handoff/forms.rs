//! The forms that people write in: each test is one habit.

use handoff::{Handoff, ItemState, Limits, Readable, read};

fn handoff_of(name: &str, text: &str) -> Handoff {
    let reading = read(text.as_bytes(), name, &Limits::default());
    reading.current().cloned().unwrap_or_else(|| panic!("{text}: {:?}", reading.reason))
}

fn markdown(text: &str) -> Handoff {
    handoff_of("HANDOFF.md", text)
}

#[test]
fn a_nested_ledger_is_read_like_headings() {
    let handoff = markdown(
        "# CONTINUITY\n\n- Goal: Replace driver\n  - below 4 mA\n- Constraints/Assumptions:\n  - none\n- State:\n  - Done:\n    - [x] handler\n  - Now:\n    - measuring\n  - Next:\n    - [!] repeat\n",
    );
    assert_eq!(handoff.objective.map(|goal| goal.text).as_deref(), Some("Replace driver\nbelow 4 mA"));
    assert!(handoff.constraints.is_empty() && handoff.extra.is_empty(), "{:?}", handoff.extra);
    assert_eq!(handoff.done.len(), 1);
    let states: Vec<_> = handoff.next.iter().map(|item| item.state).collect();
    assert_eq!(states, [Some(ItemState::InProgress), Some(ItemState::Blocked)]);
}

#[test]
fn boxes_decide_between_done_and_next_wherever_they_stand() {
    let handoff = markdown(
        "## Completed\n- [x] a\n- [ ] b\n- [~] c\n\n## Next\n- [x] d\n- [→] e\n- [-] f\n- ~~g~~\n\n## Status\n✅ h\n🚧 i\n",
    );
    let texts = |items: &[handoff::Item]| items.iter().map(|item| item.text.clone()).collect::<Vec<_>>();
    assert_eq!(texts(&handoff.done), ["a", "d", "h"]);
    assert_eq!(texts(&handoff.next), ["b", "c", "e", "f", "~~g~~", "i"]);
    assert_eq!(handoff.next.iter().filter(|item| item.state == Some(ItemState::Dropped)).count(), 2);
}

#[test]
fn several_labels_on_one_line_are_several_labels() {
    let handoff =
        markdown("# H\n\n**From:** claude-work → **To:** codex\nBranch: feat/a | HEAD: abc1234\n\n## Next\n- x\n");
    assert_eq!(handoff.provenance.from.as_deref(), Some("claude-work"));
    assert_eq!(handoff.provenance.to.as_deref(), Some("codex"));
    let tree = handoff.trees.first().expect("a tree");
    assert_eq!(tree.branch.as_ref().map(|branch| branch.text.as_str()), Some("feat/a"));
    assert_eq!(tree.head.as_ref().map(|head| head.text.as_str()), Some("abc1234"));
}

#[test]
fn a_rule_right_below_metadata_makes_no_heading_of_it() {
    let handoff = markdown("# H\n\n**Branch:** main\n**Agent:** codex\n---\n\n## Next\n- x\n");
    assert_eq!(handoff.provenance.agent.as_deref(), Some("codex"));
    assert!(handoff.extra.is_empty(), "{:?}", handoff.extra);
}

#[test]
fn decisions_carry_date_reason_and_alternatives() {
    let handoff = markdown(
        "## Decisions\n- **Redis over Postgres**: we need TTL. Alternatives: Memcached.\n- 2026-05-01: Use UUIDs because they sort\n- Keep REST\n  - Reason: clients exist\n\n| Decision | Why |\n|---|---|\n| SQLite | one file |\n\n### Use tokio\n\nBecause the client needs it.\n",
    );
    assert_eq!(handoff.decisions.len(), 5);
    assert!(handoff.decisions.iter().all(|decision| decision.why.is_some()), "{:#?}", handoff.decisions);
    assert_eq!(handoff.decisions[0].alternatives, ["Memcached"]);
    assert_eq!(handoff.decisions[1].at.as_deref(), Some("2026-05-01"));
}

#[test]
fn the_three_lists_of_the_boundary_are_told_apart() {
    let handoff = markdown(
        "## You may\n- run tests\n\n## Needs human approval\n- deploy\n\n## Do NOT touch\n- `prod/`\n\n## Notes\nThe value is never null. Please don't edit `legacy/`. No merge without approval.\n",
    );
    let safety = &handoff.safety;
    assert_eq!((safety.may.len(), safety.ask.len(), safety.never.len()), (1, 2, 2), "{safety:#?}");
    let prose = safety.ask.iter().chain(&safety.never).filter(|item| item.found == handoff::Found::Prose).count();
    assert_eq!(prose, 2);
}

#[test]
fn each_named_repository_is_a_tree() {
    let handoff = markdown(
        "# H\n\n## Repos\n\n### backend\n- Branch: feat/api\n- HEAD: 1111aaa\n\n### frontend\n- Branch: feat/ui\n- HEAD: 2222bbb\n\n## Git status\n\n```\nOn branch feat/api\nChanges not staged for commit:\n\tmodified:   src/a.rs\n```\n",
    );
    let heads: Vec<_> = handoff.trees.iter().map(|tree| (tree.name.clone(), tree.changed.len())).collect();
    assert_eq!(heads, [(Some("backend".to_owned()), 1), (Some("frontend".to_owned()), 0)]);
}

#[test]
fn lists_in_a_front_matter_are_fields() {
    let text = "---\ntitle: x\nnext:\n  - one\n  - two\ntags: [a]\n---\n\n## Done\n- z\n";
    let handoff = markdown(text);
    let places: Vec<&str> = handoff.next.iter().filter_map(|item| item.span).map(|span| &text[span.range()]).collect();
    assert_eq!(places, ["one", "two"]);
    assert_eq!(handoff.extra.iter().map(|section| section.heading.as_str()).collect::<Vec<_>>(), ["tags"]);
}

#[test]
fn keys_of_another_tool_in_camel_case_are_read() {
    let handoff = handoff_of(
        "state.json",
        r#"{"currentTask":"Add login","completedTasks":["form"],"remainingTasks":[{"task":"tests","status":"in_progress"}],"failedApproaches":[{"approach":"cookies","reason":"CORS"}],"git":{"branch":"feat/login","commit":"abc1234","status":"dirty"},"doNotTouch":["prod.env"],"custom":{"a":1}}"#,
    );
    assert_eq!(handoff.objective.map(|goal| goal.text).as_deref(), Some("Add login"));
    assert_eq!((handoff.done.len(), handoff.next.len(), handoff.rejected.len()), (1, 1, 1));
    assert_eq!(handoff.safety.never.len(), 1);
    assert_eq!(handoff.trees[0].status.as_ref().map(|status| status.text.as_str()), Some("dirty"));
    assert_eq!(handoff.extra.len(), 1);
}

#[test]
fn files_that_end_early_are_incomplete_and_a_missing_line_end_alone_is_not() {
    for (name, text) in [
        ("a.md", "# H\n\n## Next\n\n1. see `src/a"),
        ("a.md", "# H\n\n## Next\n\n```\ncargo te"),
        ("a.md", "---\ntitle: x\nbranch: ma"),
        ("a.json", "{\"completed_tasks\":[\"a\"],\"next_action\":\"b\",\"remaining_tasks\":[\"c"),
        ("a.yaml", "done:\n  - a\nnext_steps:\n  - \"unterminated"),
    ] {
        assert_eq!(read(text.as_bytes(), name, &Limits::default()).readable, Readable::Incomplete, "{text}");
    }
    let whole = "# H\n\n## Next\n\n- a\n- b";
    assert_eq!(read(whole.as_bytes(), "a.md", &Limits::default()).readable, Readable::Full);
}

#[test]
fn templates_and_documents_about_something_else_are_no_handoffs() {
    for text in [
        "# Handoff: {{feature}}\n\n## Next Steps\n1. [first step here]\n2. [second step here]\n\n## Done\n- TBD\n",
        "# Design handoff\n\n## Colors\n- Red\n\n## Typography\n- Inter\n",
    ] {
        let reading = read(text.as_bytes(), "HANDOFF.md", &Limits::default());
        assert_eq!(reading.readable, Readable::NotAHandoff, "{text}");
        assert!(reading.reason.is_some());
    }
}
