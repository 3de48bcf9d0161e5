//! A launch command taken apart: what stands before the agent's program, which program it is, and its arguments.
//! Changed only by adding to it and by replacing a value that Fuda narrows.

use super::Agent;
use crate::Error;

/// A launch command.
#[derive(Clone, Debug)]
pub(crate) struct Command {
    /// Everything, program first (after `env` and the like).
    pub argv: Vec<String>,
    /// Where the agent's program stands.
    pub program: usize,
    /// Which agent it is.
    pub agent: Agent,
    /// Whether the program is the agent's own, not a wrapper with another name.
    pub own_program: bool,
    /// What `env` in front of it sets.
    pub assignments: Vec<(String, String)>,
}

const SHELLS: &[&str] = &["sh", "bash", "dash", "zsh", "fish", "ksh", "busybox"];
/// Programs that only start what stands behind them, and the subcommands of those that do.
const LAUNCHERS: &[&str] = &[
    "env",
    "nice",
    "ionice",
    "nohup",
    "timeout",
    "time",
    "stdbuf",
    "setsid",
    "npx",
    "bunx",
    "pnpx",
    "bun",
    "node",
    "deno",
    "pnpm",
    "yarn",
    "npm",
    "dlx",
    "exec",
    "run",
    "x",
    "mise",
    "direnv",
    "xterm",
    "foot",
    "alacritty",
    "kitty",
    "start",
];
const RAISING: &[&str] = &["sudo", "doas", "su", "pkexec", "run0"];

impl Command {
    /// Takes a command apart.
    ///
    /// # Errors
    /// [`Error::Usage`] for an empty command; [`Error::Widening`] for one that raises rights or hides the agent in a
    /// shell's text, where no flag could be seen.
    pub fn new(agent: Agent, argv: Vec<String>) -> Result<Self, Error> {
        if argv.first().is_none_or(|first| first.is_empty()) {
            return Err(Error::Usage(
                "The profile names no program to start. Set launch in config.toml, or give a command after --."
                    .to_owned(),
            ));
        }
        let found = argv
            .iter()
            .enumerate()
            .take_while(|(at, _)| argv[..*at].iter().all(|word| launches(word)))
            .find_map(|(at, word)| Some((at, Agent::of_program(word)?)));
        let (program, agent, own_program) = match found {
            Some((at, found)) => (at, found, true),
            None => (first_program(&argv), agent, false),
        };
        let before = &argv[..=program];
        if let Some(raising) = before.iter().find(|word| RAISING.contains(&basename(word))) {
            return Err(Error::Widening {
                agent: agent.title(),
                found: raising.clone(),
                why: "it would give the agent another user's rights".to_owned(),
            });
        }
        let shell = before.iter().find(|word| SHELLS.contains(&basename(word)));
        if let Some(shell) = shell.filter(|_| agent != Agent::Generic) {
            return Err(Error::Widening {
                agent: agent.title(),
                found: shell.clone(),
                why: "the text of a shell cannot be checked; name the program and its arguments".to_owned(),
            });
        }
        let mut assignments: Vec<(String, String)> = Vec::new();
        for word in &argv[..program] {
            if let Some((name, value)) = word.split_once('=').filter(|(name, _)| is_variable(name)) {
                assignments.push((name.to_owned(), value.to_owned()));
            }
        }
        Ok(Self { argv, program, agent, own_program, assignments })
    }

    /// The arguments after the program.
    pub fn arguments(&self) -> &[String] {
        self.argv.get(self.program + 1..).unwrap_or_default()
    }

    /// Puts arguments right behind the program, before any prompt.
    pub fn insert(&mut self, words: Vec<String>) {
        self.insert_after(self.program, words);
    }

    /// Puts arguments behind a subcommand, or behind the program when it is not there.
    pub fn insert_behind(&mut self, subcommand: &str, words: Vec<String>) {
        let at = self.argv.iter().skip(self.program + 1).position(|word| word == subcommand);
        self.insert_after(at.map_or(self.program, |at| self.program + 1 + at), words);
    }

    fn insert_after(&mut self, at: usize, words: Vec<String>) {
        self.argv.splice(at + 1..at + 1, words);
    }

    /// Whether one of these flags stands there.
    pub fn has(&self, names: &[&str]) -> bool {
        self.arguments().iter().any(|word| names.contains(&word.split('=').next().unwrap_or(word)))
    }

    /// The value of a flag, `--flag value` or `--flag=value`; the last one counts.
    pub fn value(&self, names: &[&str]) -> Option<String> {
        let arguments = self.arguments();
        let mut last = None;
        for (at, word) in arguments.iter().enumerate() {
            match word.split_once('=') {
                Some((name, value)) if names.contains(&name) => last = Some(value.to_owned()),
                _ if names.contains(&word.as_str()) => last = arguments.get(at + 1).cloned(),
                _ => {}
            }
        }
        last
    }

    /// Takes a flag and its value out, everywhere.
    pub fn remove(&mut self, names: &[&str]) {
        let mut kept: Vec<String> = self.argv[..=self.program].to_vec();
        let mut skip = false;
        for word in self.argv.iter().skip(self.program + 1) {
            if std::mem::take(&mut skip) {
                continue;
            }
            let name = word.split('=').next().unwrap_or(word);
            if names.contains(&name) {
                skip = name == word;
            } else {
                kept.push(word.clone());
            }
        }
        self.argv = kept;
    }
}

/// The last part of a path.
pub(crate) fn basename(word: &str) -> &str {
    word.rsplit('/').next().unwrap_or(word)
}

/// Whether a word may stand before the agent's program: a launcher, its options and numbers, an assignment.
fn launches(word: &str) -> bool {
    let name = basename(word);
    LAUNCHERS.contains(&name)
        || RAISING.contains(&name)
        || SHELLS.contains(&name)
        || word.starts_with('-')
        || word.split_once('=').is_some_and(|(name, _)| is_variable(name))
        || word.bytes().next().is_some_and(|byte| byte.is_ascii_digit())
}

fn is_variable(name: &str) -> bool {
    !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
}

/// The first word that is neither `env`, nor one of its options, nor an assignment.
fn first_program(argv: &[String]) -> usize {
    let skipped = |word: &String| {
        basename(word) == "env" || word.split_once('=').is_some_and(|(name, _)| is_variable(name)) || word == "-i"
    };
    argv.iter().position(|word| !skipped(word)).unwrap_or(0)
}
