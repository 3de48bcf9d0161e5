//! The process: started through its keeper, watched through its output, ended gently and then firmly.

use super::plan::{BLOCK, Deliver, Plan};
use super::stream::{Session, Signal, Stream, verify_started};
use super::{keep, seal};
use crate::Error;
use serde::{Deserialize, Serialize};
use std::fs::{DirBuilder, File};
use std::io::{self, BufRead, BufReader, Read, Write};
use std::os::fd::OwnedFd;
use std::os::unix::fs::{DirBuilderExt, OpenOptionsExt, PermissionsExt};
use std::os::unix::net::UnixStream;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, SyncSender};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};
use ts_rs::TS;

/// The agent's output in the run folder.
const LOG: &str = "agent.log";
/// The most that the log holds.
const LOG_BYTES: u64 = 64 << 20;
/// How long the keeper may take to start the agent.
const PATIENCE: Duration = Duration::from_secs(10);
/// How long output may still come once the agent has ended.
const DRAIN: Duration = Duration::from_secs(2);
/// How often a watcher is asked whether it still wants to.
const CANCEL_STEP: Duration = Duration::from_millis(50);
/// The most of standard error that is kept as last words.
const LAST_WORDS: usize = 2_000;

/// The program that keeps agents: a host's own, with the words that make it a keeper.
#[derive(Clone, Debug)]
pub struct Keeper {
    /// The program.
    pub program: PathBuf,
    /// Its arguments; usually [`keep::WORD`].
    pub arguments: Vec<String>,
}

impl Keeper {
    /// The running program itself.
    ///
    /// # Errors
    /// [`Error::Launch`] when it does not know where it is.
    pub fn of_this_program() -> Result<Self, Error> {
        let program = std::env::current_exe()
            .map_err(|source| Error::Launch { what: "finding this program".to_owned(), source })?;
        Ok(Self { program, arguments: vec![keep::WORD.to_owned()] })
    }
}

/// Names a process for good: its number alone is used again.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct Process {
    /// The agent's number, which is its group's number too.
    pub pid: u32,
    /// When it started, in ticks since the machine did.
    #[ts(type = "number")]
    pub started_ticks: u64,
    /// Which start of the machine that was.
    pub boot_id: String,
}

impl Process {
    /// Whether that very process is there now.
    pub fn is_alive(&self) -> bool {
        let pid = i32::try_from(self.pid).unwrap_or(0);
        self.boot_id == boot_id() && self.started_ticks != 0 && keep::started_ticks(pid) == self.started_ticks
    }
}

/// Which start of the machine this is; empty where that cannot be told.
pub(crate) fn boot_id() -> String {
    std::fs::read_to_string("/proc/sys/kernel/random/boot_id").unwrap_or_default().trim().to_owned()
}

#[derive(Debug, Default, Serialize, Deserialize)]
pub(crate) struct Order {
    pub argv: Vec<String>,
    pub folder: PathBuf,
    pub environment: Vec<(String, Option<String>)>,
    pub keeper: Vec<String>,
    pub on_stdin: bool,
    pub grace_ms: u64,
    pub block_hash: String,
    pub block_bytes: usize,
    #[serde(skip)]
    pub block: Vec<u8>,
}

#[derive(Debug, Serialize, Deserialize)]
#[serde(tag = "event", rename_all = "snake_case")]
pub(crate) enum Event {
    Started { pid: u32, started_ticks: u64 },
    Failed { message: String },
    Ended { exit_code: Option<i32>, signal: Option<i32> },
}

/// What the agent said of its own end.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(tag = "said", rename_all = "snake_case")]
pub enum Reported {
    /// That it ended well.
    Ok {
        /// In its words, shortened.
        message: String,
    },
    /// That it did not, or nothing although it should have.
    Failed {
        /// Why.
        message: String,
    },
    /// It prints no structure, so it says nothing of that.
    Nothing,
}

/// A limit as reported.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct Limit {
    /// When it ends, RFC 3339.
    pub resets_at: Option<String>,
    /// In the agent's words.
    pub message: String,
}

