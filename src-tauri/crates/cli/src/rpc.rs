//! JSON lines: `{"id", "op", "params"}` in, `{"id", "result"}` or `{"id", "error"}` out, progress lines between.

use api::{ApiError, Call, Desk};
use serde_json::{Value, json};
use std::io::{BufRead, Write};

/// The longest request.
const LONGEST: usize = 16 * 1024 * 1024;

pub fn serve(desk: &Desk) -> Result<u8, ApiError> {
    let stdin = std::io::stdin();
    for line in stdin.lock().lines() {
        let Ok(line) = line else { break };
        if line.trim().is_empty() {
            continue;
        }
        let answer = match serde_json::from_str::<Value>(&line) {
            Ok(_) if line.len() > LONGEST => json!({ "id": null, "error": ApiError::usage("the request is too long") }),
            Ok(request) => answer(desk, &request),
            Err(error) => json!({ "id": null, "error": ApiError::usage(format!("the request is no JSON: {error}")) }),
        };
        let mut out = std::io::stdout().lock();
        if writeln!(out, "{answer}").and_then(|()| out.flush()).is_err() {
            break;
        }
    }
    Ok(0)
}

fn answer(desk: &Desk, request: &Value) -> Value {
    let id = request["id"].clone();
    let progress = |progress: api::view::Progress| {
        let _ = writeln!(std::io::stdout(), "{}", json!({ "id": id, "progress": progress }));
    };
    let call = Call { desk, progress: &progress, cancel: &|| false };
    match api::call(&call, request["op"].as_str().unwrap_or_default(), request["params"].clone()) {
        Ok(result) => json!({ "id": request["id"], "result": result }),
        Err(error) => json!({ "id": request["id"], "error": error }),
    }
}
