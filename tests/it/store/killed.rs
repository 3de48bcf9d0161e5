//! A process that is killed while it edits, publishes and writes the ledger: whatever it was at, files are whole, the
//! chain holds, what was told as done is there, and no version is lost.

use serde_json::json;
use std::fs;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use store::files::{Swapped, publish, recover, swap};
use store::ledger::{Ledger, NewEvent};
use store::{Error, Home};
use tempfile::TempDir;

const ROUNDS: usize = 40;

fn open(root: &Path) -> (Home, Ledger) {
    let home = Home::open(&root.join("home")).expect("a home");
    let lock = home.locks().join("ledger.lock");
    let ledger = Ledger::open(&home.ledger(), &home.mirror(), &lock, &home.blobs()).expect("a ledger");
    (home, ledger)
}

/// Large enough that writing it takes more than one moment; its last line says that it is whole.
fn version(number: usize) -> String {
    format!("{number}\n{}\nend {number}\n", "body ".repeat(4_000))
}

fn is_whole(text: &str) -> bool {
    let mut lines = text.lines();
    let (first, last) = (lines.next().unwrap_or_default(), lines.next_back().unwrap_or_default());
    last == format!("end {first}") && text.len() == version(first.parse().unwrap_or(0)).len()
}

fn file(root: &Path) -> PathBuf {
    root.join("work/HANDOFF.md")
}

/// Edits for ever and says each step once it is done.
fn edit_for_ever(root: &Path) {
    let (home, ledger) = open(root);
    let start = ledger.events().expect("read").len() + 1;
    for number in start.. {
        let before = fs::read(file(root)).expect("read");
        let base = ledger.blobs().put(&before).expect("kept");
        let rev = ledger.blobs().put(version(number).as_bytes()).expect("kept");
        println!("kept {number}");
        let outcome = swap(&file(root), &base, version(number).as_bytes(), &home).expect("swapped");
        assert_eq!(outcome, Swapped::Done);
        println!("swapped {number}");
        let event = NewEvent::new("edited", 1).about("h", &rev).with(json!({ "base": base }));
        ledger.append::<Error>(event, |_| Ok(())).expect("appended");
        println!("recorded {number}");
        let name = format!("copy-{number}-{}.md", std::process::id());
        publish(&root.join("work"), &name, version(number).as_bytes()).expect("published");
        println!("published {name}");
    }
}

#[test]
fn killed_at_any_moment_nothing_is_torn_and_nothing_is_lost() {
    if let Ok(root) = std::env::var("FUDA_KILLED_CHILD") {
        edit_for_ever(Path::new(&root));
        return;
    }
    let root = TempDir::new().expect("a folder");
    fs::create_dir(root.path().join("work")).expect("made");
    fs::write(file(root.path()), version(0)).expect("written");
    let program = std::env::current_exe().expect("this test");
    for round in 0..ROUNDS {
        let mut child = Command::new(&program)
            .args(["--exact", "killed_at_any_moment_nothing_is_torn_and_nothing_is_lost", "--nocapture"])
            .env("FUDA_KILLED_CHILD", root.path())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .expect("a child");
        let lines = BufReader::new(child.stdout.take().expect("its output")).lines().map_while(Result::ok);
        let steps =
            lines.filter(|line| ["kept", "swapped", "recorded", "published"].iter().any(|step| line.starts_with(step)));
        let told: Vec<String> = steps.take(1 + round % 9).collect();
        child.kill().expect("killed");
        child.wait().expect("ended");
        look(root.path(), &told, round);
    }
}

fn look(root: &Path, told: &[String], round: usize) {
    let (home, ledger) = open(root);
    let verification = ledger.verify().expect("verified");
    assert!(verification.ok, "round {round}: {:?}", verification.problems);
    for left in recover(&home, ledger.blobs()).expect("recovered") {
        assert_eq!(left.kept_at, None, "round {round}: every version was kept before");
    }
    for entry in fs::read_dir(root.join("work")).expect("listed").flatten() {
        let name = entry.file_name().to_string_lossy().into_owned();
        assert!(!name.starts_with('.'), "round {round}: {name} is left");
        assert!(is_whole(&fs::read_to_string(entry.path()).expect("read")), "round {round}: {name} is torn");
    }
    for line in told {
        let (step, what) = line.split_once(' ').expect("two words");
        match step {
            "published" => assert!(root.join("work").join(what).exists(), "round {round}: {line}"),
            "recorded" => {
                let number: usize = what.parse().expect("a number");
                assert!(ledger.events().expect("read").len() >= number, "round {round}: {line}");
            }
            _ => {}
        }
    }
    let current = fs::read(file(root)).expect("read");
    assert!(ledger.blobs().has(&handoff::revision(&current)) || current == version(0).as_bytes(), "round {round}");
}
