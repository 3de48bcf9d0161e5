//! The recorded git state, found anywhere in an entry: label lines, tables, pasted command output, sentences.
//!
//! Everything here is a claim of the document. The first label wins over later ones; labels win over pasted
//! output, and that over sentences.

mod pasted;
mod values;

use crate::constant::pattern;
use crate::formats::markdown::{Block, Gather, Section, label_line, lines};
use crate::headings::{Field, normalise};
use crate::{Handoff, Text, Tree, mention};
use regex::Regex;
use std::ops::Range;
use std::sync::LazyLock;

/// A git fact that a label names.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Fact {
    Branch,
    Commit,
    Worktree,
    Root,
    Status,
    Changed,
}

/// Which git fact a normalised label names.
fn fact(key: &str) -> Option<Fact> {
    let key = key.trim_start_matches("git ").trim_start_matches("the ");
    Some(match key {
        "branch"
        | "branch / commit"
        | "branch/commit"
        | "branch and commit"
        | "branch & commit"
        | "current branch"
        | "working branch"
        | "active branch"
        | "branch name"
        | "branch atual"
        | "branch attuale"
        | "rama de trabajo"
        | "feature branch"
        | "ブランチ"
        | "現在のブランチ"
        | "作業ブランチ"
        | "当前分支"
        | "分支"
        | "工作分支"
        | "브랜치"
        | "현재 브랜치"
        | "ветка"
        | "текущая ветка"
        | "branche"
        | "branche actuelle"
        | "rama"
        | "rama actual"
        | "ramo"
        | "zweig"
        | "aktueller branch" => Fact::Branch,
        "head"
        | "commit"
        | "last commit"
        | "latest commit"
        | "head commit"
        | "current commit"
        | "current head"
        | "commit hash"
        | "sha"
        | "head sha"
        | "ending commit"
        | "endingcommit"
        | "tip"
        | "最新提交"
        | "最后提交"
        | "提交"
        | "最新コミット"
        | "最終コミット"
        | "コミット"
        | "마지막 커밋"
        | "최신 커밋"
        | "커밋"
        | "последний коммит"
        | "коммит"
        | "letzter commit"
        | "dernier commit"
        | "último commit"
        | "ultimo commit" => Fact::Commit,
        "worktree"
        | "worktree path"
        | "working tree path"
        | "working directory path"
        | "ワークツリー"
        | "工作树"
        | "워크트리" => Fact::Worktree,
        "repo"
        | "repository"
        | "repo root"
        | "repository root"
        | "repo path"
        | "repository path"
        | "project root"
        | "project path"
        | "local path"
        | "root"
        | "リポジトリ"
        | "仓库目录"
        | "仓库"
        | "仓库路径"
        | "项目路径"
        | "저장소"
        | "репозиторий"
        | "dépôt"
        | "depot"
        | "repositorio" => Fact::Root,
        "working tree"
        | "working tree status"
        | "tree status"
        | "tree"
        | "uncommitted"
        | "uncommitted changes"
        | "dirty"
        | "未コミット"
        | "未コミットの変更"
        | "未提交"
        | "未提交文件"
        | "工作区"
        | "工作区状态"
        | "커밋되지 않은 변경" => Fact::Status,
        "modified files"
        | "modified"
        | "untracked"
        | "untracked files"
        | "uncommitted files"
        | "changed but not committed"
        | "staged"
        | "unstaged"
        | "staged files" => Fact::Changed,
        _ => return None,
    })
}

fn is_git_status(name: &str) -> bool {
    matches!(normalise(name).replace('_', " ").as_str(), "git status" | "git state" | "git-status")
}

/// Whether a name stands above a list of changed files.
pub(crate) fn names_changes(name: &str) -> bool {
    fact(&normalise(&name.replace('_', " "))) == Some(Fact::Changed)
}

/// Whether a normalised label is a status: the tree's, in a section about the tree.
pub(crate) fn is_status(key: &str) -> bool {
    matches!(key, "status" | "state" | "状態" | "状态" | "상태" | "статус" | "zustand" | "état" | "estado" | "stato")
}

