// The frame that the page came with is painted first: reading the rest takes longer than drawing it.
import './styles/tokens.css'
import './styles/components.css'
import './styles/screens.css'
import './styles/window.css'

/** A page that nobody sees has no frames; it is read all the same. */
const UNSEEN_MS = 100

const read = () => import('./page')
requestAnimationFrame(() => setTimeout(read))
setTimeout(read, UNSEEN_MS)
