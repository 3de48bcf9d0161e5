//! What must not become a fact, a rule, a step or finished work, and what stands in its place.

use super::check;

#[test]
fn what_says_what_to_check_was_not_checked() {
    check(&[
        (
            "commands below a heading of facts",
            "# H\n\n## Validation\n- Confirm that both kilns heat up\n- For a clean install, extract the archive, run `make check`\n- `make check`: 41 passed\n- Run 12: green\n\n## Next\n- x\n",
            "facts: `make check`: 41 passed | Run 12: green\nunverified: Confirm that both kilns | For a clean install",
        ),
        (
            "a paragraph",
            "# H\n\n## Verification\nOpen the page in a fresh profile and look at the dial.\n\n## Next\n- x\n",
            "facts: -\nunverified: Open the page",
        ),
    ]);
}

#[test]
fn without_asking_is_a_rule_only_with_a_denial() {
    check(&[
        (
            "stories",
            "# Übergabe\n\n## Notizen\nDialoge schlossen sich beim Klick ohne Rückfrage. Le script part sans validation. El formulario se cierra sin permiso.\n\n## Nächste Schritte\n- x\n",
            "ask: -\nnever: -",
        ),
        (
            "rules",
            "# Übergabe\n\n## Notizen\nOhne Freigabe nicht deployen. Pas de push sans accord. Nada de desplegar sin permiso.\n\n## Nächste Schritte\n- x\n",
            "ask: Ohne Freigabe | Pas de push | Nada de desplegar",
        ),
        (
            "a person's word in Japanese",
            "# 引き継ぎ\n\n## 公開\nタグの公開は実行前にユーザー確認を取る。\n\n## 次にやること\n- 保持\n",
            "ask: タグの公開",
        ),
    ]);
}

#[test]
fn a_heading_that_is_a_sentence_names_no_field() {
    check(&[
        (
            "Japanese",
            "# 引き継ぎ\n\n### 最重要：1.7.1は公開済み。タグを固定し、次の版と混ぜない\n五つの表示を直した。\n\n## 次にやること\n- 保持\n",
            "done: -\nnext: 保持",
        ),
        (
            "Chinese",
            "# 交接\n\n### 旧接口已完成迁移之后才能删除那些数据，剩余的内容以后再向大家说明白\n说明文字。\n\n## 下一步\n- 保温\n",
            "done: -\nhazards: -\nnext: 保温",
        ),
    ]);
}

#[test]
fn crosses_before_denials_are_rules_not_open_work() {
    check(&[
        (
            "dos and don'ts",
            "# Passation\n\n## Verrous\n- ❌ Pas de bibliothèque de graphiques\n- ❌ Pas de bandeau en haut\n- ✅ Toujours centré\n\n## Prochaines étapes\n- x\n",
            "constraints: Pas de bibliothèque | Pas de bandeau | Toujours centré\ndone: -\nnext: x",
        ),
        (
            "states",
            "# H\n\n## State of play\n- ❌ No tests yet\n- ❌ Dial not wired\n- ✅ Lamp wired\n\n## Next\n- x\n",
            "constraints: -\ndone: Lamp wired",
        ),
    ]);
}

#[test]
fn labels_below_a_numbered_step_belong_to_it() {
    check(&[(
        "steps with parts",
        "# H\n\n## Next Steps\n\n### 1. Poll the sensor\nThe listener fires on release only.\n\n**Sensor.h changes:**\n- add a timer\n- keep the last value\n\n**Why a timer?**\n- it sees every change\n\n### 2. Try it on the bench\nWith both lamps.\n",
        "next: Poll the sensor | Try it on the bench",
    )]);
}

#[test]
fn slanted_lines_below_a_rule_end_the_document() {
    check(&[(
        "a footer",
        "# H\n\n## Next steps\nWire the dial.\n\n---\n*Handoff created: 2026-03-04*\n*Session: dial and lamp*\n",
        "next: Wire the dial\nwritten_at: 2026-03-04",
    )]);
}

#[test]
fn state_may_stand_in_the_first_column() {
    check(&[(
        "priority or state",
        "# 引き継ぎ\n\n## 残っている宿題\n\n| 優先 | 内容 |\n|---|---|\n| 高 | 実機で確認する |\n| 完了 | 店頭の表示を確認した |\n",
        "next: 高: 実機で確認する\ndone: 店頭の表示を確認した",
    )]);
}

#[test]
fn the_day_and_the_work_may_stand_below_the_title() {
    check(&[
        ("a day in a quote", "# 노트\n\n> 2026-07-14 세션 정리.\n\n## 다음 할 일\n- 보온\n", "written_at: 2026-07-14"),
        (
            "the first section introduces",
            "# Handoff\n\n_Saved 2026-05-07._\n\n## Context\nThe relay now takes signed events from the harbour gate and passes them on.\n\n## Next\n- x\n",
            "objective: The relay now takes signed events\nfindings: objective-from-first-words",
        ),
        (
            "what it is",
            "# Handoff\n\n## What We're Building\nA budget book that replaces the spreadsheet.\n\n## Décisions ouvertes\n- Quel hébergeur ?\n\n## Next\n- x\n",
            "objective: A budget book\nopen: Quel hébergeur\ndecisions: -",
        ),
    ]);
}

#[test]
fn a_version_is_no_branch() {
    check(&[(
        "a sentence",
        "# 引き継ぎ\n\n## 状態\n現在の改善ブランチは1.7.2に更新済み。\n\n## 次にやること\n- 保持\n",
        "branch: -",
    )]);
}

