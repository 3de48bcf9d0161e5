//! Every field of the document as lines of the block, in the order in which a reader needs them.

use super::Cut;
use crate::write::box_mark;
use crate::{Artifact, Decision, Found, Handoff, Item, ItemState, Limits, Rejected, Text, Tree};

/// Characters of one section that is no known field, as a multiple of an item's.
const EXTRA_ITEMS: usize = 8;
/// What a text keeps at least when the block is over its limit.
const KEPT_CHARS: usize = 60;

/// How much each kind of content may take.
pub(super) struct Room {
    objective: usize,
    extra: usize,
    item: usize,
    list: usize,
}

impl Room {
    /// The room at a level of cutting: sections of no known field give way first, the objective last.
    pub(super) fn at(limits: &Limits, level: u32) -> Self {
        let halved = |size: usize, times: u32| size.checked_shr(times).unwrap_or(0);
        Self {
            objective: halved(limits.objective_chars, level / 4).max(KEPT_CHARS.min(limits.objective_chars)),
            extra: halved(limits.item_chars.saturating_mul(EXTRA_ITEMS), level).max(KEPT_CHARS.min(limits.item_chars)),
            item: halved(limits.item_chars, level / 2).max(KEPT_CHARS.min(limits.item_chars)),
            list: halved(limits.list_items, level / 2),
        }
    }
}

/// Writes the lines and remembers what it cut.
pub(super) struct Writer {
    out: String,
    cut: Vec<Cut>,
    room: Room,
}

impl Writer {
    pub(super) fn new(room: Room) -> Self {
        Self { out: String::new(), cut: Vec::new(), room }
    }

    pub(super) fn finish(self) -> (String, Vec<Cut>) {
        (self.out, self.cut)
    }

    pub(super) fn fields(&mut self, handoff: &Handoff) {
        let words = |text: &Option<Text>| text.as_ref().map(|text| text.text.clone());
        self.line("Id", handoff.id.clone());
        self.line("Title", words(&handoff.title));
        self.line("Status", words(&handoff.status));
        self.provenance(handoff);
        if let Some(objective) = &handoff.objective {
            let text = self.shortened("objective", &objective.text, self.room.objective);
            self.section("Objective", &text);
        }
        self.safety(handoff);
        self.whole("Constraints", handoff.constraints.iter().map(item).collect());
        self.list("Remaining work", "next", handoff.next.iter().map(work).collect());
        self.list("Done", "done", handoff.done.iter().map(done).collect());
        let (facts, claims): (Vec<&Item>, Vec<&Item>) = handoff.facts.iter().partition(|fact| fact.evidence.is_some());
        self.list("Verified facts", "facts", facts.into_iter().map(fact).collect());
        self.list("Claims without evidence", "facts", claims.into_iter().map(item).collect());
        self.list("Unverified", "unverified", handoff.unverified.iter().map(item).collect());
        self.list("Hazards", "hazards", handoff.hazards.iter().map(item).collect());
        self.list("Decisions", "decisions", handoff.decisions.iter().map(decision).collect());
        let (stated, said): (Vec<&Rejected>, Vec<&Rejected>) =
            handoff.rejected.iter().partition(|item| item.found == Found::Heading);
        self.whole("Rejected, closed", stated.into_iter().map(rejected).collect());
        self.whole("Rejected, found in sentences", said.into_iter().map(rejected).collect());
        self.list("Open questions", "open", handoff.open.iter().map(item).collect());
        self.list("Artifacts", "artifacts", handoff.artifacts.iter().map(artifact).collect());
        self.list("Working tree as recorded", "trees", handoff.trees.iter().map(tree).collect());
        self.list("Left out by the writer", "omitted", handoff.omitted.iter().map(item).collect());
        self.list("Read first", "points_to", handoff.points_to.iter().map(|target| target.text.clone()).collect());
        for (index, section) in handoff.extra.iter().enumerate() {
            let text = self.shortened(&format!("extra/{index}"), &section.text, self.room.extra);
            self.section(&format!("Other: {}", one_line(&section.heading)), &text);
        }
    }

    pub(super) fn note(&mut self, note: Option<&str>) {
        if let Some(note) = note.map(str::trim).filter(|note| !note.is_empty()) {
            self.section("Note of the person who handed it over", note);
        }
    }

    fn provenance(&mut self, handoff: &Handoff) {
        let provenance = handoff.provenance.clone();
        for (name, value) in [
            ("Agent", provenance.agent),
            ("Profile", provenance.profile),
            ("Model", provenance.model),
            ("Session", provenance.session),
            ("Turns", provenance.turns.map(|turns| turns.to_string())),
            ("Written at", provenance.written_at),
            ("Begun at", provenance.created_at),
            ("Reason", provenance.reason),
            ("Limit resets at", provenance.resets_at),
            ("From", provenance.from),
            ("To", provenance.to),
            ("Parent", provenance.parent),
            ("Folder", provenance.cwd),
        ] {
            self.line(name, value);
        }
    }

    fn safety(&mut self, handoff: &Handoff) {
        let safety = &handoff.safety;
        self.out.push_str("\n## Safety boundary\n");
        if safety.may.is_empty() && safety.ask.is_empty() && safety.never.is_empty() {
            self.out.push_str("None is recorded. Ask a person before anything that cannot be undone.\n");
        }
        for (name, list) in
            [("May be done alone", &safety.may), ("Needs a person", &safety.ask), ("Never", &safety.never)]
        {
            for (found, how) in [(Found::Heading, ""), (Found::Prose, ", found in sentences")] {
                let entries: Vec<String> = list.iter().filter(|rule| rule.found == found).map(item).collect();
                if !entries.is_empty() {
                    self.out.push_str(&format!("{name}{how}:\n"));
                    entries.iter().for_each(|entry| self.bullet(entry));
                }
            }
        }
    }

