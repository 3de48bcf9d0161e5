//! Settings inside arguments and files: which keys widen.

use super::super::jsonc;
use serde_json::Value;

type Found = Option<(String, &'static str)>;

const ACTS: &str = "it lets the agent act without anybody's permission";
const OPENS: &str = "it opens the agent's sandbox";
const CODE: &str = "it brings in tools or code that were not approved";
const DROPS: &str = "it drops rules that your own configuration makes";

/// A `-c key=value` of Codex.
pub(super) fn codex_override(assignment: &str) -> Found {
    let (key, value) = assignment.split_once('=').unwrap_or((assignment, ""));
    let key: String = key.chars().filter(|character| !matches!(character, '"' | '\'' | ' ')).collect();
    let value = value.trim();
    let parsed = format!("x = {value}").parse::<toml::Table>().ok().and_then(|mut table| table.remove("x"));
    let value = parsed.unwrap_or_else(|| toml::Value::String(value.to_owned()));
    codex_key(&key, &value)
}

/// A whole `config.toml` layer of Codex.
pub(super) fn codex_file(text: &str) -> Found {
    match text.parse::<toml::Table>() {
        Ok(table) => codex_key("", &toml::Value::Table(table)),
        Err(_) => Some((String::new(), "what it says could not be read as TOML")),
    }
}

/// A `[profiles.NAME]` of the older form.
pub(super) fn codex_profile(text: &str, name: &str) -> Found {
    let table = text.parse::<toml::Table>().ok();
    let profile = table.as_ref().and_then(|table| table.get("profiles")?.get(name).cloned());
    match profile {
        Some(profile) => codex_key("", &profile).map(|(key, why)| (format!("{name}: {key}"), why)),
        None => Some((name.to_owned(), "what this profile says could not be read")),
    }
}

fn codex_key(key: &str, value: &toml::Value) -> Found {
    let found = |why: &'static str| Some((key.to_owned(), why));
    let text = value.as_str().unwrap_or_default();
    let parts: Vec<&str> = key.split('.').collect();
    let here = match parts.as_slice() {
        ["sandbox_mode"] if text == "danger-full-access" => found(OPENS),
        ["approval_policy"] if !matches!(text, "never" | "untrusted") => found(ACTS),
        ["approvals_reviewer"] if text == "auto_review" => found(ACTS),
        ["sandbox_workspace_write", "network_access"] if value.as_bool() != Some(false) => found(OPENS),
        ["sandbox_workspace_write", "writable_roots"] => found(OPENS),
        ["sandbox_permissions", ..] => found(OPENS),
        ["default_permissions"] if !matches!(text, ":read-only" | ":workspace") => found(OPENS),
        ["permissions", ..] if !value.is_table() => codex_permission(&parts, value).map(|why| (key.to_owned(), why)),
        ["shell_environment_policy", ..] => found("it hands more of your environment to commands"),
        ["hooks", ..] | ["notify"] | ["mcp_servers", ..] => found(CODE),
        ["bypass_hook_trust"] => found(CODE),
        ["projects", .., "trust_level"] if text != "untrusted" => {
            found("it makes the agent trust what the repository configures")
        }
        ["tools", "web_search"] if value.as_bool() != Some(false) => found("it opens the network for searches"),
        ["web_search"] if !matches!(text, "disabled" | "cached") => found("it opens the network for searches"),
        _ => None,
    };
    if here.is_some() {
        return here;
    }
    value.as_table()?.iter().find_map(|(name, inner)| {
        let below = if key.is_empty() { name.clone() } else { format!("{key}.{name}") };
        codex_key(&below, inner)
    })
}

fn codex_permission(parts: &[&str], value: &toml::Value) -> Option<&'static str> {
    let text = value.as_str().unwrap_or_default();
    let last = parts.last().copied().unwrap_or_default();
    let narrow = text == "deny"
        || (last == "enabled" && value.as_bool() == Some(false))
        || (last == "extends" && matches!(text, ":workspace" | ":read-only"));
    (!narrow).then_some(OPENS)
}

