//! Walking the profiles' roots: which files could be handoffs. Opens none of them.

use crate::Error;
use crate::config::{Profile, globs};
use crate::files::Stamp;
use crate::marker::{Marker, marked};
use crate::names::{is_known_name, never_walked};
use ignore::{DirEntry, WalkBuilder};
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

const DEEPEST: usize = 24;
/// Files looked at between two words of progress.
const STEP: usize = 500;

/// A file that was found.
pub(crate) struct Candidate {
    pub stamp: Stamp,
    pub profiles: BTreeSet<String>,
}

impl Candidate {
    /// The names of its profiles, one a line.
    pub(crate) fn profiles(&self) -> String {
        self.profiles.iter().map(String::as_str).collect::<Vec<_>>().join("\n")
    }
}

/// What walking gave.
#[derive(Default)]
pub(crate) struct Walked {
    pub found: BTreeMap<String, Candidate>,
    pub problems: Vec<(PathBuf, String)>,
    /// Folders that are there and could not be looked into: what is below them is not gone.
    pub closed: Vec<PathBuf>,
    /// Temporary files of an edit that did not come to its end.
    pub leftovers: Vec<PathBuf>,
    /// Markers beside files that could be handoffs.
    pub markers: Vec<Marker>,
    /// The walk ended early; what is missing is not gone.
    pub cancelled: bool,
}

impl Walked {
    /// Walks the roots of a profile. `~` is the given home.
    ///
    /// # Errors
    /// When a glob of the profile is wrong. What cannot be looked at on disk is a problem in the answer.
    pub(crate) fn walk(
        &mut self,
        profile: &Profile,
        home: &Path,
        progress: &mut dyn FnMut(u32, Option<u32>, &Path),
        cancel: &dyn Fn() -> bool,
    ) -> Result<(), Error> {
        let filter = Filter { include: globs(&profile.include)?, exclude: globs(&profile.exclude)? };
        for root in profile.root_paths(home) {
            match std::fs::canonicalize(&root) {
                Ok(root) => self.walk_root(&root, Some(&profile.name), &filter, progress, cancel),
                Err(_) => {
                    let message = format!(
                        "The folder of profile {} is not there. Correct config.toml or create it.",
                        profile.name
                    );
                    self.problems.push((root, message));
                }
            }
        }
        Ok(())
    }

    /// Walks what was published through Fuda. It belongs to no profile.
    pub(crate) fn walk_published(
        &mut self,
        handoffs: &Path,
        progress: &mut dyn FnMut(u32, Option<u32>, &Path),
        cancel: &dyn Fn() -> bool,
    ) {
        if let Ok(root) = std::fs::canonicalize(handoffs) {
            self.walk_root(&root, None, &Filter { include: None, exclude: None }, progress, cancel);
        }
    }

    fn walk_root(
        &mut self,
        root: &Path,
        profile: Option<&String>,
        filter: &Filter,
        progress: &mut dyn FnMut(u32, Option<u32>, &Path),
        cancel: &dyn Fn() -> bool,
    ) {
        let walker =
            WalkBuilder::new(root).standard_filters(false).max_depth(Some(DEEPEST)).filter_entry(is_walked).build();
        for (seen, entry) in walker.enumerate() {
            if seen % STEP == 0 {
                if cancel() {
                    self.cancelled = true;
                    return;
                }
                progress(u32::try_from(self.found.len()).unwrap_or(u32::MAX), None, root);
            }
            match entry {
                Ok(entry) if is_leftover(&entry) => self.leftovers.push(entry.into_path()),
                Ok(entry) if self.marks(&entry, root, filter) => {}
                Ok(entry) if filter.wants(&entry, root) => self.add(&entry, root, profile),
                Ok(_) => {}
                Err(error) => self.refused(&error, root),
            }
        }
    }

