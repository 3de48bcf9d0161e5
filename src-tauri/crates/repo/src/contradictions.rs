//! Statements that the tree denies. Only what is safe to say: a clean tree that is not, a push that did not happen,
//! and what the document alone contradicts.

use crate::model::{Contradiction, Relation};
use crate::recorded::{Recorded, in_words, says_clean};
use crate::status::Status;
use crate::taken::Taken;
use crate::text::{quoted, shown};
use handoff::{Handoff, Item};

/// Paths that are named in a message.
const NAMED: usize = 3;

/// What the document contradicts by itself.
pub(crate) fn within(handoff: &Handoff) -> Vec<Contradiction> {
    handoff::contradictions(handoff)
        .into_iter()
        .map(|found| Contradiction { kind: found.kind.into(), message: quoted(&found.message), items: found.items })
        .collect()
}

/// What one tree denies.
pub(crate) fn denied(
    handoff: &Handoff,
    taken: &Taken,
    at: usize,
    recorded: &Recorded,
    status: &Status,
) -> Vec<Contradiction> {
    let mut found = Vec::new();
    let Some(opened) = &taken.opened else { return found };
    let saying = items(handoff, says_clean);
    let work: Vec<String> = status.work(&opened.paths).map(|(path, _)| shown(path)).collect();
    if (recorded.clean || !saying.is_empty()) && !work.is_empty() {
        let named = work.iter().take(NAMED).map(String::as_str).collect::<Vec<_>>().join(", ");
        let more = if work.len() > NAMED { format!(" and {} more", work.len() - NAMED) } else { String::new() };
        let mut items = saying;
        if recorded.clean {
            items.insert(0, format!("trees/{at}/status"));
        }
        found.push(Contradiction {
            kind: "says_clean".into(),
            message: quoted(&format!(
                "It says that nothing is uncommitted; now: {} ({named}{more}).",
                in_words(&status.counts())
            )),
            items,
        });
    }
    found.extend(unpushed(handoff, taken));
    found
}

/// It says that the work was pushed, and the upstream, as fetched last, does not have the recorded commit.
fn unpushed(handoff: &Handoff, taken: &Taken) -> Option<Contradiction> {
    let opened = taken.opened.as_ref()?;
    let upstream = taken.drift.now.upstream.as_ref()?;
    let base = taken.standing.base?;
    let on_the_branch = taken.drift.then.branch == taken.drift.now.branch;
    if !on_the_branch || !matches!(taken.standing.relation, Relation::Same | Relation::Ahead) {
        return None;
    }
    let items = items(handoff, says_pushed);
    let tip = opened.repo.find_branch(&upstream.name, git2::BranchType::Remote).ok()?.get().target()?;
    let has_it = tip == base || opened.repo.graph_descendant_of(tip, base).unwrap_or(true);
    (!items.is_empty() && !has_it).then(|| Contradiction {
        kind: "says_pushed".into(),
        message: quoted(&format!(
            "It says that the work was pushed; {} as fetched last does not have the recorded commit.",
            upstream.name
        )),
        items,
    })
}

fn says_pushed(text: &str) -> bool {
    let text = text.to_lowercase();
    let denied =
        ["not pushed", "unpushed", "not been pushed", "not yet pushed", "nothing pushed", "do not push", "never push"];
    let said = [
        "pushed to origin",
        "all pushed",
        "everything pushed",
        "everything is pushed",
        "branch pushed",
        "branch is pushed",
        "commits pushed",
        "already pushed",
    ];
    said.iter().any(|words| text.contains(words)) && !denied.iter().any(|words| text.contains(words))
}

fn items(handoff: &Handoff, says: fn(&str) -> bool) -> Vec<String> {
    let lists: [(&str, &[Item]); 4] = [
        ("facts", &handoff.facts),
        ("done", &handoff.done),
        ("hazards", &handoff.hazards),
        ("constraints", &handoff.constraints),
    ];
    let mut found = Vec::new();
    for (field, list) in lists {
        found.extend(
            list.iter().enumerate().filter(|(_, item)| says(&item.text)).map(|(at, _)| format!("{field}/{at}")),
        );
    }
    found.extend(
        handoff
            .extra
            .iter()
            .enumerate()
            .filter(|(_, section)| says(&section.text))
            .map(|(at, _)| format!("extra/{at}")),
    );
    found
}

#[cfg(test)]
mod tests {
    use super::says_pushed;

    #[test]
    fn a_push_that_is_denied_is_not_said() {
        assert!(says_pushed("Branch pushed to origin."));
        assert!(!says_pushed("The branch is not pushed; all pushed work is older."));
    }
}
