import type { Translate } from '../texts/texts.ts'
import { buttons } from './buttons.ts'
import { type Button, button, type View } from './view.ts'

/** What is recalled: what it is called, whose it is, and how far it has come. */
export type Recalled = {
  s: string
  title: string
  /** Of a test that waits in a package: what the package is called. */
  roadmap?: string | undefined
  state: 'begun' | 'next' | 'report' | { answered: number; total: number }
}

/** A friendly word about what was begun; no blame, a way to the exact place, and a way to hear no more of it. */
export function reminderView(t: Translate, recalled: Recalled): View {
  return {
    text: reminderText(t, recalled),
    keyboard: [[wayThere(t, recalled)], [button(t.plain('button-no-reminders'), buttons.remind.data('off'))]],
  }
}

function reminderText(t: Translate, { title, roadmap = '', state }: Recalled): string {
  if (state === 'begun') return t('reminder', { title })
  if (state === 'next') return t('reminder-next', { title, roadmap })
  if (state === 'report') return t('reminder-report', { title })
  return isComplete(state) ? t('reminder-complete', { title }) : t('reminder-questions', { title, ...state })
}

function wayThere(t: Translate, { s, state }: Recalled): Button {
  const data = buttons.open.data(s)
  if (state === 'next') return button(t.plain('button-begin'), data, 'primary')
  if (typeof state === 'string' || isComplete(state))
    return button(t.plain('button-continue'), data, 'primary')
  return button(t.plain('button-continue-question', { position: state.answered + 1 }), data, 'primary')
}

const isComplete = ({ answered, total }: { answered: number; total: number }): boolean => answered === total
