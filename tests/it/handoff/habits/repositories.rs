//! Which repository a label speaks of, in nine languages; what stands under a heading about git.

use super::check;

#[test]
fn labels_may_name_the_repository_they_speak_of() {
    check(&[
        (
            "a word in front",
            "# Handoff\n\n- Backend branch: `feat/orders-api`\n- Backend HEAD: `1a2b3c4`\n- Frontend branch: `feat/orders-ui`\n- Frontend HEAD: `5d6e7f8`\n\n## Next\n- wire both\n",
            "branch: feat/orders-api | feat/orders-ui\nhead: 1a2b3c4 | 5d6e7f8\ntree_name: ackend | rontend\nnext: wire both",
        ),
        (
            "a name in brackets",
            "# Handoff\n\n**Branch (app):** `feat/login`\n**Branch (api):** `main`\n**Commit (app):** `aa11bb2` login form\n**Commit (api):** `cc33dd4` token route\n\n## Next\n- deploy\n",
            "branch: feat/login | main\nhead: aa11bb2 | cc33dd4\ntree_name: app | api\nnext: deploy",
        ),
        (
            "a remark in brackets is no name",
            "# Handoff\n\n- Branch (current): `feat/login`\n- HEAD (short): `aa11bb2`\n\n## Next\n- deploy\n",
            "branch: feat/login\nhead: aa11bb2",
        ),
        (
            "other branches are no repositories",
            "# Handoff\n\n- Target branch: `main`\n- Branch: `feat/login`\n- Deploy branch: `prod`\n\n## Next\n- deploy\n",
            "branch: feat/login",
        ),
        (
            "a branch and its commit behind a name",
            "# Handoff\n\n## Repos\n- backend: `main` @ `1a2b3c4`\n- frontend: `feat/ui` @ `5d6e7f8` (2 files uncommitted)\n\n## Next\n- deploy\n",
            "branch: main | feat/ui\nhead: 1a2b3c4 | 5d6e7f8",
        ),
        (
            "several on one line",
            "# Handoff\n\nBranches: backend `main`, frontend `feat/ui`\n\n## Next\n- deploy\n",
            "branch: main | feat/ui",
        ),
    ]);
}

#[test]
fn the_branch_at_hand_has_many_names() {
    check(&[
        (
            "French",
            "# Passation\n\n- Branche en cours : `feat/four`\n- Dernier commit : `0d1e2f3` table\n\n## À faire\n- courbe\n",
            "branch: feat/four\nhead: 0d1e2f3\nnext: courbe",
        ),
        (
            "French with the state",
            "# Passation\n\n- **Branche courante :** `feat/four`\n- **Commit actuel :** `0d1e2f3`\n- **Dépôt :** /home/lea/four\n- **État git :** propre\n\n## Prochaines étapes\n- courbe\n",
            "branch: feat/four\nhead: 0d1e2f3\nroot: /home/lea/four\ntree_status: propre",
        ),
        (
            "Spanish",
            "# Traspaso\n\n- Rama en curso: `feat/horno`\n- Commit actual: `9c0d1e2`\n\n## Pendiente\n- curva\n",
            "branch: feat/horno\nhead: 9c0d1e2\nnext: curva",
        ),
        (
            "Italian",
            "# Passaggio\n\n- Branch corrente: `feat/forno`\n- Commit attuale: `1e2f3a4`\n\n## Da fare\n- curva\n",
            "branch: feat/forno\nhead: 1e2f3a4\nnext: curva",
        ),
        (
            "German",
            "# Übergabe\n\n- Aktueller Zweig: `fix/ofen`\n- Aktueller Commit: `6f7a8b9`\n- Arbeitsverzeichnis: /home/jo/ofen\n\n## Noch zu tun\n- Kühlkurve\n",
            "branch: fix/ofen\nhead: 6f7a8b9\nnext: Kühlkurve\ncwd: /home/jo/ofen",
        ),
        (
            "Portuguese",
            "# Passagem\n\n- Ramo atual: `feat/forno`\n- Commit atual: `8b9c0d1`\n\n## Falta fazer\n- curva\n",
            "branch: feat/forno\nhead: 8b9c0d1\nnext: curva",
        ),
        (
            "Russian",
            "# Передача\n\n- Рабочая ветка: `feat/pech`\n- Текущий коммит: `7a8b9c0`\n\n## Осталось сделать\n- охлаждение\n",
            "branch: feat/pech\nhead: 7a8b9c0\nnext: охлаждение",
        ),
        (
            "Korean",
            "# 인수인계\n\n- 작업 브랜치: `feat/gama`\n- 현재 커밋: `5e6f7a8`\n\n## 남은 일\n- 냉각\n",
            "branch: feat/gama\nhead: 5e6f7a8\nnext: 냉각",
        ),
        (
            "Chinese",
            "# 交接\n\n- 开发分支：`feat/yao`\n- 最近提交：`4d5e6f7`\n\n## 剩余工作\n- 冷却\n",
            "branch: feat/yao\nhead: 4d5e6f7\nnext: 冷却",
        ),
    ]);
}

#[test]
fn a_sentence_below_git_status_is_the_status() {
    check(&[
        (
            "what is changed",
            "# Handoff\n\n## Git Status\nTwo files modified, nothing staged, one commit ahead of origin.\n\n## Next Steps\n1. x\n",
            "tree_status: Two files modified, nothing staged\nnext: x",
        ),
        (
            "clean",
            "# Handoff\n\n## Git Status\nClean. All pushed to origin/main.\n\n## Next Steps\n1. x\n",
            "tree_status: Clean",
        ),
    ]);
}

#[test]
fn the_last_commits_are_context_and_not_work() {
    check(&[(
        "HEAD is the first of them",
        "# Handoff: x\n\n## Session Metadata\n- Created: 2026-02-11 15:30:00\n- Project: /home/dev/projects/tide-tables\n- Branch: feat/json-export\n\n### Recent Commits (for context)\n  - 7c41d0e parse --json\n  - 0a1b2c3 initial formatter\n\n## Work Completed\n\n### Tasks Finished\n\n- [x] Parse the flag\n\n## Pending Work\n\n### Immediate Next Steps\n\n1. Extend tests\n",
        "done: Parse the flag\nnext: Extend tests\nroot: /home/dev/projects/tide-tables\nobjective: -\nextra: 0a1b2c3 initial formatter\nhead: 7c41d0e",
    )]);
}
