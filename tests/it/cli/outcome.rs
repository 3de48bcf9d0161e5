//! What an outcome rests on: a check, the executor's own report, the session that it wrote, a person's Ctrl-C; and that
//! nothing is edited where the tree has moved under the handoff.

mod support;

use serde_json::Value;
use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};
use support::{Bench, alive, exists, wait_for};

const SESSION: &str = "0199c8de-1111-7000-8000-00000000000a";

fn resume(bench: &Bench, code: i32, arguments: &[&str]) -> Value {
    let mut all = vec!["resume"];
    all.extend(arguments);
    bench.fails(code, &all)
}

#[test]
fn a_check_after_the_run_decides_between_verified_and_failed_and_its_output_is_kept() {
    for (exit, code, state) in [(0, 0, "verified"), (3, 7, "failed")] {
        let bench = Bench::new();
        bench.tidy();
        let handle = bench.approved();
        let program = bench.agent("agent.sh", "cat > /dev/null; echo drained > drained; echo worked");
        let check = bench.agent("check.sh", &format!("test -f drained && echo \"looked at $1\"; exit {exit}"));
        bench.configure(&format!("verify = [\"{check}\", \"two words\"]"));
        let plan = bench.json(&["resume", &handle, "--profile", "work", "--plan", "--", &program]);
        assert_eq!(plan["verify"][1], "two words", "{plan}");
        let answer = resume(&bench, code, &[&handle, "--profile", "work", "--", &program]);
        assert_eq!(answer["state"], state, "{answer}");
        let check = &answer["outcome"]["check"];
        assert_eq!((&check["exit"], &check["passed"]), (&exit.into(), &(exit == 0).into()), "{answer}");
        let log = fs::read_to_string(check["log"].as_str().expect("a log")).expect("kept");
        assert_eq!(log, "looked at two words\n");
        assert!(answer["state_reason"].as_str().is_some_and(|reason| reason.contains("check.sh")), "{answer}");
    }
}

#[test]
fn a_check_that_cannot_be_started_verifies_nothing_and_a_run_that_failed_is_not_checked() {
    let bench = Bench::new();
    bench.tidy();
    let handle = bench.approved();
    let program = bench.agent("agent.sh", "cat > /dev/null; echo worked");
    let answer = resume(&bench, 7, &[&handle, "--profile", "work", "--verify", "no-such-check", "--", &program]);
    assert_eq!(answer["state"], "failed", "{answer}");
    assert!(answer["state_reason"].to_string().contains("no-such-check"), "{answer}");

    let bench = Bench::new();
    bench.tidy();
    let handle = bench.approved();
    let mark = bench.folder.path().join("checked");
    let check = bench.agent("check.sh", &format!("echo x > {}", mark.display()));
    let program = bench.agent("agent.sh", "cat > /dev/null; echo no; exit 4");
    let answer = resume(&bench, 7, &[&handle, "--profile", "work", "--verify", &check, "--", &program]);
    assert_eq!((&answer["state"], &answer["outcome"]["check"]), (&"failed".into(), &Value::Null), "{answer}");
    assert!(!mark.exists());
}

#[test]
fn an_agent_reports_itself_with_the_token_that_lies_in_its_run() {
    let fuda = assert_cmd::cargo::cargo_bin!("fuda").display();
    let script = format!(
        "cat > /dev/null; tr '\\0' ' ' < /proc/$$/cmdline > cmdline; {fuda} heartbeat > /dev/null; {fuda} finish --outcome verified --note 'tests pass' > /dev/null || exit 9; {fuda} approve $FUDA_HANDOFF --rev x && exit 8; echo worked > worked"
    );
    let bench = Bench::new();
    bench.tidy();
    let handle = bench.approved();
    let program = bench.agent("agent.sh", &script);
    let answer = resume(&bench, 0, &[&handle, "--profile", "work", "--", &program]);
    let outcome = &answer["outcome"];
    assert_eq!((&answer["state"], &outcome["by"]), (&"verified".into(), &"work".into()), "{answer}");
    assert_eq!((&outcome["note"], &outcome["exit"]), (&"tests pass".into(), &0.into()), "{answer}");
    assert!(outcome["changed"].to_string().contains("worked") && outcome["log"].is_string(), "{answer}");
    let run = fs::read_dir(bench.folder.path().join("fuda/runs")).expect("there").next().expect("a run").expect("read");
    let token = fs::read_to_string(run.path().join("token")).expect("kept");
    let cmdline = fs::read_to_string(bench.repo().join("cmdline")).expect("read");
    assert!(token.len() > 10 && !cmdline.contains(&token), "{cmdline}");
}

