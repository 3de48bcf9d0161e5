//! Differences between two versions of a text, line by line, with what changed within a line.

use crate::view::{Diff, DiffLine, Piece, Raw, RawLine};
use handoff::Span;
use similar::{ChangeTag, TextDiff};

/// The difference with three lines around every change.
pub(crate) fn diff(before: &[u8], after: &[u8]) -> Diff {
    let (before, after) = (String::from_utf8_lossy(before), String::from_utf8_lossy(after));
    let texts = TextDiff::from_lines(before.as_ref(), after.as_ref());
    let mut out = Diff::default();
    for group in texts.grouped_ops(3) {
        let mut hunk = Vec::new();
        for op in &group {
            for change in texts.iter_inline_changes(op) {
                let kind = match change.tag() {
                    ChangeTag::Equal => "same",
                    ChangeTag::Insert => {
                        out.added += 1;
                        "added"
                    }
                    ChangeTag::Delete => {
                        out.removed += 1;
                        "removed"
                    }
                };
                let number = |index: Option<usize>| index.and_then(|index| u32::try_from(index + 1).ok());
                let pieces = change
                    .iter_strings_lossy()
                    .map(|(emphasised, text)| (emphasised, handoff::visible_text(text.trim_end_matches(['\n', '\r']))))
                    .filter(|(_, text)| !text.is_empty())
                    .collect();
                hunk.push(DiffLine {
                    kind: kind.to_owned(),
                    old: number(change.old_index()),
                    new: number(change.new_index()),
                    pieces,
                });
            }
        }
        out.hunks.push(hunk);
    }
    out
}

/// The most lines that are drawn.
const MOST_LINES: usize = 20_000;

/// The raw bytes line by line, with what cannot be drawn named.
pub(crate) fn raw(bytes: &[u8]) -> Raw {
    let bom = bytes.starts_with(b"\xef\xbb\xbf");
    let utf16 = bytes.starts_with(b"\xff\xfe") || bytes.starts_with(b"\xfe\xff");
    let valid = std::str::from_utf8(bytes).is_ok();
    let mut lines = Vec::new();
    let mut total = 0_usize;
    let (mut crlf, mut lf) = (0_usize, 0_usize);
    let mut at = 0;
    for line in bytes.split_inclusive(|byte| *byte == b'\n') {
        total += 1;
        let bare = line.strip_suffix(b"\n").map_or(line, |bare| bare.strip_suffix(b"\r").unwrap_or(bare));
        match line.len() - bare.len() {
            2 => crlf += 1,
            1 => lf += 1,
            _ => {}
        }
        if lines.len() < MOST_LINES {
            let text = String::from_utf8_lossy(bare);
            let text = if total == 1 { text.strip_prefix('\u{feff}').unwrap_or(&text) } else { &text };
            let pieces = handoff::visible(text)
                .into_iter()
                .map(|segment| Piece { text: segment.text, hidden: segment.hidden })
                .collect();
            lines.push(RawLine {
                number: u32::try_from(total).unwrap_or(u32::MAX),
                span: Span::new(at, at + bare.len()),
                pieces,
            });
        }
        at += line.len();
    }
    let encoding = match (utf16, valid, bom) {
        (true, ..) => "utf-16",
        (_, false, _) => "utf-8 with invalid bytes",
        (_, true, true) => "utf-8 with byte-order mark",
        (_, true, false) => "utf-8",
    };
    let line_ends = match (crlf, lf) {
        (0, _) => "lf",
        (_, 0) => "crlf",
        _ => "mixed",
    };
    Raw {
        lines,
        total_lines: u32::try_from(total).unwrap_or(u32::MAX),
        encoding: encoding.to_owned(),
        line_ends: line_ends.to_owned(),
    }
}
