import type { ResultTo } from '../domain/invitation.ts'
import type { Translate } from '../texts/texts.ts'
import { buttons } from './buttons.ts'
import { receiversText } from './introduction.ts'
import { button, type View } from './view.ts'

type HandOver = {
  s: string
  /** The person with the role … */
  role: string
  /** … and what they are called. */
  name: string
  test: string
  /** A minor agrees here to who sees the result. */
  consent?: { organizer: string; resultTo: ResultTo } | undefined
}

/** Stands between two persons on one phone. */
export function handOverView(t: Translate, { s, role, name, test, consent }: HandOver): View {
  const text = t('curtain', { role, test })
  const ready = buttons.ready.data(s)
  if (!consent)
    return { text, keyboard: [[button(t.plain('button-curtain', { role: name }), ready, 'primary')]] }
  const receivers = receiversText(t, { ...consent, isSeveral: true })
  return {
    text: [text, `${t('curtain-before', { role: name })}\n${receivers}`, t('curtain-agree')].join('\n\n'),
    keyboard: [
      [button(t.plain('button-curtain-agree', { role: name }), ready, 'primary')],
      [button(t.plain('button-curtain-decline'), buttons.decline.data(s))],
    ],
  }
}

/** Nobody has agreed, so nothing is begun: who helps, and the way back. */
export function declinedView(
  t: Translate,
  { board, test, contact }: { board: string; test: string; contact: string },
): View {
  return {
    text: t('curtain-declined', { test, contact }),
    keyboard: [[button(t.plain('button-board'), buttons.open.data(board))]],
  }
}
