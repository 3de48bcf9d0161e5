//! Ctrl-C while an agent runs: it is asked to end and what happened is recorded, instead of both dying together.

use api::ApiError;
use serde_json::Value;
use std::sync::Arc;
use std::sync::atomic::{AtomicI32, Ordering};
use tokio::signal::unix::{SignalKind, signal};

/// The signal of Ctrl-C.
pub fn by_a_person() -> i32 {
    SignalKind::interrupt().as_raw_value()
}

/// Becomes the number of the signal by which this process is asked to end: by the terminal, by `kill`, or because the
/// terminal is gone. Zero until then.
pub fn asked() -> Result<Arc<AtomicI32>, ApiError> {
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
    let asked = Arc::new(AtomicI32::new(0));
    let told = asked.clone();
    std::thread::spawn(move || {
        runtime.block_on(async move {
            loop {
                let kind = tokio::select! {
                    _ = interrupt.recv() => SignalKind::interrupt(),
                    _ = terminate.recv() => SignalKind::terminate(),
                    _ = hangup.recv() => SignalKind::hangup(),
                };
                told.store(kind.as_raw_value(), Ordering::SeqCst);
            }
        });
    });
    Ok(asked)
}
