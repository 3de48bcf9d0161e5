//! Resuming with real processes: the block arrives, the outcome is what happened, and nothing runs on when it must not.

mod support;

use serde_json::Value;
use std::fs;
use std::process::{Child, Stdio};
use support::{Bench, alive, exists, wait_for};

fn agent(bench: &Bench, script: &str) -> String {
    bench.agent("agent.sh", script)
}

fn resume(bench: &Bench, code: i32, handle: &str, program: &str) -> Value {
    bench.fails(code, &["resume", handle, "--profile", "work", "--", program])
}

fn started(bench: &Bench, handle: &str, program: &str) -> Child {
    bench
        .command(&["--json", "resume", handle, "--profile", "work", "--", program])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("started")
}

#[test]
fn the_approved_block_arrives_in_the_approved_folder_and_nowhere_else() {
    let bench = Bench::new();
    bench.tidy();
    let handle = bench.approved();
    let out = bench.folder.path().join("out");
    fs::create_dir(&out).expect("made");
    let o = out.display();
    let program = agent(
        &bench,
        &format!(
            "cat > {o}/block; pwd > {o}/pwd; tr '\\0' ' ' < /proc/$$/cmdline > {o}/cmdline; tr '\\0' '\\n' < /proc/$$/environ > {o}/environ; echo worked"
        ),
    );
    let answer = resume(&bench, 0, &handle, &program);
    assert_eq!((&answer["state"], &answer["outcome"]["exit"]), (&"done".into(), &0.into()), "{answer}");
    let read = |name: &str| fs::read_to_string(out.join(name)).expect(name);
    assert!(read("block").contains("Move ingest to the queue.") && read("block").contains("Pushing"));
    assert_eq!(read("pwd").trim(), fs::canonicalize(bench.repo()).expect("there").display().to_string());
    for name in ["cmdline", "environ"] {
        assert!(!read(name).contains("ingest"), "{name}: {}", read(name));
    }
    let log = answer["outcome"]["log"].as_str().expect("a log");
    assert_eq!(fs::read_to_string(log).expect("read"), "worked\n");
    bench.fails(5, &["claim", &handle, "--by", "other"]);
    bench.fuda_ok(&["audit", "--verify"]);
}

#[test]
fn an_exit_status_and_a_silent_end_are_failures_and_say_so() {
    for (script, word) in
        [("cat > /dev/null; echo no >&2; echo x; exit 3", "exit status 3"), ("cat > /dev/null", "without a word")]
    {
        let bench = Bench::new();
        bench.tidy();
        let handle = bench.approved();
        let program = agent(&bench, script);
        let answer = resume(&bench, 7, &handle, &program);
        assert_eq!(answer["state"], "failed", "{answer}");
        assert!(answer["state_reason"].as_str().is_some_and(|reason| reason.contains(word)), "{answer}");
    }
}

#[test]
fn a_program_that_is_not_there_leaves_a_failure_and_no_open_claim() {
    let bench = Bench::new();
    bench.tidy();
    let handle = bench.approved();
    let refused = resume(&bench, 7, &handle, "no-such-agent-anywhere");
    assert!(refused["error"]["message"].to_string().contains("no-such-agent-anywhere"), "{refused}");
    assert_eq!(bench.json(&["show", &handle])["state"], "failed");
}

#[test]
fn a_tree_that_changed_is_met_before_anything_is_started() {
    let bench = Bench::new();
    bench.tidy();
    let handle = bench.approved();
    let mark = bench.folder.path().join("started");
    let program = agent(&bench, &format!("echo x > {}", mark.display()));
    fs::write(bench.repo().join("queue.go"), "package later\n").expect("written");
    resume(&bench, 6, &handle, &program);
    assert!(!mark.exists());
}

#[test]
fn a_stop_from_elsewhere_ends_the_whole_group_and_is_recorded() {
    let bench = Bench::new();
    bench.tidy();
    let handle = bench.approved();
    let pids = bench.folder.path().join("pids");
    let program = agent(&bench, &format!("echo here; sleep 600 & echo $! > {}; wait", pids.display()));
    let child = started(&bench, &handle, &program);
    wait_for("a sign of life", || exists(&pids) && bench.json(&["show", &handle])["state"] == "running");
    let second = bench.fails(5, &["resume", &handle, "--profile", "work", "--", &program]);
    assert_eq!(second["error"]["code"], "held", "{second}");
    bench.fuda_ok(&["stop", &handle, "--note", "enough"]);
    let output = child.wait_with_output().expect("ended");
    let answer: Value = serde_json::from_slice(&output.stdout).expect("json");
    assert_eq!((&answer["state"], output.status.code()), (&"stopped".into(), Some(7)), "{answer}");
    let sleeper = fs::read_to_string(&pids).expect("read");
    wait_for("the end of what it started", || !alive(sleeper.trim()));
}

