//! The first words under the title, where no heading or label names a goal: they often say what the work is about.
//! What they say is offered with a finding, not chosen silently.

use super::blocks::Block;
use super::items::{is_placeholder, plain};
use super::labels::label_line;
use super::sections::Section;
use crate::constant::pattern;
use crate::headings::Field;
use crate::source::Source;
use crate::{Finding, Handoff, Severity, Text};
use regex::Regex;
use std::ops::Range;
use std::sync::LazyLock;

/// Characters from which on only the first sentence is taken.
const LONG: usize = 300;

/// The finding that the objective was guessed.
pub(super) const CODE: &str = "objective-from-first-words";

/// Takes the first paragraph below the title as the objective when it can be one.
pub(super) fn collect(source: &Source<'_>, sections: &[Section], handoff: &mut Handoff, findings: &mut Vec<Finding>) {
    let text = source.text.as_str();
    let titled = sections.iter().find(|section| section.level > 0).filter(|first| first.level == 1);
    let Some(section) = titled.filter(|section| section.fields.is_empty() || is_title(handoff, section)) else {
        return;
    };
    let below = sections.iter().filter(|section| section.level > 1 && introduces(&section.heading));
    let wanted = || sections.iter().filter(|section| is_outside(section)).find_map(|section| wish(text, section));
    let first = || {
        [section].into_iter().chain(below).find_map(|section| {
            let said = section.blocks.iter().filter(|block| !matches!(block, Block::Rule { .. } | Block::Html { .. }));
            said.take(3)
                .map_while(|block| match block {
                    Block::Paragraph { range } => Some(range.clone()),
                    _ => None,
                })
                .find(|range| speaks_of_the_work(&text[range.clone()]))
        })
    };
    let Some(range) = wanted().or_else(first) else {
        return;
    };
    let paragraph = &text[range.clone()];
    let end = if paragraph.chars().count() <= LONG {
        range.end
    } else {
        crate::prose::sentences(text, range.clone()).first().map_or(range.end, |sentence| sentence.end)
    };
    let span = source.span(range.start, end);
    handoff.objective = Some(Text { text: plain(text, range.start..end), span: Some(span) });
    let message = "No heading or label names a goal. The first words under the title are shown as one.";
    findings.push(Finding::new(Severity::Info, CODE, message).at(span));
}

/// Whether a section belongs to no field.
fn is_outside(section: &Section) -> bool {
    section.fields.iter().all(|field| matches!(field, Field::Provenance))
}

/// A sentence that says what somebody wants: `We want every invoice to leave as XRechnung`.
static WISH: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"(?i)^\W*(?:(?:we|i|they|the (?:client|customer|user|owner|team)) (?:want|wants|need|needs)\b|(?:the |our |my )?(?:goal|aim|objective|task|job|mission|point) (?:is|was) (?:to\b|that\b)|i was asked to\b|we(?: are|['’]re) (?:building|making|moving|replacing|migrating|trying to)\b|(?:das )?ziel ist\b|es geht darum\b|(?:le but|l['’]objectif) est\b|el objetivo es\b|o objetivo é|l['’]obiettivo è|(?:цель|задача)\s*[—:-]|.{0,8}(?:目标|任务|目的)是|목표는|(?:本作業の|この作業の|今回の)?目的は)",
    )
});

fn wish(text: &str, section: &Section) -> Option<Range<usize>> {
    let paragraphs = section.blocks.iter().filter_map(|block| match block {
        Block::Paragraph { range } => Some(range.clone()),
        _ => None,
    });
    let wishes = |sentence: &Range<usize>| {
        let words = &text[sentence.clone()];
        WISH.is_match(words) && speaks_of_the_work(words)
    };
    paragraphs.flat_map(|range| crate::prose::sentences(text, range)).find(wishes)
}

/// Whether the first heading below the title is there to introduce the reader.
fn introduces(heading: &str) -> bool {
    const NAMES: &[&str] = &[
        "context",
        "project context",
        "background",
        "introduction",
        "intro",
        "about",
        "the project",
        "where are we",
        "contexte",
        "ou en est le projet",
        "kontext",
        "hintergrund",
        "contexto",
        "contesto",
        "контекст",
        "背景",
        "はじめに",
        "概要",
        "배경",
        "소개",
    ];
    NAMES.contains(&crate::headings::normalise(heading).as_str())
}

fn is_title(handoff: &Handoff, section: &Section) -> bool {
    handoff.title.as_ref().is_some_and(|title| title.text == section.heading)
}

/// Whether a paragraph is a sentence about the work: no metadata, no words about the document itself, no result.
fn speaks_of_the_work(paragraph: &str) -> bool {
    let words = paragraph.trim();
    let lower = words.to_lowercase();
    let count = words.split_whitespace().count();
    let long_enough = count >= 5 || !words.is_ascii() && words.chars().count() >= 12;
    let labelled = words.lines().any(|line| {
        // `The live thread: …` is a sentence, `Branch: x` is not.
        label_line(line).is_some_and(|(name, _)| name.split_whitespace().count() < 3)
    });
    let about_itself = ABOUT_ITSELF.iter().any(|begin| lower.contains(begin));
    let dated = crate::dates::find(words).is_some();
    long_enough
        && !labelled
        && !about_itself
        && !dated
        && !is_placeholder(words)
        && !words.starts_with(['!', '[', '<', '|'])
}

/// How documents speak about themselves, and how they say where the work stands.
const ABOUT_ITSELF: &[&str] = &[
    "this document",
    "this file",
    "this is the doc",
    "this handoff",
    "this doc ",
    "this note",
    "context dump",
    "read this",
    "read first",
    "first read",
    "for background",
    "next agent",
    "next session",
    "new session",
    "head is",
    "uncommitted",
    "signed off",
    "updated",
    "このファイル",
    "この文書",
    "このドキュメント",
    "本資料",
    "本文档",
    "此文档",
    "本文件",
    "이 문서",
    "이 파일",
    "dieses dokument",
    "diese datei",
    "ce document",
    "ce fichier",
    "este documento",
    "este archivo",
    "este arquivo",
    "questo documento",
    "этот документ",
    "этот файл",
];
