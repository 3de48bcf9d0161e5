//! `Label: value` lines, `KEY: value` blocks and front matter keys: metadata and short fields.

use crate::constant::pattern;
use crate::formats::front_matter::Pair;
use crate::headings::{Field, classify, normalise};
use crate::source::Source;
use crate::{Handoff, Section, Span, Text, dates};
use regex::Regex;
use std::ops::Range;
use std::sync::LazyLock;

/// A label line: its name and the byte at which the value begins, counted from the line's start.
pub(crate) fn label_line(line: &str) -> Option<(String, usize)> {
    let trimmed = line.trim_start();
    let lead = line.len() - trimmed.len();
    let skip = trimmed.len() - trimmed.trim_start_matches(['>', '-', '*', '+', ' ']).len();
    let skip =
        if trimmed[..skip].contains("**") || trimmed.starts_with('>') || skip == 0 || trimmed[..skip].ends_with(' ') {
            skip
        } else {
            0
        };
    let rest = &trimmed[skip..];
    // `【目标】家长通知`: full-width brackets name a line as a colon does.
    if let Some((name, value)) = rest.strip_prefix('【').and_then(|rest| rest.split_once('】')) {
        let name = name.trim();
        let colon = value.len() - value.trim_start_matches(['：', ':', ' ', '\u{3000}']).len();
        let after = rest.len() - value.len() + colon;
        return (1..=20).contains(&name.chars().count()).then(|| (name.to_owned(), lead + skip + after));
    }
    let colon = rest.find([':', '：'])?;
    let name = rest[..colon].trim().trim_matches(['*', '_', '`']).trim();
    let length = name.chars().count();
    let known_name = name.contains('/') && !crate::headings::known(name).is_empty();
    if length == 0
        || length > 40
        || !known_name
            && super::sections::before_bracket(name).contains(['.', '。', '/', '\\', '|'])
            && !name.contains(" / ")
        || name.split_whitespace().count() > 5
    {
        return None;
    }
    let mut after = colon + rest[colon..].chars().next().map_or(1, char::len_utf8);
    let value = &rest[after..];
    // `http://`, `C:\x` and `12:30` are no labels.
    if value.starts_with("//")
        || value.starts_with('\\')
        || name.chars().all(|character| character.is_ascii_digit())
        || value.starts_with(|c: char| c.is_ascii_digit()) && rest[..colon].ends_with(|c: char| c.is_ascii_digit())
    {
        return None;
    }
    after += value.len() - value.trim_start_matches(['*', ' ', '\t']).len();
    Some((name.to_owned(), lead + skip + after))
}

