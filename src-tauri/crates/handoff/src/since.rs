//! What became of a boundary's rules since an earlier handoff: a rule that appears or vanishes between two models is
//! what a person has to see, because neither model will say it.

use crate::Safety;
use crate::headings::Boundary;
use crate::survived::{ALIKE, likeness, words};
use serde::{Deserialize, Serialize};
use ts_rs::TS;

/// What became of a rule.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
pub enum RuleFate {
    /// No earlier handoff has it.
    New,
    /// It stood there in other words.
    Reworded,
    /// It stood in another list.
    Moved,
    /// It is not there any more.
    Vanished,
}

/// A rule that is not as it was.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct RuleChange {
    /// What became of it.
    pub fate: RuleFate,
    /// The list in which it stands, or stood.
    pub list: Boundary,
    /// Its place in that list now; none when it vanished.
    pub index: Option<u32>,
    /// As it stands, or stood.
    pub text: String,
    /// The words before.
    pub before: Option<String>,
    /// The list before.
    pub from: Option<Boundary>,
    /// Whether the model is left more than before.
    pub wider: bool,
}

#[derive(Clone)]
struct Standing<'a> {
    list: Boundary,
    index: usize,
    text: &'a str,
    words: String,
}

/// Compares a boundary with the one before it. A rule that one of the older ones has is not new.
pub fn rules_since(before: &Safety, older: &[Safety], now: &Safety) -> Vec<RuleChange> {
    let mut lost = standing(before);
    let mut changes = Vec::new();
    let mut fresh = Vec::new();
    for rule in standing(now) {
        if take(&mut lost, |other| other.list == rule.list && other.words == rule.words).is_some() {
            continue;
        }
        fresh.push(rule);
    }
    let mut left = Vec::new();
    for rule in fresh {
        match take(&mut lost, |other| other.words == rule.words) {
            Some(other) => changes.push(RuleChange {
                from: Some(other.list),
                wider: rule.list < other.list,
                ..change(RuleFate::Moved, &rule)
            }),
            None => left.push(rule),
        }
    }
    for rule in left {
        if let Some(other) =
            take(&mut lost, |other| other.list == rule.list && likeness(other.text, rule.text) >= ALIKE)
        {
            changes.push(RuleChange { before: Some(other.text.to_owned()), ..change(RuleFate::Reworded, &rule) });
        } else if !older.iter().any(|safety| standing(safety).iter().any(|other| other.words == rule.words)) {
            changes.push(RuleChange { wider: rule.list == Boundary::May, ..change(RuleFate::New, &rule) });
        }
    }
    changes.sort_by_key(|one| (one.list, one.index));
    changes.extend(lost.iter().map(|rule| RuleChange {
        index: None,
        wider: rule.list != Boundary::May,
        ..change(RuleFate::Vanished, rule)
    }));
    changes
}

fn standing(safety: &Safety) -> Vec<Standing<'_>> {
    [(Boundary::May, &safety.may), (Boundary::Ask, &safety.ask), (Boundary::Never, &safety.never)]
        .into_iter()
        .flat_map(|(list, items)| {
            items.iter().enumerate().map(move |(index, item)| Standing {
                list,
                index,
                text: &item.text,
                words: words(&item.text.to_lowercase()).trim_end_matches(['.', '。']).to_owned(),
            })
        })
        .collect()
}

fn take<'a>(rules: &mut Vec<Standing<'a>>, is: impl Fn(&Standing<'a>) -> bool) -> Option<Standing<'a>> {
    let at = rules.iter().position(is)?;
    Some(rules.remove(at))
}

fn change(fate: RuleFate, rule: &Standing<'_>) -> RuleChange {
    RuleChange {
        fate,
        list: rule.list,
        index: u32::try_from(rule.index).ok(),
        text: rule.text.to_owned(),
        before: None,
        from: None,
        wider: false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Item;

    fn safety(may: &[&str], ask: &[&str], never: &[&str]) -> Safety {
        let items = |texts: &[&str]| texts.iter().map(|text| Item::made(*text)).collect();
        Safety { may: items(may), ask: items(ask), never: items(never) }
    }

    fn told(changes: &[RuleChange]) -> Vec<(RuleFate, &str, bool)> {
        changes.iter().map(|one| (one.fate, one.text.as_str(), one.wider)).collect()
    }

    #[test]
    fn rules_that_appear_vanish_move_and_are_reworded_are_told_apart() {
        let before = safety(&["Edit ingest"], &["Pushing", "Running a migration on staging"], &["Printing secrets"]);
        let now = safety(&["Edit ingest", "pushing."], &["Running any migration on staging"], &["The fog horn"]);
        let changes = rules_since(&before, &[], &now);
        assert_eq!(
            told(&changes),
            [
                (RuleFate::Moved, "pushing.", true),
                (RuleFate::Reworded, "Running any migration on staging", false),
                (RuleFate::New, "The fog horn", false),
                (RuleFate::Vanished, "Printing secrets", true),
            ]
        );
        assert_eq!(changes[0].from, Some(Boundary::Ask));
        assert_eq!(changes[1].before.as_deref(), Some("Running a migration on staging"));
    }

    #[test]
    fn a_rule_that_an_older_handoff_has_is_not_new() {
        let older = [safety(&[], &[], &["The fog horn"])];
        assert_eq!(rules_since(&safety(&[], &[], &[]), &older, &safety(&[], &[], &["The fog horn"])), []);
    }

    #[test]
    fn the_same_rules_in_another_order_are_no_change() {
        let (one, other) = (safety(&["a", "b"], &[], &[]), safety(&["b", "a"], &[], &[]));
        assert_eq!(rules_since(&one, &[], &other), []);
    }
}
