//! Editing: by byte range, on a known revision, with a foreign save met and nothing lost.

use crate::desk::Opened;
use crate::diff::diff;
use crate::view::{Conflict, EditPreview, Edited};
use crate::{Desk, Error};
use handoff::{Edit, Format, Handoff, Limits, Text};
use serde_json::json;
use store::files::{self, Swapped};
use store::index::{ListRow, Revision};
use store::ledger::NewEvent;

/// What to change.
#[derive(Clone, Debug)]
pub enum EditRequest {
    /// Edits in the grammar of `handoff::Edit`.
    Items(Vec<String>),
    /// The whole text.
    Whole(Vec<u8>),
}

/// What an edit makes of a document.
struct After {
    bytes: Vec<u8>,
    /// Why it goes into a canonical copy instead of the file.
    copy_because: Option<String>,
}

impl Desk {
    /// Tries an edit out. The file is not written; the revision that the edit began from is kept.
    ///
    /// # Errors
    /// When the edit makes no sense or would not read back as asked.
    pub fn edit_preview(&self, id: &str, base: &str, edits: &[String]) -> Result<EditPreview, Error> {
        let opened = self.opened(id)?;
        if !same(base, &opened.row.rev) {
            return self.preview_in_conflict(&opened, base, edits);
        }
        // Kept before anything is saved: a foreign save is then shown against what the edit began from.
        self.ledger.blobs().put(&opened.bytes)?;
        let After { bytes: after, copy_because } = self.after(&opened, &EditRequest::Items(edits.to_vec()))?;
        let widened = self.widened(&opened, &after)?;
        Ok(EditPreview { diff: diff(&opened.bytes, &after), widened, copy_because, conflict: None })
    }

    /// What the edit makes of the revision that it began from, beside what somebody else saved meanwhile.
    fn preview_in_conflict(&self, theirs: &Opened, base: &str, edits: &[String]) -> Result<EditPreview, Error> {
        let began = self.at_base(theirs, base)?;
        let Some((began, After { bytes: after, copy_because })) = began
            .map(|began| self.after(&began, &EditRequest::Items(edits.to_vec())).map(|after| (began, after)))
            .transpose()?
        else {
            let conflict = self.conflict(theirs, base, None, String::new())?;
            return Ok(EditPreview { conflict: Some(conflict), ..EditPreview::default() });
        };
        let widened = self.widened(&began, &after)?;
        let difference = diff(&began.bytes, &after);
        let conflict = self.conflict(theirs, base, Some(after), String::new())?;
        Ok(EditPreview { diff: difference, widened, copy_because, conflict: Some(conflict) })
    }

    /// The document as it was at the revision that an edit began from, when that was kept.
    fn at_base(&self, theirs: &Opened, base: &str) -> Result<Option<Opened>, Error> {
        let Some(bytes) = self.ledger.blobs().get(base)? else { return Ok(None) };
        let limits = self.config()?.settings.limits;
        let reading = handoff::read(&bytes, &self.relative(&theirs.row.path), &limits);
        let row = ListRow { rev: base.to_owned(), ..theirs.row.clone() };
        Ok(Some(Opened { row, bytes, reading, events: theirs.events.clone(), standing: theirs.standing.clone() }))
    }

