//! Glance and look on repositories of three sizes, each beside the git command that anyone would run instead.
//! `cargo bench -p repo [small|medium|large|long]`. Prints medians of alternating runs and their ratio: the figures of
//! a busy machine move together, the ratio stays.

use handoff::{Handoff, Text, Tree};
use repo::{Drift, Question};
use std::fs;
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

const RUNS: usize = 11;
/// How far back the recorded commit lies.
const NEAR: usize = 50;
/// The same in the long history, which has a commit-graph.
const FAR: usize = 12_312;

struct Size {
    name: &'static str,
    files: usize,
    commits: usize,
}

const SIZES: [Size; 4] = [
    Size { name: "small", files: 776, commits: 200 },
    Size { name: "medium", files: 4_847, commits: 4_000 },
    Size { name: "large", files: 80_000, commits: 200 },
    Size { name: "long", files: 776, commits: 15_000 },
];

fn main() {
    let wanted: Vec<String> = std::env::args().skip(1).filter(|arg| !arg.starts_with('-')).collect();
    let room = tempfile::tempdir().expect("a temporary folder");
    let home = room.path().join("home");
    fs::create_dir(&home).expect("a home");
    repo::use_home(&home).expect("libgit2 takes a home");
    println!("| repository | what | ours ms | git ms | ratio | target |");
    println!("| --- | --- | ---: | ---: | ---: | ---: |");
    for size in SIZES.iter().filter(|size| wanted.is_empty() || wanted.iter().any(|name| name == size.name)) {
        let bench = Bench::build(room.path(), size);
        if size.commits > FAR {
            bench.run_far(size.name)
        } else {
            bench.run(size.name)
        }
        fs::remove_dir_all(&bench.dir).expect("the repository is removed");
    }
}

struct Bench {
    dir: PathBuf,
    head: String,
    near: String,
}

impl Bench {
    fn build(room: &Path, size: &Size) -> Self {
        let dir = room.join(size.name);
        fs::create_dir(&dir).expect("a folder");
        git(&dir, &["init", "-q", "-b", "main"]);
        import(&dir, size);
        git(&dir, &["reset", "-q", "--hard", "main"]);
        git(&dir, &["-c", "gc.auto=0", "gc", "-q"]);
        // The index is written a second after the files, so that no entry is in doubt; git refreshes it once.
        let later = Instant::now() + Duration::from_millis(1_100);
        while Instant::now() < later {
            std::thread::yield_now();
        }
        for n in 0..20 {
            let path = dir.join(path_of(n * size.files / 20));
            let text = fs::read_to_string(&path).expect("a file") + "changed\n";
            fs::write(&path, text).expect("a file is written");
        }
        (0..5).for_each(|n| fs::write(dir.join(format!("untracked-{n}.txt")), "new\n").expect("a file is written"));
        git(&dir, &["update-index", "-q", "--refresh"]);
        let head = git(&dir, &["rev-parse", "HEAD"]);
        let near = git(&dir, &["rev-parse", &format!("HEAD~{NEAR}")]);
        Self { dir, head, near }
    }

    fn question(&self, head: &str) -> Question {
        let text = |value: &str| Some(Text::made(value));
        let tree = Tree {
            worktree: text(&self.dir.to_string_lossy()),
            head: text(head),
            branch: text("main"),
            ..Tree::default()
        };
        Question { handoff: Handoff { trees: vec![tree], ..Handoff::default() }, ..Question::default() }
    }

    fn run_far(&self, name: &str) {
        git(&self.dir, &["commit-graph", "write", "--reachable"]);
        let far = git(&self.dir, &["rev-parse", &format!("HEAD~{FAR}")]);
        let question = self.question(&far);
        assert_eq!(repo::glance(&question).ahead as usize, FAR);
        row(
            name,
            "glance, 12,312 commits on, commit-graph / merge-base --is-ancestor",
            2.0,
            &|| drop(repo::glance(&question)),
            &|| {
                drop(git(&self.dir, &["merge-base", "--is-ancestor", &far, "HEAD"]));
            },
        );
    }

