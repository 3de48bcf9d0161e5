//! What an agent's own hooks do at the desk: at a session's start they offer what is approved for its repository, and
//! at a usage limit or before a compaction they leave a handoff behind. A hook approves nothing and claims nothing.
//!
//! The input is an agent's: data, of which a path and a few words are used. What is published is composed here from the
//! session's transcript, since nothing else may be left to write it: the person's first words, the plan that the agent
//! kept, its last words. None of it was checked, and it says so.

mod transcript;

use crate::launch::Agent;
use crate::publish::PublishRequest;
use crate::view::{ListName, Published, State};
use crate::{Desk, Error, Filter};
use handoff::{Artifact, Handoff, Item, ItemState, Limits, Section, Text};
use serde::Deserialize;
use std::path::PathBuf;
use transcript::Transcript;

/// So many handoffs are named in one offer.
const OFFERED: usize = 3;

/// What an agent gives its hooks on standard input, as far as it is used. Claude Code and Codex name the fields so; an
/// extension for pi says the same.
#[derive(Clone, Debug, Default, Deserialize)]
pub struct HookInput {
    /// Which hook it is: `SessionStart`, `PreCompact`, `StopFailure`, `SessionEnd`.
    pub hook_event_name: String,
    /// The session.
    #[serde(default)]
    pub session_id: Option<String>,
    /// Its transcript.
    #[serde(default)]
    pub transcript_path: Option<PathBuf>,
    /// Where it works.
    pub cwd: PathBuf,
    /// Why a session starts: `startup`, `resume`, `clear`, `compact`.
    #[serde(default)]
    pub source: Option<String>,
    /// The model.
    #[serde(default)]
    pub model: Option<String>,
    /// Why a turn failed.
    #[serde(default)]
    pub error: Option<String>,
    /// More of that.
    #[serde(default)]
    pub error_details: Option<String>,
    /// What the agent said last.
    #[serde(default)]
    pub last_assistant_message: Option<String>,
}

/// What came of a hook.
#[derive(Clone, Debug)]
pub enum Hooked {
    /// Nothing is to be done or said.
    Nothing,
    /// Words for the session that starts.
    Offer(String),
    /// A handoff was published.
    Published(Box<Published>),
}

impl Desk {
    /// Does what a hook of this agent is for.
    ///
    /// # Errors
    /// [`Error::NotPublished`] when the session said nothing that could be handed over; as [`Desk::publish`].
    pub fn hook(
        &self,
        agent: &str,
        input: &HookInput,
        environment: &dyn Fn(&str) -> Option<String>,
    ) -> Result<Hooked, Error> {
        match input.hook_event_name.as_str() {
            // What Fuda started was given its handoff; what goes on in the same session needs none.
            "SessionStart" if environment(crate::HANDOFF).is_some() => Ok(Hooked::Nothing),
            "SessionStart" if matches!(input.source.as_deref(), Some("resume" | "compact" | "fork")) => {
                Ok(Hooked::Nothing)
            }
            "SessionStart" => Ok(self.offer(agent, &input.cwd)?.map_or(Hooked::Nothing, Hooked::Offer)),
            "PreCompact" => self.leave(agent, input, "context compaction", None, environment),
            "StopFailure" | "SessionEnd" => match self.limit(agent, input) {
                Some(limit) => self.leave(agent, input, "usage limit", limit.resets_at, environment),
                None => Ok(Hooked::Nothing),
            },
            _ => Ok(Hooked::Nothing),
        }
    }

    /// Names what is approved for the repository of a folder, and how one executor takes it. No word of a document is
    /// in it: what was approved comes as a file, to the one who claims it.
    fn offer(&self, agent: &str, folder: &std::path::Path) -> Result<Option<String>, Error> {
        let now = self.tree_now(folder);
        let places: Vec<PathBuf> = [now.worktree, now.main_worktree, Some(folder.display().to_string())]
            .into_iter()
            .flatten()
            .map(Into::into)
            .collect();
        let mut handles = Vec::new();
        for repo in places {
            let filter =
                Filter { list: ListName::All, repo: Some(repo), state: Some(State::Approved), ..Filter::default() };
            for row in self.handoffs(&filter)?.rows {
                // The file may have changed since; then its approval has lapsed.
                if !handles.contains(&row.handle) && self.opened(&row.handle)?.standing.state == State::Approved {
                    handles.push(row.handle);
                }
            }
        }
        let Some(first) = handles.first() else { return Ok(None) };
        let more = match handles.get(1..OFFERED.min(handles.len())) {
            Some([]) | None => String::new(),
            Some(others) => format!(" Others wait too: {}.", others.join(", ")),
        };
        Ok(Some(format!(
            "An approved handoff waits for this repository in Fuda: {first}.{more} `fuda render {first}` shows it. \
             If this session is to go on from it, claim it before anything else: `fuda --json claim {first} --by {agent} --lease 3600`. \
             One executor gets it; the answer names block_path: read that file and work from it, and look at the tree first. \
             Say `fuda heartbeat {first} --token TOKEN` at least once an hour, and at the end \
             `fuda finish {first} --token TOKEN --outcome done` (or failed, or returned with --note). \
             If this session is about something else, leave it."
        )))
    }

