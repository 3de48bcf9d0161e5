//! The forms that tools prescribe: each with files that fill them as their users do.

use super::check;

#[test]
fn continuous_claude_yaml_is_read_even_where_it_is_no_yaml() {
    check(&[
        (
            "2026-03-02_11-20_tide-alarm.yaml of two documents",
            "root_span_id: 7f31\nturn_span_id: 7f32\n---\nsession: tide-alarm\ndate: 2026-03-02\nstatus: blocked\noutcome: PARTIAL_MINUS\n---\n\ngoal: Alarm rings ten minutes before high water\nnow: Ask the harbour office for the new datum\ntest: npm test alarm\n\ndone_this_session:\n  - task: Alarm scheduler\n    files: [src/alarm.ts]\n  - task: Quiet hours\n    files:\n      - src/quiet.ts\n      - test/quiet.test.ts\n\nblockers: [the harbour office does not answer]\n\nquestions:\n  - Is summer time in the tables?\n\ndecisions:\n  - timer: one timer for all alarms because browsers throttle many\n  - store: localStorage\n\nfindings:\n  - drift: 40 ms an hour (bench/drift.txt)\n\nworked: [fake timers]\nfailed: [web workers - throttled as well]\n\nnext:\n  - Read the new datum\n  - Sound file for the deaf harbour\n\nfiles:\n  created: [src/alarm.ts, src/quiet.ts]\n  modified: []\n",
            "objective: Alarm rings\nstatus: blocked\ndone: Alarm scheduler | Quiet hours\nnext: ~Ask the harbour | Read the new datum | Sound file\nopen: the harbour office | summer time\ndecisions: one timer for all alarms => browsers throttle | localStorage\nrejected: web workers => throttled\nartifacts: src/alarm.ts | src/quiet.ts\nsession: tide-alarm\nwritten_at: 2026-03-02",
        ),
        (
            "2026-03-02_12-00_broken.yaml with colons in its values",
            "---\nsession: tide-alarm\ndate: 2026-03-02\nstatus: partial\noutcome: PARTIAL_PLUS\n---\n\ngoal: Fix the alarm: it rings twice on the 31st: month ends\nnow: Test with February: 28 and 29 days\ntest: npm test alarm\n\ndone_this_session:\n  - task: Found the cause: two timers: one per tab\n    files: [src/alarm.ts]\n\nblockers: []\nquestions: []\n\nnext:\n  - Merge the timers: keep the older one\n  - Release notes\n",
            "objective: Fix the alarm: it rings twice\nnext: ~Test with February: 28 | Merge the timers: keep | Release notes\nstatus: partial\nopen: -\nwritten_at: 2026-03-02",
        ),
        (
            "auto-handoff-2026-03-02T13-14-15.yaml",
            "---\nsession: tide-alarm\ndate: 2026-03-02\nstatus: partial\noutcome: PARTIAL_PLUS\n---\n\ngoal: Finished 2 task(s) before compaction\nnow: Merge the timers\ntest: # none captured\n\ndone_this_session:\n  - task: \"Quiet hours\"\n    files: []\n  - task: \"Cause found\"\n    files: []\n\nblockers:\n  []\n\nnext:\n  - \"Continue: Merge the timers\"\n",
            "objective: Finished 2 task\ndone: Quiet hours | Cause found\nnext: ~Merge the timers | Continue: Merge\nopen: -",
        ),
    ]);
}

