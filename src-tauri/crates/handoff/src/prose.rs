//! Rules and rejected options that hide in sentences. Few false alarms: a rule is a command about an action, not
//! a statement about data ("never null", "do not treat them as zero").

mod japanese;

use crate::constant::{Words, pattern};
use crate::formats::markdown::{Block, Section};
use crate::headings::{Boundary, Field, is_lifted_by_a_person};
use crate::source::Source;
use crate::{Found, Handoff, Item, Rejected, Span};
use regex::Regex;
use std::ops::Range;
use std::sync::LazyLock;

const ACTS: &str = "touch|edit|modify|change|delete|remove|drop|push|force-push|force push|merge|deploy|commit|rebase|reset|migrate|publish|release|restart|install|upgrade|overwrite|rewrite|reopen|disable|enable|rename|bypass|amend|squash|send|share|expose|run|execute|start|stop|kill|refactor|reformat|regenerate|re-run|rerun|retry|revert|undo|close|log in|call|bump|add|move|skip|alter|wipe|truncate|purge|contact|email|work on|upload|paste|write to|write|print|reorder|update|import|rotate|connect|plug|unplug|flash|reboot|format|hardcode|store|log|copy|pipe|capture|replace|switch|patch|cherry-pick|rebuild|approve|hand-edit|weaken|relax|allowlist|downgrade|tag|echo|leak|reveal";

/// Where a command may begin: a sentence, a clause, a cell, after a word that addresses somebody.
const BEGIN: &str = r"(?:^|[.;:,(|*\-–—!]\s*|\b(?:please|must|should|shall|agents?|you|and|so|but|always)\s+)";
/// Acts as they end a passive.
const DONE_TO: &str = "touched|edited|modified|changed|deleted|removed|dropped|pushed|merged|deployed|committed|rebased|reset|migrated|published|released|restarted|overwritten|rewritten|reopened|disabled|renamed|bypassed|amended|shared|exposed|run|moved|altered|unplugged|force-pushed";
const TO_ACT_DE: &str = "benutzen|verwenden|neu starten|neustarten|kopieren|verschicken|umbenennen|verschieben|hochladen|zurücksetzen|einspielen|anrühren|abschalten|ausschalten|weitergeben|anfassen|ändern|löschen|pushen|mergen|überschreiben|committen|deployen|ausführen|starten|verändern|entfernen|veröffentlichen";

/// The word of a person that lifts a prohibition, and what denies, where one language needs both to make a rule.
const LIFTED: &str = "(?:без (?:согласования|разрешения)|ohne (?:freigabe|zustimmung|rückfrage)|sans (?:accord|validation|autorisation)|sin (?:aprobación|permiso)|sem (?:aprovação|permissão)|senza (?:approvazione|permesso))";
const DENIED: &str = r"\b(?:nicht|nichts|nie|niemals|kein\w*|verboten|ne|pas|aucune?|jamais|rien|interdit\w*|no|nunca|nada|ning[úu]n\w*|prohibid\w*|não|nao|nenhum\w*|proibid\w*|non|nessun\w*|niente|mai|vietat\w*|не|ни|никогда|ничего|нельзя|запрещ\w*)\b";

