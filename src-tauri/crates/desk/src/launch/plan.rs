//! What will be started, made before anything is: command, folder, environment names, private files, and each rule of
//! the safety boundary with its grade. Making a plan starts nothing and writes nothing.

use super::boundary::{Kind, Meaning, meaning};
use super::command::Command;
use super::{Agent, StreamKind, narrowing, widening};
use crate::Error;
use handoff::{Item, Safety};
use serde::{Deserialize, Serialize};
use std::path::{Path, PathBuf};
use ts_rs::TS;

/// How the block reaches the agent.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
pub enum Deliver {
    /// A sealed file on standard input.
    #[default]
    Stdin,
    /// The path of a private copy that can only be read.
    Path,
}

/// Which list of the boundary a rule stands in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
pub enum Field {
    /// May be done alone.
    May,
    /// Needs a person.
    Ask,
    /// Never.
    Never,
}

/// What holds a rule up.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
pub enum Grade {
    /// Enforced by a sandbox of the operating system.
    Sandbox,
    /// Refused by the agent's rule, which can be bypassed.
    AgentRule,
    /// A person is asked at the desk during the run, by the agent's rule, which can be bypassed.
    AskedHere,
    /// Words only: the agent is told and nothing else.
    WordsOnly,
}

/// A rule of the boundary as it will be held.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct Rule {
    /// As written.
    pub text: String,
    /// Which list it stands in.
    pub field: Field,
    /// What holds it up; the weakest of its parts.
    pub grade: Grade,
    /// How, in one or two sentences.
    pub how: String,
}

/// A variable that is set or taken away for the agent. Its value stays in this program.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct EnvChange {
    /// Its name.
    pub name: String,
    /// Whether it is taken away.
    pub removed: bool,
    /// Why.
    pub why: String,
    /// What it is set to.
    #[serde(skip)]
    #[ts(skip)]
    pub value: Option<String>,
}

/// A file that is written into the run folder before the start, for its owner only.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct PrivateFile {
    /// Its name in the run folder; never made of a document's text.
    pub name: String,
    /// What it holds.
    pub contents: String,
}

/// What the agent has to report at its start.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct Expected {
    /// Modes that were not approved, as the agent names them.
    pub modes_refused: Vec<String>,
    /// Tools that must not be there. A `*` at the end stands for anything.
    pub tools_refused: Vec<String>,
    /// The oldest version of the agent that knows what is asked of it.
    pub version_at_least: Option<String>,
}

/// What will be started.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct Plan {
    /// Which agent, as profiles name it.
    pub agent: String,
    /// Program and arguments. No shell.
    pub argv: Vec<String>,
    /// Where it runs.
    #[ts(type = "string")]
    pub folder: PathBuf,
    /// Private files and the log lie here.
    #[ts(type = "string")]
    pub run_folder: PathBuf,
    /// Changes of the environment.
    pub environment: Vec<EnvChange>,
    /// How the block is handed over.
    pub deliver: Deliver,
    /// The boundary, rule by rule.
    pub rules: Vec<Rule>,
    /// What the agent prints.
    pub stream: StreamKind,
    /// Files it needs.
    pub files: Vec<PrivateFile>,
    /// What is compared with the agent's report at its start.
    pub expected: Expected,
    /// What a person should know before the start, one sentence each.
    pub notes: Vec<String>,
}

/// How an agent's questions reach a person during its run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Asking {
    /// The program `fuda`.
    pub program: PathBuf,
    /// What it has to know: names and paths of ours.
    pub environment: Vec<(String, String)>,
}

/// What a plan is made from.
pub struct Request<'a> {
    /// The profile's agent.
    pub agent: &'a str,
    /// The profile's `launch`, or what stands behind `--`. Empty: the agent's default.
    pub launch: &'a [String],
    /// The profile's `deliver`.
    pub deliver: Option<&'a str>,
    /// The approved boundary.
    pub safety: &'a Safety,
    /// The approved folder.
    pub folder: &'a Path,
    /// A folder for this run below `FUDA_HOME`, named by nothing of the document. It need not exist yet.
    pub run_folder: &'a Path,
    /// The person's home.
    pub home: &'a Path,
    /// The environment that the agent would inherit.
    pub environment: &'a dyn Fn(&str) -> Option<String>,
    /// What the agent's help says; see [`super::help_of`]. Nothing: flags are added unasked, and an agent that does
    /// not know one ends before it begins.
    pub help: Option<&'a str>,
    /// How a person can be asked during the run. Nothing: nobody can, and what needs a person is refused.
    pub asking: Option<&'a Asking>,
}

