//! Many at once: one act that skips, supersedes, expires or archives a list of handoffs, and one that takes it back.
//! All its events become true together and carry one token, by which they are found again.

use crate::query::Query;
use crate::state::{is_decision, taken_back};
use crate::view::{NotTriaged, SavedSearch, State, Triaged};
use crate::{Decision, Desk, Error, Filter};
use serde_json::{Value, json};
use std::collections::HashMap;
use store::config::{Config, Search};
use store::files;
use store::index::{ListRow, Resolved};
use store::ledger::{Event, NewEvent};

/// What is done with each.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Triage {
    /// Passed over.
    Skip,
    /// Another handoff replaces it.
    Supersede,
    /// Too old to act on.
    Expire,
    /// Into the archive.
    Archive,
    /// Out of the archive.
    Unarchive,
}

impl Triage {
    fn event(self, now_ms: i64, body: Value) -> NewEvent {
        let (kind, more) = match self {
            Self::Skip => ("skipped", Value::Null),
            Self::Expire => ("expired", Value::Null),
            Self::Supersede => ("marked", json!({ "as": "superseded" })),
            Self::Archive => ("archived", json!({ "archived": true })),
            Self::Unarchive => ("archived", json!({ "archived": false })),
        };
        NewEvent::new(kind, now_ms).with(merged(body, more))
    }

    fn follows(self, state: State) -> bool {
        match self {
            Self::Skip => Decision::Skip.follows(state),
            Self::Expire => Decision::Expire.follows(state),
            // What somebody works on is not replaced from a list.
            Self::Supersede => Decision::Skip.follows(state) && !matches!(state, State::Refused | State::Incomplete),
            Self::Archive | Self::Unarchive => true,
        }
    }
}

impl Desk {
    /// Does the same with every handoff that is named, at once. Those that do not allow it are left out and named.
    ///
    /// # Errors
    /// When the ledger cannot be written; then nothing was done.
    pub fn triage(&self, ids: &[String], what: Triage, note: Option<&str>) -> Result<Triaged, Error> {
        let token = uuid::Uuid::now_v7().to_string();
        let limits = self.config()?.settings.limits;
        let mut left_out = Vec::new();
        let mut rows: HashMap<String, ListRow> = HashMap::new();
        let (mut events, mut kept) = (Vec::new(), Vec::new());
        for id in ids {
            let row = match self.current_row(id, &limits) {
                Ok((row, bytes)) => {
                    kept.push(bytes);
                    row
                }
                Err(error) => {
                    left_out.push(NotTriaged { id: id.clone(), message: error.to_string() });
                    continue;
                }
            };
            if rows.contains_key(&row.identity) {
                continue;
            }
            let body = json!({ "note": note, "together": token });
            events.push(what.event((self.now)(), body).about(&row.identity, &row.rev));
            rows.insert(row.identity.clone(), row);
        }
        if what != Triage::Archive && what != Triage::Unarchive {
            self.ledger.blobs().put_all(&kept)?;
        }
        let appended = self.ledger.append_all::<Error>(events, |event, before| {
            let Some(row) = event.handoff.as_ref().and_then(|identity| rows.get(identity)) else { return Ok(false) };
            let standing = self.standing_of(row, before);
            let because = match (what, standing.archived.unwrap_or(row.archived)) {
                (Triage::Archive, true) => "in the archive already".to_owned(),
                (Triage::Unarchive, false) => "not in the archive".to_owned(),
                _ if what.follows(standing.state) => return Ok(true),
                _ => crate::decide::word(standing.state),
            };
            let message = format!("{} is {because}; it is left as it is", row.handle);
            left_out.push(NotTriaged { id: row.handle.clone(), message });
            Ok(false)
        })?;
        let appended: Vec<Event> = appended.into_iter().flatten().collect();
        if what == Triage::Skip {
            for row in appended.iter().filter_map(|event| rows.get(event.handoff.as_deref()?)) {
                self.leave_marker(row, State::Skipped);
            }
        }
        let done = handles(&rows, appended.into_iter());
        Ok(Triaged { undo: (!done.is_empty()).then_some(token), done, left_out })
    }

    /// Does the same with every handoff that a query finds.
    ///
    /// # Errors
    /// As [`Desk::triage`], and when the query is not understood.
    pub fn triage_found(&self, filter: &Filter, what: Triage, note: Option<&str>) -> Result<Triaged, Error> {
        let page = self.handoffs(&Filter { offset: 0, limit: 0, ..filter.clone() })?;
        let ids: Vec<String> = page.rows.into_iter().map(|row| row.handle).collect();
        self.triage(&ids, what, note)
    }

