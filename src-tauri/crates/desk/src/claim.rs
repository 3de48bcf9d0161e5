//! Claiming: exactly one executor, from exactly what was approved. Everything is looked at before anything is
//! written; a refusal consumes nothing. The claim becomes true in the ledger's transaction, with bytes and states
//! read again inside it.

use crate::decide::{rfc3339, word};
use crate::desk::{LOOK, Opened};
use crate::run_name::{self, RunName};
use crate::start::{StartWish, WishState};
use crate::state::{Approval, CLAIM_KINDS, Claim, OpenClaim, open_claims};
use crate::view::{Acknowledgement, Claimed, Decided, State};
use crate::{Desk, Error};
use repo::differences;
use serde_json::json;
use sha2::{Digest, Sha256};
use std::fs;
use std::path::{Path, PathBuf};
use store::ledger::{Event, NewEvent};
use store::{RunLock, stands};

/// Who wants to act on a handoff.
#[derive(Clone, Debug, Default)]
pub struct ClaimRequest {
    /// The executor's name.
    pub by: String,
    /// The profile it runs under.
    pub profile: Option<String>,
    /// Seconds of the lease; the setting when absent.
    pub lease_seconds: Option<u32>,
    /// Codes acknowledged: `recipient`, `other_live_claim`.
    pub ack: Vec<String>,
    /// The number of the wish that it fulfils.
    pub start: Option<i64>,
}

/// The block and the document of a claim, in a private folder that nobody writes to again.
pub(crate) struct Sealed {
    pub folder: PathBuf,
    pub block: PathBuf,
    pub document: PathBuf,
}

impl Desk {
    /// Claims an approved handoff for an executor that reports by itself.
    ///
    /// # Errors
    /// [`Error::Held`], [`Error::State`], [`Error::Acknowledge`], and [`Error::Changed`] with what differs from the
    /// approval; then nothing was consumed.
    pub fn claim(&self, id: &str, request: &ClaimRequest) -> Result<Claimed, Error> {
        let run = RunName::new().folder(&self.home);
        let (claimed, opened, sealed) = self.claim_as(id, request, false, run)?;
        self.keep_beginning(&opened, &sealed.folder);
        Ok(claimed)
    }

    /// [`Desk::claim`], for a lease or for a supervisor that holds the run lock already.
    pub(crate) fn claim_as(
        &self,
        id: &str,
        request: &ClaimRequest,
        supervised: bool,
        run: PathBuf,
    ) -> Result<(Claimed, Opened, Sealed), Error> {
        if request.by.trim().is_empty() {
            return Err(Error::Usage("a claim needs the executor's name: --by NAME".to_owned()));
        }
        if let (Some((agent, variable)), false) = (self.caller.agent, request.ack.is_empty()) {
            return Err(Error::InsideAgent { agent, variable });
        }
        self.settle_claims()?;
        let opened = self.opened(id)?;
        Self::offered(&opened)?;
        let approval = self.approval_of(&opened)?;
        let differences = self.differences_from(&opened, &approval)?;
        if !differences.is_empty() && stands!(ClaimDifferences) {
            self.lapse(&opened.row, &differences.join("; "))?;
            return Err(Error::Changed { handle: opened.row.handle, differences, conflict: None });
        }
        let worktrees: Vec<String> = approval.fingerprint.trees.iter().map(|tree| tree.folder.clone()).collect();
        let acknowledged: Vec<String> = approval.acknowledged.iter().chain(&request.ack).cloned().collect();
        self.refuse_unacknowledged(&opened, request, &worktrees, &acknowledged)?;

        let sealed = self.seal(&opened, &approval, run)?;
        let secret = uuid::Uuid::new_v4().simple().to_string();
        let lease_seconds = request.lease_seconds.unwrap_or(self.config()?.settings.lease_seconds).max(1);
        let body = Claim {
            by: request.by.clone(),
            profile: request.profile.clone(),
            supervised,
            lease_seconds,
            token_hash: hash(&secret),
            holder: self.caller.holder.clone(),
            worktrees: worktrees.clone(),
            acknowledged: request.ack.clone(),
            run: sealed.folder.display().to_string(),
            approval: Some(approval.clone()),
        };
        let event = NewEvent::new("claimed", (self.now)())
            .about(&opened.row.identity, &opened.row.rev)
            .by(&request.by)
            .with(serde_json::to_value(&body).unwrap_or_default());
        let appended = self.ledger.append_seeing::<Error>(event, CLAIM_KINDS, |own, others| {
            self.refuse_inside(&opened, request, &approval, own)?;
            let other = live_elsewhere(&open_claims(others, (self.now)()), &opened.row.identity, &worktrees);
            match other {
                Some(other) if !acknowledged.iter().any(|code| code == "other_live_claim") => {
                    Err(Error::Acknowledge { handle: opened.row.handle.clone(), missing: vec![other] })
                }
                _ => Ok(()),
            }
        });
        let event = match appended {
            Ok(event) => event,
            Err(error) => {
                remove_run(&sealed.folder);
                return Err(error);
            }
        };
        let claimed = Claimed {
            handle: opened.row.handle.clone(),
            rev: opened.row.rev.clone(),
            claim: event.seq.unsigned_abs(),
            token: format!("{}-{secret}", event.seq),
            by: request.by.clone(),
            block_path: sealed.block.display().to_string(),
            document_path: sealed.document.display().to_string(),
            folder: worktrees.first().cloned(),
            lease_until: (!supervised).then(|| rfc3339(event.at_ms + i64::from(lease_seconds) * 1_000)),
        };
        Ok((claimed, opened, sealed))
    }

