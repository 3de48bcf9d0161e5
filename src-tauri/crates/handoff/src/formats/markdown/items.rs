//! What a single line of a handoff means: its check box, its state in words, its reason, its evidence.

use crate::ItemState;
use crate::constant::pattern;
use regex::Regex;
use std::ops::Range;
use std::sync::LazyLock;

/// A list item, table row, paragraph or sub-heading before it is put into a field.
#[derive(Clone, Debug, Default)]
pub(crate) struct Line {
    /// What its own part says, without check box.
    pub text: String,
    /// Its own part: after marker and check box, nested lists left out.
    pub own: Range<usize>,
    /// All bytes, nested ones included.
    pub whole: Range<usize>,
    /// Whether a check box or a status cell gives the state, not a word in the text.
    pub boxed: bool,
    pub state: Option<ItemState>,
    pub mark: Option<String>,
    pub children: Vec<Line>,
    /// Whether a symbol such as ✅ stands where a check box would.
    pub symbol: bool,
    /// Whether that symbol says that it failed.
    pub failed: bool,
    /// Cells by lowercase header, for table rows.
    pub cells: Vec<(String, String)>,
}

/// Text of a range without continuation indents and quote marks, line ends as `\n`.
pub(crate) fn plain(text: &str, range: Range<usize>) -> String {
    let mut out = String::new();
    for (number, line) in text[range].lines().enumerate() {
        if number > 0 {
            out.push('\n');
        }
        let line = line.trim_end();
        let inner = line.trim_start();
        let inner = inner.strip_prefix('>').map_or(inner, str::trim_start);
        out.push_str(if number == 0 && !line.starts_with('>') { line } else { inner });
    }
    out.trim().to_owned()
}

/// A check box at the start: its state and the bytes it takes with the blank behind it.
pub(crate) fn check_box(text: &str) -> Option<(ItemState, usize)> {
    let inner = text.strip_prefix('[')?;
    let (mark, rest) = inner.split_once(']')?;
    let state = match mark {
        " " | "" => ItemState::Open,
        "x" | "X" | "✓" | "✔" | "✅" => ItemState::Done,
        "~" | "/" | "→" | "->" | "." | ">" => ItemState::InProgress,
        "!" | "?" | "blocked" => ItemState::Blocked,
        "-" => ItemState::Dropped,
        _ => return None,
    };
    if !rest.is_empty() && !rest.starts_with(char::is_whitespace) {
        return None;
    }
    let blank = rest.len() - rest.trim_start().len();
    Some((state, mark.len() + 2 + blank))
}

