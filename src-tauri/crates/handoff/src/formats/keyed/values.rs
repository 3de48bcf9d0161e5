//! One value of a keyed document as an item: its words, its reason, its evidence, its state.

use super::plain;
use crate::ItemState;
use crate::formats::json_spans::{Kind, Node};
use crate::formats::markdown::{is_none, state_word};

/// Keys that hold what an item says, the surest first.
const WORDS: &[&str] = &[
    "text",
    "claim",
    "rule",
    "what",
    "decision",
    "task",
    "question",
    "action",
    "step",
    "fact",
    "name",
    "title",
    "item",
    "approach",
    "option",
    "description",
    "issue",
    "problem",
    "goal",
    "objective",
    "change",
    "path",
    "file",
    "ref",
    "url",
    "summary",
    "content",
    "value",
    "command",
    "note",
];
const REASONS: &[&str] =
    &["reason", "rationale", "why", "because", "failed because", "why failed", "reason failed", "cause", "outcome"];
const EVIDENCE: &[&str] = &[
    "evidence",
    "proof",
    "source",
    "verified by",
    "commit",
    "probe",
    "check",
    "command",
    "how",
    "tested by",
    "test",
    "by",
];
const ALTERNATIVES: &[&str] = &["alternatives", "alternatives considered", "options", "considered"];
const MARKS: &[&str] = &["priority", "mark", "certainty", "confidence"];
const TIMES: &[&str] = &["at", "date", "decided at", "timestamp"];
/// Bookkeeping of the other tool.
const SILENT: &[&str] = &[
    "id",
    "status",
    "state",
    "session",
    "phase",
    "expires",
    "blocking",
    "since",
    "type",
    "number",
    "done",
    "completed",
    "checked",
    "order",
];

/// What one value says.
#[derive(Debug, Default)]
pub(super) struct Said {
    pub text: String,
    pub why: Option<String>,
    pub evidence: Option<String>,
    pub alternatives: Vec<String>,
    pub state: Option<ItemState>,
    pub mark: Option<String>,
    pub at: Option<String>,
    /// What a check that is no success came to: it failed, or it was not run.
    pub check: Option<Check>,
}

/// How a check ended, when not well.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Check {
    Failed,
    NotRun,
}

/// What the result of a check says.
fn check(word: &str) -> Option<Check> {
    let word = word.trim().to_lowercase().replace('_', " ");
    let begins = |words: &[&str]| words.iter().any(|begin| word.starts_with(begin));
    if begins(&["fail", "error", "broken", "red", "❌"]) {
        return Some(Check::Failed);
    }
    begins(&["not run", "skip", "pending", "unknown", "not tested", "untested", "unverified", "blocked", "todo"])
        .then_some(Check::NotRun)
}

/// Reads a value. None when it says nothing.
pub(super) fn said(node: &Node) -> Option<Said> {
    match &node.kind {
        Kind::Null => None,
        Kind::Object(members) if !members.is_empty() => object(node),
        Kind::Array(items) => {
            let parts: Vec<String> = items.iter().filter_map(said).map(|said| said.text).collect();
            (!parts.is_empty()).then(|| Said { text: parts.join("; "), ..Said::default() })
        }
        _ => {
            let text = node.scalar()?;
            (!is_none(&text)).then(|| Said { text: text.trim().to_owned(), ..Said::default() })
        }
    }
}

/// Whether an object has a key that says what it is about.
pub(super) fn has_words(node: &Node) -> bool {
    node.members().iter().any(|(key, value)| WORDS.contains(&plain(&key.name).as_str()) && value.scalar().is_some())
}

fn object(node: &Node) -> Option<Said> {
    let mut said = Said::default();
    let members: Vec<(String, &Node)> = node.members().iter().map(|(key, value)| (plain(&key.name), value)).collect();
    let written = |index: usize| node.members().get(index).map_or("", |(key, _)| key.name.trim());
    let words =
        WORDS.iter().find_map(|word| members.iter().position(|(name, value)| name == word && value.scalar().is_some()));
    if let Some(index) = words {
        said.text = members.get(index).and_then(|(_, value)| value.scalar()).unwrap_or_default();
    }
    let mut rest = Vec::new();
    for (index, (name, value)) in members.iter().enumerate() {
        let name = name.as_str();
        // `ok: null` and `by: null`: nobody has looked.
        let unseen = matches!(name, "ok" | "passed" | "result" | "verified" | "by" | "evidence" | "verified by");
        if matches!(value.kind, Kind::Null) && unseen {
            said.check = said.check.or(Some(Check::NotRun));
        }
        if Some(index) == words || matches!(value.kind, Kind::Null) {
            continue;
        }
        let scalar = value.scalar();
        match (name, scalar.as_deref()) {
            ("ok" | "passed" | "verified", Some("true")) => continue,
            ("ok" | "passed", Some("false")) => said.check = Some(Check::Failed),
            ("verified", Some("false")) => said.check = Some(Check::NotRun),
            _ => {}
        }
        if matches!(name, "status" | "state" | "result" | "outcome" | "verdict") {
            said.check = said.check.or_else(|| scalar.as_deref().and_then(check));
        } else if name == "exit code" && scalar.as_deref().is_some_and(|code| code != "0") {
            said.check = Some(Check::Failed);
        }
        if REASONS.contains(&name) && said.why.is_none() && scalar.is_some() {
            said.why = scalar.filter(|why| !is_none(why));
        } else if EVIDENCE.contains(&name) && said.evidence.is_none() && scalar.is_some() {
            said.evidence = scalar.filter(|evidence| !is_none(evidence));
        } else if ALTERNATIVES.contains(&name) {
            said.alternatives = match &value.kind {
                Kind::Array(items) => items.iter().filter_map(self::said).map(|said| said.text).collect(),
                _ => scalar.into_iter().collect(),
            };
        } else if MARKS.contains(&name) && said.mark.is_none() {
            said.mark = scalar;
        } else if TIMES.contains(&name) && said.at.is_none() {
            said.at = scalar;
        } else if SILENT.contains(&name) {
            let state = scalar.as_deref().map(|word| word.replace('_', " "));
            said.state = said.state.or_else(|| match (name, state.as_deref()) {
                ("status" | "state", Some(word)) => state_word(word),
                ("done" | "completed" | "checked", Some("true")) => Some(ItemState::Done),
                ("done" | "completed" | "checked", Some("false")) => Some(ItemState::Open),
                _ => None,
            });
        } else if let Some(inner) = self::said(value) {
            // A key with blanks is the beginning of a sentence, not a name.
            let begin = written(index);
            rest.push(format!("{}: {}", if begin.contains(' ') { begin } else { name }, inner.text));
        }
    }
    if said.text.is_empty() && rest.is_empty() {
        return None;
    }
    if said.text.is_empty() {
        said.text = rest.join("; ");
    } else {
        for more in rest {
            said.text.push('\n');
            said.text.push_str(&more);
        }
    }
    Some(said)
}
