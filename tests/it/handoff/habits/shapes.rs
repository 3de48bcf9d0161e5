//! Documents as people and agents write them when nobody prescribed a form.

use super::check;

#[test]
fn reasons_of_rejected_options_stand_in_many_places() {
    check(&[
        (
            "a paragraph with a bracket",
            "# H\n\n## What Didn't Work\nA hand-written parser (quotes inside quotes).\n\n## Next\n- x\n",
            "rejected: A hand-written parser => quotes inside quotes",
        ),
        (
            "dashes of all kinds",
            "# H\n\n## Rejected\n- Redis - one more server\n- SQLite – locks on the share\n- Files — no search\n- Memory: lost at restart\n- Postgres because of the price\n",
            "rejected: Redis => one more server | SQLite => locks | Files => no search | Memory => lost | Postgres => the price",
        ),
        (
            "bold names",
            "# H\n\n## Failed approaches\n- **Polling every second** - the battery is flat by noon\n- **Long polling**: the proxy cuts it\n- ~~WebSockets~~ (blocked by the proxy)\n",
            "rejected: Polling every second => the battery | Long polling => the proxy cuts | WebSockets => blocked",
        ),
        (
            "sub-headings",
            "# H\n\n## What failed\n\n### Polling\nThe battery is flat by noon.\n\n### Long polling\nThe proxy cuts it.\n",
            "rejected: Polling => The battery | Long polling => The proxy",
        ),
        (
            "French",
            "# Passation\n\n## Ce qui n'a pas marché\n- Redis : un serveur de plus\n\n## Prochaines étapes\n- x\n",
            "rejected: Redis => un serveur",
        ),
        (
            "Korean",
            "# 인수인계\n\n## 시도했지만 실패한 것\n- 폴링: 배터리 소모\n\n## 다음 할 일\n- x\n",
            "rejected: 폴링 => 배터리",
        ),
        (
            "Portuguese",
            "# Passagem\n\n## O que não funcionou\n- Redis — mais um servidor\n\n## Próximos passos\n- x\n",
            "rejected: Redis => mais um",
        ),
    ]);
}

#[test]
fn the_day_may_stand_in_the_title_alone() {
    check(&[
        ("behind a dash", "# Work Handoff - 2026-03-05\n\n## Next\n- x\n", "written_at: 2026-03-05"),
        ("in brackets", "# Übergabe (12.04.2026)\n\n## Nächste Schritte\n- x\n", "written_at: 2026-04-12"),
        ("in words", "# Session handoff, March 5, 2026\n\n## Next\n- x\n", "written_at: 2026-03-05"),
        ("in Japanese", "# 引き継ぎ 2026年3月5日\n\n## 次にやること\n- x\n", "written_at: 2026-03-05"),
        ("in a line of emphasis", "# H\n\n*Written 2026-03-05 by codex*\n\n## Next\n- x\n", "written_at: 2026-03-05"),
        (
            "in a Korean line",
            "# 인수인계\n\n마지막 갱신: 2026-09-20 · 작성: 세션 종료 시점\n\n## 다음 할 일\n- x\n",
            "written_at: 2026-09-20",
        ),
        (
            "a day of a decision is not the document's",
            "# H\n\n## Decisions\n- 2026-03-05: integers\n\n## Next\n- x\n",
            "written_at: -",
        ),
    ]);
}

#[test]
fn the_first_words_may_say_what_it_is_about() {
    check(&[
        (
            "a task under a heading of its own",
            "# Work Handoff - 2026-03-05\n\n## Current Task\nUpdater on the Mac, ready for a test.\n\n## Context\nSpent the day on it.\n\n## Progress\n### Completed\n- signed\n\n### Remaining\n- **Next work**: ask\n\n## Git Status\nClean. All pushed to origin/main.\n\n## Next Steps\n1. Ask\n",
            "objective: Updater on the Mac\ndone: signed\nnext: Next work | Ask",
        ),
        (
            "a summary of the state",
            "# Handoff\n\n## Summary\nWe move the gauge to the new radio.\n\n## Next\n- x\n",
            "objective: We move the gauge",
        ),
        (
            "a current milestone",
            "# Current State\n\nRepository status:\nReleased. Build passing.\n\nCurrent branch:\n`main`\n\nCurrent milestone:\n`Vertical slice`\n\nRecent accomplishments:\n\n- Skeleton\n- Architecture tests\n\nCurrent architectural decisions:\n\n- Adapters do not refer to each other.\n\nNext task:\nContracts of the application layer\n\nKnown issues:\n\n- Most test projects are empty.\n\nRequested review:\n\n- Boundaries\n",
            "branch: main\nobjective: Vertical slice\ndone: Skeleton | Architecture tests\ndecisions: Adapters do not refer\nnext: Contracts of the application\nhazards: Most test projects\nopen: Boundaries",
        ),
        (
            "a paragraph under the title",
            "# Gauge: handoff\n\nWe are replacing the tipping bucket by a weighing gauge so that snow counts.\n\n## Next\n- order the cell\n",
            "objective: We are replacing the tipping bucket\nnext: order the cell",
        ),
        (
            "words about the document are no goal",
            "# Gauge: handoff\n\nThis document is for the next agent. Read it first.\n\n## Next\n- order the cell\n",
            "objective: -\nnext: order the cell",
        ),
    ]);
}

