//! The keeper: a small process between Fuda and the agent, so that no runner outlives its supervisor.
//!
//! It is this same program under a hidden word. It takes its order and the block over a socket that its supervisor
//! holds: when that socket closes, for whatever reason, the agent's whole group is ended. It is the reaper of what the
//! agent leaves behind, so that a child which left the group is found too. And the agent asks the kernel to be ended
//! with its keeper: that has to be said by the process itself before it becomes the agent, which is what the second
//! form, `exec`, is for.
//!
//! Arguments and environment of the agent come over the socket, not as arguments of the keeper.

use super::run::{Event, Order};
use super::seal;
use crate::Error;
use rustix::process::{Pid, Signal, WaitId, WaitIdOptions, WaitOptions};
use std::ffi::OsString;
use std::io::{self, Read, Write};
use std::os::fd::AsFd;
use std::os::unix::net::UnixStream;
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::process::{Child, Command, ExitCode, Stdio};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread;
use std::time::{Duration, Instant};

/// How long a group may take to end once its supervisor is gone.
const ORPHANED: Duration = Duration::from_secs(1);
/// How long what the agent left behind may take.
const LEFT_BEHIND: Duration = Duration::from_secs(2);
const STEP: Duration = Duration::from_millis(20);

/// The word that makes the hosts' programs a keeper.
pub const WORD: &str = "keep";

/// Runs as a keeper when the program was started as one. Hosts call this before anything else.
pub fn keep(mut arguments: impl Iterator<Item = OsString>) -> Option<ExitCode> {
    if arguments.next()? != WORD {
        return None;
    }
    Some(match arguments.next() {
        Some(word) if word == "exec" => replace_with(arguments),
        _ => kept(),
    })
}

fn kept() -> ExitCode {
    let Ok(socket) = io::stdin().as_fd().try_clone_to_owned().map(UnixStream::from) else { return ExitCode::FAILURE };
    match watch_over(&socket) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            tell(&socket, &Event::Failed { message: error.to_string() });
            ExitCode::FAILURE
        }
    }
}

/// Becomes the agent: asks to be ended with the parent that is named first, then replaces this process.
pub fn replace_with(mut arguments: impl Iterator<Item = OsString>) -> ExitCode {
    let parent = arguments.next().and_then(|word| word.to_str()?.parse::<i32>().ok());
    let Some(program) = arguments.next() else { return ExitCode::from(127) };
    #[cfg(target_os = "linux")]
    let _ = rustix::process::set_parent_process_death_signal(Some(Signal::KILL));
    // The parent may have gone before that was said.
    if rustix::process::getppid().map(Pid::as_raw_pid) != parent {
        return ExitCode::from(127);
    }
    let error = Command::new(&program).args(arguments).exec();
    eprintln!("fuda: {} could not be started: {error}", program.to_string_lossy());
    ExitCode::from(127)
}

enum Heard {
    Stop { firmly: bool },
    Orphaned,
    Ended,
}

fn watch_over(socket: &UnixStream) -> Result<(), Error> {
    let failed = |what: &str| {
        let what = what.to_owned();
        move |source: io::Error| Error::Launch { what, source }
    };
    let order = receive(socket).map_err(failed("reading the order"))?;
    if handoff::revision(&order.block) != order.block_hash {
        let source = io::Error::other("what arrived is not what was approved");
        return Err(Error::Launch { what: "the block".to_owned(), source });
    }
    #[cfg(target_os = "linux")]
    let _ = rustix::process::set_child_subreaper(Some(rustix::process::getpid()));
    let mut child = agent(&order)?;
    let leader = pid_of(&child);
    let started_ticks = leader.map_or(0, |pid| started_ticks(pid.as_raw_pid()));
    tell(socket, &Event::Started { pid: child.id(), started_ticks });

    let (heard, listen) = mpsc::channel();
    let control = socket.try_clone().map_err(failed("listening"))?;
    let from_control = heard.clone();
    thread::spawn(move || listen_to(control, &from_control));
    thread::spawn(move || {
        if let Some(leader) = leader {
            // Not taken off the list of processes yet: its group keeps its number while what is left is ended.
            let how = WaitIdOptions::EXITED | WaitIdOptions::NOWAIT;
            while matches!(rustix::process::waitid(WaitId::Pid(leader), how), Err(rustix::io::Errno::INTR)) {}
        }
        let _ = heard.send(Heard::Ended);
    });

    let mut kill_at: Option<Instant> = None;
    loop {
        let wait = kill_at.map_or(Duration::from_secs(3600), |at| at.saturating_duration_since(Instant::now()));
        match listen.recv_timeout(wait) {
            Ok(Heard::Ended) | Err(RecvTimeoutError::Disconnected) => break,
            Ok(Heard::Stop { firmly: false }) => {
                signal_group(leader, Signal::TERM);
                kill_at = kill_at.or(Some(Instant::now() + Duration::from_millis(order.grace_ms)));
            }
            Ok(Heard::Orphaned) => {
                signal_group(leader, Signal::TERM);
                kill_at = Some(Instant::now() + ORPHANED);
            }
            Ok(Heard::Stop { firmly: true }) => kill_at = Some(Instant::now()),
            Err(RecvTimeoutError::Timeout) if kill_at.is_some() => {
                signal_group(leader, Signal::KILL);
                kill_at = Some(Instant::now() + Duration::from_secs(3600));
            }
            Err(RecvTimeoutError::Timeout) => {}
        }
    }
    end_what_is_left(leader);
    let status = child.wait().map_err(failed("waiting for the agent"))?;
    tell(socket, &Event::Ended { exit_code: status.code(), signal: status.signal() });
    Ok(())
}

