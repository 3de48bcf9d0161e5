//! Repository formats: what changes nothing that is read is allowed; the rest is named, with what plain files tell.

use crate::support::{Fixture, look};
use repo::Verdict;

#[test]
fn extensions_that_change_nothing_that_is_read_are_allowed() {
    for kind in ["worktree_config", "precious", "refstorage_files", "packed", "alternates"] {
        let drift = Fixture::new("formats.sh", kind).look();
        assert_eq!(drift.verdict, Verdict::Same, "{kind}: {}", drift.message);
    }
    let drift = Fixture::new("worktrees.sh", "relative").look();
    assert_eq!(drift.verdict, Verdict::Same, "relative worktrees: {}", drift.message);
}

#[test]
fn a_partial_clone_answers_without_its_remote() {
    let fixture = Fixture::new("formats.sh", "partial");
    let drift = fixture.look();
    assert_eq!(drift.now.head.as_deref(), Some(fixture.head()));
    assert_eq!(drift.now.status.map(|status| status.untracked), Some(1), "{}", drift.message);
    assert_eq!(drift.verdict, Verdict::DirtyDiffers);
}

#[test]
fn sha_256_names_the_reason_and_shows_head_and_branch() {
    let fixture = Fixture::new("formats.sh", "sha256");
    let drift = fixture.look();
    assert_eq!(drift.verdict, Verdict::NotInspectable);
    assert!(drift.message.contains("SHA256"), "{}", drift.message);
    assert_eq!((drift.now.branch.as_deref(), drift.now.head.as_deref()), (Some("main"), Some(fixture.head())));
}

#[test]
fn reftable_names_the_reason_and_claims_no_branch() {
    let drift = Fixture::new("formats.sh", "reftable").look();
    assert_eq!(drift.verdict, Verdict::NotInspectable);
    assert!(drift.message.contains("reftable"), "{}", drift.message);
    assert_eq!((drift.now.branch, drift.now.head), (None, None));
}

#[test]
fn an_unknown_extension_is_not_inspectable_with_libgit2s_reason() {
    let fixture = Fixture::new("formats.sh", "unknown_extension");
    let drift = fixture.look();
    assert_eq!(drift.verdict, Verdict::NotInspectable);
    assert!(drift.message.contains("fromthefuture"), "{}", drift.message);
    assert_eq!(drift.now.head.as_deref(), Some(fixture.head()));
    assert_eq!(look(&fixture.question()).now.branch.as_deref(), Some("main"));
}
