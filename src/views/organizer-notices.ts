import { NOTICE_KINDS, type NoticeKind } from '../domain/notice.ts'
import { usual, type Validity } from '../domain/response-validity.ts'
import { type Html, shorten, type Translate } from '../texts/texts.ts'
import { buttons, type Target, tick } from './buttons.ts'
import { type Button, button, fitsMessage, lines, MOST_BUTTONS, paragraphs, type View } from './view.ts'

/** Whose record or roadmap a notice is about, as organizers know them. */
export type Whose = {
  s: string
  target: Target
  title: string
  /** The name as the service shows it. */
  person: string | undefined
  caseNumber: string | undefined
  externalId: number | undefined
  /** A test of a roadmap: the title of its role, and of the roadmap. */
  role?: { title: string; roadmap: string }
}

/** What a notice offers beside the card: a result or, of a stuck participant, a reminder and a release. */
export type Offer = 'send' | 'nudge' | 'nudge or release' | undefined

const LETTERS_A_BUTTON = 60

type NoticeParts = { text: string; whose: Whose | undefined; offer: Offer; buttons: Button[][] }

/** A notice with whose it is, and its buttons. `card`: the button that represents it among many notices. */
export function noticeView(t: Translate, { text, whose, offer, buttons: own }: NoticeParts) {
  if (!whose) return { text, keyboard: own }
  const card = buttons.card.data(whose.target)
  return {
    text: lines(text, whoseLines(t, whose)),
    keyboard: [...own, ...offered(t, whose, offer), [button(t.plain('button-card'), card)]],
    card: button(shorten(labelOf(t, whose), LETTERS_A_BUTTON), card),
  }
}

function offered(t: Translate, { s, role, target }: Whose, offer: Offer): Button[][] {
  const nudge = button(t.plain('button-card-nudge'), buttons.nudge.data(target), 'primary')
  if (offer === 'nudge') return [[nudge]]
  if (offer === 'nudge or release')
    return [[nudge], [button(t.plain('button-card-release'), buttons.release.data(s))]]
  // The tests of a roadmap have no result of their own.
  return offer === 'send' && !role ? [[button(t.plain('button-card-send'), buttons.send.data(s))]] : []
}

const whoseLines = (t: Translate, { person, caseNumber, externalId, role }: Whose): string =>
  lines(
    role && t('whose-role', { role: role.title, title: role.roadmap }),
    personLines(t, person, caseNumber, externalId),
  )

function labelOf(t: Translate, { title, person, caseNumber, externalId, role }: Whose): string {
  const known = person ?? caseNumber ?? (externalId === undefined ? role?.title : String(externalId))
  return known === undefined ? title : t.plain('notice-label', { title, whose: known })
}

/** A participant as the service shows them. */
export const personLines = (
  t: Translate,
  name: string | Html | null | undefined,
  caseNumber: string | null | undefined,
  externalId: number | null | undefined,
): string =>
  lines(
    name != null && t('card-person', { name }),
    caseNumber != null && t('card-case', { number: caseNumber }),
    externalId != null && t('card-external-id', { id: String(externalId) }),
  )

/** The switches of an organizer's notices. */
export function noticesView(t: Translate, off: readonly string[]): View {
  const keyboard = NOTICE_KINDS.map((kind) => {
    const isOn = !off.includes(kind)
    const label = t.plain('button-notice', { mark: tick(isOn), kind: kindOf(t, kind) })
    return [button(label, buttons.notice.data(kind, isOn ? 'off' : 'on'))]
  })
  return { text: t('notices'), keyboard }
}

/** Many notices as one, with the number of each kind. `whole`: the text that does not fit in a message. */
export function manyNoticesView(
  t: Translate,
  notices: readonly { kind: NoticeKind; text: string; card?: Button | undefined }[],
): { text: string; keyboard: Button[][]; whole?: string } {
  const counts = NOTICE_KINDS.flatMap((kind) => {
    const count = notices.filter((each) => each.kind === kind).length
    return count > 0 ? [t('notices-count', { kind: kindOf(t, kind), count })] : []
  })
  const head = lines(t('notices-many', { count: notices.length }), counts)
  const whole = paragraphs(
    head,
    notices.map((each) => each.text),
  )
  const keyboard = cardsOf(notices)
  if (fitsMessage(whole)) return { text: whole, keyboard }
  return { text: paragraphs(head, t('notices-in-file')), keyboard, whole }
}

/** The buttons to the cards, once for each record or roadmap. */
function cardsOf(notices: readonly { card?: Button | undefined }[]): Button[][] {
  const cards = new Map<string, Button>()
  for (const { card } of notices) if (card && 'callback_data' in card) cards.set(card.callback_data, card)
  return [...cards.values()].slice(0, MOST_BUTTONS).map((card) => [card])
}

const kindOf = (t: Translate, kind: NoticeKind): string => t.plain(`kind-of-notice.${kind}`)

const COUNTED = ['fast', 'run', 'changes', 'pauses', 'resumes'] as const

/** The validity card: how the test was answered, each line with the usual value. */
export function validityText(t: Translate, validity: Validity, expectedMinutes: number | undefined): string {
  const most = usual(validity)
  const { activeMinutes: count, questions } = validity
  const isBeyond = (what: (typeof COUNTED)[number]) => validity[what] > most[what]
  const measures = COUNTED.map((what) => {
    const line = t(`validity-${what}`, { count: validity[what], questions, usual: most[what] })
    return isBeyond(what) ? `<b>${line}</b>` : line
  })
  return lines(
    COUNTED.some(isBeyond) && t('validity-beyond'),
    measures,
    expectedMinutes === undefined
      ? t('validity-minutes-alone', { count })
      : t('validity-minutes', { count, usual: expectedMinutes }),
  )
}
