//! The index: true to the disk, made again from it, found by what a person types.

use std::fs;
use std::path::Path;
use store::config::{Config, Profile};
use store::index::{Index, Resolved};
use store::{Home, ScanReport};
use tempfile::TempDir;

struct Desk {
    folder: TempDir,
    home: Home,
}

impl Desk {
    fn new() -> Self {
        let folder = TempDir::new().expect("a folder");
        let home = Home::open(&folder.path().join("home")).expect("a home");
        Self { folder, home }
    }
    fn write(&self, path: &str, text: &str) {
        let path = self.folder.path().join("work").join(path);
        fs::create_dir_all(path.parent().expect("a folder")).expect("made");
        fs::write(path, text).expect("written");
    }
    fn config(&self) -> Config {
        let root = self.folder.path().join("work").display().to_string();
        Config {
            profiles: vec![Profile {
                name: "p".into(),
                agent: "generic".into(),
                roots: vec![root],
                ..Profile::default()
            }],
            ..Config::default()
        }
    }
    fn scan(&self, index: &Index) -> ScanReport {
        index.scan(&self.config(), Path::new("/nowhere"), 1_000, &mut |_, _, _| {}, &|| false).expect("scanned")
    }
}

#[test]
fn handoffs_are_found_and_what_stands_beside_them_is_not() {
    let desk = Desk::new();
    desk.write("a/HANDOFF.md", "# Handoff: one\n\n## Next steps\n- go on\n");
    desk.write("a/handoffs/README.md", "# How to write one\n");
    desk.write("a/node_modules/x/HANDOFF.md", "# Handoff: never\n");
    desk.write("b/handoff.json", "{\"version\": 9, \"objective\": \"x\"}");
    desk.write("b/handoff.yaml", "schemaVersion: 2\ntargets: []\n");
    let index = Index::open(&desk.home).expect("an index");
    let report = desk.scan(&index);
    assert_eq!((report.handoffs, report.refused, report.not_handoffs, report.files), (1, 1, 1, 3), "{report:?}");
    assert!(!desk.scan(&index).changed, "nothing changed and nothing is read again");
}

#[test]
fn an_index_that_was_deleted_is_made_again() {
    let desk = Desk::new();
    for number in 0..30 {
        desk.write(&format!("r{number}/HANDOFF.md"), &format!("# Handoff: {number}\n\n## Next\n- step {number}\n"));
    }
    let index = Index::open(&desk.home).expect("an index");
    desk.scan(&index);
    let before = index.rows().expect("rows");
    drop(index);
    for end in ["", "-wal", "-shm"] {
        let _ = fs::remove_file(format!("{}{end}", desk.home.index().display()));
    }
    let index = Index::open(&desk.home).expect("an index");
    desk.scan(&index);
    assert_eq!(index.rows().expect("rows"), before);
}

#[test]
fn a_damaged_index_is_made_again() {
    let desk = Desk::new();
    desk.write("HANDOFF.md", "# Handoff: one\n\n## Next\n- x\n");
    fs::write(desk.home.index(), b"this is no database, and long enough to be read as one that is damaged")
        .expect("damaged");
    let index = Index::open(&desk.home).expect("an index");
    assert_eq!(desk.scan(&index).handoffs, 1);
}

#[test]
fn overwriting_a_file_three_times_shows_its_revisions() {
    let desk = Desk::new();
    let index = Index::open(&desk.home).expect("an index");
    for text in ["one", "two", "three"] {
        desk.write("HANDOFF.md", &format!("# Handoff\n\n## Next\n- {text}\n"));
        desk.scan(&index);
    }
    let rows = index.rows().expect("rows");
    assert_eq!(rows.len(), 1);
    assert_eq!(index.revisions(&rows[0].identity).expect("revisions").len(), 3);
}

#[test]
fn two_characters_of_japanese_prefixes_paths_and_hashes_are_found() {
    let desk = Desk::new();
    desk.write(
        "one/HANDOFF.md",
        "# 引き継ぎ\n\n## 次にやること\n- 再接続の待ち時間\n- check queue.Drain in src/ingest/queue.go\n",
    );
    let index = Index::open(&desk.home).expect("an index");
    desk.scan(&index);
    let rev = index.rows().expect("rows")[0].rev.clone();
    for text in ["接続", "待ち", "dra", "src/ingest/qu", &rev[..8], "HANDOFF"] {
        assert_eq!(index.search(text, 10).expect("searched").len(), 1, "{text}");
    }
    for text in ["続接", "absent", "\" OR 1=1 --"] {
        assert!(index.search(text, 10).expect("searched").is_empty(), "{text}");
    }
}

#[test]
fn no_secret_enters_the_index() {
    let desk = Desk::new();
    let token = format!("ghp_{}", "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8");
    desk.write("HANDOFF.md", &format!("# Handoff: {token}\n\n## Goal\nuse {token}\n\n## Next\n- {token}\n"));
    let index = Index::open(&desk.home).expect("an index");
    desk.scan(&index);
    drop(index);
    for end in ["", "-wal"] {
        if let Ok(bytes) = fs::read(format!("{}{end}", desk.home.index().display())) {
            assert!(!bytes.windows(token.len()).any(|window| window.eq_ignore_ascii_case(token.as_bytes())));
        }
    }
}