/// How a run ended.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct Ended {
    /// The exit status, when it ended by itself.
    pub exit_code: Option<i32>,
    /// The signal that ended it.
    pub signal: Option<i32>,
    /// Whether it was stopped by the watcher.
    pub stopped: bool,
    /// Whether the keeper vanished, so that nothing is known of the end.
    pub lost: bool,
    /// What differed from the plan at the start; it was stopped for that.
    pub mismatch: Option<String>,
    /// What it said of its end.
    pub reported: Reported,
    /// Its session.
    pub session: Option<Session>,
    /// A limit that it met.
    pub limit: Option<Limit>,
    /// From the start to the first sign of life.
    #[ts(type = "number | null")]
    pub first_sign_ms: Option<u64>,
    /// From the start to the first tool.
    #[ts(type = "number | null")]
    pub first_tool_ms: Option<u64>,
    /// From the start to the end.
    #[ts(type = "number")]
    pub took_ms: u64,
    /// Calls of tools.
    pub tools: u32,
    /// What was refused.
    pub denied: Vec<String>,
    /// What it asked.
    pub questions: Vec<String>,
    /// The end of what it wrote to standard error.
    pub last_words: String,
    /// Where its output lies.
    #[ts(type = "string")]
    pub log: PathBuf,
}

impl Ended {
    /// The outcome as far as the process tells: `stopped`, `interrupted`, `failed` or `done`. Whether the work is right
    /// is for a check to say.
    pub fn outcome(&self) -> &'static str {
        if self.stopped || self.mismatch.is_some() {
            return "stopped";
        }
        if self.lost || self.signal.is_some() {
            return "interrupted";
        }
        match &self.reported {
            Reported::Ok { .. } | Reported::Nothing if self.exit_code == Some(0) && self.limit.is_none() => "done",
            _ => "failed",
        }
    }

    /// Why, in one sentence.
    pub fn because(&self) -> String {
        let status = match (self.exit_code, self.signal) {
            (Some(code), _) => format!("exit status {code}"),
            (None, Some(signal)) => format!("ended by signal {signal}"),
            (None, None) => "its end was not seen".to_owned(),
        };
        match (&self.mismatch, &self.limit, &self.reported) {
            (Some(mismatch), ..) => format!("Stopped: {mismatch}."),
            (None, Some(limit), _) => format!("Usage limit: {} ({status}).", limit.message),
            (None, None, Reported::Failed { message }) => format!("{message} ({status})"),
            (None, None, Reported::Ok { .. }) => format!("It says that it is done ({status})."),
            (None, None, Reported::Nothing) => format!("It says nothing of its end ({status})."),
        }
    }
}

/// Where output comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Output {
    /// Standard output.
    Out,
    /// Standard error.
    Err,
}

enum Heard {
    Printed(Output, Vec<u8>),
    Closed,
    Kept(Event),
    Lost,
}

/// Ends a run from elsewhere. Can be cloned and sent.
#[derive(Clone, Debug)]
pub struct Stopper {
    socket: Arc<Mutex<UnixStream>>,
    asked: Arc<Mutex<bool>>,
}

impl Stopper {
    /// Asks the whole group to end and ends it firmly after the grace. Asked twice, it ends at once.
    pub fn stop(&self) {
        let again = std::mem::replace(&mut *self.asked.lock().unwrap_or_else(PoisonError::into_inner), true);
        self.say(if again { b"k" } else { b"s" });
    }

    /// Ends the whole group at once.
    pub fn stop_now(&self) {
        *self.asked.lock().unwrap_or_else(PoisonError::into_inner) = true;
        self.say(b"k");
    }

