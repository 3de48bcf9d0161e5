//! `fuda ask`: how an agent under `fuda resume` asks a person. Started by the agent, never by hand: with a question as
//! JSON on standard input, or as the permission prompt tool of an agent that knows such a thing. Standard output is the
//! agent's; a question that cannot be asked is answered with no.

use crate::held;
use api::{ApiError, Desk};
use rmcp::handler::server::wrapper::Parameters;
use rmcp::model::{CallToolResult, ContentBlock};
use rmcp::schemars::{self, JsonSchema};
use rmcp::{ErrorData, ServerHandler, tool, tool_handler, tool_router};
use serde::Deserialize;
use serde_json::{Map, Value, json};
use std::io::Read;
use std::sync::Arc;

/// The longest question.
const LONGEST: u64 = 4 * 1024 * 1024;

/// Reads one question, waits for its answer and prints it.
pub fn once(desk: &Desk) -> Result<u8, ApiError> {
    let mut text = String::new();
    std::io::stdin()
        .take(LONGEST)
        .read_to_string(&mut text)
        .map_err(|error| ApiError::usage(format!("the question on standard input: {error}")))?;
    let question: Value = serde_json::from_str(&text)
        .map_err(|error| ApiError::usage(format!("the question is no JSON object with tool and what: {error}")))?;
    let field = |name: &str| question[name].as_str().unwrap_or_default().to_owned();
    let answer = put(desk, &field("tool"), &field("what"));
    crate::print::json_line(&json!({ "allow": answer.0, "because": answer.1 }));
    Ok(0)
}

/// Asks; a question that cannot be asked is answered with no.
pub fn put(desk: &Desk, tool: &str, what: &str) -> (bool, String) {
    let asked =
        held::of(None, None).and_then(|held| desk.ask(&held.id, &held.token, tool, what).map_err(ApiError::from));
    match asked {
        Ok(answer) => (answer.allow, answer.because),
        Err(error) => (false, format!("Nobody could be asked: {}", error.message)),
    }
}

#[derive(Clone)]
struct Prompt {
    desk: Arc<Desk>,
}

#[derive(Deserialize, JsonSchema)]
struct Permission {
    /// The tool that wants to run.
    tool_name: String,
    /// What it would be given.
    #[serde(default)]
    input: Map<String, Value>,
}

#[tool_router]
impl Prompt {
    #[tool(
        description = "Asks the person at the desk whether a tool may run. Answers with allow or deny.",
        annotations(title = "Ask a person", read_only_hint = true, open_world_hint = false)
    )]
    async fn permission(&self, Parameters(asked): Parameters<Permission>) -> Result<CallToolResult, ErrorData> {
        let desk = self.desk.clone();
        let what = in_words(&asked.input);
        let tool = asked.tool_name;
        let (allow, because) = tokio::task::spawn_blocking(move || put(&desk, &tool, &what))
            .await
            .unwrap_or_else(|error| (false, format!("Nobody could be asked: {error}")));
        let answer = match allow {
            true => json!({ "behavior": "allow", "updatedInput": asked.input }),
            false => json!({ "behavior": "deny", "message": because }),
        };
        Ok(CallToolResult::success(vec![ContentBlock::text(answer.to_string())]))
    }
}

#[tool_handler(name = "fuda", instructions = "Permission prompts go to a person at the desk.")]
impl ServerHandler for Prompt {}

/// Serves as a permission prompt tool until the agent closes its end.
pub fn serve(desk: Desk) -> Result<u8, ApiError> {
    crate::mcp::serve_with(Prompt { desk: Arc::new(desk) })
}

/// One line for a command, else each field on a line of its own.
pub fn in_words(input: &Map<String, Value>) -> String {
    let word = |value: &Value| value.as_str().map_or_else(|| value.to_string(), str::to_owned);
    if let Some(command) = input.get("command") {
        return word(command);
    }
    input.iter().map(|(name, value)| format!("{name}: {}", word(value))).collect::<Vec<_>>().join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_command_is_shown_as_it_is_and_other_input_by_its_fields() {
        let input = |value: Value| value.as_object().cloned().unwrap_or_default();
        assert_eq!(in_words(&input(json!({ "command": "git push", "description": "x" }))), "git push");
        assert_eq!(in_words(&input(json!({ "file_path": "a.go", "n": 3 }))), "file_path: a.go\nn: 3");
    }
}
