//! A lapsed approval is given again from what changed: what was acknowledged and says the same is not asked anew.

use crate::support::{Bench, HOUR, approve, only, pass, scan};
use desk::view::State;

/// A handoff that relies on `queue.go` and holds something that no field takes.
fn document(bench: &Bench, more: &str) {
    let head = bench.git(&["rev-parse", "HEAD"]);
    bench.write(
        "HANDOFF.md",
        &format!("# Handoff\n\n**Branch:** main\n**Last commit:** {head} queue: first\n\n## Goal\n\nDrain\n\n## Next steps\n\n- [ ] Drain in `queue.go`\n\n## Lamp log\n\nThe lamp turned twice.\n{more}"),
    );
}

#[test]
fn after_a_commit_only_what_it_brought_is_asked() {
    let bench = Bench::new();
    document(&bench, "");
    let desk = bench.desk();
    scan(&desk);
    let handle = only(&desk).handle;
    let first = desk.approval_preview(&handle).expect("a preview");
    let codes: Vec<_> = first.acknowledgements.iter().map(|one| one.code.as_str()).collect();
    assert_eq!(codes, ["extra"]);
    assert!(first.acknowledged_before.is_empty() && first.changed_since_approval.is_empty());
    approve(&desk, &handle);
    pass(HOUR);
    bench.write("queue.go", "package queue // retry\n");
    bench.git(&["commit", "-q", "-am", "queue: retry"]);
    assert!(!desk.check_approval(&handle).expect("checked").is_empty());
    let again = desk.approval_preview(&handle).expect("a preview");
    assert!(again.changed_since_approval.iter().any(|change| change.starts_with("HEAD moved")), "{again:#?}");
    assert_eq!(again.acknowledged_before, ["extra"]);
    let asked: Vec<_> = again
        .acknowledgements
        .iter()
        .map(|one| one.code.as_str())
        .filter(|code| !again.acknowledged_before.iter().any(|before| before == code))
        .collect();
    assert_eq!(asked, ["contended"]);
    assert_eq!(approve(&desk, &handle).state, State::Approved);
}

#[test]
fn what_says_something_else_now_is_asked_again() {
    let bench = Bench::new();
    document(&bench, "");
    let desk = bench.desk();
    scan(&desk);
    let handle = only(&desk).handle;
    approve(&desk, &handle);
    pass(HOUR);
    document(&bench, "\n## Fog horn\n\nIt hums.\n");
    scan(&desk);
    let again = desk.approval_preview(&handle).expect("a preview");
    assert!(again.acknowledged_before.is_empty(), "{:?}", again.acknowledged_before);
    assert!(again.changed_since_approval.iter().any(|change| change.starts_with("the file: ")));
}
