//! The states of a handoff and what leads from one to another, in as few words as they can be said.

use super::{DECISIONS, MARKS, MINUTE, OUTCOMES, Step};
use desk::view::State;
use desk::{Decision, Mark};

/// An approval is good for so long.
const GOOD: i64 = 24 * 60 * MINUTE;

/// Which token an executor shows.
#[derive(Clone, Copy, Debug)]
pub enum Token {
    /// That of the last claim.
    Last,
    /// That of the claim before.
    Earlier,
    /// One with the right number and another secret.
    Forged,
}

/// What must be so.
pub struct Expected {
    now: i64,
    /// The version on disk.
    version: usize,
    /// The last decision, and the version that it was about.
    decided: (State, Option<usize>),
    good_until: i64,
    claim: Option<Held>,
    claims: usize,
    last_number: i64,
    next_number: i64,
}

struct Held {
    running: bool,
    minutes: i64,
    until: i64,
}

impl Expected {
    pub fn new(now: i64) -> Self {
        Self {
            now,
            version: 0,
            decided: (State::Pending, None),
            good_until: 0,
            claim: None,
            claims: 0,
            last_number: 0,
            next_number: 0,
        }
    }

    /// Told the number of a claim that was given.
    pub fn number(&mut self, number: u64) {
        self.next_number = i64::try_from(number).unwrap_or(i64::MAX);
    }

    pub fn last_number(&self) -> i64 {
        self.last_number
    }

    pub fn is_held(&mut self, now: i64) -> bool {
        self.state(now);
        self.claim.is_some()
    }

    /// The state, with everything that time and saves ended by now.
    pub fn state(&mut self, now: i64) -> State {
        self.now = now;
        if self.claim.take_if(|held| held.until <= now).is_some() {
            // With whatever its executor had written by then.
            self.decided = (State::Interrupted, Some(self.version));
        }
        if let Some(held) = &self.claim {
            return if held.running { State::Running } else { State::Claimed };
        }
        let (state, about) = self.decided;
        if state == State::Pending {
            return State::Pending;
        }
        // What was decided about other bytes says nothing about these. An approval does not come back with them.
        if about.is_some_and(|about| about != self.version) {
            if state == State::Approved {
                self.decided = (State::Pending, Some(self.version));
            }
            return State::Pending;
        }
        if state == State::Approved && self.good_until <= now {
            self.decided = (State::Pending, Some(self.version));
            return State::Pending;
        }
        state
    }

    /// Does a step when it may be done.
    pub fn act(&mut self, step: &Step) -> bool {
        let now = match step {
            Step::Pass(minutes) => self.now + minutes * MINUTE,
            _ => self.now,
        };
        if let Step::Pass(_) | Step::Restart = step {
            self.state(now);
            return true;
        }
        if let Step::Save(version) = step {
            self.version = *version;
            return true;
        }
        let state = self.state(now);
        let may = self.may(step, state);
        if may {
            self.follow(step);
        }
        may
    }

    fn may(&self, step: &Step, state: State) -> bool {
        let free = self.claim.is_none();
        match step {
            Step::Approve => {
                matches!(state, State::Pending | State::Approved | State::Returned | State::Superseded) && free
            }
            Step::Decide(number) => match DECISIONS[*number] {
                Decision::Return => matches!(state, State::Pending | State::Approved | State::Superseded),
                Decision::Skip | Decision::Expire => {
                    matches!(state, State::Pending | State::Approved | State::Superseded | State::Returned)
                }
                Decision::Stop => matches!(state, State::Approved | State::Claimed | State::Running),
                Decision::Reopen => free && state != State::Pending,
            },
            Step::Mark(_) => free,
            Step::Claim(_) => state == State::Approved,
            Step::Heartbeat(token) | Step::Running(token) | Step::Finish(token, _) => {
                !free && matches!(token, Token::Last)
            }
            Step::Release(right) => *right && self.claims > 0 && (!free || state == State::Interrupted),
            Step::Save(_) | Step::Pass(_) | Step::Restart => true,
        }
    }

    fn follow(&mut self, step: &Step) {
        let decided = match step {
            Step::Approve => {
                self.good_until = self.now + GOOD;
                State::Approved
            }
            Step::Decide(number) => match DECISIONS[*number] {
                Decision::Return => State::Returned,
                Decision::Skip => State::Skipped,
                Decision::Stop => State::Stopped,
                Decision::Expire => State::Expired,
                Decision::Reopen => State::Pending,
            },
            Step::Mark(number) => match MARKS[*number] {
                Mark::Done => State::Done,
                Mark::Failed => State::Failed,
                Mark::Resumed => State::Running,
                Mark::Superseded => State::Superseded,
            },
            Step::Finish(_, outcome) => match OUTCOMES[*outcome] {
                "verified" => State::Verified,
                "done" => State::Done,
                "failed" => State::Failed,
                _ => State::Returned,
            },
            Step::Release(_) => State::Pending,
            Step::Claim(minutes) => {
                let minutes = i64::from(*minutes);
                let until = self.now + minutes * MINUTE;
                assert!(self.next_number > self.last_number, "a later claim has a higher number");
                self.last_number = self.next_number;
                self.claims += 1;
                self.decided = (State::Claimed, Some(self.version));
                self.claim = Some(Held { running: false, minutes, until });
                return;
            }
            Step::Heartbeat(_) | Step::Running(_) => {
                if let Some(held) = &mut self.claim {
                    held.until = self.now + held.minutes * MINUTE;
                    held.running |= matches!(step, Step::Running(_));
                }
                return;
            }
            Step::Save(_) | Step::Pass(_) | Step::Restart => return,
        };
        self.claim = None;
        self.decided = (decided, Some(self.version));
    }
}
