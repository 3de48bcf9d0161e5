//! Where a document says the work stands: metadata, sentences, tables, pasted output, glued and foreign hashes.

use super::check;

#[test]
fn branch_and_commit_are_found_in_metadata_of_any_form() {
    check(&[
        (
            "bold lines with two blanks at the end",
            "# Handoff: kiln\n\n**Date:** 2026-03-04  \n**Branch:** `feat/kiln-ramp`  \n**Last commit:** `9c1d2e3` feat(ramp): integer degrees  \n**PR:** #41\n\n## Next\n- soak\n",
            "branch: feat/kiln-ramp\nhead: 9c1d2e3\nsubject: feat(ramp): integer degrees\nwritten_at: 2026-03-04\nnext: soak",
        ),
        (
            "bullets with a quoted subject",
            "# Session\n\n## Repo State\n- Branch: main (tracking origin/main)\n- HEAD: 51ab0c9d2e \"Merge pull request #7 from ada/soak\"\n- Working tree: clean\n\n## Remaining work\n1. cooling\n",
            "branch: main\nhead: 51ab0c9d2e\ntree_status: clean\nnext: cooling",
        ),
        (
            "one line with middle dots",
            "# Handoff\n\nDate: 2026-03-04 · Branch: `fix/probe` · Last commit: `77aa001` probe: read twice\n\n## Next Steps\n- x\n",
            "branch: fix/probe\nhead: 77aa001\nwritten_at: 2026-03-04",
        ),
        (
            "quote block of metadata",
            "# Handoff\n\n> Branch: `wip/glaze`\n> Commit: `0f0e0d0c`\n> Agent: codex\n\n## Done\n- glaze table\n",
            "branch: wip/glaze\nhead: 0f0e0d0c\nagent: codex\ndone: glaze table",
        ),
        (
            "two-column table",
            "# Handoff\n\n| Field | Value |\n|---|---|\n| Branch | `release/2.4` |\n| HEAD | `abcdef1` |\n| Worktree | `/home/ada/wt/release` |\n\n## Next\n- tag it\n",
            "branch: release/2.4\nhead: abcdef1\nworktree: /home/ada/wt/release",
        ),
        (
            "worktree path beside its name",
            "# Handoff\n\n**Branch:** feat/x\n**Worktree:** kiln-x\n**Worktree path:** /Users/ada/src/kiln-x\n**Git status:** 2 modified, 1 untracked\n\n## Next Steps\n1. y\n",
            "branch: feat/x\nworktree: /Users/ada/src/kiln-x\ntree_status: 2 modified, 1 untracked",
        ),
        (
            "starting and ending commit",
            "# H\n\n- Starting commit: 1111abc\n- Ending commit: 2222def\n- Branch: main\n\n## Next\n- z\n",
            "head: 2222def\nbranch: main",
        ),
        (
            "base branch is not the branch",
            "# H\n\n- Base branch: main\n- Base commit: aaa1111\n- Branch: feat/q\n- HEAD: bbb2222\n\n## Next\n- z\n",
            "branch: feat/q\nhead: bbb2222",
        ),
    ]);
}

#[test]
fn where_the_work_began_is_not_where_it_stands() {
    check(&[
        (
            "a branch and its tip, after the commit they began at",
            "# H\n\nStarted from `main` (90fe12a), now on `fix/oven`, tip `12ab34c`.\n\n## Next\n- x\n",
            "branch: fix/oven\nhead: 12ab34c",
        ),
        (
            "Spanish",
            "# Traspaso\n\nRama horno-frio, que salió de `main@90fe12a`; el HEAD es ahora `12ab34c`. Sin confirmar: `src/horno.py`.\n\n## Próximos pasos\n- x\n",
            "branch: horno-frio\nhead: 12ab34c\ntree_status: Sin confirmar: `src/horno.py`",
        ),
        (
            "Russian",
            "# Передача\n\nВетка pech-ohlad, коммит 12ab34c, изменён src/pech.c\n\n## Следующие шаги\n- x\n",
            "branch: pech-ohlad\nhead: 12ab34c\ntree_status: изменён src/pech.c",
        ),
        (
            "a sentence about a branch names none",
            "# H\n\nThe aim of this branch is that nothing burns. Work happens on branch `fix/oven`.\n\n## Next\n- x\n",
            "branch: fix/oven",
        ),
    ]);
}

