//! The stream of `opencode run --format json`: parts of the answer. There is no line for the end: the last finished
//! step counts. A tool shows only when it has ended.

use super::{Session, Signal, State, shortened, text};
use serde_json::Value;

pub(super) fn read(state: &mut State, line: &Value, signals: &mut Vec<Signal>) {
    if let Some(id) = text(&line["sessionID"]) {
        state.introduce(Session { id: Some(id), ..Session::default() }, signals);
    }
    let part = &line["part"];
    match line["type"].as_str().unwrap_or_default() {
        "tool_use" => {
            let name = text(&part["tool"]).unwrap_or_default();
            state.tool(&name, signals);
            let error = part["state"]["error"].as_str().unwrap_or_default();
            if error.starts_with("The user has specified a rule") || error.starts_with("The user rejected permission") {
                signals.push(Signal::Denied { what: shortened(&format!("{name}: {error}")) });
            }
        }
        "text" => state.answered |= part["text"].as_str().is_some_and(|said| !said.trim().is_empty()),
        "step_finish" => {
            state.last = Some(match part["reason"].as_str().unwrap_or_default() {
                "length" => (false, "the answer was cut at the model's limit".to_owned()),
                "error" => (false, "the last step failed".to_owned()),
                "tool-calls" => (false, "it ended before it answered".to_owned()),
                _ if state.answered || state.worked => (true, String::new()),
                _ => (false, "the model answered nothing".to_owned()),
            });
        }
        "error" => {
            let error = &line["error"];
            let message =
                text(&error["data"]["message"]).or_else(|| text(&error["message"])).or_else(|| text(&error["name"]));
            let message = message.unwrap_or_else(|| "an error without a word".to_owned());
            state.fail(&message, signals);
            state.last = Some((false, shortened(&message)));
        }
        _ => {}
    }
}
