//! Blocks as the lines that fields are made of: list items, table rows, paragraphs.

use super::blocks::{Block, ListItem, Row};
use super::items::{Line, check_box, plain, read_words, state_word};
use super::labels::label_line;
use super::sections::Section;
use crate::ItemState;
use crate::headings::normalise;
use std::ops::Range;

/// Whether a section lists the last commits, one a line with its hash in front.
pub(crate) fn is_commit_log(text: &str, section: &Section) -> bool {
    let name = normalise(&section.heading);
    let named = ["recent commits", "latest commits", "last commits", "git log", "commit log", "commit history"]
        .iter()
        .any(|words| name.starts_with(words));
    let hash = |item: &ListItem| first_hash(&text[item.own.clone()]).is_some();
    named
        && !section.blocks.is_empty()
        && section.blocks.iter().all(|block| matches!(block, Block::List { items, .. } if items.iter().all(hash)))
}

/// The commit at the start of a line: the hash and where it stands.
pub(crate) fn first_hash(line: &str) -> Option<(&str, usize)> {
    let at = line.len() - line.trim_start_matches(['`', '*', '(', '[', ' ']).len();
    let rest = &line[at..];
    let hash = &rest[..rest.find(|digit: char| !digit.is_ascii_hexdigit()).unwrap_or(rest.len())];
    crate::mention::is_hash(hash).then_some((hash, at))
}

/// The lines of a list.
pub(crate) fn of_list(text: &str, items: &[ListItem]) -> Vec<Line> {
    items.iter().map(|item| of_item(text, item)).collect()
}

fn of_item(text: &str, item: &ListItem) -> Line {
    let own = &text[item.own.clone()];
    let boxed = check_box(own);
    let skip = boxed.map_or(0, |(_, length)| length).min(own.len());
    let mut line = Line {
        text: plain(text, item.own.start + skip..item.own.end),
        own: item.own.start + skip..item.own.end,
        whole: item.own.start + skip..item.whole.end.max(item.own.end),
        boxed: boxed.is_some(),
        state: boxed.map(|(state, _)| state),
        children: of_list(text, &item.children),
        ..Line::default()
    };
    read_words(&mut line);
    line
}

/// The rest of a line behind its label, with the check box it may begin with.
pub(crate) fn of_part(text: &str, range: Range<usize>) -> Line {
    let boxed = check_box(&text[range.clone()]);
    let from = range.start + boxed.map_or(0, |(_, length)| length).min(range.len());
    let mut line = of_paragraph(text, from..range.end);
    if let Some((state, _)) = boxed {
        line.boxed = true;
        line.state = Some(state);
    }
    line
}

/// A paragraph or quote as one line.
pub(crate) fn of_paragraph(text: &str, range: Range<usize>) -> Line {
    let mut line = Line { text: plain(text, range.clone()), own: range.clone(), whole: range, ..Line::default() };
    read_words(&mut line);
    line
}

/// A paragraph or quote as one line for each line of the file.
pub(crate) fn each(text: &str, range: Range<usize>) -> Vec<Line> {
    let mut lines = Vec::new();
    let mut at = range.start;
    for piece in text[range].split_inclusive('\n') {
        let body = piece.trim_end();
        let lead = body.len() - body.trim_start_matches([' ', '\t', '>']).len();
        for part in labels(&body[lead..]) {
            lines.push(of_paragraph(text, at + lead + part.start..at + lead + part.end));
        }
        at += piece.len();
    }
    lines
}

/// The lines of a paragraph as lines of their own when each begins with a command or a symbol of state.
pub(crate) fn apart(text: &str, range: Range<usize>) -> Option<Vec<Line>> {
    let begins = |line: &str| {
        let line = line.trim_start();
        let symbol = line.chars().next().filter(|first| !first.is_ascii() && !first.is_alphanumeric());
        line.starts_with('`') || symbol.is_some_and(|symbol| state_word(&symbol.to_string()).is_some())
    };
    let slice = &text[range.clone()];
    let several = slice.trim_end().contains('\n') && slice.lines().all(begins);
    several.then(|| {
        let mut at = range.start;
        let place = |line: &str| {
            let from = at;
            at += line.len();
            of_paragraph(text, from..from + line.trim_end().len())
        };
        slice.split_inclusive('\n').map(place).collect()
    })
}

