//! The one window: its size, and that it never leaves its own page.

use crate::host::Host;
use std::sync::Arc;
use tauri::webview::NewWindowResponse;
use tauri::window::Color;
use tauri::{AppHandle, LogicalSize, Theme, WebviewUrl, WebviewWindowBuilder, WindowEvent};

/// The size that shows both columns at ease, in logical pixels.
const WIDTH: f64 = 1440.0;
const HEIGHT: f64 = 900.0;

/// Behind the page until it is painted: the darkest surface of the dark theme (`ui/src/styles/tokens.css`).
const DARK: Color = Color(0x16, 0x16, 0x17, 0xff);

/// Whether a window could be shown at all.
pub fn has_display() -> bool {
    let set = |name| std::env::var_os(name).is_some_and(|value| !value.is_empty());
    !cfg!(target_os = "linux") || set("DISPLAY") || set("WAYLAND_DISPLAY")
}

/// WebKitGTK draws a blank window with some graphics drivers unless this is set; a person's own choice stays.
pub fn prefer_plain_rendering() {
    if std::env::var_os("WEBKIT_DISABLE_DMABUF_RENDERER").is_none() {
        // The environment is set before any thread is started.
        #[allow(unsafe_code)]
        // SAFETY: no other thread runs yet.
        unsafe {
            std::env::set_var("WEBKIT_DISABLE_DMABUF_RENDERER", "1");
        }
    }
}

/// Opens the window. Closing it leaves the program in the background where the tray shows it; elsewhere it ends the
/// program, and an edit that is not saved is asked about first.
pub fn open(app: &AppHandle, host: &Arc<Host>) -> tauri::Result<()> {
    let window = WebviewWindowBuilder::new(app, "main", WebviewUrl::default())
        .title("Fuda")
        .inner_size(WIDTH, HEIGHT)
        .min_inner_size(1024.0, 700.0)
        .initialization_script(host.first_look())
        .on_navigation(|url| {
            let development = cfg!(debug_assertions) && url.host_str() == Some("localhost") && url.port() == Some(5173);
            matches!(url.scheme(), "tauri")
                || url.host_str() == Some("tauri.localhost")
                || development
                || url.as_str() == "about:blank"
        })
        .on_new_window(|_, _| NewWindowResponse::Deny)
        .build()?;
    // Without it the window flashes white before a dark page.
    if host.is_dark(window.theme().unwrap_or(Theme::Light)) {
        window.set_background_color(Some(DARK))?;
    }
    let (host, hidden) = (Arc::clone(host), window.clone());
    window.on_window_event(move |event| {
        let WindowEvent::CloseRequested { api, .. } = event else { return };
        if host.stays() {
            api.prevent_close();
            // A window that cannot be hidden stays.
            let _ = hidden.hide();
        } else if host.asks_before_it_ends() {
            api.prevent_close();
        }
    });
    // A screen smaller than the window that we would like gets a window that fits.
    if let Some(monitor) = window.primary_monitor()? {
        let screen = monitor.size().to_logical::<f64>(monitor.scale_factor());
        if screen.width < WIDTH || screen.height < HEIGHT {
            window.set_size(LogicalSize::new(screen.width.min(WIDTH), screen.height.min(HEIGHT)))?;
        }
    }
    Ok(())
}
