//! Where to look: the folder that was given, bound, recorded, or that holds the file, in this order, and never
//! silently another. A folder that was recorded and is gone ends the search: the next one would be a guess.

use crate::Question;
use crate::model::{ChosenBy, Then};
use crate::text::shown_path;
use handoff::{Text, Tree};
use std::path::{Component, Path, PathBuf};

/// Folders under which agents and people keep linked worktrees.
const WORKTREE_FOLDERS: &[&str] = &["worktrees", ".worktrees"];

/// A folder to look at.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Folder {
    /// As named, `~` expanded.
    pub(crate) typed: PathBuf,
    /// How it was chosen.
    pub(crate) chosen_by: ChosenBy,
    /// What is there.
    pub(crate) state: FolderState,
}

/// What is at a named folder.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum FolderState {
    /// A folder; its path without symbolic links.
    There(PathBuf),
    /// Nothing, or no folder. Says what.
    Gone(String),
    /// A place that is never opened. Says why.
    Refused(String),
}

/// One recorded repository and the folder to hold it against.
#[derive(Clone, Debug)]
pub(crate) struct Place {
    pub(crate) then: Then,
    pub(crate) tree: Tree,
    /// Absent when nothing names a folder.
    pub(crate) folder: Option<Folder>,
    /// Whether the folder stands in the field for a worktree, so that it should be one.
    pub(crate) named_as_worktree: bool,
}

/// The places of a question: one for each recorded repository, at least one.
pub(crate) fn places(question: &Question) -> Vec<Place> {
    let handoff = &question.handoff;
    let at = handoff.provenance.written_at.clone();
    let chosen = question
        .repo
        .as_ref()
        .map(|path| (path, ChosenBy::Given))
        .or(question.binding.as_ref().map(|path| (path, ChosenBy::Binding)));
    if let Some((path, chosen_by)) = chosen {
        let folder = folder_at(&expand(&shown_path(path), question).unwrap_or_else(|| path.clone()), chosen_by);
        let tree = tree_for(&handoff.trees, path);
        return vec![Place { then: then_of(&tree, at), tree, folder: Some(folder), named_as_worktree: false }];
    }
    let trees = if handoff.trees.is_empty() { vec![Tree::default()] } else { handoff.trees.clone() };
    let several = trees.len() > 1;
    trees
        .into_iter()
        .map(|tree| {
            let (folder, named_as_worktree) = recorded_folder(&tree, question, several);
            Place { then: then_of(&tree, at.clone()), tree, folder, named_as_worktree }
        })
        .collect()
}

/// What is recorded and the folder that it names, without touching the disk: for the answer when nothing answered.
pub(crate) fn recorded(question: &Question) -> Vec<(Then, Option<PathBuf>, ChosenBy)> {
    let handoff = &question.handoff;
    let at = handoff.provenance.written_at.clone();
    let chosen = question.repo.clone().map(|path| (path, ChosenBy::Given));
    let chosen = chosen.or_else(|| question.binding.clone().map(|path| (path, ChosenBy::Binding)));
    if let Some((path, chosen_by)) = chosen {
        return vec![(then_of(&tree_for(&handoff.trees, &path), at), Some(path), chosen_by)];
    }
    let trees = if handoff.trees.is_empty() { vec![Tree::default()] } else { handoff.trees.clone() };
    let cwd = handoff.provenance.cwd.as_ref().map(|cwd| (PathBuf::from(cwd), ChosenBy::Cwd));
    let holder =
        question.file.as_ref().and_then(|file| file.parent()).map(|folder| (folder.to_owned(), ChosenBy::File));
    let named = |tree: &Tree| {
        let own = tree.worktree.as_ref().or(tree.root.as_ref()).map(|text| PathBuf::from(text.text.trim()));
        own.filter(|path| path.is_absolute() || path.starts_with("~")).map(|path| (path, ChosenBy::Worktree))
    };
    trees
        .iter()
        .map(|tree| {
            let place = named(tree).or_else(|| cwd.clone()).or_else(|| holder.clone());
            let (path, chosen_by) = place.map_or((None, ChosenBy::Nothing), |(path, by)| (Some(path), by));
            (then_of(tree, at.clone()), path, chosen_by)
        })
        .collect()
}

/// With a folder given and several repositories recorded, the one that it most likely is.
fn tree_for(trees: &[Tree], path: &Path) -> Tree {
    let name = path.file_name().map(|name| name.to_string_lossy().to_lowercase()).unwrap_or_default();
    let names_it =
        |text: &str| Path::new(text).file_name().is_some_and(|last| last.to_string_lossy().to_lowercase() == name);
    let matches = |tree: &&Tree| {
        [&tree.worktree, &tree.root].into_iter().flatten().any(|text| names_it(&text.text))
            || tree.name.as_ref().is_some_and(|text| text.to_lowercase() == name)
    };
    trees.iter().find(matches).or(trees.first()).cloned().unwrap_or_default()
}

