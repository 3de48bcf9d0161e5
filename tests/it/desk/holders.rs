//! Whether the holder of a claim is gone is asked of this machine only: a claim of another machine is held until a
//! person ends it with its number, and one of an earlier start of this machine is interrupted and never free.

use crate::support::{Bench, DAY, approve, now, only, pass, scan};
use desk::view::State;
use desk::{Caller, ClaimRequest, Desk, Error, Holder, Options};
use serde_json::json;
use store::ledger::{Ledger, NewEvent};
use store::{Home, RunLock};

fn holder(host: &str, boot: &str) -> Holder {
    Holder { host: host.to_owned(), boot: boot.to_owned(), pid: 4_711, ..Holder::default() }
}

/// The desk on this machine.
fn here(bench: &Bench) -> Desk {
    Desk::open(Options {
        root: bench.home(),
        home: bench.home().with_file_name("person"),
        worker: (env!("CARGO_BIN_EXE_desk-worker").into(), Vec::new()),
        now_ms: now,
        caller: Caller { host: "window", holder: holder("here", "today"), ..Caller::default() },
    })
    .expect("a desk")
}

/// A supervised claim as its holder wrote it down.
struct Held {
    bench: Bench,
    desk: Desk,
    handle: String,
    identity: String,
    number: i64,
    token: String,
}

impl Held {
    fn by(holder: &Holder) -> Self {
        let bench = Bench::new();
        let desk = here(&bench);
        bench.handoff("HANDOFF.md", "one");
        scan(&desk);
        let handle = only(&desk).handle;
        approve(&desk, &handle);
        let ledger = ledger(&bench);
        let leased = desk.claim(&handle, &request("supervisor")).expect("claimed");
        let leased = ledger.events().expect("read").into_iter().find(|one| one.seq.unsigned_abs() == leased.claim);
        let leased = leased.expect("the claim");
        desk.release(&handle, leased.seq, "to be claimed by a supervisor").expect("released");
        let secret = "0123456789abcdef0123456789abcdef";
        let mut body = leased.body.clone();
        body["supervised"] = json!(true);
        body["holder"] = json!(holder);
        body["token_hash"] = json!(handoff::revision(secret.as_bytes()));
        let identity = leased.handoff.clone().expect("a handoff");
        let event = NewEvent::new("claimed", now())
            .about(&identity, leased.rev.as_deref().expect("a revision"))
            .by("supervisor")
            .with(body);
        let number = ledger.append::<store::Error>(event, |_| Ok(())).expect("written").seq;
        Self { bench, desk, handle, identity, number, token: format!("{number}-{secret}") }
    }

    fn state(&self) -> (State, String) {
        let detail = self.desk.detail(&self.handle).expect("a detail");
        (detail.state, detail.state_reason.unwrap_or_default())
    }

    /// Everything that somebody else may try without being the holder or naming a reason.
    fn is_not_taken(&self) {
        let claimed = self.desk.claim(&self.handle, &request("other"));
        assert!(matches!(claimed, Err(Error::Held { .. } | Error::State { .. })), "{claimed:?}");
        let forged = format!("{}-{}", self.number, "f".repeat(32));
        for token in [forged, format!("{}-x", self.number - 1)] {
            assert!(matches!(self.desk.running(&self.handle, &token), Err(Error::Token { .. })));
            assert!(matches!(self.desk.heartbeat(&self.handle, &token), Err(Error::Token { .. })));
        }
        assert!(matches!(self.desk.release(&self.handle, self.number, " "), Err(Error::Usage(_))));
        assert!(matches!(self.desk.release(&self.handle, self.number - 1, "why"), Err(Error::State { .. })));
    }

    fn interrupted(&self) -> usize {
        let events = ledger(&self.bench).events().expect("read");
        events.iter().filter(|event| event.kind == "interrupted").count()
    }
}

fn ledger(bench: &Bench) -> Ledger {
    let home = Home::open(&bench.home()).expect("a home");
    Ledger::open(&home.ledger(), &home.mirror(), &home.locks().join("ledger.lock"), &home.blobs()).expect("a ledger")
}

fn request(by: &str) -> ClaimRequest {
    ClaimRequest { by: by.to_owned(), ..ClaimRequest::default() }
}

#[test]
fn a_claim_of_another_machine_is_held_until_its_holder_or_a_person_ends_it() {
    for other in [holder("elsewhere", "today"), holder("elsewhere", "yesterday"), holder("", "")] {
        let held = Held::by(&other);
        assert_eq!(held.state().0, State::Claimed, "{other:?}");
        held.is_not_taken();
        pass(90 * DAY);
        scan(&held.desk);
        held.is_not_taken();
        assert_eq!((held.state().0, held.interrupted()), (State::Claimed, 0), "{other:?}");
        held.desk.running(&held.handle, &held.token).expect("the holder's own sign of life");
        assert_eq!(held.state().0, State::Running, "{other:?}");
        held.desk.release(&held.handle, held.number, "that machine is gone").expect("a person with a reason");
        assert_eq!(held.state().0, State::Pending, "{other:?}");
        assert!(matches!(held.desk.running(&held.handle, &held.token), Err(Error::Token { .. })));
    }
}

#[test]
fn a_claim_of_an_earlier_start_of_this_machine_is_interrupted_with_its_reason_and_never_free() {
    let held = Held::by(&holder("here", "yesterday"));
    held.is_not_taken();
    let (state, reason) = held.state();
    assert_eq!((state, held.interrupted()), (State::Interrupted, 1), "{reason}");
    assert!(reason.contains("the machine was started anew"), "{reason}");
    held.is_not_taken();
    assert!(matches!(held.desk.running(&held.handle, &held.token), Err(Error::Token { .. })));
    held.desk.release(&held.handle, held.number, "looked at the tree").expect("a person with a reason");
    assert!(matches!(held.desk.claim(&held.handle, &request("other")), Err(Error::State { .. })), "pending, not free");
}

#[test]
fn a_claim_of_this_start_is_held_as_long_as_its_lock_is() {
    let held = Held::by(&holder("here", "today"));
    let home = Home::open(&held.bench.home()).expect("a home");
    let lock = RunLock::take(&home, &held.identity).expect("a lock").expect("free");
    held.is_not_taken();
    pass(DAY);
    held.is_not_taken();
    assert_eq!((held.state().0, held.interrupted()), (State::Claimed, 0));
    drop(lock);
    held.is_not_taken();
    let (state, reason) = held.state();
    assert_eq!((state, held.interrupted()), (State::Interrupted, 1), "{reason}");
    assert!(reason.contains("supervised supervisor is gone"), "{reason}");
}
