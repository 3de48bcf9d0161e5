//! The handoffs that a session carries, and what the session knows about them.

use super::records::Session;
use crate::formats::markdown::kind_of;
use crate::headings::classify;
use crate::{Artifact, Handoff};
use serde_json::Value;

/// How a handoff got into the session.
#[derive(Clone, Copy, PartialEq, Eq)]
enum How {
    /// A message of type `handoff` at the start of a new session.
    Message,
    /// oh-my-pi's compaction by handoff, in place.
    Compaction,
    /// A compaction of MusePi.
    Summary,
    /// The first thing that a person sent in a session that continues another.
    Prompt,
}

/// A handoff as it stands in a session.
pub(super) struct Carried {
    text: String,
    how: How,
    line: usize,
    at: Option<String>,
    model: Option<String>,
    /// Paths and whether the session changed them.
    files: Vec<(String, bool)>,
    agent: &'static str,
}

/// How the place of a superseded document is marked: its text is lost.
const ELIDED: &str = "[Superseded compaction summary elided";

/// The handoffs of a session, oldest first.
pub(super) fn carried(session: &Session, name: &str) -> Vec<Carried> {
    let agent = agent(session, name);
    let mut found: Vec<Carried> = Vec::new();
    let mut model: Option<String> = None;
    let mut spoken = false;
    for (line, record) in &session.records {
        let text_of = |key: &str| record.get(key).and_then(Value::as_str);
        let one = match text_of("type") {
            Some("model_change") => {
                model = model_of(record).or(model);
                None
            }
            Some("custom_message") if text_of("customType") == Some("handoff") => {
                record.get("content").and_then(words).map(|text| (unwrapped(&text), How::Message))
            }
            Some("compaction") => {
                let how = match text_of("method") {
                    Some("handoff") => Some(How::Compaction),
                    None if agent == "musepi" => Some(How::Summary),
                    _ => None,
                };
                how.and_then(|how| text_of("summary").map(|text| (text.to_owned(), how)))
            }
            Some("message") => message(record, session, &mut spoken),
            _ => None,
        };
        let Some((text, how)) = one else { continue };
        let (text, mut files) = without_files(text.trim_end());
        if text.trim().is_empty() || text.starts_with(ELIDED) {
            continue;
        }
        listed(record, &mut files);
        let in_place = matches!(how, How::Compaction | How::Summary);
        found.push(Carried {
            text: text.to_owned(),
            how,
            line: *line,
            at: text_of("timestamp").map(str::to_owned),
            // The model that wrote a handoff for another session worked in that one's.
            model: model.clone().filter(|_| in_place),
            files,
            agent,
        });
    }
    found
}

fn agent(session: &Session, name: &str) -> &'static str {
    let name = name.to_lowercase();
    let of_omp = |record: &Value| record.get("attribution").is_some() || record.get("method").is_some();
    if name.contains(".musepi") {
        "musepi"
    } else if session.slot || name.contains(".omp/") || session.records.iter().any(|(_, record)| of_omp(record)) {
        "omp"
    } else {
        "pi"
    }
}

/// A message that is a handoff: an old hook's, or the first prompt of a session that continues another.
fn message(record: &Value, session: &Session, spoken: &mut bool) -> Option<(String, How)> {
    let message = record.get("message")?;
    let role = message.get("role").and_then(Value::as_str)?;
    if matches!(role, "hookMessage" | "custom") {
        let named = message.get("customType").and_then(Value::as_str) == Some("handoff");
        return named
            .then(|| message.get("content").and_then(words))
            .flatten()
            .map(|text| (unwrapped(&text), How::Message));
    }
    if role != "user" || std::mem::replace(spoken, true) {
        return None;
    }
    session.named("parentSession")?;
    let text = message.get("content").and_then(words)?;
    let names = text.lines().filter_map(heading).filter(|name| !classify(name).is_empty()).count();
    (names >= 2).then_some((text, How::Prompt))
}

/// A line that names what stands below it.
fn heading(line: &str) -> Option<&str> {
    let line = line.trim();
    let bold = line.strip_prefix("**").and_then(|rest| rest.trim_end_matches(':').strip_suffix("**"));
    bold.or_else(|| line.strip_prefix('#').map(|rest| rest.trim_start_matches('#').trim()))
}

/// A string, or the texts of a list of blocks.
fn words(content: &Value) -> Option<String> {
    match content {
        Value::String(text) => Some(text.clone()),
        Value::Array(blocks) => {
            let texts: Vec<&str> =
                blocks.iter().filter_map(|block| block.get("text").and_then(Value::as_str)).collect();
            (!texts.is_empty()).then(|| texts.join("\n\n"))
        }
        _ => None,
    }
}

