//! Markdown as people and agents write it: headings, labels, tags and `KEY: value` lines in nine languages.
//!
//! What stands under a known name goes to its field; everything else is kept verbatim in `extra`. Rules and
//! rejected options that hide in sentences are looked for afterwards and marked as found in prose.

mod assemble;
pub(crate) mod blocks;
mod certainty;
mod entries;
mod gather;
mod items;
mod labels;
mod leftovers;
pub(crate) mod lines;
mod opening;
mod reasons;
mod sections;
mod spoken;

pub(crate) use blocks::{Block, Row};
pub(crate) use certainty::{is_guess, says_failed, takes_back};
pub(crate) use gather::{Gather, kind_of};
pub(crate) use items::{
    check_box, is_none, is_placeholder, leading_mark, plain, split_evidence, split_reason, split_reason_or_colon,
    state_word,
};
pub(crate) use labels::{label_line, metadata};
pub(crate) use sections::{Section, sections};

use super::{Reader, front_matter};
use crate::source::Source;
use crate::{Entry, Finding, Format, Handoff, Limits, Readable, Reading, Severity, pointer, prose, trees};

/// The reader of ordinary Markdown; takes whatever nobody else took.
pub(crate) struct Markdown;

impl Reader for Markdown {
    fn format(&self) -> Format {
        Format::Markdown
    }

    fn recognises(&self, _source: &Source<'_>) -> bool {
        true
    }

    fn read(&self, source: &Source<'_>, _limits: &Limits) -> Reading {
        let unwrapped = source.unwrapped();
        let mut findings: Vec<Finding> = Vec::new();
        if unwrapped.is_some() {
            findings.push(Finding::new(
                Severity::Info,
                "pasted-text",
                "The whole document is indented, quoted or framed, as a paste is. It was read without that.",
            ));
        }
        let source = unwrapped.as_ref().unwrap_or(source);
        let text = source.text.as_str();
        let front = front_matter::read(source);
        let mut reason = None;
        let mut body = 0;
        if let Some(front) = &front {
            body = front.body;
            findings.extend(front.findings.iter().cloned());
            if front.open {
                reason = Some("The front matter has no closing line. The file may still be written.".to_owned());
            }
        }
        let mut split = entries::split(text, body..text.len());
        let mut entries: Vec<Entry> = Vec::new();
        let mut parsed = split.blocks.take();
        for (number, part) in split.entries.iter().enumerate() {
            let handoff = read_entry(
                source,
                part,
                parsed.take(),
                split.entries.len() > 1,
                front.as_ref().filter(|_| number == 0),
                &mut findings,
            );
            entries.push(Entry {
                heading: part.heading.clone(),
                span: source.span(if number == 0 { 0 } else { part.range.start }, part.range.end),
                at: part.at.clone(),
                handoff,
            });
        }
        findings.extend(split.findings(source, &entries));
        let shown = split.shown.min(entries.len().saturating_sub(1));
        if reason.is_none() {
            reason = entries.get(shown).and_then(|entry| cut_off(text, &entry.handoff));
        }
        let guessed = findings.iter().any(|finding| finding.code == opening::CODE);
        if let Some(reason) = entries.get(shown).and_then(|entry| no_handoff(text, &entry.handoff, guessed)) {
            return Reading {
                format: Format::Markdown,
                readable: Readable::NotAHandoff,
                reason: Some(reason.to_owned()),
                entries: Vec::new(),
                shown: 0,
                findings,
            };
        }
        let readable = if reason.is_some() {
            findings.push(
                Finding::new(
                    Severity::Warning,
                    "possibly-truncated",
                    "The file ends in the middle of a sentence. It is read again when it changes.",
                )
                .at(source.span(text.trim_end().rfind('\n').map_or(0, |at| at + 1), text.len())),
            );
            Readable::Incomplete
        } else if findings.iter().any(|finding| finding.severity >= Severity::Warning) {
            Readable::Partial
        } else {
            Readable::Full
        };
        Reading { format: Format::Markdown, readable, reason, entries, shown, findings }
    }
}

