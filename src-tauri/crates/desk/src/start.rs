//! A start by a supervisor of its own, which lives on when the window is closed; and one that a person wants when the
//! limit resets. Such a wish stands in the ledger, so that it outlives every program and the machine's restart: whoever
//! runs sees it, one process attends it under a kernel lock and begins it at its time, and the lock is free again
//! when that process is gone.
//!
//! A wish consumes nothing and binds to the approval that stood when it was said. At its time the handoff is looked at
//! again like at any other start. The claim names the wish, so that cancelling and beginning are two events of which
//! the ledger takes one.

use crate::decide::{rfc3339, word};
use crate::desk::Opened;
use crate::launch::Keeper;
use crate::resume::{ResumeRequest, RunEvent};
use crate::state::taken_back;
use crate::view::Decided;
use crate::{Desk, Error};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use sha2::{Digest, Sha256};
use std::time::Duration;
use store::RunLock;
use store::config::Profile;
use store::ledger::{Event, NewEvent};
use ts_rs::TS;

/// How often whoever attends a wish looks at clock and ledger: a machine that was suspended is noticed soon.
const STEP_MS: i64 = 1_000;

/// What a supervisor is told to do.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
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
    /// The name of the run that a person was shown.
    #[serde(default)]
    pub run: Option<String>,
}

/// A start that waits for its time, or one that came to nothing.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct WaitingStart {
    /// Its number.
    #[ts(type = "number")]
    pub number: u64,
    /// The profile under which the agent would run.
    pub profile: String,
    /// When it starts.
    pub at: String,
    /// When a person said so.
    pub asked_at: String,
    /// `waits`, `unattended` (no program of ours runs that would begin it), `cancelled`, `refused`.
    pub state: String,
    /// Why it came to nothing.
    pub because: Option<String>,
}

/// What a `start_waits` event says.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Wish {
    /// The profile.
    pub profile: String,
    /// The command instead of the profile's.
    pub command: Vec<String>,
    /// What the profile would start then: another launch command is another start.
    pub launch: String,
    /// Codes acknowledged.
    pub ack: Vec<String>,
    /// The check instead of the profile's.
    pub verify: Option<Vec<String>>,
    /// The name of the run that the person was shown.
    pub run: Option<String>,
    /// When, UTC milliseconds.
    pub start_at_ms: i64,
}

/// Where a wish is in its life.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WishState {
    /// Nobody began it yet.
    Waits,
    /// A person took it back.
    Cancelled,
    /// It was not started, or what it was bound to is no more.
    Refused,
}

/// A wish as the ledger tells it.
#[derive(Clone, Debug, PartialEq)]
pub struct StartWish {
    /// Its number: that of its event.
    pub number: i64,
    /// When a person said so, UTC milliseconds.
    pub asked_ms: i64,
    /// The event's body.
    pub wish: Wish,
    /// Where it is.
    pub state: WishState,
    /// Why it came to nothing.
    pub because: Option<String>,
}

/// How waiting ended.
pub enum Waited {
    /// Its time has come, and this process alone may begin it.
    Begins(RunLock),
    /// It was cancelled, refused or begun by another process.
    Over,
    /// The caller wants to wait no longer.
    Left,
}

impl StartWish {
    /// Takes the next event of the handoff in.
    pub(crate) fn fold(now: &mut Option<Self>, event: &Event) {
        let waiting = now.as_mut().filter(|start| start.state == WishState::Waits);
        let named = event.body.get("start").and_then(Value::as_i64);
        match (event.kind.as_str(), waiting) {
            ("start_waits", _) => {
                *now = Some(Self {
                    number: event.seq,
                    asked_ms: event.at_ms,
                    wish: serde_json::from_value(event.body.clone()).unwrap_or_default(),
                    state: WishState::Waits,
                    because: None,
                });
            }
            ("claimed", _) | ("approved", None) => *now = None,
            ("approved", Some(start)) => start.refuse(Some("it was approved anew")),
            ("start_cancelled", Some(start)) if named == Some(start.number) => start.state = WishState::Cancelled,
            ("start_refused", Some(start)) if named == Some(start.number) => {
                start.refuse(event.body.get("because").and_then(Value::as_str));
            }
            _ => {}
        }
    }

