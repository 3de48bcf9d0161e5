//! A session's transcript, read once from front to end for the few things that a handoff can be made of. A line that
//! is not understood is passed over; a last line that is still being written is one.
//!
//! Sources: Claude Code's project files, Codex's rollouts and pi's sessions (version 3), as written by 2.1.332,
//! 0.171.0 and 0.73.1, seen 2026-12.

use crate::launch::{Agent, resets_from_seconds};
use handoff::ItemState;
use serde_json::Value;
use std::fs::OpenOptions;
use std::io::{self, BufRead, BufReader, Read};
use std::os::unix::fs::OpenOptionsExt;
use std::path::Path;

/// The longest line that is read; a longer one is passed over.
const LINE: u64 = 8 << 20;

/// What was found.
#[derive(Debug, Default)]
pub(super) struct Transcript {
    /// The person's first message.
    pub first_words: Option<String>,
    /// The last one, when there was more than one.
    pub last_words: Option<String>,
    /// What the agent said last.
    pub answered: Option<String>,
    /// The plan that the agent kept, as it was last.
    pub plan: Vec<(String, ItemState)>,
    /// Messages of the person.
    pub turns: u64,
    /// The model that answered last.
    pub model: Option<String>,
    /// Whether it ends with a usage limit.
    pub limited: bool,
    /// When that limit ends, where the transcript has it as a time.
    pub resets_at: Option<String>,
    /// What was said of it.
    pub limit_words: Option<String>,
}

impl Transcript {
    /// Reads a regular file; pipes and devices are not waited for.
    pub fn read(agent: Agent, path: &Path) -> io::Result<Self> {
        let nonblocking = i32::try_from(rustix::fs::OFlags::NONBLOCK.bits()).unwrap_or(0);
        let file = OpenOptions::new().read(true).custom_flags(nonblocking).open(path)?;
        if !file.metadata()?.is_file() {
            return Err(io::Error::new(io::ErrorKind::InvalidInput, "it is not a regular file"));
        }
        let mut reader = BufReader::new(file);
        let mut found = Self::default();
        let mut line = Vec::new();
        loop {
            line.clear();
            if reader.by_ref().take(LINE).read_until(b'\n', &mut line)? == 0 {
                return Ok(found);
            }
            let Ok(value) = serde_json::from_slice::<Value>(&line) else { continue };
            match agent {
                Agent::Codex => found.codex(&value),
                Agent::Pi | Agent::Omp | Agent::MusePi => found.pi(&value),
                _ => found.claude(&value),
            }
        }
    }

    fn person(&mut self, words: &str) {
        let words = words.trim();
        if words.is_empty() {
            return;
        }
        self.turns += 1;
        self.limited = false;
        if self.first_words.is_none() {
            self.first_words = Some(words.to_owned());
        } else {
            self.last_words = Some(words.to_owned());
        }
    }

    fn agent(&mut self, words: &str) {
        if !words.trim().is_empty() {
            self.answered = Some(words.trim().to_owned());
        }
    }

    fn failed(&mut self, words: &str) {
        self.limited = crate::launch::speaks_of_a_limit(words);
        self.limit_words = self.limited.then(|| words.to_owned());
    }

    fn claude(&mut self, line: &Value) {
        if line["isSidechain"] == true || line["isMeta"] == true || line["isCompactSummary"] == true {
            return;
        }
        let content = &line["message"]["content"];
        match line["type"].as_str() {
            // What begins with a tag of its own is written by the program: commands, their output, reminders.
            Some("user") => {
                let words = words(content, "text");
                if !words.trim_start().starts_with('<') && !words.starts_with("[Request interrupted") {
                    self.person(&words);
                }
            }
            Some("assistant") => {
                if line["isApiErrorMessage"] == true {
                    self.failed(&words(content, "text"));
                    return;
                }
                self.limited = false;
                self.agent(&words(content, "text"));
                self.model = line["message"]["model"].as_str().map(str::to_owned).or(self.model.take());
                for call in content.as_array().into_iter().flatten().filter(|one| one["name"] == "TodoWrite") {
                    self.plan = plan(&call["input"]["todos"], "content");
                }
            }
            _ => {}
        }
    }

    fn codex(&mut self, line: &Value) {
        let payload = &line["payload"];
        match (line["type"].as_str(), payload["type"].as_str()) {
            (Some("response_item"), Some("message")) if payload["role"] == "user" => {
                let words = words(&payload["content"], "input_text");
                // What begins so is written by the program: surroundings, instructions of files.
                if !words.trim_start().starts_with('<') && !words.starts_with("# AGENTS.md") {
                    self.person(&words);
                }
            }
            (Some("response_item"), Some("message")) if payload["role"] == "assistant" => {
                self.limited = false;
                self.agent(&words(&payload["content"], "output_text"));
            }
            (Some("event_msg"), Some("token_count")) => self.codex_limits(&payload["rate_limits"]),
            (Some("event_msg"), Some("task_complete"))
                if payload["error"]["codex_error_info"] == "usage_limit_exceeded" =>
            {
                self.limited = true;
                self.limit_words = payload["error"]["message"].as_str().map(str::to_owned);
            }
            (Some("turn_context"), _) => {
                self.model = payload["model"].as_str().map(str::to_owned).or(self.model.take());
            }
            (Some("response_item"), Some("function_call")) if payload["name"] == "update_plan" => {
                let arguments = payload["arguments"].as_str().unwrap_or_default();
                let arguments: Value = serde_json::from_str(arguments).unwrap_or_default();
                self.plan = plan(&arguments["plan"], "step");
            }
            _ => {}
        }
    }

    fn codex_limits(&mut self, limits: &Value) {
        let windows = [&limits["primary"], &limits["secondary"]];
        let used_up = |window: &&&Value| window["used_percent"].as_f64().is_some_and(|used| used >= 100.0);
        self.limited = !limits["rate_limit_reached_type"].is_null() || windows.iter().any(|window| used_up(&window));
        let latest = windows.iter().filter(used_up).filter_map(|window| window["resets_at"].as_i64()).max();
        self.resets_at = latest.filter(|_| self.limited).and_then(resets_from_seconds);
    }

    fn pi(&mut self, line: &Value) {
        if line["type"] == "model_change" {
            self.model = line["modelId"].as_str().map(str::to_owned).or(self.model.take());
        }
        let message = &line["message"];
        match message["role"].as_str() {
            Some("user") => self.person(&words(&message["content"], "text")),
            Some("assistant") => {
                self.limited = false;
                if message["stopReason"] == "error" {
                    self.failed(message["errorMessage"].as_str().unwrap_or_default());
                }
                self.agent(&words(&message["content"], "text"));
                self.model = message["model"].as_str().map(str::to_owned).or(self.model.take());
            }
            _ => {}
        }
    }
}

/// The text of a message: as it stands, or its parts of one type.
fn words(content: &Value, kind: &str) -> String {
    if let Some(text) = content.as_str() {
        return text.to_owned();
    }
    let parts = content.as_array().into_iter().flatten().filter(|part| part["type"] == kind);
    parts.filter_map(|part| part["text"].as_str()).collect::<Vec<_>>().join("\n")
}

fn plan(list: &Value, text: &str) -> Vec<(String, ItemState)> {
    let state = |step: &Value| match step["status"].as_str() {
        Some("completed") => ItemState::Done,
        Some("in_progress") => ItemState::InProgress,
        _ => ItemState::Open,
    };
    let steps = list.as_array().into_iter().flatten();
    steps.filter_map(|step| Some((step[text].as_str()?.to_owned(), state(step)))).collect()
}
