//! One handoff: what it says, what the repository says now, what was seen of it before.

use crate::desk::{GLANCE, LOOK, Opened};
use crate::diff::{diff, raw};
use crate::view::{Detail, Diff, EntryView, Raw, RevisionView};
use crate::{Desk, Error};
use handoff::{Finding, Format, Readable, RenderOptions, Rendered, Severity};
use repo::{Contradiction, Drift};
use std::collections::BTreeMap;
use std::path::{Component, Path, PathBuf};
use store::index::Resolved;

/// How deep to look at a repository.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Depth {
    /// Branch, HEAD, relation: at once.
    Glance,
    /// Everything.
    Look,
}

impl Desk {
    /// The document as understood.
    ///
    /// # Errors
    /// When it is not there or cannot be read from disk.
    pub fn detail(&self, id: &str) -> Result<Detail, Error> {
        let opened = self.opened(id)?;
        let handoff = opened.handoff();
        let row = self.row(&opened.row, &opened.events, &self.agents());
        let revisions = self.index.revisions(&opened.row.identity)?;
        let number = revisions.iter().rposition(|revision| revision.rev == opened.row.rev).map_or(1, |index| index + 1);
        let mut findings = opened.reading.findings.clone();
        findings.retain(|found| !names_a_path_of_the_repository(&opened, found));
        findings.extend(
            handoff::hidden(&opened.bytes)
                .into_iter()
                .filter(|found| !findings.iter().any(|other| other.code == found.code && other.span == found.span))
                .collect::<Vec<_>>(),
        );
        findings.extend(missing_targets(&opened));
        findings.extend(secrets(&opened.bytes));
        for found in handoff::contradictions(&handoff) {
            let code = if found.kind == "pending_action_already_done" {
                "pending-action-already-done"
            } else {
                "contradiction"
            };
            findings.push(Finding::new(Severity::Warning, code, found.message));
        }
        let read_already = |found: &Finding| matches!(found.code.as_str(), "draft" | "over-limit");
        findings.extend(handoff::lint(&opened.reading).into_iter().filter(|found| !read_already(found)));
        findings.sort_by_key(|finding| (std::cmp::Reverse(finding.severity), finding.span.map_or(0, |span| span.from)));
        let spans: BTreeMap<String, handoff::Span> =
            [("title", &handoff.title), ("objective", &handoff.objective), ("status", &handoff.status)]
                .into_iter()
                .filter_map(|(name, text)| text.as_ref().and_then(|text| text.span).map(|span| (name.to_owned(), span)))
                .collect();
        let places = self.index.places(&opened.row.identity)?;
        let text = |text: &Option<handoff::Text>| text.as_ref().map(|text| text.text.clone());
        let standing = &opened.standing;
        let now = (self.now)();
        Ok(Detail {
            id: handoff.id.clone(),
            handle: opened.row.handle.clone(),
            rev: opened.row.rev.clone(),
            rev_number: u32::try_from(number).unwrap_or(u32::MAX),
            path: opened.row.path.display().to_string(),
            places: places
                .iter()
                .filter(|place| place.rev == opened.row.rev)
                .map(|place| place.path.display().to_string())
                .collect(),
            bytes: opened.bytes.len() as u64,
            readable: opened.reading.readable,
            readable_reason: opened.reading.reason.clone(),
            state: standing.state,
            state_reason: standing.reason.clone(),
            note: standing.note.clone(),
            claim: standing.claim.as_ref().map(crate::state::OpenClaim::view),
            outcome: standing.outcome.clone(),
            approved_until: standing.approval.as_ref().map(|approval| crate::decide::rfc3339(approval.good_until_ms)),
            entries: opened
                .reading
                .entries
                .iter()
                .enumerate()
                .map(|(index, entry)| EntryView {
                    heading: entry.heading.clone(),
                    span: entry.span,
                    at: entry.at.clone(),
                    shown: index == opened.reading.shown,
                    handle: opened.row.handle.clone(),
                })
                .collect(),
            findings,
            format: opened.reading.format,
            version: handoff.version,
            title: text(&handoff.title),
            objective: text(&handoff.objective),
            status: text(&handoff.status),
            spans,
            points_to: handoff.points_to.iter().map(|target| target.text.clone()).collect(),
            constraints: handoff.constraints,
            facts: handoff.facts,
            unverified: handoff.unverified,
            hazards: handoff.hazards,
            decisions: handoff.decisions,
            rejected: handoff.rejected,
            done: handoff.done,
            next: handoff.next,
            open: handoff.open,
            artifacts: handoff.artifacts,
            trees: handoff.trees,
            safety: handoff.safety,
            provenance: handoff.provenance,
            omitted: handoff.omitted,
            extra: handoff.extra,
            row,
            binding: standing.binding.as_ref().map(|path| path.display().to_string()),
            rechecked: self.rechecked(&opened),
            read_only: read_only(opened.reading.format, opened.reading.readable),
            settling: now - opened.row.mtime_ms < 2_000,
        })
    }

