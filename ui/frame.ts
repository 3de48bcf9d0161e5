// The frame of the window as HTML, made when the page is built: it is painted before the page's program has been
// read, and the program takes its place. In both languages; the style sheet shows that of the document.
import { en, type Messages } from './src/text/en'
import { ja } from './src/text/ja'

const escaped = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')
const icon = '<svg class="i" aria-hidden="true"></svg>'
const entry = (text: string, attributes = '') => `<div class="nav-i"${attributes}>${icon}<span>${escaped(text)}</span></div>`

function frame(language: string, t: Messages): string {
  const lists = Object.entries(t.list).map(([name, text]) => entry(text, name === 'inbox' ? ' aria-current="page"' : ''))
  return `<div class="app app-3 frame" lang="${language}">
      <nav class="pane sidebar" aria-label="${escaped(t.main)}">
        <div class="bar">${icon}<span>${escaped(t.app)}</span></div>
        <div class="scroll"><div class="nav">${lists.join('')}</div></div>
        <div class="side-f">${entry(t.manageProfiles)}${entry(t.settings)}</div>
      </nav>
      <section class="pane list" aria-busy="true"><div class="bar"><h2 class="trunc">${escaped(t.list.inbox)}</h2></div></section>
      <main class="pane"></main>
    </div>`
}

/** Puts the frame into the page. */
export function withFrame(html: string): string {
  return html.replace('<div id="app"></div>', `<div id="app">${frame('en', en)}${frame('ja', ja)}</div>`)
}
