//! Public reports of other tools, each as what must hold here.

use std::fs;
use std::path::{Path, PathBuf};
use store::Home;
use store::config::{Config, Profile};
use store::index::Index;
use tempfile::TempDir;

/// 2026-11-01T00:00:00Z.
const NOW: i64 = 1_793_491_200_000;

struct Desk {
    _folder: TempDir,
    root: PathBuf,
    index: Index,
    config: Config,
}

impl Desk {
    fn new(root: &str) -> Self {
        let folder = TempDir::new().expect("a folder");
        let base = fs::canonicalize(folder.path()).expect("a path");
        let root = base.join(root);
        fs::create_dir_all(&root).expect("made");
        let profile = Profile {
            name: "p".into(),
            agent: "pi".into(),
            roots: vec![root.display().to_string()],
            ..Profile::default()
        };
        let home = Home::open(&base.join("home")).expect("a home");
        let index = Index::open(&home).expect("an index");
        Self { _folder: folder, root, index, config: Config { profiles: vec![profile], ..Config::default() } }
    }

    fn write(&self, path: &str, bytes: impl AsRef<[u8]>) {
        let path = self.root.join(path);
        fs::create_dir_all(path.parent().expect("a folder")).expect("made");
        fs::write(path, bytes).expect("written");
    }

    fn scan(&self) {
        self.index.scan(&self.config, Path::new("/nowhere"), NOW, &mut |_, _, _| {}, &|| false).expect("scanned");
    }
}

/// anthropics/claude-code#52513: names of folders were decoded to paths, and different paths share one name.
#[test]
fn two_sessions_in_one_folder_belong_each_to_the_folder_that_it_recorded() {
    let desk = Desk::new("agent");
    let places = [desk.root.join("日本"), desk.root.join("中国")];
    for (number, place) in places.iter().enumerate() {
        fs::create_dir_all(place.join(".git")).expect("made");
        let header = format!(
            r#"{{"type":"session","version":3,"id":"019e000{number}-1111","timestamp":"2026-10-0{}T10:00:00.000Z","cwd":"{}"}}"#,
            number + 1,
            place.display()
        );
        let handoff = format!(
            r###"{{"type":"custom_message","customType":"handoff","content":"## Goal\nGoal {number}.\n\n## Next Steps\n1. Soak","timestamp":"2026-10-0{}T11:00:00.000Z"}}"###,
            number + 1
        );
        desk.write(
            &format!("sessions/-----/2026-10-0{}T10-00-00-000Z_019e000{number}-1111.jsonl", number + 1),
            format!("{header}\n{handoff}\n"),
        );
    }
    desk.scan();
    let mut repos: Vec<_> = desk.index.rows().expect("rows").into_iter().map(|row| (row.objective, row.repo)).collect();
    repos.sort();
    let wanted: Vec<_> = places
        .iter()
        .enumerate()
        .map(|(number, place)| (Some(format!("Goal {number}.")), Some(place.clone())))
        .collect();
    assert_eq!(repos, wanted);
}

/// parcadei/Continuous-Claude-v3#68: of a folder with Markdown and YAML only one kind was found.
#[test]
fn markdown_beside_yaml_of_one_thread_are_both_listed_the_newer_first() {
    let desk = Desk::new("repo");
    desk.write(
        "thoughts/shared/handoffs/alarm/2026-03-02_11-20_alarm.yaml",
        "---\nsession: alarm\ndate: 2026-03-02\nstatus: partial\n---\ngoal: Old goal\nnow: Soak\nnext:\n  - Cool it\n",
    );
    desk.write(
        "thoughts/shared/handoffs/alarm/2026-03-03_09-00_alarm.md",
        "---\ndate: 2026-03-03T09:00:00Z\ntopic: \"New goal\"\n---\n# Handoff: alarm\n\n## Action Items & Next Steps\n1. Cool it\n",
    );
    desk.scan();
    let rows = desk.index.rows().expect("rows");
    let goals: Vec<_> = rows.iter().map(|row| row.objective.as_deref().unwrap_or_default()).collect();
    assert_eq!(goals, ["New goal", "Old goal"]);
    assert_ne!(rows[0].format, rows[1].format);
}

/// stablyai/orca#20455: what was over a cap was absent from the list, and nothing said so.
#[test]
fn a_file_over_the_cap_is_listed() {
    let desk = Desk::new("repo");
    let cap = handoff::Limits::default().file_bytes;
    let mut text = "# Handoff\n\n## Goal\nFire the kiln.\n\n## Next\n- soak\n\n## Notes\n".to_owned();
    text.push_str(&"some words \n".repeat(cap / 12 + 1));
    text.truncate(cap + 1);
    desk.write("HANDOFF.md", text);
    desk.scan();
    let rows = desk.index.rows().expect("rows");
    assert_eq!(rows.len(), 1);
    assert_eq!(rows[0].objective.as_deref(), Some("Fire the kiln."));
    assert_eq!(rows[0].readable, handoff::Readable::Partial);
}
