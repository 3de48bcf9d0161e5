//! Agents that speak the Agent Client Protocol can ask a person before each tool, when somebody is there to be asked.
//! Fuda is: the command is started through `fuda acp`, which takes every question to the desk.

use super::super::Request;
use super::super::command::Command;
use super::{Narrowing, knows};

/// Flags that give the agent something to do other than the block, or another one to talk to.
const BUSY: &[&str] = &[
    "-p",
    "--prompt",
    "-i",
    "--prompt-interactive",
    "-r",
    "--resume",
    "-c",
    "--continue",
    "--session-id",
    "--input-format",
    "--input-file",
    "--json-schema",
];

/// Whether an agent that is started with a flag for the protocol can be hosted: the flag is in its help, or the command
/// has it already, and the command gives it nothing else to do.
pub(super) fn can_host(command: &Command, request: &Request<'_>, flag: &str) -> bool {
    let speaks = command.has(&[flag]) || request.help.is_some() && knows(request, flag);
    can_ask(request) && command.own_program && speaks && !command.has(BUSY)
}

/// Whether a person can be asked through a program of ours that stands before the agent.
pub(super) fn can_ask(request: &Request<'_>) -> bool {
    request.asking.is_some() && request.deliver != Some("path")
}

/// Starts the command through `fuda acp`.
pub(super) fn host(command: &mut Command, request: &Request<'_>, narrowing: &mut Narrowing, flag: &str) {
    let Some(asking) = request.asking else { return };
    command.remove(&["-o", "--output-format"]);
    if !flag.is_empty() && !command.has(&[flag]) {
        command.insert(vec![flag.to_owned()]);
    }
    narrowing.through = vec![asking.program.to_string_lossy().into_owned(), "acp".to_owned(), "--".to_owned()];
    narrowing.notes.push(format!(
        "{} is started through the Agent Client Protocol: before an edit or a command that your own settings do not allow, you are asked here.",
        command.agent.title()
    ));
}
