//! Text of people inside the structure of ours: a line that would read as structure gets a backslash, and loses
//! exactly that one again when it is read.

/// Puts a backslash before what would read as structure at the start of a line.
pub(crate) fn escape(text: &str) -> String {
    by_line(text, |line, lead, rest| if is_structure(rest) { format!("{lead}\\{rest}") } else { line.to_owned() })
}

/// Takes those backslashes away, and no others.
pub(crate) fn unescape(text: &str) -> String {
    by_line(text, |line, lead, rest| match rest.strip_prefix('\\') {
        Some(plain) if is_structure(plain) => format!("{lead}{plain}"),
        _ => line.to_owned(),
    })
}

fn by_line(text: &str, change: impl Fn(&str, &str, &str) -> String) -> String {
    text.split('\n')
        .map(|line| {
            let rest = line.trim_start_matches([' ', '\t']);
            change(line, &line[..line.len() - rest.len()], rest)
        })
        .collect::<Vec<_>>()
        .join("\n")
}

/// Whether a line, its indentation aside, is more than words to a Markdown reader.
fn is_structure(line: &str) -> bool {
    let digits = line.trim_start_matches(|character: char| character.is_ascii_digit());
    let numbered = digits.len() < line.len() && is_marker(digits, &['.', ')']);
    let drawn =
        !line.is_empty() && line.chars().all(|mark| matches!(mark, '-' | '=' | '*' | '_' | '|' | ':' | ' ' | '\t'));
    line.starts_with(['#', '\\', '>', '|', '[', '<'])
        || line.starts_with("```")
        || line.starts_with("~~~")
        || is_marker(line, &['-', '*', '+'])
        || numbered
        || drawn
}

fn is_marker(line: &str, marks: &[char]) -> bool {
    line.strip_prefix(marks).is_some_and(|rest| rest.is_empty() || rest.starts_with([' ', '\t']))
}

/// Guards the separators inside a part that stands in front of one, so that the part is not cut at them: backslashes
/// in front of a separator are doubled, and one more says that it does not count.
pub(crate) fn guard(text: &str, separator: &str) -> String {
    let parts: Vec<&str> = text.split(separator).collect();
    let last = parts.len() - 1;
    let doubled = |part: &str| format!("{part}{}", "\\".repeat(backslashes(part)));
    let lead: String = parts[..last].iter().map(|part| format!("{}\\{separator}", doubled(part))).collect();
    lead + &doubled(parts[last])
}

/// Cuts at the first separator that is not guarded.
pub(crate) fn split_once<'a>(text: &'a str, separator: &str) -> Option<(&'a str, &'a str)> {
    let at = text.match_indices(separator).map(|(at, _)| at).find(|at| backslashes(&text[..*at]).is_multiple_of(2))?;
    Some((&text[..at], &text[at + separator.len()..]))
}

/// Takes the guards of a part away.
pub(crate) fn unguard(text: &str, separator: &str) -> String {
    let halved = |part: &str| part[..part.len() - backslashes(part).div_ceil(2)].to_owned();
    text.split(separator).map(halved).collect::<Vec<_>>().join(separator)
}

fn backslashes(text: &str) -> usize {
    text.len() - text.trim_end_matches('\\').len()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_was_escaped_is_unescaped() {
        for text in [
            "# a\n- b",
            "\\# a",
            "\\\\[x] b",
            "C:\\dir\n  1. one",
            "---",
            "a\n\n--",
            "\\u202e",
            "-x",
            "1.5 s",
            "`code`",
        ] {
            assert_eq!(unescape(&escape(text)), text);
        }
        assert_eq!(escape("-x --force"), "-x --force");
        assert_eq!(unescape("\\u202e"), "\\u202e");
    }

    #[test]
    fn a_guarded_separator_does_not_cut() {
        let guarded = guard("a: because b", ": because ");
        assert_eq!(split_once(&format!("{guarded}: because c"), ": because "), Some((guarded.as_str(), "c")));
        for text in ["a: because b", "a\\", "a\\\\: because \\", "a"] {
            let whole = format!("{}: because c", guard(text, ": because "));
            let (what, why) = split_once(&whole, ": because ").unwrap_or_default();
            assert_eq!((unguard(what, ": because ").as_str(), why), (text, "c"));
        }
    }
}
