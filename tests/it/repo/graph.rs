//! The commit-graph: the same answers as git's, with it and without; used where git uses it, and nowhere else.

use crate::support::{BUDGET, Fixture, git, git_output, worker};
use handoff::{Handoff, Text, Tree};
use repo::{Question, Relation, Verdict, glance};
use std::fmt::Write as _;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// Small numbers from a fixed beginning.
struct Dice(u64);

impl Dice {
    fn roll(&mut self, sides: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % sides
    }
}

fn question(dir: &Path, head: &str) -> Question {
    let tree =
        Tree { worktree: Some(Text::made(dir.to_string_lossy())), head: Some(Text::made(head)), ..Tree::default() };
    Question { handoff: Handoff { trees: vec![tree], ..Handoff::default() }, ..Question::default() }
}

/// Imports commits `from..to` of a tangled history: merges of up to six parents, several roots, clocks that go wrong.
fn import(dir: &Path, dice: &mut Dice, from: usize, to: usize) {
    let mut stream = String::new();
    for n in from..to {
        let when = 1_790_000_000 + n * 60 - if dice.roll(9) == 0 { 50_000 } else { 0 };
        write!(stream, "commit refs/heads/c{n}\nmark :{}\ncommitter Ada <a@b> {when} +0000\ndata 1\nx\n", n + 1)
            .expect("text");
        let parents = match dice.roll(12) {
            0 if n > 40 => 6,
            1 | 2 => 2,
            3 if n < 60 => 0,
            _ => 1,
        };
        let mut seen = Vec::new();
        for at in 0..parents.min(n) {
            let parent = n - 1 - dice.roll(n.min(25));
            if seen.contains(&parent) {
                continue;
            }
            seen.push(parent);
            let name = if parent < from { format!("refs/heads/c{parent}^0") } else { format!(":{}", parent + 1) };
            writeln!(stream, "{} {name}", if at == 0 { "from" } else { "merge" }).expect("text");
        }
        writeln!(stream, "M 100644 inline f{n}\ndata 1\ny").expect("text");
    }
    let mut child = Command::new("git")
        .arg("-C")
        .arg(dir)
        .args(["fast-import", "--quiet", "--date-format=raw"])
        .stdin(Stdio::piped())
        .spawn()
        .expect("git runs");
    child.stdin.take().expect("its input").write_all(stream.as_bytes()).expect("it reads");
    assert!(child.wait().expect("it ends").success());
}

fn tangled() -> (tempfile::TempDir, PathBuf, Dice) {
    let room = tempfile::tempdir().expect("a folder");
    let dir = room.path().canonicalize().expect("a real folder").join("repo");
    assert!(Command::new("git").args(["init", "-q", "-b", "c0"]).arg(&dir).status().expect("git runs").success());
    let mut dice = Dice(20_261_202);
    import(&dir, &mut dice, 0, 300);
    (room, dir, dice)
}

/// Holds thirty pairs of commits against git's own counts.
fn agrees(dir: &Path, dice: &mut Dice, commits: usize, what: &str) {
    let id = |n: usize| git(dir, &["rev-parse", &format!("c{n}")]);
    for _ in 0..30 {
        let (head, base) = (commits - 1 - dice.roll(40), dice.roll(commits));
        git(dir, &["symbolic-ref", "HEAD", &format!("refs/heads/c{head}")]);
        let (head, base) = (id(head), id(base));
        let counts = git(dir, &["rev-list", "--left-right", "--count", &format!("{head}...{base}")]);
        let drift = glance(&question(dir, &base));
        assert_eq!(format!("{}\t{}", drift.ahead, drift.behind), counts, "{what}: {head} {base} {}", drift.message);
        let newest = repo::look(&question(dir, &base), &|| false).commits;
        let expected = git(dir, &["rev-list", "--date-order", &head, &format!("^{base}")]);
        let mut told: Vec<_> = newest.iter().map(|commit| commit.id.as_str()).collect();
        let mut expected: Vec<_> = expected.lines().collect();
        assert_eq!(told.first(), expected.first(), "{what}: the newest comes first");
        told.sort_unstable();
        expected.sort_unstable();
        assert_eq!(told, expected, "{what}");
    }
}

#[test]
fn with_one_file_with_a_chain_and_with_newer_commits_the_counts_are_gits() {
    let (_room, dir, mut dice) = tangled();
    agrees(&dir, &mut dice, 300, "no graph");
    git(&dir, &["commit-graph", "write", "--reachable"]);
    assert!(dir.join(".git/objects/info/commit-graph").exists());
    agrees(&dir, &mut dice, 300, "one file");
    import(&dir, &mut dice, 300, 420);
    agrees(&dir, &mut dice, 420, "newer commits");
    std::fs::remove_file(dir.join(".git/objects/info/commit-graph")).expect("it is there");
    for (from, to) in [(420, 520), (520, 600)] {
        git(&dir, &["commit-graph", "write", "--reachable", "--split=no-merge"]);
        import(&dir, &mut dice, from, to);
    }
    let chain =
        std::fs::read_to_string(dir.join(".git/objects/info/commit-graphs/commit-graph-chain")).expect("a chain");
    assert!(chain.lines().count() > 1, "{chain}");
    agrees(&dir, &mut dice, 600, "a chain and newer commits");
}

