//! What is wrong with an installation is named with what to do, and the log can be given away.

mod support;

use serde_json::Value;
use std::fs;
use std::os::unix::fs::{MetadataExt, PermissionsExt, chown};
use std::os::unix::process::CommandExt;
use std::process::Command;
use support::Bench;

fn check(bench: &Bench, name: &str) -> Value {
    // It ends with 1 when a check is an error; what it prints is the same.
    let doctor: Value = serde_json::from_slice(&bench.fuda(&["--json", "doctor"]).stdout).expect("json");
    let checks = doctor["checks"].as_array().expect("checks").clone();
    checks.into_iter().find(|check| check["name"] == name).unwrap_or_else(|| panic!("no check {name}: {doctor}"))
}

#[test]
fn a_broken_configuration_is_named_with_its_line() {
    let bench = Bench::new();
    fs::write(bench.folder.path().join("fuda/config.toml"), "[settings]\nlease_seconds = \"soon\"\n").expect("written");
    let found = check(&bench, "configuration");
    assert_eq!(found["state"], "error");
    let message = found["message"].as_str().expect("a message");
    assert!(message.contains("config.toml") && message.contains("line 2"), "{message}");
    assert!(found["todo"].is_string());
}

#[test]
fn a_key_that_is_not_known_is_named_also_where_no_profile_is() {
    let bench = Bench::new();
    fs::write(bench.folder.path().join("fuda/config.toml"), "[settings]\nnotificatons = true\n").expect("written");
    let found = check(&bench, "configuration");
    assert_eq!(found["state"], "warning");
    assert!(found["message"].as_str().expect("a message").contains("notificatons"), "{found}");
}

#[test]
fn a_ledger_of_a_newer_program_is_named() {
    let bench = Bench::new();
    bench.tidy();
    let handle = bench.approved();
    assert_eq!((&check(&bench, "ledger")["state"], &check(&bench, "index")["state"]), (&"ok".into(), &"ok".into()));
    let ledger = bench.folder.path().join("fuda/ledger.db");
    // SQLite's header has the schema's number there.
    let mut bytes = fs::read(&ledger).expect("read");
    bytes[60..64].copy_from_slice(&99_u32.to_be_bytes());
    fs::write(&ledger, bytes).expect("written");
    let found = check(&bench, "ledger");
    assert_eq!(found["state"], "warning");
    assert!(found["message"].as_str().expect("a message").contains("newer"), "{found}");
    // It is read all the same.
    assert_eq!(bench.json(&["show", &handle])["state"], "approved");
    bench.fails(1, &["skip", &handle]);
}

#[test]
fn a_profile_whose_folder_is_gone_is_named() {
    let bench = Bench::new();
    let gone = bench.folder.path().join("gone");
    fs::create_dir(&gone).expect("made");
    bench.fuda_ok(&["profiles", "add", "old", "--agent", "codex", "--root", gone.to_str().expect("utf-8")]);
    fs::remove_dir(&gone).expect("removed");
    let found = check(&bench, "profile old");
    assert_eq!(found["state"], "error");
    assert!(found["message"].as_str().expect("a message").contains("gone"), "{found}");
}

#[test]
fn a_profile_whose_folder_cannot_be_read_is_named_with_the_reason() {
    let bench = Bench::new();
    let closed = bench.folder.path().join("closed");
    fs::create_dir(&closed).expect("made");
    bench.fuda_ok(&["profiles", "add", "shut", "--agent", "codex", "--root", closed.to_str().expect("utf-8")]);
    fs::set_permissions(&closed, fs::Permissions::from_mode(0o000)).expect("closed");
    let mut doctor = bench.command(&["--json", "doctor"]);
    // Root reads everything: another user asks, to whom all of it belongs.
    if fs::metadata(&closed).expect("there").uid() == 0 {
        let given = Command::new("chown").args(["-R", "65534:65534"]).arg(bench.folder.path()).status().expect("chown");
        assert!(given.success());
        doctor.uid(65_534).gid(65_534);
    }
    let doctor: Value = serde_json::from_slice(&doctor.output().expect("fuda").stdout).expect("json");
    let checks = doctor["checks"].as_array().expect("checks");
    let found = checks.iter().find(|check| check["name"] == "profile shut").expect("the profile");
    assert_eq!(found["state"], "error");
    assert!(found["message"].as_str().expect("a message").contains("Permission denied"), "{found}");
    assert!(found["todo"].is_string());
}

