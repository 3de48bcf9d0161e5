//! Repositories that nobody should trust: each is answered within the budget, through the worker, and nothing
//! that they name is run, followed or waited for.

use crate::support::{BUDGET, Fixture, worker};
use repo::Verdict;
use std::time::{Duration, Instant};

fn asked(kind: &str) -> (repo::Drift, Duration) {
    let fixture = Fixture::new("hostile.sh", kind);
    let began = Instant::now();
    let drift = worker().look(&fixture.question(), BUDGET);
    (drift, began.elapsed())
}

#[test]
fn whatever_cannot_be_read_safely_is_not_inspectable_with_the_reason() {
    let cases = [
        ("fifo_config", "not a regular file"),
        ("fifo_include", "not a regular file"),
        ("fifo_head", "not a regular file"),
        ("device_include", "/dev/zero"),
        ("core_worktree", "/etc"),
        ("git_symlink", "symbolic link"),
        ("git_fifo", "neither a folder nor a file"),
        ("gitdir_away", "working tree"),
        ("bare_inside", "bare repository"),
        ("broken_head", "HEAD"),
        ("fifo_alternates", "not a regular file"),
        ("include_loop", "included too deeply"),
        ("huge_config", "too large"),
        ("gitdir_loop", ""),
        ("index_garbage", "index"),
    ];
    for (kind, reason) in cases {
        let (drift, took) = asked(kind);
        assert_eq!(drift.verdict, Verdict::NotInspectable, "{kind}: {}", drift.message);
        assert!(drift.message.contains(reason), "{kind}: {}", drift.message);
        assert!(took < BUDGET, "{kind} took {took:?}");
        assert_eq!(drift.now.status, None, "{kind}");
    }
}

#[test]
fn a_repository_that_hangs_costs_the_budget_and_not_more() {
    let fixture = Fixture::new("hostile.sh", "fifo_attributes");
    let worker = worker();
    let began = Instant::now();
    let budget = Duration::from_millis(700);
    let mut question = fixture.question();
    question.handoff.facts = crate::support::items(&["`src/a.txt` counts to four"]);
    let drift = worker.look(&question, budget);
    let took = began.elapsed();
    assert_eq!(drift.verdict, Verdict::NotInspectable);
    assert!(drift.message.contains("no answer within 700 ms"), "{}", drift.message);
    assert!(took >= budget && took < budget + Duration::from_secs(2), "{took:?}");
    assert_eq!(drift.then.head.as_deref(), Some(fixture.head()), "what was recorded is still shown");
    let glance = worker.glance(&fixture.question(), BUDGET);
    assert_eq!(
        (&drift.now.head, &drift.now.branch),
        (&glance.now.head, &glance.now.branch),
        "so is what a glance found"
    );
    assert_eq!((drift.relation, drift.now.status), (repo::Relation::Same, None));
    assert!(drift.message.contains("the rest is unknown"), "{}", drift.message);
    assert_eq!(drift.freshness.len(), 1);
    assert_eq!(drift.freshness[0].state, repo::FreshnessState::Unknown);
    let good = Fixture::new("history.sh", "ahead");
    assert_eq!(worker.look(&good.question(), BUDGET).verdict, Verdict::MovedOn, "the next question gets a new worker");
}

#[test]
fn a_pipe_in_place_of_an_ignore_file_names_nothing() {
    let (drift, took) = asked("fifo_excludes");
    assert_eq!(drift.now.status.map(|status| status.untracked), Some(1), "{}", drift.message);
    assert!(took < BUDGET, "{took:?}");
}

#[test]
fn a_pipe_in_place_of_a_tracked_file_is_a_changed_path() {
    let (drift, took) = asked("fifo_file");
    assert_eq!(drift.verdict, Verdict::DirtyDiffers, "{}", drift.message);
    assert!(took < BUDGET, "{took:?}");
}

#[test]
fn a_pipe_in_place_of_an_ignore_file_ends_in_an_answer() {
    let fixture = Fixture::new("hostile.sh", "fifo_ignore");
    let began = Instant::now();
    let drift = worker().look(&fixture.question(), Duration::from_millis(1_500));
    assert!(began.elapsed() < BUDGET, "{:?}", began.elapsed());
    assert!(matches!(drift.verdict, Verdict::NotInspectable | Verdict::DirtyDiffers), "{}", drift.message);
}

#[test]
fn a_tracked_file_of_3_gib_is_unknown_and_not_read() {
    for kind in ["huge", "huge_same"] {
        let (drift, took) = asked(kind);
        let told: Vec<_> = drift.changed.iter().map(|changed| (changed.path.as_str(), changed.kind)).collect();
        assert_eq!(told, [("huge.bin", repo::ChangeKind::Unknown)], "{kind}: {}", drift.message);
        assert!(took < BUDGET, "{kind} took {took:?}");
    }
}

#[test]
fn a_repository_of_another_owner_is_reported_and_not_opened() {
    if !rustix::process::geteuid().is_root() {
        return; // only root can give a folder to somebody else
    }
    let (drift, _) = asked("other_owner");
    assert_eq!(drift.verdict, Verdict::NotInspectable);
    assert!(drift.message.contains("safe.directory"), "{}", drift.message);
    assert_eq!((drift.now.head, drift.now.branch), (None, None));
}

#[test]
fn a_damaged_repository_answers_as_far_as_it_can() {
    let (drift, _) = asked("missing_object");
    assert!(drift.now.head.is_some());
    assert!(drift.looked);
}
