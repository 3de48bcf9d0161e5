//! A start by a supervisor of its own, which lives on when the window is closed; and one that waits for the limit's
//! reset. A start that waits consumes nothing: it is looked at again at its moment like any other start.
//!
//! Cancelling and beginning are the same rename of one file, so that exactly one of them happens.

use crate::decide::rfc3339;
use crate::launch::Keeper;
use crate::resume::{ResumeRequest, RunEvent};
use crate::view::{Claimed, Decided};
use crate::{Desk, Error};
use serde::{Deserialize, Serialize};
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;
use store::{RunLock, name_of};
use ts_rs::TS;

/// How often a start that waits looks at the clock and whether it was cancelled.
const STEP: Duration = Duration::from_millis(500);

/// What a supervisor is told to do.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct StartOrder {
    /// The handoff.
    pub id: String,
    /// The profile under which the agent runs.
    pub profile: String,
    /// The command instead of the profile's; empty: the profile's.
    #[serde(default)]
    pub command: Vec<String>,
    /// Codes acknowledged.
    #[serde(default)]
    pub ack: Vec<String>,
    /// The check after the run instead of the profile's; empty: none.
    #[serde(default)]
    pub verify: Option<Vec<String>>,
    /// Whether it waits for the limit's reset.
    #[serde(default)]
    pub at_reset: bool,
}

/// What a supervisor tells whoever started it.
#[derive(Debug)]
pub enum Told {
    /// It waits.
    Waits(WaitingStart),
    /// It holds the handoff.
    Claimed(Box<Claimed>),
}

/// A start that waits for its time, or one that came to nothing.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct WaitingStart {
    /// The profile under which the agent would run.
    pub profile: String,
    /// When it starts.
    pub at: String,
    /// When a person said so.
    pub asked_at: String,
    /// Its supervisor.
    pub pid: u32,
    /// `waits`, `gone` (its supervisor ended before the time), `cancelled`, `refused`.
    pub state: String,
    /// Why it came to nothing.
    pub because: Option<String>,
}

impl Desk {
    /// Does what a supervisor is for: waits when it has to, then resumes and watches to the end.
    ///
    /// # Errors
    /// As [`Desk::resume`]. A start that waited keeps its refusal, for nobody listens any more.
    pub fn supervise(
        &self,
        order: &StartOrder,
        keeper: &Keeper,
        environment: &dyn Fn(&str) -> Option<String>,
        tell: &mut dyn FnMut(Told),
    ) -> Result<Option<Decided>, Error> {
        let request = ResumeRequest {
            profile: order.profile.clone(),
            command: order.command.clone(),
            ack: order.ack.clone(),
            verify: order.verify.clone(),
            environment,
        };
        let start = if order.at_reset { self.wait_for_reset(order, &request, tell)? } else { None };
        if order.at_reset && start.is_none() {
            return Ok(None);
        }
        let mut on = |event: RunEvent| {
            if let RunEvent::Claimed(claimed) = event {
                tell(Told::Claimed(claimed));
            }
        };
        let decided = self.resume(&order.id, &request, keeper, &mut on, &|| false);
        if let (Err(error), Some((path, start))) = (&decided, start) {
            let refused = WaitingStart { state: "refused".to_owned(), because: Some(error.to_string()), ..start };
            // The start is refused all the same; that it is remembered is for the person who looks later.
            let _ = write(&path, &refused);
        }
        decided.map(Some)
    }

    /// Waits until the limit has reset. Nothing: it was cancelled.
    fn wait_for_reset(
        &self,
        order: &StartOrder,
        request: &ResumeRequest<'_>,
        tell: &mut dyn FnMut(Told),
    ) -> Result<Option<(PathBuf, WaitingStart)>, Error> {
        let until = self.resets_at(&order.id)?;
        let missing: Vec<_> = self
            .resume_preview(&order.id, request)?
            .acknowledgements
            .into_iter()
            .filter(|one| !order.ack.contains(&one.code))
            .collect();
        let opened = self.opened(&order.id)?;
        let handle = opened.row.handle.clone();
        if !missing.is_empty() {
            return Err(Error::Acknowledge { handle, missing });
        }
        let good_until = self.approval_of(&opened)?.good_until_ms;
        if good_until <= until {
            return Err(Error::State {
                handle,
                state: format!("approved until {}", rfc3339(good_until)),
                needed: format!("the limit resets at {}, after that; approve it again later", rfc3339(until)),
            });
        }
        let identity = &opened.row.identity;
        let waits_already = || Error::State {
            handle: opened.row.handle.clone(),
            state: "about to be started at the reset".to_owned(),
            needed: "cancel that start first".to_owned(),
        };
        let Some(lock) = RunLock::take_start(&self.home, identity)? else { return Err(waits_already()) };
        let waiting = self.start_file(identity, "waiting");
        let last = self.start_file(identity, "last");
        let start = WaitingStart {
            profile: order.profile.clone(),
            at: rfc3339(until),
            asked_at: rfc3339((self.now)()),
            pid: std::process::id(),
            state: "waits".to_owned(),
            because: None,
        };
        write(&waiting, &start)?;
        tell(Told::Waits(start.clone()));
        while (self.now)() < until {
            if !waiting.exists() {
                return Ok(None);
            }
            std::thread::sleep(STEP);
        }
        let begins = fs::rename(&waiting, &last).is_ok();
        drop(lock);
        if !begins {
            return Ok(None);
        }
        let _ = fs::remove_file(&last);
        Ok(Some((last, start)))
    }

    /// Takes back a start that waits. One that began meanwhile is stopped like any run.
    ///
    /// # Errors
    /// [`Error::State`] when none waits.
    pub fn start_cancel(&self, id: &str) -> Result<(), Error> {
        let opened = self.opened(id)?;
        let identity = &opened.row.identity;
        let (waiting, last) = (self.start_file(identity, "waiting"), self.start_file(identity, "last"));
        let start = read(&waiting);
        match (start, fs::rename(&waiting, &last)) {
            (Some(start), Ok(())) => write(&last, &WaitingStart { state: "cancelled".to_owned(), ..start }),
            _ => Err(Error::State {
                handle: opened.row.handle,
                state: crate::decide::word(opened.standing.state),
                needed: "no start waits for its time".to_owned(),
            }),
        }
    }

    /// The start of a handoff that waits, or the last one that came to nothing.
    pub(crate) fn waiting_start(&self, identity: &str) -> Result<Option<WaitingStart>, Error> {
        if let Some(start) = read(&self.start_file(identity, "waiting")) {
            if RunLock::is_start_held(&self.home, identity)? {
                return Ok(Some(start));
            }
            return Ok(Some(WaitingStart { state: "gone".to_owned(), ..start }));
        }
        Ok(read(&self.start_file(identity, "last")))
    }

    fn start_file(&self, identity: &str, kind: &str) -> PathBuf {
        self.home.starts().join(format!("{}.{kind}", name_of(identity)))
    }
}

fn read(path: &Path) -> Option<WaitingStart> {
    serde_json::from_slice(&fs::read(path).ok()?).ok()
}

/// Replaces the file whole. It lies in a folder that is private.
fn write(path: &Path, start: &WaitingStart) -> Result<(), Error> {
    let failed = |source| Error::Launch { what: format!("writing {}", path.display()), source };
    let fresh = path.with_extension("new");
    let bytes = serde_json::to_vec(start).map_err(|error| failed(error.into()))?;
    fs::write(&fresh, bytes).and_then(|()| fs::rename(&fresh, path)).map_err(failed)
}
