//! What no field took, kept verbatim: no line of a document is lost.

use super::sections::Section;
use crate::Handoff;
use crate::formats::front_matter::line_end;
use crate::source::Source;
use std::ops::Range;

/// Adds the lines that were not taken to `extra`, one run of lines a section.
pub(crate) fn keep(
    source: &Source<'_>,
    sections: &[Section],
    end: usize,
    taken: &[Range<usize>],
    handoff: &mut Handoff,
) {
    let mut taken = taken.to_vec();
    taken.sort_by_key(|range| range.start);
    let mut cursor = Cursor { taken: &taken, index: 0, reach: 0 };
    for (index, section) in sections.iter().enumerate() {
        let body = section.heading_range.end;
        let stop = sections.get(index + 1).map_or(end, |next| next.heading_range.start).max(body);
        section_rest(source, section, body..stop, &mut cursor, handoff);
    }
}

struct Cursor<'a> {
    taken: &'a [Range<usize>],
    index: usize,
    /// The furthest end of the ranges before `index`.
    reach: usize,
}

impl Cursor<'_> {
    /// Whether any taken range touches the line; lines must come in order.
    fn touches(&mut self, line: &Range<usize>) -> bool {
        while let Some(range) = self.taken.get(self.index).filter(|range| range.start < line.end) {
            self.reach = self.reach.max(range.end);
            self.index += 1;
        }
        self.reach > line.start
    }
}

fn section_rest(
    source: &Source<'_>,
    section: &Section,
    body: Range<usize>,
    cursor: &mut Cursor<'_>,
    handoff: &mut Handoff,
) {
    let text = source.text.as_str();
    let mut run: Option<Range<usize>> = None;
    let mut any_taken = false;
    let mut runs: Vec<Range<usize>> = Vec::new();
    let mut at = body.start;
    while at < body.end {
        let next = line_end(text, at).min(body.end);
        let line = at..next;
        let content = text[line.clone()].trim();
        if content.is_empty() {
            // A blank line neither ends a run nor begins one.
        } else if cursor.touches(&line) || is_furniture(content) {
            any_taken |= !is_furniture(content);
            runs.extend(run.take());
        } else {
            let start = run.as_ref().map_or(at, |run| run.start);
            run = Some(start..at + text[line].trim_end().len());
        }
        at = next;
    }
    runs.extend(run);
    for (number, run) in runs.into_iter().enumerate() {
        let whole = number == 0 && !any_taken && !section.heading.is_empty();
        let from = if whole { section.heading_range.start } else { run.start };
        let content = text[run.clone()].replace("\r\n", "\n");
        let content = if whole { content } else { content.trim_end().to_owned() };
        handoff.extra.push(crate::Section {
            heading: section.heading.clone(),
            text: content,
            span: Some(source.span(from, run.end)),
        });
    }
}

/// Rules, closing tags and the frame of a table say nothing by themselves.
fn is_furniture(line: &str) -> bool {
    let rule = line.len() >= 3 && line.chars().all(|mark| matches!(mark, '-' | '*' | '_' | '=' | ' '));
    let frame = line.contains('|') && line.chars().all(|mark| matches!(mark, '|' | '-' | ':' | ' '));
    let closing = line.starts_with("</") && line.ends_with('>');
    rule || frame || closing
}
