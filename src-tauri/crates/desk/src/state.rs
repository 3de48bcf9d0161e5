//! Where a handoff is in its life: a fold over its events in the ledger, and nothing else. What the document
//! says about its own state is never believed.

use crate::holder::Holder;
use crate::start::StartWish;
use crate::view::{Acknowledgement, Outcome, State};
use handoff::Readable;
use repo::Fingerprint;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::collections::HashSet;
use std::path::PathBuf;
use store::ledger::Event;
use store::stands;

/// Why an approval ended when nothing changed.
pub const TIME_IS_OVER: &str = "the approval's time is over";

/// What an approval binds.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Approval {
    /// The revision.
    pub rev: String,
    /// The tree, or the folder when there is no repository.
    pub fingerprint: Fingerprint,
    /// Hash of the block that would be handed over.
    pub block_hash: String,
    /// The renderer that made it.
    pub renderer: u32,
    /// The codes that the person acknowledged.
    pub acknowledged: Vec<String>,
    /// What those codes said at that time.
    #[serde(default)]
    pub seen: Vec<Acknowledgement>,
    /// A note to the next model and the audit.
    pub note: Option<String>,
    /// Until when it is good, UTC milliseconds.
    pub good_until_ms: i64,
}

/// What a `claimed` event says: who may act on a handoff, from which approval, and how it is known to be alive.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Claim {
    /// The executor's name.
    pub by: String,
    /// The profile it runs under, when it is one of ours.
    pub profile: Option<String>,
    /// Held by a kernel lock rather than by a lease.
    pub supervised: bool,
    /// Seconds of the lease; each heartbeat begins it anew.
    pub lease_seconds: u32,
    /// SHA-256 of the secret half of the token.
    pub token_hash: String,
    /// The process that claimed.
    pub holder: Holder,
    /// Worktrees that the approval binds.
    pub worktrees: Vec<String>,
    /// Codes acknowledged at the claim.
    pub acknowledged: Vec<String>,
    /// The private folder of the run, below `FUDA_HOME`.
    pub run: String,
    /// What was approved.
    pub approval: Option<Approval>,
}

/// A claim that nobody ended yet.
#[derive(Clone, Debug, PartialEq)]
pub struct OpenClaim {
    /// Its number: that of its event, so a later claim has a higher one.
    pub number: i64,
    /// When, UTC milliseconds.
    pub at_ms: i64,
    /// Until when its lease lasts, for those that have one.
    pub lease_until_ms: Option<i64>,
    /// Whether a person asked it to stop.
    pub stopping: bool,
    /// Whether a person asked again: it is ended at once.
    pub firmly: bool,
    /// The event's body.
    pub claim: Claim,
}

/// What the fold needs to know about the present.
#[derive(Clone, Debug)]
pub struct Current<'a> {
    /// The revision on disk.
    pub rev: &'a str,
    /// How much of it was understood.
    pub readable: Readable,
    /// Why it is refused or incomplete.
    pub readable_reason: Option<&'a str>,
    /// The handle of a newer handoff of the same work.
    pub superseded_by: Option<&'a str>,
    /// Whether the same id stands for other bytes elsewhere.
    pub conflict: bool,
    /// Now, UTC milliseconds.
    pub now_ms: i64,
}

/// Where a handoff stands.
#[derive(Clone, Debug, PartialEq)]
pub struct Standing {
    /// The state.
    pub state: State,
    /// Why.
    pub reason: Option<String>,
    /// The note of the last decision.
    pub note: Option<String>,
    /// The approval, while it holds.
    pub approval: Option<Approval>,
    /// The last approval that no longer holds, for saying what changed since.
    pub lapsed: Option<Approval>,
    /// Who holds it.
    pub claim: Option<OpenClaim>,
    /// Whether a lease is over and no event says so yet.
    pub unsettled: bool,
    /// The number of the last claim, also when it has ended.
    pub last_claim: Option<i64>,
    /// How the last run ended.
    pub outcome: Option<Outcome>,
    /// The start that a person wants at a time, until somebody begins it; or the last one that came to nothing.
    pub start: Option<StartWish>,
    /// Whether a person moved it into or out of the archive.
    pub archived: Option<bool>,
    /// The folder that a person bound it to.
    pub binding: Option<PathBuf>,
    /// Items re-checked, each with the revision and the HEAD it was checked at.
    pub rechecked: Vec<Rechecked>,
}

