//! The patterns of ignore files, matched on bytes. Ours, because libgit2 drops a pattern that takes back (`!name`)
//! what another file ignored, and so keeps silent about files that git lists.

// Source: git:Documentation/gitignore.txt and git:wildmatch.c, seen 2026-12.

/// One line of an ignore file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Pattern {
    glob: Vec<u8>,
    /// `!`: takes back what an earlier pattern ignored.
    pub(crate) takes_back: bool,
    folders_only: bool,
    /// Without a slash inside it is held against names at any depth, else against the path below its file.
    name_only: bool,
}

impl Pattern {
    /// Reads a line; `None` for blank lines and remarks.
    pub(crate) fn of(line: &[u8]) -> Option<Self> {
        let line = line.strip_suffix(b"\r").unwrap_or(line);
        if line.first().is_none_or(|first| *first == b'#') {
            return None;
        }
        let line = without_trailing_spaces(line);
        let (takes_back, glob) = line.strip_prefix(b"!").map_or((false, line), |rest| (true, rest));
        let (folders_only, glob) = glob.strip_suffix(b"/").map_or((false, glob), |rest| (true, rest));
        let name_only = !glob.contains(&b'/');
        let glob = glob.strip_prefix(b"/").unwrap_or(glob).to_vec();
        (!glob.is_empty()).then_some(Self { glob, takes_back, folders_only, name_only })
    }

    /// Whether it speaks of a path below the folder of its file.
    pub(crate) fn speaks_of(&self, path: &[u8], is_folder: bool, fold_case: bool) -> bool {
        if self.folders_only && !is_folder {
            return false;
        }
        let name = path.rsplit(|byte| *byte == b'/').next().unwrap_or(path);
        matches(&self.glob, if self.name_only { name } else { path }, fold_case)
    }
}

/// Spaces at the end do not count, but for one behind a backslash.
fn without_trailing_spaces(line: &[u8]) -> &[u8] {
    let mut end = 0;
    let mut at = 0;
    while at < line.len() {
        match line[at] {
            b' ' => at += 1,
            b'\\' => {
                at = (at + 2).min(line.len());
                end = at;
            }
            _ => {
                at += 1;
                end = at;
            }
        }
    }
    &line[..end]
}

/// How an attempt ended. What ran out of text ends every attempt that began further left, so that a hostile
/// pattern of many stars costs no more than its length times the text's.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Outcome {
    Match,
    No,
    OutOfText,
    /// Only a `**` further left can still take in more.
    ToDoubleStar,
}

/// Whether a glob covers the whole of a path. A star and a question mark never cover a slash, `**` does.
pub(crate) fn matches(glob: &[u8], path: &[u8], fold_case: bool) -> bool {
    attempt(glob, 0, path, fold_case) == Outcome::Match
}

fn attempt(glob: &[u8], mut at: usize, mut text: &[u8], fold: bool) -> Outcome {
    let folded = |byte: u8| if fold { byte.to_ascii_lowercase() } else { byte };
    while at < glob.len() {
        let Some((&first, rest)) = text.split_first() else {
            return if glob[at] == b'*' { star(glob, at, text, fold) } else { Outcome::OutOfText };
        };
        match glob[at] {
            b'*' => return star(glob, at, text, fold),
            b'?' if first == b'/' => return Outcome::No,
            b'?' => at += 1,
            b'[' => match class(glob, at + 1, first, fold) {
                None => return Outcome::OutOfText,
                Some((_, false)) => return Outcome::No,
                Some(_) if first == b'/' => return Outcome::No,
                Some((after, true)) => at = after,
            },
            byte => {
                let literal = if byte == b'\\' {
                    at += 1;
                    match glob.get(at) {
                        Some(byte) => *byte,
                        None => return Outcome::No,
                    }
                } else {
                    byte
                };
                if folded(literal) != folded(first) {
                    return Outcome::No;
                }
                at += 1;
            }
        }
        text = rest;
    }
    if text.is_empty() { Outcome::Match } else { Outcome::No }
}

/// A run of stars at `at`.
fn star(glob: &[u8], at: usize, mut text: &[u8], fold: bool) -> Outcome {
    let after = at + glob[at..].iter().take_while(|byte| **byte == b'*').count();
    let begins = at == 0 || glob[at - 1] == b'/';
    let ends = after == glob.len() || glob[after] == b'/';
    let over_slashes = after - at > 1 && begins && ends;
    if over_slashes && glob.get(after) == Some(&b'/') {
        // `**/` also stands for no folder at all. Where the rest runs out of text, less text is no better.
        match attempt(glob, after + 1, text, fold) {
            ended @ (Outcome::Match | Outcome::OutOfText) => return ended,
            Outcome::No | Outcome::ToDoubleStar => {}
        }
    }
    if after == glob.len() {
        let covered = over_slashes || !text.contains(&b'/');
        return if covered { Outcome::Match } else { Outcome::ToDoubleStar };
    }
    loop {
        match attempt(glob, after, text, fold) {
            Outcome::No => {}
            Outcome::ToDoubleStar if over_slashes => {}
            ended => return ended,
        }
        let Some((first, rest)) = text.split_first() else { return Outcome::OutOfText };
        if *first == b'/' && !over_slashes {
            return Outcome::ToDoubleStar;
        }
        text = rest;
    }
}

