//! The recorded git state, found anywhere in an entry: label lines, tables, pasted command output, sentences.
//!
//! Everything here is a claim of the document. The first label wins over later ones; labels win over pasted
//! output, and that over sentences.

mod labels;
mod named;
mod pasted;
mod values;

use crate::constant::pattern;
use crate::formats::markdown::{Block, Gather, Section, label_line, lines};
use crate::headings::{Field, normalise};
use crate::{Finding, Handoff, Severity, Text, Tree, mention};
use labels::{Fact, fact, is_git_status};
use regex::Regex;
use std::ops::Range;
use std::sync::LazyLock;

pub(crate) use labels::{is_label, is_status, names_changes};

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
        r"(?i)(?:\bHEAD\b|\bcommit(?:ted)?\b|\btip\b|\bmain\b|\bmaster\b|коммит\w*|提交|コミット|커밋|최신|最新)\W{0,4}(?:is|at|was|now|as|in|es|ist|est|è|é|на|は|是|为)?\W{0,3}(?:now |at |ahora\s|jetzt |agora |maintenant |adesso )?`?([0-9a-f]{7,64})\b|\bHEAD([0-9a-f]{7,40})\b",
    )
});
static BRANCH_SENTENCE: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"(?i)(?:(?:\bon (?:the )?branch\b|\bbranch is\b|\bbranch:|ブランチは|分支是)\s*`?|(?:\b(?:branche?|rama|ramo|zweig)|ветк[аеиу]|ブランチ|分支|브랜치)[\s*_:：(（]{1,6}`|(?:\b(?:now|currently|still|am|are)|['’](?:re|m)) on `)([\p{L}\p{N}][\p{L}\p{N}._/\-]*)`?|(?:^|[\n.;(]\s*)branch\s+([\p{L}\p{N}._]+/[\p{L}\p{N}._/\-]*)|(?:\b(?:branche|rama|ramo|zweig)|ветк[аеиу])\s+([\p{L}\p{N}._]+[/\-][\p{L}\p{N}._/\-]*)|`([\p{L}\p{N}][\p{L}\p{N}._/\-]*)`\s*(?:分支|ブランチ|브랜치)",
    )
});
/// `feature/x is at abc1234`, `main@abc1234`: a branch with the commit at its end.
static BRANCH_AT: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"`?([\p{L}\p{N}][\p{L}\p{N}._/\-]*)`?(?:[\s*_]+(?:is\s+)?(?:now\s+)?at[\s*_]+(?:commit\s+)?`?|\s?@\s?)([0-9a-f]{7,40})(?:`|[.,;)]?(?:\s|$))|`([\p{L}\p{N}][\p{L}\p{N}._/\-]*)`\s*の\s*(?:コミット\s*)?`([0-9a-f]{7,40})`",
    )
});
/// Whether a word behind `branch is` can be its name: `this branch is that we …` goes on as a sentence.
fn is_named_like_branch(name: &str, behind: &str) -> bool {
    let marked = name.contains(|mark: char| matches!(mark, '/' | '-' | '_' | '.') || mark.is_ascii_digit());
    let ends = behind.trim_start_matches(['*', '_']);
    let ended =
        ends.is_empty() || ends.starts_with(['\n', '.', ',', ';', ')', '(', '。', '、']) || ends.starts_with(" at ");
    marked || is_trunk(name) || ended || !name.is_ascii()
}

/// `1.7.2`: a sentence about a branch that names the version it is for.
fn is_version(name: &str) -> bool {
    let digits = name.trim_start_matches('v').trim_start_matches(|mark: char| mark.is_ascii_digit() || mark == '.');
    // Where no blank parts words, the sentence goes on behind it.
    digits.len() < name.len() && name.contains('.') && !digits.starts_with(|mark: char| mark.is_ascii())
}

