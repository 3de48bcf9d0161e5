//! Fuda's own canonical Markdown file. `fuda: 9` is refused like an unknown JSON version; an unknown front matter
//! key or heading goes to `extra`.

use super::markdown::blocks::{Block, ListItem, blocks};
use super::markdown::{check_box, is_none, plain, split_evidence};
use super::{Reader, front_matter};
use crate::headings::normalise;
use crate::source::Source;
use crate::write::unescape;
use crate::{
    Artifact, Decision, Entry, Finding, Format, Handoff, Item, ItemState, Limits, Readable, Reading, Rejected, Section, Severity, Text, Tree,
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
            return whole(source, handoff, Readable::Incomplete, Some("The front matter is gone.".to_owned()), Vec::new());
        };
        let mut findings = front.findings;
        let mut refused = None;
        for pair in &front.pairs {
            if pair.key == "fuda" {
                handoff.version = pair.value.text.trim().parse().ok();
                if handoff.version != Some(VERSION) {
                    let message = format!("Version {} is not known. This program reads version {VERSION}.", pair.value.text.trim());
                    findings.push(Finding::new(Severity::Error, "unknown-version", message.clone()).at(pair.span));
                    refused = Some(message);
                }
            } else {
                front_value(&pair.key, &pair.value, pair.span, &mut handoff);
            }
        }
        let incomplete = front.open.then(|| "The front matter has no closing line. The file may still be written.".to_owned());
        body(source, front.body, &mut handoff);
        crate::prose::collect(source, front.body..source.text.len(), &mut handoff);
        let (readable, reason) = match (refused, incomplete) {
            (Some(reason), _) => (Readable::Refused, Some(reason)),
            (None, Some(reason)) => (Readable::Incomplete, Some(reason)),
            (None, None) if findings.iter().any(|finding| finding.severity >= Severity::Warning) => (Readable::Partial, None),
            (None, None) => (Readable::Full, None),
        };
        whole(source, handoff, readable, reason, findings)
    }
}

fn whole(source: &Source<'_>, handoff: Handoff, readable: Readable, reason: Option<String>, findings: Vec<Finding>) -> Reading {
    let entry = Entry { heading: String::new(), span: source.span(0, source.text.len()), at: handoff.provenance.written_at.clone(), handoff };
    Reading { format: Format::Canonical, readable, reason, entries: vec![entry], shown: 0, findings }
}

fn front_value(key: &str, value: &Text, span: crate::Span, handoff: &mut Handoff) {
    let text = Some(value.text.clone()).filter(|text| !text.is_empty());
    let provenance = &mut handoff.provenance;
    match key {
        "id" => handoff.id = text,
        "title" => handoff.title = text.map(|_| value.clone()),
        "status" => handoff.status = text.map(|_| value.clone()),
        "agent" => provenance.agent = text,
        "profile" => provenance.profile = text,
        "model" => provenance.model = text,
        "session" => provenance.session = text,
        "turns" => provenance.turns = text.and_then(|turns| turns.parse().ok()),
        "cwd" => provenance.cwd = text,
        "written_at" => provenance.written_at = text,
        "created_at" => provenance.created_at = text,
        "reason" => provenance.reason = text,
        "resets_at" => provenance.resets_at = text,
        "from" => provenance.from = text,
        "to" => provenance.to = text,
        "parent" => provenance.parent = text,
        "omitted" => handoff.omitted.extend(value.text.lines().filter(|line| !is_none(line)).map(|line| Item { span: value.span, ..Item::made(line) })),
        _ => handoff.extra.push(Section { heading: key.to_owned(), text: value.text.clone(), span: Some(span) }),
    }
}

fn body(source: &Source<'_>, from: usize, handoff: &mut Handoff) {
    let text = source.text.as_str();
    let blocks = blocks(text, from..text.len());
    let mut heading = String::new();
    let mut start = 0;
    let mut heading_start = from;
    let mut own: Vec<&Block> = Vec::new();
    let flush = |heading: &str, heading_start: usize, start: usize, end: usize, own: &[&Block], handoff: &mut Handoff| {
        section(source, heading, heading_start, start..end.max(start), own, handoff);
    };
    for block in &blocks {
        match block {
            Block::Heading { level: 1 | 2, text: name, range } => {
                flush(&heading, heading_start, start, range.start, &own, handoff);
                own.clear();
                heading = if matches!(block, Block::Heading { level: 1, .. }) && normalise(name) == "handoff" { String::new() } else { name.clone() };
                (heading_start, start) = (range.start, range.end);
            }
            _ => own.push(block),
        }
    }
    flush(&heading, heading_start, start, text.len(), &own, handoff);
}

