//! What a handoff says about uncommitted work, and whether the tree agrees.

use crate::freshness::inside;
use crate::handoff_path::HandoffPaths;
use crate::model::StatusCounts;
use crate::status::Status;
use handoff::{Handoff, MentionKind, Tree, mentions};
use std::collections::BTreeSet;
use std::path::Path;

/// Words for a tree without uncommitted work, in lower case.
const CLEAN: &[&str] = &[
    "nothing to commit",
    "nothing uncommitted",
    "nothing is uncommitted",
    "no uncommitted",
    "no local changes",
    "no pending changes",
    "no dirty files",
    "working tree clean",
    "working tree is clean",
    "worktree clean",
    "worktree is clean",
    "clean working tree",
    "clean worktree",
    "tree is clean",
    "uncommitted: none",
    "uncommitted changes: none",
    "uncommitted files: none",
    "uncommitted work: none",
    "everything is committed",
    "everything committed",
    "all changes committed",
    "all changes are committed",
    "all work is committed",
    "未コミットの変更なし",
    "未コミットの変更はな",
    "未コミットなし",
    "未コミットはな",
    "作業ツリーはクリーン",
    "没有未提交",
    "无未提交",
    "工作区干净",
    "工作树干净",
    "커밋되지 않은 변경 없음",
];

/// A whole status that says clean.
const CLEAN_STATUS: &[&str] =
    &["clean", "none", "no changes", "no", "なし", "クリーン", "干净", "无", "없음", "limpio", "propre", "sauber"];

/// What was recorded about uncommitted work.
#[derive(Clone, Debug, Default)]
pub(crate) struct Recorded {
    /// It says there was none.
    pub(crate) clean: bool,
    /// Paths it lists as changed or untracked.
    listed: BTreeSet<Vec<u8>>,
    /// Paths named anywhere in the document.
    mentioned: BTreeSet<Vec<u8>>,
    /// Counts that it gives without paths: changed, untracked.
    counts: (Option<u32>, Option<u32>),
}

impl Recorded {
    /// Collects what the document says of one of its trees.
    pub(crate) fn of(handoff: &Handoff, tree: &Tree, toplevel: &Path, home: Option<&Path>) -> Self {
        let status = tree.status.as_ref().map(|text| text.text.as_str()).unwrap_or_default();
        let within = |text: &str| inside(text.trim().trim_matches('`'), toplevel, home).map(plain);
        let mut listed: BTreeSet<Vec<u8>> = tree.changed.iter().filter_map(|text| within(&text.text)).collect();
        listed.extend(paths_in(status).filter_map(|path| within(&path)));
        let mentioned = texts(handoff)
            .flat_map(|text| paths_in(text).collect::<Vec<_>>())
            .filter_map(|path| within(&path))
            .collect();
        let clean = listed.is_empty()
            && (says_clean_status(status) || handoff.status.as_ref().is_some_and(|text| says_clean(&text.text)));
        Self { clean, listed, mentioned, counts: counts_in(status) }
    }

    /// Whether a path was named as changed, or at all.
    pub(crate) fn names(&self, path: &[u8]) -> bool {
        covers(&self.listed, path) || covers(&self.mentioned, path)
    }

    /// Whether a path was listed as uncommitted.
    pub(crate) fn lists(&self, path: &[u8]) -> bool {
        covers(&self.listed, path)
    }

    /// Whether the uncommitted work that is there is other than recorded. Handoffs do not count.
    pub(crate) fn differs(&self, status: &Status, paths: &HandoffPaths) -> bool {
        let now: Vec<&[u8]> = status.work(paths).map(|(path, _)| path.as_slice()).collect();
        if self.clean {
            return !now.is_empty();
        }
        let counts = work_counts(status, paths);
        if self.listed.is_empty() {
            return match self.counts {
                (None, None) => now.iter().any(|path| !self.names(path)),
                (changed, untracked) => {
                    changed.is_some_and(|then| then != counts.0)
                        || untracked.is_some_and(|then| then != counts.1 && counts.1 > 0)
                }
            };
        }
        let unrecorded = now.iter().any(|path| !self.names(path));
        let settled = self.listed.iter().any(|then| !paths.contains(then) && !reaches(then, &now));
        unrecorded || settled
    }
}

/// Changed tracked paths and untracked ones, handoffs left out.
fn work_counts(status: &Status, paths: &HandoffPaths) -> (u32, u32) {
    let (mut changed, mut untracked) = (0, 0);
    for (_, entry) in status.work(paths) {
        *(if entry.untracked { &mut untracked } else { &mut changed }) += 1;
    }
    (changed, untracked)
}

/// Whether a path or a folder above it is listed.
fn covers(listed: &BTreeSet<Vec<u8>>, path: &[u8]) -> bool {
    let path = path.strip_suffix(b"/").unwrap_or(path);
    let above = path.iter().enumerate().filter(|(_, byte)| **byte == b'/').map(|(at, _)| &path[..at]);
    listed.contains(path) || above.into_iter().any(|folder| listed.contains(folder))
}

