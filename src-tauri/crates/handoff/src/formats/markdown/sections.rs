//! Blocks grouped under what names them: headings, labels on a line of their own, bold labels, XML-like tags.

use super::blocks::{Block, blocks};
use super::items::plain;
use crate::formats::front_matter::line_end;
use crate::headings::{Field, classify, known};
use std::collections::HashSet;
use std::ops::Range;

/// A run of blocks under one name.
#[derive(Clone, Debug)]
pub(crate) struct Section {
    /// The heading as written; empty before the first.
    pub heading: String,
    /// 1 to 6 for headings, 7 for labels and tags.
    pub level: u8,
    /// The bytes of the heading or label.
    pub heading_range: Range<usize>,
    pub fields: Vec<Field>,
    pub blocks: Vec<Block>,
    /// The field of the section above that it belongs to, when it names none itself.
    pub parent: Option<usize>,
}

/// After so many tags without an end, a file is no file of tags.
const MOST_UNCLOSED: usize = 64;

const HTML_TAGS: &[&str] = &[
    "details",
    "summary",
    "p",
    "div",
    "span",
    "br",
    "img",
    "table",
    "tr",
    "td",
    "th",
    "ul",
    "ol",
    "li",
    "b",
    "i",
    "a",
    "code",
    "pre",
    "sub",
    "sup",
    "kbd",
    "center",
    "h1",
    "h2",
    "h3",
    "h4",
    "hr",
    "em",
    "strong",
    "blockquote",
    "script",
    "style",
    "svg",
    "iframe",
];

/// Cuts the body into sections; `parsed` are its blocks when they are known already.
pub(crate) fn sections(text: &str, body: Range<usize>, parsed: Option<Vec<Block>>) -> Vec<Section> {
    let mut sections = vec![Section {
        heading: String::new(),
        level: 0,
        heading_range: body.start..body.start,
        fields: Vec::new(),
        blocks: Vec::new(),
        parent: None,
    }];
    let mut at = body.start;
    for (tag, heading_range, inner, end) in tags(text, body.clone()) {
        push_blocks(text, blocks(text, at..heading_range.start), &mut sections);
        let fields = tag_fields(&tag);
        sections.push(Section {
            heading: tag,
            level: 7,
            heading_range,
            fields,
            blocks: blocks(text, inner),
            parent: None,
        });
        at = end;
        // What follows a closed tag belongs to no section.
        sections.push(Section {
            heading: String::new(),
            level: 0,
            heading_range: at..at,
            fields: Vec::new(),
            blocks: Vec::new(),
            parent: None,
        });
    }
    let rest = parsed.filter(|_| at == body.start).unwrap_or_else(|| blocks(text, at..body.end));
    push_blocks(text, rest, &mut sections);
    set_parents(&mut sections);
    sections
}

fn tag_fields(tag: &str) -> Vec<Field> {
    match tag {
        "context" | "notes" | "warnings" => vec![Field::Hazards],
        _ => classify(tag),
    }
}

fn push_blocks(text: &str, found: Vec<Block>, sections: &mut Vec<Section>) {
    let mut found = found.into_iter().peekable();
    while let Some(block) = found.next() {
        match &block {
            Block::Heading { level, text: heading, range } if goes_on(text, sections.last(), *level, range) => {
                // OK because a heading that goes on has one before it.
                if let Some(last) = sections.last_mut() {
                    last.heading = format!("{} {heading}", last.heading);
                    last.heading_range.end = range.end;
                    last.fields = classify(&last.heading);
                }
            }
            Block::Heading { level, text: heading, range } => sections.push(Section {
                fields: classify(heading),
                heading: heading.clone(),
                level: *level,
                heading_range: range.clone(),
                blocks: Vec::new(),
                parent: None,
            }),
            Block::Paragraph { range } => {
                let followed =
                    matches!(found.peek(), Some(Block::List { .. } | Block::Table { .. } | Block::Code { .. }));
                if let Some((heading, label_range)) = label_above(text, range.clone()) {
                    let body = label_range.end + 1..range.end;
                    sections.push(Section {
                        fields: classify(&heading),
                        heading,
                        level: 7,
                        heading_range: label_range,
                        blocks: vec![Block::Paragraph { range: body }],
                        parent: None,
                    });
                    continue;
                }
                // Below a list of its own, a label ends the label before it even when nobody knows it.
                let ends = followed && sections.last().is_some_and(|last| last.level == 7 && !last.blocks.is_empty());
                match label(text, range.clone(), followed).or_else(|| strange(text, range.clone(), ends)) {
                    Some((heading, label_range)) if !heading.is_empty() => {
                        // Lines before the label stay where they are.
                        if label_range.start > range.start
                            && let Some(last) = sections.last_mut()
                        {
                            let before = super::blocks::trim_end(text, range.start..label_range.start);
                            last.blocks.push(Block::Paragraph { range: before });
                        }
                        sections.push(Section {
                            fields: classify(&heading),
                            heading,
                            level: 7,
                            heading_range: label_range,
                            blocks: Vec::new(),
                            parent: None,
                        });
                    }
                    _ => {
                        if sections.last().is_some_and(|last| ends_before(text, last, range)) {
                            sections.push(unnamed(range.start..range.start));
                        }
                        if let Some(last) = sections.last_mut() {
                            last.blocks.push(block);
                        }
                    }
                }
            }
            Block::Rule { range } if sections.last().is_some_and(|last| last.level == 7) => {
                sections.push(unnamed(range.start..range.end));
            }
            _ => {
                if let Some(last) = sections.last_mut() {
                    last.blocks.push(block);
                }
            }
        }
    }
}