    /// The approval that a claim may start from.
    pub(crate) fn approval_of(&self, opened: &Opened) -> Result<Approval, Error> {
        let handle = opened.row.handle.clone();
        let standing = &opened.standing;
        if let Some(open) = &standing.claim {
            return Err(held(&handle, open));
        }
        if opened.row.conflict {
            return Err(Error::State {
                handle,
                state: "in conflict".to_owned(),
                needed: "the same id stands for other bytes elsewhere; change one of the files".to_owned(),
            });
        }
        if let (State::Approved, Some(approval)) = (standing.state, &standing.approval) {
            return Ok(approval.clone());
        }
        let reason = standing.reason.clone().unwrap_or_default();
        let lapsed = reason.strip_prefix("lapsed: ").filter(|because| *because != crate::state::TIME_IS_OVER);
        if let (State::Pending, Some(because)) = (standing.state, lapsed) {
            return Err(Error::Changed { handle, differences: vec![because.to_owned()], conflict: None });
        }
        let needed =
            if reason.is_empty() { "approve it first".to_owned() } else { format!("{reason}; approve it first") };
        Err(Error::State { handle, state: word(standing.state), needed })
    }

    /// What differs between now and what was approved: bytes, block and tree.
    pub(crate) fn differences_from(&self, opened: &Opened, approval: &Approval) -> Result<Vec<String>, Error> {
        if approval.rev != opened.row.rev {
            return Ok(vec!["the file changed".to_owned()]);
        }
        let limits = self.config()?.settings.limits;
        let block = handoff::block_hash(&opened.handoff(), approval.note.as_deref(), &limits)?;
        if block != approval.block_hash || handoff::RENDERER_VERSION != approval.renderer {
            return Ok(vec!["the block that would be handed over is rendered otherwise now".to_owned()]);
        }
        Ok(match self.worker.fingerprint(&self.question(opened, None), LOOK) {
            Ok(now) => differences(&approval.fingerprint, &now),
            Err(_) if approval.fingerprint.trees.is_empty() => Vec::new(),
            Err(error) => vec![error.to_string()],
        })
    }

    fn refuse_unacknowledged(
        &self,
        opened: &Opened,
        request: &ClaimRequest,
        worktrees: &[String],
        acknowledged: &[String],
    ) -> Result<(), Error> {
        let mut missing: Vec<Acknowledgement> =
            self.other_live_claim(&opened.row.identity, worktrees)?.into_iter().collect();
        missing.extend(self.recipient(opened, request)?);
        missing.retain(|needed| !acknowledged.contains(&needed.code));
        if missing.is_empty() {
            return Ok(());
        }
        Err(Error::Acknowledge { handle: opened.row.handle.clone(), missing })
    }

    /// What must be acknowledged when another executor works in one of these worktrees now.
    pub(crate) fn other_live_claim(
        &self,
        identity: &str,
        worktrees: &[String],
    ) -> Result<Option<Acknowledgement>, Error> {
        let events = self.ledger.events_of_kinds(CLAIM_KINDS)?;
        Ok(live_elsewhere(&open_claims(&events, (self.now)()), identity, worktrees))
    }

