//! Puts the answers of every recorded repository together: the worst verdict counts.

use crate::model::{Contradiction, Drift, Freshness, TreeDrift};

/// What concerns the whole document.
#[derive(Default)]
pub(crate) struct Claims {
    pub(crate) freshness: Vec<Freshness>,
    pub(crate) contended: Vec<String>,
    pub(crate) contradictions: Vec<Contradiction>,
}

/// One answer from one or more repositories. `trees` holds at least one.
pub(crate) fn compose(mut trees: Vec<TreeDrift>, claims: Claims, looked: bool) -> Drift {
    let worst = (0..trees.len()).min_by_key(|at| trees[*at].verdict).unwrap_or(0);
    let several = trees.len() > 1;
    let first = if several { trees[worst].clone() } else { trees.remove(0) };
    Drift {
        then: first.then,
        now: first.now,
        chosen_by: first.chosen_by,
        relation: first.relation,
        ahead: first.ahead,
        behind: first.behind,
        verdict: first.verdict,
        message: first.message,
        successors: first.successors,
        likely_cause: first.likely_cause,
        commits: first.commits,
        changed: first.changed,
        cut: first.cut,
        freshness: claims.freshness,
        contended: claims.contended,
        contradictions: claims.contradictions,
        trees,
        looked,
    }
}
