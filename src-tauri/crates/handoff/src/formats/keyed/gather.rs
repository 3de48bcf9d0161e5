//! A keyed document while it is being put together.

use super::values::{Check, Said, has_words, said};
use super::{CONTAINERS, plain};
use crate::formats::json_spans::{Key, Kind, Node};
use crate::formats::markdown::{
    is_guess, is_none, kind_of, metadata, says_failed, split_evidence, split_reason, split_reason_or_colon, takes_back,
};
use crate::headings::{Below, Boundary, Field, boundary_below, known};
use crate::source::Source;
use crate::{
    Artifact, Decision, Finding, Found, Handoff, Item, ItemState, Rejected, Section, Severity, Span, Text, Tree, prose,
    trees,
};

/// The field that a key stands for.
pub(super) fn field_of(key: &str) -> Option<Field> {
    let name = plain(key);
    Some(match name.as_str() {
        "verified" | "verified claims" | "facts" | "worked" | "what worked" => Field::Facts,
        "proposed" | "unverified" | "assumptions" | "assumed" | "hypotheses" => Field::Unverified,
        "rejected" | "failed" | "attempted" | "tried" | "failed attempts" | "abandoned" => Field::Rejected,
        "next step" | "todo" | "todos" => Field::Next,
        "merged this session" => Field::Artifacts,
        "gotchas" | "warnings" | "pitfalls" => Field::Hazards,
        "may" | "ask" | "allowed" | "never" | "free to" | "ask first" => Field::Safety,
        "resume command" => return None,
        _ => *known(key).first().or(known(&name).first())?,
    })
}

/// Whether a key above says that the values are the repository's.
fn of_git(above: &str) -> bool {
    ["git", "repo", "tree", "repository"].iter().any(|word| plain(above).contains(word))
}

/// The document so far.
pub(super) struct Keys<'a> {
    source: &'a Source<'a>,
    pub(super) handoff: Handoff,
    findings: Vec<Finding>,
    /// Whether the objective came from a key that can mean nothing else.
    sure: bool,
    objective_key: String,
    total: Option<(u64, Span)>,
    merged: Vec<u64>,
    counted: usize,
}

impl<'a> Keys<'a> {
    pub(super) fn new(source: &'a Source<'a>) -> Self {
        Self {
            source,
            handoff: Handoff::default(),
            findings: Vec::new(),
            sure: false,
            objective_key: String::new(),
            total: None,
            merged: Vec::new(),
            counted: 0,
        }
    }

    fn span(&self, node: &Node) -> Span {
        self.source.span(node.span.start, node.span.end)
    }

    /// Reads every member of the document.
    pub(super) fn document(&mut self, node: &Node) {
        for (key, value) in node.members() {
            self.member(key, value, "");
        }
    }

    pub(super) fn member(&mut self, key: &Key, value: &Node, above: &str) {
        let name = plain(&key.name);
        if matches!(value.kind, Kind::Null) {
            return;
        }
        if CONTAINERS.contains(&name.as_str()) && matches!(value.kind, Kind::Object(_)) {
            let path = if above.is_empty() { key.name.clone() } else { format!("{above}.{}", key.name) };
            for (key, value) in value.members() {
                self.member(key, value, &path);
            }
            return;
        }
        let of_tree = trees::is_status(&name) && of_git(above);
        let metadata_name = if of_tree { "git status" } else { name.as_str() };
        if of_git(above) && self.git(&name, value) {
            return;
        }
        if self.bookkeeping(&name, value) || self.scalar(metadata_name, value) {
            return;
        }
        // Who checked, when and in which file says nothing that was found out.
        let about = [" agent", " date", " file", " commit"].iter().any(|end| name.ends_with(end));
        let field = field_of(&key.name).filter(|field| !(about && *field == Field::Facts));
        let taken = match field {
            Some(Field::Provenance | Field::Tree) | None => false,
            Some(field) => self.value(field, &key.name, value),
        };
        if !taken {
            self.keep(key, value, above);
        }
    }

    /// Counts and lists of the other tool's own book.
    fn bookkeeping(&mut self, name: &str, value: &Node) -> bool {
        match name {
            "total tasks" => {
                self.total = value.scalar().and_then(|text| text.parse().ok()).map(|total| (total, self.span(value)));
                false
            }
            "completed tasks" | "remaining tasks" => {
                self.counted += value.elements().len();
                false
            }
            "merged this session" => {
                let numbers = value.elements().iter().filter_map(|item| item.get("number").and_then(Node::scalar));
                self.merged.extend(numbers.filter_map(|number| number.parse::<u64>().ok()));
                false
            }
            "handoff notes" => self.notes(value),
            "uncommitted files" | "untracked files" | "modified files" | "dirty files"
                if !value.elements().is_empty() =>
            {
                self.changed(value)
            }
            _ => false,
        }
    }