/// A fact that a person looked at again.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Rechecked {
    /// Such as `facts/0`.
    pub item: String,
    /// The revision.
    pub rev: String,
    /// Digest of the tree.
    pub tree: String,
}

/// Folds the events of one handoff, oldest first.
pub fn standing(events: &[Event], current: &Current<'_>) -> Standing {
    let mut now = Standing {
        state: State::Pending,
        reason: None,
        note: None,
        approval: None,
        lapsed: None,
        claim: None,
        unsettled: false,
        last_claim: None,
        outcome: None,
        start: None,
        archived: None,
        binding: None,
        rechecked: Vec::new(),
    };
    let mut decided_at: Option<&str> = None;
    let taken_back = taken_back(events);
    for event in events {
        if taken_back.contains(&event.seq) {
            // Only a person's approval leads to an approved state: what was decided after one ended it for good.
            if is_decision(&event.kind) && now.approval.is_some() {
                now.lapsed = now.approval.take();
                now.state = State::Pending;
                now.reason = Some(format!("lapsed: {} in between", event.kind));
            }
            continue;
        }
        StartWish::fold(&mut now.start, event);
        let note = text(&event.body, "note");
        match event.kind.as_str() {
            "approved" => {
                now.approval = serde_json::from_value(event.body.clone()).ok();
                now.state = State::Approved;
                // Nobody approves what is held: a claim that is still open here is a lease that was over.
                now.claim = None;
                (now.reason, now.note) = (None, note);
            }
            "lapsed" => {
                now.lapsed = now.approval.take().or(now.lapsed);
                now.state = State::Pending;
                now.reason = Some(format!("lapsed: {}", text(&event.body, "because").unwrap_or_default()));
            }
            "returned" => decide(&mut now, State::Returned, note),
            "skipped" => decide(&mut now, State::Skipped, note),
            "stopped" => decide(&mut now, State::Stopped, note),
            "expired" => decide(&mut now, State::Expired, note),
            "reopened" => decide(&mut now, State::Pending, note),
            "marked" => match text(&event.body, "as").as_deref() {
                Some("done") => decide(&mut now, State::Done, note),
                Some("failed") => decide(&mut now, State::Failed, note),
                Some("superseded") => decide(&mut now, State::Superseded, note),
                Some("skipped") => decide(&mut now, State::Skipped, note),
                _ => decide(&mut now, State::Running, note),
            },
            "claimed" => claimed(&mut now, event),
            "running" | "heartbeat" | "stop_requested" => held(&mut now, event),
            "finished" | "interrupted" | "released" | "aborted" => ended(&mut now, event, note),
            "asked" | "answered" | "unanswered" => asked(&mut now, event),
            "process_ended" => process_ended(&mut now, event),
            "handed_over" => now.note = Some("handed over by hand".to_owned()),
            "archived" => now.archived = event.body.get("archived").and_then(Value::as_bool),
            "bound" => now.binding = text(&event.body, "repo").map(PathBuf::from),
            "rechecked" => now.rechecked.extend(serde_json::from_value(event.body.clone()).ok()),
            _ => {}
        }
        if is_decision(&event.kind) {
            decided_at = event.rev.as_deref();
        }
    }
    lease_over(&mut now, current.now_ms);
    fall_back_to_pending(&mut now, decided_at, current);
    overlay_document(&mut now, current);
    if let (None, Some(start)) = (&now.approval, &mut now.start) {
        start.lapse(now.reason.as_deref());
    }
    now
}

/// Numbers of the events that a person took back. They count as if they had not been, but that an approval before one
/// does not come back.
pub fn taken_back(events: &[Event]) -> HashSet<i64> {
    let undone = events.iter().filter(|event| event.kind == "undone");
    undone.filter_map(|event| event.body.get("undoes").and_then(Value::as_i64)).collect()
}

/// Kinds of events that decide about one revision and say nothing about another.
pub fn is_decision(kind: &str) -> bool {
    matches!(
        kind,
        "approved"
            | "lapsed"
            | "returned"
            | "skipped"
            | "stopped"
            | "expired"
            | "reopened"
            | "marked"
            | "claimed"
            | "finished"
            | "interrupted"
            | "released"
            | "aborted"
    )
}

