// 20,000 handoffs in the page: from a key press to the frame that shows what it asked for, in a browser without a screen
// on a real engine. `npm --prefix ui run build; cargo build --release -p cli; node tests/bench/rows.mjs [FILES]`.
// A frame is 16.7 ms. "First" is the first frame after the key, "whole" the one in which nothing is missing any more,
// "engine" what the answers to its questions took; a long task is one that keeps the page from drawing for over 50 ms.
import { execFile } from 'node:child_process'
import fs from 'node:fs/promises'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

process.env.FUDA_BIN ??= fileURLToPath(new URL('../../target/release/fuda', import.meta.url))
const { openDesk } = await import('../ui/desk.mjs')

const FILES = Number(process.argv[2] ?? 20_000)
/** Files in one repository. */
const IN_ONE = 20
const RUNS = 15

async function build(folder, fuda, env) {
  const work = path.join(folder, 'work')
  for (let first = 0; first < FILES; first += IN_ONE) {
    const repository = path.join(work, `r${first / IN_ONE}`)
    await fs.mkdir(path.join(repository, '.git'), { recursive: true })
    await fs.mkdir(path.join(repository, 'handoffs'))
    for (let number = first; number < Math.min(FILES, first + IN_ONE); number += 1) {
      const day = String((number % 28) + 1).padStart(2, '0')
      const text = `# Handoff ${number}\n\n**Date:** 2026-10-${day}\n**Branch:** b${number}\n\n## Objective\nDrain queue ${number}; ${number % 50 ? '確認' : '再接続'}を見る\n\n## Next\n- [ ] go on\n`
      await fs.writeFile(path.join(repository, `handoffs/${number}.md`), text)
    }
  }
  await fs.mkdir(env.FUDA_HOME, { recursive: true })
  await fs.writeFile(path.join(env.FUDA_HOME, 'config.toml'), `[settings]\narchive_after_days = 40000\n\n[[profile]]\nname = "work"\nagent = "codex"\nroots = [${JSON.stringify(work)}]\n`)
  await promisify(execFile)(fuda, ['index'], { env, maxBuffer: 1 << 26 })
}

/** In the page: notes every key, frame, answer and long task, so that nothing waits for this program. */
function observe() {
  const seen = { key: 0, frames: [], long: [], asked: [] }
  window.bench = seen
  new PerformanceObserver((list) => seen.long.push(...list.getEntries().map((one) => ({ at: one.startTime, took: one.duration })))).observe({ type: 'longtask' })
  new PerformanceObserver((list) => seen.asked.push(...list.getEntries().filter((one) => one.name.endsWith('/rpc')).map((one) => ({ at: one.startTime, took: one.duration })))).observe({ type: 'resource' })
  addEventListener('keydown', (event) => (seen.key = event.timeStamp), { capture: true })
  performance.setResourceTimingBufferSize(1_000_000)
}

/** Waits in the page until `done` holds in a frame that was drawn, and tells the times since the last key. */
async function untilDrawn({ done, before }) {
  const holds = new Function('before', `return ${done}`)
  const drawn = () => new Promise((resolve) => requestAnimationFrame(() => {
    const { port1, port2 } = new MessageChannel()
    port1.onmessage = () => resolve(performance.now())
    port2.postMessage(null)
  }))
  const start = performance.now()
  while (window.bench.key === 0) {
    if (performance.now() - start > 10_000) throw new Error('no key came')
    await drawn()
  }
  const key = window.bench.key
  let at = await drawn()
  const first = at - key
  while (!holds(before)) {
    if (at - key > 10_000) throw new Error(`not within ten seconds: ${done}`)
    at = await drawn()
  }
  // What the observers have not told yet comes with the next tasks.
  await new Promise((resolve) => setTimeout(resolve, 120))
  const own = (list) => list.filter((one) => one.at + one.took > key && one.at < at)
  return { first, whole: at - key, long: own(window.bench.long).map((one) => one.took), engine: Math.max(0, ...own(window.bench.asked).filter((one) => one.at + one.took <= at).map((one) => one.took)) }
}

const median = (list) => list.toSorted((a, b) => a - b)[list.length >> 1]

