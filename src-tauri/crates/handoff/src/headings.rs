//! Which field a heading, label, tag or key stands for, in nine languages.
//!
//! Headings are normalised (numbering, emoji, emphasis, brackets, Latin accents; never kana), negations are
//! tested before the plain forms, and one heading may name two fields.

use std::collections::HashMap;
use std::sync::LazyLock;
use unicode_normalization::UnicodeNormalization;

/// A field that a section can belong to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Field {
    /// The end state.
    Objective,
    /// What must stay true.
    Constraints,
    /// What was checked.
    Facts,
    /// What was not.
    Unverified,
    /// Traps.
    Hazards,
    /// Decisions.
    Decisions,
    /// What not to propose again.
    Rejected,
    /// Settled work.
    Done,
    /// The queue.
    Next,
    /// Questions.
    Open,
    /// References.
    Artifacts,
    /// The recorded repository.
    Tree,
    /// The safety boundary.
    Safety,
    /// Status, context, who and when: a container whose lines are read one by one.
    Provenance,
}

/// Which list of the boundary a heading names.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Boundary {
    /// Without asking.
    May,
    /// Needs a person.
    Ask,
    /// Not at all.
    Never,
}

static TABLE: LazyLock<HashMap<String, Vec<Field>>> = LazyLock::new(|| {
    let rows: Vec<(Field, &str)> = include_str!("headings.tsv")
        .lines()
        .filter_map(|line| line.split_once('\t'))
        .filter_map(|(field, heading)| Some((field_named(field)?, heading)))
        .collect();
    let mut table: HashMap<String, Vec<Field>> = HashMap::new();
    let add = |table: &mut HashMap<String, Vec<Field>>, key: String, field: Field| {
        let fields = table.entry(key).or_default();
        if !fields.contains(&field) {
            fields.push(field);
        }
    };
    for (field, heading) in &rows {
        add(&mut table, fold(heading), *field);
    }
    // A heading without its bracket is a name of its own: "git state (verified)" must not make "git state" a fact.
    let mut shorter: HashMap<String, Vec<Field>> = HashMap::new();
    for (field, heading) in &rows {
        for key in [normalise(heading), normalise(&words(heading))] {
            if !table.contains_key(&key) {
                add(&mut shorter, key, *field);
            }
        }
    }
    table.extend(shorter);
    table
});

