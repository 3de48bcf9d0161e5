//! Approving and deciding: what is bound, what ends it, and that it falls with the bytes it was about.

use crate::support::{Bench, HOUR, SECOND, approve, inbox, only, pass, scan};
use desk::view::State;
use desk::{Approve, ClaimRequest, Decision, EditRequest};
use std::fs;

#[test]
fn an_approval_ends_with_a_commit_and_not_with_committing_the_handoff() {
    let bench = Bench::new();
    let desk = bench.desk();
    bench.handoff("HANDOFF.md", "one");
    scan(&desk);
    let handle = only(&desk).handle;
    approve(&desk, &handle);
    bench.git(&["add", "HANDOFF.md"]);
    bench.git(&["commit", "-q", "-m", "handoff"]);
    bench.git(&["status"]);
    assert_eq!(desk.check_approval(&handle).expect("checked"), Vec::<String>::new());
    bench.write("queue.go", "package queue\n\nfunc Drain() {}\n");
    bench.git(&["commit", "-q", "-am", "queue: drain"]);
    assert!(!desk.check_approval(&handle).expect("checked").is_empty());
    let row = only(&desk);
    assert_eq!(row.state, State::Pending);
    assert!(row.state_reason.expect("a reason").starts_with("lapsed"));
    let preview = desk.approval_preview(&handle).expect("a preview");
    assert!(!preview.changed_since_approval.is_empty(), "what changed since is named");
}

#[test]
fn going_back_to_earlier_bytes_does_not_revive_an_approval() {
    let bench = Bench::new();
    let desk = bench.desk();
    let path = bench.handoff("HANDOFF.md", "one");
    let before = fs::read(&path).expect("read");
    scan(&desk);
    let handle = only(&desk).handle;
    approve(&desk, &handle);
    bench.handoff("HANDOFF.md", "two");
    assert_eq!(desk.detail(&handle).expect("shown").state, State::Pending);
    fs::write(&path, before).expect("written");
    scan(&desk);
    assert_eq!(desk.detail(&handle).expect("shown").state, State::Pending);
    assert_eq!(only(&desk).state, State::Pending);
}

#[test]
fn what_was_looked_at_is_what_is_approved() {
    let bench = Bench::new();
    let desk = bench.desk();
    bench.handoff("HANDOFF.md", "one");
    scan(&desk);
    let row = only(&desk);
    bench.handoff("HANDOFF.md", "two");
    let error = desk.approve(&row.handle, &Approve { rev: row.rev, ..Approve::default() }).expect_err("changed");
    assert_eq!(error.code(), "changed");
}

#[test]
fn an_edit_changes_its_range_and_takes_the_decision_back_to_review() {
    let bench = Bench::new();
    let desk = bench.desk();
    let path = bench.handoff("HANDOFF.md", "one");
    scan(&desk);
    let row = only(&desk);
    desk.decide(&row.handle, Decision::Return, Some("say why")).expect("returned");
    let before = fs::read_to_string(&path).expect("read");
    pass(SECOND);
    let edited =
        desk.edit(&row.handle, Some(&row.rev), &EditRequest::Items(vec!["objective=two".to_owned()])).expect("edited");
    assert_eq!(fs::read_to_string(&path).expect("read"), before.replace("one", "two"));
    scan(&desk);
    let after = only(&desk);
    assert_eq!((after.handle, after.rev, after.state), (row.handle.clone(), edited.rev, State::Pending));
    let revisions = desk.revisions(&row.handle).expect("revisions");
    assert_eq!(revisions.iter().map(|revision| revision.by.as_str()).collect::<Vec<_>>(), ["unknown", "person"]);
}

