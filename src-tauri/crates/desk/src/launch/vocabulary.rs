//! The words in which people write safety rules, in nine languages: what each means for a boundary. Words of languages
//! that write spaces match whole words; the others match anywhere.

use super::boundary::Kind;

/// What a word or phrase means.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Word {
    /// Says nothing by itself: articles, politeness, negations, generic objects.
    Noise,
    /// "files", "anything": what is meant is everything.
    Everything,
    /// Joins two things.
    And,
    /// Makes the rule depend on something that a program cannot see.
    Condition,
    /// Speaks of a person's word.
    Approval,
    /// Names a branch or place that counts more than others.
    Qualifier,
    /// What follows is a reason.
    Reason,
    /// To change something.
    Touch,
    /// To read something.
    Read,
    /// To run something.
    Run,
    /// One of ours.
    Push,
    /// With force.
    Force,
    /// One of ours.
    Commit,
    /// One of ours.
    Delete,
    /// One of ours.
    Network,
    /// One of ours.
    Install,
    /// One of ours.
    Migrate,
    /// One of ours.
    ReadOnly,
    /// One of ours.
    Publish,
    /// One of ours: merge, rebase, reset.
    Rewrite,
}

impl Word {
    /// The kind that a word alone stands for.
    pub fn kind(self) -> Option<Kind> {
        Some(match self {
            Self::Push => Kind::Push,
            Self::Commit => Kind::Commit,
            Self::Delete => Kind::Delete,
            Self::Network => Kind::Network,
            Self::Install => Kind::Install,
            Self::Migrate => Kind::Migrate,
            Self::ReadOnly => Kind::ReadOnly,
            Self::Publish => Kind::Publish,
            Self::Rewrite => Kind::Rewrite,
            _ => return None,
        })
    }
}