/// The state that a status cell or a bracketed remark gives.
pub(crate) fn state_word(word: &str) -> Option<ItemState> {
    let word = word.trim().trim_matches(['*', '`', '(', ')', '（', '）']).trim().to_lowercase();
    if word.is_empty() {
        return None;
    }
    // `❌ cancelled`: the word says more than the symbol.
    let behind = word.trim_start_matches(|mark: char| !mark.is_alphanumeric()).trim();
    if behind.len() < word.len()
        && behind.chars().count() <= 24
        && let Some(state) = Some(behind).filter(|behind| !behind.is_empty()).and_then(state_word)
    {
        return Some(state);
    }
    let first = |any: &[&str]| {
        let behind = |candidate: &&str| word.strip_prefix(*candidate);
        any.iter().filter_map(behind).any(|rest| rest.is_empty() || rest.starts_with([' ', ',']))
    };
    if first(&[
        "⬜",
        "☐",
        "□",
        "❌",
        "🔲",
        "planned",
        "open",
        "todo",
        "to do",
        "pending",
        "not started",
        "not done",
        "未",
        "未着手",
        "未完了",
        "未完成",
        "待办",
        "미완료",
        "offen",
        "not_started",
        "pendiente",
        "pendente",
        "por hacer",
        "da fare",
        "à faire",
        "a fazer",
        "ausstehend",
        "не начато",
        "ожидает",
        "대기",
        "예정",
        "待开始",
        "未开始",
    ]) {
        return Some(ItemState::Open);
    }
    if first(&[
        "✅",
        "☑",
        "✔",
        "✓",
        "done",
        "complete",
        "completed",
        "finished",
        "merged",
        "landed",
        "pass",
        "passed",
        "完了",
        "完成",
        "已完成",
        "완료",
        "済",
        "済み",
        "fertig",
        "fait",
        "hecho",
        "fatto",
        "сделано",
        "готово",
        "выполнено",
        "erledigt",
        "terminé",
        "terminado",
        "completado",
        "completato",
        "feito",
        "concluído",
        "concluido",
        "対応済み",
        "実装済み",
    ]) {
        return Some(ItemState::Done);
    }
    if first(&[
        "🔄",
        "🚧",
        "△",
        "▶",
        "⏳",
        "in progress",
        "in_progress",
        "work in progress",
        "wip",
        "partial",
        "ongoing",
        "作業中",
        "進行中",
        "进行中",
        "진행 중",
        "진행중",
        "対応中",
        "in arbeit",
        "en cours",
        "en curso",
        "en proceso",
        "in corso",
        "em andamento",
        "в работе",
        "в процессе",
    ]) {
        return Some(ItemState::InProgress);
    }
    if first(&[
        "⛔",
        "🚫",
        "blocked",
        "waiting",
        "保留",
        "阻塞",
        "bloqueado",
        "bloqué",
        "bloccato",
        "blockiert",
        "заблокировано",
        "보류",
    ]) {
        return Some(ItemState::Blocked);
    }
    if first(&[
        "dropped",
        "cancelled",
        "canceled",
        "shelved",
        "superseded",
        "abandoned",
        "中止",
        "取消",
        "제외",
        "취소",
        "除外",
        "対象外",
        "cut",
        "removed",
        "out",
    ]) {
        return Some(ItemState::Dropped);
    }
    None
}

static STATE_REMARK: LazyLock<Regex> =
    LazyLock::new(|| pattern(r"[(（]([A-Za-z_ \p{Han}\p{Hiragana}\p{Hangul}]{1,24})(?:[:：,;][^)）]{0,160})?[)）]"));
static LEADING_MARK: LazyLock<Regex> = LazyLock::new(|| {
    pattern(r"^(UNCONFIRMED|ASSUMPTION|ASSUMED|UNVERIFIED|VERIFIED|PROPOSED|CLAIM|INFERRED)\s*[:：-]\s*")
});
static REASON: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"(?i)(?:[:：,，;；.。]\s*|\s+[-–—]+>?\s+|\s*→\s*|\s*[(（]|\s+)(?:failed\s+)?(?:because|due to|so that|reason|rationale|why|理由|原因|이유|weil|denn|parce que|porque|perché|потому что|grund|begründung|motivo|damit|wegen|afin que|afin de|à cause de|debido a|a causa di|affinché|из-за|чтобы)(?:\s*[:：]|\s+of\b|\s|，|は)\s*|[,，、。;；]\s*(?:因为|因為|由于|car\s|since\s|ya que\s|puesto que\s|pois\s|так как\s|поскольку\s)\s*",
    )
});

/// A word of certainty at the start, such as `UNCONFIRMED:`.
pub(crate) fn leading_mark(text: &str) -> Option<String> {
    if !text.starts_with(|first: char| first.is_ascii_uppercase()) {
        return None;
    }
    LEADING_MARK.captures(text).and_then(|found| found.get(1)).map(|mark| mark.as_str().to_owned())
}

