// What a person chose: kept in the configuration, applied to the page at once.
import type { SettingsParams } from '../ipc/bindings/SettingsParams'
import type { SettingsView } from '../ipc/bindings/SettingsView'
import { call } from '../ipc/transport'
import { chosen } from '../text/index.svelte'

const themes = ['system', 'light', 'dark']

class SettingsState {
  now = $state<SettingsView>({
    theme: 'system', language: 'auto', single_keys: true, notifications: true, run_notifications: true, tray: true,
    archive_after_days: 14, approval_hours: 24, path: '',
  })

  async load(): Promise<void> {
    this.#apply(await call('settings', {}))
  }

  async set(changes: SettingsParams): Promise<void> {
    this.#apply(await call('settings_set', changes))
  }

  async nextTheme(): Promise<void> {
    await this.set({ theme: themes[(themes.indexOf(this.now.theme) + 1) % themes.length] ?? 'system' })
  }

  #apply(settings: SettingsView): void {
    this.now = settings
    chosen.use(settings.language)
    if (settings.theme === 'system') document.documentElement.removeAttribute('data-theme')
    else document.documentElement.dataset.theme = settings.theme
  }
}

export const settings = new SettingsState()
