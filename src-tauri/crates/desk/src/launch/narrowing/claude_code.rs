//! Claude Code: one private settings file that only denies, given with `--settings`, which adds to the lists of every
//! other source. A settings value that the command already has is merged into that file.

use super::super::command::Command;
use super::super::own::{self, Own};
use super::super::{Request, jsonc};
use super::patterns::{absolute, commands, what};
use super::{Effect, Kind, Narrowing};
use crate::Error;
use crate::launch::plan::PrivateFile;
use serde_json::{Value, json};
use std::path::PathBuf;

const FILE: &str = "claude-settings.json";
/// The version that knows the strict network list.
const STRICT_NETWORK: &str = "2.1.219";

/// The server that asks a person, and its tool as Claude Code names it.
const ASKS: &str = "claude-asks.json";
const ASKS_TOOL: &str = "mcp__fuda__permission";
/// How long it may take over one question. How long a person has is what Fuda's own setting says.
const A_DAY_MS: u32 = 24 * 60 * 60 * 1_000;

pub(super) fn narrow(
    command: &mut Command,
    request: &Request<'_>,
    kinds: &[Kind],
    asked: &[Kind],
) -> Result<Narrowing, Error> {
    let mut narrowing = Narrowing::default();
    let own = own_settings(command, request);
    let (mut deny, mut ask): (Vec<String>, Vec<String>) = (Vec::new(), Vec::new());
    let asked = if can_ask(command, request, kinds, asked, &own) { asked } else { &[] };
    let offline = kinds.contains(&Kind::Network) && !asked.contains(&Kind::Network);
    let sandbox = offline.then(|| sandbox(request, &own)).flatten();
    for kind in kinds {
        let (rules, effect) = denied(kind, request, sandbox.as_ref());
        if asked.contains(kind) {
            ask.extend(rules.into_iter().filter(|rule| !rule.starts_with("mcp__")));
            narrowing.effects.push(Effect::asked(&what(kind), "Claude Code"));
        } else {
            deny.extend(rules);
            narrowing.effects.push(effect);
        }
    }
    if !ask.is_empty() {
        host(command, request, &mut narrowing);
    }
    deny.dedup();

    let mut settings = match command.value(&["--settings"]) {
        Some(value) => given(&value, request).ok_or_else(|| Error::CannotNarrow {
            agent: "Claude Code",
            why: "what its --settings holds could not be read as JSON".to_owned(),
        })?,
        None => json!({}),
    };
    add(&mut settings, &deny, &ask, sandbox.as_ref());
    command.remove(&["--settings"]);
    command.insert(vec!["--settings".to_owned(), request.run_folder.join(FILE).to_string_lossy().into_owned()]);
    narrowing.files.push(PrivateFile { name: FILE.to_owned(), contents: format!("{settings:#}\n") });

    let accepts = own.iter().any(|one| one["permissions"]["defaultMode"] == "acceptEdits");
    narrowing.expected.modes_refused = vec!["bypassPermissions".to_owned(), "auto".to_owned()];
    if accepts {
        narrowing.notes.push("Your own settings let Claude Code edit files without asking.".to_owned());
    } else {
        narrowing.expected.modes_refused.push("acceptEdits".to_owned());
    }
    narrowing.expected.tools_refused = deny.iter().filter(|rule| !rule.contains('(')).cloned().collect();
    if sandbox.is_some() {
        narrowing.expected.version_at_least = Some(STRICT_NETWORK.to_owned());
    }
    if own.iter().any(|one| one["permissions"]["defaultMode"] == "bypassPermissions") {
        narrowing.notes.push(
            "Your own settings start Claude Code without permissions; Fuda switches that off for this run and stops it if it is on."
                .to_owned(),
        );
    }
    Ok(narrowing)
}

/// Whether Fuda can be the one who is asked: Claude Code prints, nothing of the person's names another, and no rule
/// takes servers away or turns questions into refusals.
fn can_ask(command: &Command, request: &Request<'_>, kinds: &[Kind], asked: &[Kind], own: &[Value]) -> bool {
    let another = ["--permission-prompt-tool", "--permission-prompts", "--mcp-config", "--strict-mcp-config", "--bare"];
    let refuses = |one: &Value| {
        one["permissions"]["denyInsteadOfPrompting"] == true || one["permissions"]["defaultMode"] == "dontAsk"
    };
    let no_servers = |kind: &Kind| matches!(kind, Kind::ReadOnly | Kind::Network) && !asked.contains(kind);
    request.asking.is_some()
        && command.has(&["-p", "--print"])
        && !command.has(&another)
        && command.value(&["--permission-mode"]).is_none_or(|mode| mode != "dontAsk")
        && !own.iter().any(refuses)
        && !kinds.iter().any(no_servers)
}

/// Makes Fuda the one who is asked. The block stays on standard input: the question goes through a server of its own.
fn host(command: &mut Command, request: &Request<'_>, narrowing: &mut Narrowing) {
    let Some(asking) = request.asking else { return };
    let environment: serde_json::Map<String, Value> =
        asking.environment.iter().map(|(name, value)| (name.clone(), json!(value))).collect();
    // A variable of the person's or Claude Code's half an hour without a word would end the question before its time.
    let servers = json!({ "mcpServers": { "fuda": {
        "command": asking.program.to_string_lossy(), "args": ["ask", "--mcp"], "env": environment,
        "timeout": A_DAY_MS
    } } });
    narrowing.files.push(PrivateFile { name: ASKS.to_owned(), contents: format!("{servers:#}\n") });
    // The list of configurations is open-ended, so a flag stands behind it.
    command.insert(vec![
        "--mcp-config".to_owned(),
        request.run_folder.join(ASKS).to_string_lossy().into_owned(),
        "--permission-prompt-tool".to_owned(),
        ASKS_TOOL.to_owned(),
    ]);
}

