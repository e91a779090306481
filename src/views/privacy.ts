import type { Config } from '../config.ts'
import { accountDays } from '../domain/durations.ts'
import type { Translate } from '../texts/texts.ts'
import { buttons } from './buttons.ts'
import { button, fitsMessage, MOST_ROWS, packMessages, type View } from './view.ts'

/** What is kept, where and how long, and who answers for it. */
export function privacyView(
  t: Translate,
  config: Pick<Config, 'organizerName' | 'organizerContact' | 'privacyUrl' | 'retentionDays'>,
): View {
  const { organizerName, organizerContact, privacyUrl, retentionDays } = config
  return {
    text: [
      t('privacy', {
        organizer: organizerName,
        contact: organizerContact,
        days: Math.ceil(retentionDays),
        accountDays: accountDays(retentionDays),
      }),
      ...(privacyUrl ? [t('privacy-policy', { url: privacyUrl })] : []),
    ].join('\n\n'),
  }
}

export type Kept = {
  /** Unfinished details. */
  profiles: number
  /** Tests whose answers are here. */
  attempts: number
  finished: number
  /** Invitations that were opened, and of which nothing else is kept. */
  links: number
  unsent: { s: string; title: string }[]
}

const KINDS = ['profiles', 'attempts', 'finished', 'links'] as const

/** Shows what is kept about this account before it is deleted; what would be lost is named first. */
export function forgetView(t: Translate, kept: Kept, { contact }: { contact: string }): View {
  const { unsent } = kept
  const lines = KINDS.filter((kind) => kept[kind] > 0).map((kind) =>
    t(`forget-${kind}`, { count: kept[kind] }),
  )
  const warnings = unsent.map(({ title }) => t('forget-unsent', { title }))
  const rest = [
    lines.length === 0 ? t('forget-nothing') : [t('forget-kept'), ...lines].join('\n'),
    t('forget-service', { contact }),
    t('forget-history'),
    t('forget-ask'),
  ]
  const whole = [...warnings, ...rest].join('\n\n')
  return {
    ...(fitsMessage(whole) ? { text: whole } : { before: packMessages(warnings), text: rest.join('\n\n') }),
    keyboard: [
      // The others stand in /tests.
      ...unsent
        .slice(0, MOST_ROWS)
        .map(({ s, title }) => [
          button(t.plain('button-forget-send', { title }), buttons.open.data(s), 'success'),
        ]),
      [button(t.plain('button-forget-yes'), buttons.forget.data('yes'), 'danger')],
      [button(t.plain('button-forget-no'), buttons.forget.data('no'))],
    ],
  }
}
