// What a person has to see without scrolling is there, and nothing that decides is cut off.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { choose, openDesk } from './desk.mjs'

const sizes = [{ width: 1440, height: 900 }, { width: 1024, height: 700 }]
let desk
before(async () => (desk = await openDesk()))
after(() => desk?.close())

for (const size of sizes) {
  describe(`at ${size.width}×${size.height}`, () => {
    let page
    before(async () => {
      page = await desk.page(size)
      await choose(page, 'tide ingest')
    })
    after(() => page.context().close())

    test('the first fact is seen whole without scrolling', async () => {
      const fact = await page.locator('#section-facts .ent .txt').first().boundingBox()
      assert.ok(fact.y + fact.height <= size.height, `it ends at ${fact.y + fact.height}`)
    })

    test('the next step is seen with it, and the others are one press away', async () => {
      assert.equal(await page.locator('.todo-next').count(), 1)
      const unfold = page.locator('[data-action="unfold-next"]')
      if (await unfold.count()) await unfold.click()
      assert.equal(await page.locator('#section-next .todo').count(), 4)
    })

    test('every rule of the boundary is drawn whole', async () => {
      const rules = ['Edit and test anything under ingest/', 'Pushing, force-pushing, opening a pull request', 'Reading or printing station secrets']
      const drawn = await page.locator('#section-boundary').innerText()
      for (const rule of rules) assert.ok(drawn.replace(/\s+/g, ' ').includes(rule), `${rule} in ${drawn}`)
      assert.deepEqual(await cut(page, '#section-boundary *'), [])
    })

    test('a badge does not make the header higher, and what identifies the handoff is whole', async () => {
      const meta = page.locator('.doc-meta')
      const high = (await page.locator('.doc-h').boundingBox()).height
      assert.equal(await page.locator('.doc-h .chip', { hasText: 'volatile place' }).count(), 1, 'the demonstration stands in a volatile place')
      await page.evaluate(() => document.querySelector('.badges').remove())
      assert.equal((await page.locator('.doc-h').boundingBox()).height, high)
      assert.ok((await meta.boundingBox()).height <= 20, 'the facts about it stand on one line')
      assert.deepEqual(await cut(page, '.doc-meta .trunc'), [])
    })
  })
}

test('the heading of a group stays over the rows that move below it', async () => {
  const page = await desk.page({ width: 1024, height: 400 })
  const row = page.locator('[role=option]').first()
  await row.waitFor()
  const over = await row.evaluate((row) => {
    const heading = row.parentElement.querySelector('.rows-h')
    let pane = row.parentElement
    while (pane.scrollHeight <= pane.clientHeight) pane = pane.parentElement
    pane.scrollTop = 20
    const at = heading.getBoundingClientRect()
    return { moved: pane.scrollTop, drawn: document.elementFromPoint(at.x + at.width / 2, at.bottom - 2) === heading }
  })
  assert.deepEqual(over, { moved: 20, drawn: true })
  await page.context().close()
})

/** Texts that do not fit where they are drawn. */
function cut(page, selector) {
  return page.locator(selector).evaluateAll((all) =>
    all.filter((one) => one.scrollWidth > one.clientWidth + 1 && getComputedStyle(one).overflowX !== 'visible' && !one.matches('.vh')).map((one) => one.textContent),
  )
}
