//! pi and oh-my-pi ask nobody without a screen, but they let an extension stop a tool before it runs. Fuda gives them one
//! for the run: a private file that refuses what is never to be done and asks a person at the desk about what needs one.
//! It only stops calls: it adds no tool and allows nothing that they would not do by themselves. An error in it stops the
//! call too.

use super::super::Agent;
use super::super::Request;
use super::super::command::Command;
use super::patterns::{absolute, commands, what};
use super::{Effect, Kind, Narrowing, knows};
use crate::launch::plan::PrivateFile;
use serde_json::{Value, json};

const FILE: &str = "fuda-gate.js";
/// Everything behind the three constants at its top.
const GATE: &str = include_str!("pi_gate.js");

/// None: this pi takes no extension, or nobody can be asked; the list of tools has to do.
pub(super) fn narrow(
    command: &mut Command,
    request: &Request<'_>,
    kinds: &[Kind],
    asked: &[Kind],
) -> Option<Narrowing> {
    let takes_it = matches!(command.agent, Agent::Pi | Agent::Omp) && knows(request, "--extension");
    let asking = request.asking.filter(|_| takes_it && !kinds.is_empty())?;
    // Reading only is what the list of tools says better, and oh-my-pi's own mode: it has more tools that write.
    let read_only = kinds.contains(&Kind::ReadOnly);
    if read_only && (command.agent == Agent::Omp || !asked.contains(&Kind::ReadOnly)) {
        return None;
    }
    let mut narrowing = Narrowing::default();
    let mut rules: Vec<Value> = Vec::new();
    for kind in kinds {
        let ask = asked.contains(kind);
        rules.push(rule(kind, ask, request));
        narrowing.effects.push(if ask {
            Effect::asked(&what(kind), command.agent.title())
        } else {
            Effect::rule(format!("Fuda's extension for this run refuses {}; a script can still do it.", what(kind)))
        });
    }
    let environment: serde_json::Map<String, Value> =
        asking.environment.iter().map(|(name, value)| (name.clone(), json!(value))).collect();
    let contents = format!(
        "const RULES = {};\nconst FUDA = {};\nconst ENVIRONMENT = {};\n{GATE}",
        Value::Array(rules),
        json!(asking.program.to_string_lossy()),
        Value::Object(environment)
    );
    narrowing.files.push(PrivateFile { name: FILE.to_owned(), contents });
    command.insert(vec!["--extension".to_owned(), request.run_folder.join(FILE).to_string_lossy().into_owned()]);
    Some(narrowing)
}

/// What the extension looks for: commands by pattern, tools by name, paths by where they lie.
fn rule(kind: &Kind, ask: bool, request: &Request<'_>) -> Value {
    let path = |text: &str| absolute(text, request.folder, request.home).to_string_lossy().into_owned();
    let (tools, paths): (&[&str], Vec<String>) = match kind {
        Kind::ReadOnly => (&["bash", "edit", "write"], Vec::new()),
        Kind::Touch(text) => (&["edit", "write"], vec![path(text)]),
        Kind::Read(text) => (&["read", "grep", "glob", "find", "ls", "edit", "write"], vec![path(text)]),
        Kind::Network => (&["web_search", "fetch", "browser"], Vec::new()),
        _ => (&[], Vec::new()),
    };
    let web = *kind == Kind::Network;
    json!({ "ask": ask, "what": what(kind), "commands": commands(kind), "tools": tools, "paths": paths, "web": web })
}
