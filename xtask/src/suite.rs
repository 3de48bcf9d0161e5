//! The Rust tests, all of them also after a failure, and what failed once more by itself.
//!
//! Many start processes and windows on a machine that others load. One that fails among the others and passes alone has
//! lost a race: it is named at the end, because the race is a fault to be found, and does not hide what the rest says.

use anyhow::{Context, Result, bail};
use std::collections::BTreeSet;
use std::io::{BufRead, BufReader, Read, Write};
use std::process::{Command, Stdio};
use std::thread;

/// More failures than this are no lost race.
const AT_MOST: usize = 5;

/// What of the output tells which tests failed: the lines of libtest and the list that cargo ends with.
#[derive(Debug, Default, PartialEq)]
struct Failures {
    tests: BTreeSet<String>,
    targets: BTreeSet<String>,
}

impl Failures {
    fn line(&mut self, line: &str) {
        let test = line.strip_prefix("test ").and_then(|rest| rest.strip_suffix(" ... FAILED"));
        self.tests.extend(test.map(str::to_owned));
        let target = line.trim_start().strip_prefix("`-p ").and_then(|rest| rest.strip_suffix('`'));
        // Without its package: which features are on must not change from one run to the next.
        self.targets.extend(target.and_then(|target| Some(target.split_once(' ')?.1.to_owned())));
    }

    /// Without a test's name it was not a test that failed.
    fn can_run_again(&self) -> bool {
        (1..=AT_MOST).contains(&self.tests.len()) && !self.targets.is_empty()
    }
}

/// Runs `tests`, which is made anew for each run and ends with the words of `cargo test`.
pub fn run(tests: &dyn Fn() -> Command) -> Result<()> {
    let mut all = tests();
    all.arg("--workspace").arg("--no-fail-fast");
    let Some(failed) = failures_of(&mut all)? else { return Ok(()) };
    if !failed.can_run_again() {
        bail!("tests: {} failed in {}", failed.tests.len(), listed(&failed.targets));
    }
    for target in &failed.targets {
        eprintln!("xtask: once more, alone: {}", listed(&failed.tests));
        let mut again = tests();
        again
            .arg("--workspace")
            .args(target.split(' '))
            .args(["--", "--exact", "--test-threads=1"])
            .args(&failed.tests);
        if let Some(still) = failures_of(&mut again)? {
            bail!("tests: failed twice in {target}: {}", listed(&still.tests));
        }
    }
    eprintln!("xtask: failed among the others and passed alone, so a race to be found: {}", listed(&failed.tests));
    Ok(())
}

/// Runs the page's tests, and after a failure all of them once more.
pub fn page(tests: &dyn Fn() -> Command) -> Result<()> {
    for last in [false, true] {
        let mut command = tests();
        let status = command.status().with_context(|| format!("could not start {command:?}"))?;
        match (status.success(), last) {
            (true, false) => return Ok(()),
            (true, true) => eprintln!("xtask: browser tests: passed only the second time, so a race to be found above"),
            (false, false) => eprintln!("xtask: browser tests: {status}; once more"),
            (false, true) => bail!("browser tests: {status}, twice"),
        }
    }
    Ok(())
}

fn listed(names: &BTreeSet<String>) -> String {
    names.iter().map(String::as_str).collect::<Vec<_>>().join(", ")
}

/// Runs and shows all it prints; none when nothing failed.
fn failures_of(command: &mut Command) -> Result<Option<Failures>> {
    let mut child = command
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .with_context(|| format!("could not start {command:?}"))?;
    let (out, err) = (child.stdout.take(), child.stderr.take());
    let errors = thread::spawn(move || shown(err, std::io::stderr()));
    let mut failed = shown(out, std::io::stdout())?;
    let more = errors.join().map_err(|_| anyhow::anyhow!("the reader of standard error ended early"))??;
    failed.tests.extend(more.tests);
    failed.targets.extend(more.targets);
    let status = child.wait()?;
    Ok((!status.success()).then_some(failed))
}

fn shown(from: Option<impl Read>, mut to: impl Write) -> Result<Failures> {
    let mut failed = Failures::default();
    let Some(from) = from else { return Ok(failed) };
    for line in BufReader::new(from).split(b'\n') {
        let line = line?;
        to.write_all(&line)?;
        to.write_all(b"\n")?;
        failed.line(&String::from_utf8_lossy(&line));
    }
    Ok(failed)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(output: &str) -> Failures {
        shown(Some(output.as_bytes()), std::io::sink()).expect("read")
    }

    #[test]
    fn failed_tests_and_their_targets_are_found_in_what_cargo_prints() {
        let failed = read(
            "test kept ... ok\ntest a_run_ends ... FAILED\n\nfailures:\n    a_run_ends\n\n\
             error: 1 target failed:\n    `-p cli --test start`\n",
        );
        assert_eq!(failed.tests, BTreeSet::from(["a_run_ends".to_owned()]));
        assert_eq!(failed.targets, BTreeSet::from(["--test start".to_owned()]));
        assert!(failed.can_run_again());
    }

    #[test]
    fn what_does_not_build_and_what_fails_in_many_places_is_not_run_again() {
        assert!(!read("error: could not compile `cli`\n").can_run_again());
        let many: String = (0..=AT_MOST).map(|test| format!("test t{test} ... FAILED\n")).collect();
        assert!(!read(&format!("{many}    `-p cli --test start`\n")).can_run_again());
    }
}
