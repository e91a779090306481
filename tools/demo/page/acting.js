import { createBottomBar } from './bottom-bar.js'
import { createCommandList } from './command-list.js'
import { createComposer } from './composer.js'
import { h } from './dom.js'
import { createReplyKeyboard } from './reply-keyboard.js'

/** @import { ChatState, ReplyButton, ReplyKeyboard } from '../api.ts' */

/**
 * Where one acts in a chat: START, or the line to write in with the bot's keyboard and commands.
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
   * What gets the focus once it is there: START comes with the chat; the line to write in with the event that tells of START,
   * before or after its response.
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

  /** START, or the line to write in. */
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
    /** START was pressed. */
    started() {
      // on a phone the focus would open a keyboard over what the bot says first
      if (matchMedia('(hover: hover)').matches) wanted = 'writing'
    },
    focusStart() {
      wanted = 'start'
      if (!bar.element.hidden) focusNow()
    },
    enter: focusNow,
    /** Writes into the input without sending. @param {string} text */
    write(text) {
      composer.setText(text)
      composer.focus()
    },
  }
}
