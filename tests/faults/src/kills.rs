//! A kill before every system call of every operation that writes: nothing is torn, nothing that was answered is lost,
//! nobody holds twice, and the next start is clean.

pub(crate) mod operation;

use crate::bench::Bench;
use crate::kept::Kept;
use crate::report::Report;
use crate::rpc::Rpc;
use crate::strace::{self, Point};
use crate::{Form, Programs, limit};
use operation::{Case, Operation};
use serde_json::{Value, json};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

/// Points of the long form, over all operations.
const LEAST: u64 = 1_500;
/// Points of one operation in the short form.
const FEW: usize = 14;
/// Of the calls that change nothing, between which the disk stays the same, the long form takes one in so many.
pub(crate) const OTHERS: usize = 8;
/// A start after a kill may take this long, on a machine that does other things too. It takes a tenth of a second; one
/// that waits for what the killed one held takes as long as a lock is waited for.
const CLEAN: Duration = Duration::from_secs(5);

/// What the faults in one operation led to.
#[derive(Default)]
pub(crate) struct Seen {
    points: u64,
    changing: u64,
    answered: u64,
    pub torn: Vec<String>,
    pub lost: Vec<String>,
    pub double: Vec<String>,
    pub unclean: Vec<String>,
    slowest_start: Duration,
}

/// Kills everywhere.
pub fn run(programs: &Programs, form: Form) -> Report {
    let mut report = Report::new(
        "kills",
        "Killed before any system call: 0 torn, 0 answered lost, 0 held twice, the next start clean.",
    );
    if let Some(why) = strace::missing() {
        report.skip(format!("every kill: {why}"));
        return report.done();
    }
    let only = crate::only();
    let wanted = |one: &&Operation| only.as_ref().is_none_or(|only| *only == one.name());
    let operations: Vec<Operation> = Operation::ALL.iter().filter(wanted).copied().collect();
    let (next, all) = (AtomicUsize::new(0), Mutex::new(Vec::new()));
    std::thread::scope(|scope| {
        for _ in 0..2 {
            scope.spawn(|| {
                while let Some(operation) = operations.get(next.fetch_add(1, Ordering::Relaxed)) {
                    let seen = kill_everywhere(programs, *operation, form);
                    all.lock().expect("no panic").push((*operation, seen));
                }
            });
        }
    });
    let mut all = all.into_inner().expect("no panic");
    all.sort_by_key(|(operation, _)| *operation);
    let (mut points, mut answered) = (0, 0);
    let (mut torn, mut lost, mut double, mut unclean) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
    let mut slowest = Duration::ZERO;
    for (operation, seen) in all {
        report.figure(
            format!("kills of {}", operation.name()),
            format!("{} ({} before a call that changes something)", seen.points, seen.changing),
        );
        points += seen.points;
        answered += seen.answered;
        torn.extend(seen.torn);
        lost.extend(seen.lost);
        double.extend(seen.double);
        unclean.extend(seen.unclean);
        slowest = slowest.max(seen.slowest_start);
    }
    report.at_least("kills", points, if only.is_some() { 1 } else { form.of(60, LEAST) });
    report.figure("killed after the answer was given", answered);
    report.none("torn", &torn);
    report.none("answered and lost", &lost);
    report.none("held twice", &double);
    report.none("starts that were not clean", &unclean);
    report.figure("slowest start after a kill", format!("{} ms", slowest.as_millis()));
    report.done()
}

fn kill_everywhere(programs: &Programs, operation: Operation, form: Form) -> Seen {
    let mut seen = Seen::default();
    let bench = Bench::new(programs);
    let case = operation.prepare(&bench);
    let kept = [Kept::of(&bench.home()), Kept::of(&bench.repo())];
    let points = points_of(&bench, &case);
    kept.iter().for_each(Kept::restore);
    for point in chosen(&points, form) {
        let _point = limit::point(format!("{} at {}", operation.name(), told(point)));
        let answer = killed(&bench, &case, point);
        let Some(answer) = answer else {
            // Not reached this time: the run went to its end, which is a run like any other.
            kept.iter().for_each(Kept::restore);
            continue;
        };
        seen.points += 1;
        seen.changing += u64::from(point.changes());
        seen.answered += u64::from(answer.is_some());
        look(&bench, operation, &case, answer.as_ref(), &format!("{} at {}", operation.name(), told(point)), &mut seen);
        kept.iter().for_each(Kept::restore);
        if crate::only().is_some() && !seen.held() {
            break;
        }
    }
    seen
}

impl Seen {
    fn held(&self) -> bool {
        [&self.torn, &self.lost, &self.double, &self.unclean].iter().all(|problems| problems.is_empty())
    }
}

