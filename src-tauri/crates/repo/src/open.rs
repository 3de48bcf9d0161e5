//! Finding and opening a repository that nobody vouches for. Everything that libgit2 would read at opening is
//! looked at first, so that a pipe in place of a file is an answer and not a hang; what remains (a mount that
//! never answers) is the worker's budget to end.
//!
//! The person's own git configuration stays readable: `core.excludesFile`, `core.autocrlf` and `safe.directory`
//! decide what a status says and what may be opened, and libgit2 runs nothing that it names.

use crate::plain::{self, Plain};
use crate::text::{path_of, quoted, shown_path};
use git2::{Repository, RepositoryOpenFlags};
use std::ffi::OsStr;
use std::fs::{self, File};
use std::io::Read;
use std::path::{Path, PathBuf};
use std::sync::Once;

/// Longest configuration file that is read ahead of libgit2.
const CONFIG_BYTES: u64 = 1 << 20;
/// Trees up to this size are kept once they were read: each is what the next commit is compared with. libgit2's own
/// limit is 4 KiB.
const KEPT_TREE_BYTES: usize = 1 << 18;
/// Bytes of objects that are kept in all.
const KEPT_BYTES: isize = 1 << 26;
/// How deep includes are followed.
const INCLUDE_DEPTH: u32 = 6;

/// A repository found at or above a folder.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Located {
    /// The folder that holds `.git`.
    pub(crate) toplevel: PathBuf,
    /// Where HEAD and the index are.
    pub(crate) git_dir: PathBuf,
    /// Where refs, objects and the configuration are; `git_dir` but for linked worktrees.
    pub(crate) common_dir: PathBuf,
}

impl Located {
    /// Whether this is a linked worktree.
    pub(crate) fn is_linked(&self) -> bool {
        self.git_dir != self.common_dir
    }
    /// The main worktree of a linked one, where `common_dir` is its `.git`.
    pub(crate) fn main_worktree(&self) -> Option<&Path> {
        (self.is_linked() && self.common_dir.file_name() == Some(OsStr::new(".git")))
            .then(|| self.common_dir.parent())
            .flatten()
    }
}

/// Why a repository is not opened, with what its plain files tell all the same.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Refusal {
    pub(crate) reason: String,
    pub(crate) plain: Option<Box<Plain>>,
    pub(crate) toplevel: Option<PathBuf>,
    /// For a worktree whose entry in its repository is gone: that repository's git folder, there or not.
    pub(crate) pruned_from: Option<PathBuf>,
}

impl Refusal {
    fn new(reason: impl Into<String>) -> Self {
        Self { reason: reason.into(), ..Self::default() }
    }
    fn at(mut self, toplevel: &Path) -> Self {
        self.toplevel = Some(toplevel.to_owned());
        self
    }
}

/// Lets libgit2 read the person's own git configuration from another home folder. To be called before the first
/// question, by hosts that were told a home other than the process's (tests are).
///
/// # Errors
/// When libgit2 does not take the path.
#[allow(unsafe_code)]
pub fn use_home(home: &Path) -> Result<(), git2::Error> {
    prepare();
    let xdg = home.join(".config").join("git");
    // SAFETY: these write a static of libgit2 and must not race with an opening; the contract above is to call
    // this before the first question.
    unsafe {
        git2::opts::set_search_path(git2::ConfigLevel::Global, home)?;
        git2::opts::set_search_path(git2::ConfigLevel::XDG, xdg)?;
        git2::opts::set_search_path(git2::ConfigLevel::System, "")
    }
}