/// What a whole document says, read as one entry whatever it is.
pub(crate) fn as_one(source: &Source<'_>) -> Handoff {
    let body = front_matter::read(source).map_or(0, |front| front.body);
    let part = entries::Part { heading: String::new(), range: body..source.text.len(), at: None };
    read_entry(source, &part, None, false, None, &mut Vec::new())
}

fn read_entry(
    source: &Source<'_>,
    part: &entries::Part,
    parsed: Option<Vec<Block>>,
    log: bool,
    front: Option<&front_matter::FrontMatter>,
    findings: &mut Vec<Finding>,
) -> Handoff {
    let range = part.range.clone();
    let mut handoff = Handoff::default();
    if let Some(front) = front {
        labels::front_matter(source, &front.pairs, &mut handoff);
        if !front.findings.is_empty() {
            // What is not valid stays visible as it was written.
            let inner = front.inner.clone();
            let kept = source.text[inner.clone()].replace("\r\n", "\n");
            let span = source.span(inner.start, inner.end);
            handoff.extra.push(labels::section("front matter", kept.trim_end(), Some(span)));
        }
    }
    labels::tag_attributes(source, range.clone(), &mut handoff);
    let sections = sections(&source.text, range.clone(), parsed);
    let mut gather = Gather::new(source, handoff);
    assemble::assemble(&mut gather, &sections, log.then_some(part.heading.as_str()));
    trees::collect(&mut gather, &sections);
    pointer::collect(&mut gather, &sections, range.len(), findings);
    spoken::collect(&mut gather, &sections);
    let Gather { mut handoff, taken, findings: told, .. } = gather;
    findings.extend(told);
    prose::collect_in(source, &sections, &mut handoff);
    leftovers::keep(source, &sections, range.end, &taken, &mut handoff);
    if handoff.provenance.written_at.is_none() {
        // The heading of an entry or of the document may be the only place that names the day.
        let title = handoff.title.as_ref().map(|title| title.text.as_str()).filter(|_| !log);
        handoff.provenance.written_at = title
            .or(Some(part.heading.as_str()))
            .and_then(crate::dates::find)
            .or_else(|| part.at.clone().filter(|_| log && crate::dates::either_day(&part.heading).is_some()))
            .or_else(|| title.or(Some(part.heading.as_str())).and_then(crate::dates::as_written));
    }
    if handoff.provenance.written_at.is_none() && !log {
        // A first line such as `Handoff, 5 Oct 2026` is a title without a mark.
        let first = source.text[range.clone()].trim_start().lines().next().unwrap_or_default();
        let lower = first.to_lowercase();
        let titled = first.len() <= 100 && ["handoff", "handover", "session"].iter().any(|word| lower.contains(word));
        handoff.provenance.written_at = Some(first).filter(|_| titled).and_then(crate::dates::find);
    }
    if handoff.provenance.written_at.is_none() && !log {
        handoff.provenance.written_at = day_below_title(&source.text, &sections);
    }
    if handoff.objective.is_none() && handoff.points_to.is_empty() && !log {
        opening::collect(source, &sections, &mut handoff, findings);
    }
    placeholders(&handoff, findings);
    handoff
}

/// The day that the first short words under the title or the first heading below it name: `> 2026-07-14, end of the session`.
fn day_below_title(text: &str, sections: &[Section]) -> Option<String> {
    const SHORT: usize = 300;
    let titled = sections.iter().find(|section| section.level > 0).filter(|first| first.level == 1)?;
    let below = || {
        let (Block::Paragraph { range } | Block::Quote { range }) = titled.blocks.first()? else { return None };
        Some(&text[range.clone()]).filter(|words| words.len() <= SHORT).and_then(crate::dates::find)
    };
    // `## Status (2026-06-04)`: the first heading below the title.
    let next =
        || sections.iter().find(|section| section.level == 2).and_then(|first| crate::dates::find(&first.heading));
    below().or_else(next)
}

