//! What a launch command may not contain: flags, settings and variables that give an agent more than it would have by
//! itself, or that drop rules which the person made. The command is refused and what was found is named; Fuda never
//! takes it out silently, since a command that means something else than it says is worse.

mod settings;
mod table;

use super::command::Command;
use super::own::{self, Own};
use super::{Agent, Request};
use crate::Error;
use table::{Flag, When};

/// Checks a command.
///
/// # Errors
/// [`Error::Widening`] that names what was found.
pub(crate) fn check(command: &Command, request: &Request<'_>) -> Result<(), Error> {
    let agent = command.agent;
    let refuse = |found: &str, why: &str| {
        Err(Error::Widening { agent: agent.title(), found: found.to_owned(), why: why.to_owned() })
    };
    for (name, value) in &command.assignments {
        if let Some(why) = table::variable(agent, name, value) {
            return refuse(name, why);
        }
    }
    let arguments = &command.argv[1..];
    let mut skip_value = false;
    for (at, word) in arguments.iter().enumerate() {
        if std::mem::take(&mut skip_value) || !word.starts_with('-') || word == "-" || word == "--" {
            continue;
        }
        let (name, inline) = match word.split_once('=') {
            Some((name, value)) => (name, Some(value)),
            None => (word.as_str(), None),
        };
        let next = arguments.get(at + 1).map(String::as_str);
        if name.starts_with("--") {
            let flag = same(name);
            if flag.starts_with("dangerously") || flag.starts_with("allowdangerously") {
                return refuse(name, "it takes the agent's own guard away");
            }
            if let Some(found) = table::flags(agent).iter().find(|one| same(one.long) == flag) {
                judge(found, word, inline.or(next)).map_or(Ok(()), |(what, why)| refuse(&what, why))?;
                deeper(agent, found, inline.or(next), request)?;
            }
        } else {
            for (found, value) in shorts(agent, name, inline, next) {
                judge(found, word, value.as_deref()).map_or(Ok(()), |(what, why)| refuse(&what, why))?;
                deeper(agent, found, value.as_deref(), request)?;
            }
        }
    }
    Ok(())
}

/// Variables of the surrounding environment that would widen; they are taken away for the agent.
pub(crate) fn inherited(
    agent: Agent,
    environment: &dyn Fn(&str) -> Option<String>,
) -> impl Iterator<Item = (&'static str, &'static str)> {
    table::variables(agent).iter().filter_map(move |name| {
        let value = environment(name)?;
        table::variable(agent, name, &value).map(|why| (*name, why))
    })
}

/// How flags are compared: agents accept `--approval-mode`, `--approvalMode` and `--approval_mode` alike.
fn same(name: &str) -> String {
    name.chars().filter(|character| !matches!(character, '-' | '_')).flat_map(char::to_lowercase).collect()
}

fn judge(flag: &Flag, word: &str, value: Option<&str>) -> Option<(String, &'static str)> {
    let value = value.unwrap_or_default();
    let found = match flag.when {
        When::Always => !matches!(value_inline(word), Some("false" | "0" | "no")),
        When::Is(values) => values.iter().any(|one| same(one) == same(value)),
        When::IsNot(values) => !values.iter().any(|one| same(one) == same(value)),
        When::Begins(start) => value.split(',').any(|one| one.trim().starts_with(start)),
        When::Looked => false,
    };
    let shown = match flag.when {
        When::Always | When::Looked => word.split('=').next().unwrap_or(word).to_owned(),
        _ if word.contains('=') => word.to_owned(),
        _ => format!("{word} {value}"),
    };
    found.then_some((shown, flag.why))
}

fn value_inline(word: &str) -> Option<&str> {
    word.split_once('=').map(|(_, value)| value)
}

/// The short flags in a word: `-yp`, `-sread-only`, `-s read-only`, `-nbt` where an agent has short words.
fn shorts(agent: Agent, name: &str, inline: Option<&str>, next: Option<&str>) -> Vec<(&'static Flag, Option<String>)> {
    let table = table::flags(agent);
    let value = inline.or(next).map(str::to_owned);
    let whole = table.iter().find(|flag| flag.short == Some(name.trim_start_matches('-')));
    if let Some(flag) = whole {
        return vec![(flag, value)];
    }
    if table::short_words(agent) {
        return Vec::new();
    }
    let mut found = Vec::new();
    let letters = name.trim_start_matches('-');
    for (at, letter) in letters.char_indices() {
        let rest = &letters[at + letter.len_utf8()..];
        let takes = table::takes_value(agent, letter);
        let flag =
            table.iter().find(|flag| flag.short.is_some_and(|short| short.len() == 1 && short.starts_with(letter)));
        if let Some(flag) = flag {
            let own = if takes && !rest.is_empty() {
                Some(match inline {
                    Some(inline) => format!("{rest}={inline}"),
                    None => rest.to_owned(),
                })
            } else {
                value.clone()
            };
            found.push((flag, own));
        }
        if takes {
            break;
        }
    }
    found
}

/// Values that hold settings of their own.
fn deeper(agent: Agent, flag: &Flag, value: Option<&str>, request: &Request<'_>) -> Result<(), Error> {
    let When::Looked = flag.when else { return Ok(()) };
    let value = value.unwrap_or_default();
    let refuse = |found: String, why: &str| {
        Err(Error::Widening { agent: agent.title(), found: format!("{} {found}", flag.long), why: why.to_owned() })
    };
    let file = |path: &str| {
        let path = store::config::expand(path, request.home);
        own::read(&if path.is_absolute() { path } else { request.folder.join(path) })
    };
    match (agent, flag.long) {
        (Agent::Codex, "--config") => settings::codex_override(value).map_or(Ok(()), |(key, why)| refuse(key, why)),
        (Agent::Codex, "--profile") => {
            let folder = (request.environment)("CODEX_HOME").map_or(request.home.join(".codex"), Into::into);
            match own::read(&folder.join(format!("{value}.config.toml"))) {
                Own::Text(text) => settings::codex_file(&text).map_or(Ok(()), |(key, why)| refuse(key, why)),
                Own::Absent => match own::read(&folder.join("config.toml")) {
                    Own::Text(text) => {
                        settings::codex_profile(&text, value).map_or(Ok(()), |(key, why)| refuse(key, why))
                    }
                    _ => refuse(value.to_owned(), "what this profile says could not be read"),
                },
                Own::Unknown(_) => refuse(value.to_owned(), "what this profile says could not be read"),
            }
        }
        (Agent::ClaudeCode, "--settings") => {
            let text = if value.trim_start().starts_with('{') { Own::Text(value.to_owned()) } else { file(value) };
            match text.text().and_then(super::jsonc::parse) {
                Some(json) => settings::claude(&json).map_or(Ok(()), |(key, why)| refuse(key, why)),
                None => refuse(String::new(), "what it holds could not be read as JSON"),
            }
        }
        (Agent::Omp, "--config") => match file(value) {
            Own::Text(text) => settings::omp(&text).map_or(Ok(()), |(key, why)| refuse(key, why)),
            _ => refuse(String::new(), "what this overlay says could not be read"),
        },
        (Agent::Amp, "--settings-file") => match file(value).text().and_then(super::jsonc::parse) {
            Some(json) => settings::amp(&json).map_or(Ok(()), |(key, why)| refuse(key, why)),
            None => refuse(String::new(), "what it holds could not be read as JSON"),
        },
        _ => Ok(()),
    }
}
