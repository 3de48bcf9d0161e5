//! Lists: what needs a person, what is in motion, what is settled.

use crate::view::{Hit, Indexed, LedgerEvent, ListName, Overview, Page, Problem, Progress, RepositoryView, Row, State};
use crate::{Desk, Error};
use std::collections::{BTreeMap, HashMap};
use std::path::{Path, PathBuf};
use store::index::ListRow;
use store::ledger::Event;

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
}

impl Desk {
    /// Scans every profile now.
    ///
    /// # Errors
    /// The index's own; what cannot be read on disk is a problem in the answer.
    pub fn index_now(&self, progress: &dyn Fn(Progress), cancel: &dyn Fn() -> bool) -> Result<Indexed, Error> {
        let config = self.config()?;
        progress(Progress::Started { what: "Looking for handoffs".to_owned() });
        let mut step = |done: u32, total: Option<u32>, at: &Path| {
            progress(Progress::Step { done, total, at: Some(at.display().to_string()) })
        };
        let report = self.index.scan(&config, &self.person, (self.now)(), &mut step, cancel)?;
        progress(if report.cancelled {
            Progress::Cancelled
        } else {
            Progress::Finished { message: format!("{} handoffs in {} files.", report.handoffs, report.files) }
        });
        Ok(Indexed {
            files: report.files,
            handoffs: report.handoffs,
            refused: report.refused,
            incomplete: report.incomplete,
            not_handoffs: report.not_handoffs,
            problems: report
                .problems
                .into_iter()
                .map(|(path, message)| Problem { path: path.display().to_string(), message })
                .collect(),
            took_ms: report.took_ms,
        })
    }

    /// A list, narrowed.
    ///
    /// # Errors
    /// When index or ledger cannot be read.
    pub fn handoffs(&self, filter: &Filter) -> Result<Page, Error> {
        let mut rows = self.rows()?;
        if let Some(query) = filter.query.as_deref().filter(|query| !query.trim().is_empty()) {
            let found = self.index.matching(query)?;
            rows.retain(|row| found.contains(&row.handle));
        }
        let repo = filter
            .repo
            .as_ref()
            .map(|repo| std::fs::canonicalize(repo).unwrap_or_else(|_| repo.clone()).display().to_string());
        rows.retain(|row| {
            in_list(row, filter.list)
                && repo.as_ref().is_none_or(|repo| row.repo.as_ref() == Some(repo))
                && filter.profile.as_ref().is_none_or(|profile| row.profile.as_ref() == Some(profile))
                && filter.state.is_none_or(|state| row.state == state)
        });
        if filter.list == ListName::Inbox {
            // What needs a person comes first; within a group the newest.
            rows.sort_by_key(|row| group(row.state));
        }
        let total = u32::try_from(rows.len()).unwrap_or(u32::MAX);
        let limit = if filter.limit == 0 { usize::MAX } else { filter.limit };
        Ok(Page { rows: rows.into_iter().skip(filter.offset).take(limit).collect(), total })
    }

    /// Every row with its state, newest first.
    pub(crate) fn rows(&self) -> Result<Vec<Row>, Error> {
        let mut events: HashMap<String, Vec<Event>> = HashMap::new();
        for event in self.ledger.events()? {
            if let Some(handoff) = event.handoff.clone() {
                events.entry(handoff).or_default().push(event);
            }
        }
        let none = Vec::new();
        Ok(self
            .index
            .rows()?
            .into_iter()
            .map(|row| {
                let own = events.get(&row.identity).unwrap_or(&none);
                self.row(&row, own)
            })
            .collect())
    }

