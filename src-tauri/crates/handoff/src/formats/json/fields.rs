//! The members of a Handoff JSON document as fields of the model. A key inside an item that is not known is kept in
//! `extra` under its path; a value of another kind than its key asks for is read as far as it goes, and said.

use crate::formats::json_spans::{Key, Kind, Node};
use crate::source::Source;
use crate::write::state_named;
use crate::{
    Artifact, Decision, Finding, Handoff, Item, ItemState, Provenance, Rejected, Safety, Section, Severity, Span, Text,
    Tree,
};

const ITEM: &[&str] = &["text", "what", "evidence", "mark", "state", "under"];
const DECISION: &[&str] = &["what", "text", "why", "alternatives", "at", "mark"];
const REJECTED: &[&str] = &["what", "text", "why"];
const ARTIFACT: &[&str] = &["name", "kind", "ref", "path", "note"];
const TREE: &[&str] =
    &["name", "root", "worktree", "branch", "detached", "head", "HEAD", "subject", "status", "changed", "diff"];

/// Fills a document from the members of an object.
pub(super) fn fields(source: &Source<'_>, node: &Node, handoff: &mut Handoff, findings: &mut Vec<Finding>) {
    let mut reader = Fields { source, extra: Vec::new(), findings };
    for (key, value) in node.members() {
        reader.member(key, value, handoff);
    }
    handoff.extra.append(&mut reader.extra);
}

struct Fields<'a, 'b> {
    source: &'a Source<'b>,
    extra: Vec<Section>,
    findings: &'a mut Vec<Finding>,
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

    fn member(&mut self, key: &Key, value: &Node, handoff: &mut Handoff) {
        let name = key.name.as_str();
        match name {
            "version" => {}
            "id" => handoff.id = value.scalar(),
            "title" => handoff.title = self.text(value),
            "objective" => handoff.objective = self.text(value),
            "status" => handoff.status = self.text(value),
            "constraints" => handoff.constraints = self.items(name, value, None),
            "facts" => handoff.facts = self.items(name, value, None),
            "unverified" => handoff.unverified = self.items(name, value, None),
            "hazards" => handoff.hazards = self.items(name, value, None),
            "open" => handoff.open = self.items(name, value, None),
            "omitted" => handoff.omitted = self.items(name, value, None),
            "done" => handoff.done = self.items(name, value, Some(ItemState::Done)),
            "next" => handoff.next = self.items(name, value, Some(ItemState::Open)),
            "decisions" => {
                handoff.decisions =
                    self.elements(name, value, DECISION).iter().map(|node| self.decision(node)).collect();
            }
            "rejected" => {
                handoff.rejected =
                    self.elements(name, value, REJECTED).iter().map(|node| self.rejected(node)).collect();
            }
            "artifacts" => {
                handoff.artifacts =
                    self.elements(name, value, ARTIFACT).iter().map(|node| self.artifact(node)).collect();
            }
            "trees" => handoff.trees = self.elements(name, value, TREE).iter().map(|node| self.tree(node)).collect(),
            "safety" => handoff.safety = self.safety(key, value),
            "provenance" => handoff.provenance = self.provenance(value, handoff),
            "extra" => self.sections(key, value),
            _ => self.keep(key.name.clone(), key, value),
        }
    }

    fn safety(&mut self, key: &Key, value: &Node) -> Safety {
        if !matches!(value.kind, Kind::Object(_)) {
            let message = "\"safety\" must be an object of \"may\", \"ask\" and \"never\".".to_owned();
            self.say(Severity::Error, "wrong-type", message, value);
            self.keep(key.name.clone(), key, value);
        }
        for (inner, node) in value.members() {
            if !matches!(inner.name.as_str(), "may" | "ask" | "never") {
                let message = format!("The key \"safety.{}\" is not known.", inner.name);
                self.say(Severity::Error, "unknown-key", message, node);
                self.keep(format!("safety.{}", inner.name), inner, node);
            }
        }
        let mut list = |name: &str| match value.get(name) {
            Some(node) => self.items(&format!("safety.{name}"), node, None),
            None => Vec::new(),
        };
        Safety { may: list("may"), ask: list("ask"), never: list("never") }
    }

