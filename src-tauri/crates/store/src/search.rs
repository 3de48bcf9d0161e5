//! Words for the full text: our own tokens, so that two characters of Japanese, prefixes, paths and hash prefixes
//! are found. Tokens go into FTS5 as one string that its plain tokenizer splits at blanks.

use unicode_normalization::UnicodeNormalization;

fn is_cjk(character: char) -> bool {
    matches!(character, '\u{3040}'..='\u{30ff}' | '\u{3400}'..='\u{4dbf}' | '\u{4e00}'..='\u{9fff}' | '\u{ac00}'..='\u{d7af}' | '\u{f900}'..='\u{faff}' | '々' | '〆')
}

/// Folds case, width and Latin accents.
fn fold(text: &str) -> String {
    if text.is_ascii() {
        return text.to_ascii_lowercase();
    }
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while !rest.is_empty() {
        let plain = rest.find(|character| !folds_to_itself(character)).unwrap_or(rest.len());
        // A mark behind it may belong to the last plain character.
        let keep =
            if plain == rest.len() { plain } else { rest[..plain].char_indices().next_back().map_or(0, |(at, _)| at) };
        let (head, tail) = rest.split_at(keep);
        let from = out.len();
        out.push_str(head);
        out[from..].make_ascii_lowercase();
        let skip = plain - keep;
        let odd = tail[skip..].find(folds_to_itself).map_or(tail.len(), |at| skip + at);
        fold_odd(&tail[..odd], &mut out);
        rest = &tail[odd..];
    }
    out
}

/// ASCII, marks of punctuation, kana, Han and Hangul: taken apart and put together they are what they were.
fn folds_to_itself(character: char) -> bool {
    matches!(character, '\0'..='\u{7f}' | '\u{2012}'..='\u{2016}' | '\u{2018}'..='\u{2023}' | '\u{2190}'..='\u{2199}'
        | '\u{3001}'..='\u{3029}' | '\u{3041}'..='\u{3096}' | '\u{30a0}'..='\u{30fe}' | '\u{4e00}'..='\u{9fff}'
        | '\u{ac00}'..='\u{d7a3}')
}

fn fold_odd(text: &str, out: &mut String) {
    let mut folded = String::with_capacity(text.len());
    let mut latin = false;
    // Composed again at the end, so that a mark that belongs to its letter (が, é of another script) stays with it.
    for character in text.nfkd() {
        if matches!(character, '\u{300}'..='\u{36f}') && latin {
            continue;
        }
        latin = character.is_ascii_alphabetic();
        folded.extend(character.to_lowercase());
    }
    out.extend(folded.nfc());
}

/// Cuts a text into runs of CJK and of other letters and digits.
fn runs(text: &str) -> Vec<(bool, String)> {
    let mut found: Vec<(bool, String)> = Vec::new();
    each_run(&fold(text), |cjk, run| found.push((cjk, run.to_owned())));
    found
}

fn each_run(folded: &str, mut told: impl FnMut(bool, &str)) {
    let kind = |character: char| {
        if is_cjk(character) { Some(true) } else { character.is_alphanumeric().then_some(false) }
    };
    let (mut from, mut before) = (0, None);
    for (at, character) in folded.char_indices() {
        let now = kind(character);
        if now != before {
            if let Some(cjk) = before {
                told(cjk, &folded[from..at]);
            }
            (from, before) = (at, now);
        }
    }
    if let Some(cjk) = before {
        told(cjk, &folded[from..]);
    }
}

/// The tokens of a document's texts, separated by blanks.
pub(crate) fn tokens(texts: &[&str]) -> String {
    let mut out = String::with_capacity(texts.iter().map(|text| text.len() + 1).sum());
    for text in texts {
        each_run(&fold(text), |cjk, run| {
            if cjk {
                let mut before = None;
                for character in run.chars() {
                    if let Some(before) = before {
                        out.extend([before, character, ' ']);
                    }
                    before = Some(character);
                }
                // The last character alone, so that a run of one is found too.
                out.extend(before);
            } else {
                out.push_str(run);
            }
            out.push(' ');
        });
    }
    out
}

/// An FTS5 query for what a person typed: every part must be there, the last one as a prefix. None when nothing is left.
/// Every part is quoted, so that nothing typed is an operator.
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

/// Bytes shown before and after a match.
const BEFORE: usize = 60;
const AFTER: usize = 100;

