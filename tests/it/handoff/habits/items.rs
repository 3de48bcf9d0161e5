//! What one item says: reasons, evidence, certainty, drafts; files, pointers, prompts.

use super::check;

#[test]
fn a_decision_keeps_its_reason_and_what_else_was_considered() {
    check(&[
        (
            "dashes",
            "# H\n\n## Decisions\n- Integers — the controller has no floats\n- One table - two drifted\n- Keep REST because clients exist\n",
            "decisions: Integers => the controller has no floats | One table - two drifted | Keep REST => clients exist",
        ),
        (
            "a table with options",
            "# H\n\n## Decisions Made\n\n| Decision | Options Considered | Rationale |\n|---|---|---|\n| serde | serde, by hand | escaping |\n",
            "decisions: serde => escaping\nalternatives: serde | by hand",
        ),
        (
            "labels below a bold name",
            "# H\n\n## Key Decisions\n- **Storage**: SQLite\n  - Alternatives considered: Postgres, files\n  - Reason: one file\n",
            "decisions: SQLite => one file\nalternatives: Postgres | files",
        ),
        (
            "a date in front",
            "# H\n\n## Decision log\n- 2026-04-01: integers (the controller has no floats)\n- **2026-04-02** — one table because two drifted\n",
            "decisions: integers (the controller has no floats) | one table => two drifted",
        ),
        (
            "German reasons",
            "# H\n\n## Entscheidungen\n- Ganze Grad, weil der Regler keine Kommazahlen kennt\n- Eine Tabelle (Grund: zwei liefen auseinander)\n",
            "decisions: Ganze Grad => der Regler | Eine Tabelle => zwei liefen",
        ),
        (
            "Chinese reasons",
            "# 交接\n\n## 决策记录\n- 使用整数，因为控制器没有浮点\n- 一张表。理由：两张会不一致\n",
            "decisions: 使用整数 => 控制器没有浮点 | 一张表 => 两张会不一致",
        ),
        (
            "Japanese reasons",
            "# 引き継ぎ\n\n## 決定事項\n- 整数を使う（理由：制御器に浮動小数がない）\n- 表は一つ。理由: 二つはずれる\n",
            "decisions: 整数を使う => 制御器に浮動小数がない | 表は一つ => 二つはずれる",
        ),
    ]);
}

#[test]
fn rejected_options_stand_under_many_names() {
    check(&[
        (
            "tried and failed",
            "# H\n\n## What Failed\n- Tried: float table → Failed because: the controller rounds\n- Tried: two timers → Failed because: drift\n",
            "rejected: float table => the controller rounds | two timers => drift",
        ),
        (
            "dead ends",
            "# H\n\n## Dead ends — do not retry\n- PWM on pin 9: the fan shares it\n- polling at 10 ms (watchdog)\n",
            "rejected: PWM on pin 9 => the fan shares it | polling at 10 ms => watchdog",
        ),
        (
            "rejected alternatives in Japanese",
            "# 引き継ぎ\n\n## 却下した案\n- 浮動小数の表：制御器が丸める\n",
            "rejected: 浮動小数の表 => 制御器が丸める",
        ),
        (
            "Chinese",
            "# 交接\n\n## 被否决的方案\n- 浮点表：控制器会四舍五入\n- 双定时器——会漂移\n",
            "rejected: 浮点表 => 控制器会四舍五入 | 双定时器 => 会漂移",
        ),
        (
            "in prose only",
            "# H\n\n## Notes\nWe tried a float table and it failed on the controller. The two-timer idea was rejected because it drifts.\n\n## Next\n- x\n",
            "rejected: float table | The two-timer idea was rejected => it drifts",
        ),
        (
            "a failing test is none",
            "# H\n\n## Verification\n- `cargo test` failed 2 of 41 tests\n\n## Next\n- fix the failed tests\n",
            "rejected: -\nnext: fix the failed tests",
        ),
        (
            "a reverted commit",
            "# H\n\n## Notes\nPolling at 10 ms was reverted: the watchdog bites.\n\n## Next\n- x\n",
            "rejected: Polling at 10 ms",
        ),
        (
            "what not to do",
            "# H\n\n## What NOT to do on resume\n- Do not rewrite the table\n- Do not poll\n\n## Next\n- x\n",
            "rejected: Do not rewrite | Do not poll",
        ),
    ]);
}

