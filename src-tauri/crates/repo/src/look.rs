//! The second step of an answer: status and paths, commits and paths changed since, successors of a missing
//! commit, freshness, contended paths, contradictions. Line counts come last and are left off when time is short.

use crate::changes::{self, Changes};
use crate::drift::{Claims, compose};
use crate::freshness::{self, Ground};
use crate::model::{Commit, Drift, Relation, TreeDrift, Verdict};
use crate::recorded::Recorded;
use crate::status::{self, Status};
use crate::successors;
use crate::taken::{self, Opened, Taken, take};
use crate::text::{quoted, shown};
use crate::{Question, contradictions, place, snapshot, verdict};
use git2::{Oid, Repository};
use std::collections::BTreeMap;
use std::time::{Duration, Instant};

/// Looks at every repository that a handoff records. Always answers; `cancel` is asked now and then, and when it
/// says so, what was found by then is the answer.
pub fn look(question: &Question, cancel: &dyn Fn() -> bool) -> Drift {
    look_telling(question, cancel, &mut |_| {})
}

/// The same, telling what the first step gave for each repository before the second begins: whoever waits for a look
/// that does not end then has at least that.
pub(crate) fn look_telling(
    question: &Question,
    cancel: &dyn Fn() -> bool,
    glanced: &mut dyn FnMut(&TreeDrift),
) -> Drift {
    let began = Instant::now();
    let limit = Duration::from_millis(question.budget.look_ms);
    let stop = || cancel() || began.elapsed() > limit;
    let written = written(question);
    let mut claims = Claims { contradictions: contradictions::within(&question.handoff), ..Claims::default() };

    let mut looks = Vec::new();
    for place in place::places(question) {
        let taken = take(place, question, question.budget.commits);
        glanced(&taken.drift);
        looks.push(Looked { taken, details: None });
    }
    for (at, looked) in looks.iter_mut().enumerate() {
        looked.look(question, &stop);
        if let Some(details) = &looked.details {
            claims.contradictions.extend(contradictions::denied(
                &question.handoff,
                &looked.taken,
                at,
                &details.recorded,
                &details.status,
            ));
        }
    }

    let grounds: Vec<Ground> = looks
        .iter()
        .filter_map(|looked| Some((looked.taken.opened.as_ref()?, looked.details.as_ref()?)))
        .map(|(opened, details)| Ground {
            opened,
            changes: &details.changes,
            base: details.base,
            tracked: &details.status.index,
            recorded: &details.recorded,
            written,
            lookup: freshness::Lookup::default(),
        })
        .collect();
    let told = freshness::freshness(&question.handoff, question.home.as_deref(), &grounds, &stop);
    drop(grounds);
    claims.freshness = told.freshness;
    claims.contended = told.contended.into_iter().collect();

    let trees = looks.drain(..).map(|looked| looked.finish(question, &told.relied_on, &stop)).collect();
    compose(trees, claims, true)
}

/// When the handoff was written, in seconds since 1970: as it says with a zone, else the file's time.
fn written(question: &Question) -> Option<i64> {
    let said =
        question.handoff.provenance.written_at.as_deref().and_then(|text| text.trim().parse::<jiff::Timestamp>().ok());
    said.map(jiff::Timestamp::as_second).or_else(|| {
        let meta = std::fs::metadata(question.file.as_ref()?).ok()?;
        let since = meta.modified().ok()?.duration_since(std::time::UNIX_EPOCH).ok()?;
        Some(since.as_secs() as i64)
    })
}

/// A repository with what a look adds.
struct Looked {
    taken: Taken,
    details: Option<Details>,
}

struct Details {
    status: Status,
    changes: Changes,
    base: Option<Oid>,
    recorded: Recorded,
}

impl Looked {
    fn look(&mut self, question: &Question, stop: &dyn Fn() -> bool) {
        let Some(opened) = &self.taken.opened else { return };
        if self.taken.drift.verdict == Verdict::NotInspectable {
            return;
        }
        match details(question, &self.taken, opened, stop) {
            Ok(details) => {
                let (drift, standing) = (&mut self.taken.drift, &self.taken.standing);
                drift.now.status = Some(details.status.counts());
                if let Some(why) = &details.status.incomplete {
                    drift.now.reason = Some(format!("the status is not complete: {why}"));
                }
                drift.commits = commits(opened, standing.base, &standing.since);
                if standing.since_total as usize > drift.commits.len() {
                    drift.cut = Some(format!(
                        "{} commits, the newest {} of them listed",
                        standing.since_total,
                        drift.commits.len()
                    ));
                }
                heirs(drift, opened, standing, question, stop);
                let differs = details.recorded.differs(&details.status, &opened.paths);
                drift.verdict = verdict::of(&drift.then, &drift.now, standing.relation, differs);
                drift.message = taken::message(drift, question);
                self.details = Some(details);
            }
            Err(error) => {
                let drift = &mut self.taken.drift;
                drift.verdict = Verdict::NotInspectable;
                drift.now.reason = Some(format!("it could not be read to the end: {}", quoted(error.message())));
                drift.message = taken::message(drift, question);
            }
        }
    }

