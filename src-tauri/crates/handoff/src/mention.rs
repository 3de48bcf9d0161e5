//! Paths, commits and branches that a text names. Strict: `and/or`, versions and addresses are no paths.

use crate::Span;
use crate::constant::pattern;
use regex::Regex;
use std::sync::LazyLock;

/// What a mention names.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum MentionKind {
    /// A path of a file or folder.
    Path,
    /// A commit hash of 7 to 64 hexadecimal digits.
    Commit,
    /// A branch.
    Branch,
}

/// A path, commit or branch that stands in a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mention {
    /// What it names.
    pub kind: MentionKind,
    /// The name as written, without quotes and line number.
    pub text: String,
    /// The line behind a path (`src/a.rs:14`).
    pub line: Option<u32>,
    /// Bytes of the given text.
    pub span: Span,
}

static WORD: LazyLock<Regex> =
    LazyLock::new(|| pattern(r#"`([^`\n]+)`|[^\s`"'<>()\[\]{}|,;，。、；：（）「」『』《》“”]+"#));
static LINE: LazyLock<Regex> = LazyLock::new(|| pattern(r"^(.*?)(?::(\d+)(?:[-:–]\d+)?|#L(\d+)(?:-L?\d+)?)$"));
static HASH: LazyLock<Regex> = LazyLock::new(|| pattern(r"[0-9a-fA-F]{7,64}"));
static BRANCH: LazyLock<Regex> = LazyLock::new(|| {
    pattern(r"(?i)(?:\bbranch|ブランチ|分支|브랜치|ветка)[:：]?\s+`?([\p{L}\p{N}][\p{L}\p{N}._/\-]*[\p{L}\p{N}])`?")
});

/// Extensions that a file at hand is likely to have.
const EXTENSIONS: &[&str] = &[
    "rs", "toml", "lock", "md", "mdx", "txt", "json", "jsonl", "yaml", "yml", "js", "jsx", "ts", "tsx", "mjs", "cjs",
    "css", "scss", "html", "svg", "py", "ipynb", "rb", "go", "java", "kt", "swift", "c", "h", "cc", "cpp", "hpp", "mm",
    "m", "cs", "fs", "php", "pl", "lua", "sh", "bash", "zsh", "fish", "ps1", "bat", "sql", "csv", "tsv", "xml", "ini",
    "cfg", "conf", "env", "proto", "graphql", "vue", "svelte", "dart", "ex", "exs", "erl", "hs", "ml", "scala", "clj",
    "r", "jl", "tf", "nix", "gradle", "cmake", "png", "jpg", "pdf", "log", "patch", "diff", "asm", "zig", "v", "sv",
    "tex", "rst", "adoc", "db", "sqlite", "wasm",
];

const BARE: &[&str] = &[
    "Makefile",
    "Dockerfile",
    "Justfile",
    "Procfile",
    "Gemfile",
    "LICENSE",
    "README",
    "Jenkinsfile",
    "CMakeLists.txt",
];

/// Whether a word is the path of a file or folder.
pub fn looks_like_path(word: &str) -> bool {
    let word = word.strip_suffix(':').unwrap_or(word);
    if word.is_empty() || word.len() > 400 || word.contains("://") || word.starts_with(['@', '#', '$', '-', '+', '=']) {
        return false;
    }
    if word.contains(['*', '?', '<', '>', '|', '"', '=', '&'])
        || word.chars().any(char::is_control)
        || word.contains("//")
    {
        return false;
    }
    let drive = word.get(1..3).is_some_and(|rest| rest == ":\\" || rest == ":/")
        && word.starts_with(|letter: char| letter.is_ascii_alphabetic());
    if drive || word.starts_with("~/") || word.starts_with("./") || word.starts_with("../") {
        return word.len() > 3;
    }
    if word.contains(':') {
        return false;
    }
    let parts: Vec<&str> = word.split(['/', '\\']).collect();
    let last = parts.iter().rev().find(|part| !part.is_empty()).copied().unwrap_or_default();
    let file = has_extension(last);
    if parts.len() == 1 {
        return file
            || BARE.contains(&word)
            || (word.starts_with('.')
                && word.len() > 2
                && word[1..].starts_with(|c: char| c.is_ascii_alphabetic())
                && word.len() < 40);
    }
    if word.starts_with('/') {
        // `/command` is a slash command, `/srv/data` a path.
        return parts.iter().filter(|part| !part.is_empty()).count() >= 2 || word.ends_with('/');
    }
    if file || word.ends_with('/') {
        return parts.iter().filter(|part| !part.is_empty()).all(|part| part.chars().any(char::is_alphanumeric));
    }
    // `and/or`, `24/7`, `client/server`: two plain words are no path; three or a hidden folder are.
    let named = parts.iter().all(|part| {
        !part.is_empty() && part.chars().all(|c| c.is_alphanumeric() || matches!(c, '_' | '-' | '.' | '+' | '@'))
    });
    let numbers = parts.iter().all(|part| part.chars().all(|c| c.is_ascii_digit() || c == '.'));
    named && !numbers && (word.starts_with('.') || ROOTS.contains(&parts[0]))
}

/// Folders at the top of a repository.
const ROOTS: &[&str] = &[
    "src",
    "lib",
    "libs",
    "app",
    "apps",
    "test",
    "tests",
    "spec",
    "docs",
    "doc",
    "bin",
    "scripts",
    "packages",
    "crates",
    "cmd",
    "internal",
    "pkg",
    "tools",
    "config",
    "vendor",
    "examples",
    "benches",
    "assets",
    "public",
    "server",
    "client",
    "web",
    "ui",
    "api",
    "backend",
    "frontend",
    "infra",
    "migrations",
    "worktrees",
];

fn has_extension(name: &str) -> bool {
    let Some((stem, extension)) = name.rsplit_once('.') else { return false };
    let known = EXTENSIONS.contains(&extension.to_ascii_lowercase().as_str());
    known
        && !stem.is_empty()
        && !stem.chars().all(|c| c.is_ascii_digit() || c == '.')
        && !matches!(name.to_ascii_lowercase().as_str(), "node.js" | "next.js" | "vue.js" | "e.g" | "i.e")
}

/// Whether a word is a commit hash: 7 to 64 hexadecimal digits, with a digit and, when short, a letter or the
/// length of a hash.
pub fn is_hash(word: &str) -> bool {
    let hex = word.chars().all(|digit| digit.is_ascii_hexdigit());
    let digit = word.chars().any(|digit| digit.is_ascii_digit());
    let letter = word.chars().any(|digit| digit.is_ascii_alphabetic());
    let whole = matches!(word.len(), 40 | 64);
    hex && (7..=64).contains(&word.len())
        && (whole || (digit && (letter || word.starts_with('0') || word.len() <= 8 && !looks_like_date(word))))
}

fn looks_like_date(word: &str) -> bool {
    word.len() == 8 && (word.starts_with("19") || word.starts_with("20"))
}

/// The hashes in a text with their offsets.
pub(crate) fn hashes(text: &str) -> Vec<(&str, usize)> {
    let boundary = |character: Option<char>| {
        character.is_none_or(|character| !character.is_ascii_alphanumeric() && character != '_' && character != '-')
    };
    HASH.find_iter(text)
        .filter(|found| {
            boundary(text[..found.start()].chars().next_back()) && boundary(text[found.end()..].chars().next())
        })
        .filter(|found| is_hash(found.as_str()))
        .map(|found| (found.as_str(), found.start()))
        .collect()
}

/// The mentions in a text, in order.
pub fn mentions(text: &str) -> Vec<Mention> {
    let mut found = Vec::new();
    for word in WORD.captures_iter(text) {
        let (Some(whole), code) = (word.get(0), word.get(1)) else { continue };
        let part = code.unwrap_or(whole);
        if code.is_some() && part.as_str().contains(' ') && part.as_str().get(1..3).is_none_or(|drive| drive != ":\\") {
            // A command in a code span: its words count one by one.
            words_of(part.as_str(), part.start(), &mut found);
        } else {
            one(part.as_str(), part.start(), &mut found);
        }
    }
    for branch in BRANCH.captures_iter(text).filter_map(|found| found.get(1)) {
        let name = branch.as_str();
        let plausible =
            name.contains('/') || matches!(name, "main" | "master" | "develop" | "dev" | "trunk") || name.contains('-');
        if plausible && !looks_like_path(name) {
            found.push(Mention {
                kind: MentionKind::Branch,
                text: name.to_owned(),
                line: None,
                span: Span::new(branch.start(), branch.end()),
            });
        }
    }
    found.sort_by_key(|mention| (mention.span.from, mention.kind));
    found
}

fn words_of(text: &str, base: usize, found: &mut Vec<Mention>) {
    let mut at = 0;
    for word in text.split(' ') {
        one(word, base + at, found);
        at += word.len() + 1;
    }
}

fn one(word: &str, at: usize, found: &mut Vec<Mention>) {
    let trimmed = word.trim_end_matches(['.', ':', '!', '?', '*', '_']);
    let lead = trimmed.len() - trimmed.trim_start_matches(['*', '_']).len();
    let word = &trimmed[lead..];
    if is_hash(word) {
        found.push(Mention {
            kind: MentionKind::Commit,
            text: word.to_owned(),
            line: None,
            span: Span::new(at + lead, at + lead + word.len()),
        });
        return;
    }
    let captured = LINE.captures(word);
    let (path, line) = match &captured {
        Some(parts) => (
            parts.get(1).map_or(word, |path| path.as_str()),
            parts.get(2).or_else(|| parts.get(3)).and_then(|line| line.as_str().parse().ok()),
        ),
        None => (word, None),
    };
    if looks_like_path(path) {
        found.push(Mention {
            kind: MentionKind::Path,
            text: path.to_owned(),
            line,
            span: Span::new(at + lead, at + lead + path.len()),
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn paths(text: &str) -> Vec<(String, Option<u32>)> {
        let wanted = |mention: &Mention| mention.kind == MentionKind::Path;
        mentions(text).into_iter().filter(wanted).map(|mention| (mention.text, mention.line)).collect()
    }

    #[test]
    fn paths_are_told_from_words_versions_and_addresses() {
        for text in [
            "and/or",
            "24/7",
            "version 1.2.3",
            "https://example.test/a.md",
            "e.g. this",
            "client and/or server",
            "1/2",
            "Node.js",
            "/help",
        ] {
            assert_eq!(paths(text), [], "{text}");
        }
        for (text, path, line) in [
            ("see `src/tides/csv.rs:14-88` now", "src/tides/csv.rs", Some(14)),
            ("in src/Gauge.cs.", "src/Gauge.cs", None),
            ("`D:\\_work\\buoy service`", "D:\\_work\\buoy service", None),
            ("run `cat docs/a.md`", "docs/a.md", None),
            ("the /srv/data folder", "/srv/data", None),
            ("`data/校准.csv`", "data/校准.csv", None),
            ("Makefile", "Makefile", None),
        ] {
            assert_eq!(paths(text), [(path.to_owned(), line)], "{text}");
        }
    }

    #[test]
    fn commits_are_hexadecimal_with_a_digit() {
        for text in ["0123abc", "9ab31f7e0", "`73db496`"] {
            assert!(mentions(text).iter().any(|mention| mention.kind == MentionKind::Commit), "{text}");
        }
        for text in ["defaced", "20260504", "abcdef"] {
            assert!(!mentions(text).iter().any(|mention| mention.kind == MentionKind::Commit), "{text}");
        }
    }

    #[test]
    fn branches_are_named_by_the_word() {
        let found = mentions("on branch feat/berth-drag since");
        assert!(found.iter().any(|mention| mention.kind == MentionKind::Branch && mention.text == "feat/berth-drag"));
    }
}
