//! The commands of the window. Each takes plain values, works on a thread that may wait, and answers.

use crate::autostart;
use crate::events::HostEvent;
use crate::presence::{Presence, TrayPlace};
use api::{ApiError, Attendant, Call, Desk, RunNews, Watch};
use serde_json::{Value, json};
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::time::Duration;
use tauri::ipc::Channel;
use tauri::{AppHandle, Manager, State, Theme};
use tauri_plugin_dialog::DialogExt;

/// How often the ledger is looked at for what other programs wrote: SQLite tells no other process of a commit.
const LOOK: Duration = Duration::from_secs(2);

/// What the commands share.
pub struct Host {
    desk: Desk,
    first: Mutex<Option<String>>,
    cancelled: AtomicBool,
    unsaved: AtomicBool,
    page: Mutex<Option<Channel<HostEvent>>>,
    roots: Mutex<Option<Watch>>,
    open: Mutex<Option<Watch>>,
    presence: OnceLock<Presence>,
}

/// What the window is brought up at.
pub enum Wanted {
    /// As it was.
    Window,
    /// The inbox.
    Inbox,
    /// A handoff, by its handle.
    Handoff(String),
}

type Shared<'a> = State<'a, Arc<Host>>;

impl Host {
    pub fn new(desk: Desk, first: Option<String>) -> Self {
        Self {
            desk,
            first: Mutex::new(first),
            cancelled: AtomicBool::new(false),
            unsaved: AtomicBool::new(false),
            page: Mutex::default(),
            roots: Mutex::default(),
            open: Mutex::default(),
            presence: OnceLock::new(),
        }
    }

    /// The desktop has notices and icon of this program from now on.
    pub fn appear(self: &Arc<Self>, app: &AppHandle) {
        // Nothing is read here: this is the thread that paints.
        self.presence.get_or_init(|| Presence::start(self, app));
    }

