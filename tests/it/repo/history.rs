//! Commits since, their authors and marks, and what became of a commit that is not there.

use crate::support::{Fixture, git, look};
use repo::Verdict;

#[test]
fn commits_since_carry_author_other_hands_handoffs_and_work_in_progress() {
    let fixture = Fixture::new("history.sh", "others");
    let drift = fixture.look();
    let told: Vec<_> =
        drift.commits.iter().map(|commit| (commit.author.as_str(), commit.by_other, commit.wip)).collect();
    assert_eq!(told, [("Ada", false, true), ("Grace", true, false)], "newest first");
    assert_eq!(
        drift.commits[0].at,
        git(&fixture.worktree(), &["log", "-1", "--format=%cd", "--date=format:%Y-%m-%dT%H:%M:%SZ"])
    );

    let drift = Fixture::new("history.sh", "ahead").look();
    let told: Vec<_> = drift.commits.iter().map(|commit| commit.handoff_only).collect();
    assert_eq!(told, [true, false, false, false]);
    assert_eq!(drift.ahead, 3);
}

#[test]
fn a_short_hash_is_enough() {
    let fixture = Fixture::new("history.sh", "ahead");
    let mut question = fixture.question();
    let short = fixture.head()[..7].to_owned();
    question.handoff.trees[0].head = Some(handoff::Text::made(short));
    assert_eq!(look(&question).verdict, Verdict::MovedOn);
}

#[test]
fn a_commit_lost_in_a_squash_is_found_by_its_subject() {
    for kind in ["squash_gone", "squash_listed"] {
        let fixture = Fixture::new("rewritten.sh", kind);
        let drift = fixture.look();
        assert_eq!(drift.verdict, Verdict::CommitMissing, "{kind}");
        let head = git(&fixture.worktree(), &["rev-parse", "HEAD"]);
        assert_eq!(
            (drift.successors[0].commit.as_str(), drift.successors[0].by.as_str()),
            (head.as_str(), "subject"),
            "{kind}"
        );
        let cause = drift.likely_cause.expect("a cause");
        assert!(cause.contains("squashed"), "{kind}: {cause}");
        assert!(cause.contains("its patch could not be looked for"), "{kind}: {cause}");
    }
}

#[test]
fn a_squash_under_another_subject_is_found_by_the_whole_patch() {
    let fixture = Fixture::new("rewritten.sh", "squash_kept");
    let drift = fixture.look();
    let head = git(&fixture.worktree(), &["rev-parse", "HEAD"]);
    assert_eq!(drift.successors.len(), 1);
    assert_eq!((drift.successors[0].commit.as_str(), drift.successors[0].by.as_str()), (head.as_str(), "patch"));
    assert!(drift.likely_cause.is_some_and(|cause| cause.contains("squashed")));
}

#[test]
fn a_rebased_commit_is_found_by_patch_while_it_is_there_and_by_subject_afterwards() {
    for (kind, by) in [("rebased_kept", "patch"), ("rebased_gone", "subject")] {
        let fixture = Fixture::new("rewritten.sh", kind);
        let drift = fixture.look();
        let head = git(&fixture.worktree(), &["rev-parse", "HEAD"]);
        assert_eq!(
            (drift.successors[0].commit.as_str(), drift.successors[0].by.as_str()),
            (head.as_str(), by),
            "{kind}"
        );
        assert!(drift.likely_cause.is_some_and(|cause| cause.contains("rebased")), "{kind}");
    }
}

#[test]
fn an_amended_commit_is_called_amended() {
    let drift = Fixture::new("rewritten.sh", "amended_kept").look();
    assert_eq!(drift.verdict, Verdict::Diverged);
    assert!(drift.likely_cause.is_some_and(|cause| cause.contains("amended")));
}

#[test]
fn a_commit_of_another_clone_is_missing_and_a_shallow_clone_says_so() {
    let drift = Fixture::new("rewritten.sh", "other_clone").look();
    assert!(drift.successors.is_empty());
    assert!(drift.likely_cause.is_some_and(|cause| cause.contains("another clone")));
    let drift = Fixture::new("rewritten.sh", "shallow").look();
    assert_eq!(drift.verdict, Verdict::HistoryTooShort);
    assert!(drift.now.shallow);
    assert!(drift.likely_cause.is_some_and(|cause| cause.contains("shallow")));
}

#[test]
fn the_upstream_is_told_as_it_was_fetched_last() {
    let fixture = Fixture::new("rewritten.sh", "other_clone");
    std::fs::write(fixture.worktree().join("x.txt"), "x").expect("a file is written");
    fixture.git(&["add", "x.txt"]);
    fixture.git(&["commit", "-qm", "One ahead"]);
    let upstream = repo::glance(&fixture.question()).now.upstream.expect("an upstream");
    assert_eq!((upstream.name.as_str(), upstream.ahead, upstream.behind), ("origin/main", 1, 0));
}

#[test]
fn whether_the_recorded_branch_is_still_there_is_told() {
    for (kind, exists) in [("other_branch", true), ("branch_gone", false), ("detached", true)] {
        let drift = Fixture::new("history.sh", kind).look();
        assert_eq!((drift.verdict, drift.now.recorded_branch_exists), (Verdict::BranchDiffers, Some(exists)), "{kind}");
    }
}

#[test]
fn conflicted_paths_are_told_as_such() {
    let drift = Fixture::new("operations.sh", "merge").look();
    assert_eq!(drift.now.operation, Some(repo::Operation::Merge));
    assert_eq!(drift.now.status.map(|status| status.conflicted), Some(1));
    assert_eq!(drift.changed[0].kind, repo::ChangeKind::Conflicted);
}

#[test]
fn a_version_in_place_of_a_hash_is_its_tag_and_a_word_is_said_to_be_no_hash() {
    let fixture = Fixture::new("history.sh", "ahead");
    let ask = |head: &str| {
        let mut question = fixture.question();
        question.handoff.trees[0].head = Some(handoff::Text::made(head));
        look(&question)
    };
    fixture.git(&["tag", "v1.0", fixture.head()]);
    assert_eq!((ask("v1.0").verdict, ask("v1.0").ahead), (Verdict::MovedOn, 3));
    let unclear = ask("main");
    assert_eq!(unclear.verdict, Verdict::CommitMissing);
    assert!(unclear.message.contains("main is no commit hash"), "{}", unclear.message);
    assert_eq!(ask(&fixture.head().to_uppercase()).verdict, Verdict::MovedOn, "capitals are the same hash");
}
