//! An error in the place of every system call of every operation that writes: no panic, no wrong answer, a sentence that
//! says what failed, and nothing lost.

use crate::bench::Bench;
use crate::kept::Kept;
use crate::kills::operation::{Case, Operation};
use crate::kills::{OTHERS, Seen, look, points_of, told};
use crate::report::Report;
use crate::strace::{self, Point};
use crate::{Form, Programs, limit};
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::os::unix::process::ExitStatusExt;
use std::process::Output;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

/// Injections that the long form must reach.
const LEAST: u64 = 300;
/// Injections in one operation in the short form.
const FEW: usize = 10;

/// What a call may answer when something is wrong. Those that create have more ways to fail.
const ERRORS: &[(&str, &[&str])] = &[
    ("openat", &["EMFILE", "EACCES", "EIO"]),
    ("read", &["EIO", "EINTR"]),
    ("pread64", &["EIO", "EINTR"]),
    ("write", &["ENOSPC", "EIO", "EINTR", "EDQUOT"]),
    ("pwrite64", &["ENOSPC", "EIO", "EINTR"]),
    ("fsync", &["EIO", "ENOSPC"]),
    ("fdatasync", &["EIO", "EDQUOT"]),
    ("rename", &["EACCES", "ENOSPC"]),
    ("renameat2", &["EACCES", "EIO"]),
    ("linkat", &["EACCES", "EDQUOT"]),
    ("unlink", &["EACCES", "EIO"]),
    ("unlinkat", &["EACCES", "EIO"]),
    ("mkdir", &["ENOSPC", "EROFS"]),
    ("ftruncate", &["EIO"]),
    ("fchmod", &["EPERM"]),
    ("chmod", &["EPERM", "EROFS"]),
    ("flock", &["ENOLCK", "EINTR"]),
    ("fcntl", &["ENOLCK"]),
    ("close", &["EIO"]),
    ("statx", &["EACCES", "EIO"]),
    ("newfstatat", &["EACCES"]),
    ("fstatfs", &["EIO"]),
    ("getdents64", &["EIO"]),
    ("lseek", &["EIO"]),
    ("readlink", &["EACCES"]),
];

#[derive(Default)]
struct Counted {
    sites: u64,
    injected: u64,
    refused: u64,
    panics: Vec<String>,
    wordless: Vec<String>,
    wrong: Vec<String>,
    unclean: Vec<String>,
    by_error: BTreeMap<&'static str, u64>,
}

/// Errors everywhere.
pub fn run(programs: &Programs, form: Form) -> Report {
    let mut report = Report::new(
        "errors",
        "An error in the place of any system call: 0 panics, 0 wrong answers, 0 lost, and a sentence that says what failed.",
    );
    if let Some(why) = strace::missing() {
        report.skip(format!("every error: {why}"));
        return report.done();
    }
    let (next, all) = (AtomicUsize::new(0), Mutex::new(Counted::default()));
    std::thread::scope(|scope| {
        for _ in 0..2 {
            scope.spawn(|| {
                while let Some(operation) = Operation::ALL.get(next.fetch_add(1, Ordering::Relaxed)) {
                    let counted = everywhere(programs, *operation, form);
                    all.lock().expect("no panic").add(counted);
                }
            });
        }
    });
    let all = all.into_inner().expect("no panic");
    report.figure("sites", all.sites);
    report.at_least("errors injected", all.injected, form.of(40, LEAST));
    let by_error: Vec<String> = all.by_error.iter().map(|(error, count)| format!("{error} {count}")).collect();
    report.figure("by error", by_error.join(", "));
    report.figure("operations that failed and said why", all.refused);
    report.none("panics", &all.panics);
    report.none("failures without a code and a sentence", &all.wordless);
    report.none("wrong answers, torn and lost", &all.wrong);
    report.none("starts that were not clean", &all.unclean);
    report.done()
}

impl Counted {
    fn add(&mut self, other: Self) {
        self.sites += other.sites;
        self.injected += other.injected;
        self.refused += other.refused;
        self.panics.extend(other.panics);
        self.wordless.extend(other.wordless);
        self.wrong.extend(other.wrong);
        self.unclean.extend(other.unclean);
        for (error, count) in other.by_error {
            *self.by_error.entry(error).or_default() += count;
        }
    }
}

