import type { WireMessage } from '../src/emulator/emulator.ts'
import { LABELS } from './errands.ts'

type Answers = {
  wished: Map<number, number>
  /** Every option that was tapped or typed for a question, and when last. */
  tried: Map<number, { options: Set<number>; at: number }>
  /** What a review has shown, and when. */
  shown: Map<number, { option: number; at: number }>
  reviewedAt?: number
}

export type Memory = ReturnType<typeof createMemory>

/** What somebody remembers of their tests: what they want to have answered, what they tapped, what was shown to them. */
export function createMemory() {
  const sittings = new Map<string, Answers>()
  const buttons = new Map<string, string[]>()
  let moves = 0

  function of(s: string): Answers {
    const known = sittings.get(s)
    if (known) return known
    const fresh: Answers = { wished: new Map(), tried: new Map(), shown: new Map() }
    sittings.set(s, fresh)
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
    changeMind: (s: string, question: number) => void of(s).wished.delete(question),

    attempt(s: string, question: number, option: number): void {
      const { tried } = of(s)
      const options = tried.get(question)?.options ?? new Set()
      tried.set(question, { options: options.add(option), at: ++moves })
    },
    /** The buttons that a question had when it was last seen, where those were other ones: a second phone shows them still. */
    outdated(s: string, question: number, data: readonly string[]): string[] | undefined {
      const before = buttons.get(`${s}:${question}`)
      buttons.set(`${s}:${question}`, [...data])
      return before && before[0] !== data[0] ? before : undefined
    },
    /** Reads a page of the review; returns the first question that is not answered as wished. */
    review(s: string, { text = '' }: WireMessage, at: number): number | undefined {
      const sitting = of(s)
      sitting.reviewedAt = at
      let wrong: number | undefined
      for (const [, number = '', label = ''] of text.matchAll(ENTRY)) {
        const question = Number(ascii(number)) - 1
        const option = LABELS.indexOf(label)
        sitting.shown.set(question, { option, at: ++moves })
        if (sitting.wished.get(question) !== option) wrong ??= question
      }
      return wrong
    },

    /** Why these answers are not the ones that were given and, as far as that still counts, confirmed; if they are not. */
    contradiction(s: string, sent: readonly number[], isShownStill: boolean): string | undefined {
      const { tried, shown } = of(s)
      for (const [question, option] of sent.entries()) {
        const { options = new Set(), at = 0 } = tried.get(question) ?? {}
        if (!options.has(option))
          return `question ${question + 1} was sent as ${option}, given was ${[...options]}`
        const last = shown.get(question)
        if (isShownStill && last && last.at > at && last.option !== option)
          return `question ${question + 1} was sent as ${option}, shown was ${last.option}`
      }
      return undefined
    },
    reviewedAt: (s: string) => sittings.get(s)?.reviewedAt,
    /** How many questions of a sitting were answered. */
    count: (s: string) => of(s).tried.size,
    get answers() {
      return [...sittings.values()].reduce((sum, { tried }) => sum + tried.size, 0)
    },
    newest: () => [...sittings.keys()].at(-1),
    ofLength: (questions: number) => [...sittings].findLast(([, { tried }]) => tried.size === questions)?.[0],
  }
}

const ENTRY = new RegExp(`^[\\u200e\\u200f]*([۰-۹]+)\\..*\\n.*?(${LABELS.join('|')})[\\u200e\\u200f]*$`, 'gm')
const ascii = (digits: string) => digits.replace(/[۰-۹]/g, (digit) => String('۰۱۲۳۴۵۶۷۸۹'.indexOf(digit)))
