//! Every row with its state, kept in memory between lists. What the index wrote and what the ledger recorded since the
//! last time is folded in; everything else stays, so that a list of many thousand rows costs what changed.

use crate::view::{Row, State};
use crate::{Desk, Error};
use std::collections::{HashMap, HashSet};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use store::index::ListRow;
use store::ledger::Event;

/// Above so many changed rows, reading the whole ledger once is cheaper than asking for each.
const MANY: usize = 50;

/// The agent program of each profile, by the profile's name.
pub(crate) type Agents = HashMap<String, String>;

/// A row that is kept.
#[derive(Debug)]
pub(crate) struct Listed {
    /// Its number in the index.
    pub number: i64,
    /// What the ledger knows it by.
    pub identity: String,
    /// Every profile that found it.
    pub profiles: Vec<String>,
    /// As a list shows it, without what was seen of its repository.
    pub row: Row,
}

/// What is kept, and of which moment it is.
#[derive(Default)]
pub(crate) struct Lists {
    generation: i64,
    seq: i64,
    rows: HashMap<i64, Arc<Listed>>,
    numbers: HashMap<String, i64>,
    /// The agent program of each profile.
    agents: Agents,
    order: Arc<Vec<Arc<Listed>>>,
}

impl Lists {
    fn insert(&mut self, listed: Listed) {
        self.numbers.insert(listed.identity.clone(), listed.number);
        self.rows.insert(listed.number, Arc::new(listed));
    }

    /// Keeps the rows of the new order and no others.
    fn reorder(&mut self, order: &[i64]) {
        let known: HashSet<i64> = order.iter().copied().collect();
        self.rows.retain(|number, _| known.contains(number));
        let rows = &self.rows;
        self.numbers.retain(|_, number| rows.contains_key(number));
        self.order = Arc::new(order.iter().filter_map(|number| rows.get(number).cloned()).collect());
    }

    /// The order with the rows as they are now.
    fn renew(&mut self) {
        let renewed = self.order.iter().filter_map(|listed| self.rows.get(&listed.number).cloned()).collect();
        self.order = Arc::new(renewed);
    }
}

impl Desk {
    /// Every row with its state, newest first.
    ///
    /// # Errors
    /// When index or ledger cannot be read.
    pub(crate) fn listed(&self) -> Result<Arc<Vec<Arc<Listed>>>, Error> {
        let mut lists = held(&self.lists);
        let agents = self.agents();
        if lists.agents != agents {
            *lists = Lists { agents, ..Lists::default() };
        }
        // Before the rows: an event that comes in between is folded the next time again.
        let head = self.ledger.head()?;
        if self.index.generation()? != lists.generation {
            let listing = self.index.listing_since(lists.generation)?;
            let events = self.events_for(&listing.changed)?;
            for (number, row) in listing.changed {
                let own = events.get(&row.identity).map_or(&[][..], Vec::as_slice);
                let listed = self.list(number, &row, own, &lists.agents);
                lists.insert(listed);
            }
            lists.reorder(&listing.order);
            lists.generation = listing.generation;
        }
        let mut again: HashSet<i64> = in_motion(&lists).collect();
        if head != lists.seq {
            for event in self.ledger.events_since(lists.seq)? {
                again.extend(event.handoff.and_then(|handoff| lists.numbers.get(&handoff).copied()));
            }
            lists.seq = head;
        }
        let mut renewed = false;
        for number in again {
            renewed |= self.fold_again(&mut lists, number)?;
        }
        if renewed {
            lists.renew();
        }
        Ok(Arc::clone(&lists.order))
    }

    /// Tells whether the row is another now.
    fn fold_again(&self, lists: &mut Lists, number: i64) -> Result<bool, Error> {
        let Some(before) = lists.rows.get(&number).cloned() else { return Ok(false) };
        // None: a scan took it away since; the next list knows.
        let Some(row) = self.index.get(&before.identity)? else { return Ok(false) };
        let listed = self.list(number, &row, &self.ledger.events_of(&before.identity)?, &lists.agents);
        if listed.row == before.row {
            return Ok(false);
        }
        lists.insert(listed);
        Ok(true)
    }

    fn events_for(&self, rows: &[(i64, ListRow)]) -> Result<HashMap<String, Vec<Event>>, Error> {
        let mut events: HashMap<String, Vec<Event>> = HashMap::new();
        if rows.len() <= MANY {
            for (_, row) in rows {
                events.insert(row.identity.clone(), self.ledger.events_of(&row.identity)?);
            }
            return Ok(events);
        }
        for event in self.ledger.events()? {
            if let Some(handoff) = event.handoff.clone() {
                events.entry(handoff).or_default().push(event);
            }
        }
        Ok(events)
    }

    fn list(&self, number: i64, row: &ListRow, events: &[Event], agents: &Agents) -> Listed {
        Listed {
            number,
            identity: row.identity.clone(),
            profiles: row.profiles.clone(),
            row: Row { verdict: None, ahead: None, ..self.row(row, events, agents) },
        }
    }

    /// As configured; none while the configuration cannot be read.
    pub(crate) fn agents(&self) -> Agents {
        let profiles = self.config().map(|config| config.profiles).unwrap_or_default();
        profiles.into_iter().map(|profile| (profile.name, profile.agent)).collect()
    }

    /// The row as it is shown, with what was seen of its repository.
    pub(crate) fn shown(&self, listed: &Listed) -> Row {
        let seen = self.remembered(&listed.row.handle);
        Row { verdict: seen.map(|(verdict, _)| verdict), ahead: seen.map(|(_, ahead)| ahead), ..listed.row.clone() }
    }
}

/// Rows whose state may change by the time alone: an approval runs out, a holder falls silent.
fn in_motion(lists: &Lists) -> impl Iterator<Item = i64> {
    let moves = |state| matches!(state, State::Approved | State::Claimed | State::Running);
    lists.order.iter().filter(move |listed| moves(listed.row.state)).map(|listed| listed.number)
}

fn held(lists: &Mutex<Lists>) -> MutexGuard<'_, Lists> {
    lists.lock().unwrap_or_else(|poisoned: PoisonError<_>| {
        // A panic may have left rows of two moments behind: everything is read again.
        let mut lists = poisoned.into_inner();
        *lists = Lists::default();
        lists
    })
}
