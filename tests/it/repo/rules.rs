//! Rules files: found at the root and on the way to where the handoff was written, and never outside the repository.

use crate::support::{BUDGET, Fixture, worker};
use repo::Question;
use std::os::unix::fs::symlink;
use std::process::Command;

fn written_in(fixture: &Fixture, folder: &str) -> Question {
    let mut question = fixture.question();
    question.handoff.provenance.cwd = Some(fixture.worktree().join(folder).to_string_lossy().into_owned());
    question
}

#[test]
fn rules_of_the_root_and_on_the_way_are_read_and_those_beside_it_are_not() {
    let fixture = Fixture::new("history.sh", "same");
    for (path, text) in [
        ("AGENTS.md", "Never push."),
        (".cursorrules", "Tabs."),
        (".github/copilot-instructions.md", "Ask."),
        (".cursor/rules/b.mdc", "B"),
        (".cursor/rules/a.mdc", "A"),
        (".cursor/rules/notes.txt", "no rule"),
        ("src/CLAUDE.md", "Nothing by hand."),
        ("src/deep/GEMINI.md", "Deep."),
        ("docs/AGENTS.md", "Elsewhere."),
        ("HANDOFF.md", "No rules file."),
    ] {
        fixture.write(path, text);
    }
    let rules = worker().rules(&written_in(&fixture, "src/deep"), BUDGET).expect("an answer");
    let told: Vec<_> = rules[0].files.iter().map(|file| (file.path.as_str(), file.text.as_str())).collect();
    assert_eq!(
        told,
        [
            ("AGENTS.md", "Never push."),
            (".cursorrules", "Tabs."),
            (".github/copilot-instructions.md", "Ask."),
            (".cursor/rules/a.mdc", "A"),
            (".cursor/rules/b.mdc", "B"),
            ("src/CLAUDE.md", "Nothing by hand."),
            ("src/deep/GEMINI.md", "Deep."),
        ]
    );
    assert_eq!(rules[0].folder.as_deref(), Some(fixture.worktree().to_string_lossy().as_ref()));
}

#[test]
fn a_link_inside_is_the_same_file_and_one_that_leads_out_is_not_followed() {
    let fixture = Fixture::new("history.sh", "same");
    let top = fixture.worktree();
    fixture.write("AGENTS.md", "Never push.");
    symlink("AGENTS.md", top.join("CLAUDE.md")).expect("a link");
    std::fs::write(fixture.dir.path().join("secret"), "secret").expect("a file");
    symlink("../secret", top.join("GEMINI.md")).expect("a link");
    symlink("/etc/hostname", top.join("QWEN.md")).expect("a link");
    symlink(fixture.dir.path(), top.join(".claude")).expect("a link");
    std::fs::write(fixture.dir.path().join("CLAUDE.md"), "secret").expect("a file");
    let files = worker().rules(&fixture.question(), BUDGET).expect("an answer").remove(0).files;
    assert_eq!((files[0].path.as_str(), files[0].also.as_slice()), ("AGENTS.md", ["CLAUDE.md".to_owned()].as_slice()));
    let refused: Vec<_> = files[1..].iter().map(|file| file.path.as_str()).collect();
    assert_eq!(refused, [".claude/CLAUDE.md", "GEMINI.md", "QWEN.md"]);
    for file in &files[1..] {
        assert_eq!(file.text, "");
        assert!(file.problem.as_ref().is_some_and(|why| why.contains("leads out")), "{file:?}");
    }
}

#[test]
fn pipes_keep_nobody_waiting_long_files_are_cut_and_bytes_are_shown() {
    let fixture = Fixture::new("history.sh", "same");
    let top = fixture.worktree();
    assert!(Command::new("mkfifo").arg(top.join("AGENTS.md")).status().expect("mkfifo runs").success());
    std::fs::write(top.join("CLAUDE.md"), b"\xef\xbb\xbfNever \xff push.").expect("a file");
    fixture.write("GEMINI.md", &"x".repeat(300 << 10));
    let files = worker().rules(&fixture.question(), BUDGET).expect("an answer").remove(0).files;
    assert!(files[0].problem.as_ref().is_some_and(|why| why.contains("not a regular file")), "{:?}", files[0].problem);
    assert_eq!((files[1].text.as_str(), files[1].cut), ("Never \u{fffd} push.", false));
    assert_eq!((files[2].text.len(), files[2].cut), (256 << 10, true));
}

#[test]
fn without_a_repository_the_folder_is_searched_and_without_a_folder_nothing() {
    let folder = tempfile::tempdir().expect("a folder");
    std::fs::write(folder.path().join("AGENTS.md"), "Here.").expect("a file");
    let question = Question { file: Some(folder.path().join("HANDOFF.md")), ..Question::default() };
    assert_eq!(repo::rules(&question)[0].files[0].text, "Here.");
    assert!(repo::rules(&Question::default())[0].reason.is_some());
    let hostile = Fixture::new("hostile.sh", "core_worktree");
    assert!(repo::rules(&hostile.question())[0].reason.as_ref().is_none_or(|why| why.contains("/etc")));
}