    /// The limit that ended a turn, when one did: in the words of the hook, else at the end of the transcript.
    fn limit(&self, agent: &str, input: &HookInput) -> Option<Limit> {
        let said = [&input.error, &input.error_details, &input.last_assistant_message];
        let said: Vec<&str> = said.into_iter().flatten().map(String::as_str).collect();
        if input.error.is_some() {
            let limited = said.iter().any(|words| crate::launch::speaks_of_a_limit(words));
            let resets_at = said.iter().find_map(|words| crate::launch::resets_at(words, (self.now)()));
            return limited.then_some(Limit { resets_at });
        }
        let read = Transcript::read(Agent::named(agent), input.transcript_path.as_deref()?).ok()?;
        let told = || crate::launch::resets_at(read.limit_words.as_deref()?, (self.now)());
        read.limited.then(|| Limit { resets_at: read.resets_at.clone().or_else(told) })
    }

    fn leave(
        &self,
        agent: &str,
        input: &HookInput,
        reason: &str,
        resets_at: Option<String>,
        environment: &dyn Fn(&str) -> Option<String>,
    ) -> Result<Hooked, Error> {
        let nothing = |reason: &str| Error::NotPublished { reason: reason.to_owned() };
        let path = input.transcript_path.as_deref().ok_or_else(|| nothing("the hook names no transcript"))?;
        let read = Transcript::read(Agent::named(agent), path)
            .map_err(|error| nothing(&format!("the transcript {} cannot be read: {error}", path.display())))?;
        let objective = read.first_words.as_deref().ok_or_else(|| {
            nothing(&format!(
                "the transcript {} holds no words of a person, so nothing says what is wanted",
                path.display()
            ))
        })?;
        let limits = self.config()?.settings.limits;
        let mut left = composed(objective, &read, path, &limits);
        left.provenance.agent = Some(agent.to_owned());
        left.provenance.session = input.session_id.clone();
        left.provenance.model = input.model.clone().or_else(|| read.model.clone());
        left.provenance.turns = Some(read.turns);
        left.provenance.reason = Some(reason.to_owned());
        left.provenance.resets_at = resets_at;
        left.provenance.parent = environment(crate::HANDOFF).map(|held| self.declared(&held));
        let request = PublishRequest {
            document: handoff::write_canonical(&left).into_bytes(),
            folder: std::fs::canonicalize(&input.cwd).unwrap_or_else(|_| input.cwd.clone()),
            environment,
        };
        Ok(Hooked::Published(Box::new(self.publish(&request)?)))
    }

    /// The id that a handoff declares, else its handle: what a later one names as its parent.
    fn declared(&self, handle: &str) -> String {
        self.opened(handle).ok().and_then(|opened| opened.row.id).unwrap_or_else(|| handle.to_owned())
    }
}

struct Limit {
    resets_at: Option<String>,
}

/// The handoff of a session, within the limits: what does not fit is cut and said to stand in the transcript.
fn composed(objective: &str, read: &Transcript, path: &std::path::Path, limits: &Limits) -> Handoff {
    let cut = |text: &str, most: usize| {
        let text = text.trim();
        if text.chars().count() <= most {
            return text.to_owned();
        }
        const REST: &str = " … (the rest is in the transcript)";
        let kept: String = text.chars().take(most.saturating_sub(REST.chars().count())).collect();
        format!("{kept}{REST}")
    };
    let item = |text: &str| Item::made(cut(text, limits.item_chars));
    let mut handoff =
        Handoff { objective: Some(Text::made(cut(objective, limits.objective_chars))), ..Handoff::default() };
    handoff.unverified.push(Item::made(
        "A hook wrote this handoff from the session's transcript, not the model: nothing in it was checked, and the objective is the person's first message.",
    ));
    for (text, state) in read.plan.iter().filter(|(text, _)| !text.trim().is_empty()).take(limits.list_items) {
        let list = if *state == ItemState::Done { &mut handoff.done } else { &mut handoff.next };
        list.push(Item { state: Some(*state), ..item(text) });
    }
    for (heading, words) in
        [("Last message of the person", &read.last_words), ("Last words of the agent", &read.answered)]
    {
        if let Some(words) = words.as_deref().filter(|words| !words.trim().is_empty()) {
            // Quoted, so that no line of it is a heading of ours.
            let text = cut(words, limits.objective_chars)
                .lines()
                .map(|line| format!("> {line}"))
                .collect::<Vec<_>>()
                .join("\n");
            handoff.extra.push(Section { heading: heading.to_owned(), text, span: None });
        }
    }
    handoff.artifacts.push(Artifact {
        name: "the session's transcript".to_owned(),
        kind: Some("session".to_owned()),
        reference: path.display().to_string(),
        ..Artifact::default()
    });
    handoff
}
