//! Publishing: a document comes in, what code can know is filled in by code, and a whole file goes into the shared
//! store. What the writer said about those fields stays beside it as a claim.

use crate::approve::status_words;
use crate::decide::rfc3339;
use crate::desk::LOOK;
use crate::pointer;
use crate::view::Published;
use crate::{Desk, Error};
use handoff::{Format, Handoff, Limits, Readable, Section, Text, Tree};
use repo::{Now, Question};
use serde_json::json;
use std::path::{Path, PathBuf};
use store::config::{Config, Profile};
use store::files;
use store::ledger::NewEvent;

/// What is published and from where.
pub struct PublishRequest<'a> {
    /// The document: the canonical file, or Handoff JSON 1 or 2.
    pub document: Vec<u8>,
    /// The folder whose repository the handoff is about.
    pub folder: PathBuf,
    /// The environment, for telling under which profile the writer runs.
    pub environment: &'a dyn Fn(&str) -> Option<String>,
}

/// The heading under which a writer's own values stand.
pub(crate) const CLAIMED: &str = "Claimed by the writer";

/// Minutes by which a writer's clock may differ without that being a claim of its own.
const SAME_TIME_MS: i64 = 10 * 60 * 1_000;

impl Desk {
    /// Publishes a document.
    ///
    /// # Errors
    /// [`Error::NotPublished`] with the limit or key when the document is not one to publish; the disk's.
    pub fn publish(&self, request: &PublishRequest<'_>) -> Result<Published, Error> {
        let config = self.config()?;
        let (mut handoff, claims, now) = self.completed(request, &config)?;
        if !claims.is_empty() {
            let text = claims.iter().map(|claim| format!("- {claim}")).collect::<Vec<_>>().join("\n");
            handoff.extra.push(Section { heading: CLAIMED.to_owned(), text, span: None });
        }
        let id = uuid::Uuid::now_v7().to_string();
        handoff.id = Some(id.clone());
        let bytes = handoff::write_canonical(&handoff).into_bytes();
        self.refuse_unless_it_reads_back(&handoff, &bytes, &config.settings.limits)?;

        let folder = self.home.handoffs().join(group(&now, &request.folder));
        let stamp = rfc3339((self.now)()).replace([':', '-'], "");
        let rev = self.ledger.blobs().put(&bytes)?;
        let path = files::publish(&folder, &format!("handoff-{stamp}-{}.md", &id[id.len() - 8..]), &bytes)?;
        let row = store::row_of_file(&path, &config.settings.limits)?;
        let event = NewEvent::new("published", (self.now)()).about(&row.identity, &rev).by("agent").with(json!({
            "path": path.display().to_string(),
            "bytes": bytes.len(),
            "profile": handoff.provenance.profile,
            "claims": claims,
            "by": { "host": self.caller.host, "parents": self.caller.parents },
        }));
        self.ledger.append::<Error>(event, |_| Ok(()))?;
        self.index.take_in_published(&config, (self.now)())?;
        let worktree = now.worktree.as_deref().map(Path::new).unwrap_or(&request.folder);
        let pointers = pointer::write_all(&config.profiles, &self.person, worktree, &handoff, &row.handle, &path)?;
        Ok(Published {
            id,
            handle: row.handle,
            path: path.display().to_string(),
            rev,
            pointers: pointers.iter().map(|path| path.display().to_string()).collect(),
            claims,
        })
    }