/// Words that name a field when they stand anywhere in a heading that the table does not hold. Negated forms first.
const HINTS: &[(&str, Field)] = &[
    ("not done", Field::Next),
    ("not started", Field::Next),
    ("nicht erledigt", Field::Next),
    ("noch nicht", Field::Next),
    ("pas encore", Field::Next),
    ("ещё не", Field::Next),
    ("not verified", Field::Unverified),
    ("not yet verified", Field::Unverified),
    ("not tested", Field::Unverified),
    ("untested", Field::Unverified),
    ("не проверено", Field::Unverified),
    ("nicht verifiziert", Field::Unverified),
    ("nicht geprüft", Field::Unverified),
    ("미확인", Field::Unverified),
    ("안 된", Field::Rejected),
    ("business rules", Field::Constraints),
    ("unverified", Field::Unverified),
    ("未完成", Field::Next),
    ("미완료", Field::Next),
    ("未解決", Field::Open),
    ("не сделано", Field::Next),
    ("what did not change", Field::Safety),
    ("did not work", Field::Rejected),
    ("didn't work", Field::Rejected),
    ("not to do", Field::Rejected),
    ("do not touch", Field::Safety),
    ("safety", Field::Safety),
    ("needs a person", Field::Safety),
    ("human approval", Field::Safety),
    ("requires approval", Field::Safety),
    ("hands off", Field::Safety),
    ("don't touch", Field::Safety),
    ("off limits", Field::Safety),
    ("不要动", Field::Safety),
    ("건드리지", Field::Safety),
    ("не трогать", Field::Safety),
    ("nicht anfassen", Field::Safety),
    ("non toccare", Field::Safety),
    ("ne pas toucher", Field::Safety),
    ("no tocar", Field::Safety),
    ("não mexer", Field::Safety),
    ("nao mexer", Field::Safety),
    ("without approval", Field::Safety),
    ("触らない", Field::Safety),
    ("禁止", Field::Safety),
    ("rejected", Field::Rejected),
    ("ruled out", Field::Rejected),
    ("abandoned", Field::Rejected),
    ("dead end", Field::Rejected),
    ("failed", Field::Rejected),
    ("却下", Field::Rejected),
    ("否决", Field::Rejected),
    ("open question", Field::Open),
    ("questions for", Field::Open),
    ("question for", Field::Open),
    ("待确认", Field::Open),
    ("要確認", Field::Open),
    ("확인 필요", Field::Open),
    ("unresolved", Field::Open),
    ("blocker", Field::Open),
    ("next", Field::Next),
    ("remaining", Field::Next),
    ("to do", Field::Next),
    ("in progress", Field::Next),
    ("pending", Field::Next),
    ("残", Field::Next),
    ("다음", Field::Next),
    ("下一步", Field::Next),
    ("次に", Field::Next),
    ("decision", Field::Decisions),
    ("决策", Field::Decisions),
    ("gotcha", Field::Hazards),
    ("pitfall", Field::Hazards),
    ("known issue", Field::Hazards),
    ("watch out", Field::Hazards),
    ("be careful", Field::Hazards),
    ("stolperfalle", Field::Hazards),
    ("罠", Field::Hazards),
    ("verified", Field::Facts),
    ("completed", Field::Done),
    ("已完成", Field::Done),
    ("完了", Field::Done),
    ("완료", Field::Done),
    ("accomplished", Field::Done),
    ("what was done", Field::Done),
    ("been done", Field::Done),
    ("what's done", Field::Done),
    ("what’s done", Field::Done),
    ("changes made", Field::Done),
    ("git state", Field::Tree),
    ("uncommitted", Field::Tree),
    ("未コミット", Field::Tree),
    ("constraint", Field::Constraints),
    ("key files", Field::Artifacts),
    ("critical files", Field::Artifacts),
    ("important files", Field::Artifacts),
    ("relevant files", Field::Artifacts),
    ("related files", Field::Artifacts),
    ("files touched", Field::Artifacts),
    ("files involved", Field::Artifacts),
    ("files to know", Field::Artifacts),
    ("files modified", Field::Artifacts),
    ("files changed", Field::Artifacts),
    ("assumption", Field::Unverified),
    ("caveat", Field::Hazards),
    ("risk", Field::Hazards),
    ("既知の", Field::Hazards),
    ("goal", Field::Objective),
    ("objective", Field::Objective),
    ("we're doing", Field::Objective),
    ("we’re doing", Field::Objective),
];

/// Bytes of a heading in which its name stands; what is longer is a text that somebody made a heading of.
const LONGEST_NAME: usize = 400;

/// The beginning of a heading that holds its name.
fn name_of(heading: &str) -> &str {
    let end = (0..=LONGEST_NAME.min(heading.len())).rev().find(|end| heading.is_char_boundary(*end));
    &heading[..end.unwrap_or(0)]
}

/// The fields that the table gives for a name, nothing guessed.
pub fn known(heading: &str) -> Vec<Field> {
    let heading = name_of(heading);
    let mut fields: Vec<Field> = Vec::new();
    let mut add = |found: Option<&Vec<Field>>| {
        for field in found.into_iter().flatten() {
            if !fields.contains(field) {
                fields.push(*field);
            }
        }
        found.is_some()
    };
    let forms = forms(heading);
    // `Goal (incl. success criteria)` is a goal first, then what the whole name says.
    let shortest = forms.len().saturating_sub(1);
    for (index, form) in forms.iter().enumerate().rev() {
        let found = TABLE.get(form);
        let container = found.is_some_and(|found| found.iter().all(|field| matches!(field, Field::Provenance)));
        if !(container && index == shortest && index > 0) {
            add(found);
        }
    }
    for part in forms.iter().flat_map(|form| form.split(" / ")).filter(|part| !forms.iter().any(|form| form == part)) {
        add(TABLE.get(part.trim()));
    }
    if fields.is_empty() {
        fields = TABLE
            .get(&normalise(&words(heading)))
            .or_else(|| TABLE.get(&normalise(heading)))
            .cloned()
            .unwrap_or_default();
    }
    fields
}

/// A heading as it may stand in the table: folded, without its number, without one bracket after the other.
fn forms(heading: &str) -> Vec<String> {
    let folded = fold(heading);
    let mut forms = vec![folded.clone()];
    let mut next = Some(trim(&strip_numbering(&folded)).to_owned());
    while let Some(form) = next {
        next = strip_bracket(&form).map(|shorter| trim(&shorter).to_owned());
        if !forms.contains(&form) {
            forms.push(form);
        }
    }
    forms
}

