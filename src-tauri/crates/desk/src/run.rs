//! A run as it is looked at: who holds the handoff, what happened so far, the end of the log, and how it ended. Reads
//! only; the same for a run that this window started, one of a terminal, and one that is over.

use crate::decide::rfc3339;
use crate::journal::{self, RunStep};
use crate::start::WaitingStart;
use crate::state::Claim;
use crate::view::{ClaimView, Outcome, Raw, RawLine, State};
use crate::{Desk, Error};
use serde::{Deserialize, Serialize};
use std::fs::File;
use std::io::{Read, Seek, SeekFrom};
use std::path::Path;
use store::ledger::Event;
use ts_rs::TS;

/// Bytes of the log's end that are shown.
const TAIL: u64 = 32 * 1024;
/// Lines of it.
const TAIL_LINES: usize = 200;
/// Steps that are shown; of the calls of tools the newest.
const STEPS: usize = 200;

/// The last run of a handoff, or the one under way.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
pub struct RunView {
    /// The handoff.
    pub handle: String,
    /// Where it is in its life.
    pub state: State,
    /// Why it is there.
    pub state_reason: Option<String>,
    /// Who held it last; none when nobody ever did.
    pub by: Option<String>,
    /// Its number.
    #[ts(type = "number | null")]
    pub number: Option<i64>,
    /// Whether a supervisor of ours watches it: then there are steps and a log.
    pub supervised: bool,
    /// Whether it is known how the trees were when it began: then what it changed is told.
    pub watched: bool,
    /// When it was claimed.
    pub since: Option<String>,
    /// When the claim ended.
    pub ended_at: Option<String>,
    /// The claim, while it is open.
    pub claim: Option<ClaimView>,
    /// How it ended.
    pub outcome: Option<Outcome>,
    /// What happened, oldest first, calls of tools aside.
    pub steps: Vec<RunStep>,
    /// The newest calls of tools.
    pub tool_calls: Vec<RunStep>,
    /// How many there were.
    pub tools: u32,
    /// The first of them, milliseconds after the claim.
    #[ts(type = "number | null")]
    pub first_tool_ms: Option<i64>,
    /// The end of the agent's output, with hidden characters made visible.
    pub log: Vec<RawLine>,
    /// Where all of it lies.
    pub log_path: Option<String>,
    /// Its size.
    #[ts(type = "number")]
    pub log_bytes: u64,
    /// The end of what the check after the run said, likewise.
    pub check_log: Vec<RawLine>,
    /// A start that waits for its time, or the last one that came to nothing.
    pub start: Option<WaitingStart>,
}

/// What changed since a run was started.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct RunChanges {
    /// Whether it could be told: how the trees were then is known and they could be looked at.
    pub known: bool,
    /// What of it the boundary refuses.
    pub outside: Vec<String>,
    /// All of it, one sentence each.
    pub changed: Vec<String>,
}

impl Desk {
    /// The run of a handoff as it is now.
    ///
    /// # Errors
    /// When the handoff is not there.
    pub fn run(&self, id: &str) -> Result<RunView, Error> {
        let opened = self.opened(id)?;
        let last = opened.events.iter().rev().find(|event| event.kind == "claimed");
        let claim: Option<Claim> = last.and_then(|event| serde_json::from_value(event.body.clone()).ok());
        let folder = claim.as_ref().map(|claim| Path::new(&claim.run).to_owned());
        let steps = folder.as_deref().map(journal::read).unwrap_or_default();
        let (calls, mut steps): (Vec<_>, Vec<_>) = steps.into_iter().partition(|step| step.kind == "tool");
        steps.drain(..steps.len().saturating_sub(STEPS));
        let log_path = opened
            .standing
            .outcome
            .as_ref()
            .and_then(|outcome| outcome.log.as_ref().map(Into::into))
            .or_else(|| folder.as_deref().map(|folder| folder.join("agent/agent.log")))
            .filter(|path| path.is_file());
        let (log, log_bytes) = log_path.as_deref().map(tail).unwrap_or_default();
        let check = opened.standing.outcome.as_ref().and_then(|outcome| outcome.check.as_ref());
        let check_log = check.and_then(|check| check.log.clone());
        Ok(RunView {
            state: opened.standing.state,
            state_reason: opened.standing.reason.clone(),
            by: claim.as_ref().map(|claim| claim.by.clone()),
            number: last.map(|event| event.seq),
            supervised: claim.as_ref().is_some_and(|claim| claim.supervised),
            watched: folder.as_deref().is_some_and(crate::begun::is_known),
            since: last.map(|event| rfc3339(event.at_ms)),
            ended_at: last.and_then(|claimed| end_of(&opened.events, claimed)),
            claim: opened.standing.claim.as_ref().map(crate::state::OpenClaim::view),
            outcome: opened.standing.outcome.clone(),
            tools: u32::try_from(calls.len()).unwrap_or(u32::MAX),
            first_tool_ms: calls.first().map(|call| call.after_ms),
            tool_calls: calls[calls.len().saturating_sub(STEPS)..].to_vec(),
            steps,
            log,
            log_path: log_path.map(|path| path.display().to_string()),
            log_bytes,
            check_log: check_log.map(|path| tail(Path::new(&path)).0).unwrap_or_default(),
            start: self.waiting_start(&opened)?,
            handle: opened.row.handle,
        })
    }

