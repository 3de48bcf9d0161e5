//! A model server on 127.0.0.1 for real agents: it speaks as much of each service as the agents need, keeps what they
//! sent, and answers as a test wants it. No model is behind it: what is tested is the way from the desk to the agent
//! and back.
//!
//! Formats: chat completions, responses, messages and generateContent as their services document them, seen 2026-12.

use serde_json::{Value, json};
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

/// How the model answers.
#[derive(Clone, Debug)]
pub enum Behaviour {
    /// One sentence.
    Says(&'static str),
    /// An answer without a word in it.
    SaysNothing,
    /// HTTP 429.
    Limited,
    /// It takes the request and never answers.
    Silent,
    /// Calls these tools one after another, each where the agent offers it, then says a sentence.
    Calls(Vec<(&'static str, Value)>),
}

/// A request as it came.
#[derive(Clone, Debug)]
pub struct Asked {
    /// Where to.
    pub path: String,
    /// The body.
    pub body: Value,
}

/// The server. It ends with the test's process.
pub struct Model {
    port: u16,
    asked: Arc<Mutex<Vec<Asked>>>,
}

#[derive(Clone, Copy)]
enum Dialect {
    Chat,
    Responses,
    Messages,
    Gemini,
}

impl Model {
    pub fn that(behaviour: Behaviour) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
        let port = listener.local_addr().expect("an address").port();
        let asked = Arc::new(Mutex::new(Vec::new()));
        let kept = asked.clone();
        thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                let (kept, behaviour) = (kept.clone(), behaviour.clone());
                // An agent that breaks off is what some tests are about.
                thread::spawn(move || serve(stream, &kept, &behaviour).ok());
            }
        });
        Self { port, asked }
    }

    pub fn url(&self) -> String {
        format!("http://127.0.0.1:{}", self.port)
    }

    /// Everything that was asked for so far.
    pub fn asked(&self) -> Vec<Asked> {
        self.asked.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Waits until the agent asks the model.
    pub fn wait_until_asked(&self) {
        let until = Instant::now() + Duration::from_secs(60);
        while !self.asked().iter().any(|asked| dialect(&asked.path).is_some()) {
            assert!(Instant::now() < until, "the agent never asked its model: {:?}", self.asked());
            thread::yield_now();
        }
    }

    /// The results of tools as the agent reported them, in order.
    pub fn results(&self) -> Vec<String> {
        let longest = self.asked().into_iter().filter_map(|asked| Some(results(dialect(&asked.path)?, &asked.body)));
        longest.max_by_key(Vec::len).unwrap_or_default()
    }
}

fn dialect(path: &str) -> Option<Dialect> {
    let path = path.split('?').next().unwrap_or(path);
    [
        ("/chat/completions", Dialect::Chat),
        ("/responses", Dialect::Responses),
        ("/messages", Dialect::Messages),
        (":streamGenerateContent", Dialect::Gemini),
        (":generateContent", Dialect::Gemini),
    ]
    .into_iter()
    .find_map(|(end, dialect)| path.ends_with(end).then_some(dialect))
}

fn serve(stream: TcpStream, kept: &Mutex<Vec<Asked>>, behaviour: &Behaviour) -> std::io::Result<()> {
    let mut reader = BufReader::new(stream.try_clone()?);
    let mut first = String::new();
    reader.read_line(&mut first)?;
    let path = first.split_whitespace().nth(1).unwrap_or_default().to_owned();
    let (mut length, mut chunked) = (0, false);
    loop {
        let mut line = String::new();
        if reader.read_line(&mut line)? == 0 || line.trim().is_empty() {
            break;
        }
        let lower = line.to_lowercase();
        if let Some(value) = lower.strip_prefix("content-length:") {
            length = value.trim().parse().unwrap_or(0);
        }
        chunked |= lower.starts_with("transfer-encoding:") && lower.contains("chunked");
    }
    let bytes = if chunked { read_chunks(&mut reader)? } else { read_exactly(&mut reader, length)? };
    let body: Value = serde_json::from_slice(&bytes).unwrap_or(Value::Null);
    kept.lock().unwrap_or_else(PoisonError::into_inner).push(Asked { path: path.clone(), body: body.clone() });
    let Some(dialect) = dialect(&path) else {
        return send(&stream, "404 Not Found", "application/json", "{}");
    };
    match answer(dialect, &path, &body, behaviour) {
        Some((status, kind, text)) => send(&stream, status, kind, &text),
        None => reader.read_to_end(&mut Vec::new()).map(|_| ()),
    }
}

fn read_exactly(reader: &mut impl Read, length: usize) -> std::io::Result<Vec<u8>> {
    let mut bytes = vec![0; length];
    reader.read_exact(&mut bytes)?;
    Ok(bytes)
}

