//! Made-up files whose writer had not seen the reader and labelled them as a careful person reads: what is right of them
//! now must stay right.
//!
//! `FUDA_CASES=FOLDER cargo test -p handoff --test fresh score -- --nocapture` prints the score of another folder with a
//! `manifest.json` of the same shape; `FUDA_MISSES=1` also prints every value that is wrong.

#[path = "support/score.rs"]
mod score;

use std::path::PathBuf;

fn own() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../../tests/cases/fresh")
}

/// The values that are right and all of them, with the wrong ones in words.
fn scored(folder: &std::path::Path) -> (usize, usize, Vec<String>) {
    let (mut right, mut all, mut wrong) = (0, 0, Vec::new());
    for (name, case) in &score::manifest(folder) {
        let rows = score::rows(folder, name, case);
        let good = rows.iter().filter(|row| row.right).count();
        println!("{name}: {good} of {}", rows.len());
        wrong.extend(
            rows.iter()
                .filter(|row| !row.right)
                .map(|row| format!("{name}: {}: expected {}, got {}", row.key, row.expected, row.given)),
        );
        right += good;
        all += rows.len();
    }
    (right, all, wrong)
}

#[test]
fn score() {
    let elsewhere = std::env::var_os("FUDA_CASES").map(PathBuf::from);
    let (right, all, wrong) = scored(elsewhere.as_deref().unwrap_or(&own()));
    if std::env::var_os("FUDA_MISSES").is_some() {
        println!("{}", wrong.join("\n"));
    }
    println!("score: {right} of {all} ({:.1} %)", 100.0 * right as f64 / all as f64);
    if elsewhere.is_none() {
        assert!(right >= FLOOR, "{right} of {all} are right, {FLOOR} were:\n{}", wrong.join("\n"));
    }
}

/// Values that are right now.
const FLOOR: usize = 826;
