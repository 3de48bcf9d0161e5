//! Names of sections that people make up: told by a word in them, in nine languages.

use super::check;

#[test]
fn a_word_in_a_name_tells_its_field() {
    check(&[
        (
            "Japanese",
            "# 引き継ぎ（セッション12）\n\n日時: 2026-04-18 22:05 JST\nブランチ: `feat/yoyaku`（`4455667`）\n\n## ゴール\n予約の二重登録をなくす。\n\n## 今回やったこと\n1. 一意制約を追加\n2. 既存データの重複を調査（32件）\n\n## まだやっていないこと\n1. 重複データの統合\n2. 画面のエラーメッセージ\n\n## 判断したこと\n- 統合は古い方を残す。理由：料金が確定している\n\n## 試してダメだったこと\n- アプリ側のロック：2台構成で効かない\n\n## 気をつけること\n- 深夜のバッチと競合する\n\n## やってはいけないこと\n- 本番で直接DELETEする\n",
            "written_at: 2026-04-18T22:05:00+09:00\nbranch: feat/yoyaku\nhead: 4455667\nobjective: 予約の二重登録\ndone: 一意制約 | 既存データ\nnext: 重複データ | 画面の\ndecisions: 統合は古い方を残す => 料金が確定\nrejected: アプリ側のロック => 2台構成\nhazards: 深夜のバッチ\nnever: 本番で直接",
        ),
        (
            "Chinese",
            "# 项目交接说明\n\n- 日期：2026-07-01\n- 负责人：codex\n- 当前分支：`feat/baojing`\n- 最近一次提交：`7788990`\n\n## 项目背景\n锅炉房温度报警。\n\n## 已经完成的工作\n- 传感器接入\n- 阈值配置页\n\n## 还没做的\n- 短信通知\n- 夜间免打扰\n\n## 遇到的坑\n- 传感器断线时返回 0\n\n## 尝试过但失败的方案\n- MQTT 保留消息：设备不支持\n\n## 重要决定\n- 阈值存数据库，便于修改\n\n## 绝对不要做\n- 修改生产环境的阈值\n- 删除历史数据\n",
            "written_at: 2026-07-01\nagent: codex\nbranch: feat/baojing\nhead: 7788990\ndone: 传感器接入 | 阈值配置页\nnext: 短信通知 | 夜间免打扰\nhazards: 传感器断线\nrejected: MQTT 保留消息 => 设备不支持\ndecisions: 阈值存数据库\nnever: 修改生产环境 | 删除历史数据",
        ),
        (
            "Korean",
            "# 인수인계 문서\n\n최종 수정: 2026년 5월 2일\n브랜치: `fix/naengjang`\n\n## 요약\n냉장고 온도 기록이 빠지는 문제를 고친다.\n\n## 진행 상황\n- [x] 원인 파악\n- [x] 재전송 추가\n- [ ] 현장 확인\n\n## 알아둘 점\n- 기기 시계가 9시간 느리다\n\n## 결정한 것\n- 재전송은 3번까지: 배터리 때문\n\n## 하지 말아야 할 것\n- 기기 펌웨어 업데이트\n",
            "written_at: 2026-05-02\nbranch: fix/naengjang\nobjective: 냉장고 온도\ndone: 원인 파악 | 재전송 추가\nnext: 현장 확인\nhazards: 기기 시계\ndecisions: 재전송은 3번까지\nnever: 기기 펌웨어",
        ),
        (
            "German",
            "# Arbeitsstand Bibliothek\n\n*Zuletzt geändert: 03.11.2026 durch Codex*\n\n**Zweig:** fix/mahnung, **Stand:** `99aabb0`\n\n### Was funktioniert\n- Mahnlauf\n- Vorschau\n\n### Was noch nicht funktioniert\n- Gebühr bei Ferien\n- Versand an Minderjährige\n\n### Warum so entschieden\n- Mahnung erst nach 3 Tagen, weil die Rückgabebox übers Wochenende voll ist\n\n### Finger weg von\n- Tabelle `leser`\n- Produktivdatenbank\n\n### Nächster Schritt\nGebühr bei Ferien testen.\n",
            "written_at: 2026-11-03\nbranch: fix/mahnung\nhead: 99aabb0\nnext: Gebühr bei Ferien | Versand an Minderjährige | Gebühr bei Ferien testen\ndecisions: Mahnung erst nach 3 Tagen => die Rückgabebox\nnever: Tabelle `leser` | Produktivdatenbank",
        ),
        (
            "French",
            "# Note de passation du 4 mai 2026\n\nBranche : `feat/ruches` — commit `aabbcc1`\n\n## But de la session\nPeser les ruches sans les ouvrir.\n\n## Avancement\n- [x] cellule de charge\n- [ ] étalonnage\n- [ ] envoi LoRa\n\n## Ce qu'il faut savoir\n- la cellule dérive au soleil\n\n## Essais infructueux\n- HX711 à 80 Hz (bruit)\n\n## À ne surtout pas faire\n- ouvrir la ruche 3\n- effacer `mesures/`\n",
            "written_at: 2026-05-04\nbranch: feat/ruches\nhead: aabbcc1\nobjective: Peser les ruches\ndone: cellule de charge\nnext: étalonnage | envoi LoRa\nhazards: la cellule dérive\nrejected: HX711 => bruit\nnever: ouvrir la ruche | effacer",
        ),
        (
            "Russian",
            "# Состояние на 12.04.2026\n\nРабочая ветка: `fix/teplo`, HEAD `c1d2e3f`\n\n## Коротко\nСчётчик тепла теряет показания ночью.\n\n## Уже сделано\n- журнал обрывов\n- повтор через 5 минут\n\n## Ещё не сделано\n- отчёт за месяц\n\n## Известные грабли\n- счётчик перезагружается в полночь\n\n## Что пробовали\n- опрос раз в минуту — счётчик зависает\n\n## Не делать\n- не обновлять прошивку счётчика\n",
            "written_at: 2026-04-12\nbranch: fix/teplo\nhead: c1d2e3f\ndone: журнал обрывов | повтор через 5\nnext: отчёт за месяц\nhazards: счётчик перезагружается\nrejected: опрос раз в минуту => счётчик зависает\nnever: не обновлять прошивку",
        ),
        (
            "pr.md of a review",
            "# PR handoff: #482 rate limiter\n\n| | |\n|---|---|\n| PR | #482 |\n| Branch | `rl/token-bucket` |\n| Base | `main` |\n| Head commit | `0abc123` |\n| CI | green (run 9912) |\n\n## Review comments still open\n1. Use monotonic time\n2. Name the bucket\n\n## Addressed\n- Burst size is a setting\n- Test for zero rate\n\n## Please do not\n- squash before approval\n- change the public header names\n",
            "branch: rl/token-bucket\nhead: 0abc123\nnext: Use monotonic time | Name the bucket\ndone: Burst size | Test for zero rate\nask: squash before approval\nnever: change the public header",
        ),
        (
            "ops.md of a rota",
            "# Ops handover week 23\n\nOutgoing: Mara · Incoming: Tobias\nDate: 2026-06-08\n\n## Incidents\n- 2 June: queue full for 40 minutes\n\n## Ongoing\n- Disk of `db2` at 81 %\n\n## Watch\n- Certificate expires on 30 June\n\n## Not to do\n- Restart `db2` during the day\n\n## Open tickets\n- OPS-41 disk\n- OPS-44 alert noise\n",
            "written_at: 2026-06-08\nnext: ~Disk of `db2` | OPS-41 | OPS-44\nhazards: Certificate expires\nrejected: Restart `db2`",
        ),
        (
            "resume.md with a job",
            "# RESUME HERE\n\nYou are picking up the solar tracker firmware.\n\nState:\n- branch `fw/limits` at `beef012`, tree clean\n- motor runs, limits not wired\n\nYour job now:\n1. wire limit switches (GPIO 4 and 5)\n2. stop within 3 steps\n\nHard rules:\n- never run the motor unattended\n- do not change `pid.h`\n\nIf stuck, read `docs/limits.md`.\n",
            "branch: fw/limits\nhead: beef012\nnext: wire limit switches | stop within 3 steps\nnever: never run the motor | do not change `pid.h`",
        ),
        (
            "labels of one line",
            "# Handoff\n\n**Done:** parser, printer, mailer\n**Next:** 1) fax 2) archive\n**Open:** who pays?\n**Files:** `a.rs`, `b.rs`, `docs/c.md`\n**Branch/commit:** `feat/mail` @ `ab12cd3`\n",
            "done: parser, printer, mailer\nnext: 1) fax 2) archive\nopen: who pays\nartifacts: a.rs | b.rs | docs/c.md\nbranch: feat/mail\nhead: ab12cd3",
        ),
        (
            "touch nothing",
            "**Task:** Make the choir archive searchable\n**State:** blocked\n**Why:** the scans have no text layer\n\n**Tried:** tesseract — wrong with old type\n**Next:** try the fraktur model\n**Touch nothing in:** `scans/`\n",
            "objective: Make the choir archive\nstatus: blocked\nnext: try the fraktur model\nrejected: tesseract => wrong with old type\nnever: scans/",
        ),
        (
            "lists.yaml of what is allowed",
            "goal: Make the bus stop display readable in the sun\nstatus: in_progress\nbranch: feat/contrast\ncommit: 5a4b3c2\ndone:\n  - contrast test\n  - font size\nnext:\n  - {task: order the panel, priority: high}\n  - measure at noon\ndecisions:\n  - what: black on white\n    why: measured 12 to 1\nblocked_by: panel delivery\nnever:\n  - change the timetable feed\nask:\n  - buy anything\n",
            "objective: Make the bus stop display\nstatus: in_progress\nbranch: feat/contrast\nhead: 5a4b3c2\ndone: contrast test | font size\nnext: order the panel | measure at noon\ndecisions: black on white => measured\nopen: panel delivery\nnever: change the timetable feed\nask: buy anything",
        ),
        (
            "files in play",
            "# Agent handoff: seed vault labels\n\nCreated 2026-09-02T16:45:00+02:00 by claude-code (opus). Reason: context window 92 % full.\n\n## Mission\nPrint labels that survive −18 °C.\n\n## What is true right now\n- The thermal printer accepts 40×20 mm\n- Ink run at −10 °C failed: smears\n\n## What I was doing when I stopped\nComparing two label stocks. Stock B is half tested.\n\n## Pick up here\n1. Finish stock B in the freezer (24 h)\n2. Order the better one\n\n## Do not retry\n- Laser labels: glue fails in the cold\n\n## Files in play\n- `labels/layout.svg`\n- `print.py`\n",
            "written_at: 2026-09-02T16:45:00+02:00\nobjective: Print labels\nnext: Finish stock B | Order the better one\nrejected: Laser labels => glue fails\nartifacts: labels/layout.svg | print.py",
        ),
    ]);
}

