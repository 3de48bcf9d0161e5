//! What every test of the command line stands on.

#![allow(dead_code, reason = "each test program uses a part of it")]

use serde_json::{Value, json};
use std::fs;
use std::io::Write;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::time::{Duration, Instant};
use tempfile::TempDir;

/// A repository with one commit, a profile for it, and the program.
pub struct Bench {
    pub folder: TempDir,
}

impl Bench {
    pub fn new() -> Self {
        let bench = Self { folder: TempDir::new().expect("a folder") };
        fs::create_dir_all(bench.repo()).expect("made");
        bench.git(&["init", "-q", "-b", "main"]);
        fs::write(bench.repo().join("queue.go"), "package queue\n").expect("written");
        bench.git(&["add", "."]);
        bench.git(&["commit", "-q", "-m", "queue: first"]);
        bench.fuda_ok(&[
            "profiles",
            "add",
            "work",
            "--agent",
            "generic",
            "--root",
            bench.repo().to_str().expect("utf-8"),
        ]);
        bench
    }
    pub fn repo(&self) -> PathBuf {
        self.folder.path().join("tidewatch")
    }
    pub fn git(&self, arguments: &[&str]) -> String {
        let output = Command::new("git")
            .args(arguments)
            .current_dir(self.repo())
            .env_clear()
            .env("PATH", std::env::var("PATH").unwrap_or_default())
            .envs([
                ("GIT_CONFIG_NOSYSTEM", "1"),
                ("GIT_CONFIG_GLOBAL", "/dev/null"),
                ("GIT_AUTHOR_NAME", "A"),
                ("GIT_AUTHOR_EMAIL", "a@e"),
                ("GIT_COMMITTER_NAME", "A"),
                ("GIT_COMMITTER_EMAIL", "a@e"),
            ])
            .output()
            .expect("git");
        assert!(output.status.success(), "{arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8_lossy(&output.stdout).trim().to_owned()
    }
    /// The program with arguments, in an environment of its own.
    pub fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(assert_cmd::cargo::cargo_bin!("fuda"));
        command
            .args(arguments)
            .env_clear()
            .env("PATH", std::env::var("PATH").unwrap_or_default())
            .env("HOME", self.folder.path().join("person"))
            .env("FUDA_HOME", self.folder.path().join("fuda"))
            .env("GIT_CONFIG_NOSYSTEM", "1");
        command
    }
    pub fn fuda(&self, arguments: &[&str]) -> Output {
        self.command(arguments).output().expect("fuda")
    }
    /// The program with a document on its standard input.
    pub fn fuda_with(&self, arguments: &[&str], input: &[u8]) -> Output {
        let mut child = self
            .command(arguments)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("started");
        // A program that refuses early closes its end; that is its right.
        let _ = child.stdin.take().expect("a pipe").write_all(input);
        child.wait_with_output().expect("ended")
    }
    pub fn fuda_ok(&self, arguments: &[&str]) -> String {
        let output = self.fuda(arguments);
        assert!(output.status.success(), "{arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8(output.stdout).expect("utf-8")
    }
    pub fn json(&self, arguments: &[&str]) -> Value {
        let mut all = vec!["--json"];
        all.extend(arguments);
        serde_json::from_str(&self.fuda_ok(&all)).expect("json")
    }
    pub fn fails(&self, code: i32, arguments: &[&str]) -> Value {
        let mut all = vec!["--json"];
        all.extend(arguments);
        let output = self.fuda(&all);
        assert_eq!(
            output.status.code(),
            Some(code),
            "{arguments:?}: {} {}",
            String::from_utf8_lossy(&output.stdout),
            String::from_utf8_lossy(&output.stderr)
        );
        serde_json::from_slice(&output.stdout).unwrap_or(Value::Null)
    }
    /// One operation in a program that ends right after it.
    pub fn rpc(&self, op: &str, params: &Value) -> Value {
        let asked = format!("{}\n", json!({ "id": 1, "op": op, "params": params }));
        let output = self.fuda_with(&["rpc"], asked.as_bytes());
        serde_json::from_slice(&output.stdout).expect("one answer")
    }
    pub fn handoff(&self, text: &str) -> PathBuf {
        let path = self.repo().join("HANDOFF.md");
        fs::write(&path, text).expect("written");
        path
    }
    pub fn tidy(&self) -> PathBuf {
        let head = self.git(&["rev-parse", "HEAD"]);
        self.handoff(&format!(
            "# Handoff: webhook queue\n\n**Branch:** main\n**Last commit:** {head} queue: first\n\n## Goal\n\nMove ingest to the queue.\n\n## Next steps\n\n- [ ] Drain in `queue.go`\n\n## Verified facts\n\n- One package (queue.go)\n\n## Safety boundary\n\n### Needs a person\n\n- Pushing\n"
        ))
    }
    pub fn handle(&self) -> String {
        self.fuda_ok(&["index"]);
        let line = self.fuda_ok(&["--json", "list"]);
        let row: Value = serde_json::from_str(line.lines().next().expect("a row")).expect("json");
        row["handle"].as_str().expect("a handle").to_owned()
    }
    /// Approves what is there now and gives its handle.
    pub fn approved(&self) -> String {
        let handle = self.handle();
        self.approve(&handle);
        handle
    }
    pub fn approve(&self, handle: &str) {
        let rev = self.json(&["show", handle])["rev"].as_str().expect("a revision").to_owned();
        self.fuda_ok(&["approve", handle, "--rev", &rev]);
    }
    /// A script that stands for an agent, outside the repository.
    pub fn agent(&self, name: &str, script: &str) -> String {
        let folder = self.folder.path().join("bin");
        fs::create_dir_all(&folder).expect("made");
        let path = folder.join(name);
        fs::write(&path, format!("#!/bin/sh\n{script}\n")).expect("written");
        fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).expect("executable");
        path.display().to_string()
    }
    /// Adds a profile of an agent whose folder is below the person's home.
    pub fn profile(&self, name: &str, agent: &str, root: &str) {
        let root = self.folder.path().join("person").join(root);
        fs::create_dir_all(&root).expect("made");
        self.fuda_ok(&["profiles", "add", name, "--agent", agent, "--root", root.to_str().expect("utf-8")]);
    }
    /// Adds lines to the first profile of the configuration.
    pub fn configure(&self, lines: &str) {
        let path = self.folder.path().join("fuda/config.toml");
        let text = fs::read_to_string(&path).expect("read");
        fs::write(&path, format!("{text}{lines}\n")).expect("written");
    }
}

/// Waits until something is so.
pub fn wait_for(what: &str, mut ready: impl FnMut() -> bool) {
    let until = Instant::now() + Duration::from_secs(30);
    while !ready() {
        assert!(Instant::now() < until, "{what} did not happen");
        std::thread::yield_now();
    }
}

/// Whether a file is there and holds something.
pub fn exists(path: &Path) -> bool {
    fs::metadata(path).is_ok_and(|found| found.len() > 0)
}

/// Whether a process is there and no zombie.
pub fn alive(pid: &str) -> bool {
    fs::read_to_string(PathBuf::from("/proc").join(pid).join("stat"))
        .is_ok_and(|stat| !stat.rsplit_once(") ").is_some_and(|(_, rest)| rest.starts_with('Z')))
}