fn denied(kind: &Kind, request: &Request<'_>, sandbox: Option<&Value>) -> (Vec<String>, Effect) {
    let path = |path: &str| format!("/{}", absolute(path, request.folder, request.home).to_string_lossy());
    match kind {
        Kind::ReadOnly => {
            let tools = ["Edit", "MultiEdit", "Write", "NotebookEdit", "Bash", "PowerShell", "Monitor", "mcp__*"];
            let how = "The tools that edit files, run commands and call servers are taken away.";
            (tools.iter().map(|tool| (*tool).to_owned()).collect(), Effect::rule(how))
        }
        Kind::Network => {
            let mut rules: Vec<String> =
                ["WebFetch", "WebSearch", "mcp__*"].iter().map(|tool| (*tool).to_owned()).collect();
            rules.extend(commands(kind).iter().map(|one| bash(one)));
            let effect = if sandbox.is_some() {
                Effect::sandbox(
                    "Commands run in a sandbox without network; WebFetch, WebSearch and MCP servers are taken away.",
                )
            } else {
                Effect::rule(
                    "WebFetch, WebSearch, MCP servers, curl, wget and their like are refused; other programs can still reach the network.",
                )
            };
            (rules, effect)
        }
        Kind::Touch(text) => {
            let whole = path(text);
            let rules = vec![format!("Edit({whole})"), format!("Edit({whole}/**)")];
            (rules, Effect::rule(format!("Claude Code refuses {}; a script can still do it.", what(kind))))
        }
        Kind::Read(text) => {
            let whole = path(text);
            let rules = vec![format!("Read({whole})"), format!("Read({whole}/**)")];
            (rules, Effect::rule(format!("Claude Code refuses {}; a script can still do it.", what(kind))))
        }
        _ => {
            let mut rules: Vec<String> = commands(kind).iter().map(|one| bash(one)).collect();
            if *kind == Kind::Migrate {
                rules.push(format!("Edit(/{}/**/migrations/**)", request.folder.to_string_lossy()));
            }
            (
                rules,
                Effect::rule(format!(
                    "Claude Code refuses {}; a script or another program can still do it.",
                    what(kind)
                )),
            )
        }
    }
}

fn bash(pattern: &str) -> String {
    if pattern.ends_with('*') { format!("Bash({pattern})") } else { format!("Bash({pattern} *)") }
}

/// The sandbox without network, when the machine has what it needs and no setting of the person opens a domain.
fn sandbox(request: &Request<'_>, own: &[Value]) -> Option<Value> {
    let opened = own
        .iter()
        .any(|one| one["sandbox"]["network"]["allowedDomains"].as_array().is_some_and(|list| !list.is_empty()));
    let path = (request.environment)("PATH").unwrap_or_default();
    let there = |program: &str| std::env::split_paths(&path).any(|folder| folder.join(program).is_file());
    let possible = cfg!(target_os = "macos") || (there("bwrap") && there("socat"));
    // Sandboxed commands would be allowed unasked by default, so that is switched off with it.
    (possible && !opened).then(|| {
        json!({
            "enabled": true,
            "failIfUnavailable": true,
            "allowUnsandboxedCommands": false,
            "autoAllowBashIfSandboxed": false,
            "network": { "strictAllowlist": true, "allowedDomains": [], "deniedDomains": ["*"] }
        })
    })
}

fn add(settings: &mut Value, deny: &[String], ask: &[String], sandbox: Option<&Value>) {
    if !settings["permissions"].is_object() {
        settings["permissions"] = json!({});
    }
    let permissions = &mut settings["permissions"];
    let mut list = permissions["deny"].as_array().cloned().unwrap_or_default();
    list.extend(deny.iter().map(|rule| json!(rule)));
    permissions["deny"] = Value::Array(list);
    if !ask.is_empty() {
        let mut list = permissions["ask"].as_array().cloned().unwrap_or_default();
        list.extend(ask.iter().map(|rule| json!(rule)));
        permissions["ask"] = Value::Array(list);
    }
    permissions["disableBypassPermissionsMode"] = json!("disable");
    permissions["disableAutoMode"] = json!("disable");
    if let (Some(Value::Object(ours)), true) = (sandbox, settings.is_object()) {
        if !settings["sandbox"].is_object() {
            settings["sandbox"] = json!({});
        }
        for (key, value) in ours {
            settings["sandbox"][key] = value.clone();
        }
    }
}

fn given(value: &str, request: &Request<'_>) -> Option<Value> {
    let text = if value.trim_start().starts_with('{') {
        value.to_owned()
    } else {
        let path = store::config::expand(value, request.home);
        own::read(&request.folder.join(path)).text()?.to_owned()
    };
    jsonc::parse(&text).filter(Value::is_object)
}

/// The person's and the repository's settings, as far as they can be read.
fn own_settings(command: &Command, request: &Request<'_>) -> Vec<Value> {
    let assigned =
        command.assignments.iter().find(|(name, _)| name == "CLAUDE_CONFIG_DIR").map(|(_, value)| value.clone());
    let folder = assigned
        .or_else(|| (request.environment)("CLAUDE_CONFIG_DIR"))
        .map_or(request.home.join(".claude"), PathBuf::from);
    let files = [
        folder.join("settings.json"),
        request.folder.join(".claude/settings.json"),
        request.folder.join(".claude/settings.local.json"),
    ];
    files
        .iter()
        .filter_map(|path| match own::read(path) {
            Own::Text(text) => jsonc::parse(&text),
            _ => None,
        })
        .collect()
}
