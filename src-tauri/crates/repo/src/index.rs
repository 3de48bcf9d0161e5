//! The index file as it lies there. Read by ourselves, because libgit2 hashes the whole file before it shows an
//! entry, and keeps from its callers the trees that git caches in it: with them most of HEAD is known to be staged
//! unchanged without reading a single object. What this reader does not know libgit2 reads.

// Source: git:Documentation/gitformat-index.txt, versions 2 to 4, seen 2026-12.

mod unfolded;

use crate::plain;
use git2::{Oid, Repository};
use std::ops::Range;
use std::path::Path;

/// Largest index that is read.
const INDEX_BYTES: u64 = 512 << 20;
const ID_BYTES: usize = 20;
const STAT_BYTES: usize = 40;
const EXTENDED: u16 = 0x4000;
const ASSUME_UNCHANGED: u16 = 0x8000;
const STAGE: u16 = 0x3000;
const NAME_LENGTH: u16 = 0x0fff;
const SKIP_WORKTREE: u16 = 0x4000;
const INTENT_TO_ADD: u16 = 0x2000;
/// Deepest folder whose cached tree is read.
const DEPTH: u32 = 512;

/// A tracked path.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Tracked {
    path: (u32, u32),
    pub(crate) ctime: (u32, u32),
    pub(crate) mtime: (u32, u32),
    pub(crate) ino: u32,
    pub(crate) mode: u32,
    pub(crate) size: u32,
    pub(crate) id: Oid,
    flags: u16,
    extended: u16,
}

impl Tracked {
    /// Whether it is one of the sides of a conflict.
    pub(crate) fn is_conflicted(&self) -> bool {
        self.flags & STAGE != 0
    }
    /// Whether its working file is not to be looked at.
    pub(crate) fn is_skipped(&self) -> bool {
        self.flags & (ASSUME_UNCHANGED | STAGE) != 0 || self.extended & SKIP_WORKTREE != 0
    }
    /// Whether a sparse checkout leaves it out of the working tree.
    pub(crate) fn is_left_out(&self) -> bool {
        self.extended & SKIP_WORKTREE != 0
    }
    /// Whether it only announces that the path will be added.
    pub(crate) fn is_intended(&self) -> bool {
        self.extended & INTENT_TO_ADD != 0
    }
}

/// A folder's tree as git cached it. Without an id its content was staged since.
#[derive(Debug, Default)]
pub(crate) struct CachedTree {
    pub(crate) name: Vec<u8>,
    pub(crate) id: Option<Oid>,
    pub(crate) below: Vec<CachedTree>,
}

/// The index: tracked paths in the order of their bytes.
#[derive(Debug, Default)]
pub(crate) struct Index {
    names: Vec<u8>,
    pub(crate) entries: Vec<Tracked>,
    pub(crate) cached: Option<CachedTree>,
    /// When the file was written: seconds and nanoseconds.
    pub(crate) written: Option<(i64, i64)>,
}

impl Index {
    /// Reads the index of a repository. One that is not there is empty.
    pub(crate) fn read(repo: &Repository, git_dir: &Path) -> Result<Self, git2::Error> {
        let path = git_dir.join("index");
        let written = crate::stat::Stat::of(&path).map(|stat| stat.mtime);
        if written.is_none() {
            return Ok(Self::default());
        }
        let bytes = plain::read_bounded(&path, INDEX_BYTES).unwrap_or_default();
        let parsed = Reader { bytes: &bytes, at: 0 }.index().filter(|parsed| parsed.index.is_ordered());
        let index = match parsed {
            None => Self::through_libgit2(repo)?,
            Some(parsed) if parsed.link.is_none() && !parsed.is_sparse => parsed.index,
            Some(parsed) => Self::made_whole(parsed, repo, git_dir)?,
        };
        Ok(Self { written, ..index })
    }

