//! What a sentence says by its own words where no heading or label says it: what somebody measured, what is only believed,
//! what waits for an answer, what is done and what is not yet.
//!
//! A sentence anywhere outside a field may tell a fact or a guess; only a line in the list of a heading about the state of
//! things (`現状`, `Where we are`) may tell work, and a sentence only where nothing else in the document does. What says neither stays where it stands.

use super::blocks::Block;
use super::certainty::{is_guess, says_failed, takes_back};
use super::gather::Gather;
use super::items::Line;
use super::sections::Section;
use crate::constant::{Words, pattern};
use crate::headings::Field;
use crate::{Found, Item, ItemState};
use regex::Regex;
use std::ops::Range;
use std::sync::LazyLock;

/// A result: somebody looked, and this came out.
static RESULT: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"(?i)^\W*(?:i |we )?(?:have )?(?:measured|verified|confirmed|benchmarked|timed|profiled|reproduced)\b.*\d|\b\d+ (?:of|out of|/) \d+\b.{0,60}\b(?:pass|green|ok\b|succe|match|agree)|\bpass(?:es|ed)?\b.{0,20}\b\d+ (?:of|out of|/) \d+\b|\b\d+ (?:tests? |specs? |checks? )?pass(?:ed|ing)?\b|\breports? (?:0|no) (?:violations|errors|failures)\b|\ball (?:\d+ )?(?:unit |integration |e2e )?(?:tests|checks|specs)\b.{0,20}\b(?:pass|green)|\d+\s*件(?:中\s*\d+\s*件)?.{0,12}(?:成功|合格|通過|パス|一致)|\d.{0,40}(?:を|で|と)?(?:実測|計測した|測定した|測った|確認した|確認済み?|検証した|検証済み?)(?:。|$|（)|(?:全て|すべて|全件).{0,8}(?:成功|合格|通過)|(?:测试|用例).{0,20}(?:全部)?通过|实测.{0,20}\d|(?:테스트|케이스).{0,20}통과|(?:gemessen|mesuré|medido|misurato|измерен\w*|измерил\w*)\b.{0,60}\d",
    )
});

/// Words of plans, wishes and conditions: what they stand in has not been seen.
static WISHED: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"(?i)\b(?:will|should|shall|must|would|could|can|needs? to|have to|has to|going to|once|until|unless|if|when|after|before|want|plan|todo|next|next time|not|never|no longer|only if)\b|n['’]t\b|ない|ません|未|まで|たら|れば|予定|こと(?:。|$)|应该|需要|没|不|未|如果|해야|않|못|예정",
    )
});

/// A believer speaks: the beginnings and ends by which somebody says that it is only a guess.
static BELIEVED: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"(?i)^\W*(?:i |we )(?:still )?(?:believe|think|suspect|assume|guess)\b|^\W*(?:my|our|best|the best) guess\b|^\W*(?:probably|presumably|apparently|most likely|likely|supposedly)\b|\b(?:i|we|nobody|no one) (?:have|has)(?: not|n['’]t)(?: yet)? (?:checked|tested|verified|tried|opened|looked|measured|confirmed)\b|\b(?:not (?:yet )?(?:been )?(?:tested|verified|checked|measured|confirmed)|untested|unverified|unconfirmed)\b|^\W*(?:мне кажется|похоже|вероятно|наверное|думаю|скорее всего|возможно)|^\W*(?:vermutlich|wahrscheinlich|ich (?:glaube|vermute|denke))\b|^\W*(?:je (?:pense|crois|suppose)|il me semble|probablement|sans doute)\b|^\W*(?:creo|supongo|probablemente|quizá)|^\W*(?:acho que|provavelmente|talvez)|^\W*(?:credo|penso che|probabilmente|forse)\b|おそらく|恐らく|たぶん|多分|かもしれ|と思われ|と思う(?:。|$|が)|はず(?:だ|です)?(?:。|$|だが|（)|だろう(?:。|$)|でしょう|推測|未確認|未検証|照合していない|確認していない|試していない|大概|也许|估计|好像|似乎|可能是|应该是|没验证|未验证|没测|아마|것 같|듯하|추측|확인하지 (?:않|못)|미확인|미검증",
    )
});

