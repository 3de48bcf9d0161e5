//! Sections whose name says nothing: their lines are told apart one by one. And labels among other things.

use super::check;

#[test]
fn the_lines_of_a_container_go_where_they_belong() {
    check(&[
        (
            "status with labels",
            "# H\n\n## Current State\n- Branch: feat/k\n- Tests: 41 passing\n- Done: ramp\n- Next: soak\n- Blockers: none\n",
            "branch: feat/k\nfacts: 41 passing\ndone: ramp\nnext: soak\nopen: -",
        ),
        (
            "status with boxes",
            "# H\n\n## Status\n- [x] ramp\n- [ ] soak\n- [!] cones\n- [-] glaze\n",
            "done: ramp\nnext: soak | !cones | %glaze",
        ),
        (
            "status with words",
            "# H\n\n## Status\n\n- Ramp: done\n- Soak: in progress\n- Cooling: not started\n- Cones: blocked (supplier)\n",
            "done: Ramp\nnext: ~Soak | Cooling | !Cones",
        ),
        (
            "context in sentences",
            "# H\n\n## Context\nWe fire pots. Never push to main. Branch is `feat/k`.\n\n## Next\n- x\n",
            "never: Never push\nbranch: feat/k",
        ),
        (
            "bold run-ins",
            "# H\n\n## Where things stand\n**Done:** ramp table, soak timer\n**In progress:** cooling curve\n**Blocked:** cones\n",
            "done: ramp table, soak timer\nnext: ~cooling curve\nopen: cones",
        ),
        (
            "a table of states",
            "# H\n\n## Status\n\n| Item | State | Note |\n|---|---|---|\n| Ramp | ✅ | works |\n| Soak | 🚧 | half |\n| Cooling | ⬜ | |\n| Glaze | ❌ | later |\n",
            "done: Ramp: works\nnext: ~Soak: half | Cooling | Glaze: later",
        ),
        (
            "a Japanese table",
            "# 引き継ぎ\n\n## 現在の状況\n\n| 項目 | 状態 |\n|---|---|\n| 昇温 | 完了 |\n| 保持 | 作業中 |\n| 冷却 | 未着手 |\n",
            "done: 昇温\nnext: ~保持 | 冷却",
        ),
        (
            "sub-headings of a status",
            "# H\n\n## Current status\n\n### Working\n- ramp\n\n### Not working\n- soak timer\n\n### Uncommitted\n- src/soak.rs\n",
            "changed: src/soak.rs\ndone: ramp\nhazards: soak timer",
        ),
    ]);
}

#[test]
fn work_keeps_its_state_however_it_is_marked() {
    check(&[
        (
            "boxes of many kinds",
            "# H\n\n## Tasks\n- [x] a\n- [X] b\n- [✓] c\n- [ ] d\n- [→] e\n- [->] f\n- [/] g\n- [~] h\n- [!] i\n- [-] j\n",
            "done: a | b | c\nnext: d | ~e | ~f | ~g | ~h | !i | %j",
        ),
        ("symbols in front", "# H\n\n## Next\n- ⬜ a\n- 🔄 b\n- ✅ c\n- ⛔ d\n", "next: a | ~b | !d\ndone: c"),
        (
            "words behind",
            "# H\n\n## Next steps\n1. Ramp (completed)\n2. Soak (in progress)\n3. Cooling (planned)\n4. Glaze (blocked: no glaze)\n",
            "next: Ramp (completed) | ~Soak | Cooling | !Glaze",
        ),
        (
            "struck through",
            "# H\n\n## Next\n- ~~Plan B~~ (cancelled)\n- Plan C\n- ~~Plan D: floats~~\n",
            "next: %~~Plan B~~ | Plan C | %~~Plan D",
        ),
        (
            "a box in front of a bold text",
            "# H\n\n## Remaining\n- [ ] **Soak**: timer\n- [x] **Ramp**: table\n",
            "next: **Soak**\ndone: **Ramp**",
        ),
        (
            "done words in front",
            "# H\n\n## Work items\n- DONE: ramp\n- TODO: soak\n- WIP: cooling\n",
            "done: ramp\nnext: soak | ~cooling",
        ),
        (
            "shelved and superseded",
            "# H\n\n## Next\n- Rewrite in C (shelved)\n- Old plan (superseded by soak)\n- Soak\n",
            "next: %Rewrite in C | %Old plan | Soak",
        ),
        (
            "nothing to do",
            "# H\n\n## Next\n- None\n\n## Done\n- all of it\n\n## Open questions\nn/a\n\n## Blockers\nNone. One reviewer timed out\n\n## Known issues\nなし\n",
            "next: -\nopen: -\nhazards: -\ndone: all of it",
        ),
    ]);
}

#[test]
fn sub_headings_are_items() {
    check(&[
        (
            "numbered steps",
            "# H\n\n## Next Steps\n\n### 1. Write the soak timer\nIn `src/soak.rs`, minutes as integers.\n\n### 2. Cooling curve\nSee the notes.\n",
            "next: Write the soak timer | Cooling curve",
        ),
        (
            "traps in German",
            "# Übergabe\n\n## Bekannte Probleme\n\n### Fühler\nLiegt unter 80 Grad.\n\n### Lüfter\nLäuft nach.\n",
            "hazards: Fühler | Lüfter",
        ),
        (
            "holes in Japanese",
            "# 引き継ぎ\n\n## 既知の課題\n\n### 探触子\n80度以下は不正確。\n\n### ファン\n止まらない。\n",
            "hazards: 探触子 | ファン",
        ),
        (
            "decisions with labels below",
            "# H\n\n## Key Decisions\n\n### Integer degrees\n**Why:** the controller has no floats\n**Alternatives:** fixed point; strings\n\n### One table\n**Rationale:** two drifted\n",
            "decisions: Integer degrees => the controller has no floats | One table => two drifted\nalternatives: fixed point | strings",
        ),
        (
            "questions as sub-headings",
            "# H\n\n## Open questions\n\n### Q1: Which cone?\nAda knows.\n\n### Q2: Which glaze?\nNobody knows.\n",
            "open: Which cone? | Which glaze?",
        ),
        (
            "phases below remaining work",
            "# H\n\n## Remaining work\n\n### Phase 2\n- soak\n- cool\n\n### Phase 3\n- glaze\n",
            "next: soak | cool | glaze",
        ),
        (
            "priorities below next",
            "# H\n\n## Next steps\n\n### High priority\n1. soak\n\n### Low priority\n1. glaze\n",
            "next: soak | glaze",
        ),
        (
            "areas below done",
            "# H\n\n## Completed\n\n### Firmware\n- ramp\n- soak\n\n### Docs\n- readme\n\n## Next\n- x\n",
            "done: ramp | soak | readme\nnext: x",
        ),
    ]);
}