/// What follows the list of a label and belongs to it no longer.
fn unnamed(heading_range: Range<usize>) -> Section {
    Section { heading: String::new(), level: 7, heading_range, fields: Vec::new(), blocks: Vec::new(), parent: None }
}

/// Whether a paragraph with a bold label in front ends the list that stands below the label before it.
fn ends_before(text: &str, last: &Section, range: &Range<usize>) -> bool {
    let bold = text[range.clone()].starts_with("**");
    let listed = last.blocks.iter().any(|block| matches!(block, Block::List { .. } | Block::Table { .. }));
    last.level == 7 && bold && listed && super::labels::label_line(&text[range.clone()]).is_some()
}

/// Whether a heading only continues the one right above it: that one opened a bracket or ended with a comma.
fn goes_on(text: &str, last: Option<&Section>, level: u8, range: &Range<usize>) -> bool {
    last.is_some_and(|last| {
        let open = |one: char, other: char| last.heading.matches(one).count() > last.heading.matches(other).count();
        let unfinished = open('(', ')') || open('（', '）') || last.heading.ends_with([',', '、', '，']);
        let between = text.get(last.heading_range.end..range.start).unwrap_or_default();
        last.level == level
            && last.blocks.is_empty()
            && unfinished
            && between.trim().is_empty()
            && between.matches('\n').count() <= 1
    })
}

/// A known label alone on the first line of a paragraph: `Goal:` with its words on the lines below.
fn label_above(text: &str, range: Range<usize>) -> Option<(String, Range<usize>)> {
    let first = range.start + text[range.clone()].find('\n')?;
    let below = &text[first + 1..range.end];
    let line = plain(text, range.start..first);
    let bare = line.trim_matches('*').trim();
    let colon = bare.strip_suffix([':', '：']);
    // `Goal` alone on its line names what stands below it too.
    let alone = || Some(bare).filter(|bare| bare.split(' ').count() <= 2 && is_bare_name(bare));
    let name = colon.or_else(alone)?.trim_end_matches('*').trim();
    let field = known(name).first().copied().filter(|field| !matches!(field, Field::Tree | Field::Provenance))?;
    let labels = below.lines().any(|line| super::labels::label_line(line).is_some());
    (field != Field::Safety && !labels && name.chars().count() <= 40).then(|| (name.to_owned(), range.start..first))
}

/// A label at the end of a paragraph: `Next:` or `**Key decisions:**` on a line of its own.
fn label(text: &str, range: Range<usize>, followed: bool) -> Option<(String, Range<usize>)> {
    let last_line = text[range.clone()].rfind('\n').map_or(range.start, |at| range.start + at + 1);
    let line = plain(text, last_line..range.end);
    let framed = line.starts_with('【') && line.ends_with('】') && line.matches('【').count() == 1;
    let bold = framed || line.starts_with("**") && (line.ends_with("**") || line.ends_with("**:"));
    let bare = line.trim_matches(['*', '【', '】']).trim().trim_start_matches(['—', '–']).trim_start();
    let Some(name) = bare.strip_suffix([':', '：']) else {
        // `Got done` alone in a paragraph, right above a list.
        if followed && last_line == range.start && is_bare_name(bare) {
            return Some((bare.to_owned(), last_line..range.end));
        }
        // `**Done**` above a list names it as a heading would.
        let names = bold && followed && !bare.contains("**") && !known(bare).is_empty();
        return names.then(|| (bare.to_owned(), last_line..range.end));
    };
    let name = name.trim_end_matches('*').trim();
    if name.is_empty() || name.chars().count() > 60 || before_bracket(name).contains(". ") {
        return None;
    }
    let known = !classify(name).is_empty() || crate::trees::names_changes(name);
    if !(bold || followed || (known && last_line == range.start)) || !(known || bold && followed) {
        return None;
    }
    Some((name.to_owned(), last_line..range.end))
}

