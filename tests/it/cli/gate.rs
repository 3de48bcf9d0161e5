//! The gate: one executor, from exactly what was approved, with a token that dies with its claim.

mod support;

use serde_json::Value;
use std::fs;
use std::process::Stdio;
use support::Bench;

fn token(claimed: &Value) -> String {
    claimed["token"].as_str().expect("a token").to_owned()
}

fn state(bench: &Bench, handle: &str) -> String {
    bench.json(&["show", handle])["state"].as_str().expect("a state").to_owned()
}

#[test]
fn of_sixteen_claimers_at_once_exactly_one_gets_a_token() {
    let bench = Bench::new();
    bench.tidy();
    let handle = bench.approved();
    let claimers: Vec<_> = (0..16)
        .map(|number| {
            bench
                .command(&["--json", "claim", &handle, "--by", &format!("executor-{number}")])
                .stdout(Stdio::piped())
                .stderr(Stdio::piped())
                .spawn()
                .expect("started")
        })
        .collect();
    let mut winners = Vec::new();
    for claimer in claimers {
        let output = claimer.wait_with_output().expect("ended");
        let answer: Value = serde_json::from_slice(&output.stdout).expect("json");
        match output.status.code() {
            Some(0) => winners.push(answer),
            Some(5) => {
                assert_eq!(answer["error"]["code"], "held", "{answer}");
                let holder = answer["error"]["details"]["holder"].as_str().expect("the holder is named");
                assert!(holder.starts_with("executor-"), "{holder}");
            }
            other => panic!("{other:?}: {answer}"),
        }
    }
    assert_eq!(winners.len(), 1);
    assert_eq!(state(&bench, &handle), "claimed");
}

#[test]
fn a_claim_hands_over_sealed_copies_of_what_was_approved() {
    let bench = Bench::new();
    let path = bench.tidy();
    let handle = bench.approved();
    let claimed = bench.json(&["claim", &handle, "--by", "worker"]);
    let document = fs::read(claimed["document_path"].as_str().expect("a path")).expect("read");
    assert_eq!(document, fs::read(path).expect("read"));
    let block = fs::read_to_string(claimed["block_path"].as_str().expect("a path")).expect("read");
    assert!(block.contains("Move ingest to the queue.") && block.contains("Pushing"), "{block}");
    assert_eq!(claimed["folder"], fs::canonicalize(bench.repo()).expect("there").display().to_string());
    let mode = std::os::unix::fs::MetadataExt::mode(
        &fs::metadata(claimed["block_path"].as_str().expect("a path")).expect("there"),
    );
    assert_eq!(mode & 0o777, 0o400);
}

#[test]
fn a_token_reports_until_its_claim_ends_and_never_after() {
    let bench = Bench::new();
    bench.tidy();
    let handle = bench.approved();
    let first = bench.json(&["claim", &handle, "--by", "worker"]);
    bench.fuda_ok(&["running", &handle, "--token", &token(&first)]);
    assert_eq!(state(&bench, &handle), "running");
    bench.fuda_ok(&["heartbeat", &handle, "--token", &token(&first)]);
    bench.fails(5, &["heartbeat", &handle, "--token", "1-forged"]);
    bench.fails(5, &["reopen", &handle]);
    bench.fails(5, &["mark", &handle, "done"]);

    let claim = first["claim"].to_string();
    bench.fails(5, &["release", &handle, "--claim", "99999", "--note", "wrong number"]);
    bench.fails(2, &["release", &handle, "--claim", &claim, "--note", " "]);
    bench.fuda_ok(&["release", &handle, "--claim", &claim, "--note", "it hangs"]);
    assert_eq!(state(&bench, &handle), "pending");
    bench.fails(5, &["claim", &handle, "--by", "other"]);

    bench.approve(&handle);
    let second = bench.json(&["claim", &handle, "--by", "other"]);
    assert!(second["claim"].as_u64() > first["claim"].as_u64());
    bench.fails(5, &["finish", &handle, "--token", &token(&first), "--outcome", "done"]);
    bench.fuda_ok(&["finish", &handle, "--token", &token(&second), "--outcome", "verified", "--note", "all green"]);
    let show = bench.json(&["show", &handle]);
    assert_eq!((&show["state"], &show["outcome"]["note"]), (&"verified".into(), &"all green".into()));
    assert!(show["outcome"]["tree"].as_str().is_some_and(|tree| tree.starts_with("main at ")), "{show}");
    bench.fails(5, &["finish", &handle, "--token", &token(&second), "--outcome", "failed"]);
    bench.fuda_ok(&["audit", "--verify"]);
}