static CLEAN: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"(?i)(nothing (?:is )?(?:uncommitted|to commit)[^.\n]*|working (?:tree|directory) (?:is )?clean|(?:\bHEAD\b|\bcommit\b|`[0-9a-f]{7,40}`)[^\n.]{0,60}[,;(]\s*clean\b|(?:tree|repo(?:sitory)?) is clean|no uncommitted changes|未コミットの変更(?:は)?(?:なし|無し|ありません)|工作区干净|nada (?:por|para|sem) commit\w*|nada sin confirmar|rien à commit\w*|nichts (?:zu committen|uncommitted)|ничего не изменено)",
    )
});
static DIRTY: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"(?i)((?:\w[\w-]* )?files? (?:are|is) uncommitted|未コミットは[^。\n]*|\d+ uncommitted (?:files?|changes?)|(?:\w+ )?files? not committed|`[^`\n]+`[^.`\n]{0,30}\b(?:not tracked|untracked|not committed)\b|\d+ files? (?:uncommitted|modified|changed|dirty)(?: ?\([^)\n]*\))?|\b(?:uncommitted(?: changes| files)?|dirty):[^\n)]*|(?:还有|仍有)[^。\n]*(?:没有提交|未提交)|未コミット\s*\d+\s*件|\d+\s*個?の?未コミット[^\s。.]*|\d+\s*个未提交(?:的)?(?:文件|更改)|커밋되지 않은 (?:파일|변경)[^\n.]*|(?:\p{L}+ )?Dateien? (?:noch )?(?:nicht (?:eingecheckt|committe?t)|uncommitted)(?: ?\([^)\n]*\))?|\b(?:sin (?:confirmar|commitear)|sem commit|não commitad[oa]s?|non committat[oi]|pas (?:encore )?commités?|не закоммичен\w*):? `[^`\n]+`(?:(?:, | y | e | et | и )`[^`\n]+`)*|измен[её]н[аоы]? `?[\w/\-]+(?:\.[\w/\-]+)+|`[^`\n]+`\s*(?:は|が)未コミット|(?:not commit(?:ted)?|uncommitted),? in `[^`\n]+`|[\w/\-]+\.\w+ (?:is |are )?(?:modified|changed),? (?:but )?(?:not committed|uncommitted))",
    )
});

/// Collects what the entry says about its repositories.
pub(crate) fn collect(gather: &mut Gather<'_>, sections: &[Section]) {
    let text = gather.text();
    let several = sections.iter().filter(|section| is_repository(text, section)).count() >= 2;
    let mut walk = Walk { at: 0, first: None, several, named: named::Named::default() };
    for section in sections {
        walk.enter(gather, section);
        for block in &section.blocks {
            walk.block(gather, section, block);
        }
    }
    std::mem::take(&mut walk.named).settle(gather);
    // Where the work stood before says where it stands only when nothing else does.
    let (before, now): (Vec<&Section>, Vec<&Section>) =
        sections.iter().partition(|section| is_before(&section.heading));
    for section in now.into_iter().chain(before) {
        sentences(gather, section.heading_range.clone(), true);
        if section.fields.contains(&Field::Artifacts) {
            // A commit among the references is not where the work stands.
            continue;
        }
        // The commit of an item that is done is not where the work stands.
        let of_the_tree = !section
            .fields
            .iter()
            .any(|field| matches!(field, Field::Done | Field::Decisions | Field::Rejected | Field::Hazards));
        for block in &section.blocks {
            if let Block::Paragraph { range } | Block::Quote { range } | Block::List { range, .. } = block {
                sentences(gather, range.clone(), of_the_tree);
            }
        }
    }
    for prompt in sections.iter().flat_map(|section| crate::prose::prompts(text, section)) {
        // A prompt to paste may be the only place that names them.
        sentences(gather, prompt, true);
    }
    for section in sections {
        status_below(gather, section);
        head_of_log(gather, section);
    }
    gather.handoff.trees.retain(|tree| *tree != Tree::default() && !(tree.name.is_some() && is_bare(tree)));
}

/// Whether a heading speaks of the time before the work.
fn is_before(heading: &str) -> bool {
    let name = normalise(heading);
    ["start state", "starting", "initial", "before", "baseline", "previous"].iter().any(|word| name.starts_with(word))
}

/// `## Git status` with a sentence below it.
fn status_below(gather: &mut Gather<'_>, section: &Section) {
    let named = is_git_status(&section.heading) || fact(&normalise(&section.heading)) == Some(Fact::Status);
    let Some(Block::Paragraph { range }) = section.blocks.first().filter(|_| named) else { return };
    let text = gather.text();
    let words = &text[range.clone()];
    let known = gather.handoff.trees.first().is_some_and(|tree| tree.status.is_some());
    if known || words.chars().count() > 300 || words.lines().any(|line| label_line(line).is_some()) {
        return;
    }
    let status = Text {
        text: crate::formats::markdown::plain(text, range.clone()),
        span: Some(gather.source.span(range.start, range.end)),
    };
    if gather.handoff.trees.is_empty() {
        gather.handoff.trees.push(Tree::default());
    }
    if let Some(tree) = gather.handoff.trees.first_mut() {
        tree.status = Some(status);
    }
    gather.take(range.clone());
}