fn read_chunks(reader: &mut impl BufRead) -> std::io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    loop {
        let mut size = String::new();
        reader.read_line(&mut size)?;
        let size = usize::from_str_radix(size.trim(), 16).map_err(std::io::Error::other)?;
        bytes.extend(read_exactly(reader, size)?);
        reader.read_line(&mut String::new())?;
        if size == 0 {
            return Ok(bytes);
        }
    }
}

fn send(mut stream: &TcpStream, status: &str, kind: &str, text: &str) -> std::io::Result<()> {
    let length = text.len();
    write!(
        stream,
        "HTTP/1.1 {status}\r\ncontent-type: {kind}\r\ncontent-length: {length}\r\nconnection: close\r\n\r\n{text}"
    )
}

/// Status, type and text. None: no answer at all.
fn answer(
    dialect: Dialect,
    path: &str,
    body: &Value,
    behaviour: &Behaviour,
) -> Option<(&'static str, &'static str, String)> {
    let whole = match dialect {
        Dialect::Gemini => !path.contains(":streamGenerateContent"),
        _ => body["stream"] != true,
    };
    let events = match behaviour {
        Behaviour::Silent => return None,
        Behaviour::Limited => return Some(("429 Too Many Requests", "application/json", limited(dialect))),
        Behaviour::Says(text) => says(dialect, text, body),
        Behaviour::SaysNothing => says(dialect, "", body),
        Behaviour::Calls(calls) => {
            let done = results(dialect, body).len();
            let offered = body["tools"].to_string();
            match calls.get(done).filter(|(name, _)| offered.contains(&format!("\"{name}\""))) {
                Some((name, arguments)) => call(dialect, name, arguments, done, body),
                None => says(dialect, "Finished.", body),
            }
        }
    };
    if whole {
        let text = complete(dialect, &events).to_string();
        return Some(("200 OK", "application/json", text));
    }
    let mut text = String::new();
    for event in &events {
        // Two of the services name each event in a line of its own.
        if let (Dialect::Responses | Dialect::Messages, Some(kind)) = (dialect, event["type"].as_str()) {
            text.push_str(&format!("event: {kind}\n"));
        }
        text.push_str(&format!("data: {event}\n\n"));
    }
    if matches!(dialect, Dialect::Chat) {
        text.push_str("data: [DONE]\n\n");
    }
    Some(("200 OK", "text/event-stream", text))
}

fn limited(dialect: Dialect) -> String {
    let message = "You have hit your usage limit. Try again in 60 minutes.";
    match dialect {
        Dialect::Messages => {
            json!({ "type": "error", "error": { "type": "rate_limit_error", "message": message } }).to_string()
        }
        Dialect::Gemini => {
            json!({ "error": { "code": 429, "message": message, "status": "RESOURCE_EXHAUSTED" } }).to_string()
        }
        _ => {
            let resets_at = jiff::Timestamp::now().as_second() + 3_600;
            json!({ "error": { "type": "usage_limit_reached", "message": message, "resets_at": resets_at } })
                .to_string()
        }
    }
}

fn says(dialect: Dialect, text: &str, body: &Value) -> Vec<Value> {
    match dialect {
        Dialect::Chat => vec![
            chunk(body, json!({ "role": "assistant", "content": text }), Value::Null),
            chunk(body, json!({}), json!("stop")),
        ],
        Dialect::Responses => {
            let content = json!([{ "type": "output_text", "text": text, "annotations": [] }]);
            let item = json!({ "type": "message", "id": "m1", "role": "assistant", "content": content });
            respond(if text.is_empty() { None } else { Some(item) })
        }
        Dialect::Messages => message(
            body,
            json!({ "type": "text", "text": "" }),
            json!({ "type": "text_delta", "text": text }),
            "end_turn",
        ),
        Dialect::Gemini => vec![candidate(json!({ "text": text }))],
    }
}

fn call(dialect: Dialect, name: &str, arguments: &Value, number: usize, body: &Value) -> Vec<Value> {
    let id = format!("call_{number}");
    match dialect {
        Dialect::Chat => {
            let function = json!({ "name": name, "arguments": arguments.to_string() });
            let calls = json!([{ "index": 0, "id": id, "type": "function", "function": function }]);
            vec![
                chunk(body, json!({ "role": "assistant", "content": null, "tool_calls": calls }), Value::Null),
                chunk(body, json!({}), json!("tool_calls")),
            ]
        }
        Dialect::Responses => respond(Some(json!({
            "type": "function_call", "id": format!("f{number}"), "call_id": id, "name": name,
            "arguments": arguments.to_string()
        }))),
        Dialect::Messages => message(
            body,
            json!({ "type": "tool_use", "id": format!("toolu_{number}"), "name": name, "input": {} }),
            json!({ "type": "input_json_delta", "partial_json": arguments.to_string() }),
            "tool_use",
        ),
        Dialect::Gemini => vec![candidate(json!({ "functionCall": { "name": name, "args": arguments } }))],
    }
}

