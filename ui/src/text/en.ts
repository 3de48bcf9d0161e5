// Every sentence of the window, in English. `ja.ts` has the same keys; sentences that the engine words come in
// as they are and are worded anew in Japanese by their code.
import type { Acknowledgement } from '../ipc/bindings/Acknowledgement'
import type { Drift } from '../ipc/bindings/Drift'
import type { Finding } from '../ipc/bindings/Finding'
import type { ListName } from '../ipc/bindings/ListName'
import type { RuleChange } from '../ipc/bindings/RuleChange'
import type { State } from '../ipc/bindings/State'
import type { Verdict } from '../ipc/bindings/Verdict'
import type { Action } from '../keys'
import type { Act } from '../state/marks.svelte'
import type { Field } from '../state/draft.svelte'

const count = (n: number, one: string, many: string) => `${n} ${n === 1 ? one : many}`
const span = (minutes: number) => {
  const [days, hours] = [Math.floor(minutes / 1440), Math.floor(minutes / 60) % 24]
  if (days) return `${days} d ${hours} h`
  return hours ? `${hours} h ${minutes % 60} min` : `${minutes} min`
}

const state: Record<State, string> = {
  pending: 'Needs review', approved: 'Approved', claimed: 'Claimed', running: 'Running', verified: 'Verified', done: 'Done',
  failed: 'Failed', returned: 'Returned', stopped: 'Stopped', interrupted: 'Interrupted', skipped: 'Skipped',
  expired: 'Expired', superseded: 'Superseded', refused: 'Refused', incomplete: 'Incomplete',
}
const verdict: Record<Verdict, string> = {
  no_repository: 'no repository', worktree_gone: 'worktree gone', not_inspectable: 'not inspectable', in_the_middle: 'in the middle',
  commit_missing: 'commit missing', history_too_short: 'history too short', not_recorded: 'not recorded', branch_differs: 'branch differs',
  diverged: 'diverged', behind: 'behind', moved_on: 'moved on', dirty_differs: 'tree differs', same: 'as recorded',
}
const list: Record<ListName, string> = {
  inbox: 'Inbox', approved: 'Approved', running: 'Running', returned: 'Returned', all: 'All', archive: 'Archive',
}
const field: Record<Field, string> = {
  'safety.may': 'May do alone', 'safety.ask': 'Needs a person', 'safety.never': 'Never', next: 'Remaining work', done: 'Done',
  facts: 'Verified facts', unverified: 'Unverified', hazards: 'Hazards', decisions: 'Decisions', rejected: 'Rejected options',
  open: 'Open questions', constraints: 'Constraints', artifacts: 'Artifacts',
}
const key: Record<Action, string> = {
  down: 'Next handoff', up: 'Previous handoff', page_down: 'A page down', page_up: 'A page up', first: 'First handoff', last: 'Last handoff', inbox: 'Inbox', approved: 'Approved', running: 'Running', returned: 'Returned', all: 'All',
  primary: 'Primary action', approve: 'Approve', edit: 'Edit', boundary: 'Edit the safety boundary', return: 'Return', skip: 'Skip',
  copy: 'Copy the block', recheck: 'Mark the next touched fact re-checked', difference: 'Difference from the handoff before', previous_section: 'Previous section', next_section: 'Next section',
  palette: 'Search and commands', save: 'Save', add: 'New entry in this list', raise: 'Move the entry up', lower: 'Move the entry down',
  shift: 'Move the entry to the other boundary list', confirm: 'Confirm a dialog', back: 'Back out one level', keys: 'Keys',
  next_pane: 'Next pane', theme: 'Light or dark', stop: 'Stop the run',
  mark: 'Mark for one act with several', mark_group: 'Mark the group', mark_all: 'Mark the whole list', extend_down: 'Mark down to the next', extend_up: 'Mark up to the one before',
  supersede: 'Mark superseded', archive: 'Move to the archive', undo: 'Take the last act back',
}

