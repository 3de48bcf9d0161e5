//! Sections become fields. Nothing is dropped: what fits no field is kept in `extra` with its place.

use super::blocks::{Block, ListItem, Row};
use super::items::{Line, check_box, is_none, plain, read_words, split_evidence, split_reason, split_reason_or_colon, state_word, without_label};
use super::labels::{label_line, metadata, section as extra_section};
use super::sections::Section;
use crate::headings::{Boundary, Field, boundary, classify, normalise};
use crate::source::Source;
use crate::{Artifact, Decision, Found, Handoff, Item, ItemState, Rejected, Text};
use std::ops::Range;

/// Puts every section where it belongs.
pub(crate) fn assemble(source: &Source<'_>, sections: &[Section], handoff: &mut Handoff) {
    let text = source.text.as_str();
    for (index, section) in sections.iter().enumerate() {
        if section.level == 1 && handoff.title.is_none() {
            let range = section.heading_range.clone();
            let from = range.start + text[range.clone()].find(section.heading.as_str()).unwrap_or(0);
            handoff.title = Some(Text { text: section.heading.clone(), span: Some(source.span(from, from + section.heading.len())) });
            if section.fields.is_empty() || section.fields == [Field::Provenance] {
                container(source, section, handoff);
                continue;
            }
        }
        let inherited = inherited(sections, section.parent);
        match (section.fields.as_slice(), inherited) {
            ([], Some((field, heading))) if section.level < 7 => sub_heading_item(source, sections, index, field, &heading, handoff),
            ([], Some(_)) if section.level == 7 => {}
            ([], None) => container(source, section, handoff),
            ([Field::Provenance], _) => container(source, section, handoff),
            ([Field::Tree], _) => tree_section(source, section, handoff),
            ([field], _) => field_section(source, section, *field, handoff),
            (several, _) => several_fields(source, section, several, handoff),
        }
        if section.fields.is_empty() && section.level == 7 && inherited_is_some(sections, section.parent) {
            label_inside_field(source, sections, section, handoff);
        }
    }
    drop_doubles(handoff);
}

fn inherited_is_some(sections: &[Section], parent: Option<usize>) -> bool {
    inherited(sections, parent).is_some()
}

/// The field of the nearest section above that has one, unless it is a container.
fn inherited(sections: &[Section], parent: Option<usize>) -> Option<(Field, String)> {
    let mut at = parent;
    while let Some(index) = at {
        let above = &sections[index];
        match above.fields.as_slice() {
            [] => at = above.parent,
            [Field::Provenance | Field::Tree, ..] => return None,
            [field, ..] => return Some((*field, above.heading.clone())),
        }
    }
    None
}

fn label_inside_field(source: &Source<'_>, sections: &[Section], section: &Section, handoff: &mut Handoff) {
    if let Some((field, heading)) = inherited(sections, section.parent) {
        for line in lines_of(source, &section.blocks) {
            push(source, field, line, &heading, handoff, true);
        }
    }
}

/// A sub-heading under a field is an item: the heading and what stands below it.
fn sub_heading_item(source: &Source<'_>, sections: &[Section], index: usize, field: Field, under: &str, handoff: &mut Handoff) {
    let section = &sections[index];
    let text = source.text.as_str();
    let grouped = matches!(field, Field::Artifacts | Field::Done | Field::Facts | Field::Objective)
        && section.blocks.iter().any(|block| matches!(block, Block::List { .. } | Block::Table { .. }));
    if grouped {
        for line in lines_of(source, &section.blocks) {
            push(source, field, line, under, handoff, true);
        }
        return;
    }
    let end = section.blocks.last().map_or(section.heading_range.end, |block| block.range().end);
    let from = section.heading_range.start + text[section.heading_range.clone()].find(section.heading.as_str()).unwrap_or(0);
    let heading = heading_text(&section.heading);
    let body = plain(text, section.heading_range.end..end.max(section.heading_range.end));
    let joined = if body.is_empty() { heading } else { format!("{heading}\n{body}") };
    let mut line = Line { text: joined, range: from..end.max(from), whole: from..end.max(from), ..Line::default() };
    read_words(&mut line);
    push(source, field, line, under, handoff, false);
}

