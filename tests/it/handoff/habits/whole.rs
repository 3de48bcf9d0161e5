//! Whole files as agents and people leave them: every case found a fault when it was first read.

use super::check;

#[test]
fn logs_and_states_of_many_hands() {
    check(&[
        (
            "HANDOVER.md prepared by an agent",
            "# Handover: parish archive scanner\n\nPrepared by: Codex (gpt-5-codex), 2026-08-18 17:05 UTC\nReason for handoff: usage limit reached, resets at 22:00\n\n## Executive summary\nScans are named by book and page. Deskew is wrong for books before 1850.\n\n## Work completed\n* Naming scheme agreed with the archivist\n* Batch of 1,200 scans renamed\n* Checksums written to `sums.txt`\n\n## What remains\n* Deskew for old books\n* Thumbnails\n\n## Known issues & workarounds\n1. The scanner driver hangs after 400 pages — power-cycle it\n2. Book 17 has two page 88\n\n## Key decisions (and rationale)\n1. TIFF masters, JPEG copies — the diocese requires TIFF\n2. No OCR yet — handwriting\n\n## Open questions for the archivist\n- May we publish baptisms after 1925?\n\n## Repository\n- Path: `/srv/jobs/archive-scan`\n- Branch: `main`\n- HEAD: `77fe210` (\"rename batch 3\")\n- Working tree: 2 modified, 1 untracked\n",
            "written_at: 2026-08-18T17:05:00Z\nreason: usage limit reached\nobjective: Scans are named by book\ndone: Naming scheme | Batch of 1,200 | Checksums written\nnext: Deskew for old books | Thumbnails\nhazards: The scanner driver hangs | Book 17\ndecisions: TIFF masters => the diocese | No OCR yet => handwriting\nopen: May we publish\nroot: /srv/jobs/archive-scan\nbranch: main\nhead: 77fe210\ntree_status: 2 modified, 1 untracked",
        ),
        (
            ".ai/handoff.md with labels below bullets",
            "# Handoff\n\n> Newest on top. Overrides everything below.\n\n## 2026-04-18 — printer queue (claude)\n\n- Queue survives a restart\n- Paper-low event\n\nNext: receipts in two languages\nBranch: `feat/queue`, HEAD `3f8a9c1`\n\n## 2026-04-15 — printer driver (codex)\n\n- Driver loads\n\nNext: queue\n\n## 2026-04-11 — start\n\n- Repo created\n",
            "entries: 3\ndone: Queue survives | Paper-low\nnext: receipts in two languages\nbranch: feat/queue\nhead: 3f8a9c1\nwritten_at: 2026-04-18\nfindings: several-handoffs-in-one-file",
        ),
        (
            "session.md with reference files",
            "# Session Handoff: 2026-06-11\n\n**Status:** blocked on the map licence\n\n## Completed This Session\n- Tile cache\n- Zoom limits\n\n## In-tree Tasks\n- [ ] Attribution line\n- [>] Licence mail\n\n## Worktree Tasks\n- [ ] **Offline tiles** → `wt/offline` | sonnet\n\n## Blockers / Gotchas\n- Licence text is missing\n- The tile server bans the user agent `curl`\n\n## Reference Files\n- `src/tiles.ts` — cache\n- `docs/licence.md` — draft\n",
            "status: blocked on the map licence\nwritten_at: 2026-06-11\ndone: Tile cache | Zoom limits\nnext: Attribution line | ~Licence mail | Offline tiles\nopen: Licence text is missing | The tile server\nartifacts: src/tiles.ts | docs/licence.md",
        ),
        (
            "closeout.md with a start and an end",
            "# Closeout 2026-05-19\n\n## Start state\n- main at `1122aab`\n\n## End state\n- main at `3344ccd`, clean\n\n## What landed\n- #212 seat map\n- #214 price rules\n\n## What did not change\n- Payment provider\n- Database schema\n\n## Prior resolution guardrails\n- Price rounding per line was rejected; do not reopen\n\n## The real next seam now\nGroup bookings: the reservation has one owner only.\n\n## Verification\n`npm test` → 412 passed\n`npm run e2e` → 38 passed, 0 failed\n",
            "written_at: 2026-05-19\nhead: 3344ccd\ndone: #212 seat map | #214 price rules\nnever: Payment provider | Database schema\nrejected: Price rounding per line\nnext: Group bookings\nfacts: 412 passed | 38 passed",
        ),
        (
            "tables of states and symbols",
            "# Handover\n\n| Item | Status | Notes |\n|---|---|---|\n| Parser | ✅ | |\n| Printer | 🚧 | margins |\n| Mailer | ⬜ | |\n| Fax | ❌ cancelled | nobody has one |\n\n| Decision | Alternatives | Reason |\n|---|---|---|\n| PDF by hand | library | size |\n\n| Risk | Mitigation |\n|---|---|\n| Paper jams | beep |\n",
            "done: Parser\nnext: ~Printer | Mailer | %Fax",
        ),
        (
            "a summary with a suggested prompt",
            "# Handoff\n\n## Objective\nMake the sauna booking fair.\n\n## Current State\nTwo bookings per flat and week. The old ones still count.\n\n## What Has Been Done\n- Limit per week\n- Waiting list\n\n## Open Questions\n- Do guests count?\n\n## Risks / Watch Out\n- The janitor books by phone; those have no flat id\n\n## Next Steps\n1. Ignore bookings older than 30 days\n2. Tell the board\n\n## Suggested Prompt For Next Agent\nContinue with step 1. Don't touch the phone bookings.\n",
            "objective: Make the sauna booking fair\ndone: Limit per week | Waiting list\nopen: Do guests count\nhazards: The janitor\nnext: Ignore bookings | Tell the board\nnever: touch the phone bookings",
        ),
        (
            "PROMPT.md that holds the only facts",
            "# Resume\n\nPaste this into the new session:\n\n```\nYou continue the pond pump work in ~/code/pond on branch feat/pump.\nRead AGENTS.md first.\nNever run the pump longer than 10 s.\nDo not push; I push myself.\nAsk before you change the schedule table.\nFirst task: finish `pump.stop()`.\n```\n",
            "never: Never run the pump | Do not push\nask: Ask before you change\nbranch: feat/pump",
        ),
        (
            "what is not in scope",
            "# State\n\n## What's not done yet\n- rate limits\n\n## What did not change\n- public API\n\n## Unverified\n- works on Windows\n\n## Not in scope\n- mobile\n\n## Nothing is broken\nAll green.\n",
            "next: rate limits\nunverified: works on Windows\nnever: public API | mobile\ndone: -",
        ),
        (
            "rules among what to remember",
            "# Handoff\n\n## Context to remember\n- Rates are per night, not per day\n- Never call the live payment API from tests\n- The owner approves price changes; don't edit `prices.yml` without her OK\n\n## Quick Context\nNode 22, pnpm.\n\n## Next\n- invoices\n",
            "never: Never call the live payment\nask: edit `prices.yml`\nnext: invoices\nhazards: Rates are per night | Never call | The owner approves",
        ),
    ]);
}

