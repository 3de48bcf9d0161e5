// Every sentence of the window, in Japanese. What the engine words in English is worded here by its code; a code
// that is not known keeps the engine's sentence.
import type { Acknowledgement } from '../ipc/bindings/Acknowledgement'
import type { Drift } from '../ipc/bindings/Drift'
import type { Finding } from '../ipc/bindings/Finding'
import type { RuleChange } from '../ipc/bindings/RuleChange'
import { engine } from './engine.ja'
import type { Messages } from './en'
import { Sentences } from './said'

const sentences = new Sentences(engine)

const span = (minutes: number) => {
  const [days, hours] = [Math.floor(minutes / 1440), Math.floor(minutes / 60) % 24]
  if (days) return `${days}日${hours}時間`
  return hours ? `${hours}時間${minutes % 60}分` : `${minutes}分`
}
const short = (commit: string | null) => commit?.slice(0, 7) ?? ''
const operations = { merge: 'マージ', rebase: 'リベース', cherry_pick: 'チェリーピック', revert: 'リバート', bisect: '二分探索', apply_mailbox: 'パッチの適用' }

function drift(drift: Drift): string {
  const { then, now, ahead, behind } = drift
  const reason = now.reason ? `（${sentences.say(now.reason) ?? now.reason}）` : ''
  const words: Record<Drift['verdict'], string> = {
    no_repository: `リポジトリがありません${reason}。`,
    worktree_gone: `ワークツリーがなくなっています${reason}。`,
    not_inspectable: `リポジトリを調べられません${reason}。`,
    in_the_middle: `${now.operation ? operations[now.operation] : '操作'}の途中です。`,
    commit_missing: `記録されたコミット ${short(then.head)} がこのリポジトリにありません。`,
    history_too_short: `浅いクローンのため、${short(then.head)} が履歴に含まれるか分かりません。`,
    not_recorded: '比べるコミットが引き継ぎに書かれていません。',
    branch_differs: `今のブランチは ${now.branch ?? '（切り離された HEAD）'} で、引き継ぎは ${then.branch ?? '（切り離された HEAD）'} で書かれました。`,
    diverged: `記録から枝分かれしています（${ahead} 個進み、${behind} 個足りません）。`,
    behind: `HEAD は記録より ${behind} 個前のコミットです。`,
    moved_on: `記録のあと ${ahead} 個のコミットがあります。`,
    dirty_differs: '同じコミットですが、未コミットの変更が記録と違います。',
    same: '記録のとおりです。',
  }
  return words[drift.verdict]
}

function ack(one: Acknowledgement): string {
  const n = one.about.length
  const words: Record<string, string> = {
    contended: `引き継ぎが頼りにしている ${n} 個のパスが、そのあと変わりました。`,
    hidden_content: `表示できない、または誤解を招く内容が ${n} か所にあります。`,
    extra: `読み取れず、そのまま渡される節が ${n} 個あります。`,
    secret: `秘密の値らしいものが ${n} か所にあります。`,
    contradiction: `ほかの記述や作業ツリーと食い違う記述が ${n} 個あります。`,
    weak_fingerprint: '作業ツリーの一部は、大きさと時刻だけで結びつけられます。',
    other_live_claim: '同じワークツリーで、ほかの実行がまだ続いています。',
    recipient: '宛先とは違うプロファイルが受け取ります。',
    no_repository: 'リポジトリがありません。', worktree_gone: 'ワークツリーがなくなっています。', not_inspectable: 'リポジトリを調べられません。',
    in_the_middle: 'リポジトリで操作が途中です。', commit_missing: '記録されたコミットがありません。', history_too_short: '浅いクローンのため履歴を確かめられません。',
    not_recorded: '比べるコミットが書かれていません。', branch_differs: 'ブランチが記録と違います。', diverged: '記録から枝分かれしています。',
    behind: 'HEAD が記録より前にあります。', dirty_differs: '未コミットの変更が記録と違います。',
  }
  return words[one.code] ?? sentences.say(one.message) ?? one.message
}

