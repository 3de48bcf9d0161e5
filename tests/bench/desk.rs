//! Lists at many thousand files: the overview, a page, terms, words, and what one changed file or one decision costs.
//! `cargo bench -p desk --bench desk [FILES]`. A frame is 16.7 ms; the figures are milliseconds and frames.

use desk::view::ListName;
use desk::{Caller, Decision, Desk, Filter, Options};
use std::fs;
use std::hint::black_box;
use std::path::Path;
use std::time::Instant;

const RUNS: usize = 15;
const FILES: usize = 20_000;
/// Files in one repository.
const IN_ONE: usize = 20;
const FRAME_MS: f64 = 1_000.0 / 60.0;

fn main() {
    let files = std::env::args().skip(1).find_map(|argument| argument.parse().ok()).unwrap_or(FILES);
    let folder = tempfile::tempdir().expect("a folder");
    let work = folder.path().join("work");
    for number in 0..files {
        let repository = work.join(format!("r{}", number / IN_ONE));
        if number % IN_ONE == 0 {
            fs::create_dir_all(repository.join(".git")).expect("made");
            fs::create_dir_all(repository.join("handoffs")).expect("made");
        }
        let text = format!(
            "# Handoff {number}\n\n**Date:** 2026-10-{:02}\n**Branch:** b{number}\n\n## Objective\nDrain queue {number}; {}を見る\n\n## Next\n- [ ] go on\n",
            number % 28 + 1,
            if number % 50 == 0 { "再接続" } else { "確認" }
        );
        fs::write(repository.join(format!("handoffs/{number}.md")), text).expect("written");
    }
    fs::create_dir_all(folder.path().join("fuda")).expect("made");
    let profile = format!(
        "[settings]\narchive_after_days = 40000\n\n[[profile]]\nname = \"work\"\nagent = \"codex\"\nroots = [{:?}]\n",
        work.display().to_string()
    );
    fs::write(folder.path().join("fuda/config.toml"), profile).expect("written");
    let desk = open(folder.path());
    let first = Instant::now();
    let found = desk.index_now(&|_| {}, &|| false).expect("scanned");
    assert_eq!(found.handoffs as usize, files);
    println!("first scan with what is kept: {:.1} s", first.elapsed().as_secs_f64());
    let cold = Instant::now();
    assert_eq!(desk.overview().expect("an overview").all as usize, files);
    println!("| {files} handoffs | ms | frames |");
    println!("| --- | ---: | ---: |");
    tell("the first list of a program", cold.elapsed().as_secs_f64() * 1_000.0);
    let page = |list, query: &str, offset| {
        let filter = Filter { list, query: Some(query.to_owned()), offset, limit: 100, ..Filter::default() };
        black_box(desk.handoffs(&filter).expect("a list"))
    };
    measure("overview", || drop(black_box(desk.overview().expect("an overview"))));
    measure("handoffs, the first 100", || drop(page(ListName::Inbox, "", 0)));
    measure("handoffs, 100 in the middle", || drop(page(ListName::Inbox, "", files / 2)));
    measure("handoffs, narrowed by terms", || drop(page(ListName::All, "state:pending repo:r1 -is:draft", 0)));
    measure("handoffs, a word that all have", || drop(page(ListName::All, "drain", 0)));
    measure("handoffs, two characters that one of fifty has", || drop(page(ListName::All, "再接", 0)));
    measure("search, 50 with text, a word that all have", || {
        drop(black_box(desk.search("drain", 50).expect("searched")))
    });
    measure("search, 50 with text, two characters", || drop(black_box(desk.search("再接", 50).expect("searched"))));
    let handle = page(ListName::Inbox, "", 0).rows[0].handle.clone();
    let mut skipped = false;
    measure("a decision and the list after it", || {
        let decision = if skipped { Decision::Reopen } else { Decision::Skip };
        skipped = !skipped;
        desk.decide(&handle, decision, None).expect("decided");
        drop(page(ListName::Inbox, "", 0));
    });
    let (path, mut number) = (work.join("r0/handoffs/0.md"), 0);
    let mut after = Vec::new();
    for _ in 0..RUNS {
        number += 1;
        fs::write(&path, format!("# Handoff\n\n**Branch:** b0\n\n## Next\n- [ ] change {number}\n")).expect("written");
        desk.index_after(std::slice::from_ref(&path), &|_| {}, &|| false).expect("scanned");
        let start = Instant::now();
        drop(page(ListName::Inbox, "", 0));
        after.push(start.elapsed().as_secs_f64() * 1_000.0);
    }
    tell("the list after a scan that found one changed file", median(after));
}

fn open(root: &Path) -> Desk {
    Desk::open(Options {
        root: root.join("fuda"),
        home: root.join("person"),
        worker: (env!("CARGO_BIN_EXE_desk-worker").into(), Vec::new()),
        now_ms: || 1_793_491_200_000,
        caller: Caller { host: "window", ..Caller::default() },
    })
    .expect("a desk")
}

fn measure(what: &str, mut work: impl FnMut()) {
    let runs = (0..RUNS)
        .map(|_| {
            let start = Instant::now();
            work();
            start.elapsed().as_secs_f64() * 1_000.0
        })
        .collect();
    tell(what, median(runs));
}

fn median(mut runs: Vec<f64>) -> f64 {
    runs.sort_by(f64::total_cmp);
    runs[runs.len() / 2]
}

fn tell(what: &str, ms: f64) {
    println!("| {what} | {ms:.2} | {:.2} |", ms / FRAME_MS);
}
