//! The demonstration: three real git repositories with handoffs that show what the desk is for.

use anyhow::{Context, Result, bail};
use std::fs;
use std::path::Path;
use std::process::Command;

/// Builds the demonstration below a folder: `code/` with repositories, `fuda/` as the home with one profile.
pub fn build(folder: &Path, fuda: &Path) -> Result<()> {
    let folder = &std::path::absolute(folder).context("the demonstration's folder")?;
    let code = folder.join("code");
    let marker = folder.join(".fuda-demo");
    if code.exists() && !marker.exists() {
        bail!("{} is there and is no demonstration; name another folder", code.display());
    }
    fs::create_dir_all(folder).with_context(|| format!("make {}", folder.display()))?;
    fs::write(&marker, "made by cargo xtask demo\n").with_context(|| format!("write {}", marker.display()))?;
    if code.exists() {
        fs::remove_dir_all(&code).with_context(|| format!("remove {}", code.display()))?;
    }
    tidewatch(&code.join("tidewatch"))?;
    kirikomi(&code.join("kirikomi"))?;
    ledgerloom(&code.join("ledgerloom"))?;
    let home = folder.join("fuda");
    let list =
        Command::new(fuda).args(["--json", "profiles"]).env("FUDA_HOME", &home).output().context("start fuda")?;
    if list.stdout.is_empty() {
        run(Command::new(fuda)
            .args(["profiles", "add", "demo", "--agent", "generic", "--root"])
            .arg(&code)
            .env("FUDA_HOME", &home))?;
    }
    run(Command::new(fuda).arg("index").env("FUDA_HOME", &home))
}

