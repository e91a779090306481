import { button, fill, h } from './dom.js'
import { icon } from './icons.js'

/** @import { ChatState } from '../api.ts' */

/**
 * The head of the chat: the bot's name and, under it, "bot", its present action, or a lost connection.
 *
 * @param {import('./texts.js').Texts} t
 * @param {() => void} goHome
 * @param {(at: HTMLElement) => void} openMenu
 */
export function createPhoneHeader(t, goHome, openMenu) {
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let timer
  const back = button({ class: 'icon-button back', label: t.home, onclick: goHome }, icon('back'))
  const more = button(
    { class: 'icon-button more', label: t.botMenu, 'aria-haspopup': 'menu', onclick: () => openMenu(more) },
    icon('more'),
  )
  const avatar = h('span', { class: 'avatar', 'aria-hidden': 'true' })
  const name = h('h3', { class: 'bot-name', dir: 'auto' })
  const subtitle = h('span', { class: 'subtitle', dir: 'auto', role: 'status' })
  const element = h(
    'header',
    { class: 'phone-header' },
    back,
    avatar,
    h('div', { class: 'titles' }, name, subtitle),
    more,
  )

  return {
    element,
    /** @param {ChatState | undefined} state @param {boolean} connected */
    update(state, connected) {
      clearTimeout(timer)
      fill(name, state?.bot.name ?? '')
      fill(avatar, [...(state?.bot.name ?? ' ')][0])
      const leftMs = (state?.typing?.until ?? 0) - Date.now()
      element.classList.toggle('connecting', !connected)
      element.classList.toggle('typing', connected && leftMs > 0)
      fill(subtitle, !connected ? t.connecting : leftMs > 0 ? doing(state?.typing?.action) : t.bot)
      if (leftMs > 0) timer = setTimeout(() => this.update(state, connected), leftMs)
    },
  }

  /** @param {string | undefined} action */
  function doing(action) {
    if (action === 'upload_document') return t.uploadDocument
    return action === 'upload_photo' ? t.uploadPhoto : t.typing
  }
}
