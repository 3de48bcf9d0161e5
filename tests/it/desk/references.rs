//! Paths that a document names: those that leave the repository are said so once, those of the repository are not.

use crate::support::{Bench, only, scan};

#[test]
fn a_path_outside_is_named_once_and_an_absolute_path_inside_is_not_named() {
    let bench = Bench::new();
    let desk = bench.desk();
    let own = bench.write("src/queue.go", "package src\n");
    let text = format!(
        "# Handoff\n\n## Goal\n\nDrain.\n\n## Key files\n\n- {}\n- /srv/other/plan.md\n- ../elsewhere/notes.md\n",
        own.display()
    );
    bench.write("HANDOFF.md", &text);
    scan(&desk);
    let detail = desk.detail(&only(&desk).handle).expect("shown");
    let named: Vec<&str> = detail
        .findings
        .iter()
        .filter(|found| found.code == "path-outside-repository")
        .map(|found| found.message.as_str())
        .collect();
    assert_eq!(named.len(), 2, "{named:#?}");
    assert!(named[0].contains("/srv/other/plan.md") && named[1].contains("../elsewhere/notes.md"), "{named:#?}");
}
