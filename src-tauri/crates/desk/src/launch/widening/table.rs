//! The tables of widening flags and variables, agent by agent. Seen 2026-12 in the agents' sources, help texts and
//! documentation.

use super::super::Agent;

/// When a flag widens.
#[derive(Clone, Copy, Debug)]
pub(super) enum When {
    /// Whatever its value is, unless it says no.
    Always,
    /// With one of these values.
    Is(&'static [&'static str]),
    /// With any other value than these.
    IsNot(&'static [&'static str]),
    /// When an entry of its list begins so.
    Begins(&'static str),
    /// Its value is looked into.
    Looked,
}

/// A flag that can widen.
#[derive(Clone, Copy, Debug)]
pub(super) struct Flag {
    pub long: &'static str,
    pub short: Option<&'static str>,
    pub when: When,
    pub why: &'static str,
}

const ACTS: &str = "it lets the agent act without anybody's permission";
const MORE: &str = "it opens folders outside the approved one";
const CODE: &str = "it brings in tools or code that were not approved";
const DROPS: &str = "it drops rules that your own configuration makes";
const ELSEWHERE: &str = "it would work in another folder than the approved one";
const TRUSTS: &str = "it makes the agent trust what the repository configures";

const fn always(long: &'static str, why: &'static str) -> Flag {
    Flag { long, short: None, when: When::Always, why }
}
const fn short(long: &'static str, short: &'static str, when: When, why: &'static str) -> Flag {
    Flag { long, short: Some(short), when, why }
}
const fn is(long: &'static str, values: &'static [&'static str], why: &'static str) -> Flag {
    Flag { long, short: None, when: When::Is(values), why }
}
const fn looked(long: &'static str) -> Flag {
    Flag { long, short: None, when: When::Looked, why: "" }
}

const CLAUDE: &[Flag] = &[
    is("--permission-mode", &["bypassPermissions", "acceptEdits", "auto"], ACTS),
    always("--allowed-tools", ACTS),
    always("--allowedTools", ACTS),
    always("--add-dir", MORE),
    always("--plugin-dir", CODE),
    always("--plugin-url", CODE),
    always("--agents", CODE),
    always("--mcp-config", CODE),
    always("--safe-mode", DROPS),
    always("--bare", DROPS),
    always("--setting-sources", DROPS),
    short("--worktree", "w", When::Always, ELSEWHERE),
    looked("--settings"),
];
const CODEX: &[Flag] = &[
    always("--yolo", ACTS),
    always("--not-so-yolo", ACTS),
    always("--approve-for-me", ACTS),
    always("--full-auto", ACTS),
    short("--sandbox", "s", When::Is(&["danger-full-access"]), "it takes the sandbox away"),
    short("--ask-for-approval", "a", When::IsNot(&["untrusted", "never"]), ACTS),
    always("--trust", TRUSTS),
    always("--add-dir", MORE),
    short("--cd", "C", When::Always, ELSEWHERE),
    always("--worktree", ELSEWHERE),
    always("--remote", "it would run on another server"),
    always("--skip-git-repo-check", "it takes the agent's check of the folder away"),
    always("--ignore-rules", DROPS),
    always("--ignore-user-config", DROPS),
    always("--search", "it opens the network for searches"),
    short("--profile", "p", When::Looked, ""),
    short("--config", "c", When::Looked, ""),
];
const PI: &[Flag] = &[
    short("--approve", "a", When::Always, TRUSTS),
    short("--extension", "e", When::Always, CODE),
    always("--skill", CODE),
    short("--tools", "t", When::Begins("+"), CODE),
];
const MUSEPI: &[Flag] = &[
    short("--approve", "a", When::Always, TRUSTS),
    short("--extension", "e", When::Always, CODE),
    always("--skill", CODE),
    always("--yolo", ACTS),
    is("--mode", &["auto", "yolo"], ACTS),
    is("--permission-mode", &["auto", "yolo"], ACTS),
    short("--tools", "t", When::Begins("+"), CODE),
];
const OMP: &[Flag] = &[
    always("--auto-approve", ACTS),
    always("--yolo", ACTS),
    is("--approval-mode", &["yolo"], ACTS),
    always("--plan-yolo", ACTS),
    always("--plan-yolo-into", ACTS),
    always("--add-dir", MORE),
    always("--allow-home", MORE),
    short("--extension", "e", When::Always, CODE),
    always("--hook", CODE),
    looked("--config"),
];
const GEMINI: &[Flag] = &[
    short("--yolo", "y", When::Always, ACTS),
    is("--approval-mode", &["yolo", "auto_edit"], ACTS),
    always("--allowed-tools", ACTS),
    always("--skip-trust", TRUSTS),
    always("--include-directories", MORE),
    always("--accept-raw-output-risk", "it lets a model write control characters to the terminal"),
    always("--policy", DROPS),
    short("--worktree", "w", When::Always, ELSEWHERE),
];
const QWEN: &[Flag] = &[
    short("--yolo", "y", When::Always, ACTS),
    is("--approval-mode", &["yolo", "auto-edit", "auto"], ACTS),
    always("--allowed-tools", ACTS),
    always("--include-directories", MORE),
    always("--add-dir", MORE),
    always("--insecure", "it takes the check of certificates away"),
    always("--safe-mode", DROPS),
    always("--bare", DROPS),
    always("--mcp-config", CODE),
];
const OPENCODE: &[Flag] = &[
    always("--auto", ACTS),
    always("--yolo", ACTS),
    always("--attach", "it would run in a server that is already there"),
    always("--dir", ELSEWHERE),
];
const GOOSE: &[Flag] = &[
    always("--with-extension", CODE),
    always("--with-remote-extension", CODE),
    always("--with-streamable-http-extension", CODE),
    always("--with-builtin", CODE),
    always("--recipe", CODE),
];
const AMP: &[Flag] =
    &[always("--orb-execute", "it runs on another machine"), always("--mcp-config", CODE), looked("--settings-file")];
const GENERIC: &[Flag] = &[always("--yolo", ACTS)];

pub(super) fn flags(agent: Agent) -> &'static [Flag] {
    match agent {
        Agent::ClaudeCode => CLAUDE,
        Agent::Codex => CODEX,
        Agent::Pi => PI,
        Agent::MusePi => MUSEPI,
        Agent::Omp => OMP,
        Agent::Gemini => GEMINI,
        Agent::Qwen => QWEN,
        Agent::Opencode => OPENCODE,
        Agent::Goose => GOOSE,
        Agent::Amp => AMP,
        Agent::Generic => GENERIC,
    }
}