/// Whether a normalised label names a git fact.
pub(crate) fn is_label(key: &str) -> bool {
    is_git_status(key) || fact(&key.replace('_', " ")).is_some_and(|fact| fact != Fact::Changed)
}

/// Takes a front-matter value that is a git fact.
pub(crate) fn front_matter_value(key: &str, value: &Text, handoff: &mut Handoff) -> bool {
    if value.text.trim().is_empty() {
        return false;
    }
    let fact = if is_git_status(key) { Some(Fact::Status) } else { fact(key) };
    let Some(fact) = fact.filter(|fact| *fact != Fact::Changed) else { return false };
    if handoff.trees.is_empty() {
        handoff.trees.push(Tree::default());
    }
    let Some(tree) = handoff.trees.first_mut() else { return false };
    let place = |from: usize, length: usize| {
        value
            .span
            .filter(|span| span.len() == value.text.len())
            .map_or(value.span, |span| Some(crate::Span::new(span.from + from, span.from + from + length)))
    };
    values::set(tree, fact, &value.text, &place)
}

static HEAD_SENTENCE: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"(?i)(?:\bHEAD\b|\bcommit(?:ted)?\b|\btip\b|\bmain\b|\bmaster\b|提交|コミット|커밋)\W{0,4}(?:is|at|was|now|as|in|は)?\W{0,3}(?:now |at )?`?([0-9a-f]{7,64})\b|\bHEAD([0-9a-f]{7,40})\b",
    )
});
static BRANCH_SENTENCE: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"(?i)(?:(?:\bon (?:the )?branch\b|\bbranch is\b|\bbranch:|ブランチは|分支是)\s*`?|(?:\b(?:branche?|rama)|ветка|ブランチ|分支)\s+`)([\p{L}\p{N}][\p{L}\p{N}._/\-]*)`?",
    )
});
/// `feature/x is at abc1234`, `main@abc1234`: a branch with the commit at its end.
static BRANCH_AT: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"`?([\p{L}\p{N}][\p{L}\p{N}._/\-]*)`?(?:\s+is\s+(?:now\s+)?at\s+(?:commit\s+)?`?|@)([0-9a-f]{7,40})(?:`|[.,;)]?(?:\s|$))",
    )
});
static CLEAN: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"(?i)(nothing (?:is )?(?:uncommitted|to commit)[^.\n]*|working (?:tree|directory) (?:is )?clean|(?:tree|repo(?:sitory)?) is clean|no uncommitted changes|未コミットの変更(?:は)?(?:なし|無し|ありません)|工作区干净)",
    )
});
static DIRTY: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"(?i)((?:\w[\w-]* )?files? (?:are|is) uncommitted|\d+ uncommitted (?:files?|changes?)|\d+ files? uncommitted|未コミット\s*\d+\s*件|\d+\s*個?の?未コミット[^\s。.]*|\d+\s*个未提交(?:的)?(?:文件|更改)|커밋되지 않은 (?:파일|변경)[^\n.]*)",
    )
});

/// Collects what the entry says about its repositories.
pub(crate) fn collect(gather: &mut Gather<'_>, sections: &[Section]) {
    let text = gather.text();
    let several = sections.iter().filter(|section| is_repository(text, section)).count() >= 2;
    let mut walk = Walk { at: 0, first: None, several };
    for section in sections {
        walk.enter(gather, section);
        for block in &section.blocks {
            walk.block(gather, section, block);
        }
    }
    for section in sections {
        if section.fields.contains(&Field::Artifacts) {
            // A commit among the references is not where the work stands.
            continue;
        }
        sentences(gather, section.heading_range.clone());
        for block in &section.blocks {
            if let Block::Paragraph { range } | Block::Quote { range } | Block::List { range, .. } = block {
                sentences(gather, range.clone());
            }
        }
    }
    gather.handoff.trees.retain(|tree| *tree != Tree::default() && !(tree.name.is_some() && is_bare(tree)));
}

fn is_bare(tree: &Tree) -> bool {
    Tree { name: None, ..tree.clone() } == Tree::default()
}

