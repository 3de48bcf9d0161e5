//! Whether words say that something was checked, that it failed, or that nobody looked: only what was checked is a fact.

use crate::constant::{Words, pattern};
use regex::Regex;
use std::sync::LazyLock;

/// Whether a text says what to check instead of what was checked: a command, with no word of what came out.
pub(super) fn is_instruction(text: &str) -> bool {
    const COMMANDS: &[&str] = &[
        "confirm", "check", "verify", "ensure", "open", "click", "run", "re-run", "rerun", "launch", "inspect",
        "compare", "make",
    ];
    const OPENERS: &[&str] = &["for", "to", "when", "if", "before", "after", "once"];
    let lower = text.to_lowercase();
    let mut words = lower.split(|mark: char| !mark.is_alphanumeric() && mark != '-').filter(|word| !word.is_empty());
    let Some(first) = words.next() else { return false };
    // `Check: passed` and `Run 12: green` are names; a command goes on with a word.
    let goes_on =
        lower.trim_start_matches(['*', '_', ' ']).strip_prefix(first).is_some_and(|rest| rest.starts_with(' '));
    let any = |words: &[&str]| words.iter().any(|word| lower.contains(word));
    let result = any(&[
        "pass",
        "green",
        "succe",
        "✅",
        "✓",
        "→",
        "is clean",
        "are clean",
        "confirmed",
        "verified",
        "fixed",
        "returned",
        "shows",
        " ok",
        "works",
    ]);
    let opened = OPENERS.contains(&first)
        && any(&[
            ", run ",
            ", check ",
            ", verify ",
            ", open ",
            ", start ",
            ", extract ",
            ", use ",
            " and verify ",
            " and check ",
            " and confirm ",
        ]);
    let told = ["必须", "不要", "请", "してください", "해야", "하세요"].iter().any(|word| lower.contains(word));
    let held = ["通过", "成功", "全绿", "確認済", "완료", "통과"].iter().any(|word| lower.contains(word));
    if told && !held && !result {
        return true;
    }
    goes_on && !result && (COMMANDS.contains(&first) || opened)
}

/// Words by which English says in the middle of a sentence that it guesses, or that nobody looked.
static HEDGED: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"(?i)\b(?:probably|presumably|apparently|supposedly|allegedly|seemingly|perhaps|maybe|likely|unlikely|might|i (?:think|believe|suspect|assume|guess|expect)|my guess|we (?:think|believe|suspect|assume)|not sure|unsure|unclear|seems?(?: to| like)|appears? to|should (?:work|be (?:fine|ok|okay|enough|good|safe))|in theory|theoretically|from memory|to be (?:confirmed|verified|checked)|tbc|assumed|assuming)\b|(?:\bnot|n['’]t|\bnever|\bnobody(?: has)?)\s+(?:yet |been |actually |really |fully |re-?)*(?:tested|verified|checked|confirmed|tried|measured|validated|exercised|looked at|looked into)\b",
    )
});

/// The same in other languages, by parts of words that stand for nothing else.
static HEDGES: LazyLock<Words> = LazyLock::new(|| {
    Words::of(&[
        // Japanese.
        "おそらく",
        "恐らく",
        "たぶん",
        "多分",
        "かもしれ",
        "かも知れ",
        "と思われ",
        "と思う",
        "と思い",
        "と考えられ",
        "はずだ",
        "はずです",
        "はずな",
        "はず（",
        "はず(",
        "ようです",
        "みたいです",
        "っぽい",
        "可能性が",
        "可能性も",
        "可能性あり",
        "気がする",
        "推測",
        "推定",
        "だろう",
        "でしょう",
        "要確認",
        "要検証",
        "確認していない",
        "確認してない",
        "確認していません",
        "確認できていない",
        "確認はまだ",
        "確認まだ",
        "未実施",
        "未テスト",
        "未計測",
        "未測定",
        "試していない",
        "試してない",
        "まだ試",
        "まだ確認",
        "まだ測",
        "計測していない",
        "測っていない",
        "実行していない",
        "動かしていない",
        "見ていない",
        "テストしてない",
        // Chinese.
        "可能是",
        "大概",
        "也许",
        "估计",
        "好像",
        "似乎",
        "应该是",
        "应该能",
        "应该可以",
        "没测",
        "没验证",
        "没有验证",
        "待验证",
        "待确认",
        "未确认",
        "尚未验证",
        "尚未测试",
        "尚未确认",
        "还没验证",
        "还没测",
        "还没跑",
        "还没试",
        "推测",
        "猜测",
        "怀疑",
        "不确定",
        // Korean.
        "아마",
        "것 같",
        "듯하",
        "듯함",
        "추정",
        "추측",
        "미확인",
        "확인하지 않",
        "확인하지 못",
        "확인 못",
        "테스트 안",
        "테스트 못",
        "검증하지 않",
        "검증 안",
        "일지도",
        // German, French, Spanish, Portuguese, Italian, Russian.
        "vermutlich",
        "wahrscheinlich",
        "vielleicht",
        "anscheinend",
        "ungetestet",
        "ungeprüft",
        "nicht ausprobiert",
        "nicht sicher",
        "probablement",
        "peut-être",
        "sans doute",
        "semble",
        "pas testé",
        "pas vérifié",
        "à vérifier",
        "probablemente",
        "quizá",
        "tal vez",
        "sin verificar",
        "no probado",
        "por confirmar",
        "creo que",
        "provavelmente",
        "talvez",
        "não verificado",
        "a confirmar",
        "acho que",
        "probabilmente",
        "forse ",
        "sembra",
        "non testato",
        "da verificare",
        "credo che",
        "вероятно",
        "возможно",
        "похоже",
        "кажется",
        "наверное",
        "скорее всего",
        "предположительно",
        "не проверял",
        "не проверен",
        "не тестировал",
    ])
});

