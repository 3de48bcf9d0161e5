//! Handoff JSON, versions 1 and 2. An unknown version or an unknown key in a known version refuses the document:
//! a reader that drops a rule it does not know is worse than one that stops.

use super::json_spans::{Key, Kind, Node, line_and_column, parse};
use super::{Reader, extension};
use crate::source::Source;
use crate::write::state_named;
use crate::{
    Artifact, Decision, Entry, Finding, Format, Handoff, Item, ItemState, Limits, Provenance, Readable, Reading,
    Rejected, Safety, Section, Severity, Span, Text, Tree,
};

const VERSION_1: &[&str] = &[
    "version",
    "objective",
    "status",
    "constraints",
    "decisions",
    "rejected",
    "done",
    "next",
    "open",
    "artifacts",
    "provenance",
];
const VERSION_2: &[&str] = &["id", "title", "facts", "unverified", "hazards", "trees", "safety", "omitted", "extra"];

/// The reader of Handoff JSON.
pub(crate) struct HandoffJson;

impl Reader for HandoffJson {
    fn format(&self) -> Format {
        Format::HandoffJson
    }

    fn recognises(&self, source: &Source<'_>) -> bool {
        if !source.text.trim_start().starts_with('{') {
            return false;
        }
        match parse(&source.text) {
            Ok(node) => is_ours(&node),
            // A cut-off document of ours still begins like one.
            Err(error) => {
                let head: String = source.text.chars().take(2_000).collect();
                let versioned = head.split("\"version\"").nth(1).is_some_and(|rest| {
                    rest.trim_start_matches([' ', ':', '\n', '\t']).starts_with(|c: char| c.is_ascii_digit())
                });
                versioned && (head.contains("\"objective\"") || (error.at_end && extension(source.name) == "json"))
            }
        }
    }

    fn read(&self, source: &Source<'_>, _limits: &Limits) -> Reading {
        match parse(&source.text) {
            Ok(node) => read_node(source, &node),
            Err(error) => {
                let (line, column) = line_and_column(&source.text, error.at);
                let message = format!("Line {line}, column {column}: {}.", error.message);
                let at = error.at.min(source.text.len());
                let span = source.span(at, at);
                let (readable, code, reason) = if error.at_end {
                    (Readable::Incomplete, "truncated", format!("The JSON ends early. {message}"))
                } else {
                    (Readable::Refused, "not-json", format!("The file is no valid JSON. {message}"))
                };
                let finding = Finding::new(Severity::Error, code, reason.clone()).at(span);
                whole(source, Handoff::default(), readable, Some(reason), vec![finding])
            }
        }
    }
}

fn is_ours(node: &Node) -> bool {
    let numbered = matches!(node.get("version").map(|version| &version.kind), Some(Kind::Number(_)));
    let known = node
        .members()
        .iter()
        .filter(|(key, _)| VERSION_1.contains(&key.name.as_str()) || VERSION_2.contains(&key.name.as_str()))
        .count();
    numbered && (node.get("objective").is_some() || known >= 4)
}

fn whole(
    source: &Source<'_>,
    handoff: Handoff,
    readable: Readable,
    reason: Option<String>,
    findings: Vec<Finding>,
) -> Reading {
    let entry = Entry {
        heading: String::new(),
        span: source.span(0, source.text.len()),
        at: handoff.provenance.written_at.clone(),
        handoff,
    };
    Reading { format: Format::HandoffJson, readable, reason, entries: vec![entry], shown: 0, findings }
}

fn read_node(source: &Source<'_>, node: &Node) -> Reading {
    let reader = Fields { source };
    let mut findings = Vec::new();
    let refused = |code: &str, message: String, at: std::ops::Range<usize>, findings: &mut Vec<Finding>| {
        findings.push(Finding::new(Severity::Error, code, message).at(source.span(at.start, at.end)));
    };
    let version = node.get("version").and_then(Node::scalar).and_then(|version| version.parse::<u32>().ok());
    match version {
        Some(1 | 2) => {}
        _ => {
            let (written, at) = node.get("version").map_or(("nothing".to_owned(), node.span.clone()), |found| {
                (source.text[found.span.clone()].to_owned(), found.span.clone())
            });
            refused(
                "unknown-version",
                format!("Version {written} is not known. This program reads versions 1 and 2."),
                at,
                &mut findings,
            );
        }
    }
    if let Some(key) = node.duplicate() {
        refused("duplicate-key", format!("The key \"{}\" is given twice.", key.name), key.span.clone(), &mut findings);
    }
    if matches!(version, Some(1 | 2)) {
        for (key, _) in node.members() {
            let known = VERSION_1.contains(&key.name.as_str())
                || (version == Some(2) && VERSION_2.contains(&key.name.as_str()));
            if !known {
                refused(
                    "unknown-key",
                    format!("The key \"{}\" is not known in version {}.", key.name, version.unwrap_or_default()),
                    key.span.clone(),
                    &mut findings,
                );
            }
        }
    }
    if !matches!(node.get("objective").map(|objective| &objective.kind), Some(Kind::String(_))) {
        refused(
            "missing-key",
            "The key \"objective\" is required and must be a string.".to_owned(),
            node.span.start..node.span.start + 1,
            &mut findings,
        );
    }
    let mut handoff = Handoff { version, ..Handoff::default() };
    for (key, value) in node.members() {
        reader.member(key, value, &mut handoff, &mut findings);
    }
    let reason =
        findings.iter().find(|finding| finding.severity == Severity::Error).map(|finding| finding.message.clone());
    let readable = match (&reason, findings.is_empty()) {
        (Some(_), _) => Readable::Refused,
        (None, false) => Readable::Partial,
        (None, true) => Readable::Full,
    };
    whole(source, handoff, readable, reason, findings)
}