#[test]
fn forms_with_keys() {
    check(&[
        (
            ".continue-here.md with states behind dashes",
            "---\ncontext: default\nphase: 07-harvest-report\ntask: 3\ntotal_tasks: 6\nstatus: in_progress\nlast_updated: 2026-05-21T20:14:00Z\n---\n\n<current_state>\nTotals per field are right. The chart is empty for fields without a harvest.\n</current_state>\n\n<completed_work>\n- Task 1: query per field - Done\n- Task 2: table view - Done\n- Task 3: chart - in progress\n</completed_work>\n\n<remaining_work>\n- Task 3: chart for empty fields\n- Task 4: CSV export\n- Task 5: e-mail\n- Task 6: docs\n</remaining_work>\n\n<decisions_made>\n- Weeks begin on Monday because the co-op counts that way\n- Chart as SVG: the printer has no canvas\n</decisions_made>\n\n<blockers>\nNone\n</blockers>\n\n<context>\nThe test database has one field with a negative area. It is a known fault of the import.\n</context>\n\n<next_action>\nDraw a zero line when there are no rows (src/chart.ts).\n</next_action>\n",
            "status: in_progress\nwritten_at: 2026-05-21T20:14:00Z\ndone: Task 1 | Task 2 | ~Task 3\nnext: Task 3: chart for empty | Task 4 | Task 5 | Task 6 | Draw a zero line\ndecisions: Weeks begin => the co-op | Chart as SVG\nopen: -\nhazards: The test database\nbranch: -",
        ),
        (
            "handoff.yaml with attempts and rules",
            "session_id: s-0042\ncreated: 2026-03-03T08:00:00+01:00\nmodel: some-model\ncurrent_task:\n  description: Sort the seed catalogue by germination\n  status: in_progress\n  next_step: write the comparator\n  attempted:\n    - approach: sort in SQL\n      result: failed\n      reason: collation differs per host\ndecisions:\n  verified:\n    - claim: germination is a percentage\n      evidence: docs/data.md line 12\n  proposed:\n    - claim: ties by name\n  rejected:\n    - option: store a rank\n      reason: goes stale\nconstraints:\n  - rule: never write to the seed database\n    expires: none\nopen_questions:\n  - Do hybrids count once?\nnext_steps:\n  - print labels\nfiles:\n  - path: src/sort.ts\n",
            "objective: Sort the seed catalogue\nfacts: germination is a percentage => docs/data.md\nunverified: ties by name\nrejected: sort in SQL => collation | store a rank => goes stale\nconstraints: never write to the seed database\nnever: never write to the seed database\nopen: Do hybrids count once?\nnext: write the comparator | print labels\nartifacts: src/sort.ts\nmodel: some-model\ncreated_at: 2026-03-03T08:00:00+01:00",
        ),
        (
            "s.open.json with a checklist and notes",
            "{\"version\":2,\"id\":\"s-20260310-101500-000001\",\"ended_at\":\"2026-03-10T11:00:00Z\",\"summary\":\"Loan reminders are sent\",\"branch\":\"feat/remind\",\"commit\":\"a1b2c3d\",\"dirty_files\":[\" M src/mail.rs\",\"?? notes.md\"],\"decisions\":[\"Send at 8:00 because patrons read mail in the morning\"],\"blockers\":[\"SMTP password expired\"],\"checklist\":[{\"item\":\"Template\",\"checked\":true},{\"item\":\"Opt-out link\",\"checked\":false}],\"handoff_notes\":[{\"category\":\"caution\",\"note\":\"Do not send to the staff list\"},{\"category\":\"suggestion\",\"note\":\"Batch by branch\"}],\"references\":[\"docs/mail.md\"]}\n",
            "objective: Loan reminders\nbranch: feat/remind\nhead: a1b2c3d\ndecisions: Send at 8:00 => patrons\nopen: SMTP password\ndone: Template\nnext: Opt-out link\nnever: Do not send to the staff list\nartifacts: docs/mail.md",
        ),
        (
            "qa.yaml with a check that failed",
            "story: \"DOCK-14 mooring alarms\"\nqa_agent: qa-2\nqa_date: 2026-04-09\ngate_decision: CONCERNS\nac_results:\n  - ac: \"AC1 alarm within 5 s\"\n    result: pass\n    evidence: tests/e2e/alarm.spec.ts\n  - ac: \"AC2 SMS\"\n    result: fail\ncritical_bugs: []\nhigh_bugs:\n  - \"SMS is sent twice\"\nrecommendations:\n  - \"Deduplicate by alarm id\"\nnext_phase: \"fix and retest\"\nbranch: story/dock-14\nlast_commit: 9d8c7b6\n",
            "objective: DOCK-14\nhazards: AC2 SMS | SMS is sent twice\nfacts: AC1 alarm => tests/e2e\nnext: Deduplicate by alarm id | fix and retest\nbranch: story/dock-14\nhead: 9d8c7b6",
        ),
        (
            "glue.md with lists in its front matter",
            "---\nsession_id: 2026-05-07-a\nsession_date: 2026-05-07\ngenerated_at: 2026-05-07T18:00:00+02:00\nschema_version: 1\nproject_root: /home/eva/vine\nrepo_root: /home/eva/vine\ncurrent_branch: feat/frost\nhead_commit: 60f1a2b\nagent: codex\nstatus: in progress\nprimary_goal: Frost warning by SMS\nactive_context_files:\n  - path: src/frost.py\n    reason: threshold\ncompleted_tasks:\n  - Sensor feed\nnext_todo_items:\n  - Threshold per slope\n  - Quiet hours\nknown_issues:\n  - Sensor 4 is 2 degrees warm\nsearch_tags: [frost, sms]\nvalidation:\n  - command: pytest\n    result: passed\n    notes: 18 tests\n---\n\n# Resume Prompt\nContinue the frost warning in /home/eva/vine.\n\n# What We Did\nSensor feed.\n\n# Decisions Made\n- Threshold 0.5 °C because ice forms before zero in the valley\n\n# Failed Attempts / Dead Ends\n- Weather API: 12 km grid\n\n# Risks And Constraints\n- Do not send SMS to the real list\n",
            "objective: Frost warning by SMS\nbranch: feat/frost\nhead: 60f1a2b\nroot: /home/eva/vine\nagent: codex\nnext: Threshold per slope | Quiet hours\ndecisions: Threshold 0.5 => ice forms\nrejected: Weather API => 12 km grid\nnever: Do not send SMS\nentries: 1",
        ),
        (
            "hatch.md with a reference to git",
            "---\nid: 2026-03-14_T0915_a1b2c_ferry-fares\ntype: handoff\ncreated: 2026-03-14T09:15:00Z\nupdated: 2026-03-14T11:40:00Z\nstatus: handed-off\nsource_agent: claude\ntarget_agent: any\ngit_ref: feat/fares@1a2b3c4\nbranch: feat/fares\nconfidence: 0.7\ncompleteness: 0.6\n---\n\n## Problem\nFares for bicycles are missing.\n\n## Decisions\n- Flat fare: the ferry has no zones\n\n## Work Done\n- Fare table\n\n## Work Remaining\n- Discounts\n- Receipts\n\n## Blockers\nNone\n\n## Next Steps\n1. Ask the ferry office for the discount list\n\n## Build & Test Status\n| Check | Result |\n|---|---|\n| cargo test | 44 passed |\n| clippy | clean |\n\n## File Manifest\n| Path | State |\n|---|---|\n| src/fare.rs | modified |\n| data/fares.csv | created |\n",
            "objective: Fares for bicycles\nbranch: feat/fares\nhead: 1a2b3c4\nstatus: handed-off\ndone: Fare table\nnext: Discounts | Receipts | Ask the ferry office\nopen: -\nfacts: cargo test | clippy\nartifacts: src/fare.rs | data/fares.csv\ndecisions: Flat fare",
        ),
        (
            "two repositories below headings",
            "# Handoff: orders\n\n## Repositories\n\n### orders-api\n- Path: /home/lin/orders-api\n- Branch: feat/refunds\n- Commit: 0aa1bb2\n\n### orders-web\n- Path: /home/lin/orders-web\n- Branch: main\n- Commit: 3cc4dd5\n\n## Next\n1. API first\n",
            "tree_name: orders-api | orders-web\nroot: /home/lin/orders-api | /home/lin/orders-web\nbranch: feat/refunds | main\nhead: 0aa1bb2 | 3cc4dd5\nnext: API first",
        ),
    ]);
}

