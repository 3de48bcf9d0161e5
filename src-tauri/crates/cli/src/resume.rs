//! `fuda resume`: shows what will be started, waits for a reset when asked to, starts, and tells how it ended.

use crate::arguments::{At, Resume};
use crate::{interrupt, print};
use api::{ApiError, Attendant, Desk, Keeper, ResumeRequest, RunEvent, RunLock, StartOrder, Waited};
use serde_json::{Value, json};
use std::sync::atomic::{AtomicI32, Ordering};

/// How often a wait tells how long it goes on.
const TELL_MS: i64 = 20_000;

/// The status of a start that this command did not begin: the state is another now.
const NOT_STARTED_HERE: u8 = 5;

/// The status of a run that was started and did not end well.
const LAUNCHED_AND_FAILED: u8 = 7;

pub fn resume(desk: &Desk, resume: Resume, json: bool) -> Result<u8, ApiError> {
    let environment = |name: &str| std::env::var(name).ok();
    let verify = resume.verify.map(|words| words.split_whitespace().map(str::to_owned).collect());
    let mut order = StartOrder {
        id: resume.id,
        profile: resume.profile,
        command: resume.command,
        ack: resume.ack,
        verify,
        run: None,
    };
    let mut request = ResumeRequest {
        profile: order.profile.clone(),
        command: order.command.clone(),
        ack: order.ack.clone(),
        verify: order.verify.clone(),
        start: None,
        run: None,
        environment: &environment,
    };
    let preview = desk.resume_preview(&order.id, &request)?;
    // What is started is what is shown here.
    order.run = Some(preview.run.clone());
    request.run.clone_from(&order.run);
    let preview = serde_json::to_value(preview).unwrap_or_default();
    if resume.plan {
        if json {
            print::json(&preview)
        } else {
            print::plan(&preview)
        }
        return Ok(0);
    }
    print::plan_on_stderr(&preview);
    let keeper = Keeper::of_this_program().map_err(ApiError::from)?;
    let asked = interrupt::asked()?;
    let stop = || asked.load(Ordering::SeqCst) != 0;
    let mut happened = |event: RunEvent| print::happened(&event.line());
    let decided = match resume.at {
        None => desk.resume(&order.id, &request, &keeper, &mut happened, &stop)?,
        Some(At::Reset) => match at_reset(desk, &order, &environment, &asked)? {
            Some(lock) => desk.begin_start(&order.id, lock, &keeper, &environment, &mut happened, &stop)?,
            None => return Ok(NOT_STARTED_HERE),
        },
    };
    let ok = api::is_success(decided.state);
    let detail = desk.detail(&order.id)?;
    let answer = json!({ "handle": decided.handle, "state": decided.state, "state_reason": decided.state_reason, "outcome": detail.outcome });
    if json {
        print::json(&answer)
    } else {
        print::decided(&answer)
    }
    if !json {
        for line in answer["outcome"]["outside"].as_array().into_iter().flatten().filter_map(Value::as_str) {
            print::plain(&format!("  outside the boundary: {line}\n"));
        }
    }
    Ok(if ok { 0 } else { LAUNCHED_AND_FAILED })
}

/// Writes the wish down and waits for its time. Ctrl-C takes it back; a terminal that is gone leaves it to whichever
/// program of ours runs next. Nothing: it is not begun here, and standard error says why.
fn at_reset(
    desk: &Desk,
    order: &StartOrder,
    environment: &dyn Fn(&str) -> Option<String>,
    asked: &AtomicI32,
) -> Result<Option<RunLock>, ApiError> {
    let start = desk.wish_start(order, environment)?;
    print::happened(&format!("starts at {}, also when this terminal is closed; fuda cancel takes it back", start.at));
    let mut others = Attendant::besides(desk.run(&order.id)?.handle);
    let mut told_ms = i64::MAX;
    let waited = desk.wait_for_start(&order.id, &mut |left_ms| {
        if left_ms > 0 && told_ms - left_ms >= TELL_MS {
            told_ms = left_ms;
            print::happened(&format!("starts in {} s", left_ms / 1_000));
        }
        others.look(desk);
        asked.load(Ordering::SeqCst) == 0
    })?;
    match waited {
        Waited::Begins(lock) => return Ok(Some(lock)),
        Waited::Left if asked.load(Ordering::SeqCst) == interrupt::by_a_person() => {
            desk.start_cancel(&order.id)?;
            print::happened("the start is cancelled");
        }
        Waited::Left => print::happened("the start stays; the next program of Fuda's that runs begins it"),
        Waited::Over => {
            let run = desk.run(&order.id)?;
            print::happened(&match run.start {
                Some(start) if start.state == "cancelled" => "the start was cancelled".to_owned(),
                Some(start) => format!("it was not started: {}", start.because.unwrap_or_default()),
                None => format!("it was started by {}", run.by.unwrap_or_default()),
            });
        }
    }
    Ok(None)
}
