//! Approving: what is bound, what must be acknowledged, and whether it still holds.

use crate::desk::{LOOK, Opened};
use crate::diff::raw;
use crate::state::{Approval, Standing};
use crate::view::{Acknowledgement, ApprovalPreview, Decided, State};
use crate::{Desk, Error};
use handoff::{Finding, Severity};
use repo::{Drift, Fingerprint, Relation, Verdict, differences};
use serde_json::json;
use store::ledger::NewEvent;

/// What a person approves.
#[derive(Clone, Debug, Default)]
pub struct Approve {
    /// The revision that was looked at.
    pub rev: String,
    /// Codes acknowledged.
    pub ack: Vec<String>,
    /// A note to the next model and the audit.
    pub note: Option<String>,
    /// The digest of the tree that was looked at, when the caller knows it.
    pub fingerprint: Option<String>,
}

/// Everything that an approval would bind, taken now.
struct Bound {
    drift: Drift,
    fingerprint: Option<Fingerprint>,
    unbound: Option<String>,
    block_hash: String,
    hidden: Vec<Finding>,
    secrets: Vec<Finding>,
}

impl Desk {
    fn bound(&self, opened: &Opened, note: Option<&str>) -> Result<Bound, Error> {
        let question = self.question(opened, None);
        let drift = self.worker.look(&question, LOOK);
        self.remember(&opened.row.handle, &drift);
        let (fingerprint, unbound) = match self.worker.fingerprint(&question, LOOK) {
            Ok(fingerprint) => (Some(fingerprint), None),
            Err(error) => (None, Some(error.to_string())),
        };
        let limits = self.config()?.settings.limits;
        Ok(Bound {
            drift,
            fingerprint,
            unbound,
            block_hash: handoff::block_hash(&question.handoff, note, &limits)?,
            hidden: handoff::hidden(&opened.bytes)
                .into_iter()
                .filter(|finding| finding.severity >= Severity::Warning)
                .collect(),
            secrets: crate::inspect::secrets(&opened.bytes),
        })
    }

    /// What an approval would bind and what it asks for. Reads bytes and tree anew.
    ///
    /// # Errors
    /// When the handoff is not there or the block cannot be rendered.
    pub fn approval_preview(&self, id: &str) -> Result<ApprovalPreview, Error> {
        let opened = self.opened(id)?;
        let mut blocked = Vec::new();
        if let Err(error) = Self::offered(&opened) {
            blocked.push(error.to_string());
        }
        if opened.row.conflict {
            blocked.push(
                "The same id stands for other bytes elsewhere. Nobody can claim it; change one of the files."
                    .to_owned(),
            );
        }
        let bound = self.bound(&opened, opened.standing.note.as_deref())?;
        let rendered = self.render(&opened)?;
        let hours = self.config()?.settings.approval_hours;
        let now = &bound.drift.now;
        let tree = now.status.map(|status| status_words(&status));
        let changed_since_approval = match (&opened.standing.lapsed, &bound.fingerprint) {
            (Some(lapsed), Some(fingerprint)) => self.changed_since(&opened, lapsed, fingerprint),
            _ => Vec::new(),
        };
        let revisions = self.index.revisions(&opened.row.identity)?;
        let acknowledgements = self.acknowledgements(&opened, &bound)?;
        let before = opened.standing.lapsed.as_ref().map(|lapsed| lapsed.seen.as_slice()).unwrap_or_default();
        let acknowledged_before =
            acknowledgements.iter().filter(|one| before.contains(one)).map(|one| one.code.clone()).collect();
        Ok(ApprovalPreview {
            handle: opened.row.handle.clone(),
            rev: opened.row.rev.clone(),
            rev_number: revisions
                .iter()
                .rposition(|revision| revision.rev == opened.row.rev)
                .map_or(1, |index| index as u32 + 1),
            bytes: opened.bytes.len() as u64,
            branch: now.branch.clone(),
            head: now.head.clone(),
            head_subject: now.subject.clone(),
            tree,
            fingerprint: bound.fingerprint.as_ref().map(Fingerprint::digest).unwrap_or_default(),
            folder: now.worktree.clone().or_else(|| now.folder.clone()),
            block_hash: bound.block_hash.clone(),
            block: raw(rendered.text.as_bytes()).lines,
            acknowledgements,
            acknowledged_before,
            passed: passed(&bound.drift),
            lint: handoff::lint(&opened.reading),
            hidden: bound.hidden.iter().chain(&bound.secrets).cloned().collect(),
            blocked,
            changed_since_approval,
            good_until: crate::decide::rfc3339((self.now)() + i64::from(hours) * 3_600_000),
            still_changing: (self.now)() - opened.row.mtime_ms < 2_000,
        })
    }

