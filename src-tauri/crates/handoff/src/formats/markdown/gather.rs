//! The document while it is being put together: lines become items of a field, and every byte that was taken is
//! remembered, so that the rest can be kept verbatim.

use super::certainty::{is_guess, is_instruction, says_failed, takes_back};
use super::items::{Line, is_failure, is_none, split_evidence, split_reason, split_reason_or_colon, without_label};
use super::labels::label_line;
use super::reasons::{
    Part, alternatives_behind, bare, because, dated, decision_cells, join, labelled, split_emphasis, split_list,
};
use crate::headings::{Below, Boundary, Field, boundary_below, known, normalise};
use crate::source::Source;
use crate::{Artifact, Decision, Finding, Found, Handoff, Item, ItemState, Rejected, Severity, Span, Text, mention};
use std::ops::Range;

/// What has been understood so far.
pub(crate) struct Gather<'a> {
    pub source: &'a Source<'a>,
    pub handoff: Handoff,
    /// Ranges of the text that went into a field.
    pub taken: Vec<Range<usize>>,
    /// What there is to say about how it was understood.
    pub findings: Vec<Finding>,
    /// How surely the name above the objective says so: a goal beats a task, a task beats a summary.
    rank: u8,
    objective_at: Option<Range<usize>>,
    /// Open rows of status tables: they wait until the list of next steps is known.
    rows: Vec<Item>,
}

impl<'a> Gather<'a> {
    pub(crate) fn new(source: &'a Source<'a>, handoff: Handoff) -> Self {
        Self { source, handoff, taken: Vec::new(), findings: Vec::new(), rank: 0, objective_at: None, rows: Vec::new() }
    }

