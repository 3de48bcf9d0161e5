//! Scanning: what is followed, what is kept out, and what happens when two scan at once.

use std::cell::Cell;
use std::ffi::OsStr;
use std::fs;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use store::config::{Config, Profile};
use store::index::{Index, Revision};
use store::{Home, ScanReport};
use tempfile::TempDir;

/// 2026-11-01T00:00:00Z.
const NOW: i64 = 1_793_491_200_000;

struct Desk {
    _folder: TempDir,
    root: PathBuf,
    home: Home,
}

impl Desk {
    fn new() -> Self {
        let folder = TempDir::new().expect("a folder");
        let root = fs::canonicalize(folder.path()).expect("a path");
        fs::create_dir(root.join("work")).expect("made");
        let home = Home::open(&root.join("home")).expect("a home");
        Self { _folder: folder, root, home }
    }
    fn at(&self, path: &str) -> PathBuf {
        self.root.join("work").join(path)
    }
    fn write(&self, path: &str, text: &str) {
        let path = self.at(path);
        fs::create_dir_all(path.parent().expect("a folder")).expect("made");
        fs::write(path, text).expect("written");
    }
    fn profile(&self, name: &str, root: &str) -> Profile {
        Profile {
            name: name.into(),
            agent: "generic".into(),
            roots: vec![self.at(root).display().to_string()],
            ..Profile::default()
        }
    }
    fn config(&self) -> Config {
        Config { profiles: vec![self.profile("p", "")], ..Config::default() }
    }
    fn scan(&self, index: &Index) -> ScanReport {
        self.scan_as(index, &self.config())
    }
    fn scan_as(&self, index: &Index, config: &Config) -> ScanReport {
        index.scan(config, Path::new("/nowhere"), NOW, &mut |_, _, _| {}, &|| false).expect("scanned")
    }
    fn delete_index(&self) {
        for end in ["", "-wal", "-shm"] {
            let _ = fs::remove_file(format!("{}{end}", self.home.index().display()));
        }
    }
}

fn handoff(text: &str) -> String {
    format!("# Handoff: {text}\n\n## Next\n- {text}\n")
}

#[test]
fn a_moved_file_keeps_identity_and_handle_also_after_its_next_change() {
    let desk = Desk::new();
    desk.write("HANDOFF.md", &handoff("one"));
    let index = Index::open(&desk.home).expect("an index");
    desk.scan(&index);
    let before = index.rows().expect("rows").remove(0);
    fs::create_dir(desk.at("docs")).expect("made");
    fs::rename(desk.at("HANDOFF.md"), desk.at("docs/handoff.md")).expect("moved");
    desk.scan(&index);
    let moved = index.rows().expect("rows");
    assert_eq!(moved.len(), 1);
    assert_eq!((&moved[0].identity, &moved[0].handle), (&before.identity, &before.handle));
    assert_eq!(moved[0].path, desk.at("docs/handoff.md"));
    desk.write("docs/handoff.md", &handoff("two"));
    desk.scan(&index);
    let changed = index.rows().expect("rows").remove(0);
    assert_eq!(changed.handle, before.handle);
    assert_eq!(index.revisions(&changed.identity).expect("revisions").len(), 2);
}

#[test]
fn a_file_moved_while_the_index_was_gone_is_followed_by_what_the_ledger_knows() {
    let desk = Desk::new();
    desk.write("HANDOFF.md", &handoff("one"));
    let index = Index::open(&desk.home).expect("an index");
    desk.scan(&index);
    let before = index.rows().expect("rows").remove(0);
    drop(index);
    desk.delete_index();
    fs::rename(desk.at("HANDOFF.md"), desk.at("handover.md")).expect("moved");
    let index = Index::open(&desk.home).expect("an index");
    assert!(!index.scanned().expect("asked"));
    let earlier = Revision { rev: before.rev.clone(), seen_ms: 5, by: "agent".into(), bytes: 3 };
    index.seed_revisions([(before.identity.clone(), earlier.clone())]).expect("told");
    desk.scan(&index);
    assert_eq!(index.rows().expect("rows")[0].handle, before.handle);
    assert_eq!(index.revisions(&before.identity).expect("revisions"), [earlier]);
}

