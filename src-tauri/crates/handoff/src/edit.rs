//! Editing a document by byte range: the bytes of the edited items change and nothing else.
//!
//! The little grammar, one edit a string; indices count the list as it was read:
//!
//! ```text
//! FIELD=TEXT            objective, title, status, provenance.to, .from, .reason, .resets_at, .parent
//! FIELD+=TEXT           append an item
//! FIELD/N=TEXT          replace an item
//! FIELD/N-=             remove an item
//! FIELD/N>M             move an item to another place; moves count the list as the moves before left it
//! FIELD/N.PART=TEXT     a part of it: why (decisions, rejected), evidence (facts), state (next, done)
//! ```
//!
//! FIELD is a list of the model: constraints, facts, unverified, hazards, decisions, rejected, done, next, open,
//! artifacts, omitted, safety.may, safety.ask, safety.never.

mod foreign;
mod json;
mod markdown;
mod order;
mod verify;

use crate::{Error, Format, Handoff, Item, Limits, Reading, Safety, Span, read};
use verify::words;

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
    "omitted",
    "safety.may",
    "safety.ask",
    "safety.never",
];
/// The rest of the provenance is what code can know: a document's word for it stays a claim.
const SINGLES: &[&str] = &[
    "objective",
    "title",
    "status",
    "provenance.to",
    "provenance.from",
    "provenance.reason",
    "provenance.resets_at",
    "provenance.parent",
];

/// One edit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Edit {
    /// A single field.
    Set {
        /// `objective`, `title`, `status` or a value of the provenance.
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
    /// An item goes to another place of its list.
    Move {
        /// The list.
        field: String,
        /// Its place, from 0, as the moves before it left the list; new items stand at the end.
        from: usize,
        /// The place that it takes.
        to: usize,
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
        if let Some((field, places)) = moved(edit) {
            let (from, to) = places.ok_or_else(|| wrong("a move is FIELD/N>M with two numbers from 0"))?;
            if !LISTS.contains(&field) {
                return Err(wrong(&format!("the lists are {}", LISTS.join(", "))));
            }
            return Ok(Self::Move { field: field.to_owned(), from, to });
        }
        let equals = edit
            .find('=')
            .ok_or_else(|| wrong("FIELD=TEXT, FIELD+=TEXT, FIELD/N=TEXT, FIELD/N-= or FIELD/N>M was expected"))?;
        let text = edit[equals + 1..].replace("\r\n", "\n").trim().to_owned();
        let head = &edit[..equals];
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
            | Self::Move { field, .. }
            | Self::Remove { field, .. } => field,
        }
    }

    /// The text that it brings.
    pub(crate) fn text(&self) -> Option<&str> {
        match self {
            Self::Set { text, .. } | Self::Append { text, .. } | Self::Replace { text, .. } => Some(text),
            Self::Move { .. } | Self::Remove { .. } => None,
        }
    }

    /// The item that it is about.
    pub(crate) fn index(&self) -> Option<usize> {
        match self {
            Self::Replace { index, .. } | Self::Remove { index, .. } => Some(*index),
            Self::Set { .. } | Self::Append { .. } | Self::Move { .. } => None,
        }
    }

    /// The edit's place for people.
    pub(crate) fn place(&self) -> String {
        match self {
            Self::Set { field, .. } | Self::Append { field, .. } => field.clone(),
            Self::Replace { field, index, .. } | Self::Remove { field, index } => format!("{field}/{index}"),
            Self::Move { field, from, .. } => format!("{field}/{from}"),
        }
    }
}

/// A move as written: the field, and the two places when they are numbers.
fn moved(edit: &str) -> Option<(&str, Option<(usize, usize)>)> {
    let (head, to) = edit.split_once('>').filter(|(head, _)| !head.contains('='))?;
    let (field, from) = head.trim().split_once('/')?;
    Some((field, from.trim().parse().ok().zip(to.trim().parse().ok())))
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

/// All that one call asks of one item: its text, a part of it, or both.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Change<'a> {
    pub text: Option<&'a str>,
    pub part: Option<(&'a str, &'a str)>,
}

