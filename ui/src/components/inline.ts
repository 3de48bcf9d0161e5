// Document text is data: it is cut into pieces here and drawn as text, never as markup.
export interface InlinePiece {
  text: string
  kind: 'text' | 'code' | 'hidden'
}

// Zero-width, bidi, tag, filler and control characters: what a person would not see.
const hidden =
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180e\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f\u3164\ufeff\uffa0]|[\u{e0000}-\u{e007f}]/u

/** Cuts a text into plain pieces, code spans and named marks for what cannot be seen. */
export function inline(text: string): InlinePiece[] {
  const pieces: InlinePiece[] = []
  for (const [index, part] of text.split('`').entries()) {
    if (part) pieces.push(...marked(part, index % 2 === 1 ? 'code' : 'text'))
  }
  return pieces
}

function marked(text: string, kind: 'text' | 'code'): InlinePiece[] {
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
