//! `fuda acp -- COMMAND…`: stands between `fuda resume` and an agent that speaks the Agent Client Protocol (JSON-RPC,
//! one message a line). It hands over the block as the one prompt of one session, prints what the agent reports, and
//! takes every permission that the agent asks for to the desk. It allows once or not at all, never for longer, and it
//! never lets a session run in a mode that asks nobody.
//!
//! Written out rather than taken from the protocol's own crate: that one switches `preserve_order` of serde_json on for
//! the whole program, and what the ledger hashes must not depend on which host was built.
//!
//! Source: agentclientprotocol.com, protocol version 1; tried with gemini-cli 0.61.0 and qwen-code 0.24.4, seen 2026-12.

use crate::ask;
use api::{ApiError, Desk};
use serde_json::{Map, Value, json};
use std::io::{BufRead, BufReader, Read, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, mpsc};
use std::thread;
use std::time::Duration;

/// The longest block, and the longest message of an agent.
const LONGEST: u64 = 8 * 1024 * 1024;
/// How long an agent may take to end once nothing more is asked of it.
const FAREWELL: Duration = Duration::from_secs(3);
/// How often an agent is told that something was not allowed after it ended its turn there.
const TOLD_AT_MOST: usize = 20;
/// Modes that ask a person or do nothing, as agents name them.
const ASKING: &[&str] = &["default", "plan", "approve", "smart_approve", "chat", "ask", "manual"];
/// Modes that a session which asks nobody is put into, the first that the agent has.
const INSTEAD: &[&str] = &["default", "approve"];

/// Why a run came to nothing, in one sentence.
struct Failed(String);

/// Runs the command to its end and says how it went.
pub fn run(desk: Desk, command: &[String]) -> Result<u8, ApiError> {
    let mut block = String::new();
    std::io::stdin()
        .take(LONGEST)
        .read_to_string(&mut block)
        .map_err(|error| ApiError::usage(format!("the block on standard input: {error}")))?;
    let ended = Agent::start(desk, command).and_then(|mut agent| {
        let ended = agent.converse(&block);
        agent.leave();
        ended
    });
    Ok(match ended {
        Ok(reason) => {
            say(&json!({ "fuda": "end", "stop_reason": reason }));
            u8::from(reason != "end_turn")
        }
        Err(Failed(message)) => {
            say(&json!({ "fuda": "failed", "message": message }));
            1
        }
    })
}

struct Agent {
    child: Child,
    /// None once the agent is told that nothing more comes.
    input: Arc<Mutex<Option<ChildStdin>>>,
    output: BufReader<ChildStdout>,
    desk: Arc<Desk>,
    asked: i64,
    /// Why a call was refused, until the agent says or does something after it.
    refused: Arc<Mutex<Option<String>>>,
}

impl Agent {
    fn start(desk: Desk, command: &[String]) -> Result<Self, Failed> {
        let (program, arguments) = command.split_first().ok_or_else(|| Failed("no command is named".to_owned()))?;
        let mut child = Command::new(program)
            .args(arguments)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .map_err(|error| Failed(format!("{program} could not be started: {error}")))?;
        let (Some(input), Some(output)) = (child.stdin.take(), child.stdout.take()) else {
            return Err(Failed(format!("{program} was started without its streams")));
        };
        let input = Arc::new(Mutex::new(Some(input)));
        Ok(Self {
            child,
            input,
            output: BufReader::new(output),
            desk: Arc::new(desk),
            asked: 0,
            refused: Arc::default(),
        })
    }

    /// One session, one prompt. Returns why the turn stopped, in the protocol's word. An agent that ends its turn at a
    /// refusal is told of it and may go on: the protocol's answer has no room for a reason, and its work is not done.
    fn converse(&mut self, block: &str) -> Result<String, Failed> {
        let nothing_of_ours = json!({ "fs": { "readTextFile": false, "writeTextFile": false }, "terminal": false });
        let told = self.request(
            "initialize",
            json!({
                "protocolVersion": 1,
                "clientCapabilities": nothing_of_ours,
                "clientInfo": { "name": "fuda", "version": env!("CARGO_PKG_VERSION") }
            }),
        )?;
        if told["protocolVersion"] != 1 {
            return Err(Failed(format!("it speaks version {} of the protocol, not 1", told["protocolVersion"])));
        }
        let folder = std::env::current_dir().map_err(|error| Failed(format!("the working folder: {error}")))?;
        let session = self.request("session/new", json!({ "cwd": folder.to_string_lossy(), "mcpServers": [] }))?;
        let id = session["sessionId"].as_str().ok_or_else(|| Failed("it names no session".to_owned()))?.to_owned();
        let mode = self.make_it_ask(&id, &session)?;
        say(&json!({ "fuda": "session", "id": id, "mode": mode, "version": told["agentInfo"]["version"] }));
        let mut text = block.to_owned();
        for _ in 0..=TOLD_AT_MOST {
            let prompt = json!([{ "type": "text", "text": text }]);
            let ended = self.request("session/prompt", json!({ "sessionId": id, "prompt": prompt }))?;
            let reason = ended["stopReason"].as_str().unwrap_or("unknown").to_owned();
            let refused = self.refused().take();
            match refused.filter(|_| reason == "end_turn") {
                Some(because) => text = in_words_to_it(&because),
                None => return Ok(reason),
            }
        }
        Err(Failed("it asked again and again for what was not allowed".to_owned()))
    }

