//! Which files are handoffs by their name, and which folders are never walked.

use handoff::{is_document_extension, is_handoff_name, is_prose_extension};
use std::path::Path;

/// Folders that hold no handoffs and a great many files.
pub fn never_walked(name: &str) -> bool {
    matches!(
        name,
        "node_modules"
            | "target"
            | ".git"
            | ".hg"
            | ".svn"
            | "__pycache__"
            | ".venv"
            | "venv"
            | ".tox"
            | ".cache"
            | ".npm"
            | ".cargo"
            | ".rustup"
            | ".gradle"
            | ".m2"
            | "vendor"
            | "dist"
            | "build"
            | ".next"
            | ".nuxt"
            | ".terraform"
            | "Library"
            | ".Trash"
            | ".local"
            | "snap"
            | "site-packages"
            | "file-history"
            | "shell-snapshots"
            | "blobs"
    )
}

/// Whether a file stands among those that speak about handoffs and are none: an agent's skills, commands, prompts.
/// Plainer words count in an agent's own hidden folder only; a repository may be named `agents`.
fn speaks_about(folders: &[String]) -> bool {
    let hidden = folders.iter().position(|folder| folder.starts_with('.')).unwrap_or(folders.len());
    folders.iter().enumerate().any(|(depth, folder)| match folder.as_str() {
        "skills" | "commands" | "prompts" => true,
        "plugins" | "templates" | "agents" | "rules" | "hooks" | "extensions" => depth > hidden,
        _ => false,
    })
}

/// Whether a path (relative to its root) is a handoff's, case-insensitively.
pub fn is_known_name(relative: &Path) -> bool {
    let parts: Vec<String> = relative.iter().map(|part| part.to_string_lossy().to_lowercase()).collect();
    let Some((file, folders)) = parts.split_last() else { return false };
    if is_temporary(file) || speaks_about(folders) {
        return false;
    }
    let Some((stem, extension)) = file.rsplit_once('.') else { return false };
    if extension == "jsonl" {
        return is_session(stem);
    }
    if !is_document_extension(extension) || is_about(stem) {
        return false;
    }
    let in_handoffs = folders
        .iter()
        .any(|folder| matches!(folder.as_str(), "handoffs" | ".handoff" | ".handoffs" | "handovers" | "ledgers"));
    if in_handoffs {
        return true;
    }
    let prose = is_prose_extension(extension);
    is_handoff_name(stem, extension) || (stem == "session" && prose) || (stem.starts_with("qa-handoff") && !prose)
}

/// Whether a folder is what a session of the pi family leaves beside its file.
pub(crate) fn is_session_folder(folder: &str) -> bool {
    folder.rsplit('/').next().is_some_and(|name| is_session(&name.to_lowercase()))
}

/// Whether a file is a session of the pi family, told from its name.
pub(crate) fn is_session_file(path: &Path) -> bool {
    let name = path.file_name().map(|name| name.to_string_lossy().to_lowercase()).unwrap_or_default();
    name.strip_suffix(".jsonl").is_some_and(is_session)
}

/// `2026-07-14T15-20-30-900Z_019c4f54-…`: how the pi family names its sessions. Those of subagents are named otherwise.
fn is_session(stem: &str) -> bool {
    let Some((at, id)) = stem.split_once('_') else { return false };
    let time = at.len() >= 19
        && at.as_bytes().iter().enumerate().all(|(index, byte)| match index {
            4 | 7 | 13 | 16 => *byte == b'-',
            10 => *byte == b't',
            0..=18 => byte.is_ascii_digit(),
            _ => byte.is_ascii_digit() || matches!(byte, b'-' | b'z'),
        });
    time && id.len() >= 8 && id.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-')
}

fn is_about(stem: &str) -> bool {
    stem == "readme"
        || stem.starts_with("template")
        || stem.ends_with("template")
        || stem == "index"
        || stem == "skill"
        || stem.starts_with("example")
}

fn is_temporary(file: &str) -> bool {
    [".tmp", ".swp", ".swo", "~", ".lock", ".part", ".orig", ".rej", ".bak"].iter().any(|end| file.ends_with(end))
        || file.starts_with(".#")
        || file.starts_with("#")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn known_names_in_any_case_and_language() {
        for name in [
            "HANDOFF.md",
            "docs/handoff.md",
            "HANDOVER.md",
            "SESSION_HANDOFF.md",
            "NEXT_SESSION.md",
            ".planning/HANDOFF.json",
            "CONTINUITY.md",
            "引き継ぎ.md",
            "docs/交接文档.md",
            "인수인계.md",
            ".claude/handoffs/2026-02-11-153000-json-flag.md",
            "thoughts/shared/handoffs/x/2026.yaml",
            ".planning/.continue-here.md",
            "thoughts/ledgers/CONTINUITY_CLAUDE-json-export.md",
            "handoff-2026-07-14T15-20-31-004Z.md",
            "QA-HANDOFF-12.yaml",
            "last-handoff.md",
            ".remmy-handoff.md",
            "session.md",
            "sessions/--home-dev-x--/2026-07-14T15-20-30-900Z_019c4f54-9d02-7a18-b0c4-dd40ee50ff60.jsonl",
            "agents/HANDOFF.md",
            "plugins/shop/docs/handoff.md",
        ] {
            assert!(is_known_name(Path::new(name)), "{name}");
        }
    }

    #[test]
    fn what_stands_beside_handoffs_is_none() {
        for name in [
            "handoffs/README.md",
            "handoffs/TEMPLATE.md",
            ".claude/skills/handoff/handoff.md",
            ".claude/commands/handoff.md",
            ".claude/agents/handoff.md",
            ".config/x/templates/HANDOFF.md",
            "session.json",
            "sessions/2026/07/14/rollout-2026-07-14T15-20-30-019c4f54-9d02-7a18-b0c4-dd40ee50ff60.jsonl",
            "sessions/-x/2026-07-14T15-20-30-900Z_019c4f54-9d02-7a18-b0c4-dd40ee50ff60/reviewer.jsonl",
            "projects/x/7e3cb4a6-9f5e-4a3e-8f5a-2f7a7a1a9c11.jsonl",
            "src/handoff.rs",
            "HANDOFF.md.swp",
            "notes.md",
            "handoffs.md.tmp",
        ] {
            assert!(!is_known_name(Path::new(name)), "{name}");
        }
    }
}
