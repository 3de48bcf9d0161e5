//! Power cuts: a file system on a loop device is shut down while a program writes and acknowledges. What was
//! acknowledged is there afterwards, whole; programs that leave a flush out must be seen to lose something.
//!
//! The shutdown call of ext4 and xfs drops whatever is not durable. Flag 0 writes everything out first, 1 the log only,
//! 2 nothing. Mounting again replays the log, as after a real cut.

mod disk;
mod writer;

use crate::report::Report;
use crate::{Form, Programs, limit};
use disk::{Disk, System};
use rustix::fs::OFlags;
use std::io::Read;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Duration;
pub(crate) use writer::child;
use writer::{Found, Writer};

const FLAGS: [u32; 3] = [0, 1, 2];
/// A disk is made anew after so many rounds.
const ROUNDS_OF_A_DISK: usize = 20;

/// Rounds at one writer, until it loses something.
const AIMED: usize = 60;

/// What the rounds of one writer on one file system gave.
#[derive(Default)]
struct Seen {
    rounds: u64,
    acknowledged: u64,
    lost: Vec<String>,
    torn: Vec<String>,
    failed: Vec<String>,
}

/// Cuts the power.
pub fn run(programs: &Programs, form: Form) -> Report {
    let mut report = Report::new(
        "power",
        "After a power cut what was acknowledged is there and whole; a writer without a flush is seen to lose.",
    );
    let running: Vec<_> = std::thread::scope(|scope| {
        let systems =
            [System::Ext4, System::Xfs].map(|system| (system, scope.spawn(move || on(programs, system, form))));
        systems.into_iter().map(|(system, one)| (system, one.join().expect("no panic"))).collect()
    });
    for (system, outcome) in running {
        let name = system.name();
        match outcome {
            Err(why) => report.skip(format!("power cuts on {name}: {why}")),
            Ok(all) => {
                for (writer, flag, seen) in &all {
                    let least = if writer.is_control() || crate::only().is_some() { 1 } else { form.of(2, 100) };
                    report.at_least(&format!("{name}, flag {flag}, {}: rounds", writer.name()), seen.rounds, least);
                    report.figure(
                        format!("{name}, flag {flag}, {}: acknowledged, lost, torn", writer.name()),
                        format!("{}, {}, {}", seen.acknowledged, seen.lost.len(), seen.torn.len()),
                    );
                    report.broken.extend(seen.failed.iter().take(3).cloned());
                    let bad = seen.lost.iter().chain(&seen.torn).take(3);
                    if !writer.is_control() {
                        report.broken.extend(bad.map(|one| format!("{name}, flag {flag}: {one}")));
                    }
                }
                if crate::only().is_none() {
                    controls(&mut report, name, &all);
                }
            }
        }
    }
    report.done()
}

/// Each control must lose on each file system, else the cuts prove nothing.
fn controls(report: &mut Report, name: &str, all: &[(Writer, u32, Seen)]) {
    for control in Writer::CONTROLS {
        let bad: usize = all
            .iter()
            .filter(|(writer, _, _)| writer == control)
            .map(|(_, _, seen)| seen.lost.len() + seen.torn.len())
            .sum();
        if bad == 0 {
            report.broken.push(format!("{name}: the control, {}, lost nothing", control.name()));
        }
    }
}

fn on(programs: &Programs, system: System, form: Form) -> Result<Vec<(Writer, u32, Seen)>, String> {
    let mut all = Vec::new();
    if let Some(only) = crate::only() {
        for writer in Writer::OURS.iter().filter(|writer| writer.word() == only) {
            let mut seen = Seen::default();
            let aimed = if crate::is_sabotaged() { AIMED } else { 3 };
            rounds(programs, system, *writer, 2, aimed, true, &mut seen)?;
            all.push((*writer, 2, seen));
        }
        return Ok(all);
    }
    for writer in Writer::OURS {
        for flag in FLAGS {
            let mut seen = Seen::default();
            rounds(programs, system, *writer, flag, form.of(2, 100), false, &mut seen)?;
            all.push((*writer, flag, seen));
        }
    }
    for control in Writer::CONTROLS {
        let mut seen = Seen::default();
        rounds(programs, system, *control, 2, 40, form == Form::Short, &mut seen)?;
        all.push((*control, 2, seen));
    }
    Ok(all)
}

fn rounds(
    programs: &Programs,
    system: System,
    writer: Writer,
    flag: u32,
    rounds: usize,
    until_lost: bool,
    seen: &mut Seen,
) -> Result<(), String> {
    let mut disk = None;
    for round in 0..rounds {
        if round % ROUNDS_OF_A_DISK == 0 {
            // The one before is given back before another is made.
            drop(disk.take());
        }
        let disk = match &mut disk {
            Some(disk) => disk,
            None => disk.insert(Disk::new(system)?),
        };
        cut(programs, disk, writer, flag, round, seen)?;
        if until_lost && !(seen.lost.is_empty() && seen.torn.is_empty()) {
            break;
        }
    }
    Ok(())
}

fn cut(
    programs: &Programs,
    disk: &mut Disk,
    writer: Writer,
    flag: u32,
    round: usize,
    seen: &mut Seen,
) -> Result<(), String> {
    let root = disk.folder().join(format!("round-{round}"));
    std::fs::create_dir(&root).map_err(|error| error.to_string())?;
    let mut child = Command::new(&programs.faults)
        .args(["child", "write", writer.word()])
        .arg(&root)
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .map_err(|error| error.to_string())?;
    let _watch = limit::watch(child.id(), &format!("{}, round {round}", writer.name()));
    let mut output = child.stdout.take().ok_or("no output")?;
    let mut told = vec![0; 4_096];
    // The first acknowledgement; what comes with it is looked at too.
    let read = output.read(&mut told).map_err(|error| error.to_string())?;
    told.truncate(read);
    let flags = rustix::fs::fcntl_getfl(&output).map_err(|errno| errno.to_string())?;
    rustix::fs::fcntl_setfl(&output, flags | OFlags::NONBLOCK).map_err(|errno| errno.to_string())?;
    // A cut at another moment each time.
    std::thread::sleep(Duration::from_millis(5 + (round as u64 * 37) % 60));
    // What is told before the cut counts. A program that goes on when its disk is gone is no part of a power cut.
    let _ = output.read_to_end(&mut told);
    disk.shut_down(flag)?;
    let _ = child.kill();
    let _ = child.wait();
    let whole = told.iter().rposition(|byte| *byte == b'\n').map_or(0, |end| end + 1);
    let acknowledged: Vec<String> = String::from_utf8_lossy(&told[..whole]).lines().map(str::to_owned).collect();
    disk.mount_again()?;
    let at = format!("{}, round {round}", writer.name());
    if acknowledged.is_empty() {
        seen.failed.push(format!("{at}: the writer acknowledged nothing"));
        return Ok(());
    }
    seen.rounds += 1;
    seen.acknowledged += acknowledged.len() as u64;
    let Found { lost, torn } = look(writer, &root, &acknowledged);
    seen.lost.extend(lost.into_iter().map(|one| format!("{at}: {one}")));
    seen.torn.extend(torn.into_iter().map(|one| format!("{at}: {one}")));
    // What was looked at goes, so that the disk does not fill.
    std::fs::remove_dir_all(&root).ok();
    Ok(())
}

fn look(writer: Writer, root: &Path, acknowledged: &[String]) -> Found {
    if root.is_dir() {
        writer.look(root, acknowledged)
    } else {
        Found { lost: acknowledged.to_vec(), torn: Vec::new() }
    }
}
