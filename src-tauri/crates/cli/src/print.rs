//! Answers for people and for programs. Nothing of a document reaches a terminal raw.

use api::{ApiError, visible_text};
use serde_json::{Value, json};
use std::io::{ErrorKind, IsTerminal, Write};
use std::sync::atomic::{AtomicBool, Ordering};

/// Whether an answer, or a part of it, could not be written.
static UNSAID: AtomicBool = AtomicBool::new(false);

fn out(text: &str) {
    let mut out = std::io::stdout();
    match out.write_all(text.as_bytes()).and_then(|()| out.flush()) {
        Ok(()) => {}
        // A reader that went away is no error of ours.
        Err(error) if error.kind() == ErrorKind::BrokenPipe => {}
        Err(error) => {
            let _ = writeln!(std::io::stderr(), "fuda: the answer could not be written to standard output: {error}");
            UNSAID.store(true, Ordering::Relaxed);
        }
    }
}

/// Whether everything that was to be said was said. What was done is done all the same: fuda show tells.
pub fn said() -> bool {
    !UNSAID.load(Ordering::Relaxed)
}

/// Text that may come from a document.
pub fn plain(text: &str) {
    out(&visible_text(text));
}

pub(crate) fn line(text: &str) {
    plain(&format!("{text}\n"));
}

/// A document of ours, byte for byte where it goes into a file or another program; a terminal is shown nothing raw.
pub fn document(text: &str) {
    if std::io::stdout().is_terminal() { plain(text) } else { out(text) }
}

pub fn json(value: &Value) {
    out(&format!("{value:#}\n"));
}

pub fn json_line(value: &Value) {
    out(&format!("{value}\n"));
}

pub fn error_as_json(error: &ApiError) {
    json(&json!({ "error": error }));
}

pub fn error(error: &ApiError, as_json: bool) {
    if as_json {
        error_as_json(error);
    }
    let mut text = format!("fuda: {}\n", visible_text(&error.message));
    for missing in error.details["missing"].as_array().into_iter().flatten() {
        text.push_str(&visible_text(&format!("  {}: {}\n", string(&missing["code"]), string(&missing["message"]))));
    }
    for hint in &error.hints {
        text.push_str(&format!("{}\n", visible_text(hint)));
    }
    let _ = std::io::stderr().write_all(text.as_bytes());
}

pub(crate) fn string(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        Value::Null => String::new(),
        other => other.to_string(),
    }
}

fn short(value: &Value) -> String {
    string(value).chars().take(8).collect()
}

pub(crate) fn list(value: &Value) -> &[Value] {
    value.as_array().map_or(&[], Vec::as_slice)
}

pub fn indexed(value: &Value) {
    line(&format!(
        "{} handoffs, {} refused, {} incomplete, {} not handoffs, in {} files ({} ms)",
        value["handoffs"],
        value["refused"],
        value["incomplete"],
        value["not_handoffs"],
        value["files"],
        value["took_ms"]
    ));
    for problem in list(&value["problems"]) {
        line(&format!("  {}: {}", string(&problem["path"]), string(&problem["message"])));
    }
}

pub fn row(row: &Value) {
    let place = format!("{} {}", string(&row["repo_name"]), string(&row["branch"]));
    line(&format!(
        "{:<8} {:<11} {:<10.10} {:<28.28} {:<17} {}",
        string(&row["handle"]),
        string(&row["state"]),
        string(&row["written_at"]),
        place.trim(),
        string(&row["verdict"]),
        string(&row["name"])
    ));
    if let Some(at) = row["start"]["at"].as_str() {
        line(&format!("         starts at {at} under {}", string(&row["start"]["profile"])));
    }
}

pub fn cancelled(run: &Value) {
    line(&format!("{}: the start at {} is cancelled", string(&run["handle"]), string(&run["start"]["at"])));
}

pub fn search(search: &Value) {
    line(&format!("{:<20} {}", string(&search["name"]), string(&search["query"])));
}

pub fn triaged(value: &Value) {
    let handles = list(&value["done"]).iter().map(string).collect::<Vec<_>>().join(" ");
    line(&format!("{} done {handles}", list(&value["done"]).len()));
    for left in list(&value["left_out"]) {
        line(&format!("  {}", string(&left["message"])));
    }
    if let Some(token) = value["undo"].as_str() {
        line(&format!("fuda undo {token} takes it back"));
    }
}

