//! What a person types to narrow a list: words to find, and terms such as `state:pending repo:tide is:draft`. A term
//! with a minus before it excludes; alternatives stand between commas; values of several words stand in quotes.

use crate::Error;
use crate::lists::Listed;
use crate::view::State;

/// Words that `is:` knows beside the states, each with the badge it stands for where it stands for one.
const KINDS: &[(&str, Option<&str>)] = &[
    ("archived", None),
    ("waiting", None),
    ("moving", None),
    ("settled", None),
    ("starting", None),
    ("finished", Some("finished?")),
    ("empty", Some("empty")),
    ("pointer", Some("pointer")),
    ("draft", Some("draft")),
    ("volatile", Some("volatile place")),
    ("conflict", Some("conflict")),
];

const STATES: [State; 15] = [
    State::Pending,
    State::Approved,
    State::Claimed,
    State::Running,
    State::Verified,
    State::Done,
    State::Failed,
    State::Returned,
    State::Stopped,
    State::Interrupted,
    State::Skipped,
    State::Expired,
    State::Superseded,
    State::Refused,
    State::Incomplete,
];

/// A query that was understood.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Query {
    /// What is looked for in the text.
    pub words: String,
    terms: Vec<Term>,
}

#[derive(Clone, Debug, PartialEq)]
struct Term {
    excludes: bool,
    any: Vec<Test>,
}

