//! What a person is told of, once, and in which words.

use crate::support::{Bench, START, approve, inbox, now, scan};
use desk::arrivals::{Arrivals, Language, Notice, notices};
use desk::{Decision, Desk};
use jiff::tz::TimeZone;

const SECRET: &str = "ghp_Zx9Kq3Lm7Tr2Vb8Ny4Wc6Jd1Hf5Pg0Sa3Ue";

fn news(arrivals: &mut Arrivals, desk: &Desk) -> (Vec<String>, usize) {
    let news = arrivals.since(desk.waiting().expect("read"));
    (news.arrived.into_iter().map(|row| row.objective.unwrap_or_default()).collect(), news.gone.len())
}

fn words(desk: &Desk, language: Language) -> Vec<Notice> {
    notices(&desk.waiting().expect("read"), language, now(), &TimeZone::UTC)
}

#[test]
fn a_handoff_is_news_once_and_again_when_it_comes_back_to_review() {
    let bench = Bench::new();
    let desk = bench.desk();
    let mut arrivals = Arrivals::default();
    bench.handoff("HANDOFF.md", "one");
    scan(&desk);
    assert_eq!(news(&mut arrivals, &desk), (vec!["one".to_owned()], 0));
    bench.handoff("HANDOFF.md", "one, written further");
    scan(&desk);
    assert_eq!(news(&mut arrivals, &desk), (vec![], 0), "it waited all the time");
    let handle = inbox(&desk)[0].handle.clone();
    desk.decide(&handle, Decision::Return, Some("say why")).expect("returned");
    assert_eq!(news(&mut arrivals, &desk), (vec![], 1), "what a person sent back does not wait for them");
    bench.handoff("HANDOFF.md", "one, with the why");
    scan(&desk);
    assert_eq!(news(&mut arrivals, &desk), (vec!["one, with the why".to_owned()], 0));
    approve(&desk, &handle);
    assert_eq!(news(&mut arrivals, &desk), (vec![], 1));
}

#[test]
fn what_cannot_be_offered_and_what_lies_in_the_archive_is_no_news() {
    let bench = Bench::new();
    let desk = bench.desk();
    bench.write("a/handoff.json", "{\"version\": 9, \"objective\": \"x\"}");
    bench.handoff("HANDOFF.md", "one");
    scan(&desk);
    let handle = desk.waiting().expect("read")[0].handle.clone();
    assert_eq!(desk.waiting().expect("read").len(), 1);
    desk.archive(&handle, true).expect("archived");
    assert!(desk.waiting().expect("read").is_empty());
}

#[test]
fn a_notice_holds_title_repository_reason_and_a_reset_to_come_and_nothing_that_cannot_be_seen() {
    let bench = Bench::new();
    let desk = bench.desk();
    assert_eq!(now(), START);
    bench.write(
        "HANDOFF.md",
        &format!("---\nfuda: 2\ntitle: \"Drain \u{202e}the queue {SECRET}\u{200b} <b>now</b>\"\nreason: usage limit\nresets_at: 2026-11-01T18:00:00Z\n---\n# Handoff\n## Objective\nSecond text.\n## Remaining work\n- [ ] go\n"),
    );
    scan(&desk);
    let notice = words(&desk, Language::English).remove(0);
    assert_eq!(notice.title, "Handoff for review");
    let (first, second) = notice.text.split_once('\n').expect("two lines");
    assert!(first.starts_with("Drain the queue") && first.ends_with("<b>now</b>"), "{first:?}");
    assert!(!notice.text.contains(&SECRET[4..]) && !notice.text.contains("Second text"), "{notice:?}");
    assert_eq!(second, "tidewatch · usage limit · resets 18:00");
    assert_eq!(notice.handle, Some(inbox(&desk)[0].handle.clone()));
    assert!(words(&desk, Language::Japanese)[0].text.ends_with("18:00 に解除"));
}

#[test]
fn a_long_title_is_cut_and_a_reset_that_is_over_or_no_time_is_left_out() {
    let bench = Bench::new();
    let desk = bench.desk();
    for (number, resets) in ["2026-10-31T18:00:00Z", "some day, and now run this"].iter().enumerate() {
        bench.write(
            &format!("{number}/HANDOFF.md"),
            &format!("---\nfuda: 2\ntitle: {}\nresets_at: {resets}\n---\n# Handoff\n## Remaining work\n- [ ] {number}\n## Working tree\n- branch: b{number}\n", "long ".repeat(60)),
        );
    }
    scan(&desk);
    let found = words(&desk, Language::English);
    assert_eq!(found.len(), 2);
    for notice in found {
        let (first, second) = notice.text.split_once('\n').expect("two lines");
        assert_eq!((first.chars().count(), second), (80, "tidewatch"), "{notice:?}");
    }
}

#[test]
fn many_at_once_are_one_notice() {
    let bench = Bench::new();
    let desk = bench.desk();
    for number in 0..5 {
        bench.write(
            &format!("{number}/HANDOFF.md"),
            &format!("# Handoff\n\n**Branch:** b{number}\n\n## Next\n\n- go\n"),
        );
    }
    scan(&desk);
    let expected = Notice { title: "5 handoffs for review".to_owned(), text: "tidewatch".to_owned(), handle: None };
    assert_eq!(words(&desk, Language::English), [expected]);
}

#[test]
fn the_language_is_the_chosen_one_else_that_of_the_environment() {
    assert_eq!(Language::chosen("en", "ja_JP.UTF-8"), Language::English);
    assert_eq!(Language::chosen("auto", "ja_JP.UTF-8"), Language::Japanese);
    assert_eq!(Language::chosen("auto", "C"), Language::English);
}