#[test]
fn a_check_says_more_than_the_agents_own_report() {
    let fuda = assert_cmd::cargo::cargo_bin!("fuda").display();
    let bench = Bench::new();
    bench.tidy();
    let handle = bench.approved();
    let program =
        bench.agent("agent.sh", &format!("cat > /dev/null; {fuda} finish --outcome verified > /dev/null; echo worked"));
    let answer = resume(&bench, 7, &[&handle, "--profile", "work", "--verify", "false", "--", &program]);
    assert_eq!((&answer["state"], &answer["outcome"]["check"]["exit"]), (&"failed".into(), &1.into()), "{answer}");
    bench.fuda_ok(&["audit", "--verify"]);
}

#[test]
fn the_session_file_that_the_agent_wrote_is_named() {
    let bench = Bench::new();
    bench.tidy();
    bench.profile("claude", "claude-code", ".claude");
    let handle = bench.approved();
    let claude = bench.agent(
        "claude",
        &format!(
            r#"case "$*" in *--help*) echo "--settings --output-format --verbose"; exit 0;; esac
cat > /dev/null
mkdir -p "$HOME/.claude/projects/-repo"; echo '{{}}' > "$HOME/.claude/projects/-repo/{SESSION}.jsonl"
echo '{{"type":"system","subtype":"init","session_id":"{SESSION}","permissionMode":"default","tools":["Read"],"claude_code_version":"2.1.300"}}'
echo '{{"type":"assistant","message":{{"content":[{{"type":"text","text":"Drained."}}]}}}}'
echo '{{"type":"result","subtype":"success","is_error":false,"result":"Drained."}}'"#
        ),
    );
    let answer = resume(&bench, 0, &[&handle, "--profile", "claude", "--", &claude, "-p"]);
    let outcome = &answer["outcome"];
    assert_eq!(outcome["session"], SESSION, "{answer}");
    let file = outcome["session_file"].as_str().expect("named");
    assert!(file.ends_with(&format!("projects/-repo/{SESSION}.jsonl")) && fs::metadata(file).is_ok(), "{file}");
}

#[test]
fn ctrl_c_stops_the_agent_gently_then_firmly_and_is_recorded_as_stopped() {
    for (trap, word) in [("", "gently"), ("trap '' TERM INT;", "firmly")] {
        let bench = Bench::new();
        bench.tidy();
        let handle = bench.approved();
        let pids = bench.folder.path().join("pids");
        let script = format!("{trap} echo here; sleep 600 & echo $! > {}; wait; wait; sleep 600", pids.display());
        let program = bench.agent("agent.sh", &script);
        let child = bench
            .command(&["--json", "resume", &handle, "--profile", "work", "--", &program])
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("started");
        wait_for("a sign of life", || exists(&pids) && bench.json(&["show", &handle])["state"] == "running");
        let status = Command::new("kill").args(["-INT", &child.id().to_string()]).status().expect("kill");
        assert!(status.success());
        let output = child.wait_with_output().expect("ended");
        let answer: Value = serde_json::from_slice(&output.stdout).expect("json");
        assert_eq!((&answer["state"], output.status.code()), (&"stopped".into(), Some(7)), "{word}: {answer}");
        let sleeper = fs::read_to_string(&pids).expect("read");
        wait_for("the end of what it started", || !alive(sleeper.trim()));
    }
}

