// What can be done with the open handoff beside its main actions; the menu and the palette offer the same.
import type { Detail } from '../ipc/bindings/Detail'
import { host } from '../ipc/transport'
import { desk } from '../state/desk.svelte'
import { t } from '../text/index.svelte'
import type { Entry } from './Menu.svelte'

const settled = ['done', 'failed', 'verified', 'skipped', 'expired', 'stopped']

export function moreEntries(detail: Detail): Entry[] {
  const marked = !settled.includes(detail.state)
  const entries: (Entry | false)[] = [
    { id: 'copy-path', words: t.copyPath, act: () => void desk.copy('path') },
    { id: 'editor', words: t.openInEditor, act: () => void desk.guarded(host('open_in_editor', { id: detail.handle })) },
    { id: 'terminal', words: t.openTerminal, act: () => void desk.guarded(host('open_terminal', { id: detail.handle })) },
    { id: 'choose-repository', words: t.chooseRepository, act: () => void desk.bind() },
    { id: 'check-again', words: t.checkAgain, act: () => void desk.reread(true) },
    marked && { id: 'mark-done', words: t.markDone, act: () => void desk.mark('done') },
    marked && { id: 'mark-failed', words: t.markFailed, act: () => void desk.mark('failed') },
    marked && { id: 'mark-resumed', words: t.markResumed, act: () => void desk.mark('resumed') },
    marked && { id: 'expire', words: t.expire, act: () => void desk.decide('expire') },
    detail.row.archived
      ? { id: 'unarchive', words: t.unarchive, act: () => void desk.triage('unarchive', true) }
      : { id: 'archive', words: t.archive, act: () => void desk.triage('archive', true) },
  ]
  return entries.filter((entry) => entry !== false)
}
