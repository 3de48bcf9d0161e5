// What stands beside the document: the handoff before, the rules of the repository, what changed since the last look.
import assert from 'node:assert/strict'
import fs from 'node:fs/promises'
import path from 'node:path'
import { after, before, test } from 'node:test'
import { choose, looked, openDesk } from './desk.mjs'

let desk
let page
before(async () => {
  desk = await openDesk()
  page = await desk.page()
  await choose(page, 'tide ingest')
  await page.locator('[data-action="difference"]').waitFor()
})
after(() => desk?.close())

const words = async (selector) => (await page.locator(selector).innerText()).replace(/\s+/g, ' ')

test('a rule that only this handoff has is marked, and so is one that vanished', async () => {
  const drawn = await words('#section-boundary')
  assert.match(drawn, /Turning the polling job off in staging or production ?new/)
  assert.match(drawn, /Pushing, force-pushing, opening a pull request ?reworded/)
  assert.match(await words('#section-boundary .gone'), /Vanished since 2026-11-28: Spending on a larger queue tier/)
  assert.equal(await page.locator('#section-boundary [data-fate="new"]').first().getAttribute('title'), 'new since 2026-11-28')
  assert.doesNotMatch(drawn, /Reading or printing station secrets ?new/)
})

test('the rules of the repository stand beside the boundary, with their place, and in no list of it', async () => {
  await page.locator('[data-action="unfold-rules"]').click()
  const theirs = await words('[data-section="rules"]')
  assert.match(theirs, /not part of the handoff/)
  assert.match(theirs, /Do not touch db\/migrations\/ once a file is on main\. ?AGENTS\.md:6/)
  assert.doesNotMatch(await words('#section-boundary'), /once a file is on main/)
})

test('a handoff without rules shows those of its repository at once', async () => {
  await fs.writeFile(path.join(desk.folder, 'code/ledgerloom/CLAUDE.md'), '- Never commit or push without review.\n')
  const other = await desk.page()
  await choose(other, '縦組みのルビ')
  assert.equal(await other.locator('[data-section="rules"]').count(), 0, 'a repository without rules files says nothing')
  await choose(other, 'split invoices')
  await other.locator('[data-section="rules"]').waitFor()
  assert.match(await other.locator('[data-section="rules"]').innerText(), /1 in CLAUDE\.md/)
  await other.context().close()
})

test('one key shows the difference from the handoff before, by field and as a whole, and Esc goes back', async () => {
  await page.keyboard.press('d')
  const next = page.locator('[data-dialog="difference"] [data-differs="next"]')
  await next.waitFor()
  assert.match(await next.innerText(), /Put a queue behind the webhook/)
  assert.equal(await page.locator('[data-differs="safety.never"]').count(), 0, 'what is the same is not shown')
  await page.locator('[data-action="whole-text"]').press('Enter')
  await page.locator('[data-dialog="difference"] .dl', { hasText: 'title: Take readings from the webhook' }).waitFor()
  await page.keyboard.press('Escape')
  await page.locator('[data-dialog="difference"]').waitFor({ state: 'detached' })
})

test('approving names what became of the boundary since', async () => {
  await page.keyboard.press('a')
  const since = page.locator('[data-boundary-since]')
  await since.waitFor()
  assert.match((await since.innerText()).replace(/\s+/g, ' '), /Spending on a larger queue tier .*vanished.*lets the model do more/)
  await page.keyboard.press('Escape')
})

test('what changes while approve is open is named there, and what it says has to be acknowledged anew', async () => {
  await page.keyboard.press('a')
  const tree = page.locator('[data-dialog="approve"] [data-ack="contended"]')
  await tree.waitFor()
  for (const box of await page.locator('[data-dialog="approve"] [data-ack]').all()) await box.click()
  assert.equal(await page.locator('[data-action="confirm-approve"]').getAttribute('aria-disabled'), 'false')
  await fs.writeFile(path.join(desk.folder, 'code/tidewatch/ingest/later.go'), 'package ingest\n')
  await page.evaluate(() => window.dispatchEvent(new Event('focus')))
  const moved = page.locator('[data-dialog="approve"] [data-moved]')
  await moved.waitFor()
  assert.match(await moved.innerText(), /^Changed while this was open: Tree\./)
  assert.equal(await page.locator('[data-ack="contended"]').getAttribute('aria-checked'), 'true', 'this says the same')
  assert.equal(await page.locator('[data-ack="contradiction"]').getAttribute('aria-checked'), 'false', 'this names the new file')
  assert.equal(await page.locator('[data-action="confirm-approve"]').getAttribute('aria-disabled'), 'true')
  await page.keyboard.press('Escape')
  await fs.rm(path.join(desk.folder, 'code/tidewatch/ingest/later.go'))
})

test('what changed in the tree since the last look is said when the handoff is opened again', async () => {
  await fs.writeFile(path.join(desk.folder, 'code/tidewatch/notes/gap.txt'), 'two hours\n')
  await choose(page, 'split invoices')
  await choose(page, 'tide ingest')
  await looked(page)
  const since = page.locator('[data-last-look] li')
  await since.first().waitFor()
  assert.deepEqual(await since.allInnerTexts(), ['notes/gap.txt was changed or added'])
  assert.deepEqual(page.faults, [])
})