#[test]
fn what_was_checked_is_parted_from_what_was_not() {
    check(&[
        (
            "evidence in brackets",
            "# H\n\n## Verified facts\n- The ramp is monotone (cargo test ramp: 12 passed)\n- UNCONFIRMED: the probe is linear\n",
            "facts: The ramp is monotone => cargo test ramp: 12 passed\nunverified: the probe is linear",
        ),
        (
            "two columns",
            "# H\n\n## Verification\n\n| Check | Evidence |\n|---|---|\n| ramp monotone | `cargo test ramp` |\n| soak holds | not tested |\n",
            "facts: ramp monotone => `cargo test ramp`\nunverified: soak holds",
        ),
        (
            "a Japanese pair",
            "# 引き継ぎ\n\n## 検証済み\n- 昇温は単調（cargo test ramp）\n\n## 未検証\n- 保持\n",
            "facts: 昇温は単調\nunverified: 保持",
        ),
        (
            "a Chinese pair",
            "# 交接\n\n## 已验证\n- 升温单调\n\n## 未验证\n- 保温\n",
            "facts: 升温单调\nunverified: 保温",
        ),
        (
            "assumptions",
            "# H\n\n## Assumptions\n- cones arrive on Friday\n\n## Assumptions Made\n- ids are unique\n",
            "unverified: cones arrive | ids are unique\nfacts: -",
        ),
        (
            "proposals are no facts",
            "# H\n\n## Proposed\n- use PID\n\n## Verified\n- ramp works\n",
            "facts: ramp works\nunverified: use PID",
        ),
        (
            "not tested in a sentence",
            "# H\n\n## Tests\n- unit tests: 41 passed\n- hardware: not tested\n- the fan was never verified\n",
            "facts: unit tests\nunverified: hardware | the fan",
        ),
        (
            "failed checks are no facts that hold",
            "# H\n\n## Test results\n- ✅ ramp\n- ❌ soak: times out\n",
            "facts: ramp\nhazards: soak: times out",
        ),
    ]);
}

#[test]
fn drafts_and_templates_are_told() {
    check(&[
        (
            "a draft",
            "# Handoff: kiln\n\n## Current State Summary\nThe ramp works.\n\n## Next Steps\n1. [TODO: first step]\n2. Soak\n",
            "findings: draft\nreadable: partial",
        ),
        (
            "a template",
            "# Handoff: [Title]\n\n## Goal\n[One sentence]\n\n## Done\n- [what was done]\n\n## Next Steps\n1. [first step]\n2. [second step]\n",
            "readable: not_a_handoff",
        ),
        (
            "a template with braces",
            "# Session {{date}}\n\n- Branch: {{branch}}\n\n## Done\n- {{item}}\n- {{item}}\n\n## Next\n- {{step}}\n",
            "readable: not_a_handoff",
        ),
        (
            "comments of a template",
            "# Handoff\n\n## Goal\n<!-- what -->\n\n## Done\n<!-- list -->\n\n## Next Steps\n<!-- list -->\n",
            "readable: not_a_handoff",
        ),
        (
            "a filled file keeps a comment",
            "# Handoff\n\n## Goal\n<!-- one sentence -->\nFire it.\n\n## Next\n- soak\n",
            "objective: Fire it.\nnext: soak\nreadable: full",
        ),
    ]);
}

#[test]
fn files_are_references_and_pointers_are_told() {
    check(&[
        (
            "a table of files",
            "# H\n\n## Critical Files\n\n| File | Purpose | Relevance |\n|---|---|---|\n| src/soak.rs | timer | next |\n| `src/ramp.rs` | table | done |\n\n## Next\n- x\n",
            "artifacts: src/soak.rs | src/ramp.rs",
        ),
        (
            "files with lines",
            "# H\n\n## Recent changes\n- `src/ramp.rs:12-40` integer table\n\n## Artifacts\n- `docs/kiln.md`\n- https://example.test/kiln\n- PR #41\n\n## Next\n- x\n",
            "artifacts: docs/kiln.md | https://example.test/kiln | PR #41\ndone: src/ramp.rs:12-40",
        ),
        (
            "a pointer",
            "# Next session\n\nRead `docs/plans/kiln.md` completely first. Everything else is there.\n",
            "points_to: docs/plans/kiln.md",
        ),
        ("a pointer in German", "Lies zuerst `docs/uebergabe/kiln.md`.\n", "points_to: docs/uebergabe/kiln.md"),
        (
            "a pointer in Japanese",
            "# 次のセッション\n\nまず `docs/引き継ぎ.md` を読むこと。\n",
            "points_to: docs/引き継ぎ.md",
        ),
        ("a pointer in Chinese", "# 交接\n\n请先完整阅读 `docs/交接文档.md`。\n", "points_to: docs/交接文档.md"),
        (
            "required reading is no pointer",
            "# H\n\n## Required reading\n- docs/a.md\n\n## Done\n- ramp\n\n## Next\n- soak\n- cool\n\n## Decisions\n- integers because of the controller\n",
            "points_to: -\nartifacts: docs/a.md",
        ),
    ]);
}

