//! What is kept, beside commands that anyone has: a cold index against `xargs cat` of the same files, a scan without
//! changes against `find -printf`, search against a scan of every text. `cargo bench -p store [FILES]`. Medians of
//! alternating runs and their ratio: the figures of a busy machine move together, the ratio stays.

use std::collections::HashSet;
use std::fs;
use std::hint::black_box;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};
use store::Home;
use store::config::{Config, Profile};
use store::index::Index;
use tempfile::TempDir;

const RUNS: usize = 7;
/// A cold index of many files takes long.
const COLD_RUNS: usize = 3;
const FILES: usize = 10_000;
/// Files in one repository.
const IN_ONE: usize = 20;
/// Two-character words, as a person types them.
const WORDS: &[&str] = &[
    "接続", "待ち", "時間", "検証", "失敗", "再現", "手順", "次回", "却下", "権限", "期限", "予算", "復旧", "移行",
    "監視", "障害",
];

fn main() {
    let files = std::env::args().skip(1).find_map(|argument| argument.parse().ok()).unwrap_or(FILES);
    let bench = Bench::build(files);
    println!("| {files} handoffs | ours ms | floor ms | ratio | target |");
    println!("| --- | ---: | ---: | ---: | ---: |");
    bench.cold();
    let index = Index::open(&bench.home).expect("an index");
    bench.scan(&index);
    bench.warm(&index);
    bench.one_change(&index);
    bench.search(&index);
}

struct Bench {
    folder: TempDir,
    home: Home,
    config: Config,
    texts: Vec<String>,
}

impl Bench {
    fn build(files: usize) -> Self {
        let folder = tempfile::tempdir().expect("a folder");
        let home = Home::open(&folder.path().join("home")).expect("a home");
        let texts: Vec<String> = (0..files).map(text).collect();
        for (number, text) in texts.iter().enumerate() {
            let repository = folder.path().join(format!("work/r{}", number / IN_ONE));
            if number % IN_ONE == 0 {
                fs::create_dir_all(repository.join(".git")).expect("made");
                fs::create_dir_all(repository.join(".claude/handoffs")).expect("made");
            }
            fs::write(repository.join(format!(".claude/handoffs/2026-10-{:02}-{number}.md", number % 28 + 1)), text)
                .expect("written");
        }
        let roots = vec![folder.path().join("work").display().to_string()];
        let profile = Profile { name: "p".into(), agent: "claude-code".into(), roots, ..Profile::default() };
        Self { folder, home, config: Config { profiles: vec![profile], ..Config::default() }, texts }
    }

    fn work(&self) -> PathBuf {
        self.folder.path().join("work")
    }

    fn scan(&self, index: &Index) -> u32 {
        index
            .scan(&self.config, Path::new("/nowhere"), 1_793_491_200_000, &mut |_, _, _| {}, &|| false)
            .expect("scanned")
            .read
    }

    fn cold(&self) {
        let ours = || {
            for end in ["", "-wal", "-shm"] {
                // A file that is not there need not be removed.
                let _ = fs::remove_file(format!("{}{end}", self.home.index().display()));
            }
            let start = Instant::now();
            let index = Index::open(&self.home).expect("an index");
            assert_eq!(self.scan(&index) as usize, self.texts.len());
            start.elapsed()
        };
        let floor = || shell("find \"$0\" -name '*.md' -print0 | xargs -0 cat", &self.work());
        report(COLD_RUNS, "cold index / `find … \\| xargs cat`", "≤ 10", ours, floor);
    }

    fn warm(&self, index: &Index) {
        let ours = || {
            let start = Instant::now();
            assert_eq!(self.scan(index), 0);
            start.elapsed()
        };
        let floor = || shell("find \"$0\" -printf '%p %D %i %s %T@ %C@\\n'", &self.work());
        report(RUNS, "scan, nothing changed / `find -printf`", "≤ 1.5", ours, floor);
    }

    fn one_change(&self, index: &Index) {
        let path = self.work().join("r0/.claude/handoffs/2026-10-01-0.md");
        let mut number = 0;
        let ours = || {
            number += 1;
            fs::write(&path, format!("{}\n- change {number}\n", self.texts[0])).expect("written");
            let start = Instant::now();
            assert_eq!(self.scan(index), 1);
            start.elapsed()
        };
        let floor = || shell("find \"$0\" -printf '%p %D %i %s %T@ %C@\\n'", &self.work());
        report(RUNS, "scan, one file changed / `find -printf`", "", ours, floor);
    }

    fn search(&self, index: &Index) {
        for word in WORDS {
            let found = self.texts.iter().filter(|text| text.contains(word)).count();
            assert_eq!(index.matching(word).expect("searched").map_or(0, |all| all.len()), found, "{word}");
        }
        let ours = || {
            let start = Instant::now();
            for word in WORDS {
                black_box(index.search(word, 20).expect("searched"));
            }
            start.elapsed()
        };
        let scan = format!("for word in {}; do grep -rlF \"$word\" \"$0\"; done", WORDS.join(" "));
        let floor = || shell(&scan, &self.work());
        report(RUNS, "16 two-character words, newest 20 with text / `grep -rlF`", "≤ 0.02", ours, floor);
        let everything = || {
            let start = Instant::now();
            let rows = index.rows().expect("rows");
            assert_eq!(rows.iter().map(|row| &row.handle).collect::<HashSet<_>>().len(), self.texts.len());
            start.elapsed()
        };
        let floor = || shell("find \"$0\" -printf '%p %D %i %s %T@ %C@\\n'", &self.work());
        report(RUNS, "every row of the index / `find -printf`", "", everything, floor);
    }
}

/// About six kilobytes, the median of handoffs in the field.
fn text(number: usize) -> String {
    let mut text = format!(
        "# Handoff: queue {number}\n\n**Date:** 2026-10-{:02}\n**Branch:** feat/q-{}\n\n## Objective\nDrain queue {number} without losing a message.\n\n",
        number % 28 + 1,
        number % 7
    );
    for (heading, count) in
        [("Decisions", 6), ("Verified facts", 12), ("What failed", 5), ("次にやること", 12), ("Open questions", 5)]
    {
        text.push_str(&format!("## {heading}\n"));
        for item in 0..count {
            let word = if number % 50 == item { WORDS[(number / 50 + item) % WORDS.len()] } else { "確認" };
            text.push_str(&format!(
                "- `src/ingest/queue_{}.go` keeps item {item} of run {number} back until its lease ends; {word}を見る (commit {:07x}, `go test ./ingest`)\n",
                number % 97,
                number * 7_919 + item
            ));
        }
        text.push('\n');
    }
    text
}

fn shell(script: &str, folder: &Path) -> Duration {
    let start = Instant::now();
    let status = Command::new("sh").arg("-c").arg(script).arg(folder).stdout(Stdio::null()).status().expect("a shell");
    assert!(status.success());
    start.elapsed()
}

fn report(count: usize, what: &str, target: &str, mut ours: impl FnMut() -> Duration, floor: impl Fn() -> Duration) {
    let mut runs: Vec<(Duration, Duration)> = (0..count).map(|_| (ours(), floor())).collect();
    let mut median = |of: fn(&(Duration, Duration)) -> Duration| {
        runs.sort_by_key(of);
        of(&runs[count / 2]).as_secs_f64() * 1_000.0
    };
    let (ours, floor) = (median(|run| run.0), median(|run| run.1));
    println!("| {what} | {ours:.2} | {floor:.2} | {:.3} | {target} |", ours / floor);
}
