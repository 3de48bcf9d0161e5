//! What several of these tests need: the case files, and documents without places.
#![allow(dead_code)]

use handoff::Handoff;
use serde_json::Value;
use std::fs;
use std::path::PathBuf;

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
