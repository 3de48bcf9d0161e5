//! The look at an edited document before it is handed out: the wanted change came out, and nothing else did.

use super::Edit;
use crate::write::{state_name, state_named};
use crate::{Entry, Error, Found, Handoff, Readable, Reading, Section, Span, Text, Tree};
use std::collections::{BTreeSet, HashMap, VecDeque};

/// One item as it is compared: what it must say exactly, or the words it was asked to say.
struct Wanted {
    exact: String,
    asked: Option<String>,
    place: String,
}

/// An item of a list with everything it says.
pub(super) struct Said {
    pub exact: String,
    pub all: String,
    pub span: Option<Span>,
    pub prose: bool,
}

/// Compares the two readings.
///
/// # Errors
/// [`Error::NotAsAsked`] that names the field that would read differently.
pub(super) fn verify(before: &Reading, after: &Reading, edits: &[Edit], touched: &[Span]) -> Result<(), Error> {
    let worse = !matches!(after.readable, Readable::Full | Readable::Partial) && after.readable != before.readable;
    if worse || after.entries.len() != before.entries.len() || after.format != before.format {
        let found = after.reason.clone().unwrap_or_else(|| format!("{} documents in the file", after.entries.len()));
        return Err(Error::NotAsAsked { item: "the document".to_owned(), found });
    }
    for (index, (old, new)) in before.entries.iter().zip(&after.entries).enumerate() {
        let edits = if index == before.shown { edits } else { &[] };
        Comparison { old, new, edits, touched }.run()?;
    }
    Ok(())
}

struct Comparison<'a> {
    old: &'a Entry,
    new: &'a Entry,
    edits: &'a [Edit],
    touched: &'a [Span],
}

