import type { AttemptMove } from '../../src/domain/attempt.ts'
import { DAY_MS, OWED_DAYS } from '../../src/domain/durations.ts'
import { word } from '../../test/words.ts'
import { createHistory } from './history.ts'
import type { ModelDeps } from './promises.ts'
import type { Answerable } from './tasks.ts'

/** The reply of the store to a move of an attempt. */
export type Moved = {
  key: string
  move: AttemptMove['kind']
  isAccepted: boolean
  /** The answered question and the revision of its button; absent if the move is no answer. */
  answer?: { question: number; revision: number; isTyped: boolean } | undefined
  answered: number
  questions: number
}

/** A value that is only known within bounds: the first gap begins when the questions are fetched, before one is shown. */
type Between = { least: number; most: number }

/** The expected state of an attempt: the newest accepted answer of each question, with the revision that it answered. */
type Attempt = {
  s: string
  answers: ReadonlyMap<number, { revision: number; isTyped: boolean }>
  /** When the newest answer was accepted. */
  answeredAt: number
  questions: number
  movedAt: number
  activeMs: Between
  /** The time from which the next active time is counted. */
  lastAt: Between
}

/** The greatest active time for one question. */
const LONGEST_GAP_MS = 5 * 60_000
/** The greatest difference between the clock that began an attempt and the store's. */
const CLOCK_MS = 60_000
const minutesOf = (ms: number): number => Math.max(1, Math.round(ms / 60_000))

/** Attempts without activity are deleted after this time: unfinished ones, and complete ones that were not sent. */
export const RETENTION_MS = 30 * DAY_MS
const COMPLETE_MS = OWED_DAYS * DAY_MS
/** The longest time that answers are on their way to the service. */
const SENDING_MS = 60_000

/** The texts for answers that are deleted, or that belong to another account. */
const EXPIRED = word('attempt-expired')
const OF_ANOTHER = word('notice-attempt', { title: '' }).split('»')[1] ?? ''

const BUTTON = /a:([\w-]+):(\d+):(\d+):([0-9a-z]+)/
const SUBMIT = /"submit:([\w-]+)"/
const LENGTH = /جملهٔ \d+ از (\d+)/

export type AnswersModel = ReturnType<typeof createAnswersModel>

/**
 * The model of answers: each record has one attempt, whose accepted answers stay until the service has accepted them,
 * also when another account takes the test over. Only /forget and the term end an attempt; a release never does.
 */
