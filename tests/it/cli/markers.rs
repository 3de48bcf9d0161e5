//! `NAME.resumed` and `NAME.skip`: read as marked by hand, written only after the outcome is true and only where a
//! profile asks for it.

mod support;

use serde_json::Value;
use std::fs;
use std::path::PathBuf;
use std::process::Command;
use std::time::{Duration, SystemTime};
use support::Bench;

fn marker(bench: &Bench, end: &str) -> PathBuf {
    bench.repo().join(format!("HANDOFF.md.{end}"))
}

fn show(bench: &Bench, handle: &str) -> (String, String) {
    bench.fuda_ok(&["index"]);
    let show = bench.json(&["show", handle]);
    let text = |key: &str| show[key].as_str().unwrap_or_default().to_owned();
    (text("state"), text("state_reason"))
}

#[test]
fn a_marker_is_read_as_marked_by_hand_and_a_later_decision_holds_against_it() {
    for (end, state, word) in [("resumed", "running", "outcome unknown"), ("skip", "skipped", "HANDOFF.md.skip")] {
        let bench = Bench::new();
        bench.tidy();
        let handle = bench.handle();
        fs::write(marker(&bench, end), "").expect("written");
        let (now, reason) = show(&bench, &handle);
        assert_eq!(now, state);
        assert!(reason.starts_with("marked by hand") && reason.contains(word), "{reason}");
        bench.fails(5, &["claim", &handle, "--by", "worker"]);
        bench.fuda_ok(&["reopen", &handle]);
        assert_eq!(show(&bench, &handle).0, "pending", "the person's word is newer than the marker");
    }
}

#[test]
fn a_marker_ends_an_approval_that_is_older_than_it_is() {
    let bench = Bench::new();
    bench.tidy();
    let handle = bench.approved();
    fs::write(marker(&bench, "resumed"), "").expect("written");
    assert_eq!(show(&bench, &handle).0, "running");
    bench.fails(5, &["claim", &handle, "--by", "worker"]);
}

#[test]
fn a_marker_whose_time_cannot_be_told_from_the_approval_holds_against_it() {
    let bench = Bench::new();
    bench.tidy();
    let handle = bench.approved();
    let path = marker(&bench, "resumed");
    fs::write(&path, "").expect("written");
    let before = SystemTime::now() - Duration::from_secs(1);
    fs::File::open(&path).expect("opened").set_modified(before).expect("dated");
    assert_eq!(
        show(&bench, &handle).0,
        "running",
        "a file's clock lags behind the one that decisions are stamped with"
    );
}

#[test]
fn what_is_reopened_is_not_ended_again_by_the_marker_that_was_written_for_its_end() {
    let bench = Bench::new();
    bench.tidy();
    bench.configure("markers = true");
    let handle = bench.handle();
    bench.fuda_ok(&["skip", &handle]);
    assert!(marker(&bench, "skip").exists());
    bench.fuda_ok(&["reopen", &handle]);
    assert_eq!(show(&bench, &handle).0, "pending");
}

#[test]
fn a_marker_of_earlier_bytes_and_one_beside_nothing_say_nothing() {
    let bench = Bench::new();
    bench.tidy();
    fs::write(marker(&bench, "resumed"), "").expect("written");
    fs::write(bench.repo().join("README.md.skip"), "").expect("written");
    let old = Command::new("touch").args(["-d", "2020-01-01"]).arg(marker(&bench, "resumed")).status().expect("touch");
    assert!(old.success());
    let handle = bench.handle();
    assert_eq!(show(&bench, &handle).0, "pending");
}

#[test]
fn a_marker_is_written_after_the_outcome_where_the_profile_asks_and_never_over_another() {
    let script = "cat > /dev/null; ls -a > seen; echo worked";
    for (markers, expected) in [(true, true), (false, false)] {
        let bench = Bench::new();
        bench.tidy();
        bench.configure(&format!("markers = {markers}"));
        let handle = bench.approved();
        let program = bench.agent("agent.sh", script);
        let answer = bench.json(&["resume", &handle, "--profile", "work", "--", &program]);
        assert_eq!(answer["state"], "done", "{answer}");
        assert!(
            !fs::read_to_string(bench.repo().join("seen")).expect("read").contains("resumed"),
            "not before the end"
        );
        assert_eq!(marker(&bench, "resumed").exists(), expected);
        assert_eq!(show(&bench, &handle).0, "done", "its own marker changes nothing");
    }
    let bench = Bench::new();
    bench.tidy();
    bench.configure("markers = true");
    let handle = bench.handle();
    fs::write(marker(&bench, "skip"), "mine\n").expect("written");
    bench.fuda_ok(&["skip", &handle]);
    assert_eq!(fs::read_to_string(marker(&bench, "skip")).expect("read"), "mine\n");
}

#[test]
fn a_skip_and_a_report_are_marked_and_a_refused_claim_is_not() {
    let bench = Bench::new();
    bench.tidy();
    bench.configure("markers = true");
    let handle = bench.approved();
    let claimed = bench.json(&["claim", &handle, "--by", "worker"]);
    assert!(!marker(&bench, "resumed").exists());
    bench.fails(5, &["claim", &handle, "--by", "second"]);
    let token = claimed["token"].as_str().expect("a token");
    bench.fuda_ok(&["finish", &handle, "--token", token, "--outcome", "failed"]);
    let text = fs::read_to_string(marker(&bench, "resumed")).expect("written");
    assert!(text.starts_with(&format!("fuda: {handle} failed ")), "{text}");

    let bench = Bench::new();
    bench.tidy();
    bench.configure("markers = true");
    let handle = bench.handle();
    let triaged: Value = bench.json(&["triage", "skip", &handle]);
    assert!(marker(&bench, "skip").exists(), "{triaged}");
    bench.fuda_ok(&["audit", "--verify"]);
}