impl Comparison<'_> {
    fn run(&self) -> Result<(), Error> {
        let (old, new) = (&self.old.handoff, &self.new.handoff);
        self.single("title", &old.title, &new.title)?;
        self.single("objective", &old.objective, &new.objective)?;
        self.single("status", &old.status, &new.status)?;
        // A state moves an item between the two, so they are one list here.
        self.list(&["next", "done"])?;
        for field in super::LISTS.iter().filter(|field| !matches!(**field, "next" | "done")) {
            self.list(&[field])?;
        }
        let mut wanted = old.clone();
        for edit in self.edits {
            if let Edit::Set { field, text } = edit
                && let Some(key) = field.strip_prefix("provenance.")
            {
                *super::provenance(&mut wanted, key) = Some(words(text)).filter(|text| !text.is_empty());
            }
        }
        let known = wanted.provenance == new.provenance && old.id == new.id && old.version == new.version;
        self.same("the provenance", known)?;
        let places = |tree: &Tree| {
            let parts = [&tree.root, &tree.worktree, &tree.branch, &tree.head, &tree.subject, &tree.status, &tree.diff];
            parts.into_iter().flatten().chain(&tree.changed).filter_map(|text| text.span).collect::<Vec<_>>()
        };
        let moved = old.trees.iter().flat_map(places).any(|span| self.is_touched(span));
        self.same("the working tree", moved || trees(old) == trees(new))?;
        self.same("the other sections", self.sections(&old.extra, &new.extra))
    }

    fn is_touched(&self, span: Span) -> bool {
        self.touched.iter().any(|touched| touched.from <= span.to && span.from <= touched.to)
    }

    fn same(&self, what: &str, same: bool) -> Result<(), Error> {
        let item = self.edits.first().map_or_else(|| "the document".to_owned(), Edit::place);
        if same { Ok(()) } else { Err(Error::NotAsAsked { item, found: format!("{what} would read differently") }) }
    }

    fn single(&self, field: &str, old: &Option<Text>, new: &Option<Text>) -> Result<(), Error> {
        let asked = self.edits.iter().rev().find_map(|edit| match edit {
            Edit::Set { field: own, text } if own == field => Some(text.as_str()),
            _ => None,
        });
        let said = |text: &Option<Text>| text.as_ref().map(|text| words(&text.text)).unwrap_or_default();
        match asked {
            Some(text) if words(text) == said(new) => Ok(()),
            // A reader may leave out list markers.
            Some(text) if !spoken(text).is_empty() && spoken(text) == spoken(&said(new)) => Ok(()),
            None if said(old) == said(new) => Ok(()),
            // A title and an objective that are the same words of the file change together.
            None if old.as_ref().and_then(|text| text.span).is_some_and(|span| self.is_touched(span)) => Ok(()),
            _ => Err(Error::NotAsAsked { item: field.to_owned(), found: format!("“{}”", said(new)) }),
        }
    }

    fn list(&self, fields: &[&str]) -> Result<(), Error> {
        let mut wanted: Vec<Wanted> = Vec::new();
        let mut spoken: HashMap<String, usize> = HashMap::new();
        for field in fields {
            self.wanted(field, &mut wanted, &mut spoken);
        }
        // What must be as it was, by its words: a list of many thousand items is not searched for each of them.
        let mut exact: HashMap<&str, VecDeque<usize>> = HashMap::new();
        let mut edited: Vec<usize> = Vec::new();
        for (index, one) in wanted.iter().enumerate() {
            match one.asked {
                None => exact.entry(&one.exact).or_default().push_back(index),
                Some(_) => edited.push(index),
            }
        }
        let mut met = vec![false; wanted.len()];
        let asked: String = self.edits.iter().filter_map(Edit::text).collect::<Vec<_>>().join(" ");
        for item in fields.iter().flat_map(|field| said(&self.new.handoff, field)) {
            if let Some(index) = exact.get_mut(item.exact.as_str()).and_then(VecDeque::pop_front) {
                met[index] = true;
                continue;
            }
            let answers = |index: &usize| {
                let one = &wanted[*index];
                one.asked.as_ref().is_some_and(|asked| agrees(asked, &one.exact, &item.all))
            };
            if let Some(at) = edited.iter().position(answers) {
                met[edited.remove(at)] = true;
            } else if let Some(left) = spoken.get_mut(&item.exact).filter(|left| item.prose && **left > 0) {
                *left -= 1;
            } else if !(item.prose && agrees(&item.all, "", &asked)) {
                let found = format!("{} would gain “{}”", fields[0], short(&item.all));
                return Err(Error::NotAsAsked { item: self.named(fields), found });
            }
        }
        match wanted.iter().zip(met).find(|(_, met)| !met) {
            Some((missing, _)) => {
                Err(Error::NotAsAsked { item: missing.place.clone(), found: "it would read differently".to_owned() })
            }
            None => self.same(fields[0], spoken.values().all(|left| *left == 0)),
        }
    }

    fn named(&self, fields: &[&str]) -> String {
        self.edits.iter().find(|edit| fields.contains(&edit.field())).map_or_else(|| fields[0].to_owned(), Edit::place)
    }

    /// What a list must hold after the edits; sentences found in prose apart.
    fn wanted(&self, field: &str, wanted: &mut Vec<Wanted>, spoken: &mut HashMap<String, usize>) {
        let own: Vec<&Edit> = self.edits.iter().filter(|edit| edit.field() == field).collect();
        for (index, item) in said(&self.old.handoff, field).into_iter().enumerate() {
            let edited: Vec<&&Edit> = own.iter().filter(|edit| edit.index() == Some(index)).collect();
            if edited.iter().any(|edit| matches!(edit, Edit::Remove { .. })) {
                continue;
            }
            let place = format!("{field}/{index}");
            if edited.is_empty() {
                match (item.prose, item.span.is_some_and(|span| self.is_touched(span))) {
                    (true, true) => {}
                    (true, false) => *spoken.entry(item.exact).or_default() += 1,
                    (false, _) => wanted.push(Wanted { exact: item.exact, asked: None, place }),
                }
                continue;
            }
            let texts: Vec<&str> = edited.iter().filter_map(|edit| edit.text()).collect();
            let keeps_text = edited.iter().all(|edit| matches!(edit, Edit::Replace { part: Some(_), .. }));
            let asked = if keeps_text { format!("{} {}", item.all, texts.join(" ")) } else { texts.join(" ") };
            wanted.push(Wanted { exact: item.all, asked: Some(asked), place });
        }
        for edit in own {
            if let Edit::Append { text, .. } = edit {
                wanted.push(Wanted { exact: String::new(), asked: Some(text.clone()), place: edit.place() });
            }
        }
    }

    /// Sections that no edit touched are as they were, and none came or went. Words right below the title have it as
    /// their heading.
    fn sections(&self, old: &[Section], new: &[Section]) -> bool {
        let key = |handoff: &Handoff, section: &Section| {
            let title = handoff.title.as_ref().is_some_and(|title| title.text == section.heading);
            let heading = if title || section.heading.is_empty() { "" } else { section.heading.as_str() };
            (heading.to_owned(), words(&section.text))
        };
        let mut left: VecDeque<(String, String)> = new.iter().map(|section| key(&self.new.handoff, section)).collect();
        for section in old.iter().filter(|section| !section.span.is_some_and(|span| self.is_touched(span))) {
            let wanted = key(&self.old.handoff, section);
            match left.iter().position(|other| *other == wanted) {
                Some(at) => drop(left.remove(at)),
                None => return false,
            }
        }
        new.len() <= old.len()
    }
}

