//! A real process that is started from the real window, watched, told of and stopped; and a start that waits.

use crate::desktop::Desktop;
use crate::screen::until;
use crate::stage::{Desk, becomes, click, picture, program};
use serde_json::{Value, json};
use std::fs;
use std::io::Write;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

fn home(desk: &Desk) -> PathBuf {
    desk.folder.path().join("fuda")
}

fn fuda(desk: &Desk, words: &[&str]) -> Command {
    let mut command = Command::new(program("FUDA_BIN", "fuda"));
    command.args(words).env("HOME", desk.folder.path()).env("FUDA_HOME", home(desk));
    command
}

fn ask(desk: &Desk, op: &str, params: &Value) -> Value {
    let mut child =
        fuda(desk, &["rpc"]).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().expect("fuda rpc started");
    let asked = json!({ "id": 1, "op": op, "params": params });
    writeln!(child.stdin.take().expect("a pipe"), "{asked}").expect("asked");
    let output = child.wait_with_output().expect("ended");
    let lines = String::from_utf8(output.stdout).expect("utf-8");
    let last = lines.lines().last().expect("an answer");
    let answer: Value = serde_json::from_str(last).expect("JSON");
    assert!(answer["error"].is_null(), "{op}: {answer}");
    answer["result"].clone()
}

/// A profile whose agent is a script, and the handoff approved. Gives its handle.
fn approved(desk: &Desk, script: &str) -> String {
    desk.add_profile();
    if !desk.repo().join("HANDOFF.md").exists() {
        desk.handoff();
    }
    let agent = desk.folder.path().join("agent.sh");
    fs::write(&agent, format!("#!/bin/sh\n{script}\n")).expect("written");
    fs::set_permissions(&agent, fs::Permissions::from_mode(0o755)).expect("executable");
    let config = home(desk).join("config.toml");
    let text = fs::read_to_string(&config).expect("read");
    let launch = format!("name = \"work\"\nlaunch = [\"{}\"]", agent.display());
    fs::write(&config, text.replace("name = \"work\"", &launch)).expect("written");
    ask(desk, "index", &json!({}));
    let handle = ask(desk, "handoffs", &json!({ "list": "all" }))["rows"][0]["handle"].clone();
    let preview = ask(desk, "approval_preview", &json!({ "id": handle }));
    let codes: Vec<&Value> =
        preview["acknowledgements"].as_array().expect("codes").iter().map(|one| &one["code"]).collect();
    let approve = json!({ "id": handle, "rev": preview["rev"], "ack": codes, "fingerprint": preview["fingerprint"] });
    ask(desk, "approve", &approve);
    handle.as_str().expect("a handle").to_owned()
}

async fn shown(desk: &Desk) -> fantoccini::Client {
    let client = desk.window().await;
    click(&client, "[data-list='approved']").await;
    click(&client, ".row").await;
    becomes(&client, "h1", |text| text.contains("webhook queue")).await;
    client
}