#[test]
fn a_copy_is_another_handoff() {
    let desk = Desk::new();
    desk.write("a/HANDOFF.md", &handoff("one"));
    let index = Index::open(&desk.home).expect("an index");
    desk.scan(&index);
    desk.write("b/HANDOFF.md", &handoff("one"));
    desk.scan(&index);
    let rows = index.rows().expect("rows");
    assert_eq!(rows.len(), 2);
    assert_ne!(rows[0].handle, rows[1].handle);
}

#[test]
fn one_id_with_the_same_bytes_in_two_places_is_one_handoff() {
    let desk = Desk::new();
    for place in ["a", "b"] {
        desk.write(&format!("{place}/handoff.json"), "{\"version\": 2, \"id\": \"01JX\", \"objective\": \"o\"}");
    }
    let index = Index::open(&desk.home).expect("an index");
    desk.scan(&index);
    let rows = index.rows().expect("rows");
    assert_eq!((rows.len(), rows[0].conflict), (1, false));
    assert_eq!(index.places("01JX").expect("places").len(), 2);
    fs::remove_file(&rows[0].path).expect("removed");
    desk.scan(&index);
    assert_eq!(index.rows().expect("rows").len(), 1, "the other place is shown");
    assert_eq!(index.search("objective", 9).expect("searched").len(), 1);
}

#[test]
fn a_scan_that_is_cancelled_forgets_nothing() {
    let desk = Desk::new();
    desk.write("HANDOFF.md", &handoff("one"));
    let index = Index::open(&desk.home).expect("an index");
    desk.scan(&index);
    let report = index.scan(&desk.config(), Path::new("/"), NOW, &mut |_, _, _| {}, &|| true).expect("scanned");
    assert!(report.cancelled);
    assert_eq!(index.rows().expect("rows").len(), 1);
}

#[test]
fn a_long_scan_tells_its_progress_and_stops_when_asked() {
    let desk = Desk::new();
    for number in 0..1_300 {
        desk.write(&format!("handoffs/{number}.md"), &handoff("x"));
    }
    let index = Index::open(&desk.home).expect("an index");
    let seen = Cell::new(0);
    let mut progress = |done: u32, total: Option<u32>, _: &Path| {
        if total == Some(1_300) {
            seen.set(done);
        }
    };
    let report =
        index.scan(&desk.config(), Path::new("/"), NOW, &mut progress, &|| seen.get() >= 500).expect("scanned");
    assert!(report.cancelled && seen.get() < 1_300, "{}", seen.get());
    let kept = index.rows().expect("rows").len();
    assert!((500..1_300).contains(&kept), "what was done is kept: {kept}");
    assert_eq!(desk.scan(&index).handoffs, 1_300);
}

#[test]
fn two_that_scan_at_once_find_the_same() {
    let desk = Desk::new();
    for number in 0..300 {
        desk.write(&format!("r{number}/HANDOFF.md"), &handoff(&number.to_string()));
    }
    let reports: Vec<ScanReport> = std::thread::scope(|scope| {
        let scans: Vec<_> =
            (0..4).map(|_| scope.spawn(|| desk.scan(&Index::open(&desk.home).expect("an index")))).collect();
        scans.into_iter().map(|scan| scan.join().expect("scanned")).collect()
    });
    assert!(reports.iter().all(|report| report.handoffs == 300), "{reports:?}");
    assert_eq!(Index::open(&desk.home).expect("an index").rows().expect("rows").len(), 300);
}

