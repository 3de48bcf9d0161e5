//! The desk itself: what every use case stands on, opened once.

use crate::holder::Holder;
use crate::lists::Lists;
use crate::state::{Current, Standing, is_decision, standing, taken_back};
use crate::{Error, view::State};
use handoff::{Handoff, Readable, Reading};
use repo::{Question, Worker};
use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;
use store::config::Config;
use store::files::Stamp;
use store::index::{Index, ListRow, Resolved};
use store::ledger::{Event, Ledger, NewEvent};
use store::log::{Line, Log};
use store::{Home, files};

/// What a host hands in.
pub struct Options {
    /// `FUDA_HOME`.
    pub root: PathBuf,
    /// The person's home folder, for `~`.
    pub home: PathBuf,
    /// The program that answers questions about repositories, and its arguments.
    pub worker: (PathBuf, Vec<String>),
    /// UTC milliseconds.
    pub now_ms: fn() -> i64,
    /// Who calls.
    pub caller: Caller,
}

/// Who calls, as far as can be known; recorded with every approval.
#[derive(Clone, Debug, Default)]
pub struct Caller {
    /// `window`, `command line`, `rpc` or `mcp`.
    pub host: &'static str,
    /// The terminal, when there is one.
    pub terminal: Option<String>,
    /// Names of the processes above this one.
    pub parents: Vec<String>,
    /// The environment variables that agents set for what they start.
    pub agent: Option<(&'static str, &'static str)>,
    /// This process, on this machine.
    pub holder: Holder,
}

/// The open desk. Shared between threads; safe beside other processes.
pub struct Desk {
    pub(crate) home: Home,
    pub(crate) person: PathBuf,
    pub(crate) index: Index,
    pub(crate) ledger: Ledger,
    pub(crate) worker: Worker,
    /// The host's own program.
    pub(crate) program: PathBuf,
    pub(crate) now: fn() -> i64,
    pub(crate) caller: Caller,
    pub(crate) lists: Mutex<Lists>,
    configured: Mutex<Option<(Stamp, Config)>>,
    pub(crate) verdicts: Mutex<HashMap<String, (repo::Verdict, u32)>>,
    pub(crate) log: Log,
}

/// A handoff with everything that is known about it now.
pub(crate) struct Opened {
    pub row: ListRow,
    pub bytes: Vec<u8>,
    pub reading: Reading,
    pub events: Vec<Event>,
    pub standing: Standing,
}

impl Opened {
    pub(crate) fn handoff(&self) -> Handoff {
        self.reading.current().cloned().unwrap_or_default()
    }
}

/// How long a question about a repository may take before it counts as not inspectable.
pub(crate) const LOOK: Duration = Duration::from_secs(6);
pub(crate) const GLANCE: Duration = Duration::from_secs(3);

impl Desk {
    /// Opens everything below `FUDA_HOME`, creating what is missing.
    ///
    /// # Errors
    /// When a folder or database cannot be opened.
    pub fn open(options: Options) -> Result<Self, Error> {
        let home = Home::open(&options.root)?;
        let index = Index::open(&home)?;
        let ledger = Ledger::open(&home.ledger(), &home.mirror(), &home.locks().join("ledger.lock"), &home.blobs())?;
        store::keep::remind(&index, &ledger)?;
        let log = Log::of(&home);
        // An edit that was killed half-way leaves a second name for somebody's bytes. What cannot be put right now is
        // found by the next start, and is no reason to refuse this one.
        if let Err(error) = files::recover(&home, ledger.blobs()) {
            let cause = error.cause();
            note(&log, options.now_ms, options.caller.host, "recover", Duration::ZERO, "io", cause.as_deref());
        }
        let (program, arguments) = options.worker;
        Ok(Self {
            program: program.clone(),
            worker: Worker::new(program, arguments).with_home(options.home.clone()),
            log,
            home,
            person: options.home,
            index,
            ledger,
            now: options.now_ms,
            caller: options.caller,
            lists: Mutex::default(),
            configured: Mutex::default(),
            verdicts: Mutex::default(),
        })
    }

    /// Writes a line of the log: an operation, how long it took, `ok` or the code of its error, and what the system said.
    pub fn note(&self, operation: &str, took: Duration, code: &str, cause: Option<&str>) {
        note(&self.log, self.now, self.caller.host, operation, took, code, cause);
    }

