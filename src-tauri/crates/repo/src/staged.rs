//! HEAD against the index. A folder whose cached tree is HEAD's is passed over without reading anything.

use crate::index::{CachedTree, Index};
use crate::stat::{EXECUTABLE, GITLINK, SYMLINK, TYPE_MASK};
use crate::status::Side;
use crate::trees::{Entries, FOLDER, Node, Trees, order};
use git2::{Delta, DiffFindOptions, DiffOptions, Oid, Repository};
use std::cmp::Ordering;
use std::ops::Range;

/// A path that is staged otherwise than HEAD has it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Staged {
    pub(crate) path: Vec<u8>,
    pub(crate) side: Side,
    /// The blob or commit in the index.
    pub(crate) id: Option<Oid>,
    pub(crate) submodule: bool,
    /// The earlier path of a rename.
    pub(crate) from: Option<Vec<u8>>,
}

/// Lists what is staged. `head` is HEAD's tree; absent when unborn.
pub(crate) fn staged(repo: &Repository, head: Option<Oid>, index: &Index) -> Result<Vec<Staged>, git2::Error> {
    let mut walk = Walk { trees: Trees::new(repo)?, index, found: Vec::new() };
    walk.folder(head, index.cached.as_ref(), 0..index.entries.len(), &mut Vec::new())?;
    let mut found = walk.found;
    let has = |side| found.iter().any(|staged| staged.side == side);
    if has(Side::Added) && has(Side::Deleted) {
        renames(repo, head, &mut found)?;
    }
    Ok(found)
}

struct Walk<'a> {
    trees: Trees<'a>,
    index: &'a Index,
    found: Vec<Staged>,
}

/// What the index has under one name of a folder.
struct Group {
    length: usize,
    range: Range<usize>,
    is_folder: bool,
}

impl Walk<'_> {
    fn folder(
        &mut self,
        tree: Option<Oid>,
        cached: Option<&CachedTree>,
        range: Range<usize>,
        prefix: &mut Vec<u8>,
    ) -> Result<(), git2::Error> {
        if tree.is_some() && cached.is_some_and(|cached| cached.id == tree) {
            return Ok(());
        }
        let bytes = self.trees.read(tree)?.map(|object| object.data().to_vec()).unwrap_or_default();
        let mut entries = Entries(&bytes).peekable();
        let mut at = range.start;
        loop {
            let group = self.group(at, range.end, prefix);
            let ordering = match (entries.peek(), &group) {
                (None, None) => return Ok(()),
                (Some(_), None) => Ordering::Less,
                (None, Some(_)) => Ordering::Greater,
                (Some((name, node)), Some(group)) => {
                    let own = &self.index.path(&self.index.entries[at])[prefix.len()..prefix.len() + group.length];
                    let kind = |is_folder| if is_folder { FOLDER } else { 0 };
                    order((name, kind(node.mode == FOLDER)), (own, kind(group.is_folder)))
                }
            };
            let node = if ordering.is_le() { entries.next() } else { None };
            let group = if ordering.is_ge() { group } else { None };
            let length = prefix.len();
            match (&node, &group) {
                (Some((name, _)), _) => prefix.extend_from_slice(name),
                (None, Some(group)) => {
                    let index = self.index;
                    prefix.extend_from_slice(&index.path(&index.entries[at])[length..length + group.length]);
                }
                (None, None) => return Ok(()),
            }
            if let Some(group) = &group {
                at = group.range.end;
            }
            let node = node.map(|(_, node)| node);
            let is_folder =
                node.map_or_else(|| group.as_ref().is_some_and(|group| group.is_folder), |node| node.mode == FOLDER);
            if is_folder {
                let name = prefix[length..].to_vec();
                prefix.push(b'/');
                let below = cached.and_then(|cached| cached.below.iter().find(|below| below.name == name));
                self.folder(node.map(|node| node.id), below, group.map_or(at..at, |group| group.range), prefix)?;
            } else {
                self.file(node, group.map(|group| group.range), prefix);
            }
            prefix.truncate(length);
        }
    }

    /// The next name of a folder, and the entries that stand under it.
    fn group(&self, at: usize, end: usize, prefix: &[u8]) -> Option<Group> {
        let entry = self.index.entries.get(at).filter(|_| at < end)?;
        let path = self.index.path(entry);
        let rest = &path[prefix.len()..];
        if let Some(slash) = rest.iter().position(|byte| *byte == b'/') {
            let range = self.index.below(&(at..end), &path[..prefix.len() + slash + 1]);
            return Some(Group { length: slash, range, is_folder: true });
        }
        let sides = self.index.entries[at..end].iter().take_while(|other| self.index.path(other) == path).count();
        Some(Group { length: rest.len(), range: at..at + sides, is_folder: false })
    }

    fn file(&mut self, node: Option<Node>, range: Option<Range<usize>>, path: &[u8]) {
        let entry = range.and_then(|range| self.index.entries.get(range.start)).filter(|entry| !entry.is_intended());
        if entry.is_some_and(|entry| entry.is_conflicted()) {
            return;
        }
        let side = match (node, entry) {
            (None, None) => return,
            (None, Some(_)) => Side::Added,
            (Some(_), None) => Side::Deleted,
            (Some(node), Some(entry)) if node.id == entry.id && same_mode(node.mode, entry.mode) => return,
            (Some(_), Some(_)) => Side::Modified,
        };
        let modes = [node.map(|node| node.mode), entry.map(|entry| entry.mode)];
        let submodule = modes.iter().flatten().any(|mode| mode & TYPE_MASK == GITLINK);
        self.found.push(Staged { path: path.to_vec(), side, id: entry.map(|entry| entry.id), submodule, from: None });
    }
}

/// Old trees hold modes such as 100664, which mean the same as 100644.
fn same_mode(a: u32, b: u32) -> bool {
    let plain = |mode: u32| match mode & TYPE_MASK {
        kind @ (GITLINK | SYMLINK) => (kind, false),
        kind => (kind, mode & EXECUTABLE != 0),
    };
    plain(a) == plain(b)
}

/// Lets libgit2 pair what was added with what was deleted.
fn renames(repo: &Repository, head: Option<Oid>, found: &mut Vec<Staged>) -> Result<(), git2::Error> {
    let tree = head.map(|id| repo.find_tree(id)).transpose()?;
    let mut options = DiffOptions::new();
    options.include_typechange(true).disable_pathspec_match(true);
    for staged in found.iter().filter(|staged| matches!(staged.side, Side::Added | Side::Deleted)) {
        options.pathspec(staged.path.as_slice());
    }
    let mut diff = repo.diff_tree_to_index(tree.as_ref(), None, Some(&mut options))?;
    diff.find_similar(Some(DiffFindOptions::new().renames(true).rename_limit(200)))?;
    for delta in diff.deltas().filter(|delta| delta.status() == Delta::Renamed) {
        let (Some(old), Some(new)) = (delta.old_file().path_bytes(), delta.new_file().path_bytes()) else { continue };
        found.retain(|staged| staged.path != old);
        if let Some(staged) = found.iter_mut().find(|staged| staged.path == new) {
            staged.side = Side::Renamed;
            staged.from = Some(old.to_vec());
        }
    }
    Ok(())
}
