//! Japanese says at the end of a sentence that something is denied, and names before a particle whose word lifts it.
//! What is no act of the reader, "the value must not be null", "it does not drop", is no rule here either.

use crate::constant::pattern;
use crate::headings::Boundary;
use regex::Regex;
use std::sync::LazyLock;

/// Words that stand in Japanese sentences that are rules, for the first pass over all sentences.
pub(super) const TRIGGERS: &[&str] = &[
    "触",
    "しない",
    "ないこと",
    "ないで",
    "ないように",
    "勝手に",
    "いけない",
    "いけません",
    "ならない",
    "なりません",
    "禁止",
    "厳禁",
    "するな",
    "るな",
    "すな",
    "使うな",
    "叩くな",
    "ちゃだめ",
    "ちゃダメ",
    "はだめ",
    "はダメ",
    "いじらない",
    "手を",
    "せずに",
    "承認",
    "許可",
    "了承",
    "確認してから",
    "確認を",
    "確認なし",
    "聞いてから",
    "相談してから",
    "指示",
    "却下",
    "不採用",
    "断念",
    "試し",
    "試みた",
    "やってみた",
    "没にした",
    "ボツ",
];

/// Nouns that make an act with する.
const ACTS: &str = "変更|削除|接続|停止|起動|実行|上書き|編集|更新|公開|送信|移動|追加|改変|修正|改名|改修|リネーム|流用|共有|転送|投稿|配布|使用|利用|操作|着手|初期化|無効化|有効化|再起動|再実行|再生成|再作成|巻き戻し|ロールバック|適用|解除|統合|置換|移行|発行|購入|アクセス|ログイン|書き込み|コピー|開示|整形|フォーマット|手動編集|直接編集|リファクタ(?:リング)?|ハードコード|インストール|アップデート|アップグレード|アップロード|リリース|リベース|リセット|プッシュ|コミット|マージ|デプロイ|push|commit|merge|deploy|rebase|reset|restart|install|amend|squash|checkout|drop|delete|edit|release|publish|upload|force[- ]push|stash";
/// Stems of verbs as they stand before ない.
const STEMS: &str = "触ら|いじら|弄ら|変え|戻さ|消さ|捨て|壊さ|復活させ|出さ|貼ら|載せ|渡さ|見せ|使わ|流さ|混ぜ|止め|上げ|外さ|叩か|書き換え|直さ|動かさ|並べ替え|走らせ|送ら|晒さ|漏らさ|差し替え|乗せ|手を付け|手をつけ|手を入れ|手を出さ|繋が|つなが|含め";
/// The same verbs before な and before ては.
const PLAIN: &str = "触る|いじる|弄る|変える|戻す|消す|捨てる|壊す|出す|使う|流す|混ぜる|止める|上げる|外す|叩く|書き換える|直す|動かす|送る|手を付ける|手をつける|手を出す";
const JOINED: &str = "触っ|いじっ|弄っ|変え|戻し|消し|捨て|壊し|出し|使っ|流し|混ぜ|止め|上げ|外し|叩い|書き換え|直し|動かし|送っ|手を付け|手をつけ|手を出し|見せ|渡し";
/// Where what was said ends.
const END: &str = r"(?:[。．！!、，；;）)（(]|\s|$)";
/// Acts before ないで that only ask for attention.
const CARE: &[&str] = &[
    "忘れ",
    "驚か",
    "心配し",
    "気にし",
    "期待し",
    "慌て",
    "焦ら",
    "迷わ",
    "悩ま",
    "誤解し",
    "混同し",
    "勘違いし",
    "見逃さ",
    "見落とさ",
    "諦め",
    "疑わ",
    "恐れ",
    "待た",
];