    /// Takes back what was done together: each handoff is where it was before, but that an approval which a decision
    /// ended stays ended. A handoff about which something else was decided since is left as it is and named.
    ///
    /// # Errors
    /// [`Error::NotFound`] when nothing carries the token.
    pub fn undo(&self, token: &str) -> Result<Triaged, Error> {
        let together = self.ledger.events_together(token)?;
        if together.is_empty() {
            return Err(Error::NotFound { id: format!("act {token}"), candidates: Vec::new() });
        }
        let undoing = uuid::Uuid::now_v7().to_string();
        let mut rows: HashMap<String, ListRow> = HashMap::new();
        let mut acts: HashMap<String, Event> = HashMap::new();
        let mut events = Vec::new();
        for act in together {
            let (Some(identity), Some(rev)) = (act.handoff.clone(), &act.rev) else { continue };
            let body = json!({ "undoes": act.seq, "together": undoing });
            events.push(NewEvent::new("undone", (self.now)()).with(body).about(&identity, rev));
            if let Some(row) = self.index.get(&identity)? {
                rows.insert(identity.clone(), row);
            }
            acts.insert(identity, act);
        }
        let mut left_out = Vec::new();
        let appended = self.ledger.append_all::<Error>(events, |event, before| {
            let identity = event.handoff.as_deref().unwrap_or_default();
            let Some(act) = acts.get(identity) else { return Ok(false) };
            let taken_back = taken_back(before);
            let archives = act.kind == "archived";
            let speaks = |other: &&Event| if archives { other.kind == "archived" } else { is_decision(&other.kind) };
            let stands = |other: &&Event| !taken_back.contains(&other.seq);
            let is_last = before.iter().filter(speaks).rfind(stands).is_some_and(|last| last.seq == act.seq);
            if !is_last {
                let id = rows.get(identity).map_or_else(|| identity.to_owned(), |row| row.handle.clone());
                left_out.push(NotTriaged { message: format!("{id} was decided about since; it is left as it is"), id });
            }
            Ok(is_last)
        })?;
        let done = handles(&rows, appended.into_iter().flatten());
        Ok(Triaged { undo: None, done, left_out })
    }

    /// The row and bytes of a handoff as its file is now.
    fn current_row(&self, id: &str, limits: &handoff::Limits) -> Result<(ListRow, Vec<u8>), Error> {
        // Most are as the index knows them: no document is read for those.
        if let Resolved::One(row) = self.index.resolve(id)? {
            let (bytes, _) = files::read(&row.path, limits.file_bytes as u64)?;
            let bytes = handoff::document(bytes, &self.relative(&row.path));
            if handoff::revision(&bytes) == row.rev {
                return Ok((*row, bytes));
            }
        }
        let opened = self.opened(id)?;
        Ok((opened.row, opened.bytes))
    }

    /// Saved searches, in the order of the configuration.
    ///
    /// # Errors
    /// When the configuration cannot be read.
    pub fn searches(&self) -> Result<Vec<SavedSearch>, Error> {
        Ok(saved(self.config()?))
    }

    /// Saves a search under a name; one of that name is replaced.
    ///
    /// # Errors
    /// When the query is not understood, the name is empty, or the configuration cannot be written.
    pub fn search_save(&self, name: &str, query: &str) -> Result<Vec<SavedSearch>, Error> {
        Query::parse(query)?;
        let search = Search { name: name.trim().to_owned(), query: query.trim().to_owned() };
        Ok(saved(Config::save_search(&self.home, &search)?))
    }

    /// Removes a saved search.
    ///
    /// # Errors
    /// [`Error::NotFound`] when there is none of that name.
    pub fn search_remove(&self, name: &str) -> Result<Vec<SavedSearch>, Error> {
        self.saved_query(name)?;
        Ok(saved(Config::remove_search(&self.home, name)?))
    }

    /// The query that is saved under a name.
    ///
    /// # Errors
    /// [`Error::NotFound`] when there is none of that name, with those that there are.
    pub fn saved_query(&self, name: &str) -> Result<String, Error> {
        let searches = self.searches()?;
        match searches.iter().find(|search| search.name == name) {
            Some(search) => Ok(search.query.clone()),
            None => Err(Error::NoSearch {
                name: name.to_owned(),
                known: searches.into_iter().map(|search| search.name).collect(),
            }),
        }
    }
}

fn saved(config: Config) -> Vec<SavedSearch> {
    config.searches.into_iter().map(|search| SavedSearch { name: search.name, query: search.query }).collect()
}

fn handles(rows: &HashMap<String, ListRow>, events: impl Iterator<Item = Event>) -> Vec<String> {
    let row = |event: Event| event.handoff.and_then(|identity| rows.get(&identity));
    events.filter_map(row).map(|row| row.handle.clone()).collect()
}

fn merged(mut body: Value, more: Value) -> Value {
    if let (Value::Object(body), Value::Object(more)) = (&mut body, more) {
        body.extend(more);
    }
    body
}
