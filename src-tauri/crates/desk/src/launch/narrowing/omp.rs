//! oh-my-pi: it acts without asking by default. A private overlay refuses commands; reading only is its own mode
//! `always-ask`, which nobody answers. A list of command patterns that the person has is not replaced.

use super::super::Request;
use super::super::command::Command;
use super::super::own::{self, Own};
use super::patterns::{commands, what};
use super::{Effect, Kind, Narrowing};
use crate::launch::plan::PrivateFile;
use serde_json::json;

const FILE: &str = "omp.yml";

pub(super) fn narrow(command: &mut Command, request: &Request<'_>, kinds: &[Kind]) -> Narrowing {
    let mut narrowing = Narrowing::default();
    let read_only = kinds.contains(&Kind::ReadOnly);
    if read_only {
        command.remove(&["--approval-mode"]);
        command.insert(vec!["--approval-mode".to_owned(), "always-ask".to_owned()]);
    }
    let theirs = own_patterns(command, request);
    let mut patterns: Vec<String> = Vec::new();
    let mut tools = serde_json::Map::new();
    for kind in kinds {
        narrowing.effects.push(match kind {
            Kind::ReadOnly => {
                Effect::rule("oh-my-pi refuses every tool that writes or runs something, since nobody answers.")
            }
            Kind::Touch(_) | Kind::Read(_) if !read_only => {
                Effect::words(format!("oh-my-pi has no rule that refuses {}.", what(kind)))
            }
            Kind::Touch(_) => {
                Effect::rule("oh-my-pi refuses every tool that writes or runs something, since nobody answers.")
            }
            Kind::Read(_) => Effect::words("oh-my-pi has no rule about reading."),
            Kind::Network => {
                for tool in ["web_search", "fetch", "browser"] {
                    tools.insert(tool.to_owned(), json!("deny"));
                }
                Effect::words("oh-my-pi's web tools are refused; commands can still reach the network.")
            }
            _ if theirs => {
                Effect::words("Your own bash.patterns of oh-my-pi are in force, and an overlay could replace them.")
            }
            _ => {
                patterns.extend(commands(kind));
                Effect::rule(format!("oh-my-pi refuses {}; a script can still do it.", what(kind)))
            }
        });
    }
    if !patterns.is_empty() || !tools.is_empty() {
        let list: Vec<_> = patterns.iter().map(|one| json!({ "match": starred(one), "approval": "deny" })).collect();
        let mut overlay = json!({});
        if !list.is_empty() {
            overlay["bash"] = json!({ "patterns": list });
        }
        if !tools.is_empty() {
            overlay["tools"] = json!({ "approval": tools });
        }
        // JSON is YAML.
        narrowing.files.push(PrivateFile { name: FILE.to_owned(), contents: format!("{overlay:#}\n") });
        command.insert(vec!["--config".to_owned(), request.run_folder.join(FILE).to_string_lossy().into_owned()]);
    }
    narrowing
}

fn starred(pattern: &str) -> String {
    if pattern.ends_with('*') { pattern.to_owned() } else { format!("{pattern}*") }
}

/// Whether the person, the repository or the command has patterns that an overlay would take the place of.
fn own_patterns(command: &Command, request: &Request<'_>) -> bool {
    let given =
        command.value(&["--config"]).map(|path| request.folder.join(store::config::expand(&path, request.home)));
    let known = [
        request.home.join(".omp/agent/config.yml"),
        request.home.join(".omp/config.yml"),
        request.folder.join(".omp/config.yml"),
        request.folder.join(".omp/settings.yml"),
    ];
    known.into_iter().chain(given).any(|path| match own::read(&path) {
        Own::Absent => false,
        Own::Text(text) => text.contains("patterns"),
        Own::Unknown(_) => true,
    })
}
