//! What the text of a safety rule asks for, as far as a program can refuse it. A rule is cut into clauses and parts;
//! a part counts only when every word of it is understood, so that "never commit secrets" is not read as "never
//! commit". What is left over is words only, and says so.

use super::vocabulary::{VOCABULARY, Word};
use std::path::{Component, Path};
use std::sync::OnceLock;

/// What a rule refuses.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// Any push.
    Push,
    /// A push with force.
    ForcePush,
    /// A commit.
    Commit,
    /// Merge, rebase, reset and other changes of history.
    Rewrite,
    /// Deleting files.
    Delete,
    /// The network.
    Network,
    /// Installing or changing dependencies.
    Install,
    /// Database migrations.
    Migrate,
    /// Publishing a package or release.
    Publish,
    /// Changing anything.
    ReadOnly,
    /// Changing what lies at a path, relative to the folder or absolute.
    Touch(String),
    /// Reading what lies at a path.
    Read(String),
    /// Running a command that begins so.
    Run(String),
}

/// What was understood of one rule.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Meaning {
    /// What it refuses.
    pub kinds: Vec<Kind>,
    /// Whether something is left that no program can refuse.
    pub rest: bool,
    /// Whether it speaks of a person's word.
    pub approval: bool,
    /// Whether it speaks of one branch or place only.
    pub qualified: bool,
    /// Every kind that is named at all, understood or not: what a permission may be about.
    pub named: Vec<Kind>,
}

/// Reads a rule.
pub(crate) fn meaning(text: &str) -> Meaning {
    let mut all = Meaning::default();
    for clause in clauses(text) {
        let tokens = tokens(clause);
        let spoken: Vec<&Token> =
            tokens.iter().take_while(|token| !matches!(token, Token::Word(Word::Reason))).collect();
        // A condition counts wherever it stands, behind a reason or in brackets too.
        let has = |word: Word| tokens.contains(&Token::Word(word));
        let conditional = has(Word::Condition) && !has(Word::Approval);
        all.approval |= has(Word::Approval);
        all.qualified |= spoken.iter().any(|token| **token == Token::Word(Word::Qualifier));
        for part in spoken.split(|token| **token == Token::Word(Word::And)) {
            let read = part_meaning(part);
            all.named.extend(read.kinds.iter().cloned().chain(read.named));
            if read.kinds.is_empty() || read.rest || conditional {
                all.rest |= !part.is_empty() && part.iter().any(|token| !is_filler(token));
            } else {
                all.kinds.extend(read.kinds);
            }
        }
        // "migrations/ and Cargo.lock stay": the verb stands in one part, the paths in several.
        spread_verb(&spoken, conditional, &mut all);
    }
    all.kinds.dedup();
    all
}

fn is_filler(token: &Token) -> bool {
    matches!(
        token,
        Token::Word(Word::Noise | Word::Approval | Word::Condition | Word::Everything | Word::Qualifier | Word::And)
    )
}

/// Lists of paths and of commands share one verb: "do not touch a/, b/ or c/".
fn spread_verb(spoken: &[&Token], conditional: bool, all: &mut Meaning) {
    let unknown = spoken.iter().any(|token| matches!(token, Token::Other(_)));
    let touches = spoken.iter().any(|token| **token == Token::Word(Word::Touch));
    if unknown || conditional || !touches {
        return;
    }
    let paths = spoken.iter().filter_map(|token| match token {
        Token::Path(path) => Some(Kind::Touch(path.clone())),
        _ => None,
    });
    let mut added = false;
    for kind in paths {
        if !all.kinds.contains(&kind) {
            all.kinds.push(kind);
            added = true;
        }
    }
    let parts = spoken.split(|token| **token == Token::Word(Word::And));
    let understood = parts.clone().all(|part| {
        let read = part_meaning(part);
        !read.kinds.is_empty()
            || part.iter().all(|token| is_filler(token) || matches!(token, Token::Path(_) | Token::Word(Word::Touch)))
    });
    if added && understood {
        all.rest = false;
    }
}

