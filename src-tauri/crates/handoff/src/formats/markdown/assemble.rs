//! Sections into fields: each block of a section goes where its heading, its label or its check boxes say.

mod headed;

use super::blocks::Block;
use super::certainty::{is_guess, takes_back};
use super::gather::Gather;
use super::items::{Line, is_none};
use super::labels::{label_line, metadata};
use super::lines;
use super::sections::Section;
use crate::headings::{Field, boundary_of_rule, classify, known, normalise};
use crate::{ItemState, Text};
use headed::{item_in_heading, item_with_words, says_why, status_in_heading};

/// Puts every section where it belongs; what nobody takes stays for the leftovers.
pub(crate) fn assemble(gather: &mut Gather<'_>, sections: &[Section], log: Option<&str>) {
    let firsts = sections.iter().filter(|section| section.level == 1).count();
    let mut title_seen = false;
    let mut homes: Vec<Home> = Vec::with_capacity(sections.len());
    for (number, section) in sections.iter().enumerate() {
        let is_title = section.level == 1
            && (!title_seen || section.fields.is_empty())
            && (firsts == 1 || section.fields.is_empty() || is_named(section));
        if section.level == 1 && !title_seen && is_title {
            title_seen = true;
            title(gather, section);
        }
        let above = section.parent.and_then(|parent| homes.get(parent));
        let mut home = if is_title { Home::container() } else { home(section, above) };
        if above.is_some_and(|above| above.fields.contains(&Field::Tree))
            && crate::trees::names_changes(&section.heading)
        {
            // The files below it are the tree's, not references.
            home.fields = vec![Field::Tree];
        }
        if home.is_container() && !is_title && log.is_none() {
            status_in_heading(gather, section);
        }
        // The bullets right below the date of a log entry say what was done.
        let dated = log.is_some_and(|heading| heading == section.heading) && home.is_container();
        let ends = [section.blocks.first(), section.blocks.last()]
            .iter()
            .any(|block| matches!(block, Some(Block::List { .. })));
        home.lists_are_done = dated && ends && !is_title;
        if home.one_item && !home.is_reasoned() {
            one_item(gather, section, &home, &parts_of(sections, number));
        } else if says_why(gather, section, above) {
            // The reason went to the decision above.
        } else if !above.is_some_and(|above| above.one_item && !above.is_reasoned() && is_part(section)) {
            place(gather, section, &home);
        } else {
            home.one_item = true;
        }
        homes.push(home);
    }
    gather.settle();
}

/// `Handoff: …` is a title, whatever field its words suggest.
fn is_named(section: &Section) -> bool {
    let name = section.heading.to_lowercase();
    ["handoff", "handover", "hand-off", "引き継ぎ", "交接", "인수인계", "session"]
        .iter()
        .any(|word| name.contains(word))
}

fn title(gather: &mut Gather<'_>, section: &Section) {
    if gather.handoff.title.is_some() {
        return;
    }
    let text = gather.text();
    // A heading over several lines was put together: its words stand nowhere as one.
    let range = match text[section.heading_range.clone()].find(section.heading.as_str()) {
        Some(at) => section.heading_range.start + at..section.heading_range.start + at + section.heading.len(),
        None => section.heading_range.clone(),
    };
    let span = gather.source.span(range.start, range.end);
    gather.handoff.title = Some(Text { text: section.heading.clone(), span: Some(span) });
}

/// The fields that a section's lines go to and the name they stand under.
#[derive(Clone, Debug)]
struct Home {
    fields: Vec<Field>,
    under: String,
    /// The section is one item of the section above.
    one_item: bool,
    /// The name of the section above.
    above: String,
    /// What a list says was done, though the name does not say so.
    lists_are_done: bool,
}

impl Home {
    fn container() -> Self {
        Self::of(vec![Field::Provenance], String::new())
    }

    fn of(fields: Vec<Field>, under: String) -> Self {
        Self { fields, under, one_item: false, above: String::new(), lists_are_done: false }
    }

    /// What stands below such an item says why, or what else was considered.
    fn is_reasoned(&self) -> bool {
        matches!(self.fields.first(), Some(Field::Decisions | Field::Rejected))
    }

    fn is_container(&self) -> bool {
        self.fields.iter().all(|field| matches!(field, Field::Provenance))
    }
}

