//! A repository with one commit, a profile over it, and the program, in folders of their own.

use crate::rpc::Rpc;
use crate::{Programs, limit};
use serde_json::json;
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use tempfile::TempDir;

/// What everything is done to.
pub struct Bench {
    folder: TempDir,
    programs: Programs,
}

impl Bench {
    /// A bench in a folder of its own.
    pub fn new(programs: &Programs) -> Self {
        let folder = TempDir::new().expect("a folder");
        let bench = Self { folder, programs: programs.clone() };
        for folder in [bench.repo(), bench.home(), bench.folder.path().join("person")] {
            fs::create_dir_all(folder).expect("made");
        }
        let root = bench.repo().display().to_string();
        let config = format!("[[profile]]\nname = \"work\"\nagent = \"generic\"\nroots = [{root:?}]\n");
        fs::write(bench.home().join("config.toml"), config).expect("written");
        bench.git(&["init", "-q", "-b", "main"]);
        fs::write(bench.repo().join("queue.go"), "package queue\n").expect("written");
        bench.git(&["add", "."]);
        bench.git(&["commit", "-q", "-m", "queue: first"]);
        bench
    }

    /// The folder that holds all of it.
    pub fn root(&self) -> &Path {
        self.folder.path()
    }

    /// The repository.
    pub fn repo(&self) -> PathBuf {
        self.folder.path().join("tidewatch")
    }

    /// `FUDA_HOME`.
    pub fn home(&self) -> PathBuf {
        self.folder.path().join("fuda")
    }

    /// The handoff in the repository.
    pub fn document(&self) -> PathBuf {
        self.repo().join("HANDOFF.md")
    }

    /// Runs git in the repository and gives what it says.
    pub fn git(&self, arguments: &[&str]) -> String {
        git(&self.repo(), arguments)
    }

    /// The program with arguments, in an environment of its own.
    pub fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(&self.programs.fuda);
        command.args(arguments);
        self.surround(&mut command);
        command
    }

    /// Gives a command the environment of the bench and nothing else.
    pub fn surround(&self, command: &mut Command) {
        command
            .env_clear()
            .env("PATH", std::env::var("PATH").unwrap_or_default())
            .env("HOME", self.folder.path().join("person"))
            .env("FUDA_HOME", self.home())
            .env("GIT_CONFIG_NOSYSTEM", "1");
        // Only a build for the sabotage run knows this name.
        if let Ok(removed) = std::env::var("FUDA_SABOTAGE") {
            command.env("FUDA_SABOTAGE", removed);
        }
    }

    /// The program, to be asked many times.
    pub fn rpc(&self) -> Rpc {
        Rpc::start(self.command(&["rpc"]))
    }

    /// The programs of the bench.
    pub fn programs(&self) -> &Programs {
        &self.programs
    }

    /// Writes a handoff about the commit that is checked out.
    pub fn write_document(&self) {
        let head = self.git(&["rev-parse", "HEAD"]);
        let text = format!(
            "# Handoff: webhook queue\n\n**Branch:** main\n**Last commit:** {head} queue: first\n\n## Goal\n\nMove ingest to the queue.\n\n## Next steps\n\n- [ ] Drain in `queue.go`\n\n## Verified facts\n\n- One package (queue.go)\n\n## Safety boundary\n\n### Needs a person\n\n- Pushing\n"
        );
        fs::write(self.document(), text).expect("written");
    }

    /// Writes the handoff, scans, and gives its handle and revision.
    pub fn pending(&self, rpc: &mut Rpc) -> (String, String) {
        self.write_document();
        rpc.ok("index", json!({}));
        let page = rpc.ok("handoffs", json!({}));
        let handle = page["rows"][0]["handle"].as_str().unwrap_or_else(|| panic!("a handle: {page}")).to_owned();
        let rev = rev(rpc, &handle);
        (handle, rev)
    }

    /// The same, approved.
    pub fn approved(&self, rpc: &mut Rpc) -> (String, String) {
        let (handle, rev) = self.pending(rpc);
        approve(rpc, &handle);
        (handle, rev)
    }
}

/// Approves what is there now, with every acknowledgement that is asked for.
pub fn approve(rpc: &mut Rpc, handle: &str) {
    let ack = asked(rpc, handle);
    let rev = rev(rpc, handle);
    rpc.ok("approve", json!({ "id": handle, "rev": rev, "ack": ack }));
}

/// The acknowledgements that an approval needs.
pub fn asked(rpc: &mut Rpc, handle: &str) -> Vec<String> {
    let preview = rpc.ok("approval_preview", json!({ "id": handle }));
    let asked = preview["acknowledgements"].as_array().into_iter().flatten();
    asked.map(|one| one["code"].as_str().unwrap_or_default().to_owned()).collect()
}

/// The state of a handoff.
pub fn state(rpc: &mut Rpc, handle: &str) -> String {
    let detail = rpc.ok("handoff_detail", json!({ "id": handle }));
    detail["state"].as_str().unwrap_or_else(|| panic!("a state: {detail}")).to_owned()
}

/// The revision of a handoff.
pub fn rev(rpc: &mut Rpc, handle: &str) -> String {
    let detail = rpc.ok("handoff_detail", json!({ "id": handle }));
    detail["rev"].as_str().unwrap_or_else(|| panic!("a revision: {detail}")).to_owned()
}

/// Runs git in a folder.
pub fn git(folder: &Path, arguments: &[&str]) -> String {
    let mut command = Command::new("git");
    command
        .args(arguments)
        .current_dir(folder)
        .env_clear()
        .env("PATH", std::env::var("PATH").unwrap_or_default())
        .envs([
            ("GIT_CONFIG_NOSYSTEM", "1"),
            ("GIT_CONFIG_GLOBAL", "/dev/null"),
            ("GIT_AUTHOR_NAME", "A"),
            ("GIT_AUTHOR_EMAIL", "a@e"),
            ("GIT_COMMITTER_NAME", "A"),
            ("GIT_COMMITTER_EMAIL", "a@e"),
        ]);
    let output = limit::output_of(command.stdin(Stdio::null())).expect("git");
    assert!(output.status.success(), "{arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8_lossy(&output.stdout).trim().to_owned()
}

/// Runs a command with bytes on its standard input.
pub fn output_of(mut command: Command, input: &[u8]) -> Output {
    let name = limit::name_of(&command);
    let mut child = command
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap_or_else(|error| panic!("{command:?}: {error}"));
    let _watch = limit::watch(child.id(), &name);
    // A program that ends early does not read to the end.
    let _ = child.stdin.take().expect("a pipe").write_all(input);
    child.wait_with_output().expect("ended")
}
