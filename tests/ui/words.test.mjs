// The words of a document are drawn as a person reads them: emphasis, code and wrapped lines, and never as markup.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { execFile } from 'node:child_process'
import fs from 'node:fs/promises'
import path from 'node:path'
import { promisify } from 'node:util'
import { openDesk } from './desk.mjs'

const document = `# Handoff

## Objective

Carry the **remainder** over to the \`last\` line of every invoice,
so that nothing is lost.

## Next steps

- [ ] **Clean \`src/**/old\` first** and then everything that stands below
  the folder of the same name
- [ ] Look at src/**/a and lib/**/b, and at 2 ** 3 ** 4 **left open
- [ ] <b>not bold</b>

## Rejected

- Never push without asking the owner of the branch
`

let desk
let page
before(async () => {
  desk = await openDesk({
    build: async (folder, fuda, env) => {
      const root = path.join(folder, 'work')
      await fs.mkdir(root)
      await fs.writeFile(path.join(root, 'HANDOFF.md'), document)
      await promisify(execFile)(fuda, ['profiles', 'add', 'work', '--agent', 'generic', '--root', root], { env })
    },
  })
  page = await desk.page()
  await page.locator('[data-section="next"] .todo').first().waitFor()
})
after(() => desk?.close())

const step = (index) => page.locator('[data-section="next"] .todo .txt').nth(index)

test('emphasis and code are drawn without their marks, and a line that was wrapped goes on', async () => {
  assert.equal(await step(0).innerText(), 'Clean src/**/old first and then everything that stands below the folder of the same name')
  assert.equal(await step(0).locator('code').innerText(), 'src/**/old')
  assert.deepEqual(await step(0).locator('b').allInnerTexts(), ['Clean ', ' first'])
})

test('asterisks that are no emphasis, and tags, stand as they are written', async () => {
  assert.equal(await step(1).innerText(), 'Look at src/**/a and lib/**/b, and at 2 ** 3 ** 4 **left open')
  assert.equal(await step(2).innerText(), '<b>not bold</b>')
  assert.equal(await step(2).locator('b').count(), 0)
})

test('a handoff without a title is called by its goal, in one line and without marks', async () => {
  assert.equal(await page.locator('.doc-h h1').innerText(), 'Carry the remainder over to the last line of every invoice, so that nothing is lost.')
})
