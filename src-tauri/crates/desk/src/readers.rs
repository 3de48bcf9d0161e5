//! Which profile can read which place where handoffs lie. Tested, not concluded: the places are walked as the profiles
//! are configured, and of what a profile finds there the newest documents are really read. That a profile does not
//! look into a place is a choice and no fault; that it looks and cannot read is one.

use crate::decide::rfc3339;
use crate::lists::Listed;
use crate::{Desk, Error};
use rustix::fs::{Access, access};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use store::config::{Profile, expand};
use ts_rs::TS;

/// Documents of a place that are read for each profile.
const SAMPLE: usize = 3;
/// Repositories that are shown: those with most handoffs.
const REPOSITORIES: usize = 6;
/// Programs that run a command as somebody or somewhere else; what this process can read says nothing about it.
const ELSEWHERE: [&str; 10] =
    ["sudo", "doas", "su", "runuser", "ssh", "docker", "podman", "bwrap", "firejail", "systemd-run"];

/// Who can read what.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct ReaderMatrix {
    /// When it was tested.
    pub tested_at: String,
    /// The columns.
    pub places: Vec<ReaderPlace>,
    /// The rows; each has a cell for every place.
    pub readers: Vec<Reader>,
}

/// A place where handoffs lie.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct ReaderPlace {
    /// Short.
    pub name: String,
    /// `profile`, `repository` or `shared`.
    pub kind: String,
    /// Its folders.
    pub paths: Vec<String>,
}

/// A profile as a reader.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct Reader {
    /// Its name.
    pub profile: String,
    /// One for each place.
    pub cells: Vec<ReaderCell>,
}

/// What one profile can do in one place.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct ReaderCell {
    /// `read_write`, `read`, `no` (it does not look there), `fails`, `unknown`.
    pub state: String,
    /// What was tried and what came of it.
    pub because: String,
}

impl Desk {
    /// Tests every profile in every place. Reads only.
    ///
    /// # Errors
    /// When the configuration or the index cannot be read.
    pub fn readers(&self) -> Result<ReaderMatrix, Error> {
        let config = self.config()?;
        let rows = self.listed()?;
        let mut places: Vec<(ReaderPlace, Vec<PathBuf>)> = config
            .profiles
            .iter()
            .map(|profile| place(&profile.name, "profile", profile.root_paths(&self.person)))
            .collect();
        let mut repositories: BTreeMap<&str, u32> = BTreeMap::new();
        for listed in rows.iter() {
            if let Some(repo) = listed.row.repo.as_deref() {
                *repositories.entry(repo).or_default() += 1;
            }
        }
        let mut repositories: Vec<_> = repositories.into_iter().collect();
        repositories.sort_by_key(|(path, handoffs)| (std::cmp::Reverse(*handoffs), *path));
        for (path, _) in repositories.into_iter().take(REPOSITORIES) {
            let name = Path::new(path).file_name().map_or(path.into(), |name| name.to_string_lossy());
            places.push(place(&name, "repository", vec![path.into()]));
        }
        places.push(place("shared", "shared", vec![self.home.handoffs()]));
        let cap = config.settings.limits.file_bytes as u64;
        let readers = config
            .profiles
            .iter()
            .map(|profile| {
                let cells = places.iter().map(|(place, folders)| self.cell(profile, place, folders, &rows, cap));
                Reader { profile: profile.name.clone(), cells: cells.collect() }
            })
            .collect();
        let places = places.into_iter().map(|(place, _)| place).collect();
        Ok(ReaderMatrix { tested_at: rfc3339((self.now)()), places, readers })
    }

