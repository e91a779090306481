import type { Translate } from '../texts/texts.ts'
import { buttons } from './buttons.ts'
import { button, type View } from './view.ts'

/** A friendly word about what was begun; no blame, and a way to hear no more of it. */
export function reminderView(
  t: Translate,
  {
    s,
    title,
    progress,
  }: { s: string; title: string; progress: { answered: number; total: number } | undefined },
): View {
  return {
    text: progress ? t('reminder-questions', { title, ...progress }) : t('reminder', { title }),
    keyboard: [
      [button(t.plain('button-continue'), buttons.open.data(s), 'primary')],
      [button(t.plain('button-no-reminders'), buttons.remind.data('off'))],
    ],
  }
}