    /// Notes sorted by a category: a caution is a trap, the others stay as they stand.
    fn notes(&mut self, value: &Node) -> bool {
        let words = |note: &Node, key: &str| note.get(key).and_then(Node::scalar);
        let sorted = |note: &Node| words(note, "category").is_some() && words(note, "note").is_some();
        if value.elements().is_empty() || !value.elements().iter().all(sorted) {
            return false;
        }
        for note in value.elements() {
            let category = words(note, "category").unwrap_or_default();
            let text = words(note, "note").unwrap_or_default();
            if category == "caution" {
                let said = Said { text, ..Said::default() };
                self.put(Field::Hazards, "handoff_notes", said, note);
            } else {
                let span = Some(self.span(note));
                self.handoff.extra.push(Section { heading: format!("handoff_notes.{category}"), text, span });
            }
        }
        true
    }

    /// What an object about the repository says in other shapes than a label does.
    fn git(&mut self, name: &str, value: &Node) -> bool {
        match (name, &value.kind) {
            ("dirty" | "is dirty" | "clean" | "is clean", Kind::Bool(yes)) => {
                let dirty = name.ends_with("dirty") == *yes;
                let span = Some(self.span(value));
                let text = if dirty { "dirty" } else { "clean" }.to_owned();
                self.tree().status.get_or_insert(Text { text, span });
                true
            }
            (
                "files" | "changed" | "changes" | "changed files" | "modified" | "untracked" | "staged" | "unstaged"
                | "uncommitted" | "uncommitted files" | "dirty files" | "paths",
                Kind::Array(_),
            ) => self.changed(value),
            ("dirty" | "clean", Kind::Array(_)) => self.changed(value),
            _ => false,
        }
    }

    fn changed(&mut self, value: &Node) -> bool {
        let paths: Vec<Text> = value
            .elements()
            .iter()
            .filter_map(|item| said(item).map(|said| Text { text: said.text, span: Some(self.span(item)) }))
            .collect();
        if !paths.is_empty() {
            self.tree().changed.extend(paths);
        }
        true
    }

    fn tree(&mut self) -> &mut Tree {
        if self.handoff.trees.is_empty() {
            self.handoff.trees.push(Tree::default());
        }
        // OK because the list was just filled.
        &mut self.handoff.trees[0]
    }

    /// A scalar that is metadata or a git fact.
    fn scalar(&mut self, name: &str, value: &Node) -> bool {
        let Some(words) = value.scalar() else { return false };
        let text = Text { text: words, span: Some(self.span(value)) };
        match name {
            "title" => {
                self.handoff.title = Some(text);
                true
            }
            "id" | "handoff id" => {
                self.handoff.id = Some(text.text);
                true
            }
            "detached" => {
                self.tree().detached = text.text == "true";
                true
            }
            _ => trees::front_matter_value(name, &text, &mut self.handoff) || metadata(name, &text, &mut self.handoff),
        }
    }

    /// Puts a value into a field. False when nothing of it was understood.
    fn value(&mut self, field: Field, key: &str, node: &Node) -> bool {
        match &node.kind {
            Kind::Array(items) => {
                for item in items {
                    self.item(field, key, item);
                }
                true
            }
            Kind::Object(members) => {
                let named = members.iter().any(|(inner, value)| {
                    matches!(value.kind, Kind::Array(_) | Kind::Object(_)) && field_of(&inner.name).is_some()
                        || matches!(plain(&inner.name).as_str(), "next step" | "attempted")
                });
                if named || field == Field::Objective {
                    self.parts(field, key, members);
                } else if has_words(node) && members.iter().all(|(_, value)| value.scalar().is_some()) {
                    self.item(field, key, node);
                } else {
                    for (inner, value) in members {
                        match (value.scalar(), said(value)) {
                            // `storage: SQLite`: the key is part of what is said.
                            (Some(_), Some(mut said)) => {
                                said.text = format!("{}: {}", inner.name, said.text);
                                self.put(field, key, said, value);
                            }
                            _ => {
                                self.value(field, &inner.name, value);
                            }
                        }
                    }
                }
                true
            }
            Kind::Number(_) | Kind::Bool(_) => false,
            _ => {
                self.item(field, key, node);
                true
            }
        }
    }