/// Whether a text guesses: it begins so, it hedges somewhere, or it ends as Japanese ends a guess. What stands in code
/// is not what the text says.
pub(crate) fn is_guess(text: &str) -> bool {
    const BEGINS: &[&str] = &["seems ", "could be", "suspect", "it seems"];
    const ENDS: &[&str] = &["はず", "ようだ", "らしい", "みたい", "かも", "と見られる", "見込み", "のでは"];
    let said = without_code(text);
    let begin: String = said.trim_start_matches(['*', '_', ' ']).chars().take(16).collect::<String>().to_lowercase();
    let closes = |mark: char| !mark.is_alphanumeric();
    BEGINS.iter().any(|guess| begin.starts_with(guess))
        || said.lines().any(|line| {
            let end = line.trim_end_matches(closes);
            ENDS.iter().any(|guess| end.ends_with(guess)) && !end.ends_with("素晴らしい")
        })
        || HEDGED.is_match(&said)
        || HEDGES.any_in(&said)
}

/// A text without what stands in backticks.
fn without_code(text: &str) -> String {
    let mut parts = text.split('`');
    let mut said = parts.next().unwrap_or_default().to_owned();
    while let Some(_code) = parts.next() {
        said.push_str(parts.next().unwrap_or_default());
    }
    said
}

/// `e2e: 3 failed`: a check that did not hold, and nothing beside it that did.
pub(crate) fn says_failed(text: &str) -> bool {
    if !text.contains("fail") && !text.contains("FAIL") {
        return false;
    }
    let lower = text.to_lowercase();
    let passed = ["pass", "✅", "ok", "fixed", "0 fail", "no fail"].iter().any(|word| lower.contains(word));
    let counts = lower.trim_start_matches(|digit: char| digit.is_ascii_digit()).trim_start();
    let failed_first = counts.len() < lower.len() && counts.starts_with("fail") || lower.starts_with("failing");
    if failed_first && !passed && !lower.starts_with("0 ") {
        return true;
    }
    let Some((_, result)) = lower.rsplit_once([':', '：']) else { return false };
    let result = result.trim().trim_matches(['*', '`']);
    let counted = result.trim_start_matches(|digit: char| digit.is_ascii_digit() || digit == ' ');
    !passed && (result.starts_with("fail") || counted.len() < result.len() && counted.starts_with("fail"))
}

/// Whether words say that something was not checked.
pub(crate) fn takes_back(words: &str) -> bool {
    static WORDS: LazyLock<Words> = LazyLock::new(|| {
        Words::of(&[
            "not verified",
            "unverified",
            "not tested",
            "untested",
            "not yet verified",
            "never verified",
            "never tested",
            "not checked",
            ": not run",
            "was not run",
            "were not run",
            "not executed",
            "не запускал",
            "nicht ausgeführt",
            "未実行",
            "未运行",
            "not confirmed",
            "unconfirmed",
            "not yet tested",
            "nicht getestet",
            "non testé",
            "non vérifié",
            "sin probar",
            "no verificado",
            "não testado",
            "non verificato",
            "не протестировано",
            "テストしていない",
            "未测试",
            "没有测试",
            "테스트하지 않",
            "nicht verifiziert",
            "nicht geprüft",
            "未検証",
            "未確認",
            "未验证",
            "미검증",
            "не проверено",
        ])
    });
    WORDS.any_in(words)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_guess_may_stand_anywhere_in_a_sentence() {
        for guess in [
            "Probably the relay",
            "The cache is probably warm",
            "I haven't tested it on Windows",
            "It should work behind a proxy",
            "Seems to hold",
            "探触子は壊れていると思われる",
            "再起動で直るはず。",
            "原因はタイマーかもしれない",
            "本番でも動くはず（未確認）",
            "端末では確認していない",
            "根因可能是探头",
            "아마 탐침 문제",
            "El sensor tal vez falla",
        ] {
            assert!(is_guess(guess), "{guess}");
        }
        for fact in [
            "`maybe` returns nothing",
            "cargo test: 41 passed",
            "The box is closed",
            "実機で確認した",
            "想定どおり動いた",
            "素晴らしい",
            "It did not drop a frame in 40 minutes",
        ] {
            assert!(!is_guess(fact), "{fact}");
        }
    }
}
