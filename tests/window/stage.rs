//! A desk of its own for each test: home, repository, driver and window.

use fantoccini::error::{CmdError, ErrorStatus};
use fantoccini::{Client, ClientBuilder, Locator};
use hyper_util::client::legacy::connect::HttpConnector;
use serde_json::{Value, json};
use std::fs;
use std::net::TcpListener;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};
use tempfile::TempDir;

pub const PATIENCE: Duration = Duration::from_secs(20);

pub fn program(variable: &str, name: &str) -> PathBuf {
    std::env::var_os(variable)
        .map_or_else(|| Path::new(env!("CARGO_MANIFEST_DIR")).join("../target/debug").join(name), PathBuf::from)
}

pub struct Desk {
    pub folder: TempDir,
    pub driver: Child,
    pub port: u16,
}

impl Drop for Desk {
    fn drop(&mut self) {
        // The whole group: driver, app and WebKit's processes.
        let _ = Command::new("kill").args(["-KILL", "--", &format!("-{}", self.driver.id())]).status();
        let _ = self.driver.wait();
    }
}

pub fn git(repo: &Path, arguments: &[&str]) -> String {
    let output = Command::new("git")
        .args(arguments)
        .current_dir(repo)
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
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8_lossy(&output.stdout).trim().to_owned()
}

impl Desk {
    pub fn new() -> Self {
        // Without a bus no accessibility service is started; the driver hands its environment to the app.
        Self::on_bus("disabled:")
    }

    pub fn on_bus(bus: &str) -> Self {
        let folder = TempDir::new().expect("a folder");
        let repo = folder.path().join("tidewatch");
        fs::create_dir_all(&repo).expect("made");
        git(&repo, &["init", "-q", "-b", "main"]);
        fs::write(repo.join("queue.go"), "package queue\n").expect("written");
        git(&repo, &["add", "."]);
        git(&repo, &["commit", "-q", "-m", "queue: first"]);
        let port = TcpListener::bind("127.0.0.1:0").expect("a port").local_addr().expect("an address").port();
        let driver = Command::new("WebKitWebDriver")
            .arg(format!("--port={port}"))
            .process_group(0)
            .env("DBUS_SESSION_BUS_ADDRESS", bus)
            .env("NO_AT_BRIDGE", "1")
            .env("TAURI_WEBVIEW_AUTOMATION", "true")
            .env("HOME", folder.path())
            .env("FUDA_HOME", folder.path().join("fuda"))
            .env("XDG_CONFIG_HOME", folder.path().join("c"))
            .env("XDG_DATA_HOME", folder.path().join("d"))
            .env("XDG_CACHE_HOME", folder.path().join("k"))
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .expect("WebKitWebDriver (package webkit2gtk-driver)");
        Self { folder, driver, port }
    }

    pub fn repo(&self) -> PathBuf {
        self.folder.path().join("tidewatch")
    }

    pub fn add_profile(&self) {
        let status = Command::new(program("FUDA_BIN", "fuda"))
            .args(["profiles", "add", "work", "--agent", "generic", "--root"])
            .arg(self.repo())
            .env("HOME", self.folder.path())
            .env("FUDA_HOME", self.folder.path().join("fuda"))
            .stdout(Stdio::null())
            .status()
            .expect("fuda");
        assert!(status.success());
    }

    pub fn handoff(&self) {
        let head = git(&self.repo(), &["rev-parse", "HEAD"]);
        let text = format!(
            "# Handoff: webhook queue 再接続\n\n**Branch:** main\n**Last commit:** {head} queue: first\n\n## Goal\n\nMove ingest to the queue.\n\n## Next steps\n\n- [ ] Drain in `queue.go`\n\n## Verified facts\n\n- One package (queue.go)\n\n## Safety boundary\n\n### Needs a person\n\n- Pushing\n"
        );
        fs::write(self.repo().join("HANDOFF.md"), text).expect("written");
    }

    pub async fn window(&self) -> Client {
        let started = Instant::now();
        while std::net::TcpStream::connect(("127.0.0.1", self.port)).is_err() {
            assert!(started.elapsed() < PATIENCE, "the driver does not listen");
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
        let app = program("FUDA_APP", "fuda-app");
        let capabilities = json!({ "webkitgtk:browserOptions": { "binary": app, "args": [] } });
        let connect = ClientBuilder::new(HttpConnector::new())
            .capabilities(capabilities.as_object().expect("an object").clone())
            .connect(&format!("http://127.0.0.1:{}", self.port))
            .await;
        connect.expect("a session")
    }
}

/// Waits until the text of an element is as wanted.
pub async fn becomes(client: &Client, css: &str, wanted: impl Fn(&str) -> bool) -> String {
    let started = Instant::now();
    loop {
        let found = client
            .execute("return document.querySelector(arguments[0])?.innerText ?? ''", vec![json!(css)])
            .await
            .unwrap_or(Value::Null);
        let text = found.as_str().unwrap_or_default().to_owned();
        if wanted(&text) {
            return text;
        }
        assert!(started.elapsed() < PATIENCE, "{css} stayed {text:?}");
        tokio::time::sleep(Duration::from_millis(25)).await;
    }
}

pub async fn click(client: &Client, css: &str) {
    loop {
        let found = client.wait().at_most(PATIENCE).for_element(Locator::Css(css)).await;
        match found.unwrap_or_else(|_| panic!("{css} is not there")).click().await {
            // Drawn anew between the two, as a view that has just been turned to may be.
            Err(CmdError::Standard(error)) if error.error == ErrorStatus::StaleElementReference => {}
            clicked => return clicked.unwrap_or_else(|error| panic!("{css} was not clicked: {error}")),
        }
    }
}

pub async fn picture(client: &Client, name: &str) {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../target/window");
    fs::create_dir_all(&folder).expect("made");
    fs::write(folder.join(name), client.screenshot().await.expect("a picture")).expect("written");
}
