//! Resuming: what will be started is shown, the handoff is claimed under a kernel lock, the tree is looked at once more,
//! the agent is started inside the boundary and watched to its end, and what happened is written down.
//!
//! The order matters. The lock comes before the claim, so that a claim whose lock is free has lost its holder. The
//! plan comes before the claim, so that a command which is refused consumes nothing. `running` is written at the first
//! sign of life and an outcome only at the end: a mark is not a success.

use crate::claim::ClaimRequest;
use crate::desk::Opened;
use crate::journal::Journal;
use crate::launch::{self, Ended, Keeper, Plan, Reported, Signal};
use crate::run_name::RunName;
use crate::view::{Claimed, Decided, Outcome, ResumePreview, State};
use crate::{Desk, Error};
use serde_json::json;
use std::cell::{Cell, RefCell};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};
use store::RunLock;
use store::config::Profile;
use store::ledger::{Event, NewEvent};

/// How long a gentle stop may take before the whole group is ended.
const GRACE: Duration = Duration::from_secs(10);

/// How often a watcher looks whether somebody asked the run to stop.
const ASKED: Duration = Duration::from_millis(250);

/// Who resumes what.
pub struct ResumeRequest<'a> {
    /// The profile under which the agent runs.
    pub profile: String,
    /// The command instead of the profile's; empty: the profile's.
    pub command: Vec<String>,
    /// Codes acknowledged.
    pub ack: Vec<String>,
    /// The check after the run instead of the profile's; empty: none.
    pub verify: Option<Vec<String>>,
    /// The number of the wish that it fulfils; the claim is refused when that one waits no more.
    pub start: Option<i64>,
    /// The name of the run that a person was shown, so that what is started is that to the byte.
    pub run: Option<String>,
    /// The environment that the agent inherits.
    pub environment: &'a dyn Fn(&str) -> Option<String>,
}

/// What happens while an agent runs.
#[derive(Clone, Debug)]
pub enum RunEvent {
    /// It is claimed and will be started.
    Claimed(Box<Claimed>),
    /// Bytes, block and tree were looked at once more and are as approved.
    Matches,
    /// It runs; its output lies in this file.
    Started {
        /// The agent's process.
        pid: u32,
        /// Its output.
        log: PathBuf,
    },
    /// It reported something.
    Signal(Signal),
    /// It asks a person, and waits.
    Asked {
        /// The number of the question.
        question: i64,
        /// What it wants to do.
        what: String,
    },
    /// It has ended, and the check begins.
    Checking {
        /// Program and arguments.
        command: Vec<String>,
    },
}

/// Tells an agent under `fuda resume` where its token lies, so that it can report itself.
pub const TOKEN_FILE: &str = "FUDA_TOKEN_FILE";
/// Tells it which handoff it works on.
pub const HANDOFF: &str = "FUDA_HANDOFF";
/// The token's file in the run's folder.
const TOKEN: &str = "token";

impl Desk {
    /// What would be started: command, folder, names of environment variables, each rule with its grade, and the exact
    /// block. Starts nothing.
    ///
    /// # Errors
    /// When the command is refused, the profile unknown, or the handoff not approved.
    pub fn resume_preview(&self, id: &str, request: &ResumeRequest<'_>) -> Result<ResumePreview, Error> {
        let opened = self.opened(id)?;
        Self::offered(&opened)?;
        let approval = self.approval_of(&opened)?;
        let profile = self.profile(&request.profile)?;
        let name = RunName::new();
        let run = name.folder(&self.home);
        let plan = self.plan(&opened, &profile, request, &run)?;
        let worktrees: Vec<String> = approval.fingerprint.trees.iter().map(|tree| tree.folder.clone()).collect();
        let claim = claim_request(request);
        let mut acknowledgements: Vec<_> =
            self.other_live_claim(&opened.row.identity, &worktrees)?.into_iter().collect();
        acknowledgements.extend(self.recipient(&opened, &claim)?);
        acknowledgements.retain(|one| !approval.acknowledged.contains(&one.code));
        let (_, rendered) = self.block_of_run(&opened, &approval, &run)?;
        Ok(ResumePreview {
            handle: opened.row.handle.clone(),
            run: name.to_string(),
            profile: profile.name.clone(),
            agent: plan.agent.clone(),
            argv: plan.argv.clone(),
            folder: plan.folder.display().to_string(),
            environment: plan
                .environment
                .iter()
                .map(|one| format!("{}{}: {}", one.name, if one.removed { " (taken away)" } else { "" }, one.why))
                .collect(),
            deliver: plan.deliver,
            rules: plan.rules.clone(),
            notes: plan.notes.clone(),
            files: plan.files.clone(),
            acknowledgements,
            block: crate::diff::raw(rendered.text.as_bytes()).lines,
            resets_at: opened.row.resets_at.clone(),
            verify: request.verify.clone().unwrap_or(profile.verify),
        })
    }

