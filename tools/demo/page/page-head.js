import { h } from './dom.js'

/**
 * The head of the page for screen readers: its name, and a link that skips to the chat.
 *
 * @param {import('./texts.js').Texts} t
 * @param {() => void} enterChat
 */
export function createPageHead(t, enterChat) {
  /** @param {MouseEvent} event */
  function onclick(event) {
    event.preventDefault()
    enterChat()
  }
  return h(
    'header',
    { class: 'page-head' },
    h('a', { class: 'skip-link', href: '#chat', onclick }, t.skipToChat),
    h('h1', { class: 'unseen-text' }, t.pageTitle),
  )
}