/// Tells libgit2 which extensions change nothing that we read. The others that it does not know stay refused.
#[allow(unsafe_code)]
fn prepare() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        // SAFETY: this writes a static of libgit2. `Once` lets it happen once, and every opening of this crate
        // comes after it. `refstorage` is read ahead: another value than `files` is refused before libgit2 sees it.
        let set = unsafe {
            git2::opts::set_extensions(&[
                "worktreeconfig",
                "relativeworktrees",
                "partialclone",
                "preciousobjects",
                "refstorage",
            ])
        };
        // A failure leaves the built-in list: such repositories are then not inspectable, with libgit2's reason.
        drop(set);
        // SAFETY: as above.
        let kept = unsafe {
            git2::opts::set_cache_object_limit(git2::ObjectType::Tree, KEPT_TREE_BYTES)
                .and_then(|()| git2::opts::set_cache_max_size(KEPT_BYTES))
        };
        // A failure leaves the built-in sizes, with which the same is read more often.
        drop(kept);
        // As git itself: objects are believed to be what they are named, damage is for `git fsck` to find.
        git2::opts::strict_hash_verification(false);
    });
}

/// Whether the person or the machine has attributes that hold for every repository.
pub(crate) fn has_common_attributes() -> bool {
    let levels = [(git2::ConfigLevel::XDG, "attributes"), (git2::ConfigLevel::System, "gitattributes")];
    levels.into_iter().any(|(level, name)| common_files(level, name).iter().any(|file| file.exists()))
}

/// Where the person's or the machine's file of a name may lie.
#[allow(unsafe_code)]
pub(crate) fn common_files(level: git2::ConfigLevel, name: &str) -> Vec<PathBuf> {
    prepare();
    // SAFETY: this reads a static of libgit2, which nothing writes after the first question; see `use_home`.
    let folders = unsafe { git2::opts::get_search_path(level) };
    folders
        .map(|list| std::env::split_paths(&path_of(list.to_bytes())).map(|folder| folder.join(name)).collect())
        .unwrap_or_default() // a list that cannot be read names nothing
}

/// Places of the kernel: their files block, or are made up as they are read.
pub(crate) fn never_opened(path: &Path) -> bool {
    ["/proc", "/sys", "/dev"].iter().any(|place| path.starts_with(place))
}

/// Finds the repository at or above a folder. `Ok(None)`: there is none.
pub(crate) fn locate(folder: &Path) -> Result<Option<Located>, Refusal> {
    for above in folder.ancestors() {
        let dot_git = above.join(".git");
        match fs::symlink_metadata(&dot_git) {
            Ok(meta) if meta.is_dir() => return located(above, dot_git).map(Some),
            Ok(meta) if meta.is_file() => return linked(above, &dot_git).map(Some),
            Ok(meta) if meta.file_type().is_symlink() => {
                let reason =
                    format!("{} is a symbolic link; a repository is only opened where it lies", shown_path(&dot_git));
                return Err(Refusal::new(reason).at(above));
            }
            Ok(_) => {
                return Err(Refusal::new(format!("{} is neither a folder nor a file", shown_path(&dot_git))).at(above));
            }
            Err(_) if looks_bare(above) => {
                let reason = format!("{} is a bare repository; it has no working tree to look at", shown_path(above));
                return Err(Refusal::new(reason));
            }
            Err(_) => {}
        }
    }
    Ok(None)
}

fn looks_bare(folder: &Path) -> bool {
    folder.join("HEAD").is_file() && folder.join("objects").is_dir() && folder.join("refs").is_dir()
}

fn located(toplevel: &Path, git_dir: PathBuf) -> Result<Located, Refusal> {
    if fs::symlink_metadata(git_dir.join("HEAD")).is_err() {
        return Err(Refusal::new(format!("{} has no HEAD; it is no repository", shown_path(&git_dir))).at(toplevel));
    }
    let common = git_dir.join("commondir");
    let common_dir = match small_file(&common) {
        Ok(Some(bytes)) => {
            let named = git_dir.join(path_of(trim_line(&bytes)));
            fs::canonicalize(&named).map_err(|error| {
                Refusal::new(format!("{} cannot be reached: {error}", shown_path(&named))).at(toplevel)
            })?
        }
        Ok(None) => git_dir.clone(),
        Err(reason) => return Err(Refusal::new(reason).at(toplevel)),
    };
    Ok(Located { toplevel: toplevel.to_owned(), git_dir, common_dir })
}

