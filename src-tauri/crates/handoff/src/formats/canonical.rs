//! Fuda's own canonical Markdown file. `fuda: 9` is refused like an unknown JSON version; an unknown front matter
//! key or heading goes to `extra`.

use super::markdown::blocks::{Block, ListItem, blocks};
use super::markdown::{check_box, is_none, leading_mark, split_evidence, split_reason, split_reason_or_colon};
use super::{Reader, front_matter};
use crate::headings::normalise;
use crate::source::Source;
use crate::write::escape::{split_once, unescape, unguard};
use crate::write::state_named;
use crate::{
    Artifact, Decision, Finding, Format, Handoff, Item, ItemState, Limits, Readable, Reading, Rejected, Section,
    Severity, Text, Tree,
};
use std::ops::Range;

/// The version that this program writes and reads.
const VERSION: u32 = 2;

/// The reader of the canonical file.
pub(crate) struct Canonical;

impl Reader for Canonical {
    fn format(&self) -> Format {
        Format::Canonical
    }

    fn recognises(&self, source: &Source<'_>) -> bool {
        front_matter::read(source).is_some_and(|front| front.pairs.iter().any(|pair| pair.key == "fuda"))
    }

    fn read(&self, source: &Source<'_>, _limits: &Limits) -> Reading {
        let mut handoff = Handoff::default();
        let Some(front) = front_matter::read(source) else {
            return Reading::of_one(
                Format::Canonical,
                source.span(0, source.text.len()),
                handoff,
                Readable::Incomplete,
                Some("The front matter is gone.".to_owned()),
                Vec::new(),
            );
        };
        let mut findings = front.findings;
        let mut refused = None;
        for pair in &front.pairs {
            if pair.key == "fuda" {
                handoff.version = pair.value.text.trim().parse().ok();
                if handoff.version != Some(VERSION) {
                    let message = format!(
                        "Version {} is not known. This program reads version {VERSION}.",
                        pair.value.text.trim()
                    );
                    findings.push(Finding::new(Severity::Error, "unknown-version", message.clone()).at(pair.span));
                    refused = Some(message);
                }
            } else {
                front_value(&pair.key, &pair.value, pair.span, &mut handoff);
            }
        }
        let incomplete =
            front.open.then(|| "The front matter has no closing line. The file may still be written.".to_owned());
        body(source, front.body, &mut handoff);
        let provenance = &mut handoff.provenance;
        if provenance.written_at.is_none() {
            provenance.written_at.clone_from(&provenance.created_at);
        }
        let (readable, reason) = match (refused, incomplete) {
            (Some(reason), _) => (Readable::Refused, Some(reason)),
            (None, Some(reason)) => (Readable::Incomplete, Some(reason)),
            (None, None) if findings.iter().any(|finding| finding.severity >= Severity::Warning) => {
                (Readable::Partial, None)
            }
            (None, None) => (Readable::Full, None),
        };
        Reading::of_one(Format::Canonical, source.span(0, source.text.len()), handoff, readable, reason, findings)
    }
}

fn front_value(key: &str, value: &Text, span: crate::Span, handoff: &mut Handoff) {
    let text = Some(value.text.clone()).filter(|text| !text.is_empty());
    if let Some(slot) = handoff.provenance.text_mut(key) {
        *slot = text;
        return;
    }
    match key {
        "id" => handoff.id = text,
        "title" => handoff.title = text.map(|_| value.clone()),
        "status" => handoff.status = text.map(|_| value.clone()),
        "turns" => handoff.provenance.turns = text.and_then(|turns| turns.parse().ok()),
        "omitted" => handoff.omitted.extend(
            value.text.lines().filter(|line| !is_none(line)).map(|line| Item { span: value.span, ..Item::made(line) }),
        ),
        _ => handoff.extra.push(Section { heading: key.to_owned(), text: value.text.clone(), span: Some(span) }),
    }
}

fn body(source: &Source<'_>, from: usize, handoff: &mut Handoff) {
    let text = source.text.as_str();
    let blocks = blocks(text, from..text.len());
    let mut heading = String::new();
    let mut start = from;
    let mut heading_start = from;
    let mut own: Vec<&Block> = Vec::new();
    let flush =
        |heading: &str, heading_start: usize, start: usize, end: usize, own: &[&Block], handoff: &mut Handoff| {
            section(source, heading, heading_start, start..end.max(start), own, handoff);
        };
    for block in &blocks {
        match block {
            Block::Heading { level: 1 | 2, text: name, range } => {
                flush(&heading, heading_start, start, range.start, &own, handoff);
                own.clear();
                heading = if matches!(block, Block::Heading { level: 1, .. }) && normalise(name) == "handoff" {
                    String::new()
                } else {
                    name.clone()
                };
                (heading_start, start) = (range.start, range.end);
            }
            _ => own.push(block),
        }
    }
    flush(&heading, heading_start, start, text.len(), &own, handoff);
}