/// Settings of Claude Code. What only denies, asks or disables is no widening.
pub(super) fn claude(settings: &Value) -> Found {
    let found = |key: &str, why: &'static str| Some((key.to_owned(), why));
    let permissions = &settings["permissions"];
    if permissions["allow"].as_array().is_some_and(|list| !list.is_empty()) {
        return found("permissions.allow", ACTS);
    }
    if matches!(permissions["defaultMode"].as_str(), Some("bypassPermissions" | "acceptEdits" | "auto")) {
        return found("permissions.defaultMode", ACTS);
    }
    if permissions["additionalDirectories"].as_array().is_some_and(|list| !list.is_empty()) {
        return found("permissions.additionalDirectories", "it opens folders outside the approved one");
    }
    let sandbox = &settings["sandbox"];
    if sandbox["enabled"] == Value::Bool(false) {
        return found("sandbox.enabled", OPENS);
    }
    for key in ["autoAllowBashIfSandboxed", "allowUnsandboxedCommands", "excludedCommands"] {
        if !nothing(&sandbox[key]) {
            return found(&format!("sandbox.{key}"), OPENS);
        }
    }
    for (part, key) in [
        ("filesystem", "allowWrite"),
        ("filesystem", "allowRead"),
        ("filesystem", "disabled"),
        ("network", "allowedDomains"),
        ("network", "allowUnixSockets"),
        ("network", "allowAllUnixSockets"),
        ("network", "allowLocalBinding"),
        ("network", "allowMachLookup"),
        ("network", "httpProxyPort"),
        ("network", "socksProxyPort"),
    ] {
        if !nothing(&sandbox[part][key]) {
            return found(&format!("sandbox.{part}.{key}"), OPENS);
        }
    }
    let weaker = sandbox
        .as_object()
        .into_iter()
        .flatten()
        .find(|(key, value)| key.starts_with("enableWeaker") && !nothing(value));
    if let Some((key, _)) = weaker {
        return found(&format!("sandbox.{key}"), OPENS);
    }
    for key in ["disableAllHooks", "enableAllProjectMcpServers"] {
        if !nothing(&settings[key]) {
            return found(key, if key == "disableAllHooks" { DROPS } else { CODE });
        }
    }
    for key in ["hooks", "enabledMcpjsonServers", "enabledPlugins", "env", "apiKeyHelper", "statusLine"] {
        if !nothing(&settings[key]) {
            return found(key, CODE);
        }
    }
    None
}

fn nothing(value: &Value) -> bool {
    match value {
        Value::Null | Value::Bool(false) => true,
        Value::Array(list) => list.is_empty(),
        Value::Object(map) => map.is_empty(),
        _ => false,
    }
}

/// An overlay of oh-my-pi: anything that allows, or opens compound commands.
pub(super) fn omp(text: &str) -> Found {
    let lines = text.lines().map(|line| line.split(" #").next().unwrap_or(line));
    for line in lines.filter(|line| !line.trim_start().starts_with('#')) {
        let plain: String = line.chars().filter(|character| !matches!(character, '"' | '\'' | ' ')).collect();
        if plain.contains(":allow")
            || plain.contains("allowCompoundCommands:true")
            || plain.contains("approvalMode:yolo")
        {
            return Some((line.trim().to_owned(), ACTS));
        }
    }
    None
}

/// Settings of Amp.
pub(super) fn amp(settings: &Value) -> Found {
    if !nothing(&settings["amp.dangerouslyAllowAll"]) {
        return Some(("amp.dangerouslyAllowAll".to_owned(), ACTS));
    }
    if !nothing(&settings["amp.guardedFiles.allowlist"]) {
        return Some(("amp.guardedFiles.allowlist".to_owned(), ACTS));
    }
    let rules = settings["amp.permissions"].as_array().cloned().unwrap_or_default();
    rules
        .iter()
        .any(|rule| rule["action"] == "allow" && nothing(&rule["matches"]))
        .then(|| ("amp.permissions".to_owned(), ACTS))
}

/// Whether a permission of opencode allows everything, or folders outside.
pub(super) fn opencode_permission(text: &str) -> bool {
    jsonc::parse(text).is_none_or(|value| opencode_allows(&value))
}

/// The same for a whole configuration.
pub(super) fn opencode(text: &str) -> bool {
    jsonc::parse(text).is_none_or(|value| {
        opencode_allows(&value["permission"])
            || !nothing(&value["plugin"])
            || !nothing(&value["mcp"])
            || value["agent"].as_object().into_iter().flatten().any(|(_, agent)| opencode_allows(&agent["permission"]))
    })
}

fn opencode_allows(permission: &Value) -> bool {
    let allows = |value: &Value| {
        *value == "allow" || value.as_object().is_some_and(|map| map.values().any(|one| one == "allow"))
    };
    *permission == "allow" || permission["*"] == "allow" || allows(&permission["external_directory"])
}
