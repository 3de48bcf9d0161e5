// The engine's sentences that the Japanese window knows are the engine's: one that was reworded is found here.
import assert from 'node:assert/strict'
import fs from 'node:fs/promises'
import path from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../../', import.meta.url))
/** Shorter pieces stand in any source. */
const TELLING = 9

async function source() {
  const texts = []
  for (const entry of await fs.readdir(path.join(root, 'src-tauri/crates'), { recursive: true })) {
    if (!entry.endsWith('.rs') || !entry.includes('/src/')) continue
    const text = await fs.readFile(path.join(root, 'src-tauri/crates', entry), 'utf8')
    texts.push(text.replace(/\\\n\s*/g, '').replaceAll('\\"', '"'))
  }
  return texts.join('\n')
}

test('every English sentence of the table stands in the engine, and its words use no hole that is not there', async () => {
  const table = await fs.readFile(path.join(root, 'ui/src/text/engine.ja.ts'), 'utf8')
  const quoted = String.raw`'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*"`
  const pairs = [...table.matchAll(new RegExp(String.raw`\[(${quoted}), (${quoted})\]`, 'g'))].map((pair) => pair.slice(1).map((text) => text.slice(1, -1).replaceAll("\\'", "'")))
  assert.ok(pairs.length > 300, `${pairs.length} sentences`)
  const engine = await source()
  // The engine puts some of them together from two; what joins them is no word.
  const pieces = (english) => english.replace(/^One /, '{}').split('{}').map((piece) => piece.replace(/^[\s(),.:;]+|[\s(),.:;]+$/g, ''))
  const stale = pairs.filter(([english]) => !english.includes('(os error') && pieces(english).some((piece) => piece.length >= TELLING && !engine.includes(piece)))
  assert.deepEqual(stale.map(([english]) => english), [])
  const holes = pairs.filter(([english, words]) => [...words.matchAll(/\{=?(\d)\}/g)].some((hole) => Number(hole[1]) > english.split('{}').length - 1))
  assert.deepEqual(holes, [])
  const twice = pairs.map(([english]) => english).filter((english, at, all) => all.indexOf(english) !== at)
  assert.deepEqual(twice, [])
})