/// Kinds of events that begin, keep or end a claim.
pub const CLAIM_KINDS: &[&str] =
    &["claimed", "running", "heartbeat", "stop_requested", "finished", "interrupted", "released", "aborted", "stopped"];

/// The claims that nobody ended, each with the handoff's identity. `events` holds every event of [`CLAIM_KINDS`].
pub fn open_claims(events: &[Event], now_ms: i64) -> Vec<(String, OpenClaim)> {
    let mut by_handoff: std::collections::BTreeMap<&str, Vec<Event>> = std::collections::BTreeMap::new();
    for event in events {
        if let Some(handoff) = event.handoff.as_deref() {
            by_handoff.entry(handoff).or_default().push(event.clone());
        }
    }
    let readable = Current {
        rev: "",
        readable: Readable::Full,
        readable_reason: None,
        superseded_by: None,
        conflict: false,
        now_ms,
    };
    by_handoff
        .into_iter()
        .filter_map(|(handoff, events)| Some((handoff.to_owned(), standing(&events, &readable).claim?)))
        .collect()
}

fn claimed(now: &mut Standing, event: &Event) {
    let claim: Claim = serde_json::from_value(event.body.clone()).unwrap_or_default();
    now.approval = None;
    now.state = State::Claimed;
    now.reason = Some(format!("held by {}", claim.by));
    now.last_claim = Some(event.seq);
    now.outcome = None;
    now.claim = Some(OpenClaim {
        number: event.seq,
        at_ms: event.at_ms,
        lease_until_ms: (!claim.supervised).then(|| lease_end(event.at_ms, &claim)),
        stopping: false,
        firmly: false,
        claim,
    });
}

fn lease_end(from_ms: i64, claim: &Claim) -> i64 {
    from_ms + i64::from(claim.lease_seconds) * 1_000
}

/// A sign of the holder, or a wish to it. Signs of an earlier holder say nothing.
fn held(now: &mut Standing, event: &Event) {
    let Some(open) = now.claim.as_mut().filter(|open| Some(open.number) == number(event)) else { return };
    match event.kind.as_str() {
        "stop_requested" => {
            open.firmly = open.stopping;
            open.stopping = true;
            now.reason = Some(format!("{} is asked to stop", open.claim.by));
        }
        kind => {
            if kind == "running" {
                now.state = State::Running;
            }
            if open.lease_until_ms.is_some() {
                open.lease_until_ms = Some(lease_end(event.at_ms, &open.claim));
            }
        }
    }
}

fn ended(now: &mut Standing, event: &Event, note: Option<String>) {
    if now.last_claim != number(event) {
        return;
    }
    let because = text(&event.body, "because");
    now.claim = None;
    now.note.clone_from(&note);
    match event.kind.as_str() {
        "interrupted" => {
            now.state = if stands!(ClaimInterrupted) { State::Interrupted } else { State::Pending };
            now.reason = because;
        }
        "released" => {
            now.state = State::Pending;
            now.reason = Some(format!("released: {}", note.unwrap_or_default()));
        }
        "aborted" => {
            now.state = State::Pending;
            now.reason = Some(format!("lapsed: {}", because.unwrap_or_default()));
        }
        _ => {
            let outcome: Outcome = serde_json::from_value(event.body.clone()).unwrap_or_default();
            now.state = of_outcome(&outcome.outcome);
            now.reason = outcome.because.clone().or(note);
            now.outcome = Some(outcome);
        }
    }
}

/// A question of the holder is why the run waits, until it is closed.
fn asked(now: &mut Standing, event: &Event) {
    let Some(open) = now.claim.as_ref().filter(|open| Some(open.number) == number(event)) else { return };
    now.reason = Some(match event.kind.as_str() {
        "asked" => {
            let text = |key: &str| text(&event.body, key).unwrap_or_default();
            let what = text("what");
            format!("asks: {}: {}", text("tool"), what.lines().next().unwrap_or_default())
        }
        _ => format!("held by {}", open.claim.by),
    });
}

