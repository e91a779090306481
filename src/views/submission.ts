import type { Translate } from '../texts/texts.ts'
import { buttons } from './buttons.ts'
import { button, type View } from './view.ts'

/** The answers are safe here but not accepted there. */
export function refusedView(t: Translate, { s, contact }: { s: string; contact: string }): View {
  return {
    text: t('submit-refused', { contact }),
    keyboard: [[button(t.plain('button-retry'), buttons.retry.data(s))]],
  }
}

/** The answers are accepted, but the result cannot be had. */
export function resultFailedView(t: Translate, { s, contact }: { s: string; contact: string }): View {
  return {
    text: t('result-failed', { contact }),
    keyboard: [[button(t.plain('button-retry'), buttons.retry.data(s))]],
  }
}

/** The test is finished; the result can be had again. */
export function resultReadyView(t: Translate, { s, title }: { s: string; title: string }): View {
  return {
    text: t('result-ready', { title }),
    keyboard: [[button(t.plain('button-result'), buttons.result.data(s))]],
  }
}

/** Continue later: where to find the test again. */
export function pausedView(
  t: Translate,
  progress: { s: string; title: string; answered: number; total: number; board?: string | undefined },
): View {
  const { s, board, ...rest } = progress
  return {
    text: t('paused', rest),
    keyboard: [
      [button(t.plain('button-continue'), buttons.open.data(s), 'primary')],
      ...(board === undefined ? [] : [[button(t.plain('button-board'), buttons.open.data(board))]]),
    ],
  }
}
