import type { Config } from '../config.ts'
import type { ContextDeps } from '../dialog/update-context.ts'
import { hasPictures } from '../domain/questionnaire.ts'
import type { ChatEvent, EventOf } from '../queue/chat-message.ts'
import { attemptKey, openStoredAttempt } from '../storage/documents/attempts.ts'
import { isRefused } from '../telegram/errors.ts'
import type { Dated } from '../telegram/sender.ts'
import { TICK } from '../views/buttons.ts'
import { headed, questionView } from '../views/question.ts'
import type { Draw, Shown } from './among-others.ts'
import type { Tap } from './read-tap.ts'

export type ScreenDeps = Pick<ContextDeps, 'store' | 'sender' | 'texts' | 'rendered'> & {
  config: Pick<Config, 'allowBack'>
  postEvent: (to: { who: string; chatId: number; s: string }, event: ChatEvent) => Promise<void>
}

/** Shows the next question in the tapped message. */
export function createScreen({ store, sender, texts, config, rendered, postEvent }: ScreenDeps): Draw {
  const newestOnly = createNewestOnly()

  /** Whether a newer message shows the attempt, as after a typed answer. */
  async function isShownBelow({ s, messageId = 0 }: Tap): Promise<boolean> {
    const [entry] = await store.read([attemptKey(s)])
    return entry !== undefined && openStoredAttempt(entry).lastMessageId > messageId
  }

  return async function draw(tap, cached, shown) {
    const { s, query, messageId } = tap
    const chatId = query.from.id
    const note = rendered.begin(s)
    // In order with the edits, so that none of them covers what is rendered again.
    const redraw = async (place: Pick<EventOf<'redraw'>, 'messageId'>) => {
      await newestOnly(s, () => postEvent({ who: cached.who, chatId, s }, { kind: 'redraw', ...place }))
      return 'anew' as const
    }
    // A restored store may not know the question that was read: texts for that one do not answer the new one.
    const isLater = shown.revision <= tap.revision
    if (messageId === undefined || isLater) return redraw({})
    const placed = cached.placed[shown.view]
    // The chat renders, and notes, what does not simply follow the tapped question. The review and an
    // answered question need the whole attempt; pictures come and go with their question.
    const isNext = shown.revision === tap.revision + 1
    const isPlain =
      isNext && !isChange(tap, shown) && !hasPictures(placed) && !hasPictures(cached.placed[tap.question])
    if (!isPlain) return redraw({ messageId })
    if (!placed || shown.view < shown.answered) return redraw({ messageId }).then(() => 'in place')
    const { heading, recommendedMinutes } = cached
    const { allowBack } = config
    const { view: position, questions: total, revision, language, isNamed } = shown
    // In Node 20 each new property after a spread costs a microsecond on the hot path, so the spread is last.
    const question = { s, placed, position, total, recommendedMinutes, allowBack, ...shown }
    const t = texts.for(language)
    const view = headed(t, questionView(t, question), isNamed && heading)
    if (view.before?.length) return redraw({ messageId })
    let isGone = false
    let isBelow = false
    const send = async (sentAt: number) => {
      let dated: Dated | undefined
      const outcome = await sender.edit(chatId, messageId, view, (when) => {
        dated = when
      })
      isGone = outcome === 'gone'
      if (outcome === 'done') note({ messageId, revision }, dated, sentAt)
    }
    try {
      await newestOnly(s, async () => {
        isBelow = shown.status === 'stale' && (await isShownBelow(tap))
        if (!isBelow) await rendered.sending(s, send)
      })
    } catch (error) {
      if (isRefused(error)) throw error
      // The chat retries for as long as the failure may last.
      return redraw({ messageId })
    }
    // The chat takes the buttons off the tapped message.
    if (isBelow) return redraw({ messageId })
    return isGone ? redraw({}) : 'in place'
  }
}

/** Whether a tap is on an answered question: an earlier one, or one that ticks its present answer. */
const isChange = ({ question, query }: Tap, { answered }: Shown): boolean =>
  question < answered - 1 ||
  query.message?.reply_markup?.inline_keyboard.flat().some(({ text }) => text.startsWith(TICK)) === true

/**
 * Renders one screen in order: while one call is under way only the newest of the later ones waits, so that a
 * slow network never shows an older question after a newer one.
 */
function createNewestOnly() {
  const newest = new Map<string, Promise<unknown>>()
  return (screen: string, run: () => Promise<unknown>): Promise<unknown> => {
    const before = newest.get(screen)?.catch(() => undefined) ?? Promise.resolve()
    const own: Promise<unknown> = before
      .then(() => (newest.get(screen) === own ? run() : undefined))
      .finally(() => {
        if (newest.get(screen) === own) newest.delete(screen)
      })
    newest.set(screen, own)
    return own
  }
}
