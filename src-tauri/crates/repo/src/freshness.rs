//! How fresh each claim is: what a fact, artifact or remaining item names, held against what changed since. And
//! with it the paths that the handoff relies on and that changed: those are contended.

use crate::changes::{Change, Changes};
use crate::history;
use crate::index::Index;
use crate::model::{ChangeKind, Freshness, FreshnessState};
use crate::recorded::Recorded;
use crate::relation::{self, Found};
use crate::snapshot::branch_exists;
use crate::taken::{Opened, below};
use crate::text::{git_bytes, quoted, shown};
use git2::Oid;
use handoff::{Handoff, MentionKind, mentions};
use std::cell::OnceCell;
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::path::{Component, Path, PathBuf};

/// Names in one item that are checked.
const NAMED: usize = 100;

/// A repository that was looked at.
pub(crate) struct Ground<'a> {
    pub(crate) opened: &'a Opened,
    pub(crate) changes: &'a Changes,
    /// What the changes were counted from; absent when only uncommitted work is known.
    pub(crate) base: Option<Oid>,
    /// Tracked paths, for names that stand without their folder.
    pub(crate) tracked: &'a Index,
    /// What it says about uncommitted work.
    pub(crate) recorded: &'a Recorded,
    /// When it was written, seconds since 1970.
    pub(crate) written: Option<i64>,
    /// For looking things up; filled when first asked.
    pub(crate) lookup: Lookup<'a>,
}

/// What is looked up once for every path that a document names: documents may name a great many.
#[derive(Default)]
pub(crate) struct Lookup<'a> {
    /// Tracked paths by their last part.
    by_name: OnceCell<HashMap<&'a [u8], Vec<&'a [u8]>>>,
    /// Renamed paths by the earlier one.
    renamed: OnceCell<HashMap<&'a [u8], &'a Vec<u8>>>,
}

impl<'a> Ground<'a> {
    /// Tracked paths that end with the same part as this one.
    fn tracked_like(&self, path: &[u8]) -> &[&'a [u8]] {
        let by_name = self.lookup.by_name.get_or_init(|| {
            let mut by_name: HashMap<&[u8], Vec<&[u8]>> = HashMap::new();
            for entry in &self.tracked.entries {
                let path = self.tracked.path(entry);
                by_name.entry(last_part(path)).or_default().push(path);
            }
            by_name
        });
        by_name.get(last_part(path)).map(Vec::as_slice).unwrap_or_default()
    }

    /// Changes of a path, of what lies below it, of what it was renamed to, and of the submodule that it lies in, in the
    /// order of their paths.
    fn changes_of(&self, path: &[u8]) -> Vec<(&'a Vec<u8>, &'a Change)> {
        let renamed = self.lookup.renamed.get_or_init(|| {
            self.changes.iter().filter_map(|(path, change)| Some((change.from.as_deref()?, path))).collect()
        });
        let folder = [path, b"/"].concat();
        let mut found: BTreeMap<&Vec<u8>, &Change> = self.changes.get_key_value(path).into_iter().collect();
        found.extend(renamed.get(path).and_then(|new| self.changes.get_key_value(*new)));
        found.extend(self.changes.range(folder.clone()..).take_while(|(below, _)| below.starts_with(&folder)));
        let above = path.iter().enumerate().filter(|(_, byte)| **byte == b'/').map(|(at, _)| &path[..at]);
        found.extend(
            above
                .filter_map(|above| self.changes.get_key_value(above))
                .filter(|(_, change)| change.kind == ChangeKind::Submodule),
        );
        found.into_iter().collect()
    }
}

fn last_part(path: &[u8]) -> &[u8] {
    path.rsplit(|byte| *byte == b'/').next().unwrap_or(path)
}

/// Freshness of every item, the contended paths, and by path the items that rely on it.
#[derive(Default)]
pub(crate) struct Told {
    pub(crate) freshness: Vec<Freshness>,
    pub(crate) contended: BTreeSet<String>,
    pub(crate) relied_on: BTreeMap<Vec<u8>, Vec<String>>,
}