    pub(crate) fn row(&self, row: &ListRow, events: &[Event]) -> Row {
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
            to: row.to.clone(),
            reason: row.reason.clone(),
            resets_at: row.resets_at.clone(),
            written_at: row.written_at.clone(),
            written_at_by: Some(row.written_at_by.clone()),
            verdict: remembered.map(|(verdict, _)| verdict),
            ahead: remembered.map(|(_, ahead)| ahead),
            badges,
            archived: standing.archived.unwrap_or(row.archived),
            held_by: None,
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
        let rows = self.rows()?;
        let count = |list| u32::try_from(rows.iter().filter(|row| in_list(row, list)).count()).unwrap_or(u32::MAX);
        let mut repositories: BTreeMap<String, RepositoryView> = BTreeMap::new();
        for row in &rows {
            let (Some(path), Some(name)) = (&row.repo, &row.repo_name) else { continue };
            let view = repositories.entry(path.clone()).or_insert_with(|| RepositoryView {
                path: path.clone(),
                name: name.clone(),
                waiting: 0,
                total: 0,
            });
            view.total += 1;
            view.waiting += u32::from(!row.archived && group(row.state) == 0);
        }
        let mut repositories: Vec<RepositoryView> = repositories.into_values().collect();
        repositories.sort_by(|one, other| other.waiting.cmp(&one.waiting).then_with(|| one.name.cmp(&other.name)));
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
            inbox: u32::try_from(
                rows.iter().filter(|row| in_list(row, ListName::Inbox) && group(row.state) == 0).count(),
            )
            .unwrap_or(u32::MAX),
            approved: count(ListName::Approved),
            running: count(ListName::Running),
            returned: count(ListName::Returned),
            all: count(ListName::All),
            archive: count(ListName::Archive),
            repositories,
            profiles,
            scanned: self.index.scanned()?,
            watching: "off".to_owned(),
            problems,
            version: env!("CARGO_PKG_VERSION").to_owned(),
        })
    }

    /// Handoffs that hold what a person typed.
    ///
    /// # Errors
    /// When the index cannot be read.
    pub fn search(&self, text: &str, limit: usize) -> Result<Vec<Hit>, Error> {
        let mut hits = Vec::new();
        for (row, snippet) in self.index.search(text, limit)? {
            let events = self.ledger.events_of(&row.identity)?;
            let snippet = snippet.into_iter().map(|(matched, text)| (matched, handoff::visible_text(&text))).collect();
            hits.push(Hit { row: self.row(&row, &events), snippet, field: None });
        }
        Ok(hits)
    }

    /// What happened, newest first.
    ///
    /// # Errors
    /// When the ledger cannot be read.
    pub fn history(&self, id: Option<&str>, limit: usize) -> Result<Vec<LedgerEvent>, Error> {
        let rows = self.index.rows()?;
        let events = match id {
            Some(id) => self.ledger.events_of(&self.resolve(id)?.identity)?,
            None => self.ledger.events()?,
        };
        let handles: HashMap<&str, &str> =
            rows.iter().map(|row| (row.identity.as_str(), row.handle.as_str())).collect();
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
                    .and_then(|handoff| handles.get(handoff))
                    .map(|handle| (*handle).to_owned()),
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
        let there = self.ledger.blobs().purge(rev)?;
        if there {
            let event = store::ledger::NewEvent::new("purged", (self.now)()).with(serde_json::json!({ "rev": rev }));
            self.ledger.append::<Error>(event, |_| Ok(()))?;
        }
        Ok(there)
    }
}

/// 0 needs a person, 1 is in motion, 2 is settled.
fn group(state: State) -> u8 {
    match state {
        State::Pending | State::Returned | State::Refused | State::Incomplete | State::Interrupted | State::Failed => 0,
        State::Approved | State::Claimed | State::Running => 1,
        _ => 2,
    }
}

fn in_list(row: &Row, list: ListName) -> bool {
    match list {
        ListName::Archive => row.archived,
        ListName::All => true,
        _ if row.archived => false,
        ListName::Inbox => group(row.state) < 2,
        ListName::Approved => row.state == State::Approved,
        ListName::Running => matches!(row.state, State::Claimed | State::Running),
        ListName::Returned => matches!(row.state, State::Returned | State::Stopped | State::Interrupted),
    }
}
