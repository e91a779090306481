import type { Act } from '../kept/audit.ts'
import type { Translate } from '../texts/texts.ts'
import { dayTimeText } from './times.ts'
import type { View } from './view.ts'

/** So many lines are surely no longer than a message may be. */
const LINES_A_MESSAGE = 25

/** What organizers did, the newest first. */
export function auditView(t: Translate, acts: readonly Act[]): View {
  if (acts.length === 0) return { text: t('audit-none') }
  const lines = acts.map(({ by, what, token, at }) => {
    const told = { time: dayTimeText(t, at), who: String(by), what: t.plain(`act.${what}`) }
    return token === undefined ? t('audit-line', told) : t('audit-line-token', { ...told, token })
  })
  const messages: string[] = []
  for (let from = 0; from < lines.length; from += LINES_A_MESSAGE)
    messages.push(lines.slice(from, from + LINES_A_MESSAGE).join('\n'))
  const [first = '', ...rest] = messages
  const all = [`${t('audit-title')}\n${first}`, ...rest]
  return { text: all.at(-1) ?? '', before: all.slice(0, -1) }
}
