//! Labels that name the repository they speak of: `Backend branch: x`, `Branch (app): x`, `api: main @ 1a2b3c4`.
//! One such label is a remark; two or more different ones are several repositories.

use super::{Fact, fact, values};
use crate::constant::pattern;
use crate::formats::markdown::{Gather, Section};
use crate::headings::{Field, fold, normalise};
use crate::{Tree, mention};
use regex::Regex;
use std::ops::Range;
use std::sync::LazyLock;

/// Names in front of "branch" or "commit", or behind it in brackets, that are no repository.
const ROLES: &[&str] = &[
    "base",
    "target",
    "default",
    "deploy",
    "deployed",
    "release",
    "released",
    "production",
    "prod",
    "staging",
    "merge",
    "merged",
    "parent",
    "previous",
    "prior",
    "old",
    "new",
    "start",
    "starting",
    "end",
    "ending",
    "upstream",
    "remote",
    "origin",
    "main",
    "master",
    "pr",
    "protected",
    "accepted",
    "recorded",
    "short",
    "full",
    "clean",
    "dirty",
    "pushed",
    "unpushed",
    "verified",
    "detached",
    "first",
    "second",
    "this",
    "that",
    "backup",
    "integration",
    "source",
    "initial",
    "rollback",
    "tested",
    "stable",
    "development",
    "develop",
    "dev",
    "feature",
    "topic",
    "stacked",
    "important",
    "head",
    "for context",
    "at handoff",
    "at start",
    "at end",
    "to merge",
    "to delete",
    "if any",
    "optional",
    "final",
    "expected",
    "actual",
    "example",
    "next",
    "future",
    "planned",
    "related",
    "other",
    "unmerged",
    "stale",
];

/// `main @ 1a2b3c4`: a branch and the commit at its end.
static AT: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"^`?([\p{L}\p{N}][\p{L}\p{N}._/\-]*)`?\s*(?:@|\s(?:at|HEAD|commit)\s|\(|,\s*HEAD:?\s)\s*`?([0-9a-f]{7,40})\b",
    )
});
/// `backend \`main\``, one of several in a value.
static PAIR: LazyLock<Regex> =
    LazyLock::new(|| pattern(r"(?:^|[,;/]\s*|\sand\s+)([\p{L}][\p{L}\p{N}_-]{1,30})\s*[:=]?\s*`([^`\s]+)`"));

/// One fact of a named repository.
struct Said {
    name: String,
    facts: Vec<(Fact, Range<usize>)>,
    whole: Range<usize>,
    /// Whether the label names a git fact by itself; else only its value does.
    labelled: bool,
}

/// The facts of named repositories, in the order of the document.
#[derive(Default)]
pub(super) struct Named(Vec<Said>);

impl Named {
    /// Remembers a label when it names a repository. False when it is another kind of label.
    pub(super) fn add(&mut self, section: &Section, name: &str, value: &str, from: usize, whole: Range<usize>) -> bool {
        let all = from..from + value.trim_end().len();
        if let Some((repository, fact)) = repository(name) {
            self.0.push(Said { name: repository, facts: vec![(fact, all)], whole, labelled: true });
            return true;
        }
        let key = normalise(name);
        if matches!(fact(&key), Some(Fact::Branch)) || key == "branches" {
            let pairs: Vec<regex::Captures<'_>> = PAIR.captures_iter(value).collect();
            if pairs.len() < 2 || !value.trim_start().starts_with(char::is_alphabetic) {
                return false;
            }
            for pair in &pairs {
                if let (Some(name), Some(branch)) = (pair.get(1), pair.get(2)) {
                    let facts = vec![(Fact::Branch, from + branch.start()..from + branch.end())];
                    let name = name.as_str().to_owned();
                    self.0.push(Said { name, facts, whole: whole.clone(), labelled: true });
                }
            }
            return true;
        }
        // `api: main @ 1a2b3c4` where a section is about the tree.
        let about = section.fields.contains(&Field::Tree) || normalise(&section.heading).contains("repo");
        if !about || fact(&key).is_some() {
            return false;
        }
        let Some(found) = AT.captures(value) else { return false };
        let (Some(branch), Some(hash)) = (found.get(1), found.get(2)) else { return false };
        if !mention::is_hash(hash.as_str()) || mention::is_hash(branch.as_str()) || !values::is_branch(branch.as_str())
        {
            return false;
        }
        let place = |part: regex::Match<'_>| from + part.start()..from + part.end();
        let facts = vec![(Fact::Branch, place(branch)), (Fact::Commit, place(hash))];
        self.0.push(Said { name: name.trim().to_owned(), facts, whole, labelled: false });
        true
    }