/// Status, context, the lines under the title: read one by one.
fn container(source: &Source<'_>, section: &Section, handoff: &mut Handoff) {
    let text = source.text.as_str();
    let mut left: Option<Range<usize>> = None;
    for block in &section.blocks {
        let understood = match block {
            Block::Paragraph { range } | Block::Quote { range } => label_lines(source, range.clone(), &section.heading, handoff),
            Block::List { items, .. } => items.iter().all(|item| item.children.is_empty() && list_label(source, item, &section.heading, handoff)),
            Block::Rule { .. } => true,
            _ => false,
        };
        if !understood {
            let range = block.range();
            left = Some(left.map_or(range.clone(), |before| before.start..range.end));
        }
    }
    if let Some(left) = left {
        let content = text[left.clone()].replace("\r\n", "\n");
        // A status that is a sentence of its own says where the work stands.
        if section.fields == [Field::Provenance] && handoff.status.is_none() {
            let first = left.start..left.end.min(left.start + content.len());
            handoff.status = Some(Text { text: plain(text, first.clone()), span: Some(source.span(first.start, first.end)) });
        }
        let from = if section.level == 1 { left.start } else { section.heading_range.start.min(left.start) };
        let heading = if section.level == 1 { "" } else { section.heading.as_str() };
        handoff.extra.push(extra_section(heading, &content, Some(source.span(from, left.end))));
    } else if section.blocks.is_empty() && section.level > 1 && section.level < 7 && section.fields.is_empty() {
        let range = section.heading_range.clone();
        handoff.extra.push(extra_section(&section.heading, "", Some(source.span(range.start, range.end))));
    }
}

/// Reads a paragraph of label lines. False when any line is something else.
fn label_lines(source: &Source<'_>, range: Range<usize>, under: &str, handoff: &mut Handoff) -> bool {
    let text = source.text.as_str();
    let mut all = true;
    let mut at = range.start;
    while at < range.end {
        let end = crate::formats::front_matter::line_end(text, at).min(range.end);
        let line = text[at..end].trim_end();
        if !line.trim().trim_matches('>').trim().is_empty() {
            all &= match label_line(line) {
                Some((name, value)) => one_label(source, &name, at + value..at + line.len(), under, handoff),
                None => crate::pointer::is_pointer_line(line),
            };
        }
        at = end;
    }
    all
}

fn list_label(source: &Source<'_>, item: &ListItem, under: &str, handoff: &mut Handoff) -> bool {
    let line = &source.text[item.own.clone()];
    match label_line(line) {
        Some((name, value)) => one_label(source, &name, item.own.start + value..item.own.end, under, handoff),
        None => false,
    }
}

fn one_label(source: &Source<'_>, name: &str, range: Range<usize>, under: &str, handoff: &mut Handoff) -> bool {
    let text = source.text.as_str();
    let value = Text { text: plain(text, range.clone()), span: Some(source.span(range.start, range.end)) };
    if metadata(name, &value, handoff) {
        return true;
    }
    let loud = name.chars().any(char::is_alphabetic) && name.chars().all(|character| !character.is_lowercase());
    let field = match (normalise(&name.replace('_', " ")).as_str(), classify(name).first()) {
        ("summary", _) if loud => Some(Field::Done),
        ("decisions needed", _) => Some(Field::Open),
        ("task" | "ticket" | "issue", _) => Some(Field::Objective),
        (_, Some(Field::Provenance | Field::Tree) | None) => None,
        (_, Some(field)) => Some(*field),
    };
    let Some(field) = field else { return false };
    if is_none(&value.text) {
        return true;
    }
    if field == Field::Objective && handoff.objective.is_some() {
        return false;
    }
    let line = Line { text: value.text, range: range.clone(), whole: range, ..Line::default() };
    if field == Field::Artifacts {
        comma_list(source, line, handoff);
    } else {
        push(source, field, line, if under.is_empty() { name } else { under }, handoff, true);
    }
    true
}