/// Which tree is being filled.
struct Walk {
    at: usize,
    /// The heading under which the first label stood.
    first: Option<String>,
    /// Whether two or more sections each record a branch and a commit.
    several: bool,
}

impl Walk {
    fn enter(&mut self, gather: &mut Gather<'_>, section: &Section) {
        if !self.several {
            return;
        }
        if !is_repository(gather.text(), section) {
            // What stands outside the named repositories speaks of the first.
            self.at = if section.level < 7 { 0 } else { self.at };
            return;
        }
        let trees = &mut gather.handoff.trees;
        self.at = trees.len().saturating_sub(1);
        let named = trees.get(self.at).is_some_and(|tree| tree.name.is_some());
        if named || trees.get(self.at).is_some_and(|tree| tree.branch.is_some() && tree.head.is_some()) {
            trees.push(Tree::default());
            self.at = trees.len() - 1;
        }
        if trees.is_empty() {
            trees.push(Tree::default());
        }
        if let Some(tree) = trees.get_mut(self.at) {
            tree.name = Some(section.heading.clone());
        }
    }

    fn tree<'t>(&self, gather: &'t mut Gather<'_>) -> &'t mut Tree {
        let trees = &mut gather.handoff.trees;
        while trees.len() <= self.at {
            trees.push(Tree::default());
        }
        // OK because the list was just filled up to this index.
        &mut trees[self.at]
    }

    fn block(&mut self, gather: &mut Gather<'_>, section: &Section, block: &Block) {
        let text = gather.text();
        match block {
            Block::Code { content, range, .. } => {
                let found = pasted::read(gather, content.clone(), self.at, &section.heading);
                if found {
                    gather.take(range.clone());
                }
            }
            Block::Table { rows, range, header } => {
                for row in rows {
                    if let [name, value] = row.cells.as_slice()
                        && self.label(gather, section, name, value, row.range.clone())
                    {
                        gather.take(row.range.clone());
                    }
                }
                if self.columns(gather, header, rows) {
                    gather.take(range.clone());
                }
            }
            Block::Paragraph { range } | Block::Quote { range } | Block::List { range, .. } => {
                if self.heading_is_label(gather, section, range) {
                    return;
                }
                for line in lines::with_colons(text, range.clone()) {
                    let skip = marker(&line.text);
                    let own = line.own.start + skip..line.own.end;
                    let content = text.get(own.clone()).unwrap_or_default();
                    for (part, offset) in parts(content) {
                        let Some((name, at)) = label_line(part) else { continue };
                        let value = part.get(at..).unwrap_or_default();
                        let from = own.start + offset + at;
                        if self.label(gather, section, &name, value, from..from + value.len()) {
                            gather.take(own.start + offset..own.start + offset + part.len());
                        }
                    }
                }
                let uncommitted = is_uncommitted(&section.heading);
                if uncommitted {
                    changed(gather, self.at, range.clone(), true);
                }
            }
            _ => {}
        }
    }

    /// `## Branch` with the name on the line below.
    fn heading_is_label(&mut self, gather: &mut Gather<'_>, section: &Section, range: &Range<usize>) -> bool {
        let text = gather.text();
        let known = fact(&normalise(&section.heading));
        let named = matches!(known, Some(Fact::Branch | Fact::Commit | Fact::Worktree | Fact::Root));
        let line = &text[range.clone()];
        if !named || line.contains('\n') || label_line(line).is_some() {
            return false;
        }
        let skip = marker(line);
        let from = range.start + skip;
        let understood = self.label(gather, section, &section.heading, &line[skip..], from..range.end);
        if understood {
            gather.take(range.clone());
        }
        understood
    }

