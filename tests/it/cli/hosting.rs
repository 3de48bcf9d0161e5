//! Agents that speak the Agent Client Protocol: what they ask comes up at the desk and its answer goes back and into
//! the ledger; a session that would ask nobody is put into a mode that asks, or does not run. The agent is a small
//! program that speaks the protocol.

mod support;

use serde_json::{Value, json};
use std::fs;
use std::path::PathBuf;
use std::process::{Child, Stdio};
use support::{Bench, wait_for};

fn told(bench: &Bench) -> PathBuf {
    bench.folder.path().join("told")
}

/// The agent under a name, with a profile of that agent.
fn agent(bench: &Bench, name: &str, wish: &Value) -> String {
    bench.profile(name, name, &format!(".{name}"));
    fs::write(bench.folder.path().join("told.wish"), wish.to_string()).expect("written");
    let path = bench.agent(name, "");
    fs::write(&path, include_str!("agents/acp.mjs")).expect("written");
    path
}

fn start(bench: &Bench, handle: &str, name: &str, command: &[&str]) -> Child {
    let mut arguments = vec!["--json", "resume", handle, "--profile", name, "--"];
    arguments.extend(command);
    bench
        .command(&arguments)
        .env("TOLD", told(bench))
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("started")
}

fn ended(child: Child) -> (Option<i32>, Value) {
    let output = child.wait_with_output().expect("ended");
    let answer = serde_json::from_slice(&output.stdout)
        .unwrap_or_else(|_| panic!("{}", String::from_utf8_lossy(&output.stderr)));
    (output.status.code(), answer)
}

/// The next question that is not among those known.
fn question(bench: &Bench, known: &[u64]) -> Value {
    let mut found = Value::Null;
    wait_for("a question", || {
        let lines = bench.fuda_ok(&["--json", "questions"]);
        let all: Vec<Value> = lines.lines().map(|line| serde_json::from_str(line).expect("json")).collect();
        found = all
            .into_iter()
            .find(|one| !known.contains(&one["question"].as_u64().unwrap_or_default()))
            .unwrap_or_default();
        !found.is_null()
    });
    found
}

fn answer(bench: &Bench, question: &Value, word: &str) -> u64 {
    let number = question["question"].as_u64().expect("a number");
    bench.fuda_ok(&["answer", &number.to_string(), word]);
    number
}

fn lines(bench: &Bench) -> Vec<Value> {
    let text = fs::read_to_string(told(bench)).expect("written");
    text.lines().map(|line| serde_json::from_str(line).expect("json")).collect()
}

#[test]
fn what_gemini_asks_comes_up_at_the_desk_and_is_allowed_once_or_refused() {
    let bench = Bench::new();
    bench.tidy();
    let gemini = agent(&bench, "gemini", &json!({}));
    let handle = bench.approved();
    let plan = bench.json(&["resume", &handle, "--profile", "gemini", "--plan", "--", &gemini, "-o", "stream-json"]);
    assert_eq!(plan["rules"][0]["grade"], "asked_here", "{plan}");
    assert!(plan["notes"].to_string().contains("Agent Client Protocol"), "{plan}");
    let policy = plan["files"][0]["contents"].as_str().expect("a policy");
    assert!(policy.contains("decision = \"ask_user\"\npriority = 998"), "{policy}");
    assert!(!policy.contains("interactive"), "leaving plan mode is refused here too: {policy}");

    let child = start(&bench, &handle, "gemini", &[&gemini, "-o", "stream-json"]);
    let first = question(&bench, &[]);
    assert_eq!((&first["tool"], &first["what"]), (&json!("execute"), &json!("git push origin main")), "{first}");
    let number = answer(&bench, &first, "allow");
    let second = question(&bench, &[number]);
    assert_eq!(second["what"], "Edit queue.go\nqueue.go\nbefore:\na\nafter:\nb", "{second}");
    answer(&bench, &second, "deny");
    let (code, over) = ended(child);
    assert_eq!((code, &over["state"]), (Some(0), &json!("done")), "{over}");
    assert_eq!(over["outcome"]["session"], "s-000000001", "{over}");

    let lines = lines(&bench);
    let argv = lines[0]["argv"].to_string();
    assert!(argv.contains("--acp") && argv.contains("--admin-policy") && !argv.contains("-o"), "{argv}");
    assert!(!argv.contains("ingest"), "{argv}");
    assert_eq!(
        lines[1]["capabilities"],
        json!({ "fs": { "readTextFile": false, "writeTextFile": false }, "terminal": false })
    );
    assert!(lines[2]["prompt"][0]["text"].as_str().is_some_and(|text| text.contains("Move ingest to the queue.")));
    assert_eq!(lines[3]["unknown"], -32601);
    assert_eq!(lines[4]["answer"], json!({ "outcome": "selected", "optionId": "once" }));
    assert_eq!(lines[5]["answer"], json!({ "outcome": "selected", "optionId": "no" }));
    let audit = bench.fuda_ok(&["--json", "audit"]);
    assert_eq!((audit.matches("\"asked\"").count(), audit.matches("\"answered\"").count()), (2, 2), "{audit}");
    bench.fuda_ok(&["audit", "--verify"]);
}

