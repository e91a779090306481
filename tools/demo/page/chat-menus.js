import { summaryOf } from './media.js'
import { openMenu } from './popup.js'

/** @import { ChatMessage, ChatState, Person } from '../api.ts' */
/** @import { ChatApi } from './api.js' */

/**
 * The three menus of a chat: the attachments, the bot's options, and the actions for one message.
 *
 * @param {{
 *   t: import('./texts.js').Texts,
 *   host: HTMLElement,
 *   chat: ChatApi,
 *   dialogs: import('./dialogs.js').Dialogs,
 *   attempt: (doing: Promise<unknown>) => Promise<boolean>,
 *   state: () => ChatState | undefined,
 *   setAside: (aside: import('./composer.js').Aside) => void,
 *   copy: (text: string) => void,
 *   others: () => Person[],
 * }} parts
 */
export function createChatMenus({ t, host, chat, dialogs, attempt, state, setAside, copy, others }) {
  return {
    /** Messages that the bot did not ask for, to see how it reacts. @param {HTMLElement} button */
    attach(button) {
      const { left, top } = button.getBoundingClientRect()
      const other = { own: false, phone: '+989350001122', firstName: 'مریم' }
      openMenu(host, { x: left - 120, y: top - 320 }, [
        { icon: 'document', text: t.attachFile, run: () => attempt(chat.file('document')) },
        { icon: 'photo', text: t.attachPhoto, run: () => attempt(chat.file('photo')) },
        { icon: 'sticker', text: t.attachSticker, run: () => attempt(chat.file('sticker')) },
        { icon: 'location', text: t.attachLocation, run: () => attempt(chat.file('location')) },
        { icon: 'voice', text: t.attachVoice, run: () => attempt(chat.file('voice')) },
        { icon: 'person', text: t.attachOwnContact, run: () => attempt(chat.contact({})) },
        { icon: 'people', text: t.attachOtherContact, run: () => attempt(chat.contact(other)) },
      ])
    },

    /** @param {HTMLElement} button */
    bot(button) {
      const { left, bottom } = button.getBoundingClientRect()
      const blocked = state()?.person.blocked
      openMenu(host, { x: left - 160, y: bottom + 4 }, [
        blocked
          ? { icon: 'message', text: t.unblock, run: () => attempt(chat.unblock()) }
          : { icon: 'close', text: t.block, danger: true, run: block },
      ])
    },

    /** Asks for the receiver of a text. @param {string} text */
    share(text) {
      const { left, width, top, height } = host.getBoundingClientRect()
      if (others().length === 0) return dialogs.toast(t.nobodyElse)
      askWhom({ x: left + width / 2 - 95, y: top + height / 2 }, (to) => chat.share(text, to))
    },

    /** @param {ChatMessage} message @param {MouseEvent} event */
    message(message, event) {
      const onLink = event.target instanceof Element && event.target.closest('a')
      if (!message.protected && (onLink || String(getSelection()))) return
      event.preventDefault()
      const summary = summaryOf(message, t)
      const about = { messageId: message.id, summary }
      const text = message.text ?? message.caption
      /** @type {import('./popup.js').MenuItem[]} */
      const items = [{ icon: 'message', text: t.reply, run: () => setAside({ kind: 'reply', ...about }) }]
      if (text !== undefined) {
        const run = message.protected ? () => dialogs.toast(t.protectedContent) : () => copy(text)
        items.push({ icon: 'copy', text: t.copy, run })
      }
      const run = message.protected ? () => dialogs.toast(t.protectedForward) : () => forward(message, event)
      if (others().length > 0) items.push({ icon: 'forward', text: t.forward, run })
      if (message.from === 'person' && message.text !== undefined) {
        items.push({ icon: 'keyboard', text: t.edit, run: () => setAside({ kind: 'edit', ...about }) })
      }
      openMenu(host, { x: event.clientX, y: event.clientY }, items)
    },
  }

  /** @param {ChatMessage} message @param {MouseEvent} event */
  function forward({ id }, { clientX: x, clientY: y }) {
    askWhom({ x, y }, (to) => chat.forward(id, to))
  }

  /** @param {{ x: number, y: number }} at @param {(to: number) => Promise<unknown>} send */
  function askWhom(at, send) {
    const items = others().map(({ id, firstName }) => ({
      icon: /** @type {const} */ ('person'),
      text: firstName,
      run: async () => {
        if (await attempt(send(id))) dialogs.toast(t.sentTo(firstName))
      },
    }))
    openMenu(host, at, items, t.forward)
  }

  async function block() {
    if (await dialogs.confirm(t.block, t.blockAsk, t.block)) attempt(chat.block())
  }
}
