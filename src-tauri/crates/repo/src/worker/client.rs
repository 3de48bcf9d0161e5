//! The client's side: keeps idle workers, asks one with a budget, ends one that does not answer.

use super::protocol::{Answer, Ask, Failure, Request, Response};
use crate::drift::{Claims, compose};
use crate::model::{TreeDrift, Verdict};
use crate::text::shown_path;
use crate::{Beginning, Drift, Error, Fingerprint, Question, Rules, Touched, place, verdict};
use std::io::{self, BufRead, BufReader, Write};
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender};
use std::thread;
use std::time::{Duration, Instant};

/// How long an answer may take when the caller has no other wish.
pub const DEFAULT_BUDGET: Duration = Duration::from_secs(5);

/// How often a caller that waits is asked whether it still wants to.
const CANCEL_STEP: Duration = Duration::from_millis(20);

/// What is said of an answer to another question than was asked.
const SOMETHING_ELSE: &str = "it answered something else";

/// Idle workers that are kept for the next question.
const IDLE: usize = 4;

/// What the worker may know of our environment: where the person's git configuration lies, and what a process
/// needs to run at all. Nothing that begins with `GIT_` reaches it.
const ENVIRONMENT: &[&str] = &[
    "HOME",
    "XDG_CONFIG_HOME",
    "SUDO_UID",
    "TMPDIR",
    "LANG",
    "LC_ALL",
    "USERPROFILE",
    "SystemRoot",
    "LD_LIBRARY_PATH",
];

/// Asks repositories through processes of their own. Shared between threads; several may ask at a time.
#[derive(Debug)]
pub struct Worker {
    program: PathBuf,
    args: Vec<String>,
    home: Option<PathBuf>,
    idle: Mutex<Vec<Running>>,
    next_id: AtomicU64,
}

#[derive(Debug)]
struct Running {
    child: Child,
    /// What is sent here is written by a thread: a worker that reads nothing may fill its pipe, and blocks only that.
    questions: Sender<String>,
    lines: Receiver<io::Result<String>>,
}

impl Worker {
    /// A client of the program that calls [`super::run`] when started with these arguments. Nothing is started yet.
    pub fn new(program: PathBuf, args: Vec<String>) -> Self {
        Self { program, args, home: None, idle: Mutex::default(), next_id: AtomicU64::new(1) }
    }

    /// The same client with another home for the person's git configuration.
    pub fn with_home(mut self, home: PathBuf) -> Self {
        self.home = Some(home);
        self
    }

    /// Asks for a glance. Always answers: what cannot be told within the budget is `not_inspectable`.
    pub fn glance(&self, question: &Question, budget: Duration) -> Drift {
        self.drift(Ask::Glance, question, budget, &|| false)
    }

    /// Asks for a look. Always answers, as [`Worker::glance`] does.
    pub fn look(&self, question: &Question, budget: Duration) -> Drift {
        self.look_until(question, budget, &|| false)
    }

    /// The same, ended early when `cancel` says so.
    pub fn look_until(&self, question: &Question, budget: Duration, cancel: &dyn Fn() -> bool) -> Drift {
        self.drift(Ask::Look, &within(question, budget), budget, cancel)
    }

    /// Asks for a fingerprint.
    ///
    /// # Errors
    /// As [`crate::fingerprint`], and when no answer comes within the budget.
    pub fn fingerprint(&self, question: &Question, budget: Duration) -> Result<Fingerprint, Error> {
        match self.ask_plainly(Ask::Fingerprint, &within(question, budget), None, budget)? {
            Answer::Fingerprint(print) => Ok(print),
            _ => Err(failed(Ask::Fingerprint, SOMETHING_ELSE)),
        }
    }

    /// Asks what a run begins from, to be kept until it has ended.
    ///
    /// # Errors
    /// As [`crate::beginning`], and when no answer comes within the budget.
    pub fn beginning(&self, question: &Question, budget: Duration) -> Result<Beginning, Error> {
        match self.ask_plainly(Ask::Beginning, &within(question, budget), None, budget)? {
            Answer::Beginning(begun) => Ok(*begun),
            _ => Err(failed(Ask::Beginning, SOMETHING_ELSE)),
        }
    }

    /// Asks what was changed since a run began.
    ///
    /// # Errors
    /// When no answer comes within the budget.
    pub fn touched_since(&self, question: &Question, begun: &Beginning, budget: Duration) -> Result<Touched, Error> {
        match self.ask_plainly(Ask::TouchedSince, &within(question, budget), Some(begun), budget)? {
            Answer::Touched(touched) => Ok(touched),
            _ => Err(failed(Ask::TouchedSince, SOMETHING_ELSE)),
        }
    }

    /// Asks for the rules files of every recorded repository.
    ///
    /// # Errors
    /// When no answer comes within the budget.
    pub fn rules(&self, question: &Question, budget: Duration) -> Result<Vec<Rules>, Error> {
        match self.ask_plainly(Ask::Rules, question, None, budget)? {
            Answer::Rules(rules) => Ok(rules),
            _ => Err(failed(Ask::Rules, SOMETHING_ELSE)),
        }
    }