    fn finish(
        self,
        question: &Question,
        relied_on: &BTreeMap<Vec<u8>, Vec<String>>,
        stop: &dyn Fn() -> bool,
    ) -> TreeDrift {
        let mut drift = self.taken.drift;
        let (Some(opened), Some(mut details)) = (self.taken.opened, self.details) else { return drift };
        if !stop() {
            // Lines are a figure for people; a blob that is missing (partial clones) leaves them off.
            let base = details.base.or(opened.head.commit);
            drift.now.diff =
                changes::count_lines(&opened, base, &mut details.changes, question.budget.counted_files, stop)
                    .ok()
                    .flatten();
        }
        let limit = question.budget.changed;
        drift.changed =
            changes::shown_changes(&details.changes, limit, &opened.paths, &|path| details.recorded.names(path));
        for (changed, path) in drift.changed.iter_mut().zip(details.changes.keys()) {
            changed.relied_on_by = relied_on.get(path).cloned().unwrap_or_default();
        }
        if details.changes.len() > limit {
            let paths = format!("{} changed paths, {limit} of them listed", details.changes.len());
            drift.cut = Some(drift.cut.map_or(paths.clone(), |commits| format!("{commits}; {paths}")));
        }
        drift
    }
}

fn details(
    question: &Question,
    taken: &Taken,
    opened: &Opened,
    stop: &dyn Fn() -> bool,
) -> Result<Details, git2::Error> {
    let toplevel = &opened.located.toplevel;
    let status = status::status(&opened.repo, toplevel, opened.head.commit, &question.budget, stop)?;
    let base = taken.standing.base;
    let changes = changes::changes(opened, base, &status)?;
    let recorded = Recorded::of(&question.handoff, &taken.place.tree, toplevel, question.home.as_deref());
    Ok(Details { status, changes, base, recorded })
}

fn heirs(
    drift: &mut TreeDrift,
    opened: &Opened,
    standing: &crate::relation::Standing,
    question: &Question,
    stop: &dyn Fn() -> bool,
) {
    let heirs = match (standing.relation, opened.head.commit) {
        (Relation::Missing | Relation::Shallow, head) if standing.base.is_none() => {
            let (branch, subject) = (drift.then.branch.as_deref(), drift.then.subject.as_deref());
            successors::of_missing(&opened.repo, head, branch, subject, question.budget.search_commits, stop)
        }
        (Relation::Diverged, Some(head)) => successors::of_left_behind(&opened.repo, head, standing, stop),
        _ => return,
    };
    drift.successors = heirs.successors;
    drift.likely_cause = heirs.likely_cause;
}

/// HEAD's own commits as they cross.
fn commits(opened: &Opened, base: Option<Oid>, since: &[crate::relation::Own]) -> Vec<Commit> {
    let repo: &Repository = &opened.repo;
    let who = |commit: &git2::Commit| {
        let author = commit.author();
        let mail = author.email_bytes().to_ascii_lowercase();
        if mail.is_empty() { author.name_bytes().to_vec() } else { mail }
    };
    let writer = base.and_then(|id| repo.find_commit(id).ok()).map(|commit| who(&commit));
    since
        .iter()
        .filter_map(|own| Some((own, repo.find_commit(own.id).ok()?)))
        .map(|(own, commit)| {
            let subject = snapshot::subject(&commit);
            Commit {
                id: own.id.to_string(),
                author: shown(commit.author().name_bytes()),
                at: jiff::Timestamp::from_second(commit.time().seconds())
                    .map(|time| time.to_string())
                    .unwrap_or_default(),
                by_other: writer.as_ref().is_some_and(|writer| *writer != who(&commit)),
                handoff_only: own.handoff_only,
                wip: is_wip(&subject),
                subject,
            }
        })
        .collect()
}

/// Whether a subject marks work in progress.
fn is_wip(subject: &str) -> bool {
    let subject = subject.to_lowercase();
    let first = subject.trim_start_matches(['[', '(']).split(|c: char| !c.is_alphanumeric()).next().unwrap_or_default();
    matches!(first, "wip" | "fixup" | "squash" | "checkpoint" | "tmp" | "temp")
        || subject.split(|c: char| !c.is_alphanumeric()).any(|word| word == "wip")
        || subject.contains("work in progress")
}

#[cfg(test)]
mod tests {
    use super::is_wip;

    #[test]
    fn work_in_progress_is_told_by_its_subject() {
        for subject in ["WIP", "wip: parser", "[WIP] x", "fixup! y", "chore: wip handoff"] {
            assert!(is_wip(subject), "{subject}");
        }
        assert!(!is_wip("wipe the cache"));
    }
}
