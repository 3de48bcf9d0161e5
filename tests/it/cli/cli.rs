//! The command line end to end: real files, real git, real databases.

mod support;

use serde_json::Value;
use std::fs;
use std::path::Path;
use std::process::Command;
use support::Bench;

#[test]
fn a_handoff_is_found_shown_and_compared() {
    let bench = Bench::new();
    bench.tidy();
    let index = bench.json(&["index"]);
    assert_eq!((index["handoffs"].as_u64(), index["problems"].as_array().map(Vec::len)), (Some(1), Some(0)));
    let handle = bench.handle();
    let show = bench.json(&["show", &handle]);
    assert_eq!(show["objective"], "Move ingest to the queue.");
    assert_eq!(show["next"][0]["text"], "Drain in `queue.go`");
    assert_eq!(show["safety"]["ask"][0]["text"], "Pushing");
    let text = fs::read(bench.repo().join("HANDOFF.md")).expect("read");
    let span = &show["next"][0]["span"];
    let slice = &text[span[0].as_u64().expect("from") as usize..span[1].as_u64().expect("to") as usize];
    assert_eq!(std::str::from_utf8(slice).expect("utf-8"), "Drain in `queue.go`");
    let drift = bench.json(&["drift", &handle]);
    assert_eq!(
        (drift["verdict"].as_str(), drift["relation"].as_str(), drift["ahead"].as_u64()),
        (Some("same"), Some("same"), Some(0)),
        "{drift:#}"
    );
    fs::write(bench.repo().join("queue.go"), "package queue\n\nfunc Drain() {}\n").expect("written");
    bench.git(&["commit", "-q", "-am", "queue: drain"]);
    let drift = bench.json(&["drift", &handle]);
    assert_eq!((drift["verdict"].as_str(), drift["ahead"].as_u64()), (Some("moved_on"), Some(1)));
    assert_eq!(drift["contended"][0], "queue.go");
    assert!(
        drift["freshness"]
            .as_array()
            .expect("a list")
            .iter()
            .any(|fresh| fresh["item"] == "facts/0" && fresh["state"] == "touched")
    );
}

#[test]
fn an_approval_binds_and_lapses() {
    let bench = Bench::new();
    bench.tidy();
    let handle = bench.handle();
    let rev = bench.json(&["show", &handle])["rev"].as_str().expect("a revision").to_owned();
    bench.fails(6, &["approve", &handle, "--rev", "0000000000"]);
    let approved = bench.json(&["approve", &handle, "--rev", &rev]);
    assert_eq!(approved["state"], "approved");
    // Harmless: committing the handoff itself, git status, touching.
    bench.git(&["add", "HANDOFF.md"]);
    bench.git(&["commit", "-q", "-m", "handoff"]);
    bench.git(&["status"]);
    assert_eq!(bench.json(&["show", &handle])["state"], "approved");
    // Not harmless: the file changes.
    bench.fuda_ok(&["edit", &handle, "--set", "safety.ask+=Spending"]);
    let show = bench.json(&["show", &handle]);
    assert_eq!(show["state"], "pending");
    assert!(show["state_reason"].as_str().expect("a reason").starts_with("lapsed"), "{show:#}");
    // Going back to the earlier bytes does not revive it.
    bench.tidy_again(&rev);
    assert_eq!(bench.json(&["show", &handle])["state"], "pending");
    assert_eq!(bench.json(&["audit", "--verify"])["ok"], true);
}

impl Bench {
    fn tidy_again(&self, rev: &str) {
        let kept = self.folder.path().join("fuda/blobs").join(&rev[..2]).join(rev);
        fs::copy(kept, self.repo().join("HANDOFF.md")).expect("the bytes are kept");
    }
}

#[test]
fn missing_acknowledgements_are_listed_and_taken() {
    let bench = Bench::new();
    bench.handoff("# Handoff\n\n## Goal\n\nGo on\u{200b}.\n\n## Next\n\n- go\n\n## Odd\n\nSomething else.\n");
    let handle = bench.handle();
    let rev = bench.json(&["show", &handle])["rev"].as_str().expect("a revision").to_owned();
    let error = bench.fails(5, &["approve", &handle, "--rev", &rev]);
    let codes: Vec<&str> =
        error["error"]["details"]["codes"].as_array().expect("codes").iter().filter_map(Value::as_str).collect();
    assert_eq!(error["error"]["code"], "acknowledge");
    assert!(
        codes.contains(&"not_recorded") && codes.contains(&"hidden_content") && codes.contains(&"extra"),
        "{codes:?}"
    );
    let mut arguments = vec!["approve", &handle, "--rev", &rev, "--ack"];
    arguments.extend(&codes);
    assert_eq!(bench.json(&arguments)["state"], "approved");
}