/// Phrases by meaning, in lower case, separated by `|`.
pub(crate) const VOCABULARY: &[(Word, &str)] = &[
    (
        Word::Push,
        "push|pushes|pushing|pushed|git push|プッシュ|推送|푸시|pushen|gepusht|pousser|poussez|empujar|hacer push|fazer push|пуш|пушить|open a pull request|open pull requests|create a pull request|open a pr|open prs",
    ),
    (
        Word::Force,
        "force|force-push|force push|force-pushes|force-pushing|force pushing|--force|--force-with-lease|-f|強制|強制プッシュ|强制|强推|강제|forcer|forzar|erzwingen|forçar",
    ),
    (
        Word::Commit,
        "commit|commits|committing|git commit|コミット|提交|커밋|committen|committer|commiter|commitear|fazer commit|hacer commit|коммит|коммитить",
    ),
    (
        Word::Rewrite,
        "rebase|rebasing|merge|merging|amend|amending|cherry-pick|git reset|reset --hard|rewrite history|rewriting history|squash|リベース|マージ|变基|合并|리베이스|병합|fusionner",
    ),
    (
        Word::Delete,
        "delete|deletes|deleting|deletion|deletions|remove|removing|removal|rm|rm -rf|erase|erasing|drop|削除|消去|消さない|消す|删除|삭제|löschen|lösche|supprimer|supprimez|borrar|eliminar|apagar|excluir|удалять|удаляй|удаление",
    ),
    (
        Word::Network,
        "network|network access|internet|internet access|online|go online|network calls|network requests|networking|external requests|外部通信|ネットワーク|ネットワークアクセス|インターネット|通信|网络|联网|网络访问|네트워크|인터넷|netzwerk|netzwerkzugriff|réseau|red externa|acceso a la red|rede externa|сеть",
    ),
    (
        Word::Install,
        "install|installs|installing|installation|installations|dependencies|dependency|add dependencies|add new dependencies|new dependencies|add packages|packages|upgrade dependencies|インストール|依存関係|依存パッケージ|安装|依赖|설치|의존성|installieren|abhängigkeiten|installer|dépendances|instalar|dependencias|dependências|устанавливать|зависимости",
    ),
    (
        Word::Migrate,
        "migrate|migration|migrations|database migration|database migrations|db migrations|schema migration|schema migrations|マイグレーション|移行スクリプト|数据库迁移|迁移|마이그레이션|migrationen|migraciones|migrações|миграции|миграций",
    ),
    (
        Word::ReadOnly,
        "read only|read-only|readonly|look only|only read|no writes|nothing may be written|読み取り専用|読み取りのみ|読むだけ|参照のみ|只读|읽기 전용|nur lesen|schreibgeschützt|lecture seule|solo lectura|somente leitura|только чтение|только читать",
    ),
    (
        Word::Publish,
        "publish|publishing|release|releases|releasing|リリース|発布|发布|배포|veröffentlichen|publier|publicar|публиковать",
    ),
    (
        Word::Touch,
        "touch|touching|edit|edits|editing|modify|modifying|modification|modifications|change|changes|changing|alter|altering|update|updating|write|writing|rewrite|rewriting|overwrite|overwriting|rename|renaming|move|moving|変更|編集|修正|触る|触れる|触らない|触れない|触らず|さわらない|いじらない|書き換え|上書き|修改|改动|更改|编辑|动|수정|변경|편집|건드리|ändern|bearbeiten|anfassen|verändern|modifier|modifiez|toucher|touchez|modificar|editar|cambiar|tocar|alterar|mexer|изменять|менять|трогать|редактировать|правки",
    ),
    (
        Word::Read,
        "read|reading|open|opening|look at|looking at|print|printing|log|logging|読む|読まない|開く|读取|查看|읽|lesen|lire|leer|ler|читать",
    ),
    (
        Word::Run,
        "run|running|execute|executing|use|using|call|calling|invoke|実行|使う|使わない|使用|运行|执行|실행|사용|ausführen|exécuter|ejecutar|executar|запускать",
    ),
    (
        Word::Everything,
        "anything|everything|any file|any files|files|file|code|source|source code|sources|the repository|repository|repo|the tree|working tree|worktree|ファイル|コード|ソース|何も|文件|代码|任何文件|파일|코드|dateien|datei|fichiers|fichier|archivos|archivo|arquivos|файлы|файл|data|データ",
    ),
    (
        Word::Noise,
        "do not|don't|don’t|dont|doesn't|does not|never|no|not|none|must not|mustn't|may not|cannot|can't|should not|shouldn't|must|should|may|can|please|ever|under any circumstances|at all|the|a|an|any|all|this|that|these|to|into|in|on|of|from|for|with|at|by|it|is|are|be|you|your|agent|git|remote|remotes|origin|upstream|github|gitlab|branch|branches|branche|forbidden|prohibited|disallowed|not allowed|is not allowed|refrain|avoid|refrain from|access|calls|commands|command|new|there|here|yourself|directly|manually|locally|still|now|again|folder|directory|under|inside|allowed|ok|okay|freely|keep|stay|stays|remain|leave|alone|untouched|as it is|as is|しないでください|しないで|してはいけない|してはならない|してはいけません|することは|することを|すること|しないこと|しません|しない|ません|ない|ないこと|禁止|厳禁|絶対に|絶対|決して|は|を|に|へ|の|が|も|で|こと|する|すること|して|ください|ブランチ|リモート|一切|する必要が|不要|不得|不能|不要去|不可以|不可|请勿|请|勿|别|严禁|绝不|绝对|禁止对|进行|到|对|在|的|了|任何|分支|远程|仓库|하지 마세요|하지 마십시오|하지 말 것|하지 마|하지|마세요|말것|말 것|금지|절대|을|를|은|는|이|가|에|으로|로|지 마세요|지 말 것|nicht|kein|keine|keinen|niemals|nie|bitte|der|die|das|den|auf|in den|zu|ne|pas|jamais|aucun|aucune|le|la|les|de|du|des|sur|sans jamais|nunca|no se|sin excepción|el|los|las|un|una|en|al|não|nunca|o|os|as|na|ao|нельзя|не|никогда|запрещено|в|на|запрещается",
    ),
    (
        Word::And,
        "and|or|nor|and/or|also|then|as well as|&|+|,|、|，|や|と|または|及び|および|和|或|或者|及|与|그리고|또는|및|와|과|und|oder|et|ou|ni|y|o bien|e|и|или|/",
    ),
    (
        Word::Condition,
        "without|unless|until|except|except for|except when|other than|outside|outside of|only|only if|only when|if|when|while|before|after|more than|at most|at least|during|till|のみ|だけ|以外|除く|を除き|まで|までは|場合|とき|ときは|前に|せずに|なしに|なしで|ずに|只|仅|除了|除非|以外的|之前|直到|如果|超过|전에|없이|외에|이외|제외|경우|ohne|außer|bis|wenn|bevor|nur|sans|sauf|avant|jusqu|si|sin|excepto|salvo|hasta|antes|solo|sem|exceto|antes de|até|se|somente|без|кроме|пока|если|до|только",
    ),
    (
        Word::Approval,
        "ask|asks|asking|asked|ask first|ask before|approval|approvals|approve|approved|permission|permissions|confirm|confirmation|confirming|consent|explicit|explicitly|go-ahead|sign-off|requires|require|needs|need|user|users|human|person|person's|word|me|us|owner|request|requested|確認|承認|許可|同意|ユーザー|人間|相談|聞く|聞いて|尋ねて|必要|要|得る|得て|取る|批准|许可|同意后|确认|询问|先问|用户|需要|经过|승인|확인|허락|물어|사용자|필요|frage|fragen|genehmigung|freigabe|zustimmung|rückfrage|benutzer|demander|accord|autorisation|permiso|preguntar|aprobación|confirmación|permissão|perguntar|aprovação|спросить|разрешения|разрешение|подтверждения",
    ),
    (
        Word::Qualifier,
        "main|master|trunk|develop|production|prod|staging|release branch|protected|protected branch|default branch|本番|本番環境|生产|线上|운영|produktion|producción|produção",
    ),
    (
        Word::Reason,
        "because|since|so that|otherwise|as it|as they|as this|because of|—|–|- |(|（|ため|ので|から、|因为|由于|왜냐하면|weil|denn|parce que|car|porque|já que|потому что|так как",
    ),
];
