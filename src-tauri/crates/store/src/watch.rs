//! Watching folders: something below them changed. Bursts become one notice, a file that is written in place is told
//! when it is whole, new folders are watched as they come, and where the system cannot watch, everything is looked at
//! in intervals and that is said. What a change means is left to who is told.

mod gather;
mod places;

use crate::Error;
use gather::Gather;
use notify::{RecommendedWatcher, RecursiveMode, Watcher};
use places::{folders_below, is_git_folder};
use std::collections::HashSet;
use std::path::{Path, PathBuf};
use std::sync::mpsc::channel;
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;

/// How folders are watched.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Watching {
    /// The system tells.
    Watching,
    /// Looked at in intervals, because.
    Polling(String),
}

/// What a watch tells.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Changed {
    /// Every path that changed; none when everything may have.
    pub paths: Vec<PathBuf>,
    /// Those of them whose writer closed or renamed them, or left them in peace.
    pub whole: Vec<PathBuf>,
}

/// A running watch; ends when dropped.
pub struct Watch {
    watched: Arc<Watched>,
}

impl Watch {
    /// Watches folders with what is below them, and single files, until dropped. Paths that are not there are left out.
    /// `notice` is called on a thread of its own with what changed.
    ///
    /// # Errors
    /// When the thread cannot be started. A system that cannot watch is no error; see [`Watch::watching`].
    pub fn start(paths: &[PathBuf], notice: impl Fn(Changed) + Send + 'static) -> Result<Self, Error> {
        let (sender, receiver) = channel();
        let (watcher, watching) = match notify::recommended_watcher(sender) {
            Ok(watcher) => (Some(watcher), Watching::Watching),
            Err(error) => (None, Watching::Polling(because(&error))),
        };
        let paths: Vec<PathBuf> = paths.iter().filter_map(|path| std::fs::canonicalize(path).ok()).collect();
        let (folders, files): (Vec<_>, Vec<_>) = paths.iter().cloned().partition(|path| path.is_dir());
        let watched = Arc::new(Watched {
            watcher: Mutex::new(watcher),
            watching: Mutex::new(watching),
            folders,
            files: files.into_iter().collect(),
        });
        for folder in &watched.folders {
            watched.add_below(folder);
        }
        for folder in watched.files.iter().filter_map(|file| file.parent()) {
            // Its folder, because a save by renaming takes the file itself away.
            watched.add(folder);
        }
        let gather = Gather::new(receiver, Arc::downgrade(&watched));
        thread::Builder::new().name("watch".to_owned()).spawn(move || gather.run(&notice)).map_err(|error| {
            Error::Watch { path: paths.first().cloned().unwrap_or_default(), message: error.to_string() }
        })?;
        Ok(Self { watched })
    }

    /// How the folders are watched now. Folders that appear may exhaust what the system grants.
    pub fn watching(&self) -> Watching {
        self.watched.watching()
    }
}

/// How many folders watching these would take, counted up to a number.
pub fn folders(roots: &[PathBuf], most: usize) -> usize {
    let mut count = 0;
    for root in roots {
        folders_below(root, &mut |_| {
            count += 1;
            count < most
        });
    }
    count.min(most)
}

/// What is watched, shared with the thread that gathers.
struct Watched {
    /// None where the system cannot watch at all.
    watcher: Mutex<Option<RecommendedWatcher>>,
    watching: Mutex<Watching>,
    folders: Vec<PathBuf>,
    files: HashSet<PathBuf>,
}

impl Watched {
    fn watching(&self) -> Watching {
        self.watching.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Watches a folder and those below it. Each is watched before it is listed, so that nothing falls in between.
    fn add_below(&self, folder: &Path) {
        folders_below(folder, &mut |folder| self.add(folder));
    }

    /// Watches one folder. Tells whether those below it can be watched too.
    fn add(&self, folder: &Path) -> bool {
        let mut watcher = self.watcher.lock().unwrap_or_else(PoisonError::into_inner);
        let Some(watcher) = watcher.as_mut() else { return false };
        match watcher.watch(folder, RecursiveMode::NonRecursive) {
            Ok(()) => true,
            // It went away in between, or is not ours to read: nothing below it is found either.
            Err(error) if !matches!(error.kind, notify::ErrorKind::MaxFilesWatch) => false,
            Err(error) => {
                let mut watching = self.watching.lock().unwrap_or_else(PoisonError::into_inner);
                *watching = Watching::Polling(because(&error));
                false
            }
        }
    }

    /// Whether a change at a path is somebody's business.
    fn tells(&self, path: &Path) -> bool {
        if self.files.contains(path) {
            return true;
        }
        let below = |folder: &PathBuf| {
            let inside = path.strip_prefix(folder).ok()?;
            Some(if is_git_folder(folder) { places::tells_of_git(inside) } else { places::tells(inside) })
        };
        self.folders.iter().filter_map(below).any(|tells| tells)
    }
}

fn because(error: &notify::Error) -> String {
    match &error.kind {
        notify::ErrorKind::MaxFilesWatch => {
            "the system's limit of watches is reached (fs.inotify.max_user_watches); raise it and start again"
                .to_owned()
        }
        _ => error.to_string(),
    }
}
