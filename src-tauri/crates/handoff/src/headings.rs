//! Which field a heading, label, tag or key stands for, in nine languages.
//!
//! Headings are normalised (numbering, emoji, emphasis, brackets, Latin accents; never kana), negations are
//! tested before the plain forms, and one heading may name two fields.

mod boundary;
mod normal;
mod remembered;

use crate::constant::pattern;
use aho_corasick::{AhoCorasick, Match};
pub(crate) use normal::fold;
use normal::{strip_bracket, strip_numbering, trim, words};
use regex::Regex;
use remembered::Remembered;
use std::collections::HashMap;
use std::ops::Range;
use std::sync::LazyLock;

pub(crate) use boundary::{Below, boundary_below, is_lifted_by_a_person};
pub use boundary::{Boundary, boundary, boundary_named, boundary_of_rule};
pub use normal::normalise;

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
    ("not been tested", Field::Unverified),
    ("not been verified", Field::Unverified),
    ("not complete", Field::Next),
    ("not completed", Field::Next),
    ("incomplete", Field::Next),
    ("to be done", Field::Next),
    ("still need", Field::Next),
    ("open point", Field::Open),
    ("possible cause", Field::Unverified),
    ("likely cause", Field::Unverified),
    ("suspected", Field::Unverified),
    ("hypothes", Field::Unverified),
    ("候補", Field::Unverified),
    ("可能原因", Field::Unverified),
    ("可能的原因", Field::Unverified),
    ("추정", Field::Unverified),
    ("mögliche ursache", Field::Unverified),
    ("causes possibles", Field::Unverified),
    ("causas posibles", Field::Unverified),
    ("posibles causas", Field::Unverified),
    ("возможн", Field::Unverified),
    ("open decision", Field::Open),
    ("pending decision", Field::Open),
    ("decisions pending", Field::Open),
    ("decisions needed", Field::Open),
    ("décisions ouvertes", Field::Open),
    ("décisions en attente", Field::Open),
    ("offene entscheidung", Field::Open),
    ("decisiones abiertas", Field::Open),
    ("decisiones pendientes", Field::Open),
    ("decisões em aberto", Field::Open),
    ("decisões pendentes", Field::Open),
    ("decisioni aperte", Field::Open),
    ("решить", Field::Open),
    ("未决", Field::Open),
    ("待决", Field::Open),
    ("待定", Field::Open),
    ("未決", Field::Open),
    ("要決定", Field::Open),
    ("決める必要", Field::Open),
    ("미결", Field::Open),
    ("not done", Field::Next),
    ("not started", Field::Next),
    ("not implemented", Field::Next),
    ("not yet implemented", Field::Next),
    ("not fixed", Field::Hazards),
    ("not shipped", Field::Next),
    ("still broken", Field::Hazards),
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
    ("안 하기로", Field::Rejected),
    ("ne marche pas", Field::Hazards),
    ("не работает", Field::Hazards),
    ("non funziona", Field::Hazards),
    ("no funciona", Field::Hazards),
    ("não funciona", Field::Hazards),
    ("funktioniert nicht", Field::Hazards),
    ("動かない", Field::Hazards),
    ("não deu", Field::Rejected),
    ("non ha funzionato", Field::Rejected),
    ("ne faut pas", Field::Safety),
    ("без согласования", Field::Safety),
    ("ohne freigabe", Field::Safety),
    ("off limits", Field::Safety),
    ("실패한", Field::Rejected),
    ("a pas marché", Field::Rejected),
    ("não funcionou", Field::Rejected),
    ("no funcionó", Field::Rejected),
    ("не сработало", Field::Rejected),
    ("하면 안", Field::Safety),
    ("해야 할", Field::Next),
    ("할 일", Field::Next),
    ("한 일", Field::Done),
    ("needs verification", Field::Unverified),
    ("to be verified", Field::Unverified),
    ("to verify", Field::Unverified),
    ("how to", Field::Provenance),
    ("prompt", Field::Provenance),
    ("verification plan", Field::Provenance),
    ("test plan", Field::Provenance),
    ("learnings for", Field::Hazards),
    ("à faire", Field::Next),
    ("falta fazer", Field::Next),
    ("por fazer", Field::Next),
    ("por hacer", Field::Next),
    ("falta por", Field::Next),
    ("da fare", Field::Next),
    ("zu tun", Field::Next),
    ("осталось", Field::Next),
    ("남은", Field::Next),
    ("剩余", Field::Next),
    ("prochain", Field::Next),
    ("accomplies", Field::Done),
    ("branche en cours", Field::Tree),
    ("branche courante", Field::Tree),
    ("en cours", Field::Next),
    ("business rules", Field::Constraints),
    ("unverified", Field::Unverified),
    ("未完成", Field::Next),
    ("미완료", Field::Next),
    ("未解決", Field::Open),
    ("не сделано", Field::Next),
    ("what did not change", Field::Safety),
    ("non-goal", Field::Safety),
    ("not in scope", Field::Safety),
    ("what changed", Field::Done),
    ("changed this session", Field::Done),
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
    ("to fix", Field::Next),
    ("left to", Field::Next),
    ("deferred", Field::Next),
    ("roadmap", Field::Next),
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
    ("known gap", Field::Hazards),
    ("known bug", Field::Hazards),
    ("known limitation", Field::Hazards),
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
    ("accomplishment", Field::Done),
    ("already done", Field::Done),
    ("where we're going", Field::Next),
    ("where we’re going", Field::Next),
    ("where this is going", Field::Next),
    ("already works", Field::Done),
    ("works now", Field::Done),
    ("what was done", Field::Done),
    ("been done", Field::Done),
    ("what's done", Field::Done),
    ("what’s done", Field::Done),
    ("changes made", Field::Done),
    ("root cause", Field::Facts),
    ("cause", Field::Facts),
    ("causa", Field::Facts),
    ("ursache", Field::Facts),
    ("причина", Field::Facts),
    ("原因", Field::Facts),
    ("根因", Field::Facts),
    ("must not", Field::Safety),
    ("not allowed", Field::Safety),
    ("fixed", Field::Done),
    ("shipped", Field::Done),
    ("implemented", Field::Done),
    ("still to do", Field::Next),
    ("still missing", Field::Next),
    ("unfinished", Field::Next),
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
    ("reference files", Field::Artifacts),
    ("files to read", Field::Artifacts),
    ("where things are", Field::Artifacts),
    ("assumption", Field::Unverified),
    ("caveat", Field::Hazards),
    ("risk", Field::Hazards),
    ("既知の", Field::Hazards),
    ("goal", Field::Objective),
    ("objective", Field::Objective),
    ("we're doing", Field::Objective),
    ("we’re doing", Field::Objective),
    ("do not retry", Field::Rejected),
    ("do not repeat", Field::Rejected),
    ("do not revisit", Field::Rejected),
    ("do not reopen", Field::Rejected),
    ("do not redo", Field::Done),
    ("do not", Field::Safety),
    ("don't", Field::Safety),
    ("don’t", Field::Safety),
    ("addressed", Field::Done),
    ("still open", Field::Next),
    ("open tickets", Field::Next),
    ("your job", Field::Next),
    ("pick up", Field::Next),
    ("watch", Field::Hazards),
    ("should know", Field::Hazards),
    ("worth knowing", Field::Hazards),
    ("files", Field::Artifacts),
    // Chinese.
    ("还没", Field::Next),
    ("尚未", Field::Next),
    ("未做", Field::Next),
    ("已经完成", Field::Done),
    ("完成的", Field::Done),
    ("失败", Field::Rejected),
    ("踩过", Field::Hazards),
    ("的坑", Field::Hazards),
    ("决定", Field::Decisions),
    ("绝对不", Field::Safety),
    ("不要", Field::Safety),
    // Japanese.
    ("ていない", Field::Next),
    ("てはいけない", Field::Safety),
    ("しないこと", Field::Safety),
    ("やったこと", Field::Done),
    ("やること", Field::Next),
    ("したことと", Field::Done),
    ("ダメだった", Field::Rejected),
    ("うまくいか", Field::Rejected),
    ("失敗", Field::Rejected),
    ("判断した", Field::Decisions),
    ("決めた", Field::Decisions),
    ("決定", Field::Decisions),
    ("気をつけ", Field::Hazards),
    ("注意", Field::Hazards),
    // Korean.
    ("하지 말", Field::Safety),
    ("하지 않", Field::Next),
    ("못한", Field::Next),
    ("알아둘", Field::Hazards),
    ("주의", Field::Hazards),
    ("조심", Field::Hazards),
    ("결정", Field::Decisions),
    ("정한", Field::Decisions),
    ("실패", Field::Rejected),
    ("해야", Field::Next),
    ("한 것", Field::Done),
    // German.
    ("gescheitert", Field::Rejected),
    ("fehlgeschlagen", Field::Rejected),
    ("nicht funktioniert", Field::Rejected),
    ("verworfen", Field::Rejected),
    ("entschied", Field::Decisions),
    ("entscheidung", Field::Decisions),
    ("finger weg", Field::Safety),
    ("nicht ändern", Field::Safety),
    ("verboten", Field::Safety),
    ("vorsicht", Field::Hazards),
    ("achtung", Field::Hazards),
    ("wissen muss", Field::Hazards),
    ("was funktioniert", Field::Done),
    ("erledigt", Field::Done),
    ("geschafft", Field::Done),
    ("gemacht", Field::Done),
    ("nächste", Field::Next),
    // French.
    ("surtout pas", Field::Safety),
    ("ne pas faire", Field::Safety),
    ("interdit", Field::Safety),
    ("infructueu", Field::Rejected),
    ("échec", Field::Rejected),
    ("sans succès", Field::Rejected),
    ("but de", Field::Objective),
    ("faut savoir", Field::Hazards),
    ("bon à savoir", Field::Hazards),
    ("piège", Field::Hazards),
    ("décision", Field::Decisions),
    ("déjà", Field::Done),
    ("ont été fait", Field::Done),
    ("été fait", Field::Done),
    // Russian.
    ("ещё не", Field::Next),
    ("еще не", Field::Next),
    ("не сделан", Field::Next),
    ("не делать", Field::Safety),
    ("запрещен", Field::Safety),
    ("пробовал", Field::Rejected),
    ("не получил", Field::Rejected),
    ("не вышло", Field::Rejected),
    ("неудач", Field::Rejected),
    ("грабли", Field::Hazards),
    ("осторожн", Field::Hazards),
    ("решени", Field::Decisions),
    ("сделано", Field::Done),
    ("готово", Field::Done),
    ("дальше", Field::Next),
    ("следующ", Field::Next),
    ("работает", Field::Done),
    ("что делаем", Field::Objective),
    ("почему так", Field::Decisions),
    ("внимание", Field::Hazards),
    ("вопрос", Field::Open),
    ("läuft", Field::Done),
    ("fehlt", Field::Next),
    ("erfolglos", Field::Rejected),
    ("beachten", Field::Hazards),
    ("worum es geht", Field::Objective),
    ("ce que nous faisons", Field::Objective),
    ("qui marche", Field::Done),
    ("a décidé", Field::Decisions),
    ("pourquoi ainsi", Field::Decisions),
    ("attention", Field::Hazards),
    ("끝난", Field::Done),
    ("하는 중", Field::Next),
    ("할 것", Field::Next),
    ("済み", Field::Done),
    ("残件", Field::Next),
    // Spanish, Portuguese, Italian.
    ("estamos haciendo", Field::Objective),
    ("estamos fazendo", Field::Objective),
    ("stiamo facendo", Field::Objective),
    ("cosa si tratta", Field::Objective),
    ("de qué se trata", Field::Objective),
    ("hecho", Field::Done),
    ("pronto", Field::Done),
    ("funziona", Field::Done),
    ("falta", Field::Next),
    ("manca", Field::Next),
    ("decidido", Field::Decisions),
    ("deciso", Field::Decisions),
    ("por que assim", Field::Decisions),
    ("por qué así", Field::Decisions),
    ("perché così", Field::Decisions),
    ("ojo", Field::Hazards),
    ("da chiedere", Field::Open),
    ("por preguntar", Field::Open),
    ("a perguntar", Field::Open),
    ("sin éxito", Field::Rejected),
    ("sem sucesso", Field::Rejected),
    ("senza successo", Field::Rejected),
    ("fallid", Field::Rejected),
    ("falliti", Field::Rejected),
    ("no hacer", Field::Safety),
    ("não fazer", Field::Safety),
    ("non fare", Field::Safety),
    ("prohibid", Field::Safety),
    ("proibid", Field::Safety),
    ("vietat", Field::Safety),
    ("decisiones", Field::Decisions),
    ("decisões", Field::Decisions),
    ("decisioni", Field::Decisions),
    ("pendiente", Field::Next),
    ("pendente", Field::Next),
    ("próxim", Field::Next),
    ("prossim", Field::Next),
    ("siguiente", Field::Next),
    ("cuidado", Field::Hazards),
    ("attenzione", Field::Hazards),
    ("atenção", Field::Hazards),
    ("ya hecho", Field::Done),
    ("já feito", Field::Done),
    ("già fatto", Field::Done),
    // What nothing above names.
    ("findings", Field::Facts),
    ("避坑", Field::Hazards),
    ("したファイル", Field::Artifacts),
    ("関連ドキュメント", Field::Artifacts),
    ("dateien", Field::Artifacts),
    ("what this project is", Field::Objective),
    ("projektidee", Field::Objective),
    ("的文件", Field::Artifacts),
    ("참조", Field::Artifacts),
    ("gebaut", Field::Done),
    ("umgesetzt", Field::Done),
    ("landed", Field::Done),
    ("has been built", Field::Done),
    ("was built", Field::Done),
    ("できている", Field::Done),
    ("動いている", Field::Done),
    ("limited", Field::Hazards),
    ("limitation", Field::Hazards),
    ("trap", Field::Hazards),
    ("reminder", Field::Hazards),
    ("踩过的坑", Field::Hazards),
    ("纪律", Field::Constraints),
    ("не входит", Field::Constraints),
    ("working features", Field::Done),
    ("start here", Field::Next),
    ("work on next", Field::Next),
    ("reprendre", Field::Next),
    ("retomar", Field::Next),
    ("落とし穴", Field::Hazards),
    ("踩坑", Field::Hazards),
    ("陷阱", Field::Hazards),
    ("함정", Field::Hazards),
    ("uncertaint", Field::Open),
    ("invariant", Field::Constraints),
    ("à respecter", Field::Constraints),
    ("제약", Field::Constraints),
    ("制約", Field::Constraints),
    ("约束", Field::Constraints),
    ("regeln", Field::Constraints),
    ("règles", Field::Constraints),
    ("reglas", Field::Constraints),
    ("regras", Field::Constraints),
    ("regole", Field::Constraints),
    ("правила", Field::Constraints),
    ("规则", Field::Constraints),
    ("ルール", Field::Constraints),
    ("규칙", Field::Constraints),
    ("we're building", Field::Objective),
    ("we’re building", Field::Objective),
    ("we are building", Field::Objective),
    ("は何か", Field::Objective),
    ("何を作る", Field::Objective),
    ("是什么", Field::Objective),
    ("무엇인가", Field::Objective),
];

