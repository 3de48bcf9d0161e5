//! The short form of every part, with every build.

use faults::{Form, Programs, parts};
use std::io::Write;
use std::path::Path;

fn held(part: &str) {
    let programs = Programs::beside(Path::new(env!("CARGO_BIN_EXE_faults"))).expect("the programs");
    for part in parts(&[part]).expect("a part of that name") {
        let report = (part.run)(&programs, Form::Short);
        // Past the test's own output, which is hidden when it holds: what was skipped must not look like what was tried.
        for skipped in &report.skipped {
            let _ = writeln!(std::io::stderr(), "SKIPPED, not passed: {}: {skipped}", report.part);
        }
        assert!(report.held(), "{report}");
    }
}

#[test]
fn killed_before_any_system_call_nothing_is_torn_lost_or_held_twice() {
    held("kills");
}

#[test]
fn of_sixteen_executors_one_gets_the_handoff_and_one_that_is_killed_leaves_it_interrupted() {
    held("claims");
}

#[test]
fn eight_processes_append_to_one_ledger_without_a_gap() {
    held("appends");
}

#[test]
fn whatever_happens_in_whatever_order_the_state_is_the_one_of_the_model() {
    held("model");
}

#[test]
fn an_error_in_the_place_of_any_system_call_is_told_and_loses_nothing() {
    held("errors");
}

#[test]
fn whatever_differs_from_the_approval_refuses_the_claim_and_nothing_else_does() {
    held("drift");
}

#[test]
fn an_edit_that_meets_a_foreign_save_loses_neither() {
    held("edits");
}

#[test]
fn after_a_power_cut_what_was_acknowledged_is_there_and_whole() {
    held("power");
}

#[test]
fn whichever_safeguard_is_taken_away_a_part_notices() {
    held("sabotage");
}

#[test]
fn no_safeguard_can_be_taken_away_in_an_ordinary_build() {
    let programs = Programs::beside(Path::new(env!("CARGO_BIN_EXE_faults"))).expect("the programs");
    let program = std::fs::read(programs.fuda).expect("read");
    let word = b"FUDA_SABOTAGE";
    assert!(!program.windows(word.len()).any(|here| here == word));
}
