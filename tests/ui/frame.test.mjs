// The window's frame comes with the page and is painted before the page's program has been read.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { openDesk } from './desk.mjs'

let desk
before(async () => (desk = await openDesk({ empty: true })))
after(() => desk?.close())

/** A page whose program is on its way until `release` is called. */
async function held(prepare = () => {}) {
  let release, come
  const released = new Promise((resolve) => (release = resolve))
  const opened = new Promise((resolve) => (come = resolve))
  const started = desk.page({
    before: async (page) => {
      await prepare(page)
      await page.route('**/page-*.js', async (route) => {
        await released
        await route.continue()
      })
      come(page)
    },
  })
  return { page: await opened, started, release }
}

test('the names of the lists are read before the program is, and the program takes the place of the frame', async () => {
  const { page, started, release } = await held()
  await page.locator('.frame[lang="en"] .nav-i', { hasText: 'Approved' }).waitFor()
  const frame = await page.locator('.sidebar:visible').boundingBox()
  assert.equal(await page.locator('.frame[lang="ja"]').isVisible(), false)
  release()
  await started
  assert.equal(await page.locator('.frame').count(), 0)
  const drawn = await page.locator('.sidebar').boundingBox()
  assert.deepEqual(drawn, frame, 'nothing moves when the program takes over')
  assert.deepEqual(page.faults, [])
})

test('a page that its host made Japanese has a Japanese frame', async () => {
  const japanese = () => document.addEventListener('readystatechange', () => (document.documentElement.lang = 'ja'), { once: true })
  const { page, started, release } = await held((page) => page.addInitScript(japanese))
  await page.locator('.frame[lang="ja"] .nav-i', { hasText: '承認済み' }).waitFor()
  assert.equal(await page.locator('.frame[lang="en"]').isVisible(), false)
  release()
  await started
})
