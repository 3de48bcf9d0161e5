//! The ledger: gapless across processes, idempotent, and honest about what was changed behind its back.

use rusqlite::Connection;
use serde_json::json;
use std::collections::HashSet;
use std::fs;
use std::io::Write;
use std::path::Path;
use std::process::Command;
use store::index::Revision;
use store::ledger::{Ledger, NewEvent, rebuild};
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

#[test]
fn a_line_that_a_crash_cut_off_is_written_whole_at_the_next_start() {
    let root = TempDir::new().expect("a folder");
    let home = Home::open(root.path()).expect("a home");
    let book = ledger(root.path());
    (0..3).for_each(|_| append(&book, "skipped"));
    drop(book);
    let whole = fs::read(home.mirror()).expect("read");
    let last_line = whole[..whole.len() - 1].iter().rposition(|byte| *byte == b'\n').expect("lines") + 1;
    for (cut, zeros) in
        [(last_line, 0), (last_line + 1, 0), (whole.len() - 1, 0), (last_line + 20, 300), (last_line, 4096)]
    {
        let mut torn = whole[..cut].to_vec();
        torn.extend(vec![0; zeros]);
        fs::write(home.mirror(), torn).expect("torn");
        let verification = ledger(root.path()).verify().expect("verified");
        assert!(verification.ok, "cut at {cut}: {:?}", verification.problems);
        let written = fs::read(home.mirror()).expect("read");
        assert!(written.trim_ascii_end() == whole.trim_ascii_end(), "cut at {cut}");
    }
}

#[test]
fn a_foreign_line_in_the_mirror_stays_as_evidence() {
    let root = TempDir::new().expect("a folder");
    let home = Home::open(root.path()).expect("a home");
    append(&ledger(root.path()), "skipped");
    let mut mirror = fs::OpenOptions::new().append(true).open(home.mirror()).expect("opened");
    mirror.write_all(b"not ours").expect("written");
    let book = ledger(root.path());
    append(&book, "skipped");
    let problems = book.verify().expect("verified").problems;
    assert_eq!(problems, ["Line 2 of the mirror is no event."]);
}

#[test]
fn a_line_taken_out_of_the_mirror_is_named_and_only_that_one() {
    let root = TempDir::new().expect("a folder");
    let home = Home::open(root.path()).expect("a home");
    let book = ledger(root.path());
    (0..4).for_each(|_| append(&book, "skipped"));
    let text = fs::read_to_string(home.mirror()).expect("read");
    let rest: String =
        text.lines().enumerate().filter(|(at, _)| *at != 1).map(|(_, line)| format!("{line}\n")).collect();
    fs::write(home.mirror(), rest).expect("written");
    assert_eq!(book.verify().expect("verified").problems, ["Event 2 is missing in the mirror."]);
}

#[test]
fn every_flipped_bit_that_changes_an_event_is_found() {
    let root = TempDir::new().expect("a folder");
    let home = Home::open(root.path()).expect("a home");
    let book = ledger(root.path());
    (0..40).for_each(|_| append(&book, "skipped"));
    let events = book.events().expect("read");
    drop(book);
    Connection::open(home.ledger()).expect("opened").execute_batch("PRAGMA wal_checkpoint(TRUNCATE)").expect("moved");
    let sound = fs::read(home.ledger()).expect("read");
    let mut state = 88_172_645_463_325_252_u64;
    for _ in 0..150 {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        let mut flipped = sound.clone();
        let bit = state as usize % (flipped.len() * 8);
        flipped[bit / 8] ^= 1 << (bit % 8);
        fs::remove_file(home.root().join("ledger.db-wal")).ok();
        fs::remove_file(home.root().join("ledger.db-shm")).ok();
        fs::write(home.ledger(), &flipped).expect("flipped");
        // A ledger that no longer opens, or cannot be read, is found too.
        let Ok(book) = Ledger::open(&home.ledger(), &home.mirror(), &home.locks().join("ledger.lock"), &home.blobs())
        else {
            continue;
        };
        let same = book.events().is_ok_and(|read| read == events);
        let found = !book.verify().is_ok_and(|verification| verification.ok);
        assert!(same || found, "bit {bit}");
    }
}

#[test]
fn a_damaged_ledger_is_read_from_its_mirror_and_made_again_on_request() {
    let root = TempDir::new().expect("a folder");
    let home = Home::open(root.path()).expect("a home");
    let book = ledger(root.path());
    (0..5).for_each(|_| append(&book, "skipped"));
    let events = book.events().expect("read");
    assert!(matches!(rebuild(&home, 7), Err(Error::SoundLedger { events: 5, .. })));
    drop(book);
    fs::write(home.ledger(), vec![7; 8192]).expect("damaged");
    let damaged = ledger(root.path());
    assert_eq!(damaged.events().expect("read"), events);
    assert!(damaged.verify().expect("verified").problems[0].contains("is damaged"));
    let refused: Result<_, Error> = damaged.append(NewEvent::new("skipped", 1), |_| Ok(()));
    assert!(matches!(refused, Err(Error::DamagedLedger { .. })));

    let rebuilt = rebuild(&home, 7).expect("rebuilt");
    assert_eq!((rebuilt.events, rebuilt.left_out), (5, 0));
    assert_eq!(fs::read(rebuilt.kept_at.expect("kept")).expect("read"), vec![7; 8192]);
    let book = ledger(root.path());
    assert_eq!(book.events().expect("read"), events);
    append(&book, "skipped");
    assert!(book.verify().expect("verified").ok);
}

