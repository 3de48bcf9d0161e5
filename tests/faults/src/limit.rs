//! A program that hangs is ended and named with the point at which it hung, instead of keeping the whole run waiting.
//!
//! Who waits for a program has it watched meanwhile. One thread looks at the clock for all of them; what it ended stands
//! in the next report as broken.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::io::Write;
use std::process::{Command, ExitStatus, Output, Stdio};
use std::sync::{Condvar, LazyLock, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

/// Far longer than anything that is asked of a program takes, on a machine that does other things too.
pub const LIMIT: Duration = Duration::from_secs(120);

/// Who is watched, and what hung.
#[derive(Default)]
struct Watched {
    next: u64,
    by: BTreeMap<u64, Entry>,
    hung: Vec<String>,
}

struct Entry {
    pid: u32,
    until: Instant,
    at: String,
}

static WATCHED: LazyLock<Mutex<Watched>> = LazyLock::new(|| {
    thread::spawn(watch_all);
    Mutex::default()
});
static CHANGED: Condvar = Condvar::new();

thread_local! {
    /// What is done on this thread now, such as the system call before which a program was killed.
    static POINT: RefCell<Vec<String>> = const { RefCell::new(Vec::new()) };
}

fn watched() -> MutexGuard<'static, Watched> {
    WATCHED.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Until it is dropped, what hangs on this thread is named with this point.
pub struct Point(());

impl Drop for Point {
    fn drop(&mut self) {
        POINT.with_borrow_mut(Vec::pop);
    }
}

/// Names what is done on this thread from now on.
#[must_use]
pub fn point(name: impl Into<String>) -> Point {
    POINT.with_borrow_mut(|points| points.push(name.into()));
    Point(())
}

/// Until it is dropped, a process is watched.
pub struct Watch(u64);

impl Drop for Watch {
    fn drop(&mut self) {
        watched().by.remove(&self.0);
    }
}

/// Watches a process from now on: past the limit it is ended with all that it started.
#[must_use]
pub fn watch(pid: u32, what: &str) -> Watch {
    watch_for(pid, what, LIMIT)
}

/// The same with a limit of its own.
#[must_use]
pub fn watch_for(pid: u32, what: &str, limit: Duration) -> Watch {
    let at = POINT.with_borrow(|points| points.join(": "));
    let at = if at.is_empty() { what.to_owned() } else { format!("{at}: {what}") };
    let mut watched = watched();
    watched.next += 1;
    let number = watched.next;
    watched.by.insert(number, Entry { pid, until: Instant::now() + limit, at });
    CHANGED.notify_one();
    Watch(number)
}

/// What hung since the last time.
pub fn hung() -> Vec<String> {
    std::mem::take(&mut watched().hung)
}

/// What a command says, within the limit. It reads what the caller gives it, else what this program reads.
///
/// # Errors
/// When it does not start.
pub fn output_of(command: &mut Command) -> std::io::Result<Output> {
    let name = name_of(command);
    let child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn()?;
    let _watch = watch(child.id(), &name);
    child.wait_with_output()
}

/// How a command ends, within the limit.
///
/// # Errors
/// When it does not start.
pub fn status_of(command: &mut Command) -> std::io::Result<ExitStatus> {
    let name = name_of(command);
    let mut child = command.spawn()?;
    let _watch = watch(child.id(), &name);
    child.wait()
}

/// The program and its words, without where it lies.
pub fn name_of(command: &Command) -> String {
    let words = std::iter::once(command.get_program()).chain(command.get_args()).map(|word| {
        let word = word.to_string_lossy();
        word.rsplit('/').next().unwrap_or_default().chars().take(80).collect::<String>()
    });
    words.collect::<Vec<_>>().join(" ")
}

fn watch_all() {
    let mut watched = watched();
    loop {
        let now = Instant::now();
        let over: Vec<u64> =
            watched.by.iter().filter(|(_, entry)| entry.until <= now).map(|(number, _)| *number).collect();
        for number in over {
            let Some(entry) = watched.by.remove(&number) else { continue };
            let line = format!("hung and was ended: {}", entry.at);
            // At once as well: whoever waits for it may fail before there is a report.
            let _ = writeln!(std::io::stderr(), "HUNG: {line}");
            watched.hung.push(line);
            end(entry.pid);
        }
        let next = watched.by.values().map(|entry| entry.until).min();
        watched = match next {
            Some(until) => {
                let left = until.saturating_duration_since(Instant::now());
                CHANGED.wait_timeout(watched, left).unwrap_or_else(PoisonError::into_inner).0
            }
            None => CHANGED.wait(watched).unwrap_or_else(PoisonError::into_inner),
        };
    }
}

/// Ends a process and all that it started: a tracer that is ended alone lets its program go on.
fn end(pid: u32) {
    // From above: one whose children are gone may still end well.
    let below = children(pid);
    let pid = i32::try_from(pid).ok().and_then(rustix::process::Pid::from_raw);
    if let Some(pid) = pid {
        let _ = rustix::process::kill_process(pid, rustix::process::Signal::KILL);
    }
    below.into_iter().for_each(end);
}

fn children(pid: u32) -> Vec<u32> {
    let tasks = std::fs::read_dir(format!("/proc/{pid}/task")).into_iter().flatten().flatten();
    let lists = tasks.filter_map(|task| std::fs::read_to_string(task.path().join("children")).ok());
    lists.flat_map(|list| list.split_whitespace().filter_map(|pid| pid.parse().ok()).collect::<Vec<_>>()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_program_that_hangs_is_ended_with_what_it_started_and_named_with_its_point() {
        let _point = point("kill before flock 3");
        let mut command = Command::new("sh");
        command.args(["-c", "sleep 1000 & echo $!; wait"]).stdout(Stdio::piped());
        let name = name_of(&command);
        let child = command.spawn().expect("started");
        let watch = watch_for(child.id(), &name, Duration::from_millis(300));
        // It ends only when all that hold its standard output are gone.
        let output = child.wait_with_output().expect("ended");
        drop(watch);
        assert!(!output.status.success());
        let hung = hung();
        let own = hung.iter().find(|line| line.contains("kill before flock 3")).expect("it is named");
        assert!(own.contains("sleep 1000"), "{own}");
    }

    #[test]
    fn one_that_ends_in_time_is_left_alone() {
        let output = output_of(Command::new("true").stdin(Stdio::null())).expect("started");
        assert!(output.status.success());
    }
}
