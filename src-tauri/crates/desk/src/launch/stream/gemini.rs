//! The stream of Gemini CLI: `init`, `message`, `tool_use`, `tool_result`, `error`, `result`.

use super::{Session, Signal, State, shortened, text};
use serde_json::Value;

pub(super) fn read(state: &mut State, line: &Value, signals: &mut Vec<Signal>) {
    match line["type"].as_str().unwrap_or_default() {
        "init" => {
            let session = Session { id: text(&line["session_id"]), model: text(&line["model"]), ..Session::default() };
            state.introduce(session, signals);
        }
        "message" if line["role"] == "assistant" => {
            state.answered |= line["content"].as_str().is_some_and(|said| !said.trim().is_empty());
        }
        "tool_use" => {
            let name = text(&line["tool_name"]).unwrap_or_default();
            state.tool(&name, signals);
        }
        "tool_result" if line["status"] == "error" => {
            let error = &line["error"];
            let message = text(&error["message"]).unwrap_or_default();
            let denied =
                error["type"].as_str().is_some_and(|kind| kind.contains("polic") || kind.contains("permission"))
                    || message.to_lowercase().contains("denied");
            if denied {
                signals.push(Signal::Denied { what: shortened(&message) });
            }
        }
        "error" => {
            let message = text(&line["message"]).unwrap_or_default();
            if line["severity"] == "warning" {
                signals.push(Signal::Retry { message: shortened(&message) });
            } else {
                state.fail(&message, signals);
            }
        }
        "result" => {
            let message = text(&line["error"]["message"]).unwrap_or_default();
            if line["status"] != "success" {
                state.fail(&message, signals);
                state.end(false, &message, signals);
            } else if state.answered || state.worked {
                state.end(true, "", signals);
            } else {
                state.end(false, "the model answered nothing", signals);
            }
        }
        _ => {}
    }
}