#[test]
fn a_session_that_asks_nobody_is_put_into_a_mode_that_asks_or_does_not_run() {
    let bench = Bench::new();
    bench.tidy();
    let qwen = agent(
        &bench,
        "qwen",
        &json!({ "mode": "auto", "modes": ["plan", "default", "auto", "yolo"], "stop": "end_turn" }),
    );
    let handle = bench.approved();
    let child = start(&bench, &handle, "qwen", &[&qwen]);
    let number = answer(&bench, &question(&bench, &[]), "deny");
    answer(&bench, &question(&bench, &[number]), "deny");
    let (_, over) = ended(child);
    assert_eq!(over["state"], "done", "{over}");
    assert_eq!(lines(&bench)[2]["mode"], "default");

    for (wish, word) in [
        (json!({ "mode": "yolo", "modes": ["yolo"] }), "act without asking"),
        (json!({ "mode_later": "yolo" }), "asks nobody"),
        (json!({ "protocol": 2 }), "version 2 of the protocol"),
    ] {
        let bench = Bench::new();
        bench.tidy();
        let qwen = agent(&bench, "qwen", &wish);
        let handle = bench.approved();
        let (code, over) = ended(start(&bench, &handle, "qwen", &[&qwen]));
        assert_eq!((code, &over["state"]), (Some(7), &json!("failed")), "{wish} {over}");
        assert!(over["state_reason"].as_str().is_some_and(|why| why.contains(word)), "{wish} {over}");
        assert!(bench.fuda_ok(&["--json", "questions"]).is_empty());
    }
}

#[test]
fn an_agent_that_ends_its_turn_at_a_refusal_is_told_why_and_may_go_on() {
    let bench = Bench::new();
    bench.tidy();
    let qwen = agent(&bench, "qwen", &json!({ "ends_at_no": true }));
    let handle = bench.approved();
    let child = start(&bench, &handle, "qwen", &[&qwen]);
    let number = question(&bench, &[])["question"].to_string();
    bench.fuda_ok(&["answer", &number, "deny", "--note", "not that branch"]);
    let (code, over) = ended(child);
    assert_eq!((code, &over["state"]), (Some(0), &json!("done")), "{over}");
    let prompts: Vec<String> =
        lines(&bench).iter().filter_map(|line| line["prompt"][0]["text"].as_str().map(str::to_owned)).collect();
    assert_eq!(prompts.len(), 2, "{prompts:?}");
    assert!(prompts[1].contains("not that branch"), "{prompts:?}");

    let bench = Bench::new();
    bench.tidy();
    let path = bench.folder.path().join("fuda/config.toml");
    let qwen = agent(&bench, "qwen", &json!({ "ends_at_no": true, "deaf": true }));
    let profiles = fs::read_to_string(&path).expect("read");
    fs::write(&path, format!("[settings]\nanswer_seconds = 0\n\n{profiles}")).expect("written");
    let handle = bench.approved();
    let (code, over) = ended(start(&bench, &handle, "qwen", &[&qwen]));
    assert_eq!((code, &over["state"]), (Some(7), &json!("failed")), "{over}");
    assert!(over["state_reason"].as_str().is_some_and(|why| why.contains("again and again")), "{over}");
}

#[test]
fn each_end_of_a_hosted_run_is_told_as_it_is() {
    for (wish, word) in [
        (json!({ "silent": true }), "answered nothing"),
        (json!({ "leaves": true }), "it ended before it answered session/prompt"),
        (json!({ "fails": "429 Too Many Requests: try again in 60 minutes" }), "Usage limit"),
        (json!({ "fails": "Internal error" }), "Internal error"),
    ] {
        let bench = Bench::new();
        bench.tidy();
        let gemini = agent(&bench, "gemini", &wish);
        let handle = bench.approved();
        let (code, over) = ended(start(&bench, &handle, "gemini", &[&gemini]));
        assert_eq!((code, &over["state"]), (Some(7), &json!("failed")), "{wish} {over}");
        assert!(over["state_reason"].as_str().is_some_and(|why| why.contains(word)), "{wish} {over}");
        assert_eq!(over["outcome"]["resets_at"].is_string(), word == "Usage limit", "{over}");
    }
}

#[test]
fn a_hosted_run_that_is_stopped_ends_the_agent_and_its_question() {
    let bench = Bench::new();
    bench.tidy();
    let gemini = agent(&bench, "gemini", &json!({}));
    let handle = bench.approved();
    let child = start(&bench, &handle, "gemini", &[&gemini]);
    question(&bench, &[]);
    bench.fuda_ok(&["stop", &handle]);
    let (_, over) = ended(child);
    assert_eq!(over["state"], "stopped", "{over}");
    assert!(bench.fuda_ok(&["--json", "questions"]).is_empty());
}

#[test]
fn goose_is_asked_about_everything_and_others_are_hosted_only_where_a_person_is_wanted() {
    let bench = Bench::new();
    bench.tidy();
    let goose = agent(&bench, "goose", &json!({}));
    let handle = bench.approved();
    let plan = bench.json(&["resume", &handle, "--profile", "goose", "--plan", "--", &goose, "acp"]);
    assert_eq!(plan["rules"][0]["grade"], "asked_here", "{plan}");
    assert!(plan["environment"].to_string().contains("GOOSE_MODE"), "{plan}");
    assert_eq!(plan["argv"][1], "acp", "{plan}");

    let gemini = agent(&bench, "gemini", &json!({}));
    for more in [&["-p", "x"][..], &["--resume", "latest"]] {
        let mut all = vec!["resume", &handle, "--profile", "gemini", "--plan", "--", &gemini];
        all.extend(more);
        let plan = bench.json(&all);
        assert_eq!(plan["rules"][0]["grade"], "agent_rule", "{plan}");
        assert_ne!(plan["argv"][1], "acp", "{plan}");
    }

    let qwen = agent(&bench, "qwen", &json!({}));
    let settings = bench.folder.path().join("person/.qwen/settings.json");
    fs::write(&settings, "{\"permissions\": {\"allow\": [\"Bash(git push *)\"]}}").expect("written");
    let plan = bench.json(&["resume", &handle, "--profile", "qwen", "--plan", "--", &qwen]);
    assert_eq!(plan["rules"][0]["grade"], "agent_rule", "a question that the settings answer is none: {plan}");
}
