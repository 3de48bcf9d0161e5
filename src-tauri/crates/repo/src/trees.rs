//! Trees side by side, on their raw bytes: an object is only parsed where two trees differ, and a walk can stop at
//! the first difference. Two entries of one name and kind are one difference; a file that became a folder is two.

use git2::{ObjectType, Odb, Oid, Repository};
use std::cmp::Ordering;
use std::ops::ControlFlow;

const ID_BYTES: usize = 20;
pub(crate) const FOLDER: u32 = 0o040_000;

/// One side of a difference.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Node {
    pub(crate) mode: u32,
    pub(crate) id: Oid,
}

/// A path that differs: before, after. One of them at least is there, and neither is a folder.
pub(crate) struct Difference<'a> {
    pub(crate) path: &'a [u8],
    pub(crate) before: Option<Node>,
    pub(crate) after: Option<Node>,
}

/// The entries of a raw tree object, in its order. Ends early at bytes that are no tree.
pub(crate) struct Entries<'a>(pub(crate) &'a [u8]);

impl<'a> Iterator for Entries<'a> {
    type Item = (&'a [u8], Node);

    fn next(&mut self) -> Option<Self::Item> {
        let space = self.0.iter().position(|byte| *byte == b' ')?;
        let mode = self.0[..space].iter().try_fold(0_u32, |mode, byte| {
            (b'0'..=b'7').contains(byte).then(|| mode.checked_mul(8)?.checked_add(u32::from(byte - b'0'))).flatten()
        })?;
        let rest = &self.0[space + 1..];
        let nul = rest.iter().position(|byte| *byte == 0)?;
        let id = Oid::from_bytes(rest.get(nul + 1..nul + 1 + ID_BYTES)?).ok()?;
        self.0 = &rest[nul + 1 + ID_BYTES..];
        Some((&rest[..nul], Node { mode, id }))
    }
}

/// The order of tree entries: by name, folders as if they ended with a slash.
pub(crate) fn order(a: (&[u8], u32), b: (&[u8], u32)) -> Ordering {
    let common = a.0.len().min(b.0.len());
    let end = |(name, mode): (&[u8], u32)| name.get(common).copied().unwrap_or(if mode == FOLDER { b'/' } else { 0 });
    a.0[..common].cmp(&b.0[..common]).then_with(|| end(a).cmp(&end(b)))
}

/// A repository's trees.
pub(crate) struct Trees<'r> {
    odb: Odb<'r>,
}

impl<'r> Trees<'r> {
    pub(crate) fn new(repo: &'r Repository) -> Result<Self, git2::Error> {
        Ok(Self { odb: repo.odb()? })
    }

    /// Gives each difference to `visit`, which may stop the walk. `None` is the empty tree.
    pub(crate) fn differences(
        &self,
        before: Option<Oid>,
        after: Option<Oid>,
        visit: &mut dyn FnMut(Difference) -> ControlFlow<()>,
    ) -> Result<ControlFlow<()>, git2::Error> {
        self.walk(before, after, &mut Vec::new(), visit)
    }

    /// A tree's raw bytes; `None` for the empty tree.
    pub(crate) fn read(&self, tree: Option<Oid>) -> Result<Option<git2::OdbObject<'_>>, git2::Error> {
        let Some(id) = tree else { return Ok(None) };
        let object = self.odb.read(id)?;
        if object.kind() != ObjectType::Tree {
            return Err(git2::Error::from_str(&format!("{id} is no tree")));
        }
        Ok(Some(object))
    }

    fn walk(
        &self,
        before: Option<Oid>,
        after: Option<Oid>,
        prefix: &mut Vec<u8>,
        visit: &mut dyn FnMut(Difference) -> ControlFlow<()>,
    ) -> Result<ControlFlow<()>, git2::Error> {
        if before == after {
            return Ok(ControlFlow::Continue(()));
        }
        let (before, after) = (self.read(before)?, self.read(after)?);
        let mut before = Entries(before.as_ref().map_or(&[], |object| object.data())).peekable();
        let mut after = Entries(after.as_ref().map_or(&[], |object| object.data())).peekable();
        loop {
            let ordering = match (before.peek(), after.peek()) {
                (None, None) => return Ok(ControlFlow::Continue(())),
                (Some(_), None) => Ordering::Less,
                (None, Some(_)) => Ordering::Greater,
                (Some(old), Some(new)) => order((old.0, old.1.mode), (new.0, new.1.mode)),
            };
            let old = if ordering.is_le() { before.next() } else { None };
            let new = if ordering.is_ge() { after.next() } else { None };
            let Some((name, _)) = old.or(new) else { return Ok(ControlFlow::Continue(())) };
            let (old, new) = (old.map(|entry| entry.1), new.map(|entry| entry.1));
            if old == new {
                continue;
            }
            let length = prefix.len();
            prefix.extend_from_slice(name);
            let is_folder = |node: Option<Node>| node.is_some_and(|node| node.mode == FOLDER);
            let flow = if is_folder(old) || is_folder(new) {
                prefix.push(b'/');
                self.walk(old.map(|node| node.id), new.map(|node| node.id), prefix, visit)?
            } else {
                visit(Difference { path: prefix, before: old, after: new })
            };
            prefix.truncate(length);
            if flow.is_break() {
                return Ok(flow);
            }
        }
    }
}
