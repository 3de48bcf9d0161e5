//! Qwen Code: `--exclude-tools`, which adds to the list of denials. Its rules stand in arguments, so only words of ours
//! and names that exist in the tree are used.

use super::super::command::Command;
use super::super::own::{self, Own};
use super::super::{Request, jsonc};
use super::patterns::{absolute, commands, sayable, what};
use super::{Effect, Kind, Narrowing, hosted, knows};
use serde_json::Value;

const WRITING: &[&str] = &["edit", "write_file", "notebook_edit", "run_shell_command", "monitor"];

/// The flag for the Agent Client Protocol.
const ACP: &str = "--acp";

pub(super) fn narrow(command: &mut Command, request: &Request<'_>, kinds: &[Kind], asked: &[Kind]) -> Narrowing {
    if !knows(request, "--exclude-tools") {
        return super::words(kinds, "This version of Qwen Code takes no denials for one run.");
    }
    let mut narrowing = Narrowing::default();
    let mut rules: Vec<String> = Vec::new();
    let hosted = command.has(&[ACP]) || !asked.is_empty() && !allows_something(request);
    let hosted = hosted && hosted::can_host(command, request, ACP);
    for kind in kinds {
        if hosted && asked.contains(kind) && !allows_something(request) {
            narrowing.effects.push(Effect::asked(&what(kind), "Qwen Code"));
            continue;
        }
        let (denied, effect) = deny(kind, request);
        rules.extend(denied);
        narrowing.effects.push(effect);
        if *kind == Kind::ReadOnly {
            narrowing.expected.tools_refused = WRITING.iter().map(|tool| (*tool).to_owned()).collect();
        }
    }
    rules.dedup();
    command.insert(rules.into_iter().map(|rule| format!("--exclude-tools={rule}")).collect());
    if hosted {
        hosted::host(command, request, &mut narrowing, ACP);
    }
    narrowing.expected.modes_refused =
        ["yolo", "auto-edit", "auto_edit"].iter().map(|mode| (*mode).to_owned()).collect();
    narrowing
}

/// Whether settings of the person or the repository let tools run unasked, or may do so: then a question that they answer
/// would never be heard.
fn allows_something(request: &Request<'_>) -> bool {
    let lists = |one: &Value| {
        [&one["permissions"]["allow"], &one["tools"]["allowed"], &one["allowedTools"]]
            .iter()
            .any(|list| list.as_array().is_some_and(|list| !list.is_empty()))
    };
    [request.home.join(".qwen/settings.json"), request.folder.join(".qwen/settings.json")].iter().any(|path| {
        match own::read(path) {
            Own::Absent => false,
            Own::Text(text) => jsonc::parse(&text).is_none_or(|one| lists(&one)),
            Own::Unknown(_) => true,
        }
    })
}

fn deny(kind: &Kind, request: &Request<'_>) -> (Vec<String>, Effect) {
    if !sayable(kind, request.folder, request.home) {
        let how = format!(
            "Qwen Code takes its rules as arguments, and Fuda puts no text of a document there: {}.",
            what(kind)
        );
        return (Vec::new(), Effect::words(how));
    }
    let path = |path: &str| format!("/{}", absolute(path, request.folder, request.home).to_string_lossy());
    let refused = format!("Qwen Code refuses {}; a script can still do it.", what(kind));
    match kind {
        Kind::ReadOnly => {
            let rules = WRITING.iter().map(|tool| (*tool).to_owned()).collect();
            (rules, Effect::rule("Qwen Code's tools that edit files and run commands are taken away."))
        }
        Kind::Network => {
            let mut rules = vec!["web_fetch".to_owned(), "web_search".to_owned()];
            rules.extend(commands(kind).iter().map(|one| shell(one)));
            let how = "Qwen Code's web tools, curl, wget and their like are refused; other programs can still reach the network.";
            (rules, Effect::rule(how))
        }
        Kind::Touch(text) => {
            (vec![format!("Edit({})", path(text)), format!("Edit({}/**)", path(text))], Effect::rule(refused))
        }
        Kind::Read(text) => {
            (vec![format!("Read({})", path(text)), format!("Read({}/**)", path(text))], Effect::rule(refused))
        }
        _ => (commands(kind).iter().map(|one| shell(one)).collect(), Effect::rule(refused)),
    }
}

fn shell(pattern: &str) -> String {
    if pattern.ends_with('*') { format!("Bash({pattern})") } else { format!("Bash({pattern} *)") }
}