/// Somebody else's word is waited for.
static AWAITED: LazyLock<Words> = LazyLock::new(|| {
    Words::of(&[
        "返事待ち",
        "回答待ち",
        "返答待ち",
        "確認待ち",
        "判断待ち",
        "連絡待ち",
        "waiting for an answer",
        "waiting for a reply",
        "waiting for a decision",
        "has not answered",
        "hasn't answered",
        "hasn’t answered",
        "not answered yet",
        "no answer yet",
        "no reply yet",
        "等回复",
        "等待回复",
        "待回复",
        "답변 대기",
        "회신 대기",
        "antwort steht aus",
        "wartet auf antwort",
        "en attente de réponse",
        "pendiente de respuesta",
        "aguardando resposta",
        "in attesa di risposta",
        "ждём ответа",
        "ещё не ответил",
    ])
});

/// It is not done, or it comes next.
static AHEAD: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"(?i)\bnot (?:yet|done|finished|started|implemented)\b|\bstill (?:to|needs?|missing|open|broken|fails?|has to)\b|\b(?:is|are) (?:still )?missing\b|\b(?:half[- ]done|in progress|under way|underway|todo|to do|wip|next up|remains?)\b|まだ|次に|これから|未対応|未着手|未完|残っている|残って(?:い|る)|途中|作業中|対応中|着手中|する予定|直す(?:。|$)|还没|尚未|未完成|进行中|接下来|아직|진행 ?중|남았|noch nicht|pas encore|todavía no|ainda não|non ancora|ещё не|в работе",
    )
});

/// It is done.
static BEHIND: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"(?i)^\W*(?:added|implemented|fixed|merged|wrote|moved|built|created|removed|updated|finished|shipped|landed|migrated|refactored|replaced|renamed|wired|deployed|released|published|documented|completed|ported|converted|extracted|installed|set up)\b|\b(?:is|are|was|were) (?:now )?(?:done|finished|in place|merged|implemented|deployed|released|wired|complete|completed|ported|migrated)\b|(?:した|入れた|直した|作った|済み|済|完了|できた|できている|なった|終えた|終わった|してある|追加|取り込み済み)(?:。|$|（|\()|已完成|(?:已经|都)(?:做完|完成|写完|弄好)|做完了|已(?:经)?(?:实现|合并|修复|上线|部署|迁移)|완료|했다|했음|fertig|erledigt|terminé|hecho|listo|feito|pronto|fatto|готово|сделано",
    )
});

/// What a sentence says by itself, where it may say what was found out and what is only believed.
pub(super) fn certainty(sentence: &str) -> Option<Field> {
    if sentence.ends_with(['?', '？', ':', '：']) || sentence.chars().count() > 400 {
        return None;
    }
    if BELIEVED.is_match(sentence) {
        return Some(Field::Unverified);
    }
    let seen = RESULT.is_match(sentence)
        && !WISHED.is_match(sentence)
        && !takes_back(sentence)
        && !is_guess(sentence)
        && !says_failed(sentence);
    seen.then_some(Field::Facts)
}

/// What a line below a heading about the state of things says.
pub(super) fn state(line: &str) -> Option<Field> {
    // One word or two name a state, they tell none.
    let long = line.split_whitespace().count() >= 3 || !line.is_ascii() && line.chars().count() >= 8;
    if !long || crate::prose::speaks(line) {
        return None;
    }
    if AWAITED.any_in(line) || line.trim_end().ends_with(['?', '？']) {
        return Some(Field::Open);
    }
    if let Some(field) = certainty(line) {
        return Some(field);
    }
    if crate::formats::markdown::lines::first_hash(line).is_some_and(|(hash, at)| {
        line[at + hash.len()..].trim_start_matches(['`', '*', ')', ' ']).starts_with(['—', '–', '-', ':'])
    }) {
        // A commit with what it did.
        return Some(Field::Done);
    }
    if AHEAD.is_match(line) {
        return Some(Field::Next);
    }
    BEHIND.is_match(line).then_some(Field::Done)
}

