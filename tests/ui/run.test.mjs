// Resuming from the window: what is started is shown first, a real process is watched, stopped and judged, and the next
// handoff is made of one that came back.
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import fs from 'node:fs/promises'
import path from 'node:path'
import { after, before, describe, test } from 'node:test'
import { promisify } from 'node:util'
import { choose, openDesk, violations } from './desk.mjs'

const large = { width: 1440, height: 900 }
const small = { width: 1024, height: 700 }

/** A profile whose agent is a script that stands outside every repository. */
async function profile(desk, name, script, verify = null) {
  const program = path.join(desk.folder, `${name}.sh`)
  await fs.writeFile(program, `#!/bin/sh\n${script}\n`, { mode: 0o755 })
  const root = path.join(desk.folder, `${name}-root`)
  await fs.mkdir(root)
  await desk.ask('profile_add', { name, agent: 'generic', roots: [root] })
  const config = path.join(desk.folder, 'fuda/config.toml')
  const text = await fs.readFile(config, 'utf8')
  const check = verify ? `\nverify = ${JSON.stringify(verify)}` : ''
  await fs.writeFile(config, text.replace(`name = "${name}"`, `name = "${name}"\nlaunch = ["${program}"]${check}`))
}

/** A profile of Claude Code whose program prints the stream of one. */
async function streams(desk, name) {
  const folder = path.join(desk.folder, name)
  await fs.mkdir(folder)
  const say = (line) => `echo '${JSON.stringify(line)}'`
  const tool = (id, name, input) => say({ type: 'assistant', message: { content: [{ type: 'tool_use', id, name, input }] }, parent_tool_use_id: null, session_id: 's-7' })
  const script = [
    'case " $* " in *" --help "*) echo "--settings --output-format --verbose --disallowedTools"; exit 0;; esac',
    'cat > /dev/null',
    say({ type: 'system', subtype: 'init', session_id: 's-7', permissionMode: 'default', tools: ['Read', 'Bash'], claude_code_version: '2.1.332' }),
    tool('t1', 'Read', { file_path: 'drain.go' }),
    tool('t2', 'Bash', { command: 'git push' }),
    say({ type: 'system', subtype: 'permission_denied', tool_name: 'Bash', tool_use_id: 't2', message: 'denied by a rule', session_id: 's-7' }),
    `while [ ! -e ${desk.folder}/streams-go ]; do sleep 0.1; done`,
    say({ type: 'result', subtype: 'success', is_error: false, result: 'Drained.', session_id: 's-7', num_turns: 2 }),
  ]
  const program = path.join(folder, 'claude')
  await fs.writeFile(program, `#!/bin/sh\n${script.join('\n')}\n`, { mode: 0o755 })
  await desk.ask('profile_add', { name, agent: 'claude-code', roots: [folder] })
  const config = path.join(desk.folder, 'fuda/config.toml')
  const text = await fs.readFile(config, 'utf8')
  await fs.writeFile(config, text.replace(`name = "${name}"`, `name = "${name}"\nlaunch = ["${program}", "-p", "--output-format", "stream-json", "--verbose"]`))
}

/** A repository of its own with one handoff in it, found and approved. */
async function approved(desk, name, { resets = null, to = null } = {}) {
  const repo = path.join(desk.folder, 'code', name)
  await fs.mkdir(repo, { recursive: true })
  const git = (...words) => promisify(execFile)('git', ['-c', 'user.name=A', '-c', 'user.email=a@e', ...words], { cwd: repo, env: desk.env })
  await git('init', '-q', '-b', 'main')
  await fs.writeFile(path.join(repo, 'drain.go'), 'package drain\n')
  await git('add', '.')
  await git('commit', '-q', '-m', 'drain: first')
  const head = (await git('rev-parse', 'HEAD')).stdout.trim()
  const meta = [resets ? `resets_at: ${resets}` : '', to ? `to: ${to}` : ''].filter(Boolean)
  const front = meta.length ? `---\n${meta.join('\n')}\n---\n` : ''
  await fs.writeFile(
    path.join(repo, 'HANDOFF.md'),
    `${front}# Handoff: ${name}\n\n**Branch:** main\n**Last commit:** ${head} drain: first\n\n## Goal\n\nMove ${name} to the queue.\n\n## Next steps\n\n- [ ] Drain in \`drain.go\`\n\n## Verified facts\n\n- One package (drain.go)\n\n## Safety boundary\n\n### May do alone\n\n- Edit drain.go\n\n### Needs a person\n\n- Pushing\n\n### Never\n\n- Do not touch \`secrets.txt\`\n`,
  )
  await desk.ask('index', {})
  const { rows } = await desk.ask('handoffs', { list: 'all' })
  const { handle } = rows.find((row) => row.path.includes(`/${name}/`))
  const preview = await desk.ask('approval_preview', { id: handle })
  await desk.ask('approve', { id: handle, rev: preview.rev, ack: preview.acknowledgements.map((one) => one.code), fingerprint: preview.fingerprint })
  return { handle, repo }
}

