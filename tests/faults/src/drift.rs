//! What changes between an approval and a claim: twelve kinds that a claim must refuse and name, ten that must not matter.

use crate::bench::{Bench, approve, state};
use crate::report::Report;
use crate::rpc::Rpc;
use crate::{Form, Programs};
use serde_json::json;
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::time::{Duration, SystemTime};

/// A kind of change: its name, what it does in the n-th round, and a word that a refusal must hold.
type Kind = (&'static str, fn(&Bench, usize), &'static str);

const REFUSED: [Kind; 12] = [
    ("a commit", |bench, round| commit(bench, "new.go", round), "HEAD"),
    ("another branch", |bench, round| drop(bench.git(&["checkout", "-q", "-b", &format!("other-{round}")])), "branch"),
    ("a detached HEAD", |bench, _| drop(bench.git(&["checkout", "-q", "--detach"])), "branch"),
    ("a changed file", |bench, round| write(bench, "queue.go", round), "queue.go"),
    ("an untracked file", |bench, round| write(bench, "stray.go", round), "stray.go"),
    ("a removed file", |bench, _| fs::remove_file(bench.repo().join("queue.go")).expect("removed"), "queue.go"),
    (
        "a staged file",
        |bench, round| {
            write(bench, "queue.go", round);
            bench.git(&["add", "queue.go"]);
        },
        "queue.go",
    ),
    (
        "a file of the same size and time",
        |bench, round| {
            let path = bench.repo().join("queue.go");
            let before = fs::metadata(&path).expect("there").modified().expect("a time");
            let size = fs::read(&path).expect("read").len();
            let other: String =
                format!("package q{round:05}").chars().chain(std::iter::repeat('/')).take(size).collect();
            fs::write(&path, other).expect("written");
            set_time(bench, "queue.go", before);
        },
        "queue.go",
    ),
    (
        "an edit of the handoff",
        |bench, round| {
            let text = fs::read_to_string(bench.document()).expect("read");
            fs::write(bench.document(), text.replace("Pushing", &format!("Nothing {round}"))).expect("written");
        },
        "file",
    ),
    (
        "an amended commit",
        |bench, round| drop(bench.git(&["commit", "-q", "--amend", "-m", &format!("queue: {round}")])),
        "HEAD",
    ),
    (
        "a merge under way",
        |bench, round| {
            let side = format!("side-{round}");
            bench.git(&["checkout", "-q", "-b", &side]);
            commit(bench, "side.go", round);
            bench.git(&["checkout", "-q", "main"]);
            bench.git(&["merge", "-q", "--no-ff", "--no-commit", &side]);
        },
        "",
    ),
    (
        "an executable bit",
        |bench, _| {
            let path = bench.repo().join("queue.go");
            fs::set_permissions(path, fs::Permissions::from_mode(0o755)).expect("a mode");
        },
        "queue.go",
    ),
];

const HARMLESS: [Kind; 10] = [
    ("git status", |bench, _| drop(bench.git(&["status"])), ""),
    ("git gc", |bench, _| drop(bench.git(&["gc", "-q"])), ""),
    (
        "a touch",
        |bench, round| {
            let at = SystemTime::UNIX_EPOCH + Duration::from_secs(1_000_000 + round as u64);
            set_time(bench, "queue.go", at);
        },
        "",
    ),
    (
        "committing the handoff",
        |bench, round| {
            bench.git(&["add", "HANDOFF.md"]);
            bench.git(&["commit", "-q", "--allow-empty", "-m", &format!("handoff {round}")]);
        },
        "",
    ),
    ("another branch made", |bench, round| drop(bench.git(&["branch", &format!("idle-{round}")])), ""),
    ("a tag", |bench, round| drop(bench.git(&["tag", &format!("v{round}")])), ""),
    (
        "a fetch",
        |bench, round| {
            let other = bench.root().join("other.git");
            if !other.exists() {
                bench.git(&["clone", "-q", "--bare", ".", other.to_str().expect("utf-8")]);
                bench.git(&["remote", "add", "origin", other.to_str().expect("utf-8")]);
            }
            crate::bench::git(&other, &["branch", &format!("theirs-{round}"), "main"]);
            bench.git(&["fetch", "-q", "origin"]);
        },
        "",
    ),
    (
        "the same bytes written again",
        |bench, _| {
            let path = bench.repo().join("queue.go");
            let bytes = fs::read(&path).expect("read");
            fs::remove_file(&path).expect("removed");
            fs::write(&path, bytes).expect("written");
        },
        "",
    ),
    (
        "an ignored file",
        |bench, round| {
            let exclude = bench.repo().join(".git/info/exclude");
            fs::create_dir_all(exclude.parent().expect("a folder")).expect("made");
            fs::write(exclude, "*.log\n").expect("written");
            write(bench, "build.log", round);
        },
        "",
    ),
    ("a refreshed index", |bench, _| drop(bench.git(&["update-index", "-q", "--really-refresh"])), ""),
];

