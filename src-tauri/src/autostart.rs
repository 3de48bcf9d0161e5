//! The entry that starts this program in the background with the session (Desktop Application Autostart 0.5, Desktop
//! Entry 1.5). It is there only when a person asked for it.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

const ENTRY: &str = "dev.fuda.app.desktop";

/// Where the entry is or would be.
pub fn path() -> PathBuf {
    let set = std::env::var_os("XDG_CONFIG_HOME").filter(|path| !path.is_empty()).map(PathBuf::from);
    set.unwrap_or_else(|| api::person_home().join(".config")).join("autostart").join(ENTRY)
}

/// Whether the session starts this program. An entry that a desktop's own settings turned off is none.
pub fn is_on(entry: &Path) -> bool {
    let off = |line: &str| matches!(line.trim(), "Hidden=true" | "X-GNOME-Autostart-enabled=false");
    fs::read_to_string(entry).is_ok_and(|text| !text.lines().any(off))
}

/// Writes the entry or takes it away.
///
/// # Errors
/// When the folder cannot be written.
pub fn set(entry: &Path, on: bool, program: &Path, home: &Path) -> io::Result<()> {
    if !on {
        return match fs::remove_file(entry) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
            _ => Ok(()),
        };
    }
    if let Some(folder) = entry.parent() {
        fs::create_dir_all(folder)?;
    }
    fs::write(entry, text(program, home))
}

/// The session's environment need not have what this one has, so the entry names the folder.
fn text(program: &Path, home: &Path) -> String {
    let home = quoted(&format!("FUDA_HOME={}", home.display()));
    let program = quoted(&program.display().to_string());
    format!(
        "[Desktop Entry]\nType=Application\nName=Fuda\nComment=Tells of handoffs that wait for review\nExec=env {home} {program} --background\nTerminal=false\n"
    )
}

/// An argument of `Exec`: quoted, then escaped once more as a value of the file.
fn quoted(argument: &str) -> String {
    let mut quoted = String::from("\"");
    for character in argument.chars() {
        match character {
            '"' | '`' | '$' => quoted.extend(['\\', '\\', character]),
            '\\' => quoted.push_str("\\\\\\\\"),
            '%' => quoted.push_str("%%"),
            '\n' => quoted.push_str("\\n"),
            other => quoted.push(other),
        }
    }
    quoted.push('"');
    quoted
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_entry_is_there_only_while_it_is_wanted() {
        let folder = tempfile::tempdir().expect("a folder");
        let entry = folder.path().join("autostart").join(ENTRY);
        assert!(!is_on(&entry));
        set(&entry, true, Path::new("/opt/fuda/fuda-app"), Path::new("/home/a/fuda")).expect("written");
        assert!(is_on(&entry));
        let text = fs::read_to_string(&entry).expect("read");
        assert!(text.contains("Exec=env \"FUDA_HOME=/home/a/fuda\" \"/opt/fuda/fuda-app\" --background\n"), "{text}");
        set(&entry, false, Path::new("/opt/fuda/fuda-app"), Path::new("/home/a/fuda")).expect("taken away");
        assert!(!is_on(&entry) && !entry.exists());
        set(&entry, false, Path::new("/opt/fuda/fuda-app"), Path::new("/home/a/fuda")).expect("nothing to take away");
    }

    #[test]
    fn an_entry_that_the_desktop_turned_off_is_off() {
        let folder = tempfile::tempdir().expect("a folder");
        let entry = folder.path().join(ENTRY);
        fs::write(&entry, "[Desktop Entry]\nType=Application\nHidden=true\n").expect("written");
        assert!(!is_on(&entry));
    }

    #[test]
    fn nothing_in_a_path_becomes_another_argument_or_a_field_code() {
        assert_eq!(quoted("/a b/100%/$x\"y"), r#""/a b/100%%/\\$x\\"y""#);
        assert_eq!(quoted(r"a\b"), r#""a\\\\b""#);
    }
}
