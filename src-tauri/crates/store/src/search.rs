//! Words for the full text: our own tokens, so that two characters of Japanese, prefixes, paths and hash prefixes
//! are found. Tokens go into FTS5 as one string that its plain tokenizer splits at blanks.

use unicode_normalization::UnicodeNormalization;

fn is_cjk(character: char) -> bool {
    matches!(character, '\u{3040}'..='\u{30ff}' | '\u{3400}'..='\u{4dbf}' | '\u{4e00}'..='\u{9fff}' | '\u{ac00}'..='\u{d7af}' | '\u{f900}'..='\u{faff}' | '々' | '〆')
}

/// Folds case, width and Latin accents.
fn fold(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut latin = false;
    for character in text.nfkd() {
        if matches!(character, '\u{300}'..='\u{36f}') && latin {
            continue;
        }
        latin = character.is_ascii_alphabetic();
        out.extend(character.to_lowercase());
    }
    out.nfc().collect()
}

/// Cuts a text into runs of CJK and of other letters and digits.
fn runs(text: &str) -> Vec<(bool, String)> {
    let mut found: Vec<(bool, String)> = Vec::new();
    let mut before = None;
    for character in fold(text).chars() {
        let kind = if is_cjk(character) {
            Some(true)
        } else if character.is_alphanumeric() {
            Some(false)
        } else {
            None
        };
        match (kind, before == kind, found.last_mut()) {
            (Some(_), true, Some((_, run))) => run.push(character),
            (Some(cjk), _, _) => found.push((cjk, character.to_string())),
            (None, ..) => {}
        }
        before = kind;
    }
    found
}

/// The tokens of a document, separated by blanks.
pub(crate) fn tokens(text: &str) -> String {
    let mut out = String::with_capacity(text.len() * 2);
    for (cjk, run) in runs(text) {
        if cjk {
            let characters: Vec<char> = run.chars().collect();
            for pair in characters.windows(2) {
                out.extend(pair);
                out.push(' ');
            }
            // The last character alone, so that a run of one is found too.
            out.extend(characters.last());
        } else {
            out.push_str(&run);
        }
        out.push(' ');
    }
    out
}

/// An FTS5 query for what a person typed: every part must be there, the last one as a prefix. None when nothing is left.
pub(crate) fn query(text: &str) -> Option<String> {
    let mut parts = Vec::new();
    let runs = runs(text);
    let last = runs.len().saturating_sub(1);
    for (number, (cjk, run)) in runs.iter().enumerate() {
        if *cjk {
            let characters: Vec<char> = run.chars().collect();
            match characters.as_slice() {
                [single] => parts.push(format!("\"{single}\"*")),
                several => {
                    let pairs: Vec<String> = several.windows(2).map(|pair| pair.iter().collect()).collect();
                    parts.push(format!("\"{}\"", pairs.join(" ")));
                }
            }
        } else {
            parts.push(format!("\"{run}\"{}", if number == last { "*" } else { "" }));
        }
    }
    (!parts.is_empty()).then(|| parts.join(" "))
}

/// The text around the first match, in pieces; `true` marks the match.
pub(crate) fn snippet(body: &str, text: &str) -> Vec<(bool, String)> {
    let needle: Vec<String> = text.split_whitespace().map(str::to_lowercase).collect();
    let lower = body.to_lowercase();
    // Lowercasing may change lengths; then the snippet is the beginning.
    let at = if lower.len() == body.len() {
        needle.iter().find_map(|word| lower.find(word.as_str()).map(|at| (at, word.len())))
    } else {
        None
    };
    let (at, length) = at.unwrap_or((0, 0));
    let from = floor(body, at.saturating_sub(60));
    let end = ceil(body, (at + length + 100).min(body.len()));
    let (match_from, match_to) = (floor(body, at), ceil(body, (at + length).min(body.len())));
    let line = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
    let blank = |edge: Option<char>| if edge.is_some_and(char::is_whitespace) { " " } else { "" };
    let head = &body[from..match_from];
    let tail = &body[match_to..end];
    vec![
        (false, format!("{}{}", line(head), blank(head.chars().next_back()))),
        (true, body[match_from..match_to].to_owned()),
        (false, format!("{}{}", blank(tail.chars().next()), line(tail))),
    ]
}

fn floor(text: &str, mut at: usize) -> usize {
    while !text.is_char_boundary(at) {
        at -= 1;
    }
    at
}

fn ceil(text: &str, mut at: usize) -> usize {
    while !text.is_char_boundary(at) {
        at += 1;
    }
    at
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn japanese_becomes_pairs_and_other_words_stay_whole() {
        assert_eq!(
            tokens("再接続 Queue.Drain").split_whitespace().collect::<Vec<_>>(),
            ["再接", "接続", "続", "queue", "drain"]
        );
        assert_eq!(query("接続").as_deref(), Some("\"接続\""));
        assert_eq!(query("src/ma").as_deref(), Some("\"src\" \"ma\"*"));
        assert_eq!(query("\"; DROP"), Some("\"drop\"*".to_owned()));
        assert_eq!(query("--"), None);
    }
}