/// Fills state and mark of a line from the words in it.
pub(crate) fn read_words(line: &mut Line) {
    line.mark = leading_mark(&line.text).or(line.mark.take());
    if line.state.is_none() && may_hold_remark(&line.text) {
        line.state = STATE_REMARK
            .captures_iter(&line.text)
            .take(3)
            .find_map(|found| found.get(1).and_then(|word| state_word(word.as_str())));
    }
    if line.state.is_none() {
        line.state = state_behind_dash(&line.text);
    }
    if line.state.is_none() {
        leading_symbol(line);
    }
    let struck = line.text.trim();
    if struck.starts_with("~~") && (struck.ends_with("~~") || struck.matches("~~").count() >= 2 && struck.len() < 400) {
        line.state = Some(ItemState::Dropped);
    }
}

/// `Task 3: chart - in progress`: a word of state behind the last dash of a line.
fn state_behind_dash(text: &str) -> Option<ItemState> {
    /// Bytes at the end of a line in which the dash and a word so short must stand.
    const END: usize = 32;
    let from = (text.len().saturating_sub(END)..=text.len()).find(|at| text.is_char_boundary(*at))?;
    let end = &text[from..];
    let (_, word) =
        [" - ", " — ", " – "].iter().filter_map(|dash| end.rsplit_once(dash)).min_by_key(|(_, word)| word.len())?;
    let word = word.trim_end_matches('.');
    let alone = word.len() <= 16 && word.split(' ').count() <= 2;
    state_word(word).filter(|_| alone && !word.starts_with("pass") && !word.starts_with("open"))
}

/// Whether a bracket closes again so soon that a word of state may stand in it.
fn may_hold_remark(text: &str) -> bool {
    const LONGEST: usize = 24 * 4;
    let bytes = text.as_bytes();
    let closes = |at: usize| {
        let behind = &bytes[at..bytes.len().min(at + LONGEST + 3)];
        let word = |byte: &u8| byte.is_ascii_alphabetic() || matches!(byte, b'_' | b' ') || !byte.is_ascii();
        let end = behind.iter().position(|byte| !word(byte));
        // A full-width bracket is not ASCII: it may stand anywhere in what was passed over.
        end.is_some_and(|end| matches!(behind[end], b')' | b':' | b',' | b';'))
            || behind.windows(3).any(|mark| mark == "）".as_bytes())
    };
    text.match_indices('(').any(|(at, _)| closes(at + 1)) || text.match_indices('（').any(|(at, _)| closes(at + 3))
}

/// Whether a mark or a status cell says that something failed.
pub(super) fn is_failure(word: &str) -> bool {
    let word = word.trim().to_lowercase();
    word.starts_with(['❌', '✗', '✘', '✖']) || matches!(word.as_str(), "fail" | "failed" | "failing" | "broken")
}

/// A status symbol at the start stands where a check box would.
fn leading_symbol(line: &mut Line) {
    let Some(symbol) = line.text.chars().next().filter(|first| !first.is_alphanumeric()) else { return };
    line.state = state_word(&symbol.to_string());
    if line.state.is_none() || line.whole.start != line.own.start {
        return;
    }
    let rest = line.text[symbol.len_utf8()..].trim_start_matches(['\u{fe0f}', ' ']);
    let skip = line.text.len() - rest.len();
    if !rest.is_empty() && skip < line.own.len() {
        line.own.start += skip;
        line.whole.start += skip;
        line.text = rest.to_owned();
        line.boxed = true;
        line.symbol = true;
        line.failed = is_failure(&symbol.to_string());
    }
}

/// What and why. A reason stands behind `because`, `reason:` and the like, in a nested bullet, or in brackets.
pub(crate) fn split_reason(text: &str) -> (String, Option<String>) {
    if let Some(found) = REASON.find(text).filter(|found| found.start() > 0) {
        let what = text[..found.start()].trim().trim_end_matches([',', '，', ';', '；', ':', '：']).to_owned();
        let mut why = text[found.end()..].trim();
        if text[found.start()..found.end()].contains(['(', '（']) {
            why = why.strip_suffix([')', '）']).unwrap_or(why);
        }
        if !what.is_empty() && !why.is_empty() {
            return (what, Some(why.to_owned()));
        }
    }
    reason_in_front(text).or_else(|| reason_behind(text)).unwrap_or_else(|| (text.to_owned(), None))
}

