//! Sixteen executors claim one handoff at once, over and over; in some rounds the one that got it is killed.

use crate::bench::{Bench, approve, state};
use crate::report::Report;
use crate::rpc::Rpc;
use crate::{Form, Programs, limit};
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

/// Executors that claim at once.
const CLAIMERS: usize = 16;
/// Supervised executors that start at once; each is a program of its own from its first instruction.
const SUPERVISED: usize = 4;
/// Rounds on one bench: the ledger of a bench stays as long as a busy month's.
const ROUNDS_OF_A_BENCH: usize = 50;
/// How long something that must happen may take on a loaded machine.
const PATIENCE: Duration = Duration::from_secs(30);

#[derive(Default)]
struct Seen {
    rounds: u64,
    killed: u64,
    double: Vec<String>,
    none: Vec<String>,
    unnamed: Vec<String>,
    free: Vec<String>,
    started_twice: Vec<String>,
    left_running: Vec<String>,
    unclean: Vec<String>,
}

/// Races for a claim.
pub fn run(programs: &Programs, form: Form) -> Report {
    let mut report = Report::new(
        "claims",
        "Of 16 executors that claim at once exactly one gets the handoff; one that is killed leaves it interrupted.",
    );
    let mut seen = Seen::default();
    let mut left = form.of(25, 2_000);
    while left > 0 {
        let rounds = left.min(ROUNDS_OF_A_BENCH);
        race(programs, rounds, &mut seen);
        left -= rounds;
    }
    report.at_least("races of 16", seen.rounds, form.of(25, 2_000));
    let races = seen.rounds;
    let aimed = crate::only().is_some();
    let mut left = if aimed { 0 } else { form.of(8, 500) };
    while left > 0 {
        let rounds = left.min(ROUNDS_OF_A_BENCH);
        // Two at a time: most of a lease is waiting.
        let halves = [rounds / 2, rounds - rounds / 2];
        let both: Vec<Seen> = std::thread::scope(|scope| {
            let supervised = scope.spawn(|| {
                let mut seen = Seen::default();
                kill_supervised(programs, halves[0], &mut seen);
                seen
            });
            let leased = scope.spawn(|| {
                let mut seen = Seen::default();
                kill_leased(programs, halves[1], &mut seen);
                seen
            });
            [supervised, leased].into_iter().map(|one| one.join().expect("no panic")).collect()
        });
        both.into_iter().for_each(|half| seen.add(half));
        left -= rounds;
    }
    report.at_least("rounds with the winner killed", seen.killed, if aimed { 0 } else { form.of(8, 500) });
    report.figure("rounds in all", races + seen.killed);
    report.none("held twice", &seen.double);
    report.none("rounds without a winner", &seen.none);
    report.none("refusals that do not name the holder", &seen.unnamed);
    report.none("free after the holder was killed", &seen.free);
    report.none("agents started twice", &seen.started_twice);
    report.none("agents that outlived their supervisor", &seen.left_running);
    report.none("ledgers that do not add up", &seen.unclean);
    report.done()
}

impl Seen {
    fn add(&mut self, other: Self) {
        self.rounds += other.rounds;
        self.killed += other.killed;
        self.double.extend(other.double);
        self.none.extend(other.none);
        self.unnamed.extend(other.unnamed);
        self.free.extend(other.free);
        self.started_twice.extend(other.started_twice);
        self.left_running.extend(other.left_running);
        self.unclean.extend(other.unclean);
    }

    fn verify(&mut self, rpc: &mut Rpc) {
        let found = rpc.ok("audit_verify", json!({}));
        if found["ok"] != true {
            self.unclean.push(found["problems"].to_string());
        }
    }

    /// The answers of a race: one token, and everybody else is told whose it is.
    fn judge(&mut self, at: &str, answers: &[Result<Value, Value>]) -> Option<usize> {
        let winners: Vec<usize> =
            answers.iter().enumerate().filter(|(_, answer)| answer.is_ok()).map(|(at, _)| at).collect();
        if winners.len() > 1 {
            self.double.push(format!("{at}: {winners:?}"));
        }
        if winners.is_empty() {
            self.none.push(format!("{at}: {:?}", answers.first()));
        }
        for error in answers.iter().filter_map(|answer| answer.as_ref().err()) {
            let named = error["details"]["holder"].as_str().is_some_and(|holder| holder.starts_with("executor-"));
            if error["code"] != "gone" && !(error["code"] == "held" && named) {
                self.unnamed.push(format!("{at}: {error}"));
            }
        }
        winners.first().copied()
    }
}

