//! A folder as it was, so that a thousand faults can begin from the same bytes.

use std::collections::BTreeMap;
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

/// Files and folders below a folder, `.git` left out: nothing under test writes there.
pub struct Kept {
    root: PathBuf,
    entries: BTreeMap<PathBuf, Entry>,
}

#[derive(PartialEq)]
struct Entry {
    mode: u32,
    /// None for a folder.
    bytes: Option<Vec<u8>>,
}

impl Kept {
    /// The folder as it is now.
    pub fn of(root: &Path) -> Self {
        Self { root: root.to_owned(), entries: entries(root) }
    }

    /// Makes the folder again what it was. What did not change is left alone.
    pub fn restore(&self) {
        let now = entries(&self.root);
        // The deepest first, so that a folder is empty when it goes.
        for (path, entry) in now.iter().rev() {
            if self.entries.get(path).is_none_or(|kept| kept.bytes.is_some() != entry.bytes.is_some()) {
                let removed = if entry.bytes.is_some() { fs::remove_file(path) } else { fs::remove_dir(path) };
                removed.unwrap_or_else(|error| panic!("{}: {error}", path.display()));
            }
        }
        for (path, entry) in &self.entries {
            if now.get(path) == Some(entry) {
                continue;
            }
            match &entry.bytes {
                None => fs::create_dir_all(path).expect("a folder"),
                Some(bytes) => {
                    let _ = fs::remove_file(path);
                    fs::write(path, bytes).expect("written");
                }
            }
            fs::set_permissions(path, fs::Permissions::from_mode(entry.mode)).expect("a mode");
        }
    }
}

fn entries(root: &Path) -> BTreeMap<PathBuf, Entry> {
    let mut found = BTreeMap::new();
    let mut folders = vec![root.to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(&folder).expect("listed").flatten() {
            let path = entry.path();
            if entry.file_name() == ".git" {
                continue;
            }
            let metadata = fs::symlink_metadata(&path).expect("there");
            let mode = metadata.permissions().mode() & 0o7777;
            let bytes = if metadata.is_dir() {
                folders.push(path.clone());
                None
            } else {
                Some(fs::read(&path).expect("read"))
            };
            found.insert(path, Entry { mode, bytes });
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_folder_is_again_what_it_was() {
        let folder = tempfile::tempdir().expect("a folder");
        let at = |name: &str| folder.path().join(name);
        fs::create_dir(at("a")).expect("made");
        fs::write(at("a/one"), "1").expect("written");
        fs::write(at("two"), "2").expect("written");
        let kept = Kept::of(folder.path());
        fs::remove_dir_all(at("a")).expect("removed");
        fs::write(at("a"), "a file now").expect("written");
        fs::write(at("two"), "other").expect("written");
        fs::create_dir_all(at("new/deep")).expect("made");
        fs::write(at("new/deep/file"), "").expect("written");
        kept.restore();
        assert_eq!(fs::read(at("a/one")).expect("read"), b"1");
        assert_eq!(fs::read(at("two")).expect("read"), b"2");
        assert!(!at("new").exists());
    }
}