/// As [`each`], without the lines that hold neither a colon nor a bracket of a name: a label has one.
pub(crate) fn with_colons(text: &str, range: Range<usize>) -> Vec<Line> {
    let mut lines = Vec::new();
    let mut at = range.start;
    for piece in text[range].split_inclusive('\n') {
        if piece.contains(':') || piece.contains('：') || piece.contains('【') {
            lines.extend(each(text, at..at + piece.len()));
        }
        at += piece.len();
    }
    lines
}

/// The parts of a line that holds several labels: `**From:** a → **To:** b`, `Branch: x | HEAD: y`.
fn labels(line: &str) -> Vec<Range<usize>> {
    let mut cuts: Vec<usize> = Vec::new();
    let bold = if line.starts_with("**") { line } else { "" };
    for (at, _) in bold.match_indices("**").filter(|(at, _)| *at > 0) {
        let inner = &line[at + 2..];
        let label = inner.split_once("**").is_some_and(|(name, after)| {
            let colon = name.ends_with([':', '：']) || after.starts_with([':', '：']);
            colon && !name.is_empty() && name.chars().count() <= 40
        });
        if label && line[..at].ends_with([' ', '\u{3000}']) {
            cuts.push(at);
        }
    }
    let mark = if line.contains(" | ") { " | " } else { " — " };
    let bars: Vec<usize> = line.match_indices(mark).map(|(at, _)| at + mark.len()).collect();
    let all_labels = || line.split(mark).all(|part| label_line(part).is_some());
    if cuts.is_empty() && !bars.is_empty() && bars.len() <= 8 && all_labels() {
        cuts = bars;
    }
    let mut parts = Vec::new();
    let mut from = 0;
    for cut in cuts.into_iter().chain([line.len()]) {
        let end = from + line[from..cut].trim_end_matches([' ', '\u{3000}', '|', '→', '·', '•', ',', '—']).len();
        if from < end {
            parts.push(from..end);
        }
        from = cut;
    }
    parts
}

/// A body row. Its text is what is neither a number nor a state; a cell that is a state sets the state.
pub(crate) fn of_row(header: &[String], row: &Row) -> Line {
    let mut state: Option<ItemState> = None;
    let mut parts: Vec<&str> = Vec::new();
    let mut cells = Vec::new();
    for (index, cell) in row.cells.iter().enumerate() {
        let name = header.get(index).map(|name| name.trim().to_lowercase()).unwrap_or_default();
        cells.push((name.clone(), cell.clone()));
        let counter =
            matches!(name.as_str(), "#" | "no" | "no." | "id") || cell.chars().all(|mark| mark.is_ascii_digit());
        let may_be_state = index > 0 || row.cells.len() == 1 || names_a_state(&name);
        if let Some(found) = state_word(cell).filter(|_| state.is_none() && may_be_state) {
            state = Some(found);
        } else if !counter && !cell.trim().is_empty() {
            parts.push(cell.trim());
        }
    }
    let text = match parts.split_first() {
        Some((first, [])) => (*first).to_owned(),
        Some((first, rest)) => format!("{first}: {}", rest.join("; ")),
        None => row.cells.join(" ").trim().to_owned(),
    };
    Line {
        text,
        own: row.range.clone(),
        whole: row.range.clone(),
        boxed: state.is_some(),
        state,
        cells,
        ..Line::default()
    }
}