    /// Gives each repository its tree. A single one is the only tree when a bracket named it, else a remark.
    pub(super) fn settle(self, gather: &mut Gather<'_>) {
        let mut names: Vec<String> = Vec::new();
        for said in &self.0 {
            if !names.iter().any(|name| fold(name) == fold(&said.name)) {
                names.push(said.name.clone());
            }
        }
        let one = names.len() < 2;
        if one
            && !(gather.handoff.trees.iter().all(|tree| tree.branch.is_none())
                && self.0.iter().any(|said| said.labelled))
        {
            return;
        }
        let known = gather.handoff.trees.first().is_some_and(|tree| tree.branch.is_some() || tree.head.is_some());
        let first = if known { gather.handoff.trees.len() } else { 0 };
        let (text, source) = (gather.text(), gather.source);
        for said in &self.0 {
            let index = names.iter().position(|name| fold(name) == fold(&said.name)).unwrap_or(0) + first;
            while gather.handoff.trees.len() <= index {
                gather.handoff.trees.push(Tree::default());
            }
            let Some(tree) = gather.handoff.trees.get_mut(index) else { continue };
            if !one {
                tree.name.get_or_insert_with(|| said.name.clone());
            }
            let mut understood = true;
            for (fact, range) in &said.facts {
                let place = |from: usize, length: usize| {
                    let from = (range.start + from).min(text.len());
                    Some(source.span(from, (from + length).min(text.len())))
                };
                understood &= values::set(tree, *fact, text.get(range.clone()).unwrap_or_default(), &place);
            }
            if understood {
                gather.take(said.whole.clone());
            }
        }
    }
}

/// The repository that a label names, and the fact: `Backend branch`, `Branch (app)`.
fn repository(label: &str) -> Option<(String, Fact)> {
    let label = label.trim();
    if let Some((head, inner)) = label.strip_suffix([')', '）']).and_then(|label| label.rsplit_once(['(', '（'])) {
        let fact = fact(&normalise(head)).filter(|fact| !matches!(fact, Fact::Changed | Fact::Status))?;
        return is_repository(inner).then(|| (inner.trim().to_owned(), fact));
    }
    let key = fold(label);
    let (head, noun) = key.rsplit_once(' ')?;
    let fact = match noun {
        "branch" => Fact::Branch,
        "head" | "commit" | "sha" => Fact::Commit,
        "worktree" => Fact::Worktree,
        "repo" | "repository" | "path" | "root" => Fact::Root,
        _ => return None,
    };
    if super::fact(&key).is_some() {
        return None;
    }
    let head = head.trim_end_matches(" last").trim_end_matches(" current").trim_end_matches(" repo");
    is_repository(head).then(|| (label.get(..head.len()).unwrap_or(head).to_owned(), fact))
}

fn is_repository(name: &str) -> bool {
    let name = fold(name);
    let words = name.split_whitespace().count();
    let plain = name.chars().all(|mark| mark.is_alphanumeric() || matches!(mark, '-' | '_' | '.' | '/' | ' '));
    let role = ROLES.contains(&name.as_str()) || name.split(' ').any(|word| ROLES.contains(&word));
    (1..=3).contains(&words) && plain && !role && !name.contains(|digit: char| digit.is_ascii_digit())
}
