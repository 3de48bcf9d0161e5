//! Random lives of a handoff against a small model of its states: after every step the desk says what the model says,
//! in the fold, in the list, and on two desks over the same home.

mod expected;

use crate::report::Report;
use crate::{Form, Programs, limit};
use desk::view::{ListName, State};
use desk::{Approve, Caller, ClaimRequest, Decision, Desk, Filter, Finish, Mark, Options};
use expected::{Expected, Token};
use proptest::prelude::*;
use proptest::test_runner::{Config, TestCaseError, TestError, TestRunner};
use std::cell::{Cell, RefCell};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// 2026-11-01T00:00:00Z.
const START: i64 = 1_793_491_200_000;
const MINUTE: i64 = 60_000;
const STEPS: usize = 40;
/// A life in so many is compared with what the program prints, too.
const PRINTED: u64 = 10;
/// Everything that a document without a repository may need acknowledged.
const ACK: &[&str] = &["no_repository", "not_recorded", "worktree_gone", "weak_fingerprint", "extra"];

thread_local! {
    static NOW: Cell<i64> = const { Cell::new(START) };
}

fn now() -> i64 {
    NOW.get()
}

/// Something that happens.
#[derive(Clone, Debug)]
pub enum Step {
    /// Somebody saves this version of the document.
    Save(usize),
    Approve,
    Decide(usize),
    Mark(usize),
    /// An executor claims for so many minutes.
    Claim(u32),
    Heartbeat(Token),
    Running(Token),
    Finish(Token, usize),
    /// A release with the number of the last claim, or with another.
    Release(bool),
    /// So many minutes go by.
    Pass(i64),
    /// The program ends and is started anew.
    Restart,
}

const DECISIONS: [Decision; 5] = [Decision::Return, Decision::Skip, Decision::Stop, Decision::Expire, Decision::Reopen];
const MARKS: [Mark; 4] = [Mark::Done, Mark::Failed, Mark::Resumed, Mark::Superseded];
const OUTCOMES: [&str; 4] = ["verified", "done", "failed", "returned"];

fn step() -> impl Strategy<Value = Step> {
    let token = || prop_oneof![6 => Just(Token::Last), 2 => Just(Token::Earlier), 1 => Just(Token::Forged)];
    prop_oneof![
        3 => (0..3_usize).prop_map(Step::Save),
        8 => Just(Step::Approve),
        4 => (0..DECISIONS.len()).prop_map(Step::Decide),
        1 => (0..MARKS.len()).prop_map(Step::Mark),
        8 => prop_oneof![Just(1_u32), Just(15)].prop_map(Step::Claim),
        2 => token().prop_map(Step::Heartbeat),
        3 => token().prop_map(Step::Running),
        4 => (token(), 0..OUTCOMES.len()).prop_map(|(token, outcome)| Step::Finish(token, outcome)),
        3 => any::<bool>().prop_map(Step::Release),
        3 => prop_oneof![Just(1_i64), Just(16), Just(25 * 60)].prop_map(Step::Pass),
        1 => Just(Step::Restart),
    ]
}

/// Lives.
pub fn run(programs: &Programs, form: Form) -> Report {
    let mut report =
        Report::new("model", "Whatever happens in whatever order, the state is the one that the model says.");
    let lives = form.of(30, 2_000_u32);
    let threads = 2;
    let all: Vec<Counted> = std::thread::scope(|scope| {
        let running: Vec<_> = (0..threads).map(|_| scope.spawn(|| live(programs, lives / threads))).collect();
        running.into_iter().map(|one| one.join().expect("no panic")).collect()
    });
    let count = |of: fn(&Counted) -> u64| all.iter().map(of).sum::<u64>();
    report.at_least("lives", count(|one| one.lives), u64::from(lives));
    report.at_least("steps", count(|one| one.steps), u64::from(lives) * STEPS as u64);
    report.figure("steps that the desk refused, as the model does", count(|one| one.refused));
    report.figure("claims", count(|one| one.claims));
    report.figure("lives compared with what the program prints", count(|one| one.printed));
    let differing: Vec<String> = all.into_iter().filter_map(|one| one.differing).collect();
    report.none("lives that went otherwise", &differing);
    report.done()
}