/// What stands between the tags that oh-my-pi puts around a document; all of it when there are none.
fn unwrapped(text: &str) -> String {
    let inside = text
        .split_once("<handoff-context>")
        .map(|(_, rest)| rest.rsplit_once("</handoff-context>").map_or(rest, |(inside, _)| inside));
    inside.unwrap_or(text).trim().to_owned()
}

/// The document without the list of files that oh-my-pi appends, and that list: a tree under `# dir/` lines.
fn without_files(text: &str) -> (&str, Vec<(String, bool)>) {
    let Some((document, list)) = text
        .strip_suffix("</files>")
        .and_then(|text| text.rsplit_once("<files>"))
        .filter(|(_, list)| !list.contains("##"))
    else {
        return (text, Vec::new());
    };
    let mut folder = "";
    let mut files = Vec::new();
    for line in list.lines().map(str::trim).filter(|line| !line.is_empty()) {
        if let Some(name) = line.strip_prefix("# ") {
            folder = name.trim_end_matches('/');
        } else if let Some((name, access)) = line.strip_suffix(')').and_then(|line| line.rsplit_once(" (")) {
            let path = if folder.is_empty() || folder == "." { name.to_owned() } else { format!("{folder}/{name}") };
            files.push((path, access != "Read"));
        }
    }
    (document.trim_end(), files)
}

/// The files that the record names beside its text.
fn listed(record: &Value, files: &mut Vec<(String, bool)>) {
    for (key, changed) in [("modifiedFiles", true), ("readFiles", false)] {
        let names = record.get("details").and_then(|details| details.get(key)).and_then(Value::as_array);
        for path in names.into_iter().flatten().filter_map(Value::as_str) {
            if !files.iter().any(|(known, _)| known == path) {
                files.push((path.to_owned(), changed));
            }
        }
    }
}

fn model_of(record: &Value) -> Option<String> {
    let text = |key: &str| record.get(key).and_then(Value::as_str);
    let fallback = text("role") == Some("fallback");
    let whole = text("model").map(str::to_owned);
    let parts = || Some(format!("{}/{}", text("provider")?, text("modelId")?));
    whole.or_else(parts).filter(|_| !fallback)
}

impl Carried {
    /// The document as oh-my-pi saves it beside a session.
    pub(super) fn document(&self) -> String {
        format!("{}\n", self.text)
    }

    /// Where it stands, for a person.
    pub(super) fn place(&self) -> String {
        let how = match self.how {
            How::Message => "as a message of type handoff",
            How::Compaction => "as a compaction by handoff",
            How::Summary => "as the summary of a compaction",
            How::Prompt => "as the first prompt",
        };
        format!("It stands in line {} of the session, {how}. Places count the bytes of its text.", self.line)
    }

    /// Why it may be no handoff.
    pub(super) fn doubt(&self) -> Option<&'static str> {
        match self.how {
            How::Summary => {
                Some("The agent wrote this for itself when its context was full. Nobody asked for a handoff.")
            }
            How::Prompt => Some("A person sent this text to begin the session. They may have changed it."),
            How::Message | How::Compaction => None,
        }
    }

    /// Adds what the session knows and the document does not say.
    pub(super) fn tell(&self, session: &Session, handoff: &mut Handoff) {
        let provenance = &mut handoff.provenance;
        let own = |value: Option<&str>| value.map(str::to_owned);
        let parent = session.named("parentSession");
        let from_parent = matches!(self.how, How::Message | How::Prompt);
        let session_id = parent.filter(|_| from_parent).map(id_in).or(session.named("id"));
        provenance.agent.get_or_insert_with(|| self.agent.to_owned());
        provenance.session = provenance.session.take().or_else(|| own(session_id));
        provenance.cwd = provenance.cwd.take().or_else(|| own(session.named("cwd")));
        provenance.model = provenance.model.take().or_else(|| self.model.clone());
        provenance.written_at =
            provenance.written_at.take().or_else(|| self.at.clone().or_else(|| own(session.named("timestamp"))));
        for (path, changed) in &self.files {
            if handoff.artifacts.iter().any(|artifact| artifact.reference == *path) {
                continue;
            }
            handoff.artifacts.push(Artifact {
                name: path.clone(),
                kind: kind_of(path),
                reference: path.clone(),
                span: None,
                note: Some(if *changed { "changed in the session" } else { "read in the session" }.to_owned()),
            });
        }
    }
}

/// The id of a session that is named by its file or by the id itself.
fn id_in(parent: &str) -> &str {
    let name = parent.rsplit(['/', '\\']).next().unwrap_or(parent);
    let stem = name.strip_suffix(".jsonl").unwrap_or(name);
    stem.rsplit_once('_').map_or(stem, |(_, id)| id)
}
