//! Editing a document by byte range: the bytes of the edited items change and nothing else.
//!
//! The little grammar, one edit a string; indices count the list as it was read:
//!
//! ```text
//! FIELD=TEXT            objective, title, status
//! FIELD+=TEXT           append an item
//! FIELD/N=TEXT          replace an item
//! FIELD/N-=             remove an item
//! FIELD/N.PART=TEXT     a part of it: why (decisions, rejected), evidence (facts), state (next, done)
//! ```
//!
//! FIELD is a list of the model: constraints, facts, unverified, hazards, decisions, rejected, done, next, open,
//! artifacts, safety.may, safety.ask, safety.never.

mod json;
mod markdown;

use crate::{Error, Format, Handoff, Limits, Reading, Safety, Span, read};

pub(crate) const LISTS: &[&str] = &[
    "constraints",
    "facts",
    "unverified",
    "hazards",
    "decisions",
    "rejected",
    "done",
    "next",
    "open",
    "artifacts",
    "safety.may",
    "safety.ask",
    "safety.never",
];
const SINGLES: &[&str] = &["objective", "title", "status"];

/// One edit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Edit {
    /// A single field.
    Set {
        /// `objective`, `title` or `status`.
        field: String,
        /// The new text.
        text: String,
    },
    /// A new item at the end of a list.
    Append {
        /// The list.
        field: String,
        /// Its text.
        text: String,
    },
    /// An item or a part of it.
    Replace {
        /// The list.
        field: String,
        /// Its place, from 0.
        index: usize,
        /// `why`, `evidence` or `state`; none for the item's text.
        part: Option<String>,
        /// The new text.
        text: String,
    },
    /// An item goes.
    Remove {
        /// The list.
        field: String,
        /// Its place, from 0.
        index: usize,
    },
}

impl Edit {
    /// Reads an edit.
    ///
    /// # Errors
    /// [`Error::EditGrammar`] with what was expected.
    pub fn parse(edit: &str) -> Result<Self, Error> {
        let wrong = |expected: &str| Error::EditGrammar {
            edit: edit.chars().take(120).collect(),
            expected: expected.to_owned(),
        };
        let equals =
            edit.find('=').ok_or_else(|| wrong("FIELD=TEXT, FIELD+=TEXT, FIELD/N=TEXT or FIELD/N-= was expected"))?;
        let (head, text) = (&edit[..equals], edit[equals + 1..].replace("\r\n", "\n"));
        let (head, operator) = match head.strip_suffix(['+', '-']) {
            Some(inner) => (inner, head.chars().next_back().unwrap_or('=')),
            None => (head, '='),
        };
        let (field, place) = match head.trim().split_once('/') {
            Some((field, place)) => (field, Some(place)),
            None => (head.trim(), None),
        };
        let list = LISTS.contains(&field);
        if !list && !SINGLES.contains(&field) {
            return Err(wrong(&format!("the fields are {}, {}", SINGLES.join(", "), LISTS.join(", "))));
        }
        let field = field.to_owned();
        let Some(place) = place else {
            return match operator {
                '+' if list => Ok(Self::Append { field, text: not_blank(text, &wrong)? }),
                '=' if !list => Ok(Self::Set { field, text }),
                _ if list => Err(wrong("a list takes += or an index: next+=TEXT, next/0=TEXT, next/0-=")),
                _ => Err(wrong("a single field takes =: objective=TEXT")),
            };
        };
        let (index, part) = match place.split_once('.') {
            Some((index, part)) => (index, Some(part.to_owned())),
            None => (place, None),
        };
        let index = index.parse().map_err(|_| wrong("the index is a number from 0"))?;
        match operator {
            '-' if part.is_none() => Ok(Self::Remove { field, index }),
            '=' => {
                let fits = match part.as_deref() {
                    None => true,
                    Some("why") => matches!(field.as_str(), "decisions" | "rejected"),
                    Some("evidence") => field == "facts",
                    Some("state") => matches!(field.as_str(), "next" | "done"),
                    Some(_) => false,
                };
                if !fits {
                    return Err(wrong("the parts are why (decisions, rejected), evidence (facts), state (next, done)"));
                }
                if part.as_deref() == Some("state")
                    && !["open", "in_progress", "blocked", "done", "dropped"].contains(&text.as_str())
                {
                    return Err(wrong("the states are open, in_progress, blocked, done, dropped"));
                }
                let text = if part.is_none() { not_blank(text, &wrong)? } else { text };
                Ok(Self::Replace { field, index, part, text })
            }
            _ => Err(wrong("an item takes = or -=")),
        }
    }

