// The inbox by repository, several handoffs at once, taking back, and searches that are kept: by keys alone.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { looked, openDesk, violations } from './desk.mjs'

let desk
before(async () => (desk = await openDesk()))
after(() => desk?.close())

const inbox = async () => (await desk.ask('handoffs', { list: 'inbox' })).rows
const both = async (page) => {
  const found = []
  for (const colorScheme of ['light', 'dark']) {
    await page.emulateMedia({ colorScheme })
    found.push(...(await violations(page)))
  }
  assert.deepEqual(found, [])
  assert.deepEqual(page.faults, [])
}

test('the inbox stands in groups, each with its name and number', async () => {
  const page = await desk.page()
  await looked(page)
  const names = await page.locator('[role="group"]').evaluateAll((groups) => groups.map((one) => [one.getAttribute('aria-label'), one.querySelectorAll('[role="option"]').length]))
  assert.ok(names.length >= 3, JSON.stringify(names))
  for (const [name, rows] of names) assert.match(name, new RegExp(`, ${rows} handoffs?$`))
  await page.context().close()
})

test('a run of marks is skipped and taken back with keys', async () => {
  const page = await desk.page()
  await looked(page)
  const before = await inbox()
  await page.keyboard.press('Shift+ArrowDown')
  await page.locator('.row[aria-checked="true"]').nth(1).waitFor()
  await both(page)
  await page.keyboard.press('s')
  await page.locator('[data-toast]', { hasText: '2 skipped' }).waitFor()
  assert.equal((await inbox()).length, before.length - 2)
  await page.keyboard.press('z')
  await page.locator('[data-toast]', { hasText: 'Taken back' }).waitFor()
  assert.deepEqual((await inbox()).map((row) => [row.handle, row.state]), before.map((row) => [row.handle, row.state]))
  await page.keyboard.press('Shift+X')
  await page.locator('[data-bar="marked"]').waitFor()
  await page.keyboard.press('Escape')
  await page.locator('[data-bar="marked"]').waitFor({ state: 'detached' })
  await page.context().close()
})

test('a search is saved, run and forgotten in the palette', async () => {
  const page = await desk.page()
  await looked(page)
  await page.keyboard.press('/')
  await page.keyboard.type('state:refu')
  await page.locator('[data-term="state:refused"]').waitFor()
  await page.keyboard.press('Tab')
  await page.locator('[data-command="save-search"]').click()
  await page.keyboard.type('broken')
  await page.keyboard.press('Enter')
  await page.locator('[data-search="broken"]').waitFor()
  assert.deepEqual(await desk.ask('searches', {}), [{ name: 'broken', query: 'state:refused' }])
  await page.keyboard.press('/')
  await page.locator('[data-command="run:broken"]').waitFor()
  await both(page)
  await page.keyboard.press('Enter')
  await page.locator('[data-action="clear-search"]').waitFor()
  await page.waitForFunction(() => {
    const states = [...document.querySelectorAll('.list .row [data-state]')].map((one) => one.dataset.state)
    return states.length > 0 && states.every((state) => state === 'refused')
  })
  await page.keyboard.press('/')
  await page.keyboard.type('>forget')
  await page.keyboard.press('Enter')
  await page.locator('[data-search="broken"]').waitFor({ state: 'detached' })
  assert.deepEqual(await desk.ask('searches', {}), [])
  await page.context().close()
})