/** Opens a page on a handoff that is approved. */
async function onApproved(desk, name, options) {
  const found = await approved(desk, name, options)
  const page = await desk.page(options)
  await page.locator('[data-list="approved"]').click()
  await choose(page, `Handoff: ${name}`)
  return { ...found, page }
}

/** Opens a page on a handoff that was approved after something had changed since it was written. */
async function approvedAfter(desk, name) {
  const found = await approved(desk, name)
  await fs.writeFile(path.join(found.repo, 'earlier.go'), 'package earlier\n')
  await desk.ask('index', {})
  const preview = await desk.ask('approval_preview', { id: found.handle })
  await desk.ask('approve', { id: found.handle, rev: preview.rev, ack: preview.acknowledgements.map((one) => one.code), fingerprint: preview.fingerprint })
  const page = await desk.page()
  await page.locator('[data-list="approved"]').click()
  await choose(page, `Handoff: ${name}`)
  return { ...found, page }
}

async function start(page, profile) {
  await page.keyboard.press('Enter')
  await page.locator('[data-dialog="resume"]').waitFor()
  await page.locator('[data-action="receiver"]').selectOption(profile)
  await page.locator('[data-argv]', { hasText: `${profile}.sh` }).waitFor()
  await page.locator('[data-action="start"]').click()
}

async function passes(page, sizes = [large, small]) {
  const found = []
  for (const size of sizes) {
    await page.setViewportSize(size)
    for (const colorScheme of ['light', 'dark']) {
      await page.emulateMedia({ colorScheme })
      found.push(...(await violations(page)).map((line) => `${size.width}x${size.height} ${colorScheme}: ${line}`))
      if (process.env.FUDA_PICTURES) await page.screenshot({ path: path.join(process.env.FUDA_PICTURES, `${passes.name_of}-${size.width}-${colorScheme}.png`) })
    }
  }
  await page.setViewportSize(large)
  await page.emulateMedia({ colorScheme: 'light' })
  assert.deepEqual(found, [])
  assert.deepEqual(page.faults, [])
}

async function looksRight(page, name) {
  passes.name_of = name
  await passes(page)
}

