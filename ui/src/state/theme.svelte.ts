// Light, dark, or as the system has it; remembered.
export type Theme = 'system' | 'light' | 'dark'
const KEY = 'fuda-theme'
const order: Theme[] = ['system', 'light', 'dark']

class ThemeState {
  theme = $state<Theme>((localStorage.getItem(KEY) as Theme | null) ?? 'system')

  apply(): void {
    if (this.theme === 'system') document.documentElement.removeAttribute('data-theme')
    else document.documentElement.dataset.theme = this.theme
  }

  next(): void {
    this.theme = order[(order.indexOf(this.theme) + 1) % order.length] ?? 'system'
    localStorage.setItem(KEY, this.theme)
    this.apply()
  }
}

export const theme = new ThemeState()