    /// An object whose members have fields of their own, such as `decisions: {verified, proposed, rejected}`.
    fn parts(&mut self, field: Field, key: &str, members: &[(Key, Node)]) {
        for (inner, value) in members {
            let name = plain(&inner.name);
            let own = match name.as_str() {
                "description" | "name" | "title" | "goal" | "text" | "summary" => Some(field),
                "status" | "state" => {
                    self.scalar("status", value);
                    continue;
                }
                _ => field_of(&inner.name).filter(|own| !matches!(own, Field::Provenance | Field::Tree)),
            };
            let own = own.or((field != Field::Objective).then_some(field));
            let taken = own.is_some_and(|own| self.value(own, &inner.name, value));
            if !taken && !matches!(value.kind, Kind::Null) {
                self.keep(inner, value, key);
            }
        }
    }

    fn item(&mut self, field: Field, key: &str, node: &Node) {
        if let Some(said) = said(node) {
            self.put(field, key, said, node);
        }
    }

    fn put(&mut self, field: Field, key: &str, said: Said, node: &Node) {
        let span = Some(self.span(node));
        match field {
            Field::Objective => self.objective(key, said, span),
            Field::Decisions => {
                let (what, why) = match said.why {
                    Some(why) => (said.text, Some(why)),
                    None => split_reason(&said.text),
                };
                self.handoff.decisions.push(Decision {
                    what,
                    why,
                    alternatives: said.alternatives,
                    at: said.at,
                    span,
                    found: Found::Heading,
                    mark: said.mark,
                });
            }
            Field::Rejected => {
                let (what, why) = match said.why {
                    Some(why) => (said.text, Some(why)),
                    None => split_reason_or_colon(&said.text),
                };
                self.handoff.rejected.push(Rejected { what, why, span, found: Found::Heading });
            }
            Field::Artifacts => self.artifact(key, said, node, span),
            _ => self.plain(field, key, said, span),
        }
    }

    fn objective(&mut self, key: &str, said: Said, span: Option<Span>) {
        let sure = !matches!(
            plain(key).as_str(),
            "project" | "topic" | "title" | "name" | "summary" | "overview" | "issue" | "epic" | "executive summary"
        );
        if self.handoff.objective.is_none() || (sure && !self.sure) {
            if let Some(before) = self.handoff.objective.take() {
                self.handoff.extra.push(Section {
                    heading: std::mem::take(&mut self.objective_key),
                    text: before.text,
                    span: before.span,
                });
            }
            self.handoff.objective = Some(Text { text: said.text, span });
            self.sure = sure;
            key.clone_into(&mut self.objective_key);
        } else {
            self.handoff.extra.push(Section { heading: key.to_owned(), text: said.text, span });
        }
    }

    fn artifact(&mut self, key: &str, said: Said, node: &Node, span: Option<Span>) {
        let number = node.get("number").and_then(Node::scalar);
        let reference = node.get("path").or(node.get("ref")).or(node.get("url")).and_then(Node::scalar);
        let (reference, kind) = match (reference, number) {
            (Some(reference), _) => (reference.clone(), kind_of(&reference)),
            (None, Some(number)) => (format!("#{number}"), Some("pull_request".to_owned())),
            (None, None) => (said.text.lines().next().unwrap_or_default().to_owned(), kind_of(&said.text)),
        };
        let note = said.text.strip_prefix(reference.as_str()).unwrap_or(&said.text).trim().to_owned();
        let name = if note.is_empty() { reference.clone() } else { note.lines().next().unwrap_or_default().to_owned() };
        let note = said.why.or_else(|| (plain(key) != "artifacts").then(|| key.to_owned()));
        self.handoff.artifacts.push(Artifact { name, kind, reference, span, note });
    }

