//! Where a question looks, and that it never looks silently somewhere else.

use crate::support::{Fixture, git, home, look};
use handoff::{Handoff, Provenance, Text, Tree};
use repo::{ChosenBy, Question, Relation, Verdict};

#[test]
fn a_linked_worktree_is_looked_at_itself_and_names_its_main_repository() {
    let fixture = Fixture::new("worktrees.sh", "right");
    let drift = fixture.look();
    assert_eq!((drift.verdict, drift.chosen_by), (Verdict::Same, ChosenBy::Worktree));
    assert_eq!(drift.now.main_worktree.as_deref(), fixture.fact("main"));
    assert_eq!(drift.now.branch.as_deref(), Some("feat/a"));
}

#[test]
fn another_worktree_of_the_same_repository_is_another_branch() {
    let fixture = Fixture::new("worktrees.sh", "wrong");
    let question = Question { repo: fixture.fact("other").map(Into::into), ..fixture.question() };
    let drift = look(&question);
    assert_eq!((drift.verdict, drift.chosen_by), (Verdict::BranchDiffers, ChosenBy::Given));
    assert_eq!(drift.then.worktree.as_deref(), fixture.fact("worktree"), "both columns stay apart");
    assert_eq!(drift.now.worktree.as_deref(), fixture.fact("other"));
    assert!(drift.message.ends_with("wt-a."), "{}", drift.message);
}

#[test]
fn a_binding_stands_above_what_was_recorded_and_below_what_is_given() {
    let fixture = Fixture::new("worktrees.sh", "wrong");
    let other = fixture.fact("other").map(Into::into);
    let mut question = Question { binding: other.clone(), ..fixture.question() };
    assert_eq!(repo::glance(&question).chosen_by, ChosenBy::Binding);
    question.repo = fixture.fact("main").map(Into::into);
    let drift = repo::glance(&question);
    assert_eq!((drift.chosen_by, drift.now.worktree.as_deref()), (ChosenBy::Given, fixture.fact("main")));
}

#[test]
fn a_removed_worktree_is_gone_and_its_branch_is_told() {
    for (kind, exists) in [("removed", true), ("removed_branch", false), ("replaced", true)] {
        let fixture = Fixture::new("worktrees.sh", kind);
        // The file lies in the main repository, which is never taken in its place.
        let file = std::path::Path::new(fixture.fact("main").expect("a main worktree")).join("HANDOFF.md");
        std::fs::write(&file, "# Handoff\n").expect("the handoff is written");
        let drift = look(&Question { file: Some(file), ..fixture.question() });
        assert_eq!(drift.verdict, Verdict::WorktreeGone, "{kind}");
        assert_eq!(drift.now.recorded_branch_exists, Some(exists), "{kind}: {}", drift.message);
        assert_eq!((drift.now.head, drift.now.branch), (None, None), "{kind}: nothing is shown of another worktree");
    }
}

#[test]
fn a_worktree_that_its_repository_does_not_know_any_more_is_gone_with_the_reason() {
    for (kind, why, branch) in
        [("pruned", "no entry for it any more", Some(true)), ("orphaned", "nor is its repository", None)]
    {
        let fixture = Fixture::new("worktrees.sh", kind);
        let drift = fixture.look();
        assert_eq!(drift.verdict, Verdict::WorktreeGone, "{kind}: {}", drift.message);
        assert!(drift.message.contains("points to") && drift.message.contains(why), "{kind}: {}", drift.message);
        assert_eq!(drift.now.recorded_branch_exists, branch, "{kind}");
        assert!(repo::fingerprint(&fixture.question()).is_err(), "{kind}");
        let given = Question { repo: Some(fixture.worktree()), ..fixture.question() };
        assert_eq!(look(&given).verdict, Verdict::NoRepository, "{kind}");
    }
}

#[test]
fn a_plain_folder_under_claude_worktrees_is_no_worktree_and_git_there_means_the_main_one() {
    let fixture = Fixture::new("worktrees.sh", "plain");
    let main = fixture.fact("main").expect("a main worktree").to_owned();
    let drift = fixture.look();
    assert_eq!(drift.verdict, Verdict::WorktreeGone);
    assert!(drift.message.contains(&format!("git here means {main}")), "{}", drift.message);
    assert_eq!(drift.now.main_worktree, Some(main));

    let cwd = format!("{}/src", fixture.fact("worktree").expect("a folder"));
    let handoff = Handoff { provenance: Provenance { cwd: Some(cwd), ..Provenance::default() }, ..Handoff::default() };
    assert_eq!(
        repo::glance(&Question { handoff, ..Question::default() }).verdict,
        Verdict::WorktreeGone,
        "also for a recorded cwd"
    );
}

#[test]
fn a_tracked_subfolder_is_part_of_its_repository() {
    let fixture = Fixture::new("history.sh", "same");
    let mut question = fixture.question();
    question.handoff.trees[0].worktree = Some(Text::made(format!("{}/src", fixture.worktree().display())));
    let drift = look(&question);
    assert_eq!(drift.verdict, Verdict::Same);
    assert_eq!(drift.now.worktree.as_deref(), fixture.fact("worktree"));
}

#[test]
fn a_symbolic_link_on_the_way_shows_the_typed_folder_and_the_real_worktree() {
    let fixture = Fixture::new("worktrees.sh", "symlinked");
    let drift = fixture.look();
    assert_eq!(drift.verdict, Verdict::Same);
    assert_eq!(drift.now.folder.as_deref(), fixture.fact("worktree"));
    assert_eq!(drift.now.worktree.as_deref(), fixture.fact("real"));
}

