// The whole way from the inbox to an approval without a pointer.
import assert from 'node:assert/strict'
import fs from 'node:fs/promises'
import path from 'node:path'
import { after, before, test } from 'node:test'
import { looked, openDesk } from './desk.mjs'

let desk
before(async () => (desk = await openDesk()))
after(() => desk?.close())

const rule = 'Touching the fixture database by hand'

/** Presses Tab until the focus is where it is wanted. */
async function tabTo(page, wanted) {
  for (let presses = 0; presses < 150; presses += 1) {
    if (await page.evaluate((selector) => document.activeElement?.matches(selector), wanted)) return
    await page.keyboard.press('Tab')
  }
  assert.fail(`150 times Tab, and nothing that matches ${wanted} had the focus`)
}

test('a handoff is chosen, given a rule and approved by keys alone', async () => {
  const page = await desk.page()
  const chosen = page.locator('.row[aria-selected="true"]')
  const wanted = page.locator('.row', { hasText: 'tide ingest' })
  // The list begins with the newest of the first repository: away from it first, so that there is a way to walk.
  if (await chosen.filter({ hasText: 'tide ingest' }).count()) {
    const first = await chosen.getAttribute('data-handle')
    await page.keyboard.press('j')
    await page.locator(`.row[aria-selected="true"]:not([data-handle="${first}"])`).waitFor()
  }
  const steps = Number(await wanted.getAttribute('aria-posinset')) - Number(await chosen.getAttribute('aria-posinset'))
  assert.notEqual(steps, 0, 'the walk has to leave the row that is open at the start')
  for (let step = 0; step < Math.abs(steps); step += 1) await page.keyboard.press(steps > 0 ? 'j' : 'k')
  await page.locator('.row[aria-selected="true"]', { hasText: 'tide ingest' }).waitFor()
  await looked(page)
  const id = await chosen.getAttribute('data-handle')

  await page.keyboard.press('b')
  await page.locator('[data-field="safety.may"] textarea:focus').waitFor()
  await tabTo(page, '[data-field="safety.never"] textarea')
  await page.keyboard.press('Enter')
  await page.waitForFunction(() => document.activeElement?.matches('[data-field="safety.never"] textarea') && document.activeElement.value === '')
  await page.keyboard.type(rule)
  await page.keyboard.press('Control+s')
  await page.locator('#section-boundary [data-list="never"]', { hasText: rule }).waitFor()
  const file = path.join(desk.folder, 'code/tidewatch/.handoff/2026-11-30-webhook-queue.md')
  assert.match(await fs.readFile(file, 'utf8'), new RegExp(`### Never\\n- Reading or printing station secrets\\n- ${rule}\\n`))

  await looked(page)
  await page.keyboard.press('a')
  await page.locator('[data-dialog="approve"]').waitFor()
  const boxes = page.locator('[data-ack]')
  const count = await boxes.count()
  assert.ok(count > 0, 'a tree that moved has something to acknowledge')
  for (let given = 0; given < count; given += 1) {
    await tabTo(page, '[data-ack][aria-checked="false"]')
    await page.keyboard.press('Space')
    await page.locator('[data-ack]:focus[aria-checked="true"]').waitFor()
  }
  await tabTo(page, '[data-action="confirm-approve"]')
  await page.keyboard.press('Enter')
  await page.locator('[data-dialog="approve"]').waitFor({ state: 'detached' })
  const detail = await desk.ask('handoff_detail', { id })
  assert.equal(detail.state, 'approved')
  assert.ok(detail.safety.never.some((item) => item.text === rule))
  assert.deepEqual(page.faults, [])
})

test('page keys, home and end go through the list, and scroll a document that has the focus', async () => {
  const page = await desk.page()
  const all = (await page.locator('[data-list="all"] .count').innerText()).trim()
  await page.keyboard.press('5')
  await page.locator(`.row[aria-setsize="${all}"]`).first().waitFor()
  await page.locator('.listbox').focus()
  const chosen = page.locator('.row[aria-selected="true"]')
  const at = (place) => page.locator(`.row[aria-selected="true"][aria-posinset="${place}"]`).waitFor()
  await page.keyboard.press('Home')
  await at(1)
  const total = Number(await chosen.getAttribute('aria-setsize'))
  assert.ok(total > 3, 'the demonstration has a list to go through')
  await page.keyboard.press('End')
  await at(total)
  await page.keyboard.press('PageUp')
  await page.locator(`.row[aria-selected="true"]:not([aria-posinset="${total}"])`).waitFor()
  await page.keyboard.press('Home')
  await at(1)
  await page.keyboard.press('PageDown')
  await page.locator('.row[aria-selected="true"]:not([aria-posinset="1"])').waitFor()
  const handle = await chosen.getAttribute('data-handle')
  await page.locator('.two').focus()
  await page.keyboard.press('End')
  assert.equal(await chosen.getAttribute('data-handle'), handle, 'the document scrolls, the choice stays')
  assert.deepEqual(page.faults, [])
})