    /// From now on a panic of this process leaves its place in the log; its message may hold a document's words and
    /// does not.
    pub fn note_panics(&self) {
        let (log, now, host) = (self.log.clone(), self.now, self.caller.host);
        let before = std::panic::take_hook();
        std::panic::set_hook(Box::new(move |panic| {
            let place = panic.location().map(|at| format!("{}:{}", source_name(at.file()), at.line()));
            note(&log, now, host, "panic", Duration::ZERO, "panic", place.as_deref());
            before(panic);
        }));
    }

    /// The configuration as it is on disk now.
    ///
    /// # Errors
    /// When it cannot be read; the message names the line.
    pub fn config(&self) -> Result<Config, Error> {
        let stamp = std::fs::metadata(self.home.config()).ok().map(|found| Stamp::of(&found));
        let mut configured = self.configured.lock().unwrap_or_else(PoisonError::into_inner);
        if let (Some(now), Some((then, config))) = (stamp, &*configured)
            && now == *then
        {
            return Ok(config.clone());
        }
        let config = Config::load(&self.home)?;
        *configured = stamp.map(|stamp| (stamp, config.clone()));
        Ok(config)
    }

    /// `FUDA_HOME`.
    pub fn root(&self) -> &Path {
        self.home.root()
    }

    /// The folder for locks and sockets of what runs.
    pub fn locks(&self) -> PathBuf {
        self.home.locks()
    }

    /// Whether the window asks.
    pub fn is_window(&self) -> bool {
        self.caller.host == "window"
    }

    /// What an ID names.
    ///
    /// # Errors
    /// [`Error::NotFound`], with candidates when a prefix is not unique.
    pub(crate) fn resolve(&self, id: &str) -> Result<ListRow, Error> {
        match self.index.resolve(id)? {
            Resolved::One(row) => Ok(*row),
            Resolved::Several(candidates) => Err(Error::NotFound { id: id.to_owned(), candidates }),
            Resolved::Nothing => {
                let path = Path::new(id);
                if path.exists() {
                    let limits = self.config().map(|config| config.settings.limits).unwrap_or_default();
                    return Ok(store::row_of_file(path, &limits)?);
                }
                Err(Error::NotFound { id: id.to_owned(), candidates: Vec::new() })
            }
        }
    }

    /// Opens a handoff: reads its bytes now and folds its events. A decision about other bytes is recorded as lapsed,
    /// so that going back to the earlier bytes does not revive it.
    pub(crate) fn opened(&self, id: &str) -> Result<Opened, Error> {
        let row = self.resolve(id)?;
        self.opened_row(row)
    }

    pub(crate) fn opened_row(&self, mut row: ListRow) -> Result<Opened, Error> {
        let limits = self.config()?.settings.limits;
        let (bytes, _) = files::read(&row.path, limits.file_bytes as u64)?;
        let name = self.relative(&row.path);
        let reading = handoff::read(&bytes, &name, &limits);
        let bytes = handoff::document(bytes, &name);
        let rev = handoff::revision(&bytes);
        if rev != row.rev {
            let fresh = store::row_of_file(&row.path, &limits)?;
            let revision = store::index::Revision {
                rev: rev.clone(),
                seen_ms: (self.now)(),
                by: "unknown".to_owned(),
                bytes: bytes.len() as u64,
            };
            // Kept at once: the next scan may find other bytes.
            self.ledger.blobs().put(&bytes)?;
            row = if store::is_same_handoff(&row, &fresh) {
                ListRow {
                    identity: row.identity,
                    handle: row.handle,
                    profiles: row.profiles,
                    archived: false,
                    superseded_by: row.superseded_by,
                    ..fresh
                }
            } else {
                // A new entry on top: nothing that was decided about the one below is about this one.
                ListRow { profiles: row.profiles, ..fresh }
            };
            self.index.note_revision(&row.identity, &revision)?;
        }
        let mut events = self.ledger.events_of(&row.identity)?;
        let mut now = self.standing_of(&row, &events);
        if self.record_lapse(&row, &events, &now)? {
            events = self.ledger.events_of(&row.identity)?;
            now = self.standing_of(&row, &events);
        }
        if now.claim.is_some() || now.unsettled {
            self.settle_claims()?;
            events = self.ledger.events_of(&row.identity)?;
            now = self.standing_of(&row, &events);
        }
        Ok(Opened { row, bytes, reading, events, standing: now })
    }

    pub(crate) fn standing_of(&self, row: &ListRow, events: &[Event]) -> Standing {
        standing(
            events,
            &Current {
                rev: &row.rev,
                readable: row.readable,
                readable_reason: row.readable_reason.as_deref(),
                superseded_by: row.superseded_by.as_deref(),
                conflict: row.conflict,
                now_ms: (self.now)(),
            },
        )
    }