/// A straight line of 40 commits of which one in the middle has lost its object, so that only the graph knows its parents.
fn holed() -> Fixture {
    Fixture::new("history.sh", "holed")
}

#[test]
fn the_graph_is_used_where_git_uses_it() {
    let fixture = holed();
    let drift = glance(&fixture.question());
    assert_eq!((drift.relation, drift.ahead), (Relation::Ahead, 40), "{}", drift.message);
    let is_ancestor = ["merge-base", "--is-ancestor", fixture.head(), "HEAD"];
    assert!(git_output(&fixture.worktree(), &is_ancestor).status.success(), "git does so too");
}

#[test]
fn the_graph_is_not_used_where_git_does_not_use_it() {
    for (how, set) in [
        ("turned off", "git config core.commitGraph false"),
        ("replaced", "git replace HEAD HEAD~1"),
        ("replaced, packed", "git replace HEAD HEAD~1; git pack-refs --all"),
        ("grafted", "git rev-parse HEAD >.git/info/grafts"),
        ("gone", "rm .git/objects/info/commit-graph"),
        ("cut short", "f=.git/objects/info/commit-graph; chmod u+w $f; head -c 1500 $f >x; mv x $f"),
        (
            "of another version",
            "f=.git/objects/info/commit-graph; chmod u+w $f; printf 'CGPH\\2' | dd of=$f conv=notrunc 2>/dev/null",
        ),
        (
            "a chain that names what is not there",
            "cd .git/objects/info; rm commit-graph; mkdir commit-graphs; printf '%040d\\n' 1 >commit-graphs/commit-graph-chain",
        ),
    ] {
        let fixture = holed();
        let status = Command::new("sh").args(["-ec", set]).current_dir(fixture.worktree()).status().expect("sh runs");
        assert!(status.success(), "{how}");
        let drift = glance(&fixture.question());
        if how == "grafted" {
            assert_eq!(drift.relation, Relation::Diverged, "the graft makes HEAD a root: {}", drift.message);
            continue;
        }
        assert_eq!(drift.verdict, Verdict::NotInspectable, "{how}: {}", drift.message);
        assert!(drift.message.contains("history cannot be read"), "{how}: {}", drift.message);
    }
}

#[test]
fn a_graph_that_does_not_hold_together_changes_no_answer() {
    let fixture = Fixture::new("history.sh", "far");
    fixture.git(&["commit-graph", "write", "--reachable"]);
    let path = fixture.worktree().join(".git/objects/info/commit-graph");
    let good = std::fs::read(&path).expect("a graph");
    std::fs::remove_file(&path).expect("it can be removed");
    let expected = glance(&fixture.question());
    let mut dice = Dice(7);
    for round in 0..200 {
        // Levels and parents that make no sense: rows begin behind fan-out and ids.
        let mut bad = good.clone();
        let from = bad.len() - 20 - dice.roll(262 * 36);
        for byte in bad.iter_mut().skip(from).take(1 + dice.roll(8)) {
            *byte = 0xff;
        }
        if round % 5 == 0 {
            bad.truncate(from);
        }
        std::fs::write(&path, &bad).expect("it is written");
        let drift = glance(&fixture.question());
        assert!(matches!(drift.verdict, Verdict::MovedOn | Verdict::Diverged | Verdict::Behind), "{round}: {drift:?}");
    }
    std::fs::write(&path, &good).expect("it is written");
    assert_eq!(glance(&fixture.question()), expected);
}

#[test]
fn a_pipe_in_place_of_a_graph_keeps_nobody_waiting() {
    let fixture = Fixture::new("history.sh", "far");
    let info = fixture.worktree().join(".git/objects/info");
    let made = "mkdir commit-graphs; mkfifo commit-graphs/commit-graph-chain";
    assert!(Command::new("sh").args(["-ec", made]).current_dir(&info).status().expect("sh runs").success());
    assert_eq!(worker().glance(&fixture.question(), BUDGET).verdict, Verdict::MovedOn);
    let made =
        "cd commit-graphs; rm *; printf '%040d\\n' 1 >commit-graph-chain; mkfifo graph-$(cat commit-graph-chain).graph";
    assert!(Command::new("sh").args(["-ec", made]).current_dir(&info).status().expect("sh runs").success());
    assert_eq!(worker().glance(&fixture.question(), BUDGET).verdict, Verdict::MovedOn);
}