fn comma_list(source: &Source<'_>, line: Line, handoff: &mut Handoff) {
    let mut at = line.range.start;
    for part in source.text[line.range.clone()].split([',', '、']) {
        let lead = part.len() - part.trim_start().len();
        let name = part.trim();
        if !name.is_empty() {
            handoff.artifacts.push(artifact(source, name, at + lead..at + lead + name.len()));
        }
        at += part.len() + 1;
    }
}

fn tree_section(source: &Source<'_>, section: &Section, handoff: &mut Handoff) {
    let text = source.text.as_str();
    if let (Some(first), Some(last)) = (section.blocks.first(), section.blocks.last()) {
        let range = first.range().start..last.range().end;
        let labels_only = section.blocks.iter().all(|block| match block {
            Block::List { items, .. } => items.iter().all(|item| label_line(&text[item.own.clone()]).is_some() || is_none(&text[item.own.clone()])),
            Block::Paragraph { range } => text[range.clone()].lines().all(|line| label_line(line).is_some()),
            Block::Code { .. } | Block::Rule { .. } => true,
            _ => false,
        });
        if !labels_only {
            let content = text[range.clone()].replace("\r\n", "\n");
            handoff.extra.push(extra_section(&section.heading, &content, Some(source.span(section.heading_range.start, range.end))));
        }
    }
}

fn several_fields(source: &Source<'_>, section: &Section, fields: &[Field], handoff: &mut Handoff) {
    let first = fields.iter().find(|field| !matches!(field, Field::Provenance | Field::Tree)).copied().unwrap_or(Field::Hazards);
    let work = fields.contains(&Field::Done) || fields.contains(&Field::Next);
    for line in lines_of(source, &section.blocks) {
        let field = match line.state {
            Some(ItemState::Done) if work => Field::Done,
            Some(_) if work => Field::Next,
            _ => choose(&line, fields).unwrap_or(first),
        };
        push(source, field, line, &section.heading, handoff, true);
    }
    leftovers(source, section, handoff);
}

fn choose(line: &Line, fields: &[Field]) -> Option<Field> {
    let question = line.text.contains(['?', '？']);
    fields.iter().copied().find(|field| matches!(field, Field::Open) == question && !matches!(field, Field::Provenance | Field::Tree))
}

fn field_section(source: &Source<'_>, section: &Section, field: Field, handoff: &mut Handoff) {
    let lines = lines_of(source, &section.blocks);
    let route = !is_task_list(&section.heading);
    for line in lines {
        push(source, field, line, &section.heading, handoff, route);
    }
    leftovers(source, section, handoff);
}

/// A list of numbered tasks keeps its order and its states; it is not torn into done and next.
fn is_task_list(heading: &str) -> bool {
    matches!(normalise(heading).as_str(), "task(s)" | "tasks" | "task")
}

/// Paragraphs beside a list, and code: kept, and shown where they stand.
fn leftovers(source: &Source<'_>, section: &Section, handoff: &mut Handoff) {
    let text = source.text.as_str();
    let has_items = section.blocks.iter().any(|block| matches!(block, Block::List { .. } | Block::Table { .. }));
    for block in &section.blocks {
        let range = block.range();
        let kept = match block {
            Block::Paragraph { .. } => has_items,
            Block::Code { .. } => true,
            Block::Html { .. } | Block::Quote { .. } => has_items,
            _ => false,
        };
        if kept && !is_none(&text[range.clone()]) {
            handoff.extra.push(extra_section(&section.heading, &text[range.clone()].replace("\r\n", "\n"), Some(source.span(range.start, range.end))));
        }
    }
}

/// A heading as an item says it: without the numbering that only orders the section.
fn heading_text(heading: &str) -> String {
    heading.trim_start_matches(|character: char| matches!(character, '①'..='⑳') || character.is_whitespace()).to_owned()
}

