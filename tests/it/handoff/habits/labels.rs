//! Names of sections: headings, labels, tags, keys, numbers, emphasis; the order of the tests is FIELD's.

use super::check;

#[test]
fn labels_on_lines_of_their_own_are_headings() {
    check(&[
        (
            "plain labels over lists",
            "Kiln, Tuesday\n\nGoal:\nFire at 1060.\n\nDone:\n- ramp\n\nNext:\n- soak\n- cool\n\nOpen questions:\n- who orders cones?\n",
            "objective: Fire at 1060.\ndone: ramp\nnext: soak | cool\nopen: who orders cones?",
        ),
        (
            "labels with their value behind them",
            "# CONTINUITY\n\nGoal: fire at 1060\nNow: soak timer\nNext: cooling curve\nConstraints: no floats in the controller\nOpen questions: UNCONFIRMED which cone\n",
            "objective: fire at 1060\nnext: ~soak timer | cooling curve\nconstraints: no floats\nopen: which cone",
        ),
        (
            "bold labels with values",
            "# H\n\n**Goal:** fire at 1060\n\n**Completed:**\n- ramp\n\n**Next steps:**\n1. soak\n\n**Gotchas:**\n- the probe lies below 80\n",
            "objective: fire at 1060\ndone: ramp\nnext: soak\nhazards: the probe lies",
        ),
        (
            "capital labels",
            "DONE:\n- ramp\n\nTODO:\n- soak\n\nBLOCKERS:\n- no cones\n",
            "done: ramp\nnext: soak\nopen: no cones",
        ),
        (
            "underlined headings",
            "Kiln\n====\n\nWhat was done\n-------------\n- ramp\n\nWhat's left\n-----------\n- soak\n",
            "done: ramp\nnext: soak",
        ),
    ]);
}

#[test]
fn key_value_headers_are_read() {
    check(&[
        (
            "upper-case keys",
            "STATUS: in progress\nPHASE: 3\nBRANCH: feat/kiln\nNEXT: write the soak timer\nTESTS: 41 passed, 0 failed\n\nSome words.\n",
            "status: in progress\nbranch: feat/kiln\nnext: write the soak timer\nfacts: 41 passed",
        ),
        ("fenced keys", "# H\n\n```\nSTATUS: blocked\nNEXT: order cones\n```\n\n## Done\n- ramp\n", "done: ramp"),
        (
            "keys over several lines",
            "TASK: fire the kiln\nSTATUS: paused\nNEXT:\n- soak timer\n- cooling\nBLOCKERS: none\nDECISIONS:\n- integer degrees because the controller has no floats\n",
            "objective: fire the kiln\nstatus: paused\nnext: soak timer | cooling\nopen: -\ndecisions: integer degrees => the controller has no floats",
        ),
    ]);
}

#[test]
fn tags_are_sections() {
    check(&[
        (
            ".continue-here.md tags",
            "---\nphase: 03-kiln\ntask: 2\ntotal_tasks: 4\nstatus: in_progress\nlast_updated: 2026-04-05T06:07:08Z\n---\n\n<current_state>\nThe ramp works. Soak is half done.\n</current_state>\n\n<completed_work>\n- Task 1: ramp - Done\n</completed_work>\n\n<remaining_work>\n- Task 2: soak timer\n- Task 3: cooling\n</remaining_work>\n\n<decisions_made>\n- Use integers because the controller has no floats\n</decisions_made>\n\n<blockers>\n- Cones: not delivered\n</blockers>\n\n<context>\nThe probe lies below 80 degrees.\n</context>\n\n<next_action>\nStart with: src/soak.rs\n</next_action>\n",
            "status: in_progress\ndone: Task 1: ramp\nnext: Task 2: soak timer | Task 3: cooling | Start with: src/soak.rs\ndecisions: Use integers => the controller has no floats\nopen: Cones: not delivered\nhazards: The probe lies\nwritten_at: 2026-04-05T06:07:08Z",
        ),
        (
            "tags in lower case with hyphens",
            "<goal>fire it</goal>\n\n<next-steps>\n1. soak\n</next-steps>\n\n<open-questions>\n- which cone?\n</open-questions>\n",
            "objective: fire it\nnext: soak\nopen: which cone?",
        ),
    ]);
}