    /// Claims, starts, watches to the end, and records the outcome.
    ///
    /// # Errors
    /// As [`Desk::claim`]; [`Error::Launch`] when nothing could be started; then the claim is ended and says so.
    pub fn resume(
        &self,
        id: &str,
        request: &ResumeRequest<'_>,
        keeper: &Keeper,
        on: &mut dyn FnMut(RunEvent),
        cancel: &dyn Fn() -> bool,
    ) -> Result<Decided, Error> {
        let opened = self.opened(id)?;
        Self::offered(&opened)?;
        self.approval_of(&opened)?;
        let profile = self.profile(&request.profile)?;
        let name = request.run.as_deref().map_or_else(|| Ok(RunName::new()), RunName::shown)?;
        let run = name.folder(&self.home);
        if run.exists() {
            return Err(Error::Usage("that run was begun already; look anew at what would be started".to_owned()));
        }
        let plan = self.plan(&opened, &profile, request, &run)?;

        let Some(lock) = RunLock::take(&self.home, &opened.row.identity)? else {
            let standing = self.opened(id)?.standing;
            return Err(match &standing.claim {
                Some(open) => crate::claim::held(&opened.row.handle, open),
                None => Error::State {
                    handle: opened.row.handle,
                    state: "being claimed by another process".to_owned(),
                    needed: "try again in a moment".to_owned(),
                },
            });
        };
        let (claimed, opened, sealed) = self.claim_as(id, &claim_request(request), true, run)?;
        let number = i64::try_from(claimed.claim).unwrap_or(i64::MAX);
        store::files::seal(&sealed.folder, Path::new(TOKEN), claimed.token.as_bytes())?;
        let mut journal = Journal::begin(&sealed.folder, self.now);
        let mut happened = |event: RunEvent| {
            journal.happened(&event);
            on(event);
        };
        happened(RunEvent::Claimed(Box::new(claimed)));

        let block = std::fs::read(&sealed.block)
            .map_err(|source| Error::Launch { what: format!("reading {}", sealed.block.display()), source })?;
        if let Some(because) = self.changed_before_start(&opened)? {
            self.end(&opened, "aborted", number, &because)?;
            return Err(Error::Changed { handle: opened.row.handle, differences: vec![because], conflict: None });
        }
        happened(RunEvent::Matches);
        self.keep_beginning(&opened, &sealed.folder);
        let running = match launch::start(&plan, &block, keeper, (self.now)(), GRACE) {
            Ok(running) => running,
            Err(error) => {
                let outcome = Outcome {
                    claim: number,
                    outcome: "failed".to_owned(),
                    by: "fuda".to_owned(),
                    because: Some(format!("it could not be started: {error}")),
                    ..Outcome::default()
                };
                self.record(&opened, &outcome)?;
                return Err(error);
            }
        };
        happened(RunEvent::Started { pid: running.process().pid, log: running.log().to_owned() });

        let stopper = running.stopper();
        let looked = Cell::new(Instant::now());
        let heard = Cell::new(number);
        let happened = RefCell::new(happened);
        let asked = || {
            if cancel() {
                return true;
            }
            if looked.get().elapsed() < ASKED {
                return false;
            }
            looked.set(Instant::now());
            let Ok(events) = self.ledger.events_of(&opened.row.identity) else { return false };
            for (question, what) in crate::ask::asked_since(&events, number, heard.get()) {
                heard.set(question);
                (happened.borrow_mut())(RunEvent::Asked { question, what });
            }
            let (asked, firmly) = self.asked_to_stop(&opened, &events, number);
            if firmly {
                stopper.stop_now();
            }
            asked
        };
        let mut alive = false;
        let ended = running.watch(
            &mut |signal| {
                if !alive {
                    alive = true;
                    // A sign of life that cannot be written down does not end the run; the outcome will tell.
                    let _ = self.end(&opened, "running", number, "");
                }
                (happened.borrow_mut())(RunEvent::Signal(signal.clone()));
            },
            &asked,
        );
        let touched = self.touched_by(&opened, &sealed.folder);
        let mut outcome = outcome_of(number, &ended);
        outcome.session_file = self.session_file(&plan, request, outcome.session.as_deref());
        outcome.tree = self.tree_in_words(&opened);
        if let Some(touched) = &touched {
            let events = self.ledger.events_of(&opened.row.identity).unwrap_or_default();
            let allowed = crate::ask::allowed_of(&events, number);
            outcome.outside = launch::outside::outside(&opened.handoff().safety, touched, &allowed);
            outcome.changed = launch::outside::changed(touched);
        }
        let verify = request.verify.clone().unwrap_or(profile.verify);
        if !verify.is_empty() && outcome.outcome == "done" && !self.gave_up(&opened, number) {
            (happened.borrow_mut())(RunEvent::Checking { command: verify.clone() });
            let checked = self.check(&verify, &plan.folder, &sealed.folder, keeper, &asked);
            outcome.outcome = match checked.passed {
                true => "verified",
                false if asked() => "stopped",
                false => "failed",
            }
            .to_owned();
            outcome.because = Some(checked.sentence());
            outcome.check = Some(checked);
        }
        let decided = self.record(&opened, &outcome)?;
        drop(lock);
        Ok(decided)
    }

