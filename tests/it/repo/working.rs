//! The worker process: the same answers as in this process, several at a time, and an answer when it dies.

use crate::support::{BUDGET, Fixture, look, worker};
use repo::{Verdict, Worker};
use std::io::Cursor;

#[test]
fn a_worker_gives_the_answers_of_this_process() {
    let worker = worker();
    for (script, kind) in
        [("history.sh", "ahead"), ("dirty.sh", "mixed"), ("dirty.sh", "names"), ("worktrees.sh", "removed")]
    {
        let fixture = Fixture::new(script, kind);
        let question = fixture.question();
        assert_eq!(worker.glance(&question, BUDGET), repo::glance(&question), "{kind}");
        assert_eq!(worker.look(&question, BUDGET), look(&question), "{kind}");
        let (theirs, ours) = (worker.fingerprint(&question, BUDGET), repo::fingerprint(&question));
        assert_eq!(theirs.map_err(|error| error.to_string()), ours.map_err(|error| error.to_string()), "{kind}");
    }
}

#[test]
fn several_questions_at_a_time_are_answered_each_by_its_own_worker() {
    let worker = worker();
    let fixtures: Vec<_> = ["same", "ahead", "behind", "diverged"].map(|kind| Fixture::new("history.sh", kind)).into();
    let verdicts: Vec<Verdict> = std::thread::scope(|scope| {
        let asked: Vec<_> =
            fixtures.iter().map(|fixture| scope.spawn(|| worker.look(&fixture.question(), BUDGET).verdict)).collect();
        asked.into_iter().map(|thread| thread.join().expect("a thread ends")).collect()
    });
    assert_eq!(verdicts, [Verdict::Same, Verdict::MovedOn, Verdict::Behind, Verdict::Diverged]);
}

#[test]
fn a_worker_that_cannot_be_started_or_ends_is_an_answer() {
    let fixture = Fixture::new("history.sh", "same");
    for (program, why) in [("/nowhere/worker", "cannot be started"), ("/bin/true", "cannot be looked at")] {
        let drift = Worker::new(program.into(), Vec::new()).look(&fixture.question(), BUDGET);
        assert_eq!(drift.verdict, Verdict::NotInspectable, "{program}");
        assert!(drift.message.contains(why), "{program}: {}", drift.message);
        assert_eq!(drift.then.branch.as_deref(), Some("main"));
    }
    let error = Worker::new("/bin/cat".into(), Vec::new())
        .fingerprint(&fixture.question(), BUDGET)
        .expect_err("cat is no worker");
    assert!(error.to_string().contains("cannot be read"), "{error}");
}

#[test]
fn a_look_that_nobody_wants_any_more_ends_at_once() {
    let fixture = Fixture::new("hostile.sh", "fifo_attributes");
    let began = std::time::Instant::now();
    let drift = worker().look_until(&fixture.question(), BUDGET * 10, &|| true);
    assert_eq!(drift.verdict, Verdict::NotInspectable);
    assert!(began.elapsed() < BUDGET, "{:?}", began.elapsed());
}

#[test]
fn a_line_that_is_no_request_is_answered_and_the_next_one_is_served() {
    let mut output = Vec::new();
    repo::serve(Cursor::new("nonsense\n\n{}\n"), &mut output).expect("memory does not fail");
    assert_eq!(String::from_utf8_lossy(&output).lines().count(), 2);
    assert!(String::from_utf8_lossy(&output).contains("no request"));
}

#[test]
fn a_worker_that_reads_nothing_costs_the_budget_however_long_the_question() {
    let fixture = Fixture::new("history.sh", "same");
    let mut question = fixture.question();
    question.handoff.facts = crate::support::items(&["a long fact ".repeat(20_000).as_str()]);
    let began = std::time::Instant::now();
    let budget = std::time::Duration::from_millis(400);
    let drift = Worker::new("/bin/sleep".into(), vec!["60".into()]).look(&question, budget);
    assert_eq!(drift.verdict, Verdict::NotInspectable);
    assert!(began.elapsed() < BUDGET, "{:?}", began.elapsed());
    assert_eq!(worker().look(&question, BUDGET).verdict, Verdict::Same, "a long question is no problem in itself");
}

#[test]
fn an_idle_worker_that_died_is_replaced() {
    let fixture = Fixture::new("history.sh", "same");
    // Answers one question and ends.
    let program = env!("CARGO_BIN_EXE_repo-worker");
    let once = Worker::new("/bin/sh".into(), vec!["-c".into(), format!("head -n 1 | {program}")])
        .with_home(crate::support::home().to_owned());
    for _ in 0..3 {
        assert_eq!(once.look(&fixture.question(), BUDGET).verdict, Verdict::Same);
    }
}

#[test]
fn the_paths_to_watch_come_through_the_worker_too() {
    let fixture = Fixture::new("worktrees.sh", "strange");
    assert_eq!(worker().watch_paths(&fixture.question(), BUDGET), repo::watch_paths(&fixture.question()));
    let silent = Worker::new("/bin/sleep".into(), vec!["60".into()]);
    assert!(silent.watch_paths(&fixture.question(), std::time::Duration::from_millis(100)).is_empty());
}