#[test]
fn branch_and_commit_are_found_in_sentences_of_many_languages() {
    check(&[
        (
            "English prose",
            "# H\n\nEverything is on branch `feat/cool`, HEAD is `12ab34c`. The working tree is clean.\n\n## Next\n- x\n",
            "branch: feat/cool\nhead: 12ab34c\ntree_status: clean",
        ),
        (
            "main is at",
            "# H\n\n## Where we are now\nmain is at `90fe12a`; nothing uncommitted.\n\n## Next\n- x\n",
            "head: 90fe12a\ntree_status: nothing uncommitted",
        ),
        (
            "Japanese labels",
            "# 引き継ぎ\n\n- ブランチ：`feat/kama`\n- 最新コミット：`3c4d5e6` 温度表を追加\n- 未コミットの変更：なし\n\n## 次にやること\n- 冷却\n",
            "branch: feat/kama\nhead: 3c4d5e6\nnext: 冷却",
        ),
        (
            "Chinese labels",
            "# 交接文档\n\n当前分支：`feat/yao`\n最新提交：`4d5e6f7`（修复温度表）\n工作区干净\n\n## 下一步\n1. 冷却曲线\n",
            "branch: feat/yao\nhead: 4d5e6f7\nnext: 冷却曲线",
        ),
        (
            "Korean labels",
            "# 인수인계\n\n- 브랜치: `feat/gama`\n- 마지막 커밋: `5e6f7a8` 온도표 추가\n\n## 다음 할 일\n- 냉각 곡선\n",
            "branch: feat/gama\nhead: 5e6f7a8\nnext: 냉각 곡선",
        ),
        (
            "German prose",
            "# Übergabe\n\nStand: 2026-05-06, Branch `fix/ofen`, letzter Commit `6f7a8b9`.\n\n## Nächste Schritte\n- Kühlkurve\n",
            "branch: fix/ofen\nhead: 6f7a8b9\nnext: Kühlkurve",
        ),
        (
            "Russian labels",
            "# Передача\n\nВетка: `feat/pech`\nПоследний коммит: `7a8b9c0`\n\n## Следующие шаги\n- охлаждение\n",
            "branch: feat/pech\nhead: 7a8b9c0\nnext: охлаждение",
        ),
        (
            "Portuguese labels",
            "# Passagem\n\n- Branch atual: `feat/forno`\n- Último commit: `8b9c0d1` tabela\n\n## Próximos passos\n1. curva\n",
            "branch: feat/forno\nhead: 8b9c0d1\nnext: curva",
        ),
        (
            "Spanish labels",
            "# Traspaso\n\n- Rama: `feat/horno`\n- Último commit: `9c0d1e2` tabla\n\n## Próximos pasos\n1. curva\n",
            "branch: feat/horno\nhead: 9c0d1e2\nnext: curva",
        ),
        (
            "French labels",
            "# Passation\n\n- Branche : `feat/four`\n- Dernier commit : `0d1e2f3` table\n\n## Prochaines étapes\n- courbe\n",
            "branch: feat/four\nhead: 0d1e2f3\nnext: courbe",
        ),
        (
            "Italian labels",
            "# Passaggio\n\n- Ramo: `feat/forno`\n- Ultimo commit: `1e2f3a4` tabella\n\n## Prossimi passi\n- curva\n",
            "branch: feat/forno\nhead: 1e2f3a4\nnext: curva",
        ),
    ]);
}

