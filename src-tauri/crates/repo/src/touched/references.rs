//! Where references stand, which of them moved, and what git wrote down about it.

use super::model::{MovedBy, RefKind, RefMove, References};
use crate::history;
use crate::plain::read_bounded;
use crate::taken::Opened;
use crate::text::shown;
use git2::{Oid, Repository};
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

/// Most references that are kept.
const REFS: usize = 20_000;
/// Files of the git folder that say what git runs, ignores and converts.
const SETTINGS: &[&str] = &["config", "config.worktree", "info/exclude", "info/attributes", "info/sparse-checkout"];
/// Longest of these that is read.
const SETTING_BYTES: u64 = 1 << 20;
/// Most files among the hooks that are read.
const HOOKS: usize = 100;
/// Most entries of a reflog that are looked at.
const RECORDS: usize = 1_000;

/// Takes them down.
pub(super) fn references(opened: &Opened) -> Result<References, git2::Error> {
    let mut taken = References {
        head: opened.head.commit.map(|id| id.to_string()),
        settings: settings(opened),
        ..References::default()
    };
    for reference in opened.repo.references()? {
        let reference = reference?;
        // A symbolic one says nothing of its own: what it names is listed.
        let Some(target) = reference.target() else { continue };
        if taken.refs.len() >= REFS {
            taken.incomplete = Some(format!("there are more than {REFS} references"));
            break;
        }
        taken.refs.insert(shown(reference.name_bytes()), target.to_string());
    }
    Ok(taken)
}

fn settings(opened: &Opened) -> BTreeMap<String, String> {
    let located = &opened.located;
    let mut found = BTreeMap::new();
    let mut read = |folder: &Path, name: String| {
        // What is no regular file is told by its kind: that it came or went is a change too.
        let told = match std::fs::symlink_metadata(folder.join(&name)) {
            Err(_) => return,
            Ok(meta) if meta.len() > SETTING_BYTES => format!("{} bytes", meta.len()),
            Ok(meta) if !meta.is_file() && !meta.is_symlink() => "no file".to_owned(),
            Ok(_) => match read_bounded(&folder.join(&name), SETTING_BYTES) {
                Ok(bytes) => crate::content::sha256(&bytes),
                Err(error) => error.to_string(),
            },
        };
        found.insert(name, told);
    };
    for name in SETTINGS {
        let own = matches!(*name, "config.worktree" | "info/sparse-checkout");
        read(if own { &located.git_dir } else { &located.common_dir }, (*name).to_owned());
    }
    let hooks = std::fs::read_dir(located.common_dir.join("hooks")).into_iter().flatten().flatten();
    let names = hooks.filter_map(|entry| entry.file_name().into_string().ok());
    for name in names.filter(|name| !name.ends_with(".sample")).take(HOOKS) {
        read(&located.common_dir, format!("hooks/{name}"));
    }
    found
}

/// Names of settings that differ.
pub(super) fn changed_settings(before: &References, now: &References) -> Vec<String> {
    let names: BTreeSet<&String> = before.settings.keys().chain(now.settings.keys()).collect();
    names.into_iter().filter(|name| before.settings.get(*name) != now.settings.get(*name)).cloned().collect()
}

/// References that are not where they were. HEAD is one of them while it names a commit itself.
pub(super) fn moved(opened: &Opened, before: &References, now: &References, was_detached: bool) -> Vec<RefMove> {
    let names: BTreeSet<&String> = before.refs.keys().chain(now.refs.keys()).collect();
    let mut moved: Vec<RefMove> = names
        .into_iter()
        .filter_map(|name| moved_one(opened, name, before.refs.get(name), now.refs.get(name)))
        .collect();
    if was_detached && opened.head.branch.is_none() {
        moved.extend(moved_one(opened, "HEAD", before.head.as_ref(), now.head.as_ref()));
    }
    moved
}

fn moved_one(opened: &Opened, name: &str, before: Option<&String>, after: Option<&String>) -> Option<RefMove> {
    if before == after {
        return None;
    }
    let kind = kind(name);
    let id = |text: Option<&String>| text.and_then(|text| Oid::from_str(text).ok());
    let forward = match (id(before), id(after)) {
        (Some(before), Some(after)) => contains(opened, after, before),
        _ => None,
    };
    let by = if kind == RefKind::Remote { moved_by(&opened.repo, name, id(before), id(after)) } else { MovedBy::Here };
    Some(RefMove { name: name.to_owned(), kind, before: before.cloned(), after: after.cloned(), forward, by })
}

fn contains(opened: &Opened, newer: Oid, older: Oid) -> Option<bool> {
    history::reaches(&opened.repo, opened.graph(), newer, older)
        .or_else(|| opened.repo.graph_descendant_of(newer, older).ok())
}

fn kind(name: &str) -> RefKind {
    let below = |folder: &str| name.starts_with(folder);
    match () {
        () if name == "HEAD" => RefKind::Head,
        () if name == "refs/stash" => RefKind::Stash,
        () if below("refs/heads/") => RefKind::Branch,
        () if below("refs/remotes/") => RefKind::Remote,
        () if below("refs/tags/") => RefKind::Tag,
        () => RefKind::Other,
    }
}

/// What the reference's own log says of the way from one object to the other. A deleted one has no log any more.
fn moved_by(repo: &Repository, name: &str, before: Option<Oid>, after: Option<Oid>) -> MovedBy {
    let Ok(log) = repo.reflog(name) else { return MovedBy::Unknown };
    let mut by = MovedBy::Unknown;
    let mut expected = after;
    for record in log.iter().take(RECORDS) {
        if Some(record.id_new()) != expected || expected == before {
            break;
        }
        let words = String::from_utf8_lossy(record.message_bytes().unwrap_or_default()).into_owned();
        if words.starts_with("update by push") {
            return MovedBy::Push;
        }
        if ["fetch", "pull", "clone", "remote"].iter().any(|word| words.starts_with(word)) {
            by = MovedBy::Fetch;
        }
        expected = Some(record.id_old());
    }
    by
}
