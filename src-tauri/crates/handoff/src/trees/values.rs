//! What a label's value says: a branch with a commit behind it, a commit with its subject, a path.

use super::Fact;
use crate::{Span, Text, Tree, mention};

/// The place of a part of the value: offset and length in bytes.
pub(super) type Place<'a> = &'a dyn Fn(usize, usize) -> Option<Span>;

/// Sets one fact of a tree unless it is set. Returns whether the value made sense for the fact.
pub(super) fn set(tree: &mut Tree, fact: Fact, value: &str, place: Place<'_>) -> bool {
    match fact {
        Fact::Branch => branch(tree, value, place),
        Fact::Commit => commit(tree, value, place),
        Fact::Worktree if is_state(value) => set(tree, Fact::Status, value, place),
        Fact::Worktree => path(&mut tree.worktree, value, place, true),
        Fact::Root => path(&mut tree.root, value, place, false),
        Fact::Status => {
            let (text, at) = clean(value);
            let text = text.trim();
            if text.is_empty() || tree.status.is_some() {
                return !text.is_empty();
            }
            tree.status = Some(Text { text: text.to_owned(), span: place(at, text.len()) });
            true
        }
        Fact::Changed => false,
    }
}

/// `Worktree: clean` says how it is, not where.
fn is_state(value: &str) -> bool {
    let word = clean(value).0.to_lowercase();
    ["clean", "dirty", "modified", "unmodified", "uncommitted", "干净", "クリーン"]
        .iter()
        .any(|state| word.starts_with(state))
        && !word.contains('/')
}

fn branch(tree: &mut Tree, value: &str, place: Place<'_>) -> bool {
    let lower = value.to_lowercase();
    if lower.contains("detached") || token(value).is_some_and(|(name, _)| name == "HEAD") {
        tree.detached = true;
        if tree.head.is_none() {
            tree.head = hash_in(value, place);
        }
        // The words stay as they stand: no field holds them.
        return false;
    }
    let Some((name, at)) = token(value) else { return false };
    if !is_branch(name) {
        return false;
    }
    let (name, glued) = match name.split_once('@') {
        Some((name, hash)) if mention::is_hash(hash) => (name, Some((hash, at + name.len() + 1))),
        _ => (name, None),
    };
    if tree.branch.is_none() && !tree.detached {
        tree.branch = Some(Text { text: name.to_owned(), span: place(at, name.len()) });
    }
    if tree.head.is_none() {
        tree.head = match glued {
            Some((hash, at)) => Some(Text { text: hash.to_owned(), span: place(at, hash.len()) }),
            None => {
                let rest = at + name.len();
                let behind = &value[rest..];
                let names_it = ["@", " at ", "HEAD", "commit", "(", "（", "коммит", "コミット", "提交", "커밋"]
                    .iter()
                    .any(|word| behind.contains(word));
                names_it.then(|| hash_in(behind, &|from, length| place(rest + from, length))).flatten()
            }
        };
    }
    true
}

fn commit(tree: &mut Tree, value: &str, place: Place<'_>) -> bool {
    // The label says that it is a commit: a word of letters only counts too.
    let only = token(value).filter(|(word, _)| word.len() >= 7 && word.chars().all(|digit| digit.is_ascii_hexdigit()));
    let Some(hash) = mention::hashes(value).into_iter().next().or(only) else { return false };
    if tree.head.as_ref().is_some_and(|head| !hash.0.starts_with(head.text.as_str()) || head.text.len() >= hash.0.len())
    {
        // A second commit does not replace the first, but a longer form of it does.
        return tree.head.as_ref().is_some_and(|head| head.text.starts_with(hash.0));
    }
    let (text, at) = hash;
    tree.head = Some(Text { text: text.to_owned(), span: place(at, text.len()) });
    let before = value[..at].trim_matches(['`', '*', ' ', '(', '[']);
    let rest = &value[at + text.len()..];
    let lead =
        rest.len() - rest.trim_start_matches(['`', '*', ' ', '-', '–', '—', ':', ')', ']', '"', '“', '(', '（']).len();
    let subject =
        rest[lead..].trim_end_matches(['*', '`', '"', '”', ' ', ')', '）']).lines().next().unwrap_or_default();
    if before.is_empty() && tree.subject.is_none() && !subject.is_empty() && !subject.ends_with(" ago") {
        tree.subject = Some(Text { text: subject.to_owned(), span: place(at + text.len() + lead, subject.len()) });
    }
    true
}

fn path(slot: &mut Option<Text>, value: &str, place: Place<'_>, worktree: bool) -> bool {
    let (text, at) = clean(value);
    let text = match text.strip_prefix('`').and_then(|inner| inner.split_once('`')) {
        Some((inner, _)) => inner,
        None => text.split(" (").next().unwrap_or(text).trim(),
    };
    if text.is_empty() || text.len() > 400 {
        return false;
    }
    let better = match slot {
        None => true,
        Some(before) => worktree && !is_absolute(&before.text) && is_absolute(text),
    };
    if better {
        let at = at + value[at..].find(text).unwrap_or(0);
        *slot = Some(Text { text: text.to_owned(), span: place(at, text.len()) });
    }
    true
}

/// Whether a path says where it begins.
pub(super) fn is_absolute(path: &str) -> bool {
    let path = path.trim_start_matches(['`', ' ', '*']);
    path.starts_with(['/', '~']) || path.get(1..3).is_some_and(|drive| drive.starts_with(':'))
}

fn hash_in(value: &str, place: Place<'_>) -> Option<Text> {
    let (hash, at) = mention::hashes(value).into_iter().next()?;
    Some(Text { text: hash.to_owned(), span: place(at, hash.len()) })
}

/// The value without emphasis around it.
fn clean(value: &str) -> (&str, usize) {
    let lead = value.len() - value.trim_start_matches(['*', ' ', '\t']).len();
    let inner = value[lead..].trim_end().trim_end_matches("**").trim_end();
    match inner.strip_prefix('`').and_then(|inner| inner.strip_suffix('`')).filter(|inner| !inner.contains('`')) {
        Some(code) => (code, lead + 1),
        None => (inner, lead),
    }
}

/// The first word, or what stands in a code span.
fn token(value: &str) -> Option<(&str, usize)> {
    let (text, at) = clean(value);
    if let Some((inner, _)) = text.strip_prefix('`').and_then(|inner| inner.split_once('`')) {
        return Some((inner, at + 1));
    }
    let word = text.split([' ', '\t', ',', '，', '(', '（', ';', '\n']).next()?.trim_end_matches(['.', '。', '*']);
    Some((word, at))
}

/// Whether a word can be a branch: git's own rules, and no word that says there is none.
pub(super) fn is_branch(name: &str) -> bool {
    let bad = |character: char| {
        character.is_whitespace()
            || character.is_control()
            || matches!(character, '~' | '^' | ':' | '?' | '*' | '[' | '\\' | '<' | '{' | '"')
    };
    let none = ["none", "n/a", "-", "unknown", "tbd", "the", "is", "and", "was", "for", "of", "なし", "无"];
    !name.is_empty()
        && name.len() <= 250
        && !name.contains(bad)
        && !name.contains("..")
        && !name.starts_with('-')
        && !none.contains(&name.to_lowercase().as_str())
}