    /// What it was bound to holds no more.
    pub(crate) fn lapse(&mut self, because: Option<&str>) {
        if self.state == WishState::Waits {
            self.refuse(because.or(Some("it is not approved any more")));
        }
    }

    fn refuse(&mut self, because: Option<&str>) {
        self.state = WishState::Refused;
        self.because = because.map(str::to_owned);
    }

    /// As the window and the command line show it. Whether somebody attends it is not in the ledger.
    pub(crate) fn view(&self) -> WaitingStart {
        let state = match self.state {
            WishState::Waits => "waits",
            WishState::Cancelled => "cancelled",
            WishState::Refused => "refused",
        };
        WaitingStart {
            number: self.number.unsigned_abs(),
            profile: self.wish.profile.clone(),
            at: rfc3339(self.wish.start_at_ms),
            asked_at: rfc3339(self.asked_ms),
            state: state.to_owned(),
            because: self.because.clone(),
        }
    }

    fn order(&self, id: &str) -> StartOrder {
        let Wish { profile, command, ack, verify, run, .. } = self.wish.clone();
        StartOrder { id: id.to_owned(), profile, command, ack, verify, run }
    }
}

impl Desk {
    /// Resumes at once and watches to the end, for whoever asked a supervisor of its own. `begun` is told that it holds
    /// the handoff.
    ///
    /// # Errors
    /// As [`Desk::resume`].
    pub fn supervise(
        &self,
        order: &StartOrder,
        keeper: &Keeper,
        environment: &dyn Fn(&str) -> Option<String>,
        begun: &mut dyn FnMut(),
    ) -> Result<Decided, Error> {
        let mut on = |event: RunEvent| {
            if let RunEvent::Claimed(_) = event {
                begun();
            }
        };
        self.resume(&order.id, &request(order, environment, None), keeper, &mut on, &|| false)
    }

    /// Writes down that a person wants this start when the limit resets. Everything that would refuse it now refuses it.
    /// The same wish again is the one that waits.
    ///
    /// # Errors
    /// As [`Desk::resume_preview`]; when no reset is known, the approval is over by then, or another start waits.
    pub fn wish_start(
        &self,
        order: &StartOrder,
        environment: &dyn Fn(&str) -> Option<String>,
    ) -> Result<WaitingStart, Error> {
        if let (Some((agent, variable)), false) = (self.caller.agent, order.ack.is_empty()) {
            return Err(Error::InsideAgent { agent, variable });
        }
        let start_at_ms = self.resets_at(&order.id)?;
        let preview = self.resume_preview(&order.id, &request(order, environment, None))?;
        let missing: Vec<_> =
            preview.acknowledgements.into_iter().filter(|one| !order.ack.contains(&one.code)).collect();
        let opened = self.opened(&order.id)?;
        let row = &opened.row;
        if !missing.is_empty() {
            return Err(Error::Acknowledge { handle: row.handle.clone(), missing });
        }
        if !handoff::secrets(&order.command.join(" ")).is_empty() {
            return Err(Error::Usage(
                "the command holds what looks like a secret, and a start that waits is written down; \
                 give it by the environment or in the profile's launch command"
                    .to_owned(),
            ));
        }
        let approval = self.approval_of(&opened)?;
        if approval.good_until_ms <= start_at_ms {
            return Err(Error::State {
                handle: row.handle.clone(),
                state: format!("approved until {}", rfc3339(approval.good_until_ms)),
                needed: format!("the limit resets at {}, after that; approve it again later", rfc3339(start_at_ms)),
            });
        }
        if let Some(start) = opened.standing.start.as_ref().filter(|start| start.state == WishState::Waits)
            && start.order(&order.id) == (StartOrder { run: start.wish.run.clone(), ..order.clone() })
        {
            return Ok(start.view());
        }
        let wish = Wish {
            profile: order.profile.clone(),
            command: order.command.clone(),
            launch: launch_of(&self.profile(&order.profile)?),
            ack: order.ack.clone(),
            verify: order.verify.clone(),
            run: order.run.clone(),
            start_at_ms,
        };
        let mut body = serde_json::to_value(&wish).unwrap_or_default();
        body["note"] = json!(format!("under {} at {}", order.profile, rfc3339(start_at_ms)));
        body["host"] = json!(self.caller.host);
        let event = NewEvent::new("start_waits", (self.now)()).about(&row.identity, &row.rev).with(body);
        let event = self.ledger.append::<Error>(event, |own| {
            let standing = self.standing_of(row, own);
            let refused = |state, needed: &str| {
                Err(Error::State { handle: row.handle.clone(), state, needed: needed.to_owned() })
            };
            if standing.start.is_some_and(|start| start.state == WishState::Waits) {
                return refused("about to be started at the reset".to_owned(), "cancel that start first");
            }
            match standing.approval {
                Some(now) if now == approval => Ok(()),
                _ => refused(word(standing.state), "its approval was used or taken back; approve it first"),
            }
        })?;
        // OK because the event is a wish.
        said(&[event]).map(|start| start.view()).ok_or_else(|| no_start(&opened))
    }