    fn refused(&self) -> MutexGuard<'_, Option<String>> {
        self.refused.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Puts a session that would act without asking into a mode that asks. Returns the mode that holds.
    fn make_it_ask(&mut self, id: &str, session: &Value) -> Result<Option<String>, Failed> {
        let modes = &session["modes"];
        let options = session["configOptions"].as_array();
        let option = options.and_then(|all| all.iter().find(|one| one["category"] == "mode"));
        let current = modes["currentModeId"].as_str().or_else(|| option.and_then(|one| one["currentValue"].as_str()));
        let Some(current) = current else { return Ok(None) };
        if asks(current) {
            return Ok(Some(current.to_owned()));
        }
        let has = |mode: &&&str| {
            modes["availableModes"].as_array().is_some_and(|all| all.iter().any(|one| one["id"] == ***mode))
        };
        let Some(instead) = INSTEAD.iter().find(has) else {
            return Err(Failed(format!("it would act without asking, in its mode {current}, and has none that asks")));
        };
        self.request("session/set_mode", json!({ "sessionId": id, "modeId": instead }))?;
        Ok(Some((*instead).to_owned()))
    }

    /// Sends a request and reads until its answer comes; what comes in between is told, asked or declined.
    fn request(&mut self, method: &str, params: Value) -> Result<Value, Failed> {
        self.asked += 1;
        send(&self.input, json!({ "id": self.asked, "method": method, "params": params }));
        loop {
            let mut line = Vec::new();
            let read = self.output.by_ref().take(LONGEST).read_until(b'\n', &mut line);
            if !read.is_ok_and(|read| read > 0) {
                return Err(Failed(format!("it ended before it answered {method}")));
            }
            let Ok(message) = serde_json::from_slice::<Value>(&line) else { continue };
            if message["method"].is_string() {
                self.heard(message)?;
            } else if message["id"] == self.asked {
                return match &message["error"] {
                    Value::Null => Ok(message["result"].clone()),
                    error => Err(Failed(in_words_of(error))),
                };
            }
        }
    }

    fn heard(&self, message: Value) -> Result<(), Failed> {
        match message["method"].as_str().unwrap_or_default() {
            "session/request_permission" => self.ask(message),
            "session/update" => {
                let update = &message["params"]["update"];
                say(&json!({ "update": update }));
                if goes_on(update) {
                    self.refused().take();
                }
                if update["sessionUpdate"] == "current_mode_update" {
                    let mode = update["currentModeId"].as_str().unwrap_or_default();
                    if !asks(mode) {
                        return Err(Failed(format!("it went into its mode {mode}, which asks nobody")));
                    }
                }
            }
            method if !message["id"].is_null() => {
                let error = json!({ "code": -32601, "message": format!("{method} is not offered") });
                send(&self.input, json!({ "id": message["id"], "error": error }));
            }
            _ => {}
        }
        Ok(())
    }

    /// Asks at the desk, beside what else the agent says meanwhile.
    fn ask(&self, message: Value) {
        let (desk, input, refused) = (self.desk.clone(), self.input.clone(), self.refused.clone());
        thread::spawn(move || {
            let call = &message["params"]["toolCall"];
            let (allow, because) = ask::put(&desk, &tool(call), &what(call));
            if !allow {
                *refused.lock().unwrap_or_else(PoisonError::into_inner) = Some(because);
            }
            let outcome = outcome(&message["params"]["options"], allow);
            send(&input, json!({ "id": message["id"], "result": { "outcome": outcome } }));
        });
    }

    /// Tells the agent that nothing more comes, and ends it when it does not go by itself.
    fn leave(mut self) {
        self.input.lock().unwrap_or_else(PoisonError::into_inner).take();
        let pid = self.child.id();
        let (gone, heard) = mpsc::channel();
        thread::spawn(move || gone.send(self.child.wait().is_ok()));
        if heard.recv_timeout(FAREWELL).is_err() {
            // The keeper ends whoever is left in the group; this only shortens the wait for it.
            let _ = Command::new("kill").arg(pid.to_string()).stderr(Stdio::null()).status();
        }
    }
}

