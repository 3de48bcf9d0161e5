//! The commands of the window. Each takes plain values, works on a thread that may wait, and answers.

use crate::events::HostEvent;
use crate::notify::Notifier;
use api::{ApiError, Arrivals, Call, Desk, Watch};
use serde_json::{Value, json};
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use tauri::ipc::Channel;
use tauri::{AppHandle, Manager, State};
use tauri_plugin_dialog::DialogExt;

/// What the commands share.
pub struct Host {
    desk: Desk,
    first: Option<String>,
    cancelled: AtomicBool,
    page: Mutex<Option<Channel<HostEvent>>>,
    roots: Mutex<Option<Watch>>,
    open: Mutex<Option<Watch>>,
    arrivals: Mutex<Option<Arrivals>>,
    notifier: Mutex<Option<Notifier>>,
}

type Shared<'a> = State<'a, Arc<Host>>;

impl Host {
    pub fn new(desk: Desk, first: Option<String>) -> Self {
        Self {
            desk,
            first,
            cancelled: AtomicBool::new(false),
            page: Mutex::default(),
            roots: Mutex::default(),
            open: Mutex::default(),
            arrivals: Mutex::default(),
            notifier: Mutex::default(),
        }
    }

    /// Tells of arrivals from now on, and shows what a person clicks on.
    pub fn notify(self: &Arc<Self>, app: &AppHandle) {
        let (host, app) = (Arc::clone(self), app.clone());
        let notifier = Notifier::start(move |handle| {
            if let Some(window) = app.get_webview_window("main") {
                // A window manager may refuse to raise it; the page opens the handoff all the same.
                let _ = window.show().and_then(|()| window.unminimize()).and_then(|()| window.set_focus());
            }
            host.tell(HostEvent::Show { handle });
        });
        *self.notifier.lock().unwrap_or_else(PoisonError::into_inner) = Some(notifier);
        self.look_for_arrivals();
    }

    /// What waited when this program started, or was found by the very first scan, is no arrival.
    fn look_for_arrivals(&self) {
        let mut arrivals = self.arrivals.lock().unwrap_or_else(PoisonError::into_inner);
        let set = |name| std::env::var(name).ok().filter(|value| !value.is_empty());
        let locale = ["LC_ALL", "LC_MESSAGES", "LANG"].into_iter().find_map(set).unwrap_or_default();
        let Some(known) = arrivals.as_mut() else {
            if self.desk.is_scanned().unwrap_or(false) {
                let mut first = Arrivals::default();
                let began = self.desk.arrived(&mut first, &locale).is_ok();
                *arrivals = began.then_some(first);
            }
            return;
        };
        // What cannot be read now is told with the next change.
        let notices = self.desk.arrived(known, &locale).unwrap_or_default();
        if let Some(notifier) = &*self.notifier.lock().unwrap_or_else(PoisonError::into_inner) {
            notices.iter().for_each(|notice| notifier.tell(notice));
        }
    }

    fn tell(&self, event: HostEvent) {
        if let Some(page) = &*self.page.lock().unwrap_or_else(PoisonError::into_inner) {
            // A page that is gone hears nothing.
            let _ = page.send(event);
        }
    }

    fn run(&self, op: &str, params: Value) -> Result<Value, ApiError> {
        if op == "index" {
            self.cancelled.store(false, Ordering::Relaxed);
        }
        let progress = |progress| self.tell(HostEvent::Progress { job: op.to_owned(), progress });
        let call = Call { desk: &self.desk, progress: &progress, cancel: &|| self.cancelled.load(Ordering::Relaxed) };
        let mut answer = api::call(&call, op, params)?;
        if op == "index" {
            self.look_for_arrivals();
        }
        if op == "overview" {
            let watching = self.roots.lock().unwrap_or_else(PoisonError::into_inner).as_ref().map(Watch::watching);
            answer["watching"] = Value::String(match watching {
                Some(api::Watching::Watching) => "watching".to_owned(),
                Some(api::Watching::Polling(because)) => format!("polling: {because}"),
                None => "off".to_owned(),
            });
        }
        Ok(answer)
    }
}

