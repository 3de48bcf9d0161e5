//! Gemini CLI: one private policy file in the administrator's tier, which beats every mode. It always refuses the two
//! tools of plan mode: without a person, leaving plan mode means acting without any permission.

use super::super::Request;
use super::super::command::Command;
use super::patterns::{absolute, commands, regex, what};
use super::{Effect, Kind, Narrowing, hosted, knows};
use crate::Error;
use crate::launch::plan::PrivateFile;
use std::path::Path;

const FILE: &str = "fuda-policy.toml";
const ADMINISTRATOR: &[&str] = &["/etc/gemini-cli/policies", "/Library/Application Support/GeminiCli/policies"];

/// The flag for the Agent Client Protocol.
const ACP: &str = "--acp";

pub(super) fn narrow(
    command: &mut Command,
    request: &Request<'_>,
    kinds: &[Kind],
    asked: &[Kind],
) -> Result<Narrowing, Error> {
    let refuse = |why: String| Err(Error::CannotNarrow { agent: "Gemini", why });
    let administered = ADMINISTRATOR.iter().find(|folder| has_policies(Path::new(folder)));
    if let Some(folder) = administered {
        return refuse(format!(
            "an administrator's policies are in force ({folder}), so Fuda's rules would not be loaded, and without them Gemini can leave its plan mode with every permission"
        ));
    }
    if !knows(request, "--admin-policy") {
        if request.help.is_some_and(|help| help.contains("plan")) {
            return refuse(
                "this version knows plan mode and not --admin-policy, so it could leave plan mode with every permission".to_owned(),
            );
        }
        return Ok(super::words(kinds, "This version of Gemini takes no policy for one run."));
    }
    let mut policy = String::from("# Only refusals and questions. Written by Fuda for one run.\n");
    let mut narrowing = Narrowing::default();
    let hosted = command.has(&[ACP]) || !asked.is_empty();
    let hosted = hosted && hosted::can_host(command, request, ACP);
    for tool in ["enter_plan_mode", "exit_plan_mode"] {
        let mut fields = vec![("toolName", literal(tool))];
        if !hosted {
            fields.push(("interactive", "false".to_owned()));
        }
        rule(&mut policy, &fields, "deny");
    }
    for kind in kinds {
        if hosted && asked.contains(kind) {
            decide(&mut policy, kind, request, "ask_user");
            narrowing.effects.push(Effect::asked(&what(kind), "Gemini"));
        } else {
            narrowing.effects.push(decide(&mut policy, kind, request, "deny"));
        }
    }
    narrowing.files.push(PrivateFile { name: FILE.to_owned(), contents: policy });
    command.insert(vec!["--admin-policy".to_owned(), request.run_folder.join(FILE).to_string_lossy().into_owned()]);
    if hosted {
        hosted::host(command, request, &mut narrowing, ACP);
    } else {
        narrowing.notes.push(
            "Without a person Gemini refuses to edit and to run commands, unless your own policies allow it."
                .to_owned(),
        );
    }
    Ok(narrowing)
}

/// Adds the rules of one kind with this decision. The effect is that of a refusal.
fn decide(policy: &mut String, kind: &Kind, request: &Request<'_>, decision: &str) -> Effect {
    let shell = |policy: &mut String, pattern: &str| {
        rule(
            policy,
            &[("toolName", literal("run_shell_command")), ("commandRegex", literal(&format!("\\b{}", regex(pattern))))],
            decision,
        );
    };
    match kind {
        Kind::ReadOnly => {
            for tool in ["write_file", "replace", "run_shell_command", "mcp_*"] {
                rule(policy, &[("toolName", literal(tool))], decision);
            }
            Effect::rule("Gemini refuses to edit, to run commands and to call servers.")
        }
        Kind::Network => {
            for tool in ["web_fetch", "google_web_search", "mcp_*"] {
                rule(policy, &[("toolName", literal(tool))], decision);
            }
            for pattern in commands(kind) {
                shell(policy, &pattern);
            }
            Effect::rule(
                "Gemini's web tools, servers, curl, wget and their like are refused; other programs can still reach the network.",
            )
        }
        Kind::Touch(path) | Kind::Read(path) => {
            let tools = if matches!(kind, Kind::Touch(_)) {
                "[\"write_file\", \"replace\"]"
            } else {
                "[\"read_file\", \"read_many_files\"]"
            };
            let whole = absolute(path, request.folder, request.home);
            let relative = regex(path.trim_end_matches('/'));
            let argument = format!("({}|\"(\\./)?{relative})(/|\")", regex(&whole.to_string_lossy()));
            rule(policy, &[("toolName", tools.to_owned()), ("argsPattern", literal(&argument))], decision);
            Effect::rule(format!("Gemini refuses {}; a command can still do it.", what(kind)))
        }
        _ => {
            for pattern in commands(kind) {
                shell(policy, &pattern);
            }
            Effect::rule(format!("Gemini refuses {}; a script can still do it.", what(kind)))
        }
    }
}

fn rule(policy: &mut String, fields: &[(&str, String)], decision: &str) {
    policy.push_str("\n[[rule]]\n");
    for (key, value) in fields {
        policy.push_str(&format!("{key} = {value}\n"));
    }
    // Where a refusal and a question meet in one command, the refusal holds.
    let priority = if decision == "deny" { 999 } else { 998 };
    policy.push_str(&format!("decision = \"{decision}\"\npriority = {priority}\n"));
}

/// A string of TOML.
fn literal(text: &str) -> String {
    toml::Value::String(text.to_owned()).to_string()
}

fn has_policies(folder: &Path) -> bool {
    std::fs::read_dir(folder)
        .is_ok_and(|entries| entries.flatten().any(|entry| entry.path().extension().is_some_and(|end| end == "toml")))
}