fn asks(mode: &str) -> bool {
    ASKING.contains(&mode.to_lowercase().replace('-', "_").as_str())
}

fn send(input: &Mutex<Option<ChildStdin>>, mut message: Value) {
    message["jsonrpc"] = json!("2.0");
    if let Some(input) = input.lock().unwrap_or_else(PoisonError::into_inner).as_mut() {
        // An agent that is gone is noticed where its output ends.
        let _ = writeln!(input, "{message}").and_then(|()| input.flush());
    }
}

fn say(line: &Value) {
    crate::print::json_line(line);
}

/// What an agent is told that ended its turn at a refusal.
fn in_words_to_it(because: &str) -> String {
    format!(
        "That call was not allowed. The answer of the person at the desk: {because}\nDo not try it another way. Go on with what is left without it, or say what cannot be done."
    )
}

/// Whether an agent says or begins something.
fn goes_on(update: &Value) -> bool {
    match update["sessionUpdate"].as_str() {
        Some("agent_message_chunk") => update["content"]["text"].as_str().is_some_and(|text| !text.trim().is_empty()),
        Some("tool_call") => true,
        _ => false,
    }
}

/// The option to select: one that allows this once, or one that rejects. Where there is none, the question is taken
/// back, which no agent takes for a yes.
fn outcome(options: &Value, allow: bool) -> Value {
    let kind = if allow { "allow_once" } else { "reject_once" };
    let options = options.as_array().map(Vec::as_slice).unwrap_or_default();
    match options.iter().find(|option| option["kind"] == kind) {
        Some(option) => json!({ "outcome": "selected", "optionId": option["optionId"] }),
        None => json!({ "outcome": "cancelled" }),
    }
}

fn tool(call: &Value) -> String {
    let named = call["_meta"]["toolName"].as_str().or_else(|| call["kind"].as_str());
    named.unwrap_or("a tool").to_owned()
}

/// What a person is shown: the command where there is one, else everything that the agent says of the call.
fn what(call: &Value) -> String {
    let mut said: Vec<String> = call["title"].as_str().into_iter().map(str::to_owned).collect();
    let empty = Map::new();
    let input = call["rawInput"].as_object().unwrap_or(&empty);
    if input.contains_key("command") {
        said = vec![ask::in_words(input)];
    } else if !input.is_empty() {
        said.push(ask::in_words(input));
    }
    for content in call["content"].as_array().into_iter().flatten() {
        match content["type"].as_str() {
            Some("diff") => {
                let text = |key: &str| content[key].as_str().unwrap_or_default();
                said.push(format!("{}\nbefore:\n{}\nafter:\n{}", text("path"), text("oldText"), text("newText")));
            }
            _ => said.extend(content["content"]["text"].as_str().map(str::to_owned)),
        }
    }
    said.join("\n")
}

fn in_words_of(error: &Value) -> String {
    let message = error["message"].as_str().unwrap_or("it failed without a word");
    let more = error["data"]["details"].as_str().or_else(|| error["data"].as_str());
    match more.filter(|more| !message.contains(more)) {
        Some(more) => format!("{message}: {more}"),
        None => message.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_answer_allows_once_and_never_for_longer() {
        let options = json!([
            { "optionId": "always", "kind": "allow_always" },
            { "optionId": "once", "kind": "allow_once" },
            { "optionId": "no", "kind": "reject_once" }
        ]);
        assert_eq!(outcome(&options, true)["optionId"], "once");
        assert_eq!(outcome(&options, false)["optionId"], "no");
        let only_always = json!([{ "optionId": "always", "kind": "allow_always" }]);
        assert_eq!(outcome(&only_always, true)["outcome"], "cancelled");
        assert_eq!(outcome(&Value::Null, false)["outcome"], "cancelled");
    }

    #[test]
    fn a_person_sees_the_command_itself_and_both_sides_of_an_edit() {
        let run = json!({ "title": "git push (push)", "rawInput": { "command": "git push origin main" } });
        assert_eq!(what(&run), "git push origin main");
        let diff = json!([{ "type": "diff", "path": "a.go", "oldText": "x", "newText": "y" }]);
        let edit = json!({ "title": "Edit a.go", "kind": "edit", "content": diff });
        assert_eq!(
            (tool(&edit), what(&edit)),
            ("edit".to_owned(), "Edit a.go\na.go\nbefore:\nx\nafter:\ny".to_owned())
        );
    }

    #[test]
    fn a_mode_that_is_not_known_counts_as_one_that_asks_nobody() {
        assert!(asks("default") && asks("smart-approve") && asks("Plan"));
        for mode in ["auto", "yolo", "autoEdit", "acceptEdits", "", "something new"] {
            assert!(!asks(mode), "{mode}");
        }
    }
}