/// The fields that a heading, label, tag or key stands for; none when it is unknown.
pub fn classify(heading: &str) -> Vec<Field> {
    let heading = name_of(heading);
    let exact = known(heading);
    if !exact.is_empty() {
        return exact;
    }
    let plain = normalise(heading);
    let mut several = Vec::new();
    for part in plain.split(['/', '&', '・']).flat_map(|part| part.split(" and ")).flat_map(|part| part.split('と')) {
        for field in TABLE.get(part.trim()).into_iter().flatten() {
            if !several.contains(field) {
                several.push(*field);
            }
        }
    }
    if !several.is_empty() {
        return several;
    }
    // A heading may carry its content behind a dash or colon: `Next concrete step - K12`.
    if let Some((head, _)) = plain.split_once([':', '：', '—', '–']).or_else(|| plain.split_once(" - "))
        && let Some(fields) = TABLE.get(head.trim())
    {
        return fields.clone();
    }
    if plain.chars().count() > 60 {
        return Vec::new();
    }
    HINTS.iter().find(|(hint, _)| contains_word(&plain, hint)).map(|(_, field)| vec![*field]).unwrap_or_default()
}

/// Which list of the boundary a heading names; without a word for it, the one that needs a person.
pub fn boundary(heading: &str) -> Boundary {
    boundary_named(heading).unwrap_or(Boundary::Ask)
}

/// Which list of the boundary a heading names; nothing when it has no word for it.
pub fn boundary_named(heading: &str) -> Option<Boundary> {
    let heading = name_of(heading);
    let plain = normalise(&words(heading));
    let any = |words: &[&str]| words.iter().any(|word| plain.contains(word));
    if (any(MAY) || plain == "may" || plain.ends_with(" may"))
        && !any(&["not allowed", "may not", "must not", "cannot"])
    {
        return Some(Boundary::May);
    }
    if any(&["forbidden", "untouched", "not change", "may not", "must not", "not allowed", "cannot"])
        && !any(&["unless", "without"])
    {
        return Some(Boundary::Never);
    }
    if any(ASK) {
        return Some(Boundary::Ask);
    }
    any(NEVER).then_some(Boundary::Never)
}

/// Which list of the boundary a rule belongs to, told from its own words.
pub fn boundary_of_rule(rule: &str) -> Option<Boundary> {
    if let Some((label, _)) = rule.split_once([':', '：']) {
        match normalise(label).as_str() {
            "may" | "can" | "allowed" | "ok" | "free" | "yes" | "許可" | "允许" | "허용" => {
                return Some(Boundary::May);
            }
            "ask" | "ask first" | "ask before" | "approval" | "confirm" | "要承認" | "承認" | "需批准" | "승인" =>
            {
                return Some(Boundary::Ask);
            }
            "never" | "no" | "forbidden" | "don't" | "do not" | "禁止" | "금지" => return Some(Boundary::Never),
            _ => {}
        }
    }
    let text = rule.to_lowercase();
    let any = |words: &[&str]| words.iter().any(|word| text.contains(word));
    let granted = any(&["may ", "allowed", "free to", "you can "]) || text.starts_with("can ");
    if granted && !any(&["not ", "never", "n't ", "nothing", "unless", "only after", "ask "]) {
        return Some(Boundary::May);
    }
    if any(&[
        "without approval",
        "without asking",
        "without permission",
        "unless asked",
        "unless approved",
        "ask before",
        "ask first",
    ]) {
        return Some(Boundary::Ask);
    }
    if any(NEVER) || any(&["must not", "no touching", "しない", "勿", "不得", "нельзя", "niemals"]) {
        return Some(Boundary::Never);
    }
    if any(ASK) {
        return Some(Boundary::Ask);
    }
    (any(MAY) || text.starts_with("can ")).then_some(Boundary::May)
}

const MAY: &[&str] = &[
    "may ",
    "allowed",
    "can do alone",
    "without asking",
    "free to",
    "許可",
    "してよい",
    "允许",
    "可以",
    "허용",
    "darf",
    "peut",
    "puede",
];

const ASK: &[&str] = &[
    "unless asked",
    "needs a person",
    "ask ",
    "approval",
    "approve",
    "human",
    "confirm",
    "人間承認",
    "承認",
    "確認",
    "人工",
    "批准",
    "确认",
    "확인",
    "승인",
    "freigabe",
];

