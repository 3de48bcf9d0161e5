//! Lists: what they show, what narrows them, and that they follow files and decisions.

use crate::support::{Bench, HOUR, approve, inbox, list, now, only, pass, saved_at, scan};
use desk::view::{ListName, State};
use desk::{Decision, Filter};
use std::fs;

#[test]
fn a_list_follows_files_and_decisions_also_of_another_program() {
    let bench = Bench::new();
    let (desk, other) = (bench.desk(), bench.desk());
    bench.handoff("HANDOFF.md", "one");
    bench.write("docs/HANDOFF.md", "# Handoff\n\n**Branch:** other\n\n## Next\n\n- two\n");
    assert!(inbox(&desk).is_empty());
    scan(&desk);
    assert_eq!((inbox(&desk).len(), inbox(&other).len()), (2, 2));
    let handle = inbox(&desk)[0].handle.clone();
    other.decide(&handle, Decision::Skip, Some("later")).expect("skipped");
    assert_eq!(inbox(&desk).len(), 1, "what another decided is seen");
    let skipped = list(&desk, ListName::All, "state:skipped");
    assert_eq!((skipped.len(), skipped[0].state_reason.as_deref()), (1, Some("later")));
    fs::remove_file(bench.at("HANDOFF.md")).expect("removed");
    fs::remove_file(bench.at("docs/HANDOFF.md")).expect("removed");
    scan(&other);
    assert!(list(&desk, ListName::All, "").is_empty(), "what another scanned is seen");
}

#[test]
fn an_approval_leaves_the_list_when_its_time_is_over_and_nothing_else_happened() {
    let bench = Bench::new();
    let desk = bench.desk();
    bench.handoff("HANDOFF.md", "one");
    scan(&desk);
    approve(&desk, &only(&desk).handle);
    assert_eq!(list(&desk, ListName::Approved, "").len(), 1);
    pass(25 * HOUR);
    let row = only(&desk);
    assert_eq!((row.state, list(&desk, ListName::Approved, "").len()), (State::Pending, 0));
    assert_eq!(row.state_reason.as_deref(), Some("lapsed: the approval's time is over"));
}

#[test]
fn what_is_typed_narrows_by_words_and_terms() {
    let bench = Bench::new();
    let desk = bench.desk();
    bench.handoff("HANDOFF.md", "Drain the queue");
    bench.write("docs/handoff.md", "# Handoff: 再接続\n\nAgent: Claude Code\n\n## Done\n\n- [x] all of it\n");
    bench.write("a/handoff.json", "{\"version\": 9, \"objective\": \"x\"}");
    scan(&desk);
    let paths = |query: &str| -> Vec<String> {
        let mut paths: Vec<String> = list(&desk, ListName::All, query)
            .into_iter()
            .map(|row| row.path.replace(bench.repo().to_str().expect("utf-8"), ""))
            .collect();
        paths.sort();
        paths
    };
    assert_eq!(paths("queue"), ["/HANDOFF.md"]);
    assert_eq!(paths("再接"), ["/docs/handoff.md"]);
    assert_eq!(paths("state:refused"), ["/a/handoff.json"]);
    assert_eq!(paths("-state:refused repo:tide profile:work"), ["/HANDOFF.md", "/docs/handoff.md"]);
    assert_eq!(paths("is:finished"), ["/docs/handoff.md"]);
    assert_eq!(paths("agent:codex queue"), ["/HANDOFF.md"], "without a word of its own the profile's agent counts");
    assert_eq!(paths("branch:main is:waiting"), ["/HANDOFF.md"]);
    assert!(paths("repo:elsewhere").is_empty());
    let error = desk.handoffs(&Filter { query: Some("is:nonsense".to_owned()), ..Filter::default() });
    assert_eq!(error.expect_err("no such kind").code(), "usage");
    let hits = desk.search("state:pending drain", 10).expect("searched");
    assert_eq!(hits.len(), 1);
    assert!(hits[0].snippet.contains(&(true, "Drain".to_owned())), "{:?}", hits[0].snippet);
}

#[test]
fn needing_a_person_comes_first_and_the_newest_within() {
    let bench = Bench::new();
    let desk = bench.desk();
    for (path, age) in [("a/HANDOFF.md", 3), ("b/HANDOFF.md", 2), ("c/HANDOFF.md", 1)] {
        // Each on a branch of its own, so that none replaces another.
        let path = bench.write(path, &format!("# Handoff {age}\n\n**Branch:** b{age}\n\n## Next\n\n- go on\n"));
        saved_at(&path, now() - age * HOUR);
    }
    scan(&desk);
    let paths = || inbox(&desk).into_iter().map(|row| row.path).collect::<Vec<_>>();
    let path = |name: &str| bench.at(name).display().to_string();
    assert_eq!(paths(), [path("c/HANDOFF.md"), path("b/HANDOFF.md"), path("a/HANDOFF.md")]);
    approve(&desk, &inbox(&desk)[0].handle);
    assert_eq!(paths(), [path("b/HANDOFF.md"), path("a/HANDOFF.md"), path("c/HANDOFF.md")]);
    let overview = desk.overview().expect("an overview");
    assert_eq!((overview.inbox, overview.approved, overview.all), (2, 1, 3));
    assert_eq!((overview.repositories.len(), overview.repositories[0].waiting), (1, 2));
}

#[test]
fn a_page_of_a_list_says_how_many_there_are() {
    let bench = Bench::new();
    let desk = bench.desk();
    for number in 0..7 {
        bench.write(
            &format!("{number}/HANDOFF.md"),
            &format!("# Handoff\n\n**Branch:** b{number}\n\n## Next\n\n- {number}\n"),
        );
    }
    scan(&desk);
    let page = desk.handoffs(&Filter { offset: 5, limit: 4, ..Filter::default() }).expect("a page");
    assert_eq!((page.rows.len(), page.total), (2, 7));
}
