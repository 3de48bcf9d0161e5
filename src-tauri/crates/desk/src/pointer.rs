//! Pointers: a short file in the memory place of a profile that asks for one, so that an agent which never looks into
//! the shared store learns that a handoff waits there. It holds a path and a title, no content.

use crate::Error;
use handoff::Handoff;
use std::path::{Path, PathBuf};
use store::config::{Profile, expand};
use store::files;

/// Stands in `pointer` for the folder's name as Claude Code writes it: every character but letters and digits is `-`.
const PROJECT: &str = "{project}";

/// Writes a pointer for every profile that asks for one. A pointer that is there already stays.
pub(crate) fn write_all(
    profiles: &[Profile],
    home: &Path,
    worktree: &Path,
    handoff: &Handoff,
    handle: &str,
    document: &Path,
) -> Result<Vec<PathBuf>, Error> {
    let mut written = Vec::new();
    for profile in profiles {
        let Some(pattern) = &profile.pointer else { continue };
        let folder = folder(pattern, home, worktree);
        let name = format!("handoff-{handle}.md");
        match files::publish(&folder, &name, text(handoff, handle, document).as_bytes()) {
            Ok(path) => written.push(path),
            Err(store::Error::Exists { path }) => written.push(path),
            Err(error) => return Err(error.into()),
        }
    }
    Ok(written)
}

/// Where a profile's pointers go.
pub(crate) fn folder(pattern: &str, home: &Path, worktree: &Path) -> PathBuf {
    let project: String = worktree
        .to_string_lossy()
        .chars()
        .map(|letter| if letter.is_ascii_alphanumeric() { letter } else { '-' })
        .collect();
    expand(&pattern.replace(PROJECT, &project), home)
}

fn text(handoff: &Handoff, handle: &str, document: &Path) -> String {
    let title =
        handoff.title.as_ref().or(handoff.objective.as_ref()).map(|text| text.text.as_str()).unwrap_or_default();
    let title = handoff::visible_text(title.lines().next().unwrap_or_default());
    format!(
        "# A handoff waits\n\nRead {} first. It is `{handle}`: {title}\n\nIt may be acted on only after a person approved it: `fuda claim {handle} --by NAME`.\n",
        document.display()
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_project_folder_is_named_as_claude_code_names_it() {
        let folder =
            folder("~/.claude/projects/{project}/memory", Path::new("/home/dev"), Path::new("/home/dev/a_b.c"));
        assert_eq!(folder, Path::new("/home/dev/.claude/projects/-home-dev-a-b-c/memory"));
    }
}