export function createAnswersModel({
  elapsed,
  now,
  hasForgotten,
  report,
}: ModelDeps & {
  /** The date by the world's calendar. */
  now: () => number
}) {
  const attempts = createHistory<Attempt>(elapsed)
  const answerable = new Map<string, readonly Answerable[]>()
  const tokens = new Map<string, string>()
  /** The given options, by the pressed button or by the question for which a number was typed. */
  const given = new Map<string, Set<number>>()
  /** When the questions of a record were fetched, and when the first question of an attempt was last shown. */
  const fetchedAt = new Map<string, number>()
  const shownAt = createHistory<number>(elapsed)
  /** When a review last offered to send the answers of an attempt. */
  const offeredAt = new Map<string, number>()
  /** Records that /forget may have ended. */
  const ended = new Set<string>()

  const give = (key: string, option: number) =>
    void given.set(key, (given.get(key) ?? new Set<number>()).add(option))
  const nameOf = (token: string) => `…${token.slice(-4)}`

  function isOver({ answers, questions, movedAt }: Attempt): boolean {
    return now() - movedAt > (answers.size === questions ? COMPLETE_MS : RETENTION_MS)
  }

  /** The store has fewer answers than it accepted, or another attempt of the same record. */
  function begins(token: string, before: Attempt, s: string, answered: number): void {
    const mayEnd = ended.delete(token) || isOver(before)
    if (mayEnd || before.answers.size === 0) return
    if (before.s !== s) report('doubled', `a second attempt on ${nameOf(token)} is answered`)
    else report('lost', `${before.answers.size} answers of ${nameOf(token)} are gone, ${answered} are left`)
  }

  /** A move adds the time since the previous one as active time. A pause adds none; going back changes nothing. */
  function activityOf(move: Moved['move'], { activeMs, lastAt }: Pick<Attempt, 'activeMs' | 'lastAt'>) {
    const at = now()
    const gap = (since: number) => (move === 'resume' ? 0 : Math.min(Math.max(at - since, 0), LONGEST_GAP_MS))
    if (move === 'go' || move === 'language') return { activeMs, lastAt }
    return {
      activeMs: { least: activeMs.least + gap(lastAt.most), most: activeMs.most + gap(lastAt.least) },
      lastAt: { least: at, most: at },
    }
  }

  /** The sent minutes have to match the moves that the store has accepted. */
  function checkMinutes(token: string, { activeMs }: Attempt, minutes: number): void {
    const [least, most] = [minutesOf(activeMs.least - CLOCK_MS), minutesOf(activeMs.most + CLOCK_MS)]
    const isOther = minutes < least || minutes > most
    if (isOther) report('shifted', `${minutes} minutes sent of ${nameOf(token)}, not ${least} to ${most}`)
  }

  /** A typed number has to answer the question for which it was typed. */
  function checkTyped(token: string, s: string, question: number): void {
    if (given.has(`${s}:${question}`) || hasForgotten(elapsed() - SENDING_MS, elapsed())) return
    report('shifted', `question ${question + 1} of ${nameOf(token)} has a number that was not typed for it`)
  }

  return {
    /** The bot fetches the questions; from then on an attempt may begin. */
    fetches(token: string): void {
      if (!fetchedAt.has(token)) fetchedAt.set(token, now())
    },
    /** The records whose questions this account may be shown. */
    knows: (chat: number, records: readonly Answerable[]) => void answerable.set(String(chat), records),
    /** A message is shown in a chat; it may be a question. */
    shows(body: string): void {
      const offered = SUBMIT.exec(body)?.[1]
      if (offered !== undefined) offeredAt.set(offered, elapsed())
      const [, s, , , revision] = BUTTON.exec(body) ?? []
      if (s === undefined) return
      // An attempt may not have begun although its first question was shown before.
      if (revision === '1' || shownAt.get(s) === undefined) shownAt.set(s, now())
      if (tokens.has(s)) return
      const length = Number(LENGTH.exec(body)?.[1])
      const chat = String(JSON.parse(body).chat_id)
      const record = answerable.get(chat)?.find(({ questions }) => questions === length)
      if (record) tokens.set(s, record.token)
    },
    /** No chat may read that its answers are deleted or another account's while they are kept, even during a release. */
    says(chat: string, text: string): void {
      if (hasForgotten(elapsed() - SENDING_MS, elapsed())) return
      const since = ({ token }: Answerable) => attempts.get(token)?.movedAt ?? fetchedAt.get(token) ?? now()
      const mayBeGone = (record: Answerable) =>
        ended.has(record.token) || now() - since(record) > RETENTION_MS
      if (text.includes(EXPIRED) && !answerable.get(chat)?.some(mayBeGone))
        report('lost', `…${chat.slice(-3)} reads that answers are deleted before their term is over`)
      if (text.includes(OF_ANOTHER)) report('strayed', `an attempt is called another account's: ${text}`)
    },
    taps(data: string): void {
      const [, s, question, option, revision = ''] = BUTTON.exec(data) ?? []
      if (s !== undefined) give(`${s}:${question}:${Number.parseInt(revision, 36)}`, Number(option))
    },
    types: (s: string, question: number, option: number) => give(`${s}:${question}`, option),
    /** /forget may end the records of this account. */
    mayEnd(chat: number): void {
      for (const { token } of answerable.get(String(chat)) ?? []) ended.add(token)
    },

    tokenOf: (s: string): string => tokens.get(s) ?? s,
    moved({ key, move, isAccepted, answer, answered, questions }: Moved): void {
      const s = key.slice(key.indexOf(':') + 1)
      const token = tokens.get(s) ?? s
      if (isAccepted && answer?.isTyped && tokens.has(s)) checkTyped(token, s, answer.question)
      const before = attempts.get(token)
      const known = before?.answers.size ?? 0
      const isFirst = isAccepted && answer?.revision === 1 && known > 0
      const isNew = before !== undefined && (before.s !== s || answered < known || isFirst || isOver(before))
      if (isNew) begins(token, before, s, answered)
      // A change of language before any answer does not show when the attempt began: it may have ended and begun again.
      const isLook = move === 'language' && before === undefined
      if (!isNew && (!isAccepted || isLook)) return
      // It is unknown when the first question was shown if an attempt begins again, also if one ended without an answer.
      const beginsAgain = isNew || ended.has(token)
      const lastAt = { least: fetchedAt.get(token) ?? now(), most: (!beginsAgain && shownAt.get(s)) || now() }
      const none = { answers: new Map(), answeredAt: elapsed(), activeMs: { least: 0, most: 0 } }
      const begun = { s, questions, ...none, movedAt: now(), lastAt }
      const attempt = isNew ? begun : (before ?? begun)
      const answers = new Map(attempt.answers)
      const isAnswered = isAccepted && answer !== undefined
      if (isAnswered) answers.set(answer.question, answer)
      const answeredAt = isAnswered ? elapsed() : attempt.answeredAt
      attempts.set(token, { ...attempt, ...activityOf(move, attempt), answers, answeredAt, movedAt: now() })
    },

    /** Answers are locked to be sent; they have to be those that a review has shown. */
    locked(key: string): void {
      const s = key.slice(key.indexOf(':') + 1)
      const { answeredAt = 0 } = attempts.get(tokens.get(s) ?? s) ?? {}
      if (answeredAt > (offeredAt.get(s) ?? 0) && !hasForgotten(answeredAt - SENDING_MS, elapsed()))
        report('shifted', `answers of …${s.slice(-4)} were locked that had changed since they were shown`)
    },
    /** The service has accepted these options from the bot; each has to be that of the attempt. */
    submitted(token: string, sent: readonly number[], minutes: number): void {
      const attempt = attempts.get(token)
      const isKnown = [...answerable.values()].some((records) => records.some((each) => each.token === token))
      if (!isKnown || hasForgotten(elapsed() - SENDING_MS, elapsed())) return
      if (attempt) checkMinutes(token, attempt, minutes)
      if (attempt && attempt.answeredAt > (offeredAt.get(attempt.s) ?? 0))
        report('shifted', `answers of ${nameOf(token)} were sent that had changed since they were shown`)
      for (const [question, option] of sent.entries()) {
        const answer = attempt?.answers.get(question)
        const key = answer?.isTyped
          ? `${attempt?.s}:${question}`
          : `${attempt?.s}:${question}:${answer?.revision}`
        if (given.get(key)?.has(option)) continue
        const wanted = [...(given.get(key) ?? [])].join(', ')
        report('shifted', `question ${question + 1} of ${nameOf(token)} was sent as ${option}, not ${wanted}`)
      }
    },
    putBack(to: number): void {
      attempts.putBack(to)
      shownAt.putBack(to)
    },
  }
}
