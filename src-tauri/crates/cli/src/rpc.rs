//! JSON lines: `{"id", "op", "params"}` in, `{"id", "result"}` or `{"id", "error"}` out, progress lines between. A line
//! that is no request is answered as well, and the next one is read.

use api::{ApiError, Call, Desk};
use serde_json::{Value, json};
use std::io::{BufRead, Read, Write};

/// The longest request.
const LONGEST: u64 = 16 * 1024 * 1024;

pub fn serve(desk: &Desk) -> Result<u8, ApiError> {
    let mut input = std::io::stdin().lock();
    let mut line = Vec::new();
    while let Ok(whole) = next_line(&mut input, &mut line, LONGEST) {
        if whole && line.is_empty() {
            break;
        }
        if line.trim_ascii().is_empty() {
            continue;
        }
        let answer = match serde_json::from_slice::<Value>(&line) {
            _ if !whole => refused(format!("the request is longer than {LONGEST} bytes")),
            Ok(request) if request.is_object() => answer(desk, &request),
            Ok(_) => refused("the request is no object with op and params".to_owned()),
            Err(error) => refused(format!("the request is no JSON: {error}")),
        };
        let mut out = std::io::stdout().lock();
        if writeln!(out, "{answer}").and_then(|()| out.flush()).is_err() {
            break;
        }
    }
    Ok(0)
}

/// Reads a line, its end included; nothing at the end of the input. False when it is longer than allowed: then its rest
/// is read over.
fn next_line(input: &mut impl BufRead, line: &mut Vec<u8>, longest: u64) -> std::io::Result<bool> {
    line.clear();
    input.take(longest + 1).read_until(b'\n', line)?;
    if line.len() as u64 <= longest {
        return Ok(true);
    }
    let mut ended = line.ends_with(b"\n");
    while !ended {
        let rest = input.fill_buf()?;
        let end = rest.iter().position(|byte| *byte == b'\n').map(|at| at + 1);
        ended = end.is_some() || rest.is_empty();
        let read = end.unwrap_or(rest.len());
        input.consume(read);
    }
    Ok(false)
}

fn refused(why: String) -> Value {
    json!({ "id": null, "error": ApiError::usage(why) })
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_that_is_too_long_is_passed_over_and_the_next_one_is_read() {
        let mut input = &b"0123456789abcdef\nnext\nlast"[..];
        let mut line = Vec::new();
        assert!(!next_line(&mut input, &mut line, 8).expect("read"));
        assert!(next_line(&mut input, &mut line, 8).expect("read"));
        assert_eq!(line, b"next\n");
        assert!(next_line(&mut input, &mut line, 8).expect("read"));
        assert_eq!(line, b"last");
        assert!(next_line(&mut input, &mut line, 8).expect("read"));
        assert!(line.is_empty());
    }
}
