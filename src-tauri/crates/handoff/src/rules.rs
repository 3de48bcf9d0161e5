//! Rules in a document that is no handoff: what a repository tells agents, read as a handoff's boundary would be.

use crate::formats::markdown;
use crate::headings::Boundary;
use crate::prose;
use crate::source::Source;
use crate::{Item, Span};

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
    let read = markdown::as_one(&source);
    let mut rules: Vec<(usize, Rule)> = Vec::new();
    let safety = read.safety;
    for (list, items) in [(Boundary::May, safety.may), (Boundary::Ask, safety.ask), (Boundary::Never, safety.never)] {
        rules.extend(items.into_iter().map(|item| placed(text, list, item)));
    }
    // Under a plain heading such as Rules a sentence is a constraint, and may be a rule of the boundary all the same; a
    // document whose title that is has no section of the name.
    let extra = read.extra.iter().filter_map(|section| section.span).flat_map(|span| lines(text, span));
    for item in read.constraints.into_iter().chain(extra) {
        let Some(list) = prose::rule_in(&item.text) else { continue };
        let (at, rule) = placed(text, list, item);
        if !rules.iter().any(|(_, known)| known.line == rule.line) {
            rules.push((at, rule));
        }
    }
    rules.sort_by_key(|(at, _)| *at);
    rules.into_iter().map(|(_, rule)| rule).collect()
}

/// Each line of a part of the document as an item, without its bullet.
fn lines(text: &str, part: Span) -> Vec<Item> {
    let mut at = part.from;
    let lines = text.get(part.from..part.to).unwrap_or_default().split_inclusive('\n').map(|line| {
        let span = Span::new(at, at + line.len());
        at = span.to;
        let said = line.trim().trim_start_matches(['-', '*', '+']).trim_start();
        Item { text: said.to_owned(), span: Some(span), ..Item::default() }
    });
    lines.collect()
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
    fn a_rule_below_a_plain_heading_is_one() {
        let text = "# Rules\n\n- Never push without review\n- Use tabs\n\n## Constraints\n\n- Do not touch `db/`.\n";
        let told: Vec<_> = rules(text).into_iter().map(|rule| (rule.text, rule.line)).collect();
        assert_eq!(told, [("Never push without review".to_owned(), 3), ("Do not touch `db/`.".to_owned(), 8)]);
    }

    #[test]
    fn a_document_without_rules_has_none() {
        assert_eq!(rules("Use tabs.\n"), []);
        assert_eq!(rules(""), []);
    }
}