#[test]
fn guesses_and_failures_are_no_facts() {
    check(&[
        (
            "findings of two kinds",
            "# Handoff\n\n## Findings\n- The leak is in `pool.c:120` (valgrind log attached)\n- Probably the second leak is the logger\n- I think the test is flaky\n\n## Test results\n- 88 of 90 passed\n- 2 failed: test_pool_close, test_pool_reuse\n\n## Next\n- fix pool\n",
            "facts: The leak is in => valgrind | 88 of 90\nunverified: Probably the second | I think the test\nhazards: 2 failed\nnext: fix pool",
        ),
        (
            "the commit of an item that is done",
            "# Handoff\n\n## Done\n- Parser rewritten (see `src/parse.rs:10-80`, commit 1234abc)\n- Docs — README.md\n\n## Verified facts\n- Parser reads 10,000 lines in 40 ms (`cargo bench parse`)\n- UTF-16 files are refused with a message (tests/utf16.rs)\n\n## Next\n- Fuzz the parser for an hour\n",
            "head: -\ndone: Parser rewritten | Docs\nfacts: Parser reads => cargo bench parse | UTF-16 files => tests/utf16.rs\nnext: Fuzz the parser",
        ),
        (
            "rules in a numbered list",
            "# Handoff\n\nNotes for whoever continues:\n\n1. The tests need Docker.\n2. **Do not** upgrade `openssl`, the vendor build breaks.\n3. Keep `legacy/` as it is.\n4. You must ask Priya before touching billing.\n5. Secrets come from Vault; never print them.\n\n## Next\n- billing export\n",
            "never: upgrade `openssl` | never print them\nask: ask Priya\nnext: billing export",
        ),
    ]);
}