fn ask_all(claimers: &mut [Rpc], handle: &str, lease_seconds: u32) {
    for (number, claimer) in claimers.iter_mut().enumerate() {
        let by = format!("executor-{number}");
        claimer.ask("claim", json!({ "id": handle, "by": by, "lease_seconds": lease_seconds }));
    }
}

fn race(programs: &Programs, rounds: usize, seen: &mut Seen) {
    let bench = Bench::new(programs);
    let mut person = bench.rpc();
    let (handle, _) = bench.pending(&mut person);
    let mut claimers: Vec<Rpc> = (0..CLAIMERS).map(|_| bench.rpc()).collect();
    for round in 0..rounds {
        approve(&mut person, &handle);
        ask_all(&mut claimers, &handle, 900);
        let answers: Vec<_> = claimers.iter_mut().map(Rpc::answer).collect();
        seen.rounds += 1;
        let Some(winner) = seen.judge(&format!("round {round}"), &answers) else { continue };
        let Ok(claimed) = &answers[winner] else { continue };
        let finish = json!({ "id": handle, "token": claimed["token"], "outcome": "done" });
        if let Err(error) = claimers[winner].call("finish", finish) {
            seen.double.push(format!("round {round}: the winner's token is refused: {error}"));
        }
        person.ok("reopen", json!({ "id": handle }));
    }
    seen.verify(&mut person);
}

/// An executor that only claims is killed: its lease runs out and nobody gets the handoff by that.
fn kill_leased(programs: &Programs, rounds: usize, seen: &mut Seen) {
    let bench = Bench::new(programs);
    let mut person = bench.rpc();
    let (handle, _) = bench.pending(&mut person);
    let mut claimers: Vec<Rpc> = (0..CLAIMERS).map(|_| bench.rpc()).collect();
    for round in 0..rounds {
        let at = format!("lease, round {round}");
        let before = last_claim(&bench.home()).map_or(0, |(number, _)| number);
        approve(&mut person, &handle);
        ask_all(&mut claimers, &handle, 1);
        let Some((number, pid)) = wait_for_claim(&bench.home(), before) else {
            seen.none.push(at);
            continue;
        };
        pause(round, 20);
        let holder = claimers.iter().position(|claimer| claimer.id() == pid).expect("one of these holds it");
        claimers[holder].kill();
        let answers: Vec<_> = claimers.iter_mut().map(Rpc::answer).collect();
        seen.killed += 1;
        let others: Vec<_> =
            answers.iter().enumerate().filter(|(at, answer)| *at != holder && answer.is_ok()).collect();
        if !others.is_empty() {
            seen.double.push(format!("{at}: {others:?}"));
        }
        claimers[holder] = bench.rpc();
        left_interrupted(&mut person, &mut claimers[holder], &handle, number, &at, seen);
    }
    seen.verify(&mut person);
}

/// A supervisor is killed: its agent ends, and what it held is interrupted at once.
fn kill_supervised(programs: &Programs, rounds: usize, seen: &mut Seen) {
    let bench = Bench::new(programs);
    let mut person = bench.rpc();
    let (handle, _) = bench.pending(&mut person);
    let starts = bench.root().join("starts");
    let agent = agent(&bench, &starts);
    for round in 0..rounds {
        let at = format!("supervised, round {round}");
        let before = last_claim(&bench.home()).map_or(0, |(number, _)| number);
        let _ = fs::remove_file(&starts);
        approve(&mut person, &handle);
        let mut executors: Vec<Child> = (0..SUPERVISED).map(|_| resume(&bench, &handle, &agent)).collect();
        let Some((number, pid)) = wait_for_claim(&bench.home(), before) else {
            seen.none.push(at);
            continue;
        };
        pause(round, 250);
        let holder = executors.iter().position(|one| one.id() == pid).expect("one of these holds it");
        let _ = executors[holder].kill();
        let _watch = limit::watch(pid, "a supervisor that was killed");
        let _ = executors[holder].wait();
        seen.killed += 1;
        left_interrupted(&mut person, &mut bench.rpc(), &handle, number, &at, seen);
        for mut executor in executors {
            let _watch = limit::watch(executor.id(), &format!("{at}: fuda resume"));
            let _ = executor.wait();
        }
        let agents: BTreeSet<String> =
            fs::read_to_string(&starts).unwrap_or_default().lines().map(str::to_owned).collect();
        if agents.len() > 1 {
            seen.started_twice.push(format!("{at}: {agents:?}"));
        }
        for pid in agents {
            if !until(|| !alive(&pid)) {
                seen.left_running.push(format!("{at}: {pid}"));
            }
        }
    }
    seen.verify(&mut person);
}

