import type { Config } from '../config.ts'
import type { Rendered } from '../dialog/rendered.ts'
import { type PlacedQuestion, picturesOf } from '../domain/questionnaire.ts'
import type { ChatEvent, EventOf } from '../queue/events.ts'
import type { Dated, Sender } from '../telegram/sender.ts'
import type { Texts } from '../texts/texts.ts'
import { questionView, type ShownQuestion } from '../views/question.ts'
import type { Draw, Shown } from './among-replicas.ts'
import type { CachedAttempt } from './attempt-cache.ts'
import type { Tap } from './tap.ts'

export type ScreenDeps = {
  sender: Sender
  texts: Texts
  config: Pick<Config, 'allowBack'>
  rendered: Rendered
  postEvent: (to: { who: string; chatId: number; s: string }, event: ChatEvent) => Promise<void>
}

/** Shows the next question where the tapped one stood. */
export function createScreen({ sender, texts, config, rendered, postEvent }: ScreenDeps): Draw {
  const newestOnly = createNewestOnly()

  return async function draw(tap, cached, shown) {
    const { s, query, messageId } = tap
    const chatId = query.from.id
    const note = rendered.begin(s)
    // In the same line as the edits, so that none of them lands on top of what is redrawn.
    const redraw = async (event: EventOf<'redraw'>) => {
      await newestOnly(s, () => postEvent({ who: cached.who, chatId, s }, event))
      return 'anew' as const
    }
    // What a store that was put back knows no more was read already: what is typed meanwhile is not for what comes below.
    const isLater = shown.revision <= tap.revision
    if (messageId === undefined || isLater) return redraw({ kind: 'redraw' })
    const placed = cached.placed[shown.view]
    // The chat notes when it has shown what does not just follow what was tapped. The review, and an answered question with
    // what was chosen, need all that is kept.
    // Pictures come and go with their question.
    const isNext = shown.revision === tap.revision + 1
    const isPlain = isNext && !hasPictures(placed) && !hasPictures(cached.placed[tap.question])
    if (!isPlain) return redraw({ kind: 'redraw', messageId })
    if (!placed || shown.view < shown.answered)
      return redraw({ kind: 'redraw', messageId }).then(() => 'in place')
    const view = questionView(texts.for(shown.language), viewOf(tap, cached, shown, placed, config.allowBack))
    if (view.before?.length) return redraw({ kind: 'redraw', messageId })
    let isGone = false
    await newestOnly(s, async () => {
      let dated: Dated | undefined
      const outcome = await sender.edit(chatId, messageId, view, (when) => {
        dated = when
      })
      isGone = outcome === 'gone'
      if (outcome === 'done') note({ messageId, revision: shown.revision }, dated)
    })
    return isGone ? redraw({ kind: 'redraw' }) : 'in place'
  }
}

const hasPictures = (placed: PlacedQuestion | undefined): boolean =>
  placed !== undefined && (placed.sectionPictures !== undefined || picturesOf(placed.question).length > 0)

function viewOf(
  { s }: Tap,
  { recommendedMinutes }: CachedAttempt,
  shown: Shown,
  placed: CachedAttempt['placed'][number],
  allowBack: boolean,
): ShownQuestion {
  const { view: position, questions: total, revision, answered } = shown
  return { s, placed, position, total, revision, answered, recommendedMinutes, allowBack }
}

type Drawing = { run: () => Promise<unknown>; resolve: () => void; reject: (error: unknown) => void }

/**
 * Keeps the drawings of one screen in order: while one is on its way, only the newest of those that came since waits,
 * so that a slow network never shows an older question after a newer one.
 */
function createNewestOnly() {
  const lines = new Map<string, { waiting: Drawing | undefined }>()

  async function draw(screen: string, first: Drawing): Promise<void> {
    const line: { waiting: Drawing | undefined } = { waiting: undefined }
    lines.set(screen, line)
    let current: Drawing | undefined = first
    while (current) {
      await current.run().then(current.resolve, current.reject)
      current = line.waiting
      line.waiting = undefined
    }
    lines.delete(screen)
  }

  return (screen: string, run: () => Promise<unknown>): Promise<void> =>
    new Promise((resolve, reject) => {
      const drawing = { run, resolve, reject }
      const line = lines.get(screen)
      if (!line) return void draw(screen, drawing)
      line.waiting?.resolve()
      line.waiting = drawing
    })
}
