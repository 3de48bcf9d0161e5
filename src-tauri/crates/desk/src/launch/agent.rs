//! The agents that Fuda can start: program names, the command that starts each without a person at it, and what they
//! print while they run.

use super::stream::StreamKind;

/// An agent program.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Agent {
    /// Claude Code.
    ClaudeCode,
    /// Codex CLI.
    Codex,
    /// pi.
    Pi,
    /// oh-my-pi.
    Omp,
    /// MusePi.
    MusePi,
    /// Gemini CLI.
    Gemini,
    /// Qwen Code.
    Qwen,
    /// opencode.
    Opencode,
    /// goose.
    Goose,
    /// Amp.
    Amp,
    /// Any command.
    Generic,
}

/// All of them, as profiles name them.
const ALL: &[(Agent, &str, &str, &[&str])] = &[
    (Agent::ClaudeCode, "claude-code", "Claude Code", &["claude", "claude-code"]),
    (Agent::Codex, "codex", "Codex", &["codex"]),
    (Agent::Pi, "pi", "pi", &["pi", "pi-coding-agent"]),
    (Agent::Omp, "omp", "oh-my-pi", &["omp"]),
    (Agent::MusePi, "musepi", "MusePi", &["musepi"]),
    (Agent::Gemini, "gemini", "Gemini", &["gemini", "gemini-cli"]),
    (Agent::Qwen, "qwen", "Qwen Code", &["qwen", "qwen-code"]),
    (Agent::Opencode, "opencode", "opencode", &["opencode", "opencode-ai"]),
    (Agent::Goose, "goose", "goose", &["goose"]),
    (Agent::Amp, "amp", "Amp", &["amp"]),
];

impl Agent {
    /// The agent that a profile names; any other word is [`Agent::Generic`].
    pub fn named(name: &str) -> Self {
        ALL.iter().find(|(_, id, ..)| *id == name).map_or(Self::Generic, |(agent, ..)| *agent)
    }

    /// The agent whose program this is, by the last part of a path or of a package's name.
    pub fn of_program(program: &str) -> Option<Self> {
        let name = program.rsplit('/').next().unwrap_or(program);
        let name = name.split('@').find(|part| !part.is_empty()).unwrap_or(name);
        let name = [".js", ".mjs", ".cjs", ".exe"].iter().find_map(|end| name.strip_suffix(end)).unwrap_or(name);
        ALL.iter().find(|(.., programs)| programs.contains(&name)).map(|(agent, ..)| *agent)
    }

    /// As profiles name it.
    pub fn id(self) -> &'static str {
        ALL.iter().find(|(agent, ..)| *agent == self).map_or("generic", |(_, id, ..)| id)
    }

    /// As a person calls it.
    pub fn title(self) -> &'static str {
        ALL.iter().find(|(agent, ..)| *agent == self).map_or("the command", |(_, _, title, _)| title)
    }

    /// The command of a profile that names none. Empty where there is no sensible one.
    pub fn default_command(self) -> Vec<String> {
        let words: &[&str] = match self {
            Self::ClaudeCode => &["claude", "-p", "--output-format", "stream-json", "--verbose"],
            Self::Codex => &["codex", "exec", "--json", "-"],
            Self::Pi => &["pi", "-p", "--mode", "json"],
            Self::Omp => &["omp", "-p", "--mode", "json"],
            Self::MusePi => &["musepi", "-p", "--mode", "json"],
            Self::Gemini => &["gemini", "-o", "stream-json"],
            Self::Qwen => &["qwen", "-o", "stream-json"],
            Self::Opencode => &["opencode", "run", "--format", "json"],
            Self::Goose => &["goose", "run", "--output-format", "stream-json", "-i", "-"],
            Self::Amp => &["amp", "-x", "--stream-json"],
            Self::Generic => &[],
        };
        words.iter().map(|word| (*word).to_owned()).collect()
    }

    /// What it prints when it is asked for structure.
    pub(crate) fn structured(self) -> StreamKind {
        match self {
            Self::ClaudeCode => StreamKind::Claude,
            Self::Codex => StreamKind::Codex,
            Self::Pi | Self::Omp | Self::MusePi => StreamKind::Pi,
            Self::Gemini => StreamKind::Gemini,
            Self::Qwen => StreamKind::Qwen,
            Self::Opencode => StreamKind::Opencode,
            Self::Goose => StreamKind::Goose,
            Self::Amp => StreamKind::Amp,
            Self::Generic => StreamKind::Plain,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_program_is_known_by_its_path_and_by_its_package() {
        for (program, agent) in [
            ("/usr/local/bin/codex", Agent::Codex),
            ("@openai/codex@0.171.0", Agent::Codex),
            ("@anthropic-ai/claude-code", Agent::ClaudeCode),
            ("/opt/pi/dist/pi.js", Agent::Pi),
        ] {
            assert_eq!(Agent::of_program(program), Some(agent), "{program}");
        }
        assert_eq!(Agent::of_program("claude-work"), None, "a wrapper is not the agent itself");
    }
}