pub fn profile(profile: &Value) {
    let roots = list(&profile["roots"]).iter().map(string).collect::<Vec<_>>().join(", ");
    let found = profile["found_by"].as_str().map(|found| format!("  ({found})")).unwrap_or_default();
    line(&format!(
        "{:<20} {:<12} {:>5}  {roots}{found}",
        string(&profile["name"]),
        string(&profile["agent"]),
        string(&profile["handoffs"])
    ));
    for problem in list(&profile["problems"]) {
        line(&format!("  {}", string(problem)));
    }
}

pub fn revision(revision: &Value) {
    line(&format!(
        "{}  {}  {:<8} {:>8} bytes",
        string(&revision["rev"]),
        string(&revision["seen_at"]),
        string(&revision["by"]),
        string(&revision["bytes"])
    ));
}

/// An event of the ledger, or a switch below the event by which it happened.
pub fn audited(row: &Value) {
    if row["kind"] == json!("switch") { switch(row) } else { event(row) }
}

fn switch(switch: &Value) {
    let party = |party: &Value| {
        let known: Vec<String> = ["profile", "agent", "model"]
            .iter()
            .map(|key| string(&party[*key]))
            .filter(|word| !word.is_empty())
            .collect();
        if known.is_empty() { "somebody".to_owned() } else { known.join(" ") }
    };
    let mut text = format!("       {} → {}", party(&switch["from"]), party(&switch["to"]));
    if let Some(reason) = switch["reason"].as_str() {
        text.push_str(&format!(", because of: {}", reason.replace('\n', " ")));
    }
    let outcome = switch["outcome"].as_str().unwrap_or("outcome not known");
    line(&format!("{text}; {outcome}"));
}

fn event(event: &Value) {
    line(&format!(
        "{:>5}  {}  {:<12} {:<8} {:<8} {}",
        string(&event["seq"]),
        string(&event["at"]),
        string(&event["kind"]),
        string(&event["handle"]),
        short(&event["rev"]),
        string(&event["note"])
    ));
}

pub fn decided(value: &Value) {
    let reason = value["state_reason"].as_str().map(|reason| format!(" ({reason})")).unwrap_or_default();
    line(&format!("{} is {}{reason}", string(&value["handle"]), string(&value["state"])));
}

pub fn rebuilt(value: &Value) {
    let kept = value["kept_at"].as_str().map(|path| format!("; the old one is kept at {path}")).unwrap_or_default();
    let left = match value["left_out"].as_u64() {
        Some(0) | None => String::new(),
        Some(lines) => format!(", without {lines} lines of the mirror that do not continue the chain"),
    };
    line(&format!("The ledger has its {} events again{left}{kept}", value["events"]));
}

pub fn claimed(value: &Value) {
    line(&format!("{} is yours (claim {})", string(&value["handle"]), value["claim"]));
    for (name, key) in [
        ("token", "token"),
        ("block", "block_path"),
        ("document", "document_path"),
        ("folder", "folder"),
        ("until", "lease_until"),
    ] {
        if !value[key].is_null() {
            line(&format!("{name:9} {}", string(&value[key])));
        }
    }
}

pub fn published(value: &Value) {
    line(&format!("{} {}", string(&value["handle"]), string(&value["path"])));
    for claim in list(&value["claims"]) {
        line(&format!("  claimed by the writer: {}", string(claim)));
    }
    for pointer in list(&value["pointers"]) {
        line(&format!("  pointer: {}", string(pointer)));
    }
}

pub fn question(value: &Value) {
    line(&format!(
        "{:>6}  {}  {} asks until {}",
        value["question"],
        string(&value["handle"]),
        string(&value["by"]),
        string(&value["until"])
    ));
    for part in value["what"].as_str().unwrap_or_default().lines() {
        line(&format!("        {}: {}", string(&value["tool"]), api::visible_text(part)));
    }
}

/// What a resume would start, for people.
pub fn plan(value: &Value) {
    let end = "  A start names its run anew: only the folder of the run, in paths, and the fence around the block are others then.\n";
    plain(&format!("{}{end}", plan_text(value)));
}

/// The same before the start, where it does not mix with the answer.
pub fn plan_on_stderr(value: &Value) {
    let _ = std::io::stderr().write_all(visible_text(&plan_text(value)).as_bytes());
}

/// What happens during a run.
pub fn happened(text: &str) {
    let _ = std::io::stderr().write_all(format!("{}\n", visible_text(text)).as_bytes());
}