/// Whether an absent path speaks against an item: a remaining item may name what is still to be made.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Settled,
    ToDo,
}

/// Holds a handoff's items against the repositories it names.
pub(crate) fn freshness(handoff: &Handoff, home: Option<&Path>, grounds: &[Ground], stop: &dyn Fn() -> bool) -> Told {
    let mut told = Told::default();
    let mut judge = |item: String, named: &dyn Fn() -> Vec<(MentionKind, String)>, kind| {
        if stop() {
            let because = "the time for a look was over".to_owned();
            told.freshness.push(Freshness { item, state: FreshnessState::Unknown, because });
        } else {
            judge(&mut told, item, named(), kind, home, grounds);
        }
    };
    let text = |item: &handoff::Item| match &item.evidence {
        Some(evidence) => format!("{}\n{evidence}", item.text),
        None => item.text.clone(),
    };
    for (at, fact) in handoff.facts.iter().enumerate() {
        judge(format!("facts/{at}"), &|| named_in(&text(fact)), Kind::Settled);
    }
    for (at, artifact) in handoff.artifacts.iter().enumerate() {
        judge(format!("artifacts/{at}"), &|| named_by(artifact), Kind::Settled);
    }
    for (at, item) in handoff.next.iter().enumerate() {
        judge(format!("next/{at}"), &|| named_in(&text(item)), Kind::ToDo);
    }
    told
}

/// What an item names, in order, each once, up to a number.
fn named_in(text: &str) -> Vec<(MentionKind, String)> {
    let mut seen = HashSet::new();
    let each = mentions(text).into_iter().filter(|mention| seen.insert((mention.kind as u8, mention.text.clone())));
    each.map(|mention| (mention.kind, mention.text)).take(NAMED).collect()
}

fn named_by(artifact: &handoff::Artifact) -> Vec<(MentionKind, String)> {
    let reference = artifact.reference.trim().trim_matches('`').to_owned();
    match artifact.kind.as_deref() {
        Some("file" | "directory" | "path" | "plan" | "spec" | "test") if !reference.contains("://") => {
            let path = reference.split_once('#').map_or(reference.as_str(), |(path, _)| path);
            let path = path
                .rsplit_once(':')
                .filter(|(_, line)| line.starts_with(|c: char| c.is_ascii_digit()))
                .map_or(path, |(path, _)| path);
            vec![(MentionKind::Path, path.to_owned())]
        }
        Some("commit") => vec![(MentionKind::Commit, reference)],
        Some("branch") => vec![(MentionKind::Branch, reference)],
        Some("url" | "pull_request" | "session" | "issue") => Vec::new(),
        _ => named_in(&reference),
    }
}

fn judge(
    told: &mut Told,
    item: String,
    named: Vec<(MentionKind, String)>,
    kind: Kind,
    home: Option<&Path>,
    grounds: &[Ground],
) {
    let mut worst: Option<(FreshnessState, String)> = None;
    for (mention, text) in named {
        // With several repositories, the one that knows the thing answers for it.
        let answer = grounds
            .iter()
            .map(|ground| match mention {
                MentionKind::Path => path_state(ground, &text, kind, home),
                MentionKind::Commit => commit_state(ground, &text).into(),
                MentionKind::Branch => branch_state(ground, &text).into(),
            })
            .min_by_key(|answer| match answer.state {
                _ if !answer.paths.is_empty() => 0,
                FreshnessState::Fresh => 1,
                FreshnessState::Touched => 2,
                FreshnessState::Gone => 3,
                FreshnessState::Unknown => 4,
            });
        let Some(answer) = answer else { continue };
        for path in answer.paths {
            told.contended.insert(shown(&path));
            let items = told.relied_on.entry(path).or_default();
            if !items.contains(&item) {
                items.push(item.clone());
            }
        }
        let weight = |state| match state {
            FreshnessState::Gone => 3,
            FreshnessState::Touched => 2,
            FreshnessState::Fresh => 1,
            FreshnessState::Unknown => 0,
        };
        if worst.as_ref().is_none_or(|(state, _)| weight(answer.state) > weight(*state)) {
            worst = Some((answer.state, answer.because));
        }
    }
    let (state, because) = worst.unwrap_or_else(|| {
        let why = if grounds.is_empty() { "no repository was looked at" } else { "names nothing that can be checked" };
        (FreshnessState::Unknown, why.into())
    });
    told.freshness.push(Freshness { item, state, because: quoted(&because) });
}