/// The replacements of one call by item, in the order in which they were given; the last one of a kind counts.
pub(crate) fn changes(edits: &[Edit]) -> Vec<(&str, usize, Change<'_>)> {
    let mut found: Vec<(&str, usize, Change<'_>)> = Vec::new();
    for edit in edits {
        let Edit::Replace { field, index, part, text } = edit else { continue };
        let at = found.iter().position(|(other, place, _)| other == field && place == index).unwrap_or_else(|| {
            found.push((field, *index, Change::default()));
            found.len() - 1
        });
        match part {
            Some(part) => found[at].2.part = Some((part, text)),
            None => found[at].2.text = Some(text),
        }
    }
    found
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
    if bytes.len() > limits.file_bytes {
        // Only its beginning was read, so that nobody knows where the shown entry ends.
        return Err(Error::OverLimit {
            field: "the file".to_owned(),
            found: format!("{} bytes", bytes.len()),
            limit: format!("{} bytes", limits.file_bytes),
        });
    }
    if crate::source::Source::new(bytes, name).encoding == crate::source::Encoding::Utf16 {
        return Err(Error::NeedsCanonicalCopy { format: "UTF-16".to_owned() });
    }
    let edits = &order::without_moves(handoff, edits)?[..];
    let patches = match reading.format {
        Format::HandoffJson => json::patches(bytes, handoff, edits)?,
        Format::Canonical | Format::Markdown => markdown::patches(bytes, reading, handoff, edits)?,
        Format::ForeignJson | Format::Yaml => foreign::patches(bytes, reading.format, handoff, edits)?,
        Format::Session => return Err(Error::NeedsCanonicalCopy { format: "session".to_owned() }),
        Format::Unknown => return Err(Error::NeedsCanonicalCopy { format: "unread".to_owned() }),
    };
    let edited = patched(bytes, patches)?;
    verify::verify(reading, &read(&edited.bytes, name, limits), edits, &edited.touched)?;
    Ok(edited)
}

/// The bytes with the patches in place. Removed ranges may overlap; anything else at one place is two edits of one
/// item, which cannot both hold.
fn patched(bytes: &[u8], mut patches: Vec<Patch>) -> Result<Edited, Error> {
    patches.sort_by_key(|patch| (patch.span.from, patch.span.to));
    let mut out = Vec::with_capacity(bytes.len() + 256);
    let mut at = 0;
    let mut touched: Vec<Span> = Vec::new();
    let mut removed = true;
    for patch in patches {
        let removes = patch.bytes.is_empty();
        if patch.span.from < at && !(removes && removed) {
            return Err(Error::NotAsAsked {
                item: "the item".to_owned(),
                found: "two edits of one place; make them one after the other".to_owned(),
            });
        }
        let from = patch.span.from.max(at);
        out.extend_from_slice(&bytes[at..from]);
        out.extend_from_slice(&patch.bytes);
        at = patch.span.to.max(from);
        touched.push(Span::new(from, at));
        removed = removes;
    }
    out.extend_from_slice(&bytes[at..]);
    Ok(Edited { bytes: out, touched })
}

/// The plain items of a list; decisions, rejected options and artifacts have lists of their own kind.
pub(crate) fn list<'a>(handoff: &'a Handoff, field: &str) -> &'a [Item] {
    match field {
        "constraints" => &handoff.constraints,
        "facts" => &handoff.facts,
        "unverified" => &handoff.unverified,
        "hazards" => &handoff.hazards,
        "done" => &handoff.done,
        "next" => &handoff.next,
        "open" => &handoff.open,
        "omitted" => &handoff.omitted,
        "safety.may" => &handoff.safety.may,
        "safety.ask" => &handoff.safety.ask,
        "safety.never" => &handoff.safety.never,
        _ => &[],
    }
}

/// A value of the provenance that an edit may set.
pub(crate) fn provenance<'a>(handoff: &'a mut Handoff, key: &str) -> &'a mut Option<String> {
    let provenance = &mut handoff.provenance;
    match key {
        "to" => &mut provenance.to,
        "from" => &mut provenance.from,
        "reason" => &mut provenance.reason,
        "resets_at" => &mut provenance.resets_at,
        _ => &mut provenance.parent,
    }
}

/// The texts of a list as an edit counts them.
pub(crate) fn texts(handoff: &Handoff, field: &str) -> Vec<String> {
    match field {
        "decisions" => handoff.decisions.iter().map(|decision| decision.what.clone()).collect(),
        "rejected" => handoff.rejected.iter().map(|rejected| rejected.what.clone()).collect(),
        "artifacts" => handoff.artifacts.iter().map(|artifact| artifact.reference.clone()).collect(),
        _ => list(handoff, field).iter().map(|item| item.text.clone()).collect(),
    }
}

/// The places of a list's items.
pub(crate) fn spans(handoff: &Handoff, field: &str) -> Vec<Option<Span>> {
    verify::said(handoff, field).into_iter().map(|item| item.span).collect()
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
