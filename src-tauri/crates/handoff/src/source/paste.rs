//! A document that a terminal, a chat or a mail program shifted as a whole: indented, framed, quoted, or put into
//! one code block. Read as Markdown it would be code or a quote from its first line to its last.

use super::{Run, Source};
use std::ops::Range;

/// Lines of introduction that may stand before the shifted document.
const INTRODUCTION: usize = 3;
/// Blanks from which on Markdown takes a line for code.
const CODE: usize = 4;

impl<'a> Source<'a> {
    /// The same document without what was put around its lines; none when nothing was. Places still count bytes of
    /// the raw file.
    pub(crate) fn unwrapped(&self) -> Option<Source<'a>> {
        let kept = fenced(&self.text)
            .or_else(|| lines(&self.text, quoted))
            .or_else(|| lines(&self.text, framed))
            .or_else(|| indented(&self.text))?;
        let mut text = String::with_capacity(self.text.len());
        let mut runs = Vec::new();
        let mut index = 0;
        for range in kept {
            // Ranges and runs both come in order.
            while self.runs.get(index + 1).is_some_and(|next| next.text <= range.start) {
                index += 1;
            }
            let mut at = index;
            while let Some(run) = self.runs.get(at).filter(|run| run.text < range.end) {
                let end = self.runs.get(at + 1).map_or(self.text.len(), |next| next.text);
                let from = run.text.max(range.start);
                let to = end.min(range.end);
                let shift = if run.same { from - run.text } else { 0 };
                let raw_len = if run.same { to.saturating_sub(from) } else { run.raw_len };
                if from < to {
                    let place = text.len() + (from - range.start);
                    runs.push(Run { text: place, raw: run.raw + shift, raw_len, same: run.same });
                }
                at += 1;
            }
            text.push_str(&self.text[range]);
        }
        Some(Source { raw: self.raw, text, name: self.name, encoding: self.encoding, runs })
    }
}

/// All of the text in one fence that says it is Markdown.
fn fenced(text: &str) -> Option<Vec<Range<usize>>> {
    let start = text.len() - text.trim_start().len();
    let (first, rest) = text[start..].split_once('\n')?;
    let marks = first.len() - first.trim_start_matches('`').len();
    let named = matches!(first[marks..].trim(), "markdown" | "md");
    if marks < 3 || !named {
        return None;
    }
    let inner = start + first.len() + 1;
    let last = rest.trim_end().rfind('\n').map_or(inner, |at| inner + at + 1);
    let closes = text[last..].trim() == "`".repeat(marks);
    closes.then(|| std::iter::once(inner..last).collect())
}

/// The inner parts of lines that all stand in the same kind of frame.
fn lines(text: &str, inner: fn(&str) -> Option<Range<usize>>) -> Option<Vec<Range<usize>>> {
    let mut kept = Vec::new();
    let (mut at, mut some, mut named) = (0, 0_usize, false);
    for line in text.split_inclusive('\n') {
        let body = line.trim_end_matches(['\n', '\r']);
        if body.trim().is_empty() {
            kept.push(at..at + line.len());
        } else {
            let part = inner(body)?;
            named |= begins_section(body[part.clone()].trim_start());
            some += 1;
            kept.push(at + part.start..at + part.end);
            kept.push(at + body.len()..at + line.len());
        }
        at += line.len();
    }
    (some >= 3 && named).then_some(kept)
}

fn quoted(line: &str) -> Option<Range<usize>> {
    let rest = line.strip_prefix('>')?;
    let rest = rest.strip_prefix(' ').unwrap_or(rest);
    Some(line.len() - rest.len()..line.len())
}

fn framed(line: &str) -> Option<Range<usize>> {
    let trimmed = line.trim();
    let edge = |mark: char| {
        matches!(mark, '─' | '━' | '═' | '╭' | '╮' | '╰' | '╯' | '┌' | '┐' | '└' | '┘' | '╔' | '╗' | '╚' | '╝')
    };
    if trimmed.chars().all(edge) {
        return Some(line.len()..line.len());
    }
    let from = line.len() - line.trim_start().len();
    let rest = line[from..].strip_prefix(['│', '┃', '║'])?;
    let inner = rest.trim_end().strip_suffix(['│', '┃', '║']).unwrap_or(rest).trim_end();
    let inner = inner.strip_prefix(' ').unwrap_or(inner);
    let start = line.len() - rest.len() + usize::from(rest.starts_with(' ') && rest.len() > 1);
    Some(start.min(line.len())..(start + inner.len()).min(line.len()))
}

/// Every line indented as code, but for a short introduction.
fn indented(text: &str) -> Option<Vec<Range<usize>>> {
    let indent = |line: &str| line.len() - line.trim_start_matches([' ', '\t']).len();
    let is_code = |line: &str| line.starts_with('\t') || line.len() - line.trim_start_matches(' ').len() >= CODE;
    let (mut before, mut least, mut named) = (0, usize::MAX, false);
    let mut blank = true;
    for line in text.lines() {
        if line.trim().is_empty() {
            blank = true;
            continue;
        }
        if is_code(line) {
            least = least.min(indent(line));
            named |= begins_section(line.trim_start());
        } else if least == usize::MAX && before < INTRODUCTION && !line.starts_with(['#', '-', '*', '`', '|', '>', '<'])
        {
            before += 1;
        } else if least == usize::MAX || blank || indent(line) > 0 || line.starts_with('#') {
            return None;
        }
        // A wrapped line that lost its indent still belongs to the one above.
        blank = false;
    }
    if least == usize::MAX || !named {
        return None;
    }
    let mut kept = Vec::new();
    let mut at = 0;
    for line in text.split_inclusive('\n') {
        let skip = if is_code(line) { least.min(indent(line)) } else { 0 };
        kept.push(at + skip..at + line.len());
        at += line.len();
    }
    Some(kept)
}

/// A heading, or a label on a line of its own.
fn begins_section(line: &str) -> bool {
    let heading = line.trim_start_matches('#');
    (heading.len() < line.len() && heading.starts_with(' '))
        || line.trim_end().strip_suffix([':', '：']).is_some_and(|name| !crate::headings::known(name).is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_count_bytes_of_the_file_that_was_indented() {
        let text = "\u{feff}    # Übergabe\r\n    ## Done\r\n    - ä\r\n";
        let source = Source::new(text.as_bytes(), "x.md").unwrapped().expect("shifted");
        assert_eq!(source.text, "# Übergabe\r\n## Done\r\n- ä\r\n");
        let at = source.text.find('ä').expect("an item");
        let span = source.span(at, at + 'ä'.len_utf8());
        assert_eq!(&text.as_bytes()[span.range()], "ä".as_bytes());
    }

    #[test]
    fn ordinary_documents_are_not_unwrapped() {
        for text in
            ["# H\n\n    # code\n", "> a quote\n\nwords\n", "Run:\n\n    make\n", "```\n# Next\n```\nwords\n", ""]
        {
            assert!(Source::new(text.as_bytes(), "x.md").unwrapped().is_none(), "{text}");
        }
    }
}