#[test]
fn a_lease_that_is_over_leaves_interrupted_and_not_free() {
    let bench = Bench::new();
    bench.tidy();
    let handle = bench.approved();
    let claimed = bench.json(&["claim", &handle, "--by", "worker", "--lease", "1"]);
    let until = std::time::Instant::now() + std::time::Duration::from_secs(20);
    while state(&bench, &handle) != "interrupted" {
        assert!(std::time::Instant::now() < until, "the lease does not end");
    }
    bench.fails(5, &["claim", &handle, "--by", "other"]);
    bench.fails(5, &["heartbeat", &handle, "--token", &token(&claimed)]);
    bench.fails(5, &["finish", &handle, "--token", &token(&claimed), "--outcome", "done"]);
    let claim = claimed["claim"].to_string();
    bench.fuda_ok(&["release", &handle, "--claim", &claim, "--note", "looked at the tree"]);
    assert_eq!(state(&bench, &handle), "pending");
}

#[test]
fn what_the_executor_wrote_into_its_handoff_does_not_hide_that_it_is_gone() {
    let bench = Bench::new();
    let path = bench.tidy();
    let handle = bench.approved();
    let claimed = bench.json(&["claim", &handle, "--by", "worker", "--lease", "1"]);
    let by_the_executor = fs::read_to_string(&path).expect("read") + "\n- written by the executor\n";
    fs::write(&path, &by_the_executor).expect("written");
    support::wait_for("the end of the lease", || state(&bench, &handle) != "claimed");
    assert_eq!(state(&bench, &handle), "interrupted");
    // A handoff that is written there later is another one to review.
    fs::write(&path, by_the_executor + "- and the next day\n").expect("written");
    assert_eq!(state(&bench, &handle), "pending");
    bench.fails(5, &["claim", &handle, "--by", "other"]);
    assert!(claimed["claim"].is_u64());
}

#[test]
fn a_claim_on_anything_but_the_approved_bytes_and_tree_is_refused_and_names_the_difference() {
    type Change = (&'static str, fn(&Bench), &'static str);
    let changes: [Change; 8] = [
        (
            "a commit",
            |bench| {
                bench.git(&["commit", "-q", "--allow-empty", "-m", "later"]);
                fs::write(bench.repo().join("new.go"), "x").expect("written");
                bench.git(&["add", "new.go"]);
                bench.git(&["commit", "-q", "-m", "new"]);
            },
            "HEAD",
        ),
        (
            "another branch",
            |bench| {
                bench.git(&["checkout", "-q", "-b", "other"]);
            },
            "branch",
        ),
        (
            "a changed file",
            |bench| fs::write(bench.repo().join("queue.go"), "package other\n").expect("written"),
            "queue.go",
        ),
        ("an untracked file", |bench| fs::write(bench.repo().join("stray.go"), "x").expect("written"), "stray.go"),
        ("a removed file", |bench| fs::remove_file(bench.repo().join("queue.go")).expect("removed"), "queue.go"),
        (
            "an edit of the handoff",
            |bench| {
                let path = bench.repo().join("HANDOFF.md");
                let text = fs::read_to_string(&path).expect("read");
                fs::write(&path, text.replace("Pushing", "Nothing")).expect("written");
            },
            "file",
        ),
        (
            "a detached HEAD",
            |bench| {
                bench.git(&["checkout", "-q", "--detach"]);
            },
            "branch",
        ),
        (
            "a staged file",
            |bench| {
                fs::write(bench.repo().join("queue.go"), "package staged\n").expect("written");
                bench.git(&["add", "queue.go"]);
            },
            "queue.go",
        ),
    ];
    for (name, change, word) in changes {
        let bench = Bench::new();
        bench.tidy();
        let handle = bench.approved();
        change(&bench);
        let refused = bench.fails(6, &["claim", &handle, "--by", "worker"]);
        let text = refused["error"]["details"]["differences"].to_string();
        assert!(text.contains(word), "{name}: {text}");
        let show = bench.json(&["show", &handle]);
        assert_eq!(show["state"], "pending", "{name}");
        assert!(show["state_reason"].as_str().is_some_and(|reason| reason.starts_with("lapsed")), "{name}: {show}");
        bench.fails(6, &["claim", &handle, "--by", "worker"]);
        assert_eq!(
            fs::read_dir(bench.folder.path().join("fuda/runs")).expect("there").count(),
            0,
            "{name}: nothing is left of it"
        );
    }
}

