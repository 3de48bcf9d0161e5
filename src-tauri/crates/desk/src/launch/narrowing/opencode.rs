//! opencode: `OPENCODE_PERMISSION`, merged last and deep into the person's `permission`, and the same once more as
//! `OPENCODE_CONFIG_CONTENT`, which must be whole or nothing starts. A map takes the place of a
//! plain word there, so the word that was in force is repeated as `*`; the last match wins, so a denial that the
//! person's map already names is written once more under another spelling. An agent's own permission is merged after
//! that and outranks it: with one in force, the rules are words only. The value stands in the environment, so only words
//! of ours and names that exist in the tree are used.

use super::super::command::Command;
use super::super::own::{self, Own};
use super::super::{Request, jsonc};
use super::patterns::{commands, sayable, what};
use super::{Effect, Kind, Narrowing};
use serde_json::{Map, Value, json};
use std::path::PathBuf;

const PERMISSION: &str = "OPENCODE_PERMISSION";
const CONTENT: &str = "OPENCODE_CONFIG_CONTENT";

pub(super) fn narrow(command: &mut Command, request: &Request<'_>, kinds: &[Kind]) -> Narrowing {
    let own = match configurations(command, request) {
        Ok(own) => own,
        Err(path) => {
            let how = format!("{path} could not be read, and a rule of Fuda's could replace a narrower one there.");
            return super::words(kinds, &how);
        }
    };
    let outranked = own.iter().any(|one| {
        let agents = one["agent"].as_object().into_iter().chain(one["mode"].as_object()).flatten();
        agents.into_iter().any(|(_, agent)| !agent["permission"].is_null())
    }) || command.has(&["--agent"]);
    if outranked {
        return super::words(
            kinds,
            "An agent of your own configuration has permissions of its own, which outrank Fuda's rules.",
        );
    }
    if assigned(command, request, PERMISSION).is_some() {
        return super::words(
            kinds,
            "Your own OPENCODE_PERMISSION is in force; its order counts, so Fuda adds nothing to it.",
        );
    }
    let mut narrowing = Narrowing::default();
    let mut permission = Map::new();
    for kind in kinds {
        narrowing.effects.push(deny(&mut permission, kind, request, &own));
    }
    if !permission.is_empty() {
        let permission = Value::Object(permission);
        narrowing.set(PERMISSION, permission.to_string());
        // What came out of a wrapper broken is passed over there without a word; here it ends opencode before it begins.
        if assigned(command, request, CONTENT).is_none() {
            narrowing.set(CONTENT, json!({ "permission": permission }).to_string());
        }
    }
    narrowing
}

/// A variable as the command sets it, else as the agent would inherit it.
fn assigned(command: &Command, request: &Request<'_>, name: &str) -> Option<String> {
    let own = command.assignments.iter().find(|(set, _)| set == name).map(|(_, value)| value.clone());
    own.or_else(|| (request.environment)(name))
}

fn deny(permission: &mut Map<String, Value>, kind: &Kind, request: &Request<'_>, own: &[Value]) -> Effect {
    if !sayable(kind, request.folder, request.home) {
        let how = format!(
            "opencode takes its rules from the environment, and Fuda puts no text of a document there: {}.",
            what(kind)
        );
        return Effect::words(how);
    }
    let refused = format!("opencode refuses {}; a script can still do it.", what(kind));
    match kind {
        Kind::ReadOnly => {
            for tool in ["edit", "bash", "task"] {
                permission.insert(tool.to_owned(), json!("deny"));
            }
            Effect::rule("opencode refuses to edit files, to run commands and to start other agents.")
        }
        Kind::Network => {
            for tool in ["webfetch", "websearch"] {
                permission.insert(tool.to_owned(), json!("deny"));
            }
            patterns(permission, "bash", own, commands(kind).iter().map(|one| starred(one)));
            Effect::rule(
                "opencode's web tools, curl, wget and their like are refused; other programs can still reach the network.",
            )
        }
        Kind::Touch(path) | Kind::Read(path) => {
            let tool = if matches!(kind, Kind::Touch(_)) { "edit" } else { "read" };
            let path = path.trim_end_matches('/');
            patterns(permission, tool, own, [path.to_owned(), format!("{path}/**")].into_iter());
            Effect::rule(refused)
        }
        _ => {
            patterns(permission, "bash", own, commands(kind).iter().map(|one| starred(one)));
            Effect::rule(refused)
        }
    }
}

fn starred(pattern: &str) -> String {
    if pattern.ends_with('*') { pattern.to_owned() } else { format!("{pattern}*") }
}

/// Denials for one tool, behind whatever the person says about it.
fn patterns(permission: &mut Map<String, Value>, tool: &str, own: &[Value], denied: impl Iterator<Item = String>) {
    if permission.get(tool).is_some_and(|value| value == "deny") {
        return;
    }
    let theirs: Vec<&Value> = own.iter().map(|one| &one["permission"]).collect();
    let word = theirs.iter().rev().find_map(|permission| match &permission[tool] {
        Value::String(word) => Some(word.clone()),
        Value::Object(_) => None,
        _ => permission["*"].as_str().or(permission.as_str()).map(str::to_owned),
    });
    if word.as_deref() == Some("deny") {
        permission.insert(tool.to_owned(), json!("deny"));
        return;
    }
    let mapped = theirs.iter().any(|permission| permission[tool].is_object());
    let map = permission.entry(tool.to_owned()).or_insert_with(|| json!({}));
    let Some(map) = map.as_object_mut() else { return };
    if let (Some(word), false) = (word, mapped) {
        map.entry("*".to_owned()).or_insert(json!(word));
    }
    for pattern in denied {
        let known = |pattern: &str| theirs.iter().any(|permission| !permission[tool][pattern].is_null());
        let mut pattern = pattern;
        while known(&pattern) {
            pattern.push('*');
        }
        map.insert(pattern, json!("deny"));
    }
}

/// Every configuration that opencode would read, in its order. An error names the one that could not be read.
fn configurations(command: &Command, request: &Request<'_>) -> Result<Vec<Value>, String> {
    let config =
        (request.environment)("XDG_CONFIG_HOME").map_or(request.home.join(".config"), PathBuf::from).join("opencode");
    let mut files: Vec<PathBuf> = Vec::new();
    for folder in [config, request.folder.to_owned(), request.folder.join(".opencode")] {
        files.extend(["config.json", "opencode.json", "opencode.jsonc"].iter().map(|name| folder.join(name)));
    }
    files.extend((request.environment)("OPENCODE_CONFIG").map(PathBuf::from));
    let mut found = Vec::new();
    for path in files {
        match own::read(&path) {
            Own::Absent => {}
            Own::Text(text) => found.push(jsonc::parse(&text).ok_or_else(|| path.to_string_lossy().into_owned())?),
            Own::Unknown(_) => return Err(path.to_string_lossy().into_owned()),
        }
    }
    if let Some(text) = assigned(command, request, CONTENT) {
        found.push(jsonc::parse(&text).ok_or(CONTENT)?);
    }
    if let Some(text) = assigned(command, request, PERMISSION) {
        let permission = jsonc::parse(&text).ok_or(PERMISSION)?;
        found.push(json!({ "permission": permission }));
    }
    Ok(found)
}