#[test]
fn an_edit_on_other_bytes_keeps_both_and_says_what_each_changed() {
    let bench = Bench::new();
    let desk = bench.desk();
    let path = bench.handoff("HANDOFF.md", "one");
    scan(&desk);
    let row = only(&desk);
    let theirs = fs::read_to_string(&path).expect("read") + "- [ ] Theirs\n";
    fs::write(&path, &theirs).expect("written");
    let ours = EditRequest::Whole(b"# Handoff\n\n## Next\n\n- ours\n".to_vec());
    let error = desk.edit(&row.handle, Some(&row.rev), &ours).expect_err("a conflict");
    let desk::Error::Changed { conflict: Some(conflict), .. } = error else { panic!("{error}") };
    assert_eq!(fs::read_to_string(&path).expect("read"), theirs);
    assert_eq!(fs::read(&conflict.kept_at).expect("kept"), b"# Handoff\n\n## Next\n\n- ours\n");
    assert_eq!((conflict.theirs_diff.added, conflict.theirs_diff.removed), (1, 0));
}

#[test]
fn an_edit_tried_out_on_other_bytes_still_shows_what_it_changes_and_what_it_would_allow() {
    let bench = Bench::new();
    let desk = bench.desk();
    let path = bench.handoff("HANDOFF.md", "one");
    scan(&desk);
    let row = only(&desk);
    let edits = ["objective=two".to_owned(), "safety.may+=Push to main".to_owned()];
    let alone = desk.edit_preview(&row.handle, &row.rev, &edits).expect("tried");
    let theirs = fs::read_to_string(&path).expect("read") + "- [ ] Theirs\n";
    fs::write(&path, theirs).expect("written");
    let met = desk.edit_preview(&row.handle, &row.rev, &edits).expect("tried");
    let conflict = met.conflict.expect("a conflict");
    assert_eq!((met.diff, met.widened), (alone.diff.clone(), alone.widened));
    assert_eq!(conflict.yours_diff, alone.diff);
    assert_eq!((conflict.theirs_diff.added, conflict.theirs_diff.removed), (1, 0));
}

#[test]
fn decisions_follow_the_states_and_say_so() {
    let bench = Bench::new();
    let desk = bench.desk();
    bench.handoff("HANDOFF.md", "one");
    scan(&desk);
    let handle = only(&desk).handle;
    assert_eq!(desk.decide(&handle, Decision::Stop, None).expect_err("refused").code(), "state");
    approve(&desk, &handle);
    assert_eq!(desk.decide(&handle, Decision::Stop, None).expect("stopped").state, State::Stopped);
    assert_eq!(desk.decide(&handle, Decision::Reopen, None).expect("reopened").state, State::Pending);
    pass(HOUR);
    assert_eq!(desk.decide(&handle, Decision::Skip, None).expect("skipped").state, State::Skipped);
    assert!(inbox(&desk).is_empty());
}

#[test]
fn an_approval_is_not_undone_by_a_lease_that_was_over_before_it() {
    let bench = Bench::new();
    bench.handoff("HANDOFF.md", "one");
    let desk = bench.desk();
    scan(&desk);
    let handle = only(&desk).handle;
    approve(&desk, &handle);
    let request = ClaimRequest { by: "worker".to_owned(), lease_seconds: Some(60), ..ClaimRequest::default() };
    let claimed = desk.claim(&handle, &request).expect("claimed");
    // Its executor writes into it: that it is gone is still to be looked at.
    bench.handoff("HANDOFF.md", "two");
    pass(61 * SECOND);
    assert_eq!(desk.detail(&handle).expect("there").state, State::Interrupted);
    let claim = i64::try_from(claimed.claim).expect("a number");
    desk.release(&handle, claim, "looked at the tree").expect("released");
    approve(&desk, &handle);
    // Another program looks.
    let detail = bench.desk().detail(&handle).expect("there");
    assert_eq!(detail.state, State::Approved, "{:?}", detail.state_reason);
    let kinds: Vec<String> =
        desk.history(Some(&handle), 20).expect("read").into_iter().map(|event| event.kind).collect();
    let at = |kind: &str| kinds.iter().position(|one| one == kind);
    assert!(at("interrupted").is_some(), "the lease that was over stands in the ledger: {kinds:?}");
}
