//! Bytes as text, with an exact way back: readers work on text, ranges count bytes of the raw file.

mod paste;

use crate::{Finding, Severity, Span};

/// How the bytes are written down.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Encoding {
    /// UTF-8.
    Utf8,
    /// UTF-8 behind a byte-order mark.
    Utf8Bom,
    /// UTF-8 with bytes that are none.
    Utf8Invalid,
    /// UTF-16, little or big end first.
    Utf16,
}

/// A run of text and where it came from. Within a run both sides advance together when `same` holds.
#[derive(Clone, Copy, Debug)]
struct Run {
    text: usize,
    raw: usize,
    raw_len: usize,
    same: bool,
}

/// A document's bytes and the text that readers work on.
pub struct Source<'a> {
    /// The file as it is.
    pub raw: &'a [u8],
    /// Its text without a byte-order mark; invalid bytes became U+FFFD.
    pub text: String,
    /// The name relative to its root.
    pub name: &'a str,
    /// How it is written down.
    pub encoding: Encoding,
    runs: Vec<Run>,
}

impl<'a> Source<'a> {
    /// Decodes the bytes. Never fails.
    pub fn new(raw: &'a [u8], name: &'a str) -> Self {
        if let Some(rest) = raw.strip_prefix(b"\xff\xfe") {
            return Self::utf16(raw, rest, name, u16::from_le_bytes);
        }
        if let Some(rest) = raw.strip_prefix(b"\xfe\xff") {
            return Self::utf16(raw, rest, name, u16::from_be_bytes);
        }
        if let Some(unit) = bare_utf16(raw) {
            return Self::utf16(raw, raw, name, unit);
        }
        let (start, body, bom) = match raw.strip_prefix(b"\xef\xbb\xbf") {
            Some(rest) => (3, rest, true),
            None => (0, raw, false),
        };
        let mut text = String::with_capacity(body.len());
        let mut runs = Vec::new();
        let mut at = start;
        let mut invalid = false;
        for chunk in body.utf8_chunks() {
            let valid = chunk.valid();
            runs.push(Run { text: text.len(), raw: at, raw_len: valid.len(), same: true });
            text.push_str(valid);
            at += valid.len();
            if !chunk.invalid().is_empty() {
                invalid = true;
                runs.push(Run { text: text.len(), raw: at, raw_len: chunk.invalid().len(), same: false });
                text.push(char::REPLACEMENT_CHARACTER);
                at += chunk.invalid().len();
            }
        }
        let encoding = match (invalid, bom) {
            (true, _) => Encoding::Utf8Invalid,
            (false, true) => Encoding::Utf8Bom,
            (false, false) => Encoding::Utf8,
        };
        Self { raw, text, name, encoding, runs }
    }

    fn utf16(raw: &'a [u8], body: &[u8], name: &'a str, unit: fn([u8; 2]) -> u16) -> Self {
        let units = body.chunks_exact(2).map(|pair| unit([pair[0], pair[1]]));
        let mut text = String::with_capacity(body.len());
        let mut runs = Vec::new();
        let mut at = raw.len() - body.len();
        for decoded in char::decode_utf16(units) {
            let raw_len = decoded.as_ref().map_or(2, |character| character.len_utf16() * 2);
            let character = decoded.unwrap_or(char::REPLACEMENT_CHARACTER);
            runs.push(Run { text: text.len(), raw: at, raw_len, same: false });
            text.push(character);
            at += raw_len;
        }
        Self { raw, text, name, encoding: Encoding::Utf16, runs }
    }

    /// The raw range of a range of the text.
    pub fn span(&self, from: usize, to: usize) -> Span {
        Span::new(self.raw_at(from, false), self.raw_at(to, true))
    }

    fn raw_at(&self, text: usize, end: bool) -> usize {
        let index = self.runs.partition_point(|run| if end { run.text < text } else { run.text <= text });
        match index.checked_sub(1).and_then(|index| self.runs.get(index)) {
            None => self.raw.len() - self.raw_tail(),
            Some(run) if run.same => run.raw + (text - run.text).min(run.raw_len),
            Some(run) if text > run.text => run.raw + run.raw_len,
            Some(run) => run.raw,
        }
    }

    fn raw_tail(&self) -> usize {
        self.raw.len() - self.runs.first().map_or(self.raw.len(), |run| run.raw)
    }

