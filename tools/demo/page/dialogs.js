import { button, h } from './dom.js'

/**
 * Dialogs inside one phone, so that they do not disturb the phone beside it. They appear one after another;
 * while one is open the rest of the phone is inert.
 *
 * @param {HTMLElement} host where dialogs appear; `toasts` belongs where a line has room
 * @param {() => HTMLElement[]} behind what a dialog covers
 * @param {import('./texts.js').Texts} t
 */
export function createDialogs(host, behind, t) {
  const toasts = h('div', { class: 'toasts', role: 'status' })
  /** @type {Promise<unknown>} */
  let last = Promise.resolve()
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let toastTimer

  /**
   * @param {{ title?: string, text: string, yes: string, no?: string, role: 'dialog' | 'alertdialog' }} content
   * @returns {Promise<boolean>}
   */
  function ask({ title, text, yes, no, role }) {
    return new Promise((resolve) => {
      const before = document.activeElement
      const accept = button({ class: 'dialog-button yes', onclick: () => close(true) }, yes)
      const box = h(
        'div',
        { class: 'dialog', role, 'aria-modal': 'true', 'aria-label': title ?? text },
        title && h('h2', { dir: 'auto' }, title),
        h('p', { dir: 'auto' }, text),
        h(
          'div',
          { class: 'dialog-buttons' },
          no && button({ class: 'dialog-button', onclick: () => close(false) }, no),
          accept,
        ),
      )
      const veil = h('div', { class: 'veil', onkeydown }, box)
      veil.addEventListener('click', ({ target }) => {
        if (target === veil) close(false)
      })

      /** @param {KeyboardEvent} event */
      function onkeydown(event) {
        if (event.key !== 'Escape') return
        event.stopPropagation()
        close(false)
      }

      /** @param {boolean} answer */
      function close(answer) {
        veil.remove()
        for (const element of behind()) element.inert = false
        if (before instanceof HTMLElement) before.focus({ preventScroll: true })
        resolve(answer)
      }

      for (const element of behind()) element.inert = true
      host.append(veil)
      accept.focus({ preventScroll: true })
    })
  }

  /** @param {Parameters<typeof ask>[0]} content */
  function inTurn(content) {
    const answer = last.then(() => ask(content))
    last = answer
    return answer
  }

  return {
    toasts,
    /** @param {string} text */
    alert: (text, title = '') => inTurn({ title, text, yes: t.ok, role: 'alertdialog' }),
    /** @param {string} title @param {string} text @param {string} yes */
    confirm: (title, text, yes) => inTurn({ title, text, yes, no: t.cancel, role: 'dialog' }),
    /** Shows a short notice that disappears after a while. @param {string} text */
    toast(text) {
      clearTimeout(toastTimer)
      toasts.replaceChildren(h('div', { class: 'toast', dir: 'auto' }, text))
      toastTimer = setTimeout(() => toasts.replaceChildren(), Math.min(8000, 2500 + text.length * 40))
    },
  }
}

/** @typedef {ReturnType<typeof createDialogs>} Dialogs */