    fn cell(
        &self,
        profile: &Profile,
        place: &ReaderPlace,
        folders: &[PathBuf],
        rows: &[std::sync::Arc<Listed>],
        cap: u64,
    ) -> ReaderCell {
        let roots = profile.root_paths(&self.person);
        let own = place.kind == "profile" && place.name == profile.name;
        let looks = own || folders.iter().any(|folder| roots.iter().any(|root| covers(root, folder)));
        if !looks && place.kind == "shared" {
            return self.by_pointer(profile);
        }
        let there =
            |listed: &&std::sync::Arc<Listed>| folders.iter().any(|one| covers(one, Path::new(&listed.row.path)));
        let found: Vec<PathBuf> = rows
            .iter()
            .filter(there)
            .filter(|listed| listed.profiles.contains(&profile.name))
            .map(|listed| PathBuf::from(&listed.row.path))
            .collect();
        if !looks && found.is_empty() {
            return cell("no", "its folders lie elsewhere".to_owned());
        }
        if let Some(program) = elsewhere(&profile.launch) {
            return cell("unknown", format!("{program} starts it as somebody or somewhere else; only you were tested"));
        }
        for path in found.iter().take(SAMPLE) {
            if let Err(error) = store::files::read(path, cap) {
                return cell("fails", error.to_string());
            }
        }
        for folder in folders.iter().filter(|_| looks) {
            if let Err(error) = std::fs::read_dir(folder) {
                return cell("fails", format!("{}: {error}", folder.display()));
            }
        }
        if found.is_empty() {
            let left_out = rows.iter().filter(there).count();
            return match left_out {
                0 => cell(writes(folders), "its folder was read; no handoff lies there".to_owned()),
                _ => cell("no", format!("it looks there and its globs leave all {left_out} handoffs out")),
            };
        }
        let tried = found.len().min(SAMPLE);
        let parents: Vec<PathBuf> = found.iter().take(SAMPLE).filter_map(|one| one.parent().map(Into::into)).collect();
        cell(writes(&parents), format!("{tried} of {} handoffs read", found.len()))
    }

    /// The shared store is no folder of an agent; a pointer in its memory place is how it learns of it.
    fn by_pointer(&self, profile: &Profile) -> ReaderCell {
        let Some(pointer) = &profile.pointer else {
            return cell("no", "it has no pointer, and its folders lie elsewhere".to_owned());
        };
        let before = pointer.split("{project}").next().unwrap_or(pointer);
        let folder = expand(before, &self.person);
        match (std::fs::read_dir(&folder), std::fs::read_dir(self.home.handoffs())) {
            (Ok(_), Ok(_)) => cell("read", format!("by a pointer in {}", folder.display())),
            (Err(error), _) => cell("fails", format!("its pointers go to {}: {error}", folder.display())),
            (_, Err(error)) => cell("fails", format!("{}: {error}", self.home.handoffs().display())),
        }
    }
}

fn place(name: &str, kind: &str, folders: Vec<PathBuf>) -> (ReaderPlace, Vec<PathBuf>) {
    // Rows name their files by the way that leads there, links followed.
    let folders: Vec<PathBuf> =
        folders.into_iter().map(|folder| std::fs::canonicalize(&folder).unwrap_or(folder)).collect();
    let paths = folders.iter().map(|folder| folder.display().to_string()).collect();
    (ReaderPlace { name: name.to_owned(), kind: kind.to_owned(), paths }, folders)
}

fn covers(root: &Path, path: &Path) -> bool {
    path.starts_with(std::fs::canonicalize(root).unwrap_or_else(|_| root.to_owned()))
}

fn writes(folders: &[PathBuf]) -> &'static str {
    let all = !folders.is_empty() && folders.iter().all(|folder| access(folder, Access::WRITE_OK).is_ok());
    if all { "read_write" } else { "read" }
}

fn elsewhere(launch: &[String]) -> Option<&str> {
    let name = Path::new(launch.first()?).file_name()?.to_str()?;
    ELSEWHERE.contains(&name).then_some(name)
}

fn cell(state: &str, because: String) -> ReaderCell {
    ReaderCell { state: state.to_owned(), because }
}
