//! Dates of commits for documents that bear none. The index knows which need one; who knows repositories answers.

use super::listing::next_generation;
use super::{Index, ListRow};
use crate::Error;
use rusqlite::params;
use std::collections::{BTreeMap, HashMap};
use std::path::{Path, PathBuf};

/// Documents in one repository that bear no date.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Undated {
    /// The worktree that holds them.
    pub repository: PathBuf,
    /// Their files.
    pub paths: Vec<PathBuf>,
}

/// Tells when files of a repository were committed as they are now, UTC milliseconds; a file that was not is left out.
/// None: it was not looked at, ask again another time.
pub type CommitDates<'a> = dyn Fn(&Undated) -> Option<HashMap<PathBuf, i64>> + 'a;

impl Index {
    /// Asks for the dates of documents that bear none and orders those by them that have one. Each is asked for once
    /// as long as its file stays as it is. Tells whether any was found.
    pub(crate) fn date_by_commit(&self, dates: &CommitDates<'_>) -> Result<bool, Error> {
        let mut found = false;
        for undated in self.undated()? {
            let Some(dates) = dates(&undated) else { continue };
            found |= !dates.is_empty();
            self.write(|transaction| {
                let generation = next_generation(transaction)?;
                for path in &undated.paths {
                    let name = path.to_string_lossy();
                    let Some(at_ms) = dates.get(path) else {
                        transaction.execute("UPDATE places SET undated = 0 WHERE path = ?1", [name])?;
                        continue;
                    };
                    let json: String = transaction.query_row(
                        "SELECT d.row FROM documents d JOIN places p ON p.id = d.id WHERE p.path = ?1",
                        [&name],
                        |row| row.get(0),
                    )?;
                    let Ok(mut row) = serde_json::from_str::<ListRow>(&json) else { continue };
                    row.written_at = Some(crate::row::rfc3339(*at_ms));
                    row.written_at_by = "commit".to_owned();
                    // OK because it was read from JSON a moment ago.
                    let json = serde_json::to_string(&row).unwrap_or(json);
                    transaction.execute(
                        "UPDATE documents SET row = ?2 WHERE id = (SELECT id FROM places WHERE path = ?1)",
                        params![name, json],
                    )?;
                    transaction.execute(
                        "UPDATE places SET undated = 0, sort = ?2, touched = ?3 WHERE path = ?1",
                        params![name, at_ms, generation],
                    )?;
                }
                Ok(())
            })?;
        }
        Ok(found)
    }

    /// Documents without a date whose commit was not asked for, by repository.
    fn undated(&self) -> Result<Vec<Undated>, Error> {
        let connection = self.connection();
        let mut statement = connection
            .prepare_cached("SELECT path FROM places WHERE undated ORDER BY path")
            .map_err(self.failed("read"))?;
        let paths: Vec<String> =
            statement.query_map([], |row| row.get(0)).and_then(Iterator::collect).map_err(self.failed("read"))?;
        let mut repositories: BTreeMap<PathBuf, Vec<PathBuf>> = BTreeMap::new();
        let mut roots: HashMap<PathBuf, Option<PathBuf>> = HashMap::new();
        for path in paths.into_iter().map(PathBuf::from) {
            let folder = path.parent().unwrap_or(Path::new("/")).to_owned();
            let root = roots.entry(folder).or_insert_with(|| crate::repository_of(&path));
            if let Some(root) = root.clone() {
                repositories.entry(root).or_default().push(path);
            }
        }
        Ok(repositories.into_iter().map(|(repository, paths)| Undated { repository, paths }).collect())
    }
}
