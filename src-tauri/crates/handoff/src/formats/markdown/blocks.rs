//! Markdown as blocks with byte ranges. Headings inside fences, indented code and HTML are no headings.

use pulldown_cmark::{CodeBlockKind, Event, Options, Parser, Tag, TagEnd};
use std::ops::Range;

/// Nesting deeper than this is kept as text of the item that holds it.
const DEEPEST: usize = 24;

/// A block; ranges are bytes of the text that was parsed, shifted by the given base.
#[derive(Clone, Debug)]
pub(crate) enum Block {
    Heading { level: u8, text: String, range: Range<usize> },
    Paragraph { range: Range<usize> },
    List { items: Vec<ListItem>, range: Range<usize> },
    Table { header: Vec<String>, rows: Vec<Row>, range: Range<usize> },
    Code { content: Range<usize>, range: Range<usize>, closed: bool },
    Quote { range: Range<usize> },
    Html { range: Range<usize> },
    Rule { range: Range<usize> },
}

impl Block {
    pub(crate) fn range(&self) -> Range<usize> {
        match self {
            Block::Heading { range, .. }
            | Block::Paragraph { range }
            | Block::List { range, .. }
            | Block::Table { range, .. }
            | Block::Code { range, .. }
            | Block::Quote { range }
            | Block::Html { range }
            | Block::Rule { range } => range.clone(),
        }
    }
}

/// A list item: its own text, then the lists inside it.
#[derive(Clone, Debug)]
pub(crate) struct ListItem {
    /// From after the marker to the end of its own text, nested lists left out.
    pub own: Range<usize>,
    /// From after the marker to the end of everything in it.
    pub whole: Range<usize>,
    pub children: Vec<ListItem>,
}

/// A body row of a table.
#[derive(Clone, Debug)]
pub(crate) struct Row {
    pub cells: Vec<String>,
    pub range: Range<usize>,
}

/// Parses the text between two bytes into blocks. A `KEY:` line right below a list begins something new, where
/// Markdown alone would make it part of the last item.
pub(crate) fn blocks(text: &str, within: Range<usize>) -> Vec<Block> {
    let mut found = Vec::new();
    let mut from = within.start;
    for cut in keys_below_lists(text, within.clone()) {
        found.extend(parsed(text, from..cut));
        from = cut;
    }
    found.extend(parsed(text, from..within.end));
    found
}

fn keys_below_lists(text: &str, within: Range<usize>) -> Vec<usize> {
    let mut cuts = Vec::new();
    let (mut at, mut fenced, mut below_item) = (within.start, false, false);
    for line in text[within].split_inclusive('\n') {
        let body = line.trim();
        fenced ^= body.starts_with("```") || body.starts_with("~~~");
        let key = line.split_once(':').is_some_and(|(key, _)| {
            (3..=30).contains(&key.len())
                && key.starts_with(|first: char| first.is_ascii_uppercase())
                && key.bytes().all(|byte| byte.is_ascii_uppercase() || matches!(byte, b'_' | b' ' | b'-' | b'/'))
        });
        let key = key || is_label_below(line);
        if key && below_item && !fenced {
            cuts.push(at);
        }
        below_item = !body.is_empty()
            && !key
            && (below_item
                || body.starts_with(['-', '*', '+'])
                || body.starts_with(|digit: char| digit.is_ascii_digit()));
        at += line.len();
    }
    cuts
}

/// A known label alone on a line that begins at the margin: `Constraints:` or `— State:`.
fn is_label_below(line: &str) -> bool {
    let bare = line.trim_end().trim_start_matches(['—', '–']);
    let margin = line.len() == line.trim_start().len();
    let name = bare.trim_start().trim_matches('*').strip_suffix([':', '：']);
    margin
        && line.len() <= 80
        && name.is_some_and(|name| {
            !name.starts_with(['-', '+', '#', '>', '|']) && !crate::headings::known(name).is_empty()
        })
}