/// The second sentence of a Korean decision says why when it ends so.
fn reason_behind(text: &str) -> Option<(String, Option<String>)> {
    let (what, why) = text.trim_end_matches('.').split_once(". ")?;
    (why.contains("때문") && !why.contains(". ")).then(|| (what.to_owned(), Some(why.to_owned())))
}

/// `電源が弱いため、二台に分けた` and `二台に分けた（電源が弱いので）`: Japanese says why before it says what, or in a bracket.
fn reason_in_front(text: &str) -> Option<(String, Option<String>)> {
    static FRONT: LazyLock<Regex> =
        LazyLock::new(|| pattern(r"^([^、。]{2,60}[^、。]?)(?:ため|ので)(?:に)?、(.{3,})$"));
    static BEHIND: LazyLock<Regex> =
        LazyLock::new(|| pattern(r"^(.{3,}?)[（(]([^（）()]{2,80})(?:のため|ため|ので|から)[）)][。.]?$"));
    if !text.contains("ため") && !text.contains("ので") && !text.contains("から") {
        return None;
    }
    let part = |found: &regex::Captures<'_>, index: usize| found.get(index).map(|part| part.as_str().trim().to_owned());
    if let Some(found) = FRONT.captures(text) {
        return Some((part(&found, 2)?, part(&found, 1)));
    }
    let found = BEHIND.captures(text)?;
    Some((part(&found, 1)?, part(&found, 2)))
}

/// As [`split_reason`], and the part behind the first colon or dash counts as the reason too.
pub(crate) fn split_reason_or_colon(text: &str) -> (String, Option<String>) {
    let (what, why) = split_reason(text);
    if why.is_some() {
        return (what, why);
    }
    for separator in [": ", "：", "——", " — ", " – ", " -> ", " → ", " - "] {
        if let Some((what, why)) = text.split_once(separator)
            && what.contains(char::is_alphanumeric)
            && !why.trim().is_empty()
            && !what.contains("://")
        {
            return (what.trim().to_owned(), Some(why.trim().to_owned()));
        }
    }
    (text.to_owned(), None)
}

/// Removes a word such as `Decision:` or `Tried:` from the start.
pub(crate) fn without_label<'a>(text: &'a str, labels: &[&str]) -> &'a str {
    for label in labels {
        let head: String = text.chars().take(label.chars().count()).collect();
        if head.eq_ignore_ascii_case(label) {
            let rest = text[head.len()..].trim_start_matches(['*', ' ']);
            if let Some(rest) = rest.strip_prefix([':', '：']) {
                return rest.trim_start_matches(['*', ' ']);
            }
        }
    }
    text
}

/// The evidence in the last parentheses of a fact and the text before it, when it names something checkable.
pub(crate) fn split_evidence(text: &str) -> (String, Option<String>) {
    if let Some(open) = text.trim_end().strip_suffix(')').and_then(matching_open) {
        let trimmed = text.trim_end();
        let inside = &trimmed[open + 1..trimmed.len() - 1];
        if !inside.trim().is_empty() && open > 0 {
            return (trimmed[..open].trim_end().to_owned(), Some(inside.trim().to_owned()));
        }
    }
    (text.to_owned(), None)
}

fn matching_open(inner: &str) -> Option<usize> {
    let mut depth = 1_usize;
    for (at, character) in inner.char_indices().rev() {
        match character {
            ')' => depth += 1,
            '(' => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            return Some(at);
        }
    }
    None
}

/// Bytes of the longest way to say "none", with room for other cases of its letters.
const LONGEST_NONE: usize = 40;