#[test]
fn nine_languages_go_on() {
    check(&[
        (
            "French",
            "# Passation — relevé des compteurs\n\n**Date :** 2026-03-11\n**Branche :** `feat/releve`\n**Dernier commit :** `e4d3c2b` lecture optique\n\n## Objectif\nRelever les compteurs d'eau par photo.\n\n## Ce qui est fait\n- Lecture de six chiffres\n- Journal des erreurs\n\n## Ce qui reste à faire\n- Compteurs à aiguille\n- Mode hors ligne\n\n## Décisions\n- Garder la photo 30 jours, car la loi l'exige\n- Pas de reconnaissance sur le serveur : la photo est privée\n\n## Ce qui n'a pas marché\n- Tesseract : trop lent sur téléphone\n\n## Points d'attention\n- Les photos tournées ont une orientation EXIF\n\n## Règles de travail non négociables\n- Ne jamais pousser sur `main`\n- Ne pas toucher à `releves/`\n",
            "written_at: 2026-03-11\nbranch: feat/releve\nhead: e4d3c2b\nobjective: Relever les compteurs\ndone: Lecture de six chiffres | Journal des erreurs\nnext: Compteurs à aiguille | Mode hors ligne\ndecisions: Garder la photo 30 jours => la loi | Pas de reconnaissance\nrejected: Tesseract => trop lent\nhazards: Les photos tournées\nnever: Ne jamais pousser | Ne pas toucher",
        ),
        (
            "Japanese",
            "# 引き継ぎ書（2026年7月3日）\n\n## 1. これは何か\n町内会の回覧板を電子化する。\n\n## 2. 現在の到達点\n| 機能 | 状態 |\n|---|---|\n| 回覧の作成 | ✅ 完了 |\n| 既読の集計 | △ 作業中 |\n| 印刷 | ⬜ 未着手 |\n\n## 3. 次にやること\n### 既読の集計を直す\n世帯数で割っているが、班の数で割る。\n### 印刷の余白\n上下 15 mm。\n\n## 4. 踏んだ罠（再発させないこと）\n- 班番号は文字列。先頭の 0 が消える\n- 和暦の変換は 5 月 1 日で切れる\n\n## 5. 触るときの不変条件\n- 世帯コードは変更しない\n- 過去の回覧は削除しないこと\n\n## 6. ブランチ\n`feature/kairan`（最新コミット `4e5f6a7`）、未コミットは `src/count.py` のみ\n",
            "objective: 町内会の回覧板\ndone: 回覧の作成\nnext: ~既読の集計 | 印刷 | 既読の集計を直す | 印刷の余白\nhazards: 班番号は文字列 | 和暦の変換\nnever: 世帯コードは変更しない | 過去の回覧は削除しない\nbranch: feature/kairan\nhead: 4e5f6a7\nchanged: src/count.py\nwritten_at: 2026-07-03",
        ),
        (
            "Japanese notes",
            "# 作業引継ぎメモ\n\n最終更新：2026/11/02 19:20\n\n## プロジェクト概要\n倉庫の棚卸しアプリ。\n\n## 現在のブランチ\n`feature/tanaoroshi`\n\n## 完了したこと\n- バーコード読み取り\n- 差異一覧\n\n## 残タスク\n- [ ] CSV出力\n- [x] 差異一覧\n- [ ] 権限\n\n## 決定事項\n- 数量は小数第2位まで（理由：計り売りがある）\n- 棚番は変更不可\n\n## 却下した案\n- 音声入力：倉庫がうるさい\n\n## 注意点\n- 本番DBには接続しないこと\n- 夜間バッチ中は再起動しない\n- 商品コードの先頭0に注意\n\n## 未コミットの変更\n- `src/csv.ts`（途中）\n",
            "written_at: 2026-11-02T19:20:00\nobjective: 倉庫の棚卸し\nbranch: feature/tanaoroshi\ndone: バーコード読み取り | 差異一覧 | 差異一覧\nnext: CSV出力 | 権限\ndecisions: 数量は小数第2位 => 計り売り | 棚番は変更不可\nrejected: 音声入力 => 倉庫がうるさい\nhazards: 本番DB | 夜間バッチ | 商品コード\nnever: 本番DBには接続しない\nchanged: src/csv.ts",
        ),
        (
            "Chinese",
            "# 会话交接（2026-10-08）\n\n**分支**：`feat/ditie`\n**最新提交**：`f00ba12`\n\n## 本次完成\n- 线路图缩放\n- 站点搜索\n\n## 进行中\n- 换乘计算（完成一半）\n\n## 下一步计划\n1. 首末班车时间\n2. 无障碍信息\n\n## 关键决策\n| 决策 | 原因 |\n|---|---|\n| 用 SVG | 打印清晰 |\n| 不用第三方地图 | 授权费 |\n\n## 已知问题\n- 环线方向偶尔相反\n\n## 禁止事项\n- 不要直接推送到 main\n- 未经确认不得修改票价表\n",
            "written_at: 2026-10-08\nbranch: feat/ditie\nhead: f00ba12\ndone: 线路图缩放 | 站点搜索\nnext: ~换乘计算 | 首末班车时间 | 无障碍信息\ndecisions: 用 SVG => 打印清晰 | 不用第三方地图 => 授权费\nhazards: 环线方向\nnever: 不要直接推送\nask: 未经确认",
        ),
        (
            "Korean",
            "# 인수인계 — 도서관 좌석 예약\n\n> 마지막 업데이트: 2026-09-12 18:40 KST\n\n## 프로젝트 개요\n열람실 좌석을 휴대폰으로 예약한다.\n\n## 현재 상태\n- 브랜치: `feature/seat`\n- 커밋: `d1e2f30`\n- 테스트: 52개 통과\n\n## 된 것\n- 좌석 지도\n- 예약 취소\n\n## 미완료 작업\n- [ ] 대기열\n- [ ] 알림\n\n## 핵심 결정 사항\n- 좌석 번호는 문자열이다. 이유: 특별실은 A1처럼 쓴다\n- 예약은 30분 단위\n\n## 유의사항 / 함정\n- 시험 기간에는 서버가 느리다\n\n## 주의사항\n- 운영 DB는 건드리지 말 것\n- 배포는 승인 없이 하지 않는다\n",
            "written_at: 2026-09-12T18:40:00+09:00\nobjective: 열람실 좌석\nbranch: feature/seat\nhead: d1e2f30\nfacts: 52개 통과\ndone: 좌석 지도 | 예약 취소\nnext: 대기열 | 알림\ndecisions: 좌석 번호는 문자열이다 => 특별실은 | 예약은 30분\nhazards: 시험 기간\nnever: 운영 DB\nask: 배포는 승인 없이",
        ),
        (
            "Russian",
            "# Сессия 2026-07-07\n\nСтатус: в работе\nЭтап: 2 из 4\n\n## Что сделано\n- разбор выписок\n- сверка сумм\n\n## Что дальше\n1. отчёт по месяцам\n2. экспорт в 1С\n\n## Проблемы\n- банк меняет формат раз в месяц\n\n## Решения\n- хранить копейки целым числом, так как дроби теряют точность\n\n## Нельзя\n- удалять исходные выписки\n- отправлять данные наружу без согласования\n",
            "written_at: 2026-07-07\nstatus: в работе\ndone: разбор выписок | сверка сумм\nnext: отчёт по месяцам | экспорт в 1С\nhazards: банк меняет\ndecisions: хранить копейки целым числом => дроби\nnever: удалять исходные выписки\nask: отправлять данные наружу",
        ),
    ]);
}

