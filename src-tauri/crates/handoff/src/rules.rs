//! Rules in a document that is no handoff: what a repository tells agents, read as a handoff's boundary would be.

use crate::Item;
use crate::formats::markdown;
use crate::headings::Boundary;
use crate::source::Source;

/// A rule with the place where it stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rule {
    /// Which list of a boundary it would stand in.
    pub list: Boundary,
    /// As written.
    pub text: String,
    /// Its line, from 1.
    pub line: u32,
}

/// The rules of a document, in its order: what stands under a boundary's heading, and sentences that are rules.
pub fn rules(text: &str) -> Vec<Rule> {
    let source = Source::new(text.as_bytes(), "rules.md");
    let safety = markdown::as_one(&source).safety;
    let mut rules: Vec<(usize, Rule)> = Vec::new();
    for (list, items) in [(Boundary::May, safety.may), (Boundary::Ask, safety.ask), (Boundary::Never, safety.never)] {
        rules.extend(items.into_iter().map(|item| placed(text, list, item)));
    }
    rules.sort_by_key(|(at, _)| *at);
    rules.into_iter().map(|(_, rule)| rule).collect()
}

fn placed(text: &str, list: Boundary, item: Item) -> (usize, Rule) {
    let at = item.span.map_or(0, |span| span.from);
    let above = text.as_bytes().iter().take(at).filter(|byte| **byte == b'\n').count();
    (at, Rule { list, text: item.text, line: u32::try_from(above + 1).unwrap_or(u32::MAX) })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rules_are_told_with_their_line_and_habits_are_none() {
        let text = "# Working here\n\nUse tabs. Run `make test`.\n\n- Never push to main.\n- Ask before touching `db/`.\n\n## Never\n\n- The signing keys\n";
        let told: Vec<_> = rules(text).into_iter().map(|rule| (rule.list, rule.text, rule.line)).collect();
        assert_eq!(
            told,
            [
                (Boundary::Never, "Never push to main.".to_owned(), 5),
                (Boundary::Ask, "Ask before touching `db/`.".to_owned(), 6),
                (Boundary::Never, "The signing keys".to_owned(), 10),
            ]
        );
    }

    #[test]
    fn a_document_without_rules_has_none() {
        assert_eq!(rules("Use tabs.\n"), []);
        assert_eq!(rules(""), []);
    }
}