static NEVER: LazyLock<Regex> = LazyLock::new(|| {
    pattern(&format!(
        r"(?i)(?:{ACTS})\s*(?:を|は|も)?\s*し(?:ないこと|ない事|ない方針|ないように(?:して(?:ください|下さい)|すること|お願い)){END}|(?:{STEMS})(?:ないこと|ない事|ないように(?:して(?:ください|下さい)|すること|お願い)){END}|(?:push|プッシュ|コミット|マージ|デプロイ|アップロード)\s*しない(?:で|こと)?{END}|触らない(?:で|{END})|(?:いじら|弄ら|手を付け|手をつけ|手を出さ)ない{END}|(?:{ACTS})\s*(?:を|は)?\s*するな(?:よ|{END})|(?:{PLAIN})な(?:よ|{END})|(?:(?:{ACTS})\s*(?:を|は)?\s*し(?:て|ちゃ)|(?:{JOINED})(?:て|ちゃ|で|じゃ))(?:は|しまっては)?\s*(?:いけない|いけません|ならない|なりません|だめ|ダメ|駄目|NG)|(?:し|行っ)てはなら(?:ない|ず)|してはいけ(?:ない|ません)|禁止(?:事項)?(?:です|だ|とする|とします|：|:)?{END}|厳禁|勝手に.{{0,40}}(?:(?:{ACTS})\s*しない|(?:{STEMS})ない|始めない|進めない|な(?:[。！]|$)|禁止|いけ|だめ|ダメ)|絶対に.{{0,40}}(?:(?:{ACTS})\s*しない|(?:{STEMS})ない)"
    ))
});
static PLEASE_NOT: LazyLock<Regex> = LazyLock::new(|| {
    pattern(r"([\p{Han}\p{Hiragana}\p{Katakana}ーA-Za-z]{1,12})ないで(?:ください|下さい|ほしい|欲しい|くれ|$|[。！])")
});
static ASK: LazyLock<Regex> = LazyLock::new(|| {
    const WORD: &str = "承認|許可|了承|了解|同意|合意|レビュー|指示|OK|ＯＫ|GO|ゴーサイン";
    pattern(&format!(
        r"(?i)承認なし|許可なく|(?:{WORD})(?:も)?(?:なし(?:に|で|の)|なく|無し(?:に|で)|を得ず|を得ない(?:で|まま)|を取らず|がない限り|がなければ|が(?:ある|出る|取れる|とれる|もらえる|下りる|降りる)まで)|(?:確認|相談|連絡)(?:も)?(?:なし(?:に|で)|なく|せずに).{{0,40}}(?:ない|禁止|な(?:[。！]|$)|いけ|だめ|ダメ)|(?:{WORD})(?:を|が)(?:得て|得た|取って|取った|とって|もらって|もらった|受けて|受けた|出て|下りて|あって)(?:から|のち|後|上で)|(?:事前|人間|ユーザー|ユーザ|オーナー|管理者|責任者|本人)(?:に|の|へ)?(?:明示(?:的な|の)?)?\s*(?:{WORD})(?:が必要|が要る|がいる|必須|制|を要する|を得る|を取る|を得ること|を取ること)|(?:人間|ユーザー|ユーザ|本人|オーナー|管理者|責任者|担当者|先方|\p{{Han}}さん|さん|様|氏)(?:に|へ|と)[^。、]{{0,16}}(?:確認|相談|連絡|聞い|訊い)(?:して|て)?から|(?:^|[^を])確認してから|(?:人間|ユーザー|ユーザ|本人|オーナー|管理者|責任者|担当者|さん|様|氏)(?:に|へ)(?:必ず|事前に|先に)?(?:確認|相談)(?:する|を取る|を取|すること|して(?:ください|下さい))|(?:言われる|頼まれる|指示される|承認される|許可される)まで.{{0,40}}(?:ない|禁止|待)|(?:ユーザー|ユーザ|人間|担当者|本人|先生|管理者|オーナー|責任者)(?:の|に|から)?(?:確認|承認|許可)を(?:取|得|もら)"
    ))
});
static REJECTED: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"却下し|却下済|を却下|却下$|却下。|不採用|を断念|は断念|断念した|没にした|ボツにした|(?:試し|試みた|やってみた).{0,60}(?:だめだった|ダメだった|駄目だった|失敗し|うまくいか|効果(?:が|は)?な(?:かった|し)|効かなかった|動かなかった|変わらなかった|改善しな|遅すぎ|戻した|やめた|諦めた)",
    )
});

