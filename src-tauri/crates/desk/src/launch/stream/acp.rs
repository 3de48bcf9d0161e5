//! The stream of `fuda acp`: updates of an Agent Client Protocol session as the agent sent them, and lines of our own
//! about the session and its end.

use super::{Session, Signal, State, shortened, text};
use serde_json::Value;

pub(super) fn read(state: &mut State, line: &Value, signals: &mut Vec<Signal>) {
    match line["fuda"].as_str() {
        Some("session") => {
            let session = Session {
                id: text(&line["id"]),
                mode: text(&line["mode"]),
                version: text(&line["version"]),
                ..Session::default()
            };
            state.introduce(session, signals);
        }
        Some("failed") => {
            let message = text(&line["message"]).unwrap_or_default();
            state.fail(&message, signals);
            state.end(false, &message, signals);
        }
        Some("end") => end(state, line["stop_reason"].as_str().unwrap_or_default(), signals),
        _ => update(state, &line["update"], signals),
    }
}

fn update(state: &mut State, update: &Value, signals: &mut Vec<Signal>) {
    match update["sessionUpdate"].as_str().unwrap_or_default() {
        "agent_message_chunk" => {
            state.answered |= update["content"]["text"].as_str().is_some_and(|said| !said.trim().is_empty());
        }
        "tool_call" => {
            let name = text(&update["_meta"]["toolName"]).or_else(|| text(&update["kind"]));
            state.tool(&name.unwrap_or_else(|| "a tool".to_owned()), signals);
        }
        "tool_call_update" if update["status"] == "failed" => {
            let said = update["content"][0]["content"]["text"].as_str().unwrap_or_default();
            let refused = ["denied", "cancel", "reject", "not allowed", "refused"];
            if refused.iter().any(|word| said.to_lowercase().contains(word)) {
                signals.push(Signal::Denied { what: shortened(said) });
            }
        }
        _ => {}
    }
}

fn end(state: &mut State, reason: &str, signals: &mut Vec<Signal>) {
    let (ok, message) = match reason {
        "end_turn" if state.answered || state.worked => (true, String::new()),
        "end_turn" => (false, "the model answered nothing".to_owned()),
        "max_tokens" => (false, "the answer was cut at the model's limit".to_owned()),
        "max_turn_requests" => (false, "it used up the requests of one turn".to_owned()),
        "refusal" => (false, "the model refused to go on".to_owned()),
        "cancelled" => (false, "it was broken off".to_owned()),
        other => (false, format!("it stopped for a reason that is not known: {other}")),
    };
    state.end(ok, &message, signals);
}
