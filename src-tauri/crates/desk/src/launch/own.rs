//! The person's own configuration of an agent, read and never written. What cannot be read in full counts as unknown,
//! which is not the same as absent: a narrowing that could replace something there is then left out.

use std::fs::{self, OpenOptions};
use std::io::Read;
use std::os::unix::fs::OpenOptionsExt;
use std::path::Path;

/// The most that is read of one file.
const MOST: u64 = 1 << 20;

/// A configuration file as found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Own {
    /// It is not there.
    Absent,
    /// Its text.
    Text(String),
    /// It is there and could not be read, with the reason.
    Unknown(String),
}

impl Own {
    /// The text, when there is one.
    pub fn text(&self) -> Option<&str> {
        match self {
            Self::Text(text) => Some(text),
            _ => None,
        }
    }
}

/// Reads a file: a regular one of at most 1 MiB. A link is followed, since people keep these files elsewhere.
pub(crate) fn read(path: &Path) -> Own {
    match fs::metadata(path) {
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Own::Absent,
        Err(error) => return Own::Unknown(error.to_string()),
        Ok(found) if !found.is_file() => return Own::Unknown("it is not a regular file".to_owned()),
        Ok(found) if found.len() > MOST => return Own::Unknown("it is larger than 1 MiB".to_owned()),
        Ok(_) => {}
    }
    let nonblocking = rustix::fs::OFlags::NONBLOCK.bits();
    let opened = OpenOptions::new().read(true).custom_flags(i32::try_from(nonblocking).unwrap_or(0)).open(path);
    let mut text = String::new();
    match opened.and_then(|file| file.take(MOST + 1).read_to_string(&mut text)) {
        Ok(_) => Own::Text(text),
        Err(error) => Own::Unknown(error.to_string()),
    }
}