    /// When the limit resets, UTC milliseconds: that of the last run that met one, else the writer's.
    ///
    /// # Errors
    /// [`Error::Usage`] when neither names a time.
    pub fn resets_at(&self, id: &str) -> Result<i64, Error> {
        let opened = self.opened(id)?;
        let told = opened.standing.outcome.as_ref().and_then(|outcome| outcome.resets_at.clone());
        let told = told.or_else(|| opened.row.resets_at.clone());
        told.as_deref()
            .and_then(|at| at.parse::<jiff::Timestamp>().ok())
            .map(jiff::Timestamp::as_millisecond)
            .ok_or_else(|| {
                let found = told.map_or_else(|| "it names none".to_owned(), |told| format!("it says {told:?}"));
                Error::Usage(format!("{} has no time at which a limit resets: {found}", opened.row.handle))
            })
    }

    pub(crate) fn profile(&self, name: &str) -> Result<Profile, Error> {
        let profiles = self.config()?.profiles;
        let names = profiles.iter().map(|profile| profile.name.clone()).collect();
        profiles
            .into_iter()
            .find(|profile| profile.name == name)
            .ok_or_else(|| Error::NoProfile { name: name.to_owned(), profiles: names })
    }

    fn plan(&self, opened: &Opened, profile: &Profile, request: &ResumeRequest<'_>, run: &Path) -> Result<Plan, Error> {
        let approval = self.approval_of(opened)?;
        let folder =
            approval.fingerprint.trees.first().map(|tree| PathBuf::from(&tree.folder)).ok_or_else(|| Error::State {
                handle: opened.row.handle.clone(),
                state: "bound to no folder".to_owned(),
                needed: "choose its repository with fuda bind, then approve it again".to_owned(),
            })?;
        let launch = if request.command.is_empty() { &profile.launch } else { &request.command };
        // Paths and names of ours; the token itself is in the file, for its owner only.
        let ours = [
            (HANDOFF, opened.row.handle.clone(), "the handoff that it works on"),
            (TOKEN_FILE, run.join(TOKEN).display().to_string(), "the file with its token, for fuda finish"),
            ("FUDA_HOME", self.home.root().display().to_string(), "where Fuda keeps things"),
            ("FUDA_PROFILE", profile.name.clone(), "the profile, for what it publishes"),
        ];
        let asking = self.asking(&ours);
        let help = launch::help_of(&profile.agent, launch, &self.home.runs());
        let run_folder = run.join("agent");
        let mut plan = launch::plan(&launch::Request {
            agent: &profile.agent,
            launch,
            deliver: profile.deliver.as_deref(),
            safety: &opened.handoff().safety,
            folder: &folder,
            run_folder: &run_folder,
            home: &self.person,
            environment: request.environment,
            help: help.as_deref(),
            asking: asking.as_ref(),
        })?;
        if let Some((name, value)) = own_folder(profile, &self.person)
            && (request.environment)(name).is_none()
        {
            plan.environment.push(launch::EnvChange {
                name: name.to_owned(),
                removed: false,
                why: format!("the folder of the profile {}", profile.name),
                value: Some(value.display().to_string()),
            });
        }
        plan.environment.extend(ours.map(|(name, value, why)| launch::EnvChange {
            name: name.to_owned(),
            removed: false,
            why: why.to_owned(),
            value: Some(value),
        }));
        Ok(plan)
    }