    /// What a person looked at again, at this revision and in the tree as it is now.
    fn rechecked(&self, opened: &Opened) -> Vec<String> {
        let marks = opened.standing.rechecked.iter().filter(|mark| mark.rev == opened.row.rev);
        let marks: Vec<_> = marks.collect();
        if marks.is_empty() {
            return Vec::new();
        }
        let tree = self.tree_digest(opened);
        let mut items: Vec<String> =
            marks.into_iter().filter(|mark| mark.tree == tree).map(|mark| mark.item.clone()).collect();
        items.dedup();
        items
    }

    /// The digest of the tree as it is now; empty where it cannot be told.
    pub(crate) fn tree_digest(&self, opened: &Opened) -> String {
        let print = self.worker.fingerprint(&self.question(opened, None), LOOK);
        print.map(|print| print.digest()).unwrap_or_default()
    }

    /// Git then and now.
    ///
    /// # Errors
    /// When the handoff is not there. A repository that cannot be read is an answer.
    pub fn drift(&self, id: &str, repo: Option<&Path>, depth: Depth) -> Result<Drift, Error> {
        let opened = self.opened(id)?;
        // The worker stands elsewhere.
        let repo = repo.map(|repo| std::path::absolute(repo).unwrap_or_else(|_| repo.to_owned()));
        let question = self.question(&opened, repo.as_deref());
        let mut drift = match depth {
            Depth::Glance => self.worker.glance(&question, GLANCE),
            Depth::Look => self.worker.look(&question, LOOK),
        };
        for found in handoff::contradictions(&question.handoff) {
            if !drift.contradictions.iter().any(|other| other.message == found.message) {
                drift.contradictions.push(Contradiction {
                    kind: found.kind.to_owned(),
                    message: found.message,
                    items: found.items,
                });
            }
        }
        if repo.is_none() {
            self.remember(&opened.row.handle, &drift);
        }
        Ok(drift)
    }

    /// What was seen under this identity, oldest first. Revisions that a decision was about are known even when the
    /// index was made anew.
    ///
    /// # Errors
    /// When it is not there.
    pub fn revisions(&self, id: &str) -> Result<Vec<RevisionView>, Error> {
        let opened = self.opened(id)?;
        let mut views: Vec<RevisionView> = Vec::new();
        let mut add = |rev: &str, at_ms: i64, by: &str, bytes: u64, kept: bool| {
            if let Some(there) = views.iter_mut().find(|view| view.rev == rev) {
                if by != "unknown" {
                    there.by = by.to_owned();
                }
                return;
            }
            views.push(RevisionView {
                rev: rev.to_owned(),
                seen_at: crate::decide::rfc3339(at_ms),
                by: by.to_owned(),
                bytes,
                kept,
            });
        };
        for revision in self.index.revisions(&opened.row.identity)? {
            let kept = self.ledger.blobs().get(&revision.rev)?.is_some();
            add(&revision.rev, revision.seen_ms, &revision.by, revision.bytes, kept);
        }
        for event in &opened.events {
            if let Some(rev) = &event.rev {
                let kept = self.ledger.blobs().get(rev)?;
                let by = if event.kind == "edited" { "person" } else { "unknown" };
                add(rev, event.at_ms, by, kept.as_ref().map_or(0, Vec::len) as u64, kept.is_some());
            }
        }
        let kept = self.ledger.blobs().get(&opened.row.rev)?.is_some();
        add(&opened.row.rev, (self.now)(), "unknown", opened.bytes.len() as u64, kept);
        views.sort_by(|one, other| one.seen_at.cmp(&other.seen_at));
        Ok(views)
    }

