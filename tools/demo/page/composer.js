import { isRightToLeft } from './direction.js'
import { button, fill, h } from './dom.js'
import { icon } from './icons.js'

/** The longest message; a longer text is sent in parts, as in Telegram. */
const longestMessage = 4096

/**
 * The input line. Enter sends, Shift+Enter breaks the line; `aside` is the answered or edited message.
 *
 * @param {Actions} actions
 *
 * @typedef {{
 *   t: import('./texts.js').Texts,
 *   send: (text: string, aside: Aside | undefined) => Promise<void>,
 *   openAttach: (at: HTMLElement) => void,
 *   openCommands: () => void,
 *   typed: (text: string) => void,
 *   toggleKeyboard: () => void,
 * }} Actions
 * @typedef {{ kind: 'reply' | 'edit', messageId: number, summary: string }} Aside
 */
export function createComposer({ t, send, typed, ...opens }) {
  /** @type {Aside | undefined} */
  let aside
  const input = drawInput(t, { oninput: changed, onkeydown })
  const { attach, commands, keyboard, sendButton } = drawButtons({ t, submit, ...opens })
  const banner = h('div', { class: 'aside', hidden: true })
  const row = h('div', { class: 'composer-row' }, commands, input, keyboard, attach, sendButton)
  const element = h('div', { class: 'composer' }, banner, row)

  function changed() {
    turn(input)
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
    fill(banner, ...(next ? drawAside(next, t, () => setAside(undefined)) : []))
    if (!next) return
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
      turn(input)
      keyboard.hidden = !state.keyboard
      keyboard.setAttribute('aria-expanded', String(state.keyboardOpen))
      commands.hidden = !state.commands
    },
  }
}

/** @param {Actions['t']} t @param {{ oninput: () => void, onkeydown: (event: KeyboardEvent) => void }} listeners */
function drawInput(t, listeners) {
  return h('textarea', {
    class: 'input',
    rows: 1,
    dir: 'auto',
    placeholder: t.message,
    'aria-label': t.message,
    enterkeyhint: 'send',
    autocomplete: 'off',
    ...listeners,
  })
}

/** @param {Pick<Actions, 't' | 'openAttach' | 'openCommands' | 'toggleKeyboard'> & { submit: () => void }} actions */
function drawButtons({ t, submit, openAttach, openCommands, toggleKeyboard }) {
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
  return { attach, commands, keyboard, sendButton }
}

/** The banner over the input line: the message that is answered or edited. @param {Aside} aside @param {Actions['t']} t @param {() => void} cancel */
function drawAside({ kind, summary }, t, cancel) {
  return [
    icon(kind === 'edit' ? 'copy' : 'message'),
    h(
      'span',
      { class: 'aside-text' },
      h('b', {}, kind === 'edit' ? t.edit : t.reply),
      h('span', { dir: 'auto' }, summary),
    ),
    button({ class: 'icon-button', label: t.cancel, onclick: cancel }, icon('close')),
  ]
}

/** An empty line has the direction of its placeholder; typed text sets its own. @param {HTMLTextAreaElement} input */
function turn(input) {
  input.dir = input.value === '' && isRightToLeft(input.placeholder) ? 'rtl' : 'auto'
}
