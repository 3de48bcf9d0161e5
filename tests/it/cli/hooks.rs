//! The hooks of the documentation, run as the agents run them, with the input that the agents give: a handoff is
//! published at a limit and before a compaction, an approved one is offered at a session's start, and nothing that a
//! transcript says is ever run or approved.

mod support;

use serde_json::{Value, json};
use std::fs;
use std::io::Write;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use support::Bench;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../..")
}

fn case(name: &str) -> String {
    fs::read_to_string(root().join("tests/cases/hooks").join(name)).expect(name)
}

/// The command that the documentation's file names for an event.
fn documented(agent: &str, event: &str) -> String {
    let text = fs::read_to_string(root().join(format!("docs/hooks/{agent}.json"))).expect("the documentation");
    let value: Value = serde_json::from_str(&text).expect("json");
    let hook = &value["hooks"][event][0]["hooks"][0];
    assert_eq!(hook["type"], "command", "{agent} {event}");
    hook["command"].as_str().expect("a command").to_owned()
}

/// A command of a hook as agents start it: by the shell, in the project, with a pipe on standard input.
fn shell(bench: &Bench, command: &str, variables: &[(&str, &str)]) -> Command {
    let fuda = bench.command(&[]);
    let mut shell = Command::new("sh");
    shell.args(["-c", command]).current_dir(bench.repo()).env_clear();
    shell.envs(fuda.get_envs().filter_map(|(name, value)| Some((name, value?))));
    shell.env("PATH", path()).envs(variables.iter().copied());
    shell.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    shell
}

fn run(bench: &Bench, command: &str, input: &str, variables: &[(&str, &str)]) -> Output {
    let mut child = shell(bench, command, variables).spawn().expect("a shell");
    let _ = child.stdin.take().expect("a pipe").write_all(input.as_bytes());
    child.wait_with_output().expect("ended")
}

fn path() -> String {
    let program = Path::new(assert_cmd::cargo::cargo_bin!("fuda")).parent().expect("a folder").display().to_string();
    format!("{program}:{}", std::env::var("PATH").unwrap_or_default())
}

/// The agent's own input, about this repository and this transcript.
fn input(bench: &Bench, name: &str, transcript: &Path) -> String {
    let mut value: Value = serde_json::from_str(&case(name)).expect("json");
    value["cwd"] = json!(bench.repo());
    value["transcript_path"] = json!(transcript);
    value.to_string()
}

fn transcript(bench: &Bench, text: &str) -> PathBuf {
    let path = bench.folder.path().join("transcript.jsonl");
    fs::write(&path, text).expect("written");
    path
}

fn rows(bench: &Bench) -> Vec<Value> {
    bench.fuda_ok(&["--json", "list"]).lines().map(|line| serde_json::from_str(line).expect("json")).collect()
}

/// What was published, once, as something to review.
fn published(bench: &Bench, reason: &str) -> Value {
    let rows = rows(bench);
    assert_eq!(rows.len(), 1, "{rows:?}");
    let row = &rows[0];
    assert_eq!((&row["state"], &row["reason"]), (&json!("pending"), &json!(reason)), "{row}");
    let show = bench.json(&["show", row["handle"].as_str().expect("a handle")]);
    let objective = show["objective"].as_str().unwrap_or_default();
    assert_eq!(objective, "Move ingest to the queue. $(touch canary); `touch canary`", "{show}");
    for folder in [bench.repo(), bench.folder.path().to_owned()] {
        assert!(!folder.join("canary").exists(), "the transcript was run");
    }
    let audit = bench.fuda_ok(&["--json", "audit"]);
    assert!(audit.contains("\"published\"") && !audit.contains("\"approved\""), "{audit}");
    show
}

fn texts(items: &Value) -> Vec<&str> {
    items.as_array().expect("a list").iter().filter_map(|item| item["text"].as_str()).collect()
}

#[test]
fn claude_code_leaves_a_handoff_at_its_usage_limit() {
    let bench = Bench::new();
    let transcript = transcript(&bench, &case("claude-code-transcript.jsonl"));
    let input = input(&bench, "claude-code-stop_failure_rate_limit.json", &transcript);
    let output = run(&bench, &documented("claude-code", "StopFailure"), &input, &[("CLAUDECODE", "1")]);
    assert!(output.status.success() && output.stdout.is_empty(), "{output:?}");
    let show = published(&bench, "usage limit");
    assert_eq!(texts(&show["done"]), ["Read queue.go"], "{show}");
    assert_eq!(texts(&show["next"]), ["Drain in queue.go", "Run the tests"], "{show}");
    assert!(show["provenance"]["resets_at"].as_str().is_some_and(|at| at.contains("21:30")), "{show}");
    assert_eq!(show["provenance"]["session"], "7b0f4b5e-2f0b-4a52-9d0f-31c2a7e8d910", "{show}");
    assert_eq!(show["provenance"]["turns"], 2, "{show}");
    assert!(show["artifacts"].to_string().contains("transcript.jsonl"), "{show}");
    assert!(texts(&show["unverified"])[0].starts_with("A hook wrote this handoff"), "{show}");
    let text = fs::read_to_string(show["path"].as_str().expect("a path")).expect("read");
    assert!(text.contains("> I begin with the drain.") && text.contains("> Keep the old path"), "{text}");
    assert!(!text.contains("subagent"), "{text}");
}

