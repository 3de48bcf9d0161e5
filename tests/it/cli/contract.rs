//! What scripts rely on: exit statuses, shapes on standard output, and what is said where.

mod support;

use serde_json::{Value, json};
use std::fs;
use std::process::Output;
use support::Bench;

fn lines(output: &Output) -> Vec<Value> {
    let text = String::from_utf8(output.stdout.clone()).expect("utf-8");
    text.lines().map(|line| serde_json::from_str(line).expect("json")).collect()
}

fn message(error: &Value) -> &str {
    error["error"]["message"].as_str().expect("a message")
}

#[test]
fn arguments_that_are_not_understood_are_told_as_json_too_when_json_was_asked_for() {
    let bench = Bench::new();
    for arguments in [&["no-such-command"][..], &["show"], &["mark", "x", "maybe"], &["list", "--no-such-flag"], &[]] {
        let error = bench.fails(2, arguments);
        assert_eq!(error["error"]["code"], "usage", "{arguments:?}: {error}");
        assert!(!message(&error).is_empty() && error["error"]["hints"].is_array(), "{error}");
    }
    let plain = bench.fuda(&["no-such-command"]);
    assert!(plain.stdout.is_empty() && !plain.stderr.is_empty());
    // Behind -- it belongs to the command that is started.
    assert!(bench.fuda(&["resume", "x", "--", "y", "--json"]).stdout.is_empty());
}

#[test]
fn a_root_is_kept_so_that_it_means_the_same_folder_from_everywhere() {
    let bench = Bench::new();
    let mut add = bench.command(&["profiles", "add", "here", "--agent", "generic", "--root", ".", "--root", "~/notes"]);
    assert!(add.current_dir(bench.repo()).status().expect("fuda").success());
    let profiles = lines(&bench.fuda(&["--json", "profiles"]));
    let roots = &profiles.iter().find(|profile| profile["name"] == "here").expect("added")["roots"];
    let here = roots[0].as_str().expect("a root");
    assert_eq!(fs::canonicalize(here).ok(), fs::canonicalize(bench.repo()).ok(), "{roots}");
    assert!(here.starts_with('/') && roots[1] == "~/notes", "{roots}");
}

#[test]
fn a_home_that_was_named_from_one_folder_is_told_so_that_others_find_it() {
    let bench = Bench::new();
    bench.tidy();
    let handle = bench.approved();
    let mut claim = bench.command(&["--json", "--home", "fuda", "claim", &handle, "--by", "worker"]);
    let output = claim.current_dir(bench.folder.path()).output().expect("fuda");
    let claimed: Value = serde_json::from_slice(&output.stdout).expect("json");
    assert!(claimed["block_path"].as_str().is_some_and(|path| path.starts_with('/')), "{claimed}");
}

#[test]
fn what_is_not_there_is_status_3_and_what_is_no_handoff_is_4() {
    let bench = Bench::new();
    bench.tidy();
    let handle = bench.approved();
    assert!(message(&bench.fails(3, &["list", "--profile", "nobody"])).contains("nobody"));
    bench.fails(3, &["edit", &handle, "--file", "/nowhere/at/all"]);
    bench.fails(3, &["purge", &"0".repeat(64)]);
    let claimed = bench.json(&["claim", &handle, "--by", "worker"]);
    let token = claimed["token"].as_str().expect("a token");
    bench.fails(3, &["finish", &handle, "--token", token, "--outcome", "done", "--log", "/nowhere/at/all"]);
    bench.fails(4, &["show", bench.repo().to_str().expect("utf-8")]);
    fs::remove_file(bench.repo().join("HANDOFF.md")).expect("removed");
    bench.fails(3, &["show", &handle]);
}

#[test]
fn only_a_whole_hash_is_purged_and_a_lease_has_a_length() {
    let bench = Bench::new();
    bench.tidy();
    let handle = bench.approved();
    let rev = bench.json(&["show", &handle])["rev"].as_str().expect("a revision").to_owned();
    assert!(message(&bench.fails(2, &["purge", &rev[..8]])).contains("64"));
    assert_eq!(bench.json(&["purge", &rev])["purged"], true);
    bench.fails(2, &["claim", &handle, "--by", "worker", "--lease", "0"]);
}

#[test]
fn a_refused_document_is_linted_and_compared_with_status_4() {
    let bench = Bench::new();
    fs::write(bench.repo().join("handoff.json"), "{\"version\": 9, \"objective\": \"x\"}").expect("written");
    let handle = bench.handle();
    assert_eq!(bench.fails(4, &["lint", &handle])["readable"], "refused");
    bench.fails(4, &["roundtrip", &handle]);
    bench.fails(4, &["convert", &handle, "--to", "json"]);
}