static NEVER: LazyLock<Regex> = LazyLock::new(|| {
    pattern(&format!(
        r"(?i){BEGIN}(?:do not|don['’]t|never|must not|should not|shall not|may not)\s+(?:ever\s+|simply\s+|just\s+)?(?:(?:{ACTS})\b|(?:use|bind|occupy) (?:the |a |any )?(?:(?:local |service )?port\b|production\b|prod\b|live\b|real\b|\d{{2,5}}\b))|\b(?:must|should|may|shall)(?: not| never|n['’]t) be (?:{DONE_TO})\b|(?:^|[.;:,|]\s*)(?:stay out of|keep (?:away from|out of|your hands off)|hands off|leave \S+(?: \S+){{0,3}} alone)\b|\b(?:is|are) off[- ]limits\b|\bread[- ]only for (?:agents?|you|us|the agent)\b|\btreat \S+(?: \S+){{0,3}} as read[- ]only\b|(?:^|[.;:|]\s*)no (?:force[- ]?push(?:es|ing)?|push(?:es|ing)|merg(?:es|ing)|deploy(?:s|ments|ing)?|direct commits|commits to|rewrites of)(?:\s*[.!;|]|\s*$|\s+(?:to|on|without|until|allowed|into|before|of)\b)"
    ))
});
/// `Never `git add -A``: the command stands in code, which is not spoken.
static NEVER_COMMAND: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"(?i)(?:^|[.;:(|\-–—!]\s*)[*_]*(?:do not|don['’]t|never|must not)\s+(?:ever\s+)?(?:run\s+|use\s+|execute\s+)?`(?:git|rm|npm|pnpm|yarn|npx|bun|cargo|docker|kubectl|make|sudo|gh|terraform|psql|pip|uv|python3?|bash|sh)\s",
    )
});
static NEVER_OTHER: LazyLock<Regex> = LazyLock::new(|| {
    pattern(&format!(
        r"(?i)禁止|(?:不要|不能|别|不可|不许|不准)(?:直接|再|随便|擅自|手动)?(?:动|碰|改|修改|删除|提交|推送|合并|部署|使用|触|重启|发布|上线|升级|运行|执行|复制|上传|覆盖|移动)|(?:千万|绝对)(?:不要|别|不能)|绝不能|请勿|切勿|严禁|不得|不允许|[가-힣]지 ?(?:마세요|마십시오|말 ?것|마라|말아)|하지 ?마|건드리지|금지|하면 안|하지 말 것|не трогать|не (?:удалять|менять|пушить|изменять|запускать|перезапускать|публиковать|копировать|отправлять|переименовывать|переносить|использовать|коммитить|обновлять|выкладывать)|нельзя|(?:nicht|nie|niemals) (?:\w+ ){{0,3}}(?:{TO_ACT_DE})|ne (?:pas|jamais) (?:toucher|modifier|supprimer|pousser|fusionner|déployer|changer|utiliser|publier|lancer|relancer|redémarrer|copier|envoyer|déplacer|renommer|écraser|commit\w*)|no (?:hay que |se debe )?(?:tocar|modificar|borrar|eliminar|desplegar|subir|publicar|ejecutar|reiniciar|copiar|enviar|mover|renombrar|volver ahí|usarl[oa])|nunca (?:tocar|modificar|borrar|eliminar|hacer|subir|publicar|ejecutar)|não (?:tocar|alterar|mexer|apagar|modificar|publicar|executar|reiniciar|copiar|enviar|mover|renomear|subir)|non (?:toccar\w*|modificar\w*|cancellar\w*|eliminar\w*|aggirar\w*|tradurre|pubblicar\w*|avviar\w*|riavviar\w*|copiar\w*|caricar\w*|inviar\w*|spostar\w*|rinominar\w*|committare|pushare)|non si (?:tocca|modifica|scrive mai|pubblica|cancella)\w*"
    ))
});
static ASK: LazyLock<Regex> = LazyLock::new(|| {
    pattern(&format!(
        r"(?i)(?:{BEGIN}(?:do not|don['’]t|never|not?|nothing|nobody|must not|should not|may not)\b.{{0,120}}|^\s*(?:{ACTS})\b.{{0,40}}\bonly\b.{{0,40}}|^\s*)\bwithout (?:\w+['’]?s? ){{0,3}}(?:approval|permission|asking|confirmation|sign-off|signoff|consent|okay|ok|go-ahead|say-so|blessing|nod|green light)\b|{BEGIN}ask (?:\w+ ){{0,3}}(?:before|first)\b|\bunless (?:\w+ ){{0,3}}(?:asks|asked|approves|approved)\b|\b(?:needs?|requires?) (?:\w+ ){{0,2}}(?:human|user|operator|owner)(?:['’]s)? (?:approval|sign-off|confirmation|ok|permission)\b|\b(?:\w+(?:ing|ment|ments)|merges?|push(?:es)?|deploys?|releases?|changes?(?: (?:to|in) \S+)?|this|it|migrations?) (?:always )?(?:needs?|requires?) (?:explicit |prior |written )?(?:approval|sign-off)\b|(?:^|[.;:|]\s*)(?:needs?|requires?) (?:explicit )?(?:approval|sign-off)\b|\bneeds? (?:an? |the |explicit )?(?:yes|okay|ok|nod|go-ahead|sign-off|blessing|approval|say-so|green light) (?:from|of|by)\b|\bonly (?:with|after) (?:\w+['’]?s? ){{0,3}}(?:approval|permission|okay|ok|yes|go-ahead|sign-off|blessing|say-so)\b|未经.{{0,6}}(?:批准|同意|允许|确认|许可|审批|授权|审核)|승인 없이|허락 없이|요청받았을 때만|요청했을 때만|요청할 때만|(?:обязательно|сначала|перед \S+(?: \S+){{0,3}}) (?:спросить|согласовать|уточнить)|(?:vorher|zuerst|erst) (?:\w+ ){{0,3}}(?:fragen|absprechen)|fermarsi e chiedere|必须(?:先)?(?:得到|经过|经|征得|问).{{0,8}}(?:同意|批准|许可)|(?:demander|prévenir) (?:\w+ ){{0,3}}(?:avant|d'abord)|(?:preguntar|consultar)(?:le)? (?:\w+ ){{0,4}}antes|antes de .{{1,40}}(?:preguntar|consultar)|(?:perguntar|consultar) (?:\w+ ){{0,4}}antes|antes de .{{1,40}}perguntar|(?:chiedere|avvisare) (?:\w+ ){{0,4}}prima|prima di .{{1,40}}chiedere|(?:先|事先|务必)(?:问|请示|征求).{{0,12}}(?:意见|同意|确认|再)?|에게 (?:먼저 )?(?:물어|확인)|{DENIED}.{{0,100}}\b{LIFTED}|^\W*{LIFTED}.{{0,100}}{DENIED}|^\W*{LIFTED}\W*$"
    ))
});
static REJECTED: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"(?i)\b(?:tried|attempted)\b.{1,160}\b(?:failed|fails|did not work|didn['’]t work|didn['’]t help|did not help|no effect|reverted|too slow|worse|abandoned|gave up)\b|\b(?:was|were|been|got) (?:rejected|abandoned|ruled out|reverted|discarded)\b|^\s*(?:rejected|abandoned|ruled out|reverted|discarded)\b|\bdead end\b|\b(?:looked (?:at|into)|considered|evaluated|tried|thought about)\b.{1,160}\b(?:turned (?:it|them|that) down|decided against|rejected|dropped (?:it|them|that)|ruled (?:it|them|that) out|discarded|took (?:it|them|that) out)\b|\bdecided against\b|\bsaid no to\b|\bvetoed\b|放弃了|(?:propost\w*|ide\w*) scartat|却下済|不採用|否决|已放弃|放弃了|废弃了|(?:试过|尝试).{0,80}(?:失败|不行|没用|无效|放弃|更慢)|폐기|기각|(?:시도|해 ?봤).{0,80}(?:실패|효과가? 없|포기|안 됐)|(?:ausprobiert|versucht|probiert)\b.{1,120}(?:verworfen|half nicht|zu langsam|gescheitert|brachte nichts)|\bverworfen\b|(?:essayé|testé)\b.{1,120}(?:échoué|sans succès|abandonné|trop lent)|(?:probado|probamos|intentado|intentamos)\b.{1,120}(?:no funcion|descart|fall)|(?:testado|tentamos|tentado)\b.{1,120}(?:não funcion|descart|falh)|(?:provato|tentato)\b.{1,120}(?:non (?:ha )?funziona|scartat|fallit)|(?:пробовал|пытал).{1,120}(?:отказал|не вышло|не помогло|не сработал|не получил|хуже|медленн|откатил)|отказались от|отверг",
    )
});

