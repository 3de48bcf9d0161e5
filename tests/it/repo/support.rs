//! Fixtures, questions, and git as the oracle.

use handoff::{Handoff, Item, Text, Tree};
use repo::{Drift, Question};
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::LazyLock;
use std::time::Duration;

/// A home without a git configuration, for libgit2 in this process and for workers.
static HOME: LazyLock<tempfile::TempDir> = LazyLock::new(|| {
    let home = tempfile::tempdir().expect("a temporary home");
    repo::use_home(home.path()).expect("libgit2 takes a home");
    home
});

pub fn home() -> &'static Path {
    HOME.path()
}

/// Long enough for a busy machine, short enough to notice a hang.
pub const BUDGET: Duration = Duration::from_secs(5);

pub fn worker() -> repo::Worker {
    repo::Worker::new(env!("CARGO_BIN_EXE_repo-worker").into(), Vec::new()).with_home(home().to_owned())
}

/// A repository that a script made, and what the script said about it.
pub struct Fixture {
    pub dir: tempfile::TempDir,
    facts: BTreeMap<String, String>,
}

impl Fixture {
    pub fn new(script: &str, kind: &str) -> Self {
        LazyLock::force(&HOME);
        let dir = tempfile::tempdir().expect("a temporary folder");
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../tests/repos").join(script);
        let output = clean(Command::new("sh").arg(path).arg(dir.path()).arg(kind)).output().expect("sh runs");
        assert!(output.status.success(), "{script} {kind}: {}", String::from_utf8_lossy(&output.stderr));
        let facts = String::from_utf8(output.stdout)
            .expect("scripts print text")
            .lines()
            .filter_map(|line| line.split_once('=').map(|(key, value)| (key.to_owned(), value.to_owned())))
            .collect();
        Self { dir, facts }
    }

    pub fn fact(&self, name: &str) -> Option<&str> {
        self.facts.get(name).map(String::as_str)
    }

    pub fn worktree(&self) -> PathBuf {
        self.fact("worktree").expect("the script names a worktree").into()
    }

    pub fn head(&self) -> &str {
        self.fact("head").expect("the script names a commit")
    }

    /// What a handoff would have recorded.
    pub fn tree(&self) -> Tree {
        let text = |name: &str| self.fact(name).map(Text::made);
        Tree {
            worktree: text("worktree"),
            branch: text("branch"),
            head: text("head"),
            subject: text("subject"),
            ..Tree::default()
        }
    }

    pub fn question(&self) -> Question {
        Question {
            handoff: Handoff { trees: vec![self.tree()], ..Handoff::default() },
            home: Some(home().to_owned()),
            ..Question::default()
        }
    }

    pub fn look(&self) -> Drift {
        look(&self.question())
    }

    pub fn git(&self, args: &[&str]) -> String {
        git(&self.worktree(), args)
    }

    pub fn write(&self, path: &str, text: &str) {
        let path = self.worktree().join(path);
        std::fs::create_dir_all(path.parent().expect("a file has a folder")).expect("the folder is made");
        std::fs::write(path, text).expect("the file is written");
    }
}

pub fn look(question: &Question) -> Drift {
    repo::look(question, &|| false)
}

pub fn items(texts: &[&str]) -> Vec<Item> {
    texts.iter().map(|text| Item::made(*text)).collect()
}

fn clean(command: &mut Command) -> &mut Command {
    let path = std::env::var_os("PATH").unwrap_or_default();
    command
        .env_clear()
        .env("PATH", path)
        .env("HOME", home_dir())
        .env("GIT_CONFIG_NOSYSTEM", "1")
        .env("GIT_CONFIG_GLOBAL", "/dev/null")
        .env("GIT_OPTIONAL_LOCKS", "0")
        .env("GIT_AUTHOR_NAME", "Ada")
        .env("GIT_AUTHOR_EMAIL", "ada@example.test")
        .env("GIT_COMMITTER_NAME", "Ada")
        .env("GIT_COMMITTER_EMAIL", "ada@example.test")
}

fn home_dir() -> &'static Path {
    Path::new("/nonexistent")
}

pub fn git_output(dir: &Path, args: &[&str]) -> Output {
    clean(Command::new("git").arg("-C").arg(dir).args(["-c", "core.fsmonitor=false"]).args(args))
        .output()
        .expect("git runs")
}

/// Runs git and returns what it prints, lossily, without the last line end.
pub fn git(dir: &Path, args: &[&str]) -> String {
    let output = git_output(dir, args);
    assert!(output.status.success(), "git {args:?}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8_lossy(&output.stdout).trim_end_matches('\n').to_owned()
}

/// Runs git as if it were another time, in git's own words for one.
pub fn git_at(dir: &Path, time: &str, args: &[&str]) {
    let mut command = Command::new("git");
    clean(&mut command).env("GIT_AUTHOR_DATE", time).env("GIT_COMMITTER_DATE", time);
    let output = command.arg("-C").arg(dir).args(args).output().expect("git runs");
    assert!(output.status.success(), "git {args:?}: {}", String::from_utf8_lossy(&output.stderr));
}

/// Fields of `-z` output as this crate shows paths.
fn fields(dir: &Path, args: &[&str]) -> Vec<String> {
    let output = git_output(dir, args);
    assert!(output.status.success(), "git {args:?}: {}", String::from_utf8_lossy(&output.stderr));
    output.stdout.split(|byte| *byte == 0).filter(|field| !field.is_empty()).map(shown).collect()
}

fn shown(bytes: &[u8]) -> String {
    let mut text = String::new();
    for chunk in bytes.utf8_chunks() {
        text.push_str(chunk.valid());
        chunk.invalid().iter().for_each(|byte| text.push_str(&format!("\\x{byte:02x}")));
    }
    text
}

/// What git itself says, in the words of this crate.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Oracle {
    pub head: Option<String>,
    pub branch: Option<String>,
    pub relation: &'static str,
    pub ahead: u32,
    pub behind: u32,
    pub changed: BTreeSet<String>,
    pub staged: u32,
    pub modified: u32,
    pub untracked: u32,
    pub conflicted: u32,
}