/// Whether one of the paths, which are in order, is the listed one or lies below it.
fn reaches(then: &[u8], paths: &[&[u8]]) -> bool {
    let folder = [then, b"/"].concat();
    let lies_below = |folder: &[u8]| {
        let at = paths.partition_point(|path| *path < folder);
        paths.get(at).is_some_and(|path| path.starts_with(folder))
    };
    paths.binary_search(&then).is_ok() || lies_below(&folder)
}

/// A listed path without the slash that marks a folder.
fn plain(mut path: Vec<u8>) -> Vec<u8> {
    if path.ends_with(b"/") {
        path.pop();
    }
    path
}

fn paths_in(text: &str) -> impl Iterator<Item = String> {
    let named: Vec<String> = mentions(text)
        .into_iter()
        .filter(|mention| mention.kind == MentionKind::Path)
        .map(|mention| mention.text)
        .collect();
    named.into_iter()
}

/// Everything that a document says in items.
fn texts(handoff: &Handoff) -> impl Iterator<Item = &str> {
    let lists = [
        &handoff.constraints,
        &handoff.facts,
        &handoff.unverified,
        &handoff.hazards,
        &handoff.done,
        &handoff.next,
        &handoff.open,
    ];
    lists
        .into_iter()
        .flatten()
        .flat_map(|item| [Some(item.text.as_str()), item.evidence.as_deref()])
        .flatten()
        .chain(handoff.artifacts.iter().map(|artifact| artifact.reference.as_str()))
        .chain(handoff.extra.iter().map(|section| section.text.as_str()))
}

/// Whether a sentence says that nothing is uncommitted.
pub(crate) fn says_clean(text: &str) -> bool {
    let text = text.to_lowercase().replace(['*', '`', '_'], "");
    CLEAN.iter().any(|words| text.contains(words))
}

fn says_clean_status(status: &str) -> bool {
    let plain = status.to_lowercase();
    let plain = plain.trim().trim_matches(['`', '*', '.', '。', ' ', '(', ')']);
    CLEAN_STATUS.contains(&plain) || plain.starts_with("clean") || says_clean(status)
}

/// `2 modified, 1 untracked` as numbers: changed tracked paths, untracked ones.
fn counts_in(status: &str) -> (Option<u32>, Option<u32>) {
    let (mut changed, mut untracked) = (None, None);
    let words: Vec<&str> = status.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()).collect();
    for pair in words.windows(2) {
        let Ok(number) = pair[0].parse::<u32>() else { continue };
        match pair[1].to_lowercase().as_str() {
            "untracked" | "new" => untracked = Some(number),
            "modified" | "changed" | "staged" | "deleted" | "dirty" | "uncommitted" => {
                changed = Some(changed.unwrap_or(0) + number)
            }
            _ => {}
        }
    }
    (changed, untracked)
}

/// The counts in words: `2 modified, 1 untracked`, or `clean`.
pub(crate) fn in_words(counts: &StatusCounts) -> String {
    let parts = [
        (counts.conflicted, "in conflict"),
        (counts.staged, "staged"),
        (counts.modified, "modified"),
        (counts.untracked, "untracked"),
        (counts.unknown, "unknown"),
    ];
    let told: Vec<String> = parts.iter().filter(|(n, _)| *n > 0).map(|(n, word)| format!("{n} {word}")).collect();
    if told.is_empty() { "clean".into() } else { told.join(", ") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_clean_tree_is_told_in_many_words() {
        for text in [
            "Nothing uncommitted.",
            "working tree clean",
            "**Uncommitted:** none",
            "Everything is committed",
            "没有未提交的更改",
        ] {
            assert!(says_clean(text), "{text}");
        }
        for text in ["clean", "Clean (nothing to commit)", "none"] {
            assert!(says_clean_status(text), "{text}");
        }
        assert!(!says_clean("2 modified"));
        assert!(!says_clean("clean up the parser"));
    }

    #[test]
    fn counts_are_read_from_words() {
        assert_eq!(counts_in("2 modified, 1 untracked"), (Some(2), Some(1)));
        assert_eq!(counts_in("M src/a.rs"), (None, None));
    }

    #[test]
    fn a_listed_folder_covers_what_lies_below() {
        let listed = BTreeSet::from([b"src".to_vec()]);
        assert!(covers(&listed, b"src/a.rs") && covers(&listed, b"src/"));
        assert!(!covers(&listed, b"srcs") && !covers(&listed, b"a"));
        let now: Vec<&[u8]> = vec![b"src.rs", b"src/a.rs", b"src0"];
        assert!(reaches(b"src", &now) && reaches(b"src0", &now));
        assert!(!reaches(b"sr", &now));
    }
}
