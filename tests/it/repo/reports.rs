//! Public reports of other tools, each as what must hold here.

use crate::support::{git, home, look, photograph};
use handoff::{Handoff, Text, Tree};
use repo::{Question, Verdict};
use std::os::unix::fs::symlink;
use std::path::Path;
use tempfile::TempDir;

fn text(words: &str) -> Option<Text> {
    Some(Text { text: words.to_owned(), span: None })
}

fn question(worktree: &Path, branch: &str, head: &str) -> Question {
    let tree =
        Tree { worktree: text(&worktree.to_string_lossy()), branch: text(branch), head: text(head), ..Tree::default() };
    Question { handoff: Handoff { trees: vec![tree], ..Handoff::default() }, ..Question::default() }
}

/// A repository with one commit, and its hash.
fn repository(path: &Path) -> String {
    home();
    std::fs::create_dir_all(path).expect("made");
    git(path, &["init", "-q", "-b", "main"]);
    std::fs::write(path.join("a.txt"), "one\n").expect("written");
    git(path, &["add", "."]);
    git(path, &["commit", "-q", "-m", "one"]);
    git(path, &["rev-parse", "HEAD"]).trim().to_owned()
}

/// jlowin/claude-wt#9: a tool said that a worktree is not there although git listed it.
#[test]
fn a_worktree_is_found_whatever_its_branch_and_folder_are_called() {
    let dir = TempDir::new().expect("a folder");
    let main = dir.path().join("main");
    let head = repository(&main);
    for (number, (branch, folder)) in
        [("feat/a/b", "with space"), ("wip-ü", "日本語"), ("x.y", "two\nlines"), ("q'q", "quote\"s")].iter().enumerate()
    {
        let worktree = dir.path().join(format!("{number}")).join(folder);
        std::fs::create_dir_all(worktree.parent().expect("a folder")).expect("made");
        git(&main, &["worktree", "add", "-q", "-b", branch, &worktree.to_string_lossy()]);
        if number % 2 == 1 {
            git(&main, &["worktree", "lock", &worktree.to_string_lossy()]);
        }
        let drift = look(&question(&worktree, branch, &head));
        assert_eq!(drift.verdict, Verdict::Same, "{branch} in {folder:?}: {}", drift.message);
        assert_eq!(drift.now.branch.as_deref(), Some(*branch), "{folder:?}");
    }
}

/// anthropics/claude-code#66241: a folder behind a link and a repository of two worktrees, each fine alone, gave nothing.
#[test]
fn a_linked_worktree_below_a_linked_folder_is_looked_at_itself() {
    let dir = TempDir::new().expect("a folder");
    let real = dir.path().join("real");
    let head = repository(&real.join("main"));
    git(&real.join("main"), &["worktree", "add", "-q", "-b", "side", &real.join("side").to_string_lossy()]);
    symlink(&real, dir.path().join("link")).expect("linked");
    symlink(dir.path().join("loop"), dir.path().join("loop")).expect("linked");
    let typed = dir.path().join("link/side");
    let drift = look(&question(&typed, "side", &head));
    assert_eq!(drift.verdict, Verdict::Same, "{}", drift.message);
    assert_eq!(drift.now.folder.as_deref(), typed.to_str(), "the typed folder is shown");
    let looped = look(&question(&dir.path().join("loop/side"), "side", &head));
    assert!(matches!(looped.verdict, Verdict::WorktreeGone | Verdict::NotInspectable), "{:?}", looped.verdict);
    assert_eq!(looped.now.head, None, "nothing is shown of another folder");
}

/// can1357/oh-my-pi#188: a status in the background took index.lock, and a killed one left it.
#[test]
fn a_lock_that_somebody_left_keeps_no_look_from_its_answer_and_stays() {
    let dir = TempDir::new().expect("a folder");
    let path = dir.path().join("repository");
    let head = repository(&path);
    std::fs::write(path.join(".git/index.lock"), "").expect("written");
    std::fs::write(path.join("a.txt"), "two\n").expect("written");
    let before = photograph(&path.join(".git"));
    let drift = look(&question(&path, "main", &head));
    assert_eq!(drift.verdict, Verdict::DirtyDiffers, "{}", drift.message);
    assert!(drift.now.status.is_some(), "the status was read all the same");
    assert_eq!(photograph(&path.join(".git")), before, "the lock is another's");
}
