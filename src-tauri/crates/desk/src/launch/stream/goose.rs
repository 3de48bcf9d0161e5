//! The stream of `goose run --output-format stream-json`: `message`, `error`, `complete`.

use super::{Session, Signal, State, text};
use serde_json::Value;

pub(super) fn read(state: &mut State, line: &Value, signals: &mut Vec<Signal>) {
    match line["type"].as_str().unwrap_or_default() {
        "message" => {
            state.introduce(Session::default(), signals);
            let message = &line["message"];
            for content in message["content"].as_array().into_iter().flatten() {
                match content["type"].as_str() {
                    Some("toolRequest") => {
                        let call = &content["toolCall"];
                        let name = text(&call["value"]["name"]).or_else(|| text(&call["name"])).unwrap_or_default();
                        state.tool(&name, signals);
                    }
                    Some("text") if message["role"] == "assistant" => {
                        state.answered |= content["text"].as_str().is_some_and(|said| !said.trim().is_empty());
                    }
                    _ => {}
                }
            }
        }
        "error" => {
            let message = text(&line["error"]).or_else(|| text(&line["error"]["message"])).unwrap_or_default();
            state.fail(&message, signals);
            state.end(false, &message, signals);
        }
        "complete" if state.answered || state.worked => state.end(true, "", signals),
        "complete" => state.end(false, "the model answered nothing", signals),
        _ => {}
    }
}
