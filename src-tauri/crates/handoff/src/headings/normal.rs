//! Headings as they are compared: without numbering, emoji, emphasis, brackets and Latin accents; never without kana.

use super::remembered::Remembered;
use unicode_normalization::UnicodeNormalization;

thread_local! {
    static NORMALISED: Remembered<String> = Remembered::new();
}

/// `snake_case` and `camelCase` as words.
pub(super) fn words(key: &str) -> String {
    let mut out = String::with_capacity(key.len() + 4);
    let mut before = ' ';
    for character in key.chars() {
        if character == '_' || (character == '-' && before.is_alphanumeric()) {
            out.push(' ');
        } else {
            if character.is_uppercase() && before.is_lowercase() {
                out.push(' ');
            }
            out.push(character);
        }
        before = character;
    }
    out
}

/// Lowercase, Latin accents folded, emphasis and outer punctuation gone; brackets kept.
pub(crate) fn fold(heading: &str) -> String {
    let repaired = crate::source::repaired(heading);
    let heading = repaired.as_deref().unwrap_or(heading);
    let folded = if heading.chars().all(folds_to_itself) { heading.to_lowercase() } else { without_accents(heading) };
    let trimmed = folded.trim_matches(|character: char| {
        character.is_whitespace()
            || matches!(character, '*' | '_' | '`' | '#' | ':' | '：' | '<' | '>' | '~' | '【' | '】')
            || is_symbol(character)
    });
    if !trimmed.contains("  ") && !trimmed.contains(|blank: char| blank.is_whitespace() && blank != ' ') {
        return trimmed.to_owned();
    }
    trimmed.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// ASCII, signs, kana, Han, Hangul and emoji that taking apart and putting together again does not change.
fn folds_to_itself(character: char) -> bool {
    matches!(character, '\0'..='\u{7f}' | '\u{2010}'..='\u{2027}' | '\u{2190}'..='\u{2199}' | '\u{2500}'..='\u{27bf}'
        | '\u{fe0f}' | '\u{1f300}'..='\u{1faff}' | '\u{3000}'..='\u{3029}' | '\u{3041}'..='\u{3096}' | '\u{309b}'..='\u{30ff}'
        | '\u{4e00}'..='\u{9fff}' | '\u{ac00}'..='\u{d7a3}' | '\u{ff01}'..='\u{ff5e}')
}

fn without_accents(heading: &str) -> String {
    let mut folded = String::with_capacity(heading.len());
    let mut base_is_latin = false;
    for character in heading.nfd() {
        let combining = matches!(character, '\u{300}'..='\u{36f}');
        if combining && base_is_latin {
            continue;
        }
        if !combining {
            base_is_latin = character.is_ascii_alphabetic();
        }
        folded.extend(character.to_lowercase());
    }
    folded.nfc().collect()
}

/// As [`fold`], with numbering and bracketed remarks removed.
pub fn normalise(heading: &str) -> String {
    NORMALISED.with(|known| known.get(heading, normalised))
}

fn normalised(heading: &str) -> String {
    let folded = fold(heading);
    let mut text = strip_numbering(&folded);
    while let Some(shorter) = strip_bracket(&text) {
        text = shorter;
    }
    trim(&text).to_owned()
}

pub(super) fn trim(text: &str) -> &str {
    text.trim_matches(|character: char| {
        character.is_whitespace()
            || matches!(character, '*' | ':' | '：' | '?' | '？' | '-' | '—' | '–')
            || is_symbol(character)
    })
}

fn is_symbol(character: char) -> bool {
    matches!(character, '\u{2190}'..='\u{21ff}' | '\u{2300}'..='\u{23ff}' | '\u{25a0}'..='\u{27bf}' | '\u{2b00}'..='\u{2bff}'
        | '\u{fe00}'..='\u{fe0f}' | '\u{1f000}'..='\u{1faff}' | '\u{200d}' | '•')
}

pub(super) fn strip_numbering(text: &str) -> String {
    let mut rest = text.trim_start();
    loop {
        let before = rest;
        rest = rest.trim_start_matches('§');
        if let Some(inner) = rest.strip_prefix(['(', '（'])
            && let Some((number, after)) = inner.split_once([')', '）'])
            && number.chars().count() <= 3
            && number.chars().all(char::is_alphanumeric)
            && !number.is_empty()
        {
            rest = after.trim_start();
        }
        for word in ["phase ", "step ", "part "] {
            if let Some(after) = rest.strip_prefix(word) {
                let digits = after.trim_start_matches(|c: char| c.is_ascii_digit());
                if digits.len() < after.len()
                    && let Some(title) = digits.trim_start().strip_prefix(['—', '–', '-', ':', '：'])
                {
                    rest = title.trim_start();
                }
            }
        }
        let digits = rest.trim_start_matches(|character: char| {
            character.is_ascii_digit() || matches!(character, '.' | '-') || matches!(character, '①'..='⑳')
        });
        let number = &rest[..rest.len() - digits.len()];
        if number.chars().any(|character| character.is_ascii_digit() || matches!(character, '①'..='⑳')) {
            let after = digits.trim_start_matches([')', '）', '、', '.', ':', '．']);
            if after.len() < digits.len()
                || digits.starts_with(char::is_whitespace)
                || number.ends_with(['.', '-'])
                || number.chars().any(|c| matches!(c, '①'..='⑳'))
            {
                rest = after.trim_start();
            }
        }
        let roman = rest.trim_start_matches(['i', 'v', 'x']);
        if roman.len() < rest.len()
            && rest.len() - roman.len() <= 5
            && let Some(after) = roman.strip_prefix(['.', ')']).filter(|after| after.starts_with(' '))
        {
            rest = after.trim_start();
        }
        let kanji = rest.trim_start_matches(|character: char| "一二三四五六七八九十".contains(character));
        if kanji.len() < rest.len()
            && let Some(after) = kanji.strip_prefix(['、', '.', '．'])
        {
            rest = after.trim_start();
        }
        if rest == before {
            return rest.to_owned();
        }
    }
}

/// Removes a closing bracketed remark when a space stands before it or when it is full-width: `Task(s)` stays.
pub(super) fn strip_bracket(text: &str) -> Option<String> {
    let text = text.trim_end_matches([':', '：', ' ']);
    if let Some(open) = text.strip_suffix('）').and_then(|text| text.rfind('（')) {
        return Some(text[..open].trim_end().to_owned());
    }
    if let Some(open) = text.strip_suffix(')').and_then(|text| text.rfind('(')) {
        let before = &text[..open];
        if before.ends_with(' ') && !before.trim().is_empty() {
            return Some(before.trim_end().to_owned());
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_folds_to_itself_is_not_taken_apart() {
        let range = ('\0'..='\u{1ffff}').filter(|character| folds_to_itself(*character));
        for character in range {
            let text = format!("a{character}b{character}");
            assert_eq!(without_accents(&text), text.to_lowercase(), "U+{:04X}", u32::from(character));
        }
    }

    #[test]
    fn kana_are_never_folded_and_task_keeps_its_plural() {
        assert!(fold("が").contains('が'));
        assert_eq!(normalise("Task(s)"), "task(s)");
    }
}
