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

#[test]
fn bold_names_above_lists_are_headings_and_work_in_passing_is_not_said_twice() {
    let handoff = markdown(
        "## State\n**Done**\n- login\n\n**In progress**\n- session\n\n**Not started**\n- reset\n\n## Status\n- ✅ Form\n- ⬜ Report\n\n## Next\n1. Report\n",
    );
    let states: Vec<_> = handoff.next.iter().map(|item| (item.text.as_str(), item.state)).collect();
    assert_eq!(
        states,
        [("session", Some(ItemState::InProgress)), ("reset", Some(ItemState::Open)), ("Report", Some(ItemState::Open))]
    );
    assert_eq!(handoff.done.len(), 2);
    assert_eq!(handoff.status, None);
}

#[test]
fn a_goal_beats_a_task_and_the_task_stays_visible() {
    let handoff = markdown("# H\n\n- Task: TASK-084\n\n## Goal / DoD\nThe alarm rings once.\n");
    assert_eq!(handoff.objective.map(|goal| goal.text).as_deref(), Some("The alarm rings once."));
    assert!(handoff.extra.iter().any(|section| section.text.contains("TASK-084")), "{:?}", handoff.extra);
}

#[test]
fn sentences_of_one_paragraph_go_to_the_lists_they_belong_to() {
    let handoff = markdown(
        "## Safety boundary\nYou may run the tests. Ask before you push. Never delete migrations.\n\n## Verification\n`cargo test` passes. Not verified: Windows.\n\n## Safety\n- May: read logs\n- Never: flash the board\n",
    );
    let safety = &handoff.safety;
    assert_eq!((safety.may.len(), safety.ask.len(), safety.never.len()), (2, 1, 2), "{safety:#?}");
    assert_eq!((handoff.facts.len(), handoff.unverified.len()), (1, 1));
}

#[test]
fn git_facts_in_sentences_and_headings_are_found() {
    for text in [
        "## Current State\nBranch `fix/leak` is at `0011223`, 2 ahead, working tree clean.\n",
        "Stand: 2026-01-09, Branch `fix/leak`, Commit `0011223`\n\n## Offen\n- x\n",
        "# H\n\nWork stopped on `fix/leak@0011223`.\n",
        "# H\n\n- Branch: fix/leak\n\n## Stato MVP (commit 0011223)\nok\n",
        "# H\n\n| Key | Value |\n|---|---|\n| Branch | `fix/leak` |\n| HEAD | `0011223` |\n",
    ] {
        let handoff = markdown(text);
        let tree = handoff.trees.first().unwrap_or_else(|| panic!("{text}"));
        assert_eq!(tree.branch.as_ref().map(|branch| branch.text.as_str()), Some("fix/leak"), "{text}");
        assert_eq!(tree.head.as_ref().map(|head| head.text.as_str()), Some("0011223"), "{text}");
    }
    let listed = markdown("# H\n\n## Files\n- `a.rs`\n- commit abc1234\n\n**Worktree:** clean\n");
    assert!(listed.trees.iter().all(|tree| tree.head.is_none() && tree.worktree.is_none()), "{:?}", listed.trees);
}

#[test]
fn days_below_a_field_are_no_entries_and_counted_sessions_are() {
    let log = "# Log\n\n## Session 1\n### Done\n- a\n\n## Session 2\n### Done\n- b\n\n## Session 10\n### Next\n- c\n";
    let reading = read(log.as_bytes(), "HANDOFF.md", &Limits::default());
    assert_eq!((reading.entries.len(), reading.shown), (3, 2));
    let one = "# H 2026-07-03\n\n## Decisions\n### 2026-07-01: Use sled\nReason: no server.\n### 2026-07-02: Drop it\nBecause it lost data.\n";
    let reading = read(one.as_bytes(), "HANDOFF.md", &Limits::default());
    assert_eq!(reading.entries.len(), 1);
    let decisions = &reading.entries[0].handoff.decisions;
    assert!(decisions.iter().all(|decision| decision.at.is_some() && decision.why.is_some()), "{decisions:#?}");
    let days = "# 2026-07-01\n## Done\n- a\n# 2026-07-02\n## Done\n- b\n";
    let reading = read(days.as_bytes(), "HANDOFF.md", &Limits::default());
    assert_eq!(reading.shown, 1);
    assert!(reading.findings.iter().all(|finding| finding.code != "document-twice"), "{:?}", reading.findings);
}

#[test]
fn a_header_document_before_a_yaml_body_is_one_handoff() {
    let text = "---\nsession: s\ndate: 2026-01-08\n---\n\ngoal: Move auth to tokens\nnow: Wire the refresh endpoint\ndone_this_session:\n  - task: Token store\nblockers: [none]\nfailed: [cookie sessions]\nnext:\n  - Revoke endpoint\n";
    let handoff = handoff_of("current.yaml", text);
    assert_eq!(handoff.provenance.session.as_deref(), Some("s"));
    let next: Vec<_> = handoff.next.iter().map(|item| item.state).collect();
    assert_eq!(next, [Some(ItemState::InProgress), Some(ItemState::Open)]);
    assert_eq!((handoff.done.len(), handoff.rejected.len(), handoff.open.len()), (1, 1, 0));
}

#[test]
fn a_forgotten_closing_line_loses_the_front_matter_and_not_the_document() {
    let reading =
        read(b"---\nbranch: feat/z\n# Handoff z\n\n## Done\n- q\n## Next\n- go\n", "HANDOFF.md", &Limits::default());
    assert_eq!(reading.readable, Readable::Partial);
    assert!(reading.findings.iter().any(|finding| finding.code == "front-matter-unreadable"));
    let handoff = reading.current().expect("a handoff");
    assert_eq!((handoff.done.len(), handoff.next.len(), handoff.trees.len()), (1, 1, 1));
}

#[test]
fn the_state_of_a_program_is_no_handoff() {
    for text in [
        r#"{"status":"running","pid":42,"next":"2026-01-01T00:00:00Z","queue":[],"updated_at":1767225600}"#,
        r#"{"completed":12,"failed":0,"pending":["job-1"],"version":3}"#,
    ] {
        let reading = read(text.as_bytes(), "handoff.json", &Limits::default());
        assert_eq!(reading.readable, Readable::NotAHandoff, "{text}");
    }
}

#[test]
fn labels_among_files_are_facts_or_lists_and_marks_behind_labels_are_boxes() {
    let handoff = markdown(
        "# H\n\n## State\n- Done:\n  - [x] a\n- Now: [→] b\n\n## Working Set\n- Branch: `feat/d`\n- Key files: `src/a.rs`, `src/b.rs`\n",
    );
    assert_eq!(handoff.next[0].text, "b");
    let references: Vec<_> = handoff.artifacts.iter().map(|artifact| artifact.reference.as_str()).collect();
    assert_eq!(references, ["src/a.rs", "src/b.rs"]);
    assert_eq!(handoff.trees.len(), 1);
}

#[test]
fn a_value_that_goes_on_in_an_indented_line_is_read_from_its_first_word() {
    let handoff = markdown("# H\n\n## State\n\n- Next: 再接続の手順を\n        直して試す\n  - [ ] b\n");
    let texts: Vec<_> = handoff.next.iter().map(|item| item.text.as_str()).collect();
    assert_eq!(texts, ["再接続の手順を\n直して試す", "b"]);
}
