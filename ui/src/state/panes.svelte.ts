// Widths of the panes: as a person dragged them, remembered by the window, and never so wide that the document
// has no room.
export type Pane = 'list' | 'repo'
const KEY = 'fuda-panes'
const DOCUMENT_MIN = 330
export const limits: Record<Pane, [number, number]> = { list: [260, 480], repo: [260, 560] }

function remembered(): Partial<Record<Pane, number>> {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(KEY) ?? '{}')
    return typeof kept === 'object' && kept !== null ? kept : {}
  } catch {
    return {}
  }
}

class PanesState {
  #chosen = $state<Partial<Record<Pane, number>>>(remembered())
  #window = $state(window.innerWidth)

  constructor() {
    window.addEventListener('resize', () => {
      this.#window = window.innerWidth
      this.apply()
    })
  }

  /** The width in use. */
  width(pane: Pane): number {
    const narrow = this.#window <= 1180
    const wide = this.#window >= 1680
    const usual = { list: narrow ? 282 : wide ? 380 : 348, repo: narrow ? 288 : wide ? 440 : 356 }[pane]
    const [min, max] = limits[pane]
    const wanted = Math.max(min, Math.min(max, this.#chosen[pane] ?? usual))
    const room = this.#window - (narrow ? 52 : 204) - DOCUMENT_MIN
    return pane === 'list' ? Math.min(wanted, room - limits.repo[0]) : Math.max(min, Math.min(wanted, room - this.width('list')))
  }

  set(pane: Pane, width: number | null): void {
    const [min, max] = limits[pane]
    if (width === null) delete this.#chosen[pane]
    else this.#chosen[pane] = Math.round(Math.max(min, Math.min(max, width)))
    localStorage.setItem(KEY, JSON.stringify(this.#chosen))
    this.apply()
  }

  apply(): void {
    for (const pane of ['list', 'repo'] as const) {
      document.documentElement.style.setProperty(`--w-${pane}`, `${this.width(pane)}px`)
    }
  }
}

export const panes = new PanesState()