fn watch_roots(host: &Arc<Host>) {
    let other = Arc::clone(host);
    let watch = Watch::start(&host.desk.roots(), move |changed| {
        if other.run("index", json!({ "whole": changed.whole })).is_ok() {
            other.tell(HostEvent::IndexChanged);
        }
    });
    *host.roots.lock().unwrap_or_else(PoisonError::into_inner) = watch.ok();
}

/// Any operation of the table.
#[tauri::command]
pub async fn call(op: String, params: Value, host: Shared<'_>) -> Result<Value, ApiError> {
    let host = Arc::clone(&host);
    let changes_roots = matches!(op.as_str(), "profile_add" | "profile_remove");
    let answer = tauri::async_runtime::spawn_blocking(move || {
        let answer = host.run(&op, params);
        if changes_roots && answer.is_ok() {
            watch_roots(&host);
        }
        answer
    });
    answer.await.unwrap_or_else(|error| Err(ApiError::usage(format!("the operation ended early: {error}"))))
}

/// The page listens from now on; the profiles' folders are watched.
#[tauri::command]
pub async fn subscribe(channel: Channel<HostEvent>, host: Shared<'_>) -> Result<(), ApiError> {
    let host = Arc::clone(&host);
    *host.page.lock().unwrap_or_else(PoisonError::into_inner) = Some(channel);
    let _ = tauri::async_runtime::spawn_blocking(move || watch_roots(&host)).await;
    Ok(())
}

/// Stops long work; what was done so far is kept.
#[tauri::command]
pub fn cancel(host: Shared<'_>) {
    host.cancelled.store(true, Ordering::Relaxed);
}

/// The page shows this handoff: its file and repository are watched.
#[tauri::command]
pub async fn look_at(id: String, host: Shared<'_>) -> Result<(), ApiError> {
    let host = Arc::clone(&host);
    let done = tauri::async_runtime::spawn_blocking(move || {
        let paths = host.desk.watch_paths(&id)?;
        let other = Arc::clone(&host);
        let watch = Watch::start(&paths, move |_| other.tell(HostEvent::RepositoryChanged { handle: id.clone() }));
        *host.open.lock().unwrap_or_else(PoisonError::into_inner) = watch.ok();
        Ok(())
    });
    done.await.unwrap_or_else(|error| Err(ApiError::usage(format!("the watch ended early: {error}"))))
}

fn start(mut command: Command, what: &str) -> Result<(), ApiError> {
    command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).spawn().map(drop).map_err(|error| {
        ApiError {
            code: "io".to_owned(),
            message: format!("{what} could not be started: {error}"),
            hints: vec!["Copy the path instead.".to_owned()],
            details: Value::Null,
            cause: None,
        }
    })
}

/// The file in the person's editor. The path is an argument of its own and never starts with a dash.
#[tauri::command]
pub fn open_in_editor(id: String, host: Shared<'_>) -> Result<(), ApiError> {
    let path = host.desk.path_of(&id)?;
    let mut command = Command::new("xdg-open");
    command.arg(path);
    start(command, "the editor")
}

/// A terminal in the folder of the handoff's work.
#[tauri::command]
pub fn open_terminal(id: String, host: Shared<'_>) -> Result<(), ApiError> {
    let folder = host.desk.folder_of(&id)?;
    let mut command = Command::new("x-terminal-emulator");
    command.current_dir(folder);
    start(command, "a terminal")
}

/// The system's folder dialog.
#[tauri::command]
pub async fn choose_folder(app: AppHandle) -> Result<Option<String>, ApiError> {
    let (sender, receiver) = tokio::sync::oneshot::channel();
    app.dialog().file().pick_folder(move |folder| {
        let _ = sender.send(folder.map(|folder| folder.to_string()));
    });
    Ok(receiver.await.unwrap_or(None))
}

/// The handoff that the program was started with.
#[tauri::command]
pub fn first(host: Shared<'_>) -> Option<String> {
    host.first.clone()
}
