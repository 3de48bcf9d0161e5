//! A supervisor: this program once more, under a hidden word, that claims, starts and watches one run to its end. It
//! belongs to nobody who may be closed: the window that asked for it shows it, and so does the next one.
//!
//! Its order comes on standard input, so that nothing of it stands among the processes; its first line on standard
//! output says whether it holds the handoff, attends a start that waits for its time, or was refused.

use crate::errors::ApiError;
use crate::host::{caller, now_ms, person_home};
use desk::launch::Keeper;
use desk::{Desk, Options, StartOrder, Waited};
use serde::{Deserialize, Serialize};
use std::ffi::OsString;
use std::io::{BufRead, BufReader, Read, Write};
use std::os::unix::process::CommandExt;
use std::path::PathBuf;
use std::process::{Command, ExitCode, Stdio};

/// The word that makes the hosts' programs a supervisor.
const WORD: &str = "supervise";

/// A look at which starts wait is due after so many looks, also when nothing was written down: a supervisor may be gone.
const LOOKS: u32 = 5;

#[derive(Serialize, Deserialize)]
struct Order {
    root: PathBuf,
    window: bool,
    work: Work,
}

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Work {
    /// A start at once.
    Start(StartOrder),
    /// The wish that a handoff has, at its time.
    Attend(String),
}

#[derive(Serialize, Deserialize)]
#[serde(tag = "told", rename_all = "snake_case")]
enum Line {
    Begun,
    Attends,
    Refused { error: ApiError },
}

/// What a program that stays does for starts that wait: those that nobody attends get a supervisor of their own.
#[derive(Debug, Default)]
pub struct Attendant {
    own: Option<String>,
    head: Option<i64>,
    looks: u32,
    waiting: bool,
}

impl Attendant {
    /// Of a program that attends the start of one handoff itself, and would compete with a supervisor for it.
    pub fn besides(handle: String) -> Self {
        Self { own: Some(handle), ..Self::default() }
    }

    /// Looks once. Cheap while nothing is written down; a start that cannot be attended now is at the next look.
    pub fn look(&mut self, desk: &Desk) {
        let Ok(head) = desk.last_event() else { return };
        self.looks += 1;
        if self.head == Some(head) && !(self.waiting && self.looks >= LOOKS) {
            return;
        }
        let Ok(mut waiting) = desk.waiting_starts() else { return };
        waiting.retain(|(handle, _)| Some(handle) != self.own.as_ref());
        (self.head, self.looks, self.waiting) = (Some(head), 0, !waiting.is_empty());
        for (handle, _) in waiting.into_iter().filter(|(_, attended)| !attended) {
            if let Err(error) = run(desk, Work::Attend(handle)) {
                desk.note("attend", std::time::Duration::ZERO, &error.code, error.cause.as_deref());
            }
        }
    }
}

/// Runs as a supervisor when the program was started as one. Hosts call this before anything else.
pub fn supervise(mut arguments: impl Iterator<Item = OsString>) -> Option<ExitCode> {
    if arguments.next()? != WORD {
        return None;
    }
    Some(match supervised() {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            say(&Line::Refused { error });
            ExitCode::FAILURE
        }
    })
}

fn supervised() -> Result<(), ApiError> {
    let mut text = String::new();
    let read = std::io::stdin().take(1 << 20).read_to_string(&mut text);
    let order: Order = read
        .map_err(serde_json::Error::io)
        .and_then(|_| serde_json::from_str(&text))
        .map_err(|error| ApiError::usage(format!("the order of a supervisor: {error}")))?;
    let program = std::env::current_exe().map_err(not_known)?;
    let desk = Desk::open(Options {
        root: order.root,
        home: person_home(),
        worker: (program, vec!["worker".to_owned()]),
        now_ms,
        caller: caller(if order.window { "window" } else { "supervisor" }),
    })?;
    let environment = |name: &str| std::env::var(name).ok();
    let keeper = Keeper::of_this_program()?;
    match order.work {
        Work::Start(start) => {
            desk.supervise(&start, &keeper, &environment, &mut || say(&Line::Begun))?;
        }
        Work::Attend(id) => {
            let mut tell = Some(Line::Attends);
            let mut look = |_| {
                tell.take().iter().for_each(say);
                true
            };
            let waited = desk.wait_for_start(&id, &mut look)?;
            look(0);
            if let Waited::Begins(lock) = waited {
                desk.begin_start(&id, lock, &keeper, &environment, &mut |_| {}, &|| false)?;
            }
        }
    }
    Ok(())
}

/// Whoever asked may be gone by now; that changes nothing for the run.
fn say(line: &Line) {
    if let Ok(text) = serde_json::to_string(line) {
        let mut out = std::io::stdout().lock();
        let _ = writeln!(out, "{text}").and_then(|()| out.flush());
    }
}

fn not_known(error: std::io::Error) -> ApiError {
    ApiError::usage(format!("this program does not know where it is: {error}"))
}

/// Starts a supervisor and waits until it holds the handoff or says why not.
pub(crate) fn start(desk: &Desk, start: StartOrder) -> Result<(), ApiError> {
    run(desk, Work::Start(start))
}

fn run(desk: &Desk, work: Work) -> Result<(), ApiError> {
    let failed = |what: &'static str| {
        move |source: std::io::Error| {
            ApiError::from(desk::Error::Launch { what: format!("{what} the supervisor"), source })
        }
    };
    let order = Order { root: desk.root().to_owned(), window: desk.is_window(), work };
    let mut child = Command::new(std::env::current_exe().map_err(not_known)?)
        .arg(WORD)
        .current_dir(desk.root())
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .process_group(0)
        .spawn()
        .map_err(failed("starting"))?;
    if let Some(mut input) = child.stdin.take() {
        let text = serde_json::to_vec(&order).map_err(|error| ApiError::usage(error.to_string()))?;
        input.write_all(&text).map_err(failed("telling"))?;
    }
    let mut line = String::new();
    if let Some(output) = child.stdout.take() {
        BufReader::new(output).read_line(&mut line).map_err(failed("hearing"))?;
    }
    // Nobody waits for it in this call; somebody has to take its end, or it stays a zombie while this program lives.
    std::thread::spawn(move || child.wait());
    match serde_json::from_str(&line) {
        Ok(Line::Begun | Line::Attends) => Ok(()),
        Ok(Line::Refused { error }) => Err(error),
        Err(_) => Err(failed("hearing")(std::io::Error::other("it ended without a word"))),
    }
}
