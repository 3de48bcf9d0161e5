//! How handoff files are called, in nine languages. What walks folders and what tells work from handoffs share it;
//! which folders count, each knows for itself.

/// What a handoff's name without its extension is, begins with or ends with, in lower case. A mark must stand
/// between it and the rest.
const STEMS: &[&str] = &[
    "handoff",
    "handover",
    "hand-off",
    "hand-over",
    "session_handoff",
    "session-handoff",
    "session-state",
    "next_session",
    "next-session",
    "continuity",
    "continue-here",
    ".continue-here",
    ".remmy-handoff",
    "交接文档",
    "交接",
    "引き継ぎ",
    "引継ぎ",
    "引継",
    "인수인계",
];

/// Whether an extension, in lower case, is that of a text that a person reads as it stands.
pub fn is_prose_extension(extension: &str) -> bool {
    matches!(extension, "md" | "markdown" | "txt")
}

/// Whether an extension, in lower case, is that of a document: prose or data. Code in a folder of handoffs is none.
pub fn is_document_extension(extension: &str) -> bool {
    is_prose_extension(extension) || matches!(extension, "json" | "jsonl" | "yaml" | "yml")
}

/// Whether a file called `stem.extension`, both in lower case, is named as handoffs are. Data is only when its name
/// begins so: `last-handoff.md` is a handoff, `schema-handoff.json` is about one.
pub fn is_handoff_name(stem: &str, extension: &str) -> bool {
    const MARKS: [char; 4] = ['-', '_', '.', ' '];
    is_document_extension(extension)
        && STEMS.iter().any(|known| {
            stem.strip_prefix(known).is_some_and(|rest| rest.is_empty() || rest.starts_with(MARKS))
                || (is_prose_extension(extension) && stem.strip_suffix(known).is_some_and(|rest| rest.ends_with(MARKS)))
        })
}

#[cfg(test)]
mod tests {
    use super::is_handoff_name;

    #[test]
    fn a_name_begins_or_ends_as_handoffs_do_and_data_only_begins_so() {
        for (stem, extension) in
            [("handoff", "md"), ("handoff-2026-12-01", "json"), ("last-handoff", "txt"), ("引き継ぎ", "md")]
        {
            assert!(is_handoff_name(stem, extension), "{stem}.{extension}");
        }
        for (stem, extension) in [("handoffs", "md"), ("schema-handoff", "json"), ("handoff", "rs"), ("offhand", "md")]
        {
            assert!(!is_handoff_name(stem, extension), "{stem}.{extension}");
        }
    }
}