fn section(
    source: &Source<'_>,
    heading: &str,
    heading_start: usize,
    range: Range<usize>,
    blocks: &[&Block],
    handoff: &mut Handoff,
) {
    let text = source.text.as_str();
    let content = text[range.clone()].trim();
    if content.is_empty() && heading.is_empty() {
        return;
    }
    let items = |state: Option<ItemState>| -> Vec<Item> {
        list_items(blocks).map(|item| one_item(source, item, state)).filter(|item| !is_none(&item.text)).collect()
    };
    match normalise(heading).as_str() {
        "objective" => {
            let from = range.start + text[range.clone()].len() - text[range.clone()].trim_start().len();
            handoff.objective =
                Some(Text { text: unescape(&unix(content)), span: Some(source.span(from, from + content.len())) });
        }
        "constraints" => handoff.constraints = items(None),
        "verified facts" => {
            handoff.facts = items(None);
            for fact in &mut handoff.facts {
                if let Some(stripped) = fact.text.strip_suffix(" ()") {
                    fact.text = stripped.to_owned();
                } else if fact.evidence.is_none() {
                    (fact.text, fact.evidence) = split_evidence(&fact.text);
                }
            }
        }
        "unverified" => handoff.unverified = items(None),
        "hazards" => handoff.hazards = items(None),
        "open questions" => handoff.open = items(None),
        "omitted" => handoff.omitted.extend(items(None)),
        "done" => handoff.done = items(Some(ItemState::Done)),
        "remaining work" => handoff.next = items(Some(ItemState::Open)),
        "decisions" => {
            handoff.decisions =
                list_items(blocks).map(|item| decision(source, item)).filter(|item| !is_none(&item.what)).collect()
        }
        "rejected" => {
            handoff.rejected =
                list_items(blocks).map(|item| rejected(source, item)).filter(|item| !is_none(&item.what)).collect()
        }
        "artifacts" => handoff.artifacts = list_items(blocks).map(|item| artifact(source, item)).collect(),
        "working tree" => working_tree(source, blocks, handoff),
        "safety boundary" => safety(source, blocks, handoff),
        _ => extra(source, heading, heading_start, range.clone(), handoff),
    }
    if !is_known(heading) {
        return;
    }
    // Paragraphs that stand beside the bullets of a known section are kept too.
    for block in blocks {
        if let Block::Paragraph { range }
        | Block::Quote { range }
        | Block::Code { range, .. }
        | Block::Html { range }
        | Block::Table { range, .. } = block
        {
            let words = unix(&text[range.clone()]);
            if !is_none(&words) {
                handoff.extra.push(Section {
                    heading: heading.to_owned(),
                    text: words,
                    span: Some(source.span(range.start, range.end)),
                });
            }
        }
    }
}

fn is_known(heading: &str) -> bool {
    matches!(
        normalise(heading).as_str(),
        "constraints"
            | "verified facts"
            | "unverified"
            | "hazards"
            | "open questions"
            | "omitted"
            | "done"
            | "remaining work"
            | "decisions"
            | "rejected"
            | "artifacts"
            | "working tree"
            | "safety boundary"
    )
}

fn extra(source: &Source<'_>, heading: &str, heading_start: usize, range: Range<usize>, handoff: &mut Handoff) {
    let body = unix(&source.text[range.clone()]);
    let line = source.text[heading_start..range.start].trim();
    let (heading, text) = match line.strip_prefix("## Extra:") {
        Some(name) => {
            // The heading's line end and the last line's are no part of the text.
            let lines = body.strip_prefix('\n').unwrap_or(&body);
            let lines = lines.strip_suffix('\n').unwrap_or(lines);
            let own = |line: &str| line.strip_prefix("    ").unwrap_or(line).to_owned();
            (name.trim(), lines.split('\n').map(own).collect::<Vec<_>>().join("\n"))
        }
        None => (heading, body.trim().to_owned()),
    };
    handoff.extra.push(Section {
        heading: heading.to_owned(),
        text,
        span: Some(source.span(heading_start, range.end)),
    });
}

