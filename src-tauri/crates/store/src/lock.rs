//! A lock file that one process of several holds for a moment. Waiting for it ends: a program that stopped while it held
//! the lock, such as one in a debugger, is named instead of waited for.

use crate::Error;
use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::ErrorKind;
use std::os::unix::fs::{MetadataExt, OpenOptionsExt};
use std::path::Path;
use std::sync::mpsc;
use std::time::Duration;

/// Far longer than any of our own programs holds one.
const WAIT: Duration = Duration::from_secs(10);

/// A lock, held. It is given back by word: a close that fails would keep it, and this process would wait for itself at
/// the next time.
#[derive(Debug)]
pub(crate) struct Held(File);

impl Drop for Held {
    fn drop(&mut self) {
        // What cannot be given back goes with the process.
        let _ = self.0.unlock();
    }
}

/// Takes the lock at a path, which is created and never removed.
///
/// # Errors
/// [`Error::Locked`] when another process holds it all the time; the disk's.
pub(crate) fn hold(path: &Path) -> Result<Held, Error> {
    hold_within(path, WAIT)
}

/// The same file without its lock: for a build whose safeguards can be taken away.
pub(crate) fn without(path: &Path) -> Result<Held, Error> {
    open(path).map(Held)
}

fn open(path: &Path) -> Result<File, Error> {
    let mut options = OpenOptions::new();
    options.create(true).truncate(false).write(true).mode(0o600);
    options.open(path).map_err(|source| Error::io("open the lock", path, source))
}

fn hold_within(path: &Path, wait: Duration) -> Result<Held, Error> {
    let failed = |source| Error::io("lock", path, source);
    let file = open(path)?;
    match file.try_lock() {
        Ok(()) => return Ok(Held(file)),
        Err(TryLockError::WouldBlock) => {}
        Err(TryLockError::Error(source)) => return Err(failed(source)),
    }
    // The kernel knows no wait with an end, and asking again and again would let those pass who ask at the right moment.
    // So a thread waits; what it gets too late it gives back.
    let (waits, taken) = (file.try_clone().map_err(failed)?, mpsc::channel());
    let (tell, told) = taken;
    std::thread::Builder::new()
        .name("lock".to_owned())
        .spawn(move || {
            let locked = loop {
                match waits.lock() {
                    Err(error) if error.kind() == ErrorKind::Interrupted => {}
                    other => break other,
                }
            };
            let _ = tell.send(locked.map(|()| Held(waits)));
        })
        .map_err(failed)?;
    match told.recv_timeout(wait) {
        Ok(locked) => locked.map_err(failed),
        Err(_) => Err(Error::Locked { path: path.to_owned(), holder: holder(&file), waited_s: wait.as_secs() }),
    }
}

/// Which process holds the lock of a file, as far as the kernel tells: `fuda (process 4711)`.
fn holder(file: &File) -> Option<String> {
    let (found, locks) = (file.metadata().ok()?, fs::read_to_string("/proc/locks").ok()?);
    let pid = holder_in(&locks, found.dev(), found.ino())?;
    let name = fs::read_to_string(format!("/proc/{pid}/comm")).ok();
    let name = name.map_or_else(|| "a program".to_owned(), |name| name.trim().to_owned());
    Some(format!("{name} (process {pid})"))
}

/// `1: FLOCK  ADVISORY  WRITE 4711 fe:01:131098 0 EOF`; those that wait have an arrow behind their number.
fn holder_in(locks: &str, device: u64, inode: u64) -> Option<u32> {
    let (major, minor) = (rustix::fs::major(device), rustix::fs::minor(device));
    let place = format!("{major:02x}:{minor:02x}:{inode}");
    locks.lines().find_map(|line| {
        let words: Vec<&str> = line.split_whitespace().collect();
        let [_, "FLOCK", _, _, pid, at, ..] = words[..] else { return None };
        // A process outside of this container has no number here.
        (at == place).then(|| pid.parse().ok().filter(|pid| *pid > 0)).flatten()
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Instant;

    fn lock_file() -> (tempfile::TempDir, std::path::PathBuf) {
        let folder = tempfile::TempDir::new().expect("a folder");
        let path = folder.path().join("some.lock");
        (folder, path)
    }

    #[test]
    fn a_lock_that_is_never_given_back_is_named_with_its_holder() {
        let (_folder, path) = lock_file();
        let _holder = hold(&path).expect("free");
        let error = hold_within(&path, Duration::from_millis(1)).expect_err("held").to_string();
        assert!(error.contains(&path.display().to_string()), "{error}");
        assert!(error.contains(&format!("(process {})", std::process::id())), "{error}");
    }

    #[test]
    fn one_that_is_given_back_while_somebody_waits_is_taken() {
        let (_folder, path) = lock_file();
        let holder = hold(&path).expect("free");
        let waiter = std::thread::spawn({
            let path = path.clone();
            move || hold(&path).map(drop)
        });
        let waits = || fs::read_to_string("/proc/locks").is_ok_and(|locks| locks.contains("-> FLOCK"));
        let until = Instant::now() + WAIT / 2;
        while !waits() && Instant::now() < until {
            std::thread::yield_now();
        }
        drop(holder);
        waiter.join().expect("ended").expect("taken");
    }

    #[test]
    fn what_comes_too_late_is_given_back() {
        let (_folder, path) = lock_file();
        let holder = hold(&path).expect("free");
        hold_within(&path, Duration::from_millis(1)).expect_err("held");
        drop(holder);
        hold(&path).expect("nobody holds it");
    }

    #[test]
    fn those_who_wait_are_not_taken_for_the_holder() {
        let locks = "1: POSIX  ADVISORY  WRITE 11 fe:01:5 0 EOF\n2: -> FLOCK  ADVISORY  WRITE 12 fe:01:5 0 EOF\n\
                     3: FLOCK  ADVISORY  WRITE 13 fe:01:6 0 EOF\n4: FLOCK  ADVISORY  WRITE 14 fe:01:5 0 EOF\n";
        let device = rustix::fs::makedev(0xfe, 1);
        assert_eq!(holder_in(locks, device, 5), Some(14));
        assert_eq!(holder_in(locks, device, 7), None);
    }
}
