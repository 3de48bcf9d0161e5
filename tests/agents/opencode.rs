//! opencode takes its rules from the environment. What becomes of them when a program between Fuda and opencode breaks
//! or drops them is what the grade *can be bypassed* says, and no more than that.

use crate::bench::{Real, Run};
use crate::model::Behaviour;
use crate::support::Bench;
use serde_json::{Value, json};
use std::process::{Command, Stdio};

const PUSH: &str = "git push origin main:happened";

/// opencode behind a script of its own name, which may do something to the environment first.
fn behind(script: &str, calls: &[&str]) -> Run {
    let bench = Bench::new();
    let remote = bench.folder.path().join("remote.git").display().to_string();
    bench.git(&["init", "-q", "--bare", &remote]);
    bench.git(&["remote", "add", "origin", &remote]);
    let calls = calls.iter().map(|words| Real::Opencode.command_of(words)).collect();
    let mut run = Run::on(bench, Real::Opencode, Behaviour::Calls(calls));
    let wrapper = format!("{script}\nexec {} \"$@\"", run.program());
    run.starts(run.bench.agent("opencode", &wrapper));
    let path = run.bench.tidy();
    let text = std::fs::read_to_string(&path).expect("read").replace("### Needs a person", "### Never");
    std::fs::write(path, text).expect("written");
    run
}

fn pushed(run: &Run) -> bool {
    let mut git = Command::new("git");
    git.arg("--git-dir").arg(run.bench.folder.path().join("remote.git"));
    git.args(["rev-parse", "-q", "--verify", "happened"]).stdout(Stdio::null()).status().expect("git").success()
}

/// Starts it, and says how it ended, whether the push happened, and what the plan had said of the rule.
fn resumed(run: &Run) -> (Value, bool, Value) {
    let handle = run.bench.approved();
    let rule = run.plan(&handle)["rules"][0].clone();
    let (_, answer) = run.resume(&handle);
    println!("{rule}: {} {}, pushed {}", answer["state"], answer["state_reason"], pushed(run));
    (answer["state"].clone(), pushed(run), rule)
}

#[test]
#[ignore = "installs agents from npm; cargo xtask agents"]
fn a_variable_that_a_wrapper_breaks_refuses_all_the_same_or_starts_nothing() {
    let cut = |name: &str| format!("{name}=\"${{{name}%?}}\"; export {name}");
    for broken in [
        vec!["OPENCODE_PERMISSION"],
        vec!["OPENCODE_CONFIG_CONTENT"],
        vec!["OPENCODE_PERMISSION", "OPENCODE_CONFIG_CONTENT"],
    ] {
        let script: Vec<String> = broken.iter().map(|name| cut(name)).collect();
        let run = behind(&script.join("\n"), &["touch allowed.txt", PUSH]);
        let (state, pushed, rule) = resumed(&run);
        assert!(!pushed, "{broken:?}: {rule}");
        let began = run.bench.repo().join("allowed.txt").exists();
        let starts = !broken.contains(&"OPENCODE_CONFIG_CONTENT");
        assert_eq!((began, state), (starts, json!(if starts { "done" } else { "failed" })), "{broken:?}");
    }
}

#[test]
#[ignore = "installs agents from npm; cargo xtask agents"]
fn a_wrapper_that_drops_the_variables_drops_the_rule_and_the_grade_says_that_it_can_be_bypassed() {
    let run = behind("unset OPENCODE_PERMISSION OPENCODE_CONFIG_CONTENT", &[PUSH]);
    let (state, pushed, rule) = resumed(&run);
    assert_eq!((state, pushed), (json!("done"), true));
    assert_eq!(rule["grade"], "agent_rule", "never a sandbox: {rule}");
    assert!(rule["how"].as_str().is_some_and(|how| how.contains("can still do it")), "{rule}");
}

/// Why Fuda says its rules in both: the program itself passes over a broken permission.
#[test]
#[ignore = "installs agents from npm; cargo xtask agents"]
fn opencode_itself_passes_over_a_broken_permission_and_not_over_a_broken_configuration() {
    let permission = "{\"bash\":\"deny\"";
    for (name, value, happens) in [
        ("OPENCODE_PERMISSION", format!("{permission}}}"), false),
        ("OPENCODE_PERMISSION", permission.to_owned(), true),
        ("OPENCODE_PERMISSION", "\"deny\"".to_owned(), true),
        ("OPENCODE_CONFIG_CONTENT", format!("{{\"permission\":{permission}}}}}"), false),
        ("OPENCODE_CONFIG_CONTENT", format!("{{\"permission\":{permission}}}"), false),
    ] {
        let run = behind(&format!("{name}='{value}'; export {name}"), &[PUSH]);
        let output = crate::hooks::session(&run, &["run", "--format", "json", "Push it."], "");
        assert_eq!(pushed(&run), happens, "{name}={value}: {output:?}");
    }
}

#[test]
#[ignore = "installs agents from npm; cargo xtask agents"]
fn a_broken_permission_of_the_persons_own_is_taken_away_and_nothing_is_promised() {
    let run = behind("", &["touch allowed.txt"]);
    let handle = run.bench.approved();
    let mut arguments = vec!["--json", "resume", &handle, "--profile", run.real.id(), "--plan", "--"];
    arguments.extend([run.program(), "run", "--format", "json"]);
    let output = run.command(&arguments).env("OPENCODE_PERMISSION", "{\"bash\":\"deny\"").output().expect("fuda");
    let plan: Value = serde_json::from_slice(&output.stdout).expect("a plan");
    assert_eq!(plan["rules"][0]["grade"], "words_only", "{plan}");
    let environment = plan["environment"].to_string();
    assert!(environment.contains("OPENCODE_PERMISSION (taken away)"), "{environment}");
}