/// Asks git. Commits that touch only handoffs are counted here too: cases with such say so themselves.
pub fn oracle(dir: &Path, recorded: Option<&str>) -> Oracle {
    let ok = |args: &[&str]| git_output(dir, args).status.success();
    let mut told = Oracle { relation: "not_recorded", ..Oracle::default() };
    told.head = ok(&["rev-parse", "-q", "--verify", "HEAD"]).then(|| git(dir, &["rev-parse", "HEAD"]));
    told.branch = ok(&["symbolic-ref", "-q", "HEAD"]).then(|| git(dir, &["symbolic-ref", "--short", "HEAD"]));
    let mut base = None;
    if let Some(recorded) = recorded {
        let shallow = git(dir, &["rev-parse", "--is-shallow-repository"]) == "true";
        if !ok(&["cat-file", "-e", &format!("{recorded}^{{commit}}")]) {
            told.relation = if shallow { "shallow" } else { "missing" };
        } else {
            base = Some(recorded);
            let number = |range: String| git(dir, &["rev-list", "--count", &range]).parse::<u32>().expect("a count");
            if told.head.is_some() {
                told.ahead = number(format!("{recorded}..HEAD"));
                told.behind = number(format!("HEAD..{recorded}"));
            } else {
                told.behind = number(recorded.to_owned());
            }
            told.relation = match (told.ahead, told.behind) {
                (0, 0) => "same",
                (_, 0) => "ahead",
                (0, _) => "behind",
                _ => "diverged",
            };
        }
    }
    let since = base.map(str::to_owned).or(told.head.clone());
    if let Some(since) = &since {
        told.changed.extend(fields(
            dir,
            &["diff", "--no-ext-diff", "--no-textconv", "--no-renames", "-z", "--name-only", since],
        ));
    }
    let mut status = fields(dir, &["status", "--porcelain=v1", "-z", "-uall"]).into_iter();
    while let Some(field) = status.next() {
        let (code, path) = field.split_at(3);
        let code = code.as_bytes();
        if code[0] == b'R' || code[0] == b'C' {
            told.changed.extend(status.next());
        }
        match (code[0], code[1]) {
            (b'?', _) => told.untracked += 1,
            (b'U', _) | (_, b'U') | (b'A', b'A') | (b'D', b'D') => told.conflicted += 1,
            (staged, unstaged) => {
                told.staged += u32::from(staged != b' ');
                told.modified += u32::from(unstaged != b' ');
            }
        }
        told.changed.insert(path.to_owned());
    }
    told
}

/// The same of an answer.
pub fn told(drift: &Drift) -> Oracle {
    let status = drift.now.status.unwrap_or_default();
    Oracle {
        head: drift.now.head.clone(),
        branch: drift.now.branch.clone(),
        relation: match drift.relation {
            repo::Relation::Same => "same",
            repo::Relation::Ahead => "ahead",
            repo::Relation::Behind => "behind",
            repo::Relation::Diverged => "diverged",
            repo::Relation::Missing => "missing",
            repo::Relation::Shallow => "shallow",
            repo::Relation::NotRecorded => "not_recorded",
        },
        ahead: drift.ahead,
        behind: drift.behind,
        changed: drift
            .changed
            .iter()
            .flat_map(|changed| [Some(changed.path.clone()), changed.from.clone()])
            .flatten()
            .collect(),
        staged: status.staged,
        modified: status.modified,
        untracked: status.untracked,
        conflicted: status.conflicted,
    }
}

/// Every file and folder below a folder: its bytes, mode and times, for "byte-identical".
pub fn photograph(dir: &Path) -> BTreeMap<PathBuf, String> {
    use std::os::unix::fs::MetadataExt;
    let mut taken = BTreeMap::new();
    let mut folders = vec![dir.to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(&folder).expect("a folder is read").flatten() {
            let path = entry.path();
            let meta = std::fs::symlink_metadata(&path).expect("an entry is there");
            let bytes = if meta.is_file() { std::fs::read(&path).expect("a file is read") } else { Vec::new() };
            let times = (meta.mtime(), meta.mtime_nsec(), meta.ctime(), meta.ctime_nsec());
            taken.insert(path.clone(), format!("{:o} {times:?} {} {bytes:?}", meta.mode(), meta.ino()));
            if meta.is_dir() {
                folders.push(path);
            }
        }
    }
    let meta = std::fs::symlink_metadata(dir).expect("the folder is there");
    taken.insert(dir.to_owned(), format!("{} {}", meta.mtime(), meta.mtime_nsec()));
    taken
}