    /// The document with what code owns filled in, what the writer claimed otherwise, and the tree as seen.
    fn completed(&self, request: &PublishRequest<'_>, config: &Config) -> Result<(Handoff, Vec<String>, Now), Error> {
        let limits = &config.settings.limits;
        let refused = |reason: String| Error::NotPublished { reason };
        if request.document.len() > limits.file_bytes {
            return Err(refused(format!(
                "it has more than {} bytes (limits.file_bytes); shorten it",
                limits.file_bytes
            )));
        }
        let reading = handoff::read(&request.document, "handoff", limits);
        if !matches!(reading.format, Format::Canonical | Format::HandoffJson) {
            return Err(refused(
                "it is neither the canonical file (front matter with `fuda: 2`) nor Handoff JSON 1 or 2; fuda convert writes both"
                    .to_owned(),
            ));
        }
        if let Some(found) = reading.findings.iter().find(|found| found.code == "invalid-utf8") {
            let where_it_is = found.message.split(". ").next().unwrap_or_default();
            return Err(refused(format!("{where_it_is}; write it as UTF-8")));
        }
        if !matches!(reading.readable, Readable::Full | Readable::Partial) {
            return Err(refused(reading.reason.unwrap_or_else(|| "it cannot be read whole".to_owned())));
        }
        let mut handoff = reading.current().cloned().unwrap_or_default();
        if handoff.objective.as_ref().is_none_or(|objective| objective.text.trim().is_empty()) {
            return Err(refused("it has no objective; say what end state the user wants".to_owned()));
        }
        if let Some(over) = over_limit(&handoff, limits) {
            return Err(refused(over));
        }
        handoff::block_hash(&handoff, None, limits).map_err(|error| refused(error.to_string()))?;

        let mut claims = Claims::default();
        let now = self.tree_now(&request.folder);
        fill_in_tree(&mut handoff, &now, &mut claims);
        let provenance = &mut handoff.provenance;
        if let Some(profile) = profile_of(config, self.caller.agent.map(|(agent, _)| agent), request.environment) {
            claims.replace("profile", &mut provenance.profile, Some(profile.name.clone()));
            claims.replace("agent", &mut provenance.agent, Some(profile.agent.clone()));
        }
        let at_ms = (self.now)();
        let written = provenance.created_at.take().or_else(|| provenance.written_at.take());
        if let Some(written) = written {
            let near = written
                .parse::<jiff::Timestamp>()
                .is_ok_and(|written| (written.as_millisecond() - at_ms).abs() <= SAME_TIME_MS);
            if !near {
                claims.0.push(format!("time: {written} (published at {})", rfc3339(at_ms)));
            }
        }
        provenance.created_at = Some(rfc3339(at_ms));
        provenance.written_at = None;
        let cwd = request.folder.display().to_string();
        claims.replace("cwd", &mut provenance.cwd, Some(cwd));
        if let Some(declared) = handoff.id.take() {
            // The writer may be going on from a handoff that is known; then that is its parent.
            match self.index.get(&declared)? {
                Some(_) if handoff.provenance.parent.is_none() => handoff.provenance.parent = Some(declared),
                _ => claims.0.push(format!("id: {declared}")),
            }
        }
        Ok((handoff, claims.0, now))
    }

    /// The repository of a folder as it is, status and diff against HEAD included.
    pub(crate) fn tree_now(&self, folder: &Path) -> Now {
        let question = |handoff: Handoff| Question {
            handoff,
            repo: Some(folder.to_owned()),
            home: Some(self.person.clone()),
            ..Question::default()
        };
        let glance = self.worker.glance(&question(Handoff::default()), LOOK).now;
        let Some(head) = glance.head.clone() else { return glance };
        let at_head =
            Handoff { trees: vec![Tree { head: Some(Text::made(head)), ..Tree::default() }], ..Handoff::default() };
        self.worker.look(&question(at_head), LOOK).now
    }

    /// What was written must say the same when it is read: nothing is published that would be reviewed as something else.
    fn refuse_unless_it_reads_back(&self, handoff: &Handoff, bytes: &[u8], limits: &Limits) -> Result<(), Error> {
        let back = handoff::read(bytes, "handoff.md", limits);
        let lost: Vec<String> = handoff::survived(handoff, back.current().unwrap_or(&Handoff::default()))
            .into_iter()
            .filter(|field| !field.lost.is_empty())
            .map(|field| field.field)
            .collect();
        if back.readable == Readable::Full && lost.is_empty() {
            return Ok(());
        }
        let what = if lost.is_empty() { back.reason.unwrap_or_default() } else { lost.join(", ") };
        Err(Error::NotPublished { reason: format!("written as a file it would not read back the same: {what}") })
    }
}

/// What a writer said about fields that code owns, where code saw something else.
#[derive(Default)]
pub(crate) struct Claims(Vec<String>);

impl Claims {
    fn replace(&mut self, name: &str, field: &mut Option<String>, seen: Option<String>) {
        self.note(name, field.as_deref(), seen.as_deref());
        if seen.is_some() {
            *field = seen;
        }
    }

    fn replace_text(&mut self, name: &str, field: &mut Option<Text>, seen: Option<String>) {
        self.note(name, field.as_ref().map(|text| text.text.as_str()), seen.as_deref());
        *field = seen.map(Text::made);
    }

