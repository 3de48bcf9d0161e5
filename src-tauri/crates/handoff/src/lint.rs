//! The cold-start test without a model: what would a reader who knows nothing but this document stumble over? Each
//! finding says what to write instead; none of them blocks.

use crate::constant::pattern;
use crate::formats::markdown::is_placeholder;
use crate::{Finding, Handoff, Item, ItemState, Reading, Severity, Span};
use regex::Regex;
use std::sync::LazyLock;

/// Words that point at something which the next reader never saw.
static ASSUMES: LazyLock<Regex> = LazyLock::new(|| {
    pattern(concat!(
        r"(?i)\bas (?:we )?(?:discussed|mentioned|agreed|planned|described|said|explained|before)\b|\b(?:see|from|mentioned|described|listed) above\b|\bthe above\b|\babove[- ]mentioned\b",
        r"|\bthe rest(?: of (?:it|them|this|that|those|these|the (?:work|items?|list|plan|tasks?|steps?|changes?)))?\s*(?:[.,;:)]|$)|\bthe others\b|\bthe remaining (?:ones|stuff|bits|things)\b",
        r"|\b(?:same|like) (?:as )?(?:before|last time|earlier)\b|\blast time\b|\byou know\b|\bthe usual\b|\band so on\b|\betc\.?$",
        r"|\b(?:our|the|this|earlier|previous) (?:conversation|discussion|chat|thread)\b|\bin (?:the|my|our) (?:previous|last|earlier) (?:message|reply|turn)\b",
        r"|前述の|上記の|先ほどの|さっきの|同上|例の件|如上|之前说的|上面(?:提到|说)的|刚才的|위와 같이|앞서 말한|wie besprochen|comme convenu|como (?:hablamos|acordado|combinado)|как обсуждали"
    ))
});
/// An item that names no work at all.
static VAGUE: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"(?i)^(?:(?:please )?(?:continue|carry on|keep going|proceed|finish|complete|go on|resume|wrap up)(?: (?:it|this|that|up|on|the (?:work|task|rest|implementation)|work|working|where (?:i|we) (?:left off|stopped)))?|(?:more )?(?:fixes|cleanup|clean up|tests|testing|polish|refactoring|misc|stuff|other)|続き(?:を(?:する|やる))?|続ける|继续|继续工作|계속)[.。!]?$",
    )
});
static DESTRUCTIVE: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"(?i)\b(?:delete|drop|reset|force[- ]push|rm -rf|truncate|wipe|purge|overwrite|erase|destroy|rewrite (?:the )?history|git (?:clean|checkout --|restore|stash drop))\b|削除|破棄|初期化|删除|清空|삭제",
    )
});
static REASONED: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"(?i)\b(?:because|since|so that|as soon as|after|once|reason|for|to (?:avoid|free|make|keep|stop|fix)|no longer|unused|obsolete|replaced by)\b|ため|ので|から|理由|因为|为了|由于|때문|위해",
    )
});

/// Findings of the cold-start test, those about the whole document first.
pub fn lint(reading: &Reading) -> Vec<Finding> {
    let Some(handoff) = reading.current() else { return Vec::new() };
    let mut notes = Notes(Vec::new());
    whole(handoff, &mut notes);
    status(handoff, &mut notes);
    work(handoff, &mut notes);
    claims(handoff, &mut notes);
    reasons(handoff, &mut notes);
    for (name, items) in lists(handoff) {
        for item in items.iter().filter(|item| is_placeholder(&item.text)) {
            notes.warn(
                "draft",
                item.span,
                format!("A placeholder in {name} was never filled in: {}", start(&item.text)),
            );
        }
    }
    // The reader compared with the limits that are set.
    notes.0.extend(reading.findings.iter().filter(|finding| finding.code == "over-limit").cloned());
    notes.0
}

struct Notes(Vec<Finding>);

impl Notes {
    fn warn(&mut self, code: &str, span: Option<Span>, message: String) {
        self.0.push(Finding { severity: Severity::Warning, code: code.to_owned(), message, span });
    }

    fn info(&mut self, code: &str, span: Option<Span>, message: impl Into<String>) {
        self.0.push(Finding { severity: Severity::Info, code: code.to_owned(), message: message.into(), span });
    }
}

fn is_open(item: &Item) -> bool {
    !matches!(item.state, Some(ItemState::Done | ItemState::Dropped))
}

