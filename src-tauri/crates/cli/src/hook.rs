//! `fuda hook AGENT`: started by an agent's hook with its input on standard input. Prints what a session's start is to
//! be told, in the shape that Claude Code and Codex share, and nothing else on standard output. Never ends with 2: to an
//! agent that would mean that what it was about to do is refused.

use api::{Desk, HookInput, Hooked};
use serde_json::json;
use std::io::Read;

/// The longest input.
const LONGEST: u64 = 4 * 1024 * 1024;

/// 0, or 1 with the reason on standard error.
pub fn run(desk: &Desk, agent: &str) -> u8 {
    let failed = |reason: &dyn std::fmt::Display| {
        eprintln!("fuda: {reason}");
        1
    };
    if !api::AGENTS.contains(&agent) {
        return failed(&format!("{agent} is no agent that Fuda knows; it knows {}", api::AGENTS.join(", ")));
    }
    let mut text = Vec::new();
    if let Err(error) = std::io::stdin().take(LONGEST).read_to_end(&mut text) {
        return failed(&format!("the hook's input on standard input: {error}"));
    }
    let input: HookInput = match serde_json::from_slice(&text) {
        Ok(input) => input,
        Err(error) => return failed(&format!("the hook's input is not what {agent} gives its hooks: {error}")),
    };
    let environment = |name: &str| std::env::var(name).ok();
    match api::noted(desk, "hook", || desk.hook(agent, &input, &environment).map_err(Into::into)) {
        Ok(Hooked::Nothing) => {}
        Ok(Hooked::Offer(words)) => {
            let told = json!({ "hookEventName": input.hook_event_name, "additionalContext": words });
            crate::print::json_line(&json!({ "hookSpecificOutput": told }));
        }
        Ok(Hooked::Published(published)) => eprintln!("fuda: published {} ({})", published.handle, published.path),
        Err(error) => return failed(&error.message),
    }
    0
}
