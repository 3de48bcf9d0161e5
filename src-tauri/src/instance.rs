//! One window for each `FUDA_HOME`. A kernel lock says which process it is; over a socket beside the lock a later start
//! hands over the handoff that it was asked to show. Needs no session bus.

use std::fs::File;
use std::io::{self, BufRead, BufReader, Read, Write};
use std::os::unix::net::{UnixListener, UnixStream};
use std::path::{Path, PathBuf};
use std::thread;
use std::time::{Duration, Instant};

const LOCK: &str = "window.lock";
const SOCKET: &str = "window.sock";
/// A window that is still starting answers within this time.
const PATIENCE: Duration = Duration::from_secs(10);
/// Between two attempts to reach a window that is still starting.
const AGAIN: Duration = Duration::from_millis(50);
/// Bytes of the longest request: a handle and a line end.
const LONGEST: u64 = 4_096;

/// The process that has the window. The lock goes when it ends, however it ends.
pub struct Only {
    _lock: File,
    listener: UnixListener,
}

/// Takes the place; none when another process has it.
///
/// # Errors
/// When the folder takes no lock or no socket.
pub fn take(folder: &Path) -> io::Result<Option<Only>> {
    let lock = File::create(folder.join(LOCK))?;
    match lock.try_lock() {
        Ok(()) => {}
        Err(std::fs::TryLockError::WouldBlock) => return Ok(None),
        Err(std::fs::TryLockError::Error(error)) => return Err(error),
    }
    let (_held, socket) = address(folder)?;
    // Left by a process that ended: nobody else has the lock.
    match std::fs::remove_file(&socket) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
        _ => {}
    }
    Ok(Some(Only { listener: UnixListener::bind(&socket)?, _lock: lock }))
}

impl Only {
    /// Calls `show` with each handoff that a later start asks for; none is the window itself.
    ///
    /// # Errors
    /// When the thread cannot be started.
    pub fn serve(self, show: impl Fn(Option<String>) + Send + 'static) -> io::Result<()> {
        let serve = move || {
            // The lock is held as long as the requests are taken.
            let only = self;
            for stream in only.listener.incoming().flatten() {
                // Whoever asked and went away is owed nothing.
                let _ = answer(&stream, &show);
            }
        };
        thread::Builder::new().name("instance".to_owned()).spawn(serve).map(drop)
    }
}

fn answer(stream: &UnixStream, show: &impl Fn(Option<String>)) -> io::Result<()> {
    stream.set_read_timeout(Some(PATIENCE))?;
    let mut line = String::new();
    BufReader::new(stream.take(LONGEST)).read_line(&mut line)?;
    if !line.ends_with('\n') {
        return Ok(());
    }
    let handle = line.trim();
    show((!handle.is_empty()).then(|| handle.to_owned()));
    let mut stream = stream;
    stream.write_all(b"shown\n")
}

/// Asks the process that has the window to show a handoff, or itself.
///
/// # Errors
/// When it does not answer in time.
pub fn ask(folder: &Path, handle: Option<&str>) -> io::Result<()> {
    let until = Instant::now() + PATIENCE;
    let (_held, socket) = address(folder)?;
    let mut stream = loop {
        match UnixStream::connect(&socket) {
            Ok(stream) => break stream,
            // It has the lock and is about to listen.
            Err(_) if Instant::now() < until => thread::sleep(AGAIN),
            Err(error) => return Err(error),
        }
    };
    stream.set_read_timeout(Some(PATIENCE))?;
    writeln!(stream, "{}", handle.unwrap_or_default())?;
    let mut said = String::new();
    BufReader::new(&stream).read_line(&mut said)?;
    if said == "shown\n" { Ok(()) } else { Err(io::ErrorKind::UnexpectedEof.into()) }
}

/// The socket, by a path that is short whatever the folder's is: an address holds about 100 bytes.
#[cfg(target_os = "linux")]
fn address(folder: &Path) -> io::Result<(File, PathBuf)> {
    use std::os::fd::AsRawFd;
    let folder = File::open(folder)?;
    let path = PathBuf::from(format!("/proc/self/fd/{}/{SOCKET}", folder.as_raw_fd()));
    Ok((folder, path))
}

#[cfg(not(target_os = "linux"))]
fn address(folder: &Path) -> io::Result<(File, PathBuf)> {
    Ok((File::open(folder)?, folder.join(SOCKET)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::mpsc::channel;

    #[test]
    fn a_second_start_hands_over_and_the_next_one_after_the_end_is_the_first_again() {
        let folder = tempfile::tempdir().expect("a folder");
        // Longer than an address may be.
        let folder = folder.path().join("x".repeat(120));
        std::fs::create_dir(&folder).expect("made");
        let first = take(&folder).expect("taken").expect("nobody else");
        assert!(take(&folder).expect("looked").is_none());
        let (sender, shown) = channel();
        first.serve(move |handle| sender.send(handle).expect("heard")).expect("serves");
        ask(&folder, Some("k7f2")).expect("shown");
        ask(&folder, None).expect("shown");
        assert_eq!(shown.recv().expect("the first"), Some("k7f2".to_owned()));
        assert_eq!(shown.recv().expect("the second"), None);
    }

    #[test]
    fn a_socket_that_somebody_left_is_in_nobodys_way() {
        let folder = tempfile::tempdir().expect("a folder");
        drop(take(folder.path()).expect("taken").expect("nobody else"));
        assert!(folder.path().join(SOCKET).exists());
        assert!(take(folder.path()).expect("taken").is_some());
    }

    #[test]
    fn half_a_request_shows_nothing() {
        let folder = tempfile::tempdir().expect("a folder");
        let first = take(folder.path()).expect("taken").expect("nobody else");
        let (sender, shown) = channel();
        first.serve(move |handle| sender.send(handle).expect("heard")).expect("serves");
        let mut stream = UnixStream::connect(folder.path().join(SOCKET)).expect("connected");
        stream.write_all(b"k7").expect("written");
        drop(stream);
        ask(folder.path(), Some("whole")).expect("shown");
        assert_eq!(shown.recv().expect("one"), Some("whole".to_owned()));
    }
}