    fn label(
        &mut self,
        gather: &mut Gather<'_>,
        section: &Section,
        name: &str,
        value: &str,
        range: Range<usize>,
    ) -> bool {
        let key = normalise(&name.replace('_', " "));
        let of_tree = section.fields.contains(&Field::Tree) && is_status(&key);
        let fact = if is_git_status(name) || of_tree { Some(Fact::Status) } else { fact(&key) };
        let Some(fact) = fact else { return false };
        if fact == Fact::Changed {
            return false;
        }
        let text = gather.text();
        let offset = text.get(range.clone()).and_then(|place| place.find(value)).unwrap_or(0) + range.start;
        let source = gather.source;
        let place = |from: usize, length: usize| {
            let from = (offset + from).min(text.len());
            Some(source.span(from, (from + length).min(text.len())))
        };
        if fact == Fact::Root
            && self.first.is_some()
            && self.tree(gather).root.is_some()
            && self.tree(gather).head.is_some()
        {
            gather.handoff.trees.push(Tree::default());
            self.at = gather.handoff.trees.len() - 1;
        }
        self.first.get_or_insert_with(|| name.to_owned());
        let understood = values::set(self.tree(gather), fact, value, &place);
        if fact == Fact::Status {
            changed(gather, self.at, offset..(offset + value.len()).min(text.len()), false);
        }
        // A folder's name may give way to its full path later; its line is kept as it stands as well.
        understood && (fact != Fact::Worktree || values::is_absolute(value))
    }

    /// A table with a row for each repository.
    fn columns(&mut self, gather: &mut Gather<'_>, header: &[String], rows: &[crate::formats::markdown::Row]) -> bool {
        let facts: Vec<Option<Fact>> = header.iter().map(|name| fact(&normalise(name))).collect();
        let branch = facts.contains(&Some(Fact::Branch));
        if !branch || !(facts.contains(&Some(Fact::Commit)) || facts.contains(&Some(Fact::Root))) {
            return false;
        }
        for row in rows {
            if !gather.handoff.trees.is_empty() {
                gather.handoff.trees.push(Tree::default());
                self.at = gather.handoff.trees.len() - 1;
            }
            for (fact, cell) in facts.iter().zip(&row.cells) {
                let Some(fact) = fact else { continue };
                let text = gather.text();
                let from =
                    text[row.range.clone()].find(cell.as_str()).map_or(row.range.start, |at| row.range.start + at);
                let source = gather.source;
                let place =
                    |at: usize, length: usize| Some(source.span(from + at, (from + at + length).min(row.range.end)));
                values::set(self.tree(gather), *fact, cell, &place);
                if *fact == Fact::Root {
                    self.tree(gather).name = Some(cell.trim_matches('`').to_owned());
                }
            }
        }
        true
    }
}

/// A line such as `Branch: x | HEAD: y` or `branch: x, commit: y` in its parts.
fn parts(line: &str) -> Vec<(&str, usize)> {
    let mut found = Vec::new();
    let mut at = 0;
    for part in line.split(" | ") {
        found.push((part, at));
        at += part.len() + 3;
    }
    found
}

fn marker(line: &str) -> usize {
    let rest = line.trim_start_matches([' ', '\t', '>']);
    let rest =
        rest.strip_prefix("- ").or_else(|| rest.strip_prefix("* ")).or_else(|| rest.strip_prefix("+ ")).unwrap_or(rest);
    line.len() - rest.len()
}

/// A section that records a branch and a commit of its own.
fn is_repository(text: &str, section: &Section) -> bool {
    if !(2..7).contains(&section.level) {
        return false;
    }
    let facts: Vec<Fact> = section
        .blocks
        .iter()
        .flat_map(|block| lines::with_colons(text, block.range()))
        .filter_map(|line| label_line(&line.text).and_then(|(name, _)| fact(&normalise(&name))))
        .collect();
    facts.contains(&Fact::Branch) && facts.contains(&Fact::Commit)
}

fn is_uncommitted(heading: &str) -> bool {
    let key = normalise(heading);
    ["uncommitted", "untracked", "未コミット", "未提交", "커밋되지 않은"].iter().any(|word| key.contains(word))
        || matches!(fact(&key), Some(Fact::Changed))
}

