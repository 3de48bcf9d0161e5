//! Each way in which a run ends leads to the outcome that it is.

use crate::bench::{Real, Run};
use crate::model::Behaviour;
use serde_json::Value;
use std::path::Path;

const AGENTS: &[Real] = &[Real::Pi, Real::Codex, Real::Omp];

/// The session file that the outcome names is the agent's own, and it is there.
fn names_its_session(run: &Run, answer: &Value) {
    let file = answer["outcome"]["session_file"].as_str().unwrap_or_default();
    assert!(Path::new(file).is_file() && Path::new(file).starts_with(run.person()), "{file:?}: {answer}");
    let text = std::fs::read_to_string(file).expect("the session's file");
    assert!(text.contains("Move ingest to the queue."), "the session is another one: {file}");
}

/// The agent's own exit status, of pi, Codex and oh-my-pi: it alone proves nothing.
fn exits_with(real: Real, answer: &Value, statuses: [i32; 3]) {
    let which = AGENTS.iter().position(|agent| *agent == real).expect("one of them");
    assert_eq!(answer["outcome"]["exit"], statuses[which], "{real:?} {answer}");
}

#[test]
#[ignore = "installs agents from npm; cargo xtask agents"]
fn the_block_arrives_and_an_ordinary_end_is_done() {
    for real in AGENTS {
        let run = Run::of(*real, Behaviour::Says("I drained the queue."));
        run.bench.tidy();
        let handle = run.bench.approved();
        let (code, answer) = run.resume(&handle);
        assert_eq!((code, &answer["state"]), (Some(0), &"done".into()), "{real:?} {answer}\n{}", run.log(&answer));
        exits_with(*real, &answer, [0, 0, 0]);
        let asked = run.model.asked();
        let sent = asked.iter().map(|one| one.body.to_string()).collect::<String>();
        for part in ["Move ingest to the queue.", "Pushing", "queue.go"] {
            assert!(sent.contains(part), "{real:?}: {part:?} did not reach the model");
        }
        names_its_session(&run, &answer);
        run.bench.fuda_ok(&["audit", "--verify"]);
    }
}

#[test]
#[ignore = "installs agents from npm; cargo xtask agents"]
fn a_usage_limit_is_a_failure_that_names_its_end() {
    for real in AGENTS {
        let run = Run::of(*real, Behaviour::Limited);
        run.bench.tidy();
        let handle = run.bench.approved();
        let (code, answer) = run.resume(&handle);
        assert_eq!((code, &answer["state"]), (Some(7), &"failed".into()), "{real:?} {answer}\n{}", run.log(&answer));
        exits_with(*real, &answer, [0, 1, 1]);
        let reason = answer["state_reason"].as_str().unwrap_or_default();
        assert!(reason.starts_with("Usage limit"), "{real:?} {answer}\n{}", run.log(&answer));
        assert!(answer["outcome"]["resets_at"].is_string(), "{real:?} {answer}\n{}", run.log(&answer));
        names_its_session(&run, &answer);
    }
}

#[test]
#[ignore = "installs agents from npm; cargo xtask agents"]
fn an_empty_answer_is_a_failure_whatever_the_exit_status() {
    for real in AGENTS {
        let run = Run::of(*real, Behaviour::SaysNothing);
        run.bench.tidy();
        let handle = run.bench.approved();
        let (code, answer) = run.resume(&handle);
        assert_eq!((code, &answer["state"]), (Some(7), &"failed".into()), "{real:?} {answer}\n{}", run.log(&answer));
        exits_with(*real, &answer, [0, 0, 0]);
        names_its_session(&run, &answer);
        let reason = answer["state_reason"].as_str().unwrap_or_default();
        assert!(reason.contains("nothing"), "{real:?} {answer}\n{}", run.log(&answer));
    }
}

#[test]
#[ignore = "installs agents from npm; cargo xtask agents"]
fn an_agent_that_is_killed_leaves_interrupted_and_one_that_is_stopped_stopped() {
    for real in AGENTS {
        let run = Run::of(*real, Behaviour::Silent);
        run.bench.tidy();
        let handle = run.bench.approved();
        let child = run.start(&handle);
        run.model.wait_until_asked();
        let pid = started(&run, &handle);
        kill(&pid);
        let (_, answer) = run.ended(child);
        assert_eq!(answer["state"], "interrupted", "{real:?} {answer}\n{}", run.log(&answer));
        assert_eq!(answer["outcome"]["exit"], -9, "{real:?} {answer}");
        run.bench.fails(5, &["claim", &handle, "--by", "other"]);

        let run = Run::of(*real, Behaviour::Silent);
        run.bench.tidy();
        let handle = run.bench.approved();
        let child = run.start(&handle);
        run.model.wait_until_asked();
        let pid = started(&run, &handle);
        run.bench.fuda_ok(&["stop", &handle]);
        let (code, answer) = run.ended(child);
        assert_eq!((code, &answer["state"]), (Some(7), &"stopped".into()), "{real:?} {answer}");
        crate::support::wait_for("the end of the agent", || !crate::support::alive(&pid));
    }
}

/// The agent's process, as the run's journal names it.
fn started(run: &Run, handle: &str) -> String {
    let mut pid = String::new();
    crate::support::wait_for("the start in the journal", || {
        let view = run.bench.rpc("run", &serde_json::json!({ "id": handle }));
        let steps = view["result"]["steps"].as_array().cloned().unwrap_or_default();
        let step = steps.iter().find(|step| step["kind"] == "started").and_then(|step| step["text"].as_str());
        pid = step.unwrap_or_default().to_owned();
        !pid.is_empty()
    });
    pid
}

fn kill(pid: &str) {
    let killed = std::process::Command::new("kill").args(["-KILL", pid]).status().expect("kill");
    assert!(killed.success());
}