/// A `.git` file: `gitdir: PATH`, of a linked worktree, a submodule or a separate folder.
fn linked(toplevel: &Path, dot_git: &Path) -> Result<Located, Refusal> {
    let refuse = |reason: String| Refusal::new(reason).at(toplevel);
    let bytes = small_file(dot_git).map_err(refuse)?.unwrap_or_default();
    let Some(target) = bytes.strip_prefix(b"gitdir:") else {
        return Err(refuse(format!("{} does not begin with \"gitdir:\"", shown_path(dot_git))));
    };
    let named = toplevel.join(path_of(trim_line(target).trim_ascii_start()));
    let git_dir = match fs::canonicalize(&named) {
        Ok(git_dir) => git_dir,
        Err(error) => {
            let reason = format!("{} points to {}, which is not there", shown_path(dot_git), shown_path(&named));
            let pruned_from = entry_of_a_worktree(&named).filter(|_| error.kind() == std::io::ErrorKind::NotFound);
            return Err(Refusal { pruned_from, ..refuse(reason) });
        }
    };
    if never_opened(&git_dir) {
        return Err(refuse(format!(
            "{} points to {}, which is never opened",
            shown_path(dot_git),
            shown_path(&git_dir)
        )));
    }
    located(toplevel, git_dir)
}

/// The git folder, there or not, when a path is that of a linked worktree's entry: `COMMON/worktrees/NAME`.
fn entry_of_a_worktree(git_dir: &Path) -> Option<PathBuf> {
    let entries = git_dir.parent().filter(|entries| entries.file_name() == Some(OsStr::new("worktrees")))?;
    entries.parent().map(Path::to_owned)
}

/// A small regular file's bytes; `None` when it is not there.
fn small_file(path: &Path) -> Result<Option<Vec<u8>>, String> {
    match regular(path)? {
        None => Ok(None),
        Some(_) => plain::read_bounded(path, 4096)
            .map(Some)
            .map_err(|error| format!("{} cannot be read: {error}", shown_path(path))),
    }
}

fn trim_line(bytes: &[u8]) -> &[u8] {
    bytes.strip_suffix(b"\n").map(|rest| rest.strip_suffix(b"\r").unwrap_or(rest)).unwrap_or(bytes)
}

/// The length of a regular file, `None` when nothing is there, a reason when it is something else.
fn regular(path: &Path) -> Result<Option<u64>, String> {
    match fs::metadata(path) {
        Ok(meta) if meta.is_file() => Ok(Some(meta.len())),
        Ok(_) => Err(format!("{} is not a regular file; it is not opened", shown_path(path))),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(format!("{} cannot be reached: {error}", shown_path(path))),
    }
}

/// Opens a located repository, or says why not.
pub(crate) fn open(located: &Located) -> Result<Repository, Refusal> {
    prepare();
    let refuse = |reason: String| {
        let plain = plain::read(&located.git_dir, &located.common_dir).map(Box::new);
        Refusal { reason, plain, toplevel: Some(located.toplevel.clone()), pruned_from: None }
    };
    look_ahead(located).map_err(refuse)?;
    let flags = RepositoryOpenFlags::NO_SEARCH;
    let repo = Repository::open_ext(&located.toplevel, flags, &[] as &[&OsStr]).map_err(|error| {
        if error.code() == git2::ErrorCode::Owner {
            // Another owner's repository is reported, not opened: not even its plain files are shown.
            return Refusal::new(foreign_owner(&located.toplevel)).at(&located.toplevel);
        }
        refuse(format!("libgit2 cannot open it: {}", quoted(error.message())))
    })?;
    let workdir = repo.workdir().map(Path::to_owned);
    let workdir = workdir.filter(|path| *path == located.toplevel).or_else(|| fs::canonicalize(repo.workdir()?).ok());
    if workdir.as_deref() != Some(&located.toplevel) {
        let told = workdir.map_or_else(|| "no working tree".to_owned(), |path| shown_path(&path));
        return Err(refuse(format!(
            "its configuration names {told} as its working tree, expected {}; it is not followed there",
            shown_path(&located.toplevel)
        )));
    }
    Ok(repo)
}

