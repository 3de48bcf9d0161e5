//! Start of the window with 10,000 handoffs, beside a Tauri window that holds one word: from the start of the process
//! to the first frame that is more than one colour, read from the screen of an `Xvfb`. Alternating runs, medians.
//!
//! ```text
//! npm --prefix ui run build
//! cargo build --release -p cli
//! cargo bench -p fuda-app --features custom-protocol --bench window
//! ```

use std::collections::HashSet;
use std::fs;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};
use tauri::http::Response;
use tauri::{WebviewUrl, WebviewWindowBuilder};
use tempfile::TempDir;

const RUNS: usize = 7;
const FILES: usize = 10_000;
/// Files in one repository.
const IN_ONE: usize = 20;
const PATIENCE: Duration = Duration::from_secs(30);
/// Set for the process that is the window to compare with.
const EMPTY: &str = "FUDA_BENCH_EMPTY_WINDOW";

fn main() {
    if std::env::var_os(EMPTY).is_some() {
        return empty_window();
    }
    let bench = Bench::build();
    let fuda = PathBuf::from(env!("CARGO_BIN_EXE_fuda-app"));
    let this = std::env::current_exe().expect("this program");
    // Once each, so that every file was read before.
    bench.first_paint(Command::new(&fuda));
    bench.first_paint(empty(&this));
    let mut runs: Vec<(Duration, Duration)> =
        (0..RUNS).map(|_| (bench.first_paint(Command::new(&fuda)), bench.first_paint(empty(&this)))).collect();
    let mut median = |of: fn(&(Duration, Duration)) -> Duration| {
        runs.sort_by_key(of);
        of(&runs[RUNS / 2]).as_secs_f64() * 1_000.0
    };
    let (ours, floor) = (median(|run| run.0), median(|run| run.1));
    println!("| {FILES} handoffs | ours ms | floor ms | ratio | target |");
    println!("| --- | ---: | ---: | ---: | ---: |");
    println!("| start to first paint / an empty Tauri window | {ours:.0} | {floor:.0} | {:.2} | ≤ 1.2 |", ours / floor);
}

fn empty(this: &Path) -> Command {
    let mut command = Command::new(this);
    command.env(EMPTY, "1");
    command
}

/// A window of the same size with one word in it, from a page of its own as ours has one.
fn empty_window() {
    tauri::Builder::default()
        .register_uri_scheme_protocol("empty", |_, _| {
            let page = Response::builder().header("content-type", "text/html");
            page.body(b"<h1>Fuda</h1>".to_vec()).expect("a page")
        })
        .setup(|app| {
            let blank = WebviewUrl::CustomProtocol("empty://localhost/".parse()?);
            WebviewWindowBuilder::new(app, "main", blank).inner_size(1440.0, 900.0).build()?;
            Ok(())
        })
        .run(tauri::generate_context!())
        .expect("a window");
}

struct Bench {
    folder: TempDir,
    screen: Child,
    display: String,
}

impl Drop for Bench {
    fn drop(&mut self) {
        // It may have ended by itself.
        let _ = self.screen.kill();
        let _ = self.screen.wait();
    }
}

impl Bench {
    fn build() -> Self {
        let folder = TempDir::new().expect("a folder");
        let work = folder.path().join("work");
        for number in 0..FILES {
            let repository = work.join(format!("r{}", number / IN_ONE));
            if number % IN_ONE == 0 {
                fs::create_dir_all(repository.join(".git")).expect("made");
                fs::create_dir_all(repository.join(".claude/handoffs")).expect("made");
            }
            let name = format!(".claude/handoffs/2026-10-{:02}-{number}.md", number % 28 + 1);
            fs::write(repository.join(name), text(number)).expect("written");
        }
        let release = PathBuf::from(env!("CARGO_BIN_EXE_fuda-app")).with_file_name("fuda");
        for arguments in [&["profiles", "add", "p", "--agent", "claude-code", "--root"][..], &["index"]] {
            let mut command = Command::new(&release);
            command.args(arguments).env("FUDA_HOME", folder.path().join("fuda")).env("HOME", folder.path());
            if arguments.len() > 1 {
                command.arg(&work);
            }
            let status = command.stdout(Stdio::null()).status();
            assert!(status.is_ok_and(|status| status.success()), "build it first: cargo build --release -p cli");
        }
        let (screen, display) = screen(folder.path());
        Self { folder, screen, display }
    }

    /// From the start of a program to its first frame of more than one colour; the program is ended then.
    fn first_paint(&self, mut command: Command) -> Duration {
        let before = self.colours();
        let started = Instant::now();
        let mut program = command
            .env("DISPLAY", &self.display)
            .env("HOME", self.folder.path())
            .env("FUDA_HOME", self.folder.path().join("fuda"))
            .env("DBUS_SESSION_BUS_ADDRESS", "disabled:")
            .env("NO_AT_BRIDGE", "1")
            .env("WEBKIT_DISABLE_DMABUF_RENDERER", "1")
            .process_group(0)
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .expect("started");
        while self.colours() <= before + 1 {
            assert!(started.elapsed() < PATIENCE, "nothing was painted");
        }
        let took = started.elapsed();
        // The group: WebKit's processes as well.
        let group = format!("-{}", program.id());
        assert!(Command::new("kill").args(["-KILL", "--", &group]).status().is_ok_and(|status| status.success()));
        program.wait().expect("ended");
        let ended = Instant::now();
        while self.colours() > before {
            assert!(ended.elapsed() < PATIENCE, "the window stayed");
        }
        took
    }

    /// How many colours are on the screen, up to a few; every 7th pixel is looked at.
    fn colours(&self) -> usize {
        let picture = fs::read(self.folder.path().join("Xvfb_screen0")).expect("the screen");
        // XWD: the length of the header stands first, the number of 12-byte colours in its 20th word.
        let word =
            |at: usize| picture[at * 4..at * 4 + 4].try_into().map(u32::from_be_bytes).expect("a header") as usize;
        let mut found = HashSet::new();
        for pixel in picture[word(0) + word(19) * 12..].chunks_exact(4).step_by(7) {
            found.insert(pixel);
            if found.len() > 4 {
                break;
            }
        }
        found.len()
    }
}

/// An X server of its own that keeps its screen in a file.
fn screen(folder: &Path) -> (Child, String) {
    let mut screen = Command::new("Xvfb")
        .args(["-displayfd", "1", "-screen", "0", "1440x900x24", "-fbdir"])
        .arg(folder)
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .expect("Xvfb");
    let mut line = String::new();
    let out = screen.stdout.take().expect("its output");
    std::io::BufRead::read_line(&mut std::io::BufReader::new(out), &mut line).expect("the display");
    (screen, format!(":{}", line.trim()))
}

/// A handoff of an ordinary length.
fn text(number: usize) -> String {
    let day = number % 28 + 1;
    let mut text =
        format!("# Handoff: queue {number}\n\n**Date:** 2026-10-{day:02}\n\n## Objective\nDrain queue {number}.\n\n");
    for heading in ["Decisions", "Verified facts", "Next steps", "Open questions"] {
        text.push_str(&format!("## {heading}\n"));
        for item in 0..8 {
            text.push_str(&format!("- `src/queue_{}.go` keeps item {item} back until its lease ends\n", number % 97));
        }
        text.push('\n');
    }
    text
}
