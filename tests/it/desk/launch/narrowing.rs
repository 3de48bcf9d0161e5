//! The boundary in each agent's own terms: only denials, nothing of the person's replaced, every grade honest.

use crate::support::{Person, rule};
use desk::launch::{Deliver, Field, Grade, Plan, StreamKind};
use serde_json::Value;

const NEVER: &[&str] = &["Do not push", "Do not touch infra/", "Do not change the public API", "No network access"];

fn file<'a>(plan: &'a Plan, name: &str) -> &'a str {
    &plan.files.iter().find(|file| file.name == name).unwrap_or_else(|| panic!("no {name}")).contents
}

fn json(plan: &Plan, name: &str) -> Value {
    serde_json::from_str(file(plan, name)).expect("JSON")
}

fn has(plan: &Plan, words: &[&str]) -> bool {
    plan.argv.windows(words.len()).any(|window| window == words)
}

fn denied(plan: &Plan) -> Vec<String> {
    let settings = json(plan, "claude-settings.json");
    settings["permissions"]["deny"]
        .as_array()
        .expect("a list")
        .iter()
        .filter_map(|one| one.as_str().map(str::to_owned))
        .collect()
}

#[test]
fn claude_code_gets_denials_in_a_private_file_and_no_word_of_the_document_in_an_argument() {
    let person = Person::new().never(NEVER);
    let plan = person.plan("claude-code", &[]).expect("a plan");
    assert_eq!(plan.argv[0], "claude");
    assert!(has(&plan, &["--settings", &person.runs.join("one/claude-settings.json").to_string_lossy()]));
    let deny = denied(&plan);
    let infra = format!("Edit(/{}/infra/**)", person.folder.display());
    assert!(infra.starts_with("Edit(//"), "an absolute path has two slashes there");
    for expected in ["Bash(git push *)", "Bash(git * push *)", "WebFetch", "mcp__*", &infra] {
        assert!(deny.iter().any(|rule| rule == expected), "{expected} is not in {deny:?}");
    }
    assert_eq!(json(&plan, "claude-settings.json")["permissions"]["disableBypassPermissionsMode"], "disable");
    assert!(json(&plan, "claude-settings.json")["permissions"]["defaultMode"].is_null(), "no mode is set");
    assert_eq!(rule(&plan, "Do not push").grade, Grade::AgentRule);
    assert_eq!(rule(&plan, "Do not touch infra/").grade, Grade::AgentRule);
    assert_eq!(rule(&plan, "Do not change the public API").grade, Grade::WordsOnly);
    assert!(!plan.argv.iter().any(|word| word.contains("infra") || word.contains("API")));
    assert_eq!((plan.stream, plan.deliver), (StreamKind::Claude, Deliver::Stdin));
}

#[test]
fn settings_that_the_command_has_are_kept_and_merged() {
    let person = Person::new().never(&["Do not push"]);
    let own = r#"{"permissions":{"deny":["Bash(rm *)"],"ask":["WebFetch"]},"model":"m"}"#;
    let plan = person.plan("claude-code", &["claude", "-p", "--settings", own, "go on"]).expect("a plan");
    assert_eq!(plan.argv.iter().filter(|word| *word == "--settings").count(), 1);
    let settings = json(&plan, "claude-settings.json");
    assert_eq!(settings["permissions"]["ask"][0], "WebFetch");
    assert_eq!(settings["model"], "m");
    assert!(denied(&plan).contains(&"Bash(rm *)".to_owned()));
    assert_eq!(plan.argv.last().map(String::as_str), Some("go on"));
    assert!(has(&plan, &["--output-format", "stream-json"]) && plan.argv.contains(&"--verbose".to_owned()));
}