/// Where nothing names HEAD, the first line of a list of the last commits does, and a finding says so.
fn head_of_log(gather: &mut Gather<'_>, section: &Section) {
    let known = gather.handoff.trees.first().is_some_and(|tree| tree.head.is_some());
    if known || !lines::is_commit_log(gather.text(), section) {
        return;
    }
    let Some(Block::List { items, .. }) = section.blocks.first() else { return };
    let Some(own) = items.first().map(|item| item.own.clone()) else { return };
    let text = gather.text();
    let source = gather.source;
    if gather.handoff.trees.is_empty() {
        gather.handoff.trees.push(Tree::default());
    }
    let Some(tree) = gather.handoff.trees.first_mut() else { return };
    let place = |from: usize, length: usize| Some(source.span(own.start + from, own.start + from + length));
    if values::set(tree, Fact::Commit, &text[own.clone()], &place) {
        let message = "No line names HEAD. The first of the last commits is shown as it.";
        gather
            .findings
            .push(Finding::new(Severity::Info, "head-from-log", message).at(source.span(own.start, own.end)));
    }
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
    /// Labels that name the repository they speak of.
    named: named::Named,
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
                        let whole = own.start + offset..own.start + offset + part.len();
                        if !self.several && self.named.add(section, &name, value, from, whole) {
                            continue;
                        }
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
        let fact = if is_git_status(name) || of_tree {
            Some(Fact::Status)
        } else if (key == "stand" || key.ends_with(" stand")) && mention::is_hash(value.trim_matches(['`', ' ', '*'])) {
            Some(Fact::Commit)
        } else if matches!(key.as_str(), "project" | "プロジェクト" | "项目" | "프로젝트") {
            // A project is a name as often as a folder.
            Some(Fact::Root).filter(|_| values::is_absolute(value))
        } else if matches!(
            key.as_str(),
            "path" | "pfad" | "パス" | "路径" | "경로" | "путь" | "ruta" | "chemin" | "percorso"
        ) {
            let about = section.fields.contains(&Field::Tree) || is_repository(gather.text(), section);
            Some(Fact::Root).filter(|_| about && values::is_absolute(value))
        } else {
            fact(&key)
        };
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
        let heads: Vec<String> = header.iter().map(|name| normalise(name)).collect();
        let place = |name: &String| {
            matches!(name.as_str(), "path" | "folder" | "checkout" | "directory" | "パス" | "路径" | "경로" | "pfad")
        };
        // Beside a column of paths, the one of repositories names them.
        let names =
            heads.iter().any(place).then(|| heads.iter().position(|name| fact(name) == Some(Fact::Root))).flatten();
        let facts: Vec<Option<Fact>> =
            heads.iter().map(|name| fact(name).or_else(|| place(name).then_some(Fact::Root))).collect();
        let branch = facts.contains(&Some(Fact::Branch));
        if !branch || !(facts.contains(&Some(Fact::Commit)) || facts.contains(&Some(Fact::Root))) {
            return false;
        }
        for row in rows {
            if !gather.handoff.trees.is_empty() {
                gather.handoff.trees.push(Tree::default());
                self.at = gather.handoff.trees.len() - 1;
            }
            for (column, (fact, cell)) in facts.iter().zip(&row.cells).enumerate() {
                let Some(fact) = fact else { continue };
                if Some(column) == names {
                    self.tree(gather).name = Some(cell.trim_matches('`').to_owned());
                    continue;
                }
                let text = gather.text();
                let from =
                    text[row.range.clone()].find(cell.as_str()).map_or(row.range.start, |at| row.range.start + at);
                let source = gather.source;
                let place =
                    |at: usize, length: usize| Some(source.span(from + at, (from + at + length).min(row.range.end)));
                values::set(self.tree(gather), *fact, cell, &place);
                if *fact == Fact::Root && names.is_none() {
                    self.tree(gather).name = Some(cell.trim_matches('`').to_owned());
                }
            }
        }
        true
    }
}

