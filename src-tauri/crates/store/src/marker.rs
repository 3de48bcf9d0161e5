//! Markers beside a handoff's file, as older tools leave them: `NAME.resumed` when it was picked up, `NAME.skip` when it
//! is to be passed over. Only their names and times are looked at.

use crate::{Error, files};
use std::path::{Path, PathBuf};

/// What a marker says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mark {
    /// Somebody went on from it.
    Resumed,
    /// It is passed over.
    Skip,
}

impl Mark {
    fn end(self) -> &'static str {
        match self {
            Self::Resumed => ".resumed",
            Self::Skip => ".skip",
        }
    }
}

/// A marker that was found.
#[derive(Clone, Debug, PartialEq)]
pub struct Marker {
    /// The marker's file.
    pub path: PathBuf,
    /// The file that it stands beside.
    pub of: PathBuf,
    /// What it says.
    pub mark: Mark,
    /// Its time, UTC milliseconds.
    pub at_ms: i64,
}

/// What a file's name marks: the name beside it, and how.
pub(crate) fn marked(path: &Path) -> Option<(PathBuf, Mark)> {
    let name = path.file_name()?.to_str()?;
    [Mark::Resumed, Mark::Skip].into_iter().find_map(|mark| {
        let of = name.strip_suffix(mark.end()).filter(|of| !of.is_empty())?;
        Some((path.with_file_name(of), mark))
    })
}

/// Writes a marker beside a file, whole and durably. One that is there already stays as it is.
///
/// # Errors
/// The disk's; [`Error::Exists`] when there is one.
pub fn write(of: &Path, mark: Mark, text: &str) -> Result<PathBuf, Error> {
    let missing = || Error::io("mark", of, std::io::ErrorKind::NotFound.into());
    let folder = of.parent().ok_or_else(missing)?;
    let name = of.file_name().and_then(|name| name.to_str()).ok_or_else(missing)?;
    files::publish(folder, &format!("{name}{}", mark.end()), text.as_bytes())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_marker_names_the_file_that_it_stands_beside() {
        let of = |path: &str| marked(Path::new(path)).map(|(of, mark)| (of.display().to_string(), mark));
        assert_eq!(of("a/HANDOFF.md.resumed"), Some(("a/HANDOFF.md".to_owned(), Mark::Resumed)));
        assert_eq!(of("a/HANDOFF.md.skip"), Some(("a/HANDOFF.md".to_owned(), Mark::Skip)));
        for none in ["a/HANDOFF.md", "a/.skip", ".resumed", "a/HANDOFF.md.resumed.bak"] {
            assert_eq!(of(none), None, "{none}");
        }
    }
}
