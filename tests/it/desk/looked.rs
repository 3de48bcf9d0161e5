//! What changed in the tree since a person looked last.

use crate::support::{Bench, HOUR, only, pass, scan};
use desk::SinceLook;

#[test]
fn what_changed_since_the_last_look_is_told_once() {
    let bench = Bench::new();
    bench.handoff("HANDOFF.md", "Drain");
    let desk = bench.desk();
    scan(&desk);
    let handle = only(&desk).handle;
    assert_eq!(desk.looked(&handle).expect("a look"), SinceLook::default(), "nobody looked before");
    pass(HOUR);
    bench.write("queue.go", "package queue // retry\n");
    bench.write("notes.txt", "sizes\n");
    let since = desk.looked(&handle).expect("a look");
    assert_eq!(since.at.as_deref(), Some("2026-11-01T00:00:00Z"));
    assert_eq!(since.changes, ["notes.txt was changed or added", "queue.go was changed or added"]);
    pass(HOUR);
    bench.git(&["add", "."]);
    bench.git(&["commit", "-q", "-m", "queue: retry"]);
    let since = desk.looked(&handle).expect("a look");
    assert!(since.changes[0].starts_with("HEAD moved from "), "{since:?}");
    let still = desk.looked(&handle).expect("a look");
    assert!(still.at.is_some() && still.changes.is_empty(), "{still:?}");
}

#[test]
fn a_look_decides_nothing_and_goes_with_the_index() {
    let bench = Bench::new();
    bench.handoff("HANDOFF.md", "Drain");
    let desk = bench.desk();
    scan(&desk);
    let row = only(&desk);
    let events = desk.history(None, 50).expect("history").len();
    desk.looked(&row.handle).expect("a look");
    assert_eq!(only(&desk), row);
    assert_eq!(desk.history(None, 50).expect("history").len(), events);
    drop(desk);
    bench.delete_index();
    let desk = bench.desk();
    scan(&desk);
    assert_eq!(desk.looked(&row.handle).expect("a look"), SinceLook::default());
}
