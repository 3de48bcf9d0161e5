//! One agent on one model: a home of its own, a profile, and `fuda resume` with the agent's real program.

use crate::installed::{CLAUDE, CODEX, GEMINI, OMP, OPENCODE, PI, Package, QWEN};
use crate::model::{Behaviour, Model};
use crate::support::Bench;
use serde_json::{Value, json};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

/// Which agent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Real {
    Pi,
    Omp,
    Codex,
    Claude,
    Gemini,
    Qwen,
    Opencode,
}

/// An agent with everything that it needs for one run.
pub struct Run {
    pub bench: Bench,
    pub model: Model,
    pub real: Real,
    launch: Vec<String>,
}

impl Real {
    fn package(self) -> &'static Package {
        match self {
            Self::Pi => &PI,
            Self::Omp => &OMP,
            Self::Codex => &CODEX,
            Self::Claude => &CLAUDE,
            Self::Gemini => &GEMINI,
            Self::Qwen => &QWEN,
            Self::Opencode => &OPENCODE,
        }
    }

    /// As profiles name it.
    pub fn id(self) -> &'static str {
        match self {
            Self::Pi => "pi",
            Self::Omp => "omp",
            Self::Codex => "codex",
            Self::Claude => "claude-code",
            Self::Gemini => "gemini",
            Self::Qwen => "qwen",
            Self::Opencode => "opencode",
        }
    }

    /// The names of its tools for commands and for writing, and a call of each.
    pub fn command_of(self, words: &str) -> (&'static str, Value) {
        match self {
            Self::Pi | Self::Omp => ("bash", json!({ "command": words })),
            Self::Codex => ("exec_command", json!({ "cmd": words })),
            Self::Claude => ("Bash", json!({ "command": words, "description": "try" })),
            Self::Gemini => ("run_shell_command", json!({ "command": words })),
            Self::Qwen => ("run_shell_command", json!({ "command": words, "is_background": false })),
            Self::Opencode => ("bash", json!({ "command": words, "description": "try" })),
        }
    }

    /// A call that writes a file; none where files are only written by commands.
    pub fn write_of(self, path: &str) -> Option<(&'static str, Value)> {
        Some(match self {
            Self::Pi | Self::Omp => ("write", json!({ "path": path, "content": "x" })),
            Self::Codex => return None,
            Self::Claude => ("Write", json!({ "file_path": path, "content": "x" })),
            Self::Gemini | Self::Qwen => ("write_file", json!({ "file_path": path, "content": "x" })),
            Self::Opencode => ("write", json!({ "filePath": path, "content": "x" })),
        })
    }

    fn root(self) -> &'static str {
        match self {
            Self::Pi => ".pi",
            Self::Omp => ".omp",
            Self::Codex => ".codex",
            Self::Claude => ".claude",
            Self::Gemini => ".gemini",
            Self::Qwen => ".qwen",
            Self::Opencode => ".config/opencode",
        }
    }

    fn arguments(self) -> &'static [&'static str] {
        match self {
            Self::Pi => &["-p", "--mode", "json"],
            Self::Omp => &["-p", "--mode", "json", "--model", "local/stub"],
            Self::Codex => &["exec", "--json", "-"],
            Self::Claude => &["-p", "--output-format", "stream-json", "--verbose"],
            Self::Gemini | Self::Qwen => &["-o", "stream-json"],
            Self::Opencode => &["run", "--format", "json"],
        }
    }
}

impl Run {
    /// The agent on a model that behaves so, with a profile and its own configuration.
    pub fn of(real: Real, behaviour: Behaviour) -> Self {
        Self::on(Bench::new(), real, behaviour)
    }

    /// The same on a bench that is there.
    pub fn on(bench: Bench, real: Real, behaviour: Behaviour) -> Self {
        let program = real.package().program();
        let run = Self {
            bench,
            model: Model::that(behaviour),
            real,
            launch: std::iter::once(program).chain(real.arguments().iter().map(|word| (*word).to_owned())).collect(),
        };
        run.configure();
        run
    }

    pub fn person(&self) -> PathBuf {
        self.bench.folder.path().join("person")
    }