    fn made_whole(parsed: Parsed, repo: &Repository, git_dir: &Path) -> Result<Self, git2::Error> {
        let mut index = parsed.index;
        if let Some(link) = parsed.link {
            let unreadable = || git2::Error::from_str("the shared part of its split index cannot be read");
            index = link.join(index, git_dir).ok_or_else(unreadable)?;
        }
        index = unfolded::unfold(index, repo)?;
        unfolded::lend(&index, repo)?;
        Ok(index)
    }

    fn add(&mut self, name: &[u8], entry: Tracked) {
        let path = self.add_name(name);
        self.entries.push(Tracked { path, ..entry });
    }

    fn sort(&mut self) {
        let names = &self.names;
        let path = |entry: &Tracked| &names[entry.path.0 as usize..entry.path.1 as usize];
        self.entries.sort_by(|a, b| path(a).cmp(path(b)).then((a.flags & STAGE).cmp(&(b.flags & STAGE))));
    }

    fn through_libgit2(repo: &Repository) -> Result<Self, git2::Error> {
        let mut index = Self::default();
        let mut entries: Vec<git2::IndexEntry> = repo.index()?.iter().collect();
        entries.sort_by(|a, b| a.path.cmp(&b.path)); // with core.ignoreCase, libgit2 orders without case
        for entry in entries {
            let path = index.add_name(&entry.path);
            index.entries.push(Tracked {
                path,
                ctime: (entry.ctime.seconds() as u32, entry.ctime.nanoseconds()),
                mtime: (entry.mtime.seconds() as u32, entry.mtime.nanoseconds()),
                ino: entry.ino,
                mode: entry.mode,
                size: entry.file_size,
                id: entry.id,
                flags: entry.flags,
                extended: entry.flags_extended,
            });
        }
        Ok(index)
    }

    fn add_name(&mut self, name: &[u8]) -> (u32, u32) {
        let from = self.names.len() as u32;
        self.names.extend_from_slice(name);
        (from, self.names.len() as u32)
    }

    fn is_ordered(&self) -> bool {
        self.entries.is_sorted_by(|a, b| self.path(a) <= self.path(b))
    }

    /// The path of one of its entries.
    pub(crate) fn path(&self, entry: &Tracked) -> &[u8] {
        &self.names[entry.path.0 as usize..entry.path.1 as usize]
    }

    /// The entry of a path; of a conflict, its first side.
    pub(crate) fn find(&self, path: &[u8]) -> Option<&Tracked> {
        let at = self.entries.partition_point(|entry| self.path(entry) < path);
        self.entries.get(at).filter(|entry| self.path(entry) == path)
    }

    /// The entries below a folder, whose path ends with `/`.
    pub(crate) fn below(&self, within: &Range<usize>, folder: &[u8]) -> Range<usize> {
        let slice = &self.entries[within.clone()];
        let from = within.start + slice.partition_point(|entry| self.path(entry) < folder);
        let count = self.entries[from..within.end].partition_point(|entry| self.path(entry).starts_with(folder));
        from..from + count
    }
}

/// An index as its file has it.
struct Parsed {
    index: Index,
    /// Where the rest of a split index lies.
    link: Option<unfolded::Link>,
    /// Whether entries may stand for whole folders.
    is_sparse: bool,
}

