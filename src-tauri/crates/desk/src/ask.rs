//! Questions of a running agent to a person: what needs a person's word comes up as an event of the ledger, waits for an
//! answer there, and is refused when none comes in time. The ledger is the way there and back, so that window, command
//! line and the agent's own process need not know each other.
//!
//! Only the holder of the claim can ask, and only a person can answer. What is asked is shown with what it hides made
//! visible and secrets masked, never as markup.

use crate::decide::rfc3339;
use crate::view::{Answered, Decided, QuestionView};
use crate::{Desk, Error};
use serde_json::{Value, json};
use std::thread;
use std::time::Duration;
use store::ledger::{Event, NewEvent};

/// How often one who waits looks for the answer.
const LOOK_AGAIN: Duration = Duration::from_millis(200);
/// Characters of what is asked that a person is shown; that more was asked is said.
const SHOWN: usize = 4_000;

const KINDS: &[&str] = &["asked", "answered", "unanswered"];

impl Desk {
    /// Asks a person whether a tool may do something, and waits for the answer.
    ///
    /// # Errors
    /// [`Error::Token`] when the token is not the holder's. An answer that does not come is a refusal, not an error.
    pub fn ask(&self, id: &str, token: &str, tool: &str, what: &str) -> Result<Answered, Error> {
        let opened = self.opened(id)?;
        let row = &opened.row;
        let claim = crate::claim::number_of(&row.handle, token)?;
        let until_ms = (self.now)() + i64::from(self.config()?.settings.answer_seconds) * 1_000;
        let event = NewEvent::new("asked", (self.now)()).about(&row.identity, &row.rev).by("agent").with(json!({
            "claim": claim,
            "tool": shown(tool),
            "what": shown(what),
            "until_ms": until_ms,
        }));
        let asked = self.ledger.append::<Error>(event, |own| {
            crate::claim::holds(&row.handle, self.standing_of(row, own).claim.as_ref(), token).map(|_| ())
        })?;
        loop {
            let events = self.ledger.events_of(&row.identity)?;
            if let Some(answer) = answer_to(&events, asked.seq) {
                return Ok(answer);
            }
            let refused = |because: &str| Answered { allow: false, because: because.to_owned() };
            if self.standing_of(row, &events).claim.is_none_or(|open| open.number != claim) {
                return Ok(refused("The claim has ended."));
            }
            if (self.now)() >= until_ms {
                let event = NewEvent::new("unanswered", (self.now)())
                    .about(&row.identity, &row.rev)
                    .by("fuda")
                    .with(json!({ "claim": claim, "question": asked.seq }));
                // An answer may have come in between; then that one holds.
                let _ = self.ledger.append::<Error>(event, |own| still_open(own, asked.seq));
                let events = self.ledger.events_of(&row.identity)?;
                return Ok(answer_to(&events, asked.seq).unwrap_or_else(|| refused("Nobody answered in time.")));
            }
            thread::sleep(LOOK_AGAIN);
        }
    }

    /// What running agents ask and nobody answered yet, oldest first.
    ///
    /// # Errors
    /// When ledger or index cannot be read.
    pub fn questions(&self) -> Result<Vec<QuestionView>, Error> {
        let events = self.ledger.events_of_kinds(KINDS)?;
        let mut open = Vec::new();
        for asked in events.iter().filter(|event| event.kind == "asked" && still_open(&events, event.seq).is_ok()) {
            let Some(row) = asked.handoff.as_deref().map(|identity| self.index.get(identity)).transpose()?.flatten()
            else {
                continue;
            };
            let standing = self.standing_of(&row, &self.ledger.events_of(&row.identity)?);
            let Some(claim) = standing.claim.filter(|claim| Some(claim.number) == number(asked, "claim")) else {
                continue;
            };
            let until_ms = number(asked, "until_ms").unwrap_or_default();
            if until_ms <= (self.now)() {
                continue;
            }
            let text = |key: &str| asked.body.get(key).and_then(Value::as_str).unwrap_or_default().to_owned();
            open.push(QuestionView {
                question: asked.seq.unsigned_abs(),
                handle: row.handle,
                by: claim.claim.by,
                tool: text("tool"),
                what: text("what"),
                asked_at: rfc3339(asked.at_ms),
                until: rfc3339(until_ms),
            });
        }
        Ok(open)
    }

