//! The file in which an agent kept its session: found by the id that it reported, in the places where that agent keeps
//! sessions. Looked for after the run and named in the outcome; never opened.

use super::Agent;
use std::path::{Path, PathBuf};

/// Folders that are looked into at most, so that a home with years of sessions costs a moment and no more.
const FOLDERS: usize = 20_000;

/// Where an agent keeps its sessions, and how a file is named after one.
struct Place {
    folder: PathBuf,
    /// Folders between that one and the file.
    depth: usize,
    name: Name,
}

enum Name {
    /// `<id>.jsonl`
    Id,
    /// `<anything>-<id>.jsonl`
    Dash,
    /// `<anything>_<id>.jsonl`
    Underscore,
}

/// The session's file, when it is where the agent keeps them.
pub fn session_file(
    agent: Agent,
    session: &str,
    argv: &[String],
    environment: &dyn Fn(&str) -> Option<String>,
    home: &Path,
) -> Option<PathBuf> {
    let plain = |letter: char| letter.is_ascii_alphanumeric() || "-_".contains(letter);
    if session.len() < 8 || session.len() > 128 || !session.chars().all(plain) {
        return None;
    }
    let mut left = FOLDERS;
    places(agent, argv, environment, home)
        .into_iter()
        .find_map(|place| find(&place.folder, place.depth, &|name| place.name.is_of(name, session), &mut left))
}

impl Name {
    fn is_of(&self, file: &str, session: &str) -> bool {
        let Some(stem) = file.strip_suffix(".jsonl") else { return false };
        match self {
            Self::Id => stem == session,
            Self::Dash => stem.strip_suffix(session).is_some_and(|before| before.ends_with('-')),
            Self::Underscore => stem.strip_suffix(session).is_some_and(|before| before.ends_with('_')),
        }
    }
}

/// Where each agent keeps sessions: what its own variables and flags say first, then its usual folder.
fn places(agent: Agent, argv: &[String], environment: &dyn Fn(&str) -> Option<String>, home: &Path) -> Vec<Place> {
    let set = |name: &str| {
        environment(name).filter(|value| !value.is_empty()).map(|value| store::config::expand(&value, home))
    };
    let place = |folder: PathBuf, depth, name| Place { folder, depth, name };
    match agent {
        Agent::ClaudeCode => {
            let root = set("CLAUDE_CONFIG_DIR").unwrap_or_else(|| home.join(".claude"));
            vec![place(root.join("projects"), 1, Name::Id)]
        }
        Agent::Codex => {
            let root = set("CODEX_HOME").unwrap_or_else(|| home.join(".codex"));
            vec![place(root.join("sessions"), 3, Name::Dash)]
        }
        Agent::Qwen => vec![place(home.join(".qwen/projects"), 2, Name::Id)],
        Agent::Pi | Agent::MusePi => {
            let (usual, own, sessions) = match agent {
                Agent::Pi => (".pi/agent", "PI_CODING_AGENT_DIR", "PI_CODING_AGENT_SESSION_DIR"),
                _ => (".musepi/agent", "MUSEPI_CODING_AGENT_DIR", "MUSEPI_CODING_AGENT_SESSION_DIR"),
            };
            let chosen = value_of(argv, "--session-dir").map(|folder| store::config::expand(&folder, home));
            let mut places: Vec<Place> =
                chosen.or_else(|| set(sessions)).map(|folder| place(folder, 1, Name::Underscore)).into_iter().collect();
            let root = set(own).unwrap_or_else(|| home.join(usual));
            places.push(place(root.join("sessions"), 1, Name::Underscore));
            places
        }
        Agent::Omp => {
            let profile = set("OMP_PROFILE").or_else(|| set("PI_PROFILE"));
            let profile = profile.filter(|name| !name.as_os_str().is_empty() && name.as_os_str() != "default");
            let root = home.join(".omp");
            let agent = match &profile {
                Some(name) => root.join("profiles").join(name).join("agent"),
                None => set("PI_CODING_AGENT_DIR").unwrap_or_else(|| root.join("agent")),
            };
            let mut places = vec![place(agent.join("sessions"), 1, Name::Underscore)];
            if let Some(data) = set("XDG_DATA_HOME") {
                let omp = match &profile {
                    Some(name) => data.join("omp/profiles").join(name),
                    None => data.join("omp"),
                };
                places.push(place(omp.join("sessions"), 1, Name::Underscore));
            }
            places
        }
        _ => Vec::new(),
    }
}