    /// Edits the file. `base` is the revision that the edit was made on; edits that name an index need it.
    ///
    /// # Errors
    /// [`Error::Changed`] with both versions when the file is no longer the base; the grammar's and the disk's.
    pub fn edit(&self, id: &str, base: Option<&str>, request: &EditRequest) -> Result<Edited, Error> {
        let opened = self.opened(id)?;
        if let (None, EditRequest::Items(edits)) = (base, request)
            && edits.iter().any(|edit| edit.split(['=', '+', '-']).next().is_some_and(|head| head.contains('/')))
        {
            return Err(Error::Usage(
                "An edit that names an index needs the revision it was counted in: --base REV.".to_owned(),
            ));
        }
        if let Some(base) = base.filter(|base| !same(base, &opened.row.rev)) {
            let ours = match request {
                EditRequest::Whole(bytes) => Some(bytes.clone()),
                EditRequest::Items(_) => {
                    let began = self.at_base(&opened, base)?;
                    // Edits that do not fit that revision either are kept by whoever sent them.
                    began.and_then(|began| self.after(&began, request).ok()).map(|after| after.bytes)
                }
            };
            return Err(self.changed(&opened, base, ours)?);
        }
        let After { bytes: after, copy_because } = self.after(&opened, request)?;
        let widened = self.widened(&opened, &after)?;
        let base = opened.row.rev.clone();
        self.ledger.blobs().put(&opened.bytes)?;
        let rev = self.ledger.blobs().put(&after)?;
        if let Some(because) = copy_because {
            return self.publish_copy(&opened, after, rev, widened, because);
        }
        match files::swap(&opened.row.path, &base, &after, &self.home)? {
            Swapped::Done => {}
            Swapped::Conflict { kept_at, .. } => {
                let now = self.opened(id)?;
                let conflict = self.conflict(&now, &base, Some(after), kept_at.display().to_string())?;
                let differences = vec![format!("{} was saved by somebody else in between", opened.row.path.display())];
                return Err(Error::Changed {
                    handle: opened.row.handle,
                    differences,
                    conflict: Some(Box::new(conflict)),
                });
            }
        }
        let event = NewEvent::new("edited", (self.now)())
            .about(&opened.row.identity, &rev)
            .with(json!({ "from": base, "to": rev, "widened": widened }));
        self.ledger.append::<Error>(event, |_| Ok(()))?;
        let revision =
            Revision { rev: rev.clone(), seen_ms: (self.now)(), by: "person".to_owned(), bytes: after.len() as u64 };
        self.index.note_revision(&opened.row.identity, &revision)?;
        Ok(Edited {
            handle: opened.row.handle,
            base,
            rev,
            path: opened.row.path.display().to_string(),
            diff: diff(&opened.bytes, &after),
            widened,
            copy_because: None,
            conflict: None,
        })
    }

    /// The bytes after an edit, in the file itself where that can be done.
    fn after(&self, opened: &Opened, request: &EditRequest) -> Result<After, Error> {
        let limits = self.config()?.settings.limits;
        let edits = match request {
            // A session is its program's: the text becomes a document of ours.
            EditRequest::Whole(bytes) => {
                let session = opened.reading.format == Format::Session;
                let copy_because = session.then(|| "sessions are not edited in place".to_owned());
                return Ok(After { bytes: bytes.clone(), copy_because });
            }
            EditRequest::Items(edits) => edits.iter().map(|edit| Edit::parse(edit)).collect::<Result<Vec<_>, _>>()?,
        };
        let name = self.relative(&opened.row.path);
        let refused = match handoff::apply(&opened.bytes, &name, &opened.reading, &edits, &limits) {
            Ok(edited) => return Ok(After { bytes: edited.bytes, copy_because: None }),
            Err(refused) => refused,
        };
        let because = match &refused {
            handoff::Error::NeedsCanonicalCopy { format } => format!("{format} files are not edited in place"),
            // A place that two readings share, or a row of which several cells would change.
            handoff::Error::NotAsAsked { item, .. }
                if matches!(opened.reading.format, Format::Markdown | Format::ForeignJson | Format::Yaml) =>
            {
                format!("the place of {item} in the file cannot be edited by itself")
            }
            _ => return Err(refused.into()),
        };
        match copy(opened, &edits, &limits) {
            Ok(bytes) => Ok(After { bytes, copy_because: Some(because) }),
            Err(_) if matches!(refused, handoff::Error::NotAsAsked { .. }) => Err(refused.into()),
            Err(error) => Err(error.into()),
        }
    }

