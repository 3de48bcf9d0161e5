// What the engine says in a sentence of its own, in another language. Its English sentence with holes is the key: the
// ledger keeps such sentences, the command line prints them, and a hole holds a name or a number. A sentence that is
// not known stays as it is and is marked as English.

/** A sentence with `{}` for each hole, and its words; `{1}` is the first hole as it stands, `{=1}` one that is a sentence itself. */
export type Sentence = readonly [english: string, words: string]

interface Known {
  pattern: RegExp
  words: string
}

const MOST_KEPT = 2_000
const MOST_PIECES = 40

export class Sentences {
  readonly #known: Known[]
  readonly #told = new Map<string, string | null>()

  constructor(sentences: readonly Sentence[]) {
    const fixed = (english: string) => english.replaceAll('{}', '').length
    const longestFirst = [...sentences].sort((one, other) => fixed(other[0]) - fixed(one[0]))
    this.#known = longestFirst.map(([english, words]) => ({ pattern: pattern(english), words }))
  }

  /** The sentence in this language; none when it is not known. */
  say(sentence: string): string | null {
    let told = this.#told.get(sentence)
    if (told === undefined) {
      if (this.#told.size > MOST_KEPT) this.#told.clear()
      told = pieces(sentence, /(?<=\.) (?=\p{L})/u, ' ', '', (part) => pieces(part, /; /, '; ', '；', (one) => this.#one(one)))
      this.#told.set(sentence, told)
    }
    return told
  }

  #one(sentence: string): string | null {
    for (const { pattern, words } of this.#known) {
      const found = pattern.exec(sentence)
      if (found) return words.replace(/\{(=?)(\d)\}/g, (_, inner, at) => (inner ? (this.say(found[at] ?? '') ?? found[at]) : found[at]) ?? '')
    }
    return null
  }
}

/** What is known of a text that may be several in a row: the shortest pieces of which each is known. */
function pieces(text: string, between: RegExp, glue: string, join: string, say: (part: string) => string | null): string | null {
  const parts = text.split(between)
  if (parts.length > MOST_PIECES) return null
  const from = (start: number): string[] | null => {
    if (start === parts.length) return []
    for (let end = start + 1; end <= parts.length; end++) {
      const told = say(parts.slice(start, end).join(glue))
      const rest = told === null ? null : from(end)
      if (told !== null && rest) return [told, ...rest]
    }
    return null
  }
  return from(0)?.join(join) ?? null
}

function pattern(english: string): RegExp {
  const fixed = (text: string) => text.replace(/[.*+?^$()[\]\\|{}]/g, '\\$&')
  return new RegExp(`^${english.split('{}').map(fixed).join('(.+?)')}$`, 'su')
}
