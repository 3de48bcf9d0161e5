//! Headings and labels that carry a value themselves: `## Decision: one index`, `## Status: waiting`, `Rejected because:`.

use super::{Home, item_named};
use crate::Text;
use crate::formats::markdown::blocks::Block;
use crate::formats::markdown::gather::Gather;
use crate::formats::markdown::items::Line;
use crate::formats::markdown::lines;
use crate::formats::markdown::sections::Section;
use crate::headings::{Field, classify, known, normalise};

/// `## Decision: one index` with a paragraph below it: the heading holds the item, and the paragraph belongs to it.
pub(super) fn item_with_words(gather: &mut Gather<'_>, section: &Section) -> bool {
    let Some((name, value)) = section.heading.split_once([':', '：']) else { return false };
    let value = value.trim();
    let words = |block: &Block| matches!(block, Block::Paragraph { .. } | Block::Quote { .. } | Block::Code { .. });
    let whole = value.split_whitespace().count() >= 2 || !value.is_ascii() && value.chars().count() >= 4;
    if section.level == 7 || section.blocks.is_empty() || !whole || !section.blocks.iter().all(words) {
        return false;
    }
    let named = known(name).first().copied().or_else(|| classify(name).first().copied());
    match named {
        Some(Field::Objective) => {
            let from = gather.text()[section.heading_range.clone()].find(value).unwrap_or(0);
            let from = section.heading_range.start + from;
            let line = lines::of_paragraph(gather.text(), from..from + value.len());
            gather.objective(from..from + value.len(), &[line], name);
            true
        }
        Some(field @ (Field::Decisions | Field::Rejected | Field::Next | Field::Open | Field::Hazards)) => {
            let home = Home { above: name.trim().to_owned(), ..Home::of(vec![field], section.heading.clone()) };
            item_named(gather, section, &home, &[], value);
            true
        }
        _ => false,
    }
}

/// `## Next: write the timer` with nothing below it: the heading itself holds the item.
pub(super) fn item_in_heading(gather: &mut Gather<'_>, section: &Section, home: &Home) {
    let Some((name, value)) = section.heading.split_once([':', '：']) else { return };
    let value = value.trim();
    let fields = known(name);
    let Some(field @ (Field::Next | Field::Open | Field::Hazards | Field::Done)) = fields.first().copied() else {
        return;
    };
    let from = gather.text()[section.heading_range.clone()].find(value).map(|at| section.heading_range.start + at);
    if let Some(from) = from.filter(|_| value.contains(' ') && section.level < 7 && section.blocks.is_empty()) {
        let line = lines::of_part(gather.text(), from..from + value.len());
        gather.put(field, &line, &home.under);
    }
}

/// `Rejected because:` below a decision: what stands there is its reason.
pub(super) fn says_why(gather: &mut Gather<'_>, section: &Section, above: Option<&Home>) -> bool {
    let reasoned = above.is_some_and(|above| above.one_item && above.is_reasoned());
    if !reasoned || section.level != 7 || !normalise(&section.heading).ends_with(" because") {
        return false;
    }
    let found: Vec<Line> = section.blocks.iter().flat_map(|block| lines::of_block(gather.text(), block)).collect();
    let why = found.iter().map(|line| line.text.as_str()).collect::<Vec<_>>().join("; ");
    let Some(decision) = gather.handoff.decisions.last_mut().filter(|_| !why.is_empty()) else { return false };
    decision.why = Some(match decision.why.take() {
        Some(before) => format!("{before}; {why}"),
        None => why,
    });
    for line in found {
        gather.take(line.whole);
    }
    true
}

/// `## Current state: waiting for review`: the heading itself says the status.
pub(super) fn status_in_heading(gather: &mut Gather<'_>, section: &Section) {
    let Some((name, value)) = section.heading.split_once([':', '：']) else { return };
    let value = value.trim();
    let container = known(name).first() == Some(&Field::Provenance);
    if !container || value.is_empty() || gather.handoff.status.is_some() || crate::dates::find(value).is_some() {
        return;
    }
    let place = &gather.text()[section.heading_range.clone()];
    let Some(at) = place.find(value) else { return };
    let from = section.heading_range.start + at;
    gather.handoff.status =
        Some(Text { text: value.to_owned(), span: Some(gather.source.span(from, from + value.len())) });
}