/// A bracket expression that begins behind `[`: where it ends, and whether it covers a byte. `None`: it never ends.
fn class(glob: &[u8], mut at: usize, byte: u8, fold: bool) -> Option<(usize, bool)> {
    let denied = matches!(glob.get(at), Some(b'!' | b'^'));
    at += usize::from(denied);
    let (lower, upper) = if fold { (byte.to_ascii_lowercase(), byte.to_ascii_uppercase()) } else { (byte, byte) };
    let within = |from: u8, to: u8| (from..=to).contains(&lower) || (from..=to).contains(&upper);
    let (mut covered, mut first, mut before) = (false, true, None);
    loop {
        let mut own = *glob.get(at)?;
        if own == b']' && !first {
            return Some((at + 1, covered != denied));
        }
        first = false;
        if own == b'-'
            && let Some(from) = before
            && glob.get(at + 1).is_some_and(|next| *next != b']')
        {
            let mut to = *glob.get(at + 1)?;
            at += 2;
            if to == b'\\' {
                to = *glob.get(at)?;
                at += 1;
            }
            covered |= within(from, to);
            before = None;
            continue;
        }
        if own == b'['
            && glob.get(at + 1) == Some(&b':')
            && let Some(length) = glob[at + 2..].iter().position(|byte| *byte == b']')
            && let Some(name) = glob[at + 2..at + 2 + length].strip_suffix(b":")
        {
            covered |= named_class(name, byte, fold)?;
            at += 2 + length + 1;
            before = None;
            continue;
        }
        if own == b'\\' {
            at += 1;
            own = *glob.get(at)?;
        }
        covered |= within(own, own);
        before = Some(own);
        at += 1;
    }
}

/// `None`: there is no class of this name, and the pattern matches nothing.
fn named_class(name: &[u8], byte: u8, fold: bool) -> Option<bool> {
    Some(match name {
        b"alnum" => byte.is_ascii_alphanumeric(),
        b"alpha" => byte.is_ascii_alphabetic(),
        b"blank" => matches!(byte, b' ' | b'\t'),
        b"cntrl" => byte.is_ascii_control(),
        b"digit" => byte.is_ascii_digit(),
        b"graph" => byte.is_ascii_graphic(),
        b"lower" => byte.is_ascii_lowercase() || fold && byte.is_ascii_uppercase(),
        b"print" => byte.is_ascii_graphic() || byte == b' ',
        b"punct" => byte.is_ascii_punctuation(),
        b"space" => byte.is_ascii_whitespace() || byte == 0x0b,
        b"upper" => byte.is_ascii_uppercase() || fold && byte.is_ascii_lowercase(),
        b"xdigit" => byte.is_ascii_hexdigit(),
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn globs_cover_what_git_says_they_do() {
        for (glob, path, covered) in [
            ("*.o", "a.o", true),
            ("*.o", "b/a.o", false),
            ("a/**", "a/b/c", true),
            ("a/**/c", "a/c", true),
            ("a/**/c", "a/x/y/c", true),
            ("**/b", "b", true),
            ("**/b/*.tmp", "x/y/b/a.tmp", true),
            ("a**b", "axxb", true),
            ("a**b", "a/b", false),
            ("a/*/c", "a/b/c", true),
            ("a/*/c", "a/b/x/c", false),
            ("[a-c]x", "bx", true),
            ("[!a-c]x", "bx", false),
            ("[]x]", "]", true),
            ("[[:digit:]]", "7", true),
            ("[[:nonsense:]]", "7", false),
            ("[a", "a", false),
            ("\\*", "*", true),
            ("\\*", "a", false),
            ("?", "/", false),
            ("a*", "a", true),
        ] {
            assert_eq!(matches(glob.as_bytes(), path.as_bytes(), false), covered, "{glob} {path}");
        }
        assert!(matches(b"READ[M]e", b"readme", true));
    }

    #[test]
    fn a_pattern_of_many_stars_ends() {
        let glob = [b"*a".repeat(60), b"b".to_vec()].concat();
        assert!(!matches(&glob, &b"a".repeat(5_000), false));
        let glob = [b"**/a/".repeat(60), b"b".to_vec()].concat();
        assert!(!matches(&glob, &b"a/".repeat(500), false));
    }

    #[test]
    fn lines_are_read_as_git_reads_them() {
        assert_eq!(Pattern::of(b"# remark"), None);
        assert_eq!(Pattern::of(b"   "), None);
        assert_eq!(Pattern::of(b"name  \r"), Pattern::of(b"name"));
        assert!(Pattern::of(b"\\#a").is_some_and(|pattern| pattern.speaks_of(b"x/#a", false, false)));
        assert!(Pattern::of(b"a\\ ").is_some_and(|pattern| pattern.speaks_of(b"a ", false, false)));
        assert!(Pattern::of(b"a/").is_some_and(|pattern| !pattern.speaks_of(b"a", false, false)));
        assert!(Pattern::of(b"/a").is_some_and(|pattern| !pattern.speaks_of(b"b/a", false, false)));
        assert!(Pattern::of(b"!a").is_some_and(|pattern| pattern.takes_back));
    }
}
