// A text field as tall as its text, whatever its width: WebKitGTK does not know `field-sizing`.
import type { Action } from 'svelte/action'

export const grow: Action<HTMLTextAreaElement, string> = (field) => {
  let width = -1
  function fit() {
    field.style.height = 'auto'
    field.style.height = `${field.scrollHeight + field.offsetHeight - field.clientHeight}px`
  }
  const observer = new ResizeObserver(() => {
    if (field.clientWidth === width) return
    width = field.clientWidth
    fit()
  })
  observer.observe(field)
  return { update: fit, destroy: () => observer.disconnect() }
}
