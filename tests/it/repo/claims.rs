//! Freshness of each claim, contended paths, and statements that the tree denies.

use crate::support::{Fixture, items, look};
use handoff::{Artifact, Item};
use repo::{Drift, FreshnessState::*, Question};

fn state(drift: &Drift, item: &str) -> (repo::FreshnessState, String) {
    let found = drift.freshness.iter().find(|fresh| fresh.item == item).expect("every item has an answer");
    (found.state, found.because.clone())
}

fn artifact(kind: &str, reference: &str) -> Artifact {
    Artifact { name: reference.into(), kind: Some(kind.into()), reference: reference.into(), ..Artifact::default() }
}

#[test]
fn a_fact_is_touched_when_its_file_changed_and_fresh_when_it_did_not() {
    let fixture = Fixture::new("history.sh", "ahead");
    let mut question = fixture.question();
    question.handoff.facts = items(&["`src/a.txt` counts to four", "`src/b.txt:2` says beta", "All is well"]);
    question.handoff.facts.push(Item { evidence: Some("src/b.txt".into()), ..Item::made("beta is there") });
    question.handoff.facts.extend(items(&["`src/never.txt` holds the key"]));
    let drift = look(&question);
    assert_eq!(state(&drift, "facts/0").0, Fresh);
    assert_eq!(state(&drift, "facts/1"), (Touched, "src/b.txt changed since".into()));
    assert_eq!(state(&drift, "facts/2").0, Unknown);
    assert_eq!(state(&drift, "facts/3").0, Touched, "evidence counts");
    assert_eq!(state(&drift, "facts/4"), (Gone, "src/never.txt is not there".into()));
    assert_eq!(drift.contended, ["src/b.txt"]);
    let changed = drift.changed.iter().find(|changed| changed.path == "src/b.txt").expect("it changed");
    assert_eq!(changed.relied_on_by, ["facts/1", "facts/3"]);
}

#[test]
fn what_was_deleted_or_renamed_is_gone() {
    let fixture = Fixture::new("history.sh", "renamed");
    let mut question = fixture.question();
    question.handoff.artifacts =
        vec![artifact("file", "src/a.txt"), artifact("file", "src/b.txt"), artifact("directory", "src")];
    let drift = look(&question);
    assert_eq!(state(&drift, "artifacts/0"), (Gone, "src/a.txt is now src/renamed.txt".into()));
    assert_eq!(state(&drift, "artifacts/1"), (Gone, "src/b.txt was deleted".into()));
    assert_eq!(state(&drift, "artifacts/2").0, Touched);
}

#[test]
fn a_path_that_was_changed_back_is_listed_and_fresh() {
    let fixture = Fixture::new("history.sh", "ahead");
    fixture.write("src/b.txt", "alpha\nbeta\n");
    let mut question = fixture.question();
    question.handoff.facts = items(&["`src/b.txt` says beta"]);
    let drift = look(&question);
    assert_eq!((state(&drift, "facts/0").0, drift.contended.as_slice()), (Fresh, &[][..]));
    assert!(drift.changed.iter().any(|changed| changed.path == "src/b.txt" && changed.uncommitted));
}

#[test]
fn a_remaining_item_may_name_what_is_still_to_be_made() {
    let fixture = Fixture::new("history.sh", "same");
    let mut question = fixture.question();
    question.handoff.next = items(&["Create `src/new.txt`", "Extend `src/a.txt`"]);
    let drift = look(&question);
    assert_eq!(state(&drift, "next/0"), (Unknown, "src/new.txt is not there yet".into()));
    assert_eq!(state(&drift, "next/1").0, Fresh);
}

#[test]
fn commits_and_branches_are_checked_too() {
    let fixture = Fixture::new("history.sh", "diverged");
    let head = fixture.git(&["rev-parse", "HEAD"]);
    let mut question = fixture.question();
    question.handoff.artifacts = vec![
        artifact("commit", &head),
        artifact("commit", fixture.head()),
        artifact("commit", "0123456789abcdef0123456789abcdef01234567"),
        artifact("branch", "main"),
        artifact("branch", "feature/never"),
    ];
    let drift = look(&question);
    let states: Vec<_> = (0..5).map(|at| state(&drift, &format!("artifacts/{at}")).0).collect();
    assert_eq!(states, [Fresh, Touched, Gone, Fresh, Gone]);
}