/// A label below an item that is a sub-heading, with a name of its own: it belongs to that item.
fn is_part(section: &Section) -> bool {
    section.level == 7 && section.fields.iter().all(|field| matches!(field, Field::Provenance))
}

/// The labels below a sub-heading that is one item.
fn parts_of(sections: &[Section], number: usize) -> Vec<&Section> {
    sections[number + 1..]
        .iter()
        .take_while(|section| section.level == 7 && section.parent == Some(number) && is_part(section))
        .collect()
}

fn home(section: &Section, above: Option<&Home>) -> Home {
    let above = above.filter(|above| !above.is_container());
    if let Some(above) = above {
        let listed = above.fields.iter().any(|field| {
            matches!(
                field,
                Field::Next
                    | Field::Hazards
                    | Field::Open
                    | Field::Rejected
                    | Field::Decisions
                    | Field::Constraints
                    | Field::Facts
                    | Field::Done
            )
        });
        let numbered = section
            .heading
            .trim_start()
            .starts_with(|first: char| first.is_ascii_digit() || ('①'..='⑳').contains(&first))
            || is_counted(&section.heading);
        let boundary = above.fields.contains(&Field::Safety)
            && (section.fields.is_empty() || section.fields.contains(&Field::Safety));
        if boundary {
            return Home::of(vec![Field::Safety], section.heading.clone());
        }
        let contained = section.fields.iter().all(|field| matches!(field, Field::Provenance))
            || above
                .fields
                .iter()
                .any(|field| matches!(field, Field::Done | Field::Next | Field::Hazards | Field::Constraints))
                && names_an_area(section);
        if contained || (numbered && listed && section.level < 7) {
            let starts_with_list = matches!(section.blocks.first(), Some(Block::List { .. } | Block::Table { .. }))
                || section.blocks.is_empty();
            let one_item = section.level < 7 && listed && (numbered || !starts_with_list);
            let home = Home::of(above.fields.clone(), section.heading.clone());
            return Home { one_item, above: above.under.clone(), ..home };
        }
    }
    Home::of(section.fields.clone(), section.heading.clone())
}

/// `Issue 2: …`, `Step 1 — …`, `P1: …`: a heading that counts the items of the section above.
fn is_counted(heading: &str) -> bool {
    const WORDS: &[&str] = &[
        "issue", "problem", "bug", "step", "passo", "paso", "étape", "etape", "schritt", "шаг", "item", "question",
        "risk", "gotcha", "p", "q", "u", "r", "b",
    ];
    let lower = heading.trim_start_matches(|mark: char| !mark.is_alphanumeric()).to_lowercase();
    WORDS.iter().filter_map(|word| lower.strip_prefix(word)).any(|rest| {
        let number = rest.trim_start_matches([' ', '#']);
        let behind = number.trim_start_matches(|digit: char| digit.is_ascii_digit());
        behind.len() < number.len() && behind.trim_start().starts_with([':', '：', '—', '–', '-', '.'])
    })
}

/// A sub-heading that says which part of the work its items are about.
fn names_an_area(section: &Section) -> bool {
    matches!(
        normalise(&section.heading).as_str(),
        "docs"
            | "documentation"
            | "tests"
            | "testing"
            | "configuration"
            | "config"
            | "dependencies"
            | "scope"
            | "implementation"
            | "project"
            | "stack"
            | "ドキュメント"
            | "テスト"
            | "文档"
            | "测试"
            | "문서"
            | "테스트"
    )
}