#[test]
fn continuous_claude_ledgers_and_task_files_are_read() {
    check(&[
        (
            "CONTINUITY_CLAUDE-tide-alarm.md",
            "# Session: tide-alarm\nUpdated: 2026-03-02T14:00:00.000Z\n\n## Goal\nOne alarm a tide, on every device. Done when the field test of a week passes.\n\n## Constraints\n- No server\n- Works offline\n\n## Key Decisions\n- One timer: browsers throttle many\n- localStorage over IndexedDB: one key only\n\n## State\n- Done:\n  - [x] Phase 1: scheduler\n  - [x] Phase 2: quiet hours\n- Now: [->] Phase 3: merge the timers\n- Next: [ ] Phase 4: field test\n- Remaining:\n  - [ ] Phase 5: release\n\n## Open Questions\n- UNCONFIRMED: tables hold summer time\n- CONFIRMED: the datum is NAP\n\n## Working Set\n- Branch: `feat/tide-alarm`\n- Key files: `src/alarm.ts`, `src/quiet.ts`\n- Test cmd: `npm test alarm`\n",
            "objective: One alarm a tide\nwritten_at: 2026-03-02T14:00:00\nconstraints: No server | Works offline\ndecisions: One timer | localStorage over IndexedDB\ndone: Phase 1 | Phase 2\nnext: ~Phase 3 | Phase 4 | Phase 5\nopen: tables hold | the datum is NAP\nbranch: feat/tide-alarm\nartifacts: src/alarm.ts | src/quiet.ts | npm test",
        ),
        (
            "task-03-merge-timers.md",
            "---\ndate: 2026-03-02T15:00:00+01:00\ntask_number: 3\ntask_total: 5\nstatus: partial\n---\n\n# Task Handoff: Merge the timers\n\n## Task Summary\nOne timer for all alarms of a tab.\n\n## What Was Done\n- Moved both timers behind one queue\n- Deleted the second one\n\n## Files Modified\n- `src/alarm.ts:20-61` - queue\n- `test/alarm.test.ts` - new\n\n## Decisions Made\n- Queue is sorted by time: the next alarm is always first\n\n## Patterns/Learnings for Next Tasks\n- Fake timers must be installed before the import\n\n## TDD Verification\n- [x] Tests written BEFORE implementation\n- [x] Each test failed first, then passed\n- [ ] Refactoring kept tests green\n\n## Code Quality\n- Issues found: none\n\n## Issues Encountered\nThe clock jumps at midnight in Safari.\n\n## Next Task Context\nPhase 4 needs a device with sound.\n",
            "objective: One timer for all alarms\nstatus: partial\ndone: Moved both timers | Deleted the second | Tests written | Each test failed\nnext: Refactoring kept | Phase 4 needs\nhazards: Fake timers must | The clock jumps\ndecisions: Queue is sorted by time\nartifacts: src/alarm.ts:20-61 | test/alarm.test.ts",
        ),
        (
            "current.md of the sixth form",
            "---\ndate: 2026-03-03T09:00:00Z\nsession_name: tide-alarm\ngit_commit: 5a5b5c5\nbranch: feat/tide-alarm\nroot_span_id:\nturn_span_id:\n---\n\n# Work Stream: tide-alarm\n\n## Ledger\n\n**Goal:** One alarm a tide\n**Now:** Field test\n**This Session:**\n- [x] Timers merged\n- [x] Safari clock handled\n\n**Next:**\n- [ ] Read the log of a week\n\n**Decisions:**\n- queue: sorted by time\n\n---\n\n## Context\n\n### Task(s)\n1. Merge timers (completed)\n2. Field test (in progress)\n\n### Learnings\n- Safari stops timers in the background\n\n### Post-Mortem\n\n#### What Worked\n- Fake timers\n\n#### What Failed\n- Tried: service worker -> Failed because: killed after 30 s\n\n### Artifacts\n- `src/alarm.ts`\n\n### Next Steps\n1. Release\n",
            "objective: One alarm a tide\nbranch: feat/tide-alarm\nhead: 5a5b5c5\nhazards: Safari stops\nfacts: Fake timers\nrejected: service worker => killed after 30 s\nartifacts: src/alarm.ts\nsession: tide-alarm",
        ),
    ]);
}

