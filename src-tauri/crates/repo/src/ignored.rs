//! Which paths are ignored: by the ignore files of the folders on the way, the nearest first, by the repository's
//! own list, and by the person's. The last pattern of the nearest file that speaks of a path decides.

use crate::index::Index;
use crate::pattern::Pattern;
use crate::plain;
use crate::text::path_of;
use git2::Repository;
use std::collections::HashMap;
use std::path::Path;

/// Longest ignore file that is read.
const FILE_BYTES: u64 = 4 << 20;

/// The patterns of one file, in its order.
type Rules = Vec<Pattern>;

/// The ignore rules of a worktree. Files are read as folders are met.
pub(crate) struct Ignored<'a> {
    repo: &'a Repository,
    toplevel: &'a Path,
    index: &'a Index,
    fold_case: bool,
    /// Rules by folder, whose path ends with `/` or is empty.
    folders: HashMap<Vec<u8>, Rules>,
    /// Whether a folder is ignored, by the same kind of path.
    told: HashMap<Vec<u8>, bool>,
    /// The repository's own list and the person's, the nearer first.
    common: Vec<Rules>,
}

impl<'a> Ignored<'a> {
    /// Reads what holds for the whole worktree.
    pub(crate) fn of(repo: &'a Repository, toplevel: &'a Path, index: &'a Index) -> Self {
        let config = repo.config().ok();
        let fold_case = config.as_ref().and_then(|config| config.get_bool("core.ignorecase").ok()).unwrap_or_default();
        let named = config.and_then(|config| config.get_path("core.excludesfile").ok());
        let persons = match named {
            Some(path) => vec![toplevel.join(path)],
            None => crate::open::common_files(git2::ConfigLevel::XDG, "ignore"),
        };
        let lists = [repo.commondir().join("info/exclude")].into_iter().chain(persons);
        let common =
            lists.filter_map(|path| plain::read_bounded(&path, FILE_BYTES).ok()).map(|text| rules(&text)).collect();
        Self { repo, toplevel, index, fold_case, folders: HashMap::new(), told: HashMap::new(), common }
    }

    /// Whether a path is ignored, by itself or with a folder above it. A folder's path ends with `/`.
    pub(crate) fn contains(&mut self, path: &[u8]) -> bool {
        let name_from =
            path[..path.len().saturating_sub(1)].iter().rposition(|byte| *byte == b'/').map_or(0, |at| at + 1);
        let above = &path[..name_from];
        if !above.is_empty() && self.folder_is_ignored(above) {
            return true;
        }
        self.by_itself(path)
    }

    fn folder_is_ignored(&mut self, folder: &[u8]) -> bool {
        if let Some(told) = self.told.get(folder) {
            return *told;
        }
        let told = self.contains(folder);
        self.told.insert(folder.to_vec(), told);
        told
    }

    fn by_itself(&mut self, path: &[u8]) -> bool {
        let (is_folder, path) = path.strip_suffix(b"/").map_or((false, path), |path| (true, path));
        let fold_case = self.fold_case;
        let mut from = path.len();
        while let Some(slash) = path[..from].iter().rposition(|byte| *byte == b'/') {
            from = slash;
            let (folder, below) = path.split_at(slash + 1);
            if let Some(told) = decide(self.rules_of(folder), below, is_folder, fold_case) {
                return told;
            }
        }
        decide(self.rules_of(b""), path, is_folder, fold_case)
            .or_else(|| self.common.iter().find_map(|rules| decide(rules, path, is_folder, fold_case)))
            .unwrap_or_default()
    }

    fn rules_of(&mut self, folder: &[u8]) -> &Rules {
        if !self.folders.contains_key(folder) {
            let rules = self.read(&[folder, b".gitignore"].concat());
            self.folders.insert(folder.to_vec(), rules);
        }
        // OK because it was put there when it was not.
        &self.folders[folder]
    }

    /// An ignore file in the tree, or, where a sparse checkout left it out, as the index has it. A link is none.
    fn read(&self, path: &[u8]) -> Rules {
        let file = self.toplevel.join(path_of(path));
        match std::fs::symlink_metadata(&file) {
            Ok(meta) if meta.is_file() => {
                plain::read_bounded(&file, FILE_BYTES).map(|text| rules(&text)).unwrap_or_default()
            }
            Ok(_) => Rules::new(),
            Err(_) => {
                let left_out = self.index.find(path).filter(|entry| entry.is_left_out());
                let blob = left_out.and_then(|entry| self.repo.find_blob(entry.id).ok());
                blob.map(|blob| rules(blob.content())).unwrap_or_default()
            }
        }
    }
}

fn rules(text: &[u8]) -> Rules {
    let text = text.strip_prefix(b"\xef\xbb\xbf").unwrap_or(text);
    text.split(|byte| *byte == b'\n').filter_map(Pattern::of).collect()
}

fn decide(rules: &[Pattern], path: &[u8], is_folder: bool, fold_case: bool) -> Option<bool> {
    let last = rules.iter().rev().find(|pattern| pattern.speaks_of(path, is_folder, fold_case))?;
    Some(!last.takes_back)
}
