import type { Translate } from '../texts/texts.ts'

const MINUTE_S = 60
/** From here on seconds say nothing to anybody. */
const IN_MINUTES_FROM_S = 120

/** How long somebody has to wait for the service; an organizer waits behind all participants. */
export function placeInLineText(
  t: Translate,
  who: 'participant' | 'organizer',
  { place, etaMs }: { place: number; etaMs: number },
): string {
  const seconds = Math.ceil(etaMs / 1_000)
  const wait =
    seconds < IN_MINUTES_FROM_S
      ? t('wait-seconds', { seconds })
      : t('wait-minutes', { minutes: Math.ceil(seconds / MINUTE_S) })
  return who === 'participant' ? t('place-in-line', { place, wait }) : t('organizer-waits', { wait })
}

/** Why another SMS has to wait, and how long. */
export function waitText(
  t: Translate,
  { reason, seconds }: { reason: 'cooldown' | 'hour' | 'day'; seconds: number },
  contact: string,
): string {
  if (reason === 'cooldown') return t('sms-cooldown', { seconds })
  const word = reason === 'day' ? t('sms-day') : t('sms-hour', { minutes: Math.ceil(seconds / 60) })
  return `${word}\n\n${t('sms-hour-contact', { contact })}`
}
