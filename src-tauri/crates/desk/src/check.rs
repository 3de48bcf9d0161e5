//! The check after a run: a command that a person chose says whether the work is right. It is started as the agent
//! was, without a shell, kept by a keeper and ended with its whole group, and its output is kept beside the run's.
//!
//! It runs with the person's rights and outside the safety boundary, over files that the agent may have changed: the
//! command comes from the configuration or from the person who starts, never from a document.

use crate::Desk;
use crate::launch::{self, Deliver, Expected, Keeper, Plan, StreamKind};
use crate::view::Checked;
use std::path::Path;
use std::time::{Duration, Instant};

/// How long a check may take.
const LONGEST: Duration = Duration::from_secs(60 * 60);
/// How long a gentle end of a check may take.
const GRACE: Duration = Duration::from_secs(5);

impl Desk {
    /// Runs the check to its end, and says what it said. One that cannot be started has not passed.
    pub(crate) fn check(
        &self,
        command: &[String],
        folder: &Path,
        run: &Path,
        keeper: &Keeper,
        cancel: &dyn Fn() -> bool,
    ) -> Checked {
        let began = Instant::now();
        let plan = Plan {
            agent: "generic".to_owned(),
            argv: command.to_vec(),
            folder: folder.to_owned(),
            run_folder: run.join("check"),
            environment: Vec::new(),
            deliver: Deliver::Stdin,
            rules: Vec::new(),
            stream: StreamKind::Plain,
            files: Vec::new(),
            expected: Expected::default(),
            notes: Vec::new(),
        };
        let mut checked = Checked { command: command.to_vec(), ..Checked::default() };
        match launch::start(&plan, &[], keeper, (self.now)(), GRACE) {
            Ok(running) => {
                let ended = running.watch(&mut |_| {}, &|| cancel() || began.elapsed() > LONGEST);
                checked.log = Some(ended.log.display().to_string());
                checked.exit = ended.exit_code;
                checked.passed = ended.exit_code == Some(0) && !ended.stopped;
                checked.because = match (ended.stopped, ended.exit_code, ended.signal) {
                    (true, ..) if began.elapsed() > LONGEST => Some("it took more than an hour".to_owned()),
                    (true, ..) => Some("it was stopped".to_owned()),
                    (false, Some(_), _) => None,
                    (false, None, Some(signal)) => Some(format!("it was ended by signal {signal}")),
                    (false, None, None) => Some("its end was not seen".to_owned()),
                };
            }
            Err(error) => checked.because = Some(error.to_string()),
        }
        checked.took_ms = u64::try_from(began.elapsed().as_millis()).unwrap_or(u64::MAX);
        checked
    }
}

impl Checked {
    /// What the check said, in a sentence.
    pub fn sentence(&self) -> String {
        let command = self.command.join(" ");
        match (self.passed, &self.because, self.exit) {
            (true, ..) => format!("The check passed: {command}."),
            (false, Some(because), _) => format!("The check did not pass: {command}: {because}."),
            (false, None, Some(code)) => format!("The check failed: {command} (exit status {code})."),
            (false, None, None) => format!("The check did not pass: {command}."),
        }
    }
}