struct Answer {
    state: FreshnessState,
    because: String,
    /// Changed paths that the item relies on.
    paths: Vec<Vec<u8>>,
}

impl From<(FreshnessState, String)> for Answer {
    fn from((state, because): (FreshnessState, String)) -> Self {
        Self { state, because, paths: Vec::new() }
    }
}

fn path_state(ground: &Ground, text: &str, kind: Kind, home: Option<&Path>) -> Answer {
    let toplevel = &ground.opened.located.toplevel;
    let Some(path) = inside(text, toplevel, home) else {
        return (FreshnessState::Unknown, format!("{text} lies outside the repository")).into();
    };
    let path = whole_path(ground, path);
    let touched: Vec<(&Vec<u8>, &Change)> = ground
        .changes_of(&path)
        .into_iter()
        .filter(|(changed, change)| !ground.opened.paths.contains(changed) && !as_recorded(ground, changed, change))
        .collect();
    let name = shown(&path);
    if let Some((changed, change)) = touched.first() {
        let gone = touched.len() == 1 && (change.kind == ChangeKind::Deleted && **changed == path);
        let renamed = change.kind == ChangeKind::Renamed && change.from.as_ref() == Some(&path);
        let how = match change.kind {
            _ if renamed => format!("{name} is now {}", shown(changed)),
            _ if gone => format!("{name} was deleted"),
            ChangeKind::Unknown => {
                return (
                    FreshnessState::Unknown,
                    format!("{name}: only its configured filter or a longer look could tell"),
                )
                    .into();
            }
            ChangeKind::Conflicted => format!("{} is in conflict", shown(changed)),
            ChangeKind::Untracked => format!("{} is not committed", shown(changed)),
            _ if change.uncommitted && !change.committed => format!("{} has uncommitted changes", shown(changed)),
            _ => format!("{} changed since", shown(changed)),
        };
        let more = if touched.len() > 1 { format!(", and {} more", touched.len() - 1) } else { String::new() };
        let state = if gone || renamed { FreshnessState::Gone } else { FreshnessState::Touched };
        let paths = touched.into_iter().map(|(path, _)| path.clone()).collect();
        return Answer { state, because: how + &more, paths };
    }
    match existing(toplevel, &path) {
        There::Link => (FreshnessState::Unknown, format!("{name} leads through a symbolic link")).into(),
        There::No if kind == Kind::ToDo => (FreshnessState::Unknown, format!("{name} is not there yet")).into(),
        There::No => (FreshnessState::Gone, format!("{name} is not there")).into(),
        There::Yes if ground.base.is_none() => {
            (FreshnessState::Unknown, format!("{name} is there; no recorded commit to compare it with")).into()
        }
        There::Yes => (FreshnessState::Fresh, format!("{name} has not changed")).into(),
    }
}

/// A path that is as it was recorded again, or uncommitted work that the handoff itself named and that has not been
/// touched since it was written.
fn as_recorded(ground: &Ground, path: &[u8], change: &Change) -> bool {
    if change.restored {
        return true;
    }
    if change.committed || !change.uncommitted || change.kind == ChangeKind::Conflicted || !ground.recorded.lists(path)
    {
        return false;
    }
    let file = ground.opened.located.toplevel.join(crate::text::path_of(path));
    let modified = std::fs::symlink_metadata(file).ok().and_then(|meta| meta.modified().ok());
    let modified =
        modified.and_then(|time| time.duration_since(std::time::UNIX_EPOCH).ok()).map(|since| since.as_secs() as i64);
    match (modified, ground.written) {
        (Some(modified), Some(written)) => modified <= written,
        (None, _) => change.kind == ChangeKind::Deleted,
        (_, None) => false,
    }
}