fn chunk(body: &Value, delta: Value, finish: Value) -> Value {
    json!({
        "id": "c1", "object": "chat.completion.chunk", "created": 1, "model": body["model"],
        "choices": [{ "index": 0, "delta": delta, "finish_reason": finish }],
        "usage": { "prompt_tokens": 10, "completion_tokens": 2, "total_tokens": 12 }
    })
}

fn respond(item: Option<Value>) -> Vec<Value> {
    let usage = json!({
        "input_tokens": 10, "input_tokens_details": { "cached_tokens": 0 },
        "output_tokens": 2, "output_tokens_details": { "reasoning_tokens": 0 }, "total_tokens": 12
    });
    let mut events = vec![json!({ "type": "response.created", "response": { "id": "r1" } })];
    events.extend(
        item.clone().map(|item| json!({ "type": "response.output_item.done", "output_index": 0, "item": item })),
    );
    let output: Vec<Value> = item.into_iter().collect();
    events.push(json!({
        "type": "response.completed",
        "response": { "id": "r1", "status": "completed", "output": output, "usage": usage }
    }));
    events
}

fn message(body: &Value, block: Value, delta: Value, stop: &str) -> Vec<Value> {
    let usage = json!({ "input_tokens": 10, "output_tokens": 2 });
    vec![
        json!({ "type": "message_start", "message": {
            "id": "msg_1", "type": "message", "role": "assistant", "model": body["model"], "content": [],
            "stop_reason": null, "stop_sequence": null, "usage": usage
        } }),
        json!({ "type": "content_block_start", "index": 0, "content_block": block }),
        json!({ "type": "content_block_delta", "index": 0, "delta": delta }),
        json!({ "type": "content_block_stop", "index": 0 }),
        json!({ "type": "message_delta", "delta": { "stop_reason": stop, "stop_sequence": null }, "usage": usage }),
        json!({ "type": "message_stop" }),
    ]
}

fn candidate(part: Value) -> Value {
    json!({
        "candidates": [{ "content": { "role": "model", "parts": [part] }, "finishReason": "STOP", "index": 0 }],
        "usageMetadata": { "promptTokenCount": 10, "candidatesTokenCount": 2, "totalTokenCount": 12 },
        "modelVersion": "stub"
    })
}

/// The same answer for one who does not stream.
fn complete(dialect: Dialect, events: &[Value]) -> Value {
    match dialect {
        Dialect::Chat => {
            let choice = &events[0]["choices"][0];
            let finish = &events[1]["choices"][0]["finish_reason"];
            json!({
                "id": "c1", "object": "chat.completion", "created": 1, "model": events[0]["model"],
                "choices": [{ "index": 0, "message": choice["delta"], "finish_reason": finish }],
                "usage": events[0]["usage"]
            })
        }
        Dialect::Responses => events.last().map(|event| event["response"].clone()).unwrap_or_default(),
        Dialect::Messages => {
            let mut message = events[0]["message"].clone();
            let mut block = events[1]["content_block"].clone();
            let delta = &events[2]["delta"];
            if delta["type"] == "text_delta" {
                block["text"] = delta["text"].clone();
            } else {
                block["input"] =
                    serde_json::from_str(delta["partial_json"].as_str().unwrap_or("{}")).unwrap_or_default();
            }
            message["content"] = json!([block]);
            message["stop_reason"] = events[4]["delta"]["stop_reason"].clone();
            message
        }
        Dialect::Gemini => events[0].clone(),
    }
}

/// What tools answered, as the request repeats it.
fn results(dialect: Dialect, body: &Value) -> Vec<String> {
    let list = |value: &Value| value.as_array().cloned().unwrap_or_default();
    match dialect {
        Dialect::Chat => {
            let messages = list(&body["messages"]);
            messages.iter().filter(|one| one["role"] == "tool").map(|one| one["content"].to_string()).collect()
        }
        Dialect::Responses => {
            let items = list(&body["input"]);
            let is_result = |one: &&Value| one["type"] == "function_call_output";
            items.iter().filter(is_result).map(|one| one["output"].to_string()).collect()
        }
        Dialect::Messages => {
            let parts = list(&body["messages"]).into_iter().flat_map(|message| list(&message["content"]));
            parts.filter(|one| one["type"] == "tool_result").map(|one| one["content"].to_string()).collect()
        }
        Dialect::Gemini => {
            let parts = list(&body["contents"]).into_iter().flat_map(|content| list(&content["parts"]));
            let responses = parts.filter(|one| !one["functionResponse"].is_null());
            responses.map(|one| one["functionResponse"]["response"].to_string()).collect()
        }
    }
}
