//! The worker's side: answers line by line until the input ends.

use super::protocol::{Answer, Ask, Failure, Paths, Request, Response};
use crate::look::look_telling;
use crate::text::shown_path;
use crate::{Error, beginning, commit_dates, fingerprint, glance, rules, touched_since, watch_paths};
use std::io::{self, BufRead, Write};

/// Runs the worker on standard input and output. What hosts call in their hidden subcommand `worker`.
///
/// The process is narrowed first: it can write no file and leaves no core image.
///
/// # Errors
/// When standard input or output fails.
pub fn run() -> io::Result<()> {
    narrow();
    serve(io::stdin().lock(), io::stdout().lock())
}

/// Answers requests, one JSON value a line, until the input ends. A line that is no request is answered as a
/// failure with id 0.
///
/// # Errors
/// When the input or output fails.
pub fn serve(input: impl BufRead, mut output: impl Write) -> io::Result<()> {
    for line in input.lines() {
        let line = line?;
        if line.trim().is_empty() {
            continue;
        }
        let response = match serde_json::from_str::<Request>(&line) {
            Ok(request) => Response { id: request.id, answer: answer(&request, &mut output) },
            Err(error) => {
                Response { id: 0, answer: Answer::Failed(Failure::Other { why: format!("no request: {error}") }) }
            }
        };
        write(&mut output, &response)?;
    }
    Ok(())
}

fn write(output: &mut impl Write, response: &Response) -> io::Result<()> {
    serde_json::to_writer(&mut *output, response)?;
    output.write_all(b"\n")?;
    output.flush()
}

fn answer(request: &Request, output: &mut impl Write) -> Answer {
    match request.ask {
        Ask::Glance => Answer::Drift(Box::new(glance(&request.question))),
        Ask::Look => Answer::Drift(Box::new(look_telling(&request.question, &|| false, &mut |tree| {
            let told = Response { id: request.id, answer: Answer::Glanced(Box::new(tree.clone())) };
            let _ = write(output, &told); // an output that is gone fails again with the answer
        }))),
        Ask::CommitDates => Answer::Dates(commit_dates(&request.question)),
        Ask::WatchPaths => Answer::Paths(Paths(watch_paths(&request.question))),
        Ask::Rules => Answer::Rules(rules(&request.question)),
        Ask::Beginning => match beginning(&request.question) {
            Ok(begun) => Answer::Beginning(Box::new(begun)),
            Err(error) => Answer::Failed(error.into()),
        },
        Ask::TouchedSince => match &request.since {
            Some(begun) => Answer::Touched(touched_since(&request.question, begun)),
            None => Answer::Failed(Failure::Other { why: "it was not said what the run began from".into() }),
        },
        Ask::Fingerprint => match fingerprint(&request.question) {
            Ok(print) => Answer::Fingerprint(print),
            Err(error) => Answer::Failed(error.into()),
        },
    }
}

impl From<Error> for Failure {
    fn from(error: Error) -> Self {
        match error {
            Error::NoFolder => Self::NoFolder,
            Error::FolderGone { path, why } => Self::FolderGone { path: shown_path(&path), why },
            Error::NotInspectable { path, why } => Self::NotInspectable { path: shown_path(&path), why },
            Error::Git { path, source, .. } => {
                Self::NotInspectable { path: shown_path(&path), why: source.message().to_owned() }
            }
            Error::Worker { why, .. } => Self::Other { why },
        }
    }
}

/// Takes from this process what reading never needs. Best effort: a limit that cannot be set changes no answer.
#[cfg(unix)]
fn narrow() {
    use rustix::process::{Resource, Rlimit, setrlimit};
    let none = || Rlimit { current: Some(0), maximum: Some(0) };
    let _ = setrlimit(Resource::Core, none());
    let _ = setrlimit(Resource::Fsize, none());
}

#[cfg(not(unix))]
fn narrow() {}
