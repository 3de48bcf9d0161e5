//! The order of lists: the date inside, then in the name, then of the commit, then the file's time.

use crate::support::{Bench, DAY, list, now, saved_at, scan};
use desk::view::ListName;

fn dated_by(desk: &desk::Desk) -> Vec<(String, String)> {
    let rows = list(desk, ListName::All, "");
    rows.into_iter()
        .map(|row| (row.path.rsplit('/').nth(1).unwrap_or_default().to_owned(), row.written_at_by.unwrap_or_default()))
        .collect()
}

fn row(name: &str, by: &str) -> (String, String) {
    (name.to_owned(), by.to_owned())
}

#[test]
fn a_fresh_clone_is_ordered_by_its_commits_and_not_by_the_time_of_the_checkout() {
    let bench = Bench::new();
    let write = |name: &str| {
        bench.write(&format!("{name}/HANDOFF.md"), &format!("# Handoff\n\n**Branch:** {name}\n\n## Next\n\n- {name}\n"))
    };
    let commit = |name: &str, at: &str| {
        write(name);
        bench.git(&["add", "."]);
        bench.git_at(&["commit", "-q", "-m", name], at);
    };
    commit("second", "2026-10-30T10:00:00Z");
    commit("first", "2026-10-29T10:00:00Z");
    commit("stale", "2026-09-01T10:00:00Z");
    write("loose");
    saved_at(&bench.at("loose/HANDOFF.md"), now() - DAY / 2);
    // As a checkout leaves them: all of one time, the oldest a little later.
    saved_at(&bench.at("first/HANDOFF.md"), now() - 1_000);
    let desk = bench.desk();
    scan(&desk);
    assert_eq!(
        dated_by(&desk),
        [row("loose", "file"), row("second", "commit"), row("first", "commit"), row("stale", "commit")]
    );
    let written: Vec<_> = list(&desk, ListName::All, "branch:first").into_iter().map(|row| row.written_at).collect();
    assert_eq!(written, [Some("2026-10-29T10:00:00Z".to_owned())]);
    let archived = list(&desk, ListName::Archive, "");
    assert_eq!(archived.len(), 1, "what was committed long ago starts in the archive");
    scan(&desk);
    assert_eq!(dated_by(&desk)[1], row("second", "commit"), "a second scan keeps it");
}

#[test]
fn a_date_inside_or_in_the_name_is_believed_before_a_commit() {
    let bench = Bench::new();
    bench.write("inside/HANDOFF.md", "# Handoff\n\n**Date:** 2026-10-20T09:00:00Z\n**Branch:** a\n\n## Next\n\n- go\n");
    bench.write("handoffs/2026-10-21-named.md", "# Handoff\n\n**Branch:** b\n\n## Next\n\n- go\n");
    bench.git(&["add", "."]);
    bench.git_at(&["commit", "-q", "-m", "handoffs"], "2026-10-31T10:00:00Z");
    let desk = bench.desk();
    scan(&desk);
    assert_eq!(dated_by(&desk), [row("handoffs", "name"), row("inside", "document")]);
}

#[test]
fn a_committed_file_that_was_changed_since_has_its_own_time() {
    let bench = Bench::new();
    bench.write("a/HANDOFF.md", "# Handoff\n\n## Next\n\n- go\n");
    bench.git(&["add", "."]);
    bench.git(&["commit", "-q", "-m", "handoff"]);
    bench.write("a/HANDOFF.md", "# Handoff\n\n## Next\n\n- go on\n");
    let desk = bench.desk();
    scan(&desk);
    assert_eq!(dated_by(&desk), [row("a", "file")]);
}
