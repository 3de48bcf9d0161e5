//! The drift table: every history and state of work beside what git itself says. Printed by
//! `cargo nextest run -p repo --no-capture table`.

use crate::support::{Fixture, oracle, told};
use repo::Verdict::{self, *};

/// Script, kind, verdict, and how many of the commits ahead touch only handoffs (git counts them, we do not).
const CASES: &[(&str, &str, Verdict, u32)] = &[
    ("history.sh", "same", Same, 0),
    ("history.sh", "handoff_only", Same, 2),
    ("history.sh", "ahead", MovedOn, 1),
    ("history.sh", "ahead_merge", MovedOn, 0),
    ("history.sh", "others", MovedOn, 0),
    ("history.sh", "renamed", MovedOn, 0),
    ("history.sh", "far", MovedOn, 0),
    ("history.sh", "behind", Behind, 0),
    ("history.sh", "diverged", Diverged, 0),
    ("history.sh", "detached", BranchDiffers, 0),
    ("history.sh", "unborn", BranchDiffers, 0),
    ("history.sh", "other_branch", BranchDiffers, 0),
    ("history.sh", "branch_gone", BranchDiffers, 0),
    ("rewritten.sh", "squash_gone", CommitMissing, 0),
    ("rewritten.sh", "squash_listed", CommitMissing, 0),
    ("rewritten.sh", "squash_kept", Diverged, 0),
    ("rewritten.sh", "rebased_gone", CommitMissing, 0),
    ("rewritten.sh", "rebased_kept", Diverged, 0),
    ("rewritten.sh", "amended_kept", Diverged, 0),
    ("rewritten.sh", "shallow", HistoryTooShort, 0),
    ("rewritten.sh", "other_clone", CommitMissing, 0),
    ("worktrees.sh", "right", Same, 0),
    ("worktrees.sh", "strange", Same, 0),
    ("worktrees.sh", "symlinked", Same, 0),
    ("worktrees.sh", "bare_main", Same, 0),
    ("worktrees.sh", "bare_configured", Same, 0),
    ("worktrees.sh", "dot_bare", Same, 0),
    ("operations.sh", "merge", InTheMiddle, 0),
    ("operations.sh", "rebase", InTheMiddle, 0),
    ("operations.sh", "cherry_pick", InTheMiddle, 0),
    ("operations.sh", "revert", InTheMiddle, 0),
    ("operations.sh", "bisect", InTheMiddle, 0),
    ("dirty.sh", "mixed", DirtyDiffers, 0),
    ("dirty.sh", "deleted", DirtyDiffers, 0),
    ("dirty.sh", "mode", DirtyDiffers, 0),
    ("dirty.sh", "link", DirtyDiffers, 0),
    ("dirty.sh", "staged_rename", DirtyDiffers, 0),
    ("dirty.sh", "touched", Same, 0),
    ("dirty.sh", "names", DirtyDiffers, 0),
    ("dirty.sh", "intent", DirtyDiffers, 0),
    ("dirty.sh", "sparse", DirtyDiffers, 0),
    ("dirty.sh", "crlf", DirtyDiffers, 0),
    ("dirty.sh", "submodule", DirtyDiffers, 0),
    ("dirty.sh", "submodule_work", DirtyDiffers, 0),
    ("formats.sh", "worktree_config", Same, 0),
    ("formats.sh", "precious", Same, 0),
    ("formats.sh", "refstorage_files", Same, 0),
    ("formats.sh", "packed", Same, 0),
    ("formats.sh", "alternates", Same, 0),
    ("hostile.sh", "stale_lock", Same, 0),
    ("settings.sh", "sparse_index", DirtyDiffers, 0),
    ("settings.sh", "split_index", DirtyDiffers, 0),
    ("settings.sh", "untracked_cache", DirtyDiffers, 0),
    ("settings.sh", "version_4", DirtyDiffers, 0),
    ("settings.sh", "skip_hash", DirtyDiffers, 0),
    ("settings.sh", "many_files", DirtyDiffers, 0),
    ("settings.sh", "assume_unchanged", DirtyDiffers, 0),
    ("settings.sh", "skip_worktree", DirtyDiffers, 0),
    ("settings.sh", "auto_crlf", DirtyDiffers, 0),
    ("settings.sh", "ident", DirtyDiffers, 0),
    ("settings.sh", "no_file_mode", DirtyDiffers, 0),
    ("settings.sh", "no_trust_ctime", DirtyDiffers, 0),
    ("settings.sh", "ignores", DirtyDiffers, 0),
    ("settings.sh", "ignored_and_tracked", DirtyDiffers, 0),
    ("settings.sh", "worktree_inside", DirtyDiffers, 0),
    ("settings.sh", "in_submodule", DirtyDiffers, 0),
    ("settings.sh", "separate_git_dir", DirtyDiffers, 0),
    ("settings.sh", "sparse_ignore", DirtyDiffers, 0),
    ("settings.sh", "nested_broken", DirtyDiffers, 0),
    ("settings.sh", "nested_with_commit", DirtyDiffers, 0),
    ("settings.sh", "linked_folder", DirtyDiffers, 0),
    ("settings.sh", "empty_folders", DirtyDiffers, 0),
    ("settings.sh", "case_twins", DirtyDiffers, 0),
    ("settings.sh", "stash_conflict", DirtyDiffers, 0),
    ("settings.sh", "am", InTheMiddle, 0),
    ("settings.sh", "rebase_edit", InTheMiddle, 0),
];