    pub(crate) fn field(&self) -> &str {
        match self {
            Self::Set { field, .. }
            | Self::Append { field, .. }
            | Self::Replace { field, .. }
            | Self::Remove { field, .. } => field,
        }
    }

    /// The edit's place for people.
    pub(crate) fn place(&self) -> String {
        match self {
            Self::Set { field, .. } | Self::Append { field, .. } => field.clone(),
            Self::Replace { field, index, .. } | Self::Remove { field, index } => format!("{field}/{index}"),
        }
    }
}

fn not_blank(text: String, wrong: &dyn Fn(&str) -> Error) -> Result<String, Error> {
    if text.trim().is_empty() { Err(wrong("an item needs a text; FIELD/N-= removes one")) } else { Ok(text) }
}

/// An edited document.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Edited {
    /// The whole file.
    pub bytes: Vec<u8>,
    /// The ranges of the old file that were replaced.
    pub touched: Vec<Span>,
}

/// A replacement of raw bytes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Patch {
    pub span: Span,
    pub bytes: Vec<u8>,
}

/// Applies edits that all refer to the same reading. The result is read again; anything but the wanted change is an
/// error and nothing comes out.
///
/// # Errors
/// See [`Error`]; the document is never half-edited.
pub fn apply(bytes: &[u8], name: &str, reading: &Reading, edits: &[Edit], limits: &Limits) -> Result<Edited, Error> {
    let handoff = reading.current().ok_or_else(|| Error::NeedsCanonicalCopy { format: "unread".to_owned() })?;
    for edit in edits {
        if let Edit::Replace { field, index, .. } | Edit::Remove { field, index } = edit {
            let length = texts(handoff, field).len();
            if *index >= length {
                return Err(Error::NoSuchItem { item: edit.place(), length });
            }
        }
    }
    let patches = match reading.format {
        Format::HandoffJson => json::patches(bytes, handoff, edits)?,
        Format::Canonical | Format::Markdown => markdown::patches(bytes, reading, handoff, edits)?,
        other => return Err(Error::NeedsCanonicalCopy { format: format!("{other:?}") }),
    };
    let edited = patched(bytes, patches);
    verify(&edited.bytes, name, handoff, reading.shown, edits, limits)?;
    Ok(edited)
}

fn patched(bytes: &[u8], mut patches: Vec<Patch>) -> Edited {
    patches.sort_by_key(|patch| (patch.span.from, patch.span.to));
    let mut out = Vec::with_capacity(bytes.len() + 256);
    let mut at = 0;
    let mut touched = Vec::new();
    for patch in patches {
        if patch.span.from < at && patch.span.to <= at {
            continue;
        }
        let from = patch.span.from.max(at);
        out.extend_from_slice(&bytes[at..from]);
        out.extend_from_slice(&patch.bytes);
        at = patch.span.to.max(from);
        touched.push(Span::new(from, at));
    }
    out.extend_from_slice(&bytes[at..]);
    Edited { bytes: out, touched }
}

/// The texts of a list as an edit counts them.
pub(crate) fn texts(handoff: &Handoff, field: &str) -> Vec<String> {
    let items = |list: &[crate::Item]| list.iter().map(|item| item.text.clone()).collect();
    match field {
        "constraints" => items(&handoff.constraints),
        "facts" => items(&handoff.facts),
        "unverified" => items(&handoff.unverified),
        "hazards" => items(&handoff.hazards),
        "done" => items(&handoff.done),
        "next" => items(&handoff.next),
        "open" => items(&handoff.open),
        "safety.may" => items(&handoff.safety.may),
        "safety.ask" => items(&handoff.safety.ask),
        "safety.never" => items(&handoff.safety.never),
        "decisions" => handoff.decisions.iter().map(|decision| decision.what.clone()).collect(),
        "rejected" => handoff.rejected.iter().map(|rejected| rejected.what.clone()).collect(),
        "artifacts" => handoff.artifacts.iter().map(|artifact| artifact.reference.clone()).collect(),
        _ => Vec::new(),
    }
}