    /// How the agent's questions reach a person: by the program `fuda`, which is this one or lies beside it.
    fn asking(&self, ours: &[(&str, String, &str)]) -> Option<launch::Asking> {
        let beside = self.program.with_file_name("fuda");
        let environment = ours.iter().map(|(name, value, _)| ((*name).to_owned(), value.clone())).collect();
        beside.is_file().then_some(launch::Asking { program: beside, environment })
    }

    /// The file of the session that the agent reported.
    fn session_file(&self, plan: &Plan, request: &ResumeRequest<'_>, session: Option<&str>) -> Option<String> {
        let environment = |name: &str| {
            let set = plan.environment.iter().find(|one| one.name == name);
            let word =
                || plan.argv.iter().find_map(|word| Some(word.strip_prefix(name)?.strip_prefix('=')?.to_owned()));
            word().or_else(|| match set {
                Some(set) => set.value.clone(),
                None => (request.environment)(name),
            })
        };
        let agent = launch::Agent::named(&plan.agent);
        let file = launch::session_file(agent, session?, &plan.argv, &environment, &self.person)?;
        Some(file.display().to_string())
    }

    /// Whether the executor reported already that the work is not done; then there is nothing to check.
    fn gave_up(&self, opened: &Opened, number: i64) -> bool {
        let Ok(events) = self.ledger.events_of(&opened.row.identity) else { return false };
        let standing = self.standing_of(&opened.row, &events);
        standing
            .outcome
            .is_some_and(|outcome| outcome.claim == number && !matches!(outcome.outcome.as_str(), "done" | "verified"))
    }

    /// What changed between the claim and the start.
    fn changed_before_start(&self, opened: &Opened) -> Result<Option<String>, Error> {
        let events = self.ledger.events_of(&opened.row.identity)?;
        let standing = self.standing_of(&opened.row, &events);
        let Some(approval) = standing.claim.and_then(|open| open.claim.approval) else {
            return Ok(Some("the claim was ended by somebody else".to_owned()));
        };
        let differences = self.differences_from(opened, &approval)?;
        Ok((!differences.is_empty()).then(|| differences.join("; ")))
    }

    /// Whether somebody wants this run to end, and whether at once.
    fn asked_to_stop(&self, opened: &Opened, events: &[Event], number: i64) -> (bool, bool) {
        let standing = self.standing_of(&opened.row, events);
        if standing.outcome.as_ref().is_some_and(|outcome| outcome.claim == number) {
            return (false, false);
        }
        match standing.claim {
            Some(open) if open.number == number => (open.stopping, open.firmly),
            _ => (true, false),
        }
    }

    /// Appends what the supervisor says of its own claim.
    fn end(&self, opened: &Opened, kind: &str, number: i64, because: &str) -> Result<(), Error> {
        let event = NewEvent::new(kind, (self.now)())
            .about(&opened.row.identity, &opened.row.rev)
            .by("fuda")
            .with(json!({ "claim": number, "because": because }));
        self.ledger.append::<Error>(event, |own| self.refuse_unless_open(opened, own, number))?;
        Ok(())
    }

    /// Records the outcome, unless the executor reported one itself or a person ended the claim meanwhile; then what the
    /// process did is kept beside it and changes nothing.
    fn record(&self, opened: &Opened, outcome: &Outcome) -> Result<Decided, Error> {
        let row = &opened.row;
        let event = self.finished(opened, outcome).by("fuda");
        let appended = self.ledger.append::<Error>(event, |own| self.refuse_unless_open(opened, own, outcome.claim));
        let seq = match appended {
            Ok(event) => event.seq,
            Err(Error::State { .. }) => {
                let event = NewEvent::new("process_ended", (self.now)())
                    .about(&row.identity, &row.rev)
                    .by("fuda")
                    .with(serde_json::to_value(outcome).unwrap_or_default());
                self.ledger.append::<Error>(event, |_| Ok(()))?.seq
            }
            Err(error) => return Err(error),
        };
        let decided = self.decided(row, seq)?;
        self.leave_marker(row, decided.state);
        Ok(decided)
    }

