import { ApiError } from './api.js'

/** @import { ChatState, ReplyButton, ReplyKeyboard } from '../api.ts' */

/**
 * The actions in a chat; a failed one shows a notice.
 *
 * @param {{
 *   t: import('./texts.js').Texts,
 *   chat: import('./api.js').ChatApi,
 *   dialogs: import('./dialogs.js').Dialogs,
 *   phone: string,
 *   state: () => ChatState | undefined,
 * }} parts
 */
export function createChatActions({ t, chat, dialogs, phone, state }) {
  /** @param {unknown} error */
  function sayWhy(error) {
    dialogs.toast(error instanceof ApiError && error.status === 0 ? t.offline : t.failed)
  }

  /** @param {Promise<unknown>} doing */
  async function attempt(doing) {
    try {
      await doing
      return true
    } catch (error) {
      sayWhy(error)
      return false
    }
  }

  /** @param {string} text */
  function say(text) {
    attempt(chat.say(text))
  }

  return {
    sayWhy,
    attempt,
    say,
    /** @param {string} text @param {import('./composer.js').Aside | undefined} aside */
    async send(text, aside) {
      const doing =
        aside?.kind === 'edit'
          ? chat.edit(aside.messageId, text)
          : chat.say(text, aside?.messageId ?? state()?.forceReply?.messageId)
      if (!(await attempt(doing))) throw new Error('not sent')
    },
    /** @param {ReplyButton} pressed @param {ReplyKeyboard} keyboard */
    async press(pressed, { messageId }) {
      if (!pressed.requestContact) return say(pressed.text)
      const text = t.shareText(state()?.bot.name ?? '', `\u2066${phone}\u2069`)
      if (await dialogs.confirm(t.shareTitle, text, t.share)) attempt(chat.contact({ messageId }))
    },
  }
}
