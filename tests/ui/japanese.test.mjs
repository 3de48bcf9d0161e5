// Every screen of the Japanese window on documents in Japanese: no English sentence is left on it.
import assert from 'node:assert/strict'
import fs from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { after, before, test } from 'node:test'
import { looked, openDesk } from './desk.mjs'
import { everyday, repository } from './everyday.mjs'

let desk
const passing = () => fs.mkdtemp(path.join(os.tmpdir(), 'fuda-passing-'))
before(async () => {
  const place = await passing()
  desk = await openDesk({ build: async (folder, fuda, env) => ({ place, ...(await everyday(folder, fuda, env, place)) }) })
})
after(async () => {
  await desk?.close()
  if (desk) await fs.rm(desk.built.place, { recursive: true, force: true })
})

/** Three words of letters in a row, outside what is drawn as code, path, raw file or output of a program. */
async function english(page) {
  return page.evaluate(() => {
    const own = '.mono, .path, code, kbd, .kbd, .raw, .diff, .log, pre, .gl, option, [data-argv], .hid, [data-fault]'
    const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
    const found = []
    while (texts.nextNode()) {
      const { parentElement: parent, data } = texts.currentNode
      if (parent.closest('script, style') || parent.closest(own) || !parent.checkVisibility()) continue
      if (/[A-Za-z’']{2,}[ ,:;]+[a-z’']+[ ,:;]+[a-z’']{2,}/.test(data)) found.push(data.trim())
    }
    for (const element of document.querySelectorAll('[aria-label], [title]'))
      for (const name of ['aria-label', 'title']) {
        const text = element.getAttribute(name) ?? ''
        if (!element.closest(own) && /[A-Za-z’']{2,} [a-z’']+ [a-z’']{2,}/.test(text)) found.push(`${name}: ${text}`)
      }
    for (const element of document.querySelectorAll('[lang="en"]')) if (element.checkVisibility()) found.push(`unknown: ${element.textContent.trim()}`)
    return [...new Set(found)]
  })
}

async function nothingEnglish(page, where) {
  const found = await english(page)
  if (process.env.FUDA_PICTURES) await page.screenshot({ path: path.join(process.env.FUDA_PICTURES, `ja-${where}.png`) })
  return found.map((text) => `${where}: ${text}`)
}

const open = async (words) => {
  const page = await desk.page({ locale: 'ja' })
  await page.locator('[data-list="all"]').click()
  const { rows } = await desk.ask('handoffs', { list: 'all' })
  await page.locator(`[data-handle="${rows[0].handle}"]`).click()
  for (const row of rows) {
    await page.locator(`[data-handle="${row.handle}"][aria-selected="true"]`).waitFor()
    if (words === null || (row.title ?? row.objective ?? '').includes(words)) break
    await page.keyboard.press('j')
  }
  return page
}

test('the check sees an English sentence', async () => {
  const page = await open('待ち行列へ移す')
  await looked(page)
  await page.evaluate(() => (document.querySelector('.says .col-h span').textContent = 'What the handoff says here'))
  assert.deepEqual(await english(page), ['What the handoff says here'])
  await page.context().close()
})

test('every document is shown without an English sentence, refused and hidden ones included', async () => {
  const page = await open(null)
  const { rows } = await desk.ask('handoffs', { list: 'all' })
  assert.ok(rows.length >= 18, `${rows.length} handoffs`)
  const found = []
  for (const row of rows) {
    await page.locator(`[data-handle="${row.handle}"][aria-selected="true"]`).waitFor()
    await looked(page)
    found.push(...(await nothingEnglish(page, `document-${row.path.split('/').slice(-2).join('-')}`)))
    if (await page.locator('[data-action="approve"]').count()) {
      await page.keyboard.press('a')
      await page.locator('[data-dialog="approve"]').waitFor()
      await page.evaluate(() => document.querySelectorAll('[data-dialog="approve"] details').forEach((one) => (one.open = true)))
      found.push(...(await nothingEnglish(page, `approve-${row.path.split('/').slice(-2).join('-')}`)))
      await page.keyboard.press('Escape')
      await page.locator('[data-dialog="approve"]').waitFor({ state: 'detached' })
    }
    await page.keyboard.press('j')
  }
  assert.deepEqual([...new Set(found)], [])
  assert.deepEqual(page.faults, [])
  await page.context().close()
})

test('editing what is not edited in place, refused edits and wider boundaries are said in Japanese', async () => {
  const page = await open('取り込みを直す')
  await looked(page)
  await page.keyboard.press('e')
  const objective = page.locator('[data-field="objective"] textarea')
  await objective.fill('取り込みを早く直す')
  await page.locator('.banner', { hasText: '正規形の写し' }).waitFor()
  const found = await nothingEnglish(page, 'copy')
  await page.keyboard.press('Escape')
  await page.locator('[data-action="really-discard"]').click()
  await page.context().close()

  const wider = await open('待ち行列へ移す')
  await looked(wider)
  await wider.keyboard.press('b')
  await wider.locator('[data-field="safety.ask"] textarea').first().focus()
  await wider.keyboard.press('Alt+ArrowRight')
  await wider.locator('[data-dialog="widen"]').waitFor()
  found.push(...(await nothingEnglish(wider, 'widen')))
  await wider.locator('[data-action="widen"]').first().click()
  await wider.locator('[data-wider]').waitFor()
  found.push(...(await nothingEnglish(wider, 'wider')))
  assert.deepEqual([...new Set(found)], [])
  await wider.context().close()
})

test('profiles, the reader matrix, settings, keys, the palette and its mistakes are said in Japanese', async () => {
  await desk.ask('profile_add', { name: '無い', agent: 'generic', roots: [path.join(desk.folder, 'nowhere')] })
  await fs.mkdir(path.join(desk.folder, 'person/.codex'), { recursive: true })
  const page = await open(null)
  const found = []
  await page.locator('[data-view="profiles"]').click()
  await page.locator('[role="grid"]').waitFor()
  await page.locator('[data-proposal]').first().waitFor()
  for (const at of ['0,0', '0,1', '1,1', '1,2']) {
    if (await page.locator(`[data-at="${at}"]`).count()) await page.locator(`[data-at="${at}"]`).focus()
    found.push(...(await nothingEnglish(page, `profiles-${at}`)))
  }
  await page.locator('[data-view="settings"]').click()
  await page.locator('#set-theme').waitFor()
  found.push(...(await nothingEnglish(page, 'settings')))
  await page.locator('[data-list="inbox"]').click()
  await page.keyboard.press('?')
  await page.locator('[role="dialog"]').waitFor()
  found.push(...(await nothingEnglish(page, 'keys')))
  await page.keyboard.press('Escape')
  await page.keyboard.press('/')
  await page.keyboard.type('state:nonsense')
  await page.locator('[data-fault]').waitFor()
  assert.match(await page.locator('[data-fault]').innerText(), /ここでは使えません/)
  found.push(...(await nothingEnglish(page, 'palette')))
  assert.deepEqual([...new Set(found)], [])
  await page.context().close()
})

test('what each agent makes of the boundary is said in Japanese, and so is how a run ended', async () => {
  const agents = { 'claude-code': 'claude', codex: 'codex', pi: 'pi', omp: 'omp', gemini: 'gemini', qwen: 'qwen', opencode: 'opencode', goose: 'goose', amp: 'amp', generic: 'own' }
  await fs.mkdir(path.join(desk.folder, 'bin'), { recursive: true })
  let config = await fs.readFile(path.join(desk.folder, 'fuda/config.toml'), 'utf8')
  for (const [agent, program] of Object.entries(agents)) {
    const at = path.join(desk.folder, 'bin', program)
    await fs.writeFile(at, '#!/bin/sh\n[ "$1" = --version ] && echo 1.0 && exit\ncat > /dev/null\nexit 3\n', { mode: 0o755 })
    await fs.mkdir(path.join(desk.folder, `root-${program}`), { recursive: true })
    config += `\n[[profile]]\nname = "${program}"\nagent = "${agent}"\nroots = ["${path.join(desk.folder, `root-${program}`)}"]\nlaunch = ["${at}"]\n`
  }
  config += `\n[[profile]]\nname = "広い"\nagent = "codex"\nroots = ["${path.join(desk.folder, 'root-own')}"]\nlaunch = ["codex", "exec", "--yolo"]\n`
  await fs.writeFile(path.join(desk.folder, 'fuda/config.toml'), config)
  const { rows } = await desk.ask('handoffs', { list: 'all', query: '枝を片付ける' })
  const handle = rows[0].handle
  await desk.ask('edit', { id: handle, base: rows[0].rev, edits: ['safety.never+=プッシュ', 'safety.never+=コミット', 'safety.ask+=ネットワーク', 'safety.ask+=インストール', 'safety.may+=直すこと', 'safety.never+=`secrets.txt` に触ること'] })
  const preview = await desk.ask('approval_preview', { id: handle })
  await desk.ask('approve', { id: handle, rev: preview.rev, ack: preview.acknowledgements.map((one) => one.code), fingerprint: preview.fingerprint })
  const page = await desk.page({ locale: 'ja' })
  await page.locator('[data-list="approved"]').click()
  await page.locator(`[data-handle="${handle}"]`).click()
  await page.locator('.doc-h [data-state="approved"]').waitFor()
  const found = await nothingEnglish(page, 'approved')
  await page.keyboard.press('Enter')
  for (const program of [...Object.values(agents), '広い']) {
    await page.locator('[data-action="receiver"]').selectOption(program)
    await page.locator(program === '広い' ? '[data-problem]' : `[data-argv]:has-text("/bin/${program}"), [data-problem]`).first().waitFor()
    await page.evaluate(() => document.querySelectorAll('details').forEach((one) => (one.open = true)))
    found.push(...(await nothingEnglish(page, `resume-${program}`)))
  }
  await page.locator('[data-action="receiver"]').selectOption('own')
  await page.locator('[data-argv]:has-text("/bin/own")').waitFor()
  await page.locator('[data-action="start"]').click()
  await page.locator('[data-outcome="failed"]').waitFor()
  found.push(...(await nothingEnglish(page, 'failed')))
  await page.keyboard.press('Enter')
  await page.locator('[data-dialog="next"] textarea').waitFor()
  found.push(...(await nothingEnglish(page, 'next')))
  assert.deepEqual([...new Set(found)], [])
  await page.context().close()
})

test('a lapse and what changed since the last look are said in Japanese', async () => {
  const { tide } = desk.built
  const page = await open('待ち行列へ移す')
  await looked(page)
  const { rows } = await desk.ask('handoffs', { list: 'all' })
  const row = rows.find((one) => one.title?.includes('待ち行列へ移す'))
  const preview = await desk.ask('approval_preview', { id: row.handle })
  await desk.ask('approve', { id: row.handle, rev: preview.rev, ack: preview.acknowledgements.map((one) => one.code), fingerprint: preview.fingerprint })
  await page.context().close()
  await tide.git('checkout', '-q', '-b', 'feat/別の枝')
  await tide.write('取込/読み.go', 'package a\n\ntype C struct{}\n')
  await tide.git('commit', '-q', '-am', 'また名前を変える')
  const again = await open('待ち行列へ移す')
  await again.locator('[data-lapsed]').waitFor()
  await again.locator('[data-last-look] li').first().waitFor()
  const found = await nothingEnglish(again, 'lapsed')
  await again.keyboard.press('a')
  await again.locator('[data-dialog="approve"]').waitFor()
  found.push(...(await nothingEnglish(again, 'approve-again')))
  await again.keyboard.press('Escape')
  await again.locator('[data-action="difference"]').click()
  await again.locator('[data-dialog="difference"]').waitFor()
  found.push(...(await nothingEnglish(again, 'difference')))
  assert.deepEqual([...new Set(found)], [])
  await again.context().close()
})

test('a foreign save during an edit is said in Japanese', async () => {
  const page = await open('待ち行列へ移す')
  await looked(page)
  await page.keyboard.press('e')
  await page.locator('[data-field="objective"] textarea').fill('すべての読みを早く取り込む。')
  await fs.appendFile(path.join(desk.built.tide.root, '.handoff/二.md'), '## よその節\nよその一行。\n')
  await page.keyboard.press('Control+s')
  await page.locator('[data-conflict]').waitFor()
  const found = await nothingEnglish(page, 'conflict')
  assert.deepEqual([...new Set(found)], [])
  await page.context().close()
})

test('a question of the agent, its answer and a limit are said in Japanese', async () => {
  const found = []
  const question = JSON.stringify({ tool: 'Bash', what: 'プッシュ' })
  const scripts = {
    尋ねる: `cat > /dev/null; printf '%s' '${question}' | "${desk.fuda}" ask > /dev/null; exit 1`,
    上限: 'cat > /dev/null; echo "429 usage limit reached, resets at 18:00"; exit 1',
  }
  for (const [name, script] of Object.entries(scripts)) {
    const at = path.join(desk.folder, 'bin', `${name}.sh`)
    await fs.mkdir(path.dirname(at), { recursive: true })
    await fs.writeFile(at, `#!/bin/sh\n${script}\n`, { mode: 0o755 })
    await fs.mkdir(path.join(desk.folder, name), { recursive: true })
    const config = path.join(desk.folder, 'fuda/config.toml')
    await fs.appendFile(config, `\n[[profile]]\nname = "${name}"\nagent = "generic"\nroots = ["${path.join(desk.folder, name)}"]\nlaunch = ["${at}"]\n`)
    const place = await repository(desk.folder, `${name}場`, { 'HANDOFF.md': `# 引き継ぎ：${name}場\n\n## 目的\n\n${name}話。\n\n## 次にやること\n\n- [ ] 直す\n` }, desk.env)
    await desk.ask('index', {})
    const { rows } = await desk.ask('handoffs', { list: 'all', query: `${name}場` })
    const row = rows.find((one) => one.path.startsWith(place.root))
    const preview = await desk.ask('approval_preview', { id: row.handle })
    await desk.ask('approve', { id: row.handle, rev: preview.rev, ack: preview.acknowledgements.map((one) => one.code), fingerprint: preview.fingerprint })
    const page = await desk.page({ locale: 'ja' })
    await page.locator('[data-list="approved"]').click()
    await page.locator(`[data-handle="${row.handle}"]`).click()
    await page.locator('.doc-h [data-state="approved"]').waitFor()
    await page.keyboard.press('Enter')
    await page.locator('[data-action="receiver"]').selectOption(name)
    await page.locator('[data-argv]', { hasText: `${name}.sh` }).waitFor()
    await page.locator('[data-action="start"]').click()
    if (name === '尋ねる') {
      await page.locator('[data-question]').waitFor()
      found.push(...(await nothingEnglish(page, 'question')))
      await page.locator('[data-question] [data-action="refuse"]').click()
    }
    await page.locator('[data-outcome]').waitFor()
    found.push(...(await nothingEnglish(page, name)))
    await page.context().close()
  }
  assert.deepEqual([...new Set(found)], [])
})

test('the first start and its example are said in Japanese', async () => {
  const fresh = await openDesk({ empty: true })
  try {
    await fs.mkdir(path.join(fresh.env.HOME, '.codex'))
    const page = await fresh.page({ locale: 'ja' })
    await page.locator('[data-action="add-all"]').waitFor()
    const found = await nothingEnglish(page, 'first')
    await page.locator('[data-action="example"]').click()
    await page.locator('[role="dialog"] pre').waitFor()
    found.push(...(await nothingEnglish(page, 'example')).filter((text) => !text.includes('fuda: 2')))
    await page.keyboard.press('Escape')
    await page.locator('[data-action="another"]').click()
    await page.locator('#profile-name').waitFor()
    found.push(...(await nothingEnglish(page, 'add')))
    assert.deepEqual([...new Set(found)], [])
  } finally {
    await fresh.close()
  }
})
