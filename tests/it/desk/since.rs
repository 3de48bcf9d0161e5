//! A handoff beside the one before it: the rules that are new or gone, and the fields that differ.

use crate::support::{Bench, DAY, SECOND, only, pass, scan};
use desk::{Desk, Since};
use handoff::{RuleFate, headings::Boundary};

/// A handoff on `main` that says what must never be done.
fn document(bench: &Bench, path: &str, day: u32, more: &str, never: &[&str]) {
    let rules: String = never.iter().map(|rule| format!("- {rule}\n")).collect();
    bench.write(
        path,
        &format!("# Handoff\n\n**Date:** 2026-10-2{day}\n**Branch:** main\n{more}\n## Goal\n\nDrain the queue\n\n## Never\n\n{rules}\n## Next steps\n\n- [ ] Step {day}\n"),
    );
}

fn told(since: &Since) -> Vec<(RuleFate, Boundary, &str)> {
    since.rules.iter().map(|rule| (rule.fate, rule.list, rule.text.as_str())).collect()
}

fn of(desk: &Desk, path: &std::path::Path) -> Since {
    desk.since(&path.display().to_string()).expect("an answer")
}

fn how(since: &Since) -> Option<&str> {
    since.predecessor.as_ref().map(|before| before.how.as_str())
}

#[test]
fn the_first_handoff_has_nothing_before_it() {
    let bench = Bench::new();
    let desk = bench.desk();
    document(&bench, "HANDOFF.md", 1, "", &["Touch the fog horn"]);
    scan(&desk);
    assert_eq!(desk.since(&only(&desk).handle).expect("an answer"), Since::default());
}

#[test]
fn a_rule_that_only_the_newest_of_three_has_is_new_and_one_that_the_last_had_has_vanished() {
    let bench = Bench::new();
    let desk = bench.desk();
    document(&bench, "docs/handoff-1.md", 1, "", &["Touch the fog horn", "Print the keys"]);
    document(&bench, "docs/handoff-2.md", 2, "", &["Print the keys"]);
    document(&bench, "docs/handoff-3.md", 3, "", &["Touch the fog horn", "Rotate the lamp"]);
    scan(&desk);
    let since = of(&desk, &bench.at("docs/handoff-3.md"));
    assert_eq!(how(&since), Some("line"));
    assert!(since.predecessor.as_ref().is_some_and(|before| before.path.ends_with("handoff-2.md")));
    // The fog horn stood in the first of the three: it has a source.
    assert_eq!(
        told(&since),
        [(RuleFate::New, Boundary::Never, "Rotate the lamp"), (RuleFate::Vanished, Boundary::Never, "Print the keys")]
    );
}

#[test]
fn what_the_file_held_before_is_the_handoff_before_and_a_persons_edit_is_not() {
    let bench = Bench::new();
    let desk = bench.desk();
    document(&bench, "HANDOFF.md", 1, "", &["Print the keys"]);
    scan(&desk);
    pass(DAY);
    document(&bench, "HANDOFF.md", 2, "", &["Print the keys", "Rotate the lamp"]);
    scan(&desk);
    pass(SECOND);
    let handle = only(&desk).handle;
    let first = desk.revisions(&handle).expect("revisions")[0].rev.clone();
    let edits = vec!["safety.never+=Touch the fog horn".to_owned()];
    desk.edit(&handle, None, &desk::EditRequest::Items(edits)).expect("edited");
    let since = desk.since(&handle).expect("an answer");
    assert_eq!(how(&since), Some("revision"));
    assert_eq!(since.predecessor.as_ref().map(|before| before.rev.clone()), Some(first));
    assert_eq!(
        told(&since),
        [(RuleFate::New, Boundary::Never, "Rotate the lamp"), (RuleFate::New, Boundary::Never, "Touch the fog horn")]
    );
}

#[test]
fn a_parent_that_is_named_goes_before_the_line_of_work() {
    let bench = Bench::new();
    let desk = bench.desk();
    let canonical = |id: &str, parent: &str, never: &str| {
        format!(
            "---\nfuda: 2\nid: {id}\nwritten_at: 2026-10-01T0{}:00:00Z\n{parent}---\n# Handoff\n## Objective\nDrain\n## Remaining work\n- [ ] Drain\n## Safety boundary\n### Never\n- {never}\n",
            id.len() % 10
        )
    };
    bench.write(".handoff/a.md", &canonical("01J00000000000000000000001", "", "Print the keys"));
    bench.write(
        ".handoff/b.md",
        &canonical("01J00000000000000000000002", "parent: 01J00000000000000000000001\n", "Rotate the lamp"),
    );
    scan(&desk);
    let since = desk.since("01J00000000000000000000002").expect("an answer");
    assert_eq!(how(&since), Some("parent"));
    assert_eq!(told(&since).iter().map(|one| one.0).collect::<Vec<_>>(), [RuleFate::New, RuleFate::Vanished]);
    assert!(since.rules[1].wider, "what was forbidden is not forbidden any more");
}

#[test]
fn an_entry_below_is_the_handoff_before_and_fields_differ_line_by_line() {
    let bench = Bench::new();
    let desk = bench.desk();
    let entry = |day: u32, step: &str| {
        format!(
            "## Handoff 2026-10-2{day}\n\n### Goal\n\nDrain the queue\n\n### Next steps\n\n- [ ] {step}\n- [ ] Write the note\n\n"
        )
    };
    bench.write("HANDOFF.md", &format!("# Log\n\n{}{}", entry(2, "Retry with jitter"), entry(1, "Retry")));
    scan(&desk);
    let since = desk.since(&only(&desk).handle).expect("an answer");
    assert_eq!(how(&since), Some("entry"));
    let next = since.fields.iter().find(|field| field.field == "next").expect("the steps differ");
    assert_eq!((next.diff.added, next.diff.removed), (1, 1));
    assert!(since.fields.iter().all(|field| field.field != "objective"), "{:#?}", since.fields);
    assert!(since.raw.added >= 1);
}
