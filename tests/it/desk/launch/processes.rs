//! Real processes: small scripts that read what they are given and print what agents print.

use crate::support::{Person, keeper, stream};
use desk::launch::{Ended, Plan, Reported, Running, Signal, start};
use std::fs;
use std::io::Read;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

const CANARY: &str = "CANARY-b71f";
const GRACE: Duration = Duration::from_millis(400);

fn begin(person: &Person, agent: &str, script: &str, deliver: Option<&str>) -> (Plan, Running) {
    let program = person.script(if agent == "generic" { "own-agent" } else { agent }, script);
    let plan = person.plan_delivered(agent, &[&program], deliver).expect("a plan");
    let running = start(&plan, block().as_bytes(), &keeper(), 1_796_103_840_000, GRACE).expect("a start");
    (plan, running)
}

fn block() -> String {
    format!("block begins\n{CANARY}\n{}block ends\n", "x".repeat(200_000))
}

fn run(person: &Person, agent: &str, script: &str) -> Ended {
    begin(person, agent, script, None).1.watch(&mut |_| {}, &|| false)
}

/// Waits for something that another process does. Fails after ten seconds.
fn until(what: &str, mut is: impl FnMut() -> bool) {
    let began = Instant::now();
    while !is() {
        assert!(began.elapsed() < Duration::from_secs(10), "{what} did not happen");
        std::thread::yield_now();
    }
}

fn alive(pid: u32) -> bool {
    let stat = fs::read_to_string(format!("/proc/{pid}/stat")).unwrap_or_default();
    stat.rsplit(')').next().is_some_and(|rest| !rest.trim_start().starts_with(['Z', 'X']) && !rest.is_empty())
}

fn number(path: &Path) -> u32 {
    let mut found = 0;
    until("a number in a file", || {
        found = fs::read_to_string(path).ok().and_then(|text| text.trim().parse().ok()).unwrap_or(0);
        found != 0
    });
    found
}

#[test]
fn the_block_arrives_whole_from_its_beginning_and_cannot_be_changed() {
    let person = Person::new();
    let ended = run(
        &person,
        "generic",
        "#!/bin/sh\ncat > got\ncat /proc/self/fd/0 > again\necho changed > /proc/self/fd/0 || echo sealed > sealed\npwd > where; echo \"$PWD\" >> where\n",
    );
    let got = |name: &str| fs::read_to_string(person.folder.join(name)).expect(name);
    assert_eq!(got("got"), block());
    assert_eq!(got("again"), block(), "it is a file, so it can be read once more");
    assert!(person.folder.join("sealed").exists(), "writing is refused");
    let folder = person.folder.display();
    assert_eq!(got("where"), format!("{folder}\n{folder}\n"));
    assert_eq!((ended.exit_code, ended.outcome()), (Some(0), "done"));
    assert_eq!(ended.reported, Reported::Nothing);
}

#[test]
fn an_interactive_agent_finds_a_copy_that_only_its_owner_can_read() {
    let person = Person::new();
    let script = "#!/bin/sh\ncat \"$1\" > got\nstat -c %a \"$1\" > mode\nstat -c %a \"$(dirname \"$1\")\" >> mode\n";
    let (plan, running) = begin(&person, "generic", script, Some("path"));
    running.watch(&mut |_| {}, &|| false);
    assert_eq!(fs::read_to_string(person.folder.join("got")).expect("the copy"), block());
    assert_eq!(fs::read_to_string(person.folder.join("mode")).expect("modes"), "400\n700\n");
    assert!(plan.run_folder.join("agent.log").exists());
}

