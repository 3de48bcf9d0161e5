//! What a text names that a repository could confirm: paths, commits, branches.

use crate::Span;
use regex::Regex;
use std::sync::LazyLock;

/// What kind of thing is named.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MentionKind {
    /// A file or folder.
    Path,
    /// A commit.
    Commit,
    /// A branch.
    Branch,
}

/// Something that a text names.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mention {
    /// What it is.
    pub kind: MentionKind,
    /// As written, without a line number.
    pub text: String,
    /// The line behind a path, from 1.
    pub line: Option<u32>,
    /// Its place in the text.
    pub span: Span,
}

// OK because the patterns are constants that the tests compile.
fn regex(pattern: &str) -> Regex {
    Regex::new(pattern).unwrap_or_else(|error| panic!("{pattern}: {error}"))
}

static WORD: LazyLock<Regex> = LazyLock::new(|| regex(r#"`([^`\n]{2,200})`|([^\s`"'()\[\]<>，、；。：,;（）「」]{2,200})"#));
static LINE: LazyLock<Regex> = LazyLock::new(|| regex(r"^(.+?)(?::(\d+)(?:[-:,]\d+)*|#L(\d+)(?:-L?\d+)?)$"));
static BRANCH: LazyLock<Regex> = LazyLock::new(|| regex(r"(?i)\bbranch(?:es)?\s+`?([A-Za-z0-9._/-]{2,100})`?|`((?:feat|feature|fix|bugfix|hotfix|chore|release|docs|perf|refactor|test)/[A-Za-z0-9._/-]{1,100})`"));

const EXTENSIONS: &[&str] = &[
    "rs", "go", "py", "js", "ts", "tsx", "jsx", "mjs", "cjs", "svelte", "vue", "css", "scss", "html", "md", "mdx", "txt", "json", "jsonl", "yaml", "yml",
    "toml", "lock", "sql", "sh", "bash", "zsh", "ps1", "rb", "php", "java", "kt", "kts", "swift", "m", "mm", "c", "h", "cc", "cpp", "hpp", "cs", "fs",
    "dart", "ex", "exs", "erl", "hs", "ml", "lua", "r", "jl", "scala", "clj", "zig", "nim", "proto", "graphql", "tf", "ini", "cfg", "conf", "env", "xml",
    "csv", "tsv", "png", "jpg", "svg", "ipynb", "gradle", "cmake", "mk", "db", "log", "patch", "diff", "wasm", "prisma", "astro", "pdf",
];

/// Finds what a text names. Strict: `and/or`, versions, addresses and numbers are no paths.
pub fn mentions(text: &str) -> Vec<Mention> {
    let mut found: Vec<Mention> = Vec::new();
    for branch in BRANCH.captures_iter(text) {
        if let Some(name) = branch.get(1).or_else(|| branch.get(2)) {
            let stop = ["is", "was", "for", "and", "to", "from", "on", "with", "that", "has", "named", "name", "in", "of", "differs"];
            let looks = name.as_str().contains(['/', '-', '_']) || text[..name.start()].ends_with('`');
            if looks && !stop.contains(&name.as_str()) && !is_path(name.as_str()) {
                found.push(Mention { kind: MentionKind::Branch, text: name.as_str().to_owned(), line: None, span: Span::new(name.start(), name.end()) });
            }
        }
    }
    for word in WORD.captures_iter(text) {
        let Some(part) = word.get(1).or_else(|| word.get(2)) else { continue };
        let (mut from, mut raw) = (part.start(), part.as_str());
        let lead = raw.len() - raw.trim_start_matches(['*', '@', '+']).len();
        from += lead;
        raw = raw[lead..].trim_end_matches(['.', ':', '!', '?', '*', '…']);
        if raw.is_empty() || found.iter().any(|mention| mention.span.from <= from && from < mention.span.to) {
            continue;
        }
        let (name, line) = match LINE.captures(raw) {
            Some(parts) => {
                let number = parts.get(2).or_else(|| parts.get(3)).and_then(|number| number.as_str().parse().ok());
                (parts.get(1).map_or(raw, |name| name.as_str()), number)
            }
            None => (raw, None),
        };
        let kind = if is_commit(name) {
            MentionKind::Commit
        } else if is_path(name) {
            MentionKind::Path
        } else {
            continue;
        };
        found.push(Mention { kind, text: name.to_owned(), line, span: Span::new(from, from + name.len()) });
    }
    found.sort_by_key(|mention| mention.span.from);
    found
}

fn is_commit(word: &str) -> bool {
    (7..=40).contains(&word.len())
        && word.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'))
        && word.bytes().any(|byte| byte.is_ascii_digit())
        && (word.bytes().any(|byte| byte.is_ascii_alphabetic()) || word.len() == 40)
}

fn is_path(word: &str) -> bool {
    if word.contains("://") || word.contains(['{', '}', '$', '|', '=', '*', '\\', ' ', '\n']) || word.starts_with(['-', '#', '@']) || word.contains("...") {
        return false;
    }
    let trimmed = word.trim_end_matches('/');
    let name = trimmed.rsplit('/').next().unwrap_or(trimmed);
    let extension = name.rsplit_once('.').filter(|(stem, _)| !stem.is_empty()).map(|(_, extension)| extension.to_ascii_lowercase());
    let known = extension.as_deref().is_some_and(|extension| EXTENSIONS.contains(&extension));
    let hidden = name.len() > 2 && name.starts_with('.') && name[1..].chars().all(|c| c.is_ascii_alphanumeric() || c == '-' || c == '_');
    let bare_name = matches!(name, "Makefile" | "Dockerfile" | "Justfile" | "Cargo.lock" | "LICENSE" | "CODEOWNERS" | "Procfile");
    if word.contains('/') {
        let depth = trimmed.split('/').count();
        let parts_fit = trimmed.trim_start_matches('/').split('/').all(|part| !part.is_empty() && part.len() < 100);
        return parts_fit && (known || bare_name || hidden || word.ends_with('/') || depth >= 3);
    }
    known && !word.starts_with(|character: char| character.is_ascii_digit()) || bare_name || (hidden && known)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_commits_and_branches_are_told_from_other_words() {
        let text = "See `src/a b.rs`? `src/main.rs:14-88`, docs/x.md and/or v1.2.3, 4c1f0aa9, branch feat/x, https://e.test/a.rs, tests/";
        let got: Vec<(MentionKind, &str, Option<u32>)> =
            Box::leak(mentions(text).into_boxed_slice()).iter().map(|mention| (mention.kind, mention.text.as_str(), mention.line)).collect();
        assert_eq!(
            got,
            [
                (MentionKind::Path, "src/main.rs", Some(14)),
                (MentionKind::Path, "docs/x.md", None),
                (MentionKind::Commit, "4c1f0aa9", None),
                (MentionKind::Branch, "feat/x", None),
                (MentionKind::Path, "tests/", None),
            ]
        );
    }
}
