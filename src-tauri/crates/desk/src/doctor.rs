//! What is wrong with this installation, and what to do.

mod machine;

use crate::readers::ReaderMatrix;
use crate::{Desk, Error};
use serde::{Deserialize, Serialize};
use std::os::unix::fs::MetadataExt;
use ts_rs::TS;

/// One check.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct Check {
    /// What was checked.
    pub name: String,
    /// `ok`, `warning` or `error`.
    pub state: String,
    /// What was found.
    pub message: String,
    /// What to do.
    pub todo: Option<String>,
}

/// All checks.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct Doctor {
    /// In the order in which they were made.
    pub checks: Vec<Check>,
    /// Which profile can read which place.
    pub readers: ReaderMatrix,
}

impl Desk {
    /// Checks the installation. Never changes anything.
    ///
    /// # Errors
    /// None of the checks fails as a whole; what fails is a check.
    pub fn doctor(&self) -> Result<Doctor, Error> {
        let mut checks = vec![self.check_home(), self.check_ledger(), self.check_index(), self.check_config()];
        if let Ok(profiles) = self.profiles() {
            for profile in profiles {
                let problem = profile.problems.first().cloned();
                checks.push(match problem {
                    Some(problem) => check(
                        &format!("profile {}", profile.name),
                        "error",
                        problem,
                        Some("Correct its roots in config.toml, or remove it."),
                    ),
                    None => check(
                        &format!("profile {}", profile.name),
                        "ok",
                        format!("{} handoffs", profile.handoffs),
                        None,
                    ),
                });
            }
        }
        checks.push(self.check_watches());
        checks.extend(self.check_file_systems());
        checks.push(self.check_owners());
        checks.push(self.check_log());
        // A configuration that cannot be read is a check of its own already.
        let readers = self.readers().unwrap_or_default();
        for reader in &readers.readers {
            for (cell, place) in reader.cells.iter().zip(&readers.places).filter(|(cell, _)| cell.state == "fails") {
                let name = format!("reader {}", reader.profile);
                let message = format!("cannot read {}: {}", place.name, cell.because);
                checks.push(check(
                    &name,
                    "warning",
                    message,
                    Some("Let it read the folder, or take it out of its roots."),
                ));
            }
        }
        Ok(Doctor { checks, readers })
    }

    fn check_home(&self) -> Check {
        let root = self.home.root();
        match std::fs::metadata(root) {
            Ok(found) if found.mode() & 0o077 != 0 => {
                check("home", "warning", format!("{} can be read by others.", root.display()), Some("chmod 700 it."))
            }
            Ok(_) => check("home", "ok", root.display().to_string(), None),
            Err(error) => check(
                "home",
                "error",
                format!("{}: {error}", root.display()),
                Some("Set FUDA_HOME to a folder of yours."),
            ),
        }
    }

    fn check_ledger(&self) -> Check {
        match self.ledger.verify() {
            Ok(found) if found.ok && !self.ledger.is_writable() => check(
                "ledger",
                "warning",
                format!("It was written by a newer Fuda. Its {} events are read and none is added.", found.events),
                Some("Update this program."),
            ),
            Ok(found) if found.ok => check(
                "ledger",
                "ok",
                format!("{} events, head {}", found.events, found.head.get(..12).unwrap_or("none")),
                None,
            ),
            Ok(found) => check(
                "ledger",
                "error",
                found.problems.join(" "),
                Some(
                    "Keep ledger.db and ledger.jsonl as they are. Restore ledger.db from a backup, or make it again from its mirror: fuda doctor --rebuild-ledger.",
                ),
            ),
            Err(error) => {
                check("ledger", "error", error.to_string(), Some("Check the disk and who may read the file."))
            }
        }
    }

    fn check_index(&self) -> Check {
        match self.index.check() {
            Ok(handoffs) => check("index", "ok", format!("{handoffs} handoffs"), None),
            Err(error) => check(
                "index",
                "error",
                error.to_string(),
                Some("Start the program again: a damaged index is made anew from the files. Nothing is lost by it."),
            ),
        }
    }

    fn check_log(&self) -> Check {
        let lines = std::fs::read_to_string(self.log.path()).map_or(0, |text| text.lines().count());
        let path = self.log.path().display();
        let message = format!("{lines} lines in {path}: operations, times and codes; no path, name or text of yours.");
        check("log", "ok", message, None)
    }

    fn check_config(&self) -> Check {
        match self.config() {
            Ok(config) if config.profiles.is_empty() && config.warnings.is_empty() => check(
                "configuration",
                "warning",
                "No profile is configured.".to_owned(),
                Some("fuda profiles detect proposes some."),
            ),
            Ok(config) if config.warnings.is_empty() => {
                check("configuration", "ok", format!("{} profiles", config.profiles.len()), None)
            }
            Ok(config) => check("configuration", "warning", config.warnings.join(" "), Some("Correct config.toml.")),
            Err(error) => check("configuration", "error", error.to_string(), Some("Correct config.toml.")),
        }
    }
}

fn check(name: &str, state: &str, message: String, todo: Option<&str>) -> Check {
    Check { name: name.to_owned(), state: state.to_owned(), message, todo: todo.map(str::to_owned) }
}