/// Drifts.
pub fn run(programs: &Programs, form: Form) -> Report {
    let mut report = Report::new(
        "drift",
        "Whatever differs from the approval refuses the claim and is named; what does not matter refuses nothing.",
    );
    let (refused, harmless) = (form.of(2, 50), form.of(1, 20));
    let tried: Vec<Vec<Outcome>> = std::thread::scope(|scope| {
        let kinds: Vec<(&Kind, usize, bool)> = REFUSED
            .iter()
            .map(|kind| (kind, refused, true))
            .chain(HARMLESS.iter().map(|kind| (kind, harmless, false)))
            .collect();
        let halves: [Vec<_>; 2] = [0, 1].map(|half| kinds.iter().copied().skip(half).step_by(2).collect());
        let running = halves.map(|half| {
            scope.spawn(move || {
                half.into_iter().map(|(kind, rounds, must)| tries(programs, kind, rounds, must)).collect::<Vec<_>>()
            })
        });
        running.into_iter().map(|one| one.join().expect("no panic")).collect()
    });
    let all: Vec<Outcome> = tried.into_iter().flatten().collect();
    let sum = |must: bool| all.iter().filter(|one| one.must == must).map(|one| one.tried).sum::<u64>();
    let problems = |of: fn(&Outcome) -> &Vec<String>| all.iter().flat_map(of).cloned().collect::<Vec<_>>();
    report.figure("kinds of drift", REFUSED.len());
    report.at_least("claims after a drift", sum(true), (REFUSED.len() * refused) as u64);
    report.none("let through", &problems(|one| &one.through));
    report.none("refused without the word that names it", &problems(|one| &one.unnamed));
    report.figure("kinds of harmless change", HARMLESS.len());
    report.at_least("claims after a harmless change", sum(false), (HARMLESS.len() * harmless) as u64);
    report.none("refused for nothing", &problems(|one| &one.refused));
    report.done()
}

struct Outcome {
    must: bool,
    tried: u64,
    through: Vec<String>,
    unnamed: Vec<String>,
    refused: Vec<String>,
}

fn tries(programs: &Programs, kind: &Kind, rounds: usize, must: bool) -> Outcome {
    let (name, change, word) = kind;
    let mut outcome = Outcome { must, tried: 0, through: Vec::new(), unnamed: Vec::new(), refused: Vec::new() };
    let bench = Bench::new(programs);
    let first = bench.git(&["rev-parse", "HEAD"]);
    let mut rpc = bench.rpc();
    let (handle, _) = bench.pending(&mut rpc);
    for round in 0..rounds {
        approve(&mut rpc, &handle);
        change(&bench, round);
        let claim = rpc.call("claim", json!({ "id": handle, "by": "worker" }));
        outcome.tried += 1;
        let at = format!("{name}, round {round}");
        match (claim, must) {
            (Ok(_), true) => {
                // It is held now; there is nothing more to see in this kind.
                outcome.through.push(at);
                break;
            }
            (Ok(claimed), false) => {
                let finish = json!({ "id": handle, "token": claimed["token"], "outcome": "done" });
                rpc.ok("finish", finish);
                rpc.ok("reopen", json!({ "id": handle }));
            }
            (Err(error), true) => {
                let differences = error["details"]["differences"].to_string();
                let lapsed = state(&mut rpc, &handle) == "pending";
                if error["code"] != "changed" || !differences.contains(word) || !lapsed {
                    outcome.unnamed.push(format!("{at}: {error}"));
                }
                let runs = fs::read_dir(bench.home().join("runs")).expect("listed").count();
                if runs != 0 {
                    outcome.unnamed.push(format!("{at}: {runs} sealed copies are left"));
                }
            }
            (Err(error), false) => outcome.refused.push(format!("{at}: {error}")),
        }
        again(&bench, &mut rpc, &first);
    }
    outcome
}

/// The tree and the document as they were at first.
fn again(bench: &Bench, rpc: &mut Rpc, first: &str) {
    bench.git(&["reset", "-q", "--hard"]);
    bench.git(&["checkout", "-q", "-f", "-B", "main", first]);
    bench.git(&["clean", "-q", "-f", "-d"]);
    bench.git(&["config", "core.fileMode", "true"]);
    bench.write_document();
    rpc.ok("index", json!({}));
}

fn commit(bench: &Bench, name: &str, round: usize) {
    write(bench, name, round);
    bench.git(&["add", name]);
    bench.git(&["commit", "-q", "-m", &format!("{name}: {round}")]);
}

fn write(bench: &Bench, name: &str, round: usize) {
    fs::write(bench.repo().join(name), format!("package changed // {round}\n")).expect("written");
}

fn set_time(bench: &Bench, name: &str, at: SystemTime) {
    let file = fs::OpenOptions::new().append(true).open(bench.repo().join(name)).expect("opened");
    file.set_modified(at).expect("dated");
}