fn parsed(text: &str, within: Range<usize>) -> Vec<Block> {
    let options = Options::ENABLE_TABLES | Options::ENABLE_STRIKETHROUGH;
    let slice = &text[within.clone()];
    let mut parser = Parser::new_ext(slice, options).into_offset_iter();
    let mut blocks = Vec::new();
    while let Some((event, range)) = parser.next() {
        let range = range.start + within.start..range.end + within.start;
        match event {
            Event::Start(Tag::Heading { level, .. }) => {
                let heading = inner_text(text, &range);
                skip(&mut parser);
                let range = trim_end(text, range);
                match underlined_paragraph(text, &range) {
                    // A rule right below a paragraph makes a heading of it; nobody means that below metadata.
                    Some(end) => {
                        blocks.push(Block::Paragraph { range: trim_end(text, range.start..end) });
                        blocks.push(Block::Rule { range: end..range.end });
                    }
                    None => blocks.push(Block::Heading { level: level as u8, text: heading, range }),
                }
            }
            Event::Start(Tag::Paragraph) => {
                skip(&mut parser);
                blocks.extend(bulleted(text, trim_end(text, range)));
            }
            Event::Start(Tag::List(_)) => {
                let items = list(text, &mut parser, within.start, 0);
                blocks.push(Block::List { items, range: trim_end(text, range) });
            }
            Event::Start(Tag::Table(_)) => blocks.push(table(text, &mut parser, within.start, range)),
            Event::Start(Tag::CodeBlock(kind)) => {
                skip(&mut parser);
                blocks.push(code(text, range, matches!(kind, CodeBlockKind::Fenced(_))));
            }
            Event::Start(Tag::BlockQuote(_)) => {
                skip(&mut parser);
                blocks.push(Block::Quote { range: trim_end(text, range) });
            }
            Event::Start(Tag::HtmlBlock) => {
                skip(&mut parser);
                blocks.push(Block::Html { range: trim_end(text, range) });
            }
            Event::Start(_) => {
                skip(&mut parser);
                blocks.push(Block::Paragraph { range: trim_end(text, range) });
            }
            Event::Rule => blocks.push(Block::Rule { range: trim_end(text, range) }),
            _ => {}
        }
    }
    blocks
}

/// Bullets that a terminal draws and Markdown does not know.
const BULLETS: &[&str] = &["• ", "‣ ", "◦ ", "▪ ", "● ", "・"];

/// A paragraph whose lines are bullets of a terminal is a list, with what stands before it in front.
fn bulleted(text: &str, range: Range<usize>) -> Vec<Block> {
    let slice = &text[range.clone()];
    let mut items: Vec<ListItem> = Vec::new();
    let mut before = range.end;
    let mut at = range.start;
    for line in slice.split_inclusive('\n') {
        let lead = line.len() - line.trim_start().len();
        let end = at + line.trim_end().len();
        match BULLETS.iter().find_map(|mark| line[lead..].strip_prefix(mark).map(|_| mark.len())) {
            Some(mark) => {
                before = before.min(at);
                let own = (at + lead + mark).min(end)..end;
                items.push(ListItem { whole: own.clone(), own, children: Vec::new() });
            }
            None => {
                if let Some(last) = items.last_mut() {
                    last.own.end = end.max(last.own.end);
                    last.whole.end = last.own.end;
                }
            }
        }
        at += line.len();
    }
    if items.len() < 2 && !(items.len() == 1 && before > range.start) {
        return vec![Block::Paragraph { range }];
    }
    let mut found = Vec::new();
    if before > range.start {
        found.push(Block::Paragraph { range: trim_end(text, range.start..before) });
    }
    found.push(Block::List { items, range: before..range.end });
    found
}

type Events<'a> = pulldown_cmark::OffsetIter<'a>;

/// Skips to the end of the element whose start was just taken.
fn skip(parser: &mut Events<'_>) {
    let mut depth = 1_usize;
    for (event, _) in parser.by_ref() {
        match event {
            Event::Start(_) => depth += 1,
            Event::End(_) => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            return;
        }
    }
}

fn list(text: &str, parser: &mut Events<'_>, base: usize, depth: usize) -> Vec<ListItem> {
    let mut items = Vec::new();
    while let Some((event, range)) = parser.next() {
        match event {
            Event::Start(Tag::Item) => {
                let range = range.start + base..range.end + base;
                items.push(item(text, parser, base, range, depth));
            }
            Event::End(TagEnd::List(_)) => break,
            _ => {}
        }
    }
    items
}

