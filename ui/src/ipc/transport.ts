// The only place that knows how the engine is reached: the window's own command, or a host that serves the
// page and takes the same operations over HTTP (browser tests).
import { Channel, invoke } from '@tauri-apps/api/core'
import { t } from '../text/index.svelte'
import type { Operations } from './bindings/operations'

export type Op = keyof Operations
export type Params<O extends Op> = Operations[O]['params']
export type Answer<O extends Op> = Operations[O]['result']

/** An error as every host gives it. */
export interface DeskError {
  code: string
  message: string
  hints: string[]
  details: unknown
}

export type HostEvent =
  | { kind: 'index_changed' }
  | { kind: 'show'; handle: string | null }
  | { kind: 'leaving' }
  | { kind: 'repository_changed'; handle: string }
  | { kind: 'progress'; job: string; progress: import('./bindings/Progress').Progress }

export function isDeskError(value: unknown): value is DeskError {
  return typeof value === 'object' && value !== null && 'code' in value && 'message' in value
}

function asDeskError(value: unknown): DeskError {
  if (isDeskError(value)) return value
  return { code: 'io', message: String(value), hints: [], details: null }
}

const inWindow = '__TAURI_INTERNALS__' in window

export async function call<O extends Op>(op: O, params: Params<O>): Promise<Answer<O>> {
  try {
    if (inWindow) return await invoke<Answer<O>>('call', { op, params })
    const response = await fetch('/rpc', { method: 'POST', body: JSON.stringify({ op, params }) })
    const answer = await response.json()
    if (answer.error) throw answer.error
    return answer.result
  } catch (error) {
    throw asDeskError(error)
  }
}

/** What only the window can do: open the person's editor, a terminal, a folder dialog. */
export async function host<T>(command: string, args: Record<string, unknown> = {}): Promise<T> {
  if (!inWindow) throw asDeskError(t.notInBrowser)
  try {
    return await invoke<T>(command, args)
  } catch (error) {
    throw asDeskError(error)
  }
}

/** Calls back for every event of the host until the returned function is called. */
export async function listen(onEvent: (event: HostEvent) => void): Promise<() => void> {
  if (!inWindow) return () => {}
  const channel = new Channel<HostEvent>()
  channel.onmessage = onEvent
  await invoke('subscribe', { channel })
  return () => {
    channel.onmessage = () => {}
  }
}
