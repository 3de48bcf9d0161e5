//! A start by a supervisor of its own: it lives on when whoever asked is gone, and what happens can be looked at from
//! elsewhere. A start that waits outlives every process, and of all that attend it one begins it.

mod support;

use serde_json::{Value, json};
use std::fs;
use std::io::{BufRead, BufReader, Read};
use std::os::unix::fs::PermissionsExt;
use std::process::{Child, ChildStderr, Command, Stdio};
use std::time::{Duration, Instant};
use support::Bench;

const AT_RESET: [&str; 4] = ["--profile", "work", "--at", "reset"];

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
fn what_a_preview_showed_is_what_is_started_to_the_byte() {
    let bench = Bench::new();
    bench.tidy();
    let received = bench.folder.path().join("received");
    profile(&bench, &format!("cat > {}; echo worked", received.display()));
    let handle = bench.approved();
    let preview = bench.rpc("resume_preview", &json!({ "id": handle, "profile": "work" }))["result"].clone();
    let forged = bench.rpc("start", &json!({ "id": handle, "profile": "work", "run": "../../elsewhere" }));
    assert_eq!(forged["error"]["code"], "usage", "{forged}");
    bench.rpc("start", &json!({ "id": handle, "profile": "work", "run": preview["run"] }));
    wait_for(&bench, &handle, |run| run["state"] == "done");
    let given = bench.rpc("given", &json!({ "id": handle }))["result"]["lines"].clone();
    assert_eq!(preview["block"], given);
    let received = fs::read_to_string(received).expect("received");
    let named = received.lines().find_map(|line| line.strip_prefix("Document: ")).expect("the copy").to_owned();
    assert!(named.contains(preview["run"].as_str().expect("a name")), "{named}");
    assert!(fs::read_to_string(named).expect("the copy is there").contains("Move ingest to the queue."));
    bench.fuda_ok(&["reopen", &handle]);
    bench.approve(&handle);
    let again = bench.rpc("start", &json!({ "id": handle, "profile": "work", "run": preview["run"] }));
    assert!(again["error"]["message"].to_string().contains("begun already"), "a run is started once: {again}");
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
    let same = bench.rpc("start", &json!({ "id": handle, "profile": "work", "at_reset": true }));
    assert_eq!(same["result"]["start"]["number"], waits["result"]["start"]["number"], "{same}");
    let other = json!({ "id": handle, "profile": "work", "verify": ["true"], "at_reset": true });
    let second = bench.rpc("start", &other);
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

/// Processes that attend a start of this bench.
fn attending(bench: &Bench) -> Vec<i32> {
    let home = fs::canonicalize(bench.folder.path().join("fuda")).expect("a home");
    let supervises = |process: &std::path::Path| {
        fs::read(process.join("cmdline")).is_ok_and(|words| words.ends_with(b"\0supervise\0"))
            && fs::read_link(process.join("cwd")).is_ok_and(|folder| folder == home)
    };
    let all = fs::read_dir("/proc").expect("processes").flatten().map(|entry| entry.path());
    all.filter(|process| supervises(process))
        .filter_map(|process| process.file_name()?.to_str()?.parse().ok())
        .collect()
}

fn signal(name: &str, pid: u32) {
    let done = Command::new("kill").args(["-s", name, &pid.to_string()]).status().expect("kill");
    assert!(done.success());
}

/// `fuda resume --at reset` in a terminal of its own, once it says that it waits.
fn waiting(bench: &Bench, handle: &str) -> (Child, BufReader<ChildStderr>) {
    let mut words = vec!["resume", handle];
    words.extend(AT_RESET);
    let mut child = bench.command(&words).stdout(Stdio::null()).stderr(Stdio::piped()).spawn().expect("started");
    let mut said = BufReader::new(child.stderr.take().expect("a pipe"));
    let mut line = String::new();
    while !line.starts_with("starts in") && !line.starts_with("fuda:") {
        line.clear();
        assert_ne!(said.read_line(&mut line).expect("read"), 0, "it ended early");
    }
    assert!(line.starts_with("starts in"), "{line}");
    (child, said)
}

fn kinds(bench: &Bench, handle: &str) -> Vec<String> {
    let events = bench.rpc("history", &json!({ "id": handle }))["result"].clone();
    let kinds = events.as_array().expect("events").iter().rev();
    kinds.filter_map(|event| event["kind"].as_str().map(str::to_owned)).collect()
}

#[test]
fn a_wish_outlives_whoever_attends_it_and_of_several_that_attend_it_one_begins_it() {
    let bench = Bench::new();
    let began = bench.folder.path().join("began");
    profile(&bench, &format!("cat > /dev/null; echo began | tee -a {}", began.display()));
    // All that is done to those who attend it comes before its time, on a busy machine too.
    let handle = limited(&bench, 24);
    bench.rpc("start", &json!({ "id": handle, "profile": "work", "at_reset": true }));
    let supervisor = attending(&bench);
    assert_eq!(supervisor.len(), 1, "{supervisor:?}");
    signal("KILL", supervisor[0].unsigned_abs());
    let gone = wait_for(&bench, &handle, |run| run["start"]["state"] == "unattended");
    assert_eq!(gone["state"], "approved", "{gone}");
    let listed = bench.fuda_ok(&["list", "is:starting"]);
    assert!(listed.contains(&handle) && listed.contains("starts at") && listed.contains("under work"), "{listed}");

    let (mut killed, _) = waiting(&bench, &handle);
    let (terminated, _) = waiting(&bench, &handle);
    killed.kill().expect("killed");
    killed.wait().expect("ended");
    signal("TERM", terminated.id());
    let left = terminated.wait_with_output().expect("ended");
    assert_eq!(left.status.code(), Some(5));
    assert_eq!(kinds(&bench, &handle), ["approved", "start_waits"], "neither took it back");

    let several: Vec<_> = (0..3).map(|_| waiting(&bench, &handle)).collect();
    let mut codes: Vec<_> = several
        .into_iter()
        .map(|(mut child, mut said)| {
            let mut text = String::new();
            said.read_to_string(&mut text).expect("read");
            (child.wait().expect("ended").code(), text)
        })
        .collect();
    codes.sort_by_key(|(code, _)| *code);
    let (begun, others) = codes.split_first().expect("three");
    assert_eq!(begun.0, Some(0), "{codes:?}");
    assert!(others.iter().all(|(code, text)| *code == Some(5) && text.contains("it was started by work")), "{codes:?}");
    assert_eq!(fs::read_to_string(&began).expect("read"), "began\n");
    let after = kinds(&bench, &handle);
    assert_eq!(after.iter().filter(|kind| *kind == "claimed").count(), 1, "{after:?}");
    assert!(run(&bench, &handle)["start"].is_null());
}

#[test]
fn a_wish_whose_time_passed_while_nothing_ran_is_begun_by_the_next_that_attends_it() {
    let bench = Bench::new();
    profile(&bench, "cat > /dev/null; echo worked");
    let handle = limited(&bench, 5);
    let waits = bench.rpc("start", &json!({ "id": handle, "profile": "work", "at_reset": true }));
    signal("KILL", attending(&bench)[0].unsigned_abs());
    let at: jiff::Timestamp = waits["result"]["start"]["at"].as_str().and_then(|at| at.parse().ok()).expect("a time");
    support::wait_for("its time", || jiff::Timestamp::now() > at);
    assert_eq!(run(&bench, &handle)["start"]["state"], "unattended");
    let other = limited_elsewhere(&bench);
    // Whoever waits for one start looks after the others too.
    let (mut child, _) = waiting(&bench, &other);
    wait_for(&bench, &handle, |run| run["state"] == "done");
    signal("INT", child.id());
    assert_eq!(child.wait().expect("ended").code(), Some(5));
    assert_eq!(run(&bench, &other)["start"]["state"], "cancelled", "Ctrl-C takes it back");
}

/// An approved handoff of another repository, with an hour to its reset.
fn limited_elsewhere(bench: &Bench) -> String {
    let folder = bench.folder.path().join("second");
    fs::create_dir_all(&folder).expect("made");
    let folder = folder.to_str().expect("utf-8");
    bench.fuda_ok(&["profiles", "add", "second", "--agent", "generic", "--root", folder]);
    let at = jiff::Timestamp::now() + jiff::SignedDuration::from_hours(1);
    let text = format!(
        "---\nresets_at: {}\n---\n# Handoff: second\n\n**Folder:** {folder}\n\n## Goal\n\nSecond text.\n\n## Next steps\n\n- [ ] Go\n",
        at.strftime("%Y-%m-%dT%H:%M:%SZ")
    );
    fs::write(bench.folder.path().join("second/HANDOFF.md"), text).expect("written");
    bench.fuda_ok(&["index"]);
    let rows = bench.fuda_ok(&["--json", "list", "second"]);
    let row: Value = serde_json::from_str(rows.lines().next().expect("a row")).expect("json");
    let handle = row["handle"].as_str().expect("a handle").to_owned();
    let rev = bench.json(&["show", &handle])["rev"].as_str().expect("a revision").to_owned();
    let words = ["approve", &handle, "--rev", &rev];
    let refused = bench.fuda(&[&["--json"], &words[..]].concat());
    if !refused.status.success() {
        let error: Value = serde_json::from_slice(&refused.stdout).expect("json");
        let missing = error["error"]["details"]["missing"].as_array().expect("codes").iter();
        let codes: Vec<&str> = missing.filter_map(|one| one["code"].as_str()).collect();
        bench.fuda_ok(&[&words[..], &["--ack", &codes.join(",")]].concat());
    }
    handle
}

#[test]
fn a_start_that_was_cancelled_on_the_command_line_never_begins() {
    let bench = Bench::new();
    profile(&bench, "cat > /dev/null; echo worked");
    let handle = limited(&bench, 5);
    let waits = bench.rpc("start", &json!({ "id": handle, "profile": "work", "at_reset": true }));
    let said = bench.fuda_ok(&["cancel", &handle]);
    assert!(said.contains("is cancelled"), "{said}");
    assert_eq!(bench.fails(5, &["cancel", &handle])["error"]["code"], "state");
    let at: jiff::Timestamp = waits["result"]["start"]["at"].as_str().and_then(|at| at.parse().ok()).expect("a time");
    support::wait_for("its time and the end of its supervisor", || {
        jiff::Timestamp::now() > at && attending(&bench).is_empty()
    });
    assert_eq!(kinds(&bench, &handle), ["approved", "start_waits", "start_cancelled"]);
    assert_eq!(run(&bench, &handle)["state"], "approved");
}

#[test]
fn what_would_start_another_command_than_was_shown_does_not_start() {
    let bench = Bench::new();
    profile(&bench, "cat > /dev/null; echo worked");
    let handle = limited(&bench, 5);
    bench.rpc("start", &json!({ "id": handle, "profile": "work", "at_reset": true }));
    let config = bench.folder.path().join("fuda/config.toml");
    let text = fs::read_to_string(&config).expect("read").replace("agent.sh\"]", "agent.sh\", \"--all\"]");
    fs::write(&config, text).expect("written");
    let over = wait_for(&bench, &handle, |run| run["start"]["state"] == "refused");
    let because = over["start"]["because"].as_str().expect("a reason");
    assert!(because.contains("another command"), "{because}");
    assert_eq!((&over["state"], &over["number"]), (&"approved".into(), &Value::Null), "nothing is consumed: {over}");
}

#[test]
fn a_wish_ends_with_its_approval_and_a_new_approval_does_not_bring_it_back() {
    let bench = Bench::new();
    profile(&bench, "cat > /dev/null; echo worked");
    let handle = limited(&bench, 3_600);
    bench.rpc("start", &json!({ "id": handle, "profile": "work", "at_reset": true }));
    bench.fuda_ok(&["stop", &handle]);
    let over = wait_for(&bench, &handle, |_| kinds(&bench, &handle).last().is_some_and(|kind| kind == "start_refused"));
    assert_eq!(over["state"], "stopped", "{over}");
    bench.fuda_ok(&["reopen", &handle]);
    bench.approve(&handle);
    assert!(run(&bench, &handle)["start"].is_null());
}

#[test]
fn a_command_with_a_secret_is_not_written_down() {
    let bench = Bench::new();
    let handle = limited(&bench, 3_600);
    let key = "ghp_Zx9Kq3Lm7Tr2Vb8Ny4Wc6Jd1Hf5Pg0Sa3Ue";
    let mut words = vec!["resume", &handle];
    words.extend(AT_RESET);
    let error = bench.fails(2, &[&words[..], &["--", "agent", key]].concat());
    assert!(error["error"]["message"].as_str().is_some_and(|said| said.contains("secret")), "{error}");
    assert_eq!(kinds(&bench, &handle), ["approved"]);
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