#[derive(Default)]
struct Counted {
    lives: u64,
    steps: u64,
    refused: u64,
    claims: u64,
    printed: u64,
    differing: Option<String>,
}

fn live(programs: &Programs, lives: u32) -> Counted {
    let counted = RefCell::new(Counted::default());
    let config = Config {
        cases: lives,
        failure_persistence: None,
        max_shrink_iters: if crate::is_sabotaged() { 0 } else { 60 },
        ..Config::default()
    };
    let outcome = TestRunner::new(config).run(&prop::collection::vec(step(), STEPS), |steps| {
        one_life(programs, &steps, &mut counted.borrow_mut()).map_err(TestCaseError::fail)
    });
    let mut counted = counted.into_inner();
    counted.differing = match outcome {
        Ok(()) => None,
        Err(TestError::Fail(why, steps)) => Some(format!("{why} after {steps:?}")),
        Err(TestError::Abort(why)) => Some(why.to_string()),
    };
    counted
}

/// A handoff in a folder without a repository, and the desks on one home.
struct Life<'a> {
    programs: &'a Programs,
    root: PathBuf,
    path: PathBuf,
    desks: [Desk; 2],
    tokens: Vec<String>,
    expected: Expected,
}

fn one_life(programs: &Programs, steps: &[Step], counted: &mut Counted) -> Result<(), String> {
    NOW.set(START);
    let folder = tempfile::tempdir().expect("a folder");
    let mut life = Life::new(programs, folder.path());
    for (at, step) in steps.iter().enumerate() {
        let did = life.act(step, at % 2);
        let may = life.expected.act(step);
        counted.steps += 1;
        counted.refused += u64::from(!may);
        match (&did, may) {
            (Ok(()), false) => return Err(format!("step {at}, {step:?}, was done and must be refused")),
            (Err(error), true) => return Err(format!("step {at}, {step:?}, was refused: {error}")),
            _ => {}
        }
        life.compare(at, step)?;
    }
    counted.claims += life.tokens.len() as u64;
    counted.lives += 1;
    let found = life.desks[0].verify().map_err(|error| error.to_string())?;
    if !found.ok {
        return Err(found.problems.join(" "));
    }
    if counted.lives.is_multiple_of(PRINTED) {
        counted.printed += 1;
        life.compare_printed()?;
    }
    Ok(())
}

impl<'a> Life<'a> {
    fn new(programs: &'a Programs, folder: &Path) -> Self {
        let root = folder.to_owned();
        for name in ["fuda", "person", "plain"] {
            fs::create_dir_all(root.join(name)).expect("made");
        }
        let roots = root.join("plain").display().to_string();
        let config = format!("[[profile]]\nname = \"work\"\nagent = \"generic\"\nroots = [{roots:?}]\n");
        fs::write(root.join("fuda/config.toml"), config).expect("written");
        let path = root.join("plain/HANDOFF.md");
        fs::write(&path, version(0)).expect("written");
        let desks = [open(programs, &root), open(programs, &root)];
        desks[0].index_now(&|_| {}, &|| false).expect("scanned");
        Self { programs, root, path, desks, tokens: Vec::new(), expected: Expected::new(START) }
    }

