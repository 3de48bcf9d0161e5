//! Several handoffs in one file.

use super::check;

#[test]
fn a_log_gives_its_newest_entry_whatever_its_order() {
    check(&[
        (
            "newest first",
            "# Handoffs\n\n## 2026-05-03 soak\n### Done\n- soak\n### Next\n- cool\n\n## 2026-05-01 ramp\n### Done\n- ramp\n### Next\n- soak\n",
            "entries: 2\nshown: 2026-05-03\nnext: cool\ndone: soak\nfindings: several-handoffs",
        ),
        (
            "oldest first",
            "# Handoffs\n\n## 2026-05-01 ramp\n### Done\n- ramp\n### Next\n- soak\n\n## 2026-05-03 soak\n### Done\n- soak\n### Next\n- cool\n",
            "entries: 2\nshown: 2026-05-03\nnext: cool",
        ),
        (
            "times of one day",
            "# Handoffs\n\n## 2026-05-03 18:10\n### Next\n- cool\n\n## 2026-05-03 09:00\n### Next\n- soak\n",
            "entries: 2\nshown: 18:10\nnext: cool",
        ),
        (
            "latest overrides everything below",
            "# Handoff\n\n## Latest session (overrides everything below)\n### Done\n- soak\n### Next\n- cool\n\n## Previous session\n### Done\n- ramp\n### Next\n- soak\n",
            "entries: 2\nnext: cool\ndone: soak",
        ),
        (
            "previous above latest",
            "# Handoff\n\n## Previous session\n### Next\n- soak\n\n## Latest session\n### Next\n- cool\n",
            "entries: 2\nnext: cool",
        ),
        (
            "Chinese latest",
            "# 交接文档\n\n## 最新（2026-05-03）\n### 已完成\n- 保温\n### 下一步\n- 冷却\n\n## 2026-05-01\n### 已完成\n- 升温\n### 下一步\n- 保温\n",
            "entries: 2\nnext: 冷却",
        ),
        (
            "Chinese dates",
            "# 交接\n\n## 2026年5月1日\n### 下一步\n- 保温\n\n## 2026年5月3日\n### 下一步\n- 冷却\n",
            "entries: 2\nnext: 冷却",
        ),
        (
            "month names",
            "# Log\n\n## May 3, 2026\n### Next\n- cool\n\n## May 1, 2026\n### Next\n- soak\n",
            "entries: 2\nnext: cool",
        ),
        (
            "counted sessions",
            "# Log\n\n## Session 41\n### Next\n- soak\n\n## Session 42\n### Next\n- cool\n",
            "entries: 2\nshown: Session 42\nnext: cool",
        ),
        (
            "first-level entries",
            "# Handoff 2026-05-03\n## Next\n- cool\n\n# Handoff 2026-05-01\n## Next\n- soak\n",
            "entries: 2\nnext: cool",
        ),
        (
            "rules between entries",
            "# Session handoff — 2026-05-03\n\n## Next\n- cool\n\n---\n\n# Session handoff — 2026-05-01\n\n## Next\n- soak\n\n---\n\n# Session handoff — 2026-04-29\n\n## Next\n- ramp\n",
            "entries: 3\nnext: cool",
        ),
        (
            "the same document twice",
            "# Kiln handoff\n\n## Next\n- cool\n\n# Kiln handoff\n\n## Next\n- soak\n",
            "entries: 2\nfindings: document-twice | contradiction",
        ),
        (
            "a date heading below sections is none",
            "# H\n\n## Done\n### 2026-05-01\n- ramp\n### 2026-05-03\n- soak\n\n## Next\n- cool\n",
            "entries: 1\ndone: ramp | soak\nnext: cool",
        ),
        (
            "a changelog section is none",
            "# H\n\n## Next\n- cool\n\n## Recent changes\n- 2026-05-03 soak\n- 2026-05-01 ramp\n",
            "entries: 1\nnext: cool",
        ),
        (
            "an update appended",
            "# Handoff 2026-05-01\n\n## Done\n- ramp\n\n## Next\n- soak\n\n## Update 2026-05-03\n- soak is done\n\n## Update 2026-05-04\n- cooling begun\n",
            "entries: 1\nnext: soak\ndone: ramp",
        ),
    ]);
}

#[test]
fn a_log_of_many_entries_is_read_fast_and_whole() {
    let mut text = String::from("# Log\n\n");
    for day in (1..=400).rev() {
        let (month, day_of) = (1 + (day - 1) / 28, 1 + (day - 1) % 28);
        let year = 2020 + month / 12;
        let month = 1 + month % 12;
        text.push_str(&format!("## {year}-{month:02}-{day_of:02} day {day}\n\n### Done\n- item {day} on branch `feat/{day}`\n\n### Next\n- step {day}\n\n### Notes\nSome words about what happened that day, and why it took so long. The probe was read twice and the fan ran on; nobody knows why it did that, but it stopped.\n\n"));
    }
    assert!(text.len() > 100_000, "{}", text.len());
    let reading = handoff::read(text.as_bytes(), ".ai/handoff.md", &handoff::Limits::default());
    assert_eq!(reading.entries.len(), 400);
    let next: Vec<_> =
        reading.current().into_iter().flat_map(|one| one.next.iter().map(|item| item.text.as_str())).collect();
    assert_eq!(next.len(), 1, "{next:?}");
}

#[test]
fn days_with_slashes_part_a_log() {
    check(&[
        (
            "newest first",
            "# Log\n\n## 09/01/2026\n\n### Done\n- nine\n\n### Next\n- ten\n\n## 08/01/2026\n\n### Done\n- eight\n\n### Next\n- nine\n",
            "entries: 2\ndone: nine\nnext: ten",
        ),
        (
            "oldest first",
            "# Log\n\n## 08/01/2026\n\n### Done\n- eight\n\n### Next\n- nine\n\n## 09/01/2026\n\n### Done\n- nine\n\n### Next\n- ten\n",
            "entries: 2\ndone: nine\nnext: ten",
        ),
        (
            "another day tells which number is the month",
            "# Log\n\n## 02/12/2026\n### Done\n- second of December\n### Next\n- b\n\n## 28/11/2026\n### Done\n- end of November\n### Next\n- a\n",
            "entries: 2\ndone: second of December\nnext: b\nwritten_at: 2026-12-02",
        ),
    ]);
}
