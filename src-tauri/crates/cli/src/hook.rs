//! `fuda hook AGENT`: started by an agent's hook with its input on standard input. Prints what a session's start is to
//! be told, in the shape that Claude Code and Codex share, and nothing else on standard output. Never ends with 2: to an
//! agent that would mean that what it was about to do is refused.
//!
//! An agent that ends does not wait for its hooks: with `-p` Claude Code 2.1.332 sends the one of a usage limit `SIGTERM`
//! some 20 ms after its start and ends its group and all that descends from it soon after, and Codex 0.171.0 gives the one of a session's end
//! three seconds. So the work is done by a process that descends from neither, and what the agent started waits for it.

use api::{Desk, HookInput, Hooked};
use serde_json::json;
use std::ffi::OsString;
use std::io::{IsTerminal, Read, Write};
use std::os::unix::process::CommandExt;
use std::process::{Command, ExitCode};

/// The longest input.
const LONGEST: u64 = 4 * 1024 * 1024;
/// How often the work is begun when a signal ends it before it says anything.
const STARTS: u32 = 3;

/// Does the work of a hook apart from the agent that started it. These words are started once more with one `apart` more
/// than they had: by the first process, which waits, and by the second, which ends at once, so that the third is nobody's
/// child. What that one prints comes back through a pipe, and after it its exit status, as one byte.
pub fn apart(times: u8, words: impl Iterator<Item = OsString>, work: impl FnOnce() -> u8) -> ExitCode {
    match times {
        // Another group could not read from a terminal.
        0 if std::io::stdin().is_terminal() => ExitCode::from(work()),
        0 => match waited(words) {
            Ok(code) => ExitCode::from(code),
            Err(error) => {
                say(&format!("the process that does the work could not be started: {error}"));
                ExitCode::FAILURE
            }
        },
        1 => again(words).and_then(|mut third| third.spawn()).map_or(ExitCode::FAILURE, |_| ExitCode::SUCCESS),
        _ => {
            let code = work();
            // The agent may be gone, and who waited with it.
            let _ = std::io::stdout().write_all(&[code]).and_then(|()| std::io::stdout().flush());
            ExitCode::from(code)
        }
    }
}

fn again(words: impl Iterator<Item = OsString>) -> std::io::Result<Command> {
    let mut command = Command::new(std::env::current_exe()?);
    command.args(words).arg("--apart");
    Ok(command)
}

fn waited(words: impl Iterator<Item = OsString>) -> std::io::Result<u8> {
    let words: Vec<OsString> = words.collect();
    let mut told = Vec::new();
    for _ in 0..STARTS {
        let (mut said, back) = std::io::pipe()?;
        // The command goes with this statement, and with it the end of the pipe that it holds.
        let mut second = again(words.iter().cloned())?.process_group(0).stdout(back).spawn()?;
        second.wait()?;
        said.read_to_end(&mut told)?;
        // Without a status the agent's signal met one of them; another signal does not follow.
        if !told.is_empty() {
            break;
        }
    }
    let code = told.pop().unwrap_or(1);
    std::io::stdout().write_all(&told)?;
    Ok(code)
}

/// 0, or 1 with the reason on standard error.
pub fn run(desk: &Desk, agent: &str) -> u8 {
    let failed = |reason: &dyn std::fmt::Display| {
        say(reason);
        1
    };
    if !api::AGENTS.contains(&agent) {
        return failed(&format!("{agent} is no agent that Fuda knows; it knows {}", api::AGENTS.join(", ")));
    }
    let mut text = Vec::new();
    if let Err(error) = std::io::stdin().take(LONGEST).read_to_end(&mut text) {
        return failed(&format!("the hook's input on standard input: {error}"));
    }
    let input: HookInput = match serde_json::from_slice(&text) {
        Ok(input) => input,
        Err(error) => return failed(&format!("the hook's input is not what {agent} gives its hooks: {error}")),
    };
    let environment = |name: &str| std::env::var(name).ok();
    match api::noted(desk, "hook", || desk.hook(agent, &input, &environment).map_err(Into::into)) {
        Ok(Hooked::Nothing) => {}
        Ok(Hooked::Offer(words)) => {
            let told = json!({ "hookEventName": input.hook_event_name, "additionalContext": words });
            crate::print::json_line(&json!({ "hookSpecificOutput": told }));
        }
        Ok(Hooked::Published(published)) => say(&format!("published {} ({})", published.handle, published.path)),
        Err(error) => return failed(&error.message),
    }
    0
}

/// On standard error. The agent that reads it may be gone.
fn say(words: &dyn std::fmt::Display) {
    let _ = writeln!(std::io::stderr(), "fuda: {words}");
}