const NEVER: &[&str] = &[
    "never",
    "do not",
    "don't",
    "forbidden",
    "out of scope",
    "off limits",
    "off-limits",
    "hands off",
    "not change",
    "untouched",
    "prohibited",
    "触らない",
    "触るな",
    "禁止",
    "いけない",
    "不要",
    "不能",
    "勿",
    "严禁",
    "말 것",
    "금지",
    "не трогать",
    "ne pas",
    "ne jamais",
    "jamais ",
    "nunca",
    "никогда",
    "절대",
    "決して",
    "no tocar",
    "nicht",
    "non toccare",
    "não mexer",
    "não tocar",
];

fn contains_word(text: &str, word: &str) -> bool {
    if !word.is_ascii() {
        return text.contains(word);
    }
    let boundary = |character: Option<char>| character.is_none_or(|character| !character.is_alphanumeric());
    text.match_indices(word).any(|(at, found)| {
        boundary(text[..at].chars().next_back()) && {
            let rest = &text[at + found.len()..];
            boundary(rest.chars().next()) || rest.starts_with('s')
        }
    })
}

fn field_named(name: &str) -> Option<Field> {
    Some(match name {
        "objective" => Field::Objective,
        "constraints" => Field::Constraints,
        "facts" => Field::Facts,
        "unverified" => Field::Unverified,
        "hazards" => Field::Hazards,
        "decisions" => Field::Decisions,
        "rejected" => Field::Rejected,
        "done" => Field::Done,
        "next" => Field::Next,
        "open" => Field::Open,
        "artifacts" => Field::Artifacts,
        "tree" => Field::Tree,
        "safety" => Field::Safety,
        "provenance" => Field::Provenance,
        _ => return None,
    })
}

/// `snake_case` and `camelCase` as words.
fn words(key: &str) -> String {
    let mut out = String::with_capacity(key.len() + 4);
    let mut before = ' ';
    for character in key.chars() {
        if character == '_' || (character == '-' && before.is_alphanumeric()) {
            out.push(' ');
        } else {
            if character.is_uppercase() && before.is_lowercase() {
                out.push(' ');
            }
            out.push(character);
        }
        before = character;
    }
    out
}

