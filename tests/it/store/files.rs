//! Files of other people: published whole, edited without losing a foreign save, read without blocking.

use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};
use store::files::{Swapped, publish, read, swap};
use store::{Error, Home};
use tempfile::TempDir;

#[test]
fn publishing_never_overwrites() {
    let folder = TempDir::new().expect("a folder");
    let path = publish(folder.path(), "a.md", b"one").expect("published");
    assert!(matches!(publish(folder.path(), "a.md", b"two"), Err(Error::Exists { .. })));
    assert_eq!(fs::read(&path).expect("read"), b"one");
    assert_eq!(fs::metadata(&path).expect("there").permissions().mode() & 0o777, 0o600);
    assert_eq!(fs::read_dir(folder.path()).expect("listed").count(), 1, "no temporary file is left");
}

#[test]
fn an_edit_keeps_mode_and_symbolic_link() {
    let folder = TempDir::new().expect("a folder");
    let home = Home::open(&folder.path().join("home")).expect("a home");
    let (file, link) = (folder.path().join("real.md"), folder.path().join("link.md"));
    fs::write(&file, "old").expect("written");
    fs::set_permissions(&file, fs::Permissions::from_mode(0o640)).expect("mode");
    symlink(&file, &link).expect("linked");
    let base = handoff::revision(b"old");
    assert_eq!(swap(&link, &base, b"new", &home).expect("swapped"), Swapped::Done);
    assert_eq!(fs::read(&file).expect("read"), b"new");
    assert!(fs::symlink_metadata(&link).expect("there").is_symlink());
    assert_eq!(fs::metadata(&file).expect("there").permissions().mode() & 0o777, 0o640);
}

#[test]
fn a_foreign_save_is_met_with_both_versions_kept() {
    let folder = TempDir::new().expect("a folder");
    let home = Home::open(&folder.path().join("home")).expect("a home");
    let file = folder.path().join("a.md");
    fs::write(&file, "theirs").expect("written");
    let outcome = swap(&file, &handoff::revision(b"base"), b"ours", &home).expect("swapped");
    let Swapped::Conflict { kept_at, theirs } = outcome else { panic!("no conflict") };
    assert_eq!(fs::read(&file).expect("read"), b"theirs");
    assert_eq!(fs::read(kept_at).expect("read"), b"ours");
    assert_eq!(theirs, handoff::revision(b"theirs"));
}

#[test]
fn a_pipe_is_not_waited_for() {
    let folder = TempDir::new().expect("a folder");
    let pipe = folder.path().join("HANDOFF.md");
    assert!(std::process::Command::new("mkfifo").arg(&pipe).status().expect("mkfifo").success());
    assert!(matches!(read(&pipe, 100), Err(Error::NotRegular { .. })));
    assert!(matches!(read(folder.path(), 100), Err(Error::NotRegular { .. })));
}

#[test]
fn everything_in_the_home_is_for_its_owner_only() {
    let folder = TempDir::new().expect("a folder");
    let home = Home::open(&folder.path().join("home")).expect("a home");
    for path in [home.root().to_owned(), home.blobs(), home.conflicts(), home.locks()] {
        assert_eq!(fs::metadata(&path).expect("there").permissions().mode() & 0o077, 0, "{}", path.display());
    }
}

#[test]
fn what_the_kernel_makes_up_is_no_file() {
    assert!(matches!(read(std::path::Path::new("/proc/self/status"), 100), Err(Error::NotRegular { .. })));
}