    /// Notes a marker. Tells whether it is one.
    fn marks(&mut self, entry: &DirEntry, root: &Path, filter: &Filter) -> bool {
        let Some((of, mark)) = marked(entry.path()) else { return false };
        if !entry.file_type().is_some_and(|kind| kind.is_file()) || !filter.wants_path(&of, root) {
            return false;
        }
        if let Ok(metadata) = entry.metadata() {
            let at_ms = Stamp::of(&metadata).mtime_ns.div_euclid(1_000_000);
            self.markers.push(Marker { path: entry.path().to_owned(), of, mark, at_ms });
        }
        true
    }

    fn add(&mut self, entry: &DirEntry, root: &Path, profile: Option<&String>) {
        // Only a link has to be resolved: every folder on the way came from a canonical root and is no link.
        let path = if entry.file_type().is_some_and(|kind| kind.is_symlink()) {
            match std::fs::canonicalize(entry.path()) {
                Ok(target) if target.starts_with(root) => target,
                Ok(target) => {
                    let message = format!(
                        "It is a link to {}, outside the profile's root. It is not followed.",
                        target.display()
                    );
                    return self.problems.push((entry.path().to_owned(), message));
                }
                Err(error) => {
                    return self.problems.push((entry.path().to_owned(), format!("It is a link to nothing: {error}.")));
                }
            }
        } else {
            entry.path().to_owned()
        };
        let Some(name) = path.to_str() else {
            return self.problems.push((path, "Its name is not UTF-8. Rename it.".to_owned()));
        };
        match std::fs::metadata(&path) {
            Ok(metadata) if metadata.is_file() => {
                let candidate = || Candidate { stamp: Stamp::of(&metadata), profiles: BTreeSet::new() };
                self.found.entry(name.to_owned()).or_insert_with(candidate).profiles.extend(profile.cloned());
            }
            Ok(_) => {}
            // It went away between the listing and the look.
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => {}
            Err(error) => self.problems.push((path, error.to_string())),
        }
    }

    fn refused(&mut self, error: &ignore::Error, root: &Path) {
        let gone = error.io_error().is_some_and(|error| error.kind() == std::io::ErrorKind::NotFound);
        if gone {
            return;
        }
        let path = path_of(error).unwrap_or(root).to_owned();
        let message =
            error.io_error().map_or_else(|| error.to_string(), |error| format!("It cannot be looked into: {error}."));
        self.problems.push((path.clone(), message));
        self.closed.push(path);
    }
}

fn is_walked(entry: &DirEntry) -> bool {
    let folder = entry.file_type().is_some_and(|kind| kind.is_dir());
    entry.depth() == 0 || !folder || !never_walked(&entry.file_name().to_string_lossy())
}

fn is_leftover(entry: &DirEntry) -> bool {
    entry.file_name().to_str().is_some_and(crate::files::is_temporary)
        && entry.file_type().is_some_and(|kind| kind.is_file())
}

fn path_of(error: &ignore::Error) -> Option<&Path> {
    match error {
        ignore::Error::WithPath { path, .. } => Some(path),
        ignore::Error::WithDepth { err, .. } | ignore::Error::WithLineNumber { err, .. } => path_of(err),
        _ => None,
    }
}

/// The globs of a profile, on paths relative to the root.
struct Filter {
    include: Option<globset::GlobSet>,
    exclude: Option<globset::GlobSet>,
}

impl Filter {
    fn wants(&self, entry: &DirEntry, root: &Path) -> bool {
        if !entry.file_type().is_some_and(|kind| kind.is_file() || kind.is_symlink()) {
            return false;
        }
        self.wants_path(entry.path(), root)
    }

    fn wants_path(&self, path: &Path, root: &Path) -> bool {
        let relative = path.strip_prefix(root).unwrap_or(path);
        // The root's own name counts: `~/notes/handoffs` as a root holds one file a session.
        let named = root.parent().and_then(|above| path.strip_prefix(above).ok()).unwrap_or(relative);
        let matches = |globs: &Option<globset::GlobSet>| globs.as_ref().is_some_and(|globs| globs.is_match(relative));
        (is_known_name(relative) || is_known_name(named) || matches(&self.include)) && !matches(&self.exclude)
    }
}
