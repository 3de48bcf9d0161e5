//! Ctrl-C while an agent runs: it is asked to end and what happened is recorded, instead of both dying together.

use api::ApiError;
use serde_json::Value;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use tokio::signal::unix::{SignalKind, signal};

/// Becomes true when this process is asked to end: by the terminal, by `kill`, or because the terminal is gone.
pub fn asked() -> Result<Arc<AtomicBool>, ApiError> {
    let failed = |error: std::io::Error| ApiError {
        code: "io".to_owned(),
        message: format!("signals cannot be waited for: {error}"),
        hints: Vec::new(),
        details: Value::Null,
        cause: None,
    };
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().map_err(failed)?;
    let inside = runtime.enter();
    let mut interrupt = signal(SignalKind::interrupt()).map_err(failed)?;
    let mut terminate = signal(SignalKind::terminate()).map_err(failed)?;
    let mut hangup = signal(SignalKind::hangup()).map_err(failed)?;
    drop(inside);
    let asked = Arc::new(AtomicBool::new(false));
    let told = asked.clone();
    std::thread::spawn(move || {
        runtime.block_on(async move {
            loop {
                tokio::select! {
                    _ = interrupt.recv() => {}
                    _ = terminate.recv() => {}
                    _ = hangup.recv() => {}
                }
                told.store(true, Ordering::SeqCst);
            }
        });
    });
    Ok(asked)
}
