//! `fuda-app`: the window. Wiring only: the desk is opened, the commands are registered, the window refuses to go
//! anywhere but to its own page.

mod autostart;
mod events;
mod host;
mod instance;
mod notify;
mod presence;
mod tray;
mod window;

use anyhow::Context;
use api::{ApiError, Desk, Options};
use host::Wanted;
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Arc;

fn main() -> ExitCode {
    let supervised = || api::supervise(std::env::args_os().skip(1));
    if let Some(code) = api::keep(std::env::args_os().skip(1)).or_else(supervised) {
        return code;
    }
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    if arguments.first().is_some_and(|first| first == "worker") {
        return match api::run_worker() {
            Ok(()) => ExitCode::SUCCESS,
            Err(_) => ExitCode::FAILURE,
        };
    }
    if arguments.first().is_some_and(|first| first == "--version") {
        let webkit = tauri::webview_version().unwrap_or_else(|error| format!("that does not tell ({error})"));
        println!("fuda-app {}, WebKitGTK {webkit}", env!("CARGO_PKG_VERSION"));
        return ExitCode::SUCCESS;
    }
    if arguments.first().is_some_and(|first| first == "--check") {
        println!("{}", presence::check());
        return ExitCode::SUCCESS;
    }
    if !window::has_display() {
        eprintln!("fuda-app: there is no display (neither DISPLAY nor WAYLAND_DISPLAY is set).");
        eprintln!("The command line shows the same: fuda list, fuda show ID, fuda drift ID.");
        return ExitCode::FAILURE;
    }
    window::prefer_plain_rendering();
    let background = arguments.iter().any(|argument| argument == "--background");
    match run(background, arguments.into_iter().find(|argument| !argument.starts_with("--"))) {
        Ok(code) => code,
        Err(error) => {
            eprintln!("fuda-app: {error:#}");
            ExitCode::FAILURE
        }
    }
}

fn run(background: bool, first: Option<String>) -> anyhow::Result<ExitCode> {
    let program: PathBuf = std::env::current_exe().context("this program does not know where it is")?;
    let desk = Desk::open(Options {
        root: api::default_root(),
        home: api::person_home(),
        worker: (program, vec!["worker".to_owned()]),
        now_ms: api::now_ms,
        caller: api::caller("window"),
    })?;
    desk.note_panics();
    let only = match instance::take(&desk.locks()) {
        Ok(Some(only)) => Some(only),
        Ok(None) if background => return Ok(ExitCode::SUCCESS),
        Ok(None) => return hand_over(&desk, first.as_deref()),
        Err(error) => {
            // The data is safe with several windows; the ledger sees to that.
            eprintln!("fuda-app: {}: {error}. A second start opens a second window.", desk.locks().display());
            None
        }
    };
    let host = Arc::new(host::Host::new(desk, first));
    tauri::Builder::default()
        .plugin(tauri_plugin_dialog::init())
        .manage(Arc::clone(&host))
        .invoke_handler(tauri::generate_handler![
            host::call,
            host::subscribe,
            host::cancel,
            host::look_at,
            host::open_in_editor,
            host::open_terminal,
            host::choose_folder,
            host::first,
            host::unsaved,
            host::leave,
            host::tray_place,
            host::autostart,
            host::set_autostart
        ])
        .setup(move |app| {
            let app = app.handle();
            if !background {
                window::open(app, &host)?;
            }
            host.appear(app);
            if background {
                host.work_in_background();
            }
            host.look_after();
            if let Some(only) = only {
                let (host, app) = (Arc::clone(&host), app.clone());
                only.serve(move |handle| host.show(&app, handle.map_or(Wanted::Window, Wanted::Handoff)))?;
            }
            Ok(())
        })
        .run(tauri::generate_context!())
        .context("the window could not be opened. The command line shows the same: fuda list, fuda show ID")?;
    Ok(ExitCode::SUCCESS)
}

/// The running window shows what this start was asked for.
fn hand_over(desk: &Desk, id: Option<&str>) -> anyhow::Result<ExitCode> {
    let handle = match id.map(|id| desk.detail(id)).transpose() {
        Ok(found) => found.map(|detail| detail.handle),
        Err(error) => {
            let error = ApiError::from(error);
            eprintln!("fuda-app: {}", error.message);
            error.hints.iter().for_each(|hint| eprintln!("{hint}"));
            return Ok(ExitCode::from(api::exit_code(&error.code)));
        }
    };
    instance::ask(&desk.locks(), handle.as_deref())
        .context("another fuda-app has the window and does not answer; end it and start again")?;
    Ok(ExitCode::SUCCESS)
}
