//! Running a program under `strace` so that it dies, or is told of an error, at one system call.
//!
//! `strace` counts a call by its name and thread, so a point is the n-th call of a name by the main thread, as a
//! trace of an undisturbed run gives them. The killed call is not executed; one with an error changes nothing.

use std::collections::BTreeMap;
use std::path::Path;
use std::process::Command;

/// A system call of an undisturbed run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Point {
    /// Its name.
    pub call: String,
    /// The how-manieth of that name.
    pub nth: u32,
    /// The call as it was traced.
    pub line: String,
}

/// Calls that change something on disk or hold others back.
const CHANGING: &[&str] = &[
    "write",
    "pwrite64",
    "writev",
    "fsync",
    "fdatasync",
    "rename",
    "renameat",
    "renameat2",
    "link",
    "linkat",
    "unlink",
    "unlinkat",
    "mkdir",
    "mkdirat",
    "rmdir",
    "ftruncate",
    "chmod",
    "fchmod",
    "fchmodat",
    "flock",
    "fallocate",
    "copy_file_range",
    "sendfile",
    "sync_file_range",
    "syncfs",
    "utimensat",
];

impl Point {
    /// Whether the call changes something on disk or holds others back.
    pub fn changes(&self) -> bool {
        CHANGING.contains(&self.call.as_str())
            || self.call == "openat" && (self.line.contains("O_CREAT") || self.line.contains("O_TMPFILE"))
            || self.call == "fcntl" && self.line.contains("F_SETLK")
    }
}

/// Why there is no tracing here, when there is none.
pub fn missing() -> Option<String> {
    match Command::new("strace").args(["-qq", "-o", "/dev/null", "true"]).output() {
        Ok(output) if output.status.success() => None,
        Ok(output) => Some(format!("strace cannot trace here: {}", String::from_utf8_lossy(&output.stderr).trim())),
        Err(error) => Some(format!("strace does not start: {error}")),
    }
}

/// The calls in a trace of one thread, in order.
pub fn points(trace: &str) -> Vec<Point> {
    let mut counts: BTreeMap<&str, u32> = BTreeMap::new();
    let mut points = Vec::new();
    for line in trace.lines() {
        let Some((call, _)) = line.split_once('(') else { continue };
        let is_name = |letter: char| letter.is_ascii_lowercase() || letter.is_ascii_digit() || letter == '_';
        if call.is_empty() || !call.chars().all(is_name) {
            continue;
        }
        let nth = counts.entry(call).or_default();
        *nth += 1;
        points.push(Point { call: call.to_owned(), nth: *nth, line: line.to_owned() });
    }
    // The start of the program itself is the tracer's.
    points.retain(|point| point.call != "execve" && point.call != "restart_syscall");
    points
}

/// The command under a tracer that writes down every call of its main thread.
pub fn traced(command: &Command, into: &Path) -> Command {
    let mut traced = Command::new("strace");
    traced.args(["-qq", "-s", "256", "-o"]).arg(into);
    wrap(traced, command)
}

/// The command under a tracer that does something at one call: `signal=KILL`, `error=EIO`. What it did is written down.
pub fn injected(command: &Command, point: &Point, what: &str, into: &Path) -> Command {
    let mut traced = Command::new("strace");
    traced.args(["-qq", "-o"]).arg(into).args(["-e", &format!("trace={}", point.call), "-e"]);
    traced.arg(format!("inject={}:{what}:when={}", point.call, point.nth));
    wrap(traced, command)
}

fn wrap(mut tracer: Command, command: &Command) -> Command {
    tracer.arg(command.get_program()).args(command.get_args()).env_clear();
    for (name, value) in command.get_envs() {
        if let Some(value) = value {
            tracer.env(name, value);
        }
    }
    tracer
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn points_are_counted_by_name() {
        let trace = "execve(\"/bin/x\", [], 0x0) = 0\nopenat(AT_FDCWD, \"a\", O_RDONLY) = 3\nread(3, \"\", 1) = 0\n--- SIGCHLD {} ---\nopenat(AT_FDCWD, \"b\", O_RDWR|O_CREAT, 0600) = 4\n+++ exited with 0 +++\n";
        let points = points(trace);
        let seen: Vec<_> = points.iter().map(|point| (point.call.as_str(), point.nth, point.changes())).collect();
        assert_eq!(seen, [("openat", 1, false), ("read", 1, false), ("openat", 2, true)]);
    }
}