    fn run(&self, name: &str) {
        let (same, near) = (self.question(&self.head), self.question(&self.near));
        let look = |question: &Question| -> Drift { repo::look(question, &|| false) };
        let row = |what: &str, target: f64, ours: &dyn Fn(), theirs: &dyn Fn()| row(name, what, target, ours, theirs);
        let run = |args: &[&str]| drop(git(&self.dir, args));
        row("glance / rev-parse HEAD", 0.15, &|| drop(repo::glance(&same)), &|| run(&["rev-parse", "HEAD"]));
        row("glance, 50 commits on / merge-base --is-ancestor", 0.8, &|| drop(repo::glance(&near)), &|| {
            run(&["merge-base", "--is-ancestor", &self.near, "HEAD"]);
        });
        let mut uncounted = same.clone();
        uncounted.budget.counted_files = 0;
        row("look at the same commit, lines not counted / status", 1.1, &|| drop(look(&uncounted)), &|| {
            run(&["status", "--porcelain=v1", "-z"])
        });
        row("look, 50 commits on / four git calls", 0.9, &|| drop(look(&near)), &|| {
            run(&["rev-parse", "HEAD"]);
            run(&["merge-base", "--is-ancestor", &self.near, "HEAD"]);
            run(&["status", "--porcelain=v1", "-z"]);
            run(&["diff", "--numstat", &self.near]);
        });
    }
}

/// Times two actions and prints them as a line of the table.
fn row(name: &str, what: &str, target: f64, ours: &dyn Fn(), theirs: &dyn Fn()) {
    let (ours, theirs) = alternating(ours, theirs);
    println!("| {name} | {what} | {ours:.2} | {theirs:.2} | {:.2} | {target:.2} |", ours / theirs);
}

/// Medians in milliseconds of two actions run in turn.
fn alternating(ours: &dyn Fn(), theirs: &dyn Fn()) -> (f64, f64) {
    let time = |action: &dyn Fn()| {
        let began = Instant::now();
        action();
        began.elapsed().as_secs_f64() * 1000.0
    };
    ours();
    theirs();
    let (mut one, mut other): (Vec<f64>, Vec<f64>) = (0..RUNS).map(|_| (time(ours), time(theirs))).unzip();
    let median = |list: &mut Vec<f64>| {
        list.sort_by(f64::total_cmp);
        list[list.len() / 2]
    };
    (median(&mut one), median(&mut other))
}

fn path_of(n: usize) -> String {
    format!("src/part{:03}/group{}/file{n}.txt", n / 100, n % 4)
}

/// Writes a history through `git fast-import`: all files in the first commit, a few changed in each further one.
fn import(dir: &Path, size: &Size) {
    let mut child = Command::new("git")
        .arg("-C")
        .arg(dir)
        .args(["fast-import", "--quiet"])
        .stdin(Stdio::piped())
        .spawn()
        .expect("git fast-import runs");
    let mut out = BufWriter::new(child.stdin.take().expect("its input"));
    let content = |n: usize, version: usize| -> String {
        (0..40)
            .map(|line| {
                format!("line {line} of file {n}, version {}\n", if line == version % 40 { version } else { 0 })
            })
            .collect()
    };
    for commit in 0..size.commits {
        let message = format!("Step {commit}");
        let when = 1_790_000_000 + commit * 60;
        write!(
            out,
            "commit refs/heads/main\ncommitter Ada <ada@example.test> {when} +0000\ndata {}\n{message}\n",
            message.len()
        )
        .expect("the stream is written");
        let files: Vec<usize> = if commit == 0 {
            (0..size.files).collect()
        } else {
            (0..3).map(|n| (commit * 7 + n * 131) % size.files).collect()
        };
        for n in files {
            let text = content(n, commit);
            write!(out, "M 100644 inline {}\ndata {}\n{text}\n", path_of(n), text.len())
                .expect("the stream is written");
        }
    }
    out.flush().expect("the stream is written");
    drop(out);
    assert!(child.wait().expect("it ends").success(), "git fast-import");
}

fn git(dir: &Path, args: &[&str]) -> String {
    let output = Command::new("git")
        .arg("-C")
        .arg(dir)
        .args(args)
        .env("GIT_CONFIG_NOSYSTEM", "1")
        .env("GIT_CONFIG_GLOBAL", "/dev/null")
        .env("GIT_OPTIONAL_LOCKS", "0")
        .output()
        .expect("git runs");
    String::from_utf8_lossy(&output.stdout).trim().to_owned()
}