#[tokio::test]
async fn a_long_command_is_started_watched_and_stopped_and_its_end_is_told_by_the_system() {
    let desktop = Desktop::new(false);
    let desk = Desk::on_bus(&desktop.address);
    let child = desk.folder.path().join("child");
    let handle = approved(
        &desk,
        &format!(
            "cat > /dev/null; echo reads the block; sleep 600 & echo $! > {}; echo later >> queue.go; wait",
            child.display()
        ),
    );
    let client = shown(&desk).await;
    click(&client, "[data-action='resume']").await;
    becomes(&client, "[data-argv]", |text| text.contains("agent.sh")).await;
    picture(&client, "run-before.png").await;
    click(&client, "[data-action='start']").await;
    becomes(&client, ".doc-h [data-state]", |text| text.contains("Running")).await;
    becomes(&client, "[data-section='log']", |text| text.contains("reads the block")).await;
    becomes(&client, "[data-since-start]", |text| text.contains("modified: queue.go")).await;
    picture(&client, "run-running.png").await;
    let pid = fs::read_to_string(&child).expect("the process").trim().to_owned();
    assert!(Path::new("/proc").join(&pid).exists(), "it runs");

    click(&client, "[data-list='all']").await;
    click(&client, "[data-action='stop-run']").await;
    becomes(&client, "[data-outcome]", |text| text.to_lowercase().contains("stopped")).await;
    until("the end of the whole group", || !Path::new("/proc").join(&pid).exists());
    picture(&client, "run-stopped.png").await;
    let notice = desktop.notice("webhook queue");
    assert_eq!(notice.title, "Run ended: stopped");
    assert_eq!(notice.actions.first().map(String::as_str), Some("default"), "{notice:?}");
    let run = ask(&desk, "run", &json!({ "id": handle }));
    assert_eq!(run["state"], "stopped", "{run}");

    click(&client, "[data-view='settings']").await;
    becomes(&client, "[data-pane='settings']", |text| text.contains("Notifications of runs")).await;
    desktop.click(&notice);
    becomes(&client, "h1", |text| text.contains("webhook queue")).await;
    client.close().await.expect("closed");
}

/// Ends with the test.
struct Ends(Child);

