import { button, fill, h } from './dom.js'

/**
 * The content of an empty chat: the bot's description, as in Telegram, and a button to the invitations.
 *
 * @param {import('./texts.js').Texts} t
 * @param {() => void} goHome
 */
export function createIntro(t, goHome) {
  const element = h('div', { class: 'intro', hidden: true })
  return {
    element,
    /** @param {import('../api.ts').ChatState | undefined} state @param {string | undefined} payload of a followed link */
    update(state, payload) {
      element.hidden = !state || state.messages.length > 0
      const about = state?.bot.description
      fill(
        element,
        about &&
          h('div', { class: 'description' }, h('b', {}, t.whatCanItDo), h('p', { dir: 'auto' }, about)),
        payload === undefined && button({ class: 'see-invitations', onclick: goHome }, t.seeInvitations),
      )
    },
  }
}