fn place(gather: &mut Gather<'_>, section: &Section, home: &Home) {
    if super::lines::is_commit_log(gather.text(), section) {
        // What was committed lately is there for context; the tree takes the first line, the rest stays as it stands.
        return;
    }
    if item_with_words(gather, section) {
        return;
    }
    item_in_heading(gather, section, home);
    if home.one_item {
        one_item(gather, section, home, &[]);
        return;
    }
    if home.fields.is_empty() || home.is_container() {
        let done = Home::of(vec![Field::Done], section.heading.clone());
        for block in &section.blocks {
            if home.lists_are_done && matches!(block, Block::List { .. }) {
                for line in lines::of_block(gather.text(), block) {
                    put_in(gather, &line, &done);
                }
            } else {
                container_block(gather, section, block);
            }
        }
        return;
    }
    if home.fields.contains(&Field::Objective) {
        objective(gather, section);
    }
    let lists = section.blocks.iter().any(|block| matches!(block, Block::List { .. } | Block::Table { .. }));
    for (index, block) in section.blocks.iter().enumerate() {
        if is_footer(gather.text(), &section.blocks[..index], block) {
            container_block(gather, section, block);
            continue;
        }
        if let Block::Table { rows, range, .. } = block {
            let first = rows.first().map_or(range.end, |row| row.range.start);
            gather.take(range.start..first);
        }
        let found = match block {
            Block::Paragraph { .. } | Block::Quote { .. } if lists => Vec::new(),
            Block::Paragraph { range } => lines::apart(gather.text(), range.clone())
                .or_else(|| told_apart(gather.text(), range.clone(), &home.fields))
                .unwrap_or_else(|| lines::of_block(gather.text(), block)),
            block => lines::of_block(gather.text(), block),
        };
        let rules = home.fields.contains(&Field::Constraints) && lines::are_rules(&found);
        let found = if rules { lines::as_rules(found) } else { found };
        let text = gather.text();
        for line in found.into_iter().flat_map(|line| rules_apart(text, line, &home.fields)) {
            if matches!(block, Block::Paragraph { .. }) && label_block(gather, block, home) {
                continue;
            }
            let nested = nested_section(gather, &line, home);
            if !nested {
                let field = choose(&home.fields, &line);
                gather.put(field, &line, &home.under);
            }
        }
    }
}

/// A line of the boundary as its sentences, when they belong to different lists: `Never publish. A draft is fine.`
fn rules_apart(text: &str, line: Line, fields: &[Field]) -> Vec<Line> {
    let whole = line.children.is_empty() && line.cells.is_empty() && fields.contains(&Field::Safety);
    match whole.then(|| told_apart(text, line.own.clone(), &[Field::Safety])).flatten() {
        Some(parts) => parts,
        None => vec![line],
    }
}

/// Slanted lines below a rule: who wrote it and when, not a part of the list above.
fn is_footer(text: &str, before: &[Block], block: &Block) -> bool {
    let Block::Paragraph { range } = block else { return false };
    let slanted = |line: &str| {
        let line = line.trim();
        ['*', '_'].iter().any(|mark| line.len() > 2 && line.starts_with(*mark) && line.ends_with(*mark))
    };
    matches!(before.last(), Some(Block::Rule { .. })) && text[range.clone()].lines().all(slanted)
}

/// A sub-heading with what stands below it is one item.
fn one_item(gather: &mut Gather<'_>, section: &Section, home: &Home, parts: &[&Section]) {
    item_named(gather, section, home, parts, without_number(&section.heading));
}

/// As [`one_item`], under a name that is a part of the heading.
fn item_named(gather: &mut Gather<'_>, section: &Section, home: &Home, parts: &[&Section], name: &str) {
    let text = gather.text();
    let end_of = |section: &Section| section.blocks.last().map_or(section.heading_range.end, |block| block.range().end);
    let end = parts.last().map_or(end_of(section), |part| end_of(part));
    let from = text[section.heading_range.clone()].find(name).unwrap_or(0) + section.heading_range.start;
    let mut line =
        Line { text: name.to_owned(), own: from..section.heading_range.end, whole: from..end, ..Line::default() };
    super::items::read_words(&mut line);
    let reasoned = matches!(home.fields.first(), Some(Field::Decisions | Field::Rejected));
    for block in &section.blocks {
        if reasoned && !matches!(block, Block::Code { .. } | Block::Html { .. }) {
            let each = lines::each(text, block.range());
            let labels = matches!(block, Block::Paragraph { .. })
                && each.len() > 1
                && each.iter().all(|line| label_line(&line.text).is_some());
            line.children.extend(if labels { each } else { lines::of_block(text, block) });
        } else {
            line.text.push('\n');
            line.text.push_str(&text[block.range()].replace("\r\n", "\n"));
        }
    }
    for part in parts {
        line.text.push('\n');
        line.text.push_str(text[part.heading_range.start..end_of(part)].replace("\r\n", "\n").trim_end());
    }
    let field = choose(&home.fields, &line);
    gather.put(field, &line, &home.above);
}

