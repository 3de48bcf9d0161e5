//! Lists: what needs a person, what is in motion, what is settled.

use crate::groups::grouped;
use crate::lists::{Agents, Listed};
use crate::name::name_of;
use crate::query::{Query, group};
use crate::start::{StartWish, WishState};
use crate::view::{Hit, LedgerEvent, ListName, Overview, Page, RepositoryView, Row, State};
use crate::{Desk, Error};
use std::collections::HashMap;
use std::path::PathBuf;
use store::index::ListRow;
use store::ledger::{Event, Rebuilt};

/// What a list is narrowed to.
#[derive(Clone, Debug, Default)]
pub struct Filter {
    /// Which list.
    pub list: ListName,
    /// Words to find.
    pub query: Option<String>,
    /// A repository's root folder.
    pub repo: Option<PathBuf>,
    /// A profile.
    pub profile: Option<String>,
    /// A state.
    pub state: Option<State>,
    /// Rows passed over.
    pub offset: usize,
    /// Rows wanted; 0 is all.
    pub limit: usize,
    /// The inbox by repository, with its groups.
    pub grouped: bool,
}

impl Desk {
    /// A list, narrowed. The query is words to find and terms such as `state:pending`, `repo:`, `profile:`, `agent:`
    /// and `is:draft`.
    ///
    /// # Errors
    /// When the query is not understood, or index or ledger cannot be read.
    pub fn handoffs(&self, filter: &Filter) -> Result<Page, Error> {
        let query = Query::parse(filter.query.as_deref().unwrap_or_default())?;
        let found = self.index.matching(&query.words)?;
        let repo = filter
            .repo
            .as_ref()
            .map(|repo| std::fs::canonicalize(repo).unwrap_or_else(|_| repo.clone()).display().to_string());
        let listed = self.listed()?;
        let mut rows: Vec<&Listed> = listed
            .iter()
            .map(AsRef::as_ref)
            .filter(|listed| {
                let row = &listed.row;
                in_list(row, filter.list)
                    && found.as_ref().is_none_or(|found| found.contains(&listed.number))
                    && query.passes(listed)
                    && repo.as_ref().is_none_or(|repo| row.repo.as_ref() == Some(repo))
                    && filter.profile.as_ref().is_none_or(|profile| listed.profiles.contains(profile))
                    && filter.state.is_none_or(|state| row.state == state)
            })
            .collect();
        let mut groups = Vec::new();
        if filter.list == ListName::Inbox && filter.grouped {
            (rows, groups) = grouped(rows);
        } else if filter.list == ListName::Inbox {
            // What needs a person comes first; within a group the newest.
            rows.sort_by_key(|listed| group(listed.row.state));
        }
        let total = u32::try_from(rows.len()).unwrap_or(u32::MAX);
        let limit = if filter.limit == 0 { usize::MAX } else { filter.limit };
        let rows = rows.into_iter().skip(filter.offset).take(limit).map(|listed| self.shown(listed)).collect();
        Ok(Page { rows, total, groups })
    }

    pub(crate) fn row(&self, row: &ListRow, events: &[Event], agents: &Agents) -> Row {
        let standing = self.standing_of(row, events);
        let remembered = self.remembered(&row.handle);
        let mut badges = row.badges.clone();
        if row.conflict {
            badges.push("conflict".to_owned());
        }
        Row {
            id: row.id.clone(),
            handle: row.handle.clone(),
            rev: row.rev.clone(),
            path: row.path.display().to_string(),
            format: row.format,
            readable: row.readable,
            name: name_of(row),
            title: row.title.clone(),
            objective: row.objective.clone(),
            state: standing.state,
            state_reason: standing.reason,
            repo: row.repo.as_ref().map(|repo| repo.display().to_string()),
            repo_name: row
                .repo
                .as_ref()
                .and_then(|repo| repo.file_name())
                .map(|name| name.to_string_lossy().into_owned()),
            branch: row.branch.clone(),
            profile: row.profiles.first().cloned(),
            from: row.from.clone(),
            agent: row.agent.clone().or_else(|| row.profiles.first().and_then(|name| agents.get(name)).cloned()),
            to: row.to.clone(),
            reason: row.reason.clone(),
            resets_at: row.resets_at.clone(),
            written_at: row.written_at.clone(),
            written_at_by: Some(row.written_at_by.clone()),
            verdict: remembered.map(|(verdict, _)| verdict),
            ahead: remembered.map(|(_, ahead)| ahead),
            badges,
            archived: standing.archived.unwrap_or(row.archived),
            start: standing.start.as_ref().filter(|start| start.state == WishState::Waits).map(StartWish::view),
            supervised: standing.claim.as_ref().is_some_and(|open| open.claim.supervised),
            held_by: standing.claim.map(|open| open.claim.by),
        }
    }