    pub(crate) fn text(&self) -> &'a str {
        &self.source.text
    }

    fn span(&self, range: &Range<usize>) -> Span {
        self.source.span(range.start, range.end)
    }

    pub(crate) fn take(&mut self, range: Range<usize>) {
        if range.start < range.end {
            self.taken.push(range);
        }
    }

    /// Puts a line under a name into a field. "None" is taken and gives nothing.
    pub(crate) fn put(&mut self, field: Field, line: &Line, under: &str) {
        if is_none(&line.text) && line.children.is_empty() && line.state.is_none() {
            self.take(line.whole.clone());
            return;
        }
        let field = settled(field, line);
        match field {
            Field::Objective | Field::Tree | Field::Provenance => {}
            Field::Decisions => self.decision(line),
            Field::Rejected => self.rejected(line),
            Field::Artifacts => self.artifact(line),
            Field::Done | Field::Next => self.work(field, line, under),
            _ => self.plain(field, line, under),
        }
    }

    fn plain(&mut self, field: Field, line: &Line, under: &str) {
        if field == Field::Facts && line.children.is_empty() && line.text.ends_with([':', '：']) {
            // `The log showed:` announces what stands below it; alone it is no fact.
            return;
        }
        let mut item = self.item(line, under);
        let proof = line.cells.iter().position(|(name, _)| is_proof(name)).filter(|_| line.cells.len() > 1);
        if let (Field::Facts, Some(proof)) = (field, proof) {
            let words =
                line.cells.iter().enumerate().filter(|(index, (_, cell))| *index != proof && !cell.trim().is_empty());
            item.text = words.map(|(_, (_, cell))| cell.trim()).collect::<Vec<_>>().join(": ");
            item.evidence = line.cells.get(proof).map(|(_, cell)| cell.trim().to_owned()).filter(|cell| !is_none(cell));
        } else if field == Field::Facts {
            let own = line.text.clone();
            let (text, evidence) = split_evidence(&own);
            if let Some(evidence) = evidence {
                item.text = match item.text.strip_prefix(own.as_str()) {
                    Some(rest) => format!("{text}{rest}"),
                    None => item.text.replacen(&own, &text, 1),
                };
                item.evidence = Some(evidence);
            }
        }
        let lists = &mut self.handoff;
        match field {
            Field::Constraints => lists.constraints.push(item),
            // What was checked and failed is a trap, and what is under way was not checked: neither is a fact.
            Field::Facts
                if line.failed || line.cells.iter().any(|(_, cell)| is_failure(cell)) || says_failed(&item.text) =>
            {
                lists.hazards.push(item)
            }
            Field::Facts if is_unverified(&item) || is_under_way(line) || is_instruction(&item.text) => {
                lists.unverified.push(item)
            }
            Field::Facts => lists.facts.push(item),
            Field::Unverified => lists.unverified.push(item),
            Field::Hazards => lists.hazards.push(item),
            Field::Open => lists.open.push(item),
            Field::Safety => {
                let list = match said_by_cell(line) {
                    Some((list, text)) => {
                        item.text = text;
                        Below::List(list)
                    }
                    None => boundary_below(under, &item.text),
                };
                match list {
                    Below::List(Boundary::May) => lists.safety.may.push(item),
                    Below::List(Boundary::Ask) => lists.safety.ask.push(item),
                    Below::List(Boundary::Never) => lists.safety.never.push(item),
                    Below::Unsaid => {
                        self.findings.push(unsaid(item.span));
                        self.handoff.safety.ask.push(item);
                    }
                    Below::Advice => lists.constraints.push(item),
                    Below::Warning => lists.hazards.push(item),
                }
            }
            _ => return,
        }
        self.take(line.whole.clone());
    }

    fn work(&mut self, field: Field, line: &Line, under: &str) {
        if let Some(first) = line.children.iter().position(|child| child.boxed) {
            // Boxes below an item are work of their own; what stands before them belongs to the item.
            let (before, own_work) = line.children.split_at(first);
            let end = before.last().map_or(line.own.end, |child| child.whole.end);
            let parent = Line { whole: line.own.start..end, children: before.to_vec(), ..line.clone() };
            self.work(field, &parent, under);
            for child in own_work {
                self.put(field, child, under);
            }
            return;
        }
        let mut item = self.item(line, under);
        let given = line.state;
        let fields = known(under);
        let queued = fields.contains(&Field::Next);
        // A status line names work that the list of next steps may name again.
        let in_passing = line.symbol && fields.iter().all(|field| matches!(field, Field::Provenance));
        let short = under.len() <= 80;
        let now = short
            && matches!(
                normalise(under).as_str(),
                "now"
                    | "in progress"
                    | "in progress right now"
                    | "wip"
                    | "doing"
                    | "ongoing"
                    | "in flight"
                    | "作業中"
                    | "進行中"
                    | "进行中"
                    | "진행 중"
                    | "in arbeit"
                    | "en cours"
                    | "en curso"
                    | "in corso"
                    | "em andamento"
                    | "в работе"
                    | "в процессе"
                    | "en proceso"
                    | "진행중"
                    | "하는 중"
                    | "対応中"
            );
        item.state = given.or(Some(match field {
            Field::Done => ItemState::Done,
            _ if now => ItemState::InProgress,
            _ => ItemState::Open,
        }));
        match field {
            Field::Done => self.handoff.done.push(item),
            _ if queued || (line.cells.is_empty() && !in_passing) => self.handoff.next.push(item),
            _ => self.rows.push(item),
        }
        self.take(line.whole.clone());
    }

    fn item(&self, line: &Line, under: &str) -> Item {
        Item {
            text: with_children(line),
            span: Some(self.span(&line.whole)),
            found: Found::Heading,
            state: line.state,
            evidence: None,
            mark: line.mark.clone(),
            under: (!under.is_empty()).then(|| under.to_owned()),
        }
    }

    fn decision(&mut self, line: &Line) {
        let own = without_label(&line.text, &["Decision", "Decided", "決定", "决定", "결정"]);
        let (at, own) = dated(own);
        let (own, alternatives) = alternatives_behind(&own);
        let (what, why) = match split_reason(own) {
            (what, None) => match split_emphasis(&what) {
                (what, None) => split_dash(what),
                found => found,
            },
            found => found,
        };
        let span = Some(self.span(&line.whole));
        let mark = line.mark.clone();
        let mut decision = Decision { what, why, at, alternatives, span, mark, found: Found::Heading };
        if !line.cells.is_empty() {
            decision_cells(&line.cells, &mut decision);
        }
        let mut rest = Vec::new();
        let heading = self.is_heading(line);
        for child in &line.children {
            match labelled(&child.text).or_else(|| because(&child.text)) {
                // The words below the name of what was decided say why.
                None if heading && decision.why.is_none() && child.children.is_empty() && rest.is_empty() => {
                    decision.why = Some(child.text.clone());
                }
                Some((Part::Why, value)) => decision.why = Some(join(decision.why.take(), value)),
                Some((Part::Alternatives, value)) => {
                    decision.alternatives.extend(split_list(value));
                    decision.alternatives.extend(child.children.iter().map(with_children));
                }
                None => rest.push(with_children(child)),
            }
        }
        for extra in rest {
            decision.what.push_str("\n- ");
            decision.what.push_str(&extra);
        }
        self.handoff.decisions.push(decision);
        self.take(line.whole.clone());
    }

    fn rejected(&mut self, line: &Line) {
        let own = without_label(&line.text, &["Tried", "Rejected", "Attempted", "却下", "否决"]);
        let (mut what, mut why) = split_reason_or_colon(own);
        if let [(_, first), .., (_, last)] = line.cells.as_slice() {
            what = first.trim().to_owned();
            why = Some(last.trim().to_owned());
        }
        if why.is_none() {
            // The bracket at the end of a rejected option says what was wrong with it.
            (what, why) = split_evidence(what.trim_end_matches('.'));
        }
        let heading = self.is_heading(line);
        for child in &line.children {
            match labelled(&child.text) {
                Some((Part::Why, value)) => why = Some(join(why.take(), value)),
                // The words below the name of what was rejected say why.
                _ if heading && why.is_none() => why = Some(with_children(child)),
                _ => {
                    what.push_str("\n- ");
                    what.push_str(&with_children(child));
                }
            }
        }
        let what = bare(&what);
        self.handoff.rejected.push(Rejected { what, why, span: Some(self.span(&line.whole)), found: Found::Heading });
        self.take(line.whole.clone());
    }

    /// Whether a line is a heading of the file with what stands below it.
    fn is_heading(&self, line: &Line) -> bool {
        let before = &self.text()[..line.own.start];
        before[before.rfind('\n').map_or(0, |at| at + 1)..].starts_with('#')
    }

    fn artifact(&mut self, line: &Line) {
        let span = Some(self.span(&line.whole));
        let full = with_children(line);
        let label = label_line(&full);
        if let Some((name, _)) = &label
            && crate::trees::is_label(&normalise(name))
        {
            // `- Branch: x` among the files is a git fact; the tree takes it.
            return;
        }
        let listed = label.as_ref().and_then(|(_, at)| full.get(*at..)).and_then(comma_paths);
        if let Some(paths) = listed.or_else(|| comma_paths(&full)) {
            let mut at = line.whole.start;
            for path in paths {
                let found = self.text()[at..line.whole.end].find(path.as_str()).map(|offset| at + offset);
                let place = found.map(|from| self.source.span(from, from + path.len()));
                at = found.map_or(at, |from| from + path.len());
                let kind = kind_of(&path);
                self.handoff.artifacts.push(Artifact {
                    name: path.clone(),
                    kind,
                    reference: path,
                    span: place,
                    note: None,
                });
            }
        } else {
            let (reference, note) = reference(&full);
            let kind = kind_of(&reference);
            self.handoff.artifacts.push(Artifact { name: reference.clone(), kind, reference, span, note });
        }
        self.take(line.whole.clone());
    }

    /// Adds the open rows of status tables that the list of next steps does not name.
    pub(crate) fn settle(&mut self) {
        let rows = std::mem::take(&mut self.rows);
        if !rows.is_empty() {
            let named: std::collections::HashSet<String> =
                self.handoff.next.iter().map(|item| work_key(&item.text)).collect();
            self.handoff.next.extend(rows.into_iter().filter(|item| !named.contains(&work_key(&item.text))));
        }
        self.handoff.next.sort_by_key(|item| item.span.map_or(0, |span| span.from));
    }

    /// Sets the objective from whole lines; a goal replaces a summary, nothing replaces a goal.
    pub(crate) fn objective(&mut self, range: Range<usize>, lines: &[Line], name: &str) {
        let words = lines.iter().filter(|line| !is_none(&line.text)).map(with_children).collect::<Vec<_>>().join("\n");
        // `Project: /home/ada/kiln` says where, not what for.
        if words.trim().is_empty() || mention::looks_like_path(words.trim().trim_matches('`')) {
            return;
        }
        let plain = normalise(name);
        let any = |words: &[&str]| words.iter().any(|word| plain.contains(word));
        let goal = any(&[
            "goal",
            "objective",
            "mission",
            "目的",
            "目标",
            "목표",
            "ziel",
            "objetivo",
            "objectif",
            "obiettivo",
            "цель",
        ]);
        let rank = match (goal, any(&["task", "任务", "задача", "aufgabe", "tarea", "tarefa"])) {
            (true, _) => 2,
            (_, true) => 1,
            _ => 0,
        };
        let first = self.handoff.objective.is_none();
        let from_front_matter = self.objective_at.is_none() && !first;
        let better = first || from_front_matter || rank > self.rank;
        if !better {
            return;
        }
        if let Some(before) = self.objective_at.take() {
            self.taken.retain(|range| *range != before);
        }
        self.rank = rank;
        self.handoff.objective = Some(Text { text: words, span: Some(self.span(&range)) });
        self.objective_at = Some(range.clone());
        self.take(range);
    }
}

