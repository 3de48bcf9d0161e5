// Text is marked with its language, so that it breaks and is read aloud as what it is.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { choose, openDesk } from './desk.mjs'

let desk
before(async () => (desk = await openDesk()))
after(() => desk?.close())

test('Japanese text of a document carries lang="ja" in an English window', async () => {
  const page = await desk.page()
  await choose(page, '縦組みのルビ')
  const { japanese, unmarked } = await page.evaluate(() => {
    const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
    const japanese = []
    while (texts.nextNode()) if (/[\u3040-\u30ff]/.test(texts.currentNode.data)) japanese.push(texts.currentNode)
    const unmarked = japanese.filter((text) => text.parentElement.closest('[lang]')?.lang !== 'ja')
    return { japanese: japanese.map((text) => text.data), unmarked: unmarked.map((text) => text.data) }
  })
  assert.ok(japanese.some((text) => text.includes('行頭の張り出し')), 'the document is on the page')
  assert.deepEqual(unmarked, [])
  assert.equal(await page.locator('html').getAttribute('lang'), 'en')
})

test('an English document stays unmarked in it, and one Japanese question does not', async () => {
  const page = await desk.page()
  await choose(page, 'tide ingest')
  const languageOf = (words) => page.locator('.says .txt', { hasText: words }).first().getAttribute('lang')
  assert.equal(await languageOf('停電した観測点'), 'ja')
  assert.equal(await languageOf('Does the fallback need its own alert'), null)
})