/// Bytes of a heading in which its name stands; what is longer is a text that somebody made a heading of.
const LONGEST_NAME: usize = 400;

/// The beginning of a heading that holds its name.
fn name_of(heading: &str) -> &str {
    let end = (0..=LONGEST_NAME.min(heading.len())).rev().find(|end| heading.is_char_boundary(*end));
    &heading[..end.unwrap_or(0)]
}

/// A word as it stands in a folded heading, its blanks kept.
fn fold_word(word: &str) -> String {
    let folded = fold(word);
    if word.ends_with(' ') { format!("{folded} ") } else { folded }
}

thread_local! {
    static KNOWN: Remembered<Vec<Field>> = Remembered::new();
    static CLASSIFIED: Remembered<Vec<Field>> = Remembered::new();
}

/// The fields that the table gives for a name, nothing guessed.
pub fn known(heading: &str) -> Vec<Field> {
    KNOWN.with(|known| known.get(name_of(heading), looked_up))
}

fn looked_up(heading: &str) -> Vec<Field> {
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
    CLASSIFIED.with(|known| known.get(name_of(heading), told_from_words))
}

fn told_from_words(heading: &str) -> Vec<Field> {
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
    let hinted = hint(&plain);
    if !hinted.is_empty() {
        return hinted;
    }
    // `Tablet cannot connect (unresolved)`: a remark in brackets may say it, though never that something holds.
    let whole = fold(heading);
    if whole == plain {
        return Vec::new();
    }
    let remarked = hint(&whole);
    let said = |field: &Field| {
        matches!(field, Field::Open | Field::Next | Field::Done | Field::Hazards | Field::Rejected | Field::Unverified)
    };
    if !remarked.iter().all(said) {
        return Vec::new();
    }
    remarked
}