/// The finding that nothing says in which list of the boundary a line belongs.
fn unsaid(place: Option<Span>) -> Finding {
    let message = "No word says whether this is allowed, needs a person or is forbidden. It is left to a person.";
    Finding { span: place, ..Finding::new(Severity::Info, "boundary-list-unsaid", message) }
}

/// Where a line goes when its check box says more than the heading it stands under.
fn settled(field: Field, line: &Line) -> Field {
    if field == Field::Done && line.state == Some(ItemState::Dropped) {
        // What was struck out among the finished work was taken back.
        return Field::Next;
    }
    let Some(state) = line.state.filter(|_| line.boxed) else { return field };
    match (field, state) {
        // A symbol before a rule says which way it goes.
        (Field::Constraints, _) if line.symbol => field,
        (Field::Done | Field::Next | Field::Objective | Field::Provenance | Field::Constraints, ItemState::Done) => {
            Field::Done
        }
        (
            Field::Done | Field::Next | Field::Objective | Field::Provenance | Field::Facts | Field::Constraints,
            ItemState::Open | ItemState::InProgress | ItemState::Blocked,
        ) if field != Field::Facts || (!line.symbol && line.cells.is_empty()) => Field::Next,
        (Field::Done | Field::Objective | Field::Provenance, ItemState::Dropped) => Field::Next,
        _ => field,
    }
}