#[test]
fn contended_paths_and_conflicts_go_back_to_a_person_before_anything_is_started() {
    // Changed since it was written: a person has to say so before it can be approved at all.
    let bench = Bench::new();
    bench.tidy();
    fs::write(bench.repo().join("queue.go"), "package theirs\n").expect("written");
    bench.git(&["commit", "-q", "-am", "queue: theirs"]);
    let handle = bench.handle();
    let rev = bench.json(&["show", &handle])["rev"].as_str().expect("a revision").to_owned();
    let refused = bench.fails(5, &["approve", &handle, "--rev", &rev]);
    assert!(refused["error"]["details"]["codes"].to_string().contains("contended"), "{refused}");

    // Changed since it was approved, in three ways.
    let by_hand = |bench: &Bench| fs::write(bench.repo().join("queue.go"), "package mine\n").expect("written");
    let by_commit = |bench: &Bench| {
        fs::write(bench.repo().join("queue.go"), "package theirs\n").expect("written");
        bench.git(&["commit", "-q", "-am", "queue: theirs"]);
    };
    let by_merge = |bench: &Bench| {
        bench.git(&["checkout", "-q", "-b", "other"]);
        fs::write(bench.repo().join("queue.go"), "package other\n").expect("written");
        bench.git(&["commit", "-q", "-am", "queue: other"]);
        bench.git(&["checkout", "-q", "main"]);
        fs::write(bench.repo().join("queue.go"), "package main\n").expect("written");
        bench.git(&["commit", "-q", "-am", "queue: main"]);
        let merge = Command::new("git")
            .args(["-c", "user.name=A", "-c", "user.email=a@e", "merge", "-q", "other"])
            .current_dir(bench.repo())
            .output();
        assert!(!merge.expect("git").status.success(), "a conflict");
        assert!(bench.repo().join(".git/MERGE_HEAD").exists(), "in the middle of it");
    };
    for what in ["edit", "commit", "merge"] {
        let bench = Bench::new();
        bench.tidy();
        let handle = bench.approved();
        match what {
            "edit" => by_hand(&bench),
            "commit" => by_commit(&bench),
            _ => by_merge(&bench),
        }
        let mark = bench.folder.path().join("started");
        let program = bench.agent("agent.sh", &format!("echo x > {}", mark.display()));
        let refused = resume(&bench, 6, &[&handle, "--profile", "work", "--", &program]);
        assert_eq!(refused["error"]["code"], "changed", "{what}: {refused}");
        assert!(!mark.exists(), "{what}");
        let show = bench.json(&["show", &handle]);
        assert_eq!(show["state"], "pending", "{what}: {show}");
        assert!(show["state_reason"].as_str().is_some_and(|reason| reason.starts_with("lapsed")), "{what}: {show}");
    }
}

#[test]
fn what_an_executor_that_only_claims_changed_is_told_while_it_works_and_in_its_outcome() {
    let texts = |list: &Value| list.as_array().expect("a list").iter().map(ToString::to_string).collect::<String>();
    for beginning_is_known in [false, true] {
        let bench = Bench::new();
        fs::write(bench.repo().join("secrets.txt"), "kept\n").expect("written");
        bench.git(&["add", "."]);
        bench.git(&["commit", "-q", "-m", "queue: second"]);
        let head = bench.git(&["rev-parse", "HEAD"]);
        bench.handoff(&format!(
            "# Handoff: queue\n\n**Branch:** main\n**Last commit:** {head} queue: second\n\n## Goal\n\nMove ingest.\n\n## Safety boundary\n\n### Never\n\n- Do not touch `secrets.txt`\n"
        ));
        let handle = bench.approved();
        let claimed = bench.json(&["claim", &handle, "--by", "somebody"]);
        let block = Path::new(claimed["block_path"].as_str().expect("a path"));
        if !beginning_is_known {
            fs::remove_file(block.with_file_name("begun.json")).expect("removed");
        }
        let asked = |op: &str| bench.rpc(op, &serde_json::json!({ "id": handle }))["result"].clone();
        assert_eq!(asked("run")["watched"], beginning_is_known);
        let first = asked("run_changes");
        assert_eq!(first["known"], beginning_is_known, "{first}");
        assert!(!texts(&first["changed"]).contains("queue.go"), "{first}");

        fs::write(bench.repo().join("queue.go"), "package queue\n\nvar drained = true\n").expect("written");
        fs::write(bench.repo().join("secrets.txt"), "told\n").expect("written");
        let now = asked("run_changes");
        let token = claimed["token"].as_str().expect("a token");
        bench.fuda_ok(&["finish", &handle, "--token", token, "--outcome", "done"]);
        let outcome = asked("run")["outcome"].clone();
        for told in [&now, &outcome] {
            assert_eq!(texts(&told["changed"]).contains("modified: queue.go"), beginning_is_known, "{told}");
            assert_eq!(texts(&told["outside"]).contains("secrets.txt"), beginning_is_known, "{told}");
        }
    }
}
