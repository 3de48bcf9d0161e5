// The page itself, in the place of the frame.
import { mount } from 'svelte'
import App from './App.svelte'
import { chosen } from './text/index.svelte'

const target = document.getElementById('app')
if (target) {
  // The host knows what a person chose before anything is asked.
  chosen.use(document.documentElement.lang)
  target.replaceChildren()
  mount(App, { target })
}
