import { safeAddress, sharedText, startPayload } from './links.js'

/**
 * Opens links: a link of this bot opens in this chat, a share link asks with whom, a link shown as its own
 * address opens in a new tab, and any other link asks first, as in Telegram.
 *
 * @param {{
 *   t: import('./texts.js').Texts,
 *   dialogs: import('./dialogs.js').Dialogs,
 *   username: () => string,
 *   openChat: (payload: string) => void,
 *   share: (text: string) => void,
 * }} parts
 */
export function createChatLinks({ t, dialogs, username, openChat, share }) {
  /** @param {string} url */
  const isOfBot = (url) => startPayload(url, username()) !== undefined

  /** @param {string} url @param {boolean} [isAgreed] */
  async function open(url, isAgreed = false) {
    const payload = startPayload(url, username())
    if (payload !== undefined) return openChat(payload)
    const shared = sharedText(url)
    if (shared !== undefined) return share(shared)
    const address = safeAddress(url)
    if (!address) return
    if (isAgreed || (await dialogs.confirm(t.openLink, address, t.open))) {
      window.open(address, '_blank', 'noopener')
    }
  }

  return {
    isOfBot,
    open,
    /** Returns whether the browser must not follow the link. @param {string} url @param {string} shown */
    follow(url, shown) {
      if (!isOfBot(url) && url.endsWith(shown)) return false
      open(url)
      return true
    },
  }
}
