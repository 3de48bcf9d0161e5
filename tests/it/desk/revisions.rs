//! Revisions: every version that was seen can be compared, also when only a scan ran.

use crate::support::{Bench, SECOND, only, pass, scan};
use std::fs;

#[test]
fn a_file_overwritten_three_times_shows_three_revisions_and_their_differences() {
    let bench = Bench::new();
    let desk = bench.desk();
    for text in ["one", "two", "three"] {
        bench.handoff("HANDOFF.md", text);
        scan(&desk);
        pass(2 * SECOND);
    }
    let handle = only(&desk).handle;
    let revisions = desk.revisions(&handle).expect("revisions");
    assert_eq!(revisions.len(), 3);
    assert!(revisions.iter().all(|revision| revision.kept), "{revisions:#?}");
    for pair in revisions.windows(2) {
        let diff = desk.revision_diff(&handle, &pair[0].rev, &pair[1].rev).expect("a difference");
        assert_eq!((diff.added, diff.removed), (1, 1));
    }
    assert!(revisions.windows(2).all(|pair| pair[0].seen_at < pair[1].seen_at), "by the clock that was handed in");
}

#[test]
fn an_index_that_was_deleted_takes_no_history_with_it() {
    let bench = Bench::new();
    let desk = bench.desk();
    for text in ["one", "two"] {
        bench.handoff("HANDOFF.md", text);
        scan(&desk);
        pass(SECOND);
    }
    let before = desk.revisions(&only(&desk).handle).expect("revisions");
    drop(desk);
    bench.delete_index();
    let desk = bench.desk();
    scan(&desk);
    assert_eq!(desk.revisions(&only(&desk).handle).expect("revisions"), before);
}

#[test]
fn a_version_that_only_a_look_saw_is_kept_too() {
    let bench = Bench::new();
    let desk = bench.desk();
    bench.handoff("HANDOFF.md", "one");
    scan(&desk);
    let handle = only(&desk).handle;
    bench.handoff("HANDOFF.md", "two");
    let seen = desk.detail(&handle).expect("shown").rev;
    bench.handoff("HANDOFF.md", "three");
    scan(&desk);
    let revisions = desk.revisions(&handle).expect("revisions");
    assert_eq!(revisions.len(), 3);
    assert!(revisions.iter().any(|revision| revision.rev == seen && revision.kept));
}

#[test]
fn over_the_quota_what_stood_for_a_moment_goes_first_and_what_was_decided_stays() {
    let bench = Bench::new();
    let one = fs::metadata(bench.handoff("HANDOFF.md", "momentary")).expect("written").len();
    bench.configure(&format!("[settings]\nblob_bytes = {}\n", one * 3 + one / 2));
    let desk = bench.desk();
    let mut revs = Vec::new();
    // The first is decided on, the second stands for a minute, the third for a second.
    for (text, stood) in [("decided", 60), ("stood", 60), ("momentary", 1), ("now", 60)] {
        bench.handoff("HANDOFF.md", text);
        scan(&desk);
        let row = only(&desk);
        if text == "decided" {
            desk.decide(&row.handle, desk::Decision::Return, Some("say why")).expect("returned");
        }
        revs.push(row.rev);
        pass(stood * SECOND);
    }
    let revisions = desk.revisions(&only(&desk).handle).expect("revisions");
    let kept = |rev: &String| revisions.iter().any(|revision| revision.rev == *rev && revision.kept);
    assert_eq!(revs.iter().map(kept).collect::<Vec<_>>(), [true, true, false, true]);
}

#[test]
fn purged_bytes_are_gone_and_the_ledger_says_so() {
    let bench = Bench::new();
    let desk = bench.desk();
    bench.handoff("HANDOFF.md", "one");
    scan(&desk);
    let first = only(&desk);
    bench.handoff("HANDOFF.md", "two");
    scan(&desk);
    assert!(desk.purge(&first.rev).expect("purged"));
    scan(&desk);
    let revisions = desk.revisions(&first.handle).expect("revisions");
    assert!(revisions.iter().any(|revision| revision.rev == first.rev && !revision.kept));
    assert!(desk.history(None, 10).expect("history").iter().any(|event| event.kind == "purged"));
    assert!(desk.verify().expect("verified").ok);
}