    /// What must be acknowledged when the executor is not the one that the document names.
    pub(crate) fn recipient(&self, opened: &Opened, request: &ClaimRequest) -> Result<Option<Acknowledgement>, Error> {
        let Some(to) = opened.handoff().provenance.to.filter(|to| !to.trim().is_empty()) else { return Ok(None) };
        let profiles = self.config()?.profiles;
        let profile = request.profile.as_ref().unwrap_or(&request.by);
        let agent = profiles.iter().find(|known| known.name == *profile).map(|known| known.agent.clone());
        let names = [Some(request.by.clone()), request.profile.clone(), agent];
        if ["any", "anyone", "next"].contains(&plain(&to).as_str())
            || names.iter().flatten().any(|name| plain(name) == plain(&to))
        {
            return Ok(None);
        }
        Ok(Some(Acknowledgement {
            code: "recipient".to_owned(),
            message: format!("It is addressed to {to} and {} would take it.", request.by),
            about: vec![to],
        }))
    }

    /// Inside the transaction: still approved by the same approval, and the bytes still those.
    fn refuse_inside(
        &self,
        opened: &Opened,
        request: &ClaimRequest,
        approval: &Approval,
        own: &[Event],
    ) -> Result<(), Error> {
        let standing = self.standing_of(&opened.row, own);
        let handle = opened.row.handle.clone();
        if let Some(open) = &standing.claim {
            return Err(held(&handle, open));
        }
        if standing.approval.as_ref() != Some(approval) {
            let needed = "its approval was used or taken back; approve it first".to_owned();
            return Err(Error::State { handle, state: word(standing.state), needed });
        }
        let waits = |start: &StartWish| Some(start.number) == request.start && start.state == WishState::Waits;
        if request.start.is_some() && !standing.start.as_ref().is_some_and(waits) {
            let needed = "that start was cancelled".to_owned();
            return Err(Error::State { handle, state: word(standing.state), needed });
        }
        let cap = self.config()?.settings.limits.file_bytes as u64;
        let (bytes, _) = store::files::read(&opened.row.path, cap)?;
        if handoff::revision(&bytes) != approval.rev {
            return Err(Error::Changed { handle, differences: vec!["the file changed".to_owned()], conflict: None });
        }
        Ok(())
    }

    /// The block that a run in this folder is given, and the name of the document's copy there.
    pub(crate) fn block_of_run(
        &self,
        opened: &Opened,
        approval: &Approval,
        folder: &Path,
    ) -> Result<(PathBuf, handoff::Rendered), Error> {
        let name = match opened.row.path.extension() {
            Some(extension) => Path::new("document").with_extension(extension),
            None => PathBuf::from("document"),
        };
        let options = handoff::RenderOptions {
            note: approval.note.clone(),
            tag: run_name::fence(folder),
            // The live file may change while the model works; the sealed copy is what was approved.
            source: Some(folder.join(&name).display().to_string()),
            limits: self.config()?.settings.limits,
        };
        Ok((name, handoff::render(&opened.handoff(), &options)?))
    }

    /// Writes block and document into a folder of the run, from the very bytes that were approved.
    fn seal(&self, opened: &Opened, approval: &Approval, folder: PathBuf) -> Result<Sealed, Error> {
        let (name, rendered) = self.block_of_run(opened, approval, &folder)?;
        let document = store::files::seal(&folder, &name, &opened.bytes)?;
        let block = store::files::seal(&folder, Path::new("block.md"), rendered.text.as_bytes())?;
        Ok(Sealed { folder, block, document })
    }

    /// Says that the executor still works. Begins its lease anew.
    ///
    /// # Errors
    /// [`Error::Token`] when the token is not the holder's any more.
    pub fn heartbeat(&self, id: &str, token: &str) -> Result<Decided, Error> {
        self.sign(id, token, "heartbeat")
    }

    /// Says that the executor began.
    ///
    /// # Errors
    /// As [`Desk::heartbeat`].
    pub fn running(&self, id: &str, token: &str) -> Result<Decided, Error> {
        self.sign(id, token, "running")
    }

    fn sign(&self, id: &str, token: &str, kind: &str) -> Result<Decided, Error> {
        let opened = self.opened(id)?;
        let number = number_of(&opened.row.handle, token)?;
        let event = NewEvent::new(kind, (self.now)())
            .about(&opened.row.identity, &opened.row.rev)
            .by("agent")
            .with(json!({ "claim": number }));
        self.append_held(&opened, event, token)
    }

    /// Appends what only the holder may say.
    pub(crate) fn append_held(&self, opened: &Opened, event: NewEvent, token: &str) -> Result<Decided, Error> {
        let row = &opened.row;
        let appended = self.ledger.append::<Error>(event, |own| {
            holds(&row.handle, self.standing_of(row, own).claim.as_ref(), token).map(|_| ())
        })?;
        self.decided(row, appended.seq)
    }

