//! One agent on one model: a home of its own, a profile, and `fuda resume` with the agent's real program.

use crate::installed::{CODEX, PI, Package};
use crate::model::{Behaviour, Model};
use crate::support::Bench;
use serde_json::{Value, json};
use std::fs;
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};

/// Which agent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Real {
    Pi,
    Codex,
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
            Self::Codex => &CODEX,
        }
    }

    /// As profiles name it.
    pub fn id(self) -> &'static str {
        match self {
            Self::Pi => "pi",
            Self::Codex => "codex",
        }
    }

    fn arguments(self) -> &'static [&'static str] {
        match self {
            Self::Pi => &["-p", "--mode", "json"],
            Self::Codex => &["exec", "--json", "-"],
        }
    }
}

impl Run {
    /// The agent on a model that behaves so, with a profile and its own configuration.
    pub fn of(real: Real, behaviour: Behaviour) -> Self {
        let program = real.package().program();
        let run = Self {
            bench: Bench::new(),
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
            Real::Codex => self.write(
                ".codex/config.toml",
                &format!(
                    "model = \"stub\"\nmodel_provider = \"local\"\napproval_policy = \"never\"\nsandbox_mode = \"workspace-write\"\ncheck_for_update_on_startup = false\n\n[analytics]\nenabled = false\n\n[model_providers.local]\nname = \"local\"\nbase_url = \"{url}/v1\"\nenv_key = \"LOCAL_KEY\"\nwire_api = \"responses\"\nrequest_max_retries = 0\nstream_max_retries = 0\n"
                ),
            ),
        }
        let root = match self.real {
            Real::Pi => ".pi",
            Real::Codex => ".codex",
        };
        self.bench.profile(self.real.id(), self.real.id(), root);
    }

    fn write(&self, path: &str, text: &str) {
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
        command.env("TMPDIR", self.bench.folder.path());
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