struct Fields<'a, 'b> {
    source: &'a Source<'b>,
}

impl Fields<'_, '_> {
    fn span(&self, node: &Node) -> Option<Span> {
        Some(self.source.span(node.span.start, node.span.end))
    }

    fn text(&self, node: &Node) -> Option<Text> {
        node.scalar().map(|text| Text { text, span: self.span(node) })
    }

    fn verbatim(&self, node: &Node) -> String {
        match &node.kind {
            Kind::String(text) => text.clone(),
            _ => self.source.text[node.span.clone()].to_owned(),
        }
    }

    fn member(&self, key: &Key, value: &Node, handoff: &mut Handoff, findings: &mut Vec<Finding>) {
        match key.name.as_str() {
            "version" => {}
            "id" => handoff.id = value.scalar(),
            "title" => handoff.title = self.text(value),
            "objective" => handoff.objective = self.text(value),
            "status" => handoff.status = self.text(value),
            "constraints" => handoff.constraints = self.items(value, None, findings),
            "facts" => handoff.facts = self.items(value, None, findings),
            "unverified" => handoff.unverified = self.items(value, None, findings),
            "hazards" => handoff.hazards = self.items(value, None, findings),
            "open" => handoff.open = self.items(value, None, findings),
            "omitted" => handoff.omitted = self.items(value, None, findings),
            "done" => handoff.done = self.items(value, Some(ItemState::Done), findings),
            "next" => handoff.next = self.items(value, Some(ItemState::Open), findings),
            "decisions" => handoff.decisions = value.elements().iter().map(|node| self.decision(node)).collect(),
            "rejected" => handoff.rejected = value.elements().iter().map(|node| self.rejected(node)).collect(),
            "artifacts" => handoff.artifacts = value.elements().iter().map(|node| self.artifact(node)).collect(),
            "trees" => handoff.trees = value.elements().iter().map(|node| self.tree(node)).collect(),
            "safety" => {
                handoff.safety = Safety {
                    may: value.get("may").map(|node| self.items(node, None, findings)).unwrap_or_default(),
                    ask: value.get("ask").map(|node| self.items(node, None, findings)).unwrap_or_default(),
                    never: value.get("never").map(|node| self.items(node, None, findings)).unwrap_or_default(),
                };
                for (inner, node) in value.members() {
                    if !matches!(inner.name.as_str(), "may" | "ask" | "never") {
                        findings.push(
                            Finding::new(
                                Severity::Error,
                                "unknown-key",
                                format!("The key \"safety.{}\" is not known.", inner.name),
                            )
                            .at(self.source.span(inner.span.start, node.span.end)),
                        );
                    }
                }
            }
            "provenance" => handoff.provenance = self.provenance(value, handoff),
            "extra" => {
                for (inner, node) in value.members() {
                    handoff.extra.push(self.section(inner, node));
                }
                for node in value.elements() {
                    let heading = node.get("heading").and_then(Node::scalar).unwrap_or_default();
                    let text = node.get("text").map_or_else(|| self.verbatim(node), |text| self.verbatim(text));
                    handoff.extra.push(Section { heading, text, span: self.span(node) });
                }
            }
            _ => handoff.extra.push(self.section(key, value)),
        }
    }

    fn section(&self, key: &Key, node: &Node) -> Section {
        Section {
            heading: key.name.clone(),
            text: self.verbatim(node),
            span: Some(self.source.span(key.span.start, node.span.end)),
        }
    }

