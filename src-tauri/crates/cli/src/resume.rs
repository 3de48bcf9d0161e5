//! `fuda resume`: shows what will be started, waits for a reset when asked to, starts, and tells how it ended.

use crate::arguments::{At, Resume};
use crate::{interrupt, print};
use api::{ApiError, Desk, Keeper, ResumeRequest};
use serde_json::{Value, json};
use std::sync::atomic::Ordering;
use std::time::Duration;

/// How long one sleep of a wait lasts: a machine that was suspended looks at the clock again soon after.
const STEP: Duration = Duration::from_secs(20);

/// The status of a run that was started and did not end well.
const LAUNCHED_AND_FAILED: u8 = 7;

pub fn resume(desk: &Desk, resume: Resume, json: bool) -> Result<u8, ApiError> {
    let environment = |name: &str| std::env::var(name).ok();
    let verify = resume.verify.map(|words| words.split_whitespace().map(str::to_owned).collect());
    let request = ResumeRequest {
        profile: resume.profile,
        command: resume.command,
        ack: resume.ack,
        verify,
        environment: &environment,
    };
    let preview = serde_json::to_value(desk.resume_preview(&resume.id, &request)?).unwrap_or_default();
    if resume.plan {
        if json {
            print::json(&preview)
        } else {
            print::plan(&preview)
        }
        return Ok(0);
    }
    print::plan_on_stderr(&preview);
    if let Some(At::Reset) = resume.at {
        wait(desk.resets_at(&resume.id)?);
    }
    let keeper = Keeper::of_this_program().map_err(ApiError::from)?;
    let asked = interrupt::asked()?;
    let decided = desk.resume(&resume.id, &request, &keeper, &mut |event| print::happened(&event.line()), &|| {
        asked.load(Ordering::SeqCst)
    })?;
    let ok = api::is_success(decided.state);
    let detail = desk.detail(&resume.id)?;
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

fn wait(until_ms: i64) {
    loop {
        let left = until_ms - api::now_ms();
        if left <= 0 {
            return;
        }
        let left = Duration::from_millis(left.unsigned_abs());
        print::happened(&format!("starts in {} s, at the reset", left.as_secs()));
        std::thread::sleep(left.min(STEP));
    }
}
