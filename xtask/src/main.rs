//! What a person or a machine does with the source: set up, start, test. One command each.

mod demo;
mod suite;

use anyhow::{Context, Result, bail};
use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

/// Debian packages that building and testing the window needs.
const PACKAGES: &[&str] = &[
    "libwebkit2gtk-4.1-dev",
    "xvfb",
    "xauth",
    "webkit2gtk-driver",
    "chromium",
    "fonts-noto-cjk",
    "git",
    "pkg-config",
    "dbus",
    "strace",
    "e2fsprogs",
    "xfsprogs",
];
const WINDOW: &[&str] = &["--features", "fuda-app/custom-protocol"];

fn main() -> ExitCode {
    let arguments: Vec<String> = env::args().skip(1).collect();
    let done = match arguments.iter().map(String::as_str).collect::<Vec<_>>().as_slice() {
        ["setup"] => setup(),
        ["run"] => start(),
        ["test"] => test(),
        ["faults", parts @ ..] => faults(parts),
        ["agents"] => agents(),
        ["demo", folder] => demo::build(Path::new(folder), &built("fuda")),
        _ => {
            eprintln!("cargo xtask setup | run | test | faults [PART…] | agents | demo DIR");
            return ExitCode::from(2);
        }
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("xtask: {error:#}");
            ExitCode::FAILURE
        }
    }
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().map(Path::to_owned).unwrap_or_default()
}

fn target() -> PathBuf {
    env::var_os("CARGO_TARGET_DIR").map_or_else(|| root().join("target"), |folder| root().join(folder))
}

fn built(program: &str) -> PathBuf {
    target().join("debug").join(program)
}

fn step(name: &str, command: &mut Command) -> Result<()> {
    eprintln!("xtask: {name}");
    let status =
        command.current_dir(root()).status().with_context(|| format!("{name}: could not start {command:?}"))?;
    if !status.success() {
        bail!("{name}: {command:?} ended with {status}");
    }
    Ok(())
}

fn npm(arguments: &[&str]) -> Command {
    let mut command = Command::new("npm");
    command.args(["--prefix", "ui"]).args(arguments);
    command
}

fn cargo(arguments: &[&str]) -> Command {
    let mut command = Command::new(env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    command.args(arguments);
    command
}

/// Installs what is missing and builds the page.
fn setup() -> Result<()> {
    let missing: Vec<&str> = PACKAGES.iter().filter(|package| !installed(package)).copied().collect();
    if !missing.is_empty() {
        if !Path::new("/usr/bin/apt-get").exists() {
            bail!("these packages are needed: {}. Install them with the system's own tool", missing.join(" "));
        }
        step("look for system packages", apt(&["update"]).env("DEBIAN_FRONTEND", "noninteractive"))?;
        step(
            "install system packages",
            apt(&["install", "-y", "--no-install-recommends"]).args(&missing).env("DEBIAN_FRONTEND", "noninteractive"),
        )?;
    }
    if !root().join("ui/node_modules/.package-lock.json").exists() {
        step("install the page's packages", &mut npm(&["ci", "--no-audit", "--no-fund"]))?;
    }
    step("build the page", &mut npm(&["run", "build"]))
}

fn installed(package: &str) -> bool {
    Command::new("dpkg-query")
        .args(["-W", "-f=${Status}", package])
        .output()
        .is_ok_and(|output| String::from_utf8_lossy(&output.stdout).contains("install ok installed"))
}

/// `apt-get`, through sudo for those who are not root.
fn apt(arguments: &[&str]) -> Command {
    let root = Command::new("id").arg("-u").output().is_ok_and(|output| output.stdout.starts_with(b"0"));
    let mut command = Command::new(if root { "apt-get" } else { "sudo" });
    if !root {
        command.arg("apt-get");
    }
    command.args(arguments);
    command
}

fn build() -> Result<()> {
    step("build the programs", cargo(&["build", "-p", "cli", "-p", "fuda-app"]).args(WINDOW))
}

/// Starts the window; on the demonstration when nothing is configured.
fn start() -> Result<()> {
    setup()?;
    build()?;
    let mut app = Command::new(built("fuda-app"));
    let profiles = Command::new(built("fuda")).args(["--json", "profiles"]).output().context("start fuda")?;
    if profiles.stdout.is_empty() && env::var_os("FUDA_HOME").is_none_or(|home| home.is_empty()) {
        let folder = target().join("demo");
        demo::build(&folder, &built("fuda"))?;
        app.env("FUDA_HOME", folder.join("fuda"));
    }
    step("start the window", &mut app)
}

/// The long form: agents' own programs from npm, on a model server of this machine.
fn agents() -> Result<()> {
    let tests = ["test", "-p", "cli", "--test", "agents", "--", "--ignored", "--test-threads=1", "--nocapture"];
    step("real agents", cargo(&tests).env("GIT_CONFIG_NOSYSTEM", "1").env("GIT_CONFIG_GLOBAL", "/dev/null"))
}

/// Every check and every test, the page in a browser and the real window included.
fn test() -> Result<()> {
    setup()?;
    step("formatting", &mut cargo(&["fmt", "--all", "--check"]))?;
    step("clippy", cargo(&["clippy", "--workspace", "--all-targets"]).args(WINDOW).args(["--", "-D", "warnings"]))?;
    step("types of the page", &mut npm(&["run", "check"]))?;
    sabotaged()?;
    build()?;
    demo::build(&target().join("demo"), &built("fuda"))?;
    let xtask = env::current_exe().context("the path of this program")?;
    eprintln!("xtask: browser tests");
    suite::page(&|| {
        let mut tests = npm(&["run", "test:browser"]);
        tests.current_dir(root()).env("FUDA_BIN", built("fuda")).env("FUDA_XTASK", &xtask);
        tests
    })?;
    eprintln!("xtask: tests");
    suite::run(&|| {
        let mut tests = Command::new("xvfb-run");
        tests.args(["-a", "-s", "-screen 0 1440x900x24", "cargo", "test"]).args(WINDOW).current_dir(root());
        tests
            .env("FUDA_APP", built("fuda-app"))
            .env("FUDA_BIN", built("fuda"))
            .env("GIT_CONFIG_NOSYSTEM", "1")
            .env("GIT_CONFIG_GLOBAL", "/dev/null");
        tests
    })
}

/// The long form of the faults, all of it or some parts; what they gave is written to `tests/faults/RESULTS.md`. It takes
/// most of an hour, so it gives way to whatever else the machine does.
fn faults(parts: &[&str]) -> Result<()> {
    setup()?;
    sabotaged()?;
    step("build the programs", &mut cargo(&["build", "-p", "cli", "-p", "faults"]))?;
    let mut faults = Command::new("nice");
    faults.arg(built("faults")).arg("--long").args(parts).env("FUDA_BIN", built("fuda"));
    step("faults, the long form", &mut faults)
}

/// Builds the programs whose safeguards can be taken away and puts them aside, where nothing else looks for a program.
fn sabotaged() -> Result<()> {
    let build = &["build", "-p", "cli", "-p", "faults", "--features", "faults/sabotage"];
    step("build the programs for the sabotage run", &mut cargo(build))?;
    let aside = target().join("sabotage");
    fs::create_dir_all(&aside).with_context(|| aside.display().to_string())?;
    for program in ["fuda", "faults"] {
        // A running one is not written over.
        fs::remove_file(aside.join(program)).ok();
        fs::rename(built(program), aside.join(program)).with_context(|| program.to_owned())?;
    }
    Ok(())
}