#[test]
fn a_table_of_paths_lists_files() {
    check(&[
        (
            "German",
            "# Übergabe\n\n## Wo was steht\n\n| Datei | Inhalt |\n|---|---|\n| `docs/ofen.md` | Kurven |\n| `BACKLOG.md` | Ideen |\n\n## Nächste Schritte\n- x\n",
            "artifacts: docs/ofen.md | BACKLOG.md",
        ),
        (
            "with a state that is not the state of work",
            "# H\n\n## Registry\n\n| File Path | Status | Notes |\n|---|---|---|\n| `src/app.ts` | ✅ Working | routes |\n| `src/db.ts` | ⚠️ Partial | local only |\n\n## Next\n- x\n",
            "done: -\nartifacts: src/app.ts | src/db.ts\nnext: x",
        ),
    ]);
}

#[test]
fn a_legend_and_questions_to_the_reader_are_no_work() {
    check(&[(
        "both",
        "# Журнал\n\n## Таблица\n\n**Условные обозначения:**\n- ✅ Готово\n- ⬜ Не проверено\n\n## Before each session\n- [ ] Am I in the right folder?\n\n## Дальше\n- печь\n",
        "done: -\nnext: печь",
    )]);
}

#[test]
fn counted_headings_are_items() {
    check(&[
        (
            "issues",
            "# H\n\n## Known Issues\n\n### Issue 1: the dial\n- it slips\n- needs a screw\n\n### Issue 2: the lamp\n- too bright\n\n## Next\n- x\n",
            "hazards: the dial | the lamp",
        ),
        (
            "areas below traps",
            "# 交接\n\n## 必须知道的纪律\n\n### 测试\n- 增删断言后必须登记\n\n## 下一步\n- 保温\n",
            "facts: -\nconstraints: 增删断言后必须登记",
        ),
    ]);
}

#[test]
fn a_command_in_code_can_be_forbidden() {
    check(&[(
        "git",
        "# H\n\n## Traps that still hold\n- **Never `git add -A` at the root** (stages the state).\n- The value is never `null`.\n\n## Next\n- x\n",
        "hazards: Never | The value\nnever: Never `git add -A`",
    )]);
}

#[test]
fn causes_that_are_only_possible_are_no_facts() {
    check(&[
        (
            "Japanese",
            "# 引き継ぎ\n\n## 原因の候補（可能性の高い順）\n1. 窯の電源\n2. 扉の接点\n\n## 次にやること\n- 保持\n",
            "facts: -\nunverified: 窯の電源 | 扉の接点",
        ),
        (
            "English",
            "# H\n\n## Likely causes\n- The relay sticks\n\n## Root cause\nThe log of the kiln showed:\n\nThe thermocouple was loose.\n\n## Next\n- x\n",
            "unverified: The relay sticks\nfacts: The thermocouple was loose",
        ),
    ]);
}

#[test]
fn whom_a_heading_is_for_names_no_field() {
    check(&[(
        "findings",
        "# H\n\n## Open points for the next agent\n- Is the door closed?\n\n## Traps for the next session\n- The fan is loud\n\n## Steps for the next session\n- x\n",
        "open: Is the door closed?\nhazards: The fan is loud\nnext: x",
    )]);
}

#[test]
fn a_remark_in_brackets_may_say_where_it_stands() {
    check(&[(
        "unresolved",
        "# 引き継ぎ\n\n## 🔴 最優先：扉が開かない（未解決）\n- 蝶番が固い\n\n## 次にやること\n- 保持\n",
        "open: 蝶番が固い\nnext: 保持",
    )]);
}

#[test]
fn a_short_text_with_a_link_to_the_rest_points_there() {
    check(&[("Japanese", "# 引き継ぎ\n\n続きは [本文](docs/kiln.md) を読むこと。\n", "points_to: docs/kiln.md")]);
}

#[test]
fn what_is_not_complete_is_no_finished_work() {
    check(&[(
        "headings",
        "# H\n\n## Completed\n- the lamp\n\n## Not Completed — disclosed\n1. the dial\n\n## What still needs to be done\n- the door\n",
        "done: the lamp\nnext: the dial | the door",
    )]);
}

#[test]
fn the_column_of_paths_may_be_a_later_one() {
    check(&[(
        "documents and layers",
        "# 인수인계\n\n## 읽을거리\n\n| 문서 | 위치 |\n|---|---|\n| 명세 | `docs/kiln.md` |\n\n## 레이어\n\n| 레이어 | 위치 | 상태 |\n|---|---|---|\n| 창구 | `src/door.js` | ✅ 완료 |\n",
        "artifacts: docs/kiln.md\ndone: 창구",
    )]);
}

#[test]
fn a_ledger_may_be_flat() {
    check(&[(
        "labels between their items",
        "Goal:\n- heat the kiln\n\nState:\n  - Done:\n  - wired the lamp\n  - fixed the dial\n  - Now:\n  - watch it heat\n  - Next:\n  - close the door\n",
        "done: wired the lamp | fixed the dial\nnext: ~watch it heat | close the door",
    )]);
}

#[test]
fn what_has_not_been_tested_is_unverified() {
    check(&[(
        "a heading",
        "# H\n\n## What has NOT been tested end-to-end yet\n- the door\n\n## Next\n- x\n",
        "unverified: the door\ndone: -\nfacts: -",
    )]);
}