/// One of these stands in every sentence that is a rule or names a rejected option; most sentences hold none.
static TRIGGERS: LazyLock<Words> = LazyLock::new(|| {
    const WORDS: &[&str] = &[
        // Never.
        "not",
        "don",
        "never",
        "禁止",
        "不要",
        "不可",
        "不许",
        "不准",
        "必须",
        "千万",
        "绝",
        "不能",
        "别",
        "stay out",
        "keep ",
        "hands off",
        "leave ",
        "read-only",
        "off limits",
        "off-limits",
        "read only",
        "nunca ",
        "请勿",
        "切勿",
        "严禁",
        "不得",
        "不允许",
        "하지",
        "지 마",
        "지마",
        "지 말",
        "지말",
        "허락",
        "요청",
        "건드리지",
        "금지",
        "하면 안",
        "не ",
        "нельзя",
        "nicht ",
        "niemals",
        "ne pas",
        "ne jamais",
        "no ",
        "não ",
        "non ",
        "nie ",
        // Ask.
        "without ",
        "only with",
        "only after",
        "обязательно",
        "сначала",
        "перед ",
        "vorher",
        "zuerst",
        "erst ",
        "fermarsi",
        "demander",
        "prévenir",
        "antes",
        "prima",
        "先",
        "务必",
        "에게",
        "ask ",
        "unless ",
        "need",
        "require",
        "未经",
        "승인",
        "без ",
        "ohne ",
        "sans ",
        "sin ",
        "sem ",
        "senza ",
        // Rejected.
        "tried",
        "attempted",
        "rejected",
        "abandoned",
        "ruled out",
        "reverted",
        "discarded",
        "dead end",
        "looked ",
        "said no to",
        "vetoed",
        "scartat",
        "considered",
        "evaluated",
        "thought about",
        "decided against",
        "试过",
        "尝试",
        "시도",
        "해봤",
        "해 봤",
        "probiert",
        "versucht",
        "verworfen",
        "essay",
        "testé",
        "testado",
        "probado",
        "probamos",
        "intenta",
        "tenta",
        "provato",
        "пробовал",
        "пытал",
        "отказались от",
        "отверг",
        "否决",
        "放弃",
        "废弃",
        "폐기",
        "기각",
    ];
    Words::of(&[WORDS, japanese::TRIGGERS].concat())
});

