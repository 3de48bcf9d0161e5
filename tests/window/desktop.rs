//! A desktop of its own for a test: a private session bus with somebody on it who shows notices and, if wanted, a tray.

use gio::glib::{MainContext, MainLoop, ToVariant, Variant};
use gio::{Cancellable, DBusCallFlags, DBusConnection, DBusConnectionFlags, DBusMethodInvocation, DBusNodeInfo};
use std::collections::HashMap;
use std::io::{BufRead, BufReader};
use std::process::{Child, Command, Stdio};
use std::sync::Mutex;
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::time::Duration;

const PATIENCE_MS: i32 = 10_000;
const NOTICES: &str = "org.freedesktop.Notifications";
const NOTICES_PATH: &str = "/org/freedesktop/Notifications";
const WATCHER: &str = "org.kde.StatusNotifierWatcher";
const WATCHER_PATH: &str = "/StatusNotifierWatcher";
const ITEM: &str = "org.kde.StatusNotifierItem";
const ITEM_PATH: &str = "/StatusNotifierItem";
const XML: &str = r#"<node><interface name="org.freedesktop.Notifications">
<method name="GetCapabilities"><arg type="as" direction="out"/></method>
<method name="Notify"><arg type="s" direction="in"/><arg type="u" direction="in"/><arg type="s" direction="in"/><arg type="s" direction="in"/><arg type="s" direction="in"/><arg type="as" direction="in"/><arg type="a{sv}" direction="in"/><arg type="i" direction="in"/><arg type="u" direction="out"/></method>
<signal name="ActionInvoked"><arg type="u"/><arg type="s"/></signal>
</interface><interface name="org.kde.StatusNotifierWatcher">
<method name="RegisterStatusNotifierItem"><arg type="s" direction="in"/></method>
<property name="IsStatusNotifierHostRegistered" type="b" access="read"/>
</interface></node>"#;

/// What a person is told.
#[derive(Debug)]
pub struct Notice {
    pub id: u32,
    pub title: String,
    pub text: String,
    pub actions: Vec<String>,
}

pub struct Desktop {
    pub address: String,
    daemon: Child,
    bus: DBusConnection,
    pub notices: Receiver<Notice>,
    items: Receiver<String>,
}

impl Drop for Desktop {
    fn drop(&mut self) {
        // It may have ended by itself.
        let _ = self.daemon.kill();
        let _ = self.daemon.wait();
    }
}

impl Desktop {
    pub fn new(tray: bool) -> Self {
        let mut daemon = Command::new("dbus-daemon")
            .args(["--session", "--nofork", "--print-address=1"])
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .expect("dbus-daemon");
        let mut address = String::new();
        BufReader::new(daemon.stdout.take().expect("its output")).read_line(&mut address).expect("its address");
        let address = address.trim().to_owned();
        let flags = DBusConnectionFlags::AUTHENTICATION_CLIENT | DBusConnectionFlags::MESSAGE_BUS_CONNECTION;
        let bus = DBusConnection::for_address_sync(&address, flags, None, Cancellable::NONE).expect("a connection");
        bus.set_exit_on_close(false);
        let (told, notices) = channel();
        let (registered, items) = channel();
        let (ready, is_ready) = channel();
        let served = bus.clone();
        std::thread::spawn(move || {
            let context = MainContext::new();
            let serve = || {
                offer(&served, NOTICES, NOTICES_PATH, told);
                if tray {
                    offer_tray(&served, registered);
                }
                ready.send(()).expect("somebody waits");
                MainLoop::new(Some(&context), false).run();
            };
            context.with_thread_default(serve).expect("a context of this thread");
        });
        is_ready.recv_timeout(Duration::from_secs(10)).expect("a desktop");
        Self { address, daemon, bus, notices, items }
    }

    /// The next notice that says this.
    pub fn notice(&self, words: &str) -> Notice {
        loop {
            let notice = self.notices.recv_timeout(Duration::from_secs(20)).expect("a notice");
            if notice.text.contains(words) {
                return notice;
            }
        }
    }

    /// A person clicks on a notice.
    pub fn click(&self, notice: &Notice) {
        let what = (notice.id, "default").to_variant();
        self.bus.emit_signal(None, NOTICES_PATH, NOTICES, "ActionInvoked", Some(&what)).expect("told");
    }

    /// The next icon that announces itself.
    pub fn icon(&self) -> Icon<'_> {
        Icon { name: self.items.recv_timeout(Duration::from_secs(20)).expect("an icon"), bus: &self.bus }
    }
}

/// An icon in the tray, as the tray sees it.
pub struct Icon<'a> {
    name: String,
    bus: &'a DBusConnection,
}

