//! Regular expressions that are part of the program: one place that makes them, and one promise.

use aho_corasick::{AhoCorasick, AhoCorasickKind};
use regex::Regex;

/// Makes a pattern that is written in the source.
///
/// `\b` is the boundary of an ASCII word here. The Unicode one leaves the fast automaton at the first character that
/// is not ASCII, which made reading forty times slower, and it sees no boundary where Japanese or Chinese touches an
/// English word. So `\b` stands beside ASCII only; where the other kind is meant, `\b{start-half}` and its like stay
/// what they are.
pub(crate) fn pattern(text: &str) -> Regex {
    let text = ascii_boundaries(text);
    // OK because every pattern is a constant and the tests make each of them at least once.
    Regex::new(&text).unwrap_or_else(|error| panic!("{text}: {error}"))
}

/// Words of which any may stand in a text, in whatever case; looked for in one pass.
pub(crate) struct Words(AhoCorasick);

impl Words {
    /// Makes the words that are written in the source, in lowercase.
    pub(crate) fn of(words: &[&str]) -> Self {
        let made = AhoCorasick::builder().ascii_case_insensitive(true).kind(Some(AhoCorasickKind::DFA)).build(words);
        // OK because the words are constants, few and short.
        Self(made.unwrap_or_else(|error| panic!("{words:?}: {error}")))
    }

    /// Whether one of them stands in the text.
    pub(crate) fn any_in(&self, text: &str) -> bool {
        // Letters with two cases that are not ASCII begin with these bytes: Latin, Greek, Cyrillic, Armenian, full width.
        let cased = text.bytes().any(|byte| matches!(byte, 0xc3..=0xd6 | 0xe1 | 0xe2 | 0xef));
        if cased { self.0.is_match(&text.to_lowercase()) } else { self.0.is_match(text) }
    }
}

fn ascii_boundaries(text: &str) -> String {
    let mut parts = text.split(r"\b");
    let mut made = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        made.push_str(if part.starts_with('{') { r"\b" } else { r"(?-u:\b)" });
        made.push_str(part);
    }
    made
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Texts in which English touches, or stands beside, letters that are not ASCII.
    const BESIDE: &[&str] = &[
        "必ず reset する",
        "Für reset nötig",
        "до reset после",
        "“reset”",
        "reset—now",
        "é reset é",
        "(reset)",
        "reset",
        "reset_all",
        "presets",
        "ночь",
        "",
    ];

    #[test]
    fn a_boundary_beside_ascii_is_the_same_one() {
        let (ours, unicode) = (pattern(r"\breset\b"), Regex::new(r"\breset\b").expect("a pattern"));
        for text in BESIDE {
            assert_eq!(ours.find(text).map(|found| found.range()), unicode.find(text).map(|found| found.range()));
        }
    }

    #[test]
    fn an_english_word_ends_where_another_script_begins() {
        let (ours, unicode) = (pattern(r"\breset\b"), Regex::new(r"\breset\b").expect("a pattern"));
        for text in ["必ずresetする", "请勿reset数据库", "resetを実行", "리셋reset금지"] {
            assert!(ours.is_match(text), "{text}");
            assert!(!unicode.is_match(text), "{text}: the Unicode boundary is why ours is another");
        }
    }

    #[test]
    fn words_are_found_in_every_case_and_script() {
        let words = Words::of(&["not tested", "не проверено", "nicht geprüft", "未検証"]);
        for text in ["It is NOT tested", "НЕ проверено.", "Nicht GEPRÜFT", "これは未検証です", "ここはnot testedです"]
        {
            assert!(words.any_in(text), "{text}");
        }
        assert!(!words.any_in("geprüft und проверено, 検証済み, tested"));
    }

    #[test]
    fn half_boundaries_stay_unicode() {
        assert_eq!(ascii_boundaries(r"a\b{end-half}\b"), r"a\b{end-half}(?-u:\b)");
        assert!(!pattern(r"com\b{end-half}").is_match("comです"));
    }
}