/// A recorded path as bytes below the worktree; `None` when it leads out of it.
pub(crate) fn inside(text: &str, toplevel: &Path, home: Option<&Path>) -> Option<Vec<u8>> {
    let expanded = match (text.strip_prefix("~/"), home) {
        (Some(rest), Some(home)) => home.join(rest),
        (Some(_), None) => return None,
        _ => PathBuf::from(text),
    };
    let relative = below(&expanded, toplevel)?;
    let mut clean = PathBuf::new();
    for part in relative.components() {
        match part {
            Component::Normal(name) => clean.push(name),
            Component::CurDir => {}
            Component::ParentDir if clean.pop() => {}
            _ => return None,
        }
    }
    let bytes = git_bytes(&clean);
    (!bytes.is_empty() && clean.components().next() != Some(Component::Normal(".git".as_ref()))).then_some(bytes)
}

/// A name without its folder stands for the one tracked path that ends with it.
fn whole_path(ground: &Ground, path: Vec<u8>) -> Vec<u8> {
    let toplevel = &ground.opened.located.toplevel;
    if ground.changes.contains_key(&path) || !matches!(existing(toplevel, &path), There::No) {
        return path;
    }
    let suffix = [b"/", path.as_slice()].concat();
    let mut fitting = ground.tracked_like(&path).iter().filter(|tracked| tracked.ends_with(&suffix));
    match (fitting.next(), fitting.next()) {
        (Some(only), None) => only.to_vec(),
        _ => path,
    }
}

enum There {
    Yes,
    No,
    Link,
}

/// Whether a path is there, looked up part by part so that no link is followed. Nothing is opened.
fn existing(toplevel: &Path, path: &[u8]) -> There {
    let relative = crate::text::path_of(path);
    let mut at = toplevel.to_owned();
    let mut parts = relative.components().peekable();
    while let Some(part) = parts.next() {
        at.push(part);
        match std::fs::symlink_metadata(&at) {
            Ok(meta) if meta.is_symlink() && parts.peek().is_some() => return There::Link,
            Ok(_) => {}
            Err(_) => return There::No,
        }
    }
    There::Yes
}

fn commit_state(ground: &Ground, hash: &str) -> (FreshnessState, String) {
    let repo = &ground.opened.repo;
    match relation::find_commit(repo, hash) {
        Found::Commit(id) => {
            let head = ground.opened.head.commit;
            let reached = head.is_some_and(|head| {
                head == id
                    || history::reaches(repo, ground.opened.graph(), head, id)
                        .unwrap_or_else(|| repo.graph_descendant_of(head, id).unwrap_or(false))
            });
            if reached {
                (FreshnessState::Fresh, format!("{hash} is part of HEAD"))
            } else {
                (FreshnessState::Touched, format!("{hash} is not in the history of HEAD"))
            }
        }
        Found::Unclear(why) => (FreshnessState::Unknown, why),
        Found::Nothing if repo.is_shallow() => {
            (FreshnessState::Unknown, format!("{hash} may lie below the cut of this clone"))
        }
        Found::Nothing => (FreshnessState::Gone, format!("{hash} is not in this repository")),
    }
}

fn branch_state(ground: &Ground, name: &str) -> (FreshnessState, String) {
    let repo = &ground.opened.repo;
    if branch_exists(repo, name) || branch_exists(repo, &format!("origin/{name}")) {
        (FreshnessState::Fresh, format!("the branch {name} is there"))
    } else {
        (FreshnessState::Gone, format!("there is no branch {name}"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_may_not_leave_the_worktree() {
        let top = Path::new("/r");
        assert_eq!(inside("src/../lib.rs", top, None).as_deref(), Some(&b"lib.rs"[..]));
        assert_eq!(inside("/r/src/a.rs", top, None).as_deref(), Some(&b"src/a.rs"[..]));
        for outside in ["../x", "src/../../x", "/etc/passwd", "~/x", ".git/config"] {
            assert_eq!(inside(outside, top, None), None, "{outside}");
        }
    }
}
