import { isRightToLeft } from './direction.js'
import { button, fill, h } from './dom.js'
import { icon } from './icons.js'

/** What fits into one message; a longer text goes in parts, as in Telegram. */
const longestMessage = 4096

/**
 * The line one writes in. Enter sends, Shift+Enter breaks the line; `aside` is what the text answers or replaces.
 *
 * @param {{
 *   t: import('./texts.js').Texts,
 *   send: (text: string, aside: Aside | undefined) => Promise<void>,
 *   openAttach: (at: HTMLElement) => void,
 *   openCommands: () => void,
 *   typed: (text: string) => void,
 *   toggleKeyboard: () => void,
 * }} actions
 *
 * @typedef {{ kind: 'reply' | 'edit', messageId: number, summary: string }} Aside
 */
export function createComposer({ t, send, openAttach, openCommands, typed, toggleKeyboard }) {
  /** @type {Aside | undefined} */
  let aside
  const input = h('textarea', {
    class: 'input',
    rows: 1,
    dir: 'auto',
    placeholder: t.message,
    'aria-label': t.message,
    enterkeyhint: 'send',
    autocomplete: 'off',
    oninput: changed,
    onkeydown,
  })
  const attach = button(
    { class: 'icon-button attach', label: t.attach, onclick: () => openAttach(attach) },
    icon('attach'),
  )
  const commands = button(
    { class: 'icon-button commands', label: t.commands, onclick: openCommands },
    icon('menu'),
  )
  const keyboard = button(
    { class: 'icon-button keyboard', label: t.showKeyboard, hidden: true, onclick: toggleKeyboard },
    icon('keyboard'),
  )
  const sendButton = button({ class: 'icon-button send', label: t.send, onclick: submit }, icon('send'))
  const banner = h('div', { class: 'aside', hidden: true })
  const element = h(
    'div',
    { class: 'composer' },
    banner,
    h('div', { class: 'composer-row' }, commands, input, keyboard, attach, sendButton),
  )

  /** An empty line begins where its placeholder does; what is typed finds its own side. */
  function turn() {
    input.dir = input.value === '' && isRightToLeft(input.placeholder) ? 'rtl' : 'auto'
  }

  function changed() {
    turn()
    input.style.setProperty('height', 'auto')
    input.style.setProperty('height', `${input.scrollHeight}px`)
    sendButton.classList.toggle('ready', input.value.trim() !== '')
    typed(input.value)
  }

  /** @param {KeyboardEvent} event */
  function onkeydown(event) {
    if (event.key === 'Escape' && aside) return setAside(undefined)
    if (event.key !== 'Enter' || event.shiftKey || event.isComposing) return
    event.preventDefault()
    submit()
  }

  async function submit() {
    const text = input.value.trim()
    if (!text) return
    const about = aside
    setText('')
    setAside(undefined)
    try {
      for (let at = 0; at < text.length; at += longestMessage) {
        await send(text.slice(at, at + longestMessage), about)
      }
    } catch {
      if (input.value === '') setText(text)
    }
  }

  /** @param {string} text */
  function setText(text) {
    input.value = text
    changed()
  }

  /** @param {Aside | undefined} next */
  function setAside(next) {
    if (aside?.kind === 'edit' && next?.kind !== 'edit') setText('')
    aside = next
    banner.hidden = next === undefined
    if (!next) return fill(banner)
    fill(
      banner,
      icon(next.kind === 'edit' ? 'copy' : 'message'),
      h(
        'span',
        { class: 'aside-text' },
        h('b', {}, next.kind === 'edit' ? t.edit : t.reply),
        h('span', { dir: 'auto' }, next.summary),
      ),
      button({ class: 'icon-button', label: t.cancel, onclick: () => setAside(undefined) }, icon('close')),
    )
    if (next.kind === 'edit') setText(next.summary)
    input.focus()
  }

  return {
    element,
    setText,
    setAside,
    focus: () => input.focus(),
    /** @param {{ placeholder: string | undefined, keyboard: boolean, keyboardOpen: boolean, commands: boolean }} state */
    update(state) {
      input.placeholder = state.placeholder ?? t.message
      turn()
      keyboard.hidden = !state.keyboard
      keyboard.setAttribute('aria-expanded', String(state.keyboardOpen))
      commands.hidden = !state.commands
    },
  }
}
