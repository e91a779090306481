/**
 * The payload of a link to this bot (`https://t.me/<bot>?start=…`, `tg://resolve?domain=…`): empty if the
 * link only opens the chat, `undefined` for any other link.
 *
 * @param {string} link
 * @param {string} username of the bot
 */
export function startPayload(link, username) {
  const url = parse(link)
  if (!url) return undefined
  const name = isTelegram(url)
    ? url.pathname.slice(1).replace(/\/$/, '')
    : url.protocol === 'tg:' && url.href.startsWith('tg://resolve')
      ? (url.searchParams.get('domain') ?? '')
      : ''
  if (name.toLowerCase() !== username.toLowerCase()) return undefined
  return validPayload(url.searchParams.get('start')) ?? ''
}

/**
 * The text of a share link: `https://t.me/share/url?url=…&text=…`. `undefined` for any other link.
 *
 * @param {string} link
 */
export function sharedText(link) {
  const url = parse(link)
  if (!url || !isTelegram(url) || url.pathname.replace(/\/$/, '') !== '/share/url') return undefined
  const parts = [url.searchParams.get('url'), url.searchParams.get('text')]
  return parts.filter(Boolean).join('\n') || undefined
}

/** @param {URL} url */
function isTelegram({ protocol, hostname }) {
  return /^https?:$/.test(protocol) && /^(www\.)?(t|telegram)\.(me|dog)$/.test(hostname)
}

/**
 * A deep link's payload, if Telegram would accept it.
 *
 * @param {string | null} payload
 */
export function validPayload(payload) {
  return payload && /^[A-Za-z0-9_-]{1,64}$/.test(payload) ? payload : undefined
}

/**
 * The address of a link in a message; `undefined` unless it leads to the web, a mail or a phone call.
 *
 * @param {string} link
 */
export function safeAddress(link) {
  const url = parse(/^[a-z][a-z0-9+.-]*:/i.test(link) && !/^[^/:]+:\d/.test(link) ? link : `https://${link}`)
  return url && /^(https?|mailto|tel):$/.test(url.protocol) ? url.href : undefined
}

/** @param {string} link */
function parse(link) {
  try {
    return new URL(link)
  } catch {
    return undefined
  }
}
