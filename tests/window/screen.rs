//! The windows of one process on the screen, as a window manager sees them.

use crate::stage::PATIENCE;
use std::path::Path;
use std::time::{Duration, Instant};
use x11rb::connection::Connection;
use x11rb::protocol::xproto::{AtomEnum, ClientMessageEvent, ConnectionExt, EventMask, MapState, Window};
use x11rb::rust_connection::RustConnection;

/// The process of the window whose `FUDA_HOME` this is.
pub fn process_of(home: &Path) -> Option<u32> {
    let wanted = format!("FUDA_HOME={}", home.display());
    let is_app = |pid: &u32| {
        let read = |name: &str| std::fs::read(format!("/proc/{pid}/{name}")).unwrap_or_default();
        let environment = read("environ");
        let arguments = read("cmdline");
        let mut arguments = arguments.split(|byte| *byte == 0);
        arguments.next().is_some_and(|program| program.ends_with(b"fuda-app"))
            && arguments.next().is_none_or(|first| first != b"worker")
            && environment.split(|byte| *byte == 0).any(|entry| entry == wanted.as_bytes())
    };
    let entries = std::fs::read_dir("/proc").expect("/proc").flatten();
    // A process that it is about to start looks like itself for a moment.
    entries.filter_map(|entry| entry.file_name().to_str()?.parse().ok()).filter(is_app).min()
}

/// Waits until something holds.
pub fn until(what: &str, holds: impl Fn() -> bool) {
    let started = Instant::now();
    while !holds() {
        assert!(started.elapsed() < PATIENCE, "{what} did not come");
        std::thread::sleep(Duration::from_millis(25));
    }
}

pub struct Screen {
    connection: RustConnection,
    root: Window,
}

impl Screen {
    pub fn new() -> Self {
        let (connection, number) = x11rb::connect(None).expect("a display");
        let root = connection.setup().roots[number].root;
        Self { connection, root }
    }

    fn atom(&self, name: &[u8]) -> u32 {
        self.connection.intern_atom(false, name).expect("asked").reply().expect("an atom").atom
    }

    /// The windows of a process that can be closed.
    fn windows(&self, process: u32) -> Vec<Window> {
        let (pid, protocols) = (self.atom(b"_NET_WM_PID"), self.atom(b"WM_PROTOCOLS"));
        let tree = self.connection.query_tree(self.root).expect("asked").reply().expect("a tree");
        let first = |window: Window, property: u32, kind: u32| {
            // A window may go while it is looked at.
            let reply = self.connection.get_property(false, window, property, kind, 0, 1).ok()?.reply().ok()?;
            reply.value32()?.next()
        };
        let of_process = |window: &Window| {
            first(*window, pid, AtomEnum::CARDINAL.into()) == Some(process)
                && first(*window, protocols, AtomEnum::ATOM.into()).is_some()
        };
        tree.children.into_iter().filter(of_process).collect()
    }

    /// Whether the process has a window that is shown.
    pub fn shows(&self, process: u32) -> bool {
        self.windows(process).into_iter().any(|window| {
            let attributes = self.connection.get_window_attributes(window).ok().and_then(|asked| asked.reply().ok());
            attributes.is_some_and(|attributes| attributes.map_state == MapState::VIEWABLE)
        })
    }

    /// Closes its windows as a person does, by the frame's button.
    pub fn close(&self, process: u32) {
        let (protocols, delete) = (self.atom(b"WM_PROTOCOLS"), self.atom(b"WM_DELETE_WINDOW"));
        for window in self.windows(process) {
            let message = ClientMessageEvent::new(32, window, protocols, [delete, 0, 0, 0, 0]);
            self.connection.send_event(false, window, EventMask::NO_EVENT, message).expect("sent");
        }
        // Its answer says that the server has read what was sent before.
        self.connection.get_input_focus().expect("sent").reply().expect("answered");
    }
}
