import type { Update } from 'grammy/types'
import type { ContextDeps } from '../dialog/update-context.ts'
import type { AttemptReply, AttemptView } from '../domain/attempt.ts'
import { UnreadableError } from '../domain/unreadable.ts'
import { AWAY_AFTER_MS } from '../domain/watch.ts'
import { attemptKey, readAttemptOf } from '../storage/documents/attempts.ts'
import { briefOption, optionsOf } from '../views/question.ts'
import { amongOthers } from './among-others.ts'
import type { AttemptCache, CachedAttempt } from './attempt-cache.ts'
import { readTap, type Tap } from './read-tap.ts'
import { createScreen, type ScreenDeps } from './screen.ts'

/** A longer label is shortened in a toast. */
const LABEL_LETTERS = 80

export type AnswerTap = ReturnType<typeof createAnswerTap>

type AnswerTapDeps = ScreenDeps &
  Pick<ContextDeps, 'store' | 'vault' | 'now' | 'log'> & {
    attemptCache: AttemptCache
    /** Whether other processes may render the same screens. */
    isOneOfMany: boolean
    onAnswer: (status: AttemptReply['status']) => void
    /** Posts an update to the queue of its chat, for everything that this tap does not show itself. */
    post: (update: Update) => Promise<void>
  }

/**
 * The hot path: one atomic step of the store, then the acknowledgement and the next question in parallel. An
 * error of the screen never affects the recorded answer.
 */
export function createAnswerTap(deps: AnswerTapDeps) {
  const { store, sender, attemptCache, isOneOfMany, now, log, onAnswer, post, postEvent } = deps
  const drawing = new Set<Promise<unknown>>()
  let hasLoggedOlder = false
  const screen = createScreen(deps)
  const draw = amongOthers(screen, store, isOneOfMany)

  function follow(work: Promise<unknown>): void {
    const watched = work
      .catch((err: unknown) => log.warn({ err }, 'screen not rendered'))
      .finally(() => drawing.delete(watched))
    drawing.add(watched)
  }

  /** Revisions of an attempt only rise, so a button with a newer one means an older store. Logged once. */
  function noteOlder(): void {
    if (!hasLoggedOlder) log.error({ problem: 'it came back older: answers that it had are gone' }, 'storage')
    hasLoggedOlder = true
  }

  async function handle(update: Update, tap: Tap): Promise<void> {
    const { query, s } = tap
    const startedAt = now()
    const cached = await attemptCache.get(s, query.from.id).catch(undefinedIfHarmed)
    const options = cached?.placed[tap.question]?.question.options.length ?? 0
    if (!cached || tap.option >= options) return post(update)
    const reply = await recordAnswer(deps, tap, cached)
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

  /** Shows the contradiction in the question itself if the tap is too old for a toast, as after an outage. */
  async function showCurrent(tap: Tap, cached: CachedAttempt, shown: AttemptView, drawn: Promise<unknown>) {
    const { query, s, messageId } = tap
    const word = await toastFor(deps, tap, cached, shown)
    if ((await sender.answer(query.id, word, word !== undefined)) || word === undefined) return
    await drawn
    await postEvent({ who: cached.who, chatId: query.from.id, s }, { kind: 'redraw', messageId, word })
  }

  return {
    /**
     * Takes an answer tap, without the queue of the chat: resolves when the store has the answer, before the
     * screen. `undefined` for any other update.
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

/** A damaged attempt is reported in its own chat; an error here would hold up all chats. */
function undefinedIfHarmed(error: unknown): undefined {
  if (!(error instanceof UnreadableError)) throw error
}

/** Compares the button with the current question, and records the answer, in one step of the store. */
function recordAnswer({ store, vault, config }: AnswerTapDeps, tap: Tap, { owner, attempt }: CachedAttempt) {
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

/** The toast for a tap that changed nothing: the recorded answer, if that is not the tapped one. */
async function toastFor(deps: AnswerTapDeps, tap: Tap, cached: CachedAttempt, shown: AttemptView) {
  const { store, vault, config, texts } = deps
  const { s, question, option, revision } = tap
  const t = texts.for(shown.language)
  if (revision > shown.revision) return t.plain('toast-answers-lost')
  if (shown.state === 'locked') return t.plain('toast-already-sent')
  const attempt = await readAttemptOf({ store, vault }, { who: cached.who, s })
  const recorded = attempt && vault.attemptCipher.decryptAnswers(attempt)[question]
  if (recorded === undefined || recorded === option) return undefined
  const placed = cached.placed[question]
  const answer = placed && optionsOf(placed.question)[recorded]
  if (!answer) return undefined
  const label = [...answer.label].length > LABEL_LETTERS ? briefOption(t.plain, answer) : answer.label
  const key = config.allowBack ? 'toast-answer-stands' : 'toast-answer-stands-fixed'
  return t.plain(key, { position: question + 1, label })
}
