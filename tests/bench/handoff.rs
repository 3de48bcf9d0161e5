//! Reading, beside the floor of everything that reads Markdown: one pass of the parser over the same texts.
//! `cargo bench -p handoff --bench handoff`. Processor time, the least of several alternating runs: other programs on the
//! machine count little; the ratio is the figure. `-- once` reads the made texts once and does nothing else, for a
//! profiler: instructions do not depend on what else runs.

#[path = "../it/handoff/support/mod.rs"]
mod support;

use handoff::{Limits, hidden, lint, mask, read};
use pulldown_cmark::{Options, Parser};
use std::hint::black_box;
use support::{cases, took};

const RUNS: usize = 9;
const TEXTS: usize = 200;

fn main() {
    let limits = Limits::default();
    if std::env::args().any(|argument| argument == "once") {
        let read_one = |text: &String| read(text.as_bytes(), "HANDOFF.md", &limits).entries.len();
        println!("{} entries", made().iter().map(read_one).sum::<usize>());
        return;
    }
    println!("| what | ours µs | parser µs | ratio |");
    println!("| --- | ---: | ---: | ---: |");
    for (name, texts) in [("5 KB, Japanese and English", made()), ("the cases", texts_of_cases())] {
        let parse = |text: &str| Parser::new_ext(text, Options::all()).into_offset_iter().count();
        let read_one = |text: &str| read(text.as_bytes(), "HANDOFF.md", &limits).entries.len();
        report(&format!("{name}: read"), &texts, read_one, parse);
        report(&format!("{name}: mask"), &texts, |text| mask(text).len(), parse);
        report(&format!("{name}: hidden"), &texts, |text| hidden(text.as_bytes()).len(), parse);
        let with_lint = |text: &str| lint(&read(text.as_bytes(), "HANDOFF.md", &limits)).len();
        report(&format!("{name}: read and lint"), &texts, with_lint, parse);
    }
}

/// Texts like most in the field: lists under headings, half of them not ASCII.
fn made() -> Vec<String> {
    (0..TEXTS).map(one).collect()
}

fn one(number: usize) -> String {
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
            text.push_str(&format!(
                "- `src/ingest/queue_{}.go` keeps item {item} of run {number} back until its lease ends; 確認を見る (commit {:07x}, `go test ./ingest`)\n",
                number % 97,
                number * 7_919 + item
            ));
        }
        text.push('\n');
    }
    text
}

fn texts_of_cases() -> Vec<String> {
    cases().into_iter().filter_map(|(_, bytes)| String::from_utf8(bytes).ok()).collect()
}

fn report(what: &str, texts: &[String], ours: impl Fn(&str) -> usize, floor: impl Fn(&str) -> usize) {
    let time = |work: &dyn Fn(&str) -> usize| {
        let all = took(|| texts.iter().map(|text| black_box(work(text))).sum::<usize>());
        all.as_secs_f64() * 1e6 / texts.len() as f64
    };
    let (mut least, mut least_floor) = (f64::MAX, f64::MAX);
    for _ in 0..RUNS {
        least = least.min(time(&ours));
        least_floor = least_floor.min(time(&floor));
    }
    println!("| {what} | {least:.1} | {least_floor:.1} | {:.1} |", least / least_floor);
}
