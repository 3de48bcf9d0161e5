//! Documents that only send the reader elsewhere: "read X first", and hardly anything besides.

use crate::formats::markdown::{Block, Gather, Section};
use crate::mention::{MentionKind, mentions};
use crate::{Finding, Severity, Text};

/// A document with more text than this says something itself.
const LONGEST: usize = 3_000;

/// Fills `points_to` when the entry is a pointer.
pub(crate) fn collect(gather: &mut Gather<'_>, sections: &[Section], length: usize, findings: &mut Vec<Finding>) {
    let handoff = &gather.handoff;
    let own = handoff.done.len() + handoff.decisions.len() + handoff.facts.len() + handoff.rejected.len();
    if length > LONGEST || own > 0 || handoff.objective.as_ref().is_some_and(|goal| goal.text.len() > 200) {
        return;
    }
    let text = gather.text();
    let source = gather.source;
    let mut targets: Vec<Text> = Vec::new();
    for block in sections.iter().flat_map(|section| &section.blocks) {
        let (Block::Paragraph { range } | Block::Quote { range }) = block else { continue };
        let slice = &text[range.clone()];
        if !sends_away(slice) {
            continue;
        }
        for mention in mentions(slice).into_iter().filter(|mention| mention.kind == MentionKind::Path) {
            if is_document(&mention.text) && !targets.iter().any(|other| other.text == mention.text) {
                let span = source.span(range.start + mention.span.from, range.start + mention.span.to);
                targets.push(Text { text: mention.text, span: Some(span) });
            }
        }
    }
    if let Some(first) = targets.first() {
        let message = format!("This document points to {}. What is there was not read here.", first.text);
        let mut finding = Finding::new(Severity::Info, "points-to-another-file", message);
        finding.span = first.span;
        findings.push(finding);
        gather.handoff.points_to = targets;
    }
}

fn is_document(path: &str) -> bool {
    let name = path.to_lowercase();
    [".md", ".mdx", ".txt", ".yaml", ".yml", ".json", ".jsonl"].iter().any(|end| name.ends_with(end))
}

fn sends_away(text: &str) -> bool {
    let text = text.to_lowercase();
    let any = |words: &[&str]| words.iter().any(|word| text.contains(word));
    let sends = any(&[
        "read ",
        "see ",
        "moved to",
        "lives in",
        "go to",
        "document is",
        "now at",
        "open ",
        "読",
        "参照",
        "阅读",
        "请看",
        "읽",
        "прочит",
        "lies ",
        "lire ",
        "lee ",
        "leggi ",
    ]);
    let all = any(&[
        "first",
        "complete",
        "all of it",
        "instead",
        "before",
        "only then",
        "moved",
        "live document",
        "canonical",
        "lives",
        "entire",
        "fully",
        "続き",
        "本文",
        "全文",
        "正文",
        "본문",
        "전문",
        "まず",
        "最初",
        "先",
        "完整",
        "먼저",
        "сначала",
        "zuerst",
        "d'abord",
        "primero",
        "prima",
    ]);
    sends && all
}