    fn plain(&mut self, field: Field, key: &str, said: Said, span: Option<Span>) {
        let mut text = said.text;
        let mut evidence = said.evidence;
        // What failed is a trap, and what was not run is not known.
        let field = match said.check.filter(|_| field == Field::Facts) {
            Some(Check::Failed) => Field::Hazards,
            Some(Check::NotRun) => Field::Unverified,
            None if field == Field::Facts && says_failed(&text) => Field::Hazards,
            None if field == Field::Facts && (takes_back(&text) || is_guess(&text)) => Field::Unverified,
            None => field,
        };
        if field == Field::Facts && evidence.is_none() {
            (text, evidence) = split_evidence(&text);
        }
        if let Some(why) = said.why {
            text.push_str(&format!("\nreason: {why}"));
        }
        let mut item = Item {
            text,
            span,
            state: said.state,
            evidence,
            mark: said.mark,
            under: Some(key.to_owned()),
            found: Found::Heading,
        };
        let handoff = &mut self.handoff;
        match field {
            Field::Constraints => {
                // A rule among the constraints binds like any other rule.
                let rule = prose::rule(&item.text);
                let offered = Item { found: Found::Prose, ..item.clone() };
                match rule {
                    Some(Boundary::Ask) => handoff.safety.ask.push(offered),
                    Some(Boundary::Never) => handoff.safety.never.push(offered),
                    _ => {}
                }
                handoff.constraints.push(item);
            }
            Field::Facts => handoff.facts.push(item),
            Field::Unverified => handoff.unverified.push(item),
            Field::Hazards => handoff.hazards.push(item),
            Field::Open => handoff.open.push(item),
            Field::Done | Field::Next => {
                let settled = matches!(item.state, Some(ItemState::Done));
                let open = matches!(item.state, Some(ItemState::Open | ItemState::InProgress | ItemState::Blocked));
                let now = matches!(plain(key).as_str(), "now" | "in progress" | "current");
                item.state = item.state.or(Some(match field {
                    Field::Done => ItemState::Done,
                    _ if now => ItemState::InProgress,
                    _ => ItemState::Open,
                }));
                if (field == Field::Done && !open) || (field == Field::Next && settled) {
                    handoff.done.push(item);
                } else {
                    handoff.next.push(item);
                }
            }
            Field::Safety => match boundary_below(&plain(key), &item.text) {
                Below::List(Boundary::May) => handoff.safety.may.push(item),
                // A key that names the boundary and no list names what waits for a person.
                Below::List(Boundary::Ask) | Below::Unsaid => handoff.safety.ask.push(item),
                Below::List(Boundary::Never) => handoff.safety.never.push(item),
                Below::Advice => handoff.constraints.push(item),
                Below::Warning => handoff.hazards.push(item),
            },
            _ => {}
        }
    }

    /// Keeps a member verbatim.
    fn keep(&mut self, key: &Key, value: &Node, above: &str) {
        let text = self.source.text.get(value.span.clone()).unwrap_or_default().replace("\r\n", "\n");
        if is_none(&text) || text == "[]" || text == "{}" {
            return;
        }
        let text = match &value.kind {
            Kind::String(words) => words.clone(),
            _ => text,
        };
        let heading = if above.is_empty() { key.name.clone() } else { format!("{above}.{}", key.name) };
        let span = Some(self.source.span(key.span.start, value.span.end.max(key.span.end)));
        self.handoff.extra.push(Section { heading, text, span });
    }

    /// Rules in what is said about traps and in what no field holds.
    fn rules(&mut self) {
        let handoff = &mut self.handoff;
        let hazards = handoff.hazards.iter().map(|item| (item.text.as_str(), item.under.as_deref(), item.span));
        let extra = handoff.extra.iter().map(|kept| (kept.text.as_str(), Some(kept.heading.as_str()), kept.span));
        let mut found: Vec<(Boundary, Item)> = Vec::new();
        for (text, under, span) in hazards.chain(extra) {
            if under.is_some_and(prose::is_history) {
                continue;
            }
            for place in prose::sentences(text, 0..text.len()) {
                let sentence = text[place].trim();
                let Some(boundary) = prose::rule_in(sentence) else { continue };
                let under = under.map(str::to_owned);
                found.push((
                    boundary,
                    Item { text: sentence.to_owned(), span, found: Found::Prose, under, ..Item::default() },
                ));
            }
        }
        for (boundary, item) in found {
            match boundary {
                Boundary::Ask => handoff.safety.ask.push(item),
                _ => handoff.safety.never.push(item),
            }
        }
    }

    /// The document and what contradicts itself in it.
    pub(super) fn finish(mut self) -> (Handoff, Vec<Finding>) {
        self.rules();
        if let Some((total, span)) = self.total.filter(|(total, _)| self.counted > 0 && *total != self.counted as u64) {
            let message = format!("The document counts {total} tasks and lists {}.", self.counted);
            self.findings.push(Finding::new(Severity::Warning, "task-count-mismatch", message).at(span));
        }
        for action in &self.handoff.safety.ask {
            let Some(number) = pull_request(&action.text) else { continue };
            let done = self.merged.contains(&number)
                || self.handoff.done.iter().any(|item| pull_request(&item.text) == Some(number));
            if done {
                let message = format!(
                    "“{}” waits for a person, and the document says that it is done.",
                    action.text.lines().next().unwrap_or_default()
                );
                let mut finding = Finding::new(Severity::Warning, "pending-action-already-done", message);
                finding.span = action.span;
                self.findings.push(finding);
            }
        }
        (self.handoff, self.findings)
    }
}

/// The number in `PR 18` or `#18`.
fn pull_request(text: &str) -> Option<u64> {
    let at = text.find("PR ").map(|at| at + 3).or_else(|| text.find('#').map(|at| at + 1))?;
    let digits: String = text[at..].trim_start_matches('#').chars().take_while(char::is_ascii_digit).collect();
    digits.parse().ok()
}