/// The process ended after its executor had reported: what was seen of its end is put beside the report, and a check
/// says more than a report does.
fn process_ended(now: &mut Standing, event: &Event) {
    let seen: Outcome = serde_json::from_value(event.body.clone()).unwrap_or_default();
    let Some(reported) = now.outcome.as_mut().filter(|reported| reported.claim == seen.claim) else { return };
    reported.exit = seen.exit;
    reported.log = reported.log.take().or(seen.log);
    reported.session = seen.session;
    reported.session_file = seen.session_file;
    reported.resets_at = seen.resets_at;
    reported.outside = seen.outside;
    reported.changed = seen.changed;
    reported.tree = seen.tree.or(reported.tree.take());
    if let (Some(check), State::Done | State::Verified) = (&seen.check, now.state) {
        (now.state, reported.outcome) = match check.passed {
            true => (State::Verified, "verified".to_owned()),
            false => (State::Failed, "failed".to_owned()),
        };
        now.reason = Some(check.sentence());
    }
    reported.check = seen.check;
}

/// The number of the claim that an event speaks of.
fn number(event: &Event) -> Option<i64> {
    event.body.get("claim").and_then(Value::as_i64)
}

/// A lease that ended is no claim any more, and no freedom either: a person looks.
fn lease_over(now: &mut Standing, now_ms: i64) {
    let Some(until) = now.claim.as_ref().and_then(|open| open.lease_until_ms) else { return };
    if until <= now_ms {
        let by = now.claim.take().map(|open| open.claim.by).unwrap_or_default();
        now.unsettled = true;
        now.state = if stands!(ClaimInterrupted) { State::Interrupted } else { State::Pending };
        now.reason = Some(format!("the lease of {by} is over"));
    }
}

fn decide(now: &mut Standing, state: State, note: Option<String>) {
    now.state = state;
    now.reason.clone_from(&note);
    now.note = note;
    now.approval = None;
    now.claim = None;
}

fn fall_back_to_pending(now: &mut Standing, decided_at: Option<&str>, current: &Current<'_>) {
    // An executor may write to the file that it works from; what that means is asked when it ended.
    if now.claim.is_some() || now.unsettled {
        return;
    }
    if decided_at.is_some_and(|rev| rev != current.rev) && stands!(ApprovalRevision) && now.state != State::Pending {
        let was = now.state;
        now.lapsed = now.approval.take().or(now.lapsed.take());
        now.state = State::Pending;
        now.reason = Some(match was {
            State::Approved => "lapsed: the file changed".to_owned(),
            _ => "the file changed".to_owned(),
        });
    }
    let over = now.approval.as_ref().is_some_and(|approval| approval.good_until_ms <= current.now_ms);
    if over && stands!(ApprovalTime) {
        now.lapsed = now.approval.take();
        now.state = State::Pending;
        now.reason = Some(format!("lapsed: {TIME_IS_OVER}"));
    }
}

fn overlay_document(now: &mut Standing, current: &Current<'_>) {
    match current.readable {
        Readable::Refused => {
            now.state = State::Refused;
            now.reason = current.readable_reason.map(str::to_owned);
        }
        Readable::Incomplete | Readable::NotAHandoff => {
            now.state = State::Incomplete;
            now.reason = current.readable_reason.map(str::to_owned);
        }
        Readable::Full | Readable::Partial => {
            if let (State::Pending | State::Approved, Some(newer)) = (now.state, current.superseded_by) {
                now.state = State::Superseded;
                now.reason = Some(format!("a newer handoff exists: {newer}"));
                now.lapsed = now.approval.take().or(now.lapsed.take());
            }
        }
    }
    if current.conflict && now.state == State::Pending {
        now.reason = Some("conflict: the same id stands for other bytes elsewhere".to_owned());
    }
}

fn text(body: &Value, key: &str) -> Option<String> {
    body.get(key).and_then(Value::as_str).filter(|text| !text.is_empty()).map(str::to_owned)
}

