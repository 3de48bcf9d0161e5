//! The icon's menu (com.canonical.dbusmenu, version 3): the number that waits, the window, the end.

use super::{Chosen, locked};
use api::TrayWords;
use gio::glib::{ToVariant, Variant};
use gio::{DBusConnection, DBusMethodInvocation, DBusNodeInfo};
use std::collections::HashMap;
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, Mutex};

const MENU: &str = "com.canonical.dbusmenu";
const XML: &str = r#"<node><interface name="com.canonical.dbusmenu">
<property name="Version" type="u" access="read"/><property name="TextDirection" type="s" access="read"/>
<property name="Status" type="s" access="read"/><property name="IconThemePath" type="as" access="read"/>
<method name="GetLayout"><arg type="i" direction="in"/><arg type="i" direction="in"/><arg type="as" direction="in"/><arg type="u" direction="out"/><arg type="(ia{sv}av)" direction="out"/></method>
<method name="GetGroupProperties"><arg type="ai" direction="in"/><arg type="as" direction="in"/><arg type="a(ia{sv})" direction="out"/></method>
<method name="GetProperty"><arg type="i" direction="in"/><arg type="s" direction="in"/><arg type="v" direction="out"/></method>
<method name="Event"><arg type="i" direction="in"/><arg type="s" direction="in"/><arg type="v" direction="in"/><arg type="u" direction="in"/></method>
<method name="EventGroup"><arg type="a(isvu)" direction="in"/><arg type="ai" direction="out"/></method>
<method name="AboutToShow"><arg type="i" direction="in"/><arg type="b" direction="out"/></method>
<method name="AboutToShowGroup"><arg type="ai" direction="in"/><arg type="ai" direction="out"/><arg type="ai" direction="out"/></method>
<signal name="LayoutUpdated"><arg type="u"/><arg type="i"/></signal>
<signal name="ItemsPropertiesUpdated"><arg type="a(ia{sv})"/><arg type="a(ias)"/></signal>
</interface></node>"#;

const WAITING: i32 = 1;
const OPEN: i32 = 2;
const LINE: i32 = 3;
const QUIT: i32 = 4;
const ITEMS: [i32; 4] = [WAITING, OPEN, LINE, QUIT];

type Properties = HashMap<String, Variant>;
type Event = (i32, String, Variant, u32);

/// The menu, which is asked for its items each time.
pub struct Menu {
    revision: Arc<AtomicU32>,
}

impl Menu {
    /// Puts the menu on the bus.
    pub fn register(
        bus: &DBusConnection,
        path: &str,
        words: Arc<Mutex<TrayWords>>,
        chosen: Arc<dyn Fn(Chosen) + Send + Sync>,
    ) -> Result<Arc<Self>, gio::glib::Error> {
        let revision = Arc::new(AtomicU32::new(1));
        let known = Arc::clone(&revision);
        let node = DBusNodeInfo::for_xml(XML)?;
        if let Some(interface) = node.lookup_interface(MENU) {
            bus.register_object(
                path,
                &interface,
                move |_, _, _, _, method, asked: Variant, call: DBusMethodInvocation| {
                    let words = locked(&words).clone();
                    let answer = answer(method, &asked, &words, known.load(Ordering::SeqCst), &*chosen);
                    call.return_value(answer.as_ref());
                },
                |_, _, _, _, name| match name {
                    "Version" => 3u32.to_variant(),
                    "TextDirection" => "ltr".to_variant(),
                    "Status" => "normal".to_variant(),
                    _ => Vec::<String>::new().to_variant(),
                },
                |_, _, _, _, _, _| false,
            )?;
        }
        Ok(Arc::new(Self { revision }))
    }

    /// Says that the words are others.
    pub fn changed(&self, bus: &DBusConnection, path: &str) {
        let revision = self.revision.fetch_add(1, Ordering::SeqCst) + 1;
        // A bus that is gone shows nothing anyway.
        let _ = bus.emit_signal(None, path, MENU, "LayoutUpdated", Some(&(revision, 0i32).to_variant()));
    }
}

fn answer(
    method: &str,
    asked: &Variant,
    words: &TrayWords,
    revision: u32,
    chosen: &(dyn Fn(Chosen) + Send + Sync),
) -> Option<Variant> {
    match method {
        "GetLayout" => {
            let parent = asked.try_child_get::<i32>(0).ok().flatten().unwrap_or(0);
            Some((revision, layout(parent, words)).to_variant())
        }
        "GetGroupProperties" => {
            let wanted = asked.try_child_get::<Vec<i32>>(0).ok().flatten().unwrap_or_default();
            let wanted = if wanted.is_empty() { ITEMS.to_vec() } else { wanted };
            let all: Vec<(i32, Properties)> = wanted.into_iter().map(|id| (id, properties(id, words))).collect();
            Some((all,).to_variant())
        }
        "GetProperty" => {
            let (id, name) = asked.get::<(i32, String)>().unwrap_or_default();
            let value = properties(id, words).remove(&name).unwrap_or_else(|| "".to_variant());
            Some(Variant::tuple_from_iter([Variant::from_variant(&value)]))
        }
        "Event" => {
            if let Some((id, event, _, _)) = asked.get::<Event>() {
                choose(id, &event, chosen);
            }
            None
        }
        "EventGroup" => {
            for (id, event, _, _) in asked.try_child_get::<Vec<Event>>(0).ok().flatten().unwrap_or_default() {
                choose(id, &event, chosen);
            }
            Some((Vec::<i32>::new(),).to_variant())
        }
        "AboutToShow" => Some((false,).to_variant()),
        "AboutToShowGroup" => Some((Vec::<i32>::new(), Vec::<i32>::new()).to_variant()),
        _ => None,
    }
}

fn choose(id: i32, event: &str, chosen: &(dyn Fn(Chosen) + Send + Sync)) {
    match (event, id) {
        ("clicked", WAITING) => chosen(Chosen::Waiting),
        ("clicked", OPEN) => chosen(Chosen::Open),
        ("clicked", QUIT) => chosen(Chosen::Quit),
        _ => {}
    }
}

fn layout(parent: i32, words: &TrayWords) -> (i32, Properties, Vec<Variant>) {
    if parent != 0 {
        return (parent, properties(parent, words), Vec::new());
    }
    let items = ITEMS.map(|id| (id, properties(id, words), Vec::<Variant>::new()).to_variant());
    (0, Properties::from([("children-display".to_owned(), "submenu".to_variant())]), items.to_vec())
}

fn properties(id: i32, words: &TrayWords) -> Properties {
    let label = |text: &str| Properties::from([("label".to_owned(), text.replace('_', "__").to_variant())]);
    match id {
        WAITING => label(&words.count),
        OPEN => label(&words.open),
        LINE => Properties::from([("type".to_owned(), "separator".to_variant())]),
        QUIT => label(&words.quit),
        _ => Properties::new(),
    }
}