/// Whether an item says what it was asked to: every word asked for is there, and no word is there that was neither
/// asked for nor said before.
fn agrees(asked: &str, before: &str, found: &str) -> bool {
    let (asked, before, found) = (set(asked), set(before), set(found));
    // Words of the format, and the kinds that a reader gives to references.
    let glue = ["because", "alternatives", "reason", "file", "directory", "commit", "url"];
    let fill = |word: &String| glue.contains(&word.as_str());
    let states = |word: &String| state_named(word).is_some();
    asked.iter().all(|word| found.contains(word) || fill(word) || states(word) || before.contains(word))
        && found.iter().all(|word| asked.contains(word) || before.contains(word) || fill(word) || states(word))
}

fn set(text: &str) -> BTreeSet<String> {
    text.split(|character: char| !(character.is_alphanumeric() || character == '_'))
        .filter(|word| !word.is_empty())
        .map(str::to_lowercase)
        .collect()
}

fn trees(handoff: &Handoff) -> Vec<Tree> {
    let bare = |text: &Option<Text>| text.as_ref().map(|text| Text::made(text.text.clone()));
    let one = |tree: &Tree| Tree {
        name: tree.name.clone(),
        root: bare(&tree.root),
        worktree: bare(&tree.worktree),
        branch: bare(&tree.branch),
        detached: tree.detached,
        head: bare(&tree.head),
        subject: bare(&tree.subject),
        status: bare(&tree.status),
        changed: tree.changed.iter().map(|path| Text::made(path.text.clone())).collect(),
        diff: bare(&tree.diff),
    };
    handoff.trees.iter().map(one).collect()
}

/// A list of the model, each item with everything it says.
pub(super) fn said(handoff: &Handoff, field: &str) -> Vec<Said> {
    let make = |parts: &[Option<&str>], span: Option<Span>, found: Found| {
        let said: Vec<String> = parts.iter().map(|part| words(part.unwrap_or_default())).collect();
        Said { exact: said.join("\n"), all: said.join(" "), span, prose: found == Found::Prose }
    };
    match field {
        "decisions" => handoff
            .decisions
            .iter()
            .map(|one| {
                let others = one.alternatives.join(" ");
                let parts = [
                    Some(one.what.as_str()),
                    one.why.as_deref(),
                    Some(&others),
                    one.at.as_deref(),
                    one.mark.as_deref(),
                ];
                make(&parts, one.span, one.found)
            })
            .collect(),
        "rejected" => handoff
            .rejected
            .iter()
            .map(|one| make(&[Some(&one.what), one.why.as_deref()], one.span, one.found))
            .collect(),
        "artifacts" => handoff
            .artifacts
            .iter()
            .map(|one| {
                let parts = [Some(one.name.as_str()), one.kind.as_deref(), Some(&one.reference), one.note.as_deref()];
                make(&parts, one.span, Found::Heading)
            })
            .collect(),
        _ => super::list(handoff, field)
            .iter()
            .map(|item| {
                let state = item.state.map(state_name);
                make(&[Some(&item.text), item.evidence.as_deref(), item.mark.as_deref(), state], item.span, item.found)
            })
            .collect(),
    }
}

/// The words alone, in order.
fn spoken(text: &str) -> Vec<&str> {
    text.split(|character: char| !character.is_alphanumeric()).filter(|word| !word.is_empty()).collect()
}

pub(super) fn words(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

fn short(text: &str) -> String {
    text.chars().take(80).collect()
}