#[test]
fn harmless_changes_do_not_refuse_a_claim() {
    type Change = (&'static str, fn(&Bench));
    let changes: [Change; 6] = [
        ("git status", |bench| {
            bench.git(&["status"]);
        }),
        ("git gc", |bench| {
            bench.git(&["gc", "-q"]);
        }),
        ("a touch", |bench| {
            let file = fs::OpenOptions::new().append(true).open(bench.repo().join("queue.go")).expect("opened");
            file.set_modified(std::time::SystemTime::UNIX_EPOCH).expect("touched");
        }),
        ("committing the handoff", |bench| {
            bench.git(&["add", "HANDOFF.md"]);
            bench.git(&["commit", "-q", "-m", "handoff"]);
        }),
        ("another branch made", |bench| {
            bench.git(&["branch", "idle"]);
        }),
        ("a tag", |bench| {
            bench.git(&["tag", "v1"]);
        }),
    ];
    for (name, change) in changes {
        let bench = Bench::new();
        bench.tidy();
        let handle = bench.approved();
        change(&bench);
        let output = bench.fuda(&["claim", &handle, "--by", "worker"]);
        assert!(output.status.success(), "{name}: {}", String::from_utf8_lossy(&output.stderr));
    }
}

#[test]
fn a_receiver_other_than_the_one_named_needs_a_persons_word() {
    let bench = Bench::new();
    let path = bench.tidy();
    let text = fs::read_to_string(&path).expect("read");
    fs::write(&path, text.replace("**Branch:** main", "**Branch:** main\n**To:** codex-work")).expect("written");
    let handle = bench.approved();
    assert_eq!(bench.json(&["show", &handle])["provenance"]["to"], "codex-work");
    let refused = bench.fails(5, &["claim", &handle, "--by", "somebody"]);
    assert_eq!(refused["error"]["details"]["codes"][0], "recipient");
    let inside = bench
        .command(&["claim", &handle, "--by", "somebody", "--ack", "recipient"])
        .env("CLAUDECODE", "1")
        .output()
        .expect("fuda");
    assert_eq!(inside.status.code(), Some(5), "an agent acknowledges nothing");
    bench.fuda_ok(&["claim", &handle, "--by", "somebody", "--ack", "recipient"]);
}

#[test]
fn the_receiver_that_is_named_needs_no_further_word_and_an_agent_may_claim() {
    let bench = Bench::new();
    let path = bench.tidy();
    let text = fs::read_to_string(&path).expect("read");
    fs::write(&path, text.replace("**Branch:** main", "**Branch:** main\n**To:** Codex Work")).expect("written");
    let handle = bench.approved();
    let output =
        bench.command(&["claim", &handle, "--by", "codex-work"]).env("CODEX_THREAD_ID", "1").output().expect("fuda");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
}

#[test]
fn a_second_live_claim_in_one_worktree_needs_a_persons_word() {
    let bench = Bench::new();
    bench.tidy();
    let first = bench.approved();
    bench.fuda_ok(&["claim", &first, "--by", "one"]);
    let head = bench.git(&["rev-parse", "HEAD"]);
    fs::create_dir_all(bench.repo().join("docs")).expect("made");
    fs::write(
        bench.repo().join("docs/HANDOFF.md"),
        format!("# Handoff: another\n\n**Branch:** main\n**Last commit:** {head} queue: first\n\n## Goal\n\nWrite the docs.\n\n## Next steps\n\n- [ ] Begin\n"),
    )
    .expect("written");
    bench.fuda_ok(&["index"]);
    let second = bench
        .fuda_ok(&["--json", "list"])
        .lines()
        .map(|line| serde_json::from_str::<Value>(line).expect("json"))
        .find(|row| row["handle"] != first.as_str())
        .expect("a second one")["handle"]
        .as_str()
        .expect("a handle")
        .to_owned();
    let rev = bench.json(&["show", &second])["rev"].as_str().expect("a revision").to_owned();
    let refused = bench.fails(5, &["approve", &second, "--rev", &rev]);
    assert_eq!(refused["error"]["details"]["codes"][0], "other_live_claim");
    bench.fuda_ok(&["approve", &second, "--rev", &rev, "--ack", "other_live_claim"]);
    bench.fuda_ok(&["claim", &second, "--by", "two"]);
}

#[test]
fn what_is_published_carries_what_code_saw_and_keeps_what_the_writer_claimed() {
    let bench = Bench::new();
    fs::write(bench.repo().join("queue.go"), "package queue // more\n").expect("written");
    let document = "---\nfuda: 2\ntitle: Queue\nagent: some-agent\ncreated_at: 2020-01-01T00:00:00Z\n---\n# Handoff\n## Objective\nMove ingest.\n## Remaining work\n- [ ] Drain it\n## Working tree\n- branch: release\n- HEAD: 0123456789abcdef0123456789abcdef01234567\n## Safety boundary\n### Never\n- Push\n";
    let repo = bench.repo();
    let output = bench.fuda_with(&["--json", "publish", "--repo", repo.to_str().expect("utf-8")], document.as_bytes());
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let published: Value = serde_json::from_slice(&output.stdout).expect("json");
    let show = bench.json(&["show", published["id"].as_str().expect("an id")]);
    assert_eq!((&show["handle"], &show["rev"]), (&published["handle"], &published["rev"]));
    assert_eq!(show["trees"][0]["branch"]["text"], "main");
    assert_eq!(show["trees"][0]["head"]["text"], bench.git(&["rev-parse", "HEAD"]));
    assert_eq!(show["trees"][0]["status"]["text"], "1 modified");
    assert_eq!(show["safety"]["never"][0]["text"], "Push");
    let claims = published["claims"].to_string();
    for claimed in ["branch: release", "HEAD: 0123456789", "time: 2020-01-01"] {
        assert!(claims.contains(claimed), "{claimed} in {claims}");
    }
    let drift = bench.json(&["drift", published["id"].as_str().expect("an id")]);
    assert_eq!(drift["relation"], "same", "{drift}");
}

#[test]
fn a_document_over_a_limit_or_of_another_kind_is_not_published_and_says_why() {
    let bench = Bench::new();
    let repo = bench.repo();
    let many = "- [ ] one more\n".repeat(61);
    for (document, word) in [
        (format!("---\nfuda: 2\n---\n# Handoff\n## Objective\nX\n## Remaining work\n{many}"), "(list_items)"),
        (format!("---\nfuda: 2\n---\n# Handoff\n## Objective\n{}\n", "x".repeat(2_001)), "(objective_chars)"),
        ("---\nfuda: 2\n---\n# Handoff\n## Constraints\n- a\n".to_owned(), "no objective"),
        ("---\nfuda: 9\n---\n# Handoff\n## Objective\nX\n".to_owned(), "Version 9"),
        ("{\"version\": 2, \"objective\": \"X\", \"surprise\": 1}".to_owned(), "surprise"),
        ("# Some notes\n\nNothing.\n".to_owned(), "neither"),
        (String::new(), "neither"),
    ] {
        let output =
            bench.fuda_with(&["--json", "publish", "--repo", repo.to_str().expect("utf-8")], document.as_bytes());
        assert_eq!(output.status.code(), Some(4), "{word}: {}", String::from_utf8_lossy(&output.stdout));
        assert!(
            String::from_utf8_lossy(&output.stdout).contains(word),
            "{word}: {}",
            String::from_utf8_lossy(&output.stdout)
        );
    }
    assert_eq!(fs::read_dir(bench.folder.path().join("fuda/handoffs")).expect("there").count(), 0);
}

#[test]
fn handoff_json_is_published_as_the_canonical_file() {
    let bench = Bench::new();
    let repo = bench.repo();
    let document = r#"{"version":1,"objective":"Move ingest","constraints":["Keep the API"],"next":["Drain"],"rejected":[{"what":"Polling","why":"slow"}]}"#;
    let output = bench.fuda_with(&["--json", "publish", "--repo", repo.to_str().expect("utf-8")], document.as_bytes());
    assert!(
        output.status.success(),
        "{}{}",
        String::from_utf8_lossy(&output.stdout),
        String::from_utf8_lossy(&output.stderr)
    );
    let published: Value = serde_json::from_slice(&output.stdout).expect("json");
    let show = bench.json(&["show", published["handle"].as_str().expect("a handle")]);
    assert_eq!((&show["format"], &show["rejected"][0]["what"]), (&"canonical".into(), &"Polling".into()));
    assert_eq!(show["path"], published["path"]);
    bench.approve(published["handle"].as_str().expect("a handle"));
    bench.fuda_ok(&["claim", published["handle"].as_str().expect("a handle"), "--by", "worker"]);
}

#[test]
fn a_pointer_goes_where_a_profile_asks_for_it_and_holds_no_content() {
    let bench = Bench::new();
    let config = bench.folder.path().join("fuda/config.toml");
    let text = fs::read_to_string(&config).expect("read");
    fs::write(&config, format!("{text}\npointer = \"{}/memory\"\n", bench.folder.path().display())).expect("written");
    let repo = bench.repo();
    let document = "---\nfuda: 2\n---\n# Handoff\n## Objective\nMove ingest.\n## Constraints\n- a secret plan\n";
    let output = bench.fuda_with(&["--json", "publish", "--repo", repo.to_str().expect("utf-8")], document.as_bytes());
    let published: Value = serde_json::from_slice(&output.stdout).expect("json");
    let pointer = fs::read_to_string(published["pointers"][0].as_str().expect("a pointer")).expect("read");
    assert!(
        pointer.contains(published["path"].as_str().expect("a path")) && !pointer.contains("secret plan"),
        "{pointer}"
    );
}

#[test]
fn what_came_back_is_drafted_into_the_next_handoff_which_replaces_it_when_published() {
    let bench = Bench::new();
    bench.tidy();
    let handle = bench.approved();
    let claimed = bench.json(&["claim", &handle, "--by", "worker"]);
    fs::write(bench.repo().join("queue.go"), "package later\n").expect("written");
    bench.git(&["commit", "-q", "-am", "queue: later"]);
    let note = "The queue has another owner.\n\n- Draining waits for them";
    bench.fuda_ok(&["finish", &handle, "--token", &token(&claimed), "--outcome", "returned", "--note", note]);
    let draft = bench.json(&["draft", &handle]);
    let document = draft["document"].as_str().expect("a document");
    let head = bench.git(&["rev-parse", "HEAD"]);
    let unverified = document.split("## Unverified").nth(1).expect("a section");
    for word in ["The queue has another owner.", "Draining waits for them"] {
        assert!(unverified.contains(word), "{word}: {document}");
    }
    for word in
        [&format!("parent: {handle}"), "from: worker", "reason: returned", &head, "### Needs a person", "Pushing"]
    {
        assert!(document.contains(word), "{word}: {document}");
    }
    assert_eq!(state(&bench, &handle), "returned");
    let folder = draft["folder"].as_str().expect("a folder");
    let output = bench.fuda_with(&["--json", "publish", "--repo", folder], document.as_bytes());
    let published: Value = serde_json::from_slice(&output.stdout).expect("json");
    let next = published["handle"].as_str().expect("a handle");
    assert_eq!(published["claims"], serde_json::json!([]), "what code owns was right: {published}");
    assert_eq!(state(&bench, next), "pending");
    bench.fails(5, &["claim", &handle, "--by", "other"]);
}
