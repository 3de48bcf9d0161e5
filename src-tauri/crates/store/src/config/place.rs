//! Where in `config.toml` something stands, for messages: whoever corrects the file looks for a line.

use std::ops::Range;
use toml_edit::{Document, Item};

/// The line and column of a byte, from 1.
pub(super) fn at(text: &str, byte: usize) -> String {
    let before = text.get(..byte).unwrap_or(text);
    let line = before.matches('\n').count() + 1;
    let column = before.len() - before.rfind('\n').map_or(0, |newline| newline + 1) + 1;
    format!("line {line}, column {column}")
}

/// Where the profile of this number, from 0, has a key; where it begins when it has none.
pub(super) fn of_profile(text: &str, number: usize, key: &str) -> String {
    let span = Document::parse(text).ok().and_then(|document| in_profile(document.get("profile")?, number, key));
    at(text, span.map_or(0, |span| span.start))
}

fn in_profile(profiles: &Item, number: usize, key: &str) -> Option<Range<usize>> {
    if let Some(tables) = profiles.as_array_of_tables() {
        let table = tables.get(number)?;
        return table.get(key).and_then(Item::span).or_else(|| table.span());
    }
    let inline = profiles.as_array()?.get(number)?;
    let value = inline.as_inline_table().and_then(|table| table.get(key));
    value.and_then(toml_edit::Value::span).or_else(|| inline.span())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_is_found_by_its_line_and_a_missing_one_by_its_profile() {
        let text = "# mine\n[[profile]]\nname = \"a\"\n\n[[profile]]\nname = \"b\"\nagent = \"x\"\n";
        assert_eq!(of_profile(text, 1, "agent"), "line 7, column 9");
        assert_eq!(of_profile(text, 0, "agent"), "line 2, column 1");
        let inline = "profile = [\n  { name = \"a\", agent = \"x\" },\n]\n";
        assert_eq!(of_profile(inline, 0, "agent"), "line 2, column 25");
    }
}
