import { type Api, InlineKeyboard } from 'grammy'
import type { CallbackQuery, Update } from 'grammy/types'
import type { ChatEvent } from '../background/actors.ts'
import { sittingKey } from '../background/kinds.ts'
import type { Config } from '../config.ts'
import { openSitting, type SittingReply, type SittingView } from '../domain/sitting.ts'
import type { Log } from '../observe/logger.ts'
import type { Store } from '../store/store.ts'
import type { Vault } from '../store/vault.ts'
import { isBlocked, isMessageGone, isNotModified, isQueryTooOld } from '../telegram/errors.ts'
import type { Texts, Translate } from '../texts/texts.ts'
import { questionView } from '../views/question.ts'
import { createNewestOnly } from './newest-only.ts'
import type { Sheet, Sheets } from './sheets.ts'

const ANSWER = /^a:([\w-]{1,16}):(\d{1,5}):(\d{1,3}):([0-9a-z]{1,7})$/
const TOAST_LETTERS = 200

export type AnswerTap = {
  /** Whether an update is an answer tap, which is handled here and not in the chat's queue. */
  takes(update: Update): boolean
  /** Resolves when the store has the answer; the screen follows. */
  handle(update: Update): Promise<void>
  isIdle(): boolean
  /** Waits for the screens that are still being drawn. */
  settled(): Promise<void>
}

type Tap = {
  query: CallbackQuery
  s: string
  question: number
  option: number
  revision: number
  messageId: number | undefined
}

/**
 * The hot path: one atomic step of the store, then the acknowledgement and the next question side by side. An error of
 * the screen never touches what was recorded.
 */
export function createAnswerTap(deps: {
  store: Store
  vault: Vault
  api: Api
  texts: Texts
  config: Pick<Config, 'allowBack' | 'locale'>
  sheets: Sheets
  now: () => number
  log: Log
  onAnswer: (status: SittingReply['status']) => void
  /** Hands an update to the chat's queue: what is shown is not the business of this tap. */
  post: (update: Update) => Promise<void>
  postEvent: (to: { who: string; chatId: number; s: string }, event: ChatEvent) => Promise<void>
}): AnswerTap {
  const { store, vault, api, texts, config, sheets, now, log, onAnswer, post, postEvent } = deps
  const drawing = new Set<Promise<unknown>>()
  const newestOnly = createNewestOnly()

  function follow(work: Promise<unknown>): void {
    const watched = work
      .catch((err: unknown) => log.warn({ err }, 'screen not drawn'))
      .finally(() => drawing.delete(watched))
    drawing.add(watched)
  }

  async function acknowledge(query: CallbackQuery, text?: string, alert = false): Promise<void> {
    try {
      await api.answerCallbackQuery(query.id, text ? { text: shorten(text), show_alert: alert } : {})
    } catch (error) {
      if (!isQueryTooOld(error)) throw error
    }
  }

  async function draw(tap: Tap, sheet: Sheet, shown: SittingView): Promise<void> {
    const { s, query, messageId } = tap
    // In the same line as the edits, so that none of them lands on top of what is redrawn.
    const redraw = (event: Extract<ChatEvent, { kind: 'redraw' }>) =>
      newestOnly(s, () => postEvent({ who: sheet.who, chatId: query.from.id, s }, event))
    if (messageId === undefined) return redraw({ kind: 'redraw' })
    const placed = sheet.placed[shown.view]
    // The review, and an answered question with what was chosen, need all that is kept.
    if (!placed || shown.view < shown.answered) return redraw({ kind: 'redraw', messageId })
    const view = questionView(texts.for(shown.language), viewOf(tap, sheet, shown, placed, config.allowBack))
    if (view.before?.length) return redraw({ kind: 'redraw', messageId })
    try {
      await newestOnly(s, () =>
        api.editMessageText(query.from.id, messageId, view.text, {
          parse_mode: 'HTML',
          link_preview_options: { is_disabled: true },
          reply_markup: new InlineKeyboard(view.keyboard ?? []),
        }),
      )
    } catch (error) {
      if (isNotModified(error) || isBlocked(error)) return
      if (!isMessageGone(error)) throw error
      await redraw({ kind: 'redraw' })
    }
  }

  /** Tells a tap that changed nothing what stands instead, if that is not what it wanted. */
  async function contradiction(
    t: Translate,
    tap: Tap,
    sheet: Sheet,
    shown: SittingView,
  ): Promise<string | undefined> {
    if (shown.state === 'locked') return t.plain('toast-already-sent')
    const [entry] = await store.read([sittingKey(tap.s)])
    const recorded = entry && vault.sittingCipher.decryptAnswers(openSitting(entry.value))[tap.question]
    if (recorded === undefined || recorded === tap.option) return undefined
    const label = sheet.placed[tap.question]?.question.options[recorded]?.label ?? ''
    const short = [...label].length > 80 ? t.plain('option-number', { number: recorded + 1 }) : label
    const key = config.allowBack ? 'toast-answer-stands' : 'toast-answer-stands-fixed'
    return t.plain(key, { position: tap.question + 1, label: short })
  }

  return {
    takes: (update) => readTap(update) !== undefined,

    async handle(update) {
      const tap = readTap(update)
      if (!tap) return
      const { query, s, question, option, revision } = tap
      const sheet = await sheets.get(s, query.from.id)
      const options = sheet?.placed[question]?.question.options.length ?? 0
      if (!sheet || option >= options) return post(update)
      const reply = await store.answer(sittingKey(s), {
        kind: 'answer',
        owner: sheet.owner,
        at: now(),
        question,
        revision,
        allowBack: config.allowBack,
        ...vault.sittingCipher.encryptAnswer(sheet.sitting, { question, revision, option }),
      })
      onAnswer(reply.status)
      if (reply.status === 'gone') {
        sheets.drop(s)
        return post(update)
      }
      if (reply.status === 'accepted') {
        follow(Promise.all([acknowledge(query), draw(tap, sheet, reply)]))
        return
      }
      if (reply.state === 'paused') return post(update)
      const word = contradiction(texts.for(reply.language), tap, sheet, reply)
      follow(word.then((text) => acknowledge(query, text, text !== undefined)))
      if (reply.state === 'open') follow(draw(tap, sheet, reply))
    },

    isIdle: () => drawing.size === 0,

    async settled() {
      while (drawing.size > 0) await Promise.all(drawing)
    },
  }
}

function readTap({ callback_query: query }: Update): Tap | undefined {
  const match = ANSWER.exec(query?.data ?? '')
  if (!query || !match) return undefined
  const [, s = '', question, option, revision = ''] = match
  const messageId = query.message?.message_id
  // Only in the participant's own private chat: its id is the person's.
  if (query.message && query.message.chat.id !== query.from.id) return undefined
  return {
    query,
    s,
    question: Number(question),
    option: Number(option),
    revision: Number.parseInt(revision, 36),
    messageId,
  }
}

function viewOf(
  tap: Tap,
  sheet: Sheet,
  shown: SittingView,
  placed: Sheet['placed'][number],
  allowBack: boolean,
) {
  return {
    s: tap.s,
    placed,
    position: shown.view,
    total: shown.questions,
    revision: shown.revision,
    answered: shown.answered,
    activeSeconds: shown.activeSeconds,
    recommendedMinutes: sheet.recommendedMinutes,
    allowBack,
  }
}

function shorten(text: string): string {
  const letters = [...text]
  return letters.length <= TOAST_LETTERS ? text : `${letters.slice(0, TOAST_LETTERS - 1).join('')}…`
}