    /// Everything that a person must acknowledge before this is approved.
    fn acknowledgements(&self, opened: &Opened, bound: &Bound) -> Result<Vec<Acknowledgement>, Error> {
        let mut needed = acknowledgements(bound, &opened.handoff());
        let worktrees: Vec<String> =
            bound.fingerprint.iter().flat_map(|print| &print.trees).map(|tree| tree.folder.clone()).collect();
        needed.extend(self.other_live_claim(&opened.row.identity, &worktrees)?);
        Ok(needed)
    }

    fn changed_since(&self, opened: &Opened, lapsed: &Approval, now: &Fingerprint) -> Vec<String> {
        let mut changed = differences(&lapsed.fingerprint, now);
        if lapsed.rev != opened.row.rev {
            changed.insert(0, format!("the file: {} → {}", short(&lapsed.rev), short(&opened.row.rev)));
        }
        if lapsed.good_until_ms <= (self.now)() {
            changed.push("the approval's time is over".to_owned());
        }
        changed
    }

    /// Approves. Bytes and tree are read again and must be what was looked at.
    ///
    /// # Errors
    /// Refused and incomplete documents; missing acknowledgements; anything that changed; agents' environments.
    pub fn approve(&self, id: &str, request: &Approve) -> Result<Decided, Error> {
        if let Some((agent, variable)) = self.caller.agent {
            return Err(Error::InsideAgent { agent, variable });
        }
        let opened = self.opened(id)?;
        let handle = opened.row.handle.clone();
        Self::offered(&opened)?;
        // What `show` printed, or a prefix of it that is long enough to be meant.
        if request.rev.len() < 7 || !opened.row.rev.starts_with(&request.rev) {
            let difference = format!("the file is at {} and not at {}", short(&opened.row.rev), short(&request.rev));
            return Err(Error::Changed { handle, differences: vec![difference], conflict: None });
        }
        if opened.row.conflict {
            return Err(Error::State {
                handle,
                state: "in conflict".to_owned(),
                needed: "the same id stands for other bytes elsewhere; change one of the files".to_owned(),
            });
        }
        // A note of whoever returned it reaches the next model too, unless this one replaces it.
        let note = request.note.clone().or_else(|| opened.standing.note.clone());
        let bound = self.bound(&opened, note.as_deref())?;
        let needed = self.acknowledgements(&opened, &bound)?;
        let missing: Vec<Acknowledgement> =
            needed.iter().filter(|needed| !request.ack.contains(&needed.code)).cloned().collect();
        if !missing.is_empty() {
            return Err(Error::Acknowledge { handle, missing });
        }
        let fingerprint = bound.fingerprint.clone().unwrap_or(Fingerprint { trees: Vec::new() });
        if request.fingerprint.as_ref().is_some_and(|seen| !seen.is_empty() && *seen != fingerprint.digest()) {
            return Err(Error::Changed {
                handle,
                differences: vec!["the tree changed while you were reading".to_owned()],
                conflict: None,
            });
        }
        let hours = self.config()?.settings.approval_hours;
        let approval = Approval {
            rev: opened.row.rev.clone(),
            fingerprint,
            block_hash: bound.block_hash,
            renderer: handoff::RENDERER_VERSION,
            acknowledged: request.ack.clone(),
            seen: needed,
            note,
            good_until_ms: (self.now)() + i64::from(hours) * 3_600_000,
        };
        let mut body = serde_json::to_value(&approval).unwrap_or_default();
        if let Some(body) = body.as_object_mut() {
            body.insert(
                "by".to_owned(),
                json!({ "host": self.caller.host, "terminal": self.caller.terminal, "parents": self.caller.parents }),
            );
        }
        let event = NewEvent::new("approved", (self.now)()).about(&opened.row.identity, &opened.row.rev).with(body);
        let allowed = |standing: &Standing| {
            standing.claim.is_none()
                && matches!(standing.state, State::Pending | State::Approved | State::Returned | State::Superseded)
        };
        self.append_when(&opened, event, allowed, "only what waits for review is approved; reopen it first")
    }

    /// Whether an approval still holds against the tree as it is now; when not, it is recorded as lapsed and what
    /// differs comes back.
    ///
    /// # Errors
    /// When the handoff is not there.
    pub fn check_approval(&self, id: &str) -> Result<Vec<String>, Error> {
        let opened = self.opened(id)?;
        let Some(approval) = opened.standing.approval.clone() else { return Ok(Vec::new()) };
        let changed = match self.worker.fingerprint(&self.question(&opened, None), LOOK) {
            Ok(now) => differences(&approval.fingerprint, &now),
            Err(_) if approval.fingerprint.trees.is_empty() => Vec::new(),
            Err(error) => vec![error.to_string()],
        };
        if !changed.is_empty() {
            self.lapse(&opened.row, &changed.join("; "))?;
        }
        Ok(changed)
    }
}

