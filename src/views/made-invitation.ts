import type { ResultTo } from '../domain/invitation.ts'
import type { Translate } from '../texts/texts.ts'
import { buttons } from './buttons.ts'
import { copyButton, shareButton } from './share.ts'
import { dayTimeText } from './times.ts'
import { type Button, button, inReadingOrder, type View } from './view.ts'

export type ShownInvitation = {
  code: string
  title: string
  link: string
  role: string | undefined
  /** With the role each, where it is a roadmap. */
  externalIds: readonly string[]
  until: number | undefined
  resultTo: ResultTo
  closed: 'used' | 'revoked' | 'expired' | undefined
  /** Inline mode is on, so that it can be put into any chat with a tap. */
  isInline: boolean
}

const DAYS = [7, 30] as const
const MARK = '✓ '
const RECIPIENTS = ['participant', 'organizer', 'both'] as const

/** An invitation with everything that can be done with it. */
export function madeInvitationView(t: Translate, invitation: ShownInvitation): View {
  const { code, title, link, role, externalIds, until, resultTo, closed } = invitation
  return {
    text: [
      role === undefined
        ? t('invitation-made', { title, code, link })
        : t('invitation-made-role', { title, role, code, link }),
      [
        ...(externalIds.length === 0 ? [] : [t('invitation-external-id', { id: externalIds.join(', ') })]),
        t(`invitation-result-${resultTo}`),
        closedText(t, closed) ??
          (until === undefined
            ? t('invitation-no-end')
            : t('invitation-until', { time: dayTimeText(t, until) })),
      ].join('\n'),
    ].join('\n\n'),
    keyboard: closed === 'used' || closed === 'revoked' ? [] : rows(t, invitation),
  }
}

function closedText(t: Translate, closed: ShownInvitation['closed']): string | undefined {
  if (closed === 'used') return t('invitation-used-up')
  if (closed === 'revoked') return t('invitation-was-revoked')
  return closed && t.plain('invitation-state-expired')
}

function rows(t: Translate, { code, title, link, resultTo, isInline }: ShownInvitation): Button[][] {
  const text = t.plain('share-text', { title })
  const share: Button = isInline
    ? {
        text: t.plain('button-share'),
        switch_inline_query_chosen_chat: {
          query: `i_${code}`,
          allow_user_chats: true,
          allow_group_chats: true,
        },
      }
    : shareButton(t, link, text)
  return [
    [copyButton(t, link)],
    inReadingOrder([share, button(t.plain('button-qr'), buttons.qr.data(code))], t.language),
    inReadingOrder(
      [
        ...DAYS.map((days) => button(t.plain('button-expire', { days }), buttons.expire.data(code, days))),
        button(t.plain('button-no-end'), buttons.expire.data(code, 0)),
      ],
      t.language,
    ),
    inReadingOrder(
      RECIPIENTS.map((to) =>
        button(t.plain(`button-to-${to}`, { mark: to === resultTo ? MARK : '' }), buttons.to.data(code, to)),
      ),
      t.language,
    ),
    [button(t.plain('button-revoke'), buttons.revoke.data(code), 'danger')],
  ]
}