    /// The difference between two revisions; the current one is read from disk.
    ///
    /// # Errors
    /// When the bytes of one are not kept.
    pub fn revision_diff(&self, id: &str, from: &str, to: &str) -> Result<Diff, Error> {
        let opened = self.opened(id)?;
        let bytes = |rev: &str| -> Result<Vec<u8>, Error> {
            if rev == opened.row.rev {
                return Ok(opened.bytes.clone());
            }
            self.ledger
                .blobs()
                .get(rev)?
                .ok_or_else(|| Error::NotFound { id: format!("revision {rev}"), candidates: Vec::new() })
        };
        Ok(diff(&bytes(from)?, &bytes(to)?))
    }

    /// The raw file, line by line.
    ///
    /// # Errors
    /// When it is not there.
    pub fn raw(&self, id: &str) -> Result<Raw, Error> {
        Ok(raw(&self.opened(id)?.bytes))
    }

    /// The block that a model would be given.
    ///
    /// # Errors
    /// For refused and incomplete documents, and when something that is never cut is over its limit.
    pub fn rendered(&self, id: &str) -> Result<Rendered, Error> {
        let opened = self.opened(id)?;
        Self::offered(&opened)?;
        self.render(&opened)
    }

    /// The block of a handoff that may be claimed now, and of no other.
    ///
    /// # Errors
    /// As [`Desk::claim`] when it is not approved; [`Error::Changed`] when something differs from the approval.
    pub fn approved_block(&self, id: &str) -> Result<Rendered, Error> {
        let opened = self.opened(id)?;
        Self::offered(&opened)?;
        let approval = self.approval_of(&opened)?;
        let differences = self.differences_from(&opened, &approval)?;
        if !differences.is_empty() {
            return Err(Error::Changed { handle: opened.row.handle, differences, conflict: None });
        }
        self.render(&opened)
    }

    pub(crate) fn render(&self, opened: &Opened) -> Result<Rendered, Error> {
        let options = RenderOptions {
            note: opened.standing.note.clone(),
            tag: uuid::Uuid::new_v4().simple().to_string(),
            source: Some(opened.row.path.display().to_string()),
            limits: self.config()?.settings.limits,
        };
        Ok(handoff::render(&opened.handoff(), &options)?)
    }

    /// Compares two handoffs field by field, or one with itself written and read again.
    ///
    /// # Errors
    /// When one is not there.
    pub fn roundtrip(&self, id: &str, against: Option<&str>) -> Result<Vec<handoff::FieldReport>, Error> {
        let offered = |id: &str| {
            let opened = self.opened(id)?;
            Self::offered(&opened).map(|()| opened.handoff())
        };
        let before = offered(id)?;
        let after = match against {
            Some(other) => offered(other)?,
            None => {
                let limits = self.config()?.settings.limits;
                let text = handoff::write_canonical(&before);
                handoff::read(text.as_bytes(), "handoff.md", &limits).current().cloned().unwrap_or_default()
            }
        };
        Ok(handoff::survived(&before, &after))
    }

    /// The document in another format. Converting never invents an id.
    ///
    /// # Errors
    /// For refused and incomplete documents, and where JSON 1 would lose something.
    pub fn convert(&self, id: &str, to: &str) -> Result<String, Error> {
        let opened = self.opened(id)?;
        Self::offered(&opened)?;
        let handoff = opened.handoff();
        match to {
            "markdown" => Ok(handoff::write_canonical(&handoff)),
            "json" => Ok(handoff::write_json2(&handoff)),
            "json1" => Ok(handoff::write_json1(&handoff)?),
            other => Err(Error::Usage(format!("{other:?} is no format; the formats are markdown, json, json1"))),
        }
    }