fn words(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Every list that no edit names must read as before; every edited one must have grown or shrunk as asked.
fn verify(
    bytes: &[u8],
    name: &str,
    before: &Handoff,
    shown: usize,
    edits: &[Edit],
    limits: &Limits,
) -> Result<(), Error> {
    let reading = read(bytes, name, limits);
    let Some(after) = reading.entries.get(shown).map(|entry| &entry.handoff) else {
        return Err(Error::NotAsAsked {
            item: "the document".to_owned(),
            found: "it no longer reads as a handoff".to_owned(),
        });
    };
    for field in LISTS {
        let own: Vec<&Edit> = edits.iter().filter(|edit| edit.field() == *field).collect();
        let (old, new) = (texts(before, field), texts(after, field));
        let moves_state =
            edits.iter().any(|edit| matches!(edit, Edit::Replace { part: Some(part), .. } if part == "state"));
        if moves_state && matches!(*field, "next" | "done") {
            continue;
        }
        let added = own.iter().filter(|edit| matches!(edit, Edit::Append { .. })).count();
        let removed = own.iter().filter(|edit| matches!(edit, Edit::Remove { .. })).count();
        // Sentences that prose search finds in new text may add to the boundary, never take from it.
        let prose = field.starts_with("safety.") || *field == "rejected";
        let expected = old.len() + added - removed.min(old.len());
        if new.len() != expected
            && !(prose && new.len() > expected)
            && !(prose && own.is_empty() && new.len() + edits.len() >= expected)
        {
            return Err(Error::NotAsAsked {
                item: own.first().map_or_else(|| (*field).to_owned(), |edit| edit.place()),
                found: format!("{} items instead of {expected}", new.len()),
            });
        }
        for edit in own {
            let wanted = match edit {
                Edit::Append { text, .. } | Edit::Replace { text, part: None, .. } => words(text),
                _ => continue,
            };
            let there = new.iter().any(|text| wanted.starts_with(&words(text)) || words(text).contains(&wanted));
            if !there {
                return Err(Error::NotAsAsked { item: edit.place(), found: "the text reads differently".to_owned() });
            }
        }
    }
    for edit in edits {
        if let Edit::Set { field, text } = edit {
            let now = match field.as_str() {
                "objective" => &after.objective,
                "title" => &after.title,
                _ => &after.status,
            };
            if now.as_ref().map(|now| words(&now.text)).unwrap_or_default() != words(text) {
                return Err(Error::NotAsAsked {
                    item: field.clone(),
                    found: now.as_ref().map_or_else(|| "nothing".to_owned(), |now| now.text.clone()),
                });
            }
        }
    }
    Ok(())
}

/// Where the second boundary lets a model do more than the first, one sentence each.
pub fn widens(before: &Safety, after: &Safety) -> Vec<String> {
    let texts = |list: &[crate::Item]| list.iter().map(|item| words(&item.text)).collect::<Vec<_>>();
    let (may_before, ask_before, never_before) = (texts(&before.may), texts(&before.ask), texts(&before.never));
    let (may_after, ask_after, never_after) = (texts(&after.may), texts(&after.ask), texts(&after.never));
    let mut wider = Vec::new();
    for text in may_after.iter().filter(|text| !may_before.contains(text)) {
        let moved = ask_before.contains(text) || never_before.contains(text);
        wider.push(if moved {
            format!("“{text}” no longer needs a person.")
        } else {
            format!("“{text}” may be done alone.")
        });
    }
    for text in ask_before
        .iter()
        .filter(|text| !ask_after.contains(text) && !never_after.contains(text) && !may_after.contains(text))
    {
        wider.push(format!("“{text}” no longer needs a person."));
    }
    for text in never_before.iter().filter(|text| !never_after.contains(text) && !may_after.contains(text)) {
        wider.push(if ask_after.contains(text) {
            format!("“{text}” is no longer forbidden; it needs a person.")
        } else {
            format!("“{text}” is no longer forbidden.")
        });
    }
    wider
}
