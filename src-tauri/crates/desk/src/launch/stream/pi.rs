//! The stream of pi, oh-my-pi and MusePi in their mode `json`. The program ends with 0 whatever happened: how it went
//! is the `stopReason` of the last answer.

use super::{Session, Signal, State, shortened, text};
use serde_json::Value;

pub(super) fn read(state: &mut State, line: &Value, signals: &mut Vec<Signal>) {
    match line["type"].as_str().unwrap_or_default() {
        "session" => state.introduce(Session { id: text(&line["id"]), ..Session::default() }, signals),
        "tool_execution_start" => {
            let name = text(&line["toolName"]).unwrap_or_default();
            state.tool(&name, signals);
        }
        "tool_execution_end" if line["isError"] == true => {
            let said = line["result"]["content"][0]["text"].as_str().unwrap_or_default();
            if ["requires approval", "blocked", "denied", "not allowed"]
                .iter()
                .any(|word| said.to_lowercase().contains(word))
            {
                let tool = text(&line["toolName"]).unwrap_or_else(|| "a tool".to_owned());
                signals.push(Signal::Denied { what: shortened(&format!("{tool}: {said}")) });
            }
        }
        "tool_approval_requested" | "extension_ui_request" => {
            let asked = text(&line["title"])
                .or_else(|| text(&line["message"]))
                .unwrap_or_else(|| "It asks something.".to_owned());
            signals.push(Signal::Question { text: shortened(&asked) });
        }
        "auto_retry_start" | "retry_fallback_applied" => {
            let message = text(&line["errorMessage"]).unwrap_or_else(|| "it tries again".to_owned());
            signals.push(Signal::Retry { message: shortened(&message) });
        }
        "message_end" if line["message"]["role"] == "assistant" => answer(state, &line["message"], signals),
        // An end that announces a retry is none; the last answer counts when the output is over.
        _ => {}
    }
}

fn answer(state: &mut State, message: &Value, signals: &mut Vec<Signal>) {
    let contents = message["content"].as_array().cloned().unwrap_or_default();
    let said: String = contents.iter().filter_map(|content| content["text"].as_str()).collect();
    let calls = contents.iter().any(|content| content["type"] == "toolCall");
    let words = text(&message["errorMessage"]);
    state.last = Some(match message["stopReason"].as_str().unwrap_or_default() {
        "error" => {
            let message = words.unwrap_or_else(|| "the model failed without a word".to_owned());
            state.fail(&message, signals);
            (false, shortened(&message))
        }
        "aborted" => (false, words.unwrap_or_else(|| "it was broken off".to_owned())),
        "length" => (false, "the answer was cut at the model's limit".to_owned()),
        _ if said.trim().is_empty() && !calls => (false, "the model answered nothing".to_owned()),
        _ if calls => (false, "it ended before its tools were done".to_owned()),
        _ => (true, shortened(said.trim())),
    });
}