/// The file that an interactive agent is pointed to.
pub(crate) const BLOCK: &str = "block.md";

/// Makes the plan.
///
/// # Errors
/// [`Error::Widening`] when the command gives the agent more than it would have by itself; [`Error::Usage`] when there
/// is no command; [`Error::CannotNarrow`] when the agent could climb out of any boundary as configured.
pub fn plan(request: &Request<'_>) -> Result<Plan, Error> {
    let named = Agent::named(request.agent);
    let argv = if request.launch.is_empty() { named.default_command() } else { request.launch.to_vec() };
    let mut command = Command::new(named, argv)?;
    let agent = command.agent;
    widening::check(&command, request)?;

    let meanings = meanings(request.safety);
    let kinds = wanted(&meanings, agent);
    let asked = if request.asking.is_some() { asked(&meanings, &kinds) } else { Vec::new() };
    let narrowed = narrowing::narrow(&mut command, request, &kinds, &asked)?;
    let rules = meanings.iter().map(|one| graded(one, &kinds, &narrowed, agent)).collect();

    let deliver = if request.deliver == Some("path") { Deliver::Path } else { Deliver::Stdin };
    let stream = if !narrowed.through.is_empty() {
        command.argv.splice(0..0, narrowed.through);
        command.program += 3;
        StreamKind::Acp
    } else if deliver == Deliver::Path {
        StreamKind::Plain
    } else {
        structured(&mut command)
    };
    if deliver == Deliver::Path {
        point_to_block(&mut command, &request.run_folder.join(BLOCK));
    }
    let mut notes = narrowed.notes;
    if !command.own_program && agent != Agent::Generic {
        notes.push(format!(
            "{} is not {}'s own program. Fuda adds its flags and cannot see what else it does.",
            command.argv[command.program],
            agent.title()
        ));
    }
    let mut environment = narrowed.environment;
    for (name, why) in widening::inherited(agent, request.environment) {
        environment.push(EnvChange { name: name.to_owned(), removed: true, why: why.to_owned(), value: None });
    }
    Ok(Plan {
        agent: agent.id().to_owned(),
        argv: command.argv,
        folder: request.folder.to_owned(),
        run_folder: request.run_folder.to_owned(),
        environment,
        deliver,
        rules,
        stream,
        files: narrowed.files,
        expected: narrowed.expected,
        notes,
    })
}

struct Understood<'a> {
    item: &'a Item,
    field: Field,
    meaning: Meaning,
    /// A narrower rule about something that is permitted elsewhere: which branch is meant cannot be told.
    clashes: bool,
}

fn meanings(safety: &Safety) -> Vec<Understood<'_>> {
    let permitted: Vec<Kind> = safety.may.iter().flat_map(|item| meaning(&item.text).named).collect();
    let lists = [(Field::May, &safety.may), (Field::Ask, &safety.ask), (Field::Never, &safety.never)];
    let items = lists.into_iter().flat_map(|(field, items)| items.iter().map(move |item| (field, item)));
    items
        .map(|(field, item)| {
            let meaning = meaning(&item.text);
            let clashes = meaning.qualified && meaning.kinds.iter().any(|kind| permitted.contains(kind));
            Understood { item, field, meaning, clashes }
        })
        .collect()
}