/// A few words that name a field and say nothing else.
fn is_bare_name(line: &str) -> bool {
    let short = line.split_whitespace().count() <= 4 && line.chars().count() <= 32;
    let begins = line.starts_with(|first: char| first.is_uppercase() || !first.is_ascii() && first.is_alphabetic());
    let ends = line.ends_with(char::is_alphanumeric);
    let field = |field: &Field| !matches!(field, Field::Provenance | Field::Tree);
    short && begins && ends && !line.contains([',', '、', '，']) && classify(line).first().is_some_and(field)
}

/// An unknown label of a few words, alone in its paragraph.
fn strange(text: &str, range: Range<usize>, ends: bool) -> Option<(String, Range<usize>)> {
    let line = text.get(range.clone()).filter(|_| ends)?;
    let name = line.strip_suffix([':', '：'])?;
    let words = name.split_whitespace().count();
    let short = words <= 4 && !line.contains('\n') && name.starts_with(char::is_uppercase);
    short.then(|| (name.to_owned(), range))
}

/// A name without its bracketed remark.
pub(crate) fn before_bracket(name: &str) -> &str {
    name.split(['(', '（']).next().unwrap_or(name)
}

/// XML-like sections, each on lines of their own outside fences: name, opening line, inside, end.
fn tags(text: &str, body: Range<usize>) -> Vec<(String, Range<usize>, Range<usize>, usize)> {
    let mut found = Vec::new();
    let mut fence: Option<char> = None;
    // Names that no later line closes: looking again would take a square of the time.
    let mut unclosed: HashSet<&str> = HashSet::new();
    let mut at = body.start;
    while at < body.end {
        let end = line_end(text, at).min(body.end);
        let line = text[at..end].trim();
        let fence_mark = line
            .chars()
            .next()
            .filter(|first| (*first == '`' || *first == '~') && line.starts_with(&first.to_string().repeat(3)));
        match (fence, fence_mark) {
            (None, Some(mark)) => fence = Some(mark),
            (Some(open), Some(mark)) if open == mark => fence = None,
            _ => {}
        }
        if fence.is_none()
            && let Some((name, inner)) = inline_tag(line)
        {
            let from = at + text[at..end].find(line).unwrap_or(0);
            found.push((name.to_owned(), from..from + inner.start, from + inner.start..from + inner.end, end));
            at = end;
            continue;
        }
        if fence.is_none()
            && let Some(name) = tag_name(line)
            && unclosed.len() < MOST_UNCLOSED
            && !unclosed.contains(name)
        {
            let closing = format!("</{name}>");
            if let Some(close) = text[end..body.end].find(&closing) {
                let close_start = end + close;
                let close_end = line_end(text, close_start).min(body.end);
                found.push((name.to_owned(), at..end, end..close_start, close_end));
                at = close_end;
                continue;
            }
            unclosed.insert(name);
        }
        at = end;
    }
    found
}

/// `<goal>text</goal>` on one line: the name and what stands inside.
fn inline_tag(line: &str) -> Option<(&str, Range<usize>)> {
    let open = line.find('>')?;
    let name = tag_name(line.get(..=open)?)?;
    let inside = line.get(open + 1..)?.strip_suffix('>')?.strip_suffix(name)?.strip_suffix("</")?;
    (!inside.trim().is_empty() && !classify(name).is_empty()).then_some((name, open + 1..open + 1 + inside.len()))
}

fn tag_name(line: &str) -> Option<&str> {
    let name = line.strip_prefix('<')?.strip_suffix('>')?;
    let plain = name.chars().all(|character| character.is_ascii_alphanumeric() || matches!(character, '_' | '-'));
    (plain && !name.is_empty() && name.len() <= 40 && !HTML_TAGS.contains(&name.to_ascii_lowercase().as_str()))
        .then_some(name)
}

fn set_parents(sections: &mut [Section]) {
    let mut stack: Vec<usize> = Vec::new();
    for index in 0..sections.len() {
        let level = sections[index].level;
        if level == 0 {
            stack.clear();
            continue;
        }
        while stack.last().is_some_and(|above| sections[*above].level >= level) {
            stack.pop();
        }
        sections[index].parent = stack.last().copied();
        if level < 7 {
            stack.push(index);
        }
    }
}
