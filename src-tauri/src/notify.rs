//! Notices of the system when a handoff arrives for review or a run ends or asks, over the session bus (Desktop
//! Notifications 1.2). Where nobody listens on the bus, or there is none, nothing happens: the window shows the same.

use api::Notice;
use gio::prelude::*;
use gio::{Cancellable, DBusCallFlags, DBusConnection, DBusSignalFlags};
use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

const NAME: &str = "org.freedesktop.Notifications";
const PATH: &str = "/org/freedesktop/Notifications";
/// A server that does not answer holds up nothing for longer.
const PATIENCE_MS: i32 = 2_000;

/// The bus and the notices that are shown.
pub struct Notifier {
    bus: Option<DBusConnection>,
    shown: Arc<Mutex<HashMap<u32, String>>>,
}

impl Notifier {
    /// Listens. `open` is called on the main loop with the handoff of a notice that a person clicked.
    pub fn start(bus: Option<DBusConnection>, open: impl Fn(String) + Send + Sync + 'static) -> Self {
        let shown: Arc<Mutex<HashMap<u32, String>>> = Arc::default();
        if let Some(bus) = &bus {
            let known = Arc::clone(&shown);
            let clicked = move |_: &DBusConnection, _: &str, _: &str, _: &str, _: &str, said: &gio::glib::Variant| {
                let Some((id, _)) = said.get::<(u32, String)>() else { return };
                let handle = known.lock().unwrap_or_else(PoisonError::into_inner).remove(&id);
                if let Some(handle) = handle {
                    open(handle);
                }
            };
            let _ = bus.signal_subscribe(
                Some(NAME),
                Some(NAME),
                Some("ActionInvoked"),
                Some(PATH),
                None,
                DBusSignalFlags::NONE,
                clicked,
            );
        }
        Self { bus, shown }
    }

    /// Shows a notice.
    pub fn tell(&self, notice: &Notice) {
        let Some(bus) = &self.bus else { return };
        let call = |method: &str, what: Option<&gio::glib::Variant>| {
            bus.call_sync(
                Some(NAME),
                PATH,
                NAME,
                method,
                what,
                None,
                DBusCallFlags::NONE,
                PATIENCE_MS,
                Cancellable::NONE,
            )
        };
        let abilities = call("GetCapabilities", None).ok().and_then(|answer| answer.get::<(Vec<String>,)>());
        let markup = abilities.is_some_and(|(all,)| all.iter().any(|one| one == "body-markup"));
        // A title is a document's: where the server draws markup, none of it may be one.
        let text = if markup { escaped(&notice.text) } else { notice.text.clone() };
        let actions: Vec<&str> = if notice.handle.is_some() { vec!["default", "Fuda"] } else { Vec::new() };
        let hints: HashMap<&str, gio::glib::Variant> = HashMap::from([("desktop-entry", "fuda".to_variant())]);
        let what = ("Fuda", 0u32, "", notice.title.as_str(), text.as_str(), actions, hints, -1i32).to_variant();
        // Held over the call: a click may come before its answer is here.
        let mut shown = self.shown.lock().unwrap_or_else(PoisonError::into_inner);
        let answer = call("Notify", Some(&what)).ok().and_then(|answer| answer.get::<(u32,)>());
        if let (Some((id,)), Some(handle)) = (answer, &notice.handle) {
            shown.insert(id, handle.clone());
        }
    }
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_title_is_never_markup_of_the_notice() {
        assert_eq!(escaped("<b>a</b> & <img src=x>"), "&lt;b&gt;a&lt;/b&gt; &amp; &lt;img src=x&gt;");
    }
}
