//! A desk of its own in a temporary folder, a repository that git made, and a clock that stands until it is moved.

use desk::view::{ListName, Progress, Row};
use desk::{Approve, Caller, Desk, Filter, Options};
use std::cell::Cell;
use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, SystemTime};
use tempfile::TempDir;

/// 2026-11-01T00:00:00Z.
pub const START: i64 = 1_793_491_200_000;
pub const SECOND: i64 = 1_000;
pub const HOUR: i64 = 3_600 * SECOND;
pub const DAY: i64 = 24 * HOUR;

thread_local! {
    static NOW: Cell<i64> = const { Cell::new(START) };
}

pub fn now() -> i64 {
    NOW.get()
}

/// Moves the clock of this test.
pub fn pass(ms: i64) {
    NOW.set(NOW.get() + ms);
}

pub struct Bench {
    folder: TempDir,
}

impl Bench {
    /// A profile `work` over a folder with the repository `tidewatch`, in which nothing was handed over yet.
    pub fn new() -> Self {
        let bench = Self { folder: TempDir::new().expect("a folder") };
        for folder in ["person", "fuda", "work/tidewatch"] {
            fs::create_dir_all(bench.folder.path().join(folder)).expect("made");
        }
        bench.configure("");
        bench.git(&["init", "-q", "-b", "main"]);
        bench.write("queue.go", "package queue\n");
        bench.git(&["add", "."]);
        bench.git(&["commit", "-q", "-m", "queue: first"]);
        bench
    }

    /// Writes the configuration; `more` stands before the profile.
    pub fn configure(&self, more: &str) {
        let root = self.folder.path().join("work");
        let text = format!(
            "{more}\n[[profile]]\nname = \"work\"\nagent = \"codex\"\nroots = [{:?}]\n",
            root.display().to_string()
        );
        fs::write(self.home().join("config.toml"), text).expect("written");
    }

    pub fn home(&self) -> PathBuf {
        self.folder.path().join("fuda")
    }

    pub fn repo(&self) -> PathBuf {
        self.folder.path().join("work/tidewatch")
    }

    pub fn at(&self, path: &str) -> PathBuf {
        self.repo().join(path)
    }

    /// Writes a file; its time is that of the clock, less a minute.
    pub fn write(&self, path: &str, text: &str) -> PathBuf {
        let path = self.at(path);
        fs::create_dir_all(path.parent().expect("a folder")).expect("made");
        fs::write(&path, text).expect("written");
        saved_at(&path, now() - 60 * SECOND);
        path
    }

    /// A handoff with an objective and one thing to do, about the commit that is checked out.
    pub fn handoff(&self, path: &str, objective: &str) -> PathBuf {
        let head = self.git(&["rev-parse", "HEAD"]);
        self.write(path, &format!("# Handoff\n\n**Branch:** main\n**Last commit:** {head} queue: first\n\n## Goal\n\n{objective}\n\n## Next steps\n\n- [ ] Drain in `queue.go`\n"))
    }

    pub fn git(&self, arguments: &[&str]) -> String {
        self.git_at(arguments, "2026-10-01T12:00:00Z")
    }

    /// Runs git as it would run at that time.
    pub fn git_at(&self, arguments: &[&str], at: &str) -> String {
        let output = Command::new("git")
            .args(arguments)
            .current_dir(self.repo())
            .env_clear()
            .env("PATH", std::env::var("PATH").unwrap_or_default())
            .envs([("GIT_CONFIG_NOSYSTEM", "1"), ("GIT_CONFIG_GLOBAL", "/dev/null")])
            .envs([("GIT_AUTHOR_NAME", "A"), ("GIT_AUTHOR_EMAIL", "a@e"), ("GIT_AUTHOR_DATE", at)])
            .envs([("GIT_COMMITTER_NAME", "A"), ("GIT_COMMITTER_EMAIL", "a@e"), ("GIT_COMMITTER_DATE", at)])
            .output()
            .expect("git");
        assert!(output.status.success(), "{arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8_lossy(&output.stdout).trim().to_owned()
    }

    /// Opens the desk; opened twice it is what two programs are.
    pub fn desk(&self) -> Desk {
        Desk::open(Options {
            root: self.home(),
            home: self.folder.path().join("person"),
            worker: (env!("CARGO_BIN_EXE_desk-worker").into(), Vec::new()),
            now_ms: now,
            caller: Caller { host: "window", ..Caller::default() },
        })
        .expect("a desk")
    }

    pub fn delete_index(&self) {
        for end in ["", "-wal", "-shm"] {
            let _ = fs::remove_file(self.home().join(format!("index.db{end}")));
        }
    }
}

pub fn saved_at(path: &Path, ms: i64) {
    let time = SystemTime::UNIX_EPOCH + Duration::from_millis(ms.unsigned_abs());
    File::options().append(true).open(path).and_then(|file| file.set_modified(time)).expect("dated");
}

pub fn scan(desk: &Desk) -> desk::view::Indexed {
    desk.index_now(&|_: Progress| {}, &|| false).expect("scanned")
}

/// The rows of a list that a query finds.
pub fn list(desk: &Desk, list: ListName, query: &str) -> Vec<Row> {
    let filter = Filter { list, query: Some(query.to_owned()), ..Filter::default() };
    desk.handoffs(&filter).expect("a list").rows
}

pub fn inbox(desk: &Desk) -> Vec<Row> {
    list(desk, ListName::Inbox, "")
}

/// The only row of the inbox.
pub fn only(desk: &Desk) -> Row {
    let mut rows = inbox(desk);
    assert_eq!(rows.len(), 1, "{rows:#?}");
    rows.remove(0)
}

/// Approves what stands there now, acknowledging whatever is asked.
pub fn approve(desk: &Desk, handle: &str) -> desk::view::Decided {
    let preview = desk.approval_preview(handle).expect("a preview");
    let ack = preview.acknowledgements.into_iter().map(|needed| needed.code).collect();
    desk.approve(handle, &Approve { rev: preview.rev, ack, ..Approve::default() }).expect("approved")
}