#[test]
fn decisions_follow_the_states() {
    let bench = Bench::new();
    bench.tidy();
    let handle = bench.handle();
    assert_eq!(bench.json(&["skip", &handle])["state"], "skipped");
    bench.fails(5, &["stop", &handle]);
    assert_eq!(bench.json(&["reopen", &handle])["state"], "pending");
    let returned = bench.json(&["return", &handle, "--note", "say why"]);
    assert_eq!((returned["state"].as_str(), returned["state_reason"].as_str()), (Some("returned"), Some("say why")));
    assert_eq!(bench.json(&["mark", &handle, "done"])["state"], "done");
    bench.fails(3, &["show", "nothing-like-it"]);
    bench.fails(2, &["mark", &handle, "maybe"]);
}

#[test]
fn refused_and_incomplete_documents_are_shown_and_never_approved() {
    let bench = Bench::new();
    fs::write(bench.repo().join("handoff.json"), "{\"version\": 9, \"objective\": \"x\"}").expect("written");
    let handle = bench.handle();
    let shown = bench.fails(4, &["show", &handle]);
    assert_eq!((shown["readable"].as_str(), shown["objective"].as_str()), (Some("refused"), Some("x")));
    assert!(shown["readable_reason"].as_str().expect("a reason").contains('9'));
    bench.fails(4, &["approve", &handle, "--rev", shown["rev"].as_str().expect("a revision")]);
    bench.fails(4, &["render", &handle]);
}

#[test]
fn an_edit_on_an_older_revision_is_refused_with_both_kept() {
    let bench = Bench::new();
    let path = bench.tidy();
    let handle = bench.handle();
    let rev = bench.json(&["show", &handle])["rev"].as_str().expect("a revision").to_owned();
    bench.fails(2, &["edit", &handle, "--set", "next/0=Other"]);
    fs::write(&path, fs::read_to_string(&path).expect("read") + "\n## Hazards\n\n- new\n").expect("saved by another");
    bench.fails(6, &["edit", &handle, "--base", &rev, "--set", "next/0=Other"]);
    assert!(fs::read_to_string(&path).expect("read").contains("- new"));
    let now = bench.json(&["show", &handle])["rev"].as_str().expect("a revision").to_owned();
    let before = fs::read_to_string(&path).expect("read");
    bench.fuda_ok(&["edit", &handle, "--base", &now, "--set", "next/0=Other", "--set", "next/0.state=in_progress"]);
    assert_eq!(fs::read_to_string(&path).expect("read"), before.replace("- [ ] Drain in `queue.go`", "- [~] Other"));
}

#[test]
fn an_agent_does_not_approve() {
    let bench = Bench::new();
    bench.tidy();
    let handle = bench.handle();
    let rev = bench.json(&["show", &handle])["rev"].as_str().expect("a revision").to_owned();
    let output = Command::new(assert_cmd::cargo::cargo_bin!("fuda"))
        .args(["approve", &handle, "--rev", &rev])
        .env_clear()
        .env("HOME", bench.folder.path())
        .env("FUDA_HOME", bench.folder.path().join("fuda"))
        .env("CLAUDECODE", "1")
        .output()
        .expect("fuda");
    assert_eq!(output.status.code(), Some(5));
    assert!(String::from_utf8_lossy(&output.stderr).contains("Claude Code"));
}

#[test]
fn nothing_raw_reaches_a_terminal() {
    let bench = Bench::new();
    bench.handoff("# Handoff: \u{1b}[2J\u{1b}]0;owned\u{7}\n\n## Next\n\n- \u{202e}evil\u{9b}31m\n");
    let handle = bench.handle();
    for arguments in [&["list"][..], &["show", &handle], &["render", &handle]] {
        let output = bench.fuda(arguments);
        for stream in [&output.stdout, &output.stderr] {
            let text = String::from_utf8_lossy(stream);
            assert!(
                !text.chars().any(|c| (c.is_control() && c != '\n' && c != '\t') || c == '\u{202e}'),
                "{arguments:?}: {text:?}"
            );
        }
    }
}