    /// Asks for what [`crate::watch_paths`] names. Empty when no answer comes within the budget: what does not answer
    /// cannot be watched either.
    pub fn watch_paths(&self, question: &Question, budget: Duration) -> Vec<PathBuf> {
        match self.ask_plainly(Ask::WatchPaths, question, None, budget) {
            Ok(Answer::Paths(paths)) => paths.0,
            _ => Vec::new(),
        }
    }

    /// Asks for what [`crate::commit_dates`] tells.
    ///
    /// # Errors
    /// When no answer comes within the budget.
    pub fn commit_dates(&self, question: &Question, budget: Duration) -> Result<Vec<Option<i64>>, Error> {
        match self.ask_plainly(Ask::CommitDates, &within(question, budget), None, budget)? {
            Answer::Dates(dates) => Ok(dates),
            _ => Err(failed(Ask::CommitDates, SOMETHING_ELSE)),
        }
    }

    fn drift(&self, ask: Ask, question: &Question, budget: Duration, cancel: &dyn Fn() -> bool) -> Drift {
        let mut glanced = Vec::new();
        let request = self.request(ask, question, None);
        let why = match self.ask(&request, budget, cancel, &mut glanced) {
            Ok(Answer::Drift(drift)) => return *drift,
            Ok(_) => format!("the worker: {SOMETHING_ELSE}"),
            Err(Error::Worker { why, .. }) => why,
            Err(error) => error.to_string(),
        };
        not_inspectable(question, ask, &why, glanced)
    }

    /// Asks for what has no first step. A failure of the other side is an error.
    fn ask_plainly(
        &self,
        ask: Ask,
        question: &Question,
        since: Option<&Beginning>,
        budget: Duration,
    ) -> Result<Answer, Error> {
        match self.ask(&self.request(ask, question, since), budget, &|| false, &mut Vec::new())? {
            Answer::Failed(failure) => Err(failure.into()),
            answer => Ok(answer),
        }
    }

    fn request(&self, ask: Ask, question: &Question, since: Option<&Beginning>) -> Request {
        let id = self.next_id.fetch_add(1, Ordering::Relaxed);
        Request { id, ask, question: question.clone(), since: since.cloned().map(Box::new) }
    }

    /// Asks a worker. What it tells of a look before the answer is put into `glanced`.
    fn ask(
        &self,
        request: &Request,
        budget: Duration,
        cancel: &dyn Fn() -> bool,
        glanced: &mut Vec<TreeDrift>,
    ) -> Result<Answer, Error> {
        let until = Instant::now() + budget;
        let (id, ask) = (request.id, request.ask);
        let mut line = serde_json::to_string(request)
            .map_err(|error| failed(ask, &format!("the question cannot be written: {error}")))?;
        line.push('\n');
        // An idle worker may have died since; it is replaced once by a new one.
        let mut idle = self.idle.lock().ok().and_then(|mut idle| idle.pop());
        loop {
            let was_idle = idle.is_some();
            let running = match idle.take() {
                Some(running) => running,
                None => self.start().map_err(|error| failed(ask, &format!("it cannot be started: {error}")))?,
            };
            // When the writing thread has ended, so has the worker, and waiting says so.
            let _ = running.questions.send(line.clone());
            glanced.clear();
            let why = match wait(&running, id, until, cancel, glanced) {
                Ok(answer) => {
                    self.keep(running);
                    return Ok(answer);
                }
                Err(NoAnswer::Ended) if was_idle => {
                    abandon(running);
                    continue;
                }
                Err(why) => why,
            };
            abandon(running);
            let why = match why {
                NoAnswer::Late => format!("no answer within {} ms; the worker was ended", budget.as_millis()),
                NoAnswer::Cancelled => "it was cancelled".to_owned(),
                NoAnswer::Ended => "the worker ended without an answer".to_owned(),
                NoAnswer::Garbled(error) => format!("its answer cannot be read: {error}"),
            };
            return Err(failed(ask, &why));
        }
    }

