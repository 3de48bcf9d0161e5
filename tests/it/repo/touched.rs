//! What a run changed: commits, contents, references, settings, through the worker and as git itself has it.

use crate::support::{BUDGET, Fixture, git, photograph, worker};
use repo::{ChangeKind, MovedBy, Question, RefKind, TreeTouched};
use std::process::Command;

fn shell(fixture: &Fixture, script: &str) {
    let setup = "export HOME=/nonexistent GIT_CONFIG_NOSYSTEM=1 GIT_CONFIG_GLOBAL=/dev/null \
                 GIT_AUTHOR_NAME=Ada GIT_AUTHOR_EMAIL=a@example.test GIT_COMMITTER_NAME=Ada GIT_COMMITTER_EMAIL=a@example.test;";
    let status =
        Command::new("sh").args(["-ec", &format!("{setup} {script}")]).current_dir(fixture.worktree()).status();
    assert!(status.expect("sh runs").success(), "{script}");
}

/// What a script changed in a repository with an upstream and uncommitted work of before.
fn touched(script: &str) -> (Fixture, TreeTouched) {
    let fixture = Fixture::new("history.sh", "same");
    shell(
        &fixture,
        "git init -q --bare ../remote.git; git remote add origin ../remote.git; git push -q -u origin main 2>/dev/null;
         git clone -q -b main ../remote.git ../other 2>/dev/null; echo before >>src/a.txt; echo before >src/new.txt",
    );
    let (worker, question) = (worker(), fixture.question());
    let begun = worker.beginning(&question, BUDGET).expect("a beginning");
    let nothing = worker.touched_since(&question, &begun, BUDGET).expect("an answer");
    assert!(nothing.trees[0].is_empty(), "{nothing:?}");
    shell(&fixture, script);
    let told = worker.touched_since(&question, &begun, BUDGET).expect("an answer");
    assert_eq!(told, repo::touched_since(&question, &begun), "the same as in this process");
    assert!(told.trees[0].unknown.iter().any(|line| line.contains("outside the worktree")));
    (fixture, told.trees.into_iter().next().expect("one tree"))
}

fn paths(tree: &TreeTouched) -> Vec<(&str, ChangeKind, bool)> {
    tree.paths.iter().map(|path| (path.path.as_str(), path.kind, path.committed)).collect()
}

#[test]
fn commits_are_listed_with_their_paths_and_contents_with_what_is_not_committed() {
    let (fixture, tree) = touched(
        "echo x >>src/b.txt; git add src/b.txt; git commit -qm 'Work on b'; git rm -q README.md; git commit -qm 'Drop the text';
         echo more >>src/new.txt; echo y >src/newer.txt; echo z >'src/z z.txt'; git add 'src/z z.txt'",
    );
    let subjects: Vec<_> =
        tree.commits.iter().map(|commit| (commit.subject.as_str(), commit.paths.join(" "))).collect();
    assert_eq!(subjects, [("Drop the text", "README.md".into()), ("Work on b", "src/b.txt".to_owned())]);
    assert_eq!(
        paths(&tree),
        [
            ("README.md", ChangeKind::Deleted, true),
            ("src/b.txt", ChangeKind::Modified, true),
            ("src/new.txt", ChangeKind::Modified, false),
            ("src/newer.txt", ChangeKind::Added, false),
            ("src/z z.txt", ChangeKind::Added, false),
        ]
    );
    assert_eq!(tree.deleted().map(|path| path.path.as_str()).collect::<Vec<_>>(), ["README.md"]);
    let head = git(&fixture.worktree(), &["rev-parse", "HEAD"]);
    assert_eq!(tree.moved.len(), 1);
    assert_eq!((tree.moved[0].name.as_str(), tree.moved[0].after.as_deref()), ("refs/heads/main", Some(head.as_str())));
    assert_eq!((tree.moved[0].kind, tree.moved[0].forward), (RefKind::Branch, Some(true)));
    assert_eq!(tree.pushed().count(), 0);
}

