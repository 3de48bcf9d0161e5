//! A start by a supervisor of its own: it lives on when whoever asked is gone, waits when it is told to, and what
//! happens can be looked at from elsewhere.

mod support;

use serde_json::{Value, json};
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::time::{Duration, Instant};
use support::Bench;

fn run(bench: &Bench, handle: &str) -> Value {
    bench.rpc("run", &json!({ "id": handle }))["result"].clone()
}

/// Waits until the run is so; a run that never is fails with what it was last.
fn wait_for(bench: &Bench, handle: &str, so: impl Fn(&Value) -> bool) -> Value {
    let until = Instant::now() + Duration::from_secs(60);
    loop {
        let now = run(bench, handle);
        if so(&now) {
            return now;
        }
        assert!(Instant::now() < until, "{now}");
        std::thread::yield_now();
    }
}

/// A profile whose launch command is a script.
fn profile(bench: &Bench, script: &str) {
    let program = bench.folder.path().join("agent.sh");
    fs::write(&program, format!("#!/bin/sh\n{script}\n")).expect("written");
    fs::set_permissions(&program, fs::Permissions::from_mode(0o755)).expect("executable");
    let config = bench.folder.path().join("fuda/config.toml");
    let text = fs::read_to_string(&config).expect("a configuration");
    let launch = format!("name = \"work\"\nlaunch = [\"{}\"]", program.display());
    fs::write(&config, text.replace("name = \"work\"", &launch)).expect("written");
}

#[test]
fn a_run_outlives_the_program_that_asked_for_it_and_can_be_looked_at() {
    let bench = Bench::new();
    bench.tidy();
    let go = bench.folder.path().join("go");
    profile(&bench, &format!("cat > /dev/null; echo working; while [ ! -e {} ]; do sleep 0.05; done", go.display()));
    let handle = bench.approved();
    let begun = bench.rpc("start", &json!({ "id": handle, "profile": "work" }));
    assert!(begun["error"].is_null(), "{begun}");
    let now = wait_for(&bench, &handle, |run| run["state"] == "running" && run["log_bytes"] == 8);
    let kinds: Vec<&str> =
        now["steps"].as_array().expect("steps").iter().filter_map(|one| one["kind"].as_str()).collect();
    assert_eq!(kinds, ["claimed", "matches", "started", "life"], "{now}");
    assert_eq!((&now["by"], &now["claim"]["supervised"]), (&"work".into(), &true.into()), "{now}");
    let second = bench.rpc("start", &json!({ "id": handle, "profile": "work" }));
    assert_eq!(second["error"]["code"], "held", "{second}");
    let given = bench.rpc("given", &json!({ "id": handle }))["result"].to_string();
    assert!(given.contains("Move ingest to the queue."), "{given}");
    fs::write(&go, "").expect("written");
    let over = wait_for(&bench, &handle, |run| run["claim"].is_null());
    assert_eq!((&over["state"], &over["outcome"]["exit"]), (&"done".into(), &0.into()), "{over}");
    assert!(over["ended_at"].is_string(), "{over}");
}

#[test]
fn a_start_that_is_refused_says_so_at_once_and_consumes_nothing() {
    let bench = Bench::new();
    bench.tidy();
    profile(&bench, "echo x");
    let handle = bench.approved();
    fs::write(bench.repo().join("queue.go"), "package later\n").expect("written");
    let refused = bench.rpc("start", &json!({ "id": handle, "profile": "work" }));
    assert_eq!(refused["error"]["code"], "changed", "{refused}");
    assert!(run(&bench, &handle)["number"].is_null());
}

/// A handoff whose limit resets in so many seconds.
fn limited(bench: &Bench, seconds: i64) -> String {
    let path = bench.tidy();
    let at = jiff::Timestamp::now() + jiff::SignedDuration::from_secs(seconds);
    let text = fs::read_to_string(&path).expect("read");
    fs::write(&path, format!("---\nresets_at: {}\n---\n{text}", at.strftime("%Y-%m-%dT%H:%M:%SZ"))).expect("written");
    bench.approved()
}

#[test]
fn a_start_at_the_reset_waits_consumes_nothing_and_begins_by_itself() {
    let bench = Bench::new();
    profile(&bench, "cat > /dev/null; echo worked");
    let handle = limited(&bench, 6);
    let waits = bench.rpc("start", &json!({ "id": handle, "profile": "work", "at_reset": true }));
    assert_eq!(waits["result"]["start"]["state"], "waits", "{waits}");
    assert_eq!(waits["result"]["state"], "approved", "{waits}");
    let second = bench.rpc("start", &json!({ "id": handle, "profile": "work", "at_reset": true }));
    assert_eq!(second["error"]["code"], "state", "{second}");
    let over = wait_for(&bench, &handle, |run| run["state"] == "done");
    assert!(over["start"].is_null(), "{over}");
}

#[test]
fn a_start_that_waits_is_cancelled_and_one_that_lapsed_is_refused() {
    let bench = Bench::new();
    profile(&bench, "cat > /dev/null; echo worked");
    let handle = limited(&bench, 3_600);
    bench.rpc("start", &json!({ "id": handle, "profile": "work", "at_reset": true }));
    let cancelled = bench.rpc("start_cancel", &json!({ "id": handle }));
    assert_eq!(cancelled["result"]["start"]["state"], "cancelled", "{cancelled}");
    let again = bench.rpc("start_cancel", &json!({ "id": handle }));
    assert_eq!(again["error"]["code"], "state", "{again}");

    let handle = limited(&bench, 5);
    let waits = bench.rpc("start", &json!({ "id": handle, "profile": "work", "at_reset": true }));
    assert_eq!(waits["result"]["start"]["state"], "waits", "{waits}");
    fs::write(bench.repo().join("queue.go"), "package later\n").expect("written");
    let over = wait_for(&bench, &handle, |run| run["start"]["state"] == "refused");
    assert!(over["start"]["because"].as_str().is_some_and(|why| why.contains("changed")), "{over}");
    assert!(over["number"].is_null(), "{over}");
}

#[test]
fn a_second_wish_to_stop_ends_what_does_not_listen_at_once() {
    let bench = Bench::new();
    bench.tidy();
    profile(&bench, "trap '' TERM; cat > /dev/null; echo here; while :; do sleep 0.05; done");
    let handle = bench.approved();
    bench.rpc("start", &json!({ "id": handle, "profile": "work" }));
    wait_for(&bench, &handle, |run| run["state"] == "running");
    let asked = Instant::now();
    bench.rpc("stop", &json!({ "id": handle }));
    assert_eq!(run(&bench, &handle)["claim"]["stopping"], true);
    bench.rpc("stop", &json!({ "id": handle }));
    let over = wait_for(&bench, &handle, |run| run["claim"].is_null());
    assert_eq!(over["state"], "stopped", "{over}");
    assert!(asked.elapsed() < Duration::from_secs(8), "the grace of ten seconds was waited for");
}
