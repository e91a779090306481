import type { Translate } from '../texts/texts.ts'

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
