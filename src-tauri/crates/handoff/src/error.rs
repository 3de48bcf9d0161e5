//! What can go wrong when a document is edited, written or rendered. Reading never fails.

use std::fmt;

/// An error of this crate.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// An edit that does not follow the grammar.
    #[error("{edit:?} is no edit: {expected}")]
    EditGrammar {
        /// As given.
        edit: String,
        /// What was expected.
        expected: String,
    },
    /// An edit of an item that is not there.
    #[error("there is no {item}; the list has {length} items")]
    NoSuchItem {
        /// Such as `next/4`.
        item: String,
        /// How many there are.
        length: usize,
    },
    /// The document's version cannot hold this field.
    #[error("Handoff JSON 1 has no field for {field}; convert it to version 2 first (fuda convert ID --to json)")]
    NeedsJson2 {
        /// The field.
        field: String,
    },
    /// The format is never written; a canonical copy takes the edit.
    #[error("{format} files are not edited in place; the edit goes into a canonical copy")]
    NeedsCanonicalCopy {
        /// The format in words.
        format: String,
    },
    /// The edit would have changed something else too; nothing was done.
    #[error(
        "the edit of {item} would not read back as asked ({found}); nothing was written. Edit the file itself instead"
    )]
    NotAsAsked {
        /// The item.
        item: String,
        /// What came out.
        found: String,
    },
    /// Version 1 cannot say all of it.
    #[error("Handoff JSON 1 would lose {}", List(.fields))]
    Loses {
        /// What would be lost.
        fields: Vec<String>,
    },
    /// A part that may not be cut is over its limit.
    #[error("{field} has {found}; the limit is {limit}. It is never cut: shorten it or raise the limit")]
    OverLimit {
        /// The field.
        field: String,
        /// What it has, in words.
        found: String,
        /// The limit, in words.
        limit: String,
    },
    /// The fence occurs inside the document.
    #[error("the fence {tag} occurs in the document; render again with another one")]
    TagInside {
        /// The fence.
        tag: String,
    },
}

struct List<'a>(&'a [String]);

impl fmt::Display for List<'_> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.0.join(", "))
    }
}