/// The field that a word in a heading names.
fn hint(plain: &str) -> Vec<Field> {
    if is_a_sentence(plain) {
        return Vec::new();
    }
    // Whom a heading is for says nothing about what stands below it: `Findings for the next agent`.
    let purpose = AUDIENCE.replace(plain, "");
    if purpose.len() < plain.len()
        && let Some(field) = hinted(&purpose)
    {
        return vec![field];
    }
    hinted(plain).into_iter().collect()
}

static AUDIENCE: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"\s+for (?:the |a |your )?(?:next|new|future|incoming|following) (?:agents?|sessions?|person|people|developers?|engineers?|chats?|owners?|teams?|claude)$",
    )
});

/// Whether a heading says something instead of naming what stands below it: no word in it names a field then.
fn is_a_sentence(heading: &str) -> bool {
    // A sign of these scripts holds about as much as two letters.
    let length: usize = heading.chars().map(|letter| if letter >= '\u{1100}' { 2 } else { 1 }).sum();
    length > 60 || heading.contains('。')
}

/// The hints as headings are compared, without Latin accents, and all of them in one automaton: an unknown heading is
/// looked through once and not once for every hint.
static FOLDED: LazyLock<(Vec<(String, Field)>, AhoCorasick)> = LazyLock::new(|| {
    let hints: Vec<(String, Field)> = HINTS.iter().map(|(hint, field)| (fold(hint), *field)).collect();
    // OK because the hints are constants, few and short.
    let words = AhoCorasick::new(hints.iter().map(|(hint, _)| hint)).unwrap_or_else(|error| panic!("hints: {error}"));
    (hints, words)
});

