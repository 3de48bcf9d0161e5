//! The stream of Claude Code, which Qwen Code and Amp have nearly alike: `system` `init`, `assistant`, `result`.

use super::{Session, Signal, State, resets, shortened, text, words};
use serde_json::Value;

pub(super) fn read(state: &mut State, line: &Value, signals: &mut Vec<Signal>) {
    let kind = line["type"].as_str().unwrap_or_default();
    let subtype = line["subtype"].as_str().unwrap_or_default();
    match (kind, subtype) {
        ("system", "init" | "session_start") => {
            let either = |one: &str, other: &str| text(&line[one]).or_else(|| text(&line[other]));
            let session = Session {
                id: text(&line["session_id"]),
                mode: either("permissionMode", "permission_mode"),
                tools: words(&line["tools"]),
                model: text(&line["model"]),
                version: either("claude_code_version", "qwen_code_version"),
            };
            state.introduce(session, signals);
        }
        ("system", "permission_denied") => {
            let what = text(&line["tool_name"]).unwrap_or_else(|| "a tool".to_owned());
            let why = text(&line["message"]).map(|why| format!(": {why}")).unwrap_or_default();
            signals.push(Signal::Denied { what: shortened(&format!("{what}{why}")) });
        }
        ("system", "api_retry") => {
            let message = text(&line["error"]).unwrap_or_else(|| "the service did not answer".to_owned());
            signals.push(Signal::Retry { message: shortened(&message) });
        }
        ("system", "session_state_changed") if line["state"] == "requires_action" => {
            signals.push(Signal::Question { text: "It waits for a person.".to_owned() });
        }
        ("control_request", _) if line["request"]["subtype"] == "can_use_tool" => {
            let tool = text(&line["request"]["tool_name"]).unwrap_or_else(|| "a tool".to_owned());
            signals.push(Signal::Question { text: format!("May it use {}?", shortened(&tool)) });
        }
        ("rate_limit_event", _) => limit(state, &line["rate_limit_info"], signals),
        ("assistant", _) => assistant(state, line, signals),
        ("result", _) => result(state, line, signals),
        _ => {}
    }
}

fn limit(state: &mut State, info: &Value, signals: &mut Vec<Signal>) {
    if info["status"] != "rejected" {
        return;
    }
    let resets_at = info["resetsAt"].as_i64().and_then(resets::from_seconds);
    let name = text(&info["rateLimitType"]).unwrap_or_else(|| "usage".to_owned());
    if !std::mem::replace(&mut state.limited, true) {
        signals.push(Signal::Limit { resets_at, message: format!("usage limit reached ({})", name.replace('_', " ")) });
    }
}

fn assistant(state: &mut State, line: &Value, signals: &mut Vec<Signal>) {
    let contents = line["message"]["content"].as_array().cloned().unwrap_or_default();
    for content in &contents {
        match content["type"].as_str() {
            Some("tool_use") => {
                let name = text(&content["name"]).unwrap_or_default();
                if matches!(name.as_str(), "AskUserQuestion" | "ask_user_question") {
                    let asked = text(&content["input"]["questions"][0]["question"]);
                    signals.push(Signal::Question {
                        text: shortened(&asked.unwrap_or_else(|| "It asks something.".to_owned())),
                    });
                }
                state.tool(&name, signals);
            }
            Some("text") => {
                let said = content["text"].as_str().unwrap_or_default();
                let error = !line["error"].is_null();
                if error || is_error(said) {
                    state.fail(said, signals);
                } else if !said.trim().is_empty() {
                    state.answered = true;
                }
            }
            _ => {}
        }
    }
}

/// Qwen Code reports an error as its answer and calls that a success.
fn is_error(said: &str) -> bool {
    said.trim_start().starts_with("[API Error")
}

fn result(state: &mut State, line: &Value, signals: &mut Vec<Signal>) {
    for denied in line["permission_denials"].as_array().into_iter().flatten() {
        let what = text(&denied["tool_name"]).or_else(|| text(denied)).unwrap_or_else(|| "a tool".to_owned());
        signals.push(Signal::Denied { what: shortened(&what) });
    }
    let subtype = line["subtype"].as_str().unwrap_or_default();
    let said = text(&line["result"]).or_else(|| text(&line["error"]["message"])).or_else(|| text(&line["error"]));
    let said = said.unwrap_or_default();
    let failed = subtype != "success" || line["is_error"] == true || is_error(&said) || state.limited;
    if failed {
        let why = if said.is_empty() { subtype.replace('_', " ") } else { said };
        state.fail(&why, signals);
        state.end(false, &why, signals);
    } else if said.trim().is_empty() && !state.answered && !state.worked {
        state.end(false, "the model answered nothing", signals);
    } else {
        state.end(true, &said, signals);
    }
}