/// A line such as `Branch: x | HEAD: y` or `branch: x, commit: y` in its parts.
fn parts(line: &str) -> Vec<(&str, usize)> {
    let marks = [" | ", " — ", " · ", " • ", "\u{3000}", "; "];
    let mark = marks.iter().copied().find(|mark| line.contains(mark)).unwrap_or(" | ");
    let dashed = mark != " | " && line.contains(mark);
    if dashed && !line.split(mark).all(|part| label_line(part).is_some()) {
        return vec![(line, 0)];
    }
    let mut found = Vec::new();
    let mut at = 0;
    for part in line.split(mark) {
        found.push((part, at));
        at += part.len() + mark.len();
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
    let near = (before.len().saturating_sub(60)..=before.len()).find(|at| before.is_char_boundary(*at)).unwrap_or(0);
    let near = before[near..].rsplit([';', '；', '。']).next().unwrap_or_default().to_lowercase();
    if ["on top of ", "upstream ", "baseline", "based on ", "forked from "].iter().any(|word| near.contains(word)) {
        return true;
    }
    // A branch that is named where another begins.
    let clause = near.rsplit([',', '、']).next().unwrap_or_default();
    let begins =
        ["started from ", "branched from ", "branched off ", "cut from ", "salió de ", "saiu de ", "abgezweigt von "];
    if begins.iter().any(|word| clause.contains(word)) {
        return true;
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

/// Whether a branch is the one that others start from.
fn is_trunk(name: &str) -> bool {
    matches!(name, "main" | "master" | "develop" | "trunk")
}

/// A branch and the commit at its end, when the words can be both.
fn branch_at<'t>(found: &regex::Captures<'t>) -> Option<(regex::Match<'t>, regex::Match<'t>)> {
    let quoted = found.get(3).zip(found.get(4));
    let (name, hash) = quoted.or(found.get(1).zip(found.get(2)))?;
    let code = found.get(0).is_some_and(|whole| whole.as_str().starts_with('`'));
    let named = quoted.is_some() || code || name.as_str().contains('/') || is_trunk(name.as_str());
    (named && values::is_branch(name.as_str()) && mention::is_hash(hash.as_str())).then_some((name, hash))
}

/// Facts in sentences, where no label gave them.
fn sentences(gather: &mut Gather<'_>, range: Range<usize>, of_the_tree: bool) {
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
            let whole = found.get(0)?;
            let names_head = of_the_tree || !whole.as_str().to_ascii_lowercase().starts_with("commit");
            (names_head && mention::is_hash(hash.as_str()) && !is_elsewhere(&slice[..whole.start()]))
                .then(|| place(hash))
        })
    };
    let branch = || {
        BRANCH_SENTENCE.captures_iter(slice).find_map(|found| {
            let name = (1..found.len()).find_map(|group| found.get(group))?;
            let whole = found.get(0)?;
            let quoted = whole.as_str().contains('`');
            let named = quoted || is_named_like_branch(name.as_str(), &slice[whole.end()..]);
            (named && values::is_branch(name.as_str()) && !is_version(name.as_str())).then(|| place(name))
        })
    };
    let pairs: Vec<(Text, Text)> = if no_head || no_branch {
        BRANCH_AT
            .captures_iter(slice)
            .filter_map(|found| branch_at(&found))
            .filter(|(name, _)| !is_elsewhere(&slice[..name.start()]))
            .map(|(name, hash)| (place(name), place(hash)))
            .collect()
    } else {
        Vec::new()
    };
    // Where the trunk and a branch of the work are both named, the work stands on the branch.
    let of_the_work = pairs.iter().find(|(name, _)| !is_trunk(&name.text)).filter(|_| pairs.len() > 1).cloned();
    let head = no_head.then(head).flatten();
    let branch = no_branch.then(branch).flatten();
    let (branch, head) = match (of_the_work.filter(|_| no_head && no_branch), pairs.into_iter().next()) {
        (Some((name, hash)), _) => (Some(name), Some(hash)),
        (None, Some((name, hash))) => (branch.or(no_branch.then_some(name)), head.or(no_head.then_some(hash))),
        (None, None) => (branch, head),
    };
    let no_status = lacks(|tree| tree.status.is_some());
    let dirty = || no_status.then(|| DIRTY.find(slice)).flatten();
    let paths = dirty().map(|found| range.start + found.start()..range.start + found.end());
    let status = no_status.then(|| CLEAN.find(slice).or_else(dirty).map(place)).flatten();
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
    if let Some(range) = paths {
        changed(gather, 0, range, false);
    }
}
