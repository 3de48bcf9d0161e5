//! A running `fuda rpc`: the real program, asked many times without starting it anew.

use crate::limit;
use serde_json::{Value, json};
use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

/// The program, for as long as it is asked.
pub struct Rpc {
    child: Child,
    /// None once it is told to end.
    input: Option<ChildStdin>,
    output: BufReader<ChildStdout>,
    next: u64,
    /// What was asked last.
    asked: String,
}

impl Rpc {
    /// Starts `fuda … rpc`.
    pub fn start(mut command: Command) -> Self {
        let mut child = command
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .expect("the program starts");
        let input = child.stdin.take();
        let output = BufReader::new(child.stdout.take().expect("its output"));
        Self { child, input, output, next: 1, asked: "its start".to_owned() }
    }

    /// Asks and waits for the answer: the result, or the error as it crosses.
    pub fn call(&mut self, operation: &str, params: Value) -> Result<Value, Value> {
        self.ask(operation, params);
        self.answer()
    }

    /// Asks without waiting.
    pub fn ask(&mut self, operation: &str, params: Value) {
        let line = json!({ "id": self.next, "op": operation, "params": params });
        self.next += 1;
        self.asked = operation.to_owned();
        let input = self.input.as_mut().expect("its input");
        // A program that was killed is told by its answer.
        let _ = writeln!(input, "{line}").and_then(|()| input.flush());
    }

    /// Waits for the answer to what was asked last. A program that ended answers with the code `gone`.
    pub fn answer(&mut self) -> Result<Value, Value> {
        let _watch = limit::watch(self.child.id(), &format!("fuda rpc, asked for {}", self.asked));
        let mut line = String::new();
        loop {
            line.clear();
            if self.output.read_line(&mut line).unwrap_or(0) == 0 {
                return Err(json!({ "code": "gone", "message": "the program ended" }));
            }
            let mut answer: Value = serde_json::from_str(&line).expect("an answer is JSON");
            if !answer["error"].is_null() {
                return Err(answer["error"].take());
            }
            if answer.get("result").is_some() {
                return Ok(answer["result"].take());
            }
        }
    }

    /// The result, where anything else is a fault of the test itself.
    pub fn ok(&mut self, operation: &str, params: Value) -> Value {
        self.call(operation, params).unwrap_or_else(|error| panic!("{operation}: {error}"))
    }

    /// Its process.
    pub fn id(&self) -> u32 {
        self.child.id()
    }

    /// Ends it as a power button would end a process.
    pub fn kill(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl Drop for Rpc {
    fn drop(&mut self) {
        // The end of its input is the end of the program, which closes what it has open.
        drop(self.input.take());
        let _watch = limit::watch(self.child.id(), &format!("the end of fuda rpc after {}", self.asked));
        let _ = self.child.wait();
    }
}