    /// What changed in the trees since the last run was started: the handoff's own drift counts from the handoff.
    ///
    /// # Errors
    /// When the handoff is not there.
    pub fn run_changes(&self, id: &str) -> Result<RunChanges, Error> {
        let opened = self.opened(id)?;
        let last = opened.events.iter().rev().find(|event| event.kind == "claimed");
        let claim: Option<Claim> = last.and_then(|event| serde_json::from_value(event.body.clone()).ok());
        let allowed = last.map(|event| crate::ask::allowed_of(&opened.events, event.seq)).unwrap_or_default();
        let touched = claim.and_then(|claim| self.touched_by(&opened, Path::new(&claim.run)));
        Ok(match touched {
            None => RunChanges::default(),
            Some(touched) => RunChanges {
                known: true,
                outside: crate::launch::outside::outside(&opened.handoff().safety, &touched, &allowed),
                changed: crate::launch::outside::changed(&touched),
            },
        })
    }

    /// The block as the last executor was given it, from its sealed copy.
    ///
    /// # Errors
    /// When nobody ever claimed it, or the copy is gone.
    pub fn given(&self, id: &str) -> Result<Raw, Error> {
        let opened = self.opened(id)?;
        let last = opened.events.iter().rev().find(|event| event.kind == "claimed");
        let claim: Option<Claim> = last.and_then(|event| serde_json::from_value(event.body.clone()).ok());
        let Some(claim) = claim else {
            return Err(Error::State {
                handle: opened.row.handle,
                state: crate::decide::word(opened.standing.state),
                needed: "nobody was given it yet".to_owned(),
            });
        };
        let (bytes, _) = store::files::read(&Path::new(&claim.run).join("block.md"), u64::from(u32::MAX))?;
        Ok(crate::diff::raw(&bytes))
    }
}

/// When the claim of an event ended.
fn end_of(events: &[Event], claimed: &Event) -> Option<String> {
    let ends = ["finished", "interrupted", "released", "aborted", "stopped"];
    let end = events.iter().filter(|event| event.seq > claimed.seq).find(|event| ends.contains(&event.kind.as_str()));
    end.map(|event| rfc3339(event.at_ms))
}

/// The last lines of a log that may still grow, and its size.
fn tail(path: &Path) -> (Vec<RawLine>, u64) {
    let read = || -> std::io::Result<(Vec<u8>, u64)> {
        let mut file = File::open(path)?;
        let size = file.metadata()?.len();
        file.seek(SeekFrom::Start(size.saturating_sub(TAIL)))?;
        let mut bytes = Vec::new();
        file.take(TAIL).read_to_end(&mut bytes)?;
        Ok((bytes, size))
    };
    let Ok((bytes, size)) = read() else { return (Vec::new(), 0) };
    // The first line of a part may be the end of one.
    let from = if size > TAIL { bytes.iter().position(|byte| *byte == b'\n').map_or(0, |at| at + 1) } else { 0 };
    let mut lines = crate::diff::raw(&bytes[from..]).lines;
    lines.drain(..lines.len().saturating_sub(TAIL_LINES));
    (lines, size)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_end_of_a_long_log_begins_with_a_whole_line() {
        let folder = tempfile::TempDir::new().expect("a folder");
        let path = folder.path().join("log");
        let text: String = (0..20_000).map(|line| format!("line {line}\n")).collect();
        std::fs::write(&path, &text).expect("written");
        let (lines, size) = tail(&path);
        assert_eq!((lines.len(), size), (TAIL_LINES, text.len() as u64));
        assert_eq!(lines.last().map(|line| line.pieces[0].text.as_str()), Some("line 19999"));
        assert!(lines[0].pieces[0].text.starts_with("line 198"), "{:?}", lines[0]);
    }
}
