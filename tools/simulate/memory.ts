import type { WireMessage } from '../emulator/emulator.ts'
import { LABELS } from './labels.ts'

type Answers = {
  /** How many questions there are. */
  total?: number
  wished: Map<number, number>
  /** Every option that was tapped or typed for a question, and when last, in moves. */
  tried: Map<number, { options: Set<number>; move: number }>
  /** Options that were tapped on buttons which others had followed by then: `since` and `at` say when each was seen first. */
  older: { question: number; option: number; since: number; at: number }[]
  /** What a review has shown, and when: in moves, and in time. */
  shown: Map<number, { option: number; move: number; at: number }>
  /** The review that was looked at last, and since when it stands there. */
  review?: { text: string; at: number }
}

/** Whether the store has forgotten something that it knew at some moment between these two. */
export type HasForgotten = (from: number, to: number) => boolean

/** What is seen on a screen has stood there for so long at the most. */
const UNSEEN_MS = 45_000

export type Memory = ReturnType<typeof createMemory>

/** What somebody remembers of their tests: what they want to have answered, what they tapped, what was shown to them. */
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
    /** The option that this question is to be answered with, whenever it is asked. */
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
    /** The buttons that a question had when it was last seen, where those were other ones: a second phone shows them still. */
    outdated(s: string, question: number, data: readonly string[], at: number) {
      const before = buttons.get(`${s}:${question}`)
      if (before?.data[0] === data[0]) return undefined
      buttons.set(`${s}:${question}`, { data, since: at })
      return before
    },
    /** Taps one of those: it counts for nothing, unless the store has forgotten the buttons that followed. */
    attemptOlder(s: string, question: number, option: number, when: { since: number; at: number }): void {
      of(s).older.push({ question, option, ...when })
    },
    /** Reads a page of the review; returns the first question that is not answered as wished. */
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

    /** Why these answers are not the ones that were given and, as far as that still counts, confirmed; if they are not. */
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
    /** How many questions of an attempt were answered. */
    count: (s: string) => of(s).tried.size,
    get answers() {
      return [...attempts.values()].reduce((sum, { tried }) => sum + tried.size, 0)
    },
    hasReviewed: (s: string) => of(s).review !== undefined,
    newest: () => [...attempts.keys()].at(-1),
    ofLength: (questions: number) => [...attempts].findLast(([, { total }]) => total === questions)?.[0],
    /** Which may have been sent: the last release let somebody begin one record twice, by itself and in its roadmap. */
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
