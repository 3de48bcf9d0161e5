//! A handoff beside the one before it: which rules are new or gone, and what else differs, field by field.

use crate::desk::Opened;
use crate::diff::diff;
use crate::view::Diff;
use crate::{Desk, Error};
use handoff::{Handoff, RuleChange, Safety};
use serde::{Deserialize, Serialize};
use store::files;
use store::index::{ListRow, Resolved};
use ts_rs::TS;

/// Earlier handoffs whose rules are compared.
const EARLIER: u32 = 8;

/// What changed since the handoff before.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, TS)]
pub struct Since {
    /// The one before; none when this is the first.
    pub predecessor: Option<Predecessor>,
    /// Rules of the boundary that are not as they were.
    pub rules: Vec<RuleChange>,
    /// The fields that differ.
    pub fields: Vec<FieldDiff>,
    /// The whole texts.
    pub raw: Diff,
}

/// The handoff before, and how it is known to be that.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct Predecessor {
    /// `parent`: this one names it; `entry`: it stands in the same file; `revision`: the file held it before;
    /// `line`: it is of the same repository, branch and profile.
    pub how: String,
    /// Its handle; this one's own for an entry or a revision.
    pub handle: String,
    /// SHA-256 of its bytes.
    pub rev: String,
    /// What it is called.
    pub title: Option<String>,
    /// When it was written, or seen.
    pub at: Option<String>,
    /// The file.
    pub path: String,
}

/// A field that differs.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
pub struct FieldDiff {
    /// Its name.
    pub field: String,
    /// Its entries, one a line.
    pub diff: Diff,
}

/// An earlier handoff that was read.
struct Earlier {
    predecessor: Predecessor,
    bytes: Vec<u8>,
    handoff: Handoff,
}

impl Desk {
    /// What changed since the handoff before this one.
    ///
    /// # Errors
    /// When it is not there. An earlier one that cannot be read any more is passed over.
    pub fn since(&self, id: &str) -> Result<Since, Error> {
        let opened = self.opened(id)?;
        let mut earlier = self.earlier(&opened)?;
        if earlier.is_empty() {
            return Ok(Since::default());
        }
        let before = earlier.remove(0);
        let now = opened.handoff();
        let older: Vec<Safety> = earlier.into_iter().map(|one| one.handoff.safety).collect();
        let fields = handoff::fields(&before.handoff)
            .into_iter()
            .zip(handoff::fields(&now))
            .filter(|((_, then), (_, now))| then != now)
            .map(|((field, then), (_, now))| FieldDiff {
                field: field.to_owned(),
                diff: diff(lines(&then).as_bytes(), lines(&now).as_bytes()),
            })
            .collect();
        Ok(Since {
            rules: handoff::rules_since(&before.handoff.safety, &older, &now.safety),
            fields,
            raw: diff(&before.bytes, &shown(&opened)),
            predecessor: Some(before.predecessor),
        })
    }

    /// What came before, nearest first: the one that is named as the parent, another entry of the file, what the file
    /// held before, the line of work.
    fn earlier(&self, opened: &Opened) -> Result<Vec<Earlier>, Error> {
        let mut earlier = Vec::new();
        if let Some(parent) = &opened.row.parent
            && let Resolved::One(row) = self.index.resolve(parent)?
            && row.identity != opened.row.identity
        {
            earlier.extend(self.read_earlier("parent", *row));
        }
        earlier.extend(entry_before(opened));
        earlier.extend(self.revision_before(opened)?);
        for row in self.index.earlier(&opened.row.identity, EARLIER)? {
            if earlier.iter().all(|one: &Earlier| one.predecessor.handle != row.handle) {
                earlier.extend(self.read_earlier("line", row));
            }
        }
        Ok(earlier)
    }

    fn read_earlier(&self, how: &str, row: ListRow) -> Option<Earlier> {
        let limits = self.config().ok()?.settings.limits;
        let (bytes, _) = files::read(&row.path, limits.file_bytes as u64).ok()?;
        let name = self.relative(&row.path);
        let handoff = handoff::read(&bytes, &name, &limits).current()?.clone();
        let bytes = handoff::document(bytes, &name);
        let predecessor = Predecessor {
            how: how.to_owned(),
            handle: row.handle,
            rev: handoff::revision(&bytes),
            title: row.title.or(row.objective),
            at: row.written_at,
            path: row.path.display().to_string(),
        };
        Some(Earlier { predecessor, bytes, handoff })
    }

    /// What the file held before an agent wrote what it holds now. A person's edit is of the same handoff.
    fn revision_before(&self, opened: &Opened) -> Result<Option<Earlier>, Error> {
        let revisions = self.revisions(&opened.row.identity)?;
        let Some(mut at) = revisions.iter().position(|revision| revision.rev == opened.row.rev) else {
            return Ok(None);
        };
        while at > 0 && revisions[at].by == "person" {
            at -= 1;
        }
        let Some(before) = at.checked_sub(1).map(|at| &revisions[at]) else { return Ok(None) };
        let Some(bytes) = self.ledger.blobs().get(&before.rev)? else { return Ok(None) };
        let limits = self.config()?.settings.limits;
        let reading = handoff::read(&bytes, &self.relative(&opened.row.path), &limits);
        Ok(reading.current().cloned().map(|handoff| Earlier {
            predecessor: Predecessor {
                how: "revision".to_owned(),
                handle: opened.row.handle.clone(),
                rev: before.rev.clone(),
                title: handoff.title.as_ref().or(handoff.objective.as_ref()).map(|text| text.text.clone()),
                at: Some(before.seen_at.clone()),
                path: opened.row.path.display().to_string(),
            },
            bytes,
            handoff,
        }))
    }
}

/// The entry below the newest one, or above it where the newest stands last.
fn entry_before(opened: &Opened) -> Option<Earlier> {
    let (entries, at) = (&opened.reading.entries, opened.reading.shown);
    let entry = entries.get(if at == 0 { 1 } else { at - 1 })?;
    Some(Earlier {
        predecessor: Predecessor {
            how: "entry".to_owned(),
            handle: opened.row.handle.clone(),
            rev: opened.row.rev.clone(),
            title: Some(entry.heading.clone()),
            at: entry.at.clone(),
            path: opened.row.path.display().to_string(),
        },
        bytes: part(&opened.bytes, entry.span),
        handoff: entry.handoff.clone(),
    })
}

/// The bytes of the entry that is shown.
fn shown(opened: &Opened) -> Vec<u8> {
    match opened.reading.entries.get(opened.reading.shown) {
        Some(entry) if opened.reading.entries.len() > 1 => part(&opened.bytes, entry.span),
        _ => opened.bytes.clone(),
    }
}

fn part(bytes: &[u8], span: handoff::Span) -> Vec<u8> {
    bytes.get(span.from..span.to).unwrap_or_default().to_vec()
}

fn lines(texts: &[String]) -> String {
    texts.iter().map(|text| format!("{}\n", text.split_whitespace().collect::<Vec<_>>().join(" "))).collect()
}