#[test]
fn an_error_that_is_no_limit_leaves_nothing() {
    let bench = Bench::new();
    let transcript = transcript(&bench, &case("claude-code-transcript.jsonl"));
    let mut other: Value =
        serde_json::from_str(&input(&bench, "claude-code-stop_failure_rate_limit.json", &transcript)).expect("json");
    other["error"] = json!("authentication_failed");
    other["error_details"] = json!("401");
    other["last_assistant_message"] = json!("Please sign in.");
    let output = run(&bench, "fuda hook claude-code", &other.to_string(), &[]);
    assert!(output.status.success() && rows(&bench).is_empty(), "{output:?}");
}

#[test]
fn claude_code_and_codex_leave_a_handoff_before_a_compaction() {
    for (agent, name, lines) in [
        ("claude-code", "claude-code-pre_compact_auto.json", "claude-code-transcript.jsonl"),
        ("codex", "codex-pre_compact.json", "codex-transcript.jsonl"),
    ] {
        let bench = Bench::new();
        let transcript = transcript(&bench, &case(lines));
        let output = run(&bench, &documented(agent, "PreCompact"), &input(&bench, name, &transcript), &[]);
        assert!(output.status.success() && output.stdout.is_empty(), "{agent}: {output:?}");
        let show = published(&bench, "context compaction");
        assert_eq!(show["provenance"]["agent"], agent, "{show}");
    }
}

#[test]
fn codex_leaves_a_handoff_when_its_session_ends_at_a_limit_and_none_otherwise() {
    let bench = Bench::new();
    let whole = format!("{}{}", case("codex-transcript.jsonl"), case("codex-transcript-limit.jsonl"));
    let limited = transcript(&bench, &whole);
    let command = documented("codex", "SessionEnd");
    let output = run(&bench, &command, &input(&bench, "codex-session_end.json", &limited), &[]);
    assert!(output.status.success() && output.stdout.is_empty(), "{output:?}");
    let show = published(&bench, "usage limit");
    assert_eq!(show["provenance"]["resets_at"], "2100-01-01T00:00:00Z", "{show}");
    assert_eq!(
        (texts(&show["done"]), texts(&show["next"])),
        (vec!["Read queue.go"], vec!["Drain in queue.go"]),
        "{show}"
    );

    let bench = Bench::new();
    let ordinary = transcript(&bench, &case("codex-transcript.jsonl"));
    let output = run(&bench, &command, &input(&bench, "codex-session_end.json", &ordinary), &[]);
    assert!(output.status.success() && rows(&bench).is_empty(), "{output:?}");
}

#[test]
fn a_session_that_starts_is_offered_what_is_approved_and_takes_it_by_a_claim() {
    for (agent, name) in
        [("claude-code", "claude-code-session_start_startup.json"), ("codex", "codex-session_start.json")]
    {
        let bench = Bench::new();
        bench.tidy();
        let handle = bench.handle();
        let command = documented(agent, "SessionStart");
        let input = input(&bench, name, Path::new("/nowhere"));
        let waiting = run(&bench, &command, &input, &[]);
        assert!(waiting.status.success() && waiting.stdout.is_empty(), "what is not approved is not offered");
        bench.approve(&handle);
        let inside = run(&bench, &command, &input, &[("FUDA_HANDOFF", &handle)]);
        assert!(inside.stdout.is_empty(), "what fuda resume started has its handoff");
        for source in ["compact", "resume"] {
            let output = run(&bench, &command, &input.replace("\"startup\"", &format!("\"{source}\"")), &[]);
            assert!(output.stdout.is_empty(), "{agent} {source}");
        }

        let output = run(&bench, &command, &input, &[]);
        let answer: Value = serde_json::from_slice(&output.stdout).unwrap_or_else(|_| panic!("{output:?}"));
        let told = &answer["hookSpecificOutput"];
        assert_eq!(told["hookEventName"], "SessionStart", "{answer}");
        let words = told["additionalContext"].as_str().expect("words");
        assert!(words.contains(&handle) && !words.contains("ingest"), "{words}");
        let claim = words.split('`').find(|part| part.starts_with("fuda --json claim ")).expect("a command").to_owned();
        let claimed = run(&bench, &claim, "", &[]);
        let claimed: Value = serde_json::from_slice(&claimed.stdout).unwrap_or_else(|_| panic!("{claim}: {claimed:?}"));
        let block = fs::read_to_string(claimed["block_path"].as_str().expect("a path")).expect("the block");
        assert!(block.contains("Move ingest to the queue.") && block.contains("Pushing"), "{block}");
        assert!(run(&bench, &command, &input, &[]).stdout.is_empty(), "what is claimed is offered to nobody");
        assert_eq!(run(&bench, &claim, "", &[]).status.code(), Some(5), "one executor");
    }
}