#[test]
fn what_only_looks_like_a_fact_is_none() {
    check(&[
        (
            "instructions how to test",
            "# H\n\n## Verifying the current state\n```bash\npytest -q   # expect: 33 passed\n```\n\n## How to test\n- run `pytest`\n\n## Next\n- x\n",
            "facts: -",
        ),
        (
            "a plan to verify",
            "# H\n\n## Verification plan\n1. Start the server\n2. Open the page\n\n## Needs verification\n- the printer\n\n## To be verified\n- the scale\n\n## Next\n- x\n",
            "facts: -\nunverified: the printer | the scale",
        ),
        (
            "tests that fail",
            "# H\n\n## Tests\n- unit: 12 passed\n- e2e: 3 failed\n- smoke: not run\n\n## Next\n- x\n",
            "facts: unit: 12 passed\nhazards: e2e: 3 failed\nunverified: smoke",
        ),
        (
            "success criteria",
            "# H\n\n## Success criteria\n- all tests pass\n- the alarm rings once\n\n## Acceptance criteria\n- [ ] rings once\n- [x] rings\n\n## Next\n- x\n",
            "facts: -\nconstraints: all tests pass | the alarm rings once",
        ),
    ]);
}

#[test]
fn logs_may_repeat_one_name_with_different_days() {
    check(&[
        (
            "numbered updates with days",
            "# 交接文档\n\n## 第 12 次会话（2026-05-03）\n### 已完成\n- 保温\n### 下一步\n- 冷却\n\n---\n\n## 第 11 次会话（2026-05-01）\n### 已完成\n- 升温\n### 下一步\n- 保温\n",
            "entries: 2\nnext: 冷却\ndone: 保温",
        ),
        (
            "sessions as the last parts of a living document",
            "# 인수인계\n\n## 1. 지금 당장 해야 할 일\n- 결제 연동\n\n## 2. 환경\n- node\n\n## 10. 이번 세션에서 한 일\n- 상품 페이지\n\n## 11. 2026-09-18~20 세션에서 한 일\n- 동의 화면\n",
            "entries: 1\nnext: 결제 연동\ndone: 상품 페이지 | 동의 화면",
        ),
    ]);
}

#[test]
fn rules_of_living_documents_are_found_and_descriptions_are_not() {
    check(&[
        (
            "Korean rules",
            "# 인수인계\n\n## 절대 하면 안 되는 것\n- 결제 없이 크레딧 지급\n- 한도를 지급량보다 크게 설정\n\n## 작업 방식\n- 커밋·푸시는 요청받았을 때만.\n- 비밀값은 절대 여기에 적지 마세요.\n\n## 다음 할 일\n- x\n",
            "never: 결제 없이 | 한도를 지급량보다 | 적지 마세요\nask: 요청받았을 때만",
        ),
        (
            "a port",
            "# H\n\n## Port policy\nDo not use port 3391 for the gauge.\n\n## Next\n- x\n",
            "never: Do not use port 3391",
        ),
        (
            "non-goals",
            "# H\n\n## Explicit non-goals for now\n- Other vendors\n- A registry\n\n## Next\n- x\n",
            "never: Other vendors | A registry",
        ),
        (
            "how the code behaves",
            "# H\n\n## Architecture\nThe worker does not push to the browser. Tokens never reach the client. `refresh()` must not be called twice; it returns early. The LLM explains, never decides. No compensatory volume: missing days never count.\n\n## Next\n- x\n",
            "never: -\nask: -",
        ),
        (
            "what to keep in mind",
            "# H\n\n## Philosophy\n- Rust is the source of truth\n- Missing days hold, never cram\n- Do not assume the sensor is right\n- Don't forget the tide\n\n## Next\n- x\n",
            "never: -\nask: -",
        ),
    ]);
}

#[test]
fn items_are_counted_as_they_are_meant() {
    check(&[
        (
            "problems as sub-headings with an order below them",
            "# H\n\n## Issues to Fix\n\n### 1. Remove the bar\nIt says the same.\n\n### 2. Group the list\n- by state\n- by kind\n\n### Priority Order\n1. **#2 Group** first\n2. **#1 Bar**\n",
            "next: Remove the bar | Group the list | #2 Group | #1 Bar",
        ),
        (
            "optional and later work",
            "# H\n\n## Next Steps\n\n### Optional Enhancements\n1. Weather\n2. Tests\n\n### Future Enhancements\n- Streaks\n",
            "next: Weather | Tests | Streaks",
        ),
        (
            "what works",
            "# H\n\n## What's Working\n\n### Core\n- Menubar\n- Database\n\n### Sync (Complete)\n- OAuth\n\n## Known gaps\n1. No pull\n2. No locks\n\n## Next\n- x\n",
            "done: Menubar | Database | OAuth\nhazards: No pull | No locks",
        ),
        (
            "a changed order of work",
            "# H\n\n## What changed this session (in order)\n\n1. **Migration** - replaced the loop\n2. **Tracker** - states\n\n## Roadmap (approved order)\n\n### Priority 1: Git\nText.\n\n### Priority 2: Parser\nText.\n",
            "done: Migration | Tracker\nnext: Git | Parser",
        ),
    ]);
}
