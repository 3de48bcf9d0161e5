//! Files in writing: a torn one is never indexed as a whole one.

use crate::support::{Bench, only};
use std::cell::Cell;
use std::collections::HashSet;
use std::fs;
use std::os::unix::fs::MetadataExt;
use std::path::Path;
use std::time::Duration;
use store::config::Config;
use store::index::Index;
use store::{Home, Scan, ScanReport};

/// Scans a moment after the file was changed; `meanwhile` is what happens whenever the scan lets time pass.
fn scan(bench: &Bench, whole: bool, meanwhile: &dyn Fn(u32)) -> (ScanReport, u32) {
    let home = Home::open(&bench.home()).expect("a home");
    let index = Index::open(&home).expect("an index");
    let changed = fs::metadata(bench.at("HANDOFF.md")).expect("there");
    let whole: HashSet<_> = whole.then(|| bench.at("HANDOFF.md")).into_iter().collect();
    let waited = Cell::new(0);
    let report = index
        .scan_with(Scan {
            config: &Config::load(&home).expect("a configuration"),
            home: Path::new("/nowhere"),
            now_ms: changed.ctime() * 1_000 + changed.ctime_nsec() / 1_000_000 + 100,
            whole: &whole,
            progress: &mut |_, _, _| {},
            cancel: &|| false,
            commit_dates: &|_| None,
            wait: &|time| {
                assert!(time <= Duration::from_millis(500), "{time:?}");
                waited.set(waited.get() + 1);
                meanwhile(waited.get());
            },
        })
        .expect("scanned");
    (report, waited.get())
}

#[test]
fn a_file_of_a_moment_ago_is_looked_at_twice() {
    let bench = Bench::new();
    bench.handoff("HANDOFF.md", "one");
    let (report, waited) = scan(&bench, false, &|_| {});
    assert_eq!((report.handoffs, report.problems.len(), waited), (1, 0, 1), "{report:?}");
}

#[test]
fn a_file_whose_writer_was_seen_closing_it_is_not_waited_for() {
    let bench = Bench::new();
    bench.handoff("HANDOFF.md", "one");
    let (report, waited) = scan(&bench, true, &|_| {});
    assert_eq!((report.handoffs, waited), (1, 0));
}

#[test]
fn half_a_file_leaves_no_revision_behind() {
    let bench = Bench::new();
    bench.write("HANDOFF.md", "# Handoff\n\n## Goal\n\nHal");
    let path = bench.at("HANDOFF.md");
    // The writer ends while the scan waits for the first time.
    let (report, waited) = scan(&bench, false, &|time| {
        if time == 1 {
            fs::write(&path, "# Handoff\n\n## Goal\n\nHalf and the rest\n\n## Next\n\n- go on\n").expect("written");
        }
    });
    assert_eq!((report.handoffs, waited), (1, 2), "{report:?}");
    let desk = bench.desk();
    let row = only(&desk);
    assert_eq!(row.objective.as_deref(), Some("Half and the rest"));
    assert_eq!(desk.revisions(&row.handle).expect("revisions").len(), 1);
}

#[test]
fn a_file_that_never_comes_to_rest_is_named_and_not_indexed() {
    let bench = Bench::new();
    bench.write("HANDOFF.md", "# Handoff\n\n## Next\n\n- 0\n");
    let path = bench.at("HANDOFF.md");
    let (report, _) =
        scan(&bench, false, &|time| fs::write(&path, format!("# Handoff\n\n## Next\n\n- {time}\n")).expect("written"));
    assert_eq!((report.handoffs, report.problems.len()), (0, 1), "{report:?}");
    assert!(report.problems[0].1.contains("keeps changing"), "{:?}", report.problems);
}