/// Lowercase, Latin accents folded, emphasis and outer punctuation gone; brackets kept.
fn fold(heading: &str) -> String {
    let repaired = crate::source::repaired(heading);
    let heading = repaired.as_deref().unwrap_or(heading);
    let folded = if heading.chars().all(folds_to_itself) { heading.to_lowercase() } else { without_accents(heading) };
    let trimmed = folded.trim_matches(|character: char| {
        character.is_whitespace()
            || matches!(character, '*' | '_' | '`' | '#' | ':' | '：' | '<' | '>' | '~')
            || is_symbol(character)
    });
    if !trimmed.contains("  ") && !trimmed.contains(|blank: char| blank.is_whitespace() && blank != ' ') {
        return trimmed.to_owned();
    }
    trimmed.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// ASCII, signs, kana, Han, Hangul and emoji that taking apart and putting together again does not change.
fn folds_to_itself(character: char) -> bool {
    matches!(character, '\0'..='\u{7f}' | '\u{2010}'..='\u{2027}' | '\u{2190}'..='\u{2199}' | '\u{2500}'..='\u{27bf}'
        | '\u{fe0f}' | '\u{1f300}'..='\u{1faff}' | '\u{3000}'..='\u{3029}' | '\u{3041}'..='\u{3096}' | '\u{309b}'..='\u{30ff}'
        | '\u{4e00}'..='\u{9fff}' | '\u{ac00}'..='\u{d7a3}' | '\u{ff01}'..='\u{ff5e}')
}

fn without_accents(heading: &str) -> String {
    let mut folded = String::with_capacity(heading.len());
    let mut base_is_latin = false;
    for character in heading.nfd() {
        let combining = matches!(character, '\u{300}'..='\u{36f}');
        if combining && base_is_latin {
            continue;
        }
        if !combining {
            base_is_latin = character.is_ascii_alphabetic();
        }
        folded.extend(character.to_lowercase());
    }
    folded.nfc().collect()
}

/// As [`fold`], with numbering and bracketed remarks removed.
pub fn normalise(heading: &str) -> String {
    let folded = fold(heading);
    let mut text = strip_numbering(&folded);
    while let Some(shorter) = strip_bracket(&text) {
        text = shorter;
    }
    trim(&text).to_owned()
}

fn trim(text: &str) -> &str {
    text.trim_matches(|character: char| {
        character.is_whitespace()
            || matches!(character, '*' | ':' | '：' | '?' | '？' | '-' | '—' | '–')
            || is_symbol(character)
    })
}

fn is_symbol(character: char) -> bool {
    matches!(character, '\u{2190}'..='\u{21ff}' | '\u{2300}'..='\u{23ff}' | '\u{25a0}'..='\u{27bf}' | '\u{2b00}'..='\u{2bff}'
        | '\u{fe00}'..='\u{fe0f}' | '\u{1f000}'..='\u{1faff}' | '\u{200d}' | '•')
}

fn strip_numbering(text: &str) -> String {
    let mut rest = text.trim_start();
    loop {
        let before = rest;
        rest = rest.trim_start_matches('§');
        if let Some(inner) = rest.strip_prefix(['(', '（'])
            && let Some((number, after)) = inner.split_once([')', '）'])
            && number.chars().count() <= 3
            && number.chars().all(char::is_alphanumeric)
            && !number.is_empty()
        {
            rest = after.trim_start();
        }
        for word in ["phase ", "step ", "part "] {
            if let Some(after) = rest.strip_prefix(word) {
                let digits = after.trim_start_matches(|c: char| c.is_ascii_digit());
                if digits.len() < after.len()
                    && let Some(title) = digits.trim_start().strip_prefix(['—', '–', '-', ':', '：'])
                {
                    rest = title.trim_start();
                }
            }
        }
        let digits = rest.trim_start_matches(|character: char| {
            character.is_ascii_digit() || matches!(character, '.' | '-') || matches!(character, '①'..='⑳')
        });
        let number = &rest[..rest.len() - digits.len()];
        if number.chars().any(|character| character.is_ascii_digit() || matches!(character, '①'..='⑳')) {
            let after = digits.trim_start_matches([')', '）', '、', '.', ':', '．']);
            if after.len() < digits.len()
                || digits.starts_with(char::is_whitespace)
                || number.ends_with(['.', '-'])
                || number.chars().any(|c| matches!(c, '①'..='⑳'))
            {
                rest = after.trim_start();
            }
        }
        let roman = rest.trim_start_matches(['i', 'v', 'x']);
        if roman.len() < rest.len()
            && rest.len() - roman.len() <= 5
            && let Some(after) = roman.strip_prefix(['.', ')']).filter(|after| after.starts_with(' '))
        {
            rest = after.trim_start();
        }
        let kanji = rest.trim_start_matches(|character: char| "一二三四五六七八九十".contains(character));
        if kanji.len() < rest.len()
            && let Some(after) = kanji.strip_prefix(['、', '.', '．'])
        {
            rest = after.trim_start();
        }
        if rest == before {
            return rest.to_owned();
        }
    }
}

/// Removes a closing bracketed remark when a space stands before it or when it is full-width: `Task(s)` stays.
fn strip_bracket(text: &str) -> Option<String> {
    let text = text.trim_end_matches([':', '：', ' ']);
    if let Some(open) = text.strip_suffix('）').and_then(|text| text.rfind('（')) {
        return Some(text[..open].trim_end().to_owned());
    }
    if let Some(open) = text.strip_suffix(')').and_then(|text| text.rfind('(')) {
        let before = &text[..open];
        if before.ends_with(' ') && !before.trim().is_empty() {
            return Some(before.trim_end().to_owned());
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbering_emoji_brackets_and_accents_do_not_matter() {
        for heading in [
            "4. Next Steps",
            "## ✅ Next steps:",
            "§4 next steps",
            "(A) Next Steps",
            "**Next steps** (for tomorrow)",
            "6-6. next steps",
        ] {
            assert_eq!(classify(heading), [Field::Next], "{heading}");
        }
        assert!(
            classify("Décisions arquiteturais tomadas").contains(&Field::Decisions)
                || classify("Decisões arquiteturais tomadas").contains(&Field::Decisions)
        );
    }

    #[test]
    fn what_folds_to_itself_is_not_taken_apart() {
        let range = ('\0'..='\u{1ffff}').filter(|character| folds_to_itself(*character));
        for character in range {
            let text = format!("a{character}b{character}");
            assert_eq!(without_accents(&text), text.to_lowercase(), "U+{:04X}", u32::from(character));
        }
    }

    #[test]
    fn kana_are_never_folded_and_task_keeps_its_plural() {
        assert!(fold("が").contains('が'));
        assert_eq!(normalise("Task(s)"), "task(s)");
    }

    #[test]
    fn negations_come_first() {
        assert_eq!(classify("Not done yet"), [Field::Next]);
        assert_eq!(classify("What did not change"), [Field::Safety]);
    }
}
