//! Edits that race with programs that know nothing of us and save the same file at the same moment: every version is
//! somewhere afterwards.

use crate::report::Report;
use crate::{Form, Programs, limit};
use std::fs;
use std::io::{BufRead, BufReader, Read, Seek, SeekFrom, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::time::{Duration, Instant};
use store::Home;
use store::files::{Swapped, swap};

/// How a foreign program saves.
const KINDS: [&str; 5] =
    ["renames over it", "truncates and writes", "writes in place", "appends", "removes and creates"];
/// Bytes of a version: more than one page, so that a save takes a moment.
const BYTES: usize = 6_000;

#[derive(Default)]
struct Seen {
    races: u64,
    conflicts: u64,
    failed: u64,
    lost: Vec<String>,
    torn: Vec<String>,
}

/// Races of edits.
pub fn run(programs: &Programs, form: Form) -> Report {
    let mut report =
        Report::new("edits", "An edit that meets a foreign save loses neither: both versions are in the file or kept.");
    let only = crate::only();
    let races = if crate::is_sabotaged() { 1_000 } else { form.of(120, 4_000) };
    for kind in KINDS.into_iter().filter(|kind| only.as_ref().is_none_or(|only| only == kind)) {
        let seen = race(programs, kind, races);
        let least = if seen.lost.is_empty() { races as u64 } else { 1 };
        report.at_least(&format!("races with a program that {kind}"), seen.races, least);
        report.figure(
            format!("of them met as a conflict, and as an error, by one that {kind}"),
            format!("{} and {}", seen.conflicts, seen.failed),
        );
        report.none(&format!("lost to one that {kind}"), &seen.lost);
        report.none(&format!("torn by one that {kind}"), &seen.torn);
    }
    let control = control(programs, form.of(400, 4_000));
    report.figure("control: lost when the hash is checked and then renamed over", control);
    if control == 0 && form == Form::Long {
        report.broken.push("the control lost nothing: the races do not meet".to_owned());
    }
    report.done()
}

/// Another program that saves when it is told to.
struct Foreign {
    child: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
}

impl Foreign {
    fn start(programs: &Programs, kind: &str, path: &Path) -> Self {
        let mut command = Command::new(&programs.faults);
        command.args(["child", "foreign", kind]).arg(path).stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut child = command.spawn().expect("a foreign program");
        let input = child.stdin.take().expect("its input");
        let output = BufReader::new(child.stdout.take().expect("its output"));
        Self { child, input, output }
    }

    fn save(&mut self, race: usize, after: Duration) {
        writeln!(self.input, "{race} {}", after.as_micros()).expect("told");
    }

    fn saved(&mut self) {
        let _watch = limit::watch(self.child.id(), "the foreign program");
        let mut line = String::new();
        self.output.read_line(&mut line).expect("it answers");
        assert_eq!(line, "saved\n");
    }
}

impl Drop for Foreign {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn version(what: &str, race: usize) -> Vec<u8> {
    let head = format!("{what}-{race}-begins\n");
    let tail = format!("\n{what}-{race}-ends\n");
    let filler = ".".repeat(BYTES - head.len() - tail.len());
    format!("{head}{filler}{tail}").into_bytes()
}

/// Moments between nothing and about the length of an edit, spread evenly.
fn moment(race: usize, salt: u64, up_to_us: u64) -> Duration {
    let mixed = (race as u64 + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(17)
        ^ salt.wrapping_mul(0xff51_afd7_ed55_8ccd);
    Duration::from_micros((mixed >> 20) % up_to_us.max(1))
}

fn race(programs: &Programs, kind: &str, races: usize) -> Seen {
    let folder = tempfile::tempdir().expect("a folder");
    let home = Home::open(&folder.path().join("home")).expect("a home");
    let work = folder.path().join("work");
    fs::create_dir(&work).expect("made");
    let path = work.join("HANDOFF.md");
    let mut foreign = Foreign::start(programs, kind, &path);
    let mut seen = Seen::default();
    let mut took = Duration::from_micros(500);
    for race in 0..races {
        let base = version("base", race);
        let ours = version("ours", race);
        fs::write(&path, &base).expect("written");
        let up_to = took.as_micros() as u64;
        foreign.save(race, moment(race, 1, up_to));
        spin(moment(race, 2, up_to / 2));
        let begun = Instant::now();
        let outcome = swap(&path, &handoff::revision(&base), &ours, &home);
        // The saves are spread over what an edit takes here, whatever else the machine does.
        took = (took * 7 + begun.elapsed().min(Duration::from_millis(5))) / 8;
        foreign.saved();
        seen.races += 1;
        look(&home, &path, race, &outcome, &mut seen);
        if crate::only().is_some() && !seen.lost.is_empty() {
            break;
        }
        for entry in fs::read_dir(home.conflicts()).expect("listed").flatten() {
            fs::remove_file(entry.path()).expect("removed");
        }
        for entry in fs::read_dir(&work).expect("listed").flatten().filter(|entry| entry.path() != path) {
            seen.lost.push(format!("race {race}: {} is left", entry.path().display()));
            fs::remove_file(entry.path()).expect("removed");
        }
    }
    seen
}

fn look(home: &Home, path: &Path, race: usize, outcome: &Result<Swapped, store::Error>, seen: &mut Seen) {
    let mut kept: Vec<Vec<u8>> = fs::read_dir(home.conflicts())
        .expect("listed")
        .flatten()
        .map(|entry| fs::read(entry.path()).expect("read"))
        .collect();
    let current = fs::read(path).unwrap_or_default();
    let holds = |bytes: &[u8], word: &str| {
        let text = String::from_utf8_lossy(bytes);
        text.contains(&format!("{word}-{race}-begins")) && text.contains(&format!("{word}-{race}-ends"))
    };
    kept.push(current.clone());
    if !kept.iter().any(|bytes| holds(bytes, "theirs")) {
        seen.lost.push(format!("race {race}: theirs is nowhere; {outcome:?}"));
    }
    match outcome {
        Ok(Swapped::Done) => {}
        Ok(Swapped::Conflict { kept_at, .. }) => {
            seen.conflicts += 1;
            if fs::read(kept_at).ok() != Some(version("ours", race)) {
                seen.lost.push(format!("race {race}: ours is not at {}", kept_at.display()));
            }
        }
        Err(_) => seen.failed += 1,
    }
    // Whatever won, the file is one version, or one with a foreign addition.
    if !["base", "ours", "theirs"].iter().any(|word| holds(&current, word)) {
        seen.torn.push(format!("race {race}: {outcome:?}, {} bytes", current.len()));
    }
}

/// What others do: look whether the file is still the base, then rename over it.
fn control(programs: &Programs, races: usize) -> u64 {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("HANDOFF.md");
    let mut foreign = Foreign::start(programs, KINDS[0], &path);
    let mut lost = 0;
    for race in 0..races {
        let base = version("base", race);
        fs::write(&path, &base).expect("written");
        foreign.save(race, moment(race, 1, 60));
        spin(moment(race, 2, 60));
        let same = fs::read(&path).is_ok_and(|now| handoff::revision(&now) == handoff::revision(&base));
        if same {
            let temporary = folder.path().join("temporary");
            fs::write(&temporary, version("ours", race)).expect("written");
            fs::rename(&temporary, &path).expect("renamed");
        }
        let ours_first = fs::read(&path).is_ok_and(|now| String::from_utf8_lossy(&now).contains("ours-"));
        foreign.saved();
        let theirs = fs::read(&path).is_ok_and(|now| String::from_utf8_lossy(&now).contains("theirs-"));
        lost += u64::from(same && ours_first && !theirs);
    }
    lost
}

/// Lets so much time pass without giving the processor away: a sleep is longer than an edit.
fn spin(time: Duration) {
    let begun = Instant::now();
    while begun.elapsed() < time {
        std::hint::spin_loop();
    }
}

/// The child: saves in its way when told to.
pub(crate) fn child(kind: &str, path: &Path) {
    for line in std::io::stdin().lock().lines().map_while(Result::ok) {
        let (race, after) = line.split_once(' ').expect("a race and a time");
        let race: usize = race.parse().expect("a number");
        spin(Duration::from_micros(after.parse().expect("a number")));
        save(kind, path, race);
        println!("saved");
    }
}

fn save(kind: &str, path: &Path, race: usize) {
    let theirs = version("theirs", race);
    let pause = moment(race, 3, 300);
    match kind {
        "renames over it" => {
            let temporary = path.with_file_name("foreign");
            fs::write(&temporary, theirs).expect("written");
            fs::rename(&temporary, path).expect("renamed");
        }
        "truncates and writes" => {
            let mut file = fs::File::create(path).expect("opened");
            spin(pause);
            file.write_all(&theirs).expect("written");
        }
        "writes in place" => {
            let mut file = fs::OpenOptions::new().read(true).write(true).open(path).expect("opened");
            let mut before = Vec::new();
            file.read_to_end(&mut before).expect("read");
            spin(pause);
            file.seek(SeekFrom::Start(0)).expect("at its beginning");
            file.write_all(&theirs).expect("written");
        }
        "appends" => {
            let mut file = fs::OpenOptions::new().append(true).open(path).expect("opened");
            spin(pause);
            file.write_all(&theirs).expect("written");
        }
        _ => {
            let _ = fs::remove_file(path);
            spin(pause);
            fs::write(path, theirs).expect("written");
        }
    }
}