#[test]
fn nobody_writes_into_a_ledger_that_was_replaced_meanwhile() {
    let root = TempDir::new().expect("a folder");
    let home = Home::open(root.path()).expect("a home");
    let open = ledger(root.path());
    append(&open, "skipped");
    let copy = root.path().join("copy");
    fs::copy(home.ledger(), &copy).expect("copied");
    fs::rename(&copy, home.ledger()).expect("replaced");
    let refused: Result<_, Error> = open.append(NewEvent::new("skipped", 1), |_| Ok(()));
    assert!(matches!(refused, Err(Error::ReplacedLedger { .. })));
}

#[test]
fn a_ledger_of_a_newer_program_is_read_and_not_written() {
    let root = TempDir::new().expect("a folder");
    let home = Home::open(root.path()).expect("a home");
    append(&ledger(root.path()), "skipped");
    Connection::open(home.ledger()).expect("opened").pragma_update(None, "user_version", 99).expect("set");
    let newer = ledger(root.path());
    assert_eq!(newer.events().expect("read").len(), 1);
    assert!(!newer.is_writable());
    let refused: Result<_, Error> = newer.append(NewEvent::new("skipped", 1), |_| Ok(()));
    assert!(matches!(refused, Err(Error::NewerLedger { .. })));
}

#[test]
fn what_was_seen_stays_as_it_was_first_noted() {
    let root = TempDir::new().expect("a folder");
    let book = ledger(root.path());
    let seen = |at, by: &str| Revision { rev: "r1".to_owned(), seen_ms: at, by: by.to_owned(), bytes: 3 };
    book.note_seen(&[("h".to_owned(), seen(5, "agent"))]).expect("noted");
    book.note_seen(&[("h".to_owned(), seen(9, "unknown")), ("i".to_owned(), seen(2, "unknown"))]).expect("noted");
    let all = book.seen().expect("read");
    assert_eq!(all, [("i".to_owned(), seen(2, "unknown")), ("h".to_owned(), seen(5, "agent"))]);
    assert!(book.verify().expect("verified").ok);
}

#[test]
fn purged_bytes_leave_a_note_that_comes_first() {
    let root = TempDir::new().expect("a folder");
    let book = ledger(root.path());
    let hash = book.blobs().put(b"a secret").expect("kept");
    assert!(book.purge(&hash, 5).expect("purged"));
    assert!(!book.blobs().has(&hash));
    let events = book.events().expect("read");
    assert_eq!((events[0].kind.as_str(), &events[0].body["rev"]), ("purged", &json!(hash)));
    assert!(!book.purge(&hash, 6).expect("nothing there"));
    assert_eq!(book.events().expect("read").len(), 1);
}

#[test]
fn bytes_that_a_power_cut_left_empty_are_kept_again() {
    let root = TempDir::new().expect("a folder");
    let book = ledger(root.path());
    let many: Vec<Vec<u8>> = (0..40).map(|number| format!("text {number}").into_bytes()).collect();
    assert!(book.blobs().put_all(&many).expect("kept") > 0);
    assert_eq!(book.blobs().put_all(&many).expect("kept"), 0);
    let hash = book.blobs().put(b"text 0").expect("there");
    fs::write(root.path().join("blobs").join(&hash[..2]).join(&hash), b"").expect("emptied");
    book.blobs().put_all(&many).expect("kept");
    assert_eq!(book.blobs().get(&hash).expect("read").as_deref(), Some(b"text 0".as_slice()));
}

#[test]
fn the_quota_takes_the_oldest_and_leaves_what_is_needed() {
    let root = TempDir::new().expect("a folder");
    let book = ledger(root.path());
    let hashes: Vec<String> = (0..4_u8)
        .map(|number| {
            let hash = book.blobs().put(&[number; 100]).expect("kept");
            let file = fs::File::options().write(true).open(root.path().join("blobs").join(&hash[..2]).join(&hash));
            let at = std::time::SystemTime::UNIX_EPOCH + std::time::Duration::from_secs(u64::from(number));
            file.and_then(|file| file.set_modified(at)).expect("dated");
            hash
        })
        .collect();
    let needed = HashSet::from([hashes[0].clone()]);
    assert_eq!(book.blobs().trim(250, &needed, &HashSet::new()).expect("trimmed"), 2);
    let left: Vec<bool> = hashes.iter().map(|hash| book.blobs().has(hash)).collect();
    assert_eq!(left, [true, false, false, true]);
    assert_eq!(
        book.blobs().trim(0, &needed, &HashSet::new()).expect("trimmed"),
        1,
        "what is needed stays over the quota"
    );
}

#[test]
fn no_name_leads_out_of_the_folder_of_kept_revisions() {
    let root = TempDir::new().expect("a folder");
    let book = ledger(root.path());
    fs::write(root.path().join("precious"), "x").expect("written");
    for name in ["../precious", "..", "", "/etc/passwd", "日本"] {
        assert_eq!(book.blobs().get(name).expect("read"), None, "{name}");
        assert!(!book.blobs().purge(name).expect("purged"), "{name}");
    }
    assert!(root.path().join("precious").exists());
}

/// Eight processes append at once; this test runs itself again as each of them.
#[test]
fn eight_processes_leave_no_gap() {
    if let Ok(root) = std::env::var("FUDA_LEDGER_CHILD") {
        let ledger = ledger(Path::new(&root));
        (0..200).for_each(|_| append(&ledger, "skipped"));
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
    assert_eq!(verification.events, 1600);
}
