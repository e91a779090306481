import type { Config } from '../config.ts'
import { type PlacedQuestion, picturesOf } from '../domain/questionnaire.ts'
import type { SittingView } from '../domain/sitting.ts'
import type { ChatEvent, EventOf } from '../mail/events.ts'
import type { Sender } from '../telegram/sender.ts'
import type { Texts } from '../texts/texts.ts'
import { questionView, type ShownQuestion } from '../views/question.ts'
import { createNewestOnly } from './newest-only.ts'
import type { Sheet } from './sheets.ts'
import type { Tap } from './tap.ts'

export type ScreenDeps = {
  sender: Sender
  texts: Texts
  config: Pick<Config, 'allowBack'>
  postEvent: (to: { who: string; chatId: number; s: string }, event: ChatEvent) => Promise<void>
}

/** Shows the next question where the tapped one stood. */
export function createScreen({ sender, texts, config, postEvent }: ScreenDeps) {
  const newestOnly = createNewestOnly()

  return async function draw(tap: Tap, sheet: Sheet, shown: SittingView): Promise<void> {
    const { s, query, messageId } = tap
    const chatId = query.from.id
    // In the same line as the edits, so that none of them lands on top of what is redrawn.
    const redraw = (event: EventOf<'redraw'>) =>
      newestOnly(s, () => postEvent({ who: sheet.who, chatId, s }, event))
    if (messageId === undefined) return redraw({ kind: 'redraw' })
    const placed = sheet.placed[shown.view]
    // The review, and an answered question with what was chosen, need all that is kept.
    // Pictures come and go with their question.
    const isPlain = !hasPictures(placed) && !hasPictures(sheet.placed[tap.question])
    if (!placed || !isPlain || shown.view < shown.answered) return redraw({ kind: 'redraw', messageId })
    const view = questionView(texts.for(shown.language), viewOf(tap, sheet, shown, placed, config.allowBack))
    if (view.before?.length) return redraw({ kind: 'redraw', messageId })
    let isGone = false
    await newestOnly(s, async () => {
      isGone = (await sender.edit(chatId, messageId, view)) === 'gone'
    })
    if (isGone) await redraw({ kind: 'redraw' })
  }
}

const hasPictures = (placed: PlacedQuestion | undefined): boolean =>
  placed !== undefined && (placed.sectionPictures !== undefined || picturesOf(placed.question).length > 0)

function viewOf(
  { s }: Tap,
  { recommendedMinutes }: Sheet,
  shown: SittingView,
  placed: Sheet['placed'][number],
  allowBack: boolean,
): ShownQuestion {
  const { view: position, questions: total, revision, answered, activeSeconds } = shown
  return { s, placed, position, total, revision, answered, activeSeconds, recommendedMinutes, allowBack }
}
