//! Editing: every item of a readable document can be edited, in the file or in a copy that says why.

use crate::support::{Bench, now, only, saved_at, scan};
use desk::EditRequest;
use desk::view::{Detail, State};
use handoff::Readable;
use std::fs;
use std::path::Path;

/// Every list of the model with the number of its items, and the edits that could be asked for.
fn every_edit(document: &Detail) -> Vec<String> {
    let safety = &document.safety;
    let lengths = [
        ("constraints", document.constraints.len()),
        ("facts", document.facts.len()),
        ("unverified", document.unverified.len()),
        ("hazards", document.hazards.len()),
        ("decisions", document.decisions.len()),
        ("rejected", document.rejected.len()),
        ("done", document.done.len()),
        ("next", document.next.len()),
        ("open", document.open.len()),
        ("artifacts", document.artifacts.len()),
        ("safety.may", safety.may.len()),
        ("safety.ask", safety.ask.len()),
        ("safety.never", safety.never.len()),
    ];
    let mut edits = Vec::new();
    for (field, length) in lengths {
        edits.push(format!("{field}+=Keep the blue lamp lit"));
        for index in 0..length {
            edits.push(format!("{field}/{index}=Keep the blue lamp lit"));
            edits.push(format!("{field}/{index}-="));
        }
    }
    edits
}

#[test]
fn every_item_of_every_case_can_be_edited_in_the_file_or_in_a_copy() {
    let cases = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../tests/cases/handoffs");
    let (mut asked, mut copies, mut refused) = (0, 0, Vec::new());
    for case in fs::read_dir(cases).expect("cases") {
        let case = case.expect("a case").path();
        let name = case.file_name().expect("a name").to_string_lossy().into_owned();
        let bench = Bench::new();
        let place = bench.write(&format!("handoffs/{name}"), "");
        fs::copy(&case, &place).expect("copied");
        saved_at(&place, now() - 60_000);
        let desk = bench.desk();
        scan(&desk);
        let id = place.display().to_string();
        let Ok(detail) = desk.detail(&id) else { continue };
        if !matches!(detail.readable, Readable::Full | Readable::Partial) {
            continue;
        }
        for edit in every_edit(&detail) {
            asked += 1;
            match desk.edit_preview(&id, &detail.rev, std::slice::from_ref(&edit)) {
                Ok(preview) => copies += u32::from(preview.copy_because.is_some()),
                Err(error) => refused.push(format!("{name} {edit}: {error}")),
            }
        }
    }
    assert!(asked > 350 && copies > 0, "{asked} asked, {copies} copies");
    assert!(refused.is_empty(), "{} of {asked} refused:\n{}", refused.len(), refused.join("\n"));
}

#[test]
fn an_edit_that_the_file_cannot_take_alone_supersedes_it_by_a_copy() {
    let bench = Bench::new();
    let desk = bench.desk();
    let text = "STATUS: CONTINUE\nSUMMARY: The queue drains.\nNEXT: Count what it loses\nFILES_MODIFIED: clock.dart, dial.dart\nTESTS: PASS (58 unit)\n";
    let place = bench.write("HANDOFF.md", text);
    saved_at(&place, now() - 60_000);
    scan(&desk);
    let row = only(&desk);
    let request = EditRequest::Items(vec!["artifacts/0-=".to_owned()]);
    let edited = desk.edit(&row.handle, Some(&row.rev), &request).expect("edited");
    assert_ne!(edited.handle, row.handle);
    assert!(edited.copy_because.expect("a reason").contains("artifacts/0"));
    assert_eq!(fs::read_to_string(&place).expect("read"), text, "the file is as it was");
    scan(&desk);
    assert_eq!(desk.detail(&row.handle).expect("shown").state, State::Superseded);
    let copy = desk.detail(&edited.handle).expect("shown");
    let references: Vec<_> = copy.artifacts.iter().map(|artifact| artifact.reference.clone()).collect();
    assert_eq!(references, ["dial.dart"]);
}