    fn note(&mut self, name: &str, claimed: Option<&str>, seen: Option<&str>) {
        let Some(claimed) = claimed.map(str::trim).filter(|claimed| !claimed.is_empty()) else { return };
        let same = seen.is_some_and(|seen| {
            // A commit may be abbreviated.
            seen == claimed || (name == "HEAD" && claimed.len() >= 7 && seen.starts_with(claimed))
        });
        if !same && seen.is_some() {
            self.0.push(format!("{name}: {claimed} (seen: {})", seen.unwrap_or("none")));
        }
    }
}

/// Puts the tree that was seen in the place of the one that the writer recorded for it.
pub(crate) fn fill_in_tree(handoff: &mut Handoff, now: &Now, claims: &mut Claims) {
    let Some(worktree) = now.worktree.clone() else { return };
    let same = |tree: &Tree| {
        let recorded = tree.worktree.as_ref().or(tree.root.as_ref());
        recorded.is_none_or(|path| Path::new(&path.text) == Path::new(&worktree))
    };
    let index = match handoff.trees.iter().position(same) {
        Some(index) => index,
        None if handoff.trees.len() == 1 => 0,
        None => {
            handoff.trees.insert(0, Tree::default());
            0
        }
    };
    let tree = &mut handoff.trees[index];
    let root = now.main_worktree.clone().unwrap_or_else(|| worktree.clone());
    claims.replace_text("root", &mut tree.root, Some(root));
    claims.replace_text("worktree", &mut tree.worktree, now.main_worktree.as_ref().map(|_| worktree));
    claims.replace_text("branch", &mut tree.branch, now.branch.clone());
    claims.replace_text("HEAD", &mut tree.head, now.head.clone());
    claims.replace_text("status", &mut tree.status, now.status.map(|status| status_words(&status)));
    let diff = now
        .diff
        .filter(|diff| diff.files > 0)
        .map(|diff| format!("{} files, +{} -{}", diff.files, diff.insertions, diff.deletions));
    claims.replace_text("diff", &mut tree.diff, diff);
    tree.detached = now.detached;
    tree.subject = None;
    tree.changed = Vec::new();
}

/// The profile in whose environment the writer runs: named outright, else the one whose folder the agent's own
/// variable names, else the only one of that agent.
fn profile_of<'a>(
    config: &'a Config,
    agent: Option<&str>,
    environment: &dyn Fn(&str) -> Option<String>,
) -> Option<&'a Profile> {
    if let Some(name) = environment("FUDA_PROFILE") {
        return config.profiles.iter().find(|profile| profile.name == name);
    }
    let agent = agent.map(|agent| match agent {
        "Claude Code" => "claude-code".to_owned(),
        "oh-my-pi" => "omp".to_owned(),
        other => other.to_lowercase(),
    })?;
    let own: Vec<&Profile> = config.profiles.iter().filter(|profile| profile.agent == agent).collect();
    let folders: Vec<String> =
        ["CLAUDE_CONFIG_DIR", "CODEX_HOME", "PI_CODING_AGENT_DIR", "OMP_AGENT_DIR", "GEMINI_HOME", "QWEN_HOME"]
            .iter()
            .filter_map(|variable| environment(variable))
            .collect();
    let home = environment("HOME").map(PathBuf::from).unwrap_or_default();
    own.iter()
        .find(|profile| {
            profile.root_paths(&home).iter().any(|root| folders.iter().any(|folder| root == Path::new(folder)))
        })
        .or_else(|| own.first().filter(|_| own.len() == 1))
        .copied()
}

/// The folder of the shared store: the repository's name, `other` without one.
fn group(now: &Now, folder: &Path) -> String {
    let root = now.main_worktree.as_deref().or(now.worktree.as_deref()).map(Path::new).unwrap_or(folder);
    let name = root.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    let safe: String =
        name.chars().map(|letter| if letter == '/' || letter.is_control() { '-' } else { letter }).collect();
    let safe = safe.trim_start_matches('.').to_owned();
    if safe.is_empty() { "other".to_owned() } else { safe }
}

/// The first limit that the document is over, with figures. What a reader would do about it is not said: nothing is read.
fn over_limit(handoff: &Handoff, limits: &Limits) -> Option<String> {
    let over = handoff::over_limits(handoff, limits).into_iter().next()?;
    over.message.split(". ").next().map(str::to_owned)
}
