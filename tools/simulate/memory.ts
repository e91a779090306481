import type { WireMessage } from '../emulator/emulator.ts'
import { LABELS } from './labels.ts'

type Answers = {
  /** How many questions there are. */
  total?: number
  wished: Map<number, number>
  /** All options that were tapped or typed for a question, and the number of the last such move. */
  tried: Map<number, { options: Set<number>; move: number }>
  /** Taps on buttons that newer ones had replaced: `since` is when the old ones were first seen, `at` the new ones. */
  older: { question: number; option: number; since: number; at: number }[]
  /** The options that a review has shown, at which move, and at what time. */
  shown: Map<number, { option: number; move: number; at: number }>
  /** The review that was read last, and when it was first seen. */
  review?: { text: string; at: number }
}

/** Whether a put-back of the store has lost writes that lie between these two moments. */
export type HasForgotten = (from: number, to: number) => boolean

/** A message is seen at most this long after it appears. */
const UNSEEN_MS = 45_000

export type Memory = ReturnType<typeof createMemory>

/** What a person remembers of their tests: the answers they want, the options they tapped, and the reviews they saw. */
export function createMemory() {
  const attempts = new Map<string, Answers>()
  const buttons = new Map<string, { data: readonly string[]; since: number }>()
  let moves = 0

  function of(s: string): Answers {
    const known = attempts.get(s)
    if (known) return known
    const fresh: Answers = { wished: new Map(), tried: new Map(), older: [], shown: new Map() }
    attempts.set(s, fresh)
    return fresh
  }

  return {
    /** The option that the person wants for this question. */
    wish(s: string, question: number, choose: () => number): number {
      const { wished } = of(s)
      const option = wished.get(question) ?? choose()
      wished.set(question, option)
      return option
    },
    sees(s: string, total: number): void {
      of(s).total = total
    },
    changeMind: (s: string, question: number) => void of(s).wished.delete(question),

    attempt(s: string, question: number, option: number): void {
      const { tried } = of(s)
      const options = tried.get(question)?.options ?? new Set()
      tried.set(question, { options: options.add(option), move: ++moves })
    },
    /** The former buttons of a question, if its buttons have changed; a second phone still shows them. */
    outdated(s: string, question: number, data: readonly string[], at: number) {
      const before = buttons.get(`${s}:${question}`)
      if (before?.data[0] === data[0]) return undefined
      buttons.set(`${s}:${question}`, { data, since: at })
      return before
    },
    /** Records a tap on a former button. It does not count, unless a put-back of the store has lost the newer buttons. */
    attemptOlder(s: string, question: number, option: number, when: { since: number; at: number }): void {
      of(s).older.push({ question, option, ...when })
    },
    /** Reads a page of the review; returns the first question whose answer is not the wanted one. */
    review(s: string, { text = '' }: WireMessage, at: number): number | undefined {
      const attempt = of(s)
      const review = attempt.review?.text === text ? attempt.review : { text, at }
      attempt.review = review
      let wrong: number | undefined
      for (const [, number = '', label = ''] of text.matchAll(ENTRY)) {
        const question = Number(ascii(number)) - 1
        const option = LABELS.indexOf(label)
        attempt.shown.set(question, { option, move: ++moves, at: review.at })
        if (attempt.wished.get(question) !== option) wrong ??= question
      }
      return wrong
    },

    /** Explains how the sent answers differ from those given or last shown in a review; `undefined` if they do not. */
    contradiction(s: string, sent: readonly number[], hasForgotten: HasForgotten): string | undefined {
      const { tried, shown, older } = of(s)
      for (const [question, option] of sent.entries()) {
        const { options = new Set(), move = 0 } = tried.get(question) ?? {}
        const wasRevived = older.some(
          (tap) => tap.question === question && tap.option === option && hasForgotten(tap.since, tap.at),
        )
        if (!options.has(option) && !wasRevived)
          return `question ${question + 1} was sent as ${option}, given was ${[...options]}`
        const last = shown.get(question)
        const isOther = last && last.move > move && last.option !== option
        if (isOther && !hasForgotten(last.at - UNSEEN_MS, last.at))
          return `question ${question + 1} was sent as ${option}, shown was ${last.option}`
      }
      return undefined
    },
    /** The number of answered questions of an attempt. */
    count: (s: string) => of(s).tried.size,
    get answers() {
      return [...attempts.values()].reduce((sum, { tried }) => sum + tried.size, 0)
    },
    hasReviewed: (s: string) => of(s).review !== undefined,
    newest: () => [...attempts.keys()].at(-1),
    ofLength: (questions: number) => [...attempts].findLast(([, { total }]) => total === questions)?.[0],
    /** Attempts that may have been sent. The last release let a person begin a record twice: alone and in its roadmap. */
    sendable: (questions: number) =>
      [...attempts]
        .filter(([, { total }]) => total === questions)
        .flatMap(([s, { review }], place, { length }) => (review || place === length - 1 ? [s] : [])),
    hasAnswered: (questions: number) =>
      [...attempts.values()].some(({ total, tried }) => total === questions && tried.size === questions),
  }
}

const ENTRY = new RegExp(`^[\\u200e\\u200f]*([۰-۹]+)\\..*\\n.*?(${LABELS.join('|')})[\\u200e\\u200f]*$`, 'gm')
export const ascii = (digits: string) =>
  digits.replace(/[۰-۹]/g, (digit) => String('۰۱۲۳۴۵۶۷۸۹'.indexOf(digit)))