    fn line(&mut self, name: &str, value: Option<String>) {
        if let Some(value) = value.filter(|value| !value.trim().is_empty()) {
            self.out.push_str(&indented(&format!("{name}: "), value.trim()));
        }
    }

    fn section(&mut self, heading: &str, text: &str) {
        self.out.push_str(&format!("\n## {heading}\n{}", indented("  ", text)));
    }

    fn bullet(&mut self, text: &str) {
        self.out.push_str(&indented("- ", text.trim()));
    }

    /// A list that is never cut.
    fn whole(&mut self, heading: &str, entries: Vec<String>) {
        if !entries.is_empty() {
            self.out.push_str(&format!("\n## {heading}\n"));
            entries.iter().for_each(|entry| self.bullet(entry));
        }
    }

    fn list(&mut self, heading: &str, field: &str, entries: Vec<String>) {
        if entries.is_empty() {
            return;
        }
        self.out.push_str(&format!("\n## {heading}\n"));
        let (kept, total) = (entries.len().min(self.room.list), entries.len());
        for (index, entry) in entries[..kept].iter().enumerate() {
            let text = self.shortened(&format!("{field}/{index}"), entry, self.room.item);
            self.bullet(&text);
        }
        if kept < total {
            self.cut.push(Cut { field: field.to_owned(), kept, total });
            self.out.push_str(&format!("({} more left out; they stand in the document)\n", total - kept));
        }
    }

    fn shortened(&mut self, field: &str, text: &str, limit: usize) -> String {
        let total = text.chars().count();
        if total <= limit {
            return text.trim_end().to_owned();
        }
        self.cut.push(Cut { field: field.to_owned(), kept: limit, total });
        let kept: String = text.chars().take(limit).collect();
        format!("{}… ({} more characters left out; they stand in the document)", kept.trim_end(), total - limit)
    }
}

/// A text behind a lead, its further lines two blanks in, so that none of them begins a line of the block.
fn indented(lead: &str, text: &str) -> String {
    let mut out = String::with_capacity(lead.len() + text.len() + 8);
    for (number, line) in text.split('\n').enumerate() {
        let line = line.trim_end();
        out.push_str(if number == 0 {
            lead
        } else if line.is_empty() {
            ""
        } else {
            "  "
        });
        out.push_str(line);
        out.push('\n');
    }
    out
}

/// A text with every run of blanks and line ends as one blank.
pub(super) fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

fn item(item: &Item) -> String {
    let state = item.state.map(|state| format!("[{}] ", box_mark(state))).unwrap_or_default();
    format!("{state}{}", marked(item.mark.as_deref(), &item.text))
}

fn marked(mark: Option<&str>, text: &str) -> String {
    match mark {
        Some(mark) if !text.starts_with(mark) => format!("{mark}: {text}"),
        _ => text.to_owned(),
    }
}

fn work(entry: &Item) -> String {
    item(&Item { state: Some(entry.state.unwrap_or(ItemState::Open)), ..with_evidence(entry) })
}

fn done(entry: &Item) -> String {
    item(&Item { state: Some(entry.state.unwrap_or(ItemState::Done)), ..with_evidence(entry) })
}

fn fact(fact: &Item) -> String {
    item(&with_evidence(fact))
}

fn with_evidence(entry: &Item) -> Item {
    match &entry.evidence {
        Some(evidence) => Item { text: format!("{} (evidence: {evidence})", entry.text), ..entry.clone() },
        None => entry.clone(),
    }
}

fn decision(decision: &Decision) -> String {
    let why = decision.why.as_ref().map(|why| format!(": because {why}")).unwrap_or_default();
    let others = if decision.alternatives.is_empty() {
        String::new()
    } else {
        format!("; instead of {}", decision.alternatives.join(", "))
    };
    let at = decision.at.as_ref().map(|at| format!(" [{at}]")).unwrap_or_default();
    format!("{}{why}{others}{at}", marked(decision.mark.as_deref(), &decision.what))
}

fn rejected(rejected: &Rejected) -> String {
    match &rejected.why {
        Some(why) => format!("{}: because {why}", rejected.what),
        None => rejected.what.clone(),
    }
}

fn artifact(artifact: &Artifact) -> String {
    let kind = artifact.kind.as_ref().map(|kind| format!(" ({kind})")).unwrap_or_default();
    let note = artifact.note.as_ref().map(|note| format!(", {note}")).unwrap_or_default();
    if artifact.name == artifact.reference {
        return format!("{}{kind}{note}", artifact.reference);
    }
    format!("{}{kind}: {}{note}", artifact.name, artifact.reference)
}

fn tree(tree: &Tree) -> String {
    let mut parts: Vec<String> = tree.name.clone().into_iter().collect();
    for (name, value) in [
        ("branch", &tree.branch),
        ("HEAD", &tree.head),
        ("subject", &tree.subject),
        ("status", &tree.status),
        ("diff", &tree.diff),
        ("root", &tree.root),
        ("worktree", &tree.worktree),
    ] {
        parts.extend(value.as_ref().map(|value| format!("{name}: {}", value.text.trim())));
    }
    if tree.detached {
        parts.push("HEAD detached".to_owned());
    }
    if !tree.changed.is_empty() {
        parts.push(format!(
            "changed: {}",
            tree.changed.iter().map(|path| path.text.as_str()).collect::<Vec<_>>().join(", ")
        ));
    }
    parts.join("\n")
}