    fn refuse_unless_open(&self, opened: &Opened, own: &[Event], number: i64) -> Result<(), Error> {
        let standing = self.standing_of(&opened.row, own);
        if standing.claim.as_ref().is_some_and(|open| open.number == number) {
            return Ok(());
        }
        Err(Error::State {
            handle: opened.row.handle.clone(),
            state: crate::decide::word(standing.state),
            needed: "the claim was ended by somebody else".to_owned(),
        })
    }
}

fn claim_request(request: &ResumeRequest<'_>) -> ClaimRequest {
    ClaimRequest {
        by: request.profile.clone(),
        profile: Some(request.profile.clone()),
        lease_seconds: None,
        ack: request.ack.clone(),
        start: request.start,
    }
}

/// The variable by which an agent is told its configuration folder, when the profile's root is one that is not the
/// usual one.
fn own_folder(profile: &Profile, home: &Path) -> Option<(&'static str, PathBuf)> {
    let (variable, usual, mark): (_, _, &[&str]) = match profile.agent.as_str() {
        "claude-code" => ("CLAUDE_CONFIG_DIR", ".claude", &["projects", "settings.json"]),
        "codex" => ("CODEX_HOME", ".codex", &["config.toml", "sessions"]),
        _ => return None,
    };
    let root = profile.root_paths(home).into_iter().find(|root| mark.iter().any(|name| root.join(name).exists()))?;
    (root != home.join(usual)).then_some((variable, root))
}

/// What the end of the process means. An exit status of 0 alone proves nothing.
fn outcome_of(number: i64, ended: &Ended) -> Outcome {
    let silent = ended.first_sign_ms.is_none() && ended.exit_code == Some(0) && ended.reported == Reported::Nothing;
    let (outcome, because) = if silent {
        ("failed", "it ended without a word (exit status 0)".to_owned())
    } else {
        (ended.outcome(), ended.because())
    };
    Outcome {
        claim: number,
        outcome: outcome.to_owned(),
        by: "fuda".to_owned(),
        note: None,
        because: Some(because),
        exit: ended.exit_code.or_else(|| ended.signal.map(|signal| -signal)),
        log: Some(ended.log.display().to_string()),
        session: ended.session.as_ref().and_then(|session| session.id.clone()),
        session_file: None,
        resets_at: ended.limit.as_ref().and_then(|limit| limit.resets_at.clone()),
        ..Outcome::default()
    }
}

impl RunEvent {
    /// In one line, for hosts that print what happens.
    pub fn line(&self) -> String {
        match self {
            Self::Claimed(claimed) => format!("{} is claimed (claim {})", claimed.handle, claimed.claim),
            Self::Asked { question, what } => {
                format!("asks (fuda answer {question} allow|deny): {}", what.lines().next().unwrap_or_default())
            }
            Self::Checking { command } => format!("checking: {}", command.join(" ")),
            Self::Matches => "bytes, block and tree are as approved".to_owned(),
            Self::Started { pid, log } => format!("started as process {pid}; its output: {}", log.display()),
            Self::Signal(signal) => match signal {
                Signal::Session { session } => {
                    format!("session {}", session.id.as_deref().unwrap_or("without an id"))
                }
                Signal::Life => "first sign of life".to_owned(),
                Signal::Tool { name } => format!("tool: {name}"),
                Signal::Question { text } => format!("asks: {text}"),
                Signal::Denied { what } => format!("refused: {what}"),
                Signal::Limit { message, resets_at } => {
                    let at = resets_at.as_ref().map(|at| format!(", resets at {at}")).unwrap_or_default();
                    format!("limit: {message}{at}")
                }
                Signal::Retry { message } => format!("tries again: {message}"),
                Signal::Failed { message } => format!("failed: {message}"),
                Signal::Ended { ok, message } => format!("{}: {message}", if *ok { "ended" } else { "ended badly" }),
            },
        }
    }
}

/// Whether an outcome is one that a caller may take for success.
pub fn is_success(state: State) -> bool {
    matches!(state, State::Done | State::Verified)
}