/// A heading without the number that only orders it: `1. Release`, `① 再接続`.
fn without_number(heading: &str) -> &str {
    let rest = heading.trim_start_matches(|mark: char| mark.is_ascii_digit() || ('①'..='⑳').contains(&mark));
    if rest.len() == heading.len() {
        return heading;
    }
    let name = rest.trim_start_matches(['.', ')', '、', ':', '．']).trim_start();
    let circled = heading.starts_with(|mark: char| ('①'..='⑳').contains(&mark));
    if name.is_empty() || (!circled && name.len() == rest.len()) { heading } else { name }
}

fn objective(gather: &mut Gather<'_>, section: &Section) {
    let mut all: Vec<Line> = Vec::new();
    let mut last = None;
    for block in &section.blocks {
        match block {
            Block::Paragraph { .. } | Block::Quote { .. } | Block::List { .. } => {
                let found = lines::of_block(gather.text(), block);
                if found.iter().any(|line| line.boxed) {
                    for line in &found {
                        gather.put(Field::Objective, line, &section.heading);
                    }
                    break;
                }
                all.extend(found);
                last = Some(block.range().end);
            }
            // A comment that tells what to write here.
            Block::Html { range } if gather.text()[range.clone()].starts_with("<!--") => {}
            _ => break,
        }
    }
    if let (Some(first), Some(end)) = (all.first().map(|line| line.whole.start), last) {
        gather.objective(first..end, &all, &section.heading);
    }
}

/// Which of a heading's fields a line belongs to.
fn choose(fields: &[Field], line: &Line) -> Field {
    let has = |field: Field| fields.contains(&field);
    if has(Field::Open) && line.text.contains(['?', '？']) {
        return Field::Open;
    }
    if has(Field::Rejected) && has(Field::Hazards) {
        let text = line.text.to_lowercase();
        let tried =
            ["tried", "failed", "reverted", "didn't work", "did not work"].iter().any(|word| text.contains(word));
        return if tried { Field::Rejected } else { Field::Hazards };
    }
    if has(Field::Rejected) && has(Field::Facts) {
        let text = line.text.to_lowercase();
        let failed = line.state == Some(ItemState::Open) || ["failed", "안 "].iter().any(|word| text.contains(word));
        return if failed { Field::Rejected } else { Field::Facts };
    }
    if has(Field::Facts) && has(Field::Artifacts) && crate::mention::looks_like_path(line.text.trim().trim_matches('`'))
    {
        return Field::Artifacts;
    }
    if has(Field::Facts) && has(Field::Next) {
        let text = line.text.trim_start_matches(['*', '_']).to_lowercase();
        let open = ["no ", "not ", "pending", "todo", "still "].iter().any(|word| text.starts_with(word));
        return if open { Field::Next } else { Field::Facts };
    }
    if has(Field::Constraints) && has(Field::Safety) {
        // What says neither that it is allowed nor that it is not goes to the constraints from there.
        return Field::Safety;
    }
    if has(Field::Constraints) && has(Field::Objective) {
        return Field::Objective;
    }
    fields.iter().copied().find(|field| !matches!(field, Field::Provenance)).unwrap_or(Field::Provenance)
}

/// A nested ledger: `- Done:` with items below it is a section of its own.
fn nested_section(gather: &mut Gather<'_>, line: &Line, home: &Home) -> bool {
    if line.children.is_empty() || !line.cells.is_empty() {
        return false;
    }
    let Some((name, value_at)) = label_line(&line.text) else { return false };
    let value = line.text.get(value_at..).unwrap_or_default().trim();
    let fields = known(&name);
    let own = fields.iter().any(|field| home.fields.contains(field));
    // `- **Tests**:` among next steps is a step about tests; only a state or a rule is a section in a list.
    let parts_list = fields.iter().any(|field| {
        matches!(
            field,
            Field::Done
                | Field::Next
                | Field::Open
                | Field::Decisions
                | Field::Rejected
                | Field::Hazards
                | Field::Safety
        )
    });
    let in_list =
        home.fields.iter().any(|field| matches!(field, Field::Done | Field::Next | Field::Open | Field::Hazards));
    if fields.is_empty()
        || own && !home.is_container()
        || !value.is_empty() && !home.is_container()
        || in_list && !parts_list
    {
        return false;
    }
    gather.take(line.own.clone());
    let inner = Home::of(fields.clone(), name.clone());
    let mut parts = line.children.clone();
    if !value.is_empty() {
        // In the file the value's further lines may be indented: its first one is looked for behind the colon.
        let own = &gather.text()[line.own.clone()];
        let colon = own.find([':', '：']).unwrap_or(0);
        let first = value.lines().next().unwrap_or_default();
        let from = line.own.start + own[colon..].find(first).map_or(0, |at| colon + at);
        parts.insert(0, lines::of_part(gather.text(), from..line.own.end));
    }
    if fields.contains(&Field::Objective) {
        if let (Some(first), Some(last)) = (parts.first(), parts.last()) {
            gather.objective(first.whole.start..last.whole.end, &parts, &name);
        }
        return true;
    }
    for part in &parts {
        put_in(gather, part, &inner);
    }
    true
}