    fn asked(&self) -> bool {
        *self.asked.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn say(&self, word: &[u8]) {
        // A keeper that is gone has ended what it kept.
        let _ = self.socket.lock().unwrap_or_else(PoisonError::into_inner).write_all(word);
    }
}

/// A run. Dropped unwatched, its agent is ended.
#[derive(Debug)]
pub struct Running {
    process: Process,
    stopper: Stopper,
    heard: Receiver<Heard>,
    keeper: Child,
    log: File,
    log_path: PathBuf,
    stream: Stream,
    plan: Plan,
    began: Instant,
}

/// Starts what the plan says. `now_ms` is for limits that an agent tells as "in 60 minutes"; `grace` is how long a
/// gentle stop may take.
///
/// # Errors
/// [`Error::Launch`] when a file cannot be written, the program is not there, or the keeper cannot start it. Nothing
/// runs then.
pub fn start(plan: &Plan, block: &[u8], keeper: &Keeper, now_ms: i64, grace: Duration) -> Result<Running, Error> {
    let failed = |what: String| move |source| Error::Launch { what, source };
    find(plan)?;
    folder(&plan.run_folder)?;
    for file in &plan.files {
        seal::private(&plan.run_folder.join(&file.name), file.contents.as_bytes(), 0o400)?;
    }
    if plan.deliver == Deliver::Path {
        seal::private(&plan.run_folder.join(BLOCK), block, 0o400)?;
    }
    let log_path = plan.run_folder.join(LOG);
    let log = File::options().append(true).create_new(true).mode(0o600).open(&log_path);
    let log = log.map_err(failed(format!("writing {}", log_path.display())))?;

    let (socket, theirs) = UnixStream::pair().map_err(failed("a socket".to_owned()))?;
    let program = std::path::absolute(&keeper.program).map_err(failed(keeper.program.display().to_string()))?;
    let mut keeping = Command::new(program)
        .args(&keeper.arguments)
        .current_dir(&plan.run_folder)
        .process_group(0)
        .stdin(Stdio::from(OwnedFd::from(theirs)))
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .map_err(failed(format!("starting {}", keeper.program.display())))?;
    let began = Instant::now();
    let order = Order {
        argv: plan.argv.clone(),
        folder: plan.folder.clone(),
        environment: plan.environment.iter().map(|one| (one.name.clone(), one.value.clone())).collect(),
        keeper: keeper.arguments.clone(),
        on_stdin: plan.deliver == Deliver::Stdin,
        grace_ms: u64::try_from(grace.as_millis()).unwrap_or(u64::MAX),
        block_hash: handoff::revision(block),
        block_bytes: block.len(),
        block: Vec::new(),
    };
    give(&socket, &order, block).map_err(failed("handing the block over".to_owned()))?;

    let (tell, heard) = mpsc::sync_channel(64);
    let from_keeper = socket.try_clone().map_err(failed("a socket".to_owned()))?;
    if let Some(output) = keeping.stdout.take() {
        listen(output, Output::Out, tell.clone());
    }
    if let Some(output) = keeping.stderr.take() {
        listen(output, Output::Err, tell.clone());
    }
    let (started, first) = mpsc::channel();
    thread::spawn(move || listen_to_keeper(from_keeper, &started, &tell));

    let told = first.recv_timeout(PATIENCE);
    let mut running = Running {
        process: Process { pid: 0, started_ticks: 0, boot_id: boot_id() },
        stopper: Stopper { socket: Arc::new(Mutex::new(socket)), asked: Arc::default() },
        heard,
        keeper: keeping,
        log,
        log_path,
        stream: Stream::new(plan.stream, now_ms),
        plan: plan.clone(),
        began,
    };
    match told {
        Ok(Event::Started { pid, started_ticks }) => {
            running.process.pid = pid;
            running.process.started_ticks = started_ticks;
            Ok(running)
        }
        Ok(Event::Failed { message }) => Err(failed(plan.argv[0].clone())(io::Error::other(message))),
        Ok(Event::Ended { .. }) | Err(_) => {
            let source = io::Error::new(io::ErrorKind::TimedOut, "its keeper did not say that it started");
            Err(failed(plan.argv[0].clone())(source))
        }
    }
}

impl Running {
    /// The agent's process.
    pub fn process(&self) -> &Process {
        &self.process
    }

