//! What an agent reports while it runs, read line by line from its structured output. Types that are not known are
//! ignored: agents add new ones all the time. Plain text is a sign of life and nothing more.
//!
//! An exit status of 0 alone proves nothing: pi ends with 0 after a usage limit, Qwen after an error. What counts is
//! [`Signal::Ended`], and a stream that never says it has not ended well.

mod acp;
mod claude;
mod codex;
mod gemini;
mod goose;
mod opencode;
mod pi;
mod resets;

pub(crate) use resets::{from_seconds as resets_from_seconds, resets_at, speaks_of_a_limit};

use super::plan::Plan;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use ts_rs::TS;

/// What an agent prints.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
pub enum StreamKind {
    /// `--output-format stream-json` of Claude Code.
    Claude,
    /// `exec --json` of Codex.
    Codex,
    /// `--mode json` of pi, oh-my-pi and MusePi.
    Pi,
    /// `-o stream-json` of Gemini.
    Gemini,
    /// `-o stream-json` of Qwen Code.
    Qwen,
    /// `run --format json` of opencode.
    Opencode,
    /// `run --output-format stream-json` of goose.
    Goose,
    /// `-x --stream-json` of Amp.
    Amp,
    /// `fuda acp`, for agents that speak the Agent Client Protocol.
    Acp,
    /// Text.
    #[default]
    Plain,
}

/// What an agent says at its start.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct Session {
    /// Its session.
    pub id: Option<String>,
    /// Its permission mode.
    pub mode: Option<String>,
    /// The tools that it has. Nothing: it does not say.
    pub tools: Option<Vec<String>>,
    /// The model.
    pub model: Option<String>,
    /// Its version.
    pub version: Option<String>,
}

/// Something that an agent reports.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Signal {
    /// It has begun.
    Session {
        /// What it says of itself.
        session: Session,
    },
    /// The first sign of life.
    Life,
    /// It uses a tool.
    Tool {
        /// The tool's name.
        name: String,
    },
    /// It asks a person.
    Question {
        /// What it asks, as far as it says.
        text: String,
    },
    /// Something was refused.
    Denied {
        /// What.
        what: String,
    },
    /// It met a usage limit.
    Limit {
        /// When the limit ends, RFC 3339, where that could be read.
        resets_at: Option<String>,
        /// In its words.
        message: String,
    },
    /// It tries again by itself.
    Retry {
        /// In its words.
        message: String,
    },
    /// Something failed.
    Failed {
        /// In its words.
        message: String,
    },
    /// It says that it has ended.
    Ended {
        /// Whether it ended well.
        ok: bool,
        /// Why not, or what it says at its end.
        message: String,
    },
}

/// The longest line that is read; a longer one is skipped. pi repeats its whole answer in every line.
const LINE: usize = 8 << 20;
/// The most of an agent's words that a signal carries.
const WORDS: usize = 500;

/// Reads an agent's output as it comes.
#[derive(Debug)]
pub struct Stream {
    kind: StreamKind,
    now_ms: i64,
    rest: Vec<u8>,
    skipping: bool,
    alive: bool,
    state: State,
}

/// What a reader of one agent has to remember between lines.
#[derive(Debug, Default)]
pub(crate) struct State {
    /// The agent answered something.
    pub answered: bool,
    /// It used a tool.
    pub worked: bool,
    /// What failed last.
    pub failure: Option<String>,
    /// A limit was reported.
    pub limited: bool,
    /// Its end was reported.
    pub ended: bool,
    /// What it said last, where that is its end.
    pub last: Option<(bool, String)>,
    /// Sessions were reported.
    pub introduced: bool,
    /// UTC milliseconds.
    pub now_ms: i64,
}

impl Stream {
    /// A reader. The time is that of the start, for limits that say "in 60 minutes".
    pub fn new(kind: StreamKind, now_ms: i64) -> Self {
        let state = State { now_ms, ..State::default() };
        Self { kind, now_ms, rest: Vec::new(), skipping: false, alive: false, state }
    }

    /// Takes what was printed and returns what it says.
    pub fn feed(&mut self, bytes: &[u8]) -> Vec<Signal> {
        let mut signals = Vec::new();
        if !self.alive && !bytes.is_empty() {
            self.alive = true;
            signals.push(Signal::Life);
        }
        if self.kind == StreamKind::Plain {
            return signals;
        }
        let mut bytes = bytes;
        while let Some(end) = bytes.iter().position(|byte| *byte == b'\n') {
            self.take(&bytes[..end]);
            self.line(&mut signals);
            bytes = &bytes[end + 1..];
        }
        self.take(bytes);
        signals
    }