#[test]
fn a_home_that_others_can_read_is_closed_at_the_next_start() {
    let bench = Bench::new();
    bench.fuda_ok(&["index"]);
    let home = bench.folder.path().join("fuda");
    fs::set_permissions(&home, fs::Permissions::from_mode(0o755)).expect("opened");
    assert_eq!(check(&bench, "home")["state"], "ok");
    assert_eq!(fs::metadata(&home).expect("there").mode() & 0o777, 0o700);
}

#[test]
fn a_repository_of_another_user_is_named() {
    let bench = Bench::new();
    bench.tidy();
    bench.fuda_ok(&["index"]);
    assert_eq!(check(&bench, "owners")["state"], "ok");
    // Only root may give a folder away.
    if fs::metadata(bench.repo()).expect("there").uid() == 0 {
        chown(bench.repo(), Some(1_000), None).expect("given away");
        let found = check(&bench, "owners");
        assert_eq!(found["state"], "warning");
        assert!(found["message"].as_str().expect("a message").contains("tidewatch"), "{found}");
    }
}

#[test]
fn the_log_names_operations_and_codes_and_nothing_of_the_person() {
    let bench = Bench::new();
    let path = bench.tidy();
    bench.fuda_ok(&["index"]);
    bench.fails(3, &["show", "ZYXSECRET"]);
    bench.fails(2, &["edit", path.to_str().expect("utf-8"), "--set", "ZYXFIELD=ZYXTEXT"]);
    let log = bench.folder.path().join("fuda/logs/fuda.jsonl");
    let text = fs::read_to_string(&log).expect("a log");
    let lines: Vec<Value> = text.lines().map(|line| serde_json::from_str(line).expect("a line")).collect();
    let codes: Vec<&str> = lines.iter().filter_map(|line| line["code"].as_str()).collect();
    assert_eq!(codes, ["not_found", "usage"], "{text}");
    assert!(lines.iter().all(|line| line["operation"].is_string() && line["took_ms"].is_u64()));
    for private in ["ZYX", "tidewatch", "webhook", bench.folder.path().to_str().expect("utf-8")] {
        assert!(!text.contains(private), "{private} stands in the log: {text}");
    }
    assert_eq!(fs::metadata(&log).expect("there").mode() & 0o077, 0, "for its owner only");
}

#[test]
fn a_damaged_ledger_is_made_again_on_a_persons_word_and_a_sound_one_is_left() {
    let bench = Bench::new();
    bench.tidy();
    let handle = bench.approved();
    bench.fails(5, &["doctor", "--rebuild-ledger"]);
    let ledger = bench.folder.path().join("fuda/ledger.db");
    let mut bytes = fs::read(&ledger).expect("read");
    bytes[..4096].fill(0xff);
    fs::write(&ledger, bytes).expect("damaged");
    assert_eq!(check(&bench, "ledger")["state"], "error");
    let inside = bench.command(&["doctor", "--rebuild-ledger"]).env("CLAUDECODE", "1").output().expect("fuda");
    assert_eq!(inside.status.code(), Some(5), "an agent makes no ledger");
    let rebuilt = bench.json(&["doctor", "--rebuild-ledger"]);
    assert!(fs::metadata(rebuilt["kept_at"].as_str().expect("the old one")).is_ok(), "{rebuilt}");
    assert_eq!(bench.json(&["show", &handle])["state"], "approved");
    bench.fuda_ok(&["audit", "--verify"]);
}