/// Which list of the boundary a sentence belongs to when it is a rule.
pub(crate) fn rule(sentence: &str) -> Option<Boundary> {
    let spoken = spoken(sentence);
    if spoken.trim_end().ends_with(['?', '？']) {
        return None;
    }
    let in_japanese = japanese::is_japanese(&spoken);
    if ASK.is_match(&spoken) {
        return Some(Boundary::Ask);
    }
    if in_japanese && let Some(list) = japanese::rule(&spoken) {
        return Some(if is_lifted_by_a_person(&spoken) { Boundary::Ask } else { list });
    }
    (NEVER.is_match(&spoken) || !in_japanese && NEVER_OTHER.is_match(&spoken) || NEVER_COMMAND.is_match(sentence))
        .then(|| if is_lifted_by_a_person(&spoken) { Boundary::Ask } else { Boundary::Never })
}

/// Whether a sentence names an option that was rejected.
fn is_rejected(sentence: &str) -> bool {
    REJECTED.is_match(sentence) || japanese::is_japanese(sentence) && japanese::is_rejected(sentence)
}

/// Whether a text holds a sentence that is a rule or names a rejected option.
pub(crate) fn speaks(text: &str) -> bool {
    TRIGGERS.any_in(text)
        && sentences(text, 0..text.len()).into_iter().any(|place| {
            let sentence = text[place].trim();
            rule_in(sentence).is_some() || is_rejected(sentence)
        })
}

/// As [`rule`], for a text that may hold none and is no longer than a sentence.
pub(crate) fn rule_in(text: &str) -> Option<Boundary> {
    if text.chars().count() > 600 || !TRIGGERS.any_in(text) {
        return None;
    }
    rule(text)
}

/// A sentence as it is spoken: without emphasis and symbols, and without what it only quotes.
fn spoken(sentence: &str) -> String {
    let mut plain = String::with_capacity(sentence.len());
    let mut quote: Option<char> = None;
    let mut characters = sentence
        .trim_start_matches(|mark: char| !mark.is_alphanumeric() && !matches!(mark, '`' | '"' | '“' | '「' | '『'))
        .chars();
    while let Some(mark) = characters.next() {
        match (quote, mark) {
            (Some(close), _) if mark == close => {
                quote = None;
                plain.push('x');
            }
            (Some(_), _) => {}
            // An opening mark without its partner is no quote.
            (None, '`' | '“' | '「' | '『') if characters.as_str().contains(closing(mark)) => {
                quote = Some(closing(mark))
            }
            (None, '"') if plain.ends_with(' ') && characters.as_str().contains('"') => quote = Some('"'),
            (None, '*' | '_')
                if plain.is_empty() || plain.ends_with([' ', '*', '_']) || !next_is_word(characters.as_str()) => {}
            _ => plain.push(mark),
        }
    }
    plain
}

fn closing(mark: char) -> char {
    match mark {
        '“' => '”',
        '「' => '」',
        '『' => '』',
        same => same,
    }
}

fn next_is_word(rest: &str) -> bool {
    rest.starts_with(char::is_alphanumeric)
}

