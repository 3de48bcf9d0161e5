//! `config.toml`: settings and profiles. Read strictly enough to name a mistake with its line; edited so that the
//! person's comments and order stay.

mod place;
mod settings;

use crate::lock::{self, Held};
use crate::{Error, Home};
use globset::{Glob, GlobSet, GlobSetBuilder};
use serde::{Deserialize, Serialize};
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use toml_edit::{Array, ArrayOfTables, DocumentMut, Item, Table, value};

pub use settings::{Setting, Settings};

/// Agents that a profile can belong to.
pub const AGENTS: &[&str] =
    &["claude-code", "codex", "pi", "omp", "musepi", "gemini", "qwen", "opencode", "goose", "amp", "generic"];

/// A place in which an agent leaves handoffs.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Profile {
    /// Its name.
    pub name: String,
    /// One of [`AGENTS`].
    pub agent: String,
    /// Folders, `~` allowed.
    pub roots: Vec<String>,
    /// Globs on top of the known names.
    pub include: Vec<String>,
    /// Globs that are left out.
    pub exclude: Vec<String>,
    /// Where a pointer to published handoffs is put.
    pub pointer: Option<String>,
    /// The command that starts the agent.
    pub launch: Vec<String>,
    /// `stdin` or `path`.
    pub deliver: Option<String>,
    /// The command that says after a run whether the work is right.
    pub verify: Vec<String>,
    /// Whether to write marker files.
    pub markers: bool,
}

impl Profile {
    /// The roots as paths.
    pub fn root_paths(&self, home: &Path) -> Vec<PathBuf> {
        self.roots.iter().map(|root| expand(root, home)).collect()
    }
}

/// A search that a person saved.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Search {
    /// Its name.
    pub name: String,
    /// As typed.
    pub query: String,
}

/// The configuration as read.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Config {
    /// Settings.
    pub settings: Settings,
    /// Profiles in file order.
    pub profiles: Vec<Profile>,
    /// Saved searches in file order.
    pub searches: Vec<Search>,
    /// Keys that this program does not know, one sentence each.
    pub warnings: Vec<String>,
}

#[derive(Deserialize, Default)]
struct Raw {
    #[serde(default)]
    settings: Settings,
    #[serde(default, rename = "profile")]
    profiles: Vec<Profile>,
    #[serde(default, rename = "search")]
    searches: Vec<Search>,
}

/// `~` at the start of a path is the given home.
pub fn expand(path: &str, home: &Path) -> PathBuf {
    match path.strip_prefix('~') {
        Some("") => home.to_owned(),
        Some(rest) if rest.starts_with('/') => home.join(rest.trim_start_matches('/')),
        _ => PathBuf::from(path),
    }
}

impl Config {
    /// Reads the configuration; a missing file is an empty one.
    ///
    /// # Errors
    /// [`Error::Config`] with line and column.
    pub fn load(home: &Home) -> Result<Self, Error> {
        let path = home.config();
        let text = text_of(&path)?;
        let wrong =
            |place: String, message: &str| Error::Config { path: path.clone(), message: format!("{place}: {message}") };
        let raw: Raw = toml::from_str(&text)
            .map_err(|error| wrong(place::at(&text, error.span().map_or(0, |span| span.start)), error.message()))?;
        for (number, profile) in raw.profiles.iter().enumerate() {
            check(profile).map_err(|Wrong { key, message }| wrong(place::of_profile(&text, number, key), &message))?;
            if raw.profiles[..number].iter().any(|other| other.name == profile.name) {
                let message = format!("two profiles are named {:?}", profile.name);
                return Err(wrong(place::of_profile(&text, number, "name"), &message));
            }
        }
        Ok(Self {
            settings: raw.settings,
            profiles: raw.profiles,
            searches: raw.searches,
            warnings: unknown_keys(&text),
        })
    }

    /// Adds a profile to the file.
    ///
    /// # Errors
    /// When the name is taken, the agent unknown, or the file cannot be written.
    pub fn add_profile(home: &Home, profile: &Profile) -> Result<Self, Error> {
        check(profile).map_err(|Wrong { message, .. }| Error::Profile { message })?;
        let _held = hold(home)?;
        let config = Self::load(home)?;
        if config.profiles.iter().any(|other| other.name == profile.name) {
            return Err(Error::Profile {
                message: format!("there is a profile named {:?} already; choose another name", profile.name),
            });
        }
        let mut document = document(home)?;
        let mut table = Table::new();
        table["name"] = value(&profile.name);
        table["agent"] = value(&profile.agent);
        table["roots"] = value(profile.roots.iter().collect::<Array>());
        for (key, text) in [("pointer", &profile.pointer), ("deliver", &profile.deliver)] {
            if let Some(text) = text {
                table[key] = value(text);
            }
        }
        if profile.markers {
            table["markers"] = value(true);
        }
        for (key, list) in [
            ("include", &profile.include),
            ("exclude", &profile.exclude),
            ("launch", &profile.launch),
            ("verify", &profile.verify),
        ] {
            if !list.is_empty() {
                table[key] = value(list.iter().collect::<Array>());
            }
        }
        add_table(&mut document, "profile", table, home)?;
        save(home, &document)?;
        Self::load(home)
    }