    fn items(&self, list: &Node, state: Option<ItemState>, findings: &mut Vec<Finding>) -> Vec<Item> {
        let single = std::slice::from_ref(list);
        let nodes = match &list.kind {
            Kind::Array(elements) => elements.as_slice(),
            Kind::Null => &[],
            _ => single,
        };
        let mut items = Vec::new();
        for node in nodes {
            let string = |key: &str| node.get(key).and_then(Node::scalar);
            let item = match &node.kind {
                Kind::Object(_) => Item {
                    text: string("text").or_else(|| string("what")).unwrap_or_else(|| self.verbatim(node)),
                    evidence: string("evidence"),
                    mark: string("mark"),
                    state: string("state").as_deref().and_then(state_named).or(state),
                    under: string("under"),
                    span: self.span(node),
                    ..Item::default()
                },
                Kind::Null => continue,
                _ => Item { text: self.verbatim(node), state, span: self.span(node), ..Item::default() },
            };
            if item.text.trim().is_empty() {
                findings.push(
                    Finding::new(Severity::Info, "empty-item", "An item has no text.")
                        .at(self.source.span(node.span.start, node.span.end)),
                );
                continue;
            }
            items.push(item);
        }
        items
    }

    fn decision(&self, node: &Node) -> Decision {
        let string = |key: &str| node.get(key).and_then(Node::scalar);
        match &node.kind {
            Kind::Object(_) => Decision {
                what: string("what").or_else(|| string("text")).unwrap_or_else(|| self.verbatim(node)),
                why: string("why"),
                alternatives: node
                    .get("alternatives")
                    .map(|list| list.elements().iter().map(|node| self.verbatim(node)).collect())
                    .unwrap_or_default(),
                at: string("at"),
                mark: string("mark"),
                span: self.span(node),
                ..Decision::default()
            },
            _ => Decision { what: self.verbatim(node), span: self.span(node), ..Decision::default() },
        }
    }

    fn rejected(&self, node: &Node) -> Rejected {
        let string = |key: &str| node.get(key).and_then(Node::scalar);
        match &node.kind {
            Kind::Object(_) => Rejected {
                what: string("what").or_else(|| string("text")).unwrap_or_else(|| self.verbatim(node)),
                why: string("why"),
                span: self.span(node),
                ..Rejected::default()
            },
            _ => Rejected { what: self.verbatim(node), span: self.span(node), ..Rejected::default() },
        }
    }

    fn artifact(&self, node: &Node) -> Artifact {
        let string = |key: &str| node.get(key).and_then(Node::scalar);
        match &node.kind {
            Kind::Object(_) => {
                let reference = string("ref").or_else(|| string("path")).unwrap_or_default();
                Artifact {
                    name: string("name").unwrap_or_else(|| reference.clone()),
                    kind: string("kind"),
                    reference,
                    note: string("note"),
                    span: self.span(node),
                }
            }
            _ => {
                let text = self.verbatim(node);
                Artifact { name: text.clone(), reference: text, span: self.span(node), ..Artifact::default() }
            }
        }
    }

    fn tree(&self, node: &Node) -> Tree {
        let text = |key: &str| node.get(key).and_then(|value| self.text(value));
        Tree {
            name: node.get("name").and_then(Node::scalar),
            root: text("root"),
            worktree: text("worktree"),
            branch: text("branch"),
            detached: matches!(node.get("detached").map(|value| &value.kind), Some(Kind::Bool(true))),
            head: text("head").or_else(|| text("HEAD")),
            subject: text("subject"),
            status: text("status"),
            changed: node
                .get("changed")
                .map(|list| list.elements().iter().filter_map(|node| self.text(node)).collect())
                .unwrap_or_default(),
            diff: text("diff"),
        }
    }

    fn provenance(&self, node: &Node, handoff: &mut Handoff) -> Provenance {
        let mut provenance = Provenance::default();
        for (key, value) in node.members() {
            let text = value.scalar();
            match key.name.as_str() {
                "agent" => provenance.agent = text,
                "profile" => provenance.profile = text,
                "model" => provenance.model = text,
                "session" => provenance.session = text,
                "turns" => provenance.turns = text.and_then(|turns| turns.parse().ok()),
                "written_at" => provenance.written_at = text,
                "created_at" => provenance.created_at = text,
                "reason" => provenance.reason = text,
                "resets_at" => provenance.resets_at = text,
                "from" => provenance.from = text,
                "to" => provenance.to = text,
                "parent" => provenance.parent = text,
                "cwd" => provenance.cwd = text,
                "branch" | "head" | "worktree" | "root" | "status" | "diff"
                    if handoff.trees.is_empty() || handoff.trees.len() == 1 =>
                {
                    if handoff.trees.is_empty() {
                        handoff.trees.push(Tree::default());
                    }
                    if let (Some(tree), value) = (handoff.trees.first_mut(), self.text(value)) {
                        match key.name.as_str() {
                            "branch" => tree.branch = value,
                            "head" => tree.head = value,
                            "worktree" => tree.worktree = value,
                            "root" => tree.root = value,
                            "status" => tree.status = value,
                            _ => tree.diff = value,
                        }
                    }
                }
                _ => handoff.extra.push(Section {
                    heading: format!("provenance.{}", key.name),
                    text: self.verbatim(value),
                    span: Some(self.source.span(key.span.start, value.span.end)),
                }),
            }
        }
        if provenance.written_at.is_none() {
            provenance.written_at.clone_from(&provenance.created_at);
        }
        provenance
    }
}
