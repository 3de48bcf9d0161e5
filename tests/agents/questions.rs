//! What needs a person's word is asked through Fuda by the agents' own programs: the question stands at the desk while
//! the agent waits, a yes lets the call happen, and a no or no answer keeps it from happening and is told to the agent.

use crate::bench::{Real, Run};
use crate::model::Behaviour;
use crate::support::Bench;
use serde_json::{Value, json};
use std::fs;
use std::io::{BufRead, BufReader};
use std::path::PathBuf;
use std::process::{Child, Command};
use std::sync::mpsc::{self, Receiver};
use std::thread;
use std::time::{Duration, Instant};

/// How long a program may take until it asks, also on a machine that does other things.
const PATIENCE: Duration = Duration::from_secs(300);

/// What `fuda resume` says on its standard error, line by line as it comes.
struct Told {
    lines: Receiver<String>,
    so_far: Vec<String>,
}

impl Told {
    fn by(child: &mut Child) -> Self {
        let (said, lines) = mpsc::channel();
        let stderr = child.stderr.take().expect("a pipe");
        thread::spawn(move || {
            for line in BufReader::new(stderr).lines().map_while(Result::ok) {
                let _ = said.send(line);
            }
        });
        Self { lines, so_far: Vec::new() }
    }

    /// The number of the next question that it says is asked.
    fn next_question(&mut self) -> u64 {
        loop {
            let line = self.lines.recv_timeout(PATIENCE);
            let line = line.unwrap_or_else(|error| panic!("no question ({error}): {}", self.so_far.join("\n")));
            let asked = line.strip_prefix("asks (fuda answer ").map(str::to_owned);
            self.so_far.push(line);
            if let Some(number) = asked.and_then(|rest| rest.split(' ').next()?.parse().ok()) {
                return number;
            }
        }
    }
}

fn remote(run: &Run) -> PathBuf {
    run.bench.folder.path().join("remote.git")
}

/// The branches that were pushed.
fn pushed(run: &Run) -> Vec<String> {
    let heads = ["for-each-ref", "--format=%(refname:short)", "refs/heads"];
    let output = Command::new("git").arg("--git-dir").arg(remote(run)).args(heads).output().expect("git");
    assert!(output.status.success(), "{output:?}");
    String::from_utf8_lossy(&output.stdout).lines().map(str::to_owned).collect()
}

/// The one question that waits.
fn waits(run: &Run, number: u64, branch: &str) {
    let lines = run.bench.fuda_ok(&["--json", "questions"]);
    let open: Vec<Value> = lines.lines().map(|line| serde_json::from_str(line).expect("json")).collect();
    let found = open.first().cloned().unwrap_or_default();
    assert_eq!((open.len(), &found["question"]), (1, &json!(number)), "{:?}: {lines}", run.real);
    // Gemini names its folder below.
    let what = found["what"].as_str().and_then(|what| what.lines().next()).unwrap_or_default();
    assert_eq!(what, format!("git push origin main:{branch}"), "{:?}: {lines}", run.real);
}

/// What the person may have set and would end a question before its time: Fuda's own setting says how long one waits.
fn waits_for_nobody(run: &Run) {
    match run.real {
        Real::Claude => {
            let settings = json!({ "permissions": { "allow": ["Bash"] }, "env": { "MCP_TOOL_TIMEOUT": "1000" } });
            run.write(".claude/settings.json", &settings.to_string());
        }
        Real::Omp => run.write(".omp/agent/config.yml", "extensionHandlers:\n  toolCallTimeoutMs: 1000\n"),
        _ => {}
    }
}

fn answer_within_two_seconds(run: &Run) {
    let path = run.bench.folder.path().join("fuda/config.toml");
    let profiles = fs::read_to_string(&path).expect("read");
    fs::write(&path, format!("[settings]\nanswer_seconds = 2\n\n{profiles}")).expect("written");
}

fn kinds(run: &Run) -> Vec<String> {
    let lines = run.bench.fuda_ok(&["--json", "audit"]);
    let events = lines.lines().map(|line| serde_json::from_str::<Value>(line).expect("json"));
    let kinds = events.filter_map(|event| event["kind"].as_str().map(str::to_owned));
    let mut kinds: Vec<_> = kinds.filter(|kind| ["asked", "answered", "unanswered"].contains(&kind.as_str())).collect();
    // The newest comes first there.
    kinds.reverse();
    kinds
}

