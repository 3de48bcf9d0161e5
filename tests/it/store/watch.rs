//! Watching: saves of every kind are told once they are whole, also in folders that come later.

use std::fs::{self, File};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::{Duration, Instant};
use store::watch::{Changed, Watch, Watching};
use tempfile::TempDir;

/// Longer than any notice may take on a busy machine.
const PATIENCE: Duration = Duration::from_secs(20);
/// Shorter than a file in writing takes to count as whole.
const MOMENT: Duration = Duration::from_millis(150);

fn watch(paths: &[PathBuf]) -> (Watch, Receiver<Changed>) {
    let (sender, receiver) = channel();
    let watch = Watch::start(paths, move |changed| {
        // A test that is over hears nothing.
        let _ = sender.send(changed);
    });
    (watch.expect("a watch"), receiver)
}

/// Waits for a notice that names the path. Gives every path that was told until then.
fn told(receiver: &Receiver<Changed>, path: &Path) -> Vec<PathBuf> {
    let until = Instant::now() + PATIENCE;
    let mut all = Vec::new();
    while let Ok(changed) = receiver.recv_timeout(until.saturating_duration_since(Instant::now())) {
        all.extend(changed.paths);
        if all.iter().any(|told| told == path) {
            return all;
        }
    }
    panic!("{} was not told: {all:?}", path.display());
}

/// Waits for a notice that names the path and tells whether it said that the file is whole.
fn told_whole(receiver: &Receiver<Changed>, path: &Path) -> bool {
    let until = Instant::now() + PATIENCE;
    while let Ok(changed) = receiver.recv_timeout(until.saturating_duration_since(Instant::now())) {
        if changed.paths.iter().any(|told| told == path) {
            return changed.whole.iter().any(|whole| whole == path);
        }
    }
    panic!("{} was not told", path.display());
}

fn folder() -> (TempDir, PathBuf) {
    let folder = TempDir::new().expect("a folder");
    let path = fs::canonicalize(folder.path()).expect("a path");
    (folder, path)
}

#[test]
fn a_save_by_renaming_is_told() {
    let (_folder, root) = folder();
    let (_watch, notices) = watch(std::slice::from_ref(&root));
    fs::write(root.join("HANDOFF.md.tmp"), "whole").expect("written");
    fs::rename(root.join("HANDOFF.md.tmp"), root.join("HANDOFF.md")).expect("renamed");
    assert!(told_whole(&notices, &root.join("HANDOFF.md")));
}

#[test]
fn a_file_written_in_place_is_told_when_it_is_whole() {
    let (_folder, root) = folder();
    let path = root.join("HANDOFF.md");
    let (_watch, notices) = watch(std::slice::from_ref(&root));
    let mut file = File::create(&path).expect("made");
    for piece in 0..4 {
        writeln!(file, "piece {piece}").expect("written");
        assert_eq!(notices.recv_timeout(MOMENT), Err(RecvTimeoutError::Timeout), "told while it is being written");
    }
    drop(file);
    assert!(told_whole(&notices, &path), "its writer closed it");
    assert_eq!(fs::read_to_string(&path).expect("read").lines().count(), 4);
}

#[test]
fn a_file_that_is_left_open_is_told_when_it_settles() {
    let (_folder, root) = folder();
    let (_watch, notices) = watch(std::slice::from_ref(&root));
    let mut file = File::create(root.join("HANDOFF.md")).expect("made");
    file.write_all(b"text").expect("written");
    told(&notices, &root.join("HANDOFF.md"));
    drop(file);
}

#[test]
fn a_file_whose_writer_never_rests_is_told_and_not_called_whole() {
    let (_folder, root) = folder();
    let path = root.join("HANDOFF.md");
    let (_watch, notices) = watch(std::slice::from_ref(&root));
    let mut file = File::create(&path).expect("made");
    let changed = loop {
        writeln!(file, "one more line").expect("written");
        match notices.recv_timeout(MOMENT) {
            Ok(changed) => break changed,
            Err(error) => assert_eq!(error, RecvTimeoutError::Timeout),
        }
    };
    assert_eq!(changed, Changed { paths: vec![path], whole: Vec::new() });
}

