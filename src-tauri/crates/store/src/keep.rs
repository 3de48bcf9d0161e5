//! Telling the ledger what the index saw, and keeping the bytes: a file that is overwritten can still be compared with
//! what it said before, and an index that is deleted takes no history with it.

use crate::index::{Index, Noted, Revision};
use crate::ledger::Ledger;
use crate::{Error, files};

/// Bytes that are kept of revisions that nobody decided on.
pub const QUOTA_BYTES: u64 = 512 * 1024 * 1024;

/// A revision that was overwritten sooner than this goes before those that stood.
const STOOD_MS: i64 = 30_000;

/// Revisions that are told in one transaction.
const BATCH: u32 = 500;

/// What was kept.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Kept {
    /// Revisions that the ledger was told.
    pub revisions: u32,
    /// Bytes that were not kept before.
    pub bytes: u64,
    /// Kept revisions that went for the quota, oldest first. Those that an event speaks of or a file holds stay.
    pub removed: u32,
}

/// Tells an index that was made anew what the ledger knows. Done before its first scan, so that a file that was moved
/// meanwhile is followed as well.
///
/// # Errors
/// When a database cannot be read or written.
pub fn remind(index: &Index, ledger: &Ledger) -> Result<(), Error> {
    if index.scanned()? {
        return Ok(());
    }
    let mut revisions = ledger.seen()?;
    for event in ledger.events()? {
        let (Some(handoff), Some(rev)) = (event.handoff, event.rev) else { continue };
        let bytes = ledger.blobs().size(&rev).unwrap_or(0);
        let by = if event.kind == "edited" { event.actor } else { "unknown".to_owned() };
        revisions.push((handoff, Revision { rev, seen_ms: event.at_ms, by, bytes }));
    }
    revisions.sort_by_key(|(_, revision)| revision.seen_ms);
    index.seed_revisions(revisions)
}

/// Tells the ledger every revision that the index saw since the last time, and keeps the bytes of those that a file
/// still holds. `file_bytes` is the size above which a file is not read whole. Does nothing on a ledger that is not to
/// be written. What was purged is not kept again. Over the quota those that stood for a moment only go first, then the
/// oldest; what a decision or an edit was about and what a file holds stay.
///
/// # Errors
/// When a database or the disk refuses; the next call goes on where this one stopped.
pub fn keep_seen(index: &Index, ledger: &Ledger, file_bytes: u64, quota_bytes: u64) -> Result<Kept, Error> {
    let mut kept = Kept::default();
    if !ledger.is_writable() {
        return Ok(kept);
    }
    let mut mark = index.told()?;
    let mut purged = None;
    loop {
        let noted = index.noted_after(mark, BATCH)?;
        let Some(last) = noted.last() else { break };
        mark = last.mark;
        let purged = match &purged {
            Some(purged) => purged,
            None => purged.insert(ledger.purged()?),
        };
        let bytes: Vec<Vec<u8>> = noted
            .iter()
            .filter(|one| !purged.contains(&one.revision.rev))
            .filter_map(|one| bytes_of(one, file_bytes))
            .collect();
        kept.bytes += ledger.blobs().put_all(&bytes)?;
        kept.revisions += u32::try_from(noted.len()).unwrap_or(u32::MAX);
        let seen: Vec<_> = noted.into_iter().map(|one| (one.identity, one.revision)).collect();
        ledger.note_seen(&seen)?;
        index.note_told(mark)?;
    }
    if kept.bytes > 0 && ledger.blobs().total_bytes(kept.bytes) > quota_bytes {
        let mut needed = ledger.spoken_of()?;
        needed.extend(index.current_revisions()?);
        kept.removed = ledger.blobs().trim(quota_bytes, &needed, &ledger.momentary(STOOD_MS)?)?;
    }
    Ok(kept)
}

/// The bytes, when the file still holds them.
fn bytes_of(noted: &Noted, file_bytes: u64) -> Option<Vec<u8>> {
    let path = noted.path.as_ref()?;
    let (bytes, _) = files::read(path, file_bytes).ok()?;
    let bytes = handoff::document(bytes, &path.to_string_lossy());
    (bytes.len() as u64 <= file_bytes && handoff::revision(&bytes) == noted.revision.rev).then_some(bytes)
}