    /// What is worth saying about the encoding.
    pub fn findings(&self) -> Vec<Finding> {
        let mut findings = Vec::new();
        if self.encoding == Encoding::Utf8Invalid {
            let at = self.runs.iter().find(|run| !run.same).map_or(0, |run| run.raw);
            findings.push(
                Finding::new(
                    Severity::Warning,
                    "invalid-utf8",
                    format!("Byte {at} is not UTF-8. It is shown as a mark; the file's hash counts the byte as it is."),
                )
                .at(Span::new(at, at + 1)),
            );
        }
        if self.text.contains('\0') {
            findings.push(Finding::new(
                Severity::Warning,
                "nul-bytes",
                "The file holds NUL bytes. A write may have been cut off.",
            ));
        }
        if is_mojibake(&self.text) {
            findings.push(Finding::new(
                Severity::Info,
                "mojibake",
                "Some text was decoded wrongly before it was saved. It is shown as it stands.",
            ));
        }
        findings
    }
}

/// The byte order of UTF-16 without its mark: a document begins with ASCII, so that every other byte is NUL.
fn bare_utf16(raw: &[u8]) -> Option<fn([u8; 2]) -> u16> {
    let head = raw.get(..raw.len().min(512) & !1).filter(|head| head.len() >= 8 && raw.len().is_multiple_of(2))?;
    let nuls = |first: usize| head.iter().skip(first).step_by(2).filter(|byte| **byte == 0).count();
    let (even, odd) = (nuls(0), nuls(1));
    let enough = head.len() / 16;
    match (even, odd) {
        (0, odd) if odd > enough && head[1] == 0 => Some(u16::from_le_bytes),
        (even, 0) if even > enough && head[0] == 0 => Some(u16::from_be_bytes),
        _ => None,
    }
}

/// Whether UTF-8 was once read as Windows-1252 or Windows-1254 and saved again.
fn is_mojibake(text: &str) -> bool {
    let marks = [
        "â€", "ğŸ", "ðŸ", "âœ", "â†", "âš", "Ã©", "Ã¤", "Ã¶", "Ã¼", "ÃŸ", "Ãœ", "Ã–", "Ã¨", "Ã¡", "Ã³", "Ã±", "Ã§",
        "Ã£",
    ];
    // Each begins with one of these two bytes, which most texts lack.
    text.bytes().any(|byte| matches!(byte, 0xc3 | 0xc4)) && marks.iter().any(|mark| text.contains(mark))
}

/// A short text as it was before it was decoded wrongly; none when it was not.
pub(crate) fn repaired(text: &str) -> Option<String> {
    /// What Windows-1252 has at 0x80 to 0x9f, where it has something else than Latin-1.
    const HIGH: &[(char, u8)] = &[
        ('€', 0x80),
        ('‚', 0x82),
        ('ƒ', 0x83),
        ('„', 0x84),
        ('…', 0x85),
        ('†', 0x86),
        ('‡', 0x87),
        ('ˆ', 0x88),
        ('‰', 0x89),
        ('Š', 0x8a),
        ('‹', 0x8b),
        ('Œ', 0x8c),
        ('Ž', 0x8e),
        ('‘', 0x91),
        ('’', 0x92),
        ('“', 0x93),
        ('”', 0x94),
        ('•', 0x95),
        ('–', 0x96),
        ('—', 0x97),
        ('˜', 0x98),
        ('™', 0x99),
        ('š', 0x9a),
        ('›', 0x9b),
        ('œ', 0x9c),
        ('ž', 0x9e),
        ('Ÿ', 0x9f),
    ];
    if text.is_ascii() || text.len() > 400 || !text.contains(['Ã', 'â', 'ð', 'Â', 'å', 'æ', 'ç', 'è', 'é', 'ã'])
    {
        return None;
    }
    let byte = |mark: char| {
        HIGH.iter()
            .find(|(high, _)| *high == mark)
            .map(|(_, byte)| *byte)
            .or_else(|| u8::try_from(u32::from(mark)).ok())
    };
    let bytes: Vec<u8> = text.chars().map(byte).collect::<Option<_>>()?;
    String::from_utf8(bytes).ok().filter(|decoded| decoded != text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_byte_order_mark_shifts_ranges() {
        let source = Source::new(b"\xef\xbb\xbf# A", "x.md");
        assert_eq!((source.text.as_str(), source.span(2, 3)), ("# A", Span::new(5, 6)));
    }

    #[test]
    fn invalid_bytes_keep_their_place() {
        let source = Source::new(b"a\xffb", "x.md");
        assert_eq!(source.text, "a\u{fffd}b");
        assert_eq!(source.span(0, 1), Span::new(0, 1));
        assert_eq!(source.span(1, 4), Span::new(1, 2));
        assert_eq!(source.span(4, 5), Span::new(2, 3));
    }

    #[test]
    fn utf16_ranges_count_its_bytes() {
        let source = Source::new(b"\xff\xfeA\0\x42\x30", "x.md");
        assert_eq!((source.text.as_str(), source.span(1, 4)), ("Aあ", Span::new(4, 6)));
    }
}
