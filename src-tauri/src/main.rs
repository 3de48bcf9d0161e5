//! `fuda-app`: the window. Wiring only: the desk is opened, the commands are registered, the window refuses to go
//! anywhere but to its own page.

mod events;
mod host;
mod notify;
mod window;

use anyhow::Context;
use api::{Desk, Options};
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
    if !window::has_display() {
        eprintln!("fuda-app: there is no display (neither DISPLAY nor WAYLAND_DISPLAY is set).");
        eprintln!("The command line shows the same: fuda list, fuda show ID, fuda drift ID.");
        return ExitCode::FAILURE;
    }
    window::prefer_plain_rendering();
    match run(arguments.into_iter().next()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("fuda-app: {error:#}");
            ExitCode::FAILURE
        }
    }
}

fn run(first: Option<String>) -> anyhow::Result<()> {
    let program: PathBuf = std::env::current_exe().context("this program does not know where it is")?;
    let desk = Desk::open(Options {
        root: api::default_root(),
        home: api::person_home(),
        worker: (program, vec!["worker".to_owned()]),
        now_ms: api::now_ms,
        caller: api::caller("window"),
    })?;
    desk.note_panics();
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
            host::first
        ])
        .setup(move |app| {
            window::open(app)?;
            host.notify(app.handle());
            Ok(())
        })
        .run(tauri::generate_context!())
        .context("the window could not be opened. The command line shows the same: fuda list, fuda show ID")
}