#[test]
fn operations_are_served_as_json_lines() {
    use std::io::Write;
    let bench = Bench::new();
    let mut child = Command::new(assert_cmd::cargo::cargo_bin!("fuda"))
        .arg("rpc")
        .env("HOME", bench.folder.path())
        .env("FUDA_HOME", bench.folder.path().join("fuda"))
        .stdin(std::process::Stdio::piped())
        .stdout(std::process::Stdio::piped())
        .spawn()
        .expect("fuda");
    child
        .stdin
        .take()
        .expect("input")
        .write_all(b"{\"id\":1,\"op\":\"overview\",\"params\":{}}\nnonsense\n{\"id\":2,\"op\":\"no\"}\n")
        .expect("written");
    let output = child.wait_with_output().expect("ended");
    let lines: Vec<Value> =
        String::from_utf8_lossy(&output.stdout).lines().map(|line| serde_json::from_str(line).expect("json")).collect();
    assert_eq!((lines[0]["id"].as_u64(), lines[0]["result"]["profiles"][0]["name"].as_str()), (Some(1), Some("work")));
    assert_eq!(
        (lines[1]["error"]["code"].as_str(), lines[2]["error"]["code"].as_str()),
        (Some("usage"), Some("usage"))
    );
}

#[test]
fn a_file_outside_every_profile_is_shown() {
    let bench = Bench::new();
    let path = bench.folder.path().join("loose.md");
    fs::write(&path, "# Handoff\n\n## Next\n\n- go on\n").expect("written");
    let shown = bench.json(&["show", path.to_str().expect("utf-8")]);
    assert_eq!(shown["next"][0]["text"], "go on");
    assert!(Path::new(shown["path"].as_str().expect("a path")).ends_with("loose.md"));
}

#[test]
fn a_foreign_save_is_shown_against_what_the_edit_began_from() {
    use std::io::Write;
    let bench = Bench::new();
    let path = bench.tidy();
    let handle = bench.handle();
    let rev = bench.json(&["show", &handle])["rev"].as_str().expect("a revision").to_owned();
    let mut child = Command::new(assert_cmd::cargo::cargo_bin!("fuda"))
        .arg("rpc")
        .env("HOME", bench.folder.path().join("person"))
        .env("FUDA_HOME", bench.folder.path().join("fuda"))
        .stdin(std::process::Stdio::piped())
        .stdout(std::process::Stdio::piped())
        .spawn()
        .expect("fuda");
    let ask = serde_json::json!({ "id": 1, "op": "edit_preview", "params": { "id": handle, "base": rev, "edits": ["next/0=Other"] } });
    child.stdin.take().expect("input").write_all(format!("{ask}\n").as_bytes()).expect("written");
    assert!(String::from_utf8_lossy(&child.wait_with_output().expect("ended").stdout).contains("\"conflict\":null"));
    fs::write(&path, fs::read_to_string(&path).expect("read") + "- new\n").expect("saved by another");
    let error = bench.fails(6, &["edit", &handle, "--base", &rev, "--set", "next/0=Other"]);
    let theirs = &error["error"]["details"]["conflict"]["theirs_diff"];
    assert_eq!((theirs["added"].as_u64(), theirs["removed"].as_u64()), (Some(1), Some(0)), "{error:#}");
}

#[test]
fn doctor_says_which_profile_reads_which_place_by_really_reading() {
    let bench = Bench::new();
    bench.tidy();
    let other = bench.folder.path().join("other");
    std::fs::create_dir(&other).expect("made");
    bench.fuda_ok(&["profiles", "add", "away", "--agent", "generic", "--root", other.to_str().expect("utf-8")]);
    bench.fuda_ok(&["profiles", "add", "gone", "--agent", "generic", "--root", "/nowhere/at/all"]);
    bench.fuda_ok(&["index"]);
    // A profile whose folder is not there is an error of this installation.
    let doctor = bench.fails(1, &["doctor"]);
    let places: Vec<&str> =
        doctor["readers"]["places"].as_array().expect("places").iter().filter_map(|one| one["name"].as_str()).collect();
    assert_eq!(places, ["work", "away", "gone", "tidewatch", "shared"]);
    let states = |reader: usize| -> Vec<String> {
        let cells = doctor["readers"]["readers"][reader]["cells"].as_array().expect("cells");
        cells.iter().filter_map(|cell| cell["state"].as_str().map(str::to_owned)).collect()
    };
    assert_eq!(states(0), ["read_write", "no", "no", "read_write", "no"], "{doctor}");
    assert_eq!(states(1), ["no", "read_write", "no", "no", "no"], "{doctor}");
    assert_eq!(states(2), ["no", "no", "fails", "no", "no"], "{doctor}");
    let printed = String::from_utf8(bench.fuda(&["doctor"]).stdout).expect("utf-8");
    assert!(printed.contains("tidewatch (repository)"), "{printed}");
}
