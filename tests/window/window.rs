//! The real window, driven through WebKit's own driver: what a person sees and does.

mod desktop;
mod presence;
mod runs;
mod screen;
mod stage;

use fantoccini::Locator;
use serde_json::json;
use stage::{Desk, PATIENCE, becomes, click, git, picture, program};
use std::fs;
use std::net::TcpListener;
use std::process::Command;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

#[tokio::test]
async fn a_handoff_is_shown_beside_the_repository_edited_and_approved() {
    let desk = Desk::new();
    desk.handoff();
    desk.add_profile();
    let client = desk.window().await;
    becomes(&client, "h1", |text| text.contains("webhook queue 再接続")).await;
    becomes(&client, "[data-verdict]", |text| !text.is_empty()).await;
    becomes(&client, ".tn", |text| text.contains("main") && text.contains("same")).await;
    picture(&client, "desk.png").await;

    // The boundary is edited; the file changes by that line only.
    let before = fs::read_to_string(desk.repo().join("HANDOFF.md")).expect("read");
    click(&client, "[data-action='boundary']").await;
    click(&client, "[data-add='safety.never']").await;
    let field = client
        .wait()
        .at_most(PATIENCE)
        .for_element(Locator::Css("[data-field='safety.never'] textarea"))
        .await
        .expect("a field");
    field.send_keys("Deleting tags").await.expect("typed");
    becomes(&client, ".diff", |text| text.contains("Deleting tags")).await;
    picture(&client, "editing.png").await;
    click(&client, "[data-action='save']").await;
    becomes(&client, ".bound", |text| text.contains("Deleting tags") && text.contains("Pushing")).await;
    let after = fs::read_to_string(desk.repo().join("HANDOFF.md")).expect("read");
    assert!(after.starts_with(&before), "only something was added: {after}");

    // Approving asks for what must be acknowledged, and binds.
    click(&client, "[data-action='approve']").await;
    becomes(&client, "[data-dialog='approve']", |text| text.contains("What you approve")).await;
    client
        .execute("document.querySelectorAll('[data-ack][aria-checked=false]').forEach((box) => box.click())", vec![])
        .await
        .expect("acknowledged");
    picture(&client, "approve.png").await;
    click(&client, "[data-action='confirm-approve']").await;
    becomes(&client, ".doc-top", |text| text.contains("Approved")).await;

    // A commit in the repository shows by itself, and the approval lapses.
    fs::write(desk.repo().join("queue.go"), "package queue\n\nfunc Drain() {}\n").expect("written");
    git(&desk.repo(), &["commit", "-q", "-am", "queue: drain"]);
    becomes(&client, "[data-pane='repository']", |text| text.contains("queue: drain")).await;
    becomes(&client, ".doc-top", |text| text.contains("Lapsed")).await;
    picture(&client, "lapsed.png").await;
    client.close().await.expect("closed");
}

#[tokio::test]
async fn the_first_start_offers_profiles_and_search_finds_japanese() {
    let desk = Desk::new();
    desk.handoff();
    let client = desk.window().await;
    becomes(&client, "[data-pane='profiles']", |text| text.contains("Read the handoff")).await;
    click(&client, "[data-action='another']").await;
    for (css, text) in [("#profile-name", "work".to_owned()), ("#profile-root", desk.repo().display().to_string())] {
        client
            .wait()
            .at_most(PATIENCE)
            .for_element(Locator::Css(css))
            .await
            .expect("a field")
            .send_keys(&text)
            .await
            .expect("typed");
    }
    click(&client, "[data-action='add-profile']").await;
    becomes(&client, "[data-profile='work']", |text| text.contains("1 handoff")).await;
    click(&client, "[data-list='inbox']").await;
    becomes(&client, "[data-pane='list']", |text| text.contains("webhook queue")).await;
    click(&client, "[data-action='search']").await;
    client
        .wait()
        .at_most(PATIENCE)
        .for_element(Locator::Css("[role='combobox']"))
        .await
        .expect("a field")
        .send_keys("接続")
        .await
        .expect("typed");
    becomes(&client, "[data-dialog='palette']", |text| text.contains("webhook queue")).await;
    client.close().await.expect("closed");
}

