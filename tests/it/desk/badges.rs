//! Plain words about a handoff in a list: each stands where it is true and nowhere else.

use crate::support::{Bench, list, scan};
use desk::view::ListName;
use std::collections::BTreeMap;

const STEPS: &str = "## Goal\n\nGo on\n\n## Next\n\n- [ ] drain it\n";

/// Every badge but that of the folder: tests stand in one that a restart empties.
fn badges(files: &[(&str, &str)]) -> BTreeMap<String, Vec<String>> {
    let bench = Bench::new();
    let desk = bench.desk();
    for (number, (path, text)) in files.iter().enumerate() {
        bench.write(path, &text.replace("BRANCH", &format!("b{number}")));
    }
    scan(&desk);
    let rows = list(&desk, ListName::All, "");
    assert_eq!(rows.len(), files.len(), "{rows:#?}");
    let root = format!("{}/", bench.repo().display());
    let own = |badges: Vec<String>| badges.into_iter().filter(|badge| badge != "volatile place").collect();
    rows.into_iter().map(|row| (row.path.replace(&root, ""), own(row.badges))).collect()
}

#[test]
fn a_handoff_with_steps_left_has_none() {
    let plain = format!("# Handoff: queue\n\n**Branch:** BRANCH\n\n{STEPS}");
    assert_eq!(badges(&[("a/HANDOFF.md", &plain)])["a/HANDOFF.md"], [""; 0]);
}

#[test]
fn finished_is_asked_only_when_every_item_is_settled_and_nothing_is_open() {
    let with = |rest: &str| format!("# Handoff\n\n**Branch:** BRANCH\n\n## Goal\n\nGo\n\n{rest}");
    let ticked = with("## Next\n\n- [x] one\n- [x] two\n");
    let done = with("## Done\n\n- all of it\n");
    let one_left = with("## Done\n\n- one\n\n## Next\n\n- [ ] two\n");
    let asked = with("## Done\n\n- one\n\n## Open questions\n\n- which one?\n");
    let found = badges(&[
        ("a/HANDOFF.md", &ticked),
        ("b/HANDOFF.md", &done),
        ("c/HANDOFF.md", &one_left),
        ("d/HANDOFF.md", &asked),
        (
            "e/handoff.json",
            "{\"version\": 2, \"id\": \"e\", \"objective\": \"Go\", \"next\": [{\"text\": \"x\", \"state\": \"done\"}]}",
        ),
    ]);
    let finished: Vec<&str> = found
        .iter()
        .filter(|(_, badges)| badges.contains(&"finished?".to_owned()))
        .map(|(path, _)| path.as_str())
        .collect();
    assert_eq!(finished, ["a/HANDOFF.md", "b/HANDOFF.md", "e/handoff.json"]);
}

#[test]
fn empty_is_what_says_nothing_at_all() {
    let found = badges(&[
        ("a/HANDOFF.md", "# Handoff\n\n**Branch:** BRANCH\n"),
        ("b/HANDOFF.md", "# Handoff\n\n**Branch:** BRANCH\n\n## Gotchas\n\n- the queue blocks\n"),
        ("c/HANDOFF.md", "# Handoff\n\n**Branch:** BRANCH\n\n## Safety boundary\n\n### Never\n\n- Deleting tags\n"),
        ("d/HANDOFF.md", "# Handoff\n\n**Branch:** BRANCH\n\n## Rejected\n\n- polling: because it is slow\n"),
    ]);
    assert_eq!(found["a/HANDOFF.md"], ["empty"]);
    for path in ["b/HANDOFF.md", "c/HANDOFF.md", "d/HANDOFF.md"] {
        assert!(!found[path].contains(&"empty".to_owned()), "{path}: {:?}", found[path]);
    }
}

#[test]
fn pointers_and_drafts_are_named() {
    let draft =
        "# Handoff\n\n**Branch:** BRANCH\n\n## Goal\n\nGo\n\n## Next\n\n- [ ] [fill in the next step]\n- [ ] TODO\n";
    let found = badges(&[
        ("a/HANDOFF.md", draft),
        ("b/HANDOFF.md", "# Handoff\n\nRead `docs/plan.md` first, then continue from there.\n"),
        ("docs/plan.md.txt/HANDOFF.md", &format!("# Handoff\n\n**Branch:** BRANCH\n\n{STEPS}")),
    ]);
    assert!(found["a/HANDOFF.md"].contains(&"draft".to_owned()), "{found:?}");
    assert!(found["b/HANDOFF.md"].contains(&"pointer".to_owned()), "{found:?}");
    assert_eq!(found["docs/plan.md.txt/HANDOFF.md"], [""; 0]);
}

#[test]
fn a_folder_that_a_restart_empties_is_named() {
    let place = std::env::temp_dir();
    let volatile = ["/tmp", "/var/tmp", "/dev/shm"].iter().any(|folder| place.starts_with(folder));
    let bench = Bench::new();
    let desk = bench.desk();
    bench.handoff("HANDOFF.md", "one");
    scan(&desk);
    let badges = &list(&desk, ListName::All, "")[0].badges;
    assert_eq!(badges.contains(&"volatile place".to_owned()), volatile, "{}: {badges:?}", place.display());
}
