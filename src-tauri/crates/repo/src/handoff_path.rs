//! Which paths of a repository are handoffs. Commits that touch only these do not count as work, and their
//! content takes no part in what an approval binds. Names only; nothing is read.

use std::collections::HashSet;

/// Whole file names, in lower case.
const NAMES: &[&str] = &[
    "session_handoff.md",
    "session-handoff.md",
    "next_session.md",
    "last-handoff.md",
    "latest-handoff.md",
    ".continue-here.md",
    "handoff.json",
    "handoff.yaml",
    "handoff.yml",
    "交接文档.md",
    "引き継ぎ.md",
    "引継ぎ.md",
    "인수인계.md",
];

/// What a name begins with, when it ends as a Markdown file.
const STEMS: &[&str] = &["handoff", "handover", "continuity", "引き継ぎ", "交接", "인수인계"];

/// What a file in a folder of handoffs ends with. Code in a folder of that name is not one.
const DOCUMENT_ENDS: &[&str] = &[".md", ".markdown", ".json", ".jsonl", ".yaml", ".yml", ".txt"];

/// Whether a path below a worktree is a handoff by its name or folder, or a marker beside one. Case does not matter.
pub fn is_handoff_path(path: &str) -> bool {
    let path = path.to_lowercase();
    let path = path.strip_suffix(".resumed").or_else(|| path.strip_suffix(".skip")).unwrap_or(&path);
    let (folders, name) = path.rsplit_once('/').unwrap_or(("", path));
    if NAMES.contains(&name) {
        return true;
    }
    let markdown = name.ends_with(".md") || name.ends_with(".markdown");
    if markdown && STEMS.iter().any(|stem| name.starts_with(stem)) {
        return true;
    }
    let mut parts = folders.split('/').peekable();
    while let Some(part) = parts.next() {
        match part {
            ".handoff" | ".handoffs" => return true,
            "handoffs" => return DOCUMENT_ENDS.iter().any(|end| name.ends_with(end)),
            "thoughts" if parts.peek() == Some(&"ledgers") => return true,
            _ => {}
        }
    }
    false
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
            ".handoff/state.bin",
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
        for path in ["src/handoff.rs", "src/handoffs/mod.rs", "handoff/model.rs", "a.skip", "README.md", "handovers.py"]
        {
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
