// The one key map. Single letters are off while a text field has focus, and when a person turned them off.
import { settings } from './state/settings.svelte'

export type Action =
  | 'down' | 'up' | 'page_down' | 'page_up' | 'first' | 'last' | 'inbox' | 'approved' | 'running' | 'returned' | 'all'
  | 'primary' | 'approve' | 'edit' | 'boundary' | 'return' | 'skip' | 'copy' | 'recheck' | 'difference'
  | 'previous_section' | 'next_section' | 'palette' | 'save' | 'add' | 'raise' | 'lower' | 'shift'
  | 'mark' | 'mark_group' | 'mark_all' | 'extend_down' | 'extend_up' | 'supersede' | 'archive' | 'undo'
  | 'confirm' | 'back' | 'keys' | 'next_pane' | 'theme' | 'stop'

export interface Key {
  key: string
  mod?: boolean
  alt?: boolean
  shift?: boolean
  action: Action
}

export const keyMap: Key[] = [
  { key: 'j', action: 'down' },
  { key: 'ArrowDown', action: 'down' },
  { key: 'k', action: 'up' },
  { key: 'ArrowUp', action: 'up' },
  { key: 'PageDown', action: 'page_down' },
  { key: 'PageUp', action: 'page_up' },
  { key: 'Home', action: 'first' },
  { key: 'End', action: 'last' },
  { key: '1', action: 'inbox' },
  { key: '2', action: 'approved' },
  { key: '3', action: 'running' },
  { key: '4', action: 'returned' },
  { key: '5', action: 'all' },
  { key: 'Enter', action: 'primary' },
  { key: 'a', action: 'approve' },
  { key: 'e', action: 'edit' },
  { key: 'b', action: 'boundary' },
  { key: 'r', action: 'return' },
  { key: 's', action: 'skip' },
  { key: 'x', action: 'mark' },
  { key: 'X', action: 'mark_group' },
  { key: 'a', mod: true, action: 'mark_all' },
  { key: 'ArrowDown', shift: true, action: 'extend_down' },
  { key: 'ArrowUp', shift: true, action: 'extend_up' },
  { key: 'o', action: 'supersede' },
  { key: 'y', action: 'archive' },
  { key: 'z', action: 'undo' },
  { key: 'c', action: 'copy' },
  { key: '.', action: 'recheck' },
  { key: '.', mod: true, action: 'stop' },
  { key: 'd', action: 'difference' },
  { key: '[', action: 'previous_section' },
  { key: ']', action: 'next_section' },
  { key: '/', action: 'palette' },
  { key: 'k', mod: true, action: 'palette' },
  { key: 's', mod: true, action: 'save' },
  { key: 'n', mod: true, action: 'add' },
  { key: 'ArrowUp', alt: true, action: 'raise' },
  { key: 'ArrowDown', alt: true, action: 'lower' },
  { key: 'ArrowRight', alt: true, action: 'shift' },
  { key: 'Enter', mod: true, action: 'confirm' },
  { key: 'Escape', action: 'back' },
  { key: 'F6', action: 'next_pane' },
  { key: 't', action: 'theme' },
  { key: '?', action: 'keys' },
]

const mac = navigator.platform.startsWith('Mac')
export const modWord = mac ? '⌘' : 'Ctrl'
const altWord = mac ? '⌥' : 'Alt'
const signs: Record<string, string> = { ArrowUp: '↑', ArrowDown: '↓', ArrowRight: '→', Enter: '⏎', Escape: 'Esc' }

/** A key as it is drawn. */
export function wordsOf(key: Key): string[] {
  const own = signs[key.key] ?? (key.key.length === 1 ? key.key.toUpperCase() : key.key)
  const shift = key.shift || (key.key.length === 1 && key.key !== key.key.toLowerCase())
  return [...(key.mod ? [modWord] : []), ...(key.alt ? [altWord] : []), ...(shift ? ['⇧'] : []), own]
}

function inTextField(target: EventTarget | null): boolean {
  return target instanceof HTMLInputElement || target instanceof HTMLTextAreaElement || target instanceof HTMLSelectElement
}

const steps: Action[] = ['up', 'down', 'extend_up', 'extend_down']
const leaps: Action[] = ['page_up', 'page_down', 'first', 'last']

/** Where keys that go up and down, and Enter, have a meaning of their own. */
function actsItself(target: EventTarget | null, action: Action): boolean {
  if (!(target instanceof Element)) return false
  if (action === 'primary') return target.closest('button:not(.row), summary, [role="separator"], [role="menu"]') !== null
  if (leaps.includes(action)) return target !== document.body && target.closest('.listbox') === null
  return steps.includes(action) && target.closest('.two, [role="separator"], [role="menu"], [role="tablist"], main.page-main') !== null
}

/** The action that a key press asks for, if any. */
export function actionOf(event: KeyboardEvent): Action | null {
  const mod = mac ? event.metaKey : event.ctrlKey
  if (event.isComposing) return null
  // A character says by itself whether Shift made it.
  const shifted = (key: Key) => key.key.length === 1 || Boolean(key.shift) === event.shiftKey
  const found = keyMap.find((key) => key.key === event.key && Boolean(key.mod) === mod && Boolean(key.alt) === event.altKey && shifted(key))
  if (!found) return null
  // Where text is written, all of it means the text.
  const always = (found.mod && found.action !== 'mark_all') || found.alt || found.action === 'back' || found.action === 'next_pane'
  if (inTextField(event.target) && !always) return null
  if (!settings.now.single_keys && !always && !found.mod && found.key.length === 1) return null
  if (found.key.length > 1 && !found.alt && actsItself(event.target, found.action)) return null
  return found.action
}