#[test]
fn the_drift_table_agrees_with_git() {
    let mut wrong = Vec::new();
    println!(
        "{:<26} {:<13} {:>5} {:>6}  {:<17} {:>7}  git",
        "case", "relation", "ahead", "behind", "verdict", "changed"
    );
    for (script, kind, verdict, handoff_only) in CASES {
        let fixture = Fixture::new(script, kind);
        let mut expected = oracle(&fixture.worktree(), fixture.fact("head"));
        expected.ahead -= handoff_only;
        if expected.relation == "ahead" && expected.ahead == 0 {
            expected.relation = "same";
        }
        let drift = fixture.look();
        let found = told(&drift);
        let agrees = found == expected && drift.verdict == *verdict;
        println!(
            "{:<26} {:<13} {:>5} {:>6}  {:<17} {:>7}  {}",
            format!("{} {kind}", script.trim_end_matches(".sh")),
            found.relation,
            found.ahead,
            found.behind,
            format!("{:?}", drift.verdict),
            found.changed.len(),
            if agrees { "agrees" } else { "DIFFERS" }
        );
        if !agrees {
            wrong.push(format!(
                "{script} {kind}\n git:  {expected:?}\n fuda: {found:?}\n verdict {:?}, expected {verdict:?}: {}",
                drift.verdict, drift.message
            ));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n\n"));
}

#[test]
fn lines_since_the_recorded_commit_are_counted_as_git_counts_them() {
    for (script, kind) in [
        ("history.sh", "ahead"),
        ("history.sh", "renamed"),
        ("dirty.sh", "mixed"),
        ("dirty.sh", "staged_rename"),
        ("dirty.sh", "crlf"),
        ("dirty.sh", "deleted"),
    ] {
        let fixture = Fixture::new(script, kind);
        let stat = fixture.look().now.diff.expect("lines are counted");
        let said = fixture.git(&["diff", "--shortstat", "-M", fixture.head()]);
        let number = |word: &str| {
            let part = said.split(',').find(|part| part.contains(word));
            part.and_then(|part| part.trim().split(' ').next()).map_or(0, |n| n.parse::<u32>().expect("a number"))
        };
        let expected = (number("file"), number("insertion"), number("deletion"));
        assert_eq!((stat.files, stat.insertions, stat.deletions), expected, "{script} {kind}: {said}");
    }
}