describe('a run', () => {
  let desk
  before(async () => {
    desk = await openDesk()
    await profile(desk, 'works', `cat > /dev/null; echo read the block; touch secrets.txt; while [ ! -e ${desk.folder}/go ]; do sleep 0.1; done; echo finished`)
    await profile(desk, 'fails', 'cat > /dev/null; echo "context length exceeded"; exit 3')
    const question = JSON.stringify({ tool: 'Bash', what: 'git push origin main' })
    await profile(desk, 'asks', `cat > /dev/null; echo here; printf '%s' '${question}' | "${desk.fuda}" ask`)
    await profile(desk, 'checks', 'cat > /dev/null; echo worked > drain.txt; echo worked', ['sh', '-c', 'echo 3 passed; test -e drain.txt'])
    await streams(desk, 'streams')
    await profile(desk, 'deaf', "trap '' TERM; cat > /dev/null; echo here; while :; do sleep 0.1; done")
    await profile(desk, 'sleeps', 'cat > /dev/null; echo here; sleep 600')
  })
  after(() => desk?.close())

  test('what will be started is shown first, then it is watched to its end', async () => {
    const { page, handle, repo } = await onApproved(desk, 'stations')
    await page.keyboard.press('Enter')
    const dialog = page.locator('[data-dialog="resume"]')
    await dialog.waitFor()
    await page.locator('[data-action="receiver"]').selectOption('works')
    await page.locator('[data-argv]', { hasText: 'works.sh' }).waitFor()
    const said = await dialog.innerText()
    for (const words of [repo, 'standard input', 'Pushing', 'words only', 'Closing the window does not end the run']) assert.ok(said.includes(words), `${words} in ${said}`)
    await looksRight(page, 'resume')
    await page.locator('[data-action="start"]').click()
    await page.locator('.doc-h [data-state="running"]').waitFor()
    await page.locator('[data-section="log"]', { hasText: 'read the block' }).waitFor()
    for (const step of ['claimed', 'matches', 'started', 'life', 'now']) assert.equal(await page.locator(`[data-step="${step}"]`).count(), 1, step)
    assert.ok((await page.locator('[data-pane="claim"]').innerText()).includes('works'))
    assert.match(await page.locator('[data-section="given"]').innerText(), /What the model was given/)
    await looksRight(page, 'running')
    await page.locator('[data-list="running"] .count', { hasText: '1' }).waitFor()

    // Another page sees the same run: nothing of it belongs to the window that started it.
    const other = await desk.page()
    await other.locator('[data-list="running"]').click()
    await other.locator('.row', { hasText: 'Handoff: stations' }).click()
    await other.locator('[data-section="log"]', { hasText: 'read the block' }).waitFor()
    await other.context().close()

    await fs.writeFile(path.join(desk.folder, 'go'), '')
    await page.locator('[data-outcome="done"]').waitFor()
    assert.equal((await page.locator('[data-exit]').innerText()).trim(), '0')
    await page.locator('[data-outside]', { hasText: 'secrets.txt' }).waitFor()
    await looksRight(page, 'done')
    await page.locator('[data-action="show-document"]').click()
    await page.locator('#section-next').waitFor()
    await page.locator('[data-action="show-run"]').click()
    await page.locator('[data-outcome="done"]').waitFor()
    assert.equal((await desk.ask('handoff_detail', { id: handle })).state, 'done')
    assert.deepEqual(page.faults, [])
    await page.context().close()
  })

  test('a run that fails says so, and what is known now becomes the next handoff', async () => {
    const { page, handle } = await onApproved(desk, 'postings')
    await start(page, 'fails')
    await page.locator('[data-outcome="failed"]', { hasText: 'exit status 3' }).waitFor()
    assert.equal((await page.locator('[data-exit]').innerText()).trim(), '3')
    await page.locator('[data-section="log"]', { hasText: 'context length exceeded' }).waitFor()
    await looksRight(page, 'failed')
    await page.keyboard.press('Enter')
    await page.locator('[data-dialog="next"] textarea').waitFor()
    assert.match(await page.locator('[data-dialog="next"] textarea').inputValue(), /Move postings to the queue/)
    await looksRight(page, 'next')
    await page.locator('[data-action="publish"]').click()
    await page.locator('[data-dialog="next"]').waitFor({ state: 'detached' })
    await page.locator('.doc-h [data-state="pending"]').waitFor()
    const published = await desk.ask('handoffs', { list: 'inbox', query: 'postings' })
    assert.ok(published.rows.some((row) => row.handle !== handle && row.state === 'pending' && row.path.includes('/fuda/handoffs/')))
    assert.deepEqual(page.faults, [])
    await page.context().close()
  })

  test('a question of the agent comes up, and its answer reaches the agent', async () => {
    const { page, handle } = await onApproved(desk, 'pushes')
    await start(page, 'asks')
    const question = page.locator('[data-question]', { hasText: 'git push origin main' })
    await question.waitFor()
    await looksRight(page, 'asks')
    await question.locator('[data-action="allow"]').click()
    await question.waitFor({ state: 'detached' })
    await page.locator('[data-section="log"]', { hasText: '"allow":true' }).waitFor()
    await page.locator('.doc-h [data-state="done"]').waitFor()
    const events = await desk.ask('history', { id: handle })
    assert.deepEqual(events.map((one) => one.kind).filter((kind) => ['asked', 'answered'].includes(kind)), ['answered', 'asked'])
    await page.context().close()
  })

  test('Stop by key ends what runs, and it comes back as stopped', async () => {
    const { page } = await onApproved(desk, 'sleepers')
    await start(page, 'sleeps')
    await page.locator('.doc-h [data-state="running"]').waitFor()
    await page.keyboard.press('Control+.')
    await page.locator('[data-outcome="stopped"]').waitFor()
    await looksRight(page, 'stopped')
    await page.locator('[data-list="returned"]').click()
    await page.locator('.row', { hasText: 'Handoff: sleepers' }).waitFor()
    await page.context().close()
  })

  test('a check after the run makes it verified, and its output stands there', async () => {
    const { page, handle } = await onApproved(desk, 'checked')
    await start(page, 'checks')
    await page.locator('[data-outcome="verified"]').waitFor()
    await page.locator('[data-section="check"]', { hasText: '3 passed' }).waitFor()
    assert.match(await page.locator('[data-pane="claim"]').innerText(), /echo 3 passed/)
    await page.locator('[data-changed]', { hasText: 'drain.txt' }).waitFor()
    await looksRight(page, 'verified')
    assert.equal((await desk.ask('handoff_detail', { id: handle })).state, 'verified')
    await page.context().close()
  })

  test('the stream of an agent is shown as steps and calls of tools while it runs', async () => {
    const { page } = await onApproved(desk, 'streamed')
    await page.keyboard.press('Enter')
    await page.locator('[data-dialog="resume"]').waitFor()
    await page.locator('[data-action="receiver"]').selectOption('streams')
    await page.locator('[data-argv]', { hasText: 'stream-json' }).waitFor()
    await page.locator('[data-action="start"]').click()
    await page.locator('.doc-h [data-state="running"]').waitFor()
    await page.locator('[data-section="tools"]', { hasText: 'Bash' }).waitFor()
    assert.match(await page.locator('[data-section="tools"]').innerText(), /Read/)
    assert.equal((await page.locator('[data-section="tools"] .count').innerText()).trim(), '2')
    for (const step of ['session', 'denied']) await page.locator(`[data-step="${step}"]`).waitFor()
    await looksRight(page, 'streams')
    await fs.writeFile(path.join(desk.folder, 'streams-go'), '')
    await page.locator('[data-outcome="done"]').waitFor()
    assert.match(await page.locator('[data-pane="claim"]').innerText(), /s-7/)
    await page.context().close()
  })

  test('Stop asks gently, and pressed again ends at once what does not listen', async () => {
    const { page, handle } = await onApproved(desk, 'deafened')
    await start(page, 'deaf')
    await page.locator('.doc-h [data-state="running"]').waitFor()
    const { claim } = await desk.ask('run', { id: handle })
    const stop = page.locator('[data-action="stop-run"]')
    const gently = await stop.innerText()
    await stop.click()
    await page.locator('[data-step="now"]', { hasText: 'Asked to end' }).waitFor()
    assert.equal((await desk.ask('run', { id: handle })).claim.number, claim.number, 'it goes on for now')
    assert.notEqual(await stop.innerText(), gently, 'the button says what the second press does')
    const asked = Date.now()
    await stop.click()
    await page.locator('[data-outcome="stopped"]').waitFor()
    assert.ok(Date.now() - asked < 8_000, 'the grace of ten seconds was waited for')
    assert.match(await page.locator('[data-exit]').innerText(), /9/)
    await page.context().close()
  })

  test('what changed is counted from the start of the run and not from the handoff', async () => {
    const { page, handle, repo } = await approvedAfter(desk, 'counted')
    await start(page, 'sleeps')
    await page.locator('.doc-h [data-state="running"]').waitFor()
    await page.locator('[data-since-start]').waitFor()
    assert.doesNotMatch(await page.locator('[data-since-start]').innerText(), /earlier\.go/)
    await fs.writeFile(path.join(repo, 'later.go'), 'package later\n')
    await page.locator('[data-since-start]', { hasText: 'later.go' }).waitFor()
    assert.doesNotMatch(await page.locator('[data-pane="claim"]').innerText(), /earlier\.go/)
    await desk.ask('stop', { id: handle })
    await page.locator('[data-outcome="stopped"]').waitFor()
    await page.context().close()
  })

  test('a holder that is killed leaves interrupted', async () => {
    const { page, handle } = await onApproved(desk, 'killed')
    await start(page, 'sleeps')
    await page.locator('.doc-h [data-state="running"]').waitFor()
    const { claim } = await desk.ask('run', { id: handle })
    process.kill(claim.pid, 'SIGKILL')
    await page.locator('[data-outcome="interrupted"]').waitFor()
    await looksRight(page, 'interrupted')
    await page.context().close()
  })

  test('an executor that only claims is shown with its lease, and apart from ours', async () => {
    const { page, handle } = await onApproved(desk, 'leased')
    const claimed = await desk.ask('claim', { id: handle, by: 'night-shift', lease_seconds: 300 })
    await page.locator('[data-list="inbox"]').click()
    await choose(page, 'Handoff: leased')
    await page.locator('[data-pane="claim"] [role="progressbar"]').waitFor()
    await page.locator('.rows-h', { hasText: 'Held by another' }).waitFor()
    await looksRight(page, 'leased')
    await desk.ask('finish', { id: handle, token: claimed.token, outcome: 'returned', note: 'The staging job has to be paused first.' })
    await page.locator('[data-outcome="returned"]', { hasText: 'staging job' }).waitFor()
    await looksRight(page, 'returned')
    await page.context().close()
  })

  test('a receiver other than the one named has to be acknowledged', async () => {
    const { page } = await onApproved(desk, 'addressed', { to: 'codex' })
    await page.keyboard.press('Enter')
    await page.locator('[data-action="receiver"]').selectOption('fails')
    await page.locator('[data-dialog="resume"] [data-ack="recipient"]').waitFor()
    assert.equal(await page.locator('[data-action="start"]').getAttribute('aria-disabled'), 'true')
    await page.locator('[data-ack="recipient"]').click()
    assert.equal(await page.locator('[data-action="start"]').getAttribute('aria-disabled'), 'false')
    await looksRight(page, 'recipient')
    await page.context().close()
  })

  test('a start waits for the reset without the window and can be cancelled', async () => {
    const resets = new Date(Date.now() + 3_600_000).toISOString().replace(/\.\d+Z/, 'Z')
    const { page, handle } = await onApproved(desk, 'limited', { resets })
    await page.keyboard.press('Enter')
    await page.locator('[data-action="receiver"]').selectOption('fails')
    await page.locator('[data-argv]', { hasText: 'fails.sh' }).waitFor()
    await page.locator('[data-action="start-at-reset"]').click()
    await page.locator('[data-start="waits"]').waitFor()
    await looksRight(page, 'waits')
    assert.equal((await desk.ask('handoff_detail', { id: handle })).state, 'approved')
    await page.locator('[data-list="running"]').click()
    await page.locator('.row', { hasText: 'Handoff: limited' }).locator('[data-starts]').waitFor()
    await page.locator('[data-action="cancel-start"]').click()
    await page.locator('[data-start]').waitFor({ state: 'detached' })
    assert.equal((await desk.ask('run', { id: handle })).start.state, 'cancelled')
    await page.context().close()
  })

  test('the window speaks Japanese while it resumes', async () => {
    const { page } = await onApproved(desk, 'nihongo', { locale: 'ja' })
    await page.keyboard.press('Enter')
    await page.locator('[data-action="receiver"]').selectOption('fails')
    await page.locator('[data-argv]', { hasText: 'fails.sh' }).waitFor()
    await looksRight(page, 'resume-ja')
    await page.locator('[data-action="start"]').click()
    await page.locator('[data-outcome="failed"]').waitFor()
    await looksRight(page, 'failed-ja')
    await page.context().close()
  })
})