/// Takes the line of a list about the state of things. Returns whether it said anything.
pub(super) fn state_line(gather: &mut Gather<'_>, line: &Line, under: &str) -> bool {
    let Some(field) = state(&line.text).filter(|_| line.cells.is_empty() && line.children.is_empty()) else {
        return false;
    };
    gather.put(field, line, under);
    true
}

/// Adds what sentences outside every field say was found out or is only believed.
pub(super) fn collect(gather: &mut Gather<'_>, sections: &[Section]) {
    let text = gather.text();
    let mut taken: Vec<Range<usize>> = gather.taken.clone();
    taken.sort_by_key(|range| range.start);
    let free = |range: &Range<usize>| {
        let index = taken.partition_point(|other| other.start < range.end);
        // A range that was taken may reach over later ones.
        !taken[..index].iter().rev().take(8).any(|other| other.end > range.start)
    };
    let silent = gather.handoff.done.is_empty() && gather.handoff.next.is_empty();
    for section in sections {
        let outside = section
            .fields
            .iter()
            .all(|field| matches!(field, Field::Provenance | Field::Next | Field::Done | Field::Hazards));
        if !outside || crate::prose::is_history(&section.heading) {
            continue;
        }
        for block in &section.blocks {
            let Block::Paragraph { range } = block else { continue };
            for sentence in crate::prose::sentences(text, range.clone()) {
                let words = text[sentence.clone()].trim();
                let said = if silent { state(words) } else { certainty(words) };
                let Some(field) = said.filter(|_| free(&sentence)) else { continue };
                let item = Item {
                    text: words.to_owned(),
                    span: Some(gather.source.span(sentence.start, sentence.end)),
                    found: Found::Prose,
                    under: (!section.heading.is_empty()).then(|| section.heading.clone()),
                    ..Item::default()
                };
                let of_state = |state| Item { state: Some(state), ..item.clone() };
                match field {
                    Field::Facts => gather.handoff.facts.push(item),
                    Field::Done => gather.handoff.done.push(of_state(ItemState::Done)),
                    Field::Next => gather.handoff.next.push(of_state(ItemState::Open)),
                    Field::Open => gather.handoff.open.push(item),
                    _ => gather.handoff.unverified.push(item),
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_about_the_state_says_what_it_is() {
        for (line, field) in [
            ("予約取消のメール送信は実装した", Field::Done),
            ("延滞者の予約制限も入れた", Field::Done),
            ("`bundle exec rspec` は 312 件中 312 件成功（本日 16:40）", Field::Facts),
            ("管理画面の CSV 出力はまだ文字化けする。次に直す", Field::Next),
            ("祝日の判定はおそらく内閣府の CSV と一致しているが、照合していない", Field::Unverified),
            ("予約の上限が 10 冊か 12 冊かは館長の返事待ち", Field::Open),
            ("Added the dial", Field::Done),
            ("cargo test: 41 passed", Field::Facts),
            ("The dial is still missing", Field::Next),
            ("I think the relay sticks", Field::Unverified),
        ] {
            assert_eq!(state(line), Some(field), "{line}");
        }
        for line in ["The kiln has two doors", "本番 DB には絶対に接続しないこと", "窯は二つある"] {
            assert_eq!(state(line), None, "{line}");
        }
    }

    #[test]
    fn plans_and_failures_are_no_results() {
        for sentence in [
            "All tests should pass before the merge",
            "When 40 of 40 pass, tell Ada",
            "3 of 41 failed",
            "Measure it 10 times",
            "全件成功したら知らせる",
        ] {
            assert_ne!(certainty(sentence), Some(Field::Facts), "{sentence}");
        }
        for sentence in ["Measured at noon: 54 fps", "The validator passes 212 of 212 samples"] {
            assert_eq!(certainty(sentence), Some(Field::Facts), "{sentence}");
        }
    }
}