fn everywhere(programs: &Programs, operation: Operation, form: Form) -> Counted {
    let mut counted = Counted::default();
    let bench = Bench::new(programs);
    let case = operation.prepare(&bench);
    let kept = [Kept::of(&bench.home()), Kept::of(&bench.repo())];
    let points = points_of(&bench, &case);
    kept.iter().for_each(Kept::restore);
    let sites = sites(&bench, &points);
    counted.sites = sites.len() as u64;
    let step = form.of(sites.len().div_ceil(FEW).max(1), 1);
    let mut others = 0;
    for (number, (point, errors)) in sites.iter().enumerate().step_by(step) {
        others += usize::from(!point.changes());
        if form == Form::Long && !point.changes() && others % OTHERS != 0 {
            continue;
        }
        // One error a site; those of a call take turns from site to site.
        let error = errors[number % errors.len()];
        inject(&bench, operation, &case, point, error, &mut counted);
        kept.iter().for_each(Kept::restore);
    }
    counted
}

/// Calls of the program proper: what loads it is the system's.
fn sites<'a>(bench: &Bench, points: &'a [Point]) -> Vec<(&'a Point, &'static [&'static str])> {
    let home = bench.home().display().to_string();
    let begin = points.iter().position(|point| point.line.contains(&home)).unwrap_or_default();
    let errors = |point: &Point| ERRORS.iter().find(|(call, _)| *call == point.call).map(|(_, errors)| *errors);
    let listed = closed_folders(points);
    let proper = points.iter().enumerate().skip(begin).filter(|(at, _)| !listed.contains(at));
    proper.filter_map(|(_, point)| Some((point, errors(point)?))).collect()
}

/// Where folders are closed that were listed. No kernel fails there; Rust's library ends the program if one does.
fn closed_folders(points: &[Point]) -> BTreeSet<usize> {
    let number = |line: &str| line.split_once('(')?.1.split([',', ')']).next().map(str::to_owned);
    let mut listed = BTreeSet::new();
    let mut closed = BTreeSet::new();
    for (at, point) in points.iter().enumerate() {
        match (point.call.as_str(), number(&point.line)) {
            ("getdents64", Some(folder)) => drop(listed.insert(folder)),
            ("close", Some(folder)) if listed.remove(&folder) => drop(closed.insert(at)),
            _ => {}
        }
    }
    closed
}

fn inject(bench: &Bench, operation: Operation, case: &Case, point: &Point, error: &'static str, counted: &mut Counted) {
    let trace = bench.root().join("trace");
    let mut command = strace::injected(&case.command(bench), point, &format!("error={error}"), &trace);
    let at = format!("{}: {error} at {}", operation.name(), told(point));
    let _point = limit::point(&at);
    let output = limit::output_of(command.stdin(case.input(bench))).expect("a tracer");
    if !fs::read_to_string(&trace).unwrap_or_default().contains("(INJECTED)") {
        return;
    }
    let stderr = String::from_utf8_lossy(&output.stderr);
    if stderr.contains("unexpected error during closedir") {
        // Threads changed the order of the calls, so the error met a folder that was listed: see `closed_folders`.
        return;
    }
    counted.injected += 1;
    *counted.by_error.entry(error).or_default() += 1;
    if output.status.code() == Some(101) || output.status.signal().is_some() || stderr.contains("panicked") {
        counted.panics.push(format!("{at}: {} {stderr}", output.status));
    }
    let answer: Option<Value> = serde_json::from_slice(&output.stdout).ok();
    let done = output.status.success();
    if done && answer.is_none() {
        counted.wrong.push(format!("{at}: it says that it is done and gives no answer"));
    }
    if !done {
        counted.refused += 1;
        if !says_why(point, &output, answer.as_ref()) {
            counted.wordless.push(format!(
                "{at}: {} {}{stderr}",
                output.status,
                String::from_utf8_lossy(&output.stdout)
            ));
        }
    }
    let mut seen = Seen::default();
    look(bench, operation, case, answer.as_ref().filter(|_| done), &at, &mut seen);
    counted.wrong.extend(seen.torn.into_iter().chain(seen.lost).chain(seen.double));
    counted.unclean.extend(seen.unclean);
}

/// A code and a sentence; where the answer itself could not be written, a status that is no success.
fn says_why(point: &Point, output: &Output, answer: Option<&Value>) -> bool {
    if point.line.starts_with("write(1,") || point.line.starts_with("write(2,") {
        return !output.status.success();
    }
    let Some(error) = answer.map(|answer| &answer["error"]) else { return false };
    let text = |key: &str| error[key].as_str().is_some_and(|text| !text.trim().is_empty());
    text("code") && text("message")
}