    fn act(&mut self, step: &Step, which: usize) -> Result<(), desk::Error> {
        let id = self.path.display().to_string();
        let desk = &self.desks[which];
        match step {
            Step::Save(number) => {
                fs::write(&self.path, version(*number)).expect("saved");
                // As the watch does it: the list is of the last scan.
                desk.index_now(&|_| {}, &|| false)?;
            }
            Step::Approve => {
                let ack = ACK.iter().map(|code| (*code).to_owned()).collect();
                let rev = handoff::revision(&fs::read(&self.path).expect("read"));
                desk.approve(&id, &Approve { rev, ack, ..Approve::default() })?;
            }
            Step::Decide(number) => {
                desk.decide(&id, DECISIONS[*number], Some("as it happened"))?;
            }
            Step::Mark(number) => {
                desk.mark(&id, MARKS[*number], None)?;
            }
            Step::Claim(minutes) => {
                let request = ClaimRequest {
                    by: format!("executor-{}", self.tokens.len()),
                    lease_seconds: Some(minutes * 60),
                    ..ClaimRequest::default()
                };
                let claimed = desk.claim(&id, &request)?;
                self.expected.number(claimed.claim);
                self.tokens.push(claimed.token);
            }
            Step::Heartbeat(token) => {
                desk.heartbeat(&id, &self.token(*token))?;
            }
            Step::Running(token) => {
                desk.running(&id, &self.token(*token))?;
            }
            Step::Finish(token, outcome) => {
                let finish = Finish {
                    outcome: OUTCOMES[*outcome].to_owned(),
                    note: Some("what is known now".to_owned()),
                    log: None,
                };
                desk.finish(&id, &self.token(*token), &finish)?;
            }
            Step::Release(right) => {
                let number = self.expected.last_number() + i64::from(!right);
                desk.release(&id, number, "somebody looked")?;
            }
            Step::Pass(minutes) => NOW.set(NOW.get() + minutes * MINUTE),
            Step::Restart => self.desks[which] = open(self.programs, &self.root),
        }
        Ok(())
    }

    fn token(&self, which: Token) -> String {
        let last = self.tokens.last().cloned().unwrap_or_else(|| "1-none".to_owned());
        match which {
            Token::Last => last,
            Token::Earlier => self.tokens.iter().rev().nth(1).cloned().unwrap_or_else(|| "1-none".to_owned()),
            Token::Forged => format!("{}-forged", last.split('-').next().unwrap_or("1")),
        }
    }

    /// The other desk by the fold, this one by the list.
    fn compare(&mut self, at: usize, step: &Step) -> Result<(), String> {
        let expected = self.expected.state(now());
        let id = self.path.display().to_string();
        let failed = |error: desk::Error| format!("step {at}, {step:?}: {error}");
        let [this, other] = [at % 2, (at + 1) % 2].map(|number| &self.desks[number]);
        let detail = other.detail(&id).map_err(failed)?;
        if detail.state != expected || detail.claim.is_some() != self.expected.is_held(now()) {
            let reason = detail.state_reason;
            return Err(format!(
                "step {at}, {step:?}: the desk says {:?} ({reason:?}), the model {expected:?}",
                detail.state
            ));
        }
        let filter = Filter { list: ListName::All, ..Filter::default() };
        let listed = this.handoffs(&filter).map_err(failed)?.rows.first().map(|row| row.state);
        if listed != Some(expected) {
            return Err(format!("step {at}, {step:?}: the list says {listed:?}, the model {expected:?}"));
        }
        Ok(())
    }

    /// The command line, with its own clock: only what no time can end is compared.
    fn compare_printed(&mut self) -> Result<(), String> {
        let expected = self.expected.state(now());
        if matches!(expected, State::Approved | State::Claimed | State::Running) {
            return Ok(());
        }
        let mut command = Command::new(&self.programs.fuda);
        command
            .args(["--json", "show"])
            .arg(&self.path)
            .env_clear()
            .env("HOME", self.root.join("person"))
            .env("FUDA_HOME", self.root.join("fuda"))
            .stdin(Stdio::null());
        let output = limit::output_of(&mut command).map_err(|error| error.to_string())?;
        let shown: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap_or_default();
        let word = serde_json::to_value(expected).unwrap_or_default();
        if shown["state"] == word {
            Ok(())
        } else {
            Err(format!("fuda show says {}, the model {word}", shown["state"]))
        }
    }
}

fn open(programs: &Programs, root: &Path) -> Desk {
    Desk::open(Options {
        root: root.join("fuda"),
        home: root.join("person"),
        worker: (programs.fuda.clone(), vec!["worker".to_owned()]),
        now_ms: now,
        caller: Caller { host: "command line", ..Caller::default() },
    })
    .expect("a desk")
}

fn version(number: usize) -> String {
    format!("# Handoff\n\n## Goal\n\nMove ingest, in version {number}.\n\n## Next steps\n\n- [ ] Drain it\n")
}
