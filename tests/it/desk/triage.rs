//! Many at once, and taking it back.

use crate::support::{Bench, HOUR, approve, inbox, list, only, pass, scan};
use desk::view::{ListName, State};
use desk::{Decision, Filter, Triage};

fn several(bench: &Bench, count: usize) {
    for number in 0..count {
        let text =
            format!("# Handoff\n\n**Branch:** b{number}\n\n## Goal\n\nGo on with {number}\n\n## Next\n\n- {number}\n");
        bench.write(&format!("{number}/HANDOFF.md"), &text);
    }
}

#[test]
fn skipping_many_is_one_act_that_is_taken_back_as_one() {
    let bench = Bench::new();
    let desk = bench.desk();
    several(&bench, 5);
    scan(&desk);
    let handles: Vec<String> = inbox(&desk).into_iter().map(|row| row.handle).collect();
    let done = desk.triage(&handles, Triage::Skip, Some("old")).expect("done");
    assert_eq!((done.done.len(), done.left_out.len(), inbox(&desk).len()), (5, 0, 0));
    assert_eq!(list(&desk, ListName::All, "state:skipped").len(), 5);
    let undone = desk.undo(&done.undo.expect("a token")).expect("undone");
    assert_eq!((undone.done.len(), inbox(&desk).len()), (5, 5));
    assert!(desk.verify().expect("verified").ok);
}

#[test]
fn what_does_not_allow_it_is_left_out_and_named() {
    let bench = Bench::new();
    let desk = bench.desk();
    several(&bench, 2);
    scan(&desk);
    let rows = inbox(&desk);
    desk.decide(&rows[0].handle, Decision::Skip, None).expect("skipped");
    let ids = [rows[0].handle.clone(), rows[1].handle.clone(), "nothing".to_owned()];
    let done = desk.triage(&ids, Triage::Skip, None).expect("done");
    assert_eq!(done.done, [rows[1].handle.clone()]);
    let named: Vec<&str> = done.left_out.iter().map(|left| left.id.as_str()).collect();
    assert_eq!(named, ["nothing", rows[0].handle.as_str()]);
    assert!(done.left_out[1].message.contains("skipped"), "{:?}", done.left_out);
}

#[test]
fn what_was_decided_since_is_not_taken_back() {
    let bench = Bench::new();
    let desk = bench.desk();
    several(&bench, 2);
    scan(&desk);
    let handles: Vec<String> = inbox(&desk).into_iter().map(|row| row.handle).collect();
    let done = desk.triage(&handles, Triage::Supersede, None).expect("done");
    desk.decide(&handles[0], Decision::Reopen, None).expect("reopened");
    desk.decide(&handles[0], Decision::Return, Some("say why")).expect("returned");
    let undone = desk.undo(&done.undo.expect("a token")).expect("undone");
    assert_eq!((undone.done, undone.left_out.len()), (vec![handles[1].clone()], 1));
    let states: Vec<State> = inbox(&desk).into_iter().map(|row| row.state).collect();
    assert!(states.contains(&State::Returned) && states.contains(&State::Pending), "{states:?}");
    assert_eq!(desk.undo("no-such-token").expect_err("none").code(), "not_found");
}

#[test]
fn the_archive_takes_what_a_query_finds_and_gives_it_back() {
    let bench = Bench::new();
    let desk = bench.desk();
    several(&bench, 3);
    scan(&desk);
    let filter = Filter { query: Some("branch:b1".to_owned()), ..Filter::default() };
    let done = desk.triage_found(&filter, Triage::Archive, None).expect("done");
    assert_eq!((done.done.len(), inbox(&desk).len(), list(&desk, ListName::Archive, "").len()), (1, 2, 1));
    let again = desk.triage(&done.done, Triage::Archive, None).expect("answered");
    assert_eq!((again.done.len(), again.undo, again.left_out.len()), (0, None, 1));
    desk.undo(&done.undo.expect("a token")).expect("undone");
    assert_eq!((inbox(&desk).len(), list(&desk, ListName::Archive, "").len()), (3, 0));
}

