//! What the ledger is told of what the index saw: every version can be compared, and no history goes with `index.db`.

use std::fs;
use std::path::PathBuf;
use store::Home;
use store::config::{Config, Profile};
use store::index::Index;
use store::keep::{Kept, QUOTA_BYTES, keep_seen, remind};
use store::ledger::Ledger;
use tempfile::TempDir;

struct Desk {
    root: TempDir,
    home: Home,
}

impl Desk {
    fn new() -> Self {
        let root = TempDir::new().expect("a folder");
        fs::create_dir(root.path().join("work")).expect("made");
        let home = Home::open(&root.path().join("home")).expect("a home");
        Self { root, home }
    }

    fn file(&self) -> PathBuf {
        self.root.path().join("work/HANDOFF.md")
    }

    fn write(&self, text: &str) {
        fs::write(self.file(), format!("# Handoff\n\n## Objective\n{text}\n\n## Next\n- [ ] go on\n"))
            .expect("written");
    }

    fn open(&self) -> (Index, Ledger) {
        let home = &self.home;
        let index = Index::open(home).expect("an index");
        let lock = home.locks().join("ledger.lock");
        let ledger = Ledger::open(&home.ledger(), &home.mirror(), &lock, &home.blobs()).expect("a ledger");
        remind(&index, &ledger).expect("reminded");
        (index, ledger)
    }

    fn look(&self, index: &Index, ledger: &Ledger, now_ms: i64) -> Kept {
        let roots = vec![self.root.path().join("work").display().to_string()];
        let profile = Profile { name: "p".to_owned(), agent: "generic".to_owned(), roots, ..Profile::default() };
        let config = Config { profiles: vec![profile], ..Config::default() };
        index.scan(&config, self.root.path(), now_ms, &mut |_, _, _| {}, &|| false).expect("scanned");
        keep_seen(index, ledger, 4 << 20, QUOTA_BYTES).expect("kept")
    }
}

#[test]
fn a_file_overwritten_three_times_can_be_compared_also_without_the_index() {
    let desk = Desk::new();
    let (index, ledger) = desk.open();
    for (now, text) in [(1, "one"), (2, "two"), (3, "three")] {
        desk.write(text);
        assert_eq!(desk.look(&index, &ledger, now).revisions, 1);
    }
    let identity = index.rows().expect("rows")[0].identity.clone();
    let before = index.revisions(&identity).expect("read");
    assert_eq!(before.len(), 3);
    for (revision, text) in before.iter().zip(["one", "two", "three"]) {
        let bytes = ledger.blobs().get(&revision.rev).expect("read").expect("kept");
        assert!(String::from_utf8_lossy(&bytes).contains(text));
    }
    drop(index);
    for end in ["", "-wal", "-shm"] {
        fs::remove_file(desk.home.root().join(format!("index.db{end}"))).ok();
    }
    let (index, ledger) = desk.open();
    desk.look(&index, &ledger, 9);
    assert_eq!(index.revisions(&identity).expect("read"), before);
}

#[test]
fn nothing_new_tells_the_ledger_nothing() {
    let desk = Desk::new();
    let (index, ledger) = desk.open();
    desk.write("one");
    desk.look(&index, &ledger, 1);
    assert_eq!(desk.look(&index, &ledger, 2), Kept::default());
}

#[test]
fn what_was_purged_is_not_kept_again_on_its_own() {
    let desk = Desk::new();
    let (index, ledger) = desk.open();
    desk.write("one");
    desk.look(&index, &ledger, 1);
    let rev = index.rows().expect("rows")[0].rev.clone();
    assert!(ledger.purge(&rev, 2).expect("purged"));
    drop(index);
    fs::remove_file(desk.home.index()).expect("removed");
    let (index, ledger) = desk.open();
    desk.look(&index, &ledger, 3);
    assert!(!ledger.blobs().has(&rev));
}

#[test]
fn over_the_quota_old_versions_go_and_the_current_one_stays() {
    let desk = Desk::new();
    let (index, ledger) = desk.open();
    let mut revisions = Vec::new();
    for (now, text) in [(1, "one"), (2, "two")] {
        desk.write(text);
        desk.look(&index, &ledger, now);
        revisions.push(index.rows().expect("rows")[0].rev.clone());
    }
    desk.write("three");
    let roots = vec![desk.root.path().join("work").display().to_string()];
    let profile = Profile { name: "p".to_owned(), agent: "generic".to_owned(), roots, ..Profile::default() };
    let config = Config { profiles: vec![profile], ..Config::default() };
    index.scan(&config, desk.root.path(), 3, &mut |_, _, _| {}, &|| false).expect("scanned");
    assert_eq!(keep_seen(&index, &ledger, 4 << 20, 10).expect("kept").removed, 2);
    assert!(revisions.iter().all(|rev| !ledger.blobs().has(rev)));
    assert!(ledger.blobs().has(&index.rows().expect("rows")[0].rev));
}