fn part_meaning(part: &[&Token]) -> Meaning {
    let has = |word: Word| part.iter().any(|token| **token == Token::Word(word));
    let mut read = Meaning::default();
    let mut single = Vec::new();
    for token in part {
        match token {
            Token::Word(word) => read.kinds.extend(word.kind()),
            Token::Path(path) => single.push(path.clone()),
            Token::Command(command) => read.kinds.push(Kind::Run(command.clone())),
            Token::Other(_) => read.rest = true,
        }
    }
    if has(Word::Force) {
        match read.kinds.iter().position(|kind| *kind == Kind::Push) {
            Some(at) => read.kinds[at] = Kind::ForcePush,
            None => read.kinds.push(Kind::ForcePush),
        }
    }
    if !single.is_empty() {
        let deletes = read.kinds.contains(&Kind::Delete);
        let other = read.kinds.iter().any(|kind| *kind != Kind::Delete && *kind != Kind::Migrate);
        if has(Word::Touch) || deletes {
            read.kinds.retain(|kind| !matches!(kind, Kind::Delete | Kind::Migrate));
            read.kinds.extend(single.into_iter().map(Kind::Touch));
        } else if has(Word::Read) {
            read.kinds.extend(single.into_iter().map(Kind::Read));
        } else {
            // "never commit .env": the command is about that path only, which no flag can tell.
            read.rest |= other || !single.is_empty();
        }
    } else if has(Word::Touch) && read.kinds.is_empty() {
        read.kinds.push(Kind::ReadOnly);
    }
    if read.rest {
        read.named = std::mem::take(&mut read.kinds);
    }
    read
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Token {
    Word(Word),
    Path(String),
    Command(String),
    Other(String),
}

fn clauses(text: &str) -> Vec<&str> {
    let mut clauses = Vec::new();
    let mut from = 0;
    let mut quoted = false;
    let bytes = text.as_bytes();
    for (at, character) in text.char_indices() {
        let next = bytes.get(at + character.len_utf8()).copied();
        let ends = match character {
            '`' => {
                quoted = !quoted;
                false
            }
            '。' | '；' | ';' | '！' | '!' | '\n' => true,
            '.' | ':' => next.is_none_or(|next| next.is_ascii_whitespace()),
            _ => false,
        };
        if ends && !quoted {
            clauses.push(&text[from..at]);
            from = at + character.len_utf8();
        }
    }
    clauses.push(&text[from..]);
    clauses.retain(|clause| !clause.trim().is_empty());
    clauses
}

fn tokens(clause: &str) -> Vec<Token> {
    let lower: String = clause.chars().map(|character| character.to_lowercase().next().unwrap_or(character)).collect();
    // Lower case of some letters is longer; then places do not agree and only the lower text is used.
    let clause = if lower.len() == clause.len() { clause } else { lower.as_str() };
    let mut tokens = Vec::new();
    let mut at = 0;
    while let Some(character) = lower[at..].chars().next() {
        let width = character.len_utf8();
        if character == '`' {
            let inside = clause[at + 1..].find('`').map(|end| &clause[at + 1..at + 1 + end]);
            if let Some(inside) = inside {
                tokens.push(quoted(inside));
                at += inside.len() + 2;
                continue;
            }
        }
        if character.is_whitespace() || "\"'.:?!*_[]）)「」『』“”‘’".contains(character) && !starts_path(&lower[at..])
        {
            at += width;
            continue;
        }
        let run = run_of(&clause[at..]);
        if let Some((word, length)) = longest_word(&lower[at..], run.len()) {
            tokens.push(Token::Word(word));
            at += length;
        } else if let Some(path) = as_path(run) {
            tokens.push(Token::Path(path));
            at += run.len();
        } else {
            let length = if run.is_empty() { width } else { run.len() };
            tokens.push(Token::Other(clause[at..at + length].to_owned()));
            at += length;
        }
    }
    tokens
}

fn starts_path(text: &str) -> bool {
    let rest = text.trim_start_matches('.');
    rest.len() < text.len() && rest.starts_with(|next: char| next.is_ascii_alphanumeric() || next == '/')
}

/// The word or path that begins here: letters of languages that write spaces, and what stands inside a path.
fn run_of(text: &str) -> &str {
    let end = text.find(|character: char| !in_run(character)).unwrap_or(text.len());
    text[..end].trim_end_matches(['.', ':', '-'])
}

fn in_run(character: char) -> bool {
    !is_unspaced(character) && (character.is_alphanumeric() || "./_-~*@+'’".contains(character))
}

fn is_unspaced(character: char) -> bool {
    matches!(u32::from(character), 0x2E80..=0x9FFF | 0xAC00..=0xD7AF | 0xF900..=0xFAFF | 0xFF00..=0xFFEF | 0x1100..=0x11FF)
}

/// The longest phrase of the vocabulary that begins here. One of a language with spaces ends where its word ends.
fn longest_word(text: &str, run: usize) -> Option<(Word, usize)> {
    let mut best: Option<(Word, usize)> = None;
    for (word, phrase) in phrases() {
        if !text.starts_with(phrase) || best.is_some_and(|(_, length)| length >= phrase.len()) {
            continue;
        }
        let last = phrase.chars().next_back().unwrap_or(' ');
        let spaced = in_run(last) && !matches!(*phrase, "/" | "+");
        let ends = !spaced || phrase.len() == run || {
            let rest = &text[phrase.len()..];
            !rest.starts_with(in_run) || run_of(rest).is_empty()
        };
        if ends && (*phrase != "/" || run <= 1) {
            best = Some((*word, phrase.len()));
        }
    }
    best
}

fn phrases() -> &'static [(Word, &'static str)] {
    static ALL: OnceLock<Vec<(Word, &'static str)>> = OnceLock::new();
    ALL.get_or_init(|| VOCABULARY.iter().flat_map(|(word, all)| all.split('|').map(move |one| (*word, one))).collect())
}

/// What stands in back quotes: words of ours, a path, or a command.
fn quoted(inside: &str) -> Token {
    let trimmed = inside.trim();
    let words = tokens_of_command(trimmed);
    if let Some(word) = words {
        return Token::Word(word);
    }
    if !trimmed.contains(char::is_whitespace) {
        if let Some(path) = as_path(trimmed) {
            return Token::Path(path);
        }
        return match longest_word(&trimmed.to_lowercase(), trimmed.len()) {
            Some((word, length)) if length == trimmed.len() => Token::Word(word),
            _ if is_name(trimmed) => Token::Path(trimmed.to_owned()),
            _ => Token::Other(trimmed.to_owned()),
        };
    }
    let plain = trimmed.bytes().all(|byte| byte.is_ascii_alphanumeric() || b" _-./:=@".contains(&byte));
    if plain && trimmed.len() <= 120 { Token::Command(trimmed.to_owned()) } else { Token::Other(trimmed.to_owned()) }
}

/// Commands that are better known by their kind.
fn tokens_of_command(text: &str) -> Option<Word> {
    let text = text.to_lowercase();
    let words: Vec<&str> = text.split_whitespace().collect();
    Some(match words.as_slice() {
        ["git", "push", rest @ ..] if rest.iter().any(|word| word.starts_with("--force") || *word == "-f") => {
            Word::Force
        }
        ["git", "push", ..] => Word::Push,
        ["git", "commit"] => Word::Commit,
        ["rm"] | ["rm", "-rf" | "-r" | "-fr"] => Word::Delete,
        ["git", "rebase" | "merge" | "reset"] | ["git", "reset", "--hard"] => Word::Rewrite,
        _ => return None,
    })
}

fn is_name(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"_-.".contains(&byte))
}