fn receive(mut socket: &UnixStream) -> io::Result<Order> {
    let mut length = [0_u8; 4];
    socket.read_exact(&mut length)?;
    let mut text = vec![0_u8; u32::from_be_bytes(length) as usize];
    socket.read_exact(&mut text)?;
    let mut order: Order = serde_json::from_slice(&text)?;
    order.block = vec![0_u8; order.block_bytes];
    socket.read_exact(&mut order.block)?;
    Ok(order)
}

fn listen_to(mut socket: UnixStream, heard: &mpsc::Sender<Heard>) {
    let mut byte = [0_u8; 1];
    loop {
        let said = match socket.read(&mut byte) {
            Ok(1) => Heard::Stop { firmly: byte == *b"k" },
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            _ => {
                let _ = heard.send(Heard::Orphaned);
                return;
            }
        };
        let _ = heard.send(said);
    }
}

/// Starts the agent: no shell, a group of its own, nothing open but its three streams.
fn agent(order: &Order) -> Result<Child, Error> {
    let failed = |source| Error::Launch { what: format!("starting {}", order.argv[0]), source };
    let own = std::env::current_exe().map_err(failed)?;
    let mut command = Command::new(own);
    command.args(&order.keeper).args(["exec", &std::process::id().to_string()]).args(&order.argv);
    command.current_dir(&order.folder).process_group(0);
    for (name, value) in &order.environment {
        match value {
            Some(value) => command.env(name, value),
            None => command.env_remove(name),
        };
    }
    command.env("PWD", &order.folder);
    let input = if order.on_stdin { Stdio::from(seal::sealed(&order.block)?) } else { Stdio::null() };
    command.stdin(input).stdout(Stdio::inherit()).stderr(Stdio::inherit());
    command.spawn().map_err(failed)
}

fn tell(mut socket: &UnixStream, event: &Event) {
    if let Ok(mut line) = serde_json::to_vec(event) {
        line.push(b'\n');
        // A supervisor that is gone is noticed where it is listened to.
        let _ = socket.write_all(&line);
    }
}

fn pid_of(child: &Child) -> Option<Pid> {
    i32::try_from(child.id()).ok().and_then(Pid::from_raw)
}

fn signal_group(leader: Option<Pid>, signal: Signal) {
    if let Some(leader) = leader {
        let _ = rustix::process::kill_process_group(leader, signal);
    }
}

/// Ends what the agent left: members of its group, and children that left the group and came to its keeper.
fn end_what_is_left(leader: Option<Pid>) {
    let until = Instant::now() + LEFT_BEHIND;
    let mut signal = Signal::TERM;
    loop {
        let left = left_behind(leader);
        if left.is_empty() {
            return;
        }
        if Instant::now() > until {
            if signal == Signal::KILL {
                return;
            }
            signal = Signal::KILL;
        }
        for pid in left {
            let _ = rustix::process::kill_process(pid, signal);
        }
        thread::sleep(STEP);
        if signal == Signal::KILL {
            thread::sleep(STEP * 5);
        }
    }
}

/// Processes that are alive and belong to the agent. Takes those off the list that have ended, but for the leader.
fn left_behind(leader: Option<Pid>) -> Vec<Pid> {
    let group = leader.map_or(0, Pid::as_raw_pid);
    let own = rustix::process::getpid().as_raw_pid();
    let mut left = Vec::new();
    let Ok(entries) = std::fs::read_dir("/proc") else {
        signal_group(leader, Signal::KILL);
        return left;
    };
    for pid in entries.flatten().filter_map(|entry| entry.file_name().to_str()?.parse::<i32>().ok()) {
        let Some(stat) = Stat::of(pid) else { continue };
        let ours = stat.group == group || stat.parent == own;
        match (stat.ended, Pid::from_raw(pid)) {
            (true, Some(ended)) if stat.parent == own && pid != group => {
                let _ = rustix::process::waitpid(Some(ended), WaitOptions::NOHANG);
            }
            (false, Some(alive)) if ours && pid != own => left.push(alive),
            _ => {}
        }
    }
    left
}

struct Stat {
    ended: bool,
    parent: i32,
    group: i32,
    started_ticks: u64,
}

impl Stat {
    fn of(pid: i32) -> Option<Self> {
        let text = std::fs::read_to_string(format!("/proc/{pid}/stat")).ok()?;
        // The name in brackets may hold anything.
        let fields: Vec<&str> = text.get(text.rfind(')')? + 2..)?.split_whitespace().collect();
        Some(Self {
            ended: matches!(*fields.first()?, "Z" | "X"),
            parent: fields.get(1)?.parse().ok()?,
            group: fields.get(2)?.parse().ok()?,
            started_ticks: fields.get(19)?.parse().ok()?,
        })
    }
}

/// When a process started, in ticks since the machine did: with its number and the machine's start it names a process
/// for good. 0 where that cannot be told.
pub(crate) fn started_ticks(pid: i32) -> u64 {
    Stat::of(pid).map_or(0, |stat| stat.started_ticks)
}