fn item(text: &str, parser: &mut Events<'_>, base: usize, range: Range<usize>, depth: usize) -> ListItem {
    let whole = trim_end(text, after_marker(text, range.clone())..range.end);
    let mut own_end = whole.end;
    let mut children = Vec::new();
    while let Some((event, inner)) = parser.next() {
        match event {
            Event::Start(Tag::List(_)) if depth < DEEPEST => {
                own_end = own_end.min(inner.start + base);
                children.extend(list(text, parser, base, depth + 1));
            }
            Event::Start(_) => skip(parser),
            Event::End(TagEnd::Item) => break,
            _ => {}
        }
    }
    let own = trim_end(text, whole.start..own_end.max(whole.start));
    ListItem { own, whole, children }
}

fn after_marker(text: &str, range: Range<usize>) -> usize {
    let slice = &text[range.clone()];
    let trimmed = slice.trim_start();
    let rest = trimmed.strip_prefix(['-', '*', '+']).or_else(|| {
        let digits = trimmed.trim_start_matches(|character: char| character.is_ascii_digit());
        digits.strip_prefix(['.', ')'])
    });
    let rest = rest.unwrap_or(trimmed);
    let blank = rest.len() - rest.trim_start_matches([' ', '\t']).len();
    range.end - rest.len() + blank.min(rest.len())
}

fn table(text: &str, parser: &mut Events<'_>, base: usize, range: Range<usize>) -> Block {
    let mut header = Vec::new();
    let mut rows = Vec::new();
    let mut cells: Vec<String> = Vec::new();
    let mut depth = 1_usize;
    for (event, inner) in parser.by_ref() {
        let inner = inner.start + base..inner.end + base;
        match &event {
            Event::Start(Tag::TableCell) => cells.push(text[inner.clone()].trim().trim_matches('|').trim().to_owned()),
            Event::End(TagEnd::TableHead) => header = std::mem::take(&mut cells),
            Event::End(TagEnd::TableRow) => {
                rows.push(Row { cells: std::mem::take(&mut cells), range: trim_end(text, inner) })
            }
            _ => {}
        }
        match event {
            Event::Start(_) => depth += 1,
            Event::End(_) => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            break;
        }
    }
    Block::Table { header, rows, range: trim_end(text, range) }
}

fn code(text: &str, range: Range<usize>, fenced: bool) -> Block {
    let slice = &text[range.clone()];
    if !fenced {
        return Block::Code { content: range.clone(), range, closed: true };
    }
    let first = slice.find('\n').map_or(slice.len(), |at| at + 1);
    let body = slice[first..].trim_end();
    let last_line = body.rfind('\n').map_or(0, |at| at + 1);
    let fence = slice.trim_start().chars().next().unwrap_or('`');
    let closed = body[last_line..].trim_start().starts_with(&fence.to_string().repeat(3));
    let content_end = if closed { range.start + first + last_line } else { range.end };
    Block::Code { content: range.start + first..content_end, range: trim_end(text, range), closed }
}

/// Where the paragraph ends when a "heading" is a paragraph with a rule right below it: several lines, or a label.
fn underlined_paragraph(text: &str, range: &Range<usize>) -> Option<usize> {
    let slice = &text[range.clone()];
    if slice.starts_with('#') {
        return None;
    }
    let (body, under) = slice.rsplit_once('\n')?;
    let rule = !under.trim().is_empty() && under.trim().chars().all(|mark| mark == '-');
    let meant =
        body.contains('\n') || super::labels::label_line(body).is_some_and(|(_, at)| !body[at..].trim().is_empty());
    (rule && meant).then_some(range.start + body.len() + 1)
}

fn inner_text(text: &str, range: &Range<usize>) -> String {
    let line = text[range.clone()].trim();
    let line = line.trim_start_matches('#').trim();
    // A setext heading ends with its underline.
    let line = match line.rsplit_once('\n') {
        Some((head, under)) if under.trim().chars().all(|character| matches!(character, '=' | '-')) => head,
        _ => line,
    };
    let closed = line.trim_end_matches('#');
    if closed.ends_with(' ') { closed.trim().to_owned() } else { line.trim().to_owned() }
}

/// The range without blank characters at its end.
pub(crate) fn trim_end(text: &str, range: Range<usize>) -> Range<usize> {
    let start = range.start.min(range.end);
    start..start + text[start..range.end].trim_end().len()
}