/// Three pushes: one is allowed, one refused with a note, one answered by nobody. Before them a command that no rule
/// is about and the person's own settings allow: it happens unasked.
fn asks(real: Real) {
    // Qwen Code is hosted only where nothing is allowed, and then asks about this too.
    let free = real != Real::Qwen;
    let mut calls = if free { vec![real.command_of("touch free.txt")] } else { Vec::new() };
    calls.extend(
        ["allowed", "denied", "unanswered"].map(|branch| real.command_of(&format!("git push origin main:{branch}"))),
    );
    let run = Run::on(Bench::new(), real, Behaviour::Calls(calls));
    run.allows_nothing();
    waits_for_nobody(&run);
    run.bench.git(&["init", "-q", "--bare", &remote(&run).display().to_string()]);
    run.bench.git(&["remote", "add", "origin", &remote(&run).display().to_string()]);
    run.bench.tidy();
    let handle = run.bench.approved();
    let plan = run.plan(&handle);
    assert_eq!(plan["rules"][0]["grade"], "asked_here", "{real:?}: {plan}");

    let begun = Instant::now();
    let mut child = run.start(&handle);
    let mut told = Told::by(&mut child);
    let first = told.next_question();
    let asked_after = begun.elapsed();
    waits(&run, first, "allowed");
    assert_eq!(run.bench.repo().join("free.txt").exists(), free, "{real:?}: what needs nobody did not happen");
    let reason = run.bench.json(&["show", &handle])["state_reason"].clone();
    assert!(reason.as_str().is_some_and(|why| why.starts_with("asks: ")), "{real:?}: {reason}");
    assert!(pushed(&run).is_empty(), "{real:?} did not wait for the answer: {:?}", pushed(&run));
    run.bench.fuda_ok(&["answer", &first.to_string(), "allow"]);

    let second = told.next_question();
    waits(&run, second, "denied");
    assert_eq!(pushed(&run), ["allowed"], "{real:?}: what a person allowed did not happen");
    // From the next question on nobody answers.
    answer_within_two_seconds(&run);
    run.bench.fuda_ok(&["answer", &second.to_string(), "deny", "--note", "not that branch"]);

    let (code, answer) = run.ended(child);
    let results = run.model.results();
    let results = &results[usize::from(free).min(results.len())..];
    let log = run.log(&answer);
    println!(
        "{real:?}: asked after {:.1} s, over after {:.1} s, exit {code:?}, {}",
        asked_after.as_secs_f64(),
        begun.elapsed().as_secs_f64(),
        answer["state"]
    );
    println!("  {:?}; pushed {:?}; outside {}", kinds(&run), pushed(&run), answer["outcome"]["outside"]);
    results.iter().for_each(|result| println!("  result {}", result.chars().take(300).collect::<String>()));
    assert_eq!((code, &answer["state"]), (Some(0), &json!("done")), "{real:?} {answer}\n{log}");
    assert_eq!(kinds(&run), ["asked", "answered", "asked", "answered", "asked", "unanswered"], "{real:?}\n{log}");
    assert_eq!(pushed(&run), ["allowed"], "{real:?}: what nobody allowed happened");
    assert_eq!(results.len(), 3, "{real:?}: {results:?}");
    let outside = answer["outcome"]["outside"].to_string();
    assert!(outside.contains("a person allowed: git push origin main:allowed"), "{real:?}: {outside}");
    for (result, why) in [(&results[1], "not that branch"), (&results[2], "Nobody answered in time.")] {
        let told = match real {
            // The Agent Client Protocol has no room for a reason, and Gemini goes on in the same turn.
            Real::Gemini => result.contains("was canceled by the user"),
            // It ends its turn there, and is told.
            Real::Qwen => run.model.asked().iter().any(|asked| asked.body.to_string().contains(why)),
            _ => result.contains(why),
        };
        assert!(told, "{real:?} was not told {why:?}: {result}");
    }
    assert!(run.bench.fuda_ok(&["--json", "questions"]).is_empty(), "{real:?}: a question is left");
    run.bench.fuda_ok(&["audit", "--verify"]);
}

#[test]
#[ignore = "installs agents from npm; cargo xtask agents"]
fn claude_code_asks_at_the_desk_and_does_what_it_is_told() {
    asks(Real::Claude);
}

#[test]
#[ignore = "installs agents from npm; cargo xtask agents"]
fn pi_asks_at_the_desk_and_does_what_it_is_told() {
    asks(Real::Pi);
}

#[test]
#[ignore = "installs agents from npm; cargo xtask agents"]
fn oh_my_pi_asks_at_the_desk_and_does_what_it_is_told() {
    asks(Real::Omp);
}

#[test]
#[ignore = "installs agents from npm; cargo xtask agents"]
fn gemini_asks_at_the_desk_and_does_what_it_is_told() {
    asks(Real::Gemini);
}

#[test]
#[ignore = "installs agents from npm; cargo xtask agents"]
fn qwen_asks_at_the_desk_and_does_what_it_is_told() {
    asks(Real::Qwen);
}
