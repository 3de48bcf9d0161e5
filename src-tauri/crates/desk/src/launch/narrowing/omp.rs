//! oh-my-pi: it acts without asking by default. The extension that pi gets refuses and asks here too; where it cannot be
//! used, a private overlay refuses commands. Reading only is its own mode `always-ask`, which nobody answers. A list of
//! command patterns that the person has is not replaced.

use super::super::Request;
use super::super::command::Command;
use super::super::own::{self, Own};
use super::patterns::{commands, what};
use super::{Effect, Kind, Narrowing, pi_gate};
use crate::launch::plan::PrivateFile;
use serde_json::{Map, Value, json};

const FILE: &str = "omp.yml";
/// How long an extension may take over a call. By default it is half a minute and then a refusal, and a person may take
/// longer: how long is what Fuda's own setting says.
const A_DAY_MS: u32 = 24 * 60 * 60 * 1_000;

pub(super) fn narrow(command: &mut Command, request: &Request<'_>, kinds: &[Kind], asked: &[Kind]) -> Narrowing {
    match pi_gate::narrow(command, request, kinds, asked) {
        Some(mut narrowing) => {
            let refused: Vec<&Kind> = kinds.iter().filter(|kind| !asked.contains(kind)).collect();
            let theirs = own_patterns(command, request);
            let patterns = refused.iter().filter(|_| !theirs).flat_map(|kind| commands(kind)).collect();
            let web = refused.contains(&&Kind::Network);
            let patience = json!({ "toolCallTimeoutMs": A_DAY_MS });
            overlay(command, request, &mut narrowing, patterns, web, Some(patience));
            narrowing
        }
        None => by_overlay(command, request, kinds),
    }
}

fn by_overlay(command: &mut Command, request: &Request<'_>, kinds: &[Kind]) -> Narrowing {
    let mut narrowing = Narrowing::default();
    let read_only = kinds.contains(&Kind::ReadOnly);
    if read_only {
        command.remove(&["--approval-mode"]);
        command.insert(vec!["--approval-mode".to_owned(), "always-ask".to_owned()]);
    }
    let theirs = own_patterns(command, request);
    let mut patterns: Vec<String> = Vec::new();
    let mut web = false;
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
                web = true;
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
    overlay(command, request, &mut narrowing, patterns, web, None);
    narrowing
}

/// Writes the overlay and names it to the command; none where it would say nothing.
fn overlay(
    command: &mut Command,
    request: &Request<'_>,
    narrowing: &mut Narrowing,
    patterns: Vec<String>,
    web: bool,
    handlers: Option<Value>,
) {
    let mut overlay = Map::new();
    if !patterns.is_empty() {
        let list: Vec<_> = patterns.iter().map(|one| json!({ "match": starred(one), "approval": "deny" })).collect();
        overlay.insert("bash".to_owned(), json!({ "patterns": list }));
    }
    if web {
        let tools = json!({ "web_search": "deny", "fetch": "deny", "browser": "deny" });
        overlay.insert("tools".to_owned(), json!({ "approval": tools }));
    }
    overlay.extend(handlers.map(|handlers| ("extensionHandlers".to_owned(), handlers)));
    if overlay.is_empty() {
        return;
    }
    // JSON is YAML.
    narrowing.files.push(PrivateFile { name: FILE.to_owned(), contents: format!("{:#}\n", Value::Object(overlay)) });
    command.insert(vec!["--config".to_owned(), request.run_folder.join(FILE).to_string_lossy().into_owned()]);
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