fn plan_text(value: &Value) -> String {
    let argv: Vec<String> = list(&value["argv"]).iter().map(|word| format!("{:?}", string(word))).collect();
    let mut text = format!("Will start {}\n  in {}\n", argv.join(" "), string(&value["folder"]));
    for line in list(&value["environment"]) {
        text.push_str(&format!("  environment: {}\n", string(line)));
    }
    for rule in list(&value["rules"]) {
        let grade = match rule["grade"].as_str() {
            Some("sandbox") => "enforced by a sandbox",
            Some("agent_rule") => "refused by the agent's rule, can be bypassed",
            Some("asked_here") => "asked here",
            _ => "words only",
        };
        text.push_str(&format!(
            "  {}: {} — {grade}. {}\n",
            string(&rule["field"]),
            string(&rule["text"]),
            string(&rule["how"])
        ));
    }
    for note in list(&value["notes"]) {
        text.push_str(&format!("  note: {}\n", string(note)));
    }
    let verify: Vec<String> = list(&value["verify"]).iter().map(|word| format!("{:?}", string(word))).collect();
    if !verify.is_empty() {
        text.push_str(&format!("  afterwards, with your rights and outside the boundary: {}\n", verify.join(" ")));
    }
    for one in list(&value["acknowledgements"]) {
        text.push_str(&format!("  to acknowledge: {}: {}\n", string(&one["code"]), string(&one["message"])));
    }
    let delivered = if value["deliver"] == json!("path") { "a file, by its path" } else { "standard input" };
    text.push_str(&format!("  the block, on its way as {delivered}:\n"));
    for line in list(&value["block"]) {
        let pieces: String = list(&line["pieces"]).iter().map(|piece| string(&piece["text"])).collect();
        text.push_str(&format!("  | {pieces}\n"));
    }
    text
}

pub fn verified(value: &Value) {
    if value["ok"] == json!(true) {
        line(&format!("The ledger adds up: {} events, head {}", value["events"], short(&value["head"])));
    }
    for problem in list(&value["problems"]) {
        line(&string(problem));
    }
}

pub fn doctor(value: &Value) {
    for check in list(&value["checks"]) {
        line(&format!("{:<8} {:<16} {}", string(&check["state"]), string(&check["name"]), string(&check["message"])));
        if let Some(todo) = check["todo"].as_str() {
            line(&format!("         → {todo}"));
        }
    }
    readers(&value["readers"]);
}

/// Who can read what: a line for each profile and place, for a table of many places fits no terminal.
fn readers(value: &Value) {
    let places = list(&value["places"]);
    if list(&value["readers"]).is_empty() {
        return;
    }
    line("readers");
    for reader in list(&value["readers"]) {
        for (place, cell) in places.iter().zip(list(&reader["cells"])) {
            let state = string(&cell["state"]).replace("read_write", "read, write");
            let place = format!("{} ({})", string(&place["name"]), string(&place["kind"]));
            line(&format!("  {:<16} {place:<32} {state:<12} {}", string(&reader["profile"]), string(&cell["because"])));
        }
    }
}

pub fn findings(value: &Value) {
    let findings = list(&value["findings"]);
    if findings.is_empty() {
        line("Nothing to stumble over.");
    }
    for finding in findings {
        line(&format!(
            "{:<8} {:<24} {}",
            string(&finding["severity"]),
            string(&finding["code"]),
            string(&finding["message"])
        ));
    }
}

pub fn fields(value: &Value) {
    for field in list(&value["fields"]) {
        line(&format!(
            "{:<14} {:>3} → {:<3}",
            string(&field["field"]),
            string(&field["before"]),
            string(&field["after"])
        ));
        for lost in list(&field["lost"]) {
            line(&format!("  lost: {}", string(lost)));
        }
    }
}

pub fn edited(value: &Value) {
    line(&format!("{} is now {} ({})", string(&value["handle"]), short(&value["rev"]), string(&value["path"])));
    if let Some(because) = value["copy_because"].as_str() {
        line(&format!("  a canonical copy, because {because}; the file is as it was, and superseded"));
    }
    for wider in list(&value["widened"]) {
        line(&format!("  wider: {}", string(wider)));
    }
    for hunk in list(&value["diff"]["hunks"]) {
        for change in list(hunk) {
            let mark = match change["kind"].as_str() {
                Some("added") => '+',
                Some("removed") => '-',
                _ => ' ',
            };
            let text: String = list(&change["pieces"]).iter().map(|piece| string(&piece[1])).collect();
            line(&format!("{mark} {text}"));
        }
    }
}

