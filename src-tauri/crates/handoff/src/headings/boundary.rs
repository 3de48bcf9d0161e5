//! Which list of the safety boundary a heading names or a rule belongs to.

use super::name_of;
use super::normal::{normalise, words};
use crate::constant::pattern;
use regex::Regex;
use serde::{Deserialize, Serialize};
use std::sync::LazyLock;
use ts_rs::TS;

/// Which list of the boundary a heading names. A later one leaves less to the model.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
pub enum Boundary {
    /// Without asking.
    May,
    /// Needs a person.
    Ask,
    /// Not at all.
    Never,
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
    let never = FOLDED_NEVER.iter().any(|word| plain.contains(word.as_str()));
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
    if any(ASK) || plain == "ask" || is_lifted_by_a_person(&plain) {
        return Some(Boundary::Ask);
    }
    never.then_some(Boundary::Never)
}

/// The words of [`NEVER`] as headings are compared: without Latin accents.
static FOLDED_NEVER: LazyLock<Vec<String>> =
    LazyLock::new(|| NEVER.iter().map(|word| super::fold_word(word)).collect());

/// A prohibition that a person's word lifts: "without review", "until Ana confirms".
static LIFTED: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"(?i)\bwithout (?:\w+['’]?s? ){0,4}(?:approval|permission|asking|confirmation|confirming|sign-?off|consent|review|reviewing|go-ahead|say-so|blessing|second pair of eyes|checking with|talking to|telling|ok|okay|word|nod)\b|\bunless (?:\w+ ){0,3}(?:asks|asked|approves|approved|told|says|said|confirms|confirmed)\b|\buntil (?:\w+ ){1,4}(?:confirms?|approves?|agrees?|says|ok(?:ay)?s|signs off|answers|decides|reviews?)\b|\b(?:until|before) (?:(?:it|this|that) (?:is|was|has been) )?(?:approved|confirmed|signed off|reviewed)\b|\b(?:until|before) (?:approval|sign-?off|review|confirmation)\b|\b(?:until|before) (?:\w+ ){1,3}(?:has|have) (?:approved|confirmed|signed off|reviewed|looked|said|agreed)\b|(?:承認|許可|了承|了解|同意|合意|指示|確認|相談|レビュー)も?(?:なし|なく|無し|せず|を得ず|がない限り|が(?:ある|出る|取れる|下りる|降りる)まで)|未经.{0,6}(?:批准|同意|允许|确认|许可|审批|授权|审核)|(?:승인|허락|확인|동의) 없이|без (?:согласования|разрешения|подтверждения|одобрения|спроса)|ohne (?:freigabe|zustimmung|rückfrage|absprache|rücksprache|erlaubnis)|sans (?:l[’'])?(?:accord|validation|autorisation|demander|permission)|sin (?:aprobación|permiso|consultar|preguntar|autorización)|sem (?:aprovação|permissão|perguntar|autorização)|senza (?:approvazione|permesso|chiedere|autorizzazione)",
    )
});

/// Whether a person's word lifts the prohibition in a sentence.
pub(crate) fn is_lifted_by_a_person(rule: &str) -> bool {
    LIFTED.is_match(rule)
}

/// Where a line below a heading of the safety boundary belongs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Below {
    /// In this list: the heading or the line says so.
    List(Boundary),
    /// Below a heading of the boundary without a word for a list: left to a person.
    Unsaid,
    /// Below a heading of rules of work: no boundary, only how to work.
    Advice,
    /// Below a heading that warns.
    Warning,
}

/// Where a line below a heading belongs. A heading that forbids leaves to a person what a person's word lifts, but for
/// the plain "Never", which is our own.
pub(crate) fn boundary_below(heading: &str, rule: &str) -> Below {
    let named = boundary_named(heading);
    let lifted = named == Some(Boundary::Never) && normalise(heading) != "never" && is_lifted_by_a_person(rule);
    if lifted {
        return Below::List(Boundary::Ask);
    }
    if let Some(list) = named.or_else(|| boundary_of_rule(rule)).or_else(|| crate::prose::rule(rule)) {
        return Below::List(list);
    }
    let plain = normalise(&words(name_of(heading)));
    let any = |words: &[&str]| words.iter().any(|word| plain.contains(word));
    if any(WARNS) {
        Below::Warning
    } else if any(RULES) && !any(BOUNDS) {
        Below::Advice
    } else {
        Below::Unsaid
    }
}