#[test]
fn names_that_were_unknown() {
    check(&[
        (
            "SESSION_HANDOFF.md with what is broken",
            "# SESSION_HANDOFF\n\nLast updated: 2026-10-03 09:12 CEST by claude-code\n\n## Where we are\nThe rowing club app sends reminders again. Root cause was a cron entry in UTC.\n\n## Root cause\n- cron ran in UTC, members live in Europe/Zurich\n\n## Fixed this session\n- cron uses the club's zone\n- reminder text in two languages\n\n## Still broken\n- unsubscribe link leads to 404\n\n## Do next\n1. unsubscribe link\n2. test on the last Sunday of October\n\n## Repo\nbranch `fix/reminder-zone`, HEAD `5c6d7e8`, clean\n",
            "written_at: 2026-10-03T09:12:00+02:00\ndone: cron uses the club | reminder text\nhazards: unsubscribe link\nnext: unsubscribe link | test on the last Sunday\nbranch: fix/reminder-zone\nhead: 5c6d7e8\nfacts: cron ran in UTC",
        ),
        (
            "tests that were not run",
            "## Summary\nImplemented incremental backup for the museum NAS.\n\n## Files changed\n- `backup/incr.py` — new\n- `backup/cli.py:40` — flag `--since`\n- `tests/test_incr.py`\n\n## Tests run\n- `pytest tests/test_incr.py` — 9 passed\n- `ruff check` — clean\n- full suite not run\n\n## Follow-ups\n- Prune old increments\n- Document restore\n\n## Notes\n- Don't run `backup --purge` on the NAS; it ignores the retention setting.\n",
            "objective: Implemented incremental\nartifacts: backup/incr.py | backup/cli.py:40 | tests/test_incr.py\nfacts: 9 passed | clean\nunverified: full suite not run\nnext: Prune old increments | Document restore\nnever: backup --purge",
        ),
        (
            "labels of every list",
            "# Handoff 2026-08-08\n\nObjective: move the clinic calendar to the new server\n\nVerified:\n- calendar opens on the new server (curl -I, 200)\n- 12,004 entries on both sides (scripts/count.sh)\n\nAssumed:\n- nobody writes on the old server after 18:00\n\nDecided:\n- keep ids, because letters contain them\n- read-only mode for a week\n\nRejected:\n- live replication: the old server lacks binary logs\n\nLeft:\n1. DNS\n2. certificates\n\nAllowed without asking:\n- restart the new server\n\nNeeds approval:\n- DNS change\n\nForbidden:\n- deleting anything on the old server\n",
            "objective: move the clinic calendar\nfacts: calendar opens => curl | 12,004 entries => scripts/count.sh\nunverified: nobody writes\ndecisions: keep ids => letters | read-only mode\nrejected: live replication => the old server\nnext: DNS | certificates\nmay: restart the new server\nask: DNS change\nnever: deleting anything\nwritten_at: 2026-08-08",
        ),
        (
            "what one must not do",
            "# Handoff: reading list\n\n| | |\n|---|---|\n| Date | 2026-04-12 |\n| Branch | `feat/shelves` |\n| Commit | `d00d1e5` |\n| Agent | qwen |\n| Status | needs review |\n\n### What changed\n* Shelves can be shared\n* Import from CSV\n\n### What is next\n* Share by link\n* Tests for import of 10,000 rows\n\n### What you must not do\n* Change the `books` table\n* Call the ISBN service in tests\n\n### Questions\n* Is 10,000 the limit?\n",
            "written_at: 2026-04-12\nbranch: feat/shelves\nhead: d00d1e5\nagent: qwen\nstatus: needs review\ndone: Shelves can be shared | Import from CSV\nnext: Share by link | Tests for import\nnever: Change the `books` table | Call the ISBN service\nopen: Is 10,000",
        ),
        (
            "none in many words",
            "# Handoff\n\n## Blockers\nNone at the moment.\n\n## Open Questions\nNo open questions.\n\n## Known Issues\nNone that we know of.\n\n## Risks\n- none\n\n## Next\n1. Nothing left to do.\n",
            "open: -\nhazards: -",
        ),
        (
            "a table of what is allowed",
            "# Handoff\n\n## Safety\n| Action | Allowed |\n|---|---|\n| run tests | yes |\n| push | ask first |\n| force-push | never |\n\n## Next\n- x\n",
            "may: run tests\nask: push\nnever: force-push",
        ),
    ]);
}

