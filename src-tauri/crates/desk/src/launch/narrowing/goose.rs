//! goose: in its usual mode every call is allowed and its permission file ignored. For a boundary that only reads the
//! mode `smart_approve` ends the run at the first call that needs a person; everything else is words only. A narrower
//! mode of the person's own is left alone.

use super::super::Request;
use super::super::command::Command;
use super::super::own;
use super::{Effect, Grade, Kind, Narrowing, hosted};

pub(super) fn narrow(command: &mut Command, request: &Request<'_>, kinds: &[Kind]) -> Narrowing {
    if command.arguments().first().is_some_and(|word| word == "acp") && hosted::can_ask(request) {
        return asking(command, request, kinds);
    }
    let mut narrowing = super::words(kinds, "goose has no rules for commands, paths or the network.");
    if !kinds.contains(&Kind::ReadOnly) {
        return narrowing;
    }
    let own = mode(request);
    if !matches!(own.as_deref(), Some("chat" | "approve" | "smart_approve")) {
        narrowing.set("GOOSE_MODE", "smart_approve".to_owned());
    }
    for (effect, kind) in narrowing.effects.iter_mut().zip(kinds) {
        if !matches!(kind, Kind::Network | Kind::Read(_)) {
            *effect = Effect::rule("goose ends the run at the first call that would need a person.");
        }
    }
    narrowing
}

/// `goose acp`: it asks before every tool, and what it asks comes to the desk.
fn asking(command: &mut Command, request: &Request<'_>, kinds: &[Kind]) -> Narrowing {
    let mut narrowing = Narrowing::default();
    if !matches!(mode(request).as_deref(), Some("chat" | "approve" | "smart_approve")) {
        narrowing.set("GOOSE_MODE", "approve".to_owned());
    }
    let how = "goose has no rules: before each tool that changes something you are asked here, also about what is never to be done.";
    narrowing.effects = kinds.iter().map(|_| Effect { grade: Grade::AskedHere, how: how.to_owned() }).collect();
    hosted::host(command, request, &mut narrowing, "");
    narrowing
}

fn mode(request: &Request<'_>) -> Option<String> {
    (request.environment)("GOOSE_MODE").or_else(|| {
        let text = own::read(&request.home.join(".config/goose/config.yaml"));
        let line =
            text.text()?.lines().find_map(|line| line.strip_prefix("GOOSE_MODE:").map(str::trim).map(str::to_owned));
        line.map(|word| word.trim_matches(['"', '\'']).to_owned())
    })
}