fn then_of(tree: &Tree, at: Option<String>) -> Then {
    let text = |value: &Option<Text>| value.as_ref().map(|text| text.text.clone());
    Then {
        name: tree.name.clone(),
        root: text(&tree.root),
        worktree: text(&tree.worktree),
        branch: text(&tree.branch),
        detached: tree.detached,
        head: text(&tree.head),
        subject: text(&tree.subject),
        status: text(&tree.status),
        diff: text(&tree.diff),
        at,
    }
}

fn recorded_folder(tree: &Tree, question: &Question, several: bool) -> (Option<Folder>, bool) {
    let fields = [(&tree.worktree, true), (&tree.root, false)];
    for (text, as_worktree) in fields.into_iter().filter_map(|(field, mark)| field.as_ref().map(|text| (text, mark))) {
        if let Some(path) = expand(&text.text, question) {
            return (Some(folder_at(&path, ChosenBy::Worktree)), as_worktree);
        }
    }
    if several {
        let names = [tree.worktree.as_ref(), tree.root.as_ref()].into_iter().flatten().map(|text| text.text.as_str());
        if let Some(path) = names.chain(tree.name.as_deref()).find_map(|name| repository_named(name, question)) {
            return (Some(folder_at(&path, ChosenBy::Worktree)), false);
        }
    }
    // With several repositories recorded, one working directory cannot stand for all of them, but for the first
    // that has no folder of its own it is still the only hint; the caller sees how it was chosen.
    if let Some(path) = question.handoff.provenance.cwd.as_ref().and_then(|cwd| expand(cwd, question))
        && !(several && tree.root.is_some())
    {
        return (Some(folder_at(&path, ChosenBy::Cwd)), false);
    }
    let holder = question.file.as_ref().and_then(|file| file.parent()).map(|folder| folder_at(folder, ChosenBy::File));
    (holder, false)
}

/// A recorded text as a path: absolute, `~`, or relative to where the handoff was written. A bare word is a name.
pub(crate) fn expand(text: &str, question: &Question) -> Option<PathBuf> {
    let text = text.trim().trim_matches(['`', '"', '\'', '<', '>']).trim();
    let text = if text.len() > 1 { text.trim_end_matches('/') } else { text };
    if text.is_empty() || text.contains("://") || text.contains('\0') {
        return None;
    }
    if text == "~" || text.starts_with("~/") {
        let home = question.home.as_ref()?;
        return Some(home.join(text.trim_start_matches('~').trim_start_matches('/')));
    }
    let path = Path::new(text);
    let foreign_absolute = text.as_bytes().get(1) == Some(&b':') && text.as_bytes()[0].is_ascii_alphabetic();
    if path.is_absolute() || foreign_absolute {
        return Some(without_remark(path));
    }
    let cwd = question.handoff.provenance.cwd.as_deref().map(Path::new).filter(|cwd| cwd.is_absolute());
    let bases = [cwd, question.file.as_deref().and_then(Path::parent)];
    for base in bases.into_iter().flatten() {
        let joined = base.join(path);
        // A bare word is only a folder when a repository lies there; else it is the project's name.
        let there = if text.contains('/') || text == "." || text == ".." {
            joined.is_dir()
        } else {
            joined.join(".git").exists()
        };
        if there {
            return Some(joined);
        }
    }
    let dotted = text.starts_with("./") || text.starts_with("../");
    let in_worktrees = path.components().any(|part| is_worktree_folder(&part));
    (dotted || in_worktrees).then(|| bases.into_iter().flatten().next().map(|base| base.join(path))).flatten()
}

/// A repository by its bare name, where several are recorded: below the folder that the handoff was written in, that
/// folder's own repository, or one beside it.
fn repository_named(name: &str, question: &Question) -> Option<PathBuf> {
    let name = Path::new(name.trim().trim_matches(['`', '"', '\'']).trim());
    if !matches!(name.components().collect::<Vec<_>>().as_slice(), [Component::Normal(_)]) {
        return None;
    }
    let holds_one = |folder: &PathBuf| folder.join(".git").exists();
    let cwd = question.handoff.provenance.cwd.as_deref().map(Path::new).filter(|cwd| cwd.is_absolute());
    [cwd, question.file.as_deref().and_then(Path::parent)].into_iter().flatten().find_map(|base| {
        let toplevel = base.ancestors().find(|folder| folder.join(".git").exists());
        let itself = toplevel.filter(|folder| folder.file_name() == Some(name.as_os_str())).map(Path::to_owned);
        let beside = toplevel.and_then(Path::parent).map(|folder| folder.join(name));
        itself.into_iter().chain([base.join(name)]).chain(beside).find(holds_one)
    })
}