/** The rows that are on the screen, drawn, and none of them still waited for. */
const ROWS = `document.querySelectorAll('.listbox .row').length > 3 && ![...document.querySelectorAll('.listbox .row-wait')].some((one) => { const box = one.getBoundingClientRect(); const list = one.closest('.listbox').getBoundingClientRect(); return box.bottom > list.top && box.top < list.bottom })`
const SELECTED = `document.querySelector('.listbox [aria-selected="true"]')?.dataset.handle`

const desk = await openDesk({ build })
try {
  const page = await desk.page()
  await page.evaluate(observe)
  console.log(`| ${FILES} handoffs | first ms | whole ms | slowest ms | engine ms | long tasks |`)
  console.log('| --- | ---: | ---: | ---: | ---: | --- |')

  const press = async (key, done, before) => {
    await page.evaluate(() => (window.bench.key = 0))
    const waiting = page.evaluate(untilDrawn, { done, before })
    await page.keyboard.press(key)
    return waiting
  }
  const tell = (what, runs) => {
    const of = (part) => runs.map((run) => run[part])
    const long = runs.flatMap((run) => run.long)
    const figure = (value) => value.toFixed(1)
    console.log(`| ${what} | ${figure(median(of('first')))} | ${figure(median(of('whole')))} | ${figure(Math.max(...of('whole')))} | ${figure(median(of('engine')))} | ${long.length ? `${long.length}, the longest ${Math.max(...long).toFixed(0)} ms` : 'none'} |`)
  }
  const measure = async (what, step) => {
    const runs = []
    for (let run = 0; run < RUNS; run += 1) runs.push(await step(run))
    tell(what, runs)
  }
  const value = (words) => page.evaluate(`(() => ${words})()`)

  await press('5', ROWS)
  await page.locator('.listbox').focus()
  await measure('one row on (J)', async () => press('j', `Boolean(${SELECTED}) && ${SELECTED} !== before`, await value(SELECTED)))
  await measure('a page on (Page Down)', async () => press('PageDown', `Boolean(${SELECTED}) && ${SELECTED} !== before && ${ROWS}`, await value(SELECTED)))
  await measure('the end and the beginning (End, Home)', async (run) => press(run % 2 ? 'Home' : 'End', `Boolean(${SELECTED}) && ${SELECTED} !== before && ${ROWS}`, await value(SELECTED)))
  await measure('another list (1, 5)', async (run) => {
    const shown = 'document.querySelector(".listbox .rows-h") !== null'
    return press(run % 2 ? '5' : '1', `${shown} !== before && ${ROWS}`, await value(shown))
  })
  const field = '[role="combobox"]'
  const found = '[...document.querySelectorAll(".hit mark")].map((one) => one.textContent).join()'
  await page.keyboard.press('5')
  for (const [what, word] of [['drain, which all have', 'drain'], ['再接, which one of fifty has', '再接']]) {
    const runs = []
    for (let run = 0; run < RUNS; run += word.length) {
      await page.keyboard.press('/')
      await page.locator(field).waitFor()
      for (const letter of word) {
        if (letter.charCodeAt(0) < 128) runs.push(await press(letter, `${found} !== before && ${found} !== ""`, await value(found)))
      }
      if (word.charCodeAt(0) > 127) {
        // No key of the keyboard: what an input method hands over, with a key before it that changes nothing.
        await page.locator(field).fill(word.slice(0, -1))
        await page.evaluate(() => (window.bench.key = 0))
        const waiting = page.evaluate(untilDrawn, { done: `${found}.includes("${word}")`, before: '' })
        await page.keyboard.press('Shift')
        await page.keyboard.insertText(word.slice(-1))
        runs.push(await waiting)
      }
      await page.keyboard.press('Escape')
      await page.locator(field).waitFor({ state: 'detached' })
    }
    tell(`search, each letter of ${what}`, runs)
  }
  await measure('the list of what a query finds (Enter)', async (run) => {
    await page.keyboard.press('/')
    await page.locator(field).fill(`state:pending repo:r${run}`)
    const one = page.locator('[data-command="show-found"]')
    await one.waitFor()
    await one.focus()
    const shown = `document.querySelector('.listbox [aria-posinset="1"]')?.dataset.handle`
    return press('Enter', `Boolean(${shown}) && ${shown} !== before && ${ROWS}`, await value(shown))
  })
  if (page.faults.length) throw new Error(page.faults.join('\n'))
} finally {
  await desk.close()
}