/// Puts a metadata value where it belongs. Returns whether the label was metadata.
pub(crate) fn metadata(name: &str, value: &Text, handoff: &mut Handoff) -> bool {
    let key = normalise(&name.replace('_', " "));
    let text = value.text.trim().trim_matches(['`', '*']).trim();
    if text.is_empty() {
        return KNOWN.contains(&key.as_str());
    }
    let set = |slot: &mut Option<String>| {
        if slot.is_none() {
            *slot = Some(text.to_owned());
        }
        true
    };
    let provenance = &mut handoff.provenance;
    match key.as_str() {
        "last updated"
        | "updated"
        | "updated at"
        | "last update"
        | "最終更新"
        | "最終更新日"
        | "last touched"
        | "last edited"
        | "last edit"
        | "last change"
        | "last changed"
        | "last saved"
        | "更新日時"
        | "stand"
        | "更新日"
        | "更新時間"
        | "更新时间"
        | "最后更新"
        | "마지막 업데이트"
        | "마지막 갱신"
        | "갱신"
        | "dernière mise à jour"
        | "derniere mise a jour"
        | "zuletzt geandert"
        | "zuletzt aktualisiert"
        | "geandert am"
        | "letzte aktualisierung"
        | "última actualización"
        | "ultima actualizacion"
        | "última atualização"
        | "ultima atualizacao"
        | "ultimo aggiornamento"
        | "последнее обновление"
        | "mis à jour"
        | "mis a jour"
        | "aktualisiert"
        | "actualizado"
        | "aggiornato"
        | "обновлено"
        | "수정일"
        | "최종 수정"
        | "as of"
        | "업데이트"
        | "atualizado em"
        | "actualizado el"
        | "mis a jour le"
        | "aktualisiert am"
        | "aggiornato il" => {
            if let Some(at) = dates::as_written(text) {
                if let Some(agent) = agent_behind(text) {
                    provenance.agent.get_or_insert(agent);
                }
                if let Some(before) = provenance.written_at.replace(at) {
                    provenance.created_at.get_or_insert(before);
                }
                return true;
            }
            false
        }
        "saved at" | "saved" | "交接日期" | "交接时间" | "引き継ぎ日" | "인수인계일" | "handoff created"
        | "handoff written" | "handoff date" | "handover date" | "session date" | "date" | "created" | "created at"
        | "written" | "written at" | "timestamp" | "generated" | "generatedat" | "generated at" | "日付" | "日時"
        | "时间" | "作成日" | "日期" | "날짜" | "작성일" | "작성일시" | "datum" | "fecha" | "data" | "data e hora"
        | "дата" | "date and time" | "作成日時" | "編集日" => {
            let Some(at) = dates::as_written(text) else { return false };
            if let Some(agent) = agent_behind(text) {
                provenance.agent.get_or_insert(agent);
            }
            if provenance.created_at.is_none() {
                provenance.created_at = Some(at.clone());
            }
            if provenance.written_at.is_none() {
                provenance.written_at = Some(at);
            }
            true
        }
        "prepared by" | "handed over by" | "generated by" | "erstellt von" | "redige par" => {
            if let Some(at) = dates::find(text) {
                provenance.written_at.get_or_insert(at);
            }
            set(&mut provenance.agent)
        }
        "tool" | "by" | "last touched by" | "updated by" | "handed off by" | "handed over" | "agent" | "researcher"
        | "author" | "written by" | "担当" | "作成者" | "작성자" | "作者" | "agente responsavel" | "agente"
        | "负责人" | "담당자" | "автор" | "autor" | "auteur" | "autore" => set(&mut provenance.agent),
        "profile" => set(&mut provenance.profile),
        "model" | "モデル" | "模型" => set(&mut provenance.model),
        "session"
        | "session id"
        | "session name"
        | "sessionid"
        | "source-session"
        | "from session"
        | "前回セッションid" => set(&mut provenance.session),
        "turns" => {
            provenance.turns = text.parse().ok().or(provenance.turns);
            true
        }
        "reason" | "reason for handoff" | "trigger" | "handoff reason" => set(&mut provenance.reason),
        "resets at" | "reset" | "limit resets" => set(&mut provenance.resets_at),
        "from" | "handoff from" => set(&mut provenance.from),
        "to" | "next agent" | "handoff to" | "for" => set(&mut provenance.to),
        "parent" | "previous handoff" | "supersedes" | "continues from" | "parent handoff" => {
            if super::is_none(text) || text.to_lowercase().starts_with("none") {
                return true;
            }
            // `[title](./file.md)` names a file.
            let target = text.split_once("](").and_then(|(_, rest)| rest.split_once(')')).map(|(target, _)| target);
            let target = target.map_or(text, |target| target.trim_start_matches("./"));
            provenance.parent.get_or_insert_with(|| target.to_owned());
            true
        }
        "cwd"
        | "working directory"
        | "directory"
        | "arbeitsverzeichnis"
        | "repertoire de travail"
        | "directorio de trabajo"
        | "diretorio de trabalho"
        | "directory di lavoro"
        | "cartella di lavoro"
        | "рабочий каталог"
        | "рабочая папка"
        | "作業ディレクトリ"
        | "工作目录"
        | "작업 디렉터리"
        | "작업 디렉토리" => set(&mut provenance.cwd),
        "status" | "state" | "ステータス" | "状态" | "상태" | "статус" | "stato" | "状態" | "zustand" | "etat"
        | "estado" => {
            if handoff.status.is_none() {
                handoff.status = Some(Text { text: text.to_owned(), span: value.span });
            }
            true
        }
        _ => crate::trees::is_label(&key),
    }
}

/// How names of agents and their models begin.
const AGENTS: &[&str] = &[
    "claude", "codex", "gemini", "qwen", "opencode", "goose", "cursor", "copilot", "aider", "amp", "pi", "gpt", "opus",
    "sonnet",
];

