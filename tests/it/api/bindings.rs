//! The window's types are generated from Rust. `FUDA_WRITE_BINDINGS=1` writes them; without it a difference fails.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

fn operations_file() -> String {
    let mut out = String::from("// Generated from the table of operations. Do not edit; cargo test -p api says how.\n");
    let mut names: Vec<String> = Vec::new();
    let mut rows = String::new();
    for operation in api::OPERATIONS {
        let (params, answer) = (operation.types)();
        for name in [&params, &answer] {
            let bare = name.trim_start_matches("Array<").trim_end_matches('>').to_owned();
            if !names.contains(&bare) {
                names.push(bare);
            }
        }
        rows.push_str(&format!("  {}: {{ params: {params}; result: {answer} }}\n", operation.name));
    }
    names.sort();
    for name in names {
        out.push_str(&format!("import type {{ {name} }} from './{name}'\n"));
    }
    out.push_str(&format!("\nexport interface Operations {{\n{rows}}}\n"));
    out
}

fn files(folder: &Path) -> BTreeMap<PathBuf, String> {
    let mut found = BTreeMap::new();
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        if let Ok(text) = fs::read_to_string(entry.path()) {
            found.insert(PathBuf::from(entry.file_name()), text);
        }
    }
    found
}

#[test]
fn the_committed_types_are_those_of_the_program() {
    let committed = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../ui/src/ipc/bindings");
    let fresh = std::env::temp_dir().join(format!("fuda-bindings-{}", std::process::id()));
    for operation in api::OPERATIONS {
        (operation.export)(&fresh).expect("exported");
    }
    let more = ts_rs::Config::default().with_out_dir(&fresh);
    <api::ApiError as ts_rs::TS>::export_all(&more).expect("exported");
    <api::view::Progress as ts_rs::TS>::export_all(&more).expect("exported");
    for part in [
        <api::view::ProfileView as ts_rs::TS>::export_all(&more),
        <api::view::Hit as ts_rs::TS>::export_all(&more),
        <api::view::RevisionView as ts_rs::TS>::export_all(&more),
        <api::view::LedgerEvent as ts_rs::TS>::export_all(&more),
        <api::view::QuestionView as ts_rs::TS>::export_all(&more),
        <api::view::SavedSearch as ts_rs::TS>::export_all(&more),
        <api::RepositoryRules as ts_rs::TS>::export_all(&more),
        <api::HandleVerdict as ts_rs::TS>::export_all(&more),
    ] {
        part.expect("exported");
    }
    fs::write(fresh.join("operations.ts"), operations_file()).expect("written");
    if std::env::var_os("FUDA_WRITE_BINDINGS").is_some() {
        let _ = fs::remove_dir_all(&committed);
        fs::create_dir_all(&committed).expect("made");
        for (name, text) in files(&fresh) {
            fs::write(committed.join(name), text).expect("written");
        }
    }
    let (expected, found) = (files(&fresh), files(&committed));
    fs::remove_dir_all(&fresh).expect("removed");
    let differ: Vec<_> =
        expected.iter().filter(|(name, text)| found.get(*name) != Some(text)).map(|(name, _)| name).collect();
    assert!(
        differ.is_empty() && expected.len() == found.len(),
        "run FUDA_WRITE_BINDINGS=1 cargo test -p api --test bindings; these differ: {differ:?}"
    );
}