pub fn detail(value: &Value) {
    line(&format!("{}  {}  {}", string(&value["handle"]), string(&value["state"]), string(&value["state_reason"])));
    line(&format!("file      {}", string(&value["path"])));
    line(&format!(
        "revision  {} ({}, {})",
        string(&value["rev"]),
        string(&value["format"]),
        string(&value["readable"])
    ));
    if let Some(reason) = value["readable_reason"].as_str() {
        line(&format!("          {reason}"));
    }
    for (name, key) in [("title", "title"), ("status", "status"), ("objective", "objective")] {
        if let Some(text) = value[key].as_str() {
            line(&format!("{name:<9} {text}"));
        }
    }
    for tree in list(&value["trees"]) {
        for key in ["branch", "head", "status", "worktree", "root"] {
            if let Some(text) = tree[key]["text"].as_str() {
                line(&format!("{key:<9} {text}"));
            }
        }
    }
    for (name, key) in [("May do alone", "may"), ("Needs a person", "ask"), ("Never", "never")] {
        section(name, list(&value["safety"][key]), "text");
    }
    for (name, key, text) in [
        ("Constraints", "constraints", "text"),
        ("Remaining work", "next", "text"),
        ("Done", "done", "text"),
        ("Facts", "facts", "text"),
        ("Unverified", "unverified", "text"),
        ("Hazards", "hazards", "text"),
        ("Decisions", "decisions", "what"),
        ("Rejected", "rejected", "what"),
        ("Open questions", "open", "text"),
        ("Artifacts", "artifacts", "ref"),
        ("Not understood", "extra", "heading"),
    ] {
        section(name, list(&value[key]), text);
    }
    let shown = list(&value["findings"]);
    if !shown.is_empty() {
        line("\nFindings");
        for finding in shown {
            line(&format!(
                "  {:<8} {:<24} {}",
                string(&finding["severity"]),
                string(&finding["code"]),
                string(&finding["message"])
            ));
        }
    }
}

fn section(name: &str, items: &[Value], key: &str) {
    if items.is_empty() {
        return;
    }
    line(&format!("\n{name} ({})", items.len()));
    for item in items {
        let state = item["state"]
            .as_str()
            .filter(|state| !matches!(*state, "open" | "done"))
            .map(|state| format!("[{state}] "))
            .unwrap_or_default();
        let why = item["why"].as_str().map(|why| format!(" — {why}")).unwrap_or_default();
        let found = if item["found"] == json!("prose") { "  (found in the text)" } else { "" };
        let text = string(&item[key]).replace('\n', "\n    ");
        line(&format!("  - {state}{text}{why}{found}"));
    }
}

pub fn drift(value: &Value) {
    line(&format!("{}: {}", string(&value["verdict"]), string(&value["message"])));
    let (then, now) = (&value["then"], &value["now"]);
    line(&format!("{:<10} {:<34} {}", "", "then", "now"));
    for key in ["branch", "head", "status", "diff"] {
        let present = match (key, &now[key]) {
            ("status", status) if status.is_object() => ["staged", "modified", "untracked", "conflicted"]
                .iter()
                .filter(|kind| status[**kind].as_u64().unwrap_or(0) > 0)
                .map(|kind| format!("{} {kind}", status[*kind]))
                .collect::<Vec<_>>()
                .join(", "),
            ("diff", diff) if diff.is_object() => {
                format!("{} files, +{} -{}", diff["files"], diff["insertions"], diff["deletions"])
            }
            (_, other) => string(other),
        };
        let before = string(&then[key]).lines().next().unwrap_or_default().to_owned();
        line(&format!(
            "{key:<10} {before:<34.34} {}",
            if present.is_empty() && key == "status" && now[key].is_object() { "clean" } else { &present }
        ));
    }
    line(&format!("ahead {}, behind {}", value["ahead"], value["behind"]));
    for (name, key) in [("Successors", "successors"), ("Commits since", "commits")] {
        let entries = list(&value[key]);
        if !entries.is_empty() {
            line(&format!("\n{name} ({})", entries.len()));
        }
        for entry in entries.iter().take(20) {
            let id = entry["id"].as_str().or(entry["commit"].as_str()).unwrap_or_default();
            line(&format!("  {:.8}  {}", id, string(&entry["subject"])));
        }
    }
    let changed = list(&value["changed"]);
    if !changed.is_empty() {
        line(&format!("\nFiles changed since ({})", changed.len()));
    }
    for path in changed.iter().take(50) {
        let relied = list(&path["relied_on_by"]).iter().map(string).collect::<Vec<_>>().join(", ");
        let relied = if relied.is_empty() { String::new() } else { format!("  (relied on by {relied})") };
        line(&format!("  {:<11} {}{relied}", string(&path["kind"]), string(&path["path"])));
    }
    for fresh in list(&value["freshness"]).iter().filter(|fresh| fresh["state"] != json!("unknown")) {
        line(&format!("  {:<14} {:<8} {}", string(&fresh["item"]), string(&fresh["state"]), string(&fresh["because"])));
    }
    for contradiction in list(&value["contradictions"]) {
        line(&format!("  contradiction: {}", string(&contradiction["message"])));
    }
}
