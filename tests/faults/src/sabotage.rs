//! Safeguards taken away one at a time: each must be missed by a part. Without this nobody knows whether the parts that
//! hold could ever break.

use crate::report::Report;
use crate::{Form, Programs, limit};
use std::collections::BTreeSet;
use std::path::Path;
use std::process::{Command, Output, Stdio};
use std::time::Duration;

/// Longer than any part of it takes that notices something; what its own programs hang in is named there.
const PART: Duration = Duration::from_secs(30 * 60);

/// A safeguard, the part that notices that it is gone, and what of that part is enough.
struct Removal {
    safeguard: &'static str,
    part: &'static str,
    only: &'static str,
    /// Whether it is seen soon enough for every build.
    soon: bool,
}

const fn removal(safeguard: &'static str, part: &'static str, only: &'static str, soon: bool) -> Removal {
    Removal { safeguard, part, only, soon }
}

const REMOVALS: &[Removal] = &[
    removal("PublishFlush", "power", "publish", true),
    removal("PublishFolderFlush", "power", "publish", false),
    removal("PublishUnnamed", "power", "publish", false),
    removal("EditExchange", "edits", "renames over it", false),
    removal("EditLook", "edits", "renames over it", true),
    removal("EditWriters", "edits", "writes in place", false),
    removal("EditFlush", "power", "edit", false),
    removal("EditFolderFlush", "power", "edit", false),
    removal("EditNote", "kills", "edit", false),
    removal("EditRecover", "kills", "recovery from a killed edit", true),
    removal("BlobFlush", "power", "keep", false),
    removal("BlobFolderFlush", "power", "keep", false),
    removal("LedgerFull", "power", "ledger", true),
    removal("LedgerLock", "appends", "", false),
    removal("LedgerGuard", "claims", "races", true),
    removal("LedgerMirror", "appends", "", false),
    removal("LedgerTopUp", "kills", "approve", false),
    removal("ClaimDifferences", "drift", "", false),
    removal("ClaimToken", "model", "", false),
    removal("ClaimInterrupted", "model", "", false),
    removal("ApprovalRevision", "model", "", true),
    removal("ApprovalTime", "model", "", false),
];

/// Takes away.
pub fn run(programs: &Programs, form: Form) -> Report {
    let mut report = Report::new("sabotage", "Whichever safeguard is taken away, a part notices.");
    let Some(sabotaged) = sabotaged(&programs.faults) else {
        report.skip(
            "every safeguard: the programs for it are not built; cargo xtask test and cargo xtask faults build them",
        );
        return report.done();
    };
    let chosen: Vec<&Removal> = REMOVALS.iter().filter(|one| form == Form::Long || one.soon).collect();
    // With every safeguard in place the same runs hold.
    for (part, only) in chosen.iter().map(|one| (one.part, one.only)).collect::<BTreeSet<_>>() {
        match judged(&done(&sabotaged, part, only, "")) {
            Judged::Held => {}
            Judged::Skipped(why) => report.skip(format!("{part} {only}: {why}")),
            Judged::Broken(why) => report.broken.push(format!("{part} {only} with every safeguard in place: {why}")),
        }
    }
    let mut caught = 0;
    for one in &chosen {
        let name = format!("without {}", one.safeguard);
        match judged(&done(&sabotaged, one.part, one.only, one.safeguard)) {
            Judged::Broken(why) => {
                caught += 1;
                report.figure(name, format!("{} {}: {why}", one.part, one.only));
            }
            Judged::Held => report.broken.push(format!("{name}: {} {} noticed nothing", one.part, one.only)),
            Judged::Skipped(why) => report.skip(format!("{name}: {why}")),
        }
    }
    report.figure("safeguards taken away", chosen.len());
    report.figure("noticed", caught);
    report.done()
}

/// The programs that were built for this, when they were.
fn sabotaged(faults: &Path) -> Option<Programs> {
    let mut folder = faults.parent()?;
    // The tests of a package lie one folder deeper than its programs.
    if folder.ends_with("deps") {
        folder = folder.parent()?;
    }
    let folder = folder.parent()?.join("sabotage");
    let programs = Programs { fuda: folder.join("fuda"), faults: folder.join("faults") };
    (programs.fuda.is_file() && programs.faults.is_file()).then_some(programs)
}

enum Judged {
    Held,
    Broken(String),
    Skipped(String),
}

fn done(programs: &Programs, part: &str, only: &str, safeguard: &str) -> Output {
    let mut command = Command::new(&programs.faults);
    command
        .arg(part)
        .env("FUDA_BIN", &programs.fuda)
        .env("FUDA_SABOTAGE", safeguard)
        .env("FUDA_FAULTS_ONLY", only)
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    let child = command.spawn().expect("the program");
    let _watch = limit::watch_for(child.id(), &format!("{part} {only} without {safeguard:?}"), PART);
    child.wait_with_output().expect("ended")
}

fn judged(output: &Output) -> Judged {
    let text = String::from_utf8_lossy(&output.stdout);
    let line = |word: &str| {
        text.lines().rev().find_map(|line| Some(line.trim().strip_prefix(word)?.chars().take(160).collect::<String>()))
    };
    if let Some(why) = line("SKIPPED: ") {
        return Judged::Skipped(why);
    }
    match output.status.code() {
        Some(0) => Judged::Held,
        _ => {
            let said = String::from_utf8_lossy(&output.stderr);
            let panic = said.lines().find(|line| line.contains("panicked")).map(str::to_owned);
            Judged::Broken(line("BROKEN: ").or(panic).unwrap_or_else(|| output.status.to_string()))
        }
    }
}