#[test]
fn an_artifact_may_not_leave_the_repository_nor_lead_through_a_link() {
    let fixture = Fixture::new("history.sh", "same");
    std::os::unix::fs::symlink("/etc", fixture.worktree().join("etc")).expect("a link");
    let mut question = fixture.question();
    let references =
        ["../repo/src/a.txt", "/etc/passwd", "src/../../x", "etc/passwd", "/proc/self/environ", ".git/config"];
    question.handoff.artifacts = references.iter().map(|reference| artifact("file", reference)).collect();
    let drift = look(&question);
    for (at, reference) in references.iter().enumerate() {
        assert_eq!(state(&drift, &format!("artifacts/{at}")).0, Unknown, "{reference}");
    }
    assert!(drift.contended.is_empty());
}

#[test]
fn work_that_was_named_as_uncommitted_is_contended_only_when_it_was_edited_since() {
    let fixture = Fixture::new("history.sh", "same");
    fixture.write("src/a.txt", "half done\n");
    let ask = |written_at: &str| {
        let mut question = fixture.question();
        question.handoff.facts = items(&["`src/a.txt` is half done"]);
        question.handoff.trees[0].changed = vec![handoff::Text::made("src/a.txt")];
        question.handoff.provenance.written_at = Some(written_at.into());
        look(&question)
    };
    let before = ask("2000-01-01T00:00:00Z");
    assert_eq!((state(&before, "facts/0").0, before.contended), (Touched, vec!["src/a.txt".to_owned()]));
    let after = ask("2100-01-01T00:00:00Z");
    assert_eq!((after.contended.as_slice(), after.verdict), (&[][..], repo::Verdict::Same));
}

#[test]
fn without_a_base_a_file_that_is_there_is_unknown() {
    let fixture = Fixture::new("rewritten.sh", "other_clone");
    let mut question = fixture.question();
    question.handoff.facts = items(&["`src/a.txt` counts to four"]);
    assert_eq!(state(&look(&question), "facts/0").0, Unknown);
}

#[test]
fn nothing_uncommitted_is_denied_by_a_dirty_tree_and_not_by_the_handoff_itself() {
    let fixture = Fixture::new("history.sh", "same");
    let mut question = fixture.question();
    question.handoff.trees[0].status = Some(handoff::Text::made("clean"));
    question.handoff.facts = items(&["Nothing uncommitted."]);
    fixture.write("HANDOFF.md", "# Handoff\n");
    assert!(look(&question).contradictions.is_empty());
    fixture.write("src/a.txt", "changed\n");
    let drift = look(&question);
    assert_eq!(drift.contradictions.len(), 1);
    assert_eq!(drift.contradictions[0].kind, "says_clean");
    assert_eq!(drift.contradictions[0].items, ["trees/0/status", "facts/0"]);
}

#[test]
fn what_is_done_and_next_at_once_is_a_contradiction() {
    let fixture = Fixture::new("history.sh", "same");
    let mut question = fixture.question();
    question.handoff.done = items(&["Write the parser"]);
    question.handoff.next = items(&["Write the parser"]);
    assert_eq!(look(&question).contradictions[0].kind, "done_and_next");
}

#[test]
fn a_push_that_the_upstream_does_not_have_is_a_contradiction() {
    let fixture = Fixture::new("rewritten.sh", "other_clone");
    fixture.write("x.txt", "x");
    fixture.git(&["add", "x.txt"]);
    fixture.git(&["commit", "-qm", "One ahead"]);
    let mut question: Question = fixture.question();
    question.handoff.trees[0].head = Some(handoff::Text::made(fixture.git(&["rev-parse", "HEAD"])));
    question.handoff.done = items(&["Branch pushed to origin"]);
    assert_eq!(look(&question).contradictions[0].kind, "says_pushed");
    fixture.git(&["update-ref", "refs/remotes/origin/main", "HEAD"]);
    assert!(look(&question).contradictions.is_empty());
}

#[test]
fn a_document_that_names_very_many_paths_is_answered_within_the_budget() {
    let fixture = Fixture::new("history.sh", "ahead");
    (0..2_000).for_each(|n| fixture.write(&format!("many/{n}.txt"), "x"));
    let names = |from: usize| (from..from + 400).map(|n| format!("src/no/file{n}.rs ")).collect::<String>();
    let texts: Vec<String> = (0..60).map(|n| names(n * 400)).collect();
    let mut question = fixture.question();
    question.handoff.facts = items(&texts.iter().map(String::as_str).collect::<Vec<_>>());
    question.handoff.facts.extend(items(&["`src/b.txt` says beta"]));
    question.handoff.trees[0].changed = (0..5_000).map(|n| handoff::Text::made(format!("many/{n}.txt"))).collect();
    let drift = crate::support::worker().look(&question, crate::support::BUDGET);
    assert_eq!(drift.verdict, repo::Verdict::MovedOn, "{}", drift.message);
    assert_eq!(drift.freshness.len(), 61);
}
