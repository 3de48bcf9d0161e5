//! pi and MusePi: they never ask and know no command patterns, so only the list of tools can be shortened. An exclusion
//! is used where the program has one; else the list of reading tools, cut with a list that the command already has.

use super::super::command::Command;
use super::super::{Agent, Request};
use super::{Effect, Kind, Narrowing, knows, pi_gate};

const READING: &[&str] = &["read", "grep", "find", "ls"];
const WRITING: &[&str] = &["bash", "edit", "write"];

pub(super) fn narrow(command: &mut Command, request: &Request<'_>, kinds: &[Kind], asked: &[Kind]) -> Narrowing {
    if let Some(narrowing) = pi_gate::narrow(command, request, kinds, asked) {
        return narrowing;
    }
    let title = command.agent.title();
    let mut narrowing = Narrowing::default();
    if kinds.contains(&Kind::ReadOnly) {
        read_only(command, request);
    }
    narrowing.effects = kinds
        .iter()
        .map(|kind| match kind {
            Kind::ReadOnly => Effect::rule(format!("{title} gets its reading tools only.")),
            _ if kinds.contains(&Kind::ReadOnly) && !matches!(kind, Kind::Network | Kind::Read(_)) => {
                Effect::rule(format!("{title} gets its reading tools only."))
            }
            _ => Effect::words(format!("{title} has no rules for commands, paths or the network.")),
        })
        .collect();
    narrowing
}

fn read_only(command: &mut Command, request: &Request<'_>) {
    let list = |names: &[&str]| names.join(",");
    if knows(request, "--exclude-tools") {
        command.insert(vec!["--exclude-tools".to_owned(), list(WRITING)]);
    }
    // A list of their own is kept as far as it only reads; servers' tools stay outside such a list in newer versions.
    let own = command.value(&["--tools", "-t"]);
    if own.is_some() || request.help.is_none() || !knows(request, "--exclude-tools") {
        let kept: Vec<&str> = match &own {
            Some(own) => READING.iter().copied().filter(|tool| own.split(',').any(|one| one.trim() == *tool)).collect(),
            None => READING.to_vec(),
        };
        command.remove(&["--tools", "-t"]);
        let none = kept.is_empty();
        let words = if none { vec!["--no-tools".to_owned()] } else { vec!["--tools".to_owned(), list(&kept)] };
        command.insert(words);
    }
    if command.agent == Agent::Pi && request.help.is_some() && knows(request, "--no-mcp") && !command.has(&["--no-mcp"])
    {
        command.insert(vec!["--no-mcp".to_owned()]);
    }
}