fn tidewatch(repo: &Path) -> Result<()> {
    git(repo, &["init", "-q", "-b", "feat/webhook-queue"])?;
    write(repo, "ingest/queue.go", "package ingest\n\nfunc Drain() {}\n")?;
    write(repo, "ingest/reading.go", "package ingest\n\ntype Reading struct{ At int64 }\n")?;
    write(repo, "db/migrations/0031_readings_unique.sql", "create unique index on readings (station, taken_at);\n")?;
    write(repo, "scripts/replay_gap.sh", "#!/bin/sh\necho replay\n")?;
    write(repo, "docs/cutover.md", "# Cut-over\n")?;
    write(
        repo,
        "AGENTS.md",
        "# Working in tidewatch\n\nGo 1.22, `go test ./...` before a commit.\n\n- Never push or merge without approval.\n- Do not touch `db/migrations/` once a file is on main.\n",
    )?;
    let root = repo.display();
    write(
        repo,
        ".handoff/2026-11-28-webhook.md",
        &format!(
            "---\nfuda: 2\ntitle: Take readings from the webhook\nagent: codex\nprofile: codex\nwritten_at: 2026-11-28T17:30:00Z\nfrom: codex\nto: claude-work\n---\n# Handoff\n## Objective\nEvery reading arrives through the webhook.\n## Verified facts\n- The unique index on (station, taken_at) makes inserts repeatable (db/migrations/0031_readings_unique.sql)\n## Remaining work\n- [ ] Put a queue behind the webhook\n## Working tree\n- branch: feat/webhook-queue\n- root: {root}\n## Safety boundary\n### May do alone\n- Edit and test anything under `ingest/`\n### Needs a person\n- Any migration that rewrites `readings`\n- Pushing, opening a pull request\n- Spending on a larger queue tier\n### Never\n- Reading or printing station secrets\n"
        ),
    )?;
    commit(repo, "ingest: queue behind the webhook", "Mara Ito", "2026-11-30T15:40:00Z")?;
    let head = git(repo, &["rev-parse", "HEAD"])?;
    write(
        repo,
        ".handoff/2026-11-30-webhook-queue.md",
        &format!(
            "---\nfuda: 2\ntitle: Move tide ingest from polling to the webhook queue without losing readings\nstatus: in_progress\nagent: claude-code\nprofile: claude-work\nwritten_at: 2026-11-30T16:12:00Z\nreason: usage limit\nresets_at: 2026-12-01T18:00:00Z\nfrom: claude-work\nto: codex\n---\n# Handoff\n## Objective\nEvery reading arrives through the webhook queue, none is lost, and polling can be turned off within a minute.\n## Constraints\n- No reading may be lost; duplicates are acceptable.\n- Go 1.22, no new runtime dependency.\n- Staging must keep working for the 09:00 check.\n## Verified facts\n- The unique index on (station, taken_at) makes inserts repeatable (db/migrations/0031_readings_unique.sql)\n- `Drain` acknowledges before the insert, so a crash loses up to 50 readings (ingest/queue.go:3)\n- `Reading.At` is the station clock, not the arrival time (ingest/reading.go:3)\n- A gap of one hour can be replayed in 40 s (scripts/replay_gap.sh)\n- The provider keeps undelivered events for 72 h.\n## Decisions\n- Idempotent insert instead of exactly-once delivery: because the unique index already exists\n- Keep polling as a fallback for 30 days: because two stations still have firmware that can't send webhooks\n## Rejected\n- Lower the polling interval to 10 s: because the rate limit is 6 requests a minute per key\n- Deduplicate in memory: because it is lost on every deploy\n## Done\n- The webhook signature is checked\n- Raw payloads are kept for 14 days\n## Remaining work\n- [ ] Make `Drain` in ingest/queue.go acknowledge only after the insert commits\n- [ ] Run both paths side by side for the fixture week and compare counts per station\n- [ ] Write the cut-over note in docs/cutover.md\n- [ ] Continue with the rest of the stations\n## Open questions\n- Does the fallback need its own alert, or is the gap alert enough?\n- 停電した観測点の再送は、到着時刻と観測時刻のどちらで並べるか。\n## Artifacts\n- docs/cutover.md (file): docs/cutover.md\n- ingest/queue.go (file): ingest/queue.go\n## Working tree\n- branch: feat/webhook-queue\n- HEAD: {head}\n- status: clean\n- root: {root}\n## Safety boundary\n### May do alone\n- Edit and test anything under `ingest/`\n- Commit on `feat/webhook-queue`\n- Run the replay against the local fixture database\n### Needs a person\n- Turning the polling job off in staging or production\n- Any migration that rewrites `readings`\n- Pushing, force-pushing, opening a pull request\n### Never\n- Reading or printing station secrets\n",
            root = repo.display()
        ),
    )?;
    commit(repo, "handoff: webhook queue", "Mara Ito", "2026-11-30T16:12:00Z")?;
    write(
        repo,
        "ingest/queue.go",
        "package ingest\n\n// Drain retries with jitter.\nfunc Drain() { retry() }\n\nfunc retry() {}\n",
    )?;
    commit(repo, "queue: retry with jitter, cap at 6 attempts", "Jun Abe", "2026-11-30T17:20:00Z")?;
    write(repo, "ingest/reading.go", "package ingest\n\ntype Reading struct{ TakenAt int64 }\n")?;
    commit(repo, "ingest: rename Reading.At to Reading.TakenAt", "Mara Ito", "2026-11-30T17:45:00Z")?;
    fs::remove_file(repo.join("scripts/replay_gap.sh")).context("remove a script")?;
    write(repo, "notes/queue-sizes.txt", "50 100 200\n")
}

fn kirikomi(repo: &Path) -> Result<()> {
    git(repo, &["init", "-q", "-b", "feat/ruby-overhang"])?;
    write(repo, "src/ruby.rs", "pub fn overhang() {}\n")?;
    commit(repo, "組版: ルビの位置", "Sora", "2026-11-30T12:00:00Z")?;
    let head = git(repo, &["rev-parse", "--short", "HEAD"])?;
    write(
        repo,
        "引き継ぎ.md",
        &format!(
            "# 縦組みのルビ位置を直す（圏点との衝突と行頭の張り出しを含む）\n\n最終更新: 2026-11-30\n\n- ブランチ: `feat/ruby-overhang`\n- 最新コミット: `{head}`\n\n## 目的\n\n縦組みでルビが圏点と重ならず、行頭でも版面からはみ出さない。\n\n## 完了\n\n- 圏点がある行の行送りを広げた\n\n## 次にやること\n\n1. 行頭の張り出しを半角までにする（`src/ruby.rs`）\n2. 既存の見本と見比べる\n\n## 却下した案\n\n- ルビを小さくする：読みにくい\n\n## 罠と注意点\n\n- 親文字が一字のときだけ計算が違う\n\n## 触らないこと\n\n- 校正済みの見本ファイル\n"
        ),
    )?;
    commit(repo, "引き継ぎを書く", "Sora", "2026-11-30T13:00:00Z")
}