fn section(source: &Source<'_>, heading: &str, heading_start: usize, range: Range<usize>, blocks: &[&Block], handoff: &mut Handoff) {
    let text = source.text.as_str();
    let content = text[range.clone()].trim();
    if content.is_empty() && heading.is_empty() {
        return;
    }
    let items = |state: Option<ItemState>| -> Vec<Item> { list_items(blocks).map(|item| one_item(source, item, state)).filter(|item| !is_none(&item.text)).collect() };
    match normalise(heading).as_str() {
        "objective" => {
            let from = range.start + text[range.clone()].len() - text[range.clone()].trim_start().len();
            handoff.objective = Some(Text { text: unescape(&content.replace("\r\n", "\n")), span: Some(source.span(from, from + content.len())) });
        }
        "constraints" => handoff.constraints = items(None),
        "verified facts" => {
            handoff.facts = items(None);
            for fact in &mut handoff.facts {
                if let Some(stripped) = fact.text.strip_suffix(" ()") {
                    fact.text = stripped.to_owned();
                } else {
                    let (what, evidence) = split_evidence(&fact.text);
                    (fact.text, fact.evidence) = (what, evidence);
                }
            }
        }
        "unverified" => handoff.unverified = items(None),
        "hazards" => handoff.hazards = items(None),
        "open questions" => handoff.open = items(None),
        "omitted" => handoff.omitted.extend(items(None)),
        "done" => handoff.done = items(Some(ItemState::Done)),
        "remaining work" => handoff.next = items(Some(ItemState::Open)),
        "decisions" => handoff.decisions = list_items(blocks).map(|item| decision(source, item)).filter(|item| !is_none(&item.what)).collect(),
        "rejected" => handoff.rejected = list_items(blocks).map(|item| rejected(source, item)).filter(|item| !is_none(&item.what)).collect(),
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
        if let Block::Paragraph { range } | Block::Quote { range } | Block::Code { range, .. } | Block::Html { range } | Block::Table { range, .. } = block {
            let words = text[range.clone()].replace("\r\n", "\n");
            if !is_none(&words) {
                handoff.extra.push(Section { heading: heading.to_owned(), text: words, span: Some(source.span(range.start, range.end)) });
            }
        }
    }
}

fn is_known(heading: &str) -> bool {
    matches!(
        normalise(heading).as_str(),
        "constraints" | "verified facts" | "unverified" | "hazards" | "open questions" | "omitted" | "done" | "remaining work" | "decisions"
            | "rejected" | "artifacts" | "working tree" | "safety boundary"
    )
}

fn extra(source: &Source<'_>, heading: &str, heading_start: usize, range: Range<usize>, handoff: &mut Handoff) {
    let body = source.text[range.clone()].replace("\r\n", "\n");
    let (name, words) = match heading.strip_prefix("Extra:") {
        Some(name) => {
            let lines: Vec<&str> = body.trim_matches('\n').split('\n').map(|line| line.strip_prefix("    ").unwrap_or(line)).collect();
            (name.trim(), lines.join("\n"))
        }
        None => (heading, body.trim().to_owned()),
    };
    handoff.extra.push(Section { heading: name.to_owned(), text: words, span: Some(source.span(heading_start, range.end)) });
}

fn list_items<'a>(blocks: &'a [&Block]) -> impl Iterator<Item = &'a ListItem> {
    blocks.iter().flat_map(|block| match block {
        Block::List { items, .. } => items.as_slice(),
        _ => &[],
    })
}

fn one_item(source: &Source<'_>, item: &ListItem, state: Option<ItemState>) -> Item {
    let text = source.text.as_str();
    let own = &text[item.whole.clone()];
    let (state, skip) = match (state, check_box(own)) {
        (Some(_), Some((found, length))) => (Some(found), length),
        (state, _) => (state, 0),
    };
    let range = (item.whole.start + skip).min(item.whole.end)..item.whole.end;
    Item { text: unescape(&plain(text, range.clone())), state, span: Some(source.span(range.start, range.end)), ..Item::default() }
}