#[test]
fn work_of_before_that_was_only_committed_is_no_change_of_content() {
    let (_fixture, tree) = touched("git add -A; git commit -qm 'All of it'");
    assert_eq!((tree.commits.len(), paths(&tree)), (1, Vec::new()));
}

#[test]
fn work_of_before_that_was_thrown_away_is_told() {
    let (_fixture, tree) = touched("git checkout -q -- src/a.txt; rm src/new.txt");
    assert_eq!(paths(&tree), [("src/a.txt", ChangeKind::Modified, true), ("src/new.txt", ChangeKind::Deleted, true)]);
}

#[test]
fn a_push_and_a_fetch_are_told_apart_and_what_was_fetched_was_not_made_here() {
    let (_fixture, tree) = touched("git commit -qam Mine; git push -q origin main 2>/dev/null");
    assert_eq!(tree.pushed().map(|moved| moved.name.as_str()).collect::<Vec<_>>(), ["refs/remotes/origin/main"]);
    let theirs =
        "(cd ../other; echo t >t.txt; git add t.txt; git commit -qm Theirs; git push -q origin main 2>/dev/null);";
    let (_fixture, tree) = touched(&format!("{theirs} git pull -q --ff-only 2>/dev/null"));
    let remote = tree.moved.iter().find(|moved| moved.kind == RefKind::Remote).expect("it moved");
    assert_eq!((remote.by, tree.pushed().count()), (MovedBy::Fetch, 0));
    assert!(tree.commits.is_empty(), "{:?}", tree.commits);
    assert_eq!(paths(&tree), [("t.txt", ChangeKind::Added, true)]);
}

#[test]
fn rewritten_new_and_vanished_references_are_told() {
    let (_fixture, tree) = touched("git reset -q --soft HEAD~1; git commit -qm 'Another end'");
    assert_eq!(tree.moved[0].forward, Some(false), "{:?}", tree.moved);
    let (_fixture, tree) = touched(
        "git checkout -q -b aside; git tag v1; git push -q origin :main 2>/dev/null; git branch -q -D main; git stash -q",
    );
    let told: Vec<_> = tree
        .moved
        .iter()
        .map(|moved| (moved.name.as_str(), moved.before.is_some(), moved.after.is_some(), moved.by))
        .collect();
    assert_eq!(
        told,
        [
            ("refs/heads/aside", false, true, MovedBy::Here),
            ("refs/heads/main", true, false, MovedBy::Here),
            ("refs/remotes/origin/main", true, false, MovedBy::Unknown),
            ("refs/stash", false, true, MovedBy::Here),
            ("refs/tags/v1", false, true, MovedBy::Here),
        ]
    );
    assert_eq!(tree.branch, Some((Some("main".into()), Some("aside".into()))));
    assert!(tree.settings.contains(&"config".to_owned()), "the upstream went with the branch: {:?}", tree.settings);
}

#[test]
fn hooks_and_configuration_that_were_changed_are_named() {
    let (_fixture, tree) = touched(
        "mkdir -p .git/hooks .git/info; echo true >.git/hooks/pre-commit; git config core.pager less; echo x >>.git/info/exclude",
    );
    assert_eq!(tree.settings, ["config", "hooks/pre-commit", "info/exclude"]);
    assert!(!tree.is_empty());
}

#[test]
fn a_tree_that_is_gone_is_an_answer() {
    let (_fixture, tree) = touched("mv .git ../taken-away");
    assert!(tree.unknown[0].contains("no repository"), "{:?}", tree.unknown);
    let (_fixture, tree) = touched("mv ../repo ../moved");
    assert!(tree.unknown[0].contains("is not there"), "{:?}", tree.unknown);
}

#[test]
fn asking_what_changed_leaves_no_trace() {
    let fixture = Fixture::new("dirty.sh", "mixed");
    let question = Question { ..fixture.question() };
    let before = photograph(fixture.dir.path());
    let begun = repo::beginning(&question).expect("a beginning");
    repo::touched_since(&question, &begun);
    repo::rules(&question);
    assert_eq!(photograph(fixture.dir.path()), before);
}
