//! Launch commands that give an agent more than it would have by itself.

use crate::support::Person;
use desk::Error;

fn refused(agent: &str, words: &[&str]) -> String {
    match Person::new().plan(agent, words) {
        Err(Error::Widening { found, .. }) => found,
        other => panic!("{words:?} is not refused: {other:?}"),
    }
}

#[test]
fn every_widening_flag_is_refused_and_named() {
    for (agent, line, named) in [
        ("claude-code", "claude -p --dangerously-skip-permissions", "--dangerously-skip-permissions"),
        ("claude-code", "claude -p --permission-mode acceptEdits", "--permission-mode acceptEdits"),
        ("claude-code", "claude -p --permission-mode=bypassPermissions", "--permission-mode=bypassPermissions"),
        ("claude-code", "claude -p --allowedTools Bash", "--allowedTools"),
        ("claude-code", "claude -p --allowed-tools Bash", "--allowed-tools"),
        ("claude-code", "claude -p --add-dir /", "--add-dir"),
        ("claude-code", "claude -p --mcp-config x.json", "--mcp-config"),
        ("claude-code", "claude -p --setting-sources user", "--setting-sources"),
        ("claude-code", "claude -p --settings {\"permissions\":{\"allow\":[\"Bash\"]}}", "permissions.allow"),
        ("claude-code", "claude -p --settings={\"sandbox\":{\"enabled\":false}}", "sandbox.enabled"),
        ("claude-code", "claude -p --settings {\"permissions\":{\"defaultMode\":\"auto\"}}", "permissions.defaultMode"),
        ("claude-code", "env CLAUDE_CODE_SAFE_MODE=1 claude -p", "CLAUDE_CODE_SAFE_MODE"),
        ("codex", "codex exec --yolo", "--yolo"),
        ("codex", "codex exec -s danger-full-access", "-s danger-full-access"),
        ("codex", "codex exec -sdanger-full-access", "-sdanger-full-access"),
        ("codex", "codex exec --sandbox=danger-full-access", "--sandbox=danger-full-access"),
        ("codex", "codex exec -C /", "-C"),
        ("codex", "codex exec --full-auto", "--full-auto"),
        (
            "codex",
            "codex exec --dangerously-bypass-approvals-and-sandbox",
            "--dangerously-bypass-approvals-and-sandbox",
        ),
        ("codex", "codex exec --ignore-rules", "--ignore-rules"),
        ("codex", "codex exec -c sandbox_mode=\"danger-full-access\"", "sandbox_mode"),
        ("codex", "codex exec -csandbox_workspace_write.network_access=true", "sandbox_workspace_write.network_access"),
        (
            "codex",
            "codex exec -c sandbox_workspace_write={network_access=true}",
            "sandbox_workspace_write.network_access",
        ),
        ("codex", "codex exec -c projects.\"/x\".trust_level=\"trusted\"", "trust_level"),
        ("codex", "codex exec -c mcp_servers.x.command=\"y\"", "mcp_servers.x.command"),
        ("codex", "codex exec -p unknown", "unknown"),
        ("pi", "pi -p --approve", "--approve"),
        ("pi", "pi -p -a", "-a"),
        ("pi", "pi -p -e ext.ts", "-e"),
        ("pi", "pi -p --tools read,+bash", "--tools read,+bash"),
        ("omp", "omp -p --auto-approve", "--auto-approve"),
        ("omp", "omp -p --approval-mode yolo", "--approval-mode yolo"),
        ("musepi", "musepi -p --yolo", "--yolo"),
        ("gemini", "gemini -y", "-y"),
        ("gemini", "gemini -yd", "-yd"),
        ("gemini", "gemini --approvalMode=yolo", "--approvalMode=yolo"),
        ("gemini", "gemini --approval-mode auto_edit", "--approval-mode auto_edit"),
        ("gemini", "gemini --policy mine.toml", "--policy"),
        ("gemini", "env GEMINI_CLI_TRUST_WORKSPACE=true gemini", "GEMINI_CLI_TRUST_WORKSPACE"),
        ("qwen", "qwen --safe-mode", "--safe-mode"),
        ("qwen", "qwen --approval-mode auto", "--approval-mode auto"),
        ("opencode", "opencode run --auto", "--auto"),
        ("opencode", "env OPENCODE_PERMISSION=\"allow\" opencode run", "OPENCODE_PERMISSION"),
        ("goose", "env GOOSE_MODE=auto goose run -i -", "GOOSE_MODE"),
        ("goose", "goose run --with-builtin developer -i -", "--with-builtin"),
        ("amp", "amp -x --dangerously-allow-all", "--dangerously-allow-all"),
        ("claude-code", "sudo claude -p", "sudo"),
        ("claude-code", "npx @anthropic-ai/claude-code -p --add-dir /", "--add-dir"),
        ("generic", "codex exec --yolo", "--yolo"),
        ("generic", "some-agent --dangerously-anything", "--dangerously-anything"),
    ] {
        let words: Vec<&str> = line.split(' ').collect();
        let found = refused(agent, &words);
        assert!(found.contains(named), "{line}: {found}");
    }
}

