//! Uncommitted work: named by the handoff and not, and what only a filter or a longer look could tell.

use crate::support::{Fixture, look};
use handoff::Text;
use repo::{ChangeKind, Verdict};

fn verdict(fixture: &Fixture, status: Option<&str>, changed: &[&str]) -> Verdict {
    let mut question = fixture.question();
    question.handoff.trees[0].status = status.map(Text::made);
    question.handoff.trees[0].changed = changed.iter().map(|path| Text::made(*path)).collect();
    look(&question).verdict
}

#[test]
fn the_same_uncommitted_work_as_recorded_is_the_same() {
    let fixture = Fixture::new("history.sh", "same");
    fixture.write("src/a.txt", "changed\n");
    fixture.write("src/new.txt", "new\n");
    assert_eq!(verdict(&fixture, None, &["src/a.txt", "src/new.txt"]), Verdict::Same);
    assert_eq!(verdict(&fixture, Some(" M src/a.txt\n?? src/new.txt"), &[]), Verdict::Same);
    assert_eq!(verdict(&fixture, Some("1 modified, 1 untracked"), &[]), Verdict::Same);
    assert_eq!(verdict(&fixture, None, &["src"]), Verdict::Same, "a folder covers what lies below");
}

#[test]
fn other_uncommitted_work_than_recorded_differs() {
    let fixture = Fixture::new("history.sh", "same");
    assert_eq!(verdict(&fixture, Some("clean"), &[]), Verdict::Same);
    assert_eq!(verdict(&fixture, None, &["src/a.txt"]), Verdict::DirtyDiffers, "what was listed is not there any more");
    fixture.write("src/a.txt", "changed\n");
    fixture.write("src/new.txt", "new\n");
    assert_eq!(verdict(&fixture, Some("clean"), &[]), Verdict::DirtyDiffers);
    assert_eq!(verdict(&fixture, None, &["src/a.txt"]), Verdict::DirtyDiffers, "one path more than was listed");
    assert_eq!(verdict(&fixture, Some("2 modified"), &[]), Verdict::DirtyDiffers);
    assert_eq!(verdict(&fixture, None, &[]), Verdict::DirtyDiffers, "nothing was recorded of it");
}

#[test]
fn a_dirty_path_says_whether_the_handoff_named_it() {
    let fixture = Fixture::new("history.sh", "same");
    for path in ["src/a.txt", "src/b.txt", "src/new.txt"] {
        fixture.write(path, "x\n");
    }
    let mut question = fixture.question();
    question.handoff.trees[0].changed = vec![Text::made("src/a.txt")];
    question.handoff.hazards = crate::support::items(&["`src/new.txt` is a sketch"]);
    let told: Vec<_> = look(&question).changed.into_iter().map(|changed| (changed.path, changed.named)).collect();
    assert_eq!(told, [("src/a.txt".into(), true), ("src/b.txt".into(), false), ("src/new.txt".into(), true)]);
}

#[test]
fn handoffs_markers_and_what_the_caller_names_are_no_work() {
    let fixture = Fixture::new("history.sh", "same");
    for path in ["HANDOFF.md", "HANDOFF.md.resumed", "notes/today.md", "notes/today.md.skip"] {
        fixture.write(path, "x\n");
    }
    let mut question = fixture.question();
    question.file = Some(fixture.worktree().join("notes/today.md"));
    question.handoff.trees[0].status = Some(Text::made("clean"));
    let drift = look(&question);
    assert_eq!(drift.verdict, Verdict::Same);
    assert!(drift.changed.iter().all(|changed| changed.handoff), "{:?}", drift.changed);
    assert_eq!(drift.now.status.map(|status| status.untracked), Some(4), "they are counted as git counts them");
}

#[test]
fn a_path_behind_a_configured_filter_is_unknown_and_an_lfs_file_is_told_by_its_pointer() {
    let fixture = Fixture::new("dirty.sh", "filtered");
    let drift = fixture.look();
    let told: Vec<_> = drift.changed.iter().map(|changed| (changed.path.as_str(), changed.kind)).collect();
    assert_eq!(told, [("changed.big", ChangeKind::Modified), ("data.bin", ChangeKind::Unknown)]);
    assert_eq!(drift.now.status.map(|status| (status.modified, status.unknown)), Some((1, 1)));
}

#[test]
fn a_submodule_at_another_commit_is_a_moved_submodule() {
    let drift = Fixture::new("dirty.sh", "submodule").look();
    let told: Vec<_> = drift.changed.iter().map(|changed| (changed.path.as_str(), changed.kind)).collect();
    assert_eq!(told, [("lib", ChangeKind::Submodule)]);
}

#[test]
fn names_keep_their_bytes_and_what_is_no_text_is_escaped() {
    let drift = Fixture::new("dirty.sh", "names").look();
    let paths: Vec<_> = drift.changed.iter().map(|changed| changed.path.as_str()).collect();
    for expected in ["src/with 'quote\".txt", "src/new\nline.txt", "src/日本語.txt", "src/not-utf8-\\xff.txt"] {
        assert!(paths.contains(&expected), "{expected:?} in {paths:?}");
    }
    assert!(!drift.message.contains('\n'));
}

#[test]
fn more_untracked_paths_than_the_budget_are_said_to_be_cut() {
    let fixture = Fixture::new("history.sh", "same");
    (0..30).for_each(|n| fixture.write(&format!("many/{n}.txt"), "x"));
    let mut question = fixture.question();
    question.budget.untracked = 10;
    let drift = look(&question);
    assert_eq!(drift.now.status.map(|status| status.untracked), Some(10));
    assert!(drift.now.reason.is_some_and(|reason| reason.contains("more than 10 untracked")));
}