/// Adds what sentences of the entry say to `safety` and `rejected`, marked as prose.
pub(crate) fn collect_in(source: &Source<'_>, sections: &[Section], handoff: &mut Handoff) {
    let mut spoken: Vec<Span> = Vec::new();
    {
        let safety = &handoff.safety;
        spoken.extend(safety.may.iter().chain(&safety.ask).chain(&safety.never).filter_map(|item| item.span));
        spoken.extend(handoff.rejected.iter().filter_map(|item| item.span));
    }
    spoken.sort();
    for section in sections {
        if section.fields.contains(&Field::Safety) || is_history(&section.heading) {
            continue;
        }
        let prompts = prompts(&source.text, section);
        for block in &section.blocks {
            let range = match block {
                Block::Paragraph { range }
                | Block::Quote { range }
                | Block::List { range, .. }
                | Block::Table { range, .. } => range.clone(),
                // What is there to be pasted speaks to the next agent; other code speaks to nobody.
                Block::Code { content, .. } if prompts.contains(content) => content.clone(),
                _ => continue,
            };
            for sentence in sentences(&source.text, range.clone()) {
                one(source, handoff, &spoken, sentence, &section.heading);
            }
        }
    }
}

/// The code blocks of a section that its heading or a paragraph before them announces as a prompt.
pub(crate) fn prompts(text: &str, section: &Section) -> Vec<Range<usize>> {
    let mut announced = is_prompt(&section.heading);
    let mut found = Vec::new();
    for block in &section.blocks {
        match block {
            Block::Paragraph { range } => announced |= is_prompt(&text[range.clone()]),
            Block::Code { content, .. } if announced => found.push(content.clone()),
            _ => {}
        }
    }
    found
}

/// Whether words announce a prompt that is there to be pasted.
fn is_prompt(words: &str) -> bool {
    let words = words.to_lowercase();
    let short = words.chars().count() <= 200;
    short
        && ["prompt", "paste this", "copy this", "paste the", "copy the", "プロンプト", "提示词", "프롬프트", "промпт"]
            .iter()
            .any(|word| words.contains(word))
}

/// What somebody once asked for is history, not a rule.
pub(crate) fn is_history(heading: &str) -> bool {
    let heading = heading.to_lowercase();
    ["original", "initial", "verbatim", "first prompt", "user prompt", "user request", "最初の", "原始"]
        .iter()
        .any(|word| heading.contains(word))
}

fn one(source: &Source<'_>, handoff: &mut Handoff, spoken: &[Span], range: Range<usize>, heading: &str) {
    let text = source.text[range.clone()].trim();
    let place = source.span(range.start, range.end);
    let index = spoken.partition_point(|span| span.from <= place.from);
    let inside = index.checked_sub(1).and_then(|index| spoken.get(index)).is_some_and(|span| span.to > place.from);
    if inside || text.chars().count() > 600 || !TRIGGERS.any_in(text) {
        return;
    }
    if text.starts_with('【') && text.ends_with('】') {
        // A name of what stands below, no sentence.
        return;
    }
    let under = (!heading.is_empty()).then(|| heading.to_owned());
    let item = || Item {
        text: text.to_owned(),
        span: Some(place),
        found: Found::Prose,
        under: under.clone(),
        ..Item::default()
    };
    let found = rule(text);
    if found == Some(Boundary::Ask) {
        handoff.safety.ask.push(item());
    } else if found.is_some() {
        handoff.safety.never.push(item());
    } else if is_rejected(text) {
        let (mut what, why) = crate::formats::markdown::split_reason(text);
        if why.is_some() && text[what.len()..].trim_start().to_lowercase().starts_with("failed") {
            // The verb belongs to the sentence.
            what.push_str(" failed");
        }
        handoff.rejected.push(Rejected { what, why, span: Some(place), found: Found::Prose });
    }
}

/// The sentences of a block, list markers and check boxes left out.
pub(crate) fn sentences(text: &str, range: Range<usize>) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    let mut at = range.start;
    for line in text[range].split_inclusive('\n') {
        let body = line.trim_end();
        let lead = lead(body);
        let mut from = lead;
        let bytes = body.as_bytes();
        for offset in lead..bytes.len() {
            let length = match bytes[offset] {
                b'.' | b'!' | b'?' => 1,
                0xe3 | 0xef if ["。", "！", "？"].iter().any(|mark| bytes[offset..].starts_with(mark.as_bytes())) => {
                    3
                }
                _ => continue,
            };
            let end = offset + length;
            // `1. Soak` goes on behind its number; `Merge PR 41. Never deploy` does not.
            let begins = body[end..].trim_start().starts_with(|next: char| next.is_uppercase() || next == '*');
            let counts = !(begins && body[from..offset].contains(char::is_alphabetic));
            let number = offset > lead && bytes[offset - 1].is_ascii_digit() && counts;
            // A full stop in a name or a number ends nothing.
            if length == 3 || !number && body[end..].chars().next().is_none_or(char::is_whitespace) {
                push(body, from, end, at, &mut found);
                from = end;
            }
        }
        push(body, from, body.len(), at, &mut found);
        at += line.len();
    }
    found
}

