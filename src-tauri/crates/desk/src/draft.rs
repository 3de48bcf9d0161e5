//! The next handoff, drafted: what a returned, failed or interrupted one said, with what is known now beside it and the
//! tree as it is. A draft is text for a person to edit and publish; nothing is written and nothing is decided by it.

use crate::desk::Opened;
use crate::publish::{self, Claims};
use crate::view::{Draft, Outcome};
use crate::{Desk, Error};
use handoff::{Item, Provenance};
use std::path::PathBuf;

impl Desk {
    /// The draft of the handoff that goes on from this one.
    ///
    /// # Errors
    /// When it is not there or cannot be read.
    pub fn draft(&self, id: &str) -> Result<Draft, Error> {
        let opened = self.opened(id)?;
        Self::offered(&opened)?;
        let mut next = opened.handoff();
        let outcome = opened.standing.outcome.as_ref();
        let note = outcome.and_then(|outcome| outcome.note.clone()).or_else(|| opened.standing.note.clone());
        let from = outcome.map(|outcome| outcome.by.clone()).filter(|by| by != "fuda");
        next.provenance = Provenance {
            from: from.clone().or(next.provenance.from),
            to: next.provenance.to,
            reason: Some(crate::decide::word(opened.standing.state)),
            resets_at: outcome.and_then(|outcome| outcome.resets_at.clone()),
            // The declared id where there is one: it is what others can know it by.
            parent: Some(opened.row.id.clone().unwrap_or_else(|| opened.row.handle.clone())),
            ..Provenance::default()
        };
        next.id = None;
        next.status = None;
        next.extra.retain(|section| section.heading != publish::CLAIMED);
        let known = known_now(note.as_deref(), outcome);
        next.unverified.splice(0..0, known.into_iter().map(Item::made));
        if next.title.as_ref().is_some_and(|title| title.text.trim().is_empty()) {
            next.title = None;
        }
        let folder = self.worktree_now(&opened);
        if let Some(folder) = &folder {
            publish::fill_in_tree(&mut next, &self.tree_now(folder), &mut Claims::default());
        }
        Ok(Draft {
            handle: opened.row.handle,
            document: handoff::write_canonical(&next),
            folder: folder.map(|folder| folder.display().to_string()),
        })
    }

    /// Where the work is: the worktree that is looked at, as long as it is there.
    fn worktree_now(&self, opened: &Opened) -> Option<PathBuf> {
        let now = self.worker.glance(&self.question(opened, None), crate::desk::GLANCE).now;
        now.worktree.map(PathBuf::from)
    }
}

/// What the last run left, as items that nobody verified yet: its note paragraph by paragraph, why it ended, and what
/// Fuda saw that it changed.
fn known_now(note: Option<&str>, outcome: Option<&Outcome>) -> Vec<String> {
    let mut known: Vec<String> = note.into_iter().flat_map(paragraphs).collect();
    if let Some(outcome) = outcome {
        if note.is_none() {
            known.extend(outcome.because.clone());
        }
        known.extend(outcome.changed.iter().map(|change| format!("Seen after the last run: {change}")));
    }
    known
}

fn paragraphs(note: &str) -> Vec<String> {
    let mut found: Vec<String> = Vec::new();
    let mut open = false;
    for line in note.lines() {
        let item = line.trim_start().strip_prefix("- ").or_else(|| line.trim_start().strip_prefix("* "));
        let text = item.unwrap_or(line).trim();
        match found.last_mut() {
            _ if text.is_empty() => open = false,
            Some(last) if open && item.is_none() => {
                last.push(' ');
                last.push_str(text);
            }
            _ => {
                found.push(text.to_owned());
                open = true;
            }
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_note_becomes_an_item_for_each_paragraph_and_bullet() {
        let note = "The queue has\nanother owner.\n\n- drain waits\n- retries do not\n";
        assert_eq!(paragraphs(note), ["The queue has another owner.", "drain waits", "retries do not"]);
        assert!(paragraphs("  \n").is_empty());
    }
}
