//! What several of these tests need: the case files, documents without places, and how time grows.
#![allow(dead_code)]

use handoff::{Handoff, Limits, Reading, Span, ordering_date, read};
use serde_json::Value;
use std::fs;
use std::path::PathBuf;
use std::time::Duration;

/// The case files by name, the manifest left out.
pub fn cases() -> Vec<(String, Vec<u8>)> {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../../tests/cases/handoffs");
    let mut found: Vec<(String, Vec<u8>)> = fs::read_dir(folder)
        .expect("the cases")
        .map(|entry| entry.expect("an entry").path())
        .map(|path| {
            (path.file_name().expect("a name").to_string_lossy().into_owned(), fs::read(&path).expect("a file"))
        })
        .filter(|(name, _)| name != "manifest.json")
        .collect();
    found.sort();
    found
}

/// A document as JSON, without the places of its parts and the headings they stood under.
pub fn without_places(handoff: &Handoff) -> Value {
    fn strip(value: &mut Value) {
        match value {
            Value::Object(members) => {
                members.retain(|key, _| !matches!(key.as_str(), "span" | "under"));
                members.values_mut().for_each(strip);
            }
            Value::Array(items) => items.iter_mut().for_each(strip),
            _ => {}
        }
    }
    let mut value = serde_json::to_value(handoff).expect("JSON");
    strip(&mut value);
    value
}

/// The processor time of this thread: what else runs on the machine does not count.
#[cfg(unix)]
fn processor_time() -> Duration {
    let time = rustix::time::clock_gettime(rustix::time::ClockId::ThreadCPUTime);
    let part = |value: i64| u64::try_from(value).expect("a time that is not negative");
    Duration::from_secs(part(time.tv_sec)) + Duration::from_nanos(part(time.tv_nsec))
}

#[cfg(not(unix))]
fn processor_time() -> Duration {
    static START: std::sync::OnceLock<std::time::Instant> = std::sync::OnceLock::new();
    START.get_or_init(std::time::Instant::now).elapsed()
}

/// The processor time that some work takes.
pub fn took<T>(work: impl FnOnce() -> T) -> Duration {
    let start = processor_time();
    std::hint::black_box(work());
    processor_time() - start
}

/// How much bigger the large text is than the small one.
const TIMES: usize = 8;
/// Eight times the size takes eight times the time; a square takes sixty-four.
const MOST: f64 = 24.0;

/// Asserts that the time grows with the size and not with its square: the least of several runs, alternating.
pub fn assert_grows_with_size(what: &str, make: impl Fn(usize) -> String, small: usize, work: impl Fn(&str)) {
    let (one, eight) = (make(small), make(small * TIMES));
    let (mut least, mut most) = (Duration::MAX, Duration::MAX);
    for _ in 0..3 {
        least = least.min(took(|| work(&one)));
        most = most.min(took(|| work(&eight)));
    }
    let ratio = most.as_secs_f64() / least.max(Duration::from_micros(100)).as_secs_f64();
    assert!(ratio < MOST, "{what}: {ratio:.1} times the time for {TIMES} times the size ({least:?}, {most:?})");
}

/// Every span of a reading, found in its serialised form: `[from, to]` under a key `span`.
pub fn spans(reading: &Reading) -> Vec<Span> {
    fn walk(value: &serde_json::Value, found: &mut Vec<Span>) {
        match value {
            serde_json::Value::Object(members) => {
                for (key, value) in members {
                    match (key.as_str(), value.as_array().map(Vec::as_slice)) {
                        ("span", Some([from, to])) => {
                            let number = |value: &serde_json::Value| value.as_u64().expect("a number") as usize;
                            found.push(Span::new(number(from), number(to)));
                        }
                        _ => walk(value, found),
                    }
                }
            }
            serde_json::Value::Array(items) => items.iter().for_each(|item| walk(item, found)),
            _ => {}
        }
    }
    let mut found = Vec::new();
    walk(&serde_json::to_value(reading).expect("JSON"), &mut found);
    found
}

/// Reads a file and asserts that every range lies inside it and on character boundaries.
pub fn check(bytes: &[u8], name: &str) -> Reading {
    let reading = read(bytes, name, &Limits::default());
    let _ = ordering_date(&reading, name);
    // The places of a session's reading are those of the document in it.
    let document = handoff::document(bytes.to_vec(), name);
    let bytes = document.as_slice();
    for span in spans(&reading) {
        assert!(span.from <= span.to && span.to <= bytes.len(), "{name}: {span:?} of {}", bytes.len());
        if let Ok(text) = std::str::from_utf8(bytes) {
            assert!(
                text.is_char_boundary(span.from) && text.is_char_boundary(span.to),
                "{name}: {span:?} cuts a character"
            );
        }
    }
    reading
}
