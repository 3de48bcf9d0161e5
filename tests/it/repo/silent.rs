//! Looking leaves no trace and runs nothing.

use crate::support::{Fixture, git_output, look, photograph};

#[test]
fn git_is_byte_identical_after_a_hundred_looks_folder_times_included() {
    for (script, kind) in
        [("dirty.sh", "mixed"), ("dirty.sh", "touched"), ("operations.sh", "merge"), ("worktrees.sh", "right")]
    {
        let fixture = Fixture::new(script, kind);
        let question = fixture.question();
        let before = photograph(fixture.dir.path());
        for _ in 0..100 {
            repo::glance(&question);
            look(&question);
        }
        repo::fingerprint(&question).expect("a fingerprint");
        let after = photograph(fixture.dir.path());
        for (path, was) in &before {
            assert_eq!(after.get(path), Some(was), "{script} {kind}: {}", path.display());
        }
        assert_eq!(after.len(), before.len(), "{script} {kind}: nothing was added");
    }
}

#[test]
fn nothing_that_a_repository_configures_is_run() {
    let fixture = Fixture::new("hostile.sh", "canaries");
    let ran = fixture.dir.path().join("ran");
    let mut question = fixture.question();
    question.handoff.facts = crate::support::items(&["`src/a.txt` is fine", "`README.md` too"]);
    repo::glance(&question);
    let drift = look(&question);
    repo::fingerprint(&question).expect("a fingerprint");
    assert!(!ran.exists(), "ran: {}", std::fs::read_to_string(&ran).unwrap_or_default());
    assert!(drift.now.status.is_some_and(|status| status.unknown > 0), "what only the filter could tell is unknown");

    // The canaries do sing: git itself runs them.
    git_output(&fixture.worktree(), &["status"]);
    git_output(&fixture.worktree(), &["diff"]);
    assert!(ran.exists(), "the canaries of this test are alive");
}