    /// Waits until the time of the wish that a handoff has. Of all processes that do, one begins it. `look` is told
    /// the milliseconds that are left and says whether to wait on.
    ///
    /// # Errors
    /// When ledger or lock cannot be read.
    pub fn wait_for_start(&self, id: &str, look: &mut dyn FnMut(i64) -> bool) -> Result<Waited, Error> {
        let opened = self.opened(id)?;
        let row = &opened.row;
        let Some(wish) = said(&opened.events) else { return Ok(Waited::Over) };
        let mut lock = None;
        let (mut head, mut holds) = (0, true);
        loop {
            // The lock comes before the look: whoever had it wrote down what became of the wish before giving it back.
            if lock.is_none() {
                lock = RunLock::take_start(&self.home, &row.identity)?;
            }
            let now = self.ledger.head()?;
            if now != head {
                head = now;
                let events = self.ledger.events_of(&row.identity)?;
                if !said(&events).is_some_and(|start| start.number == wish.number && start.state == WishState::Waits) {
                    return Ok(Waited::Over);
                }
                // One that lapsed is begun at once: the start itself says why not, and that is written down.
                holds = self.standing_of(row, &events).approval.is_some();
            }
            let left = wish.wish.start_at_ms - (self.now)();
            match lock.take() {
                Some(lock) if left <= 0 || !holds => return Ok(Waited::Begins(lock)),
                mine => lock = mine,
            }
            if !look(left.max(0)) {
                return Ok(Waited::Left);
            }
            let pause = if left <= 0 { STEP_MS } else { left.min(STEP_MS) };
            // A moment is waited for, which no event tells; a suspended machine wakes into the next step.
            std::thread::sleep(Duration::from_millis(pause.unsigned_abs()));
        }
    }

    /// Begins the wish of a handoff, whose time has come, and watches to the end. What refuses it is written down.
    ///
    /// # Errors
    /// As [`Desk::resume`].
    pub fn begin_start(
        &self,
        id: &str,
        lock: RunLock,
        keeper: &Keeper,
        environment: &dyn Fn(&str) -> Option<String>,
        on: &mut dyn FnMut(RunEvent),
        cancel: &dyn Fn() -> bool,
    ) -> Result<Decided, Error> {
        let opened = self.opened(id)?;
        let Some(start) = opened.standing.start.clone() else { return Err(no_start(&opened)) };
        let order = start.order(id);
        let decided = self
            .same_launch(&opened, &start.wish)
            .and_then(|()| self.resume(id, &request(&order, environment, Some(start.number)), keeper, on, cancel));
        if let Err(error) = &decided {
            self.refuse_start(&opened, &start, &error.to_string())?;
        }
        drop(lock);
        decided
    }

    /// What a person was shown is what is started.
    fn same_launch(&self, opened: &Opened, wish: &Wish) -> Result<(), Error> {
        if launch_of(&self.profile(&wish.profile)?) == wish.launch {
            return Ok(());
        }
        Err(Error::Changed {
            handle: opened.row.handle.clone(),
            differences: vec![format!("the profile {} would start another command now", wish.profile)],
            conflict: None,
        })
    }