    /// Ends a claim whose holder is gone, with its number and a reason. What it did is for a person to look at, so the
    /// handoff waits for review again.
    ///
    /// # Errors
    /// When the number is not that of the last claim or no reason is given.
    pub fn release(&self, id: &str, claim: i64, note: &str) -> Result<Decided, Error> {
        if let Some((agent, variable)) = self.caller.agent {
            return Err(Error::InsideAgent { agent, variable });
        }
        if note.trim().is_empty() {
            return Err(Error::Usage("a release needs a reason: --note TEXT".to_owned()));
        }
        let opened = self.opened(id)?;
        let row = &opened.row;
        let event = NewEvent::new("released", (self.now)())
            .about(&row.identity, &row.rev)
            .with(json!({ "claim": claim, "note": note, "host": self.caller.host }));
        let appended = self.ledger.append::<Error>(event, |own| {
            let standing = self.standing_of(row, own);
            let open = standing.claim.is_some() || standing.state == State::Interrupted;
            if open && standing.last_claim == Some(claim) {
                return Ok(());
            }
            let needed = match standing.last_claim {
                Some(last) if open => format!("its claim is number {last}, not {claim}"),
                _ => "nobody holds it".to_owned(),
            };
            Err(Error::State { handle: row.handle.clone(), state: word(standing.state), needed })
        })?;
        self.decided(row, appended.seq)
    }

    /// Asks a supervisor to end its run, or ends the claim of an executor that only has a lease.
    pub(crate) fn stop_claim(&self, opened: &Opened, open: &OpenClaim, note: Option<&str>) -> Result<Decided, Error> {
        let kind = if open.claim.supervised { "stop_requested" } else { "stopped" };
        let event = NewEvent::new(kind, (self.now)())
            .about(&opened.row.identity, &opened.row.rev)
            .with(json!({ "claim": open.number, "note": note }));
        let row = &opened.row;
        let appended = self.ledger.append::<Error>(event, |own| {
            let standing = self.standing_of(row, own);
            match standing.claim {
                Some(now) if now.number == open.number => Ok(()),
                _ => Err(Error::State {
                    handle: row.handle.clone(),
                    state: word(standing.state),
                    needed: "nobody holds it any more".to_owned(),
                }),
            }
        })?;
        self.decided(row, appended.seq)
    }

    /// Looks at every claim that nobody ended and writes down those whose holder is gone.
    ///
    /// # Errors
    /// When the ledger cannot be read or written.
    pub(crate) fn settle_claims(&self) -> Result<(), Error> {
        if !self.ledger.is_writable() {
            return Ok(());
        }
        let events = self.ledger.events_of_kinds(CLAIM_KINDS)?;
        // Leases that are over are seen by the fold; a moment before their end they were still open.
        for (identity, open) in open_claims(&events, i64::MIN) {
            if let Some(because) = self.gone(&identity, &open)? {
                self.interrupt(&identity, &open, &because)?;
            }
        }
        Ok(())
    }

    /// Why the holder of a claim is gone, when it is.
    fn gone(&self, identity: &str, open: &OpenClaim) -> Result<Option<String>, Error> {
        if let Some(until) = open.lease_until_ms {
            return Ok((until <= (self.now)()).then(|| format!("the lease of {} is over", open.claim.by)));
        }
        match open.claim.holder.on(&self.caller.holder) {
            // Another machine may share this folder; its locks say nothing here, so it is never taken for gone.
            None => Ok(None),
            Some(false) => Ok(Some("the machine was started anew".to_owned())),
            Some(true) if RunLock::is_held(&self.home, identity)? => Ok(None),
            Some(true) => Ok(Some(format!("the process that supervised {} is gone", open.claim.by))),
        }
    }

    /// The revision of a handoff's file as it is now, its bytes kept. None when it cannot be read.
    fn kept_revision(&self, identity: &str) -> Result<Option<String>, Error> {
        let Some(row) = self.index.get(identity)? else { return Ok(None) };
        let cap = self.config()?.settings.limits.file_bytes as u64;
        let Ok((bytes, _)) = store::files::read(&row.path, cap) else { return Ok(None) };
        let bytes = handoff::document(bytes, &self.relative(&row.path));
        Ok(Some(self.ledger.blobs().put(&bytes)?))
    }