/// The items of a section: list items, table rows, or each paragraph when there is no list.
fn lines_of(source: &Source<'_>, blocks: &[Block]) -> Vec<Line> {
    let text = source.text.as_str();
    let mut lines = Vec::new();
    let has_items = blocks.iter().any(|block| matches!(block, Block::List { .. } | Block::Table { .. }));
    for block in blocks {
        match block {
            Block::List { items, .. } => lines.extend(items.iter().map(|item| list_line(text, item))),
            Block::Table { header, rows, .. } => lines.extend(rows.iter().filter_map(|row| table_line(header, row))),
            Block::Paragraph { range } | Block::Quote { range } | Block::Html { range } if !has_items => {
                let mut line = Line { text: plain(text, range.clone()).trim_start_matches("> ").to_owned(), range: range.clone(), whole: range.clone(), ..Line::default() };
                read_words(&mut line);
                lines.push(line);
            }
            _ => {}
        }
    }
    lines.retain(|line| !is_none(&line.text));
    lines
}

fn list_line(text: &str, item: &ListItem) -> Line {
    let own = &text[item.own.clone()];
    let boxed = check_box(own);
    let start = item.own.start + boxed.map_or(0, |(_, length)| length);
    let range = start.min(item.own.end)..item.own.end;
    let mut line = Line {
        text: plain(text, range.clone()),
        range,
        whole: item.whole.clone(),
        state: boxed.map(|(state, _)| state),
        children: item.children.iter().map(|child| list_line(text, child)).collect(),
        ..Line::default()
    };
    read_words(&mut line);
    line
}

fn table_line(header: &[String], row: &Row) -> Option<Line> {
    let mut state = None;
    let mut cells = Vec::new();
    let mut words = Vec::new();
    for (index, cell) in row.cells.iter().enumerate() {
        let name = header.get(index).map(|name| normalise(name)).unwrap_or_default();
        let status_column = matches!(name.as_str(), "status" | "state" | "状態" | "状态" | "상태" | "done" | "result" | "stand" | "statut" | "estado" | "stato" | "статус" | "");
        match state_word(cell) {
            Some(found) if status_column || cell.chars().count() <= 2 => state = Some(found),
            _ => {
                let number = index == 0 && cell.chars().all(|character| character.is_ascii_digit() || matches!(character, '.' | '#'));
                if !number && !cell.is_empty() {
                    words.push(cell.as_str());
                }
                cells.push((name, cell.clone()));
            }
        }
    }
    if words.is_empty() {
        return None;
    }
    Some(Line { text: words.join(" · "), range: row.range.clone(), whole: row.range.clone(), state, cells, ..Line::default() })
}

/// Puts one line into a field. `route` moves open work to `next` and finished work to `done`.
fn push(source: &Source<'_>, field: Field, line: Line, under: &str, handoff: &mut Handoff, route: bool) {
    let text = source.text.as_str();
    if is_none(&line.text) {
        return;
    }
    match field {
        Field::Objective => objective(source, line, handoff),
        Field::Decisions => handoff.decisions.push(decision(source, line)),
        Field::Rejected => handoff.rejected.push(rejected(source, line)),
        Field::Artifacts => handoff.artifacts.push(artifact(source, &line.text, line.range)),
        Field::Safety => {
            let list = match boundary(under) {
                Boundary::May => &mut handoff.safety.may,
                Boundary::Ask => &mut handoff.safety.ask,
                Boundary::Never => &mut handoff.safety.never,
            };
            list.push(item(source, text, line, under));
        }
        Field::Done | Field::Next => work(source, field, line, under, handoff, route),
        Field::Facts => {
            let mut fact = item(source, text, line, under);
            let (what, evidence) = split_evidence(&fact.text);
            if evidence.is_some() {
                (fact.text, fact.evidence) = (what, evidence);
            }
            handoff.facts.push(fact);
        }
        Field::Constraints => handoff.constraints.push(item(source, text, line, under)),
        Field::Unverified => handoff.unverified.push(item(source, text, line, under)),
        Field::Hazards => handoff.hazards.push(item(source, text, line, under)),
        Field::Open => handoff.open.push(item(source, text, line, under)),
        Field::Tree | Field::Provenance => {}
    }
}