fn put_in(gather: &mut Gather<'_>, line: &Line, home: &Home) {
    if home.is_container() {
        if !nested_section(gather, line, home) {
            container_line(gather, line, &home.under, None);
        }
    } else if !nested_section(gather, line, home) {
        let field = choose(&home.fields, line);
        gather.put(field, line, &home.under);
    }
}

/// A paragraph of `Label: value` lines inside a section of a field.
fn label_block(gather: &mut Gather<'_>, block: &Block, home: &Home) -> bool {
    if !matches!(home.fields.first(), Some(Field::Tree)) {
        return false;
    }
    // A status in a section about the tree is the tree's, not the work's.
    let of_the_work =
        |line: &Line| !label_line(&line.text).is_some_and(|(name, _)| crate::trees::is_status(&normalise(&name)));
    for line in lines::each(gather.text(), block.range()).iter().filter(|line| of_the_work(line)) {
        container_line(gather, line, &home.under, None);
    }
    true
}

fn container_block(gather: &mut Gather<'_>, section: &Section, block: &Block) {
    let text = gather.text();
    match block {
        Block::Paragraph { range } | Block::Quote { range } => {
            let found = lines::each(text, range.clone());
            let has_next =
                found.iter().any(|line| label_line(&line.text).is_some_and(|(name, _)| normalise(&name) == "next"));
            for line in &found {
                let summary = has_next && label_line(&line.text).is_some_and(|(name, _)| normalise(&name) == "summary");
                let field = if summary { Some(Field::Done) } else { run_in(line) };
                container_line(gather, line, &section.heading, field);
            }
        }
        Block::List { .. } if is_legend(&section.heading) => {}
        Block::List { .. } => {
            let found = lines::of_block(text, block);
            if lines::are_rules(&found) {
                for line in lines::as_rules(found) {
                    gather.put(Field::Constraints, &line, &section.heading);
                }
                return;
            }
            if found.iter().filter(|line| bare_label(line).is_some()).count() >= 2 {
                flat_ledger(gather, section, &found);
                return;
            }
            for line in found {
                let home = Home::of(vec![Field::Provenance], section.heading.clone());
                if !nested_section(gather, &line, &home) {
                    let unlabelled = label_line(&line.text).is_none() && !line.boxed;
                    let state = unlabelled && !section.fields.is_empty();
                    if !(state && super::spoken::state_line(gather, &line, &section.heading)) {
                        container_line(gather, &line, &section.heading, None);
                    }
                }
            }
        }
        Block::Table { header, rows, range, .. } => {
            let mut found = lines::of_block(text, block);
            if lines::are_files(header, rows, &found) {
                gather.take(range.start..rows.first().map_or(range.end, |row| row.range.start));
                for line in &found {
                    gather.put(Field::Artifacts, line, &section.heading);
                }
                return;
            }
            let named =
                |name: &str| crate::trees::is_label(&normalise(name)) || crate::trees::is_status(&normalise(name));
            if found.iter().any(|line| line.cells.len() == 2 && line.cells.first().is_some_and(|(_, name)| named(name)))
            {
                // A table of metadata: its cells are values, also those that are words of state.
                found.iter_mut().for_each(|line| line.boxed = false);
            }
            if found.iter().any(|line| line.boxed) {
                gather.take(range.start..rows.first().map_or(range.end, |row| row.range.start));
            }
            for line in found {
                if line.boxed {
                    gather.put(Field::Provenance, &line, &section.heading);
                } else if let [(_, name), (_, value)] = line.cells.as_slice() {
                    let from =
                        text[line.own.clone()].rfind(value.as_str()).map_or(line.own.start, |at| line.own.start + at);
                    let value = Text {
                        text: value.clone(),
                        span: Some(gather.source.span(from, (from + value.len()).min(line.own.end))),
                    };
                    if metadata(name, &value, &mut gather.handoff) {
                        gather.take(line.whole.clone());
                    }
                }
            }
        }
        _ => {}
    }
}