#[test]
fn humanlayer_handoffs_are_read() {
    check(&[
        (
            "2026-04-07_08-09-10_ENG-77_buoy-light.md",
            "---\ndate: 2026-04-07T08:09:10-07:00\nresearcher: mira\ngit_commit: 0d0e0f1a2b3c4d5e6f708192a3b4c5d6e7f80912\nbranch: mira/eng-77-buoy-light\nrepository: buoy\ntopic: \"Buoy light at dusk\"\ntags: [implementation, light]\nstatus: in_progress\nlast_updated: 2026-04-07\nlast_updated_by: mira\ntype: implementation_strategy\n---\n\n# Handoff: ENG-77 the light comes on at dusk\n\n## Task(s)\n| Task | Status |\n|------|--------|\n| Lux sensor | Completed |\n| Dusk table | In progress |\n| Winter mode | Planned |\n\nWe are in phase 2 of the plan.\n\n## Critical References\n- `thoughts/shared/plans/2026-04-01-ENG-77.md`\n\n## Recent changes\n- `src/lux.c:10-44` - sensor driver\n\n## Learnings\n1. **The sensor saturates**: above 60 klux it reads zero (`src/lux.c:30`).\n2. **Dusk is civil dusk**, not sunset.\n\n## Artifacts\n- `thoughts/shared/plans/2026-04-01-ENG-77.md`\n- `src/lux.c`\n\n## Action Items & Next Steps\n1. Fill the dusk table\n2. Decide on winter mode\n\n## Other Notes\nThe bench lamp is at 192.0.2.7. Do not flash the buoy at the pier without asking Mira.\n",
            "title: Handoff: ENG-77\nobjective: Buoy light at dusk\nbranch: mira/eng-77-buoy-light\nhead: 0d0e0f1a\ndone: Lux sensor | sensor driver\nhazards: The sensor saturates | Dusk is civil dusk\nartifacts: thoughts/shared/plans | thoughts/shared/plans | src/lux.c\nnext: ~Dusk table | Winter mode | Fill the dusk table | Decide on winter\nask: Do not flash the buoy\nagent: mira\ncreated_at: 2026-04-07T08:09:10-07:00",
        ),
        (
            "2026-04-08_10-00-00_general.md with sub-headings of tasks",
            "---\ndate: 2026-04-08 10:00:00 PDT\nresearcher: mira\ngit_commit: 1a1b1c1d\nbranch: main\nrepository: buoy\ntopic: \"Dusk table\"\nstatus: complete\ntype: implementation_strategy\n---\n\n# Handoff: dusk table filled\n\n## Task(s)\n\n### Completed\n1. Table for 2026\n2. Table for 2027\n\n### In Progress\n- Winter mode\n\n### Planned\n- Leap seconds\n\n## Learnings\n\n### Civil dusk\nSix degrees below the horizon.\n\n### The table is in UTC\nDo not convert it.\n\n## Action Items & Next Steps\n- None\n",
            "done: Table for 2026 | Table for 2027\nnext: ~Winter mode | Leap seconds\nhazards: Civil dusk | The table is in UTC\nbranch: main\nhead: 1a1b1c1d",
        ),
    ]);
}

#[test]
fn session_handoffs_of_the_skill_leave_nothing_known_behind() {
    check(&[(
        "2026-05-05-101500-gauge.md",
        "# Handoff: rain gauge calibration\n\n## Session Metadata\n- Created: 2026-05-05 10:15:00\n- Project: /home/rin/src/gauge\n- Branch: fix/tipping-bucket\n- Session duration: about 2 hours\n\n### Recent Commits (for context)\n  - 8f8e8d8 fix: debounce the bucket\n  - 7a7b7c7 chore: format\n\n## Handoff Chain\n\n- **Continues from**: [2026-05-04-090000-gauge.md](./2026-05-04-090000-gauge.md)\n  - Previous title: rain gauge\n- **Supersedes**: None\n\n## Current State Summary\n\nThe bucket is debounced. Calibration against the glass gauge shows two per cent too much.\n\n## Codebase Understanding\n\n### Architecture Overview\n\nOne loop, one interrupt.\n\n### Critical Files\n\n| File | Purpose | Relevance |\n|------|---------|-----------|\n| src/bucket.c | interrupt | debounce is here |\n\n## Work Completed\n\n### Tasks Finished\n\n- [x] Debounce\n\n### Files Modified\n\n| File | Changes | Rationale |\n|------|---------|-----------|\n| src/bucket.c | debounce | double tips |\n\n### Decisions Made\n\n| Decision | Options Considered | Rationale |\n|----------|-------------------|-----------|\n| 40 ms | 20, 40, 80 ms | slowest tip seen was 31 ms |\n\n## Pending Work\n\n### Immediate Next Steps\n\n1. Calibrate again\n2. Store the factor\n\n### Blockers/Open Questions\n\n- [ ] Glass gauge leaks: needs a new seal\n\n### Deferred Items\n\n- Heater (no budget)\n\n## Context for Resuming Agent\n\n### Important Context\n\nNever calibrate with tap water from the hall: it foams.\n\n### Assumptions Made\n\n- One tip is 0.2 mm\n\n### Potential Gotchas\n\n- Interrupts are lost while flash is written\n\n## Environment State\n\n### Tools/Services Used\n\n- west\n\n### Active Processes\n\n- none\n\n### Environment Variables\n\n- GAUGE_PORT\n\n## Related Resources\n\n- docs/gauge.md\n",
        "objective: The bucket is debounced\nwritten_at: 2026-05-05T10:15:00\nbranch: fix/tipping-bucket\ndone: Debounce\nhead: 8f8e8d8\nroot: /home/rin/src/gauge\nfindings: head-from-log\ndecisions: 40 ms => slowest tip\nnext: Calibrate again | Store the factor | Heater\nopen: Glass gauge leaks\nunverified: One tip\nartifacts: src/bucket.c | src/bucket.c | docs/gauge.md\nparent: 2026-05-04-090000-gauge.md",
    )]);
}