#[test]
fn folders_that_come_later_are_watched_to_the_last_one() {
    let (_folder, root) = folder();
    let (_watch, notices) = watch(std::slice::from_ref(&root));
    let deep = root.join("a/b/c/d");
    fs::create_dir_all(&deep).expect("made");
    fs::write(deep.join("HANDOFF.md"), "at once").expect("written");
    told(&notices, &root.join("a"));
    fs::write(deep.join("handoff.json"), "later").expect("written");
    told(&notices, &deep.join("handoff.json"));
}

#[test]
fn folders_that_are_never_walked_are_not_told() {
    let (_folder, root) = folder();
    fs::create_dir_all(root.join("node_modules/x")).expect("made");
    let (_watch, notices) = watch(std::slice::from_ref(&root));
    fs::write(root.join("node_modules/x/HANDOFF.md"), "x").expect("written");
    fs::write(root.join("HANDOFF.md"), "x").expect("written");
    let all = told(&notices, &root.join("HANDOFF.md"));
    assert!(all.iter().all(|path| !path.starts_with(root.join("node_modules"))), "{all:?}");
}

#[test]
fn a_commit_is_told_and_its_objects_are_not() {
    let (_folder, root) = folder();
    let git = |arguments: &[&str]| {
        let mut command = Command::new("git");
        command.arg("-C").arg(&root).args(["-c", "user.name=A", "-c", "user.email=a@example.org"]).args(arguments);
        command.env("GIT_CONFIG_NOSYSTEM", "1").env("GIT_CONFIG_GLOBAL", "/dev/null");
        assert!(command.output().expect("git").status.success(), "{arguments:?}");
    };
    git(&["init", "-q", "-b", "main"]);
    let (_watch, notices) = watch(&[root.clone(), root.join(".git")]);
    git(&["commit", "-q", "--allow-empty", "-m", "one"]);
    let all = told(&notices, &root.join(".git/refs/heads/main"));
    assert!(all.iter().all(|path| !path.starts_with(root.join(".git/objects"))), "{all:?}");
}

#[test]
fn a_single_file_is_followed_through_a_save_by_renaming() {
    let (_folder, root) = folder();
    let path = root.join("HANDOFF.md");
    fs::write(&path, "one").expect("written");
    let (_watch, notices) = watch(std::slice::from_ref(&path));
    for text in ["two", "three"] {
        fs::write(root.join("other"), text).expect("written");
        fs::rename(root.join("other"), &path).expect("renamed");
        let all = told(&notices, &path);
        assert!(all.iter().all(|told| *told == path), "{all:?}");
    }
}

/// Runs this test again in a user namespace of its own, where the limit of watches can be set.
#[test]
fn at_the_limit_of_watches_it_looks_in_intervals_and_says_so() {
    const INSIDE: &str = "FUDA_TEST_INSIDE";
    if std::env::var_os(INSIDE).is_some() {
        let (_folder, root) = folder();
        for name in ["a", "b", "c", "d"] {
            fs::create_dir(root.join(name)).expect("made");
        }
        let (watch, notices) = watch(std::slice::from_ref(&root));
        assert!(matches!(watch.watching(), Watching::Polling(because) if because.contains("max_user_watches")));
        assert_eq!(notices.recv_timeout(PATIENCE), Ok(Changed::default()), "everything may have changed");
        return;
    }
    let program = std::env::current_exe().expect("this program");
    let script = "echo 2 > /proc/sys/user/max_inotify_watches && exec \"$0\" --exact --nocapture \
                  at_the_limit_of_watches_it_looks_in_intervals_and_says_so";
    let inside = Command::new("unshare").args(["-Ur", "sh", "-c", script]).arg(program).env(INSIDE, "1").output();
    match inside {
        Ok(output) if output.status.success() => {}
        Ok(output) if String::from_utf8_lossy(&output.stderr).contains("unshare") => {
            eprintln!("This machine grants no user namespace; the limit was not tried.");
        }
        Ok(output) => panic!("{}", String::from_utf8_lossy(&output.stdout)),
        Err(error) => eprintln!("unshare is not here ({error}); the limit was not tried."),
    }
}
