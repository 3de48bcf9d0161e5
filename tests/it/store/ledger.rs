//! The ledger: gapless across processes, idempotent, and honest about what was changed behind its back.

use rusqlite::Connection;
use serde_json::json;
use std::path::Path;
use std::process::Command;
use store::ledger::{Ledger, NewEvent};
use store::{Error, Home};
use tempfile::TempDir;

fn ledger(root: &Path) -> Ledger {
    let home = Home::open(root).expect("a home");
    Ledger::open(&home.ledger(), &home.mirror(), &home.locks().join("ledger.lock"), &home.blobs()).expect("a ledger")
}

fn append(ledger: &Ledger, kind: &str) {
    let event = NewEvent::new(kind, 1).about("h", "rev").with(json!({ "note": "日本語" }));
    ledger.append::<Error>(event, |_| Ok(())).expect("appended");
}

#[test]
fn events_are_chained_and_mirrored() {
    let root = TempDir::new().expect("a folder");
    let ledger = ledger(root.path());
    (0..20).for_each(|_| append(&ledger, "skipped"));
    let verification = ledger.verify().expect("verified");
    assert!(verification.ok, "{:?}", verification.problems);
    assert_eq!(verification.events, 20);
    assert_eq!(ledger.events_of("h").expect("read").len(), 20);
    assert!(ledger.events_of("other").expect("read").is_empty());
}

#[test]
fn a_guard_that_refuses_writes_nothing() {
    let root = TempDir::new().expect("a folder");
    let ledger = ledger(root.path());
    append(&ledger, "skipped");
    let refused: Result<_, Error> = ledger.append(NewEvent::new("approved", 1).about("h", "rev"), |before| {
        assert_eq!(before.len(), 1);
        Err(Error::Profile { message: "no".to_owned() })
    });
    assert!(refused.is_err());
    assert_eq!(ledger.events().expect("read").len(), 1);
}

#[test]
fn the_same_event_twice_is_written_once() {
    let root = TempDir::new().expect("a folder");
    let ledger = ledger(root.path());
    let event = NewEvent::new("skipped", 1).about("h", "rev");
    let first = ledger.append::<Error>(event.clone(), |_| Ok(())).expect("appended");
    let second = ledger.append::<Error>(event, |_| Ok(())).expect("appended");
    assert_eq!(first, second);
    assert_eq!(ledger.events().expect("read").len(), 1);
}

#[test]
fn a_changed_event_and_a_cut_tail_are_found() {
    let root = TempDir::new().expect("a folder");
    let home = Home::open(root.path()).expect("a home");
    let book = ledger(root.path());
    (0..5).for_each(|_| append(&book, "skipped"));
    drop(book);
    let raw = Connection::open(home.ledger()).expect("opened");
    raw.execute_batch("DROP TRIGGER events_no_update; UPDATE events SET actor = 'agent' WHERE seq = 2;")
        .expect("changed");
    assert!(
        ledger(root.path())
            .verify()
            .expect("verified")
            .problems
            .iter()
            .any(|problem| problem.contains("Event 2 was changed"))
    );
    raw.execute_batch("DROP TRIGGER events_no_delete; UPDATE events SET actor = 'person' WHERE seq = 2; DELETE FROM events WHERE seq = 5;").expect("cut");
    let after = ledger(root.path());
    assert!(after.verify().expect("verified").problems.iter().any(|problem| problem.contains("lost its last events")));
    let refused: Result<_, Error> = after.append(NewEvent::new("skipped", 1), |_| Ok(()));
    assert!(matches!(refused, Err(Error::LedgerBehind { mirror: 5, database: 4, .. })));
}

#[test]
fn a_torn_mirror_line_is_completed_by_the_next_event() {
    let root = TempDir::new().expect("a folder");
    let home = Home::open(root.path()).expect("a home");
    let ledger = ledger(root.path());
    append(&ledger, "skipped");
    append(&ledger, "skipped");
    let mirror = std::fs::read_to_string(home.mirror()).expect("read");
    let first_line = mirror.lines().next().expect("a line").to_owned();
    std::fs::write(home.mirror(), format!("{first_line}\n")).expect("cut");
    assert!(!ledger.verify().expect("verified").ok);
    append(&ledger, "skipped");
    assert!(ledger.verify().expect("verified").ok);
}

#[test]
fn kept_revisions_are_whole_or_said_to_be_damaged() {
    let root = TempDir::new().expect("a folder");
    let ledger = ledger(root.path());
    let hash = ledger.blobs().put(b"bytes").expect("kept");
    assert_eq!(ledger.blobs().get(&hash).expect("read").as_deref(), Some(b"bytes".as_slice()));
    let path = root.path().join("blobs").join(&hash[..2]).join(&hash);
    std::fs::write(&path, b"other").expect("damaged");
    assert!(matches!(ledger.blobs().get(&hash), Err(Error::DamagedRevision { .. })));
    assert!(ledger.blobs().purge(&hash).expect("purged"));
    assert_eq!(ledger.blobs().get(&hash).expect("read"), None);
}

/// Eight processes append at once; this test runs itself again as each of them.
#[test]
fn eight_processes_leave_no_gap() {
    if let Ok(root) = std::env::var("FUDA_LEDGER_CHILD") {
        let ledger = ledger(Path::new(&root));
        (0..50).for_each(|_| append(&ledger, "skipped"));
        return;
    }
    let root = TempDir::new().expect("a folder");
    drop(ledger(root.path()));
    let program = std::env::current_exe().expect("this test");
    let mut children: Vec<_> = (0..8)
        .map(|_| {
            Command::new(&program)
                .args(["--exact", "eight_processes_leave_no_gap"])
                .env("FUDA_LEDGER_CHILD", root.path())
                .stdout(std::process::Stdio::null())
                .spawn()
                .expect("a child")
        })
        .collect();
    assert!(children.iter_mut().all(|child| child.wait().expect("ended").success()));
    let verification = ledger(root.path()).verify().expect("verified");
    assert!(verification.ok, "{:?}", verification.problems);
    assert_eq!(verification.events, 400);
}