/// What a person must acknowledge, each with the figures of now.
fn acknowledgements(bound: &Bound, handoff: &handoff::Handoff) -> Vec<Acknowledgement> {
    let drift = &bound.drift;
    let mut needed = Vec::new();
    let mut add = |code: &str, message: String, about: Vec<String>| {
        needed.push(Acknowledgement { code: code.to_owned(), message, about })
    };
    if !matches!(drift.verdict, Verdict::Same | Verdict::MovedOn) {
        let code = serde_json::to_value(drift.verdict)
            .ok()
            .and_then(|value| value.as_str().map(str::to_owned))
            .unwrap_or_default();
        add(&code, drift.message.clone(), Vec::new());
    }
    if !drift.contended.is_empty() {
        add(
            "contended",
            format!("{} that the handoff relies on changed since.", counted(drift.contended.len(), "path")),
            drift.contended.clone(),
        );
    }
    if !bound.hidden.is_empty() {
        let about = bound.hidden.iter().map(|finding| finding.message.clone()).collect();
        add(
            "hidden_content",
            format!("What cannot be drawn or would mislead stands in {}.", counted(bound.hidden.len(), "place")),
            about,
        );
    }
    let extra: Vec<String> = handoff
        .extra
        .iter()
        .filter(|section| !section.text.trim().is_empty())
        .map(|section| section.heading.clone())
        .collect();
    if !extra.is_empty() {
        add(
            "extra",
            format!("Not understood and handed over as it stands: {}.", counted(extra.len(), "section")),
            extra,
        );
    }
    if !bound.secrets.is_empty() {
        add(
            "secret",
            format!("It may hold secrets, in {}.", counted(bound.secrets.len(), "place")),
            bound.secrets.iter().map(|finding| finding.message.clone()).collect(),
        );
    }
    let mut contradictions: Vec<String> = drift.contradictions.iter().map(|one| one.message.clone()).collect();
    contradictions.extend(
        handoff::contradictions(handoff)
            .into_iter()
            .map(|one| one.message)
            .filter(|message| !drift.contradictions.iter().any(|other| other.message == *message)),
    );
    if !contradictions.is_empty() {
        add(
            "contradiction",
            format!("Denied by another statement or by the tree: {}.", counted(contradictions.len(), "statement")),
            contradictions,
        );
    }
    if let Some(fingerprint) = bound.fingerprint.as_ref().filter(|fingerprint| fingerprint.is_weak()) {
        add(
            "weak_fingerprint",
            "Part of the tree is bound by size and time only.".to_owned(),
            fingerprint.reasons_weak().map(str::to_owned).collect(),
        );
    } else if let (Some(reason), true) = (
        &bound.unbound,
        !matches!(drift.verdict, Verdict::NoRepository | Verdict::WorktreeGone | Verdict::NotInspectable),
    ) {
        add("weak_fingerprint", format!("The tree cannot be bound: {reason}"), Vec::new());
    }
    needed
}

/// `1 path`, `3 paths`.
fn counted(count: usize, one: &str) -> String {
    if count == 1 { format!("1 {one}") } else { format!("{count} {one}s") }
}

fn passed(drift: &Drift) -> Vec<String> {
    let mut passed = Vec::new();
    if drift.then.branch.is_some() && drift.then.branch == drift.now.branch {
        passed.push("Same branch".to_owned());
    }
    if drift.relation == Relation::Same {
        passed.push("Same commit".to_owned());
    }
    if drift.now.operation.is_none() && drift.now.head.is_some() {
        passed.push("No merge or rebase in progress".to_owned());
    }
    if drift.contended.is_empty() {
        passed.push("Nothing that it relies on changed".to_owned());
    }
    passed
}

pub(crate) fn status_words(status: &repo::StatusCounts) -> String {
    let parts: Vec<String> = [
        (status.conflicted, "in conflict"),
        (status.staged, "staged"),
        (status.modified, "modified"),
        (status.untracked, "untracked"),
        (status.unknown, "unknown"),
    ]
    .into_iter()
    .filter(|(count, _)| *count > 0)
    .map(|(count, word)| format!("{count} {word}"))
    .collect();
    if parts.is_empty() { "clean".to_owned() } else { parts.join(", ") }
}

fn short(rev: &str) -> &str {
    rev.get(..8).unwrap_or(rev)
}
