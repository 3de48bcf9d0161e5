//! Git facts that a document records, found anywhere in an entry: label lines, table rows, pasted status and log
//! lines, prose. Everything found is a claim; the repository is compared with it elsewhere.

use crate::formats::front_matter::line_end;
use crate::formats::markdown::label_line;
use crate::headings::normalise;
use crate::source::Source;
use crate::{Handoff, Text, Tree};
use regex::Regex;
use std::ops::Range;
use std::sync::LazyLock;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Fact {
    Branch,
    Head,
    Worktree,
    Root,
    Status,
    Diff,
    Ignored,
}

fn fact_of(label: &str) -> Option<Fact> {
    Some(match label {
        "branch" | "current branch" | "git branch" | "git_branch" | "ブランチ" | "当前分支" | "分支" | "브랜치" | "ветка" | "rama" | "branche" | "zweig" => Fact::Branch,
        "head" | "commit" | "last commit" | "latest commit" | "current commit" | "git commit" | "git_commit" | "git head" | "endingcommit" | "ending commit" | "head commit"
        | "最新提交" | "最新コミット" | "コミット" | "提交" | "커밋" | "dernier commit" | "letzter commit" | "último commit" | "ultimo commit" | "коммит" => Fact::Head,
        "worktree path" | "worktree_path" | "ワークツリー" => Fact::Worktree,
        "worktree" | "repo path" | "repository path" | "仓库目录" | "工作目录" | "path" => Fact::Worktree,
        "root" | "repository" | "repo" | "project root" | "リポジトリ" | "仓库" | "저장소" => Fact::Root,
        "git status" | "uncommitted" | "uncommitted changes" | "working tree" | "dirty" | "未コミット" | "未提交" => Fact::Status,
        "diff" | "diff stat" | "diffstat" => Fact::Diff,
        "pr" | "pull request" | "base branch" | "base commit" | "ahead" | "behind" | "stash" | "submodule" | "upstream" | "remote" => Fact::Ignored,
        _ => return None,
    })
}

/// Whether a label (normalised) names a git fact, so that its line needs no other place.
pub(crate) fn is_label(label: &str) -> bool {
    fact_of(label).is_some()
}

// OK because the patterns are constants that the tests compile.
fn regex(pattern: &str) -> Regex {
    Regex::new(pattern).unwrap_or_else(|error| panic!("{pattern}: {error}"))
}

static HASH: LazyLock<Regex> = LazyLock::new(|| regex(r"(?:^|[^0-9A-Za-z_./-])([0-9a-f]{7,40}|[0-9a-f]{64})(?:$|[^0-9A-Za-z_/-])"));
static PROSE_HEAD: LazyLock<Regex> =
    LazyLock::new(|| regex(r"(?i)\b(?:HEAD|commit|main|master|tip)\s*(?:is|was|at|=|:|is at|now at)*\s*`?([0-9a-f]{7,40})\b"));
