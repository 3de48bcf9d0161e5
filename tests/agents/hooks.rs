//! The hooks of the documentation in the agents' own programs, installed as it says: at a session's start the model is
//! told of what is approved, and a handoff is left before a compaction and at a usage limit.

use crate::bench::{Real, Run};
use crate::model::Behaviour;
use crate::support::{Bench, wait_for};
use serde_json::{Value, json};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

/// What Codex 0.171.0 writes down when a person says "Trust all" to these hooks; without it none of them runs. A hook
/// that is written otherwise is another one to it.
const TRUSTED: [(&str, &str); 3] = [
    ("pre_compact", "c4fe177650135801ea9fede7c388b0cd34d4301f3a95c8d4f38760788515d728"),
    ("session_start", "2033d4605273467befc7ba852059655550bd0a34a0c4debf35ee0ea566f284bb"),
    ("session_end", "2a5768e4536b1217aa6c3ec718f25e0b5d7dd8ab5db6a984f5538f6447589359"),
];

fn documented(name: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../docs/hooks").join(name);
    fs::read_to_string(path).expect("the documentation")
}

/// An agent with its hooks, in a repository where nothing is approved.
fn with_hooks(real: Real, behaviour: Behaviour) -> Run {
    let run = Run::of(real, behaviour);
    run.bench.tidy();
    match real {
        Real::Claude => run.write(".claude/settings.json", &documented("claude-code.json")),
        Real::Codex => {
            run.write(".codex/hooks.json", &documented("codex.json"));
            let hooks = run.person().join(".codex/hooks.json");
            for (event, hash) in TRUSTED {
                let trusted = format!("trusted_hash = \"sha256:{hash}\"");
                run.add(
                    ".codex/config.toml",
                    &format!("\n[hooks.state.\"{}:{event}:0:0\"]\n{trusted}\n", hooks.display()),
                );
            }
        }
        Real::Pi => run.write(".pi/agent/extensions/fuda.js", &documented("pi.js")),
        _ => unreachable!("no hooks are documented for {real:?}"),
    }
    run
}

/// A session of the agent that a person starts, on one prompt.
pub fn session(run: &Run, words: &[&str], input: &str) -> Output {
    let program = PathBuf::from(run.program());
    let fuda = Path::new(assert_cmd::cargo::cargo_bin!("fuda")).parent().expect("a folder");
    let mut session = Command::new(&program);
    session.args(words).current_dir(run.bench.repo()).env_clear();
    session.envs(run.command(&[]).get_envs().filter_map(|(name, value)| Some((name, value?))));
    let path = std::env::var("PATH").unwrap_or_default();
    session
        .env("ENABLE_TOOL_SEARCH", "false")
        .env("PATH", format!("{}:{path}", fuda.display()))
        .env("CLAUDE_CODE_MAX_RETRIES", "1");
    let mut child =
        session.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("started");
    let mut given = child.stdin.take().expect("a pipe");
    std::io::Write::write_all(&mut given, input.as_bytes()).expect("given");
    if input.is_empty() {
        drop(given);
        return child.wait_with_output().expect("ended");
    }
    // It lives as long as its input.
    wait_for("the end of what was asked", || !published(&run.bench).is_empty());
    drop(given);
    child.wait_with_output().expect("ended")
}

fn published(bench: &Bench) -> Vec<Value> {
    let rows = bench.fuda_ok(&["--json", "list"]);
    let rows = rows.lines().map(|line| serde_json::from_str::<Value>(line).expect("json"));
    rows.filter(|row| row["format"] == "canonical").collect()
}

fn prompt(real: Real) -> Vec<&'static str> {
    const WORDS: &str = "Drain the queue.";
    match real {
        Real::Claude => vec!["-p", WORDS],
        Real::Codex => vec!["exec", WORDS],
        _ => vec!["-p", WORDS],
    }
}

fn sent(run: &Run) -> String {
    run.model.asked().iter().map(|asked| asked.body.to_string()).collect()
}

/// What was left, once, as something to review.
fn left(run: &Run, output: &Output, reason: &str) {
    wait_for("a handoff that was left", || !published(&run.bench).is_empty());
    let rows = published(&run.bench);
    assert_eq!(rows.len(), 1, "{rows:?}");
    let expected = json!(["pending", reason, "Drain the queue.", run.real.id()]);
    let row = &rows[0];
    assert_eq!(json!([row["state"], row["reason"], row["objective"], row["agent"]]), expected, "{output:?}");
}