    /// The output is over: a last line without its end is read, and an agent that said nothing of its end has failed.
    pub fn finish(&mut self) -> Vec<Signal> {
        let mut signals = Vec::new();
        if self.kind == StreamKind::Plain {
            return signals;
        }
        self.line(&mut signals);
        if !self.state.ended {
            let (ok, message) = self.state.last.take().unwrap_or_else(|| {
                let silent = if self.alive { "it ended without saying how" } else { "it ended without a word" };
                (false, self.state.failure.take().unwrap_or_else(|| silent.to_owned()))
            });
            signals.push(Signal::Ended { ok, message });
        }
        signals
    }

    fn take(&mut self, bytes: &[u8]) {
        if self.rest.len() + bytes.len() > LINE {
            self.skipping = true;
            self.rest.clear();
        }
        if !self.skipping {
            self.rest.extend_from_slice(bytes);
        }
    }

    fn line(&mut self, signals: &mut Vec<Signal>) {
        let line = std::mem::take(&mut self.rest);
        if std::mem::take(&mut self.skipping) {
            return;
        }
        let Ok(value) = serde_json::from_slice::<Value>(&line) else { return };
        self.state.now_ms = self.now_ms;
        let read = match self.kind {
            StreamKind::Claude | StreamKind::Qwen | StreamKind::Amp => claude::read,
            StreamKind::Codex => codex::read,
            StreamKind::Pi => pi::read,
            StreamKind::Gemini => gemini::read,
            StreamKind::Opencode => opencode::read,
            StreamKind::Goose => goose::read,
            StreamKind::Acp => acp::read,
            StreamKind::Plain => return,
        };
        read(&mut self.state, &value, signals);
    }
}

impl State {
    /// A failure in the agent's words: a limit where the words speak of one.
    fn fail(&mut self, message: &str, signals: &mut Vec<Signal>) {
        let message = shortened(message);
        if resets::speaks_of_a_limit(&message) {
            if !std::mem::replace(&mut self.limited, true) {
                signals.push(Signal::Limit {
                    resets_at: resets::resets_at(&message, self.now_ms),
                    message: message.clone(),
                });
            }
        } else if self.failure.as_deref() != Some(message.as_str()) {
            signals.push(Signal::Failed { message: message.clone() });
        }
        self.failure = Some(message);
    }

    fn end(&mut self, ok: bool, message: &str, signals: &mut Vec<Signal>) {
        if !std::mem::replace(&mut self.ended, true) {
            signals.push(Signal::Ended { ok, message: shortened(message) });
        }
    }

    fn introduce(&mut self, session: Session, signals: &mut Vec<Signal>) {
        if !std::mem::replace(&mut self.introduced, true) {
            signals.push(Signal::Session { session });
        }
    }

    fn tool(&mut self, name: &str, signals: &mut Vec<Signal>) {
        self.worked = true;
        signals.push(Signal::Tool { name: shortened(name) });
    }
}

fn text(value: &Value) -> Option<String> {
    value.as_str().filter(|text| !text.is_empty()).map(str::to_owned)
}

fn words(value: &Value) -> Option<Vec<String>> {
    Some(value.as_array()?.iter().filter_map(|one| one.as_str().map(str::to_owned)).collect())
}

fn shortened(text: &str) -> String {
    text.chars().take(WORDS).collect()
}

/// Compares what an agent reports at its start with what was approved. Says what differs; the run is then to be ended.
pub fn verify_started(plan: &Plan, session: &Session) -> Option<String> {
    let expected = &plan.expected;
    if let Some(mode) = session.mode.as_ref().filter(|mode| expected.modes_refused.contains(mode)) {
        return Some(format!("it started in the mode {mode}, which was not approved"));
    }
    let refused = |tool: &String| {
        expected.tools_refused.iter().any(|refused| match refused.strip_suffix('*') {
            Some(start) => tool.starts_with(start),
            None => tool == refused,
        })
    };
    let tools: Vec<&str> = session.tools.iter().flatten().filter(|tool| refused(tool)).map(String::as_str).collect();
    if !tools.is_empty() {
        return Some(format!("it started with tools that were taken away: {}", tools.join(", ")));
    }
    let wanted = expected.version_at_least.as_ref()?;
    match &session.version {
        Some(version) if numbers(version) < numbers(wanted) => {
            Some(format!("it is version {version}, and what was approved needs {wanted}"))
        }
        _ => None,
    }
}

fn numbers(version: &str) -> Vec<u32> {
    version.split(['.', '-', '+']).map_while(|part| part.parse().ok()).collect()
}
