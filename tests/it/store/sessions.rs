//! Sessions of the pi family on disk: one handoff in two places, a log that grows, a log larger than memory may hold.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use store::config::{Config, Profile};
use store::index::Index;
use store::{Home, files};
use tempfile::TempDir;

/// 2026-11-01T00:00:00Z.
const NOW: i64 = 1_793_491_200_000;
const STEM: &str = "2026-05-02T10-00-00-000Z_019e0000-1111-7222-8333-444455556666";
const DOCUMENT: &str = "## Goal\nFire the kiln.\n\n## Progress\n### Done\n- [x] Ramp\n\n## Next Steps\n1. Soak";

struct Desk {
    _folder: TempDir,
    sessions: PathBuf,
    config: Config,
    index: Index,
}

impl Desk {
    fn new() -> Self {
        let folder = TempDir::new().expect("a folder");
        let root = fs::canonicalize(folder.path()).expect("a path");
        let sessions = root.join(".omp/agent/sessions/-kiln");
        fs::create_dir_all(&sessions).expect("made");
        let profile = Profile {
            name: "omp".into(),
            agent: "omp".into(),
            roots: vec![root.join(".omp/agent").display().to_string()],
            ..Profile::default()
        };
        let home = Home::open(&root.join("home")).expect("a home");
        Self {
            sessions,
            config: Config { profiles: vec![profile], ..Config::default() },
            index: Index::open(&home).expect("an index"),
            _folder: folder,
        }
    }
    fn session(&self) -> PathBuf {
        self.sessions.join(format!("{STEM}.jsonl"))
    }
    fn copy(&self) -> PathBuf {
        self.sessions.join(STEM).join("handoff-2026-05-02T12-00-00-000Z.md")
    }
    fn scan(&self) -> store::ScanReport {
        self.index.scan(&self.config, Path::new("/nowhere"), NOW, &mut |_, _, _| {}, &|| false).expect("scanned")
    }
}

fn session(between: &str) -> String {
    let summary = DOCUMENT.replace('\n', "\\n");
    format!(
        "{{\"type\":\"session\",\"version\":3,\"id\":\"019e0000-1111-7222-8333-444455556666\",\"timestamp\":\"2026-05-02T10:00:00.000Z\",\"cwd\":\"/nowhere/kiln\"}}\n{between}{{\"type\":\"compaction\",\"id\":\"3\",\"parentId\":null,\"timestamp\":\"2026-05-02T12:00:00.000Z\",\"summary\":\"{summary}\\n\\n<files>\\n# src/\\nramp.rs (Write)\\n</files>\",\"method\":\"handoff\"}}\n"
    )
}

#[test]
fn the_same_text_in_a_session_and_in_its_copy_is_one_handoff_with_two_places() {
    let desk = Desk::new();
    fs::create_dir(desk.sessions.join(STEM)).expect("made");
    fs::write(desk.copy(), format!("{DOCUMENT}\n")).expect("written");
    desk.scan();
    fs::write(desk.session(), session("")).expect("written");
    desk.scan();
    let rows = desk.index.rows().expect("rows");
    assert_eq!(rows.len(), 1, "{rows:#?}");
    let mut places: Vec<_> =
        desk.index.places(&rows[0].identity).expect("places").into_iter().map(|place| place.path).collect();
    places.sort();
    assert_eq!(places, [desk.copy(), desk.session()]);
    assert_eq!(rows[0].objective.as_deref(), Some("Fire the kiln."));
}

#[test]
fn the_same_text_in_two_sessions_is_one_handoff_with_two_places() {
    let desk = Desk::new();
    fs::write(desk.session(), session("")).expect("written");
    let moved = desk.sessions.join("2026-05-03T08-00-00-000Z_019e0000-aaaa-7222-8333-444455556666.jsonl");
    let forked = session("").replace("019e0000-1111", "019e0000-aaaa");
    fs::write(&moved, forked).expect("written");
    let other = desk.sessions.join("2026-05-04T08-00-00-000Z_019e0000-bbbb-7222-8333-444455556666.jsonl");
    fs::write(&other, session("").replace("Soak", "Cool")).expect("written");
    desk.scan();
    desk.scan();
    let rows = desk.index.rows().expect("rows");
    let mut places: Vec<Vec<PathBuf>> = rows
        .iter()
        .map(|row| desk.index.places(&row.identity).expect("places").into_iter().map(|place| place.path).collect())
        .collect();
    places.sort();
    assert_eq!(places, [vec![desk.session(), moved], vec![other]]);
    assert!(rows.iter().all(|row| !row.conflict), "{rows:#?}");
}

#[test]
fn a_session_that_grows_is_no_other_revision_and_stays_byte_for_byte_as_it_was() {
    let desk = Desk::new();
    fs::write(desk.session(), session("")).expect("written");
    desk.scan();
    let before = desk.index.rows().expect("rows").remove(0);
    let mut file = fs::OpenOptions::new().append(true).open(desk.session()).expect("opened");
    file.write_all(
        b"{\"type\":\"message\",\"id\":\"4\",\"message\":{\"role\":\"user\",\"content\":\"Go on.\"}}\n{\"type\":\"mess",
    )
    .expect("appended");
    drop(file);
    let bytes = fs::read(desk.session()).expect("bytes");
    desk.scan();
    let after = desk.index.rows().expect("rows").remove(0);
    assert_eq!((&after.rev, &after.handle), (&before.rev, &before.handle));
    assert_eq!(desk.index.revisions(&after.identity).expect("revisions").len(), 1);
    assert_eq!(fs::read(desk.session()).expect("bytes"), bytes);
    assert!(after.bytes < 4_096, "a row counts the bytes of the document, not of the log");
}

#[test]
fn of_a_large_session_only_the_lines_that_matter_are_held() {
    let desk = Desk::new();
    let output = format!(
        "{{\"type\":\"message\",\"id\":\"9\",\"message\":{{\"role\":\"toolResult\",\"content\":\"{}\"}}}}\n",
        "x".repeat(60_000)
    );
    fs::write(desk.session(), session(&output.repeat(200))).expect("written");
    let (bytes, stamp) = files::read(&desk.session(), 4 * 1024 * 1024).expect("read");
    assert!(stamp.size > 12_000_000 && bytes.len() < 4_096, "{} of {}", bytes.len(), stamp.size);
    assert_eq!(desk.scan().handoffs, 1);
    assert_eq!(desk.index.rows().expect("rows")[0].objective.as_deref(), Some("Fire the kiln."));
}

#[test]
fn a_session_is_never_exchanged_for_an_edit() {
    let desk = Desk::new();
    fs::write(desk.session(), session("")).expect("written");
    let home = Home::open(&desk.sessions.join("home")).expect("a home");
    let bytes = fs::read(desk.session()).expect("bytes");
    for base in [handoff::revision(&bytes), handoff::revision(&handoff::document(bytes.clone(), STEM))] {
        let swapped = files::swap(&desk.session(), &base, b"# ours\n", &home);
        assert!(!matches!(swapped, Ok(files::Swapped::Done)), "{swapped:?}");
        assert_eq!(fs::read(desk.session()).expect("bytes"), bytes);
    }
}