/// Whether a section written plainly is read as that section, also when another one follows.
pub(crate) fn reads_back(written: &str, heading: &str, text: &str) -> bool {
    let probe = format!("{written}## Probe\nend\n");
    let source = Source::new(probe.as_bytes(), "");
    let mut handoff = Handoff::default();
    body(&source, 0, &mut handoff);
    let found: Vec<(&str, &str)> =
        handoff.extra.iter().map(|section| (section.heading.as_str(), section.text.as_str())).collect();
    handoff.extra.len() == 2
        && found == [(heading, text), ("Probe", "end")]
        && Handoff { extra: Vec::new(), ..handoff } == Handoff::default()
}

fn unix(text: &str) -> String {
    text.replace("\r\n", "\n")
}

/// An item's text: continuation lines lose the indentation of its marker and keep the rest.
fn written(source: &Source<'_>, range: Range<usize>) -> String {
    let text = source.text.as_str();
    let line = text[..range.start].rfind('\n').map_or(0, |newline| newline + 1);
    let marker = text[line..range.start].find('[').map_or(range.start - line, |open| open);
    let lines = unix(&text[range]);
    let mut out: Vec<&str> = Vec::new();
    for (number, line) in lines.split('\n').enumerate() {
        let blank = line.len() - line.trim_start_matches(' ').len();
        out.push(if number == 0 { line.trim_end() } else { line[blank.min(marker)..].trim_end() });
    }
    unescape(out.join("\n").trim_end())
}

/// Takes `{key: value}` from the end of an item. An empty value says that there is none.
fn take_braces(text: &mut String, key: &str) -> Option<Option<String>> {
    let inner = text.strip_suffix('}')?;
    let (head, value) = inner.rsplit_once(&format!(" {{{key}:"))?;
    if value.contains(['{', '}']) {
        return None;
    }
    let value = Some(value.trim().to_owned()).filter(|value| !value.is_empty());
    *text = head.to_owned();
    Some(value)
}

fn list_items<'a>(blocks: &'a [&Block]) -> impl Iterator<Item = &'a ListItem> {
    blocks.iter().flat_map(|block| match block {
        Block::List { items, .. } => items.as_slice(),
        _ => &[],
    })
}

fn one_item(source: &Source<'_>, item: &ListItem, state: Option<ItemState>) -> Item {
    let own = &source.text[item.whole.clone()];
    let (state, skip) = match (state, check_box(own)) {
        (Some(_), Some((found, length))) => (Some(found), length),
        (state, _) => (state, 0),
    };
    let range = (item.whole.start + skip).min(item.whole.end)..item.whole.end;
    let mut text = written(source, range.clone());
    let mark = take_braces(&mut text, "mark").unwrap_or_else(|| leading_mark(&text));
    let other = take_braces(&mut text, "state").flatten();
    let evidence = take_braces(&mut text, "evidence").flatten();
    Item {
        text,
        state: state.or_else(|| other.as_deref().and_then(state_named)),
        evidence,
        mark,
        span: Some(source.span(range.start, range.end)),
        ..Item::default()
    }
}

fn decision(source: &Source<'_>, item: &ListItem) -> Decision {
    let mut line = written(source, item.own.clone());
    let mark = take_braces(&mut line, "mark").flatten();
    let mut at = take_braces(&mut line, "at");
    if at.is_none()
        && let Some((head, date)) = line.strip_suffix(']').and_then(|head| head.rsplit_once(" ["))
        && crate::dates::find(date).is_some()
    {
        at = Some(Some(date.to_owned()));
        line.truncate(head.len());
    }
    let (what, why) = because(&line, split_reason);
    Decision {
        what,
        why,
        at: at.flatten(),
        mark,
        alternatives: item.children.iter().map(|child| written(source, child.whole.clone())).collect(),
        span: Some(source.span(item.whole.start, item.whole.end)),
        ..Decision::default()
    }
}

const BECAUSE: &str = ": because ";

/// What and why of `what: because why`; words of other kinds that give a reason are understood too.
pub(crate) fn because(line: &str, other: fn(&str) -> (String, Option<String>)) -> (String, Option<String>) {
    if let Some((what, why)) = split_once(line, BECAUSE) {
        return (unguard(what, BECAUSE), Some(why.to_owned()));
    }
    match line.strip_suffix(BECAUSE.trim_end()) {
        Some(what) => (unguard(what, BECAUSE), None),
        None => other(line),
    }
}