fn decision(source: &Source<'_>, item: &ListItem) -> Decision {
    let text = source.text.as_str();
    let line = unescape(&plain(text, item.own.clone()));
    let (line, at) = match line.strip_suffix(']').and_then(|head| head.rsplit_once(" [")) {
        Some((head, at)) if crate::dates::find(at).is_some() => (head.to_owned(), Some(at.to_owned())),
        _ => (line.clone(), None),
    };
    let (what, why) = because(&line);
    Decision {
        what,
        why,
        at,
        alternatives: item.children.iter().map(|child| plain(text, child.own.clone())).collect(),
        span: Some(source.span(item.whole.start, item.whole.end)),
        ..Decision::default()
    }
}

fn because(line: &str) -> (String, Option<String>) {
    match line.split_once(": because ") {
        Some((what, why)) => (what.to_owned(), Some(why.to_owned())),
        None => super::markdown::split_reason(line),
    }
}

fn rejected(source: &Source<'_>, item: &ListItem) -> Rejected {
    let line = unescape(&plain(&source.text, item.whole.clone()));
    let (what, why) = match line.split_once(": because ") {
        Some((what, why)) => (what.to_owned(), Some(why.to_owned())),
        None => super::markdown::split_reason_or_colon(&line),
    };
    Rejected { what, why, span: Some(source.span(item.whole.start, item.whole.end)), ..Rejected::default() }
}

fn artifact(source: &Source<'_>, item: &ListItem) -> Artifact {
    let line = plain(&source.text, item.whole.clone());
    let span = Some(source.span(item.whole.start, item.whole.end));
    let Some((head, rest)) = line.split_once(": ") else {
        let kind = super::markdown::kind_of(&line);
        return Artifact { name: line.clone(), kind, reference: line.trim_matches('`').to_owned(), span, note: None };
    };
    let (name, kind) = match split_evidence(head) {
        (name, Some(kind)) => (name, Some(kind)),
        (name, None) => (name, None),
    };
    let (reference, note) = rest.split_once(" — ").map_or((rest, None), |(reference, note)| (reference, Some(note.to_owned())));
    Artifact { name, kind, reference: reference.trim_matches('`').to_owned(), span, note }
}

fn working_tree(source: &Source<'_>, blocks: &[&Block], handoff: &mut Handoff) {
    let text = source.text.as_str();
    let mut tree = Tree::default();
    for block in blocks {
        match block {
            Block::Heading { level: 3, text: name, .. } => {
                if tree != Tree::default() {
                    handoff.trees.push(std::mem::take(&mut tree));
                }
                tree.name = Some(name.clone());
            }
            Block::List { items, .. } => {
                for item in items {
                    let line = plain(text, item.whole.clone());
                    let Some((key, value)) = line.split_once(':') else { continue };
                    let value = value.trim();
                    let from = item.whole.start + text[item.whole.clone()].find(value.lines().next().unwrap_or_default()).unwrap_or(0);
                    let made = Some(Text { text: value.to_owned(), span: Some(source.span(from, item.whole.end)) });
                    match key.trim().to_ascii_lowercase().as_str() {
                        "branch" if value.to_ascii_lowercase().contains("detached") => tree.detached = true,
                        "branch" => tree.branch = made,
                        "head" => tree.head = made,
                        "subject" => tree.subject = made,
                        "status" => tree.status = made,
                        "diff" => tree.diff = made,
                        "root" => tree.root = made,
                        "worktree" => tree.worktree = made,
                        "changed" => tree.changed = value.lines().map(|line| Text { text: line.trim().to_owned(), span: None }).collect(),
                        _ => handoff.extra.push(Section {
                            heading: format!("Working tree: {}", key.trim()),
                            text: value.to_owned(),
                            span: Some(source.span(item.whole.start, item.whole.end)),
                        }),
                    }
                }
            }
            _ => {}
        }
    }
    if tree != Tree::default() {
        handoff.trees.push(tree);
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