/// A path that may stand in a rule: plain characters, inside the folder or absolute, never upwards.
fn as_path(run: &str) -> Option<String> {
    let run = run.trim_end_matches(',');
    let has_slash = run.contains('/');
    let dotted = run.rsplit_once('.').is_some_and(|(before, end)| {
        (1..=8).contains(&end.len())
            && end.bytes().all(|byte| byte.is_ascii_alphanumeric())
            && end.bytes().any(|byte| byte.is_ascii_alphabetic())
            && (before.is_empty()
                || before.bytes().last().is_some_and(|byte| byte.is_ascii_alphanumeric() || b"*_".contains(&byte)))
    });
    let plain = run.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"./_-~*@+".contains(&byte)) && run.len() <= 200;
    let upwards = Path::new(run).components().any(|part| part == Component::ParentDir);
    let nothing = run.bytes().all(|byte| b"./*~".contains(&byte));
    ((has_slash || dotted) && plain && !upwards && !nothing).then(|| run.trim_start_matches("./").to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kinds(text: &str) -> Vec<Kind> {
        meaning(text).kinds
    }

    #[test]
    fn common_rules_are_understood_in_several_languages() {
        for (text, expected) in [
            ("Do not push.", vec![Kind::Push]),
            ("git push", vec![Kind::Push]),
            ("Never push to origin", vec![Kind::Push]),
            ("No force-push", vec![Kind::ForcePush]),
            ("Never run `git push --force`", vec![Kind::ForcePush]),
            ("Do not push or commit", vec![Kind::Push, Kind::Commit]),
            ("プッシュ禁止", vec![Kind::Push]),
            ("コミットしないこと", vec![Kind::Commit]),
            ("ファイルを削除しない", vec![Kind::Delete]),
            ("不要推送", vec![Kind::Push]),
            ("禁止删除文件", vec![Kind::Delete]),
            ("푸시 금지", vec![Kind::Push]),
            ("Nicht pushen", vec![Kind::Push]),
            ("ne jamais pousser", vec![Kind::Push]),
            ("No network access", vec![Kind::Network]),
            ("Read only.", vec![Kind::ReadOnly]),
            ("Do not edit any files", vec![Kind::ReadOnly]),
            ("Do not touch infra/", vec![Kind::Touch("infra/".into())]),
            ("config/production.yml は変更しない", vec![Kind::Touch("config/production.yml".into())]),
            (
                "Never edit `Cargo.lock`, migrations/ or .env",
                vec![Kind::Touch("Cargo.lock".into()), Kind::Touch("migrations/".into()), Kind::Touch(".env".into())],
            ),
            ("Do not read .env", vec![Kind::Read(".env".into())]),
            ("Never run `terraform apply`", vec![Kind::Run("terraform apply".into())]),
            ("Do not install packages", vec![Kind::Install, Kind::Install]),
            ("Ask before running migrations", vec![Kind::Migrate]),
        ] {
            let mut found = kinds(text);
            found.dedup();
            let mut expected = expected;
            expected.dedup();
            assert_eq!(found, expected, "{text}");
            assert!(!meaning(text).rest, "{text}: nothing is left over");
        }
    }

    #[test]
    fn a_rule_about_something_narrower_is_left_as_words() {
        for text in [
            "Never commit secrets",
            "Never commit .env",
            "Do not push without running the tests",
            "Do not change the public API",
            "Only edit files under src/parser",
            "Do not touch anything outside src/",
            "テストが通るまでプッシュしない",
            "At most 3 files",
            "Never skip the commit hooks",
            "Do not delete user accounts",
            "Do not merge until CI is green",
        ] {
            let read = meaning(text);
            assert_eq!(read.kinds, Vec::new(), "{text}");
            assert!(read.rest, "{text}");
        }
    }

    #[test]
    fn what_is_understood_of_a_mixed_rule_is_taken_and_the_rest_said() {
        let read = meaning("Do not push. Do not change the public API.");
        assert_eq!(read.kinds, vec![Kind::Push]);
        assert!(read.rest);
        let read = meaning("Do not push (CI deploys from every branch)");
        assert_eq!(read.kinds, vec![Kind::Push]);
        assert!(!read.rest, "a reason is no rule");
    }

    #[test]
    fn a_persons_word_is_told_from_a_condition() {
        let read = meaning("Do not push without asking");
        assert!(read.approval);
        assert_eq!(read.kinds, vec![Kind::Push]);
        let read = meaning("Never push to main");
        assert!(read.qualified);
    }

    #[test]
    fn a_path_never_leads_upwards() {
        assert_eq!(kinds("Do not touch ../other/"), Vec::new());
        assert_eq!(kinds("Do not touch $(id)/x"), Vec::new());
    }
}