fn ledgerloom(repo: &Path) -> Result<()> {
    git(repo, &["init", "-q", "-b", "fix/rounding-carry"])?;
    write(repo, "src/invoice.ts", "export const carry = 0\n")?;
    commit(repo, "invoice: split lines", "Kai", "2026-11-29T09:00:00Z")?;
    let head = git(repo, &["rev-parse", "HEAD"])?;
    write(
        repo,
        "HANDOFF.md",
        &format!(
            "# Handoff: split invoices, carry the rounding remainder\n\n**Date:** 2026-11-29 09:30\n**Branch:** fix/rounding-carry\n**Last commit:** {head} invoice: split lines\n**Git status:** clean\n\n## Goal\n\nThe rounding remainder goes to the last line item.\n\n## What was done\n\n- Lines are split (`src/invoice.ts`)\n\n## Next steps\n\n- [ ] Carry the remainder in `src/invoice.ts`\n- [ ] Test with three currencies\n\n## Gotchas\n\n- JPY has no minor unit\n\n## Open questions\n\n- Which line takes a negative remainder?\n\nDo not push to main without approval.\n"
        ),
    )?;
    commit(repo, "handoff", "Kai", "2026-11-29T09:30:00Z")?;
    write(
        repo,
        "docs/handoff.json",
        "{\n  \"version\": 9,\n  \"objective\": \"Drop the legacy CSV importer\",\n  \"mode\": \"auto\",\n  \"next\": [\"Remove src/csv.ts\"]\n}\n",
    )
}

fn write(repo: &Path, name: &str, text: &str) -> Result<()> {
    let path = repo.join(name);
    fs::create_dir_all(path.parent().unwrap_or(repo))
        .with_context(|| format!("make the folder of {}", path.display()))?;
    fs::write(&path, text).with_context(|| format!("write {}", path.display()))
}

fn commit(repo: &Path, message: &str, author: &str, at: &str) -> Result<()> {
    git(repo, &["add", "-A"])?;
    let mut command = git_command(repo);
    command.args(["commit", "-q", "-m", message]);
    command
        .env("GIT_AUTHOR_NAME", author)
        .env("GIT_COMMITTER_NAME", author)
        .env("GIT_AUTHOR_DATE", at)
        .env("GIT_COMMITTER_DATE", at);
    run(&mut command)
}

fn git_command(repo: &Path) -> Command {
    let mut command = Command::new("git");
    command.current_dir(repo).env("GIT_CONFIG_NOSYSTEM", "1").env("GIT_CONFIG_GLOBAL", "/dev/null");
    command.env("GIT_AUTHOR_EMAIL", "someone@example.test").env("GIT_COMMITTER_EMAIL", "someone@example.test");
    command
}

fn git(repo: &Path, arguments: &[&str]) -> Result<String> {
    fs::create_dir_all(repo).with_context(|| format!("make {}", repo.display()))?;
    let output = git_command(repo).args(arguments).output().context("start git")?;
    if !output.status.success() {
        bail!("git {}: {}", arguments.join(" "), String::from_utf8_lossy(&output.stderr));
    }
    Ok(String::from_utf8_lossy(&output.stdout).trim().to_owned())
}

fn run(command: &mut Command) -> Result<()> {
    let status = command.status().with_context(|| format!("start {command:?}"))?;
    if !status.success() {
        bail!("{command:?} ended with {status}");
    }
    Ok(())
}