/// The agent behind a day: `2026-10-02, codex`.
fn agent_behind(text: &str) -> Option<String> {
    let (_, behind) = text.split_once([',', '·', '|', '—', '、'])?;
    let name = behind.trim().trim_start_matches("by ").trim();
    agent_named(name).map(|_| name.to_owned()).filter(|name| name.len() <= 40)
}

/// The agent that a text begins with.
pub(super) fn agent_named(text: &str) -> Option<String> {
    let text = text.trim_start_matches("the ");
    let word = text.split([' ', ',', '.', '(', ';']).next().unwrap_or_default().trim_matches(['`', '*']);
    let first = word.split('-').next().unwrap_or_default().to_lowercase();
    AGENTS.contains(&first.as_str()).then(|| word.to_owned())
}

static ATTRIBUTE: LazyLock<Regex> = LazyLock::new(|| pattern(r#"([A-Za-z][\w-]*)="([^"]*)""#));

/// Reads the attributes of the tag around a document: `<handoff written="2026-08-14" by="codex">`.
pub(crate) fn tag_attributes(source: &Source<'_>, body: Range<usize>, handoff: &mut Handoff) {
    let text = &source.text[body.clone()];
    let lead = text.len() - text.trim_start().len();
    let line = text[lead..].lines().next().unwrap_or_default().trim_end();
    if !(line.starts_with('<') && line.ends_with('>')) {
        return;
    }
    for found in ATTRIBUTE.captures_iter(line) {
        let (Some(key), Some(value)) = (found.get(1), found.get(2)) else { continue };
        let from = body.start + lead + value.start();
        let span = Some(source.span(from, from + value.len()));
        let text = Text { text: value.as_str().to_owned(), span };
        let key = normalise(key.as_str());
        if !crate::trees::front_matter_value(&key, &text, handoff) {
            metadata(&key, &text, handoff);
        }
    }
}

const KNOWN: &[&str] = &["root span id", "turn span id", "parent", "session", "model", "agent", "reason"];

/// Reads a front matter: metadata, the recorded tree, short fields; the rest goes to `extra`.
pub(crate) fn front_matter(source: &Source<'_>, pairs: &[Pair], handoff: &mut Handoff) {
    for pair in pairs {
        let value = &pair.value;
        let key = normalise(&pair.key.replace(['_', '-'], " "));
        if crate::trees::front_matter_value(&key, value, handoff) || metadata(&key, value, handoff) {
            continue;
        }
        if value.text.trim().is_empty() {
            continue;
        }
        if crate::formats::keyed::front_matter_member(source, pair.range.clone(), handoff) {
            continue;
        }
        match (key.as_str(), classify(&pair.key).first()) {
            ("title", _) => handoff.title = Some(value.clone()),
            ("topic" | "goal" | "objective" | "task description" | "headline", _) => {
                handoff.objective = Some(value.clone())
            }
            (_, Some(Field::Objective)) if handoff.objective.is_none() && value.text.parse::<u64>().is_err() => {
                handoff.objective = Some(value.clone())
            }
            _ => handoff.extra.push(section(&pair.key, &value.text, Some(pair.span))),
        }
    }
    if let (None, Some(tree)) = (&handoff.provenance.cwd, handoff.trees.first()) {
        handoff.provenance.cwd = tree.worktree.as_ref().map(|path| path.text.clone());
    }
}

pub(crate) fn section(heading: &str, text: &str, span: Option<Span>) -> Section {
    Section { heading: heading.to_owned(), text: text.to_owned(), span }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn labels_are_told_from_times_urls_and_windows_paths() {
        assert_eq!(label_line("**Branch:** x").map(|found| found.0).as_deref(), Some("Branch"));
        assert_eq!(label_line("- 当前分支：`x`").map(|found| found.0).as_deref(), Some("当前分支"));
        assert_eq!(label_line("> 最終更新: 2026-06-05").map(|found| found.0).as_deref(), Some("最終更新"));
        for line in ["see https://example.test", "at 12:30", "C:\\work"] {
            assert_eq!(label_line(line), None, "{line}");
        }
    }
}
