// Every view passes axe, in light and dark, and the two that are used most in a small window too.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { choose, looked, openDesk, violations } from './desk.mjs'

const large = { width: 1440, height: 900 }
const small = { width: 1024, height: 700 }

async function passes(page, sizes = [large]) {
  const found = []
  for (const size of sizes) {
    await page.setViewportSize(size)
    for (const colorScheme of ['light', 'dark']) {
      await page.emulateMedia({ colorScheme })
      found.push(...(await violations(page)).map((line) => `${size.width}x${size.height} ${colorScheme}: ${line}`))
    }
  }
  assert.deepEqual(found, [])
  assert.deepEqual(page.faults, [])
}

describe('axe on the demonstration', () => {
  let desk
  before(async () => (desk = await openDesk()))
  after(() => desk?.close())

  /** A view of the demonstration: how one gets there, and at which sizes it is looked at. */
  function view(name, reach, sizes) {
    test(`finds nothing in ${name}`, async () => {
      const page = await desk.page()
      await reach(page)
      await passes(page, sizes)
      await page.context().close()
    })
  }
  const openDocument = (page) => choose(page, 'tide ingest')

  test('finds a button without a name and words too pale for the dark', async () => {
    const page = await desk.page()
    await page.emulateMedia({ colorScheme: 'dark' })
    await page.evaluate(() => {
      document.querySelector('[data-action="search"]').removeAttribute('aria-label')
      document.querySelector('[data-action="search"]').removeAttribute('title')
      document.querySelector('.list h2').style.color = '#333'
    })
    const found = (await violations(page)).map((line) => line.split(':')[0])
    assert.deepEqual(found.sort(), ['button-name', 'color-contrast'])
    await page.context().close()
  })

  view('the inbox', (page) => looked(page), [large, small])
  view('a document', async (page) => {
    await openDocument(page)
    await page.locator('[data-action="unfold-boundary"]').click()
    await page.locator('.bound-b').waitFor()
  })
  view('a document that is edited', async (page) => {
    await openDocument(page)
    await page.keyboard.press('b')
    await page.locator('textarea:focus').waitFor()
    await page.keyboard.press('Alt+ArrowDown')
    await page.locator('[data-pane="repository"] .dl[data-d="+"]').first().waitFor()
  })
  view('approve', async (page) => {
    await openDocument(page)
    await page.keyboard.press('a')
    await page.locator('[data-dialog="approve"] [data-ack]').first().waitFor()
  }, [large, small])
  view('return', async (page) => {
    await openDocument(page)
    await page.keyboard.press('r')
    await page.locator('[data-dialog="return"]').waitFor()
  }, [large, small])
  view('the difference from the handoff before', async (page) => {
    await openDocument(page)
    await page.locator('[data-action="difference"]').click()
    await page.locator('[data-dialog="difference"] [data-differs]').first().waitFor()
  }, [large, small])
  view('leaving an edit', async (page) => {
    await openDocument(page)
    await page.keyboard.press('b')
    await page.locator('textarea:focus').waitFor()
    await page.keyboard.type(' only')
    await page.keyboard.press('Escape')
    await page.locator('[data-action="really-discard"]').waitFor()
  })
  view('letting the model do more', async (page) => {
    await openDocument(page)
    await page.keyboard.press('b')
    await page.locator('[data-field="safety.ask"] textarea').first().focus()
    await page.keyboard.press('Alt+ArrowRight')
    await page.locator('[data-dialog="widen"]').waitFor()
  })
  view('a new profile', async (page) => {
    await page.locator('[data-view="profiles"]').click()
    await page.locator('[data-action="new-profile"]').click()
    await page.locator('#profile-name').waitFor()
  })
  view('the palette', async (page) => {
    await page.keyboard.press('/')
    await page.keyboard.type('queue')
    await page.locator('#hits [role="option"] mark').first().waitFor()
  })
  view('the keys', async (page) => {
    await page.keyboard.press('?')
    await page.locator('[role="dialog"]').waitFor()
  })
  view('the profiles', async (page) => {
    await page.locator('[data-view="profiles"]').click()
    await page.locator('[data-profile="demo"]').waitFor()
  })
  view('the settings', async (page) => {
    await page.locator('[data-view="settings"]').click()
    await page.locator('#set-theme').waitFor()
  }, [large, small])
  view('a refused document', async (page) => {
    await page.locator('.row:has([data-state="refused"])').click()
    await page.locator('.rawpane .raw-l').first().waitFor()
  })
})

describe('axe on an empty home', () => {
  let desk
  before(async () => (desk = await openDesk({ empty: true })))
  after(() => desk?.close())

  test('finds nothing at the first start', async () => {
    const page = await desk.page()
    await page.locator('[data-action="another"]').waitFor()
    await passes(page)
  })
})
