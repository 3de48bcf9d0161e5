//! When files were committed as they are now: the date of a document that bears none. A checkout gives every file the
//! same time; the commit that brought its bytes still knows better.

use crate::{Question, open, plain};
use git2::{ObjectType, Oid, Repository, Sort, Tree};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// A file whose commit is looked for.
struct Wanted {
    /// Its place in the question.
    number: usize,
    /// Its folder inside the worktree; empty for the worktree itself.
    folder: PathBuf,
    relative: PathBuf,
    blob: Oid,
}

/// For each of `handoff_paths`, files of the repository `repo`, the UTC milliseconds of the newest commit on HEAD that
/// brought its bytes. None: it is not committed as it stands there, its commit lies beyond the budget or a shallow
/// boundary, or the repository cannot be read.
pub fn commit_dates(question: &Question) -> Vec<Option<i64>> {
    let mut dates = vec![None; question.handoff_paths.len()];
    let Some(folder) = question.repo.as_ref().and_then(|repo| std::fs::canonicalize(repo).ok()) else { return dates };
    let Ok(Some(located)) = open::locate(&folder) else { return dates };
    let Ok(repo) = open::open(&located) else { return dates };
    // What cannot be read leaves the rest without a date; the file's own time stands in.
    let _ = search(&repo, &located.toplevel, question, &mut dates);
    dates
}

fn search(repo: &Repository, root: &Path, question: &Question, dates: &mut [Option<i64>]) -> Result<(), git2::Error> {
    let until = Instant::now() + Duration::from_millis(question.budget.look_ms);
    let head = repo.head()?.peel_to_commit()?;
    let tree = head.tree()?;
    let paths = question.handoff_paths.iter().enumerate();
    let mut wanted: Vec<Wanted> =
        paths.filter_map(|(number, path)| wanted(&tree, root, number, path, question.budget.file_bytes)).collect();
    let mut walk = repo.revwalk()?;
    walk.set_sorting(Sort::TIME)?;
    walk.push(head.id())?;
    for id in walk.take(question.budget.search_commits) {
        if wanted.is_empty() || Instant::now() >= until {
            break;
        }
        let commit = repo.find_commit(id?)?;
        let parents = commit.parents().map(|parent| parent.tree()).collect::<Result<Vec<_>, _>>()?;
        if parents.len() < commit.parent_count() || (parents.is_empty() && repo.is_shallow()) {
            continue; // what lies before is not here
        }
        let tree = commit.tree()?;
        if parents.iter().any(|parent| parent.id() == tree.id()) {
            continue;
        }
        wanted.retain(|one| {
            let folder = id_at(&tree, &one.folder);
            let as_before = folder.is_some() && parents.iter().any(|parent| id_at(parent, &one.folder) == folder);
            let brought = !as_before
                && id_at(&tree, &one.relative) == Some(one.blob)
                && parents.iter().all(|parent| id_at(parent, &one.relative) != Some(one.blob));
            if brought {
                dates[one.number] = Some(commit.time().seconds() * 1_000);
            }
            !brought
        });
    }
    Ok(())
}

/// None: HEAD has other bytes under this path, or none.
fn wanted(tree: &Tree<'_>, root: &Path, number: usize, path: &Path, most: u64) -> Option<Wanted> {
    let relative = path.strip_prefix(root).ok()?.to_owned();
    let blob = id_at(tree, &relative)?;
    let regular = std::fs::symlink_metadata(path).is_ok_and(|found| found.is_file() && found.len() <= most);
    let bytes = if regular { plain::read_bounded(path, most).ok()? } else { return None };
    let same = Oid::hash_object(ObjectType::Blob, &bytes).ok()? == blob;
    let folder = relative.parent().map(Path::to_owned).unwrap_or_default();
    same.then_some(Wanted { number, folder, relative, blob })
}

fn id_at(tree: &Tree<'_>, path: &Path) -> Option<Oid> {
    if path.as_os_str().is_empty() { Some(tree.id()) } else { tree.get_path(path).ok().map(|entry| entry.id()) }
}