#[test]
fn a_converted_document_leaves_byte_for_byte() {
    let bench = Bench::new();
    bench.handoff("# Handoff\n\n## Goal\n\nKeep\u{200b}it\u{202e} as it is.\n\n## Next\n\n- go\n");
    let handle = bench.handle();
    for to in ["markdown", "json"] {
        let document = bench.fuda_ok(&["convert", &handle, "--to", to]);
        let exact = document.contains("Keep\u{200b}it\u{202e} as it is.");
        assert!(exact || document.contains("Keep\\u200bit\\u202e as it is."), "{document:?}");
    }
    let value = bench.json(&["convert", &handle, "--to", "markdown"]);
    assert!(value["document"].as_str().is_some_and(|text| text.contains("Keep\u{200b}it")), "{value}");
    assert_eq!(bench.json(&["convert", &handle, "--to", "json"])["version"], 2);
}

#[test]
fn the_whole_text_of_an_edit_comes_from_standard_input_too() {
    let bench = Bench::new();
    let path = bench.tidy();
    let handle = bench.handle();
    let text = fs::read_to_string(&path).expect("read") + "\n## Hazards\n\n- hot\n";
    let output = bench.fuda_with(&["edit", &handle, "--file", "-"], text.as_bytes());
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    assert_eq!(fs::read_to_string(&path).expect("read"), text);
}

#[test]
fn the_audit_tells_who_handed_what_to_whom_why_and_how_that_went() {
    let bench = Bench::new();
    let text = "---\nfuda: 2\nagent: claude-code\nprofile: claude-work\nmodel: m1\nsession: s1\nreason: usage limit\nresets_at: 2026-08-01T18:00:00Z\n---\n# Handoff\n## Objective\nMove ingest.\n## Remaining work\n- [ ] drain\n";
    bench.handoff(text);
    let handle = bench.handle();
    let rev = bench.json(&["show", &handle])["rev"].as_str().expect("a revision").to_owned();
    bench.fuda_ok(&["approve", &handle, "--rev", &rev, "--ack", "not_recorded"]);
    let claimed = bench.json(&["claim", &handle, "--by", "work"]);
    let switch = || {
        let audit = lines(&bench.fuda(&["--json", "audit"]));
        let at = audit.iter().position(|line| line["kind"] == "switch").expect("a switch");
        // It stands behind the event by which it happened.
        assert_eq!((&audit[at - 1]["kind"], &audit[at - 1]["seq"]), (&json!("claimed"), &audit[at]["seq"]));
        audit[at].clone()
    };
    let running = switch();
    assert_eq!(running["outcome"], Value::Null, "{running}");
    let token = claimed["token"].as_str().expect("a token");
    bench.fuda_ok(&["finish", &handle, "--token", token, "--outcome", "done"]);
    let mut ended = switch();
    assert!(ended["at"].as_str().is_some_and(|at| at.ends_with('Z')), "{ended}");
    let told = ended.as_object_mut().expect("an object");
    told.retain(|key, _| key != "at" && key != "seq");
    let expected = json!({
        "kind": "switch",
        "from": { "profile": "claude-work", "agent": "claude-code", "model": "m1", "session": "s1" },
        "to": { "profile": "work", "agent": "generic", "model": null, "session": null },
        "reason": "usage limit",
        "resets_at": "2026-08-01T18:00:00Z",
        "handoff": handle,
        "outcome": "done",
        "joined_by": "claim",
    });
    assert_eq!(ended, expected);
    let printed = bench.fuda_ok(&["audit"]);
    assert!(printed.contains("claude-work claude-code m1 → work generic, because of: usage limit; done"), "{printed}");
    assert_eq!(bench.fuda_ok(&["audit", "--since", "2100-01-01"]), "");
    assert!(message(&bench.fails(2, &["audit", "--since", "yesterday"])).contains("yesterday"));
}

#[test]
fn a_fact_that_a_person_looked_at_again_is_so_marked_in_that_tree_only() {
    let bench = Bench::new();
    bench.tidy();
    let handle = bench.handle();
    bench.fuda_ok(&["recheck", &handle, "facts/0"]);
    assert_eq!(bench.json(&["show", &handle])["rechecked"], json!(["facts/0"]));
    fs::write(bench.repo().join("queue.go"), "package queue // other\n").expect("written");
    assert_eq!(bench.json(&["show", &handle])["rechecked"], json!([]));
}

#[test]
fn an_index_that_somebody_deleted_is_made_again_by_whoever_asks_next() {
    let bench = Bench::new();
    bench.tidy();
    let handle = bench.approved();
    let database = bench.folder.path().join("fuda/index.db");
    for arguments in [&["list"][..], &["show", &handle], &["claim", &handle, "--by", "worker"]] {
        fs::remove_file(&database).expect("removed");
        assert!(bench.fuda_ok(arguments).contains(&handle), "{arguments:?}");
    }
}