export const en = {
  state, verdict, list, field, key,
  lapsed: 'Lapsed',
  app: 'Fuda',
  // What everything uses.
  search: 'Search', close: 'Close', cancel: 'Cancel', save: 'Save', edit: 'Edit', add: 'Add', remove: 'Remove', undo: 'Undo',
  approve: 'Approve', approveAgain: 'Approve again', return: 'Return', skip: 'Skip', reopen: 'Reopen', settings: 'Settings',
  main: 'Main', actions: 'Actions', more: 'More', handoff: 'Handoff', handoffs: 'Handoffs', sections: 'Sections', keys: 'Keys',
  unknown: 'unknown', noRepository: 'no repository', none: 'none', to: 'to', dot: '.',
  notInBrowser: 'Only the window can do this.',
  // Times.
  now: 'now', minutes: (n: number) => `${n} min`, hours: (n: number) => `${n} h`, seconds: (n: number) => `${n} s`, claimed: 'Claim', days: (n: number) => `${n} d`,
  ago: (when: string) => (when === 'now' ? 'now' : `${when} ago`),
  resetsIn: (minutes: number) => `resets in ${span(minutes)}`,
  resetOver: 'limit has reset',
  // Sidebar and list.
  repositories: 'Repositories', moreRepositories: (n: number) => `${n} more`, profiles: 'Profiles', manageProfiles: 'Manage profiles',
  notThere: 'not there', limitFor: (minutes: number) => `limit ${span(minutes)}`,
  inMotion: 'In motion', held: 'Held by another', searches: 'Searches', clearSearch: 'Leave this search',
  group: (name: string, n: number) => `${name}, ${count(n, 'handoff', 'handoffs')}`,
  marked: (n: number) => `${n} marked`, markedActs: 'With what is marked', superseded: 'Superseded', toArchive: 'Archive', outOfArchive: 'Take out', unmark: 'Unmark',
  triaged: (what: Act, n: number) => ({ skip: `${n} skipped.`, supersede: `${n} marked superseded.`, archive: `${n} moved to the archive.`, unarchive: `${n} taken out of the archive.` })[what],
  leftOut: (n: number, first: string) => `${count(n, 'handoff was', 'handoffs were')} left as they are: ${first}`,
  takenBack: (n: number) => `Taken back: ${count(n, 'handoff is', 'handoffs are')} where they were.`,
  emptyList: 'Nothing here', emptyHints: { inbox: 'Handoffs appear here as soon as an agent leaves one in a profile.', approved: 'What you approve waits here until it is resumed.', running: 'A handoff stands here while an executor holds it.', returned: 'What comes back from a run, or what you return, stands here.', all: 'Handoffs appear here as soon as an agent leaves one in a profile.', archive: 'What you archive, and what is old or superseded, stands here.' } as Record<string, string>,
  emptyInbox: 'Nothing waits for you',
  nothingSelected: 'Nothing selected', nothingSelectedHint: 'Choose a handoff in the list. J and K move.',
  loading: 'Reading…', watchingNot: 'Folders are not watched', resizeList: 'Width of the list', resizeRepository: 'Width of the repository',
  badge: (badge: string) => badge,
  reasonNote: (reason: string) => reason,
  // The open handoff.
  says: 'What the handoff says',
  boundary: 'Safety boundary', boundaryTab: 'Boundary', remaining: 'Remaining', facts: 'Facts', decisions: 'Decisions', rejected: 'Rejected',
  questions: 'Questions', constraints: 'Constraints', artifacts: 'Artifacts', objective: 'Objective', omitted: 'Left out by the writer',
  andElse: 'and anything else', noBoundary: 'No safety boundary is recorded. The next model is told to ask first.',
  binding: 'Binds once you approve.', moreSteps: (n: number) => count(n, 'more step', 'more steps'), bound: 'Binding for the approved resume.',
  showAll: 'Show in full', fold: 'Fold',
  prose: 'found in the text', claim: 'claim', claimWhy: 'No evidence is given.', extra: 'Not understood, kept as it stands',
  noHeading: 'Without a heading', noNext: 'No next step is recorded.', next: 'Next', insteadOf: 'Instead of:',
  doneOf: (done: number, all: number) => `${done} of ${all} done`, toRecheck: (n: number) => `${n} to re-check`,
  markRechecked: 'Mark re-checked', rechecked: 're-checked', findings: 'Findings', warning: 'has a warning',
  oneOfEntries: (n: number) => `one of ${n} entries in this file`, itemState: { open: 'open', in_progress: 'in progress', blocked: 'blocked', done: 'done', dropped: 'dropped' },
  fresh: { fresh: 'still fresh', touched: 'touched since', gone: 'gone', unknown: 'not checkable' },
  freshArtifact: { fresh: 'exists', touched: 'changed', gone: 'missing', unknown: 'not checkable' },
  hiddenCharacter: 'A character that cannot be seen',
  written: (when: string) => `written ${when}`, byFileTime: 'file time', revision: 'rev', settling: 'still being written',
  treeChanging: 'The tree is still changing. Somebody is at work in it.',
  lapsedTitle: 'The approval has lapsed.', approvedUntil: (when: string) => `Approved until ${when}.`, noteWas: 'Note',
  finding: (finding: Finding) => finding.message,
  /** A sentence that the engine worded; null when it is not known in this language. */
  said: (sentence: string): string | null => sentence,
  /** Branch, commit and counts of the tree, or the counts alone. */
  treeIs: (words: string) => words,
  why: 'Why', line: 'Line', rawText: 'Raw text', theFile: 'The file as it stands',
  refused: 'Refused.', refusedWhat: 'It is shown as it stands and is never offered to a model.',
  incomplete: 'Incomplete.', incompleteWhat: 'It is shown as far as it goes and is read again when it changes. It is never offered to a model.',
  notAHandoff: 'Not a handoff.', notAHandoffWhat: 'It has the name of one and another meaning.',
  lines: (n: number) => count(n, 'line', 'lines'),
  // Beside the document: the handoff before, the rules of the repository.
  fate: (rule: RuleChange, when: string) => {
    const since = when ? ` since ${when}` : ''
    if (rule.fate === 'moved') return `was: ${rule.from ? field[`safety.${rule.from}`] : ''}`
    return { new: `new${since}`, reworded: `reworded${since}`, vanished: `vanished${since}` }[rule.fate]
  },
  vanishedSince: (when: string) => `Vanished since ${when}`, wider: 'lets the model do more', boundarySince: (when: string) => `Safety boundary since ${when}`,
  repositoryRules: 'Rules of this repository,', notPart: 'not part of the handoff:', inFiles: (files: string) => `in ${files}`,
  comparedWith: (when: string) => `compared with ${when}`, difference: 'Difference from the handoff before', wholeText: 'Whole text', byField: 'By field', openBefore: 'Open that one',
  sameText: 'The texts are the same.', sameFields: 'Every field is the same.',
  how: (how: string) => ({ parent: 'named as its parent', entry: 'in the same file', revision: 'what the file held before', line: 'same repository, branch and profile' })[how] ?? how,
  fieldOf: (name: string): string | undefined => ({ ...field, title: 'Title', objective: 'Objective', status: 'Status', trees: 'Working tree', provenance: 'Who and when', omitted: 'Left out by the writer', extra: 'Not understood', evidence: 'evidence', why: 'why', alternatives: 'alternatives', state: 'state', id: 'Id' } as Record<string, string>)[name],
  sinceYouLooked: (when: string) => (when === 'now' ? 'Since you looked a moment ago' : `Since you looked ${when} ago`), nothingSince: 'nothing changed.',
  // The More menu.
  copyBlock: 'Copy block', copyPath: 'Copy path', openInEditor: 'Open in editor', openTerminal: 'Open a terminal there', chooseRepository: 'Choose repository…',
  resumeLater: 'The block as the next model is given it. Recorded as handed over by hand.',
  markDone: 'Mark done', markFailed: 'Mark failed', markResumed: 'Mark resumed elsewhere', expire: 'Expire', stop: 'Stop', archive: 'Move to the archive', unarchive: 'Take out of the archive', checkAgain: 'Check again',
  // The repository.
  repositoryNow: 'What the repository says now', repositoryTab: 'Repository now', changesTab: 'Changes', reading: 'reading…',
  readAt: (when: string) => (when === 'now' ? 'read now' : `read ${when} ago`),
  checkFirst: 'Check before you approve:', drift: (drift: Drift) => drift.message, then: 'Then', nowAt: 'Now',
  branch: 'Branch', head: 'HEAD', status: 'Status', diffStat: 'Diff stat', operation: 'Operation', detached: 'detached', unborn: 'no commit yet',
  notRecorded: 'not recorded', same: 'same', differs: 'differs', clean: 'clean',
  status_words: { conflicted: 'in conflict', staged: 'staged', modified: 'modified', untracked: 'untracked', unknown: 'unknown' },
  files: (n: number) => count(n, 'file', 'files'), commitsAhead: (n: number) => `${count(n, 'commit', 'commits')} ahead`, notChecked: 'not checked',
  wins: 'The working tree wins.', winsMore: 'Where the two disagree, the next model is told to believe the repository.',
  sameWork: 'Probably the same work', by: (how: string) => `by ${how}`, contradictions: 'Contradictions', commitsSince: 'Commits since', filesSince: 'Files changed since',
  reliedOn: (n: number) => `${n} relied on`, reliedOnBy: 'relied on by', newFile: 'new', wip: 'WIP',
  branchMoved: 'The branch changed while you looked.', headMoved: 'HEAD moved while you looked.', lapsedBecause: (why: string) => `The approval lapsed: ${why}`,
  // Editing.
  editing: 'Editing', unsaved: (n: number) => `${n} unsaved ${n === 1 ? 'change' : 'changes'}`, changes: (n: number) => count(n, 'change', 'changes'), discard: 'Discard', done: 'Done',
  toAsk: 'Move to needs a person', toMay: 'Move to may do alone', moveUp: 'Move up', moveDown: 'Move down', keep: 'Keep it', evidence: 'Evidence',
  edited: 'edited', moved: 'moved', fresh_item: 'new', removed: 'removed', movedTo: (place: number) => `Moved to place ${place}.`,
  noWider: 'The model is allowed no more than before.', widenTitle: 'This lets the model do more.', widenSentence: (item: string) => `“${item}” would no longer need a person.`, widenConfirm: 'Save all the same', widenMove: 'Move it', goBack: 'Go back',
  yours: (rev: string) => `Yours, against revision ${rev} on disk`, nothingChanged: 'Nothing changed yet.', savingDoes: 'Saving writes a new revision and keeps the old one. An approval of the old one lapses.',
  conflictTitle: 'The file changed on disk while you were editing.', conflictWhat: 'Your changes are kept here; nothing is written until you choose.', bothChanged: (what: string) => `Changed on both sides: ${what}.`, keepMine: 'Put mine on theirs', takeTheirs: 'Take theirs', theirs: (name: string) => `On disk now: ${name}`,
  saved: (rev: string) => `Saved as ${rev}.`, savedCopy: (handle: string) => `Saved as a canonical copy, ${handle}. The file is as it was.`, savesCopy: 'Saving makes a canonical copy that supersedes this file:', unsavedTitle: 'There are unsaved changes', unsavedWhat: 'Save them, or discard them.', goOnEditing: 'Go on editing', saveAndEnd: 'Save and end Fuda', discardAndEnd: 'Discard and end Fuda',
  // Approving and the other dialogs.
  approveFor: (to: string | null) => (to ? `Approve for ${to}` : 'Approve'), movedMeanwhile: (what: string[]) => `Changed while this was open: ${what.join(', ')}. Look at it again.`, whatYouApprove: 'What you approve', content: 'Content', tree: 'Tree', block: 'Block', boundaryCounts: (may: number, ask: number, never: number) => `${may} alone, ${ask} with a person, ${never} never`,
  contentIs: (number: number, kb: string) => `revision ${number}, ${kb} KB`, ifDiffers: 'If one of these differs when it is resumed, the approval lapses and the handoff comes back here.', changedSince: 'Changed since the approval before',
  toAcknowledge: 'To acknowledge', newToAcknowledge: 'New to acknowledge', acknowledgedBefore: (n: number) => `${n} acknowledged before, unchanged`, of: (some: number, all: number) => `${some} of ${all}`, left: (n: number) => `${n} left to acknowledge`,
  ack: (one: Acknowledgement) => one.message, passed: (sentence: string) => sentence, moreOf: (n: number) => `and ${n} more`, coldStart: 'Cold-start test', noneBlocks: (n: number) => `${count(n, 'finding', 'findings')}, none blocks`, editItem: 'Edit item',
  blockAsGiven: 'The block as it will be handed over', note: 'Note', noteFor: 'to the next model and the audit, optional', goodUntil: (when: string) => `Good until ${when} UTC, one resume.`, approvedOnce: 'Approved for one resume.', showAllBound: 'Everything that is bound',
  returnTitle: 'Return with a note', returnWhat: 'Say what is missing or what is known now. The note goes with the handoff.',
  blockCopied: 'Block copied. Recorded as handed over by hand.', pathCopied: 'Path copied. Recorded as handed over by hand.', noClipboard: 'The clipboard is not available.',
  // Palette.
  searchIn: 'Search handoffs', searchHint: 'Words, paths, hashes; > for commands', hits: 'Hits', nothingFound: 'Nothing holds these words.', commands: 'Commands', move: 'move', open: 'open', commandsOnly: 'commands only',
  filters: 'Terms', showFound: 'Show all that this finds as a list', saveSearch: 'Save this search…', searchName: 'Name of the search', forgetSearch: (name: string) => `Forget the search “${name}”`, searchSaved: (name: string) => `Saved as “${name}”.`, searchForgotten: (name: string) => `“${name}” is forgotten.`, enterSaves: 'save', complete: 'complete',
  // Profiles and first start.
  firstTitle: 'Read the handoff before the next model does', firstWhat: 'When an agent hits its limit or fills its context, it leaves a document. Fuda shows that document beside what the repository says now, and lets nothing continue until you have approved it.',
  firstNone: 'No profiles yet', foundHere: 'Found on this machine', foundNot: 'Found, not added', lookedWhere: 'looked in your home folder, nothing was opened', firstNothing: 'No agent was found on this machine. Add a profile by hand.', addAll: (n: number) => `Add ${count(n, 'profile', 'profiles')}`, addAnother: 'Add another…', exampleAsk: 'What does a handoff look like?', exampleTitle: 'What a handoff looks like', exampleWhat: 'As Fuda writes one. It reads other forms too, such as Markdown with headings of your own, and JSON.',
  promises: [['Nothing leaves this machine.', 'No account, no network.'], ['Read first.', 'Files are written only when you edit.'], ['The working tree wins.', 'A handoff is a claim; the repository is the evidence.']],
  profile: 'Profile', agent: 'Agent', folder: 'Folder', name: 'Name', problems: 'Problems', addProfile: 'Add profile', addProfileWhat: 'A profile is one agent with the folders in which it leaves handoffs.', choose: 'Choose…', scanNow: 'Scan now', handoffsIn: (n: number) => count(n, 'handoff', 'handoffs'), ready: 'ready', limitUntil: (when: string) => `limit until ${when}`, writesNothing: 'Fuda writes nothing there until you edit.',
  scanning: 'Looking for handoffs', scanned: (done: number, total: number | null) => `${done} of ${total ?? '…'} files`,
  // Settings.
  theme: 'Appearance', themes: { system: 'As the system', light: 'Light', dark: 'Dark' }, language: 'Language', languages: { auto: 'As the system', en: 'English', ja: '日本語' },
  singleKeys: 'Single-letter keys', singleKeysWhat: 'J, K, A, E and the like. Keys with Ctrl or Alt always work.', notifications: 'Notifications', notificationsWhat: 'Say so when a handoff arrives for review.', runNotifications: 'Notifications of runs', runNotificationsWhat: 'Say so when a run ends, is interrupted or asks, or when a start that waited was not begun.', trayIcon: 'Tray icon', trayWhat: 'Shows how many wait; keeps Fuda running when the window is closed.', trayMissing: { no_host: 'This desktop has no tray: closing the window ends Fuda.', no_bus: 'There is no session bus, so no tray: closing the window ends Fuda.' }, autostart: 'Start with the session', autostartWhat: 'In the background, without a window, so that arrivals are told.',
  archiveAfter: 'Archive after', archiveAfterWhat: 'Days. What is older at the first scan starts in the archive.', approvalHours: 'An approval is good for', approvalHoursWhat: 'Hours.', inConfig: 'Kept in', settingsSaved: 'Saved.', lightOrDark: 'Light or dark',
  // Resuming and watching a run.
  readers: {
    title: 'Who can read which store', how: (when: string) => `rows read, columns are places; tested ${when === 'now' ? 'now' : `${when} ago`}`, again: 'Test again', reader: 'Reader', shared: 'shared store', repository: 'repository',
    states: { read_write: 'read, write', read: 'read', no: 'no', fails: 'read fails', unknown: 'not known' },
    no: '“No” is a choice here, not a fault: the profile does not look there. A switch to it goes through a place that both read.', cannot: (who: string, where: string) => `${who} can’t read ${where}.`, todo: 'It would start without a document. Let it read the folder, or take the folder out of its roots.',
  },
  run: {
    resume: 'Resume', resumeDots: 'Resume…', resumeWith: 'Resume again…', receiver: 'Receiver', startsNothing: 'starts no program', noProfile: 'Add a profile first: it says which agent is started.', whatStarts: 'What will be started', command: 'Command', noShell: 'no shell',
    environment: 'Environment', asHere: 'as this program has it', deliver: { stdin: 'as a sealed file on standard input', path: 'as the path of a private copy that can only be read' }, files: 'Private files', check: 'Check', noCheck: 'none: nobody checks what it says', rules: (n: number) => count(n, 'rule', 'rules'),
    lists: { may: 'Alone', ask: 'Person', never: 'Never' }, grades: { sandbox: 'enforced by a sandbox', agent_rule: 'refused by the agent’s rule, can be bypassed', words_only: 'words only', asked_here: 'asked here' },
    onlyThen: 'It is claimed when you start it, and content, block and tree are looked at once more.', closing: 'Closing the window does not end the run; Stop does.', start: 'Start', starting: 'Starting…', atReset: (when: string) => `Start at the reset, ${when}`, atResetWhat: 'It waits without the window and is looked at again at that moment. Nothing that lapsed is started.',
    startsAt: (who: string, when: string) => `Starts under ${who} at ${when}.`, startWaits: 'It waits without the window and is looked at again at that moment. When the machine restarts, the next Fuda that runs begins it.', startUnattended: 'Nothing waits for this start now.', startUnattendedWhat: (when: string) => `It is due at ${when}; this window takes it up in a moment.`, rowStarts: (when: string) => `starts at ${when}`, startRefused: (who: string) => `The start under ${who} was refused.`, cancelStart: 'Cancel the start',
    progress: 'Progress', tools: 'Tool calls', output: 'Output', following: 'following', given: 'What the model was given', asData: (n: number) => `as data, ${count(n, 'line', 'lines')}`, copy: 'Copy', copied: 'Copied.', moreLines: (n: number) => count(n, 'more line', 'more lines'), kb: (bytes: number) => (bytes < 1024 ? `${bytes} B` : `${(bytes / 1024).toFixed(1)} KB`),
    step: (kind: string, text: string) => {
      const words: Record<string, string> = {
        claimed: `Claimed for ${text}`, matches: 'Approval still matches: content, block, tree', started: `Handed over as data; started as process ${text}`, session: text ? `Session ${text}` : 'A session without an id', life: 'First sign of life',
        asked: `Asks you: ${text.replace(/^\d+ /, '')}`, first_tool: text ? `First tool use: ${text}` : 'First tool use', question: `Asks: ${text}`, denied: `Refused: ${text}`, limit: `Usage limit: ${text}`, retry: `Tries again: ${text}`, failed: `Failed: ${text}`, ended: text ? `Says it is done: ${text}` : 'Says it is done', checking: `Check: ${text}`,
      }
      return words[kind] ?? `${kind} ${text}`
    },
    works: 'Works', silent: 'Waits for the first sign of life', stopping: 'Asked to end', bySelf: 'It was claimed by a program that reports by itself. Fuda does not see what it does.', nothingKept: 'Nothing of the run was kept.',
    outcome: { verified: 'Verified.', done: 'Done; nobody checked it.', failed: 'Failed.', returned: 'Returned to you.', stopped: 'Stopped.', interrupted: 'Interrupted: its holder is gone. Look at the tree before anything goes on.' },
    outside: (n: number) => `${count(n, 'thing', 'things')} outside the boundary ${n === 1 ? 'was' : 'were'} touched.`, inside: 'Nothing outside the boundary was seen.', took: (time: string) => `took ${time}`, endedAs: (state: string) => `The run ended: ${state}.`,
    holder: 'Holder', lease: 'Lease', locked: 'kernel lock, held while its process lives', leaseLeft: (time: string) => `${time} left`, givenBack: 'given back', elapsed: 'Elapsed', firstTool: 'First tool', noneYet: 'none', afterStart: (time: string) => `${time} after the claim`, askedYou: 'Asked you', nothing: 'nothing', questions: (n: number) => count(n, 'question', 'questions'), refusals: (n: number) => `${n} refused`,
    exit: 'Exit status', signal: (n: number) => `signal ${n}`, session: 'Session', log: 'Log', outsideHead: 'Outside the boundary', nothingSeen: 'nothing was seen', notWatched: 'not watched', changed: 'What it changed', sinceStart: 'Changed since the start', checkSaid: 'What the check said',
    asksYou: 'The agent asks you', allow: 'Allow this once', refuse: 'Refuse', answerUntil: (time: string) => `Without an answer it is refused at ${time}.`,
    stop: 'Stop', stopNow: 'End it now', stopWhat: 'Stop asks it to end and waits ten seconds. Pressed again, all of it is ended at once.', stopLease: 'Stop ends its claim. The program itself is not Fuda’s to end.', showDocument: 'Show the handoff', showRun: 'Show the run', reviewAgain: 'Review again',
    nextHandoff: 'Edit into the next handoff', nextWhat: 'What is known now, ready to be edited. Publishing makes a new handoff that waits for review.', nextGates: 'Nothing starts from it until you approve it.', noFolder: 'Choose its repository first.', publish: 'Publish', published: (handle: string) => `Published as ${handle}.`,
  },
}

export type Messages = typeof en
