//! What every host needs to open the desk: where things are, what time it is, and whether an agent calls.

use crate::ApiError;
use desk::{Caller, Check, Holder};
use serde_json::Value;
use std::path::PathBuf;
use std::time::{SystemTime, UNIX_EPOCH};

/// UTC milliseconds.
pub fn now_ms() -> i64 {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| i64::try_from(since.as_millis()).unwrap_or(i64::MAX))
}

/// The first moment that a person means by a day or a time, as events are stamped.
///
/// # Errors
/// `usage` when it is neither.
pub fn beginning(text: &str) -> Result<String, ApiError> {
    Ok(desk::audit::beginning(text)?)
}

/// The person's home folder: `HOME`, else as the system knows it.
pub fn person_home() -> PathBuf {
    let there = |home: &PathBuf| !home.as_os_str().is_empty();
    std::env::home_dir().filter(there).unwrap_or_else(|| PathBuf::from("/"))
}

/// `FUDA_HOME`, else the platform's data folder. Always absolute: what is found below it is told to other programs.
pub fn default_root() -> PathBuf {
    if let Some(root) = std::env::var_os("FUDA_HOME").filter(|root| !root.is_empty()) {
        return std::path::absolute(&root).unwrap_or_else(|_| PathBuf::from(root));
    }
    // One that is not absolute is to be ignored, as the XDG specification says.
    let data = std::env::var_os("XDG_DATA_HOME").map(PathBuf::from).filter(|path| path.is_absolute());
    data.unwrap_or_else(|| person_home().join(".local/share")).join("fuda")
}

/// Variables that agents set for the programs they start, as their documentation says.
const AGENT_VARIABLES: &[(&str, &str)] = &[
    ("Claude Code", "CLAUDECODE"),
    ("Codex", "CODEX_SANDBOX"),
    ("Codex", "CODEX_THREAD_ID"),
    ("pi", "PI_CODING_AGENT"),
    ("oh-my-pi", "OMPCODE"),
    ("Gemini", "GEMINI_CLI"),
    ("Qwen", "QWEN_CODE"),
    ("opencode", "OPENCODE"),
    ("goose", "GOOSE_TERMINAL"),
    ("Amp", "AMP_THREAD_ID"),
    ("Cursor", "CURSOR_AGENT"),
    ("an agent that fuda resume started", desk::TOKEN_FILE),
];

/// The agent in whose environment this process runs.
fn agent_here() -> Option<(&'static str, &'static str)> {
    AGENT_VARIABLES
        .iter()
        .find(|(_, variable)| std::env::var_os(variable).is_some_and(|value| !value.is_empty()))
        .copied()
}

/// The oldest WebKitGTK with everything that the page uses.
const OLDEST_WEBKIT: (u32, u32) = (2, 42);

/// Whether a window can be shown here and who shows its icon, as the program `fuda-app` beside this one says.
pub(crate) fn window_checks() -> Vec<Check> {
    let check = |name: &str, state: &str, message: String, todo: Option<&str>| Check {
        name: name.to_owned(),
        state: state.to_owned(),
        message,
        todo: todo.map(str::to_owned),
    };
    let program = std::env::current_exe().map(|program| program.with_file_name("fuda-app"));
    let Some(program) = program.ok().filter(|program| program.is_file()) else {
        let todo = "Put fuda-app beside fuda; the command line does everything else.";
        return vec![check("window", "warning", "There is no fuda-app beside this program.".to_owned(), Some(todo))];
    };
    let answer = std::process::Command::new(&program).arg("--check").output();
    let said = answer.ok().and_then(|answer| serde_json::from_slice::<Value>(&answer.stdout).ok()).unwrap_or_default();
    let word = |key: &str| said[key].as_str().unwrap_or_default().to_owned();
    let (version, webkit) = (word("version"), word("webkit"));
    if webkit.is_empty() {
        let todo = "Install libwebkit2gtk-4.1-0 and start fuda-app in a terminal to see what it says.";
        return vec![check("window", "warning", format!("{} does not start.", program.display()), Some(todo))];
    }
    let mut numbers = webkit.split('.').filter_map(|number| number.parse::<u32>().ok());
    let old = (numbers.next().unwrap_or(0), numbers.next().unwrap_or(0)) < OLDEST_WEBKIT;
    let window = if old {
        let (major, minor) = OLDEST_WEBKIT;
        let message =
            format!("WebKitGTK {webkit} is older than {major}.{minor}; parts of the window may not be drawn.");
        check("window", "warning", message, Some("Update libwebkit2gtk-4.1-0."))
    } else {
        check("window", "ok", format!("fuda-app {version}, WebKitGTK {webkit}"), None)
    };
    // Many desktops have no tray on purpose: nothing is wrong, and closing the window ends the program.
    let tray = match word("tray").as_str() {
        "there" => "The desktop shows the icon; closing the window leaves Fuda in the background.",
        "no_host" => "This desktop has no tray: closing the window ends Fuda.",
        _ => "There is no session bus: no tray and no notices; closing the window ends Fuda.",
    };
    vec![window, check("tray", "ok", tray.to_owned(), None)]
}

/// Who calls, from what can be seen on this system.
pub fn caller(host: &'static str) -> Caller {
    let terminal = std::fs::read_link("/proc/self/fd/0")
        .ok()
        .map(|path| path.display().to_string())
        .filter(|path| path.starts_with("/dev/"));
    Caller {
        host,
        terminal,
        parents: parents(),
        agent: if host == "window" { None } else { agent_here() },
        holder: holder_here(),
    }
}

/// This process, as a claim names it.
fn holder_here() -> Holder {
    let line = |path: &str| std::fs::read_to_string(path).map(|text| text.trim().to_owned()).unwrap_or_default();
    let machine = line("/etc/machine-id");
    let host = if machine.is_empty() { line("/proc/sys/kernel/hostname") } else { machine };
    let stat = line("/proc/self/stat");
    // The fields after the program's name, which may itself hold spaces; the start time is the twenty-second field.
    let started = stat.rsplit_once(") ").and_then(|(_, rest)| rest.split_whitespace().nth(19)?.parse().ok());
    Holder {
        host,
        boot: line("/proc/sys/kernel/random/boot_id"),
        pid: std::process::id(),
        started: started.unwrap_or_default(),
        program: std::env::current_exe().map(|path| path.display().to_string()).unwrap_or_default(),
    }
}

fn parents() -> Vec<String> {
    let mut names = Vec::new();
    let mut pid = std::process::id();
    for _ in 0..8 {
        let Ok(stat) = std::fs::read_to_string(format!("/proc/{pid}/stat")) else { break };
        let Some((_, rest)) = stat.rsplit_once(") ") else { break };
        let Some(parent) = rest.split_whitespace().nth(1).and_then(|parent| parent.parse().ok()) else { break };
        if parent == 0 {
            break;
        }
        pid = parent;
        if let Ok(name) = std::fs::read_to_string(format!("/proc/{pid}/comm")) {
            names.push(name.trim().to_owned());
        }
    }
    names
}
