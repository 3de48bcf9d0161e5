// Searches in the palette: terms that can follow, saved ones, and what is done with what was typed.
import { call } from '../ipc/transport'
import { desk } from '../state/desk.svelte'
import { t } from '../text/index.svelte'

const states = [
  'pending', 'approved', 'claimed', 'running', 'verified', 'done', 'failed', 'returned', 'stopped', 'interrupted', 'skipped', 'expired',
  'superseded', 'refused', 'incomplete',
]
const kinds = ['waiting', 'moving', 'settled', 'starting', 'archived', 'finished', 'empty', 'pointer', 'draft', 'volatile', 'conflict']
const keys = ['state', 'is', 'repo', 'branch', 'profile', 'agent']
const MOST = 8

const quoted = (value: string) => (/[\s,]/.test(value) ? `"${value}"` : value)

function valuesOf(key: string): string[] {
  if (key === 'state') return states
  if (key === 'is') return kinds
  if (key === 'repo') return [...new Set(desk.overview?.repositories.map((one) => one.name))]
  if (key === 'profile') return desk.overview?.profiles.map((one) => one.name) ?? []
  return []
}

/** What the last word of a query can become: the query with it, each. */
export function completions(query: string): string[] {
  const word = /\S*$/.exec(query)?.[0] ?? ''
  const before = query.slice(0, query.length - word.length)
  const minus = word.startsWith('-') ? '-' : ''
  const [key = '', value] = word.slice(minus.length).split(':')
  if (value === undefined) return key.length < 2 ? [] : keys.filter((one) => one.startsWith(key)).map((one) => `${before}${minus}${one}:`)
  const found = valuesOf(key).filter((one) => one.toLowerCase().startsWith(value.toLowerCase()) && one !== value)
  return found.slice(0, MOST).map((one) => `${before}${minus}${key}:${quoted(one)} `)
}

export async function saveSearch(name: string, query: string): Promise<void> {
  if (!(await desk.guarded(call('search_save', { name, query })))) return
  desk.toast(t.searchSaved(name))
  await desk.refresh()
}

export async function forgetSearch(name: string): Promise<void> {
  if (!(await desk.guarded(call('search_remove', { name })))) return
  if (desk.query?.name === name) desk.query = { text: desk.query.text, name: null }
  desk.toast(t.searchForgotten(name))
  await desk.refresh()
}
