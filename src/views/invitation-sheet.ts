import { setImmediate } from 'node:timers/promises'
import { qrSvg } from '../pictures/qr.ts'
import { escapeHtml } from '../texts/html.ts'
import { isRightToLeft } from '../texts/languages.ts'
import type { Translate } from '../texts/texts.ts'

const A_PAGE = 12

const STYLE = `
@page { size: A4; margin: 10mm }
* { box-sizing: border-box }
body { margin: 0; font-family: Vazirmatn, Tahoma, sans-serif; color: #111 }
.page { display: grid; grid-template-columns: repeat(3, 1fr); grid-template-rows: repeat(4, 1fr); height: 276mm; break-after: page }
.page:last-child { break-after: auto }
.card { border: 1px dashed #aaa; padding: 3mm; display: flex; flex-direction: column; align-items: center; justify-content: center; gap: 1.5mm; text-align: center; overflow: hidden; break-inside: avoid }
.card b { font-size: 11pt; line-height: 1.4; max-height: 2.8em; overflow: hidden }
.card svg { width: 34mm; height: 34mm }
.card span { font-size: 7.5pt; line-height: 1.5; color: #444 }
.card code { font: 700 12pt monospace; letter-spacing: .08em; direction: ltr }
`

/** Invitations to print and cut, twelve to a page: the test's name, the QR code, the code; one document with all inside. */
export async function invitationSheet(
  t: Translate,
  made: readonly { code: string; title: string }[],
  username: string,
): Promise<string> {
  const bot = `@${username}`
  // From its @ on, also where a line begins with it.
  const scan = escapeHtml(t.plain('sheet-scan', { bot: username })).replace(
    bot,
    `<bdi dir="ltr">${bot}</bdi>`,
  )
  const cards: string[] = []
  for (const { code, title } of made) {
    const picture = qrSvg(`https://t.me/${username}?start=i_${code}`)
    cards.push(
      `<div class="card"><b>${escapeHtml(title)}</b>${picture}<span>${scan}</span><code>${code}</code></div>`,
    )
    // A thousand codes in one go would keep everybody else waiting.
    await setImmediate()
  }
  const pages: string[] = []
  for (let at = 0; at < cards.length; at += A_PAGE)
    pages.push(`<section class="page">${cards.slice(at, at + A_PAGE).join('')}</section>`)
  const direction = isRightToLeft(t.language) ? 'rtl' : 'ltr'
  const title = escapeHtml(t.plain('sheet-title'))
  return (
    `<!doctype html><html lang="${t.language}" dir="${direction}"><head><meta charset="utf-8">` +
    `<title>${title}</title><style>${STYLE}</style></head><body>${pages.join('')}</body></html>\n`
  )
}