/// Names of rules of work, as headings are compared. Most of what stands below them says how to work, not what is
/// allowed.
const RULES: &[&str] = &[
    "rule",
    "regle",
    "regel",
    "regla",
    "regra",
    "regole",
    "правил",
    "ルール",
    "规则",
    "規則",
    "规范",
    "규칙",
    "원칙",
    "原则",
    "不変条件",
    "invariant",
    "guardrail",
    "engagement",
];

/// Names of rules that are about the boundary all the same.
const BOUNDS: &[&str] = &["safety", "security", "boundar", "approval", "permission", "安全", "セキュリティ", "권한"];

/// Names of warnings that the synonyms count among the boundary.
const WARNS: &[&str] = &["주의"];

/// Which list of the boundary a rule belongs to, told from its own words.
pub fn boundary_of_rule(rule: &str) -> Option<Boundary> {
    if let Some((label, _)) = rule.split_once([':', '：']) {
        match normalise(label).as_str() {
            "you decide alone" | "decide alone" | "alone" | "your call" | "go ahead" | "may alone" | "may" | "can"
            | "allowed" | "ok" | "free" | "yes" | "許可" | "允许" | "허용" => {
                return Some(Boundary::May);
            }
            "ask" | "ask first" | "ask before" | "approval" | "confirm" | "要承認" | "承認" | "需批准" | "승인" =>
            {
                return Some(Boundary::Ask);
            }
            "off limits" | "off-limits" | "hands off" | "never" | "no" | "forbidden" | "don't" | "do not" | "禁止"
            | "금지" => return Some(Boundary::Never),
            // `Ask Ada: anything about money`.
            label if label.starts_with("ask ") && label.split(' ').count() <= 4 => return Some(Boundary::Ask),
            _ => {}
        }
    }
    let text = rule.to_lowercase();
    let any = |words: &[&str]| words.iter().any(|word| text.contains(word));
    let granted = any(&["may ", "allowed", "free to", "you can "]) || text.starts_with("can ");
    if granted && !any(&["not ", "never", "n't ", "nothing", "unless", "only after", "ask "]) {
        return Some(Boundary::May);
    }
    let denied = any(&["not ", "never", "no ", "n't ", "nothing", "nobody", "forbidden", "prohibited"]);
    if text.contains("without asking") && !denied {
        return Some(Boundary::May);
    }
    if is_lifted_by_a_person(&text) || any(ASKS) {
        return Some(Boundary::Ask);
    }
    if any(NEVER) || any(&["must not", "no touching", "しない", "勿", "不得", "нельзя", "niemals", "건드리지"])
    {
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
    "freely",
    "許可",
    "してよい",
    "允许",
    "可以",
    "허용",
    "darf",
    "peut",
    "puede",
];

/// Words by which a rule says that somebody is to be asked.
const ASKS: &[&str] = &[
    "ask before",
    "ask first",
    "demander avant",
    "demander d'abord",
    "vorher fragen",
    "erst fragen",
    "zuerst fragen",
    "rücksprache",
    "preguntar antes",
    "perguntar antes",
    "chiedere prima",
    "сначала спросить",
    "спросить перед",
    "事前に確認",
    "事前に相談",
    "先に確認",
    "先问",
    "先确认",
    "먼저 확인",
    "먼저 물어",
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
    "not in scope",
    "non-goal",
    "non goal",
    "하면 안",
    "하지 말",
    "不可触",
    "不能动",
    "红线",
    "やらない",
    "ne pas",
    "à ne pas",
    "nicht",
    "no hacer",
    "não fazer",
    "non fare",
    "не делать",
    "no modificar",
    "no debes",
    "non modificare",
    "não alterar",
    "not to touch",
    "not to modify",
    "not to edit",
    "untouchable",
    "frozen files",
    "不能做",
    "不能改",
    "手を付けない",
    "нельзя",
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
    "ne jamais",
    "jamais ",
    "nunca",
    "никогда",
    "절대",
    "決して",
    "no tocar",
    "non toccare",
    "não mexer",
    "não tocar",
    "verboten",
    "interdit",
    "prohibid",
    "proibid",
    "vietat",
    "divieti",
    "запрещ",
    "запреты",
    "red line",
    "touch nothing",
    "ne faut pas",
    "absolutely not",
    "не трогай",
    "surtout pas",
    "하지 않",
    "绝对不",
    "てはいけ",
    "leave alone",
    "stay out",
    "frozen",
    "finger weg",
    "da non fare",
    "勿动",
    "손대지",
    "触らぬ",
];