fn work(source: &Source<'_>, field: Field, line: Line, under: &str, handoff: &mut Handoff, route: bool) {
    let now = matches!(normalise(under).as_str(), "now" | "in progress" | "in progress right now" | "task in progress" | "進行中" | "进行中" | "진행 중");
    let state = line.state.unwrap_or(match field {
        Field::Done => ItemState::Done,
        _ if now => ItemState::InProgress,
        _ => ItemState::Open,
    });
    let settled = if route { state == ItemState::Done || (field == Field::Done && state == ItemState::Dropped) } else { field == Field::Done };
    // "Completed" lists often name what is only partly done; the word stays, the item too.
    let settled = settled || (field == Field::Done && line.state == Some(ItemState::InProgress) && !matches!(source.text.get(line.range.start.saturating_sub(4)..line.range.start), Some(before) if before.contains('[')));
    let mut item = item(source, &source.text, line, under);
    item.state = Some(state);
    if settled { handoff.done.push(item) } else { handoff.next.push(item) }
}

fn item(source: &Source<'_>, text: &str, line: Line, under: &str) -> Item {
    let mut words = line.text;
    for child in &line.children {
        words.push_str("\n- ");
        words.push_str(&child_text(child));
    }
    // Nested lists belong to the item; an edit replaces all of it.
    let end = if line.children.is_empty() { line.range.end } else { line.whole.end };
    debug_assert!(text.is_char_boundary(line.range.start));
    Item {
        text: words,
        span: Some(source.span(line.range.start, end)),
        found: Found::Heading,
        state: line.state,
        evidence: None,
        mark: line.mark,
        under: (!under.is_empty()).then(|| under.to_owned()),
    }
}

fn child_text(line: &Line) -> String {
    let mut words = line.text.clone();
    for child in &line.children {
        words.push_str("; ");
        words.push_str(&child_text(child));
    }
    words
}

fn objective(source: &Source<'_>, line: Line, handoff: &mut Handoff) {
    let span = source.span(line.range.start, line.whole.end.max(line.range.end));
    match &mut handoff.objective {
        None => handoff.objective = Some(Text { text: line.text, span: Some(span) }),
        Some(before) => {
            before.text.push('\n');
            before.text.push_str(&line.text);
            if let Some(before) = &mut before.span {
                before.to = before.to.max(span.to);
            }
        }
    }
}

const DECISION_WORDS: &[&str] = &["decision", "decided", "决定", "決定", "결정"];
const WHY_WORDS: &[&str] = &["reason", "rationale", "why", "because", "理由", "原因", "이유", "grund", "raison", "motivo"];
const OTHER_WORDS: &[&str] = &["alternatives", "alternatives considered", "options", "considered", "instead of", "代替案", "备选", "대안"];

fn decision(source: &Source<'_>, line: Line) -> Decision {
    let span = source.span(line.range.start, line.whole.end.max(line.range.end));
    let mut decision = Decision { span: Some(span), mark: line.mark.clone(), ..Decision::default() };
    if !line.cells.is_empty() {
        for (index, (name, cell)) in line.cells.iter().enumerate() {
            if WHY_WORDS.iter().any(|word| name.contains(word)) {
                decision.why = Some(cell.clone());
            } else if OTHER_WORDS.iter().any(|word| name.contains(word)) {
                decision.alternatives.push(cell.clone());
            } else if matches!(name.as_str(), "date" | "at" | "日付" | "日期") {
                decision.at = Some(cell.clone());
            } else if decision.what.is_empty() && !(index == 0 && cell.chars().all(|c| c.is_ascii_digit() || c == '.')) {
                decision.what = cell.clone();
            } else if decision.why.is_none() {
                decision.why = Some(cell.clone());
            }
        }
        return decision;
    }
    let text = without_label(&line.text, DECISION_WORDS).replace("**", "");
    let (what, why) = split_reason(&text);
    decision.what = what;
    decision.why = why;
    for child in &line.children {
        let bare = child.text.replace("**", "");
        let reason = without_label(&bare, WHY_WORDS);
        let other = without_label(&bare, OTHER_WORDS);
        if reason.len() < bare.len() {
            decision.why = Some(reason.to_owned());
        } else if other.len() < bare.len() {
            decision.alternatives.push(other.to_owned());
        } else if let Some(because) = bare.strip_prefix("because ").or_else(|| bare.strip_prefix("Because ")) {
            decision.why = Some(because.to_owned());
        } else {
            decision.alternatives.push(bare);
        }
    }
    if decision.why.is_none() {
        // A sub-heading: the first line decides, the rest says why.
        if let Some((what, why)) = decision.what.clone().split_once('\n') {
            decision.what = what.to_owned();
            decision.why = Some(why.to_owned());
        }
    }
    decision
}