    /// The cold-start test, and how much of the document was understood.
    ///
    /// # Errors
    /// When it is not there.
    pub fn lint(&self, id: &str) -> Result<(Vec<Finding>, Readable), Error> {
        let reading = self.opened(id)?.reading;
        Ok((handoff::lint(&reading), reading.readable))
    }

    /// The file of a handoff, for an editor.
    ///
    /// # Errors
    /// When it is not there.
    pub fn path_of(&self, id: &str) -> Result<std::path::PathBuf, Error> {
        Ok(self.resolve(id)?.path)
    }

    /// The folder in which the handoff's work stands, for a terminal.
    ///
    /// # Errors
    /// When it is not there.
    pub fn folder_of(&self, id: &str) -> Result<std::path::PathBuf, Error> {
        let row = self.resolve(id)?;
        Ok(row.repo.clone().or_else(|| row.path.parent().map(Path::to_owned)).unwrap_or(row.path))
    }

    /// Whether an ID names something the index knows.
    ///
    /// # Errors
    /// When the index cannot be read.
    pub fn knows(&self, id: &str) -> Result<bool, Error> {
        Ok(matches!(self.index.resolve(id)?, Resolved::One(_)))
    }
}

/// Where what a document names is looked for.
fn base(opened: &Opened) -> PathBuf {
    opened.row.repo.clone().or_else(|| opened.row.path.parent().map(Path::to_owned)).unwrap_or_default()
}

/// A document that names no folder cannot tell that an absolute path lies in its own repository; the desk can.
fn names_a_path_of_the_repository(opened: &Opened, found: &Finding) -> bool {
    let base = base(opened);
    let lies_in = |path: &Path| path.starts_with(&base) && !path.components().any(|part| part == Component::ParentDir);
    found.code == "path-outside-repository"
        && base.is_absolute()
        && opened
            .handoff()
            .artifacts
            .iter()
            .any(|artifact| artifact.span == found.span && lies_in(Path::new(&artifact.reference)))
}

/// What only the disk can tell about a document: pointers to nothing.
fn missing_targets(opened: &Opened) -> Vec<Finding> {
    let handoff = opened.handoff();
    let base = base(opened);
    let mut findings = Vec::new();
    for target in &handoff.points_to {
        let name = Path::new(&target.text);
        let inside = base.join(name.file_name().unwrap_or_default());
        let there = if name.is_absolute() { name.exists() || inside.exists() } else { base.join(name).exists() };
        if !there {
            let mut finding = Finding::new(
                Severity::Warning,
                "target-missing",
                format!("{} is not there, neither as written nor in the repository.", target.text),
            );
            finding.span = target.span;
            findings.push(finding);
        }
    }
    findings
}

pub(crate) fn secrets(bytes: &[u8]) -> Vec<Finding> {
    let text = String::from_utf8_lossy(bytes);
    // Places of lossy text are only those of the file when it is UTF-8.
    let exact = text.len() == bytes.len();
    handoff::secrets(&text)
        .into_iter()
        .map(|secret| {
            let mut finding = Finding::new(
                Severity::Warning,
                "secret",
                format!("This looks like a secret: {}. Take it out before it is handed over.", secret.kind),
            );
            finding.span = exact.then_some(secret.span);
            finding
        })
        .collect()
}

fn read_only(format: Format, readable: Readable) -> Option<String> {
    if matches!(readable, Readable::Refused | Readable::NotAHandoff) {
        return Some("A document that could not be read whole is not edited field by field.".to_owned());
    }
    match format {
        Format::HandoffJson | Format::Canonical | Format::Markdown => None,
        Format::Yaml | Format::ForeignJson | Format::Session | Format::Unknown => Some(
            "Files of this format are not edited in place. An edit is published as a canonical copy that replaces it."
                .to_owned(),
        ),
    }
}