/// Whether a text holds kana.
pub(super) fn is_japanese(text: &str) -> bool {
    text.chars().any(|letter| matches!(letter, '\u{3041}'..='\u{30ff}'))
}

/// Which list of the boundary a Japanese sentence belongs to, as it is spoken.
pub(super) fn rule(spoken: &str) -> Option<Boundary> {
    if ASK.is_match(spoken) {
        return Some(Boundary::Ask);
    }
    (NEVER.is_match(spoken) || asks_not_to(spoken)).then_some(Boundary::Never)
}

/// Whether a Japanese sentence names an option that was rejected.
pub(super) fn is_rejected(sentence: &str) -> bool {
    REJECTED.is_match(sentence)
}

/// `〜ないでください`, unless it only asks to take care.
fn asks_not_to(spoken: &str) -> bool {
    PLEASE_NOT
        .captures_iter(spoken)
        .filter_map(|found| found.get(1))
        .any(|verb| !CARE.iter().any(|care| verb.as_str().ends_with(care)))
}

#[cfg(test)]
mod tests {
    use crate::headings::Boundary;
    use crate::prose::rule_in;

    #[test]
    fn what_the_reader_must_not_do_is_a_rule() {
        for rule in [
            "校正値は変えないこと",
            "本番DBには触らない。",
            "`lamp.toml` は戻さないでください",
            "テスト用の鍵を外に出さないこと（漏えいの前例あり）",
            "main へ直接 push しない",
            "本番で実行するな",
            "この表は消すな。",
            "過去の版を復活させないでほしい",
            "設定ファイルをコミットしてはいけない",
            "夜間に流してはダメ",
            "強制pushは厳禁",
            "勝手に依存を更新しない",
            "マイグレーションは絶対に再実行しない",
            "手動での編集は禁止。",
            "画面の文言は書き換えないようにすること",
            "顧客の名前をログに載せないでください",
        ] {
            assert_eq!(rule_in(rule), Some(Boundary::Never), "{rule}");
        }
    }

    #[test]
    fn what_a_person_lifts_needs_that_person() {
        for rule in [
            "承認なしに push しないこと",
            "ユーザーの許可を得てからデプロイする",
            "高橋さんに確認してから消すこと",
            "リリースには管理者の承認が必要",
            "OKが出るまでマージしない",
            "先方に仕様を確認してから直す",
            "確認なしに削除しないこと",
            "指示がない限り本番へ上げない",
        ] {
            assert_eq!(rule_in(rule), Some(Boundary::Ask), "{rule}");
        }
    }

    #[test]
    fn statements_wishes_and_words_of_the_product_are_no_rules() {
        for statement in [
            "値は変わらない。",
            "エラーにはならない。",
            "ダイアログが勝手に閉じる",
            "右クリック禁止を解除した",
            "ファイル名の禁止文字を置き換えた",
            "ログを確認してから再起動した",
            "承認待ち",
            "承認画面を追加した",
            "変えないことを確認した",
            "二重に送信しないようにする",
            "細かい値は忘れないでください",
            "「閉じないでください」と表示される",
            "コミットしないまま終わった",
            "保存しないと消える",
            "触るなら朝がよい",
            "再起動しないと反映されない",
            "値が空であってはならない",
            "指示書を印刷した",
            "接続しない設定を追加した",
        ] {
            assert_eq!(rule_in(statement), None, "{statement}");
        }
    }

    #[test]
    fn what_was_tried_in_vain_is_rejected() {
        for sentence in ["音声入力を試したがうまくいかなかった", "Redis 案は不採用", "全件読み込みは断念した"]
        {
            assert!(super::is_rejected(sentence), "{sentence}");
        }
        for sentence in ["新しい版を試した", "試しに動かす", "断念する理由はない"] {
            assert!(!super::is_rejected(sentence), "{sentence}");
        }
    }
}