#[test]
fn an_id_is_a_handle_a_prefix_or_a_file() {
    let desk = Desk::new();
    desk.write("HANDOFF.md", "# Handoff\n\n## Next\n- x\n");
    let index = Index::open(&desk.home).expect("an index");
    desk.scan(&index);
    let row = index.rows().expect("rows").remove(0);
    for id in [row.handle.clone(), row.handle[..4].to_owned(), row.path.display().to_string()] {
        assert!(
            matches!(index.resolve(&id).expect("resolved"), Resolved::One(found) if found.handle == row.handle),
            "{id}"
        );
    }
    assert_eq!(index.resolve("zzzzzzzz").expect("resolved"), Resolved::Nothing);
}

#[test]
fn a_newer_handoff_of_the_same_line_supersedes_and_the_same_id_with_other_bytes_conflicts() {
    let desk = Desk::new();
    fs::create_dir_all(desk.folder.path().join("work/.git")).expect("a repository");
    desk.write("handoffs/2026-01-01.md", "# Handoff\n\nBranch: x\nDate: 2026-01-01\n\n## Next\n- a\n");
    desk.write("handoffs/2026-01-02.md", "# Handoff\n\nBranch: x\nDate: 2026-01-02\n\n## Next\n- b\n");
    desk.write("one/handoff.json", "{\"version\": 2, \"id\": \"same\", \"objective\": \"a\"}");
    desk.write("two/handoff.json", "{\"version\": 2, \"id\": \"same\", \"objective\": \"b\"}");
    let index = Index::open(&desk.home).expect("an index");
    desk.scan(&index);
    let rows = index.rows().expect("rows");
    let older = rows.iter().find(|row| row.path.ends_with("2026-01-01.md")).expect("there");
    let newer = rows.iter().find(|row| row.path.ends_with("2026-01-02.md")).expect("there");
    assert_eq!(older.superseded_by.as_ref(), Some(&newer.handle));
    assert_eq!(newer.superseded_by, None);
    let same = rows.iter().find(|row| row.id.as_deref() == Some("same")).expect("there");
    assert!(same.conflict);
    assert_eq!(index.places("same").expect("places").len(), 2);
}

#[test]
fn a_damaged_index_is_made_anew_by_the_next_program() {
    let desk = Desk::new();
    for number in 0..200 {
        desk.write(&format!("{number}/HANDOFF.md"), &format!("# Handoff {number}\n\n## Next\n- go on with {number}\n"));
    }
    let scan = |index: &Index| desk.scan(index).handoffs;
    let index = Index::open(&desk.home).expect("an index");
    assert_eq!((scan(&index), index.check().ok()), (200, Some(200)));
    drop(index);
    // A page in the middle, as a failing disk leaves it.
    let mut bytes = fs::read(desk.home.index()).expect("read");
    let from = 2 * 4_096;
    let to = bytes.len() - 4_096;
    bytes[from..to].fill(0xee);
    fs::write(desk.home.index(), bytes).expect("written");
    let index = Index::open(&desk.home).expect("its first page is whole");
    let said = index.check().expect_err("damaged").to_string();
    assert!(said.contains("index.db") && said.contains("made anew"), "{said}");
    drop(index);
    let index = Index::open(&desk.home).expect("an index");
    assert_eq!((scan(&index), index.check().ok()), (200, Some(200)));
    drop(index);
    // Somebody took a table away.
    let foreign = rusqlite::Connection::open(desk.home.index()).expect("opened");
    foreign.execute_batch("DROP TABLE places").expect("dropped");
    drop(foreign);
    assert_eq!(scan(&Index::open(&desk.home).expect("an index")), 200);
}

#[test]
fn a_broken_configuration_names_its_line_and_comments_survive_an_edit() {
    let desk = Desk::new();
    fs::write(desk.home.config(), "[settings]\narchive_after_days = \"soon\"\n").expect("written");
    let error = Config::load(&desk.home).expect_err("broken").to_string();
    assert!(error.contains("line 2"), "{error}");
    fs::write(desk.home.config(), "# mine\n[settings]\nlease_seconds = 60 # short\n").expect("written");
    let profile = Profile { name: "p".into(), agent: "codex".into(), roots: vec!["~/x".into()], ..Profile::default() };
    Config::add_profile(&desk.home, &profile).expect("added");
    let wrong = Profile { agent: "clippy".into(), name: "q".into(), ..profile.clone() };
    assert!(Config::add_profile(&desk.home, &wrong).expect_err("unknown").to_string().contains("claude-code"));
    assert!(Config::add_profile(&desk.home, &profile).is_err(), "the name is taken");
    let text = fs::read_to_string(desk.home.config()).expect("read");
    assert!(text.contains("# mine") && text.contains("# short") && text.contains("codex"), "{text}");
    assert!(Config::remove_profile(&desk.home, "p").expect("removed").profiles.is_empty());
}