#[test]
fn a_file_that_changed_after_its_approval_is_not_offered() {
    let bench = Bench::new();
    let path = bench.tidy();
    bench.approved();
    let text = fs::read_to_string(&path).expect("read");
    fs::write(&path, text.replace("Move ingest", "Delete ingest")).expect("written");
    let input = input(&bench, "claude-code-session_start_startup.json", Path::new("/nowhere"));
    let output = run(&bench, "fuda hook claude-code", &input, &[]);
    assert!(output.status.success() && output.stdout.is_empty(), "{output:?}");
}

#[test]
fn pis_extension_offers_at_the_start_and_leaves_a_handoff_at_the_limit() {
    let pi = |bench: &Bench| {
        let transcript = transcript(bench, &case("pi-transcript.jsonl"));
        let extension = bench.folder.path().join("fuda.mjs");
        fs::copy(root().join("docs/hooks/pi.js"), &extension).expect("copied");
        let program = root().join("tests/it/cli/agents/pi_hooks.mjs");
        let command = format!("node {} {} {}", program.display(), extension.display(), transcript.display());
        run(bench, &command, "", &[])
    };
    let bench = Bench::new();
    bench.tidy();
    let handle = bench.approved();
    let output = pi(&bench);
    let said = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success() && said.contains(&handle) && said.contains("fuda --json claim"), "{output:?}");

    let bench = Bench::new();
    let output = pi(&bench);
    assert!(output.status.success() && output.stdout == b"nothing\n", "{output:?}");
    let show = published(&bench, "usage limit");
    assert!(show["provenance"]["resets_at"].is_string(), "{show}");
}

#[test]
fn a_hook_that_cannot_do_its_work_says_why_and_never_ends_with_2() {
    let bench = Bench::new();
    let nowhere = input(&bench, "claude-code-pre_compact_auto.json", Path::new("/nowhere.jsonl"));
    let pipe = input(&bench, "claude-code-pre_compact_auto.json", Path::new("/dev/zero"));
    let silent = transcript(&bench, "{\"type\":\"summary\"}\nnot json\n");
    let silent = input(&bench, "claude-code-pre_compact_auto.json", &silent);
    for (command, input, word) in [
        ("fuda hook claude-code", "{", "not what claude-code gives"),
        ("fuda hook claude-code", "", "not what claude-code gives"),
        ("fuda hook clod", "{}", "no agent"),
        ("fuda hook claude-code", nowhere.as_str(), "/nowhere.jsonl"),
        ("fuda hook claude-code", pipe.as_str(), "not a regular file"),
        ("fuda hook claude-code", silent.as_str(), "no words of a person"),
    ] {
        let output = run(&bench, command, input, &[]);
        let said = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(1), "{command}: {said}");
        assert!(said.contains(word) && output.stdout.is_empty(), "{command}: {said}");
    }
    fs::write(bench.folder.path().join("fuda/config.toml"), "[[profile").expect("written");
    let output = run(&bench, "fuda hook claude-code", &nowhere, &[]);
    assert_eq!(output.status.code(), Some(1), "{output:?}");
}

/// What descends from a process, as an agent looks for it before it ends it.
fn descendants(pid: u32) -> Vec<String> {
    let children = fs::read_to_string(format!("/proc/{pid}/task/{pid}/children")).unwrap_or_default();
    let below = children.split_whitespace().filter_map(|child| child.parse().ok()).flat_map(descendants);
    children.split_whitespace().map(str::to_owned).chain(below).collect()
}

/// Whether a hook of this bench is at work that descends from nobody here.
fn works_apart(bench: &Bench) -> bool {
    let home = format!("FUDA_HOME={}\0", bench.folder.path().join("fuda").display());
    let apart = |process: &Path| {
        let words = fs::read(process.join("cmdline")).unwrap_or_default();
        let own = fs::read_to_string(process.join("environ")).unwrap_or_default();
        words.ends_with(b"--apart\0--apart\0") && own.contains(&home)
    };
    fs::read_dir("/proc").expect("/proc").flatten().any(|entry| apart(&entry.path()))
}

#[test]
fn a_handoff_is_left_although_the_agent_ends_its_hook_in_the_middle() {
    let bench = Bench::new();
    let transcript = transcript(&bench, &case("claude-code-transcript.jsonl"));
    let input = input(&bench, "claude-code-stop_failure_rate_limit.json", &transcript);
    // It ends with the program itself in the shell's place.
    let command = documented("claude-code", "StopFailure");
    let mut started = shell(&bench, &command, &[]).process_group(0).spawn().expect("a shell");
    let pid = started.id();
    // The input is not whole yet, so that nothing is done yet.
    let mut given = started.stdin.take().expect("a pipe");
    given.write_all(&input.as_bytes()[..9]).expect("given");
    support::wait_for("a process that nobody waits for", || works_apart(&bench) && descendants(pid).is_empty());
    let killed = Command::new("kill").args(["-KILL", "--", &format!("-{pid}")]).status().expect("kill");
    assert!(killed.success() && !started.wait().expect("ended").success());
    given.write_all(&input.as_bytes()[9..]).expect("given");
    drop(given);
    support::wait_for("the handoff", || !rows(&bench).is_empty());
    published(&bench, "usage limit");
}