    fn sections(&mut self, key: &Key, value: &Node) {
        if !matches!(value.kind, Kind::Object(_) | Kind::Array(_) | Kind::Null) {
            self.keep(key.name.clone(), key, value);
        }
        for (inner, node) in value.members() {
            self.keep(inner.name.clone(), inner, node);
        }
        for node in value.elements() {
            let heading = node.get("heading").and_then(Node::scalar).unwrap_or_default();
            let text = node.get("text").map_or_else(|| self.verbatim(node), |text| self.verbatim(text));
            let span = self.span(node);
            self.extra.push(Section { heading, text, span });
        }
    }

    fn keep(&mut self, heading: String, key: &Key, node: &Node) {
        let span = Some(self.source.span(key.span.start, node.span.end));
        self.extra.push(Section { heading, text: self.verbatim(node), span });
    }

    fn say(&mut self, severity: Severity, code: &str, message: String, node: &Node) {
        let span = self.source.span(node.span.start, node.span.end);
        self.findings.push(Finding::new(severity, code, message).at(span));
    }

    /// The elements of a list; a single value counts as a list of one. Keys that are not known are kept.
    fn elements<'n>(&mut self, name: &str, list: &'n Node, known: &[&str]) -> &'n [Node] {
        let nodes = match &list.kind {
            Kind::Array(elements) => elements.as_slice(),
            Kind::Null => &[],
            _ => {
                self.say(Severity::Warning, "wrong-type", format!("\"{name}\" should be a list."), list);
                std::slice::from_ref(list)
            }
        };
        for (index, node) in nodes.iter().enumerate() {
            for (key, value) in node.members().iter().filter(|(key, _)| !known.contains(&key.name.as_str())) {
                self.keep(format!("{name}/{index}.{}", key.name), key, value);
            }
        }
        nodes
    }

    fn items(&mut self, name: &str, list: &Node, state: Option<ItemState>) -> Vec<Item> {
        let mut items = Vec::new();
        for node in self.elements(name, list, ITEM) {
            let string = |key: &str| node.get(key).and_then(Node::scalar);
            let written = string("state");
            if let (Some(word), Some(node)) = (&written, node.get("state"))
                && state_named(word).is_none()
            {
                let message = format!(
                    "The state \"{word}\" is not known. The states are open, in_progress, blocked, done, dropped."
                );
                self.say(Severity::Warning, "unknown-state", message, node);
            }
            let item = match &node.kind {
                Kind::Object(_) => Item {
                    text: string("text").or_else(|| string("what")).unwrap_or_else(|| self.verbatim(node)),
                    evidence: string("evidence"),
                    mark: string("mark"),
                    state: written.as_deref().and_then(state_named).or(state),
                    under: string("under"),
                    span: self.span(node),
                    ..Item::default()
                },
                _ => Item { text: self.verbatim(node), state, span: self.span(node), ..Item::default() },
            };
            if matches!(node.kind, Kind::Null) || item.text.trim().is_empty() {
                self.say(Severity::Info, "empty-item", format!("An item of \"{name}\" has no text."), node);
            } else {
                items.push(item);
            }
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

    fn provenance(&mut self, node: &Node, handoff: &mut Handoff) -> Provenance {
        let mut provenance = Provenance::default();
        if !matches!(node.kind, Kind::Object(_) | Kind::Null) {
            self.say(Severity::Warning, "wrong-type", "\"provenance\" should be an object.".to_owned(), node);
            let section =
                Section { heading: "provenance".to_owned(), text: self.verbatim(node), span: self.span(node) };
            self.extra.push(section);
        }
        for (key, value) in node.members() {
            let text = value.scalar();
            if let Some(slot) = provenance.text_mut(&key.name) {
                *slot = text;
                continue;
            }
            match key.name.as_str() {
                "turns" => provenance.turns = text.and_then(|turns| turns.parse().ok()),
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
                _ => self.keep(format!("provenance.{}", key.name), key, value),
            }
        }
        if provenance.written_at.is_none() {
            provenance.written_at.clone_from(&provenance.created_at);
        }
        provenance
    }
}