/// The calls of an undisturbed run.
pub(crate) fn points_of(bench: &Bench, case: &Case) -> Vec<Point> {
    let trace = bench.root().join("trace");
    let mut command = strace::traced(&case.command(bench), &trace);
    let status = limit::status_of(command.stdin(case.input(bench)).stdout(Stdio::null()).stderr(Stdio::null()));
    assert!(status.expect("a tracer").success(), "the undisturbed run succeeds: {:?}", case.arguments);
    strace::points(&fs::read_to_string(trace).expect("a trace"))
}

fn chosen(points: &[Point], form: Form) -> Vec<&Point> {
    match form {
        Form::Long => {
            let rest = points.iter().filter(|point| !point.changes()).step_by(OTHERS);
            points.iter().filter(|point| point.changes()).chain(rest).collect()
        }
        Form::Short => {
            let changing: Vec<&Point> = points.iter().filter(|point| point.changes()).collect();
            let step = if crate::is_sabotaged() { 1 } else { changing.len().div_ceil(FEW).max(1) };
            // From the end backwards: there it is decided.
            changing.iter().rev().step_by(step).copied().collect()
        }
    }
}

/// None when the point was not reached; else the answer that was complete before the kill, when there was one.
fn killed(bench: &Bench, case: &Case, point: &Point) -> Option<Option<Value>> {
    use std::os::unix::process::ExitStatusExt;
    let mut command = strace::injected(&case.command(bench), point, "signal=KILL", Path::new("/dev/null"));
    let output = limit::output_of(command.stdin(case.input(bench))).expect("a tracer");
    let died = output.status.signal() == Some(9) || output.status.code() == Some(137);
    died.then(|| serde_json::from_slice(&output.stdout).ok())
}

pub(crate) fn told(point: &Point) -> String {
    let line: String = point.line.chars().take(120).collect();
    format!("{} {}: {line}", point.call, point.nth)
}

/// Starts the program anew and looks at everything that was promised.
pub(crate) fn look(
    bench: &Bench,
    operation: Operation,
    case: &Case,
    answer: Option<&Value>,
    at: &str,
    seen: &mut Seen,
) {
    let begun = Instant::now();
    let mut rpc = bench.rpc();
    if let Err(error) = rpc.call("index", json!({})) {
        seen.unclean.push(format!("{at}: the next start says {error}"));
        return;
    }
    let start = begun.elapsed();
    seen.slowest_start = seen.slowest_start.max(start);
    // A loaded machine is given the benefit of a second look.
    if start > CLEAN && restart(bench) > CLEAN {
        seen.unclean.push(format!("{at}: the next start took {} ms", start.as_millis()));
    }
    if operation != Operation::RebuildLedger {
        verified(&mut rpc, at, seen);
    }
    files_are_whole(bench, at, seen);
    case.look(bench, &mut rpc, answer, at, seen);
}

fn restart(bench: &Bench) -> Duration {
    let begun = Instant::now();
    let _ = bench.rpc().call("index", json!({}));
    begun.elapsed()
}

fn verified(rpc: &mut Rpc, at: &str, seen: &mut Seen) {
    let found = rpc.ok("audit_verify", json!({}));
    if found["ok"] != true {
        seen.unclean.push(format!("{at}: the ledger says {}", found["problems"]));
    }
}

/// Every file that another program may read is whole, and nothing half-done is left.
fn files_are_whole(bench: &Bench, at: &str, seen: &mut Seen) {
    let home = bench.home();
    for path in files_below(&home.join("blobs")) {
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let bytes = fs::read(&path).expect("read");
        if name.len() == 64 && handoff::revision(&bytes) != name {
            seen.torn.push(format!("{at}: {}", path.display()));
        }
    }
    for path in files_below(&home.join("handoffs")) {
        let bytes = fs::read(&path).expect("read");
        let rev = handoff::revision(&bytes);
        if !home.join("blobs").join(&rev[..2]).join(&rev).exists() {
            seen.torn.push(format!("{at}: {} is not what was published", path.display()));
        }
    }
    for path in files_below(&bench.repo()) {
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        if name.starts_with(".fuda-") {
            seen.unclean.push(format!("{at}: {} is left", path.display()));
        }
    }
    for path in files_below(&home.join("swaps")) {
        if fs::metadata(&path).is_ok_and(|found| found.len() > 0) {
            seen.unclean.push(format!("{at}: the note {} is left", path.display()));
        }
    }
}

fn files_below(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let path = entry.path();
        if entry.file_name() == ".git" {
            continue;
        }
        if path.is_dir() { found.extend(files_below(&path)) } else { found.push(path) }
    }
    found
}

/// What a command says, as JSON; with its exit status.
pub(crate) fn say(mut command: Command) -> (Option<i32>, Value) {
    let output = limit::output_of(command.stdin(Stdio::null())).expect("the program");
    (output.status.code(), serde_json::from_slice(&output.stdout).unwrap_or(Value::Null))
}
