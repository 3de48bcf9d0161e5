//! Which profiles this machine seems to have. Proposals only: a person adds them.

use crate::config::Profile;
use crate::names::{is_known_name, never_walked};
use std::path::{Path, PathBuf};

/// Folders that are looked through for repositories, at most this deep and this many.
const DEEPEST: usize = 4;
const MOST_FOLDERS: usize = 4_000;

/// Folders in which people keep their repositories.
const USUAL: &[&str] = &["code", "Code", "src", "projects", "Projects", "work", "repos", "dev", "git", "Documents"];

/// A profile that could be added.
#[derive(Clone, Debug, PartialEq)]
pub struct Proposal {
    /// As it would be added.
    pub profile: Profile,
    /// How it was found, in a few words.
    pub found_by: String,
}

/// Looks for agents' folders below the home and in the environment, and for repositories that hold handoffs.
pub fn detect(home: &Path, env: &dyn Fn(&str) -> Option<String>) -> Vec<Proposal> {
    let mut proposals: Vec<Proposal> = Vec::new();
    let mut add = |name: String, agent: &str, root: PathBuf, found_by: String| {
        let root = shortened(&root, home);
        if proposals.iter().all(|other: &Proposal| !other.profile.roots.contains(&root)) {
            let taken = proposals.iter().filter(|other| other.profile.name == name).count();
            let name = if taken == 0 { name } else { format!("{name}-{}", taken + 1) };
            let profile = Profile { name, agent: agent.to_owned(), roots: vec![root], ..Profile::default() };
            proposals.push(Proposal { profile, found_by });
        }
    };
    for (agent, variable, folder) in [
        ("claude-code", "CLAUDE_CONFIG_DIR", ".claude"),
        ("codex", "CODEX_HOME", ".codex"),
        ("pi", "PI_CODING_AGENT_DIR", ".pi/agent"),
        ("musepi", "MUSEPI_CODING_AGENT_DIR", ".musepi/agent"),
        ("omp", "OMP_AGENT_DIR", ".omp/agent"),
        ("gemini", "GEMINI_HOME", ".gemini"),
        ("qwen", "QWEN_HOME", ".qwen"),
        ("opencode", "OPENCODE_DATA_DIR", ".local/share/opencode"),
        ("goose", "GOOSE_DATA_DIR", ".config/goose"),
        ("amp", "AMP_DATA_DIR", ".local/share/amp"),
    ] {
        if let Some(path) = env(variable)
            .map(|path| crate::config::expand(path.trim_end_matches('/'), home))
            .filter(|path| path.is_dir())
        {
            add(format!("{agent}-env"), agent, path, format!("{variable} names it"));
        }
        let path = home.join(folder);
        if path.is_dir() {
            add(agent.to_owned(), agent, path, format!("~/{folder} is there"));
        }
    }
    for name in folders(home) {
        if let Some(suffix) = name.strip_prefix(".claude-") {
            let path = home.join(&name);
            if path.join("projects").is_dir() || path.join("settings.json").is_file() {
                add(
                    format!("claude-{suffix}"),
                    "claude-code",
                    path,
                    format!("~/{name} is a Claude Code configuration"),
                );
            }
        }
    }
    let xdg = home.join(".config/claude");
    if xdg.is_dir() {
        add("claude-config".to_owned(), "claude-code", xdg, "~/.config/claude is there".to_owned());
    }
    for name in folders(&home.join(".omp/profiles")) {
        add(
            format!("omp-{name}"),
            "omp",
            home.join(".omp/profiles").join(&name).join("agent"),
            format!("~/.omp/profiles/{name} is there"),
        );
    }
    // Where people follow the XDG folders, oh-my-pi keeps its sessions there, without the level `agent`.
    let data = env("XDG_DATA_HOME").filter(|path| path.starts_with(['/', '~']));
    let data =
        data.map_or_else(|| home.join(".local/share"), |path| crate::config::expand(path.trim_end_matches('/'), home));
    let omp = data.join("omp");
    let holds_sessions = |folder: &Path| folder.join("sessions").is_dir();
    if holds_sessions(&omp) {
        add("omp-data".to_owned(), "omp", omp.clone(), format!("{} holds its sessions", shortened(&omp, home)));
    }
    for name in folders(&omp.join("profiles")) {
        let profile = omp.join("profiles").join(&name);
        if holds_sessions(&profile) {
            let found_by = format!("{} holds its sessions", shortened(&profile, home));
            add(format!("omp-{name}-data"), "omp", profile, found_by);
        }
    }
    let mut looked = 0;
    for name in folders(home) {
        let root = home.join(&name);
        let usual = USUAL.contains(&name.as_str());
        if (usual || root.join(".git").exists()) && holds_handoffs(&root, Path::new(&name), 0, &mut looked) {
            let found_by = if usual {
                format!("repositories below ~/{name} hold handoffs")
            } else {
                format!("~/{name} holds handoffs")
            };
            add(name, "generic", root, found_by);
        }
    }
    proposals
}

fn shortened(path: &Path, home: &Path) -> String {
    match path.strip_prefix(home) {
        Ok(rest) => format!("~/{}", rest.display()),
        Err(_) => path.display().to_string(),
    }
}

fn folders(path: &Path) -> Vec<String> {
    let mut names: Vec<String> = std::fs::read_dir(path)
        .into_iter()
        .flatten()
        .flatten()
        .filter(|entry| entry.file_type().is_ok_and(|kind| kind.is_dir()))
        .map(|entry| entry.file_name().to_string_lossy().into_owned())
        .collect();
    names.sort();
    names
}

/// Whether a folder holds a handoff by its name. `relative` is the folder's path from the root's own name on.
fn holds_handoffs(folder: &Path, relative: &Path, depth: usize, looked: &mut usize) -> bool {
    *looked += 1;
    if depth > DEEPEST || *looked > MOST_FOLDERS {
        return false;
    }
    let Ok(entries) = std::fs::read_dir(folder) else { return false };
    let mut below = Vec::new();
    for entry in entries.flatten() {
        let name = entry.file_name();
        match entry.file_type() {
            Ok(kind) if kind.is_file() && is_known_name(&relative.join(&name)) => return true,
            Ok(kind) if kind.is_dir() && !never_walked(&name.to_string_lossy()) => {
                below.push((entry.path(), relative.join(&name)))
            }
            _ => {}
        }
    }
    below.iter().any(|(path, relative)| holds_handoffs(path, relative, depth + 1, looked))
}