#[test]
fn numbers_emphasis_and_emoji_around_a_heading_do_not_matter() {
    check(&[
        (
            "kinds of numbers",
            "# H\n\n## 1. Goal\nfire\n\n## 2) ✅ Completed\n- ramp\n\n## §3 Next Steps\n- soak\n\n## (D) Open Questions\n- cones?\n\n## 5.1 Key Decisions\n- integers\n",
            "objective: fire\ndone: ramp\nnext: soak\nopen: cones?\ndecisions: integers",
        ),
        (
            "Chinese numerals",
            "# 交接\n\n## 一、当前目标\n烧窑\n\n## 二、已完成\n- 升温\n\n## 三、下一步\n- 保温\n\n## 四、已知问题\n- 探头不准\n",
            "objective: 烧窑\ndone: 升温\nnext: 保温\nhazards: 探头不准",
        ),
        (
            "Japanese numbers",
            "# 引き継ぎ\n\n## ① 目的\n窯を焚く\n\n## ② 完了\n- 昇温\n\n## ③ 次のステップ\n- 保持\n",
            "objective: 窯を焚く\ndone: 昇温\nnext: 保持",
        ),
        (
            "emoji headings",
            "# 🔥 Handoff\n\n## 🎯 Goal\nfire\n\n## ✅ What's done\n- ramp\n\n## 🚧 In progress\n- soak\n\n## ⏭️ Next steps\n- cool\n\n## ⚠️ Gotchas\n- probe\n",
            "objective: fire\ndone: ramp\nnext: ~soak | cool\nhazards: probe",
        ),
        ("bold headings", "# H\n\n## **Next Steps**\n- soak\n\n### __Done__\n- ramp\n", "next: soak\ndone: ramp"),
        (
            "a bracket behind a space",
            "# H\n\n## Open Questions (operator input required)\n- cones?\n\n## Next Steps (in order)\n- soak\n\n## Task(s)\n- Ramp (completed)\n- Soak (planned)\n",
            "open: cones?\nnext: soak\ndone: Ramp (completed) | Soak (planned)",
        ),
    ]);
}

#[test]
fn negated_names_mean_the_opposite() {
    check(&[
        (
            "English",
            "# H\n\n## Not done\n- soak\n\n## Not yet verified\n- cones\n\n## Not started\n- glaze\n",
            "done: -\nnext: soak | glaze\nunverified: cones",
        ),
        ("Russian", "# H\n\n## Не сделано\n- выдержка\n\n## Сделано\n- подъём\n", "next: выдержка\ndone: подъём"),
        (
            "Chinese",
            "# H\n\n## 未完成\n- 保温\n\n## 已完成\n- 升温\n\n## 未解决的问题\n- 锥体\n",
            "next: 保温\ndone: 升温\nopen: 锥体",
        ),
        ("Korean", "# H\n\n## 미완료\n- 유지\n\n## 완료\n- 상승\n", "next: 유지\ndone: 상승"),
        (
            "Japanese",
            "# H\n\n## 未完了\n- 保持\n\n## 未解決\n- コーン\n\n## 完了\n- 昇温\n",
            "next: 保持\nopen: コーン\ndone: 昇温",
        ),
        ("German", "# H\n\n## Nicht erledigt\n- Halten\n\n## Erledigt\n- Aufheizen\n", "next: Halten\ndone: Aufheizen"),
        ("French", "# H\n\n## Pas encore fait\n- palier\n\n## Fait\n- montée\n", "next: palier\ndone: montée"),
        (
            "unchanged",
            "# H\n\n## What did not change\n- the controller\n\n## Next\n- x\n",
            "never: the controller\ndone: -",
        ),
    ]);
}

#[test]
fn one_heading_may_name_two_fields() {
    check(&[
        (
            "questions and blockers",
            "# H\n\n## Open Questions / Blockers\n- Which cone?\n- Delivery is late\n\n## Next\n- x\n",
            "open: Which cone? | Delivery is late",
        ),
        (
            "did not work and known issues",
            "# H\n\n## What Didn't Work / Known Issues\n- Tried a float table, failed on the controller\n- The probe lies below 80\n\n## Next\n- x\n",
            "rejected: float table\nhazards: The probe lies",
        ),
        (
            "Japanese can and cannot",
            "# 引き継ぎ\n\n## できていること / できていないこと\n- ✅ 昇温\n- ❌ 保持\n",
            "done: 昇温\nnext: 保持",
        ),
        (
            "Korean worked and did not",
            "# 인수인계\n\n## 된 방법 / 안 된 방법\n- ✅ 정수 표\n- ❌ 실수 표: 제어기에 없음\n",
            "facts: 정수 표\nrejected: 실수 표",
        ),
        (
            "decisions and reasons",
            "# H\n\n## Decisions & Rationale\n- Integers — the controller has no floats\n\n## Done and Verified\n- ramp\n",
            "decisions: Integers",
        ),
    ]);
}

#[test]
fn a_heading_may_carry_its_content() {
    check(&[
        (
            "a status",
            "# H\n\n## Current state: waiting for cones\n\n## Next: write the soak timer\n\n## Done\n- ramp\n",
            "status: waiting for cones\ndone: ramp\nnext: write the soak timer",
        ),
        (
            "a status in Chinese",
            "# 交接\n\n## 当前状态：等待锥体\n\n## 已完成\n- 升温\n",
            "status: 等待锥体\ndone: 升温",
        ),
        (
            "a date and commit",
            "# H\n\n## State as of 2026-04-25 (commit 67abc01)\nThe ramp works.\n\n## Next\n- soak\n",
            "head: 67abc01\nnext: soak",
        ),
    ]);
}

#[test]
fn a_folder_is_no_objective() {
    check(&[
        (
            "a project's path",
            "# Handoff\n\n## Session Metadata\n- Project: /home/ada/kiln\n- Branch: feat/k\n\n## Next\n- soak\n",
            "objective: -\nbranch: feat/k\nnext: soak",
        ),
        (
            "a task's summary",
            "# Task\n\n## Task Summary\nParse the flag.\n\n## What Was Done\n- flag\n",
            "objective: Parse the flag.",
        ),
    ]);
}