#[test]
fn a_supervisor_that_is_killed_leaves_interrupted_and_no_agent() {
    let bench = Bench::new();
    bench.tidy();
    let handle = bench.approved();
    let pids = bench.folder.path().join("pids");
    let program = agent(&bench, &format!("echo here; sleep 600 & echo $! > {}; wait", pids.display()));
    let mut child = started(&bench, &handle, &program);
    wait_for("a sign of life", || exists(&pids) && bench.json(&["show", &handle])["state"] == "running");
    child.kill().expect("killed");
    child.wait().expect("gone");
    let sleeper = fs::read_to_string(&pids).expect("read");
    wait_for("the end of what it started", || !alive(sleeper.trim()));
    wait_for("the state", || bench.json(&["show", &handle])["state"] == "interrupted");
    let show = bench.json(&["show", &handle]);
    assert!(show["state_reason"].as_str().is_some_and(|reason| reason.contains("is gone")), "{show}");
    bench.fails(5, &["claim", &handle, "--by", "other"]);
}

#[test]
fn a_command_that_widens_is_refused_with_the_flag_named_and_consumes_nothing() {
    let bench = Bench::new();
    bench.tidy();
    let handle = bench.approved();
    let root = bench.folder.path().join("claude");
    fs::create_dir(&root).expect("made");
    bench.fuda_ok(&["profiles", "add", "claude", "--agent", "claude-code", "--root", root.to_str().expect("utf-8")]);
    let refused = bench
        .fails(2, &["resume", &handle, "--profile", "claude", "--", "claude", "-p", "--dangerously-skip-permissions"]);
    assert!(refused["error"]["message"].to_string().contains("--dangerously-skip-permissions"), "{refused}");
    assert_eq!(bench.json(&["show", &handle])["state"], "approved");
    bench.fails(3, &["resume", &handle, "--profile", "nobody"]);
}

#[test]
fn what_the_run_changed_stands_in_the_outcome() {
    let bench = Bench::new();
    let path = bench.tidy();
    let text = fs::read_to_string(&path).expect("read");
    fs::write(&path, format!("{text}\n### Never\n\n- Do not touch `queue.go`\n")).expect("written");
    let handle = bench.approved();
    let program = agent(&bench, "cat > /dev/null; echo changed > queue.go; echo done");
    let answer = resume(&bench, 0, &handle, &program);
    let changed = answer["outcome"]["changed"].to_string();
    let outside = answer["outcome"]["outside"].to_string();
    assert!(changed.contains("queue.go") && outside.contains("queue.go"), "{answer}");
}

#[test]
fn the_exact_block_is_shown_to_a_person_before_anything_is_started() {
    let bench = Bench::new();
    bench.tidy();
    let handle = bench.approved();
    let program = bench.agent("agent.sh", "cat > received; echo worked");
    let command = ["--profile", "work", "--", program.as_str()];
    let shown = bench.fuda_ok(&[&["resume", handle.as_str(), "--plan"][..], &command].concat());
    let lines = |text: &str| text.lines().filter_map(|line| Some(line.strip_prefix("  | ")?.to_owned())).collect();
    let planned: Vec<String> = lines(&shown);
    let started = bench.fuda(&[&["resume", handle.as_str()][..], &command].concat());
    let before: Vec<String> = lines(&String::from_utf8_lossy(&started.stderr));
    let received = fs::read_to_string(bench.repo().join("received")).expect("received");
    let received: Vec<String> = received.lines().map(str::to_owned).collect();
    assert!(received.iter().any(|line| line.contains("Move ingest to the queue.")), "{received:?}");
    assert_eq!(before, received, "what is shown with a start is what is started");
    // A plan alone is of no run: its fence and its folder are its own.
    let unfenced = |lines: Vec<String>| -> Vec<String> {
        lines.into_iter().filter(|line| !line.starts_with("=== ") && !line.starts_with("Document: ")).collect()
    };
    assert_eq!(unfenced(planned), unfenced(received));
}