/// "None", "n/a", なし and the like: no item at all.
pub(crate) fn is_none(text: &str) -> bool {
    let plain =
        text.trim().trim_matches(['*', '_', '`', '(', ')', '-', '—', '–', ' ']).trim_end_matches(['.', '。']).trim();
    if plain.is_empty() {
        return true;
    }
    let none_first = plain.get(..4).is_some_and(|first| first.eq_ignore_ascii_case("none"));
    if plain.len() > LONGEST_NONE && !none_first {
        return false;
    }
    let plain = plain.to_lowercase();
    const NONE: &[&str] = &[
        "none",
        "n/a",
        "na",
        "nothing",
        "none known",
        "no open questions",
        "nil",
        "nessuna",
        "nessuno",
        "なし",
        "無し",
        "特になし",
        "无",
        "無",
        "没有",
        "없음",
        "keine",
        "aucun",
        "aucune",
        "ninguno",
        "ninguna",
        "nenhum",
        "nenhuma",
        "нет",
        "none so far",
        "none at this time",
        "none yet",
        "none identified",
        "none found",
        "none remaining",
        "no blockers",
        "no open issues",
        "nothing open",
        "nichts",
        "ninguno conocido",
        "rien",
        "特に無し",
        "ありません",
        "暂无",
        "해당 없음",
        "no known issues",
        "no questions",
        "no risks",
        "no decisions",
        "nothing left",
        "nothing left to do",
        "nothing pending",
        "nothing blocked",
        "keine bekannt",
        "keine offenen",
        "aucun pour l'instant",
        "aucune pour l'instant",
        "ninguna por ahora",
        "ninguno por ahora",
        "nenhum por enquanto",
        "nessuno al momento",
        "nessuna al momento",
        "пока нет",
        "特にありません",
        "現時点ではなし",
        "今のところなし",
        "目前没有",
        "暂时没有",
        "현재 없음",
    ];
    let none_at_all = plain.strip_prefix("none ").is_some_and(|rest| {
        ["at ", "that ", "known", "so far", "right now", "currently", "yet", "for now", "open", "left", "as of"]
            .iter()
            .any(|begin| rest.starts_with(begin))
    });
    NONE.contains(&plain.as_str())
        || none_at_all && plain.len() <= 60
        || plain.starts_with("none. ")
        || plain.starts_with("none, ")
        || plain.starts_with("none (")
}

/// Whether a text is a placeholder that somebody should have filled in.
pub(crate) fn is_placeholder(text: &str) -> bool {
    let text = text.trim().trim_matches('`').trim();
    let wrapped = |open: char, close: char| text.starts_with(open) && text.ends_with(close) && text.len() > 4;
    (wrapped('<', '>') && !text.contains("://") && text.contains(' '))
        || (text.starts_with("{{") && text.ends_with("}}"))
        || (wrapped('[', ']') && text.len() < 80 && !text.contains("](") && text.contains(' '))
        || matches!(text.to_ascii_lowercase().as_str(), "tbd" | "todo" | "tbc" | "...")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reasons_are_found_in_several_words() {
        for (text, what, why) in [
            ("Keep one reducer, because two drifted", "Keep one reducer", "two drifted"),
            ("Round to metres; reason: the crane", "Round to metres", "the crane"),
            ("写入配置，不写死。理由：各港口不同", "写入配置，不写死", "各港口不同"),
            ("guess -> Failed because: semicolons", "guess", "semicolons"),
            ("Use it: because of speed", "Use it", "speed"),
        ] {
            assert_eq!(split_reason(text), (what.to_owned(), Some(why.to_owned())), "{text}");
        }
        assert_eq!(split_reason("Keep heights as text").1, None);
        assert_eq!(split_reason_or_colon("-: a").1, None, "a sign alone is no option");
    }

    #[test]
    fn none_in_many_languages_is_no_item() {
        for text in ["None.", "- ", "n/a", "なし", "无", "없음", "none known", "None. One reviewer timed out"] {
            assert!(is_none(text), "{text}");
        }
        assert!(!is_none("None of the tests ran twice"));
    }
}