/// `/repo (main checkout)` names `/repo` when that is there and the whole is not.
fn without_remark(path: &Path) -> PathBuf {
    if !path.exists()
        && let Some((front, _)) = path.to_str().and_then(|text| text.split_once(" ("))
        && Path::new(front).exists()
    {
        return PathBuf::from(front);
    }
    path.to_owned()
}

fn is_worktree_folder(part: &Component) -> bool {
    matches!(part, Component::Normal(name) if WORKTREE_FOLDERS.iter().any(|known| **name == **known))
}

fn folder_at(path: &Path, chosen_by: ChosenBy) -> Folder {
    let state = match std::fs::canonicalize(path) {
        Ok(real) if crate::open::never_opened(&real) => {
            FolderState::Refused(format!("{} is a place of the system that is never opened", shown_path(&real)))
        }
        Ok(real) if real.is_dir() => FolderState::There(real),
        Ok(real) => FolderState::Gone(format!("{} is not a folder any more", shown_path(&real))),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
            FolderState::Gone(format!("{} is not there", shown_path(path)))
        }
        Err(error) => FolderState::Refused(format!("{} cannot be reached: {error}", shown_path(path))),
    };
    Folder { typed: path.to_owned(), chosen_by, state }
}

/// For a folder below `worktrees/NAME` inside `toplevel`: the folder that should have been a worktree and is none.
pub(crate) fn plain_worktree_folder(folder: &Path, toplevel: &Path) -> Option<PathBuf> {
    let inside = folder.strip_prefix(toplevel).ok()?;
    let parts: Vec<Component> = inside.components().collect();
    let marker = parts.iter().position(is_worktree_folder)?;
    parts.get(marker + 1)?;
    Some(toplevel.join(parts[..=marker + 1].iter().collect::<PathBuf>()))
}

/// The nearest folder above a path that is there.
pub(crate) fn nearest_folder(path: &Path) -> Option<PathBuf> {
    path.ancestors().skip(1).find(|above| above.is_dir()).and_then(|above| std::fs::canonicalize(above).ok())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn recorded(field: &str, question: Question) -> Folder {
        let tree = Tree { worktree: Some(Text::made(field)), ..Tree::default() };
        let mut question = question;
        question.handoff.trees = vec![tree];
        places(&question).remove(0).folder.expect("a folder is named")
    }

    #[test]
    fn a_recorded_folder_that_is_gone_is_not_replaced_by_the_one_that_holds_the_file() {
        let dir = tempfile::tempdir().expect("a temporary folder");
        let question = Question { file: Some(dir.path().join("HANDOFF.md")), ..Question::default() };
        let folder = recorded("/nowhere/at/all", question);
        assert_eq!(folder.chosen_by, ChosenBy::Worktree);
        assert!(matches!(folder.state, FolderState::Gone(_)));
    }

    #[test]
    fn a_project_name_is_no_folder() {
        let dir = tempfile::tempdir().expect("a temporary folder");
        let question = Question { file: Some(dir.path().join("HANDOFF.md")), ..Question::default() };
        assert_eq!(recorded("harbour-clock", question).chosen_by, ChosenBy::File);
    }

    #[test]
    fn tilde_is_the_home_that_was_handed_in() {
        let dir = tempfile::tempdir().expect("a temporary folder");
        std::fs::create_dir(dir.path().join("code")).expect("a folder");
        let folder = recorded("~/code/", Question { home: Some(dir.path().into()), ..Question::default() });
        assert!(matches!(folder.state, FolderState::There(_)), "{folder:?}");
    }

    #[test]
    fn the_process_table_is_never_opened() {
        if Path::new("/proc/self").exists() {
            assert!(matches!(recorded("/proc/self", Question::default()).state, FolderState::Refused(_)));
        }
    }

    #[test]
    fn a_folder_below_worktrees_is_recognised() {
        let top = Path::new("/r");
        assert_eq!(
            plain_worktree_folder(Path::new("/r/.claude/worktrees/x/src"), top),
            Some("/r/.claude/worktrees/x".into())
        );
        assert_eq!(plain_worktree_folder(Path::new("/r/src"), top), None);
        assert_eq!(plain_worktree_folder(Path::new("/r/worktrees"), top), None);
    }
}