const findings: Record<string, string> = {
  draft: '記入されていない仮の文が残っています。', 'no-objective': '目的が書かれていません。次のモデルは何のための作業か分かりません。',
  'no-next': '次の手順が書かれていません。', 'no-safety': '安全の境界が書かれていません。何に人の確認がいるか分かりません。',
  'no-tree': 'ブランチもコミットも書かれていません。どの状態の話か分かりません。', finished: '残りの作業がありません。終わっているのかもしれません。',
  'done-with-open-work': '状態は「完了」ですが、残りの手順があります。', 'assumes-context': 'この文書にないものを指しています。', vague: '何をするのか書かれていない手順です。どこで何を、どうなれば終わりかを書いてください。',
  'destructive-without-reason': '何かを消す手順ですが、理由がありません。', claim: 'ファイルもコミットもコマンドも挙げていない事実です。次のモデルは確かめられません。',
  'rejected-without-reason': '却下の理由がありません。誰かがまた提案します。', 'decision-without-reason': '理由のない決定があります。', 'over-limit': '長さの上限を超えています。',
}
const passed: Record<string, string> = {
  'Same branch': '同じブランチ', 'Same commit': '同じコミット', 'No merge or rebase in progress': 'マージもリベースも途中ではない', 'Nothing that it relies on changed': '頼りにしているものは変わっていない',
}
const badges: Record<string, string> = { pointer: '参照のみ', draft: '下書き', empty: '空', 'finished?': '完了か', 'volatile place': '消える場所', conflict: '衝突' }
const reasons: Record<string, string> = { 'usage limit': '利用上限', 'context full': '文脈が満杯', 'end of day': '一日の終わり', 'model switch': 'モデルの交代' }

const boundaryLists = { may: '単独でよい', ask: '人の確認がいる', never: '禁止' }
const fieldNames: Record<string, string | undefined> = {
  'safety.may': '単独でよい', 'safety.ask': '人の確認がいる', 'safety.never': '禁止', next: '残りの作業', done: '済んだこと', facts: '確かめた事実', unverified: '未確認',
  hazards: '注意点', decisions: '決定', rejected: '却下した案', open: '未解決の問い', constraints: '制約', artifacts: '成果物', title: '題名', objective: '目的', status: '状態',
  trees: '作業ツリー', provenance: '誰がいつ', omitted: '書き手が省いたもの', extra: '読み取れなかったもの', evidence: '根拠', why: '理由', alternatives: '代案', state: '状態', id: 'ID',
}