fn rejected(source: &Source<'_>, item: &ListItem) -> Rejected {
    let (what, why) = because(&written(source, item.whole.clone()), split_reason_or_colon);
    Rejected { what, why, span: Some(source.span(item.whole.start, item.whole.end)), ..Rejected::default() }
}

fn artifact(source: &Source<'_>, item: &ListItem) -> Artifact {
    let line = written(source, item.whole.clone());
    let span = Some(source.span(item.whole.start, item.whole.end));
    let Some((head, rest)) = split_once(&line, ": ") else {
        let kind = super::markdown::kind_of(&line);
        return Artifact { name: line.clone(), kind, reference: line.trim_matches('`').to_owned(), span, note: None };
    };
    let (name, kind) = match head.strip_suffix(" ()") {
        Some(name) => (name.to_owned(), None),
        None => split_evidence(head),
    };
    let (reference, note) = split_once(rest, " — ").map_or((rest, None), |(head, note)| (head, Some(note.to_owned())));
    let reference = unguard(reference, " — ").trim_matches('`').to_owned();
    Artifact { name: unguard(&name, ": "), kind, reference, span, note }
}

fn working_tree(source: &Source<'_>, blocks: &[&Block], handoff: &mut Handoff) {
    let mut tree = Tree::default();
    let mut named = false;
    for block in blocks {
        match block {
            Block::Heading { level: 3, text: name, .. } => {
                if named || tree != Tree::default() {
                    handoff.trees.push(std::mem::take(&mut tree));
                }
                named = true;
                // A number in brackets tells trees without a name apart.
                let numbered = name.strip_prefix('(').and_then(|rest| rest.strip_suffix(')'));
                tree.name =
                    Some(name.clone()).filter(|_| numbered.is_none_or(|number| number.parse::<usize>().is_err()));
            }
            Block::List { items, .. } => items.iter().for_each(|item| tree_line(source, item, &mut tree, handoff)),
            _ => {}
        }
    }
    if named || tree != Tree::default() {
        handoff.trees.push(tree);
    }
}

fn tree_line(source: &Source<'_>, item: &ListItem, tree: &mut Tree, handoff: &mut Handoff) {
    let line = written(source, item.whole.clone());
    let raw = &source.text[item.whole.clone()];
    let whole = Some(source.span(item.whole.start, item.whole.end));
    let Some((key, value)) = line.split_once(':') else {
        handoff.extra.push(Section { heading: "Working tree".to_owned(), text: line, span: whole });
        return;
    };
    let value = value.trim();
    let colon = raw.find(':').map_or(0, |at| at + 1);
    let from = item.whole.start + colon + (raw[colon..].len() - raw[colon..].trim_start().len());
    let made = Some(Text { text: value.to_owned(), span: Some(source.span(from, item.whole.end)) });
    let detached =
        matches!(value.to_ascii_lowercase().as_str(), "(detached)" | "detached" | "(detached head)" | "detached head");
    match key.trim().to_ascii_lowercase().as_str() {
        "branch" if detached => tree.detached = true,
        "branch" => tree.branch = made,
        "head" => tree.head = made,
        "subject" => tree.subject = made,
        "status" => tree.status = made,
        "diff" => tree.diff = made,
        "root" => tree.root = made,
        "worktree" => tree.worktree = made,
        "changed" => {
            tree.changed = value.lines().map(|path| Text { text: path.trim().to_owned(), span: None }).collect()
        }
        _ => handoff.extra.push(Section {
            heading: format!("Working tree: {}", key.trim()),
            text: value.to_owned(),
            span: whole,
        }),
    }
}

fn safety(source: &Source<'_>, blocks: &[&Block], handoff: &mut Handoff) {
    let mut list = crate::headings::Boundary::Ask;
    for block in blocks {
        match block {
            Block::Heading { level: 3, text: name, .. } => {
                list = match normalise(name).as_str() {
                    "may do alone" => crate::headings::Boundary::May,
                    "never" => crate::headings::Boundary::Never,
                    "needs a person" => crate::headings::Boundary::Ask,
                    _ => crate::headings::boundary(name),
                };
            }
            Block::List { items, .. } => {
                let items = items.iter().map(|item| one_item(source, item, None)).filter(|item| !is_none(&item.text));
                match list {
                    crate::headings::Boundary::May => handoff.safety.may.extend(items),
                    crate::headings::Boundary::Ask => handoff.safety.ask.extend(items),
                    crate::headings::Boundary::Never => handoff.safety.never.extend(items),
                }
            }
            _ => {}
        }
    }
}
