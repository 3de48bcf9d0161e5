//! What starts in the archive, and what does not.

use crate::support::{Bench, DAY, inbox, list, now, saved_at, scan};
use desk::view::{ListName, State};
use std::fs;

#[test]
fn old_and_superseded_handoffs_start_in_the_archive_at_the_first_scan_only() {
    let bench = Bench::new();
    let desk = bench.desk();
    let dated = |path: &str, days: i64, branch: &str| {
        let text = format!("# Handoff\n\n**Branch:** {branch}\n\n## Next\n\n- {path}\n");
        let path = bench.write(path, &text);
        saved_at(&path, now() - days * DAY);
    };
    dated("old/HANDOFF.md", 20, "b1");
    dated("superseded/HANDOFF.md", 2, "b2");
    dated("newest/HANDOFF.md", 1, "b2");
    scan(&desk);
    let names = |rows: Vec<desk::view::Row>| {
        let mut names: Vec<String> =
            rows.into_iter().filter_map(|row| row.path.rsplit('/').nth(1).map(str::to_owned)).collect();
        names.sort();
        names
    };
    assert_eq!(names(inbox(&desk)), ["newest"]);
    assert_eq!(names(list(&desk, ListName::Archive, "")), ["old", "superseded"]);
    // Another old one that comes later is news.
    dated("late/HANDOFF.md", 20, "b3");
    dated("newer/HANDOFF.md", 0, "b2");
    scan(&desk);
    assert_eq!(names(inbox(&desk)), ["late", "newer"]);
    let superseded = list(&desk, ListName::All, "state:superseded -is:archived");
    assert_eq!(names(superseded), ["newest"], "superseded later it is settled, not put away");
}

#[test]
fn other_bytes_bring_a_handoff_back_from_the_archive() {
    let bench = Bench::new();
    let desk = bench.desk();
    let path = bench.handoff("HANDOFF.md", "one");
    saved_at(&path, now() - 20 * DAY);
    scan(&desk);
    assert!(inbox(&desk).is_empty());
    bench.handoff("HANDOFF.md", "two");
    scan(&desk);
    assert_eq!((inbox(&desk).len(), inbox(&desk)[0].state), (1, State::Pending));
}

#[test]
fn plain_badges_say_what_is_unusual() {
    let bench = Bench::new();
    let desk = bench.desk();
    bench.write("finished/HANDOFF.md", "# Handoff\n\n## Tasks\n\n- [x] all\n- [x] of it\n");
    bench.write("empty/HANDOFF.md", "# Handoff\n");
    bench.write("open/HANDOFF.md", "# Handoff\n\n## Tasks\n\n- [x] one\n- [ ] two\n");
    scan(&desk);
    let badges = |name: &str| {
        let rows = list(&desk, ListName::All, "");
        let row = rows.into_iter().find(|row| row.path.contains(name)).expect("listed");
        row.badges.into_iter().filter(|badge| badge != "volatile place").collect::<Vec<_>>()
    };
    assert_eq!(badges("finished/"), ["finished?"]);
    assert_eq!(badges("open/"), Vec::<String>::new());
    assert!(badges("empty/").contains(&"empty".to_owned()));
    let volatile = std::env::temp_dir().starts_with("/tmp");
    let rows = list(&desk, ListName::All, "is:volatile");
    assert_eq!(rows.is_empty(), !volatile, "a temporary folder is said to be one");
    fs::remove_dir_all(bench.at("open")).expect("removed");
}