/// The field that a name before a colon has by a word in it, as a heading would: `Decided with Ada: one reducer`.
fn run_in(line: &Line) -> Option<Field> {
    let (name, value_at) = label_line(&line.text).filter(|_| !line.boxed)?;
    let value = line.text.get(value_at..).unwrap_or_default().trim();
    let bold = line.text.starts_with("**");
    let words = name.split_whitespace().count();
    let named = known(&name).is_empty() && value.split_whitespace().count() >= 2 && (bold || words <= 3);
    let git = crate::trees::is_label(&normalise(&name));
    let field = classify(&name).first().copied().filter(|_| named && !git)?;
    (!matches!(field, Field::Tree | Field::Provenance)).then_some(field)
}

/// An item that is nothing but a known name and a colon.
fn bare_label(line: &Line) -> Option<Home> {
    let (name, value_at) = label_line(&line.text).filter(|_| line.children.is_empty() && line.cells.is_empty())?;
    let fields = known(&name);
    let bare = line.text.get(value_at..).is_some_and(|value| value.trim().is_empty()) && !fields.is_empty();
    bare.then(|| Home::of(fields, name))
}

/// `- Done:`, `- Now:` and `- Next:` between the items that belong to them, none deeper than the other.
fn flat_ledger(gather: &mut Gather<'_>, section: &Section, found: &[Line]) {
    let mut home = Home::of(vec![Field::Provenance], section.heading.clone());
    for line in found {
        match bare_label(line) {
            Some(named) => {
                gather.take(line.own.clone());
                home = named;
            }
            None => put_in(gather, line, &home),
        }
    }
}

/// Whether a list below a name only explains the symbols of another.
fn is_legend(name: &str) -> bool {
    let name = normalise(name);
    ["legend", "key", "légende", "legende", "leyenda", "legenda", "условные обозначения", "图例", "凡例", "범례"]
        .contains(&name.as_str())
}

/// One line of a container: metadata, a short field, or a box.
fn container_line(gather: &mut Gather<'_>, line: &Line, under: &str, forced: Option<Field>) {
    if line.boxed {
        // `- [ ] Am I in the right folder?` asks the reader each time; nothing in it is left to do.
        if line.symbol || !line.cells.is_empty() || !line.text.ends_with(['?', '？']) {
            gather.put(Field::Provenance, line, under);
        }
        return;
    }
    let Some((name, value_at)) = label_line(&line.text) else {
        if !updated_line(gather, line) {
            state_word_line(gather, line, under);
        }
        return;
    };
    let raw = line.text.get(value_at..).unwrap_or_default();
    let value = raw.trim().trim_end_matches("**").trim();
    let from = gather.text()[line.own.clone()].find(value).filter(|_| !value.is_empty());
    let from = from.map_or(line.own.end, |at| line.own.start + at.max(value_at.min(at)));
    let range = from..(from + value.len()).min(line.own.end);
    let span = gather.source.span(range.start, range.end.max(range.start));
    if crate::trees::is_label(&normalise(&name)) {
        return;
    }
    if metadata(&name, &Text { text: value.to_owned(), span: Some(span) }, &mut gather.handoff) {
        gather.take(line.own.clone());
        return;
    }
    let mut fields = known(&name);
    let result = fields.contains(&Field::Facts) && value.contains(char::is_alphabetic);
    if is_count(value) && !result || value.is_empty() {
        return;
    }
    if normalise(&name.replace('_', " ")).contains("needed") && fields.contains(&Field::Decisions) {
        fields = vec![Field::Open];
    }
    if fields.is_empty() && forced.is_none() && !under.is_empty() && line.children.is_empty() {
        // `- Ramp: done` in a status says what the work is and where it stands.
        let word = value.to_lowercase();
        let state = super::items::state_word(value)
            .filter(|_| value.chars().count() <= 60 && !word.starts_with("pass") && !word.starts_with("open"));
        if state.is_some() {
            let own = Line { boxed: true, state, ..line.clone() };
            gather.put(Field::Provenance, &own, under);
            return;
        }
    }
    let Some(field) = forced.or_else(|| fields.first().copied()) else { return };
    let part = lines::of_part(gather.text(), range.clone());
    let text = if part.boxed { part.text.clone() } else { value.to_owned() };
    let whole = part.whole.start..line.whole.end.max(range.end);
    let own = Line { text, whole, children: line.children.clone(), state: part.state.filter(|_| part.boxed), ..part };
    match field {
        Field::Objective => {
            if gather.handoff.objective.is_none() {
                gather.objective(own.whole.clone(), std::slice::from_ref(&own), &name);
            }
        }
        Field::Tree | Field::Provenance => {}
        field => {
            let parts = own.children.is_empty().then(|| told_apart(gather.text(), range, &[field])).flatten();
            if is_none(value) {
                gather.take(line.whole.clone());
            } else if let Some(parts) = parts.filter(|_| field == Field::Facts) {
                for part in &parts {
                    gather.put(field, part, &name);
                }
            } else {
                gather.put(field, &own, &name);
            }
        }
    }
}