fn foreign_owner(toplevel: &Path) -> String {
    let path = shown_path(toplevel);
    let word = path.replace('\'', "'\\''");
    format!("{path} is owned by another user. If you trust it: git config --global --add safe.directory '{word}'")
}

/// Everything that libgit2 reads at opening must be a regular file, or absent.
fn look_ahead(located: &Located) -> Result<(), String> {
    let own = ["HEAD", "index", "config.worktree", "gitdir", "MERGE_HEAD", "info/sparse-checkout"];
    let common = [
        "packed-refs",
        "shallow",
        "info/exclude",
        "info/attributes",
        "info/grafts",
        "objects/info/alternates",
        "objects/info/commit-graph",
    ];
    let files = own
        .iter()
        .map(|name| located.git_dir.join(name))
        .chain(common.iter().map(|name| located.common_dir.join(name)));
    for file in files.chain([located.toplevel.join(".gitignore"), located.toplevel.join(".gitattributes")]) {
        match fs::metadata(&file) {
            Ok(meta) if meta.is_dir() => {} // libgit2 takes a folder of such a name for nothing
            Ok(meta) if !meta.is_file() => {
                return Err(format!("{} is not a regular file; it is not opened", shown_path(&file)));
            }
            _ => {}
        }
    }
    let mut config = Configured::default();
    config.read(&located.common_dir.join("config"), 0)?;
    config.read(&located.git_dir.join("config.worktree"), 0)?;
    if let Some(format) = config.object_format.filter(|format| format != "sha1") {
        return Err(format!("its objects are named by {}, which libgit2 cannot read", quoted(&format).to_uppercase()));
    }
    if let Some(storage) = config.ref_storage.filter(|storage| storage != "files") {
        return Err(format!("its references are kept as {}, which libgit2 cannot read", quoted(&storage)));
    }
    Ok(())
}

/// What the repository's own configuration says that decides whether it can be opened.
#[derive(Default)]
struct Configured {
    object_format: Option<String>,
    ref_storage: Option<String>,
}

impl Configured {
    /// Reads a configuration file and its includes. Only roughly: libgit2 does the real reading afterwards.
    fn read(&mut self, path: &Path, depth: u32) -> Result<(), String> {
        let Some(length) = regular(path)? else { return Ok(()) };
        let real =
            fs::canonicalize(path).map_err(|error| format!("{} cannot be reached: {error}", shown_path(path)))?;
        if never_opened(&real) {
            return Err(format!("{} is a place of the system that is never opened", shown_path(&real)));
        }
        if length > CONFIG_BYTES || depth > INCLUDE_DEPTH {
            return Err(format!("{} is too large or included too deeply for a configuration", shown_path(path)));
        }
        let mut text = Vec::new();
        File::open(path)
            .and_then(|file| file.take(CONFIG_BYTES).read_to_end(&mut text))
            .map_err(|error| format!("{} cannot be read: {error}", shown_path(path)))?;
        let text = String::from_utf8_lossy(&text);
        let mut section = String::new();
        for line in text.lines().map(str::trim) {
            let mut rest = line;
            if let Some(header) = line.strip_prefix('[') {
                let (name, after) = header.split_once(']').unwrap_or((header, ""));
                section = name.split([' ', '.', '"']).next().unwrap_or_default().to_lowercase();
                rest = after.trim();
            }
            let Some((key, value)) = rest.split_once('=') else { continue };
            let value = value.trim().trim_matches('"');
            match (section.as_str(), key.trim().to_lowercase().as_str()) {
                ("include" | "includeif", "path") if !value.starts_with('~') => {
                    let base = path.parent().unwrap_or(Path::new("/"));
                    self.read(&base.join(value), depth + 1)?;
                }
                ("extensions", "objectformat") => self.object_format = Some(value.to_lowercase()),
                ("extensions", "refstorage") => self.ref_storage = Some(value.to_lowercase()),
                _ => {}
            }
        }
        Ok(())
    }
}