/// The part behind a long dash says why.
fn split_dash(what: String) -> (String, Option<String>) {
    let parts = [" — ", "——"].iter().find_map(|dash| what.split_once(dash));
    match parts.map(|(head, tail)| (head.trim().to_owned(), tail.trim().to_owned())) {
        Some((head, tail)) if !head.is_empty() && !tail.is_empty() && !head.contains('\n') => (head, Some(tail)),
        _ => (what, None),
    }
}

/// A row whose last cell says what is allowed: `| push | ask first |`.
fn said_by_cell(line: &Line) -> Option<(Boundary, String)> {
    let ((_, last), rest) = line.cells.split_last().filter(|(_, rest)| !rest.is_empty())?;
    let word = normalise(last);
    let list = match word.as_str() {
        "yes" | "ok" | "okay" | "allowed" | "free" | "may" | "ja" | "oui" | "si" | "sim" | "да" | "可" | "はい"
        | "可以" | "允许" | "허용" => Boundary::May,
        "no" | "never" | "forbidden" | "not allowed" | "nein" | "non" | "nao" | "нет" | "不可" | "禁止" | "いいえ"
        | "不可以" | "금지" => Boundary::Never,
        word if ["ask", "with approval", "approval", "needs", "only with"]
            .iter()
            .any(|begin| word.starts_with(begin)) =>
        {
            Boundary::Ask
        }
        _ if last.trim().starts_with('✅') => Boundary::May,
        _ if last.trim().starts_with(['❌', '🚫', '⛔']) => Boundary::Never,
        _ => return None,
    };
    let words: Vec<&str> = rest.iter().map(|(_, cell)| cell.trim()).filter(|cell| !cell.is_empty()).collect();
    (!words.is_empty()).then(|| (list, words.join(": ")))
}

/// Whether a symbol or a cell says that it is still to be done.
fn is_under_way(line: &Line) -> bool {
    let open = matches!(line.state, Some(ItemState::Open | ItemState::InProgress | ItemState::Blocked));
    open && (line.symbol || !line.cells.is_empty())
}

/// A mark or a remark that takes back what the heading says.
fn is_unverified(item: &Item) -> bool {
    let whole = item.evidence.as_ref().map(|evidence| format!("{} {evidence}", item.text));
    let said = whole.as_deref().unwrap_or(&item.text);
    let end = item.text.trim_end_matches(['.', '*', ')', ' ']);
    let evidence = item.evidence.as_deref().unwrap_or_default().trim_start_matches(['(', '*', ' ']).to_lowercase();
    takes_back(said)
        || is_guess(said)
        || ["not ", "fill in", "to be ", "tbd", "todo", "pending"].iter().any(|begin| evidence.starts_with(begin))
        || ["(fill in", "(to fill in", "(tbd", "(todo", "(pending"].iter().any(|hole| said.contains(hole))
        || end.ends_with("not run")
        || item.mark.as_deref().is_some_and(|mark| !mark.eq_ignore_ascii_case("verified"))
}

