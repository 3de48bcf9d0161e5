//! Moving items within their list. The places stay and what stands in them changes: a move becomes replacements of
//! the items between its two ends, so that numbering, ticks and every byte around them stay as they are.

use super::{Edit, list, texts};
use crate::write::state_name;
use crate::{Error, Found, Handoff};

/// What stands in one place of a list.
#[derive(Clone, PartialEq)]
struct Content {
    text: String,
    /// `why`, `evidence` or `state`, and what it says.
    part: Option<(&'static str, String)>,
    removed: bool,
    /// Why it can only stay where it is.
    fixed: Option<&'static str>,
}

/// The edits with every move turned into replacements.
///
/// # Errors
/// [`Error::NoSuchItem`] and [`Error::NotAsAsked`] for an item that cannot be moved without losing some of it.
pub(super) fn without_moves(handoff: &Handoff, edits: &[Edit]) -> Result<Vec<Edit>, Error> {
    let mut fields: Vec<&str> = Vec::new();
    for edit in edits {
        if let Edit::Move { field, .. } = edit
            && !fields.contains(&field.as_str())
        {
            fields.push(field);
        }
    }
    let mut out: Vec<Edit> = edits.iter().filter(|edit| !fields.contains(&edit.field())).cloned().collect();
    for field in fields {
        let own: Vec<&Edit> = edits.iter().filter(|edit| edit.field() == field).collect();
        out.extend(ordered(field, &contents(handoff, field), &own)?);
    }
    Ok(out)
}

fn ordered(field: &str, before: &[Content], edits: &[&Edit]) -> Result<Vec<Edit>, Error> {
    let mut after = before.to_vec();
    for edit in edits {
        match edit {
            Edit::Append { text, .. } => {
                after.push(Content { text: text.clone(), part: None, removed: false, fixed: None });
            }
            Edit::Replace { index, part: None, text, .. } => after[*index].text.clone_from(text),
            Edit::Replace { index, part: Some(_), text, .. } => {
                if let Some(part) = &mut after[*index].part {
                    part.1.clone_from(text);
                }
            }
            Edit::Remove { index, .. } => after[*index].removed = true,
            Edit::Set { .. } | Edit::Move { .. } => {}
        }
    }
    let mut order: Vec<usize> = (0..after.len()).collect();
    for edit in edits {
        let Edit::Move { from, to, .. } = edit else { continue };
        if *from >= order.len() || *to >= order.len() {
            return Err(Error::NoSuchItem { item: edit.place(), length: order.len() });
        }
        let item = order.remove(*from);
        order.insert(*to, item);
    }
    let cannot =
        |place: usize, why: &str| Error::NotAsAsked { item: format!("{field}/{place}"), found: why.to_owned() };
    let mut out = Vec::new();
    for (place, from) in order.into_iter().enumerate() {
        let now = &after[from];
        let Some(was) = before.get(place) else {
            // The end of the list is written anew, and a new item has a text only.
            if !now.removed && from < before.len() && now.part.as_ref().is_some_and(|(_, part)| !settled(part)) {
                return Err(cannot(from, "it would lose its second part behind a new item; put the new item last"));
            }
            if !now.removed {
                out.push(Edit::Append { field: field.to_owned(), text: now.text.clone() });
            }
            continue;
        };
        if from != place
            && let Some(why) = was.fixed.or(now.fixed)
        {
            return Err(cannot(place, why));
        }
        let field = field.to_owned();
        if now.removed {
            out.push(Edit::Remove { field, index: place });
            continue;
        }
        if now.text != was.text {
            out.push(Edit::Replace { field: field.clone(), index: place, part: None, text: now.text.clone() });
        }
        if let Some((name, old)) = &was.part {
            let new = now.part.as_ref().map_or_else(|| untold(name), |(_, part)| part.clone());
            if *old != new {
                out.push(Edit::Replace { field, index: place, part: Some((*name).to_owned()), text: new });
            }
        }
    }
    Ok(out)
}

/// Whether a part says nothing that a new item would not say.
fn settled(part: &str) -> bool {
    part.is_empty() || part == "open"
}

fn untold(part: &str) -> String {
    if part == "state" { "open".to_owned() } else { String::new() }
}

fn contents(handoff: &Handoff, field: &str) -> Vec<Content> {
    let content = |text: &str, part, fixed| Content { text: text.to_owned(), part, removed: false, fixed };
    let why = |why: &Option<String>| Some(("why", why.clone().unwrap_or_default()));
    let prose = |found| (found == Found::Prose).then_some("it is a sentence of the text and has no place in a list");
    match field {
        "decisions" => handoff
            .decisions
            .iter()
            .map(|one| {
                let more = one.at.is_some() || !one.alternatives.is_empty();
                content(
                    &one.what,
                    why(&one.why),
                    more.then_some("it has a date or alternatives that would stay behind"),
                )
            })
            .collect(),
        "rejected" => handoff.rejected.iter().map(|one| content(&one.what, why(&one.why), prose(one.found))).collect(),
        "artifacts" => texts(handoff, field)
            .iter()
            .map(|text| content(text, None, Some("artifacts have a name and a kind that would stay behind")))
            .collect(),
        _ => list(handoff, field)
            .iter()
            .map(|item| {
                let part = match field {
                    "facts" => Some(("evidence", item.evidence.clone().unwrap_or_default())),
                    "next" | "done" => item.state.map(|state| ("state", state_name(state).to_owned())),
                    _ => None,
                };
                content(&item.text, part, prose(item.found))
            })
            .collect(),
    }
}
