// Every screen and dialog is reached by keys, Esc goes back, and the focus returns to where it came from.
import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, test } from 'node:test'
import { choose, looked, openDesk } from './desk.mjs'

let desk
let page
before(async () => {
  desk = await openDesk()
  page = await desk.page()
})
after(() => desk?.close())

const focused = () => page.evaluate(() => document.activeElement?.matches('[data-action], [data-view], textarea, [role="listbox"]') ? (document.activeElement.dataset.action ?? document.activeElement.dataset.view ?? document.activeElement.tagName) : document.activeElement?.tagName)

/** Focuses a control as Tab would, without pressing it. */
const stand = (selector) => page.locator(selector).first().focus()

/** Everything inside the open dialog that a person can act on has the focus once while Tab goes round. */
async function goesRound() {
  const all = await page.evaluate(() => {
    const box = document.querySelector('[role="dialog"]')
    const able = [...box.querySelectorAll('button, input, textarea, select, summary, [tabindex="0"]')].filter((one) => one.tabIndex >= 0 && !one.disabled && one.checkVisibility())
    able.forEach((one, index) => one.setAttribute('data-walk', index))
    return able.length
  })
  const met = new Set()
  for (let presses = 0; presses <= all + 1; presses += 1) {
    const at = await page.evaluate(() => document.activeElement?.closest('[role="dialog"]') ? (document.activeElement.dataset.walk ?? 'other') : 'outside')
    assert.notEqual(at, 'outside', 'Tab stays in the dialog')
    met.add(at)
    await page.keyboard.press('Tab')
  }
  met.delete('other')
  assert.equal(met.size, all, `Tab meets ${[...met]} of ${all}`)
}

describe('dialogs on the open handoff', () => {
  beforeEach(async () => {
    await choose(page, 'tide ingest')
    await page.locator('[data-action="difference"]').waitFor()
  })

  for (const [name, key, opener, inside] of [
    ['approve', 'a', '[data-action="approve"]', '[data-dialog="approve"]'],
    ['return', 'r', '[data-action="return"]', '[data-dialog="return"]'],
    ['the difference', 'd', '[data-action="difference"]', '[data-dialog="difference"]'],
    ['the palette', '/', '[data-action="search"]', '[data-dialog="palette"]'],
    ['the keys', '?', '[data-action="edit"]', '[role="dialog"] .keys'],
  ]) {
    test(`${name} opens by its key, keeps Tab, and gives the focus back at Esc`, async () => {
      await stand(opener)
      const from = await focused()
      await page.keyboard.press(key)
      await page.locator(inside).waitFor()
      await goesRound()
      await page.keyboard.press('Escape')
      await page.locator('[role="dialog"]').waitFor({ state: 'detached' })
      assert.equal(await focused(), from)
    })
  }

  test('the menu opens with Enter, moves with arrows, and gives the focus back at Esc', async () => {
    await stand('[data-action="more"]')
    await page.keyboard.press('Enter')
    await page.locator('[role="menuitem"]:focus').waitFor()
    const first = await focused()
    await page.keyboard.press('ArrowDown')
    assert.notEqual(await focused(), first)
    await page.keyboard.press('Escape')
    assert.equal(await focused(), 'more')
  })

  test('leaving an edit asks, and the focus goes back into the text', async () => {
    await page.keyboard.press('b')
    await page.locator('[data-field="safety.may"] textarea:focus').waitFor()
    await page.keyboard.type(' only')
    await page.keyboard.press('Escape')
    await page.locator('[data-action="really-discard"]').waitFor()
    await goesRound()
    await page.keyboard.press('Escape')
    await page.locator('[role="dialog"]').waitFor({ state: 'detached' })
    assert.equal(await focused(), 'TEXTAREA', 'the text is still being edited')
    await page.keyboard.press('Escape')
    await page.locator('[data-action="really-discard"]').press('Enter')
    await page.locator('[data-action="edit"]').waitFor()
  })

  test('letting the model do more asks, and Esc leaves the entry where it was', async () => {
    await page.keyboard.press('b')
    const entry = page.locator('[data-field="safety.ask"] textarea').first()
    await entry.focus()
    const words = await entry.inputValue()
    await page.keyboard.press('Alt+ArrowRight')
    await page.locator('[data-dialog="widen"]').waitFor()
    await goesRound()
    await page.keyboard.press('Escape')
    await page.locator('[data-dialog="widen"]').waitFor({ state: 'detached' })
    assert.equal(await page.locator('[data-field="safety.ask"] textarea').first().inputValue(), words)
    assert.equal(await focused(), 'TEXTAREA')
    await page.keyboard.press('Escape')
    await page.locator('[data-action="edit"]').waitFor()
  })
})