#[test]
fn a_shells_text_is_refused_because_no_flag_in_it_could_be_seen() {
    assert_eq!(refused("claude-code", &["sh", "-c", "claude -p --dangerously-skip-permissions"]), "sh");
    let plan = Person::new().plan("generic", &["sh", "-c", "my-agent"]).expect("any command may be one's own");
    assert_eq!(plan.argv, ["sh", "-c", "my-agent"]);
}

#[test]
fn what_only_narrows_or_says_no_is_let_through() {
    for (agent, line) in [
        ("claude-code", "claude -p --permission-mode plan"),
        ("claude-code", "claude -p --disallowedTools Bash"),
        ("claude-code", "claude -p --settings {\"permissions\":{\"deny\":[\"Bash\"]},\"disableAllHooks\":false}"),
        ("codex", "codex exec -s read-only"),
        ("codex", "codex exec -s workspace-write -c sandbox_workspace_write.network_access=false"),
        ("codex", "codex exec -m gpt-5"),
        ("gemini", "gemini --yolo=false"),
        ("gemini", "gemini -m gemini-yolo"),
        ("pi", "pi -p --tools read,grep -nbt"),
        ("omp", "omp -p --approval-mode write"),
        ("goose", "env GOOSE_MODE=chat goose run -i -"),
    ] {
        let words: Vec<&str> = line.split(' ').collect();
        if let Err(error) = Person::new().plan(agent, &words) {
            panic!("{line}: {error}");
        }
    }
}

#[test]
fn a_named_layer_of_configuration_is_looked_into() {
    let wide = Person::new().file("home/.codex/wide.config.toml", "sandbox_mode = \"danger-full-access\"\n");
    let Err(Error::Widening { found, .. }) = wide.plan("codex", &["codex", "exec", "-p", "wide"]) else {
        panic!("it is not refused");
    };
    assert!(found.contains("sandbox_mode"), "{found}");
    let plain = Person::new().file("home/.codex/plain.config.toml", "model = \"m\"\n");
    plain.plan("codex", &["codex", "exec", "-p", "plain"]).expect("nothing in it widens");
    let overlay = Person::new().file("home/wide.yml", "tools:\n  approval:\n    bash: allow\n");
    let path = overlay.home.join("wide.yml");
    let words = ["omp", "-p", "--config", path.to_str().expect("a path")];
    assert!(matches!(overlay.plan("omp", &words), Err(Error::Widening { .. })));
}

#[test]
fn a_widening_variable_of_the_surroundings_is_taken_away() {
    let person = Person::new().with("GOOSE_MODE", "auto");
    let plan = person.plan("goose", &[]).expect("a plan");
    assert!(plan.environment.iter().any(|one| one.name == "GOOSE_MODE" && one.removed));
}