#[test]
fn links_stay_inside_their_root_and_what_cannot_be_read_is_a_problem() {
    let desk = Desk::new();
    fs::write(desk.root.join("secret.md"), handoff("elsewhere")).expect("written");
    desk.write("a/HANDOFF.md", &handoff("one"));
    symlink(desk.root.join("secret.md"), desk.at("HANDOFF.md")).expect("linked");
    symlink(desk.at("a/HANDOFF.md"), desk.at("handover.md")).expect("linked");
    symlink(desk.at("nothing"), desk.at("NEXT_SESSION.md")).expect("linked");
    let odd = desk.at("").join(OsStr::from_bytes(b"HANDOFF-\xff.md"));
    fs::write(&odd, handoff("odd")).expect("written");
    assert!(std::process::Command::new("mkfifo").arg(desk.at("handoff.json")).status().expect("mkfifo").success());
    let index = Index::open(&desk.home).expect("an index");
    let report = desk.scan(&index);
    assert_eq!(report.handoffs, 1, "{report:?}");
    let mut problems: Vec<&Path> = report.problems.iter().map(|(path, _)| path.as_path()).collect();
    problems.sort();
    assert_eq!(
        problems,
        [
            desk.at("HANDOFF-").with_file_name(odd.file_name().expect("a name")),
            desk.at("HANDOFF.md"),
            desk.at("NEXT_SESSION.md")
        ]
    );
}

#[test]
fn the_order_is_that_of_moments_whatever_the_zone() {
    let desk = Desk::new();
    for (name, date) in
        [("a", "2026-10-01T10:00:00+09:00"), ("b", "2026-10-01T02:00:00Z"), ("c", "2026-10-01T00:30:00-02:00")]
    {
        desk.write(&format!("{name}/HANDOFF.md"), &format!("---\ndate: {date}\n---\n{}", handoff(name)));
    }
    let index = Index::open(&desk.home).expect("an index");
    desk.scan(&index);
    let titles: Vec<String> = index
        .rows()
        .expect("rows")
        .iter()
        .filter_map(|row| row.path.parent()?.file_name()?.to_str().map(str::to_owned))
        .collect();
    assert_eq!(titles, ["c", "b", "a"]);
}

#[test]
fn what_is_old_at_the_first_scan_of_its_profile_starts_in_the_archive() {
    let desk = Desk::new();
    let dated = |day: &str| format!("---\ndate: {day}\n---\n{}", handoff(day));
    desk.write("one/old/HANDOFF.md", &dated("2026-09-01"));
    desk.write("one/new/HANDOFF.md", &dated("2026-10-31"));
    desk.write("two/old/HANDOFF.md", &dated("2026-09-01"));
    let index = Index::open(&desk.home).expect("an index");
    let mut config = Config { profiles: vec![desk.profile("one", "one")], ..Config::default() };
    desk.scan_as(&index, &config);
    desk.write("one/later/HANDOFF.md", &dated("2026-09-02"));
    config.profiles.push(desk.profile("two", "two"));
    desk.scan_as(&index, &config);
    let archived = |path: &str| index.at(&desk.at(path)).expect("asked").expect("there").archived;
    assert!(archived("one/old/HANDOFF.md") && archived("two/old/HANDOFF.md"));
    assert!(!archived("one/new/HANDOFF.md") && !archived("one/later/HANDOFF.md"));
    desk.write("one/old/HANDOFF.md", &dated("2026-09-03"));
    desk.scan_as(&index, &config);
    assert!(!archived("one/old/HANDOFF.md"), "a change is news");
}

#[test]
fn a_child_supersedes_its_parent_and_nothing_supersedes_itself() {
    let desk = Desk::new();
    let json = |id: &str, parent: &str| {
        let provenance = format!("{{\"parent\": \"{parent}\", \"written_at\": \"2026-10-01T00:00:00Z\"}}");
        format!("{{\"version\": 2, \"id\": \"{id}\", \"objective\": \"o\", \"provenance\": {provenance}}}")
    };
    desk.write("a/handoff.json", &json("alone", "alone"));
    desk.write("b/handoff.json", &json("first", ""));
    desk.write("c/handoff.json", &json("second", "first"));
    let index = Index::open(&desk.home).expect("an index");
    desk.scan(&index);
    let row = |id: &str| index.get(id).expect("asked").expect("there");
    assert_eq!(row("alone").superseded_by, None);
    assert_eq!(row("first").superseded_by, Some(row("second").handle));
    assert_eq!(row("second").superseded_by, None);
}