#[test]
fn no_word_of_the_document_shows_in_arguments_environment_descriptors_or_names() {
    let mut person = Person::new().never(&[&format!("Do not touch {CANARY}/"), &format!("Never run `{CANARY} --now`")]);
    person.safety.ask = person.safety.never.clone();
    // What the test runner itself hands down open is not ours.
    let links = |process: &str| -> Vec<String> {
        let open = fs::read_dir(format!("/proc/{process}/fd")).expect("descriptors").flatten();
        open.map(|entry| fs::read_link(entry.path()).map(|path| path.display().to_string()).unwrap_or_default())
            .collect()
    };
    let before = links(&parent_of(std::process::id()).to_string());
    for agent in ["claude", "codex", "pi", "omp", "gemini", "qwen", "opencode", "goose", "amp"] {
        let script = "#!/bin/sh\necho \"$$\" > pid.part; mv pid.part pid\nsleep 60\n";
        let profile = if agent == "claude" { "claude-code" } else { agent };
        let program = person.script(agent, script);
        let mut words: Vec<String> = desk::launch::Agent::named(profile).default_command();
        words[0] = program;
        let words: Vec<&str> = words.iter().map(String::as_str).collect();
        let plan = person.plan(profile, &words).expect("a plan");
        let running = start(&plan, block().as_bytes(), &keeper(), 0, GRACE).expect("a start");
        let pid = number(&person.folder.join("pid"));
        assert_eq!(pid, running.process().pid, "the agent itself is what was started, no shell above it");
        let mut shown = String::new();
        for process in [pid, parent_of(pid), std::process::id()] {
            for file in ["cmdline", "environ", "comm"] {
                let bytes = fs::read(format!("/proc/{process}/{file}")).expect("its file");
                shown.push_str(&String::from_utf8_lossy(&bytes));
            }
            if process == std::process::id() {
                continue;
            }
            for entry in fs::read_dir(format!("/proc/{process}/fd")).expect("its descriptors").flatten() {
                shown.push_str(&fs::read_link(entry.path()).map(|path| path.display().to_string()).unwrap_or_default());
                shown.push('\n');
            }
        }
        for entry in fs::read_dir(&plan.run_folder).expect("the run folder").flatten() {
            shown.push_str(&entry.file_name().to_string_lossy());
        }
        assert!(!shown.contains(CANARY), "{agent}: {shown}");
        let open = fs::read_dir(format!("/proc/{pid}/fd")).expect("descriptors").flatten();
        let inherited: Vec<String> = open
            .filter(|entry| entry.file_name().to_string_lossy().parse::<u32>().is_ok_and(|fd| fd > 2))
            .map(|entry| fs::read_link(entry.path()).map(|path| path.display().to_string()).unwrap_or_default())
            .filter(|path| !path.is_empty() && !path.contains(agent) && !before.contains(path))
            .collect();
        assert!(inherited.is_empty(), "{agent} has more open than its three streams: {inherited:?}");
        drop(running);
        until("the end of the agent", || !alive(pid));
        fs::remove_file(person.folder.join("pid")).expect("the pid");
        fs::remove_dir_all(&plan.run_folder).expect("the run folder");
    }
}

fn parent_of(pid: u32) -> u32 {
    let stat = fs::read_to_string(format!("/proc/{pid}/stat")).expect("its stat");
    stat.rsplit(')').next().and_then(|rest| rest.split_whitespace().nth(1)?.parse().ok()).expect("a parent")
}

#[test]
fn an_exit_status_of_zero_is_no_success_where_the_stream_says_otherwise() {
    for (agent, fixture, exit, outcome) in [
        ("codex", "codex.jsonl", 0, "done"),
        ("codex", "codex-limit.jsonl", 1, "failed"),
        ("pi", "pi.jsonl", 0, "done"),
        ("pi", "pi-limit.jsonl", 0, "failed"),
        ("qwen", "qwen-empty.jsonl", 0, "failed"),
        ("gemini", "gemini-limit.jsonl", 1, "failed"),
    ] {
        let person = Person::new();
        let script = format!("#!/bin/sh\ncat > /dev/null\ncat '{}'\nexit {exit}\n", stream(fixture).display());
        let program = person.script(agent, &script);
        let mut words = desk::launch::Agent::named(agent).default_command();
        words[0] = program;
        let words: Vec<&str> = words.iter().map(String::as_str).collect();
        let plan = person.plan(agent, &words).expect("a plan");
        let running = start(&plan, b"block", &keeper(), 1_796_103_840_000, GRACE).expect("a start");
        let mut told = Vec::new();
        let ended = running.watch(&mut |signal| told.push(signal.clone()), &|| false);
        assert_eq!((ended.exit_code, ended.outcome()), (Some(exit), outcome), "{fixture}: {ended:?}");
        assert_eq!(ended.limit.is_some(), fixture.contains("limit"), "{fixture}");
        assert_eq!(told.first(), Some(&Signal::Life));
        assert!(ended.first_sign_ms.is_some() && ended.session.is_some_and(|session| session.id.is_some()));
        assert_eq!(fs::read(&ended.log).expect("the log"), fs::read(stream(fixture)).expect("the fixture"));
    }
}

#[test]
fn a_start_that_differs_from_the_plan_is_stopped() {
    let person = Person::new().never(&["Read only"]);
    let line =
        r#"{"type":"system","subtype":"init","session_id":"s","permissionMode":"default","tools":["Read","Bash"]}"#;
    let program = person.script("claude", &format!("#!/bin/sh\necho '{line}'\nsleep 60\necho late > late\n"));
    let plan = person.plan("claude-code", &[&program, "-p"]).expect("a plan");
    let running = start(&plan, b"block", &keeper(), 0, GRACE).expect("a start");
    let pid = running.process().pid;
    let ended = running.watch(&mut |_| {}, &|| false);
    assert!(ended.mismatch.as_deref().is_some_and(|found| found.contains("Bash")), "{ended:?}");
    assert_eq!(ended.outcome(), "stopped");
    assert!(!alive(pid) && !person.folder.join("late").exists());
}

