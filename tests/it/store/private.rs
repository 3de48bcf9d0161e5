//! Alone in its process, because the umask is the process's: everything kept is for its owner only.

use rustix::fs::Mode;
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use store::config::{Config, Profile};
use store::files::publish;
use store::index::Index;
use store::ledger::{Ledger, NewEvent};
use store::{Error, Home};
use tempfile::TempDir;

fn everything_below(folder: &Path) -> Vec<PathBuf> {
    let mut found = vec![folder.to_owned()];
    for entry in fs::read_dir(folder).expect("listed").flatten() {
        match entry.path() {
            path if path.is_dir() => found.extend(everything_below(&path)),
            path => found.push(path),
        }
    }
    found
}

#[test]
fn without_a_umask_folders_are_0700_and_files_0600() {
    rustix::process::umask(Mode::empty());
    let folder = TempDir::new().expect("a folder");
    let home = Home::open(&folder.path().join("deep/home")).expect("a home");
    let profile = Profile {
        name: "p".into(),
        agent: "generic".into(),
        roots: vec![folder.path().display().to_string()],
        ..Profile::default()
    };
    let config = Config::add_profile(&home, &profile).expect("added");
    publish(&home.handoffs().join("group"), "a.md", b"# Handoff\n\n## Next\n- x\n").expect("published");
    let index = Index::open(&home).expect("an index");
    index.scan(&config, folder.path(), 1_000, &mut |_, _, _| {}, &|| false).expect("scanned");
    let ledger = Ledger::open(&home.ledger(), &home.mirror(), &home.locks().join("ledger.lock"), &home.blobs())
        .expect("a ledger");
    ledger.blobs().put(b"kept").expect("kept");
    ledger.append::<Error>(NewEvent::new("skipped", 1), |_| Ok(())).expect("appended");
    for path in everything_below(home.root()) {
        let mode = fs::metadata(&path).expect("there").permissions().mode() & 0o777;
        // Locks hold nothing.
        if !path.starts_with(home.locks()) || path.is_dir() {
            assert_eq!(mode, if path.is_dir() { 0o700 } else { 0o600 }, "{}", path.display());
        }
    }
}
