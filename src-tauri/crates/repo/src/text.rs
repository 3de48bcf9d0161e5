//! Bytes of paths, refs and messages on their way to text, and back to paths.

use std::path::{Path, PathBuf};

/// A path or ref as text: UTF-8 as it is, every other byte as `\xNN`.
pub(crate) fn shown(bytes: &[u8]) -> String {
    let mut text = String::with_capacity(bytes.len());
    for chunk in bytes.utf8_chunks() {
        text.push_str(chunk.valid());
        for byte in chunk.invalid() {
            text.push_str(&format!("\\x{byte:02x}"));
        }
    }
    text
}

/// The same for a path of this system.
pub(crate) fn shown_path(path: &Path) -> String {
    shown(path.as_os_str().as_encoded_bytes())
}

/// For use inside a sentence: control characters, line ends included, are written as escapes.
pub(crate) fn quoted(text: &str) -> String {
    text.chars().flat_map(|c| if c.is_control() { c.escape_default().collect::<Vec<_>>() } else { vec![c] }).collect()
}

/// A path from bytes as git stores them.
#[cfg(unix)]
pub(crate) fn path_of(bytes: &[u8]) -> PathBuf {
    use std::os::unix::ffi::OsStrExt;
    PathBuf::from(std::ffi::OsStr::from_bytes(bytes))
}

/// A path from bytes as git stores them.
#[cfg(not(unix))]
pub(crate) fn path_of(bytes: &[u8]) -> PathBuf {
    PathBuf::from(String::from_utf8_lossy(bytes).into_owned())
}

/// The bytes of a path below a worktree, with `/` between the parts.
pub(crate) fn git_bytes(path: &Path) -> Vec<u8> {
    let bytes = path.as_os_str().as_encoded_bytes().to_vec();
    if std::path::MAIN_SEPARATOR == '/' {
        bytes
    } else {
        bytes.into_iter().map(|b| if b == b'\\' { b'/' } else { b }).collect()
    }
}

/// `1 commit`, `2 commits`.
pub(crate) fn count(n: u32, noun: &str) -> String {
    if n == 1 { format!("1 {noun}") } else { format!("{n} {noun}s") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_that_are_no_text_are_escaped_and_the_rest_is_kept() {
        assert_eq!(shown("日本 \n".as_bytes()), "日本 \n");
        assert_eq!(shown(b"a\xffb"), "a\\xffb");
        assert_eq!(quoted("a\nb"), "a\\nb");
    }
}