    /// Writes down that an approval ended because the file changed or its time is over.
    fn record_lapse(&self, row: &ListRow, events: &[Event], now: &Standing) -> Result<bool, Error> {
        let taken_back = taken_back(events);
        let stands = |event: &&Event| is_decision(&event.kind) && !taken_back.contains(&event.seq);
        let last = events.iter().rfind(stands);
        let lapsed = last.is_some_and(|event| event.kind == "approved")
            && now.state != State::Approved
            && matches!(now.state, State::Pending);
        if !lapsed {
            return Ok(false);
        }
        let because = now.reason.clone().unwrap_or_default();
        let because = because.strip_prefix("lapsed: ").unwrap_or(&because).to_owned();
        self.lapse(row, &because)?;
        Ok(true)
    }

    pub(crate) fn lapse(&self, row: &ListRow, because: &str) -> Result<(), Error> {
        let event = NewEvent::new("lapsed", (self.now)())
            .about(&row.identity, &row.rev)
            .by("fuda")
            .with(serde_json::json!({ "because": because }));
        self.ledger.append::<Error>(event, |_| Ok(()))?;
        Ok(())
    }

    pub(crate) fn relative(&self, path: &Path) -> String {
        store::repository_of(path)
            .and_then(|root| path.strip_prefix(root).ok().map(|rest| rest.to_string_lossy().into_owned()))
            .unwrap_or_else(|| path.to_string_lossy().into_owned())
    }

    /// The question that is asked about a handoff's repository.
    pub(crate) fn question(&self, opened: &Opened, repo: Option<&Path>) -> Question {
        Question {
            handoff: opened.handoff(),
            file: Some(opened.row.path.clone()),
            repo: repo.map(Path::to_owned),
            binding: opened.standing.binding.clone(),
            home: Some(self.person.clone()),
            handoff_paths: Vec::new(),
            ..Question::default()
        }
    }

    /// What a host should watch to see the open handoff's repository change.
    ///
    /// # Errors
    /// When the handoff is not there.
    pub fn watch_paths(&self, id: &str) -> Result<Vec<PathBuf>, Error> {
        let opened = self.opened(id)?;
        let mut paths = self.worker.watch_paths(&self.question(&opened, None), LOOK);
        paths.push(opened.row.path.clone());
        Ok(paths)
    }

    /// Folders of every profile and of what was published, for watching.
    pub fn roots(&self) -> Vec<PathBuf> {
        let profiles = self.config().map(|config| config.profiles).unwrap_or_default();
        let roots = profiles.iter().flat_map(|profile| profile.root_paths(&self.person));
        roots.chain([self.home.handoffs()]).collect()
    }

    pub(crate) fn remember(&self, handle: &str, drift: &repo::Drift) {
        self.verdicts
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .insert(handle.to_owned(), (drift.verdict, drift.ahead));
    }

    pub(crate) fn remembered(&self, handle: &str) -> Option<(repo::Verdict, u32)> {
        self.verdicts.lock().unwrap_or_else(PoisonError::into_inner).get(handle).copied()
    }

    /// Refuses what may never be offered.
    pub(crate) fn offered(opened: &Opened) -> Result<(), Error> {
        let handle = opened.row.handle.clone();
        let reason = opened.reading.reason.clone().unwrap_or_default();
        match opened.reading.readable {
            Readable::Full | Readable::Partial => Ok(()),
            Readable::Refused => Err(Error::Refused { handle, reason }),
            Readable::Incomplete | Readable::NotAHandoff => Err(Error::Incomplete { handle, reason }),
        }
    }
}

fn note(log: &Log, now: fn() -> i64, host: &str, operation: &str, took: Duration, code: &str, cause: Option<&str>) {
    log.write(&Line {
        at: &crate::decide::rfc3339(now()),
        host,
        version: env!("CARGO_PKG_VERSION"),
        system: &format!("{} {}", std::env::consts::OS, std::env::consts::ARCH),
        operation,
        took_ms: u64::try_from(took.as_millis()).unwrap_or(u64::MAX),
        code,
        cause,
    });
}

/// The last folders of a source file: where it was built stays out of the log.
fn source_name(file: &str) -> String {
    let parts: Vec<&str> = file.split('/').collect();
    parts[parts.len().saturating_sub(3)..].join("/")
}