    /// Answers a question. For a person: inside an agent it is refused.
    ///
    /// # Errors
    /// [`Error::NoQuestion`] when it waits no more; [`Error::InsideAgent`].
    pub fn answer(&self, question: u64, allow: bool, note: Option<&str>) -> Result<Decided, Error> {
        if let Some((agent, variable)) = self.caller.agent {
            return Err(Error::InsideAgent { agent, variable });
        }
        let seq = i64::try_from(question).unwrap_or(i64::MAX);
        let missing = || Error::NoQuestion { question };
        let events = self.ledger.events_of_kinds(KINDS)?;
        let asked = events.iter().find(|event| event.seq == seq && event.kind == "asked").ok_or_else(missing)?;
        let (identity, rev) = (asked.handoff.clone().unwrap_or_default(), asked.rev.clone().unwrap_or_default());
        let row = self.index.get(&identity)?.ok_or_else(missing)?;
        let claim = number(asked, "claim");
        let event = NewEvent::new("answered", (self.now)())
            .about(&identity, &rev)
            .with(json!({ "claim": claim, "question": seq, "allow": allow, "note": note }));
        let appended = self.ledger.append::<Error>(event, |own| {
            still_open(own, seq)?;
            let held = self.standing_of(&row, own).claim.map(|open| open.number);
            if held.is_some() && held == claim { Ok(()) } else { Err(missing()) }
        })?;
        self.decided(&row, appended.seq)
    }
}

/// Questions that were asked after an event, with what they ask, for whoever watches the run.
pub(crate) fn asked_since(events: &[Event], claim: i64, since: i64) -> Vec<(i64, String)> {
    let asked = |event: &&Event| event.kind == "asked" && event.seq > since && number(event, "claim") == Some(claim);
    let words = |event: &Event| {
        let text = |key: &str| event.body.get(key).and_then(Value::as_str).unwrap_or_default().to_owned();
        (event.seq, format!("{}: {}", text("tool"), text("what")))
    };
    events.iter().filter(asked).map(words).collect()
}

/// What a person allowed during a claim, each in one line.
pub(crate) fn allowed_of(events: &[Event], claim: i64) -> Vec<String> {
    let of_claim = |event: &&Event| number(event, "claim") == Some(claim);
    let allowed = |event: &&Event| event.kind == "asked" && answer_to(events, event.seq).is_some_and(|one| one.allow);
    let what = |event: &Event| event.body["what"].as_str().and_then(|what| what.lines().next()).map(str::to_owned);
    events.iter().filter(of_claim).filter(allowed).filter_map(what).collect()
}

fn number(event: &Event, key: &str) -> Option<i64> {
    event.body.get(key).and_then(Value::as_i64)
}

fn still_open(events: &[Event], question: i64) -> Result<(), Error> {
    let closed = events.iter().any(|event| event.kind != "asked" && number(event, "question") == Some(question));
    if closed { Err(Error::NoQuestion { question: question.unsigned_abs() }) } else { Ok(()) }
}

fn answer_to(events: &[Event], question: i64) -> Option<Answered> {
    let answer = events.iter().find(|event| event.kind == "answered" && number(event, "question") == Some(question))?;
    let allow = answer.body.get("allow").and_then(Value::as_bool).unwrap_or(false);
    let note = answer.body.get("note").and_then(Value::as_str).filter(|note| !note.trim().is_empty());
    let because = note.map_or_else(
        || (if allow { "A person allowed it." } else { "A person refused it." }).to_owned(),
        str::to_owned,
    );
    Some(Answered { allow, because })
}

fn shown(text: &str) -> String {
    let visible = handoff::visible_text(&handoff::mask(text));
    let count = visible.chars().count();
    if count <= SHOWN {
        return visible;
    }
    let kept: String = visible.chars().take(SHOWN).collect();
    format!("{kept} … and {} characters more", count - SHOWN)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_asked_is_masked_and_says_what_is_not_shown() {
        let long = "x".repeat(SHOWN + 12);
        assert!(shown(&long).ends_with("and 12 characters more"));
        assert_eq!(shown("git push origin main"), "git push origin main");
    }
}