    /// Glances at the repositories of some rows; what was looked at before is remembered.
    ///
    /// # Errors
    /// When index or ledger cannot be read. A repository that cannot be read is a verdict.
    pub fn verdicts(&self, handles: &[String]) -> Result<Vec<(String, repo::Verdict, u32)>, Error> {
        let mut found = Vec::new();
        for handle in handles {
            if let Some((verdict, ahead)) = self.remembered(handle) {
                found.push((handle.clone(), verdict, ahead));
                continue;
            }
            let Ok(opened) = self.opened(handle) else { continue };
            let drift = self.worker.glance(&self.question(&opened, None), crate::desk::GLANCE);
            self.remember(handle, &drift);
            found.push((handle.clone(), drift.verdict, drift.ahead));
        }
        Ok(found)
    }

    /// What the sidebar shows.
    ///
    /// # Errors
    /// When index or ledger cannot be read.
    pub fn overview(&self) -> Result<Overview, Error> {
        let listed = self.listed()?;
        let rows = || listed.iter().map(|listed| &listed.row);
        let count = |list| u32::try_from(rows().filter(|row| in_list(row, list)).count()).unwrap_or(u32::MAX);
        let mut repositories: HashMap<&str, RepositoryView> = HashMap::new();
        for row in rows() {
            let (Some(path), Some(name)) = (&row.repo, &row.repo_name) else { continue };
            let view = repositories.entry(path).or_insert_with(|| RepositoryView {
                path: path.clone(),
                name: name.clone(),
                waiting: 0,
                total: 0,
            });
            view.total += 1;
            view.waiting += u32::from(!row.archived && group(row.state) == 0);
        }
        let mut repositories: Vec<RepositoryView> = repositories.into_values().collect();
        repositories
            .sort_by(|one, other| (other.waiting, &one.name, &one.path).cmp(&(one.waiting, &other.name, &other.path)));
        let mut problems = Vec::new();
        let profiles = match self.profiles() {
            Ok(profiles) => profiles,
            Err(error) => {
                problems.push(error.to_string());
                Vec::new()
            }
        };
        if let Ok(config) = self.config() {
            problems.extend(config.warnings.iter().map(|warning| format!("config.toml: {warning}")));
        }
        Ok(Overview {
            // The number beside the inbox is what needs a person.
            inbox: u32::try_from(rows().filter(|row| needs_a_person(row)).count()).unwrap_or(u32::MAX),
            approved: count(ListName::Approved),
            running: count(ListName::Running),
            returned: count(ListName::Returned),
            all: count(ListName::All),
            archive: count(ListName::Archive),
            repositories,
            profiles,
            searches: self.searches().unwrap_or_default(),
            scanned: self.index.scanned()?,
            watching: "off".to_owned(),
            problems,
            version: env!("CARGO_PKG_VERSION").to_owned(),
        })
    }

