//! Several entries in one file: each is a handoff of its own, and the newest takes over no decision.

use crate::support::{Bench, approve, inbox, only, scan};
use desk::Decision;
use desk::view::State;

const OLDER: &str = "## Handoff 2026-10-20\n\n### Goal\n\nThe older work\n\n### Next\n\n- older\n";
const NEWER: &str = "## Handoff 2026-10-25\n\n### Goal\n\nThe newer work\n\n### Next\n\n- newer\n";
const NEWEST: &str = "## Handoff 2026-10-30\n\n### Goal\n\nThe newest work\n\n### Next\n\n- newest\n";

#[test]
fn a_new_entry_on_top_is_another_handoff_that_nobody_decided_about() {
    let bench = Bench::new();
    let desk = bench.desk();
    bench.write("HANDOFF.md", &format!("# Handoffs\n\n{NEWER}\n{OLDER}"));
    scan(&desk);
    let before = only(&desk);
    approve(&desk, &before.handle);
    desk.decide(&before.handle, Decision::Return, Some("say why")).expect("returned");
    bench.write("HANDOFF.md", &format!("# Handoffs\n\n{NEWEST}\n{NEWER}\n{OLDER}"));
    scan(&desk);
    let after = only(&desk);
    assert_ne!(after.handle, before.handle);
    assert_eq!((after.state, after.state_reason), (State::Pending, None), "nothing was decided about this one");
    assert_eq!(after.objective.as_deref(), Some("The newest work"));
    assert_eq!(desk.revisions(&after.handle).expect("revisions").len(), 1, "it is no revision of the other");
    let events = desk.history(None, 10).expect("history");
    assert!(events.iter().any(|event| event.handle.as_deref() == Some(before.handle.as_str())), "{events:#?}");
}

#[test]
fn a_new_entry_that_no_scan_saw_yet_takes_over_no_decision() {
    let bench = Bench::new();
    let desk = bench.desk();
    bench.write("HANDOFF.md", &format!("# Handoffs\n\n{NEWER}\n{OLDER}"));
    scan(&desk);
    let before = only(&desk);
    approve(&desk, &before.handle);
    bench.write("HANDOFF.md", &format!("# Handoffs\n\n{NEWEST}\n{NEWER}\n{OLDER}"));
    let shown = desk.detail(&before.handle).expect("shown");
    assert_ne!(shown.handle, before.handle, "the entry that is shown is another handoff");
    assert_eq!((shown.state, shown.state_reason), (State::Pending, None));
    scan(&desk);
    assert_eq!(only(&desk).handle, shown.handle);
    assert_eq!(desk.revisions(&shown.handle).expect("revisions").len(), 1);
}

#[test]
fn other_words_in_the_same_entry_are_a_revision_of_it() {
    let bench = Bench::new();
    let desk = bench.desk();
    bench.write("HANDOFF.md", &format!("# Handoffs\n\n{NEWER}\n{OLDER}"));
    scan(&desk);
    let before = only(&desk);
    bench.write("HANDOFF.md", &format!("# Handoffs\n\n{}\n{OLDER}", NEWER.replace("- newer", "- newer still")));
    scan(&desk);
    let after = inbox(&desk).remove(0);
    assert_eq!(after.handle, before.handle);
    assert_eq!(desk.revisions(&after.handle).expect("revisions").len(), 2);
}