#[test]
fn what_was_published_is_found_without_a_profile() {
    let desk = Desk::new();
    let path = store::files::publish(&desk.home.handoffs().join("group"), "one.md", handoff("one").as_bytes())
        .expect("published");
    let index = Index::open(&desk.home).expect("an index");
    desk.scan(&index);
    let row = index.at(&path).expect("asked").expect("there");
    assert!(row.profiles.is_empty() && !row.archived);
    assert_eq!(desk.scan(&index).read, 0, "unchanged files are not read again");
}

#[test]
fn no_text_of_a_document_brings_a_secret_into_the_index() {
    let desk = Desk::new();
    let token = format!("ghp_{}", "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8");
    let json = format!(
        "{{\"version\": 2, \"objective\": \"o\", \"title\": \"{token}\", \"extra\": {{\"{token}\": 1}}, \"provenance\": {{\"from\": \"{token}\", \"to\": \"{token}\", \
         \"reason\": \"{token}\", \"parent\": \"{token}\", \"profile\": \"{token}\"}}}}"
    );
    desk.write("handoff.json", &json);
    desk.write(
        "HANDOFF.md",
        &format!("# Handoff {token}\n\nBranch: {token}\n\n## Next\n- a\n\n# Handoff two {token}\n\n## Next\n- b\n"),
    );
    let index = Index::open(&desk.home).expect("an index");
    assert_eq!(desk.scan(&index).handoffs, 2);
    for end in ["", "-wal"] {
        if let Ok(bytes) = fs::read(format!("{}{end}", desk.home.index().display())) {
            assert!(
                !bytes.windows(token.len()).any(|window| window.eq_ignore_ascii_case(token.as_bytes())),
                "index.db{end}"
            );
        }
    }
}

#[test]
fn the_two_files_of_a_pause_are_one_handoff_that_shows_the_structured_one() {
    let json = |at: &str| {
        format!(
            "{{\"phase\": \"04\", \"timestamp\": \"{at}\", \"status\": \"paused\", \"completed_tasks\": [{{\"name\": \"Loan model\"}}], \"remaining_tasks\": [{{\"name\": \"Fines\"}}], \"next_action\": \"Write the test\"}}\n"
        )
    };
    let markdown = "---\nphase: 04-loans\nstatus: in_progress\nlast_updated: 2026-10-20T10:00:40Z\n---\n\n<completed_work>\n- Loan model\n</completed_work>\n\n<remaining_work>\n- Fines\n</remaining_work>\n";
    let (structured, people) = (".planning/HANDOFF.json", ".planning/phases/04-loans/.continue-here.md");
    for first in [structured, people] {
        let desk = Desk::new();
        let index = Index::open(&desk.home).expect("an index");
        let paused = json("2026-10-20T10:00:00Z");
        let write = |path: &str| desk.write(path, if path == structured { &paused } else { markdown });
        write(first);
        desk.scan(&index);
        write(if first == structured { people } else { structured });
        desk.scan(&index);
        let rows = index.rows().expect("rows");
        assert_eq!(rows.len(), 1, "{first} first: {rows:#?}");
        assert_eq!(rows[0].path, desk.at(structured), "{first} first");
        assert!(!rows[0].conflict && rows[0].superseded_by.is_none(), "{rows:#?}");
        let mut places: Vec<_> =
            index.places(&rows[0].identity).expect("places").into_iter().map(|place| place.path).collect();
        places.sort();
        assert_eq!(places, [desk.at(structured), desk.at(people)]);
        // Another pause of the same folder is another handoff.
        desk.write(structured, &json("2026-10-21T09:00:00Z"));
        desk.delete_index();
        let index = Index::open(&desk.home).expect("an index");
        desk.scan(&index);
        assert_eq!(index.rows().expect("rows").len(), 2);
    }
}
