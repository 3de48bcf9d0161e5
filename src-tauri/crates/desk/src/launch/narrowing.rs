//! The safety boundary in an agent's own terms. Only denials are added: a mode is never set where it could replace
//! something narrower in the person's own configuration, which is read first. A part that the agent cannot express
//! comes back as words only.

mod claude_code;
mod codex;
mod gemini;
mod goose;
mod hosted;
mod omp;
mod opencode;
mod patterns;
mod pi;
mod pi_gate;
mod qwen;
mod remotes;

use super::boundary::Kind;
use super::command::Command;
use super::plan::{EnvChange, Expected, Grade, PrivateFile};
use super::{Agent, Request};
use crate::Error;

/// What holds one kind of rule up.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Effect {
    pub grade: Grade,
    pub how: String,
}

impl Effect {
    fn sandbox(how: impl Into<String>) -> Self {
        Self { grade: Grade::Sandbox, how: how.into() }
    }
    fn rule(how: impl Into<String>) -> Self {
        Self { grade: Grade::AgentRule, how: how.into() }
    }
    fn asked(what: &str, title: &str) -> Self {
        Self {
            grade: Grade::AskedHere,
            how: format!(
                "Before {title} does it ({what}), you are asked here; a script can still do it unasked. Without an answer it is refused."
            ),
        }
    }
    fn words(how: impl Into<String>) -> Self {
        Self { grade: Grade::WordsOnly, how: how.into() }
    }
}

/// What an agent's narrowing adds. `effects` stands beside the kinds that were asked for, one each.
#[derive(Debug, Default)]
pub(crate) struct Narrowing {
    pub effects: Vec<Effect>,
    pub environment: Vec<EnvChange>,
    pub files: Vec<PrivateFile>,
    pub expected: Expected,
    pub notes: Vec<String>,
    /// Words before the command: a program of ours that asks at the desk what the agent asks.
    pub through: Vec<String>,
}

impl Narrowing {
    fn set(&mut self, name: &str, value: String) {
        let why = "the boundary as the agent's own rules".to_owned();
        self.environment.push(EnvChange { name: name.to_owned(), removed: false, why, value: Some(value) });
    }
}

/// Adds the agent's own narrowing to the command.
///
/// # Errors
/// [`Error::CannotNarrow`] when the agent could climb out of any boundary as configured.
pub(crate) fn narrow(
    command: &mut Command,
    request: &Request<'_>,
    kinds: &[Kind],
    asked: &[Kind],
) -> Result<Narrowing, Error> {
    match command.agent {
        Agent::ClaudeCode => claude_code::narrow(command, request, kinds, asked),
        Agent::Codex => Ok(codex::narrow(command, request, kinds)),
        Agent::Pi | Agent::MusePi => Ok(pi::narrow(command, request, kinds, asked)),
        Agent::Omp => Ok(omp::narrow(command, request, kinds, asked)),
        Agent::Gemini => gemini::narrow(command, request, kinds, asked),
        Agent::Qwen => Ok(qwen::narrow(command, request, kinds, asked)),
        Agent::Opencode => Ok(opencode::narrow(command, request, kinds)),
        Agent::Goose => Ok(goose::narrow(command, request, kinds)),
        Agent::Amp => Ok(words(kinds, "Amp has no rule that Fuda can add for one run.")),
        Agent::Generic => Ok(words(kinds, "Fuda knows no narrowing for this command.")),
    }
}

/// Whether the agent's help names a flag. Without help it is taken for known: an unknown flag ends the agent before it
/// begins, which is the safe way to fail.
fn knows(request: &Request<'_>, flag: &str) -> bool {
    let part = |character: char| character.is_ascii_alphanumeric() || character == '-';
    request.help.is_none_or(|help| {
        help.match_indices(flag)
            .any(|(at, _)| !help[at + flag.len()..].starts_with(part) && !help[..at].ends_with(part))
    })
}

fn words(kinds: &[Kind], how: &str) -> Narrowing {
    Narrowing { effects: kinds.iter().map(|_| Effect::words(how)).collect(), ..Narrowing::default() }
}