fn rejected(source: &Source<'_>, line: Line) -> Rejected {
    let span = source.span(line.range.start, line.whole.end.max(line.range.end));
    let text = line.text.replace("**", "").replace("~~", "");
    let text = without_label(&text, &["tried", "rejected", "却下", "attempt", "approach"]);
    let (what, mut why) = match line.cells.as_slice() {
        [(_, what), rest @ ..] if !rest.is_empty() => (what.clone(), Some(rest.iter().map(|(_, cell)| cell.as_str()).collect::<Vec<_>>().join(" · "))),
        _ => match text.split_once('\n') {
            Some((what, why)) => (what.to_owned(), Some(why.to_owned())),
            None => split_reason_or_colon(text),
        },
    };
    for child in &line.children {
        let reason = without_label(&child.text, WHY_WORDS);
        why = Some(match why {
            Some(before) => format!("{before}; {reason}"),
            None => reason.to_owned(),
        });
    }
    Rejected { what, why, span: Some(span), found: Found::Heading }
}

fn artifact(source: &Source<'_>, text: &str, range: Range<usize>) -> Artifact {
    let span = Some(source.span(range.start, range.end));
    let code = text.split('`').nth(1).filter(|code| !code.is_empty());
    let link = text.split_once("](").and_then(|(name, rest)| rest.split_once(')').map(|(target, _)| (name.trim_start_matches('['), target)));
    let (name, reference, note) = match (code, link) {
        (Some(code), _) => (code.to_owned(), code.to_owned(), text.replace(&format!("`{code}`"), "")),
        (None, Some((name, target))) => (name.to_owned(), target.to_owned(), String::new()),
        (None, None) => {
            let first = text.split_whitespace().next().unwrap_or(text);
            let pathlike = first.contains(['/', '.', '\\']) && first.chars().count() > 2;
            let reference = if pathlike { first.trim_end_matches([',', ':', ';']).to_owned() } else { text.to_owned() };
            let note = text.strip_prefix(reference.as_str()).unwrap_or_default().to_owned();
            (reference.clone(), reference, note)
        }
    };
    let note = note.trim().trim_matches(['-', '—', '–', ':', ' ', '(', ')']).trim().to_owned();
    Artifact { kind: kind_of(&reference), name, reference, span, note: (!note.is_empty()).then_some(note) }
}

/// `file`, `directory`, `url` or nothing, judged by how a reference looks.
pub(crate) fn kind_of(reference: &str) -> Option<String> {
    let kind = if reference.contains("://") {
        "url"
    } else if reference.ends_with('/') {
        "directory"
    } else if reference.rsplit('/').next().is_some_and(|name| name.contains('.')) && !reference.contains(' ') {
        "file"
    } else {
        return None;
    };
    Some(kind.to_owned())
}

/// An open row of a status table that names the same work as an item of the queue is that item.
fn drop_doubles(handoff: &mut Handoff) {
    let key = |text: &str| normalise(text.lines().next().unwrap_or_default());
    let mut seen: Vec<String> = Vec::new();
    let keys: Vec<(String, bool)> = handoff.next.iter().map(|item| (key(&item.text), item.text.contains('\n'))).collect();
    let mut index = 0;
    handoff.next.retain(|item| {
        let own = key(&item.text);
        let double = keys.iter().enumerate().any(|(other, (text, longer))| other != index && *text == own && *longer && !item.text.contains('\n')) || seen.contains(&format!("{own}\u{0}{}", item.text));
        seen.push(format!("{own}\u{0}{}", item.text));
        index += 1;
        !double
    });
}