#[test]
fn a_folder_is_named_from_where_the_caller_stands() {
    let bench = Bench::new();
    bench.tidy();
    let handle = bench.handle();
    let mut drift = bench.command(&["--json", "drift", &handle, "--repo", "."]);
    let output = drift.current_dir(bench.repo()).output().expect("fuda");
    let drift: Value = serde_json::from_slice(&output.stdout).expect("json");
    assert_eq!((&drift["verdict"], &drift["chosen_by"]), (&json!("same"), &json!("given")), "{drift}");
}

#[test]
fn a_profile_that_there_is_not_is_told_before_anything_else_of_a_start() {
    let bench = Bench::new();
    bench.tidy();
    let handle = bench.handle();
    assert!(message(&bench.fails(3, &["resume", &handle, "--profile", "nobody"])).contains("nobody"));
}

/// Publishes what a profile wrote about this repository.
fn published(bench: &Bench, front: &str, objective: &str) -> Value {
    let document = format!("---\nfuda: 2\nprofile: work\n{front}---\n# Handoff\n## Objective\n{objective}\n");
    let repo = bench.repo().display().to_string();
    let output = bench.fuda_with(&["--json", "publish", "--repo", &repo], document.as_bytes());
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    serde_json::from_slice(&output.stdout).expect("json")
}

#[test]
fn what_a_profile_published_is_listed_under_it_and_replaced_by_its_next_one() {
    let bench = Bench::new();
    let state = |published: &Value| {
        let handle = published["handle"].as_str().expect("a handle");
        bench.json(&["show", handle])["state"].as_str().expect("a state").to_owned()
    };
    let first = published(&bench, "", "one");
    assert_eq!(lines(&bench.fuda(&["--json", "list", "--profile", "work"])).len(), 1);
    let second = published(&bench, "", "two");
    assert_eq!((state(&first), state(&second)), ("superseded".to_owned(), "pending".to_owned()));
    // Work that is split over several receivers.
    let parent = format!("parent: {}\n", second["id"].as_str().expect("an id"));
    let parts = [published(&bench, &parent, "its first half"), published(&bench, &parent, "its second half")];
    assert_eq!(parts.each_ref().map(state), ["pending", "pending"]);
    assert_eq!(state(&second), "superseded");
}

#[test]
fn bytes_that_are_no_text_are_not_published_as_something_else() {
    let bench = Bench::new();
    let document = b"---\nfuda: 2\n---\n# Handoff\n## Objective\nMove \xff ingest.\n";
    let repo = bench.repo().display().to_string();
    let output = bench.fuda_with(&["publish", "--repo", &repo], document);
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.code() == Some(4) && said.contains("UTF-8") && said.contains("Byte 44"), "{said}");
}

#[test]
fn a_line_that_is_no_request_is_answered_and_the_next_one_is_read() {
    let bench = Bench::new();
    let asked = b"\xff\xfe\n[]\n{\"id\":1,\"op\":\"overview\"}\n";
    let answers = lines(&bench.fuda_with(&["rpc"], asked));
    let codes: Vec<_> = answers.iter().map(|answer| answer["error"]["code"].as_str()).collect();
    assert_eq!(codes, [Some("usage"), Some("usage"), None], "{answers:?}");
    assert_eq!(answers[2]["id"], 1);
}

#[test]
fn what_is_wrong_in_the_configuration_is_named_with_its_line() {
    let bench = Bench::new();
    let two = |second: &str| {
        format!("[[profile]]\nname = \"a\"\nagent = \"pi\"\nroots = [\"/tmp\"]\n\n[[profile]]\n{second}").into_bytes()
    };
    for (text, line) in [
        (b"[settings]\nx = = 1\n".to_vec(), "line 2"),
        (b"[settings]\n# \xff\n".to_vec(), "line 2"),
        (two("name = \"b\"\nagent = \"nobody\"\nroots = [\"/\"]\n"), "line 8"),
        (two("name = \"a\"\nagent = \"pi\"\nroots = [\"/\"]\n"), "line 7"),
        (two("name = \"b\"\nagent = \"pi\"\n"), "line 6"),
        (two("name = \"b\"\nagent = \"pi\"\nroots = [\"/\"]\ninclude = [\"[\"]\n"), "line 10"),
    ] {
        fs::write(bench.folder.path().join("fuda/config.toml"), &text).expect("written");
        let error = bench.fails(1, &["index"]);
        let message = message(&error);
        assert!(message.contains("config.toml") && message.contains(line), "{line}: {message}");
    }
}

#[test]
fn a_reader_that_goes_away_is_no_fault() {
    let bench = Bench::new();
    bench.tidy();
    bench.fuda_ok(&["index"]);
    for arguments in [&["list"][..], &["audit"], &["completions", "bash"], &["--help"]] {
        let (ours, theirs) = std::io::pipe().expect("a pipe");
        drop(ours);
        let output = bench.command(arguments).stdout(theirs).output().expect("fuda");
        let said = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.code() == Some(0) && said.is_empty(), "{arguments:?}: {:?} {said}", output.status);
    }
}