#[test]
fn small_skills_are_read() {
    check(&[
        (
            "a HANDOFF.md with progress in sentences",
            "# Handoff\n\n## Goal\nThe gauge reports every minute.\n\n## Current Progress\nThe loop runs. The radio sleeps between messages.\n\n## What Worked\n- Sleeping by the RTC\n\n## What Didn't Work\n- Busy waiting — 11 mA\n- Deep sleep - loses the counter\n- Watchdog wake-up (resets the radio)\n\n## Next Steps\n1. Measure a night\n",
            "objective: The gauge reports\ndone: The loop runs.\nfacts: Sleeping by the RTC\nrejected: Busy waiting => 11 mA | Deep sleep => loses the counter | Watchdog wake-up => resets the radio\nnext: Measure a night",
        ),
        (
            "handoff-gauge-radio.md in a temporary folder",
            "# Gauge radio handoff\n\nThe live thread: the radio must not wake while the bucket tips. The plan is `docs/plans/radio.md`, step 3 is half done.\n\n## Suggested skills\n- tdd\n- measure-current\n",
            "readable: full\nobjective: The live thread: the radio must not wake",
        ),
        (
            "HANDOFF.md with warnings",
            "# Handoff: gauge\n\n**Generated:** 2026-06-01 10:00\n**Branch:** fix/radio\n**Status:** In Progress\n\n## Goal\nA night on one battery.\n\n## Completed\n- [x] RTC sleep\n\n## Not Yet Done\n- [ ] Night test\n\n## Failed Approaches (Don't Repeat These)\n**Deep sleep**: loses the counter.\n\n## Key Decisions\n| Decision | Rationale |\n|---|---|\n| RTC alarm | keeps RAM |\n\n## Current State\n**Working**: loop, radio\n**Broken**: display\n**Uncommitted Changes**: `src/radio.c`\n\n## Files to Know\n| File | Why It Matters |\n|---|---|\n| src/radio.c | sleep |\n\n## Resume Instructions\n1. Flash the board\n   - Expected: beep\n2. Start the logger\n\n## Setup Required\n- A lab supply\n\n## Warnings\n- The lab supply rings above 5 V\n",
            "objective: A night\nbranch: fix/radio\nstatus: In Progress\ndone: RTC sleep | loop, radio\nnext: Night test | Flash the board | Start the logger\nrejected: Deep sleep => loses the counter\ndecisions: RTC alarm => keeps RAM\nhazards: display | The lab supply rings\nchanged: src/radio.c\nartifacts: src/radio.c\nconstraints: A lab supply",
        ),
    ]);
}