#[test]
fn pasted_output_of_git_is_understood() {
    check(&[
        (
            "short status with branch",
            "# H\n\n## Git status\n```\n## feat/a...origin/feat/a [ahead 2]\n M src/a.rs\n?? notes/b.md\n```\n\n## Next\n- x\n",
            "branch: feat/a\nchanged: src/a.rs | notes/b.md",
        ),
        (
            "log with decorations",
            "# H\n\n## Recent commits\n```\n1a2b3c4 (HEAD -> feat/b, origin/feat/b) ramp: integers\n0000abc ramp: first\n```\n\n## Next\n- x\n",
            "head: 1a2b3c4\nsubject: ramp: integers\nbranch: feat/b",
        ),
        (
            "long status",
            "# H\n\n```text\nOn branch main\nYour branch is up to date with 'origin/main'.\n\nUntracked files:\n  (use \"git add <file>...\" to include in what will be committed)\n\tout/log.txt\n\nnothing added to commit but untracked files present\n```\n\n## Next\n- x\n",
            "branch: main\nchanged: out/log.txt",
        ),
        (
            "a diff stat",
            "# H\n\n## Changes\n```\n src/a.rs | 12 +++++++-----\n src/b.rs |  3 +++\n 2 files changed, 10 insertions(+), 5 deletions(-)\n```\n\n## Next\n- x\n",
            "diff: src/a.rs",
        ),
    ]);
}

#[test]
fn hashes_that_are_not_where_the_work_stands_are_not_taken_for_it() {
    check(&[
        (
            "deployed and accepted commits",
            "# H\n\n- Branch: main\n- HEAD: aaaa111\n- Deployed commit: bbbb222\n- Accepted at: cccc333\n\n## Next\n- x\n",
            "head: aaaa111",
        ),
        (
            "only a deployed commit",
            "# H\n\n- Branch: main\n- Deployed commit: bbbb222\n\n## Next\n- x\n",
            "branch: main\nhead: -",
        ),
        (
            "digests of files",
            "# H\n\n- Branch: main\n\n## Artifacts\n- kiln.bin sha256: 9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08\n- image@sha256:60303ae22b998861bce3b28f33eec1be758a213c86c93c076dbe9f558c11c752\n\n## Next\n- x\n",
            "head: -",
        ),
        (
            "hashes glued to words",
            "# H\n\nHEAD74e7a01 is verified, item closed at74e7a01.\n\n## Next\n- x\n",
            "head: 74e7a01",
        ),
        (
            "a digest glued to a word is no commit",
            "# H\n\nThe snapshot sha256e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855 matches.\n\n## Next\n- x\n",
            "head: -",
        ),
        (
            "a commit in done items",
            "# H\n\n- Branch: feat/z\n\n## Done\n- fixed the probe (commit 1234abc)\n- fixed the fan (5678def)\n\n## Next\n- x\n",
            "branch: feat/z\ndone: fixed the probe | fixed the fan",
        ),
        (
            "session and run ids",
            "# H\n\nSession: 0a1b2c3d\nRun: 4e5f6a7b8c\n\n## Next\n- x\n",
            "head: -\nsession: 0a1b2c3d",
        ),
    ]);
}

#[test]
fn several_repositories_and_detached_heads_are_kept_apart() {
    check(&[
        (
            "table of repositories",
            "# H\n\n| Repository | Branch | Commit |\n|---|---|---|\n| kiln-api | feat/a | 1111aaa |\n| kiln-web | feat/b | 2222bbb |\n\n## Next\n- x\n",
            "branch: feat/a | feat/b\nhead: 1111aaa | 2222bbb",
        ),
        (
            "detached",
            "# H\n\n- Branch: (detached HEAD at 3333ccc)\n\n## Next\n- x\n",
            "detached: true\nbranch: -\nhead: 3333ccc",
        ),
        (
            "HEAD as a branch",
            "---\nbranch: HEAD\ngit_commit: 4444ddd\n---\n# H\n\n## Next\n- x\n",
            "detached: true\nbranch: -\nhead: 4444ddd",
        ),
        ("no repository", "# H\n\n- Branch: [not a git repo or detached HEAD]\n\n## Next\n- x\n", "branch: -"),
        ("unknown values", "---\nbranch: unknown\ngit_commit: none\n---\n# H\n\n## Next\n- x\n", "branch: -\nhead: -"),
        (
            "a placeholder",
            "# H\n\n- Branch: <branch-name>\n- Commit: {{sha}}\n\n## Next\n- real step\n",
            "branch: -\nhead: -",
        ),
    ]);
}