    /// Removes a profile from the file. Its handoffs stay where they are.
    ///
    /// # Errors
    /// When there is none of that name, or the file cannot be written.
    pub fn remove_profile(home: &Home, name: &str) -> Result<Self, Error> {
        let _held = hold(home)?;
        let config = Self::load(home)?;
        let Some(index) = config.profiles.iter().position(|profile| profile.name == name) else {
            let known = config.profiles.iter().map(|profile| profile.name.as_str()).collect::<Vec<_>>().join(", ");
            return Err(Error::Profile {
                message: format!("there is no profile named {name:?}; the profiles are: {known}"),
            });
        };
        let mut document = document(home)?;
        match document.get_mut("profile").and_then(Item::as_array_of_tables_mut) {
            Some(tables) => tables.remove(index),
            None => return Err(no_tables(home, "profile")),
        };
        save(home, &document)?;
        Self::load(home)
    }
}

impl Config {
    /// Saves a search; one of that name is replaced in its place.
    ///
    /// # Errors
    /// When the name is empty or the file cannot be written.
    pub fn save_search(home: &Home, search: &Search) -> Result<Self, Error> {
        if search.name.is_empty() || search.query.is_empty() {
            return Err(Error::Profile { message: "a saved search needs a name and a query".to_owned() });
        }
        let _held = hold(home)?;
        let config = Self::load(home)?;
        let mut document = document(home)?;
        match config.searches.iter().position(|other| other.name == search.name) {
            Some(index) => {
                let tables = document.get_mut("search").and_then(Item::as_array_of_tables_mut);
                match tables.and_then(|tables| tables.get_mut(index)) {
                    Some(table) => table["query"] = value(&search.query),
                    None => return Err(no_tables(home, "search")),
                }
            }
            None => {
                let mut table = Table::new();
                table["name"] = value(&search.name);
                table["query"] = value(&search.query);
                add_table(&mut document, "search", table, home)?;
            }
        }
        save(home, &document)?;
        Self::load(home)
    }

    /// Removes a saved search; one that is not there stays so.
    ///
    /// # Errors
    /// When the file cannot be written.
    pub fn remove_search(home: &Home, name: &str) -> Result<Self, Error> {
        let _held = hold(home)?;
        let config = Self::load(home)?;
        let Some(index) = config.searches.iter().position(|search| search.name == name) else { return Ok(config) };
        let mut document = document(home)?;
        match document.get_mut("search").and_then(Item::as_array_of_tables_mut) {
            Some(tables) => tables.remove(index),
            None => return Err(no_tables(home, "search")),
        };
        save(home, &document)?;
        Self::load(home)
    }
}

/// Adds a table at the end. Comments at the end of the file stay above what is added below them.
fn add_table(document: &mut DocumentMut, key: &str, mut table: Table, home: &Home) -> Result<(), Error> {
    let above = document.trailing().as_str().unwrap_or_default().to_owned();
    let blank = if document.is_empty() && above.is_empty() { "" } else { "\n" };
    table.decor_mut().set_prefix(format!("{above}{blank}"));
    document.set_trailing("");
    let tables = document.entry(key).or_insert(Item::ArrayOfTables(ArrayOfTables::new()));
    match tables.as_array_of_tables_mut() {
        Some(tables) => tables.push(table),
        None => return Err(no_tables(home, key)),
    }
    Ok(())
}

fn no_tables(home: &Home, key: &str) -> Error {
    let message = format!("`{key}` is not a list of [[{key}]] tables; write it so, then try again");
    Error::Config { path: home.config(), message }
}

/// What is wrong with a profile, and which key says so.
struct Wrong {
    key: &'static str,
    message: String,
}