impl Icon<'_> {
    fn call(&self, path: &str, interface: &str, method: &str, what: Option<&Variant>) -> Option<Variant> {
        let flags = DBusCallFlags::NONE;
        let cancel = Cancellable::NONE;
        self.bus.call_sync(Some(&self.name), path, interface, method, what, None, flags, PATIENCE_MS, cancel).ok()
    }

    fn property(&self, name: &str) -> Option<Variant> {
        let what = (ITEM, name).to_variant();
        self.call(ITEM_PATH, "org.freedesktop.DBus.Properties", "Get", Some(&what))?.child_value(0).as_variant()
    }

    /// Its title; none when it is gone.
    pub fn title(&self) -> Option<String> {
        self.property("Title")?.get()
    }

    /// Width, height and bytes of its picture.
    pub fn picture(&self) -> (i32, i32, usize) {
        let all = self.property("IconPixmap").and_then(|value| value.get::<Vec<(i32, i32, Vec<u8>)>>());
        let (width, height, bytes) = all.expect("pictures").remove(0);
        (width, height, bytes.len())
    }

    pub fn activate(&self) {
        self.call(ITEM_PATH, ITEM, "Activate", Some(&(0i32, 0i32).to_variant())).expect("activated");
    }

    /// The entries of its menu: number and label.
    pub fn menu(&self) -> Vec<(i32, String)> {
        type Entry = (i32, HashMap<String, Variant>, Vec<Variant>);
        let path = self.property("Menu").and_then(|path| path.str().map(str::to_owned)).expect("a menu");
        let what = (0i32, -1i32, Vec::<String>::new()).to_variant();
        let layout = self.call(&path, "com.canonical.dbusmenu", "GetLayout", Some(&what)).expect("a layout");
        let (_, (_, _, entries)) = layout.get::<(u32, Entry)>().expect("a layout");
        let entry = |entry: &Variant| {
            let (id, properties, _) = entry.get::<Entry>().expect("an entry");
            Some((id, properties.get("label")?.get::<String>()?))
        };
        entries.iter().filter_map(entry).collect()
    }

    /// A person chooses an entry.
    pub fn choose(&self, entry: i32) {
        let path = self.property("Menu").and_then(|path| path.str().map(str::to_owned)).expect("a menu");
        let what = Variant::tuple_from_iter([
            entry.to_variant(),
            "clicked".to_variant(),
            Variant::from_variant(&0i32.to_variant()),
            0u32.to_variant(),
        ]);
        // A program that ends does not answer.
        let _ = self.call(&path, "com.canonical.dbusmenu", "Event", Some(&what));
    }
}

fn take_name(bus: &DBusConnection, name: &str) {
    let what = (name, 4u32).to_variant();
    let (at, path) = ("org.freedesktop.DBus", "/org/freedesktop/DBus");
    let flags = DBusCallFlags::NONE;
    let taken =
        bus.call_sync(Some(at), path, at, "RequestName", Some(&what), None, flags, PATIENCE_MS, Cancellable::NONE);
    assert_eq!(taken.expect("an answer").get::<(u32,)>(), Some((1,)), "{name}");
}

fn offer(bus: &DBusConnection, name: &str, path: &str, told: Sender<Notice>) {
    let interface = DBusNodeInfo::for_xml(XML).expect("XML").lookup_interface(name).expect("an interface");
    let (told, last) = (Mutex::new(told), AtomicU32::new(0));
    let serve =
        move |_: DBusConnection, _: &str, _: &str, _: &str, method: &str, what: Variant, call: DBusMethodInvocation| {
            if method == "GetCapabilities" {
                return call.return_value(Some(&(vec!["body", "actions"],).to_variant()));
            }
            let id = last.fetch_add(1, Ordering::SeqCst) + 1;
            let word = |at: usize| what.child_value(at).get::<String>().unwrap_or_default();
            let actions = what.child_value(5).get::<Vec<String>>().unwrap_or_default();
            let notice = Notice { id, title: word(3), text: word(4), actions };
            // A test that is over listens no more.
            let _ = told.lock().expect("one thread").send(notice);
            call.return_value(Some(&(id,).to_variant()));
        };
    bus.register_object(path, &interface, serve, |_, _, _, _, _| 0i32.to_variant(), |_, _, _, _, _, _| false)
        .expect("registered");
    take_name(bus, name);
}

fn offer_tray(bus: &DBusConnection, registered: Sender<String>) {
    let interface = DBusNodeInfo::for_xml(XML).expect("XML").lookup_interface(WATCHER).expect("an interface");
    let registered = Mutex::new(registered);
    let serve =
        move |_: DBusConnection, _: &str, _: &str, _: &str, _: &str, what: Variant, call: DBusMethodInvocation| {
            let (name,) = what.get::<(String,)>().expect("a name");
            let _ = registered.lock().expect("one thread").send(name);
            call.return_value(None);
        };
    bus.register_object(WATCHER_PATH, &interface, serve, |_, _, _, _, _| true.to_variant(), |_, _, _, _, _, _| false)
        .expect("registered");
    take_name(bus, WATCHER);
}