#[test]
fn stopping_is_gentle_first_and_firm_for_what_does_not_listen() {
    let gentle = Person::new();
    let script = "#!/bin/sh\ntrap 'echo bye > bye; exit 143' TERM\necho ready\nwhile :; do sleep 0.05; done\n";
    let (_, running) = begin(&gentle, "generic", script, None);
    let stopper = running.stopper();
    let ended = running.watch(&mut |_| stopper.stop(), &|| false);
    assert!(ended.stopped && ended.exit_code == Some(143), "{ended:?}");
    assert!(gentle.folder.join("bye").exists(), "it could say goodbye");
    assert_eq!(ended.outcome(), "stopped");

    let deaf = Person::new();
    let script = "#!/bin/sh\ntrap '' TERM\nsh -c 'trap \"\" TERM; echo $$ > child; while :; do sleep 0.05; done' &\necho ready\nwhile :; do sleep 0.05; done\n";
    let (_, running) = begin(&deaf, "generic", script, None);
    let (pid, child) = (running.process().pid, number(&deaf.folder.join("child")));
    let ended = running.watch(&mut |_| {}, &|| true);
    assert_eq!((ended.stopped, ended.signal), (true, Some(9)), "{ended:?}");
    assert!(!alive(pid) && !alive(child), "the whole group is ended");
}

#[test]
fn what_an_agent_leaves_behind_is_ended_with_it() {
    let person = Person::new();
    let script = "#!/bin/sh\nsleep 300 &\necho $! > in-group\nsetsid sh -c 'echo $$ > own-session; exec sleep 300' &\nwhile [ ! -s own-session ]; do sleep 0.02; done\n";
    let ended = run(&person, "generic", script);
    assert_eq!(ended.exit_code, Some(0), "{ended:?}");
    for name in ["in-group", "own-session"] {
        assert!(!alive(number(&person.folder.join(name))), "{name} is still there");
    }
}

#[test]
fn a_kill_from_elsewhere_leaves_an_interrupted_run() {
    let person = Person::new();
    let (_, running) = begin(&person, "generic", "#!/bin/sh\necho ready\nkill -9 $$\n", None);
    let ended = running.watch(&mut |_| {}, &|| false);
    assert_eq!((ended.signal, ended.outcome()), (Some(9), "interrupted"), "{ended:?}");

    let keeperless = Person::new();
    let (_, running) = begin(&keeperless, "generic", "#!/bin/sh\necho $$ > pid\nsleep 300\n", None);
    let pid = number(&keeperless.folder.join("pid"));
    let process = running.process().clone();
    assert!(process.is_alive());
    Command::new("kill").args(["-9", &parent_of(pid).to_string()]).status().expect("kill");
    let ended = running.watch(&mut |_| {}, &|| false);
    assert!(ended.lost, "{ended:?}");
    assert_eq!(ended.outcome(), "interrupted");
    until("the end of the agent", || !alive(pid));
    assert!(!process.is_alive(), "a number alone would not tell");
}

/// The supervisor in the next test: this very test program, started again.
#[test]
fn supervisor_for_another_test() {
    let Some(root) = std::env::var_os("LAUNCH_TEST_SUPERVISOR") else { return };
    std::env::set_current_dir(&root).expect("its folder");
    let person = Person::new();
    let script = format!(
        "#!/bin/sh\nsh -c 'echo $$ > {0}/child.part; mv {0}/child.part {0}/child; exec sleep 300' &\necho $$ > {0}/agent.part; mv {0}/agent.part {0}/agent\nsleep 300\n",
        Path::new(&root).display()
    );
    let (_, running) = begin(&person, "generic", &script, None);
    running.watch(&mut |_| {}, &|| false);
}

#[test]
fn a_killed_supervisor_leaves_no_runner() {
    let root = tempfile::tempdir().expect("a folder");
    let mut supervisor = Command::new(std::env::current_exe().expect("this test"))
        .args(["--exact", "processes::supervisor_for_another_test"])
        .env("LAUNCH_TEST_SUPERVISOR", root.path())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .expect("a supervisor");
    let agent = number(&root.path().join("agent"));
    let child = number(&root.path().join("child"));
    supervisor.kill().expect("the kill");
    supervisor.wait().expect("its end");
    until("the end of the agent", || !alive(agent));
    until("the end of its child", || !alive(child));
}

#[test]
fn a_program_that_is_not_there_is_named_and_nothing_is_started() {
    let person = Person::new();
    let plan = person.plan("generic", &["no-such-agent-at-all"]).expect("a plan");
    let error = start(&plan, b"block", &keeper(), 0, GRACE).expect_err("no start");
    assert!(error.to_string().contains("no-such-agent-at-all"), "{error}");
    assert_eq!(error.code(), "launch");
    assert!(!plan.run_folder.exists());
}

#[test]
fn output_of_both_kinds_is_kept_for_its_owner_only() {
    let person = Person::new();
    let ended = run(&person, "generic", "#!/bin/sh\necho out\necho 'err: it went wrong' >&2\nexit 3\n");
    let mut log = String::new();
    fs::File::open(&ended.log).and_then(|mut file| file.read_to_string(&mut log)).expect("the log");
    assert!(log.contains("out\n") && log.contains("err: it went wrong\n"));
    assert_eq!(ended.last_words, "err: it went wrong\n");
    assert_eq!((ended.exit_code, ended.outcome()), (Some(3), "failed"));
    use std::os::unix::fs::PermissionsExt;
    let mode = fs::metadata(&ended.log).expect("the log").permissions().mode();
    assert_eq!(mode & 0o777, 0o600);
}
