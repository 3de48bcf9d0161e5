//! What a repository tells agents beside the handoff. Such rules are no part of the block: they live in files that the
//! next agent may or may not read, so a person sees them where the boundary is decided.

use crate::desk::GLANCE;
use crate::{Desk, Error};
use handoff::headings::Boundary;
use repo::Rules;
use serde::{Deserialize, Serialize};
use ts_rs::TS;

/// The rules files of one repository.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct RepositoryRules {
    /// The worktree, or without a repository the folder.
    pub folder: Option<String>,
    /// The files by their path below it, those of the root first.
    pub files: Vec<String>,
    /// What they say about what an agent may do.
    pub rules: Vec<RepositoryRule>,
    /// What was not read, and why.
    pub notes: Vec<String>,
}

/// A rule with the place where it stands.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct RepositoryRule {
    /// Which list of a boundary it would stand in.
    pub list: Boundary,
    /// As written.
    pub text: String,
    /// The file below the folder.
    pub file: String,
    /// Its line, from 1.
    pub line: u32,
}

impl Desk {
    /// The rules of the repositories that a handoff is about.
    ///
    /// # Errors
    /// When the handoff is not there, or the repository does not answer in time.
    pub fn rules(&self, id: &str) -> Result<Vec<RepositoryRules>, Error> {
        let opened = self.opened(id)?;
        let found = self.worker.rules(&self.question(&opened, None), GLANCE)?;
        Ok(found.into_iter().map(told).collect())
    }
}

fn told(found: Rules) -> RepositoryRules {
    let mut told = RepositoryRules { folder: found.folder, files: Vec::new(), rules: Vec::new(), notes: Vec::new() };
    for file in found.files {
        if let Some(problem) = &file.problem {
            told.notes.push(format!("{}: {problem}", file.path));
        }
        if file.cut {
            told.notes.push(format!("{}: only its beginning was read", file.path));
        }
        told.rules.extend(handoff::rules(&file.text).into_iter().map(|rule| RepositoryRule {
            list: rule.list,
            text: rule.text,
            file: file.path.clone(),
            line: rule.line,
        }));
        told.files.push(file.path);
    }
    // A repository without rules files that was read whole needs no word.
    told.notes.extend(found.reason.filter(|_| told.folder.is_some()));
    told
}