    fn publish_copy(
        &self,
        opened: &Opened,
        after: Vec<u8>,
        rev: String,
        widened: Vec<String>,
        because: String,
    ) -> Result<Edited, Error> {
        let group = opened
            .row
            .repo
            .as_ref()
            .and_then(|repo| repo.file_name())
            .map_or_else(|| "other".to_owned(), |name| name.to_string_lossy().into_owned());
        let name = format!("handoff-{}-{}.md", opened.row.handle, &rev[..8]);
        let path = files::publish(&self.home.handoffs().join(group), &name, &after)?;
        let row = store::row_of_file(&path, &self.config()?.settings.limits)?;
        let event = NewEvent::new("edited", (self.now)())
            .about(&row.identity, &rev)
            .with(json!({ "from": opened.row.rev, "to": rev, "parent": opened.row.handle }));
        self.ledger.append::<Error>(event, |_| Ok(()))?;
        let superseded = NewEvent::new("marked", (self.now)())
            .about(&opened.row.identity, &opened.row.rev)
            .with(json!({ "as": "superseded", "note": format!("replaced by {}", row.handle) }));
        self.ledger.append::<Error>(superseded, |_| Ok(()))?;
        Ok(Edited {
            handle: row.handle,
            base: opened.row.rev.clone(),
            rev,
            path: path.display().to_string(),
            diff: diff(&opened.bytes, &after),
            widened,
            copy_because: Some(because),
            conflict: None,
        })
    }

    fn widened(&self, opened: &Opened, after: &[u8]) -> Result<Vec<String>, Error> {
        let limits = self.config()?.settings.limits;
        let reading = handoff::read(after, &self.relative(&opened.row.path), &limits);
        let safety = reading.current().map(|handoff| handoff.safety.clone()).unwrap_or_default();
        Ok(handoff::widens(&opened.handoff().safety, &safety))
    }

    fn changed(&self, opened: &Opened, base: &str, ours: Option<Vec<u8>>) -> Result<Error, Error> {
        let kept_at = match &ours {
            Some(bytes) => self.ledger.blobs().path(&self.ledger.blobs().put(bytes)?).display().to_string(),
            None => String::new(),
        };
        let conflict = self.conflict(opened, base, ours, kept_at)?;
        let differences = vec![format!(
            "the file is at {} and the edit was made on {}",
            &opened.row.rev[..8],
            base.get(..8).unwrap_or(base)
        )];
        Ok(Error::Changed { handle: opened.row.handle.clone(), differences, conflict: Some(Box::new(conflict)) })
    }

    fn conflict(&self, theirs: &Opened, base: &str, ours: Option<Vec<u8>>, kept_at: String) -> Result<Conflict, Error> {
        let before = self.ledger.blobs().get(base)?.unwrap_or_default();
        let limits = self.config()?.settings.limits;
        let read = |bytes: &[u8]| {
            handoff::read(bytes, &self.relative(&theirs.row.path), &limits).current().cloned().unwrap_or_default()
        };
        let changed = |bytes: &[u8]| -> Vec<String> {
            handoff::survived(&read(&before), &read(bytes))
                .into_iter()
                .filter(|field| field.before != field.after || !field.lost.is_empty())
                .map(|field| field.field)
                .collect()
        };
        let theirs_changed = changed(&theirs.bytes);
        let both_changed = ours
            .as_deref()
            .map(changed)
            .unwrap_or_default()
            .into_iter()
            .filter(|field| theirs_changed.contains(field))
            .collect();
        Ok(Conflict {
            base: base.to_owned(),
            theirs: theirs.row.rev.clone(),
            theirs_by: "unknown".to_owned(),
            theirs_at: Some(crate::decide::rfc3339(theirs.row.mtime_ms)),
            kept_at,
            theirs_diff: diff(&before, &theirs.bytes),
            yours_diff: ours.map(|ours| diff(&before, &ours)).unwrap_or_default(),
            both_changed,
        })
    }
}

fn same(given: &str, rev: &str) -> bool {
    given == rev || (given.len() >= 7 && rev.starts_with(given))
}

/// The canonical copy of a document with the edits in it. The original is its parent.
fn copy(opened: &Opened, edits: &[Edit], limits: &Limits) -> Result<Vec<u8>, handoff::Error> {
    let mut copy: Handoff = opened.handoff();
    copy.provenance.parent = copy.id.take().or_else(|| Some(opened.row.handle.clone()));
    let title = opened.row.title.clone().unwrap_or_else(|| opened.row.handle.clone());
    copy.title.get_or_insert_with(|| Text::made(title));
    copy.id = Some(uuid::Uuid::now_v7().to_string());
    let canonical = handoff::write_canonical(&copy).into_bytes();
    let reading = handoff::read(&canonical, "handoff.md", limits);
    Ok(handoff::apply(&canonical, "handoff.md", &reading, edits, limits)?.bytes)
}