    /// A script for the page's beginning: the language and the theme that a person chose, for what is painted before
    /// the page can ask.
    pub fn first_look(&self) -> String {
        let settings = self.desk.settings().ok();
        let chosen = settings.map_or(json!(["auto", "system"]), |settings| json!([settings.language, settings.theme]));
        // The document's own element may come later than the script; it is there when the page has been parsed.
        format!(
            "{{ const [language, theme] = {chosen};
            const look = () => {{
                const page = document.documentElement;
                if (!page) return;
                page.lang = (language === 'auto' ? navigator.language : language).startsWith('ja') ? 'ja' : 'en';
                if (theme !== 'system') page.dataset.theme = theme;
            }};
            look();
            document.addEventListener('readystatechange', look, {{ once: true }}); }}"
        )
    }

    /// Whether the page will be dark on a desktop with this theme.
    pub fn is_dark(&self, system: Theme) -> bool {
        match self.desk.settings().map(|settings| settings.theme).as_deref() {
            Ok("dark") => true,
            Ok("light") => false,
            _ => system == Theme::Dark,
        }
    }

    /// Whether the program stays when its window is closed.
    pub fn stays(&self) -> bool {
        self.presence.get().is_some_and(Presence::stays)
    }

    /// Whether a person is asked first, since an edit is not saved. The page asks.
    pub fn asks_before_it_ends(&self) -> bool {
        let unsaved = self.unsaved.load(Ordering::Relaxed);
        if unsaved {
            self.tell(HostEvent::Leaving);
        }
        unsaved
    }

    /// Looks after what goes on in the ledger as long as this program runs: starts that wait and nobody attends, and
    /// runs that end or ask.
    pub fn look_after(self: &Arc<Self>) {
        let host = Arc::clone(self);
        let look = move || {
            let (mut attendant, mut news) = (Attendant::default(), RunNews::default());
            loop {
                attendant.look(&host.desk);
                if let Some(presence) = host.presence.get() {
                    presence.tell_of_runs(&host.desk, &mut news);
                }
                std::thread::sleep(LOOK);
            }
        };
        // Without the thread the window works; a start that waits keeps its own supervisor.
        let _ = std::thread::Builder::new().name("ledger".to_owned()).spawn(look);
    }

    /// Scans and watches without a page that would ask for it.
    pub fn work_in_background(self: &Arc<Self>) {
        let host = Arc::clone(self);
        tauri::async_runtime::spawn_blocking(move || {
            // Watched first: what is written while the scan runs, or right behind it, is told as well.
            watch_roots(&host);
            // What cannot be scanned now is with the next change; the page says why.
            let _ = host.run("index", json!({}));
        });
    }

    /// Brings the window up, made anew where there is none, at what is wanted.
    pub fn show(self: &Arc<Self>, app: &AppHandle, wanted: Wanted) {
        let handle = match wanted {
            Wanted::Window => None,
            Wanted::Inbox => Some(None),
            Wanted::Handoff(handle) => Some(Some(handle)),
        };
        if let Some(handle) = handle {
            let listens = self.page.lock().unwrap_or_else(PoisonError::into_inner).is_some();
            if listens {
                self.tell(HostEvent::Show { handle });
            } else {
                // The page asks for it when it starts.
                *self.first.lock().unwrap_or_else(PoisonError::into_inner) = handle;
            }
        }
        let (host, main) = (Arc::clone(self), app.clone());
        // A program that is ending shows nothing.
        let _ = app.run_on_main_thread(move || match main.get_webview_window("main") {
            // A window manager may refuse to raise it.
            Some(window) => {
                let _ = window.show().and_then(|()| window.unminimize()).and_then(|()| window.set_focus());
            }
            None => {
                if let Err(error) = crate::window::open(&main, &host) {
                    eprintln!("fuda-app: the window could not be opened: {error}");
                }
            }
        });
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
            if let Some(presence) = self.presence.get() {
                presence.before_a_scan(&self.desk);
            }
        }
        let progress = |progress| self.tell(HostEvent::Progress { job: op.to_owned(), progress });
        let call = Call { desk: &self.desk, progress: &progress, cancel: &|| self.cancelled.load(Ordering::Relaxed) };
        let mut answer = api::call(&call, op, params)?;
        if let Some(presence) = self.presence.get() {
            match op {
                "index" => presence.update(&self.desk),
                // The page asks for it after whatever may have changed the number.
                "overview" | "settings_set" => presence.count(&self.desk),
                _ => {}
            }
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

/// The handoff that the program was started with, once.
#[tauri::command]
pub fn first(host: Shared<'_>) -> Option<String> {
    host.first.lock().unwrap_or_else(PoisonError::into_inner).take()
}

/// Whether the page holds an edit that is not saved.
#[tauri::command]
pub fn unsaved(is: bool, host: Shared<'_>) {
    host.unsaved.store(is, Ordering::Relaxed);
}

/// Ends the program, as a person decided.
#[tauri::command]
pub fn leave(app: AppHandle) {
    app.exit(0);
}

/// Whether the desktop has a tray for the icon.
#[tauri::command]
pub fn tray_place(host: Shared<'_>) -> TrayPlace {
    host.presence.get().map_or(TrayPlace::NoBus, Presence::tray_place)
}

/// Whether the session starts this program in the background.
#[tauri::command]
pub fn autostart() -> bool {
    autostart::is_on(&autostart::path())
}

/// Makes the session start this program in the background, or not. Tells how it is now.
#[tauri::command]
pub fn set_autostart(on: bool, host: Shared<'_>) -> Result<bool, ApiError> {
    let entry = autostart::path();
    let done = std::env::current_exe().and_then(|program| autostart::set(&entry, on, &program, host.desk.root()));
    done.map(|()| autostart::is_on(&entry)).map_err(|error| ApiError {
        code: "io".to_owned(),
        message: format!("{}: {error}", entry.display()),
        hints: vec!["Check who may write the folder.".to_owned()],
        details: Value::Null,
        cause: None,
    })
}
