//! From the bytes of a handoff to the answer: what the reader finds of git is what is held against the repository.

use crate::support::{Fixture, look};
use repo::{ChosenBy, Drift, Question, Verdict};

fn drift(fixture: &Fixture, name: &str, text: &str) -> Drift {
    let text = text
        .replace("WORKTREE", fixture.fact("worktree").expect("a worktree"))
        .replace("SHORT", &fixture.head()[..12])
        .replace("HEAD40", fixture.head());
    let file = fixture.worktree().join(name);
    std::fs::create_dir_all(file.parent().expect("a folder")).expect("the folder is made");
    std::fs::write(&file, &text).expect("the handoff is written");
    let reading = handoff::read(text.as_bytes(), name, &handoff::Limits::default());
    let handoff = reading.current().cloned().expect("it is a handoff");
    look(&Question { handoff, file: Some(file), ..Question::default() })
}

#[test]
fn the_canonical_file_is_held_against_its_worktree() {
    let fixture = Fixture::new("history.sh", "ahead");
    let text = "---\nfuda: 2\ncwd: WORKTREE\n---\n# Handoff\n## Objective\nCount on.\n## Verified facts\n- src/a.txt counts to four (src/a.txt)\n- src/b.txt is short (src/b.txt)\n## Working tree\n- branch: main\n- HEAD: HEAD40\n- status: clean\n- root: WORKTREE\n";
    let drift = drift(&fixture, "HANDOFF.md", text);
    assert_eq!(
        (drift.verdict, drift.ahead, drift.chosen_by),
        (Verdict::MovedOn, 3, ChosenBy::Worktree),
        "{}",
        drift.message
    );
    let states: Vec<_> = drift.freshness.iter().map(|fresh| (fresh.item.as_str(), fresh.state)).collect();
    assert_eq!(states, [("facts/0", repo::FreshnessState::Fresh), ("facts/1", repo::FreshnessState::Touched)]);
    assert_eq!(drift.contended, ["src/b.txt"]);
    assert!(drift.contradictions.is_empty(), "{:?}", drift.contradictions);
}

#[test]
fn markdown_as_people_write_it_is_held_against_the_repository_that_holds_it() {
    let fixture = Fixture::new("history.sh", "diverged");
    let text = "# Session handoff\n\n**Branch:** main\n**Last commit:** SHORT Count to four\n\n## Next steps\n\n- [ ] extend `src/a.txt`\n";
    let drift = drift(&fixture, "docs/HANDOFF.md", text);
    assert_eq!((drift.verdict, drift.chosen_by), (Verdict::Diverged, ChosenBy::File), "{}", drift.message);
    assert_eq!(drift.then.head.as_deref(), Some(&fixture.head()[..12]));
}

#[test]
fn a_handoff_that_was_committed_is_not_behind_itself() {
    let fixture = Fixture::new("history.sh", "same");
    let text = "# Handoff\n\n- Branch: main\n- HEAD: SHORT\n- Status: clean\n\n## Goal\n\nCount on.\n";
    drift(&fixture, "notes/where-we-are.md", text);
    fixture.git(&["add", "-A"]);
    fixture.git(&["commit", "-qm", "docs: where we are"]);
    let drift = drift(&fixture, "notes/where-we-are.md", text);
    assert_eq!((drift.verdict, drift.ahead), (Verdict::Same, 0), "{}", drift.message);
}
