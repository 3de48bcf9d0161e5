//! What a person has of the program beside the window: notices, the icon, a second start, the background.

use crate::desktop::Desktop;
use crate::screen::{Screen, process_of, until};
use crate::stage::{Desk, becomes, click, program};
use fantoccini::{Client, Locator};
use std::fs;
use std::path::PathBuf;
use std::process::{Child, Command, Output, Stdio};

const GAUGE: &str = "# Handoff: <b>tide</b> gauge\n\n## Goal\n\nRead the gauge.\n\n## Next steps\n\n- [ ] Read\n";

fn gauge_arrives(desk: &Desk) -> PathBuf {
    let path = desk.repo().join("docs/HANDOFF.md");
    fs::create_dir_all(desk.repo().join("docs")).expect("made");
    fs::write(&path, GAUGE).expect("written");
    path
}

fn home(desk: &Desk) -> PathBuf {
    desk.folder.path().join("fuda")
}

fn run(desk: &Desk, name: &str, variable: &str, arguments: &[&str]) -> Output {
    Command::new(program(variable, name))
        .args(arguments)
        .env("HOME", desk.folder.path())
        .env("FUDA_HOME", home(desk))
        .env("DBUS_SESSION_BUS_ADDRESS", "disabled:")
        .output()
        .expect("started")
}

/// A program that ends with the test.
struct Ends(Child);

