import type { HotPath, Person } from './hot-path.ts'
import { median } from './table.ts'

/** So many people answer at the same time, each so many questions in a row. */
const PEOPLE = 32
const ANSWERS = 30
const ROUNDS = 12
const WARM_ROUNDS = 2

type Contender = {
  name: string
  /** People before a question, fresh in every round. */
  people: (count: number) => Promise<Person[]>
  answer: (person: Person) => Promise<void>
}

type Comparison = {
  /** CPU time per answer in µs. */
  of(name: string): number
  /** How many times as much the one needs as the other. */
  ratio(name: string, to: string): number
}

/**
 * CPU time of this process per answer. All contenders take turns in every round, and a ratio is the median of the
 * rounds' ratios, so that a machine that is busy for a while does not decide.
 */
export async function compareCpu(contenders: readonly Contender[]): Promise<Comparison> {
  const measured = new Map(contenders.map(({ name }) => [name, [] as number[]]))
  // The first rounds only make the code warm.
  for (let round = -WARM_ROUNDS; round < ROUNDS; round += 1) {
    for (const { name, people, answer } of inTurn(contenders, round + WARM_ROUNDS)) {
      const crowd = await people(PEOPLE)
      // The first answer that a process sees of a sitting reads what the others need no more.
      await Promise.all(crowd.map(answer))
      const before = process.cpuUsage()
      await Promise.all(crowd.map((person) => answerInARow(person, answer)))
      const { user, system } = process.cpuUsage(before)
      if (round >= 0) measured.get(name)?.push((user + system) / (PEOPLE * ANSWERS))
    }
  }
  const rounds = (name: string) => measured.get(name) ?? []
  return {
    of: (name) => median(rounds(name)),
    ratio: (name, to) =>
      median(rounds(name).map((value, round) => value / (rounds(to)[round] ?? Number.NaN))),
  }
}

/** Somebody else begins in every round: what one leaves behind for the collector falls to the next. */
function inTurn<T>(all: readonly T[], round: number): T[] {
  const first = round % all.length
  return [...all.slice(first), ...all.slice(0, first)]
}

async function answerInARow(person: Person, answer: Contender['answer']): Promise<void> {
  for (let answers = 0; answers < ANSWERS; answers += 1) await answer(person)
}

export const hotPathAt = (hotPath: HotPath, question: number, name: string): Contender => ({
  name,
  people: (count) => hotPath.people(count, question),
  answer: hotPath.answer,
})
