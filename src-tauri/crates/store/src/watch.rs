//! Watching folders: something below them changed. Quick bursts become one notice, nothing blocks in the callback,
//! and where the system cannot watch, it is looked at in intervals and said so.

use crate::Error;
use crate::names::never_walked;
use notify::{Config, EventKind, PollWatcher, RecommendedWatcher, RecursiveMode, Watcher};
use std::path::{Path, PathBuf};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::thread;
use std::time::{Duration, Instant};

/// Changes closer together than this are one notice.
const DEBOUNCE: Duration = Duration::from_millis(50);
/// A burst that does not end is told after this long all the same.
const LONGEST: Duration = Duration::from_millis(1_000);
const POLL: Duration = Duration::from_secs(5);

/// How folders are watched.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Watching {
    /// The system tells.
    Watching,
    /// Looked at in intervals, because.
    Polling(String),
}

/// A running watch; ends when dropped.
pub struct Watch {
    _watcher: Box<dyn Watcher + Send>,
    /// How the folders are watched.
    pub watching: Watching,
}

impl Watch {
    /// Watches folders and files until dropped. `notice` is called on a thread of its own with what changed; an
    /// empty list means that everything may have.
    ///
    /// # Errors
    /// When not even polling works.
    pub fn start(paths: &[PathBuf], notice: impl Fn(Vec<PathBuf>) + Send + 'static) -> Result<Self, Error> {
        let (sender, receiver) = channel();
        let send = sender.clone();
        let attempt = notify::recommended_watcher(move |event| {
            let _ = send.send(event);
        })
        .and_then(|mut watcher: RecommendedWatcher| {
            for path in paths.iter().filter(|path| path.exists()) {
                watcher.watch(path, RecursiveMode::Recursive)?;
            }
            Ok(watcher)
        });
        let (watcher, watching): (Box<dyn Watcher + Send>, Watching) = match attempt {
            Ok(watcher) => (Box::new(watcher), Watching::Watching),
            Err(error) => {
                let because = match error.kind {
                    notify::ErrorKind::MaxFilesWatch => {
                        "the system's limit of watches is reached (fs.inotify.max_user_watches)".to_owned()
                    }
                    other => format!("{other:?}"),
                };
                let failed = |error: notify::Error| Error::Watch {
                    path: paths.first().cloned().unwrap_or_default(),
                    message: error.to_string(),
                };
                let mut poll = PollWatcher::new(
                    move |event| {
                        let _ = sender.send(event);
                    },
                    Config::default().with_poll_interval(POLL),
                )
                .map_err(failed)?;
                for path in paths.iter().filter(|path| path.exists()) {
                    poll.watch(path, RecursiveMode::Recursive).map_err(failed)?;
                }
                (Box::new(poll), Watching::Polling(because))
            }
        };
        thread::spawn(move || gather(&receiver, &notice));
        Ok(Self { _watcher: watcher, watching })
    }
}

fn gather(receiver: &Receiver<notify::Result<notify::Event>>, notice: &dyn Fn(Vec<PathBuf>)) {
    let mut paths: Vec<PathBuf> = Vec::new();
    let mut everything = false;
    let mut since: Option<Instant> = None;
    loop {
        let wait = if since.is_some() { DEBOUNCE } else { Duration::from_secs(3_600) };
        match receiver.recv_timeout(wait) {
            Ok(Ok(event)) => {
                everything |= event.need_rescan();
                let before = paths.len();
                if !matches!(event.kind, EventKind::Access(_)) {
                    paths.extend(event.paths.into_iter().filter(|path| tells(path)));
                }
                if since.is_none() && (everything || paths.len() > before) {
                    since = Some(Instant::now());
                }
                if since.is_none_or(|since| since.elapsed() < LONGEST) {
                    continue;
                }
            }
            Ok(Err(_)) => {
                everything = true;
                since.get_or_insert_with(Instant::now);
                continue;
            }
            Err(RecvTimeoutError::Timeout) => {}
            Err(RecvTimeoutError::Disconnected) => return,
        }
        if since.take().is_some() {
            paths.sort();
            paths.dedup();
            let told = std::mem::take(&mut paths);
            notice(if std::mem::take(&mut everything) { Vec::new() } else { told });
        }
    }
}

/// Whether a path can tell something: of `.git` only HEAD, refs and the index; of the folders never walked nothing.
fn tells(path: &Path) -> bool {
    let mut parts = path.iter().map(|part| part.to_string_lossy());
    while let Some(part) = parts.next() {
        if part == ".git" {
            return match parts.next() {
                Some(inner) => {
                    matches!(
                        inner.as_ref(),
                        "HEAD" | "refs" | "index" | "packed-refs" | "worktrees" | "MERGE_HEAD" | "ORIG_HEAD"
                    ) && !path.to_string_lossy().ends_with(".lock")
                }
                None => true,
            };
        }
        if part.starts_with(".fuda-") || (never_walked(&part) && part != "build" && part != "dist" && part != "vendor")
        {
            return false;
        }
    }
    true
}