/// The field of the first hint of the list that stands in a name.
fn hinted(plain: &str) -> Option<Field> {
    let (hints, words) = &*FOLDED;
    let stands = |hit: &Match| is_a_word(plain, hit.range(), &hints[hit.pattern().as_usize()].0);
    let first = words.find_overlapping_iter(plain).filter(stands).map(|hit| hit.pattern().as_usize()).min()?;
    Some(hints[first].1)
}

/// Hints that are the beginning of a word, as folded.
const STEMS: &[&str] = &[
    "entschied",
    "infructueu",
    "echec",
    "piege",
    "fallid",
    "prohibid",
    "proibid",
    "vietat",
    "proxim",
    "prossim",
    "nachste",
    "decision",
    "pendiente",
    "pendente",
    "entscheidung",
    "siguiente",
    "uncertaint",
    "invariant",
    "hypothes",
];

/// Whether a word that was found in a text stands there for itself. Scripts without blanks have no such edges.
fn is_a_word(text: &str, found: Range<usize>, word: &str) -> bool {
    if !word.is_ascii() {
        return true;
    }
    let boundary = |character: Option<char>| character.is_none_or(|character| !character.is_alphanumeric());
    let rest = &text[found.end..];
    boundary(text[..found.start].chars().next_back())
        && (STEMS.contains(&word) || boundary(rest.chars().next()) || rest.starts_with('s'))
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
    fn negations_come_first() {
        assert_eq!(classify("Not done yet"), [Field::Next]);
        assert_eq!(classify("What did not change"), [Field::Safety]);
    }
}