    fn configure(&self) {
        let url = self.model.url();
        match self.real {
            Real::Pi => {
                let models = json!({ "providers": { "local": {
                    "baseUrl": format!("{url}/v1"), "api": "openai-completions", "apiKey": "none",
                    "compat": { "supportsDeveloperRole": false, "supportsReasoningEffort": false },
                    "models": [{ "id": "stub", "name": "stub", "contextWindow": 128_000, "maxTokens": 4096 }]
                } } });
                self.write(".pi/agent/models.json", &models.to_string());
                let settings = json!({
                    "defaultProvider": "local", "defaultModel": "stub",
                    "retry": { "enabled": false, "provider": { "maxRetries": 0 } },
                    "compaction": { "enabled": false }
                });
                self.write(".pi/agent/settings.json", &settings.to_string());
            }
            Real::Omp => {
                let models = json!({ "providers": { "local": {
                    "baseUrl": format!("{url}/v1"), "api": "openai-completions", "apiKey": "none",
                    "models": [{
                        "id": "stub", "name": "stub", "contextWindow": 128_000, "maxTokens": 4096, "reasoning": false,
                        "input": ["text"], "cost": { "input": 0, "output": 0, "cacheRead": 0, "cacheWrite": 0 }
                    }]
                } } });
                // JSON is YAML.
                self.write(".omp/agent/models.yml", &models.to_string());
            }
            Real::Codex => self.write(
                ".codex/config.toml",
                &format!(
                    "model = \"stub\"\nmodel_provider = \"local\"\napproval_policy = \"never\"\nsandbox_mode = \"workspace-write\"\ncheck_for_update_on_startup = false\n\n[analytics]\nenabled = false\n\n[model_providers.local]\nname = \"local\"\nbase_url = \"{url}/v1\"\nenv_key = \"LOCAL_KEY\"\nwire_api = \"responses\"\nrequest_max_retries = 0\nstream_max_retries = 0\n"
                ),
            ),
            // What the person allows themselves: without it these refuse commands anyway, and nothing of Fuda's is tried.
            Real::Claude => {
                self.write(".claude.json", &json!({ "hasCompletedOnboarding": true }).to_string());
                let allowed = json!({ "permissions": { "allow": ["Bash", "Write", "Edit"] } });
                self.write(".claude/settings.json", &allowed.to_string());
            }
            Real::Gemini => {
                let settings = json!({
                    "security": { "auth": { "selectedType": "gemini-api-key" }, "folderTrust": { "enabled": false } },
                    "general": { "disableAutoUpdate": true, "disableUpdateNag": true },
                    "privacy": { "usageStatisticsEnabled": false },
                    // Else it asks which model to take, and again and again, for no stub answers that.
                    "model": { "name": "gemini-2.5-flash" },
                    "tools": { "allowed": ["run_shell_command", "write_file", "replace"] }
                });
                self.write(".gemini/settings.json", &settings.to_string());
            }
            Real::Qwen => {
                let settings = json!({
                    "security": { "auth": { "selectedType": "openai" } },
                    "general": { "disableAutoUpdate": true, "enableAutoUpdate": false },
                    "privacy": { "usageStatisticsEnabled": false },
                    "permissions": { "allow": ["run_shell_command", "Bash(touch *)", "Bash(git *)", "Edit", "WriteFile"] }
                });
                self.write(".qwen/settings.json", &settings.to_string());
            }
            Real::Opencode => {
                let config = json!({
                    "autoupdate": false, "share": "disabled", "model": "local/stub", "small_model": "local/stub",
                    "provider": { "local": {
                        "npm": "@ai-sdk/openai-compatible", "name": "local",
                        "options": { "baseURL": format!("{url}/v1"), "apiKey": "none" },
                        "models": { "stub": { "name": "stub", "limit": { "context": 128_000, "output": 4_096 } } }
                    } }
                });
                self.write(".config/opencode/opencode.json", &config.to_string());
            }
        }
        self.bench.profile(self.real.id(), self.real.id(), self.real.root());
    }

    /// Takes back what would answer a question before anybody is asked: Qwen Code is hosted only where nothing is allowed.
    pub fn allows_nothing(&self) {
        if self.real == Real::Qwen {
            let path = self.person().join(".qwen/settings.json");
            let text = fs::read_to_string(&path).expect("read");
            let mut settings: Value = serde_json::from_str(&text).expect("json");
            settings["permissions"] = json!({});
            fs::write(path, settings.to_string()).expect("written");
        }
    }

