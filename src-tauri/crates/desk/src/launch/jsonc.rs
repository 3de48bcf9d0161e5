//! JSON with comments and trailing commas, as agents' own configurations are written: read into a value.

use serde_json::Value;

/// Reads JSON, with `//` and `/* */` comments and commas before a closing bracket allowed.
pub(crate) fn parse(text: &str) -> Option<Value> {
    serde_json::from_str(text).ok().or_else(|| serde_json::from_str(&plain(text)).ok())
}

fn plain(text: &str) -> String {
    let bytes = text.as_bytes();
    let mut out: Vec<u8> = Vec::with_capacity(bytes.len());
    let mut at = 0;
    let mut quoted = false;
    while let Some(&byte) = bytes.get(at) {
        let next = bytes.get(at + 1).copied();
        match (quoted, byte, next) {
            (true, b'\\', Some(escaped)) => {
                out.extend([byte, escaped]);
                at += 2;
                continue;
            }
            (_, b'"', _) => quoted = !quoted,
            (false, b'/', Some(b'/')) => {
                while bytes.get(at).is_some_and(|byte| *byte != b'\n') {
                    at += 1;
                }
                continue;
            }
            (false, b'/', Some(b'*')) => {
                at += 2;
                while at < bytes.len() && !bytes[at..].starts_with(b"*/") {
                    at += 1;
                }
                at += 2;
                continue;
            }
            (false, b'}' | b']', _) => {
                let kept = out.iter().rposition(|byte| !byte.is_ascii_whitespace());
                if let Some(comma) = kept.filter(|&kept| out[kept] == b',') {
                    out.remove(comma);
                }
            }
            _ => {}
        }
        out.push(byte);
        at += 1;
    }
    String::from_utf8_lossy(&out).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comments_and_trailing_commas_are_read_and_strings_kept() {
        let text = "{ // one\n \"a\": \"http://x/*no*/\", /* two */ \"b\": [1, 2,],\n}";
        assert_eq!(parse(text), Some(serde_json::json!({"a": "http://x/*no*/", "b": [1, 2]})));
    }
}