fn whole(handoff: &Handoff, notes: &mut Notes) {
    if handoff.objective.is_none() {
        let message = match &handoff.title {
            None => "No objective is recorded. The next model does not know what for.",
            Some(_) => "No objective is recorded, only a title. The next model does not know when it is done.",
        };
        if handoff.title.is_none() {
            notes.warn("no-objective", None, message.to_owned());
        } else {
            notes.info("no-objective", None, message);
        }
    }
    if handoff.next.is_empty() && handoff.done.is_empty() {
        notes.info("no-next", None, "No next step is recorded.");
    }
    let safety = &handoff.safety;
    if safety.may.is_empty() && safety.ask.is_empty() && safety.never.is_empty() {
        notes.info(
            "no-safety",
            None,
            "No safety boundary is recorded. Nothing tells the next model what needs a person.",
        );
    }
    if !handoff.trees.iter().any(|tree| tree.head.is_some() || tree.branch.is_some()) {
        notes.info("no-tree", None, "No branch or commit is recorded. Nothing tells which state this describes.");
    }
    let settled = !handoff.next.iter().any(is_open);
    let something = !handoff.next.is_empty() || !handoff.done.is_empty();
    if settled && something && handoff.open.is_empty() {
        notes.info("finished", None, "Nothing is open. This may be finished.");
    }
}

/// The status may be that of a session; the next reader cannot tell.
fn status(handoff: &Handoff, notes: &mut Notes) {
    let Some(status) = &handoff.status else { return };
    let words = status.text.trim().trim_end_matches('.').to_lowercase();
    let says_done = matches!(
        words.as_str(),
        "done" | "complete" | "completed" | "finished" | "closed" | "完了" | "完成" | "已完成" | "완료"
    );
    if says_done && handoff.next.iter().any(is_open) {
        notes.info(
            "done-with-open-work",
            status.span,
            format!("The status says “{}” and steps are open.", start(&status.text)),
        );
    }
}

fn work(handoff: &Handoff, notes: &mut Notes) {
    for (index, item) in handoff.next.iter().enumerate().filter(|(_, item)| is_open(item)) {
        let number = index + 1;
        let text = item.text.trim();
        if let Some(words) = ASSUMES.find(text) {
            let words = words.as_str().trim_matches([' ', '.', ',', ';', ':', ')']);
            notes.warn(
                "assumes-context",
                item.span,
                format!("Step {number} points at something that is not in this document: “{words}”."),
            );
        } else if VAGUE.is_match(text) {
            notes.warn(
                "vague",
                item.span,
                format!(
                    "Step {number} names no work: “{}”. Say what, where, and how to tell that it is done.",
                    start(text)
                ),
            );
        }
        if DESTRUCTIVE.is_match(text) && !REASONED.is_match(text) {
            notes.warn(
                "destructive-without-reason",
                item.span,
                format!("Step {number} removes something and does not say why: {}", start(text)),
            );
        }
    }
    for (index, item) in handoff.open.iter().enumerate() {
        if let Some(words) = ASSUMES.find(&item.text) {
            let words = words.as_str().trim();
            notes.warn(
                "assumes-context",
                item.span,
                format!("Question {} points at something that is not in this document: “{words}”.", index + 1),
            );
        }
    }
}

fn claims(handoff: &Handoff, notes: &mut Notes) {
    for (index, fact) in handoff.facts.iter().enumerate().filter(|(_, fact)| fact.evidence.is_none()) {
        if crate::mentions(&fact.text).is_empty() {
            notes.info(
                "claim",
                fact.span,
                format!("Fact {} names no file, commit or command, so the next model cannot check it.", index + 1),
            );
        }
    }
}

fn reasons(handoff: &Handoff, notes: &mut Notes) {
    for (index, rejected) in handoff
        .rejected
        .iter()
        .enumerate()
        .filter(|(_, rejected)| rejected.why.is_none() && !REASONED.is_match(&rejected.what))
    {
        notes.info(
            "rejected-without-reason",
            rejected.span,
            format!("Rejected option {} does not say why. Somebody will propose it again.", index + 1),
        );
    }
    let silent = handoff.decisions.iter().filter(|decision| decision.why.is_none()).count();
    if silent > 0 {
        let span = handoff.decisions.iter().find(|decision| decision.why.is_none()).and_then(|decision| decision.span);
        let message = if silent == 1 {
            "One decision gives no reason.".to_owned()
        } else {
            format!("{silent} decisions give no reason.")
        };
        notes.info("decision-without-reason", span, message);
    }
}

fn lists(handoff: &Handoff) -> [(&'static str, &[Item]); 10] {
    [
        ("constraints", &handoff.constraints),
        ("facts", &handoff.facts),
        ("unverified", &handoff.unverified),
        ("hazards", &handoff.hazards),
        ("done", &handoff.done),
        ("next", &handoff.next),
        ("open questions", &handoff.open),
        ("what may be done alone", &handoff.safety.may),
        ("what needs a person", &handoff.safety.ask),
        ("what is never allowed", &handoff.safety.never),
    ]
}

/// The beginning of an item, for a message.
fn start(text: &str) -> String {
    let line = text.lines().next().unwrap_or_default();
    if line.chars().count() <= 80 { line.to_owned() } else { line.chars().take(80).chain(['…']).collect() }
}
