//! The inbox by repository.

use crate::support::{Bench, HOUR, approve, now, saved_at, scan};
use desk::Filter;
use desk::view::{GroupKind, Page};
use std::fs;

fn write(bench: &Bench, repository: &str, name: &str, age: i64, text: &str) {
    let folder = bench.repo().parent().expect("a folder").join(repository);
    fs::create_dir_all(folder.join(".git")).expect("made");
    let path = folder.join(name);
    fs::create_dir_all(path.parent().expect("a folder")).expect("made");
    fs::write(&path, text).expect("written");
    saved_at(&path, now() - age * HOUR);
}

fn grouped(desk: &desk::Desk) -> Page {
    desk.handoffs(&Filter { grouped: true, ..Filter::default() }).expect("a list")
}

fn shown(page: &Page) -> Vec<(GroupKind, Option<String>, Vec<String>)> {
    let names = |start: u32, count: u32| {
        let rows = &page.rows[start as usize..(start + count) as usize];
        rows.iter().map(|row| row.objective.clone().unwrap_or_default()).collect()
    };
    page.groups.iter().map(|group| (group.kind, group.name.clone(), names(group.start, group.count))).collect()
}

fn text(number: u32) -> String {
    format!("# Handoff\n\n**Branch:** b{number}\n\n## Goal\n\n{number}\n\n## Next\n\n- go on\n")
}

#[test]
fn the_repository_with_the_newest_readable_handoff_comes_first_and_the_newest_in_it() {
    let bench = Bench::new();
    let desk = bench.desk();
    write(&bench, "alpha", "1/HANDOFF.md", 5, &text(1));
    write(&bench, "alpha", "2/HANDOFF.md", 2, &text(2));
    // Newer than all, and not readable: it neither lifts its repository nor stands above what can be read.
    write(&bench, "alpha", "handoff.json", 1, "{\"version\": 9, \"objective\": \"refused\"}");
    write(&bench, "beta", "3/HANDOFF.md", 1, &text(3));
    write(&bench, "gamma", "4/HANDOFF.md", 6, &text(4));
    scan(&desk);
    let page = grouped(&desk);
    let expected = |name: &str, rows: &[&str]| {
        (GroupKind::Repository, Some(name.to_owned()), rows.iter().map(|row| (*row).to_owned()).collect::<Vec<_>>())
    };
    assert_eq!(
        shown(&page),
        [expected("beta", &["3"]), expected("alpha", &["2", "1", "refused"]), expected("gamma", &["4"])]
    );
    let second = desk.handoffs(&Filter { grouped: true, offset: 1, limit: 2, ..Filter::default() }).expect("a page");
    assert_eq!((second.rows.as_slice(), second.groups), (&page.rows[1..3], page.groups.clone()), "a page of the same");
}

#[test]
fn what_is_in_motion_leaves_its_repository_for_a_group_at_the_end() {
    let bench = Bench::new();
    let desk = bench.desk();
    bench.handoff("HANDOFF.md", "approved one");
    write(&bench, "alpha", "1/HANDOFF.md", 5, &text(1));
    scan(&desk);
    let handle = grouped(&desk)
        .rows
        .iter()
        .find(|row| row.objective.as_deref() == Some("approved one"))
        .map(|row| row.handle.clone());
    approve(&desk, &handle.expect("listed"));
    let kinds: Vec<_> = shown(&grouped(&desk)).into_iter().map(|(kind, _, rows)| (kind, rows.len())).collect();
    assert_eq!(kinds, [(GroupKind::Repository, 1), (GroupKind::Moving, 1)]);
}
