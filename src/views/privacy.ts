import type { Config } from '../config.ts'
import type { Translate } from '../texts/texts.ts'
import { button, type View } from './view.ts'

/** What is kept, where and how long, and who answers for it. */
export function privacyView(
  t: Translate,
  config: Pick<Config, 'organizerName' | 'organizerContact' | 'privacyUrl' | 'retentionDays'>,
): View {
  const { organizerName, organizerContact, privacyUrl, retentionDays } = config
  return {
    text: [
      t('privacy', { organizer: organizerName, contact: organizerContact, days: Math.ceil(retentionDays) }),
      ...(privacyUrl ? [t('privacy-policy', { url: privacyUrl })] : []),
    ].join('\n\n'),
  }
}

export type Kept = {
  profiles: number
  sittings: number
  unsent: { s: string; title: string }[]
  finished: number
}

/** Shows what is kept about this account before it is deleted; what would be lost is named first. */
export function forgetView(t: Translate, kept: Kept, { contact }: { contact: string }): View {
  const { profiles, sittings, unsent, finished } = kept
  return {
    text: [
      ...unsent.map(({ title }) => t('forget-unsent', { title })),
      t('forget-kept', { profiles, sittings, finished }),
      t('forget-service', { contact }),
      t('forget-ask'),
    ].join('\n\n'),
    keyboard: [
      ...unsent.map(({ s, title }) => [
        button(t.plain('button-forget-send', { title }), `open:${s}`, 'success'),
      ]),
      [button(t.plain('button-forget-yes'), 'forget:yes', 'danger')],
      [button(t.plain('button-forget-no'), 'forget:no')],
    ],
  }
}
