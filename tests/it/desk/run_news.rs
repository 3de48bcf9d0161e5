//! What a person is told of runs, once, and in which words.

use crate::support::{Bench, HOUR, approve, inbox, pass, scan};
use desk::arrivals::Notice;
use desk::{ClaimRequest, Desk, Finish, RunNews};
use std::time::{Duration, Instant};

const SECRET: &str = "ghp_Zx9Kq3Lm7Tr2Vb8Ny4Wc6Jd1Hf5Pg0Sa3Ue";

fn claimed(bench: &Bench, desk: &Desk) -> (String, String) {
    bench.handoff("HANDOFF.md", "one");
    scan(desk);
    let handle = inbox(desk)[0].handle.clone();
    approve(desk, &handle);
    let request = ClaimRequest { by: "worker".to_owned(), lease_seconds: Some(600), ..ClaimRequest::default() };
    let claimed = desk.claim(&handle, &request).expect("claimed");
    (handle, claimed.token)
}

fn news(desk: &Desk, known: &mut RunNews) -> Vec<Notice> {
    desk.run_news(known, "en_GB.UTF-8").expect("read")
}

fn finish(outcome: &str, note: &str) -> Finish {
    Finish { outcome: outcome.to_owned(), note: Some(note.to_owned()), log: None }
}

#[test]
fn a_run_that_ends_is_told_once_with_its_outcome_and_no_secret() {
    let bench = Bench::new();
    let desk = bench.desk();
    let (handle, token) = claimed(&bench, &desk);
    let mut known = RunNews::default();
    assert_eq!(news(&desk, &mut known), [], "what was before is no news");
    desk.finish(&handle, &token, &finish("returned", &format!("the key {SECRET} is\u{200b} missing"))).expect("said");
    let told = news(&desk, &mut known);
    assert_eq!(told.len(), 1, "{told:?}");
    assert_eq!((told[0].title.as_str(), &told[0].handle), ("Run ended: returned", &Some(handle)));
    assert!(told[0].text.contains("tidewatch · the key"), "{told:?}");
    assert!(!told[0].text.contains(&SECRET[4..]) && !told[0].text.contains('\u{200b}'), "{told:?}");
    assert_eq!(news(&desk, &mut known), []);
}

#[test]
fn a_holder_that_fell_silent_is_told_though_nobody_looks() {
    let bench = Bench::new();
    let desk = bench.desk();
    let (handle, _) = claimed(&bench, &desk);
    let mut known = RunNews::default();
    assert_eq!(news(&desk, &mut known), []);
    pass(HOUR);
    let told: Vec<Notice> = (0..10).flat_map(|_| news(&desk, &mut known)).collect();
    assert_eq!(told.len(), 1, "{told:?}");
    assert_eq!((told[0].title.as_str(), told[0].handle.as_ref()), ("Run interrupted", Some(&handle)));
}

#[test]
fn a_question_is_told_while_it_waits() {
    let bench = Bench::new();
    let desk = bench.desk();
    let (handle, token) = claimed(&bench, &desk);
    let mut known = RunNews::default();
    assert_eq!(news(&desk, &mut known), []);
    std::thread::scope(|scope| {
        let asks = scope.spawn(|| desk.ask(&handle, &token, "Bash", "git push origin main"));
        let until = Instant::now() + Duration::from_secs(20);
        let told = loop {
            let told = news(&desk, &mut known);
            assert!(Instant::now() < until, "nothing was told");
            if !told.is_empty() {
                break told;
            }
        };
        assert_eq!(told[0].title, "The agent asks you");
        assert!(told[0].text.ends_with("Bash: git push origin main"), "{told:?}");
        let question = desk.questions().expect("read")[0].question;
        desk.answer(question, false, None).expect("answered");
        assert!(!asks.join().expect("no panic").expect("an answer").allow);
    });
}

#[test]
fn nothing_is_told_where_a_person_turned_it_off_nor_later() {
    let bench = Bench::new();
    let desk = bench.desk();
    bench.configure("[settings]\nrun_notifications = false\n");
    let (handle, token) = claimed(&bench, &desk);
    let mut known = RunNews::default();
    assert_eq!(news(&desk, &mut known), []);
    desk.finish(&handle, &token, &finish("done", "")).expect("said");
    assert_eq!(news(&desk, &mut known), [], "a person turned it off");
    bench.configure("");
    assert_eq!(news(&desk, &mut known), [], "and is not told of it later");
}