#[tokio::test]
async fn nothing_of_a_document_reaches_the_network_or_becomes_markup() {
    let desk = Desk::new();
    let sink = TcpListener::bind("127.0.0.1:0").expect("a sink");
    let at = format!("http://127.0.0.1:{}", sink.local_addr().expect("an address").port());
    let asked = Arc::new(AtomicUsize::new(0));
    let counter = Arc::clone(&asked);
    std::thread::spawn(move || {
        sink.incoming().for_each(|_| {
            counter.fetch_add(1, Ordering::SeqCst);
        })
    });
    let vectors = [
        "<img src=URL/1>",
        "<script src=URL/2></script>",
        "<link rel=stylesheet href=URL/3>",
        "<iframe src=URL/4></iframe>",
        "<meta http-equiv=refresh content=\"0;url=URL/5\">",
        "<video src=URL/6 autoplay></video>",
        "<audio src=URL/7 autoplay></audio>",
        "<object data=URL/8></object>",
        "<embed src=URL/9>",
        "<svg><image href=URL/10 /></svg>",
        "<svg><use href=URL/11#x /></svg>",
        "<style>@import url(URL/12)</style>",
        "<div style=\"background:url(URL/13)\">x</div>",
        "<input type=image src=URL/14>",
        "<form action=URL/15><button autofocus onfocus=this.form.submit()></button></form>",
        "<img srcset=\"URL/16 1x\">",
        "<picture><source srcset=URL/17><img></picture>",
        "<base href=URL/18>",
        "<link rel=prefetch href=URL/19>",
        "<link rel=preconnect href=URL/20>",
        "<link rel=dns-prefetch href=URL/21>",
        "<body background=URL/22>",
        "![p](URL/23)",
        "[l](URL/24)",
        "<a href=URL/25 ping=URL/25>x</a>",
        "<img src=x onerror=\"fetch('URL/26')\">",
        "<details open ontoggle=\"new Image().src='URL/27'\">x</details>",
        "<track src=URL/28>",
        "<portal src=URL/29></portal>",
        "<script>navigator.sendBeacon('URL/30')</script>",
    ];
    let mut text = String::from("# Handoff: <img src=URL/0> leaks\n\n## Goal\n\nGo.\n\n## Next steps\n\n");
    for vector in vectors {
        text.push_str(&format!("- {vector}\n"));
    }
    text.push_str("\n## Odd\n\n");
    for vector in vectors {
        text.push_str(&format!("{vector}\n\n"));
    }
    fs::write(desk.repo().join("HANDOFF.md"), text.replace("URL", &at)).expect("written");
    desk.add_profile();
    let client = desk.window().await;
    becomes(&client, "#section-next", |text| text.contains("/30")).await;
    becomes(&client, "[data-verdict]", |text| !text.is_empty()).await;
    let markup = client
        .execute("return document.querySelectorAll('.says img, .says script, .says iframe, .says style, .says form, .says object, .says a, .says video').length", vec![])
        .await
        .expect("counted");
    assert_eq!(markup, json!(0));
    let moved = client.execute(&format!("location.href = '{at}/moved'; return true"), vec![]).await;
    assert!(moved.is_ok());
    becomes(&client, "#section-next", |text| text.contains("/30")).await;
    assert_eq!(asked.load(Ordering::SeqCst), 0, "the window asked the network");
    client.close().await.expect("closed");
}

#[test]
fn without_a_display_it_says_so_and_names_the_command_line() {
    let output = Command::new(program("FUDA_APP", "fuda-app"))
        .env_remove("DISPLAY")
        .env_remove("WAYLAND_DISPLAY")
        .output()
        .expect("the app");
    assert!(!output.status.success());
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(said.contains("no display") && said.contains("fuda list"), "{said}");
}