export const ja: Messages = {
  state: {
    pending: '確認待ち', approved: '承認済み', claimed: '受け取り済み', running: '実行中', verified: '検証済み', done: '完了', failed: '失敗', returned: '差し戻し',
    stopped: '停止', interrupted: '中断', skipped: '見送り', expired: '期限切れ', superseded: '差し替え済み', refused: '拒否', incomplete: '書きかけ',
  },
  verdict: {
    no_repository: 'リポジトリなし', worktree_gone: 'ワークツリーなし', not_inspectable: '調べられない', in_the_middle: '操作の途中', commit_missing: 'コミットなし',
    history_too_short: '履歴が足りない', not_recorded: '記録なし', branch_differs: 'ブランチが違う', diverged: '枝分かれ', behind: '記録より前', moved_on: '進んでいる',
    dirty_differs: '変更が違う', same: '記録どおり',
  },
  list: { inbox: '受信箱', approved: '承認済み', running: '実行中', returned: '差し戻し', all: 'すべて', archive: '保管' },
  field: {
    'safety.may': '単独でよい', 'safety.ask': '人の確認がいる', 'safety.never': '禁止', next: '残りの作業', done: '済んだこと', facts: '確かめた事実', unverified: '未確認',
    hazards: '注意点', decisions: '決定', rejected: '却下した案', open: '未解決の問い', constraints: '制約', artifacts: '成果物',
  },
  key: {
    down: '次の引き継ぎ', up: '前の引き継ぎ', page_down: '一画面下へ', page_up: '一画面上へ', first: '最初の引き継ぎ', last: '最後の引き継ぎ', inbox: '受信箱', approved: '承認済み', running: '実行中', returned: '差し戻し', all: 'すべて', primary: '主な操作', approve: '承認', edit: '編集',
    boundary: '安全の境界を編集', return: '差し戻す', skip: '見送る', copy: 'ブロックをコピー', recheck: '次の変わった事実を確認済みにする', difference: '前の引き継ぎとの違い', previous_section: '前の節', next_section: '次の節',
    palette: '検索とコマンド', save: '保存', add: 'この一覧に項目を足す', raise: '項目を上へ', lower: '項目を下へ', shift: '項目を境界のもう一方の一覧へ', confirm: 'ダイアログを決定', back: '一つ戻る',
    keys: 'キー一覧', next_pane: '次の区画', theme: '明るい・暗い', stop: '実行を停止',
    mark: 'まとめるために選ぶ', mark_group: 'グループを選ぶ', mark_all: '一覧をすべて選ぶ', extend_down: '次まで選ぶ', extend_up: '前まで選ぶ',
    supersede: '差し替え済みにする', archive: '保管に移す', undo: '直前の操作を取り消す',
  },
  lapsed: '失効',
  app: 'Fuda',
  search: '検索', close: '閉じる', cancel: 'やめる', save: '保存', edit: '編集', add: '追加', remove: '削除', undo: '元に戻す',
  approve: '承認', approveAgain: 'もう一度承認', return: '差し戻す', skip: '見送る', reopen: '再開する', settings: '設定',
  main: 'メイン', actions: '操作', more: 'その他', handoff: '引き継ぎ', handoffs: '引き継ぎ', sections: '節', keys: 'キー',
  unknown: '不明', noRepository: 'リポジトリなし', none: 'なし', to: 'から', dot: '。',
  notInBrowser: 'ウィンドウでだけできる操作です。',
  now: '今', minutes: (n) => `${n}分`, hours: (n) => `${n}時間`, days: (n) => `${n}日`, seconds: (n) => `${n}秒`, claimed: '取得',
  ago: (when) => (when === '今' ? '今' : `${when}前`),
  resetsIn: (minutes) => `あと${span(minutes)}で解除`,
  resetOver: '上限は解除済み',
  repositories: 'リポジトリ', moreRepositories: (n) => `あと ${n} 件`, profiles: 'プロファイル', manageProfiles: 'プロファイルの管理',
  notThere: 'フォルダなし', limitFor: (minutes) => `上限 ${span(minutes)}`,
  inMotion: '進行中', held: 'ほかの実行者が保持', searches: '保存した検索', clearSearch: 'この検索をやめる',
  group: (name, n) => `${name}、${n} 件`,
  marked: (n) => `${n} 件を選択`, markedActs: '選んだものをまとめて', superseded: '差し替え済み', toArchive: '保管', outOfArchive: '保管から出す', unmark: '選択を解く',
  triaged: (what, n) => ({ skip: `${n} 件を見送りました。`, supersede: `${n} 件を差し替え済みにしました。`, archive: `${n} 件を保管に移しました。`, unarchive: `${n} 件を保管から出しました。` })[what],
  leftOut: (n, first) => `${n} 件はそのままです：${first}`,
  takenBack: (n) => `取り消しました。${n} 件が元に戻りました。`,
  emptyList: '何もありません', emptyHints: { inbox: 'エージェントがプロファイルに引き継ぎを残すと、ここに現れます。', approved: '承認したものは、再開されるまでここで待ちます。', running: '実行者が持っている間、引き継ぎはここにあります。', returned: '実行から戻ったものと、あなたが差し戻したものがここにあります。', all: 'エージェントがプロファイルに引き継ぎを残すと、ここに現れます。', archive: 'アーカイブしたもの、古いもの、置き換えられたものがここにあります。' },
  emptyInbox: '待っているものはありません',
  nothingSelected: '選択されていません', nothingSelectedHint: '一覧から引き継ぎを選んでください。J と K で移動します。',
  loading: '読み込み中…', watchingNot: 'フォルダを見張っていません', resizeList: '一覧の幅', resizeRepository: 'リポジトリの幅',
  badge: (badge) => badges[badge] ?? badge,
  reasonNote: (reason) => reasons[reason] ?? reason,
  says: '引き継ぎの記述',
  boundary: '安全の境界', boundaryTab: '境界', remaining: '残り', facts: '事実', decisions: '決定', rejected: '却下',
  questions: '問い', constraints: '制約', artifacts: '成果物', objective: '目的', omitted: '書き手が省いたもの',
  andElse: 'ほかのすべても', noBoundary: '安全の境界が書かれていません。次のモデルには、先に尋ねるよう伝えます。',
  binding: '承認すると効力を持ちます。', moreSteps: (n) => `あと ${n} 件`, bound: '承認した再開に対して効力があります。',
  showAll: 'すべて表示', fold: 'たたむ',
  prose: '本文から', claim: '主張', claimWhy: '根拠がありません。', extra: '読み取れず、そのまま残すもの',
  noHeading: '見出しなし', noNext: '次の手順が書かれていません。', next: '次', insteadOf: '代わりの案：',
  doneOf: (done, all) => `${all} 件中 ${done} 件済み`, toRecheck: (n) => `${n} 件は要確認`,
  markRechecked: '確認済みにする', rechecked: '確認済み', findings: '気づいた点', warning: '注意あり',
  oneOfEntries: (n) => `このファイルの ${n} 項のうちの一つ`, itemState: { open: '未着手', in_progress: '作業中', blocked: '停滞', done: '済み', dropped: '取りやめ' },
  fresh: { fresh: '変わりなし', touched: '変更あり', gone: 'なくなった', unknown: '確かめられない' },
  freshArtifact: { fresh: 'ある', touched: '変更あり', gone: 'ない', unknown: '確かめられない' },
  hiddenCharacter: '目に見えない文字',
  written: (when) => `${when} 作成`, byFileTime: 'ファイルの時刻', revision: '第', settling: '書き込み中',
  treeChanging: '作業ツリーがまだ変わっています。誰かが作業中です。',
  lapsedTitle: '承認は失効しました。', approvedUntil: (when) => `${when} まで承認されています。`, noteWas: 'メモ',
  finding: (finding: Finding) => sentences.say(finding.message) ?? findings[finding.code] ?? finding.message,
  said: (sentence) => sentences.say(sentence),
  treeIs: (words) => words.replace(/^(\S+) at (\w+)/, '$1 $2').split(', ').map((part) => sentences.say(part) ?? part).join('、'),
  why: '理由', line: '行', rawText: '原文', theFile: 'ファイルの原文',
  refused: '拒否しました。', refusedWhat: '原文のまま表示し、モデルに渡すことはありません。',
  incomplete: '書きかけです。', incompleteWhat: '読めるところまで表示し、変わったらもう一度読みます。モデルに渡すことはありません。',
  notAHandoff: '引き継ぎではありません。', notAHandoffWhat: '名前は同じですが、別のものです。',
  lines: (n) => `${n} 行`,
  fate: (rule: RuleChange, when: string) => {
    const since = when ? `${when} から` : ''
    if (rule.fate === 'moved') return `元は「${rule.from ? boundaryLists[rule.from] : ''}」`
    return { new: `${since}新規`, reworded: `${since}言い換え`, vanished: `${since}消えた` }[rule.fate]
  },
  vanishedSince: (when) => `${when} から消えた規則`, wider: 'モデルに許すことが増えます', boundarySince: (when) => `安全の境界（${when} からの変化）`,
  repositoryRules: 'このリポジトリの規則', notPart: '（引き継ぎの一部ではありません）', inFiles: (files) => `件（${files}）`,
  comparedWith: (when) => `${when} と比べる`, difference: '前の引き継ぎとの違い', wholeText: '全文', byField: '項目ごと', openBefore: '前のものを開く',
  sameText: '本文は同じです。', sameFields: 'どの項目も同じです。',
  how: (how) => ({ parent: '親として書かれている', entry: '同じファイルの中', revision: 'このファイルの前の内容', line: '同じリポジトリ・ブランチ・プロファイル' })[how] ?? how,
  fieldOf: (name) => fieldNames[name],
  sinceYouLooked: (when) => (when === '今' ? 'ついさっき見てから' : `${when}前に見てから`), nothingSince: '変化はありません。',
  copyBlock: 'ブロックをコピー', copyPath: 'パスをコピー', openInEditor: 'エディタで開く', openTerminal: 'そこで端末を開く', chooseRepository: 'リポジトリを選ぶ…',
  resumeLater: '次のモデルに渡されるブロックです。手渡しとして記録します。',
  markDone: '完了にする', markFailed: '失敗にする', markResumed: '別の場所で再開済みにする', expire: '期限切れにする', stop: '停止', archive: '保管する', unarchive: '保管から戻す', checkAgain: 'もう一度調べる',
  repositoryNow: 'リポジトリの今', repositoryTab: 'リポジトリの今', changesTab: '変更', reading: '読み込み中…',
  readAt: (when) => (when === '今' ? '今読んだ' : `${when}前に読んだ`),
  checkFirst: '承認の前に確認：', drift, then: 'その時', nowAt: '今',
  branch: 'ブランチ', head: 'HEAD', status: '状態', diffStat: '差分', operation: '操作', detached: '切り離し', unborn: 'コミットなし',
  notRecorded: '記録なし', same: '同じ', differs: '違う', clean: '変更なし',
  status_words: { conflicted: '衝突', staged: 'ステージ済み', modified: '変更', untracked: '未追跡', unknown: '不明' },
  files: (n) => `${n} ファイル`, commitsAhead: (n) => `${n} コミット先`, notChecked: '未確認',
  wins: '作業ツリーが優先です。', winsMore: '食い違うときはリポジトリを信じるよう、次のモデルに伝えます。',
  sameWork: 'おそらく同じ作業', by: (how) => `${how} による`, contradictions: '食い違い', commitsSince: 'その後のコミット', filesSince: 'その後に変わったファイル',
  reliedOn: (n) => `${n} 件は頼りにされている`, reliedOnBy: '頼りにしている項目', newFile: '新規', wip: '作業中',
  branchMoved: '見ている間にブランチが変わりました。', headMoved: '見ている間に HEAD が動きました。', lapsedBecause: (why) => `承認は失効しました：${why}`,
  editing: '編集中', unsaved: (n) => `未保存の変更 ${n} 件`, changes: (n) => `変更 ${n} 件`, discard: '破棄', done: '終える',
  toAsk: '「人の確認がいる」へ移す', toMay: '「単独でよい」へ移す', moveUp: '上へ', moveDown: '下へ', keep: '残す', evidence: '根拠',
  edited: '編集', moved: '移動', fresh_item: '新規', removed: '削除', movedTo: (place) => `${place} 番目に移しました。`,
  noWider: 'モデルに許す範囲は広がりません。', widenTitle: 'モデルに許す範囲が広がります。', widenSentence: (item) => `「${item}」に人の確認がいらなくなります。`, widenConfirm: 'それでも保存', widenMove: '移す', goBack: '戻る',
  yours: (rev) => `ディスク上の版 ${rev} との違い`, nothingChanged: 'まだ変更はありません。', savingDoes: '保存すると新しい版になり、前の版も残ります。前の版の承認は失効します。',
  conflictTitle: '編集している間にファイルが変わりました。', conflictWhat: 'あなたの変更はここに残っています。選ぶまで何も書き込みません。', bothChanged: (what) => `両方で変わったもの：${what}。`, keepMine: '相手の版に自分の変更を載せる', takeTheirs: '相手の版を採る', theirs: (name) => `ディスク上の今：${name}`,
  saved: (rev) => `${rev} として保存しました。`, savedCopy: (handle) => `正規形の写し ${handle} として保存しました。元のファイルはそのままです。`, savesCopy: '保存すると、このファイルに代わる正規形の写しができます:', unsavedTitle: '保存していない変更があります', unsavedWhat: '保存するか、破棄してください。', goOnEditing: '編集を続ける', saveAndEnd: '保存して Fuda を終了', discardAndEnd: '破棄して Fuda を終了',
  approveFor: (to) => (to ? `${to} のために承認` : '承認'), movedMeanwhile: (what) => `開いている間に変わりました：${what.join('、')}。もう一度確かめてください。`, whatYouApprove: '承認するもの', content: '内容', tree: '作業ツリー', block: 'ブロック', boundaryCounts: (may, ask, never) => `単独 ${may}、要確認 ${ask}、禁止 ${never}`,
  contentIs: (number, kb) => `第 ${number} 版、${kb} KB`, ifDiffers: '再開のときに一つでも違えば承認は失効し、引き継ぎはここに戻ります。', changedSince: '前の承認から変わったこと',
  toAcknowledge: '確認すること', newToAcknowledge: '新しく確認すること', acknowledgedBefore: (n) => `前に確認済みで変わりのないもの ${n} 件`, of: (some, all) => `${all} 件中 ${some} 件`, left: (n) => `未確認 ${n} 件`,
  ack, passed: (sentence) => passed[sentence] ?? sentence, moreOf: (n) => `ほか ${n} 件`, coldStart: '初見テスト', noneBlocks: (n) => `${n} 件、どれも承認を妨げない`, editItem: '項目を編集',
  blockAsGiven: '渡されるブロック', note: 'メモ', noteFor: '次のモデルと監査へ。書かなくてもよい', goodUntil: (when) => `${when} UTC まで、再開は一度。`, approvedOnce: '一度の再開を承認しました。', showAllBound: '結びつけられるものすべて',
  returnTitle: 'メモを添えて差し戻す', returnWhat: '足りないことや、今わかっていることを書いてください。メモは引き継ぎと一緒に渡ります。',
  blockCopied: 'ブロックをコピーし、手渡しとして記録しました。', pathCopied: 'パスをコピーし、手渡しとして記録しました。', noClipboard: 'クリップボードが使えません。',
  searchIn: '引き継ぎを検索', searchHint: '言葉、パス、ハッシュ。> でコマンド', hits: '見つかったもの', nothingFound: 'この言葉を含むものはありません。', commands: 'コマンド', move: '移動', open: '開く', commandsOnly: 'コマンドだけ',
  filters: '絞り込み', showFound: '見つかるものをすべて一覧にする', saveSearch: 'この検索を保存…', searchName: '検索の名前', forgetSearch: (name) => `検索「${name}」を忘れる`, searchSaved: (name) => `「${name}」として保存しました。`, searchForgotten: (name) => `「${name}」を忘れました。`, enterSaves: '保存', complete: '補う',
  firstTitle: '次のモデルより先に引き継ぎを読む', firstWhat: 'エージェントは上限に達したり文脈が満杯になったりすると、文書を残します。Fuda はその文書をリポジトリの今と並べて見せ、あなたが承認するまで何も続けさせません。',
  firstNone: 'プロファイルがまだありません', foundHere: 'この機械で見つかったもの', foundNot: '見つかったが未追加', lookedWhere: 'ホームフォルダを見ただけで、何も開いていません', firstNothing: 'この機械ではエージェントが見つかりませんでした。手で追加してください。', addAll: (n) => `${n} 件のプロファイルを追加`, addAnother: '別のものを追加…', exampleAsk: '引き継ぎとはどんなものか', exampleTitle: '引き継ぎの例', exampleWhat: 'Fuda が書く形です。見出しの異なる Markdown や JSON など、他の形も読みます。',
  promises: [['何も外に出ません。', 'アカウントもネットワークも使いません。'], ['まず読むだけ。', 'ファイルに書くのは、あなたが編集したときだけです。'], ['作業ツリーが優先です。', '引き継ぎは主張で、リポジトリが証拠です。']],
  profile: 'プロファイル', agent: 'エージェント', folder: 'フォルダ', name: '名前', problems: '問題', addProfile: 'プロファイルを追加', addProfileWhat: 'プロファイルは、一つのエージェントと、それが引き継ぎを残すフォルダです。', choose: '選ぶ…', scanNow: '今すぐ走査', handoffsIn: (n) => `引き継ぎ ${n} 件`, ready: '準備完了', limitUntil: (when) => `${when} まで上限`, writesNothing: '編集するまで、Fuda はそこに何も書きません。',
  scanning: '引き継ぎを探しています', scanned: (done, total) => `${total ?? '…'} ファイル中 ${done}`,
  theme: '外観', themes: { system: 'システムに合わせる', light: '明るい', dark: '暗い' }, language: '言語', languages: { auto: 'システムに合わせる', en: 'English', ja: '日本語' },
  singleKeys: '一文字のキー', singleKeysWhat: 'J、K、A、E など。Ctrl や Alt を使うキーはいつも使えます。', notifications: '通知', notificationsWhat: '確認を待つ引き継ぎが届いたら知らせます。', runNotifications: '実行の通知', runNotificationsWhat: '実行が終わったとき、中断したとき、尋ねたとき、待っていた開始が行われなかったときに知らせます。', trayIcon: 'トレイのアイコン', trayWhat: '待っている数を示し、ウィンドウを閉じても Fuda を動かしておきます。', trayMissing: { no_host: 'このデスクトップにはトレイがありません。ウィンドウを閉じると Fuda は終わります。', no_bus: 'セッションバスがないのでトレイもありません。ウィンドウを閉じると Fuda は終わります。' }, autostart: 'ログイン時に起動', autostartWhat: 'ウィンドウを開かずに起動し、届いた引き継ぎを知らせます。',
  archiveAfter: '保管するまで', archiveAfterWhat: '日。最初の走査でこれより古いものは保管に入ります。', approvalHours: '承認の有効期間', approvalHoursWhat: '時間。', inConfig: '保存先', settingsSaved: '保存しました。', lightOrDark: '明るい・暗い',
  readers: {
    title: 'だれがどこを読めるか', how: (when) => `行が読み手、列が場所（${when === '今' ? '今' : `${when}前に`}確かめました）`, again: 'もう一度確かめる', reader: '読み手', shared: '共有の置き場', repository: 'リポジトリ',
    states: { read_write: '読み書き', read: '読める', no: '見ない', fails: '読めない', unknown: '不明' },
    no: '「見ない」は設定による選択で、不具合ではありません。そこへの引き継ぎは、両方が読む場所を通します。', cannot: (who, where) => `${who} は ${where} を読めません。`, todo: '文書なしで始まってしまいます。フォルダを読めるようにするか、場所から外してください。',
  },
  run: {
    resume: '再開', resumeDots: '再開…', resumeWith: 'もう一度再開…', receiver: '受け取り手', startsNothing: '起動するプログラムなし', noProfile: '先にプロファイルを追加してください。どのエージェントを起動するかはそこで決まります。', whatStarts: '起動するもの', command: 'コマンド', noShell: 'シェルなし',
    environment: '環境変数', asHere: 'このプログラムと同じ', deliver: { stdin: '封をしたファイルを標準入力で渡します', path: '読み取り専用の私的な写しのパスを渡します' }, files: '私的なファイル', check: '検査', noCheck: 'なし（結果を確かめるものがありません）', rules: (n) => `${n} 個の決まり`,
    lists: { may: '単独', ask: '人', never: '禁止' }, grades: { sandbox: 'サンドボックスが強制', agent_rule: 'エージェントの規則が拒否（回避できる）', words_only: '言葉だけ', asked_here: 'ここで尋ねる' },
    onlyThen: '開始したときに取得し、内容・ブロック・作業ツリーをもう一度確かめます。', closing: 'ウィンドウを閉じても実行は終わりません。終えるには「停止」を使います。', start: '開始', starting: '開始しています…', atReset: (when) => `リセット時に開始（${when}）`, atResetWhat: 'ウィンドウがなくても待ち、その時点でもう一度確かめます。失効したものは開始しません。',
    startsAt: (who, when) => `${when} に ${who} で開始します。`, startWaits: 'ウィンドウがなくても待ち、その時点でもう一度確かめます。再起動したときは、次に動く Fuda が開始します。', startUnattended: 'いまこの開始を待つものがありません。', startUnattendedWhat: (when) => `${when} に開始します。まもなくこのウィンドウが引き受けます。`, rowStarts: (when) => `${when} に開始`, startRefused: (who) => `${who} での開始は拒否されました。`, cancelStart: '開始を取り消す',
    progress: '経過', tools: 'ツールの呼び出し', output: '出力', following: '追っています', given: 'モデルに渡したもの', asData: (n) => `データとして ${n} 行`, copy: 'コピー', copied: 'コピーしました。', moreLines: (n) => `あと ${n} 行`, kb: (bytes) => (bytes < 1024 ? `${bytes} B` : `${(bytes / 1024).toFixed(1)} KB`),
    step: (kind, text) => {
      const words: Record<string, string> = {
        claimed: `${text} が取得`, matches: '承認と一致：内容、ブロック、作業ツリー', started: `データとして渡し、プロセス ${text} として開始`, session: text ? `セッション ${text}` : 'ID のないセッション', life: '最初の反応',
        asked: `あなたへの質問：${text.replace(/^\d+ /, '')}`, first_tool: text ? `最初のツール使用：${text}` : '最初のツール使用', question: `質問：${text}`, denied: `拒否：${text}`, limit: `使用量の上限：${text}`, retry: `やり直し：${text}`, failed: `失敗：${text}`, ended: text ? `完了したと報告：${text}` : '完了したと報告', checking: `検査：${text}`,
      }
      return words[kind] ?? `${kind} ${text}`
    },
    works: '作業中', silent: '最初の反応を待っています', stopping: '終わるように伝えました', bySelf: '自分で報告するプログラムが取得しました。何をしているかは Fuda からは見えません。', nothingKept: 'この実行の記録は残っていません。',
    outcome: { verified: '検証済み。', done: '完了（だれも確かめていません）。', failed: '失敗しました。', returned: '差し戻されました。', stopped: '停止しました。', interrupted: '中断：保持していたプロセスがなくなりました。先に作業ツリーを確かめてください。' },
    outside: (n) => `境界の外で ${n} 件の変更がありました。`, inside: '境界の外の変更は見つかりませんでした。', took: (time) => `所要 ${time}`, endedAs: (state) => `実行が終わりました：${state}。`,
    holder: '保持者', lease: 'リース', locked: 'カーネルのロック（プロセスが生きている間）', leaseLeft: (time) => `残り ${time}`, givenBack: '返却済み', elapsed: '経過時間', firstTool: '最初のツール', noneYet: 'なし', afterStart: (time) => `取得から ${time} 後`, askedYou: 'あなたへの質問', nothing: 'なし', questions: (n) => `質問 ${n} 件`, refusals: (n) => `拒否 ${n} 件`,
    exit: '終了コード', signal: (n) => `シグナル ${n}`, session: 'セッション', log: 'ログ', outsideHead: '境界の外', nothingSeen: '見つかりませんでした', notWatched: '見ていません', changed: '変更したもの', sinceStart: '開始からの変更', checkSaid: '検証の出力',
    asksYou: 'エージェントがあなたに尋ねています', allow: '今回だけ許可', refuse: '拒否', answerUntil: (time) => `${time} までに答えがなければ拒否になります。`,
    stop: '停止', stopNow: '今すぐ終了', stopWhat: '「停止」は終わるように伝えて 10 秒待ちます。もう一度押すと、すべてをすぐに終わらせます。', stopLease: '「停止」は取得を終わらせます。プログラムそのものは Fuda からは終わらせられません。', showDocument: '引き継ぎを見る', showRun: '実行を見る', reviewAgain: 'もう一度確認',
    nextHandoff: '次の引き継ぎとして編集', nextWhat: '今わかっていることをまとめました。公開すると、確認を待つ新しい引き継ぎになります。', nextGates: '承認するまで、ここからは何も始まりません。', noFolder: '先にリポジトリを選んでください。', publish: '公開', published: (handle) => `${handle} として公開しました。`,
  },
}