/// The sentences of a paragraph as lines of their own, when they belong to different lists.
fn told_apart(text: &str, range: std::ops::Range<usize>, fields: &[Field]) -> Option<Vec<Line>> {
    let sentences = crate::prose::sentences(text, range);
    let list = |sentence: &std::ops::Range<usize>| match fields {
        [Field::Safety] => boundary_of_rule(&text[sentence.clone()]).map(|list| list as usize),
        [Field::Facts, ..] => {
            let said = &text[sentence.clone()];
            Some(usize::from(takes_back(said) || is_guess(said)))
        }
        _ => None,
    };
    let mut lists = sentences.iter().filter_map(list);
    let first = lists.next()?;
    lists
        .any(|other| other != first)
        .then(|| sentences.into_iter().map(|sentence| lines::of_paragraph(text, sentence)).collect())
}

/// `Updated 2026-04-20.`, without a colon. Returns whether the line says nothing else.
fn updated_line(gather: &mut Gather<'_>, line: &Line) -> bool {
    // In ASCII only, so that places stay what they are.
    let lower = line.text.to_ascii_lowercase();
    let words = ["updated ", "written ", "created ", "generated ", "as of ", "saved "];
    let found = words.iter().find_map(|word| lower.find(word).filter(|at| *at <= 40).map(|at| at + word.len()));
    let Some(after) = found.map(|at| &line.text[at..]) else { return false };
    let after = after.trim_start_matches("on ").trim_start_matches(['*', '`', '(']);
    if !after.starts_with("20") {
        return false;
    }
    let Some(at) = crate::dates::find(after) else { return false };
    gather.handoff.provenance.written_at.get_or_insert(at);
    let by = line.text.split_once(" by ").and_then(|(_, by)| super::labels::agent_named(by));
    if let Some(agent) = by {
        gather.handoff.provenance.agent.get_or_insert(agent);
    }
    let whole = lower.starts_with("updated") || lower.starts_with("last updated");
    if whole && after.trim_end_matches(['.', ')', '*', ' ']).len() <= 30 {
        gather.take(line.own.clone());
    }
    whole
}

/// `State:` with nothing but a word below it is the status.
fn state_word_line(gather: &mut Gather<'_>, line: &Line, under: &str) {
    let named = matches!(
        normalise(under).as_str(),
        "state" | "status" | "current status" | "handoff status" | "状态" | "状態" | "ステータス" | "상태"
    );
    let short = line.text.chars().count() <= 40 && !line.text.contains(['.', '。']) && line.children.is_empty();
    if named && short && gather.handoff.status.is_none() {
        let text = line.text.trim_matches(['*', '`']).trim().to_owned();
        gather.handoff.status = Some(Text { text, span: Some(gather.source.span(line.own.start, line.own.end)) });
        gather.take(line.own.clone());
    }
}

/// `3 of 7 steps`, `40 %`: a count, no piece of work.
fn is_count(value: &str) -> bool {
    let digits = value.trim_start_matches(|digit: char| digit.is_ascii_digit());
    if digits.len() == value.len() {
        return false;
    }
    let rest = digits.trim_start();
    rest.is_empty() || ["of ", "/", "%", "out of"].iter().any(|word| rest.starts_with(word))
}