fn check(profile: &Profile) -> Result<(), Wrong> {
    let wrong = |key: &'static str, message: String| Err(Wrong { key, message });
    if profile.name.trim().is_empty() {
        return wrong("name", "it has no name".to_owned());
    }
    if !AGENTS.contains(&profile.agent.as_str()) {
        return wrong(
            "agent",
            format!("the agent {:?} is not known; the agents are {}", profile.agent, AGENTS.join(", ")),
        );
    }
    if profile.roots.is_empty() {
        return wrong("roots", format!("{:?} has no roots; name at least one folder", profile.name));
    }
    if let Some(deliver) = profile.deliver.as_deref().filter(|deliver| !matches!(*deliver, "stdin" | "path")) {
        return wrong(
            "deliver",
            format!("deliver = {deliver:?} of {:?} is not known; it is \"stdin\" or \"path\"", profile.name),
        );
    }
    for (key, patterns) in [("include", &profile.include), ("exclude", &profile.exclude)] {
        if let Some(error) = patterns.iter().find_map(|pattern| Glob::new(pattern).err()) {
            return wrong(key, format!("{:?} has a glob that cannot be read: {error}", profile.name));
        }
    }
    Ok(())
}

/// The globs as one matcher; none when there are none.
///
/// # Errors
/// [`Error::Profile`] that names a glob which cannot be read.
pub(crate) fn globs(patterns: &[String]) -> Result<Option<GlobSet>, Error> {
    let wrong = |error: globset::Error| Error::Profile {
        message: format!("a glob cannot be read: {error}; correct config.toml"),
    };
    let mut builder = GlobSetBuilder::new();
    for pattern in patterns {
        builder.add(Glob::new(pattern).map_err(wrong)?);
    }
    let set = builder.build().map_err(wrong)?;
    Ok((!patterns.is_empty()).then_some(set))
}

/// One writer at a time: two that add a profile at once lose neither.
fn hold(home: &Home) -> Result<Held, Error> {
    lock::hold(&home.locks().join("config.lock"))
}

fn unknown_keys(text: &str) -> Vec<String> {
    let Ok(document) = text.parse::<DocumentMut>() else { return Vec::new() };
    let known_profile =
        ["name", "agent", "roots", "include", "exclude", "pointer", "launch", "deliver", "verify", "markers"];
    let mut warnings = Vec::new();
    for (key, item) in document.iter() {
        match key {
            "settings" => warnings.extend(
                item.as_table()
                    .into_iter()
                    .flat_map(Table::iter)
                    .filter(|(key, _)| !settings::KEYS.contains(key))
                    .map(|(key, _)| format!("settings.{key} is not known and has no effect.")),
            ),
            "profile" => warnings.extend(
                item.as_array_of_tables()
                    .into_iter()
                    .flatten()
                    .flat_map(Table::iter)
                    .filter(|(key, _)| !known_profile.contains(key))
                    .map(|(key, _)| format!("profile.{key} is not known and has no effect.")),
            ),
            "search" => warnings.extend(
                item.as_array_of_tables()
                    .into_iter()
                    .flatten()
                    .flat_map(Table::iter)
                    .filter(|(key, _)| !matches!(*key, "name" | "query"))
                    .map(|(key, _)| format!("search.{key} is not known and has no effect.")),
            ),
            other => warnings.push(format!("{other} is not known and has no effect.")),
        }
    }
    warnings
}

fn document(home: &Home) -> Result<DocumentMut, Error> {
    let path = home.config();
    let text = text_of(&path)?;
    text.parse().map_err(|error: toml_edit::TomlError| {
        let place = place::at(&text, error.span().map_or(0, |span| span.start));
        Error::Config { path, message: format!("{place}: {}", error.message()) }
    })
}

/// The text of the file; a missing one is empty.
fn text_of(path: &Path) -> Result<String, Error> {
    let bytes = match fs::read(path) {
        Ok(bytes) => bytes,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Vec::new(),
        Err(error) => return Err(Error::io("read", path, error)),
    };
    String::from_utf8(bytes).map_err(|error| {
        let whole = error.utf8_error().valid_up_to();
        let place = place::at(&String::from_utf8_lossy(&error.as_bytes()[..whole]), whole);
        Error::Config { path: path.to_owned(), message: format!("{place}: a byte here is no UTF-8") }
    })
}

fn save(home: &Home, document: &DocumentMut) -> Result<(), Error> {
    // A configuration that is a link into somebody's dotfiles stays one.
    let path = fs::canonicalize(home.config()).unwrap_or_else(|_| home.config());
    let failed = |source| Error::io("write", &path, source);
    let mut file = tempfile::NamedTempFile::new_in(path.parent().unwrap_or(home.root())).map_err(failed)?;
    file.write_all(document.to_string().as_bytes()).map_err(failed)?;
    file.as_file().sync_all().map_err(failed)?;
    file.persist(&path).map_err(|error| failed(error.error))?;
    Ok(())
}
