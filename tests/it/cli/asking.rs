//! What needs a person is asked at the desk while the agent waits: its question and the answer are in the ledger, and no
//! answer is a refusal. The agents are small programs that speak the agents' own protocols.

mod support;

use serde_json::{Value, json};
use std::fs;
use std::process::{Child, Stdio};
use support::{Bench, wait_for};

/// A program of this folder under the agent's own name.
fn program(bench: &Bench, name: &str, text: &str) -> String {
    let path = bench.agent(name, "");
    fs::write(&path, text).expect("written");
    path
}

fn claude(bench: &Bench) -> String {
    bench.profile("claude", "claude-code", ".claude");
    program(bench, "claude", include_str!("agents/claude.mjs"))
}

fn start(bench: &Bench, arguments: &[&str]) -> Child {
    let mut all = vec!["--json", "resume"];
    all.extend(arguments);
    bench.command(&all).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("started")
}

fn questions(bench: &Bench) -> Vec<Value> {
    let lines = bench.fuda_ok(&["--json", "questions"]);
    lines.lines().map(|line| serde_json::from_str(line).expect("json")).collect()
}

/// Waits for the question that is not among those known.
fn question(bench: &Bench, known: &[u64]) -> Value {
    let mut found = Value::Null;
    wait_for("a question", || {
        let open = questions(bench);
        let new = open.into_iter().find(|one| !known.contains(&one["question"].as_u64().unwrap_or_default()));
        found = new.unwrap_or_default();
        !found.is_null()
    });
    found
}

fn answer_of(child: Child) -> (Option<i32>, Value) {
    let output = child.wait_with_output().expect("ended");
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    (output.status.code(), serde_json::from_slice(&output.stdout).unwrap_or_else(|_| panic!("{said}")))
}

#[test]
fn claudes_permission_prompt_comes_up_at_the_desk_and_gets_its_answer() {
    let bench = Bench::new();
    bench.tidy();
    let claude = claude(&bench);
    let handle = bench.approved();
    let plan = bench.json(&["resume", &handle, "--profile", "claude", "--plan", "--", &claude, "-p"]);
    let rule = &plan["rules"][0];
    assert_eq!((&rule["text"], &rule["grade"]), (&json!("Pushing"), &json!("asked_here")), "{plan}");

    let child = start(&bench, &[&handle, "--profile", "claude", "--", &claude, "-p"]);
    let first = question(&bench, &[]);
    assert_eq!((&first["tool"], &first["what"]), (&json!("Bash"), &json!("git push origin main")), "{first}");
    let show = bench.json(&["show", &handle]);
    assert_eq!(show["state_reason"], "asks: Bash: git push origin main", "{show}");
    let number = first["question"].as_u64().expect("a number");
    let inside =
        bench.command(&["answer", &number.to_string(), "allow"]).env("CLAUDECODE", "1").output().expect("fuda");
    assert_eq!(inside.status.code(), Some(5), "an agent does not answer itself");
    bench.fuda_ok(&["answer", &number.to_string(), "allow"]);
    bench.fails(3, &["answer", &number.to_string(), "deny"]);
    let second = question(&bench, &[number]);
    let second = second["question"].as_u64().expect("a number").to_string();
    bench.fuda_ok(&["answer", &second, "deny", "--note", "not that branch"]);

    let (code, answer) = answer_of(child);
    assert_eq!((code, &answer["state"]), (Some(0), &json!("done")), "{answer}");
    let answers = fs::read_to_string(bench.repo().join("answers")).expect("written");
    let answers: Vec<Value> = answers.lines().map(|line| serde_json::from_str(line).expect("json")).collect();
    assert_eq!(answers[0], json!({ "behavior": "allow", "updatedInput": { "command": "git push origin main" } }));
    assert_eq!(answers[1], json!({ "behavior": "deny", "message": "not that branch" }));
    let kinds = bench.fuda_ok(&["--json", "audit"]);
    assert_eq!((kinds.matches("\"asked\"").count(), kinds.matches("\"answered\"").count()), (2, 2), "{kinds}");
    bench.fuda_ok(&["audit", "--verify"]);
}

