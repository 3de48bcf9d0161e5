//! Files with a handoff's name and another meaning, and files that are handoffs all the same.

use super::check;

#[test]
fn name_twins_are_no_handoffs() {
    check(&[
        (
            "docs/design/HANDOFF.md of a design",
            "# Design Handoff\n\n## Color tokens\n| Token | Hex |\n|---|---|\n| primary | #ff0000 |\n\n## Typography\n- Inter 14\n\n## Spacing\n- 8 px grid\n",
            "readable: not_a_handoff",
        ),
        (
            "docs/HANDOFF.md of a feature",
            "# Call handoff\n\nThe handoff feature moves a call from one device to another.\n\n## API\n`POST /handoff`\n\n## Parameters\n- device\n- call\n\n## Errors\n- 404\n",
            "readable: not_a_handoff",
        ),
        (
            "handoff.json of a scraper",
            "{\"name\":\"scraper\",\"next_page\":\"a.next\",\"selectors\":{\"title\":\"h1\",\"summary\":\".s\"},\"delay\":3}",
            "readable: not_a_handoff",
        ),
        (
            "handoff.yaml of a daemon",
            "pid: 4211\nstate: running\nqueue: []\nlast_run: 2026-05-01T00:00:00Z\nretries: 3\n",
            "readable: not_a_handoff",
        ),
        (
            "handoff.json of a build",
            "{\"version\":\"1.2.3\",\"dependencies\":{\"a\":\"1\"},\"scripts\":{\"test\":\"x\"},\"files\":[\"dist\"]}",
            "readable: not_a_handoff",
        ),
        (
            "session.md of minutes",
            "# Session: Opening keynote\n\n## Speakers\n- Ada\n\n## Room\n- 12\n\n## Abstract\nWords.\n",
            "readable: not_a_handoff",
        ),
    ]);
}

#[test]
fn small_and_odd_handoffs_are_handoffs() {
    check(&[
        ("a few lines", "fix soak timer next. branch feat/soak.\n", "readable: full"),
        ("a list only", "- [x] ramp\n- [ ] soak\n", "done: ramp\nnext: soak"),
        (
            "one heading",
            "# Handoff\n\nThe ramp works, the soak timer does not. Start in `src/soak.rs`.\n",
            "readable: full",
        ),
        (
            "handoff.json with two keys",
            "{\"summary\":\"Ramp works\",\"next_steps\":[\"Write the soak timer\"],\"branch\":\"feat/k\"}",
            "objective: Ramp works\nnext: Write the soak timer\nbranch: feat/k",
        ),
        (
            "HANDOFF.yaml of a person",
            "objective: Fire the kiln at 1060\ndone:\n  - ramp table\nnext:\n  - soak timer\nnever:\n  - push to main\n",
            "objective: Fire the kiln\ndone: ramp table\nnext: soak timer\nnever: push to main",
        ),
    ]);
}
