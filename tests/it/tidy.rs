//! The house keeps its rules: imports run downward, files stay small, one crate knows Tauri, one folder knows the host.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("the workspace").to_owned()
}

fn tracked() -> Vec<String> {
    let output = Command::new("git").args(["ls-files"]).current_dir(root()).output().expect("git");
    assert!(output.status.success(), "this test runs in a checkout");
    String::from_utf8_lossy(&output.stdout).lines().map(str::to_owned).collect()
}

fn text(path: &str) -> Option<String> {
    fs::read_to_string(root().join(path)).ok()
}

#[test]
fn imports_run_downward_only() {
    let allowed: &[(&str, &[&str])] = &[
        ("handoff", &[]),
        ("repo", &["handoff"]),
        ("store", &["handoff"]),
        ("desk", &["handoff", "repo", "store"]),
        ("api", &["desk", "handoff", "repo", "store"]),
        ("cli", &["api"]),
    ];
    for (room, below) in allowed {
        let manifest = text(&format!("src-tauri/crates/{room}/Cargo.toml")).expect("a manifest");
        let dependencies = manifest
            .split("[dependencies]")
            .nth(1)
            .unwrap_or_default()
            .split("\n[")
            .next()
            .unwrap_or_default()
            .to_owned();
        for (other, _) in allowed {
            let named = dependencies
                .lines()
                .any(|line| line.starts_with(&format!("{other}.")) || line.starts_with(&format!("{other} ")));
            assert!(!named || below.contains(other), "{room} imports {other}");
        }
        assert!(!dependencies.contains("tauri"), "{room} names Tauri");
    }
}

#[test]
fn no_source_file_passes_800_lines() {
    let long: Vec<String> = tracked()
        .into_iter()
        .filter(|path| [".rs", ".ts", ".svelte"].iter().any(|end| path.ends_with(end)))
        .filter(|path| text(path).is_some_and(|text| text.lines().count() > 800))
        .collect();
    assert!(long.is_empty(), "{long:?}");
}

#[test]
fn one_folder_of_the_page_knows_the_host() {
    let knowing: Vec<String> = tracked()
        .into_iter()
        .filter(|path| path.starts_with("ui/src/") && !path.starts_with("ui/src/ipc/"))
        .filter(|path| text(path).is_some_and(|text| text.contains("@tauri-apps")))
        .collect();
    assert!(knowing.is_empty(), "{knowing:?}");
}

#[test]
fn nothing_of_a_document_is_drawn_as_markup() {
    let drawn: Vec<String> = tracked()
        .into_iter()
        .filter(|path| path.ends_with(".svelte"))
        .filter(|path| text(path).is_some_and(|text| text.contains("{@html")))
        .collect();
    assert!(drawn.is_empty(), "{drawn:?}");
}

#[test]
fn no_file_names_a_machine_or_a_registry() {
    // Put together here, so that this file does not find itself.
    let words = [
        ["regi", "stry.npmjs"].concat(),
        ["py", "pi.org"].concat(),
        ["index.cra", "tes.io"].concat(),
        ["/wo", "rk/"].concat(),
    ];
    let naming: Vec<String> = tracked()
        .into_iter()
        // Cargo writes the name of its index into the lock file by itself.
        .filter(|path| path != "Cargo.lock")
        .filter(|path| text(path).is_some_and(|text| words.iter().any(|word| text.contains(word.as_str()))))
        .collect();
    assert!(naming.is_empty(), "{naming:?}");
}