    /// Starts this program from now on.
    pub fn starts(&mut self, program: String) {
        self.launch[0] = program;
    }

    /// The agent's own program.
    pub fn program(&self) -> &str {
        &self.launch[0]
    }

    /// Adds to a file of the agent's configuration.
    pub fn add(&self, path: &str, text: &str) {
        let there = fs::read_to_string(self.person().join(path)).expect("read");
        self.write(path, &format!("{there}{text}"));
    }

    pub fn write(&self, path: &str, text: &str) {
        let path = self.person().join(path);
        fs::create_dir_all(path.parent().expect("above")).expect("made");
        fs::write(path, text).expect("written");
    }

    /// `fuda` in the agent's environment: nothing leaves this machine, nothing is looked up.
    pub fn command(&self, arguments: &[&str]) -> Command {
        let mut command = self.bench.command(arguments);
        command.envs([
            ("PI_OFFLINE", "1"),
            ("PI_TELEMETRY", "0"),
            ("PI_SKIP_VERSION_CHECK", "1"),
            ("LOCAL_KEY", "none"),
            ("HTTPS_PROXY", "http://127.0.0.1:9"),
            ("NO_PROXY", "127.0.0.1"),
        ]);
        let url = self.model.url();
        command.envs([
            ("ANTHROPIC_BASE_URL", url.clone()),
            ("ANTHROPIC_API_KEY", "none".to_owned()),
            ("CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC", "1".to_owned()),
            ("GOOGLE_GEMINI_BASE_URL", url.clone()),
            ("GEMINI_API_KEY", "none".to_owned()),
            ("OPENAI_BASE_URL", format!("{url}/v1")),
            ("OPENAI_API_KEY", "none".to_owned()),
            ("OPENAI_MODEL", "stub".to_owned()),
            ("OPENCODE_DISABLE_AUTOUPDATE", "1".to_owned()),
            ("OPENCODE_DISABLE_MODELS_FETCH", "1".to_owned()),
        ]);
        // Not above the home: Codex puts its sandbox's program nowhere below it.
        let temporary = self.bench.folder.path().join("tmp");
        fs::create_dir_all(&temporary).expect("made");
        command.env("TMPDIR", temporary);
        if let (Some(beside), true) = (Path::new(self.program()).parent(), self.real.package().runtime.is_some()) {
            let path = std::env::var("PATH").unwrap_or_default();
            command.env("PATH", format!("{}:{path}", beside.display()));
        }
        command
    }

    /// Starts `fuda resume` of an approved handoff.
    pub fn start(&self, handle: &str) -> Child {
        let mut arguments = vec!["--json", "resume", handle, "--profile", self.real.id(), "--"];
        arguments.extend(self.launch.iter().map(String::as_str));
        self.command(&arguments).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("fuda resume started")
    }

    /// The plan of that start.
    pub fn plan(&self, handle: &str) -> Value {
        let mut arguments = vec!["--json", "resume", handle, "--profile", self.real.id(), "--plan", "--"];
        arguments.extend(self.launch.iter().map(String::as_str));
        let output = self.command(&arguments).output().expect("fuda");
        serde_json::from_slice(&output.stdout).unwrap_or_else(|_| panic!("{}", String::from_utf8_lossy(&output.stderr)))
    }

    /// Starts it and waits for its end: the exit status and what was recorded.
    pub fn resume(&self, handle: &str) -> (Option<i32>, Value) {
        self.ended(self.start(handle))
    }

    pub fn ended(&self, child: Child) -> (Option<i32>, Value) {
        let output = child.wait_with_output().expect("ended");
        let answer = serde_json::from_slice(&output.stdout)
            .unwrap_or_else(|_| panic!("no answer: {}", String::from_utf8_lossy(&output.stderr)));
        (output.status.code(), answer)
    }

    /// The agent's output, for a test that fails.
    pub fn log(&self, answer: &Value) -> String {
        answer["outcome"]["log"].as_str().and_then(|path| fs::read_to_string(path).ok()).unwrap_or_default()
    }
}