impl Drop for Ends {
    fn drop(&mut self) {
        // It may have ended by itself.
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

fn in_background(desk: &Desk, bus: &str) -> Ends {
    let child = Command::new(program("FUDA_APP", "fuda-app"))
        .arg("--background")
        .env("HOME", desk.folder.path())
        .env("FUDA_HOME", home(desk))
        .env("DBUS_SESSION_BUS_ADDRESS", bus)
        .env("NO_AT_BRIDGE", "1")
        .env("XDG_CACHE_HOME", desk.folder.path().join("k"))
        .env("XDG_DATA_HOME", desk.folder.path().join("d"))
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .expect("fuda-app");
    Ends(child)
}

async fn open(desk: &Desk) -> Client {
    desk.add_profile();
    desk.handoff();
    let client = desk.window().await;
    becomes(&client, "[data-pane='list']", |text| text.contains("webhook queue")).await;
    client
}

#[tokio::test]
async fn a_handoff_that_arrives_is_told_by_the_system_and_a_click_opens_it() {
    let desktop = Desktop::new(false);
    let desk = Desk::on_bus(&desktop.address);
    let client = open(&desk).await;
    gauge_arrives(&desk);
    becomes(&client, "[data-pane='list']", |text| text.contains("gauge")).await;
    let notice = desktop.notice("gauge");
    assert!(notice.title.contains("for review"), "{notice:?}");
    assert_eq!(notice.actions.first().map(String::as_str), Some("default"), "{notice:?}");
    assert!(desktop.notices.try_recv().is_err(), "what was there is no arrival");
    becomes(&client, "h1", |text| text.contains("webhook")).await;
    desktop.click(&notice);
    becomes(&client, "h1", |text| text.contains("gauge")).await;
    client.close().await.expect("closed");
}

#[tokio::test]
async fn a_second_start_shows_the_running_window_at_that_handoff() {
    let desk = Desk::new();
    let client = open(&desk).await;
    let path = gauge_arrives(&desk);
    becomes(&client, "[data-pane='list']", |text| text.contains("gauge")).await;
    let second = run(&desk, "fuda", "FUDA_BIN", &["open", &path.display().to_string()]);
    assert_eq!(second.status.code(), Some(0), "{}", String::from_utf8_lossy(&second.stderr));
    becomes(&client, "h1", |text| text.contains("gauge")).await;
    // Without a handoff it is brought up as it is.
    assert_eq!(run(&desk, "fuda-app", "FUDA_APP", &[]).status.code(), Some(0));
    assert_eq!(run(&desk, "fuda-app", "FUDA_APP", &["--background"]).status.code(), Some(0));
    let unknown = run(&desk, "fuda-app", "FUDA_APP", &["nobody-knows"]);
    assert_eq!(unknown.status.code(), Some(3));
    assert!(String::from_utf8_lossy(&unknown.stderr).contains("nobody-knows"), "{unknown:?}");
    becomes(&client, "h1", |text| text.contains("gauge")).await;
    client.close().await.expect("closed");
}

#[tokio::test]
async fn closing_the_window_leaves_it_in_the_tray_with_the_number_that_waits() {
    let desktop = Desktop::new(true);
    let desk = Desk::on_bus(&desktop.address);
    let client = open(&desk).await;
    let screen = Screen::new();
    let app = process_of(&home(&desk)).expect("the app");
    let icon = desktop.icon();
    until("the number", || icon.title().as_deref() == Some("Fuda: 1 waits for review"));
    assert_eq!(icon.picture(), (48, 48, 48 * 48 * 4));
    gauge_arrives(&desk);
    until("the new number", || icon.title().as_deref() == Some("Fuda: 2 wait for review"));
    let menu = icon.menu();
    assert_eq!(
        menu.iter().map(|(_, label)| label.as_str()).collect::<Vec<_>>(),
        ["2 wait for review", "Open Fuda", "Quit"]
    );

    screen.close(app);
    until("the closed window", || !screen.shows(app));
    // It works on: what arrives is told and counted.
    fs::write(desk.repo().join("docs/HANDOFF-2.md"), GAUGE.replace("gauge", "table")).expect("written");
    let notice = desktop.notice("table");
    until("the third", || icon.title().as_deref() == Some("Fuda: 3 wait for review"));
    desktop.click(&notice);
    until("the window", || screen.shows(app));
    becomes(&client, "h1", |text| text.contains("table")).await;

    screen.close(app);
    until("the closed window", || !screen.shows(app));
    icon.activate();
    until("the window", || screen.shows(app));

    // Turned off, the icon goes at once, and closing ends the program.
    click(&client, "[data-view='settings']").await;
    click(&client, "#set-tray").await;
    until("no icon", || icon.title().is_none());
    screen.close(app);
    until("the end", || process_of(&home(&desk)).is_none());
}

#[tokio::test]
async fn without_a_tray_closing_the_window_ends_the_program_and_the_settings_say_so() {
    let desktop = Desktop::new(false);
    let desk = Desk::on_bus(&desktop.address);
    let client = open(&desk).await;
    let app = process_of(&home(&desk)).expect("the app");
    click(&client, "[data-view='settings']").await;
    becomes(&client, "[data-tray='no_host']", |text| text.contains("no tray")).await;
    Screen::new().close(app);
    until("the end", || process_of(&home(&desk)).is_none());
}

#[tokio::test]
async fn closing_the_window_over_an_unsaved_edit_asks_and_ends_only_when_a_person_says_so() {
    let desktop = Desktop::new(false);
    let desk = Desk::on_bus(&desktop.address);
    let client = open(&desk).await;
    let app = process_of(&home(&desk)).expect("the app");
    click(&client, "[data-action='boundary']").await;
    click(&client, "[data-add='safety.never']").await;
    let wanted = Locator::Css("[data-field='safety.never'] textarea:focus");
    let rule = client.wait().for_element(wanted).await.expect("a field");
    rule.send_keys("Print a secret").await.expect("typed");
    becomes(&client, ".doc-h", |text| text.contains("1 unsaved")).await;
    Screen::new().close(app);
    becomes(&client, "[role='dialog']", |text| text.contains("Discard and end Fuda")).await;
    click(&client, "[role='dialog'] [data-autofocus]").await;
    becomes(&client, ".doc-h", |text| text.contains("1 unsaved")).await;
    Screen::new().close(app);
    becomes(&client, "[role='dialog']", |text| text.contains("Discard and end Fuda")).await;
    let discard = client.find(Locator::Css("[data-action='really-discard']")).await.expect("a button");
    // The program may end before it answers.
    let _ = discard.click().await;
    until("the end", || process_of(&home(&desk)).is_none());
}

#[tokio::test]
async fn in_the_background_arrivals_are_told_and_the_window_opens_when_it_is_asked_for() {
    let desktop = Desktop::new(true);
    let desk = Desk::on_bus(&desktop.address);
    desk.add_profile();
    desk.handoff();
    let mut app = in_background(&desk, &desktop.address);
    let screen = Screen::new();
    let icon = desktop.icon();
    until("the number", || icon.title().as_deref() == Some("Fuda: 1 waits for review"));
    gauge_arrives(&desk);
    let notice = desktop.notice("gauge");
    assert!(!screen.shows(app.0.id()), "nobody asked for a window");
    desktop.click(&notice);
    until("the window", || screen.shows(app.0.id()));
    // The end from the menu.
    let (quit, _) = icon.menu().into_iter().find(|(_, label)| label == "Quit").expect("an entry");
    icon.choose(quit);
    until("the end", || icon.title().is_none());
    assert!(app.0.wait().expect("ended").success());
}

#[tokio::test]
async fn the_session_starts_it_only_when_a_person_asks_for_that() {
    let desk = Desk::new();
    let client = open(&desk).await;
    let entry = desk.folder.path().join("c/autostart/dev.fuda.app.desktop");
    assert!(!entry.exists());
    click(&client, "[data-view='settings']").await;
    click(&client, "#set-autostart").await;
    until("the entry", || fs::read_to_string(&entry).is_ok_and(|text| text.contains("--background")));
    click(&client, "#set-autostart").await;
    until("no entry", || !entry.exists());
    client.close().await.expect("closed");
}
