import { setImmediate } from 'node:timers/promises'
import { DAY_MS } from '../domain/durations.ts'
import { linkTo, type ResultTo, resultTo as receivers, type whyClosed } from '../domain/invitation.ts'
import { qrSvg } from '../pictures/qr.ts'
import type { MadeInvitation } from '../storage/documents/invitations.ts'
import { isRightToLeft } from '../texts/languages.ts'
import { escapeHtml, type Translate } from '../texts/texts.ts'
import { buttons, tick } from './buttons.ts'
import {
  type Button,
  button,
  chunksOf,
  copyButton,
  dayTimeText,
  inReadingOrder,
  lines,
  paragraphs,
  rowsOf,
  shareButton,
  type View,
} from './view.ts'

type ShownInvitation = MadeInvitation & {
  link: string
  now: number
  resultTo: ResultTo
  /** Whether any organizer may get results. */
  hasDeciders: boolean
  closed: ReturnType<typeof whyClosed>
  /** Inline mode is on, so that a tap puts the invitation into any chat. */
  isInline: boolean
}

/** Days from now; 0: no end. */
const DAYS = [7, 30, 0] as const

/** An invitation with all its actions. */
export function madeInvitationView(t: Translate, invitation: ShownInvitation): View {
  const { code, title, link, role, externalId, roleIds = [], resultTo, closed } = invitation
  const ids = roleIds.map((each) => `${each.title} ${each.externalId}`)
  if (externalId !== undefined) ids.unshift(String(externalId))
  return {
    text: paragraphs(
      role === undefined
        ? t('invitation-made', { title, code, link })
        : t('invitation-made-role', { title, role: role.title, code, link }),
      lines(
        ids.length > 0 && t('invitation-external-id', { id: ids.join(', ') }),
        t(`invitation-result-${resultTo}`),
        role !== undefined && t('invitation-result-shared'),
        endText(t, invitation),
      ),
    ),
    keyboard: closed === 'used' || closed === 'revoked' ? [] : rows(t, invitation),
  }
}

function endText(t: Translate, { closed, until }: ShownInvitation): string {
  if (closed === 'used') return t('invitation-used-up')
  if (closed === 'revoked') return t('invitation-was-revoked')
  if (closed === 'expired') return t.plain('invitation-state-expired')
  return until === undefined ? t('invitation-no-end') : t('invitation-until', { time: dayTimeText(t, until) })
}

function rows(
  t: Translate,
  { code, title, link, resultTo, hasDeciders, isInline, until, now }: ShownInvitation,
): Button[][] {
  const chats = { allow_user_chats: true, allow_group_chats: true }
  const share: Button = isInline
    ? { text: t.plain('button-share'), switch_inline_query_chosen_chat: { query: `i_${code}`, ...chats } }
    : shareButton(t, link, t.plain('share-text', { title }))
  // An invitation that ends today, or has ended, does not count as one without end.
  const left = until === undefined ? undefined : Math.round((until - now) / DAY_MS)
  const ends = DAYS.map((days) => {
    const mark = tick(days === 0 ? left === undefined : days === left)
    const label = days === 0 ? t.plain('button-no-end', { mark }) : t.plain('button-expire', { mark, days })
    return button(label, buttons.expire.data(code, days))
  })
  const offered = receivers.options.filter((to) => hasDeciders || to === 'participant')
  const recipients = offered.map((to) =>
    button(t.plain(`button-to-${to}`, { mark: tick(to === resultTo) }), buttons.to.data(code, to)),
  )
  return [
    [copyButton(t, link)],
    inReadingOrder([share, button(t.plain('button-qr'), buttons.qr.data(code))], t.language),
    // A phone cuts the labels off where three buttons are in a row.
    ...[ends, recipients].flatMap((choices) => rowsOf(choices, 2, t.language)),
    [button(t.plain('button-revoke'), buttons.revoke.data(code), 'danger')],
  ]
}

const A_PAGE = 12

/** A code is read aloud four letters at a time. */
const inGroups = (code: string): string => code.replace(/.{4}(?=.)/g, '$& ')

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
.card i { font-style: normal; font-size: 10pt; max-height: 2.8em; overflow: hidden }
.card code { font: 700 12pt monospace; letter-spacing: .08em; direction: ltr }
`

/** Invitations to print and cut, twelve to a page: test, QR code and code, as one self-contained document. */
export async function invitationSheet(
  t: Translate,
  made: readonly { code: string; title: string; whose: string }[],
  username: string,
): Promise<string> {
  const bot = `@${username}`
  // The bot's name is isolated from its @ on, also at the beginning of a line.
  const scan = escapeHtml(t.plain('sheet-scan', { bot: username })).replace(
    bot,
    `<bdi dir="ltr">${bot}</bdi>`,
  )
  const cards: string[] = []
  for (const { code, title, whose } of made) {
    const picture = qrSvg(linkTo(username, `i_${code}`))
    cards.push(
      `<div class="card"><b>${escapeHtml(title)}</b>${whose && `<i>${escapeHtml(whose)}</i>`}${picture}<span>${scan}</span><code>${inGroups(code)}</code></div>`,
    )
    // A thousand codes in one go would delay all other work.
    await setImmediate()
  }
  const pages = chunksOf(cards, A_PAGE).map((page) => `<section class="page">${page.join('')}</section>`)
  const direction = isRightToLeft(t.language) ? 'rtl' : 'ltr'
  const title = escapeHtml(t.plain('sheet-title'))
  return (
    `<!doctype html><html lang="${t.language}" dir="${direction}"><head><meta charset="utf-8">` +
    `<title>${title}</title><style>${STYLE}</style></head><body>${pages.join('')}</body></html>\n`
  )
}
