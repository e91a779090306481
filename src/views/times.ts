import { perLanguage } from '../texts/languages.ts'
import type { Translate } from '../texts/texts.ts'

const ZONE = { timeZone: 'Asia/Tehran' } as const

/** Hour and minute in Tehran. */
export const timeText = (t: Translate, at: number): string => timeFormat(t.language).format(at)
const timeFormat = perLanguage(
  ({ locale }) => new Intl.DateTimeFormat(locale, { ...ZONE, hour: '2-digit', minute: '2-digit' }),
)

/** Day, month, hour and minute in Tehran. */
export const dayTimeText = (t: Translate, at: number): string => dayTimeFormat(t.language).format(at)
const dayTimeFormat = perLanguage(
  ({ locale }) =>
    new Intl.DateTimeFormat(locale, {
      ...ZONE,
      day: 'numeric',
      month: 'long',
      hour: '2-digit',
      minute: '2-digit',
    }),
)
