import { createBottomBar } from './bottom-bar.js'
import { createCommandList } from './command-list.js'
import { createComposer } from './composer.js'
import { h } from './dom.js'
import { createReplyKeyboard } from './reply-keyboard.js'

/** @import { ChatState, ReplyButton, ReplyKeyboard } from '../api.ts' */

/**
 * The part of a chat for input: START, or the input line with the bot's keyboard and commands.
 *
 * @param {{
 *   t: import('./texts.js').Texts,
 *   send: import('./composer.js').Actions['send'],
 *   say: (text: string) => void,
 *   start: (payload: string | undefined) => void,
 *   unblock: () => void,
 *   press: (pressed: ReplyButton, keyboard: ReplyKeyboard) => void,
 *   openAttach: (at: HTMLElement) => void,
 * }} actions
 */
export function createActing({ t, send, start, unblock, openAttach, ...actions }) {
  /** @type {ChatState | undefined} */
  let state
  /**
   * The element that gets the focus when it appears: START appears with the chat, the input line with the
   * event about START, before or after the response.
   *
   * @type {'start' | 'writing' | undefined}
   */
  let wanted
  const keyboard = createReplyKeyboard(press, drawComposer)
  const commands = createCommandList(say)
  const composer = createComposer({
    t,
    send,
    openAttach,
    openCommands: commands.toggle,
    typed: commands.type,
    toggleKeyboard: keyboard.toggle,
  })
  const bar = createBottomBar(t, start, unblock)
  const writing = h('div', { class: 'writing' }, commands.element, composer.element, keyboard.element)
  const element = h('div', { class: 'bottom' }, bar.element, writing)

  /** @param {string} text */
  function say(text) {
    actions.say(text)
    commands.close()
  }

  /** @param {ReplyButton} pressed @param {ReplyKeyboard} shown */
  function press(pressed, shown) {
    actions.press(pressed, shown)
    if (!pressed.requestContact) commands.close()
  }

  /** Focuses START or the input line. */
  function focusNow() {
    wanted = undefined
    if (bar.element.hidden) composer.focus()
    else bar.focus()
  }

  function drawComposer() {
    composer.update({
      placeholder: state?.forceReply?.placeholder ?? keyboard.placeholder,
      keyboard: keyboard.exists,
      keyboardOpen: keyboard.isOpen,
      commands: (state?.commands.length ?? 0) > 0,
    })
  }

  return {
    element,
    setAside: composer.setAside,
    say,
    focus: composer.focus,
    /** @param {ChatState | undefined} next @param {string | undefined} payload */
    update(next, payload) {
      state = next
      commands.update(state?.commands ?? [])
      keyboard.update(state?.replyKeyboard)
      writing.hidden = !bar.update(state?.person, payload)
      if (wanted === (writing.hidden ? 'start' : 'writing')) focusNow()
      drawComposer()
    },
    /** Called after START was pressed. */
    started() {
      // On a phone the focus would open a keyboard over the bot's first message.
      if (matchMedia('(hover: hover)').matches) wanted = 'writing'
    },
    focusStart() {
      wanted = 'start'
      if (!bar.element.hidden) focusNow()
    },
    enter: focusNow,
    /** Puts a text into the input line without sending it. @param {string} text */
    write(text) {
      composer.setText(text)
      composer.focus()
    },
  }
}