/// Everything that is to be refused, once each.
fn wanted(meanings: &[Understood<'_>], agent: Agent) -> Vec<Kind> {
    let mut kinds = Vec::new();
    for one in meanings.iter().filter(|one| one.field != Field::May && !one.clashes && agent != Agent::Generic) {
        for kind in &one.meaning.kinds {
            if !kinds.contains(kind) {
                kinds.push(kind.clone());
            }
        }
    }
    kinds
}

/// What a person may still allow during the run: what needs one, and is not refused outright elsewhere.
fn asked(meanings: &[Understood<'_>], kinds: &[Kind]) -> Vec<Kind> {
    let needs_one = |one: &&Understood<'_>| one.field == Field::Ask || one.meaning.approval;
    let refused = |kind: &Kind| {
        meanings
            .iter()
            .any(|one| one.field == Field::Never && !one.meaning.approval && one.meaning.kinds.contains(kind))
    };
    let asked = |kind: &&Kind| meanings.iter().filter(needs_one).any(|one| one.meaning.kinds.contains(kind));
    kinds.iter().filter(asked).filter(|kind| !refused(kind)).cloned().collect()
}

fn graded(one: &Understood<'_>, kinds: &[Kind], narrowed: &narrowing::Narrowing, agent: Agent) -> Rule {
    let rule = |grade: Grade, how: String| Rule { text: one.item.text.clone(), field: one.field, grade, how };
    if one.field == Field::May {
        return rule(Grade::WordsOnly, "The agent is told so. Fuda gives it no permission for it.".to_owned());
    }
    let mut grade = Grade::Sandbox;
    let mut how: Vec<String> = Vec::new();
    let mut is_asked = false;
    for kind in &one.meaning.kinds {
        let effect = kinds.iter().position(|wanted| wanted == kind).and_then(|at| narrowed.effects.get(at));
        match effect.filter(|_| !one.clashes) {
            Some(effect) => {
                grade = grade.max(effect.grade);
                is_asked |= effect.grade == Grade::AskedHere;
                if !how.contains(&effect.how) {
                    how.push(effect.how.clone());
                }
            }
            None => grade = Grade::WordsOnly,
        }
    }
    if one.clashes {
        how.push("It is allowed elsewhere, and which branch or place is meant cannot be told by a rule.".to_owned());
    }
    let real = !how.is_empty() && grade != Grade::WordsOnly;
    if one.meaning.kinds.is_empty() {
        how.push(if agent == Agent::Generic {
            "Fuda knows no narrowing for this command.".to_owned()
        } else {
            "No rule of an agent can say this.".to_owned()
        });
        grade = Grade::WordsOnly;
    } else if one.meaning.rest {
        how.push("The rest of the sentence is words only.".to_owned());
        grade = Grade::WordsOnly;
    }
    if !is_asked && (one.field == Field::Ask || (one.meaning.approval && !one.meaning.kinds.is_empty())) {
        how.push(
            if real {
                "It is refused, not asked: nobody is asked during this run."
            } else {
                "Nobody is asked during this run."
            }
            .to_owned(),
        );
    }
    rule(grade, how.join(" "))
}

/// Asks for structured output where the command leaves the form open, and says what will come.
fn structured(command: &mut Command) -> StreamKind {
    let agent = command.agent;
    let formats: (&[&str], &[&str], &[&str]) = match agent {
        Agent::ClaudeCode => (&["--output-format"], &["stream-json"], &["--output-format", "stream-json"]),
        Agent::Gemini | Agent::Qwen => {
            (&["-o", "--output-format"], &["stream-json"], &["--output-format", "stream-json"])
        }
        Agent::Pi | Agent::Omp | Agent::MusePi => (&["--mode"], &["json"], &["--mode", "json"]),
        Agent::Opencode => (&["--format"], &["json"], &["--format", "json"]),
        Agent::Goose => (&["--output-format"], &["stream-json"], &["--output-format", "stream-json"]),
        Agent::Codex | Agent::Amp | Agent::Generic => (&[], &[], &[]),
    };
    let (flags, values, add) = formats;
    let words = |words: &[&str]| words.iter().map(|word| (*word).to_owned()).collect::<Vec<_>>();
    match agent {
        Agent::Generic => return StreamKind::Plain,
        Agent::Codex if !command.has(&["exec", "e"]) => return StreamKind::Plain,
        Agent::Codex if !command.has(&["--json", "--experimental-json"]) => {
            let exec = if command.has(&["exec"]) { "exec" } else { "e" };
            command.insert_behind(exec, words(&["--json"]));
        }
        Agent::Amp if !command.has(&["--stream-json"]) => return StreamKind::Plain,
        Agent::Codex | Agent::Amp => {}
        Agent::ClaudeCode if !command.has(&["-p", "--print"]) => return StreamKind::Plain,
        Agent::Goose | Agent::Opencode if !command.has(&["run"]) => return StreamKind::Plain,
        _ => match command.value(flags) {
            Some(value) if values.contains(&value.as_str()) => {}
            Some(_) => return StreamKind::Plain,
            None if matches!(agent, Agent::Goose | Agent::Opencode) => command.insert_behind("run", words(add)),
            None => command.insert(words(add)),
        },
    }
    if agent == Agent::ClaudeCode && !command.has(&["--verbose"]) {
        command.insert(words(&["--verbose"]));
    }
    agent.structured()
}

/// Names the private copy to an interactive agent: where the command says `{path}`, else in one sentence of ours.
fn point_to_block(command: &mut Command, block: &Path) {
    let path = block.to_string_lossy();
    if command.argv.iter().any(|word| word.contains("{path}")) {
        for word in &mut command.argv {
            *word = word.replace("{path}", &path);
        }
    } else if command.agent == Agent::Generic {
        command.argv.push(path.into_owned());
    } else {
        command.argv.push(format!("Read the file {path} first: it is the approved handoff to go on from."));
    }
}
