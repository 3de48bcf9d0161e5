//! The verdict: the first that holds, in the order of [`Verdict`], and the sentence that says it.

use crate::model::{ChosenBy, Now, Operation, Relation, Then, TreeDrift, Verdict};
use crate::text::{count, quoted};

/// The verdict of an opened repository. `dirty_differs` says that uncommitted work is other than recorded.
pub(crate) fn of(then: &Then, now: &Now, relation: Relation, dirty_differs: bool) -> Verdict {
    if now.operation.is_some() {
        return Verdict::InTheMiddle;
    }
    match relation {
        Relation::Missing => return Verdict::CommitMissing,
        Relation::Shallow => return Verdict::HistoryTooShort,
        Relation::NotRecorded => return Verdict::NotRecorded,
        _ => {}
    }
    if branch_differs(then, now) {
        return Verdict::BranchDiffers;
    }
    match relation {
        Relation::Diverged => Verdict::Diverged,
        Relation::Behind => Verdict::Behind,
        Relation::Ahead => Verdict::MovedOn,
        _ if dirty_differs => Verdict::DirtyDiffers,
        _ => Verdict::Same,
    }
}

fn branch_differs(then: &Then, now: &Now) -> bool {
    match &then.branch {
        Some(recorded) => {
            let recorded = recorded.trim().trim_start_matches("refs/heads/");
            now.branch.as_deref() != Some(recorded)
        }
        None => then.detached && !now.detached,
    }
}

/// The verdict in one sentence, with the figures it rests on.
pub(crate) fn message(drift: &TreeDrift) -> String {
    let (then, now) = (&drift.then, &drift.now);
    let reason = || now.reason.clone().unwrap_or_else(|| "the reason is not known".into());
    let recorded = then.head.as_deref().map(short).unwrap_or("the recorded commit");
    let head = now.head.as_deref().map(short).unwrap_or("no commit yet");
    let sentence = match drift.verdict {
        Verdict::NoRepository => format!("No repository: {}.", reason()),
        Verdict::WorktreeGone => {
            let branch = match (&then.branch, now.recorded_branch_exists) {
                (Some(branch), Some(true)) => format!(" The branch {branch} still exists."),
                (Some(branch), Some(false)) => format!(" The branch {branch} is gone too."),
                _ => String::new(),
            };
            format!("The worktree is gone: {}.{branch}", reason())
        }
        Verdict::NotInspectable => format!("The repository cannot be looked at: {}.", reason()),
        Verdict::InTheMiddle => format!("{} is under way.", now.operation.map_or("An operation", operation)),
        Verdict::CommitMissing => missing(drift, recorded),
        Verdict::HistoryTooShort => {
            format!("This clone is shallow; whether {recorded} is part of its history cannot be told.")
        }
        Verdict::NotRecorded => "The handoff records no commit to compare with.".into(),
        Verdict::BranchDiffers => {
            let is = match (&now.branch, now.detached) {
                (Some(branch), false) => format!("HEAD is on {branch}"),
                _ => "HEAD is detached".to_owned(),
            };
            let was = match &then.branch {
                Some(branch) => format!("the handoff was written on {branch}"),
                None => "the handoff was written with HEAD detached".to_owned(),
            };
            let gone = if now.recorded_branch_exists == Some(false) { ", which does not exist any more" } else { "" };
            format!("{is}; {was}{gone}.{}", since(drift))
        }
        Verdict::Diverged => {
            let cause = drift.likely_cause.as_ref().map(|cause| format!(" {cause}")).unwrap_or_default();
            format!(
                "HEAD has {} that {recorded} has not, and lacks {} of it.{cause}",
                count(drift.ahead, "commit"),
                count(drift.behind, "commit")
            )
        }
        Verdict::Behind => format!("HEAD ({head}) lacks {} of the recorded {recorded}.", count(drift.behind, "commit")),
        Verdict::MovedOn => format!("{} since {recorded}.", count(drift.ahead, "commit")),
        Verdict::DirtyDiffers => "The same commit, with other uncommitted work than recorded.".into(),
        Verdict::Same => "As recorded.".into(),
    };
    let weak = match drift.chosen_by {
        ChosenBy::File if drift.verdict != Verdict::NoRepository => {
            " The handoff names no folder; this is the repository that holds the file."
        }
        _ => "",
    };
    quoted(&(sentence + weak))
}

fn since(drift: &TreeDrift) -> String {
    match drift.relation {
        Relation::Ahead => format!(" {} since then.", count(drift.ahead, "commit")),
        Relation::Behind => format!(" It lacks {}.", count(drift.behind, "commit")),
        Relation::Diverged => format!(" {} ahead, {} behind.", drift.ahead, drift.behind),
        _ => String::new(),
    }
}

fn missing(drift: &TreeDrift, recorded: &str) -> String {
    let why = drift.now.reason.as_ref().map(|why| format!(" {why}.")).unwrap_or_default();
    let cause = drift.likely_cause.as_ref().map(|cause| format!(" {cause}")).unwrap_or_default();
    format!("The recorded commit {recorded} is not in this repository.{why}{cause}")
}

fn operation(operation: Operation) -> &'static str {
    match operation {
        Operation::Merge => "A merge",
        Operation::Rebase => "A rebase",
        Operation::CherryPick => "A cherry-pick",
        Operation::Revert => "A revert",
        Operation::Bisect => "A bisect",
        Operation::ApplyMailbox => "Applying patches",
    }
}

/// The first characters of a hash, as people write it.
pub(crate) fn short(hash: &str) -> &str {
    hash.get(..8).unwrap_or(hash)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn on(branch: &str) -> (Then, Now) {
        let then = Then { branch: Some("main".into()), head: Some("abcdef1".into()), ..Then::default() };
        (then, Now { branch: Some(branch.into()), ..Now::default() })
    }

    #[test]
    fn the_first_that_holds_is_the_verdict() {
        let (then, mut now) = on("other");
        assert_eq!(of(&then, &now, Relation::Diverged, true), Verdict::BranchDiffers);
        assert_eq!(of(&then, &now, Relation::Missing, true), Verdict::CommitMissing);
        now.operation = Some(Operation::Merge);
        assert_eq!(of(&then, &now, Relation::Missing, true), Verdict::InTheMiddle);
        let (then, now) = on("main");
        assert_eq!(of(&then, &now, Relation::Ahead, true), Verdict::MovedOn);
        assert_eq!(of(&then, &now, Relation::Same, true), Verdict::DirtyDiffers);
        assert_eq!(of(&then, &now, Relation::Same, false), Verdict::Same);
    }

    #[test]
    fn detached_where_a_branch_was_recorded_is_another_branch() {
        let (then, _) = on("main");
        let now = Now { detached: true, ..Now::default() };
        assert_eq!(of(&then, &now, Relation::Same, false), Verdict::BranchDiffers);
        let then = Then { detached: true, ..Then::default() };
        assert_eq!(of(&then, &now, Relation::Same, false), Verdict::Same);
    }
}
