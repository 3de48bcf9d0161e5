//! Which paths of a repository are handoffs. Commits that touch only these do not count as work, and their
//! content takes no part in what an approval binds. Names only; nothing is read.

use handoff::{is_document_extension, is_handoff_name};
use std::collections::HashSet;

/// Folders whose files tell an agent what to do. A command or skill that is named after handoffs is no handoff.
const INSTRUCTIONS: &[&str] =
    &["skills", "commands", "prompts", "plugins", "templates", "agents", "rules", "hooks", "extensions"];

/// Whether a path below a worktree is a handoff by its name or folder, or a marker beside one. Case does not matter.
pub fn is_handoff_path(path: &str) -> bool {
    let path = path.to_lowercase();
    let path = path.strip_suffix(".resumed").or_else(|| path.strip_suffix(".skip")).unwrap_or(&path);
    let (folders, name) = path.rsplit_once('/').unwrap_or(("", path));
    let Some((stem, extension)) = name.rsplit_once('.').filter(|(_, extension)| is_document_extension(extension))
    else {
        return false;
    };
    let folders: Vec<&str> = folders.split('/').collect();
    if folders.iter().any(|folder| INSTRUCTIONS.contains(folder)) {
        return false;
    }
    let kept = |folder: &&str| matches!(*folder, ".handoff" | ".handoffs" | "handoffs" | "handovers");
    folders.iter().any(kept) || folders.ends_with(&["thoughts", "ledgers"]) || is_handoff_name(stem, extension)
}

/// The known names, and the paths that the caller knows to be handoffs, markers or pointers.
#[derive(Clone, Debug, Default)]
pub(crate) struct HandoffPaths {
    extra: HashSet<Vec<u8>>,
}

impl HandoffPaths {
    /// `extra` are paths below the worktree, with `/` between the parts.
    pub(crate) fn new(extra: impl IntoIterator<Item = Vec<u8>>) -> Self {
        Self { extra: extra.into_iter().collect() }
    }

    pub(crate) fn contains(&self, path: &[u8]) -> bool {
        let marked = path.strip_suffix(b".resumed").or_else(|| path.strip_suffix(b".skip")).unwrap_or(path);
        self.extra.contains(path) || self.extra.contains(marked) || is_handoff_path(&String::from_utf8_lossy(path))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn known_names_are_handoffs_in_any_case_and_folder() {
        for path in [
            "HANDOFF.md",
            "docs/handoff-2026-12-01.md",
            "HANDOVER.md",
            ".claude/Handoff.md",
            "SESSION_HANDOFF.md",
            "NEXT_SESSION.md",
            "CONTINUITY.md",
            "CONTINUITY_CLAUDE-auth.md",
            ".planning/HANDOFF.json",
            ".continue-here.md",
            "docs/handoffs/2026-12-01-closeout.md",
            ".handoff/state.json",
            "docs/2026-12-01-handoff.md",
            ".remmy-handoff.md",
            "handovers/late shift.md",
            "thoughts/shared/handoffs/general/2026-12-01_a.md",
            "thoughts/ledgers/a.md",
            "交接文档.md",
            "docs/引き継ぎ.md",
            "인수인계.md",
            "HANDOFF.md.resumed",
            "HANDOFF.md.skip",
        ] {
            assert!(is_handoff_path(path), "{path}");
        }
    }

    #[test]
    fn code_about_handoffs_is_not_a_handoff() {
        for path in [
            "src/handoff.rs",
            "src/handoffs/mod.rs",
            "handoff/model.rs",
            "a.skip",
            "README.md",
            "handovers.py",
            "handoffs.md.sh",
            ".handoff/run.sh",
            ".handoffs/build",
            "handoffer.md",
            ".claude/commands/handoff.md",
            ".claude/skills/handoff/handoff.md",
            "handoffs/hooks/after.json",
        ] {
            assert!(!is_handoff_path(path), "{path}");
        }
    }

    #[test]
    fn a_path_that_the_caller_names_counts_with_its_markers() {
        let paths = HandoffPaths::new([b"notes/now.md".to_vec()]);
        assert!(paths.contains(b"notes/now.md"));
        assert!(paths.contains(b"notes/now.md.resumed"));
        assert!(!paths.contains(b"notes/then.md"));
    }
}
