// The one message table, in the language that the person chose or that the system speaks.
import { en, type Messages } from './en'
import { ja } from './ja'

export type Language = 'en' | 'ja'
export const tables: Record<Language, Messages> = { en, ja }

class Chosen {
  language = $state<Language>('en')

  /** `auto` is the language of the system. */
  use(setting: string): void {
    const wanted = setting === 'auto' ? navigator.language : setting
    this.language = wanted.startsWith('ja') ? 'ja' : 'en'
    document.documentElement.lang = this.language
  }
}

export const chosen = new Chosen()

/** The messages; what reads one is drawn again when the language changes. */
export const t: Messages = new Proxy(en, {
  get: (_, key) => tables[chosen.language][key as keyof Messages],
})