#[derive(Clone, Debug, PartialEq)]
enum Test {
    State(State),
    Kind(&'static str),
    Badge(&'static str),
    Repo(String),
    Branch(String),
    Profile(String),
    Agent(String),
}

impl Query {
    /// Understands what was typed. A value may be cut short while it is typed: `state:pend`.
    ///
    /// # Errors
    /// [`Error::Usage`] for a state or kind that there is none of, with those that there are.
    pub fn parse(text: &str) -> Result<Self, Error> {
        let mut query = Self::default();
        for part in parts(text) {
            let (excludes, bare) = part.strip_prefix('-').map_or((false, part.as_str()), |bare| (true, bare));
            let term = bare.split_once(':').filter(|(key, _)| is_key(key));
            let Some((key, values)) = term else {
                query.words.push_str(if query.words.is_empty() { "" } else { " " });
                query.words.push_str(&part);
                continue;
            };
            let values = values.split(',').map(str::trim).filter(|value| !value.is_empty());
            let any = values.map(|value| test(key, value)).collect::<Result<Vec<_>, _>>()?.concat();
            if !any.is_empty() {
                query.terms.push(Term { excludes, any });
            }
        }
        Ok(query)
    }

    /// Whether a row passes every term. The words are the index's to find.
    pub fn passes(&self, listed: &Listed) -> bool {
        self.terms.iter().all(|term| term.any.iter().any(|test| test.passes(listed)) != term.excludes)
    }
}

impl Test {
    fn passes(&self, listed: &Listed) -> bool {
        let row = &listed.row;
        let holds = |text: &Option<String>, part: &str| text.as_deref().is_some_and(|text| contains(text, part));
        match self {
            Self::State(state) => row.state == *state,
            Self::Kind("archived") => row.archived,
            Self::Kind("waiting") => !row.archived && group(row.state) == 0,
            Self::Kind("moving") => group(row.state) == 1,
            Self::Kind("starting") => row.start.is_some(),
            Self::Kind(_) => group(row.state) == 2,
            Self::Badge(badge) => row.badges.iter().any(|own| own == badge),
            Self::Repo(name) if name.starts_with('/') => {
                row.repo.as_deref().is_some_and(|repo| repo == name.trim_end_matches('/'))
            }
            Self::Repo(name) => holds(&row.repo_name, name),
            Self::Branch(name) => holds(&row.branch, name),
            Self::Profile(name) => listed.profiles.iter().any(|profile| contains(profile, name)),
            Self::Agent(name) => holds(&row.agent, name),
        }
    }
}

/// 0 needs a person, 1 is in motion, 2 is settled.
pub(crate) fn group(state: State) -> u8 {
    match state {
        State::Pending | State::Returned | State::Refused | State::Incomplete | State::Interrupted | State::Failed => 0,
        State::Approved | State::Claimed | State::Running => 1,
        _ => 2,
    }
}

fn is_key(key: &str) -> bool {
    matches!(key, "state" | "repo" | "branch" | "profile" | "agent" | "is")
}

/// The tests that a value stands for: several when it was cut short and could be each of them.
fn test(key: &str, value: &str) -> Result<Vec<Test>, Error> {
    let folded = value.to_lowercase();
    Ok(match key {
        "repo" => vec![Test::Repo(if value.starts_with('/') { value.to_owned() } else { folded })],
        "branch" => vec![Test::Branch(folded)],
        "profile" => vec![Test::Profile(folded)],
        "agent" => vec![Test::Agent(folded)],
        "state" => known(value, states(&folded), false)?,
        _ => {
            let kinds = KINDS.iter().filter(|(kind, _)| kind.starts_with(&folded));
            let kinds = kinds.map(|(kind, badge)| badge.map_or(Test::Kind(kind), Test::Badge));
            known(value, kinds.chain(states(&folded)).collect(), true)?
        }
    })
}

fn states(folded: &str) -> Vec<Test> {
    let named = STATES.iter().filter(|state| crate::decide::word(**state).starts_with(folded));
    named.map(|state| Test::State(*state)).collect()
}

fn known(value: &str, tests: Vec<Test>, kinds: bool) -> Result<Vec<Test>, Error> {
    if !tests.is_empty() {
        return Ok(tests);
    }
    let kinds = KINDS.iter().filter(|_| kinds).map(|(kind, _)| (*kind).to_owned());
    let all: Vec<String> = kinds.chain(STATES.iter().map(|state| crate::decide::word(*state))).collect();
    Err(Error::Usage(format!("{value:?} is not known here; there are {}", all.join(", "))))
}

fn contains(text: &str, folded: &str) -> bool {
    text.to_lowercase().contains(folded)
}

/// Parts between blanks; what stands in quotes is one, without them.
fn parts(text: &str) -> Vec<String> {
    let mut parts = Vec::new();
    let (mut part, mut quoted) = (String::new(), false);
    for character in text.chars() {
        match character {
            '"' => quoted = !quoted,
            blank if blank.is_whitespace() && !quoted => parts.push(std::mem::take(&mut part)),
            other => part.push(other),
        }
    }
    parts.push(part);
    parts.retain(|part| !part.is_empty());
    parts
}

#[cfg(test)]
mod tests {
    use super::*;

    fn terms(text: &str) -> Vec<Term> {
        Query::parse(text).expect("understood").terms
    }

    #[test]
    fn words_and_terms_are_told_apart() {
        let query = Query::parse("再接続 state:pending src:main repo:\"two words\" http://x").expect("understood");
        assert_eq!(query.words, "再接続 src:main http://x");
        let repo = Term { excludes: false, any: vec![Test::Repo("two words".to_owned())] };
        assert_eq!(query.terms, [Term { excludes: false, any: vec![Test::State(State::Pending)] }, repo]);
    }

    #[test]
    fn alternatives_exclusion_and_values_cut_short() {
        let term = Term { excludes: true, any: vec![Test::Badge("draft"), Test::Badge("finished?")] };
        assert_eq!(terms("-is:draft,fin"), [term]);
        assert_eq!(terms("state:re")[0].any, [Test::State(State::Returned), Test::State(State::Refused)]);
        assert_eq!(terms("state:"), [], "nothing typed yet narrows nothing");
    }

    #[test]
    fn a_state_that_is_none_is_told_with_those_that_are() {
        let error = Query::parse("state:open").expect_err("no state").to_string();
        assert!(error.contains("\"open\"") && error.contains("pending, approved"), "{error}");
    }
}
