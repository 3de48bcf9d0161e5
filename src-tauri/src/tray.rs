//! The icon in the desktop's tray with the number that waits (StatusNotifierItem, freedesktop.org; as KDE, Xfce, MATE,
//! Cinnamon, sway's bars and GNOME's extension show it). Spoken on the session bus directly, so that it needs no library of its own, and so that
//! we know whether anybody shows it: where nobody does, closing the window has to end the program.

mod icon;
mod menu;

use api::TrayWords;
use gio::glib::{ToVariant, Variant};
use gio::{
    BusNameOwnerFlags, BusNameWatcherFlags, Cancellable, DBusCallFlags, DBusConnection, DBusMethodInvocation,
    DBusNodeInfo, DBusSignalFlags, OwnerId,
};
use menu::Menu;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

pub use icon::Icon;

const WATCHER: &str = "org.kde.StatusNotifierWatcher";
const WATCHER_PATH: &str = "/StatusNotifierWatcher";
const ITEM: &str = "org.kde.StatusNotifierItem";
const ITEM_PATH: &str = "/StatusNotifierItem";
const MENU_PATH: &str = "/StatusNotifierItem/Menu";
const PATIENCE_MS: i32 = 2_000;

const ITEM_XML: &str = r#"<node><interface name="org.kde.StatusNotifierItem">
<property name="Category" type="s" access="read"/><property name="Id" type="s" access="read"/>
<property name="Title" type="s" access="read"/><property name="Status" type="s" access="read"/>
<property name="WindowId" type="i" access="read"/><property name="IconName" type="s" access="read"/>
<property name="IconPixmap" type="a(iiay)" access="read"/><property name="ToolTip" type="(sa(iiay)ss)" access="read"/>
<property name="ItemIsMenu" type="b" access="read"/><property name="Menu" type="o" access="read"/>
<property name="XAyatanaLabel" type="s" access="read"/><property name="XAyatanaLabelGuide" type="s" access="read"/>
<method name="Activate"><arg type="i" direction="in"/><arg type="i" direction="in"/></method>
<method name="SecondaryActivate"><arg type="i" direction="in"/><arg type="i" direction="in"/></method>
<method name="ContextMenu"><arg type="i" direction="in"/><arg type="i" direction="in"/></method>
<method name="Scroll"><arg type="i" direction="in"/><arg type="s" direction="in"/></method>
<signal name="NewTitle"/><signal name="NewIcon"/><signal name="NewToolTip"/><signal name="NewStatus"><arg type="s"/></signal>
<signal name="XAyatanaNewLabel"><arg type="s"/><arg type="s"/></signal>
</interface></node>"#;

/// What a person chose at the icon or in its menu.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Chosen {
    /// The window as it was.
    Open,
    /// The window at the inbox.
    Waiting,
    /// The end of the program.
    Quit,
}

/// The icon. It is shown from the first [`Tray::show`] until [`Tray::hide`].
pub struct Tray {
    bus: DBusConnection,
    name: String,
    words: Arc<Mutex<TrayWords>>,
    menu: Arc<Menu>,
    owned: Mutex<Option<OwnerId>>,
    wanted: Arc<AtomicBool>,
    hosted: Arc<AtomicBool>,
}

impl Tray {
    /// Prepares the icon and follows whether the desktop has a tray; it may come later than this program. `chosen` is
    /// called on the main loop.
    ///
    /// # Errors
    /// When the bus takes no objects.
    pub fn new(
        bus: DBusConnection,
        icon: Icon,
        chosen: impl Fn(Chosen) + Send + Sync + 'static,
    ) -> Result<Self, gio::glib::Error> {
        let words: Arc<Mutex<TrayWords>> = Arc::default();
        let chosen: Arc<dyn Fn(Chosen) + Send + Sync> = Arc::new(chosen);
        let menu = Menu::register(&bus, MENU_PATH, Arc::clone(&words), Arc::clone(&chosen))?;
        let (shown, wanted, hosted) = (Arc::clone(&words), Arc::new(AtomicBool::new(false)), Arc::default());
        let node = DBusNodeInfo::for_xml(ITEM_XML)?;
        if let Some(interface) = node.lookup_interface(ITEM) {
            bus.register_object(
                ITEM_PATH,
                &interface,
                move |_, _, _, _, method, _, call: DBusMethodInvocation| {
                    match method {
                        "Activate" => chosen(Chosen::Open),
                        "SecondaryActivate" => chosen(Chosen::Waiting),
                        _ => {}
                    }
                    call.return_value(None);
                },
                move |_, _, _, _, name| property(name, &locked(&shown), &icon),
                |_, _, _, _, _, _| false,
            )?;
        }
        let name = format!("{ITEM}-{}-1", std::process::id());
        follow(&bus, &name, &wanted, &hosted);
        Ok(Self { bus, name, words, menu, owned: Mutex::default(), wanted, hosted })
    }

