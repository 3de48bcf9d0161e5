//! Whether another program still has a file open to write to it. A program that opened the file before an exchange
//! writes into what the exchange displaced: its save would go with the name that is removed.

use std::fs::{self, File};
use std::os::unix::fs::MetadataExt;
use std::path::Path;
use std::time::{Duration, Instant};

/// How long a writer may take for its save.
const PATIENCE: Duration = Duration::from_secs(2);
const PAUSE: Duration = Duration::from_millis(5);

/// Waits until nobody has the file open for writing. Returns whether that came to be. Programs of other persons, and all
/// of them on a system without `/proc`, are not seen.
pub(super) fn wait_for_the_last(file: &File) -> std::io::Result<bool> {
    let metadata = file.metadata()?;
    let which = (metadata.dev(), metadata.ino());
    let until = Instant::now() + PATIENCE;
    // One that was being opened during the first look is seen by the second.
    let mut free = 0;
    while free < 2 {
        if !is_written(which) {
            free += 1;
            continue;
        }
        free = 0;
        if Instant::now() >= until {
            return Ok(false);
        }
        std::thread::sleep(PAUSE);
    }
    Ok(true)
}

fn is_written(which: (u64, u64)) -> bool {
    let processes = fs::read_dir("/proc").into_iter().flatten().flatten();
    let numbered = |name: &std::ffi::OsStr| name.as_encoded_bytes().iter().all(u8::is_ascii_digit);
    processes.filter(|entry| numbered(&entry.file_name())).any(|entry| writes(&entry.path(), which))
}

/// Whether a process has the file open in a way that writes.
fn writes(process: &Path, which: (u64, u64)) -> bool {
    let open = fs::read_dir(process.join("fd")).into_iter().flatten().flatten();
    open.filter(|entry| {
        fs::metadata(entry.path()).is_ok_and(|found| found.is_file() && (found.dev(), found.ino()) == which)
    })
    .any(|entry| {
        let told = fs::read_to_string(process.join("fdinfo").join(entry.file_name())).unwrap_or_default();
        let flags = told.lines().find_map(|line| line.strip_prefix("flags:"));
        // The last two bits: 0 reads, 1 writes, 2 does both.
        flags.and_then(|flags| u32::from_str_radix(flags.trim(), 8).ok()).is_some_and(|flags| flags & 3 != 0)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_program_that_can_write_to_the_file_is_seen_and_one_that_reads_is_not() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("file");
        fs::write(&path, "x").expect("written");
        let reader = File::open(&path).expect("opened");
        assert!(wait_for_the_last(&reader).expect("looked"));
        let writer = fs::OpenOptions::new().append(true).open(&path).expect("opened");
        let metadata = reader.metadata().expect("there");
        assert!(is_written((metadata.dev(), metadata.ino())));
        // Also once the file has no name any more.
        fs::remove_file(&path).expect("removed");
        assert!(is_written((metadata.dev(), metadata.ino())));
        drop(writer);
        assert!(wait_for_the_last(&reader).expect("looked"));
    }
}
