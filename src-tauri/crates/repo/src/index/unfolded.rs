//! Indexes that git keeps in a shorter form, made whole: a split index, most of which lies in a shared file, and a
//! sparse index, in which one entry stands for a whole folder outside of the sparse checkout. libgit2 reads neither.

// Source: git:Documentation/gitformat-index.txt and git:ewah/, seen 2026-12.

use super::{ID_BYTES, INDEX_BYTES, Index, Reader, SKIP_WORKTREE, Tracked};
use crate::plain;
use crate::trees::{Entries, FOLDER, Trees};
use git2::{Oid, Repository};
use std::path::Path;

/// Most entries that a sparse index is unfolded to.
const ENTRIES: usize = 2_000_000;
/// Deepest folder that is unfolded.
const DEPTH: u32 = 512;

/// What the `link` extension says: the shared file, and which of its entries are taken out or replaced.
#[derive(Debug)]
pub(super) struct Link {
    base: Oid,
    bitmaps: Vec<u8>,
}

impl Link {
    pub(super) fn read(bytes: &[u8]) -> Option<Self> {
        let (base, bitmaps) = bytes.split_at_checked(ID_BYTES)?;
        Some(Self { base: Oid::from_bytes(base).ok()?, bitmaps: bitmaps.to_vec() })
    }

    /// Puts an index and the shared file that it names together.
    pub(super) fn join(&self, own: Index, git_dir: &Path) -> Option<Index> {
        if self.base.is_zero() {
            return Some(own);
        }
        let bytes = plain::read_bounded(&git_dir.join(format!("sharedindex.{}", self.base)), INDEX_BYTES).ok()?;
        let shared = Reader { bytes: &bytes, at: 0 }.index()?;
        if shared.link.is_some() {
            return None;
        }
        let (deleted, replaced) = if self.bitmaps.is_empty() {
            (Vec::new(), Vec::new())
        } else {
            let mut reader = Reader { bytes: &self.bitmaps, at: 0 };
            let most = shared.index.entries.len();
            (reader.bitmap(most)?, reader.bitmap(most)?)
        };
        let mut shared = shared.index;
        let mut whole = Index { cached: None, ..Index::default() };
        let replacements = own.entries.iter().take_while(|entry| own.path(entry).is_empty());
        for (at, replacement) in replaced.iter().zip(replacements) {
            let place = shared.entries.get_mut(*at)?;
            *place = Tracked { path: place.path, ..*replacement };
        }
        let mut deleted = deleted.iter().peekable();
        for (at, entry) in shared.entries.iter().enumerate() {
            if deleted.next_if(|gone| **gone == at).is_none() {
                whole.add(shared.path(entry), *entry);
            }
        }
        for entry in own.entries.iter().filter(|entry| !own.path(entry).is_empty()) {
            whole.add(own.path(entry), *entry);
        }
        whole.sort();
        whole.cached = own.cached;
        Some(whole)
    }
}

impl Reader<'_> {
    /// A compressed bitmap as the places of its set bits: words that say how many equal words and how many literal
    /// ones follow them. `None` when a place is not below `most`.
    fn bitmap(&mut self, most: usize) -> Option<Vec<usize>> {
        let bits = self.u32()? as usize;
        if bits > most {
            return None;
        }
        let mut words = self.u32()?;
        let (mut set, mut at) = (Vec::new(), 0_usize);
        while words > 0 {
            let marker = self.u64()?;
            words -= 1;
            let (value, run) = (marker & 1, (marker >> 1 & 0xffff_ffff) as usize);
            let literals = (marker >> 33) as u32;
            let end = at.checked_add(run.checked_mul(64)?)?;
            if value == 1 {
                set.extend(at..end.min(bits));
            }
            at = end;
            for _ in 0..literals {
                let word = self.u64()?;
                words = words.checked_sub(1)?;
                let places = (0..64).filter(|bit| word >> bit & 1 == 1).map(|bit| at + bit);
                set.extend(places.filter(|place| *place < bits));
                at = at.checked_add(64)?;
            }
        }
        self.u32()?; // where a writer would go on
        Some(set)
    }

    fn u64(&mut self) -> Option<u64> {
        self.take(8).and_then(|bytes| bytes.try_into().ok()).map(u64::from_be_bytes)
    }
}

/// Puts the tracked paths of a folder in place of the entry that stands for it. They are left out of the tree.
pub(super) fn unfold(index: Index, repo: &Repository) -> Result<Index, git2::Error> {
    let trees = Trees::new(repo)?;
    let mut whole = Index { cached: None, ..Index::default() };
    for entry in &index.entries {
        if entry.mode == FOLDER {
            below(&trees, entry, &mut index.path(entry).to_vec(), 0, &mut whole)?;
        } else {
            whole.add(index.path(entry), *entry);
        }
    }
    whole.sort();
    whole.cached = index.cached;
    Ok(whole)
}

fn below(
    trees: &Trees,
    folder: &Tracked,
    prefix: &mut Vec<u8>,
    depth: u32,
    whole: &mut Index,
) -> Result<(), git2::Error> {
    if depth > DEPTH || whole.entries.len() > ENTRIES {
        return Err(git2::Error::from_str("the sparse index stands for too many paths"));
    }
    let Some(object) = trees.read(Some(folder.id))? else { return Ok(()) };
    for (name, node) in Entries(object.data()) {
        let length = prefix.len();
        prefix.extend_from_slice(name);
        let entry = Tracked { mode: node.mode, id: node.id, extended: SKIP_WORKTREE, ..*folder };
        if node.mode == FOLDER {
            prefix.push(b'/');
            below(trees, &entry, prefix, depth + 1, whole)?;
        } else {
            whole.add(prefix, entry);
        }
        prefix.truncate(length);
    }
    Ok(())
}

/// Gives libgit2 an index that it cannot read itself, for what is still asked of it: attributes, renames, line ends.
/// It stays in memory.
pub(super) fn lend(index: &Index, repo: &Repository) -> Result<(), git2::Error> {
    let mut lent = git2::Index::new()?;
    let time = |(seconds, nanoseconds): (u32, u32)| git2::IndexTime::new(seconds as i32, nanoseconds);
    for entry in &index.entries {
        lent.add(&git2::IndexEntry {
            ctime: time(entry.ctime),
            mtime: time(entry.mtime),
            dev: 0,
            ino: entry.ino,
            mode: entry.mode,
            uid: 0,
            gid: 0,
            file_size: entry.size,
            id: entry.id,
            flags: entry.flags,
            flags_extended: entry.extended,
            path: index.path(entry).to_vec(),
        })?;
    }
    repo.set_index(&mut lent)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bitmap_is_read_run_by_run() {
        let marker = |value: u64, run: u64, literals: u64| (value | run << 1 | literals << 33).to_be_bytes();
        let bytes = [
            &200_u32.to_be_bytes()[..],
            &3_u32.to_be_bytes(),
            &marker(1, 1, 1),
            &0b101_u64.to_be_bytes(),
            &marker(0, 1, 0),
            &0_u32.to_be_bytes(),
        ]
        .concat();
        let set = Reader { bytes: &bytes, at: 0 }.bitmap(200).expect("it is a bitmap");
        assert_eq!(set, (0..64).chain([64, 66]).collect::<Vec<_>>());
    }

    #[test]
    fn a_bitmap_that_promises_more_than_it_has_is_none() {
        for bytes in [&b""[..], &[0, 0, 0, 9, 0, 0, 0, 1], &[0xff; 40]] {
            assert!(Reader { bytes, at: 0 }.bitmap(1_000).is_none());
        }
    }
}