/// Why a document with a handoff's name is none: a template nobody filled in, or sections about something else.
/// A guessed objective proves nothing.
fn no_handoff(text: &str, handoff: &Handoff, guessed: bool) -> Option<&'static str> {
    let items =
        handoff.next.iter().chain(&handoff.done).chain(&handoff.facts).chain(&handoff.open).chain(&handoff.hazards);
    let (empty, all) =
        items.fold((0_usize, 0_usize), |(empty, all), item| (empty + usize::from(is_placeholder(&item.text)), all + 1));
    if empty >= 3 && empty == all && handoff.trees.is_empty() {
        return Some("It is a template: nothing in it was filled in.");
    }
    let said = all
        + handoff.decisions.len()
        + handoff.rejected.len()
        + handoff.unverified.len()
        + handoff.constraints.len()
        + handoff.artifacts.len()
        + handoff.trees.len()
        + handoff.points_to.len()
        + handoff.safety.may.len()
        + handoff.safety.ask.len()
        + handoff.safety.never.len();
    let sections = handoff.extra.iter().filter(|section| !section.heading.is_empty()).count();
    let dated = handoff.provenance.written_at.is_some() || handoff.status.is_some();
    // The skill that writes free text asks for this section and for no other.
    let skills = handoff.extra.iter().any(|section| crate::headings::normalise(&section.heading) == "suggested skills");
    let aimless = handoff.objective.is_none() || guessed && !skills;
    let nothing = said == 0 && aimless && !dated && sections >= 2;
    (nothing && text.lines().filter(|line| line.starts_with('#')).count() >= 2)
        .then_some("No section, label or key of a handoff was found in it.")
}

/// A document that ends inside a code block, or inside a sentence before any next step. Only a missing line end
/// makes it suspicious: many whole documents end without a full stop.
fn cut_off(text: &str, handoff: &Handoff) -> Option<String> {
    if text.ends_with(['\n', '\r']) {
        return None;
    }
    if matches!(blocks::blocks(text, 0..text.len()).last(), Some(Block::Code { closed: false, .. })) {
        return Some("The file ends inside a code block. It may still be written.".to_owned());
    }
    let line = text.trim_end().lines().next_back().unwrap_or_default();
    let odd = |mark: &str| line.matches(mark).count() % 2 == 1;
    let unclosed = |open: char, close: char| line.matches(open).count() > line.matches(close).count();
    let above = text.trim_end().lines().rev().nth(1).unwrap_or_default();
    let bars = |line: &str| line.matches('|').count();
    let row = line.trim_start().starts_with('|') && above.trim_start().starts_with('|') && bars(line) < bars(above);
    let bare = line.trim().trim_start_matches(['#', '-', '*', '+', '>', ' ']).trim().is_empty();
    if odd("`")
        || odd("**")
        || unclosed('[', ']')
        || unclosed('(', ')')
        || line.ends_with([',', '、', '，'])
        || bare
        || row
    {
        return Some("The file ends inside a line, without a line end. It may still be written.".to_owned());
    }
    let last = text.trim_end().chars().next_back()?;
    (handoff.next.is_empty() && last.is_alphanumeric())
        .then(|| "The file ends inside a sentence, without a line end. It may still be written.".to_owned())
}

fn placeholders(handoff: &Handoff, findings: &mut Vec<Finding>) {
    let items =
        handoff.next.iter().chain(&handoff.done).chain(&handoff.facts).chain(&handoff.open).chain(&handoff.constraints);
    let mut count = 0;
    let mut place = None;
    for item in items.filter(|item| is_placeholder(&item.text)) {
        count += 1;
        place = place.or(item.span);
    }
    if count > 0 {
        let mut finding = Finding::new(
            Severity::Warning,
            "draft",
            format!("{count} placeholders were never filled in. This is a draft."),
        );
        finding.span = place;
        findings.push(finding);
    }
}