/// Whether a column holds what a fact rests on.
fn is_proof(name: &str) -> bool {
    let words = [
        "evidence",
        "proof",
        "source",
        "probe",
        "verified by",
        "how",
        "command",
        "根拠",
        "証拠",
        "证据",
        "依据",
        "증거",
    ];
    words.iter().any(|word| name.contains(word))
}

/// A line and what is nested in it, the nested lines as bullets.
pub(crate) fn with_children(line: &Line) -> String {
    let mut text = line.text.clone();
    for child in &line.children {
        text.push_str("\n- ");
        text.push_str(&with_children(child).replace('\n', "\n  "));
    }
    text
}

fn work_key(text: &str) -> String {
    let first = text.lines().next().unwrap_or_default();
    normalise(first.split([':', '：']).next().unwrap_or(first))
}

/// Several bare paths on one line, `a.rs, b.rs`, and what else has a number of its own: `a.rs, ticket SHOP-12`.
fn comma_paths(text: &str) -> Option<Vec<String>> {
    let parts: Vec<&str> =
        text.trim_end_matches(['.', '。']).split([',', '、']).map(|part| part.trim().trim_matches('`')).collect();
    let numbered = |part: &str| {
        let last = part.rsplit(' ').next().unwrap_or(part);
        let number = last.rsplit(['-', '#']).next().unwrap_or_default();
        part.split(' ').count() <= 3
            && number.len() < last.len()
            && !number.is_empty()
            && number.chars().all(|digit| digit.is_ascii_digit())
    };
    let path = |part: &str| !part.is_empty() && !part.contains(' ') && part.contains(['.', '/']);
    let paths = parts.len() > 1
        && parts.first().is_some_and(|first| path(first))
        && parts.iter().all(|part| path(part) || numbered(part));
    paths.then(|| parts.into_iter().map(str::to_owned).collect())
}

/// What an artifact's line refers to, and what it says about it.
fn reference(text: &str) -> (String, Option<String>) {
    let trimmed = text.trim();
    let remark = |before: &str, after: &str| {
        let clean = |part: &str| {
            part.trim().trim_matches([':', '-', '—', '–', '(', ')', '（', '）', '*', ' ', '|', ';']).trim().to_owned()
        };
        let both: Vec<String> = [clean(before), clean(after)].into_iter().filter(|part| !part.is_empty()).collect();
        (!both.is_empty()).then(|| both.join("; "))
    };
    if let Some(open) = trimmed.find('`')
        && let Some(length) = trimmed[open + 1..].find('`').filter(|length| *length > 0)
    {
        let inner = &trimmed[open + 1..open + 1 + length];
        return (inner.to_owned(), remark(&trimmed[..open], &trimmed[open + length + 2..]));
    }
    if let Some((before, rest)) = trimmed.split_once("](")
        && let (Some(open), Some((target, after))) = (before.find('['), rest.split_once(')'))
    {
        let note = remark(&format!("{}{}", &before[..open], &before[open + 1..]), after);
        return (target.trim().to_owned(), note);
    }
    let first = trimmed.split_whitespace().next().unwrap_or(trimmed).trim_matches('*').trim_end_matches([':', ',']);
    let is_path = first.contains("://") || mention::looks_like_path(first);
    if is_path && first.len() < trimmed.len() && !trimmed.contains([';', '|']) {
        let after = trimmed.find(first).map_or("", |at| &trimmed[at + first.len()..]);
        return (first.to_owned(), remark("", after));
    }
    (trimmed.to_owned(), None)
}

/// What kind of thing a reference names, told from its form.
pub(crate) fn kind_of(reference: &str) -> Option<String> {
    let path = reference.split_once(':').map_or(reference, |(path, line)| {
        if line.starts_with(|digit: char| digit.is_ascii_digit()) { path } else { reference }
    });
    let lower = reference.to_lowercase();
    let number = |word: &str| {
        lower.strip_prefix(word).is_some_and(|rest| rest.trim_start().starts_with(|c: char| c.is_ascii_digit()))
    };
    let kind = if number("pr #") || number("pr ") || number("pull request #") {
        "pull_request"
    } else if lower.strip_prefix("commit ").is_some_and(|rest| mention::is_hash(rest.trim_matches('`'))) {
        "commit"
    } else if reference.starts_with("http://") || reference.starts_with("https://") {
        "url"
    } else if reference.ends_with(['/', '\\']) {
        "directory"
    } else if (7..=64).contains(&reference.len()) && reference.chars().all(|digit| digit.is_ascii_hexdigit()) {
        "commit"
    } else if mention::looks_like_path(path) {
        "file"
    } else {
        return None;
    };
    Some(kind.to_owned())
}