/// Whether a short flag is a word (`-nbt`), so that letters are not read one by one.
pub(super) fn short_words(agent: Agent) -> bool {
    matches!(agent, Agent::Pi | Agent::MusePi | Agent::Generic)
}

/// Whether the rest of the word behind a short flag is its value.
pub(super) fn takes_value(agent: Agent, letter: char) -> bool {
    let letters = match agent {
        Agent::Codex => "scpCamio",
        Agent::Gemini | Agent::Qwen => "mpieo",
        Agent::ClaudeCode => "rn",
        Agent::Omp => "ret",
        Agent::Opencode => "msf",
        Agent::Goose => "itn",
        _ => "",
    };
    letters.contains(letter)
}

/// Variables that can widen.
pub(super) fn variables(agent: Agent) -> &'static [&'static str] {
    match agent {
        Agent::ClaudeCode => &["CLAUDE_CODE_SAFE_MODE"],
        Agent::Gemini => &["GEMINI_CLI_TRUST_WORKSPACE", "GEMINI_CLI_SYSTEM_SETTINGS_PATH"],
        Agent::Qwen => &["QWEN_CODE_SYSTEM_SETTINGS_PATH", "QWEN_CODE_SUPPRESS_YOLO_WARNING"],
        Agent::Opencode => &["OPENCODE_PERMISSION", "OPENCODE_CONFIG_CONTENT"],
        Agent::Goose => &["GOOSE_MODE"],
        _ => &[],
    }
}

/// Why a variable widens with this value.
pub(super) fn variable(agent: Agent, name: &str, value: &str) -> Option<&'static str> {
    let no = matches!(value, "" | "0" | "false");
    match (agent, name) {
        (Agent::ClaudeCode, "CLAUDE_CODE_SAFE_MODE") if !no => Some(DROPS),
        (Agent::Gemini, "GEMINI_CLI_TRUST_WORKSPACE") if !no => Some(TRUSTS),
        (Agent::Gemini, "GEMINI_CLI_SYSTEM_SETTINGS_PATH") | (Agent::Qwen, "QWEN_CODE_SYSTEM_SETTINGS_PATH") => {
            Some("it replaces the administrator's settings")
        }
        (Agent::Qwen, "QWEN_CODE_SUPPRESS_YOLO_WARNING") if !no => Some(ACTS),
        (Agent::Opencode, "OPENCODE_PERMISSION") => super::settings::opencode_permission(value).then_some(ACTS),
        (Agent::Opencode, "OPENCODE_CONFIG_CONTENT") => super::settings::opencode(value).then_some(ACTS),
        (Agent::Opencode, "OPENCODE_CONFIG") => Some("it replaces a configuration that Fuda reads"),
        (Agent::Goose, "GOOSE_MODE") if value == "auto" => Some(ACTS),
        (Agent::Amp, "AMP_SETTINGS_FILE") => Some(DROPS),
        _ => None,
    }
}
