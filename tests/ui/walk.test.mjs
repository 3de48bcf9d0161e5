// Every screen and dialog is reached by keys, Esc goes back, and the focus returns to where it came from.
import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, test } from 'node:test'
import fs from 'node:fs/promises'
import path from 'node:path'
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

  test('saving what lets the model do more asks, Esc goes back to the edit, and leaving it offers to save', async () => {
    await page.keyboard.press('b')
    await page.locator('[data-field="safety.may"] textarea').first().focus()
    await page.keyboard.press('Control+n')
    await page.keyboard.type('Tidy the folder')
    await page.keyboard.press('Control+s')
    await page.locator('[data-dialog="widen"]').waitFor()
    await page.keyboard.press('Escape')
    await page.locator('[data-dialog="widen"]').waitFor({ state: 'detached' })
    assert.equal(await page.locator('[role="dialog"]').count(), 0, 'nothing else came up')
    await page.keyboard.press('Escape')
    await page.locator('[data-action="really-save"]').waitFor()
    await page.keyboard.press('Control+Enter')
    await page.locator('[data-dialog="widen"]').waitFor()
    await page.keyboard.press('Escape')
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

describe('a foreign save during an edit', () => {
  const file = () => path.join(desk.folder, 'code/ledgerloom/HANDOFF.md')
  const rule = 'Change the tax table'
  async function editAndBeOvertaken(line) {
    await choose(page, 'split invoices')
    await page.keyboard.press('b')
    await page.locator('.bound textarea:focus').waitFor()
    await page.locator('[data-add="safety.never"]').focus()
    await page.keyboard.press('Enter')
    await page.locator('[data-field="safety.never"] textarea:focus').waitFor()
    await page.keyboard.type(rule)
    await fs.appendFile(file(), line)
    await page.keyboard.press('Control+s')
    await page.locator('[data-conflict]').waitFor()
  }
  async function reach(action) {
    for (let presses = 0; presses < 60; presses += 1) {
      if ((await focused()) === action) return page.keyboard.press('Enter')
      await page.keyboard.press('Tab')
    }
    assert.fail(`Tab never met ${action}`)
  }

  test('is told, kept whole when theirs is taken, and both are kept when mine is', async () => {
    await editAndBeOvertaken('\n## Hazards\n\n- The year ends on a Sunday\n')
    assert.doesNotMatch(await fs.readFile(file(), 'utf8'), new RegExp(rule), 'nothing is written over a foreign save')
    await reach('take-theirs')
    await page.locator('[data-action="edit"]').waitFor()
    await page.locator('#section-hazards', { hasText: 'Sunday' }).waitFor()

    await editAndBeOvertaken('- So does the quarter\n')
    await reach('keep-mine')
    await page.locator('[data-conflict]').waitFor({ state: 'detached' })
    await page.keyboard.press('Control+s')
    await page.locator('[data-action="edit"]').waitFor()
    const text = await fs.readFile(file(), 'utf8')
    assert.match(text, new RegExp(rule))
    assert.match(text, /So does the quarter/)
  })
})

describe('a refused document', () => {
  test('is reached by keys, read with them, and offers nothing that would resume it', async () => {
    await page.locator('.listbox').focus()
    await page.keyboard.press('Home')
    const rows = await page.locator('.row').count()
    for (let steps = 0; steps < rows; steps += 1) {
      if (await page.locator('.row[aria-selected="true"] [data-state="refused"]').count()) break
      const at = await page.locator('.row[aria-selected="true"]').getAttribute('data-handle')
      await page.keyboard.press('j')
      await page.locator(`.row[aria-selected="true"]:not([data-handle="${at}"])`).waitFor()
    }
    await page.locator('.rawpane .raw-l').first().waitFor()
    for (const key of ['a', 'e', 'b', 'Enter']) await page.keyboard.press(key)
    assert.equal(await page.locator('[role="dialog"], textarea').count(), 0, 'neither approved nor edited')
    await page.keyboard.press('F6')
    await page.keyboard.press('F6')
    assert.equal(await page.evaluate(() => document.activeElement?.querySelector(':scope > [data-pane]')?.dataset.pane), 'document', 'F6 goes over the toolbar into the text')
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

  test('another list opens its own first handoff, or none where it is empty', async () => {
    await choose(page, 'tide ingest')
    await page.evaluate(() => document.activeElement?.blur())
    await page.keyboard.press('2')
    await page.locator('[data-list="approved"][aria-current]').waitFor()
    await page.locator('.doc-h').waitFor({ state: 'detached' })
    await page.keyboard.press('Enter')
    assert.equal(await page.locator('[role="dialog"]').count(), 0, 'a key acts on nothing that is not in the list')
    await page.keyboard.press('1')
    await page.locator('.row[aria-selected="true"]').waitFor()
    await looked(page)
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

describe('the first start', () => {
  let fresh
  let first
  before(async () => {
    fresh = await openDesk({ empty: true })
    for (const [agent, file] of [['.codex', 'HANDOFF.md'], ['.claude', 'handoff.md']]) {
      const folder = path.join(fresh.env.HOME, agent)
      await fs.mkdir(folder, { recursive: true })
      await fs.writeFile(path.join(folder, file), `# Handoff\n\n## Objective\n\nWork of ${agent}\n`)
    }
    first = await fresh.page()
  })
  after(() => fresh?.close())
  const action = () => first.evaluate(() => document.activeElement?.dataset.action ?? document.activeElement?.id)

  test('shows what a handoff looks like, and Esc goes back to the button', async () => {
    await first.locator('[data-action="add-all"]:focus').waitFor()
    await first.keyboard.press('Tab')
    await first.keyboard.press('Tab')
    assert.equal(await action(), 'example')
    await first.keyboard.press('Enter')
    await first.locator('[role="dialog"] pre', { hasText: 'Safety boundary' }).waitFor()
    await first.keyboard.press('Escape')
    await first.locator('[role="dialog"]').waitFor({ state: 'detached' })
    assert.equal(await action(), 'example')
  })

  test('adds what is ticked with one key and goes on to the inbox', async () => {
    await first.locator('#first-codex').focus()
    await first.keyboard.press('Space')
    await first.locator('[data-action="add-all"]', { hasText: 'Add 1 profile' }).waitFor()
    await first.locator('[data-action="add-all"]').focus()
    await first.keyboard.press('Enter')
    await first.locator('.row', { hasText: 'Work of .claude' }).waitFor()
    assert.deepEqual((await fresh.ask('profiles', {})).map((profile) => profile.name), ['claude-code'])
  })
})
