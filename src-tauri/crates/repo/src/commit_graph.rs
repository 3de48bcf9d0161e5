//! The commit-graph file that `git gc` and `git maintenance` write: parents, time and topological level of commits
//! without reading one object. Only what the walk of [`crate::history`] touches is read, in blocks, by a handle that
//! waits for nothing; a file that does not hold together is taken for none.
//!
//! Source: git:Documentation/gitformat-commit-graph.adoc, seen 2026-12

use crate::plain::{open_regular, read_bounded};
use git2::{Oid, Repository};
use std::cell::RefCell;
use std::collections::HashMap;
use std::fs::File;
use std::io::{Read, Seek, SeekFrom};
use std::path::Path;
use std::rc::Rc;

const ID_BYTES: u64 = 20;
const ROW_BYTES: u64 = 36;
/// No parent stands here.
const NONE: u32 = 0x7000_0000;
/// The second parent is the place of a list, or the end of such a list.
const LIST: u32 = 0x8000_0000;
/// Files of a chain that are read. Git itself keeps a handful.
const FILES: usize = 64;
/// Bytes that are read at a time.
const BLOCK: u64 = 32 << 10;
/// Most parents of one commit.
const PARENTS: usize = 1_000;

/// A commit as the graph has it. Places count through all files of a chain, and parents always have lower levels.
pub(crate) struct Row {
    pub(crate) parents: Vec<u32>,
    /// The longest way down to a root, at least 1.
    pub(crate) level: u32,
    /// Commit time in seconds since 1970.
    pub(crate) time: i64,
}

/// The graph: one file, or a chain of them with the oldest first.
pub(crate) struct CommitGraph {
    files: Vec<Part>,
}

impl CommitGraph {
    /// Opens a repository's graph. `None` when there is none, when it cannot be used, and where git does not use it
    /// either: with replaced or grafted commits, in shallow clones, or when the person turned it off.
    pub(crate) fn of(repo: &Repository) -> Option<Self> {
        let info = repo.commondir().join("objects/info");
        let graph = Self::open(&info)?;
        let turned_off = repo.config().and_then(|config| config.get_bool("core.commitgraph")).is_ok_and(|used| !used);
        let grafted = repo.commondir().join("info/grafts").exists();
        let replaced = repo.references_glob("refs/replace/*").map_or(true, |mut found| found.next().is_some());
        (!turned_off && !grafted && !replaced && !repo.is_shallow()).then_some(graph)
    }

    fn open(info: &Path) -> Option<Self> {
        if let Some(whole) = Part::open(&info.join("commit-graph"), 0, 0) {
            return Some(Self { files: vec![whole] });
        }
        let folder = info.join("commit-graphs");
        let chain = read_bounded(&folder.join("commit-graph-chain"), (FILES as u64 + 1) * 64).ok()?;
        let mut files: Vec<Part> = Vec::new();
        for name in String::from_utf8(chain).ok()?.lines() {
            let plausible = name.len() == 40 && name.bytes().all(|byte| byte.is_ascii_hexdigit());
            let before = files.last().map_or(0, |part| part.first + part.count);
            let path = folder.join(format!("graph-{name}.graph"));
            files.push(plausible.then(|| Part::open(&path, before, files.len()))??);
        }
        (!files.is_empty() && files.len() <= FILES).then_some(Self { files })
    }

    /// The place of a commit.
    pub(crate) fn find(&self, id: Oid) -> Option<u32> {
        self.files.iter().rev().find_map(|part| part.find(id.as_bytes()))
    }

    /// The id of the commit at a place.
    pub(crate) fn id(&self, at: u32) -> Option<Oid> {
        let part = self.part(at)?;
        let mut id = [0; ID_BYTES as usize];
        part.bytes.read(part.ids + u64::from(at - part.first) * ID_BYTES, &mut id)?;
        Oid::from_bytes(&id).ok()
    }

    /// The commit at a place. `None`: the file does not hold together.
    pub(crate) fn row(&self, at: u32) -> Option<Row> {
        let part = self.part(at)?;
        let mut row = [0; ROW_BYTES as usize];
        part.bytes.read(part.rows + u64::from(at - part.first) * ROW_BYTES, &mut row)?;
        let number = |from: usize| u32::from_be_bytes([row[from], row[from + 1], row[from + 2], row[from + 3]]);
        let (first, second, high, low) = (number(20), number(24), number(28), number(32));
        let mut parents = Vec::with_capacity(2);
        parents.extend((first != NONE).then_some(first));
        if second & LIST != 0 {
            part.listed(second & !LIST, &mut parents)?;
        } else if second != NONE {
            parents.push(second);
        }
        let level = high >> 2; // 0 was written by old versions that knew no levels
        (level > 0).then_some(Row { parents, level, time: i64::from(high & 3) << 32 | i64::from(low) })
    }

    fn part(&self, at: u32) -> Option<&Part> {
        self.files.iter().find(|part| at >= part.first && at - part.first < part.count)
    }
}