#[test]
fn what_people_call_it_when_they_talk() {
    check(&[
        (
            "Japanese tables",
            "# 引き継ぎ書\n\n|項目|内容|\n|---|---|\n|日付|2026-07-19|\n|ブランチ|`feature/hakari`|\n|HEAD|`1c2d3e4`|\n|状態|作業中|\n\n## 1. 目標\n計量器の値を自動で取り込む。\n\n## 2. 実施済み\n* シリアル通信\n* 単位変換\n\n## 3. 残件\n* 風袋引き\n* エラー表示\n\n## 4. 既知の不具合\n* 起動直後は0が返る\n\n## 5. 決定と理由\n* ポーリングは1秒（理由：機器の仕様）\n\n## 6. 禁止\n* 校正値の書き換え\n",
            "written_at: 2026-07-19\nbranch: feature/hakari\nhead: 1c2d3e4\nstatus: 作業中\nobjective: 計量器の値\ndone: シリアル通信 | 単位変換\nnext: 風袋引き | エラー表示\nhazards: 起動直後\ndecisions: ポーリングは1秒 => 機器の仕様\nnever: 校正値の書き換え",
        ),
        (
            "Chinese brackets",
            "# 工作交接\n\n【时间】2026-05-30 18:00\n【分支】`feat/tongzhi`\n【提交】`5d6e7f8`\n\n【目标】家长通知按班级发送\n\n【已完成】\n- 班级导入\n- 模板\n\n【待完成】\n- 定时发送\n- 回执统计\n\n【注意】\n- 免费短信每天 500 条\n\n【禁止】\n- 给全校群发\n",
            "branch: feat/tongzhi\nhead: 5d6e7f8\nobjective: 家长通知\ndone: 班级导入 | 模板\nnext: 定时发送 | 回执统计\nhazards: 免费短信\nnever: 给全校群发",
        ),
        (
            "Korean",
            "# 🚧 진행 상황 공유\n\n**업데이트:** 2026.11.20\n**브랜치:** `feat/bus`\n\n### ✅ 끝난 것\n- 노선 가져오기\n- 정류장 검색\n\n### ⏳ 하는 중\n- 도착 예측\n\n### 📌 다음에 할 것\n- 즐겨찾기\n\n### ⚠️ 조심할 것\n- API는 하루 1000번\n\n### ❌ 안 하기로 한 것\n- 지도 SDK: 유료\n",
            "written_at: 2026-11-20\nbranch: feat/bus\ndone: 노선 가져오기 | 정류장 검색\nnext: ~도착 예측 | 즐겨찾기\nhazards: API는 하루\nrejected: 지도 SDK => 유료",
        ),
        (
            "German",
            "# Übergabeprotokoll\n\n| Feld | Wert |\n|---|---|\n| Datum | 18.06.2026 |\n| Branch | feature/pegel |\n| Letzter Commit | 3e4f5a6 |\n| Bearbeiter | Claude |\n\n## Aufgabe\nPegelstände alle 15 Minuten abrufen.\n\n## Was schon läuft\n- Abruf\n- Speicherung\n\n## Was noch fehlt\n- Alarm\n- Lücken füllen\n\n## Getroffene Entscheidungen\n- UTC in der Datenbank (Begründung: Zeitumstellung)\n\n## Erfolglos versucht\n- Webhook: Anbieter kann das nicht\n\n## Unbedingt beachten\n- Nie mehr als 100 Abrufe pro Stunde\n\n## Nicht tun\n- Alte Werte korrigieren\n",
            "written_at: 2026-06-18\nbranch: feature/pegel\nhead: 3e4f5a6\nobjective: Pegelstände alle 15\ndone: Abruf | Speicherung\nnext: Alarm | Lücken füllen\ndecisions: UTC in der Datenbank => Zeitumstellung\nrejected: Webhook => Anbieter\nhazards: Nie mehr als 100\nnever: Alte Werte",
        ),
        (
            "French",
            "# Passation d'équipe\n\nDate : 2026/02/14 — Branche : fix/tri — Commit : 1d2c3b4\n\n## Ce que nous faisons\nTrier les plaintes par quartier.\n\n## Ce qui marche\n- géocodage\n- carte\n\n## Ce qui ne marche pas\n- les adresses sans numéro\n\n## Prochaine étape\nGérer les adresses sans numéro.\n\n## On a décidé\n- fond de carte local, parce que la mairie est hors ligne\n\n## Attention à\n- la base contient des noms\n\n## Il ne faut pas\n- envoyer la base par courriel\n",
            "written_at: 2026-02-14\nbranch: fix/tri\nhead: 1d2c3b4\nobjective: Trier les plaintes\nhazards: les adresses sans numéro | la base contient\nnext: Gérer les adresses\ndecisions: fond de carte local => la mairie\nnever: envoyer la base",
        ),
        (
            "Italian",
            "# Passaggio di consegne — 9 marzo 2026\n\nBranch: `feat/presenze`\n\n## Di cosa si tratta\nRegistro presenze per la palestra.\n\n## Completato\n- lettura tessere\n\n## Manca ancora\n- turni serali\n- stampa\n\n## Decisione presa\n- niente GPS: privacy\n\n## Non ha funzionato\n- NFC dal telefono: solo Android\n\n## Attenzione\n- il lettore perde l'ora senza rete\n\n## Da chiedere a Paolo\n- chi vede le presenze?\n",
            "written_at: 2026-03-09\nbranch: feat/presenze\nobjective: Registro presenze\ndone: lettura tessere\nnext: turni serali | stampa\ndecisions: niente GPS\nrejected: NFC dal telefono => solo Android\nhazards: il lettore\nopen: chi vede",
        ),
        (
            "Spanish",
            "# Entrega de turno\n\nActualizado: 2026-07-07 19:30\nRama actual: `feat/inventario`\nÚltimo commit: `7f6e5d4`\n\n## Qué estamos haciendo\nInventario de la biblioteca con lector.\n\n## Qué está hecho\n- lectura de códigos\n\n## Qué falta\n- libros sin código\n- informe\n\n## Decidido\n- un archivo por sala porque se cuenta por salas\n\n## Qué no funcionó\n- cámara del portátil: muy lenta\n\n## Ojo con\n- la sala 4 tiene códigos duplicados\n\n## Prohibido\n- borrar préstamos\n",
            "written_at: 2026-07-07T19:30:00\nbranch: feat/inventario\nhead: 7f6e5d4\nobjective: Inventario de la biblioteca\ndone: lectura de códigos\nnext: libros sin código | informe\ndecisions: un archivo por sala => se cuenta\nrejected: cámara del portátil => muy lenta\nhazards: la sala 4\nnever: borrar préstamos",
        ),
        (
            "Russian",
            "# Передача работы\n\n| | |\n|---|---|\n| Дата | 15.09.2026 |\n| Ветка | feat/ochered |\n| Коммит | 4e5d6c7 |\n\n## Что делаем\nЭлектронная очередь в поликлинике.\n\n## Что работает\n- выдача талонов\n\n## Что не работает\n- звук на табло\n\n## Что осталось\n- отмена талона\n\n## Почему так\n- номера с буквой, потому что кабинетов больше ста\n\n## Внимание\n- талоны обнуляются в полночь\n\n## Без согласования нельзя\n- менять нумерацию\n",
            "written_at: 2026-09-15\nbranch: feat/ochered\nhead: 4e5d6c7\nobjective: Электронная очередь\ndone: выдача талонов\nhazards: звук на табло | талоны обнуляются\nnext: отмена талона\ndecisions: номера с буквой => кабинетов\nask: менять нумерацию",
        ),
        (
            "Portuguese",
            "# Passagem de turno\n\nAtualizado em: 2026-08-28\nBranch: `fix/fila`\n\n## Objetivo\nFila do posto sem papel.\n\n## Pronto\n- senha por SMS\n\n## Em andamento\n- painel\n\n## Falta\n- prioridade para idosos\n\n## Por que assim\n- SMS porque nem todos têm internet\n\n## Tentamos e não deu\n- WhatsApp: bloqueado\n\n## Cuidado\n- senhas zeram à meia-noite\n\n## Perguntas\n- quem chama o próximo?\n",
            "written_at: 2026-08-28\nbranch: fix/fila\nobjective: Fila do posto\ndone: senha por SMS\nnext: ~painel | prioridade para idosos\ndecisions: SMS => nem todos\nrejected: WhatsApp => bloqueado\nhazards: senhas zeram\nopen: quem chama",
        ),
    ]);
}

