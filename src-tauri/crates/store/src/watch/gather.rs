//! Events become notices: bursts together, files in writing held back until they are whole.

use super::{Changed, Watched, Watching};
use notify::event::{AccessKind, AccessMode, CreateKind, EventKind, ModifyKind};
use std::collections::HashMap;
use std::path::PathBuf;
use std::sync::Weak;
use std::sync::mpsc::{Receiver, RecvTimeoutError};
use std::time::{Duration, Instant};

/// Changes closer together than this are one notice.
const DEBOUNCE: Duration = Duration::from_millis(50);
/// A file in writing counts as whole after this much quiet, when nobody says that it was closed.
const SETTLE: Duration = Duration::from_millis(500);
/// What does not come to rest is told after this long all the same.
const LONGEST: Duration = Duration::from_secs(2);
/// How often everything may have changed where the system cannot tell.
const POLL: Duration = Duration::from_secs(5);
/// Without anything to do; long, because events wake it.
const IDLE: Duration = Duration::from_secs(3_600);

pub(super) struct Gather {
    receiver: Receiver<notify::Result<notify::Event>>,
    watched: Weak<Watched>,
    pending: HashMap<PathBuf, Pending>,
    /// When the loss of events is told.
    everything: Option<Instant>,
    polled: Instant,
}

struct Pending {
    since: Instant,
    due: Instant,
    in_writing: bool,
    closed: bool,
}

impl Gather {
    pub(super) fn new(receiver: Receiver<notify::Result<notify::Event>>, watched: Weak<Watched>) -> Self {
        Self { receiver, watched, pending: HashMap::new(), everything: None, polled: Instant::now() }
    }

    /// Until the watch is dropped.
    pub(super) fn run(mut self, notice: &dyn Fn(Changed)) {
        loop {
            let now = Instant::now();
            match self.receiver.recv_timeout(self.next_due(now).saturating_duration_since(now)) {
                Ok(Ok(event)) => self.take(event),
                // Some events were lost.
                Ok(Err(_)) => self.everything = self.everything.or(Some(Instant::now() + DEBOUNCE)),
                Err(RecvTimeoutError::Timeout) => self.tell(notice),
                Err(RecvTimeoutError::Disconnected) if self.polls() => {
                    // Nobody sends where the system cannot watch; the interval is all there is.
                    std::thread::park_timeout(POLL);
                    self.tell(notice);
                }
                Err(RecvTimeoutError::Disconnected) => {}
            }
            if self.watched.strong_count() == 0 {
                return;
            }
        }
    }

    fn polls(&self) -> bool {
        self.watched.upgrade().is_some_and(|watched| watched.watching() != Watching::Watching)
    }

    fn next_due(&self, now: Instant) -> Instant {
        let poll = if self.polls() { self.polled + POLL } else { now + IDLE };
        let pending = self.pending.values().map(|pending| pending.due.min(pending.since + LONGEST));
        pending.chain(self.everything).fold(poll, Instant::min)
    }

    fn take(&mut self, event: notify::Event) {
        let Some(watched) = self.watched.upgrade() else { return };
        let now = Instant::now();
        if event.need_rescan() {
            self.everything = self.everything.or(Some(now + DEBOUNCE));
        }
        let closed = matches!(event.kind, EventKind::Access(AccessKind::Close(AccessMode::Write)));
        if matches!(event.kind, EventKind::Access(_)) && !closed {
            return;
        }
        let written = matches!(
            event.kind,
            EventKind::Modify(ModifyKind::Data(_) | ModifyKind::Any) | EventKind::Create(CreateKind::File)
        );
        let arrived = matches!(event.kind, EventKind::Create(_) | EventKind::Modify(ModifyKind::Name(_)));
        for path in event.paths {
            if !watched.tells(&path) {
                continue;
            }
            if arrived && path.is_dir() {
                watched.add_below(&path);
            }
            let pending =
                self.pending.entry(path).or_insert(Pending { since: now, due: now, in_writing: false, closed: false });
            // Other news of a file in writing (its mode, its time) does not mean that it is whole.
            let whole = closed || matches!(event.kind, EventKind::Modify(ModifyKind::Name(_)) | EventKind::Remove(_));
            pending.in_writing = !whole && (written || pending.in_writing);
            pending.closed = whole || (pending.closed && !written);
            pending.due = now + if pending.in_writing { SETTLE } else { DEBOUNCE };
        }
    }

    fn tell(&mut self, notice: &dyn Fn(Changed)) {
        let now = Instant::now();
        let polled = self.polls() && self.polled + POLL <= now;
        if polled || self.everything.is_some_and(|due| due <= now) {
            self.polled = now;
            self.everything = None;
            self.pending.clear();
            return notice(Changed::default());
        }
        let mut changed = Changed::default();
        for (path, pending) in
            self.pending.extract_if(|_, pending| pending.due <= now || pending.since + LONGEST <= now)
        {
            // A file in writing that is due had its time of quiet.
            if pending.closed || (pending.in_writing && pending.due <= now) {
                changed.whole.push(path.clone());
            }
            changed.paths.push(path);
        }
        if !changed.paths.is_empty() {
            changed.paths.sort();
            changed.whole.sort();
            notice(changed);
        }
    }
}