    /// Handoffs that hold what a person typed, newest first, with the text around the match. Terms narrow as in lists.
    ///
    /// # Errors
    /// When the query is not understood or the index cannot be read.
    pub fn search(&self, text: &str, limit: usize) -> Result<Vec<Hit>, Error> {
        let query = Query::parse(text)?;
        let found = self.index.matching(&query.words)?;
        if found.is_none() && text.split_whitespace().next().is_none() {
            return Ok(Vec::new());
        }
        let listed = self.listed()?;
        let wanted = |listed: &&std::sync::Arc<Listed>| {
            found.as_ref().is_none_or(|found| found.contains(&listed.number)) && query.passes(listed)
        };
        let mut hits = Vec::new();
        for listed in listed.iter().filter(wanted).take(limit) {
            let snippet = self.index.snippet(listed.number, &query.words)?;
            let snippet = snippet.into_iter().map(|(matched, text)| (matched, handoff::visible_text(&text))).collect();
            hits.push(Hit { row: self.shown(listed), snippet, field: None });
        }
        Ok(hits)
    }

    /// What happened, newest first.
    ///
    /// # Errors
    /// When the ledger cannot be read.
    pub fn history(&self, id: Option<&str>, limit: usize) -> Result<Vec<LedgerEvent>, Error> {
        let listed = self.listed()?;
        let events = match id {
            Some(id) => self.ledger.events_of(&self.resolve(id)?.identity)?,
            None => self.ledger.events()?,
        };
        let handles: HashMap<&str, &str> =
            listed.iter().map(|listed| (listed.identity.as_str(), listed.row.handle.as_str())).collect();
        let text =
            |event: &Event, key: &str| event.body.get(key).and_then(serde_json::Value::as_str).map(str::to_owned);
        Ok(events
            .iter()
            .rev()
            .take(limit)
            .map(|event| LedgerEvent {
                seq: event.seq.unsigned_abs(),
                at: crate::decide::rfc3339(event.at_ms),
                kind: event.kind.clone(),
                handle: event
                    .handoff
                    .as_deref()
                    // One that is no longer listed, such as an older entry, keeps its handle.
                    .map(|handoff| {
                        handles.get(handoff).map_or_else(|| store::handle(handoff), |own| (*own).to_owned())
                    }),
                rev: event.rev.clone(),
                actor: event.actor.clone(),
                note: text(event, "note").or_else(|| text(event, "because")).or_else(|| text(event, "as")),
            })
            .collect())
    }

    /// Recomputes the ledger.
    ///
    /// # Errors
    /// When it cannot be read at all.
    pub fn verify(&self) -> Result<store::ledger::Verification, Error> {
        Ok(self.ledger.verify()?)
    }

    /// Removes the kept bytes of a revision and leaves a note that they were there.
    ///
    /// # Errors
    /// When they cannot be removed.
    pub fn purge(&self, rev: &str) -> Result<bool, Error> {
        Ok(self.ledger.purge(rev, (self.now)())?)
    }

    /// Makes a damaged ledger again from its mirror, on a person's word. The old files are kept beside it; programs that
    /// have them open, this desk among them, write no more.
    ///
    /// # Errors
    /// When the ledger is sound, the mirror begins no chain, or the disk refuses.
    pub fn rebuild_ledger(&self) -> Result<Rebuilt, Error> {
        if let Some((agent, variable)) = self.caller.agent {
            return Err(Error::InsideAgent { agent, variable });
        }
        Ok(store::ledger::rebuild(&self.home, (self.now)())?)
    }
}

/// What the number beside the inbox and in the tray counts.
pub(crate) fn needs_a_person(row: &Row) -> bool {
    in_list(row, ListName::Inbox) && group(row.state) == 0
}

fn in_list(row: &Row, list: ListName) -> bool {
    match list {
        ListName::Archive => row.archived,
        ListName::All => true,
        _ if row.archived => false,
        ListName::Inbox => group(row.state) < 2,
        ListName::Approved => row.state == State::Approved,
        ListName::Running => matches!(row.state, State::Claimed | State::Running) || row.start.is_some(),
        ListName::Returned => matches!(row.state, State::Returned | State::Stopped | State::Interrupted),
    }
}
