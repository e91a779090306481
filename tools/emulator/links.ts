const PROTOCOLS = new Set(['http:', 'https:', 'tg:', 'ton:', 'tonsite:'])

/** The link as Telegram normalises it, with `http://` added if it has no scheme; `undefined` if invalid. */
export function checkedLink(link: string): string | undefined {
  const trimmed = link.trim()
  const withScheme = /^[a-z][a-z0-9+.-]*:/i.test(trimmed) ? trimmed : `http://${trimmed}`
  if (!URL.canParse(withScheme)) return undefined
  const url = new URL(withScheme)
  if (!PROTOCOLS.has(url.protocol)) return undefined
  if (url.protocol.startsWith('http') && !/\.|^localhost$|^\[/.test(url.hostname)) return undefined
  return url.href
}