#[test]
fn a_decision_about_many_keeps_the_bytes_of_each() {
    let bench = Bench::new();
    let desk = bench.desk();
    bench.handoff("HANDOFF.md", "one");
    scan(&desk);
    let row = only(&desk);
    // Saved again after the scan: the decision is about what stands there now.
    bench.handoff("HANDOFF.md", "two");
    let done = desk.triage(std::slice::from_ref(&row.handle), Triage::Expire, None).expect("done");
    assert_eq!(done.done, [row.handle.as_str()]);
    let events = desk.history(Some(&row.handle), 1).expect("history");
    let rev = events[0].rev.clone().expect("a revision");
    assert_ne!(rev, row.rev);
    let revisions = desk.revisions(&row.handle).expect("revisions");
    assert!(revisions.iter().any(|revision| revision.rev == rev && revision.kept));
}

#[test]
fn an_undone_skip_does_not_revive_an_approval() {
    let bench = Bench::new();
    let desk = bench.desk();
    bench.handoff("HANDOFF.md", "one");
    scan(&desk);
    let handle = only(&desk).handle;
    approve(&desk, &handle);
    pass(HOUR);
    let done = desk.triage(std::slice::from_ref(&handle), Triage::Skip, None).expect("done");
    desk.undo(&done.undo.expect("a token")).expect("undone");
    let row = only(&desk);
    assert_eq!((row.state, row.state_reason.as_deref()), (State::Pending, Some("lapsed: skipped in between")));
    desk.detail(&handle).expect("opened");
    assert_eq!(only(&desk).state, State::Pending, "a look records nothing that revives it");
    approve(&desk, &handle);
    assert_eq!(only(&desk).state, State::Approved);
}

#[test]
fn taking_back_brings_each_handoff_where_it_was() {
    let bench = Bench::new();
    let desk = bench.desk();
    several(&bench, 3);
    scan(&desk);
    let handles: Vec<String> = inbox(&desk).into_iter().map(|row| row.handle).collect();
    desk.decide(&handles[0], Decision::Return, Some("say why")).expect("returned");
    desk.decide(&handles[1], Decision::Expire, None).expect("expired");
    let before = list(&desk, ListName::All, "");
    let done = desk.triage(&handles[..1], Triage::Skip, None).expect("done");
    let token = done.undo.expect("a token");
    desk.undo(&token).expect("undone");
    assert_eq!(list(&desk, ListName::All, ""), before, "state and reason are those of before");
    let again = desk.undo(&token).expect("answered");
    assert_eq!((again.done.len(), again.left_out.len()), (0, 1), "nothing is taken back twice");
    let archived = desk.triage(&handles, Triage::Archive, None).expect("done");
    assert_eq!((archived.done.len(), inbox(&desk).len()), (3, 0));
    desk.undo(&archived.undo.expect("a token")).expect("undone");
    assert_eq!(list(&desk, ListName::All, ""), before);
}

#[test]
fn saved_searches_stand_in_the_configuration_beside_what_a_person_wrote() {
    let bench = Bench::new();
    bench.configure("# mine\n");
    let desk = bench.desk();
    desk.search_save("stale", "state:pending is:finished").expect("saved");
    desk.search_save("tide", "repo:tidewatch").expect("saved");
    let replaced = desk.search_save("stale", "is:empty").expect("saved");
    let names: Vec<(&str, &str)> =
        replaced.iter().map(|search| (search.name.as_str(), search.query.as_str())).collect();
    assert_eq!(names, [("stale", "is:empty"), ("tide", "repo:tidewatch")]);
    assert_eq!(desk.overview().expect("an overview").searches, replaced);
    assert_eq!(desk.search_save("bad", "state:nonsense").expect_err("refused").code(), "usage");
    assert_eq!(desk.search_remove("other").expect_err("none").code(), "not_found");
    assert_eq!(desk.search_remove("stale").expect("removed").len(), 1);
    let text = std::fs::read_to_string(bench.home().join("config.toml")).expect("read");
    assert!(text.contains("# mine") && text.contains("[[profile]]") && text.contains("repo:tidewatch"), "{text}");
}
