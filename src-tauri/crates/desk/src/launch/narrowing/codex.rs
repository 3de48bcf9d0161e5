//! Codex: its sandbox. The mode is only ever made narrower than what the command or the person's configuration says, and
//! never named at all beside `default_permissions`, whose denials any `sandbox_mode` would switch off. There is no flag
//! that refuses a command, so what the sandbox does not cover is words only.
//!
//! Tried with 0.171.0: in `workspace-write`, as in `read-only`, `.git` cannot be written and sockets are refused;
//! in `workspace-write` a push to a bare repository below the temporary folder succeeded.

use super::super::Request;
use super::super::command::Command;
use super::super::own::{self, Own};
use super::patterns::what;
use super::{Effect, Kind, Narrowing, remotes};
use std::path::PathBuf;

#[derive(Clone, Copy, PartialEq, Eq)]
enum Sandbox {
    ReadOnly,
    Workspace,
    /// A permission profile of the person's own, or a configuration that could not be read.
    Theirs,
}

pub(super) fn narrow(command: &mut Command, request: &Request<'_>, kinds: &[Kind]) -> Narrowing {
    let mut narrowing = Narrowing::default();
    let own = configuration(command, request);
    let profile = own.as_ref().ok().and_then(|table| table.get("default_permissions")?.as_str().map(str::to_owned));
    let exec = ["exec", "e"].into_iter().find(|word| command.has(&[word]));
    let flag = command.value(&["--sandbox", "-s"]).or_else(|| overridden(command, "sandbox_mode"));
    let configured = own.as_ref().ok().and_then(|table| table.get("sandbox_mode")?.as_str().map(str::to_owned));
    let read_only = kinds.contains(&Kind::ReadOnly);

    let sandbox = match (profile.as_deref(), &own) {
        (Some(":read-only"), _) if flag.is_none() => Sandbox::ReadOnly,
        (Some(":workspace"), _) if flag.is_none() && !read_only => Sandbox::Workspace,
        (Some(_), _) if flag.is_none() => Sandbox::Theirs,
        (None, Err(_)) if flag.is_none() => Sandbox::Theirs,
        _ => {
            // What runs without a person starts read-only unless somebody said otherwise.
            let mode = flag.clone().or(configured);
            let open = matches!(mode.as_deref(), Some("danger-full-access")) || (mode.is_none() && exec.is_none());
            let workspace = mode.as_deref() == Some("workspace-write") || open;
            let wanted = if read_only || !workspace { Sandbox::ReadOnly } else { Sandbox::Workspace };
            set_sandbox(command, exec, wanted);
            wanted
        }
    };
    if sandbox != Sandbox::Theirs {
        let mut words = Vec::new();
        if profile.is_none() || flag.is_some() {
            words.extend(["-c".to_owned(), "sandbox_workspace_write.network_access=false".to_owned()]);
        }
        if kinds.contains(&Kind::Network) {
            words.extend(["-c".to_owned(), "web_search=\"disabled\"".to_owned()]);
        }
        match exec {
            Some(exec) => command.insert_behind(exec, words),
            None => command.insert(words),
        }
    }
    if sandbox == Sandbox::ReadOnly && !read_only {
        narrowing.notes.push(
            "Codex will only read: neither the command nor its configuration names the sandbox workspace-write."
                .to_owned(),
        );
    }
    if let Err(reason) = &own {
        narrowing
            .notes
            .push(format!("Codex's own configuration could not be read ({reason}), so its sandbox is left as it is."));
    }
    narrowing.effects = kinds.iter().map(|kind| effect(kind, sandbox, request)).collect();
    narrowing
}

fn effect(kind: &Kind, sandbox: Sandbox, request: &Request<'_>) -> Effect {
    if sandbox == Sandbox::Theirs {
        return Effect::words(
            "Your own permission profile of Codex is in force and left as it is; Fuda cannot say what it refuses.",
        );
    }
    let read_only = sandbox == Sandbox::ReadOnly;
    match kind {
        Kind::Push | Kind::ForcePush if !read_only && remotes::on_this_machine(request.folder) => Effect::words(
            "A remote of this repository is or may be a folder of this machine: where Codex may write there, it can push without a network.",
        ),
        Kind::Push | Kind::ForcePush | Kind::Publish => {
            Effect::sandbox("Codex's sandbox has no network and cannot write .git. MCP servers are not inside it.")
        }
        Kind::Network => {
            Effect::sandbox("Codex's sandbox has no network, and its web search is off. MCP servers are not inside it.")
        }
        Kind::Commit | Kind::Rewrite => Effect::sandbox("Codex's sandbox cannot write .git."),
        Kind::ReadOnly if read_only => Effect::sandbox("Codex's sandbox is read-only."),
        Kind::Touch(_) | Kind::Delete if read_only => Effect::sandbox("Codex's sandbox is read-only."),
        Kind::Install => Effect::words("Codex's sandbox has no network, but no rule refuses the command."),
        _ => Effect::words(format!("Codex has no flag that refuses {}.", what(kind))),
    }
}

fn set_sandbox(command: &mut Command, exec: Option<&str>, sandbox: Sandbox) {
    let mode = if sandbox == Sandbox::ReadOnly { "read-only" } else { "workspace-write" };
    command.remove(&["--sandbox", "-s"]);
    let words = vec!["--sandbox".to_owned(), mode.to_owned()];
    match exec {
        Some(exec) => command.insert_behind(exec, words),
        None => command.insert(words),
    }
}

/// A key that the command sets with `-c`.
fn overridden(command: &Command, key: &str) -> Option<String> {
    let arguments = command.arguments();
    let pairs =
        arguments.windows(2).filter(|pair| matches!(pair[0].as_str(), "-c" | "--config")).map(|pair| pair[1].as_str());
    let inline = arguments.iter().filter_map(|word| word.strip_prefix("--config=").or_else(|| word.strip_prefix("-c")));
    let set = pairs.chain(inline).filter_map(|assignment| assignment.split_once('='));
    let values = set.filter(|(name, _)| name.trim() == key).map(|(_, value)| value.trim().trim_matches('"').to_owned());
    values.fold(None, |_, last| Some(last))
}

fn configuration(command: &Command, request: &Request<'_>) -> Result<toml::Table, String> {
    let assigned = command.assignments.iter().find(|(name, _)| name == "CODEX_HOME").map(|(_, value)| value.clone());
    let folder =
        assigned.or_else(|| (request.environment)("CODEX_HOME")).map_or(request.home.join(".codex"), PathBuf::from);
    let read = |path: PathBuf| match own::read(&path) {
        Own::Absent => Ok(toml::Table::new()),
        Own::Text(text) => text.parse::<toml::Table>().map_err(|_| "it is no TOML".to_owned()),
        Own::Unknown(reason) => Err(reason),
    };
    let mut table = read(folder.join("config.toml"))?;
    if let Some(name) = command.value(&["--profile", "-p"]) {
        table.extend(read(folder.join(format!("{name}.config.toml")))?);
    }
    Ok(table)
}