    /// Shows the icon with these words, or changes them.
    pub fn show(&self, words: TrayWords) {
        let changed = {
            let mut shown = locked(&self.words);
            let changed = *shown != words;
            *shown = words;
            changed
        };
        self.wanted.store(true, Ordering::SeqCst);
        let mut owned = locked(&self.owned);
        if owned.is_none() {
            let name = self.name.clone();
            let acquired = move |bus: DBusConnection, _: &str| announce(&bus, &name);
            // The name is of this process alone; who lost it lost the bus.
            let flags = BusNameOwnerFlags::DO_NOT_QUEUE;
            *owned = Some(gio::bus_own_name_on_connection(&self.bus, &self.name, flags, acquired, |_, _| {}));
        } else if changed {
            let label = locked(&self.words).label();
            let told = (label, "99");
            for (signal, what) in [
                ("NewTitle", None),
                ("NewToolTip", None),
                ("NewIcon", None),
                ("XAyatanaNewLabel", Some(told.to_variant())),
            ] {
                // A bus that is gone shows nothing anyway.
                let _ = self.bus.emit_signal(None, ITEM_PATH, ITEM, signal, what.as_ref());
            }
            self.menu.changed(&self.bus, MENU_PATH);
        }
    }

    /// Takes the icon away.
    pub fn hide(&self) {
        self.wanted.store(false, Ordering::SeqCst);
        if let Some(owned) = locked(&self.owned).take() {
            gio::bus_unown_name(owned);
        }
    }

    /// Whether the desktop has a tray.
    pub fn has_host(&self) -> bool {
        self.hosted.load(Ordering::SeqCst)
    }

    /// Whether the icon is shown now.
    pub fn is_shown(&self) -> bool {
        self.has_host() && self.wanted.load(Ordering::SeqCst)
    }
}

/// Whether the desktop on this bus has a tray, asked once.
pub fn has_host(bus: &DBusConnection) -> bool {
    let what = (WATCHER, "IsStatusNotifierHostRegistered").to_variant();
    let answer = bus.call_sync(
        Some(WATCHER),
        WATCHER_PATH,
        "org.freedesktop.DBus.Properties",
        "Get",
        Some(&what),
        None,
        DBusCallFlags::NO_AUTO_START,
        PATIENCE_MS,
        Cancellable::NONE,
    );
    answer.is_ok_and(|answer| answer.child_value(0).as_variant().and_then(|value| value.get::<bool>()).unwrap_or(false))
}

/// Announces the icon to every tray that comes.
fn follow(bus: &DBusConnection, name: &str, wanted: &Arc<AtomicBool>, hosted: &Arc<AtomicBool>) {
    let look = {
        let hosted = Arc::clone(hosted);
        move |bus: &DBusConnection| hosted.store(has_host(bus), Ordering::SeqCst)
    };
    let (appeared, name, wanted) = (look.clone(), name.to_owned(), Arc::clone(wanted));
    let gone = Arc::clone(hosted);
    gio::bus_watch_name_on_connection(
        bus,
        WATCHER,
        BusNameWatcherFlags::NONE,
        move |bus, _, _| {
            appeared(&bus);
            if wanted.load(Ordering::SeqCst) {
                announce(&bus, &name);
            }
        },
        move |_, _| gone.store(false, Ordering::SeqCst),
    );
    for signal in ["StatusNotifierHostRegistered", "StatusNotifierHostUnregistered"] {
        let look = look.clone();
        let told = move |bus: &DBusConnection, _: &str, _: &str, _: &str, _: &str, _: &Variant| look(bus);
        bus.signal_subscribe(
            Some(WATCHER),
            Some(WATCHER),
            Some(signal),
            Some(WATCHER_PATH),
            None,
            DBusSignalFlags::NONE,
            told,
        );
    }
}

fn announce(bus: &DBusConnection, name: &str) {
    bus.call(
        Some(WATCHER),
        WATCHER_PATH,
        WATCHER,
        "RegisterStatusNotifierItem",
        Some(&(name,).to_variant()),
        None,
        DBusCallFlags::NO_AUTO_START,
        PATIENCE_MS,
        Cancellable::NONE,
        // Without a tray nobody answers; the next one that comes is told.
        |_| {},
    );
}

fn property(name: &str, words: &TrayWords, icon: &Icon) -> Variant {
    let pixmap = || vec![(icon.size(), icon.size(), icon.pixels(words.waiting > 0))];
    match name {
        "Category" => "ApplicationStatus".to_variant(),
        "Id" => "fuda".to_variant(),
        "Title" => words.title.to_variant(),
        "Status" => "Active".to_variant(),
        "WindowId" => 0i32.to_variant(),
        "IconPixmap" => pixmap().to_variant(),
        "ToolTip" => ("", Vec::<(i32, i32, Vec<u8>)>::new(), "Fuda", words.count.as_str()).to_variant(),
        "ItemIsMenu" => false.to_variant(),
        "Menu" => gio::glib::variant::ObjectPath::try_from(MENU_PATH.to_owned())
            .map_or_else(|_| "".to_variant(), |path| path.to_variant()),
        "XAyatanaLabel" => words.label().to_variant(),
        "XAyatanaLabelGuide" => "99".to_variant(),
        _ => "".to_variant(),
    }
}

fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