describe('who can read which store', () => {
  let desk
  before(async () => {
    desk = await openDesk()
    await profile(desk, 'away', 'true')
    await desk.ask('profile_add', { name: 'gone', agent: 'generic', roots: [path.join(desk.folder, 'nowhere')] })
  })
  after(() => desk?.close())

  test('is a grid with arrow keys that says what was tried', async () => {
    const page = await desk.page()
    await page.locator('[data-view="profiles"]').click()
    const grid = page.locator('[role="grid"]')
    await grid.waitFor()
    const states = await grid.locator('tbody tr').evaluateAll((rows) => rows.map((row) => [...row.querySelectorAll('td')].slice(0, 3).map((cell) => cell.dataset.cell)))
    assert.deepEqual(states, [['read_write', 'no', 'no'], ['no', 'read_write', 'no'], ['no', 'no', 'fails']])
    await grid.locator('[data-at="0,0"]').focus()
    await page.keyboard.press('ArrowRight')
    await page.keyboard.press('ArrowDown')
    await grid.locator('[data-at="1,1"]:focus').waitFor()
    await page.locator('[data-pane="readers"] .why', { hasText: 'its folder was read' }).waitFor()
    await page.locator('[data-pane="readers"] .banner', { hasText: 'gone can’t read gone' }).waitFor()
    await looksRight(page, 'readers')
    await page.context().close()
  })
})
