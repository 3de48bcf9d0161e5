//! The date of a document that bears none: that of the commit that brought its bytes, as `git log` tells it.

use crate::support::{BUDGET, Fixture, git_at, worker};
use repo::Question;
use std::path::PathBuf;

fn dates(fixture: &Fixture, paths: &[&str]) -> Vec<Option<i64>> {
    let handoff_paths: Vec<PathBuf> = paths.iter().map(|path| fixture.worktree().join(path)).collect();
    let question = Question { repo: Some(fixture.worktree()), handoff_paths, ..fixture.question() };
    worker().commit_dates(&question, BUDGET).expect("an answer")
}

/// What git says of the newest commit that touched a path, in milliseconds.
fn told_by_git(fixture: &Fixture, path: &str) -> Option<i64> {
    fixture.git(&["log", "-1", "--format=%ct", "--", path]).trim().parse::<i64>().ok().map(|seconds| seconds * 1_000)
}

fn commit(fixture: &Fixture, seconds: u32) {
    fixture.git(&["add", "-A"]);
    git_at(&fixture.worktree(), &format!("{seconds} +0000"), &["commit", "-qm", "a handoff"]);
}

#[test]
fn each_committed_file_has_the_date_of_the_commit_that_brought_its_bytes() {
    let fixture = Fixture::new("history.sh", "same");
    fixture.write("handoffs/old.md", "one");
    commit(&fixture, 1_790_000_000);
    fixture.write("handoffs/new.md", "two");
    fixture.write("引き継ぎ/再接続 1.md", "three");
    commit(&fixture, 1_790_100_000);
    fixture.write("handoffs/old.md", "one, again");
    commit(&fixture, 1_790_200_000);
    fixture.write("src/other.rs", "no handoff");
    commit(&fixture, 1_790_300_000);
    let paths = ["handoffs/old.md", "handoffs/new.md", "引き継ぎ/再接続 1.md"];
    let found = dates(&fixture, &paths);
    assert_eq!(found, [Some(1_790_200_000_000), Some(1_790_100_000_000), Some(1_790_100_000_000)]);
    assert_eq!(found, paths.map(|path| told_by_git(&fixture, path)));
}

#[test]
fn bytes_that_came_back_have_the_date_of_their_return() {
    let fixture = Fixture::new("history.sh", "same");
    for (at, text) in [(1_790_000_000, "one"), (1_790_100_000, "two"), (1_790_200_000, "one")] {
        fixture.write("HANDOFF.md", text);
        commit(&fixture, at);
    }
    assert_eq!(dates(&fixture, &["HANDOFF.md"]), [Some(1_790_200_000_000)]);
}

#[test]
fn a_file_that_merely_came_over_by_a_merge_keeps_the_date_of_its_own_commit() {
    let fixture = Fixture::new("history.sh", "same");
    let branch = fixture.git(&["symbolic-ref", "--short", "HEAD"]).trim().to_owned();
    fixture.git(&["checkout", "-q", "-b", "side"]);
    fixture.write("HANDOFF.md", "side");
    commit(&fixture, 1_790_000_000);
    fixture.git(&["checkout", "-q", &branch]);
    fixture.write("src/other.rs", "main");
    commit(&fixture, 1_790_100_000);
    git_at(&fixture.worktree(), "1790200000 +0000", &["merge", "-q", "--no-edit", "side"]);
    assert_eq!(dates(&fixture, &["HANDOFF.md"]), [Some(1_790_000_000_000)]);
}

#[test]
fn what_is_not_committed_as_it_stands_has_none() {
    let fixture = Fixture::new("history.sh", "same");
    fixture.write("changed.md", "one");
    commit(&fixture, 1_790_000_000);
    fixture.write("changed.md", "two");
    fixture.write("untracked.md", "one");
    assert_eq!(dates(&fixture, &["changed.md", "untracked.md", "gone.md", "../outside.md"]), [None; 4]);
}

#[test]
fn a_shallow_boundary_brings_nothing() {
    let fixture = Fixture::new("history.sh", "same");
    fixture.write("HANDOFF.md", "one");
    commit(&fixture, 1_790_000_000);
    fixture.write("src/other.rs", "later");
    commit(&fixture, 1_790_100_000);
    let cut = fixture.dir.path().join("cut");
    let from = format!("file://{}", fixture.worktree().display());
    fixture.git(&["clone", "-q", "--depth", "1", &from, &cut.to_string_lossy()]);
    let question = Question {
        repo: Some(cut.clone()),
        handoff_paths: vec![std::fs::canonicalize(&cut).expect("a clone").join("HANDOFF.md")],
        ..fixture.question()
    };
    assert_eq!(worker().commit_dates(&question, BUDGET).expect("an answer"), [None]);
}