fn push(body: &str, from: usize, to: usize, base: usize, found: &mut Vec<Range<usize>>) {
    let piece = &body[from..to];
    let start = from + piece.len() - piece.trim_start().len();
    if start < to {
        found.push(base + start..base + to);
    }
}

fn lead(line: &str) -> usize {
    let mut rest = line.trim_start_matches([' ', '\t', '>', '|']);
    for marker in ["- ", "* ", "+ "] {
        rest = rest.strip_prefix(marker).unwrap_or(rest);
    }
    let digits = rest.trim_start_matches(|digit: char| digit.is_ascii_digit());
    if digits.len() < rest.len() {
        rest = digits.strip_prefix(". ").or_else(|| digits.strip_prefix(") ")).unwrap_or(rest);
    }
    if let Some((_, length)) = crate::formats::markdown::check_box(rest) {
        rest = &rest[length.min(rest.len())..];
    }
    line.len() - rest.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rules_about_actions_are_found_and_statements_about_data_are_not() {
        for rule in [
            "Do not touch the fog horn",
            "Please never push to main.",
            "Migrations: do not run them here",
            "不要动校准文件",
            "触らないこと",
            "не трогать порт",
        ] {
            assert_eq!(super::rule(rule), Some(Boundary::Never), "{rule}");
        }
        for statement in [
            "Do not treat them as zero.",
            "The value is never null",
            "Round up, never down",
            "It does not change",
            "never returns",
            "灯光周期写入配置，不写死",
        ] {
            assert_eq!(super::rule(statement), None, "{statement}");
        }
        for rule in ["Ask before touching the table", "No merge without explicit approval", "Requires user approval"] {
            assert_eq!(super::rule(rule), Some(Boundary::Ask), "{rule}");
        }
    }

    #[test]
    fn every_rule_and_rejected_option_holds_a_trigger() {
        let alternatives = [
            "Do not push",
            "please don’t delete it",
            "Don't edit",
            "Never merge",
            "must not reset",
            "should not run",
            "may not deploy",
            "触らないで",
            "触るな",
            "変更しないこと",
            "削除しないで",
            "プッシュしない",
            "勝手に変えないこと",
            "してはいけない",
            "してはならない",
            "禁止",
            "不要动",
            "请勿",
            "切勿",
            "严禁",
            "不得",
            "不允许",
            "하지 마",
            "하지마",
            "건드리지",
            "금지",
            "하면 안",
            "Не трогать",
            "НЕ УДАЛЯТЬ",
            "Нельзя",
            "Nicht anfassen",
            "Niemals pushen",
            "ne pas toucher",
            "Ne jamais pousser",
            "No tocar",
            "NÃO TOCAR",
            "Non toccare",
            "Nie pushen",
            "without any approval",
            "Ask me before",
            "ask first",
            "unless the user asks",
            "needs human approval",
            "Requires sign-off",
            "承認なし",
            "許可なく",
            "確認してから",
            "未经批准",
            "승인 없이",
            "Без согласования",
            "ohne Freigabe",
            "sans accord",
            "sin permiso",
            "sem aprovação",
            "senza permesso",
            "we tried Redis and it failed",
            "Attempted a cache, no effect",
            "It was rejected",
            "got ruled out",
            "been discarded",
            "Reverted",
            "Abandoned",
            "a dead end",
            "却下した",
            "却下済",
            "案を却下",
            "否决",
            "已放弃",
            "废弃了",
            "폐기",
            "기각",
        ];
        for text in alternatives {
            assert!(rule(text).is_some() || is_rejected(text), "{text} is no example");
            assert!(TRIGGERS.any_in(text), "{text}");
        }
    }

    #[test]
    fn a_failed_attempt_is_a_rejected_option() {
        assert!(REJECTED.is_match("We tried the vocoder and it failed on bass"));
        assert!(!REJECTED.is_match("The test failed once"));
    }
}
