// Tones of states. A tone never stands alone: icon and word say the same.
import type { State } from '../ipc/bindings/State'

export const stateTone: Record<State, 'accent' | 'ok' | 'warn' | 'bad' | ''> = {
  pending: 'accent', approved: 'ok', claimed: 'accent', running: 'accent', verified: 'ok', done: 'ok', failed: 'bad', returned: '',
  stopped: '', interrupted: 'warn', skipped: '', expired: '', superseded: '', refused: 'bad', incomplete: 'warn',
}