    fn interrupt(&self, identity: &str, open: &OpenClaim, because: &str) -> Result<(), Error> {
        let approved = || open.claim.approval.as_ref().map(|approval| approval.rev.clone()).unwrap_or_default();
        // What the holder wrote into the file before it was gone is part of what it left: it decides nothing.
        let rev = self.kept_revision(identity)?.unwrap_or_else(approved);
        let event = NewEvent::new("interrupted", (self.now)())
            .about(identity, &rev)
            .by("fuda")
            .with(json!({ "claim": open.number, "because": because }));
        let still_open = |own: &[Event]| open_claims(own, i64::MIN).iter().any(|(_, now)| now.number == open.number);
        let appended = self.ledger.append::<Error>(event, |own| {
            if still_open(own) { Ok(()) } else { Err(Error::Usage("it was ended meanwhile".to_owned())) }
        });
        match appended {
            Err(Error::Usage(_)) | Ok(_) => Ok(()),
            Err(error) => Err(error),
        }
    }
}

/// Another handoff's claim in one of the worktrees, as something to acknowledge.
fn live_elsewhere(open: &[(String, OpenClaim)], identity: &str, worktrees: &[String]) -> Option<Acknowledgement> {
    let other = open.iter().find(|(handoff, open)| {
        handoff != identity && open.claim.worktrees.iter().any(|folder| worktrees.contains(folder))
    })?;
    Some(Acknowledgement {
        code: "other_live_claim".to_owned(),
        message: format!("{} works in the same worktree (claim {}).", other.1.claim.by, other.1.number),
        about: other.1.claim.worktrees.clone(),
    })
}

pub(crate) fn held(handle: &str, open: &OpenClaim) -> Error {
    Error::Held {
        handle: handle.to_owned(),
        holder: open.claim.by.clone(),
        claim: open.number,
        since: rfc3339(open.at_ms),
    }
}

/// The claim, when the token is its own.
pub(crate) fn holds<'a>(handle: &str, open: Option<&'a OpenClaim>, token: &str) -> Result<&'a OpenClaim, Error> {
    let refused = |why: &str| Error::Token { handle: handle.to_owned(), why: why.to_owned() };
    let number = number_of(handle, token)?;
    let secret = token.split_once('-').map(|(_, secret)| secret).unwrap_or_default();
    match open {
        None => Err(refused("the claim has ended")),
        Some(open) if open.number != number => Err(refused("it is of an earlier claim")),
        Some(open) if open.claim.token_hash != hash(secret) && stands!(ClaimToken) => {
            Err(refused("it is not the holder's"))
        }
        Some(open) => Ok(open),
    }
}

/// The number in a token.
pub(crate) fn number_of(handle: &str, token: &str) -> Result<i64, Error> {
    token
        .split_once('-')
        .and_then(|(number, _)| number.parse().ok())
        .ok_or_else(|| Error::Token { handle: handle.to_owned(), why: "it is none that fuda claim gave".to_owned() })
}

fn hash(secret: &str) -> String {
    Sha256::digest(secret.as_bytes()).iter().map(|byte| format!("{byte:02x}")).collect()
}

/// Letters and digits in lower case, so that `Claude Code` is `claude-code`.
fn plain(name: &str) -> String {
    name.chars().filter(|letter| letter.is_alphanumeric()).flat_map(char::to_lowercase).collect()
}

/// Nothing was claimed, so nothing of the run is kept.
fn remove_run(folder: &Path) {
    fs::remove_dir_all(folder).ok();
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::holder::Holder;

    #[test]
    fn names_are_compared_by_letters_and_digits() {
        assert_eq!(plain("Claude Code"), plain("claude-code"));
        assert_ne!(plain("codex"), plain("codex-work"));
    }

    #[test]
    fn a_token_names_its_claim_and_its_holder() {
        let claim = Claim { token_hash: hash("abc"), ..Claim::default() };
        let open = OpenClaim { number: 7, at_ms: 0, lease_until_ms: None, stopping: false, firmly: false, claim };
        assert!(holds("h", Some(&open), "7-abc").is_ok());
        for wrong in ["6-abc", "7-abd", "7", "", "x-abc"] {
            assert!(matches!(holds("h", Some(&open), wrong), Err(Error::Token { .. })), "{wrong:?}");
        }
        assert!(holds("h", None, "7-abc").is_err());
    }

    #[test]
    fn a_holder_on_another_machine_is_never_taken_for_gone() {
        let here = Holder { host: "a".to_owned(), boot: "1".to_owned(), ..Holder::default() };
        let other = Holder { host: "b".to_owned(), ..here.clone() };
        assert_eq!((other.on(&here), here.on(&here)), (None, Some(true)));
        assert_eq!(Holder { boot: "2".to_owned(), ..here.clone() }.on(&here), Some(false));
    }
}