/// Paths named where uncommitted changes are described; the first sentence there is the status.
fn changed(gather: &mut Gather<'_>, tree: usize, range: Range<usize>, status: bool) {
    let text = gather.text();
    let slice = &text[range.clone()];
    let source = gather.source;
    let found: Vec<Text> = mention::mentions(slice)
        .into_iter()
        .filter(|mention| mention.kind == mention::MentionKind::Path)
        .map(|mention| Text {
            text: mention.text.clone(),
            span: Some(source.span(range.start + mention.span.from, range.start + mention.span.to)),
        })
        .collect();
    if found.is_empty() {
        return;
    }
    while gather.handoff.trees.len() <= tree {
        gather.handoff.trees.push(Tree::default());
    }
    let Some(tree) = gather.handoff.trees.get_mut(tree) else { return };
    for path in found {
        if !tree.changed.iter().any(|other| other.text == path.text) {
            tree.changed.push(path);
        }
    }
    if status && tree.status.is_none() {
        tree.status = Some(Text {
            text: crate::formats::markdown::plain(text, range.clone()),
            span: Some(source.span(range.start, range.end)),
        });
    }
    gather.take(range);
}

/// Whether the words before a commit say that it is another than the one the work stands on.
fn is_elsewhere(before: &str) -> bool {
    if before.trim_end().ends_with(['.', '!', '?', '。']) {
        return false;
    }
    let word = before.trim_end().rsplit([' ', '\n', '*', '`', '(']).next().unwrap_or_default().to_lowercase();
    [
        "deployed",
        "deploy",
        "accepted",
        "released",
        "release",
        "base",
        "merge",
        "parent",
        "previous",
        "starting",
        "start",
        "production",
        "upstream",
        "old",
    ]
    .contains(&word.trim_matches(|mark: char| !mark.is_alphanumeric()))
}

/// Facts in sentences, where no label gave them.
fn sentences(gather: &mut Gather<'_>, range: Range<usize>) {
    let text = gather.text();
    let slice = &text[range.clone()];
    let source = gather.source;
    let place = |found: regex::Match<'_>| Text {
        text: found.as_str().to_owned(),
        span: Some(source.span(range.start + found.start(), range.start + found.end())),
    };
    // What a label said is not looked for again.
    let known = gather.handoff.trees.first();
    let lacks = |has: fn(&Tree) -> bool| known.is_none_or(|tree| !has(tree));
    let no_head = lacks(|tree| tree.head.is_some());
    let no_branch = lacks(|tree| tree.branch.is_some() || tree.detached);
    let head = || {
        HEAD_SENTENCE.captures_iter(slice).find_map(|found| {
            let hash = found.get(1).or(found.get(2))?;
            let start = found.get(0)?.start();
            (mention::is_hash(hash.as_str()) && !is_elsewhere(&slice[..start])).then(|| place(hash))
        })
    };
    let branch = || {
        let found = BRANCH_SENTENCE.captures(slice)?.get(1)?;
        values::is_branch(found.as_str()).then(|| place(found))
    };
    let at = || {
        BRANCH_AT.captures_iter(slice).find_map(|found| {
            let (name, hash) = (found.get(1)?, found.get(2)?);
            let named = name.as_str().contains('/') || matches!(name.as_str(), "main" | "master" | "develop" | "trunk");
            (named && values::is_branch(name.as_str()) && mention::is_hash(hash.as_str()))
                .then(|| (place(name), place(hash)))
        })
    };
    let head = no_head.then(head).flatten();
    let branch = no_branch.then(branch).flatten();
    let at = (no_head && head.is_none() || no_branch && branch.is_none()).then(at).flatten();
    let (branch, head) = match at {
        Some((name, hash)) => (branch.or(Some(name)), head.or(Some(hash))),
        None => (branch, head),
    };
    let no_status = lacks(|tree| tree.status.is_some());
    let status = no_status.then(|| CLEAN.find(slice).or_else(|| DIRTY.find(slice)).map(place)).flatten();
    if head.is_none() && branch.is_none() && status.is_none() {
        return;
    }
    if gather.handoff.trees.is_empty() {
        gather.handoff.trees.push(Tree::default());
    }
    let Some(tree) = gather.handoff.trees.first_mut() else { return };
    if tree.head.is_none() {
        tree.head = head;
    }
    if tree.branch.is_none() && !tree.detached {
        tree.branch = branch;
    }
    if tree.status.is_none() {
        tree.status = status;
    }
}