#[test]
fn briefs_and_chains() {
    check(&[
        (
            "rail.md of a chain",
            "# HANDOFF: model rail signals\n\n**Date:** 2026-08-20\n**Status:** IN PROGRESS\n**Bead(s):** rail-17\n**Epic:** signals\n**Parent:** HANDOFF_rail_2026-08-18.md\n\n## The Goal\nSignals follow the block occupancy.\n\n## Where We Are\nBlock 1 to 4 react. Block 5 flickers.\n\n## What We Tried (Chronological)\n1. Debounce 20 ms: still flickers\n2. Twisted wire: better, not gone\n\n## Key Decisions\n- Common anode: the decoder only sinks\n\n## Evidence & Data\n- Scope shot `scope/b5.png`: 3 ms dips\n\n## Where We're Going\n- Filter capacitor\n- Test with two trains\n\n## Quick Start\n`make flash && make sim`\n",
            "written_at: 2026-08-20\nstatus: IN PROGRESS\nparent: HANDOFF_rail_2026-08-18.md\nobjective: Signals follow\nrejected: Debounce 20 ms => still flickers | Twisted wire => better\ndecisions: Common anode\nfacts: Scope shot\nnext: Filter capacitor | Test with two trains",
        ),
        (
            "checkpoint.md with a front matter",
            "---\nmode: CHECKPOINT\nbranch: obpi/7\ntimestamp: 2026-04-04T04:04:04Z\nagent: claude\nsession_id: 77aa\ncontinues_from: 2026-04-03.md\nlast_commit_sha: 99aa00b\n---\n\n## Current State Summary\nLedger export runs nightly.\n\n## Important Context\n- Amounts are minor units\n- Never reorder columns: the bank parses by position\n\n## Decisions Made\n- [operator-ruled] CSV not XML\n- [agent-chose] one file per day\n\n## Immediate Next Steps\n1. Holiday calendar\n\n## Pending Work / Open Loops\n- Bank test file\n\n## Verification Checklist\n- [x] 30 files compared\n- [ ] month end\n\n## Evidence / Artifacts\n- out/2026-04-03.csv\n",
            "branch: obpi/7\nhead: 99aa00b\nagent: claude\nsession: 77aa\nparent: 2026-04-03.md\nwritten_at: 2026-04-04T04:04:04Z\nobjective: Ledger export\ndecisions: CSV not XML | one file per day\nnext: Holiday calendar | Bank test file | month end\nnever: Never reorder columns\nfacts: 30 files compared\nartifacts: out/2026-04-03.csv",
        ),
        (
            "brief.md without a heading",
            "Handoff — 5 Oct 2026\n\nWhat: move the swim club site to static pages\nWhy: host goes away on 31 Oct\nDone: 40 of 52 pages\nLeft: news archive, contact form\nWatch out: umlauts in file names\nDon't: change URLs\nBranch: static-site (pushed)\nAsk Jule before deleting photos.\n",
            "written_at: 2026-10-05\nobjective: move the swim club site\nnext: news archive, contact form\nhazards: umlauts in file names\nnever: change URLs\nbranch: static-site\nask: Ask Jule",
        ),
        (
            "what may not and what does not",
            "# Handoff\n\n## Notes\n- The cleanup job does not delete rows younger than 30 days.\n- Users must not see other users' photos.\n- The lamp never turns off by itself.\n- We never merged the old branch.\n- It's not allowed to be empty (schema).\n- Please don't merge until Olaf has looked at it.\n- Production is off limits for agents.\n\n## Next\n- x\n",
            "never: Production is off limits\nask: Please don't merge until Olaf",
        ),
        (
            "progress in numbers",
            "# Handoff\n\nProgress: 97%\nPhase: 3 of 4\nTests: 40/40 passing\nETA: tomorrow\n\n## Next\n- the last 3 %\n",
            "facts: 40/40 passing\nnext: the last 3\nextra: 97%",
        ),
    ]);
}
