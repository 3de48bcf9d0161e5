//! Profiles: what the machine seems to have, and a configuration that stays the person's own.

use std::fs;
use std::os::unix::fs::symlink;
use std::path::Path;
use store::Home;
use store::config::{Config, Profile};
use store::detect::detect;
use tempfile::TempDir;

fn make(home: &Path, path: &str) {
    let path = home.join(path);
    fs::create_dir_all(path.parent().expect("a folder")).expect("made");
    fs::write(path, "# Handoff\n\n## Next\n- x\n").expect("written");
}

#[test]
fn every_agent_that_is_here_is_proposed_once_with_its_own_name() {
    let folder = TempDir::new().expect("a folder");
    let home = folder.path();
    for path in [
        ".claude/settings.json",
        ".claude-work/projects/x",
        ".config/claude/settings.json",
        ".codex/config.toml",
        ".pi/agent/x",
        ".omp/agent/x",
        ".omp/profiles/night/agent/x",
        ".musepi/agent/x",
        ".gemini/x",
        ".qwen/x",
        "code/shop/.claude/handoffs/2026-10-01-cart.md",
        "lab/.git/HEAD",
        "lab/HANDOFF.md",
        "empty/.git/HEAD",
        "elsewhere/settings.json",
    ] {
        make(home, path);
    }
    let env = |name: &str| (name == "CLAUDE_CONFIG_DIR").then(|| home.join("elsewhere").display().to_string());
    let proposals = detect(home, &env);
    let found: Vec<(&str, &str)> = proposals
        .iter()
        .map(|proposal| (proposal.profile.agent.as_str(), proposal.profile.roots[0].as_str()))
        .collect();
    for wanted in [
        ("claude-code", "~/.claude"),
        ("claude-code", "~/.claude-work"),
        ("claude-code", "~/.config/claude"),
        ("claude-code", "~/elsewhere"),
        ("codex", "~/.codex"),
        ("pi", "~/.pi/agent"),
        ("omp", "~/.omp/agent"),
        ("omp", "~/.omp/profiles/night/agent"),
        ("musepi", "~/.musepi/agent"),
        ("gemini", "~/.gemini"),
        ("qwen", "~/.qwen"),
        ("generic", "~/code"),
        ("generic", "~/lab"),
    ] {
        assert_eq!(found.iter().filter(|found| **found == wanted).count(), 1, "{wanted:?} in {found:?}");
    }
    assert!(!found.contains(&("generic", "~/empty")));
    let mut names: Vec<&str> = proposals.iter().map(|proposal| proposal.profile.name.as_str()).collect();
    let count = names.len();
    names.sort_unstable();
    names.dedup();
    assert_eq!(names.len(), count, "names are unique");
}

#[test]
fn sessions_of_oh_my_pi_are_found_where_people_follow_the_xdg_folders() {
    let folder = TempDir::new().expect("a folder");
    let home = folder.path();
    for path in ["data/omp/sessions/-kiln/x", "data/omp/profiles/day/sessions/-kiln/x", "data/omp/profiles/empty/x"] {
        make(home, path);
    }
    make(home, ".local/share/omp/sessions/-kiln/x");
    let roots = |variable: Option<&str>| -> Vec<String> {
        let value = variable.map(|path| home.join(path).display().to_string());
        let env = |name: &str| value.clone().filter(|_| name == "XDG_DATA_HOME");
        let found = detect(home, &env).into_iter().map(|proposal| proposal.profile);
        found.filter(|profile| profile.agent == "omp").flat_map(|profile| profile.roots).collect()
    };
    assert_eq!(roots(Some("data")), ["~/data/omp", "~/data/omp/profiles/day"]);
    assert_eq!(roots(Some("data/")), ["~/data/omp", "~/data/omp/profiles/day"]);
    assert_eq!(roots(None), ["~/.local/share/omp"]);
    let relative = |name: &str| (name == "XDG_DATA_HOME").then(|| "data".to_owned());
    let found = detect(home, &relative);
    assert!(found.iter().any(|one| one.profile.roots == ["~/.local/share/omp"]), "a relative path counts as none");
}

#[test]
fn every_key_of_an_added_profile_is_written_and_a_linked_configuration_stays_linked() {
    let folder = TempDir::new().expect("a folder");
    let home = Home::open(&folder.path().join("home")).expect("a home");
    let dotfile = folder.path().join("dotfile.toml");
    fs::write(&dotfile, "# mine\n").expect("written");
    symlink(&dotfile, home.config()).expect("linked");
    let profile = Profile {
        name: "p".into(),
        agent: "codex".into(),
        roots: vec!["~/x".into()],
        include: vec!["notes/*.md".into()],
        exclude: vec!["old/**".into()],
        pointer: Some("~/x/memory".into()),
        launch: vec!["codex".into(), "exec".into()],
        deliver: Some("path".into()),
        verify: vec!["cargo".into(), "test".into()],
        markers: true,
    };
    let config = Config::add_profile(&home, &profile).expect("added");
    assert_eq!(config.profiles, std::slice::from_ref(&profile));
    assert!(config.warnings.is_empty(), "{:?}", config.warnings);
    assert!(fs::symlink_metadata(home.config()).expect("there").is_symlink());
    assert!(fs::read_to_string(&dotfile).expect("read").starts_with("# mine"));
    for wrong in [
        Profile { name: "q".into(), deliver: Some("argument".into()), ..profile.clone() },
        Profile { name: "q".into(), include: vec!["a[".into()], ..profile.clone() },
    ] {
        assert!(Config::add_profile(&home, &wrong).is_err(), "{wrong:?}");
    }
}

#[test]
fn profiles_added_at_once_are_all_there() {
    let folder = TempDir::new().expect("a folder");
    let home = Home::open(folder.path()).expect("a home");
    std::thread::scope(|scope| {
        for number in 0..8 {
            let home = &home;
            scope.spawn(move || {
                let profile = Profile {
                    name: format!("p{number}"),
                    agent: "pi".into(),
                    roots: vec!["~".into()],
                    ..Profile::default()
                };
                Config::add_profile(home, &profile).expect("added");
            });
        }
    });
    assert_eq!(Config::load(&home).expect("read").profiles.len(), 8);
}
