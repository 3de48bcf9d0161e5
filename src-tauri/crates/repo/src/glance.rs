//! The first step of an answer: repository and worktree found or not, branch, HEAD, relation, operation in
//! progress, upstream. No working file is read, so a window can show it at once.

use crate::drift::{Claims, compose};
use crate::model::Drift;
use crate::{Question, place, taken};

/// Glances at every repository that a handoff records. Always answers.
pub fn glance(question: &Question) -> Drift {
    let commits = question.budget.glanced_commits.min(question.budget.commits);
    let trees = place::places(question).into_iter().map(|place| taken::take(place, question, commits).drift).collect();
    compose(trees, Claims::default(), false)
}