#[test]
fn without_a_recorded_folder_the_one_that_holds_the_file_is_taken_and_called_weak() {
    let fixture = Fixture::new("history.sh", "same");
    let mut question = fixture.question();
    question.handoff.trees[0].worktree = None;
    question.file = Some(fixture.worktree().join("docs/HANDOFF.md"));
    let drift = look(&question);
    assert_eq!((drift.verdict, drift.chosen_by), (Verdict::Same, ChosenBy::File));
    assert!(drift.message.contains("holds the file"), "{}", drift.message);
}

#[test]
fn no_repository_and_nothing_recorded_are_answers() {
    let folder = tempfile::tempdir().expect("a folder");
    let cwd = Some(folder.path().display().to_string());
    let handoff = Handoff { provenance: Provenance { cwd, ..Provenance::default() }, ..Handoff::default() };
    let drift = look(&Question { handoff, ..Question::default() });
    assert_eq!((drift.verdict, drift.relation), (Verdict::NoRepository, Relation::NotRecorded));
    assert!(drift.message.contains("no git repository"), "{}", drift.message);

    let drift = look(&Question::default());
    assert_eq!((drift.verdict, drift.chosen_by), (Verdict::NoRepository, ChosenBy::Nothing));

    let drift = look(&Question { repo: Some("/nowhere/at/all".into()), ..Question::default() });
    assert_eq!((drift.verdict, drift.chosen_by), (Verdict::NoRepository, ChosenBy::Given));
}

#[test]
fn a_handoff_without_a_commit_shows_what_is_and_compares_nothing() {
    let fixture = Fixture::new("history.sh", "same");
    let mut question = fixture.question();
    question.handoff.trees[0].head = None;
    let drift = look(&question);
    assert_eq!((drift.verdict, drift.relation), (Verdict::NotRecorded, Relation::NotRecorded));
    assert_eq!(drift.now.head.as_deref(), Some(fixture.head()));
}

#[test]
fn of_two_repositories_each_is_held_against_its_own_and_the_worst_verdict_counts() {
    let (front, back) = (Fixture::new("history.sh", "same"), Fixture::new("history.sh", "diverged"));
    let named = |name: &str, tree: Tree| Tree { name: Some(name.into()), ..tree };
    let trees = vec![named("frontend", front.tree()), named("backend", back.tree())];
    let drift = look(&Question { handoff: Handoff { trees, ..Handoff::default() }, ..Question::default() });
    assert_eq!(drift.verdict, Verdict::Diverged);
    assert_eq!(drift.then.name.as_deref(), Some("backend"));
    let verdicts: Vec<_> = drift.trees.iter().map(|tree| (tree.then.name.as_deref(), tree.verdict)).collect();
    assert_eq!(verdicts, [(Some("frontend"), Verdict::Same), (Some("backend"), Verdict::Diverged)]);
}

#[test]
fn several_repositories_are_found_by_their_names_below_and_beside_the_folder_of_the_handoff() {
    let room = tempfile::tempdir().expect("a folder");
    let heads = ["frontend", "backend"].map(|name| {
        let fixture = Fixture::new("history.sh", "same");
        git(room.path(), &["clone", "-q", fixture.fact("worktree").expect("a worktree"), name]);
        let clone = room.path().join(name);
        git(&clone, &["commit", "-q", "--allow-empty", "-m", name]);
        git(&clone, &["rev-parse", "HEAD"])
    });
    let tree = |name: &str, head: &String| Tree {
        name: Some(name.into()),
        head: Some(Text::made(head)),
        branch: Some(Text::made("main")),
        ..Tree::default()
    };
    let trees = vec![tree("frontend", &heads[0]), tree("backend", &heads[1])];
    let handoff = Handoff { trees, ..Handoff::default() };
    for file in ["HANDOFF.md", "frontend/HANDOFF.md", "backend/docs/HANDOFF.md"] {
        let file = room.path().join(file);
        std::fs::create_dir_all(file.parent().expect("a folder")).expect("the folder is made");
        let drift = look(&Question { handoff: handoff.clone(), file: Some(file.clone()), ..Question::default() });
        let verdicts: Vec<_> = drift.trees.iter().map(|tree| tree.verdict).collect();
        assert_eq!(verdicts, [Verdict::Same, Verdict::Same], "{}: {}", file.display(), drift.message);
    }
}

#[test]
fn tilde_in_a_recorded_folder_is_the_home_that_was_handed_in() {
    let fixture = Fixture::new("history.sh", "same");
    let mut question = fixture.question();
    question.home = Some(fixture.dir.path().to_owned());
    question.handoff.trees[0].worktree = Some(Text::made("~/repo"));
    assert_eq!(look(&question).verdict, Verdict::Same);
    assert!(home().exists());
}

#[test]
fn the_paths_to_watch_cover_worktree_head_and_refs() {
    let fixture = Fixture::new("worktrees.sh", "right");
    let paths = repo::watch_paths(&fixture.question());
    let git_dir = git(&fixture.worktree(), &["rev-parse", "--absolute-git-dir"]);
    let common = format!("{}/.git", fixture.fact("main").expect("a main worktree"));
    for expected in [fixture.fact("worktree").expect("a worktree"), &git_dir, &common, &format!("{common}/refs")] {
        assert!(paths.contains(&expected.into()), "{expected} in {paths:?}");
    }
}
