//! What a part counted, what did not hold, what could not be tried here.

use std::fmt;
use std::time::{Duration, Instant};

/// What a part says at its end.
#[derive(Clone, Debug)]
pub struct Report {
    /// Its name, as the command line takes it.
    pub part: &'static str,
    /// What is promised, in a sentence.
    pub promise: &'static str,
    /// What was counted.
    pub figures: Vec<(String, String)>,
    /// What did not hold, one sentence each.
    pub broken: Vec<String>,
    /// What could not be tried on this machine, and why. It counts as not tried, never as held.
    pub skipped: Vec<String>,
    /// Wall-clock time.
    pub took: Duration,
    begun: Instant,
}

impl Report {
    /// A report that begins now.
    pub fn new(part: &'static str, promise: &'static str) -> Self {
        Self {
            part,
            promise,
            figures: Vec::new(),
            broken: Vec::new(),
            skipped: Vec::new(),
            took: Duration::ZERO,
            begun: Instant::now(),
        }
    }

    /// Notes a figure.
    pub fn figure(&mut self, name: impl Into<String>, value: impl fmt::Display) {
        self.figures.push((name.into(), value.to_string()));
    }

    /// Notes that a figure must reach something; falling short breaks the promise.
    pub fn at_least(&mut self, name: &str, value: u64, least: u64) {
        self.figure(name, value);
        if value < least {
            self.broken.push(format!("{name}: {value}, and at least {least} are needed"));
        }
    }

    /// Notes a figure that must be nothing.
    pub fn none(&mut self, name: &str, found: &[String]) {
        self.figure(name, found.len());
        self.broken.extend(found.iter().take(10).map(|one| format!("{name}: {one}")));
    }

    /// Says that something cannot be tried here.
    pub fn skip(&mut self, what: impl Into<String>) {
        self.skipped.push(what.into());
    }

    /// The report with its time taken, and what hung.
    #[must_use]
    pub fn done(mut self) -> Self {
        self.broken.extend(crate::limit::hung());
        self.took = self.begun.elapsed();
        self
    }

    /// Whether everything that was tried held.
    pub fn held(&self) -> bool {
        self.broken.is_empty()
    }
}

impl fmt::Display for Report {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let word = if !self.held() {
            "BROKEN"
        } else if self.skipped.is_empty() {
            "held"
        } else {
            "held, with parts SKIPPED"
        };
        writeln!(out, "{} ({:.1} s): {word}", self.part, self.took.as_secs_f64())?;
        for (name, value) in &self.figures {
            writeln!(out, "  {name}: {value}")?;
        }
        for skipped in &self.skipped {
            writeln!(out, "  SKIPPED: {skipped}")?;
        }
        for broken in &self.broken {
            writeln!(out, "  BROKEN: {broken}")?;
        }
        Ok(())
    }
}
