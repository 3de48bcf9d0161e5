// The one key map. Single letters are off while a text field has focus.
export type Action =
  | 'down' | 'up' | 'inbox' | 'approved' | 'running' | 'returned' | 'all'
  | 'primary' | 'approve' | 'edit' | 'boundary' | 'return' | 'skip' | 'copy'
  | 'previous_section' | 'next_section' | 'palette' | 'save' | 'confirm' | 'back' | 'keys' | 'next_pane' | 'theme'

interface Key {
  key: string
  mod?: boolean
  action: Action
  hint: string
}

export const keyMap: Key[] = [
  { key: 'j', action: 'down', hint: 'Next handoff' },
  { key: 'ArrowDown', action: 'down', hint: 'Next handoff' },
  { key: 'k', action: 'up', hint: 'Previous handoff' },
  { key: 'ArrowUp', action: 'up', hint: 'Previous handoff' },
  { key: '1', action: 'inbox', hint: 'Inbox' },
  { key: '2', action: 'approved', hint: 'Approved' },
  { key: '3', action: 'running', hint: 'Running' },
  { key: '4', action: 'returned', hint: 'Returned' },
  { key: '5', action: 'all', hint: 'All' },
  { key: 'Enter', action: 'primary', hint: 'Primary action' },
  { key: 'a', action: 'approve', hint: 'Approve' },
  { key: 'e', action: 'edit', hint: 'Edit' },
  { key: 'b', action: 'boundary', hint: 'Edit the safety boundary' },
  { key: 'r', action: 'return', hint: 'Return' },
  { key: 's', action: 'skip', hint: 'Skip' },
  { key: 'c', action: 'copy', hint: 'Copy the block' },
  { key: '[', action: 'previous_section', hint: 'Previous section' },
  { key: ']', action: 'next_section', hint: 'Next section' },
  { key: '/', action: 'palette', hint: 'Search' },
  { key: 'k', mod: true, action: 'palette', hint: 'Search' },
  { key: 's', mod: true, action: 'save', hint: 'Save' },
  { key: 'Enter', mod: true, action: 'confirm', hint: 'Confirm a dialog' },
  { key: 'Escape', action: 'back', hint: 'Back out one level' },
  { key: 'F6', action: 'next_pane', hint: 'Next pane' },
  { key: 't', action: 'theme', hint: 'Light or dark' },
  { key: '?', action: 'keys', hint: 'Keys' },
]

const mac = navigator.platform.startsWith('Mac')
export const modWord = mac ? '⌘' : 'Ctrl'

function inTextField(target: EventTarget | null): boolean {
  return target instanceof HTMLInputElement || target instanceof HTMLTextAreaElement || target instanceof HTMLSelectElement
}

/** The action that a key press asks for, if any. */
export function actionOf(event: KeyboardEvent): Action | null {
  const mod = mac ? event.metaKey : event.ctrlKey
  if (event.altKey || event.isComposing) return null
  const typing = inTextField(event.target)
  const found = keyMap.find((key) => key.key === event.key && Boolean(key.mod) === mod)
  if (!found) return null
  if (typing && !found.mod && found.action !== 'back' && found.action !== 'next_pane') return null
  // A focused button acts by itself on Enter.
  if (found.action === 'primary' && event.target instanceof HTMLButtonElement && !event.target.matches('.row')) return null
  return found.action
}