static DIFF_TOTAL: LazyLock<Regex> = LazyLock::new(|| regex(r"\d+ files? changed(?:, \d+ insertions?\(\+\))?(?:, \d+ deletions?\(-\))?"));
static PORCELAIN: LazyLock<Regex> = LazyLock::new(|| regex(r#"^(?:[MADRCUT ][MADRCUT ]|\?\?|!!) +(".*"|\S.*)$"#));
static ARROW: LazyLock<Regex> = LazyLock::new(|| regex(r"←|<-|\*\s|当前|現在|작업 중"));
static UNCOMMITTED: LazyLock<Regex> = LazyLock::new(|| {
    regex(r"(?i)(nothing is uncommitted|no uncommitted changes|working tree (?:is )?clean|(?:\w+|\d+) (?:files? (?:are|is) )uncommitted|有 ?\d+ ?个未提交文件|未コミット ?\d+ ?件|커밋되지 않은 \S+|\d+ modified(?:, \d+ untracked)?)")
});

/// Whether a value is a commit: 7 to 40 digits with at least one digit or a full hash.
fn commit_in(value: &str) -> Option<(usize, &str)> {
    let found = HASH.captures(value)?.get(1)?;
    let plain_number = found.as_str().chars().all(|character| character.is_ascii_digit()) && found.len() < 12;
    let word = found.as_str().chars().all(|character| character.is_ascii_alphabetic()) && found.len() < 12;
    (!plain_number && !word && found.len() <= 40).then_some((found.start(), found.as_str()))
}

/// A front matter key that names a git fact.
pub(crate) fn front_matter_value(key: &str, value: &Text, handoff: &mut Handoff) -> bool {
    let Some(fact) = fact_of(key).filter(|fact| !matches!(fact, Fact::Worktree) || value.text.contains(['/', '\\'])) else { return false };
    if value.text.trim().is_empty() {
        return true;
    }
    let text = value.text.clone();
    let span = value.span;
    set(first(handoff), fact, &text, |from, to| {
        span.map(|span| crate::Span::new((span.from + from).min(span.to), (span.from + to).min(span.to)))
    });
    true
}

fn first(handoff: &mut Handoff) -> &mut Tree {
    if handoff.trees.is_empty() {
        handoff.trees.push(Tree::default());
    }
    // OK because the list was just filled.
    &mut handoff.trees[0]
}

/// Collects what an entry records.
pub(crate) fn collect(source: &Source<'_>, range: Range<usize>, handoff: &mut Handoff) {
    let text = source.text.as_str();
    let mut tree = handoff.trees.pop().unwrap_or_default();
    let mut at = range.start;
    let mut fenced = false;
    let mut list_of_files = false;
    while at < range.end {
        let end = line_end(text, at).min(range.end);
        let line = text[at..end].trim_end();
        let trimmed = line.trim();
        if trimmed.starts_with("```") || trimmed.starts_with("~~~") {
            fenced = !fenced;
        }
        if !fenced {
            one_label(source, line, at, &mut tree);
            table_row(source, line, at, &mut tree);
        } else if tree.branch.is_none() && ARROW.is_match(line) {
            current_branch_line(source, line, at, &mut tree);
        }
        status_line(source, line, at, fenced, &mut tree);
        let lower = trimmed.trim_end_matches([':', '：']).to_lowercase();
        if matches!(lower.as_str(), "modified files" | "untracked" | "untracked files" | "uncommitted files" | "modified") {
            list_of_files = true;
        } else if list_of_files && !trimmed.is_empty() {
            let name = trimmed.trim_start_matches(['-', '*', ' ']).trim_matches('`');
            if name.contains(['/', '.']) && !name.contains(' ') {
                changed(source, line, at, name, &mut tree);
            } else {
                list_of_files = false;
            }
        }
        at = end;
    }
    uncommitted_section(source, range.clone(), &mut tree);
    prose(source, range, &mut tree);
    if tree != Tree::default() {
        handoff.trees.insert(0, tree);
    }
}

fn one_label(source: &Source<'_>, line: &str, at: usize, tree: &mut Tree) {
    let Some((name, value_at)) = label_line(line) else { return };
    let Some(fact) = fact_of(&normalise(&name)) else { return };
    let value = &line[value_at..];
    if value.trim().is_empty() {
        return;
    }
    set(tree, fact, value, |from, to| Some(source.span(at + value_at + from, at + value_at + to)));
}

fn table_row(source: &Source<'_>, line: &str, at: usize, tree: &mut Tree) {
    let trimmed = line.trim();
    let Some(inner) = trimmed.strip_prefix('|') else { return };
    let mut cells = inner.split('|');
    let (Some(name), Some(value)) = (cells.next(), cells.next()) else { return };
    let Some(fact) = fact_of(&normalise(name)) else { return };
    // Only two-column tables are label tables.
    if cells.any(|cell| !cell.trim().is_empty()) || value.trim().chars().all(|character| matches!(character, '-' | ':')) {
        return;
    }
    let from = line.find(value).unwrap_or(0);
    set(tree, fact, value, |start, end| Some(source.span(at + from + start, at + from + end)));
}

/// Sets a fact that is not set yet. `span` gives the raw range of a part of the value.
fn set(tree: &mut Tree, fact: Fact, value: &str, span: impl Fn(usize, usize) -> Option<crate::Span>) {
    let part = |wanted: &str| {
        let from = value.find(wanted).unwrap_or(0);
        Some(Text { text: wanted.to_owned(), span: span(from, from + wanted.len()) })
    };
    let bare = value.trim().trim_matches(['*', ' ', '|']).trim();
    match fact {
        Fact::Branch => {
            let lower = bare.to_lowercase();
            if lower.contains("detached") {
                tree.detached = true;
                if let (None, Some((_, hash))) = (&tree.head, commit_in(bare)) {
                    tree.head = part(hash);
                }
                return;
            }
            if tree.branch.is_some() {
                return;
            }
            let name = bare.split('`').nth(1).filter(|_| bare.starts_with('`')).unwrap_or_else(|| bare.split([' ', '（', '(', '、', ',']).next().unwrap_or(bare));
            let name = name.trim_matches(['`', '"', '\'']);
            if !name.is_empty() && !matches!(name.to_lowercase().as_str(), "none" | "n/a" | "unknown" | "-") {
                let (branch, commit) = name.split_once('@').filter(|(_, commit)| commit_in(commit).is_some()).unwrap_or((name, ""));
                tree.branch = part(branch);
                if let (None, Some((_, hash))) = (&tree.head, commit_in(commit)) {
                    tree.head = part(hash);
                }
            }
        }
        Fact::Head => {
            if let Some((_, hash)) = commit_in(bare) {
                let shorter = tree.head.as_ref().is_none_or(|head| hash.len() > head.text.len() && hash.starts_with(head.text.as_str()));
                if shorter {
                    tree.head = part(hash);
                    let rest = bare.split_once(hash).map(|(_, rest)| rest.trim_matches(['`', ' ', '-', '—', ':', '"', '(', ')'])).unwrap_or_default();
                    if !rest.is_empty() {
                        tree.subject = part(rest);
                    }
                }
            }
        }
        Fact::Worktree => {
            let path = bare.trim_matches(['`', '"', '\'']);
            let absolute = path.starts_with(['/', '~']) || path.get(1..3) == Some(":\\") || path.get(1..3) == Some(":/");
            let better = tree.worktree.as_ref().is_none_or(|before| absolute && !before.text.starts_with(['/', '~']));
            if !path.is_empty() && better && path.contains(['/', '\\']) {
                tree.worktree = part(path);
            }
        }
        Fact::Root if tree.root.is_none() => {
            let root = bare.trim_matches(['`', '"', '\'']);
            if !root.is_empty() && root.len() < 200 {
                tree.root = part(root);
            }
        }
        Fact::Status if tree.status.is_none() => tree.status = part(bare),
        Fact::Diff if tree.diff.is_none() => tree.diff = part(bare),
        _ => {}
    }
}

/// A pasted branch list: the line with the arrow or star is the current one.
fn current_branch_line(source: &Source<'_>, line: &str, at: usize, tree: &mut Tree) {
    let bare = line.trim_start().trim_start_matches("* ").trim_start_matches("→ ");
    let Some(name) = bare.split_whitespace().next() else { return };
    let Some((_, hash)) = commit_in(bare) else { return };
    let place = |word: &str| {
        let from = line.find(word).unwrap_or(0);
        Some(Text { text: word.to_owned(), span: Some(source.span(at + from, at + from + word.len())) })
    };
    if commit_in(name).is_none() {
        tree.branch = place(name);
    }
    if tree.head.is_none() {
        tree.head = place(hash);
    }
}

fn status_line(source: &Source<'_>, line: &str, at: usize, fenced: bool, tree: &mut Tree) {
    if let Some(found) = DIFF_TOTAL.find(line) {
        if tree.diff.is_none() {
            tree.diff = Some(Text { text: found.as_str().to_owned(), span: Some(source.span(at + found.start(), at + found.end())) });
        }
    }
    if !fenced {
        return;
    }
    if let Some(path) = PORCELAIN.captures(line).and_then(|found| found.get(1)) {
        let name = unquote_c(path.as_str().rsplit(" -> ").next().unwrap_or(path.as_str()));
        let span = Some(source.span(at + path.start(), at + path.end()));
        tree.changed.push(Text { text: name, span });
        match &mut tree.status {
            Some(status) if status.span.is_some_and(|span| span.to <= source.span(at, at).from) => {
                status.text.push('\n');
                status.text.push_str(line);
                status.span = status.span.map(|before| crate::Span::new(before.from, source.span(at, at + line.len()).to));
            }
            Some(_) => {}
            None => tree.status = Some(Text { text: line.to_owned(), span: Some(source.span(at, at + line.len())) }),
        }
    }
}

/// A path as git quotes it: `"na\303\257ve name.ts"`.
fn unquote_c(path: &str) -> String {
    let Some(inner) = path.strip_prefix('"').and_then(|path| path.strip_suffix('"')) else { return path.to_owned() };
    let mut bytes = Vec::new();
    let mut rest = inner.bytes().peekable();
    while let Some(byte) = rest.next() {
        if byte != b'\\' {
            bytes.push(byte);
            continue;
        }
        match rest.next() {
            Some(digit @ b'0'..=b'7') => {
                let mut value = u32::from(digit - b'0');
                for _ in 0..2 {
                    if let Some(next) = rest.next_if(|next| (b'0'..=b'7').contains(next)) {
                        value = value * 8 + u32::from(next - b'0');
                    }
                }
                bytes.push((value & 0xff) as u8);
            }
            Some(b'n') => bytes.push(b'\n'),
            Some(b't') => bytes.push(b'\t'),
            Some(other) => bytes.push(other),
            None => bytes.push(b'\\'),
        }
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

fn changed(source: &Source<'_>, line: &str, at: usize, name: &str, tree: &mut Tree) {
    if tree.changed.iter().any(|path| path.text == name) {
        return;
    }
    let from = line.find(name).unwrap_or(0);
    tree.changed.push(Text { text: name.to_owned(), span: Some(source.span(at + from, at + from + name.len())) });
}

/// Paths in code spans under a heading that speaks of uncommitted changes.
fn uncommitted_section(source: &Source<'_>, range: Range<usize>, tree: &mut Tree) {
    let text = source.text.as_str();
    let mut inside = false;
    let mut at = range.start;
    while at < range.end {
        let end = line_end(text, at).min(range.end);
        let line = text[at..end].trim_end();
        if line.starts_with('#') {
            let plain = normalise(line);
            inside = plain.contains("uncommitted") || plain.contains("未コミット") || plain.contains("未提交");
        } else if inside {
            for code in line.split('`').skip(1).step_by(2) {
                if code.contains(['/', '.']) && !code.contains(' ') {
                    changed(source, line, at, code, tree);
                }
            }
        }
        at = end;
    }
}

fn prose(source: &Source<'_>, range: Range<usize>, tree: &mut Tree) {
    let text = &source.text[range.clone()];
    if tree.head.is_none() {
        if let Some(found) = PROSE_HEAD.captures_iter(text).filter_map(|found| found.get(1)).find(|found| commit_in(found.as_str()).is_some()) {
            let from = range.start + found.start();
            tree.head = Some(Text { text: found.as_str().to_owned(), span: Some(source.span(from, from + found.len())) });
        }
    }
    if tree.status.is_none() {
        if let Some(found) = UNCOMMITTED.find(text) {
            let from = range.start + found.start();
            tree.status = Some(Text { text: found.as_str().to_owned(), span: Some(source.span(from, from + found.len())) });
        }
    }
}