    fn start(&self) -> io::Result<Running> {
        let mut command = Command::new(&self.program);
        command.args(&self.args).env_clear();
        for name in ENVIRONMENT {
            if let Some(value) = std::env::var_os(name) {
                command.env(name, value);
            }
        }
        if let Some(home) = &self.home {
            if std::env::var_os("HOME").is_none_or(|own| own != home.as_os_str()) {
                command.env_remove("XDG_CONFIG_HOME"); // it belongs to the home that is not used
            }
            command.env("HOME", home);
        }
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null()).current_dir("/");
        let mut child = command.spawn()?;
        let (Some(mut input), Some(output)) = (child.stdin.take(), child.stdout.take()) else {
            let _ = child.kill();
            return Err(io::Error::other("the worker's pipes are missing"));
        };
        let (send, lines) = mpsc::channel();
        // The thread ends with the worker's output, or with the first line that nobody waits for.
        thread::Builder::new().name("repo-worker".into()).spawn(move || {
            for line in BufReader::new(output).lines() {
                if send.send(line).is_err() {
                    break;
                }
            }
        })?;
        // Ends with the last question's sender, or with the worker, which a blocked write notices too.
        let (questions, asked) = mpsc::channel::<String>();
        thread::Builder::new().name("repo-worker-questions".into()).spawn(move || {
            for line in asked {
                if input.write_all(line.as_bytes()).is_err() {
                    break;
                }
            }
        })?;
        Ok(Running { child, questions, lines })
    }

    fn keep(&self, running: Running) {
        let surplus = match self.idle.lock() {
            Ok(mut idle) if idle.len() < IDLE => {
                idle.push(running);
                None
            }
            _ => Some(running),
        };
        if let Some(running) = surplus {
            abandon(running);
        }
    }
}

impl Drop for Worker {
    fn drop(&mut self) {
        for running in self.idle.get_mut().map(std::mem::take).unwrap_or_default() {
            abandon(running);
        }
    }
}

enum NoAnswer {
    Late,
    Cancelled,
    Ended,
    Garbled(String),
}

fn wait(
    running: &Running,
    id: u64,
    until: Instant,
    cancel: &dyn Fn() -> bool,
    glanced: &mut Vec<TreeDrift>,
) -> Result<Answer, NoAnswer> {
    loop {
        let left = until.saturating_duration_since(Instant::now());
        if left.is_zero() {
            return Err(NoAnswer::Late);
        }
        match running.lines.recv_timeout(left.min(CANCEL_STEP)) {
            Ok(Ok(line)) => {
                let response: Response =
                    serde_json::from_str(&line).map_err(|error| NoAnswer::Garbled(error.to_string()))?;
                if response.id != id {
                    return Err(NoAnswer::Garbled(format!("it answers question {}, expected {id}", response.id)));
                }
                match response.answer {
                    Answer::Glanced(tree) => glanced.push(*tree),
                    answer => return Ok(answer),
                }
            }
            Ok(Err(_)) | Err(RecvTimeoutError::Disconnected) => return Err(NoAnswer::Ended),
            Err(RecvTimeoutError::Timeout) if cancel() => return Err(NoAnswer::Cancelled),
            Err(RecvTimeoutError::Timeout) => {}
        }
    }
}

/// Ends a worker without waiting for it: one that hangs in the kernel is reaped when it comes back, if ever.
fn abandon(running: Running) {
    let Running { mut child, questions, lines } = running;
    drop((questions, lines));
    let _ = child.kill();
    if matches!(child.try_wait(), Ok(Some(_))) {
        return;
    }
    let _ = thread::Builder::new().name("repo-worker-reaper".into()).spawn(move || child.wait());
}

fn failed(ask: Ask, why: &str) -> Error {
    Error::Worker { operation: ask.name(), why: why.to_owned() }
}

/// The same question with less time for looking than the answer may take, so that it is begun in time.
fn within(question: &Question, budget: Duration) -> Question {
    let mut question = question.clone();
    question.budget.look_ms = question.budget.look_ms.min((budget.as_millis() as u64) * 4 / 5);
    question
}

impl From<Failure> for Error {
    fn from(failure: Failure) -> Self {
        match failure {
            Failure::NoFolder => Self::NoFolder,
            Failure::FolderGone { path, why } => Self::FolderGone { path: path.into(), why },
            Failure::NotInspectable { path, why } => Self::NotInspectable { path: path.into(), why },
            Failure::Other { why } => Self::Worker { operation: "fingerprint", why },
        }
    }
}

/// The answer when there is none: what was recorded, what a glance told before, and why nothing more is known of now.
/// Touches no disk: the folder may be on the very mount that does not answer.
fn not_inspectable(question: &Question, ask: Ask, why: &str, glanced: Vec<TreeDrift>) -> Drift {
    let mut glanced = glanced.into_iter();
    let trees = place::recorded(question)
        .into_iter()
        .map(|(then, folder, chosen_by)| {
            let mut drift = match glanced.next() {
                // Whoever knows that nothing is there needs no look.
                Some(known) if known.verdict < Verdict::NotInspectable => return known,
                Some(known) => known,
                None => TreeDrift::unlooked(then, folder.as_deref().map(shown_path), chosen_by),
            };
            drift.now.reason = Some(match drift.now.head {
                Some(_) => format!("{why}; branch, HEAD and commits are as a glance found them, the rest is unknown"),
                None => why.to_owned(),
            });
            drift.verdict = Verdict::NotInspectable;
            drift.message = verdict::message(&drift);
            drift
        })
        .collect();
    let mut claims = Claims { contradictions: crate::contradictions::within(&question.handoff), ..Claims::default() };
    if ask == Ask::Look {
        claims.freshness = crate::freshness::freshness(&question.handoff, None, &[], &|| true).freshness;
    }
    compose(trees, claims, ask == Ask::Look)
}
