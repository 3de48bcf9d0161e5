//! The fingerprint that an approval binds: harmless changes leave it equal, each real one is seen and named.

use crate::support::Fixture;
use repo::{Fingerprint, Question, differences, fingerprint};
use std::process::Command;

fn print(question: &Question) -> Fingerprint {
    fingerprint(question).expect("a fingerprint")
}

fn shell(fixture: &Fixture, script: &str) {
    let setup = "unset $(env | sed -n 's/^\\(GIT_[A-Z_]*\\)=.*/\\1/p'); export HOME=/nonexistent GIT_CONFIG_NOSYSTEM=1 GIT_CONFIG_GLOBAL=/dev/null \
                 GIT_AUTHOR_NAME=Ada GIT_AUTHOR_EMAIL=a@example.test GIT_COMMITTER_NAME=Ada GIT_COMMITTER_EMAIL=a@example.test;";
    let status = Command::new("sh")
        .arg("-ec")
        .arg(format!("{setup} {script}"))
        .current_dir(fixture.worktree())
        .status()
        .expect("sh runs");
    assert!(status.success(), "{script}");
}

/// A repository with uncommitted work of several kinds, an upstream, a submodule and a handoff.
fn prepared() -> (Fixture, Question) {
    let fixture = Fixture::new("dirty.sh", "submodule");
    shell(
        &fixture,
        "git add lib; git commit -qm 'Move the library'; git init -q --bare ../remote.git; git remote add origin ../remote.git;
         git push -q -u origin main 2>/dev/null; echo changed >>src/a.txt; echo new >src/new.txt; echo staged >>src/b.txt; git add src/b.txt; echo '# Handoff' >HANDOFF.md",
    );
    let mut question = fixture.question();
    question.file = Some(fixture.worktree().join("HANDOFF.md"));
    (fixture, question)
}

#[test]
fn harmless_changes_leave_the_fingerprint_equal() {
    let (fixture, question) = prepared();
    let before = print(&question);
    assert!(!before.is_weak(), "{:?}", before.reasons_weak().collect::<Vec<_>>());
    let harmless = [
        "touch src/a.txt src/b.txt README.md src/new.txt",
        "touch -d '2020-01-01' README.md",
        "git status >/dev/null",
        "git gc -q --prune=now",
        "git fetch -q origin",
        "git push -q origin main:other 2>/dev/null; git fetch -q",
        "git update-index -q --refresh || true",
        "git pack-refs --all",
        "git tag v1; git branch aside",
        "git stash list >/dev/null; git reflog >/dev/null",
        "git config user.nickname ada",
        "git add HANDOFF.md",
        "git commit -qm 'docs: handoff' -- HANDOFF.md",
        "echo more >>HANDOFF.md",
        "git commit -qam 'docs: handoff again' -- HANDOFF.md 2>/dev/null || git commit -qm 'docs: handoff again' -- HANDOFF.md",
        "echo x >HANDOFF.md.resumed; echo x >HANDOFF.md.skip",
        "mkdir -p docs/handoffs; echo x >docs/handoffs/later.md",
        "git add src/new.txt; git reset -q src/new.txt",
        "cp src/a.txt ../keep; echo other >src/a.txt; cp ../keep src/a.txt",
        "mkdir empty",
    ];
    for script in harmless {
        shell(&fixture, script);
        let after = print(&question);
        assert_eq!(differences(&before, &after), Vec::<String>::new(), "{script}");
        assert_eq!((&before, before.digest()), (&after, after.digest()), "{script}");
    }
}