/// Whether a table lists files: a column is named so and holds paths, the first one where rows have a state.
pub(crate) fn are_files(header: &[String], rows: &[Row], found: &[Line]) -> bool {
    const NAMES: &[&str] = &[
        "file",
        "files",
        "file path",
        "path",
        "document",
        "doc",
        "location",
        "datei",
        "pfad",
        "dokument",
        "ort",
        "fichier",
        "chemin",
        "archivo",
        "ruta",
        "arquivo",
        "caminho",
        "percorso",
        "файл",
        "путь",
        "ファイル",
        "パス",
        "場所",
        "文件",
        "路径",
        "文档",
        "位置",
        "파일",
        "경로",
        "문서",
        "위치",
    ];
    let named = |cell: &str| {
        let name = cell.trim().trim_matches('*').to_lowercase();
        NAMES.contains(&name.as_str())
            || ["文件路径", "ファイルパス", "파일 경로"].iter().any(|word| name.contains(word))
    };
    let path = |row: &Row, column: usize| {
        let cell = row.cells.get(column).map_or("", |cell| cell.trim().trim_matches(['*', '~', ' ']));
        let cell = cell.strip_prefix('`').and_then(|cell| cell.split('`').next()).unwrap_or(cell);
        crate::mention::looks_like_path(cell) || cell.ends_with(['/', '\\'])
    };
    let holds =
        |column: usize| !rows.is_empty() && rows.iter().filter(|row| path(row, column)).count() * 2 >= rows.len();
    let states = found.iter().any(|line| line.boxed);
    header.iter().enumerate().any(|(column, cell)| (column == 0 || !states) && named(cell) && holds(column))
}

/// Whether a column is there for how far or how urgent something is.
fn names_a_state(column: &str) -> bool {
    const NAMES: &[&str] = &[
        "status",
        "state",
        "priority",
        "prio",
        "done",
        "状態",
        "優先",
        "優先度",
        "进度",
        "状态",
        "优先级",
        "상태",
        "우선순위",
        "statut",
        "priorité",
        "estado",
        "prioridad",
        "prioridade",
        "stato",
        "priorità",
        "статус",
        "приоритет",
        "priorität",
    ];
    NAMES.contains(&column.trim_matches(['*', ' ']))
}

/// Whether the symbols of a list say what to do and what not: `❌ No chart library`, `✅ Always centred`.
pub(crate) fn are_rules(found: &[Line]) -> bool {
    // These deny an action; the weaker ones may only say that something is missing.
    const FORBIDS: &[&str] = &[
        "never ",
        "don't ",
        "don’t ",
        "do not ",
        "ne pas ",
        "jamais ",
        "nunca ",
        "não ",
        "никогда ",
        "禁止",
        "不要",
        "不得",
        "절대",
    ];
    const DENIES: &[&str] = &["no ", "pas de ", "pas d'", "nicht ", "kein", "nie ", "nada de ", "non "];
    let crossed = || found.iter().filter(|line| line.symbol && line.failed);
    let begins = |line: &Line, words: &[&str]| {
        let text = line.text.trim_start_matches(['*', '_']).to_lowercase();
        words.iter().any(|word| text.starts_with(word)) && !text.contains(" yet")
    };
    let forbids = |line: &Line| begins(line, FORBIDS);
    crossed().next().is_some() && crossed().all(forbids)
        || crossed().count() >= 2 && crossed().all(|line| forbids(line) || begins(line, DENIES))
}

/// The same lines without the states that their symbols would be elsewhere.
pub(crate) fn as_rules(found: Vec<Line>) -> Vec<Line> {
    found.into_iter().map(|line| Line { boxed: false, symbol: false, failed: false, state: None, ..line }).collect()
}

/// The lines of a block; code, HTML and rules have none.
pub(crate) fn of_block(text: &str, block: &Block) -> Vec<Line> {
    match block {
        Block::List { items, .. } => of_list(text, items),
        Block::Table { header, rows, .. } => rows.iter().map(|row| of_row(header, row)).collect(),
        Block::Paragraph { range } | Block::Quote { range } => vec![of_paragraph(text, range.clone())],
        Block::Heading { .. } | Block::Code { .. } | Block::Html { .. } | Block::Rule { .. } => Vec::new(),
    }
}
