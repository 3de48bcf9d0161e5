//! Rules files: what a repository tells agents about how to work in it. Found by name at its root and in every folder on
//! the way to where the handoff was written; read from beneath the root, whatever links say. Text only: which
//! sentences are rules is for whoever reads it.

use crate::open;
use crate::place::{self, FolderState, Place};
use crate::taken::{self, Found};
use crate::text::{git_bytes, shown, shown_path};
use crate::{Question, beneath};
use serde::{Deserialize, Serialize};
use std::collections::HashMap;
use std::io::Read;
use std::path::{Path, PathBuf};
use ts_rs::TS;

/// Files that agents read without being told to, by their path below a folder.
const FILES: &[&str] = &[
    "AGENTS.override.md",
    "AGENTS.md",
    "AGENT.md",
    "CLAUDE.md",
    "CLAUDE.local.md",
    ".claude/CLAUDE.md",
    "GEMINI.md",
    "QWEN.md",
    "CRUSH.md",
    "WARP.md",
    ".rules",
    ".cursorrules",
    ".windsurfrules",
    ".clinerules",
    ".goosehints",
    ".junie/guidelines.md",
    ".github/copilot-instructions.md",
];
/// Folders of which every document is one.
const FOLDERS: &[&str] = &[".claude/rules", ".cursor/rules", ".clinerules", ".windsurf/rules", ".github/instructions"];
/// What a document in such a folder ends with.
const ENDINGS: &[&str] = &[".md", ".mdc"];

/// Bytes of one file that are read.
const FILE_BYTES: u64 = 256 << 10;
/// Files of one repository that are read.
const MOST: usize = 64;
/// Folders on the way that are searched.
const DEPTH: usize = 32;

/// The rules files of one recorded repository.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct Rules {
    /// The worktree, or without a repository the folder. Absent when there is none.
    pub folder: Option<String>,
    /// The files, those of the root first.
    pub files: Vec<RulesFile>,
    /// Why there may be more, or why nothing was read.
    pub reason: Option<String>,
}

/// One rules file.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct RulesFile {
    /// Its path below the folder.
    pub path: String,
    /// Other names that lead to the same file.
    pub also: Vec<String>,
    /// What stands in it; bytes that are no text are replaced. Empty when it could not be read.
    pub text: String,
    /// Whether it is longer than what was read.
    pub cut: bool,
    /// Why it could not be read.
    pub problem: Option<String>,
}

/// Reads the rules files of every repository that a handoff records, in the order of the document.
pub fn rules(question: &Question) -> Vec<Rules> {
    place::places(question).iter().map(|place| of_place(place, question)).collect()
}

fn of_place(place: &Place, question: &Question) -> Rules {
    let root = match taken::find(place, question) {
        Found::Opened(opened) => opened.located.toplevel.clone(),
        Found::NoRepository(folder) => folder,
        // Plain files of a repository that libgit2 cannot open may be read; those of another owner may not.
        Found::Refused(open::Refusal { plain: Some(_), toplevel: Some(toplevel), .. }) => toplevel,
        Found::Refused(refusal) => return Rules { reason: Some(refusal.reason), ..Rules::default() },
        Found::Gone { why, .. } => return Rules { reason: Some(why), ..Rules::default() },
        Found::Nothing => return Rules { reason: Some("the handoff names no folder".into()), ..Rules::default() },
    };
    let mut found = Rules { folder: Some(shown_path(&root)), ..Rules::default() };
    let mut known = HashMap::new();
    for folder in folders(place, question, &root) {
        for path in candidates(&root, &folder) {
            if found.files.len() >= MOST {
                found.reason = Some(format!("there are more than {MOST} rules files"));
                return found;
            }
            read(&root, &path, &mut found.files, &mut known);
        }
    }
    found
}

/// The root, and the folders below it on the way to where the handoff was written. Without links.
fn folders(place: &Place, question: &Question, root: &Path) -> Vec<PathBuf> {
    let mut folders = vec![PathBuf::new()];
    let cwd = question.handoff.provenance.cwd.as_ref().and_then(|cwd| place::expand(cwd, question));
    let cwd = cwd.and_then(|cwd| std::fs::canonicalize(cwd).ok());
    let chosen = place.folder.as_ref().and_then(|folder| match &folder.state {
        FolderState::There(real) => Some(real.clone()),
        _ => None,
    });
    for end in [chosen, cwd].into_iter().flatten() {
        let Ok(inside) = end.strip_prefix(root) else { continue };
        let mut at = PathBuf::new();
        for part in inside.components().take(DEPTH) {
            at.push(part);
            if !folders.contains(&at) {
                folders.push(at.clone());
            }
        }
    }
    folders
}

fn candidates(root: &Path, folder: &Path) -> Vec<PathBuf> {
    let mut paths: Vec<PathBuf> = FILES.iter().map(|name| folder.join(name)).collect();
    for rules in FOLDERS {
        let below = folder.join(rules);
        let mut names: Vec<PathBuf> = beneath::names(root, &below)
            .into_iter()
            .filter(|name| name.to_str().is_some_and(|name| ENDINGS.iter().any(|ending| name.ends_with(ending))))
            .map(|name| below.join(name))
            .take(MOST)
            .collect();
        names.sort();
        paths.extend(names);
    }
    paths
}

fn read(root: &Path, path: &Path, files: &mut Vec<RulesFile>, known: &mut HashMap<beneath::FileId, usize>) {
    // A folder of a rules file's name is none: some agents keep several rules in one.
    let is_one = std::fs::symlink_metadata(root.join(path)).is_ok_and(|meta| !meta.is_dir());
    if !is_one {
        return;
    }
    let mut file = RulesFile { path: shown(&git_bytes(path)), ..RulesFile::default() };
    match beneath::open(root, path) {
        Ok((opened, id)) => {
            if let Some(at) = id.and_then(|id| known.get(&id).copied()) {
                files[at].also.push(file.path);
                return;
            }
            let mut bytes = Vec::new();
            match opened.take(FILE_BYTES + 1).read_to_end(&mut bytes) {
                Ok(_) => {
                    file.cut = bytes.len() as u64 > FILE_BYTES;
                    bytes.truncate(FILE_BYTES as usize);
                    let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(&bytes);
                    file.text = String::from_utf8_lossy(bytes).into_owned();
                }
                Err(error) => file.problem = Some(format!("it cannot be read: {error}")),
            }
            if let Some(id) = id {
                known.insert(id, files.len());
            }
        }
        Err(why) => file.problem = Some(why),
    }
    files.push(file);
}