/// Neither free nor held: a person looks, and releases it with its number.
fn left_interrupted(person: &mut Rpc, next: &mut Rpc, handle: &str, number: i64, at: &str, seen: &mut Seen) {
    let mut last = String::new();
    let interrupted = until(|| {
        if let Ok(claimed) = next.call("claim", json!({ "id": handle, "by": "executor-next" })) {
            seen.free.push(format!("{at}: {claimed}"));
        }
        last = state(person, handle);
        last == "interrupted"
    });
    if !interrupted {
        seen.free.push(format!("{at}: it is {last}"));
    }
    if let Ok(claimed) = next.call("claim", json!({ "id": handle, "by": "executor-next" })) {
        seen.free.push(format!("{at}: {claimed}"));
    }
    person.ok("release", json!({ "id": handle, "claim": number, "note": "its holder was killed" }));
}

fn resume(bench: &Bench, handle: &str, agent: &Path) -> Child {
    let mut command: Command = bench.command(&["--json", "resume", handle, "--profile", "work", "--"]);
    command.arg(agent).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    command.spawn().expect("started")
}

/// An agent that says that it began and goes on for longer than a round.
fn agent(bench: &Bench, starts: &Path) -> PathBuf {
    let path = bench.root().join("agent.sh");
    let script = format!("#!/bin/sh\necho $$ >> {}\necho begun\nsleep 60\n", starts.display());
    fs::write(&path, script).expect("written");
    fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).expect("executable");
    path
}

/// Number and process of the last claim in the ledger.
fn last_claim(home: &Path) -> Option<(i64, u32)> {
    let flags = rusqlite::OpenFlags::SQLITE_OPEN_READ_ONLY;
    let ledger = rusqlite::Connection::open_with_flags(home.join("ledger.db"), flags).ok()?;
    let (seq, body): (i64, String) = ledger
        .query_row("SELECT seq, body FROM events WHERE kind = 'claimed' ORDER BY seq DESC LIMIT 1", [], |row| {
            Ok((row.get(0)?, row.get(1)?))
        })
        .ok()?;
    let body: Value = serde_json::from_str(&body).ok()?;
    Some((seq, u32::try_from(body["holder"]["pid"].as_u64()?).ok()?))
}

fn wait_for_claim(home: &Path, before: i64) -> Option<(i64, u32)> {
    let mut found = None;
    until(|| {
        found = last_claim(home).filter(|(number, _)| *number > before);
        found.is_some()
    });
    found
}

/// Another moment in each round, spread over so many milliseconds.
fn pause(round: usize, spread_ms: u64) {
    let ms = (round as u64).wrapping_mul(2_654_435_761) % spread_ms.max(1);
    std::thread::sleep(Duration::from_millis(ms));
}

fn until(mut so: impl FnMut() -> bool) -> bool {
    let end = Instant::now() + PATIENCE;
    loop {
        if so() {
            return true;
        }
        if Instant::now() >= end {
            return false;
        }
        std::thread::sleep(Duration::from_millis(2));
    }
}

/// Whether a process is there and no zombie.
fn alive(pid: &str) -> bool {
    fs::read_to_string(Path::new("/proc").join(pid).join("stat"))
        .is_ok_and(|stat| !stat.rsplit_once(") ").is_some_and(|(_, rest)| rest.starts_with('Z')))
}
