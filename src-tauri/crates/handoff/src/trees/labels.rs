//! Which git fact a label names, in nine languages.

use crate::headings::normalise;

/// A git fact that a label names.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Fact {
    Branch,
    Commit,
    Worktree,
    Root,
    Status,
    Changed,
}

/// Which git fact a normalised label names.
pub(super) fn fact(key: &str) -> Option<Fact> {
    if key == "git ref" {
        return Some(Fact::Branch);
    }
    let key = key.trim_start_matches("git ").trim_start_matches("the ");
    Some(match key {
        "branch"
        | "branch / commit"
        | "branch/commit"
        | "branch/head"
        | "branch / head"
        | "branch and commit"
        | "branch & commit"
        | "current branch"
        | "working branch"
        | "active branch"
        | "branch name"
        | "branch atual"
        | "branch attuale"
        | "rama de trabajo"
        | "feature branch"
        | "ブランチ"
        | "現在のブランチ"
        | "作業ブランチ"
        | "当前分支"
        | "分支"
        | "工作分支"
        | "브랜치"
        | "현재 브랜치"
        | "ветка"
        | "текущая ветка"
        | "branche"
        | "branche actuelle"
        | "rama"
        | "rama actual"
        | "ramo"
        | "zweig"
        | "aktueller branch" => Fact::Branch,
        "head"
        | "commit"
        | "last commit"
        | "latest commit"
        | "last pushed commit"
        | "ultimo commit pusheado"
        | "head commit"
        | "current commit"
        | "current head"
        | "commit hash"
        | "sha"
        | "head sha"
        | "ending commit"
        | "endingcommit"
        | "tip"
        | "最新提交"
        | "最后提交"
        | "提交"
        | "最新コミット"
        | "最終コミット"
        | "コミット"
        | "마지막 커밋"
        | "최신 커밋"
        | "커밋"
        | "последний коммит"
        | "коммит"
        | "letzter commit"
        | "dernier commit"
        | "último commit"
        | "ultimo commit" => Fact::Commit,
        "worktree"
        | "worktree path"
        | "working tree path"
        | "working directory path"
        | "ワークツリー"
        | "工作树"
        | "워크트리" => Fact::Worktree,
        "repo"
        | "repository"
        | "repo root"
        | "repository root"
        | "repo path"
        | "repository path"
        | "project root"
        | "project path"
        | "local path"
        | "root"
        | "リポジトリ"
        | "仓库目录"
        | "仓库"
        | "仓库路径"
        | "项目路径"
        | "저장소"
        | "репозиторий"
        | "dépôt"
        | "depot"
        | "repositorio" => Fact::Root,
        "working tree"
        | "working tree status"
        | "tree status"
        | "tree"
        | "uncommitted"
        | "uncommitted changes"
        | "dirty"
        | "未コミット"
        | "未コミットの変更"
        | "未提交"
        | "未提交文件"
        | "工作区"
        | "工作区状态"
        | "커밋되지 않은 변경" => Fact::Status,
        "modified files"
        | "modified"
        | "untracked"
        | "untracked files"
        | "uncommitted files"
        | "changed but not committed"
        | "staged"
        | "unstaged"
        | "staged files" => Fact::Changed,
        _ => match core(key) {
            "branch" | "branche" | "rama" | "ramo" | "zweig" | "ветка" | "ブランチ" | "分支" | "브랜치" => {
                Fact::Branch
            }
            "commit" | "коммит" | "コミット" | "提交" | "커밋" => Fact::Commit,
            _ => return None,
        },
    })
}

/// Words around "branch" and "commit" that only say that it is the one at hand, folded as headings are.
const AT_HAND_BEFORE: &[&str] = &[
    "current ",
    "working ",
    "active ",
    "git ",
    "local ",
    "last ",
    "latest ",
    "aktueller ",
    "letzter ",
    "arbeits",
    "dernier ",
    "ultimo ",
    "ultima ",
    "текущая ",
    "рабочая ",
    "текущий ",
    "последний ",
    "現在の",
    "作業中の",
    "作業",
    "最新の",
    "最新",
    "最終",
    "直近の",
    "当前",
    "工作",
    "开发",
    "最后",
    "最近一次",
    "上一次",
    "最近",
    "현재 ",
    "작업 ",
    "마지막 ",
    "최신 ",
    "최근 ",
];
const AT_HAND_BEHIND: &[&str] = &[
    " name",
    " hash",
    " sha",
    " id",
    " actuelle",
    " actuel",
    " courante",
    " courant",
    " en cours",
    " de travail",
    " actual",
    " en curso",
    " de trabajo",
    " corrente",
    " attuale",
    " in corso",
    " di lavoro",
    " atual",
    " em curso",
    " de trabalho",
    "名",
    "名称",
    "哈希",
    " 이름",
    " 해시",
];

/// A label without the words that only say that it is the one at hand.
fn core(key: &str) -> &str {
    let mut core = key;
    loop {
        let before = AT_HAND_BEFORE.iter().find_map(|word| core.strip_prefix(word));
        let behind = || AT_HAND_BEHIND.iter().find_map(|word| core.strip_suffix(word));
        match before.or_else(behind).map(str::trim) {
            Some(shorter) if !shorter.is_empty() => core = shorter,
            _ => return core,
        }
    }
}

/// Whether a name is that of git's status.
pub(super) fn is_git_status(name: &str) -> bool {
    matches!(
        normalise(name).replace('_', " ").as_str(),
        "git status"
            | "git state"
            | "git-status"
            | "git-stand"
            | "etat git"
            | "etat du depot"
            | "estado git"
            | "estado de git"
            | "estado do git"
            | "stato git"
            | "состояние git"
            | "git の状態"
            | "gitの状態"
            | "git状態"
            | "git 状态"
            | "git状态"
            | "git 상태"
    )
}

/// Whether a name stands above a list of changed files.
pub(crate) fn names_changes(name: &str) -> bool {
    fact(&normalise(&name.replace('_', " "))) == Some(Fact::Changed)
}

/// Whether a normalised label is a status: the tree's, in a section about the tree.
pub(crate) fn is_status(key: &str) -> bool {
    matches!(key, "status" | "state" | "状態" | "状态" | "상태" | "статус" | "zustand" | "état" | "estado" | "stato")
}

/// Whether a normalised label names a git fact.
pub(crate) fn is_label(key: &str) -> bool {
    is_git_status(key) || fact(&key.replace('_', " ")).is_some_and(|fact| fact != Fact::Changed)
}