#[test]
fn a_question_that_nobody_answers_in_time_is_refused_and_so_is_one_of_a_run_that_is_stopped() {
    let bench = Bench::new();
    bench.tidy();
    let claude = claude(&bench);
    let path = bench.folder.path().join("fuda/config.toml");
    let profiles = fs::read_to_string(&path).expect("read");
    fs::write(&path, format!("[settings]\nanswer_seconds = 1\n\n{profiles}")).expect("written");
    let handle = bench.approved();
    let (_, answer) = answer_of(start(&bench, &[&handle, "--profile", "claude", "--", &claude, "-p"]));
    assert_eq!(answer["state"], "done", "{answer}");
    let answers = fs::read_to_string(bench.repo().join("answers")).expect("written");
    assert_eq!(answers.matches("Nobody answered in time.").count(), 2, "{answers}");
    assert!(questions(&bench).is_empty());

    let bench = Bench::new();
    bench.tidy();
    let claude = self::claude(&bench);
    let handle = bench.approved();
    let child = start(&bench, &[&handle, "--profile", "claude", "--", &claude, "-p"]);
    let number = question(&bench, &[])["question"].as_u64().expect("a number").to_string();
    bench.fuda_ok(&["stop", &handle]);
    let (_, answer) = answer_of(child);
    assert_eq!(answer["state"], "stopped", "{answer}");
    assert!(questions(&bench).is_empty());
    bench.fails(3, &["answer", &number, "allow"]);
}

#[test]
fn where_a_command_names_another_who_is_asked_it_stays_a_refusal_and_says_so() {
    let bench = Bench::new();
    bench.tidy();
    let claude = claude(&bench);
    let handle = bench.approved();
    let arguments = ["resume", &handle, "--profile", "claude", "--plan", "--", &claude, "-p"];
    for more in [&["--permission-prompt-tool", "mcp__mine__ask"][..], &["--permission-mode", "dontAsk"]] {
        let mut all = arguments.to_vec();
        all.extend(more);
        let plan = bench.json(&all);
        assert_eq!(plan["rules"][0]["grade"], "agent_rule", "{plan}");
        assert!(plan["rules"][0]["how"].to_string().contains("It is refused, not asked"), "{plan}");
    }
}

#[test]
fn pi_is_stopped_by_an_extension_that_refuses_and_asks() {
    stopped_by_the_extension("pi");
}

#[test]
fn oh_my_pi_is_stopped_by_the_same_extension_which_may_wait_longer_than_it_lets_others() {
    let bench = stopped_by_the_extension("omp");
    let runs = bench.folder.path().join("fuda/runs");
    let overlays: Vec<_> = fs::read_dir(runs)
        .expect("runs")
        .filter_map(|run| fs::read_to_string(run.expect("a run").path().join("agent/omp.yml")).ok())
        .collect();
    assert!(overlays.iter().any(|text| text.contains("toolCallTimeoutMs")), "{overlays:?}");
}

fn stopped_by_the_extension(name: &str) -> Bench {
    let bench = Bench::new();
    let path = bench.tidy();
    let text = fs::read_to_string(&path).expect("read");
    fs::write(&path, format!("{text}\n### Never\n\n- Do not delete files\n- Do not touch `queue.go`\n"))
        .expect("written");
    bench.profile(name, name, &format!(".{name}"));
    let agent = program(&bench, name, include_str!("agents/pi.mjs"));
    let handle = bench.approved();
    let plan = bench.json(&["resume", &handle, "--profile", name, "--plan", "--", &agent, "-p"]);
    let grades: Vec<&str> =
        plan["rules"].as_array().expect("rules").iter().filter_map(|r| r["grade"].as_str()).collect();
    assert_eq!(grades, ["asked_here", "agent_rule", "agent_rule"], "{plan}");

    let child = start(&bench, &[&handle, "--profile", name, "--", &agent, "-p"]);
    let asked = question(&bench, &[]);
    assert_eq!(asked["what"], "cd . && FOO=1 git push origin main", "{asked}");
    bench.fuda_ok(&["answer", &asked["question"].to_string(), "deny", "--note", "later"]);
    let (code, answer) = answer_of(child);
    assert_eq!((code, &answer["state"]), (Some(0), &json!("done")), "{answer}");
    let answers = fs::read_to_string(bench.repo().join("answers")).expect("written");
    let lines: Vec<&str> = answers.lines().collect();
    assert_eq!(lines[0], "bash: runs");
    assert_eq!(lines[1], "bash: Not allowed: later");
    assert!(lines[2].starts_with("bash: The approved boundary refuses rm"), "{answers}");
    assert_eq!(lines[3], "write: runs");
    for line in &lines[4..6] {
        assert!(line.starts_with("edit: The approved boundary refuses editing queue.go"), "{answers}");
    }
    bench
}