/// One file.
struct Part {
    bytes: Blocks,
    /// The place of its first commit.
    first: u32,
    /// How many commits it holds.
    count: u32,
    fanout: u64,
    ids: u64,
    rows: u64,
    /// Where lists of further parents begin and end.
    lists: Option<(u64, u64)>,
}

impl Part {
    fn open(path: &Path, first: u32, bases: usize) -> Option<Self> {
        let bytes = Blocks::open(path)?;
        let mut head = [0; 8];
        bytes.read(0, &mut head)?;
        // Version 1, SHA-1; then the number of chunks and of files below.
        if head[..6] != *b"CGPH\x01\x01" || usize::from(head[7]) != bases {
            return None;
        }
        let mut chunks = HashMap::new();
        let mut before: Option<([u8; 4], u64)> = None;
        for at in 0..=u64::from(head[6]) {
            let (mut id, mut offset) = ([0; 4], [0; 8]);
            bytes.read(8 + at * 12, &mut id)?;
            bytes.read(8 + at * 12 + 4, &mut offset)?;
            let offset = u64::from_be_bytes(offset);
            if let Some((id, from)) = before {
                chunks.insert(id, (from, offset));
            }
            before = Some((id, offset));
        }
        let sized = |id: &[u8; 4], length: u64| {
            let (from, to) = chunks.get(id)?;
            (to.checked_sub(*from)? >= length && *to <= bytes.length).then_some(*from)
        };
        let fanout = sized(b"OIDF", 1024)?;
        let count = bytes.number(fanout + 1020)?;
        first.checked_add(count).filter(|end| *end < NONE)?;
        Some(Self {
            first,
            count,
            fanout,
            ids: sized(b"OIDL", u64::from(count) * ID_BYTES)?,
            rows: sized(b"CDAT", u64::from(count) * ROW_BYTES)?,
            lists: chunks.get(b"EDGE").copied().filter(|(from, to)| from <= to && *to <= bytes.length),
            bytes,
        })
    }

    fn find(&self, id: &[u8]) -> Option<u32> {
        let byte = u64::from(*id.first()?);
        let mut low = if byte == 0 { 0 } else { self.bytes.number(self.fanout + (byte - 1) * 4)? };
        let mut high = self.bytes.number(self.fanout + byte * 4)?.min(self.count);
        while low < high {
            let middle = low + (high - low) / 2;
            let mut there = [0; ID_BYTES as usize];
            self.bytes.read(self.ids + u64::from(middle) * ID_BYTES, &mut there)?;
            match there.as_slice().cmp(id) {
                std::cmp::Ordering::Less => low = middle + 1,
                std::cmp::Ordering::Greater => high = middle,
                std::cmp::Ordering::Equal => return Some(self.first + middle),
            }
        }
        None
    }

    fn listed(&self, from: u32, parents: &mut Vec<u32>) -> Option<()> {
        let (begin, end) = self.lists?;
        let mut at = begin + u64::from(from) * 4;
        while at + 4 <= end && parents.len() < PARENTS {
            let parent = self.bytes.number(at)?;
            parents.push(parent & !LIST);
            if parent & LIST != 0 {
                return Some(());
            }
            at += 4;
        }
        None
    }
}

/// A file of which the blocks that were asked for are kept.
struct Blocks {
    file: File,
    length: u64,
    kept: RefCell<HashMap<u64, Rc<[u8]>>>,
    /// The block that was asked for last, which is mostly the next one too.
    last: RefCell<Option<(u64, Rc<[u8]>)>>,
}

impl Blocks {
    fn open(path: &Path) -> Option<Self> {
        let file = open_regular(path).ok()?;
        let length = file.metadata().ok()?.len();
        Some(Self { file, length, kept: RefCell::default(), last: RefCell::default() })
    }

    fn read(&self, at: u64, into: &mut [u8]) -> Option<()> {
        let mut done = 0;
        while done < into.len() {
            let place = at.checked_add(done as u64)?;
            let (block, from) = (self.block(place / BLOCK)?, (place % BLOCK) as usize);
            let part = block.get(from..)?;
            let length = part.len().min(into.len() - done);
            if length == 0 {
                return None;
            }
            into[done..done + length].copy_from_slice(&part[..length]);
            done += length;
        }
        Some(())
    }

    fn number(&self, at: u64) -> Option<u32> {
        let mut bytes = [0; 4];
        self.read(at, &mut bytes)?;
        Some(u32::from_be_bytes(bytes))
    }

    fn block(&self, at: u64) -> Option<Rc<[u8]>> {
        if let Some((known, block)) = &*self.last.borrow()
            && *known == at
        {
            return Some(block.clone());
        }
        let known = self.kept.borrow().get(&at).cloned();
        let block = match known {
            Some(block) => block,
            None => {
                let mut bytes = Vec::new();
                let mut file = &self.file;
                file.seek(SeekFrom::Start(at * BLOCK)).ok()?;
                file.take(BLOCK).read_to_end(&mut bytes).ok()?;
                let block: Rc<[u8]> = bytes.into();
                self.kept.borrow_mut().insert(at, block.clone());
                block
            }
        };
        *self.last.borrow_mut() = Some((at, block.clone()));
        Some(block)
    }
}