fn offers_at_the_start(real: Real) {
    let run = with_hooks(real, Behaviour::Says("I look."));
    let handle = run.bench.handle();
    let output = session(&run, &prompt(real), "");
    assert!(output.status.success() && sent(&run).contains("Drain the queue."), "{output:?}");
    assert!(!sent(&run).contains(&handle), "{real:?}: what is not approved is not offered");
    run.bench.approve(&handle);
    let output = session(&run, &prompt(real), "");
    let command = format!("fuda --json claim {handle} --by {}", real.id());
    assert!(output.status.success() && sent(&run).contains(&command), "{real:?} was not told: {output:?}");
    assert!(!sent(&run).contains("Move ingest to the queue."), "{real:?} was told of the document");
}

fn leaves_one_at_a_usage_limit(real: Real) {
    let run = with_hooks(real, Behaviour::Limited);
    let output = session(&run, &prompt(real), "");
    left(&run, &output, "usage limit");
}

#[test]
#[ignore = "installs agents from npm; cargo xtask agents"]
fn a_session_of_claude_code_that_starts_is_told_of_what_is_approved() {
    offers_at_the_start(Real::Claude);
}

#[test]
#[ignore = "installs agents from npm; cargo xtask agents"]
fn a_session_of_codex_that_starts_is_told_of_what_is_approved() {
    offers_at_the_start(Real::Codex);
}

#[test]
#[ignore = "installs agents from npm; cargo xtask agents"]
fn a_session_of_pi_that_starts_is_told_of_what_is_approved() {
    offers_at_the_start(Real::Pi);
}

#[test]
#[ignore = "installs agents from npm; cargo xtask agents"]
fn claude_code_leaves_a_handoff_at_its_usage_limit() {
    leaves_one_at_a_usage_limit(Real::Claude);
}

#[test]
#[ignore = "installs agents from npm; cargo xtask agents"]
fn codex_leaves_a_handoff_at_its_usage_limit() {
    leaves_one_at_a_usage_limit(Real::Codex);
}

#[test]
#[ignore = "installs agents from npm; cargo xtask agents"]
fn pi_leaves_a_handoff_at_its_usage_limit() {
    leaves_one_at_a_usage_limit(Real::Pi);
}

#[test]
#[ignore = "installs agents from npm; cargo xtask agents"]
fn claude_code_leaves_a_handoff_before_it_compacts() {
    let run = with_hooks(Real::Claude, Behaviour::Says("I look."));
    assert!(session(&run, &prompt(Real::Claude), "").status.success());
    assert!(published(&run.bench).is_empty());
    let output = session(&run, &["-p", "-c", "/compact"], "");
    left(&run, &output, "context compaction");
}

#[test]
#[ignore = "installs agents from npm; cargo xtask agents"]
fn codex_leaves_a_handoff_before_it_compacts() {
    let run = with_hooks(Real::Codex, Behaviour::Says("I look."));
    assert!(session(&run, &prompt(Real::Codex), "").status.success());
    assert!(published(&run.bench).is_empty());
    let words = ["exec", "-c", "model_auto_compact_token_limit=1", "resume", "--last", "Go on."];
    let output = session(&run, &words, "");
    left(&run, &output, "context compaction");
}

#[test]
#[ignore = "installs agents from npm; cargo xtask agents"]
fn pi_leaves_a_handoff_before_it_compacts() {
    let run = with_hooks(Real::Pi, Behaviour::Says("I look."));
    run.write(".pi/agent/settings.json", &{
        let text = fs::read_to_string(run.person().join(".pi/agent/settings.json")).expect("read");
        let mut settings: Value = serde_json::from_str(&text).expect("json");
        settings["compaction"] = json!({ "enabled": true, "keepRecentTokens": 1 });
        settings.to_string()
    });
    assert!(session(&run, &prompt(Real::Pi), "").status.success());
    assert!(published(&run.bench).is_empty());
    let output = session(&run, &["--mode", "rpc", "-c"], "{\"type\":\"compact\"}\n");
    left(&run, &output, "context compaction");
}