    /// Where its output goes.
    pub fn log(&self) -> &Path {
        &self.log_path
    }

    /// What ends it from elsewhere.
    pub fn stopper(&self) -> Stopper {
        self.stopper.clone()
    }

    /// Watches until the agent has ended. Signals are told as they come; output waits while a signal is being told.
    /// When `cancel` says so it is stopped, gently and then firmly; it is asked until the end, so that it can see a second
    /// wish and end the run at once by a [`Stopper`].
    pub fn watch(mut self, on: &mut dyn FnMut(&Signal), cancel: &dyn Fn() -> bool) -> Ended {
        let mut ended = self.unknown();
        let mut open = 2;
        let mut over: Option<Instant> = None;
        let mut cancelled = false;
        let mut written = 0;
        while over.is_none_or(|over| open > 0 && over.elapsed() < DRAIN) {
            if cancel() && !cancelled {
                cancelled = true;
                self.stopper.stop();
            }
            match self.heard.recv_timeout(CANCEL_STEP) {
                Ok(Heard::Printed(output, bytes)) => {
                    written = self.keep(&bytes, written);
                    if output == Output::Out {
                        let signals = self.stream.feed(&bytes);
                        self.note(&mut ended, signals, on);
                    } else {
                        remember(&mut ended.last_words, &bytes);
                    }
                }
                Ok(Heard::Closed) => open -= 1,
                Ok(Heard::Kept(Event::Ended { exit_code, signal })) => {
                    ended.exit_code = exit_code;
                    ended.signal = signal;
                    ended.lost = false;
                    over = over.or(Some(Instant::now()));
                }
                Ok(Heard::Kept(_)) | Err(RecvTimeoutError::Timeout) => {}
                Ok(Heard::Lost) => over = over.or(Some(Instant::now())),
                Err(RecvTimeoutError::Disconnected) => break,
            }
        }
        let signals = self.stream.finish();
        self.note(&mut ended, signals, on);
        if ended.lost {
            self.end_group();
        }
        ended.stopped = self.stopper.asked() && ended.mismatch.is_none();
        ended.took_ms = self.since();
        ended
    }

    fn unknown(&self) -> Ended {
        Ended {
            exit_code: None,
            signal: None,
            stopped: false,
            lost: true,
            mismatch: None,
            reported: Reported::Nothing,
            session: None,
            limit: None,
            first_sign_ms: None,
            first_tool_ms: None,
            took_ms: 0,
            tools: 0,
            denied: Vec::new(),
            questions: Vec::new(),
            last_words: String::new(),
            log: self.log_path.clone(),
        }
    }

    fn since(&self) -> u64 {
        u64::try_from(self.began.elapsed().as_millis()).unwrap_or(u64::MAX)
    }

    fn note(&self, ended: &mut Ended, signals: Vec<Signal>, on: &mut dyn FnMut(&Signal)) {
        for signal in signals {
            match &signal {
                Signal::Life => ended.first_sign_ms = Some(self.since()),
                Signal::Session { session } => {
                    ended.mismatch = verify_started(&self.plan, session);
                    ended.session = Some(session.clone());
                    if ended.mismatch.is_some() {
                        self.stopper.stop_now();
                    }
                }
                Signal::Tool { .. } => {
                    ended.first_tool_ms = ended.first_tool_ms.or_else(|| Some(self.since()));
                    ended.tools += 1;
                }
                Signal::Denied { what } => ended.denied.push(what.clone()),
                Signal::Question { text } => ended.questions.push(text.clone()),
                Signal::Limit { resets_at, message } => {
                    ended.limit = Some(Limit { resets_at: resets_at.clone(), message: message.clone() });
                }
                Signal::Ended { ok: true, message } => ended.reported = Reported::Ok { message: message.clone() },
                Signal::Ended { ok: false, message } => ended.reported = Reported::Failed { message: message.clone() },
                Signal::Retry { .. } | Signal::Failed { .. } => {}
            }
            on(&signal);
        }
    }

