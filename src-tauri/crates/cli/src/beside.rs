//! What `show` and `drift` tell beside the document itself: the rules of the repository, and what became of the
//! boundary since the handoff before.

use crate::print::{line, list, string};
use api::ApiError;
use serde_json::{Value, json};

/// Puts the answers of other operations beside the first one. One that has none does not take the document away.
pub fn beside(answer: &mut Value, keys: &[&str], id: &str, call: &impl Fn(&str, Value) -> Result<Value, ApiError>) {
    for key in keys {
        let mut told = call(key, json!({ "id": id })).unwrap_or(Value::Null);
        if let Some(told) = told.as_object_mut() {
            // The fields tell it; the whole texts would tell it twice.
            told.remove("raw");
        }
        answer[*key] = told;
    }
}

pub fn print(value: &Value) {
    since(&value["since"]);
    for repository in list(&value["rules"]) {
        rules(repository);
    }
}

fn since(since: &Value) {
    let changes = list(&since["rules"]);
    if changes.is_empty() {
        return;
    }
    let before = &since["predecessor"];
    line(&format!("\nSafety boundary since {} ({})", string(&before["handle"]), string(&before["how"])));
    for change in changes {
        let from = change["before"].as_str().map(|words| format!("  (was: {words})"));
        let from = from.or_else(|| change["from"].as_str().map(|list| format!("  (was: {})", name(list))));
        let (fate, list) = (string(&change["fate"]), name(change["list"].as_str().unwrap_or_default()));
        let wider = if change["wider"] == json!(true) { "  (lets the model do more)" } else { "" };
        line(&format!("  {fate:<9} {list}: {}{}{wider}", string(&change["text"]), from.unwrap_or_default()));
    }
}

fn rules(repository: &Value) {
    let (found, notes) = (list(&repository["rules"]), list(&repository["notes"]));
    if found.is_empty() && notes.is_empty() {
        return;
    }
    line("\nRules of this repository, not part of the handoff");
    for rule in found {
        let place = format!("{}:{}", string(&rule["file"]), rule["line"]);
        let list = name(rule["list"].as_str().unwrap_or_default());
        line(&format!("  {place:<24} {list}: {}", string(&rule["text"]).replace('\n', " ")));
    }
    for note in notes {
        line(&format!("  {}", string(note)));
    }
}

fn name(list: &str) -> &str {
    match list {
        "may" => "may do alone",
        "ask" => "needs a person",
        "never" => "never",
        other => other,
    }
}