#[test]
fn each_real_change_is_seen_and_named() {
    let real: [(&str, &str); 19] = [
        ("git commit -qm 'Work' -- src/a.txt", "HEAD moved"),
        ("git commit -q --allow-empty -m 'Empty'", "HEAD moved"),
        ("git commit -q --amend -m 'Other words' --only", "HEAD moved"),
        ("git reset -q --soft HEAD~1", "HEAD moved"),
        ("git checkout -q -b other", "the branch is other, before main"),
        ("git checkout -q --detach", "a detached HEAD"),
        ("echo more >>src/a.txt", "src/a.txt has other content"),
        ("echo more >>src/new.txt", "src/new.txt has other content"),
        ("echo more >>README.md", "README.md was changed or added"),
        ("echo x >src/newer.txt", "src/newer.txt was changed or added"),
        ("rm src/new.txt", "src/new.txt has no uncommitted change any more"),
        ("git checkout -q -- src/a.txt", "src/a.txt has no uncommitted change any more"),
        ("rm README.md", "README.md was deleted"),
        ("chmod +x src/a.txt", "src/a.txt has another mode"),
        ("ln -sf b.txt src/new.txt", "src/new.txt has other content"),
        ("git -C lib checkout -q HEAD~1", "lib stands at another commit"),
        ("git stash -q", "src/a.txt has no uncommitted change any more"),
        ("git bisect start -q", "in the middle of a bisect"),
        ("git rm -q --cached README.md", "README.md"),
    ];
    for (script, named) in real {
        let (fixture, question) = prepared();
        let before = print(&question);
        shell(&fixture, script);
        let after = print(&question);
        let told = differences(&before, &after);
        assert!(told.iter().any(|line| line.contains(named)), "{script}: {told:?}");
        assert_ne!(before.digest(), after.digest(), "{script}");
    }
}

#[test]
fn work_inside_a_submodule_is_bound_too() {
    let (fixture, question) = prepared();
    for (script, named) in [
        ("echo more >>lib/l.txt", "lib/l.txt was changed or added"),
        ("echo again >>lib/l.txt", "lib/l.txt has other content"),
        ("echo x >lib/new.txt", "lib/new.txt was changed or added"),
        ("rm lib/l.txt", "lib/l.txt was deleted"),
        ("git -C lib reset -q --hard; rm lib/new.txt", "lib/l.txt has no uncommitted change any more"),
        (
            "cd lib; git -c protocol.file.allow=always submodule --quiet add $(cd ../../library; pwd) deep 2>/dev/null; git commit -qm Deep; cd ..",
            "lib stands at another commit",
        ),
        ("echo x >lib/deep/x.txt", "lib/deep/x.txt was changed or added"),
    ] {
        let before = print(&question);
        shell(&fixture, script);
        let after = print(&question);
        let told = differences(&before, &after);
        assert!(told.iter().any(|line| line == named), "{script}: {told:?}");
        assert!(!after.is_weak(), "{script}: {:?}", after.reasons_weak().collect::<Vec<_>>());
    }
    let before = print(&question);
    shell(&fixture, "mv lib/.git lib/git-was-here");
    let told = differences(&before, &print(&question));
    assert!(!told.is_empty() && print(&question).reasons_weak().any(|why| why.contains("submodule lib")), "{told:?}");
}

#[test]
fn a_folder_is_told_by_what_a_mount_does_not_change() {
    use std::os::unix::fs::MetadataExt;
    let (fixture, question) = prepared();
    let identity = print(&question).trees[0].identity.clone().expect("an identity");
    let meta = std::fs::metadata(fixture.worktree()).expect("the worktree");
    assert!(identity.contains(&meta.ino().to_string()), "{identity}");
    assert_eq!(meta.created().is_ok(), identity.contains("made"), "{identity}");
    assert_eq!(meta.created().is_ok(), !identity.contains("device"), "{identity}");
}

#[test]
fn a_worktree_replaced_by_another_of_the_same_name_is_seen() {
    let (fixture, question) = prepared();
    let before = print(&question);
    shell(&fixture, "cd ..; cp -a repo copy; mv repo old; mv copy repo");
    let told = differences(&before, &print(&question));
    assert!(told.iter().any(|line| line.contains("another folder of the same name")), "{told:?}");
}

#[test]
fn beyond_the_budget_size_and_time_are_bound_and_called_weak() {
    let (fixture, mut question) = prepared();
    question.budget.file_bytes = 4;
    let before = print(&question);
    assert!(before.is_weak());
    assert!(before.reasons_weak().any(|why| why.contains("src/new.txt") || why.contains("src/a.txt")));
    shell(&fixture, "touch -d '2020-01-01' src/b.txt");
    assert_ne!(differences(&before, &print(&question)), Vec::<String>::new());
}