    /// Nothing is written when it was begun or cancelled meanwhile.
    fn refuse_start(&self, opened: &Opened, start: &StartWish, because: &str) -> Result<(), Error> {
        let row = &opened.row;
        let event = NewEvent::new("start_refused", (self.now)())
            .about(&row.identity, &row.rev)
            .by("fuda")
            .with(json!({ "start": start.number, "because": because }));
        let appended = self.ledger.append::<Error>(event, |own| match said(own) {
            Some(now) if now.number == start.number && now.state == WishState::Waits => Ok(()),
            _ => Err(no_start(opened)),
        });
        match appended {
            Err(Error::State { .. }) | Ok(_) => Ok(()),
            Err(error) => Err(error),
        }
    }

    /// Takes back a start that waits. One that began meanwhile is stopped like any run.
    ///
    /// # Errors
    /// [`Error::State`] when none waits.
    pub fn start_cancel(&self, id: &str) -> Result<WaitingStart, Error> {
        let opened = self.opened(id)?;
        let row = &opened.row;
        let Some(start) = opened.standing.start.clone() else { return Err(no_start(&opened)) };
        let event = NewEvent::new("start_cancelled", (self.now)())
            .about(&row.identity, &row.rev)
            .with(json!({ "start": start.number, "host": self.caller.host }));
        self.ledger.append::<Error>(event, |own| match self.standing_of(row, own).start {
            Some(now) if now.number == start.number && now.state == WishState::Waits => Ok(()),
            _ => Err(no_start(&opened)),
        })?;
        Ok(StartWish { state: WishState::Cancelled, ..start }.view())
    }

    /// Handles of those whose start waits, each with whether a process attends it.
    ///
    /// # Errors
    /// When index or ledger cannot be read.
    pub fn waiting_starts(&self) -> Result<Vec<(String, bool)>, Error> {
        let mut waiting = Vec::new();
        let mut identities: Vec<String> =
            self.ledger.events_of_kinds(&["start_waits"])?.into_iter().filter_map(|event| event.handoff).collect();
        identities.sort();
        identities.dedup();
        for identity in identities {
            // None: its file is gone, so there is nothing to look at again.
            let Some(row) = self.index.get(&identity)? else { continue };
            let events = self.ledger.events_of(&identity)?;
            // What lapsed is attended too: whoever does writes down that it is not started.
            if said(&events).is_some_and(|start| start.state == WishState::Waits) {
                waiting.push((row.handle, RunLock::is_start_held(&self.home, &identity)?));
            }
        }
        Ok(waiting)
    }

    /// The number of the last event, for whoever looks what is new from time to time.
    ///
    /// # Errors
    /// When the ledger cannot be read.
    pub fn last_event(&self) -> Result<i64, Error> {
        Ok(self.ledger.head()?)
    }

    /// The start of a handoff that waits, or the last one that came to nothing.
    pub(crate) fn waiting_start(&self, opened: &Opened) -> Result<Option<WaitingStart>, Error> {
        let Some(start) = &opened.standing.start else { return Ok(None) };
        let mut view = start.view();
        if start.state == WishState::Waits && !RunLock::is_start_held(&self.home, &opened.row.identity)? {
            view.state = "unattended".to_owned();
        }
        Ok(Some(view))
    }
}

fn no_start(opened: &Opened) -> Error {
    Error::State {
        handle: opened.row.handle.clone(),
        state: word(opened.standing.state),
        needed: "no start waits for its time".to_owned(),
    }
}

/// The last wish, as the events alone tell it.
fn said(events: &[Event]) -> Option<StartWish> {
    let mut start = None;
    let taken_back = taken_back(events);
    let stand = events.iter().filter(|event| !taken_back.contains(&event.seq));
    stand.for_each(|event| StartWish::fold(&mut start, event));
    start
}

fn request<'a>(
    order: &StartOrder,
    environment: &'a dyn Fn(&str) -> Option<String>,
    start: Option<i64>,
) -> ResumeRequest<'a> {
    ResumeRequest {
        profile: order.profile.clone(),
        command: order.command.clone(),
        ack: order.ack.clone(),
        verify: order.verify.clone(),
        start,
        run: order.run.clone(),
        environment,
    }
}

/// A hash of what a profile starts.
fn launch_of(profile: &Profile) -> String {
    let words = json!([profile.agent, profile.launch, profile.deliver, profile.verify]).to_string();
    Sha256::digest(words.as_bytes()).iter().map(|byte| format!("{byte:02x}")).collect()
}
