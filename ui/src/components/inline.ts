// Document text is data: it is cut into pieces here and drawn as text, never as markup.
export interface InlinePiece {
  text: string
  kind: 'text' | 'strong' | 'code' | 'hidden'
}

// Zero-width, bidi, tag, filler and control characters: what a person would not see.
const hidden =
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180e\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f\u3164\ufeff\uffa0]|[\u{e0000}-\u{e007f}]/u

const token = /`([^`]*)(?:`|$)|\*\*/gu

/** Cuts a text into plain and strong pieces, code spans and named marks for what cannot be seen. */
export function inline(text: string): InlinePiece[] {
  const pieces: InlinePiece[] = []
  const tokens = [...text.matchAll(token)]
  const marks = emphasis(text, tokens)
  let at = 0
  let strong = false
  const upTo = (end: number) => {
    if (end > at) pieces.push(...marked(text.slice(at, end), strong ? 'strong' : 'text'))
  }
  for (const { 0: word, 1: code, index } of tokens) {
    if (word === '**' && !marks.has(index)) continue
    upTo(index)
    if (word === '**') strong = !strong
    else if (code) pieces.push(...marked(code, 'code'))
    at = index + word.length
  }
  upTo(text.length)
  return pieces
}

/** Where two asterisks open before a word and close after one. Those of a path pattern do neither, nor those left alone. */
function emphasis(text: string, tokens: RegExpExecArray[]): Set<number> {
  const marks = new Set<number>()
  let open: number | null = null
  for (const { 0: word, index } of tokens) {
    if (word !== '**') continue
    const [before, after] = [text[index - 1] ?? ' ', text[index + 2] ?? ' ']
    if (open === null) {
      if (!/[\w/*]/.test(before) && !/[\s*/]/.test(after)) open = index
    } else if (!/[\s*/]/.test(before) && !/[\w/*]/.test(after)) {
      marks.add(open).add(index)
      open = null
    }
  }
  return marks
}

// A line as long as this was most likely wrapped by whoever wrote it.
const WRAPPED = 48
const begins = /^(?:[-*+•>|#]|\d+[.)、]|```|[☐☑✅❌])/u
const wide = /[\u3000-\u9fff\uac00-\ud7af\uff00-\uffef]/u

/** A text without the line breaks that a writer's wrapping left in it; lists, tables and blocks keep theirs. */
export function unwrapped(text: string): string {
  if (!text.includes('\n') || text.includes('```')) return text
  let whole = ''
  let last = ''
  for (const line of text.split('\n')) {
    const glued = width(last) >= WRAPPED && line.trim() !== '' && !/^\s{4}/.test(line) && !begins.test(line.trim()) && !/[:：]$/.test(last)
    if (glued) whole = whole.trimEnd() + (wide.test(last.slice(-1)) && wide.test(line.trim()[0] ?? '') ? '' : ' ') + line.trim()
    else whole += (whole === '' && last === '' ? '' : '\n') + line
    last = line.trimEnd()
  }
  return whole
}

const width = (line: string) => [...line].reduce((sum, character) => sum + (wide.test(character) ? 2 : 1), 0)

/** A text as it is read, without the marks around code and emphasis. */
export const plain = (text: string): string => inline(text).map((piece) => piece.text).join('')

function marked(text: string, kind: 'text' | 'strong' | 'code'): InlinePiece[] {
  if (!hidden.test(text)) return [{ text, kind }]
  const pieces: InlinePiece[] = []
  let plain = ''
  for (const character of text) {
    if (hidden.test(character)) {
      if (plain) pieces.push({ text: plain, kind })
      plain = ''
      pieces.push({ text: codePoint(character), kind: 'hidden' })
    } else {
      plain += character
    }
  }
  if (plain) pieces.push({ text: plain, kind })
  return pieces
}

function codePoint(character: string): string {
  return `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`
}

/** The language to draw a text in, where it decides about line breaking. */
export function langOf(text: string | null | undefined): string | undefined {
  return text && /[\u3040-\u30ff]/.test(text) ? 'ja' : undefined
}