struct Reader<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl<'a> Reader<'a> {
    fn take(&mut self, length: usize) -> Option<&'a [u8]> {
        let taken = self.bytes.get(self.at..self.at.checked_add(length)?)?;
        self.at += length;
        Some(taken)
    }

    fn u32(&mut self) -> Option<u32> {
        self.take(4).and_then(|bytes| bytes.try_into().ok()).map(u32::from_be_bytes)
    }

    fn u16(&mut self) -> Option<u16> {
        self.take(2).and_then(|bytes| bytes.try_into().ok()).map(u16::from_be_bytes)
    }

    fn until(&mut self, end: u8) -> Option<&'a [u8]> {
        let length = self.bytes.get(self.at..)?.iter().position(|byte| *byte == end)?;
        let taken = self.take(length);
        self.at += 1;
        taken
    }

    /// The whole file, or `None` for what is not known here or makes no sense.
    fn index(mut self) -> Option<Parsed> {
        self.bytes = self.bytes.get(..self.bytes.len().checked_sub(ID_BYTES)?)?; // the checksum
        if self.take(4)? != b"DIRC" {
            return None;
        }
        let version = self.u32().filter(|version| (2..=4).contains(version))?;
        let count = self.u32()? as usize;
        let mut index = Index { entries: Vec::with_capacity(count.min(self.bytes.len() / 62)), ..Index::default() };
        for _ in 0..count {
            self.entry(version, &mut index)?;
        }
        let (mut link, mut is_sparse) = (None, false);
        while self.at < self.bytes.len() {
            let (name, length) = (self.take(4)?, self.u32()? as usize);
            let content = self.take(length)?;
            match name {
                b"TREE" => index.cached = Reader { bytes: content, at: 0 }.cached(0),
                b"link" => link = Some(unfolded::Link::read(content)?),
                b"sdir" => is_sparse = true,
                _ if name[0].is_ascii_uppercase() => {} // may be passed over
                _ => return None,
            }
        }
        Some(Parsed { index, link, is_sparse })
    }

    fn entry(&mut self, version: u32, index: &mut Index) -> Option<()> {
        let from = self.at;
        let stat = self.take(STAT_BYTES)?;
        let field =
            |at: usize| u32::from_be_bytes([stat[at * 4], stat[at * 4 + 1], stat[at * 4 + 2], stat[at * 4 + 3]]);
        let id = Oid::from_bytes(self.take(ID_BYTES)?).ok()?;
        let flags = self.u16()?;
        let extended = if flags & EXTENDED != 0 { self.u16()? } else { 0 };
        let path = if version == 4 {
            let kept = self.kept(index)?;
            let name = [kept.as_slice(), self.until(0)?].concat();
            index.add_name(&name)
        } else {
            let length = usize::from(flags & NAME_LENGTH);
            let name = if flags & NAME_LENGTH == NAME_LENGTH { self.until(0)? } else { self.take(length)? };
            let end = self.at.max(from + 1) - usize::from(flags & NAME_LENGTH == NAME_LENGTH);
            self.at = from + ((end - from) / 8 + 1) * 8; // one to eight NULs
            index.add_name(name)
        };
        index.entries.push(Tracked {
            path,
            ctime: (field(0), field(1)),
            mtime: (field(2), field(3)),
            ino: field(5),
            mode: field(6),
            size: field(9),
            id,
            flags,
            extended,
        });
        Some(())
    }

    /// Version 4: what is kept of the path before.
    fn kept(&mut self, index: &Index) -> Option<Vec<u8>> {
        let mut byte = *self.take(1)?.first()?;
        let mut cut = usize::from(byte & 0x7f);
        while byte & 0x80 != 0 {
            byte = *self.take(1)?.first()?;
            cut = cut.checked_add(1)?.checked_mul(128)?.checked_add(usize::from(byte & 0x7f))?;
        }
        let before = index.entries.last().map(|entry| index.path(entry)).unwrap_or_default();
        before.get(..before.len().checked_sub(cut)?).map(<[u8]>::to_vec)
    }

    fn cached(&mut self, depth: u32) -> Option<CachedTree> {
        let name = self.until(0)?.to_vec();
        let number = |bytes: &[u8]| std::str::from_utf8(bytes).ok()?.parse::<i64>().ok();
        let entries = number(self.until(b' ')?)?;
        let folders = number(self.until(b'\n')?)?;
        let id = if entries >= 0 { Some(Oid::from_bytes(self.take(ID_BYTES)?).ok()?) } else { None };
        if depth > DEPTH {
            return None;
        }
        let below = (0..folders).map(|_| self.cached(depth + 1)).collect::<Option<_>>()?;
        Some(CachedTree { name, id, below })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_that_are_no_index_are_left_to_libgit2() {
        for bytes in
            [&b""[..], b"DIRC", &[0; 64], b"DIRC\0\0\0\x02\xff\xff\xff\xff0123456789012345678901234567890123456789"]
        {
            assert!(Reader { bytes, at: 0 }.index().is_none());
        }
    }
}
