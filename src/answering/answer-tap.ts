import type { Update } from 'grammy/types'
import type { ContextDeps } from '../dialog/update-context.ts'
import type { AttemptReply, AttemptView } from '../domain/attempt.ts'
import { UnreadableError } from '../domain/unreadable.ts'
import { AWAY_AFTER_MS } from '../domain/watch.ts'
import { attemptKey, readAttemptOf } from '../storage/documents/attempts.ts'
import { briefOption, optionsOf } from '../views/question.ts'
import { amongOthers } from './among-others.ts'
import { type AttemptCache, type CachedAttempt, readTap, type Tap } from './attempt-cache.ts'
import { createScreen, type ScreenDeps } from './screen.ts'

/** A longer label than this is told briefly. */
const LABEL_LETTERS = 80

export type AnswerTap = ReturnType<typeof createAnswerTap>

type AnswerTapDeps = ScreenDeps &
  Pick<ContextDeps, 'store' | 'vault' | 'now' | 'log'> & {
    attemptCache: AttemptCache
    /** Whether other processes may draw the same screens. */
    isOneOfMany: boolean
    onAnswer: (status: AttemptReply['status']) => void
    /** Hands an update to the chat's queue: what is shown is not the business of this tap. */
    post: (update: Update) => Promise<void>
  }

/**
 * The hot path: one atomic step of the store, then the acknowledgement and the next question side by side. An error of
 * the screen never touches what was recorded.
 */
export function createAnswerTap(deps: AnswerTapDeps) {
  const { store, sender, attemptCache, isOneOfMany, now, log, onAnswer, post, postEvent } = deps
  const drawing = new Set<Promise<unknown>>()
  let isOlder = false
  const screen = createScreen(deps)
  const draw = amongOthers(screen, store, isOneOfMany)

  function follow(work: Promise<unknown>): void {
    const watched = work
      .catch((err: unknown) => log.warn({ err }, 'screen not rendered'))
      .finally(() => drawing.delete(watched))
    drawing.add(watched)
  }

  /** The revisions of an attempt only rise: the store is older than what such a button was shown with. Said once. */
  function noteOlder(): void {
    if (!isOlder) log.error({ problem: 'it came back older: answers that it had are gone' }, 'storage')
    isOlder = true
  }

  async function handle(update: Update, tap: Tap): Promise<void> {
    const { query, s } = tap
    const startedAt = now()
    const cached = await attemptCache.get(s, query.from.id).catch(harmed)
    const options = cached?.placed[tap.question]?.question.options.length ?? 0
    if (!cached || tap.option >= options) return post(update)
    const reply = await record(deps, tap, cached)
    const { status } = reply
    onAnswer(status)
    const ms = now() - startedAt
    log.info({ actor: 'answer', kind: 'callback_query', outcome: status, ms, trace: cached.trace }, 'handled')
    if (status === 'gone') {
      attemptCache.drop(s)
      return post(update)
    }
    if (status === 'accepted') {
      const isBack = startedAt - cached.answeredAt >= AWAY_AFTER_MS
      cached.answeredAt = startedAt
      if (isBack) follow(postEvent({ who: cached.who, chatId: query.from.id, s }, { kind: 'back' }))
      follow(Promise.all([sender.answer(query.id), draw(tap, cached, reply)]))
      return
    }
    if (tap.revision > reply.revision) noteOlder()
    if (reply.state === 'paused') return post(update)
    const drawn = reply.state === 'open' ? draw(tap, cached, reply) : Promise.resolve()
    follow(drawn)
    follow(showCurrent(tap, cached, reply, drawn))
  }

  /** The question itself says it where the tap is too old to be told: after an outage both options may have been pressed. */
  async function showCurrent(tap: Tap, cached: CachedAttempt, shown: AttemptView, drawn: Promise<unknown>) {
    const { query, s, messageId } = tap
    const word = await contradiction(deps, tap, cached, shown)
    if ((await sender.answer(query.id, word, word !== undefined)) || word === undefined) return
    await drawn
    await postEvent({ who: cached.who, chatId: query.from.id, s }, { kind: 'redraw', messageId, word })
  }

  return {
    /**
     * Takes an answer tap, which is handled here and not in the chat's queue: resolves when the store has the answer; the
     * screen follows. `undefined` for any other update.
     */
    take(update: Update): Promise<void> | undefined {
      const tap = readTap(update)
      return tap && handle(update, tap)
    },
    isIdle: (): boolean => drawing.size === 0,
    /** Waits for the screens that are still being rendered. */
    async settled(): Promise<void> {
      while (drawing.size > 0) await Promise.all(drawing)
    },
  }
}

/** A harmed value is the business of its own chat, which hears of it there: here it would hold up everybody. */
function harmed(error: unknown): undefined {
  if (!(error instanceof UnreadableError)) throw error
}

/** Compares what the button says with what is shown, and records the answer, in one step of the store. */
function record({ store, vault, config }: AnswerTapDeps, tap: Tap, { owner, attempt }: CachedAttempt) {
  const { s, question, option, revision } = tap
  return store.answer(attemptKey(s), {
    kind: 'answer',
    owner,
    question,
    revision,
    allowBack: config.allowBack,
    ...vault.attemptCipher.encryptAnswer(attempt, { question, revision, option }),
  })
}

/** Tells a tap that changed nothing what stands instead, if that is not what it wanted. */
async function contradiction(deps: AnswerTapDeps, tap: Tap, cached: CachedAttempt, shown: AttemptView) {
  const { store, vault, config, texts } = deps
  const { s, question, option, revision } = tap
  const t = texts.for(shown.language)
  if (revision > shown.revision) return t.plain('toast-answers-lost')
  if (shown.state === 'locked') return t.plain('toast-already-sent')
  const attempt = await readAttemptOf({ store, vault }, { who: cached.who, s })
  const recorded = attempt && vault.attemptCipher.decryptAnswers(attempt)[question]
  if (recorded === undefined || recorded === option) return undefined
  const placed = cached.placed[question]
  const stands = placed && optionsOf(placed.question)[recorded]
  if (!stands) return undefined
  const label = [...stands.label].length > LABEL_LETTERS ? briefOption(t.plain, stands) : stands.label
  const key = config.allowBack ? 'toast-answer-stands' : 'toast-answer-stands-fixed'
  return t.plain(key, { position: question + 1, label })
}
