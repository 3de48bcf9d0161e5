//! Rules of the repository beside the boundary: shown with their place, and never part of what is handed over.

use crate::support::{Bench, only, scan};
use handoff::headings::Boundary;

#[test]
fn a_handoff_without_rules_is_shown_beside_those_of_the_repository() {
    let bench = Bench::new();
    bench.write("AGENTS.md", "# Working here\n\nUse tabs.\n\n- Never commit or push without review.\n");
    bench.write("CLAUDE.md", "Do not touch `fixtures/`.\n");
    bench.handoff("HANDOFF.md", "Drain");
    let desk = bench.desk();
    scan(&desk);
    let handle = only(&desk).handle;
    let found = desk.rules(&handle).expect("rules");
    assert_eq!(found.len(), 1);
    assert_eq!(found[0].files, ["AGENTS.md", "CLAUDE.md"]);
    let told: Vec<_> = found[0].rules.iter().map(|rule| (rule.file.as_str(), rule.line, rule.list)).collect();
    assert_eq!(told, [("AGENTS.md", 5, Boundary::Ask), ("CLAUDE.md", 1, Boundary::Never)]);
    assert_eq!(found[0].rules[1].text, "Do not touch `fixtures/`.");
    let detail = desk.detail(&handle).expect("shown");
    assert!(detail.safety.never.is_empty() && detail.safety.ask.is_empty(), "they are not the handoff's");
    assert!(!desk.rendered(&handle).expect("a block").text.contains("fixtures/"));
}

#[test]
fn a_repository_without_rules_files_has_nothing_to_say() {
    let bench = Bench::new();
    bench.handoff("HANDOFF.md", "Drain");
    let desk = bench.desk();
    scan(&desk);
    let found = desk.rules(&only(&desk).handle).expect("rules");
    assert!(found.iter().all(|one| one.rules.is_empty() && one.files.is_empty() && one.notes.is_empty()), "{found:?}");
}
