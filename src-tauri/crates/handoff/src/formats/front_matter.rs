//! Front matter: the block between two `---` lines. Read line by line, so that every value has its place and a
//! block that is no valid YAML still gives its simple lines; a YAML parser with tight budgets says whether it is.

use crate::source::Source;
use crate::{Finding, Severity, Span, Text};
use std::ops::Range;

/// One top-level `key: value` of a front matter.
#[derive(Clone, Debug)]
pub(crate) struct Pair {
    pub key: String,
    /// The value without quotes and comment; continuation lines are joined by line breaks.
    pub value: Text,
    /// The whole line or lines.
    pub span: Span,
    /// The same in bytes of the text.
    pub range: Range<usize>,
}

/// A front matter and where the body begins.
pub(crate) struct FrontMatter {
    pub pairs: Vec<Pair>,
    /// Between the two lines, in bytes of the text.
    pub inner: Range<usize>,
    /// Byte of the text at which the body begins.
    pub body: usize,
    /// Whether the closing line is missing.
    pub open: bool,
    pub findings: Vec<Finding>,
}

/// Reads the front matter at the start of the text, if there is one.
pub(crate) fn read(source: &Source<'_>) -> Option<FrontMatter> {
    let text = source.text.as_str();
    let first = text.lines().next()?;
    if first.trim_end() != "---" {
        return None;
    }
    let start = line_end(text, 0);
    let mut at = start;
    let mut close = None;
    while at < text.len() {
        let end = line_end(text, at);
        if matches!(text[at..end].trim_end(), "---" | "...") {
            close = Some((at, end));
            break;
        }
        at = end;
    }
    let headed = if close.is_none() { first_heading(text, start) } else { None };
    let open = close.is_none() && headed.is_none();
    let (inner_end, body) = close.or(headed.map(|at| (at, at))).unwrap_or((text.len(), text.len()));
    let inner = &text[start..inner_end];
    let pairs = pairs(source, start, inner_end);
    // A rule at the top of an ordinary file is no front matter.
    let looks_like_keys = inner.lines().find(|line| !line.trim().is_empty()).is_some_and(|line| {
        line.split_once(':').is_some_and(|(key, _)| !key.trim().is_empty() && key.chars().count() <= 40)
            || line.starts_with('#')
    });
    if !looks_like_keys {
        return None;
    }
    let mut findings = Vec::new();
    let valid = match headed {
        Some(_) => Err("its closing line is missing".to_owned()),
        None => super::yaml::check(inner),
    };
    if !open && let Err(reason) = valid {
        findings.push(
                Finding::new(
                    Severity::Warning,
                    "front-matter-unreadable",
                    format!("The front matter is not valid YAML ({reason}). Its simple lines were read; the block is kept as it stands."),
                )
                .at(source.span(start, inner_end)),
            );
    }
    Some(FrontMatter { pairs, inner: start..inner_end, body, open, findings })
}

/// Where the body begins when the closing line was forgotten: the first heading with more below it.
fn first_heading(text: &str, start: usize) -> Option<usize> {
    let mut keys = 0;
    let mut at = start;
    while at < text.len() {
        let end = line_end(text, at);
        let line = text[at..end].trim_end();
        if keys > 0 && line.starts_with('#') && line.trim_start_matches('#').starts_with(' ') {
            let below = text[end..].lines();
            let more = below.filter(|line| line.starts_with('#') || line.starts_with("- ")).count();
            return (more > 0).then_some(at);
        }
        keys += usize::from(line.contains(':'));
        at = end;
    }
    None
}

fn pairs(source: &Source<'_>, from: usize, to: usize) -> Vec<Pair> {
    let text = source.text.as_str();
    let mut pairs: Vec<Pair> = Vec::new();
    let mut at = from;
    while at < to {
        let end = line_end(text, at).min(to);
        let line = text[at..end].trim_end_matches(['\n', '\r']);
        let indented = line.starts_with([' ', '\t']) || line.starts_with("- ");
        if indented || line.trim_start().starts_with('#') || line.trim().is_empty() {
            if let (true, Some(last)) = (indented && !line.trim().is_empty(), pairs.last_mut()) {
                if !last.value.text.is_empty() {
                    last.value.text.push('\n');
                }
                last.value.text.push_str(unquote(line.trim().trim_start_matches("- ")));
                last.span.to = source.span(at, at + line.len()).to;
                last.range.end = at + line.len();
            }
        } else if let Some((key, value)) = line.split_once(':') {
            let value_start = at + key.len() + 1 + (value.len() - value.trim_start().len());
            let value = strip_comment(value.trim());
            let plain = unquote(value);
            let value_from = value_start + if plain.len() < value.len() { 1 } else { 0 };
            pairs.push(Pair {
                key: key.trim().trim_matches(['"', '\'']).to_owned(),
                value: Text {
                    text: unescape(plain, value),
                    span: Some(source.span(value_from, value_from + plain.len())),
                },
                span: source.span(at, at + line.len()),
                range: at..at + line.len(),
            });
        }
        at = end;
    }
    pairs
}

fn strip_comment(value: &str) -> &str {
    let quoted = value.chars().next().filter(|first| matches!(first, '"' | '\''));
    let from = quoted.and_then(|quote| closing(value, quote)).unwrap_or(0);
    if quoted.is_some() && from == 0 {
        return value;
    }
    value[from..].find(" #").map_or(value, |at| value[..from + at].trim_end())
}

/// The byte behind the quote that closes the first one.
fn closing(value: &str, quote: char) -> Option<usize> {
    let mut escaped = false;
    for (at, character) in value.char_indices().skip(1) {
        if character == quote && !escaped {
            return Some(at + 1);
        }
        escaped = character == '\\' && quote == '"' && !escaped;
    }
    None
}

fn unquote(value: &str) -> &str {
    for quote in ['"', '\''] {
        if let Some(inner) = value.strip_prefix(quote).and_then(|value| value.strip_suffix(quote)) {
            return inner;
        }
    }
    value
}

fn unescape(plain: &str, quoted: &str) -> String {
    if quoted.starts_with('"') && plain.contains('\\') {
        return serde_json::from_str(quoted).unwrap_or_else(|_| plain.to_owned());
    }
    if quoted.starts_with('\'') {
        return plain.replace("''", "'");
    }
    plain.to_owned()
}

/// The byte after the line that begins at `from`.
pub(crate) fn line_end(text: &str, from: usize) -> usize {
    text[from..].find('\n').map_or(text.len(), |at| from + at + 1)
}
