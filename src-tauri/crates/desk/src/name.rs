//! What a person recognises a handoff by.

use store::index::ListRow;

/// Words that say what kind of document it is, in the languages whose headings are read, and the small words between
/// them. A title of nothing else names every handoff alike.
const KIND: &[&str] = &[
    "a",
    "agent",
    "agents",
    "ai",
    "an",
    "coding",
    "context",
    "continue",
    "continuity",
    "current",
    "doc",
    "document",
    "for",
    "from",
    "hand",
    "handoff",
    "handoffs",
    "handover",
    "here",
    "latest",
    "next",
    "note",
    "notes",
    "of",
    "off",
    "over",
    "progress",
    "project",
    "report",
    "resume",
    "session",
    "state",
    "status",
    "summary",
    "the",
    "to",
    "update",
    "work",
    "エージェント",
    "セッション",
    "セッション引き継ぎ",
    "ハンドオフ",
    "引き継ぎ",
    "引き継ぎメモ",
    "引き継ぎ書",
    "引き継ぎ資料",
    "引継",
    "引継ぎ",
    "引継ぎメモ",
    "引継ぎ書",
    "作業引き継ぎ",
    "作業引継ぎ",
    "交接",
    "交接文档",
    "会话交接",
    "工作交接",
    "项目交接",
    "交接文件",
    "인계",
    "인수인계",
    "인수인계서",
    "세션",
    "übergabe",
    "sitzung",
    "passation",
    "session",
    "relève",
    "traspaso",
    "relevo",
    "entrega",
    "passagem",
    "sessão",
    "sesión",
    "передача",
];

/// Beyond this many characters a goal that goes on in the next line is not followed.
const LONG: usize = 160;

/// Its title; its objective where the title says no more than that it is a handoff; else its file's name. One line,
/// without the marks around code and emphasis.
pub(crate) fn name_of(row: &ListRow) -> String {
    let says = |text: &&str| !text.trim().is_empty();
    let title = row.title.as_deref().filter(says);
    let objective = row.objective.as_deref().filter(says);
    let named = title.filter(|title| objective.is_none() || !says_only_its_kind(title)).or(objective);
    let line = named.and_then(first_sentence);
    line.unwrap_or_else(|| row.path.file_name().unwrap_or_default().to_string_lossy().into_owned())
}

/// The first line, and what follows of it where the writer wrapped it.
fn first_sentence(text: &str) -> Option<String> {
    let mut lines = text.lines().map(str::trim).skip_while(|line| line.is_empty());
    let mut whole = lines.next()?.to_owned();
    for line in lines.take_while(|line| !line.is_empty()) {
        let is_over = whole.ends_with(['.', ':', '!', '?', ';', '。', '：', '！', '？']);
        let is_item = line.starts_with(['-', '*', '+', '•', '|', '>', '#'])
            || line.trim_start_matches(|digit: char| digit.is_ascii_digit()).starts_with(['.', ')', '、']);
        if is_over || is_item || whole.chars().count() > LONG {
            break;
        }
        if whole.ends_with(|letter: char| letter.is_ascii()) || line.starts_with(|letter: char| letter.is_ascii()) {
            whole.push(' ');
        }
        whole.push_str(line);
    }
    // A single pair of asterisks may be a path pattern.
    let marked = whole.matches("**").count() >= 2 && !whole.contains("/**");
    Some(if marked { whole.replace("**", "") } else { whole }.replace('`', ""))
}

fn says_only_its_kind(title: &str) -> bool {
    let lower = title.to_lowercase();
    let mut words = lower.split(|letter: char| !letter.is_alphanumeric()).filter(|word| !word.is_empty());
    words.all(|word| KIND.contains(&word) || word.chars().all(|letter| letter.is_ascii_digit()))
}

#[cfg(test)]
mod tests {
    use super::{first_sentence, says_only_its_kind};

    #[test]
    fn a_goal_that_was_wrapped_is_followed_to_the_end_of_its_sentence_and_loses_its_marks() {
        for (text, name) in [
            ("Move `ingest` to the **queue**,\nwithout a gap.\nThen rest.", "Move ingest to the queue, without a gap."),
            ("Split the ledger\n- first\n- second", "Split the ledger"),
            ("Clean src/**/old and lib/**/new", "Clean src/**/old and lib/**/new"),
            ("\n縦組みの位置を\n直す。\n以上", "縦組みの位置を直す。"),
        ] {
            assert_eq!(first_sentence(text).as_deref(), Some(name));
        }
        assert_eq!(first_sentence(" \n"), None);
    }

    #[test]
    fn a_title_that_every_handoff_could_have_is_told_from_one_that_names_the_work() {
        for kind in [
            "Handoff",
            "# Session Handoff: 2026-11-30",
            "🤝 Agent hand-off",
            "HANDOFF.",
            "引き継ぎ",
            "交接文档",
            "Übergabe 3",
        ] {
            assert!(says_only_its_kind(kind), "{kind}");
        }
        for name in [
            "Handoff: split invoices",
            "Session cookies",
            "引き継ぎ: 縦組み",
            "Status page",
            "Retry",
            "Handoff: ledger",
            "v2.1 notes",
        ] {
            assert!(!says_only_its_kind(name), "{name}");
        }
    }
}