#[test]
fn what_stands_in_a_fence_is_no_part_of_the_document() {
    check(&[
        (
            "headings in a fence",
            "# H\n\n## Commands\n```bash\n# Next steps\n## Done\ncargo test\n```\n\n## Next\n- soak\n",
            "next: soak\ndone: -",
        ),
        (
            "an embedded plan",
            "# H\n\n## Plan\n````markdown\n# The plan\n## Next\n- not this\n```\ncode\n```\n## Done\n- nor this\n````\n\n## Next\n- soak\n",
            "next: soak\ndone: -\nextra: not this",
        ),
        (
            "boxes in a fence",
            "# H\n\n## Template for the next one\n```\n- [ ] fill me\n- Branch: xxx\n```\n\n## Next\n- soak\n",
            "next: soak\nbranch: -",
        ),
        (
            "an indented block",
            "# H\n\n## Notes\nRun:\n\n    # Next\n    - [ ] not work\n\n## Next\n- soak\n",
            "next: soak",
        ),
        ("tildes", "# H\n\n~~~\n## Done\n- no\n~~~\n\n## Next\n- soak\n", "next: soak\ndone: -"),
    ]);
}

#[test]
fn a_prompt_to_paste_may_hold_the_only_rules() {
    check(&[
        (
            "a fenced prompt",
            "# H\n\n## Next\n- soak\n\n## Prompt for the next session\n```\nContinue with the soak timer. Do not touch src/ramp.rs. Ask before you push.\n```\n",
            "never: Do not touch src/ramp.rs\nask: Ask before you push\nextra: Continue with the soak timer",
        ),
        (
            "a quoted prompt",
            "# H\n\n## Next\n- soak\n\n## Resume prompt\n> You are continuing the kiln. Never deploy. Read docs/kiln.md.\n",
            "never: Never deploy",
        ),
        (
            "a Japanese prompt",
            "# 引き継ぎ\n\n## 次にやること\n- 保持\n\n## 次のセッションへのプロンプト\n```\n保持から続けてください。ramp.rs は変更しないこと。\n```\n",
            "never: ramp.rs",
        ),
        (
            "an original prompt is history",
            "# H\n\n## Original prompt\nBuild the kiln. Never stop.\n\n## Next\n- soak\n",
            "next: soak\nnever: -",
        ),
        (
            "a script is no prompt",
            "# H\n\n## Commands\n```bash\n# never push from here\ngit status\n```\n\n## Next\n- soak\n",
            "never: -",
        ),
    ]);
}

#[test]
fn labelled_items_stay_in_their_list() {
    check(&[
        (
            "Japanese open points",
            "# 引き継ぎ\n\n## 完了\n- 昇温\n\n## 残存課題\n\n- **メール送信**: 本番の設定がまだない\n- **テスト**: 結合テストが足りない\n- **ドキュメント**: READMEが古い\n\n## 次のステップ\n1. 保持\n",
            "open: メール送信 | テスト | ドキュメント\ndone: 昇温\nnext: 保持",
        ),
        (
            "Japanese numbered points",
            "# 引き継ぎ\n\n## 残存課題\n\n1. **決済**：Webhookの再送に未対応\n   - 影響：二重計上\n2. **次の画面**：未着手\n\n## 実装済みの内容\n- ログイン\n",
            "open: 決済 | 次の画面\ndone: ログイン\nnext: -",
        ),
    ]);
}