#[test]
fn yaml_that_is_none_keeps_its_items_whole() {
    check(&[(
        "2026-03-02_12-00_broken.yaml with colons everywhere",
        "---\nsession: tide-alarm\ndate: 2026-03-02\nstatus: partial\noutcome: PARTIAL_PLUS\n---\n\ngoal: Fix the alarm: it rings twice on the 31st: month ends\nnow: Test with February: 28 and 29 days\ntest: npm test alarm\n\ndone_this_session:\n  - task: Found the cause: two timers: one per tab\n    files: [src/alarm.ts]\n  - task: Quiet hours: evening only\n    files:\n      - src/quiet.ts\n      - test/quiet.test.ts\n\nblockers: []\nquestions: []\n\ndecisions:\n  - Timer: one for all: browsers throttle many\n  - Store it locally: because one key is enough: no server\n\nfindings:\n  - Drift is 40 ms: an hour: see bench\n\nworked: [fake timers]\nfailed: [web workers - throttled as well]\n\nnext:\n  - Merge the timers: keep the older one\n  - Release notes\n\nfiles:\n  created: [src/alarm.ts]\n  modified: [src/quiet.ts]\n",
        "objective: Fix the alarm: it rings twice\ndone: Found the cause: two timers: one per tab | Quiet hours: evening only\nnext: ~Test with February: 28 | Merge the timers: keep | Release notes\ndecisions: Timer: one for all | Store it locally\nfacts: Drift is 40 ms | fake timers\nrejected: web workers => throttled\nartifacts: src/alarm.ts | src/quiet.ts\nfindings: yaml-unreadable",
    )]);
}

#[test]
fn humanlayer_handoffs() {
    check(&[
        (
            "2026-03-11_16-05-30_KILN-12_ramp.md of a ticket",
            "---\ndate: 2026-03-11T16:05:30+00:00\nresearcher: mika\ngit_commit: 7c41d0e5b9a84f0d2e3c1b0a9f8e7d6c5b4a3921\nbranch: feat/ramp\nrepository: kiln-desk\ntopic: \"Firing ramp Implementation Strategy\"\ntags: [implementation, ramp]\nstatus: complete\nlast_updated: 2026-03-11\nlast_updated_by: mika\ntype: implementation_strategy\n---\n\n# Handoff: KILN-12 firing ramp\n\n## Task(s)\n- Parse the ramp (completed)\n- Ramp display (work in progress, phase 2 of `thoughts/shared/plans/2026-03-10-KILN-12-a-ramp-with-a-long-name-of-its-plan.md`)\n- README (planned)\n\n## Critical References\n- `thoughts/shared/plans/2026-03-10-KILN-12.md`\n\n## Recent changes\n- `src/ramp.rs:12-18` new steps\n\n## Learnings\n- A ramp without steps reaches the display empty (`src/ramp.rs:31`).\n\n## Artifacts\n- `tests/ramp.rs`\n\n## Action Items & Next Steps\n1. Refuse an empty ramp.\n2. Extend `tests/ramp.rs`.\n\n## Other Notes\nFixtures live in `tests/ramps/`.\n",
            "title: Handoff: KILN-12 firing ramp\nobjective: Firing ramp Implementation Strategy\nbranch: feat/ramp\nhead: 7c41d0e5b9a84f0d2e3c1b0a9f8e7d6c5b4a3921\ncreated_at: 2026-03-11T16:05:30+00:00\nwritten_at: 2026-03-11\nagent: mika\ndone: Parse the ramp | ~Ramp display | README | `src/ramp.rs:12-18` new steps\nhazards: A ramp without steps\nartifacts: thoughts/shared/plans/2026-03-10-KILN-12.md | tests/ramp.rs\nnext: Refuse an empty ramp | Extend\nfacts: -\nextra: Fixtures live",
        ),
        (
            "2026-03-12_09-00-00_readme.md without a ticket, dated by the script",
            "---\ndate: 2026-03-12 09:00:00 WET\ngit_commit: 1f2e3d4c5b6a79880716253443526170f9e8d7c6\nbranch: HEAD\nrepository: kiln-desk\ntopic: \"README\"\nstatus: complete\n---\n\n# Handoff: README\n\n## Task(s)\nWrite it (planned).\n\n## Critical References\n\n## Recent changes\nNone.\n\n## Learnings\nNone.\n\n## Action Items & Next Steps\n1. Add an example.\n\n## Other Notes\n",
            "head: 1f2e3d4c5b6a79880716253443526170f9e8d7c6\nbranch: -\ndetached: true\nwritten_at: 2026-03-12T09:00:00\ndone: Write it\nhazards: -\nnext: Add an example",
        ),
    ]);
}