describe('screens', () => {
  test('F6 goes through the panes and comes back to the list', async () => {
    await choose(page, 'tide ingest')
    await page.locator('.listbox').focus()
    const met = []
    for (let presses = 0; presses < 4; presses += 1) {
      await page.keyboard.press('F6')
      met.push(await page.evaluate(() => (document.activeElement?.closest('.two') ? 'document' : document.activeElement?.closest('[role="toolbar"]') ? 'toolbar' : document.activeElement?.closest('.listbox') ? 'list' : '?')))
    }
    assert.deepEqual([...new Set(met)].sort(), ['document', 'list', 'toolbar'])
  })

  for (const [view, waits] of [['profiles', '[data-action="new-profile"]'], ['settings', '#set-theme']]) {
    test(`${view} is reached from the palette, and 1 comes back to the inbox`, async () => {
      await page.keyboard.press('/')
      await page.keyboard.type(view === 'profiles' ? '>manage' : '>settings')
      await page.locator(`[data-command="${view}"]`).waitFor()
      await page.keyboard.press('Enter')
      await page.locator(waits).waitFor()
      await page.keyboard.press('Control+k')
      await page.locator('[data-dialog="palette"]').waitFor()
      await page.keyboard.press('Escape')
      await page.evaluate(() => document.activeElement?.blur())
      await page.keyboard.press('1')
      await page.locator('.listbox').waitFor()
    })
  }

  test('a new profile is asked for by keys, and the focus returns to its button', async () => {
    await page.keyboard.press('/')
    await page.keyboard.type('>manage')
    await page.keyboard.press('Enter')
    await page.locator('[data-action="new-profile"]').focus()
    await page.keyboard.press('Enter')
    await page.locator('#profile-name:focus').waitFor()
    await goesRound()
    await page.keyboard.press('Escape')
    await page.locator('[role="dialog"]').waitFor({ state: 'detached' })
    assert.equal(await focused(), 'new-profile')
    await page.keyboard.press('1')
    await page.locator('.listbox').waitFor()
  })
})

describe('settings', () => {
  test('what is chosen takes effect at once and is kept', async () => {
    const html = page.locator('html')
    await page.locator('[data-view="settings"]').click()
    await page.locator('#set-theme').selectOption('dark')
    await page.locator('html[data-theme="dark"]').waitFor()
    await page.locator('#set-language').selectOption('ja')
    await page.locator('html[lang="ja"]').waitFor()
    assert.equal(await page.locator('.page-main h1').innerText(), '設定')
    await page.locator('#set-language').selectOption('en')
    await page.locator('html[lang="en"]').waitFor()
    await page.locator('#set-single_keys').click()
    await page.locator('#set-approval_hours').fill('3')
    await page.locator('#set-approval_hours').press('Tab')
    await page.waitForFunction(async () => (await (await fetch('/rpc', { method: 'POST', body: JSON.stringify({ op: 'settings', params: {} }) })).json()).result.approval_hours === 3)
    const kept = await desk.ask('settings', {})
    assert.deepEqual([kept.theme, kept.language, kept.single_keys, kept.approval_hours], ['dark', 'en', false, 3])
    await page.locator('[data-view="inbox"], .nav-i').first().click()
    await looked(page)
    await page.evaluate(() => document.activeElement?.blur())
    await page.keyboard.press('a')
    await page.keyboard.press('Control+k')
    await page.locator('[data-dialog="palette"]').waitFor()
    assert.equal(await page.locator('[data-dialog="approve"]').count(), 0, 'a single letter does nothing any more')
    await page.keyboard.press('Escape')
    const other = await desk.page()
    assert.equal(await other.locator('html').getAttribute('data-theme'), 'dark', 'a new window starts with it')
    await choose(other, 'tide ingest')
    await other.locator('[data-action="approve"]').click()
    const until = await other.locator('[data-dialog="approve"] ~ .dialog-f').innerText()
    const hours = (Date.parse(`${until.match(/\d{4}-\d{2}-\d{2} \d{2}:\d{2}/)[0].replace(' ', 'T')}Z`) - Date.now()) / 3_600_000
    assert.ok(hours > 2.9 && hours <= 3, `an approval is good for ${hours} hours`)
    assert.ok(await html.count())
    assert.deepEqual(page.faults, [])
    await other.context().close()
  })
})