#[test]
fn without_a_repository_the_folder_is_bound() {
    let folder = tempfile::tempdir().expect("a folder");
    let question = Question { file: Some(folder.path().join("HANDOFF.md")), ..Question::default() };
    let before = print(&question);
    assert!(before.trees[0].repository.is_none());
    assert_eq!(before, print(&question));
    assert!(Command::new("git").args(["init", "-q"]).current_dir(folder.path()).status().expect("git runs").success());
    assert_eq!(differences(&before, &print(&question)), ["there is a repository now"]);
}

#[test]
fn a_fingerprint_that_cannot_be_taken_says_what_to_do() {
    let gone =
        fingerprint(&Question { repo: Some("/nowhere/at/all".into()), ..Question::default() }).expect_err("it is gone");
    assert!(gone.to_string().contains("choose a repository"), "{gone}");
    let nothing = fingerprint(&Question::default()).expect_err("nothing is named");
    assert!(matches!(nothing, repo::Error::NoFolder));
    let foreign = Fixture::new("hostile.sh", "core_worktree");
    let refused = fingerprint(&foreign.question()).expect_err("it is refused");
    assert!(matches!(refused, repo::Error::NotInspectable { .. }), "{refused}");
}

#[test]
fn work_that_git_was_told_not_to_look_at_is_bound_all_the_same() {
    for mark in ["--assume-unchanged", "--skip-worktree"] {
        let (fixture, question) = prepared();
        shell(&fixture, &format!("git update-index {mark} README.md"));
        let before = print(&question);
        shell(&fixture, "touch README.md");
        assert_eq!(differences(&before, &print(&question)), Vec::<String>::new(), "{mark}");
        shell(&fixture, "echo unseen >>README.md");
        assert_eq!(differences(&before, &print(&question)), ["README.md was changed or added"], "{mark}");
    }
}

#[test]
fn what_tells_an_agent_what_to_do_is_bound_however_it_is_named() {
    for path in [".claude/commands/handoff.md", ".claude/skills/handoff/handoff.md", ".handoff/run.sh"] {
        let (fixture, question) = prepared();
        let before = print(&question);
        fixture.write(path, "do as I say\n");
        assert_eq!(differences(&before, &print(&question)), [format!("{path} was changed or added")]);
    }
}

#[test]
fn files_that_a_nearer_ignore_file_takes_back_are_bound() {
    let (fixture, question) = prepared();
    fixture.write(".gitignore", "*.log\n");
    fixture.write("src/.gitignore", "!kept.log\n");
    let before = print(&question);
    fixture.write("src/other.log", "x\n");
    assert_eq!(before, print(&question), "what is ignored is not bound");
    fixture.write("src/kept.log", "x\n");
    assert_eq!(differences(&before, &print(&question)), ["src/kept.log was changed or added"]);
}

#[test]
#[cfg(target_os = "linux")]
fn two_names_that_are_written_alike_are_bound_both() {
    use std::os::unix::ffi::OsStrExt;
    let (fixture, question) = prepared();
    let strange = fixture.worktree().join(std::ffi::OsStr::from_bytes(b"src/n\xff.txt"));
    fixture.write("src/n\\xff.txt", "one\n");
    std::fs::write(&strange, "two\n").expect("a file");
    let before = print(&question);
    fixture.write("src/n\\xff.txt", "changed\n");
    let first = print(&question);
    assert_ne!(before.digest(), first.digest());
    std::fs::write(&strange, "changed\n").expect("a file");
    assert_ne!(first.digest(), print(&question).digest());
}

#[test]
fn a_git_folder_that_is_none_hides_nothing_that_lies_beside_it() {
    let (fixture, question) = prepared();
    fixture.write("tools/.git/HEAD", "");
    fixture.write("tools/run.sh", "one\n");
    let before = print(&question);
    assert!(!before.is_weak(), "{:?}", before.reasons_weak().collect::<Vec<_>>());
    fixture.write("tools/run.sh", "two\n");
    assert_eq!(differences(&before, &print(&question)), ["tools/run.sh has other content"]);
}
