//! The stream of `codex exec --json`: threads, turns and items.

use super::{Session, Signal, State, shortened, text};
use serde_json::Value;

pub(super) fn read(state: &mut State, line: &Value, signals: &mut Vec<Signal>) {
    let item = &line["item"];
    let of = item["type"].as_str().unwrap_or_default();
    match line["type"].as_str().unwrap_or_default() {
        "thread.started" => {
            state.introduce(Session { id: text(&line["thread_id"]), ..Session::default() }, signals);
        }
        "item.started" if matches!(of, "command_execution" | "file_change" | "mcp_tool_call" | "web_search") => {
            state.tool(&of.replace('_', " "), signals);
        }
        "item.completed" => match of {
            "agent_message" => state.answered |= item["text"].as_str().is_some_and(|said| !said.trim().is_empty()),
            "command_execution" | "file_change" | "mcp_tool_call" if item["status"] == "declined" => {
                signals.push(Signal::Denied { what: of.replace('_', " ") });
            }
            "command_execution" | "file_change" | "mcp_tool_call" | "web_search" => state.worked = true,
            // Items of type error are warnings; a failed turn says so itself.
            _ => {}
        },
        "error" => {
            let message = text(&line["message"]).unwrap_or_else(|| "an error without a word".to_owned());
            if message.to_lowercase().starts_with("reconnecting") {
                signals.push(Signal::Retry { message: shortened(&message) });
            } else {
                state.fail(&message, signals);
            }
        }
        "turn.failed" => {
            let message = text(&line["error"]["message"]).unwrap_or_else(|| "the turn failed".to_owned());
            state.fail(&message, signals);
            state.end(false, &message, signals);
        }
        "turn.completed" if state.answered || state.worked => state.end(true, "", signals),
        "turn.completed" => state.end(false, "the model answered nothing", signals),
        _ => {}
    }
}
