//! How a run ended: reported by its executor with the token, or seen when its process ended. A mark is not a
//! success, so an outcome carries what it rests on.

use crate::claim::{holds, number_of};
use crate::decide::rfc3339;
use crate::desk::{GLANCE, Opened};
use crate::state::OpenClaim;
use crate::view::{ClaimView, Decided, Outcome};
use crate::{Desk, Error};
use std::path::{Path, PathBuf};
use store::ledger::NewEvent;

/// What an executor reports at its end.
#[derive(Clone, Debug, Default)]
pub struct Finish {
    /// `verified`, `done`, `failed` or `returned`.
    pub outcome: String,
    /// What the next one should know.
    pub note: Option<String>,
    /// A file whose bytes are kept as the log.
    pub log: Option<PathBuf>,
}

/// What may be reported.
const REPORTED: [&str; 4] = ["verified", "done", "failed", "returned"];

/// Bytes of a log that are kept: its end.
const LOG_BYTES: u64 = 4 * 1024 * 1024;

impl Desk {
    /// Records the outcome that the holder reports.
    ///
    /// # Errors
    /// [`Error::Token`] when the token is not the holder's any more; then nothing is recorded.
    pub fn finish(&self, id: &str, token: &str, finish: &Finish) -> Result<Decided, Error> {
        if !REPORTED.contains(&finish.outcome.as_str()) {
            return Err(Error::Usage(format!(
                "{:?} is no outcome; the outcomes are {}",
                finish.outcome,
                REPORTED.join(", ")
            )));
        }
        if finish.outcome == "returned" && finish.note.as_deref().is_none_or(|note| note.trim().is_empty()) {
            return Err(Error::Usage("returned needs a note of what is known now: --note TEXT".to_owned()));
        }
        let opened = self.opened(id)?;
        let open = holds(&opened.row.handle, opened.standing.claim.as_ref(), token)?.clone();
        let log = match &finish.log {
            Some(path) => Some(keep_log(path, Path::new(&open.claim.run))?),
            None => None,
        };
        let mut outcome = Outcome {
            claim: number_of(&opened.row.handle, token)?,
            outcome: finish.outcome.clone(),
            by: open.claim.by.clone(),
            note: finish.note.clone(),
            log,
            tree: self.tree_in_words(&opened),
            ..Outcome::default()
        };
        if let Some(touched) = self.touched_by(&opened, Path::new(&open.claim.run)) {
            let allowed = crate::ask::allowed_of(&opened.events, outcome.claim);
            outcome.outside = crate::launch::outside::outside(&opened.handoff().safety, &touched, &allowed);
            outcome.changed = crate::launch::outside::changed(&touched);
        }
        let event = self.finished(&opened, &outcome).by("agent");
        let decided = self.append_held(&opened, event, token)?;
        self.leave_marker(&opened.row, decided.state);
        Ok(decided)
    }

    pub(crate) fn finished(&self, opened: &Opened, outcome: &Outcome) -> NewEvent {
        NewEvent::new("finished", (self.now)())
            .about(&opened.row.identity, &opened.row.rev)
            .with(serde_json::to_value(outcome).unwrap_or_default())
    }

    /// Branch, commit and status now, for whoever goes on.
    pub(crate) fn tree_in_words(&self, opened: &Opened) -> Option<String> {
        let now = self.worker.look(&self.question(opened, None), GLANCE).now;
        let head = now.head?;
        let branch = now.branch.unwrap_or_else(|| "detached".to_owned());
        let status = now.status.map(|status| crate::approve::status_words(&status));
        Some(format!(
            "{branch} at {}, {}",
            head.get(..10).unwrap_or(&head),
            status.as_deref().unwrap_or("status unknown")
        ))
    }
}

/// Copies the end of a log into the run's folder.
fn keep_log(path: &Path, run: &Path) -> Result<String, Error> {
    let (mut bytes, _) = store::files::read(path, LOG_BYTES * 16)?;
    if bytes.len() as u64 > LOG_BYTES {
        bytes.drain(..bytes.len() - LOG_BYTES as usize);
    }
    Ok(store::files::seal(run, Path::new("report.log"), &bytes)?.display().to_string())
}

impl OpenClaim {
    /// The claim as others see it.
    pub fn view(&self) -> ClaimView {
        let log = Path::new(&self.claim.run).join("agent/agent.log");
        ClaimView {
            claim: self.number.unsigned_abs(),
            by: self.claim.by.clone(),
            profile: self.claim.profile.clone(),
            supervised: self.claim.supervised,
            since: rfc3339(self.at_ms),
            lease_until: self.lease_until_ms.map(rfc3339),
            stopping: self.stopping,
            pid: self.claim.holder.pid,
            log: log.exists().then(|| log.display().to_string()),
        }
    }
}