    fn keep(&mut self, bytes: &[u8], written: u64) -> u64 {
        let after = written.saturating_add(bytes.len() as u64);
        if after <= LOG_BYTES {
            // A log that cannot be written ends no run: what is watched is the output itself.
            let _ = self.log.write_all(bytes);
        } else if written <= LOG_BYTES {
            let _ = self.log.write_all(b"\nfuda: the log is full; the rest was watched and not kept.\n");
        }
        after
    }

    /// The keeper is gone and so is the agent, by the kernel's hand; what it started may not be.
    fn end_group(&self) {
        let group = i32::try_from(self.process.pid).ok().and_then(rustix::process::Pid::from_raw);
        if let Some(group) = group {
            let _ = rustix::process::kill_process_group(group, rustix::process::Signal::KILL);
        }
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        // Closing the socket is what ends a run that nobody watches any more.
        let _ = self.stopper.socket.lock().unwrap_or_else(PoisonError::into_inner).shutdown(std::net::Shutdown::Both);
        let _ = self.keeper.wait();
    }
}

/// Names a program that is not there before anything is started.
fn find(plan: &Plan) -> Result<(), Error> {
    let missing = |name: &str| {
        let source = io::Error::new(io::ErrorKind::NotFound, "there is no such program that can be run");
        Err(Error::Launch { what: name.to_owned(), source })
    };
    let Some(name) = plan.argv.first().filter(|name| !name.is_empty()) else { return missing("the launch command") };
    let runs =
        |path: &Path| path.metadata().is_ok_and(|found| found.is_file() && found.permissions().mode() & 0o111 != 0);
    if name.contains('/') {
        return if runs(&plan.folder.join(name)) { Ok(()) } else { missing(name) };
    }
    let set = plan.environment.iter().find(|one| one.name == "PATH").and_then(|one| one.value.clone());
    let path = set.map(Into::into).or_else(|| std::env::var_os("PATH")).unwrap_or_default();
    if std::env::split_paths(&path).any(|folder| runs(&folder.join(name))) { Ok(()) } else { missing(name) }
}

fn folder(path: &Path) -> Result<(), Error> {
    DirBuilder::new()
        .recursive(true)
        .mode(0o700)
        .create(path)
        .map_err(|source| Error::Launch { what: format!("creating {}", path.display()), source })
}

fn give(mut socket: &UnixStream, order: &Order, block: &[u8]) -> io::Result<()> {
    let text = serde_json::to_vec(order)?;
    let length = u32::try_from(text.len()).map_err(io::Error::other)?;
    socket.write_all(&length.to_be_bytes())?;
    socket.write_all(&text)?;
    socket.write_all(block)
}

fn listen(mut output: impl Read + Send + 'static, from: Output, tell: SyncSender<Heard>) {
    thread::spawn(move || {
        let mut bytes = vec![0_u8; 64 << 10];
        loop {
            match output.read(&mut bytes) {
                Ok(0) => break,
                Ok(read) => {
                    if tell.send(Heard::Printed(from, bytes[..read].to_vec())).is_err() {
                        return;
                    }
                }
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(_) => break,
            }
        }
        let _ = tell.send(Heard::Closed);
    });
}

fn listen_to_keeper(socket: UnixStream, started: &mpsc::Sender<Event>, tell: &SyncSender<Heard>) {
    let mut lines = BufReader::new(socket).lines();
    let mut next = || lines.next()?.ok().and_then(|line| serde_json::from_str::<Event>(&line).ok());
    if let Some(first) = next() {
        let _ = started.send(first);
        while let Some(event) = next() {
            let _ = tell.send(Heard::Kept(event));
        }
    }
    let _ = tell.send(Heard::Lost);
}

fn remember(words: &mut String, bytes: &[u8]) {
    words.push_str(&String::from_utf8_lossy(bytes));
    if words.len() > LAST_WORDS {
        let from = (words.len() - LAST_WORDS..words.len()).find(|at| words.is_char_boundary(*at));
        words.drain(..from.unwrap_or(0));
    }
}
