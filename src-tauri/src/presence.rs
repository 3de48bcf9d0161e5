//! What the desktop has of this program beside its window: notices of arrivals and runs, and the icon in the tray.

use crate::host::{Host, Wanted};
use crate::notify::Notifier;
use crate::tray::{self, Chosen, Icon, Tray};
use api::{Arrivals, Desk, RunNews};
use gio::{BusType, Cancellable, DBusConnection};
use std::sync::{Arc, Mutex, PoisonError};
use tauri::AppHandle;

/// Notices and the icon, as far as there is a session bus.
pub struct Presence {
    notifier: Notifier,
    tray: Option<Tray>,
    arrivals: Mutex<Option<Arrivals>>,
}

/// Whether anybody shows the icon.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize)]
#[serde(rename_all = "snake_case")]
pub enum TrayPlace {
    /// The desktop has a tray.
    There,
    /// It has none.
    NoHost,
    /// There is no session bus to ask.
    NoBus,
}

impl Presence {
    /// Connects. What a person clicks is shown in the window.
    pub fn start(host: &Arc<Host>, app: &AppHandle) -> Self {
        let bus = session_bus();
        let show = {
            let (host, app) = (Arc::clone(host), app.clone());
            move |wanted| host.show(&app, wanted)
        };
        let (chosen, quit, asked) = (show.clone(), app.clone(), Arc::clone(host));
        let notifier = Notifier::start(bus.clone(), move |handle| show(Wanted::Handoff(handle)));
        let picture = app.default_window_icon();
        let icon = picture
            .map_or_else(|| Icon::new(&[], 0, 0), |found| Icon::new(found.rgba(), found.width(), found.height()));
        let tray = bus.and_then(|bus| {
            let chosen = move |what| match what {
                Chosen::Open => chosen(Wanted::Window),
                Chosen::Waiting => chosen(Wanted::Inbox),
                Chosen::Quit if asked.asks_before_it_ends() => chosen(Wanted::Window),
                Chosen::Quit => quit.exit(0),
            };
            // A bus that takes no object shows no icon; the window is whole without.
            Tray::new(bus, icon, chosen).ok()
        });
        Self { notifier, tray, arrivals: Mutex::default() }
    }

    /// Tells of what arrived, and how many wait now.
    pub fn update(&self, desk: &Desk) {
        self.look_for_arrivals(desk);
        self.count(desk);
    }

    /// Tells of runs that ended or ask since the last look.
    pub fn tell_of_runs(&self, desk: &Desk, news: &mut RunNews) {
        // What cannot be read now is told with the next look.
        let notices = desk.run_news(news, &locale()).unwrap_or_default();
        notices.iter().for_each(|notice| self.notifier.tell(notice));
        if !notices.is_empty() {
            self.count(desk);
        }
    }

    /// Brings the icon up to date.
    pub fn count(&self, desk: &Desk) {
        let Some(tray) = &self.tray else { return };
        match desk.tray(&locale()) {
            Ok(Some(words)) => tray.show(words),
            Ok(None) => tray.hide(),
            // What cannot be read now is counted with the next change.
            Err(_) => {}
        }
    }

    /// Whether the program is still at hand when its window is closed.
    pub fn stays(&self) -> bool {
        self.tray.as_ref().is_some_and(Tray::is_shown)
    }

    /// Whether anybody would show the icon.
    pub fn tray_place(&self) -> TrayPlace {
        match &self.tray {
            None => TrayPlace::NoBus,
            Some(tray) if tray.has_host() => TrayPlace::There,
            Some(_) => TrayPlace::NoHost,
        }
    }

    /// What waited when this program started, or was found by the very first scan, is no arrival. So every scan asks
    /// for this first, and the first of the program finds it out.
    pub fn before_a_scan(&self, desk: &Desk) {
        let mut arrivals = self.arrivals.lock().unwrap_or_else(PoisonError::into_inner);
        if arrivals.is_none() && begin(&mut arrivals, desk) {
            drop(arrivals);
            self.count(desk);
        }
    }

    fn look_for_arrivals(&self, desk: &Desk) {
        let mut arrivals = self.arrivals.lock().unwrap_or_else(PoisonError::into_inner);
        match arrivals.as_mut() {
            // What cannot be read now is told with the next change.
            Some(known) => {
                let notices = desk.arrived(known, &locale()).unwrap_or_default();
                notices.iter().for_each(|notice| self.notifier.tell(notice));
            }
            None => {
                begin(&mut arrivals, desk);
            }
        }
    }
}

/// Takes what waits now as known. Not before a scan has ever been done.
fn begin(arrivals: &mut Option<Arrivals>, desk: &Desk) -> bool {
    if !desk.is_scanned().unwrap_or(false) {
        return false;
    }
    let mut first = Arrivals::default();
    let began = desk.arrived(&mut first, &locale()).is_ok();
    *arrivals = began.then_some(first);
    began
}

/// What `fuda doctor` asks of this program: the page's engine, and who shows icon and notices.
pub fn check() -> String {
    let webkit = tauri::webview_version().unwrap_or_default();
    let bus = session_bus();
    let place = match &bus {
        None => TrayPlace::NoBus,
        Some(bus) if tray::has_host(bus) => TrayPlace::There,
        Some(_) => TrayPlace::NoHost,
    };
    serde_json::json!({ "version": env!("CARGO_PKG_VERSION"), "webkit": webkit, "tray": place }).to_string()
}

fn session_bus() -> Option<DBusConnection> {
    let bus = gio::bus_get_sync(BusType::Session, Cancellable::NONE).ok()?;
    // The bus may end before this program does.
    bus.set_exit_on_close(false);
    Some(bus)
}

fn locale() -> String {
    let set = |name| std::env::var(name).ok().filter(|value| !value.is_empty());
    ["LC_ALL", "LC_MESSAGES", "LANG"].into_iter().find_map(set).unwrap_or_default()
}
