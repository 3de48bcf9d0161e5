//! Eight processes append to one ledger at once: no event is lost or written twice, and nobody waits long.

use crate::report::Report;
use crate::{Form, Programs, limit};
use std::collections::BTreeSet;
use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::Instant;
use store::ledger::{Ledger, NewEvent};
use store::{Error, Home};

const WRITERS: usize = 8;
/// A writer waits less than this for its turn in 99 of 100 cases.
const LONGEST_MS: u64 = 1_000;

/// Appends.
pub fn run(programs: &Programs, form: Form) -> Report {
    let mut report =
        Report::new("appends", "Eight processes append to one ledger: gapless, the chain holds, no one waits long.");
    let count = form.of(60, 1_000);
    let folder = tempfile::tempdir().expect("a folder");
    let mut writers: Vec<Child> = (0..WRITERS)
        .map(|number| {
            let mut command = Command::new(&programs.faults);
            command.args(["child", "append"]).arg(folder.path()).args([number.to_string(), count.to_string()]);
            command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().expect("a writer")
        })
        .collect();
    for writer in &mut writers {
        writer.stdin.as_mut().expect("its input").write_all(b"go\n").expect("told");
    }
    let (mut told, mut waits_us) = (BTreeSet::new(), Vec::new());
    for (number, writer) in writers.iter_mut().enumerate() {
        let _watch = limit::watch(writer.id(), &format!("writer {number}"));
        for line in BufReader::new(writer.stdout.take().expect("its output")).lines().map_while(Result::ok) {
            let (id, wait) = line.split_once(' ').expect("an id and a time");
            told.insert(id.to_owned());
            waits_us.push(wait.parse::<u64>().expect("a number"));
        }
        if !writer.wait().expect("ended").success() {
            report.broken.push("a writer failed".to_owned());
        }
    }
    let (_, ledger) = open(folder.path());
    let events = ledger.events().expect("read");
    let mut problems = ledger.verify().expect("verified").problems;
    problems.extend(
        (1..).zip(&events).filter(|(seq, event)| *seq != event.seq).map(|(seq, _)| format!("event {seq} is missing")),
    );
    let ids: BTreeSet<String> = events.iter().map(|event| event.id.clone()).collect();
    let lost: Vec<String> = told.difference(&ids).cloned().collect();
    waits_us.sort_unstable();
    let p99_ms = waits_us.get(waits_us.len() * 99 / 100).copied().unwrap_or_default() / 1_000;
    report.figure("writers", WRITERS);
    report.at_least("events", events.len() as u64, (WRITERS * count) as u64);
    report.none("answered and lost", &lost);
    report.none("what does not add up", &problems);
    report.figure("longest wait of 99 in 100", format!("{p99_ms} ms"));
    if p99_ms >= LONGEST_MS && form == Form::Long {
        report.broken.push(format!("a writer waited {p99_ms} ms, and less than {LONGEST_MS} is promised"));
    }
    report.done()
}

/// Opens home and ledger.
pub(crate) fn open(root: &Path) -> (Home, Ledger) {
    let home = Home::open(&root.join("home")).expect("a home");
    let lock = home.locks().join("ledger.lock");
    let ledger = Ledger::open(&home.ledger(), &home.mirror(), &lock, &home.blobs()).expect("a ledger");
    (home, ledger)
}

/// The child: appends once it is told to, and says each event and how long it took.
pub(crate) fn child(root: &Path, number: &str, count: usize) {
    let (_home, ledger) = open(root);
    let mut line = String::new();
    std::io::stdin().read_line(&mut line).expect("told");
    for at in 0..count {
        let begun = Instant::now();
        let event = NewEvent::new("skipped", 1).about(&format!("h{number}"), &format!("r{at}"));
        let event = ledger.append::<Error>(event, |_| Ok(())).expect("appended");
        println!("{} {}", event.id, begun.elapsed().as_micros());
    }
}
