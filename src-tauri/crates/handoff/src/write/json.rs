//! Handoff JSON 2, and JSON 1 where it can say it all.

use crate::{Artifact, Decision, Error, Handoff, Item, Tree};
use serde_json::{Map, Value, json};

/// Writes Handoff JSON 2.
pub fn write_json2(handoff: &Handoff) -> String {
    let mut object = Map::new();
    object.insert("version".into(), json!(2));
    put(&mut object, "id", handoff.id.clone());
    put(&mut object, "title", handoff.title.as_ref().map(|title| title.text.clone()));
    object
        .insert("objective".into(), json!(handoff.objective.as_ref().map_or("", |objective| objective.text.as_str())));
    put(&mut object, "status", handoff.status.as_ref().map(|status| status.text.clone()));
    for (key, list) in [
        ("constraints", &handoff.constraints),
        ("facts", &handoff.facts),
        ("unverified", &handoff.unverified),
        ("hazards", &handoff.hazards),
        ("done", &handoff.done),
        ("next", &handoff.next),
        ("open", &handoff.open),
        ("omitted", &handoff.omitted),
    ] {
        put_list(&mut object, key, list.iter().map(json_item).collect());
    }
    put_list(&mut object, "decisions", handoff.decisions.iter().map(json_decision).collect());
    put_list(
        &mut object,
        "rejected",
        handoff.rejected.iter().map(|item| without_nulls(json!({ "what": item.what, "why": item.why }))).collect(),
    );
    put_list(&mut object, "artifacts", handoff.artifacts.iter().map(json_artifact).collect());
    put_list(&mut object, "trees", handoff.trees.iter().map(json_tree).collect());
    let safety = &handoff.safety;
    if !(safety.may.is_empty() && safety.ask.is_empty() && safety.never.is_empty()) {
        let list = |items: &[Item]| items.iter().map(json_item).collect::<Vec<_>>();
        object.insert(
            "safety".into(),
            json!({ "may": list(&safety.may), "ask": list(&safety.ask), "never": list(&safety.never) }),
        );
    }
    let provenance = without_nulls(serde_json::to_value(&handoff.provenance).unwrap_or_default());
    if provenance.as_object().is_some_and(|object| !object.is_empty()) {
        object.insert("provenance".into(), provenance);
    }
    put_list(
        &mut object,
        "extra",
        handoff.extra.iter().map(|section| json!({ "heading": section.heading, "text": section.text })).collect(),
    );
    pretty(Value::Object(object))
}

/// Writes Handoff JSON 1, which has no place for facts, hazards, the tree or the boundary.
///
/// # Errors
/// [`Error::Loses`] with what it could not say.
pub fn write_json1(handoff: &Handoff) -> Result<String, Error> {
    let safety = &handoff.safety;
    let lost: Vec<String> = [
        ("id", handoff.id.is_some()),
        ("title", handoff.title.is_some()),
        ("facts", !handoff.facts.is_empty()),
        ("unverified", !handoff.unverified.is_empty()),
        ("hazards", !handoff.hazards.is_empty()),
        ("trees", !handoff.trees.is_empty()),
        ("safety", !(safety.may.is_empty() && safety.ask.is_empty() && safety.never.is_empty())),
        ("omitted", !handoff.omitted.is_empty()),
        ("extra", !handoff.extra.is_empty()),
    ]
    .into_iter()
    .filter(|(_, there)| *there)
    .map(|(field, _)| field.to_owned())
    .collect();
    if !lost.is_empty() {
        return Err(Error::Loses { fields: lost });
    }
    let two = write_json2(handoff);
    let mut value: Value = serde_json::from_str(&two).unwrap_or_default();
    if let Some(object) = value.as_object_mut() {
        object.insert("version".into(), json!(1));
    }
    Ok(pretty(value))
}

fn pretty(value: Value) -> String {
    format!("{value:#}\n")
}

fn put(object: &mut Map<String, Value>, key: &str, value: Option<String>) {
    if let Some(value) = value {
        object.insert(key.to_owned(), Value::String(value));
    }
}

fn put_list(object: &mut Map<String, Value>, key: &str, list: Vec<Value>) {
    if !list.is_empty() {
        object.insert(key.to_owned(), Value::Array(list));
    }
}

fn without_nulls(value: Value) -> Value {
    match value {
        Value::Object(object) => Value::Object(
            object
                .into_iter()
                .filter(|(_, value)| !value.is_null() && *value != json!([]) && *value != json!(false))
                .collect(),
        ),
        other => other,
    }
}

fn json_item(item: &Item) -> Value {
    if item.state.is_none() && item.evidence.is_none() && item.mark.is_none() {
        return Value::String(item.text.clone());
    }
    without_nulls(json!({ "text": item.text, "state": item.state, "evidence": item.evidence, "mark": item.mark }))
}

fn json_decision(decision: &Decision) -> Value {
    without_nulls(
        json!({ "what": decision.what, "why": decision.why, "alternatives": decision.alternatives, "at": decision.at, "mark": decision.mark }),
    )
}

fn json_artifact(artifact: &Artifact) -> Value {
    without_nulls(
        json!({ "name": artifact.name, "kind": artifact.kind, "ref": artifact.reference, "note": artifact.note }),
    )
}

fn json_tree(tree: &Tree) -> Value {
    let text = |part: &Option<crate::Text>| part.as_ref().map(|part| part.text.clone());
    without_nulls(json!({
        "name": tree.name, "root": text(&tree.root), "worktree": text(&tree.worktree), "branch": text(&tree.branch), "detached": tree.detached,
        "head": text(&tree.head), "subject": text(&tree.subject), "status": text(&tree.status),
        "changed": tree.changed.iter().map(|path| path.text.clone()).collect::<Vec<_>>(), "diff": text(&tree.diff),
    }))
}
