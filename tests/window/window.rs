//! The real window, driven through WebKit's own driver: what a person sees and does.

use fantoccini::{Client, ClientBuilder, Locator};
use hyper_util::client::legacy::connect::HttpConnector;
use serde_json::{Value, json};
use std::fs;
use std::io::{BufRead, BufReader};
use std::net::TcpListener;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, channel};
use std::time::{Duration, Instant};
use tempfile::TempDir;

const PATIENCE: Duration = Duration::from_secs(20);

fn program(variable: &str, name: &str) -> PathBuf {
    std::env::var_os(variable)
        .map_or_else(|| Path::new(env!("CARGO_MANIFEST_DIR")).join("../target/debug").join(name), PathBuf::from)
}

struct Desk {
    folder: TempDir,
    driver: Child,
    port: u16,
}

impl Drop for Desk {
    fn drop(&mut self) {
        // The whole group: driver, app and WebKit's processes.
        let _ = Command::new("kill").args(["-KILL", "--", &format!("-{}", self.driver.id())]).status();
        let _ = self.driver.wait();
    }
}

fn git(repo: &Path, arguments: &[&str]) -> String {
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
    fn new() -> Self {
        // Without a bus no accessibility service is started; the driver hands its environment to the app.
        Self::on_bus("disabled:")
    }

    fn on_bus(bus: &str) -> Self {
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

    fn repo(&self) -> PathBuf {
        self.folder.path().join("tidewatch")
    }

    fn add_profile(&self) {
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

    fn handoff(&self) {
        let head = git(&self.repo(), &["rev-parse", "HEAD"]);
        let text = format!(
            "# Handoff: webhook queue 再接続\n\n**Branch:** main\n**Last commit:** {head} queue: first\n\n## Goal\n\nMove ingest to the queue.\n\n## Next steps\n\n- [ ] Drain in `queue.go`\n\n## Verified facts\n\n- One package (queue.go)\n\n## Safety boundary\n\n### Needs a person\n\n- Pushing\n"
        );
        fs::write(self.repo().join("HANDOFF.md"), text).expect("written");
    }

    async fn window(&self) -> Client {
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
async fn becomes(client: &Client, css: &str, wanted: impl Fn(&str) -> bool) -> String {
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

async fn click(client: &Client, css: &str) {
    client
        .wait()
        .at_most(PATIENCE)
        .for_element(Locator::Css(css))
        .await
        .unwrap_or_else(|_| panic!("{css} is not there"))
        .click()
        .await
        .expect("clicked");
}

async fn picture(client: &Client, name: &str) {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../target/window");
    fs::create_dir_all(&folder).expect("made");
    fs::write(folder.join(name), client.screenshot().await.expect("a picture")).expect("written");
}

#[tokio::test]
async fn a_handoff_is_shown_beside_the_repository_edited_and_approved() {
    let desk = Desk::new();
    desk.handoff();
    desk.add_profile();
    let client = desk.window().await;
    becomes(&client, "h1", |text| text.contains("webhook queue 再接続")).await;
    becomes(&client, "[data-verdict]", |text| !text.is_empty()).await;
    becomes(&client, ".tn", |text| text.contains("main") && text.contains("same")).await;
    picture(&client, "desk.png").await;

    // The boundary is edited; the file changes by that line only.
    let before = fs::read_to_string(desk.repo().join("HANDOFF.md")).expect("read");
    click(&client, "[data-action='boundary']").await;
    click(&client, "[data-add='safety.never']").await;
    let field = client
        .wait()
        .at_most(PATIENCE)
        .for_element(Locator::Css("[data-field='safety.never'] textarea"))
        .await
        .expect("a field");
    field.send_keys("Deleting tags").await.expect("typed");
    becomes(&client, ".diff", |text| text.contains("Deleting tags")).await;
    picture(&client, "editing.png").await;
    click(&client, "[data-action='save']").await;
    becomes(&client, ".bound", |text| text.contains("Deleting tags") && text.contains("Pushing")).await;
    let after = fs::read_to_string(desk.repo().join("HANDOFF.md")).expect("read");
    assert!(after.starts_with(&before), "only something was added: {after}");

    // Approving asks for what must be acknowledged, and binds.
    click(&client, "[data-action='approve']").await;
    becomes(&client, "[data-dialog='approve']", |text| text.contains("What you approve")).await;
    client
        .execute("document.querySelectorAll('[data-ack][aria-checked=false]').forEach((box) => box.click())", vec![])
        .await
        .expect("acknowledged");
    picture(&client, "approve.png").await;
    click(&client, "[data-action='confirm-approve']").await;
    becomes(&client, ".doc-top", |text| text.contains("Approved")).await;

    // A commit in the repository shows by itself, and the approval lapses.
    fs::write(desk.repo().join("queue.go"), "package queue\n\nfunc Drain() {}\n").expect("written");
    git(&desk.repo(), &["commit", "-q", "-am", "queue: drain"]);
    becomes(&client, "[data-pane='repository']", |text| text.contains("queue: drain")).await;
    becomes(&client, ".doc-top", |text| text.contains("Lapsed")).await;
    picture(&client, "lapsed.png").await;
    client.close().await.expect("closed");
}

#[tokio::test]
async fn the_first_start_offers_profiles_and_search_finds_japanese() {
    let desk = Desk::new();
    desk.handoff();
    let client = desk.window().await;
    becomes(&client, "[data-pane='profiles']", |text| text.contains("Read the handoff")).await;
    click(&client, "[data-action='another']").await;
    for (css, text) in [("#profile-name", "work".to_owned()), ("#profile-root", desk.repo().display().to_string())] {
        client
            .wait()
            .at_most(PATIENCE)
            .for_element(Locator::Css(css))
            .await
            .expect("a field")
            .send_keys(&text)
            .await
            .expect("typed");
    }
    click(&client, "[data-action='add-profile']").await;
    becomes(&client, "[data-profile='work']", |text| text.contains("1 handoff")).await;
    click(&client, "[data-list='inbox']").await;
    becomes(&client, "[data-pane='list']", |text| text.contains("webhook queue")).await;
    click(&client, "[data-action='search']").await;
    client
        .wait()
        .at_most(PATIENCE)
        .for_element(Locator::Css("[role='combobox']"))
        .await
        .expect("a field")
        .send_keys("接続")
        .await
        .expect("typed");
    becomes(&client, "[data-dialog='palette']", |text| text.contains("webhook queue")).await;
    client.close().await.expect("closed");
}

/// A session bus of its own, and what is said on it to whoever shows notices.
struct Bus {
    address: String,
    daemon: Child,
    monitor: Child,
    said: Receiver<String>,
}

impl Drop for Bus {
    fn drop(&mut self) {
        for child in [&mut self.monitor, &mut self.daemon] {
            // It may have ended by itself.
            let _ = child.kill();
            let _ = child.wait();
        }
    }
}

impl Bus {
    fn new() -> Self {
        let mut daemon = Command::new("dbus-daemon")
            .args(["--session", "--nofork", "--print-address=1"])
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .expect("dbus-daemon");
        let mut address = String::new();
        BufReader::new(daemon.stdout.take().expect("its output")).read_line(&mut address).expect("its address");
        let address = address.trim().to_owned();
        let mut monitor = Command::new("dbus-monitor")
            .args(["--address", &address, "destination='org.freedesktop.Notifications'"])
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .expect("dbus-monitor");
        let lines = BufReader::new(monitor.stdout.take().expect("its output")).lines();
        let (sender, said) = channel();
        std::thread::spawn(move || lines.map_while(Result::ok).all(|line| sender.send(line).is_ok()));
        Self { address, daemon, monitor, said }
    }
}

#[tokio::test]
async fn a_handoff_that_arrives_is_told_by_the_system_and_those_that_were_there_are_not() {
    let bus = Bus::new();
    let desk = Desk::on_bus(&bus.address);
    desk.add_profile();
    desk.handoff();
    let client = desk.window().await;
    becomes(&client, "[data-pane='list']", |text| text.contains("webhook queue")).await;
    fs::create_dir_all(desk.repo().join("docs")).expect("made");
    let text = "# Handoff: <b>tide</b> gauge\n\n## Goal\n\nRead the gauge.\n\n## Next steps\n\n- [ ] Read\n";
    fs::write(desk.repo().join("docs/HANDOFF.md"), text).expect("written");
    becomes(&client, "[data-pane='list']", |text| text.contains("gauge")).await;
    let mut said = Vec::new();
    let until = Instant::now() + PATIENCE;
    while !said.iter().any(|line: &String| line.contains("gauge")) {
        said.push(bus.said.recv_timeout(until.saturating_duration_since(Instant::now())).expect("a notice"));
    }
    assert!(said.iter().any(|line| line.contains("member=Notify")), "{said:#?}");
    assert!(said.iter().any(|line| line.contains("for review")), "{said:#?}");
    assert!(!said.iter().any(|line| line.contains("webhook")), "what was there is no arrival: {said:#?}");
    client.close().await.expect("closed");
}

#[tokio::test]
async fn nothing_of_a_document_reaches_the_network_or_becomes_markup() {
    let desk = Desk::new();
    let sink = TcpListener::bind("127.0.0.1:0").expect("a sink");
    let at = format!("http://127.0.0.1:{}", sink.local_addr().expect("an address").port());
    let asked = Arc::new(AtomicUsize::new(0));
    let counter = Arc::clone(&asked);
    std::thread::spawn(move || {
        sink.incoming().for_each(|_| {
            counter.fetch_add(1, Ordering::SeqCst);
        })
    });
    let vectors = [
        "<img src=URL/1>",
        "<script src=URL/2></script>",
        "<link rel=stylesheet href=URL/3>",
        "<iframe src=URL/4></iframe>",
        "<meta http-equiv=refresh content=\"0;url=URL/5\">",
        "<video src=URL/6 autoplay></video>",
        "<audio src=URL/7 autoplay></audio>",
        "<object data=URL/8></object>",
        "<embed src=URL/9>",
        "<svg><image href=URL/10 /></svg>",
        "<svg><use href=URL/11#x /></svg>",
        "<style>@import url(URL/12)</style>",
        "<div style=\"background:url(URL/13)\">x</div>",
        "<input type=image src=URL/14>",
        "<form action=URL/15><button autofocus onfocus=this.form.submit()></button></form>",
        "<img srcset=\"URL/16 1x\">",
        "<picture><source srcset=URL/17><img></picture>",
        "<base href=URL/18>",
        "<link rel=prefetch href=URL/19>",
        "<link rel=preconnect href=URL/20>",
        "<link rel=dns-prefetch href=URL/21>",
        "<body background=URL/22>",
        "![p](URL/23)",
        "[l](URL/24)",
        "<a href=URL/25 ping=URL/25>x</a>",
        "<img src=x onerror=\"fetch('URL/26')\">",
        "<details open ontoggle=\"new Image().src='URL/27'\">x</details>",
        "<track src=URL/28>",
        "<portal src=URL/29></portal>",
        "<script>navigator.sendBeacon('URL/30')</script>",
    ];
    let mut text = String::from("# Handoff: <img src=URL/0> leaks\n\n## Goal\n\nGo.\n\n## Next steps\n\n");
    for vector in vectors {
        text.push_str(&format!("- {vector}\n"));
    }
    text.push_str("\n## Odd\n\n");
    for vector in vectors {
        text.push_str(&format!("{vector}\n\n"));
    }
    fs::write(desk.repo().join("HANDOFF.md"), text.replace("URL", &at)).expect("written");
    desk.add_profile();
    let client = desk.window().await;
    becomes(&client, "#section-next", |text| text.contains("/30")).await;
    becomes(&client, "[data-verdict]", |text| !text.is_empty()).await;
    let markup = client
        .execute("return document.querySelectorAll('.says img, .says script, .says iframe, .says style, .says form, .says object, .says a, .says video').length", vec![])
        .await
        .expect("counted");
    assert_eq!(markup, json!(0));
    let moved = client.execute(&format!("location.href = '{at}/moved'; return true"), vec![]).await;
    assert!(moved.is_ok());
    becomes(&client, "#section-next", |text| text.contains("/30")).await;
    assert_eq!(asked.load(Ordering::SeqCst), 0, "the window asked the network");
    client.close().await.expect("closed");
}

#[test]
fn without_a_display_it_says_so_and_names_the_command_line() {
    let output = Command::new(program("FUDA_APP", "fuda-app"))
        .env_remove("DISPLAY")
        .env_remove("WAYLAND_DISPLAY")
        .output()
        .expect("the app");
    assert!(!output.status.success());
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(said.contains("no display") && said.contains("fuda list"), "{said}");
}
