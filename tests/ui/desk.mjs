// A desk in a browser: the built page, served here, on a real engine (`fuda rpc`) and a demonstration of its own.
import { execFile, spawn } from 'node:child_process'
import fs from 'node:fs/promises'
import http from 'node:http'
import { createRequire } from 'node:module'
import os from 'node:os'
import path from 'node:path'
import readline from 'node:readline'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

const root = fileURLToPath(new URL('../../', import.meta.url))
const require = createRequire(path.join(root, 'ui/package.json'))
const { chromium } = require('playwright-core')
const axe = require.resolve('axe-core/axe.min.js')

/** A folder of the build, which is no volatile place. */
export const scratch = path.join(root, 'target/browser')
const dist = path.join(root, 'ui/dist')
const fuda = process.env.FUDA_BIN ?? path.join(root, 'target/debug/fuda')
const xtask = process.env.FUDA_XTASK ?? path.join(root, 'target/debug/xtask')
const browserAt = process.env.FUDA_CHROMIUM ?? '/usr/bin/chromium'
const quiet = ['--headless', '--no-sandbox', '--disable-gpu', '--disable-background-networking', '--disable-component-update', '--disable-sync']
const types = { '.html': 'text/html', '.js': 'text/javascript', '.css': 'text/css', '.svg': 'image/svg+xml', '.woff2': 'font/woff2' }

/** One `fuda rpc`: asks in order of arrival, answers by id. */
function engine(env) {
  const child = spawn(fuda, ['rpc'], { env, stdio: ['pipe', 'pipe', 'inherit'] })
  const waiting = new Map()
  let last = 0
  readline.createInterface({ input: child.stdout }).on('line', (line) => {
    const answer = JSON.parse(line)
    if ('progress' in answer) return
    waiting.get(answer.id)?.resolve(answer)
    waiting.delete(answer.id)
  })
  const ended = new Promise((resolve) => child.once('exit', resolve))
  child.once('error', (error) => waiting.forEach((one) => one.reject(error)))
  void ended.then((status) => waiting.forEach((one) => one.reject(new Error(`fuda rpc ended with ${status}`))))
  return {
    ask: (asked) =>
      new Promise((resolve, reject) => {
        const id = ++last
        waiting.set(id, { resolve, reject })
        child.stdin.write(`${JSON.stringify({ ...asked, id })}\n`)
      }),
    end: () => {
      child.stdin.end()
      return ended
    },
  }
}

async function serve(ask) {
  const server = http.createServer(async (request, response) => {
    try {
      if (request.url === '/rpc') {
        let body = ''
        for await (const part of request.setEncoding('utf8')) body += part
        response.end(JSON.stringify(await ask(JSON.parse(body))))
        return
      }
      const name = request.url === '/' ? 'index.html' : request.url.slice(1)
      const content = await fs.readFile(path.join(dist, name))
      response.setHeader('content-type', types[path.extname(name)] ?? 'application/octet-stream')
      response.end(content)
    } catch (error) {
      response.statusCode = error.code === 'ENOENT' ? 404 : 500
      response.end(String(error))
    }
  })
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve))
  return server
}

/** Opens a desk: on the demonstration, on what `build` makes, or on a home with nothing in it. `close` ends and removes all of it. */
export async function openDesk({ empty = false, build = null, below = os.tmpdir() } = {}) {
  await fs.mkdir(below, { recursive: true })
  const folder = await fs.mkdtemp(path.join(below, 'fuda-browser-'))
  const person = path.join(folder, 'person')
  await fs.mkdir(person)
  // Nothing of the person who runs the tests is seen: neither agents below the home folder nor git's settings.
  const env = { ...process.env, HOME: person, FUDA_HOME: path.join(folder, 'fuda'), GIT_CONFIG_NOSYSTEM: '1', GIT_CONFIG_GLOBAL: '/dev/null' }
  // The browser comes first: where it cannot start, nothing else is left running.
  const browser = await chromium.launch({ executablePath: browserAt, args: quiet })
  const made = build ? () => build(folder, fuda, env) : empty ? () => null : () => promisify(execFile)(xtask, ['demo', folder], { cwd: root })
  const built = await Promise.resolve().then(made).catch((error) => browser.close().then(() => { throw error }))
  const rpc = engine(env)
  const server = await serve(rpc.ask)
  return {
    fuda,
    folder,
    built,
    env,
    /** Asks the engine itself, past the page. */
    async ask(op, params) {
      const answer = await rpc.ask({ op, params })
      if (answer.error) throw new Error(`${op}: ${answer.error.message}`)
      return answer.result
    },
    /** A new page that has started, `before` done with it while it is empty. What fails in it fails the test that asks `faults`. */
    async page({ locale = 'en', width = 1440, height = 900, colorScheme = 'light', before = () => {} } = {}) {
      const context = await browser.newContext({ viewport: { width, height }, locale, colorScheme, reducedMotion: 'reduce' })
      const page = await context.newPage()
      page.faults = []
      page.on('pageerror', (error) => page.faults.push(error.message))
      await before(page)
      await page.goto(`http://127.0.0.1:${server.address().port}/`)
      await page.waitForSelector(empty ? '.first' : '[data-verdict], [data-pane="claim"]')
      return page
    },
    async close() {
      await browser.close()
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
      await rpc.end()
      await fs.rm(folder, { recursive: true, force: true })
    },
  }
}

/** Chooses a row by words in it and waits until its document and the look at its repository are there. */
export async function choose(page, words) {
  await page.locator('.row', { hasText: words }).click()
  await page.locator('.row[aria-selected="true"]', { hasText: words }).waitFor()
  await looked(page)
}

/** Waits until git was looked at, not only glanced at. */
export async function looked(page) {
  await page.waitForFunction(() => {
    const status = document.querySelector('[data-pane="repository"] .col-h [role="status"]')
    return status && document.querySelector('[data-verdict]') && /^read |読/i.test(status.textContent ?? '')
  })
}

/** Waits until nothing on the page moves or fades any more, spinners aside. */
async function still(page) {
  await page.evaluate(async () => {
    await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))
    const ending = document.getAnimations().filter((one) => one.effect?.getComputedTiming().iterations !== Infinity)
    await Promise.allSettled(ending.map((one) => one.finished))
  })
}

/** What axe finds on the page as it stands, one line each. */
export async function violations(page) {
  await still(page)
  if (!(await page.evaluate(() => 'axe' in window))) await page.addScriptTag({ path: axe })
  const result = await page.evaluate(() => window.axe.run(document, { resultTypes: ['violations'] }))
  return result.violations.flatMap((rule) =>
    rule.nodes.map((node) => `${rule.id}: ${node.target.join(' ')}: ${[...node.any, ...node.all, ...node.none][0]?.message ?? rule.help}`),
  )
}
