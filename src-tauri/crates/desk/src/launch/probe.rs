//! What an agent's own help says it understands. Asked instead of a version: flags come and go.

use super::command::Command;
use std::io::Read;
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::{Command as Program, Stdio};
use std::sync::mpsc;
use std::thread;
use std::time::Duration;

/// How long an agent may take to print its help.
const PATIENCE: Duration = Duration::from_secs(20);
const MOST: u64 = 512 << 10;

/// Runs the command's program with `--help` and returns what it prints, or nothing when it does not answer in time.
/// Started in the given folder, which is not the repository, with nothing on standard input.
pub fn help_of(agent: &str, launch: &[String], folder: &Path) -> Option<String> {
    let agent = super::Agent::named(agent);
    let argv = if launch.is_empty() { agent.default_command() } else { launch.to_vec() };
    let command = Command::new(agent, argv).ok()?;
    // A program of the person's own may do its work whatever it is asked; only an agent's own program is.
    if agent == super::Agent::Generic || !command.own_program {
        return None;
    }
    let subcommand = command.arguments().first().filter(|word| matches!(word.as_str(), "exec" | "e" | "run"));
    let mut words = command.argv[..=command.program].to_vec();
    words.extend(subcommand.cloned());
    words.push("--help".to_owned());
    // Some print their help as an error.
    let (output, end) = std::io::pipe().ok()?;
    let mut program = Program::new(words.first()?);
    program.args(&words[1..]).current_dir(folder).process_group(0);
    program.stdin(Stdio::null()).stdout(end.try_clone().ok()?).stderr(end);
    let mut child = program.spawn().ok()?;
    // The program's own copies of the pipe would keep it open.
    drop(program);
    let (said, heard) = mpsc::channel();
    thread::spawn(move || {
        let mut text = Vec::new();
        let _ = output.take(MOST).read_to_end(&mut text);
        let _ = said.send(String::from_utf8_lossy(&text).into_owned());
    });
    let text = heard.recv_timeout(PATIENCE).ok();
    if let Some(group) = i32::try_from(child.id()).ok().and_then(rustix::process::Pid::from_raw) {
        let _ = rustix::process::kill_process_group(group, rustix::process::Signal::KILL);
    }
    let _ = child.wait();
    text.filter(|text| !text.trim().is_empty())
}