/// The state that an outcome's word leads to. A word that is not known says no success.
pub(crate) fn of_outcome(word: &str) -> State {
    match word {
        "verified" => State::Verified,
        "done" => State::Done,
        "returned" => State::Returned,
        "stopped" => State::Stopped,
        "interrupted" => State::Interrupted,
        _ => State::Failed,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;
    use store::ledger::NewEvent;

    fn event(kind: &str, rev: &str, body: Value) -> Event {
        let new = NewEvent::new(kind, 1).about("h", rev).with(body);
        Event {
            seq: 1,
            id: new.id,
            at_ms: 1,
            kind: new.kind,
            handoff: new.handoff,
            rev: new.rev,
            actor: new.actor,
            body: new.body,
            prev: String::new(),
            hash: String::new(),
        }
    }

    fn approved(rev: &str, good_until_ms: i64) -> Event {
        let approval = Approval {
            rev: rev.to_owned(),
            fingerprint: Fingerprint { trees: Vec::new() },
            block_hash: String::new(),
            renderer: 1,
            acknowledged: Vec::new(),
            seen: Vec::new(),
            note: None,
            good_until_ms,
        };
        event("approved", rev, serde_json::to_value(approval).unwrap_or_default())
    }

    fn current(rev: &str) -> Current<'_> {
        Current {
            rev,
            readable: Readable::Full,
            readable_reason: None,
            superseded_by: None,
            conflict: false,
            now_ms: 100,
        }
    }

    #[test]
    fn without_events_it_is_pending() {
        assert_eq!(standing(&[], &current("a")).state, State::Pending);
    }

    #[test]
    fn an_approval_holds_for_its_revision_and_its_time_only() {
        assert_eq!(standing(&[approved("a", 200)], &current("a")).state, State::Approved);
        let other = standing(&[approved("a", 200)], &current("b"));
        assert_eq!((other.state, other.reason.as_deref()), (State::Pending, Some("lapsed: the file changed")));
        let late = standing(&[approved("a", 100)], &current("a"));
        assert_eq!(late.state, State::Pending);
        assert!(late.lapsed.is_some());
    }

    #[test]
    fn a_recorded_lapse_is_not_revived_by_the_earlier_bytes() {
        let events = [approved("a", 200), event("lapsed", "b", json!({ "because": "the file changed" }))];
        assert_eq!(standing(&events, &current("a")).state, State::Pending);
        assert_eq!(standing(&events, &current("b")).state, State::Pending);
    }

    #[test]
    fn what_was_taken_back_counts_as_if_it_had_not_been() {
        let at = |seq, event: Event| Event { seq, ..event };
        let undone = |seq, of: i64| at(seq, event("undone", "a", json!({ "undoes": of })));
        let returned = at(1, event("returned", "a", json!({ "note": "say why" })));
        let skipped = at(2, event("skipped", "a", Value::Null));
        let back = standing(&[returned, skipped, undone(3, 2)], &current("a"));
        assert_eq!((back.state, back.reason.as_deref()), (State::Returned, Some("say why")));
        let archived = at(1, event("archived", "a", json!({ "archived": true })));
        assert_eq!(standing(&[archived, undone(2, 1)], &current("a")).archived, None);
    }

    #[test]
    fn an_approval_before_what_was_taken_back_does_not_come_back() {
        let at = |seq, event: Event| Event { seq, ..event };
        let undone = |seq, of: i64| at(seq, event("undone", "a", json!({ "undoes": of })));
        let skipped = at(2, event("skipped", "a", Value::Null));
        let back = standing(&[at(1, approved("a", 200)), skipped, undone(3, 2)], &current("a"));
        assert_eq!((back.state, back.reason.as_deref()), (State::Pending, Some("lapsed: skipped in between")));
        assert!(back.lapsed.is_some(), "what was acknowledged is still known");
        let archived = at(2, event("archived", "a", json!({ "archived": true })));
        let kept = standing(&[at(1, approved("a", 200)), archived, undone(3, 2)], &current("a"));
        assert_eq!(kept.state, State::Approved, "the archive decides nothing");
    }

    #[test]
    fn a_refused_document_is_refused_whatever_was_decided() {
        let refused = Current { readable: Readable::Refused, readable_reason: Some("version 9"), ..current("a") };
        let standing = standing(&[approved("a", 200)], &refused);
        assert_eq!((standing.state, standing.reason.as_deref()), (State::Refused, Some("version 9")));
    }

    #[test]
    fn a_skip_falls_back_to_pending_when_the_file_changes() {
        let events = [event("skipped", "a", json!({ "note": "later" }))];
        assert_eq!(standing(&events, &current("a")).state, State::Skipped);
        assert_eq!(standing(&events, &current("b")).state, State::Pending);
    }
}