/// The text around the first match, in pieces; `true` marks the match. Without a match in the text (it was the path's)
/// the beginning.
pub(crate) fn snippet(body: &str, text: &str) -> Vec<(bool, String)> {
    // As typed is the usual case and needs no folding.
    let as_typed = text.split_whitespace().find_map(|word| body.find(word).map(|at| (at, at + word.len())));
    let folded = || {
        let haystack = Folded::of(body);
        let needles = text.split_whitespace().map(fold).chain(runs(text).into_iter().map(|(_, run)| run));
        needles.filter(|needle| !needle.is_empty()).find_map(|needle| haystack.find(&needle))
    };
    let found = as_typed.or_else(folded);
    let (match_from, match_to) = found.unwrap_or((0, 0));
    let from = floor(body, match_from.saturating_sub(BEFORE));
    let end = ceil(body, (match_to + AFTER).min(body.len()));
    let line = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
    let blank = |edge: Option<char>| if edge.is_some_and(char::is_whitespace) { " " } else { "" };
    let (head, tail) = (&body[from..match_from], &body[match_to..end]);
    vec![
        (false, format!("{}{}", line(head), blank(head.chars().next_back()))),
        (true, body[match_from..match_to].to_owned()),
        (false, format!("{}{}", blank(tail.chars().next()), line(tail))),
    ]
}

/// A folded text that knows where its bytes came from.
struct Folded {
    text: String,
    /// Place in the folded text and in the original, at every piece that folds for itself; none when they are the same.
    places: Vec<(usize, usize)>,
    length: usize,
}

impl Folded {
    fn of(body: &str) -> Self {
        if body.is_ascii() {
            return Self { text: fold(body), places: Vec::new(), length: body.len() };
        }
        let mut text = String::with_capacity(body.len());
        let mut places = Vec::with_capacity(body.len());
        let mut pieces = body.char_indices().peekable();
        while let Some((from, _)) = pieces.next() {
            while pieces.next_if(|(_, next)| unicode_normalization::char::is_combining_mark(*next)).is_some() {}
            let to = pieces.peek().map_or(body.len(), |(at, _)| *at);
            places.push((text.len(), from));
            text.push_str(&fold(&body[from..to]));
        }
        Self { text, places, length: body.len() }
    }

    /// The range in the original.
    fn find(&self, needle: &str) -> Option<(usize, usize)> {
        let at = self.text.find(needle)?;
        let end = at + needle.len();
        if self.places.is_empty() {
            return Some((at, end));
        }
        let first = self.places.partition_point(|(folded, _)| *folded <= at).saturating_sub(1);
        let after = self.places.partition_point(|(folded, _)| *folded < end);
        Some((self.places[first].1, self.places.get(after).map_or(self.length, |(_, original)| *original)))
    }
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
            tokens(&["再接続 Queue.Drain"]).split_whitespace().collect::<Vec<_>>(),
            ["再接", "接続", "続", "queue", "drain"]
        );
        assert_eq!(query("接続").as_deref(), Some("\"接続\""));
        assert_eq!(query("src/ma").as_deref(), Some("\"src\" \"ma\"*"));
        assert_eq!(query("\"; DROP"), Some("\"drop\"*".to_owned()));
        assert_eq!(query("--"), None);
    }

    #[test]
    fn folding_in_pieces_is_folding_the_whole() {
        let whole = |text: &str| {
            let mut out = String::new();
            fold_odd(text, &mut out);
            out
        };
        for character in ('\0'..='\u{2ffff}').filter(|character| folds_to_itself(*character)) {
            let text = format!("a{character}b{character}");
            assert_eq!(fold(&text), whole(&text), "U+{:04X}", u32::from(character));
        }
        let pieces = [
            "a", "E", "\u{301}", "é", "か", "\u{3099}", "가", "\u{11a8}", "\u{1100}", "\u{1161}", "漢", "Ａ",
            "\u{3000}", "ß", "И", "\u{306}", "—", "ﬁ",
        ];
        for one in pieces {
            for two in pieces {
                for three in pieces {
                    let text = format!("{one}{two}{three}x{two}");
                    assert_eq!(fold(&text), whole(&text), "{text:?}");
                }
            }
        }
    }

    #[test]
    fn accents_width_and_case_are_folded_and_marks_of_other_scripts_stay() {
        assert_eq!(tokens(&["Résumé ＡＢＣ"]), "resume abc ");
        assert_eq!(query("がっこう"), query("か\u{3099}っこう"), "composed and decomposed are one");
        assert_ne!(query("がく"), query("かく"));
        assert_eq!(tokens(&["한국"]).split_whitespace().collect::<Vec<_>>(), ["한국", "국"]);
    }

    #[test]
    fn a_snippet_marks_the_match_as_written() {
        let marked = |body: &str, text: &str| {
            snippet(body, text).into_iter().find(|(marked, _)| *marked).map(|(_, piece)| piece)
        };
        assert_eq!(marked("der Résumé-Lauf", "resume").as_deref(), Some("Résumé"));
        assert_eq!(marked("これは再接続の話", "接続").as_deref(), Some("接続"));
        assert_eq!(marked("İstanbul Queue.Drain", "queue.dra").as_deref(), Some("Queue.Dra"));
        assert_eq!(marked("nothing here", "docs/handoff").as_deref(), Some(""));
    }
}