impl Drop for Ends {
    fn drop(&mut self) {
        // It may have ended by itself.
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// The process that attends the start that waits.
fn supervisor(desk: &Desk) -> Option<String> {
    let supervises = |process: &Path| {
        fs::read(process.join("cmdline")).is_ok_and(|words| words.ends_with(b"\0supervise\0"))
            && fs::read_link(process.join("cwd")).is_ok_and(|folder| folder == home(desk))
    };
    let all = fs::read_dir("/proc").expect("/proc").flatten().map(|entry| entry.path());
    let found = all.into_iter().find(|process| supervises(process))?;
    Some(found.file_name()?.to_string_lossy().into_owned())
}

/// A handoff whose writer's limit resets in so many seconds.
fn limited(desk: &Desk, seconds: u64) {
    desk.handoff();
    let path = desk.repo().join("HANDOFF.md");
    let at = std::time::SystemTime::now() + std::time::Duration::from_secs(seconds);
    let seconds = at.duration_since(std::time::UNIX_EPOCH).expect("after 1970").as_secs();
    let at = Command::new("date").args(["-u", "-d", &format!("@{seconds}"), "+%Y-%m-%dT%H:%M:%SZ"]).output();
    let at = String::from_utf8(at.expect("date").stdout).expect("utf-8");
    let text = fs::read_to_string(&path).expect("read");
    fs::write(&path, format!("---\nresets_at: {}\n---\n{text}", at.trim())).expect("written");
}

/// The program without a window, on a session bus.
fn in_background(desk: &Desk, desktop: &Desktop) -> Ends {
    let mut app = Command::new(program("FUDA_APP", "fuda-app"));
    app.arg("--background")
        .env("HOME", desk.folder.path())
        .env("FUDA_HOME", home(desk))
        .env("DBUS_SESSION_BUS_ADDRESS", &desktop.address)
        .env("NO_AT_BRIDGE", "1")
        .env("XDG_CACHE_HOME", desk.folder.path().join("k"))
        .env("XDG_DATA_HOME", desk.folder.path().join("d"));
    Ends(app.stdout(Stdio::null()).stderr(Stdio::null()).spawn().expect("fuda-app"))
}

#[tokio::test]
async fn a_start_whose_program_ended_is_taken_up_in_the_background_and_its_end_is_told() {
    let desktop = Desktop::new(true);
    let desk = Desk::on_bus(&desktop.address);
    limited(&desk, 9);
    let handle = approved(&desk, "cat > /dev/null; echo worked");
    ask(&desk, "start", &json!({ "id": handle, "profile": "work", "at_reset": true }));
    let first = supervisor(&desk).expect("a supervisor");
    assert!(Command::new("kill").args(["-KILL", &first]).status().expect("kill").success());
    until("nobody attends it", || ask(&desk, "run", &json!({ "id": handle }))["start"]["state"] == "unattended");
    let _app = in_background(&desk, &desktop);
    let notice = desktop.notice("webhook queue");
    assert_eq!(notice.title, "Run ended: done", "{notice:?}");
    let events = ask(&desk, "history", &json!({ "id": handle }));
    let claimed = events.as_array().expect("events").iter().filter(|event| event["kind"] == "claimed").count();
    assert_eq!(claimed, 1, "{events}");
}

#[tokio::test]
async fn what_an_agent_asks_is_told_by_the_system_and_answered_in_the_window() {
    let desktop = Desktop::new(false);
    let desk = Desk::on_bus(&desktop.address);
    let answer = desk.folder.path().join("answer");
    let question = "{\"tool\":\"bash\",\"what\":\"git push origin main\"}";
    let fuda = program("FUDA_BIN", "fuda");
    let script =
        format!("cat > /dev/null; echo '{question}' | {} ask > {}; echo asked", fuda.display(), answer.display());
    let handle = approved(&desk, &script);
    let client = shown(&desk).await;
    click(&client, "[data-action='resume']").await;
    becomes(&client, "[data-argv]", |text| text.contains("agent.sh")).await;
    click(&client, "[data-action='start']").await;
    let notice = desktop.notice("webhook queue");
    assert_eq!(notice.title, "The agent asks you", "{notice:?}");
    assert!(notice.text.contains("bash: git push origin main"), "{notice:?}");

    click(&client, "[data-view='settings']").await;
    becomes(&client, "[data-pane='settings']", |text| text.contains("Notifications of runs")).await;
    desktop.click(&notice);
    becomes(&client, "[data-question]", |text| text.contains("git push origin main")).await;
    assert!(fs::read(&answer).expect("opened by the agent").is_empty(), "it waits");
    click(&client, "[data-action='allow']").await;
    let ended = desktop.notice("webhook queue");
    assert_eq!(ended.title, "Run ended: done", "{ended:?}");
    let told: Value = serde_json::from_slice(&fs::read(&answer).expect("read")).expect("JSON");
    assert_eq!(told["allow"], true, "{told}");
    let events = events_of(&desk, &handle);
    assert_eq!(events.iter().filter(|kind| *kind == "answered").count(), 1, "{events:?}");
    client.close().await.expect("closed");
}

#[tokio::test]
async fn a_start_that_waited_and_was_not_begun_is_told_by_the_system() {
    let desktop = Desktop::new(true);
    let desk = Desk::on_bus(&desktop.address);
    limited(&desk, 6);
    let handle = approved(&desk, "cat > /dev/null; touch begun");
    let _app = in_background(&desk, &desktop);
    desktop.icon();
    ask(&desk, "start", &json!({ "id": handle, "profile": "work", "at_reset": true }));
    // What was approved is no longer what is there.
    fs::write(desk.repo().join("queue.go"), "package queue\n\nvar other = 1\n").expect("written");
    let notice = desktop.notice("webhook queue");
    assert_eq!(notice.title, "A start that waited was not begun", "{notice:?}");
    assert!(notice.text.contains("queue.go"), "{notice:?}");
    assert!(!desk.repo().join("begun").exists());
    let kinds = events_of(&desk, &handle);
    assert!(!kinds.iter().any(|kind| kind == "claimed"), "{kinds:?}");
}

/// The kinds of the events of a handoff.
fn events_of(desk: &Desk, handle: &str) -> Vec<String> {
    let events = ask(desk, "history", &json!({ "id": handle }));
    let kinds = events.as_array().expect("events").iter().map(|event| event["kind"].as_str().unwrap_or_default());
    kinds.map(str::to_owned).collect()
}
