//! Paths, commits and branches that a text names. Strict: `and/or`, versions and addresses are no paths.

use crate::Span;

/// What a mention names.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
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

/// The mentions in a text, in order.
pub fn mentions(_text: &str) -> Vec<Mention> {
    Vec::new()
}