#[test]
fn the_sandbox_of_claude_code_is_used_only_where_the_machine_has_one_and_no_domain_is_opened() {
    let folder = tempfile::tempdir().expect("a folder");
    for program in ["bwrap", "socat"] {
        std::fs::write(folder.path().join(program), "").expect("a program");
    }
    let path = folder.path().to_string_lossy().into_owned();
    let network = |person: Person| {
        let plan = person.never(&["No network access"]).plan("claude-code", &[]).expect("a plan");
        (rule(&plan, "No network access").grade, json(&plan, "claude-settings.json")["sandbox"].clone())
    };
    let (grade, sandbox) = network(Person::new().with("PATH", &path));
    assert_eq!(grade, Grade::Sandbox);
    assert_eq!(sandbox["failIfUnavailable"], true);
    assert_eq!(sandbox["autoAllowBashIfSandboxed"], false, "a sandbox allows commands unasked by default");
    let (grade, sandbox) = network(Person::new());
    assert_eq!((grade, sandbox), (Grade::AgentRule, Value::Null));
    let opened = Person::new()
        .with("PATH", &path)
        .file("home/.claude/settings.json", r#"{"sandbox":{"network":{"allowedDomains":["x.test"]}}}"#);
    assert_eq!(network(opened).0, Grade::AgentRule);
}

#[test]
fn codex_is_left_in_its_own_sandbox_or_a_narrower_one() {
    let sandbox = |person: Person, words: &[&str]| {
        person.never(&["Do not push", "Do not delete files"]).plan("codex", words).expect("a plan")
    };
    // What runs without a person reads only, unless somebody said otherwise.
    let plan = sandbox(Person::new(), &[]);
    assert!(has(&plan, &["--sandbox", "read-only"]), "{:?}", plan.argv);
    assert_eq!(rule(&plan, "Do not delete files").grade, Grade::Sandbox);
    assert!(!plan.notes.is_empty(), "a person is told that it will only read");
    let plan = sandbox(Person::new().file("home/.codex/config.toml", "sandbox_mode = \"workspace-write\"\n"), &[]);
    assert!(has(&plan, &["--sandbox", "workspace-write"]));
    assert!(has(&plan, &["-c", "sandbox_workspace_write.network_access=false"]));
    assert_eq!(rule(&plan, "Do not push").grade, Grade::Sandbox);
    assert_eq!(rule(&plan, "Do not delete files").grade, Grade::WordsOnly);
    // A push to a folder of this machine needs no network.
    let local = Person::new()
        .file("home/.codex/config.toml", "sandbox_mode = \"workspace-write\"\n")
        .file("repo/.git/config", "[remote \"origin\"]\n\turl = /tmp/remote.git\n");
    assert_eq!(rule(&sandbox(local, &[]), "Do not push").grade, Grade::WordsOnly);
    let plan = sandbox(Person::new().file("home/.codex/config.toml", "sandbox_mode = \"danger-full-access\"\n"), &[]);
    assert!(has(&plan, &["--sandbox", "workspace-write"]), "what the configuration opens is closed");
    assert_eq!(plan.argv.last().map(String::as_str), Some("-"));

    let reading =
        Person::new().never(&["Read only"]).plan("codex", &["codex", "exec", "-s", "workspace-write"]).expect("a plan");
    assert!(has(&reading, &["--sandbox", "read-only"]) && !reading.argv.contains(&"workspace-write".to_owned()));
}

#[test]
fn a_permission_profile_of_codex_is_not_switched_off_by_a_sandbox_mode() {
    let person = Person::new()
        .file(
            "home/.codex/config.toml",
            "default_permissions = \"mine\"\n[permissions.mine]\nextends = \":workspace\"\n",
        )
        .never(&["Do not push"]);
    let plan = person.plan("codex", &[]).expect("a plan");
    assert!(!plan.argv.iter().any(|word| word.contains("sandbox")), "{:?}", plan.argv);
    assert_eq!(rule(&plan, "Do not push").grade, Grade::WordsOnly);
}

#[test]
fn gemini_can_never_leave_plan_mode_and_gets_refusals_only() {
    let person = Person::new().never(NEVER);
    let plan = person.plan("gemini", &[]).expect("a plan");
    let policy: toml::Table = file(&plan, "fuda-policy.toml").parse().expect("TOML");
    let rules = policy["rule"].as_array().expect("rules");
    for tool in ["enter_plan_mode", "exit_plan_mode"] {
        assert!(
            rules
                .iter()
                .any(|rule| rule["toolName"].as_str() == Some(tool) && rule["decision"].as_str() == Some("deny"))
        );
    }
    assert!(rules.iter().all(|rule| rule["decision"].as_str() == Some("deny")), "nothing is allowed");
    let push = rules
        .iter()
        .find(|rule| rule.get("commandRegex").is_some_and(|regex| regex.as_str() == Some("\\bgit\\s+push")));
    assert!(push.is_some());
    assert!(plan.argv.contains(&"--admin-policy".to_owned()));
    let nothing = Person::new().plan("gemini", &[]).expect("a plan");
    assert!(file(&nothing, "fuda-policy.toml").contains("exit_plan_mode"), "also without a boundary");
    let mut old = Person::new();
    old.help = Some("--approval-mode  default, auto_edit, yolo, plan".to_owned());
    assert!(matches!(old.plan("gemini", &[]), Err(desk::Error::CannotNarrow { .. })));
}

#[test]
fn rules_that_stand_in_arguments_or_variables_hold_no_text_of_the_document() {
    let rules = &["Never run `terraform apply`", "Do not touch secret-canary/", "Do not touch src/", "Do not push"];
    for agent in ["qwen", "opencode"] {
        let person = Person::new().never(rules).file("repo/src/x", "");
        let plan = person.plan(agent, &[]).expect("a plan");
        let said: String =
            plan.argv.join(" ") + &plan.environment.iter().filter_map(|one| one.value.clone()).collect::<String>();
        assert!(said.contains("git push"), "{agent}: {said}");
        assert!(said.contains("src"), "{agent}: what exists in the tree is no text of the document");
        assert!(!said.contains("canary") && !said.contains("terraform"), "{agent}: {said}");
        assert_eq!(rule(&plan, "Never run `terraform apply`").grade, Grade::WordsOnly);
        assert_eq!(rule(&plan, "Do not touch src/").grade, Grade::AgentRule);
        assert!(!serde_json::to_string(&plan).expect("JSON").contains("\"value\""), "values of variables stay here");
    }
}

#[test]
fn a_rule_of_opencode_repeats_the_word_that_it_takes_the_place_of() {
    let permission = |config: &str| {
        let person = Person::new().never(&["Do not push"]).file("home/.config/opencode/opencode.jsonc", config);
        let plan = person.plan("opencode", &[]).expect("a plan");
        let value =
            plan.environment.iter().find(|one| one.name == "OPENCODE_PERMISSION").and_then(|one| one.value.clone());
        (value.map(|text| serde_json::from_str::<Value>(&text).expect("JSON")), rule(&plan, "Do not push").grade)
    };
    let (value, _) = permission("{ // mine\n\"permission\": {\"bash\": \"ask\"},}");
    let value = value.expect("a value");
    assert_eq!((&value["bash"]["*"], &value["bash"]["git push*"]), (&"ask".into(), &"deny".into()));
    let (value, _) = permission(r#"{"permission": {"bash": "deny"}}"#);
    assert_eq!(value.expect("a value")["bash"], "deny", "a narrower word stays a word");
    let (value, _) = permission(r#"{"permission": {"bash": {"git push*": "allow", "*": "allow"}}}"#);
    let value = value.expect("a value");
    assert!(value["bash"]["*"].is_null(), "their map keeps its own");
    assert_eq!(value["bash"]["git push**"], "deny", "the last match wins, so it is written once more");
    let (value, grade) = permission(r#"{"agent": {"build": {"permission": {"bash": "allow"}}}}"#);
    assert_eq!((value, grade), (None, Grade::WordsOnly), "an agent's own permission outranks ours");
}

#[test]
fn pi_uses_what_its_version_knows_and_keeps_a_shorter_list() {
    let reading = |help: Option<&str>, words: &[&str]| {
        let mut person = Person::new().never(&["Read only", "Do not push", "No network access"]);
        person.help = help.map(str::to_owned);
        person.plan("pi", words).expect("a plan")
    };
    let new = reading(Some("--tools, -t  --exclude-tools, -xt <names>  --no-mcp"), &[]);
    assert!(has(&new, &["--exclude-tools", "bash,edit,write"]) && new.argv.contains(&"--no-mcp".to_owned()));
    let old = reading(Some("--tools, -t <tools>"), &[]);
    assert!(has(&old, &["--tools", "read,grep,find,ls"]) && !old.argv.contains(&"--exclude-tools".to_owned()));
    let shorter = reading(Some("--tools, -t <tools>"), &["pi", "-p", "-t", "read,bash"]);
    assert!(has(&shorter, &["--tools", "read"]) && !shorter.argv.contains(&"-t".to_owned()));
    assert_eq!(rule(&old, "Do not push").grade, Grade::AgentRule, "without bash nothing is pushed");
    assert_eq!(rule(&old, "No network access").grade, Grade::WordsOnly);
    let free = Person::new().never(&["Do not push"]).plan("pi", &[]).expect("a plan");
    assert_eq!(rule(&free, "Do not push").grade, Grade::WordsOnly);
}

#[test]
fn oh_my_pi_gets_an_overlay_unless_it_would_replace_patterns_of_the_person() {
    let person = Person::new().never(&["Do not push"]);
    let plan = person.plan("omp", &[]).expect("a plan");
    assert_eq!(
        json(&plan, "omp.yml")["bash"]["patterns"][0],
        serde_json::json!({"match": "git push*", "approval": "deny"})
    );
    let theirs = Person::new()
        .never(&["Do not push"])
        .file("home/.omp/agent/config.yml", "bash:\n  patterns:\n    - match: x\n");
    let plan = theirs.plan("omp", &[]).expect("a plan");
    assert!(plan.files.is_empty());
    assert_eq!(rule(&plan, "Do not push").grade, Grade::WordsOnly);
    let reading =
        Person::new().never(&["Read only"]).plan("omp", &["omp", "-p", "--approval-mode", "write"]).expect("a plan");
    assert!(has(&reading, &["--approval-mode", "always-ask"]));
}

#[test]
fn goose_keeps_a_narrower_mode_of_the_person() {
    let mode = |person: Person| {
        let plan = person.never(&["Read only"]).plan("goose", &[]).expect("a plan");
        plan.environment.iter().find(|one| !one.removed).and_then(|one| one.value.clone())
    };
    assert_eq!(mode(Person::new()).as_deref(), Some("smart_approve"));
    assert_eq!(mode(Person::new().file("home/.config/goose/config.yaml", "GOOSE_MODE: chat\n")), None);
    assert_eq!(mode(Person::new().with("GOOSE_MODE", "approve")), None);
}

#[test]
fn a_rule_that_needs_a_person_is_refused_and_says_that_nobody_is_asked() {
    let person = Person::new().ask(&["Push to origin", "Change the public API"]).may(&["Run the tests"]);
    let plan = person.plan("claude-code", &[]).expect("a plan");
    let push = rule(&plan, "Push to origin");
    assert_eq!((push.field, push.grade), (Field::Ask, Grade::AgentRule));
    assert!(push.how.contains("refused, not asked"), "{}", push.how);
    let api = rule(&plan, "Change the public API");
    assert_eq!(api.grade, Grade::WordsOnly);
    assert!(!api.how.contains("refused"), "{}", api.how);
    assert_eq!(rule(&plan, "Run the tests").grade, Grade::WordsOnly);
}

#[test]
fn what_is_allowed_elsewhere_is_not_refused_for_one_branch() {
    let person = Person::new().may(&["Push to the feature branch"]).never(&["Never push to main"]);
    let plan = person.plan("claude-code", &[]).expect("a plan");
    assert!(!denied(&plan).iter().any(|rule| rule.contains("push")));
    assert_eq!(rule(&plan, "Never push to main").grade, Grade::WordsOnly);
    let strict = Person::new().never(&["Never push to main"]).plan("claude-code", &[]).expect("a plan");
    assert!(denied(&strict).iter().any(|rule| rule == "Bash(git push *)"), "refusing more is the safe side");
}

#[test]
fn any_command_is_words_only_and_a_wrapper_is_named() {
    let person = Person::new().never(&["Do not push"]);
    let plan = person.plan("generic", &["my-agent", "--flag"]).expect("a plan");
    assert_eq!((plan.argv.len(), plan.stream), (2, StreamKind::Plain));
    assert_eq!(rule(&plan, "Do not push").grade, Grade::WordsOnly);
    let wrapped = person.plan("claude-code", &["claude-work", "-p"]).expect("a plan");
    assert!(wrapped.notes.iter().any(|note| note.contains("claude-work")));
    assert!(wrapped.argv.contains(&"--settings".to_owned()));
    assert!(matches!(person.plan("generic", &[]), Err(desk::Error::Usage(_))));
}

#[test]
fn an_interactive_agent_is_pointed_to_the_private_copy() {
    let person = Person::new();
    let copy = person.runs.join("one/block.md").to_string_lossy().into_owned();
    let plan = person.plan_delivered("claude-code", &["claude"], Some("path")).expect("a plan");
    assert!(plan.argv.last().expect("a prompt").contains(&copy));
    let plan =
        person.plan_delivered("generic", &["xterm", "-e", "agent", "--file={path}"], Some("path")).expect("a plan");
    assert_eq!(plan.argv.last(), Some(&format!("--file={copy}")));
}