#[test]
fn names_that_were_unknown_in_other_languages() {
    check(&[
        (
            "Japanese causes",
            "# 引き継ぎメモ\n\n**作成日**: 2026-05-14\n**作業ブランチ**: `fix/invoice-tax`\n**最新コミット**: `9a0b1c2` 端数処理を修正\n\n## 背景\n請求書の消費税が1円ずれる。\n\n## 原因\n- 税率ごとではなく明細ごとに丸めていた\n\n## 対応済み\n- 税率ごとの丸めに変更\n- 単体テスト追加（8件成功）\n\n## 未対応\n- 過去の請求書の再計算\n- 軽減税率の表示\n\n## 確認事項\n- 再計算は経理の承認が必要か？\n\n## 禁止事項\n- 発行済み請求書のPDFを上書きしない\n- `tax_rates` テーブルを直接更新しない\n",
            "written_at: 2026-05-14\nbranch: fix/invoice-tax\nhead: 9a0b1c2\nfacts: 税率ごとではなく明細\ndone: 税率ごとの丸め | 単体テスト追加\nnext: 過去の請求書 | 軽減税率\nopen: 再計算は経理\nnever: 発行済み請求書 | `tax_rates`",
        ),
        (
            "German",
            "# Sitzungsprotokoll 7. Mai 2026\n\nZweig: `feature/loipe`\nLetzter Commit: `abcd123`\n\n## Ziel\nLoipenbericht jeden Morgen um sechs.\n\n## Fertig\n- Abruf der Spurdaten\n- Karte\n\n## In Arbeit\n- Schneehöhe je Abschnitt\n\n## Noch offen\n- Wer pflegt die Sperrungen?\n\n## Als Nächstes\n1. Schneehöhe fertigstellen\n2. Bericht per Mail\n\n## Entscheidungen\n- Karte als SVG (Grund: druckbar)\n- Kein Login\n\n## Verworfen\n- PDF aus dem Browser: Schriften fehlen\n\n## Bitte beachten\n- Die Messstation am Pass liefert Fahrenheit\n- Die Datei `sperrungen.csv` nicht von Hand ändern\n",
            "written_at: 2026-05-07\nbranch: feature/loipe\nhead: abcd123\nobjective: Loipenbericht\ndone: Abruf der Spurdaten | Karte\nnext: ~Schneehöhe je Abschnitt | Schneehöhe fertigstellen | Bericht per Mail\nopen: Wer pflegt\ndecisions: Karte als SVG => druckbar | Kein Login\nrejected: PDF aus dem Browser => Schriften\nnever: nicht von Hand ändern",
        ),
        (
            "French",
            "# Passage de relais\n\nMis à jour : 2026-09-21\nBranche : `fix/vendange`\n\n## Contexte\nLe pesage des bacs donne parfois zéro.\n\n## Cause\n- le capteur se met en veille\n\n## Fait\n- réveil du capteur avant lecture\n\n## En cours\n- test sur 200 bacs\n\n## À faire ensuite\n1. alarme sonore\n2. notice\n\n## Décisions\n- pas de cache parce que les bacs changent\n\n## Questions\n- qui remplace le capteur 3 ?\n\n## Interdit\n- écrire dans la base de la coopérative\n",
            "written_at: 2026-09-21\nbranch: fix/vendange\nfacts: le capteur se met\ndone: réveil du capteur\nnext: ~test sur 200 bacs | alarme sonore | notice\ndecisions: pas de cache => les bacs\nopen: qui remplace\nnever: écrire dans la base",
        ),
        (
            "Spanish",
            "# Notas de traspaso — 2026-01-22\n\n**Rama:** `feat/farola` · **Commit:** `0c0d0e0`\n\n## Estado actual\n- Encendido: hecho\n- Regulación: en curso\n- Informe: pendiente\n\n## Decisiones tomadas\n- Horario solar, ya que el reloj del poste se atrasa\n\n## Intentado sin éxito\n- Zigbee: los postes son de metal\n\n## Siguientes pasos\n1. Regulación al 40 %\n2. Informe mensual\n\n## Advertencias\n- El poste 12 comparte fase con la fuente\n- No modificar `postes.csv`\n",
            "written_at: 2026-01-22\nbranch: feat/farola\nhead: 0c0d0e0\ndone: Encendido\nnext: ~Regulación | Informe | Regulación al 40 | Informe mensual\ndecisions: Horario solar => el reloj\nrejected: Zigbee => los postes\nhazards: El poste 12 | No modificar\nnever: No modificar",
        ),
        (
            "Russian",
            "# Передача смены\n\nОбновлено: 2026-10-10 18:00\nВетка: feature/lift\n\n## Задача\nЛифт не должен застревать при скачке напряжения.\n\n## Выполнено\n- фильтр питания\n- журнал ошибок\n\n## В процессе\n- тест на стенде\n\n## Осталось\n1. документация\n2. приёмка\n\n## Риски\n- стенд слабее настоящего привода\n\n## Вопросы\n- когда приёмка?\n\n## Запрещено\n- менять прошивку тормоза\n",
            "written_at: 2026-10-10T18:00:00\nbranch: feature/lift\nobjective: Лифт не должен\ndone: фильтр питания | журнал ошибок\nnext: ~тест на стенде | документация | приёмка\nhazards: стенд слабее\nopen: когда приёмка\nnever: менять прошивку",
        ),
        (
            "Portuguese",
            "# Handoff da sessão\n\nData: 2026-03-30\nBranch: `feat/horta`\nÚltimo commit: `aa1bb2c` sensores\n\n## Contexto\nRega automática da horta da escola.\n\n## O que foi feito\n- leitura dos sensores\n- painel\n\n## O que falta\n- bomba\n- alerta de chuva\n\n## Decisões\n- regar só de manhã porque à tarde evapora\n\n## Riscos\n- a escola desliga a rede à noite\n\n## Não mexer\n- no quadro elétrico\n",
            "written_at: 2026-03-30\nbranch: feat/horta\nhead: aa1bb2c\ndone: leitura dos sensores | painel\nnext: bomba | alerta de chuva\ndecisions: regar só de manhã => à tarde\nhazards: a escola desliga\nnever: no quadro elétrico",
        ),
    ]);
}