fn value_of(argv: &[String], flag: &str) -> Option<String> {
    let at = argv.iter().position(|word| word == flag);
    at.and_then(|at| argv.get(at + 1).cloned())
        .or_else(|| argv.iter().find_map(|word| Some(word.strip_prefix(flag)?.strip_prefix('=')?.to_owned())))
}

/// Looks into the newest names first, since a session that just ended lies there. Links are not followed.
fn find(folder: &Path, depth: usize, is_it: &dyn Fn(&str) -> bool, left: &mut usize) -> Option<PathBuf> {
    *left = left.checked_sub(1)?;
    let mut folders = Vec::new();
    for entry in std::fs::read_dir(folder).ok()?.flatten() {
        let Ok(kind) = entry.file_type() else { continue };
        if kind.is_file() && entry.file_name().to_str().is_some_and(is_it) {
            return Some(entry.path());
        }
        if kind.is_dir() && depth > 0 {
            folders.push(entry.path());
        }
    }
    folders.sort_unstable_by(|one, other| other.cmp(one));
    folders.into_iter().find_map(|below| find(&below, depth - 1, is_it, left))
}

#[cfg(test)]
mod tests {
    use super::*;

    const ID: &str = "0199c8de-0000-7000-8000-000000000001";

    fn found(agent: Agent, file: &str, variables: &[(&str, &str)], argv: &[&str]) -> bool {
        let home = tempfile::TempDir::new().expect("a folder");
        let path = home.path().join(file);
        std::fs::create_dir_all(path.parent().expect("above")).expect("made");
        std::fs::write(&path, "{}\n").expect("written");
        let environment = |name: &str| {
            let value = variables.iter().find(|(known, _)| *known == name)?.1;
            Some(value.replace('~', &home.path().display().to_string()))
        };
        let argv: Vec<String> = argv.iter().map(|word| (*word).to_owned()).collect();
        session_file(agent, ID, &argv, &environment, home.path()).is_some_and(|found| found == path)
    }

    #[test]
    fn a_session_is_found_where_its_agent_keeps_it() {
        let claude = format!(".claude/projects/-home-dev-x/{ID}.jsonl");
        let codex = format!(".codex/sessions/2026/12/02/rollout-2026-12-02T10-00-00-{ID}.jsonl");
        let pi = format!(".pi/agent/sessions/--home-dev-x--/2026-12-02T10-00-00-000Z_{ID}.jsonl");
        assert!(found(Agent::ClaudeCode, &claude, &[], &[]));
        assert!(found(Agent::Codex, &codex, &[], &[]));
        assert!(found(Agent::Pi, &pi, &[], &[]));
        assert!(!found(Agent::Codex, &claude, &[], &[]));
    }

    #[test]
    fn the_agents_own_variables_and_flags_come_first() {
        let codex = format!("work/sessions/2026/12/02/rollout-x-{ID}.jsonl");
        assert!(found(Agent::Codex, &codex, &[("CODEX_HOME", "~/work")], &[]));
        let pi = format!("kept/2026_{ID}.jsonl");
        assert!(found(Agent::Pi, &pi, &[("PI_CODING_AGENT_SESSION_DIR", "~/kept")], &[]));
        assert!(found(Agent::Pi, &pi, &[], &["pi", "--session-dir", "~/kept"]));
    }

    #[test]
    fn an_id_that_is_no_id_names_nothing() {
        let none = |_: &str| None;
        for id in ["", "..", "../../etc/passwd", "short", "a b c d e f g"] {
            assert_eq!(session_file(Agent::ClaudeCode, id, &[], &none, Path::new("/")), None, "{id:?}");
        }
    }
}
