//! Output of git that was pasted into a document: status lines, a diff stat, a list of branches, a log.

use crate::constant::pattern;
use crate::formats::front_matter::line_end;
use crate::formats::markdown::Gather;
use crate::{Text, Tree, mention};
use regex::Regex;
use std::ops::Range;
use std::sync::LazyLock;

static PORCELAIN: LazyLock<Regex> = LazyLock::new(|| {
    pattern(r#"^(?:[MADRCUT][ MADRCUT]|[ ][MADRCUT]|\?\?|!!) (\S.*)$|^ *(?:[MADR]|\?\?) (\S*[./]\S*)$"#)
});
static STAT: LazyLock<Regex> = LazyLock::new(|| pattern(r"^ ?(\S.*?)\s+\|\s+(?:\d+ [+-]*|Bin .*)$"));
static TOTAL: LazyLock<Regex> = LazyLock::new(|| pattern(r"^ ?\d+ files? changed"));
static BRANCH_LINE: LazyLock<Regex> =
    LazyLock::new(|| pattern(r"^\s*(\*\s*)?([\p{L}\p{N}][\p{L}\p{N}._/\-]*)\s+([0-9a-f]{7,64})\b(.*)$"));
static LOG_LINE: LazyLock<Regex> = LazyLock::new(|| pattern(r"^\s*([0-9a-f]{7,40}) (?:\(([^)]*)\) )?(\S.*)$"));
static ON_BRANCH: LazyLock<Regex> =
    LazyLock::new(|| pattern(r"^\s*(?:On branch ([^\s]+)$|## ([\p{L}\p{N}][^\s]*?)\.\.\.\S+)"));

static LONG: LazyLock<Regex> =
    LazyLock::new(|| pattern(r"^\s+(?:modified|new file|deleted|renamed|copied|both modified|typechange):\s+(\S.*)$"));

/// What `git status` says around its lists.
const AROUND: &[&str] = &[
    "changes ",
    "changes:",
    "your branch",
    "nothing ",
    "no changes",
    "(use ",
    "unmerged paths",
    "head detached at",
    "and have ",
];

/// Reads a code block. Returns whether all of it was understood.
pub(super) fn read(gather: &mut Gather<'_>, content: Range<usize>, at: usize, heading: &str) -> bool {
    let text = gather.text();
    let mut lines = Vec::new();
    let mut from = content.start;
    while from < content.end {
        let end = line_end(text, from).min(content.end);
        let line = text[from..end].trim_end();
        if !line.is_empty() {
            lines.push((from, line));
        }
        from = end;
    }
    let source = gather.source;
    let piece =
        |from: usize, part: &str| Text { text: part.to_owned(), span: Some(source.span(from, from + part.len())) };
    let mut found = Tree::default();
    let mut status: Option<Range<usize>> = None;
    let mut stat: Option<Range<usize>> = None;
    let mut understood = 0;
    let grow = |slot: &mut Option<Range<usize>>, from: usize, end: usize| {
        let start = slot.as_ref().map_or(from, |range| range.start);
        *slot = Some(start..end);
    };
    let listing = super::is_uncommitted(heading);
    let mut files_follow = listing;
    for (from, line) in &lines {
        let (from, line) = (*from, *line);
        let end = from + line.len();
        if let Some(path) = PORCELAIN.captures(line).and_then(|found| found.get(1).or(found.get(2))) {
            for name in paths_of(path.as_str()) {
                found
                    .changed
                    .push(Text { text: name, span: Some(source.span(from + path.start(), from + path.end())) });
            }
            grow(&mut status, from, end);
            understood += 1;
        } else if let Some(path) = LONG.captures(line).and_then(|found| found.get(1)) {
            for name in paths_of(path.as_str()) {
                found
                    .changed
                    .push(Text { text: name, span: Some(source.span(from + path.start(), from + path.end())) });
            }
            grow(&mut status, from, end);
            understood += 1;
        } else if status.is_some() && AROUND.iter().any(|words| line.trim().to_lowercase().starts_with(words)) {
            grow(&mut status, from, end);
            understood += 1;
        } else if STAT.is_match(line) || TOTAL.is_match(line) {
            grow(&mut stat, from, end);
            understood += 1;
        } else if let Some(branch) = ON_BRANCH.captures(line).and_then(|found| found.get(1).or(found.get(2))) {
            found.branch.get_or_insert_with(|| piece(from + branch.start(), branch.as_str()));
            grow(&mut status, from, end);
            understood += 1;
        } else if let Some(branch) = BRANCH_LINE.captures(line).filter(|_| lines.len() < 40) {
            let (Some(name), Some(hash), Some(rest)) = (branch.get(2), branch.get(3), branch.get(4)) else { continue };
            let current = branch.get(1).is_some()
                || ["←", "<-", "current", "作業中", "当前", "현재", "HEAD"]
                    .iter()
                    .any(|word| rest.as_str().contains(word));
            if current && mention::is_hash(hash.as_str()) && !mention::is_hash(name.as_str()) {
                understood += 1;
                found.branch = Some(piece(from + name.start(), name.as_str()));
                found.head = Some(piece(from + hash.start(), hash.as_str()));
                let words = rest.as_str().split(['←', '<']).next().unwrap_or_default();
                let lead = words.len() - words.trim_start_matches(['+', ' ', '\t']).len();
                let words = words[lead..].trim_end();
                if ["未コミット", "uncommitted", "dirty", "未提交", "clean"].iter().any(|word| words.contains(word))
                {
                    found.status = Some(piece(from + rest.start() + lead, words));
                }
            }
        } else if let Some(log) =
            LOG_LINE.captures(line).filter(|found| found.get(1).is_some_and(|hash| mention::is_hash(hash.as_str())))
        {
            let (Some(hash), Some(subject)) = (log.get(1), log.get(3)) else { continue };
            if found.head.is_none() && from == lines.first().map_or(from, |first| first.0) {
                if let Some(current) = log.get(2)
                    && let Some(name) = current.as_str().strip_prefix("HEAD -> ")
                {
                    let name = name.split(',').next().unwrap_or(name).trim();
                    found.branch = Some(piece(from + current.start() + "HEAD -> ".len(), name));
                }
                found.head = Some(piece(from + hash.start(), hash.as_str()));
                found.subject = Some(piece(from + subject.start(), subject.as_str()));
                understood += 1;
            }
        } else if let Some(hash) = line.strip_prefix("commit ").map(str::trim).filter(|hash| mention::is_hash(hash)) {
            // The newest commit of a log in full stands first.
            found.head.get_or_insert_with(|| piece(from + "commit ".len(), hash));
            understood += 1;
        } else if is_file_label(line) {
            files_follow = true;
            if status.is_some() {
                grow(&mut status, from, end);
            }
            understood += 1;
        } else if files_follow && !line.trim().contains(' ') && mention::looks_like_path(line.trim()) {
            let lead = line.len() - line.trim_start().len();
            found.changed.push(piece(from + lead, line.trim()));
            if status.is_some() {
                grow(&mut status, from, end);
            }
            understood += 1;
        }
    }
    if understood == 0 {
        return false;
    }
    let whole = |range: Range<usize>| Text {
        text: text[range.clone()].replace("\r\n", "\n"),
        span: Some(source.span(range.start, range.end)),
    };
    found.status = found.status.or_else(|| status.map(whole));
    found.diff = stat.map(whole);
    merge(gather, at, found);
    understood == lines.len()
}

fn is_file_label(line: &str) -> bool {
    let line = line.trim().to_lowercase();
    matches!(
        line.as_str(),
        "new files:"
            | "modified files:"
            | "modified:"
            | "untracked:"
            | "untracked files:"
            | "changed files:"
            | "deleted:"
    )
}

fn merge(gather: &mut Gather<'_>, at: usize, found: Tree) {
    let trees = &mut gather.handoff.trees;
    while trees.len() <= at {
        trees.push(Tree::default());
    }
    let same = found.branch.as_ref().and_then(|branch| {
        trees.iter().position(|tree| tree.branch.as_ref().is_some_and(|other| other.text == branch.text))
    });
    let Some(tree) = trees.get_mut(same.unwrap_or(at)) else { return };
    if tree.branch.is_none() && !tree.detached {
        tree.branch = found.branch;
    }
    if tree.head.is_none() {
        tree.head = found.head;
        tree.subject = tree.subject.take().or(found.subject);
    }
    tree.status = tree.status.take().or(found.status);
    tree.diff = tree.diff.take().or(found.diff);
    for path in found.changed {
        if !tree.changed.iter().any(|other| other.text == path.text) {
            tree.changed.push(path);
        }
    }
}

/// The paths of a status line, unquoted; a rename gives the new name.
fn paths_of(field: &str) -> Vec<String> {
    let name = field.rsplit(" -> ").next().unwrap_or(field);
    vec![unquote(name)]
}

/// A path as git quotes it: `"na\303\257ve.ts"`.
pub(super) fn unquote(name: &str) -> String {
    let Some(inner) = name.trim().strip_prefix('"').and_then(|name| name.strip_suffix('"')) else {
        return name.trim().to_owned();
    };
    let mut bytes = Vec::with_capacity(inner.len());
    let mut rest = inner.as_bytes();
    while let Some((first, after)) = rest.split_first() {
        rest = after;
        if *first != b'\\' {
            bytes.push(*first);
            continue;
        }
        match after {
            [a @ b'0'..=b'3', b @ b'0'..=b'7', c @ b'0'..=b'7', tail @ ..] => {
                bytes.push((a - b'0') * 64 + (b - b'0') * 8 + (c - b'0'));
                rest = tail;
            }
            [escape, tail @ ..] => {
                bytes.push(match escape {
                    b'n' => b'\n',
                    b't' => b'\t',
                    b'r' => b'\r',
                    other => *other,
                });
                rest = tail;
            }
            [] => {}
        }
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

#[cfg(test)]
mod tests {
    use super::unquote;

    #[test]
    fn quoted_paths_are_decoded() {
        assert_eq!(unquote(r#""src/na\303\257ve name.ts""#), "src/naïve name.ts");
        assert_eq!(unquote("notes/todo today.md"), "notes/todo today.md");
    }
}
