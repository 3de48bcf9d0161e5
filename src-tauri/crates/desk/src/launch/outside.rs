//! What a run did that its boundary refuses, as far as the repository tells. A list for a person, not a verdict: it
//! cannot tell who did it, and what leaves no trace in the tree is not in it.

use super::boundary::{Kind, meaning};
use handoff::Safety;
use repo::{Touched, TreeTouched};

/// One sentence for each rule that what was touched speaks against. What a person allowed during the run is named with
/// the rules that want a person's word: whether it was that, a person sees.
pub(crate) fn outside(safety: &Safety, touched: &Touched, allowed: &[String]) -> Vec<String> {
    let rules = safety.never.iter().map(|rule| (rule, &[][..])).chain(safety.ask.iter().map(|rule| (rule, allowed)));
    let mut found = Vec::new();
    for (rule, allowed) in rules {
        for kind in meaning(&rule.text).kinds {
            for what in touched.trees.iter().flat_map(|tree| against(&kind, tree)) {
                let mut sentence = format!("{what}, and the boundary says: {}", rule.text);
                if !allowed.is_empty() {
                    let allowed = allowed.join("; ");
                    sentence = format!("{what}; a person allowed: {allowed}; the boundary says: {}", rule.text);
                }
                if !found.contains(&sentence) {
                    found.push(sentence);
                }
            }
        }
    }
    found
}

fn against(kind: &Kind, tree: &TreeTouched) -> Vec<String> {
    match kind {
        Kind::Push | Kind::ForcePush => tree.pushed().map(|moved| format!("{} was pushed to", moved.name)).collect(),
        Kind::Commit => tree.commits.iter().map(|commit| format!("“{}” was committed", commit.subject)).collect(),
        Kind::Delete => tree.deleted().map(|path| format!("{} was deleted", path.path)).collect(),
        Kind::ReadOnly => tree.paths.iter().map(|path| format!("{} was changed", path.path)).collect(),
        Kind::Touch(place) => {
            let place = place.trim_end_matches('/');
            let below =
                |path: &str| path == place || path.strip_prefix(place).is_some_and(|rest| rest.starts_with('/'));
            tree.paths
                .iter()
                .filter(|path| below(&path.path) || below(&format!("{}/{}", tree.folder, path.path)))
                .map(|path| format!("{} was changed", path.path))
                .collect()
        }
        _ => Vec::new(),
    }
}

/// What was changed, one sentence each, the most telling first.
pub(crate) fn changed(touched: &Touched) -> Vec<String> {
    let mut said = Vec::new();
    for tree in &touched.trees {
        if let Some((before, now)) = &tree.branch {
            let name = |branch: &Option<String>| branch.clone().unwrap_or_else(|| "no branch".to_owned());
            said.push(format!("branch: {} → {}", name(before), name(now)));
        }
        said.extend(tree.commits.iter().map(|commit| format!("committed: {}", commit.subject)));
        said.extend(tree.pushed().map(|moved| format!("pushed: {}", moved.name)));
        said.extend(tree.paths.iter().map(|path| {
            let kind = serde_json::to_value(path.kind).ok().and_then(|kind| kind.as_str().map(str::to_owned));
            format!("{}: {}", kind.as_deref().unwrap_or("changed"), path.path)
        }));
        said.extend(tree.settings.iter().map(|file| format!("git's own settings: {file}")));
        said.extend(tree.unknown.iter().map(|what| format!("not known: {what}")));
    }
    said
}
